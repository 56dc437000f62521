"""Casting spells and using abilities in a fight, and the menu of both."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from bot.rules.kernel import CharacterId, Choice, Document, FollowUp, evolve, procedure
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import MOST_CHOICE_LABEL, counted, label_with
from bot.rules.rpj.casting import (
    RpjCastOptions,
    about,
    assert_able,
    cast_spell,
    chosen_way,
    slot_note,
    slot_spent,
)
from bot.rules.rpj.character.casters import casting_of, known_spells, spell_named, ways_to_cast
from bot.rules.rpj.character.damage_saves import Strike
from bot.rules.rpj.character.sheet import Outcome, Scene, Stats, figure_in
from bot.rules.rpj.combat.combatant import Brew, RpjCombatant, fighter_id
from bot.rules.rpj.combat.commands.turn_commands import active_fighter, begun_stage, someone
from bot.rules.rpj.combat.engine.attack_steps import RpjPendingAttack
from bot.rules.rpj.combat.engine.damage_steps import assert_may_attack
from bot.rules.rpj.combat.engine.magic_steps import (
    Harm,
    Touch,
    Wield,
    Withstand,
    assert_reached,
    assert_spell_reaches,
    guarded,
    taken_in,
    warded,
    withstanding,
)
from bot.rules.rpj.combat.engine.moves import Trigger, provoked
from bot.rules.rpj.combat.engine.stack import attack_chance, go_on, outcome
from bot.rules.rpj.combat.rules.attacks import RpjAim, assert_target
from bot.rules.rpj.combat.rules.combatants import SPELL_ARM, spell_arm
from bot.rules.rpj.combat.rules.turns import Stage, full_task
from bot.rules.rpj.known_spells import higher_slot, question
from bot.rules.rpj.module.abilities import Ability, Concentration, Reach
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import require
from bot.rules.rpj.module.spells import Mage, RpjSpell, slot_word
from bot.rules.rpj.resolution.check import chance_words, check_odds
from bot.rules.rpj.wild_magic import (
    RpjUseOptions,
    Wielded,
    abilities_of,
    ability_inputs,
    ability_named,
    attempt_paid,
    recipe_notes,
    stamina_notes,
    strain_button,
    use,
    use_named,
)

GO_ON = "go on"


class ConjureOptions(Document):
    """The options of the magic menu."""

    aim: str = ""  # "spell", "ability" or "go on", then which one, then whom it concerns, with | between


@procedure("cast", can_repeat=True)
def cast(scene: Scene, options: RpjCastOptions, dice: Dice) -> Outcome:
    """Cast a spell, in a fight or outside; a level 0 spell asks before it uses up a higher slot.

    [RPJ-SMAG-03 (SMAG-03b), RPJ-SMAG-06 (SMAG-06a), RPJ-SMAG-07, RPJ-SMAG-18]
    """
    require(scene, Pack.STRUCTURED_MAGIC)
    if active_fighter(scene) is None:
        assert_able(figure_in(scene, scene.actor), scene.actor.name)
        return question(scene, options) or cast_spell(scene, options, dice)
    stage = begun_stage(scene)
    spell = spell_named(figure_in(scene, scene.actor), options.spell)
    targets = _targets(stage, options.target, options.at)
    _assert_castable(stage, spell, options.slot, targets)
    asked = question(scene, options)
    if asked is not None:
        return asked
    brew = Brew(name=spell.name, of=max(spell.minutes, 1), round=stage.fight.round, spell=spell.id)
    brew = evolve(brew, slot=options.slot, targets=targets)
    if spell.minutes:
        return _concentrated(stage, brew, dice)
    who = stage.battle[fighter_id(scene.actor.id)].fighter.id
    if spell.is_attack:
        assert_may_attack(stage.battle, who)
    stage.battle.assert_free(who)
    flags = {"has_attacked": True} if spell.is_attack else {}
    return _cast(stage.with_battle(stage.battle.spent(who, spell.actions, **flags)), brew, dice)


@procedure("use_ability", can_repeat=True)
def use_ability(scene: Scene, options: RpjUseOptions, dice: Dice) -> Outcome:
    """Use a saved ability, in a fight or outside. [RPJ-WMAG-14, RPJ-WMAG-15, RPJ-WMAG-18, RPJ-WMAG-20]"""
    if active_fighter(scene) is None:
        return use_named(scene, options, dice)
    require(scene, Pack.WILD_MAGIC)
    ability = ability_named(figure_in(scene, scene.actor), options.ability)
    targets = _targets(begun_stage(scene), options.target, options.at)
    return _wielded(scene, ability, targets, dice, unwilling=options.unwilling)


def use_made_up(scene: Scene, wielded: Wielded, dice: Dice) -> Outcome:
    """Use a newly built ability, in a fight or outside. [RPJ-WMAG-14, RPJ-WMAG-20]"""
    if active_fighter(scene) is None:
        return use(scene, wielded, dice)
    require(scene, Pack.WILD_MAGIC)
    targets = _targets(begun_stage(scene), wielded.target, "")
    return _wielded(scene, wielded.ability, targets, dice)


@procedure("fight.magic", can_repeat=True)
def conjure(scene: Scene, options: ConjureOptions, dice: Dice) -> Outcome:
    """Cast, use an ability, or continue long magic, as chosen from the turn's menu.

    [RPJ-SMAG-03, RPJ-WMAG-14]
    """
    kind, _bar, rest = options.aim.partition("|")
    name, _bar, target = rest.rpartition("|")
    if kind == GO_ON:
        return _gone_on(scene, dice)
    if kind == "spell":
        return cast(scene, RpjCastOptions(spell=name, at=target), dice)
    if kind == "ability":
        return use_ability(scene, RpjUseOptions(ability=name, at=target), dice)
    raise UserError("Which spell or ability?", try_this="Choose from the menu of your turn.")


def _targets(stage: Stage, target: CharacterId | None, typed: str) -> tuple[str, ...]:
    """The targets of magic, by their ids in the fight."""
    named = [someone(stage, part.strip()).id for part in typed.split(",") if part.strip()]
    if target is not None:
        own = fighter_id(target)
        if all(one.id != own for one in stage.fight.present):
            name = stage.scene.character(target).name
            raise UserError(f"{name} isn't in the fight.", try_this="Press Join on its board.")
        named.insert(0, own)
    return tuple(dict.fromkeys(named))


# --- spells --------------------------------------------------------------------------------------


def _assert_castable(stage: Stage, spell: RpjSpell, slot: int | None, targets: Sequence[str]) -> None:
    """Refuse a spell that cannot be cast, before anything is spent."""
    who = fighter_id(stage.scene.actor.id)
    stage.battle.assert_turn(who)
    figure = figure_in(stage.scene, stage.scene.actor)
    assert_able(figure, stage.scene.actor.name)
    _place, mage = chosen_way(figure, casting_of(figure), spell, slot)
    if not spell.is_attack:
        for target in targets:
            assert_spell_reaches(stage.battle, who, target, spell)
        return
    if len(targets) != 1:
        raise UserError(f"{spell.name} needs a target.", "This needs exactly one target.", "Choose one.")
    arm = spell_arm(stage.battle[who].figure, _arm_id(spell, mage))
    assert_target(stage.battle, RpjAim(attacker=who, target=targets[0], arm=arm))


def _arm_id(spell: RpjSpell, mage: Mage) -> str:
    return f"{SPELL_ARM}{spell.id}/{mage.effective}"


def _cast(stage: Stage, brew: Brew, dice: Dice) -> Outcome:
    """Spend the slot and start the spell's effect. [RPJ-SMAG-03, RPJ-SMAG-06, RPJ-SMAG-07, RPJ-SMAG-18]"""
    actor = stage.scene.actor
    who, figure = fighter_id(actor.id), figure_in(stage.scene, actor)
    spell = spell_named(figure, brew.spell)
    casting = casting_of(figure)
    place, mage = chosen_way(figure, casting, spell, brew.slot)
    slot = casting.slots[place]
    stage = stage.in_scene(slot_spent(stage.scene, actor.id, casting, place))
    stage = stage.noted(slot_note(slot.level, slot.origin, figure.module.magic.word), *about(spell))
    if spell.is_attack:
        arm_id = _arm_id(spell, mage)
        stage = stage.pushed(RpjPendingAttack(attacker=who, target=brew.targets[0], weapon=arm_id))
        stage = warded(stage, who, brew.targets[0], spell.magic_skill, spell.name)
        if spell_arm(figure, arm_id).is_ranged:
            stage = provoked(stage, who, Trigger.SHOOTING)
    else:
        effects = [_effect(who, target, spell, mage) for target in brew.targets]
        stage = guarded(stage, who, spell.magic_skill, spell.name, *effects)
    return outcome(go_on(stage, dice), f"casts {spell.name}{_at(stage, who, brew.targets)}")


