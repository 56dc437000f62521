"""The character sheet as text and picture: rows of circles, as in the book."""

from collections.abc import Iterator, Sequence

from bot.rules.kernel import Gauge, Glance, Naming, NamingLine, RequestableCheck, Section
from bot.rules.kernel.outcome import counted, shown_number
from bot.rules.swim_class.gear import gear_lines, light_of
from bot.rules.swim_class.growth import COMPOSURE, PURSE, SCRATCHES, coins, state_of, wounds_key
from bot.rules.swim_class.movement import load_of, pounds_words
from bot.rules.swim_class.rolling import HARDEST, Task
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    Character,
    Skillbook,
    States,
    SwimSettings,
    SwimSheet,
    book_of,
    is_special,
    parent_of,
)
from bot.rules.swim_class.tables import KINDS, PRESETS, Pool, SkillKey, SwimAttack, SwimGroup

PIPS = 10
FILLED, EMPTY = "●", "○"
PRINTED = (
    "basic_melee",
    "basic_ranged",
    "throw",
    "brawn",
    "walk",
    "swim",
    "climb",
    "jump",
    "craft",
    "spot",
    "stealth",
    "tracking",
    "finesse",
)
FORMS = ("life", "wind", "water", "fire", "earth", "death")


def pips(number: int) -> str:
    """A track of ten circles, with the number if it is higher. [SWIM-SHEET-02 (SWIM-R27)]"""
    filled = max(0, min(PIPS, number))
    more = f" ({number})" if number > PIPS else ""
    return f"{FILLED * filled}{EMPTY * (PIPS - filled)}{more}"


def describe(character: Character, settings: SwimSettings) -> tuple[Section, ...]:
    """The sheet in the book's order: tracks, skills, write-ins, magic, gear and current states.

    [SWIM-SHEET-01 to SWIM-SHEET-04]
    """
    sheet, book = character.sheet, book_of(settings)
    tracks = tuple(_tracks(character, book))
    sections = (
        Section("Composure and Defense", tracks, pictured=tracks),
        Section("Skills", tuple(_row(book, sheet, key) for key in PRINTED)),
        Section("More skills", tuple(_row(book, sheet, key) for key in write_ins(book, sheet))),
        Section("Magic", tuple(_magic(book, sheet))),
        Section("Gear", tuple(_gear(character, settings))),
        Section("Traits and states", tuple(state_lines(character)), tuple(_about_others(character))),
    )
    return tuple(section for section in sections if section.lines or section.naming)


def _row(book: Skillbook, sheet: SwimSheet, key: SkillKey) -> str:
    return f"{pips(book.rank(sheet.ranks, key))} {book.title(key)}"


def _tracks(character: Character, book: Skillbook) -> Iterator[str]:
    """What is left, in words: the picture shows it as pips. [SWIM-SHEET-04]"""
    ranks, scratches = character.sheet.ranks, character.left(SCRATCHES)
    yield _track(book.title(COMPOSURE), book.rank(ranks, COMPOSURE), scratches, ("scratch", "scratches"))
    for pool in Pool:
        rank, wounds = book.rank(ranks, pool.defence), character.left(wounds_key(pool))
        yield _track(book.title(pool.defence), rank, wounds, ("wound", "wounds"))


def _track(title: str, rank: int, harm: int, words: tuple[str, str]) -> str:
    harmed = f" · {counted(harm, *words)}" if harm else ""
    return f"{title} · {shown_number(rank - harm)}/{rank} left{harmed}"


def write_ins(book: Skillbook, sheet: SwimSheet) -> tuple[SkillKey, ...]:
    """The character's skills without a printed row, including the campaign's own.

    [SWIM-SHEET-03 (SWIM-R111)]
    """
    printed = {*PRINTED, *FORMS, COMPOSURE, *(pool.defence for pool in Pool)}
    plain = [
        key
        for key, skill in book.skills.items()
        if key not in printed and (book.rank(sheet.ranks, key) > 0 or skill.group is SwimGroup.CUSTOM)
    ]
    return (*plain, *(key for key in sheet.ranks if is_special(key) and book.knows(key)))


def _magic(book: Skillbook, sheet: SwimSheet) -> Iterator[str]:
    for form in FORMS:
        artifact = any(item.is_equipped and item.dice_for(form) for item in sheet.items)
        locked = "by artifact" if artifact else "locked"
        rank = book.rank(sheet.ranks, form)
        yield f"{pips(rank)} {book.title(form)}{'' if rank else f' · {locked}'}"


def _gear(character: Character, settings: SwimSettings) -> Iterator[str]:
    sheet = character.sheet
    yield from gear_lines(sheet)
    purse = coins(character.left(PURSE), settings)
    yield f"Purse {purse} · carries {pounds_words(load_of(character))}"


def state_lines(character: Character) -> Iterator[str]:
    """Kind, traits and current states."""
    sheet = character.sheet
    states = sheet.states
    if sheet.kind:
        yield KINDS[sheet.kind].name if sheet.kind in KINDS else sheet.kind
    yield from (f"{trait.name} {held.degree}" for trait, held in sheet.known_traits)
    if sheet.is_dead:
        yield "Dead"
    yield from _conditions(states)
    yield from (tag.capitalize() for tag in sheet.tags)
    yield from (f"Broken ({pool.value})" for pool in sheet.broken)
    yield from (f"Stable ({pool.value})" for pool in sheet.stable)
    if light := light_of(sheet):
        yield f"Light: {counted(light, 'square', 'squares')}"
    yield from _reserve(states)


