"""Defend against an opposed roll, or decline to."""

from bot.rules.kernel import Family, Verdict, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.facts import holds
from bot.rules.swim_class.character.breakage import wear
from bot.rules.swim_class.character.implements import SwimRole
from bot.rules.swim_class.character.roll_modifiers import gear_for
from bot.rules.swim_class.character.sheet import Outcome, Scene, book, rank_of, with_states
from bot.rules.swim_class.character.skill_growth import Earned, Scored, advances, grow
from bot.rules.swim_class.character.skills import parent_of
from bot.rules.swim_class.checks.unopposed_roll import after_criticals
from bot.rules.swim_class.checks.waiting_rolls import ContestShare, Effect, SwimContest, awaiting
from bot.rules.swim_class.damage.mishaps import Mishap, critical_note
from bot.rules.swim_class.opposed.defenses import (
    DeclineOptions,
    SwimDefendOptions,
    best_first,
    defence_inputs,
    held_for,
    is_helpless,
    legal_defences,
)
from bot.rules.swim_class.opposed.settling import settle, settle_helpless, settled, undefended
from bot.rules.swim_class.resolution.opposition import (
    DefenceInputs,
    Stopped,
    could_fail_defending,
    judge_defence,
    roll_defence,
)
from bot.rules.swim_class.resolution.pools import Source
from bot.rules.swim_class.resolution.tables import WHEEL, Defends, SkillKey


def _open_contest(scene: Scene, key: str) -> tuple[str, SwimContest, ContestShare]:
    who = scene.actor.id
    key = key or next(iter(awaiting(scene, who)), "")
    contest = scene.document(key) if key else None
    share = contest.share(who) if isinstance(contest, SwimContest) else None
    if not isinstance(contest, SwimContest) or share is None:
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


def defend(scene: Scene, options: SwimDefendOptions, dice: Dice) -> Outcome:
    """Defend against an opposed roll: each die stops one of its value or less.

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
    )


declare("defend", SwimDefendOptions, defend)


def _helpless(scene: Scene, key: str, contest: SwimContest, share: ContestShare) -> Outcome:
    """Settle an attack on a character who has gone down since: only implicit 1s defend.

    Source: SWIM-COMB-08 (SWIM-R48).
    """
    struck = settle_helpless(scene, key, contest, share)
    attacker = scene.character(contest.attacker).name
    return Outcome(
        scene=struck.scene,
        headline=f"can't defend against {attacker}",
        verdict=_defended(struck.scene, contest, struck.verdict),
        notes=struck.notes,
        follow_ups=struck.follow_ups,
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
    """Let a defense advance its skill.

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
        headline=f"doesn't oppose {scene.character(contest.attacker).name}",
        verdict=_defended(struck.scene, contest, struck.verdict),
        notes=struck.notes,
        follow_ups=struck.follow_ups,
    )


declare("decline", DeclineOptions, decline)
