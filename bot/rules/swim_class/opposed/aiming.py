"""Ask for the distance of a ranged target if it is unknown."""

from collections.abc import Callable

from bot.rules.kernel import CharacterId, Choice, Document, FollowUp
from bot.rules.kernel.odds import percent
from bot.rules.swim_class.character.sheet import Outcome, Scene
from bot.rules.swim_class.combat.state.distances import squares_words
from bot.rules.swim_class.combat.state.encounter import find_encounter
from bot.rules.swim_class.opposed.launching import Launch, chance_of

MENU = (*range(1, 13), 14, 16, 18, 20, 24, 28, 32, 36, 40, 50, 60, 80, 100)  # squares to choose from


def asking_for_distance(
    scene: Scene,
    procedure: str,
    options: Document,
    target: CharacterId,
    what: str,
    worth: Callable[[int], str],
) -> Outcome:
    """Ask how far away a target is before anything is rolled.

    Args:
        scene: The scene.
        procedure: The procedure to call with the option `distance`.
        options: Its other options.
        target: The target.
        what: The skill or power, in words.
        worth: Describes what a distance means for the roll.

    Raises:
        UserError: If the roll would not be allowed anyway.
    """
    name = scene.character(target).name
    menu = FollowUp(
        procedure=procedure,
        options=options,
        label=f"How far away is {name[:50]}?",
        character=scene.actor_id,
        choices=tuple(Choice(str(squares), squares_words(squares), worth(squares)) for squares in MENU),
        chosen="distance",
        group="distance",
    )
    return Outcome(
        scene=scene,
        headline=f"aims at {name} ({what}): how far away?",
        notes=("The fight remembers the distance until one of them moves.",) if find_encounter(scene) else (),
        follow_ups=(menu,),
    )


def opposed_from(scene: Scene, launched: Launch) -> str:
    """The defense bonus and the chance of an opposed roll from a distance, in words.

    Raises:
        UserError: If the roll is not allowed.
    """
    chance = chance_of(scene, scene.actor.id, launched)
    worth = "" if chance is None else f" · {percent(chance)}"
    return f"+{launched.aims[0].bonus} to each defense die{worth}"
