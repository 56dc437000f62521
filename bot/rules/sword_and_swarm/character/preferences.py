"""What a player wants done about a failure with advantage."""

from typing import Literal

from bot.rules.kernel import Document, Outcome, Scene, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.sword_and_swarm.character.settings import settings_of
from bot.rules.sword_and_swarm.character.sheet import sheet_of, with_sheet
from bot.rules.sword_and_swarm.resolution.edges import RerollMode

Preference = Literal["auto", "ask", "campaign"]


class PreferOptions(Document):
    """What is wanted for either kind of test; "campaign" leaves it to the campaign's settings."""

    attribute: Preference | None = None
    proficiency: Preference | None = None


def prefer(scene: Scene, options: PreferOptions, _dice: Dice) -> Outcome:
    """Have failures with advantage rolled again at once, or be asked each time.

    Source: SWARM-TEST-07 (SWARM-R04), SWARM-PROF-08 (SWARM-R21).
    """
    if options.attribute is None and options.proficiency is None:
        raise UserError(
            "It is not said what you prefer.",
            try_this="Choose auto or ask for one kind of test, or for both.",
        )
    actor = scene.actor
    sheet = sheet_of(actor)
    wanted = {"adv_attribute": options.attribute, "adv_proficiency": options.proficiency}
    update = {key: _mode(preference) for key, preference in wanted.items() if preference is not None}
    sheet = sheet.model_copy(update=update)
    settings = settings_of(scene)
    return Outcome(
        scene=scene.with_character(with_sheet(actor, sheet)),
        headline="says what happens to a failure with advantage",
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
    RerollMode.AUTO: "rolled again at once.",
    RerollMode.ASK: "you are asked each time.",
}
