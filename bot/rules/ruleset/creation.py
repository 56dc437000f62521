"""How a character is made, step by step."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from bot.rules.ruleset.outcome import Document, Roll
from bot.rules.ruleset.play import Blank, Choice

# Each ruleset has models of its own; the shared parts hand them back to it and look at none of them.
Sheet: TypeAlias = Any
Settings: TypeAlias = Any


Draft = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A question of a creation step with given answers, however many; they are paged where needed.

    Attributes:
        key: Where the draft keeps the answer.
        prompt: The question; up to 100 characters.
        choices: The answers offered now. One that was given and is not offered any more is taken out.
        least: Fewest answers.
        most: Most answers.
        barred: Of those offered, what cannot be chosen as things stand, and the sentence that says why.
    """

    key: str
    prompt: str
    choices: tuple[Choice, ...]
    least: int = 1
    most: int = 1
    barred: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """Dice that a creation step offers; they fall once for a character, whatever becomes of its draft.

    Attributes:
        key: Where the draft keeps what they came to.
        prompt: What they are for, a phrase that follows a person's name ("rolls for Luck").
        label: The button, verb first; up to 80 characters.
        rule: Key of the `RollRule` among the ruleset's rolls.
        inputs: What goes into it.
        answer: What the draft keeps of the roll.
        settles: Questions whose answers cannot be changed any more once the dice have fallen.
    """

    key: str
    prompt: str
    label: str
    rule: str
    inputs: Document
    answer: Callable[[Roll], tuple[str, ...]]
    settles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One page of the creation of a character: at most six picks and throws, and five blanks.

    Attributes:
        key: Its name.
        title: What it decides.
        text: One or two sentences about it.
        picks: Select menus.
        blanks: Fields of one modal.
        throws: Dice that are thrown here.
    """

    key: str
    title: str
    text: str
    picks: tuple[Pick, ...] = ()
    blanks: tuple[Blank, ...] = ()
    throws: tuple[Throw, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a draft or a sheet: the step (or field) and one sentence."""

    where: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation:
    """How a character of the ruleset is made, step by step.

    Attributes:
        steps: The pages for a draft as it stands; later ones may depend on earlier answers.
        problems: Everything still missing or not allowed, in the order of the steps.
        build: The sheet, once there is no problem left.
        npc: A plain sheet for a character of the GM.
        ready_made: Names and sheets of characters one can play at once.
        ready_made_in: The same where they depend on the campaign's settings.
        needs_leave: Whether the GM has to agree to each character of a player.
    """

    steps: Callable[[Draft, Settings], tuple[Step, ...]]
    problems: Callable[[Draft, Settings], tuple[Problem, ...]]
    build: Callable[[Draft, Settings], Document]
    npc: Callable[[], Document]
    ready_made: Mapping[str, Document] = field(default_factory=lambda: MappingProxyType({}))
    ready_made_in: Callable[[Settings], Mapping[str, Document]] | None = None
    needs_leave: Callable[[Settings], bool] = lambda _settings: False

    def offered(self, settings: Settings) -> Mapping[str, Document]:
        """The ready-made characters of a campaign: their names and sheets."""
        return self.ready_made if self.ready_made_in is None else self.ready_made_in(settings)
