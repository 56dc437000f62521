"""The dice of an action divided among parts that are played one after the other."""

from collections.abc import Iterable

from pydantic import Field

from bot.rules.kernel import CharacterId, Document
from bot.rules.swim_class.character.sheet import Scene
from bot.rules.swim_class.character.skill_growth import Scored, advances
from bot.rules.swim_class.resolution.pools import DiceGroup
from bot.rules.swim_class.resolution.tables import SkillKey


class OpenPart(Document):
    """An action, or half of one, some of whose dice are not used or not judged yet.

    Attributes:
        id: Which one.
        skill: Which skill.
        is_half: Whether it is half an action.
        own: The skill's own dice that are not used yet.
        added: Dice of skills combined with it that are not used yet.
        pending: Opposed parts of it that somebody has yet to oppose.
        qualifies: Whether every die so far would let the skill advance.
        was_strained: Whether the skill was strained for it.
        faces: The skill's own dice so far.
    """

    id: str
    skill: SkillKey
    is_half: bool = False
    own: int = Field(ge=0)
    added: tuple[DiceGroup, ...] = ()
    pending: int = Field(default=0, ge=0)
    qualifies: bool = True
    was_strained: bool = False
    faces: tuple[int, ...] = ()

    @property
    def left(self) -> int:
        """Dice not used yet."""
        return self.own + sum(group.count for group in self.added)

    @property
    def is_over(self) -> bool:
        """Whether every die is used and judged."""
        return not self.left and not self.pending

    @property
    def has_advanced(self) -> bool:
        """Whether all its parts together let the skill advance.

        Source: SWIM-ADV-04.
        """
        return self.is_over and self.qualifies and bool(self.faces)

    def judged(self, dice: Iterable[Scored], *, could_fail: bool) -> "OpenPart":
        """The same with the skill's own dice of a part judged.

        Source: SWIM-ADV-04.
        """
        own = tuple(dice)
        qualifies = not own or advances(own, is_whole=True, could_fail=could_fail)
        faces = (*self.faces, *(die.face for die in own))
        return self.model_copy(update={"qualifies": self.qualifies and qualifies, "faces": faces})


class Parts(Document):
    """What is left of a character's divided actions.

    Source: SWIM-POOL-08.
    """

    open: tuple[OpenPart, ...] = ()


def parts_key(who: CharacterId) -> str:
    """Key of a character's divided actions."""
    return f"parts/{who}"


def find_parts(scene: Scene, who: CharacterId) -> tuple[OpenPart, ...]:
    """A character's divided actions."""
    found = scene.document(parts_key(who))
    return found.open if isinstance(found, Parts) else ()


def open_part(scene: Scene, who: CharacterId, skill: SkillKey, *, is_half: bool) -> OpenPart | None:
    """The divided action that more dice of a skill come from, or None."""
    parts = find_parts(scene, who)
    return next(
        (part for part in parts if part.left and (part.skill, part.is_half) == (skill, is_half)), None
    )


def find_part(scene: Scene, who: CharacterId, id_: str) -> OpenPart | None:
    """A divided action that is not over, or None."""
    return next((part for part in find_parts(scene, who) if part.id == id_), None)


def with_part(scene: Scene, who: CharacterId, part: OpenPart) -> Scene:
    """The same scene with a divided action new or changed; gone where it is over.

    Source: SWIM-POOL-08.
    """
    rest = [one for one in find_parts(scene, who) if one.id != part.id]
    return _with_parts(scene, who, rest if part.is_over else [*rest, part])


def without_open_parts(scene: Scene, who: CharacterId) -> Scene:
    """The same scene at the end of a turn: dice not used are lost, what awaits a defence is not."""
    return _with_parts(scene, who, [part for part in find_parts(scene, who) if not part.left])


def _with_parts(scene: Scene, who: CharacterId, parts: list[OpenPart]) -> Scene:
    return scene.with_document(parts_key(who), Parts(open=tuple(parts)) if parts else None)
