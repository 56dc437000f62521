"""What Discord is told of the slash commands: those of every server, and those of single ones."""

import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import structlog
from discord import app_commands

from bot.table.base.use_case_errors import StoreUnavailable
from bot.ui.commands.offered import AnyCommand, Leaf, is_of_games, is_offered
from bot.ui.commands.other_games import GAME

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper
    from bot.store.store import Store
    from bot.store.transaction import Transaction

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

Definition = dict[str, Any]


def shared_definitions(bot: "Tablekeeper") -> list[Definition]:
    """Return the commands of every server: those without anything of a game."""
    found = [one.to_dict(bot.tree) for one in bot.tree.get_commands() if not is_of_games(one)]
    return sorted(found, key=_identity)


def server_definitions(bot: "Tablekeeper", needs: Collection[str]) -> list[Definition]:
    """Return the commands of the games and packs given."""
    return _definitions(bot, lambda one: is_offered(one, needs)) if needs else []


def _definitions(bot: "Tablekeeper", is_in: Callable[[Leaf], bool]) -> list[Definition]:
    """Return as much of the games' commands as is in a choice."""
    found = [_definition(bot, one, is_in) for one in bot.tree.get_commands() if is_of_games(one)]
    return sorted((one for one in found if one), key=_identity)


def _definition(bot: "Tablekeeper", command: AnyCommand, is_in: Callable[[Leaf], bool]) -> Definition | None:
    """Return a command with as much below it as is in a choice; None if nothing is."""
    if not isinstance(command, app_commands.Group):
        return dict(command.to_dict(bot.tree)) if is_in(command) else None
    below = [_definition(bot, one, is_in) for one in command.commands]
    options = [one for one in below if one]
    return {**command.to_dict(bot.tree), "options": options} if options else None


def digest(definitions: Sequence[Definition]) -> str:
    """Return the SHA-256 of definitions."""
    return hashlib.sha256(json.dumps(definitions, sort_keys=True).encode()).hexdigest()


def version(bot: "Tablekeeper", game: str) -> str:
    """Return a digest of a game's commands, whatever order they were added in."""
    return digest(_definitions(bot, lambda one: one.extras.get(GAME) in (None, game)))


def _identity(command: Definition) -> tuple[str, int]:
    return str(command["name"]), int(command.get("type", 1))


async def sync_if_changed(bot: "Tablekeeper", application_id: int) -> bool:
    """Send the commands of every server if their definitions changed or Discord has other ones.

    Args:
        bot: The bot with its command tree.
        application_id: The bot's application id.

    Returns:
        Whether they were sent.
    """
    store, definitions = bot.table.store, shared_definitions(bot)
    key, now = f"commands:{application_id}", digest(definitions)
    known: Sequence[Any] = await bot.http.get_global_commands(application_id)
    is_sent = await _recalled(store, key) != now or not _are(known, definitions)
    if is_sent:
        known = await bot.http.bulk_upsert_global_commands(application_id, payload=definitions)
    log.info("commands synced" if is_sent else "commands unchanged", commands=len(definitions))
    ids = json.dumps(ids_of(known), sort_keys=True)
    if is_sent or await _recalled(store, _ids_key(application_id)) != ids:

        def note(tx: "Transaction") -> None:
            tx.set_meta(key, now)
            tx.set_meta(_ids_key(application_id), ids)

        with suppress(StoreUnavailable):  # then the next start sends them once more
            await store.run(note)
    return is_sent


def ids_of(known: Sequence[Any]) -> dict[str, int]:
    """Return the ids of slash commands as Discord lists them, by name."""
    return {one["name"]: int(one["id"]) for one in known if one.get("type", 1) == 1}


async def shared_ids(store: "Store", application_id: int) -> dict[str, int]:
    """Return Discord's ids of the commands of every server, by name, as far as they are known."""
    ids: dict[str, int] = json.loads(await _recalled(store, _ids_key(application_id)) or "{}")
    return ids


def _ids_key(application_id: int) -> str:
    return f"command ids:{application_id}"


async def _recalled(store: "Store", key: str) -> str | None:
    try:
        return await store.read(lambda reader: reader.meta(key))
    except StoreUnavailable:
        return None


def _are(known: Sequence[Any], definitions: Sequence[Definition]) -> bool:
    """Return whether Discord has commands of these names; somebody may have removed them."""
    return {_identity(one) for one in known} == {_identity(one) for one in definitions}
