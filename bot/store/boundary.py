"""The boundary of the store: what a unit of work may ask of it, without SQL.

Every implementation passes the same contract tests. Each method takes the server first and sees
nothing of another. What `Transaction` writes through the methods marked "journalled" is collected as
`Change`s until `add_entry` puts them into the journal, so that no change can be forgotten.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Protocol

from bot.store.records import (
    BEFORE_ALL,
    BoardRecord,
    CampaignId,
    CampaignRecord,
    Change,
    CharacterRecord,
    CommandsState,
    CountdownRecord,
    DraftRecord,
    DueTask,
    EntryId,
    EntryRecord,
    FavouriteRecord,
    FollowUpId,
    FollowUpRecord,
    IdleRule,
    Json,
    JsonObject,
    MeetingRecord,
    MessageRecord,
    NamedCharacter,
    SeedRecord,
    ServerCommandsRecord,
    ServerId,
    SessionRecord,
    Shards,
)


class Reader(Protocol):
    """The queries of the store."""

    def meta(self, key: str) -> str | None:
        """Return a note of the bot about itself, or None."""
        ...

    def servers(self, shards: Shards) -> list[ServerId]:
        """Return every server of some shards with a campaign or its seeds; only for what is done to all."""
        ...

    def campaign(self, server: ServerId, campaign: CampaignId) -> CampaignRecord | None:
        """Return a campaign by id."""
        ...

    def campaigns(self, server: ServerId) -> list[CampaignRecord]:
        """Return the server's campaigns: the default one first, then by name; archived ones last."""
        ...

    def campaign_at(self, server: ServerId, places: Sequence[int]) -> CampaignRecord | None:
        """Return the campaign of a place: that of the first bound place, else the server's default.

        Args:
            server: The server.
            places: Thread, channel and category, nearest first.
        """
        ...

    def places(self, server: ServerId, campaign: CampaignId) -> list[int]:
        """Return the channels, categories and threads bound to a campaign, by id."""
        ...

    def gms(self, server: ServerId, campaign: CampaignId) -> list[int]:
        """Return the people named as GMs of a campaign, by id."""
        ...

    def character(self, server: ServerId, character: int) -> CharacterRecord | None:
        """Return a character by id, even a retired one."""
        ...

    def characters_with(self, server: ServerId, ids: Collection[int]) -> dict[int, CharacterRecord]:
        """Return those of some characters that exist, by id, even retired ones; read at once."""
        ...

    def character_name(self, server: ServerId, character: int) -> str | None:
        """Return the name of a character, even of a retired one."""
        ...

    def character_named(self, server: ServerId, campaign: CampaignId, name: str) -> CharacterRecord | None:
        """Return the campaign's active character of that name, ignoring case and outer spaces."""
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
        """Return the campaign's characters by name, at most *limit*; *contains* is part of the name."""
        ...

    def character_names(
        self,
        server: ServerId,
        campaign: CampaignId,
        *,
        owner: int | None = None,
        contains: str = "",
        with_hidden: bool = True,
        limit: int = 1000,
    ) -> list[NamedCharacter]:
        """Return the names of the same characters, without reading their sheets; none that is retired."""
        ...

    def named_characters(
        self, server: ServerId, campaign: CampaignId, ids: Collection[int]
    ) -> dict[int, NamedCharacter]:
        """Return those of some characters, by id, that are in the campaign and not retired."""
        ...

    def current_character(self, server: ServerId, campaign: CampaignId, person: int) -> int | None:
        """Return the character a person plays now, or None."""
        ...

    def portrait(self, server: ServerId, character: int) -> bytes:
        """Return a character's portrait, a picture file; nothing if it has none."""
        ...

    def handout_picture(self, server: ServerId, campaign: CampaignId, handout: str) -> bytes:
        """Return the picture of a handout, a file; nothing if it has none."""
        ...

    def document(self, server: ServerId, campaign: CampaignId, key: str) -> JsonObject | None:
        """Return a document by key."""
        ...

    def document_text(self, server: ServerId, campaign: CampaignId, key: str) -> str | None:
        """Return the stored text of a document by key."""
        ...

    def document_keys(self, server: ServerId, campaign: CampaignId, under: str = "") -> list[str]:
        """Return the keys of a campaign's documents that begin with *under*, in order."""
        ...

    def timers_due(self, server: ServerId, campaign: CampaignId, clock: int) -> list[tuple[int, str]]:
        """Return (character, timer) of active characters' timers due by *clock*, earliest first."""
        ...

    def open_session(self, server: ServerId, campaign: CampaignId) -> SessionRecord | None:
        """Return the campaign's running session."""
        ...

    def sessions(self, server: ServerId, campaign: CampaignId) -> list[SessionRecord]:
        """Return all sessions of a campaign, latest first."""
        ...

    def open_sessions(self, where: ServerId | Shards) -> list[SessionRecord]:
        """Return every running session of a server or of some shards; only for automatic ends."""
        ...

    def ending_sessions(self, rule: IdleRule, shards: Shards) -> list[SessionRecord]:
        """Return the running sessions of some shards that are idle or have an event or a voice channel."""
        ...

    def seed(self, server: ServerId, campaign: CampaignId, number: int | None = None) -> SeedRecord | None:
        """Return a seed by number; by default the one in use."""
        ...

    def seeds(self, server: ServerId, campaign: CampaignId) -> list[SeedRecord]:
        """Return all seeds of a campaign, oldest first."""
        ...

    def countdown(self, server: ServerId, countdown: int) -> CountdownRecord | None:
        """Return a countdown by id, even if it is over."""
        ...

    def countdown_named(self, server: ServerId, campaign: CampaignId, name: str) -> CountdownRecord | None:
        """Return the campaign's countdown of that name: the running one, else the latest that is over."""
        ...

    def countdowns(
        self, server: ServerId, campaign: CampaignId, *, are_over: bool = False, limit: int = 1000
    ) -> list[CountdownRecord]:
        """Return the campaign's running countdowns, oldest first; or those that are over, latest first."""
        ...

    def board(self, server: ServerId, campaign: CampaignId, kind: str) -> BoardRecord | None:
        """Return a board of a campaign."""
        ...

    def boards(self, server: ServerId, campaign: CampaignId) -> list[BoardRecord]:
        """Return every board of a campaign, by kind."""
        ...

    def every_board(self, kind: str, shards: Shards) -> list[BoardRecord]:
        """Return the boards of a kind, and of kinds below it, of some shards; only for updating them."""
        ...

    def entry(self, server: ServerId, entry: EntryId) -> EntryRecord | None:
        """Return a journal entry by id."""
        ...

    def entry_of(self, server: ServerId, interaction: str) -> EntryRecord | None:
        """Return the journal entry of an interaction."""
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
        only_secret: bool = False,
        newest_first: bool = True,
        is_brief: bool = False,
        limit: int = 1000,
    ) -> list[EntryRecord]:
        """Return a campaign's journal entries, filtered; *after* and *before* are exclusive.

        Without the secret ones, those that are revealed to everybody are among them. Rolls and changes are
        the most of an entry: who needs none reads brief ones, which have neither.
        """
        ...

    def entries_with(self, server: ServerId, campaign: CampaignId, part: str, *, among: int) -> list[EntryId]:
        """Return those of a campaign's newest entries whose stored text may contain a part, newest first.

        Args:
            server: The server.
            campaign: The campaign.
            part: The part; upper and lower case are the same.
            among: How many entries are looked at.
        """
        ...

    def changing_entries(
        self, server: ServerId, campaign: CampaignId, *, among: int
    ) -> Iterator[EntryRecord]:
        """Return those of a campaign's newest entries that stand and changed something, newest first.

        Args:
            server: The server.
            campaign: The campaign.
            among: How many entries are looked at.
        """
        ...

    def newest_actions(self, server: ServerId, campaign: CampaignId, *, among: int) -> list[EntryId]:
        """Return those of a campaign's newest entries that have rolls or changes, newest first."""
        ...

    def kinds_used(
        self, server: ServerId, campaign: CampaignId, *, with_secret: bool, limit: int
    ) -> list[str]:
        """Return the kinds of a campaign's newest journal entries, each as often as it is among them."""
        ...

    def count_actions(
        self, server: ServerId, campaign: CampaignId, entry: EntryId, *, after: EntryId = BEFORE_ALL
    ) -> int:
        """Return how many entries with rolls or changes a campaign has up to the given one."""
        ...

    def action_at(self, server: ServerId, campaign: CampaignId, number: int) -> EntryId | None:
        """Return the entry that is a campaign's *number*-th with rolls or changes; None if there is none."""
        ...

    def entries_by(self, server: ServerId, person: int) -> int:
        """Return how many journal entries of a server a person made."""
        ...

    def names_of(self, server: ServerId, person: int) -> list[str]:
        """Return the names under which a person made journal entries in a server."""
        ...

    def rows_naming(self, server: ServerId, person: int) -> int:
        """Return how many rows of a server, beside journal entries, name a person by their id in a text."""
        ...

    def shown_in(self, server: ServerId, entry: EntryId) -> list[EntryRecord]:
        """Return the entries shown in the message of an earlier one, in order."""
        ...

    def message(self, server: ServerId, entry: EntryId) -> MessageRecord | None:
        """Return where the message of an entry is, if known."""
        ...

    def follow_up(self, server: ServerId, follow_up: FollowUpId) -> FollowUpRecord | None:
        """Return a follow-up by id."""
        ...

    def follow_ups(self, server: ServerId, entry: EntryId) -> list[FollowUpRecord]:
        """Return all follow-ups of an entry, in order."""
        ...

    def follow_ups_of(self, server: ServerId, entries: Collection[EntryId]) -> list[FollowUpRecord]:
        """Return all follow-ups of some entries, in order."""
        ...

    def favourites(self, server: ServerId, character: int) -> list[FavouriteRecord]:
        """Return a character's favourites, oldest first."""
        ...

    def meeting(self, server: ServerId, campaign: CampaignId) -> JsonObject | None:
        """Return what is stored about a campaign's planned session."""
        ...

    def meetings(self, server: ServerId) -> list[MeetingRecord]:
        """Return the planned sessions of a server."""
        ...

    def draft(self, server: ServerId, draft: int) -> DraftRecord | None:
        """Return a draft by id."""
        ...

    def draft_of(self, server: ServerId, campaign: CampaignId, person: int) -> DraftRecord | None:
        """Return a person's draft in a campaign."""
        ...

    def due_task(self, server: ServerId, kind: str, id_: int) -> DueTask | None:
        """Return a task of a server, whenever it is due."""
        ...

    def due_tasks_of(self, server: ServerId, kind: str, now: int) -> list[DueTask]:
        """Return the due tasks of a kind of one server, longest due first."""
        ...

    def due_tasks(self, kind: str, now: int, shards: Shards) -> list[DueTask]:
        """Return the due tasks of a kind, of every server of some shards, longest due first."""
        ...

    def commands_state(self, server: ServerId) -> CommandsState:
        """Return a server's commands, with the campaigns they depend on."""
        ...

    def campaign_rulesets(self) -> frozenset[str]:
        """Return the rulesets of all campaigns of all servers."""
        ...

    def commands_states(self, shards: Shards) -> Iterator[CommandsState]:
        """Yield that of every server of some shards with a campaign or commands; only to update these."""
        ...


