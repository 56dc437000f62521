"""Standing against an opposed roll: which skills may, with which dice, and what comes of it."""

from collections.abc import Iterator

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import (
    Character,
    Choice,
    Document,
    Family,
    FollowUp,
    Outcome,
    Procedure,
    Scene,
    Verdict,
)
from bot.rules.swim_class.breakage import wear
from bot.rules.swim_class.contests import Contest, Share, awaiting
from bot.rules.swim_class.criticals import Mishap, critical_note
from bot.rules.swim_class.damage import is_down
from bot.rules.swim_class.ground import find_ground
from bot.rules.swim_class.growth import Earned, Scored, advances, grow
from bot.rules.swim_class.implements import Role
from bot.rules.swim_class.modifiers import gear_for, trait_modifier
from bot.rules.swim_class.opposition import (
    DefenceInputs,
    Stopped,
    could_fail_defending,
    defence_odds,
    judge_defence,
    roll_defence,
)
from bot.rules.swim_class.performance import after_criticals
from bot.rules.swim_class.pools import DiceGroup, NamedTerm, Source
from bot.rules.swim_class.settling import settle, settle_helpless, settled, undefended
from bot.rules.swim_class.sheet import ReserveKind, book, rank_of, settings_of, sheet_of, with_states
from bot.rules.swim_class.skills import parent_of
from bot.rules.swim_class.tables import WHEEL, Defends, SkillKey
from bot.rules.swim_class.wording import counted

SOCIAL = "social_defense"
MOST_MENUS = 3  # more of them leave no room for everybody's buttons


class DefendOptions(Document):
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


def legal_defences(scene: Scene, contest: Contest, target: Character) -> tuple[SkillKey, ...]:
    """The skills that may stand against a roll, those with dice only.

    Source: SWIM-COMB-03 (SWIM-R115), SWIM-MAGIC-04, SWIM-MAGIC-20.
    """
    found = dict.fromkeys(_defences(scene, contest, target))
    return tuple(skill for skill in found if _dice_of(scene, target, skill))


def _defences(scene: Scene, contest: Contest, target: Character) -> Iterator[SkillKey]:
    skills = book(scene)
    definition = skills.definition(contest.skill)
    yield from contest.counters or (contest.pool.defence,)
    if "spot" in contest.counters:
        yield from ("dark_vision", "far_vision")
    if contest.is_magic:
        form = parent_of(contest.skill)
        yield from (form, settings_of(scene).opposite(form))
    elif definition.defends is Defends.MATCHING and contest.skill != "brawn":
        yield parent_of(contest.skill)
    if contest.is_melee and not contest.counters:
        yield "basic_melee"
        yield from (held for held in sheet_of(target).ranks if held.startswith("basic_melee:"))


def _dice_of(scene: Scene, target: Character, skill: SkillKey) -> int:
    gear = gear_for(scene, sheet_of(target), Role.DEFENCE, skill)
    return rank_of(scene, target, skill) + gear.dice


def defence_inputs(
    scene: Scene, contest: Contest, share: Share, skill: SkillKey, options: DefendOptions | None = None
) -> DefenceInputs:
    """The dice with which somebody stands against a roll, multiplied where it was pushed.

    Source: SWIM-COMB-03, SWIM-COMB-13, SWIM-POOL-10 (SWIM-R40), SWIM-SKILL-06 (SWIM-R71).
    """
    options = options or DefendOptions()
    target, skills = scene.character(share.target), book(scene)
    sheet = sheet_of(target)
    gear = gear_for(scene, sheet, Role.DEFENCE, skill, options.implement)
    rank = rank_of(scene, target, skill) * (2 if options.strain else 1)
    terms = _terms(scene, contest, share, skill, options)
    modifier = sum(term.value for term in terms)
    groups = [DiceGroup(name=skills.title(skill), count=rank * contest.factor, modifier=modifier)]
    reserve = sheet.states.reserve
    if reserve is not None and reserve.kind is ReserveKind.DEFENCE and reserve.skill != skill:
        held = gear_for(scene, sheet, Role.DEFENCE, reserve.skill)
        added = max(0, rank_of(scene, target, reserve.skill) - 1)
        extra = held.bonus + trait_modifier(sheet, reserve.skill) + share.bonus + options.modifier
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


