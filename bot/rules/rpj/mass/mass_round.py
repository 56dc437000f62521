"""A battle as the table keeps it: one document a round, and where the battle of a channel is found."""

from pydantic import Field

from bot.rules.kernel import Answer, CharacterId, Document
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.mass.battle import BattleSide, MassBattle
from bot.rules.rpj.mass.battle_rolls import commanded, contributed, having_contributed

MASS, BATTLE = "mass", "battle"
BAR = 10


class Deed(Document):
    """Somebody's check in a round of a battle.

    Attributes:
        who: Whose.
        place: Which side it is for, 0 or 1.
        answer: The roll.
        degrees: Degrees of success; None for a failure, or where the GM is still to say.
        to_enemy: Whether these lower the enemy instead; None while that is open.
    """

    who: CharacterId
    place: int = Field(ge=0, le=1)
    answer: Answer
    degrees: int | None = None
    to_enemy: bool | None = None


class MassRound(Document):
    """A round of a battle, at the message where everybody does their share.

    Attributes:
        key: Its own key.
        battle: The battle, without what characters have done in this round.
        commands: The command checks, by side.
        contributions: The contribution checks, in their order.
        felled: Mooks of each side whose fall in the fight beside it has been counted.
        told: What the round came to; nothing while it is open.
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
        """The battle with what characters have done; what nobody has decided on counts for one's own side.

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
        """Somebody's contribution, or None."""
        return next((deed for deed in self.contributions if deed.who == who), None)

    def with_command(self, deed: Deed) -> "MassRound":
        """The same round with a side's command check."""
        rest = tuple(one for one in self.commands if one.place != deed.place)
        return self.model_copy(update={"commands": (*rest, deed)})

    def with_contribution(self, deed: Deed) -> "MassRound":
        """The same round with somebody's contribution, in the place of an earlier one of theirs."""
        if self.contribution(deed.who) is None:
            return self.model_copy(update={"contributions": (*self.contributions, deed)})
        changed = tuple(deed if one.who == deed.who else one for one in self.contributions)
        return self.model_copy(update={"contributions": changed})

    def with_battle(self, battle: MassBattle) -> "MassRound":
        """The same round of a battle that has changed otherwise."""
        return self.model_copy(update={"battle": battle})


class BattleAt(Document):
    """Where the battle of a channel is: the document of its round."""

    at: str


def battle_key(scene: Scene) -> str:
    """The key under which a channel keeps where its battle is."""
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
        raise UserError("There is no battle in this channel.", try_this="/rpj-mass gm start begins one.")
    return found


def open_round(scene: Scene) -> MassRound:
    """The round of the channel's battle, which is still to be fought.

    Raises:
        UserError: If there is none.
    """
    found = the_round(scene)
    if found.is_closed or found.battle.is_over:
        raise UserError("The battle is over.", try_this="/rpj-mass gm aftermath counts the wounded.")
    return found


def kept_round(scene: Scene, kept: MassRound) -> Scene:
    """The scene with a round written anew."""
    return scene.with_document(kept.key, kept)


def begun_round(scene: Scene, kept: MassRound) -> Scene:
    """The scene with a new round, which the channel's battle is at from now on."""
    return kept_round(scene, kept).with_document(battle_key(scene), BattleAt(at=kept.key))


def marker_bar(side: BattleSide) -> str:
    """A side's markers: those that stand, those that are lost."""
    return "◼" * side.markers + "◻" * side.lost
