"""A stored battle, one document per round, and the GM's commands: start, sides, retreat, kills."""

from pydantic import Field

from bot.rules.kernel import Answer, CharacterId, Document, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.combat.combatant import RpjKind
from bot.rules.rpj.combat.combatant import Side as FightSide
from bot.rules.rpj.combat.fight import FIGHTS_KEPT
from bot.rules.rpj.mass_battle import (
    SIDES,
    STRONGEST_WORKS,
    BattleSide,
    MassBattle,
    Mode,
    assert_integrable,
    begin,
    commanded,
    contributed,
    having_contributed,
    is_hopeless,
    is_too_small,
    with_kills,
    with_works,
)
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import require

MASS, BATTLE = "mass", "battle"
BAR = 10


class Deed(Document):
    """A character's check in a battle round."""

    who: CharacterId  # who rolled
    place: int = Field(ge=0, le=1)  # the side it is for, 0 or 1
    answer: Answer  # the roll
    degrees: int | None = None  # degrees of success; None for a failure, or while the GM has to decide
    to_enemy: bool | None = None  # whether these lower the enemy instead; None until chosen


class MassRound(Document):
    """A battle round, the document of its message. [RPJ-MASS-01, RPJ-MASS-04]"""

    key: str  # its own key
    battle: MassBattle  # the battle, without what characters have done in this round
    commands: tuple[Deed, ...] = ()  # the command checks, by side
    contributions: tuple[Deed, ...] = ()  # the contribution checks, in their order
    felled: tuple[int, int] = (0, 0)  # mooks of each side already counted from the fight alongside it
    told: tuple[str, ...] = ()  # the result of the round in words; empty while it is open
    is_closed: bool = False  # whether it has been rolled

    @property
    def has_begun(self) -> bool:
        """Whether anybody has done anything in the battle. [RPJ-MASS-02, RPJ-MASS-03]"""
        return bool(self.commands or self.contributions) or self.battle.round > 1

    @property
    def standing(self) -> MassBattle:
        """The battle with the characters' checks; undecided successes count for their own side.

        [RPJ-MASS-04, RPJ-MASS-06, RPJ-MASS-10]
        """
        battle = self.battle
        for deed in self.commands:
            battle = commanded(battle, deed.place, deed.who, deed.degrees)
        for deed in self.contributions:
            to_enemy = bool(deed.to_enemy)
            battle = having_contributed(battle, deed.who)
            battle = contributed(battle, deed.place, deed.who, deed.degrees or 0, to_enemy=to_enemy)
        return battle

    def command(self, place: int) -> Deed | None:
        """The command check of a side, or None."""
        return next((deed for deed in self.commands if deed.place == place), None)

    def contribution(self, who: CharacterId) -> Deed | None:
        """A character's contribution, or None."""
        return next((deed for deed in self.contributions if deed.who == who), None)

    def with_command(self, deed: Deed) -> "MassRound":
        """The round with a side's command check."""
        rest = tuple(one for one in self.commands if one.place != deed.place)
        return evolve(self, commands=(*rest, deed))

    def with_contribution(self, deed: Deed) -> "MassRound":
        """The round with a character's contribution, replacing an earlier one."""
        if self.contribution(deed.who) is None:
            return evolve(self, contributions=(*self.contributions, deed))
        changed = tuple(deed if one.who == deed.who else one for one in self.contributions)
        return evolve(self, contributions=changed)

    def with_battle(self, battle: MassBattle) -> "MassRound":
        """The round with another state of the battle."""
        return evolve(self, battle=battle)


class BattleAt(Document):
    """The pointer to a channel's battle: the key of its round."""

    at: str


def battle_key(scene: Scene) -> str:
    """The key of a channel's pointer to its battle."""
    return f"{BATTLE}/{scene.channel}"


def find_round(scene: Scene) -> MassRound | None:
    """The round of the channel's battle, or None."""
    where = scene.stored(BattleAt, battle_key(scene))
    return None if where is None else scene.stored(MassRound, where.at)


def the_round(scene: Scene) -> MassRound:
    """The round of the channel's battle.

    Raises:
        UserError: If there is no battle.
    """
    found = find_round(scene)
    if found is None:
        raise UserError(
            "There is no battle in this channel.",
            try_this="The GM can start one with /rpj-gm-fight mass start.",
        )
    return found


def open_round(scene: Scene) -> MassRound:
    """The open round of the channel's battle.

    Raises:
        UserError: If there is none.
    """
    found = the_round(scene)
    if found.is_closed or found.battle.is_over:
        raise UserError(
            "The battle is over.",
            try_this="The GM can roll for the wounded with /rpj-gm-fight mass aftermath.",
        )
    return found


