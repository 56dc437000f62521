"""People who use the bot; a failing test prints what they did and what they were answered.

await gwen.types("/campaign create ruleset:Post-magic-maid name:The Manor", hears="The Manor")
await alice.presses("Next", hears="2 of 6")
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from bot.playground.discord import (
    EVERYONE,
    Answer,
    Channel,
    LocalDiscord,
    Member,
    Permission,
    Server,
    button_labels,
    read,
)
from bot.playground.discord.commands import BOOLEAN, CHANNEL, INTEGER, NUMBER, ROLE, USER
from bot.playground.discord.payloads import Payload, walk_components
from tests.databases import Row, columns_of, is_postgres, reading

LAST_LINES = 40
PAGES = ("More …", "More", "GM …")  # the buttons that show a message's others
MOST_OPENED = 3  # messages, the newest first, behind whose buttons a control is looked for
WRITE_IT = "Write it"
SOON = 0.3  # seconds after which a control is looked for behind the buttons, which harms nothing


@dataclass
class Transcript:
    """What people did and what they were answered, in order."""

    lines: list[str] = field(default_factory=list)

    def note(self, line: str) -> None:
        """Add a line."""
        self.lines.append(line)

    @property
    def end(self) -> str:
        """The last lines, for the message of a failed test."""
        return "\n".join(["", *self.lines[-LAST_LINES:]])


class Actor:
    """One person at the table.

    Attributes:
        member: The person in the local Discord.
        answer: The last answer they got.
    """

    def __init__(self, member: Member, transcript: Transcript) -> None:
        self.member = member
        self.transcript = transcript
        self.answer: Answer | None = None

    async def types(
        self, line: str, *, hears: str | Sequence[str] = (), where: Channel | None = None, **picked: object
    ) -> Answer:
        """Type a command, such as ``/roll expression:2d6 label:a door``.

        Args:
            line: The command; an option begins with its name and a colon.
            hears: Texts that the answer must contain.
            where: The channel; None: the first.
            **picked: Options that cannot be typed, such as files.
        """
        self.transcript.note(f"{self.member.name}: {line}")
        command, options = await read_line(line, self.member)
        answer = await self.member.send_command(command, {**options, **picked}, channel=where)
        return await self.heard(answer, hears)

    async def uses(
        self, name: str, *, on: Actor | Payload | Answer, hears: str | Sequence[str] = ()
    ) -> Answer:
        """Use a command from the context menu of a person or message."""
        whom = f"@{on.member.name}" if isinstance(on, Actor) else "a message"
        self.transcript.note(f"{self.member.name}: ({name}) on {whom}")
        target = on.member if isinstance(on, Actor) else on
        channel = self.answer.interaction.channel if self.answer else None
        return await self.heard(await self.member.use(name, target, channel=channel), hears)

    async def presses(self, label: str, *, hears: str | Sequence[str] = ()) -> Answer:
        """Press the newest visible button whose label begins with *label*; one behind "GM …" there."""
        await self._open_pages(label, button_labels)
        self.transcript.note(f"{self.member.name}: [{label}]")
        message, full = await self._find(label, button_labels)
        return await self.heard(await self.member.press(message, full), hears)

    async def chooses(self, menu: str, *choices: str, hears: str | Sequence[str] = ()) -> Answer:
        """Choose in the newest visible menu whose prompt begins with *menu*; see `presses`."""
        await self._open_pages(menu, lambda one: list(_prompts(one)))
        self.transcript.note(f"{self.member.name}: <{menu}> {', '.join(choices)}")
        message, full = await self._find(menu, lambda one: list(_prompts(one)))
        return await self.heard(await self.member.select(message, full, *choices), hears)

    async def writes(self, text: str | Mapping[str, object], *, hears: str | Sequence[str] = ()) -> Answer:
        """Fill the form that has just opened: its only field, or each by its label.

        Where an answer was too slow for a form, a button opens it. What is chosen in a menu is given by
        label, several as a list; a file as an `Upload`.
        """
        answer, form = await self.opened_form()
        fields = {_fields(form)[0]: text} if isinstance(text, str) else dict(text)
        self.transcript.note(f"{self.member.name}: {fields}")
        hands = self.member.discord.hands
        return await self.heard(await hands.submit(self.member, answer, fields, unchecked=False), hears)

    async def opened_form(self) -> tuple[Answer, Payload]:
        """Return the answer that has opened a form, and the form."""
        assert self.answer is not None
        answer = self.answer
        with contextlib.suppress(TimeoutError):  # reported below
            await self.member.discord.until(lambda: answer.failed or answer.modal or WRITE_IT in answer.text)
        if answer.modal is None and WRITE_IT in answer.text:
            answer = await self.presses(WRITE_IT)
        assert answer.modal is not None, f"no form is open{self.transcript.end}"
        return answer, answer.modal

    async def is_offered(self, line: str, option: str, text: str = "") -> list[str]:
        """Return the completions of an option; *line* may have the options typed so far."""
        command, options = await read_line(line, self.member)
        hands = self.member.discord.hands
        choices = await hands.autocomplete(self.member, command, option, text, options, None)
        return [choice["name"] for choice in choices]

    async def sees(self, fragment: str, where: Channel | None = None) -> Payload:
        """Wait for a visible message that contains *fragment*; return the newest."""

        def found() -> Iterator[Payload]:
            return (one for one in reversed(self.member.sees(where)) if fragment in read(one))

        with contextlib.suppress(TimeoutError):  # reported below
            await self.member.discord.until(lambda: any(True for _ in found()))
        for message in found():
            return message
        raise AssertionError(f"{self.member.name} sees nothing of {fragment!r}{self.transcript.end}")

    async def _open_pages(self, name: str, names: Callable[[Payload], list[str]]) -> None:
        """Open the private pages of the newest message that has any, for a control that nobody sees."""
        channel = self.answer.interaction.channel if self.answer else None

        def seen() -> list[Payload]:
            return list(reversed(self.member.sees(channel)))

        def is_seen() -> bool:
            return any(full.startswith(name) for message in seen() for full in names(message))

        def has_pages() -> bool:
            return any(set(PAGES) & set(button_labels(one)) for one in seen())

        with contextlib.suppress(TimeoutError):  # reported by whoever looks for it
            await self.member.discord.until(lambda: is_seen() or has_pages())
        with contextlib.suppress(TimeoutError):  # looked for behind the buttons
            await self.member.discord.until(is_seen, SOON)
        for page in PAGES:
            if page == "GM …" and Permission.MANAGE_SERVER not in self.member.permissions:
                continue
            opened: set[str] = set()
            while not is_seen() and len(opened) < MOST_OPENED:
                # Looked for anew each time: a board moves down while a page opens.
                with_page = (one for one in seen() if page in button_labels(one) and one["id"] not in opened)
                message = next(with_page, None)
                if message is None:
                    break
                opened.add(message["id"])
                self.transcript.note(f"{self.member.name}: [{page}]")
                await self.member.press(message, page)

    async def _find(self, name: str, names: Callable[[Payload], list[str]]) -> tuple[Payload, str]:
        """Wait for a control whose name begins with *name*; return its newest message and full name."""
        channel = self.answer.interaction.channel if self.answer else None

        def found() -> Iterator[tuple[Payload, str]]:
            for message in reversed(self.member.sees(channel)):
                yield from ((message, full) for full in names(message) if full.startswith(name))

        with contextlib.suppress(TimeoutError):  # reported below
            await self.member.discord.until(lambda: any(True for _ in found()))
        for one in found():
            return one
        raise AssertionError(f"{self.member.name} sees no {name!r}{self.transcript.end}")

    async def heard(self, answer: Answer, hears: str | Sequence[str]) -> Answer:
        """Wait until an answer says what it must, and note it."""
        self.answer = answer
        wanted = [hears] if isinstance(hears, str) else list(hears)
        with contextlib.suppress(TimeoutError):  # reported below
            await self.member.discord.until(
                lambda: answer.failed or all(one in _said(answer) for one in wanted)
            )
        said = _said(answer)
        whisper = "  (only to them) " if answer.ephemeral else "  "
        self.transcript.note(whisper + said.replace("\n", "\n  "))
        assert answer.failed is None, f"not answered{self.transcript.end}"
        for fragment in wanted:
            assert fragment in said, f"not heard: {fragment!r}{self.transcript.end}"
        return answer


@dataclass(frozen=True)
class Party:
    """A GM and two players in a server of their own."""

    server: Server
    gwen: Actor
    alice: Actor
    bob: Actor
    transcript: Transcript

    @property
    def everybody(self) -> tuple[Actor, Actor, Actor]:
        """The GM and both players."""
        return self.gwen, self.alice, self.bob


def gather(discord: LocalDiscord, name: str = "The Manor") -> Party:
    """Make a server with a GM (who has Manage Server) and two players."""
    server, transcript = discord.add_server(name), Transcript()
    gwen = server.add_member("Gwen", EVERYONE | Permission.MANAGE_SERVER)
    return Party(
        server,
        Actor(gwen, transcript),
        Actor(server.add_member("Alice"), transcript),
        Actor(server.add_member("Bob"), transcript),
        transcript,
    )


async def read_line(line: str, member: Member) -> tuple[str, dict[str, object]]:
    """Split a typed line into the command's words and its options, once the command is there."""
    pieces = re.split(r"(?:^| )([a-z_]+):", line.removeprefix("/"))
    command, names, texts = pieces[0].strip(), pieces[1::2], pieces[2::2]
    typed = await member.discord.offered(command, member.server)
    return command, {
        name: _meant(typed.option(name), text.strip(), member)
        for name, text in zip(names, texts, strict=True)
    }


