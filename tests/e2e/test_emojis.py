"""Dice as the application's emojis: uploaded once over two starts, and seen in results."""

import re
from pathlib import Path

from tests.e2e.opening import open_play
from tests.e2e.people import Actor, gather
from tests.e2e.table import Table, open_table

ALL = 66
CHECK = "/maid check first:Int second:Cha"
DRAWN = r"Int <:tk_d8_[1-8]:\d+>"


async def test_f_all_29_results_show_dice_as_emojis_that_are_uploaded_once(tmp_path: Path) -> None:
    async with open_table(tmp_path, settings={"DISCORD__EMOJIS": "true"}) as table:
        party = gather(table.discord)
        await open_play(party)
        first = await checked(table, party.alice, starts=1)
        await table.restart()
        second = await checked(table, party.alice, starts=2)

    assert re.search(DRAWN, first), first
    assert re.search(DRAWN, second), second
    assert len(table.discord.emojis) == ALL


async def checked(table: Table, actor: Actor, starts: int) -> str:
    """Make a check once the emojis are known after so many starts; return the answer."""
    await table.discord.until(lambda: table.log_text.count("emojis ready") == starts)
    return (await actor.types(CHECK, hears="checks Int + Cha")).text
