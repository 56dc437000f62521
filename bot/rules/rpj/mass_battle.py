"""A mass battle: two sides with their markers, and every roll of a round."""

from enum import StrEnum
from math import ceil, floor

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field, model_validator

from bot.rules.kernel import CharacterId, Document, NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.resolution.check_inputs import CheckKind, CriticalRules, RpjCheckInputs

MARKERS = 10
USUAL_MINIMUM = 20
PERCENT = 100
STRONGEST_WORKS = 6
SIDES = 2


class Mode(StrEnum):
    """Whether a battle stands alone, or runs alongside the turns of a fight. [RPJ-MASS-01, RPJ-MASS-19]"""

    INDEPENDENT = "independent"
    INTEGRATED = "integrated"


class RpjStatus(StrEnum):
    """The status of a side. [RPJ-MASS-16]"""

    FIGHTING = "fighting"
    VICTORIOUS = "victorious"
    RETREATED = "retreated"
    ROUTED = "routed"
    WIPED_OUT = "wiped out"


class ModifierPart(Document):
    """A part of a side's modifier."""

    label: str
    value: int
    by: CharacterId | None = None  # the character it comes from, or None


class BattleSide(Document):
    """One side of a battle."""

    name: str = Field(min_length=1, max_length=60)
    people: int = Field(ge=1, le=10_000_000)  # the number of people, or vehicles
    # The strength of each with their gear, in percent.
    gear: int = Field(default=PERCENT, ge=1, le=100 * PERCENT)
    start: int = Field(default=0, ge=0, le=MARKERS)  # markers at the start
    markers: int = Field(default=0, ge=0, le=MARKERS)  # markers left
    standing: int = Field(default=0, ge=0, le=MARKERS)  # markers at the start of this round
    # Strength of the fortifications it attacks (negative) or holds (positive).
    works: int = Field(default=0, ge=-STRONGEST_WORKS, le=STRONGEST_WORKS)
    parts: tuple[ModifierPart, ...] = ()  # this round's modifier so far, besides numbers and fortifications
    has_commanded: bool = False  # whether this round's command check is made
    retreats: bool = False  # whether it retreats at the end of this round
    kills: int = Field(default=0, ge=0)  # people of this side taken out in characters' turns
    status: RpjStatus = RpjStatus.FIGHTING

    @property
    def strength(self) -> int:
        """Numbers times gear, in hundredths of an ordinary soldier. [RPJ-MASS-02 (MASS-02a)]"""
        return self.people * self.gear

    @property
    def lost(self) -> int:
        """Markers lost since the battle began."""
        return self.start - self.markers

    def without_markers(self, count: int) -> "BattleSide":
        """The side with markers removed, down to 0."""
        return evolve(self, markers=max(self.markers - count, 0))

    def people_in(self, markers: int) -> int:
        """The number of people that a number of markers stands for, counted from the first lost.

        [RPJ-MASS-18 (MASS-18a)]
        """
        return floor((2 * markers * self.people + self.start) / (2 * self.start))


