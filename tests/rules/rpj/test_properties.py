"""What is always so."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from bot.rules.kernel.dice import FairDice, Fall, ReplayedDice
from bot.rules.rpj.character.damage_saves import Strike, layers_of, rested, with_health
from bot.rules.rpj.character.lucky_breaks import chance_to_improve, chance_to_turn, with_extra_die
from bot.rules.rpj.module.basics import raise_cost
from bot.rules.rpj.module.defense_layers import Layer, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.resolution.check import CHECK, check_odds, reading_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs
from tests.rules.rpj.hits import take_hit
from tests.rules.rpj.people import figure
from tests.rules.rpj.throws import inputs

seeds = st.integers(0, 10**6).map(lambda number: FairDice(bytes(32), str(number)))
checks = st.builds(
    inputs,
    st.integers(-3, 10),
    st.integers(2, 20),
    kind=st.sampled_from(["skill", "saving throw", "damage save"]),
    criticals=st.fixed_dictionaries({"mode": st.sampled_from(["normal", "confirm", "wide"])}),
    has_extra_die=st.booleans(),
)


@given(checks, seeds)
def test_replaying_a_checks_dice_gives_the_same_roll(asked: RpjCheckInputs, dice: FairDice) -> None:
    roll = CHECK.resolve(asked, dice)
    again = ReplayedDice(Fall(die.sides, die.face) for die in roll.dice)

    assert CHECK.resolve(RpjCheckInputs.model_validate_json(asked.model_dump_json()), again) == roll
    again.assert_all_rolled()


@given(checks, seeds)
def test_the_chances_of_a_check_add_up_to_1_and_include_the_result_rolled(
    asked: RpjCheckInputs, dice: FairDice
) -> None:
    odds = check_odds(asked)
    roll = CHECK.resolve(asked, dice)

    assert sum(chance.fraction for _, chance in odds.chances) == 1
    assert dict(odds.chances)[str(roll.outcome)].ways > 0


@given(checks.filter(lambda asked: not asked.has_extra_die), seeds)
def test_an_extra_die_never_makes_a_roll_worse(asked: RpjCheckInputs, dice: FairDice) -> None:
    before = CHECK.resolve(asked, dice)
    after = CHECK.resolve(with_extra_die(before), dice)

    assert reading_of(after).total >= reading_of(before).total
    assert 0 <= chance_to_improve(before).fraction <= 1
    if reading_of(before).result.is_success:
        assert chance_to_turn(before).fraction == Fraction(1)


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
def test_levels_cost_the_same_in_one_step_or_in_two(first: int, second: int, third: int) -> None:
    low, middle, high = sorted((first, second, third))

    assert raise_cost(low, high) == raise_cost(low, middle) + raise_cost(middle, high)


@given(st.integers(-3, 12), st.integers(1, 6), st.integers(0, 20), seeds)
def test_each_hit_costs_one_save_at_most_and_rest_never_restores_more_than_the_maximum(
    damage: int, hits: int, hours: int, dice: FairDice
) -> None:
    ward = Layer.fresh("ward", "Ward", LayerKind.ABILITY, (4, 6))
    hero = figure("CON 3", belongings=("leather",), health=RpjHealth(layers=(ward,)))

    told = take_hit(hero, Strike(damage=damage, hits=hits), dice)
    after = told[-1].health
    lost = sum(save.is_lost for layer in layers_of(with_health(hero, after)) for save in layer.saves)

    assert lost == sum(struck.lost is not None for struck in told) <= hits
    assert len(rested(after, hours).lost_base) <= len(after.lost_base)