def _terms(
    scene: Scene, contest: Contest, share: Share, skill: SkillKey, options: DefendOptions
) -> tuple[NamedTerm, ...]:
    sheet = sheet_of(scene.character(share.target))
    gear = gear_for(scene, sheet, Role.DEFENCE, skill, options.implement)
    is_fire = contest.is_magic and parent_of(contest.skill) == "fire"
    resistance = next(iter(find_ground(scene).resistance), 0) if is_fire else 0
    friends = settings_of(scene).friends_bonus if options.friends and skill == SOCIAL else 0
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


def defence_buttons(scene: Scene, key: str, contest: Contest, share: Share) -> tuple[FollowUp, ...]:
    """What an opponent may press: the ways to defend with their chances, and not to oppose.

    Where many are aimed at, only the best way has a button; the others take the command.

    Source: SWIM-OPP-01, SWIM-OPP-05.
    """
    target = scene.character(share.target)
    found = []
    for skill in legal_defences(scene, contest, target)[:20]:
        inputs = defence_inputs(scene, contest, share, skill)
        odds = defence_odds(inputs).enough or 0
        found.append((skill, counted(inputs.size, "die", "dice"), round(odds * 100), odds))
    found.sort(key=lambda one: -one[3])
    title = book(scene).title
    choices = tuple(
        Choice(skill, f"{title(skill)[:60]}, {dice}", f"stops all {chance} %")
        for skill, dice, chance, _odds in found
    )
    best, dice, chance, _ = found[0]
    group = f"defence/{share.target}"
    buttons = [
        FollowUp(
            procedure="defend",
            options=DefendOptions(contest=key, skill=best),
            label=f"{target.name[:30]}: {title(best)[:24]} ({dice}) · {chance} %",
            character=share.target,
            group=group,
        ),
        FollowUp(
            procedure="decline",
            options=DeclineOptions(contest=key),
            label=f"{target.name[:40]}: do not oppose",
            character=share.target,
            group=group,
        ),
    ]
    if len(choices) > 1 and len(contest.shares) <= MOST_MENUS:
        menu = FollowUp(
            procedure="defend",
            options=DefendOptions(contest=key),
            label=f"{target.name[:40]} defends with …",
            character=share.target,
            choices=choices,
            chosen="skill",
            group=group,
        )
        buttons.append(menu)
    return tuple(buttons)


def is_helpless(scene: Scene, contest: Contest, target: Character) -> bool:
    """Whether somebody can oppose with implicit 1s only.

    Source: SWIM-COMB-08 (SWIM-R48), SWIM-OPP-05 (SWIM-R19).
    """
    lost = sheet_of(target).is_dead or is_down(scene, target)
    return lost or not legal_defences(scene, contest, target)


def _open_contest(scene: Scene, key: str) -> tuple[str, Contest, Share]:
    who = scene.actor.id
    key = key or next(iter(awaiting(scene, who)), "")
    contest = scene.document(key) if key else None
    share = contest.share(who) if isinstance(contest, Contest) else None
    if not isinstance(contest, Contest) or share is None:
        raise Mistake(f"Nothing waits for {scene.actor.name} to oppose.")
    return key, contest, share


def _defending_skill(scene: Scene, contest: Contest, share: Share, options: DefendOptions) -> SkillKey:
    """The skill somebody defends with.

    Raises:
        Mistake: If it may not defend against this.
    """
    target, skills = scene.character(share.target), book(scene)
    legal = legal_defences(scene, contest, target)
    if not options.skill:
        odds = {skill: defence_odds(defence_inputs(scene, contest, share, skill)).enough for skill in legal}
        return max(legal, key=lambda skill: odds[skill] or 0)
    skill = skills.find(options.skill)
    if skills.definition(skill).defends is Defends.NEVER:
        raise Mistake(f"{skills.title(skill)} cannot defend.")
    is_allowed = skill in legal or (scene.is_gm and parent_of(skill) not in WHEEL)
    if not is_allowed:
        names = ", ".join(skills.title(one) for one in legal)
        raise Mistake(
            f"{skills.title(skill)} does not stand against that.",
            f"These do: {names}.",
            "A GM may allow others.",
        )
    if options.strain and rank_of(scene, target, skill) < 2:
        raise Mistake(f"{skills.title(skill)} cannot be strained.", "It takes a rank of 2 or more.")
    return skill


