"""What is kept of a fight: who takes part, in which order, and how far it is."""

from collections.abc import Collection, Iterable, Mapping
from typing import Generic, Self, TypeVar

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, Scene, SceneT, Whole, rows_of
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import encounter_key


class Combatant(Document):
    """One participant; a ruleset adds what each has left.

    Attributes:
        character: Who.
        name: Their name when they joined.
    """

    character: CharacterId
    name: str


SeatT = TypeVar("SeatT", bound=Combatant)


class Encounter(Whole, Generic[SeatT]):
    """A fight in a channel; a ruleset adds what else it keeps.

    Attributes:
        seats: Participants whom everybody sees, in the order of acting once that stands.
        lurking: Participants that only the GM knows of; they have no place in the order yet.
        round: The current round; 0 while everybody still gathers.
    """

    seats: tuple[SeatT, ...] = ()
    lurking: tuple[CharacterId, ...] = ()
    round: int = Field(default=0, ge=0)

    @property
    def has_begun(self) -> bool:
        """Whether the order stands and turns are taken."""
        return self.round > 0

    def contradiction(self) -> str:
        """What about the fight cannot be: somebody in it twice, or turns where nobody takes part."""
        ids = [*(seat.character for seat in self.seats), *self.lurking]
        if len(ids) > len(set(ids)):
            return "Somebody takes part twice."
        return "" if self.count or not self.has_begun else "Nobody takes part, and yet it has begun."

    @classmethod
    def mended(cls, body: Mapping[str, object]) -> Mapping[str, object]:
        """The fight with everybody once; without anybody, everybody gathers anew."""
        there = {seat["character"]: seat for seat in reversed(rows_of(body.get("seats")))}
        seats = list(there.values())[::-1]
        hidden = body.get("lurking")
        others = dict.fromkeys(hidden if isinstance(hidden, list) else ())
        lurking = [one for one in others if one not in there]
        return {**body, "seats": seats, "lurking": lurking, "round": body.get("round", 0) if seats else 0}

    @property
    def turn_key(self) -> str:
        """A text that is another one in every turn."""
        return str(self.round)

    @property
    def count(self) -> int:
        """How many take part whom everybody sees; more than have seats where a ruleset knows crowds."""
        return len(self.seats)

    @property
    def names(self) -> str:
        """Everybody whom all see, with commas."""
        return ", ".join(seat.name for seat in self.seats)

    def seat(self, character: CharacterId) -> SeatT | None:
        """A participant whom everybody sees, or None."""
        return next((seat for seat in self.seats if seat.character == character), None)

    def is_on(self, character: CharacterId) -> bool:
        """Whether it is a participant's turn."""
        return self.has_begun and self.seat(character) is not None

    def changed(self, **changes: object) -> Self:
        """The same fight with some fields changed."""
        return self.model_copy(update=changes)

    def with_seat(self, seat: SeatT) -> Self:
        """The same fight with one participant changed."""
        return self.changed(
            seats=tuple(seat if old.character == seat.character else old for old in self.seats)
        )

    def with_newcomers(self, seats: Iterable[SeatT]) -> Self:
        """The same fight with more participants behind the others."""
        return self.changed(seats=(*self.seats, *seats))

    def without(self, character: CharacterId) -> Self:
        """The same fight without a participant."""
        rest = tuple(seat for seat in self.seats if seat.character != character)
        return self.changed(seats=rest).without_lurking((character,))

    def without_lurking(self, characters: Collection[CharacterId]) -> Self:
        """The same fight without some of those that only the GM knows of."""
        return self.changed(lurking=tuple(one for one in self.lurking if one not in characters))


