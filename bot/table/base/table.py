"""The table: what every use case needs, and what it remembers between them."""

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from bot.rules.kernel import Character, CharacterId, Document, Glance, ModuleRule, Ruleset, Scene, Section
from bot.rules.kernel.errors import UserError
from bot.rules.own import own_ruleset
from bot.store.connection import StoreUnavailable
from bot.store.records import CampaignRecord, JsonObject, ServerId, Shards
from bot.store.transaction import Reader, Store
from bot.table.base.pictures import Pictures
from bot.table.base.table_limits import RecentRolls

T = TypeVar("T")


MOST_WAITING = 8  # computations at once, the one being done among them
MOST_OF_ONE = 3  # of them those that one server asked for


class TooBusy(UserError):
    """Too many people ask for long computations at once."""

    def __init__(self) -> None:
        super().__init__(
            "Too many chances are being computed right now.", try_this="Try again in a few seconds."
        )


class Computing:
    """Does long computations off the event loop: one after the other, on a thread for nothing else."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="chances")
        self._waiting = Counter[int | None]()  # by server

    @property
    def is_idle(self) -> bool:
        """Whether a computation asked for now would begin at once."""
        return not self._waiting.total()

    async def run(self, compute: Callable[[], T], server: int | None = None) -> T:
        """Return what *compute* returns.

        Args:
            compute: What is to be computed.
            server: The server that asks, which then waits for its own and leaves room for others.

        Raises:
            TooBusy: If too many computations are waiting.
        """
        waits = self._waiting
        if waits.total() >= MOST_WAITING or (server is not None and waits[server] >= MOST_OF_ONE):
            raise TooBusy
        waits[server] += 1
        working = asyncio.get_running_loop().run_in_executor(self._threads, compute)
        working.add_done_callback(lambda _: self._done(server))
        return await asyncio.shield(working)

    def _done(self, server: int | None) -> None:
        self._waiting[server] -= 1
        self._waiting += Counter()  # forgets those that wait for nothing


class ReadsTogether:
    """Runs queries in the next read of the store, with whatever else is asked for until that begins."""

    def __init__(self) -> None:
        self._queries: list[Callable[[Reader], Any]] = []
        self._reading: asyncio.Task[list[Any]] | None = None

    async def read(self, store: Store, query: Callable[[Reader], T]) -> T:
        """Run a query; it sees the store as it is from now on, never as it was before.

        Raises:
            StoreUnavailable: If the database can't be read just now.
        """
        place = len(self._queries)
        self._queries.append(query)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read(store))
        reading = self._reading
        await asyncio.wait({reading})
        error = reading.exception()
        if error is not None and not isinstance(error, StoreUnavailable):
            return await store.read(query)  # one of the queries failed; alone, each has its own outcome
        found: T = reading.result()[place]
        return found

    async def _read(self, store: Store) -> list[Any]:
        queries, self._queries, self._reading = self._queries, [], None
        return await store.read(lambda reader: [query(reader) for query in queries])


MOST_KEPT = 64
MOST_OFFERS = 3 * MOST_KEPT  # of each sheet what it offers at first, in a group, and on a page of that
MOST_OWN_GAMES = 32


class SheetTexts(Struct, frozen=True):
    """A sheet's sections, and what its picture shows."""

    sections: tuple[Section, ...]
    glance: Glance


class _Known(Struct, frozen=True):
    """The texts of a character as it was, with the settings that they follow from."""

    game: Ruleset
    character: Character
    settings: Document
    texts: SheetTexts


class SheetCache:
    """The texts of the sheets read last: a ruleset describes a character anew only once it has changed."""

    def __init__(self) -> None:
        self._known: dict[tuple[ServerId, int], _Known] = {}

    def texts(self, game: Ruleset, server: ServerId, character: Character, settings: Document) -> SheetTexts:
        """Return what a character's sheet says.

        Args:
            character: The character as it is now.
            settings: The settings of its campaign.
        """
        place = (server, character.id)
        known = self._known.pop(place, None)
        if known is None or (
            known.game is not game or (known.character, known.settings) != (character, settings)
        ):
            texts = SheetTexts(game.describe(character, settings), game.glance(character, settings))
            known = _Known(game, character, settings, texts)
        self._known[place] = known
        for oldest in list(self._known)[: max(0, len(self._known) - MOST_KEPT)]:
            self._known.pop(oldest, None)
        return known.texts


