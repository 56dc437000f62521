"""Persistent buttons, select menus and forms.

Their ids say what they do (``kind:1:arguments``) and the store knows the rest, so that they work after a
restart. None of them is a view, a modal or a dynamic item of discord.py's: those make an object of every
control in the pressed message to hand one over. Everything a press does runs inside `answer_failures`.

Where something is to be written first, that is found out before anything else is done or waited for, and
the form is the first answer: Discord opens none behind another.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import discord
from msgspec import Struct

from bot.rules.kernel import FollowUp, TextField
from bot.rules.kernel.errors import UserError
from bot.table.base.pictures import KINDS, LARGEST_FILE, too_large
from bot.table.play.play import FormWanted, Given
from bot.ui.input.answer import ask_form, promise_change
from bot.ui.input.discord_format import OF_MENUS
from bot.ui.input.failures import answer_failures
from bot.ui.text.reply import Field, FileField, Form, MenuField
from bot.ui.text.text import plain

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


LONGEST_LINE, MOST_FIELDS = 100, 5


def form_of(id_: str, follow_up: FollowUp) -> Form:
    """The form of a follow-up; its submission has the id *id_*."""
    fields = tuple(_field(one) for one in follow_up.blanks[:MOST_FIELDS])
    return Form(id=id_, title=plain(follow_up.label, 45), fields=fields)


def _field(blank: TextField) -> Field | MenuField:
    if blank.choices:
        most = min(blank.most, len(blank.choices))
        least = int(blank.is_required)
        return MenuField(key=blank.key, label=blank.prompt, choices=blank.choices, least=least, most=most)
    return Field(
        key=blank.key,
        label=blank.prompt,
        longest=blank.longest,
        is_required=blank.is_required,
        is_long=blank.longest > LONGEST_LINE,
    )


OtherT = TypeVar("OtherT", int, None)

VERSION = 1
LARGEST_NUMBER = 2**63 - 1  # what a column of the store holds
LONGEST_ID = 98  # Discord takes 100; a select menu's begins with two more
UNKNOWN: tuple[str, int, tuple[str, ...]] = ("", 0, ())  # what an id says that is none of ours
_RANDOM_END = r"~[0-9a-f]{1,8}\Z"  # what makes every opened form another one; see `ask_form`
_ID = r"(?P<kind>[a-z]+):(?P<version>[0-9]{1,9}):(?P<arguments>.*)"


class OutOfDate(UserError):
    """A button, menu or form that no current handler knows."""

    def __init__(self) -> None:
        super().__init__(
            "This button is from an older version of the bot.", try_this="Use the command again."
        )


def number_of(written: str) -> int:
    """A number as it stands in an id or in a menu's choice.

    Raises:
        OutOfDate: If it is none.
    """
    number = int(written) if written.isascii() and written.isdecimal() else LARGEST_NUMBER + 1
    if number > LARGEST_NUMBER:
        raise OutOfDate
    return number


class Press(Struct, frozen=True):
    """A press of a button, a choice in a menu or a submitted form."""

    kind: str  # what it does
    arguments: tuple[str, ...]  # the rest of its id
    values: tuple[str, ...] = ()  # what was chosen in a select menu
    fields: Mapping[str, str] = {}  # what was written into a form, by key
    # What was chosen in a form's menus, by key; nothing chosen is an empty tuple.
    choices: Mapping[str, tuple[str, ...]] = {}
    # What was uploaded in a form, by key.
    files: Mapping[str, tuple[discord.Attachment, ...]] = {}

    def argument(self, position: int) -> str:
        """An argument of the id.

        Raises:
            OutOfDate: If it is missing.
        """
        if position >= len(self.arguments):
            raise OutOfDate
        return self.arguments[position]

    def number(self, position: int = 0) -> int:
        """An argument that is a number.

        Raises:
            OutOfDate: If it is none.
        """
        return number_of(self.argument(position))

    def chosen(self) -> str:
        """What was chosen in the menu.

        Raises:
            OutOfDate: If nothing was: this was no menu.
        """
        if not self.values:
            raise OutOfDate
        return self.values[0]

    def choice(self, key: str) -> str:
        """What was chosen in a menu of a form; nothing if that was left empty."""
        return next(iter(self.choices.get(key, ())), "")

    def number_or(self, position: int, otherwise: OtherT) -> int | OtherT:
        """An argument that is a number, or something else where buttons lack it."""
        return self.number(position) if position < len(self.arguments) else otherwise


Interaction: TypeAlias = "discord.Interaction[Tablekeeper]"
Handler: TypeAlias = "Callable[[Interaction, Press], Awaitable[None]]"


def press_id(kind: str, *arguments: object) -> str:
    """The id of a button, select menu or form.

    Raises:
        ValueError: If it is longer than Discord takes: a fault of ours.
    """
    made = f"{kind}:{VERSION}:{':'.join(map(str, arguments))}"
    if len(made) > LONGEST_ID:
        raise ValueError(f"the id {made!r} is too long")
    return made


def given_by(press: Press) -> Given:
    """The options given with a press: the menu's choice, and the form's fields and menus."""
    return Given(press.values[0] if press.values else None, {**press.fields, **press.choices})


class Presses:
    """The handler of each kind of press; each cog adds its own."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}

    def add(self, kind: str, handler: Handler) -> None:
        """Register the handler of a kind of press. A second handler for one kind is a bug."""
        if kind in self._handlers:
            raise ValueError(f"presses of kind {kind!r} are handled already")
        self._handlers[kind] = handler

    async def handle(self, interaction: Interaction, press: Press, version: int) -> None:
        """Run the handler of a press, or answer why it can't run.

        Where something is to be written first, open the form; what is sent comes back to the same handler.
        """
        async with answer_failures(interaction):
            handler = self._handlers.get(press.kind)
            if handler is None or version != VERSION:
                raise OutOfDate
            try:
                await handler(interaction, press)
            except FormWanted as wanted:
                form = form_of(press_id(press.kind, *press.arguments), wanted.follow_up)
                await ask_form(interaction, form)
        await interaction.client.missed.tell(interaction)


