"""What a character can do now, and a GM to it, as the sheet and the board of a fight offer it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from bot.rules.kernel.play import Choice, FollowUp


class ActGroup(StrEnum):
    """The parts of a sheet's controls, in the order they are shown; a GM's own come last."""

    CHECK = "Check"
    FIGHT = "Fight"
    USE = "Use"
    SPEND = "Spend"
    REST = "Rest"
    GROW = "Grow"
    DAMAGE = "Damage"
    HEAL = "Heal"
    CONDITION = "Condition"
    GIVE = "Give"
    GM = "GM"


GM_GROUPS = (ActGroup.DAMAGE, ActGroup.HEAL, ActGroup.CONDITION, ActGroup.GIVE, ActGroup.GM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something a character, or for the audience GM a GM to it, can do now."""

    group: ActGroup  # where it is offered
    # What it does. Its label has the cost; the chance is found by trying it and need not be in it. Its
    # choices or blanks ask for the one thing that is missing, the likeliest first.
    do: FollowUp
    # The options that can be set before it is done, each with a title of up to 40 characters: yes or no, one
    # of a few words, or a small number. Their types come from the procedure's options.
    adjusts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    # What an option that takes text can be set to, each with its words, the preset first; of other options
    # the words alone.
    values: Mapping[str, tuple[Choice, ...]] = field(default_factory=lambda: MappingProxyType({}))
    # Entries of its menu that a GM has as buttons, in a word each: "−1", "−2", "−3".
    quick: tuple[Choice, ...] = ()
    has_chances: bool = False  # whether the entries of its menu differ in their chance, which each then shows
    is_due: bool = False  # whether the character isn't finished before it is done
    why_not: str = ""  # why it can't be done now, as a short sentence; it is then shown without being offered


class ActPart:
    """Some of what a character can do, worked out each time it is looked through, and only as far as that.

    Args:
        made: Makes the acts, the most used first and those that are due before the others.
        groups: Every group that they may belong to.
        is_sure: Whether there almost always are some, at little cost: it is looked at before other parts.
        is_certain: Whether there are some in each of these groups: then none is made to learn that.
    """

    def __init__(
        self,
        made: Callable[[], Iterable[Act]],
        *groups: ActGroup,
        is_sure: bool = False,
        is_certain: bool = False,
    ) -> None:
        self.made = made
        self.groups = frozenset(groups)
        self.is_sure = is_sure
        self.is_certain = is_certain


def acts_in(parts: Iterable[ActPart], group: ActGroup | None = None) -> Iterator[Act]:
    """Every act, or every act of a group, in order."""
    for part in parts:
        if group is None or group in part.groups:
            yield from (act for act in part.made() if group in (None, act.group))


def groups_and_due(parts: Iterable[ActPart]) -> tuple[frozenset[ActGroup], tuple[Act, ...]]:
    """Every group that has any acts, and all acts that are due; as few others as possible are made.

    Those that are due must be in a part whose groups no other part has.
    """
    parts = tuple(parts)
    found = {group for part in parts if part.is_certain for group in part.groups}
    due: list[Act] = []
    for part in sorted(parts, key=lambda one: (not one.is_sure, len(one.groups))):
        if part.groups <= found:
            continue
        for act in part.made():
            found.add(act.group)
            if act.is_due:
                due.append(act)
            elif part.groups <= found:
                break
    return frozenset(found), tuple(due)
