"""What the sheet offers in Post-magic-maid (issue 13, section 2)."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.rules.kernel import ActGroup, PersonId
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.creation import CREATION
from bot.rules.post_magic_maid.encounter import MaidEncounter
from bot.rules.post_magic_maid.sheet import MaidAttribute, MaidSettings, MaidSheet
from bot.rules.post_magic_maid.tier_check import MaidCheckInputs, check_odds
from bot.rules.post_magic_maid.tiers import MaidTier
from bot.rules.post_magic_maid.wounds import CAPACITIES, Track, place_wound
from tests.dice import DrawnDice, ScriptedDice
from tests.rules.offers import (
    Step,
    act_called,
    acts_of,
    check_every_act,
    check_menus,
    do_act,
    labels_of,
)
from tests.rules.playing import stepping
from tests.rules.post_magic_maid.play import (
    NAMES,
    GameTable,
    active,
    id_of,
    lay_table,
    passive,
    sheet,
    start_fight,
)

READY = dict(CREATION.ready_made)


def offers(table: GameTable, name: str) -> list[str]:
    return labels_of(RULESET, table.scene, id_of(name))


def reason(table: GameTable, name: str, group: ActGroup) -> list[str]:
    found = acts_of(RULESET, table.scene, id_of(name))
    return [act.why_not for act in found if act.group is group and act.why_not]


@pytest.mark.parametrize("name", READY)
def test_every_act_of_a_ready_made_character_works_out_of_a_fight(name: str) -> None:
    table = lay_table(sheets={"Ash": READY[name]})
    table.wound("Ash", "rending", "1/1/0/0")
    table.alter("Ash", resources={"blitz": 3, "level_ups": 2, "die_points": 1})
    check_every_act(RULESET, table.scene, id_of("Ash"))


@pytest.mark.parametrize("name", READY)
def test_every_act_of_a_ready_made_character_works_in_a_fight(name: str) -> None:
    table = lay_table(sheets={"Ash": READY[name], "Bram": READY[name]})
    table.wound("Bram", "blunt", "1/1/0/0")
    start_fight(table, "K♠ 5♠ 3♠ 9♣ 10♥")
    for who in ("Ash", "Bram", "Wolf"):
        check_every_act(RULESET, table.scene, id_of(who))


def test_a_magical_character_can_set_magic_in_an_attack() -> None:
    table = lay_table(sheets={"Ash": sheet(is_magical=True, abilities=(active("Fencing", 1),))})
    act = act_called(RULESET, table.scene, id_of("Ash"), "Attack blunt: Int + Dex, Fencing")
    assert "magic" in act.adjusts
    check_every_act(RULESET, table.scene, id_of("Ash"))


def test_a_check_offers_every_pair_the_best_first_and_abilities_with_their_bonus() -> None:
    table = lay_table(sheets={"Ash": sheet(abilities=(active("Fencing", 1),))})
    checks = [label for label in offers(table, "Ash") if "d20" in label or "Fencing" in label]
    assert checks[0] == "Fencing +5 …"
    assert checks[1] == "Int + Dex: d20 and d12"
    act = act_called(RULESET, table.scene, id_of("Ash"), "Fencing")
    assert act.do.choices[0].label == "Int + Dex: d20 and d12"
    outcome = do_act(
        RULESET, table.scene, id_of("Ash"), act, ScriptedDice("d6:4 d12:7"), pair="Str + Dex", needed="15"
    )
    assert outcome.headline == "checks Str + Dex (Fencing)"
    assert outcome.rolls[0].total == 16


def test_an_attack_offers_foes_first_and_never_the_attacker(table: GameTable) -> None:
    act = act_called(RULESET, table.scene, id_of("Ash"), "Attack rending")
    assert [one.label for one in act.do.choices] == ["Ogre", "Wolf", "Bram", "Cleo", "Dara"]


def test_someone_hidden_is_in_no_menu(table: GameTable) -> None:
    table.alter("Ogre", is_hidden=True)
    act = act_called(RULESET, table.scene, id_of("Ash"), "Attack rending")
    assert [one.label for one in act.do.choices] == ["Wolf", "Bram", "Cleo", "Dara"]


def test_treatment_offers_wounded_friends_and_no_foe(table: GameTable) -> None:
    table.wound("Ogre", "rending", "0/1/0/0")
    assert reason(table, "Ash", ActGroup.REST) == ["Nobody has a wound you can treat."]
    table.wound("Cleo", "rending", "0/1/0/0")
    table.wound("Dara", "blunt", "0/0/0/1")
    act = act_called(RULESET, table.scene, id_of("Ash"), "Treat")
    assert [one.label for one in act.do.choices] == ["Dara", "Cleo"]
    assert act.do.choices[0].note == "unconscious blunt"


def test_a_treatment_that_waits_for_its_wound_is_offered_first(table: GameTable) -> None:
    table.wound("Cleo", "rending", "0/1/1/0")
    table.do("Ash", "treat", "d20:19 d12:8", target="Cleo")
    act = act_called(RULESET, table.scene, id_of("Ash"), "Treat which wound?")
    outcome = do_act(RULESET, table.scene, id_of("Ash"), act, ScriptedDice(""), wound="moderate rending")
    assert outcome.scene.character(id_of("Cleo")).wounds["rending"] == (0, 0, 1, 0)


def test_a_waiting_attack_offers_the_best_defense_first(table: GameTable) -> None:
    table.settings(defence="always")
    table.do("GM Ogre", "attack", "d20:15 d12:3", first="Int", second="Dex", track="blunt", target="Ash")
    found = offers(table, "Ash")
    assert found[0].startswith("Ash: Int + Dex")
    assert found[2] == "Take the wound"
    check_every_act(RULESET, table.scene, id_of("Ash"))


def test_contests_and_requested_checks_are_offered_first(table: GameTable) -> None:
    table.do("GM", "contest", one="Ash", other="Ogre")
    table.do("GM", "call", character="Ash", first="Int", second="Str", needed="10")
    assert offers(table, "Ash")[:2] == ["Ash: roll …", "Roll Int + Str · 72%"]
    check_every_act(RULESET, table.scene, id_of("Ash"))


def test_off_turn_a_check_says_whose_turn_it_is(table: GameTable) -> None:
    start_fight(table, "K♠ 5♠")
    assert reason(table, "Bram", ActGroup.CHECK) == ["It is Ash's turn, not Bram's."]
    assert reason(table, "Ash", ActGroup.CHECK) == []
    assert "Leave the fight" in offers(table, "Bram")
    assert "Join the fight" in offers(table, "Cleo")


def test_the_plain_attacks_of_a_turn_are_left_to_the_board() -> None:
    table = lay_table(sheets={"Ash": sheet(abilities=(active("Fencing", 1),))})
    start_fight(table, "K♠ 5♠")
    attacks = [label for label in offers(table, "Ash") if label.startswith("Attack")]
    assert attacks == ["Attack blunt: Int + Dex, Fencing …", "Attack rending: Int + Dex, Fencing …"]


def test_an_unconscious_character_is_told_so(table: GameTable) -> None:
    table.wound("Ash", "blunt", "0/0/0/1")
    assert reason(table, "Ash", ActGroup.CHECK) == ["Ash is unconscious."]
    assert "Rest: 1 wound an hour …" in offers(table, "Ash")


def test_a_dead_character_is_offered_nothing() -> None:
    table = lay_table(sheets={"Ash": sheet().model_copy(update={"is_dead": True})})
    assert acts_of(RULESET, table.scene, id_of("Ash")) == ()


def test_passives_are_used_by_name_with_the_check_the_gm_set() -> None:
    table = lay_table(sheets={"Ash": sheet(abilities=(passive("Night eyes"),))})
    table.do("GM", "activation", target="Ash", ability="Night eyes", first="Int", second="Wll", tier="15")
    act = act_called(RULESET, table.scene, id_of("Ash"), "Use Night eyes: Int + Wll, tier 15")
    outcome = do_act(RULESET, table.scene, id_of("Ash"), act, ScriptedDice("d20:12 d8:5"))
    assert outcome.verdict is not None
    assert outcome.verdict.title == "active"


def test_an_assist_helps_a_friend_first(table: GameTable) -> None:
    act = act_called(RULESET, table.scene, id_of("Ash"), "Assist")
    assert [one.label for one in act.do.choices] == ["Bram", "Cleo", "Dara", "Ogre", "Wolf"]
    outcome = do_act(RULESET, table.scene, id_of("Ash"), act, ScriptedDice("d20:12 d12:5"))
    assert outcome.notes == ("Bram's next action gets an assist of tier 15 from Ash.",)


def test_a_rest_offers_the_hours_that_heal_everything_first(table: GameTable) -> None:
    table.wound("Ash", "blunt", "3/2/0/0")
    act = act_called(RULESET, table.scene, id_of("Ash"), "Rest")
    assert [one.label for one in act.do.choices][:2] == ["5 hours", "1 hour"]
    outcome = do_act(RULESET, table.scene, id_of("Ash"), act, ScriptedDice(""), hours="5", now=True)
    assert outcome.scene.character(id_of("Ash")).wounds["blunt"] == (0, 0, 0, 0)


def test_level_ups_are_for_sale_with_their_price() -> None:
    table = lay_table(sheets={"Ash": sheet(abilities=(active("Fencing", 1),))})
    assert reason(table, "Ash", ActGroup.GROW) == ["No level-up to spend."]
    table.alter("Ash", resources={"blitz": 3, "level_ups": 2})
    act = act_called(RULESET, table.scene, id_of("Ash"), "Single bonus on … · 1 of 2 level-ups")
    outcome = do_act(RULESET, table.scene, id_of("Ash"), act, ScriptedDice(""), ability="Fencing")
    assert outcome.headline == "levels up: Fencing +5 to +8"
    new = act_called(RULESET, table.scene, id_of("Ash"), "New active ability +5")
    done = do_act(RULESET, table.scene, id_of("Ash"), new, ScriptedDice(""), ability="Diving")
    assert done.headline == "levels up: Diving +0 to +5"


def test_a_fight_begins_from_the_sheet(table: GameTable) -> None:
    act = act_called(RULESET, table.scene, id_of("Ash"), "Start a fight")
    outcome = do_act(RULESET, replace(table.scene, person=PersonId(1)), id_of("Ash"), act, ScriptedDice(""))
    assert outcome.headline == "starts a fight"


class TestGmActs:
    def test_a_gm_can_do_everything_offered_to_a_wounded_character(self) -> None:
        table = lay_table(sheets={"Ash": sheet(is_magical=True)})
        table.wound("Ash", "blunt", "1/1/0/0")

        found = check_every_act(RULESET, table.scene, id_of("Ash"), for_gm=True)
        assert found == {"grant", "magic", "mend", "swap_dice", "wound"}

        acts = acts_of(RULESET, table.scene, id_of("Ash"), for_gm=True)
        (heal,) = [one for one in acts if one.group is ActGroup.HEAL]
        assert [one.label for one in heal.do.choices] == ["Slight blunt", "Moderate blunt"]
        assert "Forbid magic" in [one.do.label for one in acts]

    def test_an_unhurt_character_is_not_offered_healing(self, table: GameTable) -> None:
        acts = acts_of(RULESET, table.scene, id_of("Wolf"), for_gm=True)

        assert {one.group for one in acts} == {ActGroup.DAMAGE, ActGroup.GIVE, ActGroup.GM}


MENUS = Path(__file__).with_name("menus.toml")


def evening() -> dict[str, Step]:
    """An evening, step by step: what the file of menus follows."""
    ash = sheet(
        abilities=(active("Fencing", 1), active("Singing", 2, 1), passive("Night eyes", 2)), is_magical=True
    )
    table = lay_table(sheets={"Ash": ash})

    seen = stepping(table, id_of)

    def hurt() -> None:
        table.wound("Ash", "blunt", "2/1/0/0")
        table.wound("Cleo", "rending", "0/1/1/0")
        table.alter("Ash", resources={"blitz": 3, "level_ups": 2, "die_points": 1})

    def asked() -> None:
        table.settings(defence="always")
        table.do("GM", "contest", one="Ash", other="Ogre")
        table.do("GM", "call", character="Ash", first="Int", second="Str", needed="10")
        table.do("GM Ogre", "attack", "d20:15 d12:3", first="Int", second="Dex", track="blunt", target="Ash")

    def activation() -> None:
        table.do("GM", "activation", target="Ash", ability="Night eyes", first="Int", second="Wll", tier="15")

    return {
        "at first": seen("Ash"),
        "hurt, with points and level-ups": seen("Ash", hurt),
        "with an activation": seen("Ash", activation),
        "with a contest, a call and an attack to answer": seen("Ash", asked),
        "on the own turn in a fight": seen(
            "Ash",
            lambda: table.do("Ash", "take_hit"),
            lambda: start_fight(table, "K♠ 5♠ 3♠ 9♣ 10♥"),
        ),
        "after acting, with one level-up": seen(
            "Ash",
            lambda: table.do("Ash", "check", "d20:9 d12:4", first="Int", second="Dex"),
            lambda: table.alter("Ash", resources={"blitz": 1, "level_ups": 1, "die_points": 0}),
        ),
        "out of turn": seen("Bram"),
        "a foe": seen("Wolf"),
        "unconscious": seen("Bram", lambda: table.wound("Bram", "blunt", "0/0/0/1")),
        "after the turn": seen("Ash", lambda: table.do("GM", "encounter.next")),
    }


def test_the_menus_of_an_evening_are_as_approved() -> None:
    check_menus(MENUS, RULESET, evening())


ABILITY_NAMES = ("Fishing", "Riding", "Law")
LEVEL_UPS = st.one_of(
    st.tuples(st.just("single"), st.fixed_dictionaries({"ability": st.sampled_from(ABILITY_NAMES)})),
    st.tuples(
        st.just("double"),
        st.fixed_dictionaries(
            {"ability": st.sampled_from(ABILITY_NAMES), "second": st.sampled_from(ABILITY_NAMES)}
        ),
    ),
    st.tuples(st.just("passive"), st.fixed_dictionaries({"ability": st.sampled_from(("Contacts", "Law"))})),
    st.tuples(st.just("specialise"), st.fixed_dictionaries({"attribute": st.sampled_from(MaidAttribute)})),
    st.tuples(st.just("raise_die"), st.fixed_dictionaries({"attribute": st.sampled_from(MaidAttribute)})),
)
PAIR = {"first": "Int", "second": "Dex"}
MOVES = st.one_of(
    st.tuples(st.just("check"), st.just(PAIR)),
    st.tuples(st.just("check"), st.just({**PAIR, "bonus_dice": 1})),
    st.tuples(st.just("blitz"), st.just({})),
    st.tuples(st.just("give_ace"), st.fixed_dictionaries({"receiver": st.sampled_from(NAMES)})),
    st.tuples(st.just("act"), st.fixed_dictionaries({"count": st.integers(1, 4)})),
    st.tuples(st.just("encounter.next"), st.just({})),
    st.tuples(st.just("encounter.join"), st.just({})),
    st.tuples(
        st.just("joker"),
        st.fixed_dictionaries({"place": st.sampled_from(("first", "last")), "who": st.sampled_from(NAMES)}),
    ),
    st.tuples(st.just("assist"), st.sampled_from([{"target": name, **PAIR} for name in NAMES])),
    st.tuples(
        st.just("attack"),
        st.sampled_from(
            [
                {"target": name, "track": track, "defended": defended, "magic": True, **PAIR}
                for name in NAMES
                for track in ("blunt", "rending")
                for defended in (True, False)
            ]
        ),
    ),
    st.tuples(st.just("defend"), st.just({**PAIR, "magic": True})),
    st.tuples(st.just("take_hit"), st.just({})),
    st.tuples(st.just("treat"), st.sampled_from([{"target": name} for name in NAMES])),
    st.tuples(st.just("rest"), st.sampled_from([{"hours": hours} for hours in (1, 4)])),
    st.tuples(st.just("encounter.end"), st.just({})),
    st.tuples(st.just("initiative"), st.just({"opposed": True, "others": NAMES})),
)


def play(table: GameTable, who: str, procedure: str, options: dict[str, Any], dice: Dice) -> None:
    """Do a procedure; what is not allowed changes nothing."""
    before = table.scene
    try:
        table.play(who, procedure, options, dice)
    except UserError:
        assert table.scene is before


def acting(table: GameTable) -> str:
    """Whose turn it is, or Ash."""
    encounter = table.scene.document("encounter/7")
    current = encounter.current if isinstance(encounter, MaidEncounter) else None
    return current.name if current else "Ash"


def assert_sound(table: GameTable) -> None:
    for name in NAMES:
        character = table.named(name)
        for track in Track:
            filled = character.wounds.get(track, (0, 0, 0, 0))
            assert all(0 <= n <= room for n, room in zip(filled, CAPACITIES[track], strict=True))
        rending = character.wounds.get("rending", (0, 0, 0, 0))
        assert ("heavy" in character.timers) == (rending[2] > 0)
        assert ("mortal" in character.timers) == (rending[3] > 0)
        assert all(points >= 0 for points in character.resources.values())
    encounter = table.scene.document("encounter/7")
    if isinstance(encounter, MaidEncounter):
        ids = [seat.character for seat in encounter.shown]
        assert len(set(ids)) == len(ids)
        assert encounter.turn < len(ids)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_no_sequence_of_play_overfills_a_track_or_makes_points_negative(data: st.DataObject) -> None:
    table = lay_table(sheets={name: sheet(is_magical=True) for name in NAMES})
    dice = DrawnDice(data)
    play(table, "Ash", "initiative", {"opposed": True, "others": NAMES[:3]}, dice)

    for procedure, options in data.draw(st.lists(MOVES, max_size=25)):
        who = data.draw(st.sampled_from(("whose turn it is", *NAMES)))
        if who not in NAMES:
            who = acting(table)
        player = f"GM {who}" if procedure == "encounter.end" else who
        play(table, player, procedure, options, dice)
        assert_sound(table)


@settings(deadline=None, max_examples=100)
@given(st.lists(LEVEL_UPS, max_size=40))
def test_any_sequence_of_level_ups_leaves_a_valid_sheet(advances: list[tuple[str, dict[str, Any]]]) -> None:
    table = lay_table()
    table.alter("Ash", resources={"level_ups": 40})

    for procedure, options in advances:
        before = table.points("Ash", "level_ups")
        taken = len(table.named("Ash").sheet.advances)
        play(table, "GM Ash", procedure, options, DrawnNever())
        made = table.named("Ash").sheet
        assert RULESET.sheet_problems(made) == ()
        assert all(ability.bonus <= 13 for ability in made.abilities)
        assert all(score.bonus <= 5 for score in made.attributes.values())
        assert table.points("Ash", "die_points") >= 0
        assert before - table.points("Ash", "level_ups") == len(made.advances) - taken


class DrawnNever:
    """Dice that nobody may roll."""

    def roll(self, sides: int) -> int:
        raise AssertionError(f"a d{sides} was rolled")


@given(st.sampled_from(Track), st.lists(st.integers(0, 3), max_size=15))
def test_wounds_fill_every_box_before_one_is_lost(track: Track, levels: list[int]) -> None:
    filled: tuple[int, ...] = (0, 0, 0, 0)

    for level in levels:
        placed = place_wound(track, filled, level)
        if placed.level is None:
            assert filled[level:] == CAPACITIES[track][level:]
            assert placed.boxes == filled
        else:
            assert placed.level >= level
            assert sum(placed.boxes) == sum(filled) + 1
        filled = placed.boxes

    assert all(n <= room for n, room in zip(filled, CAPACITIES[track], strict=True))


@settings(deadline=None)
@given(
    st.builds(
        dict,
        first=st.sampled_from((6, 8, 12, 20, 32)),
        second=st.sampled_from((6, 8, 12, 20, 32)),
        modifier=st.integers(-50, 22),
        bonus_dice=st.integers(0, 3),
        magic=st.sampled_from(("none", "attack", "defence")),
        assist=st.one_of(st.none(), st.sampled_from(MaidTier)),
    )
)
def test_the_chances_of_every_check_add_up_to_one(asked: dict[str, Any]) -> None:
    odds = check_odds(
        MaidCheckInputs.model_validate(
            {
                "first": {"attribute": "Int", "sides": asked["first"]},
                "second": {"attribute": "Str", "sides": asked["second"]},
                "terms": [{"label": "all", "value": asked["modifier"]}],
                "bonus_dice": asked["bonus_dice"],
                "magic": asked["magic"],
                "assist": asked["assist"],
            }
        )
    )

    assert sum(chance.fraction for _, chance in odds.chances) == 1
    assert [name for name, _ in odds.chances] == list(MaidTier)


@given(
    st.builds(
        dict,
        d20=st.sampled_from(MaidAttribute),
        d12=st.sampled_from(MaidAttribute),
        d8=st.lists(st.sampled_from(MaidAttribute), max_size=3),
        bonuses=st.lists(st.sampled_from(MaidAttribute), max_size=3),
        third=st.sampled_from(MaidAttribute),
        kinds=st.lists(st.sampled_from(("single", "double", "passive", "none")), min_size=2, max_size=2),
        names=st.lists(st.sampled_from(("Fishing", "fishing", "Law", "")), min_size=4, max_size=4),
    )
)
def test_a_draft_without_problems_makes_a_valid_sheet(made: dict[str, Any]) -> None:
    one, second_one, two, second_two = made["names"]
    draft = {
        "d20": (made["d20"].value,),
        "d12": (made["d12"].value,),
        "d8": tuple(each.value for each in made["d8"]),
        "bonuses": tuple(each.value for each in made["bonuses"]),
        "third": (made["third"].value,),
        "kind_one": (made["kinds"][0],),
        "kind_two": (made["kinds"][1],),
        "name_one": (one,),
        "second_one": (second_one,),
        "name_two": (two,),
        "second_two": (second_two,),
    }

    if not RULESET.creation.problems_of(draft, MaidSettings()):
        built = RULESET.creation.build(draft, MaidSettings())
        assert isinstance(built, MaidSheet)
        assert RULESET.sheet_problems(built) == ()
        assert sum(score.creation for score in built.attributes.values()) == 3
