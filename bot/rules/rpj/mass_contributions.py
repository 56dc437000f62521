"""What characters do in a mass battle: command a side, contribute, and choose where degrees count."""

from collections.abc import Callable
from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Document, FollowUp, Roll, answer_in, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.damage_saves import Strike, next_save, without_save
from bot.rules.rpj.character.incapacity import assert_can, assert_in_action, needs_of, with_health
from bot.rules.rpj.character.sheet import Noted, Outcome, Scene, Stats, figure_in
from bot.rules.rpj.checks.after_a_check import OwnRoll, is_open
from bot.rules.rpj.checks.skill_checks import skill_check, skill_named
from bot.rules.rpj.combat.fight import FIGHTS_KEPT
from bot.rules.rpj.combat.rules.shooting import supplied, with_ammunition
from bot.rules.rpj.mass_battle import Mode, assert_may_contribute, command_check, contribution_check
from bot.rules.rpj.mass_commands import Deed, MassRound, open_round, with_round
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.module import Module, Pack, RpjSkill, SkillRole
from bot.rules.rpj.module.settings import require
from bot.rules.rpj.resolution.check import RpjReading, reading_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs

COMBAT_ROLES = (SkillRole.ATTACK, SkillRole.COMBAT)
SHARE = "share"


class ContributionOptions(Document):
    """The options of a check in a battle."""

    skill: str = Field(default="", max_length=100)  # the skill; by default the best suitable one
    side: str = Field(default="", max_length=60)  # the side; by default the players'
    rolled: RpjCheckInputs | None = None  # a roll made before, or None


class ShareOptions(Document):
    """The options of choosing where degrees count: for your side, or against the enemy."""

    to_enemy: bool


def commanding_skills(module: Module) -> tuple[RpjSkill, ...]:
    """The skills for commanding sides."""
    return module.skills_for(SkillRole.COMMAND)


def fighting_skills(module: Module) -> tuple[RpjSkill, ...]:
    """The skills that count as combat skills without the GM's approval."""
    return tuple(skill for skill in module.skills if set(skill.roles) & set(COMBAT_ROLES))


def _skill(figure: Stats, typed: str, usual: tuple[RpjSkill, ...]) -> RpjSkill:
    if typed:
        return skill_named(figure.module, typed)
    best = max(usual, key=figure.effective_level, default=None)
    if best is None:
        raise UserError("Choose a skill.")
    return best


def _place(battle_round: MassRound, side: str) -> int:
    return battle_round.battle.place(side) if side else 0


# --- whose skill counts --------------------------------------------------------------------------


