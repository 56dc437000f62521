"""The tables of the book, read once from `data/*.toml`; every row says where it comes from."""

import tomllib
from collections.abc import Sequence
from enum import StrEnum
from importlib.resources import files
from typing import TypeVar

from bot.rules.kernel import Document


class MaidRow(Document):
    """One row of a table.

    Attributes:
        source: The ledger ids it rests on.
    """

    source: str


class TierRow(MaidRow):
    """A tier and the total from which it is reached (None: any total)."""

    name: str
    at_least: int | None = None


class StartingDie(MaidRow):
    """How many attributes of a new character are on a die."""

    sides: int
    attributes: int


class DieStep(MaidRow):
    """A step of the track along which dice grow."""

    sides: int


class BonusRow(MaidRow):
    """What *count* bonuses of one kind are worth together on one ability."""

    count: int
    bonus: int


class SuggestionRow(MaidRow):
    """A name to offer for an ability of a kind ("active" or "passive")."""

    name: str
    kind: str


class WoundRow(MaidRow):
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


class MagicRow(MaidRow):
    """What a face of the magic die does: wounds more or fewer, and what it adds to the total."""

    face: int
    wounds: int
    adds: int


class BlitzEffect(StrEnum):
    """What a card drawn for a Blitz Point does."""

    AUTOMATIC = "automatic"
    EVERYONE_AFTER = "everyone after"
    BONUS_D8 = "bonus d8"
    NOTHING = "nothing"


class BlitzRow(MaidRow):
    """What a rank of cards does in a blitz."""

    rank: str
    effect: BlitzEffect


RowModel = TypeVar("RowModel", bound=Document)


def read_rows(file: str, table: str, model: type[RowModel]) -> tuple[RowModel, ...]:
    """The rows of one table of a data file, in their order.

    Args:
        file: Name of the file without its ending.
        table: Name of the table.
        model: What a row is.
    """
    text = files("bot.rules.post_magic_maid").joinpath("data", f"{file}.toml").read_text("utf-8")
    rows: Sequence[object] = tomllib.loads(text)[table]
    return tuple(model.model_validate(row) for row in rows)


TIER_ROWS = read_rows("tiers", "tier", TierRow)
STARTING_DICE = read_rows("dice", "starting", StartingDie)
DIE_TRACK = tuple(row.sides for row in read_rows("dice", "step", DieStep))
SINGLE_BONUSES = tuple(row.bonus for row in read_rows("abilities", "single", BonusRow))
DOUBLE_BONUSES = tuple(row.bonus for row in read_rows("abilities", "double", BonusRow))
SUGGESTIONS = read_rows("suggestions", "ability", SuggestionRow)
WOUNDS = read_rows("wounds", "wound", WoundRow)
MAGIC = {row.face: row for row in read_rows("magic", "face", MagicRow)}
BLITZ_EFFECTS = {row.rank: row.effect for row in read_rows("blitz", "card", BlitzRow)}
