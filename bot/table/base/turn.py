"""Use cases: each is one function that runs in one transaction, with what it needs at hand.

`act`, `unit` and `look` make one of a function that takes a `Turn`, or a `ReadTurn` where it only reads;
it is then called with the table and the request in its place, and awaited.
"""

from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import FollowUp, Roll, Ruleset, Verdict
from bot.store.connection import OutcomeUnknown, StoreUnavailable
from bot.store.records import (
    CampaignId,
    CampaignRecord,
    CharacterRecord,
    DueTask,
    EntryId,
    EntryRecord,
    FollowUpRecord,
    JsonObject,
    ServerId,
)
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, Request, access_here, access_in, find_character
from bot.table.base.live_rows import PRESS
from bot.table.base.results import (
    ChangeLine,
    Message,
    OpenFollowUp,
    Result,
    blind_result,
    follow_up_as_kept,
    follow_up_to_json,
    is_blind,
    message_to_json,
    result_of,
    result_with,
)
from bot.table.base.stored_rolls import FREE, roll_as_kept, roll_to_json
from bot.table.base.table import Table

__all__ = [
    "USE_CASES",
    "OutcomeUnknown",
    "ReadTurn",
    "StoreUnavailable",
    "Turn",
    "act",
    "earlier_answer",
    "look",
    "record",
    "unit",
]

P = ParamSpec("P")
R = TypeVar("R")


class ReadTurn:
    """What a use case that only reads has at hand.

    Args:
        table: The table.
        reader: The store.
        request: Who asks, and where.
        access: Their access to the campaign; by default to that of the place, once it is needed.
    """

    def __init__(self, table: Table, reader: Reader, request: Request, access: Access | None = None) -> None:
        self.table, self.reader, self.request = table, reader, request
        self._access = access

    @property
    def access(self) -> Access:
        """The person's access to the campaign.

        Raises:
            NoCampaign: If the place has none.
        """
        if self._access is None:
            self._access = access_here(self.table, self.reader, self.request)
        return self._access

    @property
    def server(self) -> ServerId:
        """The server of the request."""
        return self.request.server

    @property
    def campaign(self) -> CampaignRecord:
        """The campaign."""
        return self.access.campaign

    @property
    def game(self) -> Ruleset:
        """Its ruleset."""
        return self.access.game

    @property
    def is_gm(self) -> bool:
        """Whether the person is a GM of it."""
        return self.access.is_gm

    def in_campaign(self, id_: int | None) -> Self:
        """Return the same in a campaign, wherever the person asks; in that of the place for None."""
        found = None if id_ is None else self.reader.campaign(self.server, CampaignId(id_))
        return self if found is None else self.within(access_in(self.table, self.reader, self.request, found))

    def within(self, access: Access) -> Self:
        """Return the same in another campaign."""
        return type(self)(self.table, self.reader, access.request, access)

    def character(self, name: str | int) -> CharacterRecord:
        """Return a character of the campaign, by name or id.

        Raises:
            NoSuchCharacter: If there is none that the person may know of.
        """
        return find_character(self.reader, self.access, name)


class Turn(ReadTurn):
    """What a use case that changes something has at hand; arguments as for `ReadTurn`."""

    def __init__(self, table: Table, tx: Transaction, request: Request, access: Access | None = None) -> None:
        super().__init__(table, tx, request, access)
        self.tx = tx

    def earlier_answer(self) -> Result | None:
        """Return the answer given when the same interaction came the first time."""
        return earlier_answer(self.tx, self.request)

    def log(
        self,
        kind: str,
        headline: str,
        *,
        by: CharacterRecord | None = None,
        verdict: Verdict | None = None,
        changes: Sequence[ChangeLine] = (),
        notes: Sequence[str] = (),
        secret: bool = False,
        session: int | None = None,
        facts: JsonObject | None = None,
        follow_ups: Sequence[FollowUp] = (),
        shown_in: EntryId | None = None,
    ) -> Result:
        """Journal what was done, and return the answer; what is not said here is as in `record`.

        Args:
            headline: What was done; follows the name.
            by: The character who did it; by default it was the person.
            secret: Whether only the GM, and whoever did it, are told.
        """
        message = Message(
            who=self.request.person_name if by is None else by.name,
            headline=headline,
            verdict=verdict,
            changes=tuple(changes),
            notes=tuple(notes),
            is_public=not secret,
        )
        return record(
            self.table,
            self.tx,
            self.access,
            kind,
            message,
            character=None if by is None else by.id,
            is_secret=secret,
            session=session,
            facts=facts,
            follow_ups=follow_ups,
            shown_in=shown_in,
        )


def earlier_answer(reader: Reader, request: Request) -> Result | None:
    """Return the answer given when the same interaction came the first time."""
    entry = reader.entry_of(request.server, request.interaction)
    if entry is None:
        return None
    if is_blind(entry):
        return blind_result(entry)
    return result_of(entry, reader.follow_ups(request.server, entry.id))


