"""What a character can do with belongings, money, magic and character points."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from bot.rules.kernel import Choice, TextField
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import MOST_CHOICE_LABEL, counted
from bot.rules.kernel.procedures import Act, ActGroup
from bot.rules.rpj.casting import assert_able, chosen_way
from bot.rules.rpj.character.belongings import everything, items_of, purse_of, thing_words
from bot.rules.rpj.character.casters import casting_of, is_concentrating, known_spells, mages_of, ways_to_cast
from bot.rules.rpj.character.lucky_breaks import lucky_breaks_left
from bot.rules.rpj.character.sheet import RpjSheet, Scene, Stats, figure_in
from bot.rules.rpj.character_points import (
    attribute_price,
    attributes_for_sale,
    lose_trait,
    raise_attribute,
    raise_skill,
    skills_for_sale,
    take_trait,
    traits_for_sale,
)
from bot.rules.rpj.combat.commands.turn_commands import active_fighter
from bot.rules.rpj.combat.rules.shooting import supplied
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.items import Order
from bot.rules.rpj.module.module import Pack, RpjSkill
from bot.rules.rpj.module.module_files import SkillApproval
from bot.rules.rpj.module.possessions import Possession, RpjPlace
from bot.rules.rpj.module.spells import RpjSpell, slot_word
from bot.rules.rpj.teamwork.flashbacks import FLASHBACK
from bot.rules.rpj.trading import goods, offered_price
from bot.rules.rpj.wild_magic import abilities_of, ability_skills
from bot.rules.shared.offering import Offering, choice_of, is_allowed, others_of

MOST_GIFTS = 4
PLACES = {
    RpjPlace.HELD: "Take in hand …",
    RpjPlace.WORN: "Put on …",
    RpjPlace.CARRIED: "Carry …",
    RpjPlace.HANDY: "Put into a handy container …",
    RpjPlace.LARGE: "Put into a large container …",
    RpjPlace.AWAY: "Leave behind …",
}


def thing_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Moving, picking up and dropping things, ammunition, and layers of defense.

    [RPJ-INV-05 to RPJ-INV-09, RPJ-FIRE-06, RPJ-HEALTH-06]
    """
    figure = figure_in(scene, scene.actor)
    if figure.sheet.health.out is not Out.NO:
        return
    if figure.plays(Pack.MONEY) or figure.plays(Pack.INVENTORY):
        yield from _carried(figure, offering)
    if figure.plays(Pack.FIRE_AND_MOVEMENT):
        names = [(weapon.id, weapon.name) for weapon, _magazine, _had in supplied(figure)]
        for one, name in names:
            swaps = (Choice(other, words) for other, words in names if other > one)
            label = f"Swap ammunition: {name} with …"
            yield from offering.menu(ActGroup.USE, "fire.swap", label, "other", swaps, one=one)
    asked = (
        TextField(key="name", prompt="Its name", longest=40),
        TextField(key="saves", prompt="Its target numbers, such as 5 6", longest=60),
    )
    yield offering.act(ActGroup.USE, "layer", "Add a layer of defense …", blanks=asked, saves="6")


def _carried(figure: Stats, offering: Offering) -> Iterator[Act]:
    own = everything(figure.sheet, figure.module)
    for place, label in PLACES.items():
        moves = (
            _choice(figure, thing)
            for thing in _once(own)
            if all(one.place is not place for one in own if one.item == thing.item)
        )
        yield from offering.menu(ActGroup.USE, "put", label, "item", moves, to=place)
    blank = (TextField(key="item", prompt="What you pick up", longest=100),)
    if items_of(figure.module):
        yield offering.act(ActGroup.USE, "pick_up", "Pick something up …", blanks=blank)
    drops = (_choice(figure, thing) for thing in _once(own))
    yield from offering.menu(ActGroup.USE, "drop", "Get rid of one …", "item", drops)


def _once(own: tuple[Possession, ...]) -> tuple[Possession, ...]:
    return tuple({thing.item: thing for thing in reversed(own)}.values())[::-1]


