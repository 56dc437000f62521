"""A fight as the table keeps it: who takes part, and what still has to be done before it goes on."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from bot.rules.kernel import CharacterId, Document
from bot.rules.rpj.character.damage_saves import Strike
from bot.rules.rpj.combat.rules.defenses import Way
from bot.rules.rpj.combat.rules.free_attacks import Payment, Trigger
from bot.rules.rpj.combat.rules.maneuvers import Maneuver
from bot.rules.rpj.combat.rules.pending_magic import MagicStep
from bot.rules.rpj.combat.rules.placing import placed
from bot.rules.rpj.combat.rules.targets import Shooting
from bot.rules.rpj.combat.state.cinematic import Legend
from bot.rules.rpj.combat.state.fight import MOOKS, Fight
from bot.rules.rpj.combat.state.fighters import Fighter, MookSheet, RpjKind, Side
from bot.rules.rpj.resolution.inputs import RpjNamedTerm
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


class Waiting(Document):
    """A free attack that somebody may still make."""

    by: str
    payment: Payment
    maneuvers: tuple[Maneuver, ...] = ()


class React(Document):
    """Free attacks that are open, at something that somebody is about to do or has done.

    Attributes:
        provoker: Who does it.
        trigger: What.
        waiting: Who has not answered yet.
    """

    type: Literal["react"] = "react"
    provoker: str
    trigger: Trigger
    waiting: tuple[Waiting, ...]


class RpjPendingAttack(Document):
    """An attack that is to be rolled.

    Attributes:
        attacker: Who attacks.
        target: Whom.
        weapon: With what.
        extras: With which weapons besides.
        lethal: Whether those who may choose mean to kill.
        spare: Whether a mook is to be taken alive.
        terms: Bonuses and penalties of the moment.
        maneuver: The maneuver that it is, if it is one.
        is_free: Whether it is a free attack, which provokes nobody.
        lucky: Whether a Lucky Break was spent beforehand.
        number: The target number that the GM sets, where fights are cinematic; None for the defence.
        way: How the target meets it; None while that is open.
        shot: How it is shot, under Fire and Movement.
    """

    type: Literal["blow"] = "blow"
    attacker: str
    target: str
    weapon: str = ""
    extras: tuple[str, ...] = ()
    lethal: bool = False
    spare: bool = False
    terms: tuple[RpjNamedTerm, ...] = ()
    maneuver: Maneuver | None = None
    is_free: bool = False
    lucky: bool = False
    number: int | None = None
    way: Way | None = None
    shot: Shooting = Shooting.PLAIN


class Swarming(Document):
    """Attacks of several mooks on one target.

    Attributes:
        attackers: Which mooks.
        target: Whom they attack.
        rolls: How many times dice are rolled for them.
        terms: Bonuses and penalties of the moment.
        is_free: Whether these are free attacks.
        way: How the target meets them; None while that is open.
        shot: How they shoot, under Fire and Movement.
    """

    type: Literal["swarm"] = "swarm"
    attackers: tuple[str, ...]
    target: str
    rolls: int = Field(ge=1, le=60)
    terms: tuple[RpjNamedTerm, ...] = ()
    is_free: bool = False
    way: Way | None = None
    shot: Shooting = Shooting.PLAIN


class Saving(Document):
    """Damage saves that are to be rolled, one for each strike."""

    type: Literal["saves"] = "saves"
    target: str
    strikes: tuple[Strike, ...]


class UnsavedDamage(Document):
    """Damage that nobody saves against; the GM confirms it."""

    type: Literal["doom"] = "doom"
    target: str
    strike: Strike


class PendingMove(Document):
    """A move that is about to be completed.

    Attributes:
        mover: Who moves.
        region: Where to.
        group: The group that is joined; None for a new one.
        cautious: Whether it is a cautious move.
    """

    type: Literal["going"] = "going"
    mover: str
    region: int
    group: int | None = None
    cautious: bool = False


class Suppressing(Document):
    """Suppressive Fire that is to be rolled, at everybody in a group.

    Attributes:
        attacker: Who shoots.
        group: The group.
        weapon: With what.
        extras: With which weapons besides.
        terms: Bonuses and penalties of the moment.

    Source: RPJ-FIRE-23, RPJ-FIRE-32.
    """

    type: Literal["suppressing"] = "suppressing"
    attacker: str
    group: int
    weapon: str
    extras: tuple[str, ...] = ()
    terms: tuple[RpjNamedTerm, ...] = ()


class Razing(Document):
    """An attack on cover that is to be rolled.

    Attributes:
        attacker: Who attacks.
        cover: The number of the cover.
        weapon: With what.

    Source: RPJ-FIRE-19, RPJ-FIRE-20.
    """

    type: Literal["razing"] = "razing"
    attacker: str
    cover: int
    weapon: str


class Ending(Document):
    """A coup de grace that is about to be rolled."""

    type: Literal["coup"] = "coup"
    actor: str
    target: str


class Bleed(Document):
    """Somebody whose turn it is bleeds, and is to roll."""

    type: Literal["bleed"] = "bleed"
    who: str


class Aside(Document):
    """A Watchful Strike has hit; its owner may draw the target aside."""

    type: Literal["aside"] = "aside"
    owner: str
    target: str


class Grasp(Document):
    """An attempt to take hold of somebody that is about to be rolled."""

    type: Literal["grasp"] = "grasp"
    actor: str
    target: str


class Wrestle(Document):
    """A grapple check that is about to be rolled."""

    type: Literal["wrestle"] = "wrestle"
    actor: str


class HelpingHand(Document):
    """A helping hand that is about to be rolled."""

    type: Literal["help"] = "help"
    actor: str
    target: str


class Won(Document):
    """A grapple check is won; the winner gets out, or does damage."""

    type: Literal["won"] = "won"
    winner: str


Step = Annotated[
    React
    | RpjPendingAttack
    | Swarming
    | Saving
    | UnsavedDamage
    | PendingMove
    | Suppressing
    | Razing
    | Ending
    | Bleed
    | Aside
    | Grasp
    | Wrestle
    | HelpingHand
    | Won
    | MagicStep,
    Field(discriminator="type"),
]


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
    steps: tuple[Step, ...] = ()
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