class InTurn(Encounter[SeatT], Generic[SeatT]):
    """A fight in which one acts after the other.

    Attributes:
        turn: Place in *seats* of who is on.
    """

    turn: int = Field(default=0, ge=0)

    def contradiction(self) -> str:
        """What about the fight cannot be: also a turn behind the last one's."""
        if self.has_begun and self.turn >= len(self.seats):
            return f"It is turn {self.turn + 1} of {len(self.seats)}."
        return super().contradiction()

    @classmethod
    def mended(cls, body: Mapping[str, object]) -> Mapping[str, object]:
        """The fight with everybody once, and the last one on where the turn was behind theirs."""
        sound = super().mended(body)
        turn = sound.get("turn")
        last = len(rows_of(sound["seats"])) - 1
        return {**sound, "turn": max(0, min(turn if isinstance(turn, int) else 0, last))}

    @property
    def current(self) -> SeatT | None:
        """Who is on, or None while everybody still gathers."""
        return self.acting if self.has_begun else None

    @property
    def acting(self) -> SeatT:
        """Who is on, once the order stands."""
        return self.seats[self.turn]

    @property
    def turn_key(self) -> str:
        """A text that is another one in every turn."""
        return f"{self.round}/{self.current.character}" if self.current else str(self.round)

    def is_on(self, character: CharacterId) -> bool:
        """Whether it is a participant's turn."""
        return self.current is not None and self.current.character == character

    def in_order(self, seats: Iterable[SeatT]) -> Self:
        """The same fight in another order; whoever is on stays on."""
        ordered, current = tuple(seats), self.current
        places = [
            place for place, seat in enumerate(ordered) if current and seat.character == current.character
        ]
        return self.changed(seats=ordered, turn=places[0] if places else 0)

    def without(self, character: CharacterId) -> Self:
        """The same fight without a participant; who was on stays on.

        A participant who is on leaves once the turn has been passed on.
        """
        less = super().without(character)
        current = self.current
        places = [
            place for place, one in enumerate(less.seats) if current and one.character == current.character
        ]
        return less.changed(turn=places[0] if places else min(self.turn, max(0, len(less.seats) - 1)))

    def behind(self, who: CharacterId, after: CharacterId | None) -> Self:
        """The same fight with a participant further behind: behind another one, or behind the next.

        Where the participant is on, the one who follows is on then.

        Raises:
            UserError: If that is not further behind.
        """
        ids = [seat.character for seat in self.seats]
        place = ids.index(who)
        goal = place + 1 if after is None else ids.index(after)
        if not place < goal < len(ids):
            raise UserError(
                "You can only delay to a later place in the order.",
                "Name someone who acts later in the round.",
            )
        moved = (
            *self.seats[:place],
            *self.seats[place + 1 : goal + 1],
            self.seats[place],
            *self.seats[goal + 1 :],
        )
        return self.changed(seats=moved) if self.is_on(who) else self.in_order(moved)

    def passed_on(self) -> Self:
        """The same fight with the next one on; behind the last one a new round begins."""
        is_last = self.turn + 1 >= len(self.seats)
        return self.changed(turn=0, round=self.round + 1) if is_last else self.changed(turn=self.turn + 1)


FightT = TypeVar("FightT", bound=Encounter)  # type: ignore[type-arg]  # of any kind of participants


class FightPlace(Generic[FightT]):
    """Where a ruleset's fights are kept: one in each channel.

    Args:
        model: The ruleset's model of a fight.
    """

    def __init__(self, model: type[FightT]) -> None:
        self.model = model

    def find(self, scene: Scene) -> FightT | None:
        """The fight of the scene's channel, or None."""
        found = scene.document(encounter_key(scene.channel))
        return found if isinstance(found, self.model) else None

    def the(self, scene: Scene) -> FightT:
        """The fight of the scene's channel.

        Raises:
            UserError: If there is none.
        """
        found = self.find(scene)
        if found is None:
            raise UserError(
                "There is no encounter in this channel.", try_this="Start one with /encounter start."
            )
        return found

    def keep(self, scene: SceneT, encounter: FightT) -> SceneT:
        """The same scene with its fight changed."""
        return scene.with_document(encounter_key(scene.channel), encounter)

    def drop(self, scene: SceneT) -> SceneT:
        """The same scene without its fight."""
        return scene.with_document(encounter_key(scene.channel), None)
