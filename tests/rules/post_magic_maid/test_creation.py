"""Making a character."""

from itertools import permutations
from typing import Any

import pytest

from bot.rules.kernel import Draft, DueTimer
from bot.rules.kernel.game import FoeLevel
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.creation import BEGINNER
from bot.rules.post_magic_maid.gm import FOES, growth
from bot.rules.post_magic_maid.sheet import (
    LARGEST_DIE,
    STARTING_LAYOUT,
    MaidAttribute,
    MaidSettings,
    MaidSheet,
    die_steps,
)
from bot.rules.post_magic_maid.turns import turn_buttons
from bot.rules.post_magic_maid.wounds import by_strength
from tests.rules.post_magic_maid.play import GameTable, active, id_of, lay_table, passive, sheet

SETTINGS = MaidSettings()
COMPLETE: dict[str, tuple[str, ...]] = {
    "d20": ("Int",),
    "d12": ("Dex",),
    "d8": ("Cha", "Wll"),
    "bonuses": ("Dex", "Str"),
    "third": ("Dex",),
    "kind_one": ("single",),
    "name_one": ("Fishing",),
    "kind_two": ("double",),
    "name_two": ("Riding",),
    "second_two": ("Swimming",),
}


def draft(**changes: Any) -> Draft:
    made = {**COMPLETE, **changes}
    return {key: answer for key, answer in made.items() if answer is not None}


def problems(**changes: Any) -> list[str]:
    return [problem.sentence for problem in RULESET.creation.problems_of(draft(**changes), SETTINGS)]


def build(**changes: Any) -> MaidSheet:
    assert problems(**changes) == []
    made = RULESET.creation.build(draft(**changes), SETTINGS)
    assert isinstance(made, MaidSheet)
    assert RULESET.sheet_problems(made) == ()
    return made


def abilities(**changes: Any) -> list[tuple[str, int, int]]:
    return [(each.name, each.bonus, each.passives) for each in build(**changes).abilities]


@pytest.mark.rule("PMM-CRE-01")
class TestDice:
    def test_a_new_character_has_two_d6_two_d8_a_d12_and_a_d20(self) -> None:
        made = build()

        dice = {attribute.value: made.attributes[attribute].die for attribute in MaidAttribute}
        assert dice == {"Int": 20, "Str": 6, "Dex": 12, "Cha": 8, "Wll": 8, "Lck": 6}

    @pytest.mark.parametrize(
        "dice", [(20, 20, 6, 6, 8, 12), (6, 6, 8, 8, 12, 12), (8, 8, 8, 6, 12, 20), (10, 6, 8, 8, 12, 20)]
    )
    def test_a_sheet_with_other_dice_is_refused(self, dice: tuple[int, ...]) -> None:
        wrong = sheet(dict(zip(MaidAttribute, dice, strict=True)))

        assert [problem.where for problem in RULESET.sheet_problems(wrong)] == ["attributes"]

    def test_the_dice_can_be_assigned_in_180_ways(self) -> None:
        assert STARTING_LAYOUT == (6, 6, 8, 8, 12, 20)
        assert len(set(permutations(STARTING_LAYOUT))) == 180

    def test_an_attribute_has_one_die_only(self) -> None:
        assert problems(d12=("Int",), third=("Cha",)) == ["Int has two dice; choose one."]

    def test_three_attributes_on_a_d8_are_too_many(self) -> None:
        assert problems(d8=("Cha", "Wll", "Lck")) == ["Choose two attributes for the d8."]

    def test_every_die_must_be_assigned(self) -> None:
        assert problems(d20=(), d12=None, d8=("Cha",), third=("Cha",)) == [
            "Choose one attribute for the d20.",
            "Choose one attribute for the d12.",
            "Choose two attributes for the d8.",
        ]


@pytest.mark.rule("PMM-CRE-02")
class TestAssignmentIsFinal:
    def test_a_player_cannot_swap_dice_after_creation(self, table: GameTable) -> None:
        assert table.refused("Ash", "swap_dice", first="Int", second="Str").what == (
            "Dice stay with their attributes once a character is created."
        )

    def test_dice_may_be_swapped_before_the_character_is_finished(self) -> None:
        assert build(d20=("Str",)).attributes[MaidAttribute.STR].die == 20

    def test_a_gm_can_swap_dice(self, table: GameTable) -> None:
        done = table.do("GM", "swap_dice", target="Ash", first="Int", second="Str")

        assert done.headline == "swaps the dice of Ash's Int and Str"
        scores = RULESET.sheet.model_validate(table.named("Ash").sheet).model_dump()["attributes"]
        assert (scores[MaidAttribute.INT]["die"], scores[MaidAttribute.STR]["die"]) == (6, 20)

    def test_a_gm_can_swap_the_acting_characters_dice(self, table: GameTable) -> None:
        done = table.do("GM Ogre", "swap_dice", first="Int", second="Str")

        assert done.headline == "swaps the dice of Ogre's Int and Str"

    def test_a_d6_grown_to_a_d8_counts_as_an_advance(self) -> None:
        assert die_steps([8, 6, 8, 8, 12, 20]) == 1


