"""What a character can do now, for the sheet; a turn's actions come from the board of the fight."""

from bot.rules.kernel.acts import Act
from bot.rules.shared.offering import Offering
from bot.rules.swim_class.character.sheet import Scene
from bot.rules.swim_class.game_parts.acts_fights import fight_acts
from bot.rules.swim_class.game_parts.acts_magic import magic_acts
from bot.rules.swim_class.game_parts.acts_rolls import roll_acts
from bot.rules.swim_class.game_parts.acts_things import gear_acts, growth_acts, rest_acts, spending_acts
from bot.rules.swim_class.game_parts.registry import PROCEDURES


def acts(scene: Scene) -> tuple[Act, ...]:
    """What the acting character can do now, the most used first in each group."""
    if scene.actor.sheet.is_dead:
        return ()
    offering = Offering(scene, PROCEDURES)
    return (
        *roll_acts(scene, offering),
        *fight_acts(scene, offering),
        *magic_acts(scene, offering),
        *gear_acts(scene, offering),
        *spending_acts(scene, offering),
        *rest_acts(scene, offering),
        *growth_acts(scene, offering),
    )
