"""What somebody carries: what is in use, what is packed, and how heavy it all is."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.quality import quality_words
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.items import Armor, RpjItem
from bot.rules.rpj.module.loads import (
    Possession,
    RpjPlace,
    RpjTier,
    defense_penalty,
    forbids,
    is_hit_by_everything,
    load_limit,
    load_of,
    load_problems,
    skill_penalty,
    tier_of_load,
)
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.optional_rules import Pack
from bot.rules.rpj.module.pack_effects import LoadLimit

IN_USE = (RpjPlace.HELD, RpjPlace.WORN)


@dataclass(frozen=True, slots=True)
class Burden:
    """How much somebody carries.

    Attributes:
        load: The sum.
        limit: What they carry without a penalty.
    """

    load: int
    limit: int

    @property
    def tier(self) -> RpjTier:
        """How heavily that weighs."""
        return tier_of_load(self.load, self.limit)

    def __str__(self) -> str:
        heavy = "" if self.tier is RpjTier.FREE else f", {self.tier}"
        return f"load {self.load}/{self.limit}{heavy}"


def items_of(module: Module) -> Mapping[str, RpjItem]:
    """Everything that can be owned, by id."""
    return {item.id: item for item in (*module.weapons, *module.armor, *module.gear)}


def item_named(module: Module, typed: str) -> RpjItem:
    """The item that somebody has typed, by its name or id.

    Raises:
        UserError: If the module has no such item.
    """
    wanted = " ".join(typed.split()).casefold()
    for item in items_of(module).values():
        if wanted in (item.name.casefold(), item.id):
            return item
    raise UserError(f"{module.name} has no “{typed}” to own.", "What there is stands in /rpj-gear shop.")


def in_use(sheet: RpjSheet, module: Module) -> tuple[Possession, ...]:
    """What is worn or at hand."""
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
    """Everything that is owned, what is in use first."""
    return (*in_use(sheet, module), *sheet.possessions)


def burden_of(figure: Stats) -> Burden:
    """What somebody carries, and what they can.

    Source: RPJ-INV-01, RPJ-INV-02.
    """
    rules = figure.module.load
    extra = sum(effect.value for effect in figure.effects if isinstance(effect, LoadLimit))
    limit = load_limit(rules, figure.bonus(rules.attribute), extra)
    return Burden(load_of(everything(figure.sheet, figure.module), items_of(figure.module)), limit)


def _objections(figure: Stats) -> tuple[str, ...]:
    """What cannot be carried so; nothing where loads do not count."""
    if not figure.plays(Pack.INVENTORY):
        return ()
    things = everything(figure.sheet, figure.module)
    return load_problems(things, items_of(figure.module), burden_of(figure).limit, figure.module.load)


def can_carry(figure: Stats) -> bool:
    """Whether somebody can carry what they have."""
    return not _objections(figure)


def assert_carries(figure: Stats) -> None:
    """Refuse what cannot be carried so, where loads count.

    Raises:
        UserError: If a container is too full, or it is too much altogether.

    Source: RPJ-INV-05, RPJ-INV-07, RPJ-INV-08.
    """
    if told := _objections(figure):
        raise UserError(told[0], "Leave something behind, or put it elsewhere.")


def owned(figure: Stats, item: RpjItem, place: RpjPlace | None = None) -> Possession:
    """A thing that somebody has, in a place or wherever it is.

    Raises:
        UserError: If they have none there.
    """
    for thing in everything(figure.sheet, figure.module):
        if thing.item == item.id and place in (None, thing.place):
            return thing
    where = f" {place}" if place else ""
    raise UserError(f"There is no {item.name}{where} to be had here.", "See /rpj-gear bags.")


def with_thing(sheet: RpjSheet, thing: Possession) -> RpjSheet:
    """A sheet with something more; what goes into use is one of its kind.

    Raises:
        UserError: If one of the kind is in use already, or several would be.
    """
    if thing.place in IN_USE:
        if thing.count > 1 or thing.item in sheet.belongings:
            raise UserError("One of a kind is in use at a time.", "Carry or stow the others.")
        qualities = {**sheet.qualities, thing.item: thing.changes} if thing.changes else sheet.qualities
        return sheet.model_copy(
            update={"belongings": (*sheet.belongings, thing.item), "qualities": qualities}
        )
    like = next((one for one in sheet.possessions if one.is_like(thing)), None)
    if like is None:
        return sheet.model_copy(update={"possessions": (*sheet.possessions, thing)})
    more = like.model_copy(update={"count": like.count + thing.count})
    kept = tuple(more if one is like else one for one in sheet.possessions)
    return sheet.model_copy(update={"possessions": kept})


def without_thing(sheet: RpjSheet, thing: Possession, count: int = 1) -> RpjSheet:
    """A sheet with so many of a thing less.

    Raises:
        UserError: If there are not so many.
    """
    if count > thing.count:
        raise UserError(f"There are {thing.count} of them there, not {count}.")
    if thing.place in IN_USE:
        kept = tuple(id_ for id_ in sheet.belongings if id_ != thing.item)
        qualities = {id_: changes for id_, changes in sheet.qualities.items() if id_ != thing.item}
        return sheet.model_copy(update={"belongings": kept, "qualities": qualities})
    less = thing.model_copy(update={"count": thing.count - count}) if count < thing.count else None
    rest = tuple(less if one == thing else one for one in sheet.possessions)
    return sheet.model_copy(update={"possessions": tuple(one for one in rest if one is not None)})


def moved(figure: Stats, thing: Possession, to: RpjPlace, count: int = 1) -> RpjSheet:
    """A sheet with a thing somewhere else; a set of armour that gives way to it is carried.

    Raises:
        UserError: If it cannot be there.

    Source: RPJ-INV-01, RPJ-INV-05, RPJ-INV-07, RPJ-INV-08, RPJ-GCS-59.
    """
    sheet = without_thing(figure.sheet, thing, count)
    for armor in sets_off(figure, thing, to):
        old = owned(figure, armor, RpjPlace.WORN if armor.is_wearable else RpjPlace.HELD)
        sheet = with_thing(without_thing(sheet, old), old.model_copy(update={"place": RpjPlace.CARRIED}))
    sheet = with_thing(sheet, thing.model_copy(update={"place": to, "count": count}))
    assert_carries(Stats(sheet, figure.module))
    return sheet


def sets_off(figure: Stats, thing: Possession, to: RpjPlace) -> tuple[Armor, ...]:
    """The sets of armour in use that give way to another one that is put on.

    Source: RPJ-GCS-59.
    """
    sets = {armor.id: armor for armor in figure.module.armor if armor.kind is LayerKind.ARMOR}
    if to not in IN_USE or thing.item not in sets:
        return ()
    return tuple(sets[id_] for id_ in figure.sheet.belongings if id_ in sets and id_ != thing.item)


def thing_words(thing: Possession, module: Module) -> str:
    """A thing as it is listed: "Longsword (damage +1) ×3"."""
    item = items_of(module).get(thing.item)
    name = item.name if item else thing.item
    changed = f" ({words})" if (words := quality_words(thing.changes)) else ""
    return f"{name}{changed} ×{thing.count}" if thing.count > 1 else f"{name}{changed}"


def tier_in(figure: Stats) -> RpjTier:
    """How heavily somebody is laden where loads count; unburdened elsewhere.

    Source: RPJ-INV-02 to RPJ-INV-05.
    """
    return burden_of(figure).tier if figure.plays(Pack.INVENTORY) else RpjTier.FREE


def load_on_defense(figure: Stats) -> int:
    """What the load takes off every defence value.

    Source: RPJ-INV-03 (INV-03b).
    """
    return defense_penalty(tier_in(figure))


def is_defenseless(figure: Stats) -> bool:
    """Whether the load is such that every attack hits without a roll.

    Source: RPJ-INV-04 (INV-04b).
    """
    return is_hit_by_everything(tier_in(figure))


def load_term(figure: Stats, attribute: RpjAttribute) -> int:
    """What the load takes off a roll of a skill.

    Args:
        figure: Who rolls.
        attribute: The attribute that the skill is linked to.

    Raises:
        UserError: If nothing that hangs on the attribute can be rolled under such a load.

    Source: RPJ-INV-03 (INV-03a), RPJ-INV-04 (INV-04c).
    """
    assert_not_crushed(figure, attribute)
    return skill_penalty(tier_in(figure), attribute)


def assert_not_crushed(figure: Stats, attribute: RpjAttribute) -> None:
    """Refuse a roll of an attribute under far too heavy a load.

    Raises:
        UserError: If nothing that hangs on the attribute can be rolled; a saving throw counts as failed.

    Source: RPJ-INV-04 (INV-04a).
    """
    if forbids(tier_in(figure), attribute):
        raise UserError(
            f"Under such a load nothing of {attribute.word} can be rolled; a saving throw has failed.",
            f"It is {burden_of(figure)}.",
        )
