"""Sending replies: the only place that builds embeds, views and modals."""

import asyncio
import io
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, cast

import discord

from bot.rules.kernel import Choice
from bot.ui.input.dice_emojis import blocks_with_emojis, with_emojis
from bot.ui.text.reply import (
    IN_MENU,
    Accent,
    Block,
    Button,
    ButtonBeside,
    Divider,
    Field,
    FileField,
    Form,
    Look,
    MenuField,
    Picture,
    Pictured,
    Reply,
    Row,
    Select,
    Sketch,
)
from bot.ui.text.text import plain, shorten

TOLD = "told"  # in an interaction's extras: its result has been told
MOST_TEXT = 4000  # characters of all text in one message of blocks
LONGEST_CUSTOM_ID = 100
MOST_OPEN = 10  # options of a form that show all at once
MOST_PARTS = 40  # components of one message of blocks, whatever is inside whatever
COLOURS = {
    Accent.SUCCESS: 0x2F9E6B,
    Accent.PARTIAL: 0xC98A1B,
    Accent.FAILURE: 0xC2453F,
    Accent.NEWS: 0x5B7FC7,
    Accent.BOARD: 0x8A63B8,
}
STYLES = {
    Look.MAIN: discord.ButtonStyle.primary,
    Look.PLAIN: discord.ButtonStyle.secondary,
    Look.GOOD: discord.ButtonStyle.success,
    Look.GRAVE: discord.ButtonStyle.danger,
}
Asked = discord.Interaction[Any]


class _Words(TypedDict):
    """What every kind of option takes."""

    value: str
    label: str
    description: str | None


@dataclass(frozen=True, slots=True)
class _Sent:
    """A reply in Discord's own objects."""

    embeds: list[discord.Embed]
    view: discord.ui.View | discord.ui.LayoutView | None
    files: list[discord.File]


async def answer(interaction: Asked, reply: Reply) -> int | None:
    """Send a reply: as the first answer, or as a follow-up to an earlier answer or deferral.

    Where it may not be posted for everybody, the person who asked gets it alone.

    Returns:
        Which message it is, where Discord says so.
    """
    try:
        return await _answer(interaction, reply)
    except discord.Forbidden:
        if reply.is_private:
            raise
    return await _answer(interaction, replace(reply, is_private=True))


async def _answer(interaction: Asked, reply: Reply) -> int | None:
    sent = await _made(reply)
    given: dict[str, Any] = {"ephemeral": reply.is_private}
    if sent.embeds:
        given["embeds"] = sent.embeds
    if sent.view is not None:
        given["view"] = sent.view
    if sent.files:
        given["files"] = sent.files
    if interaction.response.is_done():
        message: discord.WebhookMessage = await interaction.followup.send(**given, wait=True)
        return message.id
    return (await interaction.response.send_message(**given)).message_id


async def promise_change(interaction: Asked) -> None:
    """Defer the update of the message whose button was pressed."""
    if not interaction.response.is_done():
        await interaction.response.defer()


async def change(interaction: Asked, reply: Reply) -> None:
    """Replace the message whose button was pressed; whatever it showed is no longer kept up to date there."""
    interaction.client.sheets.forget(interaction)
    sent = await _made(reply)
    given: dict[str, Any] = {"view": sent.view, "attachments": sent.files}
    if not reply.blocks:
        given["embeds"] = sent.embeds
    elif interaction.message is not None and interaction.message.embeds:
        given["embeds"] = []  # Discord takes blocks only where the rest is gone
    if interaction.response.is_done():
        await interaction.edit_original_response(**given)
    else:
        await interaction.response.edit_message(**given)


async def change_answer(
    interaction: Asked, message: int, reply: Reply, is_wanted: Callable[[], bool]
) -> None:
    """Replace an earlier answer, within the 15 minutes that Discord allows.

    Args:
        interaction: What it answered.
        message: Its message.
        reply: What takes its place.
        is_wanted: Whether it is still to be replaced once the reply's pictures are drawn.
    """
    sent = await _made(reply)
    if not is_wanted():
        return
    given: dict[str, Any] = {"view": sent.view, "attachments": sent.files}
    if not reply.blocks:
        given["embeds"] = sent.embeds
    await interaction.followup.edit_message(message, **given)


