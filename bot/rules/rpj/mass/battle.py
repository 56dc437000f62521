"""A battle: two sides with their markers, the parts of this round's modifiers, and who has left."""

from enum import StrEnum
from math import ceil, floor

from pydantic import Field, model_validator

from bot.rules.kernel import CharacterId, Document
from bot.rules.kernel.errors import UserError

MARKERS = 10
USUAL_MINIMUM = 20
PERCENT = 100
STRONGEST_WORKS = 6
SIDES = 2


class Mode(StrEnum):
    """Whether a battle is an event of its own, or runs beside the turns of a fight.

    Source: RPJ-MASS-01, RPJ-MASS-19.
    """

    INDEPENDENT = "independent"
    INTEGRATED = "integrated"


class RpjStatus(StrEnum):
    """How a side stands.

    Source: RPJ-MASS-16.
    """

    FIGHTING = "fighting"
    VICTORIOUS = "victorious"
    RETREATED = "retreated"
    ROUTED = "routed"
    WIPED_OUT = "wiped out"


class ModifierPart(Document):
    """A part of a side's modifier: what for, and how much.

    Attributes:
        label: What for.
        value: How much.
        by: The character it comes from, or None.
    """

    label: str
    value: int
    by: CharacterId | None = None


class BattleSide(Document):
    """One side of a battle.

    Attributes:
        name: What it is called.
        people: How many they are, or how many vehicles.
        gear: What their equipment makes each of them worth, in hundredths.
        start: Markers at the beginning.
        markers: Markers left.
        standing: Markers at the beginning of this round.
        works: Strength of the works they attack (below 0) or hold (above 0), in the attackers' terms.
        parts: This round's modifier so far, besides numbers and works.
        has_commanded: Whether the command check of this round is made.
        retreats: Whether they leave at the end of this round.
        kills: People of this side that characters have taken out on turns of their own.
        status: How they stand.
    """

    name: str = Field(min_length=1, max_length=60)
    people: int = Field(ge=1, le=10_000_000)
    gear: int = Field(default=PERCENT, ge=1, le=100 * PERCENT)
    start: int = Field(default=0, ge=0, le=MARKERS)
    markers: int = Field(default=0, ge=0, le=MARKERS)
    standing: int = Field(default=0, ge=0, le=MARKERS)
    works: int = Field(default=0, ge=-STRONGEST_WORKS, le=STRONGEST_WORKS)
    parts: tuple[ModifierPart, ...] = ()
    has_commanded: bool = False
    retreats: bool = False
    kills: int = Field(default=0, ge=0)
    status: RpjStatus = RpjStatus.FIGHTING

    @property
    def strength(self) -> int:
        """Numbers and equipment, in hundredths of a plain soldier.

        Source: RPJ-MASS-02 (MASS-02a).
        """
        return self.people * self.gear

    @property
    def lost(self) -> int:
        """Markers lost since the battle began."""
        return self.start - self.markers

    def without_markers(self, count: int) -> "BattleSide":
        """The same side with markers removed, as far as there are any."""
        return self.model_copy(update={"markers": max(self.markers - count, 0)})

    def people_in(self, markers: int) -> int:
        """How many people so many markers stand for, counted from the first lost.

        Source: RPJ-MASS-18 (MASS-18a).
        """
        return floor((2 * markers * self.people + self.start) / (2 * self.start))


