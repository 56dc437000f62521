"""A fight as the table keeps it: who takes part, and what still has to be done before it goes on."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Self

from pydantic import Field, SerializeAsAny

from bot.rules.kernel import CharacterId
from bot.rules.rpj.combat.rules.placing import placed
from bot.rules.rpj.combat.rules.step import Step
from bot.rules.rpj.combat.state.cinematic import Legend
from bot.rules.rpj.combat.state.fight import MOOKS, Fight
from bot.rules.rpj.combat.state.fighters import Fighter, MookSheet, RpjKind, Side
from bot.rules.shared.encounters import Combatant, Encounter, FightPlace


def fighter_id(character: CharacterId) -> str:
    """What a character is called in the document of a fight."""
    return f"c{character}"


class Stance(StrEnum):
    """Who chooses somebody's defence.

    Source: RPJ-GCS-26.
    """

    ASK = "ask"
    BEST = "best"
    DODGE = "dodge"
    ABSORB = "absorb"


class RpjCombatant(Combatant):
    """A character that takes part.

    Attributes:
        kind: What it is.
        side: Whose side it is on.
        wielded: What it has in hand at the beginning.
        mook: Its sheet, for a mook.
        saves_lost: How many saves were crossed off when it joined.
    """

    kind: RpjKind
    side: Side
    wielded: tuple[str, ...] = ()
    mook: MookSheet | None = None
    saves_lost: int = Field(default=0, ge=0)


class RpjFight(Encounter[RpjCombatant]):
    """A fight in a channel.

    Attributes:
        fight: Where everybody stands, and whose turn it is.
        steps: What is still to be done before the fight goes on; the last one comes first.
        stances: Who chooses the defence, by fighter; else it is the better one.
        legends: How far legendary foes are brought down, by fighter.
        surprise: What sides that were caught unawares add to initiative.
    """

    fight: Fight = Fight()
    steps: tuple[SerializeAsAny[Step], ...] = ()
    stances: dict[str, Stance] = Field(default_factory=dict)
    legends: dict[str, Legend] = Field(default_factory=dict)
    surprise: dict[Side, int] = Field(default_factory=dict)

    def contradiction(self) -> str:
        """What about the fight cannot be: also turns of nobody, and holds on nobody."""
        there = {fighter.id for fighter in self.fight.fighters}
        if strange := {*self.fight.order, self.fight.turn} - {*there, MOOKS, ""}:
            return f"{', '.join(sorted(strange))} has turns and takes no part."
        if strange := {id_ for hold in self.fight.grapples for id_ in (hold.a, hold.b)} - there:
            return f"{', '.join(sorted(strange))} is held and takes no part."
        return super().contradiction()

    @classmethod
    def mended(cls, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The fight with the turns and holds of those in it; what was still to be done first is left out."""
        sound: dict[str, Any] = dict(super().mended(body))
        fight = dict(sound.get("fight", {}))
        there = {fighter["id"] for fighter in fight.get("fighters", ())}
        fight["order"] = [one for one in fight.get("order", ()) if one in {*there, MOOKS}]
        fight["grapples"] = [hold for hold in fight.get("grapples", ()) if {hold["a"], hold["b"]} <= there]
        if fight.get("turn", "") not in {*there, MOOKS, ""}:
            fight["turn"] = next(iter(fight["order"]), "")
        round_ = body.get("round", 0) if there else 0
        return {**sound, "round": round_, "fight": fight, "steps": []}

    @property
    def count(self) -> int:
        """How many take part, mooks too; characters that hide take no part yet."""
        return sum(one.mook is not None or not one.is_hidden for one in self.fight.fighters)

    @property
    def turn_key(self) -> str:
        """A text that is another one in every turn."""
        return f"{self.round}/{self.fight.turn}"

    def is_on(self, character: CharacterId) -> bool:
        """Whether it is a character's turn."""
        found = [one for one in self.fight.fighters if one.character == character]
        return self.has_begun and any(self.fight.acts(fighter) for fighter in found)

    def with_newcomers(self, seats: Iterable[RpjCombatant]) -> Self:
        """The same fight with more characters: where they were hidden, else where their side begins."""
        newcomers, fight = tuple(seats), self.fight
        hidden = {one.id for one in fight.fighters if one.is_hidden}
        for seat in newcomers:
            own = fighter_id(seat.character)
            fight = fight.revealed(own) if own in hidden else placed(fight, _seated(seat))
        return self.changed(seats=(*self.seats, *newcomers), fight=fight)

    def with_hidden(self, seat: RpjCombatant) -> Self:
        """The same fight with somebody in it of whom only the GM knows; they have no turns yet."""
        hidden = _seated(seat).model_copy(update={"is_hidden": True})
        return self.changed(fight=placed(self.fight, hidden))

    def without(self, character: CharacterId) -> Self:
        """The same fight without a character."""
        less = super().without(character)
        return less.changed(fight=less.fight.without(fighter_id(character)))

    def stance(self, fighter: Fighter) -> Stance:
        """Who chooses somebody's defence: nobody, so that it is the better one, unless a player asked to.

        Source: RPJ-GCS-26.
        """
        return self.stances.get(fighter.id, Stance.BEST)


def _seated(seat: RpjCombatant) -> Fighter:
    return Fighter(
        id=fighter_id(seat.character),
        name=seat.name,
        kind=seat.kind,
        side=seat.side,
        character=seat.character,
        mook=seat.mook,
        wielded=seat.wielded,
    )


FIGHTS_KEPT = FightPlace(RpjFight)
