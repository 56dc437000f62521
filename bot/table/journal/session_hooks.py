"""Hooks of the ruleset for a session's start, its end and a new character: run, saved and reported."""

from collections.abc import Callable, Sequence

from bot.rules.kernel import CharacterId, HookResult, Scene
from bot.store.records import NO_LIMIT
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access
from bot.table.base.results import ChangeLine
from bot.table.journal.scenes import SceneKeeper

Turn = Callable[[Scene, Sequence[CharacterId]], HookResult]


def characters_of(reader: Reader, access: Access, *, with_hidden: bool = True) -> list[CharacterId]:
    """Return every character of the campaign that is not retired."""
    found = reader.character_names(
        access.campaign.server, access.campaign.id, with_hidden=with_hidden, limit=NO_LIMIT
    )
    return [CharacterId(one.id) for one in found]


def run_hook(tx: Transaction, access: Access, turn: Turn) -> tuple[HookResult, tuple[ChangeLine, ...]]:
    """Run a hook on every character of the campaign and save its result.

    Returns:
        The text (without hidden characters in its notes and follow-ups), and what changed about
        the visible characters, with everything else that was reset.
    """
    keeper = SceneKeeper(tx, access)
    scene = keeper.scene(None)
    hook_result = turn(scene, characters_of(tx, access))
    shown = turn(scene, characters_of(tx, access, with_hidden=False))
    lines = (*keeper.changes(hook_result.scene, with_hidden=False), *put_back_lines(shown))
    keeper.keep(hook_result.scene)
    return shown, lines


def put_back_lines(hook_result: HookResult) -> tuple[ChangeLine, ...]:
    """Return what was reset besides the characters' counted values."""
    return tuple(ChangeLine(one.who, one.what, one.before, one.after) for one in hook_result.put_back)


def run_arrival(
    tx: Transaction, access: Access, newcomer: CharacterId
) -> tuple[HookResult, tuple[ChangeLine, ...]]:
    """Run the arrival hook for a new character if a session is running."""
    keeper = SceneKeeper(tx, access)
    hook_result = access.game.arrive(keeper.scene(None), newcomer)
    return hook_result, keeper.keep(hook_result.scene)
