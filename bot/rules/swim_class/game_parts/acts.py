"""What a character can do now, for the sheet and for the board of a fight."""

from bot.rules.kernel import FollowUp, TrackerRules
from bot.rules.kernel.acts import Act
from bot.rules.shared.offering import Offering
from bot.rules.swim_class.character.sheet import Scene
from bot.rules.swim_class.combat.commands.board import view
from bot.rules.swim_class.game_parts.acts_fights import fight_acts
from bot.rules.swim_class.game_parts.acts_magic import magic_acts
from bot.rules.swim_class.game_parts.acts_rolls import roll_acts, rollable
from bot.rules.swim_class.game_parts.acts_things import gear_acts, growth_acts, rest_acts, spending_acts
from bot.rules.swim_class.game_parts.board_offers import board_offers
from bot.rules.swim_class.game_parts.registry import PROCEDURES


def acts(scene: Scene) -> tuple[Act, ...]:
    """What the acting character can do now, the most used first in each group."""
    if scene.actor.sheet.is_dead:
        return ()
    offering, pools = Offering(scene, PROCEDURES), rollable(scene)
    return (
        *roll_acts(scene, offering, pools),
        *fight_acts(scene, offering, pools),
        *magic_acts(scene, offering),
        *gear_acts(scene, offering),
        *spending_acts(scene, offering),
        *rest_acts(scene, offering),
        *growth_acts(scene, offering),
    )


def choices(scene: Scene) -> tuple[FollowUp, ...]:
    """What the board of the channel's fight offers."""
    return board_offers(scene, PROCEDURES)


TRACKER = TrackerRules(view=view, choices=choices, ground=("terrain", "resistance"))
