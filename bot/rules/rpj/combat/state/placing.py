"""Starting places in a fight."""

from typing import TYPE_CHECKING

from bot.rules.kernel import evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.state.combatant import MookSheet, RpjCombatant, RpjKind, Side

if TYPE_CHECKING:
    from bot.rules.rpj.combat.state.fight import Fight

MOST_MOOKS = 60


def starting_region(fight: "Fight", side: Side) -> int:
    """A side's starting region: the first for players, the last for others.

    Source: RPJ-GCS-20.
    """
    return 1 if side is Side.PLAYERS else fight.field.regions


def placed(
    fight: "Fight", newcomer: RpjCombatant, region: int | None = None, beside: str | None = None
) -> "Fight":
    """The fight with one more combatant.

    Args:
        fight: The fight.
        newcomer: Who comes.
        region: Where, if the GM says so; else where their side begins.
        beside: Whose group they begin in; without it the group of their own side, so that sides begin apart,
            and those who hide apart from those who do not.

    Raises:
        UserError: If there is no such region, or the one named is somewhere else.

    Source: RPJ-GCS-20, RPJ-GCS-21.
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
    """A number of mooks of a kind, with numbered names.

    Raises:
        UserError: If these are too many.

    Source: RPJ-GCS-46, RPJ-GCS-67.
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
