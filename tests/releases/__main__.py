"""Stores the test data of a release: ``python -m tests.releases NAME [--code CHECKOUT]``.

The scenes are played through the public commands, with the real bot of the checkout named (this one, unless
said otherwise) on a local Discord, so that everything stored is as that bot stores it.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from tests.e2e.people import Party
from tests.e2e.table import REPOSITORY, open_table
from tests.releases.pressing import press_everything
from tests.releases.scenes import play_compare, play_maid, play_rpj, play_swarm, play_swim
from tests.releases.stored import FOLDER, Release, people_of

SCENES = (play_maid, play_swim, play_swarm, play_compare, play_rpj)


async def make(release: Release, code: Path) -> None:
    """Play all scenes; store what they leave and what the release's own bot does at each press.

    Args:
        release: The release.
        code: Its checkout.
    """
    with tempfile.TemporaryDirectory() as folder:
        async with open_table(Path(folder), code=code) as table:
            parties = [party for play in SCENES for party in await play(table.discord)]
        release.store(table.database_file, table.discord, [party.server for party in parties])
    with tempfile.TemporaryDirectory() as folder:
        async with open_table(Path(folder), code=code, before=release.put) as table:
            pressed = [one.stored async for one in press_everything(release, table)]
            parties = [people_of(table.discord, name) for name in release.servers]
            release.store_presses(pressed, {file_name(party): await journal(party) for party in parties})


def file_name(party: Party) -> str:
    """Return the file name of a server's journal."""
    return party.server.name.lower().replace(" ", "-")


async def journal(party: Party) -> bytes:
    """End the session and return the journal that the GM exports."""
    await party.gwen.types("/session end")
    await party.gwen.presses("End the session", hears="has ended")
    answer = await party.gwen.types("/gm export", hears="journal.jsonl")
    assert answer.message is not None
    return party.server.discord.files.content(answer.message["attachments"][0])


def main() -> None:
    """Store the release named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.releases", description=__doc__)
    parser.add_argument("name", help="the release's name: its version or commit")
    parser.add_argument("--code", type=Path, default=REPOSITORY, help="where its checkout is")
    options = parser.parse_args()
    asyncio.run(make(Release(FOLDER / options.name), options.code.resolve()))


if __name__ == "__main__":
    main()
