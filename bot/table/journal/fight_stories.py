"""What became of the fights of a session: how far they went, who was down, and whether they go on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.rules.kernel import Scene
from bot.rules.kernel.tracker import ENCOUNTER, encounter_key
from bot.rules.shared.encounters import Encounter, find_character
from bot.store.records import EntryRecord, Json, JsonObject
from bot.store.transaction import Reader
from bot.table.base.access import Access
from bot.table.journal.shared_prompts import scene_to_look_at

FIGHTS = "fights"  # in the facts of an entry


@dataclass(frozen=True, slots=True, kw_only=True)
class FightStory:
    """What became of a fight."""

    channel: int  # where it was
    round: int  # the round it came to; 0 if it had not begun
    goes_on: bool = False  # whether it had not ended
    down: tuple[str, ...] = ()  # the names of those who were down, as everybody knows them

    @property
    def as_json(self) -> JsonObject:
        """The story as an entry's facts hold it."""
        down: list[Json] = list(self.down)
        return {"channel": self.channel, "round": self.round, "goes_on": self.goes_on, "down": down}


def running_fights(reader: Reader, access: Access) -> tuple[FightStory, ...]:
    """Return the campaign's fights that run now."""
    keys = reader.document_keys(access.campaign.server, access.campaign.id, f"{ENCOUNTER}/")
    return tuple(_stories(access, scene_to_look_at(reader, access, for_gm=False), keys, goes_on=True))


def fights_ended(access: Access, before: Scene, after: Scene) -> tuple[FightStory, ...]:
    """Return the fights that are in one scene and no longer in another."""
    gone = [
        key
        for key, document in after.documents.items()
        if key.startswith(encounter_key("")) and document is None
    ]
    return tuple(_stories(access, before, gone, goes_on=False))


def _stories(access: Access, scene: Scene, keys: Iterable[str], *, goes_on: bool) -> Iterator[FightStory]:
    for key in keys:
        fight = scene.document(key)
        if isinstance(fight, Encounter):
            yield FightStory(
                channel=int(key.partition("/")[2]),
                round=fight.round,
                goes_on=goes_on,
                down=tuple(_down(access, scene, fight)),
            )


def _down(access: Access, scene: Scene, fight: Encounter) -> Iterator[str]:  # type: ignore[type-arg]
    """Yield the names of the visible combatants who are down."""
    for one in fight.shown:
        who = find_character(scene, one.character)
        if who is not None and not who.is_hidden and access.game.is_down(who, access.settings):
            yield one.name


def fights_told(entry: EntryRecord) -> Iterator[FightStory]:
    """Yield what an entry tells of fights that ended with it or were left running."""
    facts = entry.told.get("facts")
    told = facts.get(FIGHTS) if isinstance(facts, dict) else None
    for one in told if isinstance(told, list) else ():
        if isinstance(one, dict):
            down = one.get("down")
            yield FightStory(
                channel=int(str(one["channel"])),
                round=int(str(one["round"])),
                goes_on=one.get("goes_on") is True,
                down=tuple(map(str, down)) if isinstance(down, list) else (),
            )
