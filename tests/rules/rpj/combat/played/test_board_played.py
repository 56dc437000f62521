"""The board of a fight, and what a turn offers, as they are played."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.combat.combatant import Legend, MookSheet, RpjCombatant, RpjKind, UnderFire
from bot.rules.rpj.combat.commands.board import DEFAULT_MOOK, begin_label, grounds, opening_words, view
from bot.rules.rpj.combat.commands.inventory import resupplied
from bot.rules.rpj.combat.commands.turn_menu import offers
from bot.rules.rpj.combat.fight import MOOKS, Grapple
from bot.rules.rpj.combat.rules.combatants import arms_of
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.module_files import RpjSettings, Shipped
from bot.rules.rpj.wild_magic import abilities_of
from tests.rules.offers import SteadyDice
from tests.rules.rpj.combat.played.brawl import SCALED, brawl, cover, d6, fight, fighter, shootout
from tests.rules.rpj.combat.played.test_cinema_played import scene_of
from tests.rules.rpj.combat.played.test_grapples_played import MEDIC, WITH_GIFTS, knows
from tests.rules.rpj.combat.played.test_magic import apart, mages
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


OUT = {"health": RpjHealth(out=Out.INCAPACITATED)}


def is_allowed(table: GameTable, who: str, procedure: str, **options: Any) -> bool:
    """Whether something can be done now; it is not."""
    before = table.scene
    try:
        table.play(who, procedure, options, SteadyDice(0.5))
    except UserError:
        return False
    finally:
        table.scene = before
    return True


def offered(table: GameTable) -> dict[str, set[str]]:
    """What the current turn's menus and buttons offer, by procedure: the choices, or who it is done to."""
    found: dict[str, set[str]] = {}
    for one in offers(Stage.of(table.scene)):
        cautious = " cautiously" if getattr(one.options, "cautious", False) else ""
        values = [choice.value for choice in one.choices] or [getattr(one.options, "target", "")]
        found.setdefault(one.procedure + cautious, set()).update(values)
    return found


def whose(table: GameTable) -> tuple[str, RpjCombatant]:
    """Whose turn it is: the name to act with, and the combatant."""
    own = fight(table).fighter(fight(table).turn)
    return (own.name if own.character in map(table.ids.get, ("Laeniel", "Ug")) else f"GM {own.name}"), own


def others(table: GameTable, own: RpjCombatant, *, foes: bool) -> Iterator[RpjCombatant]:
    for one in fight(table).present:
        if one.id != own.id and (one.side is not own.side) is foes:
            yield one


def goals(table: GameTable, own: RpjCombatant) -> Iterator[str]:
    """Every region, alone or with the first of each group."""
    kept = fight(table)
    for region in kept.field.numbers:
        yield f"{region}|"
        for group in kept.groups(region):
            yield f"{region}|{group[0].id}"


def ready(**turn: Any) -> Callable[[GameTable], None]:
    """Whose turn it is has a turn of that kind left."""

    def change(table: GameTable) -> None:
        stage = Stage.of(table.scene)
        own = stage.fight.fighter(stage.fight.turn)
        changed = own.turn.model_copy(update=turn)
        table.scene = stage.with_battle(stage.battle.changed(own.id, turn=changed)).saved()

    return change


def with_mooks(table: GameTable) -> GameTable:
    table.do("GM", "fight.mooks", name="Goblin", count=2, region="1", beside="Ug")
    table.do("GM", "fight.mooks", name="Archer", count=2, region="2", range=2, side="players")
    return table


FIGHTS: dict[str, Callable[[], GameTable]] = {
    "together": brawl,
    "apart": lambda: brawl(together=False),
    "the ogre's turn": lambda: brawl("Ogre"),
    "gifts": lambda: brawl(settings=WITH_GIFTS, laeniel={**MEDIC, **knows("prepare_maneuver")}),
    "a friend is out": lambda: brawl(laeniel=MEDIC, ug=OUT),
    "a foe is out": lambda: brawl(laeniel=MEDIC, ogre=OUT),
    "far away": lambda: moved(brawl(together=False), "Ogre", "4"),
    "one region away": lambda: moved(brawl(together=False), "Ogre", "2"),
    "mooks": lambda: with_mooks(brawl()),
    "a shootout": shootout,
    "a shootout behind cover": lambda: behind_cover(shootout()),
    "two rockets": lambda: behind_cover(
        shootout(settings=SCALED, laeniel={"belongings": ("rocket_launcher",)})
    ),
    "in yards": scene_of,
    "in yards, second": lambda: scene_of("Ogre", "Laeniel", "Ug"),
    "a shootout close by": lambda: moved(shootout(), "Ogre", "1"),
}
TURNS: dict[str, dict[str, Any]] = {
    "fresh": {},
    "one action": {"actions": 1},
    "no action": {"actions": 0},
    "attacked": {"has_attacked": True, "actions": 1},
    "attacked, no action": {"has_attacked": True, "actions": 0},
}


