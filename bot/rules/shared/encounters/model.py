"""The stored state of a fight, and a ruleset's functions for its fights."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

from msgspec import Struct
from pydantic import Field, model_validator

from bot.rules.kernel import (
    Character,
    CharacterId,
    Closing,
    Document,
    FollowUp,
    ForTypes,
    Outcome,
    Scene,
    SceneT,
    SettingsT_co,
    SheetT_co,
    Unsettled,
    Whole,
    evolve,
    nothing,
    rows_of,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import encounter_key


class AnyCombatant(Document):
    """A combatant, whether a character or one of a crowd; a ruleset adds its own fields."""

    character: CharacterId | None = None  # who; None for one of a crowd
    name: str  # their name when they joined
    is_hidden: bool = False  # whether only the GM knows of them; they have no place in the order yet

    @property
    def is_foe(self) -> bool | None:
        """Whether they fight against the heroes; None in a game without sides."""
        return None


class Combatant(AnyCombatant):
    """A character in a fight."""

    character: CharacterId


class Called(NamedTuple):
    """A combatant as people name it: the character, or None for a crowd, and the name in the fight."""

    character: CharacterId | None
    name: str


CombatantT = TypeVar("CombatantT", bound=AnyCombatant)
CharacterT = TypeVar("CharacterT", bound=Combatant)
SHAPE = 2  # of what is stored of a fight; 1: those who are hidden in a list of their own


class Encounter(Whole, Generic[CombatantT]):
    """A fight in a channel; a ruleset adds its own fields."""

    shape: int = SHAPE  # in which shape it is stored; older ones are read, too
    # Everybody who takes part: those whom everybody sees in the order of acting, once that stands, then those
    # who are hidden.
    combatants: tuple[CombatantT, ...] = ()
    round: int = Field(default=0, ge=0)  # the current round; 0 while everybody still gathers

    @model_validator(mode="before")
    @classmethod
    def _read_older_shapes(cls, value: object) -> object:
        return cls.in_shape(value) if isinstance(value, Mapping) else value

    @classmethod
    def in_shape(cls, body: Mapping[str, object]) -> Mapping[str, object]:
        """Migrate a fight's stored JSON to the current shape."""
        if "seats" not in body and "lurking" not in body:
            return body
        rest = {key: value for key, value in body.items() if key not in ("seats", "lurking")}
        stored_hidden = body.get("lurking")
        hidden = [
            {"character": who, "name": "", "is_hidden": True}
            for who in (stored_hidden if isinstance(stored_hidden, list) else ())
        ]
        return {**rest, "shape": SHAPE, "combatants": [*rows_of(body.get("seats")), *hidden]}

    @property
    def has_begun(self) -> bool:
        """Whether the first round has begun."""
        return self.round > 0

    def contradiction(self) -> str:
        """What is inconsistent: a combatant listed twice, or turns without combatants."""
        ids = [one.character for one in self.combatants if one.character is not None]
        if len(ids) > len(set(ids)):
            return "Somebody takes part twice."
        return "" if self.count or not self.has_begun else "Nobody takes part, and yet it has begun."

    @classmethod
    def mended(cls, body: Mapping[str, object]) -> Mapping[str, object]:
        """Repair the fight: everybody once; an empty fight goes back to gathering."""
        sound = cls.in_shape(body)
        once: dict[object, Mapping[str, object]] = {}
        for place, row in enumerate(rows_of(sound.get("combatants"))):
            who = row.get("character")
            once.setdefault(("one of a crowd", place) if who is None else who, row)
        is_empty = all(row.get("is_hidden") for row in once.values())
        round_ = 0 if is_empty else sound.get("round", 0)
        return {**sound, "combatants": list(once.values()), "round": round_}

    @property
    def turn_key(self) -> str:
        """A text that differs in every turn."""
        return str(self.round)

    @property
    def shown(self) -> tuple[CombatantT, ...]:
        """The visible characters, in turn order once it is set."""
        return tuple(one for one in self.combatants if one.character is not None and not one.is_hidden)

    @property
    def hidden(self) -> tuple[CombatantT, ...]:
        """The hidden combatants."""
        return tuple(one for one in self.combatants if one.is_hidden)

    def called(self) -> tuple[Called, ...]:
        """The visible combatants by name, in turn order once it is set."""
        return tuple(Called(one.character, one.name) for one in self.shown)

    def called_hidden(self) -> tuple[Called, ...]:
        """The hidden combatants by name."""
        return tuple(Called(one.character, one.name) for one in self.hidden)

    @property
    def count(self) -> int:
        """The number of visible combatants, including those in crowds."""
        return len(self.shown)

    @property
    def names(self) -> str:
        """The names of all visible combatants, separated by commas."""
        return ", ".join(one.name for one in self.shown)

    def combatant(self, character: CharacterId) -> CombatantT | None:
        """A visible character, or None."""
        for one in self.combatants:
            if one.character == character and one.character is not None and not one.is_hidden:
                return one
        return None

    def hides(self, character: CharacterId) -> bool:
        """Whether a character is hidden in the fight."""
        return any(one.character == character for one in self.hidden)

    def is_on(self, character: CharacterId) -> bool:
        """Whether it is a character's turn."""
        return self.has_begun and self.combatant(character) is not None

    def changed(self, **changes: object) -> Self:
        """The same fight with some fields changed."""
        return evolve(self, **changes)

    def ordered(self, shown: Iterable[CombatantT]) -> Self:
        """A copy with these visible characters in this order; all others stay behind them."""
        seen = tuple(shown)
        here = {one.character for one in seen}
        others = (one for one in self.combatants if one.is_hidden or one.character is None)
        return self.changed(combatants=(*seen, *(one for one in others if one.character not in here)))

    def with_combatant(self, changed: CombatantT) -> Self:
        """A copy with one visible combatant changed."""
        return self.ordered(changed if one.character == changed.character else one for one in self.shown)

    def with_newcomers(self, newcomers: Iterable[CombatantT]) -> Self:
        """A copy with more visible combatants at the end, who may have been hidden."""
        return self.ordered((*self.shown, *newcomers))

    def with_hidden(self, newcomers: Iterable[CombatantT]) -> Self:
        """A copy with more hidden combatants."""
        hidden = (evolve(one, is_hidden=True) for one in newcomers)
        return self.changed(combatants=(*self.combatants, *hidden))

    def without(self, character: CharacterId) -> Self:
        """A copy without a character."""
        return self.changed(combatants=tuple(one for one in self.combatants if one.character != character))