def defend(scene: Scene, options: DefendOptions, dice: Dice) -> Outcome:
    """Roll against an opposed roll: each die stops one of its value or less.

    Source: SWIM-OPP-01 to SWIM-OPP-04, SWIM-COMB-03 (SWIM-R43), SWIM-ADV-03.
    """
    key, contest, share = _open_contest(scene, options.contest)
    actor = scene.actor
    if is_helpless(scene, contest, actor):
        return _helpless(scene, key, contest, share)
    skill = _defending_skill(scene, contest, share, options)
    inputs = defence_inputs(scene, contest, share, skill, options)
    roll = roll_defence(inputs, dice).by(actor)
    stopped = judge_defence(inputs, [die.face for die in roll.dice])
    scene = with_states(scene, actor.id, reserve=_kept_reserve(scene, actor))
    scene, grown = _grown(scene, contest, skill, inputs, stopped, options)
    gear = gear_for(scene, sheet_of(actor), Role.DEFENCE, skill, options.implement)
    worn = wear(scene, actor.id, gear.uses, dice)
    notes = [] if stopped.pairing.pairs or stopped.pairing.hits else ["Nothing to stop."]
    ones = sum(die.face == 1 for die in stopped.dice)
    if ones and not stopped.pairing.pairs:
        notes.append(critical_note(ones, inputs.cancels, stopped.criticals, Mishap.OTHER))
    scene, broken = after_criticals(worn.scene, actor.id, stopped.criticals)
    struck = settle(scene, key, contest, settled(contest, share, inputs, stopped.pairing))
    attacker = scene.character(contest.attacker).name
    return Outcome(
        scene=struck.scene,
        headline=f"defends against {attacker} with {inputs.skill}",
        verdict=_defended(struck.verdict),
        rolls=(roll, *worn.rolls),
        notes=(*notes, *grown, *worn.notes, *broken, *struck.notes),
        follow_ups=struck.follow_ups,
    )


def _helpless(scene: Scene, key: str, contest: Contest, share: Share) -> Outcome:
    """What comes of it where somebody has gone down since: implicit 1s stand for them.

    Source: SWIM-COMB-08 (SWIM-R48).
    """
    struck = settle_helpless(scene, key, contest, share)
    attacker = scene.character(contest.attacker).name
    return Outcome(
        scene=struck.scene,
        headline=f"can do nothing against {attacker}",
        verdict=_defended(struck.verdict),
        notes=struck.notes,
        follow_ups=struck.follow_ups,
    )


def _defended(verdict: Verdict) -> Verdict:
    """The same news from the side of whoever defends."""
    turned = {Family.SUCCESS: Family.FAILURE, Family.FAILURE: Family.SUCCESS}
    return Verdict(turned.get(verdict.family, verdict.family), verdict.title)


def _kept_reserve(scene: Scene, actor: Character) -> object:
    reserve = sheet_of(actor).states.reserve
    return None if reserve is not None and reserve.kind is ReserveKind.DEFENCE else reserve


def _grown(
    scene: Scene,
    contest: Contest,
    skill: SkillKey,
    inputs: DefenceInputs,
    stopped: Stopped,
    options: DefendOptions,
) -> tuple[Scene, tuple[str, ...]]:
    """Let the defence advance its skill.

    Source: SWIM-ADV-03 (SWIM-R24).
    """
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


def decline(scene: Scene, options: DeclineOptions, _dice: Dice) -> Outcome:
    """Do not oppose: every die that meets the difficulty gets through.

    Source: SWIM-OPP-05 (SWIM-R19).
    """
    key, contest, share = _open_contest(scene, options.contest)
    struck = settle(scene, key, contest, undefended(contest, share))
    return Outcome(
        scene=struck.scene,
        headline=f"does not oppose {scene.character(contest.attacker).name}",
        verdict=_defended(struck.verdict),
        notes=struck.notes,
        follow_ups=struck.follow_ups,
    )


DEFENCE_PROCEDURES = (
    Procedure(key="defend", options=DefendOptions, run=defend),
    Procedure(key="decline", options=DeclineOptions, run=decline),
)
