"""Spells that no list has: the GM adds one to the campaign, and it is cast like any other."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import Document, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.entry import id_of
from bot.rules.rpj.module.module import Module, RpjSkill
from bot.rules.rpj.module.require_rules import Pack, require
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.module.spells import RpjSpell, SpellLevel, SpellSave

MOST_SPELLS = 100


class SpellOptions(Document):
    """A spell in the GM's words.

    Attributes:
        name: What it is called.
        level: From 0 to 6.
        skill: The magic skill that it belongs to; the first one where left out.
        about: What it does.
        attack: Whether it must hit.
        save: What is rolled against it.
        damage: What it does of damage.
        nonlethal: Whether its damage puts out instead of killing.
        range: How many regions it goes; one's own group where left out.
        actions: What it costs in a fight.
        minutes: How long it takes instead.
    """

    name: str = Field(min_length=1, max_length=60)
    level: SpellLevel
    skill: str = Field(default="", max_length=60)
    about: str = Field(default="", max_length=300)
    attack: bool = False
    save: RpjAttribute | None = None
    damage: int | None = Field(default=None, ge=-5, le=20)
    nonlethal: bool = False
    range: int | None = Field(default=None, ge=0, le=20)
    actions: int = Field(default=1, ge=0, le=6)
    minutes: int = Field(default=0, ge=0, le=10_000)


def _magic_skill(module: Module, typed: str) -> RpjSkill:
    """The magic skill that a GM has typed, or the first one.

    Raises:
        UserError: If there is no such magic skill.
    """
    found = [skill for rules in module.magic.skills if (skill := module.skill(rules.skill)) is not None]
    wanted = " ".join(typed.split()).casefold()
    for skill in found:
        if wanted in ("", skill.name.casefold(), skill.id):
            return skill
    names = ", ".join(skill.name for skill in found)
    raise UserError(
        f"{module.name} has no magic skill{f' “{typed}”' if wanted else ''}.",
        f"Its magic skills: {names}." if names else "A module states them; see /gm module.",
    )


def invented(module: Module, options: SpellOptions) -> RpjSpell:
    """The spell that a GM has put into words.

    Raises:
        UserError: If its name cannot be had, or the module has no such magic skill.

    Source: RPJ-SMAG-01, RPJ-SMAG-03, RPJ-SMAG-06, RPJ-SMAG-07.
    """
    id_ = id_of(options.name)
    if not id_:
        raise UserError("The name of a spell needs a letter or a digit from a-z and 0-9.")
    if module.spell(id_) is not None:
        raise UserError(
            f"{module.name} has a {module.magic.word} {options.name} already.", "Name it otherwise."
        )
    far = options.range
    return RpjSpell(
        id=id_,
        name=" ".join(options.name.split()),
        description=options.about.strip(),
        level=options.level,
        magic_skill=_magic_skill(module, options.skill).id,
        actions=options.actions,
        minutes=options.minutes,
        reach="one's own group" if far is None else "1 region" if far == 1 else f"{far} regions",
        greatest_range=far,
        is_attack=options.attack,
        save=None if options.save is None else SpellSave(attribute=options.save),
        damage=options.damage,
        is_nonlethal=options.nonlethal,
    )


def add_spell(scene: Scene, options: SpellOptions, _dice: Dice) -> Outcome:
    """Add a spell to the campaign; those whose skill knows all of its spells know it at once.

    Raises:
        UserError: If it cannot be.

    Source: RPJ-SMAG-01, RPJ-SMAG-10.
    """
    require(scene, Pack.STRUCTURED_MAGIC)
    settings = scene.settings
    if len(settings.spells) >= MOST_SPELLS:
        raise UserError(f"A campaign adds {MOST_SPELLS} spells at most.", "Put them into a module.")
    module = module_in(settings)
    spell = invented(module, options)
    skill = module.skill(spell.magic_skill)
    words = f"{module.magic.word} of level {spell.level}"
    rules = module.magic.of(spell.magic_skill)
    knows = "Whoever has its skill high enough knows it." if rules and rules.knows_all else ""
    teach = "" if knows else "Somebody knows it once you teach it: /rpj-magic gm teach."
    return Outcome(
        scene=replace(scene, settings=settings.with_spell(spell)),
        headline=f"adds {spell.name}, {words}{f', {skill.name}' if skill else ''}",
        notes=(knows or teach,),
    )


declare("add_spell", SpellOptions, add_spell, gm_only=True, needs_actor=False)
