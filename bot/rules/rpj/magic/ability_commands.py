"""The commands for saved abilities: listing, deleting and practicing them."""

from collections.abc import Sequence

from pydantic import Field

from bot.rules.kernel import Document, DueTimer, NoOptions, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import shown_number
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import HookResult, Outcome, Scene
from bot.rules.rpj.character.stamina import after_practice, begin_practice
from bot.rules.rpj.magic.ability_users import abilities_of, ability_named, stamina_of, with_wild
from bot.rules.rpj.module.require_rules import Pack, require
from bot.rules.rpj.module.settings import module_in

PRACTICE = "practice"


class NamedOptions(Document):
    """The options of a command about a saved ability."""

    ability: str = Field(max_length=100)


def forget(scene: Scene, options: NamedOptions, _dice: Dice) -> Outcome:
    """Delete a saved ability."""
    require(scene, Pack.WILD_MAGIC)
    actor = scene.actor
    wild = actor.sheet.wild
    ability = wild.ability(options.ability)
    if ability is None:
        raise UserError(f"You have no saved ability called “{options.ability}”.")
    rest = tuple(one for one in wild.abilities if one != ability)
    after = evolve(wild, abilities=rest)
    return Outcome(scene=with_wild(scene, actor.id, after), headline=f"deletes the ability {ability.name}")


declare("forget_ability", NamedOptions, forget)


def practice(scene: Scene, options: NamedOptions, _dice: Dice) -> Outcome:
    """Start a month of practice, after which an ability costs one less permanently.

    Raises:
        UserError: If practice would do nothing.

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
    scene = with_wild(scene, actor.id, begun)
    until = begun.practice.until if begun.practice else scene.clock
    scene = scene.with_character(scene.character(actor.id).with_timer(PRACTICE, until))
    notes = (f"Practicing {dropped.ability} stops.",) if dropped else ()
    return Outcome(scene=scene, headline=f"starts practicing {ability.name} for a month", notes=notes)


declare("practice", NamedOptions, practice)


def ability_lines(figure: Stats) -> tuple[str, ...]:
    """Stamina, and every ability with its cost.

    Source: RPJ-WMAG-06, RPJ-WMAG-20.
    """
    left, most = stamina_of(figure)
    lines = [f"Stamina {shown_number(left)} of {most}"]
    for one in abilities_of(figure):
        marks = " · practiced" if one.is_practiced else " · from the module" if one.is_premade else ""
        lines.append(f"{one.name} · cost {one.cost}{marks}")
    if figure.sheet.wild.practice:
        lines.append(f"Practicing: {figure.sheet.wild.practice.ability}")
    return tuple(lines)


def look(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the character's abilities."""
    require(scene, Pack.WILD_MAGIC)
    lines = ability_lines(figure_in(scene, scene.actor))
    return Outcome(scene=scene, headline="looks at their abilities", notes=lines, is_public=False)


declare("abilities", NoOptions, look)


def practice_ends(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """End a month of practice: the ability costs one less from now on.

    Source: RPJ-WMAG-21.
    """
    notes: list[str] = []
    for timer in due:
        character = scene.character(timer.character)
        before = character.sheet.wild
        scene = with_wild(scene, character.id, after_practice(before, scene.clock))
        scene = scene.with_character(scene.character(character.id).with_timer(PRACTICE, None))
        if before.practice is not None:
            notes.append(f"{character.name} has practiced {before.practice.ability}: it costs 1 less.")
    return HookResult(scene=scene, notes=tuple(notes))
