"""What the picture of a sheet shows."""

from dataclasses import dataclass
from enum import StrEnum

from bot.rules.kernel.wording import shown_number


class GaugeKind(StrEnum):
    """What a count says about a character."""

    POINTS = "points"
    HEALTH = "health"
    HARM = "harm"


@dataclass(frozen=True, slots=True)
class Gauge:
    """Something counted, as pips, boxes or a bar.

    Attributes:
        title: What is counted.
        shown: The count in words, such as "2/5".
        parts: How many of how many, in each group that is drawn by itself; none where there is no limit.
        kind: Points to spend, health left, or harm taken.
    """

    title: str
    shown: str
    parts: tuple[tuple[int, int], ...] = ()
    kind: GaugeKind = GaugeKind.HEALTH

    @staticmethod
    def of(title: str, left: int, most: int, kind: GaugeKind = GaugeKind.HEALTH) -> "Gauge":
        """A gauge of one group; what is beyond its ends is only in its words."""
        parts = ((max(0, min(left, most)), most),) if most > 0 else ()
        return Gauge(title, f"{shown_number(left)}/{most}", parts, kind)


@dataclass(frozen=True, slots=True)
class Glance:
    """How a character stands, at a glance.

    Attributes:
        gauges: Resources and wounds.
        states: Conditions in a word or two each.
    """

    gauges: tuple[Gauge, ...] = ()
    states: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All of it in words."""
        counted = [f"{one.title} {one.shown}" for one in self.gauges]
        return ", ".join([*counted, *self.states])


def nothing_to_see(_character: object, _settings: object) -> Glance:
    """The glance of a game that has none."""
    return Glance()
