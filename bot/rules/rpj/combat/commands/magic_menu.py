"""The magic of a turn as one menu, with costs and chances."""

from collections.abc import Iterator
from fractions import Fraction

from bot.rules.kernel import CharacterId, Choice, FollowUp
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.rpj.character.casters import casting_of, known_spells, ways_to_cast
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.combat.commands.magic_commands import GO_ON, ConjureOptions, brewing_of
from bot.rules.rpj.combat.engine.answers import attack_chance, chance
from bot.rules.rpj.combat.engine.magic_steps import Withstand, withstanding
from bot.rules.rpj.combat.rules.arms import SPELL_ARM, spell_arm
from bot.rules.rpj.combat.rules.attacks import RpjAim, assert_target
from bot.rules.rpj.combat.rules.helpless import assert_may_attack
from bot.rules.rpj.combat.rules.reaching import assert_reached, assert_spell_reaches
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.combatant import RpjCombatant
from bot.rules.rpj.magic.ability_users import abilities_of, ability_inputs
from bot.rules.rpj.magic.at_will import higher_slot
from bot.rules.rpj.module.abilities import Ability
from bot.rules.rpj.module.optional_rules import Pack
from bot.rules.rpj.module.slots import Mage
from bot.rules.rpj.module.spells import RpjSpell, slot_word
from bot.rules.rpj.resolution.check import check_odds

MOST = 25


def magic_menu(stage: Stage, fighter: RpjCombatant, who: CharacterId) -> Iterator[FollowUp]:
    """The menu of all magic possible now; empty where there is none.

    Source: RPJ-SMAG-03, RPJ-WMAG-02, RPJ-WMAG-14.
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
    return "1 action" if actions == 1 else f"{actions} actions" if actions else "no action"


def _foes(stage: Stage, fighter: RpjCombatant) -> Iterator[RpjCombatant]:
    """Opponents in action; only one of equal mooks in a group."""
    seen = set()
    for one in stage.fight.present:
        kind = (one.mook, one.group) if one.mook is not None else one.id
        if one.side is not fighter.side and not one.is_hidden and kind not in seen:
            seen.add(kind)
            if stage.battle.of(one).is_able:
                yield one


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
                label = f"{foe.name} · {spell.name} · {cost}{odds}"
                yield Choice(f"spell|{spell.id}|{foe.id}", label[:100])
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
            yield Choice(f"ability|{ability.name}|", f"{ability.name} · {cost}"[:100])
            continue
        for foe in _foes(stage, fighter):
            try:
                assert_reached(stage.battle, fighter.id, foe.id, ability.recipe.reach)
            except UserError:
                continue
            yield Choice(f"ability|{ability.name}|{foe.id}", f"{foe.name} · {ability.name} · {cost}"[:100])


def _actions(ability: Ability) -> int:
    return 0 if ability.recipe.concentration.value == "instant" else 1


def _ability_odds(figure: Stats, ability: Ability) -> str:
    return chance(ability_inputs(figure, figure.known_skill(ability.skill), ability.cost))
