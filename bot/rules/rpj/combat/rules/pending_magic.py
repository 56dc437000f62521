"""What magic leaves to be done in a fight: touches, checks, resistance, saving throws, and what it does."""

from typing import Literal

from bot.rules.kernel import Document
from bot.rules.rpj.character.damage_saves import Strike
from bot.rules.rpj.module.abilities import Ability
from bot.rules.rpj.module.attributes import RpjAttribute


class Ward(Document):
    """Somebody who resists magic may do so before it does anything to them.

    Attributes:
        caster: Whose magic it is.
        target: Who resists.
        name: What it is called.
        value: Their spell defence.
        against: The caster's level in the attribute that the magic is linked to.

    Source: RPJ-SMAG-18 (SMAG-18b), RPJ-WMAG-05.
    """

    type: Literal["ward"] = "ward"
    caster: str
    target: str
    name: str
    value: int
    against: int


class Withstand(Document):
    """A saving throw against a spell.

    Attributes:
        caster: Whose spell it is.
        target: Who rolls.
        name: What it is called.
        attribute: What is rolled.
        base: What is added to 7.
        strike: What it does where that fails; None for what is no damage.
        on_success: What it does all the same.

    Source: RPJ-SMAG-07.
    """

    type: Literal["withstand"] = "withstand"
    caster: str
    target: str
    name: str
    attribute: RpjAttribute
    base: int
    strike: Strike | None = None
    on_success: str = ""


class Touch(Document):
    """Somebody reaches for an unwilling target; missed, what comes next is off.

    Source: RPJ-WMAG-18.
    """

    type: Literal["touch"] = "touch"
    actor: str
    target: str


class Wield(Document):
    """An ability that is about to be used.

    Attributes:
        actor: Who uses it.
        ability: The ability.
        targets: Whom it concerns.

    Source: RPJ-WMAG-02.
    """

    type: Literal["wield"] = "wield"
    actor: str
    ability: Ability
    targets: tuple[str, ...] = ()


class Harm(Document):
    """What magic does to somebody; nothing that is counted, without a strike."""

    type: Literal["harm"] = "harm"
    target: str
    strike: Strike | None = None


MagicStep = Ward | Withstand | Touch | Wield | Harm
