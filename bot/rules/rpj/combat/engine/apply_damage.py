"""What hits do in a fight besides rolled saves: mooks fall, critical hits cost, giga damage crushes."""

from dataclasses import replace

from bot.rules.rpj.character.damage_saves import Spot, Strike, is_unlimited, next_save, unrolled
from bot.rules.rpj.character.incapacity import as_npcs_go
from bot.rules.rpj.combat.rules.attacks import Hit, critical_loss, mook_felled
from bot.rules.rpj.combat.rules.combatants import FighterStats
from bot.rules.rpj.combat.rules.encounter import UnsavedDamage
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.damage.giga_damage import crushed_notes, survive_buttons
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.optional_rules import Pack
from bot.rules.rpj.module.scales import UPWARD, gap


def is_players(stage: Stage, id_: str) -> bool:
    """Whether somebody is a player's character."""
    who = stage.character(id_)
    return who is not None and who.owner is not None


def hurt(stage: Stage, target: str, health: RpjHealth) -> Stage:
    """Somebody's health after damage; who is put out is told, and the GM's own may live or die at once.

    Source: RPJ-GCS-32, RPJ-GCS-33 (R-090), RPJ-GCS-35.
    """
    whom = stage.battle[target]
    if not is_players(stage, target):
        health = as_npcs_go(health, stage.battle.rules)
    stage = stage.with_health(target, health)
    if health.out is not Out.NO and whom.is_able:
        bleeding = " and bleeds" if health.is_bleeding else ""
        stage = stage.told(f"{whom.name} is {health.out}{bleeding}.")
    return stage


def mook_struck(stage: Stage, target: str, *struck: Hit, spare: bool) -> Stage:
    """A mook that is hit: it is down, unless it is too great for that.

    Source: RPJ-GCS-48, RPJ-SCALE-01 (SCALE-01b).
    """
    whom = stage.battle[target]
    felling = [hit for hit in struck if _fells(whom, hit)]
    if not felling:
        return stage.told(f"That cannot harm {whom.name}, of {whom.scale} scale.")
    spared = spare or all(hit.strike is not None and hit.strike.is_nonlethal for hit in felling)
    stage = stage.with_battle(mook_felled(stage.battle, target, spared=spared))
    return stage.told(f"{whom.name} is {'knocked out' if spared else 'dead'}.")


def _fells(whom: FighterStats, hit: Hit) -> bool:
    """Whether a hit puts an end to a mook; one scale up only a critical hit does.

    Source: RPJ-SCALE-01 (SCALE-01b).
    """
    if hit.strike is None or Pack.DAMAGE_SCALES not in whom.module.optional_rules:
        return True
    above = gap(hit.strike.scale, whom.scale)
    return above > UPWARD or (above == UPWARD and hit.is_critical)


def without_roll(stage: Stage, target: str, strike: Strike) -> Stage:
    """What a critical hit takes.

    Source: RPJ-GCS-30, RPJ-SCALE-07.
    """
    whom = stage.battle[target]
    if not whom.is_able:
        return stage
    spot = next_save(whom.figure, strike)
    settled = unsaved(stage, target, strike, spot) if spot is not None else None
    if settled is not None:
        return settled
    health, losses = critical_loss(whom.figure, strike)
    for loss in losses:
        lost = "all saves" if loss.is_whole else f"{loss.spot.target}+"
        what = f"{lost} of {loss.spot.layer.name}" if is_players(stage, target) else "a save"
        stage = stage.told(f"{whom.name} loses {what} without a roll.")
    return hurt(stage, target, health)


def is_saved_against(stage: Stage, target: str, strike: Strike) -> bool:
    """Whether somebody rolls a save against damage.

    Source: RPJ-SCALE-04, RPJ-SCALE-06.
    """
    whom = stage.battle[target]
    spot = next_save(whom.figure, strike) if whom.is_able else None
    return spot is not None and unrolled(whom.figure, spot, strike) is None


def unsaved(stage: Stage, target: str, strike: Strike, spot: Spot) -> Stage | None:
    """What damage does that nobody saves against; None where a save is rolled.

    Source: RPJ-SCALE-04, RPJ-SCALE-06.
    """
    whom = stage.battle[target]
    after = unrolled(whom.figure, spot, strike)
    if after is None:
        return None
    if after == whom.health and is_unlimited(whom.figure):
        return stage.told(f"{whom.name} loses no save by that.")
    if after == whom.health:
        scale = spot.layer.scale
        return stage.told(f"{strike.scale.capitalize()} damage cannot harm a {scale} layer.")
    return stage.pushed(UnsavedDamage(target=target, strike=strike))


def crushed(stage: Stage, target: str, strike: Strike) -> Stage:
    """Giga damage to somebody of normal scale; players may survive it at a price.

    Source: RPJ-SCALE-06, RPJ-SCALE-08.
    """
    whom = stage.battle[target]
    spot = next_save(whom.figure, strike) if whom.is_able else None
    after = unrolled(whom.figure, spot, strike) if spot is not None else None
    if after is None:
        return stage
    stage = hurt(stage.told(*crushed_notes(whom.name, after)), target, after)
    character = stage.character(target)
    buttons = survive_buttons(stage.scene, character, after) if character is not None else ()
    return replace(stage, buttons=(*stage.buttons, *buttons))
