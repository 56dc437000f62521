"""The store's records: one frozen dataclass for each kind of thing stored.

The store knows tables and documents and no rule. Ids of servers, channels and people are Discord's;
the others are counted by the store. Moments are whole seconds since 1970 (UTC). Documents are JSON
objects.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NewType, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]

ServerId = NewType("ServerId", int)
CampaignId = NewType("CampaignId", int)
EntryId = NewType("EntryId", int)
FollowUpId = NewType("FollowUpId", int)

BEFORE_ALL = EntryId(0)  # every entry comes after it
EVERYBODY = 0  # stands for a person where something is for all
NO_LIMIT = 1_000_000  # as the most that is read: more than a campaign has of anything but entries


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of Discord whose servers a process looks after.

    Attributes:
        count: How many shards there are; the same in every process.
        held: The numbers of those that it holds, from 0.
    """

    count: int
    held: frozenset[int]

    def has(self, server: int) -> bool:
        """Return whether it looks after a server; a server's shard is given by Discord's formula."""
        return (server >> 22) % self.count in self.held

    @property
    def are_all(self) -> bool:
        """Whether it looks after every server."""
        return len(self.held) == self.count


ALL_SHARDS = Shards(1, frozenset({0}))


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRecord:
    """A campaign in a server.

    Attributes:
        id: Its id; 0 before it is saved.
        server: The server.
        name: Its name as the GM wrote it; unique in its server, ignoring case.
        ruleset: Key of its ruleset.
        settings: What differs from the ruleset's defaults, and the shared settings.
        clock: Game time in seconds.
        gm_role: The Discord role whose members are GMs, or None.
        is_default: Whether it is used where no other is bound; at most one in a server.
        is_archived: Whether it is archived; then it is no default and has no channels.
        created_at: When it was made.
    """

    id: CampaignId = CampaignId(0)
    server: ServerId
    name: str
    ruleset: str
    settings: JsonObject = field(default_factory=dict)
    clock: int = 0
    gm_role: int | None = None
    is_default: bool = False
    is_archived: bool = False
    created_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterRecord:
    """A character with all its counted values.

    Attributes:
        id: Its id; 0 before it is saved.
        server: The server.
        campaign: The campaign.
        owner: Its player, or None for an NPC.
        name: Its name; unique among the campaign's active characters, ignoring case.
        is_hidden: Whether only the GM may know of it.
        is_retired: Whether it is retired.
        sheet_version: Version of the ruleset's sheet model.
        sheet: The ruleset's document, as stored text.
        resources: Maps a key to (value, cap or None); 0 <= value, and value <= cap if there is one.
        wounds: Maps a track to the (filled, capacity) of each of its levels; 0 <= filled <= capacity.
        timers: Maps a key to the moment on the game clock at which it runs out.
    """

    id: int = 0
    server: ServerId
    campaign: CampaignId
    owner: int | None
    name: str
    is_hidden: bool = False
    is_retired: bool = False
    sheet_version: int
    sheet: str
    resources: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)
    wounds: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    timers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NamedCharacter:
    """What a list of names needs of a character that is not retired.

    Attributes:
        id: Its id.
        name: Its name.
        owner: Its player, or None for an NPC.
        is_hidden: Whether only the GM may know of it.
    """

    id: int
    name: str
    owner: int | None
    is_hidden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TickRecord:
    """One move of a countdown.

    Attributes:
        steps: The number of steps; below 0 if it was reversed.
        character: The character who did it, or None.
        skill: The skill used, or empty.
        day: The day of game time.
    """

    steps: int
    character: int | None = None
    skill: str = ""
    day: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CountdownRecord:
    """A countdown of a campaign with all its moves.

    Attributes:
        id: Its id; 0 before it is saved.
        server: The server.
        campaign: The campaign.
        name: Its name; unique among the campaign's running countdowns, ignoring case.
        kind: What moves it.
        side: Whose successes advance it.
        visibility: Who may know what about it.
        term: How long it is meant to run.
        status: "running", "resolved" or "closed".
        winner: The side it was resolved for, or None.
        difficulty: The value at which it is resolved; at least 1.
        value: Its value; 0 <= value <= difficulty.
        start: The value it began with.
        per_day: Whether it counts one success per day.
        per_member: Whether it counts one success per character.
        per_skill: Whether it counts one success per skill.
        distinct_skills: How many different skills it requires.
        every_seconds: Game time after which it advances by itself, or None.
        since: The moment of game time from which that is counted.
        is_shared: Whether players may advance it by hand.
        rival: The other countdown of its duel, or None.
        links: The procedures whose results move it.
        consequence: The text that everybody reads once it is resolved.
        note: The GM's private note.
        ticks: Every move, in order.
    """

    id: int = 0
    server: ServerId
    campaign: CampaignId
    name: str
    kind: str
    side: str
    visibility: str
    term: str
    status: str = "running"
    winner: str | None = None
    difficulty: int
    value: int = 0
    start: int = 0
    per_day: bool = False
    per_member: bool = False
    per_skill: bool = False
    distinct_skills: int = 0
    every_seconds: int | None = None
    since: int = 0
    is_shared: bool = False
    rival: int | None = None
    links: tuple[str, ...] = ()
    consequence: str = ""
    note: str = ""
    ticks: tuple[TickRecord, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRecord:
    """A board: a message that shows something of a campaign, and is updated with it.

    Attributes:
        server: The server.
        campaign: The campaign.
        kind: What it shows, as "kind/which" if there are several; one of each per campaign.
        channel: The channel it is in.
        message: Its message; None before it is posted.
        shown: The fingerprint of what it shows, so that nothing is sent twice.
    """

    server: ServerId
    campaign: CampaignId
    kind: str
    channel: int
    message: int | None = None
    shown: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRecord:
    """Where the message of a journal entry is.

    Attributes:
        server: The server.
        entry: The entry that it was posted for.
        channel: The channel it is in.
        message: The message's id.
    """

    server: ServerId
    entry: EntryId
    channel: int
    message: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DueTask:
    """Something that the bot does by itself at a certain time.

    Attributes:
        server: The server.
        kind: What is done.
        id: The id of its follow-up or entry, depending on the kind.
        due: When it is due.
    """

    server: ServerId
    kind: str
    id: int
    due: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerCommandsRecord:
    """The commands that Discord has for one server, beside those of every server.

    Attributes:
        server: The server.
        seen: Digest of what they were chosen from, so that nothing is chosen twice.
        fingerprint: SHA-256 of the definitions that Discord accepted.
        ids: Discord's id of each command, by name.
        needs: Each game and pack they are of, with the time since which no campaign needs it, or None.
    """

    server: ServerId
    seen: str
    fingerprint: str
    ids: JsonObject
    needs: JsonObject


@dataclass(frozen=True, slots=True)
class CommandsState:
    """What a server's commands depend on.

    Attributes:
        server: The server.
        played: Ruleset and settings of each campaign that is not archived, as stored.
        record: The commands that Discord has; None where none were sent.
    """

    server: ServerId
    played: tuple[tuple[str, str], ...]
    record: ServerCommandsRecord | None


@dataclass(frozen=True, slots=True)
class Kept:
    """News that a journal entry was added, undone or restored.

    Attributes:
        server: The server.
        campaign: The campaign.
        tables: The tables in which it changed something.
        turned: The earlier entry that was undone or restored; None for a new one.
        character: Who did what the entry is about; None if nobody in particular.
        entry: The entry.
    """

    server: ServerId
    campaign: CampaignId
    tables: frozenset[str]
    turned: EntryId | None = None
    character: int | None = None
    entry: EntryId = field(default=EntryId(0), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session of play.

    Attributes:
        server: The server.
        campaign: The campaign.
        number: Counted from 1 in its campaign.
        channel: The channel it was started in, where its recap goes.
        started_at: When it began.
        ended_at: When it ended, or None while it runs; at most one runs per campaign.
        active_at: When something last happened in it.
        event: The scheduled event whose end ends it, or None.
        voice: The voice channel that ends it by staying empty, or None.
        empty_since: Since when that channel is known to be empty, or None.
    """

    server: ServerId
    campaign: CampaignId
    number: int
    channel: int
    started_at: int
    ended_at: int | None = None
    active_at: int
    event: int | None = None
    voice: int | None = None
    empty_since: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleRule:
    """When a running session counts as idle.

    Attributes:
        now: The time.
        setting: The campaign's setting that says after how many hours.
        usual_hours: The hours where a campaign doesn't say.
        least_hours: The fewest that a campaign can say.
    """

    now: int
    setting: str
    usual_hours: float
    least_hours: float

    @property
    def quiet_since(self) -> int:
        """The moment after which no session that was active can be idle."""
        return self.now - round(3600 * min(self.least_hours, self.usual_hours))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRecord:
    """A secret seed from which dice come.

    Attributes:
        server: The server.
        campaign: The campaign.
        number: Counted from 1 in its campaign; the highest one is in use.
        secret: 32 bytes.
        commitment: The SHA-256 of the secret, published before its first use.
        revealed_at: When the secret was published, or None.
    """

    server: ServerId
    campaign: CampaignId
    number: int
    secret: bytes
    commitment: str
    revealed_at: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One row that a unit of work made, changed or removed.

    Attributes:
        table: Which table.
        key: The row's key columns without the server.
        before: The columns (and, inside documents, the JSON pointers as ``column#/pointer``) that
            changed, as they were; None if there was no row.
        after: The same as they are now; None if the row is gone.
    """

    table: str
    key: JsonObject
    before: JsonObject | None
    after: JsonObject | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRecord:
    """A journal entry: something that somebody did, and everything that it changed.

    Attributes:
        id: Its number, counted up; 0 before it is saved.
        server: The server.
        campaign: The campaign.
        session: Number of the session it happened in, or None.
        at: When it happened.
        interaction: Id of the Discord interaction (or of an automatic action); unique in its server.
        channel: The channel it happened in.
        person: Who did it; 0 for an automatic action.
        person_name: Their name at the time.
        character: The acting character, or None.
        kind: The kind of entry ("play.check", "session.end", ...).
        told: Its text, with everything needed to show it again.
        rolls: Every roll in it, in full.
        changes: Every row it changed, in order.
        seed: Number of the seed its dice come from, or None without dice.
        is_secret: Whether only the GM (and whoever did it) may see it.
        undone_by: The entry that undid it, or None.
        undoes: The entry that it undoes, or None.
        shown_in: The entry whose message shows it, or None if it has its own message.
        revealed_to: The people to whom a GM has revealed it if it is secret; `EVERYBODY` for all.
    """

    id: EntryId = EntryId(0)
    server: ServerId
    campaign: CampaignId
    session: int | None = None
    at: int
    interaction: str
    channel: int
    person: int
    person_name: str
    character: int | None = None
    kind: str
    told: JsonObject
    rolls: list[Json] = field(default_factory=list)
    changes: tuple[Change, ...] = ()
    seed: int | None = None
    is_secret: bool = False
    undone_by: EntryId | None = None
    undoes: EntryId | None = None
    shown_in: EntryId | None = None
    revealed_to: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUpRecord:
    """A button or select menu under a result, open or closed.

    Attributes:
        id: Its number, counted up; 0 before it is saved.
        server: The server.
        campaign: The campaign.
        entry: The journal entry under which it is shown.
        body: Everything else about it (the follow-up as JSON).
        group: Follow-ups of one entry with the same group close together.
        closed_by: The entry that closed it, or None while it is open.
    """

    id: FollowUpId = FollowUpId(0)
    server: ServerId
    campaign: CampaignId
    entry: EntryId
    body: JsonObject
    group: str
    closed_by: EntryId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRecord:
    """The draft of a character: at most one per person and campaign.

    Attributes:
        id: Its number, counted up; 0 before it is saved.
        server: The server.
        campaign: The campaign.
        person: The person making it.
        step: The open step.
        answers: The answers so far.
    """

    id: int = 0
    server: ServerId
    campaign: CampaignId
    person: int
    step: str
    answers: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingRecord:
    """The next session of a campaign as it is planned; at most one per campaign.

    Attributes:
        server: The server.
        campaign: The campaign.
        body: Everything about it.
    """

    server: ServerId
    campaign: CampaignId
    body: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class FavouriteRecord:
    """An act that a player keeps under a name.

    Attributes:
        id: Its number, counted up; 0 before it is saved.
        server: The server.
        character: The character that does it.
        name: Its name; no two of a character have the same.
        body: The act (a follow-up as JSON).
    """

    id: int = 0
    server: ServerId
    character: int
    name: str
    body: JsonObject
