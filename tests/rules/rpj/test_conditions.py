"""Conditions: what they do to rolls and actions, what time does, and the ways out."""

from typing import Any

import pytest
from msgspec.structs import replace
from pydantic import ValidationError

from bot.rules.kernel import DueTimer, HookResult
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.incapacity import CONDITION, is_kept_from, suffered_by
from bot.rules.rpj.combat.commands.board import view
from bot.rules.rpj.conditions import RepeatedDamage, save_buttons, time_passes
from bot.rules.rpj.game_parts.rpj_resources import timers_due
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.condition_kinds import (
    Condition,
    ConditionKind,
    Escape,
    Need,
    Recovery,
    Resistance,
    RpjTick,
    Suffered,
    after_recovery,
    assert_allowed,
    begun,
    escape_of,
    is_unconscious,
    next_tick,
    recovery_of,
    ticks_due,
    with_condition,
)
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.effects import RollBonus, RollTarget
from bot.rules.rpj.module.module_files import RpjSettings, Shipped
from tests.rules.rpj.combat.played.brawl import brawl, d6, fighter, health, press
from tests.rules.rpj.people import figure, module_with
from tests.rules.rpj.table import GameTable
from tests.rules.rpj.test_conditions_at_the_table import give, has, sickbed

MINUTE = 60


def bonus(on: RollTarget, value: int) -> RollBonus:
    """A penalty of a condition."""
    return RollBonus(type="roll_bonus", on=on, value=value)


def condition(name: str, kind: str = "hindrance", **more: Any) -> Condition:
    """A condition."""
    id_ = name.lower().replace(" ", "_")
    return Condition(id=id_, name=name, kind=ConditionKind(kind), **more)


FLU = condition(
    "The Flu",
    effects=tuple(
        bonus(target, -2) for target in (RollTarget.SKILL, RollTarget.MELEE_ATTACK, RollTarget.RANGED_ATTACK)
    ),
)
SNOW_BLINDNESS = condition("Snow Blindness", forbids=(Need.SIGHT,))
CANTARELLA = condition("Cantarella Poison", "harm", ticks=(RpjTick(minutes=1, repeats=True, damage=2),))
ON_FIRE = condition(
    "On Fire",
    "harm",
    ticks=(RpjTick(minutes=1, outcome=Out.INCAPACITATED), RpjTick(minutes=2, outcome=Out.DEAD)),
)
SHACKLES = condition("Spell Shackles", "immobilization", forbids=(Need.MOVE, Need.HANDS, Need.ATTACK))
SLEEP = condition("Sleeping Powder", "immobilization", forbids=(Need.EVERYTHING,))
STUCK = condition("Stuck feet", "immobilization", forbids=(Need.MOVE,))


def suffering(*conditions: Condition) -> tuple[Suffered, ...]:
    """Somebody who has all of these since the beginning."""
    return tuple(begun(one, 0) for one in conditions)


def targets(one: Condition, **more: Any) -> dict[str, int]:
    """What a condition adds to what."""
    return {effect.on.value: effect.value for effect in one.bonuses(**more)}