@procedure("mass.command")
def command(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Command a side, once per round; an unusual skill needs the GM's approval. [RPJ-MASS-06]"""
    return _asked(scene, options, dice, usual=commanding_skills, deed="command")


@procedure("mass.contribute")
def contribute(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Fight for a side, once per round; a skill that is no combat skill needs the GM's approval.

    [RPJ-MASS-09]
    """
    return _asked(scene, options, dice, usual=fighting_skills, deed="contribute")


def _asked(
    scene: Scene,
    options: ContributionOptions,
    dice: Dice,
    *,
    usual: Callable[[Module], tuple[RpjSkill, ...]],
    deed: str,
) -> Outcome:
    require(scene, Pack.MASS_COMBAT)
    figure = figure_in(scene, scene.actor)
    skill = _skill(figure, options.skill, usual(figure.module))
    named = evolve(options, skill=skill.id)
    rolls = _commanded if deed == "command" else _contributed
    if skill in usual(figure.module) or options.rolled is not None:
        return rolls(scene, named, dice)
    battle_round = open_round(scene)
    _place(battle_round, options.side)
    button = FollowUp(
        procedure=f"mass.let_{deed}",
        options=named,
        label=f"Allow {skill.name} (GM)",
        audience=Audience.GM,
        character=scene.actor.id,
        group=deed,
        deal=_round_words(battle_round),
        is_owed=True,
    )
    return Outcome(scene=scene, headline=f"wants to {deed} with {skill.name}", follow_ups=(button,))


def _round_words(battle_round: MassRound) -> str:
    """The round the GM is asked about."""
    battle = battle_round.battle
    return f"round {battle.round} of {' against '.join(side.name for side in battle.sides)}"


@procedure("mass.let_command", gm_only=True)
def let_command(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Allow commanding with an unusual skill, in the round it was asked for."""
    require(scene, Pack.MASS_COMBAT)
    deal = _round_words(open_round(scene))
    return replace(_commanded(scene, options, dice), deal=deal)


@procedure("mass.let_contribute", gm_only=True)
def let_contribute(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Allow contributing with an unusual skill, in the round it was asked for."""
    require(scene, Pack.MASS_COMBAT)
    deal = _round_words(open_round(scene))
    return replace(_contributed(scene, options, dice), deal=deal)


# --- the checks ----------------------------------------------------------------------------------


def _own(scene: Scene, options: ContributionOptions, procedure: str) -> OwnRoll:
    return OwnRoll(
        procedure=procedure,
        options=lambda rolled: evolve(options, rolled=rolled),
        roller=scene.actor.id,
        improves=True,
    )


def _degrees(roll: Roll) -> int | None:
    reading: RpjReading = reading_of(roll)
    return reading.degrees


def _commanded(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Roll a command check. [RPJ-MASS-06 (MASS-06a, MASS-06b), RPJ-MASS-12 (MASS-12b)]"""
    battle_round, actor = open_round(scene), scene.actor
    figure = figure_in(scene, actor)
    skill, place = skill_named(figure.module, options.skill), _place(battle_round, options.side)
    side = battle_round.battle.sides[place]
    if battle_round.command(place) is not None and options.rolled is None:
        raise UserError(f"{side.name} have already had a command check this round.")
    assert_in_action(actor.name, figure.sheet.health, "act in this battle")
    assert_can(figure, *needs_of(skill.tags))
    plain = skill_check(figure, skill)
    own = _own(scene, options, "mass.command")
    inputs = options.rolled or command_check(plain.terms, plain.criticals)
    paid, roll = own.thrown(scene, inputs, dice)
    outcome = Outcome(
        scene=paid,
        paid=paid,
        headline=f"commands {side.name} with {skill.name}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=own.notes(paid, roll),
        follow_ups=own.buttons(paid, roll),
        skill=skill.name,
    )
    deed = _noted(scene, outcome, place, _degrees(roll))
    return replace(outcome, scene=with_round(paid, battle_round.with_command(deed)))


def _noted(scene: Scene, outcome: Outcome, place: int, degrees: int | None) -> Deed:
    answer = answer_in(Noted(scene=scene, outcome=outcome, actor=scene.actor.id), None)
    if answer is None:  # somebody acts, and has rolled
        raise LookupError("a deed without a roll")
    return Deed(who=scene.actor.id, place=place, answer=answer, degrees=degrees)


def _contributed(scene: Scene, options: ContributionOptions, dice: Dice) -> Outcome:
    """Roll a contribution check: degrees help, a failure costs a save without a roll.

    [RPJ-MASS-09, RPJ-MASS-10, RPJ-MASS-11 (MASS-11a, MASS-11b), RPJ-MASS-19 (MASS-19a)]
    """
    battle_round, actor = open_round(scene), scene.actor
    figure = figure_in(scene, actor)
    skill, place = skill_named(figure.module, options.skill), _place(battle_round, options.side)
    assert_in_action(actor.name, figure.sheet.health, "act in this battle")
    assert_can(figure, *needs_of(skill.tags))
    if options.rolled is None:
        assert_may_contribute(battle_round.standing, actor.id)
        _assert_no_turns(scene, battle_round, actor.id)
        scene = _with_shots(scene, figure, skill)
    plain = skill_check(figure, skill)
    own = _own(scene, options, "mass.contribute")
    standing = battle_round.standing
    inputs = options.rolled or contribution_check(standing, place, plain.terms, plain.criticals)
    paid, roll = own.thrown(scene, inputs, dice)
    degrees = _degrees(roll)
    after, lost = (paid, ()) if degrees is not None or is_open(roll) else _struck(paid, actor.id)
    outcome = Outcome(
        scene=after,
        paid=paid,
        headline=f"fights for {battle_round.battle.sides[place].name} with {skill.name}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(*lost, *own.notes(paid, roll)),
        follow_ups=(*_shares(battle_round, actor.id, place, degrees), *own.buttons(paid, roll)),
        skill=skill.name,
    )
    deed = _noted(scene, outcome, place, degrees)
    return replace(outcome, scene=with_round(after, battle_round.with_contribution(deed)))


def _assert_no_turns(scene: Scene, battle_round: MassRound, who: CharacterId) -> None:
    """Refuse a contribution by a character who takes turns in the fight alongside the battle.

    [RPJ-MASS-19 (MASS-19a)]
    """
    fight = FIGHTS_KEPT.find(scene)
    is_beside = battle_round.battle.mode is Mode.INTEGRATED and fight is not None and fight.has_begun
    if is_beside and fight is not None and fight.combatant(who) is not None:
        raise UserError("You take turns in the fight, so you can't contribute to the battle too.")


def _struck(scene: Scene, who: CharacterId) -> tuple[Scene, tuple[str, ...]]:
    """The scene after a character loses their next save without a roll. [RPJ-MASS-11 (MASS-11a)]"""
    character = scene.character(who)
    figure = figure_in(scene, character)
    spot = next_save(figure, Strike())
    if spot is None:
        return scene, ()
    health, _breaks = without_save(figure, spot, Strike())
    out = f" {character.name} is {health.out}." if health.out is not Out.NO else ""
    text = f"{character.name} loses a {spot.layer.name} save ({spot.target}+) without a roll.{out}"
    return with_health(scene, character, health), (text,)


def _with_shots(scene: Scene, figure: Stats, skill: RpjSkill) -> Scene:
    """The scene after two attacks' worth of ammunition is spent, where the weapon needs any.

    [RPJ-MASS-11 (MASS-11b)]
    """
    found = next((one for one in supplied(figure) if one[0].skill == skill.id), None)
    if found is None:
        return scene
    weapon, magazine, had = found
    ready = had if had.loaded else had.reloaded(magazine.capacity)
    after = with_ammunition(figure, weapon.id, ready.spent_in_battle(weapon.name))
    actor = scene.actor
    ammunition = after.sheet.ammunition
    sheet = evolve(actor.sheet, ammunition=ammunition)
    return scene.with_sheet(actor, sheet)


def _shares(
    battle_round: MassRound, who: CharacterId, place: int, degrees: int | None
) -> tuple[FollowUp, ...]:
    """The buttons for the two ways a success can count. [RPJ-MASS-10 (MASS-10a)]"""
    if not degrees:
        return ()
    own, enemy = battle_round.battle.sides[place], battle_round.battle.sides[1 - place]
    labels = ((False, f"{own.name} +{degrees}"), (True, f"{enemy.name} −{degrees}"))
    return tuple(
        FollowUp(
            procedure="mass.share",
            options=ShareOptions(to_enemy=to_enemy),
            label=label,
            character=who,
            group=SHARE,
        )
        for to_enemy, label in labels
    )


@procedure("mass.share")
def share(scene: Scene, options: ShareOptions, _dice: Dice) -> Outcome:
    """Choose whether a success raises the own side or lowers the other. [RPJ-MASS-10 (MASS-10a)]

    Raises:
        UserError: If there is no success, or the choice is made.
    """
    require(scene, Pack.MASS_COMBAT)
    battle_round = open_round(scene)
    deed = battle_round.contribution(scene.actor.id)
    if deed is None or not deed.degrees:
        raise UserError("You have no success this round to use.")
    if deed.to_enemy is not None:
        raise UserError("You have already chosen where your success counts.")
    at = 1 - deed.place if options.to_enemy else deed.place
    name, sign = battle_round.battle.sides[at].name, "−" if options.to_enemy else "+"
    changed = evolve(deed, to_enemy=options.to_enemy)
    return Outcome(
        scene=with_round(scene, battle_round.with_contribution(changed)),
        headline=f"uses the success: {sign}{deed.degrees} for {name}",
    )
