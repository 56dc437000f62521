"""The sheet as controller: `/sheet`, what is pressed on a sheet, and favorites: `/favorite`."""

from functools import partial
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

from bot.rules.kernel import ActGroup, Choice
from bot.rules.kernel.errors import UserError
from bot.table.base.pictures import KINDS
from bot.table.base.results import EntryId
from bot.table.base.typed_options import LONGEST_NAME
from bot.table.campaigns.fields import set_field
from bot.table.characters import character_files, controls, favorites
from bot.table.characters.controls import Controls
from bot.table.characters.favorites import OwnFavorites, Saved
from bot.table.gm.gm import TypedValues, require_gm, set_value, typed_values
from bot.table.journal import journal
from bot.table.play.play import Given
from bot.ui.commands.options import complete_own_character, completed_by
from bot.ui.commands.sheets import (
    FIELD,
    NO_STATE,
    PORTRAIT,
    VALUE,
    Taken,
    controls_reply,
    opened,
    ready,
    show_controls,
    take,
    turn_to_controls,
)
from bot.ui.input.answer import answer, ask_form, change, in_time
from bot.ui.input.presses import (
    Interaction,
    OutOfDate,
    Press,
    given_by,
    number_of,
    picture_field,
    press_id,
    table_and_request,
    uploaded_picture,
)
from bot.ui.live.open_sheets import PrivatePage, change_and_follow
from bot.ui.live.result_messages import tell
from bot.ui.replies.links import SHEET
from bot.ui.replies.result_replies import undo_reply
from bot.ui.text.reply import Accent, Field, Form, MenuField, Reply
from bot.ui.text.roll_text import escape, plain

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 100]


class Sheet(commands.Cog):
    """The command that opens a character's controls."""

    @app_commands.command(name="sheet", description="Play from your sheet: everything your character can do")
    @app_commands.describe(name="The character (default: yours)")
    @app_commands.autocomplete(name=complete_own_character)
    async def sheet(self, interaction: Interaction, name: Name | None = None) -> None:
        """Open the controls of a sheet."""
        await show_controls(interaction, name)


async def _group_of(interaction: Interaction, who: int, group: ActGroup, page: int) -> PrivatePage:
    """A group of a sheet as it is now."""
    table, request = table_and_request(interaction)
    return PrivatePage(controls_reply(await controls.open_group(table, request, who, group, page)), who)


async def on_controls(interaction: Interaction, press: Press) -> None:
    """Handle a press on a sheet's controls: turn to another part of it, or do something."""
    table, request = table_and_request(interaction)
    who, what = press.number(), press.argument(2)
    match what:
        case "open":
            await show_controls(interaction)
        case "home":
            await change_and_follow(interaction, partial(opened, interaction, who, press.number(3)))
        case "group":
            group = _group(press.argument(3))
            await change_and_follow(interaction, partial(_group_of, interaction, who, group, press.number(4)))
        case "gm" if press.chosen() == VALUE:
            await _ask_value(interaction, press, who, VALUE)
        case "gm" if press.chosen() == PORTRAIT:
            await ask_portrait(interaction, press)
        case "correct":
            await _ask_value(interaction, press, who, press.argument(3))
        case "value":
            await _set_value(interaction, press, who)
        case "field":
            await _set_field(interaction, press, who)
        case "undo":
            await _undo_last(interaction, press, who)
        case "gm":
            group = _group(press.chosen())
            await change_and_follow(interaction, partial(_group_of, interaction, who, group, 0))
        case "set":
            shown = await in_time(interaction, controls.compose(table, request, who, press.chosen()))
            await change(interaction, controls_reply(shown))
        case "flip" | "turn":
            await _recompose(interaction, press, who)
        case "ask":
            asked = controls.compose(table, request, who, press.argument(3), _state(press), asks=True)
            shown = await in_time(interaction, asked)
            await change(interaction, controls_reply(shown))
        case "pick" | "start":
            key = press.argument(3) if what == "start" else press.chosen()
            picked = controls.compose(table, request, who, key, asks=True)
            shown = await in_time(interaction, picked)
            await _do_or_ask(interaction, press.number(1), shown)
        case "fav":
            which = number_of(press.chosen()) if press.argument(3) == NO_STATE else press.number(3)
            shown = await in_time(interaction, controls.open_favorite(table, request, who, which))
            await _do_or_ask(interaction, press.number(1), shown)
        case "keep":
            await _keep(interaction, press, who)
        case "do":
            act = Taken(who, press.number(1), press.argument(3), _state(press))
            await _do(interaction, act, given_by(press))
        case "write":  # a promise now would again leave no time for the form
            act = Taken(who, press.number(1), press.argument(3), _state(press))
            await _do(interaction, act, Given(), is_promised=False)
        case "with":
            press.chosen()
            act = Taken(who, press.number(1), press.argument(3), _state(press))
            await _do(interaction, act, given_by(press))
        case "portrait":
            await ask_portrait(interaction, press)
        case "portrayed":
            await take_portrait(interaction, press)
            await turn_to_controls(interaction, who)
        case _:
            raise OutOfDate


