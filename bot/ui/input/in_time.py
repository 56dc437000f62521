"""Promising Discord an answer while something takes long."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

import discord

PROMPT_SECONDS = 0.1  # so long an answer may take before it is promised

T = TypeVar("T")


async def in_time(interaction: discord.Interaction[Any], work: Awaitable[T], *, adds: bool = False) -> T:
    """Wait for work; if it takes long, promise Discord the answer meanwhile.

    A form can't be opened after a promise.

    Args:
        interaction: What is to be answered, from its person alone.
        work: What the answer is made of.
        adds: Whether the answer is a new private message; else it changes the message that was pressed.
    """
    working = asyncio.ensure_future(work)
    try:
        await asyncio.wait({working}, timeout=PROMPT_SECONDS)
        if not working.done() and not interaction.response.is_done():
            if adds:
                await interaction.response.defer(ephemeral=True, thinking=True)
            else:
                await interaction.response.defer()
    except BaseException:
        working.cancel()
        raise
    return await working