async def ask_form(interaction: Asked, form: Form) -> None:
    """Open a form; its submission goes to `bot.ui.input.presses.handle_form`, also after a restart."""
    modal = discord.ui.Modal(title=plain(form.title, 45), custom_id=_unique(form.id))
    for field in form.fields:
        modal.add_item(
            discord.ui.Label(
                text=plain(field.label, 45),
                description=plain(field.note, 100) if field.note else None,
                component=_input(field),
            )
        )
    modal.stop()
    await interaction.response.send_modal(modal)


def _unique(form_id: str) -> str:
    """The id with something random behind it: phones fill in again what was written under a known id."""
    return f"{form_id}~{secrets.token_hex(4)}"[:LONGEST_CUSTOM_ID]


@dataclass(frozen=True, slots=True)
class _Pinged:
    """Somebody a message pings. discord.py sends the id as it is; Discord's description has it as text."""

    id: str


async def post(channel: discord.abc.Messageable, reply: Reply) -> discord.Message:
    """Post a reply into a channel, unprompted."""
    sent = await _made(reply)
    given: dict[str, Any] = {"embeds": sent.embeds, "files": sent.files}
    if sent.view is not None:
        given["view"] = sent.view
    if reply.pings:
        people = cast("list[discord.abc.Snowflake]", [_Pinged(str(person)) for person in reply.pings])
        given["allowed_mentions"] = discord.AllowedMentions(everyone=False, roles=False, users=people)
    # discord.py's own nonce is a text of digits, which Discord's description takes for two things at once.
    given["nonce"] = f"n{secrets.token_hex(8)}"
    return await channel.send(**{key: value for key, value in given.items() if value})


async def repost(message: discord.PartialMessage, reply: Reply) -> None:
    """Replace a message of the bot outside an interaction."""
    sent = await _made(reply)
    given: dict[str, Any] = {"view": sent.view, "attachments": sent.files}
    if not reply.blocks:
        given["embeds"] = sent.embeds
    await message.edit(**given, allowed_mentions=discord.AllowedMentions.none())


def _input(field: Field | MenuField | FileField) -> discord.ui.Item[Any]:
    match field:
        case Field():
            return _text_input(field)
        case MenuField():
            return _menu_input(field)
        case FileField():
            return discord.ui.FileUpload(
                custom_id=field.key, min_values=field.least, max_values=field.most, required=field.least > 0
            )


def _text_input(field: Field) -> discord.ui.TextInput[Any]:
    style = discord.TextStyle.paragraph if field.is_long else discord.TextStyle.short
    return discord.ui.TextInput(
        custom_id=field.key,
        style=style,
        default=field.value[: field.longest] or None,
        max_length=field.longest,
        required=field.is_required,
    )


def _menu_input(field: MenuField) -> discord.ui.Item[Any]:
    """A menu, or where all choices show at once radio buttons for exactly one and checkboxes for others.

    Both bounds are always set: where a form leaves them out, discord.py sends others than Discord assumes.
    """
    choices, chosen = _offered(field)
    least, most = min(field.least, len(choices)), max(1, min(field.most, len(choices)))
    is_open = field.is_open and len(choices) <= MOST_OPEN
    if is_open and least == most == 1 and len(choices) > 1:
        radios = [
            discord.RadioGroupOption(**_words(choice), default=choice.value in chosen) for choice in choices
        ]
        return discord.ui.RadioGroup(custom_id=field.key, options=radios)
    if is_open:
        boxes = [
            discord.CheckboxGroupOption(**_words(choice), default=choice.value in chosen)
            for choice in choices
        ]
        return discord.ui.CheckboxGroup(
            custom_id=field.key, min_values=least, max_values=most, required=least > 0, options=boxes
        )
    return discord.ui.Select(
        custom_id=field.key,
        min_values=least,
        max_values=most,
        required=least > 0,
        options=[_option(choice, is_default=choice.value in chosen) for choice in choices],
    )


async def _made(reply: Reply) -> _Sent:
    if reply.blocks:
        blocks: list[Block] = [
            await _drawn(block) if isinstance(block, Sketch) else block for block in reply.blocks
        ]
        blocks = blocks_with_emojis(blocks, MOST_TEXT)
        files = [picture for block in blocks if (picture := _picture_of(block)) is not None]
        return _Sent([], _layout(blocks, reply.accent), [_file(picture) for picture in files])
    text = with_emojis(shorten(reply.text, MOST_TEXT), MOST_TEXT)
    embed = discord.Embed(description=text, colour=COLOURS[reply.accent])
    view = _view(reply.rows) if reply.rows else None
    return _Sent([embed], view, [_file(await _drawn(one)) for one in reply.files])


