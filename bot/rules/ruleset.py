"""What a ruleset is, in values that every shared part of the house understands.

A ruleset is found, never named: the table, the store, the screens and the commands know only these
shapes. A procedure takes the scene as it is, what the player chose, and dice; it returns the scene as
it is afterwards and what is to be told. Nothing here is ever changed in place.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Generic, NewType, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.odds import Chance

CharacterId = NewType("CharacterId", int)
PersonId = NewType("PersonId", int)

# Each ruleset has models of its own; the shared parts hand them back to it and look at none of them.
Sheet: TypeAlias = Any
Settings: TypeAlias = Any


class Document(BaseModel):
    """Anything of a ruleset that is kept or sent as JSON: frozen, and closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# --- what a roll came to -----------------------------------------------------------------------


class Family(StrEnum):
    """What kind of news a verdict is; decides the colour it is shown in."""

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILURE = "failure"
    NEWS = "news"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome in one or two of the book's words."""

    family: Family
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """One die (or drawn card) as it fell, in the order of rolling.

    Attributes:
        sides: Faces of the die; for a card, the cards that were left in the deck.
        face: From 1 to *sides*.
        label: What it stands for ("Str", "bonus"), or nothing.
        is_kept: False where it was rolled and does not count.
        is_borrowed: True for dice that are not the roller's own (bonus, magic, an artifact).
        shown: What to show instead of the number, for a card.
    """

    sides: int
    face: int
    label: str = ""
    is_kept: bool = True
    is_borrowed: bool = False
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """One named part of the arithmetic besides the dice."""

    label: str
    value: int


@dataclass(frozen=True, slots=True)
class Odds:
    """The exact chance of each verdict, from the worst to the best.

    Attributes:
        chances: Each verdict's short name with its chance; they add up to 1.
        needed: The first of them that is enough, where it is known what is needed.
    """

    chances: tuple[tuple[str, Chance], ...]
    needed: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """One roll, whole: enough to draw it, to log it and to compute it again.

    Attributes:
        rule: Key of the `RollRule` that made it.
        inputs: What went into it, every number resolved.
        dice: Every die in the order of rolling, dropped ones too.
        terms: The rest of the arithmetic, zeros left out.
        total: The sum, or None where there is none.
        against: What it had to reach, as text ("13+"), or nothing.
        verdict: What it came to.
        odds: The chances it had, or None where a roll has none worth telling.
        fell: The entry of `odds.chances` that came.
    """

    rule: str
    inputs: Document
    dice: tuple[Die, ...]
    terms: tuple[Term, ...] = ()
    total: int | None = None
    against: str = ""
    verdict: Verdict
    odds: Odds | None = None
    fell: str | None = None


Inputs = TypeVar("Inputs", bound=Document)


@dataclass(frozen=True, slots=True)
class RollRule(Generic[Inputs]):
    """How one kind of roll comes about from its inputs and dice alone.

    Attributes:
        key: Name in the journal; never changes once used.
        inputs: Model of the inputs.
        resolve: Rolls. The same inputs and faces always give the same roll: `verify` relies on it.
        odds: The exact chances of the same inputs, or None.
    """

    key: str
    inputs: type[Inputs]
    resolve: Callable[[Inputs, Dice], Roll]
    odds: Callable[[Inputs], Odds] | None = None


