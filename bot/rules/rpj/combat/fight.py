"""A fight as it is stored: positions, turns, grapples, and the steps to resolve before it continues."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    SerializeAsAny,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from bot.rules.kernel import CharacterId, Document, FollowUp, Scene, evolve, rows_of
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.combatant import (
    ADJACENT,
    Battlefield,
    Legend,
    MookSheet,
    Position,
    RpjCombatant,
    RpjCover,
    RpjKind,
    Side,
    counted,
    fighter_id,
    hidden_stacks,
    line,
    regions_of,
    stack_name,
    stacks,
    yards_between,
)
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs
from bot.rules.shared.encounters import SHAPE, Called, Encounter, FightPlace

if TYPE_CHECKING:
    from bot.rules.rpj.combat.rules.turns import Stage


class Step(Document):
    """Something to resolve before a fight continues.

    A kind of step is one class, which says everything about itself; nothing else knows the kinds. The class
    gives its *kind*, the word by which stored steps are read again:

        class Bleed(Step, kind="bleed"): ...
    """

    kind: ClassVar[str] = ""
    kinds: ClassVar[dict[str, type["Step"]]] = {}

    def __init_subclass__(cls, *, kind: str = "", **more: Any) -> None:
        """Register a kind of step under its stored name.

        Raises:
            ValueError: Another kind of step has the same word.
        """
        super().__init_subclass__(**more)
        if not kind:  # what several kinds have in common
            return
        if kind in Step.kinds:
            raise ValueError(f"Two kinds of steps are stored as {kind}")
        cls.kind = kind
        Step.kinds[kind] = cls

    @model_validator(mode="wrap")
    @classmethod
    def _of_its_kind(cls, value: object, handler: ModelWrapValidatorHandler[Self]) -> "Step":
        """Read a stored step as its own class."""
        if not isinstance(value, Mapping):
            return handler(value)
        fields = {key: field for key, field in value.items() if key != "type"}
        if cls is not Step:
            return handler(fields)
        kind = Step.kinds.get(str(value.get("type")))
        if kind is None:
            raise ValueError(f"There is no step {value.get('type')}")
        return kind.model_validate(fields)

    @model_serializer(mode="wrap")
    def _with_its_kind(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write a step with its kind."""
        return {"type": self.kind, **handler(self)}

    # --- who -------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def whose(self) -> tuple[str, ...]:
        """The combatants it belongs to, by id; the one who rolls comes first."""

    @property
    def goal(self) -> int | None:
        """The region that a move leads to, or None."""
        return None

    @property
    def needs(self) -> tuple[str, ...]:
        """The combatants who must be in the fight for it."""
        return self.whose

    def among(self, there: Collection[str]) -> Self | None:
        """The step limited to those still in the fight, or None."""
        return self if set(self.needs) <= set(there) else None

    # --- what is done ----------------------------------------------------------------------------

    def now(self, stage: "Stage") -> Self | None:
        """The step when it comes first, without what is no longer possible; None if nothing is left."""
        return self

    def waits(self, stage: "Stage") -> bool:
        """Whether it waits for a decision or a roll; GM characters roll at once."""
        return False

    def run(self, stage: "Stage", dice: Dice, rolled: RpjCheckInputs | None = None) -> "Stage":
        """Run it; free attacks and other offers nobody takes are passed.

        Args:
            stage: The stage without it.
            rolled: Its roll, where dice of it lie on the table already.
        """
        return stage

    def pushed_on(self, stage: "Stage", dice: Dice) -> "Stage":
        """The stage after the GM continues without an answer."""
        return self.run(stage.popped(), dice)

    def settled(self, stage: "Stage", dice: Dice) -> "Stage":
        """The same when the fight is about to end."""
        return self.pushed_on(stage, dice)

    # --- what is said ----------------------------------------------------------------------------

    def questions(self, stage: "Stage") -> tuple[FollowUp, ...]:
        """The buttons of those it waits for, besides the GM's *Go on*."""
        return ()

    @abstractmethod
    def words(self, stage: "Stage") -> str:
        """What it is, as a phrase: "Ilsa's save against 9 damage"."""

    def waiting_words(self, stage: "Stage") -> str:
        """Who has to decide or roll, as the start of a sentence."""
        return "Something is being done"

    def pushed_words(self, stage: "Stage") -> str:
        """What the GM does by continuing without an answer."""
        return "continues the fight"


