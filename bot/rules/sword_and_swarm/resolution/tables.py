"""The tables of the book, read once from `data/*.toml`; every row names its source."""

from bot.rules.kernel import DataFiles, TableRow


class AttributeRow(TableRow):
    """An attribute: its name, its meaning, and its starting value (None: chosen by the player)."""

    name: str
    meaning: str
    start: int | None = None


class ModifierRow(TableRow):
    """The modifier that an attribute adds to proficiency tests."""

    attribute: int
    modifier: int


class SwarmDifficultyRow(TableRow):
    """A typical difficulty of proficiency tests, its name and its meaning."""

    value: int
    name: str
    meaning: str


class ProficiencyRow(TableRow):
    """A proficiency and its governing attribute."""

    name: str
    attribute: str
    trained_only: bool = False


DATA = DataFiles("bot.rules.sword_and_swarm")
ATTRIBUTE_ROWS = {row.name: row for row in DATA.rows("attributes", "attribute", AttributeRow)}
MODIFIERS = tuple(row.modifier for row in DATA.rows("modifiers", "modifier", ModifierRow))
DIFFICULTIES = {row.value: row for row in DATA.rows("difficulties", "difficulty", SwarmDifficultyRow)}
PROFICIENCY_ROWS = DATA.rows("proficiencies", "proficiency", ProficiencyRow)
