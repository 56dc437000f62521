"""RPJ's rules for the encounter tracker, and the board of a fight."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from bot.rules.kernel import (
    Audience,
    CharacterId,
    EncounterView,
    FighterLine,
    FollowUp,
    Ground,
    Region,
    TrackerRules,
)
from bot.rules.kernel.dice import Dice
from bot.rules.rpj.character.damage_saves import layers_of, saves_of
from bot.rules.rpj.character.incapacity import with_health
from bot.rules.rpj.character.sheet import Outcome, RpjSheet, Scene
from bot.rules.rpj.combat.combatant import (
    MookSheet,
    RpjCombatant,
    RpjKind,
    counted,
    hidden_stacks,
    scale,
    stack_name,
    stacks,
)
from bot.rules.rpj.combat.commands.cinematic_commands import ModeOptions
from bot.rules.rpj.combat.commands.fight_gm import FieldOptions
from bot.rules.rpj.combat.commands.fire_commands import cover_facts, cover_notes, fire_facts
from bot.rules.rpj.combat.commands.inventory import resupplied
from bot.rules.rpj.combat.commands.reaction_commands import unsettled
from bot.rules.rpj.combat.commands.turn_menu import offers
from bot.rules.rpj.combat.commands.turn_order import advance, begin, delay, enter, opened, reorder, unrolled
from bot.rules.rpj.combat.engine.stack import questions
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, MOOKS, Fight
from bot.rules.rpj.combat.rules.combatants import FighterStats
from bot.rules.rpj.combat.rules.shooting import plays_fire
from bot.rules.rpj.combat.rules.turns import LAST, Stage, ended, new_combatant, slots
from bot.rules.rpj.module.defense_layers import CombatRules, Out
from bot.rules.rpj.module.module import Pack
from bot.rules.rpj.module.module_files import RpjSettings, is_on, module_in
from bot.rules.shared.encounters import (
    FightRules,
    fight_procedures,
    find_character,
    next_button,
    next_buttons,
)
from bot.rules.shared.encounters.fights import GATHERING

NEARER = (1, 2, 3)  # regions of smaller grounds that are offered


def finish(scene: Scene, _dice: Dice) -> Outcome:
    """End a fight: wounds stay, everything else ends. [RPJ-GCS-66]"""
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
    return Outcome(scene=scene, headline="ends the fight", notes=tuple(note for note in notes if note))


def left_behind(scene: Scene, who: CharacterId) -> Scene:
    """The scene after a combatant has left; a bleeding one rolls by the minute from now on.

    [RPJ-GCS-33 (R-088)]
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
    """How far apart the sides start, as a sentence. [RPJ-GCS-20, RPJ-GCS-03]"""
    fight, rules = FIGHTS_KEPT.the(scene), module_in(scene.settings).combat
    if fight.is_cinematic:
        return ()
    yards = fight.field.regions * rules.region_yards
    return (f"The sides start about {yards} yards apart. The GM can choose less.",)


def grounds(scene: Scene) -> tuple[FollowUp, ...]:
    """The GM's buttons for cinematic fights and smaller battlefields before the first round.

    [RPJ-GCS-20, RPJ-GCS-03]
    """
    fight, rules = FIGHTS_KEPT.the(scene), module_in(scene.settings).combat
    if fight.is_cinematic:
        return ()
    return (*_in_yards(scene), *_nearer(fight, rules))


def _in_yards(scene: Scene) -> tuple[FollowUp, ...]:
    """The GM's button to play the fight in yards, where cinematic fights are on. [RPJ-CINE-01]"""
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


NOBODY = CharacterId(0)
DEFAULT_MOOK = MookSheet(name="Mook", attack=3, damage=1, defense=10)


def _scale(stage: Stage) -> tuple[str, ...]:
    """How large the battlefield is and how long a round, until the fight has begun. [RPJ-GCS-03]"""
    return () if stage.fight.has_begun else (scale(stage.fight.field, stage.battle.rules),)


