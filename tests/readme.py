"""What README.md and the docs have from the program: ``python -m tests.readme`` writes it anew."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import discord
from discord import app_commands

from bot.app.client import Tablekeeper
from bot.app.config import MEANINGS, DiscordSettings, sections
from bot.app.pace import STANDARD
from bot.rules import rulesets
from bot.rules.own.game_file import GameFile
from bot.store.transaction import Store
from bot.table.base.table import Table

CHAT = discord.AppCommandType.chat_input
README = Path(__file__).parent.parent / "README.md"
SCHEMA = README.parent / "docs" / "own-games" / "game.schema.json"


def settings_table() -> str:
    """Every setting with its default and what it does."""
    rows = ["| setting | default | what it does |", "|---|---|---|"]
    for section, model in sections().items():
        for key, field in model.model_fields.items():
            default = "not set" if field.default is None else f"`{json.dumps(field.default)}`"
            rows.append(f"| `{section}.{key}` | {default} | {field.description} |")
    return "\n".join(rows)


def exit_codes_table() -> str:
    """Every exit code with its meaning."""
    rows = [f"| {code.value} | {meaning} |" for code, meaning in MEANINGS.items()]
    return "\n".join(["| exit code | meaning |", "|---|---|", *rows])


def commands_table() -> str:
    """Every slash command with its subcommands."""
    rows = ["| command | what it is for | subcommands |", "|---|---|---|"]
    for command in asyncio.run(top_commands()):
        below = [leaf.qualified_name.removeprefix(f"{command.name} ") for leaf in leaves(command)]
        subcommands = " · ".join(f"`{name}`" for name in below if name != command.name)
        rows.append(f"| `/{command.name}` | {command.description} | {subcommands} |")
    return "\n".join(rows)


Top = app_commands.Command[Any, ..., Any] | app_commands.Group


async def top_commands() -> list[Top]:
    """Every slash command that the bot has, as its cogs define it, by name."""
    # No command is called, so that nothing need be kept.
    table = Table(store=cast("Store", None), games=rulesets(), now=lambda: 0, new_secret=lambda: bytes(32))
    bot = Tablekeeper(DiscordSettings(), table, pace=STANDARD)
    async with bot:
        await bot.load_cogs()
        await bot.load_games(table.games)
        found = [cast("Top", command) for command in bot.tree.get_commands(type=CHAT)]
    return sorted(found, key=lambda command: command.name)


def leaves(command: Top) -> Iterator[app_commands.Command[Any, ..., Any]]:
    """The commands below a command that can be typed."""
    if isinstance(command, app_commands.Command):
        yield command
    else:
        for inner in command.commands:
            yield from leaves(inner)


def written(readme: str) -> str:
    """The text of README.md with its tables anew."""
    tables = {"commands": commands_table, "settings": settings_table, "exit-codes": exit_codes_table}
    for name, table in tables.items():
        before, beginning, rest = readme.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        readme = f"{before}{beginning}{table()}\n{end}{after}"
    return readme


def game_schema() -> str:
    """The JSON Schema of an own game's file, for editors."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **GameFile.model_json_schema(by_alias=True),
        "title": "A game of one's own",
        "description": "The file of a game for Tablekeeper.",
    }
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(game_schema(), encoding="utf-8")
    README.write_text(written(README.read_text(encoding="utf-8")), encoding="utf-8")


ROOT = Path(__file__).parent.parent
GAMES = ROOT / "docs" / "games"
_CODE = re.compile(r"```\w*\n(.*?)```|`([^`\n]+)`", re.S)
_TYPED = re.compile(r"^(?:(?:\w+:)? *)/([a-z].*)$", re.M)
_SPOKEN = re.compile(r"^(\w+): +(.+)$", re.M)
_CELL = re.compile(r"^\| (`.+?`) \|", re.M)


def pages() -> tuple[Path, ...]:
    """Every page that people read."""
    return (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))


def game_pages() -> tuple[Path, ...]:
    """The page of each ruleset."""
    return tuple(page for page in sorted(GAMES.glob("*.md")) if page.name != "README.md")


def typed_lines(text: str) -> Iterator[str]:
    """The commands that a page shows as code, each as it is typed, without the slash."""
    for block, span in _CODE.findall(text):
        yield from (line.strip() for line in _TYPED.findall(block or span))


def spoken_lines(text: str) -> tuple[tuple[str, str], ...]:
    """What a page's blocks of play say: who, and a command or a button in brackets."""
    blocks = (block for block, _ in _CODE.findall(text) if block)
    return tuple(line for block in blocks for line in _SPOKEN.findall(block))


def settings_named(text: str) -> tuple[str, ...]:
    """The settings in the first column of the table about them."""
    _, _, section = text.partition("## Settings worth knowing")
    cells = _CELL.findall(section.partition("\n## ")[0])
    return tuple(name for cell in cells for name in re.findall(r"`(\w+)`", cell))


def paths_named(text: str) -> Iterator[str]:
    """The files and folders of the project that a page names as code."""
    for block, span in _CODE.findall(text):
        yield from re.findall(r"(?:^|(?<=\s))(?:bot|cogs|docs|tests|\.ci)/[\w./]*\w/?", block or span)
