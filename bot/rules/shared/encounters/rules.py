"""A ruleset's functions for its fights, and the options of the fight procedures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from pydantic import Field

from bot.rules.kernel import (
    Character,
    CharacterId,
    Closing,
    Document,
    FollowUp,
    ForTypes,
    Outcome,
    Scene,
    SettingsT_co,
    SheetT_co,
    Unsettled,
    nothing,
)
from bot.rules.kernel.dice import Dice
from bot.rules.shared.encounters.model import AnyCombatant, FightPlace, FightT

MOST = 100


class StartOptions(Document):
    """Options for starting a fight.

    Attributes:
        others: Who.
        at_once: Whether the order is made at once, before anybody acts.
    """

    others: tuple[CharacterId, ...] = Field(default=(), max_length=MOST)
    at_once: bool = False


class JoinOptions(Document):
    """Options for joining: who joins, by default the acting character."""

    character: CharacterId | None = None


class AddOptions(Document):
    """Options for adding: whom, and whether they are hidden."""

    characters: tuple[CharacterId, ...] = Field(min_length=1, max_length=MOST)
    hidden: bool = False


class NextOptions(Document):
    """Options for ending a turn: which one (`Encounter.turn_key`), by default the current one."""

    turn: str = Field(default="", max_length=60)


class DelayOptions(Document):
    """Options for delaying: behind whom, by default the next combatant."""

    character: CharacterId | None = None
    after: CharacterId | None = None


class LeaveOptions(Document):
    """Options for leaving: who leaves, by default the acting character."""

    character: CharacterId | None = None


class RevealOptions(Document):
    """Options for revealing a hidden combatant."""

    character: CharacterId


class OrderOptions(Document):
    """Options for setting the order; combatants not named follow in their old order."""

    characters: tuple[CharacterId, ...] = Field(min_length=1, max_length=MOST)


class EndOptions(Document):
    """Options for ending: what happens to unsettled things; a GM is asked if nothing is chosen."""

    unsettled: Closing = Closing.ASK


def _begin_words(_scene: object) -> str:
    return "Start round 1"


def _never(_scene: object) -> bool:
    return False


def _as_it_is(scene: Scene, _who: object) -> Scene:
    return scene


@dataclass(frozen=True, slots=True, kw_only=True)
class FightRules(ForTypes, Generic[FightT, SheetT_co, SettingsT_co]):
    """A ruleset's own part of a fight; the given scene always has a fight.

    Attributes:
        place: Where its fights are stored.
        new_combatant: Makes a combatant. Raises `UserError` if the character can't take part.
        begin: Sets the turn order of everyone who has joined, and starts the first turn.
        enter: Gives newcomers their place in the turn order.
        advance: Ends the current turn and starts the next, with all their effects.
        finish: Ends everything that ends with the fight; the fight is deleted afterwards.
        opening_words: Notes in the message that opens the fight.
        begin_label: The label of the button that sets the order, or of the next step towards it.
        opened: Makes the ruleset's empty fight.
        gathering: Buttons shown before the order is set, besides joining.
        gm_begins: Whether only the GM can take the next step towards the first round.
        players_advance: Whether players end their own turns; otherwise only the GM does.
        delay: Moves a combatant to a later place in the order, or says why the ruleset has no delaying.
        reorder: Sets the order by hand, or says why the ruleset doesn't allow it.
        leave: Removes everything that goes with a leaving combatant.
        unsettled: Pending decisions and rolls; the fight can't end or be left before they are settled.
    """

    place: FightPlace[FightT]
    new_combatant: Callable[[Scene[SheetT_co, SettingsT_co], Character[SheetT_co]], AnyCombatant]
    begin: Callable[[Scene[SheetT_co, SettingsT_co], Dice], Outcome[Scene[SheetT_co, SettingsT_co]]]
    enter: Callable[
        [Scene[SheetT_co, SettingsT_co], Sequence[CharacterId], Dice], Outcome[Scene[SheetT_co, SettingsT_co]]
    ]
    advance: Callable[[Scene[SheetT_co, SettingsT_co], Dice], Outcome[Scene[SheetT_co, SettingsT_co]]]
    finish: Callable[[Scene[SheetT_co, SettingsT_co], Dice], Outcome[Scene[SheetT_co, SettingsT_co]]]
    opening_words: Callable[[Scene[SheetT_co, SettingsT_co]], tuple[str, ...]] = nothing
    begin_label: Callable[[Scene[SheetT_co, SettingsT_co]], str] = _begin_words
    opened: Callable[[Scene[SheetT_co, SettingsT_co], StartOptions], FightT]
    gathering: Callable[[Scene[SheetT_co, SettingsT_co]], tuple[FollowUp, ...]] = nothing
    gm_begins: Callable[[Scene[SheetT_co, SettingsT_co]], bool] = _never
    players_advance: bool = True
    delay: (
        Callable[
            [Scene[SheetT_co, SettingsT_co], CharacterId, CharacterId | None],
            Outcome[Scene[SheetT_co, SettingsT_co]],
        ]
        | str
    )
    reorder: (
        Callable[
            [Scene[SheetT_co, SettingsT_co], Sequence[CharacterId]], Outcome[Scene[SheetT_co, SettingsT_co]]
        ]
        | str
    )
    leave: Callable[[Scene[SheetT_co, SettingsT_co], CharacterId], Scene] = _as_it_is
    unsettled: Callable[[Scene[SheetT_co, SettingsT_co]], tuple[Unsettled, ...]] = nothing
