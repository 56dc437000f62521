"""Requested checks: a GM asks characters for a check, and each player rolls."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct
from pydantic import Field, JsonValue

from bot.rules.kernel import (
    Answer,
    Audience,
    Character,
    CharacterId,
    Document,
    Family,
    FollowUp,
    Noted,
    Outcome,
    Part,
    Procedure,
    Scene,
    SharedPrompt,
    Verdict,
    View,
    answer_in,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import label_with

ASK = "ask"  # the kind of document
CLOSE = "ask.close"
SCENE = "asking"  # the kind of document of a channel's scene
MOST_ASKED = 15


class RollSight(StrEnum):
    """Who sees what comes of a requested check."""

    OPEN = "open"  # everybody
    PRIVATE = "private"  # whoever rolls, and the GM
    BLIND = "blind"  # the GM alone
    SILENT = "silent"  # the GM alone, who has it rolled without telling anybody


class AskingScene(Document):
    """How checks are asked for in a channel."""

    # How hard checks are where nobody says so; empty: as the rules have it.
    difficulty: str = Field(default="", max_length=100)
    sight: RollSight = RollSight.OPEN  # who sees the results of requested ones


class Ask(Document):
    """A check that a GM requests."""

    key: str  # its own key
    procedure: str  # which procedure is to be done
    options: dict[str, JsonValue] = Field(default_factory=dict)
    members: tuple[CharacterId, ...]
    # What a member's button says besides the name, by id: what is rolled, its chance.
    labels: dict[str, str] = Field(default_factory=dict)
    countdown: int | None = None  # id of a countdown that each result moves, or None
    is_hidden: bool = False  # whether only the GM knows how hard it is, and what the dice come to
    # Who sees the results; those of a private or blind request show no dice to others.
    sight: RollSight = RollSight.OPEN
    is_closed: bool = False  # whether the GM has ended it
    answers: dict[str, Answer] = Field(default_factory=dict)  # what has been rolled, by the id of who rolled

    @property
    def is_secret(self) -> bool:
        """Whether not everybody may know what an answer comes to."""
        return self.is_hidden or self.sight is not RollSight.OPEN

    def secret_part(self, answer: Answer) -> Part:
        """An answer as everybody sees it although it is secret."""
        if self.sight is RollSight.OPEN:
            return answer.secret_part
        return Part(who=answer.name, verdict=Verdict(Family.NEWS, "rolled"))


class AskedOptions(Document, extra="allow"):
    """The options of the requested procedure."""


class CloseOptions(Document):
    """Options for closing a request."""

    ask: str


class _Member(Struct, frozen=True):
    """An asked character (None once it has left) and its answer."""

    id: CharacterId
    character: Character | None
    answer: Answer | None


def _members(ask: Ask, scene: Scene) -> Iterator[_Member]:
    """The asked characters that the reader may know of."""
    for id_ in ask.members:
        character = scene.known(id_)
        if character is None or scene.is_gm or not character.is_hidden:
            yield _Member(id_, character, ask.answers.get(str(id_)))


def ask_key(scene: Scene) -> str:
    """The document key of a new request."""
    return f"{ASK}/{scene.moment}"


def view_ask(ask: Ask, scene: Scene) -> View:
    """The request as shown: who rolled what, who is missing, and the verdict once all have rolled."""
    members = tuple(_members(ask, scene))
    answers = [member.answer for member in members if member.answer is not None]
    missing = [member.character for member in members if member.character and not member.answer]
    may_tell = scene.is_gm or not ask.is_secret
    parts = tuple(answer.part if may_tell else ask.secret_part(answer) for answer in answers)
    names = ", ".join(character.name for character in missing)
    if missing and not ask.is_closed:
        buttons = (*(_button(ask, character) for character in missing), _close_button(ask))
        return View(parts=parts, lines=(f"Still to roll: {names}",), follow_ups=buttons)
    return View(
        parts=parts,
        lines=(f"Did not roll: {names}",) if missing else (),
        verdict=_verdict(answers, may_tell=may_tell),
    )


def _button(ask: Ask, character: Character) -> FollowUp:
    label = ask.labels.get(str(character.id), "roll")
    return FollowUp(
        procedure=ask.procedure,
        options=AskedOptions.model_validate(ask.options),
        label=label_with(character.name, f": {label}"),
        character=character.id,
        group=f"roll/{character.id}",
    )


def _close_button(ask: Ask) -> FollowUp:
    return FollowUp(
        procedure=CLOSE,
        options=CloseOptions(ask=ask.key),
        label="Close (GM)",
        audience=Audience.GM,
        group="close",
    )


def _verdict(answers: list[Answer], *, may_tell: bool) -> Verdict:
    """The verdict: one person's own, else how many succeeded."""
    if not answers:
        return Verdict(Family.NEWS, "nobody rolled")
    if not may_tell:
        return Verdict(Family.NEWS, "rolled; the GM knows")
    if len(answers) == 1 and answers[0].verdict is not None:
        return answers[0].verdict
    outcomes = [answer.passed for answer in answers]
    if outcomes.count(None) == len(outcomes):
        return Verdict(Family.NEWS, "all have rolled")
    good, partly = outcomes.count(True), sum(map(_is_partial, answers))
    family = Family.SUCCESS if good == len(outcomes) else Family.PARTIAL if good + partly else Family.FAILURE
    return Verdict(family, f"{good} of {len(outcomes)} succeed" + (f", {partly} partly" if partly else ""))


def _is_partial(answer: Answer) -> bool:
    """Whether an answer is neither a success nor a failure, but something between them."""
    verdict = answer.verdict
    return answer.passed is None and verdict is not None and verdict.family is Family.PARTIAL


def note_answer(ask: Ask, noted: Noted) -> Ask:
    """Add somebody's answer to the request, replacing an earlier one of theirs."""
    if noted.actor not in ask.members:
        return ask
    answer = answer_in(noted, ask.answers.get(str(noted.actor)))
    if answer is None:
        return ask
    return evolve(ask, answers={**ask.answers, str(noted.actor): answer})


def close_ask(scene: Scene, options: CloseOptions, _dice: Dice) -> Outcome:
    """Close a request; missing rolls are dropped."""
    ask = scene.stored(Ask, options.ask)
    if ask is None or ask.is_closed:
        raise UserError("That is closed already.")
    closed = evolve(ask, is_closed=True)
    return Outcome(scene=scene.with_document(options.ask, closed), headline="closes what was asked for")


ASK_PROMPT = SharedPrompt(
    model=Ask,
    view=view_ask,
    note=note_answer,
    is_secret=lambda ask: ask.is_secret,
    tells_roller=lambda ask: ask.sight is RollSight.PRIVATE,
    is_gms=True,
)
ASK_DOCUMENTS: Mapping[str, type[Document]] = MappingProxyType({SCENE: AskingScene})
ASK_PROCEDURES = (Procedure(key=CLOSE, options=CloseOptions, run=close_ask, gm_only=True, needs_actor=False),)
