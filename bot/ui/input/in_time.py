"""Promising Discord an answer while something takes long."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

import discord

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
        pace = interaction.client.pace
        patience = pace.private_promise_seconds if is_private else pace.public_promise_seconds
        await asyncio.wait({working}, timeout=patience)
        if not working.done() and not interaction.response.is_done():
            if adds:
                await interaction.response.defer(ephemeral=is_private, thinking=True)
            else:
                await interaction.response.defer()
    except BaseException:
        working.cancel()
        raise
    return await working
