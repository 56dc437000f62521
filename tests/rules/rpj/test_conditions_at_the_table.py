"""Conditions at the table: how they come, what they do to rolls, and the ways out."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.kernel import CharacterId, Outcome, evolve
from bot.rules.kernel.procedures import ActGroup
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.incapacity import CONDITION, suffered_by
from bot.rules.rpj.conditions import RpjMakeOptions, made_up
from bot.rules.rpj.game_parts.rpj_gm import SUGGESTION_LISTS
from bot.rules.rpj.game_parts.sheet_text import pack_sections
from bot.rules.rpj.module.effects import RollBonus
from bot.rules.rpj.module.module_files import RpjSettings
from tests.rules.offers import acts_of, labels_in
from tests.rules.rpj.combat.battles import GOBLIN
from tests.rules.rpj.combat.played.brawl import brawl
from tests.rules.rpj.people import FANTASY as FANTASY_MODULE
from tests.rules.rpj.table import FANTASY, GameTable, breaks, d6, labels, others, rpj_table


def sickbed() -> GameTable:
    """A table that plays with conditions."""
    return rpj_table(conditions=True)


def terms(outcome: Outcome) -> list[tuple[str, int]]:
    """What was added to the first roll."""
    return [(term.label, term.value) for term in outcome.rolls[0].terms]


def has(table: GameTable, name: str) -> list[str]:
    """The conditions of somebody, by name."""
    return [one.condition.name for one in suffered_by(table.named(name))]


def give(table: GameTable, target: str, name: str) -> Outcome:
    """A condition takes hold at once."""
    return table.do("GM", "condition.add", target=target, name=name, surely=True)


def after(table: GameTable, minutes: int) -> None:
    """The clock moves on, without anything that falls due."""
    table.scene = replace(table.scene, clock=table.scene.clock + 60 * minutes)


@pytest.mark.rule("RPJ-COND-01")
class TestHavingConditions:
    def test_giving_a_condition_says_what_it_does_and_how_to_end_it(self) -> None:
        table = sickbed()
        given = give(table, "Ug", "the flu")
        assert given.headline == "gives Ug The Flu"
        assert given.notes == (
            "The Flu: −2 to skill, melee attack, ranged attack.",
            "How to end it: resist CON 9+; recover CON 9+, 4 successes, one roll every 12 h.",
        )
        assert has(table, "Ug") == ["The Flu"]

    @pytest.mark.parametrize(("turn_of", "is_fresh"), [("Ogre", True), ("Laeniel", False)])
    def test_each_condition_given_in_ones_own_turn_is_fresh(self, turn_of: str, is_fresh: bool) -> None:
        table = brawl(turn_of, settings=FANTASY.model_copy(update={"conditions": True}))
        for name in ("The Flu", "Poisoned", "Bound"):
            give(table, "Ogre", name)

        assert has(table, "Ogre") == ["The Flu", "Poisoned", "Bound"]
        assert [one.is_fresh for one in suffered_by(table.named("Ogre"))] == [is_fresh] * 3

    @pytest.mark.rule("RPJ-COND-03")
    def test_a_condition_deals_its_own_damage_to_an_npc_when_its_turn_ends(self) -> None:
        table = brawl(settings=FANTASY.model_copy(update={"conditions": True}))
        give(table, "Ogre", "Poisoned")
        for _ in range(2):
            table.do("GM", "encounter.next")

        done = table.do("GM", "encounter.next", d6("4 4"))

        assert [roll.against for roll in done.rolls] == ["9+"]

    @pytest.mark.rule("RPJ-COND-03", "RPJ-GCS-46")
    def test_conditions_deal_no_damage_to_a_character_who_fights_as_a_mook(self) -> None:
        table = rpj_table(conditions=True)
        give(table, "Ogre", "Poisoned")
        table.change("Ogre", mook=GOBLIN)
        table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
        table.do("GM", "encounter.order", characters=("Laeniel", "Ug"))

        rolls = [table.do("GM", "encounter.next").rolls for _ in range(4)]

        assert rolls == [(), (), (), ()]

    def test_a_condition_counts_once_and_different_conditions_add_up(self) -> None:
        table = sickbed()
        give(table, "Ug", "the flu")
        give(table, "Ug", "the flu")
        table.do("GM", "condition.make", target="Ug", name="Gloom", checks=-1)
        assert has(table, "Ug") == ["The Flu", "Gloom"]
        rolled = table.do("Ug", "check", d6("4 3"), skill="Intimidate")
        assert terms(rolled) == [("Intimidate", 4), ("The Flu", -2), ("Gloom", -1)]

    def test_the_sheet_lists_conditions_with_their_category_and_how_to_end_them(self) -> None:
        table = sickbed()
        for name in ("Bound", "Snow Blindness", "Poisoned"):
            give(table, "Ug", name)
        shown = table.do("Ug", "condition.look")
        assert [line.split(":")[0] for line in shown.notes] == [
            "Snow Blindness (hindrance)",
            "Poisoned (harm)",
            "Bound (immobilization)",
        ]
        assert shown.notes[2].endswith("to end it: escape Athleticism, Open Lock 11+")
        settings = table.scene.settings
        assert isinstance(settings, RpjSettings)
        sections = {one.title: one.lines for one in pack_sections(table.named("Ug"), settings)}
        assert sections["Conditions"] == shown.notes

    def test_the_gm_can_remove_a_condition(self) -> None:
        table = sickbed()
        give(table, "Ug", "Poisoned")
        assert CONDITION in table.named("Ug").timers
        freed = table.do("GM", "condition.remove", target="Ug", name="poisoned")
        assert freed.headline == "removes Ug's condition Poisoned"
        assert (has(table, "Ug"), CONDITION in table.named("Ug").timers) == ([], False)
        refused = table.refused("GM", "condition.remove", target="Ug", name="poisoned")
        assert refused.what == "Ug doesn't have “poisoned”."

    def test_conditions_are_refused_and_hidden_where_the_campaign_does_not_use_them(self) -> None:
        table = rpj_table()
        refused = table.refused("GM", "condition.add", target="Ug", name="The Flu")
        assert refused.what == "This campaign doesn't use Conditions."
        settings = table.scene.settings
        assert isinstance(settings, RpjSettings)
        assert SUGGESTION_LISTS["known condition"](None, settings) == []
        assert SUGGESTION_LISTS["own condition"](table.named("Ug"), settings) == []

    def test_switching_conditions_off_ends_their_effects(self) -> None:
        table = sickbed()
        give(table, "Ug", "The Flu")
        table.settings(conditions=False)
        assert terms(table.do("Ug", "check", d6("4 3"), skill="Intimidate")) == [("Intimidate", 4)]

    def test_an_unknown_condition_is_refused_with_a_list_of_known_ones(self) -> None:
        refused = sickbed().refused("GM", "condition.add", target="Ug", name="Vertigo")
        assert refused.what == "This campaign has no condition “Vertigo”."
        assert "The Flu" in refused.allowed


@pytest.mark.rule("RPJ-COND-02")
class TestHindrancesAtTheTable:
    def test_a_hindrance_to_skills_does_not_affect_saving_throws(self) -> None:
        table = sickbed()
        give(table, "Ug", "The Flu")
        saved = table.do("Ug", "attribute", d6("4 3"), attribute="CON", rolled="saving throw")
        assert terms(saved) == [("Constitution", 5)]

    def test_a_hindrance_to_all_checks_affects_saving_throws(self) -> None:
        table = sickbed()
        table.do("GM", "condition.make", target="Ug", name="Gloom", checks=-1)
        saved = table.do("Ug", "attribute", d6("4 3"), attribute="CON", rolled="saving throw")
        assert terms(saved) == [("Constitution", 5), ("Gloom", -1)]

    def test_a_check_that_a_condition_prevents_is_refused_naming_the_condition(self) -> None:
        table = sickbed()
        give(table, "Ug", "Bound")
        refused = table.refused("Ug", "check", skill="Open Lock")
        assert refused.what == "Bound prevents hands."
        table.do("GM", "condition.make", target="Laeniel", name="Gag", forbids="speech")
        assert table.refused("Laeniel", "check", skill="Diplomacy").what == "Gag prevents speech."

    def test_a_blinded_character_can_still_talk(self) -> None:
        table = sickbed()
        give(table, "Ug", "Snow Blindness")
        assert table.do("Ug", "check", d6("4 3"), skill="Diplomacy").verdict is not None

    def test_a_condition_that_prevents_something_unknown_is_refused(self) -> None:
        refused = sickbed().refused("GM", "condition.make", target="Ug", name="Odd", forbids="sight, joy")
        assert refused.what == "A condition can't prevent “joy”."


@pytest.mark.rule("RPJ-COND-04")
class TestImmobilizationAtTheTable:
    def test_a_sleeping_character_cannot_do_anything(self) -> None:
        table = sickbed()
        give(table, "Ug", "Sleeping Powder")
        refused = table.refused("Ug", "check", skill="Diplomacy")
        assert refused.what == "Sleeping Powder: you can't do anything."

    def test_a_bound_character_can_still_talk(self) -> None:
        table = sickbed()
        give(table, "Ug", "Bound")
        assert table.do("Ug", "check", d6("4 3"), skill="Diplomacy").verdict is not None


@pytest.mark.rule("RPJ-COND-05")
class TestResistingConditions:
    def test_a_successful_saving_throw_keeps_a_condition_away(self) -> None:
        table = sickbed()
        asked = table.do("GM", "condition.add", target="Laeniel", name="Poisoned")
        assert asked.headline == "threatens Laeniel with Poisoned"
        assert labels(asked) == ["Laeniel: resist against 10+ · 58%", "Apply without a roll (GM)"]
        assert has(table, "Laeniel") == []
        saved = table.press("Laeniel", asked.follow_ups[0], d6("4 3"))
        assert saved.verdict is not None
        assert (saved.verdict.title, saved.rolls[0].total) == ("resisted", 10)
        assert has(table, "Laeniel") == []

    def test_a_failed_saving_throw_gives_a_condition_and_a_lucky_break_removes_it(self) -> None:
        table = sickbed()
        asked = table.do("GM", "condition.add", target="Laeniel", name="Poisoned")
        failed = table.press("Laeniel", asked.follow_ups[0], d6("3 3"))
        assert failed.verdict is not None
        assert failed.verdict.title == "has Poisoned"
        assert has(table, "Laeniel") == ["Poisoned"]
        assert failed.paid is not None
        table.scene = failed.paid  # a rewind leaves what was paid
        turned = table.press("Laeniel", failed.follow_ups[0], d6("6"))
        assert turned.verdict is not None
        assert (turned.verdict.title, has(table, "Laeniel")) == ("resisted", [])
        assert breaks(table, "Laeniel") == 2

    @pytest.mark.parametrize(("difficulty", "target"), [(1, "8+"), (6, "13+")])
    def test_the_target_number_to_resist_a_condition_is_7_plus_its_difficulty(
        self, difficulty: int, target: str
    ) -> None:
        table = sickbed()
        asked = table.do(
            "GM",
            "condition.make",
            target="Laeniel",
            name="Dread",
            checks=-1,
            resist="CON",
            resist_difficulty=difficulty,
        )
        saved = table.press("Laeniel", asked.follow_ups[0], d6("4 3"))

        assert saved.rolls[0].against == target
        assert has(table, "Laeniel") == ([] if difficulty == 1 else ["Dread"])

    def test_a_condition_that_cannot_be_resisted_takes_hold_at_once(self) -> None:
        table = sickbed()
        made = table.do("GM", "condition.make", target="Ug", name="Gloom", checks=-1)

        assert (labels(made), has(table, "Ug")) == ([], ["Gloom"])

    def test_a_saving_throw_below_its_target_number_gives_the_condition(self) -> None:
        table = sickbed()
        asked = table.do(
            "GM",
            "condition.make",
            target="Ug",
            name="Dread",
            checks=-1,
            resist="INT",
            resist_difficulty=6,
        )
        assert labels(asked)[0] == "Ug: resist against 13+ · 3%"
        rolled = table.press("Ug", asked.follow_ups[0], d6("5 6"))
        assert has(table, "Ug") == ["Dread"]
        assert rolled.passed is False

    def test_the_gm_can_apply_a_condition_without_a_roll(self) -> None:
        table = sickbed()
        asked = table.do("GM", "condition.add", target="Ug", name="Stuck")
        table.press("GM Ug", asked.follow_ups[1])
        assert has(table, "Ug") == ["Stuck"]


@pytest.mark.rule("RPJ-COND-01")
@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"name": " Rope  Burn "}, {"id": "rope_burn", "name": "Rope Burn"}),
        ({"name": "A", "attacks": -1}, {"bonuses": [("melee attack", -1), ("ranged attack", -1)]}),
        ({"name": "A", "defense": -1}, {"bonuses": [("defense", -1)]}),
        ({"name": "A", "recover": "CON", "hours": 2}, {"minutes": 120}),
        ({"name": "A", "damage": 0, "minutes": 5}, {"ticks": [(5, True, 0)]}),
    ],
)
def test_a_made_up_condition_is_as_written(options: dict[str, Any], found: dict[str, Any]) -> None:
    made = made_up(RpjMakeOptions(target=CharacterId(1), **options), FANTASY_MODULE)

    parts = {
        "id": made.id,
        "name": made.name,
        "bonuses": [(one.on, one.value) for one in made.effects if isinstance(one, RollBonus)],
        "minutes": made.recovery and made.recovery.minutes,
        "ticks": [(one.minutes, one.repeats, one.damage) for one in made.ticks],
    }
    assert {key: parts[key] for key in found} == found


@pytest.mark.rule("RPJ-COND-06")
class TestRecoveringAtTheTable:
    def test_recovery_rolls_wait_for_their_time_and_end_a_condition_step_by_step(self) -> None:
        table = sickbed()
        table.do(
            "GM",
            "condition.make",
            target="Laeniel",
            name="Fever",
            checks=0,
            recover="CHA",
            recover_difficulty=3,
            countdown=2,
            hours=2,
        )
        refused = table.refused("Laeniel", "condition.recover", name="Fever")
        assert refused.what == "Your next roll against Fever is due in 2 h."
        after(table, 120)
        told = []
        for faces in ("4 2", "3 2", "4 4"):
            rolled = table.do("Laeniel", "condition.recover", d6(faces), name="fever")
            told.append((rolled.rolls[0].total, rolled.notes[0]))
            after(table, 120)
        assert told == [
            (10, "Recovered 0 → 1 of 2."),
            (9, "Recovered 1 → 1 of 2."),
            (12, "Fever is over."),
        ]
        assert has(table, "Laeniel") == []

    def test_a_critical_recovery_roll_counts_as_one_success(self) -> None:
        table = sickbed()
        give(table, "Laeniel", "The Flu")
        after(table, 720)
        assert table.do("Laeniel", "condition.recover", d6("6 6"), name="The Flu").notes == (
            "Recovered 0 → 1 of 4.",
        )

    def test_a_lucky_break_turns_a_failed_recovery_roll_into_a_success(self) -> None:
        table = sickbed()
        give(table, "Laeniel", "The Flu")
        after(table, 720)
        failed = table.do("Laeniel", "condition.recover", d6("2 2"), name="The Flu")
        assert failed.paid is not None
        table.scene = failed.paid
        turned = table.press("Laeniel", failed.follow_ups[0], d6("6"))
        assert turned.notes[0] == "Recovered 0 → 1 of 4."


@pytest.mark.rule("RPJ-COND-07")
class TestEscapingAtTheTable:
    @pytest.mark.parametrize(("actions", "words"), [(1, "1 action"), (2, "2 actions")])
    def test_the_sheet_says_how_many_actions_an_escape_takes(self, actions: int, words: str) -> None:
        table = sickbed()
        give(table, "Ug", "In a Net")
        (net,) = suffered_by(table.named("Ug"))
        assert net.condition.escape is not None
        escape = evolve(net.condition.escape, actions=actions)
        table.change("Ug", conditions=(evolve(net, condition=evolve(net.condition, escape=escape)),))
        acts = acts_of(RULESET, table.scene, table.ids["Ug"])
        assert f"Escape In a Net ({words} in a fight)" in labels_in(acts, ActGroup.REST)

    def test_a_successful_escape_ends_a_condition_at_once(self) -> None:
        table = sickbed()
        give(table, "Ug", "In a Net")
        held = table.do("Ug", "condition.escape", d6("5 3"), name="In a Net")
        assert held.verdict is not None
        assert (held.verdict.title, held.rolls[0].against) == ("still has In a Net", "10+")
        freed = table.do("Ug", "condition.escape", d6("5 4"), name="In a Net")
        assert freed.verdict is not None
        assert (freed.verdict.title, freed.headline) == ("free", "tries to escape In a Net with Athleticism")
        assert has(table, "Ug") == []

    def test_an_escape_the_condition_does_not_allow_is_refused(self) -> None:
        table = sickbed()
        give(table, "Ug", "The Flu")
        refused = table.refused("Ug", "condition.escape", name="The Flu", skill="Athleticism")
        assert refused.what == "You can't escape The Flu."
        give(table, "Ug", "Bound")
        wrong = table.refused("Ug", "condition.escape", name="Bound", skill="Diplomacy")
        assert (wrong.what, wrong.allowed) == (
            "That skill doesn't end Bound.",
            "Try athleticism, open lock.",
        )

    def test_a_character_with_bound_hands_cannot_escape_by_picking_the_lock(self) -> None:
        table = sickbed()
        give(table, "Ug", "Bound")
        refused = table.refused("Ug", "condition.escape", name="Bound", skill="Open Lock")
        assert refused.what == "Bound prevents hands."


@pytest.mark.rule("RPJ-COND-08")
class TestWaysOutOfConditions:
    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("Poisoned", "resist CON 10+; recover CON 10+, 2 successes, one roll every 1 min"),
            ("In a Net", "resist DEX 10+; escape Athleticism 10+"),
            ("On Fire", "escape Athleticism, Survival 10+"),
        ],
    )
    def test_a_condition_is_explained_with_every_way_to_end_it(self, name: str, told: str) -> None:
        shown = sickbed().do("GM", "condition.explain", name=name)
        assert shown.notes[-1] == f"How to end it: {told}."

    def test_only_the_gm_ends_a_condition_that_has_no_way_out(self) -> None:
        made = sickbed().do("GM", "condition.make", target="Ug", name="Curse", checks=-1)
        assert made.notes[-1] == "How to end it: GM only."

    def test_every_shipped_condition_is_suggested_where_conditions_are_used(self) -> None:
        table = sickbed()
        settings = table.scene.settings
        assert isinstance(settings, RpjSettings)
        assert len(SUGGESTION_LISTS["known condition"](None, settings)) == 8
        assert "known condition" in RULESET.suggestions

    def test_the_conditions_of_a_character_are_suggested_where_conditions_are_used(self) -> None:
        table = sickbed()
        give(table, "Ug", "Stuck")
        settings, ug = table.scene.settings, table.named("Ug")
        own_conditions = SUGGESTION_LISTS["own condition"]
        assert own_conditions(ug, settings) == ["Stuck"]
        assert own_conditions(None, settings) == []
        assert own_conditions(ug, settings.model_copy(update={"conditions": False})) == []
        assert others(give(table, "Ug", "Stuck")) == []
