"""A player's choice about failures with advantage: re-roll automatically, or ask."""

from typing import Literal

from bot.rules.kernel import Document, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.sword_and_swarm.character.sheet import Outcome, Scene
from bot.rules.sword_and_swarm.resolution.edges import RerollMode

Preference = Literal["auto", "ask", "campaign"]


class PreferOptions(Document):
    """The choice for each kind of test; "campaign" follows the campaign's settings, None changes nothing."""

    attribute: Preference | None = None
    proficiency: Preference | None = None


def prefer(scene: Scene, options: PreferOptions, _dice: Dice) -> Outcome:
    """Choose whether failures with advantage are re-rolled automatically or the player is asked.

    Source: SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08 (SWARM-R21).
    """
    if options.attribute is None and options.proficiency is None:
        raise UserError(
            "Choose at least one option.",
            try_this="Set “attribute” or “proficiency” to auto, ask or campaign.",
        )
    actor = scene.actor
    sheet = actor.sheet
    wanted = {"adv_attribute": options.attribute, "adv_proficiency": options.proficiency}
    update = {key: _mode(preference) for key, preference in wanted.items() if preference is not None}
    sheet = evolve(sheet, **update)
    settings = scene.settings
    return Outcome(
        scene=scene.with_sheet(actor, sheet),
        headline="chooses how failures with advantage are re-rolled",
        notes=(
            f"Attribute tests: {MODE_WORDS[sheet.adv_attribute or settings.adv_attribute]}",
            f"Proficiency tests: {MODE_WORDS[sheet.adv_proficiency or settings.adv_proficiency]}",
        ),
        is_public=False,
    )


declare("prefer", PreferOptions, prefer)


def _mode(preference: Preference) -> RerollMode | None:
    return None if preference == "campaign" else RerollMode(preference)


MODE_WORDS = {
    RerollMode.AUTO: "re-rolled automatically.",
    RerollMode.ASK: "you choose each time.",
}
