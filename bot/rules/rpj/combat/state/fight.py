"""A fight as it is kept: where everybody stands, whose turn it is, who holds whom."""

from collections.abc import Iterable, Iterator

from pydantic import Field

from bot.rules.kernel import Document
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.state.battlefield import ADJACENT, Battlefield, line
from bot.rules.rpj.combat.state.cinematic import Position, regions_of, yards_between
from bot.rules.rpj.combat.state.cover import RpjCover
from bot.rules.rpj.combat.state.fighters import Fighter, RpjKind

MOOKS = "mooks"
MIDDLE = Position(x=0, y=0)


class Grapple(Document):
    """Two who hold each other.

    Source: RPJ-GCS-50.
    """

    a: str
    b: str

    def other(self, id_: str) -> str:
        """The one who is not this one."""
        return self.b if id_ == self.a else self.a


class PlacedCover(Document):
    """Cover on the battlefield.

    Attributes:
        id: Its number in the fight.
        cover: What it is.
        region: Where it stands.
        groups: The groups that are in it.
        is_hidden: Whether only the GM knows of it, since only somebody hidden is behind it.

    Source: RPJ-FIRE-12.
    """

    id: int
    cover: RpjCover
    region: int
    groups: tuple[int, ...]
    is_hidden: bool = False


