"""What a check is rolled with: its purpose, how criticals count, its modifiers and target number."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from bot.rules.kernel import Document, NamedTerm, evolve


class RpjPurpose(StrEnum):
    """The purpose of a roll, shown before its dice."""

    CHECK = "check"
    SAVE = "save"
    ATTACK = "attack"
    INITIATIVE = "initiative"
    ROLL_OFF = "roll-off"
    TOUCH = "touch"
    GRAPPLE = "grapple"
    COUP = "coup de grace"
    BLEEDING = "bleeding"
    WAKING = "waking up"
    TREATMENT = "treatment"
    STRAIN = "strain"
    ABILITY = "ability"
    RESISTANCE = "resistance"
    PURCHASE = "purchase"
    BATTLE = "battle"
    MORALE = "morale"
    RECOVERY = "recovery"
    LEVEL = "level"
    LEVELS = "attribute levels"
    CHOICE = "choice"
    TABLE = "table"


LOWEST, HIGHEST = 2, 12
NEAR_LOWEST, NEAR_HIGHEST = 3, 11


class CriticalMode(StrEnum):
    """How often criticals come: as rolled, only when confirmed, or more often.

    [RPJ-DICE-03, RPJ-DICE-04, RPJ-DICE-05]
    """

    NORMAL = "normal"
    CONFIRM = "confirm"
    WIDE = "wide"


class Policy(StrEnum):
    """Whether a critical that contradicts the total counts: the GM decides, always, or never.

    [RPJ-DICE-03 (R-002)]
    """

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


class Critical(StrEnum):
    """The critical the dice alone show."""

    NONE = "none"
    SUCCESS = "success"
    FAILURE = "failure"


class CriticalRules(Document):
    """A campaign's dice or coins, and its criticals."""

    with_coins: bool = False  # whether coins are flipped instead of rolling two dice
    mode: CriticalMode = CriticalMode.NORMAL  # how often criticals come
    # Highest confirmation die that makes a critical failure.
    confirm_fail_max: int = Field(default=3, ge=1, le=6)
    # Lowest confirmation die that makes a critical success.
    confirm_success_min: int = Field(default=4, ge=1, le=6)
    check_success: Policy = Policy.ASK  # whether double sixes below the target number of a check count
    check_failure: Policy = Policy.ALWAYS  # whether double ones that reach the target number of a check count
    combat: Policy = Policy.ALWAYS  # both, for combat and health rolls

    def asks_for_confirmation(self, pair: tuple[int, int]) -> bool:
        """Whether a pair of dice needs a confirmation die to be critical. [RPJ-DICE-04, RPJ-DICE-05]"""
        if self.mode is CriticalMode.CONFIRM:
            return sum(pair) in (LOWEST, HIGHEST)
        return self.mode is CriticalMode.WIDE and sum(pair) in (NEAR_LOWEST, NEAR_HIGHEST)

    def critical(self, pair: tuple[int, int], confirmation: int | None) -> Critical:
        """The critical of a pair of dice.

        Args:
            pair: The two dice that count.
            confirmation: The confirmation die, if the pair needs one.
        """
        is_low = sum(pair) <= NEAR_LOWEST
        if confirmation is not None and self.asks_for_confirmation(pair):
            if is_low:
                return Critical.FAILURE if confirmation <= self.confirm_fail_max else Critical.NONE
            return Critical.SUCCESS if confirmation >= self.confirm_success_min else Critical.NONE
        if sum(pair) == HIGHEST:
            return Critical.SUCCESS
        return Critical.FAILURE if sum(pair) == LOWEST else Critical.NONE


BASE_TARGET = 7
COUNT_OF_COINS = 5
COVER, COWERING = "cover", "cowering"  # parts of a shot's target number
Face = Annotated[int, Field(ge=1, le=6)]


class CheckKind(StrEnum):
    """The kind of roll; it decides what an exact match and a critical mean.

    [RPJ-SKILL-10 (R-032), RPJ-DICE-03 (R-002)]
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
    """The inputs of a check."""

    kind: CheckKind = CheckKind.SKILL  # what is rolled
    # Modifier, bonuses and penalties, added to the dice; zeros are left out.
    terms: tuple[NamedTerm, ...] = ()
    difficulty: int = Field(default=0, ge=-100, le=100)  # added to 7 for the target number
    opposition: tuple[NamedTerm, ...] = ()  # what the other side adds to the target number, by name
    criticals: CriticalRules = CriticalRules()  # how the campaign treats criticals
    has_extra_die: bool = False  # whether a Lucky Break adds a third die
    is_rescued: bool = False  # whether it was added after the others were rolled
    fallen: tuple[Face, ...] = ()  # dice already rolled, in order
    confirmation: Face | None = None  # the confirmation die, if already rolled
    # Which two of three dice count (counted from 0); the best two without it.
    kept: tuple[int, int] | None = None
    word: Word | None = None  # the GM's decision about a critical, or None
    ruled: tuple[Face, ...] = ()  # the dice this decision was about, the lowest first; empty for any dice

    def word_on(self, counted: Iterable[int]) -> Word | None:
        """The GM's decision about a critical of these dice; None where it was about other dice.

        [RPJ-DICE-03 (R-002)]
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
        """The target number: 7, the difficulty, and what the other side adds. [RPJ-DICE-01, RPJ-DICE-02]"""
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
