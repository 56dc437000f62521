"""The tables of the book, read once from `data/*.toml`; every row says where it comes from."""

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
    """One level of a wound track.

    Attributes:
        track: "blunt" or "rending".
        level: The book's name of it.
        tier: The tier of the attack that causes it.
        boxes: How many of it there is room for.
        rest_order: Which one an hour of rest heals first (1), or None where rest does not heal it.
        treated_at: The tier from which a treatment removes it, or None where none does.
        seconds_to_live: Game time until the GM is asked whether the character dies, or None.
    """

    track: str
    level: str
    tier: str
    boxes: int
    rest_order: int | None = None
    treated_at: str | None = None
    seconds_to_live: int | None = None


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
