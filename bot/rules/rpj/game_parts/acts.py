"""What a character can do now, for the sheet; a turn's actions come from the board of the fight."""

from bot.rules.kernel.acts import Act
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.game_parts.acts_checks import check_acts
from bot.rules.rpj.game_parts.acts_fights import fight_acts
from bot.rules.rpj.game_parts.acts_growth import growth_acts
from bot.rules.rpj.game_parts.acts_health import health_acts
from bot.rules.rpj.game_parts.acts_magic import magic_acts, magic_rest_acts
from bot.rules.rpj.game_parts.acts_things import spending_acts, thing_acts
from bot.rules.rpj.game_parts.registry import PROCEDURES
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.shared.offering import Offering


def acts(scene: Scene) -> tuple[Act, ...]:
    """What the acting character can do now, the most used first in each group."""
    sheet, offering = scene.actor.sheet, Offering(scene, PROCEDURES)
    if sheet.health.out is Out.DEAD:
        return ()
    if sheet.mook is not None:
        return tuple(fight_acts(scene, offering))
    return (
        *check_acts(scene, offering),
        *fight_acts(scene, offering),
        *magic_acts(scene, offering),
        *thing_acts(scene, offering),
        *spending_acts(scene, offering),
        *health_acts(scene, offering),
        *magic_rest_acts(scene, offering),
        *growth_acts(scene, offering),
    )
