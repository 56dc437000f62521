"""The effects on the ground, which last for rounds of a fight, or as the GM counts them."""

from pydantic import Field

from bot.rules.kernel import Audience, CharacterId, Document, FollowUp, Place, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class.character.sheet import Outcome, Scene
from bot.rules.swim_class.combat.state.encounter import find_encounter, with_encounter

ROUND_PASSES = "round_passes"


class Ground(Document):
    """The ground of a channel without a fight.

    Attributes:
        terrain: Levels of rough ground, this round's first.
        resistance: The defense bonus against fire from wet ground, this round's first.
        breathing: Who can breathe water this round.
    """

    terrain: tuple[int, ...] = ()
    resistance: tuple[int, ...] = ()
    breathing: tuple[CharacterId, ...] = ()

    @property
    def later(self) -> "Ground":
        """The ground one round later."""
        return Ground(terrain=self.terrain[1:], resistance=self.resistance[1:])


class TerrainOptions(Document):
    """How rough the ground is, and for how many rounds."""

    level: int = Field(ge=0, le=12)
    rounds: int = Field(default=1, ge=1, le=50)


class RoundOptions(Document):
    """How many rounds pass outside a fight."""

    rounds: int = Field(default=1, ge=1, le=50)


def ground_key(scene: Scene) -> str:
    """The document key of the channel's ground."""
    return f"ground/{scene.channel}"


def find_ground(scene: Scene) -> Ground:
    """The channel's current ground, in a fight or outside one.

    Source: SWIM-MAGIC-10, SWIM-MAGIC-12, SWIM-MAGIC-13.
    """
    encounter = find_encounter(scene)
    if encounter is not None:
        return Ground(
            terrain=encounter.terrain, resistance=encounter.resistance, breathing=encounter.breathing
        )
    found = scene.document(ground_key(scene))
    return found if isinstance(found, Ground) else Ground()


def with_ground(scene: Scene, ground: Ground) -> Scene:
    """Return the scene with another ground, in the fight if there is one."""
    encounter = find_encounter(scene)
    if encounter is not None:
        return with_encounter(scene, evolve(encounter, **dict(ground)))
    is_plain = ground == Ground()
    if is_plain and scene.document(ground_key(scene)) is None:
        return scene
    return scene.with_document(ground_key(scene), None if is_plain else ground)


def taken_into_fight(scene: Scene) -> Scene:
    """Move the channel's ground into its fight, which has copied it."""
    is_kept = scene.document(ground_key(scene)) is not None
    return scene.with_document(ground_key(scene), None) if is_kept else scene


def without_loose_ground(scene: Scene) -> Scene:
    """Clear the ground at the end of a scene without a fight."""
    return scene if find_encounter(scene) is not None else with_ground(scene, Ground())


def ground_lines(ground: Ground) -> tuple[str, ...]:
    """The effects on the ground this round, in words."""
    rough = f"Rough ground: level {ground.terrain[0]} this round." if ground.terrain else ""
    wet = (
        f"Wet ground: +{ground.resistance[0]} to defense against fire this round."
        if any(ground.resistance[:1])
        else ""
    )
    return tuple(line for line in (rough, wet) if line)


def round_button(scene: Scene) -> tuple[FollowUp, ...]:
    """A button that lets the GM pass a round outside a fight."""
    if find_encounter(scene) is not None or find_ground(scene) == Ground():
        return ()
    button = FollowUp(
        procedure=ROUND_PASSES,
        options=RoundOptions(),
        label="Pass a round",
        audience=Audience.GM,
        stays=True,
        place=Place.APART,
    )
    return (button,)


def set_terrain(scene: Scene, options: TerrainOptions, _dice: Dice) -> Outcome:
    """Make the ground rough for some rounds, or smooth.

    Source: SWIM-AREA-07.
    """
    levels = (options.level,) * options.rounds if options.level else ()
    scene = with_ground(scene, evolve(find_ground(scene), terrain=levels))
    words = f"makes the ground rough (level {options.level})" if levels else "makes the ground smooth"
    return Outcome(scene=scene, headline=words, follow_ups=round_button(scene))


declare("terrain", TerrainOptions, set_terrain, gm_only=True, needs_actor=False)


def round_passes(scene: Scene, options: RoundOptions, _dice: Dice) -> Outcome:
    """Pass rounds outside a fight: the ground's effects fade.

    Source: SWIM-MAGIC-10 (SWIM-R98), SWIM-MAGIC-12 (SWIM-R100), SWIM-MAGIC-13.
    """
    if find_encounter(scene) is not None:
        raise UserError("In a fight, rounds pass with the turns.", try_this="Use /encounter next.")
    ground = find_ground(scene)
    if ground == Ground():
        raise UserError("Nothing here changes with the rounds.")
    for _ in range(options.rounds):
        ground = ground.later
    scene = with_ground(scene, ground)
    words = "lets a round pass" if options.rounds == 1 else f"lets {options.rounds} rounds pass"
    return Outcome(
        scene=scene, headline=words, notes=ground_lines(ground) or ("The ground is back to normal.",)
    )


declare(ROUND_PASSES, RoundOptions, round_passes, gm_only=True, needs_actor=False)
