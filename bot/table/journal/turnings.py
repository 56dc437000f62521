"""What a session's start, its end and an arrival do by themselves: asked of the ruleset, kept and told."""

from collections.abc import Callable, Sequence

from bot.rules.kernel import CharacterId, HookResult, Scene
from bot.store.boundary import Reader, Transaction
from bot.table.base.results import ChangeLine
from bot.table.base.seats import Access
from bot.table.journal.scenes import SceneKeeper

EVERYBODY = 1_000_000

Turn = Callable[[Scene, Sequence[CharacterId]], HookResult]


def characters_of(reader: Reader, seat: Access, *, with_hidden: bool = True) -> list[CharacterId]:
    """Every character of the campaign that is not retired."""
    found = reader.characters(
        seat.campaign.server, seat.campaign.id, with_hidden=with_hidden, limit=EVERYBODY
    )
    return [CharacterId(one.id) for one in found]


def keep_turning(tx: Transaction, seat: Access, turn: Turn) -> tuple[HookResult, tuple[ChangeLine, ...]]:
    """Let something happen to every character of the campaign.

    Returns:
        What to tell (nothing about hidden characters in its notes and follow-ups), and what changed of
        the characters that everybody may know of, with all else that was put back.
    """
    keeper = SceneKeeper(tx, seat)
    scene = keeper.scene(None)
    turning = turn(scene, characters_of(tx, seat))
    told = turn(scene, characters_of(tx, seat, with_hidden=False))
    lines = (*keeper.changes(turning.scene, with_hidden=False), *put_back_lines(told))
    keeper.keep(turning.scene)
    return told, lines


def put_back_lines(turning: HookResult) -> tuple[ChangeLine, ...]:
    """What was put back besides what is counted of characters."""
    return tuple(ChangeLine(one.who, one.what, one.before, one.after) for one in turning.put_back)


def keep_arrival(
    tx: Transaction, seat: Access, newcomer: CharacterId
) -> tuple[HookResult, tuple[ChangeLine, ...]]:
    """Let a character arrive that has just been made or brought, while a session runs."""
    keeper = SceneKeeper(tx, seat)
    turning = seat.game.arrive(keeper.scene(None), newcomer)
    return turning, keeper.keep(turning.scene)