class MassBattle(Document):
    """A battle.

    Attributes:
        sides: The two sides.
        mode: Whether it runs beside the turns of a fight.
        round: The mass round, from 1.
        contributed: Characters who have made their contribution check this round, or play turns of it.
    """

    sides: tuple[BattleSide, ...] = Field(min_length=SIDES, max_length=SIDES)
    mode: Mode = Mode.INDEPENDENT
    round: int = Field(default=1, ge=1)
    contributed: tuple[CharacterId, ...] = ()

    @model_validator(mode="after")
    def _has_two_names(self) -> "MassBattle":
        if self.sides[0].name.casefold() == self.sides[1].name.casefold():
            raise ValueError("The two sides have different names.")
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
        raise UserError(f"There is no side “{name}”.", f"The sides are {names}.")

    def with_side(self, place: int, side: BattleSide) -> "MassBattle":
        """The same battle with one side changed."""
        sides = tuple(side if at == place else old for at, old in enumerate(self.sides))
        return self.model_copy(update={"sides": sides})

    @property
    def is_over(self) -> bool:
        """Whether a side has left or is gone."""
        return any(side.status is not RpjStatus.FIGHTING for side in self.sides)

    def modifier_parts(self, place: int) -> tuple[ModifierPart, ...]:
        """Every part of a side's modifier this round, zeros left out.

        Source: RPJ-MASS-04, RPJ-MASS-05, RPJ-MASS-07.
        """
        own, enemy = self.sides[place], self.sides[1 - place]
        named = (
            ModifierPart(label="numbers", value=own.markers - enemy.markers),
            *own.parts,
            ModifierPart(label="works", value=works_modifier(own.works)),
        )
        return tuple(part for part in named if part.value)

    def modifier(self, place: int) -> int:
        """A side's modifier this round as far as it is known."""
        return sum(part.value for part in self.modifier_parts(place))


def works_modifier(works: int) -> int:
    """What works are to those who attack them (below 0) or hold them (above 0).

    Source: RPJ-MASS-07 (MASS-07a).
    """
    return works if works <= 0 else works // 2


def begin(first: BattleSide, second: BattleSide, mode: Mode = Mode.INDEPENDENT) -> MassBattle:
    """A battle with its markers: ten for the stronger side, the other's in proportion, rounded up.

    Source: RPJ-MASS-02.
    """
    strongest = max(first.strength, second.strength)

    def marked(side: BattleSide) -> BattleSide:
        count = max(ceil(MARKERS * side.strength / strongest), 1)
        return side.model_copy(update={"start": count, "markers": count, "standing": count})

    return MassBattle(sides=(marked(first), marked(second)), mode=mode)


def is_hopeless(battle: MassBattle) -> bool:
    """Whether one marker is hard to justify for the weaker side, so that it may rather surrender.

    Source: RPJ-MASS-03.
    """
    strengths = [side.strength for side in battle.sides]
    return MARKERS * min(strengths) < max(strengths)


def assert_integrable(battle: MassBattle, *, both_have_officers: bool, is_playable: bool) -> None:
    """Refuse a battle beside the turns of a fight where that does not work.

    Args:
        battle: The battle.
        both_have_officers: Whether both sides have more than mooks.
        is_playable: Whether the GM holds a part of it small enough for turns.

    Raises:
        UserError: If it must be an event of its own.

    Source: RPJ-MASS-01.
    """
    if battle.mode is Mode.INTEGRATED and not (both_have_officers and is_playable):
        raise UserError(
            "A battle runs beside a fight only where both sides have more than mooks and a part of it "
            "is small enough to be played in turns.",
            "Play it as an event of its own.",
        )


def is_too_small(battle: MassBattle, minimum: int = USUAL_MINIMUM) -> bool:
    """Whether there are so few that an ordinary fight would do.

    Source: RPJ-MASS-01.
    """
    return sum(side.people for side in battle.sides) < minimum


def with_works(battle: MassBattle, attacker: int, size: int) -> MassBattle:
    """A battle for works: those who attack them, and how strong they are.

    Args:
        battle: The battle.
        attacker: The place of the attacking side.
        size: From 0 (none) to 6.

    Source: RPJ-MASS-07.
    """
    for place, works in ((attacker, -size), (1 - attacker, size)):
        battle = battle.with_side(place, battle.sides[place].model_copy(update={"works": works}))
    return battle


def with_kills(battle: MassBattle, place: int, count: int) -> MassBattle:
    """A battle after characters have taken out some of a side on turns of their own.

    A marker falls when the kills reach what it stands for; what is over is carried on.

    Source: RPJ-MASS-08 (MASS-08a).
    """
    side = battle.sides[place]
    kills = side.kills + count
    before, after = (_markers_for(side, killed) for killed in (side.kills, kills))
    side = side.model_copy(update={"kills": kills}).without_markers(after - before)
    return battle.with_side(place, side)


def _markers_for(side: BattleSide, kills: int) -> int:
    return sum(side.people_in(markers) <= kills for markers in range(1, side.start + 1))
