"""An opposed check on one message: the other side answers, between players both agree, one rolls."""

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Answer,
    Audience,
    CharacterId,
    Choice,
    Document,
    Family,
    FollowUp,
    NamedTerm,
    SharedPrompt,
    SharedResult,
    TextField,
    Verdict,
    View,
    answer_in,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import shown_number
from bot.rules.rpj.character.lucky_breaks import denial, lucky_breaks_left, spend
from bot.rules.rpj.character.sheet import Character, Noted, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.checks.attempts import RpjAttempt, assert_can_check, perform
from bot.rules.rpj.checks.skill_checks import RpjCheckOptions, read_modifiers, skill_attempt, skill_named
from bot.rules.rpj.module.basics import lucky_breaks
from bot.rules.rpj.module.module import RpjSkill
from bot.rules.rpj.module.module_files import module_in
from bot.rules.rpj.teamwork.assisting import Consent, assert_known, found, kept_at, name_of

OPPOSED = "opposed"


class OpposedOptions(RpjCheckOptions):
    """The options of an opposed check."""

    target: CharacterId | None = None  # the opponent
    level: int | None = Field(default=None, ge=-10, le=30)  # their effective level, if they have no sheet
    their_skill: str = Field(default="", max_length=100)  # the skill they oppose with; by default the same
    against: str = Field(default="", max_length=200)  # their bonuses and penalties: "+1 dark"
    deed: str = Field(default="", max_length=120)  # what is done, after the name: "picks Laeniel's pocket"


class Opposed(Document):
    """A stored opposed check. [RPJ-SKILL-16, RPJ-SKILL-17, RPJ-LUCK-07]"""

    key: str  # its own key
    by: CharacterId  # who acts
    target: CharacterId  # against whom
    check: RpjCheckOptions  # what is rolled
    against: tuple[NamedTerm, ...] = ()  # what the target's circumstances add to the target number
    deed: str = ""  # what is done
    their_skill: str = ""  # id of the opposing skill; empty before the target has chosen
    is_pvp: bool = False  # whether one player's character acts on another player's
    consent: Consent = Consent()  # who has agreed
    refusal: str = ""  # why the target or the GM refused
    is_resisted: bool = False  # whether it was resisted with a Lucky Break
    luck_left: int | None = None  # how many Lucky Breaks that left them; None where it was not stored
    answer: Answer | None = None  # the roll, or None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to press."""
        return bool(self.refusal) or self.is_resisted or self.answer is not None

    @property
    def may_roll(self) -> bool:
        """Whether everyone needed has agreed, and the target has chosen a skill."""
        return bool(self.their_skill) and (not self.is_pvp or (self.consent.target and self.consent.gm))


class OpposedStandOptions(Document):
    """The options of agreeing with a skill."""

    at: str
    skill: str = ""


class OpposedAtOptions(Document):
    """The options of a button on an opposed check."""

    at: str


class RpjRefuseOptions(Document):
    """The options of refusing."""

    at: str
    reason: str = Field(default="", max_length=300)
    instead: str = Field(default="", max_length=300)


def opposed_attempt(
    scene: Scene,
    who: Character,
    check: RpjCheckOptions,
    level: int,
    against: tuple[NamedTerm, ...],
    deed: str = "",
) -> RpjAttempt:
    """A check against a level, which is the difficulty; the roller wins ties.

    Args:
        who: Who rolls.
        check: What they roll.
        level: The opposing effective level.
        against: What the other side's circumstances add to the target number.
        deed: What is done, in the player's words.

    [RPJ-SKILL-16 (R-039), RPJ-DICE-11]
    """
    figure = figure_in(scene, who)
    skill = skill_named(figure.module, check.skill)
    situation = replace(check.situation_of(figure.module, skill), difficulty=level, opposition=against)
    attempt = skill_attempt(who.id, figure, skill, situation)
    return evolve(attempt, words=f"{attempt.words}: {deed}") if deed else attempt


