"""The menus of a turn offer exactly what the rules allow: everything else is tried and refused."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.combat.combatant import RpjCombatant
from bot.rules.rpj.combat.commands.turn_menu import offers
from bot.rules.rpj.combat.fight import MOOKS, Grapple
from bot.rules.rpj.combat.rules.combatants import arms_of
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.wild_magic import abilities_of
from tests.rules.offers import SteadyDice
from tests.rules.rpj.combat.played.brawl import brawl, fight, fighter
from tests.rules.rpj.combat.played.shootout import SCALED, cover, shootout
from tests.rules.rpj.combat.played.test_cinema_played import scene_of
from tests.rules.rpj.combat.played.test_grapples_played import MEDIC, WITH_GIFTS, knows
from tests.rules.rpj.combat.played.test_magic import apart, mages
from tests.rules.rpj.table import GameTable

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