@pytest.mark.rule("RPJ-COND-01")
class TestRecordingConditions:
    def test_a_condition_given_again_is_recorded_once_and_starts_again(self) -> None:
        twice = with_condition(with_condition((), FLU, 0), FLU, 90)
        assert [(one.condition.name, one.since) for one in twice] == [("The Flu", 90)]
        assert targets(twice[0].condition)["skill"] == -2

    def test_a_condition_given_again_keeps_the_worse_penalty(self) -> None:
        mild = FLU.model_copy(update={"effects": (bonus(RollTarget.SKILL, -1),), "checks": -1})
        (kept,) = with_condition(with_condition((), FLU, 0), mild, 10)
        assert {effect.on.value: effect.value for effect in kept.condition.effects} == {
            "skill": -2,
            "melee attack": -2,
            "ranged attack": -2,
        }
        assert kept.condition.checks == -1

    def test_conditions_with_different_names_add_up(self) -> None:
        assert len(with_condition(suffering(FLU), SNOW_BLINDNESS, 5)) == 2

    def test_whoever_is_out_takes_no_more_damage_from_a_condition(self) -> None:
        table = sickbed()
        for out, blows in ((Out.NO, [3]), (Out.INCAPACITATED, [])):
            ill = begun(CANTARELLA, 0).model_dump(mode="json")
            hit = RpjHealth(out=out, lost_base=() if out is Out.NO else (7, 7, 7))
            table.change("Ug", conditions=[ill], health=hit.model_dump(mode="json"))

            passed = time_passes(table.named("Ug"), {CANTARELLA.name: 3 * MINUTE})

            assert [one.times for one in passed.blows] == blows

    def test_a_condition_that_comes_again_takes_the_lower_of_both_values_everywhere(self) -> None:
        skill, melee, shot = RollTarget.SKILL, RollTarget.MELEE_ATTACK, RollTarget.RANGED_ATTACK
        first = condition("Chill", effects=(bonus(skill, -1), bonus(melee, -3)))
        again = condition("Chill", effects=(bonus(skill, -2), bonus(melee, -1), bonus(shot, -1)))

        (kept,) = with_condition(with_condition((), first, 0), again, 10)

        found = {effect.on: effect.value for effect in kept.condition.effects}
        assert found == {skill: -2, melee: -3, shot: -1}

    def test_a_condition_of_any_kind_can_have_penalties_and_damage(self) -> None:
        both = condition("Frozen", "hindrance", checks=-1, ticks=CANTARELLA.ticks)
        assert (both.kind, len(both.ticks)) == ("hindrance", 1)


@pytest.mark.rule("RPJ-COND-02")
class TestHindrances:
    def test_a_penalty_to_skills_and_attacks_does_not_affect_saving_throws(self) -> None:
        assert targets(FLU) == {"skill": -2, "melee attack": -2, "ranged attack": -2}

    def test_a_penalty_to_all_checks_affects_saving_throws_and_initiative(self) -> None:
        assert targets(condition("Dread", checks=-1)) == {
            "skill": -1,
            "attribute": -1,
            "attribute bonus": -1,
            "saving throw": -1,
            "initiative": -1,
        }

    def test_a_penalty_to_skills_affects_initiative_only_when_a_skill_is_rolled(self) -> None:
        assert targets(FLU, has_initiative_skill=True)["initiative"] == -2
        assert "initiative" not in targets(FLU)

    def test_a_condition_only_refuses_what_it_prevents(self) -> None:
        with pytest.raises(UserError, match="Snow Blindness prevents sight"):
            assert_allowed(suffering(SNOW_BLINDNESS), Need.ATTACK, Need.SIGHT)
        assert_allowed(suffering(SNOW_BLINDNESS), Need.SPEECH)

    @pytest.mark.parametrize(
        ("conditions", "packs", "need", "is_kept"),
        [
            ((SNOW_BLINDNESS,), ["conditions"], Need.SIGHT, True),
            ((SNOW_BLINDNESS,), ["conditions"], Need.SPEECH, False),
            ((SNOW_BLINDNESS,), [], Need.SIGHT, False),
            ((), ["conditions"], Need.SIGHT, False),
        ],
    )
    def test_conditions_prevent_nothing_where_they_are_not_played(
        self, conditions: tuple[Condition, ...], packs: list[str], need: Need, is_kept: bool
    ) -> None:
        who = figure("", module_with(optional_rules=packs), conditions=suffering(*conditions))
        assert is_kept_from(who, need) is is_kept


