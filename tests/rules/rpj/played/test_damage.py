"""Damage at a real table: saves by button, layers, what a Lucky Break gives back, rest and the clock."""

from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.defense_layers import Out
from bot.table.base.results import ChangeLine
from bot.table.journal import journal
from bot.table.journal import verify as export
from bot.table.journal.entries import Expired
from bot.table.journal.verify import verify
from bot.table.play import play
from bot.table.play.play import Pressed
from bot.table.sessions import endings, sessions
from tests.rules.rpj.played.conftest import PLAYED, Played, beaten, labels, lost, out
from tests.table.counting import everything, state

LEATHER_LOST = ChangeLine("Ug", "Leather armor", "2 of 2 (5+)", "1 of 2 (5+)")


@pytest.mark.rule("RPJ-HEALTH-12", "RPJ-HEALTH-14")
class TestDamageSaves:
    async def test_a_damage_save_uses_the_right_layer_and_target_number(self, played: Played) -> None:
        done = await played.do(played.bob, "save", 4, 4, damage=2)

        assert done.message.headline == "rolls a Leather armor save against 2 damage"
        assert done.message.verdict is not None
        assert (done.message.verdict.title, done.rolls[0].against) == ("saved", "7+")
        assert done.message.changes == ()
        assert labels(done) == []

    async def test_a_failed_save_is_crossed_off_the_sheet(self, played: Played) -> None:
        failed = await played.do(played.bob, "save", 3, 3, damage=2)

        assert failed.message.verdict is not None
        assert failed.message.verdict.title == "failed: one 5+ save lost"
        assert failed.message.changes == (LEATHER_LOST,)
        assert labels(failed) == ["Lucky Break · 50% · 2 left"]

    @pytest.mark.rule("RPJ-HEALTH-15")
    async def test_the_last_save_lost_breaks_its_layer_and_the_next_hit_meets_the_layer_below(
        self, played: Played
    ) -> None:
        await played.do(played.bob, "save", 1, 2, damage=10)
        second = await played.do(played.bob, "save", 1, 2, damage=10)
        third = await played.do(played.bob, "save", 6, 6, damage=10)

        assert second.message.notes == ("Leather armor is broken.", "A Lucky Break can't turn this roll.")
        assert third.message.headline == "rolls a save against 10 damage"
        assert third.message.verdict is not None
        assert third.message.verdict.title == "saved"

    @pytest.mark.rule("RPJ-HEALTH-03", "RPJ-HEALTH-13")
    async def test_negative_damage_makes_a_save_easier_but_double_ones_still_fail(
        self, played: Played
    ) -> None:
        failed = await played.do(played.bob, "save", 1, 1, damage=-5)

        assert failed.rolls[0].against == "0+"
        assert failed.message.headline == "rolls a Leather armor save against −5 damage"
        assert failed.message.changes == (LEATHER_LOST,)

    @pytest.mark.rule("RPJ-HEALTH-03")
    async def test_a_reduction_lowers_damage_to_0_at_most(self, played: Played) -> None:
        assert (await played.do(played.bob, "save", 4, 4, damage=2, reduce=3)).rolls[0].against == "5+"

    @pytest.mark.rule("RPJ-HEALTH-11")
    async def test_damage_that_bypasses_armor_meets_the_base_saves(self, played: Played) -> None:
        done = await played.do(played.bob, "save", 4, 5, damage=2, bypass="armor")

        assert (done.message.headline, done.rolls[0].against) == (
            "rolls a save against 2 damage, bypassing armor",
            "9+",
        )
        with pytest.raises(UserError, match="“mail” isn't a layer damage can bypass"):
            await played.do(played.bob, "save", bypass="mail")

    @pytest.mark.rule("RPJ-HEALTH-17")
    async def test_an_attack_that_hits_twice_asks_for_a_second_save(self, played: Played) -> None:
        first = await played.do(played.bob, "save", 1, 2, damage=3, times=2)
        assert labels(first)[1] == "Ug: save 2 of 2, 8+ · 42%"

        second = (await played.press(played.bob, first, "Ug: save 2 of 2", 1, 2)).result

        assert second.message.changes == (ChangeLine("Ug", "Leather armor", "1 of 2 (5+)", "0 of 2"),)
        assert second.message.notes == ("Leather armor is broken.",)

    async def test_the_dice_of_damage_saves_can_be_checked_from_the_export(
        self, played: Played, tmp_path: Any
    ) -> None:
        failed = await played.do(played.bob, "save", 3, 3, damage=2)
        await played.press(played.bob, failed, "Lucky Break", 6)
        await endings.end(played.table, played.gwen.asks())
        lines = [line async for line in export.export_lines(played.table, played.gwen.asks())]
        (tmp_path / "journal.jsonl").write_text("".join(lines))

        report = verify(tmp_path / "journal.jsonl", {"rpj": PLAYED})

        assert (report.faults, report.dice) == ([], 3)


