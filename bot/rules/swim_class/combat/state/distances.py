"""The distances between combatants that a fight remembers."""

from bot.rules.kernel import CharacterId
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.sheet import Scene
from bot.rules.swim_class.combat.state.encounter import Gap, find_encounter, with_encounter


def remembered(scene: Scene, one: CharacterId, other: CharacterId) -> int | None:
    """The remembered squares between two combatants, or None.

    Source: SWIM-AREA-01.
    """
    encounter = find_encounter(scene)
    gaps = () if encounter is None else encounter.gaps
    return next((gap.squares for gap in gaps if {gap.one, gap.other} == {one, other}), None)


def with_distance(scene: Scene, one: CharacterId, other: CharacterId, squares: int) -> Scene:
    """Return the scene with a distance remembered, if both are in the fight."""
    encounter = find_encounter(scene)
    if encounter is None or encounter.combatant(one) is None or encounter.combatant(other) is None:
        return scene
    rest = [gap for gap in encounter.gaps if {gap.one, gap.other} != {one, other}]
    gap = Gap(one=one, other=other, squares=squares)
    return with_encounter(scene, encounter.changed(gaps=(*rest, gap)))


def without_distances(scene: Scene, who: CharacterId) -> Scene:
    """Return the scene with a combatant's distances forgotten, after they moved."""
    encounter = find_encounter(scene)
    if encounter is None or all(who not in (gap.one, gap.other) for gap in encounter.gaps):
        return scene
    rest = tuple(gap for gap in encounter.gaps if who not in (gap.one, gap.other))
    return with_encounter(scene, encounter.changed(gaps=rest))


def squares_words(squares: int) -> str:
    """A distance in words: "3 squares"."""
    return counted(squares, "square", "squares")