class PairStep(Step):
    """A step of one combatant that concerns another."""

    actor: str
    target: str

    @property
    def whose(self) -> tuple[str, ...]:
        """The combatant who acts."""
        return (self.actor,)

    @property
    def needs(self) -> tuple[str, ...]:
        """Both combatants."""
        return (self.actor, self.target)


MOST_MOOKS = 60


def starting_region(fight: "Fight", side: Side) -> int:
    """A side's starting region: the first for players, the last for others. [RPJ-GCS-20]"""
    return 1 if side is Side.PLAYERS else fight.field.regions


def placed(
    fight: "Fight", newcomer: RpjCombatant, region: int | None = None, beside: str | None = None
) -> "Fight":
    """The fight with one more combatant. [RPJ-GCS-20, RPJ-GCS-21]

    Args:
        newcomer: Who comes.
        region: Where, if the GM says so; else where their side begins.
        beside: Whose group they begin in; without it the group of their own side, so that sides begin
            apart, and those who hide apart from those who do not.

    Raises:
        UserError: If there is no such region, or the one named is somewhere else.
    """
    where = starting_region(fight, newcomer.side) if region is None else region
    fight.field.assert_region(where)
    others = fight.hiding if newcomer.is_hidden else fight.present
    own = (one for one in others if one.region == where and one.side is newcomer.side)
    friend = fight.fighter(beside) if beside is not None else next(own, None)
    if friend is not None and friend.region != where:
        raise UserError(
            f"{friend.name} is in {fight.field.name(friend.region)}.", "A group is in one region."
        )
    group = fight.new_group if friend is None else friend.group
    return fight.with_fighter(evolve(newcomer, region=where, group=group))


def mooks(fight: "Fight", sheet: MookSheet, count: int, side: Side = Side.FOES) -> tuple[RpjCombatant, ...]:
    """A number of mooks of a kind, with numbered names. [RPJ-GCS-46, RPJ-GCS-67]

    Raises:
        UserError: If these are too many.
    """
    there = sum(fighter.kind is RpjKind.MOOK for fighter in fight.combatants)
    if there + count > MOST_MOOKS:
        raise UserError(f"There are already {there} mooks.", f"A fight has room for {MOST_MOOKS}.")
    alike = sum(one.mook is not None and one.mook.name == sheet.name for one in fight.combatants)
    taken = {fighter.id for fighter in fight.combatants}
    ids = [f"m{number}" for number in range(1, MOST_MOOKS * 9) if f"m{number}" not in taken][:count]
    return tuple(
        RpjCombatant(id=id_, name=f"{sheet.name} {alike + number}", kind=RpjKind.MOOK, side=side, mook=sheet)
        for number, id_ in enumerate(ids, 1)
    )


MOOKS = "mooks"
MIDDLE = Position(x=0, y=0)


class Stance(StrEnum):
    """Who chooses a combatant's defenses. [RPJ-GCS-26]"""

    ASK = "ask"
    BEST = "best"
    DODGE = "dodge"
    ABSORB = "absorb"


class Grapple(Document):
    """Two combatants in a grapple. [RPJ-GCS-50]"""

    a: str
    b: str

    def other(self, id_: str) -> str:
        """The opponent of a combatant in the grapple."""
        return self.b if id_ == self.a else self.a


class PlacedCover(Document):
    """Cover on the battlefield. [RPJ-FIRE-12]"""

    id: int  # its number in the fight
    cover: RpjCover
    region: int  # where it stands
    groups: tuple[int, ...]
    is_hidden: bool = False  # whether only the GM knows of it, since only somebody hidden is behind it


