"""Games for tests, and what they answer."""

from collections import defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, TypeVar

from bot.rules.kernel import Character, CharacterId, NoOptions, PersonId, Ruleset, Scene
from bot.rules.kernel.dice import Dice
from bot.rules.own.game_check import read_game
from bot.rules.own.game_parts import OwnGame
from bot.rules.own.game_problems import GameProblem
from bot.rules.own.game_report import Asked, answered, checked_game
from bot.rules.own.own_ruleset import own_ruleset
from bot.rules.own.own_sheet import OwnSheet

HEAD = 'format = 1\nname = "A game"\ncommand = "game"\n'


@cache
def made(text: str) -> OwnGame:
    """A game without problems, of the text behind its first three lines."""
    game, problems = checked_game(HEAD + text)
    assert [str(problem) for problem in problems] == []
    assert game is not None
    return game


def read(text: str) -> OwnGame:
    """The same, of which nothing is proved."""
    game, problems = read_game(HEAD + text)
    assert [str(problem) for problem in problems] == []
    assert game is not None
    return game


def problems_of(text: str) -> list[str]:
    """The problems of a game, as people read them; its text begins in line 4."""
    return [str(problem) for problem in found_in(text)]


def found_in(text: str) -> tuple[GameProblem, ...]:
    """The same, for machines."""
    return checked_game(HEAD + text)[1]


def odds(game: OwnGame, check: str, answers: str = "", sheet: str = "") -> dict[str, Fraction]:
    """The chances of a check: answers and the sheet are typed as "stat=bold bonus=1"."""
    asked = Asked(check, dict(_pairs(answers)), dict(_pairs(sheet)))
    chances = answered(game, asked)["chances"]
    assert isinstance(chances, dict)
    return {name: Fraction(chance) for name, chance in chances.items() if Fraction(chance)}


def _pairs(typed: str) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (word.partition("=") for word in typed.split())]


T = TypeVar("T", bound=Hashable)


def enumerated(sides: tuple[int, ...], rule: Callable[..., T]) -> dict[T, Fraction]:
    """The chance of everything that a rule makes of dice with so many sides, each given as one argument."""
    found = defaultdict[T, Fraction](Fraction)
    rolls = list(product(*(range(1, each + 1) for each in sides)))
    for faces in rolls:
        found[rule(*faces)] += Fraction(1, len(rolls))
    return dict(found)


class BranchingDice:
    """Dice that fall in one way after another, until all have been gone through."""

    def __init__(self) -> None:
        self.path: list[list[int]] = []
        self._at = 0
        self.chance = Fraction(1)

    def roll(self, sides: int) -> int:
        """The next die of this way."""
        if self._at == len(self.path):
            self.path.append([1, sides])
        face, of = self.path[self._at]
        assert of == sides
        self._at += 1
        self.chance /= sides
        return face

    def go_on(self) -> bool:
        """Go on to the next way; False after the last one."""
        del self.path[self._at :]
        self._at, self.chance = 0, Fraction(1)
        while self.path and self.path[-1][0] == self.path[-1][1]:
            self.path.pop()
        if not self.path:
            return False
        self.path[-1][0] += 1
        return True


def every_way(rolled: Callable[[Dice], T]) -> dict[T, Fraction]:
    """The chance of everything that comes of a function which rolls dice."""
    found = defaultdict[T, Fraction](Fraction)
    dice = BranchingDice()
    while True:
        result = rolled(dice)
        found[result] += dice.chance
        if not dice.go_on():
            return dict(found)


HASH = "0123456789abcdef01234567"

