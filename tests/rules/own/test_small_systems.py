"""Twenty-four small systems: the core roll of each, written in the format and enumerated by hand.

Numbers and procedure only, in our own words. Dread has a tower and no dice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from bot.rules.own.own_play import average, do_move
from tests.dice import ScriptedDice
from tests.rules.own.games import enumerated, made, odds


@dataclass(frozen=True, slots=True)
class Case:
    """One roll: what is asked, the dice in order, and the tier that they give."""

    answers: str
    sides: tuple[int, ...]
    rule: Callable[..., str]
    sheet: str = ""


def system(name: str, stats: str, check: str, *cases: Case) -> Any:
    """A system: its attributes or other tables, its roll, and cases of that."""
    tables = stats if stats.startswith("[") else f"[attributes]\n{stats}"
    return pytest.param(f"{tables if stats else ''}\n[checks.do]\n{check}", cases, id=name)


def d6s(number: int) -> tuple[int, ...]:
    return (6,) * number


def yes_or_no(succeeds: Callable[..., bool]) -> Callable[..., str]:
    return lambda *faces: "Yes" if succeeds(*faces) else "No"


def save(die: int, ability: int) -> bool:
    return die == 1 or (die <= ability and die != 20)


def fate(difficulty: int, approach: int) -> Callable[..., str]:
    def tier(*faces: int) -> str:
        shift = sum(face - 2 for face in faces) + approach - difficulty
        return "Style" if shift >= 3 else "Success" if shift > 0 else "Tie" if shift == 0 else "Failure"

    return tier


def dungeons(added: int) -> Callable[..., str]:
    def tier(*faces: int) -> str:
        total = sum(faces) + added
        return "Critical" if total >= 12 else "Full" if total >= 10 else "Partial" if total >= 7 else "Miss"

    return tier


def percentile(stat: int) -> Callable[[int], str]:
    def tier(die: int) -> str:
        face = die % 100
        succeeds = face < stat and face < 90
        is_critical = face % 11 == 0
        return ("Critical " if is_critical else "") + ("success" if succeeds else "failure")

    return tier


def compared(one: int, other: int) -> str:
    return "Won" if one > other else "Lost" if one < other else "Tied"


def feelings(number: int, *, under: bool) -> Callable[..., str]:
    def tier(*faces: int) -> str:
        if number in faces:
            return "Insight"
        hits = sum(face < number if under else face > number for face in faces)
        return ("Wrong", "Barely", "Good", "Critical")[hits]

    return tier


def blades(*faces: int) -> str:
    if faces.count(6) > 1:
        return "Critical"
    return "Full" if 6 in faces else "Partial" if max(faces) > 3 else "Bad"


def blades_without_dice(*faces: int) -> str:
    return "Full" if min(faces) == 6 else "Partial" if min(faces) > 3 else "Bad"


def tricube(difficulty: int) -> Callable[..., str]:
    def tier(*faces: int) -> str:
        hits = sum(face >= difficulty for face in faces)
        if hits > 1:
            return "Exceptional"
        return "Success" if hits else "Disaster" if set(faces) == {1} else "Failure"

    return tier


def in_thirds(*faces: int) -> str:
    best = max(faces)
    return "Success" if best >= 5 else "Partial" if best >= 3 else "Failure"


def ironsworn(added: int) -> Callable[[int, int, int], str]:
    def tier(action: int, one: int, other: int) -> str:
        score = min(action + added, 10)
        hits = (score > one) + (score > other)
        words = ("Miss", "Weak hit", "Strong hit")[hits]
        return f"{words}, match" if one == other else words

    return tier


def cthulhu(*faces: int) -> str:
    """The insight die comes last."""
    best, insight = max(faces[:-1]), faces[-1]
    told = max(best, insight)
    level = "More" if told == 6 else "All" if told == 5 else "Something" if told == 4 else "Little"
    return f"{level}, and you see it" if insight > best else level


def trophy(lights: int) -> Callable[..., str]:
    def tier(*faces: int) -> str:
        best = max(faces)
        words = "Success" if best == 6 else "Mixed" if best >= 4 else "Failure"
        is_dark = max(faces[lights:]) == best
        return f"{words}, ruin" if is_dark else words

    return tier


def year_zero(base: int) -> Callable[..., str]:
    def tier(*faces: int) -> str:
        sixes = faces.count(6)
        hurt = faces[:base].count(1)
        words = "Many" if sixes > 1 else "One" if sixes else "None"
        return f"{words}, hurt" if hurt else words

    return tier


SYSTEMS = [
    system(
        "Honey Heist",
        """bear = { label = "Bear", max = 6 }
