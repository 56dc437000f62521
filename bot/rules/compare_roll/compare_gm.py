"""What the GM has: foes, acts on a character, and lists to add to."""

from collections.abc import Iterator, Sequence

from bot.rules.compare_roll.carried_gear import KIND_WORDS, things_of
from bot.rules.compare_roll.catalogue import find_item, find_weapon, skill_names, weapon_named
from bot.rules.compare_roll.creation import plain_sheet
from bot.rules.compare_roll.fortunes import HIGH, MOST_HIGH, MOST_STRESS, hp_now
from bot.rules.compare_roll.gm import (
    AwardOptions,
    CompareFateOptions,
    CompareFoeOptions,
    CompareGiveOptions,
    LookOptions,
    StatOptions,
)
from bot.rules.compare_roll.sheet import (
    LEAST_STAT,
    MOST_STAT,
    AddedSkill,
    CompareSettings,
    CompareSheet,
    CompareStatus,
    Foe,
    Scene,
    carried_weapon,
    hp_max,
    status_of,
)
from bot.rules.compare_roll.tables import (
    CATEGORIES,
    ITEMS,
    STAT_NAMES,
    WEAPONS,
    CompareDifficultyRow,
    CompareItem,
    CompareWeapon,
    DamageTag,
    DistanceTag,
    ItemKind,
    Shape,
    Stat,
)
from bot.rules.kernel import (
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
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel, FoeRules, ReadyFoe
from bot.rules.kernel.outcome import same_name, shown_number
from bot.rules.shared.offering import MOST_CHOICES, Offering, numbers

RECORDS = {
    FoeLevel.WEAK: Foe(hp=6, hp_max=6, ft_max=0, rating=0, attack=-1),
    FoeLevel.ABLE: Foe(hp=12, hp_max=12, ft_max=1, rating=2, attack=0),
    FoeLevel.STRONG: Foe(hp=20, hp_max=20, ft_max=2, rating=4, attack=2),
    FoeLevel.MIGHTY: Foe(hp=35, hp_max=35, ft_max=4, rating=6, attack=4),
}


def _make(level: FoeLevel, _settings: CompareSettings) -> CompareSheet:
    """An opponent as hard to hit as the difficulty of its level. [CMP-COM-12, CMP-ROLL-02]"""
    return plain_sheet().changed(foe=RECORDS[level])


def _give(
    sheet: CompareSheet, level: FoeLevel, names: Sequence[str], settings: CompareSettings
) -> CompareSheet:
    for name in names:
        sheet = sheet.with_carried(carried_weapon(weapon_named(settings, name), level.step + 1))
    return sheet


def _fresh(sheet: CompareSheet) -> CompareSheet:
    foe = sheet.foe and evolve(sheet.foe, hp=sheet.foe.hp_max)
    return sheet.changed(foe=foe, ft_lost=0, status=CompareStatus.ACTIVE, downed_by=None, door=())


READY = (
    ReadyFoe("Corner Lookout", FoeLevel.WEAK, ("Unarmed",)),
    ReadyFoe("Street Brawler", FoeLevel.WEAK, ("Baseball Bat",)),
    ReadyFoe("Night Guard", FoeLevel.ABLE, ("Pistol",)),
    ReadyFoe("Getaway Driver", FoeLevel.ABLE, ("Revolver",)),
    ReadyFoe("Debt Collector", FoeLevel.ABLE, ("Baseball Bat", "Revolver")),
    ReadyFoe("Riot Officer", FoeLevel.STRONG, ("Shotgun",)),
    ReadyFoe("Hired Gun", FoeLevel.STRONG, ("Assault Rifle",)),
    ReadyFoe("Warehouse Boss", FoeLevel.MIGHTY, ("Shotgun", "Grenade")),
)
FOES: FoeRules[CompareSheet, CompareSettings] = FoeRules(
    title="Weapons",
    things=lambda settings: [one.name for one in (*settings.weapons, *WEAPONS)],
    make=_make,
    give=_give,
    ready=READY,
    fresh=_fresh,
)


MOST_POINTS = 10
MOST_QUICK = 3  # amounts of damage with a button of their own


def gm_acts(scene: Scene) -> tuple[Act, ...]:
    """HP, Stress, High, points, gear, and what a GM corrects by hand.

    [CMP-GM-01, CMP-HP-01, CMP-STRESS-01, CMP-SKILL-08, CMP-CHAR-01, CMP-CHAR-07, CMP-COM-12]
    """
    offering = Offering(scene, {}, audience=Audience.GM)
    return (
        *_body(scene, offering),
        *_gifts(scene, offering),
        *_corrections(scene, offering),
    )


def _body(scene: Scene, offering: Offering) -> Iterator[Act]:
    who, now, most = offering.who, hp_now(scene.actor), hp_max(scene.actor.sheet)
    if status_of(scene.actor) is CompareStatus.DEAD:
        revived = CompareFateOptions(target=who, revive=True, hp=1)
        hp = numbers(range(1, min(most, MOST_CHOICES) + 1), lambda n: f"With {n} HP")
        yield offering.act(ActGroup.HEAL, "fate", revived, "Revive …", choices=hp, chosen="hp")
        return
    lower = numbers(_shortened(range(now - 1, -1, -1)), lambda n: f"{now - n} damage: HP {now} → {n}")
    if lower:
        hurt = CompareFateOptions(target=who, hp=now - 1)
        label = f"Take HP … ({now} of {most})"
        quick = tuple(Choice(one.value, shown_number(int(one.value) - now)) for one in lower[:MOST_QUICK])
        yield offering.act(ActGroup.DAMAGE, "fate", hurt, label, choices=lower, chosen="hp", quick=quick)
    higher = numbers(_shortened(range(now + 1, most + 1)), lambda n: f"{n - now} HP: {now} → {n}")
    if higher:
        healed = CompareFateOptions(target=who, hp=now + 1)
        label = f"Give HP back … ({now} of {most})"
        yield offering.act(ActGroup.HEAL, "fate", healed, label, choices=higher, chosen="hp")
    stress = CompareFateOptions(target=who, stress=1)
    points = numbers(range(1, MOST_STRESS + 1), lambda n: f"{n} Stress")
    yield offering.act(ActGroup.CONDITION, "fate", stress, "Give Stress …", choices=points, chosen="stress")


def _shortened(steps: range) -> tuple[int, ...]:
    """Every number of it; of many, the nearest and the last one."""
    return tuple(steps) if len(steps) <= MOST_CHOICES else (*steps[: MOST_CHOICES - 1], steps[-1])


def _gifts(scene: Scene, offering: Offering) -> Iterator[Act]:
    who, settings = offering.who, scene.settings
    high = CompareFateOptions(target=who, high=1)
    free = MOST_HIGH - scene.actor.left(HIGH)
    if free > 0:
        points = numbers(range(1, free + 1), lambda n: f"{n} High")
        yield offering.act(ActGroup.GIVE, "fate", high, "Give High …", choices=points, chosen="high")
    if scene.actor.sheet.foe is None:
        for field, what in (("skill_points", "skill points"), ("stat_points", "stat points")):
            awarded = AwardOptions.model_validate({"target": who, field: 1})
            points = numbers(range(1, MOST_POINTS + 1))
            label = f"Award {what} …"
            yield offering.act(ActGroup.GIVE, "award", awarded, label, choices=points, chosen=field)
    for label, rows in (
        ("Give a weapon …", (*settings.weapons, *WEAPONS)),
        ("Give an item …", (*settings.items, *ITEMS)),
    ):
        names = dict.fromkeys(one.name for one in rows)
        things = [(Choice(one, one[:100]), CompareGiveOptions(target=who, thing=one)) for one in names]
        adjusts = {"count": "How many"} if "item" in label else {}
        yield from offering.menu(
            ActGroup.GIVE, "give", label, "thing", things, is_tried=False, adjusts=adjusts
        )
    own = [
        (Choice(name, name[:100], f"×{count}"), CompareGiveOptions(target=who, thing=name, count=-1))
        for name, count in things_of(scene.actor)
        if find_item(settings, name) or find_weapon(settings, name)
    ]
    label = "Take 1 away …"
    yield from offering.menu(ActGroup.GIVE, "give", label, "thing", own, is_tried=False)


def _corrections(scene: Scene, offering: Offering) -> Iterator[Act]:
    who, sheet = offering.who, scene.actor.sheet
    look = LookOptions(target=who)
    yield offering.act(ActGroup.GM, "look", look, "Look at the numbers (only you see them)")
    if scene.actor.owner is None:
        blanks = tuple(
            TextField(key=key, prompt=prompt, longest=40, is_required=False)
            for key, prompt in (
                ("hp", "HP"),
                ("fortitude", "Fortitude"),
                ("rating", "Rating"),
                ("attack", "Attack"),
                ("weapon", "Weapon"),
            )
        )
        foe = CompareFoeOptions(target=who)
        yield offering.act(ActGroup.GM, "foe", foe, "Set up as an opponent …", blanks=blanks)
    if sheet.foe is not None:
        return
    for stat in Stat:
        now = sheet.stats[stat]
        others = [n for n in range(LEAST_STAT, MOST_STAT + 1) if n != now]
        scores = tuple(Choice(str(n), f"{now} → {n}") for n in others)
        score = StatOptions(target=who, stat=stat, score=LEAST_STAT)
        label = f"Set {STAT_NAMES[stat]} … ({now})"
        yield offering.act(ActGroup.GM, "set_stat", score, label, choices=scores, chosen="score")


NAME = Column(key="name", title="Name", longest=40)
AMMUNITION_CHARGES = 4
# The fields that only one kind of item has.
ONLY_FOR = {
    "charges": (ItemKind.AMMUNITION, "Only ammunition has reloads."),
    "heals_sides": (ItemKind.REMEDY, "Only remedies heal."),
    "fortitude": (ItemKind.ARMOUR, "Only armor adds Fortitude."),
}


def _added_skill(settings: CompareSettings, before: Row | None, row: Row) -> Row:
    """A skill that its category doesn't have yet. [CMP-GM-02]"""
    own = None if before is None else (str(before["category"]), str(before["name"]))
    category, name = str(row["category"]), str(row.get("name") or "")
    for of, known in skill_names(settings):
        if of == category and same_name(known, name) and (of, known) != own:
            raise UserError(f"{category} already has {known}.", "Choose another name.")
    return row


def _item(_settings: object, _before: Row | None, row: Row) -> Row:
    """An item with the numbers of its kind only. [CMP-GM-02]"""
    for field, (kind, sentence) in ONLY_FOR.items():
        if row.get(field) not in (None, "0", 0) and row["kind"] != kind:
            raise UserError(sentence, "Leave it empty, or choose another kind.")
    if row["kind"] == ItemKind.AMMUNITION and row.get("charges") is None:
        return {**row, "charges": AMMUNITION_CHARGES}
    return row


KINDS = tuple(Choice(one, KIND_WORDS.get(one, one).capitalize()) for one in ItemKind)
LISTS: tuple[EditableList[CompareSettings], ...] = (
    EditableList(
        key="skills",
        title="Skills",
        noun="skill",
        columns=(Column(key="category", title="Category", choices=menu_of(tuple(CATEGORIES))), NAME),
        source=FieldRows("skills"),
        model=AddedSkill,
        complete=_added_skill,
        identity=lambda row: f"{row['category']}/{row['name']}".casefold(),
        about=lambda row: str(row["category"]),
    ),
    EditableList(
        key="weapons",
        title="Weapons",
        noun="weapon",
        columns=(
            NAME,
            Column(key="damage", title="Damage", choices=menu_of(tuple(DamageTag))),
            Column(key="distance", title="Distance", choices=menu_of(tuple(DistanceTag))),
            Column(key="shape", title="Whom it hits", choices=menu_of(tuple(Shape), "one target")),
            Column(key="level", title="Level", note="Damage dice, 1 to 20; empty: 1", is_required=False),
        ),
        source=FieldRows("weapons"),
        model=CompareWeapon,
        about=lambda row: f"{row['damage']}, {row['distance']}",
    ),
    EditableList(
        key="items",
        title="Items and armor",
        noun="item",
        columns=(
            NAME,
            Column(key="kind", title="Kind", choices=KINDS),
            Column(key="charges", title="Reloads in one (ammunition)", is_required=False),
            Column(key="heals_sides", title="Die it heals (remedies)", note="Such as 6", is_required=False),
            Column(key="fortitude", title="Fortitude while worn (armor)", is_required=False),
        ),
        source=FieldRows("items"),
        model=CompareItem,
        complete=_item,
        about=lambda row: KIND_WORDS.get(str(row["kind"]), str(row["kind"])),
    ),
    EditableList(
        key="hard",
        title="Difficulties",
        noun="difficulty",
        columns=(NAME, Column(key="number", title="Number added to each d12", note="0 to 20")),
        source=FieldRows("difficulties"),
        model=CompareDifficultyRow,
        about=lambda row: f"+{row['number']}",
    ),
)
