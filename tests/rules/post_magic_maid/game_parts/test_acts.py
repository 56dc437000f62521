"""What the sheet offers in Post-magic-maid (issue 13, section 2)."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.rules.kernel import ActGroup, PersonId
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.creation import CREATION
from tests.dice import ScriptedDice
from tests.rules.offers import Step, act_called, acts_of, check_every_act, check_menus, do_act, labels_of
from tests.rules.post_magic_maid.play import GameTable, active, id_of, lay_table, passive, sheet, start_fight

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
    table.change("Ash", resources={"blitz": 3, "level_ups": 2, "die_points": 1})
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
    checks = [label for label in offers(table, "Ash") if "d20" in label or "with" in label]
    assert checks[0] == "Fencing +5 with …"
    assert checks[1] == "Int + Dex: d20 and d12"
    act = act_called(RULESET, table.scene, id_of("Ash"), "Fencing")
    assert act.do.choices[0].label == "Int + Dex: d20 and d12"
    outcome = do_act(
        RULESET, table.scene, id_of("Ash"), act, ScriptedDice("d6:4 d12:7"), pair="Str + Dex", needed="15"
    )
    assert outcome.headline == "checks Str + Dex (Fencing)"
    assert outcome.rolls[0].total == 16


def test_an_attack_offers_foes_first_and_never_the_attacker() -> None:
    table = lay_table()
    act = act_called(RULESET, table.scene, id_of("Ash"), "Attack rending")
    assert [one.label for one in act.do.choices] == ["Ogre", "Wolf", "Bram", "Cleo", "Dara"]


def test_someone_hidden_is_in_no_menu() -> None:
    table = lay_table()
    table.change("Ogre", is_hidden=True)
    act = act_called(RULESET, table.scene, id_of("Ash"), "Attack rending")
    assert [one.label for one in act.do.choices] == ["Wolf", "Bram", "Cleo", "Dara"]


def test_treatment_offers_wounded_friends_and_no_foe() -> None:
    table = lay_table()
    table.wound("Ogre", "rending", "0/1/0/0")
    assert reason(table, "Ash", ActGroup.REST) == ["Nobody has a wound you can treat."]
    table.wound("Cleo", "rending", "0/1/0/0")
    table.wound("Dara", "blunt", "0/0/0/1")
    act = act_called(RULESET, table.scene, id_of("Ash"), "Treat")
    assert [one.label for one in act.do.choices] == ["Dara", "Cleo"]
    assert act.do.choices[0].note == "unconscious blunt"


def test_a_treatment_that_waits_for_its_wound_is_offered_first() -> None:
    table = lay_table()
    table.wound("Cleo", "rending", "0/1/1/0")
    table.do("Ash", "treat", "d20:19 d12:8", target="Cleo")
    act = act_called(RULESET, table.scene, id_of("Ash"), "Treat which wound?")
    outcome = do_act(RULESET, table.scene, id_of("Ash"), act, ScriptedDice(""), wound="moderate rending")
    assert outcome.scene.character(id_of("Cleo")).wounds["rending"] == (0, 0, 1, 0)


def test_a_waiting_attack_offers_the_best_defense_first() -> None:
    table = lay_table()
    table.settings(defence="always")
    table.do("GM Ogre", "attack", "d20:15 d12:3", first="Int", second="Dex", track="blunt", target="Ash")
    found = offers(table, "Ash")
    assert found[0].startswith("Ash defends · Int + Dex, stops it")
    assert found[2] == "Take the wound"
    check_every_act(RULESET, table.scene, id_of("Ash"))


def test_contests_and_requested_checks_are_offered_first() -> None:
    table = lay_table()
    table.do("GM", "contest", one="Ash", other="Ogre")
    table.do("GM", "call", character="Ash", first="Int", second="Str", needed="10")
    assert offers(table, "Ash")[:2] == ["Ash: roll …", "Roll Int + Str · 72%"]
    check_every_act(RULESET, table.scene, id_of("Ash"))


def test_off_turn_a_check_says_whose_turn_it_is() -> None:
    table = lay_table()
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


def test_an_unconscious_character_is_told_so() -> None:
    table = lay_table()
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


def test_an_assist_helps_a_friend_first() -> None:
    table = lay_table()
    act = act_called(RULESET, table.scene, id_of("Ash"), "Assist")
    assert [one.label for one in act.do.choices] == ["Bram", "Cleo", "Dara", "Ogre", "Wolf"]
    outcome = do_act(RULESET, table.scene, id_of("Ash"), act, ScriptedDice("d20:12 d12:5"))
    assert outcome.notes == ("Bram's next action gets an assist of tier 15 from Ash.",)


def test_a_rest_offers_the_hours_that_heal_everything_first() -> None:
    table = lay_table()
    table.wound("Ash", "blunt", "3/2/0/0")
    act = act_called(RULESET, table.scene, id_of("Ash"), "Rest")
    assert [one.label for one in act.do.choices][:2] == ["5 hours", "1 hour"]
    outcome = do_act(RULESET, table.scene, id_of("Ash"), act, ScriptedDice(""), hours="5", now=True)
    assert outcome.scene.character(id_of("Ash")).wounds["blunt"] == (0, 0, 0, 0)


def test_level_ups_are_for_sale_with_their_price() -> None:
    table = lay_table(sheets={"Ash": sheet(abilities=(active("Fencing", 1),))})
    assert reason(table, "Ash", ActGroup.GROW) == ["No level-up to spend."]
    table.change("Ash", resources={"blitz": 3, "level_ups": 2})
    act = act_called(RULESET, table.scene, id_of("Ash"), "Single bonus on … · 1 of 2 level-ups")
    outcome = do_act(RULESET, table.scene, id_of("Ash"), act, ScriptedDice(""), ability="Fencing")
    assert outcome.headline == "levels up: Fencing +5 to +8"
    new = act_called(RULESET, table.scene, id_of("Ash"), "New active ability +5")
    done = do_act(RULESET, table.scene, id_of("Ash"), new, ScriptedDice(""), ability="Diving")
    assert done.headline == "levels up: Diving +0 to +5"


def test_a_fight_begins_from_the_sheet() -> None:
    table = lay_table()
    act = act_called(RULESET, table.scene, id_of("Ash"), "Start a fight")
    outcome = do_act(RULESET, replace(table.scene, person=PersonId(1)), id_of("Ash"), act, ScriptedDice(""))
    assert outcome.headline == "starts an encounter"


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

    def test_an_unhurt_character_is_not_offered_healing(self) -> None:
        table = lay_table()
        acts = acts_of(RULESET, table.scene, id_of("Wolf"), for_gm=True)

        assert {one.group for one in acts} == {ActGroup.DAMAGE, ActGroup.GIVE, ActGroup.GM}


MENUS = Path(__file__).with_name("menus.toml")


def evening() -> dict[str, Step]:
    """An evening, step by step: what the file of menus follows."""
    ash = sheet(
        abilities=(active("Fencing", 1), active("Singing", 2, 1), passive("Night eyes", 2)), is_magical=True
    )
    table = lay_table(sheets={"Ash": ash})

    def seen(who: str, *steps: Any) -> Step:
        def step() -> tuple[Any, Any]:
            for one in steps:
                one()
            return table.scene, id_of(who)

        return step

    def hurt() -> None:
        table.wound("Ash", "blunt", "2/1/0/0")
        table.wound("Cleo", "rending", "0/1/1/0")
        table.change("Ash", resources={"blitz": 3, "level_ups": 2, "die_points": 1})

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
            lambda: table.change("Ash", resources={"blitz": 1, "level_ups": 1, "die_points": 0}),
        ),
        "out of turn": seen("Bram"),
        "a foe": seen("Wolf"),
        "unconscious": seen("Bram", lambda: table.wound("Bram", "blunt", "0/0/0/1")),
        "after the turn": seen("Ash", lambda: table.do("GM", "encounter.next")),
    }


def test_the_menus_of_an_evening_are_as_approved() -> None:
    check_menus(MENUS, RULESET, evening())
