"""The character sheet as short lines of text."""

from collections.abc import Sequence

from bot.rules.compare_roll.carried_gear import NO_ARMOUR, things_of
from bot.rules.compare_roll.catalogue import armed, difficulties_of, find_item, own_skills, skill_names
from bot.rules.compare_roll.fortunes import (
    AMMUNITION,
    ASSETS,
    HIGH,
    MOST_HIGH,
    MOST_STRESS,
    STRESS,
    ft_max,
    ft_now,
    hp_now,
    movement,
    totals,
    wound_word,
)
from bot.rules.compare_roll.sheet import (
    Character,
    CompareSettings,
    CompareSheet,
    CompareStatus,
    CustomSkill,
    hp_max,
    status_of,
)
from bot.rules.compare_roll.tables import CATEGORIES, ITEMS, STAT_NAMES, WEAPONS, ItemKind, Stat
from bot.rules.kernel import Gauge, GaugeKind, Glance, RequestableCheck, Section
from bot.rules.kernel.outcome import counted, signed

NO_BREAK = "\N{NO-BREAK SPACE}"  # a score and its bonus stay on one line


def describe(character: Character, settings: CompareSettings) -> tuple[Section, ...]:
    """Details, stats, condition, skills and gear in short lines; for an opponent no numbers.

    [CMP-CHAR-01, CMP-FT-04, CMP-COM-12]
    """
    sheet = character.sheet
    if sheet.foe is not None:
        return (Section("Opponent", (wound_word(character), _weapon_line(sheet, settings))),)
    counts = (
        f"HP {hp_now(character)}/{hp_max(sheet)} · FT {ft_now(sheet, settings)}/{ft_max(sheet, settings)}",
        totals(character.resources),
    )
    texts = [f"{stat} {'?' if stat in sheet.unset else shown_stat(sheet, stat)}" for stat in STAT_NAMES]
    sections = (
        Section("Who", _person_lines(sheet)),
        Section("Stats", (" · ".join(texts),)),
        Section("Condition", (*counts, *_condition_lines(character, settings)), pictured=counts),
        Section("Skills", _skill_lines(character)),
        Section("Gear", _gear_lines(character, settings)),
    )
    return tuple(section for section in sections if section.lines)


def _person_lines(sheet: CompareSheet) -> tuple[str, ...]:
    parts = (("Age", sheet.age), ("Sex", sheet.sex), ("Gender", sheet.gender))
    known = " · ".join(f"{label} {text}" for label, text in parts if text)
    return (known,) if known else ()


def shown_stat(sheet: CompareSheet, stat: Stat) -> str:
    """A score with its bonus, if there is one: "12 (+1)". [CMP-CHAR-01]"""
    bonus = sheet.bonus(stat)
    return f"{sheet.stats[stat]}{NO_BREAK}({signed(bonus)})" if bonus else str(sheet.stats[stat])


def _condition_lines(character: Character, settings: CompareSettings) -> tuple[str, ...]:
    sheet = character.sheet
    states = {
        CompareStatus.DEAD: "Dead",
        CompareStatus.DYING: "At 0 HP: Death's Door or a Blaze of Glory",
        CompareStatus.STABLE: "Down, stable",
        CompareStatus.ACTIVE: "Not finished: use /compare create stats" if sheet.is_draft else "",
    }
    lines = (f"Movement {movement(sheet, settings)}", states[status_of(character)])
    return tuple(line for line in lines if line)


def _skill_lines(character: Character) -> tuple[str, ...]:
    """The skills of each category, with what its stat and Stress add to every roll of them."""
    sheet, stress, lines = character.sheet, character.left(STRESS), []
    for category, row in CATEGORIES.items():
        names, added = [], sheet.bonus(row.stat) - stress
        for one in (*sheet.skills, *sheet.customs):
            if one.category != category:
                continue
            custom = one if isinstance(one, CustomSkill) else None
            stat = row.stat if custom is None else custom.stat or row.stat
            total = one.level + sheet.bonus(stat) - stress
            more = f" (rolls {signed(total)})" if one.level and total != one.level + added else ""
            if custom is not None and not custom.is_approved:
                more = " (needs GM approval)"
            names.append(f"{one.name} {one.level}{more}")
        if names:
            each = f" ({signed(added)} each)" if added else ""
            lines.append(f"{category}{each}: {', '.join(names)}")
    banked = (("skill", sheet.skill_points), ("stat", sheet.stat_points))
    lines += [f"{counted(points, f'{what} point')} left" for what, points in banked if points]
    return tuple(lines)


