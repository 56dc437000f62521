"""A rest while a fight runs in the channel: whoever wants it is asked first, in private."""

from bot.rules.kernel import Audience, CharacterId, FollowUp, Outcome, Place, SceneT, evolve
from bot.rules.shared.encounters import fight_of
from bot.rules.shared.resting.rest_model import DuringFight, hours_words


def asked_during_fight(
    scene: SceneT,
    procedure: str,
    options: DuringFight,
    hours: int,
    *,
    who: CharacterId | None = None,
) -> Outcome[SceneT] | None:
    """Ask whether to rest although a fight runs here; None where none runs, or where that was answered.

    Args:
        scene: Everything as it is.
        procedure: The procedure that rests.
        options: Its options, as they were chosen.
        hours: How many hours it would last; 0 for a rest that takes no time.
        who: The character that rests by itself; None where a GM lets others rest.
    """
    if options.in_fight or not _is_fight_known(scene):
        return None
    anyway = FollowUp(
        procedure=procedure,
        options=evolve(options, in_fight=True),
        label="Rest anyway",
        audience=Audience.GM if who is None else Audience.OWNER,
        character=who,
        group="rest",
        place=Place.OPEN,
    )
    long = f"of {hours_words(hours)}" if hours else "that takes no time"
    return Outcome(
        scene=scene,
        headline=f"asks for a rest {long} during a fight",
        notes=("A fight is running in this channel. Nobody has rested yet.",),
        follow_ups=(anyway,),
        is_public=False,
    )


def _is_fight_known(scene: SceneT) -> bool:
    """Whether a fight runs in the channel, and the person acting may know of it."""
    fight = fight_of(scene)
    if fight is None:
        return False
    return scene.is_gm or any(not one.is_hidden for one in fight.combatants)
