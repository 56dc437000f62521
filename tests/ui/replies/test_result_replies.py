"""Cards: who, what, outcome; the dice and the sum; what changed; the chance it had; what can follow."""

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Audience, Family, FollowUp, Roller, Verdict
from bot.rules.kernel.tracker import NEXT
from bot.rules.shared.notation.roll import FREE_ROLL, FreeRollInputs
from bot.table.base.access import ServerId
from bot.table.base.live_rows import MessagePlace
from bot.table.base.results import EntryId, FollowUpId, Message, OpenFollowUp, Result
from bot.table.journal.journal import InTheWay, UndoBlocked, Undone, UndoNeedsGm
from bot.ui.replies.gathering_replies import page_reply
from bot.ui.replies.result_replies import details_reply, result_reply, undo_reply
from bot.ui.text.reply import Button, Look
from bot.ui.text.roll_text import REPLY_LINES, height, roll_line
from tests.dice import ScriptedDice
from tests.ui.shown import (
    FAILURE,
    SUCCESS,
    Chance,
    ChangeLine,
    Die,
    NoInputs,
    Odds,
    Term,
    a_menu,
    a_result,
    a_roll,
    offered,
    shown,
)

SNEAK = a_roll(
    Die(sides=6, face=3),
    Die(sides=6, face=2),
    terms=(Term("Stealth", 7), Term("rain", -1)),
    total=11,
    against="13+",
    verdict=FAILURE,
    odds=Odds((("failure", Chance(15, 36)), ("success", Chance(21, 36))), needed="success"),
    outcome="failure",
)


def test_the_chance_of_free_dice_is_that_of_their_total_or_more() -> None:
    roll = FREE_ROLL.resolve(FreeRollInputs(expression="1d20+3"), ScriptedDice("d20:17"))
    told = Message(who="Ada", headline="rolls")

    assert result_reply(Result(entry=EntryId(1), message=told, rolls=(roll,))).text == (
        "**Ada** rolls\n1d20 \\(17\\) + 3 = **20**\n-# 20% for 20 or more"
    )


