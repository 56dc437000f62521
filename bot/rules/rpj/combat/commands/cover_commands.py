"""The cover commands of the GM, and hints about actions and target numbers."""

from dataclasses import replace
from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import Document, NoOptions, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.combat.commands.fire_menu import fire_choices, target_lines
from bot.rules.rpj.combat.commands.turn_commands import (
    actor_of,
    begun_stage,
    commanded,
    cover_named,
    region_named,
)
from bot.rules.rpj.combat.commands.turn_menu import attack_choices
from bot.rules.rpj.combat.engine.stack import outcome
from bot.rules.rpj.combat.rules.shooting import plays_fire
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.cover import USUAL_QUALITIES, RpjCover, written_cover
from bot.rules.rpj.combat.state.fight import PlacedCover
from bot.rules.rpj.module.require_rules import Pack, require

MOST_LINES = 20
HIDDEN_ADVICE = "In cover: don't move or attack to cower. Your cover counts double until your next turn."
OPEN_ADVICE = "Against cover: Suppressive Fire ignores cover, halves defenses and covers a whole group."


class RpjPreset(StrEnum):
    """Common kinds of cover, by name.

    Source: RPJ-FIRE-13.
    """

    CONCEALMENT = "concealment"
    BUSH = "bush"
    CAR = "car"
    TREE = "tree"
    WALL = "wall"


PRESETS = {
    RpjPreset.CONCEALMENT: "+1/0f",
    RpjPreset.BUSH: "+2/0f",
    RpjPreset.CAR: "+3/1f",
    RpjPreset.TREE: "+4/0f",
    RpjPreset.WALL: "+6/0f",
}


class RpjCoverOptions(Document):
    """The options of placing cover.

    Attributes:
        what: A usual kind by name, or quality and flanking distance: "+3/1f".
        name: What it is called.
        region: Where; where the one named stands where left out.
        behind: Somebody whose group is in it; nobody is yet where left out.
        conceals: Whether it hides the helpless completely.
        lasting: Whether nothing destroys it.
    """

    what: str = Field(min_length=1, max_length=40)
    name: str = Field(default="", max_length=40)
    region: str = Field(default="", max_length=60)
    behind: str = Field(default="", max_length=100)
    conceals: bool = False
    lasting: bool = False


class UncoverOptions(Document):
    """The options of removing cover."""

    cover: str = Field(min_length=1, max_length=60)


def _stage(scene: Scene) -> Stage:
    require(scene, Pack.FIRE_AND_MOVEMENT)
    return Stage.of(scene)


def _cover_of(options: RpjCoverOptions) -> RpjCover:
    """Read typed cover.

    Raises:
        UserError: If it is neither a usual kind nor in the notation.

    Source: RPJ-FIRE-12, RPJ-FIRE-13.
    """
    typed = options.what.strip().casefold()
    text = PRESETS[RpjPreset(typed)] if typed in list(RpjPreset) else typed
    cover = written_cover(text, options.name.strip() or (typed if typed in list(RpjPreset) else "cover"))
    return evolve(cover, conceals=options.conceals, destructible=not options.lasting)


def put_cover(scene: Scene, options: RpjCoverOptions, _dice: Dice) -> Outcome:
    """Place cover around a group or empty; repeat for more groups.

    Source: RPJ-FIRE-12, RPJ-FIRE-13.
    """
    stage = _stage(scene)
    cover, fight = _cover_of(options), stage.fight
    friend = commanded(stage, options.behind) if options.behind else None
    region = region_named(stage, options.region) or (friend.region if friend else None)
    if region is None:
        raise UserError("Where?", try_this="Choose a region, or someone behind the cover.")
    if friend is not None and friend.region != region:
        raise UserError(f"{friend.name} is in {fight.field.name(friend.region)}.")
    known = cover_named(stage, cover.name, str(region))
    group = friend.group if friend else fight.new_group
    groups = (*known.groups, group) if known else (group,)
    id_ = known.id if known else max((one.id for one in fight.covers), default=0) + 1
    is_hidden = friend is not None and friend.is_hidden and (known is None or known.is_hidden)
    placed = PlacedCover(
        id=id_, cover=cover, region=region, groups=tuple(dict.fromkeys(groups)), is_hidden=is_hidden
    )
    stage = stage.with_battle(stage.battle.with_fight(fight.with_cover(placed)))
    who = f", around the group of {friend.name}" if friend else ""
    notes = [f"{cover.name} {cover} in {fight.field.name(region)}{who}."]
    if cover.quality not in USUAL_QUALITIES:
        notes.append("Cover is usually +1 to +6.")
    about = () if friend is None else (friend,)
    return outcome(stage.noted(*notes), f"places cover: {cover.name}", *about)


declare("fire.cover", RpjCoverOptions, put_cover, gm_only=True, needs_actor=False)


def take_cover_away(scene: Scene, options: UncoverOptions, _dice: Dice) -> Outcome:
    """Remove cover; combatants in it are in the open.

    Source: RPJ-FIRE-12, RPJ-GM-04.
    """
    stage = _stage(scene)
    placed = cover_named(stage, options.cover)
    if placed is None:
        names = ", ".join(one.cover.name for one in stage.fight.covers)
        raise UserError(f"There is no cover called {options.cover}.", f"Cover here: {names or 'none'}.")
    is_known = placed in stage.fight.known_covers
    stage = stage.with_battle(stage.battle.with_fight(stage.fight.without_cover(placed.id)))
    return replace(outcome(stage, f"takes the {placed.cover.name} away"), is_public=is_known)


declare("fire.uncover", UncoverOptions, take_cover_away, gm_only=True, needs_actor=False)


def hint(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the current options with costs and chances.

    Source: RPJ-FIRE-33.
    """
    require(scene, Pack.FIRE_AND_MOVEMENT)
    stage = begun_stage(scene)
    own = actor_of(stage)
    stage.battle.assert_turn(own.id)
    open_ = [f"{choice.label} (1 action)" for choice in attack_choices(stage, own)]
    open_ += [choice.label for choice in fire_choices(stage, own)]
    advice = HIDDEN_ADVICE if stage.fight.covers_of(own) else OPEN_ADVICE
    return Outcome(
        scene=scene,
        headline="looks at their options",
        notes=(advice, *open_[:MOST_LINES]),
        is_public=False,
    )


declare("fire.hint", NoOptions, hint)


def targets(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show what shots need to hit, from and at the character, part by part.

    Source: RPJ-FIRE-16, RPJ-FIRE-34.
    """
    stage = _stage(scene)
    lines = tuple(target_lines(stage, actor_of(stage))) if plays_fire(stage.battle) else ()
    none = ("There are no targets to shoot at.",)
    return Outcome(
        scene=scene,
        headline="checks what shots need to hit",
        notes=lines[:MOST_LINES] or none,
        is_public=False,
    )


declare("fire.targets", NoOptions, targets)
