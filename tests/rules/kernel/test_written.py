"""Documents as TOML and JSON files: every flaw with its line, and what is written reads the same."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from bot.rules.kernel import (
    Document,
    FileKind,
    FileProblem,
    Form,
    Unreadable,
    Written,
    parse,
    read_written,
    write_document,
)
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.parsing import line_of, lines_of
from bot.rules.rpj.module.module_files import MODULES


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
