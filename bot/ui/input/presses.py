"""From Discord to a request: who asks, where, and what they press, choose or write."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import discord
from discord import app_commands
from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import FollowUp, TextField
from bot.rules.kernel.errors import UserError
from bot.table.base.access import Request, ServerId
from bot.table.base.pictures import KINDS, LARGEST_FILE, too_large
from bot.table.base.table import Table
from bot.table.play.play import FormWanted, Given
from bot.ui.input.answer import answer_failures, ask_form, promise_change
from bot.ui.input.discord_format import OF_MENUS
from bot.ui.text.reply import Field, FileField, Form, MenuField
from bot.ui.text.roll_text import plain

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


NAMES = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "attach_files": "Attach Files",
}


def missing(held: discord.Permissions, *, in_thread: bool = False) -> tuple[str, ...]:
    """The permissions that the bot lacks to post in a channel, as Discord calls them.

    Args:
        held: What it has there.
    """
    return _missing(held.value, in_thread=in_thread)


@lru_cache(maxsize=256)
def _missing(held: int, *, in_thread: bool) -> tuple[str, ...]:
    other = "send_messages" if in_thread else "send_messages_in_threads"
    has = discord.Permissions(held)
    return tuple([words for name, words in NAMES.items() if name != other and not getattr(has, name)])


def request_of(interaction: "discord.Interaction[Any]") -> Request:
    """Build the request for an interaction.

    Raises:
        UserError: If it does not come from a server.
    """
    member = interaction.user
    if interaction.guild_id is None or not isinstance(member, discord.Member):
        raise UserError(
            "I only work in servers, not in direct messages.", try_this="Use me in a channel of a server."
        )
    permissions = interaction.permissions
    owner = interaction.guild.owner_id if interaction.guild else None
    return Request(
        server=ServerId(interaction.guild_id),
        places=_places(interaction),
        person=member.id,
        person_name=member.display_name,
        roles=frozenset(role.id for role in member.roles),
        manages_server=permissions.manage_guild or permissions.administrator or owner == member.id,
        interaction=str(interaction.id),
        lacks=missing(interaction.app_permissions, in_thread=isinstance(interaction.channel, discord.Thread)),
        message=_pressed(interaction),
    )


def table_and_request(interaction: Interaction) -> tuple[Table, Request]:
    """The table, and what a person asks of it here."""
    return interaction.client.table, request_of(interaction)


def request_in(interaction: "discord.Interaction[Any]", channel: int) -> Request:
    """Build the request for an interaction as if it came from another channel; 0 for its own.

    Raises:
        UserError: If there is no such channel (any more).
    """
    request, server = request_of(interaction), interaction.guild
    if channel in {0, request.channel}:
        return request
    there = None if server is None else server.get_channel_or_thread(channel)
    if server is None or there is None:
        raise UserError("That channel is gone.", try_this="Open the desk again with /gm desk.")
    in_thread = isinstance(there, discord.Thread)
    parent = there.parent if isinstance(there, discord.Thread) else there
    found = (there.id, parent.id if in_thread and parent else None, getattr(parent, "category_id", None))
    return replace(
        request,
        places=tuple(place for place in found if place is not None),
        lacks=missing(there.permissions_for(server.me), in_thread=in_thread),
        message=None,
    )


def _pressed(interaction: "discord.Interaction[Any]") -> int | None:
    """The message whose button was pressed, unless one person alone sees it."""
    message = interaction.message
    return None if message is None or message.flags.ephemeral else message.id


def _places(interaction: "discord.Interaction[Any]") -> tuple[int, ...]:
    """Thread, channel and category, nearest first."""
    channel = interaction.channel
    around = channel.parent if isinstance(channel, discord.Thread) else channel
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    found = (interaction.channel_id, parent, getattr(around, "category_id", None))
    return tuple(place for place in found if place is not None)


Kind = discord.ChannelType
ROOMS = (Kind.text, Kind.voice, Kind.category, Kind.news, Kind.stage_voice, Kind.forum)
THREADS = (Kind.news_thread, Kind.public_thread, Kind.private_thread)


class _Channel(app_commands.Transformer):
    """A channel transformer that does not need the cache."""

    kinds: tuple[discord.ChannelType, ...]

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A channel option."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> "list[discord.ChannelType]":
        """The kinds offered."""
        return list(self.kinds)

    async def transform(self, _interaction: "discord.Interaction[Any]", value: Any, /) -> Any:
        """Return the value unchanged."""
        return value


class _AnyPlace(_Channel):
    """Any channel to play in: all kinds but media channels, which Discord's API description omits."""

    kinds = (*ROOMS, *THREADS)


class _VoiceRoom(_Channel):
    """A voice channel."""

    kinds = (Kind.voice, Kind.stage_voice)


AnyChannel = app_commands.AppCommandChannel | app_commands.AppCommandThread
Place = app_commands.Transform[AnyChannel, _AnyPlace]
Voice = app_commands.Transform[app_commands.AppCommandChannel, _VoiceRoom]
