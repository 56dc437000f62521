"""The tests that a GM can ask for with `/gm ask`."""

from bot.rules.kernel import RequestableCheck
from bot.rules.sword_and_swarm.game_parts.suggesting import difficulties, obstacles, proficiencies
from bot.rules.sword_and_swarm.resolution.attribute_values import SwarmAttribute

ASKS = (
    RequestableCheck(
        procedure="test",
        title="attribute test",
        what="attribute",
        names=lambda _who, _settings: tuple(SwarmAttribute),
    ),
    RequestableCheck(
        procedure="obstacle",
        title="obstacle test",
        what="obstacle",
        names=obstacles,
    ),
    RequestableCheck(
        procedure="proficiency",
        title="proficiency test",
        what="proficiency",
        difficulty="difficulty",
        needs_difficulty=True,
        names=proficiencies,
        difficulties=difficulties,
    ),
)
