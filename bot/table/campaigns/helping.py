"""What the help depends on: the game of the place, who asks, and what is used there."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.rules.kernel.errors import UserError
from bot.store.transaction import Reader
from bot.table.base.access import access_here, own_character
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.campaigns.registered_commands import need

LOOKED_AT = 200  # of the newest entries, to see what is used


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks for help, and where.

    Attributes:
        needs: The game and packs played in the place; nothing where no campaign is.
        is_gm: Whether they are a GM there.
        has_character: Whether they play a character there.
        has_session: Whether a session is running there.
        used: How often each procedure was used lately, by kind of entry.
    """

    needs: frozenset[str]
    is_gm: bool
    has_character: bool = False
    has_session: bool = False
    used: Mapping[str, int] = field(default_factory=dict)


async def asking(table: Table, request: Request) -> Asking:
    """Return who asks for help, and where."""

    def query(reader: Reader) -> Asking:
        try:
            access = access_here(table, reader, request)
        except UserError:  # no campaign, or its game is gone: then only what all games share
            return Asking(frozenset(), request.manages_server)
        server, campaign, key = request.server, access.campaign.id, access.game.key
        packs = access.game.packs(access.settings)
        used = reader.kinds_used(server, campaign, with_secret=access.is_gm, limit=LOOKED_AT)
        return Asking(
            frozenset({need(key), *(need(key, pack) for pack in packs)}),
            access.is_gm,
            own_character(reader, access, None) is not None,
            reader.open_session(server, campaign) is not None,
            Counter(used),
        )

    return await table.store.read(query)
