"""Making characters, crafting, the sheet, the end of a session, the GM's word."""

from typing import Any

import pytest

from bot.rules.kernel import evolve
from bot.rules.kernel.game import FoeLevel
from bot.rules.swim_class import RULESET
from bot.rules.swim_class.creation import BEGINNER, CREATION, sheet_problems
from bot.rules.swim_class.growth import PURSE, RESOURCES, health_of, wounds_key
from bot.rules.swim_class.session import growth, is_down
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    Epic,
    HeldTrait,
    States,
    SwimSettings,
    SwimSheet,
    book_of,
    item_of,
)
from bot.rules.swim_class.sheet_text import rollable_names
from bot.rules.swim_class.swim_gm import FOES
from bot.rules.swim_class.tables import Pool
from tests.rules.offers import acts_of
from tests.rules.swim_class.play import id_of, sheet, solo, words

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
            (("spot", "hacking"), "Choose another skill than hacking."),
            (("spot", "dark_vision"), "Choose another skill than dark_vision."),
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
        assert problems(draft("spot", "jump", gear=too_much)) == [
            "Choose less gear: it costs 110 GP; you have 100 GP."
        ]
        assert problems(draft("spot", "jump", gear=("Axe",))) == [
            "Choose something else: Axe isn't in the shop."
        ]


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
        assert table.why("Ash", "roll", skill="wind").startswith("Wind is at rank 0")
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

    def test_wounds_read_as_what_is_left_of_the_rank(self) -> None:
        own = sheet({"composure": 3, "physical_defense": 4, "mental_defense": 2, "social_defense": 1})

        assert [rule.shown(own, SETTINGS, 2) for rule in RESOURCES[:4]] == ["2/4", "0/2", "−1/1", "1/3"]

    def test_scratches_are_capped_by_composure(self) -> None:
        caps = [rule.cap(sheet({"composure": 3}), SETTINGS) for rule in RESOURCES]

        assert caps == [None, None, None, 3, None]

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

    @pytest.mark.parametrize(("degree", "is_one"), [("0", False), ("1", True), ("10", True), ("11", False)])
    def test_a_degree_goes_from_1_to_10(self, degree: str, is_one: bool) -> None:
        answers = draft("spot", "jump", kind=("amphibian",), degree=(degree,))
        assert (problems(answers) == []) is is_one


@pytest.mark.rule("SWIM-CHAR-01", "SWIM-CHAR-05")
class TestTwoSkills:
    def test_the_wizard_parts_skills_that_everybody_has_from_those_that_start_at_0(self) -> None:
        plain, special = CREATION.steps({}, SETTINGS)[1].picks
        ranks = {pick.key: {BOOK.default(one.value) for one in pick.choices} for pick in (plain, special)}

        assert ranks == {"skills": {1}, "special": {0}}
        assert [(pick.least, pick.most) for pick in (plain, special)] == [(0, 2), (0, 2)]
        assert {"pick_lock", "fire"} <= {one.value for one in special.choices}

    @pytest.mark.parametrize(
        ("chosen", "told"),
        [
            ((), ["Choose two skills; you have chosen none."]),
            (("spot",), ["Choose two skills; you have chosen one."]),
            (("spot", "jump"), []),
            (("spot", "jump", "swim"), ["Choose two skills; you have chosen 3."]),
        ],
    )
    def test_a_character_begins_with_two_skills(self, chosen: tuple[str, ...], told: list[str]) -> None:
        assert problems(draft(*chosen)) == told


