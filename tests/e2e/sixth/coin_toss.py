"""Coin Toss: one coin, one attribute. As small as a ruleset can be."""

from collections.abc import Sequence

from pydantic import Field

from bot.rules.kernel import (
    Character,
    CharacterId,
    Choice,
    Creation,
    Die,
    Document,
    Draft,
    Family,
    HookResult,
    Odds,
    OddsForm,
    Outcome,
    Problem,
    Question,
    Roll,
    RollRule,
    Ruleset,
    RuleText,
    Scene,
    Section,
    Step,
    Verdict,
    declare,
    procedures_of,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import Chance


class Sheet(Document):
    """How many coins one tosses: the best one counts."""

    coins: int = Field(ge=1, le=3, description="How many coins are tossed; the best one counts.")


class Settings(Document):
    """Nothing to set."""


class Toss(Document):
    """What one chooses: nothing."""


def odds(inputs: Sheet) -> Odds:
    """The chances of a toss."""
    cases: int = 2**inputs.coins
    return Odds((("tails", Chance(1, cases)), ("heads", Chance(cases - 1, cases))), needed="heads")


def toss(inputs: Sheet, dice: Dice) -> Roll:
    """Toss the coins; one that shows heads is enough."""
    faces = [dice.roll(2) for _ in range(inputs.coins)]
    came = "heads" if 2 in faces else "tails"
    return Roll(
        rule="toss",
        inputs=inputs,
        dice=tuple(Die(sides=2, face=face, shown=("tails", "heads")[face - 1]) for face in faces),
        verdict=Verdict(Family.SUCCESS if came == "heads" else Family.FAILURE, came),
        odds=odds(inputs),
        fell=came,
    )


def do_toss(scene: Scene, _options: Toss, dice: Dice) -> Outcome:
    """Toss as the character acting."""
    sheet = scene.actor.sheet
    assert isinstance(sheet, Sheet)  # each ruleset is handed its own sheets
    roll = toss(sheet, dice)
    return Outcome(scene=scene, headline="tosses", verdict=roll.verdict, rolls=(roll,))


declare("toss", Toss, do_toss)


COINS = Question(
    key="coins", prompt="How many coins?", choices=tuple(Choice(number, number) for number in "123")
)


def problems(draft: Draft, _settings: Settings) -> tuple[Problem, ...]:
    """The one question there is."""
    return () if draft.get("coins") else (Problem("coins", "Say how many coins you toss."),)


def describe(character: Character, _settings: Settings) -> tuple[Section, ...]:
    """The sheet."""
    assert isinstance(character.sheet, Sheet)  # each ruleset is handed its own sheets
    return (Section("Coins", (str(character.sheet.coins),)),)


def nothing_to_reset(
    scene: Scene, _characters: Sequence[CharacterId], _documents: Sequence[str]
) -> HookResult:
    """Nothing comes back at the end of a session."""
    return HookResult(scene=scene)


RULESET = Ruleset[Sheet, Settings](
    key="coin_toss",
    title="Coin Toss",
    command="coin",
    credit="Nobody in particular",
    sheet=Sheet,
    settings=Settings,
    rolls={"toss": RollRule[Sheet](key="toss", inputs=Sheet, resolve=toss, odds=odds)},
    procedures=procedures_of(__name__),
    creation=Creation(
        steps=lambda _draft, _settings: (
            Step(key="coins", title="Coins", text="More coins, more luck.", picks=(COINS,)),
        ),
        problems=problems,
        build=lambda draft, _settings: Sheet(coins=int(draft["coins"][0])),
        npc=lambda: Sheet(coins=1),
        ready_made={"Penny": Sheet(coins=2)},
    ),
    describe=describe,
    end_session=nothing_to_reset,
    odds=OddsForm[Sheet](question=Sheet, answer=odds),
    glossary=(RuleText(("COIN-01",), "Tossing", "Toss your coins; one head is enough."),),
)
