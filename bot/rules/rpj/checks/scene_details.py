"""Open details of a scene that Luck decides."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Document, FollowUp, TextField, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Character, Outcome, Scene
from bot.rules.rpj.checks.pending_check import RpjAttempt
from bot.rules.rpj.checks.perform import perform
from bot.rules.rpj.checks.skill_checks import luck_detail
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.denials import denial
from bot.rules.rpj.module.effects import RollTarget

DETAIL = "detail"
TALLY = "luck_details"
TALLY_KEY = f"{TALLY}/session"
CHECKLIST = (
    "It must be open: nobody has said anything about it yet.",
    "It must not add anything new to the scene.",
    "It must not contradict anything done, said or described.",
)


class Details(Document):
    """How often Luck has decided a detail this session.

    Source: RPJ-ATTR-07.
    """

    count: int = Field(default=0, ge=0)


class DetailOptions(Document):
    """The options of asking about a detail.

    Attributes:
        question: The question.
        target: Who rolls, if the GM asks; else the person asking.
    """

    question: str = Field(min_length=1, max_length=150)
    target: CharacterId | None = None


class RpjAskedOptions(Document):
    """The options of a question that was asked, and who rolls."""

    question: str
    character: CharacterId


class DeniedOptions(RpjAskedOptions):
    """The options of denying a detail."""

    reason: str = Field(default="", max_length=300)


WHY_NOT = TextField(key="reason", prompt="What is there instead, or why not?", longest=300, is_long=True)


def _attempt(scene: Scene, who: Character, question: str) -> RpjAttempt:
    return RpjAttempt(
        character=who.id,
        words=f"Luck ({question})",
        verb="trusts to",
        inputs=luck_detail(figure_in(scene, who)),
        skill="Luck",
        is_once=True,
        on=RollTarget.ATTRIBUTE_BONUS,
        of=RpjAttribute.LUCK,
    )


def _for_gm(who: Character, procedure: str, options: RpjAskedOptions, label: str) -> FollowUp:
    return FollowUp(
        procedure=procedure,
        options=options,
        label=f"{label} (GM)",
        audience=Audience.GM,
        character=who.id,
        group="detail",
        is_owed=True,
    )


def ask_detail(scene: Scene, options: DetailOptions, _dice: Dice) -> Outcome:
    """Ask whether Luck decides a detail: the GM allows it, then one player rolls.

    Raises:
        UserError: If a player names who rolls.

    Source: RPJ-ATTR-07.
    """
    question = options.question.strip()
    if options.target is None:
        who = scene.actor
    elif scene.is_gm:
        who = scene.character(options.target)
    else:
        raise UserError("Only the GM can choose who rolls.", "Leave out target to ask for yourself.")
    asked = RpjAskedOptions(question=question, character=who.id)
    denied = DeniedOptions(question=question, character=who.id)
    buttons = (
        _for_gm(who, "allow_detail", asked, "Let Luck decide"),
        replace(_for_gm(who, "deny_detail", denied, "Luck does not decide"), blanks=(WHY_NOT,)),
    )
    for_whom = "" if who.id == scene.actor_id else f" for {who.name}"
    return Outcome(
        scene=scene,
        headline=f"asks Luck about a detail{for_whom}: {question}",
        notes=CHECKLIST,
        follow_ups=buttons,
    )


declare(DETAIL, DetailOptions, ask_detail, needs_actor=False)


def allow_detail(scene: Scene, options: RpjAskedOptions, _dice: Dice) -> Outcome:
    """Let one player roll for a detail; it is counted, because it should be rare.

    Source: RPJ-ATTR-07.
    """
    who = scene.character(options.character)
    attempt = _attempt(scene, who, options.question)
    found = scene.document(TALLY_KEY)
    count = (found.count if isinstance(found, Details) else 0) + 1
    button = FollowUp(
        procedure="roll_detail",
        options=options,
        label=f"Roll the Luck bonus against {attempt.inputs.target}+ · {attempt.chance}",
        character=who.id,
        group="detail",
    )
    times = "the first detail" if count == 1 else f"detail number {count}"
    return Outcome(
        scene=scene.with_document(TALLY_KEY, Details(count=count)),
        headline=f"can roll Luck: {options.question}",
        notes=(f"It is {times} Luck decides this session.",),
        follow_ups=(button,),
    )


declare("allow_detail", RpjAskedOptions, allow_detail, gm_only=True)


def deny_detail(scene: Scene, options: DeniedOptions, _dice: Dice) -> Outcome:
    """Deny that Luck decides a detail, with the reason.

    Raises:
        UserError: If there is none.

    Source: RPJ-ATTR-07, RPJ-GM-05.
    """
    return Outcome(
        scene=scene,
        headline=f"can't leave it to Luck: {options.question}",
        notes=(denial(options.reason),),
    )


declare("deny_detail", DeniedOptions, deny_detail, gm_only=True)


def roll_detail(scene: Scene, options: RpjAskedOptions, dice: Dice) -> Outcome:
    """Roll for a detail: a success decides it in the player's favor.

    Source: RPJ-ATTR-07.
    """
    who = scene.character(options.character)
    return perform(scene, _attempt(scene, who, options.question), dice)


declare("roll_detail", RpjAskedOptions, roll_detail)


def close_details(scene: Scene) -> tuple[Scene, tuple[str, ...]]:
    """Reset the count at the end of a session, and report it.

    Source: RPJ-ATTR-07.
    """
    found = scene.document(TALLY_KEY)
    if not isinstance(found, Details):
        return scene, ()
    times = "once" if found.count == 1 else f"{found.count} times"
    return scene.with_document(TALLY_KEY, None), (f"Luck decided a detail {times}.",)
