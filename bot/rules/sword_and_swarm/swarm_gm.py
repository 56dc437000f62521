"""What the GM has: foes, acts on a character, and lists to add to."""

from collections.abc import Callable, Iterator, Sequence

from bot.rules.kernel import (
    YES_NO,
    Audience,
    Choice,
    Column,
    EditableList,
    FieldRows,
    Row,
    TextField,
    evolve,
    menu_of,
)
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.kernel.game import FoeLevel, FoeRules, ReadyFoe
from bot.rules.kernel.outcome import shown_number
from bot.rules.shared.offering import Offering, numbers
from bot.rules.sword_and_swarm.attributes import HIGHEST, SwarmAttribute
from bot.rules.sword_and_swarm.equipment import SwarmGiveOptions, TakeOptions
from bot.rules.sword_and_swarm.gm import (
    MOST_AT_ONCE,
    AttributesOptions,
    LoadOptions,
    StarOptions,
    SwarmRankOptions,
)
from bot.rules.sword_and_swarm.sheet import (
    LONGEST_NAME,
    LOWEST_STAR,
    TRAINED,
    BenefitKind,
    Scene,
    SwarmSettings,
    SwarmSheet,
    base_of,
    read_equipment,
    read_obstacle,
    read_proficiency,
    star_left,
)

VALUES = {FoeLevel.WEAK: 2, FoeLevel.ABLE: 3, FoeLevel.STRONG: 4, FoeLevel.MIGHTY: 6}


def _make(level: FoeLevel, _settings: SwarmSettings) -> SwarmSheet:
    """A sheet with one value for every attribute. [SWARM-ATTR-01, SWARM-ATTR-02]"""
    return SwarmSheet(base=dict.fromkeys(SwarmAttribute, VALUES[level]))


def _give(sheet: SwarmSheet, level: FoeLevel, names: Sequence[str], _settings: SwarmSettings) -> SwarmSheet:
    for name in names:
        sheet = sheet.with_ranks(name, level.step + 1)
    return sheet


READY = (
    ReadyFoe("Swarmling", FoeLevel.WEAK),
    ReadyFoe("Tunnel Gnawer", FoeLevel.WEAK),
    ReadyFoe("Road Bandit", FoeLevel.ABLE),
    ReadyFoe("Hive Guard", FoeLevel.ABLE),
    ReadyFoe("Spore Caster", FoeLevel.ABLE),
    ReadyFoe("Plated Stalker", FoeLevel.STRONG),
    ReadyFoe("Fallen Champion", FoeLevel.STRONG),
    ReadyFoe("Brood Matron", FoeLevel.MIGHTY),
)
FOES: FoeRules[SwarmSheet, SwarmSettings] = FoeRules(
    title="Proficiencies",
    things=lambda settings: [one.name for one in settings.all_proficiencies],
    make=_make,
    give=_give,
    ready=READY,
    fresh=lambda sheet: evolve(sheet, star=None),
)


MOST_LISTED = 50
MOST_QUICK = 3  # amounts of damage with a button of their own


def gm_acts(scene: Scene) -> tuple[Act, ...]:
    """Star lost and regained, the load, equipment and traits, and what a GM corrects by hand.

    [SWARM-ATTR-02, SWARM-ATTR-03, SWARM-ATTR-09 to SWARM-ATTR-13, SWARM-PROF-09]
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
            quick = numbers(steps[:MOST_QUICK] if group is ActGroup.DAMAGE else (), shown_number)
            yield offering.act(group, "star", star, label, choices=words, chosen="change", quick=quick)


def _load(scene: Scene, offering: Offering) -> Iterator[Act]:
    now = scene.actor.sheet.encumbrance
    loads = numbers((n for n in range(HIGHEST + 1) if n != now), lambda n: f"Boots −{n}" if n else "No load")
    load = LoadOptions(target=offering.who, reduction=int(loads[0].value))
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
        changed = AttributesOptions.model_validate({"target": who, field: others[0]})
        label = f"Set {attribute} … ({now} now)"
        yield offering.act(ActGroup.GM, "attributes", changed, label, choices=values, chosen=field)
    ranks = TextField(key="ranks", prompt="New ranks", longest=4)
    for one in settings.all_proficiencies[:MOST_LISTED]:
        had = sheet.ranks_in(one.name)
        trained = SwarmRankOptions(target=who, proficiency=one.name, ranks=had)
        label = f"Set the ranks in {one.name} … ({had} now)"
        yield offering.act(ActGroup.GM, "ranks", trained, label, blanks=(ranks,))


NAME = Column(key="name", title="Name", note="Without commas or colons", longest=LONGEST_NAME)


def _proficiency(text: str) -> Row:
    read = read_proficiency(text)
    return {"name": read.name, "attribute": read.attribute.value, "trained_only": read.trained_only}


def _proficiency_text(row: Row) -> str:
    return f"{row['name']}: {row['attribute']}{f' {TRAINED}' if row['trained_only'] else ''}"


def _obstacle(text: str) -> Row:
    read = read_obstacle(text)
    return {"name": read.name, "difficulty": read.difficulty}


def _equipment(text: str) -> Row:
    read = read_equipment(text)
    return {"name": read.name, "raises": " ".join(str(one) for one in read.raises)}


def _text(field: str) -> Callable[[Row], str]:
    return lambda row: f"{row['name']}: {row.get(field) or ''}".removesuffix(": ")


def _named(settings: SwarmSettings, before: Row | None, row: Row) -> Row:
    """An entry whose name can be read back from its text."""
    name = " ".join(str(row.get("name") or "").split())
    if not name or set(":,") & set(name):
        raise ValueError("A name needs at least one character, without commas or colons.")
    return {**row, "name": name}


LISTS: tuple[EditableList[SwarmSettings], ...] = (
    EditableList(
        key="skills",
        title="Proficiencies",
        noun="proficiency",
        columns=(
            NAME,
            Column(key="attribute", title="Attribute", choices=menu_of(tuple(SwarmAttribute))),
            Column(key="trained_only", title="Needs training", choices=YES_NO),
        ),
        source=FieldRows("proficiencies", _proficiency, _proficiency_text),
        complete=_named,
        about=lambda row: str(row["attribute"]),
    ),
    EditableList(
        key="hard",
        title="Obstacles",
        noun="obstacle",
        columns=(NAME, Column(key="difficulty", title="Difficulty", note="0 to 10")),
        source=FieldRows("obstacles", _obstacle, _text("difficulty")),
        complete=_named,
        about=lambda row: str(row["difficulty"]),
    ),
    EditableList(
        key="gear",
        title="Equipment",
        noun="piece of equipment",
        columns=(
            NAME,
            Column(
                key="raises", title="What it raises", note="Such as: Shield +3 Boots +1", is_required=False
            ),
        ),
        source=FieldRows("equipment", _equipment, _text("raises")),
        complete=_named,
        about=lambda row: str(row.get("raises") or ""),
    ),
)