def _meant(option: Payload, text: str, member: Member) -> object:
    """Read a typed value as its option does: a number, a boolean, a person, role or channel."""
    if option.get("choices"):
        return text
    match option["type"]:
        case kind if kind == INTEGER:
            return int(text)
        case kind if kind == NUMBER:
            return float(text)
        case kind if kind == BOOLEAN:
            return text == "True"
        case kind if kind == USER:
            return _named(member.server.members, text.removeprefix("@"))
        case kind if kind == ROLE:
            return _named(member.server.roles, text.removeprefix("@"))
        case kind if kind == CHANNEL:
            return _named(member.server.channels, text.removeprefix("#"))
    return text


def _named(things: Sequence[Member] | Sequence[Channel] | Sequence[object], name: str) -> object:
    return next(thing for thing in things if getattr(thing, "name", None) == name)


def _said(answer: Answer) -> str:
    """Everything an answer says so far, with what stands in for its pictures."""
    form = f"(form) {answer.modal['title']}" if answer.modal else ""
    alts = [alt for message in (answer.message, *answer.followups) for alt in alt_texts(message)]
    return answer.failed or "\n".join(filter(None, [answer.text, *alts])) or form


def alt_texts(message: Payload | None) -> list[str]:
    """The texts of a message's pictures."""
    parts = walk_components((message or {}).get("components"))
    return [
        item["description"] for part in parts for item in part.get("items", ()) if item.get("description")
    ]


