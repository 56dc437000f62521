"""The file of an own game: what loads, each kind of mistake with its line, and every bound."""

from pathlib import Path

import pytest

from bot.rules.own.game_report import checked_game, problem_lines
from tests.rules.own.games import HEAD, found_in, made, problems_of

SKETCHES = Path(__file__).parent / "sketches"
SALT = (SKETCHES / "salt.toml").read_text("utf-8")


@pytest.mark.parametrize("name", ["ash", "lamp", "salt"])
def test_a_sketch_loads_as_it_stands(name: str) -> None:
    game, problems = checked_game((SKETCHES / f"{name}.toml").read_bytes())

    assert problems == ()
    assert game is not None


def test_a_problem_says_line_place_and_the_name_that_was_meant() -> None:
    wrong = SALT.replace('with  = { stat = "odd" }', 'with  = { stat = "odf" }')
    problem = checked_game(wrong)[1][0]

    assert str(problem) == "line 49, [moves.listen] with: “odf” is no attribute. Did you mean “odd”?"
    assert (problem.line, problem.where) == (49, "moves.listen")
    assert problem.text == "with: “odf” is no attribute. Did you mean “odd”?"


def test_line_ends_of_windows_and_a_byte_order_mark_change_nothing() -> None:
    assert checked_game(b"\xef\xbb\xbf" + SALT.replace("\n", "\r\n").encode())[1] == ()


def test_all_problems_are_told_at_once_and_twenty_shown() -> None:
    found = found_in(
        "[attributes]\n" + "".join(f'a{at} = {{ label = "A", min = "x" }}\n' for at in range(25))
    )

    assert len(found) == 25
    assert [problem.line for problem in found] == list(range(5, 30))
    assert list(problem_lines(found))[19:] == [str(found[19]), "… and 5 more."]


