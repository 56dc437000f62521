"""An opposed check on one message: the other player rolls, or a GM says a number; then whoever acts rolls."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pydantic import Field

from bot.rules.kernel import (
    Answer,
    Audience,
    CharacterId,
    Choice,
    Document,
    Family,
    FollowUp,
    Noted,
    Outcome,
    Procedure,
    SharedPrompt,
    SharedResult,
    TextField,
    Verdict,
    View,
    answer_in,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.kernel.outcome import shown_number
from bot.rules.own.game_parts import OwnCheck, OwnQuestion, QuestionKind
from bot.rules.own.own_acts import answer_choices
from bot.rules.own.own_events import procedure
from bot.rules.own.own_procedures import (
    ATTACK,
    ROLL,
    RollOptions,
    check_of,
    do_roll,
    opponent,
    ready_roll,
    target_words,
    their_roll,
)
from bot.rules.own.own_rolls import OwnRules, check_odds
from bot.rules.own.own_sheet import OwnCharacter, OwnScene

OPPOSED = "opposed"  # the kind of document
OPPOSE, NUMBER, CONTEST = "oppose", "opposed_number", "contest"
GONE = "This opposed check is no longer there."


class OwnOpposed(Document):
    """An opposed check that waits for the other side."""

    key: str
    by: CharacterId  # who acts
    roll: RollOptions  # what is rolled, and against whom
    theirs: int | None = None  # what the other side came to
    their_answer: Answer | None = None  # their roll; None where a GM said the number
    answer: Answer | None = None  # the roll of who acts


class OpposeOptions(Document):
    """What the other side rolls with."""

    at: str
    answer: str = Field(default="", max_length=100)  # to the check's question about their sheet


class OpposedNumberOptions(Document):
    """A GM's number for the other side."""

    at: str
    number: str = Field(max_length=6)


class OwnContestOptions(Document):
    """An opposed check."""

    at: str


def do_oppose(rules: OwnRules, scene: OwnScene, options: RollOptions, dice: Dice) -> Outcome:
    """Roll, or where it stands against another player's character, ask them to roll first."""
    check, move = check_of(rules.game, options.what)
    if check is None or not check.is_opposed or options.at is None or options.theirs is not None:
        return do_roll(rules, scene, options, dice)
    target = opponent(scene, check, options)
    if target.owner in (None, scene.actor.owner):
        return do_roll(rules, scene, options, dice)
    ready_roll(rules, scene, options, check, move)  # refuses at once what can't be rolled
    key = f"{OPPOSED}/{scene.moment}"
    opposed = OwnOpposed(key=key, by=scene.actor.id, roll=options)
    label = check.label if move is None else move.label
    return Outcome(
        scene=scene.with_document(key, opposed),
        headline=f"wants to roll {label}{target_words(rules.game, move, target)}",
        gathering=key,
    )


def _waiting(scene: OwnScene, at: str, *, has_theirs: bool) -> OwnOpposed:
    opposed = scene.document(at)
    if not isinstance(opposed, OwnOpposed):
        raise UserError(GONE)
    if opposed.answer is not None or (opposed.theirs is not None) is not has_theirs:
        raise UserError("This has already been rolled.")
    return opposed


def _check(rules: OwnRules, opposed: OwnOpposed) -> OwnCheck:
    check, _ = check_of(rules.game, opposed.roll.what)
    if check is None or not check.is_opposed:
        raise UserError(GONE)
    return check


def _question(check: OwnCheck) -> OwnQuestion | None:
    """What the other side chooses: what of their sheet they roll."""
    kinds = (QuestionKind.NAME, QuestionKind.ENTRY)
    return next((one for one in check.questions if one.kind in kinds), None)


def oppose(rules: OwnRules, scene: OwnScene, options: OpposeOptions, dice: Dice) -> Outcome:
    """Roll as the other side of an opposed check."""
    opposed = _waiting(scene, options.at, has_theirs=False)
    check = _check(rules, opposed)
    question = _question(check)
    given = {question.key: options.answer} if question is not None and options.answer else {}
    roll, theirs = their_roll(rules, scene, check, scene.actor, given, dice)
    return Outcome(
        scene=scene.with_document(opposed.key, evolve(opposed, theirs=theirs)),
        headline=f"opposes with {shown_number(theirs)}",
        verdict=Verdict(Family.NEWS, shown_number(theirs)),
        rolls=(roll,),
    )


def say_number(_rules: OwnRules, scene: OwnScene, options: OpposedNumberOptions, _dice: Dice) -> Outcome:
    """Say, as a GM, what the other side comes to."""
    opposed = _waiting(scene, options.at, has_theirs=False)
    typed = options.number.strip().replace("−", "-")
    if not typed.removeprefix("-").isdecimal():
        raise UserError(f"“{options.number}” is no whole number.")
    return Outcome(
        scene=scene.with_document(opposed.key, evolve(opposed, theirs=int(typed))),
        headline=f"sets the number to beat to {shown_number(int(typed))}",
    )


