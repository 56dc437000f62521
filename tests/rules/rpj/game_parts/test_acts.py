"""What a character of RPJ Core can do now, as the sheet offers it, done through the procedures."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.kernel import Scene
from bot.rules.kernel.acts import ActGroup
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.carrying import items_of
from bot.rules.rpj.creation.ready_made import ready_made
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.settings import RpjSettings, Shipped, module_in
from tests.rules.acting import acting, do_everything, done, known, labelled, labels
from tests.rules.rpj.combat.played.brawl import brawl
from tests.rules.rpj.combat.played.shootout import shootout
from tests.rules.rpj.table import FANTASY, GameTable, breaks, rpj_table

WRITTEN = {
    "question": "Is there a window?",
    "skill": "Perception",
    "how": "look around",
    "words": "I packed a rope",
    "name": "Stone skin",
    "saves": "5 6",
    "coin": "1",
    "asset": "A tavern",
    "what": "shout",
}
ALL_PACKS: dict[str, Any] = dict.fromkeys(
    (
        "conditions",
        "damage_scales",
        "fire_and_movement",
        "mass_combat",
        "cinematic_combat",
        "structured_magic",
        "wild_magic",
        "money",
        "inventory",
        "coin_flips",
        "practiced_improvisation",
    ),
    True,
)


def seen(table: GameTable, who: str) -> Scene[Any, Any]:
    """The scene as somebody's sheet has it: everybody of the campaign is known."""
    return known(acting(table.scene, table.named(who)), *table.ids.values())


@pytest.mark.parametrize("packs", [{}, ALL_PACKS], ids=["no packs", "all packs"])
@pytest.mark.parametrize("module", list(Shipped))
def test_everything_offered_to_a_ready_made_character_can_be_done(
    module: Shipped, packs: dict[str, Any]
) -> None:
    settings = RpjSettings(module=module, **packs)
    table = rpj_table(settings, ready_made(settings))
    names = [name for name in table.ids if name != "Ogre"]
    written = {**WRITTEN, "item": next(iter(items_of(module_in(settings))), "")}

    for name in names:
        do_everything(RULESET, seen(table, name), written)

    table.do(names[0], "encounter.start", others=(names[1], "Ogre"))
    for name in names:
        do_everything(RULESET, seen(table, name), written)

    table.do("GM", "encounter.order", characters=(*names, "Ogre"))
    table.do("GM", "encounter.next")
    for name in names:
        do_everything(RULESET, seen(table, name), written)


def test_everything_offered_in_a_shootout_can_be_done() -> None:
    table = shootout()

    for name in ("Laeniel", "Ug"):
        do_everything(RULESET, seen(table, name), WRITTEN)


class TestChecks:
    def test_the_best_skill_of_ones_own_is_offered_first(self) -> None:
        table = rpj_table()
        acts = RULESET.acts(seen(table, "Laeniel"))

        assert labels(acts, ActGroup.CHECK)[:3] == ["Concealment +7", "Archery +6", "Crafting (Wood) +4"]

    def test_the_difficulty_and_a_bonus_can_be_set_before_a_check(self) -> None:
        scene = seen(rpj_table(), "Laeniel")
        archery = labelled(RULESET.acts(scene), "Archery +")
        roll = done(RULESET, scene, archery, harder="3", bonus="-2").rolls[0]

        assert set(archery.adjusts) == {"harder", "bonus", "fit", "lucky_break"}
        assert roll.against == "10+"
        assert [(term.label, term.value) for term in roll.terms] == [("Archery", 6), ("penalty", -2)]

    def test_a_lucky_break_before_the_roll_is_offered_only_while_there_is_one(self) -> None:
        table = rpj_table()
        laeniel = table.named("Laeniel")
        table.scene = table.scene.with_character(laeniel.with_resource("lucky_breaks", 0))
        scene = seen(table, "Laeniel")

        assert breaks(table, "Laeniel") == 0
        assert "lucky_break" not in labelled(RULESET.acts(scene), "Archery +").adjusts

    def test_whoever_is_out_of_action_saves_but_checks_no_skill(self) -> None:
        table = rpj_table()
        table.change("Ug", health=RpjHealth(out=Out.INCAPACITATED))
        offered = labels(RULESET.acts(seen(table, "Ug")), ActGroup.CHECK)

        assert offered[0] == "Save with Strength +4"
        assert not [label for label in offered if label.startswith("Blunt Weapons")]

    def test_an_opponent_is_chosen_for_an_opposed_check(self) -> None:
        table = rpj_table()
        scene = seen(table, "Ug")
        acts = RULESET.acts(scene)
        opposed = next(act for act in acts if act.do.procedure == "opposed")

        assert [choice.label for choice in opposed.do.choices] == ["Laeniel", "Ogre"]
        assert done(RULESET, scene, opposed, str(table.ids["Ogre"])).rolls


