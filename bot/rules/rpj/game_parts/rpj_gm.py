"""What a GM has: foes made in a moment, and acts on a character."""

from collections.abc import Iterator, Mapping, Sequence

from bot.rules.kernel import Audience, Choice, Procedure, TextField, evolve
from bot.rules.kernel.game import FoeLevel, FoeRules, ReadyFoe
from bot.rules.kernel.outcome import counted, signed
from bot.rules.kernel.procedures import Act, ActGroup
from bot.rules.rpj.character.belongings import purse_of
from bot.rules.rpj.character.casters import is_concentrating
from bot.rules.rpj.character.damage_saves import ARMORED, layers_of
from bot.rules.rpj.character.sheet import OwnSkill, RpjSheet, Scene, Stats, figure_in
from bot.rules.rpj.combat.combatant import MookSheet
from bot.rules.rpj.combat.rules.shooting import supplied
from bot.rules.rpj.module.basics import RpjAttribute, Scale
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.items import step_name
from bot.rules.rpj.module.module import Module, Pack, RpjSkill
from bot.rules.rpj.module.settings import RpjSettings, module_in
from bot.rules.shared.offering import Offering, named, numbers

SKILLS = {FoeLevel.WEAK: 2, FoeLevel.ABLE: 4, FoeLevel.STRONG: 6, FoeLevel.MIGHTY: 7}  # RPJ-GM-01
ATTRIBUTES = {FoeLevel.WEAK: 2, FoeLevel.ABLE: 3, FoeLevel.STRONG: 4, FoeLevel.MIGHTY: 4}  # RPJ-GM-02


def _make(level: FoeLevel, settings: RpjSettings) -> RpjSheet:
    """A sheet with attributes of a level, and the skills that fights use. [RPJ-GM-01, RPJ-GM-02]"""
    sheet = RpjSheet(attributes=dict.fromkeys(RpjAttribute, ATTRIBUTES[level]))
    module = module_in(settings)
    for skill in module.skills:
        if skill.roles:
            sheet = _skilled(sheet, skill, level, module)
    return sheet


def _skilled(sheet: RpjSheet, skill: RpjSkill, level: FoeLevel, module: Module) -> RpjSheet:
    """The sheet with a skill at the effective level that its own level means."""
    figure = Stats(sheet, module)
    linked = figure.linked(skill)
    base = SKILLS[level] - figure.bonus(linked)
    specialty = (*skill.specialties, *skill.examples, "")[0] if skill.has_specialty else ""
    return sheet.with_skill(OwnSkill(skill=skill.id, base=base, specialty=specialty, linked=linked))


def _give(sheet: RpjSheet, level: FoeLevel, names: Sequence[str], settings: RpjSettings) -> RpjSheet:
    """The sheet with weapons and the skills they are used with. [RPJ-GM-01, RPJ-GCS-57]"""
    module = module_in(settings)
    skills = {skill.id: skill for skill in module.skills}
    for weapon in module.weapons:
        if weapon.name in names:
            rest = tuple(one for one in sheet.belongings if one != weapon.id)
            sheet = evolve(sheet, belongings=(*rest, weapon.id))
            sheet = _skilled(sheet, skills[weapon.skill], level, module)
    return sheet


READY = (
    ReadyFoe("Cutpurse", FoeLevel.WEAK, ("Dagger", "Club")),
    ReadyFoe("Hungry Wolf", FoeLevel.WEAK),
    ReadyFoe("Bandit", FoeLevel.ABLE, ("Longsword", "Club")),
    ReadyFoe("Toll Archer", FoeLevel.ABLE, ("Bow", "Thrown stone")),
    ReadyFoe("Town Guard", FoeLevel.ABLE, ("Club",)),
    ReadyFoe("Sellsword", FoeLevel.STRONG, ("Great axe", "Club")),
    ReadyFoe("Cave Bear", FoeLevel.STRONG),
    ReadyFoe("Duelist", FoeLevel.MIGHTY, ("Longsword", "Dagger", "Club")),
)
FOES: FoeRules[RpjSheet, RpjSettings] = FoeRules(
    title="Weapons",
    things=lambda settings: [one.name for one in module_in(settings).weapons],
    make=_make,
    give=_give,
    mook=MookSheet,
    as_mook=lambda mook: RpjSheet(
        attributes=dict.fromkeys(RpjAttribute, ATTRIBUTES[FoeLevel.ABLE]), mook=mook
    ),
    ready=READY,
    fresh=lambda sheet: evolve(sheet, conditions=()),
)


