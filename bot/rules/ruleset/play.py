"""What a person can do under a ruleset, and what it comes to."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from bot.rules.dice import Dice
from bot.rules.ruleset.outcome import Document, Roll, Verdict
from bot.rules.ruleset.scene import CharacterId, Scene


class Audience(StrEnum):
    """Who may press a follow-up."""

    OWNER = "owner"  # whoever plays the character it is for, or the GM
    GM = "gm"
    ANYONE = "anyone"  # everybody at the table; each acts with their own character


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a select menu or of an autocompletion.

    Attributes:
        value: What is chosen; up to 100 characters.
        label: What is read; up to 100 characters.
        note: A second, smaller line; up to 100 characters.
    """

    value: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """A button (or, with choices, a select menu) under a result: the next sentence of the play.

    Attributes:
        procedure: Key of the procedure a press runs.
        options: Its options.
        label: Verb first, with cost and chance where there are any; up to 80 characters.
        audience: Who may press.
        character: Who acts when it is pressed; None lets each presser's own character act.
        choices: The entries of a select menu; none makes a button.
        chosen: The option that takes what was chosen; where it is a `CharacterId`, the values are ids.
        group: A press closes every follow-up of the same result that has the same group.
        stays: True keeps it open after a press.
    """

    procedure: str
    options: Document
    label: str
    audience: Audience = Audience.OWNER
    character: CharacterId | None = None
    choices: tuple[Choice, ...] = ()
    chosen: str = ""
    group: str = ""
    stays: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a procedure comes to.

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
    """

    scene: Scene
    headline: str
    verdict: Verdict | None = None
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    is_public: bool = True
    passed: bool | None = None
    skill: str = ""


Options = TypeVar("Options", bound=Document)


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(Generic[Options]):
    """One thing that can be done under a ruleset.

    Attributes:
        key: Its name; never changes once used.
        options: Model of what the player chooses. Fields of type `CharacterId` may be given by name.
        run: Does it. Raises `Mistake` where it is not allowed; then nothing happens.
        gm_only: Only a GM may do it.
        needs_actor: False where it may be done as no character in particular.
    """

    key: str
    options: type[Options]
    run: Callable[[Scene, Options, Dice], Outcome]
    gm_only: bool = False
    needs_actor: bool = True
