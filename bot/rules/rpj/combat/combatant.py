"""The combatants of a fight: characters and mooks, their turns, suppression and long magic."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.abilities import Ability
from bot.rules.rpj.module.basics import Scale
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.shared.encounters import AnyCombatant


class Brew(Document):
    """Long magic in progress. [RPJ-WMAG-14 (WMAG-14b)]"""

    name: str  # what it is called
    of: int = Field(ge=1)  # how many whole turns it takes
    done: int = Field(default=1, ge=1)  # how many have gone into it
    round: int  # the round of the last one
    spell: str = ""  # the id of the spell; nothing for an ability
    slot: int | None = None  # the level of its slot that was asked for, or None
    ability: Ability | None = None  # the ability; None for a spell
    targets: tuple[str, ...] = ()  # whom it concerns, by what the fight calls them
    unwilling: bool = False  # whether somebody is to be touched who would rather not be


class UnderFire(Document):
    """A combatant's Fire and Movement state. [RPJ-FIRE-17, RPJ-FIRE-18, RPJ-FIRE-24 to RPJ-FIRE-28]"""

    suppressors: tuple[str, ...] = ()  # who suppresses them, by their ids in the fight
    # The round with whose turn of theirs it ends; None while they are not suppressed.
    until_round: int | None = Field(default=None, ge=1)
    has_moved: bool = False  # whether they have moved this turn, so that no more shots are drawn by it
    overwatch: int | None = None  # the region they watch, or None
    is_reoriented: bool = False  # whether they face the other way in their cover
    reoriented_round: int = Field(default=0, ge=0)  # the round in which they last turned about, 0 for none
    is_cowering: bool = False
    is_cautious: bool = False  # whether cautious movement stands in for cover
    acted: bool = False  # whether they have moved or attacked this turn

    @property
    def is_suppressed(self) -> bool:
        """Whether they are suppressed."""
        return self.until_round is not None

    def _changed(self, **changes: object) -> "UnderFire":
        return evolve(self, **changes)

    def suppressed(self, by: str, round_: int, *, has_had_turn: bool) -> "UnderFire":
        """Suppressed until the end of their next turn. [RPJ-FIRE-23, RPJ-FIRE-24 (FIRE-24c)]

        Args:
            by: Who suppresses them.
            has_had_turn: Whether their turn of this round has begun.
        """
        suppressors = (*(one for one in self.suppressors if one != by), by)
        return self._changed(suppressors=suppressors, until_round=round_ + has_had_turn)

    def turn_began(self) -> "UnderFire":
        """At the start of their turn: effects until then end.

        [RPJ-FIRE-18, RPJ-FIRE-26 (FIRE-26a), RPJ-FIRE-28]
        """
        return self._changed(
            is_cowering=False, is_cautious=False, overwatch=None, has_moved=False, acted=False
        )

    def turn_ended(self, round_: int, *, in_cover: bool) -> "UnderFire":
        """At the end of their turn: due suppression ends; idle combatants in cover cower.

        [RPJ-FIRE-18 (FIRE-18b, FIRE-18c), RPJ-FIRE-24]
        """
        is_due = self.until_round is not None and self.until_round <= round_
        ended = self._changed(suppressors=(), until_round=None) if is_due else self
        return ended._changed(is_cowering=in_cover and not self.acted)

    def displaced(self, *, in_cover: bool) -> "UnderFire":
        """After changing place by any means. [RPJ-FIRE-12, RPJ-FIRE-18, RPJ-FIRE-26 (FIRE-26a)]"""
        return self._changed(
            overwatch=None,
            is_cowering=self.is_cowering and in_cover,
            is_reoriented=self.is_reoriented and in_cover,
        )

    def moved(self, *, leaves_cover: bool) -> "UnderFire":
        """After a move. [RPJ-FIRE-12, RPJ-FIRE-25, RPJ-FIRE-26]"""
        return self._changed(
            has_moved=True,
            acted=True,
            overwatch=None,
            is_cowering=False,
            is_reoriented=self.is_reoriented and not leaves_cover,
        )

    def attacked(self) -> "UnderFire":
        """After an attack on their own turn. [RPJ-FIRE-18]"""
        return self._changed(acted=True)

    def reoriented(self, round_: int, *, in_cover: bool) -> "UnderFire":
        """After turning around in cover, once per turn. [RPJ-FIRE-17 (FIRE-17a)]

        Raises:
            UserError: If they are in no cover, or did so this turn.
        """
        if not in_cover:
            raise UserError("There is no cover to turn around in.")
        if self.reoriented_round == round_:
            raise UserError("You can turn around once per turn.")
        return self._changed(
            is_reoriented=not self.is_reoriented, reoriented_round=round_, acted=True, is_cowering=False
        )

    def watching(self, region: int) -> "UnderFire":
        """On overwatch over a region. [RPJ-FIRE-26 (FIRE-26c)]"""
        return self._changed(overwatch=region, acted=True)

    def fired(self) -> "UnderFire":
        """After the shot of an overwatch, which ends it. [RPJ-FIRE-26, RPJ-FIRE-27]"""
        return self._changed(overwatch=None)

    def cautious(self, *, in_cover: bool) -> "UnderFire":
        """After a cautious move, which counts as a little cover in the open. [RPJ-FIRE-28]"""
        return self.moved(leaves_cover=not in_cover)._changed(is_cautious=not in_cover)

    def assert_may_move(self) -> None:
        """Refuse a move after overwatch was set. [RPJ-FIRE-26]"""
        if self.overwatch is not None:
            raise UserError(
                "You can't move while on overwatch.", "Overwatch ends at the start of your next turn."
            )

    def assert_may_aim(self) -> None:
        """Refuse Aimed Fire while suppressed. [RPJ-FIRE-21, RPJ-FIRE-24]"""
        if self.is_suppressed:
            raise UserError("You can't aim while suppressed.")