async def _ask_value(interaction: Interaction, press: Press, who: int, what: str) -> None:
    """Open the form in which a GM types a number, or a field of the sheet."""
    if what not in {VALUE, FIELD}:
        raise OutOfDate
    found = await typed_values(*table_and_request(interaction), who)
    id_ = press_id(SHEET, who, press.number(1), what)
    await ask_form(interaction, value_form(found, id_) if what == VALUE else field_form(found.name, id_))


async def _set_field(interaction: Interaction, press: Press, who: int) -> None:
    """Set a field of the sheet as a GM typed it, show the sheet as it is then, and tell it."""
    table, request = table_and_request(interaction)
    field, text, reason = (press.fields.get(key, "") for key in ("field", "text", "reason"))
    result = await in_time(interaction, set_field(table, request, who, field, text, reason))
    await turn_to_controls(interaction, who)
    await tell(interaction, result)


async def _undo_last(interaction: Interaction, press: Press, who: int) -> None:
    """Have a GM undo what the character did last, or what they did to it."""
    table, request = table_and_request(interaction)
    await require_gm(table, request)
    done = await in_time(interaction, journal.undo(table, request, EntryId(press.number(1))))
    if isinstance(done, journal.Undone):
        await change_and_follow(interaction, partial(_group_of, interaction, who, ActGroup.GM, 0))
        await tell(interaction, done.result)
    else:
        await answer(interaction, replace(undo_reply(done), is_private=True))


async def _set_value(interaction: Interaction, press: Press, who: int) -> None:
    """Set what a GM typed in the form, show the sheet as it is then, and tell it."""
    table, request = table_and_request(interaction)
    what, number = press.choices.get("what", ()), press.fields.get("number", "")
    if len(what) != 1:
        raise OutOfDate
    result = await in_time(interaction, set_value(table, request, who, what[0], number))
    await turn_to_controls(interaction, who)
    await tell(interaction, result)


def _group(name: str) -> ActGroup:
    try:
        return ActGroup[name.upper()]
    except KeyError:
        raise OutOfDate from None


def _state(press: Press) -> str:
    state = press.argument(4) if len(press.arguments) > 4 else NO_STATE
    return "" if state == NO_STATE else state


async def _recompose(interaction: Interaction, press: Press, who: int) -> None:
    """Redraw a composer with what was switched or chosen."""
    table, request = table_and_request(interaction)
    key, state = press.argument(3), _state(press)
    before = (await in_time(interaction, controls.compose(table, request, who, key, state))).composed
    if before is None or any(not one.isdecimal() for one in press.values):
        raise OutOfDate
    if press.argument(2) == "turn":
        changes = {press.number(5): number_of(press.chosen())}
    else:
        switches = [place for place, one in enumerate(before.settings) if one.is_switch]
        changes = {place: int(str(place) in press.values) for place in switches}
    again = controls.compose(table, request, who, key, before.state, changes)
    shown = await in_time(interaction, again)
    await change(interaction, controls_reply(shown))


async def _do_or_ask(interaction: Interaction, now: int, shown: Controls) -> None:
    """Do the act that was chosen, or open its menu where something is to be chosen."""
    act, chosen = ready(shown, now)
    if chosen is None:
        await change(interaction, controls_reply(shown))
    else:
        await _do(interaction, act, Given(chosen or None))


async def _do(interaction: Interaction, act: Taken, given: Given, *, is_promised: bool = True) -> None:
    """Do an act, show the sheet as it is afterwards, and tell the result."""
    result = await take(interaction, act, given, is_promised=is_promised)
    if result is None:
        return
    await turn_to_controls(interaction, act.who)
    await tell(interaction, result)


async def _keep(interaction: Interaction, press: Press, who: int) -> None:
    """Ask for the name of a favorite, then save it."""
    table, request = table_and_request(interaction)
    key = press.argument(3).replace(NO_STATE, "")
    if not press.fields:
        label = await _label(interaction, press, who, key)
        await ask_form(interaction, favorite_form(press_id(SHEET, *press.arguments), label))
        return
    name = press.fields.get("name", "")
    await controls.keep(table, request, who, key, _state(press), name, now=press.number(1))
    await change(interaction, controls_reply(await controls.open_controls(table, request, who)))


async def _label(interaction: Interaction, press: Press, who: int, key: str) -> str:
    """What a favorite is called unless the player says otherwise."""
    table, request = table_and_request(interaction)
    if not key:
        return (await controls.open_controls(table, request, who)).keeps
    asked = (await controls.compose(table, request, who, key, _state(press), asks=True)).asked
    return "" if asked is None else asked.control.act.do.label


# --- the portrait --------------------------------------------------------------------------------

REMOVE = "remove"


async def ask_portrait(interaction: Interaction, press: Press) -> None:
    """Open the form in which a portrait is uploaded or removed."""
    who = press.number()
    has_one = await character_files.has_portrait(*table_and_request(interaction), who)
    upload = picture_field(least=0 if has_one else 1)
    choices = (Choice(REMOVE, "Remove the portrait"),)
    removal = MenuField(key=REMOVE, label="Or", choices=choices, least=0, is_open=True)
    fields = (upload, removal) if has_one else (upload,)
    id_ = press_id(press.kind, who, press.number(1), "portrayed")
    await ask_form(interaction, Form(id=id_, title="Portrait", fields=fields))