def _effect(who: str, target: str, spell: RpjSpell, mage: Mage) -> Harm | Withstand:
    strike = None
    if spell.damage is not None:
        strike = Strike(damage=spell.damage, is_nonlethal=spell.is_nonlethal, scale=spell.scale)
    if spell.save is None:
        return Harm(target=target, strike=strike)
    return Withstand(
        caster=who,
        target=target,
        name=spell.name,
        attribute=spell.save.attribute,
        base=mage.base,
        strike=strike,
        on_success=spell.save.on_success,
    )


def _at(stage: Stage, who: str, targets: Sequence[str]) -> str:
    names = [stage.fight.fighter(one).name for one in targets if one != who]
    return f" at {', '.join(names)}" if names else ""


# --- abilities -----------------------------------------------------------------------------------


def _wielded(
    scene: Scene, ability: Ability, targets: tuple[str, ...], dice: Dice, *, unwilling: bool = False
) -> Outcome:
    """Pay the actions of an ability and use it."""
    stage = begun_stage(scene)
    who, recipe = fighter_id(scene.actor.id), ability.recipe
    stage.battle.assert_turn(who)
    stage.battle.assert_free(who)
    targets = taken_in(stage.fight, who, recipe, targets)
    for target in targets[:1]:
        assert_reached(stage.battle, who, target, recipe.reach)
    attempt_paid(scene, scene.actor, ability)
    brew = Brew(
        name=ability.name,
        of=max(recipe.concentration.rounds, 1),
        round=stage.fight.round,
        ability=ability,
        targets=targets,
        unwilling=unwilling,
    )
    if recipe.concentration.rounds:
        return _concentrated(stage, brew, dice)
    actions = 0 if recipe.concentration is Concentration.INSTANT else 1
    return _use(stage.with_battle(stage.battle.spent(who, actions)), brew, ability, dice)