def _prompts(message: Payload) -> Iterator[str]:
    """The prompts of a message's select menus."""
    for component in walk_components(message.get("components")):
        if component.get("placeholder"):
            yield component["placeholder"]


def _fields(modal: Payload) -> list[str]:
    """The ids of a form's fields."""
    return [
        component["custom_id"]
        for component in walk_components(modal["components"])
        if component.get("custom_id")
    ]


LATER = ("boards", "messages", "server_commands")
VERSION = "version"  # of a server, which changes with those too

_FAULTS_OF_POSTGRES = """
SELECT conname FROM pg_constraint WHERE NOT convalidated
UNION ALL SELECT CAST(CAST(indexrelid AS regclass) AS text) FROM pg_index WHERE NOT indisvalid
"""


def everything_of(database: str, server: int) -> dict[str, list[Row]]:
    """Return every row of a server, except what is written after the answer."""
    with reading(database) as query:
        return {
            table: sorted(query(rows, server), key=repr) for table, rows in _rows_of_servers(database).items()
        }


@cache
def _rows_of_servers(database: str) -> dict[str, str]:
    """The query for a server's rows in each table; a bot has all its tables before it answers."""
    return {
        table: _rows_of(table, columns)
        for table, columns in columns_of(database).items()
        if table not in LATER and "server_id" in columns
    }


def _rows_of(table: str, columns: list[str]) -> str:
    kept = (column for column in columns if column != VERSION)
    return f"SELECT {', '.join(kept)} FROM {table} WHERE server_id = ?"


def is_registering_noted(database: str) -> bool:
    """Whether the bot has stored which commands it registered."""
    with reading(database) as query:
        return bool(query("SELECT 1 FROM meta WHERE key LIKE 'commands:%'"))


def journalled(database: str) -> set[str]:
    """Return the ids of all interactions in the journal."""
    with reading(database) as query:
        return {str(one) for (one,) in query("SELECT interaction FROM entries")}


def is_whole(database: str) -> bool:
    """Whether the engine finds no fault in the database, and no broken reference."""
    with reading(database) as query:
        if is_postgres(database):
            return query(_FAULTS_OF_POSTGRES) == []
        return query("PRAGMA integrity_check") == [("ok",)] and query("PRAGMA foreign_key_check") == []