@pytest.mark.rule("PMM-CRE-03")
class TestFirstTwoBonuses:
    def test_the_first_two_bonuses_may_go_on_any_attributes(self) -> None:
        made = build(bonuses=("Str", "Int"), third=("Cha",))

        assert {a.value: made.attributes[a].creation for a in MaidAttribute} == {
            "Int": 1,
            "Str": 1,
            "Dex": 0,
            "Cha": 1,
            "Wll": 0,
            "Lck": 0,
        }

    def test_both_first_bonuses_may_go_on_a_d6(self) -> None:
        assert problems(bonuses=("Lck", "Str")) == []

    @pytest.mark.parametrize("bonuses", [("Str", "Str"), ("Str",), (), None])
    def test_the_first_two_bonuses_need_different_attributes(self, bonuses: Any) -> None:
        assert problems(bonuses=bonuses) == ["Choose two different attributes for the first two bonuses."]


@pytest.mark.rule("PMM-CRE-04")
class TestThirdBonus:
    def test_the_third_bonus_may_go_on_an_attribute_with_a_bonus(self) -> None:
        made = build(bonuses=("Dex", "Str"), third=("Dex",))

        assert str(made.attributes[MaidAttribute.DEX]) == "d12 +2"
        assert str(made.attributes[MaidAttribute.STR]) == "d6 +1"

    def test_the_third_bonus_may_go_on_another_attribute(self) -> None:
        made = build(bonuses=("Dex", "Str"), third=("Cha",))

        assert sorted(score.creation for score in made.attributes.values()) == [0, 0, 0, 1, 1, 1]

    def test_the_third_bonus_on_a_d6_is_refused(self) -> None:
        assert problems(third=("Str",)) == ["Choose another attribute for the third bonus: Str has a d6."]

    def test_the_third_bonus_must_be_chosen(self) -> None:
        assert problems(third=None) == ["Choose one attribute for the third bonus."]

    def test_three_bonuses_on_one_attribute_are_impossible(self) -> None:
        with pytest.raises(ValueError, match="less than or equal to 2"):
            RULESET.sheet.model_validate(
                {"attributes": {a.value: {"die": 8, "creation": 3} for a in MaidAttribute}}
            )

    def test_the_third_bonus_offers_the_four_attributes_above_a_d6(self) -> None:
        step = next(step for step in RULESET.creation.steps(draft(), SETTINGS) if step.key == "third")

        assert [(choice.value, choice.note) for choice in step.picks[0].choices] == [
            ("Int", "d20"),
            ("Dex", "d12"),
            ("Cha", "d8"),
            ("Wll", "d8"),
        ]


@pytest.mark.rule("PMM-CRE-05")
class TestAbilityBonuses:
    def test_two_single_bonuses_can_be_chosen(self) -> None:
        assert abilities(kind_two=("single",), second_two=None) == [("Fishing", 5, 0), ("Riding", 5, 0)]

    def test_a_single_and_a_double_bonus_can_be_chosen(self) -> None:
        assert abilities() == [("Fishing", 5, 0), ("Riding", 2, 0), ("Swimming", 2, 0)]

    def test_two_double_bonuses_can_be_chosen(self) -> None:
        assert abilities(kind_one=("double",), second_one=("Weaving",)) == [
            ("Fishing", 2, 0),
            ("Weaving", 2, 0),
            ("Riding", 2, 0),
            ("Swimming", 2, 0),
        ]

    def test_a_single_and_a_passive_bonus_can_be_chosen(self) -> None:
        made = build(kind_two=("passive",), effect_two=("Knows people.",))

        assert [(each.name, each.bonus, each.effects) for each in made.abilities] == [
            ("Fishing", 5, ()),
            ("Riding", 0, ("Knows people.",)),
        ]

    def test_two_passive_bonuses_can_be_chosen(self) -> None:
        assert abilities(kind_one=("passive",), kind_two=("passive",)) == [
            ("Fishing", 0, 1),
            ("Riding", 0, 1),
        ]

    def test_the_bonus_kind_decides_which_questions_are_asked(self) -> None:
        def asked(kind: str | None) -> list[str]:
            answers = draft(kind_one=None if kind is None else (kind,))
            step = RULESET.creation.steps(answers, SETTINGS)[3]
            return [blank.key for blank in step.blanks]

        assert asked(None) == []
        assert asked("single") == ["name_one"]
        assert asked("double") == ["name_one", "second_one"]
        assert asked("passive") == ["name_one", "effect_one"]