@pytest.mark.rule("RPJ-LUCK-03")
class TestRewindingASave:
    async def test_a_lucky_break_restores_the_save_it_turns(self, played: Played) -> None:
        failed = await played.do(played.bob, "save", 3, 3, damage=2)

        turned = (await played.press(played.bob, failed, "Lucky Break", 6)).result

        assert turned.message.changes == (
            ChangeLine("Ug", "Lucky Breaks", "2", "1"),
            ChangeLine("Ug", "Leather armor", "1 of 2 (5+)", "2 of 2 (5+)"),
        )
        assert (await played.sheet("Ug")).health == RpjSheet(attributes={}).health

    async def test_a_lucky_break_that_turns_nothing_loses_the_save_only_once(self, played: Played) -> None:
        failed = await played.do(played.bob, "save", 3, 2, damage=2)

        still = (await played.press(played.bob, failed, "Lucky Break", 1)).result

        assert still.message.changes == (ChangeLine("Ug", "Lucky Breaks", "2", "1"),)
        health = (await played.sheet("Ug")).health
        assert [str(layer) for layer in health.layers] == ["×5+/5+"]

    @pytest.mark.rule("RPJ-HEALTH-16")
    async def test_a_lucky_break_brings_back_a_character_the_hit_incapacitated(self, played: Played) -> None:
        last = await beaten(played)
        assert await out(played) is Out.INCAPACITATED
        assert last.message.notes == ("No base save left: bleeding out.",)

        turned = (await played.press(played.bob, last, "Lucky Break", 6)).result

        assert ChangeLine("Ug", "State", "bleeding out", "in action") in turned.message.changes
        assert await out(played) is Out.NO
        assert (await played.kept("Ug")).timers == {}

    async def test_a_lucky_break_comes_too_late_after_the_next_bleeding_roll(self, played: Played) -> None:
        last = await beaten(played)
        due = await played.wait(60)
        await played.press(played.bob, due, "Ug: roll against bleeding out", 1, 2)

        with pytest.raises(Expired):
            await played.press(played.bob, last, "Lucky Break", 6)

    async def test_only_a_second_hit_on_the_same_character_makes_a_lucky_break_too_late(
        self, played: Played
    ) -> None:
        first = await played.do(played.bob, "save", 3, 3, damage=2)
        await played.do(played.alice, "save", 1, 2, damage=2)
        await played.do(played.gwen, "harm", targets=("Laeniel",), damage=2)
        assert isinstance(await played.press(played.bob, first, "Lucky Break", 1), Pressed)

        second = await played.do(played.bob, "save", 1, 3, damage=2)
        await played.do(played.bob, "save", 1, 3, damage=2)

        with pytest.raises(Expired):
            await played.press(played.bob, second, "Lucky Break", 6)

    async def test_undoing_a_lucky_break_loses_the_save_again(self, played: Played) -> None:
        failed = await played.do(played.bob, "save", 3, 3, damage=2)
        before = state(played.table)
        turned = (await played.press(played.bob, failed, "Lucky Break", 6)).result

        await journal.undo(played.table, played.gwen.asks(), turned.entry)

        assert state(played.table) == before


