"""The chances of checks before they are made, and what a player proposes and the GM allows."""

from fractions import Fraction
from functools import lru_cache
from itertools import product

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Document,
    FollowUp,
    NamedTerm,
    Odds,
    OddsForm,
    TextField,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import label_with, shown_number, signed
from bot.rules.rpj.character.lucky_breaks import denial
from bot.rules.rpj.character.sheet import Character, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.checks.attempts import RpjAttempt, assert_can_check, perform
from bot.rules.rpj.checks.skill_checks import (
    Fit,
    RpjCheckOptions,
    luck_detail,
    skill_attempt,
    skill_check,
    skill_named,
)
from bot.rules.rpj.module.basics import RpjAttribute, Rung, average_difficulty, suiting_targets
from bot.rules.rpj.module.effects import RollTarget
from bot.rules.rpj.module.module import RpjSkill
from bot.rules.rpj.module.module_files import RpjSettings, module_in
from bot.rules.rpj.resolution.check import (
    D6_FACES,
    HIGHEST,
    LOWEST,
    SUCCESSES,
    asks_for_confirmation,
    check_odds,
    read_check,
    sides_of,
)
from bot.rules.rpj.resolution.check_inputs import (
    BASE_TARGET,
    CheckKind,
    CriticalMode,
    CriticalRules,
    RpjCheckInputs,
)


class RpjOddsQuestion(Document):
    """The check `/odds` is asked about."""

    level: int = Field(default=0, ge=-10, le=30, description="Effective level, or attribute level or bonus")
    target: int = Field(default=7, ge=-10, le=40, description="Target number: 7 + difficulty")
    bonus: int = Field(default=0, ge=-20, le=20, description="Bonuses minus penalties")
    roll: CheckKind = Field(default=CheckKind.SKILL, description="Kind of roll (default: a skill check)")
    lucky_break: bool = Field(default=False, description="Spend a Lucky Break: best two of three dice")
    criticals: CriticalMode | None = Field(
        default=None, description="How often criticals come (default: as in the campaign)"
    )
    coins: bool | None = Field(default=None, description="Coins instead of dice (default: as in the module)")


def _inputs(question: RpjOddsQuestion, rules: CriticalRules) -> RpjCheckInputs:
    terms = (
        NamedTerm(label="level", value=question.level),
        NamedTerm(label="bonus", value=question.bonus),
    )
    mode = question.criticals or rules.mode
    with_coins = rules.with_coins if question.coins is None else question.coins
    return RpjCheckInputs(
        kind=question.roll,
        terms=terms,
        difficulty=question.target - BASE_TARGET,
        has_extra_die=question.lucky_break,
        criticals=evolve(rules, mode=mode, with_coins=with_coins),
    )


def answer_odds(question: RpjOddsQuestion) -> Odds:
    """The exact chance of each result of a check, by the book's rules. [RPJ-DICE-10, RPJ-HEALTH-19]"""
    return check_odds(_inputs(question, CriticalRules()))


def answer_under(question: RpjOddsQuestion, settings: RpjSettings) -> Odds:
    """The exact chance of each result of a check, with a campaign's criticals and dice or coins.

    [RPJ-DICE-04, RPJ-DICE-05, RPJ-DICE-10, RPJ-COIN-05 (COIN-05b)]
    """
    return check_odds(_inputs(question, module_in(settings).criticals))


def turning_chance(inputs: RpjCheckInputs) -> Fraction | None:
    """The chance that a Lucky Break turns a failed check into a success, over every way it can fail.

    Args:
        inputs: A check without its extra die; nothing of it is rolled.

    Returns:
        The chance, or None where it cannot fail.

    [RPJ-LUCK-02, RPJ-LUCK-03, RPJ-DICE-10]
    """
    failed, turned = Fraction(0), Fraction(0)
    for faces in product(range(1, sides_of(inputs) + 1), repeat=inputs.dice):
        asks = asks_for_confirmation(inputs, faces)
        for confirmation in D6_FACES if asks else (None,):
            if read_check(inputs, faces, confirmation).result.is_success:
                continue
            weight = 1 if asks else len(D6_FACES)
            lying = {"fallen": faces, "confirmation": confirmation, "has_extra_die": True}
            failed += weight
            turned += weight * _success(evolve(inputs, **lying))
    return turned / failed if failed else None