@pytest.mark.rule("RPJ-COND-03")
class TestHarmsOverTime:
    def test_a_poison_deals_damage_every_minute(self) -> None:
        (one,) = suffering(CANTARELLA)
        assert [moment for moment, _tick in ticks_due(one, 3 * MINUTE)] == [60, 120, 180]
        assert [tick.damage for _moment, tick in ticks_due(one, MINUTE)] == [2]

    def test_the_stages_of_a_harm_happen_once_each_in_order(self) -> None:
        (one,) = suffering(ON_FIRE)
        assert [(moment, tick.outcome) for moment, tick in ticks_due(one, 10 * MINUTE)] == [
            (60, "incapacitated"),
            (120, "dead"),
        ]

    def test_a_harm_does_nothing_before_its_first_minute(self) -> None:
        assert ticks_due(suffering(CANTARELLA)[0], 59) == ()

    def test_a_tick_that_has_been_carried_out_does_not_happen_again(self) -> None:
        one = suffering(CANTARELLA)[0].model_copy(update={"told_until": 120})
        assert [moment for moment, _tick in ticks_due(one, 240)] == [180, 240]
        burnt = suffering(ON_FIRE)[0].model_copy(update={"told_until": 60})
        assert [moment for moment, _tick in ticks_due(burnt, 240)] == [120]

    def test_ten_minutes_of_poison_deal_damage_ten_times(self) -> None:
        assert len(ticks_due(suffering(CANTARELLA)[0], 10 * MINUTE)) == 10

    def test_damage_of_a_condition_bypasses_all_layers_by_default(self) -> None:
        assert [kind.value for kind in CANTARELLA.ticks[0].bypasses] == ["ability", "shield", "armor"]

    def test_a_tick_without_damage_or_outcome_is_refused(self) -> None:
        with pytest.raises(ValidationError, match="A tick needs either damage or an outcome, not both"):
            RpjTick(minutes=1)


@pytest.mark.rule("RPJ-COND-04")
class TestImmobilizations:
    def test_a_shackled_character_can_speak_but_not_move_or_attack(self) -> None:
        for need in (Need.MOVE, Need.ATTACK, Need.HANDS):
            with pytest.raises(UserError, match=f"Spell Shackles prevents {need}"):
                assert_allowed(suffering(SHACKLES), need)
        assert_allowed(suffering(SHACKLES), Need.SPEECH)

    def test_a_sleeping_character_is_unconscious_and_cannot_do_anything(self) -> None:
        for need in Need:
            with pytest.raises(UserError):
                assert_allowed(suffering(SLEEP), need)
        assert is_unconscious(suffering(FLU, SLEEP))
        assert not is_unconscious(suffering(SHACKLES))

    def test_a_character_with_stuck_feet_can_attack_but_not_move(self) -> None:
        assert_allowed(suffering(STUCK), Need.ATTACK, Need.SIGHT, Need.HANDS)
        with pytest.raises(UserError):
            assert_allowed(suffering(STUCK), Need.MOVE)


@pytest.mark.rule("RPJ-COND-06")
class TestRecoveringFromConditions:
    POISON = condition(
        "Poison", recovery=Recovery(countdown=2, attribute=RpjAttribute.CON, difficulty=3, minutes=60)
    )

    def test_recovery_successes_end_a_condition_and_failures_change_nothing(self) -> None:
        one: Suffered | None = begun(self.POISON, 0)
        course: list[int | None] = []
        for clock, succeeded in ((3600, True), (7200, False), (10800, True)):
            assert one is not None
            assert recovery_of(one, clock).difficulty == 3
            one = after_recovery(one, clock, succeeded=succeeded)
            course.append(one.recovered if one else None)
        assert course == [1, 1, None]

    def test_a_recovery_roll_before_its_time_is_refused(self) -> None:
        with pytest.raises(UserError, match="Your next roll against Poison is due in 30 min"):
            recovery_of(begun(self.POISON, 0), 1800)

    def test_recovering_from_a_condition_without_recovery_is_refused(self) -> None:
        with pytest.raises(UserError, match="You can't recover from The Flu"):
            recovery_of(begun(FLU, 0), 1800)


@pytest.mark.rule("RPJ-COND-07")
class TestEscapingFromConditions:
    NET = condition("Rope trap", escape=Escape(skills=("athleticism",), difficulty=3))

    def test_an_escape_uses_a_named_skill_against_the_conditions_difficulty(self) -> None:
        escape = escape_of(begun(self.NET, 0), "athleticism")
        assert (escape.difficulty, escape.actions) == (3, 1)

    def test_an_escape_with_a_skill_the_condition_does_not_name_is_refused(self) -> None:
        with pytest.raises(UserError, match="That skill doesn't end Rope trap"):
            escape_of(begun(self.NET, 0), "diplomacy")


