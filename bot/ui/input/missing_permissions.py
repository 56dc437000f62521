"""The permissions the bot needs to post in a channel."""

from functools import lru_cache

import discord

NAMES = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "embed_links": "Embed Links",
    "attach_files": "Attach Files",
}


def missing(held: discord.Permissions, *, in_thread: bool = False) -> tuple[str, ...]:
    """The permissions that the bot lacks to post in a channel, as Discord calls them.

    Args:
        held: What it has there.
        in_thread: Whether that is a thread.
    """
    return _missing(held.value, in_thread=in_thread)


@lru_cache(maxsize=256)
def _missing(held: int, *, in_thread: bool) -> tuple[str, ...]:
    other = "send_messages" if in_thread else "send_messages_in_threads"
    has = discord.Permissions(held)
    return tuple([words for name, words in NAMES.items() if name != other and not getattr(has, name)])
