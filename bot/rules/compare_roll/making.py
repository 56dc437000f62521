"""Creation after the wizard: rolled stats, starting Assets, points spent later, custom skills."""

from pydantic import Field

from bot.rules.compare_roll.catalogue import category_named, find_skill, skill_names
from bot.rules.compare_roll.fortunes import ASSETS, ft_max, hp_now, movement, with_hp
from bot.rules.compare_roll.sheet import (
    CUSTOM_SLOTS,
    MOST_SKILL,
    MOST_STAT,
    CompareSettings,
    CompareSheet,
    CustomSkill,
    Method,
    Outcome,
    Scene,
    hp_max,
)
from bot.rules.compare_roll.tables import STAT_NAMES, ComparePurpose, Stat, ThingName, stat_bonus
from bot.rules.compare_roll.two_d12s import AMOUNT, AmountInputs
from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Deadline,
    Document,
    Family,
    FollowUp,
    Place,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, same_name, signed

STAT_DICE = AmountInputs(what="2d6", count=2, sides=6)
ASSET_DICE = AmountInputs(what="Assets", count=2, sides=12, times=100)


class CompareMakeOptions(Document):
    """Options of the creation steps without a choice: none."""


class ComparePlaceOptions(Document):
    """The stat to set, and the rolled value to place on it; None: the highest."""

    stat: Stat
    value: int | None = Field(default=None, ge=2, le=12)


class SpendOptions(Document):
    """The skill to raise, and the points to spend."""

    skill: str
    points: int = Field(default=1, ge=1, le=MOST_SKILL)


class RaiseOptions(Document):
    """The stat to raise."""

    stat: Stat


class CompareProposeOptions(Document):
    """A proposed custom skill: its category, its name, and the points spent on it."""

    category: str
    name: ThingName
    level: int = Field(default=0, ge=0, le=MOST_SKILL)


class CompareApproveOptions(Document):
    """The custom skill to approve or refuse, and its governing stat."""

    target: CharacterId
    skill: str
    stat: Stat | None = None
    refused: bool = False


def changed_stat(scene: Scene, who: CharacterId, stat: Stat, score: int) -> tuple[Scene, str]:
    """Set a score; HP rise with their maximum. [CMP-CHAR-07 (CMP-R15), CMP-STAT-02]

    Returns:
        The new scene, and one line with everything that changed.
    """
    character, settings = scene.character(who), scene.settings
    before = character.sheet
    after = before.changed(stats={**before.stats, stat: score})
    rise = max(0, hp_max(after) - hp_max(before))
    hp = hp_now(character)
    scene = scene.with_sheet(character, after)
    scene = scene.with_character(with_hp(scene.character(who), hp + rise if hp else hp))
    parts = [f"{STAT_NAMES[stat]} {before.stats[stat]} → {score} ({signed(stat_bonus(score))})"]
    for label, was, now in _derived(before, after, settings):
        if was != now:
            parts.append(f"{label} {was} → {now}")
    return scene, " · ".join(parts)


def _derived(
    before: CompareSheet, after: CompareSheet, settings: CompareSettings
) -> tuple[tuple[str, int, int], ...]:
    return (
        ("max HP", hp_max(before), hp_max(after)),
        ("max FT", ft_max(before, settings), ft_max(after, settings)),
        ("movement", movement(before, settings), movement(after, settings)),
    )


@procedure("roll_stats")
def roll_stats(scene: Scene, _options: CompareMakeOptions, dice: Dice) -> Outcome:
    """Roll 2d6 six times for the stats, to be placed in any order. [CMP-STAT-04]"""
    actor = scene.actor
    sheet = actor.sheet
    if not sheet.is_draft or sheet.method is not Method.ROLLED:
        raise UserError(
            f"{actor.name}'s stats are final.", "Only a new character with rolled stats rolls them."
        )
    if sheet.rolled or len(sheet.unset) < len(Stat):
        raise UserError("The stats are already rolled.", "Place them with /compare create place.")
    rolls = tuple(AMOUNT.resolve(STAT_DICE, dice).by(actor, ComparePurpose.STAT) for _ in Stat)
    sums = tuple(sorted((roll.sum for roll in rolls), reverse=True))
    scene = scene.with_sheet(actor, sheet.changed(rolled=sums))
    return Outcome(
        scene=scene,
        headline="rolls six stats",
        rolls=rolls,
        notes=(f"To place: {', '.join(map(str, sums))}.",),
        follow_ups=place_menu(scene, actor.id),
    )