@procedure(OPPOSED, is_check=True, counts_as=("check",))
def oppose(scene: Scene, options: OpposedOptions, dice: Dice) -> Outcome:
    """Make an opposed check: at once against a level or an NPC, else once the other player has answered.

    Raises:
        UserError: If the opponent is unclear.

    [RPJ-SKILL-16 (R-039), RPJ-SKILL-17]
    """
    if (options.target is None) == (options.level is None):
        raise UserError("Who is the opponent?", "Give either a target or a level, not both.")
    own = set(OpposedOptions.model_fields) - set(RpjCheckOptions.model_fields)
    check = RpjCheckOptions.model_validate(options.model_dump(exclude=own))
    if check.difficulty:
        raise UserError(
            "The other side's level is the difficulty of an opposed check.", "Leave difficulty empty."
        )
    against, deed = read_modifiers(options.against), options.deed.strip()
    if options.target is None:
        return _against_number(scene, check, options.level or 0, against, deed, dice)
    target = scene.character(options.target)
    if target.id == scene.actor.id:
        raise UserError("You can't oppose yourself.", "Choose someone else.")
    if target.owner is None or target.owner == scene.actor.owner:
        return _against_npc(scene, check, target, options, dice)
    return _open(scene, check, target, options, against)


def _against_number(
    scene: Scene, check: RpjCheckOptions, level: int, against: tuple[NamedTerm, ...], deed: str, dice: Dice
) -> Outcome:
    attempt = opposed_attempt(scene, scene.actor, check, level, against, deed)
    opposition = f"against level {shown_number(level)}"
    return perform(scene, evolve(attempt, opposition=opposition), dice)


def _against_npc(
    scene: Scene, check: RpjCheckOptions, target: Character, options: OpposedOptions, dice: Dice
) -> Outcome:
    """Roll at once against a character whose player need not be asked."""
    figure = figure_in(scene, target)
    skill = skill_named(figure.module, options.their_skill or check.skill)
    level = figure.effective_level(skill)
    against = read_modifiers(options.against)
    attempt = opposed_attempt(scene, scene.actor, check, level, against, options.deed.strip())
    return perform(scene, _opposed_by(attempt, target, skill, level), dice)


def _opposed_by(attempt: RpjAttempt, target: Character, skill: RpjSkill, level: int) -> RpjAttempt:
    opposition = f"against {target.name} ({skill.name} {shown_number(level)})"
    return evolve(attempt, concerns=(target.id,), opposition=opposition)


def _open(
    scene: Scene,
    check: RpjCheckOptions,
    target: Character,
    options: OpposedOptions,
    against: tuple[NamedTerm, ...],
) -> Outcome:
    """Ask the other player and, if a player character acts, the GM too."""
    actor = scene.actor
    assert_can_check(scene, actor)
    assert_known(actor, target)
    is_pvp = actor.owner is not None
    module = module_in(scene.settings)
    attempt = opposed_attempt(scene, actor, check, 0, against, options.deed.strip())
    theirs = "" if not options.their_skill else skill_named(module, options.their_skill).id
    key = f"{OPPOSED}/{scene.moment}"
    opposed = Opposed(
        key=key,
        by=actor.id,
        target=target.id,
        check=check,
        against=against,
        deed=options.deed.strip(),
        their_skill="" if is_pvp else theirs,
        is_pvp=is_pvp,
    )
    return Outcome(
        scene=scene.with_document(key, opposed),
        headline=f"wants to check {attempt.words} against {target.name}",
        gathering=key,
    )


# --- what the others say -----------------------------------------------------------------------


def _waiting(scene: Scene, at: str) -> Opposed:
    opposed = kept_at(scene, at, Opposed)
    if opposed.is_over:
        raise UserError("This has already been settled.")
    return opposed


@procedure("stand_against")
def stand(scene: Scene, options: OpposedStandOptions, _dice: Dice) -> Outcome:
    """Agree to an action against your character, and choose the opposing skill.

    [RPJ-SKILL-16, RPJ-SKILL-17]
    """
    opposed, target = _waiting(scene, options.at), scene.actor
    skill = skill_named(module_in(scene.settings), options.skill or opposed.check.skill)
    level = figure_in(scene, target).effective_level(skill)
    consent = evolve(opposed.consent, target=True)
    agreed = evolve(opposed, their_skill=skill.id, consent=consent)
    return Outcome(
        scene=scene.with_document(opposed.key, agreed),
        headline=f"agrees and opposes with {skill.name} {shown_number(level)}",
    )


@procedure("approve_opposed", gm_only=True, needs_actor=False)
def approve(scene: Scene, options: OpposedAtOptions, _dice: Dice) -> Outcome:
    """Agree, as the GM, to one player character acting against another. [RPJ-SKILL-17]"""
    opposed = _waiting(scene, options.at)
    consent = evolve(opposed.consent, gm=True)
    agreed = evolve(opposed, consent=consent)
    return Outcome(scene=scene.with_document(opposed.key, agreed), headline="agrees to the opposed check")


