"""What is kept: one frozen record a thing, as the store hands it out and takes it back.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRecord:
    """One game in a server.

    Attributes:
        id: Which one; 0 before it is kept.
        server: Where.
        name: As the GM wrote it; unique in its server, whatever its case.
        ruleset: Key of its ruleset.
        settings: What differs from the ruleset's defaults, and the shared settings.
        clock: Game time in seconds.
        gm_role: The Discord role whose members are GMs, or None.
        is_default: Whether it is meant where no channel says otherwise; one a server at most.
        is_archived: Whether it is closed; then it is nobody's default and has no channels.
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
    """A character with everything counted about it.

    Attributes:
        id: Which one; 0 before it is kept.
        server: Where.
        campaign: In which game.
        owner: Its player, or None for one of the GM's.
        name: Unique among the campaign's characters that are not retired, whatever its case.
        is_hidden: Whether only the GM may know of it.
        is_retired: Whether it has left play.
        sheet_version: Version of the ruleset's sheet model.
        sheet: The ruleset's document.
        resources: Key to (value, cap or None); 0 <= value, and value <= cap where there is one.
        wounds: Track to the (filled, capacity) of each of its levels; 0 <= filled <= capacity.
        timers: Key to the moment on the game clock at which it runs out.
    """

    id: int = 0
    server: ServerId
    campaign: CampaignId
    owner: int | None
    name: str
    is_hidden: bool = False
    is_retired: bool = False
    sheet_version: int
    sheet: JsonObject
    resources: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)
    wounds: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    timers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TickRecord:
    """One move of a countdown.

    Attributes:
        steps: How far it went; below 0 where it was reversed.
        character: Whose doing it was, or None.
        skill: What it was done with, or nothing.
        day: The day of game time.
    """

    steps: int
    character: int | None = None
    skill: str = ""
    day: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CountdownRecord:
    """A countdown of a campaign with every move it made.

    Attributes:
        id: Which one; 0 before it is kept.
        server: Where.
        campaign: In which game.
        name: Unique among the campaign's countdowns that run, whatever its case.
        kind: What moves it.
        side: Whose successes advance it.
        visibility: Who may know what of it.
        term: How long it is meant to run.
        status: "running", "resolved" or "closed".
        winner: Whom its resolution favours, or None.
        difficulty: The value at which it is resolved; at least 1.
        value: 0 <= value <= difficulty.
        start: Where it began.
        per_day: Whether it counts one success a day.
        per_member: Whether it counts one success for each character.
        per_skill: Whether it counts one success for each skill.
        distinct_skills: How many different skills it takes.
        every_seconds: Game time after which it advances by itself, or None.
        since: The moment of game time from which that is counted.
        is_shared: Whether players may advance it by hand.
        rival: The other countdown of its duel, or None.
        links: The procedures whose results move it.
        consequence: What everybody is told once it is resolved.
        note: What only the GM reads.
        ticks: Every move, the first first.
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
    """A message that shows how something of a campaign stands, and follows it.

    Attributes:
        server: Where.
        campaign: Of which game.
        kind: What it shows, and of which where there are several ("kind/which"); one of each a campaign.
        channel: Where it stands.
        message: Which message it is; None before it is posted.
        shown: The mark of what it shows, so that nothing is sent twice.
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
        server: Where.
        entry: The entry that it was posted for.
        channel: The channel it is in.
        message: Which message it is.
    """

    server: ServerId
    entry: EntryId
    channel: int
    message: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DueTask:
    """Something that the bot does by itself at a certain time.

    Attributes:
        server: Where.
        kind: What is done.
        id: To what: the id of a follow-up or an entry, as the kind says.
        due: When.
    """

    server: ServerId
    kind: str
    id: int
    due: int


@dataclass(frozen=True, slots=True)
class Kept:
    """News that an entry was put into the journal, or that one was undone or stands again.

    Attributes:
        server: Where.
        campaign: In which game.
        tables: The tables in which it changed something.
        turned: The earlier entry that was undone or stands again; None where a new one is told of.
    """

    server: ServerId
    campaign: CampaignId
    tables: frozenset[str]
    turned: EntryId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """One evening of play.

    Attributes:
        server: Where.
        campaign: In which game.
        number: Counted from 1 in its campaign.
        channel: Where it was started, and where its recap goes.
        started_at: When it began.
        ended_at: When it ended, or None while it runs; one a campaign runs at most.
        active_at: When something last happened in it.
        event: The scheduled event whose end ends it, or None.
        voice: The voice channel whose standing empty ends it, or None.
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
class SeedRecord:
    """A secret from which dice follow.

    Attributes:
        server: Where.
        campaign: In which game.
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
            changed, as they were; None where there was no row.
        after: The same as they are now; None where there is no row any more.
    """

    table: str
    key: JsonObject
    before: JsonObject | None
    after: JsonObject | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRecord:
    """One entry of the journal: something that somebody did, and all that it changed.

    Attributes:
        id: Counted up; 0 before it is kept.
        server: Where.
        campaign: In which game.
        session: Number of the session it fell into, or None.
        at: When.
        interaction: Id of the Discord interaction (or of what happened by itself); unique in its server.
        channel: The channel it happened in.
        person: Who did it; 0 for what happened by itself.
        person_name: Their name at the time.
        character: The acting character, or None.
        kind: What it was ("play.check", "session.end", ...).
        told: What was told about it, enough to tell it again.
        rolls: Every roll in it, whole.
        changes: Every row it changed, in order.
        seed: Number of the seed its dice followed from, or None without dice.
        is_secret: Whether only the GM (and whoever did it) may see it.
        undone_by: The entry that took it back, or None.
        undoes: The entry that it takes back, or None.
        shown_in: The entry in whose message it is shown, or None where it has a message of its own.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUpRecord:
    """A button or select menu under a result, while it can be pressed and afterwards.

    Attributes:
        id: Counted up; 0 before it is kept.
        server: Where.
        campaign: In which game.
        entry: The journal entry under which it stands.
        body: Everything else about it (the follow-up as JSON).
        group: Follow-ups of one entry with the same group close together.
        closed_by: The entry whose doing closed it, or None while it is open.
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
    """An unfinished character: one a person and campaign.

    Attributes:
        id: Counted up; 0 before it is kept.
        server: Where.
        campaign: In which game.
        person: Whose.
        step: The step that is open.
        answers: What has been answered so far.
    """

    id: int = 0
    server: ServerId
    campaign: CampaignId
    person: int
    step: str
    answers: JsonObject
