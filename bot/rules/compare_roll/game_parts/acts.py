"""What a character can do now besides its fights and gear, for the controls of its sheet."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from bot.rules.compare_roll.character.catalogue import (
    CompareSkill,
    Difficulty,
    default_difficulty,
    difficulties_of,
    own_skills,
)
from bot.rules.compare_roll.character.fortunes import (
    HIGH,
    REST_ROLLS,
    STRESS,
    BlazeOptions,
    death_choice,
    hp_now,
)
from bot.rules.compare_roll.character.sheet import (
    MOST_SKILL,
    MOST_STAT,
    CompareStatus,
    Scene,
    assert_can_act,
    hp_max,
    status_of,
)
from bot.rules.compare_roll.checks.deaths_door import door_buttons
from bot.rules.compare_roll.checks.open_checks import (
    CompareCheckOptions,
    CompareLuckOptions,
    CompareStanding,
    check_terms,
)
from bot.rules.compare_roll.checks.opening import BurnOptions, find_open, open_buttons
from bot.rules.compare_roll.checks.rests import LONG_REST_HOURS, CompareRest
from bot.rules.compare_roll.combat.commands.turns import FIGHTS
from bot.rules.compare_roll.combat.state.encounter import find_encounter, find_fighter
from bot.rules.compare_roll.creation.making import (
    CompareMakeOptions,
    CompareProposeOptions,
    RaiseOptions,
    SpendOptions,
    finish_buttons,
    place_menu,
)
from bot.rules.compare_roll.game_parts.fight_acts import (
    burning,
    comms_acts,
    fight_acts,
    money_acts,
    talk_acts,
    thing_acts,
)
from bot.rules.compare_roll.resolution.tables import CATEGORIES, STAT_NAMES, Stat
from bot.rules.kernel import Act, ActGroup, ActPart, Audience, Choice, FollowUp, NamedTerm, TextField
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted, signed
from bot.rules.shared.gathering_acts import can_gather, gathering_acts, leaving_acts
from bot.rules.shared.offering import MOST_CHOICES, act_of, numbers
from bot.rules.shared.resting import hours_words

MOST_TRAINED = 25
HOURS = (1, 2, 4, 6, 8, 12, LONG_REST_HOURS)


def acts(scene: Scene) -> tuple[ActPart, ...]:
    """What the acting character can do now, the most used first in each group."""
    if status_of(scene.actor) is CompareStatus.DEAD:
        return ()
    return (
        ActPart(partial(_open, scene), ActGroup.CHECK),
        ActPart(partial(_checks, scene), ActGroup.CHECK, is_certain=True),
        ActPart(partial(fight_acts, scene), ActGroup.FIGHT),
        ActPart(partial(gathering_acts, FIGHTS, scene), ActGroup.FIGHT, is_certain=can_gather(scene)),
        ActPart(partial(leaving_acts, FIGHTS, scene), ActGroup.FIGHT, is_sure=True),
        ActPart(partial(thing_acts, scene), ActGroup.USE),
        ActPart(partial(comms_acts, scene), ActGroup.USE, is_sure=True),
        ActPart(partial(talk_acts, scene), ActGroup.USE),
        ActPart(partial(money_acts, scene), ActGroup.SPEND, is_sure=True),
        ActPart(partial(_calm, scene), ActGroup.SPEND),
        ActPart(partial(_rest, scene), ActGroup.REST),
        ActPart(partial(_growth, scene), ActGroup.GROW),
    )


# --- what waits, and checks --------------------------------------------------------------------


def _open(scene: Scene) -> Iterator[Act]:
    """What an open roll, or a character at 0 HP, asks for.

    Source: CMP-HIGH-02, CMP-DEATH-01, CMP-DEATH-02.
    """
    actor = scene.actor
    laid = find_open(scene, actor.id)
    for button in () if laid is None else open_buttons(scene, actor.id, laid):
        if button.procedure != "calm":
            yield Act(group=ActGroup.CHECK, do=replace(button, after_seconds=None))
    if actor.sheet.foe is not None or status_of(actor) is not CompareStatus.DYING:
        return
    if actor.sheet.door:
        for button in door_buttons(scene, actor.id):
            yield Act(group=ActGroup.CHECK, do=button)
        return
    door, blaze = death_choice(scene, actor.id)
    yield Act(group=ActGroup.CHECK, do=door)
    nobody = BlazeOptions(nobody=True)
    do = blaze if actor.sheet.downed_by is not None else replace(blaze, options=nobody)
    yield Act(group=ActGroup.CHECK, do=do)


def _checks(scene: Scene) -> Iterator[Act]:
    """Trained skills from the best, Luck, and the skills of each category.

    Source: CMP-ROLL-01, CMP-SKILL-03, CMP-SKILL-06, CMP-SKILL-07.
    """
    actor, settings = scene.actor, scene.settings
    try:
        assert_can_act(actor)
    except UserError as reason:
        do = act_of(scene, "luck", CompareLuckOptions(), "Check Luck")
        yield Act(group=ActGroup.CHECK, do=do, why_not=reason.what)
        return
    adjusts = {"difficulty": "Difficulty", **burning(scene), **_in_fight(scene)}
    values = {"difficulty": _difficulties(scene)}
    skills = sorted(own_skills(actor.sheet, settings), key=lambda one: -_bonus(scene, one))
    for one in [one for one in skills if one.level][:MOST_TRAINED]:
        label = f"{one.name} {signed(_bonus(scene, one))} ({one.category})"
        do = act_of(scene, "check", CompareCheckOptions(skill=one.key), label)
        yield Act(group=ActGroup.CHECK, do=do, adjusts=adjusts, values=values)
    terms = check_terms(scene, actor, CompareStanding(Stat.LCK, None))
    do = act_of(scene, "luck", CompareLuckOptions(), f"Luck {signed(_sum(terms))}: no skill fits")
    yield Act(group=ActGroup.CHECK, do=do, adjusts=adjusts, values=values)
    for category in CATEGORIES:
        own = [one for one in skills if one.category == category][:MOST_CHOICES]
        choices = [Choice(one.key, f"{one.name} {signed(_bonus(scene, one))}", one.words) for one in own]
        # Its best skill is an act of its own, so that the menu is told from it by what is chosen.
        options = CompareCheckOptions(skill=own[-1].key)
        do = act_of(scene, "check", options, f"{category} …", choices=choices, chosen="skill")
        yield Act(group=ActGroup.CHECK, do=do, adjusts=adjusts, values=values)


def _difficulties(scene: Scene) -> tuple[Choice, ...]:
    """The difficulties to choose from, the campaign's default first."""
    default = default_difficulty(scene.settings)
    rows = (one for one in difficulties_of(scene.settings) if one.name != default.name)
    others = (Choice(one.name, str(Difficulty(one.name, one.number))) for one in rows)
    return (Choice("", str(default)), *others)[:MOST_CHOICES]


