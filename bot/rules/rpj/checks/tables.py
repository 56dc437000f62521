"""Commands for decision tables, random choices, NPCs without a sheet, and coins flipped by hand."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from bot.rules.kernel import Audience, Document, FollowUp, NamedTerm, Roller, TableRow, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, listed, signed, with_article
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.skill_checks import difficulty_in
from bot.rules.rpj.module.basics import DATA, attribute_bonus
from bot.rules.rpj.module.decision_tables import (
    DECK,
    ChoiceInputs,
    DecisionRow,
    DecisionTable,
    Index,
    TableInputs,
    choose,
    roll_on_table,
)
from bot.rules.rpj.module.module import Module, Pack
from bot.rules.rpj.module.module_files import module_in, require
from bot.rules.rpj.resolution.check import check, written_coins
from bot.rules.rpj.resolution.check_inputs import CheckKind, Critical, RpjCheckInputs, RpjPurpose

DECKS = "deck"
MOST_THINGS = 100


class Deck(Document):
    """The drawn cards of a table. [RPJ-DICE-08 (R-007)]"""

    gone: tuple[str, ...] = ()


class TableOptions(Document):
    """The options of a roll or draw on a decision table."""

    name: str = Field(max_length=100)  # its name or id
    # The position in the face-down deck, from 1; 0 for the top card.
    pick: int = Field(default=0, ge=0, le=52)
    shuffle: bool = False  # whether all cards are put back first


class PickOptions(Document):
    """The options of a random choice."""

    things: str = Field(min_length=1, max_length=1000)  # the things, separated by vertical bars or commas
    # One die for all of them, or d6 that halve the list.
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
    names = listed(table.name for table in module.tables)
    raise UserError(f"This campaign has no table “{typed}”.", f"Its tables: {names}.")


@procedure("table", needs_actor=False)
def throw_on(scene: Scene, options: TableOptions, dice: Dice) -> Outcome:
    """Roll or draw on a decision table of the module. [RPJ-DICE-06, RPJ-DICE-07, RPJ-DICE-08]

    Raises:
        UserError: If there is no such table, or no such position in the deck.
    """
    module = module_in(scene.settings)
    table = table_named(module, options.name)
    key = f"{DECKS}/{table.id}"
    deck = scene.stored(Deck, key)
    gone = () if deck is None or options.shuffle else deck.gone
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


def _onwards(module: Module, row: DecisionRow) -> tuple[FollowUp, ...]:
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


@procedure("pick", needs_actor=False)
def pick_one(scene: Scene, options: PickOptions, dice: Dice) -> Outcome:
    """Choose one of several things. [RPJ-DICE-09]

    Raises:
        UserError: If there are none, or too many.
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


class NpcAbility(StrEnum):
    """How good an NPC is at their trade. [RPJ-GM-01]"""

    MASTERFUL = "masterful"
    COMPETENT = "competent"
    GREEN = "green"


class Closeness(StrEnum):
    """How close a task is to an NPC's trade. [RPJ-GM-01]"""

    IN = "in it"
    ADJACENT = "close to it"
    OUTSIDE = "outside of it"


class RpjStanding(StrEnum):
    """How an NPC compares with others. [RPJ-GM-02]"""

    UNREMARKABLE = "unremarkable"
    AVERAGE = "average"
    ABOVE_AVERAGE = "above average"


class _SkillRow(TableRow):
    """A row of the table of skill levels."""

    ability: NpcAbility
    levels: tuple[int, ...]


class _AttributeRow(TableRow):
    """A row of the table of attribute levels."""

    word: RpjStanding
    level: int


_LEVELS = {row.ability: row.levels for row in DATA.rows("npcs", "skill", _SkillRow)}
_ATTRIBUTES = {row.word: row.level for row in DATA.rows("npcs", "attribute", _AttributeRow)}
_UNTRAINED = (0, 1)


