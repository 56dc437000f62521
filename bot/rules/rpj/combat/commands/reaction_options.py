"""The options of what is decided and rolled before a fight goes on."""

from bot.rules.kernel import Document
from bot.rules.rpj.combat.rules.defenses import Way
from bot.rules.rpj.combat.rules.encounter import Stance
from bot.rules.rpj.combat.rules.maneuvers import Maneuver

MOOKS = "mooks"


class ReactOptions(Document):
    """Whether somebody makes the free attack that is open to them.

    Attributes:
        by: Who; all mooks together as "mooks".
        strikes: Whether they do.
        maneuver: As which maneuver.
        weapon: With what.
    """

    by: str
    strikes: bool = True
    maneuver: Maneuver | None = None
    weapon: str = ""


class RpjDefendOptions(Document):
    """How an attack is met; the better way without a choice."""

    target: str
    way: Way | None = None


class SaveStepOptions(Document):
    """A damage save that is rolled.

    Attributes:
        target: Whose.
        all: Whether all that wait are rolled, one after another.
        lucky: Whether a Lucky Break is spent beforehand.
    """

    target: str
    all: bool = False
    lucky: bool = False


class DoomOptions(Document):
    """Whether damage that nobody saves against strikes home."""

    target: str
    strikes: bool = True


class WardOptions(Document):
    """Whether somebody resists magic, or who rolls a saving throw against it."""

    target: str
    resists: bool = True


class BleedOptions(Document):
    """Who rolls against bleeding out."""

    who: str


class AsideOptions(Document):
    """Whether somebody draws the one they have hit aside."""

    owner: str
    draws: bool = True


class StanceOptions(Document):
    """Who chooses one's defence from now on."""

    defense: Stance


class NoChoice(Document):
    """Nothing to choose."""


class WonOptions(Document):
    """What a won grapple check is used for."""

    winner: str
    damage: bool = False
