"""A character's belongings: items in use and packed, the load, and money with its monthly income."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import CharacterId, DueTimer, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Character, HookResult, RpjSheet, Scene, Stats
from bot.rules.rpj.module.basics import RpjAttribute, named
from bot.rules.rpj.module.effects import LayerKind, LoadLimit, WealthGrant
from bot.rules.rpj.module.items import Armor, RpjItem
from bot.rules.rpj.module.module import Module, Pack
from bot.rules.rpj.module.module_files import RpjSettings, is_on, module_in
from bot.rules.rpj.module.possessions import (
    Possession,
    Purse,
    RpjPlace,
    RpjTier,
    defense_penalty,
    end_month,
    forbids,
    is_hit_by_everything,
    load_limit,
    load_of,
    load_problems,
    quality_words,
    skill_penalty,
    tier_of_load,
)

IN_USE = (RpjPlace.HELD, RpjPlace.WORN)


class Burden(Struct, frozen=True):
    """How much somebody carries."""

    load: int  # the sum of all loads
    limit: int  # the largest load without a penalty

    @property
    def tier(self) -> RpjTier:
        """The load tier."""
        return tier_of_load(self.load, self.limit)

    def __str__(self) -> str:
        heavy = "" if self.tier is RpjTier.FREE else f", {self.tier}"
        return f"load {self.load}/{self.limit}{heavy}"


def items_of(module: Module) -> Mapping[str, RpjItem]:
    """Every item of a module, by id."""
    return {item.id: item for item in (*module.weapons, *module.armor, *module.gear)}


def item_named(module: Module, typed: str) -> RpjItem:
    """The item a person typed, by its name or id.

    Raises:
        UserError: If the module has no such item.
    """
    if item := named(items_of(module).values(), typed):
        return item
    raise UserError(f"There is no item “{typed}” in {module.name}.", "See /rpj-gear shop.")


def in_use(sheet: RpjSheet, module: Module) -> tuple[Possession, ...]:
    """The items worn or in hand."""
    items = items_of(module)
    return tuple(
        Possession(
            item=id_,
            place=RpjPlace.WORN if id_ in items and items[id_].is_wearable else RpjPlace.HELD,
            changes=sheet.qualities.get(id_, {}),
        )
        for id_ in sheet.belongings
    )


def everything(sheet: RpjSheet, module: Module) -> tuple[Possession, ...]:
    """All items owned, those in use first."""
    return (*in_use(sheet, module), *sheet.possessions)


def burden_of(figure: Stats) -> Burden:
    """What a character carries, and how much they can. [RPJ-INV-01, RPJ-INV-02]"""
    rules = figure.module.load
    extra = sum(effect.value for effect in figure.effects if isinstance(effect, LoadLimit))
    limit = load_limit(rules, figure.bonus(rules.attribute), extra)
    return Burden(load_of(everything(figure.sheet, figure.module), items_of(figure.module)), limit)


def _load_problems(figure: Stats) -> tuple[str, ...]:
    """The problems with what a character carries; none where loads are not played."""
    if not figure.plays(Pack.INVENTORY):
        return ()
    things = everything(figure.sheet, figure.module)
    return load_problems(things, items_of(figure.module), burden_of(figure).limit, figure.module.load)


def can_carry(figure: Stats) -> bool:
    """Whether a character can carry what they have."""
    return not _load_problems(figure)


def assert_carries(figure: Stats) -> None:
    """Refuse an impossible load, where loads are played. [RPJ-INV-05, RPJ-INV-07, RPJ-INV-08]"""
    if problems := _load_problems(figure):
        raise UserError(problems[0], "Leave something behind or put it elsewhere.")


def owned(figure: Stats, item: RpjItem, place: RpjPlace | None = None) -> Possession:
    """An item a character has, in a certain place or anywhere.

    Raises:
        UserError: If they have none there.
    """
    for thing in everything(figure.sheet, figure.module):
        if thing.item == item.id and place in (None, thing.place):
            return thing
    where = f" {place}" if place else ""
    raise UserError(f"You have no {item.name}{where}.", "See /rpj-gear bags.")


def with_thing(sheet: RpjSheet, thing: Possession) -> RpjSheet:
    """The sheet with an item added; only one of a kind can be in use.

    Raises:
        UserError: If one of the kind is in use already, or several would be.
    """
    if thing.place in IN_USE:
        if thing.count > 1 or thing.item in sheet.belongings:
            raise UserError("You can only use one of a kind at a time.", "Carry or stow the others.")
        qualities = {**sheet.qualities, thing.item: thing.changes} if thing.changes else sheet.qualities
        return evolve(sheet, belongings=(*sheet.belongings, thing.item), qualities=qualities)
    like = next((one for one in sheet.possessions if one.is_like(thing)), None)
    if like is None:
        return evolve(sheet, possessions=(*sheet.possessions, thing))
    more = evolve(like, count=like.count + thing.count)
    possessions = tuple(more if one is like else one for one in sheet.possessions)
    return evolve(sheet, possessions=possessions)


def without_thing(sheet: RpjSheet, thing: Possession, count: int = 1) -> RpjSheet:
    """The sheet with a number of an item removed.

    Raises:
        UserError: If there are fewer.
    """
    if count > thing.count:
        raise UserError(f"You only have {thing.count} there, not {count}.")
    if thing.place in IN_USE:
        belongings = tuple(id_ for id_ in sheet.belongings if id_ != thing.item)
        qualities = {id_: changes for id_, changes in sheet.qualities.items() if id_ != thing.item}
        return evolve(sheet, belongings=belongings, qualities=qualities)
    less = evolve(thing, count=thing.count - count) if count < thing.count else None
    rest = tuple(less if one == thing else one for one in sheet.possessions)
    return evolve(sheet, possessions=tuple(one for one in rest if one is not None))


def moved(figure: Stats, thing: Possession, to: RpjPlace, count: int = 1) -> RpjSheet:
    """The sheet with an item moved; a set of armor it replaces is carried from then on.

    Raises:
        UserError: If it cannot be there.

    [RPJ-INV-01, RPJ-INV-05, RPJ-INV-07, RPJ-INV-08, RPJ-GCS-59]
    """
    sheet = without_thing(figure.sheet, thing, count)
    for armor in sets_off(figure, thing, to):
        old = owned(figure, armor, RpjPlace.WORN if armor.is_wearable else RpjPlace.HELD)
        sheet = with_thing(without_thing(sheet, old), evolve(old, place=RpjPlace.CARRIED))
    sheet = with_thing(sheet, evolve(thing, place=to, count=count))
    assert_carries(Stats(sheet, figure.module))
    return sheet


def sets_off(figure: Stats, thing: Possession, to: RpjPlace) -> tuple[Armor, ...]:
    """The sets of armor in use that another one replaces. [RPJ-GCS-59]"""
    sets = {armor.id: armor for armor in figure.module.armor if armor.kind is LayerKind.ARMOR}
    if to not in IN_USE or thing.item not in sets:
        return ()
    return tuple(sets[id_] for id_ in figure.sheet.belongings if id_ in sets and id_ != thing.item)


def thing_words(thing: Possession, module: Module) -> str:
    """An item as listed: "Longsword (damage +1) ×3"."""
    item = items_of(module).get(thing.item)
    name = item.name if item else thing.item
    changed = f" ({words})" if (words := quality_words(thing.changes)) else ""
    return f"{name}{changed} ×{thing.count}" if thing.count > 1 else f"{name}{changed}"


def tier_in(figure: Stats) -> RpjTier:
    """A character's load tier; unburdened where loads are not played. [RPJ-INV-02 to RPJ-INV-05]"""
    return burden_of(figure).tier if figure.plays(Pack.INVENTORY) else RpjTier.FREE


