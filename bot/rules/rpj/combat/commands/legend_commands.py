"""Legendary foes: they lose no saves and are defeated in stages."""

from dataclasses import replace

from pydantic import Field

from bot.rules.kernel import Audience, Document, FollowUp, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.combat.commands.turn_commands import commanded
from bot.rules.rpj.combat.engine.stack import outcome
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.cinematic import Legend
from bot.rules.rpj.combat.state.combatant import RpjCombatant, RpjKind
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.require_rules import Pack, require


class LegendOptions(Document):
    """The options of making a foe legendary.

    Attributes:
        who: Which one.
        stages: How many stages it takes.
    """

    who: str = Field(min_length=1, max_length=100)
    stages: int = Field(default=3, ge=1, le=20)


class RpjFoeOptions(Document):
    """The options of a command about a legendary foe."""

    who: str = Field(min_length=1, max_length=100)


def _legend(stage: Stage, typed: str) -> tuple[RpjCombatant, Legend]:
    who = commanded(stage, typed)
    found = stage.fight.legends.get(who.id)
    if found is None:
        raise UserError(
            f"{who.name} isn't a legendary foe.", try_this="Make one with /rpj-gm-fight cinema legend."
        )
    return who, found


def _stage_words(who: RpjCombatant, legend: Legend) -> str:
    """A legendary foe's stage, which its button refers to."""
    return f"{who.name} at {legend.reached} of {legend.stages} stages"


def _stage_outcome(stage: Stage, who: RpjCombatant, legend: Legend, headline: str) -> Outcome:
    """The outcome with a legendary foe's stage and the GM's next button."""
    legends = {**stage.fight.legends, who.id: legend}
    stage = stage.changed(legends=legends)
    done = legend.can_be_finished
    button = FollowUp(
        procedure="fight.legend_finish" if done else "fight.legend_on",
        options=RpjFoeOptions(who=who.id),
        label=f"{'Finish' if done else 'Weaken'} {who.name[:40]} (GM)",
        audience=Audience.GM,
        group="legend",
        deal=_stage_words(who, legend),
    )
    stage = replace(stage, buttons=(*stage.buttons, button))
    words = f"{who.name}: {legend.reached} of {legend.stages} stages."
    return outcome(stage.noted(words), headline, who)


def legend_begin(scene: Scene, options: LegendOptions, _dice: Dice) -> Outcome:
    """Make a foe legendary: it loses no saves and is defeated in stages.

    Raises:
        UserError: If it is a mook.

    Source: RPJ-CINE-06 (CINE-06a).
    """
    require(scene, Pack.CINEMATIC_COMBAT)
    who = commanded(Stage.of(scene), options.who)
    if who.character is None or who.kind is RpjKind.MOOK:
        raise UserError(f"{who.name} is a mook.", "Mooks can't be legendary foes.")
    character = scene.character(who.character)
    sheet = evolve(character.sheet, has_unlimited_saves=True)
    stage = Stage.of(scene.with_sheet(character, sheet))
    return _stage_outcome(stage, who, Legend(stages=options.stages), f"makes {who.name} a legendary foe")


declare("fight.legend", LegendOptions, legend_begin, gm_only=True, needs_actor=False)


def legend_on(scene: Scene, options: RpjFoeOptions, _dice: Dice) -> Outcome:
    """Bring a legendary foe down by a stage.

    Raises:
        UserError: If it is as weak as it gets.

    Source: RPJ-CINE-06 (CINE-06a).
    """
    require(scene, Pack.CINEMATIC_COMBAT)
    stage = Stage.of(scene)
    who, legend = _legend(stage, options.who)
    done = _stage_outcome(stage, who, legend.advanced(), f"weakens {who.name}")
    return replace(done, deal=_stage_words(who, legend))


declare("fight.legend_on", RpjFoeOptions, legend_on, gm_only=True, needs_actor=False)


def legend_finish(scene: Scene, options: RpjFoeOptions, _dice: Dice) -> Outcome:
    """Defeat a legendary foe.

    Raises:
        UserError: If stages are left.

    Source: RPJ-CINE-06 (CINE-06a).
    """
    require(scene, Pack.CINEMATIC_COMBAT)
    stage = Stage.of(scene)
    who, legend = _legend(stage, options.who)
    legend.assert_can_be_finished()
    health = evolve(stage.battle[who.id].health, out=Out.DEAD)
    done = outcome(stage.with_health(who.id, health), f"defeats {who.name}", who)
    return replace(done, deal=_stage_words(who, legend))


declare("fight.legend_finish", RpjFoeOptions, legend_finish, gm_only=True, needs_actor=False)