class TestACard:
    def test_a_failed_check_shows_its_dice_chance_and_rescue_button(self) -> None:
        result = a_result(
            verdict=FAILURE, rolls=(SNEAK,), follow_ups=offered("Lucky Break · 50% · 2 left"), can_undo=True
        )

        assert shown(result_reply(result)) == (
            "public, failure\n"
            "**Laeniel** sneaks past the guards · **fails by 2**\n"
            "⚂ ⚁ 5 + Stealth 7 − rain 1 = **11** against 13+\n"
            "-# chance was 58%\n"
            "[!Lucky Break · 50% · 2 left] [Details] [Undo]"
        )

    def test_changes_take_one_line_per_character(self) -> None:
        result = a_result(
            changes=(
                ChangeLine("Laeniel", "Lucky Breaks", "2", "1"),
                ChangeLine("Laeniel", "Brawn", "3", "4"),
                ChangeLine("Orc", "Physical", "3", "1"),
            ),
            notes=("The Watch wakes.",),
        )

        assert shown(result_reply(result)) == (
            "public, news\n"
            "**Laeniel** sneaks past the guards\n"
            "Lucky Breaks 2 → 1 · Brawn 3 → 4\n"
            r"Orc: Physical 3 → 1" + "\n"
            "The Watch wakes."
        )

    def test_the_actors_own_changes_come_first(self) -> None:
        result = a_result(
            changes=(ChangeLine("Orc", "Coin", "30", "25"), ChangeLine("Laeniel", "Coin", "0", "5"))
        )

        assert shown(result_reply(result)) == (
            "public, news\n**Laeniel** sneaks past the guards\nCoin 0 → 5\nOrc: Coin 30 → 25"
        )

    def test_a_result_without_a_character_begins_with_what_was_done(self) -> None:
        assert result_reply(a_result("", "the session ends by itself")).text == "the session ends by itself"

    def test_a_roll_without_a_target_shows_every_chance(self) -> None:
        odds = Odds((("bad", Chance(1, 4)), ("none", Chance(0, 4)), ("good", Chance(3, 4))))

        assert result_reply(a_result(rolls=(a_roll(odds=odds, total=3),))).text.endswith(
            "-# bad: 25% · good: 75%"
        )

    def test_a_private_result_is_shown_to_the_person_alone(self) -> None:
        assert result_reply(a_result(is_public=False)).is_private

    def test_an_undone_result_is_struck_through_and_has_no_buttons(self) -> None:
        result = a_result(verdict=SUCCESS, rolls=(SNEAK,), follow_ups=offered("Push"), is_undone=True)

        assert shown(result_reply(result)) == (
            "public, news\n~~**Laeniel** sneaks past the guards · **success**~~\n-# Undone."
        )

    def test_names_and_notes_are_shown_as_typed(self) -> None:
        result = a_result("**Ada** @everyone", "pokes ||Bo||", notes=("- Bo_ falls\n# over",))

        assert result_reply(result).text == (
            r"**\*\*Ada\*\* \@everyone** pokes \|\|Bo\|\|" + "\n" + r"\- Bo\_ falls \# over"
        )

    def test_a_tall_card_leaves_terms_but_no_dice_to_its_details(self) -> None:
        hard = replace(SNEAK, against="13+ (in the rain)")
        below = tuple(
            a_result("Laeniel", f"tries {which}", verdict=FAILURE, rolls=(hard,)) for which in "abc"
        )
        result = a_result(verdict=FAILURE, rolls=(hard,), below=below)

        assert result_reply(result).text == (
            "**Laeniel** sneaks past the guards · **fails by 2**\n"
            "⚂ ⚁ **11** against 13+ \\(in the rain\\) · 58%\n"
            "**Laeniel** tries a · **fails by 2**\n"
            "⚂ ⚁ **11** against 13+ \\(in the rain\\) · 58%\n"
            "**Laeniel** tries b · **fails by 2**\n"
            "⚂ ⚁ **11** against 13+ \\(in the rain\\) · 58%\n"
            "**Laeniel** tries c · **fails by 2**\n"
            "⚂ ⚁ **11** against 13+ \\(in the rain\\) · 58%"
        )
        assert details_reply(result).text.count("⚂ ⚁ 5 + Stealth 7 − rain 1 = **11**") == 4

    def test_of_lines_that_read_the_same_only_as_many_are_shown_as_fit(self) -> None:
        text = result_reply(a_result(notes=("A die rolls off the table.",) * 20)).text

        assert text.count("A die rolls off the table.") == REPLY_LINES - 2
        assert height([text]) == REPLY_LINES

    def test_a_very_long_note_is_cut_and_stands_whole_under_details(self) -> None:
        result = a_result(notes=("words " * 100,))
        reply = result_reply(result)

        assert reply.text == (
            f"**Laeniel** sneaks past the guards\n{'words ' * 25}words…\n-# The rest is under Details."
        )
        assert [button.label for row in reply.rows if isinstance(row, tuple) for button in row] == ["Details"]
        assert ("words " * 100).strip() in details_reply(result).text