class MassBattle(Document):
    """A battle."""

    sides: tuple[BattleSide, ...] = Field(min_length=SIDES, max_length=SIDES)  # the two sides
    mode: Mode = Mode.INDEPENDENT  # whether it runs beside the turns of a fight
    round: int = Field(default=1, ge=1)  # the mass round, from 1
    # Characters who have made their contribution check this round, or play turns of it.
    contributed: tuple[CharacterId, ...] = ()

    @model_validator(mode="after")
    def _has_two_names(self) -> "MassBattle":
        if self.sides[0].name.casefold() == self.sides[1].name.casefold():
            raise ValueError("Give the two sides different names.")
        return self

    def place(self, name: str) -> int:
        """The place of a side by its name, 0 or 1.

        Raises:
            UserError: If there is no such side.
        """
        for place, side in enumerate(self.sides):
            if side.name.casefold() == name.strip().casefold():
                return place
        names = " and ".join(side.name for side in self.sides)
        raise UserError(f"There is no side called “{name}”.", f"The sides are {names}.")

    def with_side(self, place: int, side: BattleSide) -> "MassBattle":
        """The same battle with one side changed."""
        sides = tuple(side if at == place else old for at, old in enumerate(self.sides))
        return evolve(self, sides=sides)

    @property
    def is_over(self) -> bool:
        """Whether a side has left or is gone."""
        return any(side.status is not RpjStatus.FIGHTING for side in self.sides)

    def modifier_parts(self, place: int) -> tuple[ModifierPart, ...]:
        """Every part of a side's modifier this round, zeros left out.

        [RPJ-MASS-04, RPJ-MASS-05, RPJ-MASS-07]
        """
        own, enemy = self.sides[place], self.sides[1 - place]
        named = (
            ModifierPart(label="numbers", value=own.markers - enemy.markers),
            *own.parts,
            ModifierPart(label="fortifications", value=works_modifier(own.works)),
        )
        return tuple(part for part in named if part.value)

    def modifier(self, place: int) -> int:
        """A side's modifier this round as far as it is known."""
        return sum(part.value for part in self.modifier_parts(place))


