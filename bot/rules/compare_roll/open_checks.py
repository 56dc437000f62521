"""Checks: the bonuses added to 2d6, and what a player can do while the roll is open."""

from msgspec import Struct
from pydantic import Field

from bot.rules.compare_roll.catalogue import (
    CompareSkill,
    Difficulty,
    default_difficulty,
    difficulty,
    find_skill,
    numbered,
)
from bot.rules.compare_roll.fortunes import HIGH, STRESS, totals
from bot.rules.compare_roll.opening import (
    BurnOptions,
    OpenRoll,
    Worded,
    after_settling,
    burn_at_door,
    calm_button,
    count_open,
    find_open,
    hear_verdict,
    lay,
    spend_high,
)
from bot.rules.compare_roll.sheet import Character, CompareStatus, Outcome, Scene, assert_can_act, status_of
from bot.rules.compare_roll.strikes import spend_attack
from bot.rules.compare_roll.tables import STAT_NAMES, ComparePurpose, Stat
from bot.rules.compare_roll.two_d12s import CompareInputs
from bot.rules.compare_roll.two_d12s import CompareOutcome as Result
from bot.rules.kernel import Document, FollowUp, NamedTerm, NoOptions, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import advice


class CompareRollOptions(Document):
    """Options of every compare roll."""

    difficulty: str = ""  # a name or number; empty: the default
    burn: int = Field(default=0, ge=0, le=5)  # high burned before the roll
    modifier: int = Field(default=0, ge=-20, le=20)  # the GM's modifier
    outcome: Result | None = None  # the outcome set by a GM, or None


class CompareLuckOptions(CompareRollOptions):
    """Options of a Luck check."""

    acts: bool = False  # whether it affects the fight and uses the turn's attack
    # The number of the difficulty instead of its name, or None.
    against: int | None = Field(default=None, ge=0, le=20)


class CompareCheckOptions(CompareLuckOptions):
    """Options of a skill check."""

    skill: str  # "Name" or "Category/Name"
    stat: Stat | None = None  # another stat set by a GM, or None


class CompareStanding(Struct, frozen=True):
    """The stat, the skill (or None) and the GM's modifier of a roll."""

    stat: Stat
    skill: CompareSkill | None
    modifier: int = 0


def require_gm(scene: Scene, *, given: bool, what: str) -> None:
    """Raise `UserError` if a player used an option reserved for GMs."""
    if given and not scene.is_gm:
        raise UserError(f"Only a GM can set {what}.", "Leave it out.")


NOVICE, LUCK_TWICE = "Novice: Luck", "Novice: Luck, twice"


def check_terms(scene: Scene, character: Character, standing: CompareStanding) -> tuple[NamedTerm, ...]:
    """The terms added to 2d6: skill (or Luck for a Novice), stat, Stress, the GM's modifier.

    [CMP-ROLL-08, CMP-SKILL-03 (CMP-R19), CMP-SKILL-07 (CMP-R23), CMP-STRESS-02]
    """
    sheet = character.sheet
    skill = standing.skill
    own_level = (skill.name, skill.level) if skill is not None and skill.level else None
    part = own_level or (NOVICE, sheet.bonus(Stat.LCK))
    own = (STAT_NAMES[standing.stat], sheet.bonus(standing.stat))
    is_luck_twice = own_level is None and standing.stat is Stat.LCK
    terms = (
        *(((LUCK_TWICE, part[1] + own[1]),) if is_luck_twice else (part, own)),
        ("Stress", -character.left(STRESS)),
        ("GM", standing.modifier),
    )
    return tuple(NamedTerm(label=label, value=value) for label, value in terms if value)


def prepared(
    scene: Scene,
    character: Character,
    standing: CompareStanding,
    options: CompareRollOptions,
    against: Difficulty,
) -> tuple[Scene, CompareInputs]:
    """Burn High before a roll, and build the roll's inputs. [CMP-ROLL-08, CMP-HIGH-02, CMP-GM-01]"""
    require_gm(scene, given=bool(options.modifier), what="a modifier")
    require_gm(scene, given=options.outcome is not None, what="the outcome")
    terms = check_terms(scene, character, standing)
    inputs = CompareInputs(terms=terms, difficulty=against.number, forced=options.outcome)
    if options.burn:
        scene = spend_high(scene, character.id, options.burn)
        inputs = inputs.plus("High", options.burn)
    return scene, inputs


