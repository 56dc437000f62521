"""Divided actions: an action's dice split among parts that are rolled one after the other."""

from collections.abc import Iterable

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, evolve
from bot.rules.swim_class.character.sheet import Scene
from bot.rules.swim_class.character.skill_growth import Scored, advances
from bot.rules.swim_class.resolution.pools import DiceGroup
from bot.rules.swim_class.resolution.tables import SkillKey


class OpenPart(Document):
    """A divided action, or half action, with dice still unused or undecided.

    Attributes:
        id: Its id.
        skill: The rolled skill.
        is_half: Whether it is a half action.
        own: Unused dice of the skill itself.
        added: Unused dice of combined skills.
        pending: Opposed parts that still wait for a defense.
        qualifies: Whether every die so far allows an advance.
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
        """Unused dice."""
        return self.own + sum(group.count for group in self.added)

    @property
    def is_over(self) -> bool:
        """Whether every die is used and decided."""
        return not self.left and not self.pending

    @property
    def has_advanced(self) -> bool:
        """Whether all parts together advance the skill.

        Source: SWIM-ADV-04.
        """
        return self.is_over and self.qualifies and bool(self.faces)

    def judged(self, dice: Iterable[Scored], *, could_fail: bool) -> "OpenPart":
        """Return the divided action with a part's own dice judged.

        Source: SWIM-ADV-04.
        """
        own = tuple(dice)
        qualifies = not own or advances(own, is_whole=True, could_fail=could_fail)
        faces = (*self.faces, *(die.face for die in own))
        return evolve(self, qualifies=self.qualifies and qualifies, faces=faces)


class Parts(Document):
    """A character's divided actions.

    Source: SWIM-POOL-08.
    """

    open: tuple[OpenPart, ...] = ()


def parts_key(who: CharacterId) -> str:
    """The document key of a character's divided actions."""
    return f"parts/{who}"


def find_parts(scene: Scene, who: CharacterId) -> tuple[OpenPart, ...]:
    """A character's divided actions."""
    found = scene.document(parts_key(who))
    return found.open if isinstance(found, Parts) else ()


def open_part(scene: Scene, who: CharacterId, skill: SkillKey, *, is_half: bool) -> OpenPart | None:
    """The divided action with unused dice of a skill, or None."""
    parts = find_parts(scene, who)
    return next(
        (part for part in parts if part.left and (part.skill, part.is_half) == (skill, is_half)), None
    )


def find_part(scene: Scene, who: CharacterId, id_: str) -> OpenPart | None:
    """Find a divided action by id, or return None."""
    return next((part for part in find_parts(scene, who) if part.id == id_), None)


def with_part(scene: Scene, who: CharacterId, part: OpenPart) -> Scene:
    """Return the scene with a divided action added or replaced, or removed once it is over.

    Source: SWIM-POOL-08.
    """
    rest = [one for one in find_parts(scene, who) if one.id != part.id]
    return _with_parts(scene, who, rest if part.is_over else [*rest, part])


def without_open_parts(scene: Scene, who: CharacterId) -> Scene:
    """End a turn: drop divided actions with unused dice; those that wait for a defense stay."""
    return _with_parts(scene, who, [part for part in find_parts(scene, who) if not part.left])


def _with_parts(scene: Scene, who: CharacterId, parts: list[OpenPart]) -> Scene:
    return scene.with_document(parts_key(who), Parts(open=tuple(parts)) if parts else None)
