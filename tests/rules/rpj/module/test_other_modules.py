"""Other modules and optional rules: nothing breaks for older characters, and what does not fit is told."""

import re
from contextlib import suppress
from fractions import Fraction
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pydantic import ValidationError

from bot.rules.kernel import Document
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import RpjSheet, figure_in
from bot.rules.rpj.checks.odds import ODDS, RpjOddsQuestion
from bot.rules.rpj.module.basics import (
    LADDER,
    Category,
    RpjAttribute,
    SuitingTarget,
    attribute_bonus,
    average_difficulty,
    category_of,
    difficulty_label,
    difficulty_named,
    id_of,
    suiting_targets,
)
from bot.rules.rpj.module.module import ADDS, Module, Pack, typed_packs
from bot.rules.rpj.module.module_files import (
    MODULES,
    PackIsOff,
    RpjSettings,
    Shipped,
    is_on,
    module_in,
    require,
)
from bot.rules.rpj.ways_to_join import ready_made_of
from bot.rules.swim_class.sheet import folded
from tests.rules.playing import lay_table
from tests.rules.rpj.module.test_modules import WITH_MONEY
from tests.rules.rpj.people import known, module_with, sheet
from tests.rules.rpj.table import LAENIEL, UG, GameTable, rpj_table
from tests.rules.rpj.wizard import laeniel

EVERYTHING = tuple(Pack)
BARE = Module(id="bare", name="Bare", optional_rules=EVERYTHING)
ODD = Module.model_validate(
    {
        "id": "odd",
        "name": "Odd",
        "attributes": {"highest": 6, "lowest": 2},
        "characters": {"highest_skill": 1},
        "skills": [{"id": "archery", "name": "Archery", "linked": ["INT"], "has_specialty": True}],
        "classes": [{"id": "ranger", "name": "Ranger"}],
        "traits": [{"id": "haggler", "name": "Haggler", "kind": "fault", "cost": -2}],
    }
)
OTHERS = {"bare": BARE, "odd": ODD, "science_fiction": MODULES["science_fiction"]}
PEOPLE = {
    "Laeniel": LAENIEL,
    "Ug": UG,
    "Overloaded": sheet(
        "STR 0 CON 6 LUCK 6",
        skills=[known("archery", 6), known("nothing", 3)],
        traits=["alert", "tough", "rich", "strong", "wings"],
        class_id="ranger",
        class_skills=["archery", "crafting/Wood"],
        belongings=("bow", "leather", "nothing"),
    ),
}


WORDS = ("archery", "Archery", "alert", "bow", "DEX", "nothing")


@pytest.fixture(params=list(OTHERS))
def settings(request: pytest.FixtureRequest) -> RpjSettings:
    """The settings of a campaign that plays another module, with every optional rule on."""
    packs = dict.fromkeys(EVERYTHING, True)
    return RpjSettings.model_validate({"module": "own", **packs}).with_module(OTHERS[request.param])


@pytest.fixture
def table(settings: RpjSettings) -> GameTable:
    """Everybody at a table of that campaign."""
    laid = cast("GameTable", lay_table(RULESET, PEOPLE, {}))
    laid.scene = replace(laid.scene, settings=settings)
    return laid


class TestShownUnderAnotherModule:
    def test_sheets_can_be_read_under_any_module(self, table: GameTable, settings: RpjSettings) -> None:
        for name in PEOPLE:
            assert RULESET.describe(table.named(name), settings)

    def test_suggestions_are_offered_under_any_module(self, table: GameTable, settings: RpjSettings) -> None:
        for offer in RULESET.suggestions.values():
            for character in (None, *map(table.named, PEOPLE)):
                assert all(isinstance(name, str) for name in offer(character, settings))

    def test_every_resource_has_a_valid_cap_under_any_module(self, settings: RpjSettings) -> None:
        for rule in RULESET.resources:
            for own in PEOPLE.values():
                cap = rule.cap(own, settings)
                assert cap is None or cap >= 0

    def test_whatever_does_not_fit_a_module_is_reported_in_sentences(self, settings: RpjSettings) -> None:
        problems = [one.sentence for own in PEOPLE.values() for one in RULESET.module_problems(own, settings)]

        assert problems
        assert all(one.endswith(".") for one in problems)

    def test_the_odds_command_works_under_any_module(self, settings: RpjSettings) -> None:
        assert RULESET.odds.answer_under is not None
        assert RULESET.odds.answer_under(RULESET.odds.question(), settings).chances


