"""Which games' commands a server has: those its campaigns need, and for a week those they needed."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from bot.rules.kernel.errors import UserError
from bot.store.records import CommandsState, Kept, ServerCommandsRecord, ServerId
from bot.store.transaction import Reader
from bot.table.base.access import game_of, game_settings, own_character
from bot.table.base.table import OWN_PREFIX, Table
from bot.table.base.turn import ReadTurn, look

__all__ = [
    "WEEK_SECONDS",
    "ServerId",
    "Wanted",
    "every_game",
    "forget",
    "games",
    "ids",
    "kept",
    "listen",
    "need",
    "needed",
    "note_sent",
    "outdated",
    "wanted",
]

WEEK_SECONDS = 7 * 24 * 3600


class Wanted(Struct, frozen=True):
    """The commands that a server should have."""

    server: ServerId
    seen: str  # digest of what this was chosen from
    # Each game and pack, with the time since which no campaign needs it, or None.
    needs: Mapping[str, int | None]
    fingerprint: str  # SHA-256 of the definitions that Discord has, or nothing
    ids: Mapping[str, int]  # discord's ids of these, by name


def need(game: str, pack: str = "") -> str:
    """Return the name of what a campaign needs: the commands of a game, or of one of its packs."""
    return f"{game}/{pack}" if pack else game


def needed(table: Table, reader: Reader, server: ServerId) -> frozenset[str]:
    """Return the games and packs that the server's campaigns need."""
    found: set[str] = set()
    for campaign in reader.campaigns(server):
        game = game_of(table, reader, campaign)
        if game is None or campaign.is_archived:
            continue
        packs = game.packs(game_settings(table, reader, game, campaign))
        found |= {need(game.key), *(need(game.key, pack) for pack in packs)}
    return frozenset(found)


def kept(now_needed: frozenset[str], before: Mapping[str, int | None], now: int) -> dict[str, int | None]:
    """Return what a server's commands are of: what is needed, and what was until a week ago."""
    unneeded = {key: before[key] or now for key in sorted(before) if key not in now_needed}
    lasting = {key: since for key, since in unneeded.items() if now < since + WEEK_SECONDS}
    return {**dict.fromkeys(sorted(now_needed)), **lasting}


def listen(table: Table, tell: Callable[[ServerId], None]) -> Callable[[], None]:
    """Call a listener after each commit that changed a server's campaigns.

    Returns:
        A function that stops it.
    """

    def hear(saved: Kept) -> None:
        if "campaigns" in saved.tables:
            tell(saved.server)

    return table.store.listen(hear)


async def every_game(table: Table) -> frozenset[str]:
    """Return the games of all campaigns of all servers."""
    return await table.store.read(lambda reader: reader.campaign_rulesets())


async def games(table: Table, server: ServerId) -> frozenset[str]:
    """Return the games whose commands a server may need."""
    state = await table.store.read(lambda reader: reader.commands_state(server))
    return frozenset(_games(state, _needs(state.record)))


async def outdated(table: Table, versions: Mapping[str, str]) -> dict[ServerId, bool]:
    """Return every server of this process with a campaign or commands, and whether these may have to change.

    Args:
        versions: Digests of the games' commands.
    """
    now = table.now()

    def query(reader: Reader) -> dict[ServerId, bool]:
        states = reader.commands_states(table.shards)
        return {state.server: _is_outdated(state, versions, now) for state in states}

    return await table.store.read(query)


async def wanted(table: Table, server: ServerId, versions: Mapping[str, str]) -> Wanted | None:
    """Return the commands that a server should have; None if nothing has changed."""
    now = table.now()

    def query(reader: Reader) -> Wanted | None:
        state = reader.commands_state(server)
        if not _is_outdated(state, versions, now):
            return None
        record, before = state.record, _needs(state.record)
        needs = kept(needed(table, reader, server), before, now)
        fingerprint = record.fingerprint if record else ""
        return Wanted(server, _digest(state, needs, versions), needs, fingerprint, _ids(record))

    return await table.store.read(query)


async def note_sent(table: Table, wish: Wanted, fingerprint: str, ids: Mapping[str, int]) -> None:
    """Note which commands Discord has now."""
    record = ServerCommandsRecord(
        server=wish.server, seen=wish.seen, fingerprint=fingerprint, ids=dict(ids), needs=dict(wish.needs)
    )
    if wish.needs:
        await table.store.run(lambda tx: tx.save_server_commands(record))
    else:
        await forget(table, wish.server)


async def forget(table: Table, server: ServerId) -> None:
    """Forget which commands a server has."""
    await table.store.run(lambda tx: tx.drop_server_commands(server))


async def ids(table: Table, server: ServerId) -> Mapping[str, int]:
    """Return Discord's ids of a server's own commands, by name."""
    return _ids((await table.store.read(lambda reader: reader.commands_state(server))).record)


def _is_outdated(state: CommandsState, versions: Mapping[str, str], now: int) -> bool:
    if state.record is None:
        return bool(state.played)
    is_over = any(since and now >= since + WEEK_SECONDS for since in _needs(state.record).values())
    return is_over or state.record.seen != _digest(state, _needs(state.record), versions)


def _digest(state: CommandsState, needs: Iterable[str], versions: Mapping[str, str]) -> str:
    of_games = [versions.get(_shared(game), "") for game in sorted(_games(state, needs))]
    return hashlib.sha256(json.dumps([of_games, state.played]).encode()).hexdigest()


def _shared(game: str) -> str:
    """Return what a game's commands are known by: those of all games of one's own are the same."""
    return OWN_PREFIX if game.startswith(OWN_PREFIX) else game


def _games(state: CommandsState, needs: Iterable[str]) -> set[str]:
    own = {key for key in needs if key.startswith(OWN_PREFIX)}
    return {game for game, _ in state.played} | own | {key.partition("/")[0] for key in {*needs} - own}


def _needs(record: ServerCommandsRecord | None) -> dict[str, int | None]:
    found = {} if record is None else record.needs
    return {key: since if isinstance(since, int) else None for key, since in found.items()}


def _ids(record: ServerCommandsRecord | None) -> dict[str, int]:
    found = {} if record is None else record.ids
    return {name: id_ for name, id_ in found.items() if isinstance(id_, int)}


LOOKED_AT = 200  # of the newest entries, to see what is used


class Asking(Struct, frozen=True):
    """Who asks for help, and where."""

    needs: frozenset[str]  # the game and packs played in the place; nothing where no campaign is
    is_gm: bool  # whether they are a GM there
    has_character: bool = False  # whether they play a character there
    has_session: bool = False  # whether a session is running there
    # How often each procedure was used lately, by kind of entry.
    used: Mapping[str, int] = {}


@look()
def asking(at: ReadTurn) -> Asking:
    """Return who asks for help, and where."""
    try:
        campaign = at.campaign.id
    except UserError:  # no campaign, or its game is gone: then only what all games share
        return Asking(frozenset(), at.request.manages_server)
    server, key = at.server, at.game.key
    packs = at.game.packs(at.access.settings)
    used = at.reader.kinds_used(server, campaign, with_secret=at.is_gm, limit=LOOKED_AT)
    return Asking(
        frozenset({need(key), *(need(key, pack) for pack in packs)}),
        at.is_gm,
        own_character(at.reader, at.access, None) is not None,
        at.reader.open_session(server, campaign) is not None,
        Counter(used),
    )