def _use(stage: Stage, brew: Brew, ability: Ability, dice: Dice) -> Outcome:
    """Spend the stamina, touch unwilling targets, and roll.

    [RPJ-WMAG-02, RPJ-WMAG-07, RPJ-WMAG-08, RPJ-WMAG-18 (WMAG-18c)]
    """
    actor, who = stage.scene.actor, fighter_id(stage.scene.actor.id)
    before = stage.scene
    stage = stage.in_scene(attempt_paid(before, actor, ability))
    stage = stage.noted(*recipe_notes(ability)[:1], *stamina_notes(before, stage.scene, actor))
    stage = stage.pushed(Wield(actor=who, ability=ability, targets=brew.targets))
    if ability.recipe.reach is Reach.TOUCH and brew.targets:
        target = stage.fight.fighter(brew.targets[0])
        if brew.unwilling or target.side is not stage.fight.fighter(who).side:
            stage = stage.pushed(Touch(actor=who, target=target.id))
    stage = replace(stage, buttons=(*strain_button(stage.scene, actor.id), *stage.buttons))
    return outcome(go_on(stage, dice), f"uses {ability.name}{_at(stage, who, brew.targets)}")


# --- minutes -------------------------------------------------------------------------------------


def _concentrated(stage: Stage, brew: Brew, dice: Dice) -> Outcome:
    """Spend a whole turn on magic that takes minutes; the last one completes it.

    [RPJ-WMAG-14 (WMAG-14b), RPJ-GCS-13]
    """
    who = fighter_id(stage.scene.actor.id)
    battle = full_task(stage.battle, who)
    if brew.done >= brew.of:
        stage = stage.with_battle(battle.changed(who, brewing=None))
        return _cast(stage, brew, dice) if brew.ability is None else _use(stage, brew, brew.ability, dice)
    stage = stage.with_battle(battle.changed(who, brewing=brew))
    note = f"Round {brew.done} of {brew.of}; any attack breaks it."
    return outcome(stage.noted(note), f"concentrates on {brew.name}")


def brewing_of(stage: Stage, who: str) -> Brew | None:
    """The long magic a combatant can continue this turn, or None."""
    brew = stage.fight.fighter(who).brewing
    return brew if brew is not None and brew.round == stage.fight.round - 1 else None


def _gone_on(scene: Scene, dice: Dice) -> Outcome:
    """Continue magic that takes minutes. [RPJ-WMAG-14 (WMAG-14b)]"""
    if active_fighter(scene) is None:
        raise UserError("There is nothing to continue.")
    stage = begun_stage(scene)
    brew = brewing_of(stage, fighter_id(scene.actor.id))
    if brew is None:
        raise UserError("There is nothing to continue.", "It was interrupted: start again.")
    further = {"done": brew.done + 1, "round": stage.fight.round}
    return _concentrated(stage, evolve(brew, **further), dice)


MOST = 25


def magic_menu(stage: Stage, fighter: RpjCombatant, who: CharacterId) -> Iterator[FollowUp]:
    """The menu of all magic possible now; empty where there is none.

    [RPJ-SMAG-03, RPJ-WMAG-02, RPJ-WMAG-14]
    """
    found = [*_going_on(stage, fighter), *_spells(stage, fighter, who), *_abilities(stage, fighter, who)]
    if found:
        yield FollowUp(
            procedure="fight.magic",
            options=ConjureOptions(),
            label="Magic …",
            character=who,
            choices=tuple(found[:MOST]),
            chosen="aim",
        )


