"""How many taps the usual things take, from a board or a result on, in every game."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from bot.playground.discord.payloads import walk_components
from bot.rules import compare_roll, post_magic_maid, rpj, swim_class, sword_and_swarm
from bot.rules.kernel import Ruleset
from bot.ui.text.reply import Button, Look
from tests.cogs.desk import Sent, Under
from tests.cogs.played import Play, board_rows, fight_look, get_up, sit_down
from tests.table.conftest import HOME, Person

FOE = "Bandit 1"
ATTACKS = ("Attack", "Close in")
ROW = 1  # the type of a row of buttons
NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Game:
    """A game with two heroes, and how its fights begin.

    Attributes:
        ruleset: The game.
        alice: Alice's hero.
        bob: Bob's hero.
        foe: The command that makes the GM's character a foe; nothing where none is needed.
        options: Its options.
        begins: How often somebody presses on before the first turn.
        asks: What Alice types to be asked for each defense, where she isn't anyway.
    """

    ruleset: Ruleset
    alice: str
    bob: str
    foe: str = ""
    options: Mapping[str, Any] = field(default_factory=lambda: NO_OPTIONS)
    begins: int = 1
    asks: tuple[str, Mapping[str, Any]] | None = None


GAMES = {
    "rpj": Game(
        rpj.RULESET, "Marit Vance", "Oskar Brandt", begins=2, asks=("/rpj-fight defense", {"defense": "ask"})
    ),
    "swim": Game(swim_class.RULESET, "Sable Thornwick", "Ondra Kestrel"),
    "compare": Game(
        compare_roll.RULESET,
        "Juno Marsh",
        "Otto Brandt",
        "/compare-gm foe",
        {"hp": 30, "weapon": "Baseball Bat"},
    ),
    "maid": Game(post_magic_maid.RULESET, "Nettle Quickwater", "Bram Ostergard"),
    "swarm": Game(sword_and_swarm.RULESET, "Odalys Thorne", "Corvin Asher"),
}


@asynccontextmanager
async def fighting(folder: Path, game: Game, others: str = FOE) -> AsyncIterator[Play]:
    """Alice's hero and others, by default a foe, fight; it is somebody's turn."""
    play = await sit_down(folder, game.ruleset, game.alice, game.bob)
    await play.npc(FOE)
    if game.foe:
        await play.types(play.gwen, game.foe, target=FOE, **game.options)
    await play.types(play.alice, "/encounter start", others=others)
    for _ in range(game.begins):
        await play.types(play.gwen, "/encounter next")
    yield play
    await get_up(play)


async def board(play: Play) -> list[Button]:
    """The buttons of the board as it stands."""
    return [button for row in await board_rows(play) for button in row]


async def until_turn_of(play: Play, is_players: bool) -> list[Button]:
    """End turns until a player's attack, or a GM's door, is bright on the board."""
    for _ in range(6):
        buttons = await board(play)
        bright = [one.label for one in buttons if one.look is Look.MAIN]
        if bright and ("GM …" in bright) is not is_players:
            return buttons
        await play.types(play.gwen, "/encounter next")
    raise AssertionError(f"nobody's turn comes{play.end}")


async def tapped(play: Play, who: Person, id_: str, *, private: bool = False) -> list[Sent]:
    """What a tap on a button answers."""
    return await play.desk.press(who, id_, under=Under(9001, is_private=private))


async def attacked(play: Play, game: Game) -> Sent:
    """The message in which a foe attacks Alice's hero, who can defend."""
    for _ in range(9):
        await until_turn_of(play, is_players=False)
        (door,) = [one for one in await board(play) if one.label == "GM …"]
        page = await tapped(play, play.gwen, door.id)
        label = next(one for one in page[-1].controls if one.startswith(ATTACKS) and game.alice in one)
        sent = await tapped(play, play.gwen, page[-1].controls[label], private=True)
        if any(one.startswith(game.alice) for one in sent[-1].controls):
            return sent[-1]
        await play.types(play.gwen, "/encounter next")
    raise AssertionError(f"nobody is asked for a defense{play.end}")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
