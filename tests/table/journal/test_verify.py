"""The exported journal, and its verification."""

import asyncio
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.table.base.access import NoCampaign
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.journal import journal
from bot.table.journal import verify as export
from bot.table.journal.verify import Trouble, verify
from bot.table.play import play
from bot.table.sessions import endings, sessions
from tests.table.conftest import Person
from tests.table.toy import TOY

Mend = Callable[[list[dict[str, Any]]], None]
GAMES = {"toy": TOY}


@pytest.fixture
async def played(game: Table, gm: Person, ada: Person, bo: Person) -> Table:
    """A game with a session behind it, and one roll since."""
    await sessions.start(game, gm.asks())
    for _ in range(4):
        await play.perform(game, ada.asks(), "check", {"bonus": -2})
    failed = await play.perform(game, bo.asks(), "check", {"bonus": -2})
    await play.press(game, bo.asks(), failed.follow_ups[0].id)
    await play.roll(game, ada.asks(), "2d6kh1+3")
    await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)
    await endings.end(game, gm.asks())
    await play.perform(game, ada.asks(), "check", {})
    return game


async def text_of(table: Table, person: Person) -> str:
    return "".join([line async for line in export.export_lines(table, person.asks())])


async def exported(table: Table, person: Person, folder: Path, mend: Mend | None = None) -> Path:
    lines = [json.loads(line) for line in (await text_of(table, person)).splitlines()]
    if mend is not None:
        mend(lines)
    path = folder / "journal.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def entries(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] == "entry"]