class TestFights:
    def test_an_encounter_is_started_with_foes_first(self) -> None:
        table = rpj_table()
        scene = seen(table, "Ug")
        acts = RULESET.acts(scene)
        start = labelled(acts, "Start an encounter with")
        after = done(RULESET, scene, start, str(table.ids["Ogre"])).scene

        assert [choice.label for choice in start.do.choices] == ["Ogre", "Laeniel"]
        assert after.document("encounter/7").names == "Ug, Ogre"

    def test_a_bystander_can_join(self) -> None:
        table = rpj_table()
        table.do("Ug", "encounter.start", others=("Ogre",))
        scene = seen(table, "Laeniel")

        assert labels(RULESET.acts(scene), ActGroup.FIGHT) == ["Join the encounter"]
        table.scene = done(RULESET, scene, labelled(RULESET.acts(scene), "Join")).scene
        assert "Join the encounter" not in labels(RULESET.acts(seen(table, "Laeniel")), ActGroup.FIGHT)

    def test_only_whose_turn_it_is_switches_weapons_and_does_other_tasks(self) -> None:
        table = brawl("Laeniel")
        own, others = (labels(RULESET.acts(seen(table, who)), ActGroup.FIGHT) for who in ("Laeniel", "Ug"))

        assert own == [
            "Switch weapon to …",
            "Do something else … (1 action)",
            "Do something else … (the whole turn)",
            "Defenses: always the better defense …",
            "Leave the encounter",
        ]
        assert others == ["Defenses: always the better defense …", "Leave the encounter"]

    def test_the_hidden_start_no_encounter(self) -> None:
        table = rpj_table()
        ogre = table.named("Ogre")
        table.scene = table.scene.with_character(replace(ogre, is_hidden=True))

        assert labels(RULESET.acts(seen(table, "Ogre")), ActGroup.FIGHT) == []
        offered = RULESET.acts(seen(table, "Ug"))
        assert "Ogre" not in [choice.label for act in offered for choice in act.do.choices]


class TestHealth:
    def test_friends_are_treated_and_helped_but_never_foes(self) -> None:
        table = rpj_table()
        for name in ("Laeniel", "Ogre"):
            table.change(name, health=RpjHealth(out=Out.INCAPACITATED))
        table.change("Ug", belongings=("bandages",))
        scene = seen(table, "Ug")
        acts = RULESET.acts(scene)

        assert labels(acts, ActGroup.REST)[0] == "Help up … (1 minute)"
        assert [choice.label for choice in labelled(acts, "Help up").do.choices] == ["Laeniel"]
        assert done(RULESET, scene, labelled(acts, "Help up"), str(table.ids["Laeniel"])).rolls

    def test_a_lucky_break_after_failed_treatment_treats_again(self) -> None:
        table = rpj_table()
        table.change("Laeniel", health=RpjHealth(out=Out.KNOCKED_OUT))
        table.change("Ug", belongings=("bandages",))
        rescue = table.do("Ug", "fight.treat_outside", "d6:3 d6:5", target="Laeniel").follow_ups

        assert {button.procedure for button in rescue} == {"fight.treat_outside"}


class TestSpendingAndGrowing:
    def test_a_flashback_says_what_it_costs_and_why_it_cannot_be_had(self) -> None:
        table = rpj_table()
        laeniel = table.named("Laeniel")
        flashback = labelled(RULESET.acts(seen(table, "Laeniel")), "Flashback")
        table.scene = table.scene.with_character(laeniel.with_resource("lucky_breaks", 0))
        without = labelled(RULESET.acts(seen(table, "Laeniel")), "Flashback")

        assert flashback.why_not == ""
        assert "you have 0" in without.why_not

    def test_the_next_level_is_bought_at_the_price_told(self) -> None:
        table = rpj_table()
        table.change("Laeniel", available_points=5)
        scene = seen(table, "Laeniel")
        raised = labelled(RULESET.acts(scene), "Archery 4 → 5")
        after = done(RULESET, scene, raised).scene.character(scene.actor_id)

        assert raised.do.label == "Archery 4 → 5 · 5 points"
        assert after.sheet.available_points == 0
        assert after.sheet.own_skill("archery").base == 5

    def test_what_costs_too_much_is_shown_with_the_reason_at_most_twice(self) -> None:
        table = rpj_table()
        table.change("Laeniel", available_points=0)
        too_dear = [act for act in RULESET.acts(seen(table, "Laeniel")) if act.group is ActGroup.GROW]

        assert [act.why_not for act in too_dear] == ["You have 0 points to spend."] * 2

    def test_goods_that_can_be_paid_for_are_for_sale(self) -> None:
        table = rpj_table(FANTASY.model_copy(update={"money": True}))
        ug = table.named("Ug")
        table.scene = table.scene.with_character(ug.with_resource("coin", 3))
        scene = seen(table, "Ug")
        buy = labelled(RULESET.acts(scene), "Buy …")

        assert {choice.note for choice in buy.do.choices} <= {"0 Coin", "1 Coin", "3 Coin"}
        assert done(RULESET, scene, buy, buy.do.choices[0].value).follow_ups

    def test_nothing_of_a_pack_is_offered_while_it_is_off(self) -> None:
        procedures = {act.do.procedure for act in RULESET.acts(seen(rpj_table(), "Laeniel"))}

        assert procedures.isdisjoint(
            {"buy", "give", "hand", "put", "cast", "use_ability", "concentrate", "fire.give", "fire.swap"}
        )