class TestAttacks:
    async def test_a_player_attacks_with_one_tap_on_the_board(self, tmp_path: Path, game: Game) -> None:
        async with fighting(tmp_path, game) as play:
            buttons = await until_turn_of(play, is_players=True)
            first = buttons[0]

            assert first.look is Look.MAIN
            assert "ttack" in first.label or "Close in" in first.label
            assert FOE in first.label
            has_chance = game is not GAMES["rpj"]  # the foe is out of reach
            assert bool(re.search(r" · \d+%$", first.label)) is has_chance, first.label
            assert game.alice not in first.label  # her first name is enough, on one line of a phone
            assert [one.label for one in buttons][-2:] == ["More …", "GM …"]
            assert len(buttons) <= 5
            assert [len(row) for row in await board_rows(play)] == [
                1,
                3,
            ]  # no plain one alone

            sent = await tapped(play, play.alice, first.id)
            assert not sent[-1].is_private
            assert "attack" in sent[-1].text or "versus" in sent[-1].text or FOE in sent[-1].text

    async def test_the_bright_attack_is_never_on_an_ally_while_a_foe_is_there(
        self, tmp_path: Path, game: Game
    ) -> None:
        async with fighting(tmp_path, game, f"{game.bob}, {FOE}") as play:
            buttons = await until_turn_of(play, is_players=True)
            bright = [one.label for one in buttons if one.look is Look.MAIN]

            assert bright
            assert all(label.partition(FOE)[1] for label in bright), bright

    async def test_no_attack_is_bright_where_there_is_no_foe(self, tmp_path: Path, game: Game) -> None:
        async with fighting(tmp_path, game, game.bob) as play:
            for _ in range(2):
                labels = [one.label for one in await board(play)]
                assert not any(game.alice in label or game.bob in label for label in labels), labels
                await play.types(play.gwen, "/encounter next")

    async def test_a_player_defends_with_one_tap(self, tmp_path: Path, game: Game) -> None:
        if game is GAMES["swarm"]:
            assert not any("defend" in procedure for procedure in game.ruleset.procedures)
            return
        async with fighting(tmp_path, game) as play:
            if game is GAMES["maid"]:
                await play.set("defence", "always")
            if game.asks:
                await play.types(play.alice, game.asks[0], **game.asks[1])
            asked = await attacked(play, game)
            label = next(
                one for one in asked.controls if one.startswith(game.alice.split()[0]) and "…" not in one
            )
            sent = await play.desk.press(play.alice, asked.controls[label], under=Under(asked.message))

            assert not any(one.is_private for one in sent), label
            assert label not in sent[0].controls
            assert sent[0].files == ("dice.png",)

    async def test_a_gm_attacks_with_a_foe_in_two_taps(self, tmp_path: Path, game: Game) -> None:
        async with fighting(tmp_path, game) as play:
            buttons = await until_turn_of(play, is_players=False)
            assert not any("ttack" in one.label for one in buttons)
            (door,) = [one for one in buttons if one.label == "GM …"]

            for who in (play.alice, play.stranger):
                refused = await tapped(play, who, door.id)
                assert refused[-1].is_private
                assert "Only a GM" in refused[-1].text
            page = await tapped(play, play.gwen, door.id)
            label = next(one for one in page[-1].controls if one.startswith(ATTACKS) and game.alice in one)
            sent = await tapped(play, play.gwen, page[-1].controls[label], private=True)

            assert [one.how for one in sent] == ["edit", "follow-up"]
            assert game.alice in sent[-1].text
            assert not sent[-1].is_private


