import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from bot.rules.kernel import (
    CharacterHealth,
    Document,
    FileKind,
    FileProblem,
    FoeHealth,
    Form,
    Odds,
    Unreadable,
    Written,
    by_fields,
    looks_for,
    parse,
    read_written,
    write_document,
)
from bot.rules.kernel.dice import Chance, FairDice, Fall, ReplayedDice, WrongDie, commitment, draw, percent
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.module import NoSettings
from bot.rules.kernel.outcome import (
    label_with,
    line_label,
    listed,
    short_name,
    shown_number,
    signed,
)
from bot.rules.kernel.parsing import line_of, lines_of
from bot.rules.kernel.tracker import unknown_health
from bot.rules.rpj.module.module_files import MODULES
from tests.dice import ScriptedDice

ROOT = Path(__file__).parents[2]
VECTORS = tomllib.loads((ROOT / "tests/rules/fair_dice_vectors.toml").read_text("utf-8"))["vector"]
PAGE = (ROOT / "docs/fairness.md").read_text("utf-8")


def falls(vector: dict[str, str]) -> list[Fall]:
    entries = (entry.removeprefix("d").split(":") for entry in vector["dice"].split())
    return [Fall(int(sides), int(face)) for sides, face in entries]


def journal(vectors: list[dict[str, str]]) -> list[dict[str, object]]:
    """An exported journal in which each known answer is a roll."""
    lines: list[dict[str, object]] = [{"type": "header", "version": 1}]
    for number, vector in enumerate(vectors, start=1):
        dice = [{"sides": fall.sides, "face": fall.face} for fall in falls(vector)]
        lines += [
            {
                "type": "seed",
                "number": number,
                "commitment": vector["commitment"],
                "secret": vector["seed"],
            },
            {
                "type": "entry",
                "interaction": vector["interaction"],
                "seed": number,
                "rolls": [{"dice": dice[:1]}, {"dice": dice[1:]}],
            },
            {"type": "entry", "interaction": "without dice", "seed": None, "rolls": []},
        ]
    lines.append({"type": "seed", "number": 99, "commitment": "of the seed in use", "secret": None})
    return lines


class TestFairDice:
    @pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["about"]))
    def test_fair_dice_match_the_known_answers(self, vector: dict[str, str]) -> None:
        dice = FairDice(bytes.fromhex(vector["seed"]), vector["interaction"])
        fallen = [Fall(fall.sides, dice.roll(fall.sides)) for fall in falls(vector)]

        assert fallen == falls(vector)
        assert dice.fallen == falls(vector)

    @pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["about"]))
    def test_the_commitment_is_the_sha256_of_the_seed(self, vector: dict[str, str]) -> None:
        assert commitment(bytes.fromhex(vector["seed"])) == vector["commitment"]

    @given(st.binary(min_size=32, max_size=32), st.integers(1, 1000))
    def test_a_fair_die_always_shows_one_of_its_faces(self, seed: bytes, sides: int) -> None:
        assert FairDice(seed, "1").roll(sides) in range(1, sides + 1)

    def test_fair_dice_repeat_for_the_same_interaction(self) -> None:
        first, second = FairDice(b"seed", "1"), FairDice(b"seed", "1")

        assert [first.roll(20) for _ in range(50)] == [second.roll(20) for _ in range(50)]


class TestReplayedDice:
    def test_replayed_dice_repeat_the_recorded_faces(self) -> None:
        dice = ReplayedDice([Fall(6, 4), Fall(20, 17)])

        assert (dice.roll(6), dice.roll(20)) == (4, 17)
        dice.assert_all_rolled()

    def test_replaying_another_die_raises_an_error(self) -> None:
        with pytest.raises(WrongDie, match="the rules rolled a d8; the script says d6:4"):
            ScriptedDice("d6:4").roll(8)

    def test_rolling_beyond_the_script_raises_an_error(self) -> None:
        with pytest.raises(WrongDie, match="the rules rolled a d6, but the script is used up"):
            ScriptedDice("").roll(6)

    def test_dice_left_in_the_script_are_named(self) -> None:
        dice = ScriptedDice("d6:4 d6:1 d20:9")
        dice.roll(6)

        with pytest.raises(WrongDie, match="never rolled: d6:1 d20:9"):
            dice.assert_all_rolled()


