"""No rule is there for tests alone: everything in the rules can be reached by what people do."""

from pathlib import Path

import pytest

from tests.reaching import unreached

ROOT = Path(__file__).parents[1]


def test_every_definition_in_the_rules_is_reached_by_a_ruleset_a_cog_or_a_program() -> None:
    assert unreached(ROOT) == ()


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A project with one ruleset, whose `RULESET` calls `played` in its module `checks`."""
    written(tmp_path, "bot/__init__.py", "")
    written(tmp_path, "bot/rules/__init__.py", "")
    written(
        tmp_path,
        "bot/rules/toy/__init__.py",
        "from bot.rules.toy.checks import played\nRULESET = dict(check=played)\n",
    )
    checks(tmp_path, "")
    return tmp_path


def written(root: Path, file: str, text: str) -> None:
    """Write a file of the project."""
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    (root / file).write_text(text, "utf-8")


def checks(root: Path, more: str, body: str = "    return 1") -> None:
    """Write the ruleset's checks: `played` with a body, and what else there is."""
    written(root, "bot/rules/toy/checks.py", f"{more}\n\ndef played():\n{body}\n")


class TestWhatIsFound:
    def test_a_function_that_nobody_calls(self, toy: Path) -> None:
        checks(toy, "def twin():\n    return 1")

        assert unreached(toy) == ("bot.rules.toy.checks.twin",)

    def test_a_class_and_whatever_it_alone_calls(self, toy: Path) -> None:
        checks(toy, "def helper(): ...\n\nclass Twin:\n    value: int = helper()")

        assert unreached(toy) == ("bot.rules.toy.checks.Twin", "bot.rules.toy.checks.helper")

    def test_a_function_that_calls_only_itself(self, toy: Path) -> None:
        checks(toy, "def twin():\n    return twin()")

        assert unreached(toy) == ("bot.rules.toy.checks.twin",)

    def test_a_function_that_is_imported_and_never_used(self, toy: Path) -> None:
        written(toy, "bot/rules/toy/twins.py", "def twin(): ...\n")
        checks(toy, "from bot.rules.toy.twins import twin")

        assert unreached(toy) == ("bot.rules.toy.twins.twin",)

    def test_a_function_that_shares_its_name_with_one_that_is_played(self, toy: Path) -> None:
        written(toy, "bot/rules/toy/twins.py", "def played(): ...\n")

        assert unreached(toy) == ("bot.rules.toy.twins.played",)

    def test_a_method_that_nobody_calls_and_what_it_alone_calls(self, toy: Path) -> None:
        price = "def helper(): ...\n\nclass Price:\n    def haggled(self):\n        return helper()"
        checks(toy, price, "    return Price()")

        assert unreached(toy) == ("bot.rules.toy.checks.Price.haggled", "bot.rules.toy.checks.helper")


class TestWhatIsReached:
    @pytest.mark.parametrize(
        ("more", "body"),
        [
            ("def used(): ...", "    return used()"),
            ("def deeper(): ...\n\ndef used():\n    return deeper()", "    return used()"),
            ("def used(): ...\n\nTABLE = {1: used}", "    return TABLE[1]()"),
            ("class Used: ...", "    one: 'Used' = None"),
            ("class Base: ...\n\nclass Used(Base): ...", "    return Used()"),
            ("class Used:\n    def say(self): ...", "    return Used().say()"),
            ("class Used:\n    def __str__(self): ...", "    return str(Used())"),
            (
                "def hook(function): ...\n\nclass Used:\n    @hook\n    def check(self): ...",
                "    return Used",
            ),
        ],
        ids=[
            "called",
            "called by what is called",
            "in a table",
            "a quoted annotation",
            "a base class",
            "a method",
            "a special method",
            "a method that its decorator hands on",
        ],
    )
    def test_from_what_a_ruleset_calls(self, toy: Path, more: str, body: str) -> None:
        checks(toy, more, body)

        assert unreached(toy) == ()

    @pytest.mark.parametrize(
        "text",
        [
            "from bot.rules.toy.more import used\n\ndef run():\n    return used()\n",
            "from bot.rules.toy import more\n\ndef run():\n    return more.used()\n",
            "def run():\n    from bot.rules.toy.more import used\n    return used()\n",
            "from bot.rules.toy.more import used\n\nclass Cog:\n    async def run(self):\n        used()\n",
        ],
        ids=["by name", "through its module", "imported late", "in a method"],
    )
    @pytest.mark.parametrize("file", ["cogs/toy.py", "bot/app/cli.py"])
    def test_from_a_cog_or_a_program(self, toy: Path, file: str, text: str) -> None:
        written(toy, "bot/rules/toy/more.py", "def used(): ...\n")
        written(toy, file, text)

        assert unreached(toy) == ()

    def test_through_a_package_that_hands_it_on(self, toy: Path) -> None:
        written(toy, "bot/rules/toy/more/__init__.py", "from bot.rules.toy.more.inner import used\n")
        written(toy, "bot/rules/toy/more/inner.py", "def used(): ...\n")
        checks(toy, "from bot.rules.toy.more import used", "    return used()")

        assert unreached(toy) == ()

    def test_by_a_statement_that_runs_on_import(self, toy: Path) -> None:
        checks(toy, "def register(): ...\n\nregister()")

        assert unreached(toy) == ()

    def test_by_a_decorator_that_registers_it(self, toy: Path) -> None:
        checks(toy, "def procedure(key): ...\n\n@procedure('use')\ndef used(): ...")

        assert unreached(toy) == ()
