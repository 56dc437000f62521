"""Defend against an opposed roll, or decline to."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Choice,
    Deadline,
    Document,
    Family,
    FollowUp,
    NamedTerm,
    Place,
    Verdict,
    procedure,
)
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import MOST_TIMED_LABEL, counted, holds, label_with, line_label, short_name
from bot.rules.swim_class.damage import Mishap, critical_note, is_down
from bot.rules.swim_class.encounter import find_ground
from bot.rules.swim_class.growth import Earned, Scored, advances, grow
from bot.rules.swim_class.opposition import (
    DefenceInputs,
    Stopped,
    chance_of_hits,
    could_fail_defending,
    expected_hits,
    judge_defence,
    roll_defence,
)
from bot.rules.swim_class.plans import gear_for, trait_modifier
from bot.rules.swim_class.pools import DiceGroup, Source
from bot.rules.swim_class.settling import (
    ContestShare,
    Effect,
    SwimContest,
    awaiting,
    settle,
    settle_helpless,
    settled,
    undefended,
)
from bot.rules.swim_class.sheet import (
    Character,
    Outcome,
    Reserve,
    ReserveKind,
    Scene,
    SwimRole,
    book,
    parent_of,
    rank_of,
    wear,
    with_states,
)
from bot.rules.swim_class.tables import WHEEL, Defends, SkillKey
from bot.rules.swim_class.unopposed_roll import after_criticals

SOCIAL = "social_defense"
MOST_MENUS = 3  # more of them leave no room for everyone's buttons
MOST_CHOICES = 20
TENTHS = 10


class SwimDefendOptions(Document):
    """Options of a defense."""

    contest: str = ""  # the opposed roll; empty: the oldest
    skill: str = Field(default="", max_length=100)  # the skill; empty: the best
    modifier: int = Field(default=0, ge=-20, le=20)  # the circumstance modifier of each die
    friends: bool = False  # whether friends are present
    strain: bool = False  # whether the skill is strained
    implement: str = Field(default="", max_length=60)  # the equipment used; empty: the best
    consented: bool = False  # whether the GM has allowed the strain


class DeclineOptions(Document):
    """The opposed roll to decline; empty: the oldest."""

    contest: str = ""


def legal_defences(scene: Scene, contest: SwimContest, target: Character) -> tuple[SkillKey, ...]:
    """The skills with dice that can defend against a roll.

    [SWIM-COMB-03 (SWIM-R115), SWIM-MAGIC-04, SWIM-MAGIC-20]
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
    """The dice of a defense, multiplied if the attack was pushed.

    [SWIM-COMB-03, SWIM-COMB-13, SWIM-POOL-10 (SWIM-R40), SWIM-SKILL-06 (SWIM-R71)]
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
        counts=contest.counts,
    )


def held_for(reserve: Reserve | None, skill: SkillKey) -> Reserve | None:
    """The reserve that adds to a defense with another skill, or None. [SWIM-COMB-13 (SWIM-R56)]"""
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
        ("specialized", book(scene).die_bonus(skill)),
        ("trait", trait_modifier(sheet, skill)),
        ("distance or area", share.bonus),
        ("wet ground", resistance),
        ("friends", friends),
        ("circumstances", options.modifier),
    )
    return tuple(NamedTerm(label=label, value=value) for label, value in named if value)


class Defence(Struct, frozen=True):
    """One way to defend against a roll, and its worth."""

    skill: SkillKey
    inputs: DefenceInputs  # its dice
    hits: Fraction  # the average hits it lets through
    risk: Fraction  # the chance that the roll succeeds against it


def best_first(
    scene: Scene, contest: SwimContest, share: ContestShare, options: SwimDefendOptions | None = None
) -> tuple[Defence, ...]:
    """The defenses against a roll, best first. [SWIM-COMB-03, SWIM-OPP-05]

    If each hit counts, the best has the fewest average hits, otherwise the least chance of success.
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
    """A defense's worth in words: "≈ 1.2 hits", as an average."""
    if not contest.counts_each:
        return f"stops it {percent(1 - defence.risk)}"
    tenths = round(defence.hits * TENTHS)
    number = f"≈ {tenths // TENTHS}.{tenths % TENTHS}"
    if not tenths and defence.hits:
        number = "< 0.1"
    return f"{number} {contest.counts}"


