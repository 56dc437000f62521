"""What a character of RPJ Core can do now, as the sheet offers it, done through the procedures."""

from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.rules.kernel.procedures import Act, ActGroup
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.belongings import everything, items_of
from bot.rules.rpj.character.sheet import Outcome, RpjSheet, figure_in
from bot.rules.rpj.character_points import raise_attribute, raise_skill, take_trait
from bot.rules.rpj.combat.combatant import RpjTurn
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.game_parts.acts import AbleSkills
from bot.rules.rpj.module.basics import RpjAttribute, triangle
from bot.rules.rpj.module.defense_layers import Layer, Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.module_files import RpjSettings, Shipped, module_in
from bot.rules.rpj.module.possessions import RpjPlace
from bot.rules.rpj.trading import goods
from bot.rules.rpj.ways_to_join import ready_made
from bot.rules.shared.encounters import fight_of
from bot.rules.shared.offering import is_allowed
from tests.rules.offers import (
    SteadyDice,
    Step,
    acts_of,
    check_every_act,
    check_menus,
    do_act,
    labels_in,
    only_act,
)
from tests.rules.rpj.combat.played.brawl import SCALED, brawl, shootout
from tests.rules.rpj.people import FANTASY as FANTASY_MODULE
from tests.rules.rpj.people import known, module_with, sheet, with_trait
from tests.rules.rpj.table import FANTASY, LAENIEL, GameTable, breaks, rpj_table
from tests.rules.rpj.test_casting import UG as CAVE_MAGE
from tests.rules.rpj.test_wild_magic import FLORA