criminal = { label = "Criminal", max = 6 }""",
        """ask = { stat = "attribute" }
dice = { die = "d6" }
read = { n = "total die" }
tiers = [{ name = "Yes", when = "n <= stat" }, { name = "No" }]
""",
        *(
            Case("stat=bear", (6,), yes_or_no(lambda face, bear=bear: face <= bear), f"bear={bear}")
            for bear in range(7)
        ),
    ),
    system(
        "Cairn",
        'str = { label = "STR", min = 1, max = 18 }',
        """dice = { die = "d20" }
read = { n = "total die" }
tiers = [{ name = "Yes", when = "n = 1 or n <= str and n != 20" }, { name = "No" }]
""",
        *(
            Case("", (20,), yes_or_no(lambda face, score=score: save(face, score)), f"str={score}")
            for score in range(1, 19)
        ),
    ),
    system(
        "Knave",
        'int = { label = "INT", max = 10 }',
        """ask = { edge = "edge" }
dice = { die = "d20" }
edge = "highest die"
read = { n = "total die" }
value = "n + int"
tiers = [{ name = "Yes", is = "16+" }, { name = "No", is = "15-" }]
""",
        Case("", (20,), yes_or_no(lambda face: face + 3 > 15), "int=3"),
        Case("edge=advantage", (20, 20), yes_or_no(lambda *two: max(two) + 2 > 15), "int=2"),
        Case("edge=disadvantage", (20, 20), yes_or_no(lambda *two: min(two) + 2 > 15), "int=2"),
    ),
    system(
        "Mausritter",
        'will = { label = "WIL", min = 1, max = 18 }',
        """ask = { edge = "edge" }
dice = { die = "d20" }
edge = "lowest die"
read = { n = "total die" }
tiers = [{ name = "Yes", when = "n <= will" }, { name = "No" }]
""",
        Case("", (20,), yes_or_no(lambda face: face <= 9), "will=9"),
        Case("edge=advantage", (20, 20), yes_or_no(lambda *two: min(two) <= 9), "will=9"),
        Case("edge=disadvantage", (20, 20), yes_or_no(lambda *two: max(two) <= 9), "will=9"),
    ),
    system(
        "Into the Odd",
        'dex = { label = "DEX", min = 3, max = 18 }',
        """dice = { die = "d20" }
read = { n = "total die" }
tiers = [{ name = "Yes", when = "n = 1 or n != 20 and n <= dex" }, { name = "No" }]
""",
        *(
            Case("", (20,), yes_or_no(lambda face, score=score: save(face, score)), f"dex={score}")
            for score in (3, 11, 18)
        ),
    ),
    system(
        "Fate Accelerated",
        'quick = { label = "Quick", max = 3 }',
        """ask = { approach = "attribute", difficulty = "0..8" }
dice = { fate = "4dF" }
read = { f = "total fate" }
let = { shift = "f + approach - difficulty" }
tiers = [
  { name = "Style", when = "shift >= 3" },
  { name = "Success", when = "shift > 0" },
  { name = "Tie", when = "shift = 0" },
  { name = "Failure" },
]
""",
        *(
            Case(f"approach=quick difficulty={hard}", (3, 3, 3, 3), fate(hard, 2), "quick=2")
            for hard in range(9)
        ),
    ),
    system(
        "World of Dungeons",
        'wis = { label = "WIS", max = 3 }',
        """ask = { stat = "attribute" }
dice = { two = "2d6" }
read = { sum = "total two" }
value = "sum + stat"
tiers = [
  { name = "Critical", is = "12+" },
  { name = "Full", is = "10-11" },
  { name = "Partial", is = "7-9" },
  { name = "Miss", is = "6-" },
]
""",
        *(Case("stat=wis", d6s(2), dungeons(wis), f"wis={wis}") for wis in range(4)),
    ),
    system(
        "Risus",
        """[entries.cliche]
label = "Clichés"
value = "1..6"
""",
        """ask = { cliche_used = "cliche", target = "2..30" }
