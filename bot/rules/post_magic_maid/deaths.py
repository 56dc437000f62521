"""The GM's word on life and death: nobody dies by themselves."""

from dataclasses import replace

from bot.rules.dice import Dice
from bot.rules.post_magic_maid.sheet import sheet_of
from bot.rules.post_magic_maid.wounds import LEVELS, Track
from bot.rules.ruleset import Audience, CharacterId, Document, FollowUp, Outcome, Scene


class VerdictOptions(Document):
    """The GM's word on a character whose time is up.

    Attributes:
        target: Who.
        dies: Whether they die.
    """

    target: CharacterId
    dies: bool


def verdict_buttons(scene: Scene, target: CharacterId) -> tuple[FollowUp, ...]:
    """The GM's two buttons: dies, survives."""
    name = scene.character(target).name
    return tuple(
        FollowUp(
            procedure="verdict",
            options=VerdictOptions(target=target, dies=dies),
            label=f"{name[:60]} {'dies' if dies else 'survives'}",
            audience=Audience.GM,
            group=f"verdict/{target}",
        )
        for dies in (True, False)
    )


def give_verdict(scene: Scene, options: VerdictOptions, _dice: Dice) -> Outcome:
    """Say that a character dies or survives; either way their timers stop.

    Source: PMM-WND-04 (PMM-R38), PMM-WND-06, PMM-WND-07.
    """
    character = scene.character(options.target)
    for row in LEVELS[Track.RENDING]:
        character = character.with_timer(row.level, None)
    sheet = sheet_of(character).model_copy(update={"is_dead": options.dies})
    word = "dies" if options.dies else "survives"
    scene = scene.with_character(replace(character, sheet=sheet))
    return Outcome(scene=scene, headline=f"rules that {character.name} {word}")