def test_a_card_is_drawn_from_the_remaining_cards() -> None:
    assert draw("abcd", 3, ScriptedDice("d4:2 d3:2 d2:2")) == ["b", "c", "d"]


class TestThePageOnFairness:
    @pytest.fixture
    def program(self, tmp_path: Path) -> Path:
        (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
        path = tmp_path / "check.py"
        path.write_text(code, "utf-8")
        return path

    def check(self, program: Path, lines: list[dict[str, object]]) -> subprocess.CompletedProcess[str]:
        file = program.with_name("journal.jsonl")
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        command = [sys.executable, "-W", "ignore", str(program), str(file)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_the_fairness_page_has_a_verifier_of_thirty_lines(self, program: Path) -> None:
        lines = program.read_text("utf-8").splitlines()

        assert len([line for line in lines if line.strip()]) <= 30

    def test_the_pages_verifier_agrees_with_every_known_answer(self, program: Path) -> None:
        found = self.check(program, journal(VECTORS))

        assert (found.returncode, found.stdout, found.stderr) == (0, "40 dice checked, 0 wrong.\n", "")

    def test_the_pages_verifier_finds_a_changed_die(self, program: Path) -> None:
        vector = {**VECTORS[0], "dice": VECTORS[0]["dice"].replace("d20:8", "d20:20")}
        found = self.check(program, journal([vector]))

        assert found.returncode == 1
        assert found.stdout.splitlines() == [
            "1234567890123456789: d20 shows 20, should be 8",
            "10 dice checked, 1 wrong.",
        ]

    def test_the_pages_verifier_finds_an_exchanged_seed(self, program: Path) -> None:
        found = self.check(program, journal([{**VECTORS[0], "seed": "00" * 32}]))

        assert found.returncode == 1
        assert found.stderr == "Seed 1 is not the one that was committed to.\n"

    def test_the_pages_worked_example_is_the_first_known_answer(self) -> None:
        assert f"printf '%s' '{VECTORS[0]['interaction']}:0'" in PAGE
        assert f"hexkey:{VECTORS[0]['seed']}" in PAGE
        assert "so a d6 shows 3." in PAGE
        assert falls(VECTORS[0])[0] == Fall(6, 3)


class TestPercent:
    @pytest.mark.parametrize(
        ("chance", "written"),
        [
            (Fraction(0), "0%"),
            (Fraction(1), "100%"),
            (Fraction(21, 36), "58%"),
            (Fraction(1, 2), "50%"),
            (Fraction(5, 8), "62%"),
            (Fraction(3, 8), "38%"),
            (Fraction(99, 100), "99%"),
            (Fraction(9901, 10000), "> 99%"),
            (Fraction(10**9 - 1, 10**9), "> 99%"),
            (Fraction(1, 100), "1%"),
            (Fraction(99, 10000), "1%"),
            (Fraction(94, 10000), "0.9%"),
            (Fraction(1, 216), "0.5%"),
            (Fraction(1, 2000), "0.1%"),
            (Fraction(1, 2001), "< 0.1%"),
            (Fraction(1, 10**100), "< 0.1%"),
        ],
    )
    def test_a_percentage_is_never_0_for_the_possible_nor_100_for_the_uncertain(
        self, chance: Fraction, written: str
    ) -> None:
        assert percent(chance) == written


def test_the_chance_of_enough_adds_up_whatever_the_chances_are_counted_in() -> None:
    chances = (("failure", Chance(1, 3)), ("success", Chance(3, 6)), ("critical success", Chance(2, 12)))

    assert Odds(chances, "success").enough == Fraction(2, 3)
    assert Odds(chances, "critical success").enough == Fraction(1, 6)
    assert Odds(chances).enough is None


def test_verdicts_that_only_a_number_tells_apart_are_told_as_one() -> None:
    costs = (("Cost (−1)", Chance(1, 8)), ("Cost", Chance(2, 8)), ("Cost (+1)", Chance(1, 8)))
    odds = Odds((("Failure", Chance(3, 8)), *costs, ("Success", Chance(1, 8)), ("Crit", Chance(0, 8))))

    assert odds.possible == (("Failure", Chance(3, 8)), ("Cost", Chance(4, 8)), ("Success", Chance(1, 8)))


@pytest.mark.parametrize(
    ("left", "word"),
    [
        (8, ""),
        (7, "scratched"),
        (6, "scratched"),
        (5, "hurt"),
        (4, "hurt"),
        (3, "badly hurt"),
        (2, "badly hurt"),
        (1, "about to fall"),
        (0, "down"),
        (-3, "down"),
    ],
)
def test_health_is_told_in_four_steps_and_nothing_at_full(left: int, word: str) -> None:
    assert looks_for(left, 8) == word


def test_a_campaign_shows_numbers_words_or_nothing() -> None:
    health = CharacterHealth(("HP 3/8",), "badly hurt")

    assert health.seen(FoeHealth.NUMBERS) == ("HP 3/8",)
    assert health.seen(FoeHealth.WORDS) == ("badly hurt",)
    assert health.seen(FoeHealth.NOTHING) == ()
    assert CharacterHealth(("HP 8/8",)).seen(FoeHealth.WORDS) == ()
    assert unknown_health(None, None) == CharacterHealth()


class TestNumbers:
    def test_a_negative_number_has_a_true_minus(self) -> None:
        assert (shown_number(-3), shown_number(0), shown_number(12)) == ("−3", "0", "12")

    def test_a_signed_number_has_a_plus_or_a_true_minus(self) -> None:
        assert (signed(-3), signed(0), signed(12)) == ("−3", "+0", "+12")

    def test_a_list_of_names_says_when_it_is_empty(self) -> None:
        assert (listed(["Ug", "Juno"]), listed(["Ug"]), listed(())) == ("Ug, Juno", "Ug", "none")


class TestLabels:
    @pytest.mark.parametrize(
        ("name", "longest", "shown"),
        [
            ("Goblin Archer", 13, "Goblin Archer"),
            ("Goblin Archer", 12, "Goblin Arch…"),
            ("Goblin Archer", 8, "Goblin…"),
            ("Goblin Archer 12", 16, "Goblin Archer 12"),
            ("Goblin Archer 12", 15, "Goblin Arch… 12"),
            ("Goblin Archer 12", 2, "G… 12"),
            ("Goblin", -5, "G…"),
        ],
    )
    def test_a_long_name_is_cut_before_its_number(self, name: str, longest: int, shown: str) -> None:
        assert short_name(name, longest) == shown

    def test_a_name_gives_way_to_the_chance_behind_it(self) -> None:
        assert label_with("Goblin 2", " · 58%", before="Help ", longest=19) == "Help Goblin 2 · 58%"
        assert label_with("Goblin 2", " · 58%", before="Help ", longest=18) == "Help Gobl… 2 · 58%"
        assert label_with("x" * 75, " · 58%") == f"{'x' * 73}… · 58%"

    @pytest.mark.parametrize(
        ("name", "words", "label"),
        [
            ("Juno Marsh", ": Dodging 58%", "Juno: Dodging 58%"),
            ("Nettle Quickwater", ": Dex + Lck 52%", "Nettle: Dex + Lck 52%"),
            ("Street Brawler 1", ": Dex + Lck 52%", "Street Brawler 1: Dex + Lck 52%"),  # one of several
            ("Bartholomew", ": Dex + Lck 52%", "Bartholomew: Dex + Lck 52%"),
        ],
    )
    def test_the_first_word_of_a_name_stands_for_it_where_that_makes_one_line(
        self, name: str, words: str, label: str
    ) -> None:
        assert line_label(name, words, is_timed=True) == label
        assert line_label("Sable Thornwick", ": don't oppose") == "Sable: don't oppose"


class Dish(Document):
    id: str
    price: int = Field(default=1, ge=0)
    parts: tuple[str, ...] = ()
    notes: dict[str, str] = Field(default_factory=dict)


class House(Document):
    seats: int = Field(default=4, ge=1)


class Menu(Document):
    name: str = Field(min_length=1)
    house: House = House()
    dishes: tuple[Dish, ...] = ()


def sold_twice(menu: Menu, _written: Written) -> Iterator[FileProblem]:
    known: set[str] = set()
    for place, dish in enumerate(menu.dishes):
        if dish.id in known:
            yield FileProblem(("dishes", place, "id"), f"{dish.id} is there twice.")
        known.add(dish.id)


MENU = Form(model=Menu, flaws=sold_twice, blanks={"name": "Menu"}, noun="menu")


def nested(value: object, depth: int) -> object:
    return [nested(value, depth - 1)] if depth else value


def problems(text: str, kind: FileKind = FileKind.TOML) -> tuple[str, ...]:
    with pytest.raises(UserErrors) as refused:
        read_written(text, kind, MENU)
    return refused.value.problems


class TestFlaws:
    def test_every_problem_of_a_toml_file_is_listed_with_its_line(self) -> None:
        text = (
            '# what is cooked\ncolour = "red"\n\n[house]\nseats = 0\n\n'
            '[[dishes]]\nid = "soup"\n\n[[dishes]]\nprice = -1 # dear\nid = "stew"\n\n'
            '[[dishes]]\nid = "soup"\nparts = [\n  "leek",\n  7,\n]\n\n[[dishes]]\nid = "soup"\n'
        )

        assert problems(text) == (
            "name: this is missing.",
            "Line 5: house, seats: this should be greater than or equal to 1.",
            "Line 11: dishes, number 2 (stew), price: this should be greater than or equal to 0.",
            "Line 18: dishes, number 3 (soup), parts, number 2: this should be a valid string.",
            "Line 2: colour: there is no such field.",
            "Line 22: soup is there twice.",
        )

    def test_every_problem_of_a_json_file_is_listed_with_its_line(self) -> None:
        rows = (
            "{",
            ' "name": "",',
            ' "dishes": [{"id": "a"}, {"id": "b",',
            '  "price": -1},',
            '  {"id": "a"}]}',
        )
        text = "\n".join(rows)

        assert problems(text, FileKind.JSON) == (
            "Line 2: name: this should have at least 1 character.",
            "Line 4: dishes, number 2 (b), price: this should be greater than or equal to 0.",
            "Line 5: a is there twice.",
        )

    def test_a_missing_value_is_listed_with_the_line_of_its_container(self) -> None:
        assert problems('name = "M"\n[[dishes]]\nprice = 2\n') == (
            "Line 2: dishes, number 1, id: this is missing.",
        )

    @pytest.mark.parametrize(
        ("text", "kind", "sentence"),
        [
            ("name = ", FileKind.TOML, "This isn't TOML: Invalid value (at end of document)."),
            ('{"name": }', FileKind.JSON, "This isn't JSON: Expecting value, line 1, column 10."),
            ('{"name": NaN}', FileKind.JSON, "This isn't JSON: NaN isn't a number."),
            ("name = 'a", FileKind.TOML, "This isn't TOML: Expected \"'\" (at end of document)."),
        ],
    )
    def test_a_file_that_cannot_be_parsed_is_refused(self, text: str, kind: FileKind, sentence: str) -> None:
        with pytest.raises(UserError) as refused:
            read_written(text, kind, MENU)

        assert refused.value.what == f"I can't read this menu. {sentence}"

    def test_a_file_that_is_not_a_table_is_refused(self) -> None:
        with pytest.raises(UserError, match="This isn't a menu"):
            read_written("[1]", FileKind.JSON, MENU)


class TestMeasure:
    """How much may be in a text before anything parses it (F-REL-01)."""

    @pytest.mark.parametrize(
        ("text", "kind", "sentence"),
        [
            ("\n" + "x" * 8193, FileKind.TOML, "Line 2 is longer than 8,192 characters"),
            ("\na.b.c.d.e.f.g.h.i = 1", FileKind.TOML, "Line 2 has a name of more than 8 parts"),
            ("[[a.b.c.d.e.f.g.h.i]]", FileKind.TOML, "Line 1 has a name of more than 8 parts"),
            ("'a' . \"b\".c.d.e.f.g.h.i = 1", FileKind.TOML, "Line 1 has a name of more than 8 parts"),
            ("a = " + "[{b=" * 8 + "[", FileKind.TOML, "Line 1 has more than 16 brackets within each other"),
            ("[" * 17, FileKind.JSON, "Line 1 has more than 16 brackets within each other"),
            ("x" * 201, FileKind.TOML, "Line 1 has a name or number of more than 200 characters"),
            (f"'{'x' * 201}' = 1", FileKind.TOML, "Line 1 has a name or number of more than 200 characters"),
            (
                '{"x":\n1' + "0" * 201,
                FileKind.JSON,
                "Line 2 has a name or number of more than 200 characters",
            ),
            (
                '{"' + "x" * 201 + '" : 1}',
                FileKind.JSON,
                "Line 1 has a name or number of more than 200 characters",
            ),
            ("x = [" + "1,\n" * 25_000, FileKind.TOML, "There are more than 25,000 values in it"),
            ("[" + "1," * 25_000, FileKind.JSON, "There are more than 25,000 values in it"),
        ],
    )
    def test_a_file_with_too_much_in_it_is_refused_with_the_line(
        self, text: str, kind: FileKind, sentence: str
    ) -> None:
        with pytest.raises(Unreadable) as refused:
            parse(text, kind)

        assert str(refused.value) == sentence

    @pytest.mark.parametrize(
        ("text", "kind", "value"),
        [
            ("a = '" + "[" * 99 + "' # " + "[" * 99, FileKind.TOML, "[" * 99),
            ('a = "\\"' + "{." * 99 + '"', FileKind.TOML, '"' + "{." * 99),
            ('a = """\n"' + "[\n" * 99 + '"""""', FileKind.TOML, '"' + "[\n" * 99 + '""'),
            ("a = '''\n'" + "[\n" * 99 + "'''''", FileKind.TOML, "'" + "[\n" * 99 + "''"),
            ("a = " + "[" * 15 + "1" + "]" * 15 + "\nb.c.d.e.f.g.h.i = 1.5", FileKind.TOML, nested(1, 15)),
            ('{"a": "' + "x" * 9000 + '[[,"}', FileKind.JSON, "x" * 9000 + "[[,"),
        ],
    )
    def test_brackets_and_dots_inside_texts_and_comments_do_not_count(
        self, text: str, kind: FileKind, value: object
    ) -> None:
        parsed = parse(text, kind)

        assert isinstance(parsed, dict)
        assert parsed["a"] == value

    def test_the_shipped_modules_stay_far_below_the_limits(self) -> None:
        for module in MODULES.values():
            whole = json.dumps(module.model_dump(mode="json"))

            assert json.loads(whole) == parse(whole, FileKind.JSON)


class TestLines:
    def test_a_values_line_is_found_whatever_surrounds_it(self) -> None:
        text = (
            "a.b = 1\n"
            'text = """one\n'
            'two = 2 \\" """\n'
            "raw = '''\n"
            "[c]'''\n"
            'list = [{ x = 1, "y z" = [2, # three\n'
            "3] }]\n"
            "[d.e]\n"
            "when = 1979-05-27 07:32:00\n"
            "[[d.f]]\n"
            "[[d.f]]\n"
            'q = """a"""""\n'
            "[d.f.g]\n"
            "h = 'i\\'\n"
            '"\\U0001F600" = 1\n'
        )

        lines = lines_of(text, FileKind.TOML)

        assert lines == {
            ("a", "b"): 1,
            ("text",): 2,
            ("raw",): 4,
            ("list",): 6,
            ("list", 0): 6,
            ("list", 0, "x"): 6,
            ("list", 0, "y z"): 6,
            ("list", 0, "y z", 0): 6,
            ("list", 0, "y z", 1): 7,
            ("d", "e"): 8,
            ("d", "e", "when"): 9,
            ("d", "f", 0): 10,
            ("d", "f", 1): 11,
            ("d", "f", 1, "q"): 12,
            ("d", "f", 1, "g"): 13,
            ("d", "f", 1, "g", "h"): 14,
            ("d", "f", 1, "g", "\\U0001F600"): 15,
        }

    def test_a_missing_value_has_the_line_of_its_container(self) -> None:
        lines = lines_of("a = 1\n[b]\n", FileKind.TOML)

        assert line_of(lines, ("b", "c", 3)) == 2
        assert line_of(lines, ("x",)) is None


WORDS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
MENUS = st.builds(
    Menu,
    name=WORDS,
    house=st.builds(House, seats=st.integers(1, 99)),
    dishes=st.lists(
        st.builds(
            Dish,
            id=WORDS,
            price=st.integers(0, 99),
            parts=st.lists(WORDS, max_size=3).map(tuple),
            notes=st.dictionaries(WORDS, WORDS, max_size=2),
        ),
        max_size=3,
        unique_by=lambda dish: dish.id,
    ).map(tuple),
)


@pytest.mark.parametrize("kind", FileKind)
@given(menu=MENUS)
def test_a_written_document_reads_back_equal(kind: FileKind, menu: Menu) -> None:
    text = write_document(menu, kind)

    assert read_written(text, kind, MENU) == menu
    assert all(line <= text.count("\n") + 1 for line in lines_of(text, kind).values())


class Mood(StrEnum):
    CALM = "calm"
    WILD = "wild"


class Beast(Document):
    legs: int = Field(ge=0, le=2, title="How many legs?")
    is_tame: bool
    mood: Mood
    call: str
    age: int = 3


class TestByFields:
    def test_a_page_asks_for_each_field_without_a_default(self) -> None:
        (page,) = by_fields(Beast).steps({}, NoSettings())

        asked = {one.prompt: [choice.label for choice in one.choices] for one in page.picks}
        assert asked == {
            "How many legs?": ["0", "1", "2"],
            "Is tame": ["Yes", "No"],
            "Mood": ["Calm", "Wild"],
        }
        assert [one.prompt for one in page.blanks] == ["Call"]

    def test_the_answers_make_the_sheet(self) -> None:
        answers = {"legs": ("2",), "is_tame": ("no",), "mood": ("wild",), "call": (" Moo ",)}

        made = by_fields(Beast).build(answers, NoSettings())

        assert made == Beast(legs=2, is_tame=False, mood=Mood.WILD, call="Moo")

    def test_a_character_of_the_gm_has_the_first_of_everything(self) -> None:
        assert by_fields(Beast).npc() == Beast(legs=0, is_tame=True, mood=Mood.CALM, call="Call")

    def test_a_field_that_nobody_can_ask_for_is_refused(self) -> None:
        class Herd(Document):
            beasts: tuple[Beast, ...]

        with pytest.raises(ValueError, match=r"Herd\.beasts needs a creation of your own"):
            by_fields(Herd)
