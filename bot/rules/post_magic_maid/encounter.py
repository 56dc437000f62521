"""An encounter: who takes part, in which order, and what each still has this round."""

from collections.abc import Iterable

from pydantic import Field

from bot.rules.mistakes import Mistake
from bot.rules.post_magic_maid.cards import Card, card_of
from bot.rules.ruleset import Character, CharacterId, Document, Scene


class Seat(Document):
    """One participant.

    Attributes:
        character: Who.
        name: Their name when they joined.
        card: The card drawn for the order, or nothing before the draw.
        drawn: Which draw of the encounter it was, from 1.
        redrawn: Cards drawn again to break a tie.
        has_automatic: The next check this round is an automatic 25.
        bonus_dice: Bonus d8s left this round.
        aces_to_give: Spare aces left to give away this round.
        has_blitzed: Whether a Blitz Point was burned this round.
        actions_declared: Actions announced for this round; 0 where nothing was announced.
        actions_used: Actions taken this round.
        has_rolled: Whether anything was rolled on the current turn.
    """

    character: CharacterId
    name: str
    card: str = ""
    drawn: int = 0
    redrawn: tuple[str, ...] = ()
    has_automatic: bool = False
    bonus_dice: int = Field(default=0, ge=0)
    aces_to_give: int = Field(default=0, ge=0)
    has_blitzed: bool = False
    actions_declared: int = Field(default=0, ge=0)
    actions_used: int = Field(default=0, ge=0)
    has_rolled: bool = False

    @property
    def drawn_card(self) -> Card:
        """The card drawn for the order."""
        return card_of(self.card)

    @property
    def has_acted(self) -> bool:
        """Whether no action is left this round."""
        return self.actions_used >= max(1, self.actions_declared)

    def cleared(self) -> "Seat":
        """The same participant at the beginning of a round."""
        return Seat(
            character=self.character, name=self.name, card=self.card, drawn=self.drawn, redrawn=self.redrawn
        )

    @property
    def by_card(self) -> tuple[int, int]:
        """What a newcomer's place is found by: rank, then suit; of Jokers the later one goes first."""
        card = self.drawn_card
        return -card.strength, -self.drawn if card.is_joker else "♠♥♦♣".index(card.suit)

    @property
    def standing(self) -> tuple[int, tuple[int, ...], int]:
        """What the order is sorted by, a smaller one first: rank, cards drawn again, suit.

        Source: PMM-INI-02 to PMM-INI-05.
        """
        rank, suit = self.by_card
        return rank, tuple(-card_of(code).strength for code in self.redrawn), suit


class Encounter(Document):
    """A fight in a channel.

    Attributes:
        starter: Who began it.
        is_opposed: Whether somebody stood ready to stop them; then nobody acts before the draw.
        seats: Participants; in the order of acting once cards are drawn.
        round: The current round; 0 before the draw.
        turn: Place in *seats* of who is acting.
        draws: Cards drawn so far.
        chooser: The Joker's holder while they may choose, or None.
        first: Whom they let go first, or None.
        last: Whom they let go last, or None.
    """

    starter: CharacterId
    is_opposed: bool
    seats: tuple[Seat, ...]
    round: int = 0
    turn: int = 0
    draws: int = 0
    chooser: CharacterId | None = None
    first: CharacterId | None = None
    last: CharacterId | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether the order stands."""
        return self.round > 0

    @property
    def current(self) -> Seat | None:
        """Who is acting, or None before the draw."""
        return self.seats[self.turn] if self.is_drawn else None

    def seat(self, character: CharacterId) -> Seat | None:
        """A participant, or None."""
        return next((seat for seat in self.seats if seat.character == character), None)

    def is_turn_of(self, character: CharacterId) -> bool:
        """Whether a character is acting: the starter before the draw, then whoever's turn it is."""
        if self.current is None:
            return character == self.starter and not self.is_opposed
        return self.current.character == character

    def with_seat(self, seat: Seat) -> "Encounter":
        """The same encounter with one participant changed."""
        seats = tuple(seat if old.character == seat.character else old for old in self.seats)
        return self.model_copy(update={"seats": seats})

    def cleared(self) -> "Encounter":
        """The same encounter with everything gone that lasts a round."""
        return self.model_copy(update={"seats": tuple(seat.cleared() for seat in self.seats)})


def in_order(
    seats: Iterable[Seat], first: CharacterId | None = None, last: CharacterId | None = None
) -> tuple[Seat, ...]:
    """Participants as they act: by their cards, but for those whom a Joker's holder has placed.

    Source: PMM-INI-02 to PMM-INI-05.
    """
    by_cards = sorted(seats, key=lambda seat: seat.standing)
    ahead = [seat for seat in by_cards if seat.character == first]
    behind = [seat for seat in by_cards if seat.character == last]
    between = [seat for seat in by_cards if seat.character not in {first, last}]
    return (*ahead, *between, *behind)


def encounter_key(scene: Scene) -> str:
    """Key of the encounter of the scene's channel."""
    return f"encounter/{scene.channel}"


def find_encounter(scene: Scene) -> Encounter | None:
    """The encounter of the scene's channel, or None."""
    found = scene.document(encounter_key(scene))
    return found if isinstance(found, Encounter) else None


def the_encounter(scene: Scene) -> Encounter:
    """The encounter of the scene's channel.

    Raises:
        Mistake: If there is none.
    """
    found = find_encounter(scene)
    if found is None:
        raise Mistake("There is no encounter in this channel.", try_this="Start one with /maid initiative.")
    return found


def with_encounter(scene: Scene, encounter: Encounter) -> Scene:
    """The same scene with its encounter changed."""
    return scene.with_document(encounter_key(scene), encounter)


def find_seat(scene: Scene, character: CharacterId) -> Seat | None:
    """A character's place in the encounter of the scene's channel, or None."""
    encounter = find_encounter(scene)
    return encounter.seat(character) if encounter else None


def with_seat(scene: Scene, seat: Seat) -> Scene:
    """The same scene with one participant of its encounter changed."""
    return with_encounter(scene, the_encounter(scene).with_seat(seat))


def seat_for(character: Character) -> Seat:
    """A place in the encounter, which everybody watches."""
    if character.is_hidden:
        raise Mistake(
            f"{character.name} is hidden, and everybody sees who takes part in an encounter.",
            try_this=f"/gm hide character:{character.name} show:True lets everybody know.",
        )
    return Seat(character=character.id, name=character.name)
