"""Character creation step by step; a draft is saved until it is finished or discarded."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import (
    NOBODY,
    Choice,
    CreationRoll,
    Document,
    Draft,
    Question,
    Roll,
    Section,
    Step,
    TextField,
)
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError, UserErrors
from bot.store.records import DraftRecord, JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, access_in, seed_in_use
from bot.table.base.results import Message, Result
from bot.table.base.stored_rolls import KeptRoll, roll_to_json
from bot.table.base.turn import ReadTurn, Turn, act, look, record, unit
from bot.table.base.typed_options import LONGEST_NAME, one_line
from bot.table.characters.characters import (
    ReadyHero,
    add_character,
    described,
    name_problem,
    ready_heroes_of,
)

KIND = "creation.dice"  # no ruleset's documents are called so: their kinds are one word


class Thrown(Document):
    """A creation roll as stored."""

    roll: KeptRoll  # the roll, as in the journal
    answer: tuple[str, ...]  # the answer that the draft stores for it
    settled: dict[str, tuple[str, ...]]  # the answers that it settles


def _under(access: Access) -> str:
    return f"{KIND}/{access.request.person}/"


def throws_of(reader: Reader, access: Access) -> Mapping[str, Thrown]:
    """Return a person's creation rolls for the character they are making."""
    server, campaign, under = access.campaign.server, access.campaign.id, _under(access)
    found: dict[str, Thrown] = {}
    for key in reader.document_keys(server, campaign, under):
        body = reader.document(server, campaign, key)
        if body is not None:
            found[key.removeprefix(under)] = Thrown.model_validate(body)
    return found


def with_throws(answers: Draft, thrown: Mapping[str, Thrown]) -> Draft:
    """Return a draft's answers with those from its dice, and those settled by them."""
    settled = {key: given for one in thrown.values() for key, given in one.settled.items()}
    return {**answers, **settled, **{key: one.answer for key, one in thrown.items()}}


def throw_dice(at: Turn, throw: CreationRoll, answers: Draft) -> Result:
    """Make a step's creation roll and save the result."""
    seed = seed_in_use(at.tx, at.access)
    rule = at.game.rolls[throw.rule]
    roll: Roll = rule.resolve(throw.inputs, FairDice(seed.secret, at.request.interaction)).by(NOBODY)
    body: JsonObject = {
        "roll": roll_to_json(at.game.key, roll),
        "answer": list(throw.answer(roll)),
        "settled": {key: list(answers[key]) for key in throw.settles if key in answers},
    }
    at.tx.save_document(at.server, at.campaign.id, f"{_under(at.access)}{throw.key}", body)
    message = Message(who=at.request.person_name, headline=throw.prompt, verdict=roll.verdict)
    return record(at.table, at.tx, at.access, "character.throw", message, rolls=[roll], seed=seed.number)


def use_up(tx: Transaction, access: Access) -> None:
    """Use up the rolls of a finished character: the person's next one gets its own."""
    server, campaign = access.campaign.server, access.campaign.id
    for key in tx.document_keys(server, campaign, _under(access)):
        tx.save_document(server, campaign, key, None)


LEAF = 25  # choices that one menu holds


def leaves(choices: Sequence[Choice]) -> list[Sequence[Choice]]:
    """Return a question's choices, split into as many menus as they need."""
    return [choices[at : at + LEAF] for at in range(0, len(choices), LEAF)] or [()]


def chosen_in(
    question: Question, before: tuple[str, ...], values: tuple[str, ...], leaf: int
) -> tuple[str, ...]:
    """Return the answer to a question after a choice in one of its menus.

    Raises:
        UserError: If it is not allowed.
    """
    menus = leaves(question.choices)
    offered = {choice.value for choice in (menus[leaf] if leaf < len(menus) else ())}
    least = min(question.least, len(offered)) if len(menus) == 1 else 0
    if not set(values) <= offered or not least <= len(values) <= question.most:
        raise UserError("You can't choose that any more.", "Choose again from the menu.")
    if barred := [question.barred[value] for value in values if value in question.barred]:
        raise UserErrors(tuple(barred))
    if question.most == 1:
        return values
    others = [one for menu in menus for one in menu if one.value in before and one.value not in offered]
    together = (*(one.value for one in others), *values)
    if len(together) > question.most:
        raise UserError(
            f"You can choose up to {question.most} here; that would make {len(together)}.",
            f"Chosen on the other pages: {', '.join(one.label for one in others)}.",
        )
    return together


