"""Long magic: spells and abilities that take minutes of a fight."""

from pydantic import Field

from bot.rules.kernel import Document
from bot.rules.rpj.module.abilities import Ability


class Brew(Document):
    """Long magic in progress.

    Attributes:
        name: What it is called.
        of: How many whole turns it takes.
        done: How many have gone into it.
        round: The round of the last one.
        spell: The id of the spell; nothing for an ability.
        slot: The level of its slot that was asked for, or None.
        ability: The ability; None for a spell.
        targets: Whom it concerns, by what the fight calls them.
        unwilling: Whether somebody is to be touched who would rather not be.

    Source: RPJ-WMAG-14 (WMAG-14b).
    """

    name: str
    of: int = Field(ge=1)
    done: int = Field(default=1, ge=1)
    round: int
    spell: str = ""
    slot: int | None = None
    ability: Ability | None = None
    targets: tuple[str, ...] = ()
    unwilling: bool = False
