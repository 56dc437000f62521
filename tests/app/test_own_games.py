"""`tablekeeper game`: a file's problems, exact chances and rolls, for people and for machines."""

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from bot.app.cli import main

SALT = Path(__file__).parents[1] / "rules" / "own" / "sketches" / "salt.toml"
ASH, LAMP = SALT.with_name("ash.toml"), SALT.with_name("lamp.toml")


def game(file: Path, *words: str) -> tuple[object, str]:
    """The exit code, and what was printed."""
    code: object = 0
    with redirect_stdout(StringIO()) as printed:
        try:
            main(words=["game", str(file), *words])
        except SystemExit as ended:
            code = ended.code
    return code, printed.getvalue()


def asked(file: Path, *words: str) -> object:
    """What is printed for machines by a command that goes well."""
    code, printed = game(file, "--json", *words)
    assert code == 0, printed
    return json.loads(printed)


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A file with a name in it that nothing has."""
    file = tmp_path / "wrong.toml"
    text = SALT.read_text("utf-8").replace('with  = { stat = "odd" }', 'with  = { stat = "odf" }')
    file.write_text(text, "utf-8")
    return file


class TestProblems:
    def test_are_printed_with_line_place_and_nearest_name(self, wrong: Path) -> None:
        assert game(wrong) == (
            1,
            "line 49, [moves.listen] with: “odf” is no attribute. Did you mean “odd”?\n",
        )

    def test_are_printed_for_machines(self, wrong: Path) -> None:
        code, printed = game(wrong, "--json")

        assert code == 1
        assert json.loads(printed) == {
            "problems": [
                {
                    "line": 49,
                    "where": "moves.listen",
                    "text": "with: “odf” is no attribute. Did you mean “odd”?",
                }
            ],
            "checks": {},
        }

    def test_a_question_about_a_wrong_file_gets_its_problems(self, wrong: Path) -> None:
        code, printed = game(wrong, "--json", "--ask", "move")

        assert code == 1
        assert len(json.loads(printed)["problems"]) == 1

    def test_a_file_that_is_not_there_is_a_wrong_command_line(self, tmp_path: Path) -> None:
        assert game(tmp_path / "nothing.toml")[0] == 2


class TestChances:
    def test_of_one_check_are_exact_fractions(self) -> None:
        words = ("--ask", "move", "stat=bold", "bonus=0", "--sheet", "bold=2")

        assert asked(SALT, *words) == {
            "check": "move",
            "chances": {"Hit": "5/12", "At cost": "5/12", "Miss": "1/6"},
        }

    def test_several_words_of_the_sheet_can_follow(self) -> None:
        found = asked(SALT, "--ask", "move", "stat=bold", "--sheet", "bold=2", "harm=3")

        assert found == {"check": "move", "chances": {"Hit": "5/18", "At cost": "4/9", "Miss": "5/18"}}

    def test_a_tier_keeps_the_name_it_has_in_the_file(self) -> None:
        found = asked(ASH, "--ask", "skill", "skill=shoot", "hard=-20", "edge=none", "--sheet", "shoot=60")

        assert found == {
            "check": "skill",
            "chances": {
                "Critical": "3/100",
                "Success by {degrees}": "37/100",
                "Fumble": "7/100",
                "Failure by {-degrees}": "53/100",
            },
        }

    def test_a_move_answers_for_its_check(self) -> None:
        assert asked(SALT, "--ask", "listen", "--sheet", "odd=1") == asked(
            SALT, "--ask", "move", "stat=odd", "--sheet", "odd=1"
        )

    def test_of_all_checks_are_those_of_an_average_character(self) -> None:
        assert asked(SALT) == {
            "problems": [],
            "checks": {
                "move": {
                    "ask": {"stat": "bold", "bonus": 0},
                    "chances": {"Hit": "5/12", "At cost": "5/12", "Miss": "1/6"},
                }
            },
        }

    def test_what_aces_leave_over_is_stated(self, tmp_path: Path) -> None:
        file = tmp_path / "aces.toml"
        file.write_text(
            'format = 1\nname = "Aces"\ncommand = "aces"\n[checks.do]\ndice = { d = "d6 aces" }\n'
            'read = { n = "total d" }\ntiers = [{ name = "Yes", is = "4+" }, { name = "No" }]\n'
        )

        assert asked(file, "--ask", "do") == {
            "check": "do",
            "chances": {"Yes": "1/2", "No": "1/2"},
            "remainder": "1/362797056",
        }

    @pytest.mark.parametrize(
        ("words", "text"),
        [
            (("--ask", "mov"), "“mov” is no check. Did you mean “move”?"),
            (
                ("--ask", "move", "stat=bald"),
                "“bald” is no answer to “stat”. It is one of bold, calm, keen, odd.",
            ),
            (("--ask", "move", "bonus=3"), "“bonus” should be from -2 to 2."),
            (("--ask", "move", "bnus=1"), "“bnus” is nothing that can be set. Did you mean “bonus”?"),
            (("--ask", "move", "--sheet", "bold=4"), "“bold” can't be 4; the nearest is 3."),
            (("--ask", "move", "bold"), "“bold” should be a name, = and a value."),
        ],
    )
    def test_a_question_that_cannot_be_answered_is_told_why(self, words: tuple[str, ...], text: str) -> None:
        code, printed = game(SALT, "--json", *words)

        assert code == 1
        assert json.loads(printed)["problems"] == [{"line": None, "where": "--ask", "text": text}]


class TestForPeople:
    def test_an_average_character_and_a_table_of_chances(self) -> None:
        assert game(SALT) == (
            0,
            """Salt and Signal, version 1: no problems.

