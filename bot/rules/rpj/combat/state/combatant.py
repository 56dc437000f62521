"""The combatants of a fight: player characters, NPCs with sheets, and mooks."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import CharacterId, Document
from bot.rules.rpj.combat.state.long_casting import Brew
from bot.rules.rpj.combat.state.suppression import UnderFire
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.scales import Scale
from bot.rules.shared.encounters import AnyCombatant


class RpjKind(StrEnum):
    """The kind of combatant.

    Source: RPJ-GCS-04.
    """

    PLAYER = "player"
    NPC = "npc"
    MOOK = "mook"


class Side(StrEnum):
    """A side of a fight."""

    PLAYERS = "players"
    FOES = "foes"


class MookSheet(Document):
    """The stat block of a mook.

    Attributes:
        name: What it is called.
        attack: Added to its attack rolls.
        damage: What a hit of it does.
        defense: What must be rolled to hit it.
        least_range: Shortest distance it shoots at; None for its own group.
        greatest_range: Longest distance it shoots at; None: it only strikes.
        is_nonlethal: Whether it puts out instead of killing.
        scale: What it withstands, where damage scales are played.
        damage_scale: How great its damage is.

    Source: RPJ-GCS-46, RPJ-GCS-67 (R-137), RPJ-SCALE-01 (SCALE-01b).
    """

    name: str = Field(min_length=1, max_length=60)
    attack: int = Field(ge=-10, le=20)
    damage: int = Field(default=0, ge=-5, le=20)
    defense: int = Field(ge=2, le=30)
    least_range: int | None = Field(default=None, ge=0, le=20)
    greatest_range: int | None = Field(default=None, ge=0, le=20)
    is_nonlethal: bool = False
    scale: Scale = Scale.NORMAL
    damage_scale: Scale = Scale.NORMAL


class Turn(Document):
    """The state of a combatant's turn.

    Attributes:
        actions: Actions that are left.
        received: Actions that it began with.
        has_attacked: Whether an Attack action has been spent.
        has_swapped: Whether the free change of equipment is used.
        has_grappled: Whether a grapple was attempted.
        has_checked: Whether the grapple check is made.
        has_coup: Whether a coup de grace was attempted.
        has_helped: Whether a helping hand was lent.
        is_held: Whether moving is over for this turn.

    Source: RPJ-GCS-22.
    """

    actions: int = Field(default=0, ge=0)
    received: int = Field(default=0, ge=0)
    has_attacked: bool = False
    has_swapped: bool = False
    has_grappled: bool = False
    has_checked: bool = False
    has_coup: bool = False
    has_helped: bool = False
    is_held: bool = False

    @property
    def is_untouched(self) -> bool:
        """Whether none of it has been spent."""
        return self == Turn(actions=self.received, received=self.received, has_swapped=self.has_swapped)


def fighter_id(character: CharacterId) -> str:
    """What a character is called in the document of a fight."""
    return f"c{character}"


class RpjCombatant(AnyCombatant):
    """A combatant.

    Attributes:
        id: What it is called in the fight's document.
        kind: What it is.
        side: Whose side it is on.
        mook: The sheet of a mook.
        out: What has become of a mook; characters keep it on their sheet.
        region: Where it is.
        group: Which group it belongs to; groups are numbered through the whole fight.
        wielded: The weapons in its hands, by id.
        initiative: What it rolled.
        modifier: What was added to that roll; settles ties of NPCs.
        toss: A d6 that settles what is left of ties; 0 where none was needed.
        turn: What has become of its turn.
        free_attacks: Free attacks of this round that are left.
        was_targeted: Whether somebody has attacked it in this round.
        charges: Prepare charges.
        barred: Whose groups it cannot join until its next turn.
        brewing: Magic of minutes that it concentrates on, or None; whoever attacks it spoils that.
        under_fire: What Fire and Movement keeps of it.
        saves_lost: How many saves were crossed off when it joined.

    Source: RPJ-GCS-04, RPJ-GCS-05, RPJ-GCS-13, RPJ-GCS-42, RPJ-MNV-02, RPJ-MNV-08.
    """

    id: str
    kind: RpjKind
    side: Side
    mook: MookSheet | None = None
    out: Out = Out.NO
    region: int = 1
    group: int = 0
    wielded: tuple[str, ...] = ()
    initiative: int | None = None
    modifier: int = 0
    toss: int = 0
    turn: Turn = Turn()
    free_attacks: int = Field(default=1, ge=0)
    was_targeted: bool = False
    charges: int = Field(default=0, ge=0)
    barred: tuple[str, ...] = ()
    brewing: Brew | None = None
    under_fire: UnderFire = UnderFire()
    saves_lost: int = Field(default=0, ge=0)

    @property
    def is_foe(self) -> bool:
        """Whether it is on the foes' side."""
        return self.side is Side.FOES

    @property
    def has_a_minute(self) -> bool:
        """Whether a whole turn is free for a task: nothing spent, and not attacked this round.

        Source: RPJ-GCS-13 (R-075).
        """
        return self.turn.is_untouched and not self.was_targeted
