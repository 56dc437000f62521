"""Conditions: what they do to rolls and actions, what time does, and the ways out."""

from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel.errors import UserError
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
    recovery_of,
    ticks_due,
    with_condition,
)
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import RollBonus, RollTarget

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

    def test_escaping_from_a_condition_without_an_escape_is_refused(self) -> None:
        with pytest.raises(UserError, match="You can't escape The Flu"):
            escape_of(begun(FLU, 0), "athleticism")


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
