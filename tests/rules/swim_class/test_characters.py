"""Making characters, crafting, the sheet, the end of a session, the GM's word."""

import pytest

from bot.rules.swim_class.creation import CREATION
from bot.rules.swim_class.resources import RESOURCES
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.sheet import SwimSheet
from bot.rules.swim_class.skills import book_of
from tests.rules.swim_class.play import sheet, solo

SETTINGS = SwimSettings()


BOOK = book_of(SETTINGS)


def draft(
    *skills: str, settings: SwimSettings = SETTINGS, **more: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    plain = tuple(skill for skill in skills if ":" not in skill)
    tag = tuple(skill for skill in skills if ":" in skill)
    return {"kind": ("none",), "skills": plain, "tag": tag, **more}


def problems(answers: dict[str, tuple[str, ...]]) -> list[str]:
    return [problem.sentence for problem in CREATION.problems_of(answers, SETTINGS)]


def built(answers: dict[str, tuple[str, ...]], settings: SwimSettings = SETTINGS) -> dict[str, int]:
    made = CREATION.build(answers, settings)
    assert isinstance(made, SwimSheet)
    return dict(made.ranks)


@pytest.mark.rule("SWIM-CHAR-01")
class TestStartingSkills:
    @pytest.mark.parametrize(
        ("picks", "ranks"),
        [
            (("basic_melee", "brawn"), {"basic_melee": 3, "brawn": 3}),
            (("fire", "spot"), {"fire": 2, "spot": 3}),
            (("basic_ranged:longbow", "climb"), {"basic_ranged:longbow": 2, "climb": 3}),
        ],
    )
    def test_two_chosen_skills_start_two_ranks_above_their_default(
        self, picks: tuple[str, ...], ranks: dict[str, int]
    ) -> None:
        assert problems(draft(*picks)) == []
        assert built(draft(*picks)) == ranks

    @pytest.mark.parametrize(
        ("picks", "wrong"),
        [
            (("spot", "spot"), "Choose two different skills."),
            (("spot",), "Choose two skills; you have chosen one."),
            (("spot", "hacking"), "You can't pick hacking."),
            (("spot", "dark_vision"), "You can't pick dark_vision."),
        ],
    )
    def test_wrong_choices_of_starting_skills_are_reported(self, picks: tuple[str, ...], wrong: str) -> None:
        assert problems(draft(*picks)) == [wrong]

    def test_starting_skills_raise_others_by_synergy(self) -> None:
        assert built(draft("finesse", "spot")) == {"finesse": 3, "spot": 3, "pick_lock": 1}


@pytest.mark.rule("SWIM-CHAR-02")
class TestStartingGear:
    def test_starting_gear_is_paid_from_100_gold_pieces(self) -> None:
        gear = ("Great Sword", "Masterpiece Bow")
        made = CREATION.build(draft("spot", "jump", gear=gear), SETTINGS)
        (purse,) = [rule for rule in RESOURCES if rule.key == "purse_sp"]

        assert problems(draft("spot", "jump", gear=gear)) == []
        assert (purse.start, purse.sheet_start(made, SETTINGS)) == (1000, 300)

    @pytest.mark.rule("SWIM-CHAR-03")
    def test_the_campaigns_value_of_silver_applies_to_starting_gear(self) -> None:
        rates = SwimSettings(sp_per_gp=20)
        made = CREATION.build(draft("spot", "jump", gear=("Great Sword", "Arrow")), rates)
        (purse,) = [rule for rule in RESOURCES if rule.key == "purse_sp"]
        choices = {one.value: one.note for one in CREATION.steps({}, rates)[-1].picks[0].choices}

        assert purse.sheet_start(made, rates) == 2000 - 500 - 20
        assert (choices["Great Sword"], choices["Arrow"]) == ("25 GP", "1 GP")

    def test_starting_ammunition_comes_by_the_quiver(self) -> None:
        gear = ("Great Sword", "Medium Shield", "Common Bow", "Arrow")
        made = CREATION.build(draft("spot", "jump", gear=gear), SETTINGS)
        (purse,) = [rule for rule in RESOURCES if rule.key == "purse_sp"]

        assert isinstance(made, SwimSheet)
        assert [(item.name, item.quantity) for item in made.items][-1] == ("Arrow", 20)
        assert purse.sheet_start(made, SETTINGS) == 480

    def test_starting_gear_must_be_affordable_and_on_the_list(self) -> None:
        too_much = ("Great Sword", "Masterpiece Bow", "Medium Shield", "Hammer")
        assert problems(draft("spot", "jump", gear=too_much)) == ["The gear costs 110 GP; you have 100 GP."]
        assert problems(draft("spot", "jump", gear=("Axe",))) == ["Axe isn't in the shop."]


@pytest.mark.rule("SWIM-CHAR-04", "SWIM-CHAR-05")
class TestDefaultRanks:
    def test_most_skills_start_at_rank_1_and_some_at_rank_0(self) -> None:
        zero = {skill.key for skill in BOOK.skills.values() if skill.default == 0}

        assert zero == {
            "pick_lock",
            "dark_vision",
            "far_vision",
            "flight",
            "life",
            "wind",
            "fire",
            "death",
            "earth",
            "water",
        }
        assert BOOK.default("swim") == 1
        assert BOOK.default("basic_ranged:longbow") == 0

    def test_a_locked_form_is_opened_by_synergy_or_an_artifact(self) -> None:
        table = solo({"fire": 2})
        assert table.refused("Ash", "roll", skill="wind").startswith("Wind is at rank 0")
        table.do("GM", "set_rank", target="Ash", skill="fire", rank=3)
        assert (table.rank("Ash", "wind"), table.rank("Ash", "death")) == (1, 1)
        with_stave = solo(items=["Stave of Hermes"])
        assert len(with_stave.do("Ash", "roll", "3", skill="wind", difficulty=4).rolls[0].dice) == 1


@pytest.mark.rule("SWIM-CHAR-08")
class TestNewCharacter:
    def test_a_new_character_needs_only_two_chosen_skills(self) -> None:
        made = CREATION.build(draft("jump", "spot"), SETTINGS)
        resources = {rule.key: rule.start for rule in RESOURCES}

        assert isinstance(made, SwimSheet)
        assert (made.kind, resources["purse_sp"]) == ("", 1000)
        assert [
            BOOK.rank(made.ranks, key)
            for key in ("composure", "physical_defense", "mental_defense", "social_defense")
        ] == [1, 1, 1, 1]

    def test_scratches_are_capped_by_composure(self) -> None:
        caps = [rule.cap(sheet({"composure": 3}), SETTINGS) for rule in RESOURCES]

        assert caps == [None, None, None, 3, None]

    def test_the_wizard_asks_for_kind_skills_and_gear(self) -> None:
        steps = CREATION.steps({}, SETTINGS)

        assert [step.key for step in steps] == ["kind", "skills", "gear"]
        for step in steps:
            assert all(len(pick.choices) <= 25 for pick in step.picks)

    def test_there_are_3_ready_made_characters_and_an_npc_starts_with_a_blank_sheet(self) -> None:
        assert len(CREATION.ready_made) == 3
        assert CREATION.npc() == SwimSheet()


@pytest.mark.rule("SWIM-RACE-01", "SWIM-RACE-02")
class TestKinds:
    def test_an_amphibian_has_fins(self) -> None:
        made = CREATION.build(draft("swim", "jump", kind=("amphibian",)), SETTINGS)
        assert isinstance(made, SwimSheet)
        assert [(held.key, held.degree) for held in made.traits] == [("fins", 2)]
        other = CREATION.build(draft("swim", "jump", kind=("amphibian",), degree=("3",)), SETTINGS)
        assert isinstance(other, SwimSheet)
        assert other.traits[0].degree == 3

    def test_a_racial_skill_costs_one_of_the_two_chosen_skills(self) -> None:
        answers = draft("spot", kind=("night_folk",), special=("dark_vision",))
        assert problems(answers) == []
        assert built(answers) == {"spot": 3, "dark_vision": 2}

    def test_the_campaign_may_give_a_racial_skill_for_free(self) -> None:
        free = SwimSettings(racial_free_rank=True)
        assert built(draft("spot", "jump", kind=("night_folk",)), free) == {
            "spot": 3,
            "jump": 3,
            "dark_vision": 1,
        }

    def test_synergy_raises_a_racial_skill_only_for_its_owner(self) -> None:
        table = solo({"spot": 4, "dark_vision": 2})
        table.do("GM", "set_rank", target="Ash", skill="spot", rank=5)
        assert table.rank("Ash", "dark_vision") == 3
        table.do("GM", "set_rank", target="Bram", skill="spot", rank=9)
        assert table.rank("Bram", "dark_vision") == 0

    def test_an_unknown_kind_and_a_wrong_degree_are_reported(self) -> None:
        assert problems(draft("spot", "jump", kind=("dragon",))) == ["Choose a kind from the list."]
        assert problems(draft("spot", "jump", kind=("amphibian",), degree=("x",))) == [
            "The degree must be a number from 1 to 10."
        ]

    def test_a_degree_is_asked_for_only_where_the_kind_has_traits(self) -> None:
        blanks = {
            kind: [blank.prompt for blank in CREATION.steps(draft(kind=(kind,)), SETTINGS)[0].blanks]
            for kind in ("none", "amphibian")
        }

        assert blanks == {"none": [], "amphibian": ["Degree of its traits, 1 to 10 (2 if empty)"]}
        assert problems(draft("spot", "jump", kind=("none",), degree=("x",))) == []
