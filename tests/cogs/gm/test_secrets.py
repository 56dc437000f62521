"""Secrets in words: the GM's page, one secret before it is revealed, and what players were given."""

import pytest
from msgspec.structs import replace

from bot.playground.discord.payloads import walk_components
from bot.rules.kernel import CharacterId, Choice, FighterLine
from bot.rules.shared.countdowns import Kind, Status, Visibility
from bot.store.records import CampaignId, EntryId
from bot.table.base.results import Message, Result
from bot.table.gm.desk import Desk, LatestAct, PartyMember
from bot.table.gm.gm_secrets import Handout, Secret, SecretKind, SecretsPage, SecretView
from bot.table.gm.waiting import AwaitedAnswer
from bot.table.play.countdowns import CountdownView
from bot.ui.input.discord_format import message_body
from bot.ui.live.desk_message import desk_reply
from bot.ui.text.reply import Button, ButtonBeside, Look, Picture, Reply, Select
from bot.ui.text.roll_text import PAGE_LINES, height
from cogs.gm.desk_words import LAST, in_new_order, more_reply
from cogs.gm.secrets import (
    given_reply,
    handout_reply,
    note_form,
    roll_reply,
    secret_reply,
    secrets_reply,
    shown_alone_reply,
)

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


LETTER = Handout(id="77", title="The *letter*", text="Come\nat ten.", picture=b"x", has_picture=True)
NOTE = Secret(SecretKind.NOTE, "77", "The *letter*")
ROLL = Result(entry=EntryId(12), message=Message(who="Orc", headline="checks Brawn"))
JUNO = Choice("5", "Juno")


def texts(reply: Reply) -> list[str]:
    return [block for block in reply.blocks if isinstance(block, str)]


def rows(reply: Reply) -> list[list[str]]:
    return [[one.label for one in block] for block in reply.blocks if isinstance(block, tuple)]


def ids(reply: Reply) -> list[str]:
    found = [one for block in reply.blocks if isinstance(block, tuple) for one in block]
    return [one.id for one in found if isinstance(one, Button)]


class TestThePage:
    def test_the_page_lists_secrets_of_each_kind_and_fits_a_phone(self) -> None:
        secrets = tuple(
            Secret(SecretKind.ROLL, str(number), "Gwen rolls the ambush at the old mill by night · 17")
            for number in range(7)
        )
        known = replace(NOTE, people=("Juno",))

        reply = secrets_reply(
            SecretsPage(campaign="The Manor", secrets=(*secrets, known), page=1, pages=3), EntryId(4)
        )

        head, lines = texts(reply)
        assert head == "### Secrets · The Manor"
        assert lines.split("\n")[-1] == "Note · The \\*letter\\* · known to Juno"
        assert height([head, lines]) <= PAGE_LINES
        assert rows(reply) == [
            ["New note …", "New handout …", "Secret roll …"],
            ["Desk", "Refresh", "More (2/3)"],
            ["Undo"],
        ]
        assert all(len(label) <= 14 for row in rows(reply) for label in row)
        assert reply.is_private

    def test_an_empty_page_says_so(self) -> None:
        reply = secrets_reply(SecretsPage(campaign="The Manor", secrets=(), page=0, pages=1))

        assert texts(reply)[1] == "Nothing is secret here."
        assert rows(reply)[1] == ["Desk", "Refresh"]


