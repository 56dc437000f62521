"""A ruleset added as one package and one cog, with no other edit, works like the others."""

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.table import REPOSITORY, Table, open_table

SIXTH = Path(__file__).parent / "sixth"


@pytest.fixture
def grown(tmp_path: Path) -> Path:
    """Return a copy of the bot with the package and cog of a sixth ruleset."""
    code = tmp_path / "code"
    for package in ("bot", "cogs"):
        shutil.copytree(REPOSITORY / package, code / package, ignore=shutil.ignore_patterns("__pycache__"))
    ruleset = code / "bot" / "rules" / "coin_toss"
    ruleset.mkdir()
    shutil.copy(SIXTH / "coin_toss.py", ruleset / "__init__.py")
    shutil.copy(SIXTH / "scene.toml", ruleset)
    shutil.copy(SIXTH / "coin.py", code / "cogs")
    return code


@pytest.fixture
async def table(grown: Path, tmp_path: Path) -> AsyncIterator[Table]:
    async with open_table(tmp_path, code=grown) as laid:
        yield laid


async def test_a_sixth_ruleset_is_played_from_campaign_to_recap(table: Table) -> None:
    offered = await table.gm.autocomplete("campaign create", "ruleset", "coin")
    made = await table.gm.slash("campaign create", ruleset=offered[0]["value"], name="Heads")
    joined = await table.alice.slash("character create", ready="Penny")
    sheet = await table.alice.slash("character sheet")
    await table.gm.slash("session start")
    tossed = await table.alice.slash("coin toss")
    ended = await table.gm.press(await table.gm.slash("session end"), "End the session")

    assert "Coin Toss" in made.text
    assert "Penny" in joined.text
    assert "Coins 2" in sheet.text
    assert "chance was 75%" in tossed.text
    assert "has ended" in ended.text


async def test_a_sixth_ruleset_has_a_wizard_odds_rules_and_help(table: Table) -> None:
    await table.gm.slash("campaign create", ruleset="Coin Toss", name="Heads")

    wizard = await table.alice.slash("character create")
    unanswered = await table.alice.press(wizard, "Next")
    odds = await table.alice.slash("odds coin", coins=3)
    rule = await table.alice.slash("rules", about="Tossing")
    help_page = await table.alice.select(await table.alice.slash("help"), "Commands", "coin")

    assert "How many coins?" in wizard.text
    assert "Answer “How many coins?” first." in unanswered.text
    assert "heads" in odds.text
    assert "one head is enough" in rule.text
    assert "/coin toss" in help_page.text


async def test_the_playground_offers_the_sixth_rulesets_scene(grown: Path) -> None:
    asking = "from bot.playground import page as of; print([one.title for one in of.shipped_scenes()])"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        asking,
        cwd=grown,
        env={**os.environ, "PYTHONPATH": str(grown)},
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()

    assert "Coin Toss" in said.decode()
