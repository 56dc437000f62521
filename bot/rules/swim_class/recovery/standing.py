"""Standing up."""

from bot.rules.kernel import Document, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.sheet import Outcome, Scene, with_states
from bot.rules.swim_class.combat.state.encounter import HALF_ACTION, spend
from bot.rules.swim_class.damage.damage import assert_can_act


class SwimStandOptions(Document):
    """Options of `/swim-fight stand`: none."""


def stand_up(scene: Scene, _options: SwimStandOptions, _dice: Dice) -> Outcome:
    """Stand up with a half action.

    Source: SWIM-MAGIC-10 (SWIM-R99).
    """
    actor = scene.actor
    if not actor.sheet.states.is_prone:
        raise UserError(f"{actor.name} is already standing.")
    assert_can_act(scene, actor)
    scene = spend(scene, actor, HALF_ACTION)
    return Outcome(scene=with_states(scene, actor.id, is_prone=False), headline="stands up")


declare("stand", SwimStandOptions, stand_up)
