"""Promising Discord an answer while something takes long."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

import discord

PROMPT_SECONDS = 0.1  # so long an answer may take before it is promised
LATEST_SECONDS = 1.5  # so long where the promise would be public; Discord waits for three

T = TypeVar("T")


async def in_time(
    interaction: discord.Interaction[Any],
    work: Awaitable[T],
    *,
    adds: bool = False,
    is_private: bool = True,
) -> T:
    """Wait for work; if it takes long, promise Discord the answer meanwhile.

    A form can't be opened after a promise.

    Args:
        interaction: What is to be answered.
        work: What the answer is made of.
        adds: Whether the answer is a new message; else it changes the message that was pressed.
        is_private: Whether a new message is its person's alone; so is then what goes wrong.
    """
    working = asyncio.ensure_future(work)
    try:
        await asyncio.wait({working}, timeout=PROMPT_SECONDS if is_private else LATEST_SECONDS)
        if not working.done() and not interaction.response.is_done():
            if adds:
                await interaction.response.defer(ephemeral=is_private, thinking=True)
            else:
                await interaction.response.defer()
    except BaseException:
        working.cancel()
        raise
    return await working