class TestButtons:
    def test_two_buttons_that_say_and_do_the_same_are_shown_once(self) -> None:
        result = a_result(rolls=(SNEAK,), can_undo=True, follow_ups=offered("End turn", "A", "End turn"))

        assert shown(result_reply(result)).splitlines()[-1] == "[!End turn] [!A] [Details] [Undo]"

    def test_what_ends_a_turn_is_quiet_until_something_was_rolled_in_it(self) -> None:
        (end,) = offered("End turn")
        end = replace(end, follow_up=replace(end.follow_up, procedure=NEXT))

        assert shown(result_reply(a_result(follow_ups=(end,)))).splitlines()[-1] == "[End turn]"
        rolled = shown(result_reply(a_result(rolls=(SNEAK,), verdict=FAILURE, follow_ups=(end,))))
        assert "[!End turn]" in rolled

    def test_a_button_that_presses_itself_says_so_as_long_as_that_takes_one_line(self) -> None:
        def label(words: str) -> str:
            (one,) = offered(words)
            one = replace(one, follow_up=replace(one.follow_up, after_seconds=60))
            return shown(result_reply(a_result(follow_ups=(one,)))).splitlines()[-1]

        assert label("Keep the failure") == "[!Keep the failure · auto 60 s]"
        assert label("Nettle: Dex + Lck 52%") == "[!Nettle: Dex + Lck 52% · 60 s]"

    def test_six_buttons_take_two_rows(self) -> None:
        result = a_result(rolls=(SNEAK,), can_undo=True, follow_ups=offered("A", "B", "C", "D"))

        assert shown(result_reply(result)).splitlines()[-2:] == ["[!A] [!B] [!C] [!D] [Details]", "[Undo]"]

    def test_menus_stand_above_buttons(self) -> None:
        result = a_result(follow_ups=(*offered("Check"), a_menu(2, "Give an ace …", "Bo", "Cy")))

        assert shown(result_reply(result)).splitlines()[-2:] == ["<Give an ace … 1..1: Bo / Cy>", "[!Check]"]

    def test_a_result_never_has_more_than_two_rows_and_the_rest_is_behind_a_button(self) -> None:
        menus = tuple(a_menu(number, f"Which {number}?", "a") for number in range(6))
        result = a_result(follow_ups=(*menus, *offered(*"ABCDEFGH", first=10)))

        lines = shown(result_reply(result)).splitlines()

        assert lines[-2:] == ["<Which 0? 1..1: a>", "[!A] [!B] [!C] [!D] [More …]"]
        assert len(result_reply(result).rows) == 2
        assert len(page_reply(result, "more").blocks) == 1 + 5 + 1

    def test_a_gms_buttons_are_behind_one_that_is_bright_while_the_game_waits_for_a_gm(self) -> None:
        allow = FollowUp(procedure="x", options=NoInputs(), label="Allow it (GM)", audience=Audience.GM)
        foes = FollowUp(procedure="x", options=NoInputs(), label="Allow it (GM)", is_npcs=True)
        for found, button in (
            (allow, "[GM …]"),
            (replace(allow, is_owed=True), "[!GM …]"),
            (foes, "[GM …]"),  # what a foe of theirs answers
        ):
            offer = OpenFollowUp(FollowUpId(1), found)
            result = a_result(follow_ups=(offer,), can_undo=True)

            assert shown(result_reply(result)).splitlines()[-1] == f"[Undo] {button}"
            assert page_reply(result, "gm").blocks[1] == (
                Button(id="do:1:1:gm", label="Allow it", look=Look.MAIN),
            )

    def test_a_rescue_is_bright_after_a_failure_and_quiet_after_a_success(self) -> None:
        rescue = FollowUp(procedure="x", options=NoInputs(), label="Lucky Break · 50%", rewinds=True)
        for family, button in (
            (Family.FAILURE, "[!Lucky Break · 50%]"),
            (Family.PARTIAL, "[!Lucky Break · 50%]"),
            (Family.SUCCESS, "[Lucky Break · 50%]"),
        ):
            found = OpenFollowUp(FollowUpId(1), rescue)
            result = a_result(verdict=Verdict(family, "so"), follow_ups=(found,))

            assert shown(result_reply(result)).splitlines()[-1] == button


