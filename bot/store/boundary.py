"""What a unit of work may ask of the store: whole sentences, never SQL.

Every implementation passes the same contract tests. Each method takes the server first and sees
nothing of another. What `Transaction` writes through the methods marked "journalled" is collected as
`Change`s until `add_entry` puts them into the journal, so that no change can be forgotten.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from bot.store.records import (
    BoardRecord,
    CampaignId,
    CampaignRecord,
    Change,
    CharacterRecord,
    CountdownRecord,
    DraftRecord,
    DueTask,
    EntryId,
    EntryRecord,
    FollowUpId,
    FollowUpRecord,
    JsonObject,
    Kept,
    MessageRecord,
    SeedRecord,
    ServerId,
    SessionRecord,
)

T = TypeVar("T")


class Reader(Protocol):
    """What can be looked up."""

    def meta(self, key: str) -> str | None:
        """A note of the bot about itself, or None."""
        ...

    def campaign(self, server: ServerId, campaign: CampaignId) -> CampaignRecord | None:
        """A campaign by id."""
        ...

    def campaigns(self, server: ServerId) -> list[CampaignRecord]:
        """The server's campaigns: the default one first, then by name; archived ones last."""
        ...

    def campaign_at(self, server: ServerId, places: Sequence[int]) -> CampaignRecord | None:
        """The campaign meant in a place: that of the first bound place, else the server's default.

        Args:
            server: Where.
            places: Thread, channel and category, nearest first.
        """
        ...

    def places(self, server: ServerId, campaign: CampaignId) -> list[int]:
        """The channels, categories and threads bound to a campaign, by id."""
        ...

    def gms(self, server: ServerId, campaign: CampaignId) -> list[int]:
        """The people named as GMs of a campaign, by id."""
        ...

    def character(self, server: ServerId, character: int) -> CharacterRecord | None:
        """A character by id, retired ones too."""
        ...

    def character_named(self, server: ServerId, campaign: CampaignId, name: str) -> CharacterRecord | None:
        """The campaign's character of that name (case and outer spaces do not matter); none retired."""
        ...

    def characters(
        self,
        server: ServerId,
        campaign: CampaignId,
        *,
        owner: int | None = None,
        contains: str = "",
        with_hidden: bool = True,
        with_retired: bool = False,
        limit: int = 1000,
    ) -> list[CharacterRecord]:
        """The campaign's characters by name, at most *limit*; *contains* is part of the name."""
        ...

    def current_character(self, server: ServerId, campaign: CampaignId, person: int) -> int | None:
        """The character a person plays now, or None."""
        ...

    def document(self, server: ServerId, campaign: CampaignId, key: str) -> JsonObject | None:
        """A document by key."""
        ...

    def document_keys(self, server: ServerId, campaign: CampaignId, under: str = "") -> list[str]:
        """The keys of the documents of a campaign that begin with *under*, in order."""
        ...

    def timers_due(self, server: ServerId, campaign: CampaignId, clock: int) -> list[tuple[int, str]]:
        """(character, timer) of those not retired whose moment is at or before *clock*, earliest first."""
        ...

    def open_session(self, server: ServerId, campaign: CampaignId) -> SessionRecord | None:
        """The campaign's running session."""
        ...

    def sessions(self, server: ServerId, campaign: CampaignId) -> list[SessionRecord]:
        """All sessions of a campaign, the latest first."""
        ...

    def open_sessions(self) -> list[SessionRecord]:
        """Every running session of every server; only for ending them by themselves."""
        ...

    def seed(self, server: ServerId, campaign: CampaignId, number: int | None = None) -> SeedRecord | None:
        """A seed by number; the one in use without a number."""
        ...

    def seeds(self, server: ServerId, campaign: CampaignId) -> list[SeedRecord]:
        """All seeds of a campaign, the first first."""
        ...

    def countdown(self, server: ServerId, countdown: int) -> CountdownRecord | None:
        """A countdown by id, also one that is over."""
        ...

    def countdown_named(self, server: ServerId, campaign: CampaignId, name: str) -> CountdownRecord | None:
        """The campaign's countdown of that name; the one that runs, else the latest that is over."""
        ...

    def countdowns(
        self, server: ServerId, campaign: CampaignId, *, are_over: bool = False, limit: int = 1000
    ) -> list[CountdownRecord]:
        """The campaign's countdowns that run, the oldest first; or those that are over, the latest first."""
        ...

    def board(self, server: ServerId, campaign: CampaignId, kind: str) -> BoardRecord | None:
        """A board of a campaign."""
        ...

    def boards(self, server: ServerId, campaign: CampaignId) -> list[BoardRecord]:
        """Every board of a campaign, by kind."""
        ...

    def every_board(self, kind: str) -> list[BoardRecord]:
        """The boards of a kind, and of kinds below it, of every server; only for bringing them up to date."""
        ...

    def entry(self, server: ServerId, entry: EntryId) -> EntryRecord | None:
        """A journal entry by id."""
        ...

    def entry_of(self, server: ServerId, interaction: str) -> EntryRecord | None:
        """The journal entry of an interaction."""
        ...

    def entries(
        self,
        server: ServerId,
        campaign: CampaignId,
        *,
        session: int | None = None,
        person: int | None = None,
        character: int | None = None,
        after: EntryId | None = None,
        before: EntryId | None = None,
        with_secret: bool = True,
        newest_first: bool = True,
        limit: int = 1000,
    ) -> list[EntryRecord]:
        """Journal entries of a campaign, filtered; *after* and *before* are exclusive."""
        ...

    def shown_in(self, server: ServerId, entry: EntryId) -> list[EntryRecord]:
        """The entries that are shown in the message of an earlier one, in order."""
        ...

    def message(self, server: ServerId, entry: EntryId) -> MessageRecord | None:
        """Where the message of an entry is, if that is known."""
        ...

    def follow_up(self, server: ServerId, follow_up: FollowUpId) -> FollowUpRecord | None:
        """A follow-up by id."""
        ...

    def follow_ups(self, server: ServerId, entry: EntryId) -> list[FollowUpRecord]:
        """All follow-ups of an entry, in their order."""
        ...

    def draft(self, server: ServerId, draft: int) -> DraftRecord | None:
        """A draft by id."""
        ...

    def draft_of(self, server: ServerId, campaign: CampaignId, person: int) -> DraftRecord | None:
        """A person's draft in a campaign."""
        ...

    def due_tasks(self, kind: str, now: int) -> list[DueTask]:
        """The tasks of a kind that are due, of every server, the longest due first."""
        ...


