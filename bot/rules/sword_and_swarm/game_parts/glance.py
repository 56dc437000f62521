"""What the picture of a sheet shows."""

from bot.rules.kernel import Gauge, Glance
from bot.rules.kernel.wording import shown_number
from bot.rules.sword_and_swarm.character.settings import SwarmSettings
from bot.rules.sword_and_swarm.character.sheet import (
    Character,
    actual,
    base_of,
    is_defeated,
    risks_death,
    star_left,
)
from bot.rules.sword_and_swarm.resolution.attribute_values import SwarmAttribute


def glance(character: Character, settings: SwarmSettings) -> Glance:
    """Star and the other attributes that change in a fight.

    Source: SWARM-ATTR-09 to SWARM-ATTR-11.
    """
    sheet = character.sheet
    star = Gauge.of("Star", star_left(sheet, settings), base_of(sheet, SwarmAttribute.STAR, settings))
    others = (SwarmAttribute.SHIELD, SwarmAttribute.BOOTS)
    numbers = (Gauge(str(one), shown_number(actual(sheet, one, settings))) for one in others)
    state = (
        "Risks death" if risks_death(sheet, settings) else "Defeated" if is_defeated(sheet, settings) else ""
    )
    return Glance((star, *numbers), (state,) if state else ())
