"""What holds for the layout of the code; ``python -m tests.house`` prints the numbers."""

import ast
from pathlib import Path

import pytest

from tests.house import (
    LAYERED,
    RPJ,
    chapters_of_fewer_than,
    classes_defined_again,
    flat,
    floors,
    modules,
    pairs,
    rooms,
    sharing_a_name,
    way_of_a_check,
)

TESTS = Path(__file__).parent


@pytest.fixture(scope="module")
def known() -> dict[str, ast.Module]:
    return modules("bot", "cogs")


class TestRooms:
    def test_rpj_has_at_most_10_rooms_on_10_floors(self, known: dict[str, ast.Module]) -> None:
        imports = rooms(RPJ, known)

        assert len(imports) <= 10
        assert max(floors(imports).values()) <= 10

    @pytest.mark.parametrize("package", LAYERED)
    def test_no_two_rooms_import_each_other(self, known: dict[str, ast.Module], package: str) -> None:
        imports = rooms(package, known)

        assert pairs(imports) == []
        assert set(floors(imports)) == set(imports)

    def test_rpj_has_few_modules_outside_its_rooms(self, known: dict[str, ast.Module]) -> None:
        assert len(flat(RPJ, known)) <= 18

    def test_rooms_that_import_each_other_are_found(self) -> None:
        trees = {
            "game.low.one": ast.parse("from game.high.two import two"),
            "game.high.two": ast.parse("from game.low import one"),
        }
        imports = rooms("game", trees)

        assert pairs(imports) == [("high", "low")]
        with pytest.raises(ValueError, match="low -> high -> low"):
            floors(imports)

    def test_what_only_annotations_name_is_no_import(self) -> None:
        trees = {
            "game.low.one": ast.parse("if TYPE_CHECKING:\n    from game.high.two import two"),
            "game.high.two": ast.parse("from game.low.one import one"),
        }

        assert rooms("game", trees) == {"low": set(), "high": {"low"}}


def test_few_modules_hold_everything(known: dict[str, ast.Module]) -> None:
    assert len(known) <= 400
    assert len(list(TESTS.rglob("*.py"))) <= 420


class TestNames:
    def test_few_modules_share_their_name(self, known: dict[str, ast.Module]) -> None:
        assert len(sharing_a_name(known)) <= 45

    def test_a_chapter_is_one_of_several_rulesets(self, known: dict[str, ast.Module]) -> None:
        assert chapters_of_fewer_than(3, known) == []

    def test_few_class_names_are_defined_again(self, known: dict[str, ast.Module]) -> None:
        assert len(classes_defined_again(known)) <= 30


# Features that a plain check has nothing to do with.
ELSEWHERE = ("table/play/countdown", "shared_prompts", "gathering", "missed_results")


async def test_a_check_goes_a_short_way(tmp_path: Path) -> None:
    way = await way_of_a_check(tmp_path)

    assert len(way.files) <= 51  # with the bot's emojis, once they are uploaded
    assert way.calls <= 560
    assert not [path for path in way.files if any(name in path for name in ELSEWHERE)]