def _success(inputs: RpjCheckInputs) -> Fraction:
    chances = check_odds(inputs).chances
    good = sum(chance.ways for name, chance in chances if name in SUCCESSES)
    return Fraction(good, chances[0][1].of)


@lru_cache(maxsize=256)
def expected_hits(inputs: RpjCheckInputs) -> Fraction | None:
    """The average number of hits until a damage save is lost; None where it never is. [RPJ-GCS-64 (R-121)]"""
    failing = 1 - _success(inputs)
    return 1 / failing if failing else None


def hits_words(hits: Fraction) -> str:
    """A number of hits in words, to one decimal: "1.4 hits"."""
    number = f"{float(hits):.1f}"
    return f"{number} hit" if number == "1.0" else f"{number} hits"


def worth_knowing(question: RpjOddsQuestion, settings: RpjSettings) -> tuple[str, ...]:
    """What the dice must add up to, how long a save lasts, and what a Lucky Break is worth before and after.

    [RPJ-DICE-10, RPJ-LUCK-02, RPJ-GCS-64]
    """
    inputs = _inputs(question, module_in(settings).criticals)
    with_coins = inputs.criticals.with_coins
    lowest, highest, what = (LOWEST, HIGHEST, "coins") if with_coins else (2, 12, "dice")
    needed = max(inputs.target - inputs.modifier, lowest)
    lines = [f"the {what} must total {needed}+" if needed <= highest else f"the {what} alone can't reach it"]
    lasts = expected_hits(inputs) if question.roll is CheckKind.DAMAGE_SAVE else None
    if lasts is not None:
        lines.append(f"the save lasts {hits_words(lasts)} on average")
    if not question.lucky_break:
        before = _success(evolve(inputs, has_extra_die=True))
        lines.append(f"{percent(before)} with a Lucky Break spent beforehand")
        after = turning_chance(inputs)
        if after is not None:
            lines.append(f"a Lucky Break rescues a failure {percent(after)} of the time")
    return tuple(lines)


ODDS = OddsForm(question=RpjOddsQuestion, answer=answer_odds, answer_under=answer_under, worth=worth_knowing)


class LadderOptions(Document):
    """The options of the difficulty ladder."""

    skill: str = Field(default="", max_length=100)  # a skill of the character; its roll bonuses count
    level: int = Field(default=0, ge=-10, le=30)  # or an effective level


class RpjPassiveOptions(Document):
    """The options of looking up passive levels."""

    skill: str = Field(max_length=100)
    who: tuple[CharacterId, ...] = Field(min_length=1, max_length=25)


@procedure("ladder", needs_actor=False)
def show_ladder(scene: Scene, options: LadderOptions, _dice: Dice) -> Outcome:
    """Show the difficulty ladder: each name with its target numbers and a level's chances.

    [RPJ-SKILL-24 to RPJ-SKILL-26]
    """
    module = module_in(scene.settings)
    what = f"level {shown_number(options.level)}"
    inputs = RpjCheckInputs(
        terms=(NamedTerm(label="level", value=options.level),), criticals=module.criticals
    )
    if options.skill.strip():
        figure = figure_in(scene, scene.actor)
        skill = skill_named(module, options.skill)
        inputs = skill_check(figure, skill)
        what = f"{skill.name} {signed(inputs.modifier)}"
    average = average_difficulty(inputs.modifier)
    suiting = " · ".join(
        f"{one.target}+ {_chance(inputs, one.target)}" for one in suiting_targets(inputs.modifier)
    )
    return Outcome(
        scene=scene,
        headline=f"looks at the difficulties for {what}",
        notes=(
            *(_rung_line(rung, inputs) for rung in module.ladder),
            f"A routine task for this {'character' if options.skill.strip() else 'level'}: "
            f"difficulty {shown_number(average)} ({BASE_TARGET + average}+).",
            f"By target number: {suiting}",
        ),
        is_public=False,
    )


def _chance(inputs: RpjCheckInputs, target: int) -> str:
    odds = check_odds(evolve(inputs, difficulty=target - BASE_TARGET))
    needed = odds.enough
    return "" if needed is None else percent(needed)


def _rung_line(rung: Rung, inputs: RpjCheckInputs) -> str:
    ends = [rung.lowest] if rung.highest in (None, rung.lowest) else [rung.lowest, rung.highest or 0]
    chances = " to ".join(_chance(inputs, BASE_TARGET + end) for end in ends)
    return f"{rung.name} {rung.targets} · {chances}"


