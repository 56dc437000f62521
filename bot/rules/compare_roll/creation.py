"""The wizard: personal details, stats by points (or rolled later), sixteen skill points, custom skills."""

from collections.abc import Iterator

from bot.rules.compare_roll.catalogue import category_named, find_item, find_weapon, skill_names
from bot.rules.compare_roll.sheet import (
    LEAST_STAT,
    MOST_SKILL,
    MOST_STAT,
    STARTING_SKILL_POINTS,
    Belonging,
    Carried,
    CompareSettings,
    CompareSheet,
    CustomSkill,
    Foe,
    Method,
    SkillScore,
)
from bot.rules.compare_roll.tables import (
    CATEGORIES,
    DATA,
    ITEMS,
    LEVEL_NAMES,
    STAT_NAMES,
    WEAPONS,
    Stat,
    stat_bonus,
)
from bot.rules.kernel import (
    Beginner,
    Choice,
    Creation,
    Draft,
    Excess,
    Problem,
    Question,
    Step,
    TextField,
    beyond_new,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, same_name, signed

PERSONAL = ("age", "sex", "gender")
OWN_BLANKS = 4
PICKS_A_PAGE = 4
MOST_PICKED = 16


def total_stats(settings: CompareSettings) -> int:
    """The sum of the six scores when made by points. [CMP-STAT-05 (CMP-R17)]"""
    return settings.stat_points + settings.stat_points_base * len(Stat)


def creation_steps(draft: Draft, settings: CompareSettings) -> tuple[Step, ...]:
    """The pages of the wizard for a draft.

    [CMP-CHAR-06, CMP-STAT-04, CMP-STAT-05, CMP-SKILL-02, CMP-SKILL-05]
    """
    person = Step(
        key="person",
        title="Who",
        text="You can leave age, sex and gender empty.",
        picks=(
            Question(
                key="method",
                prompt="How do you make your stats?",
                choices=(
                    Choice("points", "By points", f"{settings.stat_points} points for six stats"),
                    Choice("rolled", "Rolled", "2d6 six times at the table, placed as you like"),
                ),
                usual="points",
            ),
        ),
        blanks=tuple(
            TextField(key=key, prompt=key.capitalize(), longest=60, is_required=False) for key in PERSONAL
        ),
    )
    stats = _stat_steps(draft, settings) if _method(draft) is Method.POINTS else ()
    return (person, *stats, *_skill_steps(draft, settings), *_level_steps(draft, settings), _own_step())


def _left(points: int) -> str:
    """Points left to spend, or spent too many: "5 left", "1 over"."""
    return f"{points} left" if points >= 0 else f"{-points} over"


def _method(draft: Draft) -> Method:
    return Method.ROLLED if draft.get("method") == ("rolled",) else Method.POINTS


def _stat_steps(draft: Draft, settings: CompareSettings) -> tuple[Step, ...]:
    left = total_stats(settings) - sum(_stats(draft).values())
    choices = tuple(
        Choice(str(score), str(score), f"bonus {signed(stat_bonus(score))}")
        for score in range(LEAST_STAT, MOST_STAT + 1)
    )
    pages = ((Stat.STR, Stat.AGI, Stat.INT), (Stat.EDU, Stat.INF, Stat.LCK))
    return tuple(
        Step(
            key=f"stats_{at}",
            title=f"Stats {at}",
            text=f"The scores must add up to {total_stats(settings)}: {_left(left)}. An unset stat is 1.",
            picks=tuple(
                Question(key=stat.value, prompt=STAT_NAMES[stat], choices=choices, least=0) for stat in page
            ),
        )
        for at, page in enumerate(pages, start=1)
    )


def _stats(draft: Draft) -> dict[Stat, int]:
    return {stat: _number(draft, stat.value, LEAST_STAT, MOST_STAT) for stat in Stat}


def _number(draft: Draft, key: str, least: int, most: int) -> int:
    typed = "".join(draft.get(key, ()))
    return int(typed) if typed.isdecimal() and least <= int(typed) <= most else least


def _skill_steps(draft: Draft, settings: CompareSettings) -> tuple[Step, ...]:
    names = tuple(CATEGORIES)
    left = STARTING_SKILL_POINTS - _spent(draft, settings)
    return tuple(
        Step(
            key=f"skills_{at}",
            title=f"Skills {at}",
            text=f"{STARTING_SKILL_POINTS} skill points: {_left(left)}. Choose skills; levels come next.",
            picks=tuple(_category_pick(category, settings) for category in names[4 * (at - 1) : 4 * at]),
        )
        for at in (1, 2)
    )


def _category_pick(category: str, settings: CompareSettings) -> Question:
    names = [name for of, name in skill_names(settings) if of == category][:25]
    return Question(
        key=f"in_{category}",
        prompt=f"{category} ({CATEGORIES[category].stat})",
        choices=tuple(Choice(name, name) for name in names),
        least=0,
        most=len(names),
    )


def _picked(draft: Draft, settings: CompareSettings) -> list[tuple[str, str]]:
    """Category and name of the skills chosen so far."""
    return [(of, name) for of, name in skill_names(settings) if name in draft.get(f"in_{of}", ())]


def _level_key(category: str, name: str) -> str:
    return f"{category}/{name}"


def _levels(draft: Draft, settings: CompareSettings) -> dict[tuple[str, str], int]:
    picked = _picked(draft, settings)
    return {(of, name): _number(draft, _level_key(of, name), 1, MOST_SKILL) for of, name in picked}


def _level_steps(draft: Draft, settings: CompareSettings) -> tuple[Step, ...]:
    picked = _picked(draft, settings)[:MOST_PICKED]
    choices = tuple(
        Choice(str(level), f"{level} · {LEVEL_NAMES[level]}", f"+{level}")
        for level in range(1, MOST_SKILL + 1)
    )
    left = STARTING_SKILL_POINTS - _spent(draft, settings)
    pages = [picked[at : at + PICKS_A_PAGE] for at in range(0, len(picked), PICKS_A_PAGE)]
    return tuple(
        Step(
            key=f"levels_{at}",
            title=f"Levels {at}",
            text=f"{STARTING_SKILL_POINTS} skill points: {_left(left)}. An unset skill is at level 1.",
            picks=tuple(
                Question(key=_level_key(of, name), prompt=f"{name} ({of})", choices=choices, least=0)
                for of, name in page
            ),
        )
        for at, page in enumerate(pages, start=1)
    )


def _own_step() -> Step:
    return Step(
        key="own",
        title="Custom skills",
        text="Skills not on the list, at the same cost, for example “Technical: Robotics 2”. "
        "The GM must approve them before you can roll them.",
        blanks=tuple(
            TextField(key=f"own_{at}", prompt=f"Skill {at}", longest=80, is_required=False)
            for at in range(1, OWN_BLANKS + 1)
        ),
    )


def read_own(text: str) -> CustomSkill:
    """Read a custom skill written as "Category: Name level".

    Raises:
        UserError: If it cannot be read.
    """
    category, colon, rest = text.partition(":")
    name, _, level = rest.strip().rpartition(" ")
    if not colon or not name.strip() or not level.isdecimal() or int(level) > MOST_SKILL or len(name) > 40:
        raise UserError(
            f"“{text.strip()}” can't be read.",
            "Write a category, a name and a level up to 5, for example Technical: Robotics 2.",
        )
    return CustomSkill(category=category_named(category), name=name, level=int(level))


def _owns(draft: Draft) -> Iterator[CustomSkill | Problem]:
    for at in range(1, OWN_BLANKS + 1):
        text = "".join(draft.get(f"own_{at}", ())).strip()
        if text:
            try:
                yield read_own(text)
            except UserError as error:
                yield Problem("own", " ".join(error.sentences))


def _customs(draft: Draft) -> tuple[CustomSkill, ...]:
    return tuple(one for one in _owns(draft) if isinstance(one, CustomSkill))


def _spent(draft: Draft, settings: CompareSettings) -> int:
    return sum(_levels(draft, settings).values()) + sum(one.level for one in _customs(draft))


def creation_problems(draft: Draft, settings: CompareSettings) -> tuple[Problem, ...]:
    """Everything missing or not allowed in a draft, in the order of the steps.

    [CMP-CHAR-06, CMP-STAT-05, CMP-SKILL-02, CMP-SKILL-05]
    """
    return tuple(_problems(draft, settings))


def _problems(draft: Draft, settings: CompareSettings) -> Iterator[Problem]:
    if _method(draft) is Method.POINTS:
        yield from stat_problems(tuple(_stats(draft).values()), settings)
    if len(_picked(draft, settings)) > MOST_PICKED:
        yield Problem("skills_2", f"Remove some skills: you can buy {MOST_PICKED} at most.")
    over = _spent(draft, settings) - STARTING_SKILL_POINTS
    if over > 0:
        yield Problem(
            "skills_2",
            f"Lower a skill: {counted(over, 'skill point')} over {STARTING_SKILL_POINTS}.",
        )
    yield from (one for one in _owns(draft) if isinstance(one, Problem))
    for one in _customs(draft):
        known = (name for of, name in skill_names(settings) if of == one.category)
        if any(same_name(one.name, name) for name in known):
            yield Problem("own", f"Rename {one.name}: {one.category} already has that skill.")
    made = _customs(draft)
    if len({(one.category, one.name.casefold()) for one in made}) < len(made):
        yield Problem("own", "Remove a custom skill: one is listed twice.")


def stat_problems(scores: tuple[int, ...], settings: CompareSettings) -> Iterator[Problem]:
    """The problems of six scores made by points. [CMP-STAT-05 (CMP-R17), CMP-STAT-02]"""
    if not all(LEAST_STAT <= score <= MOST_STAT for score in scores):
        yield Problem("stats_1", f"Each score must be from {LEAST_STAT} to {MOST_STAT}.")
    left = total_stats(settings) - sum(scores)
    if left:
        what = f"Add {counted(left, 'point')}" if left > 0 else f"Take {counted(-left, 'point')} away"
        yield Problem("stats_2", f"{what}: the six scores must add up to {total_stats(settings)}.")


def build_sheet(draft: Draft, settings: CompareSettings) -> CompareSheet:
    """Build the sheet of a draft without problems.

    [CMP-CHAR-01 (CMP-R11), CMP-CHAR-06, CMP-SKILL-02 (CMP-R18)]
    """
    method = _method(draft)
    is_rolled = method is Method.ROLLED
    levels = _levels(draft, settings)
    skills = tuple(SkillScore(category=of, name=name, level=level) for (of, name), level in levels.items())
    return CompareSheet(
        age="".join(draft.get("age", ())),
        sex="".join(draft.get("sex", ())),
        gender="".join(draft.get("gender", ())),
        stats=dict.fromkeys(Stat, LEAST_STAT) if is_rolled else _stats(draft),
        method=method,
        unset=tuple(Stat) if is_rolled else (),
        is_draft=is_rolled,
        skills=skills,
        customs=_customs(draft),
        skill_points=STARTING_SKILL_POINTS - _spent(draft, settings),
    )


def plain_sheet() -> CompareSheet:
    """The sheet of a new opponent: 10 HP, no Fortitude, bare hands. [CMP-COM-12]"""
    return CompareSheet(stats=dict.fromkeys(Stat, 5), skill_points=0, has_rolled_assets=True, foe=Foe())


def _ready_made(draft: Draft) -> CompareSheet:
    """A ready-made character with its gear, each weapon loaded."""
    carried = draft.get("weapons", ())
    return build_sheet(draft, CompareSettings()).changed(
        weapons=tuple(
            Carried(name=weapon.name, shots=weapon.reload or 0)
            for weapon in WEAPONS
            if weapon.name in carried
        ),
        items=tuple(Belonging(name=name) for name in draft.get("items", ())),
    )


EVEN_LEVEL = 3  # to which skills are raised before others are added


def unspent(draft: Draft, settings: CompareSettings, step: str | None) -> str:
    """What is left to spend on a page or in all, in words. [CMP-STAT-05, CMP-SKILL-02]"""
    if step is not None and step.startswith("stats_"):
        left, what = total_stats(settings) - sum(_stats(draft).values()), "point"
    elif step is None or step.startswith(("skills_", "levels_")):
        left, what = STARTING_SKILL_POINTS - _spent(draft, settings), "skill point"
    else:
        return ""
    return counted(left, what) if left > 0 else ""


def spend(draft: Draft, settings: CompareSettings, step: str) -> Draft:
    """Spend what is left: stats evenly, points on the skills chosen, then on those of the best stats."""
    if step.startswith("stats_"):
        return _with_stats(draft, settings)
    return _with_skills(draft, settings) if step.startswith(("skills_", "levels_")) else draft


def _with_stats(draft: Draft, settings: CompareSettings) -> Draft:
    """The draft with the points left on the stats, each time on the lowest."""
    stats = _stats(draft)
    for _point in range(total_stats(settings) - sum(stats.values())):
        lowest = min(stats, key=lambda stat: (bool(draft.get(stat.value)), stats[stat]))
        if stats[lowest] >= MOST_STAT:
            lowest = min(stats, key=lambda stat: stats[stat])
        stats[lowest] += stats[lowest] < MOST_STAT
    return {**draft, **{stat.value: (str(score),) for stat, score in stats.items()}}


def _spread(draft: Draft, settings: CompareSettings) -> list[tuple[str, str]]:
    """Every listed skill: one of each category, those of the best stats first, then another of each."""
    stats, places = _stats(draft), dict.fromkeys(CATEGORIES, 0)
    ranked = {}
    for of, name in dict.fromkeys(skill_names(settings)):
        ranked[of, name] = places[of], -stats[CATEGORIES[of].stat]
        places[of] += 1
    return sorted(ranked, key=lambda one: ranked[one])


def _with_skills(draft: Draft, settings: CompareSettings) -> Draft:
    """The draft with the skill points left on skills."""
    left, levels = STARTING_SKILL_POINTS - _spent(draft, settings), _levels(draft, settings)
    others = [one for one in _spread(draft, settings) if one not in levels]
    for most in (EVEN_LEVEL, MOST_SKILL):
        for one in (*list(levels), *others):
            is_new = one not in levels
            if left <= 0 or (is_new and len(levels) >= MOST_PICKED):
                continue
            more = min(left, most - levels.get(one, 0))
            if more > 0:
                levels[one], left = levels.get(one, 0) + more, left - more
    picked = {f"in_{of}": tuple(name for of_, name in levels if of_ == of) for of, _name in levels}
    return {**draft, **picked, **{_level_key(*one): (str(level),) for one, level in levels.items()}}


MOST_TOLD = 3  # things that a character is good at


def good_at(sheet: CompareSheet, _settings: CompareSettings) -> str:
    """The best skills of a character."""
    best = sorted(sheet.skills, key=lambda one: -one.level)[:MOST_TOLD]
    return ", ".join(one.name for one in best)


CREATION = Creation(
    steps=creation_steps,
    varies=True,
    problems=creation_problems,
    build=build_sheet,
    npc=plain_sheet,
    ready_made={name: _ready_made(draft) for name, draft in DATA.ready_made().items()},
    unspent=unspent,
    spend=spend,
    good_at=good_at,
)


JUDGED = {
    *("age", "sex", "gender", "stats", "method", "rolled", "unset", "is_draft", "has_rolled_assets"),
    *("skills", "customs", "skill_points", "ft_lost", "status", "downed_by", "door"),
}
GEAR = {"weapons", "items"}


def module_problems(sheet: CompareSheet, settings: CompareSettings) -> tuple[Problem, ...]:
    """Names on a sheet that are neither on the shipped lists nor on the campaign's.

    [CMP-SKILL-01, CMP-SKILL-05]
    """
    return tuple(_module_problems(sheet, settings))


def _module_problems(sheet: CompareSheet, settings: CompareSettings) -> Iterator[Problem]:
    for own in (*sheet.skills, *sheet.customs):
        if own.category not in CATEGORIES:
            known = tuple(CATEGORIES)
            yield Problem("skills", f"There is no category “{own.category}”.", own.category, known)
    for score in sheet.skills:
        names = tuple(name for of, name in skill_names(settings) if of == score.category)
        if score.category in CATEGORIES and score.name not in names:
            what = f"There is no skill “{score.name}” in {score.category}."
            yield Problem("skills", what, score.name, names)
    weapons = tuple(row.name for row in (*settings.weapons, *WEAPONS))
    items = (*(row.name for row in (*settings.items, *ITEMS)), *weapons)
    for weapon in sheet.weapons:
        if find_weapon(settings, weapon.name) is None:
            yield Problem("weapons", f"There is no weapon “{weapon.name}”.", weapon.name, weapons)
    for name in (*(item.name for item in sheet.items), *((sheet.armour,) if sheet.armour else ())):
        if find_item(settings, name) is None and find_weapon(settings, name) is None:
            yield Problem("items", f"There is no item “{name}”.", name, items)


def excess(sheet: CompareSheet, settings: CompareSettings) -> Iterator[Excess]:
    """Everything above a beginner's limits: stat and skill points, and a ready-made character's gear at most.

    [CMP-STAT-05, CMP-SKILL-02, CMP-SKILL-05]
    """
    stats = sum(sheet.stats.values())
    if stats > total_stats(settings):
        yield Excess("Stat total", stats, total_stats(settings))
    points = sheet.skill_points + sum(own.level for own in (*sheet.skills, *sheet.customs))
    if points > STARTING_SKILL_POINTS:
        yield Excess("Skill points", points, STARTING_SKILL_POINTS)
    if approved := sum(own.is_approved for own in sheet.customs):
        yield Excess("Approved custom skills", approved)
    brought = CREATION.ready_made.values()
    is_ready_made = any(
        (one.weapons, one.items) == (sheet.weapons, sheet.items) and not sheet.armour for one in brought
    )
    yield from beyond_new(sheet, JUDGED | GEAR if is_ready_made else JUDGED)


def brought(sheet: CompareSheet) -> CompareSheet:
    """Return an imported sheet without its reference to another campaign's character."""
    return sheet.changed(downed_by=None)


BEGINNER = Beginner(excess=excess, brought=brought)
