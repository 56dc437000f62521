"""The program as an operator types it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.exits import MEANINGS

ROOT = Path(__file__).parent.parent


def tablekeeper(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a folder, with no settings but those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TABLEKEEPER_")}
    return subprocess.run(
        [sys.executable, "-m", "bot", *words],
        cwd=cwd,
        env={**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


class TestHelp:
    def test_help_names_every_command_and_exit_code(self, tmp_path: Path) -> None:
        shown = tablekeeper("--help", cwd=tmp_path)

        assert shown.returncode == 0
        assert "run" in shown.stdout
        for code, meaning in MEANINGS.items():
            assert f"{code.value} {meaning}" in " ".join(shown.stdout.split())

    def test_a_word_that_is_no_command_is_refused(self, tmp_path: Path) -> None:
        refused = tablekeeper("dance", cwd=tmp_path)

        assert refused.returncode == 2
        assert "No such command 'dance'" in refused.stderr


class TestWrongSettings:
    def test_run_without_a_token_ends_with_one_line_and_78(self, tmp_path: Path) -> None:
        ended = tablekeeper("run", cwd=tmp_path)

        assert ended.returncode == 78
        assert ended.stdout == ""
        assert ended.stderr == (
            "config: discord.token is missing: set TABLEKEEPER_DISCORD__TOKEN (or discord.token_file)\n"
        )

    def test_every_problem_has_its_line(self, tmp_path: Path) -> None:
        ended = tablekeeper(
            "run", cwd=tmp_path, TABLEKEEPER_DISCORD__SHARD_COUNT="x", TABLEKEEPER_LOG__FORMAT="xml"
        )

        assert ended.returncode == 78
        assert ended.stderr.splitlines() == [
            'config: discord.shard_count must be a whole number of 1 or more (got "x",'
            " from TABLEKEEPER_DISCORD__SHARD_COUNT)",
            'config: log.format must be "text" or "json" (got "xml", from TABLEKEEPER_LOG__FORMAT)',
        ]

    @pytest.mark.parametrize("words", [("--config", "mine.toml", "run"), ("run", "--config", "mine.toml")])
    def test_the_settings_file_may_be_named_before_or_after_the_command(
        self, tmp_path: Path, words: tuple[str, ...]
    ) -> None:
        (tmp_path / "mine.toml").write_text("[log]\nlevel = 5\n", encoding="utf-8")

        ended = tablekeeper(*words, cwd=tmp_path)

        assert ended.returncode == 78
        assert ended.stderr == (
            'config: log.level must be "debug", "info", "warning" or "error" (got 5, from mine.toml)\n'
        )


class TestVerify:
    HEAD = (
        '{"type": "journal", "format": "tablekeeper-journal", "version": 1,'
        ' "campaign": "The Manor", "ruleset": "none"}\n'
    )

    def test_a_journal_that_follows_ends_with_0(self, tmp_path: Path) -> None:
        (tmp_path / "journal.jsonl").write_text(
            self.HEAD + '{"type": "end", "entries": 0}\n', encoding="utf-8"
        )

        checked = tablekeeper("verify", "journal.jsonl", cwd=tmp_path)

        assert checked.returncode == 0
        assert checked.stdout.startswith("Journal of The Manor (none): 0 entries, 0 rolls.\n")

    def test_one_that_does_not_ends_with_1_and_the_line(self, tmp_path: Path) -> None:
        (tmp_path / "journal.jsonl").write_text(self.HEAD, encoding="utf-8")

        checked = tablekeeper("verify", "journal.jsonl", cwd=tmp_path)

        assert checked.returncode == 1
        assert "line 1: the file breaks off: its last line is missing" in checked.stdout

    def test_a_file_that_is_not_there_is_a_wrong_command_line(self, tmp_path: Path) -> None:
        refused = tablekeeper("verify", "journal.jsonl", cwd=tmp_path)

        assert refused.returncode == 2
        assert "does not exist" in refused.stderr
