"""The state of a fight: combatants, order, distances and the ground."""

from collections.abc import Sequence

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Die,
    Document,
    Family,
    FollowUp,
    Place,
    Roll,
    RollRule,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, shown_number
from bot.rules.shared.encounters import Combatant, FightPlace, InTurn
from bot.rules.swim_class.pools import PIPS, SIDES, PoolDie, Source, SwimPurpose, shown_die
from bot.rules.swim_class.sheet import Character, Outcome, Reserve, ReserveKind, Scene, parent_of
from bot.rules.swim_class.tables import SkillKey

FULL_ACTION, HALF_ACTION = 2, 1


class SwimCombatant(Combatant):
    """One combatant."""

    values: tuple[int, ...] = ()  # their initiative dice, highest first
    halves_used: int = Field(default=0, ge=0, le=FULL_ACTION)  # half actions used this turn


class Gap(Document):
    """The squares between two combatants."""

    one: CharacterId
    other: CharacterId
    squares: int = Field(ge=0)


class Healed(Document):
    """A Healing roll of this round."""

    caster: CharacterId
    target: CharacterId


class SwimEncounter(InTurn[SwimCombatant]):
    """A fight in a channel."""

    terrain: tuple[int, ...] = ()  # levels of rough ground, this round's first
    resistance: tuple[int, ...] = ()  # the defense bonus against fire from wet ground, this round's first
    gaps: tuple[Gap, ...] = ()  # the known distances between combatants
    healed: tuple[Healed, ...] = ()  # healing rolls of this round
    breathing: tuple[CharacterId, ...] = ()  # who can breathe water this round


ENCOUNTERS = FightPlace(SwimEncounter)
find_encounter = ENCOUNTERS.find
the_encounter = ENCOUNTERS.the
with_encounter = ENCOUNTERS.keep


def is_in_combat(scene: Scene, who: CharacterId) -> bool:
    """Whether a character is in the channel's fight."""
    return ENCOUNTERS.combatant(scene, who) is not None


def spend(scene: Scene, character: Character, halves: int) -> Scene:
    """Spend an action or half action; outside a fight this is free.

    A GM can let anyone act out of turn for free. The raised dead use their caster's action.

    Raises:
        UserError: If it is not their turn, or not enough of it is left.

    [SWIM-COMB-16 (SWIM-R58), SWIM-POOL-07, SWIM-MAGIC-19 (SWIM-R107)]
    """
    encounter = find_encounter(scene)
    combatant = encounter.combatant(character.sheet.raised_by or character.id) if encounter else None
    if encounter is None or combatant is None or not encounter.has_begun:
        return scene
    if encounter.acting.character != combatant.character:
        if scene.is_gm:
            return scene
        raise UserError(
            f"It is {encounter.acting.name}'s turn, not {combatant.name}'s.",
            "Out of turn you can defend, soak, or use your reserve.",
        )
    left = FULL_ACTION - combatant.halves_used
    if halves > left:
        what = "half an action" if left else "no action"
        raise UserError(
            f"{combatant.name} has {what} left this turn.",
            "A turn is one skill at full dice, or two at half their dice.",
            "End it with /encounter next.",
        )
    spent = evolve(combatant, halves_used=combatant.halves_used + halves)
    return with_encounter(scene, encounter.with_combatant(spent))


def prepared_for(character: Character, skill: SkillKey) -> Reserve | None:
    """The prepared action that matches a roll of a skill, or None. [SWIM-COMB-14]"""
    held = character.sheet.states.reserve
    is_meant = held is not None and held.kind is ReserveKind.ACTION
    return held if is_meant and held is not None and parent_of(held.skill) == parent_of(skill) else None


def remembered(scene: Scene, one: CharacterId, other: CharacterId) -> int | None:
    """The remembered squares between two combatants, or None. [SWIM-AREA-01]"""
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


ROUND_PASSES = "round_passes"


class Ground(Document):
    """The ground of a channel without a fight."""

    terrain: tuple[int, ...] = ()  # levels of rough ground, this round's first
    resistance: tuple[int, ...] = ()  # the defense bonus against fire from wet ground, this round's first
    breathing: tuple[CharacterId, ...] = ()  # who can breathe water this round

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

    [SWIM-MAGIC-10, SWIM-MAGIC-12, SWIM-MAGIC-13]
    """
    encounter = find_encounter(scene)
    if encounter is not None:
        return Ground(
            terrain=encounter.terrain, resistance=encounter.resistance, breathing=encounter.breathing
        )
    return scene.stored(Ground, ground_key(scene)) or Ground()


def with_ground(scene: Scene, ground: Ground) -> Scene:
    """Return the scene with another ground, in the fight if there is one."""
    encounter = find_encounter(scene)
    if encounter is not None:
        return with_encounter(scene, evolve(encounter, **dict(ground)))
    key = ground_key(scene)
    return scene.without_document(key) if ground == Ground() else scene.with_document(key, ground)


def taken_into_fight(scene: Scene) -> Scene:
    """Move the channel's ground into its fight, which has copied it."""
    return scene.without_document(ground_key(scene))


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