@pytest.mark.rule("SWIM-CHAR-01", "SWIM-CHAR-02", "SWIM-RACE-01", "SWIM-RACE-02")
class TestBeginners:
    """What of a sheet is above a beginner's and waits for the GM."""

    @pytest.mark.parametrize(
        ("made", "above"),
        [
            (sheet(), []),
            (sheet({"spot": 3, "jump": 3}), []),
            (sheet({"spot": 3}), []),
            (sheet({"spot": 2}), []),
            (sheet({"fire": 2, "jump": 3}), []),
            (sheet({"spot": 4}), ["Ranks above the default 3 (a beginner: 4)"]),
            (sheet({"spot": 3, "jump": 3, "swim": 2}), ["Ranks above the default 5 (a beginner: 4)"]),
            (sheet({"dark_vision": 2}), ["Ranks above the default 2 (a beginner: 4)"]),
            (sheet({"dark_vision": 2}, kind="night_folk"), []),
            (sheet(traits={"fins": 2}, kind="amphibian"), []),
            (sheet(traits={"fins": 9}, kind="amphibian"), []),
            (sheet(traits={"fins": 2}), ["Trait Fins 2 (a beginner: none)"]),
            (sheet(traits={"large": 1}, kind="amphibian"), ["Trait Large 1 (a beginner: none)"]),
            (evolve(sheet(kind="amphibian"), traits=(HeldTrait(key="fins", degree=2, penalty=1),)),
             ["Trait Fins 2 (a beginner: none)"]),
            (sheet({"climb": 3}), []),
            (sheet({"spot": 0}), []),
            (sheet({"climb": 3, "jump": 3, "swim": 2}), ["Ranks above the default 5 (a beginner: 4)"]),
            (sheet({"climb": 4}), ["Ranks above the default 3 (a beginner: 4)"]),
            (sheet({"dark_vision": 1}), ["Ranks above the default 1 (a beginner: 4)"]),
            (sheet({"dark_vision": 2, "climb": 3}, kind="night_folk"), []),
            (sheet(items=[evolve(item_of(CATALOGUE["Knife"]), is_equipped=False, is_limited=True)]), []),
            (sheet(items=["Great Sword", "Knife"]), []),
            (sheet(items=["Stave of Hermes"]),
             ["Stave of Hermes not in the shop (a beginner: gear from the shop)"]),
            (sheet(items=[item_of(CATALOGUE["Medium Shield"], 5)]), []),
            (sheet(items=[item_of(CATALOGUE["Medium Shield"], 5), "Rope (10 ft)"]),
             ["Gear for 100 GP 1 SP (a beginner: 100 GP)"]),
            (sheet(items=[evolve(item_of(CATALOGUE["Knife"]), note="magic")]),
             ["Knife not in the shop (a beginner: gear from the shop)"]),
        ],
    )  # fmt: skip
    def test_more_than_two_skills_and_100_gp_are_reported(self, made: SwimSheet, above: list[str]) -> None:
        assert [str(one) for one in BEGINNER.excess(made, SETTINGS)] == above

    def test_a_free_racial_rank_is_no_excess_and_costs_no_pick(self) -> None:
        free = SwimSettings(racial_free_rank=True)
        made = sheet({"spot": 3, "jump": 3, "dark_vision": 1}, kind="night_folk")

        assert list(BEGINNER.excess(made, free)) == []
        assert list(BEGINNER.excess(made, SETTINGS)) != []
        assert list(BEGINNER.excess(sheet({"dark_vision": 2}, kind="night_folk"), free)) != []

    def test_an_imported_sheet_forgets_the_people_of_its_old_table(self) -> None:
        made = sheet(states=States(held_by=id_of("Orc")), raised_by=id_of("Orc"))

        assert BEGINNER.brought(made) == sheet()

    def test_growth_tells_what_was_earned_and_what_synergy_pulled(self) -> None:
        before = sheet({"spot": 3})
        epic = Epic(skill="spot", before=3, after=4, faces=(6, 6, 6), against="difficulty 6", clock=0)
        after = sheet({"spot": 4, "tracking": 2, "mental_defense": 2}, epics=(epic,))
        grown = [(one.what, one.before, one.after, one.is_pulled) for one in growth(before, after, SETTINGS)]

        assert grown == [
            ("Spot", "3", "4", False),
            ("Mental Defense", "1", "2", True),
            ("Tracking", "1", "2", True),
        ]
        assert [one.is_pulled for one in growth(before, sheet({"spot": 4}), SETTINGS)] == [False]

    @pytest.mark.parametrize(
        ("made", "told"),
        [
            (sheet(traits={"fins": 1}, kind="amphibian"), []),
            (sheet(traits={"wings": 1}), ["There is no trait “wings”."]),
            (sheet(kind="dragon"), ["There is no kind “dragon”."]),
            (sheet(traits={"fins": 1}).model_copy(
                update={"traits": (HeldTrait(key="fins", degree=1), HeldTrait(key="fins", degree=2))}),
             ["A trait is listed twice."]),
        ],
    )  # fmt: skip
    def test_contradictions_on_a_sheet_are_reported(self, made: SwimSheet, told: list[str]) -> None:
        assert [one.sentence for one in sheet_problems(made)] == told