@procedure("refuse_opposed", needs_actor=False)
def refuse(scene: Scene, options: RpjRefuseOptions, _dice: Dice) -> Outcome:
    """Refuse, with a reason or an alternative. [RPJ-SKILL-17, RPJ-GM-05]"""
    opposed = _waiting(scene, options.at)
    said = denial(options.reason, options.instead)
    refused = evolve(opposed, refusal=said)
    return Outcome(scene=scene.with_document(opposed.key, refused), headline="refuses the opposed check")


@procedure("resist_opposed")
def resist_opposed(scene: Scene, options: OpposedAtOptions, _dice: Dice) -> Outcome:
    """Resist an action against your character without a roll. [RPJ-LUCK-07]

    Raises:
        NotEnoughLuckyBreaks: If it cannot be paid for.
    """
    opposed = _waiting(scene, options.at)
    poorer = spend(scene.actor, module_in(scene.settings).luck.resist_cost)
    resisted = evolve(opposed, is_resisted=True, luck_left=lucky_breaks_left(poorer))
    return Outcome(
        scene=scene.with_character(poorer).with_document(opposed.key, resisted),
        headline="spends a Lucky Break to resist",
        notes=("The action against them has no effect.",),
    )


@procedure("roll_opposed")
def roll_opposed(scene: Scene, options: OpposedAtOptions, dice: Dice) -> Outcome:
    """Roll an opposed check once everyone has agreed; only the acting character rolls.

    Raises:
        UserError: If someone has not agreed yet.

    [RPJ-SKILL-16, RPJ-SKILL-17]
    """
    opposed = _waiting(scene, options.at)
    if opposed.is_pvp:
        opposed.consent.assert_given()
    if not opposed.their_skill:
        raise UserError("The other side hasn't chosen a skill yet.")
    return perform(scene, ready(scene, opposed), dice)


def ready(scene: Scene, opposed: Opposed) -> RpjAttempt:
    """An opposed check ready to be rolled."""
    target = scene.character(opposed.target)
    figure = figure_in(scene, target)
    skill = skill_named(figure.module, opposed.their_skill)
    level = figure.effective_level(skill)
    attempt = opposed_attempt(
        scene, scene.character(opposed.by), opposed.check, level, opposed.against, opposed.deed
    )
    return _opposed_by(attempt, target, skill, level)


def note_opposed(opposed: Opposed, noted: Noted) -> Opposed:
    """The opposed check with its roll, replaced after a Lucky Break."""
    answer = answer_in(noted, opposed.answer) if noted.actor == opposed.by else None
    return opposed if answer is None else evolve(opposed, answer=answer)


def result_of_opposed(opposed: Opposed, scene: Scene) -> SharedResult | None:
    """The result of the roll. [RPJ-SKILL-16, RPJ-COUNT-10]"""
    if opposed.answer is None or opposed.answer.passed is None:
        return None
    skill = skill_named(module_in(scene.settings), opposed.check.skill).name
    return SharedResult(passed=opposed.answer.passed, by=opposed.by, skill=skill)


NO = (
    TextField(key="reason", prompt="Why not?", longest=300, is_required=False),
    TextField(key="instead", prompt="What could they do instead?", longest=300, is_required=False),
)


MOST_SKILLS = 25


def view_opposed(opposed: Opposed, scene: Scene) -> View:
    """The message: who has agreed, the opposing skill, the result."""
    by, target = found(scene, opposed.by), found(scene, opposed.target)
    if opposed.answer is not None:
        return View(
            parts=(opposed.answer.part,),
            lines=_stands(scene, opposed, target),
            verdict=opposed.answer.verdict,
            headline=f"checks {_skill_name(scene, opposed)} against {name_of(scene, opposed.target)}",
        )
    if opposed.is_resisted:
        cost, name = module_in(scene.settings).luck.resist_cost, name_of(scene, opposed.target)
        words = f"{name} spends {lucky_breaks(cost)}."
        if opposed.luck_left is not None:
            words = f"{name}: Lucky Breaks {opposed.luck_left + cost} → {opposed.luck_left}"
        return View(lines=(words,), verdict=Verdict(Family.NEWS, "resisted: no effect"))
    if opposed.refusal:
        return View(lines=(opposed.refusal,), verdict=Verdict(Family.NEWS, "not agreed"))
    if by is None or target is None:
        return View(lines=("One of the two has left.",), verdict=Verdict(Family.NEWS, "called off"))
    if opposed.may_roll:
        return View(lines=_stands(scene, opposed, target), follow_ups=(_roll_button(scene, opposed, by),))
    talk = ("This is between players' characters: talk it through first.",) if opposed.is_pvp else ()
    return View(
        lines=(*talk, *_stands(scene, opposed, target), *_missing(opposed, target)),
        follow_ups=(*_target_buttons(scene, opposed, by, target), *_gm_buttons(opposed)),
    )


