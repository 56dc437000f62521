"""Pressing every button and menu of a release's messages, and what each press does."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from bot.playground.discord import Answer
from bot.playground.discord.message_limits import ComponentType
from bot.playground.discord.payloads import Payload, walk_components
from tests.databases import reading
from tests.e2e.people import Actor, Party
from tests.e2e.table import Table
from tests.releases.stored import Release, people_of

Key = tuple[int, str]
ACTS, ASKS, TELLS = "acts", "asks in a form", "tells"
LOOKS = ("details", "parts", "fair", "session", "counts", "fightgm")  # a press of these only tells
APART = ("undo", "draft")  # what these do is not undone

_NUMBER = """
SELECT count(*) FROM entries AS made JOIN entries AS one
ON one.server_id = made.server_id AND one.campaign_id = made.campaign_id AND one.id <= made.id
WHERE made.interaction = ? AND (one.rolls <> '[]' OR one.changes <> '[]') GROUP BY made.id
"""


@dataclass(frozen=True, order=True)
class Control:
    """A button or a menu as it was stored.

    Attributes:
        server: The name of its server.
        message: The id of its message.
        id: Its custom id.
        label: Its label or prompt.
    """

    server: str
    message: int
    id: str
    label: str

    @property
    def key(self) -> Key:
        """What identifies the control: its message and its id."""
        return self.message, self.id

    @property
    def kind(self) -> str:
        """The kind of press, with which the id begins."""
        return self.id.removeprefix("s:").split(":")[0]


@dataclass(frozen=True)
class Pressed:
    """A control and what its press did.

    Attributes:
        control: The control.
        by: Who pressed.
        does: Whether the press acts, opens a form, or only tells the person something.
        text: The answer.
    """

    control: Control
    by: str
    does: str
    text: str

    @property
    def stored(self) -> dict[str, Any]:
        """The data to store: without the answer, whose words may change."""
        return {**asdict(self.control), "by": self.by, "does": self.does}


def controls(release: Release) -> Iterator[tuple[Control, Payload, Payload]]:
    """Yield every control that could be pressed, with its message and component.

    Where several messages have the same controls, the first message begins with its first control, the second
    with its second and so on, because of some controls only one can be pressed.
    """
    names = {channel["id"]: one["name"] for one in release.discord["servers"] for channel in one["channels"]}
    seen: Counter[tuple[str, ...]] = Counter()
    for stored in release.discord["messages"]:
        found = [
            one
            for one in walk_components(stored["payload"]["components"])
            if one.get("custom_id") and not one.get("disabled")
        ]
        alike = tuple(_label(one) for one in found)
        first, server = seen[alike] % len(found) if found else 0, names[stored["channel"]]
        for one in (*found[first:], *found[:first]):
            yield Control(server, int(stored["payload"]["id"]), one["custom_id"], _label(one)), stored, one
        seen[alike] += 1


async def press_everything(
    release: Release, table: Table, by: Mapping[Key, str] | None = None
) -> AsyncIterator[Pressed]:
    """Press every control, and undo what it did before the next one.

    Args:
        release: The release.
        table: The table with the release's data.
        by: Who presses each control; None: everybody tries in turn until something happens.
    """
    for control, stored, component in controls(release):
        if control.kind in APART:
            continue
        party = people_of(table.discord, control.server)
        for hand in _hands(party, control, stored, by):
            answer = await press_as_stored(table, hand, stored, component)
            made = entry_of(table.database, answer)
            does = ASKS if answer.modal else TELLS if made is None else ACTS
            if does != TELLS:
                break
        yield Pressed(control, hand.member.name, does, answer.failed or answer.text)
        if made is not None:
            await undo_entry(party.gwen, made)


def _hands(party: Party, control: Control, stored: Payload, by: Mapping[Key, str] | None) -> list[Actor]:
    """Return who presses: who did before, who alone sees it, the GM if it only tells, else everybody."""
    there = [Actor(member, party.transcript) for member in party.server.members]
    if by is not None:
        return [one for one in there if one.member.name == by[control.key]]
    alone = [one for one in there if one.member.id == stored["visible_to"]]
    return alone or ([party.gwen] if control.kind in LOOKS else list(party.everybody))


async def undo_entry(gwen: Actor, entry: int) -> None:
    """Undo an entry, which may be an undo itself; a roll that changed nothing cannot be undone."""
    answer = await gwen.types(f"/gm undo entry:{entry}")
    told = ("undoes", "redoes", "Rolls can't be undone")
    assert any(one in answer.text for one in told), gwen.transcript.end


async def press_as_stored(table: Table, hand: Actor, stored: Payload, component: Payload) -> Answer:
    """Press a control of its message as stored, even if the message looks different by now."""
    channel = table.discord.channel(stored["channel"])
    assert channel is not None
    table.discord.messages.put_back(channel, stored["payload"], visible_to=stored["visible_to"])
    message, name = stored["payload"], component["custom_id"]
    if component["type"] == ComponentType.BUTTON:
        return await hand.member.press(message, name)
    return await hand.member.select(message, name, component["options"][0]["value"])


def entry_of(database: str, answer: Answer) -> int | None:
    """Return the number in its campaign's log of the journal entry that a press made, or None."""
    with reading(database) as query:
        found = query(_NUMBER, str(answer.interaction.id))
    return int(found[0][0]) if found else None


def _label(component: Payload) -> str:
    return str(component.get("label") or component.get("placeholder") or "")
