"""The GM's advancement commands: blocking skills, changing classes and class skills."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.rpj.advancement.skill_prices import class_skill_problems
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Outcome, OwnTrait, RpjSheet, Scene, TraitSource
from bot.rules.rpj.checks.skill_check_command import skill_named
from bot.rules.rpj.module.module import CharacterClass, ClassSkill, Module
from bot.rules.rpj.module.settings import module_in


class BlockOptions(Document):
    """The options of blocking a skill.

    Attributes:
        skill: Its name or id.
        is_open: Whether it is allowed again.
    """

    skill: str = Field(max_length=100)
    is_open: bool = False


class ClassOptions(Document):
    """The options of changing a class.

    Attributes:
        target: The character.
        class_name: The class; unchanged by default.
        skills: The class skills, separated by commas; unchanged by default.
    """

    target: CharacterId
    class_name: str = Field(default="", max_length=60)
    skills: str = Field(default="", max_length=300)


def block_skill(scene: Scene, options: BlockOptions, _dice: Dice) -> Outcome:
    """Block a skill from being learned or raised, until the GM allows it again.

    Source: RPJ-CHAR-16.
    """
    settings = scene.settings
    skill = skill_named(module_in(settings), options.skill)
    others = tuple(id_ for id_ in settings.blocked_skills if id_ != skill.id)
    if (others == settings.blocked_skills) is options.is_open:
        state = "isn't blocked" if options.is_open else "is already blocked"
        raise UserError(f"{skill.name} {state}.")
    changed = evolve(settings, blocked_skills=others if options.is_open else (*others, skill.id))
    words = f"allows learning {skill.name} again" if options.is_open else f"blocks learning {skill.name}"
    note = "" if options.is_open else "Nobody can learn or raise it until the GM allows it again."
    return Outcome(scene=replace(scene, settings=changed), headline=words, notes=(note,) if note else ())


declare("block_skill", BlockOptions, block_skill, gm_only=True, needs_actor=False)


def change_class(scene: Scene, options: ClassOptions, _dice: Dice) -> Outcome:
    """Change a character's class or class skills; the quirks change with it, points do not.

    Raises:
        UserError: If the module has no such class, or the class no such skills.

    Source: RPJ-CHAR-08 (R-065), RPJ-CHAR-11.
    """
    target = scene.character(options.target)
    module, sheet = figure_in(scene, target).module, target.sheet
    class_ = _class_named(module, options.class_name) if options.class_name else None
    class_ = class_ or module.character_class(sheet.class_id)
    if class_ is None:
        raise UserError(f"{target.name} has no class.", "Choose one.")
    wanted = _picks(module, class_, options.skills) if options.skills else sheet.class_skills
    problems = tuple(class_skill_problems(class_, wanted, module))
    if problems:
        offered = ", ".join(_words(module, pick) for pick in class_.skills)
        raise UserErrors((*problems, f"Its class skills: {offered}."))
    changed = _with_class(sheet, class_, wanted)
    named = ", ".join(_words(module, pick) for pick in wanted)
    return Outcome(
        scene=scene.with_sheet(target, changed),
        headline=f"changes {target.name}'s class to {class_.name}",
        notes=(f"Class skills: {named}.",),
    )


declare("change_class", ClassOptions, change_class, gm_only=True, needs_actor=False)


def _with_class(sheet: RpjSheet, class_: CharacterClass, wanted: tuple[ClassSkill, ...]) -> RpjSheet:
    """The sheet with a class and its quirks, without those of the class before."""
    others = [own for own in sheet.traits if own.source is not TraitSource.CLASS]
    quirks = [OwnTrait(trait=quirk, source=TraitSource.CLASS) for quirk in class_.quirks]
    return evolve(sheet, class_id=class_.id, class_skills=wanted, traits=(*quirks, *others))


def _class_named(module: Module, typed: str) -> CharacterClass:
    wanted = " ".join(typed.split()).casefold()
    for class_ in module.classes:
        if wanted in (class_.name.casefold(), class_.id):
            return class_
    raise UserError(
        f"{module.name} has no class called “{typed}”.",
        f"Its classes: {', '.join(class_.name for class_ in module.classes) or 'none'}.",
    )


def _words(module: Module, pick: ClassSkill) -> str:
    skill = module.skill(pick.skill)
    name = skill.name if skill else pick.skill
    return f"{name} ({pick.specialty})" if pick.specialty else name


def _picks(module: Module, class_: CharacterClass, typed: str) -> tuple[ClassSkill, ...]:
    """The class skills a person typed, by their names on the list of the class."""
    offered = {_words(module, pick).casefold(): pick for pick in class_.skills}
    wanted = [" ".join(part.split()) for part in typed.split(",") if part.strip()]
    unknown = [part for part in wanted if part.casefold() not in offered]
    if unknown:
        raise UserError(
            f"{unknown[0]} isn't a class skill of {class_.name}.",
            f"Its class skills: {', '.join(_words(module, pick) for pick in class_.skills)}.",
        )
    return tuple(offered[part.casefold()] for part in wanted)
