"""An assisted check: a helper rolls first, easy or hard, and a success makes the main check easier."""

from enum import StrEnum
from math import ceil
from typing import TypeVar

from msgspec.structs import replace
from pydantic import Field, model_validator

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
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Character, Noted, Outcome, Scene, figure_in
from bot.rules.rpj.checks.attempts import (
    Assistance,
    RpjAttempt,
    assert_can_check,
    assist_difficulty,
    assisted_difficulty,
    perform,
)
from bot.rules.rpj.checks.skill_checks import RpjCheckOptions, skill_attempt, skill_named
from bot.rules.rpj.module.module_files import module_in
from bot.rules.rpj.resolution.check import CHECK, reading_of
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET

Kept = TypeVar("Kept", bound=Document)


def found(scene: Scene, id_: CharacterId) -> Character | None:
    """A character the reader may see; None once it has left the campaign or is hidden."""
    character = scene.known(id_)
    return None if character is None or (character.is_hidden and not scene.is_gm) else character


def name_of(scene: Scene, id_: CharacterId) -> str:
    """A character's name, or "someone" where it may not be shown."""
    character = found(scene, id_)
    return "someone" if character is None else character.name


def kept_at(scene: Scene, key: str, model: type[Kept]) -> Kept:
    """The document of a shared prompt.

    Raises:
        UserError: If it no longer exists.
    """
    document = scene.stored(model, key)
    if document is None:
        raise UserError("This is over.", try_this="Start again with the command.")
    return document


def assert_known(*characters: Character) -> None:
    """Refuse a public check that involves a hidden character."""
    hidden = [character.name for character in characters if character.is_hidden]
    if hidden:
        raise UserError(
            f"The players don't know about {', '.join(hidden)} yet.",
            "Roll in secret, or reveal them with /gm hide.",
        )


class GroupState(StrEnum):
    """The state of a group check. [RPJ-SKILL-18, RPJ-SKILL-19]"""

    ROLLING = "rolling"
    SUCCESS = "success"
    RESCUE = "a Lucky Break can still turn it"
    FAILURE = "failure"


class GroupPart(Document):
    """One member's roll."""

    member: CharacterId  # who rolled
    succeeded: bool  # whether the roll succeeded
    is_turned: bool = False  # whether a Lucky Break turned it


class GroupCheck(Document):
    """A group check."""

    members: tuple[CharacterId, ...] = Field(min_length=1)  # everyone who rolls, including the leader
    leader: CharacterId  # who leads
    parts: tuple[GroupPart, ...] = ()  # the rolls so far
    is_closed: bool = False  # whether the GM has ended it, so that nothing can be turned any more

    @model_validator(mode="after")
    def _is_led_by_a_member(self) -> "GroupCheck":
        if self.leader not in self.members or len(set(self.members)) < len(self.members):
            raise ValueError("The leader must be one of the members, and no member can be named twice.")
        return self

    @property
    def needed(self) -> int:
        """How many must succeed: half of them, rounded up."""
        return ceil(len(self.members) / 2)

    @property
    def successes(self) -> int:
        """How many rolls succeeded or were turned."""
        return sum(part.succeeded or part.is_turned for part in self.parts)

    @property
    def state(self) -> GroupState:
        """The state of the group check. [RPJ-SKILL-18]"""
        if len(self.parts) < len(self.members):
            return GroupState.ROLLING
        if self.successes >= self.needed:
            return GroupState.SUCCESS
        leads = any(part.succeeded for part in self.parts if part.member == self.leader)
        return GroupState.RESCUE if leads and not self.is_closed else GroupState.FAILURE

    def turned(self, member: CharacterId) -> "GroupCheck":
        """The group check with a failure turned into a success by a Lucky Break. [RPJ-SKILL-19 (R-041)]

        Raises:
            UserError: If nothing can be turned any more, or theirs is no failure.
        """
        if self.state is not GroupState.RESCUE:
            raise UserError(
                "You can't turn a failure of this group check now.",
                "That is possible once everyone has rolled, if fewer than half succeeded but the leader did.",
            )
        part = next((part for part in self.parts if part.member == member), None)
        if part is None or part.succeeded or part.is_turned:
            raise UserError("That member has no failure to turn.")
        rest = tuple(other for other in self.parts if other.member != member)
        turned = evolve(part, is_turned=True)
        return evolve(self, parts=(*rest, turned))


class Consent(Document):
    """Who has agreed to one player character acting against another. [RPJ-SKILL-17]"""

    target: bool = False  # whether the player of the target has
    gm: bool = False

    def assert_given(self) -> None:
        """Refuse the roll until both have agreed."""
        missing = [
            who for who, agreed in (("the target's player", self.target), ("the GM", self.gm)) if not agreed
        ]
        if missing:
            raise UserError(
                f"Still waiting for {' and '.join(missing)} to agree.",
                "Talk it through first; then both press Accept.",
            )


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


@procedure(ASSISTED, is_check=True)
def ask_for_help(scene: Scene, options: AssistedOptions, _dice: Dice) -> Outcome:
    """Start an assisted check; nothing is rolled yet. [RPJ-SKILL-13 (R-035)]"""
    leader = scene.actor
    assert_can_check(scene, leader)
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


@procedure("assist", is_check=True)
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


@procedure("assisted_main")
def roll_main(scene: Scene, options: MainOptions, dice: Dice) -> Outcome:
    """Roll the main check at its current difficulty. [RPJ-SKILL-13 to RPJ-SKILL-15 (R-038)]"""
    assisted = kept_at(scene, options.at, Assisted)
    if assisted.main is not None:
        raise UserError("This check has already been rolled.")
    return perform(
        scene, _attempt(scene, scene.character(assisted.leader), assisted.check, assisted.eased), dice
    )


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
        label=f"{leader.name}: roll{alone} against {attempt.inputs.target}+ · {attempt.chance}",
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
                label=f"{name}, {how} {target}+{chance}",
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
