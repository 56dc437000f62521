"""Ammunition: what is loaded, what is carried, and what fights take of both."""

from collections.abc import Callable

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.rules.shooting import ammunition_of
from bot.rules.rpj.module.items import (
    Ammunition,
    Magazine,
    ammunition_swapped,
    given,
    reload_actions,
    step_name,
)
from tests.rules.rpj.people import figure, with_trait

CELLS = Magazine(type="power_cells", capacity=3)
ARROWS = Magazine(type="arrows", capacity=3)


def loaded(count: int, **more: int) -> Ammunition:
    """A weapon with so much in it."""
    return Ammunition(loaded=count, **more)


def shot(ammo: Ammunition) -> Ammunition:
    return ammo.shot("pistol")


def suppressed(ammo: Ammunition) -> Ammunition:
    return ammo.suppressed("pistol")


def after(ammo: Ammunition, *deeds: Callable[[Ammunition], Ammunition]) -> int:
    """What is loaded after some attacks in one round."""
    for deed in deeds:
        ammo = deed(ammo)
    return ammo.loaded


@pytest.mark.rule("RPJ-FIRE-02")
class TestLoadedAmmunition:
    def test_each_combat_round_of_use_takes_one_round_of_ammunition(self) -> None:
        ammo = loaded(3)
        for _ in range(3):
            ammo = shot(ammo.new_round())
        assert ammo.loaded == 0
        with pytest.raises(UserError, match="The pistol is empty"):
            shot(ammo.new_round())

    def test_several_shots_in_one_combat_round_use_one_round_of_ammunition(self) -> None:
        assert after(loaded(3), shot, shot) == 2
        assert after(loaded(1), shot, shot) == 0
        assert loaded(3).new_round().loaded == 3

    def test_the_first_shot_after_a_reload_uses_ammunition_even_in_the_same_round(self) -> None:
        assert shot(shot(loaded(1)).reloaded(3)).loaded == 2


@pytest.mark.rule("RPJ-FIRE-03")
class TestReloading:
    def test_reloading_fills_the_magazine(self) -> None:
        assert reload_actions(CELLS, 2, 2) == 1
        assert shot(loaded(0).reloaded(3)).loaded == 2

    @pytest.mark.parametrize(("cost", "actions", "expected"), [(3, 2, 2), (3, 3, 3), (1, 3, 1)])
    def test_a_whole_turn_is_always_enough_to_reload(self, cost: int, actions: int, expected: int) -> None:
        magazine = Magazine(type="shells", capacity=1, reload_actions=cost)
        assert reload_actions(magazine, actions, actions) == expected


@pytest.mark.rule("RPJ-FIRE-04")
def test_ammunition_carried_has_named_steps_and_belongs_to_one_weapon() -> None:
    assert [step_name(step) for step in (0, 1, 2, 3, 5)] == ["None", "A Little", "Some", "Lots", "Lots +2"]
    assert loaded(3).step == 3
    assert ammunition_swapped((CELLS, loaded(3, step=2)), (CELLS, loaded(3, step=2))) == (
        loaded(3, step=2),
        loaded(3, step=2),
    )


@pytest.mark.rule("RPJ-FIRE-05")
class TestAfterAFight:
    @pytest.mark.parametrize(
        ("step", "uses", "expected"), [(3, 1, 3), (3, 0, 3), (4, 2, 3), (3, 5, 2), (0, 4, 0)]
    )
    def test_two_uses_in_a_fight_cost_a_step_of_ammunition(self, step: int, uses: int, expected: int) -> None:
        assert loaded(1, step=step, uses=uses).after_fight(3).step == expected

    def test_three_fights_use_up_lots_of_ammunition(self) -> None:
        ammo = loaded(3)
        for _ in range(3):
            ammo = shot(shot(ammo)).after_fight(3)
        assert step_name(ammo.step) == "None"

    def test_suppressive_fire_counts_as_two_uses(self) -> None:
        assert suppressed(loaded(3)).after_fight(3).step == 2

    def test_after_a_fight_the_magazine_is_full_again_while_ammunition_is_left(self) -> None:
        assert shot(loaded(3)).after_fight(3).loaded == 3
        assert loaded(1, step=1, uses=2).after_fight(3).loaded == 1