def defence_buttons(
    scene: Scene, key: str, contest: SwimContest, share: ContestShare
) -> tuple[FollowUp, ...]:
    """The buttons of an opponent: the best defense, a menu of the others, and not to oppose.

    The best defense is pressed automatically after the campaign's time. With many targets, only the
    best one has a button; the others need the command.

    [SWIM-OPP-01, SWIM-OPP-05]
    """
    target = scene.character(share.target)
    found = best_first(scene, contest, share)
    title = book(scene).title
    best = found[0]
    group = f"defence/{share.target}"
    skill, worth = f": {short_name(title(best.skill), 20)}", _worth(contest, best)
    is_told = target.owner is not None  # above the button; what a foe is worth stays on the GM's button
    buttons = [
        FollowUp(
            procedure="defend",
            options=SwimDefendOptions(contest=key, skill=best.skill),
            label=line_label(target.name, skill if is_told else f"{skill} · {worth}", is_timed=True),
            character=share.target,
            group=group,
            after_seconds=scene.settings.defense_seconds or None,
        ),
        FollowUp(
            procedure="decline",
            options=DeclineOptions(contest=key),
            label=line_label(target.name, ": don't oppose"),
            character=share.target,
            group=group,
        ),
    ]
    if len(found) > 1 and len(contest.shares) <= MOST_MENUS:
        choices = tuple(
            Choice(
                one.skill,
                f"{title(one.skill)}, {counted(one.inputs.size, 'die', 'dice')}",
                _noted(contest, one),
            )
            for one in found[:MOST_CHOICES]
        )
        menu = FollowUp(
            procedure="defend",
            options=SwimDefendOptions(contest=key),
            label=f"{target.name} defends with …",
            character=share.target,
            choices=choices,
            chosen="skill",
            group=group,
        )
        buttons.append(menu)
    place = Place.VERDICT if len(contest.shares) == 1 else Place.BELOW
    window = Deadline(until=(_answered(key, share.target),))
    note = f"{share.name} can oppose: {worth}." if is_told else f"{share.name} can oppose."
    return tuple(replace(one, note=note, place=place, window=window) for one in buttons)


def answers_on_boards(
    scene: Scene, key: str, contest: SwimContest, share: ContestShare
) -> tuple[FollowUp, ...]:
    """The same buttons with the deadlines that they have had on boards: their keys must not change.

    No note stands above them there, so the best one says itself what it is worth.
    """
    best, *others = defence_buttons(scene, key, contest, share)
    label, worth = best.label, _worth(contest, best_first(scene, contest, share)[0])
    if not label.endswith(worth):
        label = label_with(label, f" · {worth}", longest=MOST_TIMED_LABEL)
    best = replace(best, label=label, window=Deadline(concerns=(share.target,)))
    return (best, *(replace(one, window=None) for one in others))


def _answered(key: str, target: CharacterId) -> str:
    """The moment when a target answers an opposed roll; it closes the buttons that offer it."""
    return f"{key}/{target}"


def _noted(contest: SwimContest, defence: Defence) -> str:
    """The note of a menu choice: both numbers if each hit counts."""
    worth = _worth(contest, defence)
    return f"{worth} · stops all {percent(1 - defence.risk)}" if contest.counts_each else worth


def is_helpless(scene: Scene, contest: SwimContest, target: Character) -> bool:
    """Whether a target can oppose only with implicit 1s. [SWIM-COMB-08 (SWIM-R48), SWIM-OPP-05 (SWIM-R19)]"""
    lost = target.sheet.is_dead or is_down(scene, target)
    return lost or not legal_defences(scene, contest, target)


def _open_contest(scene: Scene, key: str) -> tuple[str, SwimContest, ContestShare]:
    who = scene.actor.id
    key = key or next(iter(awaiting(scene, who)), "")
    contest = scene.stored(SwimContest, key) if key else None
    share = None if contest is None else contest.share(who)
    if contest is None or share is None:
        raise UserError(
            f"There is nothing for {scene.actor.name} to oppose.", "Wait until somebody rolls against them."
        )
    return key, contest, share


def _defending_skill(
    scene: Scene, contest: SwimContest, share: ContestShare, options: SwimDefendOptions
) -> SkillKey:
    """The skill to defend with.

    Raises:
        UserError: If it can't defend against this.
    """
    target, skills = scene.character(share.target), book(scene)
    legal = legal_defences(scene, contest, target)
    if not options.skill:
        best = best_first(scene, contest, share, options)
        if not best:
            raise UserError("None of these skills can be strained.", "Straining needs rank 2 or more.")
        return best[0].skill
    skill = skills.find(options.skill)
    if skills.definition(skill).defends is Defends.NEVER:
        raise UserError(f"{skills.title(skill)} can't defend.")
    is_allowed = skill in legal or (scene.is_gm and parent_of(skill) not in WHEEL)
    if not is_allowed:
        names = ", ".join(skills.title(one) for one in legal)
        raise UserError(
            f"{skills.title(skill)} can't defend against this.",
            f"Choose from: {names}.",
            "A GM can use other skills.",
        )
    if options.strain and rank_of(scene, target, skill) < 2:
        raise UserError(f"{skills.title(skill)} can't be strained.", "Straining needs rank 2 or more.")
    return skill


