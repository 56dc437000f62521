"""A battle of many at a small table."""

from dataclasses import replace
from typing import Any

from bot.rules.kernel import FollowUp, Outcome, View
from bot.rules.rpj.mass_commands import MassRound, the_round
from bot.rules.rpj.mass_rounds import view_round
from tests.rules.rpj.table import GameTable, rpj_table


def field(own: int = 40, enemy: int = 60, **more: Any) -> GameTable:
    """Heroes against Rebels."""
    table = rpj_table(mass_combat=True, **more)
    table.do("GM", "mass.start", own="Heroes", own_people=own, enemy="Rebels", enemy_people=enemy)
    return table


def kept(table: GameTable) -> MassRound:
    """The round as it is kept."""
    return the_round(table.scene)


def seen(table: GameTable) -> View:
    """The round as everybody sees it."""
    return view_round(kept(table), replace(table.scene, is_gm=False))


def markers(table: GameTable) -> list[int]:
    """Markers left of both sides."""
    return [side.markers for side in kept(table).battle.sides]


def modifiers(table: GameTable) -> list[int]:
    """Both sides' modifiers."""
    return [kept(table).standing.modifier(place) for place in (0, 1)]


def button(outcome: Outcome | View, words: str) -> FollowUp:
    """The button that says so."""
    return next(one for one in outcome.follow_ups if words in one.label)


def title(outcome: Outcome) -> str:
    """What it came to."""
    assert outcome.verdict is not None
    return outcome.verdict.title


def labels_of(view: View) -> list[str]:
    """What the buttons of a message say."""
    return [one.label for one in view.follow_ups]
