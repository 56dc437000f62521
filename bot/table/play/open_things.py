"""Open things: list what waits for somebody in a campaign, and settle or waive it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.rules.kernel import (
    CharacterId,
    Closing,
    FindUnsettled,
    NoOptions,
    Outcome,
    Procedure,
    Scene,
    Unsettled,
    settle_all,
    waive_all,
)
from bot.rules.kernel.dice import Dice
from bot.rules.shared.encounters import find_character
from bot.store.records import NO_LIMIT
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.journal.gathered import scene_to_look_at
from bot.table.play.doing import Action, do
from bot.table.play.hidden_foes import HiddenFoes
from bot.table.play.owed_answers import GmQuestion, gm_questions, lately

SETTLE = "settle"


@dataclass(frozen=True, slots=True)
class OpenThing:
    """Something that waits for somebody.

    Attributes:
        what: What it is, without a full stop.
        channel: The channel of its fight, or None.
        lapses: Whether the end of the session settles it; everything else stays open.
        is_hidden: Whether it concerns a hidden character.
        is_gms: Whether only a GM decides it, which leaves it open until then.
    """

    what: str
    channel: int | None
    lapses: bool
    is_hidden: bool
    is_gms: bool = False


def open_about(reader: Reader, access: Access, who: int) -> tuple[str, ...]:
    """Return what waits for somebody and concerns a character, in words that name nobody hidden."""
    scene = scene_to_look_at(reader, access, for_gm=True)
    asked = [one for one in _asked(reader, access, with_hidden=False) if one.is_about(who)]
    found = [one.what for one in access.game.unsettled(scene) if who in one.concerns]
    names = reader.character_names(access.campaign.server, access.campaign.id, limit=NO_LIMIT)
    hidden = frozenset((CharacterId(one.id), one.name) for one in names if one.is_hidden)
    foes = HiddenFoes(hidden, frozenset(one.name for one in names if not one.is_hidden))
    return tuple(foes.masked_text(what) for what in (*found, *(one.what for one in asked)))


def _asked(reader: Reader, access: Access, *, with_hidden: bool) -> list[GmQuestion]:
    """Return what a GM has to answer under results."""
    found = gm_questions(lately(reader, access))
    return [one for one in found if with_hidden or not one.entry.is_secret]


def open_things(reader: Reader, access: Access, *, with_hidden: bool = False) -> tuple[OpenThing, ...]:
    """Return everything that waits for somebody in the campaign, in order of each place."""
    scene = scene_to_look_at(reader, access, for_gm=True)
    found = tuple(_listed(scene, one) for one in access.game.unsettled(scene))
    asked = (
        OpenThing(one.what, one.entry.channel, lapses=False, is_hidden=one.entry.is_secret, is_gms=True)
        for one in _asked(reader, access, with_hidden=with_hidden)
    )
    return (*(one for one in found if with_hidden or not one.is_hidden), *asked)


def _listed(scene: Scene, one: Unsettled) -> OpenThing:
    channel = int(one.channel) if one.channel.isdigit() else None
    return OpenThing(one.what, channel, one.lapses, _is_hidden(scene, one), one.is_gms)


def _is_hidden(scene: Scene, one: Unsettled) -> bool:
    concerned = (find_character(scene, who) for who in one.concerns)
    return any(who is not None and who.is_hidden for who in concerned)


def close_open(
    table: Table,
    tx: Transaction,
    access: Access,
    how: Closing,
    *,
    only_lapsing: bool = False,
    only: Callable[[Unsettled], bool] | None = None,
) -> tuple[Result, ...]:
    """Settle or waive what is open, in one journal entry; hidden things go into another.

    Args:
        table: The table.
        tx: The unit of work.
        access: Who closes it; a GM.
        how: Whether it is settled or waived.
        only_lapsing: Whether to close only what can't outlast the session.
        only: Which of it is closed; by default all.
    """
    results: list[Result] = []
    for is_hidden in (False, True):
        find = access.game.unsettled if only is None else _those(access.game.unsettled, only)
        wanted = _wanted(find, is_hidden=is_hidden, only_lapsing=only_lapsing)
        if not wanted(scene_to_look_at(tx, access, for_gm=True)):
            continue
        interaction = f"{access.request.interaction}:{SETTLE}{int(is_hidden)}"
        closer = replace(access, request=replace(access.request, interaction=interaction))
        procedure = Procedure(key=SETTLE, options=NoOptions, run=_closing(wanted, how), needs_actor=False)
        move = Action(
            access=closer, procedure=procedure, options=NoOptions(), actor=None, is_secret=is_hidden
        )
        results.append(do(table, tx, move))
    return tuple(results)


def _those(find: FindUnsettled, only: Callable[[Unsettled], bool]) -> FindUnsettled:
    return lambda scene: tuple(one for one in find(scene) if only(one))


def _wanted(find: FindUnsettled, *, is_hidden: bool, only_lapsing: bool) -> FindUnsettled:
    def wanted(scene: Scene) -> tuple[Unsettled, ...]:
        found = (one for one in find(scene) if (one.lapses or not only_lapsing) and not one.is_gms)
        return tuple(one for one in found if _is_hidden(scene, one) == is_hidden)

    return wanted


def _closing(wanted: FindUnsettled, how: Closing) -> Callable[[Scene, NoOptions, Dice], Outcome]:
    def close(scene: Scene, _options: NoOptions, dice: Dice) -> Outcome:
        return waive_all(scene, wanted) if how is Closing.WAIVE else settle_all(scene, wanted, dice)

    return close
