"""What the GM has: foes, acts on a character, and ability names to suggest."""

from collections.abc import Iterator, Sequence

from bot.rules.kernel import Audience, Choice, Column, EditableList, FieldRows, TextField, evolve
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.kernel.game import FoeLevel, FoeRules
from bot.rules.post_magic_maid.gm import MagicOptions, MaidSwapOptions, MendOptions, WoundOptions
from bot.rules.post_magic_maid.healing import WoundKind, wounds_of
from bot.rules.post_magic_maid.level_ups import GrantOptions
from bot.rules.post_magic_maid.sheet import AttributeScore, MaidAttribute, MaidSettings, MaidSheet, Scene
from bot.rules.post_magic_maid.tiers import TIERS, MaidTier
from bot.rules.post_magic_maid.wounds import Track
from bot.rules.shared.offering import Offering, numbers

DICE = {FoeLevel.WEAK: 6, FoeLevel.ABLE: 8, FoeLevel.STRONG: 10, FoeLevel.MIGHTY: 12}
BETTER = 4  # sides more for what it is good at


def _make(level: FoeLevel, _settings: MaidSettings) -> MaidSheet:
    """A sheet with one die for everything. [PMM-CHK-01]"""
    return MaidSheet(attributes=dict.fromkeys(MaidAttribute, AttributeScore(die=DICE[level])))


def _give(sheet: MaidSheet, level: FoeLevel, names: Sequence[str], _settings: MaidSettings) -> MaidSheet:
    for name in names:
        better = AttributeScore(die=DICE[level] + BETTER)
        sheet = sheet.with_attribute(MaidAttribute(name), better)
    return sheet


FOES: FoeRules[MaidSheet, MaidSettings] = FoeRules(
    title="Good at",
    things=lambda _settings: [str(one) for one in MaidAttribute],
    make=_make,
    give=_give,
    fresh=lambda sheet: evolve(sheet, is_dead=False),
)


MOST_GRANTED = 5


def gm_acts(scene: Scene) -> tuple[Act, ...]:
    """Wounds, healing, level-ups, and what a GM rules or corrects.

    [PMM-CHK-06, PMM-WND-03, PMM-ADV-01, PMM-MAG-01, PMM-CRE-02]
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


LISTS: tuple[EditableList[MaidSettings], ...] = (
    EditableList(
        key="names",
        title="Ability names",
        noun="ability name",
        columns=(Column(key="name", title="Ability name", longest=40),),
        source=FieldRows("suggestions", lambda name: {"name": name}, lambda row: row["name"]),
        complete=lambda _settings, _before, row: {"name": row.get("name", "")},
    ),
)
