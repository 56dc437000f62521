"""Shared prompts: one message that several people answer, showing each answer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic

from msgspec import Struct
from typing_extensions import TypeVar

from bot.rules.kernel.dice import percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import (
    CharacterId,
    Die,
    Document,
    Family,
    ForTypes,
    OpposingDie,
    Roll,
    Roller,
    SettingsT_contra,
    SheetT_contra,
    StoredLine,
    Term,
    Verdict,
    evolve,
    nothing,
)
from bot.rules.kernel.procedures import FollowUp, Outcome
from bot.rules.kernel.scene import Character, SceneT_co


class ToldRoll(Document):
    """A roll as stored in a document for display: everything but its inputs."""

    dice: tuple[Die, ...] = ()  # every die in the order of rolling
    earlier: tuple[Die, ...] = ()  # dice that lay on the table before
    facing: tuple[OpposingDie, ...] = ()  # the dice it stands against
    terms: tuple[Term, ...] = ()  # the rest of the arithmetic
    total: int | None = None  # the sum, or None
    against: str = ""  # what it had to reach, or nothing
    verdict: Verdict  # what it came to
    chance: str = ""  # the chance it had of being enough, or nothing
    purpose: str = ""  # what it was made for; nothing where that was not stored yet
    roller: Roller | None = None  # who made it; None where that was not stored yet
    word: str = ""  # what came of it in a word of what it was made for, or nothing

    @classmethod
    def of(cls, roll: Roll) -> "ToldRoll":
        """Convert a roll to its stored form."""
        enough = None if roll.told_odds is None else roll.told_odds.enough
        return cls(
            dice=roll.dice,
            earlier=roll.earlier,
            facing=roll.facing,
            terms=roll.terms,
            total=roll.total,
            against=roll.against,
            verdict=roll.verdict,
            chance="" if enough is None else percent(enough),
            purpose=roll.purpose,
            roller=roll.roller,
            word=roll.word,
        )

    @property
    def as_rolled(self) -> Roll:
        """Convert back to a roll for display, without its inputs."""
        return Roll(
            rule="",
            inputs=Document(),
            dice=self.dice,
            earlier=self.earlier,
            facing=self.facing,
            terms=self.terms,
            total=self.total,
            against=self.against,
            verdict=self.verdict,
            purpose=self.purpose,
            roller=self.roller,
            word=self.word,
        )

    @property
    def without_target(self) -> "ToldRoll":
        """A copy without the target and the verdict."""
        return evolve(self, against="", chance="", word="", verdict=Verdict(Family.NEWS, "rolled"))


class Part(Struct, frozen=True, kw_only=True):
    """One person's answer as it is shown."""

    who: str  # their name
    rolls: tuple[ToldRoll, ...] = ()  # what they rolled, in order
    verdict: Verdict | None = None  # what it came to, or None
    notes: tuple[str, ...] = ()  # what else is to be told of it
    # The moment of the scene in which they answered, or nothing where that is not to be told.
    moment: str = ""
    is_settled: bool = False  # whether nothing is offered beside it any more


class Answer(Document):
    """Somebody's rolled answer, as stored in the prompt's document."""

    name: str  # who, as they were called then
    moment: str  # the moment of the scene in which it was rolled
    rolls: tuple[ToldRoll, ...] = ()  # the rolls, in order
    verdict: Verdict | None = None  # what it came to, or None
    passed: bool | None = None  # whether it was a success or a failure; None for neither
    notes: tuple[StoredLine, ...] = ()  # what else was told of it

    @property
    def part(self) -> Part:
        """The answer as everybody sees it."""
        return Part(
            who=self.name, rolls=self.rolls, verdict=self.verdict, notes=self.notes, moment=self.moment
        )

    @property
    def secret_part(self) -> Part:
        """A copy without the target and the verdict."""
        return Part(who=self.name, rolls=tuple(roll.without_target for roll in self.rolls))


class View(Struct, frozen=True, kw_only=True):
    """The current state of a shared prompt, for display."""

    parts: tuple[Part, ...] = ()  # what has been answered, in the order in which it is shown
    # What is to be told besides: who is missing, what is at stake. Names in them are as typed.
    lines: tuple[str, ...] = ()
    verdict: Verdict | None = None  # what it came to, or None while it is open
    # What can be pressed now; the `group` of each is its name, and no two share one.
    follow_ups: tuple[FollowUp, ...] = ()
    headline: str = ""  # what is done by now, in place of what was asked for; nothing as long as that is true


class Noted(Struct, ForTypes, Generic[SceneT_co], frozen=True, kw_only=True):
    """An action taken on a shared prompt."""

    scene: SceneT_co  # everything as it was when they did
    outcome: Outcome[SceneT_co]  # what it came to
    actor: CharacterId | None  # the character that acted, or None
    is_again: bool = False  # whether it takes the place of what they did before, by rewinding it


