"""The store's records: one frozen dataclass for each kind of thing stored.

The store knows tables and documents and no rule. Ids of servers, channels and people are Discord's;
the others are counted by the store. Moments are whole seconds since 1970 (UTC). Documents are JSON
objects.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NewType, TypeAlias

from msgspec import Struct

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]

ServerId = NewType("ServerId", int)
CampaignId = NewType("CampaignId", int)
EntryId = NewType("EntryId", int)
FollowUpId = NewType("FollowUpId", int)

BEFORE_ALL = EntryId(0)  # every entry comes after it
EVERYBODY = 0  # stands for a person where something is for all
NO_LIMIT = 1_000_000  # as the most that is read: more than a campaign has of anything but entries


class Shards(Struct, frozen=True):
    """The shards of Discord whose servers a process looks after."""

    count: int  # how many shards there are; the same in every process
    held: frozenset[int]  # the numbers of those that it holds, from 0

    def has(self, server: int) -> bool:
        """Return whether it looks after a server; a server's shard is given by Discord's formula."""
        return (server >> 22) % self.count in self.held

    @property
    def are_all(self) -> bool:
        """Whether it looks after every server."""
        return len(self.held) == self.count


ALL_SHARDS = Shards(1, frozenset({0}))


class CampaignRecord(Struct, frozen=True, kw_only=True):
    """A campaign in a server."""

    id: CampaignId = CampaignId(0)  # its id; 0 before it is saved
    server: ServerId
    name: str  # its name as the GM wrote it; unique in its server, ignoring case
    ruleset: str  # key of its ruleset
    # What differs from the ruleset's defaults, and the shared settings.
    settings: JsonObject = {}
    clock: int = 0  # game time in seconds
    gm_role: int | None = None  # the Discord role whose members are GMs, or None
    is_default: bool = False  # whether it is used where no other is bound; at most one in a server
    is_archived: bool = False  # whether it is archived; then it is no default and has no channels
    created_at: int  # when it was made


class CharacterRecord(Struct, frozen=True, kw_only=True):
    """A character with all its counted values."""

    id: int = 0  # its id; 0 before it is saved
    server: ServerId
    campaign: CampaignId
    owner: int | None  # its player, or None for an NPC
    name: str  # its name; unique among the campaign's active characters, ignoring case
    is_hidden: bool = False  # whether only the GM may know of it
    is_retired: bool = False
    sheet_version: int  # version of the ruleset's sheet model
    sheet: str  # the ruleset's document, as stored text
    # Maps a key to (value, cap or None); 0 <= value, and value <= cap if there is one.
    resources: Mapping[str, tuple[int, int | None]] = {}
    # Maps a track to the (filled, capacity) of each of its levels; 0 <= filled <= capacity.
    wounds: Mapping[str, tuple[tuple[int, int], ...]] = {}
    # Maps a key to the moment on the game clock at which it runs out.
    timers: Mapping[str, int] = {}


class NamedCharacter(Struct, frozen=True):
    """What a list of names needs of a character that is not retired."""

    id: int
    name: str
    owner: int | None  # its player, or None for an NPC
    is_hidden: bool  # whether only the GM may know of it


class TickRecord(Struct, frozen=True, kw_only=True):
    """One move of a countdown."""

    steps: int  # the number of steps; below 0 if it was reversed
    character: int | None = None  # the character who did it, or None
    skill: str = ""  # the skill used, or empty
    day: int = 0  # the day of game time


class CountdownRecord(Struct, frozen=True, kw_only=True):
    """A countdown of a campaign with all its moves."""

    id: int = 0  # its id; 0 before it is saved
    server: ServerId
    campaign: CampaignId
    name: str  # its name; unique among the campaign's running countdowns, ignoring case
    kind: str  # what moves it
    side: str  # whose successes advance it
    visibility: str  # who may know what about it
    term: str  # how long it is meant to run
    status: str = "running"  # "running", "resolved" or "closed"
    winner: str | None = None  # the side it was resolved for, or None
    difficulty: int  # the value at which it is resolved; at least 1
    value: int = 0  # its value; 0 <= value <= difficulty
    start: int = 0  # the value it began with
    per_day: bool = False  # whether it counts one success per day
    per_member: bool = False  # whether it counts one success per character
    per_skill: bool = False  # whether it counts one success per skill
    distinct_skills: int = 0  # how many different skills it requires
    every_seconds: int | None = None  # game time after which it advances by itself, or None
    since: int = 0  # the moment of game time from which that is counted
    is_shared: bool = False  # whether players may advance it by hand
    rival: int | None = None  # the other countdown of its duel, or None
    links: tuple[str, ...] = ()  # the procedures whose results move it
    consequence: str = ""  # the text that everybody reads once it is resolved
    note: str = ""  # the GM's private note
    ticks: tuple[TickRecord, ...] = ()  # every move, in order


class BoardRecord(Struct, frozen=True, kw_only=True):
    """A board: a message that shows something of a campaign, and is updated with it."""

    server: ServerId
    campaign: CampaignId
    kind: str  # what it shows, as "kind/which" if there are several; one of each per campaign
    channel: int
    message: int | None = None  # its message; None before it is posted
    shown: str = ""  # the fingerprint of what it shows, so that nothing is sent twice


class MessageRecord(Struct, frozen=True, kw_only=True):
    """Where the message of a journal entry is."""

    server: ServerId
    entry: EntryId  # the entry that it was posted for
    channel: int
    message: int  # the message's id


class DueTask(Struct, frozen=True, kw_only=True):
    """Something that the bot does by itself at a certain time."""

    server: ServerId
    kind: str  # what is done
    id: int  # the id of its follow-up or entry, depending on the kind
    due: int  # when it is due


class ServerCommandsRecord(Struct, frozen=True, kw_only=True):
    """The commands that Discord has for one server, beside those of every server."""

    server: ServerId
    seen: str  # digest of what they were chosen from, so that nothing is chosen twice
    fingerprint: str  # SHA-256 of the definitions that Discord accepted
    ids: JsonObject  # discord's id of each command, by name
    # Each game and pack they are of, with the time since which no campaign needs it, or None.
    needs: JsonObject


class CommandsState(Struct, frozen=True):
    """What a server's commands depend on."""

    server: ServerId
    # Ruleset and settings of each campaign that is not archived, as stored.
    played: tuple[tuple[str, str], ...]
    record: ServerCommandsRecord | None  # the commands that Discord has; None where none were sent


