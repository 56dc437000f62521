"""What checks of several people share: finding their characters and documents, counting rolls, consent."""

from enum import StrEnum
from math import ceil
from typing import TypeVar

from pydantic import Field, model_validator

from bot.rules.kernel import CharacterId, Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Character, Scene

Kept = TypeVar("Kept", bound=Document)


def found(scene: Scene, id_: CharacterId) -> Character | None:
    """A character the reader may see; None once it has left the campaign or is hidden."""
    try:
        character = scene.character(id_)
    except UserError:
        return None
    return character if scene.is_gm or not character.is_hidden else None


def name_of(scene: Scene, id_: CharacterId) -> str:
    """A character's name, or "someone" where it may not be shown."""
    character = found(scene, id_)
    return "someone" if character is None else character.name


def kept_at(scene: Scene, key: str, model: type[Kept]) -> Kept:
    """The document of a shared prompt.

    Raises:
        UserError: If it no longer exists.
    """
    document = scene.document(key)
    if not isinstance(document, model):
        raise UserError("This is over.", try_this="Start again with the command.")
    return document


def assert_known(*characters: Character) -> None:
    """Refuse a public check that involves a hidden character.

    Raises:
        UserError: If one of them is hidden.
    """
    hidden = [character.name for character in characters if character.is_hidden]
    if hidden:
        raise UserError(
            f"The players don't know about {', '.join(hidden)} yet.",
            "Roll in secret, or reveal them with /gm hide.",
        )


class GroupState(StrEnum):
    """The state of a group check. [RPJ-SKILL-18, RPJ-SKILL-19]"""

    ROLLING = "rolling"
    SUCCESS = "success"
    RESCUE = "a Lucky Break can still turn it"
    FAILURE = "failure"


class GroupPart(Document):
    """One member's roll."""

    member: CharacterId  # who rolled
    succeeded: bool  # whether the roll succeeded
    is_turned: bool = False  # whether a Lucky Break turned it


class GroupCheck(Document):
    """A group check."""

    members: tuple[CharacterId, ...] = Field(min_length=1)  # everyone who rolls, including the leader
    leader: CharacterId  # who leads
    parts: tuple[GroupPart, ...] = ()  # the rolls so far
    is_closed: bool = False  # whether the GM has ended it, so that nothing can be turned any more

    @model_validator(mode="after")
    def _is_led_by_a_member(self) -> "GroupCheck":
        if self.leader not in self.members or len(set(self.members)) < len(self.members):
            raise ValueError("The leader must be one of the members, and no member can be named twice.")
        return self

    @property
    def needed(self) -> int:
        """How many must succeed: half of them, rounded up."""
        return ceil(len(self.members) / 2)

    @property
    def successes(self) -> int:
        """How many rolls succeeded or were turned."""
        return sum(part.succeeded or part.is_turned for part in self.parts)

    @property
    def state(self) -> GroupState:
        """The state of the group check. [RPJ-SKILL-18]"""
        if len(self.parts) < len(self.members):
            return GroupState.ROLLING
        if self.successes >= self.needed:
            return GroupState.SUCCESS
        leads = any(part.succeeded for part in self.parts if part.member == self.leader)
        return GroupState.RESCUE if leads and not self.is_closed else GroupState.FAILURE

    def turned(self, member: CharacterId) -> "GroupCheck":
        """The group check with a failure turned into a success by a Lucky Break. [RPJ-SKILL-19 (R-041)]

        Raises:
            UserError: If nothing can be turned any more, or theirs is no failure.
        """
        if self.state is not GroupState.RESCUE:
            raise UserError(
                "You can't turn a failure of this group check now.",
                "That is possible once everyone has rolled, if fewer than half succeeded but the leader did.",
            )
        part = next((part for part in self.parts if part.member == member), None)
        if part is None or part.succeeded or part.is_turned:
            raise UserError("That member has no failure to turn.")
        rest = tuple(other for other in self.parts if other.member != member)
        turned = evolve(part, is_turned=True)
        return evolve(self, parts=(*rest, turned))


class Consent(Document):
    """Who has agreed to one player character acting against another. [RPJ-SKILL-17]"""

    target: bool = False  # whether the player of the target has
    gm: bool = False

    def assert_given(self) -> None:
        """Refuse the roll until both have agreed.

        Raises:
            UserError: If one of them has not.
        """
        missing = [
            who for who, agreed in (("the target's player", self.target), ("the GM", self.gm)) if not agreed
        ]
        if missing:
            raise UserError(
                f"Still waiting for {' and '.join(missing)} to agree.",
                "Talk it through first; then both press Accept.",
            )