class TestDice:
    def test_dropped_dice_are_struck_through_and_left_out_of_the_sum(self) -> None:
        roll = a_roll(
            Die(sides=20, face=4, is_kept=False), Die(sides=20, face=15), Die(sides=8, face=2), total=17
        )

        assert roll_line(roll) == "~~d20 **4**~~ d20 **15** + d8 **2** = **17**"

    def test_plain_d6_are_drawn_as_faces_with_their_sum(self) -> None:
        roll = a_roll(
            Die(sides=6, face=3),
            Die(sides=6, face=2, is_kept=False),
            Die(sides=6, face=4),
            Die(sides=8, face=8),
            Die(sides=6, face=1),
            total=16,
        )

        assert roll_line(roll) == "⚂ ~~⚁~~ ⚃ 7 + d8 **8** + ⚀ 1 = **16**"

    def test_plain_d6_that_are_the_whole_sum_show_it_once(self) -> None:
        roll = a_roll(Die(sides=6, face=3), Die(sides=6, face=2), total=5, against="8+")

        assert roll_line(roll) == "⚂ ⚁ **5** against 8+"

    def test_borrowed_dice_are_shown_in_italics(self) -> None:
        roll = a_roll(
            Die(sides=12, face=7, label="Dex"), Die(sides=8, face=2, label="bonus", is_borrowed=True), total=9
        )

        assert roll_line(roll) == "Dex d12 **7** + *bonus* d8 **2** = **9**"

    def test_cards_stand_side_by_side(self) -> None:
        roll = a_roll(Die(sides=54, face=1, shown="A♠"), Die(sides=53, face=9, shown="10♥"))

        assert roll_line(roll) == "A♠ 10♥"

    def test_cards_beside_a_sum_are_left_out_of_it(self) -> None:
        roll = a_roll(
            Die(sides=54, face=1, shown="A♠"), Die(sides=8, face=5), terms=(Term("Dex", -2),), total=3
        )

        assert roll_line(roll) == "A♠ d8 **5** − Dex 2 = **3**"

    def test_a_sum_without_dice_begins_with_its_first_term(self) -> None:
        assert roll_line(a_roll(terms=(Term("Stealth", 7),), total=7)) == "Stealth 7 = **7**"

    def test_a_negative_sum_has_a_true_minus(self) -> None:
        assert roll_line(a_roll(Die(sides=4, face=1), terms=(Term("rain", -5),), total=-4)).endswith("**−4**")

    def test_a_roll_without_a_number_shows_its_verdict(self) -> None:
        assert roll_line(a_roll()) == "**success**"

    def test_a_free_roll_is_written_as_it_was_typed(self) -> None:
        inputs = FreeRollInputs(expression="2d20kh1 + 3 [to *hit*]")
        roll = FREE_ROLL.resolve(inputs, ScriptedDice("d20:4 d20:15"))

        assert roll_line(roll) == "2d20kh1 \\(~~4~~, 15\\) + 3 *to \\*hit\\** = **18**"


class TestDetails:
    def test_details_list_every_chance_and_mark_the_actual_outcome(self) -> None:
        assert shown(details_reply(a_result(verdict=FAILURE, rolls=(SNEAK,)))) == (
            "private, news\n"
            "**Laeniel** sneaks past the guards · **fails by 2**\n"
            "⚂ ⚁ 5 + Stealth 7 − rain 1 = **11** against 13+\n"
            "▸ failure: 42% (15 of 36)\n"
            "· success: 58% (21 of 36)\n"
            "-# Journal entry 7 · check the dice with /fair"
        )


class TestTakingBack:
    TOLD = Message(who="Ada", headline="spends Luck")

    def test_an_undo_is_shown_like_any_result(self) -> None:
        place = MessagePlace(ServerId(1), EntryId(7))
        undone = Undone(a_result("Alice", "undoes: Ada spends Luck"), a_result(is_undone=True), place)

        assert undo_reply(undone).text == r"**Alice** undoes\: Ada spends Luck"

    @pytest.mark.parametrize(
        ("has_dice", "is_others", "together", "why"),
        [
            (True, False, False, "It has a roll in it, so the GM decides. Rolls stay in the journal."),
            (False, True, False, "It isn't theirs, so the GM decides."),
            (
                True,
                True,
                True,
                "Some of it has a roll in it and isn't theirs, so the GM decides. Rolls stay in the journal.",
            ),
            (False, False, False, "The GM decides."),
        ],
    )
    def test_an_undo_request_to_the_gm_is_public_and_says_why(
        self, has_dice: bool, is_others: bool, together: bool, why: str
    ) -> None:
        asked = UndoNeedsGm(EntryId(7), self.TOLD, together, "Alice", has_dice=has_dice, is_others=is_others)
        whole = ", with everything that depends on it" if together else ""

        assert shown(undo_reply(asked)) == (
            "public, news\n"
            f"**Alice** asks the GM to undo{whole}: **Ada** spends Luck\n"
            f"-# {why}\n"
            "[xUndo it (GM)]"
        )

    def test_an_undo_request_for_a_private_result_does_not_reveal_it(self) -> None:
        secret = Message(who="Ada", headline="listens at the door", is_public=False)

        text = undo_reply(UndoNeedsGm(EntryId(7), secret, True, "Alice", has_dice=True)).text

        assert text.startswith(
            "**Alice** asks the GM to undo, with everything that depends on it: "
            "something only they and the GM can see\n-# The GM decides."
        )

    def test_a_blocked_undo_lists_up_to_eight_obstacles(self) -> None:
        later = tuple(InTheWay(EntryId(8 + number), self.TOLD) for number in range(10))

        assert shown(undo_reply(UndoBlocked(EntryId(7), self.TOLD, later))) == (
            "private, failure\n"
            "Not undone: **Ada** spends Luck\n"
            "Later changes depend on it:\n" + "- **Ada** spends Luck\n" * 8 + "- and 2 more\n"
            "[xUndo all 11]"
        )
        asking = undo_reply(UndoBlocked(EntryId(7), self.TOLD, later, needs_gm=True))
        assert "[Ask the GM to undo all 11]" in shown(asking)  # F-ALL-36


