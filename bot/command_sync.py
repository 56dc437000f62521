"""Telling Discord the slash commands, only when they are not what it knows already."""

import hashlib
import json
from typing import TYPE_CHECKING, Any, Protocol

import structlog

if TYPE_CHECKING:
    from discord import app_commands

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)


class Memory(Protocol):
    """Where the digest of the commands synced last is kept, by application."""

    async def recall(self, key: str) -> str | None:
        """Give what was kept under the key, if anything was."""

    async def keep(self, key: str, digest: str) -> None:
        """Keep the digest under the key."""


def digest(tree: "app_commands.CommandTree[Any]") -> str:
    """The SHA-256 of the definition of all global commands, whatever order they were added in."""
    commands = sorted((command.to_dict(tree) for command in tree.get_commands()), key=_identity)
    return hashlib.sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()


def _identity(command: dict[str, Any]) -> tuple[str, int]:
    return str(command["name"]), int(command.get("type", 1))


async def sync_if_changed(
    tree: "app_commands.CommandTree[Any]", application_id: int, memory: Memory
) -> "list[app_commands.AppCommand] | None":
    """Sync the global commands when their definition changed or Discord has other ones.

    Args:
        tree: The commands there are.
        application_id: Whose they are.
        memory: What was synced last.

    Returns:
        The commands as Discord took them, or None when there was nothing to do.
    """
    key, now = f"commands:{application_id}", digest(tree)
    if await memory.recall(key) == now and await _are_known(tree):
        log.info("commands unchanged", commands=len(tree.get_commands()))
        return None
    synced = await tree.sync()
    await memory.keep(key, now)
    log.info("commands synced", commands=len(synced))
    return synced


async def _are_known(tree: "app_commands.CommandTree[Any]") -> bool:
    """Ask Discord whether it has commands of these names; somebody may have removed them there."""
    ours = {_identity(command.to_dict(tree)) for command in tree.get_commands()}
    return ours == {(known.name, known.type.value) for known in await tree.fetch_commands()}
