"""The Table page of the GM's desk on a phone: F-ALL-14."""

from dataclasses import replace

import pytest

from bot.playground.discord.payloads import walk_components
from bot.rules.kernel import CharacterId, Choice, FighterLine
from bot.rules.shared.countdowns import Kind, Status, Visibility
from bot.store.records import CampaignId, EntryId
from bot.table.gm.awaited import AwaitedAnswer
from bot.table.gm.desk import Desk, LatestAct, PartyMember
from bot.table.play.countdowns import CountdownView
from bot.ui.input.discord_format import message_body
from bot.ui.live.desk_message import desk_reply
from bot.ui.text.reply import Button, ButtonBeside, Reply, Select
from bot.ui.text.text import PAGE_LINES, height
from cogs.gm.desk_words import LAST, in_new_order, more_reply

NOON = 1_800_000_000
NAMES = ("Ilsa Roan of the Seven Lakes", "Gorm Halvard", "Sable Thornwick", "Juno Marsh", "Ondra", "Kit")


def member(number: int, name: str) -> PartyMember:
    return PartyMember(
        id=number,
        name=name,
        owner=number,
        watched=("Lucky Breaks 2",),
        counts=("Health 3/5", "Stamina 12/20", "Coin 1,250"),
        states=("bleeding out", "prone", "frightened of the dark"),
    )


def wait(number: int) -> AwaitedAnswer:
    return AwaitedAnswer(
        key=str(number),
        what=f"{NAMES[number % 6]}'s save against 9 damage in the burning mill",
        since=NOON,
        channel=50,
        people=() if number == 3 else (number + 1,),
        is_npcs=number == 3,
        can_settle=True,
        was_reminded=number == 1,
        is_hidden=number == 2,
    )


def countdown(number: int) -> CountdownView:
    return CountdownView(
        id=number,
        name=f"The bandits reach the village {number}",
        kind=Kind.SUCCESS,
        visibility=Visibility.GM,
        status=Status.RUNNING,
        value=2,
        difficulty=8,
        boxes="■■□□□□□□",
    )


def busy(waits: int = 4, people: int = 6, countdowns: int = 3) -> Desk:
    return Desk(
        campaign=CampaignId(1),
        name="The Long Road to the Seven Lakes and back again",
        session=None,
        moment="day 112, 14:30:10, in the middle of a long night",
        party=tuple(member(number, NAMES[number % 6]) for number in range(1, people + 1)),
        waits=tuple(map(wait, range(waits))),
        countdowns=tuple(map(countdown, range(countdowns))),
        acts=tuple(
            LatestAct(entry=EntryId(one), words="Gwen deals 9 damage to Ilsa Roan at once", is_secret=True)
            for one in range(10)
        ),
        watched=("Lucky Breaks",),
        watchable=("Lucky Breaks",),
        npcs=(Choice("9", "Orc", "NPC"),),
        hidden=(Choice("npc/8", "NPC: Spider"), Choice("countdown/3", "Countdown: Raven Plot")),
        can_rest=True,
    )


def told(reply: Reply) -> list[str]:
    """What the page says, without its buttons."""
    texts = [one.text if isinstance(one, ButtonBeside) else one for one in reply.blocks]
    return [one for one in texts if isinstance(one, str)]


def buttons(reply: Reply) -> list[Button]:
    rows = [row for row in reply.blocks if isinstance(row, tuple)]
    return [one for row in rows for one in row if isinstance(one, Button)]


def components(reply: Reply) -> int:
    body = message_body(reply)
    return len(list(walk_components(body["components"])))


