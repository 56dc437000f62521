"""The commands for decision tables and random choices."""

from typing import Literal

from pydantic import Field

from bot.rules.kernel import Audience, Document, FollowUp, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.module.decision_tables import (
    DECK,
    DecisionTable,
    Index,
    TableInputs,
    TableRow,
    roll_on_table,
)
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.choices import ChoiceInputs, choose

DECKS = "deck"
MOST_THINGS = 100


class Deck(Document):
    """The drawn cards of a table.

    Source: RPJ-DICE-08 (R-007).
    """

    gone: tuple[str, ...] = ()


class TableOptions(Document):
    """The options of a roll or draw on a decision table.

    Attributes:
        name: Its name or id.
        pick: The position in the face-down deck, from 1; 0 for the top card.
        shuffle: Whether all cards are put back first.
    """

    name: str = Field(max_length=100)
    pick: int = Field(default=0, ge=0, le=52)
    shuffle: bool = False


class PickOptions(Document):
    """The options of a random choice.

    Attributes:
        things: The things, separated by vertical bars or commas.
        dice: One die for all of them, or d6 that halve the list.
    """

    things: str = Field(min_length=1, max_length=1000)
    dice: Literal["one die for all", "halve with d6"] = "one die for all"


def table_named(module: Module, typed: str) -> DecisionTable:
    """The decision table a person typed, by its name or id.

    Raises:
        UserError: If the module has no such table.
    """
    wanted = typed.strip().casefold()
    for table in module.tables:
        if wanted in (table.name.casefold(), table.id):
            return table
    names = ", ".join(table.name for table in module.tables) or "none"
    raise UserError(f"{module.name} has no table called “{typed}”.", f"Its tables: {names}.")


def throw_on(scene: Scene, options: TableOptions, dice: Dice) -> Outcome:
    """Roll or draw on a decision table of the module.

    Raises:
        UserError: If there is no such table, or no such position in the deck.

    Source: RPJ-DICE-06, RPJ-DICE-07, RPJ-DICE-08.
    """
    module = module_in(scene.settings)
    table = table_named(module, options.name)
    key = f"{DECKS}/{table.id}"
    deck = scene.document(key)
    gone = deck.gone if isinstance(deck, Deck) and not options.shuffle else ()
    inputs = TableInputs.of(table, gone=gone, picked=options.pick)
    left = len(DECK) - len(inputs.gone)
    if options.pick > (left if table.index is Index.CARDS else 0):
        hint = f"{counted(left, 'card')} left." if table.index is Index.CARDS else f"{table.name} uses dice."
        raise UserError(f"There is no card {options.pick}.", hint)
    roll = roll_on_table(inputs, dice)
    if table.index is Index.CARDS and table.keeps_discards:
        scene = scene.with_document(key, Deck(gone=(*inputs.gone, str(roll.outcome))))
    row = table.row(str(roll.outcome))
    verb = "draws a card for" if table.index is Index.CARDS else "rolls on"
    return Outcome(
        scene=scene,
        headline=f"{verb} {table.name}",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=(row.text,),
        follow_ups=_onwards(module, row),
    )


declare("table", TableOptions, throw_on, needs_actor=False)


def _onwards(module: Module, row: TableRow) -> tuple[FollowUp, ...]:
    following = next((table for table in module.tables if table.id == row.roll_on), None)
    if following is None:
        return ()
    button = FollowUp(
        procedure="table",
        options=TableOptions(name=following.id),
        label=f"Roll on {following.name}"[:80],
        audience=Audience.ANYONE,
        group="table",
    )
    return (button,)


def pick_one(scene: Scene, options: PickOptions, dice: Dice) -> Outcome:
    """Choose one of several things.

    Raises:
        UserError: If there are none, or too many.

    Source: RPJ-DICE-09.
    """
    mark = "|" if "|" in options.things else ","
    things = tuple(part.strip() for part in options.things.split(mark) if part.strip())
    if not 1 <= len(things) <= MOST_THINGS:
        raise UserError(f"Give 1 to {MOST_THINGS} things to choose from.", "Separate them with | or commas.")
    roll = choose(ChoiceInputs(items=things, is_uniform=options.dice == "one die for all"), dice)
    return Outcome(
        scene=scene,
        headline=f"picks one of {counted(len(things), 'thing')} at random",
        verdict=roll.verdict,
        rolls=(roll,),
    )


declare("pick", PickOptions, pick_one, needs_actor=False)
