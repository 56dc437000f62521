"""The changes of a sheet shown in results and the recap."""

from collections.abc import Iterator

from bot.rules.kernel.facts import down, harm
from bot.rules.rpj.advancement.growth import growth, has_grown
from bot.rules.rpj.character.damage_saves import layers_of
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.settings import RpjSettings, module_in

Changed = tuple[str, str, str]


def sheet_changes(before: RpjSheet, after: RpjSheet, settings: RpjSettings) -> Iterator[Changed]:
    """The changed values: what it is, before, after.

    Source: RPJ-HEALTH-10, RPJ-HEALTH-14 to RPJ-HEALTH-16, RPJ-LUCK-05, RPJ-CHAR-01.
    """
    if has_grown(before, after):
        module = module_in(settings)
        yield from growth(Stats(before, module), Stats(after, module))
    if before.lucky_breaks_lost != after.lucky_breaks_lost:
        yield "Lucky Breaks lost permanently", str(before.lucky_breaks_lost), str(after.lucky_breaks_lost)
    if before.health != after.health:
        yield from _health(before, after, module_in(settings))


def npc_changes(before: RpjSheet, after: RpjSheet, settings: RpjSettings) -> Iterator[Changed]:
    """The public changes of an NPC besides how it looks: not its saves.

    Source: RPJ-HEALTH-10.
    """
    module = module_in(settings)
    if has_grown(before, after):
        yield from growth(Stats(before, module), Stats(after, module))
    if _state(before.health) != _state(after.health):
        yield down("State"), _state(before.health), _state(after.health)


def _health(before: RpjSheet, after: RpjSheet, module: Module) -> Iterator[Changed]:
    were = {layer.id: layer for layer in layers_of(Stats(before, module))}
    are = {layer.id: layer for layer in layers_of(Stats(after, module))}
    for id_ in {**were, **are}:
        was, now = were.get(id_), are.get(id_)
        if was != now and (name := now or was) is not None:
            yield harm(name.name), "none" if was is None else str(was), "none" if now is None else str(now)
    if _state(before.health) != _state(after.health):
        yield down("State"), _state(before.health), _state(after.health)


def _state(health: RpjHealth) -> str:
    if health.out is Out.NO:
        return "weakened" if health.is_weak else "in action"
    if health.is_bleeding:
        return f"bleeding out, {health.bleeding} failed" if health.bleeding else "bleeding out"
    return "stable, unconscious" if health.out is Out.INCAPACITATED else str(health.out)
