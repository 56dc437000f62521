"""The checks that a GM can ask for with `/gm ask`."""

from bot.rules.compare_roll.game_parts.suggesting import difficulties, skills
from bot.rules.kernel import RequestableCheck

ASKS = (
    RequestableCheck(
        procedure="check",
        title="skill check",
        what="skill",
        difficulty="difficulty",
        names=skills,
        difficulties=difficulties,
    ),
    RequestableCheck(
        procedure="luck",
        title="Luck check",
        difficulty="difficulty",
        difficulties=difficulties,
    ),
)
