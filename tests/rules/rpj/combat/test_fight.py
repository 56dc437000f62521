"""A fight as it is stored: who is in it, whose turn it is, and what is left when somebody goes."""

from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.combatant import Battlefield, RpjCover, UnderFire, drawn
from bot.rules.rpj.combat.engine.attack_steps import RpjPendingAttack
from bot.rules.rpj.combat.engine.magic_steps import assert_reached, assert_spell_reaches, taken_in
from bot.rules.rpj.combat.fight import MOOKS, Fight, Grapple, PlacedCover
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.module.abilities import Area, Reach, Recipe
from bot.rules.rpj.module.spells import RpjSpell
from tests.rules.rpj.combat.battles import battle, mook, person

IDS = ("a", "b", "c", "d")


def fight(turn: str = "b", *, mooks: int = 0, **more: Any) -> Fight:
    """Four people in order of their ids, and mooks."""
    people = [person(id_)[0] for id_ in IDS] + [mook(f"m{number}")[0] for number in range(mooks)]
    return Fight(combatants=tuple(people), order=IDS, round=1, turn=turn, **more)


@pytest.mark.rule("RPJ-GCS-22")
class TestLeavingAFight:
    @pytest.mark.parametrize(
        ("turn", "together", "gone", "after"),
        [
            ("b", (), "c", "b"),
            ("b", (), "a", "b"),
            ("b", (), "b", "a"),
            ("d", (), "d", "c"),
            ("a", (), "a", "b"),
            ("c", ("c", "d"), "c", "d"),
            ("c", ("b", "c"), "c", "b"),
            ("c", ("c", "d"), "d", "c"),
        ],
    )
    def test_the_turn_goes_to_whoever_shares_it_or_was_before(
        self, turn: str, together: tuple[str, ...], gone: str, after: str
    ) -> None:
        left = fight(turn, together=together).without_fighter(gone)

        assert left.turn == after
        assert left.together == tuple(id_ for id_ in together if id_ != gone)

    def test_nothing_about_whoever_left_stays(self) -> None:
        before = fight(
            together=("b", "c"),
            usual=("d", "c", "b", "a"),
            grapples=(Grapple(a="a", b="b"), Grapple(a="c", b="d")),
        )

        left = before.without_fighter("a")

        assert [one.id for one in left.combatants] == ["b", "c", "d"]
        assert (left.order, left.usual, left.together) == (("b", "c", "d"), ("d", "c", "b"), ("b", "c"))
        assert left.grapples == (Grapple(a="c", b="d"),)

    @pytest.mark.parametrize(("mooks", "turn"), [(0, ""), (1, MOOKS)])
    def test_after_the_last_one_only_mooks_are_left(self, mooks: int, turn: str) -> None:
        left = fight("a", mooks=mooks)
        for id_ in ("b", "c", "d", "a"):
            left = left.without_fighter(id_)

        assert left.turn == turn


@pytest.mark.rule("RPJ-GCS-46", "RPJ-GM-04")
class TestRevealing:
    def test_only_the_cover_of_whoever_comes_out_is_seen(self) -> None:
        def placed(id_: int, *groups: int, is_hidden: bool = True) -> PlacedCover:
            return PlacedCover(
                id=id_, cover=RpjCover(quality=2), region=1, groups=groups, is_hidden=is_hidden
            )

        hidden = person("a", group=1, fighter={"is_hidden": True})[0]
        before = Fight(
            combatants=(hidden, person("b", group=2)[0]),
            covers=(placed(1, 1), placed(2, 2), placed(3, 1, 2), placed(4, 2, is_hidden=False)),
        )

        after = before.revealed("a", 2)

        assert [one.is_hidden for one in after.covers] == [False, True, False, False]
        assert not after.fighter("a").is_hidden
        assert after.fighter("a").saves_lost == 2
        assert before.revealed("a").fighter("a").saves_lost == 0

    @pytest.mark.parametrize(
        ("groups", "covers", "new"), [((), (), 1), ((3, 1), (), 4), ((1, 2), (7,), 8), ((9,), (2,), 10)]
    )
    def test_a_new_group_has_a_number_nobody_has(
        self, groups: tuple[int, ...], covers: tuple[int, ...], new: int
    ) -> None:
        people = tuple(person(f"p{number}", group=number)[0] for number in groups)
        around = tuple(
            PlacedCover(id=number, cover=RpjCover(quality=1), region=1, groups=(number,)) for number in covers
        )

        assert Fight(combatants=people, covers=around).new_group == new

    def test_only_those_behind_a_cover_are_in_the_open_without_it(self) -> None:
        turned = {"under_fire": UnderFire(is_reoriented=True, overwatch=2)}
        people = tuple(
            person(id_, group=group, fighter=turned)[0] for group, id_ in enumerate("abc", start=1)
        )
        around = tuple(
            PlacedCover(id=id_, cover=RpjCover(quality=4), region=1, groups=groups)
            for id_, groups in ((1, (1,)), (2, (1, 2)))
        )

        (first, second) = (Fight(combatants=people, covers=around).without_cover(id_) for id_ in (1, 2))

        assert [one.under_fire.overwatch for one in first.combatants] == [2, 2, 2]
        assert [one.under_fire.overwatch for one in second.combatants] == [2, None, 2]