def test_an_undo_that_keeps_an_object_strikes_out_only_the_changed_values() -> None:
    told = Message(who="Gwen", headline="starts session 1", changes=(ChangeLine("Ada", "Luck", "1", "3"),))

    assert result_reply(Result(entry=EntryId(1), message=told, is_undone=True, stays=True)).text == (
        "**Gwen** starts session 1\n~~Ada: Luck 1 → 3~~\n-# Its changes are undone."
    )


class TestWhoseRoll:
    """F-ALL-09: with more than one roll in a message, every line says who rolled and what for."""

    SHOT = replace(SNEAK, purpose="attack", roller=Roller(None, "Ilsa"))
    SAVE = replace(SNEAK, purpose="save", roller=Roller(None, "Guard 1"), odds=None)
    DRAW = a_roll(
        Die(sides=6, face=3),
        odds=Odds((("bad", Chance(1, 4)), ("good", Chance(3, 4)))),
        purpose="level",
    )

    def test_several_rolls_each_begin_with_who_and_what_and_end_with_the_chance(self) -> None:
        text = result_reply(a_result("Ilsa", "shoots", rolls=(self.SHOT, self.SAVE))).text

        assert text == (
            "**Ilsa** shoots\n"
            "Ilsa, attack: ⚂ ⚁ 5 + Stealth 7 − rain 1 = **11** against 13+ (58%)\n"
            "Guard 1, save: ⚂ ⚁ 5 + Stealth 7 − rain 1 = **11** against 13+"
        )

    def test_a_single_roll_by_somebody_else_shows_their_name(self) -> None:
        text = result_reply(a_result("Ilsa", "shoots", rolls=(self.SAVE,))).text

        assert text.splitlines()[1].startswith("Guard 1, save: ⚂ ⚁ 5")

    def test_a_single_roll_by_the_actor_shows_no_name(self) -> None:
        text = result_reply(a_result("Ilsa", "shoots", rolls=(self.SHOT,))).text

        assert text.splitlines()[1:] == [
            "⚂ ⚁ 5 + Stealth 7 − rain 1 = **11** against 13+",
            "-# chance was 58%",
        ]

    def test_chances_of_several_rolls_without_a_target_begin_with_who_and_what(self) -> None:
        text = result_reply(a_result("Ilsa", "shoots", rolls=(self.SHOT, self.DRAW))).text

        assert text.splitlines()[2:] == ["Level: ⚂ 3", "-# Level: bad: 25% · good: 75%"]

    def test_details_name_each_roller(self) -> None:
        lines = details_reply(a_result("Ilsa", "shoots", rolls=(self.SHOT, self.SAVE))).text.splitlines()

        assert [line.partition(":")[0] for line in lines if "⚂" in line] == ["Ilsa, attack", "Guard 1, save"]

    def test_old_rolls_without_a_stored_roller_are_shown_without_a_name(self) -> None:
        text = result_reply(a_result("Ilsa", "shoots", rolls=(SNEAK, SNEAK))).text

        assert text.splitlines()[1] == "⚂ ⚁ 5 + Stealth 7 − rain 1 = **11** against 13+ (58%)"