@pytest.mark.rule("PMM-CRE-06")
class TestOneBonusAnAbility:
    def test_two_singles_on_one_ability_are_refused(self) -> None:
        assert problems(kind_two=("single",), name_two=(" fishing",)) == [
            "Name another ability: fishing already has a bonus."
        ]

    def test_a_single_and_a_double_on_one_ability_are_refused(self) -> None:
        assert problems(name_two=("Fishing",)) == ["Name another ability: Fishing already has a bonus."]

    def test_two_doubles_cannot_share_an_ability(self) -> None:
        assert problems(kind_one=("double",), second_one=("Riding",)) == [
            "Name another ability: Riding already has a bonus."
        ]

    def test_two_passives_must_be_two_abilities(self) -> None:
        assert problems(kind_one=("passive",), kind_two=("passive",), name_two=("FISHING",)) == [
            "Name another ability: FISHING already has a bonus."
        ]


@pytest.mark.rule("PMM-CRE-07")
class TestStartingValues:
    def test_a_new_character_starts_with_three_blitz_points_and_nothing_else(self) -> None:
        assert {rule.key: (rule.start, rule.npc_start) for rule in RULESET.resources} == {
            "blitz": (3, 0),
            "level_ups": (0, 0),
            "die_points": (0, 0),
        }

    def test_a_new_character_has_no_wounds_magic_or_advances(self) -> None:
        table = lay_table(sheets={"Ash": build()})

        assert table.wounds("Ash", "blunt") == "0/0/0/0"
        assert table.wounds("Ash", "rending") == "0/0/0/0"
        assert (build().is_magical, build().advances) == (False, ())


class TestWizard:
    def test_every_problem_is_listed_at_once_in_the_order_of_the_steps(self) -> None:
        told = RULESET.creation.problems_of({}, SETTINGS)

        assert [problem.where for problem in told] == [
            "dice",
            "dice",
            "dice",
            "bonuses",
            "third",
            "ability_one",
            "ability_two",
        ]
        assert told[-1].sentence == "Choose the kind of ability bonus two."

    def test_names_and_effects_have_their_limits(self) -> None:
        long = ("x" * 61,)

        assert problems(name_one=long) == ["An ability's name can have up to 60 characters."]
        assert problems(name_one=("  ",)) == ["Name the ability."]
        assert problems(kind_one=("passive",), effect_one=("x" * 201,)) == [
            "The effect of a passive ability can have up to 200 characters."
        ]

    def test_an_unknown_attribute_counts_as_not_chosen(self) -> None:
        assert problems(d20=("Luck",)) == ["Choose one attribute for the d20."]

    @pytest.mark.parametrize("answers", [{}, COMPLETE, {"kind_one": ("passive",)}])
    def test_the_wizards_pages_fit_discord(self, answers: Draft) -> None:
        steps = RULESET.creation.steps(answers, SETTINGS)

        assert [step.key for step in steps] == ["dice", "bonuses", "third", "ability_one", "ability_two"]
        for step in steps:
            assert len(step.picks) <= 4
            assert len(step.blanks) <= 5
            assert all(len(blank.prompt) <= 45 for blank in step.blanks)
            for pick in step.picks:
                assert len(pick.prompt) <= 100
                assert len(pick.choices) <= 25

    def test_without_dice_the_third_bonus_has_no_choices_yet_f_small_15(self) -> None:
        (pick,) = RULESET.creation.steps({}, SETTINGS)[2].picks

        assert (pick.prompt, pick.choices) == ("One attribute", ())

    def test_each_ability_without_a_name_is_asked_for_once_f_small_15(self) -> None:
        assert problems(kind_one=("double",), name_one=(), second_one=()) == [
            "Name one ability.",
            "Name another ability.",
        ]

    @pytest.mark.parametrize(
        ("kind", "button"),
        [("single", "Name the ability"), ("double", "Name both abilities"), ("passive", "Name the ability")],
    )
    def test_the_write_button_says_what_it_asks_for_f_small_15(self, kind: str, button: str) -> None:
        assert RULESET.creation.steps({"kind_one": (kind,)}, SETTINGS)[3].writes == button

    def test_ready_made_characters_are_valid_and_different(self) -> None:
        ready = RULESET.creation.ready_made

        assert len(ready) >= 4
        assert len({made.model_dump_json() for made in ready.values()}) == len(ready)
        for made in ready.values():
            assert RULESET.sheet_problems(made) == ()
            assert isinstance(made, MaidSheet)
            assert sum(score.creation for score in made.attributes.values()) == 3

    def test_an_npc_has_the_usual_dice_and_no_bonus(self) -> None:
        plain = RULESET.creation.npc()

        assert isinstance(plain, MaidSheet)
        assert sorted(score.die for score in plain.attributes.values()) == [6, 6, 8, 8, 12, 20]
        assert RULESET.sheet_problems(plain) == ()