def place_menu(scene: Scene, who: CharacterId) -> tuple[FollowUp, ...]:
    """The menu that places the highest roll left, or the buttons after the last one."""
    sheet = scene.character(who).sheet
    if not sheet.rolled:
        return finish_buttons(scene, who)
    value = sheet.rolled[0]
    choices = tuple(
        Choice(stat.value, STAT_NAMES[stat], f"{value}, bonus {signed(stat_bonus(value))}")
        for stat in sheet.unset
    )
    return (
        FollowUp(
            procedure="place",
            options=ComparePlaceOptions(stat=Stat.STR, value=value),
            label=f"Place the {value} …",
            character=who,
            choices=choices,
            chosen="stat",
            group="place",
        ),
    )


@procedure("place")
def place(scene: Scene, options: ComparePlaceOptions, _dice: Dice) -> Outcome:
    """Place one of the rolls on a stat; each is used once. [CMP-STAT-04]"""
    actor = scene.actor
    sheet = actor.sheet
    if not sheet.rolled:
        raise UserError("You have no rolls to place.", try_this="Roll with /compare create stats.")
    value = options.value or sheet.rolled[0]
    if value not in sheet.rolled:
        raise UserError(f"You have no {value} left to place.", f"Left: {', '.join(map(str, sheet.rolled))}.")
    if options.stat not in sheet.unset:
        open_ = ", ".join(STAT_NAMES[stat] for stat in sheet.unset)
        raise UserError(f"{STAT_NAMES[options.stat]} already has a score.", f"Still open: {open_}.")
    rest = list(sheet.rolled)
    rest.remove(value)
    unset = tuple(stat for stat in sheet.unset if stat is not options.stat)
    scene = scene.with_sheet(actor, sheet.changed(rolled=tuple(rest), unset=unset))
    scene, line = changed_stat(scene, actor.id, options.stat, value)
    return Outcome(
        scene=scene,
        headline=f"places {value} on {STAT_NAMES[options.stat]}",
        notes=(line,),
        follow_ups=place_menu(scene, actor.id),
    )


def finish_buttons(scene: Scene, who: CharacterId) -> tuple[FollowUp, ...]:
    """The buttons for what a new character still needs, including GM approval of custom skills."""
    sheet = scene.character(who).sheet
    wanted = (
        ("finish", "Finish", sheet.is_draft),
        ("roll_assets", "Roll Assets 2d12 × 100", not sheet.has_rolled_assets),
    )
    buttons = tuple(
        FollowUp(procedure=key, options=CompareMakeOptions(), label=label, character=who, group=key)
        for key, label, is_open in wanted
        if is_open
    )
    waiting = [one for one in sheet.customs if not one.is_approved][:2]
    return (*buttons, *(approval_buttons(who, one)[0] for one in waiting))


@procedure("finish")
def finish(scene: Scene, _options: CompareMakeOptions, _dice: Dice) -> Outcome:
    """Finish a character whose stats are placed; unspent skill points stay available. [CMP-CHAR-06]"""
    actor = scene.actor
    sheet = actor.sheet
    if sheet.unset:
        missing = ", ".join(STAT_NAMES[stat] for stat in sheet.unset)
        raise UserError(f"These stats have no score yet: {missing}.", try_this="Use /compare create stats.")
    if not sheet.is_draft:
        raise UserError(
            f"{actor.name} is already finished.", "A finished character grows with points a GM awards."
        )
    scene = scene.with_sheet(actor, sheet.changed(is_draft=False))
    points = counted(sheet.skill_points, "skill point")
    left = (f"{points} left to spend later.",) if sheet.skill_points else ()
    return Outcome(
        scene=scene, headline="is finished", notes=left, follow_ups=finish_buttons(scene, actor.id)
    )


