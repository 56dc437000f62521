"""How a character is made, step by step."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from enum import StrEnum
from types import MappingProxyType
from typing import Generic

from msgspec import Struct, field
from msgspec.structs import replace
from pydantic.fields import FieldInfo

from bot.rules.kernel.outcome import Document, ForTypes, Roll, SettingsT_contra, SheetT, shown_number
from bot.rules.kernel.procedures import Choice, TextField

Draft = Mapping[str, tuple[str, ...]]
MOST_NAMES = 20  # told of those that would do


def answer_to(draft: Draft, key: str) -> str:
    """A draft's only answer to a question, or its first, without spaces around it; empty if it has none."""
    return next(iter(draft.get(key, ())), "").strip()


class Question(Struct, frozen=True, kw_only=True):
    """A creation question with fixed choices, paged if there are many."""

    key: str  # where the draft keeps the answer
    prompt: str  # the question; up to 100 characters
    # The answers offered now. One that was given and is not offered any more is taken out.
    choices: tuple[Choice, ...]
    least: int = 1  # fewest answers
    most: int = 1  # most answers
    usual: str = ""  # the answer that stands until another is given
    # Of those offered, what cannot be chosen as things stand, and the sentence that says why.
    barred: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class CreationRoll(Struct, frozen=True, kw_only=True):
    """Dice of a creation step; they are rolled once per character, even if its draft is discarded."""

    key: str  # where the draft keeps what they came to
    prompt: str  # what they are for, a phrase that follows a person's name ("rolls for Luck")
    label: str  # the button, verb first; up to 80 characters
    rule: str  # key of the `RollRule` among the ruleset's rolls
    inputs: Document  # what goes into it
    answer: Callable[[Roll], tuple[str, ...]]  # what the draft keeps of the roll
    # Questions whose answers cannot be changed any more once the dice have fallen.
    settles: tuple[str, ...] = ()


class Step(Struct, frozen=True, kw_only=True):
    """One page of the creation of a character: at most six picks and throws, and five blanks."""

    key: str  # its name
    title: str  # what it decides
    text: str  # one or two sentences about it
    picks: tuple[Question, ...] = ()  # select menus
    blanks: tuple[TextField, ...] = ()  # fields of one modal
    throws: tuple[CreationRoll, ...] = ()  # dice that are thrown here
    writes: str = ""  # what the button says that opens the fields, verb first; by default "Write …"

    @property
    def required(self) -> Mapping[str, str]:
        """The required answers of this step: each draft key and its question."""
        questions = {one.key: one.prompt for one in self.picks if one.least and not one.usual}
        dice = {one.key: one.label for one in self.throws}
        fields = {one.key: one.prompt for one in self.blanks if one.is_required}
        return {**questions, **dice, **fields}


class Problem(Struct, frozen=True):
    """What is wrong with a draft or a sheet."""

    where: str  # the step or field
    sentence: str  # what is wrong, one sentence
    typed: str = ""  # the name that nobody knows, where that is the problem
    known: tuple[str, ...] = ()  # the names that would do there

    @property
    def with_known(self) -> str:
        """The sentence with the valid names; of many, those most like what was typed."""
        if not self.known:
            return self.sentence
        names = sorted(self.known)
        if len(names) > MOST_NAMES:
            likely = sorted(names, key=lambda name: -SequenceMatcher(None, self.typed, name).ratio())
            names = [*likely[:MOST_NAMES], f"{len(names) - MOST_NAMES} more"]
        return f"{self.sentence} There are: {', '.join(names)}."


class Excess(Struct, frozen=True):
    """Something on a sheet above a beginner's: what, how much, and what a beginner has."""

    what: str
    has: int | str
    beginner: int | str = "none"

    def __str__(self) -> str:
        has, beginner = (f"{n:,}" if isinstance(n, int) else n for n in (self.has, self.beginner))
        return f"{self.what} {has} (a beginner: {beginner})"


class Beginner(Struct, ForTypes, Generic[SheetT, SettingsT_contra], frozen=True, kw_only=True):
    """The limits of a beginner; a player's character above them needs the GM's approval."""

    # What of a new sheet is above a beginner's; counted things are judged by their starts.
    excess: Callable[[SheetT, SettingsT_contra], Iterable[Excess]] = lambda _sheet, _settings: ()
    # The same of what dice may bring and nothing else; on a sheet from a file nobody saw them.
    claims: Callable[[SheetT, SettingsT_contra], Iterable[Excess]] = lambda _sheet, _settings: ()
    # A sheet from a file without what ties it to others at its old table.
    brought: Callable[[SheetT], SheetT] = lambda sheet: sheet


def beyond_new(sheet: Document, judged: Collection[str]) -> Iterator[Excess]:
    """Every sheet field that differs from a new sheet and has no rule of its own.

    Args:
        judged: Fields that are free, or judged by other means.
    """
    for name, field_ in type(sheet).model_fields.items():
        value, new = getattr(sheet, name), field_.get_default(call_default_factory=True)
        if name in judged or value == new:
            continue
        words = name.replace("_", " ").capitalize()
        if isinstance(value, Document) and isinstance(new, type(value)):
            yield from (replace(one, what=f"{words}: {one.what.lower()}") for one in beyond_new(value, ()))
        else:
            yield Excess(words, _amount(value), _amount(new))