@procedure("passive", gm_only=True, needs_actor=False)
def show_passive(scene: Scene, options: RpjPassiveOptions, _dice: Dice) -> Outcome:
    """Show characters' passive levels in a skill, to the GM only. [RPJ-SKILL-06]"""
    skill = skill_named(module_in(scene.settings), options.skill)
    levels = [
        (figure_in(scene, character).passive_level(skill), character.name)
        for character in (scene.character(who) for who in dict.fromkeys(options.who))
    ]
    levels.sort(key=lambda one: -one[0])
    unused = () if skill.has_passive_level else (f"This module doesn't use passive levels for {skill.name}.",)
    return Outcome(
        scene=scene,
        headline=f"looks at passive {skill.name}",
        notes=(*(f"{name} {shown_number(level)}" for level, name in levels), *unused),
        is_public=False,
    )


MOST_CHOICES = 25
HOW_HARD = TextField(
    key="difficulty", prompt="Difficulty: a number, 10+ or a name.", longest=40, is_required=False
)
_FITS = {Fit.PERFECT: "It fits", Fit.IMPERFECT: "Imperfect, −1", Fit.POOR: "Poor, −2"}


class RpjProposeOptions(RpjCheckOptions):
    """The options of a proposal."""

    how: str = Field(min_length=1, max_length=150)  # what the player wants to do with the skill


class FitOptions(Document):
    """The options of the GM's answer to a proposal."""

    character: CharacterId  # whose proposal it is
    proposed: RpjCheckOptions  # the proposal
    difficulty: str = Field(default="", max_length=40)  # the difficulty, where the proposal has none

    @property
    def check(self) -> RpjCheckOptions:
        """The check with the GM's difficulty."""
        return evolve(self.proposed, difficulty=self.difficulty or self.proposed.difficulty)


class InsteadOptions(FitOptions):
    """The options of another skill instead, by its id."""

    instead: str = ""


def _attempt(
    figure: Stats, who: CharacterId, skill: RpjSkill, check: RpjCheckOptions, fit: Fit
) -> RpjAttempt:
    asked = skill_named(figure.module, check.skill)
    situation = evolve(check, fit=fit).situation_of(figure.module, asked)
    return skill_attempt(who, figure, skill, situation)


@procedure("propose")
def propose(scene: Scene, options: RpjProposeOptions, _dice: Dice) -> Outcome:
    """Propose a skill for a task; the GM presses how well it fits. [RPJ-SKILL-08]"""
    who, module = scene.actor, module_in(scene.settings)
    assert_can_check(scene, who)
    figure = figure_in(scene, who)
    skill = skill_named(module, options.skill)
    plain = RpjCheckOptions.model_validate(options.model_dump(exclude={"how"}))
    chances = {fit: _attempt(figure, who.id, skill, plain, fit).chance for fit in _FITS}
    fits = tuple(
        FollowUp(
            procedure="fit",
            options=FitOptions(character=who.id, proposed=evolve(plain, fit=fit)),
            label=f"{label} · {chances[fit]} (GM)" if options.difficulty else f"{label} (GM)",
            audience=Audience.GM,
            character=who.id,
            blanks=() if options.difficulty else (HOW_HARD,),
            group="fit",
            is_owed=True,
        )
        for fit, label in _FITS.items()
    )
    others = sorted(
        (other for other in module.skills if other.id != skill.id),
        key=lambda other: (-figure.effective_level(other), other.name),
    )
    instead = FollowUp(
        procedure="instead",
        options=InsteadOptions(character=who.id, proposed=plain),
        label="Use another skill (GM)",
        audience=Audience.GM,
        character=who.id,
        choices=tuple(
            Choice(other.id, other.name, f"level {shown_number(figure.effective_level(other))}")
            for other in others[:MOST_CHOICES]
        ),
        chosen="instead",
        group="fit",
        is_owed=True,
    )
    return Outcome(
        scene=scene,
        headline=f"proposes {skill.name}: {options.how.strip()}",
        follow_ups=(*fits, instead) if instead.choices else fits,
    )


def _offer(scene: Scene, who: CharacterId, check: RpjCheckOptions) -> FollowUp:
    """The button that rolls the check the GM agreed to."""
    figure = figure_in(scene, scene.character(who))
    skill = skill_named(figure.module, check.skill)
    attempt = _attempt(figure, who, skill, check, check.fit)
    return FollowUp(
        procedure="check",
        options=check,
        label=label_with(skill.name, f" against {attempt.inputs.target}+ · {attempt.chance}", before="Roll "),
        character=who,
        group="check",
    )