def improvised_levels(ability: NpcAbility, closeness: Closeness) -> tuple[int, ...]:
    """The effective levels that suit an NPC; of two the GM takes one, or a die chooses.

    [RPJ-GM-01 (R-130)]
    """
    if closeness is Closeness.OUTSIDE:
        return _UNTRAINED
    own = _LEVELS[ability]
    halves = (level // 2 for level in own)
    return own if closeness is Closeness.IN else tuple(dict.fromkeys(halves))


def level_choice(levels: tuple[int, ...]) -> ChoiceInputs:
    """The choice of one of several levels by a die. [RPJ-GM-01 (R-130)]"""
    return ChoiceInputs(items=tuple(str(level) for level in levels))


def improvised_attribute(standing: RpjStanding) -> int:
    """The attribute level that suits an NPC. [RPJ-GM-02]"""
    return _ATTRIBUTES[standing]


class How(StrEnum):
    """How good an NPC is: at their trade, or by nature. [RPJ-GM-01, RPJ-GM-02]"""

    MASTERFUL = "masterful"
    COMPETENT = "competent"
    GREEN = "green"
    UNREMARKABLE = "unremarkable"
    AVERAGE = "average"
    ABOVE_AVERAGE = "above average"


class NpcOptions(Document):
    """The options of an improvised NPC."""

    how: How  # how good they are; the last three words mean an attribute
    trade: Closeness = Closeness.IN  # how close a task is to their trade
    what: str = Field(default="", max_length=60)  # the skill or attribute, in free text
    # What they roll against at once; empty where only the level is wanted.
    difficulty: str = Field(default="", max_length=40)


@procedure("npc", gm_only=True, needs_actor=False)
def improvise(scene: Scene, options: NpcOptions, dice: Dice) -> Outcome:
    """Give an NPC without a sheet a level from one word, and roll a check if asked.

    [RPJ-GM-01 (R-130), RPJ-GM-02]
    """
    kind, rolls, what = CheckKind.SKILL, [], options.what.strip()
    npc = Roller(name=what or "NPC")
    notes: tuple[str, ...]
    if options.how.value in tuple(RpjStanding):
        kind, level = CheckKind.ATTRIBUTE, improvised_attribute(RpjStanding(options.how.value))
        notes = (f"Attribute level {level}, bonus {signed(attribute_bonus(level))}.",)
    else:
        levels = improvised_levels(NpcAbility(options.how.value), options.trade)
        if len(levels) > 1:
            rolls.append(choose(level_choice(levels), dice).by(npc, RpjPurpose.LEVEL))
        level = int(str(rolls[0].outcome)) if rolls else levels[0]
        notes = (f"Effective level {level}{f' ({min(levels)} or {max(levels)})' if rolls else ''}.",)
    headline = f"improvises {with_article(options.how.value)} NPC{f': {what}' if what else ''}"
    if not options.difficulty.strip():
        return Outcome(scene=scene, headline=headline, rolls=tuple(rolls), notes=notes, is_public=False)
    module = module_in(scene.settings)
    inputs = RpjCheckInputs(
        kind=kind,
        terms=(NamedTerm(label=what or options.how.value, value=level),) if level else (),
        difficulty=difficulty_in(module, options.difficulty),
        criticals=module.criticals,
    )
    roll = check(inputs, dice).by(npc)
    return Outcome(
        scene=scene, headline=headline, verdict=roll.verdict, rolls=(*rolls, roll), notes=notes, skill=what
    )


class RpjThrown(StrEnum):
    """What a player uses for checks. [RPJ-COIN-01, RPJ-COIN-08]"""

    COINS = "coins"
    DICE = "dice"


class ThrownOptions(Document):
    """The options of choosing coins or dice."""

    thrown: RpjThrown


class WrittenOptions(Document):
    """The options of reading coins flipped by hand."""

    # Three regular ones, the positive and the negative spoiler: "HHT HT".
    coins: str = Field(min_length=1, max_length=20)


@procedure("throw")
def choose_coins_or_dice(scene: Scene, options: ThrownOptions, _dice: Dice) -> Outcome:
    """Use coins or dice from now on. [RPJ-COIN-01, RPJ-COIN-08]"""
    require(scene, Pack.COIN_FLIPS)
    actor = scene.actor
    sheet = evolve(actor.sheet, flips_coins=options.thrown is RpjThrown.COINS)
    scene = scene.with_sheet(actor, sheet)
    done = "flips coins" if options.thrown is RpjThrown.COINS else "rolls dice"
    return Outcome(scene=scene, headline=f"{done} from now on")


@procedure("coins", needs_actor=False)
def read_coins(scene: Scene, options: WrittenOptions, _dice: Dice) -> Outcome:
    """Work out the total of coins flipped by hand; no check is made with them.

    [RPJ-COIN-03, RPJ-COIN-06, RPJ-COIN-09]
    """
    require(scene, Pack.COIN_FLIPS)
    flip = written_coins(options.coins)
    critical = "" if flip.critical is Critical.NONE else f", a critical {flip.critical}"
    return Outcome(scene=scene, headline=f"reads the coins {flip}: {flip.total}{critical}", is_public=False)