STATS = """[attributes]
bold = { label = "Bold", min = -2, max = 3 }
blade = { label = "Blade", start = "d6" }
[resources]
luck = { label = "Luck", start = 1, max = 3 }
[tracks]
harm = { label = "Harm", boxes = 4 }
[clocks]
storm = { label = "Storm", size = 6 }
[checks.do]
ask = { stat = "attribute" }
dice = { two = "2d6" }
read = { sum = "total two" }
"""  # what follows begins in line 17
WELL = 'tiers = [{ name = "Hit", is = "7+" }, { name = "Miss" }]\n'


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("[attributs]", "line 4, attributs: this is no field here. Did you mean “attributes”?"),
            (
                '[attributes]\nBold = { label = "B" }',
                "line 5, [attributes.Bold] “Bold”: a name is a small letter, "
                "then small letters, digits and _, up to 32 of them.",
            ),
            ("[attributes]\nbold = { max = 3 }", "line 5, [attributes.bold] label: this is missing."),
            (
                '[attributes]\nbold = { labl = "B", label = "B" }',
                "line 5, [attributes.bold] labl: this is no field here. Did you mean “label”?",
            ),
            (
                '[attributes]\nbold = { label = "B", max = nan }',
                "line 5, [attributes.bold] max: this should be a "
                "number, a die (“d6”) or an expression in quotes.",
            ),
            (
                '[attributes]\nbold = { label = "B", max = true }',
                "line 5, [attributes.bold] max: this should be a "
                "number, a die (“d6”) or an expression in quotes.",
            ),
            (
                '[attributes]\nbold = { label = "B", max = 2020-01-01 }',
                "line 5, [attributes.bold] max: this should "
                "be a number, a die (“d6”) or an expression in quotes.",
            ),
            (
                '[attributes]\nbold = { label = "B", start = "d7" }',
                "line 5, [attributes.bold] start: d7 has no "
                "place among the steps: d4, d6, d8, d10, d12, d20.",
            ),
            (
                '[attributes]\nbold = { label = "B", min = 4, max = 3 }',
                "line 5, [attributes.bold] max: 3 is below the least, 4.",
            ),
            (
                '[attributes]\nmin = { label = "B" }',
                "line 5, [attributes.min] “min” has a meaning in expressions already. Choose another name.",
            ),
            (
                '[attributes]\nbold = { label = "B" }\n[tracks]\nbold = { label = "B", boxes = 3 }',
                "line 7, [tracks.bold] “bold” stands under [attributes] already.",
            ),
            ('[derived]\na = "b + 1"\nb = "a + 1"', "line 5, [derived] a: “a” depends on itself."),
            (
                '[attributes]\nbold = { label = "@everyone" }',
                "line 5, [attributes.bold] label: “@everyone” can't "
                "stand in a text: no links, pictures or mentions.",
            ),
            (
                '[attributes]\nbold = { label = "B\\u202E" }',
                "line 5, [attributes.bold] label: there are invisible characters in this.",
            ),
            (
                '[resources]\nluck = { label = "L", reset = "sesion end" }',
                "line 5, [resources.luck] reset: “sesion "
                "end” is no event; name yours under [resets]. Did you mean “session end”?",
            ),
            (
                '[resources]\nhp = { label = "HP", overflow = "hp" }',
                "line 5, [resources.hp] overflow: this leads into a circle.",
            ),
            ("[create]\nspread = [1, 2]", "line 5, [create] spread: there are 2 numbers for 0 attributes."),
            (
                '[fight]\norder = "roll"',
                'line 5, [fight] order: say what is rolled: by = "d20 + quick", or a check.',
            ),
            (
                '[fight]\norder = "turns"',
                "line 5, [fight] order: this should be 'roll', 'sides', 'as called' or 'fixed'.",
            ),
            (
                '[heroes.ines]\nlabel = "Ines"\nitems = ["rope"]',
                "line 6, [heroes.ines] items: “rope” is in no list.",
            ),
            (
                '[npcs.wolf]\nlabel = "Wolf"\nattributes = { bite = 2 }',
                "line 6, [npcs.wolf] attributes: “bite” is no attribute.",
            ),
            ('name = "Again"', "line 4, This isn't TOML: Cannot overwrite a value (at end of document)."),
        ],
    )
    def test_in_a_game(self, text: str, problem: str) -> None:
        assert problem in problems_of(text)

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("", "line 13, [checks.do] tiers: this is missing."),
            (
                'tiers = [{ name = "A", is = "seven" }]',
                "line 17, [checks.do] tiers 1, is: this should be “10+”, “7-9”, “6-” or “7”.",
            ),
            (
                'tiers = [{ name = "A", when = "summ > 3" }]',
                "line 17, [checks.do] tiers 1, when: “summ” is no name I know here. Did you mean “sum”?",
            ),
            (
                'tiers = [{ name = "A", when = "sum >" }]',
                "line 17, [checks.do] tiers 1, when: this ends too early.",
            ),
            (
                'tiers = [{ name = "A", when = "1 < sum < 3" }]',
                "line 17, [checks.do] tiers 1, when: compare two things at a time: “n >= 1 and n <= 3”.",
            ),
            (
                'tiers = [{ name = "A", when = "sum.total" }]',
                "line 17, [checks.do] tiers 1, when: “sum.total” is no name I know here.",
            ),
            (
                'tiers = [{ name = "A", when = "2d6 > 3" }]',
                "line 17, [checks.do] tiers 1, when: “2d6” can't stand "
                "here: name the dice under “dice” and read them.",
            ),
            (
                'tiers = [{ name = "A" }, { name = "B" }]',
                "line 17, [checks.do] tiers 1: “A” takes all that is left, so nothing after it can happen.",
            ),
            (
                'tiers = [{ name = "A", is = "7+" }, { name = "A" }]',
                "line 17, [checks.do] tiers 2, name: “A” is there twice.",
            ),
            (
                'tiers = [{ name = "A", do = ["luk + 1"] }]',
                "line 17, [checks.do] tiers 1, do: “luk” is nothing "
                "that an effect can change. Did you mean “luck”?",
            ),
            (
                'tiers = [{ name = "A", do = ["luck 1"] }]',
                "line 17, [checks.do] tiers 1, do: I can't read the "
                "effect “luck 1”. Write “name + 1”, “name - 1” or “name = 1”.",
            ),
            (
                'tiers = [{ name = "A", do = ["luck up"] }]',
                "line 17, [checks.do] tiers 1, do: “luck” is no die. Write “luck + 1”.",
            ),
            (
                'tiers = [{ name = "A", do = ["blade + 1"] }]',
                "line 17, [checks.do] tiers 1, do: “blade” is a die and steps: “blade up”.",
            ),
            (
                WELL + 'edge = "lowest two"',
                'line 18, [checks.do] edge: ask for it too: ask = { edge = "edge" }.',
            ),
            (WELL + 'let = { a = "b", b = "a" }', "line 18, [checks.do] let, a: “a” depends on itself."),
            (
                WELL + 'let = { bold = "1" }',
                "line 18, [checks.do] let, bold: “bold” has a meaning on the sheet already.",
            ),
            (
                WELL + 'after = [{ label = "Push", reroll = "tow" }]',
                "line 18, [checks.do] after 1, reroll: “tow” is no group of dice. Did you mean “two”?",
            ),
            (
                WELL + 'after = [{ label = "Push" }]',
                "line 18, [checks.do] after 1: say one thing that it does: "
                "“reroll”, “add”, “step” or “take”.",
            ),
            (
                WELL + '[moves.go]\nlabel = "Go"\ncheck = "doo"',
                "line 20, [moves.go] check: “doo” is no check. Did you mean “do”?",
            ),
            (
                WELL + '[moves.go]\nlabel = "Go"\ncheck = "do"\ndo = { Hti = [] }',
                "line 21, [moves.go] do: “Hti” is no tier of this check. Did you mean “Hit”?",
            ),
            (
                WELL + '[moves.go]\nlabel = "Go"\ncheck = "do"\nwith = { stta = "bold" }',
                "line 21, [moves.go] with: “stta” is no question of “do”. Did you mean “stat”?",
            ),
        ],
    )
    def test_in_a_check(self, text: str, problem: str) -> None:
        assert problem in problems_of(STATS + text)

    def test_what_is_wrong_already_is_not_told_again_where_it_is_used(self) -> None:
        found = problems_of(
            STATS.replace('luck = { label = "Luck"', "luck = { label = 3")
            + WELL
            + '[moves.go]\nlabel = "Go"\ndo = ["luck + 1"]'
        )

        assert found == ["line 8, [resources.luck] label: this should be a text in quotes."]

    def test_unusual_characters_are_shown_safely(self) -> None:
        assert problems_of("[derived]\na = '\U0001f600\u202e + 1'") == [
            "line 5, [derived] a: I can't read “\U0001f600� + 1” in an expression."
        ]


