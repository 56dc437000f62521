"""The table: what every use case needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.rules.kernel import Ruleset
from bot.store.records import Shards
from bot.store.store import Store
from bot.table.base.attached import ModuleCache
from bot.table.base.computing import Computing
from bot.table.base.pictures import Pictures
from bot.table.base.reads_together import ReadsTogether
from bot.table.base.sheet_texts import SheetCache
from bot.table.base.table_limits import RecentRolls

__all__ = ["Shards", "Table"]


@dataclass(slots=True, kw_only=True, eq=False)
class Table:
    """The store, the games, the time and the source of secrets.

    Attributes:
        store: The store.
        games: Every ruleset, by key.
        now: The time, in whole seconds since 1970 (UTC).
        new_secret: 32 fresh secret bytes for a seed.
        idle_hours: Default hours without play after which a session ends by itself.
        voice_empty_minutes: Minutes for which a linked voice channel is empty before its session ends.
        left_server_days: Days after which the data of a server that removed the bot is deleted.
        modules: The cache of the campaigns' modules.
        together: Reads of the store that several live messages share.
        sheets: The cache of what sheets say.
        computing: Where long exact computations are done.
        pictures: What reads pictures that people upload.
        recent_rolls: How often people rolled lately.
    """

    store: Store
    games: Mapping[str, Ruleset]
    now: Callable[[], int]
    new_secret: Callable[[], bytes]
    idle_hours: float = 6
    voice_empty_minutes: float = 10
    left_server_days: float = 30
    modules: ModuleCache = field(default_factory=ModuleCache)
    together: ReadsTogether = field(default_factory=ReadsTogether)
    sheets: SheetCache = field(default_factory=SheetCache)
    computing: Computing = field(default_factory=Computing)
    pictures: Pictures = field(default_factory=Pictures)
    recent_rolls: RecentRolls = field(default_factory=RecentRolls)

    @property
    def shards(self) -> Shards:
        """The shards whose servers this process looks after; nothing is done unasked for others."""
        return self.store.shards

    @shards.setter
    def shards(self, shards: Shards) -> None:
        self.store.shards = shards
