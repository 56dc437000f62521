"""Attacks, damage, being down, recovering, turns."""

from fractions import Fraction
from typing import Any

import pytest

from bot.rules.kernel import FollowUp, Outcome, evolve
from bot.rules.swim_class import RULESET
from bot.rules.swim_class.board import can_act
from bot.rules.swim_class.encounter import (
    ROUND_PASSES,
    Contestant,
    Ground,
    SwimCombatant,
    find_ground,
    order_of,
    remembered,
    the_encounter,
    with_encounter,
    with_ground,
)
from bot.rules.swim_class.opposition import chance_of_hits, expected_hits
from bot.rules.swim_class.pools import DiceGroup, attack_ways
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    Reserve,
    ReserveKind,
    States,
    SwimItem,
    SwimSettings,
    item_of,
)
from tests.dice import ScriptedDice
from tests.rules.offers import SteadyDice, acts_of, labels_of
from tests.rules.swim_class.play import (
    GameTable,
    duel,
    faced,
    id_of,
    lay_table,
    script,
    sheet,
    solo,
    strike,
    words,
)
from tests.rules.swim_class.test_acts import begun
from tests.rules.swim_class.test_opposition import defence


@pytest.mark.rule("SWIM-COMB-01")
class TestAttack:
    def test_the_orc_of_the_books_example_attacks_harro_with_a_club(self) -> None:
        table = duel({"basic_melee": 2}, {"basic_melee": 3}, ash=["Club"], orc=["Great Sword"])
        struck = table.do("Ash", "attack", "5 1", skill="basic melee", targets=("Orc",))
        done = table.do("GM Orc", "defend", "5 4 3", skill="basic melee")

        assert [die.shown for die in struck.rolls[0].dice] == ["⚄→7", "⚀→3"]
        assert [die.shown for die in done.rolls[0].dice] == ["⚄→6", "⚃→5", "⚂→4"]
        assert words(done) == "1 hit"

    def test_harro_of_the_books_example_strikes_back_with_2_hits(self) -> None:
        table = duel({"basic_melee": 3}, {"physical_defense": 3}, ash=["Great Sword"])

        assert strike(table, "5 2 1", "6 2 1") == "2 hits"

    @pytest.mark.parametrize(
        ("rank", "faces", "squares", "against", "hits"),
        [(3, "5 4 4", 2, "2 2 2", "3 hits"), (4, "6 3 3 2", 6, "5 3 2", "no hit")],
    )
    def test_aerolis_of_the_books_example_hits_near_and_misses_far(
        self, rank: int, faces: str, squares: int, against: str, hits: str
    ) -> None:
        table = duel({"basic_ranged": rank}, {"physical_defense": 3}, ash=["Common Bow", "Arrow"])
        table.do("Ash", "attack", faces, skill="basic ranged", targets=("Orc",), distance=squares)

        assert words(table.do("GM Orc", "defend", against)) == hits

    def test_circumstance_modifiers_count_for_attack_and_defense(self) -> None:
        table = duel({"basic_melee": 1}, {"physical_defense": 1})
        table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",), modifier=1)

        assert words(table.do("GM Orc", "defend", "4", skill="physical defense", modifier=1)) == "no hit"

    def test_a_fighter_cannot_attack_themselves_or_the_dead(self) -> None:
        table = lay_table(Orc=sheet(is_dead=True))
        assert table.why("Ash", "attack", skill="basic melee", targets=("Ash",)) == (
            "You can't target yourself."
        )
        assert table.why("Ash", "attack", skill="basic melee", targets=("Orc",)) == "Orc is dead."


