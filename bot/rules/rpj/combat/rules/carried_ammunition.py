"""Carried ammunition: showing, swapping, giving and resupplying it."""

from collections.abc import Iterable

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, NoOptions, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Character, Outcome, Scene
from bot.rules.rpj.combat.rules.ammunition_in_fights import (
    after_fight,
    ammunition_of,
    magazine_of,
    supplied,
    with_ammunition,
)
from bot.rules.rpj.combat.state.combatant import RpjCombatant, RpjKind
from bot.rules.rpj.module.ammunition import MOST_STEPS, Ammunition, given, step_name, swapped
from bot.rules.rpj.module.items import RpjWeapon
from bot.rules.rpj.module.require_rules import Pack, require


class SwapAmmunitionOptions(Document):
    """The options of swapping ammunition."""

    one: str = Field(min_length=1, max_length=60)
    other: str = Field(min_length=1, max_length=60)


class RpjGiveOptions(Document):
    """The options of giving ammunition.

    Attributes:
        to: Whom.
        weapon: Which weapon of one's own it is for.
        theirs: Which weapon of theirs; the same where left out.
        steps: How many steps.
    """

    to: CharacterId
    weapon: str = Field(min_length=1, max_length=60)
    theirs: str = Field(default="", max_length=60)
    steps: int = Field(default=1, ge=1, le=MOST_STEPS)


class ResupplyOptions(Document):
    """The options of resupplying.

    Attributes:
        target: Who it is.
        weapon: Which weapon.
        step: 0 None, 1 A Little, 2 Some, 3 Lots, above that Lots and more.
        loaded: Rounds of use in it; full where left out.
    """

    target: CharacterId
    weapon: str = Field(min_length=1, max_length=60)
    step: int = Field(default=3, ge=0, le=MOST_STEPS)
    loaded: int | None = Field(default=None, ge=0, le=100)


def resupplied(scene: Scene, fighters: Iterable[RpjCombatant]) -> tuple[Scene, tuple[str, ...]]:
    """The scene after a fight: magazines are full, and ammunition used twice or more is one step lower.

    Source: RPJ-FIRE-05, RPJ-FIRE-04 (FIRE-04a).
    """
    notes: list[str] = []
    for fighter in fighters:
        if fighter.character is None or fighter.kind is RpjKind.MOOK:
            continue
        character = scene.character(fighter.character)
        is_tracked = fighter.kind is RpjKind.PLAYER
        figure, less = after_fight(figure_in(scene, character), is_tracked=is_tracked)
        scene = _kept(scene, character, figure)
        notes += [f"{character.name}'s {words}." for words in less]
    return scene, tuple(notes)


def _kept(scene: Scene, character: Character, figure: Stats) -> Scene:
    sheet = scene.character(character.id).sheet
    if not figure.sheet.ammunition or figure.sheet == sheet:
        return scene
    return scene.with_sheet(scene.character(character.id), figure.sheet)


def loaded_weapon(figure: Stats, typed: str) -> RpjWeapon:
    """A weapon that needs ammunition, by name or id.

    Raises:
        UserError: If there is none called so.

    Source: RPJ-FIRE-02.
    """
    wanted = typed.strip().casefold()
    found = [weapon for weapon, _magazine, _had in supplied(figure)]
    weapon = next((one for one in found if wanted in (one.id, one.name.casefold())), None)
    if weapon is None:
        names = ", ".join(one.name for one in found)
        what = f"“{typed}” uses no ammunition here." if wanted else "You have no weapon that uses ammunition."
        raise UserError(what, f"Weapons that do: {names}." if names else "No weapon of yours does.")
    return weapon


def _had(figure: Stats, weapon: RpjWeapon) -> Ammunition:
    magazine = magazine_of(figure, weapon.id)
    assert magazine is not None  # noqa: S101  # the weapon was found by its magazine
    return ammunition_of(figure, weapon.id, magazine)


def ammunition_line(figure: Stats, weapon: str) -> str:
    """A weapon's ammunition: "loaded 2/3 · Lots"; empty if it needs none.

    Source: RPJ-FIRE-04.
    """
    magazine = magazine_of(figure, weapon)
    if magazine is None:
        return ""
    had = ammunition_of(figure, weapon, magazine)
    return f"loaded {had.loaded}/{magazine.capacity} · {step_name(had.step)}"