class TestDealingDamage:
    @pytest.mark.rule("RPJ-HEALTH-02", "RPJ-HEALTH-12")
    async def test_the_gm_deals_damage_and_each_player_saves_by_button(self, played: Played) -> None:
        done = await played.do(played.gwen, "harm", targets=("Ug", "Laeniel"), damage=2)
        assert done.message.headline == "deals 2 damage to Ug, Laeniel"
        assert labels(done) == [
            "Ug: save 7+ · 58%",
            "Laeniel: save 9+ · 28%",
        ]
        with pytest.raises(UserError, match="That button is for Ug"):
            await played.press(played.alice, done, "Ug: save")

        failed = (await played.press(played.bob, done, "Ug: save", 1, 2)).result

        assert failed.message.changes == (LEATHER_LOST,)
        with pytest.raises(UserError, match="That has already been done"):
            await played.press(played.bob, done, "Ug: save", 1, 2)
        assert isinstance(await played.press(played.alice, done, "Laeniel: save", 6, 6), Pressed)

    async def test_only_the_gm_can_deal_damage_and_ambush(self, played: Played) -> None:
        for procedure, given in (("harm", {"targets": ("Ug",)}), ("ambush", {"target": "Ug"})):
            with pytest.raises(UserError):
                await played.do(played.alice, procedure, **given)

    async def test_damage_to_hidden_characters_is_shown_to_the_gm_alone(self, played: Played) -> None:
        await played.do(played.gwen, "harm", targets=("Ogre",), damage=1)
        done = await play.perform(
            played.table, played.gwen.asks(), "harm", {"targets": ("Ogre",), "damage": 1}, is_secret=True
        )

        assert not done.message.is_public

    @pytest.mark.rule("RPJ-HEALTH-18")
    @pytest.mark.parametrize(
        ("way", "button"),
        [
            ("Base saves only: 7+", "Ug: save 9+ · 28%"),
            ("One base save, the best: 7+", "Ug: save 9+ · 28%"),
            ("One base save, the worst: 7+", "Ug: save 9+ · 28%"),
        ],
    )
    async def test_the_gm_decides_which_save_a_helpless_character_makes(
        self, played: Played, way: str, button: str
    ) -> None:
        asked = await played.do(played.gwen, "ambush", target="Ug", damage=2)
        with pytest.raises(UserError):
            await played.press(played.bob, asked, way)

        chosen = (await played.press(played.gwen, asked, way)).result
        assert labels(chosen) == [button]
        await played.press(played.bob, chosen, "Ug: save", 3, 4)

        assert await lost(played) == (7,)
        assert await out(played) is (Out.NO if way.startswith("Base") else Out.INCAPACITATED)

    @pytest.mark.rule("RPJ-HEALTH-18")
    @pytest.mark.parametrize(
        ("way", "after"), [("Out of action", Out.KNOCKED_OUT), ("Dead at once", Out.DEAD)]
    )
    async def test_the_gm_may_put_a_helpless_character_out_without_a_save(
        self, played: Played, way: str, after: Out
    ) -> None:
        asked = await played.do(played.gwen, "ambush", target="Ug", damage=2, nonlethal=True)

        await played.press(played.gwen, asked, way)

        assert (await lost(played), await out(played)) == ((), after)