@dataclass(frozen=True, slots=True)
class Kept:
    """News that a journal entry was added, undone or restored."""

    server: ServerId
    campaign: CampaignId
    tables: frozenset[str]  # the tables in which it changed something
    turned: EntryId | None = None  # the earlier entry that was undone or restored; None for a new one
    character: int | None = None  # who did what the entry is about; None if nobody in particular
    entry: EntryId = field(default=EntryId(0), compare=False)


class SessionRecord(Struct, frozen=True, kw_only=True):
    """A session of play."""

    server: ServerId
    campaign: CampaignId
    number: int  # counted from 1 in its campaign
    channel: int  # the channel it was started in, where its recap goes
    started_at: int  # when it began
    ended_at: int | None = None  # when it ended, or None while it runs; at most one runs per campaign
    active_at: int  # when something last happened in it
    event: int | None = None  # the scheduled event whose end ends it, or None
    voice: int | None = None  # the voice channel that ends it by staying empty, or None
    empty_since: int | None = None  # since when that channel is known to be empty, or None


class IdleRule(Struct, frozen=True, kw_only=True):
    """When a running session counts as idle."""

    now: int  # the time
    setting: str  # the campaign's setting that says after how many hours
    usual_hours: float  # the hours where a campaign doesn't say
    least_hours: float  # the fewest that a campaign can say

    @property
    def quiet_since(self) -> int:
        """The moment after which no session that was active can be idle."""
        return self.now - round(3600 * min(self.least_hours, self.usual_hours))


class SeedRecord(Struct, frozen=True, kw_only=True):
    """A secret seed from which dice come."""

    server: ServerId
    campaign: CampaignId
    number: int  # counted from 1 in its campaign; the highest one is in use
    secret: bytes  # 32 bytes
    commitment: str  # the SHA-256 of the secret, published before its first use
    revealed_at: int | None = None  # when the secret was published, or None


