"""What every game shares: dice, odds, rules, help, and what stands under a result."""

from typing import Any

import discord
import pytest
from discord import app_commands

from bot.table.play import play
from bot.ui.input.answer import answer
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Press, press_id
from bot.ui.replies.result_replies import result_reply
from cogs.help import _described
from tests.cogs.desk import Desk, Sent
from tests.table.conftest import Person


async def do(desk: Desk, who: Person, procedure: str, **given: Any) -> Sent:
    """Do a procedure of the toy, which has no command of its own."""

    async def perform(interaction: Any, _press: Press) -> None:
        table = interaction.client.table
        await answer(
            interaction, result_reply(await play.perform(table, request_of(interaction), procedure, given))
        )

    kind = f"try{procedure}"
    if kind not in desk.kinds:
        desk.bot.presses.add(kind, perform)
        desk.kinds.add(kind)
    (sent,) = await desk.press(who, press_id(kind))
    return sent


async def failed_check(desk: Desk, who: Person) -> Sent:
    """A check that failed, with its Push button."""
    for _ in range(20):
        check = await do(desk, who, "check", bonus=-5)
        if "Push · 1 Luck" in check.controls:
            return check
    raise AssertionError("every check succeeded")


class TestRoll:
    async def test_dice_are_rolled_in_public(self, desk: Desk, ada: Person) -> None:
        (told,) = await desk.type(ada, "/roll", expression="2d1+3", label="the rope")

        assert not told.is_private
        assert told.text.splitlines()[0] == "**Alice** rolls the rope"
        assert "= **5**" in told.text

    async def test_a_secret_roll_is_shown_privately(self, desk: Desk, ada: Person) -> None:
        (told,) = await desk.type(ada, "/roll", expression="1d6", secret=True)

        assert told.is_private

    async def test_an_unreadable_expression_is_reported_to_the_person_alone(
        self, desk: Desk, ada: Person
    ) -> None:
        (told,) = await desk.type(ada, "/roll", expression="2d")

        assert told.is_private


class TestOdds:
    async def test_odds_of_free_dice_are_shown(self, desk: Desk, ada: Person) -> None:
        (told,) = await desk.type(ada, "/odds dice", expression="1d2")

        assert told.text == (
            "**1d2**\n1 **50%** · 1 of 2\n2 **50%** · 1 of 2\n-# 1 to 2, 1.50 on average, median 1"
        )

    async def test_odds_of_a_games_check_are_shown(self, desk: Desk, ada: Person) -> None:
        (told,) = await desk.type(ada, "/odds toy", target=2)

        assert "success: **33%**" in told.text

    async def test_an_option_out_of_bounds_is_reported_in_words(self, desk: Desk, ada: Person) -> None:
        (told,) = await desk.type(ada, "/odds toy", target=6)

        assert "success: **100%**" in told.text


class TestRulesAndHelp:
    async def test_a_rule_can_be_looked_up(self, desk: Desk, ada: Person) -> None:
        assert await desk.complete(ada, "/rules", "about", "che") == ["Checks"]

        (told,) = await desk.type(ada, "/rules", about="Checks")

        assert told.is_private
        assert told.text == "**Checks**\nA d6 at or below Brawn succeeds.\n-# Toy Game\n-# Nobody"

    async def test_help_shows_what_to_do_now_and_every_command_of_a_word(
        self, desk: Desk, ada: Person
    ) -> None:
        (help_,) = await desk.type(ada, "/help")
        assert help_.text.startswith("**What you can do now**\n")

        (chosen,) = await desk.choose(ada, help_.controls["Commands"], "character")

        assert "`/character create` Make a character, step by step or ready-made" in chosen.text

    async def test_f_perf_13_remembered_words_of_a_command_are_its_words(self, desk: Desk) -> None:
        own = [one for one in desk.bot.tree.walk_commands() if isinstance(one, app_commands.Command)]

        remembered = [_described(one) for one in own]

        assert len(own) > 50
        assert remembered == [_described(one) for one in own] == [_described.__wrapped__(one) for one in own]