WIDE = (
    HEAD
    + """
[create]
points = { total = 4, each = 3 }
roll = { grit = "2d4" }

[create.playbooks.scout]
label = "Scout"
attributes = { eye = 2 }
moves = ["spy"]
items = ["rope"]

[create.playbooks.smith]
label = "Smith"
items = ["torch"]

[attributes]
eye   = { label = "Eye", max = 5 }
hand  = { label = "Hand", max = 5 }
grit  = { label = "Grit", max = 8 }
craft = { label = "Craft", min = "d4", max = "d12", start = "d6" }

[resources]
hp    = { label = "Hit points", start = 6, max = 6, overflow = "guts" }
guts  = { label = "Guts", start = 4, max = 4, empty = "Out cold." }
doom  = { label = "Doom", start = 0, max = 5, full = "It comes.", full_do = ["doom = 0", "night + 1"] }
oil   = { label = "Oil", start = "d8", reset = "rest" }

[clocks]
night = { label = "Night", size = 4 }
spies = { label = "Spies", size = 4, seen = "gm" }

[entries]
bonds = { label = "Bonds", value = "1..3" }

[lists.gear]
label = "Gear"
slots = "hand + 1"

[lists.gear.items]
rope  = { label = "Rope", value = 1 }
torch = { label = "Torch", uses = 2, reset = "rest", do = ["night - 1", "doom + d4"] }
anvil = { label = "Anvil", slots = 4 }

[checks.push]
label = "Push"
ask   = { stat = "attribute", edge = "edge" }
cost  = ["doom + 1"]
dice  = { base = "{stat}d6", none = "1d6", dark = "d6" }
read  = { best = "highest base", low = "highest dark" }
tiers = [
  { name = "Clean", when = "best > low and best >= 5" },
  { name = "Messy", when = "best >= 4", do = ["hp - 2"] },
  { name = "Fails", do = ["hp - 3", "night + 1"] },
]
after = [
  { label = "Again", cost = ["doom + 1"], reroll = "base 1..5", often = "paid" },
  { label = "Add one", cost = ["oil down"], add = "base" },
]

[checks.bond]
label = "Lean on a bond"
ask   = { bond = "bonds" }
dice  = { two = "2d6" }
read  = { sum = "total two" }
value = "sum + bond"
tiers = [{ name = "Holds", is = "9+" }, { name = "Breaks", is = "8-", do = ["bond - 1"] }]

[checks.wrestle]
label = "Wrestle"
ask   = { foe = "character" }
dice  = { roll = "d20" }
read  = { n = "total roll" }
value = "n + hand"
opposed = true
tiers = [
  { name = "You win", when = "value > theirs", do = ["foe.hp - 2"] },
  { name = "You lose", counts = "failure" },
]

[checks.make]
label = "Make something"
dice  = { die = "d{craft} aces" }
read  = { n = "total die" }
tiers = [{ name = "Fine", is = "6+", do = ["craft up"] }, { name = "Junk", is = "5-", do = ["craft down"] }]

[checks.fate]
label = "Draw"
dice  = { deck = "2 cards" }
read  = { high = "highest deck" }
tiers = [{ name = "Bright", is = "11+" }, { name = "Dim", is = "10-", counts = "failure" }]
after = [{ label = "Draw again", cost = ["guts - 1"], reroll = "all" }]

[moves.spy]
label = "Spy"
check = "push"
with  = { stat = "eye" }
do    = { Clean = ["spies + 1"] }

[moves.rally]
label = "Rally"
at    = "ally"
cost  = ["guts - 1"]
do    = ["at.hp + d4"]

[resets]
rest = ["hp + d6", "doom - 1"]
"session end" = ["doom - d4", "guts + 1"]

[fight]
order = "roll"
by    = "d6 + eye"
out   = "guts"

[npcs.rat]
label = "Rat"
resources = { hp = 2 }

[heroes.mo]
label   = "Mo"
playbook = "scout"
attributes = { hand = 2, grit = 5 }
entries = { bonds = { "Old Ann" = 2 } }

[heroes.ada]
label   = "Ada"
playbook = "smith"
attributes = { hand = 4, grit = 3 }
"""
)


def shipped(name: str) -> str:
    return files("bot.rules.own").joinpath("data", f"{name}.toml").read_text("utf-8")


def ruleset(text: str) -> Ruleset[Any, Any]:
    made = own_ruleset(text, HASH)
    assert made is not None
    return made


def game_of(text: str) -> OwnGame:
    game, problems = read_game(text)
    assert game is not None, problems
    return game


GAMES = {name: shipped(name) for name in ("salt", "lamp", "ash")} | {"wide": WIDE}


def scene_of(made: Ruleset[Any, Any]) -> Scene[Any, Any]:
    """Two heroes and everybody whom the GM plays; the first hero acts."""
    sheets = [*made.creation.ready_made.items()][:2]
    foes = [] if made.foes is None else [*made.foes.book.items()]
    everybody = {
        CharacterId(at): Character(
            id=CharacterId(at), name=name, owner=PersonId(at) if at <= len(sheets) else None, sheet=sheet
        )
        for at, (name, sheet) in enumerate([*sheets, *foes], start=1)
    }
    return Scene(
        settings=NoOptions(),
        find_character=everybody.__getitem__,
        find_everybody=lambda: tuple(everybody),
        actor_id=CharacterId(1),
        person=PersonId(1),
    )


def sheet_of(character: Character[Any]) -> OwnSheet:
    """A character's sheet."""
    assert isinstance(character.sheet, OwnSheet)
    return character.sheet
