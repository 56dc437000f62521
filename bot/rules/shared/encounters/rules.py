"""What a ruleset says of its fights, and what can be chosen in each of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from pydantic import Field

from bot.rules.kernel import (
    Character,
    CharacterId,
    Closing,
    Document,
    FindUnsettled,
    FollowUp,
    Outcome,
    Scene,
)
from bot.rules.kernel.dice import Dice
from bot.rules.shared.encounters.model import Combatant, FightPlace, FightT

MOST = 100


class StartOptions(Document):
    """Who takes part besides the character acting.

    Attributes:
        others: Who.
        at_once: Whether the order is made at once, before anybody acts.
    """

    others: tuple[CharacterId, ...] = Field(default=(), max_length=MOST)
    at_once: bool = False


class JoinOptions(Document):
    """Who joins; the character acting without it."""

    character: CharacterId | None = None


class AddOptions(Document):
    """Whom the GM lets take part, and whether only the GM knows."""

    characters: tuple[CharacterId, ...] = Field(min_length=1, max_length=MOST)
    hidden: bool = False


class NextOptions(Document):
    """Which turn ends, as `Encounter.turn_key` names it; the one that is on without it."""

    turn: str = Field(default="", max_length=60)


class DelayOptions(Document):
    """Behind whom one acts from now on; behind the next one without it."""

    character: CharacterId | None = None
    after: CharacterId | None = None


class LeaveOptions(Document):
    """Who leaves; the character acting without it."""

    character: CharacterId | None = None


class RevealOptions(Document):
    """Who comes out of hiding."""

    character: CharacterId


class OrderOptions(Document):
    """Who acts in which order; whoever is not named follows in the order that stood."""

    characters: tuple[CharacterId, ...] = Field(min_length=1, max_length=MOST)


class EndOptions(Document):
    """What is done about things that are still open: a GM is asked, where nothing is chosen."""

    unsettled: Closing = Closing.ASK


Delay = Callable[[Scene, CharacterId, CharacterId | None], Outcome]
Reorder = Callable[[Scene, Sequence[CharacterId]], Outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class FightRules(Generic[FightT]):
    """What is a ruleset's own about a fight. The scene given always has one.

    Attributes:
        kept: Where its fights are kept.
        seat: A new participant. Raises `UserError` for whoever cannot take part.
        begin: Makes the order of all who have gathered; turns are taken from then on.
        enter: Gives newcomers, who have no seat yet, their place in an order that stands.
        advance: Ends the turn that is on, with everything that ends and begins with it.
        finish: Everything that ends with the fight; the fight itself goes afterwards.
        opening_words: What to tell where it is opened.
        begin_label: What the button says that makes the order, or the next step towards it.
        opened: What a fight of the ruleset begins as.
        gathering: What can be done before the order stands, besides joining.
        gm_begins: Whether the next step towards the first round is the GM's; else also of whoever takes part.
        players_advance: Whether whoever is on passes the turn on; else only the GM.
        delay: Puts somebody further behind, or why that is not done.
        reorder: Sets the order by hand, or why that is not done.
        leave: What goes with somebody who leaves.
        unsettled: What waits for somebody in the fight, so that it neither ends nor is left before that.
    """

    kept: FightPlace[FightT]
    seat: Callable[[Scene, Character], Combatant]
    begin: Callable[[Scene, Dice], Outcome]
    enter: Callable[[Scene, Sequence[CharacterId], Dice], Outcome]
    advance: Callable[[Scene, Dice], Outcome]
    finish: Callable[[Scene, Dice], Outcome]
    opening_words: Callable[[Scene], tuple[str, ...]] = lambda _scene: ()
    begin_label: Callable[[Scene], str] = lambda _scene: "Begin round 1"
    opened: Callable[[Scene, StartOptions], FightT]
    gathering: Callable[[Scene], tuple[FollowUp, ...]] = lambda _scene: ()
    gm_begins: Callable[[Scene], bool] = lambda _scene: False
    players_advance: bool = True
    delay: Delay | str
    reorder: Reorder | str
    leave: Callable[[Scene, CharacterId], Scene] = lambda scene, _who: scene
    unsettled: FindUnsettled = lambda _scene: ()
