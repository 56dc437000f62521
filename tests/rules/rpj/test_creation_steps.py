"""Whatever somebody chooses in the wizard: no page breaks, and what is finished is allowed."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.kernel.dice import Dice
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import OwnTrait, RpjSheet, Stats, TraitSource
from bot.rules.rpj.module.basics import Category, RpjAttribute
from bot.rules.rpj.module.module import GenerationMethod
from bot.rules.rpj.module.module_files import RpjSettings, Shipped, module_in
from bot.rules.rpj.new_characters import Making
from bot.rules.rpj.ways_to_join import BEGINNER, module_problems
from tests.rules.rpj.people import known, sheet
from tests.rules.rpj.wizard import SEVEN, Wizard, laeniel

LONGEST_VALUE, LONGEST_LABEL, LONGEST_KEY = 100, 100, 75


class Drawn:
    """Dice that fall as hypothesis likes."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def roll(self, sides: int) -> int:
        """Any face."""
        return self._data.draw(st.integers(1, sides))


def throw(wizard: Wizard, dice: Dice) -> None:
    """Throw whatever has not been thrown yet."""
    for step in wizard.steps.values():
        for one in step.throws:
            if one.key not in wizard.draft:
                roll = RULESET.rolls[one.rule].resolve(one.inputs, dice)
                wizard.draft[one.key] = one.answer(roll)


def look_at(wizard: Wizard) -> None:
    """Every page can be shown."""
    for step in wizard.steps.values():
        assert step.title
        assert len(step.blanks) <= 5
        assert len(step.picks) + len(step.throws) <= 7
        for pick in step.picks:
            assert len(pick.prompt) <= LONGEST_LABEL
            assert len(pick.key) <= LONGEST_KEY
            values = [choice.value for choice in pick.choices]
            assert len(values) == len(set(values))
            assert pick.barred.keys() <= set(values)
            for choice in pick.choices:
                assert 1 <= len(choice.value) <= LONGEST_VALUE
                assert 1 <= len(choice.label) <= LONGEST_LABEL
                assert len(choice.note) <= LONGEST_LABEL


def choose(wizard: Wizard, data: st.DataObject) -> None:
    """Answer one question of any page with anything that is offered and not barred."""
    open_picks = [
        pick for pick in wizard.picks.values() if set(pick.barred) < {c.value for c in pick.choices}
    ]
    pick = data.draw(st.sampled_from(open_picks))
    free = [choice.value for choice in pick.choices if choice.value not in pick.barred]
    most = min(pick.most, len(free))
    chosen = data.draw(st.lists(st.sampled_from(free), min_size=min(1, most), max_size=most, unique=True))
    wizard.draft[pick.key] = tuple(chosen)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_wizard_page_can_be_shown_and_a_finished_character_fits_its_module(data: st.DataObject) -> None:
    wizard = Wizard(module=data.draw(st.sampled_from(list(Shipped))))
    for _ in range(data.draw(st.integers(0, 25))):
        choose(wizard, data)
        if data.draw(st.booleans()):
            throw(wizard, Drawn(data))
        look_at(wizard)
        if not wizard.problems:
            figure = Stats(wizard.made(), module_in(wizard.settings))
            assert module_problems(figure) == ()
            assert figure.sheet.available_points >= 0


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_skill_can_be_bought_beyond_the_points_there_are(data: st.DataObject) -> None:
    wizard = laeniel(start_points=data.draw(st.integers(0, 130)))
    skills = [choice.value for choice in wizard.picks["buying"].choices]
    for _ in range(data.draw(st.integers(1, 12))):
        wizard.pick(buying=data.draw(st.sampled_from(skills)))
        pick = wizard.picks[f"level.{wizard.draft['buying'][0]}"]
        free = [choice.value for choice in pick.choices if choice.value not in pick.barred]
        wizard.draft[pick.key] = (data.draw(st.sampled_from(free)),)

        assert Making(wizard.draft, module_in(wizard.settings)).left >= 0
        assert not any("All of it costs" in told for _where, told in wizard.problems)


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