def _skill_name(scene: Scene, opposed: Opposed) -> str:
    return skill_named(module_in(scene.settings), opposed.check.skill).name


def _stands(scene: Scene, opposed: Opposed, target: Character | None) -> tuple[str, ...]:
    if not opposed.their_skill or target is None:
        return ()
    figure = figure_in(scene, target)
    skill = skill_named(figure.module, opposed.their_skill)
    level = shown_number(figure.effective_level(skill))
    return (f"{target.name} opposes with {skill.name} {level}. On a tie, whoever rolls wins.",)


def _missing(opposed: Opposed, target: Character) -> tuple[str, ...]:
    waits = [] if opposed.their_skill else [f"{target.name}'s player"]
    waits += ["the GM"] if opposed.is_pvp and not opposed.consent.gm else []
    return (f"Waiting for {' and '.join(waits)}.",) if waits else ()


def _roll_button(scene: Scene, opposed: Opposed, by: Character) -> FollowUp:
    attempt = ready(scene, opposed)
    return FollowUp(
        procedure="roll_opposed",
        options=OpposedAtOptions(at=opposed.key),
        label=f"{by.name}: roll against {attempt.inputs.target}+ · {attempt.chance}",
        character=by.id,
        group="roll",
    )


def _target_buttons(scene: Scene, opposed: Opposed, by: Character, target: Character) -> tuple[FollowUp, ...]:
    """The other player's buttons: agree with a skill, refuse, or resist for a Lucky Break."""
    if opposed.their_skill:
        return ()
    figure = figure_in(scene, target)
    stand_ = FollowUp(
        procedure="stand_against",
        options=OpposedStandOptions(at=opposed.key),
        label=f"{target.name}: agree and oppose with …",
        character=target.id,
        choices=_skill_choices(scene, opposed, by, figure),
        chosen="skill",
        group="stand",
    )
    if not opposed.is_pvp:
        return (stand_,)
    cost, left = figure.module.luck.resist_cost, lucky_breaks_left(target)
    resist = FollowUp(
        procedure="resist_opposed",
        options=OpposedAtOptions(at=opposed.key),
        label=f"{target.name}: resist · Lucky Breaks {left} → {left - cost}",
        character=target.id,
        group="resist",
    )
    not_so = _refuse_button(opposed, f"{target.name}: refuse …", Audience.OWNER, target.id)
    return (stand_, not_so, *((resist,) if left >= cost else ()))


def _skill_choices(scene: Scene, opposed: Opposed, by: Character, figure: Stats) -> tuple[Choice, ...]:
    """The other side's skills, starting with the one rolled, each with the resulting chance."""
    rolled = skill_named(figure.module, opposed.check.skill)
    others = sorted(
        (skill for skill in figure.module.skills if skill.id != rolled.id),
        key=lambda skill: (-figure.effective_level(skill), skill.name),
    )
    choices = []
    for skill in (rolled, *others)[:MOST_SKILLS]:
        level = figure.effective_level(skill)
        attempt = opposed_attempt(scene, by, opposed.check, level, opposed.against)
        note = f"{by.name} needs {attempt.inputs.target}+ · {attempt.chance}"
        choices.append(Choice(skill.id, f"{skill.name} {shown_number(level)}", note))
    return tuple(choices)


def _gm_buttons(opposed: Opposed) -> tuple[FollowUp, ...]:
    if not opposed.is_pvp or opposed.consent.gm:
        return ()
    agree = FollowUp(
        procedure="approve_opposed",
        options=OpposedAtOptions(at=opposed.key),
        label="Agree (GM)",
        audience=Audience.GM,
        group="gm",
    )
    return agree, _refuse_button(opposed, "Refuse … (GM)", Audience.GM, None)


def _refuse_button(
    opposed: Opposed, label: str, audience: Audience, character: CharacterId | None
) -> FollowUp:
    return FollowUp(
        procedure="refuse_opposed",
        options=RpjRefuseOptions(at=opposed.key),
        label=label,
        audience=audience,
        character=character,
        blanks=NO,
        group=f"refuse/{audience}",
    )


OPPOSED_PROMPT = SharedPrompt(
    model=Opposed,
    view=view_opposed,
    note=note_opposed,
    result=result_of_opposed,
    counts_as=("check",),
    tells=("resist_opposed",),
)
