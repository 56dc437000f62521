"""A stored battle: one document per round, and the pointer to a channel's battle."""

from pydantic import Field

from bot.rules.kernel import Answer, CharacterId, Document, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.mass.battle import BattleSide, MassBattle
from bot.rules.rpj.mass.battle_rolls import commanded, contributed, having_contributed

MASS, BATTLE = "mass", "battle"
BAR = 10


class Deed(Document):
    """A character's check in a battle round.

    Attributes:
        who: Who rolled.
        place: The side it is for, 0 or 1.
        answer: The roll.
        degrees: Degrees of success; None for a failure, or while the GM has to decide.
        to_enemy: Whether these lower the enemy instead; None until chosen.
    """

    who: CharacterId
    place: int = Field(ge=0, le=1)
    answer: Answer
    degrees: int | None = None
    to_enemy: bool | None = None


class MassRound(Document):
    """A battle round, the document of its message.

    Attributes:
        key: Its own key.
        battle: The battle, without what characters have done in this round.
        commands: The command checks, by side.
        contributions: The contribution checks, in their order.
        felled: Mooks of each side already counted from the fight alongside it.
        told: The result of the round in words; empty while it is open.
        is_closed: Whether it has been rolled.

    Source: RPJ-MASS-01, RPJ-MASS-04.
    """

    key: str
    battle: MassBattle
    commands: tuple[Deed, ...] = ()
    contributions: tuple[Deed, ...] = ()
    felled: tuple[int, int] = (0, 0)
    told: tuple[str, ...] = ()
    is_closed: bool = False

    @property
    def standing(self) -> MassBattle:
        """The battle with the characters' checks; undecided successes count for their own side.

        Source: RPJ-MASS-04, RPJ-MASS-06, RPJ-MASS-10.
        """
        battle = self.battle
        for deed in self.commands:
            battle = commanded(battle, deed.place, deed.who, deed.degrees)
        for deed in self.contributions:
            to_enemy = bool(deed.to_enemy)
            battle = having_contributed(battle, deed.who)
            battle = contributed(battle, deed.place, deed.who, deed.degrees or 0, to_enemy=to_enemy)
        return battle

    def command(self, place: int) -> Deed | None:
        """The command check of a side, or None."""
        return next((deed for deed in self.commands if deed.place == place), None)

    def contribution(self, who: CharacterId) -> Deed | None:
        """A character's contribution, or None."""
        return next((deed for deed in self.contributions if deed.who == who), None)

    def with_command(self, deed: Deed) -> "MassRound":
        """The round with a side's command check."""
        rest = tuple(one for one in self.commands if one.place != deed.place)
        return evolve(self, commands=(*rest, deed))

    def with_contribution(self, deed: Deed) -> "MassRound":
        """The round with a character's contribution, replacing an earlier one."""
        if self.contribution(deed.who) is None:
            return evolve(self, contributions=(*self.contributions, deed))
        changed = tuple(deed if one.who == deed.who else one for one in self.contributions)
        return evolve(self, contributions=changed)

    def with_battle(self, battle: MassBattle) -> "MassRound":
        """The round with another state of the battle."""
        return evolve(self, battle=battle)


class BattleAt(Document):
    """The pointer to a channel's battle: the key of its round."""

    at: str


def battle_key(scene: Scene) -> str:
    """The key of a channel's pointer to its battle."""
    return f"{BATTLE}/{scene.channel}"


def find_round(scene: Scene) -> MassRound | None:
    """The round of the channel's battle, or None."""
    where = scene.document(battle_key(scene))
    found = scene.document(where.at) if isinstance(where, BattleAt) else None
    return found if isinstance(found, MassRound) else None


def the_round(scene: Scene) -> MassRound:
    """The round of the channel's battle.

    Raises:
        UserError: If there is no battle.
    """
    found = find_round(scene)
    if found is None:
        raise UserError(
            "There is no battle in this channel.",
            try_this="The GM can start one with /rpj-gm-fight mass start.",
        )
    return found


def open_round(scene: Scene) -> MassRound:
    """The open round of the channel's battle.

    Raises:
        UserError: If there is none.
    """
    found = the_round(scene)
    if found.is_closed or found.battle.is_over:
        raise UserError(
            "The battle is over.",
            try_this="The GM can roll for the wounded with /rpj-gm-fight mass aftermath.",
        )
    return found


def with_round(scene: Scene, battle_round: MassRound) -> Scene:
    """The scene with a round stored."""
    return scene.with_document(battle_round.key, battle_round)


def with_new_round(scene: Scene, battle_round: MassRound) -> Scene:
    """The scene with a new round that the channel's battle continues with."""
    return with_round(scene, battle_round).with_document(battle_key(scene), BattleAt(at=battle_round.key))


def marker_bar(side: BattleSide) -> str:
    """A side's markers as a bar: those left, then those lost."""
    return "◼" * side.markers + "◻" * side.lost