@pytest.mark.rule("RPJ-COND-08")
class TestListedWaysOut:
    def test_every_way_out_of_a_condition_is_listed_with_its_numbers(self) -> None:
        everything = condition(
            "Curse",
            resistance=Resistance(attribute=RpjAttribute.WIL, difficulty=3),
            recovery=Recovery(countdown=4, attribute=RpjAttribute.WIL, difficulty=2, minutes=90),
            escape=Escape(skills=("knowledge",), difficulty=5),
        )
        assert everything.exits == (
            "resist WIL 10+",
            "recover WIL 9+, 4 successes, one roll every 1 h 30 min",
            "escape knowledge 12+",
        )
        assert FLU.exits == ("GM only",)


PLAYED = RpjSettings(module=Shipped.FANTASY, conditions=True)


def later(table: GameTable, minutes: int, *names: str) -> HookResult:
    """The clock moves on, and conditions do what falls due."""
    table.scene = replace(table.scene, clock=table.scene.clock + 60 * minutes)
    turned = timers_due(table.scene, [DueTimer(table.ids[name], CONDITION) for name in names])
    table.scene = turned.scene
    return turned


@pytest.mark.rule("RPJ-COND-03")
class TestConditionsByTheClock:
    def test_damage_of_a_condition_is_announced_with_a_save_button(self) -> None:
        table = sickbed()
        give(table, "Laeniel", "Poisoned")
        assert table.named("Laeniel").timers[CONDITION] == 60
        turned = later(table, 3, "Laeniel")
        assert turned.notes == ("Poisoned deals 2 damage to Laeniel, 3 times.",)
        assert [one.label for one in turned.follow_ups] == ["Laeniel: save 9+ · 28%"]
        assert table.named("Laeniel").timers[CONDITION] == 240

    def test_damage_of_0_adds_nothing_to_the_save(self) -> None:
        table = sickbed()
        mild = RepeatedDamage("Mild fever", RpjTick(minutes=1, damage=0))
        (button,) = save_buttons(table.scene, table.ids["Laeniel"], [mild], in_combat=False)
        assert button.label == "Laeniel: save 7+ · 58%"

    def test_saves_against_a_condition_are_rolled_in_turn_and_bypass_armor(self) -> None:
        table = sickbed()
        table.change("Laeniel", belongings=("leather",))
        give(table, "Laeniel", "Poisoned")
        first = later(table, 3, "Laeniel").follow_ups[0]
        lost = table.press("Laeniel", first, d6("4 4"))
        kept = table.press("Laeniel", lost.follow_ups[-1], d6("5 4"))
        gone = table.press("Laeniel", kept.follow_ups[-1], d6("3 1"))
        assert [one.passed for one in (lost, kept, gone)] == [False, True, False]
        assert health(table, "Laeniel").lost_base == (7, 7)

    def test_the_stages_of_a_condition_take_effect_without_losing_saves(self) -> None:
        table = sickbed()
        give(table, "Laeniel", "On Fire")
        turned = later(table, 1, "Laeniel")
        assert turned.notes == ("On Fire: Laeniel is incapacitated.",)
        assert health(table, "Laeniel").lost_base == ()
        assert later(table, 1, "Laeniel").notes == ("On Fire: Laeniel is dead.",)
        assert health(table, "Laeniel").out is Out.DEAD
        assert CONDITION not in table.named("Laeniel").timers

    def test_a_condition_removed_before_it_is_due_does_nothing(self) -> None:
        table = sickbed()
        give(table, "Laeniel", "Poisoned")
        table.do("GM", "condition.remove", target="Laeniel", name="Poisoned")
        assert CONDITION not in table.named("Laeniel").timers

    def test_an_incapacitated_character_is_asked_for_no_more_saves(self) -> None:
        table = sickbed()
        give(table, "Laeniel", "Poisoned")
        give(table, "Laeniel", "On Fire")
        turned = later(table, 10, "Laeniel")
        assert turned.follow_ups == ()
        assert turned.notes == ("On Fire: Laeniel is incapacitated.", "On Fire: Laeniel is dead.")

    def test_conditions_that_are_switched_off_never_fall_due(self) -> None:
        table = sickbed()
        give(table, "Laeniel", "Poisoned")
        table.settings(conditions=False)
        assert later(table, 5, "Laeniel").notes == ()
        assert CONDITION not in table.named("Laeniel").timers