def temporary_states(character: Character) -> Iterator[str]:
    """The states that end with the scene, in words."""
    states = character.sheet.states
    yield from (word.lower() for word in _conditions(states))
    towards = (
        (states.held_by is not None, "held"),
        (states.stunned_by is not None, "stunned"),
        (bool(states.hidden_from), "hidden from some"),
    )
    yield from (word for is_so, word in towards if is_so)
    if states.light:
        yield f"light: {counted(states.light, 'square', 'squares')}"
    yield from (word.lower() for word in _reserve(states))


def _conditions(states: States) -> Iterator[str]:
    named = (
        (states.is_prone, "Prone"),
        (states.is_soaked, "Soaked"),
        (states.is_hovering, "Hovering"),
    )
    yield from (word for is_so, word in named if is_so)


def _reserve(states: States) -> Iterator[str]:
    if states.reserve is not None:
        yield f"In reserve: {states.reserve.skill.replace('_', ' ')}"


def _about_others(character: Character) -> Iterator[NamingLine]:
    """States that name others: held by, stunned by, hidden from."""
    states = character.sheet.states
    if states.held_by is not None:
        yield NamingLine("Held by", (states.held_by,))
    if states.stunned_by is not None:
        yield NamingLine("Stunned by", (states.stunned_by,))
    if states.hidden_from:
        yield NamingLine("Hidden from", states.hidden_from)


def glance(character: Character, settings: SwimSettings) -> Glance:
    """What is left of Composure and of each Defense, and who is down. [SWIM-SHEET-02, SWIM-COMB-07]"""
    sheet, book = character.sheet, book_of(settings)
    composure = book.rank(sheet.ranks, COMPOSURE)
    gauges = [Gauge.of("Composure", composure - character.left(SCRATCHES), composure)]
    for pool in Pool:
        rank = book.rank(sheet.ranks, pool.defence)
        gauges.append(Gauge.of(pool.value.capitalize(), rank - character.left(wounds_key(pool)), rank))
    states = (
        *filter(None, (state_of(character, settings),)),
        *(f"broken ({pool.value})" for pool in sheet.broken),
        *temporary_states(character),
    )
    return Glance(tuple(gauges), tuple(f"{one[:1].upper()}{one[1:]}" for one in states))


def skill_names(character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """Every skill of the campaign, the character's specialisations first."""
    book = book_of(settings)
    return [*_specialisations(character, book), *(skill.name for skill in book.skills.values())]


def _specialisations(character: Character | None, book: Skillbook) -> list[str]:
    ranks = () if character is None else character.sheet.ranks
    return [book.typed(key) for key in ranks if is_special(key) and book.knows(key)]


def rollable_names(character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """The skills a character has dice for; without a character, all that can be rolled.

    [SWIM-TASK-01, SWIM-SKILL-07, SWIM-IMPL-04]
    """
    book = book_of(settings)
    if character is None:
        return [skill.name for skill in book.skills.values() if skill.key != COMPOSURE]
    sheet = character.sheet
    special = [key for key in sheet.ranks if is_special(key) and book.knows(key)]
    keys = [*special, *(key for key in book.skills if key != COMPOSURE)]
    lent = {item.dice_skill for item in sheet.items if item.is_equipped and item.bonus_dice}
    return [book.typed(key) for key in keys if book.rank(sheet.ranks, key) > 0 or parent_of(key) in lent]


def attack_names(character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """The attack skills."""
    book = book_of(settings)
    special = [name for name in _specialisations(character, book) if book.definition(book.find(name)).attacks]
    return [*(skill.name for skill in book.skills.values() if skill.attacks), *special]


def hiding_names(_character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """The stealth skills, the book's and the campaign's own."""
    return [skill.name for skill in book_of(settings).skills.values() if skill.attack is SwimAttack.STEALTH]


def item_names(_character: Character | None, settings: SwimSettings) -> Sequence[str]:
    """The items that the shop sells."""
    return [item.name for item in CATALOGUE.values() if settings.artifacts_for_sale or not item.is_quest_only]


def every_item(_character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """Every item of the price list."""
    return list(CATALOGUE)


def own_items(character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """The character's items."""
    return [] if character is None else [item.name for item in character.sheet.items]


def lying_items(character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """The character's thrown items."""
    return [] if character is None else [item.name for item in character.sheet.lying]


def preset_names(_character: Character | None, _settings: SwimSettings) -> Sequence[str]:
    """The book's combatants."""
    return list(PRESETS)


def _work_name(task: Task) -> str | None:
    return None if task.material is not None else task.name


def _craft_name(task: Task) -> str | None:
    return None if task.material is None else task.name


NAMED = {
    "task": Naming(document="task", name=_work_name, owner=lambda task: task.owner),
    "unfinished": Naming(document="task", name=_craft_name, owner=lambda task: task.owner),
}
SUGGESTION_LISTS = {
    "skill": skill_names,
    "rollable": rollable_names,
    "attack": attack_names,
    "hiding": hiding_names,
    "item": item_names,
    "every_item": every_item,
    "own_item": own_items,
    "lying": lying_items,
    "preset": preset_names,
}


ASKS = (
    RequestableCheck(
        procedure="roll",
        title="roll",
        what="skill",
        always={"anyway": True},  # the GM has chosen how hard it is
        difficulty="difficulty",
        names=rollable_names,
        difficulties=lambda _who, _settings: tuple(str(number) for number in range(1, HARDEST + 1)),
    ),
)
