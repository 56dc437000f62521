"""What a GM can do to a character, for the controls of its sheet."""

from collections.abc import Iterator

from bot.rules.kernel import Audience, Choice, TextField
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.kernel.wording import shown_number
from bot.rules.shared.offering import Offering, numbers
from bot.rules.sword_and_swarm.character.equipment import SwarmGiveOptions, TakeOptions
from bot.rules.sword_and_swarm.character.sheet import LOWEST_STAR, BenefitKind, Scene, base_of, star_left
from bot.rules.sword_and_swarm.gm.gm import (
    MOST_AT_ONCE,
    AttributesOptions,
    LoadOptions,
    StarOptions,
    SwarmRankOptions,
)
from bot.rules.sword_and_swarm.resolution.attribute_values import HIGHEST, SwarmAttribute

MOST_LISTED = 50


def gm_acts(scene: Scene) -> tuple[Act, ...]:
    """Star lost and regained, the load, equipment and traits, and what a GM corrects by hand.

    Source: SWARM-ATTR-02, SWARM-ATTR-03, SWARM-ATTR-09 to SWARM-ATTR-13, SWARM-PROF-09.
    """
    offering = Offering(scene, {}, audience=Audience.GM)
    return (
        *_star(scene, offering),
        *_load(scene, offering),
        *_gifts(scene, offering),
        *_corrections(scene, offering),
    )


def _star(scene: Scene, offering: Offering) -> Iterator[Act]:
    who, sheet, settings = offering.who, scene.actor.sheet, scene.settings
    now, most = star_left(sheet, settings), base_of(sheet, SwarmAttribute.STAR, settings)
    lost = range(-1, max(LOWEST_STAR - now, -MOST_AT_ONCE) - 1, -1)
    for group, label, steps in (
        (ActGroup.DAMAGE, "Take Star …", lost),
        (ActGroup.HEAL, "Give Star back …", range(1, min(most - now, MOST_AT_ONCE) + 1)),
    ):
        if steps:
            words = numbers(steps, lambda n: f"{abs(n)}: Star {shown_number(now)} → {shown_number(now + n)}")
            star = StarOptions(target=who, change=steps[0])
            yield offering.act(group, "star", star, label, choices=words, chosen="change")


def _load(scene: Scene, offering: Offering) -> Iterator[Act]:
    now = scene.actor.sheet.encumbrance
    loads = numbers((n for n in range(HIGHEST + 1) if n != now), lambda n: f"Boots −{n}" if n else "No load")
    load = LoadOptions(target=offering.who, reduction=0)
    label = f"Set the load … ({now} now)"
    yield offering.act(ActGroup.CONDITION, "load", load, label, choices=loads, chosen="reduction")


def _gifts(scene: Scene, offering: Offering) -> Iterator[Act]:
    who, sheet = offering.who, scene.actor.sheet
    listed = [
        (Choice(one.name, one.name[:100]), SwarmGiveOptions(target=who, name=one.name))
        for one in scene.settings.all_equipment[:MOST_LISTED]
        if sheet.find_benefit(one.name) is None
    ]
    yield from offering.menu(ActGroup.GIVE, "give", "Give equipment …", "name", listed, is_tried=False)
    blanks = (
        TextField(key="name", prompt="Its name", longest=40),
        TextField(key="text", prompt="What it does", longest=200, is_required=False),
    )
    for kind in BenefitKind:
        made = SwarmGiveOptions(target=who, name="?", kind=kind)
        label = f"Give other {kind} …" if kind is BenefitKind.EQUIPMENT else "Give a trait …"
        yield offering.act(
            ActGroup.GIVE,
            "give",
            made,
            label,
            blanks=blanks,
            adjusts={"attribute": "Attribute it raises", "amount": "By how much"},
        )
    own = [
        (Choice(one.name, one.name[:100], str(one.kind)), TakeOptions(target=who, name=one.name))
        for one in sheet.benefits
    ]
    yield from offering.menu(ActGroup.GIVE, "take", "Take away …", "name", own, is_tried=False)


def _corrections(scene: Scene, offering: Offering) -> Iterator[Act]:
    who, sheet, settings = offering.who, scene.actor.sheet, scene.settings
    for attribute in SwarmAttribute:
        field, now = attribute.lower(), base_of(sheet, attribute, settings)
        others = [n for n in range(HIGHEST + 1) if n != now]
        values = tuple(Choice(str(n), f"{now} → {n}") for n in others)
        changed = AttributesOptions.model_validate({"target": who, field: 0})
        label = f"Set {attribute} … ({now} now)"
        yield offering.act(ActGroup.GM, "attributes", changed, label, choices=values, chosen=field)
    ranks = TextField(key="ranks", prompt="New ranks", longest=4)
    for one in settings.all_proficiencies[:MOST_LISTED]:
        had = sheet.ranks_in(one.name)
        trained = SwarmRankOptions(target=who, proficiency=one.name, ranks=had)
        label = f"Set the ranks in {one.name} … ({had} now)"
        yield offering.act(ActGroup.GM, "ranks", trained, label, blanks=(ranks,))