An average character:
  Bold 2 · Calm 1 · Keen 0 · Odd −1
  Hold 0/3 · Luck 1/1 · Marks 0/5
  Harm 0/4

Move [move], bonus 0:
  stat  Hit         At cost     Miss
  −2    1/36 (3%)   1/4 (25%)   13/18 (72%)
  −1    1/12 (8%)   1/3 (33%)   7/12 (58%)
  0     1/6 (17%)   5/12 (42%)  5/12 (42%)
  1     5/18 (28%)  4/9 (44%)   5/18 (28%)
  2     5/12 (42%)  5/12 (42%)  1/6 (17%)
  3     7/12 (58%)  1/3 (33%)   1/12 (8%)
""",
        )

    def test_another_character_can_be_asked_about(self) -> None:
        code, printed = game(SALT, "--sheet", "bold=3", "harm=3")

        assert code == 0
        assert "This character:\n  Bold 3 · Calm 1 · Keen 0 · Odd −1\n" in printed
        assert "  3     5/12 (42%)  5/12 (42%)  1/6 (17%)\n" in printed

    @pytest.mark.parametrize("file", [ASH, LAMP], ids=["ash", "lamp"])
    def test_every_check_has_its_table(self, file: Path) -> None:
        code, printed = game(file)

        assert code == 0
        assert printed.count("[") == 2

    def test_a_roll_says_dice_tier_and_changes(self) -> None:
        code, printed = game(LAMP, "--ask", "action", "push=yes", "clock=watch", "stress=8", "--roll", "abc")

        assert code == 0
        assert printed.startswith("Action: pool ")
        assert "  You break.\n  Stress 8/9 → 0/9\n  Scars 0/4 → 1/4\n" in printed

    def test_a_button_is_pressed_under_a_roll(self) -> None:
        code, printed = game(SALT, "--ask", "listen", "--roll", "abc", "--press", "Spend Luck")

        assert code == 0
        assert "Spend Luck:\nListen to the radio: two " in printed
        assert "  Luck 1/1 → 0/1\n" in printed

    def test_a_button_that_is_not_there_is_told(self) -> None:
        assert game(SALT, "--ask", "move", "--roll", "abc", "--press", "Cry") == (
            1,
            "[--ask] “Cry” can't be pressed now.\n",
        )

    def test_an_event_says_what_it_changes(self) -> None:
        assert game(SALT, "--event", "session end", "--sheet", "hold=3", "--sheet", "luck=0") == (
            0,
            "Session end:\n  Hold 3/3 → 0/3\n  Luck 0/1 → 1/1\n",
        )

    def test_an_opposed_check_rolls_the_other_side_too(self, tmp_path: Path) -> None:
        file = tmp_path / "duel.toml"
        file.write_text(
            'format = 1\nname = "Duel"\ncommand = "duel"\n[checks.duel]\ndice = { d = "2d6" }\n'
            'opposed = true\nread = { n = "total d" }\n'
            'tiers = [{ name = "Won", when = "value > theirs" }, { name = "Lost" }]\n'
        )
        even = {"Won": "575/1296", "Lost": "721/1296"}
        beaten = {"Won": "0", "Lost": "1"}
        code, printed = game(file, "--ask", "duel", "--roll", "abc")

        assert code == 0
        assert ", theirs " in printed
        assert asked(file, "--ask", "duel") == {"check": "duel", "chances": even}
        assert asked(file, "--ask", "duel", "theirs=12") == {"check": "duel", "chances": beaten}

    def test_a_move_without_a_check_is_done_if_it_is_open(self, tmp_path: Path) -> None:
        file = tmp_path / "moves.toml"
        file.write_text(
            'format = 1\nname = "Moves"\ncommand = "moves"\n[resources]\nhold = { label = "Hold", max = 3 }\n'
            '[moves.know]\nlabel = "Know"\nwhen = "hold > 0"\ncost = ["hold - 1"]\ntext = "Ask."\n'
        )

        assert game(file, "--ask", "know", "--roll", "a", "hold=2") == (
            0,
            "Know:\n  Ask.\n  Hold 2/3 → 1/3\n",
        )
        assert game(file, "--ask", "know", "--roll", "a") == (1, "[--ask] Know can't be done now.\n")
