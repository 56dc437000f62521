"""Limit a query beyond a server to those servers that a process looks after."""

from bot.store.records import Shards


def in_shards(shards: Shards, server: str = "server_id") -> tuple[str, tuple[int, ...]]:
    """Return what follows other conditions of a query, with its parameters; nothing for every shard.

    Args:
        shards: The shards.
        server: The column with the server's id.
    """
    if shards.are_all:
        return "", ()
    if not shards.held:
        return " AND FALSE", ()
    marks = ", ".join("?" * len(shards.held))
    return f" AND ({server} >> 22) % ? IN ({marks})", (shards.count, *sorted(shards.held))
