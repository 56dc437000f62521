"""Every command of every game, typed in a campaign of that game: with what fits, and with hostile texts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.rules import rulesets
from tests.cogs.desk import Desk, Sent, open_desk
from tests.cogs.test_hidden_foes import lay
from tests.e2e.test_hostile import HOSTILE, INVISIBLE, MARKUP, RAW
from tests.readme import leaves
from tests.table.conftest import Person

GAMES = rulesets()
Command = app_commands.Command[Any, ..., Any]
PLAIN: dict[discord.AppCommandOptionType, object] = {
    discord.AppCommandOptionType.string: "Ann",
    discord.AppCommandOptionType.boolean: True,
}
FEWEST_DONE = {  # commands that do something for all to see, so that the sweep keeps looking at something
    "compare_roll": 18,
    "post_magic_maid": 6,
    "rpj": 38,
    "swim_class": 20,
    "sword_and_swarm": 10,
}


def commands_of(desk: Desk, command: str) -> Iterator[Command]:
    """What can be typed below /swim and /swim-gm, or another game's."""
    for top in desk.bot.tree.get_commands(type=discord.AppCommandType.chat_input):
        if top.name.split("-")[0] == command:
            yield from leaves(top)


async def fitting(desk: Desk, who: Person, command: Command) -> dict[str, Any]:
    """A value for each option that is required: what is offered first, else the least."""
    given: dict[str, Any] = {}
    for one in command.parameters:
        if not one.required:
            continue
        offered = [choice.value for choice in one.choices]
        if one.autocomplete:
            offered = await desk.offered(who, command.qualified_name, one.name, "", **given)
        plain = PLAIN.get(one.type, max(int(one.min_value or 0), 1))
        given[one.name] = offered[0] if offered else plain
    return given


def wrong_with(sent: list[Sent]) -> list[str]:
    """What is wrong with the answers to a command."""
    found = [] if sent else ["nothing is answered"]
    for one in sent:
        text = f"{one.text}\n{one.alt}"
        found += [f"{hit[0]!r} in {text}" for pattern in (RAW, INVISIBLE) if (hit := pattern.search(text))]
        found += [f"{hit[0]!r} in {text}" for hit in MARKUP.finditer(one.text)]
        found += [text] if "Something went wrong" in text else []
    return found


async def tried(desk: Desk, who: Person, command: Command) -> tuple[bool, list[str]]:
    """Whether a command with fitting options does something that all see; what is wrong, also with others."""
    values = await fitting(desk, who, command)
    sent = await desk.type(who, command.qualified_name, **values)
    wrong = wrong_with(sent)
    texts = [
        one.name
        for one in command.parameters
        if one.type is discord.AppCommandOptionType.string and not one.choices
    ]
    for kind in ("markup", "unseen", "programs") if texts else ():
        hostile = dict.fromkeys(texts, HOSTILE[kind][:100])
        wrong += wrong_with(await desk.type(who, command.qualified_name, **{**values, **hostile}))
    return not all(one.is_private for one in sent), [f"/{command.qualified_name}: {one}" for one in wrong]


@pytest.mark.parametrize("key", sorted(GAMES))
async def test_every_command_of_a_game_answers_whatever_is_typed(key: str, tmp_path: Path) -> None:
    ambush = await lay(GAMES[key], tmp_path)
    desk = await open_desk(ambush.sweep.table)
    wrong: list[str] = []
    done: set[str] = set()
    commands = [*commands_of(desk, GAMES[key].command)]
    for _ in ("in the fight", "after it"):
        for command in commands:
            for who in (ambush.alice, ambush.gwen):
                acted, faults = await tried(desk, who, command)
                done |= {command.qualified_name} if acted else set()
                wrong += faults
        await desk.type(ambush.gwen, "/gm encounter end")

    assert "\n".join(wrong) == ""
    assert len(done) >= FEWEST_DONE[key]
    await desk.bot.close()
    await ambush.sweep.table.store.close()