def _read(custom_id: str) -> tuple[str, int, tuple[str, ...]] | None:
    found = re.fullmatch(_ID, custom_id)
    if found is None:
        return None
    return found["kind"], int(found["version"]), tuple(found["arguments"].split(":"))


def read_press(custom_id: str) -> Press | None:
    """The press of a button with this id, or None if no handler of today's can know it."""
    kind, version, arguments = _read(custom_id) or UNKNOWN
    return Press(kind, arguments) if version == VERSION else None


async def handle_press(presses: Presses, interaction: Interaction) -> None:
    """Handle a pressed button, a choice in a menu or a submitted form."""
    sent: Any = interaction.data or {}
    custom_id: str = sent.get("custom_id", "")
    if interaction.type is discord.InteractionType.modal_submit:
        kind, version, arguments = _read(re.sub(_RANDOM_END, "", custom_id)) or UNKNOWN
        press = Press(kind, arguments, (), *_filled(interaction, sent))
    elif sent.get("component_type") == discord.ComponentType.button.value:
        kind, version, arguments = _read(custom_id) or UNKNOWN
        press = Press(kind, arguments)
    else:
        kind, version, arguments = _read(custom_id.removeprefix(OF_MENUS)) or UNKNOWN
        press = Press(kind, arguments, tuple(sent.get("values", ())))
    await presses.handle(interaction, press, version)


def _filled(
    interaction: Interaction, sent: Mapping[str, Any]
) -> tuple[dict[str, str], dict[str, tuple[str, ...]], dict[str, tuple[discord.Attachment, ...]]]:
    """The texts, choices and files of a form, each by key."""
    fields: dict[str, str] = {}
    choices: dict[str, tuple[str, ...]] = {}
    files: dict[str, tuple[discord.Attachment, ...]] = {}
    uploaded = sent.get("resolved", {}).get("attachments", {})
    for row in sent.get("components", ()):
        for item in (*row.get("components", ()), *([row["component"]] if "component" in row else [])):
            key = item.get("custom_id", "")
            match item["type"]:
                case discord.ComponentType.text_input.value:
                    fields[key] = item["value"]
                case discord.ComponentType.radio_group.value:
                    choices[key] = () if item.get("value") is None else (item["value"],)
                case discord.ComponentType.file_upload.value:
                    files[key] = tuple(
                        discord.Attachment(data=uploaded[id_], state=interaction._state)
                        for id_ in item["values"]
                    )
                case _ if "values" in item:
                    choices[key] = tuple(item["values"])
    return fields, choices, files


PICTURE = "picture"


def picture_field(*, least: int = 0) -> FileField:
    """The field of a form in which a picture is uploaded."""
    note = f"{KINDS}, up to {LARGEST_FILE // 1024 // 1024} MiB; it is made smaller"
    return FileField(key=PICTURE, label="Picture", note=note, least=least)


@asynccontextmanager
async def uploaded_picture(interaction: Interaction, press: Press) -> AsyncIterator[bytes]:
    """Download the picture that came with a form, to be used inside; nothing if none did.

    A person's next picture is refused until this one is saved.

    Raises:
        UserError: If it is too large, or Discord doesn't give it away.
    """
    uploaded = press.files.get(PICTURE, ())
    if not uploaded:
        yield b""
        return
    if uploaded[0].size > LARGEST_FILE:
        raise too_large(uploaded[0].size)
    await promise_change(interaction)
    async with interaction.client.table.pictures.upload_of(interaction.user.id):
        yield await _downloaded(uploaded[0])


async def _downloaded(uploaded: discord.Attachment) -> bytes:
    try:
        return await uploaded.read()
    except discord.HTTPException:
        raise UserError("I couldn't download your picture.", try_this="Upload it again.") from None