@procedure("defend")
def defend(scene: Scene, options: SwimDefendOptions, dice: Dice) -> Outcome:
    """Defend against an opposed roll: each die stops one of its value or less.

    [SWIM-OPP-01 to SWIM-OPP-04, SWIM-COMB-03 (SWIM-R43), SWIM-ADV-03]
    """
    key, contest, share = _open_contest(scene, options.contest)
    actor = scene.actor
    if is_helpless(scene, contest, actor):
        return _helpless(scene, key, contest, share)
    skill = _defending_skill(scene, contest, share, options)
    inputs = defence_inputs(scene, contest, share, skill, options)
    roll = roll_defence(inputs, dice).by(actor)
    stopped = judge_defence(inputs, [die.face for die in roll.dice])
    if held_for(actor.sheet.states.reserve, skill) is not None:
        scene = with_states(scene, actor.id, reserve=None)
    scene, grown = _grown(scene, contest, skill, inputs, stopped, options)
    gear = gear_for(scene, actor.sheet, SwimRole.DEFENCE, skill, options.implement)
    worn = wear(scene, actor.id, gear.uses, dice)
    notes = [] if stopped.pairing.pairs or stopped.pairing.hits else [holds("Nothing to stop.")]
    ones = sum(die.face == 1 for die in stopped.dice)
    if ones and not stopped.pairing.pairs:
        notes.append(critical_note(ones, inputs.cancels, stopped.criticals, Mishap.OTHER, whose=actor.name))
    scene, broken = after_criticals(worn.scene, actor.id, stopped.criticals)
    struck = settle(scene, key, contest, settled(contest, share, inputs, stopped.pairing))
    attacker = scene.character(contest.attacker).name
    return Outcome(
        scene=struck.scene,
        headline=f"defends against {attacker} with {inputs.skill}",
        verdict=_defended(struck.scene, contest, struck.verdict),
        rolls=(roll, *worn.rolls),
        notes=(*notes, *grown, *worn.notes, *broken, *struck.notes),
        follow_ups=struck.follow_ups,
        moments=(_answered(key, actor.id),),
    )


def _helpless(scene: Scene, key: str, contest: SwimContest, share: ContestShare) -> Outcome:
    """Settle an attack on a character who has gone down since: only implicit 1s defend.

    [SWIM-COMB-08 (SWIM-R48)]
    """
    struck = settle_helpless(scene, key, contest, share)
    attacker = scene.character(contest.attacker).name
    return Outcome(
        scene=struck.scene,
        headline=f"can't defend against {attacker}",
        verdict=_defended(struck.scene, contest, struck.verdict),
        notes=struck.notes,
        follow_ups=struck.follow_ups,
        moments=(_answered(key, share.target),),
    )


def _defended(scene: Scene, contest: SwimContest, verdict: Verdict) -> Verdict:
    """The verdict from the defender's side; what the attacker achieves says whose it is."""
    turned = {Family.SUCCESS: Family.FAILURE, Family.FAILURE: Family.SUCCESS}
    attacker = scene.character(contest.attacker).name
    match contest.effect:
        case Effect.ESCAPE if verdict.family is Family.FAILURE:
            title = f"{attacker} is {verdict.title}"
        case Effect.ESCAPE | Effect.FLY:
            title = f"{attacker} {verdict.title}"
        case Effect.TASK:
            title = f"{attacker}: {verdict.title}"
        case _:
            title = verdict.title
    return Verdict(turned.get(verdict.family, verdict.family), title)


def _grown(
    scene: Scene,
    contest: SwimContest,
    skill: SkillKey,
    inputs: DefenceInputs,
    stopped: Stopped,
    options: SwimDefendOptions,
) -> tuple[Scene, tuple[str, ...]]:
    """Let a defense advance its skill. [SWIM-ADV-03 (SWIM-R24)]"""
    who = scene.actor.id
    used = {id(die.rolled) for _attack, die in stopped.pairing.pairs}
    wanted = Source.SKILL if rank_of(scene, scene.actor, skill) else Source.ARTIFACT
    dice = [Scored(face=die.face, has_scored=id(die) in used) for die in stopped.dice if die.source is wanted]
    could_fail = could_fail_defending(
        attack_modifier=contest.modifier, defence_modifier=inputs.implicit_modifier
    )
    has_advanced = not stopped.hits and advances(dice, is_whole=True, could_fail=could_fail)
    earned = Earned(
        skill=skill,
        has_advanced=has_advanced,
        is_strained=options.strain,
        faces=tuple(die.face for die in dice),
        against=f"{inputs.skill} against {book(scene).title(contest.skill)}",
    )
    return grow(scene, who, earned)


@procedure("decline")
def decline(scene: Scene, options: DeclineOptions, _dice: Dice) -> Outcome:
    """Do not oppose: every die that meets the difficulty gets through. [SWIM-OPP-05 (SWIM-R19)]"""
    key, contest, share = _open_contest(scene, options.contest)
    struck = settle(scene, key, contest, undefended(contest, share))
    return Outcome(
        scene=struck.scene,
        headline=f"doesn't oppose {scene.character(contest.attacker).name}",
        verdict=_defended(struck.scene, contest, struck.verdict),
        notes=struck.notes,
        follow_ups=struck.follow_ups,
        moments=(_answered(key, share.target),),
    )
