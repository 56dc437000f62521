"""RPJ's rules for the encounter tracker: opening, leaving and ending fights."""

from bot.rules.kernel import Audience, CharacterId, FollowUp
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.health_changes import with_health
from bot.rules.rpj.character.sheet import Outcome, RpjSheet, Scene
from bot.rules.rpj.combat.commands.cinematic_commands import ModeOptions
from bot.rules.rpj.combat.commands.encounter_hooks import (
    advance,
    begin,
    delay,
    enter,
    opened,
    reorder,
    unrolled,
)
from bot.rules.rpj.combat.commands.gm_commands import FieldOptions
from bot.rules.rpj.combat.commands.unsettled import unsettled
from bot.rules.rpj.combat.rules.carried_ammunition import resupplied
from bot.rules.rpj.combat.rules.ending import ended
from bot.rules.rpj.combat.rules.joining import new_combatant
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT, Fight
from bot.rules.rpj.module.combat_rules import CombatRules
from bot.rules.rpj.module.require_rules import Pack, is_on
from bot.rules.rpj.module.settings import RpjSettings, module_in
from bot.rules.shared.encounters import FightRules, fight_procedures, find_character

NEARER = (1, 2, 3)  # regions of smaller grounds that are offered


def finish(scene: Scene, _dice: Dice) -> Outcome:
    """End a fight: wounds stay, everything else ends.

    Source: RPJ-GCS-66.
    """
    stage = Stage.of(scene)
    before = {one.id: one.saves_lost for one in stage.fight.shown}
    after = ended(stage.battle, before)
    for fighter in stage.fight.combatants:
        figure, health = stage.battle.figures.get(fighter.id), after.healths.get(fighter.id)
        if figure is not None and health is not None and fighter.character is not None:
            scene = with_health(scene, scene.character(fighter.character), health)
    scene, used = resupplied(scene, stage.fight.present)
    lost = f"Saves lost: {', '.join(after.lost)}." if after.lost else ""
    out = f"Out of action: {', '.join(after.out)}." if after.out else ""
    bleeding = f"Still bleeding: {', '.join(after.bleeding)}. From now on, roll once a minute."
    mooks = f"Mooks down: {after.mooks}." if after.mooks else ""
    notes = (lost, out, bleeding if after.bleeding else "", mooks, *used)
    return Outcome(scene=scene, headline="ends the encounter", notes=tuple(note for note in notes if note))


def left_behind(scene: Scene, who: CharacterId) -> Scene:
    """The scene after a combatant has left; a bleeding one rolls by the minute from now on.

    Source: RPJ-GCS-33 (R-088).
    """
    character = find_character(scene, who)
    if character is None:
        return scene
    return with_health(scene, character, character.sheet.health.after_fight())


def begin_label(scene: Scene) -> str:
    """The label of the button that rolls initiative or starts the first round."""
    return "Start round 1 (GM)" if _is_ordered(scene) else "Roll for initiative"


def _is_ordered(scene: Scene) -> bool:
    """Whether everyone has rolled initiative, so that the GM can start the first round."""
    fight = FIGHTS_KEPT.the(scene)
    return bool(fight.order) and not unrolled(fight)


def opening_words(scene: Scene) -> tuple[str, ...]:
    """How far apart the sides start, as a sentence.

    Source: RPJ-GCS-20, RPJ-GCS-03.
    """
    fight, rules = FIGHTS_KEPT.the(scene), module_in(scene.settings).combat
    if fight.is_cinematic:
        return ()
    yards = fight.field.regions * rules.region_yards
    return (f"The sides start about {yards} yards apart. The GM can choose less.",)


def grounds(scene: Scene) -> tuple[FollowUp, ...]:
    """The GM's buttons for cinematic fights and smaller battlefields before the first round.

    Source: RPJ-GCS-20, RPJ-GCS-03.
    """
    fight, rules = FIGHTS_KEPT.the(scene), module_in(scene.settings).combat
    if fight.is_cinematic:
        return ()
    return (*_in_yards(scene), *_nearer(fight, rules))


def _in_yards(scene: Scene) -> tuple[FollowUp, ...]:
    """The GM's button to play the fight in yards, where cinematic fights are on.

    Source: RPJ-CINE-01.
    """
    if not is_on(scene.settings, Pack.CINEMATIC_COMBAT):
        return ()
    return (
        FollowUp(
            procedure="fight.mode",
            options=ModeOptions(cinematic=True),
            label="Play in yards, cinematic (GM)",
            audience=Audience.GM,
            group="ground",
        ),
    )


def _nearer(fight: Fight, rules: CombatRules) -> tuple[FollowUp, ...]:
    return tuple(
        FollowUp(
            procedure="fight.field",
            options=FieldOptions(regions=regions),
            label=f"Start within {regions * rules.region_yards} yards (GM)",
            audience=Audience.GM,
            group="ground",
        )
        for regions in NEARER
        if regions < fight.field.regions
    )


FIGHTS: FightRules[Fight, RpjSheet, RpjSettings] = FightRules(
    place=FIGHTS_KEPT,
    new_combatant=new_combatant,
    begin=begin,
    enter=enter,
    advance=advance,
    finish=finish,
    begin_label=begin_label,
    opening_words=opening_words,
    gathering=grounds,
    gm_begins=_is_ordered,
    opened=opened,
    delay=delay,
    reorder=reorder,
    leave=left_behind,
    unsettled=unsettled,
)
TURN_PROCEDURES = fight_procedures(FIGHTS)