class InTurn(Encounter[CombatantT], Generic[CombatantT]):
    """A fight in which combatants act one after the other."""

    turn: int = Field(default=0, ge=0)  # place among those whom everybody sees of who is on

    def contradiction(self) -> str:
        """What is inconsistent about the fight, including a turn beyond the last place."""
        if self.has_begun and self.turn >= len(self.shown):
            return f"It is turn {self.turn + 1} of {len(self.shown)}."
        return super().contradiction()

    @classmethod
    def mended(cls, body: Mapping[str, object]) -> Mapping[str, object]:
        """Repair the fight: everybody once, and a turn beyond the last place goes to the last."""
        sound = super().mended(body)
        turn = sound.get("turn")
        last = sum(not row.get("is_hidden") for row in rows_of(sound["combatants"])) - 1
        return {**sound, "turn": max(0, min(turn if isinstance(turn, int) else 0, last))}

    @property
    def current(self) -> CombatantT | None:
        """The combatant whose turn it is, or None while gathering."""
        return self.acting if self.has_begun else None

    @property
    def acting(self) -> CombatantT:
        """The combatant whose turn it is, once the order is set."""
        shown = (one for one in self.combatants if one.character is not None and not one.is_hidden)
        return next(islice(shown, self.turn, None))

    @property
    def turn_key(self) -> str:
        """A text that differs in every turn."""
        current = self.current
        return f"{self.round}/{current.character}" if current else str(self.round)

    def is_on(self, character: CharacterId) -> bool:
        """Whether it is a combatant's turn."""
        current = self.current
        return current is not None and current.character == character

    def in_order(self, shown: Iterable[CombatantT]) -> Self:
        """A copy in another order, with the same combatant's turn."""
        ordered, current = tuple(shown), self.current
        places = [
            place for place, one in enumerate(ordered) if current and one.character == current.character
        ]
        return self.ordered(ordered).changed(turn=places[0] if places else 0)

    def without(self, character: CharacterId) -> Self:
        """A copy without a combatant; the turn stays with whoever had it.

        A participant who is on leaves once the turn has been passed on.
        """
        less = super().without(character)
        current = self.current
        places = [
            place for place, one in enumerate(less.shown) if current and one.character == current.character
        ]
        return less.changed(turn=places[0] if places else min(self.turn, max(0, len(less.shown) - 1)))

    def behind(self, who: CharacterId, after: CharacterId | None) -> Self:
        """A copy with a combatant moved behind another one, or behind the next.

        Where the participant is on, the one who follows is on then.

        Raises:
            UserError: If that is not further behind.
        """
        everybody = self.shown
        ids = [one.character for one in everybody]
        place = ids.index(who)
        goal = place + 1 if after is None else ids.index(after)
        if not place < goal < len(ids):
            raise UserError(
                "You can only delay to a later place in the order.",
                "Name someone who acts later in the round.",
            )
        moved = (
            *everybody[:place],
            *everybody[place + 1 : goal + 1],
            everybody[place],
            *everybody[goal + 1 :],
        )
        return self.ordered(moved) if self.is_on(who) else self.in_order(moved)

    def passed_on(self) -> Self:
        """A copy with the next combatant's turn; after the last one a new round begins."""
        is_last = self.turn + 1 >= len(self.shown)
        return self.changed(turn=0, round=self.round + 1) if is_last else self.changed(turn=self.turn + 1)