class TestDoneUnderAnotherModule:
    def test_sessions_start_and_end_under_any_module(self, table: GameTable) -> None:
        everybody = list(table.ids.values())

        begun = RULESET.start_session(table.scene, everybody)
        ended = RULESET.end_session(begun.scene, everybody, [])

        assert ended.scene.characters.keys() == set(everybody)

    @pytest.mark.parametrize("key", sorted(RULESET.procedures))
    def test_every_command_is_done_or_refused_under_any_module(self, table: GameTable, key: str) -> None:
        procedure = RULESET.procedures[key]
        for name in PEOPLE:
            for word in WORDS:
                scene = replace(table.scene, actor_id=table.ids[name], is_gm=True)
                options = filled(procedure.options, word, table)
                if options is None:
                    continue
                with suppress(UserError):
                    assert procedure.run(scene, options, FairDice(b"s" * 32, f"{key} {name} {word}")).headline


def filled(model: type[Document], word: str, table: GameTable) -> Document | None:
    """Options with a word wherever there is a text, and whoever wherever there is a character.

    None for what only buttons can fill.
    """
    given: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        kind = str(field.annotation)
        if "CharacterId" in kind:
            given[name] = (table.ids["Ug"],) if "tuple" in kind else table.ids["Ug"]
        elif kind == "<class 'str'>":
            given[name] = word
    try:
        return model.model_validate(given)
    except ValidationError:
        return None


class TestUnfinishedCharacters:
    def test_an_unfinished_character_can_be_continued_under_another_module(
        self, settings: RpjSettings
    ) -> None:
        wizard = laeniel().pick(**{"class": "ranger"}).buy("archery", 4)

        wizard.settings = settings

        assert wizard.steps
        assert all(sentence.endswith(".") for _page, sentence in wizard.problems)

    @pytest.mark.parametrize("module", list(Shipped))
    def test_a_module_offers_only_the_ready_made_characters_that_fit(
        self, settings: RpjSettings, module: Shipped
    ) -> None:
        offered = RULESET.creation.offered(settings)

        assert ready_made_of(module)
        assert all(isinstance(own, RpjSheet) for own in offered.values())


NAMES = ["Кот", "Кит", "魔法", "魔術", "★", "😀", "---", "...", "2 魔法", "2 魔術", "Fire 2"]


def test_a_name_of_latin_letters_keeps_its_plain_id() -> None:
    assert [id_of(name) for name in ("Slow to React", "Café", "Mk 2", "")] == [
        "slow_to_react",
        "caf",
        "mk_2",
        "",
    ]


def test_names_in_other_scripts_have_ids_of_their_own() -> None:
    assert len({id_of(name) for name in NAMES}) == len(NAMES)
    assert id_of("КОТ") == id_of(" кот ")


@given(st.text(min_size=1, max_size=60))
def test_every_visible_name_has_an_id(name: str) -> None:
    if name.split():
        assert re.fullmatch("[a-z0-9_]{1,60}", id_of(name))
        assert folded(name)


@pytest.mark.parametrize("name", ["/", "_", "★"])
def test_a_skill_of_signs_has_a_key_that_stays_the_same(name: str) -> None:
    assert folded(folded(name)) == folded(name) != ""


@pytest.mark.rule("RPJ-SKILL-24")
class TestDifficultyLadder:
    @pytest.mark.parametrize(
        ("difficulty", "label"),
        [
            (-3, "Trivial"),
            (-1, "Trivial"),
            (0, "Easy"),
            (1, "Easy"),
            (3, "Moderate"),
            (5, "Challenging"),
            (6, "Grueling"),
            (8, "Legendary"),
            (12, "Implausible"),
            (30, "Implausible"),
        ],
    )
    def test_each_difficulty_has_a_name(self, difficulty: int, label: str) -> None:
        assert difficulty_label(difficulty) == label

    def test_each_name_of_a_difficulty_covers_its_target_numbers(self) -> None:
        assert [(rung.name, rung.targets) for rung in LADDER] == [
            ("Trivial", "6-7+"),
            ("Easy", "7-8+"),
            ("Moderate", "9-10+"),
            ("Challenging", "11-12+"),
            ("Grueling", "13-14+"),
            ("Legendary", "15-18+"),
            ("Implausible", "19+"),
        ]

    @pytest.mark.parametrize(
        ("typed", "difficulty"),
        [
            ("Trivial", -1),
            ("easy", 0),
            (" moderate ", 2),
            ("Challenging", 4),
            ("Grueling", 6),
            ("Legendary", 8),
            ("Implausible", 12),
            ("3", 3),
            ("+3", 3),
            ("-1", -1),
            ("10+", 3),
            ("15+", 8),
        ],
    )
    def test_a_typed_difficulty_name_means_its_lowest_difficulty(self, typed: str, difficulty: int) -> None:
        assert difficulty_named(typed) == difficulty

    def test_an_unknown_difficulty_name_is_refused(self) -> None:
        with pytest.raises(UserError) as refused:
            difficulty_named("nasty")

        assert refused.value.sentences == (
            "I can't read the difficulty “nasty”.",
            "Type a number, a target such as 10+, or Trivial, Easy, Moderate, Challenging, Grueling, "
            "Legendary, Implausible.",
        )


