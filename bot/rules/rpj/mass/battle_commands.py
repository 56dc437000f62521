"""The GM's mass battle commands: start, sides, fortifications, retreat, kills."""

from pydantic import Field

from bot.rules.kernel import Document, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.combat.state.combatant import RpjKind
from bot.rules.rpj.combat.state.combatant import Side as FightSide
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT
from bot.rules.rpj.mass.battle import (
    SIDES,
    STRONGEST_WORKS,
    BattleSide,
    MassBattle,
    Mode,
    assert_integrable,
    begin,
    is_hopeless,
    is_too_small,
    with_kills,
    with_works,
)
from bot.rules.rpj.mass.mass_round import (
    MASS,
    MassRound,
    find_round,
    open_round,
    with_new_round,
    with_round,
)
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.require_rules import Pack, require

MOST_PEOPLE = 10_000_000


class NothingAsked(Document):
    """The options of a command without options."""


class BeginOptions(Document):
    """The options of starting a battle.

    Attributes:
        own: Name of the players' side.
        own_people: Its size.
        enemy: Name of the other side.
        enemy_people: Its size.
        mode: Whether it stands alone, or runs alongside a fight.
        officers: Whether both sides have more than mooks.
        playable: Whether a part of it is small enough to play in turns.
    """

    own: str = Field(min_length=1, max_length=60)
    own_people: int = Field(ge=1, le=MOST_PEOPLE)
    enemy: str = Field(min_length=1, max_length=60)
    enemy_people: int = Field(ge=1, le=MOST_PEOPLE)
    mode: Mode = Mode.INDEPENDENT
    officers: bool = False
    playable: bool = False


class BattleSideOptions(Document):
    """The options of a side's strength.

    Attributes:
        side: The side.
        people: Its size; unchanged by default.
        gear: The strength of each with their gear, in percent.
    """

    side: str = Field(max_length=60)
    people: int | None = Field(default=None, ge=1, le=MOST_PEOPLE)
    gear: int = Field(default=100, ge=1, le=10_000)


class WorksOptions(Document):
    """The options of fortifications.

    Attributes:
        attacker: The attacking side.
        size: Their strength, from 0 for none to 6.
    """

    attacker: str = Field(max_length=60)
    size: int = Field(ge=0, le=STRONGEST_WORKS)


class WhichOptions(Document):
    """The options of a command about a side."""

    side: str = Field(max_length=60)


class KillsOptions(Document):
    """The options of counting kills."""

    side: str = Field(max_length=60)
    count: int = Field(ge=1, le=MOST_PEOPLE)


class BattleAtOptions(Document):
    """The options of rolling a round; by default that of the channel's battle."""

    at: str = Field(default="", max_length=100)


class SurrenderOptions(BattleAtOptions):
    """The options of a surrender."""

    place: int = Field(ge=0, lt=SIDES)


def start(scene: Scene, options: BeginOptions, _dice: Dice) -> Outcome:
    """Start a mass battle.

    Raises:
        UserError: If there is one already, or it cannot be integrated.

    Source: RPJ-MASS-01 to RPJ-MASS-03.
    """
    require(scene, Pack.MASS_COMBAT)
    running = find_round(scene)
    if running is not None and not running.battle.is_over:
        raise UserError(
            "There is already a battle in this channel.", try_this="End it with /rpj-gm-fight mass end."
        )
    if options.own.strip().casefold() == options.enemy.strip().casefold():
        raise UserError("The two sides have different names.")
    sides = (
        BattleSide(name=options.own.strip(), people=options.own_people),
        BattleSide(name=options.enemy.strip(), people=options.enemy_people),
    )
    battle = begin(sides[0], sides[1], options.mode)
    assert_integrable(battle, both_have_officers=options.officers, is_playable=options.playable)
    battle_round = MassRound(key=f"{MASS}/{scene.moment}", battle=battle, felled=_felled(scene))
    return Outcome(
        scene=with_new_round(scene, battle_round),
        headline=f"starts a mass battle: {options.own.strip()} against {options.enemy.strip()}",
        notes=_warnings(battle),
        gathering=battle_round.key,
    )


declare("mass.start", BeginOptions, start, gm_only=True, needs_actor=False)


def _warnings(battle: MassBattle) -> tuple[str, ...]:
    small = "With so few people, an ordinary encounter would do." if is_too_small(battle) else ""
    hopeless = "The weaker side is hopelessly outnumbered: it may surrender."
    return tuple(note for note in (small, hopeless if is_hopeless(battle) else "") if note)


