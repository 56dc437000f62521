"""The effects of conditions at the end of turns in a fight."""

from collections.abc import Sequence
from dataclasses import replace

from bot.rules.kernel import CharacterId, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.conditions_on_sheet import suffered_by, with_suffered
from bot.rules.rpj.character.damage_saves import Strike
from bot.rules.rpj.combat.engine.damage_steps import Saving
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.combatant import RpjCombatant, fighter_id
from bot.rules.rpj.conditions.condition_ticks import (
    RepeatedDamage,
    damage_note,
    fallen,
    save_buttons,
    time_passes,
)
from bot.rules.rpj.module.active_condition import MINUTE_SECONDS
from bot.rules.rpj.module.optional_rules import Pack


def turns_suffered(stage: Stage, fighters: Sequence[RpjCombatant], dice: Dice) -> Stage:
    """The stage after turns have ended and conditions have applied a minute's effects.

    Source: RPJ-COND-03 (COND-03b).
    """
    for fighter in fighters:
        if fighter.character is not None and fighter.mook is None:
            stage = _turn_suffered(stage, fighter.character, dice)
    return stage


def _turn_suffered(stage: Stage, who: CharacterId, dice: Dice) -> Stage:
    character, id_ = stage.scene.character(who), fighter_id(who)
    has_any = bool(suffered_by(character)) and stage.battle[id_].figure.plays(Pack.CONDITIONS)
    if not has_any:
        return stage
    health = stage.battle[id_].health
    now = replace(character, sheet=evolve(character.sheet, health=health))
    until = {
        one.condition.name: one.told_until + MINUTE_SECONDS
        for one in suffered_by(character)
        if not one.is_fresh
    }
    passed = time_passes(now, until)
    settled = tuple(evolve(one, is_fresh=False) for one in passed.suffered)
    stage = stage.in_scene(with_suffered(stage.scene, who, settled)).noted(*passed.notes)
    if passed.out is not None:
        stage = stage.with_health(id_, fallen(health, passed.out))
    return _struck(stage, who, passed.blows, dice)


def _struck(stage: Stage, who: CharacterId, blows: Sequence[RepeatedDamage], dice: Dice) -> Stage:
    """NPCs roll their saves at once; players get a button."""
    character, id_ = stage.scene.character(who), fighter_id(who)
    stage = stage.noted(*(damage_note(blow, character.name) for blow in blows))
    if character.owner is not None:
        buttons = save_buttons(stage.scene, who, blows, in_combat=True)
        return replace(stage, buttons=(*stage.buttons, *buttons))
    for blow in blows:
        strike = Strike(damage=blow.tick.damage or 0, scale=blow.tick.scale, bypasses=blow.tick.bypasses)
        stage = Saving(target=id_, strikes=(strike,) * blow.times).run(stage, dice)
    return stage