def behind_cover(table: GameTable) -> GameTable:
    cover(table, "Laeniel", "+3/1f")
    cover(table, "Ogre", "wall")
    return table


def moved(table: GameTable, who: str, region: str) -> GameTable:
    stage = Stage.of(table.scene)
    own = fighter(table, who)
    changed = stage.battle.changed(own.id, region=int(region), group=stage.fight.new_group)
    table.scene = stage.with_battle(changed).saved()
    return table


def first_alike(table: GameTable, id_: str) -> str:
    """The first of equal mooks in a group, which stands for them all; anybody else stands alone."""
    kept = fight(table)
    one = kept.fighter(id_)
    if one.mook is None:
        return id_
    return next(other.id for other in kept.present if (other.mook, other.group) == (one.mook, one.group))


def able(
    table: GameTable, name: str, procedure: str, chosen: str, values: Iterable[str], **more: Any
) -> set[str]:
    """Those choices that the rules allow."""
    return {value for value in values if is_allowed(table, name, procedure, **{chosen: value, **more})}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("setting", FIGHTS)
def test_a_turns_menus_offer_exactly_what_is_allowed(setting: str, turn: str) -> None:
    table = FIGHTS[setting]()
    ready(**TURNS[turn])(table)
    name, own = whose(table)
    found = offered(table)

    foes, friends = (list(others(table, own, foes=is_foe)) for is_foe in (True, False))
    ids = dict.fromkeys(first_alike(table, foe.id) for foe in foes)
    arms = [arm.id for arm in arms_of(Stage.of(table.scene).battle.of(own))]
    aims = [f"{foe}|{arm}" for foe in ids for arm in arms]
    assert found.get("fight.attack", set()) == able(table, name, "fight.attack", "aim", aims)
    for cautious in (False, True):
        walks = able(table, name, "fight.move", "goal", goals(table, own), cautious=cautious)
        assert found.get("fight.move" + " cautiously" * cautious, set()) == walks, cautious
    for procedure, whom in (("fight.grapple", foes), ("fight.coup", foes), ("fight.help", friends)):
        done = able(table, name, procedure, "target", (one.id for one in whom))
        assert found.get(procedure, set()) == done, procedure
    assert ("fight.prepare" in found) is is_allowed(table, name, "fight.prepare")

    covers = [f"cover {placed.id}" for placed in fight(table).covers]
    deeds = [
        "reorient",
        *(f"reload|{arm}" for arm in arms),
        *(f"{how}|{aim}" for how in ("aim", "suppress") for aim in aims),
        *(f"raze|{placed}|{arm}" for placed in covers for arm in arms),
    ]
    assert found.get("fire.deed", set()) == able(table, name, "fire.deed", "deed", deeds)
    regions = map(str, fight(table).field.numbers)
    assert found.get("fire.watch", set()) == able(table, name, "fire.watch", "region", regions)
    later = [one.name for one in fight(table).present]
    assert found.get("fight.defer", set()) == able(table, name, "fight.defer", "after", later)


ABILITIES: dict[str, dict[str, Any]] = {
    "Bolt": {"magnitude": "moderate", "damage": 1, "reach": "180 yards, 6 regions"},
    "Touch": {"magnitude": "moderate", "damage": 1, "reach": "touch"},
    "Flash": {"concentration": "instant"},
    "Ward": {},
    "Rite": {"concentration": "one minute"},
}


def made(name: str, **recipe: Any) -> dict[str, Any]:
    return {"name": name, "skill": "fire_magic", "recipe": recipe}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("setting", ["together", "apart", "out of sight"])
def test_the_magic_menu_offers_exactly_what_is_allowed(setting: str, turn: str) -> None:
    table = apart() if setting == "apart" else mages(together=setting == "together")
    if setting == "out of sight":
        moved(table, "Ogre", "6")
    table.do("Ug", "prepare", spell="glow", slot=0)
    ready(**TURNS[turn])(table)
    table.change("Ug", wild={"abilities": [made(name, **recipe) for name, recipe in ABILITIES.items()]})
    name, own = whose(table)
    foes = [one.id for one in others(table, own, foes=True)]
    figure = figure_in(table.scene, table.named("Ug"))
    aims = []
    for spell in figure.module.spells:
        is_aimed = spell.is_attack or spell.save is not None or spell.damage is not None
        aims += [f"spell|{spell.id}|{foe}" for foe in (foes if is_aimed else [""])]
    for ability in abilities_of(figure):
        is_aimed = ability.recipe.damage is not None
        aims += [f"ability|{ability.name}|{foe}" for foe in (foes if is_aimed else [""])]

    assert offered(table).get("fight.magic", set()) == able(table, name, "fight.magic", "aim", aims)