def set_side(scene: Scene, options: BattleSideOptions, _dice: Dice) -> Outcome:
    """Set a side's strength, before anything has happened.

    Raises:
        UserError: If something has already happened.

    Source: RPJ-MASS-02 (MASS-02a).
    """
    require(scene, Pack.MASS_COMBAT)
    battle_round = open_round(scene)
    if battle_round.commands or battle_round.contributions or battle_round.battle.round > 1:
        raise UserError("You can't change a side's strength once the battle has started.")
    place = battle_round.battle.place(options.side)
    side = battle_round.battle.sides[place]
    worth = evolve(side, people=options.people or side.people, gear=options.gear)
    sides = battle_round.battle.with_side(place, worth).sides
    changed = battle_round.with_battle(begin(sides[0], sides[1], battle_round.battle.mode))
    markers = " and ".join(f"{one.name} {one.markers}" for one in changed.battle.sides)
    return Outcome(
        scene=with_round(scene, changed),
        headline=f"sets the sides' markers: {markers}",
        notes=_warnings(changed.battle),
    )


declare("mass.side", BattleSideOptions, set_side, gm_only=True, needs_actor=False)


def set_works(scene: Scene, options: WorksOptions, _dice: Dice) -> Outcome:
    """Set who attacks fortifications, and how strong they are.

    Source: RPJ-MASS-07 (MASS-07a).
    """
    require(scene, Pack.MASS_COMBAT)
    battle_round = open_round(scene)
    place = battle_round.battle.place(options.attacker)
    changed = battle_round.with_battle(with_works(battle_round.battle, place, options.size))
    name = battle_round.battle.sides[place].name
    done = (
        f"sets fortifications of strength {options.size}: {name} attack"
        if options.size
        else "removes the fortifications"
    )
    return Outcome(scene=with_round(scene, changed), headline=done)


declare("mass.works", WorksOptions, set_works, gm_only=True, needs_actor=False)


def retreat(scene: Scene, options: WhichOptions, _dice: Dice) -> Outcome:
    """Make a side retreat at the end of the round, or cancel that.

    Source: RPJ-MASS-14.
    """
    require(scene, Pack.MASS_COMBAT)
    battle_round = open_round(scene)
    place = battle_round.battle.place(options.side)
    side = battle_round.battle.sides[place]
    changed = evolve(side, retreats=not side.retreats)
    done = f"orders {side.name} to retreat" if changed.retreats else f"orders {side.name} to stay"
    return Outcome(
        scene=with_round(scene, battle_round.with_battle(battle_round.battle.with_side(place, changed))),
        headline=done,
    )


declare("mass.retreat", WhichOptions, retreat, gm_only=True, needs_actor=False)


def kill(scene: Scene, options: KillsOptions, _dice: Dice) -> Outcome:
    """Count people taken out in characters' turns.

    Source: RPJ-MASS-08 (MASS-08a).
    """
    require(scene, Pack.MASS_COMBAT)
    battle_round = open_round(scene)
    place = battle_round.battle.place(options.side)
    battle = with_kills(battle_round.battle, place, options.count)
    before, after = battle_round.battle.sides[place].markers, battle.sides[place].markers
    name = battle.sides[place].name
    return Outcome(
        scene=with_round(scene, battle_round.with_battle(battle)),
        headline=f"counts {options.count} of {name} as out of action",
        notes=(f"{name}: markers {before} → {after}.",) if after < before else (),
    )


declare("mass.kills", KillsOptions, kill, gm_only=True, needs_actor=False)


def _felled(scene: Scene) -> tuple[int, int]:
    """The number of mooks out of action on each side in the channel's fight."""
    fight = FIGHTS_KEPT.find(scene)
    fighters = () if fight is None else fight.combatants
    down = [one.side for one in fighters if one.kind is RpjKind.MOOK and one.out is not Out.NO]
    return down.count(FightSide.PLAYERS), down.count(FightSide.FOES)


def with_felled(scene: Scene, battle_round: MassRound) -> MassRound:
    """The round with the mooks taken out in the fight alongside it.

    Source: RPJ-MASS-08, RPJ-MASS-19.
    """
    if battle_round.battle.mode is not Mode.INTEGRATED:
        return battle_round
    felled, battle = _felled(scene), battle_round.battle
    for place in (0, 1):
        battle = with_kills(battle, place, max(felled[place] - battle_round.felled[place], 0))
    return evolve(battle_round.with_battle(battle), felled=felled)