@pytest.mark.rule("SWIM-COMB-05", "SWIM-COMB-08")
@pytest.mark.parametrize(
    ("wounds", "changes", "down", "looks", "numbers"),
    [
        ({}, {}, False, "", ("Physical 3/3",)),
        ({"physical": 2}, {}, False, "badly hurt", ("Physical 1/3",)),
        ({"physical": 3}, {}, True, "down", ("Physical 0/3",)),
        ({"physical": 4}, {}, True, "dying", ("Physical −1/3",)),
        ({"physical": 4}, {"stable": (Pool.PHYSICAL,)}, True, "down", ("Physical −1/3",)),
        ({"mental": 1}, {}, True, "down", ("Physical 3/3", "Mental 0/1")),
        ({"social": 2}, {"broken": (Pool.SOCIAL,)}, True, "down", ("Physical 3/3", "Social −1/1")),
        ({}, {"is_dead": True}, True, "dead", ("Physical 3/3",)),
    ],
)
def test_the_worst_pool_says_how_a_character_is(
    wounds: dict[str, int], changes: dict[str, Any], down: bool, looks: str, numbers: tuple[str, ...]
) -> None:
    table = solo({"physical_defense": 3}, **changes)
    for pool, count in wounds.items():
        table.set("Ash", wounds_key(Pool(pool)), count)
    ash = table.named("Ash")
    health = health_of(ash, SETTINGS)

    assert is_down(ash, SETTINGS) is down
    assert (health.looks, health.numbers) == (looks, numbers)


@pytest.mark.rule("SWIM-COMB-05")
@pytest.mark.parametrize(("physical", "mental"), [(3, 1), (1, 3)])
def test_a_character_looks_as_its_worst_pool_does(physical: int, mental: int) -> None:
    table = solo({"physical_defense": 4, "mental_defense": 4})
    table.set("Ash", wounds_key(Pool.PHYSICAL), physical)
    table.set("Ash", wounds_key(Pool.MENTAL), mental)

    assert health_of(table.named("Ash"), SETTINGS).looks == "badly hurt"


@pytest.mark.rule("SWIM-COMB-17")
class TestFoes:
    def test_a_better_foe_has_higher_ranks_and_its_weapons(self) -> None:
        made = [FOES.make(level, SETTINGS) for level in FoeLevel]
        armed = FOES.give(made[0], FoeLevel.WEAK, ["Knife", "Club"], SETTINGS)

        assert [set(one.ranks.values()) for one in made] == [{1}, {2}, {3}, {5}]
        assert set(made[0].ranks) == {
            *("basic_melee", "basic_ranged", "throw", "agility", "walk", "composure"),
            *("physical_defense", "mental_defense", "social_defense"),
        }
        assert [one.name for one in armed.items] == ["Knife", "Club"]
        assert {"Great Sword", "Knife", "Club", "Common Bow"} <= set(FOES.things(SETTINGS))
        assert "Rope (10 ft)" not in FOES.things(SETTINGS)

    @pytest.mark.parametrize("name", FOES.book)
    def test_a_foe_of_the_book_begins_fresh(self, name: str) -> None:
        spent = FOES.book[name].model_copy(update={"is_dead": True, "states": States(is_prone=True)})

        assert FOES.fresh(spent) == FOES.book[name]


