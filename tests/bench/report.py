"""The report: measured figures beside their goals, as a table in Markdown."""

import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Attributes:
        what: What was measured.
        figure: The figure that the goal is about.
        goal: The most it should be; the least if `is_least`; None for a figure without a goal.
        unit: Its unit; nothing for a ratio.
        from_: What it was computed from.
        is_least: Whether more is better.
    """

    what: str
    figure: float
    goal: float | None = None
    unit: str = ""
    from_: str = ""
    is_least: bool = False

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is met; None without one."""
        if self.goal is None:
            return None
        return self.figure >= self.goal if self.is_least else self.figure <= self.goal

    @property
    def line(self) -> str:
        """The row of the table."""
        goal = "–" if self.goal is None else f"{'≥' if self.is_least else '≤'} {self.goal:g}{self._unit}"
        met = {None: "", True: "yes", False: "no"}[self.is_met]
        return f"| {self.what} | {_shown(self.figure)}{self._unit} | {goal} | {met} | {self.from_} |"

    @property
    def _unit(self) -> str:
        return f" {self.unit}" if self.unit else ""


def _shown(figure: float) -> str:
    return f"{figure:.0f}" if figure >= 100 else f"{figure:.2f}" if figure >= 0.1 else f"{figure:.3f}"


def ratio_of(mine: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the median of the ratios of runs that were made in turn."""
    return statistics.median(one / other for one, other in zip(mine, theirs, strict=True))


def microseconds(mine: Sequence[float], theirs: Sequence[float]) -> str:
    """Say the medians that a ratio of times was computed from."""
    return f"{statistics.median(mine) * 1e6:,.0f} / {statistics.median(theirs) * 1e6:,.0f} µs"


HEAD = "| what | figure | goal | met | from |\n|---|---|---|---|---|"


def machine() -> str:
    """Say where this runs and how busy it is."""
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    return f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}, load {load}"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