NAME_STEP = "name"
NAME = TextField(key="name", prompt="What is your character called?", longest=LONGEST_NAME)


class DraftGone(UserError):
    """The draft was finished or discarded, or is somebody else's."""

    def __init__(self) -> None:
        super().__init__(
            "That character is finished or was discarded.", try_this="Start a new one with /character create."
        )


class WizardPage(Struct, frozen=True, kw_only=True):
    """One page of character creation."""

    draft: int  # the draft's id
    game: str  # the ruleset's title
    steps: tuple[tuple[str, str], ...]  # keys and titles of all steps, in order
    step: Step  # the open one
    answers: Draft  # everything answered so far
    problems: tuple[tuple[str, str], ...]  # what is still missing or not allowed, with its step
    preview: tuple[Section, ...] = ()  # the finished sheet, once there are no problems left
    # The dice rolled for this character, by the keys of their creation rolls.
    thrown: Mapping[str, Roll] = {}
    # Questions whose answers can't change any more, because dice were rolled for them.
    settled: frozenset[str] = frozenset()
    gone: tuple[str, ...] = ()  # answers just removed because they no longer fit, in sentences
    heroes: tuple[ReadyHero, ...] = ()  # those to take instead, until anything is answered
    unspent: str = ""  # what is left to spend on the open step; on the last one, of all of them
    varies: bool = False  # whether the number of steps depends on the answers

    @property
    def number(self) -> int:
        """The number of the open step, counted from 1."""
        return 1 + [key for key, _title in self.steps].index(self.step.key)

    @property
    def is_wrong(self) -> bool:
        """Whether the open step has answers, but not all of them fit."""
        own = {one.key for one in self.step.picks} | {one.key for one in self.step.blanks}
        return bool(own & self.answers.keys() and self.to_do)

    @property
    def to_do(self) -> tuple[str, ...]:
        """What is missing or does not fit in the open step: what to do about each."""
        return tuple(sentence for where, sentence in self.problems if where == self.step.key)

    def beside(self, distance: int) -> str | None:
        """Return the key of the step before (−1) or after (+1) the open one, or None."""
        position = self.number - 1 + distance
        return self.steps[position][0] if 0 <= position < len(self.steps) else None


class CreationRollResult(Struct, frozen=True):
    """The result of a step's creation roll."""

    page: WizardPage  # the page afterwards
    result: Result | None  # the public result; None if the dice had been rolled already


@unit()
def begin(at: Turn) -> WizardPage:
    """Open the person's draft in the campaign, or start one."""
    draft = at.tx.draft_of(at.server, at.campaign.id, at.request.person)
    if draft is None:
        fresh = DraftRecord(
            server=at.server,
            campaign=at.campaign.id,
            person=at.request.person,
            step=_steps(at.access, {})[0].key,
            answers={},
        )
        draft = replace(fresh, id=at.tx.save_draft(fresh))
    return _page(at.tx, at.access, draft)


@unit()
def pick(at: Turn, draft: int, key: str, values: tuple[str, ...], leaf: int = 0) -> WizardPage:
    """Answer a question of the draft from its select menu.

    Args:
        draft: The draft's id.
        key: The question.
        values: What was chosen.
        leaf: The number of the question's menu; choices in the others stay.

    Raises:
        UserError: If the answer is not allowed now.
    """
    access, stored = _own_draft(at, draft)
    answers = _answers(at.tx, access, stored)
    question = _question(access, answers, key)
    if key in _settled(throws_of(at.tx, access)):
        raise UserError(
            "That answer was rolled, so it can't change.",
            "A GM can undo the roll with the Undo button under it.",
        )
    chosen = chosen_in(question, answers.get(key, ()), values, leaf)
    return _save(at.tx, access, stored, {**stored.answers, key: list(chosen)})


@unit()
def spend_rest(at: Turn, draft: int, step: str) -> WizardPage:
    """Spend what is left on a step sensibly, as far as it can be spent."""
    access, stored = _own_draft(at, draft)
    answers = _answers(at.tx, access, stored)
    stored = replace(stored, step=_step(access, answers, step).key)
    filled = access.game.creation.spend(answers, access.settings, stored.step)
    changed: JsonObject = {key: list(given) for key, given in filled.items() if answers.get(key) != given}
    page = _save(at.tx, access, stored, {**stored.answers, **changed})
    return page if changed else replace(page, gone=("Nothing more can be bought with what is left.",))


