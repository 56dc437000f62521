"""Random play in a server, and a snapshot of the resulting state."""

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from bot.store.journalled_tables import from_text, to_text
from bot.store.records import (
    CampaignId,
    CampaignRecord,
    CharacterRecord,
    EntryId,
    FollowUpRecord,
    JsonObject,
    ServerId,
    SessionRecord,
    TickRecord,
)
from bot.store.transaction import Reader, Transaction
from tests.store.rows import a_countdown

NAMES = ("Dusk", "DUSK ", "Élan", "straße", "STRASSE", "Mira")
PEOPLE = (11, 12)
PLACES = (31, 32)
KEYS = ("deck", "a/b~c")

leaves = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "x", 1.0])
documents = st.dictionaries(
    st.sampled_from(["a", "b", "c/d", "~"]),
    st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b", "/"]), inner, max_size=2)
        ),
        max_leaves=5,
    ),
    max_size=3,
)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a unit: its kind, its target and its value."""

    kind: str
    one: int
    other: int
    number: int
    document: JsonObject

    def take(self, tx: Transaction, server: ServerId) -> None:
        """Run the step, if its target exists."""
        campaigns = sorted(tx.campaigns(server), key=lambda one: one.id)
        if not campaigns or self.kind == "make campaign":
            self._make_campaign(tx, server)
            return
        campaign = campaigns[self.one % len(campaigns)]
        match self.kind:
            case "change campaign":
                tx.save_campaign(self._changed_campaign(campaign))
            case "bind":
                place = PLACES[self.other % 2]
                tx.bind(server, place, None if self.number == 0 else campaign.id)
            case "name gm":
                tx.set_gm(server, campaign.id, PEOPLE[self.other % 2], is_gm=self.number > 0)
            case "keep document":
                body = None if self.number == 0 else self.document
                tx.save_document(server, campaign.id, KEYS[self.other % 2], body)
            case "make character":
                tx.save_character(self._character(server, campaign.id))
            case "make countdown" | "tick countdown" | "drop countdown":
                self._count(tx, server, campaign.id)
            case "start session":
                self._start_session(tx, server, campaign.id)
            case "end session":
                self._end_session(tx, server, campaign.id)
            case _:
                self._touch_character(tx, server, campaign.id)

    def _make_campaign(self, tx: Transaction, server: ServerId) -> None:
        tx.save_campaign(
            CampaignRecord(
                server=server,
                name=NAMES[self.other % len(NAMES)],
                ruleset="any",
                settings=self.document,
                is_default=self.number > 1,
                created_at=self.one,
            )
        )

    def _changed_campaign(self, campaign: CampaignRecord) -> CampaignRecord:
        return replace(
            campaign,
            name=NAMES[self.other % len(NAMES)],
            settings=self.document,
            clock=self.number,
            is_default=self.number == 1,
            is_archived=self.number == 2,
        )

    def _character(self, server: ServerId, campaign: CampaignId) -> CharacterRecord:
        return CharacterRecord(
            server=server,
            campaign=campaign,
            owner=PEOPLE[self.one % 2],
            name=NAMES[self.other % len(NAMES)],
            sheet_version=1,
            sheet=to_text(self.document),
            resources={"luck": (self.number, 3), "coin": (self.one, None)},
            wounds={"body": ((self.number % 2, 1), (self.number, 3))},
            timers={"poison": self.number} if self.number else {},
        )

    def _touch_character(self, tx: Transaction, server: ServerId, campaign: CampaignId) -> None:
        characters = sorted(tx.characters(server, campaign, with_retired=True), key=lambda one: one.id)
        if not characters:
            tx.save_character(self._character(server, campaign))
            return
        character = characters[self.other % len(characters)]
        if self.kind == "play character":
            chosen = None if self.number == 0 else character.id
            tx.set_current_character(server, campaign, PEOPLE[self.one % 2], chosen)
        elif self.kind == "retire character":
            tx.save_character(replace(character, is_retired=self.number > 0))
        else:
            tx.save_character(replace(self._character(server, campaign), id=character.id))

    def _count(self, tx: Transaction, server: ServerId, campaign: CampaignId) -> None:
        running = tx.countdowns(server, campaign)
        if not running or self.kind == "make countdown":
            name = NAMES[self.other % len(NAMES)]
            rival = running[0].id if running and self.number else None
            tx.save_countdown(a_countdown(campaign, name, server=server, rival=rival))
            return
        found = running[self.other % len(running)]
        if self.kind == "drop countdown":
            tx.drop_countdown(server, found.id)
            return
        value = min(found.difficulty, found.value + self.number)
        status = "resolved" if value == found.difficulty else "running"
        tick = TickRecord(steps=self.number, skill=name_of(self.document))
        tx.save_countdown(replace(found, value=value, status=status, ticks=(*found.ticks, tick)))

    def _start_session(self, tx: Transaction, server: ServerId, campaign: CampaignId) -> None:
        number = len(tx.sessions(server, campaign)) + 1
        tx.save_session(
            SessionRecord(
                server=server, campaign=campaign, number=number, channel=31, started_at=1, active_at=1
            )
        )

    def _end_session(self, tx: Transaction, server: ServerId, campaign: CampaignId) -> None:
        session = tx.open_session(server, campaign)
        if session is not None:
            tx.save_session(replace(session, ended_at=5, active_at=4, voice=self.number or None))


def name_of(document: JsonObject) -> str:
    return ",".join(document)


KINDS = (
    "make campaign",
    "change campaign",
    "bind",
    "name gm",
    "keep document",
    "make character",
    "change character",
    "play character",
    "retire character",
    "start session",
    "end session",
    "make countdown",
    "tick countdown",
    "drop countdown",
)

steps = st.builds(
    Step,
    kind=st.sampled_from(KINDS),
    one=st.integers(0, 3),
    other=st.integers(0, 5),
    number=st.integers(0, 3),
    document=documents,
)


def offers(server: ServerId, campaign: CampaignId, entry: EntryId) -> list[FollowUpRecord]:
    """Return two follow-ups of one group, the first of which waits for an answer, and one with a deadline."""
    bodies: tuple[tuple[JsonObject, str], ...] = (
        ({"label": "first", "is_owed": True}, "a"),
        ({"label": "second"}, "a"),
        ({"label": "third", "window": {"until": ["dusk"]}}, "b"),
    )
    return [
        FollowUpRecord(server=server, campaign=campaign, entry=entry, body=body, group=group)
        for body, group in bodies
    ]


def picture(reader: Reader, server: ServerId) -> dict[str, Any]:
    """Return everything of a server except its journal, its seeds and its sessions' last activity."""
    found: dict[str, Any] = {}
    for campaign in reader.campaigns(server):
        id_ = campaign.id
        found[f"campaign {id_}"] = campaign
        found[f"places {id_}"] = reader.places(server, id_)
        found[f"gms {id_}"] = reader.gms(server, id_)
        characters = reader.characters(server, id_, with_retired=True)
        found[f"characters {id_}"] = [replace(one, sheet="") for one in characters]
        found[f"sheets {id_}"] = [from_text(one.sheet) for one in characters]
        found[f"current {id_}"] = [reader.current_character(server, id_, person) for person in PEOPLE]
        found[f"documents {id_}"] = {
            key: reader.document(server, id_, key) for key in reader.document_keys(server, id_)
        }
        found[f"countdowns {id_}"] = [
            *reader.countdowns(server, id_),
            *reader.countdowns(server, id_, are_over=True),
        ]
        found[f"sessions {id_}"] = [replace(one, active_at=0) for one in reader.sessions(server, id_)]
    found["at"] = [reader.campaign_at(server, [place]) for place in PLACES]
    return found