def record(
    table: Table,
    tx: Transaction,
    access: Access,
    kind: str,
    message: Message,
    *,
    character: int | None = None,
    session: int | None = None,
    undoes: EntryId | None = None,
    is_secret: bool = False,
    facts: JsonObject | None = None,
    follow_ups: Sequence[FollowUp] = (),
    rolls: Sequence[Roll] = (),
    are_free: bool = False,
    seed: int | None = None,
    shown_in: EntryId | None = None,
) -> Result:
    """Record what a use case did, with every change it made in *tx*.

    Args:
        tx: The unit of work it was done in.
        access: Who did it, and in which campaign.
        kind: The kind of entry.
        message: The text about it.
        character: The acting character, or None.
        session: The session it belongs to, if not the running one.
        is_secret: Whether only the GM (and whoever did it) may see it.
        facts: What the use case will read back from the entry later.
        follow_ups: The follow-ups it offers.
        are_free: Whether they are free dice, of no ruleset.
        seed: Number of the seed its dice come from, or None without dice.
        shown_in: The entry whose message shows it, or None if it has its own message.

    Returns:
        The answer.
    """
    request, game = access.request, FREE if are_free else access.game.key
    stored = [roll_to_json(game, roll) for roll in rolls]
    entry = tx.add_entry(
        EntryRecord(
            server=request.server,
            campaign=access.campaign.id,
            at=table.now(),
            interaction=request.interaction,
            channel=request.channel,
            person=request.person,
            person_name=request.person_name,
            character=character,
            session=session,
            kind=kind,
            told={**message_to_json(message), **({"facts": facts} if facts else {})},
            rolls=[*stored],
            seed=seed,
            undoes=undoes,
            is_secret=is_secret,
            shown_in=shown_in,
        )
    )
    kept = tuple(roll_as_kept(roll, one) for roll, one in zip(rolls, stored, strict=True))
    result = result_with(entry, message, kept, _save_follow_ups(tx, entry, follow_ups))
    return blind_result(entry) if is_blind(entry) else result


def _save_follow_ups(
    tx: Transaction, entry: EntryRecord, follow_ups: Sequence[FollowUp]
) -> list[OpenFollowUp]:
    """Save an entry's follow-ups; those of a secret entry are never pressed automatically."""
    if entry.is_secret:
        follow_ups = [replace(one, after_seconds=None) for one in follow_ups]
    records = [
        FollowUpRecord(
            server=entry.server,
            campaign=entry.campaign,
            entry=entry.id,
            body=follow_up_to_json(one),
            group=one.group,
        )
        for one in follow_ups
    ]
    offered = [
        OpenFollowUp(id_, follow_up_as_kept(one, record.body))
        for id_, record, one in zip(tx.add_follow_ups(records), records, follow_ups, strict=True)
    ]
    for one in offered:
        if one.follow_up.after_seconds:
            due_at = entry.at + one.follow_up.after_seconds
            tx.save_due_task(DueTask(server=entry.server, kind=PRESS, id=one.id, due=due_at))
    return offered


# --- making use cases --------------------------------------------------------------------------

UseCase: TypeAlias = Callable[Concatenate[Table, Request, P], Coroutine[Any, Any, R]]


class Made(Struct, frozen=True):
    """A use case, and what holds for it."""

    run: Callable[..., Coroutine[Any, Any, Any]]  # the use case
    maker: Callable[..., Any]  # what made it: `act`, `unit` or `look`
    gm: bool  # whether it is for GMs only


USE_CASES: list[Made] = []


def act(*, gm: bool = False) -> Callable[[Callable[Concatenate[Turn, P], R]], UseCase[P, R | Result]]:
    """Make a use case that journals what it does; for an interaction handled before it returns that result.

    Args:
        gm: Whether it is for GMs of the place's campaign only.
    """

    def made(do: Callable[Concatenate[Turn, P], R]) -> UseCase[P, R | Result]:
        @wraps(do)
        async def run(table: Table, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> R | Result:
            def done(tx: Transaction) -> R | Result:
                at = Turn(table, tx, request)
                again = at.earlier_answer()
                if again is not None:
                    return again
                if gm:
                    at.access.require_gm()
                return do(at, *args, **kwargs)

            return await table.store.run(done)

        USE_CASES.append(Made(run, act, gm))
        return run

    return made


def unit(*, gm: bool = False) -> Callable[[Callable[Concatenate[Turn, P], R]], UseCase[P, R]]:
    """Make a use case that changes something; if an interaction comes again, so does this: see `act`."""

    def made(do: Callable[Concatenate[Turn, P], R]) -> UseCase[P, R]:
        @wraps(do)
        async def run(table: Table, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> R:
            def done(tx: Transaction) -> R:
                at = Turn(table, tx, request)
                if gm:
                    at.access.require_gm()
                return do(at, *args, **kwargs)

            return await table.store.run(done)

        USE_CASES.append(Made(run, unit, gm))
        return run

    return made


def look(*, gm: bool = False) -> Callable[[Callable[Concatenate[ReadTurn, P], R]], UseCase[P, R]]:
    """Make a use case that only reads; see `act`."""

    def made(do: Callable[Concatenate[ReadTurn, P], R]) -> UseCase[P, R]:
        @wraps(do)
        async def run(table: Table, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> R:
            def done(reader: Reader) -> R:
                at = ReadTurn(table, reader, request)
                if gm:
                    at.access.require_gm()
                return do(at, *args, **kwargs)

            return await table.store.read(done)

        USE_CASES.append(Made(run, look, gm))
        return run

    return made
