"""What a character can do now besides its fights and gear, for the controls of its sheet."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from bot.rules.compare_roll.attacks import defend_buttons, incoming, targets_of, weapon_attacks
from bot.rules.compare_roll.carried_gear import (
    EARSHOT_FEET,
    CompareEquipOptions,
    CompareHandOptions,
    CompareReloadOptions,
    CompareUseOptions,
    MoneyOptions,
    TalkOptions,
    TuneOptions,
    channels,
    equip,
    reload_weapon,
    things_of,
    use,
)
from bot.rules.compare_roll.catalogue import (
    CompareSkill,
    Difficulty,
    armed,
    default_difficulty,
    difficulties_of,
    find_item,
    numbered,
    own_skills,
)
from bot.rules.compare_roll.fortunes import (
    AMMUNITION,
    ASSETS,
    HIGH,
    REST_ROLLS,
    STRESS,
    BlazeOptions,
    death_choice,
    hp_now,
)
from bot.rules.compare_roll.making import (
    CompareMakeOptions,
    CompareProposeOptions,
    RaiseOptions,
    SpendOptions,
    finish_buttons,
    place_menu,
)
from bot.rules.compare_roll.open_checks import (
    CompareCheckOptions,
    CompareLuckOptions,
    CompareStanding,
    check_terms,
)
from bot.rules.compare_roll.opening import BurnOptions, done_button, door_buttons, find_open, open_buttons
from bot.rules.compare_roll.session import LONG_REST_HOURS, CompareRest
from bot.rules.compare_roll.sheet import (
    MOST_SKILL,
    MOST_STAT,
    Character,
    CompareStatus,
    Scene,
    assert_can_act,
    hp_max,
    is_standing,
    status_of,
)
from bot.rules.compare_roll.strikes import (
    FEET_A_SPACE,
    CompareCover,
    all_usable,
    counter_button,
    find_counter,
    find_encounter,
    find_fighter,
    skip_button,
    spaces_left,
)
from bot.rules.compare_roll.tables import (
    CATEGORIES,
    HITS_SEVERAL,
    REACHES,
    STAT_NAMES,
    CompareWeapon,
    ItemKind,
    Stat,
)
from bot.rules.compare_roll.turns import FIGHTS, CompareCoverOptions, CompareMoveOptions, spaces_words
from bot.rules.kernel import Act, ActGroup, ActPart, Audience, Choice, FollowUp, NamedTerm, TextField
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, signed
from bot.rules.shared.offering import (
    MOST_CHOICES,
    TryingDice,
    act_of,
    can_gather,
    choices_among,
    first_id,
    friends_first,
    gathering_acts,
    is_allowed,
    is_friend,
    leaving_acts,
    numbers,
)
from bot.rules.shared.resting import hours_words

MOST_REASONS = 2
MOST_DISTANCES = 20
TALKING_FEET = (5, 10, 15, EARSHOT_FEET, 25, 30, 50, 100, 200, 500, 1000)
MANY = (1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500, 1000)


def burning(scene: Scene) -> Mapping[str, str]:
    """High burned before a roll, as something to set."""
    high = scene.actor.left(HIGH)
    return {"burn": f"High to burn (you have {high})"} if high else {}


# --- fights ------------------------------------------------------------------------------------


def fight_acts(scene: Scene) -> Iterator[Act]:
    """Defenses and counterattacks that wait, attacks, movement and cover.

    [CMP-COM-05 to CMP-COM-10, CMP-OUT-06]
    """
    actor = scene.actor
    for waits in incoming(scene, actor.id):
        against = numbered(scene.settings, waits.difficulty)
        dodge, menu = defend_buttons(scene, actor, against, waits.moment)
        yield Act(group=ActGroup.FIGHT, do=replace(dodge, after_seconds=None), adjusts=burning(scene))
        other = replace(menu, options=menu.options.model_copy(update={"skill": menu.choices[0].value}))
        yield Act(group=ActGroup.FIGHT, do=other, adjusts=burning(scene))
    if is_standing(actor) and not actor.sheet.is_draft:
        yield from _counters(scene)
        yield from _attacks(scene)
        yield from _turn(scene)


def _counters(scene: Scene) -> Iterator[Act]:
    pending, actor = find_counter(scene), scene.actor
    if pending is None or actor.id not in pending.by:
        return
    for weapon in all_usable(scene, actor, pending.feet_to(actor.id)):
        yield Act(group=ActGroup.FIGHT, do=counter_button(actor, weapon))
    yield Act(group=ActGroup.FIGHT, do=skip_button(actor.id))


def _attacks(scene: Scene) -> Iterator[Act]:
    """An attack with each weapon; those that are empty say so."""
    actor, targets = scene.actor, targets_of(scene)
    high = burning(scene) if actor.sheet.foe is None else {}
    adjusts = {"distance": "Distance", "cover": "The target's cover", **high}
    skills = _skills(scene)
    if len(skills) > 1 and actor.sheet.foe is None:
        adjusts["skill"] = "Skill"
    empty = 0
    for one in weapon_attacks(scene):
        weapon, do = one.weapon, replace(one.menu, label=f"Attack: {one.words} …")
        values = {"distance": _distances(weapon.weapon), "skill": skills}
        if one.is_possible:
            yield Act(group=ActGroup.FIGHT, do=do, adjusts=adjusts, values=values)
            if HITS_SEVERAL.get(weapon.weapon.shape, False) and len(targets) > 1:
                asked = TextField(key="targets", prompt="Targets", choices=targets, most=len(targets))
                label = f"Attack several: {weapon.words} …"
                several = act_of(scene, "attack", do.options, label, blanks=(asked,))
                yield Act(group=ActGroup.FIGHT, do=several, adjusts=adjusts, values=values)
        elif weapon.shots == 0 and empty < MOST_REASONS:
            empty += 1
            yield Act(group=ActGroup.FIGHT, do=do, why_not=f"{weapon.words} is empty: reload it first.")


def _distances(weapon: CompareWeapon) -> tuple[Choice, ...]:
    """The distances at which a weapon can hit, the first of them not said. [CMP-RNG-01 to CMP-RNG-06]"""
    reach = REACHES[weapon.distance]
    farthest = min(reach.farthest, reach.nearest + MOST_DISTANCES * FEET_A_SPACE)
    feet = range(max(reach.nearest, FEET_A_SPACE), farthest + 1, FEET_A_SPACE)
    return (Choice("", "in range"), *(Choice(str(number), f"{number} ft") for number in feet))


def _skills(scene: Scene) -> tuple[Choice, ...]:
    """The trained skills to attack with, the first of them the weapon's own."""
    own = (one for one in own_skills(scene.actor.sheet, scene.settings) if one.level)
    return (Choice("", "the weapon's"), *(Choice(one.key, f"{one.name} {one.level}") for one in own))[
        :MOST_CHOICES
    ]