class TestOneSecret:
    def test_a_note_is_shown_as_players_would_see_it(self) -> None:
        reply = secret_reply(SecretView(secret=NOTE, handout=LETTER, players=(JUNO,)))

        assert texts(reply) == [
            "-# Known to nobody but you. This is what they would see:",
            "**The \\*letter\\***\nCome\nat ten.",
        ]
        assert [one.name for one in reply.blocks if isinstance(one, Picture)] == ["handout.webp"]
        assert [one.choices for one in reply.blocks if isinstance(one, Select)] == [(JUNO,)] * 2
        assert rows(reply) == [["Show to all"], ["Edit", "Remove"], ["Secrets", "Desk"]]

    def test_the_gm_reads_who_was_shown_something_quietly(self) -> None:
        view = SecretView(secret=replace(NOTE, people=("Juno",)), handout=LETTER, players=(JUNO,))

        assert texts(secret_reply(view, quietly=("Juno",)))[0] == (
            "-# Known to Juno. This is what they would see:\n-# Nobody was told: Juno can read it under /log."
        )

    def test_what_some_have_seen_can_be_taken_back(self) -> None:
        secret = replace(NOTE, people=("Juno", "Ash"))
        some = secret_reply(SecretView(secret=secret, handout=LETTER, players=(JUNO,)))
        every = secret_reply(SecretView(secret=secret, handout=LETTER, players=(JUNO,), is_out=True))

        assert texts(some)[0] == "-# Known to Juno, Ash. This is what they would see:"
        assert texts(every)[0] == "-# Everybody has seen this:"
        assert rows(some)[1] == rows(every)[0] == ["Edit", "Remove", "Take back"]

    def test_a_roll_shows_its_card_and_a_countdown_may_show_its_name_only(self) -> None:
        roll = Secret(SecretKind.ROLL, "12", "Orc checks Brawn")
        doom = Secret(SecretKind.COUNTDOWN, "3", "Doom")

        of_roll = secret_reply(SecretView(secret=roll, roll=ROLL), EntryId(13))
        of_doom = secret_reply(SecretView(secret=doom, sentence="Doom: 0 of 4"))

        assert texts(of_roll)[1] == "**Orc** checks Brawn"
        assert ids(of_roll) == [
            "secrets:1:all:0:roll:12",
            "secrets:1:home:0:0",
            "desk:1:home:0",
            "secrets:1:undo:0:13",
        ]
        assert (texts(of_doom)[1], rows(of_doom)[0]) == ("**Doom\\: 0 of 4**", ["Reveal", "Only its name"])
        known = SecretView(secret=replace(doom, people=("everyone",)), sentence="Doom: 0 of 4")
        assert rows(secret_reply(known))[0] == ["Reveal"]


class TestWhatOthersSee:
    def test_everybody_learns_that_some_were_shown_something_but_not_what(self) -> None:
        reply = shown_alone_reply("Gwen", ("Juno", "Ash"), SecretView(secret=NOTE, handout=LETTER))
        of_roll = shown_alone_reply(
            "Gwen", ("Juno",), SecretView(secret=Secret(SecretKind.ROLL, "12", "x"), roll=ROLL)
        )

        assert reply.text == "**Gwen** shows **Juno**, **Ash** something."
        assert reply.rows == ((Button(id="given:1:note:77", label="Read", look=Look.MAIN),),)
        assert of_roll.rows == ((Button(id="given:1:roll:12", label="Read", look=Look.MAIN),),)

    def test_a_revealed_roll_names_the_gm(self) -> None:
        reply = roll_reply(ROLL, "Gwen", is_private=False)

        assert reply.text == "-# Revealed by Gwen:\n**Orc** checks Brawn"
        assert (reply.rows, reply.is_private) == ((), False)

    def test_a_handout_is_its_title_text_and_picture(self) -> None:
        reply = handout_reply(LETTER, is_private=False)

        assert texts(reply) == ["**The \\*letter\\***\nCome\nat ten."]
        assert len(reply.blocks) == 2

    def test_a_player_chooses_from_what_they_were_given(self) -> None:
        found = [replace(LETTER, id=str(number), title=f"Letter {number}") for number in range(11)]

        first, second = given_reply(found, 0), given_reply(found, 9)

        assert texts(first)[0].startswith("### Notes and handouts\nLetter 0\nLetter 1\n")
        assert (rows(first), rows(second)) == ([["More (1/2)"]], [["More (2/2)"]])
        assert texts(second)[0] == "### Notes and handouts\nLetter 10"
        assert rows(given_reply(found[:1], 0)) == []
        assert given_reply([], 0).text == "You were given no notes or handouts yet."


class TestForms:
    def test_a_note_needs_a_text_and_a_handout_a_text_or_a_picture(self) -> None:
        note = note_form("a", has_picture=False)
        handout = note_form("b", has_picture=True, before=LETTER)

        assert [one.key for one in note.fields] == ["title", "text"]
        assert [one.key for one in handout.fields] == ["title", "text", "picture"]
        assert (note.title, handout.title) == ("New note", "Edit handout")