MISSING = "Choose a level for Strength, Constitution, Dexterity, Charisma, Willpower, Intelligence."


@pytest.mark.rule("RPJ-ATTR-08")
class TestChoosingAMethod:
    def test_the_wizard_offers_every_method_of_the_module(self) -> None:
        assert list(Wizard().choices("method")) == ["roll", "roll 10d6", "buy", "array"]

    def test_a_campaign_with_only_arrays_offers_only_arrays_and_still_rolls_luck(self) -> None:
        wizard = Wizard(methods=("array",))

        assert list(wizard.choices("method")) == ["array"]
        assert [throw.key for throw in wizard.steps["attributes"].throws] == ["luck"]

    def test_no_levels_are_asked_for_before_a_method_is_chosen(self) -> None:
        wizard = Wizard()

        assert wizard.steps["levels"].picks == ()
        assert wizard.steps["levels"].text == "First choose a method for the attributes."
        assert wizard.problems[:2] == [
            ("attributes", "Choose a method for the attributes first."),
            ("attributes", "Roll Luck first."),
        ]

    def test_only_the_rolling_methods_have_dice_besides_luck(self) -> None:
        assert [one.key for one in Wizard().pick(method="roll").steps["attributes"].throws] == [
            "pool",
            "luck",
        ]
        assert [one.key for one in Wizard().pick(method="buy").steps["attributes"].throws] == ["luck"]


@pytest.mark.rule("RPJ-ATTR-09", "RPJ-ATTR-11")
class TestRollingAttributes:
    def test_the_player_assigns_the_six_best_halved_pairs_freely(self) -> None:
        wizard = Wizard().pick(method="roll").throw("pool", SEVEN)

        assert wizard.draft["pool"] == ("6", "4", "3", "3", "2", "2")
        assert list(wizard.choices("STR")) == ["6", "4", "3", "2"]
        assert wizard.steps["levels"].text == "Rolled: 6, 4, 3, 3, 2, 2.\nStill to assign: 6, 4, 3, 3, 2, 2."
        assert ("levels", MISSING) in wizard.problems

    def test_the_method_can_no_longer_change_once_the_dice_are_rolled(self) -> None:
        (pool, _luck) = Wizard().pick(method="roll").steps["attributes"].throws

        assert pool.settles == ("method",)

    def test_the_primary_category_of_rolled_levels_is_the_highest_one(self) -> None:
        sheet = laeniel().pick(**{"class": "ranger"}).pick(class_skills=RANGER).made()

        assert sheet.primary is Category.SHIFTY
        assert sheet.attributes == {
            RpjAttribute.STR: 2,
            RpjAttribute.CON: 3,
            RpjAttribute.DEX: 6,
            RpjAttribute.CHA: 4,
            RpjAttribute.WIL: 2,
            RpjAttribute.INT: 3,
            RpjAttribute.LUCK: 4,
        }

    def test_the_wizard_asks_when_several_categories_are_highest(self) -> None:
        wizard = (
            Wizard().pick(method="roll").throw("pool", "3 3 4 4 4 4 3 3 2 2 3 3 1 1").throw("luck", "1 1")
        )
        wizard.pick(STR="3", CON="4", DEX="4", CHA="3", WIL="2", INT="3")

        assert list(wizard.choices("primary")) == ["Brawny", "Shifty"]
        assert any("primary category" in sentence for _where, sentence in wizard.problems)
        assert not any("primary" in told for _where, told in wizard.pick(primary="Shifty").problems)

    def test_assigning_a_level_twice_is_reported(self) -> None:
        wizard = laeniel().pick(CHA="6")

        assert (
            "levels",
            "Assign the levels you rolled: 6, 4, 3, 3, 2, 2, not 6, 6, 3, 3, 2, 2.",
        ) in wizard.problems
        assert wizard.choices("CHA")["6"].note == "1 of 1 assigned elsewhere"