def view(scene: Scene) -> EncounterView | None:
    """The board of the channel's fight, or None. [RPJ-GCS-01, RPJ-GCS-03, RPJ-GCS-05, RPJ-GCS-08]"""
    if FIGHTS_KEPT.find(scene) is None:
        return None
    stage = Stage.of(scene)
    return EncounterView(
        title=f"Round {stage.fight.round}" if stage.fight.has_begun else "Before round 1",
        turn=f"{stage.fight.turn_key}/{len(stage.steps)}",
        on=_on(stage),
        lines=tuple(_lines(stage)),
        waits=(stage.steps[-1].waiting_words(stage),) if stage.steps else (),
        notes=(*cover_notes(stage), *_scale(stage)),
        hidden=(
            *(_hidden_character(stage, one) for one in stage.fight.hidden if one.character is not None),
            *_hidden_mooks(stage),
        ),
        ground=ground(stage),
        has_begun=stage.fight.has_begun,
    )


def _on(stage: Stage) -> str:
    if not stage.fight.has_begun:
        return GATHERING
    if stage.fight.turn == MOOKS:
        return "Mooks' turn"
    return f"{stage.fight.fighter(stage.fight.turn).name} acts"


def _lines(stage: Stage) -> Iterator[FighterLine]:
    """A line for each combatant with their own turn, in order, and one for each stack of mooks."""
    fight = stage.fight
    order = [slot for slot in slots(stage.battle) if slot != MOOKS]
    rest = [one.id for one in fight.present if one.kind is not RpjKind.MOOK and one.id not in order]
    acted = order[: order.index(fight.turn)] if fight.turn in order else order if fight.turn == MOOKS else []
    for id_ in (*order, *rest):
        fighter = fight.fighter(id_)
        who = stage.battle.of(fighter)
        yield FighterLine(
            character=fighter.character or NOBODY,
            name=fighter.name,
            is_on=fight.has_begun and fight.acts(fighter),
            has_acted=id_ in acted,
            facts=tuple(_facts(stage, who)),
        )
    present = tuple(fight.present)
    for stack in stacks(present):
        yield FighterLine(
            character=stack[0].character or NOBODY,
            name=stack_name(stack, present),
            is_on=fight.has_begun and fight.acts(stack[0]),
            facts=tuple(_mook_facts(stage, stack)),
        )


def _hidden_character(stage: Stage, hidden: RpjCombatant) -> FighterLine:
    """The line of a hidden character, for the GM. [RPJ-FIRE-12]"""
    character = stage.character(hidden.id)
    facts = (_place(stage, hidden), *cover_facts(stage, hidden))
    return FighterLine(
        character=hidden.character or NOBODY, name=character.name if character else hidden.name, facts=facts
    )


def _hidden_mooks(stage: Stage) -> Iterator[FighterLine]:
    """Lines of hidden mooks, by kind and place, for the GM."""
    for alike in hidden_stacks(stage.fight.hiding):
        facts = (_place(stage, alike[0]), *cover_facts(stage, alike[0]), "/rpj-gm-fight reveal")
        yield FighterLine(character=NOBODY, name=counted(alike)[0], facts=facts)


def _facts(stage: Stage, who: FighterStats) -> Iterator[str]:
    fighter, health = who.fighter, who.health
    if fighter.initiative is not None and not stage.fight.has_begun:
        yield "acts last" if fighter.initiative == LAST else f"initiative {fighter.initiative}"
    if health.out is not Out.NO:
        failed = f", {health.bleeding} of {who.rules.bleeding_failures}" if health.bleeding else ""
        yield f"bleeding out{failed}" if health.is_bleeding else health.state
    elif fighter.kind is RpjKind.PLAYER:
        yield saves_of(who.figure, layers_of(who.figure))
    if health.is_weak:
        yield "weak"
    yield from _conditions(who)
    legend = stage.fight.legends.get(fighter.id)
    if legend is not None and health.out is Out.NO:
        yield f"weakened {legend.reached} of {legend.stages}"
    if stage.fight.has_begun and stage.fight.acts(fighter) and who.is_able:
        yield _actions(fighter.turn.actions)
    yield from fire_facts(stage, who)
    hold = stage.fight.grapple(fighter.id)
    if hold is not None:
        yield f"in a grapple with {stage.fight.fighter(hold.other(fighter.id)).name}"
    if fighter.brewing is not None:
        yield f"concentrates, round {fighter.brewing.done} of {fighter.brewing.of}"
    if fighter.charges:
        yield f"Prepare {fighter.charges}"
    if stage.fight.has_begun and not fighter.free_attacks:
        yield "free attack used"
    yield _place(stage, fighter)  # which the ground shows, too