class Fight(Encounter[RpjCombatant]):
    """A fight in a channel. [RPJ-GCS-01, RPJ-GCS-08, RPJ-GCS-16, RPJ-CINE-01]"""

    field: Battlefield = line(6)  # where it takes place
    grapples: tuple[Grapple, ...] = ()  # who holds whom
    covers: tuple[PlacedCover, ...] = ()  # what stands there to hide behind
    order: tuple[str, ...] = ()  # who has turns, in order; mooks have theirs together after everybody else
    turn: str = ""  # whose turn it is: a fighter, or all mooks; nothing before the first turn
    is_cinematic: bool = False  # whether it is played in yards, without regions and groups
    # Where fighters stand in yards, by id; in the middle where left out.
    positions: dict[str, Position] = Field(default_factory=dict)
    # The order that comes back with the next round, where somebody has put a turn off.
    usual: tuple[str, ...] = ()
    together: tuple[str, ...] = ()  # those who share the turn that is on

    # What is still to be done before the fight goes on; the last one comes first.
    steps: tuple[SerializeAsAny[Step], ...] = ()
    # Who chooses the defence, by fighter; else it is the better one.
    stances: dict[str, Stance] = Field(default_factory=dict)
    # How far legendary foes are brought down, by fighter.
    legends: dict[str, Legend] = Field(default_factory=dict)
    # What sides that were caught unawares add to initiative.
    surprise: dict[Side, int] = Field(default_factory=dict)

    @classmethod
    def in_shape(cls, body: Mapping[str, object]) -> Mapping[str, object]:
        """Convert the JSON of older versions.

        In shape 1 those in it were kept twice, and most of the rest in a part of its own.
        """
        if not {"fight", "seats", "lurking"} & body.keys():
            return body
        found, stored_hidden = body.get("fight"), body.get("lurking")
        part = found if isinstance(found, Mapping) else {}
        seats = {row.get("character"): row for row in rows_of(body.get("seats"))}
        fighters = rows_of(part.get("fighters"))
        there = {row.get("character") for row in fighters}
        lost = {who: {"saves_lost": row["saves_lost"]} for who, row in seats.items() if "saves_lost" in row}
        hidden = (
            who for who in (stored_hidden if isinstance(stored_hidden, list) else ()) if who not in seats
        )
        combatants = [
            *({**row, **lost.get(row.get("character"), {})} for row in fighters),
            *({**row, "id": f"c{who}"} for who, row in seats.items() if who not in there),
            *(_unplaced(who) for who in dict.fromkeys(hidden) if who not in there),
        ]
        rest = {key: value for key, value in body.items() if key not in ("fight", "seats", "lurking")}
        moved = {key: value for key, value in part.items() if key != "fighters"}
        return {**moved, **rest, "shape": SHAPE, "combatants": combatants}

    def contradiction(self) -> str:
        """What is contradictory in the fight, such as a turn or a grapple of someone who isn't in it."""
        there = {one.id for one in self.combatants}
        turns = {*self.order, *self.usual, *self.together, self.turn}
        if strange := turns - {*there, MOOKS, ""}:
            return f"{', '.join(sorted(strange))} has turns and takes no part."
        if strange := {id_ for hold in self.grapples for id_ in (hold.a, hold.b)} - there:
            return f"{', '.join(sorted(strange))} is held and takes no part."
        return super().contradiction()

    @classmethod
    def mended(cls, body: Mapping[str, object]) -> Mapping[str, object]:
        """The fight without contradictory turns, grapples and pending steps."""
        sound: dict[str, object] = dict(super().mended(body))
        there = {MOOKS, *(str(row.get("id")) for row in rows_of(sound["combatants"]))}

        def known(field: str) -> list[object]:
            named = sound.get(field)
            return [one for one in named if one in there] if isinstance(named, list) else []

        sound |= {field: known(field) for field in ("order", "usual", "together")}
        grapples = rows_of(sound.get("grapples"))
        sound["grapples"] = [hold for hold in grapples if there.issuperset((hold.get("a"), hold.get("b")))]
        if sound.get("turn", "") not in {*there, ""}:
            sound["turn"] = next(iter(known("order")), "")
        return {**sound, "steps": []}

    @property
    def count(self) -> int:
        """The number of combatants, mooks included, hidden characters not."""
        return sum(one.mook is not None or not one.is_hidden for one in self.combatants)

    def called(self) -> tuple[Called, ...]:
        """The visible combatants by name, in the order of turns, then mooks by stacks. [RPJ-GCS-67]"""
        present = tuple(self.present)
        there = {one.id: one for one in present if one.kind is not RpjKind.MOOK}
        order = dict.fromkeys((*(one for one in self.order if one in there), *there))
        return (
            *(Called(there[id_].character, there[id_].name) for id_ in order),
            *(Called(stack[0].character, stack_name(stack, present)) for stack in stacks(present)),
        )

    def called_hidden(self) -> tuple[Called, ...]:
        """The hidden combatants by name, then mooks by stacks."""
        hiding = tuple(hidden_stacks(self.hiding))
        return (
            *(Called(one.character, one.name) for one in self.hidden if one.character is not None),
            *(Called(None, counted(stack)[0]) for stack in hiding),
        )

    @property
    def turn_key(self) -> str:
        """A key that is different for every turn."""
        return f"{self.round}/{self.turn}"

    def is_on(self, character: CharacterId) -> bool:
        """Whether it is a character's turn."""
        found = [one for one in self.combatants if one.character == character]
        return self.has_begun and any(self.acts(fighter) for fighter in found)

    def with_newcomers(self, newcomers: Iterable[RpjCombatant]) -> "Fight":
        """The fight with new characters: where they were hidden, or at their side's start."""
        fight: Fight = self
        for one in newcomers:
            hides = any(other.id == one.id and other.name for other in fight.hiding)
            fight = fight.revealed(one.id, one.saves_lost) if hides else placed(fight, one)
        return fight

    def with_hidden(self, newcomers: Iterable[RpjCombatant]) -> "Fight":
        """The fight with more hidden combatants, who have no turns yet."""
        fight: Fight = self
        for one in newcomers:
            fight = placed(fight, evolve(one, is_hidden=True))
        return fight

    def without(self, character: CharacterId) -> "Fight":
        """The same fight without a character."""
        return self.without_fighter(fighter_id(character))

    def stance(self, fighter: RpjCombatant) -> Stance:
        """Who chooses a combatant's defenses; the better one is automatic unless a player asked to choose.

        [RPJ-GCS-26]
        """
        return self.stances.get(fighter.id, Stance.BEST)

    def fighter(self, id_: str) -> RpjCombatant:
        """A combatant, by id.

        Raises:
            UserError: If nobody there is called so.
        """
        for fighter in self.combatants:
            if fighter.id == id_:
                return fighter
        names = ", ".join(fighter.name for fighter in self.combatants if not fighter.is_hidden)
        raise UserError("They aren't in this fight.", f"Fighting: {names}." if names else "")

    def with_fighter(self, fighter: RpjCombatant) -> "Fight":
        """The fight with a combatant replaced or added."""
        if all(other.id != fighter.id for other in self.combatants):
            return self.changed(combatants=(*self.combatants, fighter))
        return self.changed(
            combatants=tuple(fighter if other.id == fighter.id else other for other in self.combatants)
        )

    def without_fighter(self, id_: str) -> "Fight":
        """The fight without a combatant."""
        order = tuple(slot for slot in self.order if slot != id_)
        return self.changed(
            combatants=tuple(one for one in self.combatants if one.id != id_),
            order=order,
            usual=tuple(slot for slot in self.usual if slot != id_),
            together=tuple(one for one in self.together if one != id_),
            turn=self._turn_without(id_),
            grapples=tuple(hold for hold in self.grapples if id_ not in (hold.a, hold.b)),
        )

    def _turn_without(self, id_: str) -> str:
        """Whose turn it is after a combatant leaves: someone who shares it, or the one before."""
        if self.turn != id_:
            return self.turn
        place = self.order.index(id_) if id_ in self.order else 0
        sharing = (one for one in self.together if one != id_)
        rest = (*sharing, *reversed(self.order[:place]), *self.order[place + 1 :])
        has_mooks = any(one.kind is RpjKind.MOOK for one in self.present)
        return next(iter(rest), MOOKS if has_mooks else "")

    @property
    def present(self) -> Iterator[RpjCombatant]:
        """Everyone on the battlefield, without hidden combatants and defeated mooks."""
        return (fighter for fighter in self._there if not fighter.is_hidden)

    def opponents(self, fighter: RpjCombatant) -> tuple[RpjCombatant, ...]:
        """Everyone present on the other side; of equal mooks in a group only the first."""
        found: dict[object, RpjCombatant] = {}
        for one in self.present:
            if one.side is not fighter.side:
                found.setdefault(one.id if one.mook is None else (one.mook, one.group), one)
        return tuple(found.values())

    @property
    def hiding(self) -> Iterator[RpjCombatant]:
        """The hidden combatants."""
        return (fighter for fighter in self._there if fighter.is_hidden)

    @property
    def _there(self) -> Iterator[RpjCombatant]:
        return (one for one in self.combatants if one.kind is not RpjKind.MOOK or one.out == "no")

    def revealed(self, id_: str, saves_lost: int = 0) -> "Fight":
        """The fight with a combatant and their cover revealed.

        Args:
            id_: Who comes out.
            saves_lost: How many of their saves are crossed off by now.
        """
        fighter = self.fighter(id_)
        covers = tuple(
            evolve(one, is_hidden=one.is_hidden and fighter.group not in one.groups) for one in self.covers
        )
        shown = evolve(fighter, is_hidden=False, saves_lost=saves_lost)
        return self.changed(covers=covers).with_fighter(shown)

    def group(self, fighter: RpjCombatant) -> tuple[RpjCombatant, ...]:
        """The others in a combatant's group. [RPJ-GCS-05]"""
        return tuple(
            other for other in self.present if self.are_adjacent(other, fighter) and other.id != fighter.id
        )

    def groups(self, region: int) -> tuple[tuple[RpjCombatant, ...], ...]:
        """The groups of a region, the oldest first. [RPJ-GCS-05]"""
        here = [fighter for fighter in self.present if fighter.region == region]
        numbers = sorted({fighter.group for fighter in here})
        return tuple(tuple(one for one in here if one.group == number) for number in numbers)

    @property
    def new_group(self) -> int:
        """The number of a new group."""
        taken = [fighter.group for fighter in self.combatants]
        taken += [group for placed in self.covers for group in placed.groups]
        return max(taken, default=0) + 1

    def covers_of(self, fighter: RpjCombatant) -> tuple[PlacedCover, ...]:
        """The cover a combatant is in. [RPJ-FIRE-12]"""
        return tuple(one for one in self.covers if fighter.group in one.groups)

    @property
    def known_covers(self) -> tuple[PlacedCover, ...]:
        """The cover everyone can see. [RPJ-FIRE-12]"""
        groups = {one.group for one in self.present}
        return tuple(one for one in self.covers if not one.is_hidden or groups & set(one.groups))

    def with_cover(self, placed: PlacedCover) -> "Fight":
        """The fight with a cover replaced or added."""
        rest = tuple(one for one in self.covers if one.id != placed.id)
        covers = tuple(sorted((*rest, placed), key=lambda one: one.id))
        return self.changed(covers=covers)

    def without_cover(self, id_: int) -> "Fight":
        """The fight without a cover; those behind it are in the open."""
        fight = self.changed(covers=tuple(one for one in self.covers if one.id != id_))
        for fighter in self.combatants:
            if self.covers_of(fighter) and not fight.covers_of(fighter):
                state = fighter.under_fire.displaced(in_cover=False)
                fight = fight.with_fighter(evolve(fighter, under_fire=state))
        return fight

    def distance(self, a: RpjCombatant, b: RpjCombatant) -> int:
        """The distance between two combatants. [RPJ-GCS-06]

        Raises:
            UserError: If no way leads from one to the other.
        """
        if self.is_cinematic:
            regions = regions_of(self.yards(a, b))
            return ADJACENT if regions is None else regions
        if a.group == b.group:
            return ADJACENT
        steps = self.field.steps(a.region, b.region)
        if steps is None:
            raise UserError(
                f"There is no way from {self.field.name(a.region)} to {self.field.name(b.region)}."
            )
        return steps

    def are_adjacent(self, a: RpjCombatant, b: RpjCombatant) -> bool:
        """Whether two combatants are in one group or, in yards, within reach.

        [RPJ-GCS-05, RPJ-CINE-03 (CINE-03a)]
        """
        if self.is_cinematic:
            return regions_of(self.yards(a, b)) is None
        return a.group == b.group

    def position(self, fighter: RpjCombatant) -> Position:
        """A combatant's position, in yards. [RPJ-CINE-03]"""
        return self.positions.get(fighter.id, MIDDLE)

    def yards(self, a: RpjCombatant, b: RpjCombatant) -> int:
        """The distance between two combatants, in yards. [RPJ-CINE-03]"""
        return yards_between(self.position(a), self.position(b))

    def at(self, fighter: RpjCombatant, position: Position) -> "Fight":
        """The fight with a combatant at another position in yards."""
        return self.changed(positions={**self.positions, fighter.id: position})

    def grapple(self, id_: str) -> Grapple | None:
        """A combatant's grapple, or None."""
        return next((hold for hold in self.grapples if id_ in (hold.a, hold.b)), None)

    def without_grapple(self, id_: str) -> "Fight":
        """The fight without a combatant's grapple. [RPJ-GCS-56 (R-117)]"""
        left = tuple(hold for hold in self.grapples if id_ not in (hold.a, hold.b))
        return self.changed(grapples=left)

    def acts(self, fighter: RpjCombatant) -> bool:
        """Whether it is a combatant's turn. [RPJ-GCS-08, RPJ-GCS-47, RPJ-CINE-10]"""
        if fighter.id in self.together and self.turn in self.together:
            return True
        return self.turn in (fighter.id, MOOKS if fighter.kind is RpjKind.MOOK else fighter.id)

    @property
    def turn_words(self) -> str:
        """Whose turn it is, as a sentence."""
        if self.turn == MOOKS:
            return "It is the mooks' turn."
        acting = next((one.name for one in self.present if one.id == self.turn), "")
        return f"It is {acting}'s turn." if acting else ""

    def map_lines(self, known: Iterable[str] | None = None) -> tuple[str, ...]:
        """One line per region with its groups in brackets; identical mooks are counted.

        Args:
            known: Who is shown, by id; everybody without it.

        [RPJ-GCS-01, RPJ-GCS-05, RPJ-GCS-67]
        """
        shown = set(known) if known is not None else {fighter.id for fighter in self.combatants}
        if self.is_cinematic:
            there = [one for one in self.present if one.id in shown]
            return tuple(f"{one.name}: {self.position(one)}" for one in there)
        lines = []
        for region in self.field.numbers:
            groups = [[one for one in group if one.id in shown] for group in self.groups(region)]
            groups_here = " ".join(f"[{', '.join(counted(group))}]" for group in groups if group)
            lines.append(f"{self.field.name(region)}: {groups_here or '–'}")
        return tuple(lines)


def _unplaced(character: object) -> dict[str, object]:
    """The JSON of a hidden combatant without a place, as older versions stored it."""
    return {
        "id": f"c{character}",
        "character": character,
        "name": "",
        "kind": RpjKind.NPC,
        "side": Side.FOES,
        "is_hidden": True,
    }


FIGHTS_KEPT = FightPlace(Fight)


def is_fighting(scene: Scene, who: CharacterId) -> bool:
    """Whether a character is in the channel's fight, which has started."""
    fight = FIGHTS_KEPT.find(scene)
    return fight is not None and fight.has_begun and fight.combatant(who) is not None