def mooks_on(table: GameTable) -> GameTable:
    """The turn of the mooks."""
    while fight(table).turn != MOOKS:
        table.do("GM", "encounter.next")
    return table


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("where", ["1", "2", "4"])
def test_the_mooks_menus_offer_exactly_what_is_allowed(turn: str, where: str) -> None:
    table = mooks_on(with_mooks(moved(brawl(), "Ogre", where)))
    kept = fight(table)
    mooks = [one for one in kept.present if one.mook is not None]
    stage = Stage.of(table.scene)
    for one in mooks:
        changed = one.turn.model_copy(update=TURNS[turn])
        stage = stage.with_battle(stage.battle.changed(one.id, turn=changed))
    table.scene = stage.saved()
    firsts = [one for one in mooks if first_alike(table, one.id) == one.id]
    found = offered(table)

    aims = [f"{one.id}|{foe.id}" for one in firsts for foe in others(table, one, foes=True)]
    paths = [f"{one.id}|{goal}" for one in firsts for goal in goals(table, one)]
    assert found.get("fight.mook_attack", set()) == able(table, "GM", "fight.mook_attack", "aim", aims)
    assert found.get("fight.mook_move", set()) == able(table, "GM", "fight.mook_move", "path", paths)
    assert set(found) <= {"fight.mook_attack", "fight.mook_move"}


@pytest.mark.rule("RPJ-CINE-08")
@pytest.mark.parametrize(
    ("far", "actions", "offered_yards"),
    [
        (2, 3, {-30}),
        (3, 3, {3, -30}),
        (30, 1, {30, -30}),
        (31, 1, {30, -30}),
        (31, 2, {31, 30, -30}),
        (60, 2, {60, 30, -30}),
        (61, 2, {30, -30}),
        (90, 3, {90, 30, -30}),
        (91, 3, {30, -30}),
        (10, 0, set()),
    ],
)
def test_walks_lead_up_to_a_foe_towards_it_and_away(far: int, actions: int, offered_yards: set[int]) -> None:
    table = scene_of(Ogre=(0, far), Ug=(5000, 0))
    ready(actions=actions, received=actions)(table)
    foe, friend = (fighter(table, name).id for name in ("Ogre", "Ug"))

    walks = offered(table).get("fight.walk", set())

    assert {int(walk.split("|")[1]) for walk in walks if walk.startswith(f"{foe}|")} == offered_yards
    assert {walk for walk in walks if walk.startswith(f"{friend}|")} == (
        {f"{friend}|30"} if actions else set()
    )
    assert able(table, "Laeniel", "fight.walk", "goal", walks) == walks


@pytest.mark.rule("RPJ-GCS-52")
def test_a_mook_in_a_grapple_checks_once_and_does_nothing_else() -> None:
    table = mooks_on(with_mooks(brawl()))
    stage = Stage.of(table.scene)
    held = next(one for one in stage.fight.present if one.mook is not None)
    hold = Grapple(a=held.id, b=fighter(table, "Ug").id)
    table.scene = stage.with_battle(
        stage.battle.with_fight(stage.fight.model_copy(update={"grapples": (hold,)}))
    ).saved()
    checks = [one for one in offers(Stage.of(table.scene)) if one.procedure == "fight.wrestle"]

    assert [one.options.model_dump()["mook"] for one in checks] == [held.id]
    assert not any(
        choice.startswith(f"{held.id}|")
        for procedure in ("fight.mook_attack", "fight.mook_move")
        for choice in offered(table).get(procedure, set())
    )
    stage = Stage.of(table.scene)
    spent = held.turn.model_copy(update={"has_checked": True})
    table.scene = stage.with_battle(stage.battle.changed(held.id, turn=spent)).saved()
    assert "fight.wrestle" not in offered(table)


@pytest.mark.rule("RPJ-GCS-52")
@pytest.mark.parametrize(("checked", "actions", "is_offered"), [(False, 2, True), (True, 2, False)])
def test_whoever_is_in_a_grapple_is_offered_the_check_alone(
    checked: bool, actions: int, is_offered: bool
) -> None:
    table = brawl()
    stage = Stage.of(table.scene)
    hold = Grapple(a=fighter(table, "Laeniel").id, b=fighter(table, "Ogre").id)
    table.scene = stage.with_battle(
        stage.battle.with_fight(stage.fight.model_copy(update={"grapples": (hold,)}))
    ).saved()
    ready(has_checked=checked, actions=actions)(table)

    assert set(offered(table)) == ({"fight.wrestle"} if is_offered else set())
    assert is_allowed(table, "Laeniel", "fight.wrestle") is is_offered


def test_at_most_four_of_a_group_get_buttons_of_their_own() -> None:
    table = brawl(together=False)
    table.do("GM", "fight.mooks", name="Goblin", count=6, region="1", beside="Laeniel")

    assert len(offered(table)["fight.grapple"]) <= 4
