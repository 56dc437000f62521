"""A whole evening (`evening.py`) with the real bot: restarted in the middle, and against Discord's API."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.playground.discord import read
from tests.databases import on_both_engines
from tests.e2e.evening import play_evening
from tests.e2e.people import Party, gather, is_whole
from tests.e2e.table import REPOSITORY, Table, open_table


@on_both_engines
async def test_an_evening_is_played_through_restarts_and_its_journal_verifies(
    table: Table, tmp_path: Path
) -> None:
    party = gather(table.discord)

    await play_evening(party, table.restart)

    assert is_whole(table.database)
    await the_seed_is_the_one_published(party)
    journal = await exported(table, party)
    assert verified(tmp_path, journal).returncode == 0
    await a_changed_die_is_found(tmp_path, journal)


async def the_seed_is_the_one_published(party: Party) -> None:
    shown = await party.bob.sees("Seed 1, in use since")
    published = re.search(r"`([0-9a-f]{64})`", read(shown))
    fair = await party.bob.types("/fair")
    _, revealed = re.findall(r"`([0-9a-f]{64})`", fair.text)

    assert published is not None
    assert hashlib.sha256(bytes.fromhex(revealed)).hexdigest() == published[1]


async def a_changed_die_is_found(folder: Path, journal: list[str]) -> None:
    """A journal in which somebody improved a die of the first check does not verify."""
    whole = "\n".join(journal)
    changed = re.sub(r'"face": ?(\d+)', lambda found: f'"face": {int(found[1]) % 4 + 1}', whole, count=1)
    assert changed != whole

    result = verified(folder, changed.splitlines())

    assert result.returncode == 1
    assert "do NOT match" in result.stdout


async def assert_verifies(table: Table, party: Party, folder: Path) -> None:
    """Assert that the database is whole, and that the journal follows from its revealed seeds."""
    assert is_whole(table.database)
    assert verified(folder, await exported(table, party)).returncode == 0


async def exported(table: Table, party: Party) -> list[str]:
    """Return the lines of the journal that the GM exports."""
    answer = await party.gwen.types("/gm export", hears="journal.jsonl")
    assert answer.message is not None
    content = table.discord.files.content(answer.message["attachments"][0])
    lines = content.decode().splitlines()
    read = [json.loads(line) for line in lines]
    assert all(isinstance(one, dict) for one in read)
    assert all(roll["purpose"] and roll["roller"] for one in read for roll in one.get("rolls", ()))
    return lines


def verified(folder: Path, journal: list[str]) -> subprocess.CompletedProcess[str]:
    """Run `tablekeeper verify` on a journal, elsewhere and without the bot."""
    file = folder / "journal.jsonl"
    file.write_text("\n".join(journal) + "\n", encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "bot", "verify", str(file)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
    )


async def nothing() -> None:
    """Do nothing between scenes."""


@pytest.mark.contract
async def test_every_request_of_an_evening_matches_discords_api_description(
    tmp_path: Path, discord_spec: Path
) -> None:
    async with open_table(tmp_path, spec=discord_spec) as table:
        await play_evening(gather(table.discord), nothing)

        judged = {one.path.split("/")[1] for one in table.discord.requests if one.body is not None}

        assert judged >= {"applications", "interactions", "webhooks"}
        assert table.discord.breaches == []


@pytest.mark.contract
async def test_every_command_definition_matches_discords_api_description(
    tmp_path: Path, discord_spec: Path
) -> None:
    async with open_table(tmp_path, spec=discord_spec) as table:
        defined = [one for one in table.discord.requests if one.method == "PUT"]

        assert [one.status for one in defined] == [200]
        assert table.discord.breaches == []