def first_roll(lines: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = next(line["rolls"][0] for line in entries(lines) if line["rolls"])
    return found


class TestExport:
    async def test_an_export_begins_with_the_journal_and_its_seeds_and_ends_with_a_count(
        self, played: Table, gm: Person
    ) -> None:
        lines = [json.loads(line) for line in (await text_of(played, gm)).splitlines()]

        assert (lines[0]["format"], lines[0]["version"]) == ("tablekeeper-journal", 1)
        assert [(line["number"], line["secret"] is None) for line in lines[1:3]] == [(1, False), (2, True)]
        assert lines[-1] == {"type": "end", "entries": len(entries(lines))}

    async def test_a_seed_in_use_is_never_exported(self, played: Table, gm: Person) -> None:
        seed = await played.store.read(
            lambda reader: reader.seed(gm.server, reader.campaigns(gm.server)[0].id)
        )

        assert seed is not None
        assert seed.secret.hex() not in await text_of(played, gm)

    async def test_only_a_gms_export_has_secret_entries_and_rows(
        self, played: Table, gm: Person, bo: Person
    ) -> None:
        whole = entries([json.loads(line) for line in (await text_of(played, gm)).splitlines()])
        public = entries([json.loads(line) for line in (await text_of(played, bo)).splitlines()])

        assert sum(line["is_secret"] for line in whole) == 1
        assert sum(line["is_secret"] for line in public) == 0
        assert len(public) == len(whole) - 1
        assert all("rows" in line for line in whole)
        assert not any("rows" in line for line in public)

    async def test_a_long_journal_is_exported_in_pages(self, game: Table, gm: Person, ada: Person) -> None:
        for _ in range(export.PAGE + 20):
            await play.perform(game, ada.asks(), "check", {})

        lines = (await text_of(game, gm)).splitlines()

        assert len(lines) == 1 + 1 + 3 + export.PAGE + 20 + 1

    async def test_another_server_exports_only_its_own_journal(
        self, played: Table, neighbour: Person
    ) -> None:
        with pytest.raises(NoCampaign):
            await text_of(played, neighbour)
        await campaigns.create(played, neighbour.asks(), "toy", "Elsewhere")

        assert len((await text_of(played, neighbour)).splitlines()) == 4


class TestSoundJournals:
    async def test_rolls_with_a_revealed_seed_pass_and_the_others_wait(
        self, played: Table, gm: Person, tmp_path: Path
    ) -> None:
        report = verify(await exported(played, gm, tmp_path), GAMES)

        assert report.faults == []
        assert (report.rolls, report.passed, report.not_yet) == (9, 8, 1)
        assert report.revealed == [1]
        assert report.sentences[-1] == "1 rolls cannot be checked yet: their seed is not revealed."

    async def test_a_players_export_passes_verification_too(
        self, played: Table, bo: Person, tmp_path: Path
    ) -> None:
        report = verify(await exported(played, bo, tmp_path), GAMES)

        assert report.faults == []
        assert (report.passed, report.not_yet) == (7, 1)

    async def test_an_undone_roll_is_still_checked(self, played: Table, gm: Person, tmp_path: Path) -> None:
        pushed = next(
            entry
            for entry in await played.store.read(
                lambda reader: reader.entries(gm.server, reader.campaigns(gm.server)[0].id)
            )
            if entry.kind == "play.push"
        )
        done = await journal.undo(played, gm.asks(), pushed.id, together=True)
        assert isinstance(done, journal.Undone)

        assert verify(await exported(played, gm, tmp_path), GAMES).passed == 8

    async def test_the_verifier_in_the_documentation_agrees(
        self, played: Table, gm: Person, tmp_path: Path
    ) -> None:
        page = Path(__file__).parents[3] / "docs" / "fairness.md"
        program = re.search(r"```python\n(.*?)```", page.read_text(), re.S)
        assert program is not None
        path = await exported(played, gm, tmp_path)

        done = await asyncio.create_subprocess_exec(
            sys.executable, "-c", program[1], str(path), stdout=asyncio.subprocess.PIPE
        )
        said, _ = await done.communicate()

        assert (done.returncode, said) == (0, b"9 dice checked, 0 wrong.\n")

    async def test_a_journal_with_an_older_versions_wording_still_passes(
        self, played: Table, gm: Person, tmp_path: Path
    ) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            roll = first_roll(lines)
            roll["verdict"][1] = "made it"
            roll["against"] = "at least 8"
            roll["dice"][0]["label"] = "first"
            roll["dice"][0]["dropped"] = True  # struck through then, and shown otherwise now
            roll["odds"]["chances"] = [[f"once {name}", *rest] for name, *rest in roll["odds"]["chances"]]
            roll["odds"]["needed"] = f"once {roll['odds']['needed']}"
            roll["fell"] = f"once {roll['fell']}"

        report = verify(await exported(played, gm, tmp_path, mend), GAMES)

        assert report.faults == []
        assert (report.rolls, report.passed, report.not_yet, report.reworded) == (9, 8, 1, 1)
        assert "1 roll is worded differently today; the numbers are the same." in report.sentences

    async def test_a_free_roll_may_be_stored_without_its_chances_and_nothing_else(
        self, played: Table, gm: Person, tmp_path: Path
    ) -> None:
        def without_chances(lines: list[dict[str, Any]]) -> None:
            rolls = [roll for line in entries(lines) for roll in line["rolls"]]
            next(roll for roll in rolls if roll["ruleset"] == "dice")["odds"] = None

        path = await exported(played, gm, tmp_path, without_chances)

        assert verify(path, games=GAMES).faults == []  # F-REL-14: versions count more or fewer of them


class TestTamperedJournals:
    async def _fault(self, played: Table, gm: Person, folder: Path, mend: Mend) -> tuple[Trouble, str]:
        report = verify(await exported(played, gm, folder, mend), GAMES)
        assert not report.follows
        return report.faults[0].trouble, str(report.faults[0])

    async def test_a_changed_face_is_found(self, played: Table, gm: Person, tmp_path: Path) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            die = first_roll(lines)["dice"][0]
            die["face"] = die["face"] % 6 + 1

        trouble, said = await self._fault(played, gm, tmp_path, mend)

        assert trouble is Trouble.DICE
        assert "play.check" in said
        assert "its seed says" in said

    async def test_a_changed_verdict_is_found(self, played: Table, gm: Person, tmp_path: Path) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            roll = first_roll(lines)
            roll["verdict"] = ["news", "triumph"]

        trouble, said = await self._fault(played, gm, tmp_path, mend)

        assert trouble is Trouble.OUTCOME
        assert 'verdict is ["news", "triumph"]; the rules say' in said

    async def test_changed_odds_are_found(self, played: Table, gm: Person, tmp_path: Path) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            first_roll(lines)["odds"]["chances"][0][1] = 1

        trouble, said = await self._fault(played, gm, tmp_path, mend)

        assert trouble is Trouble.OUTCOME
        assert "odds is" in said

    @pytest.mark.parametrize(
        ("part", "value"),
        [("odds", 5), ("odds", {}), ("odds", None), ("terms", [7]), ("verdict", []), ("fell", {"a": 1})],
    )
    async def test_a_roll_of_another_shape_is_found(
        self, played: Table, gm: Person, tmp_path: Path, part: str, value: object
    ) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            first_roll(lines)[part] = value

        trouble, said = await self._fault(played, gm, tmp_path, mend)

        assert trouble is Trouble.OUTCOME
        assert f"{part} is {json.dumps(value)}; the rules say" in said

    async def test_changed_inputs_are_found(self, played: Table, gm: Person, tmp_path: Path) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            first_roll(lines)["inputs"]["target"] = 6

        trouble, _said = await self._fault(played, gm, tmp_path, mend)

        assert trouble is Trouble.OUTCOME

    async def test_an_added_die_is_found(self, played: Table, gm: Person, tmp_path: Path) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            dice = first_roll(lines)["dice"]
            dice.append(dict(dice[0]))

        report = verify(await exported(played, gm, tmp_path, mend), GAMES)

        assert any("never rolled: d6" in str(fault) for fault in report.faults)

    async def test_a_replaced_seed_is_found(self, played: Table, gm: Person, tmp_path: Path) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            lines[1]["secret"] = "00" * 32

        trouble, said = await self._fault(played, gm, tmp_path, mend)

        assert trouble is Trouble.SEED
        assert said == "line 2: seed 1 is not the one that was committed to"

    async def test_a_wrong_outcome_is_found_even_before_the_reveal(
        self, played: Table, gm: Person, tmp_path: Path
    ) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            entries(lines)[-1]["rolls"][0]["total"] = 99

        report = verify(await exported(played, gm, tmp_path, mend), GAMES)

        assert [fault.trouble for fault in report.faults] == [Trouble.OUTCOME]
        assert report.not_yet == 0

    async def test_a_roll_moved_to_another_interaction_is_found(
        self, played: Table, gm: Person, tmp_path: Path
    ) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            rolled = [line for line in entries(lines) if line["rolls"]]
            rolled[1]["interaction"] = rolled[0]["interaction"]

        report = verify(await exported(played, gm, tmp_path, mend), GAMES)

        assert "comes twice" in str(report.faults[0])

    async def test_an_unknown_ruleset_is_reported_and_does_not_pass(
        self, played: Table, gm: Person, tmp_path: Path
    ) -> None:
        report = verify(await exported(played, gm, tmp_path), {})

        assert {fault.trouble for fault in report.faults} == {Trouble.RULE}
        assert report.passed == 1  # the free roll

    async def test_a_truncated_file_is_reported(self, played: Table, gm: Person, tmp_path: Path) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            del lines[-1]

        _trouble, said = await self._fault(played, gm, tmp_path, mend)

        assert said.endswith("the file is incomplete: its last line is missing")

    async def test_a_missing_entry_is_reported(self, played: Table, gm: Person, tmp_path: Path) -> None:
        def mend(lines: list[dict[str, Any]]) -> None:
            del lines[5]

        _trouble, said = await self._fault(played, gm, tmp_path, mend)

        assert "the last line speaks of" in said


class TestOtherFiles:
    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"", "the file is empty"),
            (b"hello\n", "this is not an exported journal"),
            (b"\xff\xfe\x00\x01\n", "this is not an exported journal"),
            (b'{"type": "end", "entries": 0}\n', "this is not an exported journal"),
            (b"[" * 5000 + b"\n", "this is not an exported journal"),
        ],
    )
    def test_a_file_that_is_no_journal_is_reported_in_one_line(
        self, tmp_path: Path, content: bytes, said: str
    ) -> None:
        path = tmp_path / "file"
        path.write_bytes(content)

        report = verify(path, GAMES)

        assert len(report.faults) == 1
        assert said in str(report.faults[0])

    def test_another_format_version_is_reported(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        first = {
            "type": "journal",
            "format": "tablekeeper-journal",
            "version": 2,
            "campaign": "",
            "ruleset": "",
        }
        path.write_text(json.dumps(first))

        assert "version 2; I read version 1" in str(verify(path, GAMES).faults[0])

    async def test_a_broken_line_is_reported_and_the_rest_is_checked(
        self, played: Table, gm: Person, tmp_path: Path
    ) -> None:
        path = await exported(played, gm, tmp_path)
        lines = path.read_text().splitlines(keepends=True)
        lines.insert(4, '{"type": "entry", "entry": "?"}\n')
        path.write_text("".join(lines))

        report = verify(path, GAMES)

        assert str(report.faults[0]).startswith("line 5: it cannot be read: entry:")
        assert report.passed == 8
