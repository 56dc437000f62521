"""What only the GM changes about how characters grow: skills off the list, classes and their skills."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.rpj.advancement.skill_prices import class_skill_problems
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Outcome, OwnTrait, RpjSheet, Scene, TraitSource
from bot.rules.rpj.checks.skill_check_command import skill_named
from bot.rules.rpj.module.module import CharacterClass, ClassSkill, Module
from bot.rules.rpj.module.settings import module_in


class BlockOptions(Document):
    """A skill that nobody learns here and now, or may learn again.

    Attributes:
        skill: Its name or id.
        is_open: Whether it may be learned again.
    """

    skill: str = Field(max_length=100)
    is_open: bool = False


class ClassOptions(Document):
    """Another class, or other class skills.

    Attributes:
        target: Whose.
        class_name: The class; the one it has where left out.
        skills: The class skills, with commas between; those it has where left out.
    """

    target: CharacterId
    class_name: str = Field(default="", max_length=60)
    skills: str = Field(default="", max_length=300)


def block_skill(scene: Scene, options: BlockOptions, _dice: Dice) -> Outcome:
    """Take a skill off the list of what can be learned, until the GM lifts it.

    Source: RPJ-CHAR-16.
    """
    settings = scene.settings
    skill = skill_named(module_in(settings), options.skill)
    others = tuple(id_ for id_ in settings.blocked_skills if id_ != skill.id)
    if (others == settings.blocked_skills) is options.is_open:
        state = "can be learned already" if options.is_open else "cannot be learned already"
        raise UserError(f"{skill.name} {state}.")
    changed = settings.model_copy(
        update={"blocked_skills": others if options.is_open else (*others, skill.id)}
    )
    words = f"lets {skill.name} be learned again" if options.is_open else f"takes {skill.name} off the list"
    note = "" if options.is_open else "Nobody learns it until the GM lifts that."
    return Outcome(scene=replace(scene, settings=changed), headline=words, notes=(note,) if note else ())


declare("block_skill", BlockOptions, block_skill, gm_only=True, needs_actor=False)


def change_class(scene: Scene, options: ClassOptions, _dice: Dice) -> Outcome:
    """Give a character another class, or other class skills; its quirks change with it, points do not.

    Raises:
        UserError: If the module has no such class, or the class no such skills.

    Source: RPJ-CHAR-08 (R-065), RPJ-CHAR-11.
    """
    target = scene.character(options.target)
    module, sheet = figure_in(scene, target).module, target.sheet
    class_ = _class_named(module, options.class_name) if options.class_name else None
    class_ = class_ or module.character_class(sheet.class_id)
    if class_ is None:
        raise UserError(f"{target.name} has no class.", "Name one.")
    wanted = _picks(module, class_, options.skills) if options.skills else sheet.class_skills
    problems = tuple(class_skill_problems(class_, wanted, module))
    if problems:
        offered = ", ".join(_words(module, pick) for pick in class_.skills)
        raise UserErrors((*problems, f"Its list: {offered}."))
    changed = _with_class(sheet, class_, wanted)
    named = ", ".join(_words(module, pick) for pick in wanted)
    return Outcome(
        scene=scene.with_character(replace(target, sheet=changed)),
        headline=f"makes {target.name} a {class_.name}",
        notes=(f"Class skills: {named}.",),
    )


declare("change_class", ClassOptions, change_class, gm_only=True, needs_actor=False)


def _with_class(sheet: RpjSheet, class_: CharacterClass, wanted: tuple[ClassSkill, ...]) -> RpjSheet:
    """The sheet with a class and its quirks; those of the class before go."""
    kept = [own for own in sheet.traits if own.source is not TraitSource.CLASS]
    quirks = [OwnTrait(trait=quirk, source=TraitSource.CLASS) for quirk in class_.quirks]
    return sheet.model_copy(
        update={"class_id": class_.id, "class_skills": wanted, "traits": (*quirks, *kept)}
    )


def _class_named(module: Module, typed: str) -> CharacterClass:
    wanted = " ".join(typed.split()).casefold()
    for class_ in module.classes:
        if wanted in (class_.name.casefold(), class_.id):
            return class_
    raise UserError(
        f"{module.name} has no class “{typed}”.",
        f"Its classes: {', '.join(class_.name for class_ in module.classes) or 'none'}.",
    )


def _words(module: Module, pick: ClassSkill) -> str:
    skill = module.skill(pick.skill)
    name = skill.name if skill else pick.skill
    return f"{name} ({pick.specialty})" if pick.specialty else name


def _picks(module: Module, class_: CharacterClass, typed: str) -> tuple[ClassSkill, ...]:
    """The class skills that somebody has typed, by what they are called on the list of the class."""
    offered = {_words(module, pick).casefold(): pick for pick in class_.skills}
    wanted = [" ".join(part.split()) for part in typed.split(",") if part.strip()]
    unknown = [part for part in wanted if part.casefold() not in offered]
    if unknown:
        raise UserError(
            f"{unknown[0]} is not on the list of {class_.name}.",
            f"Its list: {', '.join(_words(module, pick) for pick in class_.skills)}.",
        )
    return tuple(offered[part.casefold()] for part in wanted)
