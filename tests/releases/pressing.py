"""Pressing everything that stood under the messages of a release, and what each press comes to."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bot.playground.discord import Answer
from bot.playground.discord.component_limits import ComponentType
from bot.playground.discord.payloads import Payload, walk_components
from tests.e2e.people import Actor, Party
from tests.e2e.table import Table
from tests.releases.kept import Release, people_of

Key = tuple[int, str]
ACTS, ASKS, TELLS = "acts", "asks in a form", "tells"
LOOKS = ("details", "parts", "fair", "session", "counts", "fightgm")  # a press of these only tells
APART = ("undo", "draft")  # what these do is not taken back


@dataclass(frozen=True, order=True)
class Control:
    """A button or a menu as it stood.

    Attributes:
        server: In which server.
        message: Under which message.
        id: Its id.
        label: What was on it.
    """

    server: str
    message: int
    id: str
    label: str

    @property
    def key(self) -> Key:
        """What tells it from every other one."""
        return self.message, self.id

    @property
    def kind(self) -> str:
        """What the id begins with."""
        return self.id.removeprefix("s:").split(":")[0]


@dataclass(frozen=True)
class Pressed:
    """A control and what its press came to.

    Attributes:
        control: The control.
        by: Who pressed.
        does: Whether that acts, asks in a form, or tells the person something.
        text: What was answered.
    """

    control: Control
    by: str
    does: str
    text: str

    @property
    def kept(self) -> dict[str, Any]:
        """As it is kept: without the words, which may change."""
        return {**asdict(self.control), "by": self.by, "does": self.does}


def controls(release: Release) -> Iterator[tuple[Control, Payload, Payload]]:
    """Every control that could be pressed, with its message and itself.

    Where several messages have the same controls, the first comes first under the first, the second under the
    second, for of some only one can be pressed.
    """
    names = {channel["id"]: one["name"] for one in release.discord["servers"] for channel in one["channels"]}
    seen: Counter[tuple[str, ...]] = Counter()
    for kept in release.discord["messages"]:
        found = [
            one
            for one in walk_components(kept["payload"]["components"])
            if one.get("custom_id") and not one.get("disabled")
        ]
        alike = tuple(_label(one) for one in found)
        first, server = seen[alike] % len(found) if found else 0, names[kept["channel"]]
        for one in (*found[first:], *found[:first]):
            yield Control(server, int(kept["payload"]["id"]), one["custom_id"], _label(one)), kept, one
        seen[alike] += 1


async def press_everything(
    release: Release, table: Table, by: Mapping[Key, str] | None = None
) -> AsyncIterator[Pressed]:
    """Press every control, and have what it did taken back before the next one.

    Args:
        release: The release.
        table: Where it was put.
        by: Who presses; without it, everybody tries in turn until something happens.
    """
    for control, kept, component in controls(release):
        if control.kind in APART:
            continue
        party = people_of(table.discord, control.server)
        for hand in _hands(party, control, kept, by):
            answer = await press_as_it_stood(table, hand, kept, component)
            made = entry_of(table.database, answer)
            does = ASKS if answer.modal else TELLS if made is None else ACTS
            if does != TELLS:
                break
        yield Pressed(control, hand.member.name, does, answer.failed or answer.text)
        if made is not None:
            await taken_back(party.gwen, made)


def _hands(party: Party, control: Control, kept: Payload, by: Mapping[Key, str] | None) -> list[Actor]:
    """Who presses a control: who did, who alone sees it, the GM where it only tells, else everybody."""
    there = [Actor(member, party.transcript) for member in party.server.members]
    if by is not None:
        return [one for one in there if one.member.name == by[control.key]]
    alone = [one for one in there if one.member.id == kept["visible_to"]]
    return alone or ([party.gwen] if control.kind in LOOKS else list(party.everybody))


async def taken_back(gwen: Actor, entry: int) -> None:
    """Have an entry taken back; a roll that changed nothing stays rolled."""
    answer = await gwen.types(f"/gm undo entry:{entry}")
    assert "undoes" in answer.text or "Rolls can't be undone" in answer.text, gwen.transcript.end


async def press_as_it_stood(table: Table, hand: Actor, kept: Payload, component: Payload) -> Answer:
    """Press a control under its message as that was kept, also where that looks different meanwhile."""
    channel = table.discord.channel(kept["channel"])
    assert channel is not None
    table.discord.messages.put_back(channel, kept["payload"], visible_to=kept["visible_to"])
    message, name = kept["payload"], component["custom_id"]
    if component["type"] == ComponentType.BUTTON:
        return await hand.member.press(message, name)
    return await hand.member.select(message, name, component["options"][0]["value"])


def entry_of(database: Path, answer: Answer) -> int | None:
    """The number of the journal entry that a press made, if it made one."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        query = "SELECT id FROM entries WHERE interaction = ?"
        found = connection.execute(query, (str(answer.interaction.id),)).fetchone()
    return None if found is None else int(found[0])


def _label(component: Payload) -> str:
    return str(component.get("label") or component.get("placeholder") or "")