RANGER = "archery/,survival/,concealment/,perception/"


@pytest.mark.rule("RPJ-ATTR-10")
def test_the_wizard_drops_the_two_highest_and_two_lowest_of_ten_dice() -> None:
    wizard = Wizard().pick(method="roll 10d6").throw("pool", "1 1 2 3 3 4 4 5 6 6")

    assert wizard.draft["pool"] == ("5", "4", "4", "3", "3", "2")


@pytest.mark.rule("RPJ-ATTR-16")
class TestLuck:
    @pytest.mark.parametrize(("faces", "luck"), [("3 4", "3"), ("1 1", "1"), ("6 6", "6"), ("4 5", "4")])
    def test_luck_is_half_of_the_two_dice_rolled_in_the_wizard(self, faces: str, luck: str) -> None:
        assert Wizard().throw("luck", faces).draft["luck"] == (luck,)

    def test_the_player_cannot_assign_a_level_to_luck(self) -> None:
        assert "LUCK" not in laeniel().picks


@pytest.mark.rule("RPJ-ATTR-12", "RPJ-ATTR-13", "RPJ-ATTR-14")
class TestBuyingAttributes:
    def ug(self) -> Wizard:
        return Wizard().pick(method="buy", primary="Brainy").throw("luck", "3 4")

    def test_buying_starts_with_every_attribute_at_1_and_forty_points(self) -> None:
        wizard = self.ug()

        assert wizard.steps["levels"].text.startswith("40 of 40 attribute points left")
        assert wizard.choices("STR")["1"].note == "costs 0 · leaves 40"

    def test_ug_pays_the_price_of_each_attribute_level(self) -> None:
        wizard, left = self.ug(), []
        for name, level in (("INT", "6"), ("WIL", "4"), ("CON", "3"), ("DEX", "2"), ("STR", "2")):
            wizard.pick(**{name: level})
            left.append(wizard.steps["levels"].text.split(" ")[0])

        assert left == ["20", "11", "6", "4", "2"]
        assert (
            "2 of 40 attribute points left; leftover points give 2 character points"
            in wizard.steps["levels"].text
        )

    def test_the_number_of_wizard_pages_stays_the_same(self) -> None:
        """F-RPJ-11."""
        assert len(Wizard().steps) == len(self.ug().steps) == 6

    def test_attributes_outside_the_primary_category_can_be_bought_to_4_at_most(self) -> None:
        """F-RPJ-11: more is not offered."""
        assert list(self.ug().choices("STR")) == ["1", "2", "3", "4"]
        assert list(self.ug().choices("INT")) == ["1", "2", "3", "4", "5", "6"]

    def test_leftover_attribute_points_count_only_after_something_is_bought(self) -> None:
        """F-RPJ-11."""
        untouched = self.ug()
        assert untouched.steps["levels"].text.startswith("40 of 40 attribute points left.\n")
        assert untouched.steps["traits"].text.startswith("60 character points · 60 left")

        bought = untouched.pick(INT="2")

        assert "leftover points give 2 character points" in bought.steps["levels"].text
        assert bought.steps["traits"].text.startswith("60 character points · attributes +2 · 62 left")

    def test_attributes_of_the_primary_category_can_be_bought_to_6(self) -> None:
        assert self.ug().pick(INT="5").pick(INT="6").draft["INT"] == ("6",)

    def test_an_attribute_level_that_costs_too_much_is_refused(self) -> None:
        wizard = self.ug().pick(INT="6", WIL="5")

        assert wizard.refusal("STR", "4") == ("Strength 4 would cost 9 attribute points; 6 are left for it.")

    def test_changing_the_primary_category_reports_levels_that_are_now_too_high(self) -> None:
        wizard = self.ug().pick(INT="6").pick(primary="Brawny")

        assert ("levels", "You can buy Intelligence from 1 to 4, not 6.") in wizard.problems


