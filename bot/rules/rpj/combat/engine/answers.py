"""The questions a fight waits for: their options and buttons."""

from fractions import Fraction

from bot.rules.kernel import Audience, Document, FollowUp
from bot.rules.kernel.odds import percent
from bot.rules.rpj.combat.rules.attacks import RpjAim, attack_check, is_open
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.defenses import Way, best_defense
from bot.rules.rpj.combat.rules.maneuvers import Maneuver
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.fight import Stance
from bot.rules.rpj.resolution.check import check_odds
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

MOOKS = "mooks"
GROUP = "answer"


class ReactOptions(Document):
    """Options: make a free attack, or pass.

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
    """Options: the defense against an attack; the better one by default."""

    target: str
    way: Way | None = None


class SaveStepOptions(Document):
    """Options: roll a damage save.

    Attributes:
        target: Whose.
        all: Whether all that wait are rolled, one after another.
        lucky: Whether a Lucky Break is spent beforehand.
    """

    target: str
    all: bool = False
    lucky: bool = False


class DoomOptions(Document):
    """Options: confirm damage without a save, or spare the target."""

    target: str
    strikes: bool = True


class WardOptions(Document):
    """Options: resist magic, or roll a saving throw against it."""

    target: str
    resists: bool = True


class BleedOptions(Document):
    """Options: roll against bleeding out."""

    who: str


class AsideOptions(Document):
    """Options: drag the target of a Watchful Strike along, or stay."""

    owner: str
    draws: bool = True


class StanceOptions(Document):
    """Options: who chooses a combatant's defenses from now on."""

    defense: Stance


class WonOptions(Document):
    """Options: what to do with a won grapple check."""

    winner: str
    damage: bool = False


def chance(inputs: RpjCheckInputs) -> str:
    """The chance of a check, as text."""
    return percent(check_odds(inputs).enough or Fraction(0))


def attack_chance(battle: Battle, aim: RpjAim) -> str:
    """The chance of an attack against the better defense, as text."""
    whom = battle[aim.target]
    return "hits" if is_open(whom) else chance(attack_check(battle, aim, best_defense(whom)))


def gm_button(procedure: str, options: Document, label: str) -> FollowUp:
    """A button for the GM alone."""
    return FollowUp(procedure=procedure, options=options, label=label[:80], audience=Audience.GM, group=GROUP)


def button_for(
    stage: Stage, who: str, procedure: str, options: Document, label: str, group: str = GROUP
) -> FollowUp:
    """A button for a combatant's player, or for the GM if it is a mook without a character."""
    name, character = stage.fight.fighter(who).name, stage.character(who)
    text = f"{name[:30]}: {label}"
    if character is None:
        return gm_button(procedure, options, text)
    return FollowUp(
        procedure=procedure, options=options, label=text[:80], character=character.id, group=group
    )