# --- the scene ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """A character as the rules see it.

    Attributes:
        id: Which one.
        name: As its player wrote it.
        owner: Whose it is; None for one of the GM's.
        sheet: The ruleset's own document.
        resources: Key of each `ResourceRule` to what is left of it, never below 0.
        wounds: Key of each `WoundTrack` to the boxes filled at each of its levels.
        timers: Key to the moment on the game clock (seconds) at which it runs out.
    """

    id: CharacterId
    name: str
    owner: PersonId | None
    sheet: Document
    resources: Mapping[str, int] = field(default_factory=dict)
    wounds: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    timers: Mapping[str, int] = field(default_factory=dict)

    def with_resource(self, key: str, value: int) -> "Character":
        """The same character with one resource set."""
        return replace(self, resources={**self.resources, key: value})

    def with_wounds(self, track: str, boxes: tuple[int, ...]) -> "Character":
        """The same character with one wound track set."""
        return replace(self, wounds={**self.wounds, track: boxes})

    def with_timer(self, key: str, due: int | None) -> "Character":
        """The same character with a timer set, or without it."""
        rest = {name: moment for name, moment in self.timers.items() if name != key}
        return replace(self, timers=rest if due is None else {**rest, key: due})


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything a procedure may look at, and may return changed.

    Attributes:
        settings: The campaign's settings, the ruleset's model.
        clock: Game time in seconds since the campaign began.
        channel: The channel it happens in; documents that belong to a channel carry it in their key.
        moment: A text that no other interaction shares; for keys of new documents.
        is_gm: Whether the person acting is a GM of the campaign.
        person: The person acting.
        actor_id: The character acting; None where the GM acts as no character.
        find_character: Looks a character of the campaign up; raises `Mistake` if it is not there.
        find_document: Looks a document of the campaign up by key, or None.
        characters: Characters changed so far.
        documents: Documents changed so far; None for one that is to go.
    """

    settings: Document
    clock: int = 0
    channel: str = "0"
    moment: str = "0"
    is_gm: bool = False
    person: PersonId = PersonId(0)
    actor_id: CharacterId | None = None
    find_character: Callable[[CharacterId], Character]
    find_document: Callable[[str], Document | None] = lambda _key: None
    characters: Mapping[CharacterId, Character] = field(default_factory=dict)
    documents: Mapping[str, Document | None] = field(default_factory=dict)

    def character(self, id_: CharacterId) -> Character:
        """A character of the campaign, as it is now.

        Raises:
            Mistake: If the campaign has no such character.
        """
        return self.characters.get(id_) or self.find_character(id_)

    @property
    def actor(self) -> Character:
        """The character acting.

        Raises:
            Mistake: If nobody in particular acts.
        """
        if self.actor_id is None:
            raise Mistake("You have no character here.", try_this="Make one with /character create.")
        return self.character(self.actor_id)

    def document(self, key: str) -> Document | None:
        """A document of the campaign, as it is now, or None."""
        return self.documents[key] if key in self.documents else self.find_document(key)

    def with_character(self, character: Character) -> "Scene":
        """The same scene with one character changed."""
        return replace(self, characters={**self.characters, character.id: character})

    def with_document(self, key: str, document: Document | None) -> "Scene":
        """The same scene with one document written, or removed."""
        return replace(self, documents={**self.documents, key: document})

    def at_clock(self, clock: int) -> "Scene":
        """The same scene at another moment of the game."""
        return replace(self, clock=clock)


# --- what a person can do ----------------------------------------------------------------------


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
        chosen: The option that takes what was chosen.
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
    """

    scene: Scene
    headline: str
    verdict: Verdict | None = None
    rolls: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    is_public: bool = True


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


# --- what is kept of a character ---------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceRule:
    """A counted thing.

    Attributes:
        key: Its name in the store; never changes once used.
        title: Its name in the book.
        start: What a new player's character has.
        npc_start: What a new character of the GM has.
        cap: The most that one can have under the settings and sheet, or None.
    """

    key: str
    title: str
    start: int = 0
    npc_start: int = 0
    cap: Callable[[Sheet, Settings], int | None] = lambda _sheet, _settings: None


@dataclass(frozen=True, slots=True, kw_only=True)
class WoundTrack:
    """Boxes that wounds fill, from the lightest level to the gravest.

    Attributes:
        key: Its name in the store; never changes once used.
        title: Its name in the book.
        levels: The book's name of each level.
        capacities: Boxes at each level, for a sheet.
    """

    key: str
    title: str
    levels: tuple[str, ...]
    capacities: Callable[[Sheet], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of a sheet; its lines are plain text."""

    title: str
    lines: tuple[str, ...]


# --- making a character ------------------------------------------------------------------------