def shots_at_mover(mover: UnderFire) -> tuple[str, ...]:
    """Who can spend a free attack on a suppressed mover's first move this turn. [RPJ-FIRE-25, RPJ-FIRE-29]"""
    return mover.suppressors if mover.is_suppressed and not mover.has_moved else ()


def is_triggered(watcher: UnderFire, from_region: int, to_region: int, *, is_cautious: bool) -> bool:
    """Whether a combatant on overwatch can shoot at a mover. [RPJ-FIRE-26, RPJ-FIRE-30]"""
    return watcher.overwatch == to_region != from_region and not is_cautious


class RpjKind(StrEnum):
    """The kind of combatant. [RPJ-GCS-04]"""

    PLAYER = "player"
    NPC = "npc"
    MOOK = "mook"


class Side(StrEnum):
    """A side of a fight."""

    PLAYERS = "players"
    FOES = "foes"


class MookSheet(Document):
    """The stat block of a mook. [RPJ-GCS-46, RPJ-GCS-67 (R-137), RPJ-SCALE-01 (SCALE-01b)]"""

    name: str = Field(min_length=1, max_length=60)  # what it is called
    attack: int = Field(ge=-10, le=20)  # added to its attack rolls
    damage: int = Field(default=0, ge=-5, le=20)  # what a hit of it does
    defense: int = Field(ge=2, le=30)  # what must be rolled to hit it
    # Shortest distance it shoots at; None for its own group.
    least_range: int | None = Field(default=None, ge=0, le=20)
    # Longest distance it shoots at; None: it only strikes.
    greatest_range: int | None = Field(default=None, ge=0, le=20)
    is_nonlethal: bool = False  # whether it puts out instead of killing
    scale: Scale = Scale.NORMAL  # what it withstands, where damage scales are played
    damage_scale: Scale = Scale.NORMAL  # how great its damage is


class RpjTurn(Document):
    """The state of a combatant's turn. [RPJ-GCS-22]"""

    actions: int = Field(default=0, ge=0)  # actions that are left
    received: int = Field(default=0, ge=0)  # actions that it began with
    has_attacked: bool = False  # whether an Attack action has been spent
    has_swapped: bool = False  # whether the free change of equipment is used
    has_grappled: bool = False  # whether a grapple was attempted
    has_checked: bool = False  # whether the grapple check is made
    has_coup: bool = False  # whether a coup de grace was attempted
    has_helped: bool = False  # whether a helping hand was lent
    is_held: bool = False  # whether moving is over for this turn

    @property
    def is_untouched(self) -> bool:
        """Whether none of it has been spent."""
        return self == RpjTurn(actions=self.received, received=self.received, has_swapped=self.has_swapped)