@pytest.mark.rule("SWIM-CHAR-02")
@pytest.mark.parametrize(
    ("items", "left"),
    [((), 1000), (("Rope (10 ft)",), 999), ((("Medium Shield", 5),), 0), ((("Medium Shield", 6),), 0)],
)
def test_what_gear_costs_is_gone_from_the_purse(items: tuple[Any, ...], left: int) -> None:
    bought = [one if isinstance(one, str) else item_of(CATALOGUE[one[0]], one[1]) for one in items]
    purse = RESOURCES[-1]

    assert purse.sheet_start(sheet(items=bought), SwimSettings()) == left


@pytest.mark.rule("SWIM-SYN-05", "SWIM-ADV-07")
def test_growth_leaves_out_what_has_no_rank() -> None:
    told = solo({"spot": 2, "fire": 0}).do("Ash", "growth").notes
    assert [note.split(" · ")[0] for note in told[:-1]] == ["Spot 2"]


@pytest.mark.rule("SWIM-RACE-08", "SWIM-RACE-09", "SWIM-AREA-07")
@pytest.mark.parametrize(
    ("traits", "options", "faces", "squares"),
    [
        ({}, {"tight": True}, "", 1),
        ({"large": 2}, {"tight": True}, "3", 1),
        ({"large": 2}, {"tight": True}, "2", 0),
        ({}, {"terrain": 1}, "2", 1),
        ({}, {"terrain": 1, "open_rough": True}, "2", 1),
        ({"small": 1}, {"terrain": 1}, "2", 1),
        ({"small": 1}, {"terrain": 1, "open_rough": True}, "2", 0),
        ({"small": 1}, {"terrain": 1, "open_rough": True}, "3", 1),
    ],
)
def test_only_the_large_and_the_small_are_hindered(
    traits: dict[str, int], options: dict[str, Any], faces: str, squares: int
) -> None:
    done = solo({"walk": 1}, traits=traits).do("Ash", "move", faces, how="walk", **options)

    assert words(done).startswith(f"{squares} square")


@pytest.mark.rule("SWIM-CHAR-03")
def test_all_money_can_be_given_away_and_no_more() -> None:
    table = solo()
    table.set("Ash", PURSE, 12)
    table.why("Ash", "pay", target="Bram", silver=13)
    offered = table.do("Ash", "pay", target="Bram", silver=12)
    had = table.points("Bram", PURSE)
    table.press("Bram", offered.follow_ups[0])
    assert (table.points("Ash", PURSE), table.points("Bram", PURSE) - had) == (0, 12)


@pytest.mark.rule("SWIM-IMPL-04")
@pytest.mark.parametrize("in_use", [True, False])
def test_an_artifact_lends_its_skill_only_in_use(in_use: bool) -> None:
    stave = item_of(CATALOGUE["Stave of Hermes"]).model_copy(update={"is_equipped": in_use})
    table = solo(items=[stave, "Knife"])

    assert ("Wind" in rollable_names(table.named("Ash"), SwimSettings())) is in_use


def test_how_many_of_a_thing_one_has_is_shown_from_two_on() -> None:
    table = solo(items=[item_of(CATALOGUE["Arrow"], 2), item_of(CATALOGUE["Piton"], 1)])
    (away,) = [
        act for act in acts_of(RULESET, table.scene, id_of("Ash")) if act.do.label.startswith("Put an item")
    ]

    assert [one.label for one in away.do.choices] == ["Arrow ×2", "Piton"]


def pages(kind: str, settings: SwimSettings = SETTINGS) -> dict[str, tuple[Any, Any]]:
    """The pages of the wizard: menus with least, most, entries and the first of them; fields with limits."""
    return {
        step.key: (
            [(one.key, one.least, one.most, len(one.choices), one.choices[0].note) for one in step.picks],
            [(one.key, one.longest, one.is_required) for one in step.blanks],
        )
        for step in CREATION.steps({"kind": (kind,)}, settings)
    }