def menu(sent: Sent, prompt: str) -> tuple[str, list[tuple[str, str]]]:
    """A menu's id and its entries: what is read, and the value."""
    menus = [one for one in walk_components(sent.body["components"]) if one.get("placeholder") == prompt]
    found = menus[0]
    return found["custom_id"], [(one["label"], one["value"]) for one in found["options"]]


async def chosen(play: Play, sent: Sent, prompt: str, label: str) -> list[Sent]:
    """What a choice in a menu of a private page answers."""
    id_, entries = menu(sent, prompt)
    value = next(value for shown, value in entries if shown.startswith(label))
    return await play.desk.choose(play.gwen, id_, value, under=Under(9001, is_private=True))


async def gms_page(play: Play) -> Sent:
    """The page behind "GM …" under a result that has one."""
    message = next(one for one in reversed(play.messages) if "GM …" in one.controls)
    (page,) = await play.desk.press(play.gwen, message.controls["GM …"], under=message.under)
    return page


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
class TestTheGmsStrip:
    async def test_a_gm_damages_anybody_in_three_taps(self, tmp_path: Path, game: Game) -> None:
        async with fighting(tmp_path, game) as play:
            (door,) = [one for one in await board(play) if one.label == "GM …"]
            (page,) = await tapped(play, play.gwen, door.id)
            _id, people = menu(page, "Damage, heal or change …")
            assert people[0][0] == FOE
            assert game.bob in [label for label, _value in people]
            for name in (FOE, game.alice, game.bob):
                (strip,) = await chosen(play, page, "Damage, heal or change …", name)
                hit = list(strip.controls)[:3]
                assert len(hit) == 3
                assert re.search(r"\d/\d", strip.text), name  # the numbers that they change
                sent = await tapped(play, play.gwen, strip.controls[hit[0]], private=True)

                assert name in sent[-1].text
                assert sent[-1].how == "follow-up"
                assert name in sent[0].text  # the strip, as they stand now

    async def test_a_gm_adds_a_ready_foe_of_eight_in_three_taps(self, tmp_path: Path, game: Game) -> None:
        async with fighting(tmp_path, game) as play:
            (door,) = [one for one in await board(play) if one.label == "GM …"]
            (page,) = await tapped(play, play.gwen, door.id)
            _id, foes = menu(page, "Add a foe …")
            assert len(foes) >= 8
            for label, _value in foes:
                (shown,) = await chosen(play, page, "Add a foe …", label)
                sent = await tapped(play, play.gwen, shown.controls["Add 1"], private=True)
                assert label in sent[-1].text, label

    async def test_a_strip_corrects_and_rules_too(self, tmp_path: Path, game: Game) -> None:
        async with fighting(tmp_path, game) as play:
            (door,) = [one for one in await board(play) if one.label == "GM …"]
            (page,) = await tapped(play, play.gwen, door.id)
            (strip,) = await chosen(play, page, "Damage, heal or change …", game.alice)
            assert "Damage …" in strip.controls
            rows = [one for one in walk_components(strip.body["components"]) if one["type"] == ROW]
            assert len(rows[-1]["components"]) > 1  # Desk has no row of its own
            (group,) = await tapped(play, play.gwen, strip.controls["Correct or rule …"], private=True)

            assert list(group.controls)[:2] == ["Set a number …", "Set a field …"]


async def desk_page(play: Play) -> Sent:
    """The desk, as `/gm desk` answers it."""
    return (await play.types(play.gwen, "/gm desk")).sent[-1]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
