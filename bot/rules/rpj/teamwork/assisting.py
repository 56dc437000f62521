"""An assisted check: a helper rolls first, easy or hard, and a success makes the main check easier."""

from dataclasses import replace

from bot.rules.kernel import (
    Answer,
    Audience,
    CharacterId,
    Document,
    Family,
    FollowUp,
    SharedPrompt,
    SharedResult,
    Verdict,
    View,
    answer_in,
    declare,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Character, Noted, Outcome, Scene, figure_in
from bot.rules.rpj.checks.attempts import (
    Assistance,
    RpjAttempt,
    assist_difficulty,
    assisted_difficulty,
    perform,
)
from bot.rules.rpj.checks.skill_checks import RpjCheckOptions, skill_attempt, skill_named
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.check import CHECK, reading_of
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET
from bot.rules.rpj.teamwork.shared_checks import assert_known, found, kept_at

ASSISTED = "assisted"


class AssistedOptions(RpjCheckOptions):
    """The options of an assisted check."""

    helper: CharacterId | None = None  # who may help; anyone without one


class Help(Document):
    """An assist."""

    helper: CharacterId
    how: Assistance  # easy or hard
    reduction: int = 0  # how much easier it makes the main check
    answer: Answer | None = None  # the roll; None before it is made


class Assisted(Document):
    """An assisted check. [RPJ-SKILL-13 (R-035)]"""

    key: str  # its own key
    leader: CharacterId  # who makes the main check
    check: RpjCheckOptions  # the options of the main check
    difficulty: int  # its difficulty without help
    helper: CharacterId | None = None  # who may help; None for whoever presses first
    help: Help | None = None
    main: Answer | None = None  # the main roll, or None

    @property
    def eased(self) -> int:
        """The current difficulty of the main check."""
        return self.difficulty - (self.help.reduction if self.help else 0)


class HelpOptions(Document):
    """The options of an assist."""

    at: str
    how: Assistance


class MainOptions(Document):
    """The options of rolling the main check."""

    at: str


def _attempt(scene: Scene, who: Character, check: RpjCheckOptions, difficulty: int) -> RpjAttempt:
    figure = figure_in(scene, who)
    skill = skill_named(figure.module, check.skill)
    situation = replace(check.situation_of(figure.module, skill), difficulty=difficulty)
    return skill_attempt(who.id, figure, skill, situation)


def _help_attempt(scene: Scene, who: Character, assisted: Assisted, how: Assistance) -> RpjAttempt:
    """The helper's check: the same skill with the helper's own modifiers, none of the leader's.

    [RPJ-SKILL-13 (R-037)]
    """
    plain = RpjCheckOptions(skill=assisted.check.skill, specialty=assisted.check.specialty)
    attempt = _attempt(scene, who, plain, assist_difficulty(how, assisted.difficulty))
    return evolve(attempt, concerns=(assisted.leader,), is_once=True, verb="helps with")


def ask_for_help(scene: Scene, options: AssistedOptions, _dice: Dice) -> Outcome:
    """Start an assisted check; nothing is rolled yet. [RPJ-SKILL-13 (R-035)]"""
    leader = scene.actor
    helper = None if options.helper is None else scene.character(options.helper)
    if helper is not None and helper.id == leader.id:
        raise UserError("You can't help yourself.", "Choose someone else, or leave helper empty.")
    assert_known(leader, *((helper,) if helper else ()))
    check = RpjCheckOptions.model_validate(options.model_dump(exclude={"helper"}))
    module = module_in(scene.settings)
    difficulty = check.situation_of(module, skill_named(module, check.skill)).difficulty
    attempt = _attempt(scene, leader, check, difficulty)
    key = f"{ASSISTED}/{scene.moment}"
    assisted = Assisted(
        key=key, leader=leader.id, check=check, difficulty=difficulty, helper=helper and helper.id
    )
    if helper is not None:
        _help_attempt(scene, helper, assisted, Assistance.EASY)  # refuses a helper who can't help at all
    whom = f" from {helper.name}" if helper else ""
    return Outcome(
        scene=scene.with_document(key, assisted),
        headline=f"asks for help{whom} with {attempt.words}, against {attempt.inputs.target}+",
        gathering=key,
    )


declare(ASSISTED, AssistedOptions, ask_for_help, is_check=True)


def give_help(scene: Scene, options: HelpOptions, dice: Dice) -> Outcome:
    """Roll to help: a failure changes nothing, a success makes the main check easier.

    Raises:
        UserError: If someone has already helped, or the main check is rolled.

    [RPJ-SKILL-13 (R-036, R-037), RPJ-SKILL-14, RPJ-SKILL-15]
    """
    assisted, helper = kept_at(scene, options.at, Assisted), scene.actor
    if assisted.help is not None or assisted.main is not None:
        raise UserError(
            "It is too late to help: someone has helped, or the check is rolled.",
            "Each check has one helper.",
        )
    if helper.id == assisted.leader:
        raise UserError("You can't help yourself.", "Someone else has to press that.")
    attempt = _help_attempt(scene, helper, assisted, options.how)
    chosen = evolve(assisted, help=Help(helper=helper.id, how=options.how))
    return perform(
        scene.with_document(assisted.key, chosen), attempt, dice, f"{attempt.action}, {options.how}"
    )


declare("assist", HelpOptions, give_help, is_check=True)


def roll_main(scene: Scene, options: MainOptions, dice: Dice) -> Outcome:
    """Roll the main check at its current difficulty. [RPJ-SKILL-13 to RPJ-SKILL-15 (R-038)]"""
    assisted = kept_at(scene, options.at, Assisted)
    if assisted.main is not None:
        raise UserError("This check has already been rolled.")
    return perform(
        scene, _attempt(scene, scene.character(assisted.leader), assisted.check, assisted.eased), dice
    )


declare("assisted_main", MainOptions, roll_main)


def note_assisted(assisted: Assisted, noted: Noted) -> Assisted:
    """The assisted check with a roll added, or replaced after a Lucky Break."""
    if noted.actor == assisted.leader:
        main = answer_in(noted, assisted.main)
        return assisted if main is None else evolve(assisted, main=main)
    helped = assisted.help
    if helped is None or helped.helper != noted.actor:
        return assisted
    answer = answer_in(noted, helped.answer)
    rolls = [roll for roll in noted.outcome.rolls if roll.rule == CHECK.key]
    if answer is None or not rolls:
        return assisted
    eased = assisted_difficulty(helped.how, assisted.difficulty, reading_of(rolls[0]))
    changed = {"answer": answer, "reduction": assisted.difficulty - eased}
    return evolve(assisted, help=evolve(helped, **changed))


def view_assisted(assisted: Assisted, scene: Scene) -> View:
    """The message: who helps, what the help did, and the main check with its current chance."""
    leader = found(scene, assisted.leader)
    parts = tuple(answer.part for answer in (assisted.help and assisted.help.answer, assisted.main) if answer)
    if assisted.main is not None:
        skill = skill_named(module_in(scene.settings), assisted.check.skill).name
        how = "with help" if assisted.help else "without help"
        return View(
            parts=parts,
            lines=_eased_line(assisted),
            verdict=assisted.main.verdict,
            headline=f"checks {skill} {how}, against {BASE_TARGET + assisted.eased}+",
        )
    if leader is None:
        gone = Verdict(Family.NEWS, "called off")
        return View(parts=parts, lines=("The character who asked for help has left.",), verdict=gone)
    attempt = _attempt(scene, leader, assisted.check, assisted.eased)
    alone = "" if assisted.help else " alone"
    roll = FollowUp(
        procedure="assisted_main",
        options=MainOptions(at=assisted.key),
        label=f"{leader.name}: roll{alone} against {attempt.inputs.target}+ · {attempt.chance}"[:80],
        character=leader.id,
        group="main",
    )
    if assisted.help is not None:
        return View(parts=parts, lines=_eased_line(assisted), follow_ups=(roll,))
    return View(
        parts=parts, lines=_what_help_brings(assisted), follow_ups=(*_help_buttons(assisted, scene), roll)
    )


def _eased_line(assisted: Assisted) -> tuple[str, ...]:
    if assisted.help is None:
        return ()
    before, after = BASE_TARGET + assisted.difficulty, BASE_TARGET + assisted.eased
    return (f"Against {before}+ → {after}+." if assisted.help.reduction else f"It stays at {before}+.",)


def _what_help_brings(assisted: Assisted) -> tuple[str, ...]:
    easy, hard = (BASE_TARGET + assist_difficulty(how, assisted.difficulty) for how in Assistance)
    return (f"Easy ({easy}+): difficulty −1. Hard ({hard}+): difficulty −1 per degree of success.",)


def _help_buttons(assisted: Assisted, scene: Scene) -> tuple[FollowUp, ...]:
    """The two buttons to help, with the chance if the helper is known."""
    helper = None if assisted.helper is None else found(scene, assisted.helper)
    if assisted.helper is not None and helper is None:
        return ()
    buttons = []
    for how in Assistance:
        target = BASE_TARGET + assist_difficulty(how, assisted.difficulty)
        chance = "" if helper is None else f" · {_help_attempt(scene, helper, assisted, how).chance}"
        name = "Help" if helper is None else f"{helper.name}: help"
        buttons.append(
            FollowUp(
                procedure="assist",
                options=HelpOptions(at=assisted.key, how=how),
                label=f"{name}, {how} {target}+{chance}"[:80],
                audience=Audience.ANYONE if helper is None else Audience.OWNER,
                character=None if helper is None else helper.id,
                group=f"help/{how}",
            )
        )
    return tuple(buttons)


def result_of_assisted(assisted: Assisted, scene: Scene) -> SharedResult | None:
    """The result of the main check; the assist counts separately where it is linked.

    [RPJ-SKILL-13, RPJ-COUNT-10 (R-051), RPJ-COUNT-11]
    """
    if assisted.main is None or assisted.main.passed is None:
        return None
    skill = skill_named(module_in(scene.settings), assisted.check.skill).name
    return SharedResult(passed=assisted.main.passed, by=assisted.leader, skill=skill)


ASSISTED_PROMPT = SharedPrompt(
    model=Assisted,
    view=view_assisted,
    note=note_assisted,
    result=result_of_assisted,
    counts_as=("check",),
)