def answer_in(noted: Noted, before: Answer | None) -> Answer | None:
    """Convert an action to an answer; None if it is not one.

    What follows an answer takes its place where it says how that came out after all; what merely comes of
    it (a complication, damage) does not.

    Args:
        noted: What was done.
        before: What the same character had answered before, or None.
    """
    outcome = noted.outcome
    if noted.actor is None or not (outcome.rolls or outcome.verdict):
        return None
    if before is not None and before.passed is not None and passed(outcome) is None and not noted.is_again:
        return None
    return Answer(
        name=noted.scene.character(noted.actor).name,
        moment=noted.scene.moment,
        rolls=tuple(ToldRoll.of(roll) for roll in outcome.rolls) or (() if before is None else before.rolls),
        verdict=outcome.verdict,
        passed=passed(outcome),
        notes=outcome.notes,
    )


class SharedResult(Struct, frozen=True, kw_only=True):
    """The overall result of a shared prompt, for countdowns."""

    passed: bool  # whether it is a success or a failure
    by: CharacterId  # whose it is, as far as countdowns limit who counts
    skill: str  # what it was done with


SharedT = TypeVar("SharedT", bound=Document)
SharedT_co = TypeVar("SharedT_co", bound=Document, default=Document, covariant=True)


def _as_it_is(document: SharedT, _noted: object) -> SharedT:
    return document


def _never(_kept: object) -> bool:
    return False


class SharedPrompt(Struct, ForTypes, Generic[SharedT_co, SceneT_co], frozen=True, kw_only=True):
    """One kind of shared prompt: a campaign document that a message shows while it exists.

    An `Outcome` opens one by naming its document. Whatever is pressed at it is a procedure that
    changes that document; the message is drawn from it anew each time, so that undoing what somebody
    did puts the message back as well.
    """

    model: type[SharedT_co]  # model of the document
    # What is to be seen. The scene's `is_gm` says whether it is for the GM's eyes alone; its message is never
    # drawn for those.
    view: Callable[[SharedT_co, SceneT_co], View]
    # The document, as the procedure left it, with what somebody did at it. What takes the place of an earlier
    # answer of theirs replaces it: a rewind leaves the document alone.
    note: Callable[[SharedT_co, Noted[SceneT_co]], SharedT_co] = _as_it_is
    # Whether what is done at it is told to nobody but the GM.
    is_secret: Callable[[SharedT_co], bool] = _never
    # Whether what is secret is told to whoever did it as well.
    tells_roller: Callable[[SharedT_co], bool] = _never
    # Whether a GM has set what is pressed at it, so that it may be what only a GM may choose.
    is_gms: bool = False
    # What it comes to as a whole, None while that is open. It then moves countdowns as one check, and again
    # when it turns; None for a gathering each of whose answers is a check of its own.
    result: Callable[[SharedT_co, SceneT_co], SharedResult | None] | None = None
    counts_as: tuple[str, ...] = ()  # the checks for which countdowns take that result, by their keys
    # The procedures pressed at it of which its message tells everything, changes included.
    tells: tuple[str, ...] = ()


class RequestableCheck(Struct, ForTypes, Generic[SheetT_contra, SettingsT_contra], frozen=True, kw_only=True):
    """A check that a GM may request."""

    procedure: str  # its key
    title: str  # what it is called, without an article: "skill check"
    what: str = ""  # the option that says what is rolled, or nothing
    difficulty: str = ""  # the option that says how hard it is, or nothing
    needs_difficulty: bool = False  # whether that has to be said
    # The options that a text for *what* stands for, where it is not one option alone.
    read: Callable[[str], Mapping[str, object]] | None = None
    always: Mapping[str, object] = {}  # options that are the same whatever a GM says
    own: str = ""  # the procedure of a player's own check of the kind, where it is another one
    # What can be offered for *what*, as a suggestion of the ruleset's.
    names: Callable[[Character[SheetT_contra] | None, SettingsT_contra], Sequence[str]] = nothing
    # The same for *difficulty*.
    difficulties: Callable[[Character[SheetT_contra] | None, SettingsT_contra], Sequence[str]] = nothing

    def options(self, what: str, difficulty: str) -> Mapping[str, object]:
        """The options for what the GM typed.

        Raises:
            UserError: If something is missing, or nothing that is asked for.
        """
        if what and not (self.what or self.read):
            raise UserError(f"A {self.title} takes no further detail.", "Leave out the option what.")
        if not what and (self.what or self.read):
            raise UserError(f"A {self.title} needs to know what it is for.", "Use the option what.")
        if difficulty and not self.difficulty:
            raise UserError(f"A {self.title} has no difficulty of its own.", "Leave the difficulty out.")
        if self.needs_difficulty and not difficulty:
            raise UserError(f"A {self.title} needs a difficulty.", "Choose a difficulty.")
        said: dict[str, object] = dict(self.read(what)) if self.read else {self.what: what} if what else {}
        return {**self.always, **said, **({self.difficulty: difficulty} if difficulty else {})}


def passed(outcome: Outcome) -> bool | None:
    """Whether something was a success or a failure; None for neither."""
    if outcome.passed is not None or outcome.verdict is None:
        return outcome.passed
    return {Family.SUCCESS: True, Family.FAILURE: False}.get(outcome.verdict.family)