@procedure("fit", gm_only=True)
def say_fit(scene: Scene, options: FitOptions, _dice: Dice) -> Outcome:
    """Decide how well a proposed skill fits; its player then rolls. [RPJ-SKILL-08]"""
    fit = options.proposed.fit
    return Outcome(
        scene=scene,
        headline=f"can check {options.proposed.skill}" + ("" if fit is Fit.PERFECT else f": {fit} fit"),
        follow_ups=(_offer(scene, options.character, options.check),),
    )


@procedure("instead", gm_only=True)
def say_instead(scene: Scene, options: InsteadOptions, _dice: Dice) -> Outcome:
    """Reject a proposed skill and name another. [RPJ-SKILL-08, RPJ-GM-05]"""
    skill = skill_named(module_in(scene.settings), options.instead)
    changed = {"skill": skill.name, "specialty": "", "fit": Fit.PERFECT}
    return Outcome(
        scene=scene,
        headline=f"can't use {options.proposed.skill} for that",
        notes=(denial("", f"{skill.name}."),),
        follow_ups=(_offer(scene, options.character, evolve(options.proposed, **changed)),),
    )


DETAIL = "detail"
TALLY = "luck_details"
TALLY_KEY = f"{TALLY}/session"
CHECKLIST = (
    "It must be open: nobody has said anything about it yet.",
    "It must not add anything new to the scene.",
    "It must not contradict anything done, said or described.",
)


class Details(Document):
    """How often Luck has decided a detail this session. [RPJ-ATTR-07]"""

    count: int = Field(default=0, ge=0)


class DetailOptions(Document):
    """The options of asking about a detail."""

    question: str = Field(min_length=1, max_length=150)
    target: CharacterId | None = None  # who rolls, if the GM asks; else the person asking


class RpjAskedOptions(Document):
    """The options of a question that was asked, and who rolls."""

    question: str
    character: CharacterId


class DeniedOptions(RpjAskedOptions):
    """The options of denying a detail."""

    reason: str = Field(default="", max_length=300)


WHY_NOT = TextField(key="reason", prompt="What is there instead, or why not?", longest=300, is_long=True)


def _detail_attempt(scene: Scene, who: Character, question: str) -> RpjAttempt:
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


@procedure(DETAIL, needs_actor=False)
def ask_detail(scene: Scene, options: DetailOptions, _dice: Dice) -> Outcome:
    """Ask whether Luck decides a detail: the GM allows it, then one player rolls. [RPJ-ATTR-07]

    Raises:
        UserError: If a player names who rolls.
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


@procedure("allow_detail", gm_only=True)
def allow_detail(scene: Scene, options: RpjAskedOptions, _dice: Dice) -> Outcome:
    """Let one player roll for a detail; it is counted, because it should be rare. [RPJ-ATTR-07]"""
    who = scene.character(options.character)
    attempt = _detail_attempt(scene, who, options.question)
    found = scene.stored(Details, TALLY_KEY)
    count = 1 if found is None else found.count + 1
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


@procedure("deny_detail", gm_only=True)
def deny_detail(scene: Scene, options: DeniedOptions, _dice: Dice) -> Outcome:
    """Deny that Luck decides a detail, with the reason. [RPJ-ATTR-07, RPJ-GM-05]

    Raises:
        UserError: If there is none.
    """
    return Outcome(
        scene=scene,
        headline=f"can't leave it to Luck: {options.question}",
        notes=(denial(options.reason),),
    )


@procedure("roll_detail")
def roll_detail(scene: Scene, options: RpjAskedOptions, dice: Dice) -> Outcome:
    """Roll for a detail: a success decides it in the player's favor. [RPJ-ATTR-07]"""
    who = scene.character(options.character)
    return perform(scene, _detail_attempt(scene, who, options.question), dice)


def close_details(scene: Scene) -> tuple[Scene, tuple[str, ...]]:
    """Reset the count at the end of a session, and report it. [RPJ-ATTR-07]"""
    found = scene.stored(Details, TALLY_KEY)
    if found is None:
        return scene, ()
    times = "once" if found.count == 1 else f"{found.count} times"
    return scene.with_document(TALLY_KEY, None), (f"Luck decided a detail {times}.",)
