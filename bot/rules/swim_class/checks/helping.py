"""Convergence: dice that helpers pledge to someone's next roll."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, FollowUp, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.rules.swim_class.character.implements import SwimRole
from bot.rules.swim_class.character.roll_modifiers import gear_for, trait_modifier
from bot.rules.swim_class.character.sheet import Outcome, Scene, book, rank_of
from bot.rules.swim_class.character.skills import parent_of
from bot.rules.swim_class.checks.plans import Helper
from bot.rules.swim_class.combat.state.encounter import is_in_combat
from bot.rules.swim_class.damage.damage import assert_can_act
from bot.rules.swim_class.resolution.tables import SkillKey

REFUSE = "refuse_help"


class Pledge(Document):
    """A helper's pledge: skill, dice, and the roll it is for (empty: any)."""

    character: CharacterId
    name: str
    skill: SkillKey
    dice: int = Field(ge=0)
    modifier: int
    roll: SkillKey = ""


class Pledges(Document):
    """Everything pledged to a character's next roll."""

    pledges: tuple[Pledge, ...]


class AidOptions(Document):
    """Whom to help, with which skill, and for which roll of theirs; empty: the same skill."""

    target: CharacterId
    skill: str = Field(min_length=1, max_length=100)
    roll: str = Field(default="", max_length=100)


class SwimRefuseOptions(Document):
    """Whose help to refuse; None: everyone's."""

    helper: CharacterId | None = None


def pledges_key(who: CharacterId) -> str:
    """The document key of the help pledged to a character."""
    return f"pledges/{who}"


def aid(scene: Scene, options: AidOptions, _dice: Dice) -> Outcome:
    """Pledge a skill to someone's next roll: one die less than its rank.

    Source: SWIM-POOL-04 (SWIM-R36).
    """
    actor, target = scene.actor, scene.character(options.target)
    assert_can_act(scene, actor)
    if actor.id == target.id:
        raise UserError("You can't help yourself.", "To combine your own skills, use the option “add”.")
    if is_in_combat(scene, actor.id):
        raise UserError(
            "In combat, helpers contribute over several rounds.",
            try_this=f"Use /swim-fight buildup with {target.name} as its owner.",
        )
    skills = book(scene)
    skill = skills.find(options.skill)
    wanted = skills.find(options.roll) if options.roll else skill
    title, rank = skills.title(skill), rank_of(scene, actor, skill)
    dice = rank - 1
    if dice < 1:
        raise UserError(f"{title} {rank} gives no dice.", "Help is one die less than the skill's rank.")
    sheet = actor.sheet
    modifier = gear_for(scene, sheet, SwimRole.TASK, skill).bonus + trait_modifier(sheet, skill)
    modifier += skills.die_bonus(skill)
    pledge = Pledge(
        character=actor.id, name=actor.name, skill=skill, dice=dice, modifier=modifier, roll=wanted
    )
    others = [one for one in _pledges(scene, target.id) if one.character != actor.id]
    scene = scene.with_document(pledges_key(target.id), Pledges(pledges=(*others, pledge)))
    refuse = FollowUp(
        procedure=REFUSE,
        options=SwimRefuseOptions(helper=actor.id),
        label=f"{target.name[:40]} refuses the help",
        character=target.id,
        group=REFUSE,
    )
    up_to = counted(dice, "die", "dice")
    return Outcome(
        scene=scene,
        headline=f"helps {target.name} with {title}",
        notes=(f"Up to {up_to} for {target.name}'s next {skills.title(wanted)} roll.",),
        follow_ups=(refuse,),
    )


declare("aid", AidOptions, aid)


def refuse_help(scene: Scene, options: SwimRefuseOptions, _dice: Dice) -> Outcome:
    """Refuse pledged help.

    Source: SWIM-POOL-04.
    """
    actor = scene.actor
    pledges = _pledges(scene, actor.id)
    refused = [one for one in pledges if options.helper in {None, one.character}]
    if not refused:
        raise UserError(f"{_who(scene, options)} {actor.name} right now.")
    names = ", ".join(one.name for one in refused)
    rest = tuple(one for one in pledges if one not in refused)
    return Outcome(scene=_with_pledges(scene, actor.id, rest), headline=f"refuses the help of {names}")


declare(REFUSE, SwimRefuseOptions, refuse_help)


def _who(scene: Scene, options: SwimRefuseOptions) -> str:
    if options.helper is None:
        return "No one is helping"
    return f"{scene.character(options.helper).name} isn't helping"


def _pledges(scene: Scene, who: CharacterId) -> tuple[Pledge, ...]:
    found = scene.document(pledges_key(who))
    return found.pledges if isinstance(found, Pledges) else ()


def _with_pledges(scene: Scene, who: CharacterId, pledges: tuple[Pledge, ...]) -> Scene:
    return scene.with_document(pledges_key(who), Pledges(pledges=pledges) if pledges else None)


def take_helpers(scene: Scene, who: CharacterId, skill: SkillKey) -> tuple[Scene, tuple[Helper, ...]]:
    """Take the help pledged to a roll of a skill, and use it up."""
    pledges = _pledges(scene, who)
    meant = [one for one in pledges if not one.roll or parent_of(one.roll) == parent_of(skill)]
    if not meant:
        return scene, ()
    helpers = tuple(Helper(name=one.name, dice=one.dice, modifier=one.modifier) for one in meant)
    return _with_pledges(scene, who, tuple(one for one in pledges if one not in meant)), helpers
