"""Making a character step by step; an unfinished one is kept until it is finished or thrown away."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.rules.kernel import Document, Draft, Question, Roll, Section, Step, TextField
from bot.rules.kernel.errors import UserError, UserErrors
from bot.store.boundary import Reader, Transaction
from bot.store.records import DraftRecord, JsonObject
from bot.table.base.clean_names import LONGEST_NAME, one_line
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.seats import Access, seat_in, take_seat
from bot.table.base.table import Table
from bot.table.characters.characters import add_character, described, name_problem
from bot.table.characters.menus import chosen_in
from bot.table.journal.journal import told_before
from bot.table.play.thrown import Thrown, throw_dice, throws_of, use_up, with_throws

NAME_STEP = "name"
NAME = TextField(key="name", prompt="What is your character called?", longest=LONGEST_NAME)


class DraftGone(UserError):
    """The draft was finished or thrown away, or is somebody else's."""

    def __init__(self) -> None:
        super().__init__(
            "That character is finished or was discarded.", try_this="Start a new one with /character create."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WizardPage:
    """One page of the creation, as it is to be shown.

    Attributes:
        draft: Which draft.
        game: The ruleset's title.
        steps: Keys and titles of all steps, in order.
        step: The open one.
        answers: Everything answered so far.
        problems: What is still missing or not allowed, with the step it belongs to.
        preview: The sheet as it would be, once there is no problem left.
        thrown: The dice that have fallen for this character, by the keys of their throws.
        settled: Questions whose answers cannot be changed any more, because dice have fallen for them.
        gone: What was taken out just now because it does not fit any more, in sentences.
    """

    draft: int
    game: str
    steps: tuple[tuple[str, str], ...]
    step: Step
    answers: Draft
    problems: tuple[tuple[str, str], ...]
    preview: tuple[Section, ...] = ()
    thrown: Mapping[str, Roll] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()
    gone: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """Which step is open, counted from 1."""
        return 1 + [key for key, _title in self.steps].index(self.step.key)

    def beside(self, distance: int) -> str | None:
        """The key of a step before (−1) or after (+1) the open one, or None."""
        position = self.number - 1 + distance
        return self.steps[position][0] if 0 <= position < len(self.steps) else None


@dataclass(frozen=True, slots=True)
class Throwing:
    """What came of throwing the dice of a step.

    Attributes:
        page: The page afterwards.
        result: What everybody is told; None where the dice had fallen already.
    """

    page: WizardPage
    result: Result | None


async def begin(table: Table, request: Request) -> WizardPage:
    """Open the person's draft in the campaign, or a new one."""

    def unit(tx: Transaction) -> WizardPage:
        seat = take_seat(table, tx, request)
        draft = tx.draft_of(request.server, seat.campaign.id, request.person)
        if draft is None:
            fresh = DraftRecord(
                server=request.server,
                campaign=seat.campaign.id,
                person=request.person,
                step=_steps(seat, {})[0].key,
                answers={},
            )
            draft = replace(fresh, id=tx.save_draft(fresh))
        return _page(tx, seat, draft)

    return await table.store.run(unit)


async def pick(
    table: Table, request: Request, draft: int, key: str, values: tuple[str, ...], leaf: int = 0
) -> WizardPage:
    """Answer a question of the draft from its select menu.

    Args:
        table: The table.
        request: Who answers.
        draft: Which draft.
        key: The question.
        values: What was chosen.
        leaf: In which of the question's menus; what was chosen in the others stays.

    Raises:
        UserError: If the answer is not one of those allowed now.
    """

    def unit(tx: Transaction) -> WizardPage:
        seat, kept = _own_draft(table, tx, request, draft)
        answers = _answers(tx, seat, kept)
        question = _question(seat, answers, key)
        if key in _settled(throws_of(tx, seat)):
            raise UserError(
                "That answer was rolled, so it can't change.",
                "A GM can undo the roll with the Undo button under it.",
            )
        chosen = chosen_in(question, answers.get(key, ()), values, leaf)
        return _save(tx, seat, kept, {**kept.answers, key: list(chosen)})

    return await table.store.run(unit)


async def throw(table: Table, request: Request, draft: int, key: str) -> Throwing:
    """Throw the dice that a step offers; once for a character, and once only.

    Raises:
        UserError: If the step offers no such dice.
    """

    def unit(tx: Transaction) -> Throwing:
        again = told_before(tx, request)
        seat, kept = _own_draft(table, tx, request, draft)
        if again is not None or key in throws_of(tx, seat):
            return Throwing(_page(tx, seat, kept), again)
        answers = _answers(tx, seat, kept)
        offered = (one for step in _steps(seat, answers) for one in step.throws)
        found = next((one for one in offered if one.key == key), None)
        if found is None:
            raise UserError("This character doesn't roll those dice.", "Continue on the open page.")
        result = throw_dice(table, tx, seat, found, answers)
        return Throwing(_save(tx, seat, kept, kept.answers), result)

    return await table.store.run(unit)


async def write(
    table: Table, request: Request, draft: int, step: str, fields: Mapping[str, str]
) -> WizardPage:
    """Answer a step's questions in writing; blanks left empty are forgotten."""

    def unit(tx: Transaction) -> WizardPage:
        seat, kept = _own_draft(table, tx, request, draft)
        opened = _step(seat, _answers(tx, seat, kept), step)
        blanks = {blank.key: blank for blank in opened.blanks}
        if not blanks.keys() & fields.keys():
            raise UserError(
                "That question no longer applies to this character.", "Continue on the open page."
            )
        answers: JsonObject = dict(kept.answers)
        kept = replace(kept, step=opened.key)
        for key, text in fields.items():
            if key in blanks:
                written = one_line(text)[: blanks[key].longest]
                answers.pop(key, None)
                if written:
                    answers[key] = [written]
        return _save(tx, seat, kept, answers)

    return await table.store.run(unit)


async def turn(table: Table, request: Request, draft: int, step: str) -> WizardPage:
    """Turn to a step of the draft."""

    def unit(tx: Transaction) -> WizardPage:
        seat, kept = _own_draft(table, tx, request, draft)
        opened = _step(seat, _answers(tx, seat, kept), step).key
        return _save(tx, seat, replace(kept, step=opened), kept.answers)

    return await table.store.run(unit)


async def look(table: Table, request: Request, draft: int) -> WizardPage:
    """The draft as it stands, unchanged."""

    def query(reader: Reader) -> WizardPage:
        return _page(reader, *_own_draft(table, reader, request, draft))

    return await table.store.read(query)


async def to_write(table: Table, request: Request, draft: int, step: str) -> tuple[WizardPage, bool]:
    """The page of a step whose questions are answered in writing, whichever step is open by now.

    Returns:
        The page, and whether it is that step's; where nothing is to be written there any more, it is the
        open one, which says so.
    """

    def query(reader: Reader) -> tuple[WizardPage, bool]:
        seat, kept = _own_draft(table, reader, request, draft)
        steps = _steps(seat, _answers(reader, seat, kept))
        if any(one.key == step and one.blanks for one in steps):
            return _page(reader, seat, replace(kept, step=step)), True
        page = _page(reader, seat, kept)
        now = f"You are now at step {page.number}: {page.step.title}."
        return replace(page, gone=("There is nothing to write in that step any more.", now)), False

    return await table.store.read(query)


async def finish(table: Table, request: Request, draft: int) -> Result:
    """Make the character of the draft; the person plays it from now on.

    Raises:
        UserErrors: If something is missing or not allowed; all of it is told.
    """

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        seat, kept = _own_draft(table, tx, request, draft)
        answers, gone = _fitted(seat, _answers(tx, seat, kept), _settled(throws_of(tx, seat)))
        told = [f"{question.prompt} {value} no longer fits." for question, value in gone]
        problems = [sentence for _step, sentence in _problems(tx, seat, answers)]
        if told or problems:
            raise UserErrors((*told, *problems))
        sheet: Document = seat.game.creation.build(answers, seat.settings)
        tx.drop_draft(request.server, draft)
        use_up(tx, seat)
        return add_character(table, tx, seat, answers[NAME.key][0], sheet, answers=kept.answers)

    return await table.store.run(unit)


async def throw_away(table: Table, request: Request, draft: int) -> None:
    """Forget the draft; dice that have fallen wait for the next one."""

    def unit(tx: Transaction) -> None:
        _own_draft(table, tx, request, draft)
        tx.drop_draft(request.server, draft)

    await table.store.run(unit)


def as_answers(draft: DraftRecord) -> Draft:
    """A kept draft's answers as the rules take them."""
    return {
        key: tuple(str(value) for value in values)
        for key, values in draft.answers.items()
        if isinstance(values, list)
    }


def _own_draft(table: Table, reader: Reader, request: Request, id_: int) -> tuple[Access, DraftRecord]:
    draft = reader.draft(request.server, id_)
    if draft is None or draft.person != request.person:
        raise DraftGone
    campaign = reader.campaign(request.server, draft.campaign)
    if campaign is None or campaign.is_archived:
        raise DraftGone
    return seat_in(table, reader, request, campaign), draft


def _steps(seat: Access, answers: Draft) -> tuple[Step, ...]:
    own = seat.game.creation.steps(answers, seat.settings)
    last = Step(
        key=NAME_STEP,
        title="Name",
        text="Name your character and check the sheet.",
        blanks=(NAME,),
        writes="Enter a name",
    )
    return (*own, last)


def _answers(reader: Reader, seat: Access, draft: DraftRecord) -> Draft:
    """What was answered, with what the dice came to."""
    return with_throws(as_answers(draft), throws_of(reader, seat))


def _step(seat: Access, answers: Draft, key: str) -> Step:
    steps = _steps(seat, answers)
    return next((step for step in steps if step.key == key), steps[0])


def _question(seat: Access, answers: Draft, key: str) -> Question:
    for step in _steps(seat, answers):
        for question in step.picks:
            if question.key == key:
                return question
    raise UserError("That question no longer applies to this character.", "Choose again from the menu.")


def _labels(seat: Access, answers: Draft) -> Mapping[tuple[str, str], str]:
    """What is read for each answer that a draft can have."""
    return {
        (question.key, choice.value): choice.label
        for step in _steps(seat, answers)
        for question in step.picks
        for choice in question.choices
    }


def _fitted(
    seat: Access, answers: Draft, settled: frozenset[str]
) -> tuple[Draft, list[tuple[Question, str]]]:
    """The answers without those that are not offered any more, and these with their questions.

    What stands with dice that have fallen stays.
    """
    gone: list[tuple[Question, str]] = []
    while True:
        unfit = [
            (question, value)
            for step in _steps(seat, answers)
            for question in step.picks
            if question.key not in settled
            for value in answers.get(question.key, ())
            if value not in {choice.value for choice in question.choices}
        ]
        if not unfit:
            return answers, gone
        gone += unfit
        out = {(question.key, value) for question, value in unfit}
        left = {
            key: tuple(value for value in given if (key, value) not in out) for key, given in answers.items()
        }
        answers = {key: given for key, given in left.items() if given or not answers[key]}


def _settled(thrown: Mapping[str, Thrown]) -> frozenset[str]:
    return frozenset(key for one in thrown.values() for key in one.settled)


def _save(tx: Transaction, seat: Access, draft: DraftRecord, given: JsonObject) -> WizardPage:
    """Keep the draft with these answers, as far as they still fit."""
    labels = _labels(seat, _answers(tx, seat, draft))
    answered = replace(draft, answers=given)
    fitting, gone = _fitted(seat, _answers(tx, seat, answered), _settled(throws_of(tx, seat)))
    out = {question.key for question, _value in gone}
    own: JsonObject = {
        key: list(fitting.get(key, ())) if key in out else value
        for key, value in given.items()
        if key in fitting or key not in out
    }
    kept = replace(answered, answers=own)
    tx.save_draft(kept)
    told = [
        f"{question.prompt} {label} no longer fits and was removed."
        for question, value in gone
        for label in [labels.get((question.key, value), value)]
    ]
    return replace(_page(tx, seat, kept), gone=tuple(told))


def _problems(reader: Reader, seat: Access, answers: Draft) -> tuple[tuple[str, str], ...]:
    found = [(one.where, one.sentence) for one in seat.game.creation.problems_of(answers, seat.settings)]
    name = "".join(answers.get(NAME.key, ()))
    wrong = name_problem(reader, seat, name)
    return (*found, *([(NAME_STEP, wrong)] if wrong else []))


def _page(reader: Reader, seat: Access, draft: DraftRecord) -> WizardPage:
    thrown = throws_of(reader, seat)
    answers = with_throws(as_answers(draft), thrown)
    problems = _problems(reader, seat, answers)
    preview: tuple[Section, ...] = ()
    if not any(where != NAME_STEP for where, _sentence in problems):
        name = "".join(answers.get(NAME.key, ())) or "Nameless"
        preview = described(seat, name, seat.game.creation.build(answers, seat.settings))
    return WizardPage(
        draft=draft.id,
        game=seat.game.title,
        steps=tuple((step.key, step.title) for step in _steps(seat, answers)),
        step=_step(seat, answers, draft.step),
        answers=answers,
        problems=problems,
        preview=preview,
        thrown={key: one.roll.as_rolled() for key, one in thrown.items()},
        settled=_settled(thrown),
    )