def enough(level: int, target: int) -> Fraction | None:
    """How likely a check succeeds, as the page of /odds says."""
    return ODDS.answer(RpjOddsQuestion(level=level, target=target)).enough


@pytest.mark.rule("RPJ-SKILL-25")
class TestSuitingTargets:
    @pytest.mark.parametrize(
        ("level", "targets"),
        [
            (0, [3, 6, 7, 9, 11]),
            (1, [4, 7, 8, 10, 12]),
            (4, [7, 10, 11, 13, 15]),
            (8, [11, 14, 15, 17, 19]),
        ],
    )
    def test_each_skill_level_has_a_target_number_for_each_chance(
        self, level: int, targets: list[int]
    ) -> None:
        assert [suiting.target for suiting in suiting_targets(level)] == targets
        assert [suiting.percent for suiting in suiting_targets(level)] == [95, 75, 50, 25, 5]

    def test_the_chances_of_suiting_targets_are_exact(self) -> None:
        chances = [enough(0, suiting.target) for suiting in suiting_targets(0)]

        assert chances == [Fraction(ways, 36) for ways in (35, 26, 21, 10, 3)]


@pytest.mark.rule("RPJ-SKILL-26")
class TestAverageTasks:
    @pytest.mark.parametrize(("level", "difficulty"), [(4, 3), (0, -1)])
    def test_the_difficulty_of_an_average_task_is_one_below_the_level(
        self, level: int, difficulty: int
    ) -> None:
        assert average_difficulty(level) == difficulty
        assert SuitingTarget(75, 7 + difficulty) in suiting_targets(level)

    def test_an_average_task_succeeds_26_times_in_36(self) -> None:
        assert enough(4, 10) == Fraction(26, 36)

    def test_a_difficulty_equal_to_the_level_succeeds_21_times_in_36(self) -> None:
        assert enough(4, 11) == Fraction(21, 36)


@pytest.mark.rule("RPJ-ATTR-02")
class TestAttributeBonus:
    @pytest.mark.parametrize(
        ("level", "bonus"), [(0, 0), (2, 0), (3, 1), (5, 1), (6, 2), (7, 2), (9, 3), (-1, -1)]
    )
    def test_the_attribute_bonus_is_a_third_of_the_level_rounded_down(self, level: int, bonus: int) -> None:
        assert attribute_bonus(level) == bonus


class TestAttributeCategories:
    def test_six_attributes_form_three_pairs(self) -> None:
        assert {category: category.members for category in Category} == {
            "Brawny": ("STR", "CON"),
            "Shifty": ("DEX", "CHA"),
            "Brainy": ("WIL", "INT"),
        }

    def test_luck_belongs_to_no_category(self) -> None:
        assert category_of(RpjAttribute.CHA) is Category.SHIFTY
        assert category_of(RpjAttribute.LUCK) is None

    def test_each_attribute_has_a_name(self) -> None:
        assert [attribute.word for attribute in RpjAttribute] == [
            "Strength",
            "Constitution",
            "Dexterity",
            "Charisma",
            "Willpower",
            "Intelligence",
            "Luck",
        ]