Draft = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A question of a creation step with given answers (a select menu of up to 25).

    Attributes:
        key: Where the draft keeps the answer.
        prompt: The question; up to 100 characters.
        choices: The answers allowed now.
        least: Fewest answers.
        most: Most answers.
    """

    key: str
    prompt: str
    choices: tuple[Choice, ...]
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Blank:
    """A question of a creation step that is answered in writing (a field of a modal).

    Attributes:
        key: Where the draft keeps the answer.
        prompt: The question; up to 45 characters.
        longest: Most characters.
        is_required: Whether it may stay empty.
    """

    key: str
    prompt: str
    longest: int = 80
    is_required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One page of the creation of a character: at most four picks and five blanks.

    Attributes:
        key: Its name.
        title: What it decides.
        text: One or two sentences about it.
        picks: Select menus.
        blanks: Fields of one modal.
    """

    key: str
    title: str
    text: str
    picks: tuple[Pick, ...] = ()
    blanks: tuple[Blank, ...] = ()


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
    """

    steps: Callable[[Draft, Settings], tuple[Step, ...]]
    problems: Callable[[Draft, Settings], tuple[Problem, ...]]
    build: Callable[[Draft, Settings], Document]
    npc: Callable[[], Document]
    ready_made: Mapping[str, Document] = MappingProxyType({})


# --- the rest of a ruleset ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsForm(Generic[Inputs]):
    """The ruleset's own page of `/odds`: a question and its exact answer.

    Attributes:
        question: Model whose fields become the command's options (whole numbers with bounds,
            yes or no, or one of a few words).
        answer: The exact chances.
    """

    question: type[Inputs]
    answer: Callable[[Inputs], Odds]


@dataclass(frozen=True, slots=True)
class RuleText:
    """One rule in our own words, for `/rules`: its ledger ids, its title, its text."""

    ids: tuple[str, ...]
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turning:
    """What happens by itself: the scene afterwards, what to tell, what can be done about it."""

    scene: Scene
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()


@dataclass(frozen=True, slots=True)
class DueTimer:
    """A character's timer whose moment has come."""

    character: CharacterId
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A game that the table can play.

    Attributes:
        key: Its name in the store and in the journal; never changes once used.
        title: Its name as people write it.
        command: The slash command that plays it, without the slash.
        credit: Who wrote the game.
        sheet: Model of a character sheet.
        sheet_version: Version of that model.
        upgrade_sheet: Brings a stored sheet (JSON) of an older version up to date.
        settings: Model of the campaign's settings; every field has a default and a description.
        documents: Kind of document (the part of its key before the first slash) to its model.
        resources: Counted things.
        wounds: Wound tracks.
        rolls: Every kind of roll, by key.
        procedures: Everything one can do, by key.
        creation: How characters are made.
        sheet_problems: What is not allowed about a sheet although its model takes it.
        describe: A character's sheet, to be read on a phone.
        end_session: What the end of a session puts back, for the characters and document keys given.
        timers_due: What happens when timers run out.
        suggestions: Kind of thing to its names for a character (or nobody), for autocompletion.
        odds: The ruleset's page of `/odds`.
        glossary: Its rules in our own words.
    """

    key: str
    title: str
    command: str
    credit: str
    sheet: type[Document]
    sheet_version: int = 1
    upgrade_sheet: Callable[[Mapping[str, object], int], Mapping[str, object]] = lambda sheet, _version: sheet
    settings: type[Document]
    documents: Mapping[str, type[Document]] = MappingProxyType({})
    resources: tuple[ResourceRule, ...] = ()
    wounds: tuple[WoundTrack, ...] = ()
    rolls: Mapping[str, RollRule[Any]]
    procedures: Mapping[str, Procedure[Any]]
    creation: Creation
    sheet_problems: Callable[[Sheet], tuple[Problem, ...]] = lambda _sheet: ()
    describe: Callable[[Character, Settings], tuple[Section, ...]]
    end_session: Callable[[Scene, Sequence[CharacterId], Sequence[str]], Turning]
    timers_due: Callable[[Scene, Sequence[DueTimer]], Turning] = lambda scene, _due: Turning(scene=scene)
    suggestions: Mapping[str, Callable[[Character | None, Settings], Sequence[str]]] = MappingProxyType({})
    odds: OddsForm[Any]
    glossary: tuple[RuleText, ...] = ()
