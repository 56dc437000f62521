"""Names to offer while somebody types: of what there is in the fight or the battle of the channel."""

from collections.abc import Sequence

from bot.rules.rpj.combat.encounter import FIGHTS_KEPT
from bot.rules.rpj.combat.fight import Fight
from bot.rules.rpj.mass.keeping import find_round
from bot.rules.ruleset import InChannel, Scene


def _fight(scene: Scene) -> Fight:
    """The fight of the channel; an empty one where there is none."""
    found = FIGHTS_KEPT.find(scene)
    return Fight(fighters=()) if found is None else found.fight


def regions(scene: Scene) -> Sequence[str]:
    """The regions of the ground; nothing without a fight."""
    if FIGHTS_KEPT.find(scene) is None:
        return []
    field = _fight(scene).field
    return [field.name(number) for number in field.numbers]


def covers(scene: Scene) -> Sequence[str]:
    """The cover on the ground."""
    return list(dict.fromkeys(placed.cover.name for placed in _fight(scene).covers))


def hidden_mooks(scene: Scene) -> Sequence[str]:
    """The kinds of mooks that only the GM knows of."""
    hidden = (one.mook for one in _fight(scene).fighters if one.is_hidden)
    return list(dict.fromkeys(mook.name for mook in hidden if mook is not None)) if scene.is_gm else []


def sides(scene: Scene) -> Sequence[str]:
    """The sides of the battle."""
    found = find_round(scene)
    return [] if found is None else [side.name for side in found.battle.sides]


CHANNEL_NAMES = {
    "region": InChannel(regions),
    "cover": InChannel(covers),
    "hidden mooks": InChannel(hidden_mooks),
    "side of a battle": InChannel(sides),
}