class Fight(Document):
    """A fight.

    Attributes:
        field: Where it takes place.
        fighters: Everybody in it.
        grapples: Who holds whom.
        order: Who has turns, in order; mooks have theirs together after everybody else.
        round: The round, from 1; 0 while everybody takes their places.
        covers: What stands there to hide behind.
        turn: Whose turn it is: a fighter, or all mooks; nothing before the first turn.
        is_cinematic: Whether it is played in yards, without regions and groups.
        positions: Where fighters stand in yards, by id; in the middle where left out.
        usual: The order that comes back with the next round, where somebody has put a turn off.
        together: Those who share the turn that is on.

    Source: RPJ-GCS-01, RPJ-GCS-08, RPJ-GCS-16, RPJ-CINE-01.
    """

    field: Battlefield = line(6)
    fighters: tuple[Fighter, ...] = ()
    grapples: tuple[Grapple, ...] = ()
    covers: tuple[PlacedCover, ...] = ()
    order: tuple[str, ...] = ()
    round: int = Field(default=0, ge=0)
    turn: str = ""
    is_cinematic: bool = False
    positions: dict[str, Position] = Field(default_factory=dict)
    usual: tuple[str, ...] = ()
    together: tuple[str, ...] = ()

    @property
    def has_begun(self) -> bool:
        """Whether the first turn has begun."""
        return self.round > 0

    def fighter(self, id_: str) -> Fighter:
        """Somebody in the fight.

        Raises:
            UserError: If nobody there is called so.
        """
        found = next((fighter for fighter in self.fighters if fighter.id == id_), None)
        if found is None:
            names = ", ".join(fighter.name for fighter in self.fighters if not fighter.is_hidden)
            raise UserError("They are not in this fight.", f"In it are {names}." if names else "")
        return found

    def with_fighter(self, fighter: Fighter) -> "Fight":
        """The same fight with one fighter written anew, or added."""
        if all(other.id != fighter.id for other in self.fighters):
            return self.model_copy(update={"fighters": (*self.fighters, fighter)})
        changed = tuple(fighter if other.id == fighter.id else other for other in self.fighters)
        return self.model_copy(update={"fighters": changed})

    def without(self, id_: str) -> "Fight":
        """The same fight without somebody."""
        return self.model_copy(
            update={
                "fighters": tuple(fighter for fighter in self.fighters if fighter.id != id_),
                "order": tuple(slot for slot in self.order if slot != id_),
                "grapples": tuple(hold for hold in self.grapples if id_ not in (hold.a, hold.b)),
            }
        )

    @property
    def present(self) -> Iterator[Fighter]:
        """Everybody who stands or lies there: mooks that are out have left, and some may hide."""
        return (fighter for fighter in self._there if not fighter.is_hidden)

    @property
    def hidden(self) -> Iterator[Fighter]:
        """Those of whom only the GM knows."""
        return (fighter for fighter in self._there if fighter.is_hidden)

    @property
    def _there(self) -> Iterator[Fighter]:
        return (one for one in self.fighters if one.kind is not RpjKind.MOOK or one.out == "no")

    def revealed(self, id_: str) -> "Fight":
        """The same fight with somebody out of hiding, and the cover that they are behind with them."""
        fighter = self.fighter(id_)
        covers = tuple(
            one.model_copy(update={"is_hidden": one.is_hidden and fighter.group not in one.groups})
            for one in self.covers
        )
        fight = self.model_copy(update={"covers": covers})
        return fight.with_fighter(fighter.model_copy(update={"is_hidden": False}))

    def group(self, fighter: Fighter) -> tuple[Fighter, ...]:
        """A fighter's group, without the fighter.

        Source: RPJ-GCS-05.
        """
        return tuple(
            other for other in self.present if self.are_adjacent(other, fighter) and other.id != fighter.id
        )

    def groups(self, region: int) -> tuple[tuple[Fighter, ...], ...]:
        """The groups of a region, the oldest first.

        Source: RPJ-GCS-05.
        """
        here = [fighter for fighter in self.present if fighter.region == region]
        numbers = sorted({fighter.group for fighter in here})
        return tuple(tuple(one for one in here if one.group == number) for number in numbers)

    @property
    def new_group(self) -> int:
        """The number of a group that is not there yet."""
        taken = [fighter.group for fighter in self.fighters]
        taken += [group for placed in self.covers for group in placed.groups]
        return max(taken, default=0) + 1

    def covers_of(self, fighter: Fighter) -> tuple[PlacedCover, ...]:
        """The cover that somebody is in.

        Source: RPJ-FIRE-12.
        """
        return tuple(one for one in self.covers if fighter.group in one.groups)

    @property
    def known_covers(self) -> tuple[PlacedCover, ...]:
        """The cover that everybody sees.

        Source: RPJ-FIRE-12.
        """
        groups = {one.group for one in self.present}
        return tuple(one for one in self.covers if not one.is_hidden or groups & set(one.groups))

    def with_cover(self, placed: PlacedCover) -> "Fight":
        """The same fight with one cover written anew, or added."""
        rest = tuple(one for one in self.covers if one.id != placed.id)
        covers = tuple(sorted((*rest, placed), key=lambda one: one.id))
        return self.model_copy(update={"covers": covers})

    def without_cover(self, id_: int) -> "Fight":
        """The same fight without a cover; who was in nothing else is in the open."""
        fight = self.model_copy(update={"covers": tuple(one for one in self.covers if one.id != id_)})
        for fighter in self.fighters:
            if self.covers_of(fighter) and not fight.covers_of(fighter):
                state = fighter.under_fire.displaced(in_cover=False)
                fight = fight.with_fighter(fighter.model_copy(update={"under_fire": state}))
        return fight

    def distance(self, a: Fighter, b: Fighter) -> int:
        """How far two fighters are from each other.

        Raises:
            UserError: If no way leads from one to the other.

        Source: RPJ-GCS-06.
        """
        if self.is_cinematic:
            regions = regions_of(self.yards(a, b))
            return ADJACENT if regions is None else regions
        if a.group == b.group:
            return ADJACENT
        steps = self.field.steps(a.region, b.region)
        if steps is None:
            raise UserError(f"No way leads from {self.field.name(a.region)} to {self.field.name(b.region)}.")
        return steps

    def are_adjacent(self, a: Fighter, b: Fighter) -> bool:
        """Whether two fighters are in one group, or within reach where yards are counted.

        Source: RPJ-GCS-05, RPJ-CINE-03 (CINE-03a).
        """
        if self.is_cinematic:
            return regions_of(self.yards(a, b)) is None
        return a.group == b.group

    def position(self, fighter: Fighter) -> Position:
        """Where a fighter stands, in yards.

        Source: RPJ-CINE-03.
        """
        return self.positions.get(fighter.id, MIDDLE)

    def yards(self, a: Fighter, b: Fighter) -> int:
        """How many yards two fighters are from each other.

        Source: RPJ-CINE-03.
        """
        return yards_between(self.position(a), self.position(b))

    def at(self, fighter: Fighter, position: Position) -> "Fight":
        """The same fight with somebody at another place in yards."""
        return self.model_copy(update={"positions": {**self.positions, fighter.id: position}})

    def grapple(self, id_: str) -> Grapple | None:
        """The grapple that somebody is in, or None."""
        return next((hold for hold in self.grapples if id_ in (hold.a, hold.b)), None)

    def without_grapple(self, id_: str) -> "Fight":
        """The same fight once somebody is in no grapple any more.

        Source: RPJ-GCS-56 (R-117).
        """
        left = tuple(hold for hold in self.grapples if id_ not in (hold.a, hold.b))
        return self.model_copy(update={"grapples": left})

    def acts(self, fighter: Fighter) -> bool:
        """Whether it is somebody's turn.

        Source: RPJ-GCS-08, RPJ-GCS-47, RPJ-CINE-10.
        """
        if fighter.id in self.together and self.turn in self.together:
            return True
        return self.turn in (fighter.id, MOOKS if fighter.kind is RpjKind.MOOK else fighter.id)

    def map_lines(self, known: Iterable[str] | None = None) -> tuple[str, ...]:
        """A line a region with its groups in brackets; identical mooks are counted.

        Args:
            known: Who is shown, by id; everybody without it.

        Source: RPJ-GCS-01, RPJ-GCS-05, RPJ-GCS-67.
        """
        shown = set(known) if known is not None else {fighter.id for fighter in self.fighters}
        if self.is_cinematic:
            there = [one for one in self.present if one.id in shown and not one.is_hidden]
            return tuple(f"{one.name}: {self.position(one)}" for one in there)
        lines = []
        for region in self.field.numbers:
            groups = [[one for one in group if one.id in shown] for group in self.groups(region)]
            told = " ".join(f"[{', '.join(counted(group))}]" for group in groups if group)
            lines.append(f"{self.field.name(region)}: {told or '–'}")
        return tuple(lines)


def counted(fighters: Iterable[Fighter]) -> tuple[str, ...]:
    """Names, with identical mooks counted ("Goblin ×3").

    Source: RPJ-GCS-67.
    """
    names: dict[str, int] = {}
    for fighter in fighters:
        name = fighter.mook.name if fighter.mook else fighter.name
        names[name] = names.get(name, 0) + 1
    return tuple(f"{name} ×{count}" if count > 1 else name for name, count in names.items())
