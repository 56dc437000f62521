"""A character's money: Coin and Wealth are resources, earmarks and income are on the sheet."""

from collections.abc import Sequence
from dataclasses import replace

from bot.rules.kernel import CharacterId, DueTimer, evolve
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.purse import Purse, end_month
from bot.rules.rpj.character.sheet import Character, HookResult, Scene
from bot.rules.rpj.module.pack_effects import WealthGrant
from bot.rules.rpj.module.require_rules import Pack, is_on
from bot.rules.rpj.module.settings import RpjSettings, module_in

COIN, WEALTH = "coin", "wealth"
MONTH = "month"
DAY_SECONDS = 24 * 3600


def purse_of(character: Character) -> Purse:
    """A character's purse."""
    return Purse(
        coin=character.resources.get(COIN, 0),
        wealth=character.resources.get(WEALTH, 0),
        holdings=character.sheet.holdings,
    )


def with_purse(character: Character, purse: Purse) -> Character:
    """The character with another purse."""
    sheet = evolve(character.sheet, holdings=purse.holdings)
    changed = character.with_resource(COIN, purse.coin).with_resource(WEALTH, purse.wealth)
    return replace(changed, sheet=sheet)


def wealth_granted(figure: Stats) -> int:
    """The Wealth a character's traits grant, once each, where money is played.

    Source: RPJ-APPX-17.
    """
    if not figure.plays(Pack.MONEY):
        return 0
    return sum(effect.value for effect in figure.effects if isinstance(effect, WealthGrant))


def month_seconds(settings: RpjSettings) -> int:
    """The length of a month of game time, in seconds.

    Source: RPJ-MONEY-12 (MONEY-12b).
    """
    return module_in(settings).money.month_days * DAY_SECONDS


def next_month(scene: Scene, since: int) -> int:
    """The moment on the game clock when the month of another moment ends.

    Args:
        scene: Its settings give the length of a month.
        since: Seconds of game time.
    """
    length = month_seconds(scene.settings)
    return (since // length + 1) * length


def with_month(scene: Scene, who: CharacterId) -> Scene:
    """The scene with a character's month timer running."""
    character = scene.character(who)
    if MONTH in character.timers:
        return scene
    return scene.with_character(character.with_timer(MONTH, next_month(scene, scene.clock)))


def begin_months(scene: Scene, who: CharacterId) -> Scene:
    """Start a character's month timer, where money is played.

    Source: RPJ-MONEY-12.
    """
    return with_month(scene, who) if is_on(scene.settings, Pack.MONEY) else scene


def pass_month(scene: Scene, who: CharacterId) -> tuple[Scene, str]:
    """End the month for a character.

    Returns:
        The scene afterwards, and what changed besides Coin in words; empty where nothing did.

    Source: RPJ-MONEY-12, RPJ-MONEY-13, RPJ-MONEY-15.
    """
    character = scene.character(who)
    before, after = purse_of(character), end_month(purse_of(character))
    scene = scene.with_character(with_purse(character, after))
    if after.earmarked == before.earmarked:
        return scene, ""
    return scene, f"{character.name}: {after.earmarked} Wealth set aside."


def months_pass(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """End every month that has passed since a character's timer ran out, and start the next.

    Source: RPJ-MONEY-12 (MONEY-12b).
    """
    notes: list[str] = []
    length = month_seconds(scene.settings)
    for timer in due:
        moment = scene.character(timer.character).timers[MONTH]
        while moment <= scene.clock:
            if is_on(scene.settings, Pack.MONEY):
                scene, text = pass_month(scene, timer.character)
                notes += [text] if text else []
            moment += length
        scene = scene.with_character(scene.character(timer.character).with_timer(MONTH, moment))
    return HookResult(scene=scene, notes=tuple(notes))