class TestOlderFights:
    def test_a_fight_that_contradicts_itself_is_mended(self) -> None:
        body = fight().model_dump(mode="json")
        hold = {"a": "a", "b": "b"}
        broken = {
            **body,
            "order": ["a", "z", "b"],
            "usual": ["z", "c"],
            "together": ["b", "z"],
            "turn": "z",
            "grapples": [hold, {"a": "a", "b": "z"}, {"a": "z", "b": "y"}],
        }

        mended = Fight.model_validate(Fight.mended(broken))

        assert (mended.order, mended.usual, mended.together) == (("a", "b"), ("c",), ("b",))
        assert (mended.turn, mended.grapples, mended.steps) == ("a", (Grapple(a="a", b="b"),), ())
        sound = Fight.model_validate(Fight.mended(body))
        assert (sound.turn, sound.order) == ("b", IDS)


HALVES = drawn("1-2, 3-4")  # no way from one half to the other


def standing(region: int = 1, group: int = 1, field: Battlefield | None = None) -> Battle:
    """Ug in region 1, group 1, and an orc somewhere."""
    return battle(person("ug"), person("orc", region=region, group=group, foe=True), field=field)


@pytest.mark.rule("RPJ-WMAG-13", "RPJ-WMAG-15")
@pytest.mark.parametrize(
    ("reach", "region", "group", "is_reached"),
    [
        (Reach.TOUCH, 1, 1, True),
        (Reach.TOUCH, 1, 2, False),
        (Reach.NEAR, 1, 1, True),
        (Reach.NEAR, 1, 2, False),
        (Reach.SIX_REGIONS, 1, 2, True),
        (Reach.SIX_REGIONS, 7, 2, True),
        (Reach.SIX_REGIONS, 8, 2, False),
        (Reach.SIGHT, 8, 2, True),
    ],
)
def test_an_ability_reaches_as_far_as_its_range(
    reach: Reach, region: int, group: int, is_reached: bool
) -> None:
    row = drawn(", ".join(f"{n}-{n + 1}" for n in range(1, 8)))
    fight = standing(region, group, row)

    assert_reached(fight, "ug", "ug", reach)
    if is_reached:
        assert_reached(fight, "ug", "orc", reach)
    else:
        with pytest.raises(UserError, match="Orc is too far away"):
            assert_reached(fight, "ug", "orc", reach)


@pytest.mark.rule("RPJ-SMAG-03")
@pytest.mark.parametrize(
    ("spell", "region", "group", "is_reached"),
    [
        ({"reach": "touch"}, 1, 1, True),
        ({"reach": "touch"}, 1, 2, False),
        ({"reach": "same group"}, 1, 2, False),
        ({"reach": "a mile"}, 1, 2, True),
        ({"reach": "a mile"}, 6, 2, True),
        ({"greatest_range": 2}, 1, 1, True),
        ({"greatest_range": 2}, 3, 2, True),
        ({"greatest_range": 2}, 4, 2, False),
        ({"greatest_range": 2, "least_range": 0}, 1, 1, False),
        ({"greatest_range": 2, "least_range": 0}, 1, 2, True),
        ({"greatest_range": 2, "least_range": 1}, 1, 2, False),
        ({"greatest_range": 2, "least_range": 1}, 2, 2, True),
    ],
)
def test_a_spell_reaches_from_its_least_to_its_greatest_range(
    spell: dict[str, Any], region: int, group: int, is_reached: bool
) -> None:
    fight = standing(region, group)
    cast = RpjSpell.model_validate({"id": "hum", "name": "Hum", "level": 1, "magic_skill": "x", **spell})

    assert_spell_reaches(fight, "ug", "ug", cast)
    if is_reached:
        assert_spell_reaches(fight, "ug", "orc", cast)
    else:
        with pytest.raises(UserError):
            assert_spell_reaches(fight, "ug", "orc", cast)


