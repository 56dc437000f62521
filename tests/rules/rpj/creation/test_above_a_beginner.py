"""What of a sheet is above a beginner's and waits for the GM."""

from typing import Any

import pytest

from bot.rules.rpj.character.sheet import OwnTrait, RpjSheet, TraitSource
from bot.rules.rpj.creation.ways_to_join import BEGINNER
from bot.rules.rpj.module.module import GenerationMethod
from bot.rules.rpj.module.settings import RpjSettings, Shipped
from tests.rules.rpj.people import known, sheet

FANTASY = RpjSettings(
    module=Shipped.FANTASY
)  # 60 character points, 4 class skills; a leftover gives 2 points
BOUGHT = "STR 4 CON 4 DEX 4 CHA 3 WIL 2 INT 1 LUCK 3"  # costs 34 of 40 attribute points
ALL_SPENT = "STR 6 CON 4 DEX 3 CHA 3 WIL 2 INT 1"  # costs all 40
ROLLED = "(a beginner: as bought, or rolled here)"


def brawny(attributes: str = BOUGHT, **more: Any) -> RpjSheet:
    return sheet(attributes, primary="Brawny", **more)


def found(own: RpjSheet, settings: RpjSettings = FANTASY) -> list[str]:
    return [str(one) for one in BEGINNER.excess(own, settings)]


@pytest.mark.rule("RPJ-CHAR-03")
@pytest.mark.parametrize(("power", "above"), [(40, []), (41, ["Character power 41 (a beginner: 40)"])])
def test_character_power_above_a_beginners_is_reported_to_the_gm(power: int, above: list[str]) -> None:
    assert found(sheet(total_points=power), RpjSettings()) == above


@pytest.mark.rule("RPJ-CHAR-06")
class TestCharacterPoints:
    @pytest.mark.parametrize(
        ("own", "worth"),
        [
            (brawny(available_points=62), 0),
            (brawny(available_points=63), 63),
            (brawny(ALL_SPENT, available_points=60), 0),
            (brawny(ALL_SPENT, available_points=61), 61),
            (brawny(available_points=52, skills=[known("archery", 4)]), 0),
            (brawny(available_points=53, skills=[known("archery", 4)]), 63),
            (brawny(available_points=55, traits=["lucky"]), 0),
            (brawny(available_points=56, traits=["lucky"]), 63),
            (brawny(available_points=65, traits=["slow_to_react"]), 0),
            (brawny(available_points=66, traits=["slow_to_react"]), 63),
            (brawny(available_points=57, class_id="cave_mage"), 0),
            (brawny(available_points=58, class_id="cave_mage"), 63),
            (brawny(available_points=62, traits=["unheard_of"]), 0),
        ],
    )
    def test_points_left_and_spent_are_counted_with_a_leftovers_bonus(
        self, own: RpjSheet, worth: int
    ) -> None:
        points = 60 if own.attributes == brawny(ALL_SPENT).attributes else 62

        assert found(own) == ([f"Character points {worth} (a beginner: {points})"] if worth else [])

    @pytest.mark.parametrize(
        ("methods", "points"), [(["array"], 60), (["roll"], 60), (["buy"], 62), (["buy", "array"], 62)]
    )
    def test_a_leftover_gives_points_only_where_attributes_are_bought(
        self, methods: list[str], points: int
    ) -> None:
        settings = RpjSettings(module=Shipped.FANTASY, methods=tuple(map(GenerationMethod, methods)))

        assert found(brawny(available_points=points), settings) == []
        assert len(found(brawny(available_points=points + 1), settings)) == 1

    @pytest.mark.parametrize(("methods", "points"), [(["array"], 62), (["roll"], 60)])
    def test_an_array_gives_its_bonus_where_arrays_are_played(self, methods: list[str], points: int) -> None:
        settings = RpjSettings(module=Shipped.FANTASY, methods=tuple(map(GenerationMethod, methods)))
        array = brawny("STR 6 CON 3 DEX 3 CHA 3 WIL 2 INT 2", available_points=points)

        assert found(array, settings) == []
        assert len(found(array.model_copy(update={"available_points": points + 1}), settings)) == 1


@pytest.mark.parametrize(
    ("own", "above"),
    [
        (brawny(skills=[known("archery", 6)]), []),
        (brawny(skills=[known("archery", 7)]), ["Archery 7 (a beginner: 6)"]),
        (brawny(skills=[known("hacking", 7)]), ["hacking 7 (a beginner: 6)"]),
        (brawny(class_skills=["archery"]), ["Class skills 1 (a beginner: none)"]),
        (
            brawny(
                class_id="knight", class_skills=["large_blades", "blunt_weapons", "command", "intimidate"]
            ),
            [],
        ),
        (
            brawny(
                class_id="knight",
                class_skills=["large_blades", "blunt_weapons", "command", "intimidate", "horsemanship"],
            ),
            ["Class skills 5 (a beginner: 4)"],
        ),
        (
            brawny(class_id="knight", class_skills=["large_blades", "archery"]),
            ["Class skills 2 (a beginner: 1)"],
        ),
        (
            brawny(class_id="knight", class_skills=["command", "command"]),
            ["Class skills 2 (a beginner: 1)"],
        ),
        (brawny(class_id="knight", belongings=("longsword", "heavy_armor")), []),
        (
            brawny(class_id="knight", belongings=("longsword", "bow", "dagger")),
            ["Items that don't come with the class 2 (a beginner: none)"],
        ),
        (brawny(belongings=("bow",)), ["Items that don't come with the class 1 (a beginner: none)"]),
    ],
)
def test_what_does_not_come_with_tier_and_class_is_reported(own: RpjSheet, above: list[str]) -> None:
    assert found(own) == above


def test_a_quirk_of_another_class_is_reported() -> None:
    own = brawny().model_copy(
        update={"traits": (OwnTrait(trait="speaks_in_grunts", source=TraitSource.CLASS),)}
    )

    assert found(own) == ["Quirks of another class 1 (a beginner: none)"]


@pytest.mark.rule("RPJ-CHAR-13")
@pytest.mark.parametrize(
    ("most", "above"),
    [
        (7, []),
        (6, ["Points for faults 7 (a beginner: 6)"]),
        (None, []),
    ],
)
def test_faults_give_at_most_the_campaigns_refund(most: int | None, above: list[str]) -> None:
    own = brawny(traits=["slow_to_react", "totally_mute", "haggler", "unheard_of"])

    assert found(own, RpjSettings(module=Shipped.FANTASY, most_refund=most)) == above


@pytest.mark.parametrize(
    ("attributes", "above"),
    [
        (BOUGHT, []),
        ("STR 6 CON 3 DEX 3 CHA 3 WIL 2 INT 2 LUCK 3", []),
        ("STR 6 CON 4 DEX 5 CHA 1 WIL 1 INT 1", [f"Attributes 6, 4, 5, 1, 1, 1 {ROLLED}"]),
        ("STR 4 CON 4 DEX 4 CHA 3 WIL 2 INT 0", [f"Attributes 4, 4, 4, 3, 2, 0 {ROLLED}"]),
        (f"{BOUGHT} LUCK 4", ["Luck 4 (a beginner: 3, or rolled here)"]),
    ],
)
def test_levels_nobody_can_buy_and_luck_above_the_average_need_dice(
    attributes: str, above: list[str]
) -> None:
    assert [str(one) for one in BEGINNER.claims(brawny(attributes), FANTASY)] == above
