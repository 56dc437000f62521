"""The coin commands: choosing coins or dice, and reading coins flipped by hand."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Document, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.module.require_rules import Pack, require
from bot.rules.rpj.resolution.coins import written_coins
from bot.rules.rpj.resolution.criticals import Critical


class RpjThrown(StrEnum):
    """What a player uses for checks.

    Source: RPJ-COIN-01, RPJ-COIN-08.
    """

    COINS = "coins"
    DICE = "dice"


class ThrownOptions(Document):
    """The options of choosing coins or dice."""

    thrown: RpjThrown


class WrittenOptions(Document):
    """The options of reading coins flipped by hand.

    Attributes:
        coins: Three regular ones, the positive and the negative spoiler: "HHT HT".
    """

    coins: str = Field(min_length=1, max_length=20)


def choose(scene: Scene, options: ThrownOptions, _dice: Dice) -> Outcome:
    """Use coins or dice from now on.

    Source: RPJ-COIN-01, RPJ-COIN-08.
    """
    require(scene, Pack.COIN_FLIPS)
    actor = scene.actor
    sheet = evolve(actor.sheet, flips_coins=options.thrown is RpjThrown.COINS)
    scene = scene.with_sheet(actor, sheet)
    done = "flips coins" if options.thrown is RpjThrown.COINS else "rolls dice"
    return Outcome(scene=scene, headline=f"{done} from now on")


declare("throw", ThrownOptions, choose)


def read_coins(scene: Scene, options: WrittenOptions, _dice: Dice) -> Outcome:
    """Work out the total of coins flipped by hand; no check is made with them.

    Source: RPJ-COIN-03, RPJ-COIN-06, RPJ-COIN-09.
    """
    require(scene, Pack.COIN_FLIPS)
    flip = written_coins(options.coins)
    critical = "" if flip.critical is Critical.NONE else f", a critical {flip.critical}"
    return Outcome(scene=scene, headline=f"reads the coins {flip}: {flip.total}{critical}", is_public=False)


declare("coins", WrittenOptions, read_coins, needs_actor=False)