def difficulty_of(scene: Scene, text: str) -> Difficulty:
    """The named difficulty, or the campaign's default."""
    settings = scene.settings
    return difficulty(settings, text) if text else default_difficulty(settings)


@procedure("check", can_repeat=True)
@after_settling
def check(scene: Scene, options: CompareCheckOptions, dice: Dice) -> Outcome:
    """Make a skill check. [CMP-ROLL-01, CMP-ROLL-02, CMP-ROLL-08, CMP-STAT-01, CMP-SKILL-03, CMP-SKILL-06]"""
    require_gm(scene, given=options.stat is not None, what="the stat")
    skill = find_skill(scene.actor.sheet, scene.settings, options.skill)
    standing = CompareStanding(options.stat or skill.stat, skill, options.modifier)
    return _checked(scene, standing, options, f"checks {skill.name} ({skill.category})", dice)


@procedure("luck", can_repeat=True)
@after_settling
def check_luck(scene: Scene, options: CompareLuckOptions, dice: Dice) -> Outcome:
    """Make a check that no skill fits: Luck as the stat, and Luck again instead of a skill.

    [CMP-SKILL-07 (CMP-R23)]
    """
    return _checked(scene, CompareStanding(Stat.LCK, None, options.modifier), options, "checks Luck", dice)


def _checked(
    scene: Scene, standing: CompareStanding, options: CompareLuckOptions, words: str, dice: Dice
) -> Outcome:
    actor = scene.actor
    assert_can_act(actor)
    against = difficulty_of(scene, options.difficulty)
    if options.against is not None:
        against = numbered(scene.settings, options.against)
    if options.acts:
        scene = spend_attack(scene, actor)
    scene, inputs = prepared(scene, actor, standing, options, against)
    laid = OpenRoll(purpose=ComparePurpose.CHECK, words=words, inputs=inputs)
    is_stressed = options.burn and actor.left(STRESS)
    hint = (
        (advice("Burning High against Stress before a roll adds as much, and lasts."),) if is_stressed else ()
    )
    return lay(scene, actor.id, laid, Worded(f"{words} against {against}", hint), dice)


@procedure("burn")
def burn(scene: Scene, options: BurnOptions, dice: Dice) -> Outcome:
    """Burn High on the actor's open roll, or on the last roll at Death's Door.

    [CMP-HIGH-02 (CMP-R27, CMP-R59), CMP-DEATH-02]
    """
    actor = scene.actor
    if find_open(scene, actor.id) is None and actor.sheet.door and status_of(actor) is CompareStatus.DYING:
        return burn_at_door(scene, actor.id, options.count)
    return count_open(scene, actor.id, options.count, dice)


@procedure("take")
def take(scene: Scene, _options: NoOptions, dice: Dice) -> Outcome:
    """Accept an open roll as it is. [CMP-HIGH-02]"""
    actor = scene.actor
    if find_open(scene, actor.id) is None and len(actor.sheet.door) == 3:
        return hear_verdict(scene, actor.id)
    return count_open(scene, actor.id, 0, dice)


@procedure("calm")
def calm(scene: Scene, options: BurnOptions, _dice: Dice) -> Outcome:
    """Burn High to remove Stress, one for one; an open roll keeps its penalty.

    [CMP-STRESS-04, CMP-HIGH-03 (CMP-R58)]
    """
    actor = scene.actor
    stress, high = actor.left(STRESS), actor.left(HIGH)
    most = min(stress, high)
    if options.count > most:
        raise UserError(
            f"{actor.name} can burn at most {most} High against Stress, not {options.count}.",
            f"{totals(actor.resources)}.",
        )
    scene = spend_high(scene, actor.id, options.count)
    calmed = scene.character(actor.id).with_resource(STRESS, stress - options.count)
    scene = scene.with_character(calmed)
    more: tuple[FollowUp, ...] = (calm_button(actor.id),) if options.count < most else ()
    return Outcome(scene=scene, headline=f"burns {options.count} High against Stress", follow_ups=more)
