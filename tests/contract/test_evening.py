"""A whole evening's requests, each checked against Discord's own description of its API."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.evening import play_evening
from tests.e2e.people import gather
from tests.e2e.table import open_table

pytestmark = pytest.mark.contract


async def nothing() -> None:
    """Do nothing between scenes."""


async def test_every_request_of_an_evening_matches_discords_api_description(
    tmp_path: Path, discord_spec: Path
) -> None:
    async with open_table(tmp_path, spec=discord_spec) as table:
        await play_evening(gather(table.discord), nothing)

        judged = {one.path.split("/")[1] for one in table.discord.requests if one.body is not None}

        assert judged >= {"applications", "interactions", "webhooks"}
        assert table.discord.breaches == []


async def test_every_command_definition_matches_discords_api_description(
    tmp_path: Path, discord_spec: Path
) -> None:
    async with open_table(tmp_path, spec=discord_spec) as table:
        defined = [one for one in table.discord.requests if one.method == "PUT"]

        assert [one.status for one in defined] == [200]
        assert table.discord.breaches == []