class TestPlayersOwnLayers:
    @pytest.mark.rule("RPJ-HEALTH-09", "RPJ-HEALTH-10", "RPJ-HEALTH-01")
    async def test_a_player_places_a_pebble_layer_inside_a_rock_layer(self, played: Played) -> None:
        await played.do(played.bob, "layer", name="Rock", saves="5 6")
        pebble = await played.do(played.bob, "layer", name="Pebble", saves="4")
        assert labels(pebble) == ["Inside Rock"]

        await played.press(played.bob, pebble, "Inside Rock")
        shown = await played.do(played.bob, "health")

        assert shown.message.notes == (
            "Base: 3 of 3 (7+)",
            "Leather armor: 2 of 2 (5+)",
            "Pebble: 1 of 1 (4+)",
            "▸ Rock: 2 of 2 (5+, 6+)",
            "Next save: Rock 5+. Chance by damage: 0: 83% · 1: 72% · 2: 58% · 3: 42% · 4: 28%.",
        )
        assert not shown.message.is_public

    @pytest.mark.rule("RPJ-HEALTH-09")
    async def test_a_layer_can_no_longer_be_moved_once_play_goes_on(self, played: Played) -> None:
        await played.do(played.bob, "layer", name="Rock", saves="5 6")
        pebble = await played.do(played.bob, "layer", name="Pebble", saves="4")
        await played.do(played.bob, "save", 5, 5, damage=1)

        with pytest.raises(Expired):
            await played.press(played.bob, pebble, "Inside Rock")

    @pytest.mark.rule("RPJ-HEALTH-09", "RPJ-HEALTH-20")
    async def test_a_layer_with_a_duration_ends_on_time(self, played: Played) -> None:
        made = await played.do(played.bob, "layer", name="Shield spell", saves="5+/6+", minutes=10)
        assert made.message.headline == "is protected by Shield spell, outermost"

        over = await played.wait(600)

        assert over.message.notes == ("Ug loses the protection of shield spell.",)
        assert (await played.sheet("Ug")).health.layers == ()

    @pytest.mark.rule("RPJ-HEALTH-09")
    async def test_the_gm_can_end_a_layer_without_a_duration(self, played: Played) -> None:
        await played.do(played.bob, "layer", name="Rock", saves="5 6")

        ended = await played.do(played.gwen, "end_layer", target="Ug", layer="rock")

        assert ended.message.changes == (ChangeLine("Ug", "Rock", "2 of 2 (5+, 6+)", "none"),)
        with pytest.raises(UserError, match="Leather armor isn't temporary"):
            await played.do(played.gwen, "end_layer", target="Ug", layer="Leather armor")

    @pytest.mark.rule("RPJ-HEALTH-15", "RPJ-HEALTH-20")
    async def test_a_player_cannot_renew_a_broken_layer(self, played: Played) -> None:
        """F-RPJ-06."""
        await played.do(played.bob, "layer", name="Rock", saves="5", kind="armor")
        await played.do(played.bob, "save", 1, 2, damage=2, bypass="ability, shield")
        before = everything(played.table)

        for name in ("rock", " Leather  ARMOR"):
            with pytest.raises(UserError, match="There is already a layer called"):
                await played.do(played.bob, "layer", name=name, saves="5")

        assert everything(played.table) == before

    @pytest.mark.parametrize("saves", ["", "one", "13", "1 5", "5 " * 11, "5, banana", "5x", "5-6"])
    async def test_the_saves_of_a_new_layer_must_be_target_numbers(self, played: Played, saves: str) -> None:
        before = everything(played.table)
        with pytest.raises(UserError):
            await played.do(played.bob, "layer", name="Rock", saves=saves)
        assert everything(played.table) == before