async def take_portrait(interaction: Interaction, press: Press) -> None:
    """Save the portrait that came with the form, or remove it; the sheet is to be shown afterwards."""
    table, request, who = *table_and_request(interaction), press.number()
    if press.choices.get(REMOVE):
        await character_files.save_portrait(table, request, who, b"")
        return
    await character_files.has_portrait(table, request, who)  # refuses strangers before anything is downloaded
    async with uploaded_picture(interaction, press) as content:
        if not content:
            raise UserError("You haven't chosen a picture.", f"Upload a {KINDS} file.")
        await character_files.save_portrait(table, request, who, content)


# --- forms ---------------------------------------------------------------------------------------


def favorite_form(id_: str, label: str) -> Form:
    """The form that asks for a favorite's name; its submission has the id *id_*."""
    value = plain(label, LONGEST_NAME)
    return Form(
        id=id_,
        title="Keep as favorite",
        fields=(Field(key="name", label="Name", value=value, longest=LONGEST_NAME),),
    )


def value_form(found: TypedValues, id_: str) -> Form:
    """The form in which a GM types a number of a character; its submission has the id *id_*."""
    choices = tuple(Choice(one.key, plain(one.label, 100)) for one in found.values)
    return Form(
        id=id_,
        title=plain(f"{found.name}: award or set", 45),
        fields=(
            MenuField(key="what", label="What", choices=choices),
            Field(key="number", label="Amount or new value", longest=7),
        ),
    )


def field_form(name: str, id_: str) -> Form:
    """The form in which a GM types a field of a character's sheet; its submission has the id *id_*."""
    return Form(
        id=id_,
        title=plain(f"{name}: set a field", 45),
        fields=(
            Field(key="field", label="Field", note="Its name as the sheet has it", longest=100),
            Field(key="text", label="New value", longest=500, is_required=False),
            Field(key="reason", label="Why", longest=200, is_required=False),
        ),
    )


FavoriteName = app_commands.Range[str, 1, 40]


complete_favorite = completed_by(favorites.names)


class FavoriteCommand(commands.Cog):
    """The command of favorites."""

    @app_commands.command(name="favorite", description="Do a favorite, or save what you did last as one")
    @app_commands.describe(
        use="Do this favorite",
        save="Save what you did last, with its options, under this name",
        remove="Remove this favorite",
    )
    @app_commands.autocomplete(use=complete_favorite, remove=complete_favorite)
    async def favorite(
        self,
        interaction: Interaction,
        use: FavoriteName | None = None,
        save: FavoriteName | None = None,
        remove: FavoriteName | None = None,
    ) -> None:
        """Do, save or remove a favorite; without a name, list them."""
        table, request = table_and_request(interaction)
        if sum(one is not None for one in (use, save, remove)) > 1:
            raise UserError("Choose one: use, save or remove.")
        if use is not None:
            await use_favorite(interaction, use)
        elif save is not None:
            await answer(interaction, saved_reply(await favorites.save_last(table, request, save)))
        elif remove is not None:
            await answer(interaction, removed_reply(await favorites.remove(table, request, remove)))
        else:
            await answer(interaction, favorites_reply(await favorites.own_favorites(table, request)))


async def use_favorite(interaction: Interaction, name: str) -> None:
    """Do a favorite of the person's character; where something is to be chosen, show its menu to them."""
    shown = await controls.open_favorite(*table_and_request(interaction), None, name)
    act, chosen = ready(shown, shown.now)
    if chosen is None:
        await answer(interaction, controls_reply(shown))
        return
    result = await take(interaction, act, Given(chosen or None))
    if result is not None:
        await tell(interaction, result)


# --- words ---------------------------------------------------------------------------------------


def favorites_reply(found: OwnFavorites) -> Reply:
    """A character's favorites, to its player alone."""
    lines = [f"**{escape(one.name)}** · {escape(one.what)}" for one in found.all]
    if not lines:
        lines = ["None yet. Press ☆ Keep on your sheet, or use /favorite after an act."]
    text = "\n".join([f"### {escape(found.who)} · favorites", *lines])
    return Reply(text=text, accent=Accent.BOARD, is_private=True)


def saved_reply(saved: Saved) -> Reply:
    """What was saved as a favorite."""
    name, what = escape(saved.favorite.name), escape(saved.favorite.what)
    replaced = "" if saved.is_new else " It replaces the one you had by that name."
    return Reply(
        text=f"Saved **{name}** for {escape(saved.who)}: {what}.{replaced}\n-# It is on your sheet now.",
        is_private=True,
    )


def removed_reply(removed: Saved) -> Reply:
    """What was removed from the favorites."""
    return Reply(
        text=f"Removed **{escape(removed.favorite.name)}** from {escape(removed.who)}'s favorites.",
        is_private=True,
    )


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the handler of the sheet's buttons to the bot."""
    bot.presses.add(SHEET, on_controls)
    await bot.add_cog(Sheet())
    await bot.add_cog(FavoriteCommand())