def test_nothing_out_of_sight_is_reached() -> None:
    fight = standing(2, 2, drawn("1-2", hidden="1-2"))
    cast = RpjSpell(id="hum", name="Hum", level=1, magic_skill="x", greatest_range=3)

    with pytest.raises(UserError, match="can't see"):
        assert_reached(fight, "ug", "orc", Reach.SIGHT)
    with pytest.raises(UserError, match="can't see"):
        assert_spell_reaches(fight, "ug", "orc", cast)


CROWD = battle(
    person("ug", region=1, group=1),
    person("elf", region=1, group=1),
    person("orc", region=1, group=1, foe=True),
    person("imp", region=1, group=2, foe=True),
    person("owl", region=2, group=3),
    person("bat", region=3, group=4, foe=True),
    field=drawn("1-2, 2-3"),
).fight


@pytest.mark.rule("RPJ-WMAG-16", "RPJ-WMAG-17")
@pytest.mark.parametrize(
    ("recipe", "targets", "taken"),
    [
        ({}, (), ()),
        ({}, ("orc",), ("orc",)),
        ({"area": Area.GROUP}, (), ()),
        ({"area": Area.GROUP}, ("orc",), ("orc", "ug", "elf")),
        ({"area": Area.GROUP}, ("bat",), ("bat",)),
        ({"area": Area.REGIONS}, ("orc",), ("orc", "ug", "elf", "imp")),
        ({"area": Area.REGIONS}, ("owl",), ("owl",)),
        ({"area": Area.REGIONS, "regions": 2}, ("bat",), ("bat", "owl")),
        ({"area": Area.REGIONS, "regions": 2}, ("orc",), ("orc", "ug", "elf", "imp", "owl")),
        ({"area": Area.REGIONS, "regions": 3}, ("bat",), ("bat", "ug", "elf", "orc", "imp", "owl")),
        ({"area": Area.GROUP, "is_selective": True}, ("orc",), ("orc",)),
        ({"area": Area.GROUP, "is_selective": True}, ("ug",), ("ug", "elf")),
        ({"area": Area.REGIONS, "is_selective": True}, ("imp",), ("imp", "orc")),
        ({"area": Area.REGIONS, "is_selective": True}, ("imp", "ug"), ("imp", "ug")),
        ({"area": Area.REGIONS, "is_selective": True}, ("imp", "ug", "bat"), ("imp", "ug")),
    ],
)
def test_an_area_takes_in_everybody_in_it_unless_targets_are_chosen(
    recipe: dict[str, Any], targets: tuple[str, ...], taken: tuple[str, ...]
) -> None:
    found = taken_in(CROWD, "ug", Recipe.model_validate({"magnitude": "weak", **recipe}), targets)

    assert found[:1] == taken[:1]
    assert set(found) == set(taken)
    assert len(found) == len(taken)


def test_only_an_area_affects_several_targets() -> None:
    with pytest.raises(UserError, match="one target only"):
        taken_in(CROWD, "ug", Recipe(), ("orc", "imp"))


def test_regions_without_a_way_are_the_farthest() -> None:
    fight = battle(
        person("ug", region=1),
        person("orc", region=2, group=2),
        person("far", region=4, group=3),
        field=HALVES,
    ).fight

    assert set(taken_in(fight, "ug", Recipe(area=Area.REGIONS, regions=2), ("ug",))) == {"ug", "orc"}


def test_an_attack_goes_on_while_both_are_there_and_nobody_else_need_be() -> None:
    attack = RpjPendingAttack(attacker="c1", target="m2", weapon="club")

    assert [attack.among(there) for there in ({"c1", "m2"}, {"c1", "m2", "m3"})] == [attack, attack]
    assert attack.among({"c1", "m3"}) is None
