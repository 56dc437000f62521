"""What a character can do now, for the sheet; a turn's actions come from the board of the fight."""

from functools import partial

from bot.rules.kernel.acts import ActGroup, ActPart
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.game_parts.acts_checks import AbleSkills, attribute_acts, other_check_acts, own_skill_acts
from bot.rules.rpj.game_parts.acts_fights import fight_acts, is_in_or_may_join
from bot.rules.rpj.game_parts.acts_growth import growth_acts
from bot.rules.rpj.game_parts.acts_health import health_acts
from bot.rules.rpj.game_parts.acts_magic import magic_acts, magic_rest_acts
from bot.rules.rpj.game_parts.acts_things import spending_acts, thing_acts
from bot.rules.rpj.game_parts.registry import PROCEDURES
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.shared.offering import Offering


def acts(scene: Scene) -> tuple[ActPart, ...]:
    """What the acting character can do now, the most used first in each group."""
    sheet, offering = scene.actor.sheet, Offering(scene, PROCEDURES)
    if sheet.health.out is Out.DEAD:
        return ()
    if sheet.mook is not None:
        return (ActPart(partial(fight_acts, scene, offering), ActGroup.FIGHT),)
    able = AbleSkills(scene)
    return (
        ActPart(partial(own_skill_acts, scene, offering, able), ActGroup.CHECK),
        ActPart(partial(attribute_acts, scene, offering), ActGroup.CHECK, is_certain=True),
        ActPart(partial(other_check_acts, scene, offering, able), ActGroup.CHECK),
        ActPart(partial(fight_acts, scene, offering), ActGroup.FIGHT, is_certain=is_in_or_may_join(scene)),
        ActPart(partial(magic_acts, scene, offering), ActGroup.USE),
        ActPart(partial(thing_acts, scene, offering), ActGroup.USE),
        ActPart(partial(spending_acts, scene, offering), ActGroup.SPEND),
        ActPart(partial(health_acts, scene, offering), ActGroup.REST),
        ActPart(partial(magic_rest_acts, scene, offering), ActGroup.REST),
        ActPart(partial(growth_acts, scene, offering), ActGroup.GROW),
    )
