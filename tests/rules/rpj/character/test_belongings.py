"""Things on a sheet: added, removed and moved, in use or carried."""

from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.belongings import everything, moved, with_thing, without_thing
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.possessions import Possession, RpjPlace
from tests.rules.rpj.people import FANTASY, figure, sheet


def thing(item: str, count: int = 1, place: RpjPlace = RpjPlace.CARRIED, **changes: int) -> Possession:
    return Possession(item=item, count=count, place=place, changes=changes)


def owner(*things: Possession, **more: Any) -> RpjSheet:
    return sheet(possessions=tuple(things), **more)


def listed(own: RpjSheet) -> list[tuple[str, int, str]]:
    return sorted((one.item, one.count, str(one.place)) for one in everything(own, FANTASY))


@pytest.mark.rule("RPJ-INV-01")
class TestAdding:
    @pytest.mark.parametrize(
        ("before", "added", "after"),
        [
            (owner(), thing("bow"), [("bow", 1, "carried")]),
            (owner(thing("bow")), thing("bow"), [("bow", 2, "carried")]),
            (owner(thing("bow", 2)), thing("bow", 3), [("bow", 5, "carried")]),
            (
                owner(thing("bow")),
                thing("bow", place=RpjPlace.AWAY),
                [("bow", 1, "carried"), ("bow", 1, "left behind")],
            ),
            (owner(thing("bow")), thing("bow", damage=1), [("bow", 1, "carried"), ("bow", 1, "carried")]),
            (
                owner(thing("club"), thing("bow"), thing("dagger")),
                thing("bow"),
                [("bow", 2, "carried"), ("club", 1, "carried"), ("dagger", 1, "carried")],
            ),
            (owner(), thing("bow", place=RpjPlace.HELD), [("bow", 1, "held")]),
            (
                owner(belongings=("club",)),
                thing("bow", place=RpjPlace.HELD),
                [("bow", 1, "held"), ("club", 1, "held")],
            ),
        ],
    )
    def test_like_things_are_counted_together(
        self, before: RpjSheet, added: Possession, after: list[tuple[str, int, str]]
    ) -> None:
        assert listed(with_thing(before, added)) == after

    @pytest.mark.parametrize(
        ("before", "count"), [(owner(), 2), (owner(belongings=("bow",)), 1), (owner(belongings=("bow",)), 2)]
    )
    def test_only_one_of_a_kind_is_in_use(self, before: RpjSheet, count: int) -> None:
        with pytest.raises(UserError, match="one of a kind"):
            with_thing(before, thing("bow", count, RpjPlace.HELD))

    def test_the_quality_of_what_is_in_use_stays_with_it(self) -> None:
        held = with_thing(owner(), thing("bow", place=RpjPlace.HELD, damage=1))

        assert held.qualities == {"bow": {"damage": 1}}
        assert with_thing(owner(), thing("bow", place=RpjPlace.HELD)).qualities == {}
        gone = without_thing(held, thing("bow", place=RpjPlace.HELD, damage=1))
        assert (gone.belongings, gone.qualities) == ((), {})


@pytest.mark.rule("RPJ-INV-01")
class TestRemoving:
    @pytest.mark.parametrize(
        ("count", "left"), [(1, [("bow", 2, "carried")]), (2, [("bow", 1, "carried")]), (3, []), (4, None)]
    )
    def test_no_more_can_be_removed_than_there_is(
        self, count: int, left: list[tuple[str, int, str]] | None
    ) -> None:
        before = owner(thing("bow", 3), thing("club"))

        if left is None:
            with pytest.raises(UserError, match="only have 3"):
                without_thing(before, thing("bow", 3), count)
        else:
            assert listed(without_thing(before, thing("bow", 3), count)) == [*left, ("club", 1, "carried")]

    def test_what_is_in_use_is_put_down_and_the_rest_stays(self) -> None:
        before = owner(thing("bow"), belongings=("bow", "club"), qualities={"club": {"damage": 1}})

        after = without_thing(before, thing("bow", place=RpjPlace.HELD))

        assert (after.belongings, after.qualities) == (("club",), {"club": {"damage": 1}})
        assert after.possessions == before.possessions


@pytest.mark.rule("RPJ-INV-01", "RPJ-GCS-59")
class TestMoving:
    def test_one_of_several_is_taken_in_hand(self) -> None:
        own = figure(possessions=(thing("bow", 3),))

        assert listed(moved(own, thing("bow", 3), RpjPlace.HELD)) == [
            ("bow", 1, "held"),
            ("bow", 2, "carried"),
        ]
        assert listed(moved(own, thing("bow", 3), RpjPlace.AWAY, 2)) == [
            ("bow", 1, "carried"),
            ("bow", 2, "left behind"),
        ]

    def test_a_set_of_armor_takes_the_place_of_the_one_worn(self) -> None:
        sets = [armor.id for armor in FANTASY.armor if armor.kind is LayerKind.ARMOR][:2]
        shield = next((armor.id for armor in FANTASY.armor if armor.kind is LayerKind.SHIELD), "club")
        own = figure(belongings=(sets[0], shield), possessions=(thing(sets[1]),))

        after = moved(own, thing(sets[1]), RpjPlace.WORN)

        assert set(after.belongings) == {sets[1], shield}
        assert after.possessions == (thing(sets[0]),)