dice = { pool = "{cliche_used}d6" }
read = { sum = "total pool" }
tiers = [{ name = "Yes", when = "sum >= target" }, { name = "No" }]
""",
        *(
            Case(f"cliche_used={dice} target=10", d6s(dice), yes_or_no(lambda *faces: sum(faces) >= 10))
            for dice in range(1, 6)
        ),
    ),
    system(
        "Mothership",
        'combat = { label = "Combat", min = 10, max = 85 }',
        """ask = { stat = "attribute" }
dice = { roll = "d100" }
read = { die = "total roll" }
let = { n = "die % 100", good = "n < stat and n < 90", double = "n % 11 = 0" }
tiers = [
  { name = "Critical success", when = "good and double" },
  { name = "success", when = "good" },
  { name = "Critical failure", when = "double" },
  { name = "failure" },
]
""",
        *(Case("stat=combat", (100,), percentile(stat), f"combat={stat}") for stat in (10, 35, 60, 85)),
    ),
    system(
        "Troika",
        'skill = { label = "Skill", min = 3, max = 10 }',
        """dice = { two = "2d6" }
read = { sum = "total two" }
value = "sum + skill"
opposed = true
tiers = [
  { name = "Won", when = "sum = 12 or value > theirs" },
  { name = "Lost", when = "value < theirs" },
  { name = "Tied" },
]
""",
        *(
            Case(
                f"theirs={theirs}",
                d6s(2),
                lambda one, other, theirs=theirs: (
                    "Won" if one + other == 12 else compared(one + other + 5, theirs)
                ),
                "skill=5",
            )
            for theirs in (8, 12, 17)
        ),
    ),
    system(
        "Maze Rats",
        'dex = { label = "DEX", max = 4 }',
        """ask = { helped = "yes/no" }
dice = { pool = "{2 + helped}d6 highest 2" }
read = { sum = "total pool" }
value = "sum + dex"
tiers = [{ name = "Yes", is = "10+" }, { name = "No" }]
""",
        Case("", d6s(2), yes_or_no(lambda *two: sum(two) + 1 >= 10), "dex=1"),
        Case("helped=yes", d6s(3), yes_or_no(lambda *all_: sum(sorted(all_)[1:]) + 1 >= 10), "dex=1"),
    ),
    system(
        "FKR 2d6",
        "",
        """dice = { two = "2d6" }
read = { sum = "total two" }
opposed = true
tiers = [
  { name = "Won", when = "value > theirs" },
  { name = "Lost", when = "value < theirs" },
  { name = "Tied" },
]
""",
        Case("", d6s(4), lambda *four: compared(sum(four[:2]), sum(four[2:]))),
    ),
    system(
        "Lasers & Feelings",
        'number = { label = "Number", min = 2, max = 5 }',
        """ask = { way = { Lasers = 1, Feelings = 0 }, dice_rolled = "1..3" }
dice = { pool = "{dice_rolled}d6" }
read = { low = "count pool < number", high = "count pool > number", exact = "count pool = number" }
value = "low if way else high"
tiers = [
  { name = "Insight", when = "exact > 0" },
  { name = "Wrong", is = "0" },
  { name = "Barely", is = "1" },
  { name = "Good", is = "2" },
  { name = "Critical", is = "3" },
]
""",
        *(
            Case(
                f"way={way} dice_rolled={dice}",
                d6s(dice),
                feelings(number, under=way == "Lasers"),
                f"number={number}",
            )
            for way in ("Lasers", "Feelings")
            for dice in (1, 2, 3)
            for number in (2, 3, 4, 5)
        ),
    ),
    system(
        "Blades in the Dark",
        'prowl = { label = "Prowl", max = 4 }',
        """ask = { action = "attribute", push = "yes/no" }
dice = { pool = "{action + push}d6", none = "2d6 lowest" }
read = { best = "highest pool", sixes = "count pool = 6" }
tiers = [
  { name = "Critical", when = "sixes >= 2" },
  { name = "Full", when = "best = 6" },
  { name = "Partial", when = "best >= 4" },
  { name = "Bad" },
]
""",
        Case("action=prowl", d6s(2), blades_without_dice, "prowl=0"),
        *(Case("action=prowl", d6s(dice), blades, f"prowl={dice}") for dice in range(1, 5)),
        Case("action=prowl push=yes", d6s(5), blades, "prowl=4"),
    ),
    system(
        "Tricube Tales",
        "",
        """ask = { dice_rolled = "1..3", difficulty = "4..6" }
