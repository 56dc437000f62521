from bot.rules.kernel import Die
from bot.rules.kernel.odds import Chance
from bot.rules.shared.notation.roll import FreeRollInputs, free_roll
from tests.dice import ScriptedDice


def test_a_free_roll_stores_every_die_and_its_chance() -> None:
    rolled = free_roll(FreeRollInputs(expression="2d6kh1 / 2"), ScriptedDice("d6:3 d6:5"))

    assert rolled.dice == (Die(sides=6, face=3), Die(sides=6, face=5))
    assert (rolled.total, rolled.verdict.title) == (2, "2.5")
    assert rolled.odds is not None
    assert rolled.odds.enough == Chance(27, 36).fraction
    assert [name for name, _ in rolled.odds.chances] == ["less", "this", "more"]


def test_a_free_roll_without_finite_chances_has_no_chance() -> None:
    assert free_roll(FreeRollInputs(expression="1d6e6"), ScriptedDice("d6:3")).odds is None