class SceneNotes:
    """What a scene was asked, with its answers: another that gives the same is the same to the rules.

    Args:
        scene: The scene. Nothing of it is kept but its values and its answers.
    """

    def __init__(self, scene: Scene) -> None:
        self._values = _values(scene)
        self._characters: dict[CharacterId, Character | None] = {}
        self._documents: dict[str, Document | None] = {}
        self._keys: dict[str, Sequence[str]] = {}
        self._everybody: Sequence[CharacterId] | None = None
        self._names: dict[CharacterId, str | None] = {}

    def noting(self, scene: Scene) -> Scene:
        """Return a scene whose answers are noted."""

        def find_character(id_: CharacterId) -> Character:
            found = self._characters.get(id_)
            if found is None:
                self._characters[id_] = None  # stays where there is none
                found = self._characters[id_] = scene.find_character(id_)
            return found

        def find_document(key: str) -> Document | None:
            if key not in self._documents:
                self._documents[key] = scene.find_document(key)
            return self._documents[key]

        def find_keys(kind: str) -> Sequence[str]:
            if kind not in self._keys:
                self._keys[kind] = scene.find_keys(kind)
            return self._keys[kind]

        def find_everybody() -> Sequence[CharacterId]:
            if self._everybody is None:
                self._everybody = scene.find_everybody()
            return self._everybody

        def find_names(ids: Collection[CharacterId]) -> Mapping[CharacterId, str]:
            found = scene.names(ids)
            self._names.update((id_, found.get(id_)) for id_ in ids)
            return found

        return replace(
            scene,
            find_character=find_character,
            find_document=find_document,
            find_keys=find_keys,
            find_everybody=find_everybody,
            find_names=find_names,
        )

    def are_of(self, scene: Scene) -> bool:
        """Return whether a scene gives the same answers."""
        names = scene.names(self._names) if self._names else {}
        return (
            _values(scene) == self._values
            and self._everybody in (None, scene.find_everybody())
            and all(names.get(id_) == name for id_, name in self._names.items())
            and all(scene.find_keys(kind) == keys for kind, keys in self._keys.items())
            and all(scene.find_document(key) == one for key, one in self._documents.items())
            and all(_character(scene, id_) == one for id_, one in self._characters.items())
        )


def _values(scene: Scene) -> tuple[object, ...]:
    return scene.settings, scene.clock, scene.channel, scene.is_gm, scene.person, scene.actor_id


def _character(scene: Scene, id_: CharacterId) -> Character | None:
    try:
        return scene.find_character(id_)
    except UserError:
        return None


