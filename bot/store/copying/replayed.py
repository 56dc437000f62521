"""The result of replaying journals, of a database and of its copy."""

from dataclasses import dataclass

MOST_FAULTS = 10  # that are told


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay of some servers' journals found; a copy has to give the same.

    Attributes:
        journals: How many campaigns there are.
        entries: How many entries they have.
        rolls: How many rolls these have.
        following: How many of them follow from their seeds and the rules.
        faults: How many faults there are; a journal may have some of old.
        first_faults: The first of them, in words.
    """

    journals: int = 0
    entries: int = 0
    rolls: int = 0
    following: int = 0
    faults: int = 0
    first_faults: tuple[str, ...] = ()

    def __add__(self, other: "Replayed") -> "Replayed":
        return Replayed(
            self.journals + other.journals,
            self.entries + other.entries,
            self.rolls + other.rolls,
            self.following + other.following,
            self.faults + other.faults,
            (self.first_faults + other.first_faults)[:MOST_FAULTS],
        )

    @property
    def lines(self) -> list[str]:
        """The report, line by line."""
        lines = [
            f"Replayed {several(self.journals, 'journal')}, {several(self.entries, 'entry', 'entries')}: "
            f"{self.following:,} of {several(self.rolls, 'roll')} follow from seeds and rules."
        ]
        if self.faults:
            lines.append(f"Both databases have {several(self.faults, 'fault')}:")
        return [*lines, *self.first_faults]


def several(count: int, one: str, more: str = "") -> str:
    """Return a number with its noun, in the plural unless it is 1."""
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"