@unit()
def throw(at: Turn, draft: int, key: str) -> CreationRollResult:
    """Make a step's creation roll; only once per character.

    Raises:
        UserError: If the step offers no such roll.
    """
    again = at.earlier_answer()
    access, stored = _own_draft(at, draft)
    if again is not None or key in throws_of(at.tx, access):
        return CreationRollResult(_page(at.tx, access, stored), again)
    answers = _answers(at.tx, access, stored)
    offered = (one for step in _steps(access, answers) for one in step.throws)
    found = next((one for one in offered if one.key == key), None)
    if found is None:
        raise UserError("This character doesn't roll those dice.", "Continue on the open page.")
    result = throw_dice(at.within(access), found, answers)
    return CreationRollResult(_save(at.tx, access, stored, stored.answers), result)


@unit()
def write(at: Turn, draft: int, step: str, fields: Mapping[str, str]) -> WizardPage:
    """Answer a step's questions by text; empty fields clear their answers."""
    access, stored = _own_draft(at, draft)
    opened = _step(access, _answers(at.tx, access, stored), step)
    blanks = {blank.key: blank for blank in opened.blanks}
    if not blanks.keys() & fields.keys():
        raise UserError("That question no longer applies to this character.", "Continue on the open page.")
    answers: JsonObject = dict(stored.answers)
    stored = replace(stored, step=opened.key)
    for key, text in fields.items():
        if key in blanks:
            written = one_line(text)[: blanks[key].longest]
            answers.pop(key, None)
            if written:
                answers[key] = [written]
    return _save(at.tx, access, stored, answers)


@unit()
def turn(at: Turn, draft: int, step: str) -> WizardPage:
    """Open a step of the draft; a step with answers that are not allowed is not left for a later one."""
    access, stored = _own_draft(at, draft)
    opened = _step(access, _answers(at.tx, access, stored), step).key
    page = _page(at.tx, access, stored)
    keys = [key for key, _title in page.steps]
    if keys.index(opened) > keys.index(page.step.key) and page.is_wrong:
        return replace(page, gone=page.to_do[:1])
    return _save(at.tx, access, replace(stored, step=opened), stored.answers)


@look()
def opened(at: ReadTurn, draft: int) -> WizardPage:
    """Return the draft's page, unchanged."""
    return _page(at.reader, *_own_draft(at, draft))


@look()
def to_write(at: ReadTurn, draft: int, step: str) -> tuple[WizardPage, bool]:
    """Return the page of a step with text fields, whichever step is open by now.

    Returns:
        The page, and whether it is that step's; if the step has no text fields any more, it is the
        open step's page, which says so.
    """
    access, stored = _own_draft(at, draft)
    steps = _steps(access, _answers(at.reader, access, stored))
    if any(one.key == step and one.blanks for one in steps):
        return _page(at.reader, access, replace(stored, step=step)), True
    page = _page(at.reader, access, stored)
    now = f"You are now at step {page.number}: {page.step.title}."
    return replace(page, gone=("There is nothing to write in that step any more.", now)), False


@act()
def finish(at: Turn, draft: int) -> Result:
    """Make the draft's character; the person plays it from now on.

    Raises:
        UserErrors: If anything is missing or not allowed; lists all of it.
    """
    access, stored = _own_draft(at, draft)
    answers, gone = _fitted(access, _answers(at.tx, access, stored), _settled(throws_of(at.tx, access)))
    dropped = [f"{question.prompt} {value} no longer fits." for question, value in gone]
    problems = [sentence for _step, sentence in _problems(at.tx, access, answers)]
    if dropped or problems:
        raise UserErrors((*dropped, *problems))
    sheet: Document = access.game.creation.build(answers, access.settings)
    at.tx.drop_draft(at.server, draft)
    use_up(at.tx, access)
    return add_character(at.within(access), answers[NAME.key][0], sheet, answers=stored.answers)


@unit()
def throw_away(at: Turn, draft: int) -> None:
    """Discard the draft; dice already rolled are kept for the next one."""
    _own_draft(at, draft)
    at.tx.drop_draft(at.server, draft)


def as_answers(draft: DraftRecord) -> Draft:
    """Return a stored draft's answers as the rules take them."""
    return {
        key: tuple(str(value) for value in values)
        for key, values in draft.answers.items()
        if isinstance(values, list)
    }