@pytest.mark.rule("SWIM-COMB-02")
class TestDividedAttack:
    def test_each_share_of_a_divided_attack_is_opposed_separately(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 3}))
        table.do("Ash", "attack", "6 2 5", skill="basic melee", targets=("Orc", "Beast"), shares="2, 1")

        first = table.do("GM Orc", "defend", "4", skill="physical defense")
        second = table.do("GM Beast", "defend", "5", skill="physical defense")
        assert (words(first), words(second)) == ("1 hit", "no hit")
        assert faced(first) == "4 stops 2 · through: 6"

    def test_a_divided_attack_cannot_use_more_dice_than_the_attacker_has(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 3}))
        two = {"skill": "basic melee", "targets": ("Orc", "Beast")}
        assert table.why("Ash", "attack", **two, shares="2,2") == "You have 3 dice to divide."
        assert table.why("Ash", "attack", **two, shares="2") == "Divide your dice among the targets."
        assert table.why("Ash", "attack", **two, shares="x,1") == "“x” isn't a number of dice."
        assert table.why("Ash", "attack", skill="basic melee", targets=("Orc", "Orc"), shares="1,1") == (
            "Choose each target only once."
        )

    def test_a_share_of_0_dice_attacks_nobody(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2}))
        done = table.do("Ash", "attack", "6 2", skill="basic melee", targets=("Orc", "Beast"), shares="2,0")

        assert "Beast can oppose." not in done.notes

    def test_natural_1s_of_the_shares_that_failed_are_added_up(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 4}))
        table.do("Ash", "attack", "1 2 1 3", skill="basic melee", targets=("Orc", "Beast"), shares="2,2")
        table.do("GM Orc", "defend", "6", skill="physical defense")
        done = table.do("GM Beast", "defend", "6", skill="physical defense")

        assert words(done) == "no hit"
        assert "Ash rolled 2 natural 1s: first ignored, 1 critical (1 damage)." in done.notes


@pytest.mark.rule("SWIM-COMB-03")
class TestDefenses:
    def test_a_melee_attack_offers_dodging_and_parrying(self) -> None:
        table = duel({}, {"basic_melee:axe": 2}, orc=["Great Sword"])
        done = table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))

        menu = next(button for button in done.follow_ups if button.choices)
        assert {choice.value for choice in menu.choices} == {
            "physical_defense",
            "basic_melee",
            "basic_melee:axe",
        }

    def test_the_defender_may_choose_the_implement_to_parry_with(self) -> None:
        table = duel({}, {}, orc=["Great Sword", "Medium Shield"])
        table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))
        done = table.do("GM Orc", "defend", "2", skill="basic melee", implement="great sword")

        assert done.rolls[0].dice[0].shown == "⚁→3"

    def test_throw_cannot_defend(self) -> None:
        table = duel({}, {})
        table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))

        assert table.why("GM Orc", "defend", skill="throw") == "Throw can't defend."

    def test_the_counter_skills_of_a_grapple_replace_the_defense_skill(self) -> None:
        table = duel({}, {})
        done = table.do("Ash", "grapple", "4", target="Orc")

        menu = next(button for button in done.follow_ups if button.choices)
        assert {choice.value for choice in menu.choices} == {"brawn", "grapple"}

    def test_the_gm_may_let_any_fitting_skill_defend(self) -> None:
        table = lay_table(Ash=sheet({"wind": 2}), Bram=sheet({"swim": 2}))
        table.do("Ash", "cast", "4 2", spell="blow", targets=("Bram",), area=1)
        assert table.why("Bram", "defend", skill="swim") == "Swim can't defend against this."
        done = table.do("GM Bram", "defend", "3 2", skill="swim")

        assert words(done) == "not pushed"

    def test_a_fighter_defends_as_often_as_attacked(self) -> None:
        table = duel({"basic_melee": 1}, {"physical_defense": 2})
        assert [strike(table, "2", "3 3"), strike(table, "2", "3 3")] == ["no hit", "no hit"]


@pytest.mark.rule("SWIM-COMB-04")
class TestWeaponClasses:
    def test_each_class_of_weapon_is_used_with_its_own_skill(self) -> None:
        table = solo({"throw": 1}, items=["Knife", "Common Bow", "Arrow"])
        for skill in ("basic melee", "throw"):
            table.do("Ash", "attack", "4", skill=skill, targets=("Orc",), distance=1, implement="Knife")
            table.change("Ash", items=sheet(items=["Knife", "Common Bow", "Arrow"]).items)

        assert (
            table.why("Ash", "attack", skill="basic melee", targets=("Orc",), implement="common bow")
            == "You can't use Common Bow with Basic Melee."
        )
        assert table.why("Ash", "attack", skill="basic melee", targets=("Orc",), implement="axe") == (
            "You have no “axe”."
        )

    @pytest.mark.rule("SWIM-ITEM-03")
    @pytest.mark.parametrize(
        ("items", "thrown"),
        [
            (["Great Sword", "Knife"], ["Knife"]),
            (["Great Sword", evolve(item_of(CATALOGUE["Knife"]), is_equipped=False)], []),
            (["Great Sword"], []),
        ],
    )
    def test_what_is_thrown_without_being_named_is_the_throwing_weapon_in_use(
        self, items: list[str | SwimItem], thrown: list[str]
    ) -> None:
        table = solo({"throw": 1}, items=items)
        done = table.do("Ash", "attack", "4", skill="throw", targets=("Orc",), distance=1)

        assert [one.name for one in table.named("Ash").sheet.lying] == thrown
        assert [note for note in done.notes if "picked up" in note] == [
            f"{name} can be picked up again." for name in thrown
        ]


