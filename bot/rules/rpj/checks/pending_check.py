"""An attempt: a check with everything its message and its buttons need."""

from fractions import Fraction

from pydantic import Field

from bot.rules.kernel import CharacterId, Deadline, Document
from bot.rules.kernel.odds import percent
from bot.rules.rpj.character.roll_deadlines import window_of
from bot.rules.rpj.module.effects import RollTarget
from bot.rules.rpj.resolution.check import check_odds
from bot.rules.rpj.resolution.inputs import RpjCheckInputs

ROLL_GROUP = "roll"


class RpjAttempt(Document):
    """A check to be rolled, or rolled in part, with its texts.

    Attributes:
        character: Who rolls.
        words: What is checked, after the verb: "Concealment".
        verb: The verb after the character's name.
        inputs: The inputs of the check, including dice already rolled.
        skill: The skill it counts as for countdowns; the words where empty.
        is_once: Whether it cannot be retried.
        on: The kind of roll, for traits.
        of: The id of the skill, or the attribute, for traits.
        concerns: Other characters whose state depends on it; a roll or action of theirs is a deadline too.
        opposition: The opposition, where shown in place of the difficulty: "against level 4".
    """

    character: CharacterId
    words: str = Field(max_length=300)
    verb: str = Field(default="checks", max_length=40)
    inputs: RpjCheckInputs
    skill: str = Field(default="", max_length=100)
    is_once: bool = False
    on: RollTarget = RollTarget.SKILL
    of: str = ""
    concerns: tuple[CharacterId, ...] = ()
    opposition: str = Field(default="", max_length=300)

    @property
    def window(self) -> Deadline:
        """The deadline until which it can still be changed."""
        return window_of(self.character, *self.concerns)

    @property
    def action(self) -> str:
        """The action without its difficulty: "checks Concealment", "checks Trade against level 4"."""
        return f"{self.verb} {self.words} {self.opposition}".rstrip()

    @property
    def chance(self) -> str:
        """The chance that it succeeds, as text ("58%")."""
        return percent(check_odds(self.inputs).enough or Fraction(0))


class AttemptOptions(Document):
    """The attempt that a button rolls."""

    attempt: RpjAttempt
