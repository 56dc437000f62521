"""The rolls that a GM can ask for with `/gm ask`."""

from bot.rules.kernel import RequestableCheck
from bot.rules.swim_class.checks.rolling import HARDEST
from bot.rules.swim_class.game_parts.suggesting import rollable_names

ASKS = (
    RequestableCheck(
        procedure="roll",
        title="roll",
        what="skill",
        always={"anyway": True},  # the GM has chosen how hard it is
        difficulty="difficulty",
        names=rollable_names,
        difficulties=lambda _who, _settings: tuple(str(number) for number in range(1, HARDEST + 1)),
    ),
)
