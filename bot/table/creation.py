"""Making a character step by step; an unfinished one is kept until it is finished or thrown away."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.rules.mistakes import Mistake, Mistakes
from bot.rules.ruleset import Blank, Document, Draft, Pick, Section, Step
from bot.store.boundary import Reader, Transaction
from bot.store.records import DraftRecord, JsonObject
from bot.table.characters import add_character, described, name_problem
from bot.table.journal import told_before
from bot.table.names import LONGEST_NAME, one_line
from bot.table.request import Request
from bot.table.results import Result
from bot.table.seats import Seat, seat_in, take_seat
from bot.table.table import Table

NAME_STEP = "name"
NAME = Blank(key="name", prompt="What is your character called?", longest=LONGEST_NAME)


class DraftGone(Mistake):
    """The draft was finished or thrown away, or is somebody else's."""

    def __init__(self) -> None:
        super().__init__(
            "That character is finished, or was thrown away.", try_this="/character create begins anew."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the creation, as it is to be shown.

    Attributes:
        draft: Which draft.
        game: The ruleset's title.
        steps: Keys and titles of all steps, in order.
        step: The open one.
        answers: Everything answered so far.
        problems: What is still missing or not allowed, with the step it belongs to.
        preview: The sheet as it would be, once there is no problem left.
    """

    draft: int
    game: str
    steps: tuple[tuple[str, str], ...]
    step: Step
    answers: Draft
    problems: tuple[tuple[str, str], ...]
    preview: tuple[Section, ...] = ()

    @property
    def number(self) -> int:
        """Which step is open, counted from 1."""
        return 1 + [key for key, _title in self.steps].index(self.step.key)

    def beside(self, distance: int) -> str | None:
        """The key of a step before (−1) or after (+1) the open one, or None."""
        position = self.number - 1 + distance
        return self.steps[position][0] if 0 <= position < len(self.steps) else None


async def begin(table: Table, request: Request) -> Page:
    """Open the person's draft in the campaign, or a new one."""

    def unit(tx: Transaction) -> Page:
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


async def pick(table: Table, request: Request, draft: int, key: str, values: tuple[str, ...]) -> Page:
    """Answer a question of the draft from its select menu.

    Raises:
        Mistake: If the answer is not one of those allowed now.
    """

    def unit(tx: Transaction) -> Page:
        seat, kept = _own_draft(table, tx, request, draft)
        question = _question(seat, kept, key)
        allowed = {choice.value for choice in question.choices}
        least = min(question.least, len(allowed))
        if not set(values) <= allowed or not least <= len(values) <= question.most:
            raise Mistake("That cannot be chosen any more.", "Choose again from the menu.")
        return _save(tx, seat, replace(kept, answers={**kept.answers, key: list(values)}))

    return await table.store.run(unit)


async def write(table: Table, request: Request, draft: int, step: str, fields: Mapping[str, str]) -> Page:
    """Answer a step's questions in writing; blanks left empty are forgotten."""

    def unit(tx: Transaction) -> Page:
        seat, kept = _own_draft(table, tx, request, draft)
        blanks = {blank.key: blank for blank in _step(seat, kept, step).blanks}
        if not blanks.keys() & fields.keys():
            raise Mistake("That is no question of this character any more.", "Look at the open page.")
        answers: JsonObject = dict(kept.answers)
        for key, text in fields.items():
            if key in blanks:
                written = one_line(text)[: blanks[key].longest]
                answers.pop(key, None)
                if written:
                    answers[key] = [written]
        return _save(tx, seat, replace(kept, answers=answers))

    return await table.store.run(unit)


async def turn(table: Table, request: Request, draft: int, step: str) -> Page:
    """Turn to a step of the draft."""

    def unit(tx: Transaction) -> Page:
        seat, kept = _own_draft(table, tx, request, draft)
        return _save(tx, seat, replace(kept, step=_step(seat, kept, step).key))

    return await table.store.run(unit)


async def look(table: Table, request: Request, draft: int) -> Page:
    """The draft as it stands, unchanged."""

    def query(reader: Reader) -> Page:
        return _page(reader, *_own_draft(table, reader, request, draft))

    return await table.store.read(query)


async def finish(table: Table, request: Request, draft: int) -> Result:
    """Make the character of the draft; the person plays it from now on.

    Raises:
        Mistakes: If something is missing or not allowed; all of it is told.
    """

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        seat, kept = _own_draft(table, tx, request, draft)
        problems = _problems(tx, seat, kept)
        if problems:
            raise Mistakes(tuple(sentence for _step, sentence in problems))
        answers = as_answers(kept)
        sheet: Document = seat.game.creation.build(answers, seat.settings)
        tx.drop_draft(request.server, draft)
        return add_character(table, tx, seat, answers[NAME.key][0], sheet)

    return await table.store.run(unit)


async def throw_away(table: Table, request: Request, draft: int) -> None:
    """Forget the draft."""

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


def _own_draft(table: Table, reader: Reader, request: Request, id_: int) -> tuple[Seat, DraftRecord]:
    draft = reader.draft(request.server, id_)
    if draft is None or draft.person != request.person:
        raise DraftGone
    campaign = reader.campaign(request.server, draft.campaign)
    if campaign is None or campaign.is_archived:
        raise DraftGone
    return seat_in(table, reader, request, campaign), draft


def _steps(seat: Seat, answers: Draft) -> tuple[Step, ...]:
    own = seat.game.creation.steps(answers, seat.settings)
    last = Step(
        key=NAME_STEP, title="Name", text="Give your character a name, and look it over.", blanks=(NAME,)
    )
    return (*own, last)


def _step(seat: Seat, draft: DraftRecord, key: str) -> Step:
    steps = _steps(seat, as_answers(draft))
    return next((step for step in steps if step.key == key), steps[0])


def _question(seat: Seat, draft: DraftRecord, key: str) -> Pick:
    for step in _steps(seat, as_answers(draft)):
        for question in step.picks:
            if question.key == key:
                return question
    raise Mistake("That is no question of this character any more.", "Choose again from the menu.")


def _save(tx: Transaction, seat: Seat, draft: DraftRecord) -> Page:
    tx.save_draft(draft)
    return _page(tx, seat, draft)


def _problems(reader: Reader, seat: Seat, draft: DraftRecord) -> tuple[tuple[str, str], ...]:
    answers = as_answers(draft)
    found = [(one.where, one.sentence) for one in seat.game.creation.problems(answers, seat.settings)]
    name = "".join(answers.get(NAME.key, ()))
    wrong = name_problem(reader, seat, name)
    return (*found, *([(NAME_STEP, wrong)] if wrong else []))


def _page(reader: Reader, seat: Seat, draft: DraftRecord) -> Page:
    answers = as_answers(draft)
    steps = _steps(seat, answers)
    problems = _problems(reader, seat, draft)
    preview: tuple[Section, ...] = ()
    if not any(where != NAME_STEP for where, _sentence in problems):
        name = "".join(answers.get(NAME.key, ())) or "Nameless"
        preview = described(seat, name, seat.game.creation.build(answers, seat.settings))
    return Page(
        draft=draft.id,
        game=seat.game.title,
        steps=tuple((step.key, step.title) for step in steps),
        step=next((step for step in steps if step.key == draft.step), steps[0]),
        answers=answers,
        problems=problems,
        preview=preview,
    )