def load_on_defense(figure: Stats) -> int:
    """The penalty of the load to every defense value. [RPJ-INV-03 (INV-03b)]"""
    return defense_penalty(tier_in(figure))


def is_defenseless(figure: Stats) -> bool:
    """Whether the load is so heavy that every attack hits without a roll. [RPJ-INV-04 (INV-04b)]"""
    return is_hit_by_everything(tier_in(figure))


def load_term(figure: Stats, attribute: RpjAttribute) -> int:
    """The penalty of the load to a skill roll. [RPJ-INV-03 (INV-03a), RPJ-INV-04 (INV-04c)]

    Args:
        attribute: The attribute the skill is linked to.

    Raises:
        UserError: If nothing linked to the attribute can be rolled under such a load.
    """
    tier = tier_in(figure)
    if tier is RpjTier.FREE:
        return 0
    assert_not_crushed(figure, attribute)
    return skill_penalty(tier, attribute)


def assert_not_crushed(figure: Stats, attribute: RpjAttribute) -> None:
    """Refuse a roll of an attribute under a crushing load. [RPJ-INV-04 (INV-04a)]

    Raises:
        UserError: If nothing linked to the attribute can be rolled; a saving throw counts as failed.
    """
    if forbids(tier_in(figure), attribute):
        raise UserError(
            f"You carry too much to roll {attribute.word}; a saving throw fails automatically.",
            f"Put something down first ({burden_of(figure)}).",
        )


COIN, WEALTH = "coin", "wealth"
MONTH = "month"
DAY_SECONDS = 24 * 3600


def purse_of(character: Character) -> Purse:
    """A character's purse."""
    return Purse(
        coin=character.left(COIN),
        wealth=character.left(WEALTH),
        holdings=character.sheet.holdings,
    )


def with_purse(character: Character, purse: Purse) -> Character:
    """The character with another purse."""
    sheet = evolve(character.sheet, holdings=purse.holdings)
    changed = character.with_resource(COIN, purse.coin).with_resource(WEALTH, purse.wealth)
    return replace(changed, sheet=sheet)


def wealth_granted(figure: Stats) -> int:
    """The Wealth a character's traits grant, once each, where money is played. [RPJ-APPX-17]"""
    effects = figure.effects if figure.plays(Pack.MONEY) else ()
    return sum(effect.value for effect in effects if isinstance(effect, WealthGrant))


def month_seconds(settings: RpjSettings) -> int:
    """The length of a month of game time, in seconds. [RPJ-MONEY-12 (MONEY-12b)]"""
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
    """Start a character's month timer, where money is played. [RPJ-MONEY-12]"""
    return with_month(scene, who) if is_on(scene.settings, Pack.MONEY) else scene


def pass_month(scene: Scene, who: CharacterId) -> tuple[Scene, str]:
    """End the month for a character. [RPJ-MONEY-12, RPJ-MONEY-13, RPJ-MONEY-15]

    Returns:
        The scene afterwards, and what changed besides Coin in words; empty where nothing did.
    """
    character = scene.character(who)
    before, after = purse_of(character), end_month(purse_of(character))
    scene = scene.with_character(with_purse(character, after))
    if after.earmarked == before.earmarked:
        return scene, ""
    return scene, f"{character.name}: {after.earmarked} Wealth set aside."


def months_pass(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """End every month that has passed since a character's timer ran out, and start the next.

    [RPJ-MONEY-12 (MONEY-12b)]
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