dice = { pool = "{dice_rolled}d6" }
read = { hits = "count pool >= difficulty", ones = "count pool = 1" }
tiers = [
  { name = "Exceptional", when = "hits >= 2" },
  { name = "Success", when = "hits = 1" },
  { name = "Disaster", when = "ones = dice_rolled" },
  { name = "Failure" },
]
""",
        *(
            Case(f"dice_rolled={dice} difficulty={hard}", d6s(dice), tricube(hard))
            for dice in (1, 2, 3)
            for hard in (4, 5, 6)
        ),
    ),
    system(
        "Lumen",
        'force = { label = "Force", min = 1, max = 4 }',
        """ask = { stat = "attribute" }
dice = { pool = "{stat}d6" }
read = { best = "highest pool" }
tiers = [
  { name = "Success", is = "5+" },
  { name = "Partial", is = "3-4" },
  { name = "Failure", is = "2-" },
]
""",
        *(Case("stat=force", d6s(dice), in_thirds, f"force={dice}") for dice in (1, 2, 3, 4)),
    ),
    system(
        "Breathless",
        'bash = { label = "Bash", start = "d8", min = "d4", max = "d12" }',
        """ask = { skill = "attribute" }
dice = { die = "d{skill}" }
read = { n = "total die" }
tiers = [
  { name = "Success", is = "5+", do = ["skill down"] },
  { name = "Partial", is = "3-4", do = ["skill down"] },
  { name = "Failure", is = "2-", do = ["skill down"] },
]
""",
        *(Case("skill=bash", (die,), in_thirds, f"bash=d{die}") for die in (6, 8, 10, 12)),
    ),
    system(
        "24XX",
        'tech = { label = "Tech", start = "d6", min = "d4", max = "d12" }',
        """ask = { skill = "attribute", helped = "yes/no" }
dice = { die = "d{skill}", help = "{helped}d6" }
read = { n = "highest die, help" }
tiers = [
  { name = "Success", is = "5+" },
  { name = "Partial", is = "3-4" },
  { name = "Failure", is = "2-" },
]
""",
        Case("skill=tech", (12,), in_thirds, "tech=d12"),
        Case("skill=tech helped=yes", (4, 6), in_thirds, "tech=d4"),
        Case("skill=tech helped=yes", (10, 6), in_thirds, "tech=d10"),
    ),
    system(
        "Ironsworn",
        'edge_stat = { label = "Edge", min = 1, max = 4 }',
        """ask = { stat = "attribute", adds = "0..4" }
dice = { action = "d6", ch = "2d10" }
read = { act = "total action", hits = "count ch < score", match = "doubles ch" }
let = { score = "min(act + stat + adds, 10)" }
tiers = [
  { name = "Strong hit, match", when = "hits = 2 and match" },
  { name = "Strong hit", when = "hits = 2" },
  { name = "Weak hit", when = "hits = 1" },
  { name = "Miss, match", when = "match" },
  { name = "Miss" },
]
""",
        *(
            Case(f"stat=edge_stat adds={adds}", (6, 10, 10), ironsworn(2 + adds), "edge_stat=2")
            for adds in range(5)
        ),
    ),
    system(
        "Cthulhu Dark",
        "",
        """ask = { human = "0..1", job = "0..1" }
dice = { own = "{1 + job}d6", insight = "d6" }
read = { best = "highest own", seen = "highest insight", all = "highest own, insight" }
tiers = [
  { name = "More, and you see it", when = "all = 6 and seen > best" },
  { name = "More", when = "all = 6" },
  { name = "All, and you see it", when = "all = 5 and seen > best" },
  { name = "All", when = "all = 5" },
  { name = "Something, and you see it", when = "all = 4 and seen > best" },
  { name = "Something", when = "all = 4" },
  { name = "Little, and you see it", when = "seen > best" },
  { name = "Little" },
]
""",
        Case("job=0", d6s(2), cthulhu),
        Case("job=1", d6s(3), cthulhu),
    ),
    system(
        "Trophy",
        "",
        """ask = { lights = "1..4", darks = "1..3" }
