"""Fights, opposed checks, and buttons under a roll in games of one's own, typed and pressed."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.table.journal.verify import export_lines, verify_lines
from bot.ui.text.reply import Look
from tests.cogs.desk import Under
from tests.cogs.own_games import begin, closed, imports, numbers, opened, read, restarted, wide
from tests.cogs.played import Play
from tests.cogs.test_taps import board
from tests.rules.own.games import HEAD, WIDE

GRIT = 'grit = { label = "Grit", start = "d8", min = "d4", max = "d12" }'
HANDS = (
    HEAD.replace('command = "game"', 'command = "wide"')
    + f"""
[attributes]
{GRIT}
[resources]
nerve = {{ label = "Nerve", start = 3, max = 5 }}
"""
    + """
[entries]
debts = { label = "Debts", value = "words" }

[checks.push]
label = "Push on"
dice  = { base = "3d6", gear = "d{grit}" }
read  = { sixes = "count base = 6", ones = "count base = 1", g = "total gear" }
tiers = [{ name = "Well", when = "sixes + (g >= 6) > 1" }, { name = "Badly", do = ["nerve - ones"] }]
after = [
  { label = "Push", reroll = "base 2..5", often = "paid", cost = ["nerve - 1"] },
  { label = "Sharpen", step = "gear up", when = "g < 6" },
]

[checks.look]
label = "Look closely"
dice  = { a = "d10", b = "d10" }
read  = { n = "total a", other = "total b" }
tiers = [{ name = "High", when = "n > 5" }, { name = "Low" }]
after = [{ label = "Swap", take = "n = other" }]

[checks.owe]
label = "Call in a debt"
ask   = { debt = "debts" }
dice  = { two = "2d6" }
read  = { sum = "total two" }
value = "sum + debt"
tiers = [{ name = "Paid", is = "8+" }, { name = "Refused", is = "7-" }]

[fight]
order = "sides"
out   = "nerve"

[npcs.rat]
label     = "Rat"
resources = { nerve = 2 }

