"""An earlier release's database, copied to PostgreSQL and back: the bot goes on with it on both."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.store.copying.copy_database import copy_database
from bot.store.engines import open_store
from bot.table.journal.verify import replay_journals
from tests.e2e.table import open_table
from tests.releases.stored import FINISHES, Release, people_of, releases
from tests.releases.test_releases import (
    FIGHTS,
    an_old_entry_is_undone,
    assert_quiet,
    the_fight_goes_on,
    the_session_ends,
)
from tests.store.postgres_server import new_database
from tests.store.rows import change, every_row

# One of each game; the others are continued on the copy of the copy.
ON_POSTGRES = ("The Manor House", "The Dome", "The Old Pass")
BACK_IN_A_FILE = ("The Harbour", "The Hive", "The Ford")


@pytest.mark.parametrize("release", releases(), ids=lambda release: release.name)
async def test_issue_16_copies_are_the_same_and_the_bot_goes_on_with_them(
    release: Release, tmp_path: Path, postgres: Path
) -> None:
    first, there = tmp_path / "first.db", f"{new_database(postgres)}&connect_timeout=60"
    release.put_database(first, seconds_ago=60)
    await (await open_store(f"sqlite:///{first}")).close()  # which migrates it

    said = copied(f"sqlite:///{first}", there)
    assert said[-1].startswith("Replayed 11 journals, ")
    await goes_on(release, tmp_path / "there", there, ON_POSTGRES)
    copied(there, f"sqlite:///{tmp_path}/back.db")
    change(
        f"sqlite:///{tmp_path}/back.db", "DELETE FROM server_commands"
    )  # the next Discord has none of them
    await goes_on(release, tmp_path / "back", f"sqlite:///{tmp_path}/back.db", BACK_IN_A_FILE)


def copied(source: str, target: str) -> list[str]:
    """Copy a database, compare every row, and return what was said."""
    said: list[str] = []
    copy_database(source, target, said.append, replay_journals)
    assert every_row(target) == every_row(source)
    return said


async def goes_on(release: Release, folder: Path, database: str, servers: tuple[str, ...]) -> None:
    """Press old buttons in some servers, undo something there, and end their sessions."""
    os.mkdir(folder)
    async with open_table(
        folder, database=database, before=lambda table: release.put_discord(table.discord)
    ) as table:
        for name in servers:
            party = people_of(table.discord, name)
            if name in FINISHES:
                await an_old_entry_is_undone(release, table, party)
            if name in FIGHTS:
                await the_fight_goes_on(table, party)
            await the_session_ends(party)
        assert_quiet(table)
