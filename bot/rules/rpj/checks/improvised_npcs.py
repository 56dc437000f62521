"""The command that gives an NPC without a sheet a level from one word."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Document, NamedTerm, Roller, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.wording import signed, with_article
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.npcs import (
    Closeness,
    NpcAbility,
    RpjStanding,
    improvised_attribute,
    improvised_levels,
    level_choice,
)
from bot.rules.rpj.checks.skill_check_command import difficulty_in
from bot.rules.rpj.module.attributes import attribute_bonus
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.check import check
from bot.rules.rpj.resolution.choices import choose
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs
from bot.rules.rpj.resolution.purposes import RpjPurpose


class How(StrEnum):
    """How good an NPC is: at their trade, or by nature.

    Source: RPJ-GM-01, RPJ-GM-02.
    """

    MASTERFUL = "masterful"
    COMPETENT = "competent"
    GREEN = "green"
    UNREMARKABLE = "unremarkable"
    AVERAGE = "average"
    ABOVE_AVERAGE = "above average"


class NpcOptions(Document):
    """The options of an improvised NPC.

    Attributes:
        how: How good they are; the last three words mean an attribute.
        trade: How close a task is to their trade.
        what: The skill or attribute, in free text.
        difficulty: What they roll against at once; empty where only the level is wanted.
    """

    how: How
    trade: Closeness = Closeness.IN
    what: str = Field(default="", max_length=60)
    difficulty: str = Field(default="", max_length=40)


def improvise(scene: Scene, options: NpcOptions, dice: Dice) -> Outcome:
    """Give an NPC without a sheet a level from one word, and roll a check if asked.

    Source: RPJ-GM-01 (R-130), RPJ-GM-02.
    """
    kind, level, rolls, npc = CheckKind.SKILL, 0, [], Roller(name=options.what.strip() or "NPC")
    notes: tuple[str, ...]
    if options.how.value in tuple(RpjStanding):
        kind, level = CheckKind.ATTRIBUTE, improvised_attribute(RpjStanding(options.how.value))
        notes = (f"Attribute level {level}, bonus {signed(attribute_bonus(level))}.",)
    else:
        levels = improvised_levels(NpcAbility(options.how.value), options.trade)
        if len(levels) > 1:
            rolls.append(choose(level_choice(levels), dice).by(npc, RpjPurpose.LEVEL))
        level = int(str(rolls[0].outcome)) if rolls else levels[0]
        notes = (f"Effective level {level}{f' ({min(levels)} or {max(levels)})' if rolls else ''}.",)
    what = options.what.strip()
    headline = f"improvises {with_article(options.how.value)} NPC{f': {what}' if what else ''}"
    if not options.difficulty.strip():
        return Outcome(scene=scene, headline=headline, rolls=tuple(rolls), notes=notes, is_public=False)
    module = module_in(scene.settings)
    inputs = RpjCheckInputs(
        kind=kind,
        terms=(NamedTerm(label=what or options.how.value, value=level),) if level else (),
        difficulty=difficulty_in(module, options.difficulty),
        criticals=module.criticals,
    )
    roll = check(inputs, dice).by(npc)
    return Outcome(
        scene=scene, headline=headline, verdict=roll.verdict, rolls=(*rolls, roll), notes=notes, skill=what
    )


declare("npc", NpcOptions, improvise, gm_only=True, needs_actor=False)
