"""The table: what every use case is given."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.rules.kernel import Ruleset
from bot.store.boundary import Store
from bot.table.base.attached import ModuleCache


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The store, the games, the time and the source of secrets.

    Attributes:
        store: Where everything is kept.
        games: Every ruleset, by key.
        now: The time, in whole seconds since 1970 (UTC).
        new_secret: 32 fresh secret bytes for a seed.
        idle_hours: Hours without play after which a session ends by itself, where a campaign says nothing.
        voice_empty_minutes: Minutes for which a linked voice channel stands empty before its session ends.
        modules: The campaigns' modules that were read last.
    """

    store: Store
    games: Mapping[str, Ruleset]
    now: Callable[[], int]
    new_secret: Callable[[], bytes]
    idle_hours: float = 6
    voice_empty_minutes: float = 10
    modules: ModuleCache = field(default_factory=ModuleCache)
