"""What a GM can do to a character, for the controls of its sheet."""

from collections.abc import Iterator

from bot.rules.kernel import Audience, Choice, TextField
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.post_magic_maid.advancement.level_ups import GrantOptions
from bot.rules.post_magic_maid.character.scene import Scene
from bot.rules.post_magic_maid.character.sheet import MaidAttribute
from bot.rules.post_magic_maid.character.wounds import Track
from bot.rules.post_magic_maid.gm.gm import MagicOptions, MaidSwapOptions, MendOptions, WoundOptions
from bot.rules.post_magic_maid.health.healing import WoundKind, wounds_of
from bot.rules.post_magic_maid.resolution.tiers import TIERS, MaidTier
from bot.rules.shared.offering import Offering, numbers

MOST_GRANTED = 5


def gm_acts(scene: Scene) -> tuple[Act, ...]:
    """Wounds, healing, level-ups, and what a GM rules or corrects.

    Source: PMM-CHK-06, PMM-WND-03, PMM-ADV-01, PMM-MAG-01, PMM-CRE-02.
    """
    offering = Offering(scene, {}, audience=Audience.GM)
    return (*_wounds(scene, offering), *_gifts(offering), *_rulings(scene, offering))


def _wounds(scene: Scene, offering: Offering) -> Iterator[Act]:
    who, many = offering.who, {"count": "How many"}
    for track in Track:
        tiers = [
            (Choice(one.value, f"Tier {one.value}"), WoundOptions(target=who, track=track, tier=one))
            for one in TIERS
            if one is not MaidTier.BELOW_10
        ]
        label = f"Give a {track} wound …"
        yield from offering.menu(ActGroup.DAMAGE, "wound", label, "tier", tiers, is_tried=False, adjusts=many)
    own = [
        (
            Choice(one.value, one.value.capitalize(), f"×{wounds_of(scene.actor, one)}"),
            MendOptions(target=who, wound=one),
        )
        for one in WoundKind
        if wounds_of(scene.actor, one)
    ]
    label = "Heal a wound …"
    yield from offering.menu(ActGroup.HEAL, "mend", label, "wound", own, is_tried=False, adjusts=many)


def _gifts(offering: Offering) -> Iterator[Act]:
    counts = numbers(range(1, MOST_GRANTED + 1), lambda n: "1 level-up" if n == 1 else f"{n} level-ups")
    granted = GrantOptions(target=offering.who)
    yield offering.act(ActGroup.GIVE, "grant", granted, "Grant level-ups …", choices=counts, chosen="count")


def _rulings(scene: Scene, offering: Offering) -> Iterator[Act]:
    who, is_magical = offering.who, scene.actor.sheet.is_magical
    magic = MagicOptions(target=who, allowed=not is_magical)
    yield offering.act(ActGroup.GM, "magic", magic, "Forbid magic" if is_magical else "Allow magic")
    attributes = tuple(Choice(one.value, one.value) for one in MaidAttribute)
    blanks = (
        TextField(key="first", prompt="One attribute", choices=attributes),
        TextField(key="second", prompt="The other one", choices=attributes[::-1]),
    )
    swap = MaidSwapOptions(target=who, first=MaidAttribute.INT, second=MaidAttribute.STR)
    label = "Swap the dice of two attributes …"
    yield offering.act(ActGroup.GM, "swap_dice", swap, label, blanks=blanks)