@pytest.mark.rule("RPJ-COND-03")
class TestConditionsInAFight:
    def test_a_condition_in_a_fight_deals_damage_at_the_end_of_the_first_full_turn(self) -> None:
        table = brawl("Laeniel", settings=PLAYED)
        give(table, "Ug", "Poisoned")
        assert table.do("Laeniel", "encounter.next").follow_ups == ()
        ended = table.do("Ug", "encounter.next")
        assert "Poisoned deals 2 damage to Ug." in ended.notes
        saved = press(table, "Ug", ended, "Ug: save", "4 4")
        assert (saved.passed, health(table, "Ug").lost_base) == (False, (7,))

    def test_the_turn_in_which_a_condition_starts_does_not_count(self) -> None:
        table = brawl("Ug", settings=PLAYED)
        give(table, "Ug", "Poisoned")
        assert "Poisoned deals 2 damage to Ug." not in table.do("Ug", "encounter.next").notes

    def test_an_npcs_save_against_a_condition_is_rolled_at_once(self) -> None:
        table = brawl("Ogre", settings=PLAYED)
        give(table, "Laeniel", "Stuck")
        table.do("GM", "encounter.next")
        give(table, "Ogre", "Poisoned")
        table.do("Laeniel", "encounter.next")
        table.do("Ug", "encounter.next")
        ended = table.do("GM", "encounter.next", d6("4 3"))
        assert ended.rolls[0].against == "9+"
        assert health(table, "Ogre").lost_base == (7,)

    def test_a_condition_that_took_effect_in_a_turn_is_not_repeated_by_the_clock(self) -> None:
        table = brawl("Laeniel", settings=PLAYED)
        give(table, "Ug", "Poisoned")
        table.do("Laeniel", "encounter.next")
        table.do("Ug", "encounter.next")
        table.do("GM", "encounter.next")
        assert later(table, 0, "Ug").notes == ()
        assert table.named("Ug").timers[CONDITION] == table.scene.clock + 60

    def test_a_burning_fighter_is_incapacitated_at_the_end_of_their_turn(self) -> None:
        table = brawl("Laeniel", settings=PLAYED)
        give(table, "Ug", "On Fire")
        table.do("Laeniel", "encounter.next")
        table.do("Ug", "encounter.next")
        assert health(table, "Ug").out is Out.INCAPACITATED


@pytest.mark.rule("RPJ-COND-04", "RPJ-COND-02")
class TestWhatConditionsPreventInAFight:
    def test_a_fighter_with_stuck_feet_cannot_move_in_a_fight(self) -> None:
        table = brawl("Laeniel", settings=PLAYED, together=False)
        give(table, "Laeniel", "Stuck")
        refused = table.refused("Laeniel", "fight.move", region="2")
        assert refused.what == "Stuck prevents movement."

    def test_a_bound_fighter_can_neither_attack_nor_grapple(self) -> None:
        table = brawl("Ug", settings=PLAYED)
        give(table, "Ug", "Bound")
        refused = table.refused("Ug", "fight.attack", target="Ogre")
        assert refused.what == "Bound prevents attacks."
        assert table.refused("Ug", "fight.grapple", target="Ogre").what == "Bound prevents attacks."

    def test_a_blinded_fighter_cannot_shoot(self) -> None:
        table = brawl("Laeniel", settings=PLAYED, laeniel={"belongings": ("bow",)}, together=False)
        give(table, "Laeniel", "Snow Blindness")
        refused = table.refused("Laeniel", "fight.attack", target="Ogre")
        assert refused.what == "Snow Blindness prevents sight."

    def test_a_penalty_from_the_flu_is_named_in_the_attack_roll(self) -> None:
        table = brawl("Ug", settings=PLAYED)
        give(table, "Ug", "The Flu")
        struck = table.do("Ug", "fight.attack", d6("1 2"), target="Ogre")
        assert ("The Flu", -2) in [(term.label, term.value) for term in struck.rolls[0].terms]

    def test_a_sleeping_fighter_is_skipped_and_makes_no_free_attacks(self) -> None:
        table = brawl("Laeniel", settings=PLAYED)
        give(table, "Ug", "Sleeping Powder")
        assert "It is Ogre's turn." in table.do("Laeniel", "encounter.next").notes
        assert fighter(table, "Ug").free_attacks == 1
        moved = table.do("GM Ogre", "fight.move", region="2")
        assert [one.label for one in moved.follow_ups if "Ug" in one.label] == []

    @pytest.mark.rule("RPJ-COND-01")
    def test_the_board_names_the_conditions_of_a_fighter(self) -> None:
        table = brawl("Ug", settings=PLAYED)
        give(table, "Ug", "In a Net")
        shown = view(table.scene)
        assert shown is not None
        assert "In a Net" in next(line.facts for line in shown.lines if line.name == "Ug")

    @pytest.mark.rule("RPJ-COND-07")
    def test_each_attempt_to_escape_a_condition_takes_an_action(self) -> None:
        table = brawl("Ug", settings=PLAYED)
        give(table, "Ug", "In a Net")
        before = fighter(table, "Ug").turn.actions
        table.do("Ug", "condition.escape", d6("1 2"), name="In a Net")
        table.do("Ug", "condition.escape", d6("6 5"), name="In a Net")
        assert (before - fighter(table, "Ug").turn.actions, has(table, "Ug")) == (2, [])
        assert suffered_by(table.named("Ug")) == ()