@pytest.mark.rule("PMM-CRE-01", "PMM-CRE-03", "PMM-CRE-04", "PMM-CRE-05")
def test_the_wizard_asks_for_as_many_answers_as_the_rules_want() -> None:
    steps = RULESET.creation.steps(draft(), SETTINGS)

    assert {pick.key: (pick.least, pick.most) for step in steps for pick in step.picks} == {
        "d20": (1, 1),
        "d12": (1, 1),
        "d8": (2, 2),
        "bonuses": (2, 2),
        "third": (1, 1),
        "kind_one": (1, 1),
        "kind_two": (1, 1),
    }


@pytest.mark.rule("PMM-ABL-07")
@pytest.mark.parametrize(("letters", "is_short"), [(200, True), (201, False)])
def test_an_effect_has_up_to_200_letters(letters: int, is_short: bool) -> None:
    answers = draft(kind_one=("passive",), effect_one=("x" * letters,))

    assert (RULESET.creation.problems_of(answers, SETTINGS) == ()) is is_short


@pytest.mark.rule("PMM-ADV-11")
@pytest.mark.parametrize(
    ("track", "is_one"),
    [
        ("6, 8, 12, 20, 32", True),
        ("2, 6, 8, 12, 20", True),
        ("6, 8, 12, 20", True),
        ("1, 6, 8, 12, 20", False),
        ("6, 12, 8, 20", False),
        ("6, 6, 8, 12, 20", False),
        ("6, 8, 12", False),
        ("8, 12, 20", False),
        (f"6, 8, 12, 20, {LARGEST_DIE}", True),
        (f"6, 8, 12, 20, {LARGEST_DIE + 1}", False),
    ],
)
def test_the_die_track_grows_and_holds_the_starting_dice(track: str, is_one: bool) -> None:
    sizes = [int(one) for one in track.split(", ")]
    if is_one:
        assert MaidSettings.model_validate({"die_track": sizes}).die_track == tuple(sizes)
    else:
        with pytest.raises(ValueError, match=r"size must be larger|track must include"):
            MaidSettings.model_validate({"die_track": sizes})


@pytest.mark.rule("PMM-CRE-07", "PMM-ADV-08")
@pytest.mark.parametrize(
    ("made", "spent"),
    [
        (sheet(), None),
        (sheet(creation={"Int": 2}, abilities=(active("Song", 1, creation=1),)), None),
        (sheet(steps={"Int": 1}), 1),
        (sheet(steps={"Int": 1}, abilities=(active("Song", 2, creation=1),)), 2),
        (sheet(steps={"Int": 1}).model_copy(update={"advances": ("a", "b", "c")}), 3),
    ],
)
def test_a_beginner_has_spent_no_level_up(made: MaidSheet, spent: int | None) -> None:
    found = [(one.what, one.has) for one in BEGINNER.excess(made, SETTINGS)]

    assert found == ([] if spent is None else [("Level-ups spent", spent)])


@pytest.mark.rule("PMM-CHK-01")
def test_a_better_foe_has_larger_dice_and_larger_ones_for_what_it_is_good_at() -> None:
    made = [FOES.make(level, SETTINGS) for level in FoeLevel]
    good = [FOES.give(one, level, ["Str"], SETTINGS) for one, level in zip(made, FoeLevel, strict=True)]

    assert [{score.die for score in one.attributes.values()} for one in made] == [{6}, {8}, {10}, {12}]
    assert [one.attributes[MaidAttribute.STR].die for one in good] == [10, 12, 14, 16]
    assert not FOES.fresh(made[0].model_copy(update={"is_dead": True})).is_dead