def _amount(value: object) -> int | str:
    match value:
        case bool():
            return "yes" if value else "no"
        case int() | str():
            return value or "none"
        case None:
            return "none"
        case list() | tuple() | dict():
            return len(value) or "none"
    return "some"


class Creation(Struct, ForTypes, Generic[SheetT, SettingsT_contra], frozen=True, kw_only=True):
    """How a character of the ruleset is made, step by step."""

    # The pages for a draft as it stands; later ones may depend on earlier answers.
    steps: Callable[[Draft, SettingsT_contra], tuple[Step, ...]]
    build: Callable[[Draft, SettingsT_contra], SheetT]  # the sheet, once there is no problem left
    npc: Callable[[], SheetT]  # a plain sheet for a character of the GM
    # Everything still missing or not allowed, in the order of the steps; None where it is enough that every
    # question is answered.
    problems: Callable[[Draft, SettingsT_contra], tuple[Problem, ...]] | None = None
    # What is left to spend on a page, or on all of them where none is named, in words; empty if nothing is.
    unspent: Callable[[Draft, SettingsT_contra, str | None], str] = lambda _draft, _settings, _step: ""
    # The answers that spend what is left on a page sensibly, as far as it can be spent.
    spend: Callable[[Draft, SettingsT_contra, str], Draft] = lambda draft, _settings, _step: draft
    # Names and sheets of characters one can play at once.
    ready_made: Mapping[str, SheetT] = field(default_factory=lambda: MappingProxyType({}))
    # The same where they depend on the campaign's settings.
    ready_made_in: Callable[[SettingsT_contra], Mapping[str, SheetT]] | None = None
    # What a character is good at, in a few words.
    good_at: Callable[[SheetT, SettingsT_contra], str] = lambda _sheet, _settings: ""
    # Whether the GM has to agree to each character of a player.
    needs_leave: Callable[[SettingsT_contra], bool] = lambda _settings: False
    varies: bool = False  # whether the number of pages depends on the answers

    def problems_of(self, draft: Draft, settings: SettingsT_contra) -> tuple[Problem, ...]:
        """Every problem of the draft: what is missing or not allowed."""
        if self.problems is not None:
            return self.problems(draft, settings)
        return tuple(
            Problem(step.key, f"Answer “{prompt}” first.")
            for step in self.steps(draft, settings)
            for key, prompt in step.required.items()
            if not draft.get(key)
        )

    def offered(self, settings: SettingsT_contra) -> Mapping[str, SheetT]:
        """The ready-made characters of a campaign: their names and sheets."""
        return self.ready_made if self.ready_made_in is None else self.ready_made_in(settings)


class Growth(Struct, frozen=True):
    """Something that grew about a character."""

    what: str  # what it is: a skill, an attribute, a trait
    before: str  # what it was; empty for something new
    after: str
    is_pulled: bool = False  # whether it rose because something else did


def grown(what: str, before: int, after: int, *, is_pulled: bool = False) -> tuple[Growth, ...]:
    """A number that grew; nothing if it did not."""
    return (Growth(what, str(before), str(after), is_pulled),) if after > before else ()


def by_fields(
    sheet: type[SheetT], ready_made: Mapping[str, SheetT] = MappingProxyType({})
) -> Creation[SheetT]:
    """A creation of one page, which asks for every field of the sheet that has no default.

    Args:
        sheet: The model; such a field is a text, yes or no, one of a few words, or a number with bounds.
        ready_made: Names and sheets of characters one can play at once.

    Raises:
        ValueError: If a field is anything else.
    """
    picks: list[Question] = []
    blanks: list[TextField] = []
    first: dict[str, str] = {}
    for name, info in sheet.model_fields.items():
        prompt, values = info.title or name.replace("_", " ").capitalize(), _values_of(info)
        if info.is_required() and values:
            picks.append(Question(key=name, prompt=prompt, choices=values))
            first[name] = values[0].value
        elif info.is_required() and info.annotation is str:
            blanks.append(TextField(key=name, prompt=prompt))
            first[name] = prompt
        elif info.is_required():
            raise ValueError(f"{sheet.__name__}.{name} needs a creation of your own")
    page = Step(key="sheet", title="Sheet", text="", picks=tuple(picks), blanks=tuple(blanks))
    return Creation(
        steps=lambda _draft, _settings: (page,),
        build=lambda draft, _settings: sheet.model_validate({one: answer_to(draft, one) for one in first}),
        npc=lambda: sheet.model_validate(first),
        ready_made=ready_made,
    )


def _values_of(info: FieldInfo) -> tuple[Choice, ...]:
    """The values of a field where there are few; nothing for others."""
    kind = info.annotation
    if kind is bool:
        return (Choice("yes", "Yes"), Choice("no", "No"))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return tuple(Choice(one.value, one.value.capitalize()) for one in kind)
    bounds = {
        name: getattr(one, name) for one in info.metadata for name in ("ge", "le") if hasattr(one, name)
    }
    if kind is int and len(bounds) == 2:
        return tuple(Choice(str(n), shown_number(n)) for n in range(bounds["ge"], bounds["le"] + 1))
    return ()
