"""What the sheet offers in Compare Roll (issue 13, section 2)."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.creation import CREATION, creation_problems
from bot.rules.compare_roll.sheet import (
    CompareSettings,
    CompareSheet,
    CompareStatus,
    CostSuffix,
    CustomSkill,
    OpponentAttack,
)
from bot.rules.compare_roll.tables import Stat
from bot.rules.compare_roll.two_d12s import (
    CompareInputs,
    CompareOutcome,
    Lying,
    boosts,
    chances,
    compare_odds,
    door_word,
    read,
    survival,
)
from bot.rules.kernel import ActGroup, NamedTerm
from bot.rules.kernel.errors import UserError
from tests.dice import DrawnDice, ScriptedDice
from tests.rules.compare_roll.play import NAMES, SUCCESS, GameTable, fall, fight, foe, id_of, lay_table, sheet
from tests.rules.offers import (
    Step,
    act_called,
    acts_of,
    check_every_act,
    check_menus,
    do_act,
    labels_in,
    labels_of,
    only_act,
)
from tests.rules.playing import stepping

READY = dict(CREATION.ready_made)
WRITTEN = {"amount": "5", "category": "Physical", "name": "Juggling"}
GM_WRITES = {"hp": "9", "weapon": "Pistol"}
ARMED = sheet(
    skills={"Acrobatics/Dodging": 3},
    weapons=({"name": "Pistol", "level": 1, "shots": 0}, {"name": "Baseball Bat", "level": 1, "shots": 0}),
    items=({"name": "Stim", "count": 2},),
)


def offers(table: GameTable, name: str, group: ActGroup | None = None) -> list[str]:
    found = acts_of(RULESET, table.scene, id_of(name))
    return [act.do.label for act in found if not act.why_not and group in (None, act.group)]


def reasons(table: GameTable, name: str, group: ActGroup) -> list[str]:
    found = acts_of(RULESET, table.scene, id_of(name))
    return [act.why_not for act in found if act.group is group and act.why_not]


def check_all(table: GameTable, *names: str) -> None:
    for name in names:
        check_every_act(RULESET, table.scene, id_of(name), WRITTEN)


def give(table: GameTable, name: str, **resources: int) -> None:
    character = table.named(name)
    for key, value in resources.items():
        character = character.with_resource(key, value)
    table.scene = table.scene.with_character(character)


@pytest.mark.parametrize("name", READY)
def test_every_act_of_a_ready_made_character_works_in_and_out_of_a_fight(name: str) -> None:
    table = lay_table(Ash=READY[name])
    give(table, "Ash", stress=2, high=2, ammunition=2)
    check_all(table, "Ash")
    fight(table, "Ash", "Bram", "Ogre", "Wolf")
    check_all(table, "Ash", "Bram", "Ogre")
    table.do("GM", "encounter.next")
    check_all(table, "Ash", "Ogre")


def test_trained_skills_come_first_then_luck_then_each_category() -> None:
    both = sheet(skills={"Acrobatics/Dodging": 4, "Academic/Philosophy": 3, "Humanities/Philosophy": 1})
    table = lay_table(Ash=both)
    found = offers(table, "Ash", ActGroup.CHECK)
    # Short enough for two beside each other on a phone; a category only where two have the skill.
    assert found[:3] == ["Dodging +4", "Philosophy +3 (Academic)", "Philosophy +1 (Humanities)"]
    assert found[3].startswith("Luck +")
    assert found[4] == "Physical …"
    assert len(found) == 12


def test_a_check_takes_a_difficulty_by_name() -> None:
    table = lay_table(Ash=ARMED)
    act = act_called(RULESET, table.scene, id_of("Ash"), "Dodging")
    outcome = do_act(RULESET, table.scene, id_of("Ash"), act, ScriptedDice(SUCCESS), difficulty="Hard")
    assert outcome.headline.endswith("against Hard (+6)")
    assert outcome.headline.startswith("checks Dodging (Acrobatics) against")


def test_each_weapon_attacks_foes_and_an_empty_one_says_so() -> None:
    table = lay_table(Ash=ARMED)
    fight(table, "Ash", "Ogre")
    act = act_called(RULESET, table.scene, id_of("Ash"), "Attack: Baseball Bat")
    assert [one.label for one in act.do.choices] == ["Ogre"]
    assert any("is empty: reload it first." in one for one in reasons(table, "Ash", ActGroup.FIGHT))
    assert reasons(table, "Ash", ActGroup.USE) == ["No Ammunition left."]
    give(table, "Ash", ammunition=1)
    assert [one for one in offers(table, "Ash", ActGroup.USE) if one.startswith("Reload Pistol 0/")]


def test_a_turn_offers_movement_cover_and_its_end() -> None:
    table = lay_table(Ash=ARMED)
    fight(table, "Ash", "Ogre")
    found = offers(table, "Ash", ActGroup.FIGHT)
    assert any(one.startswith("Move up to ") for one in found)
    assert "End turn" in found
    assert "Cover: none now …" in found
    assert "Leave the fight" in found
    assert not [one for one in offers(table, "Ogre", ActGroup.FIGHT) if one.startswith(("Move", "Attack"))]


def test_a_remedy_is_for_friends_the_most_hurt_first() -> None:
    table = lay_table(Ash=ARMED)
    give(table, "Bram", hp=2)
    act = act_called(RULESET, table.scene, id_of("Ash"), "Use Stim on …")
    names = [one.label for one in act.do.choices]
    assert names[0] == "Bram"
    assert set(names) == {"Ash", "Bram", "Cleo"}


def test_an_open_roll_is_offered_first() -> None:
    table = lay_table(Ash=ARMED)
    give(table, "Ash", high=3, stress=1)
    table.do("Ash", "check", fall((2, 4), (5, 8)), skill="Acrobatics/Dodging")
    found = offers(table, "Ash", ActGroup.CHECK)
    assert found[0].startswith("Burn ")
    assert any(one.startswith("Accept the ") for one in found[:4])
    check_all(table, "Ash")


def test_a_waiting_attack_is_defended_first() -> None:
    table = lay_table(Ash=ARMED)
    fight(table, "Ash", "Ogre")
    table.do("GM", "encounter.next")
    table.do("GM Ogre", "attack", "d4:1", targets=("Ash",))
    assert offers(table, "Ash", ActGroup.FIGHT)[0].startswith("Ash: Dodging")
    check_all(table, "Ash")


def test_a_character_at_0_hp_chooses_death_s_door_or_a_blaze() -> None:
    table = lay_table(Ash=ARMED)
    give(table, "Ash", hp=0)
    found = offers(table, "Ash", ActGroup.CHECK)
    assert found[0].startswith("Death's Door · survives")
    assert found[1].startswith("Blaze of Glory")
    assert reasons(table, "Ash", ActGroup.CHECK) == ["Ash is at 0 HP."]
    check_all(table, "Ash")
    table.do("Ash", "deathsdoor", "d6:3 d6:3")
    check_all(table, "Ash")


def test_high_is_burned_against_stress_as_much_as_there_is() -> None:
    table = lay_table(Ash=ARMED)
    give(table, "Ash", stress=2)
    assert reasons(table, "Ash", ActGroup.SPEND) == ["No High left."]
    give(table, "Ash", high=3)
    act = act_called(RULESET, table.scene, id_of("Ash"), "Burn High against Stress · 3 High")
    assert [one.label for one in act.do.choices] == ["2 High: Stress 2 → 0", "1 High: Stress 2 → 1"]


def test_skill_points_buy_skills_and_say_how_many_are_left() -> None:
    table = lay_table(Ash=ARMED.changed(skill_points=2, stat_points=1))
    act = act_called(RULESET, table.scene, id_of("Ash"), "Raise a trained skill … · 1 of 2 skill points")
    done = do_act(RULESET, table.scene, id_of("Ash"), act, ScriptedDice(""), skill="Acrobatics/Dodging")
    assert done.headline == "raises Dodging (Acrobatics) 3 → 4"
    assert "Raise a stat … · 1 of 1 stat point" in offers(table, "Ash", ActGroup.GROW)
    check_all(table, "Ash")
    assert reasons(lay_table(Ash=ARMED), "Ash", ActGroup.GROW) == ["No skill points left."]


def test_a_new_character_is_finished_from_its_sheet() -> None:
    draft = sheet(is_draft=True, method="rolled", unset=("STR", "INT", "AGI", "EDU", "INF", "LCK"))
    table = lay_table(Ash=draft.changed(has_rolled_assets=False))
    assert "Roll the stats" in offers(table, "Ash", ActGroup.GROW)
    check_all(table, "Ash")


def test_the_dead_are_offered_nothing() -> None:
    table = lay_table(Ash=ARMED.changed(status=CompareStatus.DEAD))
    assert labels_of(RULESET, table.scene, id_of("Ash")) == []


def test_a_weapon_asks_for_its_distance_and_another_skill_if_wanted() -> None:
    table = lay_table(Ash=ARMED)
    fight(table, "Ash", "Ogre")
    act = act_called(RULESET, table.scene, id_of("Ash"), "Attack: Baseball Bat")

    assert [one.label for one in act.values["distance"]] == ["in range", "5 ft"]
    assert [one.label for one in act.values["skill"]] == ["the weapon's", "Dodging 3"]


def test_a_weapon_that_hits_several_asks_for_all_its_targets() -> None:
    table = lay_table(Ash=sheet(items=({"name": "Grenade", "count": 1},)))
    fight(table, "Ash", "Ogre", "Wolf")
    (asked,) = act_called(RULESET, table.scene, id_of("Ash"), "Attack several: Grenade").do.blanks

    assert ([one.label for one in asked.choices], asked.most) == (["Ogre", "Wolf"], 2)


def test_what_a_character_carries_can_be_handed_to_friends() -> None:
    table = lay_table(Ash=ARMED)
    thing, target, _count = act_called(RULESET, table.scene, id_of("Ash"), "Hand something over").do.blanks

    assert [one.label for one in thing.choices] == ["Stim (2)", "Pistol", "Baseball Bat"]
    assert [one.label for one in target.choices] == ["Bram", "Cleo"]


class TestGmActs:
    @pytest.mark.parametrize("who", ["Ash", "Ogre"])
    def test_a_gm_can_do_everything_offered_to_a_character_and_an_opponent(self, who: str) -> None:
        table = lay_table(Ash=ARMED)
        give(table, "Ash", hp=4, high=2, ammunition=2)

        found = check_every_act(RULESET, table.scene, id_of(who), GM_WRITES, for_gm=True)

        assert {"fate", "give", "look"} <= found
        assert ("foe" in found, "set_stat" in found) == (who == "Ogre", who == "Ash")

    def test_hp_are_taken_and_given_back_one_by_one(self) -> None:
        table = lay_table(Ash=ARMED)
        give(table, "Ash", hp=2)
        acts = acts_of(RULESET, table.scene, id_of("Ash"), for_gm=True)

        taken = only_act(acts, "Take HP")
        assert [one.label for one in taken.do.choices] == ["1 damage: HP 2 → 1", "2 damage: HP 2 → 0"]
        assert only_act(acts, "Give HP back").do.choices[0].label == "1 HP: 2 → 3"

    def test_many_hp_are_shortened_to_a_menu_that_ends_with_the_last(self) -> None:
        table = lay_table(Ogre=foe(hp=80))
        taken = only_act(acts_of(RULESET, table.scene, id_of("Ogre"), for_gm=True), "Take HP")

        assert len(taken.do.choices) == 25
        assert taken.do.choices[-1].label == "80 damage: HP 80 → 0"

    def test_the_dead_can_only_be_revived(self) -> None:
        table = lay_table(Ash=ARMED.changed(status=CompareStatus.DEAD))
        give(table, "Ash", hp=0, high=5)
        acts = acts_of(RULESET, table.scene, id_of("Ash"), for_gm=True)

        assert labels_in(acts, ActGroup.HEAL) == ["Revive …"]
        assert labels_in(acts, ActGroup.DAMAGE) == []
        assert "Give High …" not in labels_in(acts, ActGroup.GIVE)
        check_every_act(RULESET, table.scene, id_of("Ash"), GM_WRITES, for_gm=True)


MENUS = Path(__file__).with_name("menus.toml")


def evening() -> dict[str, Step]:
    """An evening, step by step: what the file of menus follows."""
    wit = CustomSkill(category="Social", name="Wit", level=2, is_approved=True)
    ash = ARMED.changed(skill_points=2, stat_points=1, customs=(wit,))
    table = lay_table(
        Ash=ash, Bram=sheet(items=({"name": "Grenade", "count": 3}, {"name": "Comms", "count": 1}))
    )

    seen = stepping(table, id_of)

    return {
        "at first": seen("Ash"),
        "hurt, stressed, high and rich": seen(
            "Ash", lambda: give(table, "Ash", hp=4, stress=2, high=3, ammunition=2, assets=50)
        ),
        "somebody else": seen("Bram"),
        "a foe": seen("Ogre"),
        "on the own turn in a fight": seen("Ash", lambda: fight(table, "Ash", "Bram", "Ogre", "Wolf")),
        "after a move": seen("Ash", lambda: table.do("Ash", "move", spaces=2)),
        "with an open attack": seen(
            "Ash",
            lambda: table.do("Ash", "attack", fall((2, 4), (5, 8)), weapon="Baseball Bat", targets=("Ogre",)),
        ),
        "in the opponents' turn": seen(
            "Ash",
            lambda: table.change("Ash", status="active"),
            lambda: table.do("GM", "encounter.next"),
        ),
        "the foe of that turn": seen("Ogre"),
        "attacked": seen("Ash", lambda: table.do("GM Ogre", "attack", "d4:1", targets=("Ash",))),
        "at 0 HP": seen("Bram", lambda: give(table, "Bram", hp=0)),
        "dead": seen("Bram", lambda: table.change("Bram", status="dead")),
    }


def test_the_menus_of_an_evening_are_as_approved() -> None:
    check_menus(MENUS, RULESET, evening())


WEAPONS = (
    {"name": "Pistol", "shots": 2},
    {"name": "Flame Thrower", "shots": 1},
    {"name": "Shotgun", "shots": 2},
)
ITEMS = ({"name": "Stim", "count": 3}, {"name": "Grenade", "count": 2}, {"name": "Heavy Armor"})
SKILLS = {"Technical/Mechanics": 3, "Acrobatics/Dodging": 2}
EVERYBODY = (*NAMES, "Ogre")
MOVES: st.SearchStrategy[tuple[str, dict[str, Any]]] = st.sampled_from(
    [
        ("check", {"skill": "Stealth"}),
        ("luck", {"burn": 1}),
        ("burn", {"count": 1}),
        ("burn", {"count": 3}),
        ("take", {}),
        ("calm", {"count": 1}),
        *(
            ("attack", {"targets": (target,), "weapon": weapon})
            for target in EVERYBODY
            for weapon in ("", "Pistol", "Flame Thrower", "Grenade")
        ),
        ("defend", {}),
        ("counter", {}),
        ("skip", {}),
        ("reload", {}),
        ("move", {"spaces": 2}),
        ("cover", {"cover": "half"}),
        ("done", {}),
        ("use", {}),
        ("equip", {"armour": "Heavy Armor"}),
        ("equip", {}),
        ("rest", {"hours": 2}),
        ("deathsdoor", {}),
        ("blaze", {}),
    ]
)
GM_MOVES: st.SearchStrategy[tuple[str, dict[str, Any]]] = st.sampled_from(
    [
        ("encounter.start", {"others": EVERYBODY}),
        ("encounter.next", {}),
        ("encounter.end", {}),
        ("fate", {"target": "Ash", "stress": 2}),
        ("fate", {"target": "Ash", "high": 2}),
        ("set_stat", {"target": "Ash", "stat": "AGI", "score": 3}),
    ]
)


def laid(data: st.DataObject) -> GameTable:
    """A table at which much can happen at once."""
    armed = foe(hp=9).changed(weapons=sheet(weapons=WEAPONS).weapons)
    table = lay_table(
        **{name: sheet(None, SKILLS, weapons=WEAPONS, items=ITEMS, ft_lost=9) for name in NAMES}, Ogre=armed
    )
    for name in NAMES:
        table.set(name, hp=6, high=3, stress=1, ammunition=1)
    table.settings(
        opponent_attack=data.draw(st.sampled_from(OpponentAttack)),
        cost_suffix=data.draw(st.sampled_from(CostSuffix)),
    )
    return table


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_whatever_is_played_every_number_stays_within_its_limits(data: st.DataObject) -> None:
    table, dice = laid(data), DrawnDice(data)
    for _ in range(data.draw(st.integers(0, 25))):
        is_gms = data.draw(st.integers(0, 3)) == 0
        procedure, options = data.draw(GM_MOVES if is_gms else MOVES)
        name = data.draw(st.sampled_from(EVERYBODY))
        who = "GM" if is_gms else f"GM {name}" if name == "Ogre" else name
        before = table.scene
        try:
            table.play(who, procedure, options, dice)
        except UserError:
            assert table.scene is before
    RULESET.end_session(table.scene, list(table.scene.characters), list(table.scene.documents))


@settings(deadline=None)
@given(st.integers(-30, 30), st.integers(0, 20), st.one_of(st.none(), st.sampled_from(CompareOutcome)))
def test_the_chances_of_every_roll_add_up_to_1(
    modifier: int, difficulty: int, forced: CompareOutcome | None
) -> None:
    terms = (NamedTerm(label="all", value=modifier),)
    odds = compare_odds(CompareInputs(terms=terms, difficulty=difficulty, forced=forced))

    assert sum(chance.fraction for _, chance in odds.chances) == 1
    assert [name for name, _ in odds.chances] == list(CompareOutcome)


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 21), min_size=6, max_size=6),
    st.lists(st.sampled_from(("Balance", "Reflexes", "Stamina", "Endurance")), max_size=4, unique=True),
    st.lists(st.integers(0, 6), min_size=4, max_size=4),
    st.sampled_from(("points", "rolled")),
    st.sampled_from(("", "Physical: Juggling 2", "Physical: balance 1", "nonsense")),
)
def test_a_draft_without_problems_makes_a_legal_sheet(
    scores: list[int], names: list[str], levels: list[int], method: str, own: str
) -> None:
    draft: dict[str, Any] = {"method": (method,), "in_Physical": tuple(names), "own_1": (own,)}
    draft |= {stat.value: (str(score),) for stat, score in zip(Stat, scores, strict=True)}
    draft |= {f"Physical/{name}": (str(level),) for name, level in zip(names, levels, strict=False)}

    if not creation_problems(draft, CompareSettings()):
        made = RULESET.creation.build(draft, CompareSettings())
        assert isinstance(made, CompareSheet)
        assert RULESET.sheet_problems(made) == ()
        assert made.skill_points + sum(one.level for one in (*made.skills, *made.customs)) == 16


@pytest.mark.rule("CMP-ROLL-01", "CMP-ROLL-03")
@pytest.mark.parametrize(
    ("modifier", "difficulty"), [(-20, 2), (-3, 0), (0, 0), (0, 2), (5, 4), (3, 20), (20, 0), (30, 2)]
)
def test_the_chances_count_every_way_in_which_four_dice_fall(modifier: int, difficulty: int) -> None:
    found = dict.fromkeys(CompareOutcome, 0)
    for one, other in product(range(1, 7), repeat=2):
        for low, high in product(range(1, 13), repeat=2):
            found[read(Lying(d6=(one, other), d12=(low, high)), modifier, difficulty).outcome] += 1

    assert chances(modifier, difficulty) == found


@pytest.mark.rule("CMP-HIGH-02")
@pytest.mark.parametrize("d6", list(product(range(1, 7), repeat=2)), ids=str)
def test_high_raises_dice_to_each_better_outcome_with_the_fewest_points(d6: tuple[int, int]) -> None:
    inputs = CompareInputs(terms=(), difficulty=2)
    lying = Lying(d6=d6, d12=(4, 9))
    found = dict(boosts(inputs, lying, 5))

    reached = {points: read(lying, points, 2).outcome for points in range(6)}
    better = {
        points: outcome
        for points, outcome in reached.items()
        if d6 != (1, 1) and all(reached[fewer].rank < outcome.rank for fewer in range(points))
    }
    assert found == {points: outcome for points, outcome in better.items() if points}
    assert boosts(inputs, lying, 0) == ()


@pytest.mark.rule("CMP-DEATH-02")
@pytest.mark.parametrize("modifier", [-3, 0, 2])
def test_the_chance_of_survival_counts_the_hits_and_misses_so_far(modifier: int) -> None:
    worth = {"hit": 1, "neither": 0, "miss": -1}
    faces = [worth[door_word(sum(pair) + modifier)] for pair in product(range(1, 7), repeat=2)]
    for left, ahead in ((0, -1), (0, 0), (1, -1), (1, 0), (2, -2), (2, 1)):
        rolls = list(product(faces, repeat=left))
        good = sum(sum(one) + ahead >= 0 for one in rolls)
        assert survival(modifier, left, ahead).fraction == Fraction(good, len(rolls))
