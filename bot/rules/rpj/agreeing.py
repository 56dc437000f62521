"""New characters that are played when the GM has agreed, where the campaign wants it so."""

from dataclasses import replace

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.rpj.people import sheet_of
from bot.rules.rpj.settings import settings_of
from bot.rules.ruleset import Audience, Character, CharacterId, Document, FollowUp, Outcome, Procedure, Scene


class AgreeOptions(Document):
    """Whom the GM agrees to."""

    target: CharacterId


def is_held(scene: Scene, character: Character) -> bool:
    """Whether a character waits for the GM.

    Source: RPJ-CHAR-12.
    """
    return settings_of(scene).approve_characters and sheet_of(character).is_held


def refuse_held(scene: Scene, character: Character) -> None:
    """Let nobody play a character that waits for the GM.

    Raises:
        Mistake: If it does.

    Source: RPJ-CHAR-12.
    """
    if is_held(scene, character):
        raise Mistake(
            f"{character.name} is played when the GM has agreed.", try_this="The GM: /rpj gm agree."
        )


def held(scene: Scene, newcomer: CharacterId) -> Scene:
    """The scene in which a player's new character waits, where the campaign wants it so."""
    character = scene.character(newcomer)
    if not settings_of(scene).approve_characters or character.owner is None:
        return scene
    sheet = sheet_of(character).model_copy(update={"is_held": True})
    return scene.with_character(replace(character, sheet=sheet))


def agree_button(character: Character) -> FollowUp:
    """The button with which the GM agrees to a character."""
    return FollowUp(
        procedure="agree",
        options=AgreeOptions(target=character.id),
        label=f"Agree to {character.name} (GM)"[:80],
        audience=Audience.GM,
        character=character.id,
        group=f"agree/{character.id}",
    )


def agree(scene: Scene, options: AgreeOptions, _dice: Dice) -> Outcome:
    """Agree to a character: from now on it is played.

    Raises:
        Mistake: If it does not wait.

    Source: RPJ-CHAR-12.
    """
    target = scene.character(options.target)
    if not sheet_of(target).is_held:
        raise Mistake(f"{target.name} waits for nothing.")
    sheet = sheet_of(target).model_copy(update={"is_held": False})
    return Outcome(
        scene=scene.with_character(replace(target, sheet=sheet)), headline=f"agrees to {target.name}"
    )


AGREE_PROCEDURES = (Procedure(key="agree", options=AgreeOptions, run=agree, gm_only=True, needs_actor=False),)