class TestRecovery:
    @pytest.mark.rule("RPJ-HEALTH-20", "RPJ-GM-07")
    async def test_two_hours_of_rest_restore_a_base_save_but_no_armor(self, played: Played) -> None:
        await played.do(played.bob, "save", 1, 2, damage=2)
        await beaten(played, 2)

        rested = await played.do(played.gwen, "rest", hours=3, who=("Ug", "Laeniel"))

        assert rested.message.headline == "lets Ug, Laeniel rest for 3 hours"
        assert rested.message.changes == (ChangeLine("Ug", "Base", "1 of 3 (7+)", "2 of 3 (7+)"),)

    @pytest.mark.rule("RPJ-HEALTH-20")
    async def test_the_gm_can_repair_armor(self, played: Played) -> None:
        await played.do(played.bob, "save", 1, 2, damage=2)

        mended = await played.do(played.gwen, "repair", target="Ug", layer="Leather armor")

        assert mended.message.changes == (ChangeLine("Ug", "Leather armor", "1 of 2 (5+)", "2 of 2 (5+)"),)
        with pytest.raises(UserError, match="Leather armor isn't damaged"):
            await played.do(played.gwen, "repair", target="Ug", layer="Leather armor")

    @pytest.mark.rule("RPJ-HEALTH-16")
    async def test_a_character_who_gets_a_base_save_back_is_in_action_again(self, played: Played) -> None:
        await beaten(played)

        healed = await played.do(played.gwen, "heal", target="Ug")

        assert ChangeLine("Ug", "State", "bleeding out", "in action") in healed.message.changes
        assert await lost(played) == (7, 7)
        assert (await played.kept("Ug")).timers == {}

    async def test_a_new_session_heals_nothing(self, played: Played) -> None:
        await beaten(played, 2)
        await endings.end(played.table, played.gwen.asks())
        await sessions.start(played.table, played.gwen.asks())

        assert await lost(played) == (7, 7)