def _choice(figure: Stats, thing: Possession) -> Choice:
    return Choice(thing.item, thing_words(thing, figure.module)[:MOST_CHOICE_LABEL], str(thing.place))


# --- spending ----------------------------------------------------------------------------------


def spending_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """A flashback, purchases, and gifts to others.

    [RPJ-LUCK-04, RPJ-MONEY-03, RPJ-MONEY-14 to RPJ-MONEY-17, RPJ-FIRE-07]
    """
    figure = figure_in(scene, scene.actor)
    yield from _flashback(scene, figure, offering)
    if figure.plays(Pack.MONEY):
        yield from _buying(scene, figure, offering)
        yield from _money(scene, offering)
    if figure.sheet.health.out is not Out.NO:
        return
    if figure.plays(Pack.MONEY) or figure.plays(Pack.INVENTORY):
        yield from _handing(scene, figure, offering)
    if figure.plays(Pack.FIRE_AND_MOVEMENT):
        for weapon, _magazine, _had in supplied(figure):
            found = map(choice_of, others_of(scene))
            label = f"Give ammunition of {weapon.name} to …"
            yield from offering.menu(ActGroup.SPEND, "fire.give", label, "to", found, weapon=weapon.id)


def _flashback(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    left, cost = lucky_breaks_left(scene.actor), figure.module.luck.flashback_cost
    if scene.actor.owner is None or scene.actor.is_hidden:
        return
    unit = "Lucky Break" if cost == 1 else "Lucky Breaks"
    yield offering.act(
        ActGroup.SPEND,
        FLASHBACK,
        f"Flashback: {cost} {unit} · {left} left (GM) …",
        blanks=(TextField(key="words", prompt="What you did earlier", longest=300, is_long=True),),
        why_not="" if left >= cost else f"A flashback costs {cost} {unit}; you have {left}.",
    )


def _buying(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    coin = purse_of(scene.actor).coin
    found = []
    for item in goods(figure.module):
        cost = offered_price(scene, figure.module, item, Order()).cost
        if cost <= coin:
            found.append(Choice(item.id, item.name[:100], f"{cost} Coin"))
    label = f"Buy … · you have {coin} Coin"
    yield from offering.menu(ActGroup.SPEND, "buy", label, "item", found, is_tried=False)


def _money(scene: Scene, offering: Offering) -> Iterator[Act]:
    purse = purse_of(scene.actor)
    if purse.coin:
        for other in others_of(scene)[:MOST_GIFTS]:
            coin = (TextField(key="coin", prompt=f"How much Coin (you have {purse.coin})", longest=6),)
            label = f"Give Coin to {other.name} …"
            yield offering.act(ActGroup.SPEND, "give", label, blanks=coin, target=other.id, coin=1)
    asset = TextField(key="asset", prompt="What it is in the story", longest=100)
    label = "Buy 1 Wealth for 10 Coin (GM) …"
    yield from offering.if_possible(ActGroup.SPEND, "wealth", label, blanks=(asset,), amount=1)
    label = "Burn 1 Wealth for 5 Coin, permanently"
    yield from offering.if_possible(ActGroup.SPEND, "want_to_burn", label)
    pays = TextField(key="name", prompt="What it pays for", longest=60)
    label = "Set 1 Wealth aside each month …"
    yield from offering.if_possible(ActGroup.SPEND, "earmark", label, blanks=(pays,), amount=1)


def _handing(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    """Things for each of a few others. [RPJ-INV-05]"""
    own = [_choice(figure, one) for one in _once(everything(figure.sheet, figure.module))]
    for other in others_of(scene)[:MOST_GIFTS]:
        label = f"Hand {other.name} something …"
        yield from offering.menu(ActGroup.SPEND, "hand", label, "item", own, target=other.id)


MOST_REASONS = 2
MOST_SPELLS = 20


def magic_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Spells and abilities outside a fight, and preparing them; in a fight the board has them.

    [RPJ-SMAG-03, RPJ-SMAG-11, RPJ-SMAG-15, RPJ-WMAG-18, RPJ-WMAG-20]
    """
    figure = figure_in(scene, scene.actor)
    if figure.sheet.health.out is not Out.NO:
        return
    if figure.plays(Pack.STRUCTURED_MAGIC):
        if active_fighter(scene) is None and is_allowed(lambda: assert_able(figure, scene.actor.name)):
            yield from _spells(scene, figure, offering)
        prepared = (
            Choice(spell.id, spell.name[:100], slot_word(spell.level)) for spell in known_spells(figure)
        )
        yield from offering.menu(ActGroup.USE, "prepare", "Prepare a spell …", "spell", prepared)
    if figure.plays(Pack.WILD_MAGIC):
        if active_fighter(scene) is None and not figure.sheet.wild.is_strained:
            yield from _abilities(scene, figure, offering)
        if ability_skills(figure):
            yield offering.act(ActGroup.USE, "build", "Build an ability …")
        own = (Choice(one.name, one.name) for one in figure.sheet.wild.abilities)
        yield from offering.menu(ActGroup.USE, "forget_ability", "Delete a saved ability …", "ability", own)


def magic_rest_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Concentrating for slots, and the roll against strain. [RPJ-SMAG-15, RPJ-WMAG-08]"""
    figure = figure_in(scene, scene.actor)
    if figure.plays(Pack.WILD_MAGIC) and figure.sheet.wild.is_strained:
        yield offering.act(ActGroup.REST, "strain", "Roll against strain")
    if not figure.plays(Pack.STRUCTURED_MAGIC) or not mages_of(figure):
        return
    is_free = active_fighter(scene) is None and figure.sheet.health.out is Out.NO
    if is_free and not is_concentrating(scene, offering.who):
        yield offering.act(ActGroup.REST, "concentrate", "Concentrate: an hour restores slots")


def _spells(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    casting, reasons = casting_of(figure), 0
    for spell in known_spells(figure)[:MOST_SPELLS]:
        cast = partial(offering.act, ActGroup.USE, "cast", spell=spell.id)
        if not ways_to_cast(figure, casting, spell):
            if reasons < MOST_REASONS:
                reasons += 1
                yield cast(f"Cast {spell.name}", why_not=_why_not(figure, spell))
            continue
        place, _mage = chosen_way(figure, casting, spell, None)
        label = f"Cast {spell.name} · {slot_word(casting.slots[place].level, figure.module.magic.word)}"
        if spell.is_attack or spell.damage is not None or spell.save is not None:
            yield from _at_foes(scene, offering, "cast", label, spell=spell.id)
        else:
            yield cast(label)


def _at_foes(scene: Scene, offering: Offering, procedure: str, label: str, **given: Any) -> Iterator[Act]:
    """What is done to one of the others, foes first, or to nobody where nobody else is there."""
    foes = [choice_of(one) for one in sorted(others_of(scene), key=lambda one: one.owner is not None)]
    if foes:
        at = f"{label} at …"
        yield from offering.menu(ActGroup.USE, procedure, at, "target", foes, is_tried=False, **given)
    else:
        yield offering.act(ActGroup.USE, procedure, label, **given)


def _why_not(figure: Stats, spell: RpjSpell) -> str:
    try:
        chosen_way(figure, casting_of(figure), spell, None)
    except UserError as mistake:
        return str(mistake)
    return ""


def _abilities(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    for ability in abilities_of(figure):
        label = f"{ability.name} · {ability.cost} stamina"
        if ability.recipe.damage is not None:
            yield from _at_foes(scene, offering, "use_ability", label, ability=ability.name)
        else:
            yield offering.act(ActGroup.USE, "use_ability", label, ability=ability.name)


def growth_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Skills, attributes and traits for sale with their prices; the cheapest that lacks points says so.

    [RPJ-CHAR-14, RPJ-CHAR-16, RPJ-CHAR-18, RPJ-CHAR-19]
    """
    figure = figure_in(scene, scene.actor)
    needs_gm = scene.settings.skill_approval is SkillApproval.ASK and not scene.is_gm
    yield from _own_skills(scene, figure, offering, " (GM)" if needs_gm else "")
    yield from _new_skills(scene, figure, offering, " (GM)" if needs_gm else "")
    yield from _attributes(scene, figure, offering)
    yield from _traits(scene, figure, offering)
    if figure.plays(Pack.PRACTICED_IMPROVISATION):
        practiced = (Choice(one.name, one.name) for one in abilities_of(figure))
        label = "Practice an ability: a month …"
        yield from offering.menu(ActGroup.GROW, "practice", label, "ability", practiced)


def _points(cost: int) -> str:
    return counted(cost, "point")


def _own_skills(scene: Scene, figure: Stats, offering: Offering, asks: str) -> Iterator[Act]:
    blocked, left = scene.settings.blocked_skills, figure.sheet.available_points
    reasons = 0
    for skill, level, price in skills_for_sale(figure, blocked):
        label = f"{skill.name} {level - 1} → {level} · {_points(price)}{asks}"
        improve = partial(offering.act, ActGroup.GROW, "improve_skill", skill=skill.id, level=level)
        if is_allowed(lambda skill=skill, level=level: raise_skill(figure, skill, level, blocked=blocked)):  # type: ignore[misc]
            yield improve(label)
        elif price > left and reasons < MOST_REASONS:
            reasons += 1
            yield improve(label, why_not=f"You have {_points(left)} to spend.")


def _new_skills(scene: Scene, figure: Stats, offering: Offering, asks: str) -> Iterator[Act]:
    """Skills never learned, at level 1; each specialty that the module names is an entry."""
    left = figure.sheet.available_points
    found = [
        choice
        for skill in figure.module.skills
        if figure.sheet.own_skill(skill.id) is None
        for choice in _first_levels(scene, figure, skill, left)
    ]
    label = f"Learn a skill, level 1{asks} …"
    yield from offering.menu(ActGroup.GROW, "improve_skill", label, "skill", found, is_tried=False, level=1)


def _first_levels(scene: Scene, figure: Stats, skill: RpjSkill, left: int) -> Iterator[Choice]:
    names = (*skill.specialties, *skill.examples) if skill.has_specialty else ("",)
    for name in dict.fromkeys(names):
        learned = _learned(scene, figure, skill, name)
        if learned is not None:
            words = skill.with_specialty(name)
            yield Choice(words[:100], f"{words[:80]} · {_points(left - learned.available_points)}")


def _learned(scene: Scene, figure: Stats, skill: RpjSkill, specialty: str) -> RpjSheet | None:
    try:
        return raise_skill(figure, skill, 1, specialty=specialty, blocked=scene.settings.blocked_skills)
    except UserError:
        return None


def _attributes(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    for attribute in attributes_for_sale(figure):
        level = figure.sheet.attributes.get(attribute, 0)
        if not is_allowed(lambda one=attribute: raise_attribute(figure, one, has_leave=True)):  # type: ignore[misc]
            continue
        is_free = is_allowed(lambda one=attribute: raise_attribute(figure, one, has_leave=False))  # type: ignore[misc]
        asks = "" if scene.is_gm or is_free else " (GM)"
        price = _points(attribute_price(figure, attribute))
        label = f"{attribute.word} {level} → {level + 1} · {price}{asks}"
        yield offering.act(ActGroup.GROW, "improve_attribute", label, attribute=attribute)


def _traits(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    asks = "" if scene.is_gm else " (GM)"
    found = (
        Choice(trait.id, f"{trait.name} · {_points(trait.cost)}")
        for trait in traits_for_sale(figure)
        if is_allowed(lambda trait=trait: take_trait(figure, trait.id, has_leave=True))  # type: ignore[misc]
    )
    label = f"Take a trait{asks} …"
    yield from offering.menu(ActGroup.GROW, "improve_trait", label, "trait", found, is_tried=False)
    own = (
        Choice(trait.id, trait.name[:100])
        for trait in (figure.module.trait(one.trait) for one in figure.sheet.traits)
        if trait is not None and is_allowed(lambda trait=trait: lose_trait(figure, trait.id))  # type: ignore[misc]
    )
    label = f"Drop a trait{asks} …"
    yield from offering.menu(ActGroup.GROW, "drop_trait", label, "trait", own, is_tried=False)
