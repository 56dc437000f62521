"""Coin Toss: the smallest ruleset, with one attribute and one roll."""

from pydantic import Field

from bot.rules.kernel import (
    Choice,
    Creation,
    Die,
    Document,
    Family,
    NoOptions,
    Odds,
    OddsForm,
    Outcome,
    Question,
    Roll,
    RollRule,
    Ruleset,
    RuleText,
    Scene,
    Step,
    Verdict,
    declare,
    procedures_of,
    rolls_of,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import Chance


class Sheet(Document):
    """How many coins a character tosses."""

    coins: int = Field(ge=1, le=3, description="How many coins are tossed; the best one counts.")


def odds(sheet: Sheet) -> Odds:
    """Return the chances of a toss."""
    cases: int = 2**sheet.coins
    return Odds((("tails", Chance(1, cases)), ("heads", Chance(cases - 1, cases))), needed="heads")


def toss(sheet: Sheet, dice: Dice) -> Roll:
    """Toss the coins; one that shows heads is enough."""
    faces = [dice.roll(2) for _ in range(sheet.coins)]
    side = "heads" if 2 in faces else "tails"
    return Roll(
        rule="toss",
        inputs=sheet,
        dice=tuple(Die(sides=2, face=face) for face in faces),
        verdict=Verdict(Family.SUCCESS if side == "heads" else Family.FAILURE, side),
        odds=odds(sheet),
        outcome=side,
    )


def do_toss(scene: Scene[Sheet], _options: NoOptions, dice: Dice) -> Outcome:
    """Toss the acting character's coins."""
    roll = toss(scene.actor.sheet, dice)
    return Outcome(scene=scene, headline="tosses", verdict=roll.verdict, rolls=(roll,))


declare("toss", NoOptions, do_toss)
TOSS = RollRule(key="toss", inputs=Sheet, resolve=toss, odds=odds)
COINS = Question(key="coins", prompt="How many coins?", choices=tuple(Choice(one, one) for one in "123"))
PAGE = Step(key="coins", title="Coins", text="More coins, more luck.", picks=(COINS,))

RULESET = Ruleset[Sheet](
    key="coin_toss",
    title="Coin Toss",
    command="coin",
    credit="Nobody in particular",
    sheet=Sheet,
    rolls=rolls_of(TOSS),
    procedures=procedures_of(__name__),
    creation=Creation(
        steps=lambda _draft, _settings: (PAGE,),
        build=lambda draft, _settings: Sheet(coins=int(draft["coins"][0])),
        npc=lambda: Sheet(coins=1),
        ready_made={"Penny": Sheet(coins=2)},
    ),
    odds=OddsForm[Sheet](question=Sheet, answer=odds),
    glossary=(RuleText(("COIN-01",), "Tossing", "Toss your coins; one head is enough."),),
)