class TestUnderAResult:
    async def test_a_press_shows_its_result_in_the_same_message(self, desk: Desk, ada: Person) -> None:
        """F-ALL-08."""
        check = await failed_check(desk, ada)

        (edited,) = await desk.press(ada, check.controls["Push · 1 Luck"])

        assert edited.how == "edit"
        assert "Push · 1 Luck" not in edited.controls
        assert edited.text.startswith(check.text)
        assert "\n**Ada** pushes · **" in edited.text
        assert "Luck 2 → 1" in edited.text

    async def test_a_strangers_press_is_answered_to_them_alone(
        self, desk: Desk, ada: Person, bo: Person
    ) -> None:
        check = await failed_check(desk, ada)

        (told,) = await desk.press(bo, check.controls["Push · 1 Luck"])

        assert told.is_private
        assert told.text == "That button is for Ada. Only its player or a GM can press it."

    async def test_details_are_shown_to_whoever_asks(self, desk: Desk, ada: Person, bo: Person) -> None:
        check = await failed_check(desk, ada)

        (details,) = await desk.press(bo, check.controls["Details"])

        assert details.is_private
        assert "▸ failure 100% (6 of 6)" in details.text

    async def test_the_same_press_delivered_twice_acts_once(self, desk: Desk, ada: Person) -> None:
        check = await failed_check(desk, ada)

        first = await desk.press(ada, check.controls["Push · 1 Luck"], "9001")
        second = await desk.press(ada, check.controls["Push · 1 Luck"], "9001")

        assert [sent.text for sent in first] == [sent.text for sent in second]

    async def test_a_refused_answer_still_tells_the_person_that_the_action_is_done(
        self, desk: Desk, ada: Person
    ) -> None:
        check = await failed_check(desk, ada)
        answered: Any = type("Answered", (), {"status": 400, "reason": "Bad Request"})()
        desk.wire.refusal = discord.HTTPException(answered, {"code": 50035, "message": "Invalid Form Body"})

        (told,) = await desk.press(ada, check.controls["Push · 1 Luck"])

        assert told.is_private
        assert told.text.startswith(
            r"Discord didn't accept my answer. It was done and saved all the same: see /log."
        )


class TestUndo:
    async def test_a_player_undoes_their_own_last_change(self, desk: Desk, ada: Person) -> None:
        await do(desk, ada, "spend")

        (told,) = await desk.type(ada, "/undo")

        assert told.text == r"**Alice** undoes\: Ada spends Luck" "\nAda: Luck 1 → 2"

    async def test_an_undo_that_involves_dice_needs_the_gms_press(
        self, desk: Desk, gm: Person, ada: Person
    ) -> None:
        check = await failed_check(desk, ada)
        (pushed,) = await desk.press(ada, check.controls["Push · 1 Luck"])

        (asked,) = await desk.press(ada, pushed.controls["Undo"])
        (stranger,) = await desk.press(ada, asked.controls["Undo it (GM)"])
        (done,) = await desk.press(gm, asked.controls["Undo it (GM)"])

        assert asked.text.startswith("**Alice** asks the GM to undo: **Ada** pushes")
        assert not asked.is_private
        assert (stranger.is_private, stranger.text.startswith("Only a GM can press that button.")) == (
            True,
            True,
        )
        assert (done.how, done.text) == ("edit", r"**Gwen** undoes\: Ada pushes" "\nAda: Luck 1 → 2")

    async def test_obstacles_to_an_undo_can_be_undone_together_with_it(self, desk: Desk, ada: Person) -> None:
        first = await do(desk, ada, "spend")
        await do(desk, ada, "spend")

        (blocked,) = await desk.press(ada, first.controls["Undo"])
        edited, told = await desk.press(ada, blocked.controls["Undo all 2"])

        assert blocked.is_private
        assert (edited.how, edited.text) == ("edit", "All of it is undone.")
        assert told.text == (
            r"**Alice** undoes\: Ada spends Luck"
            "\n"
            "Ada: Luck 0 → 2\n"
            r"Also undone\: Ada spends Luck."
        )

    @pytest.mark.parametrize("line", ["/undo", "/character list", "/character sheet"])
    async def test_undo_without_a_campaign_says_so(self, desk: Desk, neighbour: Person, line: str) -> None:
        (told,) = await desk.type(neighbour, line)

        assert told.is_private
        assert told.text == (
            "There is no campaign here yet. Someone with Manage Server can create one with /campaign create."
        )