async def _drawn(one: Picture | Sketch) -> Picture:
    if isinstance(one, Picture):
        return one
    return Picture(one.name, await asyncio.to_thread(one.draw), one.alt)


def _picture_of(block: Block) -> Picture | None:
    return block.picture if isinstance(block, Pictured) else block if isinstance(block, Picture) else None


class _File(discord.File):
    """A file whose number is written as Discord describes ids: as text."""

    def to_dict(self, index: int) -> Any:
        """The file's entry among a message's attachments."""
        return {**super().to_dict(index), "id": str(index)}


def _file(picture: Picture) -> discord.File:
    return _File(io.BytesIO(picture.content), picture.name, description=picture.alt or None)


def _view(rows: Sequence[Row]) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        for item in _items(row):
            item.row = number
            view.add_item(item)
    view.stop()  # discord.py keeps no views of ours in memory: ids say everything
    return view


def _layout(blocks: Sequence[Block], accent: Accent) -> discord.ui.LayoutView:
    layout = discord.ui.LayoutView(timeout=None)
    container: discord.ui.Container[Any] = discord.ui.Container(accent_colour=COLOURS[accent])
    left = MOST_PARTS - 1  # the container is one itself
    for block in fitted(blocks):
        left -= _parts(block)
        if left < 0:
            break
        container.add_item(_block(block))
    layout.add_item(container)
    layout.stop()
    return layout


def _parts(block: Block) -> int:
    """The number of Discord components in a block."""
    match block:
        case ButtonBeside() | Pictured():
            return 3  # the section, its text, what stands beside it
        case str() | Divider() | Picture() | Sketch():
            return 1
        case Select():
            return 2
        case _:
            return 1 + len(block)


def fitted(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with their text cut (with an ellipsis) to fit one message; no text is left empty."""
    left = MOST_TEXT - sum(isinstance(block, str | ButtonBeside | Pictured) for block in blocks)
    fitting: list[Block] = []
    for block in blocks:
        if isinstance(block, str | ButtonBeside | Pictured):
            text = shorten(block if isinstance(block, str) else block.text, left + 1)
            text = text if text.strip() else "–"
            left -= len(text) - 1
            fitting.append(text if isinstance(block, str) else replace(block, text=text))
        else:
            fitting.append(block)
    return fitting


def _block(block: Block) -> discord.ui.Item[Any]:
    match block:
        case str():
            return discord.ui.TextDisplay(block)
        case ButtonBeside():
            return discord.ui.Section(block.text, accessory=_button(block.button))
        case Pictured():
            shown = block.picture
            thumbnail: discord.ui.Thumbnail[Any] = discord.ui.Thumbnail(
                f"attachment://{shown.name}", description=shown.alt or None
            )
            return discord.ui.Section(block.text, accessory=thumbnail)
        case Divider():
            return discord.ui.Separator()
        case Picture() | Sketch():
            gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery()
            gallery.add_item(media=f"attachment://{block.name}", description=block.alt or None)
            return gallery
        case _:
            return discord.ui.ActionRow(*_items(block))


def _items(row: Row) -> list[discord.ui.Item[Any]]:
    return [_select(row)] if isinstance(row, Select) else [_button(button) for button in row]


def _button(button: Button) -> discord.ui.Button[Any]:
    return discord.ui.Button(
        custom_id=button.id, label=plain(button.label, 80), style=STYLES[button.look], disabled=button.is_off
    )


def _select(select: Select) -> discord.ui.Select[Any]:
    choices, chosen = _offered(select)
    return discord.ui.Select(
        custom_id=f"s:{select.id}",
        placeholder=plain(select.prompt, 150),
        min_values=min(select.least, len(choices)),
        max_values=min(select.most, len(choices)),
        options=[_option(choice, is_default=choice.value in chosen) for choice in choices],
    )


def _offered(menu: Select | MenuField) -> tuple[list[Choice], list[str]]:
    """As many different choices as a menu takes, and the values of those that are chosen already."""
    choices = list({choice.value: choice for choice in menu.choices}.values())[:IN_MENU]
    return choices, [choice.value for choice in choices if choice.value in menu.chosen][: menu.most]


def _option(choice: Choice, *, is_default: bool) -> discord.SelectOption:
    return discord.SelectOption(**_words(choice), default=is_default)


def _words(choice: Choice) -> _Words:
    note = plain(choice.note, 100) if choice.note else None
    return {"value": choice.value, "label": plain(choice.label, 100), "description": note}