@procedure("roll_assets")
def roll_assets(scene: Scene, _options: CompareMakeOptions, dice: Dice) -> Outcome:
    """Roll the starting Assets, 2d12 × 100; only a GM can roll them again. [CMP-CHAR-04]"""
    actor = scene.actor
    sheet = actor.sheet
    if sheet.has_rolled_assets and not scene.is_gm:
        raise UserError(f"{actor.name}'s Assets are already rolled.", "Only a GM can roll them again.")
    roll = AMOUNT.resolve(ASSET_DICE, dice).by(actor, ComparePurpose.ASSETS)
    scene = scene.with_sheet(actor, sheet.changed(has_rolled_assets=True))
    scene = scene.with_character(scene.character(actor.id).with_resource(ASSETS, roll.sum))
    return Outcome(
        scene=scene,
        headline="rolls for Assets (2d12 × 100)",
        rolls=(roll,),
        follow_ups=finish_buttons(scene, actor.id),
    )


@procedure("spend")
def spend_points(scene: Scene, options: SpendOptions, _dice: Dice) -> Outcome:
    """Spend skill points: one per level, up to level 5.

    [CMP-SKILL-02 (CMP-R18), CMP-SKILL-08, CMP-SKILL-03 (CMP-R19: a lucky Novice may be better off)]
    """
    actor = scene.actor
    sheet, settings = actor.sheet, scene.settings
    skill = find_skill(sheet, settings, options.skill)
    if options.points > sheet.skill_points:
        raise UserError(
            f"{actor.name} has only {counted(sheet.skill_points, 'skill point')}.", "The GM awards them."
        )
    level = skill.level + options.points
    if level > MOST_SKILL:
        raise UserError(f"{skill.name} is at level {skill.level}; the maximum is {MOST_SKILL}.")
    custom = sheet.custom(skill.category, skill.name)
    if custom is not None:
        raised = sheet.with_custom(evolve(custom, level=level))
    else:
        raised = sheet.with_skill(skill.category, skill.name, level)
    raised = raised.changed(skill_points=sheet.skill_points - options.points)
    luck = sheet.bonus(Stat.LCK)
    is_lucky = not skill.level and luck > level
    hint = (f"As a Novice, {actor.name} rolled it with Luck +{luck}.",) if is_lucky else ()
    return Outcome(
        scene=scene.with_sheet(actor, raised),
        headline=f"raises {skill.name} ({skill.category}) {skill.level} → {level}",
        notes=(*hint, f"Skill points left: {raised.skill_points}."),
    )


@procedure("raise")
def raise_stat(scene: Scene, options: RaiseOptions, _dice: Dice) -> Outcome:
    """Raise a stat with an awarded stat point. [CMP-SKILL-08 (CMP-R15), CMP-CHAR-07]"""
    actor = scene.actor
    sheet = actor.sheet
    if not sheet.stat_points:
        raise UserError(f"{actor.name} has no stat points.", "The GM awards them.")
    if sheet.stats[options.stat] >= MOST_STAT:
        raise UserError(f"{STAT_NAMES[options.stat]} is already at its maximum ({MOST_STAT}).")
    scene = scene.with_sheet(actor, sheet.changed(stat_points=sheet.stat_points - 1))
    scene, line = changed_stat(scene, actor.id, options.stat, sheet.stats[options.stat] + 1)
    return Outcome(scene=scene, headline=f"raises {STAT_NAMES[options.stat]}", notes=(line,))