class TestTheDesk:
    async def test_a_gm_damages_anybody_in_two_taps_foes_first(self, tmp_path: Path, game: Game) -> None:
        async with fighting(tmp_path, game) as play:
            page = await desk_page(play)
            _id, people = menu(page, "Damage, heal or change …")
            assert people[0][0] == FOE
            (strip,) = await chosen(play, page, "Damage, heal or change …", game.bob)
            hit = next(iter(strip.controls))
            sent = await tapped(play, play.gwen, strip.controls[hit], private=True)

            assert [one.how for one in sent] == ["edit", "follow-up"]
            assert game.bob in sent[-1].text
            assert not sent[-1].is_private

    async def test_a_session_ends_in_two_taps(self, tmp_path: Path, game: Game) -> None:
        async with fighting(tmp_path, game) as play:
            await play.types(play.gwen, "/session start")
            page = await desk_page(play)
            assert list(page.controls)[-1] == "End session …"
            sure = await tapped(play, play.gwen, page.controls["End session …"], private=True)
            ends = next(one for one in sure[-1].controls if one.startswith("End"))
            sent = await tapped(play, play.gwen, sure[-1].controls[ends], private=True)

            assert "Session 1 ended" in "".join(one.text for one in sent)


@pytest.mark.parametrize("key", GAMES.keys())
async def test_only_those_who_may_end_a_turn_find_that_behind_more(tmp_path: Path, key: str) -> None:
    async with fighting(tmp_path, GAMES[key]) as play:  # Bob's hero is not in it
        buttons = await until_turn_of(play, is_players=True)
        (more,) = [one for one in buttons if one.label == "More …"]

        found = {}
        for who in (play.alice, play.bob, play.stranger):
            (page,) = await tapped(play, who, more.id)
            found[who.name] = [one for one in page.controls if one.startswith(("End", *ATTACKS))]

        assert any(one.startswith("End") for one in found["Alice"])
        assert any(one.startswith(ATTACKS) for one in found["Alice"])
        assert found["Bob"] == []
        assert found[play.stranger.name] == []


@pytest.mark.parametrize("key", ["swarm", "compare", "maid", "swim"])
async def test_a_double_click_on_the_board_rolls_once(tmp_path: Path, key: str) -> None:
    async with fighting(tmp_path, GAMES[key]) as play:
        attack, *_ = await until_turn_of(play, is_players=True)

        await tapped(play, play.alice, attack.id)
        rolled = await count_rolls(play)
        (again,) = await tapped(play, play.alice, attack.id)

        assert again.is_private
        assert await count_rolls(play) == rolled


async def test_a_double_click_on_a_sheet_rolls_once(tmp_path: Path) -> None:
    async with fighting(tmp_path, GAMES["swarm"]) as play:
        (sheet,) = await play.desk.type(play.alice, "/sheet")
        (test,) = [full for label, full in sheet.controls.items() if label.startswith("Boots")]

        await tapped(play, play.alice, test, private=True)
        (again,) = await tapped(play, play.alice, test, private=True)

        assert again.text.startswith("Odalys Thorne has done something else since.")
        assert await count_rolls(play) == 1


async def test_the_board_that_stands_below_a_result_rolls_again(tmp_path: Path) -> None:
    async with fighting(tmp_path, GAMES["swarm"]) as play:
        attack, *_ = await until_turn_of(play, is_players=True)
        await tapped(play, play.alice, attack.id)
        (again,) = await tapped(play, play.alice, attack.id)
        rolled = await count_rolls(play)

        await play.desk.press(play.alice, attack.id, under=Under(9002))

        assert again.text.startswith("That is done already.")
        assert await count_rolls(play) == rolled + 1


async def count_rolls(play: Play) -> int:
    """How many entries with dice the journal has."""
    campaign = await play.campaign()
    entries = await play.table.store.read(lambda reader: reader.entries(HOME, campaign.id))
    return sum(bool(one.rolls) for one in entries)


def _out(who: str) -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    """What a GM types in each game so that somebody can't act any more."""
    return {
        "swim": ("/swim-gm state", {"target": who, "state": "dead"}),
        "compare": ("/compare-gm fate", {"target": who, "hp": 0}),
        "maid": ("/maid-gm wound", {"target": who, "track": "blunt", "tier": "25"}),
        "swarm": ("/swarm-gm star", {"target": who, "change": -20}),
    }


