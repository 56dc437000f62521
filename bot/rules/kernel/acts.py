"""What a character can do now, and a GM to it, as the sheet and the board of a fight offer it."""

from collections.abc import Mapping
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
    """Something a character, or for the audience GM a GM to it, can do now.

    Attributes:
        group: Where it is offered.
        do: What it does. Its label has the cost; the chance is found by trying it and need not be in it. Its
            choices or blanks ask for the one thing that is missing, the likeliest first.
        adjusts: The options that can be set before it is done, each with a title of up to 40 characters: yes
            or no, one of a few words, or a small number. Their types come from the procedure's options.
        values: What an option that takes text can be set to, each with its words; the preset first.
        is_due: Whether the character isn't finished before it is done.
        why_not: Why it can't be done now, as a short sentence; it is then shown without being offered.
    """

    group: ActGroup
    do: FollowUp
    adjusts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    values: Mapping[str, tuple[Choice, ...]] = field(default_factory=lambda: MappingProxyType({}))
    is_due: bool = False
    why_not: str = ""
