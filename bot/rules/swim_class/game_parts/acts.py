"""What a character can do now, for the sheet and for the board of a fight."""

from functools import cache, partial

from bot.rules.kernel import FollowUp, TrackerRules
from bot.rules.kernel.acts import ActGroup, ActPart
from bot.rules.shared.encounters import turn_ends
from bot.rules.shared.gathering_acts import can_gather
from bot.rules.shared.offering import Offering
from bot.rules.swim_class.character.sheet import Scene
from bot.rules.swim_class.combat.commands.board import FIGHTS, view
from bot.rules.swim_class.game_parts.acts_fights import fight_acts, policy_acts
from bot.rules.swim_class.game_parts.acts_magic import magic_acts
from bot.rules.swim_class.game_parts.acts_rolls import acts_with_others, feats, roll_acts, rollable
from bot.rules.swim_class.game_parts.acts_things import gear_acts, growth_acts, rest_acts, spending_acts
from bot.rules.swim_class.game_parts.board_offers import board_offers
from bot.rules.swim_class.game_parts.registry import PROCEDURES


def acts(scene: Scene) -> tuple[ActPart, ...]:
    """What the acting character can do now, the most used first in each group."""
    if scene.actor.sheet.is_dead:
        return ()
    offering, pools = Offering(scene, PROCEDURES), cache(lambda: rollable(scene))
    return (
        ActPart(lambda: roll_acts(scene, offering, pools()), ActGroup.CHECK, ActGroup.FIGHT),
        ActPart(partial(feats, scene, offering), ActGroup.CHECK, is_sure=True),
        ActPart(lambda: acts_with_others(scene, offering, pools()), ActGroup.CHECK, ActGroup.FIGHT),
        ActPart(lambda: fight_acts(scene, offering, pools()), ActGroup.FIGHT, is_certain=can_gather(scene)),
        ActPart(partial(policy_acts, scene, offering), ActGroup.FIGHT, is_sure=True),
        ActPart(partial(magic_acts, scene, offering), ActGroup.USE, ActGroup.REST),
        ActPart(partial(gear_acts, scene, offering), ActGroup.USE),
        ActPart(
            partial(spending_acts, scene, offering),
            ActGroup.SPEND,
            is_certain=bool(scene.actor.sheet.items),  # they can be sold
        ),
        ActPart(partial(rest_acts, scene, offering), ActGroup.REST),
        ActPart(partial(growth_acts, scene, offering), ActGroup.GROW, is_certain=True),
    )


def choices(scene: Scene) -> tuple[FollowUp, ...]:
    """What the board of the channel's fight offers."""
    return board_offers(scene, PROCEDURES)


TRACKER = TrackerRules(
    view=view, choices=choices, turn_ends=partial(turn_ends, FIGHTS), ground=("terrain", "resistance")
)