DAMAGE = range(-4, 13)
MOST_AMMUNITION = 3
MOST_SPELLS = 200
BYPASSED = (
    Choice("", "no layer"),
    Choice(", ".join(ARMORED), "everything but base saves"),
)


QUICK = range(1, 4)  # damage with a button of its own


def gm_acts(procedures: Mapping[str, Procedure], scene: Scene) -> tuple[Act, ...]:
    """Damage, healing, conditions, gifts, and what a GM rules or corrects.

    [RPJ-HEALTH-02, RPJ-HEALTH-16, RPJ-HEALTH-18, RPJ-HEALTH-20, RPJ-COND-01, RPJ-LUCK-05, RPJ-LUCK-06, RPJ-
    MONEY-03, RPJ-MONEY-13, RPJ-SMAG-10, RPJ-FIRE-07, RPJ-SCALE-01, RPJ-CHAR-08]
    """
    offering = Offering(scene, procedures, audience=Audience.GM)
    if scene.actor.sheet.mook is not None:
        return tuple(_damage(scene, offering))
    figure = figure_in(scene, scene.actor)
    return (
        *_damage(scene, offering),
        *_healing(figure, offering),
        *_conditions(scene, figure, offering),
        *_gifts(scene, figure, offering),
        *_rulings(scene, figure, offering),
    )


def _damage(scene: Scene, offering: Offering) -> Iterator[Act]:
    out = scene.actor.sheet.health.out
    damage = numbers(DAMAGE, lambda n: f"{signed(n)} to the save's target number" if n else "0: as it is")
    damage = (damage[-DAMAGE.start], *damage[-DAMAGE.start + 1 :], *damage[: -DAMAGE.start])
    adjusts = {
        "times": "How many times",
        "reduce": "Damage reduction",
        "bypass": "Bypasses",
        "nonlethal": "Knocks out instead of killing",
    }
    ways = (
        ("harm", "Deal damage …", out is Out.NO),
        ("ambush", "Strike while helpless or unaware …", out is not Out.DEAD),
    )
    for procedure, label in ((procedure, label) for procedure, label, can_be in ways if can_be):
        yield offering.act(
            ActGroup.DAMAGE,
            procedure,
            label,
            choices=damage,
            chosen="damage",
            adjusts=adjusts,
            values={"bypass": BYPASSED},
            quick=numbers(QUICK, lambda n: f"{n} damage"),
        )


def _healing(figure: Stats, offering: Offering) -> Iterator[Act]:
    health = figure.sheet.health
    lost = len(health.lost_base)
    if lost:
        saves = numbers(range(1, lost + 1), lambda n: counted(n, "base save"))
        label = f"Restore base saves … ({lost} lost)"
        yield offering.act(ActGroup.HEAL, "heal", label, choices=saves, chosen="saves")
    elif health.out is not Out.NO:
        yield offering.act(ActGroup.HEAL, "heal", "Bring back into action")
    layers = layers_of(figure)
    damaged = (
        one
        for one in layers
        if one.kind in (LayerKind.ARMOR, LayerKind.SHIELD) and any(save.is_lost for save in one.saves)
    )
    yield from offering.menu(ActGroup.HEAL, "repair", "Repair …", "layer", named(damaged))
    temporary = named(one for one in layers if one.id.startswith("own "))
    yield from offering.menu(ActGroup.CONDITION, "end_layer", "End a temporary layer …", "layer", temporary)


