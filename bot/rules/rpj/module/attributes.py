"""The seven attributes, their categories, and the bonus of a level."""

from enum import StrEnum


class Attribute(StrEnum):
    """The attributes, in the order of the sheet.

    Source: RPJ-ATTR-01.
    """

    STR = "STR"
    CON = "CON"
    DEX = "DEX"
    CHA = "CHA"
    WIL = "WIL"
    INT = "INT"
    LUCK = "LUCK"

    @property
    def word(self) -> str:
        """Its whole name."""
        return _WORDS[self]


_WORDS = {
    Attribute.STR: "Strength",
    Attribute.CON: "Constitution",
    Attribute.DEX: "Dexterity",
    Attribute.CHA: "Charisma",
    Attribute.WIL: "Willpower",
    Attribute.INT: "Intelligence",
    Attribute.LUCK: "Luck",
}


class Category(StrEnum):
    """The three pairs of attributes; Luck belongs to none.

    Source: RPJ-ATTR-01.
    """

    BRAWNY = "Brawny"
    SHIFTY = "Shifty"
    BRAINY = "Brainy"

    @property
    def members(self) -> tuple[Attribute, Attribute]:
        """Its two attributes."""
        return _MEMBERS[self]


_MEMBERS = {
    Category.BRAWNY: (Attribute.STR, Attribute.CON),
    Category.SHIFTY: (Attribute.DEX, Attribute.CHA),
    Category.BRAINY: (Attribute.WIL, Attribute.INT),
}

GENERATED = tuple(attribute for category in Category for attribute in category.members)


def category_of(attribute: Attribute) -> Category | None:
    """The category of an attribute; None for Luck."""
    return next((category for category in Category if attribute in category.members), None)


def attribute_bonus(level: int) -> int:
    """The bonus of an attribute's level: a third of it, rounded down, below zero too.

    Source: RPJ-ATTR-02 (R-008).
    """
    return level // 3