class TestIncapacitatedOverTime:
    @pytest.mark.rule("RPJ-GCS-33", "RPJ-GM-07")
    async def test_a_bleeding_roll_is_due_every_minute(self, played: Played) -> None:
        await beaten(played)
        assert (await played.kept("Ug")).timers == {"bleeding": 60}

        due = await played.wait(90)
        assert due.message.notes == ("Ug bleeds: a roll is due.",)
        failed = (
            await played.press(played.bob, due, "Ug: roll against bleeding out against 9+ · 28%", 4, 4)
        ).result

        assert failed.message.verdict is not None
        assert failed.message.verdict.title == "still bleeding, 1 of 5"
        assert (await played.kept("Ug")).timers == {"bleeding": 120}

    @pytest.mark.rule("RPJ-GCS-33", "RPJ-GM-07")
    async def test_a_bleeding_roll_made_by_command_moves_the_next_one_a_minute_on(
        self, played: Played
    ) -> None:
        await beaten(played)
        await played.wait(60)

        await played.do(played.bob, "bleeding", 4, 4)

        assert (await played.kept("Ug")).timers == {"bleeding": 120}
        due = await played.wait(60)
        assert due.message.notes == ("Ug bleeds: a roll is due.",)

    @pytest.mark.rule("RPJ-GCS-33")
    async def test_f_opt_01_a_bleeding_roll_is_refused_before_it_is_due(self, played: Played) -> None:
        await beaten(played)
        with pytest.raises(UserError, match="Ug's next roll is due in 1 minute of game time"):
            await played.do(played.bob, "bleeding")

        await played.wait(60)
        await played.do(played.bob, "bleeding", 4, 4)
        with pytest.raises(UserError, match="due in 1 minute"):
            await played.do(played.bob, "bleeding")

        assert (await played.sheet("Ug")).health.bleeding == 1

    @pytest.mark.rule("RPJ-GCS-33")
    async def test_f_opt_01_the_button_of_a_bleeding_roll_made_by_command_no_longer_works(
        self, played: Played
    ) -> None:
        await beaten(played)
        due = await played.wait(60)
        await played.do(played.bob, "bleeding", 4, 4)

        with pytest.raises(UserError, match="due in 1 minute"):
            await played.press(played.bob, due, "Ug: roll against bleeding out")

        assert (await played.sheet("Ug")).health.bleeding == 1

    @pytest.mark.rule("RPJ-GCS-33")
    async def test_f_opt_01_every_minute_that_has_passed_gets_one_bleeding_roll(self, played: Played) -> None:
        await beaten(played)
        first = await played.wait(150)
        typed = await played.do(played.bob, "bleeding", 4, 4)
        assert labels(typed)[-1] == "Ug: roll against bleeding out against 9+ · 28%"

        with pytest.raises(UserError, match="This roll has already been made"):
            await played.press(played.bob, first, "Ug: roll against bleeding out")
        await played.press(played.bob, typed, "Ug: roll against bleeding out", 4, 4)

        assert (await played.sheet("Ug")).health.bleeding == 2
        assert (await played.kept("Ug")).timers == {"bleeding": 180}
        with pytest.raises(UserError, match="due in 1 minute"):
            await played.do(played.bob, "bleeding")

    @pytest.mark.rule("RPJ-GCS-35")
    async def test_f_opt_01_a_try_to_wake_is_refused_before_it_is_due(self, played: Played) -> None:
        asked = await played.do(played.gwen, "ambush", target="Ug", nonlethal=True)
        await played.press(played.gwen, asked, "Out of action")

        with pytest.raises(UserError, match="Ug's next roll is due in 5 minutes of game time"):
            await played.do(played.bob, "waking")

    @pytest.mark.rule("RPJ-GCS-33", "RPJ-LUCK-02")
    async def test_a_lucky_break_saves_a_character_from_bleeding_to_death(self, played: Played) -> None:
        await beaten(played)
        result = await played.wait(600)
        for number in range(5):
            assert await out(played) is Out.INCAPACITATED, number
            result = (await played.press(played.bob, result, "Ug: roll against bleeding out", 4, 4)).result
        assert await out(played) is Out.DEAD

        saved = (await played.press(played.bob, result, "Lucky Break", 5)).result

        assert saved.message.verdict is not None
        assert saved.message.verdict.title == "stabilized"
        assert await out(played) is Out.INCAPACITATED
        assert (await played.kept("Ug")).timers == {"sleeping": 600 + 8 * 3600}

    @pytest.mark.rule("RPJ-GCS-34", "RPJ-GCS-40")
    async def test_a_stable_character_is_in_action_again_after_eight_hours(self, played: Played) -> None:
        await beaten(played)
        due = await played.wait(60)
        await played.press(played.bob, due, "Ug: roll against bleeding out", 6, 6)

        rested = await played.do(played.gwen, "rest", hours=10, who=("Ug",))

        assert ChangeLine("Ug", "State", "stable, unconscious", "in action") in rested.message.changes
        assert await lost(played) == (7,)

    @pytest.mark.rule("RPJ-GCS-35")
    async def test_a_knocked_out_character_tries_to_wake_every_five_minutes(self, played: Played) -> None:
        asked = await played.do(played.gwen, "ambush", target="Ug", nonlethal=True)
        await played.press(played.gwen, asked, "Out of action")

        due = await played.wait(600)
        asleep = (await played.press(played.bob, due, "Ug: try to wake up against 12+", 1, 2)).result
        assert labels(asleep)[-1] == "Ug: try to wake up against 11+ · 72%"
        awake = (await played.press(played.bob, asleep, "Ug: try", 3, 3)).result

        assert awake.message.changes == (ChangeLine("Ug", "State", "knocked out", "in action"),)

    async def test_a_healthy_character_cannot_roll_against_bleeding_or_to_wake(self, played: Played) -> None:
        for procedure in ("bleeding", "waking"):
            with pytest.raises(UserError):
                await played.do(played.bob, procedure)

    async def test_an_incapacitated_character_cannot_roll_damage_saves(self, played: Played) -> None:
        await beaten(played)

        with pytest.raises(UserError, match="You can't roll damage saves while incapacitated"):
            await played.do(played.bob, "save")
        with pytest.raises(UserError, match="Ug is already out of action"):
            await played.do(played.gwen, "harm", targets=("Ug",))
