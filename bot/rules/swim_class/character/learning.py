"""Commands about skills: synergies, specialisations, and the log of epic successes."""

from pydantic import Field

from bot.rules.kernel import Document, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.sheet import Outcome, Scene, book
from bot.rules.swim_class.character.skill_growth import step_notes, with_synergy
from bot.rules.swim_class.character.skills import LONGEST_TAG, folded

MOST_SHOWN = 15
HOW_SKILLS_GROW = "A skill grows when a roll that matters succeeds and every die of it shows 4 or more."


class SwimSkillOptions(Document):
    """The skill to show."""

    skill: str = Field(min_length=1, max_length=100)


class SwimSpecialiseOptions(Document):
    """The skill and the name of the specialisation."""

    skill: str = Field(min_length=1, max_length=100)
    tag: str = Field(min_length=1, max_length=LONGEST_TAG)


class EpicOptions(Document):
    """Nothing to choose."""


class GrowthOptions(Document):
    """Nothing to choose."""


def show_synergy(scene: Scene, options: SwimSkillOptions, _dice: Dice) -> Outcome:
    """Show a skill's synergies, and the ranks they guarantee.

    Source: SWIM-SYN-04.
    """
    skills, sheet = book(scene), scene.actor.sheet
    key = skills.find(options.skill)
    rank = skills.rank(sheet.ranks, key)
    lines = tuple(
        f"{skills.title(partner)} {skills.rank(sheet.ranks, partner)}: synergy degree {degree}, "
        f"at least {max(0, rank - degree)}"
        for partner, degree in skills.partners(key, sheet.ranks)
    )
    note = skills.definition(key).note
    notes = (*([note] if note else []), *(lines or ("It has no synergies.",)))
    return Outcome(scene=scene, headline=f"looks at {skills.title(key)} {rank}", notes=notes, is_public=False)


declare("synergy", SwimSkillOptions, show_synergy)


def specialise(scene: Scene, options: SwimSpecialiseOptions, _dice: Dice) -> Outcome:
    """Start a specialisation; synergy with its parent may raise it at once.

    Source: SWIM-SYN-05 (SWIM-R31), SWIM-CRAFT-03.
    """
    skills, actor = book(scene), scene.actor
    sheet = actor.sheet
    parent = skills.find(options.skill).partition(":")[0]
    definition = skills.definition(parent)
    if definition.special_degree is None:
        raise UserError(f"{definition.name} can't be specialised.")
    key = f"{parent}:{folded(options.tag)}"
    if not folded(options.tag):
        raise UserError("A specialisation needs a name.")
    if key in sheet.ranks:
        raise UserError(f"{skills.title(key)} is already on the sheet.")
    raised = with_synergy(skills, {**sheet.ranks, key: 0}, [parent], cap=scene.settings.rank_cap)
    changed = evolve(sheet, ranks=raised.ranks)
    rank = raised.ranks[key]
    return Outcome(
        scene=scene.with_sheet(actor, changed),
        headline=f"specialises in {skills.title(key)} {rank}",
        notes=step_notes(skills, raised.steps),
    )


declare("specialise", SwimSpecialiseOptions, specialise)


def show_epics(scene: Scene, _options: EpicOptions, _dice: Dice) -> Outcome:
    """Show the rolls that earned ranks, the latest first.

    Source: SWIM-ADV-07.
    """
    title, epics = book(scene).title, scene.actor.sheet.epics
    lines = tuple(
        f"{title(epic.skill)} {epic.before} → {epic.after}: {' '.join(map(str, epic.faces))} ({epic.against})"
        for epic in reversed(epics[-MOST_SHOWN:])
    )
    more = (f"… and {len(epics) - MOST_SHOWN} earlier",) if len(epics) > MOST_SHOWN else ()
    return Outcome(
        scene=scene,
        headline="looks at past epic successes",
        notes=(*lines, *more) or ("No epic successes yet.",),
        is_public=False,
    )


declare("epics", EpicOptions, show_epics)


def show_growth(scene: Scene, _options: GrowthOptions, _dice: Dice) -> Outcome:
    """Show the best skills: how often each was earned, and what its next rank pulls along.

    Source: SWIM-SYN-01 to SWIM-SYN-04, SWIM-ADV-07.
    """
    skills, sheet = book(scene), scene.actor.sheet
    keys = sorted(sheet.ranks, key=lambda key: (-skills.rank(sheet.ranks, key), skills.title(key)))
    lines = []
    for key in [key for key in keys if skills.rank(sheet.ranks, key) > 0][:MOST_SHOWN]:
        rank = skills.rank(sheet.ranks, key)
        earned = sum(epic.skill == key for epic in sheet.epics)
        grown = with_synergy(skills, {**sheet.ranks, key: rank + 1}, [key], cap=scene.settings.rank_cap)
        pulled = ", ".join(f"{skills.title(one.skill)} {one.before} → {one.after}" for one in grown.steps)
        parts = (
            f"{skills.title(key)} {rank}",
            f"earned {counted(earned, 'rank')}" if earned else "",
            f"the next rank pulls {pulled}" if pulled else "",
        )
        lines.append(" · ".join(part for part in parts if part))
    return Outcome(
        scene=scene,
        headline="looks at what can grow",
        notes=(*lines, HOW_SKILLS_GROW),
        is_public=False,
    )


declare("growth", GrowthOptions, show_growth)
