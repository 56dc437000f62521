"""The rolls of a battle: command, contributions, both sides, morale, and recovery."""

from dataclasses import dataclass, replace

from bot.rules.kernel import CharacterId, NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.mass.battle import BattleSide, MassBattle, ModifierPart, RpjStatus
from bot.rules.rpj.resolution.criticals import CriticalRules
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs

COMMAND_DIFFICULTY = 3
CONTRIBUTION_DIFFICULTY = 3
MORALE_DIFFICULTY = -4
RECOVERY = {RpjStatus.VICTORIOUS: 1, RpjStatus.RETREATED: 2, RpjStatus.ROUTED: 3, RpjStatus.WIPED_OUT: 3}
COMMAND, CONTRIBUTION = "command", "contribution"


def command_check(terms: tuple[NamedTerm, ...], criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of a command check.

    Args:
        terms: What is added to the dice: the command skill, class skills, traits.
        criticals: How the campaign treats criticals.

    Source: RPJ-MASS-06.
    """
    return RpjCheckInputs(terms=terms, difficulty=COMMAND_DIFFICULTY, criticals=criticals)


def contribution_check(
    battle: MassBattle, place: int, terms: tuple[NamedTerm, ...], criticals: CriticalRules
) -> RpjCheckInputs:
    """The inputs of a contribution check.

    Args:
        battle: The battle.
        place: Their side.
        terms: What is added to the dice: a combat skill, class skills, traits.
        criticals: How the campaign treats criticals.

    Source: RPJ-MASS-09.
    """
    outnumbered = max(battle.sides[1 - place].markers - battle.sides[place].markers, 0)
    opposition = (NamedTerm(label="outnumbered", value=outnumbered),) if outnumbered else ()
    return RpjCheckInputs(
        terms=terms, difficulty=CONTRIBUTION_DIFFICULTY, opposition=opposition, criticals=criticals
    )


def commanded(battle: MassBattle, place: int, who: CharacterId, degrees: int | None) -> MassBattle:
    """A battle after a command check; a failure only uses it up.

    Args:
        battle: The battle.
        place: The side.
        who: Who commanded.
        degrees: Degrees of success; None for a failure.

    Raises:
        UserError: If the side has already had its command check this round.

    Source: RPJ-MASS-06 (MASS-06a, MASS-06b).
    """
    side = battle.sides[place]
    if side.has_commanded:
        raise UserError(f"{side.name} have already had a command check this round.")
    parts = (*side.parts, ModifierPart(label=COMMAND, value=degrees, by=who)) if degrees else side.parts
    return battle.with_side(place, evolve(side, parts=parts, has_commanded=True))


def assert_may_contribute(battle: MassBattle, who: CharacterId) -> None:
    """Refuse a second contribution in a round, and one by a character who takes turns in it.

    Raises:
        UserError: If they have already contributed.

    Source: RPJ-MASS-09, RPJ-MASS-19 (MASS-19a).
    """
    if who in battle.contributed:
        raise UserError("You can contribute once per round, and not in a round when you take turns.")


def having_contributed(battle: MassBattle, who: CharacterId) -> MassBattle:
    """A battle in which a character has contributed this round.

    Source: RPJ-MASS-09, RPJ-MASS-19.
    """
    return evolve(battle, contributed=(*battle.contributed, who))


def contributed(
    battle: MassBattle, place: int, who: CharacterId, degrees: int, *, to_enemy: bool
) -> MassBattle:
    """A battle after a contribution: all its degrees raise one side or lower the other.

    Source: RPJ-MASS-10 (MASS-10a).
    """
    at, value = (1 - place, -degrees) if to_enemy else (place, degrees)
    side = battle.sides[at]
    parts = (*side.parts, ModifierPart(label=CONTRIBUTION, value=value, by=who)) if degrees else side.parts
    return battle.with_side(at, evolve(side, parts=parts))


def side_roll(battle: MassBattle, place: int, criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of a side's roll; its degrees of success are markers the other loses.

    Source: RPJ-MASS-12 (MASS-12a).
    """
    terms = tuple(NamedTerm(label=part.label, value=part.value) for part in battle.modifier_parts(place))
    return RpjCheckInputs(kind=CheckKind.MASS, terms=terms, criticals=criticals)


def morale_roll(side: BattleSide, criticals: CriticalRules) -> RpjCheckInputs:
    """The inputs of a morale roll of a side that has lost markers.

    Args:
        side: The side, with its losses.
        criticals: How the campaign treats criticals.

    Source: RPJ-MASS-13 (MASS-13a).
    """
    lost = NamedTerm(label="markers lost", value=side.lost)
    return RpjCheckInputs(
        kind=CheckKind.MASS, difficulty=MORALE_DIFFICULTY, opposition=(lost,), criticals=criticals
    )


def rolling(battle: MassBattle) -> tuple[int, ...]:
    """The places of the sides that roll this round: those that do not retreat.

    Source: RPJ-MASS-14.
    """
    return tuple(place for place, side in enumerate(battle.sides) if not side.retreats)


def after_rolls(battle: MassBattle, degrees: tuple[int | None, int | None]) -> MassBattle:
    """A battle after both sides' rolls; losses happen at the same time.

    Args:
        battle: The battle.
        degrees: Each side's degrees of success; None for a failure or a retreat.

    Source: RPJ-MASS-12.
    """
    for place in (0, 1):
        battle = battle.with_side(place, battle.sides[place].without_markers(degrees[1 - place] or 0))
    return battle


def shaken(battle: MassBattle) -> tuple[int, ...]:
    """The places of the sides that roll for morale: those that lost markers this round, have some, and stay.

    Source: RPJ-MASS-13, RPJ-MASS-14, RPJ-MASS-15, RPJ-MASS-08.
    """
    return tuple(
        place
        for place, side in enumerate(battle.sides)
        if 0 < side.markers < side.standing and not side.retreats
    )


@dataclass(frozen=True, slots=True)
class _Exit:
    """How a side leaves."""

    side: BattleSide
    status: RpjStatus


def ended(battle: MassBattle, routed: tuple[int, ...]) -> MassBattle:
    """A battle at the end of a round: routs cost a marker, and leaving sides have left.

    If one side remains it has won; otherwise a new round starts.

    Args:
        battle: The battle after losses.
        routed: The places of the sides whose morale has failed.

    Source: RPJ-MASS-14, RPJ-MASS-15, RPJ-MASS-16 (MASS-16a), RPJ-MASS-04 (MASS-04b).
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
    """The roll for one lost marker of a side once the battle is over.

    Source: RPJ-MASS-17 (MASS-17a).
    """
    return RpjCheckInputs(kind=CheckKind.MASS, difficulty=RECOVERY[side.status], criticals=criticals)


def dead_and_wounded(side: BattleSide, lost_for_good: int) -> tuple[int, int]:
    """The numbers of dead, lost or captured, and of wounded or damaged people of a side.

    Args:
        side: The side after the battle.
        lost_for_good: Lost markers whose recovery failed.

    Source: RPJ-MASS-18 (MASS-18a).
    """
    dead = side.people_in(lost_for_good)
    return dead, side.people_in(side.lost) - dead