class Transaction(Reader, Protocol):
    """What can be written besides; everything of one unit is kept, or nothing is."""

    def set_meta(self, key: str, value: str) -> None:
        """Keep a note of the bot about itself."""
        ...

    def save_campaign(self, campaign: CampaignRecord) -> CampaignId:
        """Make a campaign (id 0) or change one; journalled. Making one default un-defaults the other.

        Raises:
            NameTaken: If another campaign of the server has the name.
        """
        ...

    def bind(self, server: ServerId, place: int, campaign: CampaignId | None) -> None:
        """Bind a channel, category or thread to a campaign, or free it; journalled."""
        ...

    def set_gm(self, server: ServerId, campaign: CampaignId, person: int, *, is_gm: bool) -> None:
        """Name a person GM of a campaign, or no longer; journalled."""
        ...

    def save_character(self, character: CharacterRecord) -> int:
        """Make a character (id 0) or change one with all its rows; journalled.

        Raises:
            NameTaken: If another character of the campaign, not retired, has the name.
            OutOfBounds: If a resource or wound leaves its bounds.
        """
        ...

    def set_current_character(
        self, server: ServerId, campaign: CampaignId, person: int, character: int | None
    ) -> None:
        """Say which character a person plays now; journalled."""
        ...

    def save_document(
        self, server: ServerId, campaign: CampaignId, key: str, body: JsonObject | None
    ) -> None:
        """Keep a document, or remove it; journalled."""
        ...

    def save_session(self, session: SessionRecord) -> None:
        """Start a session (a new number) or change one; journalled, but for `active_at` and `empty_since`."""
        ...

    def save_countdown(self, countdown: CountdownRecord) -> int:
        """Make a countdown (id 0) or change one with its ticks; journalled.

        Raises:
            NameTaken: If another one of the campaign that runs has the name.
            OutOfBounds: If its value is not between 0 and its difficulty.
        """
        ...

    def drop_countdown(self, server: ServerId, countdown: int) -> None:
        """Remove a countdown with its ticks; journalled. A duel with it is none any more."""
        ...

    def save_board(self, board: BoardRecord) -> None:
        """Keep where a board stands and what it shows; not journalled."""
        ...

    def drop_board(self, server: ServerId, campaign: CampaignId, kind: str) -> None:
        """Forget a board; not journalled."""
        ...

    def save_seed(self, seed: SeedRecord) -> None:
        """Keep a seed, or mark it revealed; never journalled, never undone."""
        ...

    def add_entry(self, entry: EntryRecord) -> EntryRecord:
        """Put an entry into the journal with every change collected so far, and touch the open session.

        Returns:
            The entry as kept, with its id, its changes and the number of the session it fell into.

        Raises:
            AlreadyDone: If the interaction has an entry already.
        """
        ...

    def add_follow_ups(self, follow_ups: Sequence[FollowUpRecord]) -> list[FollowUpRecord]:
        """Keep the follow-ups of an entry. They go when their entry is undone (see `revert`)."""
        ...

    def close_follow_ups(self, server: ServerId, entry: EntryId, group: str, closed_by: EntryId) -> None:
        """Close an entry's open follow-ups of a group. Undoing *closed_by* opens them again."""
        ...

    def obstacles(self, entry: EntryRecord) -> list[EntryRecord]:
        """The later entries, not undone, that changed what *entry* changed; the latest first."""
        ...

    def changes_so_far(self) -> int:
        """How many changes have been collected for the entry to come."""
        ...

    def take_back(self, server: ServerId, changes: Sequence[Change]) -> None:
        """Put rows back as they were before *changes*, and nothing else; journalled.

        Raises:
            Overtaken: If something of it has been changed since.
        """
        ...

    def revert(self, entry: EntryRecord) -> None:
        """Put every row back as it was before *entry*; journalled as changes of the entry to come.

        Raises:
            Overtaken: If something of it has been changed since by an entry that still stands.
        """
        ...

    def mark_undone(self, entry: EntryRecord, by: EntryId | None) -> None:
        """Say which entry took an entry back; None where that was taken back itself."""
        ...

    def save_message(self, message: MessageRecord) -> None:
        """Save where the message of an entry is; not journalled."""
        ...

    def save_draft(self, draft: DraftRecord) -> int:
        """Keep a person's draft, in place of an older one of theirs in the campaign; not journalled."""
        ...

    def drop_draft(self, server: ServerId, draft: int) -> None:
        """Throw a draft away; not journalled."""
        ...

    def save_due_task(self, task: DueTask) -> None:
        """Save a task, or the new time of one; not journalled."""
        ...

    def postpone_due_task(self, task: DueTask, until: int) -> bool:
        """Give a task a later time; False where it has another one by now, or is done. Not journalled."""
        ...

    def drop_due_task(self, task: DueTask) -> None:
        """Forget a task; not journalled."""
        ...

    def purge_server(self, server: ServerId) -> None:
        """Remove every row of a server, for good."""
        ...


class Store(Protocol):
    """Where units of work run."""

    async def run(self, unit: Callable[[Transaction], T]) -> T:
        """Run a unit of work whole, in one transaction; its result comes after the commit.

        Raises:
            StoreUnavailable: If the database cannot be written just now; nothing was changed.
            Unjournalled: If the unit changed something and added no entry; nothing was changed.
        """
        ...

    async def read(self, query: Callable[[Reader], T]) -> T:
        """Look something up on the read-only connection."""
        ...

    def listen(self, listener: Callable[[Kept], None]) -> Callable[[], None]:
        """Have somebody told, after each commit, of every entry that was put into the journal.

        The listener is called on the event loop and must not wait for anything.

        Returns:
            What ends it.
        """
        ...

    async def close(self) -> None:
        """Finish what is waiting, fold the write-ahead log into the file, and let go of it."""
        ...
