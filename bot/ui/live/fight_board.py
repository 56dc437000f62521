"""The board of a fight: always the newest message of its channel; it can ping whoever's turn it is."""

import hashlib

from bot.table.base.table import Table
from bot.table.encounters import encounters
from bot.table.encounters.encounters import FightPlace, Look
from bot.ui.live.live_message import Live, LiveKind
from bot.ui.replies.encounter_replies import board_reply, mark_of, over_reply
from bot.ui.text.reply import Reply


async def _load(table: Table, place: FightPlace) -> Live | None:
    board = await encounters.board(table, place)
    if board is None:
        return None
    look = board.look

    def draw(pings: tuple[int, ...]) -> Reply:
        return over_reply() if look is None else board_reply(look, pings)

    return Live(
        server=place.server,
        channel=place.channel,
        message=board.message,
        shown=board.shown,
        mark=mark_of(board),
        draw=draw,
        turn="" if look is None else _turn_mark(look),
        pings=look.players if look is not None and board.pings else (),
        is_over=look is None,
    )


def _turn_mark(look: Look) -> str:
    return hashlib.sha256(look.view.turn.encode()).hexdigest()[:8]


FIGHT_BOARD = LiveKind(name="fight", rows=encounters.ROWS, load=_load, moves_down=True)
