"""The sheet in lines of text, what a character can do now, and suggestions while someone types."""

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from bot.rules.kernel import (
    Act,
    ActGroup,
    ActPart,
    Choice,
    Gauge,
    Glance,
    RequestableCheck,
    Section,
    TextField,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import shown_number, signed
from bot.rules.shared.offering import (
    act_of,
    can_gather,
    choices_among,
    first_id,
    foes_first,
    friends_first,
    gathering_acts,
    is_allowed,
    is_friend,
    leaving_acts,
    numbers,
)
from bot.rules.sword_and_swarm.encounter import FIGHTS
from bot.rules.sword_and_swarm.equipment import (
    PreferOptions,
    SwarmHandOptions,
    SwarmUseOptions,
    attribute_words,
    worth_words,
)
from bot.rules.sword_and_swarm.gm import LISTS
from bot.rules.sword_and_swarm.performing import (
    ObstacleOptions,
    OwnOptions,
    PendingReroll,
    ProficiencyOptions,
    SwarmCircumstances,
    VersusOptions,
    assert_may_test,
    difficulty_choices,
    own_trial,
    proficiency_trial,
    reroll_buttons,
)
from bot.rules.sword_and_swarm.sheet import (
    Benefit,
    BenefitKind,
    Character,
    Proficiency,
    Scene,
    SwarmSettings,
    SwarmSheet,
    actual,
    base_of,
    is_defeated,
    raised_words,
    risks_death,
    star_left,
)
from bot.rules.sword_and_swarm.tests import HIGHEST, SwarmAttribute, proficiency_modifier


def proficiencies(character: Character | None, settings: SwarmSettings) -> Sequence[str]:
    """The campaign's proficiencies, the character's own first."""
    own = [] if character is None else list(character.sheet.proficiencies)
    known = [one.name for one in settings.all_proficiencies]
    return [*(name for name in known if name in own), *(name for name in known if name not in own)]


def difficulties(_character: Character | None, _settings: SwarmSettings) -> Sequence[str]:
    """The book's difficulties of proficiency tests."""
    return difficulty_choices()


def obstacles(_character: Character | None, settings: SwarmSettings) -> Sequence[str]:
    """The campaign's obstacles."""
    return [one.name for one in settings.all_obstacles]


def benefits(character: Character | None, _settings: SwarmSettings) -> Sequence[str]:
    """The character's equipment and traits."""
    return [] if character is None else [benefit.name for benefit in character.sheet.benefits]


def equipment(_character: Character | None, settings: SwarmSettings) -> Sequence[str]:
    """The equipment on the campaign's list."""
    return [one.name for one in settings.all_equipment]


def added(_character: Character | None, settings: SwarmSettings) -> Sequence[str]:
    """Every entry the GM has added to the lists."""
    return [one.named(row) for one in LISTS for row in one.rows(settings)]


SUGGESTION_LISTS = {
    "proficiency": proficiencies,
    "difficulty": difficulties,
    "obstacle": obstacles,
    "benefit": benefits,
    "equipment": equipment,
    "added": added,
}


ASKS = (
    RequestableCheck(
        procedure="test",
        title="attribute test",
        what="attribute",
        names=lambda _who, _settings: tuple(SwarmAttribute),
    ),
    RequestableCheck(
        procedure="obstacle",
        title="obstacle test",
        what="obstacle",
        names=obstacles,
    ),
    RequestableCheck(
        procedure="proficiency",
        title="proficiency test",
        what="proficiency",
        difficulty="difficulty",
        needs_difficulty=True,
        names=proficiencies,
        difficulties=difficulties,
    ),
)


ADJUSTS = {"bonus": "Bonus or penalty", "advantage": "Advantage", "disadvantage": "Disadvantage"}
LIKELIEST_OBSTACLE = 3
MOST_OBSTACLES = 14
MOST_PROFICIENCIES, MOST_BENEFITS = 40, 20
PREFERENCES = (
    Choice("ask", "ask me each time"),
    Choice("auto", "re-roll automatically"),
    Choice("campaign", "as the campaign has it"),
)


def acts(scene: Scene) -> tuple[ActPart, ...]:
    """What the acting character can do now, the most used first in each group."""
    return (
        ActPart(partial(_rerolls, scene), ActGroup.CHECK),
        ActPart(partial(_tests, scene), ActGroup.CHECK, is_certain=True),
        ActPart(partial(_fight, scene), ActGroup.FIGHT, is_certain=can_gather(scene)),
        ActPart(partial(leaving_acts, FIGHTS, scene), ActGroup.FIGHT, is_sure=True),
        ActPart(partial(_benefits, scene), ActGroup.USE),
        ActPart(partial(_gifts, scene), ActGroup.USE),
        ActPart(partial(_preferences, scene), ActGroup.USE, is_certain=True),
    )


def _cant_test(scene: Scene) -> str:
    """Why the character can't make any test, or an empty text."""
    try:
        assert_may_test(scene, scene.actor, None, is_forced=False)
    except UserError as reason:
        return reason.what
    return ""


def _rerolls(scene: Scene) -> Iterator[Act]:
    """Failed tests of the character that can still be re-rolled. [SWARM-TEST-07, SWARM-PROF-08]"""
    for key, pending in scene.every(PendingReroll, "reroll"):
        if pending.character == scene.actor.id:
            for button in reroll_buttons(scene, key, pending):
                label = f"{button.label} ({pending.words})"[:80]
                yield Act(group=ActGroup.CHECK, do=replace(button, label=label, after_seconds=None))


# --- tests -------------------------------------------------------------------------------------


def _tests(scene: Scene) -> Iterator[Act]:
    """Proficiencies with ranks, own attributes, obstacles, and the other proficiencies.

    [SWARM-TEST-02, SWARM-TEST-04, SWARM-PROF-01, SWARM-PROF-09]
    """
    problem = _cant_test(scene)
    if problem:
        do = act_of(scene, "test", OwnOptions(attribute=SwarmAttribute.MALLET), "Test an attribute")
        yield Act(group=ActGroup.CHECK, do=do, why_not=problem)
        return
    found = sorted(_testable(scene), key=lambda one: -_added(scene, one))[:MOST_PROFICIENCIES]
    ranked = [one for one in found if scene.actor.sheet.ranks_in(one.name)]
    yield from (_proficiency(scene, one) for one in ranked)
    yield from _own_attributes(scene)
    yield _obstacle(scene)
    yield from (_proficiency(scene, one) for one in found if one not in ranked)


def _testable(scene: Scene) -> Iterator[Proficiency]:
    plain, difficulty = SwarmCircumstances(), difficulty_choices()[0]
    for one in scene.settings.all_proficiencies:
        if is_allowed(partial(proficiency_trial, scene, scene.actor, one.name, difficulty, plain)):
            yield one


def _added(scene: Scene, proficiency: Proficiency) -> int:
    """What a character adds to 2d6 for a proficiency."""
    sheet = scene.actor.sheet
    value = actual(sheet, proficiency.attribute, scene.settings)
    return proficiency_modifier(value) + sheet.ranks_in(proficiency.name)


def _proficiency(scene: Scene, proficiency: Proficiency) -> Act:
    names = difficulty_choices()
    options = ProficiencyOptions(proficiency=proficiency.name, difficulty=names[0])
    label = f"{proficiency.name} {signed(_added(scene, proficiency))} against …"
    choices = [Choice(name, name) for name in names]
    do = act_of(scene, "proficiency", options, label, choices=choices, chosen="difficulty")
    brief = f"{proficiency.name} …"
    return Act(group=ActGroup.CHECK, do=do, adjusts=ADJUSTS, has_chances=True, brief=brief)


def _own_attributes(scene: Scene) -> Iterator[Act]:
    actor, settings = scene.actor, scene.settings
    values = {one: actual(actor.sheet, one, settings) for one in SwarmAttribute}
    for attribute in sorted(SwarmAttribute, key=lambda one: -values[one]):
        if is_allowed(partial(own_trial, scene, actor, attribute, SwarmCircumstances())):
            label = f"Test {attribute} {attribute_words(attribute, values[attribute])}"
            do = act_of(scene, "test", OwnOptions(attribute=attribute), label)
            yield Act(group=ActGroup.CHECK, do=do, adjusts=ADJUSTS, brief=attribute)


def _obstacle(scene: Scene) -> Act:
    listed = scene.settings.all_obstacles[:MOST_OBSTACLES]
    named = sorted(listed, key=lambda one: one.difficulty)
    choices = [
        *(Choice(one.name, f"{one.name}, difficulty {one.difficulty}") for one in named),
        *(Choice(str(number), f"Difficulty {number}") for number in range(HIGHEST + 1)),
    ]
    options = ObstacleOptions(obstacle=listed[0].name if listed else str(LIKELIEST_OBSTACLE))
    do = act_of(scene, "obstacle", options, "Test an obstacle …", choices=choices, chosen="obstacle")
    return Act(group=ActGroup.CHECK, do=do, adjusts=ADJUSTS, has_chances=True)


# --- opponents, things and preferences ---------------------------------------------------------


def _fight(scene: Scene) -> Iterator[Act]:
    """Tests of opponents' attributes, and how to start and join a fight. [SWARM-TEST-03]"""
    targets = choices_among(foes_first(scene))
    if targets and not _cant_test(scene):
        for attribute in SwarmAttribute:
            options = VersusOptions(attribute=attribute, target=first_id(targets))
            label = f"Test {attribute} of an opponent …"
            do = act_of(scene, "versus", options, label, choices=targets, chosen="target")
            yield Act(group=ActGroup.FIGHT, do=do, adjusts=ADJUSTS)
    if not _cant_test(scene):
        fields = (
            TextField(key="attribute", prompt="Their attribute", choices=_named_attributes()),
            TextField(key="value", prompt="Its value", choices=numbers(range(HIGHEST + 1))),
        )
        options = VersusOptions(attribute=SwarmAttribute.SHIELD, value=LIKELIEST_OBSTACLE)
        do = act_of(scene, "versus", options, "Test someone without a sheet", blanks=fields)
        yield Act(group=ActGroup.FIGHT, do=do, adjusts=ADJUSTS)
    yield from gathering_acts(FIGHTS, scene)


def _named_attributes() -> tuple[Choice, ...]:
    return tuple(Choice(one, one) for one in SwarmAttribute)


def _benefits(scene: Scene) -> Iterator[Act]:
    """Equipment and traits to use, and those in use to put away. [SWARM-ATTR-03]"""
    benefits = sorted(scene.actor.sheet.benefits, key=lambda one: one.in_use)
    for one in benefits[:MOST_BENEFITS]:
        words = raised_words(one.name, one.raises)
        label = f"Stop using {words}" if one.in_use else f"Use {words}"
        options = SwarmUseOptions(name=one.name, in_use=not one.in_use)
        yield Act(group=ActGroup.USE, do=act_of(scene, "use", options, label))


def _gifts(scene: Scene) -> Iterator[Act]:
    """Handing equipment over. [SWARM-ATTR-03]"""
    things = [one.name for one in scene.actor.sheet.benefits if one.kind is BenefitKind.EQUIPMENT]
    friends = choices_among(one for one in friends_first(scene) if is_friend(scene, one))
    if things and friends:
        fields = (
            TextField(key="name", prompt="What", choices=tuple(Choice(one, one) for one in things[:25])),
            TextField(key="target", prompt="To whom", choices=friends),
        )
        options = SwarmHandOptions(name=things[0], target=first_id(friends))
        do = act_of(scene, "hand", options, "Hand equipment over", blanks=fields)
        yield Act(group=ActGroup.USE, do=do)


def _preferences(scene: Scene) -> Iterator[Act]:
    """Whether failures with advantage are re-rolled automatically. [SWARM-TEST-07, SWARM-PROF-08]"""
    for chosen in ("attribute", "proficiency"):
        do = act_of(
            scene,
            "prefer",
            PreferOptions.model_validate({chosen: "ask"}),
            f"Failed {chosen} tests with advantage …",
            choices=PREFERENCES,
            chosen=chosen,
        )
        yield Act(group=ActGroup.USE, do=do)


def describe(character: Character, settings: SwarmSettings) -> tuple[Section, ...]:
    """Attributes, state, proficiencies, equipment and traits in short lines.

    [SWARM-ATTR-01, SWARM-CONF-01, SWARM-PROF-05, SWARM-CHAR-01]
    """
    sheet = character.sheet
    sections = (
        Section("Class", (f"{sheet.class_name or 'no class'}, level {sheet.level}",)),
        Section(
            "Attributes · proficiencies",
            tuple(_attribute_line(sheet, one, settings) for one in SwarmAttribute),
        ),
        Section("State", _state_lines(sheet, settings)),
        Section("Proficiencies", _proficiency_lines(sheet, settings)),
        Section("Equipment", _benefit_lines(sheet, BenefitKind.EQUIPMENT)),
        Section("Traits", _benefit_lines(sheet, BenefitKind.TRAIT)),
    )
    return tuple(section for section in sections if section.lines)


def _attribute_line(sheet: SwarmSheet, attribute: SwarmAttribute, settings: SwarmSettings) -> str:
    base, value = base_of(sheet, attribute, settings), actual(sheet, attribute, settings)
    changes = [
        f"{signed(benefit.raise_of(attribute))} {benefit.name}"
        for benefit in sheet.in_use()
        if benefit.raise_of(attribute)
    ]
    if attribute is SwarmAttribute.BOOTS and sheet.encumbrance:
        changes.append(f"{signed(-sheet.encumbrance)} load")
    start = shown_number(base)
    if attribute is SwarmAttribute.STAR:
        start = f"{shown_number(star_left(sheet, settings))} of {base}"
    shown = attribute_words(attribute, value)
    number = f"{start} ({', '.join(changes)}) = {shown}" if changes else _plain(start, shown)
    added = signed(proficiency_modifier(value)) if value > 0 else worth_words(attribute, value)
    return f"{attribute} {number} · {added}"


def _plain(start: str, shown: str) -> str:
    """An attribute without changes: "7 (2)", or "4 of 8" for Star."""
    left, _, of = start.partition(" of ")
    return f"{shown} of {of}" if of and left != of else shown


def _state_lines(sheet: SwarmSheet, settings: SwarmSettings) -> tuple[str, ...]:
    lines = (
        "Defeated and demoralised: no tests" if is_defeated(sheet, settings) else "",
        "Risks death" if risks_death(sheet, settings) else "",
    )
    return tuple(line for line in lines if line)


def _proficiency_lines(sheet: SwarmSheet, settings: SwarmSettings) -> tuple[str, ...]:
    return tuple(_proficiency_line(sheet, name, settings) for name in sheet.proficiencies)


def _proficiency_line(sheet: SwarmSheet, name: str, settings: SwarmSettings) -> str:
    ranks, found = sheet.proficiencies[name], settings.find_proficiency(name)
    if found is None:
        return f"{name} {ranks} · not on this campaign's list"
    whole = ranks + proficiency_modifier(actual(sheet, found.attribute, settings))
    return f"{name} {ranks} ({found.attribute}) · 2d6 {signed(whole)}"


def _benefit_lines(sheet: SwarmSheet, kind: BenefitKind) -> tuple[str, ...]:
    return tuple(_benefit_line(benefit) for benefit in sheet.benefits if benefit.kind is kind)


def _benefit_line(benefit: Benefit) -> str:
    state = "" if benefit.in_use else "not in use"
    return " · ".join(
        part for part in (raised_words(benefit.name, benefit.raises), benefit.text, state) if part
    )


def glance(character: Character, settings: SwarmSettings) -> Glance:
    """Star and, of a foe, the other attributes that change in a fight: a hero's stand in the sheet's lines.

    [SWARM-ATTR-09 to SWARM-ATTR-11]
    """
    sheet = character.sheet
    star = Gauge.of("Star", star_left(sheet, settings), base_of(sheet, SwarmAttribute.STAR, settings))
    others = (SwarmAttribute.SHIELD, SwarmAttribute.BOOTS) if character.owner is None else ()
    numbers = (Gauge(str(one), shown_number(actual(sheet, one, settings))) for one in others)
    state = (
        "Risks death" if risks_death(sheet, settings) else "Defeated" if is_defeated(sheet, settings) else ""
    )
    return Glance((star, *numbers), (state,) if state else ())
