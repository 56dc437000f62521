"""Death: only the GM decides whether a character dies."""

from bot.rules.kernel import Audience, CharacterId, Deadline, Document, FollowUp, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.post_magic_maid.character.scene import Character, Outcome, Scene
from bot.rules.post_magic_maid.character.wounds import LEVELS, Track, boxes_of
from bot.rules.post_magic_maid.checks.awaiting import with_overdue


class VerdictOptions(Document):
    """Options for deciding whether a character dies.

    Attributes:
        target: Who.
        dies: Whether they die.
    """

    target: CharacterId
    dies: bool


def verdict_buttons(scene: Scene, target: CharacterId) -> tuple[FollowUp, ...]:
    """The GM's two buttons: the character dies or survives."""
    character = scene.character(target)
    return tuple(
        FollowUp(
            procedure="verdict",
            options=VerdictOptions(target=target, dies=dies),
            label=f"{character.name[:60]} {'dies' if dies else 'survives'}",
            audience=Audience.GM,
            group=f"verdict/{target}",
            window=Deadline(until=(_moment(target),)),
            deal=_deal(character),
        )
        for dies in (True, False)
    )


def _moment(target: CharacterId) -> str:
    """What closes the GM's buttons about a character, wherever they stand."""
    return f"verdict/{target}"


def _deal(character: Character) -> str:
    """A mark of the character and its wounds, so that old buttons expire once the wounds change."""
    boxes = zip(LEVELS[Track.RENDING], boxes_of(character, Track.RENDING), strict=True)
    wounds = ", ".join(f"{row.level} {filled}" for row, filled in boxes if filled) or "unwounded"
    return f"{character.name}, {'dead' if character.sheet.is_dead else wounds}"


def give_verdict(scene: Scene, options: VerdictOptions, _dice: Dice) -> Outcome:
    """Decide whether a character dies or survives; either way its timers stop.

    Source: PMM-WND-04 (PMM-R38), PMM-WND-06, PMM-WND-07.
    """
    character = scene.character(options.target)
    deal = _deal(character)
    for row in LEVELS[Track.RENDING]:
        character = character.with_timer(row.level, None)
    sheet = evolve(character.sheet, is_dead=options.dies)
    word = "dies" if options.dies else "survives"
    scene = with_overdue(scene.with_sheet(character, sheet), options.target, ())
    moments = (_moment(options.target),)
    return Outcome(scene=scene, headline=f"rules that {character.name} {word}", moments=moments, deal=deal)