@pytest.mark.rule("PMM-ADV-02")
def test_growth_tells_what_rose_and_what_is_new() -> None:
    before = sheet(abilities=(active("Song", 1), passive("Eyes"), active("Dance", 1)))
    after = sheet(
        {"Str": 8},
        steps={"Dex": 1},
        abilities=(active("Song", 2), passive("Eyes", 2), active("Dance", 1), active("Ride", 1)),
    )

    assert [(one.what, one.before, one.after) for one in growth(before, after, SETTINGS)] == [
        ("Str", "d6", "d8"),
        ("Dex", "d12", "d12 +1"),
        ("Song", "+5", "+8"),
        ("Eyes", "1", "2"),
        ("Ride", "", "new"),
    ]
    assert list(growth(before, before, SETTINGS)) == []


@pytest.mark.rule("PMM-WND-08", "PMM-CHK-06", "PMM-CHK-05")
class TestGmsHand:
    def test_hours_minutes_and_seconds_add_up(self, table: GameTable) -> None:
        table.do("GM", "clock", hours=1, minutes=2, seconds=3)

        assert table.scene.clock == 3723

    @pytest.mark.parametrize(
        ("count", "told"), [(1, "wounds Ash, blunt, tier 10"), (2, "wounds Ash, 2 × blunt, tier 10")]
    )
    def test_several_wounds_are_told_as_several(self, table: GameTable, count: int, told: str) -> None:
        assert table.do("GM", "wound", target="Ash", track="blunt", tier="10", count=count).headline == told
        assert table.wounds("Ash", "blunt") == f"{count}/0/0/0"
        mended = table.do("GM", "mend", target="Ash", wound="slight blunt", count=count)
        assert mended.headline == told.replace("wounds", "mends").replace("blunt, tier 10", "slight blunt")

    @pytest.mark.parametrize(
        ("filled", "count", "told"),
        [
            ("0/0/0/0", 1, "Ash has no slight blunt wound."),
            ("1/0/0/0", 2, "Ash has 1 slight blunt wound, not 2."),
            ("2/0/0/0", 3, "Ash has 2 slight blunt wounds, not 3."),
        ],
    )
    def test_no_more_wounds_are_mended_than_there_are(self, filled: str, count: int, told: str) -> None:
        table = lay_table()
        table.wound("Ash", "blunt", filled)
        assert table.refused("GM", "mend", target="Ash", wound="slight blunt", count=count).what == told

    def test_a_bonus_is_worth_two_sides_of_a_die_when_pairs_are_ranked(self) -> None:
        made = sheet({"Int": 12, "Dex": 20}, creation={"Int": 2}, steps={"Int": 3, "Lck": 3})
        pairs = by_strength(lay_table(sheets={"Ash": made}).named("Ash"))

        assert [str(one) for one in pairs[0]] == ["Int", "Dex"]
        assert [str(one) for one in pairs[1]] == ["Int", "Lck"]
        assert [str(one) for one in pairs[-1]] == ["Str", "Wll"]


@pytest.mark.rule("PMM-WND-06", "PMM-WND-07")
@pytest.mark.parametrize("is_dead", [False, True])
def test_the_gm_is_asked_about_an_untreated_wound_of_the_living(table: GameTable, is_dead: bool) -> None:
    table.wound("Ash", "rending", "0/0/1/0")
    ash = table.named("Ash")
    table.alter("Ash", timers={"heavy": 0}, sheet=ash.sheet.model_copy(update={"is_dead": is_dead}))
    due = RULESET.timers_due(table.scene, [DueTimer(id_of("Ash"), "heavy")])

    found = [one.what for one in RULESET.unsettled(due.scene)]
    assert found == ([] if is_dead else ["Ash's heavy wound, not treated in time"])


@pytest.mark.rule("PMM-INI-01", "PMM-ACT-01")
def test_the_starter_draws_cards_only_after_acting(table: GameTable) -> None:
    table.do("Ash", "encounter.start", others=("Bram",))
    assert turn_buttons(table.scene, id_of("Ash")) == ()
    table.do("Ash", "check", "d20:9 d12:4", first="Int", second="Dex")
    assert [one.label for one in turn_buttons(table.scene, id_of("Ash"))] == ["Draw cards"]
    assert turn_buttons(table.scene, id_of("Bram")) == ()
