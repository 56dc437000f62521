"""Sync the slash commands with Discord, only when they have changed."""

import hashlib
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import structlog

from bot.table.base.use_case_errors import StoreUnavailable

if TYPE_CHECKING:
    from discord import app_commands

    from bot.store.boundary import Store

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


def digest(tree: "app_commands.CommandTree[Any]") -> str:
    """Return the SHA-256 of all global commands' definitions, whatever order they were added in."""
    commands = sorted((command.to_dict(tree) for command in tree.get_commands()), key=_identity)
    return hashlib.sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()


def _identity(command: dict[str, Any]) -> tuple[str, int]:
    return str(command["name"]), int(command.get("type", 1))


async def sync_if_changed(
    tree: "app_commands.CommandTree[Any]", application_id: int, store: "Store"
) -> "list[app_commands.AppCommand] | None":
    """Sync the global commands if their definitions changed or Discord has other ones.

    Args:
        tree: The command tree.
        application_id: The bot's application id.
        store: Stores the digest of what was synced last.

    Returns:
        The commands as Discord accepted them, or None if there was nothing to do.
    """
    key, now = f"commands:{application_id}", digest(tree)
    if await _recalled(store, key) == now and await _are_known(tree):
        log.info("commands unchanged", commands=len(tree.get_commands()))
        return None
    synced = await tree.sync()
    log.info("commands synced", commands=len(synced))
    with suppress(StoreUnavailable):  # then the next start syncs once more
        await store.run(lambda transaction: transaction.set_meta(key, now))
    return synced


async def _recalled(store: "Store", key: str) -> str | None:
    try:
        return await store.read(lambda reader: reader.meta(key))
    except StoreUnavailable:
        return None


async def _are_known(tree: "app_commands.CommandTree[Any]") -> bool:
    """Ask Discord whether it has commands of these names; somebody may have removed them."""
    ours = {_identity(command.to_dict(tree)) for command in tree.get_commands()}
    return ours == {(known.name, known.type.value) for known in await tree.fetch_commands()}