class Transaction(Reader, Protocol):
    """The queries and writes of the store; all writes of a unit are committed, or none."""

    def set_meta(self, key: str, value: str) -> None:
        """Save a note of the bot about itself."""
        ...

    def save_campaign(self, campaign: CampaignRecord) -> CampaignId:
        """Save a new campaign (id 0) or a changed one; journalled. A new default replaces the old one.

        Raises:
            NameTaken: If another campaign of the server has the name.
        """
        ...

    def bind(self, server: ServerId, place: int, campaign: CampaignId | None) -> None:
        """Bind a channel, category or thread to a campaign, or unbind it; journalled."""
        ...

    def set_gm(self, server: ServerId, campaign: CampaignId, person: int, *, is_gm: bool) -> None:
        """Name a person a GM of a campaign, or remove them; journalled."""
        ...

    def save_character(self, character: CharacterRecord) -> int:
        """Save a new character (id 0) or a changed one with all its rows; journalled.

        Raises:
            NameTaken: If another active character of the campaign has the name.
            OutOfBounds: If a resource or wound leaves its bounds.
        """
        ...

    def set_current_character(
        self, server: ServerId, campaign: CampaignId, person: int, character: int | None
    ) -> None:
        """Set which character a person plays now; journalled."""
        ...

    def save_portrait(self, server: ServerId, character: int, picture: bytes) -> None:
        """Save a character's portrait, or with no picture remove it; not journalled."""
        ...

    def save_handout_picture(
        self, server: ServerId, campaign: CampaignId, handout: str, picture: bytes
    ) -> None:
        """Save the picture of a handout; not journalled."""
        ...

    def save_document(
        self, server: ServerId, campaign: CampaignId, key: str, body: JsonObject | None
    ) -> None:
        """Save a document, or remove it; journalled."""
        ...

    def save_session(self, session: SessionRecord) -> None:
        """Save a new or changed session; journalled, but for `active_at` and `empty_since`."""
        ...

    def save_countdown(self, countdown: CountdownRecord) -> int:
        """Save a new countdown (id 0) or a changed one with its ticks; journalled.

        Raises:
            NameTaken: If another running one of the campaign has the name.
            OutOfBounds: If its value is not between 0 and its difficulty.
        """
        ...

    def drop_countdown(self, server: ServerId, countdown: int) -> None:
        """Remove a countdown with its ticks; journalled. Its rival in a duel loses its rival."""
        ...

    def save_board(self, board: BoardRecord) -> None:
        """Save where a board is and what it shows; not journalled."""
        ...

    def drop_board(self, server: ServerId, campaign: CampaignId, kind: str) -> None:
        """Forget a board; not journalled."""
        ...

    def save_seed(self, seed: SeedRecord) -> None:
        """Save a seed, or mark it revealed; never journalled, never undone."""
        ...

    def add_entry(self, entry: EntryRecord) -> EntryRecord:
        """Add a journal entry with every change collected so far, and touch the open session.

        Returns:
            The entry as saved, with its id, its changes and the number of its session.

        Raises:
            AlreadyDone: If the interaction has an entry already.
        """
        ...

    def add_follow_ups(self, follow_ups: Sequence[FollowUpRecord]) -> list[FollowUpId]:
        """Save an entry's follow-ups and return their ids; undoing the entry removes them (see `revert`)."""
        ...

    def close_follow_ups(self, server: ServerId, entry: EntryId, group: str, closed_by: EntryId) -> None:
        """Close an entry's open follow-ups of a group. Undoing *closed_by* reopens them."""
        ...

    def obstacles(self, entry: EntryRecord) -> list[EntryRecord]:
        """Return the later standing entries that changed what *entry* changed, latest first."""
        ...

    def changes_so_far(self) -> int:
        """Return how many changes are collected for the next entry."""
        ...

    def take_back(self, server: ServerId, changes: Sequence[Change]) -> None:
        """Revert *changes* and nothing else; journalled.

        Raises:
            Overtaken: If something has been changed since.
        """
        ...

    def revert(self, entry: EntryRecord) -> None:
        """Revert every row to before *entry*; journalled as changes of the next entry.

        Raises:
            Overtaken: If an entry that still stands has changed something since.
        """
        ...

    def mark_undone(self, entry: EntryRecord, by: EntryId | None) -> None:
        """Mark an entry as undone by another; None if that was undone itself."""
        ...

    def set_revealed(self, entry: EntryRecord, people: Collection[int]) -> None:
        """Set to whom a secret entry is revealed; journalled."""
        ...

    def save_message(self, message: MessageRecord) -> None:
        """Save where the message of an entry is; not journalled."""
        ...

    def save_draft(self, draft: DraftRecord) -> int:
        """Save a person's draft in place of their older one in the campaign; not journalled."""
        ...

    def drop_draft(self, server: ServerId, draft: int) -> None:
        """Discard a draft; not journalled."""
        ...

    def save_favourite(self, favourite: FavouriteRecord) -> int:
        """Save a favourite in place of the one of the same name, and return its id; not journalled."""
        ...

    def drop_favourite(self, server: ServerId, favourite: int) -> None:
        """Forget a favourite; not journalled."""
        ...

    def save_meeting(self, meeting: MeetingRecord) -> None:
        """Save a campaign's planned session in place of an earlier one; not journalled."""
        ...

    def drop_meeting(self, server: ServerId, campaign: CampaignId) -> None:
        """Forget a campaign's planned session; not journalled."""
        ...

    def save_due_task(self, task: DueTask) -> None:
        """Save a task, or a task's new time; not journalled."""
        ...

    def postpone_due_task(self, task: DueTask, until: int) -> bool:
        """Postpone a task; return False if its time has changed or it is done. Not journalled."""
        ...

    def drop_due_task(self, task: DueTask) -> None:
        """Forget a task; not journalled."""
        ...

    def save_server_commands(self, record: ServerCommandsRecord) -> None:
        """Save which commands Discord has for a server; not journalled."""
        ...

    def drop_server_commands(self, server: ServerId) -> None:
        """Forget which commands Discord has for a server; not journalled."""
        ...

    def replace_person(
        self,
        server: ServerId,
        person: int,
        stand_in: int,
        name: str,
        retell: Callable[[JsonObject, list[Json], bool], tuple[JsonObject, list[Json]]],
    ) -> None:
        """Put a number and a name that are nobody's in a person's place, in every row of a server.

        Rows and the journal's changes of them stay alike, so that undo goes on working. What the person
        began and did not finish is removed. Not journalled.

        Args:
            server: The server.
            person: Who it is.
            stand_in: The number; no id of a person.
            name: The name.
            retell: Gives an entry's text and rolls without the person's name, from both and whether the
                entry is theirs.
        """
        ...

    def purge_server(self, server: ServerId, by: str | None = None) -> None:
        """Remove every row of a server, for good.

        Args:
            server: The server.
            by: The interaction that asks for it; nothing is removed if it did so before.
        """
        ...
