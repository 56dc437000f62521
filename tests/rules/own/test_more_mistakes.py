"""The rarer mistakes of a game's file: each has its sentence."""

import pytest

from tests.rules.own.games import made, problems_of

SHEET = """[attributes]
bold = { label = "Bold", max = 3, group = "Main" }
blade = { label = "Blade", start = "d6" }
[resources]
luck = { label = "Luck", start = 1, max = 3 }
[entries.bond]
label = "Bonds"
value = "1..4"
[lists.gear]
label = "Gear"
[lists.gear.items]
rope = { label = "Rope", value = 2 }
"""
CHECK = (
    SHEET
    + """[checks.do]
dice = { two = "2d6", die = "d8" }
read = { sum = "total two", n = "total die" }
value = "sum"
"""
)
TIERS = 'tiers = [{ name = "Hit", is = "7+" }, { name = "Miss" }]\n'
ASKED = SHEET + '[checks.do]\ndice = { d = "d6" }\nread = { n = "total d" }\ntiers = [{ name = "All" }]\n'
MOVED = (
    ASKED
    + 'ask = { stat = "attribute", way = ["On foot", "By sea"], bonus = "0..3", who = "character" }\n'
    + '[moves.go]\nlabel = "Go"\n'
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '[attributes]\na = { label = "A", start = "d6", max = 3 }',
            "max: this should be a die too, such as “d6”.",
        ),
        ('[attributes]\na = { label = "A", start = "d20" }', "start: d20 is not between d4 and d12."),
        ('[attributes]\na = { label = "A", max = "3 + 4" }', "max: this should be a whole number or a die."),
        ('[attributes]\na = { label = "A", start = 4, max = 3 }', "start: 4 is not between 0 and 3."),
        (
            '[attributes]\na = { label = "A", start = "b" }\nb = { label = "B", start = "a" }',
            "“a” begins with what",
        ),
        ('[attributes]\na = { label = "A", max = 1000001 }', "max: this is larger than 1,000,000."),
        (
            f'[attributes]\na = {{ label = "A", start = "{"1" * 201}" }}',
            "start: this has 201 characters; 200 is",
        ),
        ('[attributes]\na = { label = "" }', "label: this is empty."),
        (
            '[attributes]\na = { label = "A", was = "x" }\nb = { label = "B", was = "x" }',
            "was: “a” was “x” already.",
        ),
        ('[attributes]\na = { label = "A" }\nb = { label = "B", was = "a" }', "“a” is still there under"),
        ('[resources]\na = { label = "A", min = 4, max = 3 }', "max: 3 is below the least, 4."),
        ('[resources]\na = { label = "A", min = 1.5 }', "min: this should be a whole number."),
        ('[resources]\na = { label = "A", overflow = "b" }', "overflow: “b” is nothing that can take it."),
        ('[resources]\na = { label = "A", full_do = "a + 1" }', "full_do: this should be a list."),
        (
            '[tracks]\na = { label = "A", boxes = "three" }',
            "boxes: this should be a number of boxes, or a list",
        ),
        ('[tracks]\na = { label = "A", boxes = 25 }', "boxes: this has 25 boxes; 1 to 24 are allowed."),
        ('[clocks]\na = { label = "A", size = 0 }', "size: this should be 1 or more."),
        ('[clocks]\na = { label = "A", size = 101 }', "size: this should be 100 or less."),
        ('[clocks]\na = { label = "A", size = 4, seen = "some" }', "seen: this should be 'all' or 'gm'."),
        ('[entries.a]\nlabel = "A"\nvalue = "some"', "value: this should be “1..6”, “d4..d12” or “words”."),
        ("attributes = 3", "[attributes] this should be a table."),
        ('[create]\nroll = { a = "2d6" }', "roll: “a” is no attribute."),
        (
            '[create]\npoints = { total = 3, group = "Skills" }',
            "points, group: “Skills” is no group of attributes.",
        ),
        ('[create.playbooks.a]\nlabel = "A"\nmoves = ["go"]', "playbooks, a, moves: “go” is no move."),
        ('[heroes.a]\nlabel = "A"\nplaybook = "b"', "playbook: “b” is no playbook."),
        ('[heroes.a]\nlabel = "A"\nwords = { b = "B" }', "words: “b” is no question of creation."),
        ('[heroes.a]\nlabel = "A"\nentries = { b = { C = 1 } }', "entries: “b” is no kind of entries."),
        ('[fight]\ncheck = "do"', "check: “do” is no check."),
        ('[fight]\nout = "harm"', "out: “harm” is no track or resource."),
        (
            SHEET + '[heroes.a]\nlabel = "A"\nattributes = { blade = "d20" }',
            "blade: this should be one of d4, d6,",
        ),
        (
            SHEET + '[heroes.a]\nlabel = "A"\nattributes = { bold = "d6" }',
            "bold: this should be a whole number.",
        ),
        (SHEET + '[resets]\nrest = ["luck +"]', "rest: an amount is missing after “luck +”."),
        (
            SHEET + '[resets]\nrest = ["bond + 1"]',
            "rest: ask for one of “bond” first, and change the answer.",
        ),
        (CHECK, "tiers: this is missing."),
        (CHECK + TIERS + "opposed = 1", "opposed: this should be true or false."),
        (CHECK + TIERS + 'let = { sum = "1" }', "let, sum: “sum” stands twice in this check."),
        (CHECK + TIERS + 'ask = { a = "clock" }', "ask, a: there are no clocks to choose from."),
        (
            CHECK + TIERS + 'ask = { a = "atribute" }',
            "a: “atribute” is no kind of question. Did you mean “attribute”?",
        ),
        (
            CHECK + TIERS + 'ask = { a = "attribute of Mian" }',
            "“Mian” is no group of attributes. Did you mean “Main”?",
        ),
        (
            '[checks.do]\nask = { a = "attribute" }\ndice = { d = "d6" }\n' + TIERS,
            "there are no attributes to choose",
        ),
        (CHECK + TIERS + 'ask = { a = "3..1" }', "ask, a: a range goes up, and by 1,000 at most."),
        (
            CHECK + TIERS + 'ask = { a = ["b", "b"] }',
            "ask, a: every choice should be there once, and one at least.",
        ),
        (
            CHECK + TIERS + 'ask = { a = ["bold", "bald"] }',
            "ask, a: “bald” is no name I know here. Did you mean “bold”?",
        ),
        (CHECK + TIERS + "ask = { a = [1, 2] }", "ask, a: every choice should be a text in quotes."),
        (CHECK + TIERS + 'ask = { a = [""] }', "ask, a: a choice has 0 characters; 1 to 45 are allowed."),
        (CHECK + TIERS + "ask = { a = { B = 1.5 } }", "ask, a: every choice should have a whole number"),
        (
            CHECK + TIERS + 'edge = "better two"',
            "edge: this should be “lowest” or “highest” and a group of dice.",
        ),
        (CHECK + TIERS + 'edge = "lowest tow"', "edge: “tow” is no group of dice. Did you mean “two”?"),
        (CHECK + 'tiers = [{ name = "A", is = "7-3" }]', "is: this should be “10+”, “7-9”, “6-” or “7”."),
        (CHECK + TIERS + 'after = [{ label = "A", add = "tow" }]', "add: “tow” is no group of dice."),
        (
            CHECK + TIERS + 'after = [{ label = "A", step = "two" }]',
            "step: this should be a group of dice, and",
        ),
        (CHECK + TIERS + 'after = [{ label = "A", step = "tow up" }]', "step: “tow” is no group of dice."),
        (
            CHECK + TIERS + 'after = [{ label = "A", take = "sum" }]',
            "take: this should be two readings: “n = other”.",
        ),
        (CHECK + TIERS + 'after = [{ label = "A", take = "sum = m" }]', "take: “m” is no reading."),
        (
            CHECK + TIERS + 'after = [{ label = "A", reroll = "2..5" }]',
            "reroll: this should be “all”, a group of dice",
        ),
        (CHECK.replace('value = "sum"', "") + TIERS, "is: say with “value” what is compared, or use “when”."),
        (
            CHECK.replace('value = "sum"', "opposed = true") + TIERS,
            "opposed: say with “value” what the two sides",
        ),
        (
            CHECK.replace("total two", "total tow") + TIERS,
            "read, sum: “tow” is no group of dice. Did you mean “two”?",
        ),
        (CHECK.replace("total two", "suit two") + TIERS, "read, sum: only cards have suits."),
        (CHECK.replace("total two", "count two < sum") + TIERS, "read, sum: “sum” depends on itself."),
        (
            CHECK.replace("2d6", "{n}d6") + TIERS,
            "dice, two: how many dice are rolled can't depend on what they show.",
        ),
        (
            CHECK.replace('two = "2d6", die', "none").replace('sum = "total two", n = "total die"', "")
            + TIERS,
            "dice, none: “none” stands in for another group, which is missing.",
        ),
        (MOVED + "do = { All = [] }", "do: a move without a check has no tiers; give one list for all."),
        (MOVED + 'check = "do"\nwith = { who = "me" }', "with: “who” is answered at the table."),
        (MOVED + 'check = "do"\nwith = { way = "By air" }', "with: “By air” is no choice of “way”."),
        (MOVED + 'check = "do"\nwith = { bonus = 4 }', "with: “bonus” should be a number from 0 to 3."),
        (MOVED + "do = 3", "do: this should be a list of effects, or such a list for each tier."),
        (MOVED + f'do = ["{"a" * 201}"]', "do: this has 201 characters; 200 is the most."),
        (
            MOVED + "do = { " + ", ".join(f"a{at} = []" for at in range(9)) + " }",
            "do: this has 9 tiers; 8 is the most.",
        ),
    ],
)
def test_a_mistake_has_its_sentence(text: str, sentence: str) -> None:
    found = problems_of(text)

    assert any(sentence in one for one in found), found


def test_a_check_can_ask_for_things_of_a_list_and_clocks_may_be_many() -> None:
    game = made(CHECK.replace('value = "sum"', 'value = "sum + thing"\nask = { thing = "gear" }') + TIERS)

    assert game.checks["do"].questions[0].numbers == {"rope": 2}


def test_values_with_a_gap_are_shown_one_by_one() -> None:
    rows = ", ".join(f'{{ name = "{value}", is = "{value}" }}' for value in (2, 4, 6, 8, 10))
    found = problems_of(CHECK + f"tiers = [{rows}]")

    assert found[0].endswith("tiers: nothing covers 3, 5, 7, 9, 11 and others.")