def _weapon_line(sheet: CompareSheet, settings: CompareSettings) -> str:
    return " · ".join(
        f"{one.words}{f' L{one.level}' if one.level > 1 else ''}" for one in armed(sheet, settings)
    )


def _gear_lines(character: Character, settings: CompareSettings) -> tuple[str, ...]:
    sheet = character.sheet
    items = [
        f"{one.name}{f' × {one.count}' if one.count > 1 else ''}{f' on {one.channel}' if one.channel else ''}"
        for one in sheet.items
    ]
    counted = character.resources
    money = f"Assets {character.left(ASSETS)}"
    if not sheet.has_rolled_assets:
        money = "Assets not rolled yet"
    lines = (
        _weapon_line(sheet, settings),
        " · ".join(items),
        f"Wears {sheet.armour}" if sheet.armour else "",
        f"Ammunition {counted[AMMUNITION]}" if counted.get(AMMUNITION) else "",
        money,
    )
    return tuple(line for line in lines if line)


STATES = {
    CompareStatus.DEAD: ("Dead",),
    CompareStatus.DYING: ("At 0 HP",),
    CompareStatus.STABLE: ("Down, stable",),
    CompareStatus.ACTIVE: (),
}


def glance(character: Character, settings: CompareSettings) -> Glance:
    """HP, Fortitude, Stress and High; of an opponent also how hurt it looks. [CMP-FT-04, CMP-COM-12]"""
    sheet = character.sheet
    health = (
        Gauge.of("HP", hp_now(character), hp_max(sheet)),
        Gauge.of("FT", ft_now(sheet, settings), ft_max(sheet, settings)),
    )
    if sheet.foe is not None:
        return Glance(health, (wound_word(character).capitalize(),))
    gauges = (
        *health,
        Gauge.of("Stress", character.left(STRESS), MOST_STRESS, GaugeKind.HARM),
        Gauge.of("High", character.left(HIGH), MOST_HIGH, GaugeKind.POINTS),
    )
    return Glance(gauges, STATES[status_of(character)])


def skills(character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """Skills with their categories, the character's own first. [CMP-SKILL-04]"""
    if character is None:
        return [f"{category}/{name}" for category, name in skill_names(settings)]
    found = sorted(own_skills(character.sheet, settings), key=lambda one: not one.level)
    return [one.key for one in found]


def categories(_character: Character | None, _settings: CompareSettings) -> Sequence[str]:
    """The eight categories."""
    return tuple(CATEGORIES)


def difficulties(_character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """The difficulties by name."""
    return [row.name for row in difficulties_of(settings)]


def weapons(character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """The weapons a character can attack with."""
    return () if character is None else [one.weapon.name for one in armed(character.sheet, settings)]


def _owned(character: Character | None, settings: CompareSettings, kind: ItemKind) -> Sequence[str]:
    if character is None:
        return ()
    names = [one.name for one in character.sheet.items]
    return [name for name in names if (found := find_item(settings, name)) and found.kind is kind]


def remedies(character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """The remedies a character carries."""
    return _owned(character, settings, ItemKind.REMEDY)


def armours(character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """The suits a character carries, and "none" if one is worn."""
    is_worn = character is not None and bool(character.sheet.armour)
    return [*_owned(character, settings, ItemKind.ARMOUR), *((NO_ARMOUR,) if is_worn else ())]


def things(_character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """Everything a GM can hand out."""
    items = (row.name for row in (*settings.items, *ITEMS))
    return [*all_weapons(_character, settings), *items]


def belongings(character: Character | None, _settings: CompareSettings) -> Sequence[str]:
    """Everything a character can hand over."""
    return () if character is None else [name for name, _have in things_of(character)]


def all_weapons(_character: Character | None, settings: CompareSettings) -> Sequence[str]:
    """Every weapon."""
    return [row.name for row in (*settings.weapons, *WEAPONS)]


SUGGESTION_LISTS = {
    "skill": skills,
    "category": categories,
    "difficulty": difficulties,
    "weapon": weapons,
    "remedy": remedies,
    "armour": armours,
    "thing": things,
    "belonging": belongings,
    "any_weapon": all_weapons,
}


ASKS = (
    RequestableCheck(
        procedure="check",
        title="skill check",
        what="skill",
        difficulty="difficulty",
        names=skills,
        difficulties=difficulties,
    ),
    RequestableCheck(
        procedure="luck",
        title="Luck check",
        difficulty="difficulty",
        difficulties=difficulties,
    ),
)