def _own_draft(at: ReadTurn, id_: int) -> tuple[Access, DraftRecord]:
    draft = at.reader.draft(at.server, id_)
    if draft is None or draft.person != at.request.person:
        raise DraftGone
    campaign = at.reader.campaign(at.server, draft.campaign)
    if campaign is None or campaign.is_archived:
        raise DraftGone
    return access_in(at.table, at.reader, at.request, campaign), draft


def _steps(access: Access, answers: Draft) -> tuple[Step, ...]:
    own = access.game.creation.steps(answers, access.settings)
    last = Step(
        key=NAME_STEP,
        title="Name",
        text="Name your character and check the sheet.",
        blanks=(NAME,),
        writes="Enter a name",
    )
    return (*own, last)


def _answers(reader: Reader, access: Access, draft: DraftRecord) -> Draft:
    """Return the draft's answers, with those from its dice."""
    return with_throws(as_answers(draft), throws_of(reader, access))


def _step(access: Access, answers: Draft, key: str) -> Step:
    steps = _steps(access, answers)
    return next((step for step in steps if step.key == key), steps[0])


def _question(access: Access, answers: Draft, key: str) -> Question:
    for step in _steps(access, answers):
        for question in step.picks:
            if question.key == key:
                return question
    raise UserError("That question no longer applies to this character.", "Choose again from the menu.")


def _labels(access: Access, answers: Draft) -> Mapping[tuple[str, str], str]:
    """Return the label of each answer that a draft can have."""
    return {
        (question.key, choice.value): choice.label
        for step in _steps(access, answers)
        for question in step.picks
        for choice in question.choices
    }


def _fitted(
    access: Access, answers: Draft, settled: frozenset[str]
) -> tuple[Draft, list[tuple[Question, str]]]:
    """Split the answers into those that still fit, and those no longer offered with their questions.

    Answers settled by dice stay.
    """
    gone: list[tuple[Question, str]] = []
    while True:
        unfit = [
            (question, value)
            for step in _steps(access, answers)
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


def _save(tx: Transaction, access: Access, draft: DraftRecord, given: JsonObject) -> WizardPage:
    """Save the draft with these answers, as far as they still fit."""
    labels = _labels(access, _answers(tx, access, draft))
    answered = replace(draft, answers=given)
    fitting, gone = _fitted(access, _answers(tx, access, answered), _settled(throws_of(tx, access)))
    out = {question.key for question, _value in gone}
    own: JsonObject = {
        key: list(fitting.get(key, ())) if key in out else value
        for key, value in given.items()
        if key in fitting or key not in out
    }
    stored = replace(answered, answers=own)
    tx.save_draft(stored)
    lines = [
        f"{question.prompt} {label} no longer fits and was removed."
        for question, value in gone
        for label in [labels.get((question.key, value), value)]
    ]
    return replace(_page(tx, access, stored), gone=tuple(lines))


def _problems(reader: Reader, access: Access, answers: Draft) -> tuple[tuple[str, str], ...]:
    found = [(one.where, one.sentence) for one in access.game.creation.problems_of(answers, access.settings)]
    name = "".join(answers.get(NAME.key, ()))
    wrong = name_problem(reader, access, name) if name else "Enter a name."
    return (*found, *([(NAME_STEP, wrong)] if wrong else []))


def _page(reader: Reader, access: Access, draft: DraftRecord) -> WizardPage:
    thrown = throws_of(reader, access)
    answers = with_throws(as_answers(draft), thrown)
    problems = _problems(reader, access, answers)
    preview: tuple[Section, ...] = ()
    if not any(where != NAME_STEP for where, _sentence in problems):
        name = "".join(answers.get(NAME.key, ())) or "Nameless"
        preview = described(access, name, access.game.creation.build(answers, access.settings))
    is_last = draft.step == NAME_STEP
    return WizardPage(
        draft=draft.id,
        game=access.game.title,
        steps=tuple((step.key, step.title) for step in _steps(access, answers)),
        step=_step(access, answers, draft.step),
        answers=answers,
        problems=problems,
        preview=preview,
        thrown={key: one.roll.as_rolled() for key, one in thrown.items()},
        settled=_settled(thrown),
        unspent=access.game.creation.unspent(answers, access.settings, None if is_last else draft.step),
        heroes=() if answers else ready_heroes_of(reader, access),
        varies=access.game.creation.varies,
    )