def _turn(scene: Scene) -> Iterator[Act]:
    """What a turn offers besides attacks: movement, cover and its end."""
    encounter, fighter = find_encounter(scene), find_fighter(scene, scene.actor.id)
    if encounter is None or fighter is None:
        return
    is_on = encounter.is_on(scene.actor.id)
    farthest = min(spaces_left(scene, fighter), MOST_CHOICES)
    if is_on and farthest:
        label = f"Move up to {spaces_words(farthest)} …"
        choices = numbers(range(1, farthest + 1), spaces_words)
        do = act_of(scene, "move", CompareMoveOptions(spaces=1), label, choices=choices, chosen="spaces")
        yield Act(group=ActGroup.FIGHT, do=do)
    if is_on:
        yield Act(group=ActGroup.FIGHT, do=done_button(scene.actor.id))
    covers = [
        one for one in (CompareCover.HALF, CompareCover.FULL, CompareCover.NONE) if one is not fighter.cover
    ]
    choices = tuple(
        Choice(one, f"{one} cover" if one is not CompareCover.NONE else "leave cover") for one in covers
    )
    options = CompareCoverOptions(cover=covers[0])
    do = act_of(scene, "cover", options, f"Cover: {fighter.cover} now …", choices=choices, chosen="cover")
    yield Act(group=ActGroup.FIGHT, do=do)


# --- gear --------------------------------------------------------------------------------------


def thing_acts(scene: Scene) -> Iterator[Act]:
    """Reloading, remedies, armour and gifts. [CMP-WPN-08, CMP-EQ-08, CMP-EQ-09, CMP-EQ-11, CMP-CHAR-05]"""
    if is_standing(scene.actor) and not scene.actor.sheet.is_draft:
        yield from _reloads(scene)
        yield from _remedies(scene)
        yield from _armour(scene)
        yield from _gifts(scene)


def _reloads(scene: Scene) -> Iterator[Act]:
    actor = scene.actor
    charges = actor.left(AMMUNITION)
    empty = 0
    for weapon in armed(actor.sheet, scene.settings):
        if weapon.shots is None or weapon.shots >= (weapon.weapon.reload or 0):
            continue
        options = CompareReloadOptions(weapon=weapon.weapon.name)
        do = act_of(scene, "reload", options, f"Reload {weapon.words} · 1 of {charges} Ammunition")
        if is_allowed(partial(reload_weapon, scene, options, TryingDice())):
            yield Act(group=ActGroup.USE, do=do)
        elif not charges and actor.sheet.foe is None and empty < MOST_REASONS:
            empty += 1
            yield Act(group=ActGroup.USE, do=do, why_not="No Ammunition left.")


def _remedies(scene: Scene) -> Iterator[Act]:
    """Remedies for oneself and friends, the most hurt first."""
    actor = scene.actor
    friends = (actor, *(one for one in friends_first(scene) if is_friend(scene, one)))
    alive = [one for one in friends if status_of(one) is not CompareStatus.DEAD]
    alive.sort(key=_health)
    choices = choices_among(alive, lambda one: f"HP {hp_now(one)}/{hp_max(one.sheet)}")
    for item in actor.sheet.items:
        known = find_item(scene.settings, item.name)
        if known is None or known.kind is not ItemKind.REMEDY:
            continue
        options = CompareUseOptions(item=known.name, target=first_id(choices))
        heals = f"heals 1d{known.heals_sides}" if known.heals_sides else "heals nothing"
        label = f"Use {known.name} on …: {heals}, Stress +{known.stress} · 1 of {item.count}"
        if is_allowed(partial(use, scene, options, TryingDice())):
            do = act_of(scene, "use", options, label, choices=choices, chosen="target")
            yield Act(group=ActGroup.USE, do=do)