@pytest.mark.rule("RPJ-FIRE-06")
class TestSwappingAmmunition:
    def test_swapping_ammunition_exchanges_what_is_carried_but_not_the_magazines(self) -> None:
        pistol, sword = ammunition_swapped((CELLS, loaded(1, step=1)), (CELLS, loaded(2, step=3)))
        assert (pistol.step, sword.step) == (3, 1)
        assert (pistol.loaded, sword.loaded) == (1, 2)


@pytest.mark.rule("RPJ-FIRE-07")
class TestAmmunitionSupply:
    def test_a_start_or_a_resupply_sets_the_step_of_ammunition(self) -> None:
        assert step_name(loaded(3).with_step(4).step) == "Lots +1"
        assert step_name(loaded(0, step=0).with_step(3).step) == "Lots"

    def test_ammunition_given_away_moves_step_for_step(self) -> None:
        giver, taker = given(loaded(1, step=3), loaded(1, step=0), 2)
        assert (giver.step, taker.step) == (1, 2)
        with pytest.raises(UserError, match="You only have A Little to give"):
            given(giver, taker, 2)


@pytest.mark.rule("RPJ-FIRE-08")
class TestOutOfAmmunition:
    def test_a_weapon_without_ammunition_cannot_fire_even_with_a_full_magazine(self) -> None:
        for deed in (shot, suppressed):
            with pytest.raises(UserError, match="The pistol is out of ammunition"):
                deed(loaded(3, step=0))

    def test_a_weapon_with_an_empty_magazine_must_be_reloaded_first(self) -> None:
        with pytest.raises(UserError) as refused:
            shot(loaded(0, step=1))
        assert refused.value.allowed == "Reload it first."


@pytest.mark.rule("RPJ-FIRE-22")
class TestSuppressiveFire:
    @pytest.mark.parametrize(("before", "left"), [(3, 1), (2, 0), (1, 0)])
    def test_suppressive_fire_takes_two_rounds_of_ammunition_or_what_is_left(
        self, before: int, left: int
    ) -> None:
        assert after(loaded(before), suppressed) == left

    def test_an_empty_weapon_cannot_give_suppressive_fire(self) -> None:
        with pytest.raises(UserError, match="empty"):
            suppressed(loaded(0))

    @pytest.mark.parametrize(("before", "left"), [(4, 2), (3, 1), (2, 0)])
    def test_suppressive_fire_includes_the_rounds_ordinary_shot(self, before: int, left: int) -> None:
        assert after(loaded(before), shot, suppressed) == left

    def test_suppressive_fire_is_refused_after_a_shot_empties_the_magazine(self) -> None:
        with pytest.raises(UserError, match="empty"):
            after(loaded(1), shot, suppressed)

    def test_shots_after_suppressive_fire_are_free_in_that_round(self) -> None:
        assert after(loaded(3), suppressed, shot) == 1


@pytest.mark.rule("RPJ-FIRE-31", "RPJ-FIRE-32")
def test_every_weapon_of_an_attack_uses_ammunition() -> None:
    assert [shot(ammo).loaded for ammo in (loaded(3), loaded(2))] == [2, 1]
    assert [suppressed(ammo).loaded for ammo in (loaded(3), loaded(2))] == [1, 0]


@pytest.mark.rule("RPJ-FIRE-07")
@pytest.mark.parametrize(
    ("giver", "taker", "steps", "after"),
    [
        (3, 0, 1, (2, 1)),
        (3, 2, 3, (0, 5)),
        (2, 0, 3, None),
        (1, 20, 1, None),
        (2, 18, 2, (0, 20)),
        (2, 19, 2, None),
    ],
)
def test_all_one_has_can_be_given_but_no_more_than_anybody_can_carry(
    giver: int, taker: int, steps: int, after: tuple[int, int] | None
) -> None:
    one, other = loaded(1, step=giver), loaded(2, step=taker)

    if after is None:
        with pytest.raises(UserError):
            given(one, other, steps)
    else:
        left, more = given(one, other, steps)
        assert (left.step, more.step) == after
        assert (left.loaded, more.loaded) == (1, 2)