def show_ammunition(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show what is loaded and carried for each weapon.

    Source: RPJ-FIRE-04.
    """
    require(scene, Pack.FIRE_AND_MOVEMENT)
    figure = figure_in(scene, scene.actor)
    lines = tuple(
        f"{weapon.name}: {ammunition_line(figure, weapon.id)}" for weapon, _m, _h in supplied(figure)
    )
    none = ("None of their weapons use ammunition.",)
    return Outcome(scene=scene, headline="checks their ammunition", notes=lines or none, is_public=False)


declare("fire.ammunition", NoOptions, show_ammunition)


def swap_ammunition(scene: Scene, options: SwapAmmunitionOptions, _dice: Dice) -> Outcome:
    """Swap the ammunition carried for two weapons of the same kind.

    Source: RPJ-FIRE-06.
    """
    require(scene, Pack.FIRE_AND_MOVEMENT)
    figure = figure_in(scene, scene.actor)
    one, other = loaded_weapon(figure, options.one), loaded_weapon(figure, options.other)
    if one.ammunition is None or other.ammunition is None or one.id == other.id:
        raise UserError("Choose two different weapons.")
    first, second = _had(figure, one), _had(figure, other)
    changed = swapped((one.ammunition, first), (other.ammunition, second))
    after = with_ammunition(with_ammunition(figure, one.id, changed[0]), other.id, changed[1])
    notes = (
        f"{one.name}: {step_name(first.step)} → {step_name(second.step)}",
        f"{other.name}: {step_name(second.step)} → {step_name(first.step)}",
    )
    return Outcome(scene=_kept(scene, scene.actor, after), headline="swaps ammunition", notes=notes)


declare("fire.swap", SwapAmmunitionOptions, swap_ammunition)


def give_ammunition(scene: Scene, options: RpjGiveOptions, _dice: Dice) -> Outcome:
    """Give someone ammunition, step by step.

    Source: RPJ-FIRE-07 (FIRE-07a).
    """
    require(scene, Pack.FIRE_AND_MOVEMENT)
    actor, taker = scene.actor, scene.character(options.to)
    if actor.id == taker.id:
        raise UserError(
            "You can't give ammunition to yourself.", try_this="Use /rpj-fire swap between your own weapons."
        )
    mine, theirs = figure_in(scene, actor), figure_in(scene, taker)
    own, into = loaded_weapon(mine, options.weapon), loaded_weapon(theirs, options.theirs or options.weapon)
    if own.ammunition is None or into.ammunition is None or own.ammunition.type != into.ammunition.type:
        raise UserError("These two weapons use different ammunition.")
    had, has = _had(mine, own), _had(theirs, into)
    left, more = given(had, has, options.steps)
    scene = _kept(scene, actor, with_ammunition(mine, own.id, left))
    scene = _kept(scene, taker, with_ammunition(theirs, into.id, more))
    notes = (
        f"{actor.name}'s {own.name}: {step_name(had.step)} → {step_name(left.step)}",
        f"{taker.name}'s {into.name}: {step_name(has.step)} → {step_name(more.step)}",
    )
    return Outcome(scene=scene, headline=f"gives {taker.name} ammunition", notes=notes)


declare("fire.give", RpjGiveOptions, give_ammunition)


def resupply(scene: Scene, options: ResupplyOptions, _dice: Dice) -> Outcome:
    """Set how much ammunition a character carries for a weapon.

    Source: RPJ-FIRE-07.
    """
    require(scene, Pack.FIRE_AND_MOVEMENT)
    target = scene.character(options.target)
    figure = figure_in(scene, target)
    weapon = loaded_weapon(figure, options.weapon)
    had, capacity = _had(figure, weapon), weapon.ammunition.capacity if weapon.ammunition else 0
    loaded = capacity if options.loaded is None else min(options.loaded, capacity)
    after = evolve(had, loaded=loaded, step=options.step)
    return Outcome(
        scene=_kept(scene, target, with_ammunition(figure, weapon.id, after)),
        headline=f"resupplies {target.name}",
        notes=(
            f"{weapon.name}: {step_name(had.step)} → {step_name(options.step)}, loaded {loaded}/{capacity}",
        ),
    )


declare("fire.resupply", ResupplyOptions, resupply, gm_only=True, needs_actor=False)
