"""Cinematic fights at the table: yards, turns put off and shared, target numbers by word, foes of legend."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.rpj import RULESET
from bot.rules.rpj.combat.combatant import Position
from bot.rules.rpj.combat.commands.board import TRACKER, view
from bot.rules.rpj.combat.commands.cinematic_commands import on_the_way
from bot.rules.rpj.combat.fight import Fight
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.module_files import RpjSettings, Shipped, module_in
from tests.rules.offers import acts_of
from tests.rules.rpj.combat.played.brawl import brawl, button, d6, fight, fighter, health
from tests.rules.rpj.table import GameTable, labels, rpj_table

PLAYED = RpjSettings(module=Shipped.FANTASY, cinematic_combat=True)
SPOTS = {"Laeniel": (0, 0), "Ug": (1, 0), "Ogre": (30, 40)}


def scene_of(*order: str, **spots: tuple[int, int]) -> GameTable:
    """A cinematic fight; the first of the order is on."""
    table = rpj_table(PLAYED)
    for name in ("Laeniel", "Ug", "Ogre"):
        table.change(name, belongings=("bow", "dagger") if name == "Laeniel" else ("club",))
    table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
    table.do("GM", "fight.mode", cinematic=True)
    for name, (x, y) in {**SPOTS, **spots}.items():
        table.do("GM", "fight.spot", who=name, x=x, y=y)
    table.do("GM", "encounter.order", characters=order or ("Laeniel", "Ogre", "Ug"))
    for name in ("Laeniel", "Ug"):
        table.do(name, "fight.defense", defense="best")
    table.do("GM", "encounter.next")
    return table


def in_order(table: GameTable) -> list[str]:
    """The order of this round, by name."""
    found: Fight = fight(table)
    return [found.fighter(id_).name for id_ in found.order]


def on(table: GameTable) -> str:
    """Whose turn it is."""
    return fight(table).fighter(fight(table).turn).name


@pytest.mark.rule("RPJ-CINE-01")
class TestCinematicMode:
    def test_a_cinematic_fight_is_played_in_yards_not_regions(self) -> None:
        table = scene_of()
        refused = table.refused("Laeniel", "fight.move", region="2")
        assert (refused.what, refused.try_this) == (
            "This fight is played in yards.",
            "Move with /rpj-fight cinema walk.",
        )
        shown = view(table.scene)
        assert shown is not None
        assert shown.ground is not None
        assert "(30, 40)" in next(line.facts for line in shown.lines if line.name == "Ogre")
        assert shown.ground.alt == "Laeniel: (0, 0) · Ug: (1, 0) · Ogre: (30, 40)"

    def test_an_ordinary_fight_is_played_in_regions_not_yards(self) -> None:
        table = brawl("Ug", settings=PLAYED)
        assert table.refused("Ug", "fight.walk", x=1, y=1).what == "This fight is played in regions."
        assert table.refused("Ug", "fight.attack", target="Ogre", number=9).what == (
            "In this fight, defenses set the target number."
        )

    def test_cinematic_mode_cannot_be_changed_after_the_first_round_starts(self) -> None:
        assert scene_of().refused("GM", "fight.mode", cinematic=False).what == (
            "You can only change that before the first round."
        )

    def test_a_module_can_make_every_fight_cinematic(self) -> None:
        fantasy = module_in(PLAYED)
        combat = fantasy.combat.model_copy(update={"is_cinematic": True})
        own = PLAYED.model_copy(update={"module": "own"})
        settings = own.with_module(fantasy.model_copy(update={"combat": combat}))
        table = rpj_table(PLAYED)
        table.scene = replace(table.scene, settings=settings)
        table.do("Laeniel", "encounter.start", others=("Ogre",))
        assert fight(table).is_cinematic

    def test_walking_in_yards_is_refused_without_cinematic_combat(self) -> None:
        table = brawl("Ug")
        refused = table.refused("Ug", "fight.walk", x=1, y=1)
        assert refused.what == "This campaign doesn't use Cinematic combat."


@pytest.mark.rule("RPJ-CINE-02", "RPJ-CINE-05")
class TestDamageInCinematicFights:
    def test_saves_are_lost_in_a_cinematic_fight_as_in_any_other(self) -> None:
        table = scene_of("Ug", "Laeniel", "Ogre", Ogre=(2, 0))
        before = table.named("Ug").sheet
        table.do("Ug", "fight.attack", d6("5 5 1 2"), target="Ogre")
        assert table.named("Ug").sheet == before
        assert health(table, "Ogre").lost_base == (7,)

    def test_losing_the_last_base_save_incapacitates_in_a_cinematic_fight(self) -> None:
        table = scene_of("Ug", "Laeniel", "Ogre", Ogre=(2, 0))
        saves = len(table.named("Ogre").sheet.health.lost_base)
        assert saves == 0
        table.change("Ogre", health={"lost_base": (7,) * 3})
        table.do("Ug", "fight.attack", d6("5 5 1 2"), target="Ogre")
        assert health(table, "Ogre").out is not Out.NO


@pytest.mark.rule("RPJ-CINE-03")
class TestMeasuringYards:
    def test_measuring_gives_yards_and_the_distance_for_weapons(self) -> None:
        told = scene_of().do("Laeniel", "fight.measure", target="Ogre")
        assert told.notes[0] == "50 yards: distance 1."
        assert not told.is_public

    def test_a_combatant_within_two_yards_is_adjacent(self) -> None:
        table = scene_of()
        assert table.do("Laeniel", "fight.measure", target="Ug").notes[0] == "1 yard: distance *."
        assert "50 yards" in table.do("Laeniel", "fight.measure", target="Ogre", other="Laeniel").notes[0]


@pytest.mark.rule("RPJ-CINE-04", "RPJ-CINE-07")
class TestOrderInCinematicFights:
    def test_initiative_is_rolled_in_a_cinematic_fight(self) -> None:
        table = rpj_table(PLAYED)
        table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
        table.do("GM", "fight.mode", cinematic=True)
        table.do("GM", "encounter.next", d6("6 5 1 2 4 4"))
        assert in_order(table) == ["Laeniel", "Ogre", "Ug"]

    def test_a_deferred_turn_changes_the_order_for_one_round_only(self) -> None:
        table = scene_of()
        waited = table.do("Laeniel", "fight.defer", after="Ogre")
        assert waited.headline == "defers their turn until after Ogre"
        assert (in_order(table), on(table)) == (["Ogre", "Laeniel", "Ug"], "Ogre")
        for who in ("GM", "Laeniel", "Ug"):
            table.do(who, "encounter.next")
        assert (in_order(table), on(table)) == (["Laeniel", "Ogre", "Ug"], "Laeniel")


@pytest.mark.rule("RPJ-CINE-08")
class TestWalkingInYards:
    @pytest.mark.parametrize(("yards", "reached"), [(-5, (5, 0)), (0, (0, 0)), (5, (0, 0))])
    def test_who_stands_on_the_same_spot_is_walked_away_from_eastwards(
        self, yards: int, reached: tuple[int, int]
    ) -> None:
        here = Position(x=0, y=0)

        assert on_the_way(here, here, yards) == Position(x=reached[0], y=reached[1])


@pytest.mark.rule("RPJ-CINE-09")
class TestAttacksInCinematicFights:
    def test_an_attack_can_use_the_gms_number_instead_of_the_usual_one(self) -> None:
        table = scene_of("Ug", "Laeniel", "Ogre", Ogre=(2, 0))
        told = table.do("Ug", "fight.measure", target="Ogre").notes[1]
        assert told == "To hit Ogre usually needs 9+; the GM can set another number."
        struck = table.do("Ug", "fight.attack", d6("1 2"), target="Ogre", number=11)
        assert struck.rolls[0].against == "11+"
        assert fighter(table, "Ug").turn.actions == 1

    def test_an_attack_without_a_number_from_the_gm_meets_the_defense(self) -> None:
        table = scene_of("Ug", "Laeniel", "Ogre", Ogre=(2, 0))
        assert table.do("Ug", "fight.attack", d6("1 1"), target="Ogre").rolls[0].against == "9+"


@pytest.mark.rule("RPJ-CINE-10")
class TestSharedTurnsPlayed:
    def test_two_combatants_who_share_a_turn_act_in_any_order(self) -> None:
        table = scene_of("Ogre", "Laeniel", "Ug")
        turn = table.do("GM", "encounter.next")
        assert button(turn, "Act together with Ug").character == table.ids["Laeniel"]
        shared = table.press("Laeniel", button(turn, "Act together with Ug"))
        assert shared.notes == ("Laeniel: 3 actions.", "Ug: 2 actions.")
        table.do("Ug", "fight.walk", x=5)
        table.do("Laeniel", "fight.walk", x=6)
        table.do("Ug", "fight.walk", x=7)
        table.do("Ug", "encounter.next")
        assert (on(table), fight(table).together) == ("Ogre", ())

    def test_a_turn_cannot_be_shared_with_a_combatant_between_the_two(self) -> None:
        table = scene_of("Ug", "Ogre", "Laeniel")
        assert table.refused("Ug", "fight.together").what.startswith("You can only share a turn")

    def test_a_turn_can_be_shared_once_the_combatant_between_the_two_defers(self) -> None:
        table = scene_of("Laeniel", "Ogre", "Ug")
        table.do("GM Ogre", "fight.defer", after="Ug")
        shared = table.do("Laeniel", "fight.together")
        assert shared.headline == "acts together with Ug"


@pytest.mark.rule("RPJ-CINE-06")
class TestLegendaryFoesPlayed:
    def test_a_legendary_foe_loses_no_save_to_a_hit(self) -> None:
        table = scene_of("Ug", "Laeniel", "Ogre", Ogre=(2, 0))
        table.do("GM", "fight.legend", who="Ogre")
        table.do("Ug", "fight.attack", d6("5 5 1 2"), target="Ogre")
        assert health(table, "Ogre").lost_base == ()

    def test_a_legendary_foe_is_weakened_three_times_and_then_finished(self) -> None:
        table = scene_of()
        told = table.do("GM", "fight.legend", who="Ogre")
        assert table.refused("GM", "fight.legend_finish", who="Ogre").what == (
            "It isn't weak enough yet: 3 of 3 stages left."
        )
        for _ in range(3):
            assert labels(told)[-1] == "Weaken Ogre (GM)"
            told = table.press("GM", told.follow_ups[-1])
        assert (told.notes[-1], labels(told)[-1]) == ("Ogre: 3 of 3 stages.", "Finish Ogre (GM)")
        table.press("GM", told.follow_ups[-1])
        assert health(table, "Ogre").out is Out.DEAD

    def test_a_foe_that_is_not_legendary_cannot_be_weakened(self) -> None:
        assert scene_of().refused("GM", "fight.legend_on", who="Ogre").what == "Ogre isn't a legendary foe."


def test_walking_deferring_and_sharing_turns_are_procedures_of_the_ruleset() -> None:
    assert {"fight.walk", "fight.defer", "fight.together"} <= set(RULESET.procedures)


class TestCinematicBoard:
    """F-OPT-06: one number, yards instead of regions, and ways to walk and to wait."""

    def offered(self, table: GameTable, procedure: str) -> list[str]:
        menus = [one for one in TRACKER.choices(table.scene) if one.procedure == procedure]
        return [choice.label for one in menus for choice in one.choices]

    @pytest.mark.rule("RPJ-CINE-09", "RPJ-FIRE-01")
    def test_f_opt_06_measuring_a_range_names_the_number_the_shot_needs(self) -> None:
        table = scene_of()
        table.settings(fire_and_movement=True)

        told = table.do("Laeniel", "fight.measure", target="Ogre")
        shot = table.do("Laeniel", "fight.attack", d6("1 1"), target="Ogre", weapon="bow")

        assert told.notes[1] == "To hit Ogre usually needs 5+; the GM can set another number."
        assert shot.rolls[0].against == "5+"

    @pytest.mark.rule("RPJ-CINE-01", "RPJ-FIRE-26")
    def test_f_opt_06_regions_cannot_be_watched_in_a_cinematic_fight(self) -> None:
        table = scene_of()
        table.settings(fire_and_movement=True)

        assert [label for label in self.offered(table, "fire.deed") if "Watch" in label] == []
        assert table.refused("Laeniel", "fire.watch", region="1").what == (
            "This fight is played in yards: there are no regions to watch."
        )

    @pytest.mark.rule("RPJ-CINE-08")
    def test_f_opt_06_the_board_offers_walking_in_yards(self) -> None:
        table = scene_of()
        assert self.offered(table, "fight.walk") == [
            "Up to Ogre: 50 yards (2 actions)",
            "Towards Ogre: 30 of 50 yards (1 action)",
            "Away from Ogre: 30 yards (1 action)",
        ]

        table.do("Laeniel", "fight.walk", goal=f"{fighter(table, 'Ogre').id}|30")

        assert fight(table).position(fighter(table, "Laeniel")) == Position(x=18, y=24)
        assert fighter(table, "Laeniel").turn.actions == 2
        table.do("Laeniel", "fight.walk", goal=f"{fighter(table, 'Ogre').id}|-30")
        assert fight(table).position(fighter(table, "Laeniel")) == Position(x=0, y=0)

    @pytest.mark.rule("RPJ-CINE-07")
    def test_f_opt_06_the_board_offers_deferring_until_the_first_action(self) -> None:
        table = scene_of()
        assert self.offered(table, "fight.defer") == [
            "Act after Ogre in this round",
            "Act after Ug in this round",
        ]

        table.do("Laeniel", "fight.walk", x=5)
        assert self.offered(table, "fight.defer") == []

    def test_f_opt_06_deferring_is_offered_ahead_of_the_turn(self) -> None:
        table = scene_of()
        table.do("Laeniel", "fight.defer", after="Ogre")
        acts = acts_of(RULESET, table.scene, table.ids["Laeniel"])

        (menu,) = [one.do for one in acts if one.do.procedure == "fight.defer"]
        assert [one.label for one in menu.choices] == ["Act after Ug in this round"]

    def test_deferring_without_naming_a_combatant_is_refused(self) -> None:
        assert scene_of().refused("Laeniel", "fight.defer").what == "Act after which combatant?"


@pytest.mark.rule("RPJ-CINE-03", "RPJ-CINE-08")
class TestWalking:
    @pytest.mark.parametrize(
        ("options", "there", "cost"),
        [
            ({"x": 30, "y": 0}, (30, 0), 1),
            ({"x": 0, "y": -31}, (0, -31), 2),
            ({"x": 12}, (12, 0), 1),
            ({"y": 7}, (0, 7), 1),
            ({"towards": "Ogre"}, (30, 40), 2),
            ({"towards": "Ogre", "yards": 25}, (15, 20), 1),
            ({"towards": "Ogre", "yards": 50}, (30, 40), 2),
            ({"towards": "Ogre", "yards": 60}, (30, 40), 2),
            ({"goal": "Ogre|-25"}, (-15, -20), 1),
            ({"goal": "Ogre|25"}, (15, 20), 1),
            ({"goal": "Ogre|-50"}, (-30, -40), 2),
        ],
    )
    def test_a_walk_ends_where_it_is_told_to_at_its_cost(
        self, options: dict[str, Any], there: tuple[int, int], cost: int
    ) -> None:
        table = scene_of()
        before = fighter(table, "Laeniel").turn.actions

        done = table.do("Laeniel", "fight.walk", **options)

        place = fight(table).position(fighter(table, "Laeniel"))
        assert (place.x, place.y) == there
        assert before - fighter(table, "Laeniel").turn.actions == cost
        assert done.notes[0].endswith(f"yards: {cost} action{'s' * (cost > 1)}.")

    def test_away_from_someone_at_the_same_place_leads_east(self) -> None:
        table = scene_of(Ogre=(0, 0))

        table.do("Laeniel", "fight.walk", goal="Ogre|-20")

        assert fight(table).position(fighter(table, "Laeniel")) == Position(x=20, y=0)

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({}, "Where to?"),
            ({"x": 0}, "You are already there."),
            ({"x": 91, "y": 0}, "91 yards take 4 actions; you have 3 left."),
        ],
    )
    def test_a_walk_leads_somewhere_within_reach(self, options: dict[str, Any], told: str) -> None:
        assert scene_of().refused("Laeniel", "fight.walk", **options).what == told


@pytest.mark.rule("RPJ-CINE-07")
class TestDeferring:
    @pytest.mark.parametrize(
        ("who", "after", "order", "now"),
        [
            ("Laeniel", "Ogre", ["Ogre", "Laeniel", "Ug"], "Ogre"),
            ("Laeniel", "Ug", ["Ogre", "Ug", "Laeniel"], "Ogre"),
            ("GM Ogre", "Ug", ["Laeniel", "Ug", "Ogre"], "Laeniel"),
        ],
    )
    def test_a_turn_is_put_off_within_the_round(
        self, who: str, after: str, order: list[str], now: str
    ) -> None:
        table = scene_of()

        table.do(who, "fight.defer", after=after)

        assert (in_order(table), on(table)) == (order, now)

    @pytest.mark.parametrize(
        ("turns", "who", "after", "told"),
        [
            (0, "Laeniel", "", "Act after which combatant?"),
            (0, "Ug", "Ogre", "You can only defer your turn to later."),
            (1, "Laeniel", "Ug", "Laeniel has already started this round's turn."),
        ],
    )
    def test_a_turn_that_is_over_is_not_put_off(self, turns: int, who: str, after: str, told: str) -> None:
        table = scene_of()
        for _ in range(turns):
            table.do("GM", "encounter.next")

        assert table.refused(who, "fight.defer", after=after).what == told

    @pytest.mark.rule("RPJ-GCS-20")
    def test_nobody_defers_their_turn_until_after_the_mooks(self) -> None:
        table = scene_of()
        table.do("GM", "fight.mooks", name="Goblin", count=1)

        assert (
            table.refused("Laeniel", "fight.defer", after="Goblin").what == "You can't act after the mooks."
        )

    def test_a_turn_begun_is_not_put_off(self) -> None:
        table = scene_of()
        table.do("Laeniel", "fight.walk", x=5, y=5)

        refused = table.refused("Laeniel", "fight.defer", after="Ug")

        assert refused.what == "Laeniel has already started this round's turn."
