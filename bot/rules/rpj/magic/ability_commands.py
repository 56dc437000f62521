"""Abilities that are kept: looking at them, giving them up, and a month of practice."""

from collections.abc import Sequence

from pydantic import Field

from bot.rules.kernel import Document, DueTimer, NoOptions, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import HookResult, Outcome, Scene
from bot.rules.rpj.character.stamina import after_practice, begin_practice
from bot.rules.rpj.magic.ability_users import abilities_of, ability_named, kept_wild, stamina_of
from bot.rules.rpj.module.require_rules import Pack, require
from bot.rules.rpj.module.settings import module_in

PRACTICE = "practice"


class NamedOptions(Document):
    """One of somebody's abilities."""

    ability: str = Field(max_length=100)


def forget(scene: Scene, options: NamedOptions, _dice: Dice) -> Outcome:
    """Give a saved ability up."""
    require(scene, Pack.WILD_MAGIC)
    actor = scene.actor
    wild = actor.sheet.wild
    ability = wild.ability(options.ability)
    if ability is None:
        raise UserError(f"There is no saved ability “{options.ability}”.")
    rest = tuple(one for one in wild.abilities if one != ability)
    after = wild.model_copy(update={"abilities": rest})
    return Outcome(scene=kept_wild(scene, actor.id, after), headline=f"gives {ability.name} up")


declare("forget_ability", NamedOptions, forget)


def practice(scene: Scene, options: NamedOptions, _dice: Dice) -> Outcome:
    """Begin a month of practice, after which an ability costs one less for good.

    Raises:
        UserError: If practice leads nowhere.

    Source: RPJ-WMAG-21.
    """
    require(scene, Pack.PRACTICED_IMPROVISATION)
    actor = scene.actor
    figure = figure_in(scene, actor)
    ability = ability_named(figure, options.ability)
    wild = actor.sheet.wild
    dropped = wild.practice
    days = module_in(scene.settings).money.month_days
    begun = begin_practice(wild, ability, scene.clock, days)
    scene = kept_wild(scene, actor.id, begun)
    until = begun.practice.until if begun.practice else scene.clock
    scene = scene.with_character(scene.character(actor.id).with_timer(PRACTICE, until))
    notes = (f"The practice of {dropped.ability} is dropped.",) if dropped else ()
    return Outcome(scene=scene, headline=f"practices {ability.name} for a month", notes=notes)


declare("practice", NamedOptions, practice)


def ability_lines(figure: Stats) -> tuple[str, ...]:
    """Stamina, and every ability with its cost.

    Source: RPJ-WMAG-06, RPJ-WMAG-20.
    """
    left, most = stamina_of(figure)
    lines = [f"Stamina {left} of {most}".replace("-", "−")]
    for one in abilities_of(figure):
        marks = " · practiced" if one.is_practiced else " · of the module" if one.is_premade else ""
        lines.append(f"{one.name} · cost {one.cost}{marks}")
    if figure.sheet.wild.practice:
        lines.append(f"In practice: {figure.sheet.wild.practice.ability}")
    return tuple(lines)


def look(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Look at one's own abilities."""
    require(scene, Pack.WILD_MAGIC)
    lines = ability_lines(figure_in(scene, scene.actor))
    return Outcome(scene=scene, headline="goes through the abilities", notes=lines, is_public=False)


declare("abilities", NoOptions, look)


def practice_ends(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """Let a month of practice end: the ability costs one less from now on.

    Source: RPJ-WMAG-21.
    """
    notes: list[str] = []
    for timer in due:
        character = scene.character(timer.character)
        before = character.sheet.wild
        scene = kept_wild(scene, character.id, after_practice(before, scene.clock))
        scene = scene.with_character(scene.character(character.id).with_timer(PRACTICE, None))
        if before.practice is not None:
            notes.append(f"{character.name} has practiced {before.practice.ability}: it costs 1 less.")
    return HookResult(scene=scene, notes=tuple(notes))