@pytest.mark.parametrize("key", ["swim", "compare", "maid", "swarm"])
@pytest.mark.parametrize("is_foe", [False, True])
async def test_nobody_who_cannot_act_has_the_turn_mark_or_is_pinged(
    tmp_path: Path, key: str, is_foe: bool
) -> None:
    game = GAMES[key]
    who = FOE if is_foe else game.alice
    async with fighting(tmp_path, game, f"{game.bob}, {FOE}") as play:
        command, options = _out(who)[key]
        await play.types(play.gwen, command, **options)
        marked, called = set[str](), set[int]()
        for _ in range(4):
            look = await fight_look(play)
            marked |= {line.name for line in look.view.lines if line.is_on}
            called |= {*look.players}
            await play.types(play.gwen, "/encounter next")

        able = {game.alice, game.bob, FOE} - {who}
        assert marked == able
        assert called == ({play.alice.id, play.bob.id} if is_foe else {play.bob.id})


async def test_what_ends_with_a_fight_is_not_said_to_stay_open(tmp_path: Path) -> None:
    async with fighting(tmp_path, GAMES["swim"]) as play:
        await play.types(play.gwen, "/session start")
        await attacked(play, GAMES["swim"])

        preview = await play.types(play.gwen, "/session end")

        assert "defense against Bandit 1's Basic Melee: stays open unless its fight ends" in preview.text
        await play.presses(play.gwen, "End both")
        assert "Still open" not in play.messages[-1].text


@pytest.mark.parametrize("ends", ["the session", "the fight"])
async def test_an_attack_says_how_the_end_settled_it(tmp_path: Path, ends: str) -> None:
    async with fighting(tmp_path, GAMES["swim"]) as play:
        await play.types(play.gwen, "/session start")
        attack = await attacked(play, GAMES["swim"])
        (dice,) = re.findall(r"\d dic?e to stop", attack.text)

        if ends == "the session":
            await play.types(play.gwen, "/session end")
            await play.presses(play.gwen, "End both")
        else:
            await play.types(play.gwen, "/gm encounter end")
            await play.presses(play.gwen, "Settle it and end")
        await play.sees_the_undone()

        shown = [one for one in play.desk.wire.sent if one.message == attack.message][-1]
        told = "\n".join(one.text for one in play.desk.wire.sent)
        came = re.findall(r"defense against Bandit 1's Basic Melee\\: (.+?)\.", told)[-1]
        assert f"~~{dice}~~ **{came}**" in shown.text
        assert not any("defend" in one for one in shown.controls)


async def test_a_gm_starts_a_fight_in_three_taps_from_a_result(tmp_path: Path) -> None:
    play = await sit_down(tmp_path, rpj.RULESET, "Marit Vance", "Oskar Brandt")
    await play.npc(FOE)
    await play.types(play.alice, "/rpj check", "d6:2 d6:3", skill="Concealment", difficulty="14+")

    page = await gms_page(play)
    (form,) = await tapped(play, play.gwen, page.controls["Start fight …"], private=True)
    assert form.how == "modal"
    sent = await play.desk.fill(play.gwen, form.body["custom_id"], who=("Marit Vance", FOE))

    assert any("starts" in one.text for one in sent), [one.text for one in sent]
    await get_up(play)


async def test_before_an_rpj_fight_the_board_offers_to_join_and_then_to_begin(tmp_path: Path) -> None:
    play = await sit_down(tmp_path, rpj.RULESET, "Marit Vance", "Oskar Brandt")
    await play.npc(FOE)
    await play.types(play.alice, "/encounter start", others=FOE)
    first, *_ = await board(play)
    assert (first.label, first.look) == ("Join", Look.MAIN)
    await play.types(play.bob, "/encounter join")

    assert [[one.label for one in row] for row in await board_rows(play)] == [
        ["Roll for initiative"],
        ["More …", "GM …"],
    ]
    assert (await board(play))[0].look is Look.MAIN
    await get_up(play)
