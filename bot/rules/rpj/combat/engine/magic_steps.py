"""Rolls of magic in a fight: touching, using an ability, resisting, saving throws."""

from dataclasses import replace

from bot.rules.kernel import Family, Verdict
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.carrying import tier_in
from bot.rules.rpj.character.casters import defense_against_magic, linked_level
from bot.rules.rpj.character.damage_saves import Strike
from bot.rules.rpj.combat.engine.luck_in_fights import offer_lucky_break, thrown
from bot.rules.rpj.combat.rules.attacks import targeted
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.pending_magic import Harm, Touch, Ward, Wield, Withstand
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.magic.ability_use import mishap_button
from bot.rules.rpj.magic.ability_users import ability_inputs
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.loads import forbids
from bot.rules.rpj.module.potency import spell_defense_roll, spell_save, touch_check
from bot.rules.rpj.resolution.check import reading_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs
from bot.rules.rpj.resolution.purposes import RpjPurpose


def touching(battle: Battle, step: Touch) -> RpjCheckInputs:
    """The check that touches somebody unwilling.

    Source: RPJ-WMAG-18 (WMAG-18a), RPJ-GCS-46 (R-110).
    """
    levels = battle[step.actor].dexterity, battle[step.target].dexterity
    return touch_check(*levels, battle.module.criticals)


def using(battle: Battle, step: Wield) -> RpjCheckInputs:
    """The check of an ability.

    Source: RPJ-WMAG-02.
    """
    figure = battle[step.actor].figure
    return ability_inputs(figure, figure.known_skill(step.ability.skill), step.ability.cost)


def resisting(battle: Battle, step: Ward) -> RpjCheckInputs:
    """The roll of somebody who resists magic.

    Source: RPJ-SMAG-18, RPJ-WMAG-05.
    """
    return spell_defense_roll(step.value, step.against, battle.module.criticals)


def withstanding(battle: Battle, step: Withstand) -> RpjCheckInputs:
    """A saving throw against a spell; a mook has the level that it has of Dexterity in everything.

    Source: RPJ-SMAG-07, RPJ-GCS-46 (R-110).
    """
    whom = battle[step.target]
    level = whom.figure.level(step.attribute, whom.now) if whom.sheeted else battle.rules.mook_dexterity
    return spell_save(step.attribute, level, step.base, battle.module.criticals)


def guarded(stage: Stage, caster: str, skill: str, name: str, *effects: Harm | Withstand) -> Stage:
    """The stage with what magic does to several to be done, each after their resistance.

    Source: RPJ-SMAG-18 (SMAG-18b), RPJ-WMAG-05, RPJ-WMAG-16 (WMAG-16b).
    """
    for effect in reversed(effects):
        stage = warded(stage.pushed(effect), caster, effect.target, skill, name)
    return stage


def warded(stage: Stage, caster: str, target: str, skill: str, name: str) -> Stage:
    """The stage with somebody's resistance before what comes next, if they resist magic at all.

    Source: RPJ-SMAG-18.
    """
    whom = stage.battle[target]
    value = None if whom.sheeted is None or target == caster else defense_against_magic(whom.figure)
    if value is None:
        return stage
    against = linked_level(stage.battle[caster].figure, skill)
    return stage.pushed(Ward(caster=caster, target=target, name=name, value=value, against=against))


def roll_touch(stage: Stage, step: Touch, dice: Dice, rolled: RpjCheckInputs | None) -> Stage:
    """Reach for somebody; a miss ends it there, and all is spent.

    Source: RPJ-WMAG-18 (WMAG-18b).
    """
    before = stage
    roll = thrown(touching(stage.battle, step), dice, rolled)
    stage = (
        stage.rolled(step.actor, roll)
        .concerning(step.target)
        .with_battle(targeted(stage.battle, step.target))
    )
    stage = offer_lucky_break(stage, before, step, roll, by=step.actor, against=step.target)
    if reading_of(roll).result.is_success:
        return stage
    return replace(stage.popped(), verdict=Verdict(Family.FAILURE, "not touched"))


def roll_wield(stage: Stage, step: Wield, dice: Dice, rolled: RpjCheckInputs | None) -> Stage:
    """Roll for an ability; it does what it does to everybody it takes in.

    Source: RPJ-WMAG-02, RPJ-WMAG-04, RPJ-WMAG-16 (WMAG-16b).
    """
    before, actor = stage, stage.battle[step.actor]
    if not actor.is_able:
        return stage.told(f"{actor.name}’s {step.ability.name} comes to nothing.")
    roll = thrown(using(stage.battle, step), dice, rolled)
    stage = stage.rolled(step.actor, roll, purpose=RpjPurpose.ABILITY, verdict=roll.verdict)
    stage = stage.concerning(*step.targets)
    against = step.targets[0] if step.targets else step.actor
    stage = offer_lucky_break(stage, before, step, roll, by=step.actor, against=against)
    if not reading_of(roll).result.is_success:
        character = stage.character(step.actor)
        return stage if character is None else _with_mishap(stage, step)
    damage = step.ability.recipe.damage
    strike = None if damage is None else Strike(damage=damage)
    harms = [Harm(target=one, strike=strike) for one in step.targets if stage.battle[one].is_able]
    return guarded(stage, step.actor, step.ability.skill, step.ability.name, *harms)


def _with_mishap(stage: Stage, step: Wield) -> Stage:
    character = stage.character(step.actor)
    buttons = () if character is None else (mishap_button(character.id),)
    return replace(stage, buttons=(*stage.buttons, *buttons))


def roll_ward(stage: Stage, step: Ward, dice: Dice, rolled: RpjCheckInputs | None) -> Stage:
    """Resist magic; where that works it does nothing to them.

    Source: RPJ-SMAG-18, RPJ-WMAG-05, RPJ-APPX-16.
    """
    before, whom = stage, stage.battle[step.target]
    roll = thrown(resisting(stage.battle, step), dice, rolled)
    resists = reading_of(roll).result.is_success
    verdict = Verdict(Family.SUCCESS, "resists") if resists else Verdict(Family.FAILURE, "not resisted")
    stage = stage.rolled(step.target, roll, purpose=RpjPurpose.RESISTANCE, verdict=verdict)
    stage = stage.concerning(step.target)
    stage = offer_lucky_break(stage, before, step, roll, by=step.target, against=step.target)
    return stage.popped().told(f"{whom.name} resists {step.name}.") if resists else stage


def roll_withstand(stage: Stage, step: Withstand, dice: Dice, rolled: RpjCheckInputs | None) -> Stage:
    """Roll a saving throw against a spell; under far too heavy a load it has failed without a roll.

    Source: RPJ-SMAG-07, RPJ-INV-04 (INV-04a).
    """
    before, whom = stage, stage.battle[step.target]
    failed = stage.pushed(Harm(target=step.target, strike=step.strike))
    if whom.sheeted and forbids(tier_in(whom.figure), RpjAttribute(step.attribute)):
        return failed.told(f"{whom.name} carries too much to save against {step.name}.")
    roll = thrown(withstanding(stage.battle, step), dice, rolled)
    saved = reading_of(roll).result.is_success
    verdict = Verdict(Family.SUCCESS, "saved") if saved else Verdict(Family.FAILURE, "not saved")
    stage = (stage if saved else failed).rolled(step.target, roll, verdict=verdict).concerning(step.target)
    stage = offer_lucky_break(stage, before, step, roll, by=step.target, against=step.target)
    told = step.on_success if saved else f"{step.name} takes hold of {whom.name}."
    return stage.told(told) if told else stage
