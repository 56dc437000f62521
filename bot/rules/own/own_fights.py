"""Fights and opposed checks in a game of one's own: the order that its file says, and rolls of two sides."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import floor
from typing import Any, TypeAlias

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Answer,
    Audience,
    CharacterId,
    Choice,
    Die,
    Document,
    EncounterView,
    Family,
    FollowUp,
    Noted,
    Outcome,
    Procedure,
    Roll,
    RollRule,
    SharedPrompt,
    SharedResult,
    Term,
    TextField,
    TrackerRules,
    Verdict,
    View,
    answer_in,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import evolve, label_with, shown_number
from bot.rules.own.expressions import DiceSum, Name, NoAmount, amount_of, summands
from bot.rules.own.game_parts import OwnCheck, OwnMove, OwnQuestion, QuestionKind
from bot.rules.own.own_acts import answer_choices, check_acts
from bot.rules.own.own_events import procedure
from bot.rules.own.own_play import answer, known_of
from bot.rules.own.own_procedures import (
    ATTACK,
    ROLL,
    MiddleDice,
    RollOptions,
    check_of,
    do_roll,
    opponent,
    ready_roll,
    target_words,
    their_inputs,
    their_roll,
)
from bot.rules.own.own_rolls import (
    CheckInputs,
    OwnRules,
    RecordedDice,
    check_odds,
    has_character_question,
    roll_check,
)
from bot.rules.own.own_sheet import OwnCharacter, OwnScene, OwnSheet, clocks_of, health, is_down, numbers_of
from bot.rules.own.reading_odds import TooMuchToCount
from bot.rules.shared.encounters import (
    Combatant,
    FightRules,
    InTurn,
    InTurnPlace,
    fight_procedures,
    find_character,
    next_button,
    next_buttons,
    on_now,
    pass_turn,
    turn_ends,
    view_of,
)
from bot.rules.shared.offering import is_friend

OPPOSED = "opposed"  # the kind of document
OPPOSE, NUMBER, CONTEST = "oppose", "opposed_number", "contest"
GONE = "This opposed check is no longer there."
OwnOutcome: TypeAlias = Outcome[OwnScene]
MOST_OFFERED = 5  # acts of whoever's turn it is
INITIATIVE = "initiative"


class OwnCombatant(Combatant):
    """Somebody in a fight."""

    points: int = 0  # what decides their place in the order; more comes first


class OwnEncounter(InTurn[OwnCombatant]):
    """A fight in a channel."""


class OrderInputs(Document):
    """What a place in the order is reckoned from."""

    numbers: dict[str, int] = Field(default_factory=dict)


PLACE = InTurnPlace(OwnEncounter)


class OwnFights:
    """The fights of a version of a game."""

    def __init__(self, rules: OwnRules) -> None:
        self.rules, self.game = rules, rules.game
        self.fights: FightRules[OwnEncounter, OwnSheet, Document] = FightRules(
            place=PLACE,
            new_combatant=_new_combatant,
            begin=self._begin,
            enter=self._enter,
            advance=lambda scene, _dice: pass_turn(PLACE, scene, self._can_act),
            finish=lambda scene, _dice: Outcome(scene=scene, headline="ends the fight"),
            opened=lambda _scene, _options: OwnEncounter(),
            delay=PLACE.delayed,
            reorder=PLACE.reordered,
        )

    @property
    def procedures(self) -> tuple[Procedure, ...]:
        """What everybody can do in them."""
        return fight_procedures(self.fights)

    @property
    def tracker(self) -> TrackerRules[Any]:
        """How the table shows them."""
        return TrackerRules(
            view=self._view,
            choices=self._choices,
            attacks=(ATTACK,),
            turn_ends=partial(turn_ends, self.fights),
            takes_order=True,
        )

    @property
    def rule(self) -> RollRule[OrderInputs]:
        """The rule by which an order is rolled."""
        return RollRule(f"order@{self.rules.hash}", OrderInputs, self._throw)

    # --- the order -----------------------------------------------------------------------------

    def _throw(self, inputs: OrderInputs, dice: Dice) -> Roll:
        recorded = RecordedDice(dice)
        found = self._amount(inputs, recorded)
        rest = found - sum(face for _, face in recorded.fallen)
        return Roll(
            rule=f"order@{self.rules.hash}",
            inputs=inputs,
            dice=tuple(Die(sides=sides, face=face) for sides, face in recorded.fallen),
            terms=(Term(self._added, rest),) if rest else (),
            total=found,
            verdict=Verdict(Family.NEWS, shown_number(found)),
            purpose=INITIATIVE,
        )

    @property
    def _added(self) -> str:
        """What is added to the dice of the order, by name where only names are."""
        parts = [] if self.game.order is None else summands(self.game.order)
        others = [part for _, part in parts if not isinstance(part, DiceSum)]
        names = [self.game.label(part.name) for part in others if isinstance(part, Name)]
        return " and ".join(names) if names and len(names) == len(others) else "bonus"

    def _amount(self, inputs: OrderInputs, dice: Dice) -> int:
        def roll(one: DiceSum) -> int:
            return sum(dice.roll(one.sides) for _ in range(one.number))

        order = self.game.order
        return 0 if order is None else floor(amount_of(order, known_of(self.game, inputs.numbers), roll))

    def _points(self, scene: OwnScene, character: OwnCharacter, dice: Dice) -> tuple[int, tuple[Roll, ...]]:
        """What decides somebody's place, and the roll for it."""
        fight = self.game.file.fight
        numbers = {**numbers_of(self.game, character.sheet), **clocks_of(self.game, scene)}
        if fight.order == "sides":
            return int(character.owner is not None), ()
        if fight.order == "as called":
            return 0, ()
        if fight.order == "roll" and fight.check is not None:
            check = self.game.checks[fight.check]
            answers = answer(self.game, check, {}, numbers)
            inputs = CheckInputs(
                check=check.key,
                answers=dict(answers.numbers),
                names=dict(answers.names),
                numbers=numbers,
                theirs=0 if check.is_opposed else None,
            )
            checked, rolled = roll_check(self.rules, inputs, dice)
            return floor(rolled.amounts.get("value", checked.sum)), (checked.by(character),)
        roll = self._throw(OrderInputs(numbers=numbers), dice)
        return roll.sum, (roll.by(character),) if roll.dice else ()

    def _called(
        self, scene: OwnScene, combatants: Iterable[OwnCombatant], dice: Dice
    ) -> tuple[list[OwnCombatant], list[Roll]]:
        """Combatants with what decides their places."""
        found, rolls = [], list[Roll]()
        for one in combatants:
            points, more = (
                (0, ())
                if one.character is None
                else self._points(scene, scene.character(one.character), dice)
            )
            found.append(one.model_copy(update={"points": points}))
            rolls += more
        return found, rolls

    def _begin(self, scene: OwnScene, dice: Dice) -> OwnOutcome:
        encounter = PLACE.the(scene)
        found, rolls = self._called(scene, encounter.shown, dice)
        ordered = sorted(found, key=lambda one: -one.points)
        encounter = encounter.ordered(ordered).changed(round=1, turn=0)
        note = f"Turn order: {encounter.names}."
        done = on_now(PLACE.keep(scene, encounter), encounter.shown[0].name, "starts round 1", (note,))
        return replace(done, rolls=tuple(rolls))

    def _enter(self, scene: OwnScene, ids: Sequence[CharacterId], dice: Dice) -> OwnOutcome:
        newcomers = [_new_combatant(scene, scene.character(who)) for who in ids]
        found, rolls = self._called(scene, newcomers, dice)
        encounter = PLACE.the(scene).with_newcomers(found)
        if self.game.file.fight.order != "as called":
            encounter = encounter.in_order(sorted(encounter.shown, key=lambda one: -one.points))
        return Outcome(
            scene=PLACE.keep(scene, encounter),
            headline="joins the fight",
            rolls=tuple(rolls),
            notes=(f"Turn order: {encounter.names}.",),
        )

    # --- the board -----------------------------------------------------------------------------

    def _view(self, scene: OwnScene) -> EncounterView | None:
        encounter = PLACE.find(scene)
        if encounter is None:
            return None
        return view_of(scene, encounter, facts=self._facts, can_act=self._can_act)

    def _can_act(self, _scene: OwnScene, character: OwnCharacter) -> bool:
        return not is_down(self.game, character, None)

    def _facts(self, _scene: OwnScene, character: OwnCharacter) -> tuple[str, ...]:
        shown = health(self.game, character, None).numbers if character.owner is not None else ()
        return (*shown, *(("out",) if is_down(self.game, character, None) else ()))

    def _choices(self, scene: OwnScene) -> tuple[FollowUp, ...]:
        encounter = PLACE.find(scene)
        if encounter is None:
            return ()
        current = encounter.current
        character = None if current is None else find_character(scene, current.character)
        if character is None or is_down(self.game, character, None):
            return next_buttons(self.fights, scene)
        return (*self._acts(replace(scene, actor_id=character.id)), next_button(self.fights, scene))

    def _acts(self, scene: OwnScene) -> Iterator[FollowUp]:
        """What whoever's turn it is can roll: the attack on the first foe, then what is aimed at somebody."""
        able = [act.do for act in check_acts(self.rules, scene) if not act.why_not]
        able.sort(key=lambda do: do.chosen != "at")
        yield from islice(filter(None, (self._attack(scene, do) for do in able)), 1)
        yield from able[:MOST_OFFERED]

    def _attack(self, scene: OwnScene, do: FollowUp) -> FollowUp | None:
        """A roll as an attack on the first foe of its menu; None where it hurts nobody, or can't be made."""
        if do.chosen != "at" or not isinstance(do.options, RollOptions):
            return None
        check, move = check_of(self.game, do.options.what)
        others = (scene.character(CharacterId(int(one.value))) for one in do.choices)
        foes = (one for one in others if not is_friend(scene, one) and not is_down(self.game, one, None))
        target = next(foes, None)
        if check is None or target is None or not self._hurts(check, move):
            return None
        options = evolve(do.options, at=target.id)
        try:
            chance = self._chance(scene, options, check, move, target)
        except (UserError, NoAmount, TooMuchToCount):  # pressing would refuse it
            return None
        label = label_with(target.name, chance, before="Attack ")
        return replace(do, procedure=ATTACK, options=options, label=label, choices=(), chosen="")

    def _hurts(self, check: OwnCheck, move: OwnMove | None) -> bool:
        """Whether a result can worsen the wounds of whoever is aimed at."""
        owner = has_character_question(check) or "at"
        by_tier = [tier.effects for tier in check.tiers] + ([] if move is None else [*move.effects.values()])
        return any(self.game.is_harm(one, owner) for effects in by_tier for one in effects)

    def _chance(
        self,
        scene: OwnScene,
        options: RollOptions,
        check: OwnCheck,
        move: OwnMove | None,
        target: OwnCharacter,
    ) -> str:
        """How likely an attack succeeds, as its button says it; refused where it can't be paid for."""
        do_roll(self.rules, scene, options, MiddleDice())
        ready = ready_roll(self.rules, scene, options, check, move)
        theirs = their_inputs(self.rules, scene, check, target, ready.given) if check.is_opposed else None
        odds = check_odds(self.rules, ready.inputs, theirs)
        return "" if odds is None or odds.enough is None else f" · {percent(odds.enough)}"


def _new_combatant(_scene: OwnScene, character: OwnCharacter) -> OwnCombatant:
    return OwnCombatant(character=character.id, name=character.name)


# --- opposed checks ----------------------------------------------------------------------------


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
    if options.at is None or options.theirs is not None:
        return do_roll(rules, scene, options, dice)
    check, move = check_of(rules.game, options.what)
    if check is None or not check.is_opposed:
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
    opposed = scene.stored(OwnOpposed, at)
    if opposed is None:
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
