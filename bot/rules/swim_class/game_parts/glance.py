"""What the picture of a sheet shows."""

from bot.rules.kernel import Gauge, Glance
from bot.rules.swim_class.character.resources import COMPOSURE, SCRATCHES, wounds_key
from bot.rules.swim_class.character.settings import SwimSettings
from bot.rules.swim_class.character.sheet import Character
from bot.rules.swim_class.character.skills import book_of
from bot.rules.swim_class.game_parts.sheet_text import temporary_states
from bot.rules.swim_class.resolution.tables import Pool


def glance(character: Character, settings: SwimSettings) -> Glance:
    """What is left of Composure and of each Defense.

    Source: SWIM-SHEET-02, SWIM-COMB-07.
    """
    sheet, book, counted = character.sheet, book_of(settings), character.resources
    composure = book.rank(sheet.ranks, COMPOSURE)
    gauges = [Gauge.of("Composure", composure - counted.get(SCRATCHES, 0), composure)]
    for pool in Pool:
        rank = book.rank(sheet.ranks, pool.defence)
        gauges.append(Gauge.of(pool.value.capitalize(), rank - counted.get(wounds_key(pool), 0), rank))
    states = (
        *(("dead",) if sheet.is_dead else ()),
        *(f"broken ({pool.value})" for pool in sheet.broken),
        *temporary_states(character),
    )
    return Glance(tuple(gauges), tuple(f"{one[:1].upper()}{one[1:]}" for one in states))
