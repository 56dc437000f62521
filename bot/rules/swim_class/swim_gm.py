"""What the GM has: foes, acts on a character, and lists to add to."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from bot.rules.kernel import (
    Audience,
    Choice,
    Procedure,
    TextField,
    evolve,
)
from bot.rules.kernel.game import FoeLevel, FoeRules
from bot.rules.kernel.outcome import shown_number
from bot.rules.kernel.procedures import Act, ActGroup
from bot.rules.shared.offering import Offering, numbers
from bot.rules.swim_class.creation import bought
from bot.rules.swim_class.gm import (
    State,
    TraitKey,
)
from bot.rules.swim_class.growth import COMPOSURE, wounds_key
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    HeldTrait,
    Scene,
    States,
    SwimSettings,
    SwimSheet,
    item_of,
)
from bot.rules.swim_class.tables import (
    PRESETS,
    TRAITS,
    Pool,
    SwimPreset,
)

BASICS = ("basic_melee", "basic_ranged", "throw", "agility", "walk")
RANKS = {FoeLevel.WEAK: 1, FoeLevel.ABLE: 2, FoeLevel.STRONG: 3, FoeLevel.MIGHTY: 5}


def _make(level: FoeLevel, _settings: SwimSettings) -> SwimSheet:
    """A sheet whose fighting skills and defenses have one rank. [SWIM-COMB-17]"""
    ranks = dict.fromkeys((*BASICS, COMPOSURE, *(pool.defence for pool in Pool)), RANKS[level])
    return SwimSheet(ranks=ranks)


def _give(sheet: SwimSheet, _level: FoeLevel, names: Sequence[str], _settings: SwimSettings) -> SwimSheet:
    for name in names:
        sheet = sheet.with_item(item_of(CATALOGUE[name]))
    return sheet


def _of_the_book(preset: SwimPreset) -> SwimSheet:
    """A combatant of the book's sample rounds. [SWIM-COMB-17 (SWIM-R59)]"""
    traits = tuple(HeldTrait(key=key, degree=degree) for key, degree in preset.traits.items())
    return SwimSheet(ranks=preset.ranks, items=tuple(bought(name) for name in preset.items), traits=traits)


def _weapons(_settings: SwimSettings) -> Sequence[str]:
    return [name for name, one in CATALOGUE.items() if one.is_weapon]


FOES: FoeRules[SwimSheet, SwimSettings] = FoeRules(
    title="Weapons",
    things=_weapons,
    make=_make,
    give=_give,
    book=MappingProxyType({name: _of_the_book(preset) for name, preset in PRESETS.items()}),
    fresh=lambda sheet: evolve(sheet, states=States(), stable=(), tallies={}, broken=(), is_dead=False),
)


MOST_POINTS = 20
QUICK = range(1, 4)  # damage with a button of its own
CAUSED = (State.HELD, State.STUNNED, State.HIDDEN)  # only attacks and hiding cause them; a GM ends them


def gm_acts(procedures: Mapping[str, Procedure], scene: Scene) -> tuple[Act, ...]:
    """Damage, healing, states, items, and what a GM corrects by hand.

    [SWIM-TASK-09, SWIM-COMB-07, SWIM-COMB-17, SWIM-ITEM-07, SWIM-RACE-06, SWIM-SYN-01]
    """
    offering = Offering(scene, procedures, audience=Audience.GM)
    return (
        *_damage(offering),
        *_healing(scene, offering),
        *_states(scene, offering),
        *_items(offering),
        *_corrections(scene, offering),
    )


def _damage(offering: Offering) -> Iterator[Act]:
    for pool in Pool:
        label, points = f"Deal {pool} damage …", _points(f"{pool} damage")
        quick = numbers(QUICK, lambda n: shown_number(-n))
        yield from offering.menu(ActGroup.DAMAGE, "harm", label, "points", points, quick=quick, pool=pool)
    heights = numbers(range(MOST_POINTS + 1), lambda n: f"{n} damage" if n else "A soft landing")
    yield from offering.menu(ActGroup.DAMAGE, "fall", "Fall …", "damage", heights)


def _points(what: str) -> tuple[Choice, ...]:
    return numbers(range(1, MOST_POINTS + 1), lambda n: f"{n} {what}")


def _healing(scene: Scene, offering: Offering) -> Iterator[Act]:
    for pool in Pool:
        wounds = scene.actor.left(wounds_key(pool))
        if wounds:
            label, points = f"Heal {pool} wounds … ({wounds} now)", _points(f"{pool} healing")
            yield from offering.menu(ActGroup.HEAL, "mend", label, "points", points, pool=pool)


def _states(scene: Scene, offering: Offering) -> Iterator[Act]:
    now = _states_of(scene.actor.sheet)
    begun = [
        Choice(one.value, one.value.capitalize()) for one in State if one not in now and one not in CAUSED
    ]
    yield from offering.menu(ActGroup.CONDITION, "set_state", "Begin a state …", "state", begun)
    ended = [Choice(one.value, one.value.capitalize()) for one in State if one in now]
    yield from offering.menu(ActGroup.CONDITION, "set_state", "End a state …", "state", ended, on=False)


def _states_of(sheet: SwimSheet) -> frozenset[State]:
    states = sheet.states
    found = {
        State.PRONE: states.is_prone,
        State.SOAKED: states.is_soaked,
        State.HOVERING: states.is_hovering,
        State.HELD: states.held_by is not None,
        State.STUNNED: states.stunned_by is not None,
        State.HIDDEN: bool(states.hidden_from),
        State.UNDEAD: "undead" in sheet.tags,
        State.DEAD: sheet.is_dead,
        State.STABLE: Pool.PHYSICAL in sheet.stable,
        State.LEARNS: sheet.tracks_advancement,
    }
    return frozenset(state for state, is_on in found.items() if is_on)


def _items(offering: Offering) -> Iterator[Act]:
    items = [Choice(one.name, one.name[:100]) for one in CATALOGUE.values()]
    yield from offering.menu(
        ActGroup.GIVE, "give", "Give an item …", "item", items, adjusts={"quantity": "How many"}
    )


def _corrections(scene: Scene, offering: Offering) -> Iterator[Act]:
    blanks = (
        TextField(key="skill", prompt="Skill", longest=100),
        TextField(key="rank", prompt="New rank", longest=3),
    )
    yield offering.act(ActGroup.GM, "set_rank", "Set a rank …", blanks=blanks, skill="-", rank=1)
    for label, degree in (("Give a trait …", 1), ("Take a trait away …", 0)):
        held = {one.key for one in scene.actor.sheet.traits}
        traits = [
            Choice(one.value, TRAITS[one.value].name) for one in TraitKey if degree or one.value in held
        ]
        adjusts = {"degree": "Degree", "penalty": "Penalty"} if degree else {}
        yield from offering.menu(
            ActGroup.GM, "set_trait", label, "trait", traits, adjusts=adjusts, degree=degree
        )
    if scene.actor.owner is None:
        presets = [Choice(one.name, one.name) for one in PRESETS.values()]
        label = "Use the stats of the book's …"
        yield from offering.menu(ActGroup.GM, "preset", label, "preset", presets)
