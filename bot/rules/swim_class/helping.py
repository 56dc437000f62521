"""Convergence: dice that others pledge to somebody's next roll."""

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import CharacterId, Document, Outcome, Procedure, Scene
from bot.rules.swim_class.damage import assert_can_act
from bot.rules.swim_class.encounter import is_in_combat
from bot.rules.swim_class.implements import Role
from bot.rules.swim_class.modifiers import gear_for, trait_modifier
from bot.rules.swim_class.plans import Helper
from bot.rules.swim_class.sheet import book, rank_of, sheet_of
from bot.rules.swim_class.tables import SkillKey


class Pledge(Document):
    """What somebody lends: the skill, and the dice it brings."""

    character: CharacterId
    name: str
    skill: SkillKey
    dice: int = Field(ge=0)
    modifier: int


class Pledges(Document):
    """Everything pledged to a character's next roll."""

    pledges: tuple[Pledge, ...]


class AidOptions(Document):
    """Whom one helps, and with what."""

    target: CharacterId
    skill: str = Field(min_length=1, max_length=100)


def pledges_key(who: CharacterId) -> str:
    """Key of what is pledged to a character."""
    return f"pledges/{who}"


def aid(scene: Scene, options: AidOptions, _dice: Dice) -> Outcome:
    """Pledge a skill to somebody's next roll: one die less than its rank.

    Source: SWIM-POOL-04 (SWIM-R36).
    """
    actor, target = scene.actor, scene.character(options.target)
    assert_can_act(scene, actor)
    if actor.id == target.id:
        raise Mistake("One helps somebody else.", "To combine one's own skills, use the option add.")
    if is_in_combat(scene, actor.id):
        raise Mistake(
            "In combat helpers contribute over several rounds.",
            try_this=f"Use /swim fight buildup with {target.name} as its owner.",
        )
    skill = book(scene).find(options.skill)
    dice = max(0, rank_of(scene, actor, skill) - 1)
    sheet = sheet_of(actor)
    modifier = gear_for(scene, sheet, Role.TASK, skill).bonus + trait_modifier(sheet, skill)
    modifier += book(scene).die_bonus(skill)
    pledge = Pledge(character=actor.id, name=actor.name, skill=skill, dice=dice, modifier=modifier)
    kept = [one for one in _pledges(scene, target.id) if one.character != actor.id]
    scene = scene.with_document(pledges_key(target.id), Pledges(pledges=(*kept, pledge)))
    title = book(scene).title(skill)
    return Outcome(
        scene=scene,
        headline=f"helps {target.name} with {title}",
        notes=(f"Up to {dice} dice for {target.name}’s next roll, which they lead.",),
    )


def _pledges(scene: Scene, who: CharacterId) -> tuple[Pledge, ...]:
    found = scene.document(pledges_key(who))
    return found.pledges if isinstance(found, Pledges) else ()


def take_helpers(scene: Scene, who: CharacterId) -> tuple[Scene, tuple[Helper, ...]]:
    """What others lend to a roll; it is used up with it."""
    pledges = _pledges(scene, who)
    if not pledges:
        return scene, ()
    helpers = tuple(Helper(name=one.name, dice=one.dice, modifier=one.modifier) for one in pledges)
    return scene.with_document(pledges_key(who), None), helpers


HELPING_PROCEDURES = (Procedure(key="aid", options=AidOptions, run=aid),)
