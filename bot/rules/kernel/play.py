"""Procedures: what a person can do in a ruleset, and the outcome."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pkgutil import walk_packages
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic

from typing_extensions import TypeVar

from bot.rules.kernel.dice import Dice
from bot.rules.kernel.outcome import CharacterId, Document, ForTypes, Roll, Verdict
from bot.rules.kernel.scene import SceneT, SceneT_co

if TYPE_CHECKING:  # what a countdown is stands above what a ruleset is
    from bot.rules.shared.countdowns import Countdown


class NoOptions(Document):
    """The options of a procedure without any."""


class Audience(StrEnum):
    """Who may press a follow-up."""

    OWNER = "owner"  # whoever plays the character it is for, or the GM
    GM = "gm"
    ANYONE = "anyone"  # everybody at the table; each acts with their own character


class Place(StrEnum):
    """Where the result of a press is shown."""

    BELOW = "below"  # in the message that was pressed, below what is there
    VERDICT = "verdict"  # the same, and its verdict takes the place of the one above
    APART = "apart"  # in a message of its own: it is an action of its own
    OPEN = "open"  # the same, and for everybody, also where it stands under a private question


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a select menu or autocompletion.

    Attributes:
        value: What is chosen; up to 100 characters.
        label: What is read; up to 100 characters.
        note: A second, smaller line; up to 100 characters.
    """

    value: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField:
    """A question answered in a text field of a form, or in a menu there.

    Attributes:
        key: Where the draft keeps the answer; of a follow-up, the option that takes it.
        prompt: The question; up to 45 characters.
        longest: Most characters.
        is_required: Whether it has to be answered; else it may stay empty.
        is_long: Whether it is written in a field of several lines.
        choices: The entries of a menu that takes the text field's place; up to 25.
        most: How many of them can be chosen.
    """

    key: str
    prompt: str
    longest: int = 80
    is_required: bool = True
    is_long: bool = False
    choices: tuple[Choice, ...] = ()
    most: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """When a follow-up expires; the ruleset says what closes it.

    Attributes:
        concerns: The characters on whose rolls and actions it depends.
        until: What else closes it, in the ruleset's own words ("first turn"), or `SESSION_ENDED`.
    """

    concerns: tuple[CharacterId, ...] = ()
    until: tuple[str, ...] = ()


SESSION_ENDED = "the session has ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterEntry:
    """A later journal entry that has not been undone.

    Attributes:
        procedure: Key of what was done; nothing where it was no procedure of the ruleset.
        by: Who rolled or acted, or None.
        against: Whom it was aimed at, and whose state it changed.
        is_use: Whether it was done by pressing something under the same result.
        is_end_of_countdown: Whether it ended a countdown that the result had moved.
        moments: What it was besides, in the ruleset's own words, or `SESSION_ENDED`.
    """

    procedure: str = ""
    by: CharacterId | None = None
    against: frozenset[CharacterId] = frozenset()
    is_use: bool = False
    is_end_of_countdown: bool = False
    moments: tuple[str, ...] = ()