WRITTEN = {
    "question": "Is there a window?",
    "skill": "Perception",
    "how": "look around",
    "words": "I packed a rope",
    "name": "Stone skin",
    "saves": "5 6",
    "coin": "1",
    "item": "dagger",
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


def offered(table: GameTable, who: str) -> tuple[Act, ...]:
    """What somebody's sheet offers."""
    return acts_of(RULESET, table.scene, table.ids[who])


def do(table: GameTable, who: str, act: Act, choose: str = "", **options: Any) -> Outcome:
    """What comes of an act, with something chosen or set."""
    chosen = {act.do.chosen: choose} if choose else {}
    return cast(
        "Outcome", do_act(RULESET, table.scene, table.ids[who], act, SteadyDice(1), **chosen, **options)
    )


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
        check_every_act(RULESET, table.scene, table.ids[name], written)

    table.do(names[0], "encounter.start", others=(names[1], "Ogre"))
    for name in names:
        check_every_act(RULESET, table.scene, table.ids[name], written)

    table.do("GM", "encounter.order", characters=(*names, "Ogre"))
    table.do("GM", "encounter.next")
    for name in names:
        check_every_act(RULESET, table.scene, table.ids[name], written)


def test_everything_offered_in_a_shootout_can_be_done() -> None:
    table = shootout()

    for name in ("Laeniel", "Ug"):
        check_every_act(RULESET, table.scene, table.ids[name], WRITTEN)


MENUS = Path(__file__).parents[1] / "menus.toml"


def evening() -> dict[str, Step]:
    """What the file of menus follows: somebody who can do everything, a brawl and a shootout."""
    permit = {"type": "attribute_raise_permit", "attribute": "CHA"}
    own = RpjSettings.model_validate({"module": "own", **ALL_PACKS})
    ug = {**FLORA.model_dump(), "available_points": 6, "belongings": ("dagger", "leather", "bandages")}
    ug |= {"skills": (*FLORA.skills, *CAVE_MAGE.skills), "traits": [{"trait": "talented"}]}
    able = {"Laeniel": LAENIEL, "Ug": RpjSheet.model_validate(ug)}
    quiet = rpj_table(own.with_module(with_trait("talented", permit)), able)
    melee, guns = brawl(settings=FANTASY.model_copy(update={"conditions": True})), shootout(settings=SCALED)
    layer = Layer.fresh("own ward", "Ward", LayerKind.ABILITY, (5, 6))
    hurt = RpjHealth(lost_base=(7, 7), layers=(layer,))

    def seen(table: GameTable, who: str, *steps: Any) -> Step:
        def step() -> tuple[Any, Any]:
            for one in steps:
                one()
            return table.scene, table.ids[who]

        return step

    def has(**left: int) -> None:
        for key, count in left.items():
            quiet.scene = quiet.scene.with_character(quiet.named("Ug").with_resource(key, count))

    return {
        "at first": seen(quiet, "Ug"),
        "with money, beside somebody weak": seen(
            quiet,
            "Ug",
            lambda: has(coin=12, wealth=1),
            lambda: quiet.change("Laeniel", health=RpjHealth(is_weak=True)),
        ),
        "hurt, in a net, with Lucky Breaks lost": seen(
            quiet,
            "Ug",
            lambda: quiet.change("Ug", health=hurt, lucky_breaks_lost=1),
            lambda: has(lucky_breaks=1),
            lambda: quiet.do("GM", "condition.add", target="Ug", name="In a Net", surely=True),
        ),
        "out of action": seen(
            quiet, "Ug", lambda: quiet.change("Ug", health=RpjHealth(out=Out.INCAPACITATED))
        ),
        "on the own turn in a brawl": seen(melee, "Laeniel"),
        "after an attack": seen(
            melee, "Laeniel", lambda: melee.do("Laeniel", "fight.attack", "d6:1 d6:1", target="Ogre")
        ),
        "with one action left": seen(
            melee, "Laeniel", lambda: melee.do("Laeniel", "fight.task", what="shouts")
        ),
        "in somebody else's turn": seen(melee, "Laeniel", lambda: melee.do("GM", "encounter.next")),
        "on the foe's turn": seen(melee, "Ogre", lambda: melee.do("GM", "encounter.next")),
        "on the own turn in a shootout": seen(guns, "Laeniel"),
        "behind cover": seen(
            guns, "Laeniel", lambda: guns.do("GM", "fire.cover", what="+4/1f", behind="Laeniel")
        ),
    }


def test_the_menus_of_an_evening_are_as_approved() -> None:
    check_menus(MENUS, RULESET, evening())


class TestMagic:
    def test_everything_offered_to_mages_can_be_done(self) -> None:
        people = {"Laeniel": CAVE_MAGE, "Ug": FLORA}
        table = rpj_table(FANTASY, people, **ALL_PACKS)
        table.do("GM", "condition.add", target="Ug", name="In a Net", surely=True)

        found = check_every_act(RULESET, table.scene, table.ids["Laeniel"], WRITTEN)
        found |= check_every_act(RULESET, table.scene, table.ids["Ug"], WRITTEN)

        assert found >= {"build", "cast", "concentrate", "condition.escape", "prepare", "use_ability"}

        table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
        table.do("GM", "encounter.order", characters=("Laeniel", "Ug", "Ogre"))
        table.do("GM", "encounter.next")
        for name in ("Laeniel", "Ug"):
            found = check_every_act(RULESET, table.scene, table.ids[name], WRITTEN)
            assert not found & {"cast", "use_ability", "concentrate"}

    @pytest.mark.parametrize(
        ("who", "begins", "label", "others"),
        [
            ("Laeniel", "Cast Pelt", "Cast Pelt · 1st-level spell slot", ["Ogre", "Ug"]),
            ("Ug", "Fireball", "Fireball · 7 stamina", ["Ogre", "Laeniel"]),
            ("Ug", "Warm hands", "Warm hands · 0 stamina", []),
        ],
    )
    def test_a_spell_or_ability_at_somebody_offers_everybody_else_foes_first(
        self, who: str, begins: str, label: str, others: list[str]
    ) -> None:
        people = {"Laeniel": CAVE_MAGE, "Ug": FLORA}
        table = rpj_table(FANTASY, people, structured_magic=True, wild_magic=True)

        def found() -> list[tuple[str, list[str]]]:
            acts = [act.do for act in offered(table, who) if act.do.label.startswith(begins)]
            return [(do.label, [choice.label for choice in do.choices]) for do in acts]

        assert found() == [(f"{label} at …" if others else label, others)]
        for name in others:
            table.scene = table.scene.with_character(replace(table.named(name), is_hidden=True))
        assert found() == [(label, [])]

    def test_a_spell_without_a_slot_says_why(self) -> None:
        table = rpj_table(FANTASY, {"Ug": CAVE_MAGE}, structured_magic=True)
        for slot in (3, 3, None, None, None):
            table.do("Ug", "cast", spell="landslide", slot=slot)
        unable = [act for act in offered(table, "Ug") if act.do.procedure == "cast" and act.why_not]
        spell = only_act(offered(table, "Ug"), "Cast Landslide")

        assert len(unable) == 2
        assert spell.why_not.startswith("You have no slot ready for Landslide.")


class TestChecks:
    def test_the_best_skill_of_ones_own_is_offered_first(self) -> None:
        table = rpj_table()
        acts = offered(table, "Laeniel")

        assert labels_in(acts, ActGroup.CHECK)[:3] == ["Concealment +7", "Archery +6", "Crafting (Wood) +4"]

    def test_the_difficulty_and_a_bonus_can_be_set_before_a_check(self) -> None:
        table = rpj_table()
        archery = only_act(offered(table, "Laeniel"), "Archery +")
        roll = do(table, "Laeniel", archery, harder=3, bonus=-2).rolls[0]

        assert set(archery.adjusts) == {"harder", "bonus", "fit", "lucky_break"}
        assert roll.against == "10+"
        assert [(term.label, term.value) for term in roll.terms] == [("Archery", 6), ("penalty", -2)]

    def test_a_lucky_break_before_the_roll_is_offered_only_while_there_is_one(self) -> None:
        table = rpj_table()
        laeniel = table.named("Laeniel")
        table.scene = table.scene.with_character(laeniel.with_resource("lucky_breaks", 0))

        assert breaks(table, "Laeniel") == 0
        assert "lucky_break" not in only_act(offered(table, "Laeniel"), "Archery +").adjusts

    def test_whoever_is_out_of_action_saves_but_checks_no_skill(self) -> None:
        table = rpj_table()
        table.change("Ug", health=RpjHealth(out=Out.INCAPACITATED))
        found = labels_in(offered(table, "Ug"), ActGroup.CHECK)

        assert found[0] == "Save with Strength +4"
        assert not [label for label in found if label.startswith("Blunt Weapons")]

    def test_an_opponent_is_chosen_for_an_opposed_check(self) -> None:
        table = rpj_table()
        acts = offered(table, "Ug")
        opposed = next(act for act in acts if act.do.procedure == "opposed")

        assert [choice.label for choice in opposed.do.choices] == ["Laeniel", "Ogre"]
        assert do(table, "Ug", opposed, str(table.ids["Ogre"])).rolls

    @pytest.mark.parametrize(
        ("out", "checks", "saves"), [(Out.NO, 6, 6), (Out.INCAPACITATED, 0, 6), (Out.KNOCKED_OUT, 0, 6)]
    )
    def test_every_attribute_but_luck_is_checked_and_saved_with(
        self, out: Out, checks: int, saves: int
    ) -> None:
        table = rpj_table()
        table.change("Ug", health=RpjHealth(out=out))
        attributes = [act for act in offered(table, "Ug") if act.do.procedure == "attribute"]
        found = [act.do.label.startswith("Save with ") for act in attributes]

        assert (found.count(False), found.count(True)) == (checks, saves)
        assert not [act for act in attributes if "Luck" in act.do.label]

    @pytest.mark.parametrize(("is_hidden", "helped", "opposed"), [(False, 1, True), (True, 0, False)])
    def test_the_hidden_ask_nobody_for_help_and_oppose_nobody(
        self, is_hidden: bool, helped: int, opposed: bool
    ) -> None:
        table = rpj_table()
        table.scene = table.scene.with_character(replace(table.named("Laeniel"), is_hidden=is_hidden))
        procedures = [act.do.procedure for act in offered(table, "Laeniel")]

        assert procedures.count("assisted") == helped
        assert ("opposed" in procedures) is opposed


class TestFights:
    def test_an_encounter_is_started_with_foes_first(self) -> None:
        table = rpj_table()
        acts = offered(table, "Ug")
        start = only_act(acts, "Start a fight with")
        fight = fight_of(do(table, "Ug", start, str(table.ids["Ogre"])).scene)

        assert [choice.label for choice in start.do.choices] == ["Ogre", "Laeniel"]
        assert fight is not None
        assert fight.names == "Ug, Ogre"

    def test_a_bystander_can_join(self) -> None:
        table = rpj_table()
        table.do("Ug", "encounter.start", others=("Ogre",))

        assert labels_in(offered(table, "Laeniel"), ActGroup.FIGHT) == ["Join the fight"]
        table.scene = do(table, "Laeniel", only_act(offered(table, "Laeniel"), "Join")).scene
        assert "Join the fight" not in labels_in(offered(table, "Laeniel"), ActGroup.FIGHT)

    def test_only_whose_turn_it_is_switches_weapons_and_does_other_tasks(self) -> None:
        table = brawl("Laeniel")
        own, others = (labels_in(offered(table, who), ActGroup.FIGHT) for who in ("Laeniel", "Ug"))

        assert own == [
            "Switch weapon to …",
            "Do something else … (1 action)",
            "Do something else … (the whole turn)",
            "Defenses: always the better defense …",
            "Leave the fight",
        ]
        assert others == ["Defenses: always the better defense …", "Leave the fight"]

    @pytest.mark.parametrize(("who", "told"), [("Laeniel", ["Attack"]), ("Ug", [])])
    def test_an_attack_that_reaches_nobody_is_greyed_only_in_ones_own_turn(
        self, who: str, told: list[str]
    ) -> None:
        table = brawl("Laeniel", together=False)
        stage = Stage.of(table.scene)
        turn = RpjTurn(actions=2)
        table.scene = stage.with_battle(stage.battle.changed(f"c{table.ids['Ug']}", turn=turn)).saved()

        greyed = [act.do.label for act in offered(table, who) if act.why_not and act.group is ActGroup.FIGHT]

        assert greyed == told

    def test_the_hidden_start_no_encounter(self) -> None:
        table = rpj_table()
        ogre = table.named("Ogre")
        table.scene = table.scene.with_character(replace(ogre, is_hidden=True))

        assert labels_in(offered(table, "Ogre"), ActGroup.FIGHT) == []
        found = offered(table, "Ug")
        assert "Ogre" not in [choice.label for act in found for choice in act.do.choices]


class TestHealth:
    def test_friends_are_treated_and_helped_but_never_foes(self) -> None:
        table = rpj_table()
        for name in ("Laeniel", "Ogre"):
            table.change(name, health=RpjHealth(out=Out.INCAPACITATED))
        table.change("Ug", belongings=("bandages",))
        acts = offered(table, "Ug")

        assert labels_in(acts, ActGroup.REST)[0] == "Help up … (1 minute)"
        assert [choice.label for choice in only_act(acts, "Help up").do.choices] == ["Laeniel"]
        assert do(table, "Ug", only_act(acts, "Help up"), str(table.ids["Laeniel"])).rolls

    @pytest.mark.parametrize(("hours", "label"), [(1, "Treat … (1 hour)"), (2, "Treat … (2 hours)")])
    def test_treatment_is_offered_with_the_time_it_takes(self, hours: int, label: str) -> None:
        combat = {**FANTASY_MODULE.model_dump(mode="json")["combat"], "treat_hours": hours}
        settings = RpjSettings.model_validate({"module": "own"}).with_module(module_with(combat=combat))
        table = rpj_table(settings)
        table.change("Laeniel", health=RpjHealth(is_weak=True))
        table.change("Ug", belongings=("bandages",))

        assert labels_in(offered(table, "Ug"), ActGroup.REST) == [label]

    def test_a_lucky_break_after_failed_treatment_treats_again(self) -> None:
        table = rpj_table()
        table.change("Laeniel", health=RpjHealth(out=Out.KNOCKED_OUT))
        table.change("Ug", belongings=("bandages",))
        rescue = table.do("Ug", "fight.treat_outside", "d6:3 d6:5", target="Laeniel").follow_ups

        assert {button.procedure for button in rescue} == {"fight.treat_outside"}
        assert table.scene.clock == table.press("Ug", rescue[0], "d6:6").scene.clock


@pytest.mark.rule("RPJ-SKILL-07", "RPJ-TRAIT-06")
@pytest.mark.parametrize(("base", "learned", "other"), [(0, False, True), (1, True, False), (2, True, False)])
def test_a_skill_is_offered_as_ones_own_from_its_first_level_on(
    base: int, learned: bool, other: bool
) -> None:
    ug = sheet("CHA 2", skills=[known("diplomacy", base, linked="CHA")], traits=["haggler"])
    table = rpj_table(players={"Ug": ug})
    able = AbleSkills(replace(table.scene, actor_id=table.ids["Ug"]))

    found = [{skill.id for skill, _words in able.find(is_learned=asked)} for asked in (True, False, None)]
    labels = [act.do.label for act in offered(table, "Ug") if "negotiating prices" in act.do.label]

    assert [("diplomacy" in skills) for skills in found] == [learned, other, True]
    assert labels == ([f"Diplomacy +{base + 1}: negotiating prices"] if learned else [])


def option(act: Act, name: str) -> Any:
    """An option of what an act does."""
    return getattr(act.do.options, name)


def values(acts: tuple[Act, ...], procedure: str, field: str) -> set[str]:
    """What is offered with a procedure: the entries of its menus, or one option of its buttons."""
    found: set[str] = set()
    for act in acts:
        if act.do.procedure == procedure and not act.why_not:
            entries = [choice.value for choice in act.do.choices] if act.do.chosen == field else []
            found |= set(entries or [str(getattr(act.do.options, field))])
    return found


class TestOffersAreWhatIsAllowed:
    """Everything that is not offered is refused, and the other way round."""

    @pytest.mark.rule("RPJ-CHAR-14", "RPJ-CHAR-16", "RPJ-CHAR-18", "RPJ-CHAR-19")
    @pytest.mark.parametrize("points", [0, 1, 3, 5, 7, 30])
    @pytest.mark.parametrize("blocked", [(), ("archery", "alchemy")])
    def test_what_can_be_bought_with_the_points_left_is_offered(
        self, points: int, blocked: tuple[str, ...]
    ) -> None:
        table = rpj_table(FANTASY, blocked_skills=blocked)
        table.change("Laeniel", available_points=points, traits=[{"trait": "slow_to_react"}])
        figure = figure_in(table.scene, table.named("Laeniel"))
        acts = offered(table, "Laeniel")
        own = {one.skill: one.base for one in figure.sheet.skills}

        skills = figure.module.skills
        assert values(acts, "improve_attribute", "attribute") == {
            one for one in RpjAttribute if is_allowed(partial(raise_attribute, figure, one, has_leave=True))
        }
        assert values(acts, "improve_trait", "trait") == {
            one.id
            for one in figure.module.traits
            if one.cost > 0
            and not one.comes_with_class
            and is_allowed(partial(take_trait, figure, one.id, has_leave=True))
        }
        assert values(acts, "drop_trait", "trait") == ({"slow_to_react"} if points >= 3 else set())
        raised = {
            option(act, "skill"): option(act, "level")
            for act in acts
            if act.do.procedure == "improve_skill" and not act.do.choices and not act.why_not
        }
        assert raised == {
            one.id: own[one.id] + 1
            for one in skills
            if one.id in own
            and is_allowed(partial(raise_skill, figure, one, own[one.id] + 1, blocked=blocked))
        }
        learned = {
            choice.value.partition(" (")[0]
            for act in acts
            if act.do.procedure == "improve_skill"
            for choice in act.do.choices
        }
        assert learned == {
            one.name
            for one in skills
            if one.id not in own
            and is_allowed(
                partial(
                    raise_skill, figure, one, 1, specialty="Any" if one.has_specialty else "", blocked=blocked
                )
            )
        }

    @pytest.mark.rule("RPJ-INV-05", "RPJ-INV-06", "RPJ-INV-07", "RPJ-INV-08", "RPJ-INV-09")
    @pytest.mark.parametrize(
        "packs", [{"inventory": True}, {"money": True}, {"inventory": True, "money": True}]
    )
    def test_things_go_wherever_the_rules_allow(self, packs: dict[str, Any]) -> None:
        table = rpj_table(FANTASY, **packs)
        table.change("Laeniel", belongings=("bow",))
        table.change(
            "Laeniel",
            possessions=[
                {"item": "dagger", "count": 2},
                {"item": "leather", "place": "carried"},
                {"item": "club", "place": "left behind"},
            ],
        )
        acts = offered(table, "Laeniel")
        things = {"bow", "dagger", "leather", "club"}
        places = {
            (choice.value, option(act, "to"))
            for act in acts
            if act.do.procedure == "put"
            for choice in act.do.choices
        }

        held = {(one.item, one.place) for one in everything(table.named("Laeniel").sheet, FANTASY_MODULE)}
        assert places == {
            (item, place)
            for item in things
            for place in RpjPlace
            if (item, place) not in held and tried(table, "Laeniel", "put", item=item, to=place)
        }
        assert values(acts, "drop", "item") == things
        hands = {
            (choice.value, int(option(act, "target")))
            for act in acts
            if act.do.procedure == "hand"
            for choice in act.do.choices
        }
        assert hands == {
            (item, int(table.ids[to]))
            for item in things
            for to in ("Ug", "Ogre")
            if tried(table, "Laeniel", "hand", item=item, target=to)
        }

    @pytest.mark.rule("RPJ-MONEY-03", "RPJ-MONEY-14", "RPJ-MONEY-15", "RPJ-MONEY-16", "RPJ-MONEY-17")
    @pytest.mark.parametrize("coin", [0, 1, 5, 6, 9, 10, 11])
    @pytest.mark.parametrize("wealth", [0, 1])
    def test_money_can_be_spent_on_what_it_is_enough_for(self, coin: int, wealth: int) -> None:
        table = rpj_table(FANTASY, money=True)
        ug = table.named("Ug").with_resource("coin", coin).with_resource("wealth", wealth)
        table.scene = table.scene.with_character(ug)
        acts = offered(table, "Ug")
        found = {act.do.procedure for act in acts if not act.why_not}

        assert ("give" in found) is (coin > 0)
        assert ("wealth" in found) is (coin >= 10)
        assert ("want_to_burn" in found) is (wealth > 0)
        assert ("earmark" in found) is (wealth > 0)
        rarities = {item.id: item.rarity.step for item in goods(FANTASY_MODULE) if item.rarity}
        cheap = {id_ for id_, step in rarities.items() if triangle(step) <= coin}
        assert (values(acts, "buy", "item") if cheap else set()) == cheap

    @pytest.mark.rule("RPJ-SMAG-03", "RPJ-SMAG-15", "RPJ-WMAG-08", "RPJ-WMAG-18")
    @pytest.mark.parametrize("strained", [False, True])
    @pytest.mark.parametrize("out", [Out.NO, Out.INCAPACITATED])
    def test_magic_is_offered_to_those_who_can_do_it(self, out: Out, strained: bool) -> None:
        people = {"Laeniel": CAVE_MAGE, "Ug": FLORA}
        table = rpj_table(FANTASY, people, structured_magic=True, wild_magic=True)
        for name in people:
            table.change(name, health=RpjHealth(out=out), wild={"is_strained": strained})
        mage, flora = ({act.do.procedure for act in offered(table, name)} for name in people)
        is_able = out is Out.NO

        assert ({"cast", "prepare", "concentrate"} <= mage) is is_able
        assert mage.isdisjoint({"cast", "prepare", "concentrate"}) is not is_able
        assert ("use_ability" in flora) is (is_able and not strained)
        assert ("build" in flora) is is_able
        assert ("strain" in flora) is strained
        if is_able:
            table.do("Laeniel", "concentrate")
            assert "concentrate" not in {act.do.procedure for act in offered(table, "Laeniel")}

    @pytest.mark.rule("RPJ-FIRE-06", "RPJ-FIRE-07")
    def test_ammunition_is_swapped_and_given_where_the_rules_allow(self) -> None:
        table = shootout()
        acts = offered(table, "Laeniel")
        pairs = {
            (option(act, "one"), choice.value)
            for act in acts
            if act.do.procedure == "fire.swap"
            for choice in act.do.choices
        }
        gifts = {
            (option(act, "weapon"), int(choice.value))
            for act in acts
            if act.do.procedure == "fire.give"
            for choice in act.do.choices
        }
        weapons = ("pistol", "rifle", "rocket_launcher")

        assert pairs == {
            (one, other)
            for one in weapons
            for other in weapons
            if one < other and tried(table, "Laeniel", "fire.swap", one=one, other=other)
        }
        assert gifts == {
            (weapon, int(table.ids[to]))
            for weapon in weapons
            for to in ("Ug", "Ogre")
            if tried(table, "Laeniel", "fire.give", weapon=weapon, to=to)
        }


def tried(table: GameTable, who: str, procedure: str, **options: Any) -> bool:
    """Whether something can be done now; it is not."""
    before = table.scene
    try:
        table.play(who, procedure, options, SteadyDice(1))
    except UserError:
        return False
    finally:
        table.scene = before
    return True


class TestSpendingAndGrowing:
    def test_a_flashback_says_what_it_costs_and_why_it_cannot_be_had(self) -> None:
        table = rpj_table()
        laeniel = table.named("Laeniel")
        flashback = only_act(offered(table, "Laeniel"), "Flashback")
        table.scene = table.scene.with_character(laeniel.with_resource("lucky_breaks", 0))
        without = only_act(offered(table, "Laeniel"), "Flashback")

        assert flashback.why_not == ""
        assert "you have 0" in without.why_not

    @pytest.mark.rule("RPJ-LUCK-04")
    @pytest.mark.parametrize(
        ("who", "is_hidden", "is_offered"),
        [("Ug", False, True), ("Ug", True, False), ("Ogre", False, False), ("Ogre", True, False)],
    )
    def test_only_players_characters_in_sight_have_flashbacks(
        self, who: str, is_hidden: bool, is_offered: bool
    ) -> None:
        table = rpj_table()
        table.scene = table.scene.with_character(replace(table.named(who), is_hidden=is_hidden))

        assert ("flashback" in {act.do.procedure for act in offered(table, who)}) is is_offered

    @pytest.mark.rule("RPJ-LUCK-04")
    @pytest.mark.parametrize(
        ("cost", "label"),
        [
            (1, "Flashback: 1 Lucky Break · 3 left (GM) …"),
            (2, "Flashback: 2 Lucky Breaks · 3 left (GM) …"),
            (3, "Flashback: 3 Lucky Breaks · 3 left (GM) …"),
        ],
    )
    def test_a_flashback_costs_what_the_module_says(self, cost: int, label: str) -> None:
        luck = {**FANTASY_MODULE.luck.model_dump(), "flashback_cost": cost}
        settings = RpjSettings(module="own").with_module(module_with(luck=luck))

        assert only_act(offered(rpj_table(settings), "Laeniel"), "Flashback").do.label == label

    def test_the_next_level_is_bought_at_the_price_told(self) -> None:
        table = rpj_table()
        table.change("Laeniel", available_points=5)
        raised = only_act(offered(table, "Laeniel"), "Archery 4 → 5")
        after = do(table, "Laeniel", raised).scene.character(table.ids["Laeniel"])

        assert raised.do.label == "Archery 4 → 5 · 5 points"
        assert after.sheet.available_points == 0
        assert [skill.base for skill in after.sheet.skills if skill.skill == "archery"] == [5]

    def test_what_costs_too_much_is_shown_with_the_reason_at_most_twice(self) -> None:
        table = rpj_table()
        table.change("Laeniel", available_points=0)
        too_dear = [act for act in offered(table, "Laeniel") if act.group is ActGroup.GROW]

        assert [act.why_not for act in too_dear] == ["You have 0 points to spend."] * 2

    def test_goods_that_can_be_paid_for_are_for_sale(self) -> None:
        table = rpj_table(FANTASY.model_copy(update={"money": True}))
        ug = table.named("Ug")
        table.scene = table.scene.with_character(ug.with_resource("coin", 3))
        buy = only_act(offered(table, "Ug"), "Buy …")

        assert {choice.note for choice in buy.do.choices} <= {"0 Coin", "1 Coin", "3 Coin"}
        assert do(table, "Ug", buy, buy.do.choices[0].value).follow_ups

    @pytest.mark.parametrize(
        ("pack", "own", "procedures"),
        [
            ("money", LAENIEL, {"buy", "give", "hand", "put"}),
            ("inventory", LAENIEL, {"hand", "put"}),
            ("structured_magic", CAVE_MAGE, {"cast", "prepare", "concentrate"}),
            ("wild_magic", FLORA, {"use_ability", "build"}),
        ],
    )
    def test_what_a_pack_adds_is_offered_while_it_is_on_to_those_who_can_do_it(
        self, pack: str, own: RpjSheet, procedures: set[str]
    ) -> None:
        magic = {"cast", "prepare", "concentrate", "use_ability", "build"}
        added = {"buy", "give", "hand", "put", "fire.give", "fire.swap", *magic}
        plain = sheet("STR 2 CON 2")

        def found(who: RpjSheet, *, is_on: bool) -> set[str]:
            people = {"Ug": who.model_copy(update={"belongings": ("bow",)}), "Laeniel": plain}
            table = rpj_table(FANTASY, people, **{**dict.fromkeys(ALL_PACKS, False), pack: is_on})
            table.scene = table.scene.with_character(table.named("Ug").with_resource("coin", 20))
            return {act.do.procedure for act in offered(table, "Ug")} & added

        assert found(own, is_on=True) == procedures
        assert found(own, is_on=False) == set()
        assert found(plain, is_on=True) == (procedures if own is LAENIEL else set())
