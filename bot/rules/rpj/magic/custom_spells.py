"""Custom spells: the GM adds one to the campaign, and it is cast like any other."""

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
    """The options of a custom spell.

    Attributes:
        name: Its name.
        level: From 0 to 6.
        skill: Its magic skill; by default the first.
        about: What it does.
        attack: Whether it needs an attack roll.
        save: The roll to resist it.
        damage: Its damage.
        nonlethal: Whether its damage knocks out instead of killing.
        range: Its range in regions; by default the caster's group.
        actions: Actions it takes in a fight.
        minutes: Casting time in minutes instead.
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
    """The magic skill the GM typed, or the first one.

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
        f"{module.name} has no magic skill{f' called “{typed}”' if wanted else ''}.",
        f"Its magic skills: {names}." if names else "A module defines them; see /gm module.",
    )


def invented(module: Module, options: SpellOptions) -> RpjSpell:
    """The custom spell of these options.

    Raises:
        UserError: If its name is invalid or taken, or the module has no such magic skill.

    Source: RPJ-SMAG-01, RPJ-SMAG-03, RPJ-SMAG-06, RPJ-SMAG-07.
    """
    id_ = id_of(options.name)
    if not id_:
        raise UserError("A spell's name needs at least one visible character.")
    if module.spell(id_) is not None:
        raise UserError(
            f"{module.name} already has a {module.magic.word} called {options.name}.", "Choose another name."
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
        reach="your group" if far is None else "1 region" if far == 1 else f"{far} regions",
        greatest_range=far,
        is_attack=options.attack,
        save=None if options.save is None else SpellSave(attribute=options.save),
        damage=options.damage,
        is_nonlethal=options.nonlethal,
    )


def add_spell(scene: Scene, options: SpellOptions, _dice: Dice) -> Outcome:
    """Add a spell to the campaign; casters whose skill knows all its spells know it at once.

    Raises:
        UserError: If it cannot be added.

    Source: RPJ-SMAG-01, RPJ-SMAG-10.
    """
    require(scene, Pack.STRUCTURED_MAGIC)
    settings = scene.settings
    if len(settings.spells) >= MOST_SPELLS:
        raise UserError(f"A campaign can have {MOST_SPELLS} spells of its own.", "Put more into a module.")
    module = module_in(settings)
    spell = invented(module, options)
    skill = module.skill(spell.magic_skill)
    words = f"level {spell.level} {module.magic.word}"
    rules = module.magic.of(spell.magic_skill)
    knows = "Everyone with a high enough skill knows it." if rules and rules.knows_all else ""
    teach = "" if knows else "Teach it with /rpj-gm magic teach."
    return Outcome(
        scene=replace(scene, settings=settings.with_spell(spell)),
        headline=f"adds {spell.name} ({words}{f', {skill.name}' if skill else ''})",
        notes=(knows or teach,),
    )


declare("add_spell", SpellOptions, add_spell, gm_only=True, needs_actor=False)
