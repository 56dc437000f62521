"""Standing against an opposed roll: which skills may, with which dice, and what comes of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from pydantic import Field

from bot.rules.kernel import Choice, Deadline, Document, FollowUp, NamedTerm, Place
from bot.rules.kernel.odds import percent
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.implements import SwimRole
from bot.rules.swim_class.character.roll_modifiers import gear_for, trait_modifier
from bot.rules.swim_class.character.sheet import (
    Character,
    Reserve,
    ReserveKind,
    Scene,
    book,
    rank_of,
)
from bot.rules.swim_class.character.skills import parent_of
from bot.rules.swim_class.checks.waiting_rolls import ContestShare, Effect, SwimContest
from bot.rules.swim_class.combat.state.ground import find_ground
from bot.rules.swim_class.damage.damage import is_down
from bot.rules.swim_class.resolution.opposition import (
    DefenceInputs,
    chance_of_hits,
    expected_hits,
)
from bot.rules.swim_class.resolution.pools import DiceGroup, Source
from bot.rules.swim_class.resolution.tables import Defends, SkillKey

SOCIAL = "social_defense"
MOST_MENUS = 3  # more of them leave no room for everybody's buttons
MOST_CHOICES = 20
TENTHS = 10


class SwimDefendOptions(Document):
    """How one defends.

    Attributes:
        contest: Against which roll; the oldest without it.
        skill: With which skill; the best without it.
        modifier: What circumstances give each die.
        friends: Whether friends are present.
        strain: Whether the skill is strained.
        implement: The one piece of equipment used, or nothing for the best.
        consented: Whether the GM has allowed the strain.
    """

    contest: str = ""
    skill: str = Field(default="", max_length=100)
    modifier: int = Field(default=0, ge=-20, le=20)
    friends: bool = False
    strain: bool = False
    implement: str = Field(default="", max_length=60)
    consented: bool = False


class DeclineOptions(Document):
    """Which roll one does not oppose; the oldest without it."""

    contest: str = ""


def legal_defences(scene: Scene, contest: SwimContest, target: Character) -> tuple[SkillKey, ...]:
    """The skills that may stand against a roll, those with dice only.

    Source: SWIM-COMB-03 (SWIM-R115), SWIM-MAGIC-04, SWIM-MAGIC-20.
    """
    found = dict.fromkeys(_defences(scene, contest, target))
    return tuple(skill for skill in found if _dice_of(scene, target, skill))


def _defences(scene: Scene, contest: SwimContest, target: Character) -> Iterator[SkillKey]:
    skills = book(scene)
    definition = skills.definition(contest.skill)
    yield from contest.counters or (contest.pool.defence,)
    if "spot" in contest.counters:
        yield from ("dark_vision", "far_vision")
    if contest.effect is Effect.TASK:
        return
    if contest.is_magic:
        form = parent_of(contest.skill)
        yield from (form, scene.settings.opposite(form))
    elif definition.defends is Defends.MATCHING and contest.skill != "brawn":
        yield parent_of(contest.skill)
    if contest.is_melee and not contest.counters:
        yield "basic_melee"
        yield from (held for held in target.sheet.ranks if held.startswith("basic_melee:"))


def _dice_of(scene: Scene, target: Character, skill: SkillKey) -> int:
    gear = gear_for(scene, target.sheet, SwimRole.DEFENCE, skill)
    return rank_of(scene, target, skill) + gear.dice


def defence_inputs(
    scene: Scene,
    contest: SwimContest,
    share: ContestShare,
    skill: SkillKey,
    options: SwimDefendOptions | None = None,
) -> DefenceInputs:
    """The dice with which somebody stands against a roll, multiplied where it was pushed.

    Source: SWIM-COMB-03, SWIM-COMB-13, SWIM-POOL-10 (SWIM-R40), SWIM-SKILL-06 (SWIM-R71).
    """
    options = options or SwimDefendOptions()
    target, skills = scene.character(share.target), book(scene)
    sheet = target.sheet
    gear = gear_for(scene, sheet, SwimRole.DEFENCE, skill, options.implement)
    rank = rank_of(scene, target, skill) * (2 if options.strain else 1)
    terms = _terms(scene, contest, share, skill, options)
    modifier = sum(term.value for term in terms)
    groups = [DiceGroup(name=skills.title(skill), count=rank * contest.factor, modifier=modifier)]
    reserve = held_for(sheet.states.reserve, skill)
    if reserve is not None:
        held = gear_for(scene, sheet, SwimRole.DEFENCE, reserve.skill)
        added = max(0, rank_of(scene, target, reserve.skill) - 1)
        extra = held.bonus + trait_modifier(sheet, reserve.skill) + skills.die_bonus(reserve.skill)
        extra += share.bonus + options.modifier
        groups.append(
            DiceGroup(
                name=skills.title(reserve.skill),
                source=Source.ADDED,
                count=added * contest.factor,
                modifier=extra,
            )
        )
    if gear.dice:
        dice = gear.dice * contest.factor
        groups.append(DiceGroup(name=gear.dice_from, source=Source.ARTIFACT, count=dice, modifier=modifier))
    return DefenceInputs(
        skill=skills.title(skill),
        attack=contest.aimed(share),
        aimed=len(share.places),
        groups=tuple(group for group in groups if group.count),
        terms=terms,
        implicit_modifier=modifier,
        factor=contest.factor,
        cancels=gear.cancels,
    )


def held_for(reserve: Reserve | None, skill: SkillKey) -> Reserve | None:
    """The skill held in reserve that adds to a defence with another one, or None.

    Source: SWIM-COMB-13 (SWIM-R56).
    """
    adds = reserve is not None and reserve.kind is ReserveKind.DEFENCE and reserve.skill != skill
    return reserve if adds else None


def _terms(
    scene: Scene, contest: SwimContest, share: ContestShare, skill: SkillKey, options: SwimDefendOptions
) -> tuple[NamedTerm, ...]:
    sheet = scene.character(share.target).sheet
    gear = gear_for(scene, sheet, SwimRole.DEFENCE, skill, options.implement)
    is_fire = contest.is_magic and parent_of(contest.skill) == "fire"
    resistance = next(iter(find_ground(scene).resistance), 0) if is_fire else 0
    friends = scene.settings.friends_bonus if options.friends and skill == SOCIAL else 0
    named = (
        (gear.uses[0] if gear.bonus else "", gear.bonus),
        ("specialised", book(scene).die_bonus(skill)),
        ("kind", trait_modifier(sheet, skill)),
        ("distance or area", share.bonus),
        ("wet ground", resistance),
        ("friends", friends),
        ("circumstances", options.modifier),
    )
    return tuple(NamedTerm(label=label, value=value) for label, value in named if value)


@dataclass(frozen=True, slots=True)
class Defence:
    """One way to stand against a roll, and what it lets through.

    Attributes:
        skill: With which skill.
        inputs: Its dice.
        hits: The hits that it lets through on average.
        risk: The chance that it lets enough through for the roll to succeed.
    """

    skill: SkillKey
    inputs: DefenceInputs
    hits: Fraction
    risk: Fraction


def best_first(
    scene: Scene, contest: SwimContest, share: ContestShare, options: SwimDefendOptions | None = None
) -> tuple[Defence, ...]:
    """The ways to stand against a roll, the one that lets the least through first.

    Where each hit counts that is the fewest hits on average, else the least chance that the roll succeeds.

    Source: SWIM-COMB-03, SWIM-OPP-05.
    """
    target = scene.character(share.target)
    found = []
    for skill in legal_defences(scene, contest, target):
        if options is not None and options.strain and rank_of(scene, target, skill) < 2:
            continue
        inputs = defence_inputs(scene, contest, share, skill, options)
        risk = chance_of_hits(inputs, contest.needed)
        found.append(Defence(skill, inputs, expected_hits(inputs), risk))

    def harm(one: Defence) -> tuple[Fraction, Fraction]:
        return (one.hits, one.risk) if contest.counts_each else (one.risk, one.hits)

    return tuple(sorted(found, key=harm))


def _worth(contest: SwimContest, defence: Defence) -> str:
    """What a defence is worth, in words."""
    if not contest.counts_each:
        return f"stops it {percent(1 - defence.risk)}"
    tenths = round(defence.hits * TENTHS)
    number = f"{tenths // TENTHS}.{tenths % TENTHS}"
    if not tenths and defence.hits:
        number = "< 0.1"
    thing = "squares" if contest.effect is Effect.SHIFT else "hits"
    return f"{number} {thing} expected"


def defence_buttons(
    scene: Scene, key: str, contest: SwimContest, share: ContestShare
) -> tuple[FollowUp, ...]:
    """What an opponent may press: the best way to defend, the others with their worth, and not to oppose.

    Where nobody presses, the best way is taken after the campaign's time. Where many are aimed at, only the
    best way has a button; the others take the command.

    Source: SWIM-OPP-01, SWIM-OPP-05.
    """
    target = scene.character(share.target)
    found = best_first(scene, contest, share)
    title = book(scene).title
    best = found[0]
    group = f"defence/{share.target}"
    buttons = [
        FollowUp(
            procedure="defend",
            options=SwimDefendOptions(contest=key, skill=best.skill),
            label=f"{target.name[:18]}: {title(best.skill)[:20]} · {_worth(contest, best)}",
            character=share.target,
            group=group,
            after_seconds=scene.settings.defense_seconds or None,
            window=Deadline(concerns=(share.target,)),
        ),
        FollowUp(
            procedure="decline",
            options=DeclineOptions(contest=key),
            label=f"{target.name[:40]}: do not oppose",
            character=share.target,
            group=group,
        ),
    ]
    if len(found) > 1 and len(contest.shares) <= MOST_MENUS:
        choices = tuple(
            Choice(
                one.skill,
                f"{title(one.skill)[:60]}, {counted(one.inputs.size, 'die', 'dice')}",
                _noted(contest, one),
            )
            for one in found[:MOST_CHOICES]
        )
        menu = FollowUp(
            procedure="defend",
            options=SwimDefendOptions(contest=key),
            label=f"{target.name[:40]} defends with …",
            character=share.target,
            choices=choices,
            chosen="skill",
            group=group,
        )
        buttons.append(menu)
    place = Place.VERDICT if len(contest.shares) == 1 else Place.BELOW
    return tuple(replace(one, note=f"{share.name} may oppose.", place=place) for one in buttons)


def _noted(contest: SwimContest, defence: Defence) -> str:
    """What a choice on the menu says besides: both numbers where each hit counts."""
    worth = _worth(contest, defence)
    return f"{worth} · stops all {percent(1 - defence.risk)}" if contest.counts_each else worth


def is_helpless(scene: Scene, contest: SwimContest, target: Character) -> bool:
    """Whether somebody can oppose with implicit 1s only.

    Source: SWIM-COMB-08 (SWIM-R48), SWIM-OPP-05 (SWIM-R19).
    """
    lost = target.sheet.is_dead or is_down(scene, target)
    return lost or not legal_defences(scene, contest, target)