def _conditions(who: FighterStats) -> Iterator[str]:
    """A combatant's conditions, by name. [RPJ-COND-01]"""
    if who.sheeted is not None and who.sheeted.plays(Pack.CONDITIONS):
        yield from (one.condition.name for one in who.sheeted.sheet.conditions)


def _place(stage: Stage, fighter: RpjCombatant) -> str:
    """Where a combatant stands: the region, or the position in yards. [RPJ-GCS-01, RPJ-CINE-03]"""
    if stage.fight.is_cinematic:
        return str(stage.fight.position(fighter))
    return stage.fight.field.name(fighter.region)


def _actions(count: int) -> str:
    return "1 action" if count == 1 else f"{count} actions"


def _mook_facts(stage: Stage, stack: tuple[RpjCombatant, ...]) -> Iterator[str]:
    sheet = stack[0].mook
    if sheet is not None:
        yield f"defense {sheet.defense}+"
    yield _place(stage, stack[0])
    yield from cover_facts(stage, stack[0])
    pinned = sum(one.under_fire.is_suppressed for one in stack)
    if pinned:
        yield "suppressed" if len(stack) == 1 else f"{pinned} of {len(stack)} suppressed"
    if stage.fight.has_begun and stage.fight.acts(stack[0]):
        yield f"{_actions(sum(one.turn.actions for one in stack))} in total"


# --- ground, choices ---------------------------------------------------------------------------


def ground(stage: Stage) -> Ground:
    """Where everyone stands, as a picture and as text. [RPJ-GCS-01, RPJ-GCS-02, RPJ-GCS-05]"""
    field = stage.fight.field
    if stage.fight.is_cinematic:
        spots = stage.fight.map_lines()
        yards = Region("In yards", tuple((one,) for one in spots))
        return Ground(regions=(yards,), links=(), alt=" · ".join(spots) or "Nobody has joined yet.")
    regions = tuple(
        Region(field.name(number), tuple(_together(stage, group) for group in stage.fight.groups(number)))
        for number in field.numbers
    )
    links = tuple((link.a - 1, link.b - 1) for link in field.links)
    lines = [line for line in stage.fight.map_lines() if not line.endswith("–")]
    return Ground(regions=regions, links=links, alt=" · ".join(lines) or "Nobody has joined yet.")


def _together(stage: Stage, group: tuple[RpjCombatant, ...]) -> tuple[str, ...]:
    """The names in a group, and their cover. [RPJ-GCS-05, RPJ-FIRE-12]"""
    covers = stage.fight.covers_of(group[0]) if plays_fire(stage.battle) else ()
    return (*counted(group), *(f"(+{placed.cover.quality})" for placed in covers))


def choices(scene: Scene, most: int | None = None) -> tuple[FollowUp, ...]:
    """The buttons: those of the first step, else the current turn's actions, and the end of the turn.

    Args:
        most: How many of the turn's actions, attacks first; None for all.
    """
    if FIGHTS_KEPT.find(scene) is None:
        return ()
    stage = Stage.of(scene)
    if stage.steps:
        return questions(stage)
    if not stage.fight.has_begun:
        return next_buttons(FIGHTS, scene)
    return (*islice(offers(stage), most), next_button(FIGHTS, scene))


def _turn_ends(scene: Scene) -> tuple[FollowUp, ...]:
    """The button that ends the turn, unless something is to be decided first."""
    fight = FIGHTS_KEPT.find(scene)
    return () if fight is None or fight.steps else next_buttons(FIGHTS, scene)


def _mook() -> RpjSheet:
    """A default stat block for a mook. [RPJ-GCS-46]"""
    return RpjSheet(attributes={}, mook=DEFAULT_MOOK)


TRACKER = TrackerRules(
    view=view,
    choices=choices,
    on_board=partial(choices, most=1),
    turn_ends=_turn_ends,
    mook=_mook,
    attacks=("fight.attack", "fight.close_in"),
    tells_chances=True,
    ground=("field", "covers"),
    takes_order=True,
)