@pytest.mark.rule("SWIM-CHAR-01", "SWIM-CHAR-02", "SWIM-CHAR-08", "SWIM-RACE-01", "SWIM-RACE-02")
class TestWizard:
    def test_each_page_takes_what_it_asks_for(self) -> None:
        assert pages("none") == {
            "kind": ([("kind", 1, 1, 6, "")], []),
            "skills": (
                [("skills", 0, 2, 18, "starts at 3"), ("special", 0, 2, 7, "starts at 2")],
                [("tag", 80, False)],
            ),
            "gear": ([("gear", 0, 10, 10, "25 GP")], []),
        }

    @pytest.mark.parametrize(
        ("kind", "free", "special", "degree"),
        [
            ("night_folk", False, 8, []),
            ("night_folk", True, 7, []),
            ("winged_folk", False, 9, []),
            ("amphibian", False, 7, [("degree", 2, False)]),
            ("big_folk", False, 8, [("degree", 2, False)]),
        ],
    )
    def test_a_kind_opens_its_skills_unless_they_are_free_and_asks_for_its_traits(
        self, kind: str, free: bool, special: int, degree: list[Any]
    ) -> None:
        found = pages(kind, SwimSettings(racial_free_rank=free))

        assert found["skills"][0][1][3] == special
        assert found["kind"][1] == degree

    @pytest.mark.parametrize(
        ("degree", "wrong"),
        [("", False), ("0", True), ("1", False), ("10", False), ("11", True), ("-1", True), ("two", True)],
    )
    def test_the_degree_of_a_trait_is_from_1_to_10(self, degree: str, wrong: bool) -> None:
        answers = {**draft("climb", "jump"), "kind": ("amphibian",), "degree": (degree,)}

        assert problems(answers) == ["The degree must be a number from 1 to 10."] * wrong
        assert problems({**answers, "kind": ("none",)}) == []
        if not wrong:
            made = CREATION.build(answers, SETTINGS)
            assert isinstance(made, SwimSheet)
            assert made.traits == (HeldTrait(key="fins", degree=int(degree or 2)),)

    @pytest.mark.parametrize(
        ("picks", "told"),
        [
            ((), ["Choose two skills; you have chosen none."]),
            (("jump",), ["Choose two skills; you have chosen one."]),
            (("jump", "climb"), []),
            (("jump", "climb", "spot"), ["Choose two skills; you have chosen 3."]),
            (("jump", "jump", "spot"),
             ["Choose two skills; you have chosen 3.", "Choose two different skills."]),
        ],
    )  # fmt: skip
    def test_two_skills_are_chosen_no_more_and_no_fewer(
        self, picks: tuple[str, ...], told: list[str]
    ) -> None:
        assert problems(draft(*picks)) == told

    @pytest.mark.parametrize(("more", "wrong"), [("Piton", False), ("Medium Shield", True)])
    @pytest.mark.rule("SWIM-CHAR-05")
    def test_gear_may_cost_all_the_money_there_is(self, more: str, wrong: bool) -> None:
        gear = ("Great Sword", "Masterpiece Bow", "Knife", "Hammer", more)

        assert (
            problems(draft("jump", "climb", gear=gear))
            == ["Choose less gear: it costs 115 GP; you have 100 GP."] * wrong
        )

    @pytest.mark.parametrize(
        ("ranks", "told"), [({"climb": 5, "jump": 4, "spot": 3, "walk": 2}, "Climb, Jump, Spot"), ({}, "")]
    )
    def test_a_character_is_told_by_its_three_best_skills(self, ranks: dict[str, int], told: str) -> None:
        assert CREATION.good_at is not None
        assert CREATION.good_at(sheet(ranks), SETTINGS) == told
