"""The inputs of a check."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from bot.rules.kernel import Document, NamedTerm, evolve
from bot.rules.rpj.resolution.criticals import CriticalRules, Policy
from bot.rules.rpj.resolution.purposes import RpjPurpose

BASE_TARGET = 7
COUNT_OF_COINS = 5
COVER, COWERING = "cover", "cowering"  # parts of a shot's target number
Face = Annotated[int, Field(ge=1, le=6)]


class CheckKind(StrEnum):
    """The kind of roll; it decides what an exact match and a critical mean.

    Source: RPJ-SKILL-10 (R-032), RPJ-DICE-03 (R-002).
    """

    SKILL = "skill"
    ATTRIBUTE = "attribute"
    ATTRIBUTE_BONUS = "attribute bonus"
    SAVING_THROW = "saving throw"
    LUCK = "Luck"
    DAMAGE_SAVE = "damage save"
    ACQUISITION = "acquisition"
    STRAIN = "strain"
    MASS = "mass combat"
    INITIATIVE = "initiative"
    ATTACK = "attack"
    TOUCH = "touch"
    GRAPPLE = "grapple"
    COUP = "coup de grace"
    BLEEDING = "bleeding out"
    WAKING = "waking up"
    MEDICAL = "medical"

    @property
    def may_complicate(self) -> bool:
        """Whether an exact match may bring a complication."""
        return self in (CheckKind.SKILL, CheckKind.ATTRIBUTE)

    @property
    def is_combat(self) -> bool:
        """Whether criticals follow the rules of combat and health."""
        return self in _COMBAT

    @property
    def purpose(self) -> RpjPurpose:
        """The usual purpose of such a check."""
        return _PURPOSES.get(self, RpjPurpose.CHECK)


_PURPOSES = {
    CheckKind.SAVING_THROW: RpjPurpose.SAVE,
    CheckKind.DAMAGE_SAVE: RpjPurpose.SAVE,
    CheckKind.ACQUISITION: RpjPurpose.PURCHASE,
    CheckKind.STRAIN: RpjPurpose.STRAIN,
    CheckKind.MASS: RpjPurpose.BATTLE,
    CheckKind.INITIATIVE: RpjPurpose.INITIATIVE,
    CheckKind.ATTACK: RpjPurpose.ATTACK,
    CheckKind.TOUCH: RpjPurpose.TOUCH,
    CheckKind.GRAPPLE: RpjPurpose.GRAPPLE,
    CheckKind.COUP: RpjPurpose.COUP,
    CheckKind.BLEEDING: RpjPurpose.BLEEDING,
    CheckKind.WAKING: RpjPurpose.WAKING,
    CheckKind.MEDICAL: RpjPurpose.TREATMENT,
}
_COMBAT = frozenset(
    {
        CheckKind.DAMAGE_SAVE,
        CheckKind.STRAIN,
        CheckKind.MASS,
        CheckKind.ATTACK,
        CheckKind.TOUCH,
        CheckKind.GRAPPLE,
        CheckKind.COUP,
        CheckKind.BLEEDING,
        CheckKind.WAKING,
        CheckKind.MEDICAL,
    }
)


class Word(StrEnum):
    """The GM's decision about a critical: it counts, or only the total does."""

    ACCEPTED = "accepted"
    OVERRULED = "overruled"


class RpjCheckInputs(Document):
    """The inputs of a check.

    Attributes:
        kind: What is rolled.
        terms: Modifier, bonuses and penalties, added to the dice; zeros are left out.
        difficulty: Added to 7 for the target number.
        opposition: What the other side adds to the target number, by name.
        criticals: How the campaign treats criticals.
        has_extra_die: Whether a Lucky Break adds a third die.
        is_rescued: Whether it was added after the others were rolled.
        fallen: Dice already rolled, in order.
        confirmation: The confirmation die, if already rolled.
        kept: Which two of three dice count (counted from 0); the best two without it.
        word: The GM's decision about a critical, or None.
        ruled: The dice this decision was about, the lowest first; empty for any dice.
    """

    kind: CheckKind = CheckKind.SKILL
    terms: tuple[NamedTerm, ...] = ()
    difficulty: int = Field(default=0, ge=-100, le=100)
    opposition: tuple[NamedTerm, ...] = ()
    criticals: CriticalRules = CriticalRules()
    has_extra_die: bool = False
    is_rescued: bool = False
    fallen: tuple[Face, ...] = ()
    confirmation: Face | None = None
    kept: tuple[int, int] | None = None
    word: Word | None = None
    ruled: tuple[Face, ...] = ()

    def word_on(self, counted: Iterable[int]) -> Word | None:
        """The GM's decision about a critical of these dice; None where it was about other dice.

        Source: RPJ-DICE-03 (R-002).
        """
        return self.word if not self.ruled or self.ruled == tuple(sorted(counted)) else None

    @property
    def beforehand(self) -> "RpjCheckInputs":
        """The same check before any of its dice was rolled or changed."""
        return self.unthrown(has_extra_die=self.has_extra_die and not self.is_rescued)

    def unthrown(self, *, has_extra_die: bool) -> "RpjCheckInputs":
        """The same check with no dice rolled yet.

        Args:
            has_extra_die: Whether a third die is rolled with the others.
        """
        gone = {"fallen": (), "confirmation": None, "kept": None, "word": None, "ruled": ()}
        return evolve(self, **gone, has_extra_die=has_extra_die, is_rescued=False)

    @property
    def modifier(self) -> int:
        """The sum of all terms."""
        return sum(term.value for term in self.terms)

    @property
    def target(self) -> int:
        """The target number: 7, the difficulty, and what the other side adds.

        Source: RPJ-DICE-01, RPJ-DICE-02.
        """
        return BASE_TARGET + self.difficulty + sum(term.value for term in self.opposition)

    @property
    def dice(self) -> int:
        """The number of dice or coins of the check, without a confirmation die."""
        return (COUNT_OF_COINS if self.criticals.with_coins else 2) + self.has_extra_die

    @property
    def lucky_policy(self) -> Policy:
        """The policy for double sixes below the target number."""
        return self.criticals.combat if self.kind.is_combat else self.criticals.check_success

    @property
    def unlucky_policy(self) -> Policy:
        """The policy for double ones that reach the target number."""
        return self.criticals.combat if self.kind.is_combat else self.criticals.check_failure

    @model_validator(mode="after")
    def _has_room_for_what_lies_there(self) -> "RpjCheckInputs":
        if len(self.fallen) > self.dice:
            raise ValueError(f"A check of {self.dice} dice cannot have {len(self.fallen)} on the table.")
        if self.kept and not 0 <= self.kept[0] < self.kept[1] < self.dice:
            raise ValueError(f"Two different dice of {self.dice} are kept, the earlier first.")
        return self