@pytest.mark.rule("RPJ-GM-06")
class TestOptionalRules:
    @pytest.mark.parametrize("pack", Pack)
    def test_every_optional_rule_is_off_by_default(self, pack: Pack) -> None:
        assert not is_on(RpjSettings(), pack)
        assert is_on(RpjSettings.model_validate({pack.value: True}), pack)

    def test_a_module_can_switch_on_its_own_optional_rules(self) -> None:
        assert is_on(WITH_MONEY, Pack.MONEY)
        assert not is_on(WITH_MONEY, Pack.INVENTORY)

    def test_a_campaign_can_override_a_modules_optional_rules(self) -> None:
        assert not is_on(WITH_MONEY.model_copy(update={"money": False}), Pack.MONEY)
        assert is_on(WITH_MONEY.model_copy(update={"money": None}), Pack.MONEY)

    def test_a_rule_that_is_off_is_refused_with_the_way_to_switch_it_on(self) -> None:
        with pytest.raises(PackIsOff) as refused:
            require(rpj_table().scene, Pack.FIRE_AND_MOVEMENT)

        assert isinstance(refused.value, UserError)
        assert refused.value.sentences == (
            "This campaign doesn't use Fire and Movement.",
            "The GM can switch it on: /campaign settings setting:fire_and_movement value:yes",
        )

    def test_a_rule_that_is_on_is_allowed(self) -> None:
        require(rpj_table(fire_and_movement=True).scene, Pack.FIRE_AND_MOVEMENT)


@pytest.mark.rule("RPJ-GM-06", "RPJ-MNV-01")
@pytest.mark.parametrize(("said", "are_on"), [(None, True), (True, True), (False, False)])
def test_a_campaign_can_switch_maneuvers_off(said: bool | None, are_on: bool) -> None:
    settings = RpjSettings(module=Shipped.FANTASY, maneuvers=said)

    assert module_in(settings).combat.maneuvers.are_on is are_on


@pytest.mark.parametrize("pack", Pack)
def test_each_switch_says_what_its_optional_rule_adds(pack: Pack) -> None:
    field = RpjSettings.model_fields[pack.value]
    adds = ADDS.get(pack, "maneuvers that characters learn and use in fights")

    assert field.title is not None
    assert field.title.casefold() == pack.in_words.casefold()
    assert field.description == f"{adds[0].upper()}{adds[1:]}."


@pytest.mark.parametrize(
    ("typed", "on"),
    [
        ("", []),
        (None, []),
        ("none", []),
        ([], []),
        ("money", [Pack.MONEY]),
        (" Fire and Movement , money", [Pack.FIRE_AND_MOVEMENT, Pack.MONEY]),
        (["money", "inventory"], [Pack.MONEY, Pack.INVENTORY]),
    ],
)
def test_all_optional_rules_are_switched_at_once(typed: object, on: list[Pack]) -> None:
    settings = RpjSettings.model_validate({"packs": typed})

    assert [pack for pack in Pack if settings.switch(pack)] == [pack for pack in Pack if pack in on]
    assert None not in settings.switches().values()


@pytest.mark.parametrize("typed", ["default", " Module "])
def test_by_default_the_module_decides(typed: str) -> None:
    settings = RpjSettings.model_validate({"packs": typed, "criticals": "wide"})

    assert set(settings.switches().values()) == {None}
    assert settings.criticals == "wide"


def test_an_unknown_optional_rule_is_named() -> None:
    with pytest.raises(ValueError, match="There is no optional rule “magick”"):
        typed_packs("money, magick")


def test_the_setting_for_all_rules_shows_those_in_use_and_those_of_the_module() -> None:
    (plain,) = RpjSettings().together()
    (changed,) = RpjSettings(money=True, inventory=True).together()

    assert (plain.value, plain.default) == ("none", "none")
    assert (changed.value, changed.default) == ("money, inventory", "none")
    own = RpjSettings(module="own").with_module(module_with(optional_rules=["money"]))
    (of_module,) = own.together()
    assert of_module.value == "money"


@pytest.mark.rule("RPJ-COIN-01", "RPJ-COIN-08")
@pytest.mark.parametrize(
    ("is_on", "flips", "with_coins"),
    [(True, True, True), (True, False, False), (False, True, False), (False, False, False)],
)
def test_coins_are_flipped_by_those_who_chose_them_where_they_are_played(
    is_on: bool, flips: bool, with_coins: bool
) -> None:
    table = rpj_table(coin_flips=is_on)
    table.change("Ug", flips_coins=flips)

    assert figure_in(table.scene, table.named("Ug")).module.criticals.with_coins is with_coins