def contest(rules: OwnRules, scene: OwnScene, options: OwnContestOptions, dice: Dice) -> Outcome:
    """Roll against what the other side came to."""
    opposed = _waiting(scene, options.at, has_theirs=True)
    _check(rules, opposed)
    return do_roll(rules, scene, evolve(opposed.roll, theirs=opposed.theirs), dice)


def _note(opposed: OwnOpposed, noted: Noted) -> OwnOpposed:
    if noted.actor == opposed.by:
        answer = answer_in(noted, opposed.answer) if opposed.theirs is not None else None
        return opposed if answer is None else evolve(opposed, answer=answer)
    answer = answer_in(noted, None) if noted.actor == opposed.roll.at else None
    return opposed if answer is None else evolve(opposed, their_answer=answer)


def _view(rules: OwnRules, opposed: OwnOpposed, scene: OwnScene) -> View:
    parts = tuple(one.part for one in (opposed.their_answer, opposed.answer) if one is not None)
    if opposed.answer is not None:
        return View(parts=parts, verdict=opposed.answer.verdict)
    try:
        check, by = _check(rules, opposed), scene.character(opposed.by)
        target = opponent(scene, check, opposed.roll)
    except UserError as error:  # somebody has left, or the game has changed
        return View(parts=parts, lines=(error.what,), verdict=Verdict(Family.NEWS, "called off"))
    if opposed.theirs is None:
        buttons = (_oppose_button(rules, opposed, check, target), _number_button(opposed))
        return View(lines=(f"Waiting for {target.name}'s player.",), follow_ups=buttons)
    theirs = shown_number(opposed.theirs)
    return View(
        parts=parts,
        lines=(f"{by.name} rolls against {theirs}.",),
        follow_ups=(_contest_button(rules, opposed, check, scene, by),),
    )


def _oppose_button(rules: OwnRules, opposed: OwnOpposed, check: OwnCheck, target: OwnCharacter) -> FollowUp:
    question = _question(check)
    choices: tuple[Choice, ...] = ()
    if question is not None:
        choices = answer_choices(rules.game, target.sheet, question)
    return FollowUp(
        procedure=OPPOSE,
        options=OpposeOptions(at=opposed.key),
        label=f"{target.name}: roll{' with …' if choices else ''}",
        character=target.id,
        choices=choices,
        chosen="answer" if choices else "",
        group="oppose",
        is_owed=True,
    )


def _number_button(opposed: OwnOpposed) -> FollowUp:
    return FollowUp(
        procedure=NUMBER,
        options=OpposedNumberOptions(at=opposed.key, number="0"),
        label="Say the number to beat … (GM)",
        audience=Audience.GM,
        blanks=(TextField(key="number", prompt="The number to beat", longest=6),),
        group="gm",
    )


def _contest_button(
    rules: OwnRules, opposed: OwnOpposed, check: OwnCheck, scene: OwnScene, by: OwnCharacter
) -> FollowUp:
    try:
        own = replace(scene, actor_id=by.id)
        _, move = check_of(rules.game, opposed.roll.what)
        ready = ready_roll(rules, own, opposed.roll, check, move)
        odds = check_odds(rules, evolve(ready.inputs, theirs=opposed.theirs))
    except UserError:  # pressing says why
        odds = None
    chance = "" if odds is None or odds.enough is None else f" · {percent(odds.enough)}"
    return FollowUp(
        procedure=CONTEST,
        options=OwnContestOptions(at=opposed.key),
        label=f"{by.name}: roll against {shown_number(opposed.theirs or 0)}{chance}",
        character=by.id,
        group="roll",
        is_owed=True,
    )


def _result(opposed: OwnOpposed, _scene: OwnScene) -> SharedResult | None:
    if opposed.answer is None or opposed.answer.passed is None:
        return None
    return SharedResult(passed=opposed.answer.passed, by=opposed.by, skill=opposed.roll.what)


def opposed_procedures(rules: OwnRules) -> Iterator[Procedure]:
    """How a check is rolled, and what is pressed at an opposed one."""
    yield procedure(rules, ROLL, RollOptions, do_oppose, is_check=True, can_repeat=True)
    yield procedure(rules, ATTACK, RollOptions, do_oppose, counts_as=(ROLL,), can_repeat=True)
    yield procedure(rules, OPPOSE, OpposeOptions, oppose)
    yield procedure(rules, NUMBER, OpposedNumberOptions, say_number, gm_only=True, needs_actor=False)
    yield procedure(rules, CONTEST, OwnContestOptions, contest)


def opposed_prompt(rules: OwnRules) -> SharedPrompt[OwnOpposed, OwnScene]:
    """The message of an opposed check between players."""
    return SharedPrompt(
        model=OwnOpposed, view=partial(_view, rules), note=_note, result=_result, counts_as=(ROLL,)
    )