@pytest.mark.rule("RPJ-ATTR-15")
class TestArraysInTheWizard:
    def set_a(self) -> Wizard:
        return Wizard().pick(method="array").pick(array="A").pick(primary="Shifty").throw("luck", "3 3")

    def test_the_two_best_levels_of_an_array_are_offered_to_one_category_only(self) -> None:
        wizard = self.set_a()

        assert list(wizard.choices("DEX")) == ["6", "3"]
        assert list(wizard.choices("INT")) == ["3", "2"]

    def test_splitting_the_best_levels_of_an_array_over_two_categories_is_refused(self) -> None:
        wizard = self.set_a().pick(DEX="6", CHA="6", STR="3", CON="3", WIL="2", INT="2")

        assert ("levels", "With array A, give Shifty 6, 3, not 6, 6.") in wizard.problems

    def test_arrays_a_and_c_give_character_points(self) -> None:
        notes = {
            value: choice.note for value, choice in Wizard().pick(method="array").choices("array").items()
        }

        assert notes == {"A": "gives 2 character points", "B": "", "C": "gives 2 character points"}


@pytest.mark.rule("RPJ-ATTR-12", "RPJ-ATTR-13", "RPJ-ATTR-14")
class TestWhatBuyingCosts:
    """A level costs the sum of the numbers up to it, the first is free; 40 points for everything."""

    def buying(self, **levels: str) -> Wizard:
        return Wizard().pick(method="buy").pick(primary="Brawny").pick(**levels)

    def test_every_level_says_what_it_costs_and_what_it_leaves(self) -> None:
        wizard = self.buying(STR="6")

        assert [choice.note for choice in wizard.choices("CON").values()] == [
            "costs 0 · leaves 20",
            "costs 2 · leaves 18",
            "costs 5 · leaves 15",
            "costs 9 · leaves 11",
            "costs 14 · leaves 6",
            "costs 20 · leaves 0",
        ]
        assert [choice.note for choice in wizard.choices("STR").values()][-1] == "costs 20 · leaves 20"
        assert list(wizard.choices("DEX")) == ["1", "2", "3", "4"]
        assert wizard.picks["CON"].barred == {}
        assert wizard.steps["levels"].text == (
            "20 of 40 attribute points left; leftover points give 2 character points.\n"
            "Maximum: 6 in Brawny (★), 4 elsewhere."
        )

    def test_what_costs_more_than_is_left_is_barred_with_the_reason(self) -> None:
        wizard = self.buying(STR="6", CON="5", DEX="2")

        assert wizard.picks["CHA"].barred == {
            "3": "Charisma 3 would cost 5 attribute points; 4 are left for it.",
            "4": "Charisma 4 would cost 9 attribute points; 4 are left for it.",
        }
        assert [choice.note for choice in wizard.choices("CHA").values()] == [
            "costs 0 · leaves 4",
            "costs 2 · leaves 2",
            "costs 5 · too expensive",
            "costs 9 · too expensive",
        ]
        assert wizard.picks["DEX"].barred == {
            "4": "Dexterity 4 would cost 9 attribute points; 6 are left for it."
        }
        assert wizard.picks["CON"].barred == {
            "6": "Constitution 6 would cost 20 attribute points; 18 are left for it."
        }

    def test_all_points_spent_bring_no_character_points(self) -> None:
        wizard = self.buying(STR="6", CON="6")

        assert wizard.steps["levels"].text.startswith("0 of 40 attribute points left.\n")


@pytest.mark.rule("RPJ-ATTR-09", "RPJ-ATTR-11")
def test_only_rolled_levels_with_tied_categories_ask_for_the_primary_one() -> None:
    rolled = Wizard().pick(method="roll").throw("pool", SEVEN)
    assert "primary" not in rolled.pick(DEX="6", CHA="4", STR="2", CON="3", WIL="2", INT="3").picks
    assert "primary" not in {pick.key for pick in Wizard().pick(method="array").steps["levels"].picks}
