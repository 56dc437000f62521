"""The board of a fight: a line for everybody, with what everybody may know about them."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.rpj.combat.battlefield import Legend
from bot.rules.rpj.combat.combatant import MookSheet, RpjKind, UnderFire
from bot.rules.rpj.combat.commands.board import DEFAULT_MOOK, begin_label, grounds, opening_words, view
from bot.rules.rpj.combat.commands.inventory import resupplied
from bot.rules.rpj.combat.fight import Grapple
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.settings import RpjSettings, Shipped
from tests.rules.rpj.combat.played.brawl import brawl, d6, fighter
from tests.rules.rpj.combat.played.shootout import shootout
from tests.rules.rpj.combat.played.test_cinema_played import scene_of
from tests.rules.rpj.table import FANTASY, GameTable, rpj_table

SAVES = "saves 3 of 3 (7+)"


def facts(table: GameTable, name: str) -> tuple[str, ...]:
    """What a line of the board says about somebody."""
    board = view(table.scene)
    assert board is not None
    return next(tuple(map(str, line.facts)) for line in board.lines if line.name == name)


def change(table: GameTable, name: str, **changes: Any) -> GameTable:
    stage = Stage.of(table.scene)
    table.scene = stage.with_battle(stage.battle.changed(fighter(table, name).id, **changes)).saved()
    return table


def turn(table: GameTable, name: str, **changes: Any) -> dict[str, Any]:
    return {"turn": fighter(table, name).turn.model_copy(update=changes)}


@pytest.mark.rule("RPJ-GCS-01", "RPJ-GCS-05", "RPJ-GCS-08", "RPJ-HEALTH-10")
class TestLines:
    @pytest.mark.parametrize(
        ("name", "changes", "told"),
        [
            ("Laeniel", {}, (SAVES, "3 actions", "Region 1")),
            ("Ug", {}, (SAVES, "Region 1")),
            ("Ogre", {}, ("Region 1",)),
            ("Ug", {"charges": 2}, (SAVES, "Prepare 2", "Region 1")),
            ("Ug", {"free_attacks": 0}, (SAVES, "free attack used", "Region 1")),
            ("Ug", {"region": 3}, (SAVES, "Region 3")),
            ("Ogre", {"charges": 1, "free_attacks": 0}, ("Prepare 1", "free attack used", "Region 1")),
        ],
    )
    def test_a_line_says_what_everybody_may_know(
        self, name: str, changes: dict[str, Any], told: tuple[str, ...]
    ) -> None:
        table = brawl()
        shown = facts(change(table, name, **changes), name)

        assert tuple(fact.replace(shown[0], SAVES) if "7+" in fact else fact for fact in shown) == told

    @pytest.mark.parametrize(("actions", "told"), [(0, "0 actions"), (1, "1 action"), (2, "2 actions")])
    def test_whose_turn_it_is_sees_the_actions_left(self, actions: int, told: str) -> None:
        table = brawl()

        changed = change(table, "Laeniel", **turn(table, "Laeniel", actions=actions))

        assert facts(changed, "Laeniel") == (SAVES, told, "Region 1")

    @pytest.mark.parametrize(
        ("state", "told"),
        [
            (RpjHealth(out=Out.INCAPACITATED), "bleeding out"),
            (RpjHealth(out=Out.INCAPACITATED, bleeding=2), "bleeding out, 2 of 5"),
            (RpjHealth(out=Out.INCAPACITATED, is_stable=True), "stable, unconscious"),
            (RpjHealth(out=Out.KNOCKED_OUT), "knocked out"),
            (RpjHealth(out=Out.DEAD), "dead"),
        ],
    )
    @pytest.mark.parametrize("name", ["Ug", "Ogre"])
    def test_those_who_are_out_say_how(self, name: str, state: RpjHealth, told: str) -> None:
        table = brawl()
        table.change(name, health=state)

        assert facts(table, name)[0] == told

    @pytest.mark.rule("RPJ-COND-01")
    @pytest.mark.parametrize("played", [True, False])
    def test_conditions_are_shown_only_while_they_are_played(self, played: bool) -> None:
        table = brawl(settings=FANTASY.model_copy(update={"conditions": True}))
        table.do("GM", "condition.add", target="Ug", name="In a Net", surely=True)
        table.scene = replace(
            table.scene, settings=table.scene.settings.model_copy(update={"conditions": played})
        )

        assert ("In a Net" in facts(table, "Ug")) is played

    def test_a_grapple_names_the_other_one(self) -> None:
        table = brawl()
        stage = Stage.of(table.scene)
        hold = Grapple(a=fighter(table, "Ug").id, b=fighter(table, "Ogre").id)
        fight = stage.fight.model_copy(update={"grapples": (hold,)})
        table.scene = stage.with_battle(stage.battle.with_fight(fight)).saved()

        assert "in a grapple with Ogre" in facts(table, "Ug")
        assert "in a grapple with Ug" in facts(table, "Ogre")
        assert not [fact for fact in facts(table, "Laeniel") if "grapple" in fact]

    @pytest.mark.rule("RPJ-CINE-06")
    @pytest.mark.parametrize(("out", "is_told"), [(Out.NO, True), (Out.DEAD, False)])
    def test_a_legendary_foe_shows_its_stages_while_it_stands(self, out: Out, is_told: bool) -> None:
        table = scene_of()
        table.change("Ogre", health=RpjHealth(out=out))
        stage = Stage.of(table.scene)
        legends = {fighter(table, "Ogre").id: Legend(stages=3, reached=1)}
        fight = stage.fight.model_copy(update={"legends": legends})
        table.scene = stage.with_battle(stage.battle.with_fight(fight)).saved()

        assert ("weakened 1 of 3" in facts(table, "Ogre")) is is_told

    def test_who_has_acted_and_who_is_on_are_told_apart(self) -> None:
        table = brawl("Laeniel")
        table.do("GM", "encounter.next")
        board = view(table.scene)

        assert board is not None
        assert board.on == "Ug acts"
        ids = table.ids
        assert [(line.character, line.name, line.is_on, line.has_acted) for line in board.lines] == [
            (ids["Laeniel"], "Laeniel", False, True),
            (ids["Ug"], "Ug", True, False),
            (ids["Ogre"], "Ogre", False, False),
        ]


@pytest.mark.rule("RPJ-GCS-46", "RPJ-GCS-67")
class TestMooks:
    def test_a_stack_shows_its_defense_its_place_and_all_its_actions_in_its_turn(self) -> None:
        table = brawl()
        table.do("GM", "fight.mooks", name="Goblin", count=3, region="1", defense=9)
        before = facts(table, "Goblin ×3")
        assert [line.is_on for line in view(table.scene).lines] == [True, False, False, False]  # type: ignore[union-attr]  # a fight is on
        while view(table.scene).on != "Mooks' turn":  # type: ignore[union-attr]  # a fight is on
            table.do("GM", "encounter.next")

        assert before == ("defense 9+", "Region 1")
        assert facts(table, "Goblin ×3") == ("defense 9+", "Region 1", "6 actions in total")
        board = view(table.scene)
        assert board is not None
        assert [line.has_acted for line in board.lines][:3] == [True, True, True]
        assert (board.lines[-1].character, board.lines[-1].is_on) == (0, True)

    @pytest.mark.rule("RPJ-FIRE-05")
    @pytest.mark.parametrize(("mook", "loaded"), [(None, 4), (DEFAULT_MOOK, 1)])
    def test_the_end_of_a_fight_fills_the_magazines_of_all_but_mooks(
        self, mook: MookSheet | None, loaded: int
    ) -> None:
        table = shootout()
        table.change("Ogre", ammunition={"rifle": {"loaded": 1}})
        kind = RpjKind.MOOK if mook else RpjKind.NPC
        changed = fighter(table, "Ogre").model_copy(update={"kind": kind, "mook": mook})

        scene, _notes = resupplied(table.scene, (changed,))

        assert scene.character(table.ids["Ogre"]).sheet.ammunition["rifle"].loaded == loaded

    def test_a_character_who_fights_as_a_mook_has_the_line_of_a_mook(self) -> None:
        table = rpj_table()
        table.change("Ogre", mook=DEFAULT_MOOK)
        table.do("Laeniel", "encounter.start", others=("Ogre",))
        board = view(table.scene)

        assert board is not None
        assert [(line.character, line.name) for line in board.lines] == [
            (table.ids["Laeniel"], "Laeniel"),
            (table.ids["Ogre"], "Mook"),
        ]

    @pytest.mark.rule("RPJ-FIRE-24")
    @pytest.mark.parametrize(
        ("count", "pinned", "told"),
        [(1, 1, "suppressed"), (3, 1, "1 of 3 suppressed"), (3, 3, "3 of 3 suppressed"), (3, 0, "")],
    )
    def test_a_stack_says_how_many_are_suppressed(self, count: int, pinned: int, told: str) -> None:
        table = shootout()
        table.do("GM", "fight.mooks", name="Rat", count=count, region="2")
        stage = Stage.of(table.scene)
        state = UnderFire(suppressors=("x",), until_round=2)
        for one in [one for one in stage.fight.present if one.mook is not None][:pinned]:
            stage = stage.with_battle(stage.battle.changed(one.id, under_fire=state))
        table.scene = stage.saved()
        name = "Rat" if count == 1 else f"Rat ×{count}"

        assert [fact for fact in facts(table, name) if "suppressed" in fact] == ([told] if told else [])


@pytest.mark.rule("RPJ-GCS-03", "RPJ-GCS-20")
class TestBeforeTheFirstRound:
    def opened(self, **more: Any) -> GameTable:
        table = rpj_table(RpjSettings(module=Shipped.FANTASY, **more))
        table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
        return table

    def test_the_button_rolls_initiative_until_everybody_has_it(self) -> None:
        table = self.opened()
        assert begin_label(table.scene) == "Roll for initiative"
        nobody = rpj_table(RpjSettings(module=Shipped.FANTASY))
        nobody.do("GM", "encounter.start")
        assert begin_label(nobody.scene) == "Roll for initiative"
        assert facts(table, "Ug")[-1] == "Region 1"

        table.do("GM", "encounter.next", d6("6 5 4 3 1 1"))

        assert begin_label(table.scene) == "Start round 1 (GM)"
        assert any(fact.startswith("initiative ") for fact in facts(table, "Ug"))
        table.do("GM", "encounter.next")
        assert not any(fact.startswith("initiative ") for fact in facts(table, "Ug"))

    @pytest.mark.parametrize(
        ("regions", "yards"), [(6, [30, 60, 90]), (4, [30, 60, 90]), (3, [30, 60]), (2, [30]), (1, [])]
    )
    def test_smaller_battlefields_are_offered(self, regions: int, yards: list[int]) -> None:
        table = self.opened()
        table.do("GM", "fight.field", regions=regions)

        found = [one.label for one in grounds(table.scene)]

        assert found == [f"Start within {far} yards (GM)" for far in yards]
        assert opening_words(table.scene) == (
            f"The sides start about {regions * 30} yards apart. The GM can choose less.",
        )

    @pytest.mark.rule("RPJ-CINE-01")
    @pytest.mark.parametrize("is_on", [False, True])
    def test_playing_in_yards_is_offered_where_it_is_played(self, is_on: bool) -> None:
        table = self.opened(cinematic_combat=is_on)
        procedures = [one.procedure for one in grounds(table.scene)]

        assert ("fight.mode" in procedures) is is_on
        if is_on:
            table.do("GM", "fight.mode", cinematic=True)
            assert (grounds(table.scene), opening_words(table.scene)) == ((), ())


@pytest.mark.rule("RPJ-FIRE-12", "RPJ-FIRE-17", "RPJ-FIRE-18", "RPJ-FIRE-24", "RPJ-FIRE-26", "RPJ-FIRE-28")
@pytest.mark.parametrize(
    ("what", "state", "told"),
    [
        ("", {}, []),
        ("wall", {}, ["wall +6"]),
        ("", {"is_cautious": True}, ["+1/0f (cautious)"]),
        ("wall", {"is_cautious": True}, ["wall +6"]),
        ("wall", {"is_cowering": True}, ["wall +6", "cowering (+12)"]),
        ("", {"is_cowering": True}, []),
        ("wall", {"is_reoriented": True}, ["wall +6", "turned around"]),
        ("", {"overwatch": 2}, ["watches Region 2"]),
        ("", {"suppressors": ("x",), "until_round": 3}, ["suppressed"]),
    ],
)
def test_a_line_says_how_somebody_fares_under_fire(what: str, state: dict[str, Any], told: list[str]) -> None:
    table = shootout()
    plain = facts(table, "Ogre")
    if what:
        table.do("GM", "fire.cover", what=what, behind="Ogre")
    change(table, "Ogre", under_fire=UnderFire(**state))

    assert [fact for fact in facts(table, "Ogre") if fact not in plain] == told
