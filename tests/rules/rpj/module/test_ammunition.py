"""Ammunition: what is loaded, what is carried, and what fights take of both."""

from collections.abc import Callable

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.ammunition import (
    Ammunition,
    Magazine,
    given,
    reload_actions,
    step_name,
    swapped,
)

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
class TestLoaded:
    def test_each_round_of_use_takes_one(self) -> None:
        ammo = loaded(3)
        for _ in range(3):
            ammo = shot(ammo.new_round())
        assert ammo.loaded == 0
        with pytest.raises(UserError, match="The pistol is empty"):
            shot(ammo.new_round())

    def test_however_often_it_is_used_in_it(self) -> None:
        assert after(loaded(3), shot, shot) == 2
        assert after(loaded(1), shot, shot) == 0
        assert loaded(3).new_round().loaded == 3

    def test_a_new_magazine_is_charged_anew_in_the_same_round(self) -> None:
        assert shot(shot(loaded(1)).reloaded(3)).loaded == 2


@pytest.mark.rule("RPJ-FIRE-03")
class TestReloading:
    def test_it_fills_the_magazine(self) -> None:
        assert reload_actions(CELLS, 2, 2) == 1
        assert shot(loaded(0).reloaded(3)).loaded == 2

    @pytest.mark.parametrize(("cost", "actions", "expected"), [(3, 2, 2), (3, 3, 3), (1, 3, 1)])
    def test_a_whole_turn_is_always_enough(self, cost: int, actions: int, expected: int) -> None:
        magazine = Magazine(type="shells", capacity=1, reload_actions=cost)
        assert reload_actions(magazine, actions, actions) == expected

    def test_it_is_not_split(self) -> None:
        with pytest.raises(UserError, match="Reloading takes 2 actions; you have 1 left"):
            reload_actions(Magazine(type="shells", capacity=1, reload_actions=2), 3, 1)


@pytest.mark.rule("RPJ-FIRE-04")
def test_what_is_carried_has_names_and_is_never_shared() -> None:
    assert [step_name(step) for step in (0, 1, 2, 3, 5)] == ["None", "A Little", "Some", "Lots", "Lots +2"]
    assert loaded(3).step == 3
    assert swapped((CELLS, loaded(3, step=2)), (CELLS, loaded(3, step=2))) == (
        loaded(3, step=2),
        loaded(3, step=2),
    )


@pytest.mark.rule("RPJ-FIRE-05")
class TestAfterAFight:
    @pytest.mark.parametrize(
        ("step", "uses", "expected"), [(3, 1, 3), (3, 0, 3), (4, 2, 3), (3, 5, 2), (0, 4, 0)]
    )
    def test_two_uses_take_a_step(self, step: int, uses: int, expected: int) -> None:
        assert loaded(1, step=step, uses=uses).after_fight(3).step == expected

    def test_three_fights_leave_nothing_of_lots(self) -> None:
        ammo = loaded(3)
        for _ in range(3):
            ammo = shot(shot(ammo)).after_fight(3)
        assert step_name(ammo.step) == "None"

    def test_suppressive_fire_alone_counts_twice(self) -> None:
        assert suppressed(loaded(3)).after_fight(3).step == 2

    def test_the_magazine_is_full_again_while_there_is_any(self) -> None:
        assert shot(loaded(3)).after_fight(3).loaded == 3
        assert loaded(1, step=1, uses=2).after_fight(3).loaded == 1


@pytest.mark.rule("RPJ-FIRE-06")
class TestSwapping:
    def test_what_is_carried_changes_places_and_magazines_do_not(self) -> None:
        pistol, sword = swapped((CELLS, loaded(1, step=1)), (CELLS, loaded(2, step=3)))
        assert (pistol.step, sword.step) == (3, 1)
        assert (pistol.loaded, sword.loaded) == (1, 2)

    def test_it_must_be_the_same_ammunition(self) -> None:
        with pytest.raises(UserError, match="These two weapons use different ammunition"):
            swapped((CELLS, loaded(1)), (ARROWS, loaded(1)))


@pytest.mark.rule("RPJ-FIRE-07")
class TestSupply:
    def test_a_start_or_a_resupply_sets_the_step(self) -> None:
        assert step_name(loaded(3).with_step(4).step) == "Lots +1"
        assert step_name(loaded(0, step=0).with_step(3).step) == "Lots"

    def test_a_gift_of_one_s_own_goes_step_for_step(self) -> None:
        giver, taker = given(loaded(1, step=3), loaded(1, step=0), 2)
        assert (giver.step, taker.step) == (1, 2)
        with pytest.raises(UserError, match="You only have A Little to give"):
            given(giver, taker, 2)


@pytest.mark.rule("RPJ-FIRE-08")
class TestNone:
    def test_without_any_a_full_magazine_is_no_use(self) -> None:
        for deed in (shot, suppressed):
            with pytest.raises(UserError, match="The pistol is out of ammunition"):
                deed(loaded(3, step=0))

    def test_with_a_little_an_empty_one_is_reloaded_first(self) -> None:
        with pytest.raises(UserError) as refused:
            shot(loaded(0, step=1))
        assert refused.value.allowed == "Reload it first."


@pytest.mark.rule("RPJ-FIRE-22")
class TestSuppressiveFire:
    @pytest.mark.parametrize(("before", "left"), [(3, 1), (2, 0), (1, 0)])
    def test_it_takes_two_or_what_is_left(self, before: int, left: int) -> None:
        assert after(loaded(before), suppressed) == left

    def test_an_empty_weapon_suppresses_nobody(self) -> None:
        with pytest.raises(UserError, match="empty"):
            suppressed(loaded(0))

    @pytest.mark.parametrize(("before", "left"), [(4, 2), (3, 1), (2, 0)])
    def test_it_covers_the_ordinary_use_of_the_round(self, before: int, left: int) -> None:
        assert after(loaded(before), shot, suppressed) == left

    def test_a_last_ordinary_shot_leaves_none_for_it(self) -> None:
        with pytest.raises(UserError, match="empty"):
            after(loaded(1), shot, suppressed)

    def test_after_it_ordinary_shots_are_free(self) -> None:
        assert after(loaded(3), suppressed, shot) == 1


@pytest.mark.rule("RPJ-FIRE-31", "RPJ-FIRE-32")
def test_every_weapon_of_an_attack_pays() -> None:
    assert [shot(ammo).loaded for ammo in (loaded(3), loaded(2))] == [2, 1]
    assert [suppressed(ammo).loaded for ammo in (loaded(3), loaded(2))] == [1, 0]
