"""The five tiers, and how tiers are compared."""

from enum import StrEnum

from bot.rules.kernel import DataFiles, TableRow


class TierRow(TableRow):
    """A tier and the total from which it is reached (None: any total)."""

    name: str
    at_least: int | None = None


class StartingDie(TableRow):
    """How many attributes of a new character are on a die."""

    sides: int
    attributes: int


class DieStep(TableRow):
    """A step of the die track."""

    sides: int


class BonusRow(TableRow):
    """The combined value of *count* bonuses of one kind on one ability."""

    count: int
    bonus: int


class SuggestionRow(TableRow):
    """A suggested ability name of a kind ("active" or "passive")."""

    name: str
    kind: str


class WoundRow(TableRow):
    """One level of a wound track."""

    track: str  # "blunt" or "rending"
    level: str  # the book's name of it
    tier: str  # the tier of the attack that causes it
    boxes: int  # how many of it there is room for
    # Which one an hour of rest heals first (1), or None where rest does not heal it.
    rest_order: int | None = None
    treated_at: str | None = None  # the tier from which a treatment removes it, or None where none does
    seconds_to_live: int | None = None  # game time until the GM is asked whether the character dies, or None


class MagicRow(TableRow):
    """The effect of a magic die face: wounds added or removed, and a bonus to the total."""

    face: int
    wounds: int
    adds: int


class BlitzEffect(StrEnum):
    """The effects of cards drawn for a Blitz Point."""

    AUTOMATIC = "automatic"
    EVERYONE_AFTER = "everyone after"
    BONUS_D8 = "bonus d8"
    NOTHING = "nothing"


class BlitzRow(TableRow):
    """The effect of a card rank in a blitz."""

    rank: str
    effect: BlitzEffect


DATA = DataFiles("bot.rules.post_magic_maid")
TIER_ROWS = DATA.rows("tiers", "tier", TierRow)
STARTING_DICE = DATA.rows("dice", "starting", StartingDie)
DIE_TRACK = tuple(row.sides for row in DATA.rows("dice", "step", DieStep))
SINGLE_BONUSES = tuple(row.bonus for row in DATA.rows("abilities", "single", BonusRow))
DOUBLE_BONUSES = tuple(row.bonus for row in DATA.rows("abilities", "double", BonusRow))
SUGGESTIONS = DATA.rows("suggestions", "ability", SuggestionRow)
WOUNDS = DATA.rows("wounds", "wound", WoundRow)
MAGIC = {row.face: row for row in DATA.rows("magic", "face", MagicRow)}
BLITZ_EFFECTS = {row.rank: row.effect for row in DATA.rows("blitz", "card", BlitzRow)}


class MaidTier(StrEnum):
    """The tiers; only the highest one reached counts. [PMM-CHK-03, PMM-CHK-04]"""

    BELOW_10 = "below 10"
    TEN = "10"
    FIFTEEN = "15"
    TWENTY = "20"
    TWENTY_FIVE = "25"

    @property
    def level(self) -> int:
        """The tier's number of successes, from 0 to 4."""
        return TIERS.index(self)

    @property
    def words(self) -> str:
        """The tier's name in a sentence."""
        return self.value if self is MaidTier.BELOW_10 else f"tier {self.value}"


TIERS = tuple(MaidTier)
_FLOORS = tuple((MaidTier(row.name), row.at_least) for row in reversed(TIER_ROWS))


def tier_of(total: int) -> MaidTier:
    """The highest tier that a total reaches; a total equal to the threshold reaches it. [PMM-CHK-03]"""
    return next(tier for tier, at_least in _FLOORS if at_least is None or total >= at_least)


def assisted(action: MaidTier, assist: MaidTier) -> MaidTier:
    """The tier of an action after an assist.

    The assist counts from two tiers above the action: one tier for the second, and one more for each
    beyond it.

    [PMM-AST-01, PMM-AST-02; PMM-R31 (a failed action can be lifted too)]
    """
    boost = max(0, assist.level - action.level - 1)
    return TIERS[action.level + boost]


def contested(mine: MaidTier, theirs: MaidTier) -> MaidTier | None:
    """The winning tier of one side against another: the difference, or None without a win.

    [PMM-CON-01, PMM-CON-02; PMM-R33 (equal tiers are a stalemate)]
    """
    difference = mine.level - theirs.level
    return TIERS[difference] if difference > 0 else None
