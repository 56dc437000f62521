"""What holds for the layout of the code; ``python -m tests.house`` prints the numbers."""

import ast
from pathlib import Path

import pytest

from tests.house import (
    LAYERED,
    RPJ,
    RPJ_CHECK,
    SWARM_TEST,
    Walked,
    chapters_of_fewer_than,
    classes_defined_again,
    files_about,
    flat,
    floors,
    lines,
    modules,
    pairs,
    rooms,
    sharing_a_name,
    small_helpers_used_once,
    way_of,
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


class TestSize:
    def test_few_files_hold_everything(self, known: dict[str, ast.Module]) -> None:
        assert len(known) <= 400
        assert len(list(TESTS.rglob("*.py"))) <= 420

    def test_it_grows_no_longer(self) -> None:
        assert lines("bot", "cogs") <= 132_200
        assert lines("tests") <= 129_100

    def test_what_is_read_once_in_three_lines_stands_where_it_is_read(self) -> None:
        assert len(small_helpers_used_once()) <= 290

    def test_a_feature_is_in_few_files(self) -> None:
        assert len(files_about("countdown")) <= 7


class TestNames:
    def test_few_modules_share_their_name(self, known: dict[str, ast.Module]) -> None:
        assert len(sharing_a_name(known)) <= 45

    def test_a_chapter_is_one_of_several_rulesets(self, known: dict[str, ast.Module]) -> None:
        assert chapters_of_fewer_than(3, known) == []

    def test_few_class_names_are_defined_again(self, known: dict[str, ast.Module]) -> None:
        assert len(classes_defined_again(known)) <= 30


# Features that a plain check has nothing to do with.
ELSEWHERE = ("table/play/countdown", "shared_prompts", "gathering", "table/watch")


@pytest.mark.parametrize(
    ("walked", "files", "calls"), [(SWARM_TEST, 41, 450), (RPJ_CHECK, 52, 640)], ids=("swarm", "rpj")
)
async def test_a_check_goes_a_short_way(walked: Walked, files: int, calls: int, tmp_path: Path) -> None:
    way = await way_of(walked, tmp_path)

    assert len(way.files) <= files  # with what stores notes in the background, if it runs meanwhile
    assert way.calls <= calls
    assert not [path for path in way.files if any(name in path for name in ELSEWHERE)]
