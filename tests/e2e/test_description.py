"""What the bot sends, held against Discord's own description of its API."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.table import open_table


@pytest.mark.contract
async def test_every_command_definition_and_a_few_answers_fit(discord_spec: Path, tmp_path: Path) -> None:
    async with open_table(tmp_path, spec=discord_spec) as table:
        help_text = await table.alice.slash("help")
        rolled = await table.alice.slash("roll", expression="2d6+3")
        mistaken = await table.alice.slash("roll", expression="2d")

    assert [answer.failed for answer in (help_text, rolled, mistaken)] == [None, None, None]
    assert {request.method for request in table.discord.requests if "/commands" in request.path} >= {"PUT"}