def test_character_ids_at_the_test_table_follow_the_names() -> None:
    assert id_of("Orc") == 4


@pytest.mark.rule(
    "SWIM-MAGIC-08", "SWIM-MAGIC-10", "SWIM-MAGIC-12", "SWIM-MAGIC-18", "SWIM-SKILL-17", "SWIM-SKILL-03"
)
@pytest.mark.parametrize(
    ("procedure", "skill", "options", "told", "state"),
    [
        ("cast", "water", {"spell": "spray", "area": 1}, ("Orc is soaked", "not soaked"), "is_soaked"),
        ("cast", "earth", {"spell": "quake", "area": 1},
         ("Orc is knocked down", "not knocked down"), "is_prone"),
        ("cast", "death", {"spell": "stun", "distance": 0}, ("Orc is stunned", "not stunned"), "stunned_by"),
        ("cast", "wind", {"spell": "blow", "area": 1}, ("Orc is pushed 1 square", "not pushed"), ""),
        ("grapple", "grapple", {}, ("held", "not held"), "held_by"),
        ("attack", "basic_melee", {}, ("1 hit", "no hit"), ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("hit", [True, False])
def test_an_effect_needs_one_die_that_gets_through(
    procedure: str, skill: str, options: dict[str, Any], told: tuple[str, str], state: str, hit: bool
) -> None:
    table = lay_table(Ash=sheet({skill: 1}), Orc=sheet({"physical_defense": 1, "brawn": 1}))
    aim: dict[str, Any] = {"target": "Orc"} if procedure == "grapple" else {"targets": ("Orc",)}
    aim |= {"skill": skill} if procedure == "attack" else {}
    table.do("Ash", procedure, "4", **aim, **options)
    done = table.do("GM Orc", "decline") if hit else table.do("GM Orc", "defend", "6")

    assert words(done) == told[0 if hit else 1]
    if state:
        assert bool(getattr(table.sheet("Orc").states, state)) is hit


@pytest.mark.rule("SWIM-MAGIC-17", "SWIM-MAGIC-18", "SWIM-AREA-03")
@pytest.mark.parametrize(("spell", "distance", "bonus"), [
    ("death", 0, 0), ("death", 1, 0), ("death", 2, 2), ("death", 5, 5), ("stun", 1, 1), ("stun", 3, 3),
])  # fmt: skip
def test_each_square_makes_death_and_stun_easier_to_resist(spell: str, distance: int, bonus: int) -> None:
    table = lay_table(Ash=sheet({"death": 1}), Orc=sheet({"physical_defense": 1}))
    table.do("Ash", "cast", "6", spell=spell, targets=("Orc",), distance=distance)
    done = table.do("GM Orc", "defend", "1")

    assert done.rolls[0].inputs.model_dump()["implicit_modifier"] == bonus


@pytest.mark.rule("SWIM-ADV-02", "SWIM-OPP-04")
@pytest.mark.parametrize(("modifier", "rank"), [(0, 2), (1, 1)])
def test_an_attack_that_could_not_fail_against_implicit_1s_teaches_nothing(modifier: int, rank: int) -> None:
    table = lay_table(Ash=sheet({"basic_melee": 1}))
    table.do("GM Ash", "attack", "6", skill="basic_melee", targets=("Orc",), unaware=True, modifier=modifier)

    assert table.rank("Ash", "basic_melee") == rank


@pytest.mark.rule("SWIM-COMB-16")
def test_only_the_first_turn_of_a_round_tells_its_number() -> None:
    table = lay_table(Ash=sheet({"agility": 3}))
    table.do("Ash", "encounter.start", others=("Bram",))
    table.do("GM", "encounter.next", "6 6 6 1")
    told = [table.do("GM", "encounter.next").notes for _ in range(4)]

    assert [notes[:1] for notes in told] == [(), ("Round 2 starts.",), (), ("Round 3 starts.",)]


@pytest.mark.rule("SWIM-COMB-16", "SWIM-MAGIC-18", "SWIM-COMB-08")
@pytest.mark.parametrize(
    ("states", "used", "wounds", "able"),
    [
        ({}, 0, 0, True),
        ({}, 1, 0, True),
        ({}, 2, 0, False),
        ({"stunned_by": 4}, 0, 0, False),
        ({}, 0, 1, False),
    ],
)
def test_the_board_offers_actions_to_who_can_act(
    states: dict[str, int], used: int, wounds: int, able: bool
) -> None:
    table = lay_table()
    table.change("Ash", states=States.model_validate(states))
    table.set("Ash", "physical_wounds", wounds)
    seat = SwimCombatant(character=id_of("Ash"), name="Ash", halves_used=used)

    assert can_act(table.scene, seat) is able


@pytest.mark.rule("SWIM-MAGIC-10", "SWIM-MAGIC-12", "SWIM-AREA-07")
def test_rough_and_wet_ground_fade_round_by_round() -> None:
    ground = Ground(terrain=(3, 2, 1), resistance=(5, 4), breathing=(id_of("Ash"),))
    assert ground.later == Ground(terrain=(2, 1), resistance=(4,))

    table = lay_table(Ash=sheet({"agility": 3}))
    table.do("Ash", "encounter.start", others=("Bram",))
    table.do("GM", "encounter.next", "6 6 6 1")
    encounter = the_encounter(table.scene).changed(terrain=(3, 2, 1), resistance=(5, 4, 3))
    table.scene = with_encounter(table.scene, encounter)
    seen = []
    for _ in range(3):
        table.do("GM", "encounter.next")
        now = the_encounter(table.scene)
        seen.append((now.terrain, now.resistance))
    assert seen == [((3, 2, 1), (5, 4, 3)), ((2, 1), (4, 3)), ((2, 1), (4, 3))]


@pytest.mark.rule("SWIM-MAGIC-10")
@pytest.mark.parametrize(("rounds", "told"), [(1, "lets a round pass"), (2, "lets 2 rounds pass")])
def test_the_gm_lets_rounds_pass_outside_a_fight(table: GameTable, rounds: int, told: str) -> None:
    table.scene = with_ground(table.scene, Ground(terrain=(3, 2, 1)))

    assert table.do("GM", ROUND_PASSES, rounds=rounds).headline == told
    assert find_ground(table.scene).terrain == (3, 2, 1)[rounds:]


@pytest.mark.rule("SWIM-MAGIC-02", "SWIM-MAGIC-03")
def test_each_form_of_magic_has_two_neighbours_and_an_opposite() -> None:
    settings = SwimSettings()
    pairs = {frozenset((edge.one, edge.other)) for edge in settings.wheel_edges}
    ring = ("life", "wind", "fire", "death", "earth", "water")

    assert pairs == {frozenset(pair) for pair in zip(ring, (*ring[1:], ring[0]), strict=True)}
    assert {edge.degree for edge in settings.wheel_edges} == {2}
    assert {form: settings.opposite(form) for form in ring} == {
        "life": "death",
        "death": "life",
        "wind": "earth",
        "earth": "wind",
        "fire": "water",
        "water": "fire",
    }


@pytest.mark.rule("SWIM-OPP-04", "SWIM-TASK-13")
@pytest.mark.parametrize(("unaware", "chance"), [(True, "5/6"), (False, "5/12")])
def test_the_chance_against_the_unaware_counts_implicit_1s_only(unaware: bool, chance: str) -> None:
    table = lay_table(Ash=sheet({"basic_melee": 1}))
    struck = table.do("GM Ash", "attack", "3", skill="basic_melee", targets=("Orc",), unaware=unaware)
    odds = struck.rolls[0].odds

    assert odds is not None
    assert odds.enough == Fraction(chance)


@pytest.mark.rule("SWIM-OPP-02", "SWIM-TASK-07")
def test_what_faces_what_is_shown_with_its_modified_value() -> None:
    table = duel({"basic_melee": 2}, {"physical_defense": 1}, ash=["Great Sword"])
    table.do("Ash", "attack", "5 1", skill="basic_melee", targets=("Orc",))
    done = table.do("GM Orc", "defend", "4")
    facing = next(roll.facing for roll in done.rolls if roll.facing)

    assert [(one.die.shown, one.value) for one in facing] == [("⚄→7", 7), ("⚀→3", 3)]
    assert "Nothing to stop." not in done.notes


@pytest.mark.rule("SWIM-MAGIC-14", "SWIM-AREA-06")
def test_an_area_needs_two_to_be_caught_and_the_dead_are_not_healed() -> None:
    table = lay_table(Ash=sheet({"earth": 2, "life": 4, "agility": 3}))
    for name in ("Bram", "Cleo"):
        table.set(name, "physical_wounds", 1)
    table.change("Cleo", is_dead=True)
    told = [act for act in acts_of(RULESET, table.scene, id_of("Ash")) if act.do.procedure == "cast"]
    healing = next(act for act in told if act.do.label.startswith("Healing"))
    assert [one.label for one in healing.do.choices] == ["Bram"]

    for foes, several in ((("Orc",), False), (("Orc", "Beast"), True)):
        fight = lay_table(Ash=sheet({"earth": 2, "agility": 3}))
        begun(fight, *foes)
        labels = labels_of(RULESET, fight.scene, id_of("Ash"))
        assert any("Quake at several" in label for label in labels) is several


@pytest.mark.rule("SWIM-RACE-05")
@pytest.mark.parametrize(("faces", "hovers"), [("4 2 2", True), ("2 1 1", True), ("1 1 1", False)])
def test_a_flight_hovers_with_one_success(faces: str, hovers: bool) -> None:
    table = solo({"flight": 3})
    table.do("Ash", "move", faces, how="flight")

    assert table.sheet("Ash").states.is_hovering is hovers


@pytest.mark.rule("SWIM-AREA-01")
@pytest.mark.parametrize(("distance", "known"), [(0, None), (1, 1), (3, 3)])
def test_a_power_at_a_distance_lets_the_fight_remember_it(distance: int, known: int | None) -> None:
    table = lay_table(Ash=sheet({"life": 8, "agility": 3}))
    begun(table, "Bram")
    table.set("Bram", "physical_wounds", 1)
    table.play("Ash", "cast", {"spell": "heal", "targets": ("Bram",), "distance": distance}, SteadyDice(1))

    assert remembered(table.scene, id_of("Ash"), id_of("Bram")) == known


@pytest.mark.rule("SWIM-MAGIC-09")
@pytest.mark.parametrize(("targets", "on"), [((), ""), (("Ash",), ""), (("Bram",), " on Bram")])
def test_flight_names_whom_it_lifts(targets: tuple[str, ...], on: str) -> None:
    done = solo({"wind": 2}).do("Ash", "cast", "6 6", spell="fly", targets=targets)

    assert done.headline.endswith(f"Fly{on}") or done.headline.endswith(f"Flight{on}")


@pytest.mark.rule("SWIM-SKILL-03")
def test_a_grapple_has_no_difficulty_and_an_attack_at_several_no_chance() -> None:
    table = lay_table(Ash=sheet({"grapple": 1, "basic_melee": 2}))
    table.do("Ash", "grapple", "1", target="Orc")
    assert words(table.do("GM Orc", "decline")) == "held"
    struck = table.do("Ash", "attack", "3 4", skill="basic_melee", targets=("Orc", "Beast"))
    assert struck.rolls[0].odds is None
    table = lay_table(Ash=sheet({"basic_melee": 2}))
    share = table.do("Ash", "attack", "3 4", skill="basic_melee", targets=("Orc",), shares="1")
    assert share.rolls[0].odds is None


@pytest.mark.rule("SWIM-TASK-08", "SWIM-OPP-01")
@pytest.mark.parametrize(
    ("attack", "against", "told"),
    [("6 6", "2 3", False), ("6 6", "1 1", True), ("6 1", "1 1", False), ("6 6", "1 3", True)],
)
def test_natural_1s_are_told_only_of_a_defense_that_stops_nothing(
    attack: str, against: str, told: bool
) -> None:
    table = lay_table(Ash=sheet({"basic_melee": 2}), Orc=sheet({"physical_defense": 2}))
    table.do("Ash", "attack", attack, skill="basic_melee", targets=("Orc",))
    done = table.do("GM Orc", "defend", against)

    assert any("natural 1" in note for note in done.notes) is told


@pytest.mark.rule("SWIM-COMB-15", "SWIM-RACE-06")
@pytest.mark.parametrize(
    ("modifier", "faces", "first"), [(0, "3 4", 1), (2, "3 4", 0), (-2, "5 4", 1), (1, "3 5", 1)]
)
def test_a_trait_counts_for_initiative(modifier: int, faces: str, first: int) -> None:
    contestants = [Contestant(name="A", dice=1, modifier=modifier), Contestant(name="B", dice=1, modifier=0)]
    places, _rolls = order_of(contestants, ScriptedDice(script(faces)))

    assert places[0].contestant == first


def struck(faces: str, ranks: dict[str, int], **more: object) -> tuple[GameTable, Outcome]:
    """Ash attacks the Orc with a Great Sword, which adds 2 to each face."""
    table = lay_table(Ash=sheet({"basic_melee": 4}, items=["Great Sword"]), Orc=sheet(ranks))
    return table, table.do("Ash", "attack", faces, skill="basic melee", targets=("Orc",), **more)


def first(outcome: Outcome) -> FollowUp:
    return outcome.follow_ups[0]


@pytest.mark.rule("SWIM-OPP-05", "SWIM-COMB-03")
class TestBestDefense:
    """F-SWIM-02"""

    @pytest.mark.parametrize(
        ("faces", "rank", "label"),
        [
            ("6 1 1 6", 5, "Orc: Basic Melee · ≈ 2.0 hits"),  # 8 3 3 8
            ("6 3 4 2", 4, "Orc: Basic Melee · ≈ 2.2 hits"),  # 8 5 6 4
            ("5 4 3 1", 4, "Orc: Basic Melee · ≈ 2.0 hits"),  # 7 6 5 3
        ],
    )
    def test_the_best_defense_lets_the_fewest_hits_through_even_if_none_stops_all(
        self, faces: str, rank: int, label: str
    ) -> None:
        table, done = struck(faces, {"physical_defense": 1, "basic_melee": rank})

        assert first(done).label == label
        defended = table.do("GM Orc", "defend", "1 " * rank)
        assert defended.headline == "defends against Ash with Basic Melee"

    def test_the_defense_menu_shows_the_hits_expected_of_each_skill(self) -> None:
        _, done = struck("6 1 1 6", {"physical_defense": 1, "basic_melee": 5})

        menu = next(one for one in done.follow_ups if one.choices)
        assert [(one.label, one.note) for one in menu.choices] == [
            ("Basic Melee, 5 dice", "≈ 2.0 hits · stops all 0%"),
            ("Physical Defense, 1 die", "≈ 3.3 hits · stops all 0%"),
        ]

    def test_the_number_of_hits_expected_is_exact(self) -> None:
        assert expected_hits(defence([4], 1)) == Fraction(1, 2)
        assert expected_hits(defence([4], 1, factor=2)) == 1
        assert chance_of_hits(defence([4, 4], 2), 2) == Fraction(1, 4)

    def test_against_hiding_the_skill_most_likely_to_notice_is_the_best_defense(self) -> None:
        table = lay_table(
            Ash=sheet({"stealth": 3}), Orc=sheet({"spot": 3, "mental_defense": 1}), Bram=sheet({"spot": 1})
        )
        done = table.do("Ash", "stealth", "5 5 5", observers=("Orc",))

        assert first(done).label == "Orc: Spot · stops it 4%"

    def test_a_strained_defense_uses_the_best_skill_that_can_be_strained(self) -> None:
        table, _ = struck("1 1 1 1", {"physical_defense": 1, "basic_melee": 2})

        done = table.do("GM Orc", "defend", "6 6 6 6", strain=True)
        assert done.headline == "defends against Ash with Basic Melee"
        assert table.rank("Orc", "basic_melee") == 1

    def test_straining_a_defense_is_refused_where_no_skill_can_be_strained(self) -> None:
        table, _ = struck("1 1 1 1", {"physical_defense": 1})

        assert table.why("GM Orc", "defend", strain=True) == "None of these skills can be strained."

    def test_the_best_defense_takes_circumstances_into_account(self) -> None:
        table, _ = struck("6 1 1 6", {"physical_defense": 4, "basic_melee": 4})

        done = table.do("GM Orc", "defend", "1 1 1 1", modifier=9)
        assert done.headline == "defends against Ash with Physical Defense"
        assert faced(done) == "10 stops 8, 10 stops 8, 10 stops 3, 10 stops 3"


@pytest.mark.rule("SWIM-TASK-13")
class TestChanceOfAnAttack:
    """F-SWIM-02: the chance beforehand is the one against the best defense."""

    def test_the_chance_of_an_attack_is_that_against_the_best_defense(self) -> None:
        _, done = struck("6 1 1 6", {"physical_defense": 1, "basic_melee": 5})

        inputs = done.rolls[0].inputs
        assert inputs.model_dump(include={"foe_dice", "foe_modifier"}) == {"foe_dice": 5, "foe_modifier": 0}

    def test_the_chance_of_an_attack_counts_reserve_dice_with_their_own_modifier(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 1}), Orc=sheet({"physical_defense": 3, "brawn": 2}))
        table.change("Orc", states=States(reserve=Reserve(skill="brawn", kind=ReserveKind.DEFENCE)))
        table.change("Orc", traits=sheet(traits={"large": 1}).traits)
        done = table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))

        groups = done.rolls[0].inputs.foe_groups  # type: ignore[attr-defined]
        assert groups == (
            DiceGroup(name="Physical Defense", count=3, modifier=-1),
            DiceGroup(name="Brawn", source="added", count=1, modifier=1),
        )

    def test_the_chance_of_a_pushed_attack_counts_each_die_as_often_as_pushed(self) -> None:
        _, done = struck("6 1 1 6", {"physical_defense": 2, "basic_melee": 0}, push=2)

        assert [name for name, _ in done.rolls[0].odds.chances] == [  # type: ignore[union-attr]
            "0 hits",
            "2 hits",
            "4 hits",
            "6 hits",
            "8 hits",
        ]

    def test_no_chance_of_an_attack_is_shown_where_counting_takes_too_long(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 40}), Orc=sheet({"physical_defense": 40}))
        done = table.do("Ash", "attack", "3 " * 40, skill="basic melee", targets=("Orc",))

        assert done.rolls[0].odds is None

    def test_the_chance_of_an_attack_counts_dice_of_the_same_modifier_together(self) -> None:
        table = lay_table(Ash=sheet({"basic_melee": 2}), Orc=sheet({"physical_defense": 2}))
        done = table.do("Ash", "attack", "4 4", skill="basic melee", targets=("Orc",))

        assert attack_ways(done.rolls[0].inputs).ways == {0: 581, 1: 560, 2: 155}


