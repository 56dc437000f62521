"""The seven attributes, their categories, and the bonus of a level."""

from enum import StrEnum


class RpjAttribute(StrEnum):
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
        """Its full name."""
        return _WORDS[self]


_WORDS = {
    RpjAttribute.STR: "Strength",
    RpjAttribute.CON: "Constitution",
    RpjAttribute.DEX: "Dexterity",
    RpjAttribute.CHA: "Charisma",
    RpjAttribute.WIL: "Willpower",
    RpjAttribute.INT: "Intelligence",
    RpjAttribute.LUCK: "Luck",
}


class Category(StrEnum):
    """The three pairs of attributes; Luck belongs to none.

    Source: RPJ-ATTR-01.
    """

    BRAWNY = "Brawny"
    SHIFTY = "Shifty"
    BRAINY = "Brainy"

    @property
    def members(self) -> tuple[RpjAttribute, RpjAttribute]:
        """Its two attributes."""
        return _MEMBERS[self]


_MEMBERS = {
    Category.BRAWNY: (RpjAttribute.STR, RpjAttribute.CON),
    Category.SHIFTY: (RpjAttribute.DEX, RpjAttribute.CHA),
    Category.BRAINY: (RpjAttribute.WIL, RpjAttribute.INT),
}

GENERATED = tuple(attribute for category in Category for attribute in category.members)


def category_of(attribute: RpjAttribute) -> Category | None:
    """The category of an attribute; None for Luck."""
    return next((category for category in Category if attribute in category.members), None)


def attribute_bonus(level: int) -> int:
    """The bonus of an attribute level: a third of it, rounded down, also below zero.

    Source: RPJ-ATTR-02 (R-008).
    """
    return level // 3