FightT_co = TypeVar("FightT_co", bound=Encounter, covariant=True)  # type: ignore[type-arg]


class _Fights(Protocol[FightT_co]):
    def find(self, scene: Scene) -> FightT_co | None: ...


FightT = TypeVar("FightT", bound=Encounter)  # type: ignore[type-arg]  # of any kind of participants


class FightPlace(Generic[FightT]):
    """The store of a ruleset's fights: one per channel.

    Args:
        model: The ruleset's model of a fight.
    """

    def __init__(self, model: type[FightT]) -> None:
        self.model = model

    def find(self, scene: Scene) -> FightT | None:
        """The fight in the scene's channel, or None."""
        return scene.stored(self.model, encounter_key(scene.channel))

    def the(self, scene: Scene) -> FightT:
        """The fight in the scene's channel.

        Raises:
            UserError: If there is none.
        """
        found = self.find(scene)
        if found is None:
            raise UserError("There is no fight in this channel.", try_this="Start one with /encounter start.")
        return found

    def combatant(self: _Fights[Encounter[CombatantT]], scene: Scene, who: CharacterId) -> CombatantT | None:
        """A character's visible combatant in the scene's fight, or None."""
        encounter = self.find(scene)
        return None if encounter is None else encounter.combatant(who)

    def concerned(self, scene: Scene, found: Iterable[Unsettled[SceneT]]) -> tuple[Unsettled[SceneT], ...]:
        """Those pending decisions that concern a visible combatant of the scene's fight."""
        encounter = self.find(scene)
        here = set() if encounter is None else {one.character for one in encounter.shown}
        return tuple(one for one in found if here & set(one.concerns))

    def keep(self, scene: SceneT, encounter: FightT) -> SceneT:
        """The same scene with its fight changed."""
        return scene.with_document(encounter_key(scene.channel), encounter)

    def drop(self, scene: SceneT) -> SceneT:
        """The same scene without its fight."""
        return scene.with_document(encounter_key(scene.channel), None)


InTurnT = TypeVar("InTurnT", bound=InTurn)  # type: ignore[type-arg]  # of any kind of participants


class InTurnPlace(FightPlace[InTurnT]):
    """The store of fights whose combatants act one after the other."""

    def delayed(self, scene: SceneT, who: CharacterId, after: CharacterId | None) -> Outcome[SceneT]:
        """A combatant moved to a later place in the order; see `Encounter.behind`."""
        return self._ordered(scene, self.the(scene).behind(who, after), "delays and acts later from now on")

    def reordered(self, scene: SceneT, ids: Sequence[CharacterId]) -> Outcome[SceneT]:
        """Some combatants moved to the front, in this order."""
        encounter = self.the(scene)
        named = [combatant for who in ids if (combatant := encounter.combatant(who)) is not None]
        rest = [combatant for combatant in encounter.shown if combatant.character not in ids]
        return self._ordered(scene, encounter.in_order((*named, *rest)), "sets the order")

    def _ordered(self, scene: SceneT, encounter: InTurnT, headline: str) -> Outcome[SceneT]:
        notes = (f"Turn order: {encounter.names}.",)
        return Outcome(scene=self.keep(scene, encounter), headline=headline, notes=notes)


MOST = 100


class StartOptions(Document):
    """Options for starting a fight."""

    others: tuple[CharacterId, ...] = Field(default=(), max_length=MOST)
    at_once: bool = False  # whether the order is made at once, before anybody acts


