"""The resources: Blitz Points, unspent level-ups and die advancement points."""

from bot.rules.kernel import CharacterId, ResourceRule
from bot.rules.post_magic_maid.character.scene import Scene
from bot.rules.post_magic_maid.character.settings import MaidSettings
from bot.rules.post_magic_maid.character.sheet import MaidSheet

BLITZ = "blitz"
LEVEL_UPS = "level_ups"
DIE_POINTS = "die_points"
STARTING_BLITZ_POINTS = 3


def _blitz_cap(_sheet: MaidSheet, settings: MaidSettings) -> int | None:
    return settings.blitz_cap


# PMM-BLZ-01 (PMM-R16: foes have no Blitz Points unless the GM gives them some), PMM-BLZ-10, PMM-CRE-07.
RESOURCES = (
    ResourceRule(
        key=BLITZ,
        title="Blitz Points",
        start=STARTING_BLITZ_POINTS,
        npc_start=0,
        cap=_blitz_cap,
    ),
    ResourceRule(key=LEVEL_UPS, title="Level-ups", usual=(1, 2), unit="level-up"),
    ResourceRule(key=DIE_POINTS, title="Die advancement points"),
)


def capped(points: int, settings: MaidSettings) -> int:
    """A number of Blitz Points, limited by the campaign's cap.

    Source: PMM-BLZ-10 (PMM-R24).
    """
    return points if settings.blitz_cap is None else min(points, settings.blitz_cap)


def gain_blitz_point(scene: Scene, who: CharacterId) -> tuple[Scene, tuple[str, ...]]:
    """Give a player's character a Blitz Point for a double maximum; NPCs get none.

    Source: PMM-BLZ-09 (PMM-R23).
    """
    character = scene.character(who)
    if character.owner is None:
        return scene, ()
    before = character.resources.get(BLITZ, 0)
    after = max(before, capped(before + 1, scene.settings))
    if after == before:
        return scene, ("Both dice show their highest face, but Blitz Points are at their cap.",)
    note = "Both dice show their highest face: 1 Blitz Point gained."
    return scene.with_character(character.with_resource(BLITZ, after)), (note,)
