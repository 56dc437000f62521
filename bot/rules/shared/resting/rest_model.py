"""The stored state of a rest, and a game's rules for resting."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct
from pydantic import Field, JsonValue

from bot.rules.kernel import (
    Character,
    CharacterId,
    Document,
    ForTypes,
    Outcome,
    Roll,
    Scene,
    SceneT,
    SceneT_co,
    SettingsT_co,
    SheetT_co,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted

REST, LATEST = "rest", "resting"  # kinds of documents: a rest, and which one was the latest
HOUR_SECONDS = 3600
LONGEST_HOURS = 168
MOST_RESTING = 40


class DuringFight(Document):
    """The options of whatever lets somebody rest."""

    in_fight: bool = False  # whether they rest although a fight runs in the channel


class RestOptions(DuringFight):
    """The options of a rest; a game adds its own."""

    hours: int = Field(default=8, ge=0, le=LONGEST_HOURS)  # how many hours at most
    now: bool = False  # whether it is carried out at once, without waiting for others to join
    apart: bool = False  # whether it takes hours of its own although others have just rested


class Sleeper(Document):
    """A resting character: its name and choices."""

    name: str
    options: dict[str, JsonValue] = Field(default_factory=dict)


class Rest(Document):
    """Hours of rest that several share."""

    key: str  # its own key
    hours: int  # how many hours were planned
    shared: dict[str, JsonValue] = Field(default_factory=dict)  # what everybody chooses alike, by option
    # Who rests, by id; once it is carried out, who has rested.
    sleepers: dict[str, Sleeper] = Field(default_factory=dict)
    began: int | None = None  # the game clock at its beginning, once it is carried out
    ended: int | None = None  # the game clock at its end
    is_cancelled: bool = False  # whether it was called off
    in_fight: bool = False  # whether it was begun although a fight ran in the channel

    @property
    def is_open(self) -> bool:
        """Whether it is still to be carried out."""
        return self.ended is None and not self.is_cancelled

    @property
    def passed(self) -> int:
        """How many hours it has lasted."""
        return ((self.ended or 0) - (self.began or 0)) // HOUR_SECONDS

    @property
    def names(self) -> str:
        """The names of everybody resting, separated by commas."""
        return ", ".join(one.name for one in self.sleepers.values())

    def has(self, who: CharacterId | None) -> bool:
        """Whether somebody rests."""
        return str(who) in self.sleepers

    def others(self, who: CharacterId | None) -> str:
        """The names of everybody else resting, separated by commas."""
        return ", ".join(one.name for id_, one in self.sleepers.items() if id_ != str(who))


class Latest(Document):
    """Which rest was the latest."""

    key: str


OptionsT = TypeVar("OptionsT", bound=RestOptions)


class Resting(Struct, Generic[OptionsT], frozen=True):
    """A resting character with its options."""

    who: CharacterId
    options: OptionsT


class Rested(Struct, ForTypes, Generic[SceneT_co], frozen=True, kw_only=True):
    """The result of a rest."""

    scene: SceneT_co  # everything as it is afterwards; its clock is set by whoever asked
    hours: int  # how many hours it lasted
    rolls: tuple[Roll, ...] = ()  # every roll, in order
    notes: tuple[str, ...] = ()  # what else is to be told


class RestRules(Struct, ForTypes, Generic[OptionsT, SheetT_co, SettingsT_co], frozen=True, kw_only=True):
    """A game's own rules for resting."""

    options: type[OptionsT]  # its options, each with a default
    # Raises `UserError` where somebody cannot rest like that.
    assert_can: Callable[[Scene[SheetT_co, SettingsT_co], Character[SheetT_co], OptionsT], None]
    # Lets some rest from a moment on (seconds on the game clock), and rolls as the rules say.
    rest: Callable[
        [Scene[SheetT_co, SettingsT_co], Sequence[Resting[OptionsT]], int, Dice],
        Rested[Scene[SheetT_co, SettingsT_co]],
    ]
    longest: int  # the most hours that one rest lasts
    shared: tuple[str, ...] = ()  # which options are the same for all who rest together, besides the hours
    # A rest of 0 hours, which takes no time and is nobody else's; None where the game has none.
    brief: Callable[[Scene[SheetT_co, SettingsT_co], OptionsT, Dice], Outcome] | None = None

    def joining(self, one: Rest, hours: int) -> OptionsT:
        """The default choices of somebody who joins a rest."""
        return self.chosen(hours, one.shared)

    def chosen(self, hours: int, more: dict[str, JsonValue] | None = None) -> OptionsT:
        """So many hours of rest.

        Raises:
            UserError: If no rest lasts so long.
        """
        if hours > self.longest:
            raise UserError(f"A rest can last at most {hours_words(self.longest)}.")
        return self.options.model_validate({**(more or {}), "hours": hours})


def planned(
    rules: RestRules[OptionsT], scene: Scene, hours: int, sleepers: Iterable[tuple[Character, OptionsT]]
) -> Rest:
    """A rest that is about to begin."""
    found = list(sleepers)
    shared = found[0][1].model_dump(mode="json", include=set(rules.shared)) if found else {}
    return Rest(
        key=f"{REST}/{scene.moment}",
        hours=hours,
        shared=shared,
        sleepers={str(one.id): sleeper(one, options) for one, options in found},
    )


def sleeper(character: Character, options: RestOptions) -> Sleeper:
    """Convert a resting character to its stored form."""
    chosen = options.model_dump(mode="json", exclude_defaults=True, exclude={"now", "apart", "in_fight"})
    return Sleeper(name=character.name, options={**chosen, "hours": options.hours})


def with_rest(scene: SceneT, changed: Rest) -> SceneT:
    """The same scene with a rest changed; it is the latest."""
    return scene.with_document(changed.key, changed).with_document(LATEST, Latest(key=changed.key))


def latest_rest(scene: Scene) -> Rest | None:
    """The latest rest of the campaign, or None."""
    known = scene.stored(Latest, LATEST)
    return None if known is None else scene.stored(Rest, known.key)


def has_just_ended(scene: Scene, one: Rest | None, who: Iterable[CharacterId]) -> bool:
    """Whether a rest without some has just ended, with no time passed since."""
    if one is None or one.ended != scene.clock or not one.passed:
        return False
    return not any(one.has(id_) for id_ in who)


def known_names(scene: Scene, one: Rest) -> str:
    """Who rests, of those whom a player plays; the GM's may rest unseen."""
    sleepers = ((scene.known(CharacterId(int(id_))), one.name) for id_, one in one.sleepers.items())
    names = [name for character, name in sleepers if character is not None and character.owner is not None]
    return ", ".join(names) or "others"


def open_rest(scene: Scene, key: str) -> Rest:
    """A rest that is still to be carried out.

    Raises:
        UserError: If it has been, or was called off.
    """
    found = scene.stored(Rest, key)
    if found is None or not found.is_open:
        raise UserError("That rest is already over.", try_this="Start another one.")
    return found


def hours_words(hours: int) -> str:
    """Hours in words."""
    return counted(hours, "hour")


def without_open_rest(scene: SceneT) -> SceneT:
    """The same scene after a session: nobody joins a rest of it any more without seeing its message."""
    return scene.without_document(LATEST)