dice = { light = "{lights}d6", dark = "{darks}d6" }
read = { best = "highest light, dark", shadow = "highest dark" }
tiers = [
  { name = "Success, ruin", when = "best = 6 and shadow = best" },
  { name = "Success", when = "best = 6" },
  { name = "Mixed, ruin", when = "best >= 4 and shadow = best" },
  { name = "Mixed", when = "best >= 4" },
  { name = "Failure, ruin", when = "shadow = best" },
  { name = "Failure" },
]
""",
        *(
            Case(f"lights={lights} darks={darks}", d6s(lights + darks), trophy(lights))
            for lights in (1, 2)
            for darks in (1, 2)
        ),
    ),
    system(
        "Year Zero",
        "",
        """ask = { skill = "1..8", weapon = "0..6" }
dice = { base = "{skill}d6", gear = "{weapon}d6" }
read = { sixes = "count base, gear = 6", hurt = "count base = 1" }
tiers = [
  { name = "Many, hurt", when = "sixes > 1 and hurt > 0" },
  { name = "Many", when = "sixes > 1" },
  { name = "One, hurt", when = "sixes = 1 and hurt > 0" },
  { name = "One", when = "sixes = 1" },
  { name = "None, hurt", when = "hurt > 0" },
  { name = "None" },
]
after = [{ label = "Push", reroll = "base 2..5, gear 2..5" }]
""",
        *(
            Case(f"skill={skill} weapon={gear}", d6s(skill + gear), year_zero(skill))
            for skill, gear in ((1, 0), (2, 1), (3, 2), (4, 2))
        ),
    ),
]


@pytest.mark.parametrize(("text", "cases"), SYSTEMS)
def test_the_core_roll_has_the_chances_of_a_plain_enumeration(text: str, cases: tuple[Case, ...]) -> None:
    game = made(text)

    for case in cases:
        assert odds(game, "do", case.answers, case.sheet) == enumerated(case.sides, case.rule), case.answers


class TestSavageWorlds:
    """Aces go on for ever in the book; here they end after ten, which changes no chance of these tiers."""

    TEXT = """
[attributes]
fight = { label = "Fighting", start = "d6", min = "d4", max = "d12" }
[checks.do]
ask = { trait = "attribute", bonus = "-2..2" }
dice = { own = "d{trait} aces", wild = "d6 aces" }
read = { best = "highest own, wild" }
value = "best + bonus"
tiers = [
  { name = "Snake eyes", when = "best = 1" },
  { name = "Raise", is = "8+" },
  { name = "Success", is = "4-7" },
  { name = "Failure", is = "3-" },
]
"""

    @staticmethod
    def below(target: int, sides: int) -> Fraction:
        """The chance that a die with aces shows less, counted face by face."""
        return sum(
            (
                Fraction(1, sides)
                if face < sides
                else Fraction(1, sides) * TestSavageWorlds.below(target - sides, sides)
                for face in range(1, sides + 1)
                if face < target and (face < sides or target > sides)
            ),
            Fraction(0),
        )

    @pytest.mark.parametrize("sides", [4, 6, 8, 10, 12])
    def test_the_better_of_two_dice_with_aces(self, sides: int) -> None:
        below_4 = self.below(4, sides) * self.below(4, 6)
        below_8 = self.below(8, sides) * self.below(8, 6)
        snake_eyes = Fraction(1, 6 * sides)

        assert odds(made(self.TEXT), "do", "trait=fight", f"fight=d{sides}") == {
            "Snake eyes": snake_eyes,
            "Raise": 1 - below_8,
            "Success": below_8 - below_4,
            "Failure": below_4 - snake_eyes,
        }


def test_wanderhome_has_tokens_and_no_dice() -> None:
    game = made("""
[resources]
tokens = { label = "Tokens", start = 1, max = 12 }
[moves.rest]
label = "Take a moment"
do = ["tokens + 1"]
[moves.ease]
label = "Ease somebody's pain"
cost = ["tokens - 1"]
""")

    rested = do_move(game, game.moves["rest"], average(game), ScriptedDice(""))
    eased = do_move(game, game.moves["ease"], rested.numbers, ScriptedDice(""))

    assert (rested.numbers["tokens"], eased.numbers["tokens"]) == (2, 1)


def test_there_are_twenty_four() -> None:
    assert len(SYSTEMS) + 2 == 24
