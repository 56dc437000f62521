"""Changes of a character's health, with the timer of what happens next."""

from dataclasses import replace

from bot.rules.kernel import evolve
from bot.rules.rpj.character.concentration import broken
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.incapacity import Wait, as_npcs_go, next_due
from bot.rules.rpj.character.sheet import Character, Scene
from bot.rules.rpj.module.defense_layers import Out, RpjHealth

WAITS = frozenset(wait.value for wait in Wait)


def with_health(scene: Scene, character: Character, health: RpjHealth, *, in_combat: bool = False) -> Scene:
    """The scene with a character's health changed, and the timer of what happens to it next.

    Args:
        scene: The scene before.
        character: The character.
        health: Their new health.
        in_combat: Whether a fight is going on; characters then roll against bleeding in their turns.

    Source: RPJ-HEALTH-16, RPJ-GM-07, RPJ-GCS-33 to RPJ-GCS-35 (R-088, R-090, R-091), RPJ-GCS-40,
    RPJ-SMAG-16.
    """
    before, rules = character.sheet.health, figure_in(scene, character).module.combat
    if character.owner is None and before.out is Out.NO:
        health = as_npcs_go(health, rules)
    sheet = evolve(character.sheet, health=health)
    timers = {key: due for key, due in character.timers.items() if key not in WAITS}
    due = next_due(health, rules, in_combat=in_combat)
    if due is not None:
        timers[due.wait.value] = character.timers.get(due.wait.value, scene.clock + due.seconds)
    scene = scene.with_character(replace(character, sheet=sheet, timers=timers))
    return scene if health.out is Out.NO else broken(scene, character.id)