class OfferCache(Generic[T]):
    """What the sheets opened last offer: found anew only once something the rules looked at has changed."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], tuple[object, SceneNotes, T]] = {}

    def find(self, place: tuple[object, ...], given: object, scene: Scene, search: Callable[[Scene], T]) -> T:
        """Return what a sheet offers.

        Args:
            place: Whose sheet it is, and who looks.
            given: What it follows from besides the scene.
            scene: What the rules look at.
            search: Finds it in a scene.
        """
        known = self._known.pop(place, None)
        if known is None or known[0] != given or not known[1].are_of(scene):
            notes = SceneNotes(scene)
            known = (given, notes, search(notes.noting(scene)))
        self._known[place] = known
        for oldest in list(self._known)[: max(0, len(self._known) - MOST_OFFERS)]:
            self._known.pop(oldest, None)
        return known[2]


SETTING = "module"  # where a campaign keeps the digest of a module of its own
OWN = "module/own"  # the document that keeps its own


class ModuleCache:
    """A cache of parsed modules by digest, so that a check parses no file."""

    def __init__(self) -> None:
        self._read: dict[str, Document] = {}

    def read(self, rule: ModuleRule[Any], digest: str, body: JsonObject) -> Document:
        """Return a module as its model, parsed if it is not cached."""
        module: Document = rule.form.model.model_validate(body)
        self.keep(digest, module)
        return module

    def keep(self, digest: str, module: Document) -> None:
        """Cache a module; the oldest is dropped."""
        for oldest in list(self._read)[: max(0, len(self._read) + 1 - MOST_KEPT)]:
            self._read.pop(oldest, None)
        self._read[digest] = module

    def find(self, digest: str) -> Document | None:
        """Return a cached module, or None."""
        return self._read.get(digest)


def digest_of(game: Ruleset, body: JsonObject) -> str:
    """Return a digest of a module's content."""
    text = json.dumps([game.key, body], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def with_module(
    cache: ModuleCache, reader: Reader, game: Ruleset, campaign: CampaignRecord, settings: Document
) -> Document:
    """Return a campaign's settings, with its own module attached if it has one."""
    rule = game.module
    chosen = campaign.settings.get(SETTING)
    if rule is None or not rule.is_apart or not isinstance(chosen, dict):
        return settings
    digest = chosen.get("own")
    if not isinstance(digest, str):
        return settings
    module = cache.find(digest)
    if module is None and (body := reader.document(campaign.server, campaign.id, OWN)) is not None:
        module = cache.read(rule, digest, body)
    carrying: Document = settings if module is None else rule.carrying(settings, module)
    return carrying


OWN_PREFIX = "own/"  # how the keys of games of one's own begin
OWN_GAME = "own_game"  # where a campaign keeps the hash of the version that it plays


def own_key(command: str) -> str:
    """Return the key of a game of one's own, the same in every version of it."""
    return f"{OWN_PREFIX}{command}"


def own_hash(text: str) -> str:
    """Return the hash by which a version of a game of one's own is found."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


class OwnGames:
    """The games of one's own that were played last, read, by the hash of their text."""

    def __init__(self) -> None:
        self._read: dict[str, Ruleset] = {}

    def version(self, reader: Reader, server: ServerId, hash_: str) -> Ruleset | None:
        """Return a published version as a ruleset; None if the server has no such version."""
        found = self._read.pop(hash_, None)
        if found is None:
            stored = reader.own_version(server, hash_)
            found = None if stored is None else own_ruleset.own_ruleset(stored.text, hash_)
        if found is not None:
            self._read[hash_] = found
            for oldest in list(self._read)[: max(0, len(self._read) - MOST_OWN_GAMES)]:
                self._read.pop(oldest, None)
        return found


__all__ = ["Shards", "Table"]


class Table(Struct, kw_only=True, eq=False):
    """The store, the games, the time and the source of secrets."""

    store: Store
    games: Mapping[str, Ruleset]  # every ruleset, by key
    now: Callable[[], int]  # the time, in whole seconds since 1970 (UTC)
    new_secret: Callable[[], bytes]  # 32 fresh secret bytes for a seed
    idle_hours: float = 6  # default hours without play after which a session ends by itself
    # Minutes for which a linked voice channel is empty before its session ends.
    voice_empty_minutes: float = 10
    left_server_days: float = 30  # days after which the data of a server that removed the bot is deleted
    own: OwnGames = field(default_factory=OwnGames)  # the cache of games of one's own
    modules: ModuleCache = field(default_factory=ModuleCache)  # the cache of the campaigns' modules
    # Reads of the store that several live messages share.
    together: ReadsTogether = field(default_factory=ReadsTogether)
    sheets: SheetCache = field(default_factory=SheetCache)  # the cache of what sheets say
    offers: OfferCache[Any] = field(default_factory=OfferCache)  # the cache of what they offer
    computing: Computing = field(default_factory=Computing)  # where long exact computations are done
    pictures: Pictures = field(default_factory=Pictures)  # what reads pictures that people upload
    recent_rolls: RecentRolls = field(default_factory=RecentRolls)  # how often people rolled lately

    @property
    def shards(self) -> Shards:
        """The shards whose servers this process looks after; nothing is done unasked for others."""
        return self.store.shards

    @shards.setter
    def shards(self, shards: Shards) -> None:
        self.store.shards = shards
