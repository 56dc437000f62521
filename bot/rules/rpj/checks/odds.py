"""The exact chances of checks: `/odds`, the difficulty ladder, and passive levels."""

from fractions import Fraction
from functools import lru_cache
from itertools import product

from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Document,
    NamedTerm,
    Odds,
    OddsForm,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.outcome import shown_number, signed
from bot.rules.rpj.character.sheet import Outcome, Scene, figure_in
from bot.rules.rpj.checks.skill_checks import (
    skill_check,
    skill_named,
)
from bot.rules.rpj.module.basics import Rung, average_difficulty, suiting_targets
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
