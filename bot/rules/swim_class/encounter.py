"""An encounter: who takes part, in which order, what each still may do, and what lies on the ground."""

from collections.abc import Sequence

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.encounters import InTurn, Kept, Participant
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import (
    Character,
    CharacterId,
    Die,
    Document,
    Family,
    Roll,
    RollRule,
    Scene,
    Verdict,
)
from bot.rules.swim_class.hits import SIDES
from bot.rules.swim_class.pools import PIPS
from bot.rules.swim_class.sheet import sheet_of

FULL_ACTION, HALF_ACTION = 2, 1


class Seat(Participant):
    """One participant.

    Attributes:
        values: Their initiative dice, highest first.
        halves_used: Half actions used this turn.
    """

    values: tuple[int, ...] = ()
    halves_used: int = Field(default=0, ge=0, le=FULL_ACTION)


class Healed(Document):
    """A Healing roll of this round: by whom, on whom."""

    caster: CharacterId
    target: CharacterId


class Encounter(InTurn[Seat]):
    """A fight in a channel.

    Attributes:
        terrain: Levels of rough ground, this round's first.
        resistance: What the ground adds to defence against fire, this round's first.
        healed: Healing rolls of this round.
        breathing: Who can breathe water this round.
    """

    terrain: tuple[int, ...] = ()
    resistance: tuple[int, ...] = ()
    healed: tuple[Healed, ...] = ()
    breathing: tuple[CharacterId, ...] = ()


ENCOUNTERS = Kept(Encounter)
find_encounter = ENCOUNTERS.find
the_encounter = ENCOUNTERS.the
with_encounter = ENCOUNTERS.keep


def is_in_combat(scene: Scene, who: CharacterId) -> bool:
    """Whether a character takes part in the encounter of the scene's channel."""
    encounter = find_encounter(scene)
    return encounter is not None and encounter.seat(who) is not None


def spend(scene: Scene, character: Character, halves: int) -> Scene:
    """Take an action, or half of one, where an encounter counts them; outside one it is free.

    A GM may have anybody act out of turn, which takes nothing. The raised dead take their caster's action.

    Raises:
        Mistake: If it is not their turn, or too little of it is left.

    Source: SWIM-COMB-16 (SWIM-R58), SWIM-POOL-07, SWIM-MAGIC-19 (SWIM-R107).
    """
    encounter = find_encounter(scene)
    seat = encounter.seat(sheet_of(character).raised_by or character.id) if encounter else None
    if encounter is None or seat is None or not encounter.has_begun:
        return scene
    if encounter.acting.character != seat.character:
        if scene.is_gm:
            return scene
        raise Mistake(
            f"It is {encounter.acting.name}’s turn, not {seat.name}’s.",
            "Out of turn one defends, soaks, and does what was held in reserve.",
        )
    left = FULL_ACTION - seat.halves_used
    if halves > left:
        what = "half an action" if left else "no action"
        raise Mistake(
            f"{seat.name} has {what} left this turn.",
            "A turn is one skill in full, or two at half their dice.",
            "End it with /encounter next.",
        )
    spent = seat.model_copy(update={"halves_used": seat.halves_used + halves})
    return with_encounter(scene, encounter.with_seat(spent))


# --- initiative --------------------------------------------------------------------------------


class Contestant(Document):
    """Somebody who rolls for initiative: how many dice, and what each gets."""

    name: str
    dice: int = Field(ge=0, le=1000)
    modifier: int = 0


class InitiativeInputs(Document):
    """Who rolls for initiative, in the order of rolling."""

    contestants: tuple[Contestant, ...]


def order_of(inputs: InitiativeInputs, dice: Dice) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Roll for initiative until everybody has a place.

    Each one's dice are compared from the highest down, a missing one as 0; those who are quite equal
    roll again among themselves.

    Returns:
        Of each, the first to act first: their place among the contestants, and their dice, highest first.

    Source: SWIM-COMB-15 (SWIM-R57).
    """

    def ordered(places: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
        rolled = {place: _values(inputs.contestants[place], dice) for place in places}
        found: list[tuple[int, tuple[int, ...]]] = []
        for values in sorted(set(rolled.values()), reverse=True):
            tied = [place for place in places if rolled[place] == values]
            again = ordered(tied) if len(tied) > 1 and values else [(place, values) for place in tied]
            found += [(place, values) for place, _ in again]
        return found

    return tuple(ordered(range(len(inputs.contestants))))


def _values(one: Contestant, dice: Dice) -> tuple[int, ...]:
    return tuple(sorted((dice.roll(SIDES) + one.modifier for _ in range(one.dice)), reverse=True))


class _Labelled:
    """Dice that remember how they fell."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.faces: list[int] = []

    def roll(self, sides: int) -> int:
        """Roll one die and remember it."""
        self.faces.append(self._dice.roll(sides))
        return self.faces[-1]


def roll_initiative(inputs: InitiativeInputs, dice: Dice) -> Roll:
    """Roll for initiative, everybody in turn.

    Source: SWIM-COMB-15.
    """
    noted = _Labelled(dice)
    order = order_of(inputs, noted)
    names = [inputs.contestants[place].name for place, _values_ in order]
    return Roll(
        rule=INITIATIVE.key,
        inputs=inputs,
        dice=tuple(Die(sides=SIDES, face=face, shown=PIPS[face - 1]) for face in noted.faces),
        verdict=Verdict(Family.NEWS, ", ".join(names)),
    )


INITIATIVE = RollRule(key="initiative", inputs=InitiativeInputs, resolve=roll_initiative)