def test_the_busiest_page_fits_a_phone_and_begins_with_whoever_is_awaited() -> None:
    reply = desk_reply(busy())

    head, waits, party, countdowns = told(reply)
    assert height(told(reply)) <= PAGE_LINES
    assert head.startswith("### Desk · The Long Road to the Seven Lakes…\n-# No session · day 112")
    assert waits.split("\n") == [
        "**Waiting for**",
        "Ilsa Roan of the Seven Lakes's save…",
        "Gorm Halvard's save against 9… · reminded",
        "Sable Thornwick's save against 9… · hidden",
        "Juno Marsh's save against 9 damage in the…",
    ]
    assert [line.split("**")[1] for line in party.split("\n")] == [
        "Gorm Halvard",
        "Sable Thornwick",
        "Juno Marsh",
        "Ondra",
        "Kit",
        "Ilsa Roan of the…",
    ]
    assert countdowns == "The bandits… 2 of 8 · The bandits… 2 of 8…"
    assert components(reply) <= 38


@pytest.mark.parametrize("waits", [0, 1, 2, 4, 9, 40])
@pytest.mark.parametrize("people", [0, 1, 3, 6, 12])
@pytest.mark.parametrize("countdowns", [0, 1, 3])
def test_no_page_is_longer_than_a_phone(waits: int, people: int, countdowns: int) -> None:
    reply = desk_reply(busy(waits, people, countdowns))

    assert height(told(reply)) <= PAGE_LINES
    assert components(reply) <= 38
    menus = {one.prompt: one for one in reply.blocks if isinstance(one, Select)}
    assert len(menus["Open a sheet …"].choices) == people + 1  # everybody, and the NPC
    if waits:
        assert len(menus["Decide …"].choices) == min(waits, 25)
    assert all(len(one.label) <= 14 for one in buttons(reply))


def test_where_there_is_room_a_member_has_two_lines_and_the_last_acts_stand_below() -> None:
    reply = desk_reply(busy(0, 2, 1))

    _head, party, _countdown, *acts = told(reply)
    assert height([party]) == 4
    assert [act.startswith("-# Gwen deals") for act in acts] == [True, True]


def test_a_member_whose_sheet_cannot_be_read_is_named() -> None:
    broken = replace(member(1, "Kit"), problem="no attributes")
    desk = replace(busy(), party=(broken,))

    assert "**Kit** · sheet can't be read" in told(desk_reply(desk))


def test_what_is_hidden_can_be_revealed_from_the_table() -> None:
    menus = {one.prompt: one for one in desk_reply(busy(), 7).blocks if isinstance(one, Select)}
    nothing_hidden = desk_reply(replace(busy(), hidden=()))

    assert menus["Reveal …"].id == "secrets:1:open:7"
    assert [one.value for one in menus["Reveal …"].choices] == ["npc/8", "countdown/3"]
    assert not [one for one in nothing_hidden.blocks if isinstance(one, Select) and one.prompt == "Reveal …"]


def test_many_npcs_have_a_menu_of_their_own() -> None:
    npcs = tuple(Choice(str(one), f"Orc {one}", "NPC") for one in range(100, 130))

    reply = desk_reply(replace(busy(people=3), npcs=npcs))

    menus = {one.prompt: one for one in reply.blocks if isinstance(one, Select)}
    assert [one.value for one in menus["Open a sheet …"].choices] == ["1", "2", "3"]
    assert [one.value for one in menus["An NPC acts …"].choices] == [one.value for one in npcs[:25]]
    assert components(reply) <= 40


LINES = tuple(FighterLine(character=CharacterId(one), name=f"Wolf {one}") for one in range(1, 4))


@pytest.mark.parametrize(
    ("who", "before", "order"),
    [
        ("3", "1", ["Wolf 3", "Wolf 1", "Wolf 2"]),
        ("1", "3", ["Wolf 2", "Wolf 1", "Wolf 3"]),
        ("1", LAST, ["Wolf 2", "Wolf 3", "Wolf 1"]),
        ("1", "1", []),
        ("9", "1", []),
        ("1", "9", []),
        ("", "", []),
    ],
)
def test_somebody_acts_before_somebody_else(who: str, before: str, order: list[str]) -> None:
    assert in_new_order(LINES, who, before) == order


def test_more_leads_to_everybodys_dice() -> None:
    assert ("All dice", "stats:1:all") in {(one.label, one.id) for one in buttons(more_reply(busy()))}