def _bonus(scene: Scene, skill: CompareSkill) -> int:
    return _sum(check_terms(scene, scene.actor, CompareStanding(skill.stat, skill)))


def _sum(terms: tuple[NamedTerm, ...]) -> int:
    return sum(term.value for term in terms)


def _in_fight(scene: Scene) -> Mapping[str, str]:
    encounter, fighter = find_encounter(scene), find_fighter(scene, scene.actor.id)
    if encounter is None or fighter is None or fighter.has_attacked or not encounter.is_on(scene.actor.id):
        return {}
    return {"acts": "Affects the fight: uses the attack"}


# --- High, rest and growth ---------------------------------------------------------------------


def _calm(scene: Scene) -> Iterator[Act]:
    """High burned against Stress.

    Source: CMP-HIGH-03, CMP-STRESS-04.
    """
    resources = scene.actor.resources
    stress, high = resources.get(STRESS, 0), resources.get(HIGH, 0)
    if not stress:
        return
    label = f"Burn High against Stress · {high} High"
    do = act_of(scene, "calm", BurnOptions(), label)
    if not high:
        yield Act(group=ActGroup.SPEND, do=do, why_not="No High left.")
        return
    most = min(stress, high)
    choices = numbers(range(most, 0, -1), lambda n: f"{n} High: Stress {stress} → {stress - n}")
    yield Act(group=ActGroup.SPEND, do=replace(do, choices=choices, chosen="count"))