def _going_on(stage: Stage, fighter: RpjCombatant) -> Iterator[Choice]:
    brew = brewing_of(stage, fighter.id)
    if brew is not None and fighter.turn.is_untouched:
        yield Choice(f"{GO_ON}||", f"Continue {brew.name} · round {brew.done + 1} of {brew.of}"[:100])


def _cost(actions: int, minutes: int) -> str:
    if minutes:
        return "the whole turn" if minutes == 1 else f"{minutes} whole turns"
    return counted(actions, "action") if actions else "no action"


def _foes(stage: Stage, fighter: RpjCombatant) -> Iterator[RpjCombatant]:
    """Opponents in action."""
    return (one for one in stage.fight.opponents(fighter) if stage.battle.of(one).is_able)


# --- spells --------------------------------------------------------------------------------------


def _spells(stage: Stage, fighter: RpjCombatant, who: CharacterId) -> Iterator[Choice]:
    figure = figure_in(stage.scene, stage.scene.character(who))
    if not figure.plays(Pack.STRUCTURED_MAGIC):
        return
    casting, later = casting_of(figure), []
    for spell in known_spells(figure):
        ways = ways_to_cast(figure, casting, spell)
        has_time = fighter.has_a_minute if spell.minutes else spell.actions <= fighter.turn.actions
        if not ways or not has_time:
            continue
        cost = _cost(spell.actions, spell.minutes)
        higher = higher_slot(figure, spell, None)
        cost += "" if higher is None else f" · {slot_word(higher.level, figure.module.magic.word)}"
        if not spell.is_attack and spell.save is None and spell.damage is None:
            later.append(Choice(f"spell|{spell.id}|", f"{spell.name} · {cost}"[:100]))
            continue
        for foe in _foes(stage, fighter):
            odds = _spell_odds(stage, fighter, foe, spell, ways[0][1])
            if odds is not None:
                words = f" · {spell.name} · {cost}{odds}"
                label = label_with(foe.name, words, longest=MOST_CHOICE_LABEL)
                yield Choice(f"spell|{spell.id}|{foe.id}", label)
    yield from later


def _spell_odds(
    stage: Stage, fighter: RpjCombatant, foe: RpjCombatant, spell: RpjSpell, mage: Mage
) -> str | None:
    """The chance that a spell affects a target; None where it can't be cast at them."""
    battle = stage.battle
    try:
        if spell.is_attack:
            assert_may_attack(battle, fighter.id)
            arm = spell_arm(battle.of(fighter).figure, f"{SPELL_ARM}{spell.id}/{mage.effective}")
            aim = RpjAim(attacker=fighter.id, target=foe.id, arm=arm)
            assert_target(battle, aim)
            return f" · {attack_chance(battle, aim)}"
        assert_spell_reaches(battle, fighter.id, foe.id, spell)
    except UserError:
        return None
    if spell.save is None:
        return ""
    asked = Withstand(
        caster=fighter.id, target=foe.id, name=spell.name, attribute=spell.save.attribute, base=mage.base
    )
    held = check_odds(withstanding(battle, asked)).enough or Fraction(0)
    return f" · {percent(1 - held)}"


# --- abilities -----------------------------------------------------------------------------------


def _abilities(stage: Stage, fighter: RpjCombatant, who: CharacterId) -> Iterator[Choice]:
    figure = figure_in(stage.scene, stage.scene.character(who))
    if not figure.plays(Pack.WILD_MAGIC) or figure.sheet.wild.is_strained:
        return
    for ability in abilities_of(figure):
        rounds, actions = ability.recipe.concentration.rounds, _actions(ability)
        has_time = fighter.has_a_minute if rounds else actions <= fighter.turn.actions
        if not has_time:
            continue
        cost = f"{_cost(actions, rounds)}, {ability.cost} stamina · {_ability_odds(figure, ability)}"
        if ability.recipe.damage is None:
            label = label_with(ability.name, f" · {cost}", longest=MOST_CHOICE_LABEL)
            yield Choice(f"ability|{ability.name}|", label)
            continue
        for foe in _foes(stage, fighter):
            try:
                assert_reached(stage.battle, fighter.id, foe.id, ability.recipe.reach)
            except UserError:
                continue
            label = label_with(foe.name, f" · {ability.name} · {cost}", longest=MOST_CHOICE_LABEL)
            yield Choice(f"ability|{ability.name}|{foe.id}", label)


def _actions(ability: Ability) -> int:
    return 0 if ability.recipe.concentration.value == "instant" else 1


def _ability_odds(figure: Stats, ability: Ability) -> str:
    return chance_words(ability_inputs(figure, figure.known_skill(ability.skill), ability.cost))
