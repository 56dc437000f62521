"""How far apart two fighters are: as somebody said, or as the fight remembers it."""

from bot.rules.kernel import CharacterId
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.sheet import Scene
from bot.rules.swim_class.combat.state.encounter import Gap, find_encounter, with_encounter


def remembered(scene: Scene, one: CharacterId, other: CharacterId) -> int | None:
    """The squares between two of a fight as it remembers them, or None.

    Source: SWIM-AREA-01.
    """
    encounter = find_encounter(scene)
    gaps = () if encounter is None else encounter.gaps
    return next((gap.squares for gap in gaps if {gap.one, gap.other} == {one, other}), None)


def with_distance(scene: Scene, one: CharacterId, other: CharacterId, squares: int) -> Scene:
    """The same scene in whose fight two are so far apart; unchanged where one of them takes no part."""
    encounter = find_encounter(scene)
    if encounter is None or encounter.combatant(one) is None or encounter.combatant(other) is None:
        return scene
    rest = [gap for gap in encounter.gaps if {gap.one, gap.other} != {one, other}]
    gap = Gap(one=one, other=other, squares=squares)
    return with_encounter(scene, encounter.changed(gaps=(*rest, gap)))


def without_distances(scene: Scene, who: CharacterId) -> Scene:
    """The same scene in whose fight nobody knows any more how far somebody is, who has moved."""
    encounter = find_encounter(scene)
    if encounter is None or all(who not in (gap.one, gap.other) for gap in encounter.gaps):
        return scene
    rest = tuple(gap for gap in encounter.gaps if who not in (gap.one, gap.other))
    return with_encounter(scene, encounter.changed(gaps=rest))


def squares_words(squares: int) -> str:
    """A distance in words."""
    return counted(squares, "square", "squares")