class JoinOptions(Document):
    """Options for joining: who joins, by default the acting character."""

    character: CharacterId | None = None


class AddOptions(Document):
    """Options for adding: whom, and whether they are hidden."""

    characters: tuple[CharacterId, ...] = Field(min_length=1, max_length=MOST)
    hidden: bool = False


class NextOptions(Document):
    """Options for ending a turn: which one (`Encounter.turn_key`), by default the current one."""

    turn: str = Field(default="", max_length=60)


class DelayOptions(Document):
    """Options for delaying: behind whom, by default the next combatant."""

    character: CharacterId | None = None
    after: CharacterId | None = None


class LeaveOptions(Document):
    """Options for leaving: who leaves, by default the acting character."""

    character: CharacterId | None = None


class RevealOptions(Document):
    """Options for revealing a hidden combatant."""

    character: CharacterId


class OrderOptions(Document):
    """Options for setting the order; combatants not named follow in their old order."""

    characters: tuple[CharacterId, ...] = Field(min_length=1, max_length=MOST)


class EndOptions(Document):
    """Options for ending: what happens to unsettled things; a GM is asked if nothing is chosen."""

    unsettled: Closing = Closing.ASK


def _begin_words(_scene: object) -> str:
    return "Start round 1"


def _never(_scene: object) -> bool:
    return False


def _as_it_is(scene: Scene, _who: object) -> Scene:
    return scene


class FightRules(Struct, ForTypes, Generic[FightT, SheetT_co, SettingsT_co], frozen=True, kw_only=True):
    """A ruleset's own part of a fight; the given scene always has a fight."""

    place: FightPlace[FightT]  # where its fights are stored
    # Makes a combatant. Raises `UserError` if the character can't take part.
    new_combatant: Callable[[Scene[SheetT_co, SettingsT_co], Character[SheetT_co]], AnyCombatant]
    # Sets the turn order of everyone who has joined, and starts the first turn.
    begin: Callable[[Scene[SheetT_co, SettingsT_co], Dice], Outcome[Scene[SheetT_co, SettingsT_co]]]
    # Gives newcomers their place in the turn order.
    enter: Callable[
        [Scene[SheetT_co, SettingsT_co], Sequence[CharacterId], Dice], Outcome[Scene[SheetT_co, SettingsT_co]]
    ]
    # Ends the current turn and starts the next, with all their effects.
    advance: Callable[[Scene[SheetT_co, SettingsT_co], Dice], Outcome[Scene[SheetT_co, SettingsT_co]]]
    # Ends everything that ends with the fight; the fight is deleted afterwards.
    finish: Callable[[Scene[SheetT_co, SettingsT_co], Dice], Outcome[Scene[SheetT_co, SettingsT_co]]]
    # Notes in the message that opens the fight.
    opening_words: Callable[[Scene[SheetT_co, SettingsT_co]], tuple[str, ...]] = nothing
    # The label of the button that sets the order, or of the next step towards it.
    begin_label: Callable[[Scene[SheetT_co, SettingsT_co]], str] = _begin_words
    # Makes the ruleset's empty fight.
    opened: Callable[[Scene[SheetT_co, SettingsT_co], StartOptions], FightT]
    # Buttons shown before the order is set, besides joining.
    gathering: Callable[[Scene[SheetT_co, SettingsT_co]], tuple[FollowUp, ...]] = nothing
    # Whether only the GM can take the next step towards the first round.
    gm_begins: Callable[[Scene[SheetT_co, SettingsT_co]], bool] = _never
    players_advance: bool = True  # whether players end their own turns; otherwise only the GM does
    # Moves a combatant to a later place in the order, or says why the ruleset has no delaying.
    delay: (
        Callable[
            [Scene[SheetT_co, SettingsT_co], CharacterId, CharacterId | None],
            Outcome[Scene[SheetT_co, SettingsT_co]],
        ]
        | str
    )
    # Sets the order by hand, or says why the ruleset doesn't allow it.
    reorder: (
        Callable[
            [Scene[SheetT_co, SettingsT_co], Sequence[CharacterId]], Outcome[Scene[SheetT_co, SettingsT_co]]
        ]
        | str
    )
    # Removes everything that goes with a leaving combatant.
    leave: Callable[[Scene[SheetT_co, SettingsT_co], CharacterId], Scene] = _as_it_is
    # Pending decisions and rolls; the fight can't end or be left before they are settled.
    unsettled: Callable[[Scene[SheetT_co, SettingsT_co]], tuple[Unsettled, ...]] = nothing