def table(name: str, row: str, number: int) -> str:
    return f"[{name}]\n" + "".join(f"x{at} = {row}\n" for at in range(number))


class TestBounds:
    @pytest.mark.parametrize(
        ("name", "row", "most"),
        [
            ("attributes", '{ label = "A", max = 1 }', 40),
            ("resources", '{ label = "A" }', 24),
            ("tracks", '{ label = "A", boxes = 2 }', 8),
            ("clocks", '{ label = "A", size = 4 }', 20),
            ("checks", '{ dice = { d = "d6" }, read = { n = "total d" }, tiers = [{ name = "A" }] }', 12),
            ("moves", '{ label = "A" }', 60),
        ],
    )
    def test_of_a_game(self, name: str, row: str, most: int) -> None:
        made(table(name, row, most))

        assert problems_of(table(name, row, most + 1)) == [
            f"line 4, [{name}] there are {most + 1} of these; {most} is the most."
        ]

    def test_of_tiers(self) -> None:
        rows = ", ".join(f'{{ name = "{at}", is = "{at}" }}' for at in range(1, 10))
        text = f'[checks.do]\ndice = {{ d = "d10" }}\nread = {{ n = "total d" }}\ntiers = [{rows}]'

        assert problems_of(text) == ["line 7, [checks.do] tiers: there are 9 of these; 8 is the most."]

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            (
                'do = ["luck + 1", "luck + 1", "luck + 1", "luck + 1", "luck + 1", "luck + 1", "luck + 1"]',
                "do: this has 7 effects; 6 is the most.",
            ),
            (
                f'text = "{"x" * 1001}"',
                "text: this should be a text of 1000 characters at most, or one for each tier.",
            ),
            (f'when = "{"1 + " * 41}1"', "when: this has 83 parts; 80 is the most."),
            (f'when = "{"1 + " * 60}1"', "when: this has 241 characters; 200 is the most."),
            (
                f'when = "{"(" * 21}1{")" * 21}"',
                "when: more than 20 parentheses and signs stand within each other.",
            ),
            ('when = "1000001"', "when: “1000001” is larger than 1,000,000."),
        ],
    )
    def test_of_a_move(self, text: str, problem: str) -> None:
        start = '[resources]\nluck = { label = "Luck" }\n[moves.go]\nlabel = "Go"\n'

        assert problems_of(start + text) == [f"line 8, [moves.go] {problem}"]

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            (
                "ask = { a = '1..2', b = '1..2', c = '1..2', d = '1..2', e = '1..2', f = '1..2' }",
                "ask: there are 6 of these; 5 is the most.",
            ),
            (
                f"ask = {{ a = [{', '.join(repr(str(at)) for at in range(26))}] }}",
                "ask, a: this has 26 choices; 25 is the most.",
            ),
            (
                "dice = { a = 'd6', b = 'd6', c = 'd6', d = 'd6', e = 'd6' }",
                "dice: there are 5 groups of dice; 4 is the most.",
            ),
            (
                "read = { a = 'total d', b = 'highest d', c = 'lowest d', e = 'middle d' }",
                "read, e: “d” is read 4 times; 3 is the most for a group.",
            ),
            ("ask = { k = '1..21' }\ndice = { d = '{k}d6' }", "dice: “d” has up to 21 dice; 20 is the most."),
            ("dice = { d = '21d6' }", "dice, d: 21 dice are too many; 20 is the most."),
            (
                "dice = { d = 'd100', c = 'd100', b = 'd100' }"
                "\nread = { n = 'total d', m = 'total c', o = 'total b' }"
                "\nvalue = 'n'",
                "dice: there are up to 1,000,000 outcomes to tell apart; 20,000 is the most. Read "
                "fewer things, or several groups as one.",
            ),
            ("value = 'n * 1000000 * 1000000'", "something in this check becomes larger than 1,000,000,000."),
            (
                "after = [{ label = 'A', reroll = 'all' }, { label = 'B', reroll = 'all' }, { label = 'C', "
                "reroll = 'all' }, { label = 'D', reroll = 'all' }]",
                "after: there are 4 of these; 3 is the most.",
            ),
        ],
    )
    def test_of_a_check(self, text: str, problem: str) -> None:
        fields = {"dice": "dice = { d = 'd6' }", "read": "read = { n = 'total d' }"}
        rest = [line for name, line in fields.items() if f"{name} =" not in text]
        tiers = "tiers = [{ name = 'A' }]"

        found = problems_of("\n".join(["[checks.do]", *rest, text, tiers]))
        assert [one.partition("] ")[2] for one in found] == [problem]

    def test_of_derived_numbers(self) -> None:
        chain = "[derived]\na0 = '1'\n" + "".join(f"a{at} = 'a{at - 1}'\n" for at in range(1, 9))

        assert problems_of(chain) == ["line 13, [derived] a8: this rests on 9 numbers; 8 is the most."]

    def test_of_the_file(self) -> None:
        found = checked_game((HEAD + "#" * 65_536).encode())[1]

        assert [str(one) for one in found] == ["The file has more than 65,536 bytes."]

    def test_a_file_that_is_no_text(self) -> None:
        assert str(checked_game(b"\xff\xfe")[1][0]) == "The file isn't UTF-8 (byte 1)."


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