@pytest.mark.rule("SWIM-COMB-13")
class TestReserve:
    def test_a_reserve_is_kept_when_it_adds_nothing_to_the_defense(self) -> None:
        table, _ = struck("1 1 1 1", {"physical_defense": 2, "basic_melee": 2})
        table.change("Orc", states=States(reserve=Reserve(skill="basic_melee", kind=ReserveKind.DEFENCE)))
        table.do("GM Orc", "defend", "6 6", skill="basic melee")

        assert table.sheet("Orc").states.reserve is not None

    def test_a_reserved_specialization_brings_its_bonus(self) -> None:
        table = lay_table(Orc=sheet({"physical_defense": 1, "basic_melee": 2, "basic_melee:club": 2}))
        table.change(
            "Orc", states=States(reserve=Reserve(skill="basic_melee:club", kind=ReserveKind.DEFENCE))
        )
        table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))
        done = table.do("GM Orc", "defend", "1 4", skill="physical defense")

        assert [die.shown for die in done.rolls[0].dice] == ["⚀", "＋⚃→5"]


@pytest.mark.rule("SWIM-OPP-05")
class TestUnansweredDefense:
    """F-SWIM-10"""

    def test_the_best_defense_is_used_after_the_campaigns_waiting_time(self) -> None:
        _, done = struck("6 1 1 6", {"physical_defense": 1, "basic_melee": 5})

        assert [one.after_seconds for one in done.follow_ups] == [60, None, None]
        assert done.follow_ups[0].window is not None  # it is pressed although play goes on

    def test_the_campaign_may_wait_for_a_defense_without_limit(self, table: GameTable) -> None:
        table.settings(defense_seconds=0)
        done = table.do("Ash", "attack", "4", skill="basic melee", targets=("Orc",))

        assert first(done).after_seconds is None