def fighter_id(character: CharacterId) -> str:
    """What a character is called in the document of a fight."""
    return f"c{character}"


class RpjCombatant(AnyCombatant):
    """A combatant. [RPJ-GCS-04, RPJ-GCS-05, RPJ-GCS-13, RPJ-GCS-42, RPJ-MNV-02, RPJ-MNV-08]"""

    id: str  # what it is called in the fight's document
    kind: RpjKind
    side: Side  # whose side it is on
    mook: MookSheet | None = None
    out: Out = Out.NO  # what has become of a mook; characters keep it on their sheet
    region: int = 1  # where it is
    group: int = 0  # which group it belongs to; groups are numbered through the whole fight
    wielded: tuple[str, ...] = ()  # the weapons in its hands, by id
    initiative: int | None = None  # what it rolled
    modifier: int = 0  # what was added to that roll; settles ties of NPCs
    toss: int = 0  # a d6 that settles what is left of ties; 0 where none was needed
    turn: RpjTurn = RpjTurn()  # what has become of its turn
    free_attacks: int = Field(default=1, ge=0)  # free attacks of this round that are left
    was_targeted: bool = False  # whether somebody has attacked it in this round
    charges: int = Field(default=0, ge=0)  # prepare charges
    barred: tuple[str, ...] = ()  # whose groups it cannot join until its next turn
    # Magic of minutes that it concentrates on, or None; whoever attacks it spoils that.
    brewing: Brew | None = None
    under_fire: UnderFire = UnderFire()  # what Fire and Movement keeps of it
    saves_lost: int = Field(default=0, ge=0)  # how many saves were crossed off when it joined

    @property
    def is_foe(self) -> bool:
        """Whether it is on the foes' side."""
        return self.side is Side.FOES

    @property
    def has_a_minute(self) -> bool:
        """Whether a whole turn is free for a task: nothing spent, and not attacked this round.

        [RPJ-GCS-13 (R-075)]
        """
        return self.turn.is_untouched and not self.was_targeted


def counted(fighters: Iterable[RpjCombatant]) -> tuple[str, ...]:
    """Names, with identical mooks counted ("Goblin ×3"). [RPJ-GCS-67]"""
    names: dict[str, int] = {}
    for fighter in fighters:
        name = fighter.mook.name if fighter.mook else fighter.name
        names[name] = names.get(name, 0) + 1
    return tuple(f"{name} ×{count}" if count > 1 else name for name, count in names.items())


def stacks(fighters: Iterable[RpjCombatant]) -> Iterator[tuple[RpjCombatant, ...]]:
    """Stacks of mooks of one kind that stand together. [RPJ-GCS-67]"""
    mooks = [one for one in fighters if one.mook is not None]
    keys = dict.fromkeys((one.mook, one.side, one.group) for one in mooks)
    for mook, side, group in keys:
        yield tuple(one for one in mooks if (one.mook, one.side, one.group) == (mook, side, group))


def hidden_stacks(fighters: Iterable[RpjCombatant]) -> Iterator[tuple[RpjCombatant, ...]]:
    """Stacks of hidden mooks, by kind and place."""
    mooks = [one for one in fighters if one.character is None]
    for kind in dict.fromkeys((one.mook, one.region, one.group) for one in mooks):
        yield tuple(one for one in mooks if (one.mook, one.region, one.group) == kind)


def stack_name(stack: Sequence[RpjCombatant], fighters: Iterable[RpjCombatant]) -> str:
    """A stack of mooks as its line names it: a single one by its number where there are others like it."""
    alike = [one for one in fighters if one.mook == stack[0].mook]
    return stack[0].name if len(stack) == 1 < len(alike) else counted(stack)[0]