@pytest.mark.rule("RPJ-FIRE-02", "RPJ-FIRE-05", "RPJ-FIRE-22", "RPJ-MASS-11")
@pytest.mark.parametrize(
    ("deed", "before", "left"),
    [
        (shot, loaded(3), (2, 3, 1)),
        (shot, loaded(2, uses=1), (1, 3, 2)),
        (shot, Ammunition(loaded=2, is_used=True, uses=1), (2, 3, 2)),
        (shot, Ammunition(loaded=0, is_used=True, uses=1), (0, 3, 2)),
        (suppressed, loaded(3), (1, 3, 2)),
        (suppressed, loaded(1), (0, 3, 2)),
        (suppressed, Ammunition(loaded=2, is_used=True, uses=1), (1, 3, 3)),
        (suppressed, Ammunition(loaded=2, is_used=True, has_suppressed=True, uses=2), (0, 3, 4)),
        (lambda ammo: ammo.spent_in_battle("pistol"), Ammunition(loaded=3, is_used=True), (1, 3, 2)),
        (lambda ammo: ammo.reloaded(5), Ammunition(loaded=0, is_used=True, uses=3), (5, 3, 3)),
        (lambda ammo: ammo.after_fight(5), loaded(1, uses=1), (5, 3, 0)),
        (lambda ammo: ammo.after_fight(5), loaded(1, uses=2), (5, 2, 0)),
        (lambda ammo: ammo.after_fight(5), loaded(1, step=1, uses=2), (1, 0, 0)),
        (lambda ammo: ammo.after_fight(5), loaded(1, step=1, uses=1), (5, 1, 0)),
        (lambda ammo: ammo.after_fight(5), loaded(1, step=0, uses=2), (1, 0, 0)),
    ],
)
def test_each_use_takes_from_the_magazine_and_counts_for_the_fight(
    deed: Callable[[Ammunition], Ammunition], before: Ammunition, left: tuple[int, int, int]
) -> None:
    after = deed(before)

    assert (after.loaded, after.step, after.uses) == left


@pytest.mark.rule("RPJ-FIRE-03")
@pytest.mark.parametrize(
    ("cost", "actions", "left", "paid"),
    [
        (1, 2, 1, 1),
        (1, 2, 0, None),
        (2, 2, 2, 2),
        (2, 2, 1, None),
        (3, 2, 2, 2),
        (3, 2, 1, None),
        (0, 2, 0, 0),
    ],
)
def test_reloading_takes_its_actions_of_one_turn(
    cost: int, actions: int, left: int, paid: int | None
) -> None:
    magazine = Magazine(type="cells", capacity=3, reload_actions=cost)

    if paid is None:
        with pytest.raises(UserError, match="Reloading takes"):
            reload_actions(magazine, actions, left)
    else:
        assert reload_actions(magazine, actions, left) == paid


@pytest.mark.rule("RPJ-FIRE-04", "RPJ-FIRE-07")
@pytest.mark.parametrize(("steps", "step"), [(0, 3), (1, 4), (-1, 2), (-3, 0), (-4, 0), (17, 20), (18, 20)])
def test_a_character_starts_with_lots_of_ammunition_and_what_gifts_add(steps: int, step: int) -> None:
    effects = [{"type": "ammunition_start", "steps": part} for part in _parts(steps)]
    own = figure("", with_trait("stocked", *effects), traits=["stocked"])

    assert ammunition_of(own, "pistol", CELLS) == Ammunition(loaded=3, step=step)


def _parts(steps: int) -> list[int]:
    """Steps in parts small enough for one effect each."""
    sign = 1 if steps > 0 else -1
    return [sign] * abs(steps)