class Change(Struct, frozen=True):
    """One row that a unit of work made, changed or removed."""

    table: str
    key: JsonObject  # the row's key columns without the server
    # The columns (and, inside documents, the JSON pointers as ``column#/pointer``) that changed, as they
    # were; None if there was no row.
    before: JsonObject | None
    after: JsonObject | None  # the same as they are now; None if the row is gone


class EntryRecord(Struct, frozen=True, kw_only=True):
    """A journal entry: something that somebody did, and everything that it changed."""

    id: EntryId = EntryId(0)  # its number, counted up; 0 before it is saved
    server: ServerId
    campaign: CampaignId
    session: int | None = None  # number of the session it happened in, or None
    at: int  # when it happened
    interaction: str  # id of the Discord interaction (or of an automatic action); unique in its server
    channel: int  # the channel it happened in
    person: int  # who did it; 0 for an automatic action
    person_name: str  # their name at the time
    character: int | None = None  # the acting character, or None
    kind: str  # the kind of entry ("play.check", "session.end", ...)
    told: JsonObject  # its text, with everything needed to show it again
    rolls: list[Json] = []  # every roll in it, in full
    changes: tuple[Change, ...] = ()  # every row it changed, in order
    seed: int | None = None  # number of the seed its dice come from, or None without dice
    is_secret: bool = False  # whether only the GM (and whoever did it) may see it
    undone_by: EntryId | None = None  # the entry that undid it, or None
    undoes: EntryId | None = None
    shown_in: EntryId | None = None  # the entry whose message shows it, or None if it has its own message
    # The people to whom a GM has revealed it if it is secret; `EVERYBODY` for all.
    revealed_to: tuple[int, ...] = ()


class FollowUpRecord(Struct, frozen=True, kw_only=True):
    """A button or select menu under a result, open or closed."""

    id: FollowUpId = FollowUpId(0)  # its number, counted up; 0 before it is saved
    server: ServerId
    campaign: CampaignId
    entry: EntryId  # the journal entry under which it is shown
    body: JsonObject  # everything else about it (the follow-up as JSON)
    group: str  # Follow-ups of one entry with the same group close together
    closed_by: EntryId | None = None  # the entry that closed it, or None while it is open


class DeadlineRecord(Struct, frozen=True, kw_only=True):
    """An open follow-up with a deadline, and what of its entry tells whether a later one closes it."""

    id: EntryId  # its entry
    message: EntryId  # the entry in whose message it is shown
    is_secret: bool  # whether only the GM (and whoever did it) may see its entry
    body: JsonObject  # the follow-up as JSON


class DraftRecord(Struct, frozen=True, kw_only=True):
    """The draft of a character: at most one per person and campaign."""

    id: int = 0  # its number, counted up; 0 before it is saved
    server: ServerId
    campaign: CampaignId
    person: int  # the person making it
    step: str  # the open step
    answers: JsonObject  # the answers so far


class MeetingRecord(Struct, frozen=True, kw_only=True):
    """The next session of a campaign as it is planned; at most one per campaign."""

    server: ServerId
    campaign: CampaignId
    body: JsonObject  # everything about it


class FavoriteRecord(Struct, frozen=True, kw_only=True):
    """An act that a player keeps under a name."""

    id: int = 0  # its number, counted up; 0 before it is saved
    server: ServerId
    character: int  # the character that does it
    name: str  # its name; no two of a character have the same
    body: JsonObject  # the act (a follow-up as JSON)


class OwnGameRecord(Struct, frozen=True, kw_only=True):
    """A game of one's own on a server: its draft, its published version, or both."""

    server: ServerId
    key: str  # its name in its server: that of its command
    draft: str | None = None  # the text that is being written; None where nothing is
    before: str | None = None  # the draft before its last change; None where that can't be undone
    hash: str | None = None  # hash of the published version's text; None before the first
    version: int = 0  # how often it was published


class OwnGameVersion(Struct, frozen=True, kw_only=True):
    """A published version of a game of one's own."""

    server: ServerId
    hash: str  # SHA-256 of its text, shortened
    text: str  # its file as the GM wrote it
