"""The dice of an action divided among parts that are played one after the other."""

from pydantic import Field

from bot.rules.ruleset import CharacterId, Document, Scene
from bot.rules.swim_class.tables import SkillKey


class OpenPart(Document):
    """An action, or half of one, some of whose dice are not used yet.

    Attributes:
        skill: Which skill.
        is_half: Whether it is half an action.
        left: Dice not used yet.
        qualifies: Whether every die so far would let the skill advance.
    """

    skill: SkillKey
    is_half: bool
    left: int = Field(ge=1)
    qualifies: bool


class Parts(Document):
    """What is left of a character's divided actions.

    Source: SWIM-POOL-08.
    """

    open: tuple[OpenPart, ...] = ()


def parts_key(who: CharacterId) -> str:
    """Key of a character's divided actions."""
    return f"parts/{who}"


def find_parts(scene: Scene, who: CharacterId) -> Parts:
    """A character's divided actions."""
    found = scene.document(parts_key(who))
    return found if isinstance(found, Parts) else Parts()


def open_part(scene: Scene, who: CharacterId, skill: SkillKey, *, is_half: bool) -> OpenPart | None:
    """The divided action that more dice of a skill come from, or None."""
    parts = find_parts(scene, who).open
    return next((part for part in parts if part.skill == skill and part.is_half == is_half), None)


def with_part_used(
    scene: Scene, who: CharacterId, part: OpenPart, *, used: int, qualifies: bool
) -> tuple[Scene, int, bool]:
    """Use dice of a divided action.

    Returns:
        The scene afterwards, the dice left, and whether every die so far would let the skill advance.

    Source: SWIM-POOL-08, SWIM-ADV-04.
    """
    rest = [
        one for one in find_parts(scene, who).open if (one.skill, one.is_half) != (part.skill, part.is_half)
    ]
    left, all_qualify = part.left - used, part.qualifies and qualifies
    if left:
        rest.append(part.model_copy(update={"left": left, "qualifies": all_qualify}))
    document = Parts(open=tuple(rest)) if rest else None
    return scene.with_document(parts_key(who), document), left, all_qualify
