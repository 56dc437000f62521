"""Fights and opposed checks of games of one's own: the board, and rolls of two sides on one message."""

from pathlib import Path

from bot.table.journal.verify import export_lines, verify_lines
from bot.ui.text.reply import Look
from tests.cogs.desk import Under
from tests.cogs.own_games import begin, closed, numbers, opened, read, restarted, wide
from tests.cogs.test_taps import board
from tests.rules.own.games import WIDE


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
        assert [one.label for one in others] == ["End the turn", "More …", "GM …"]
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


class TestAnOpposedCheck:
    async def test_is_aimed_from_the_board_with_its_chance_against_both_dice(self, tmp_path: Path) -> None:
        play = await wide(tmp_path)
        await play.types(play.alice, "/encounter start", others="Ada")
        await play.types(play.gwen, "/encounter next", "d6:6 d6:1")
        friends = await board(play)
        await play.types(play.gwen, "/gm encounter add", name="Rat")

        attack, *_ = await board(play)

        assert [one.label for one in friends] == ["End the turn", "More …", "GM …"]
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