@procedure("propose")
def propose(scene: Scene, options: CompareProposeOptions, _dice: Dice) -> Outcome:
    """Propose a custom skill, in one of the four free slots of a category. [CMP-SKILL-05 (CMP-R21)]"""
    actor = scene.actor
    sheet, settings = actor.sheet, scene.settings
    category = category_named(options.category)
    known = [name for of, name in skill_names(settings) if of == category]
    if any(same_name(name, options.name) for name in known) or sheet.custom(category, options.name):
        raise UserError(f"{category} already has {options.name}.")
    if sum(one.category == category for one in sheet.customs) >= CUSTOM_SLOTS:
        raise UserError(f"{category} already has {CUSTOM_SLOTS} custom skills, the maximum.")
    if options.level > sheet.skill_points:
        raise UserError(
            f"{actor.name} has only {counted(sheet.skill_points, 'skill point')}.", "The GM awards them."
        )
    skill = CustomSkill(category=category, name=options.name, level=options.level)
    changed = sheet.with_custom(skill).changed(skill_points=sheet.skill_points - options.level)
    return Outcome(
        scene=scene.with_sheet(actor, changed),
        headline=f"proposes the skill {options.name} ({category})",
        follow_ups=approval_buttons(actor.id, skill),
    )


def approval_buttons(who: CharacterId, skill: CustomSkill) -> tuple[FollowUp, ...]:
    """The GM's buttons about a custom skill: approve it, with Luck if they like, or refuse it."""
    name = f"{skill.category}/{skill.name}"
    return tuple(
        FollowUp(
            procedure="approve",
            options=CompareApproveOptions(target=who, skill=name, stat=stat, refused=refused),
            label=label,
            audience=Audience.GM,
            group=f"approve/{name}",
            window=Deadline(until=(_moment(who, skill),)),
            deal=_asked_for(skill),
            place=Place.VERDICT,
        )
        for label, stat, refused in (
            (f"Approve {skill.name} {skill.level}", None, False),
            ("Approve with Luck", Stat.LCK, False),
            ("Refuse", None, True),
        )
    )


def _moment(who: CharacterId, skill: CustomSkill) -> str:
    """What closes the GM's buttons about a skill, wherever they stand."""
    return f"approve/{who}/{skill.category}/{skill.name}"


def _asked_for(skill: CustomSkill) -> str:
    """What the GM is asked to approve, as stored with the button."""
    return (
        f"{skill.name} {skill.level} ({skill.category}){', agreed to already' if skill.is_approved else ''}"
    )


@procedure("approve", gm_only=True, needs_actor=False)
def approve(scene: Scene, options: CompareApproveOptions, _dice: Dice) -> Outcome:
    """Approve a custom skill, with a stat other than its category's if given; or refuse it.

    [CMP-SKILL-05 (CMP-R21)]
    """
    character = scene.character(options.target)
    sheet = character.sheet
    category, _, name = options.skill.rpartition("/")
    found = [
        one
        for one in sheet.customs
        if same_name(one.name, name) and (not category or same_name(one.category, category))
    ]
    if not found:
        raise UserError(f"{character.name} hasn't proposed this skill.")
    skill = found[0]
    if options.refused and skill.is_approved:
        raise UserError(f"{skill.name} is already approved.", "Change the sheet with /gm set.")
    if options.refused:
        rest = tuple(one for one in sheet.customs if one != skill)
        changed = sheet.changed(customs=rest, skill_points=sheet.skill_points + skill.level)
    else:
        changed = sheet.with_custom(evolve(skill, is_approved=True, stat=options.stat))
    word = "refuses" if options.refused else "approves"
    verdict = Verdict(Family.FAILURE, "refused") if options.refused else Verdict(Family.SUCCESS, "approved")
    ruled = f", rolled with {STAT_NAMES[options.stat]}" if options.stat and not options.refused else ""
    return Outcome(
        scene=scene.with_sheet(character, changed),
        headline=f"{word} {character.name}'s skill {skill.name}{ruled}",
        verdict=verdict,
        moments=(_moment(character.id, skill),),
        deal=_asked_for(skill),
    )
