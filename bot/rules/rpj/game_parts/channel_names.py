"""Suggestions from the fight or battle of the channel."""

from collections.abc import Iterable, Iterator, Sequence

from bot.rules.kernel import InChannel, evolve
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.combat.state.combatant import RpjCombatant, RpjKind
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
    fight = FIGHTS_KEPT.find(scene)
    if fight is None:
        return []
    known = scene.names([one.character for one in fight.combatants if one.character is not None])

    def there(combatants: Iterable[RpjCombatant]) -> Iterator[RpjCombatant]:
        for one in combatants:
            if one.character is None or one.kind is RpjKind.MOOK:
                yield one
            elif one.character in known:
                yield one if one.name else evolve(one, name=known[one.character])

    hiding = counted(there(fight.hiding)) if scene.is_gm else ()
    return list(dict.fromkeys((*counted(there(fight.present)), *hiding)))


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