def _conditions(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    if figure.plays(Pack.CONDITIONS):
        known = named(figure.module.conditions)
        adjusts = {"surely": "Without a saving throw"}
        yield from offering.menu(
            ActGroup.CONDITION, "condition.add", "Apply a condition …", "name", known, adjusts=adjusts
        )
        own = [Choice(one.condition.name, one.condition.name) for one in scene.actor.sheet.conditions]
        label = "Remove a condition …"
        yield from offering.menu(ActGroup.CONDITION, "condition.remove", label, "name", own)
        yield offering.act(
            ActGroup.CONDITION,
            "condition.make",
            "Apply a custom condition …",
            blanks=(TextField(key="name", prompt="Its name", longest=60),),
            adjusts={
                "kind": "Kind",
                "checks": "Added to checks",
                "attacks": "Added to attacks",
                "defense": "Added to the defense",
            },
        )
    if figure.plays(Pack.STRUCTURED_MAGIC) and is_concentrating(scene, offering.who):
        yield offering.act(ActGroup.CONDITION, "break_off", "Break the concentration")


def _gifts(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    if figure.plays(Pack.MONEY):
        blanks = (
            TextField(key="amount", prompt="How much Coin", longest=6),
            TextField(key="name", prompt="What for", longest=60),
        )
        label, has = "Pay Coin at the month's end …", purse_of(scene.actor).coin
        yield offering.act(ActGroup.GIVE, "income", label, blanks=blanks, amount=1)
        if has:
            label = f"Charge Coin … ({has} now)"
            yield offering.act(ActGroup.GIVE, "charge", label, blanks=blanks, amount=1)
    if figure.plays(Pack.FIRE_AND_MOVEMENT):
        for weapon, _magazine, _had in supplied(figure):
            steps = numbers(range(MOST_AMMUNITION, -1, -1), step_name)
            label = f"Set the ammunition of {weapon.name} …"
            yield offering.act(
                ActGroup.GIVE, "fire.resupply", label, choices=steps, chosen="step", weapon=weapon.id
            )
    if figure.plays(Pack.STRUCTURED_MAGIC):
        known = figure.sheet.casting.known
        for label, forget in (("Teach a spell …", False), ("Make a spell forgotten …", True)):
            listed = figure.module.spells[:MOST_SPELLS]
            spells = named(one for one in listed if (one.id in known) is forget)
            yield from offering.menu(ActGroup.GIVE, "teach", label, "spell", spells, forget=forget)
    told = (
        TextField(key="name", prompt="Its name", longest=60),
        TextField(key="about", prompt="What it does", longest=300, is_required=False),
        TextField(key="of", prompt="Skill or attribute of its bonus", longest=60, is_required=False),
    )
    adjusts = {"kind": "Kind", "value": "Bonus or penalty", "on": "Kind of roll", "cost": "Character points"}
    label = "Make up a trait for them …"
    yield offering.act(ActGroup.GIVE, "give_trait", label, blanks=told, adjusts=adjusts)


def _rulings(scene: Scene, figure: Stats, offering: Offering) -> Iterator[Act]:
    sheet = scene.actor.sheet
    yield offering.act(ActGroup.GM, "stand", "Make their rolls final")
    if scene.actor.owner is not None and figure.lucky_breaks:
        reason = (TextField(key="reason", prompt="What it is for", longest=200, is_required=False),)
        label = "Offer a way out for a Lucky Break …"
        yield offering.act(ActGroup.GM, "lose_break", label, blanks=reason)
    if sheet.lucky_breaks_lost:
        counts = numbers(range(1, sheet.lucky_breaks_lost + 1))
        label = "Restore lost Lucky Breaks …"
        yield offering.act(ActGroup.GM, "restore_break", label, choices=counts, chosen="count")
    if figure.plays(Pack.DAMAGE_SCALES):
        scales = [Choice(one.value, one.value.capitalize()) for one in Scale if one is not sheet.scale]
        label = f"Change the damage scale … ({sheet.scale})"
        yield from offering.menu(ActGroup.GM, "scale", label, "scale", scales)
    if sheet.class_id:
        classes = [
            Choice(one.name, one.name[:100]) for one in figure.module.classes if one.id != sheet.class_id
        ]
        label = "Change the class …"
        yield from offering.menu(ActGroup.GM, "change_class", label, "class_name", classes)