def _rest(scene: Scene) -> Iterator[Act]:
    """A short rest.

    Source: CMP-REST-01, CMP-REST-02.
    """
    actor = scene.actor
    if actor.sheet.foe is not None or status_of(actor) is CompareStatus.DYING:
        return
    high = burning(scene) if scene.settings.stress_applies_to in REST_ROLLS else {}
    why_not = "You can rest after the fight." if find_fighter(scene, actor.id) else ""
    label = f"Rest: 1d6 + Luck HP an hour … · HP {hp_now(actor)}/{hp_max(actor.sheet)}"
    do = act_of(scene, "rest", CompareRest(), label, choices=numbers(HOURS, hours_words), chosen="hours")
    adjusts = {"now": "At once, without waiting for others", **high}
    yield Act(group=ActGroup.REST, do=do, adjusts=adjusts, why_not=why_not)


def _growth(scene: Scene) -> Iterator[Act]:
    """What a new character still needs, and what skill and stat points buy.

    Source: CMP-STAT-04, CMP-CHAR-04, CMP-SKILL-02, CMP-SKILL-05, CMP-SKILL-08.
    """
    sheet = scene.actor.sheet
    if sheet.foe is not None:
        return
    for button in _unfinished(scene):
        yield Act(group=ActGroup.GROW, do=button, is_due=True)
    if sheet.stat_points:
        free = [one for one in Stat if sheet.stats[one] < MOST_STAT]
        stats = [
            Choice(one, f"{STAT_NAMES[one]} {sheet.stats[one]} → {sheet.stats[one] + 1}") for one in free
        ]
        if stats:
            label = f"Raise a stat … · 1 of {counted(sheet.stat_points, 'stat point')}"
            do = act_of(scene, "raise", RaiseOptions(stat=free[0]), label, choices=stats, chosen="stat")
            yield Act(group=ActGroup.GROW, do=do)
    if sheet.skill_points:
        yield from _skills_for_sale(scene)
    elif not sheet.is_draft:
        do = act_of(scene, "spend", SpendOptions(skill="Dodging"), "Raise a skill")
        yield Act(group=ActGroup.GROW, do=do, why_not="No skill points left.")
    fields = (
        TextField(key="name", prompt="Name of your own skill", longest=40),
        TextField(key="category", prompt="Category, for example Physical", longest=40),
    )
    options = CompareProposeOptions(category=next(iter(CATEGORIES)), name="-")
    do = act_of(scene, "propose", options, "Propose a skill of your own", blanks=fields)
    yield Act(group=ActGroup.GROW, do=do)


def _unfinished(scene: Scene) -> Iterator[FollowUp]:
    sheet, who = scene.actor.sheet, scene.actor.id
    if sheet.rolled:
        yield from place_menu(scene, who)
        return
    for button in finish_buttons(scene, who):
        if button.procedure == "finish" and sheet.unset:
            yield replace(
                button, procedure="roll_stats", options=CompareMakeOptions(), label="Roll the stats"
            )
        elif button.audience is not Audience.GM:
            yield button


def _skills_for_sale(scene: Scene) -> Iterator[Act]:
    """Trained skills to raise, and the skills of each category."""
    sheet, settings = scene.actor.sheet, scene.settings
    skills = [one for one in own_skills(sheet, settings) if one.level < MOST_SKILL]
    skills.sort(key=lambda one: -one.level)
    pages = {"Raise a trained skill": [one for one in skills if one.level]}
    pages |= {
        f"Learn {category}": [one for one in skills if one.category == category] for category in CATEGORIES
    }
    for words, found in pages.items():
        if not found:
            continue
        choices = [
            Choice(one.key, f"{one.name} {one.level} → {one.level + 1}", one.category) for one in found
        ]
        label = f"{words} … · 1 of {counted(sheet.skill_points, 'skill point')}"
        options = SpendOptions(skill=found[min(len(found), MOST_CHOICES) - 1].key)
        do = act_of(scene, "spend", options, label, choices=choices, chosen="skill")
        adjusts = {"points": "Skill points"} if sheet.skill_points > 1 else {}
        yield Act(group=ActGroup.GROW, do=do, adjusts=adjusts)