def burning(*ticks: RpjTick, since: int = 600, told_until: int = 600) -> Suffered:
    """Something with ticks that began ten minutes into the game."""
    condition = Condition(id="burning", name="Burning", ticks=ticks)
    return Suffered(condition=condition, since=since, told_until=told_until, next_roll=0)


@pytest.mark.rule("RPJ-COND-03")
class TestTicks:
    ONCE = RpjTick(minutes=2, damage=0)
    AGAIN = RpjTick(minutes=3, damage=1, repeats=True)

    @pytest.mark.parametrize(
        ("told_until", "until", "due"),
        [
            (600, 719, []),
            (600, 720, [(720, 0)]),
            (600, 779, [(720, 0)]),
            (600, 780, [(720, 0), (780, 1)]),
            (600, 1140, [(720, 0), (780, 1), (960, 1), (1140, 1)]),
            (719, 720, [(720, 0)]),
            (720, 780, [(780, 1)]),
            (780, 960, [(960, 1)]),
            (779, 960, [(780, 1), (960, 1)]),
            (960, 1139, []),
        ],
    )
    def test_a_tick_comes_once_or_again_and_again_after_its_minutes(
        self, told_until: int, until: int, due: list[tuple[int, int]]
    ) -> None:
        one = burning(self.ONCE, self.AGAIN, told_until=told_until)

        assert [(moment, tick.damage) for moment, tick in ticks_due(one, until)] == due

    @pytest.mark.parametrize(
        ("told_until", "once", "again"),
        [
            (600, 720, 780),
            (719, 720, 780),
            (720, None, 780),
            (779, None, 780),
            (780, None, 960),
            (960, None, 1140),
        ],
    )
    def test_the_next_tick_is_the_first_after_what_was_told(
        self, told_until: int, once: int | None, again: int
    ) -> None:
        assert next_tick(burning(self.ONCE, told_until=told_until)) == once
        assert next_tick(burning(self.AGAIN, told_until=told_until)) == again
        assert next_tick(burning(self.ONCE, self.AGAIN, told_until=told_until)) == min(once or again, again)
        assert next_tick(burning(told_until=told_until)) is None

    @pytest.mark.rule("RPJ-COND-06")
    @pytest.mark.parametrize(
        ("recovered", "succeeded", "after"), [(0, True, 1), (0, False, 0), (1, True, None), (1, False, 1)]
    )
    def test_enough_successes_end_a_condition(
        self, recovered: int, succeeded: bool, after: int | None
    ) -> None:
        recovery = Recovery(attribute=RpjAttribute.CON, difficulty=1, minutes=5, countdown=2)
        condition = Condition(id="flu", name="Flu", recovery=recovery)
        assert begun(Condition(id="gloom", name="Gloom"), 100).next_roll == 100
        began = begun(condition, 100)
        assert began.next_roll == 400
        with pytest.raises(UserError):
            recovery_of(began, 399)
        assert recovery_of(began, 400) == recovery

        left = after_recovery(began.model_copy(update={"recovered": recovered}), 400, succeeded=succeeded)

        assert (left and (left.recovered, left.next_roll)) == (None if after is None else (after, 700))
