"""Suggestions from the fight or battle of the channel."""

from collections.abc import Sequence

from bot.rules.kernel import InChannel
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.crowds import counted
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT, Fight
from bot.rules.rpj.mass.mass_round import find_round


def _fight(scene: Scene) -> Fight:
    """The fight of the channel; an empty one where there is none."""
    return FIGHTS_KEPT.find(scene) or Fight()


def regions(scene: Scene) -> Sequence[str]:
    """The regions of the battlefield; empty without a fight."""
    if FIGHTS_KEPT.find(scene) is None:
        return []
    field = _fight(scene).field
    return [field.name(number) for number in field.numbers]


def covers(scene: Scene) -> Sequence[str]:
    """The cover on the battlefield."""
    fight = _fight(scene)
    known = fight.covers if scene.is_gm else fight.known_covers
    return list(dict.fromkeys(placed.cover.name for placed in known))


def fighters(scene: Scene) -> Sequence[str]:
    """The combatants the reader may see; mooks of a kind are counted."""
    if FIGHTS_KEPT.find(scene) is None:
        return []
    fight = Stage.of(scene).fight
    return list(dict.fromkeys((*counted(fight.present), *(counted(fight.hiding) if scene.is_gm else ()))))


def hidden_mooks(scene: Scene) -> Sequence[str]:
    """The kinds of hidden mooks, for the GM."""
    hidden = (one.mook for one in _fight(scene).combatants if one.is_hidden)
    return list(dict.fromkeys(mook.name for mook in hidden if mook is not None)) if scene.is_gm else []


def sides(scene: Scene) -> Sequence[str]:
    """The sides of the battle."""
    found = find_round(scene)
    return [] if found is None else [side.name for side in found.battle.sides]


CHANNEL_NAMES = {
    "region": InChannel(regions),
    "cover": InChannel(covers),
    "fighter": InChannel(fighters),
    "hidden mooks": InChannel(hidden_mooks),
    "side of a battle": InChannel(sides),
}