def with_round(scene: Scene, battle_round: MassRound) -> Scene:
    """The scene with a round stored."""
    return scene.with_document(battle_round.key, battle_round)


def with_new_round(scene: Scene, battle_round: MassRound) -> Scene:
    """The scene with a new round that the channel's battle continues with."""
    return with_round(scene, battle_round).with_document(battle_key(scene), BattleAt(at=battle_round.key))


def marker_bar(side: BattleSide) -> str:
    """A side's markers as a bar: those left, then those lost."""
    return "◼" * side.markers + "◻" * side.lost


MOST_PEOPLE = 10_000_000


class NothingAsked(Document):
    """The options of a command without options."""


class BeginOptions(Document):
    """The options of starting a battle."""

    own: str = Field(min_length=1, max_length=60)  # name of the players' side
    own_people: int = Field(ge=1, le=MOST_PEOPLE)  # its size
    enemy: str = Field(min_length=1, max_length=60)  # name of the other side
    enemy_people: int = Field(ge=1, le=MOST_PEOPLE)  # its size
    mode: Mode = Mode.INDEPENDENT  # whether it stands alone, or runs alongside a fight
    officers: bool = False  # whether both sides have more than mooks
    playable: bool = False  # whether a part of it is small enough to play in turns


class BattleSideOptions(Document):
    """The options of a side's strength."""

    side: str = Field(max_length=60)
    people: int | None = Field(default=None, ge=1, le=MOST_PEOPLE)  # its size; unchanged by default
    gear: int = Field(default=100, ge=1, le=10_000)  # the strength of each with their gear, in percent


class WorksOptions(Document):
    """The options of fortifications."""

    attacker: str = Field(max_length=60)  # the attacking side
    size: int = Field(ge=0, le=STRONGEST_WORKS)  # their strength, from 0 for none to 6


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


@procedure("mass.start", gm_only=True, needs_actor=False)
def start(scene: Scene, options: BeginOptions, _dice: Dice) -> Outcome:
    """Start a mass battle. [RPJ-MASS-01 to RPJ-MASS-03]

    Raises:
        UserError: If there is one already, or it cannot be integrated.
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


def _warnings(battle: MassBattle) -> tuple[str, ...]:
    small = "With so few people, an ordinary fight would do." if is_too_small(battle) else ""
    hopeless = "The weaker side is hopelessly outnumbered: it may surrender."
    return tuple(note for note in (small, hopeless if is_hopeless(battle) else "") if note)


@procedure("mass.side", gm_only=True, needs_actor=False)
def set_side(scene: Scene, options: BattleSideOptions, _dice: Dice) -> Outcome:
    """Set a side's strength, before anything has happened. [RPJ-MASS-02 (MASS-02a)]

    Raises:
        UserError: If something has already happened.
    """
    require(scene, Pack.MASS_COMBAT)
    battle_round = open_round(scene)
    if battle_round.has_begun:
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


@procedure("mass.works", gm_only=True, needs_actor=False)
def set_works(scene: Scene, options: WorksOptions, _dice: Dice) -> Outcome:
    """Set who attacks fortifications, and how strong they are. [RPJ-MASS-07 (MASS-07a)]"""
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


@procedure("mass.retreat", gm_only=True, needs_actor=False)
def retreat(scene: Scene, options: WhichOptions, _dice: Dice) -> Outcome:
    """Make a side retreat at the end of the round, or cancel that. [RPJ-MASS-14]"""
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


@procedure("mass.kills", gm_only=True, needs_actor=False)
def kill(scene: Scene, options: KillsOptions, _dice: Dice) -> Outcome:
    """Count people taken out in characters' turns. [RPJ-MASS-08 (MASS-08a)]"""
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


def _felled(scene: Scene) -> tuple[int, int]:
    """The number of mooks out of action on each side in the channel's fight."""
    fight = FIGHTS_KEPT.find(scene)
    fighters = () if fight is None else fight.combatants
    down = [one.side for one in fighters if one.kind is RpjKind.MOOK and one.out is not Out.NO]
    return down.count(FightSide.PLAYERS), down.count(FightSide.FOES)


def with_felled(scene: Scene, battle_round: MassRound) -> MassRound:
    """The round with the mooks taken out in the fight alongside it. [RPJ-MASS-08, RPJ-MASS-19]"""
    if battle_round.battle.mode is not Mode.INTEGRATED:
        return battle_round
    felled, battle = _felled(scene), battle_round.battle
    for place in (0, 1):
        battle = with_kills(battle, place, max(felled[place] - battle_round.felled[place], 0))
    return evolve(battle_round.with_battle(battle), felled=felled)
