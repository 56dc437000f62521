"""An attempt: a check with everything that its message and its buttons need."""

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
    """A check that is to be rolled, or is rolled in part, with all that is told about it.

    Attributes:
        character: Who rolls.
        words: What is tried, after the verb: "Concealment".
        verb: What is done with it, after the name.
        inputs: What the check is made of; dice that lie on the table already stand in it.
        skill: What countdowns take it for; the words where left out.
        is_once: Whether it cannot be tried again, whatever it comes to.
        on: The kind of roll that traits ask for.
        of: The id of the skill, or the attribute, that traits ask for.
        concerns: Who else's state hangs on it; a roll or action of theirs closes the way back too.
        opposition: Against whom or what, where that is told in place of how hard it is: "against level 4".
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

    def anew(self, inputs: RpjCheckInputs) -> "RpjAttempt":
        """The same attempt made of other inputs."""
        return self.model_copy(update={"inputs": inputs})

    @property
    def window(self) -> Deadline:
        """Until when it can still be turned."""
        return window_of(self.character, *self.concerns)

    @property
    def deed(self) -> str:
        """What is done, without how hard it is: "checks Concealment", "checks Trade against level 4"."""
        return f"{self.verb} {self.words} {self.opposition}".rstrip()

    @property
    def chance(self) -> str:
        """The chance that it succeeds, for people ("58%")."""
        return percent(check_odds(self.inputs).enough or Fraction(0))


class AttemptOptions(Document):
    """The attempt that a button rolls."""

    attempt: RpjAttempt