[heroes]
mo  = { label = "Mo" }
ada = { label = "Ada" }
"""
)


@pytest.fixture
async def hands(tmp_path: Path) -> AsyncIterator[Play]:
    """Alice's Mo and Bob's Ada in a game of buttons, words and sides; no journal of it has a fault."""
    play = await wide(tmp_path, HANDS)
    yield play
    report = verify_lines([line async for line in export_lines(play.table, play.gwen.asks())])
    assert report.faults == []
    await closed(play)


class TestButtonsUnderARoll:
    async def test_roll_some_faces_again_as_often_as_it_is_paid_for(self, hands: Play) -> None:
        rolled = await hands.types(hands.alice, "/wide roll", "d6:1 d6:3 d6:6 d8:2", what="Push on")

        pushed = await hands.presses(hands.alice, "Push · 17% better · 1 Nerve", "d6:4")
        again = await hands.presses(hands.alice, "Push · 17% better · 1 Nerve", "d6:6")

        assert "**Badly**\n⚀ ⚂ ⚅ gear 2\nNerve 3/5 → 2/5" in rolled.text
        assert "**Badly**\n⚀ ⚅ gear 2 ⚃" in pushed.text
        assert "~~Badly~~ **Well**\n⚀ ⚅ gear 2 ⚅" in again.text
        assert (await numbers(hands, "Mo"))["nerve"] == 1

    async def test_are_gone_once_they_cannot_be_paid_for(self, hands: Play) -> None:
        await hands.types(hands.gwen, "/wide set", what="Nerve", value="1", target="Mo")
        await hands.types(hands.alice, "/wide roll", "d6:2 d6:3 d6:6 d8:2", what="Push on")

        pushed = await hands.presses(hands.alice, "Push · 31% better · 1 Nerve", "d6:4 d6:4")

        assert [label for label in pushed.labels if label.startswith(("Push", "Sharpen"))] == [
            "Sharpen · 50% better"
        ]
        assert (await numbers(hands, "Mo"))["nerve"] == 0

    async def test_step_a_die_and_take_back_what_the_first_roll_did(self, hands: Play) -> None:
        await hands.types(hands.alice, "/wide roll", "d6:1 d6:3 d6:6 d8:2", what="Push on")

        stepped = await hands.presses(hands.alice, "Sharpen · 50% better", "d10:9")

        assert "~~Badly~~ **Well**\n⚀ ⚂ ⚅ gear 9" in stepped.text
        assert not [label for label in stepped.labels if label.startswith(("Push", "Sharpen"))]
        assert await numbers(hands, "Mo") == {"grit": 8, "nerve": 3}

    async def test_take_the_other_of_two_readings(self, hands: Play) -> None:
        await hands.types(hands.alice, "/wide roll", "d10:2 d10:8", what="Look closely")

        refused = await hands.presses(hands.bob, "Swap · 100% better")
        swapped = await hands.presses(hands.alice, "Swap · 100% better")

        assert "Only its player or a GM" in refused.text
        assert "~~Low~~ **High**\na 2 b 8" in swapped.text

    async def test_of_a_secret_roll_are_for_the_gm_alone(self, hands: Play) -> None:
        rolled = await hands.types(
            hands.gwen, "/wide roll", "d10:2 d10:8", what="Look closely", secret=True, **{"as": "Mo"}
        )
        swapped = await hands.presses(hands.gwen, "Swap")
        sheet = await hands.types(hands.alice, "/sheet")

        assert rolled.is_private
        assert "~~Low~~ **High**" in swapped.text
        assert all(message.reader == hands.gwen.id for message in hands.messages if "High" in message.text)
        assert "Swap" not in sheet.text


class TestValues:
    async def test_entries_in_words_answer_a_question(self, hands: Play) -> None:
        none = await hands.types(hands.alice, "/wide roll", what="Call in a debt")
        await hands.types(hands.alice, "/sheet")
        await hands.presses(hands.alice, "Grow …")
        await hands.chooses(hands.alice, "Grow …", "Write under Debts")
        asked = list(hands.opened_fields)
        noted = await hands.writes(hands.alice, name="Old Ann")
        rolled = await hands.types(hands.alice, "/wide roll", "d6:3 d6:4", what="Call in a debt")

        assert "You have no Debts yet. Add one from your sheet." in none.text
        assert asked == ["name"]
        assert "Old Ann none → there" in noted.text
        assert "(Old Ann) · **Paid**\n⚂ ⚃ 7 + Debts 1 = **8**" in read(rolled)

    async def test_a_die_that_becomes_a_number_is_brought_into_its_span_and_undone(self, hands: Play) -> None:
        rolled = await hands.types(hands.alice, "/wide roll", "d6:1 d6:3 d6:6 d8:2", what="Push on")
        numbered = HANDS.replace(GRIT, 'grit = { label = "Grit", start = 2, max = 3 }')
        shown = await imports(hands, numbered.replace('"d{grit}"', '"{grit}d8"'))
        await hands.presses(hands.gwen, "Publish")
        changed = await numbers(hands, "Mo")
        fresh = await hands.types(hands.alice, "/wide roll", "d6:1 d6:2 d6:2 d8:1 d8:2 d8:3", what="Push on")
        await hands.presses(hands.alice, "Undo")
        await hands.presses(hands.gwen, "Undo it (GM)")
        await hands.types(hands.gwen, "/undo")

        assert "gear 2" in rolled.text
        assert "Mo, Grit: d8 → 3" in read(shown)
        assert changed["grit"] == 3
        assert "gear 1 gear 2 gear 3" in fresh.text
        assert (await numbers(hands, "Mo"))["grit"] == 8


class TestAFight:
    async def test_is_rolled_for_shot_in_and_ended_with_the_session(self, tmp_path: Path) -> None:
        play = await opened(tmp_path)
        await begin(play, "ash", "Juno Marsh", "Cole")
        await play.types(play.gwen, "/session start")
        await play.types(play.alice, "/encounter start")
        await play.types(play.bob, "/encounter join")
        await play.types(play.gwen, "/gm encounter add", name="A raider")

        begun = await play.types(play.gwen, "/encounter next", "d10:2 d10:9 d10:5")

        assert "Turn order: Cole, A raider, Juno Marsh." in read(begun)

        hit = await play.types(
            play.bob, "/ash roll", "d10:9", what="Deal damage", answers="weapon=Rifle", at="A raider"
        )

        assert "rolls Deal damage, against A raider · **Deep wound**" in hit.text
        assert "A raider: Condition unhurt → badly hurt" in hit.text
        assert "Wounds" not in hit.text  # what a foe has left is told in words

        attack, *others = await board(play)
        (refused,) = await play.desk.press(play.alice, attack.id, under=Under(9001))
        (struck,) = await play.desk.press(play.bob, attack.id, under=Under(9001))

        assert (attack.label, attack.look) == ("Attack A raider · 50%", Look.MAIN)
        assert [one.label for one in others] == ["End turn", "More …", "GM …"]
        assert "That button is for Cole." in refused.text
        assert "**Cole** rolls Deal damage, against A raider" in struck.text

        await play.types(play.gwen, "/encounter next")
        gms = (await board(play))[-1]
        page = await play.desk.press(play.gwen, gms.id, under=Under(9001))

        assert (gms.label, gms.look) == ("GM …", Look.MAIN)
        assert "Attack Cole · 50%" in page[-1].controls
        await play.types(play.gwen, "/session end")
        ended = await play.presses(play.gwen, "End both")

        assert "ended" in ended.text
        lines = [line async for line in export_lines(play.table, play.gwen.asks())]
        assert verify_lines(lines).faults == []
        await closed(play)

    async def test_of_four_adds_each_initiative_up(self, tmp_path: Path) -> None:
        play = await opened(tmp_path)
        await begin(play, "ash", "Juno Marsh", "Cole")
        await play.types(play.alice, "/encounter start")
        await play.types(play.bob, "/encounter join")
        await play.types(play.gwen, "/gm encounter add", name="A raider", count=2)

        begun = await play.types(play.gwen, "/encounter next", "d10:2 d10:9 d10:5 d10:7")

        assert "Initiative: Juno Marsh d10 **2** + 4 = **6** · Cole d10 **9** + 3 = **12**" in begun.text
        await closed(play)

    async def test_of_sides_has_one_side_after_the_other(self, hands: Play) -> None:
        await hands.types(hands.alice, "/encounter start")
        await hands.types(hands.gwen, "/gm encounter add", name="Rat")
        await hands.types(hands.bob, "/encounter join")

        turns = [await hands.types(hands.gwen, "/encounter next") for _ in range(4)]

        assert "**Mo acts**\nTurn order: Mo, Ada, Rat." in read(turns[0])
        assert ["**Ada acts**" in turns[1].text, "**Rat acts**" in turns[2].text] == [True, True]
        assert "**Mo acts**\nRound 2 starts." in turns[3].text


class TestAnOpposedCheck:
    async def test_is_aimed_from_the_board_with_its_chance_against_both_dice(self, tmp_path: Path) -> None:
        play = await wide(tmp_path)
        await play.types(play.alice, "/encounter start", others="Ada")
        await play.types(play.gwen, "/encounter next", "d6:6 d6:1")
        friends = await board(play)
        await play.types(play.gwen, "/gm encounter add", name="Rat")

        attack, *_ = await board(play)

        assert [one.label for one in friends] == ["End turn", "More …", "GM …"]
        assert attack.label == "Attack Rat · 57%"  # 2 more than the rat: 228 of 400
        await closed(play)

    async def test_is_rolled_by_both_players_over_a_restart(self, tmp_path: Path) -> None:
        play = await wide(tmp_path)

        asked = await play.types(play.alice, "/wide roll", what="Wrestle", at="Ada")
        assert "**Mo** wants to roll Wrestle, against Ada" in asked.text
        assert "Waiting for Ada's player." in asked.text

        play = await restarted(play, tmp_path)
        first, label = play._find(play.bob, "Ada: roll")
        button = first.controls[label]
        stranger = await play.presses(play.stranger, "Ada: roll")
        not_his = await play.presses(play.alice, "Ada: roll")
        rolled = await play.presses(play.bob, "Ada: roll", "d20:11")
        again = await play.desk.press(play.bob, button, under=first.under)
        won = await play.presses(play.alice, "Mo: roll against 15 · 35%", "d20:17")
        report = verify_lines([line async for line in export_lines(play.table, play.gwen.asks())])

        assert "Only its player or a GM" in stranger.text
        assert "Only its player or a GM" in not_his.text
        assert "d20 **11** + Hand 4 = **15**" in rolled.text
        assert "Mo rolls against 15." in rolled.text
        assert "That has already been done or is closed." in str(again)
        assert "**Mo** · **You win**" in won.text
        assert "d20 **17** + Hand 2 = **19**" in won.text
        assert (await numbers(play, "Ada"))["hp"] == 4
        assert (report.rolls, report.faults) == (2, [])

        asked = await play.presses(play.alice, "Undo")
        refused = await play.presses(play.stranger, "Undo it (GM)")
        undone = await play.presses(play.gwen, "Undo it (GM)")
        await play.sees_the_undone()
        hp = (await numbers(play, "Ada"))["hp"]
        lost = await play.presses(play.alice, "Mo: roll against 15 · 35%", "d20:2")

        assert "**Alice** asks the GM to undo: **Mo** rolls Wrestle" in read(asked)
        assert "Only a GM can press that button." in refused.text
        assert "Ada: Hit points 4/6 → 6/6" in undone.text
        assert hp == 6
        assert "**You lose**" in lost.text
        assert "Undo" in lost.labels
        await closed(play)

    async def test_goes_against_the_number_that_a_gm_says(self, tmp_path: Path) -> None:
        play = await wide(tmp_path)
        await play.types(play.alice, "/wide roll", what="Wrestle", at="Ada")

        refused = await play.presses(play.bob, "GM …")
        await play.presses(play.gwen, "Say the number to beat …")
        said = await play.writes(play.gwen, number="12")
        lost = await play.presses(play.alice, "Mo: roll against 12 · 50%", "d20:10")
        at_nobody = await play.types(play.alice, "/wide roll", "d20:11", what="Wrestle", theirs=12)

        odds = await play.types(play.alice, "/wide odds", what="Wrestle", theirs=12)
        average = await play.types(play.alice, "/wide odds", what="Wrestle")
        senseless = await play.types(play.alice, "/wide odds", what="Push", theirs=12)
        of_aces = await play.types(play.alice, "/wide odds", what="Make something")

        assert "Only a GM" in refused.text
        assert "Mo rolls against 12." in said.text
        assert "You win: **50%**\n-# for Mo, against 12" in odds.text
        assert "-# for Mo, against an average character" in average.text
        assert "Push is not opposed. Leave out the number to beat." in senseless.text
        assert f"-# for Mo, aces are rolled ten times at most, too few in 1/{6**11} of all" in of_aces.text
        assert "**You lose**" in lost.text
        assert "**Mo** rolls Wrestle \\(against 12\\) · **You win**" in at_nobody.text
        assert (await numbers(play, "Ada"))["hp"] == 6
        await closed(play)

    async def test_harms_whoever_is_aimed_at_by_name_and_says_no_numbers_of_a_foe(
        self, tmp_path: Path
    ) -> None:
        hard = WIDE.replace('do = ["foe.hp - 2"]', 'do = ["foe.hp - 7", "foe.doom + 5"]')
        play = await wide(tmp_path, hard)
        await play.types(play.gwen, "/wide set", what="Doom", value="2", target="Mo")
        await play.types(play.alice, "/encounter start")
        await play.types(play.gwen, "/gm encounter add", name="Rat")

        await play.types(play.alice, "/wide roll", what="Wrestle", at="Ada")
        await play.presses(play.bob, "Ada: roll", "d20:1")
        won = await play.presses(play.alice, "Mo: roll against 5", "d20:17")
        details = await play.presses(play.alice, "Details")
        rat = await play.types(play.alice, "/wide roll", "d20:1 d20:17", what="Wrestle", at="Rat")
        hers = await numbers(play, "Ada")

        assert "Ada: Hit points can't take 1 more: Guts does." in read(details)
        assert "Ada: It comes." in read(won)
        assert "Ada: Hit points 6/6 → 0/6 · Guts 4/4 → 3/4" in won.text
        assert (hers["hp"], hers["guts"], hers["doom"], (await numbers(play, "Mo"))["doom"]) == (0, 3, 0, 2)
        assert "Rat: It comes." in read(rat)
        assert "can't take" not in rat.text
        assert await play.document("clocks") == {"numbers": {"night": 2, "spies": 0}}
        await closed(play)