def over_once_happened(window: Deadline, happening: LaterEntry) -> str | None:
    """Expire a follow-up once one of its `until` words has happened; enough for most rulesets."""
    over = set(window.until) & set(happening.moments)
    return SESSION_ENDED if SESSION_ENDED in over else "it is already over" if over else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """A button (or, with choices, a select menu) under a result.

    Attributes:
        procedure: Key of the procedure a press runs.
        options: Its options.
        label: Verb first, with cost and chance where there are any; up to 80 characters.
        audience: Who may press.
        character: Who acts when it is pressed; None lets each presser's own character act.
        choices: The entries of a select menu; none makes a button.
        chosen: The option that takes what was chosen; where it is a `CharacterId`, the values are ids.
        blanks: What is asked in writing before it is done, up to five fields of one form.
        group: A press closes every follow-up of the same result that has the same group.
        stays: True keeps it open after a press.
        window: Until when it can be pressed; None: until it is pressed.
        rewinds: A press makes the result unhappen before it runs: what had come of it is taken back, what
            had been paid for it stays paid, and nothing else can be pressed under it any more. Where the
            result stays what it was, the procedure lets the same come of it again. Countdowns take the
            new result for one of the procedure of the old one.
        deal: What a press comes to, as its reader was told: what is done to whom, for how much. A press
            that would come to another `Outcome.deal` by now is refused as outdated; nothing: it always
            does what its label says.
        after_seconds: It presses itself after so long where nobody has; its button says so. Without a
            window that takes that nothing was built on the result. None: never; nor does what was told to
            one person alone.
        note: A sentence that is told as long as it can be pressed ("Ondra may oppose."), or nothing.
        place: Where the outcome is shown. It has a message of its own besides where another player has to
            press something in it, and where not the same people see it. One that rewinds takes the
            place of what it stands under.
        is_owed: Whether its character's player, or for the audience GM a GM, still has to press it; until
            then the GM's desk says so.
    """

    procedure: str
    options: Document
    label: str
    audience: Audience = Audience.OWNER
    character: CharacterId | None = None
    choices: tuple[Choice, ...] = ()
    chosen: str = ""
    blanks: tuple[TextField, ...] = ()
    group: str = ""
    stays: bool = False
    window: Deadline | None = None
    rewinds: bool = False
    deal: str = ""
    after_seconds: int | None = None
    note: str = ""
    place: Place = Place.BELOW
    is_owed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(ForTypes, Generic[SceneT_co]):
    """The result of a procedure.

    Attributes:
        scene: Everything as it is afterwards.
        headline: What was done, a phrase that follows the actor's name ("checks Str + Dex").
        verdict: What it came to as a whole, or None.
        rolls: Every roll, in order. Their dice, joined, are all dice that were rolled.
        notes: Short plain sentences about what else happened. Names in them are as typed.
        follow_ups: What can be done next.
        is_public: False shows the result to the person alone.
        passed: Whether countdowns take it for a success or a failure; None reads it off the verdict.
        skill: What it was done with, in the book's word; the headline where left out.
        paid: The scene once the attempt was paid for and before anything came of it; None where it cost
            nothing. A follow-up that rewinds leaves this as it is.
        moments: What this is besides a roll or a change, for windows, in the ruleset's own words.
        gathering: The key of the document of a gathering that it opens, or nothing.
        countdowns: A countdown that begins with it, or two that run against each other.
        is_brief: Whether its dice are told under Details alone: there are many, and what changed says enough.
        deal: What was agreed to with it; see `FollowUp.deal`.
        awards: What the GM awarded with it: the title of each and how much.
    """

    scene: SceneT_co
    headline: str
    verdict: Verdict | None = None
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    is_public: bool = True
    passed: bool | None = None
    skill: str = ""
    paid: SceneT_co | None = None
    moments: tuple[str, ...] = ()
    gathering: str = ""
    countdowns: "tuple[Countdown, ...]" = ()
    is_brief: bool = False
    deal: str = ""
    awards: tuple[tuple[str, int], ...] = ()


OptionsT = TypeVar("OptionsT", bound=Document)
OptionsT_co = TypeVar("OptionsT_co", bound=Document, default=Document, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(ForTypes, Generic[OptionsT_co, SceneT_co]):
    """Something that can be done in a ruleset.

    Attributes:
        key: Its name; never changes once used.
        options: Model of what the player chooses. Fields of type `CharacterId` may be given by name.
        run: Does it. Raises `UserError` where it is not allowed; then nothing happens.
        gm_only: Only a GM may do it.
        needs_actor: False where it may be done as no character in particular.
        is_check: Whether it is offered as a check that moves countdowns; where a game says it of none,
            everything is offered.
        counts_as: The checks for which countdowns take it besides itself, by their keys.
        can_repeat: Whether its result offers to do the same again.
        sets: Whether it only sets something, so that it is refused where nothing changes.
    """

    key: str
    options: type[OptionsT_co]
    run: Callable[[SceneT_co, OptionsT_co, Dice], Outcome]
    gm_only: bool = False
    needs_actor: bool = True
    is_check: bool = False
    counts_as: tuple[str, ...] = ()
    can_repeat: bool = False
    sets: bool = False


_declared: list[Procedure] = []


def declare(
    key: str,
    options: type[OptionsT],
    run: Callable[[SceneT, OptionsT, Dice], Outcome],
    *,
    gm_only: bool = False,
    needs_actor: bool = True,
    is_check: bool = False,
    counts_as: tuple[str, ...] = (),
    can_repeat: bool = False,
    sets: bool = False,
) -> None:
    """Declare a procedure of the ruleset in whose package this stands; see `Procedure`."""
    procedure = Procedure(
        key=key,
        options=options,
        run=run,
        gm_only=gm_only,
        needs_actor=needs_actor,
        is_check=is_check,
        counts_as=counts_as,
        can_repeat=can_repeat,
        sets=sets,
    )
    _declared.append(procedure)


def procedures_of(package: str, *shared: Procedure) -> Mapping[str, Procedure]:
    """Find every procedure that is declared in the modules of a ruleset's package, by key.

    Args:
        package: Full name of the package; all its modules are imported.
        shared: The procedures of what rulesets share, such as fights and rests, made for this one.

    Raises:
        ValueError: Two of them have the same key.
    """
    for found in walk_packages(import_module(package).__path__, f"{package}."):
        import_module(found.name)
    own = (one for one in _declared if f"{one.run.__module__}.".startswith(f"{package}."))
    by_key: dict[str, Procedure] = {}
    for one in (*own, *shared):
        if one.key in by_key:
            raise ValueError(f"{package} has two procedures with the key {one.key}")
        by_key[one.key] = one
    return MappingProxyType(by_key)