def _health(character: Character) -> float:
    return hp_now(character) / max(1, hp_max(character.sheet))


def _armour(scene: Scene) -> Iterator[Act]:
    sheet = scene.actor.sheet
    names = [one.name for one in sheet.items if _is_kind(scene, one.name, ItemKind.ARMOUR)]
    for name in (*names, *(("",) if sheet.armour else ())):
        options = CompareEquipOptions(armour=name)
        if is_allowed(partial(equip, scene, options, TryingDice())):
            label = f"Put on {name}" if name else f"Take off {sheet.armour}"
            yield Act(group=ActGroup.USE, do=act_of(scene, "equip", options, label))


def _is_kind(scene: Scene, name: str, kind: ItemKind) -> bool:
    found = find_item(scene.settings, name)
    return found is not None and found.kind is kind


def _gifts(scene: Scene) -> Iterator[Act]:
    """Handing something over. [CMP-CHAR-05, CMP-EQ-08]"""
    friends = choices_among(one for one in friends_first(scene) if _can_receive(scene, one))
    things = things_of(scene.actor)[:MOST_CHOICES]
    if not friends or not things:
        return
    options = CompareHandOptions(thing=things[0][0], target=first_id(friends))
    counted = [Choice(name, f"{name} ({have})" if have > 1 else name) for name, have in things]
    fields = (
        TextField(key="thing", prompt="What", choices=tuple(counted)),
        TextField(key="target", prompt="To whom", choices=friends),
        TextField(key="count", prompt="How many", choices=numbers(MANY)),
    )
    yield Act(group=ActGroup.USE, do=act_of(scene, "hand", options, "Hand something over", blanks=fields))


def _can_receive(scene: Scene, other: Character) -> bool:
    return is_friend(scene, other) and status_of(other) is not CompareStatus.DEAD


def comms_acts(scene: Scene) -> Iterator[Act]:
    """Tuning Comms to channels. [CMP-EQ-14]"""
    actor = scene.actor
    if any(_is_kind(scene, one.name, ItemKind.COMMS) for one in actor.sheet.items):
        on = ", ".join(sorted(channels(actor.sheet, scene.settings))) or "no channel"
        channel = TextField(key="label", prompt="Channel", longest=40)
        do = act_of(scene, "tune", TuneOptions(label="-"), f"Tune Comms · on {on}", blanks=(channel,))
        yield Act(group=ActGroup.USE, do=do)


def talk_acts(scene: Scene) -> Iterator[Act]:
    """Whether somebody can hear the character. [CMP-EQ-14]"""
    others = choices_among(friends_first(scene))
    if not others:
        return
    fields = (
        TextField(key="target", prompt="Who", choices=others),
        TextField(key="distance", prompt="Feet between you", choices=numbers(TALKING_FEET)),
    )
    options = TalkOptions(target=first_id(others), distance=EARSHOT_FEET)
    yield Act(
        group=ActGroup.USE, do=act_of(scene, "talk", options, "Talk: can they hear you?", blanks=fields)
    )


def money_acts(scene: Scene) -> Iterator[Act]:
    """Earning and spending Assets. [CMP-CHAR-05]"""
    actor = scene.actor
    if actor.sheet.foe is None:
        fields = (
            TextField(key="amount", prompt="How much (below 0: you spend it)", longest=7),
            TextField(key="reason", prompt="What for", longest=100, is_required=False),
        )
        label = f"Earn or spend Assets · you have {actor.left(ASSETS)}"
        do = act_of(scene, "money", MoneyOptions(amount=1), label, blanks=fields)
        yield Act(group=ActGroup.SPEND, do=do)


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
    """What an open roll, or a character at 0 HP, asks for. [CMP-HIGH-02, CMP-DEATH-01, CMP-DEATH-02]"""
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

    [CMP-ROLL-01, CMP-SKILL-03, CMP-SKILL-06, CMP-SKILL-07]
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
    named = Counter(one.name for one in skills)
    for one in [one for one in skills if one.level][:MOST_TRAINED]:
        category = f" ({one.category})" if named[one.name] > 1 else ""
        label = f"{one.name} {signed(_bonus(scene, one))}{category}"
        do = act_of(scene, "check", CompareCheckOptions(skill=one.key), label)
        brief = f"{one.name}{category}"
        yield Act(group=ActGroup.CHECK, do=do, adjusts=adjusts, values=values, brief=brief)
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
    """High burned against Stress. [CMP-HIGH-03, CMP-STRESS-04]"""
    stress, high = scene.actor.left(STRESS), scene.actor.left(HIGH)
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
    """A short rest. [CMP-REST-01, CMP-REST-02]"""
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

    [CMP-STAT-04, CMP-CHAR-04, CMP-SKILL-02, CMP-SKILL-05, CMP-SKILL-08]
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