def works_modifier(works: int) -> int:
    """The modifier of fortifications for their attackers (negative) or holders (positive).

    [RPJ-MASS-07 (MASS-07a)]
    """
    return min(works, works // 2)


def begin(first: BattleSide, second: BattleSide, mode: Mode = Mode.INDEPENDENT) -> MassBattle:
    """A battle with its markers: ten for the stronger side, the other's in proportion, rounded up.

    [RPJ-MASS-02]
    """
    strongest = max(first.strength, second.strength)

    def marked(side: BattleSide) -> BattleSide:
        count = max(ceil(MARKERS * side.strength / strongest), 1)
        return evolve(side, start=count, markers=count, standing=count)

    return MassBattle(sides=(marked(first), marked(second)), mode=mode)


def is_hopeless(battle: MassBattle) -> bool:
    """Whether the weaker side hardly deserves one marker, so that it may surrender. [RPJ-MASS-03]"""
    strengths = [side.strength for side in battle.sides]
    return MARKERS * min(strengths) < max(strengths)


def assert_integrable(battle: MassBattle, *, both_have_officers: bool, is_playable: bool) -> None:
    """Refuse an integrated battle where that does not work. [RPJ-MASS-01]

    Args:
        both_have_officers: Whether both sides have more than mooks.
        is_playable: Whether the GM holds a part of it small enough for turns.
    """
    if battle.mode is Mode.INTEGRATED and not (both_have_officers and is_playable):
        raise UserError(
            "An integrated battle needs more than mooks on both sides, and a part small enough to play in "
            "turns.",
            "Set officers and playable, or use mode independent.",
        )


def is_too_small(battle: MassBattle, minimum: int = USUAL_MINIMUM) -> bool:
    """Whether there are so few people that an ordinary fight would do. [RPJ-MASS-01]"""
    return sum(side.people for side in battle.sides) < minimum


def with_works(battle: MassBattle, attacker: int, size: int) -> MassBattle:
    """A battle for works: those who attack them, and how strong they are. [RPJ-MASS-07]

    Args:
        attacker: The place of the attacking side.
        size: From 0 (none) to 6.
    """
    for place, works in ((attacker, -size), (1 - attacker, size)):
        battle = battle.with_side(place, evolve(battle.sides[place], works=works))
    return battle


def with_kills(battle: MassBattle, place: int, count: int) -> MassBattle:
    """A battle after characters have taken out people of a side in their turns. [RPJ-MASS-08 (MASS-08a)]

    A marker is lost when the kills reach what it stands for; the rest carries over.
    """
    side = battle.sides[place]
    kills = side.kills + count
    before, after = (_markers_for(side, killed) for killed in (side.kills, kills))
    side = evolve(side, kills=kills).without_markers(after - before)
    return battle.with_side(place, side)


def _markers_for(side: BattleSide, kills: int) -> int:
    return sum(side.people_in(markers) <= kills for markers in range(1, side.start + 1))


COMMAND_DIFFICULTY = 3
CONTRIBUTION_DIFFICULTY = 3
MORALE_DIFFICULTY = -4
RECOVERY = {RpjStatus.VICTORIOUS: 1, RpjStatus.RETREATED: 2, RpjStatus.ROUTED: 3, RpjStatus.WIPED_OUT: 3}
COMMAND, CONTRIBUTION = "command", "contribution"


def command_check(terms: tuple[NamedTerm, ...], criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of a command check. [RPJ-MASS-06]

    Args:
        terms: What is added to the dice: the command skill, class skills, traits.
        criticals: How the campaign treats criticals.
    """
    return RpjCheckInputs(terms=terms, difficulty=COMMAND_DIFFICULTY, criticals=criticals)


def contribution_check(
    battle: MassBattle, place: int, terms: tuple[NamedTerm, ...], criticals: CriticalRules
) -> RpjCheckInputs:
    """The inputs of a contribution check. [RPJ-MASS-09]

    Args:
        place: Their side.
        terms: What is added to the dice: a combat skill, class skills, traits.
        criticals: How the campaign treats criticals.
    """
    outnumbered = max(battle.sides[1 - place].markers - battle.sides[place].markers, 0)
    opposition = (NamedTerm(label="outnumbered", value=outnumbered),) if outnumbered else ()
    return RpjCheckInputs(
        terms=terms, difficulty=CONTRIBUTION_DIFFICULTY, opposition=opposition, criticals=criticals
    )


def commanded(battle: MassBattle, place: int, who: CharacterId, degrees: int | None) -> MassBattle:
    """A battle after a command check; a failure only uses it up. [RPJ-MASS-06 (MASS-06a, MASS-06b)]

    Args:
        place: The side.
        who: Who commanded.
        degrees: Degrees of success; None for a failure.

    Raises:
        UserError: If the side has already had its command check this round.
    """
    side = battle.sides[place]
    if side.has_commanded:
        raise UserError(f"{side.name} have already had a command check this round.")
    parts = (*side.parts, ModifierPart(label=COMMAND, value=degrees, by=who)) if degrees else side.parts
    return battle.with_side(place, evolve(side, parts=parts, has_commanded=True))


def assert_may_contribute(battle: MassBattle, who: CharacterId) -> None:
    """Refuse a second contribution in a round, and one by a character who takes turns in it.

    [RPJ-MASS-09, RPJ-MASS-19 (MASS-19a)]
    """
    if who in battle.contributed:
        raise UserError("You can contribute once per round, and not in a round when you take turns.")


def having_contributed(battle: MassBattle, who: CharacterId) -> MassBattle:
    """A battle in which a character has contributed this round. [RPJ-MASS-09, RPJ-MASS-19]"""
    return evolve(battle, contributed=(*battle.contributed, who))


def contributed(
    battle: MassBattle, place: int, who: CharacterId, degrees: int, *, to_enemy: bool
) -> MassBattle:
    """A battle after a contribution: all its degrees raise one side or lower the other.

    [RPJ-MASS-10 (MASS-10a)]
    """
    at, value = (1 - place, -degrees) if to_enemy else (place, degrees)
    side = battle.sides[at]
    parts = (*side.parts, ModifierPart(label=CONTRIBUTION, value=value, by=who)) if degrees else side.parts
    return battle.with_side(at, evolve(side, parts=parts))


def side_roll(battle: MassBattle, place: int, criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of a side's roll; its degrees of success are markers the other loses.

    [RPJ-MASS-12 (MASS-12a)]
    """
    terms = tuple(NamedTerm(label=part.label, value=part.value) for part in battle.modifier_parts(place))
    return RpjCheckInputs(kind=CheckKind.MASS, terms=terms, criticals=criticals)


def morale_roll(side: BattleSide, criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of a morale roll of a side that has lost markers. [RPJ-MASS-13 (MASS-13a)]

    Args:
        side: The side, with its losses.
        criticals: How the campaign treats criticals.
    """
    lost = NamedTerm(label="markers lost", value=side.lost)
    return RpjCheckInputs(
        kind=CheckKind.MASS, difficulty=MORALE_DIFFICULTY, opposition=(lost,), criticals=criticals
    )


def rolling(battle: MassBattle) -> tuple[int, ...]:
    """The places of the sides that roll this round: those that do not retreat. [RPJ-MASS-14]"""
    return tuple(place for place, side in enumerate(battle.sides) if not side.retreats)


def after_rolls(battle: MassBattle, degrees: tuple[int | None, int | None]) -> MassBattle:
    """A battle after both sides' rolls; losses happen at the same time. [RPJ-MASS-12]

    Args:
        degrees: Each side's degrees of success; None for a failure or a retreat.
    """
    for place in (0, 1):
        battle = battle.with_side(place, battle.sides[place].without_markers(degrees[1 - place] or 0))
    return battle


def shaken(battle: MassBattle) -> tuple[int, ...]:
    """The places of the sides that roll for morale: those that lost markers this round, have some, and stay.

    [RPJ-MASS-13, RPJ-MASS-14, RPJ-MASS-15, RPJ-MASS-08]
    """
    return tuple(
        place
        for place, side in enumerate(battle.sides)
        if 0 < side.markers < side.standing and not side.retreats
    )


class _Exit(Struct, frozen=True):
    """How a side leaves."""

    side: BattleSide
    status: RpjStatus


def ended(battle: MassBattle, routed: tuple[int, ...]) -> MassBattle:
    """A battle at the end of a round: routs cost a marker, and leaving sides have left.

    If one side remains it has won; otherwise a new round starts.

    Args:
        battle: The battle after losses.
        routed: The places of the sides whose morale has failed.

    [RPJ-MASS-14, RPJ-MASS-15, RPJ-MASS-16 (MASS-16a), RPJ-MASS-04 (MASS-04b)]
    """
    exits = [_exit(side, is_routed=place in routed) for place, side in enumerate(battle.sides)]
    leaving = [one.status is not RpjStatus.FIGHTING for one in exits]
    if sum(leaving) == 1:
        stays = leaving.index(False)
        exits[stays] = replace(exits[stays], status=RpjStatus.VICTORIOUS)
    fresh = {"parts": (), "has_commanded": False, "retreats": False}
    for place, one in enumerate(exits):
        changed = {"status": one.status, "standing": one.side.markers, **fresh}
        battle = battle.with_side(place, evolve(one.side, **changed))
    if any(leaving):
        return battle
    return evolve(battle, round=battle.round + 1, contributed=())


def _exit(side: BattleSide, *, is_routed: bool) -> _Exit:
    if side.markers == 0:
        return _Exit(side, RpjStatus.WIPED_OUT)
    if is_routed:
        return _Exit(side.without_markers(1), RpjStatus.ROUTED)
    return _Exit(side, RpjStatus.RETREATED if side.retreats else RpjStatus.FIGHTING)


def recovery_roll(side: BattleSide, criticals: CriticalRules) -> RpjCheckInputs:
    """The roll for one lost marker of a side once the battle is over. [RPJ-MASS-17 (MASS-17a)]"""
    return RpjCheckInputs(kind=CheckKind.MASS, difficulty=RECOVERY[side.status], criticals=criticals)


def dead_and_wounded(side: BattleSide, lost_for_good: int) -> tuple[int, int]:
    """The numbers of dead, lost or captured, and of wounded or damaged people of a side.

    Args:
        side: The side after the battle.
        lost_for_good: Lost markers whose recovery failed.

    [RPJ-MASS-18 (MASS-18a)]
    """
    dead = side.people_in(lost_for_good)
    return dead, side.people_in(side.lost) - dead