@procedure("terrain", gm_only=True, needs_actor=False, sets=True)
def set_terrain(scene: Scene, options: TerrainOptions, _dice: Dice) -> Outcome:
    """Make the ground rough for some rounds, or smooth. [SWIM-AREA-07]"""
    levels = (options.level,) * options.rounds if options.level else ()
    scene = with_ground(scene, evolve(find_ground(scene), terrain=levels))
    words = f"makes the ground rough (level {options.level})" if levels else "makes the ground smooth"
    return Outcome(scene=scene, headline=words, follow_ups=round_button(scene))


@procedure(ROUND_PASSES, gm_only=True, needs_actor=False)
def round_passes(scene: Scene, options: RoundOptions, _dice: Dice) -> Outcome:
    """Pass rounds outside a fight: the ground's effects fade.

    [SWIM-MAGIC-10 (SWIM-R98), SWIM-MAGIC-12 (SWIM-R100), SWIM-MAGIC-13]
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


class Contestant(Document):
    """A combatant who rolls for initiative, with the dice and their modifier."""

    name: str
    dice: int = Field(ge=0, le=1000)
    modifier: int = 0


def roll_initiative(inputs: Contestant, dice: Dice) -> Roll:
    """Roll one contestant's dice for initiative. [SWIM-COMB-15 (SWIM-R57)]"""
    faces = [dice.roll(SIDES) for _ in range(inputs.dice)]
    fallen = [PoolDie(inputs.name, Source.SKILL, face, inputs.modifier) for face in faces]
    values = " ".join(shown_number(die.value) for die in sorted(fallen, key=lambda die: -die.value))
    return Roll(
        rule=INITIATIVE.key,
        inputs=inputs,
        dice=tuple(shown_die(die, is_kept=True) for die in fallen),
        verdict=Verdict(Family.NEWS, f"initiative {values}"),
        purpose=SwimPurpose.INITIATIVE,
    )


INITIATIVE = RollRule(key="initiative_dice", inputs=Contestant, resolve=roll_initiative)


class SwimPlaced(Struct, frozen=True):
    """A contestant's place in the order."""

    contestant: int  # index of the contestant
    values: tuple[int, ...]  # the dice with their modifier, highest first


class SwimRolled(Struct, frozen=True):
    """One roll of a contestant; tied contestants have several."""

    contestant: int
    roll: Roll
    is_again: bool


def order_of(
    contestants: Sequence[Contestant], dice: Dice
) -> tuple[tuple[SwimPlaced, ...], tuple[SwimRolled, ...]]:
    """Roll for initiative until everyone has a place. [SWIM-COMB-15 (SWIM-R57)]

    The dice are compared from the highest down, missing ones as 0; contestants who tie completely
    re-roll among themselves.

    Returns:
        The places, first to act first, and every roll in order.
    """
    rolls: list[SwimRolled] = []

    def values_of(place: int, *, is_again: bool) -> tuple[int, ...]:
        one = contestants[place]
        if not one.dice:
            return ()
        roll = roll_initiative(one, dice)
        rolls.append(SwimRolled(place, roll, is_again))
        return tuple(sorted((die.face + one.modifier for die in roll.dice), reverse=True))

    def ordered(places: Sequence[int], *, is_again: bool = False) -> list[SwimPlaced]:
        rolled = {place: values_of(place, is_again=is_again) for place in places}
        found: list[SwimPlaced] = []
        for values in sorted(set(rolled.values()), reverse=True):
            tied = [place for place in places if rolled[place] == values]
            if len(tied) > 1 and values:
                tied = [one.contestant for one in ordered(tied, is_again=True)]
            found += [SwimPlaced(place, values) for place in tied]
        return found

    return tuple(ordered(range(len(contestants)))), tuple(rolls)


# --- everybody's dice in one roll, as older journals hold them ---------------------------------


class InitiativeInputs(Document):
    """Who rolls for initiative, in the order of rolling."""

    contestants: tuple[Contestant, ...]


def roll_all_initiative(inputs: InitiativeInputs, dice: Dice) -> Roll:
    """Roll for initiative, everybody in turn. [SWIM-COMB-15]"""
    places, rolled = order_of(inputs.contestants, dice)
    names = [inputs.contestants[one.contestant].name for one in places]
    faces = [die.face for one in rolled for die in one.roll.dice]
    return Roll(
        rule=ALL_INITIATIVE.key,
        inputs=inputs,
        dice=tuple(Die(sides=SIDES, face=face, shown=PIPS[face - 1]) for face in faces),
        verdict=Verdict(Family.NEWS, ", ".join(names)),
        purpose=SwimPurpose.INITIATIVE,
    )


ALL_INITIATIVE = RollRule(key="initiative", inputs=InitiativeInputs, resolve=roll_all_initiative)
