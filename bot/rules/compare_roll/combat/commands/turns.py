"""A fight from start to end: sides, movement, cover, and burning at the end of a round."""

from collections.abc import Sequence

from pydantic import Field

from bot.rules.compare_roll.character.fortunes import Turned, lose_hp
from bot.rules.compare_roll.character.settings import CompareSettings
from bot.rules.compare_roll.character.sheet import (
    Character,
    CompareSheet,
    Outcome,
    Scene,
    assert_can_act,
    is_standing,
)
from bot.rules.compare_roll.checks.opening import after_buttons, settle_open
from bot.rules.compare_roll.combat.commands.unsettled import unsettled_here
from bot.rules.compare_roll.combat.state.counters import counter_key
from bot.rules.compare_roll.combat.state.encounter import (
    ENCOUNTERS,
    FEET_A_SPACE,
    CompareCombatant,
    CompareCover,
    CompareEncounter,
    CompareSide,
    on_turn,
    spaces_left,
    the_encounter,
    turn_line,
    with_encounter,
    with_fighter,
)
from bot.rules.compare_roll.combat.state.strikes import CompareStruck
from bot.rules.kernel import CharacterId, Document, FollowUp, NoOptions, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters import FightRules, fight_procedures, next_button


class CompareMoveOptions(Document):
    """The spaces to move."""

    spaces: int = Field(ge=1, le=60)


class CompareCoverOptions(Document):
    """The cover to take."""

    cover: CompareCover


def _fighter(_scene: Scene, character: Character) -> CompareCombatant:
    """A new combatant; characters with an opponent's record join the opponents."""
    side = CompareSide.PLAYERS if character.sheet.foe is None else CompareSide.OPPONENTS
    return CompareCombatant(character=character.id, name=character.name, side=side)


def _begin(scene: Scene, _dice: Dice) -> Outcome:
    """Start round 1 with the players' turn.

    Source: CMP-COM-03.
    """
    encounter = the_encounter(scene).changed(round=1)
    scene = with_encounter(scene, encounter)
    return Outcome(
        scene=scene,
        headline="starts round 1: the players' turn",
        notes=(f"Fighting: {encounter.names}.",),
        follow_ups=(_next_button(scene),),
    )


def _next_button(scene: Scene) -> FollowUp:
    encounter = the_encounter(scene)
    to = "the opponents' turn" if encounter.side is CompareSide.PLAYERS else f"round {encounter.round + 1}"
    return next_button(FIGHTS, scene, f"Start {to}" if encounter.has_begun else "")


def _enter(scene: Scene, ids: Sequence[CharacterId], _dice: Dice) -> Outcome:
    """Add newcomers; each acts on their side's turn."""
    fresh = [_fighter(scene, scene.character(who)) for who in ids]
    scene = with_encounter(scene, the_encounter(scene).with_newcomers(fresh))
    notes = tuple(f"{one.name} acts on the {one.side}' turn." for one in fresh)
    return Outcome(scene=scene, headline="joins the encounter", notes=notes)


def move(scene: Scene, options: CompareMoveOptions, _dice: Dice) -> Outcome:
    """Move some spaces; movement can be split before and after the attack.

    Source: CMP-COM-02, CMP-COM-05.
    """
    actor = scene.actor
    assert_can_act(actor)
    encounter = the_encounter(scene)
    fighter = on_turn(scene, actor) if encounter.combatant(actor.id) else None
    if fighter is None:
        raise _no_turn(scene, actor)
    left = spaces_left(scene, fighter)
    if options.spaces > left:
        raise UserError(f"{actor.name} has only {left} {'space' if left == 1 else 'spaces'} left.")
    fighter = fighter.changed(moved=fighter.moved + options.spaces)
    scene = with_fighter(scene, fighter)
    feet = options.spaces * FEET_A_SPACE
    return Outcome(
        scene=scene,
        headline=f"moves {options.spaces} {'space' if options.spaces == 1 else 'spaces'} ({feet} ft)",
        notes=(turn_line(scene, fighter),),
        follow_ups=after_buttons(scene, actor.id),
    )


declare("move", CompareMoveOptions, move)


def _no_turn(scene: Scene, actor: Character) -> UserError:
    """The error for a character whose turn is not tracked."""
    if the_encounter(scene).combatant(actor.id) is not None:
        return UserError("The fight hasn't started yet.", try_this="Start it with /encounter next.")
    return UserError(f"{actor.name} isn't in this encounter.", try_this="Join with /encounter join.")


def take_cover(scene: Scene, options: CompareCoverOptions, _dice: Dice) -> Outcome:
    """Take or leave cover; the GM decides from which sides it counts.

    Source: CMP-COM-06 (CMP-R30), CMP-COM-07.
    """
    actor = scene.actor
    assert_can_act(actor)
    fighter = the_encounter(scene).combatant(actor.id)
    if fighter is None:
        raise _no_turn(scene, actor)
    does = {
        CompareCover.NONE: "The next hit deals full damage.",
        CompareCover.HALF: "Hits deal half damage, rounded down.",
        CompareCover.FULL: "Hits deal no damage, unless the attack comes from an open side.",
    }
    words = "leaves cover" if options.cover is CompareCover.NONE else f"takes {options.cover} cover"
    scene = with_fighter(scene, fighter.changed(cover=options.cover))
    return Outcome(scene=scene, headline=words, notes=(does[options.cover],))


declare("cover", CompareCoverOptions, take_cover)


def done(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """End the actor's turn; when everyone on a side has, the other side's turn starts.

    Source: CMP-COM-04.
    """
    actor = scene.actor
    the_encounter(scene)
    fighter = on_turn(scene, actor)
    if fighter is None:
        raise _no_turn(scene, actor)
    scene = with_fighter(scene, fighter.changed(is_done=True))
    waiting = [one.name for one in the_encounter(scene).waiting() if _is_able(scene, one)]
    if waiting:
        names = ", ".join(waiting)
        return Outcome(scene=scene, headline="ends the turn", notes=(f"Still to act: {names}.",))
    turned = pass_side(scene)
    return _passed("ends the turn", turned)


declare("done", NoOptions, done)


def _is_able(scene: Scene, fighter: CompareCombatant) -> bool:
    """Whether a combatant can act: standing, and still a character of the campaign."""
    try:
        return is_standing(scene.character(fighter.character))
    except UserError:
        return False


def _pass_on(scene: Scene, _dice: Dice) -> Outcome:
    """Pass the turn to the other side, even if some have not acted.

    Source: CMP-COM-03, CMP-COM-04.
    """
    return _passed("passes the turn", pass_side(scene))


def _passed(headline: str, turned: Turned) -> Outcome:
    encounter = the_encounter(turned.scene)
    return Outcome(
        scene=turned.scene,
        headline=f"{headline}: round {encounter.round}, the {encounter.side}' turn",
        notes=turned.notes,
        follow_ups=(*turned.follow_ups, _next_button(turned.scene)),
    )


def pass_side(scene: Scene) -> Turned:
    """Give the turn to the other side; after the opponents, fires burn and a new round starts.

    A pending counterattack expires.

    Source: CMP-COM-03 (CMP-R28), CMP-OUT-06, CMP-WPN-14.
    """
    if scene.document(counter_key(scene)) is not None:
        scene = scene.with_document(counter_key(scene), None)
    turned = Turned(scene)
    encounter = the_encounter(scene)
    if encounter.side is CompareSide.OPPONENTS:
        for fighter in encounter.shown:
            if fighter.burn:
                turned = turned.then(_burn(turned.scene, fighter, 1))
        encounter = the_encounter(turned.scene)
        encounter = evolve(encounter, round=encounter.round + 1)
    side = CompareSide.PLAYERS if encounter.side is CompareSide.OPPONENTS else CompareSide.OPPONENTS
    fresh = encounter.ordered(one.fresh() if one.side is side else one for one in encounter.shown)
    return turned.then(Turned(with_encounter(turned.scene, fresh.changed(side=side))))


def _burn(scene: Scene, fighter: CompareCombatant, rounds: int) -> Turned:
    """Burn for some rounds: 1 HP each, ignoring Fortitude and cover.

    Source: CMP-WPN-14 (CMP-R41).
    """
    left = fighter.burn - rounds
    scene = with_fighter(scene, fighter.changed(burn=left))
    if not _is_known(scene, fighter):
        return Turned(scene)
    rounds_left = f"{left} {'round' if left == 1 else 'rounds'} left"
    more = f", {rounds_left}" if left else ", the fire is out"
    burned = Turned(scene, (f"{fighter.name} burns: −{rounds} HP{more}.",))
    return burned.then(lose_hp(scene, fighter.character, rounds))


def _is_known(scene: Scene, fighter: CompareCombatant) -> bool:
    """Whether a combatant is still a character of the campaign."""
    try:
        scene.character(fighter.character)
    except UserError:
        return False
    return True


def put_out(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Put out all fires.

    Source: CMP-WPN-14 (CMP-R41).
    """
    encounter = the_encounter(scene)
    burning = [one.name for one in encounter.shown if one.burn]
    if not burning:
        raise UserError("Nothing is burning.")
    out = encounter.ordered(one.changed(burn=0) for one in encounter.shown)
    words = f"puts out the fires: {', '.join(burning)}"
    return Outcome(scene=with_encounter(scene, out), headline=words)


declare("put_out", NoOptions, put_out, gm_only=True, needs_actor=False)


def _finish(scene: Scene, dice: Dice) -> Outcome:
    """End the fight: accept open rolls, and let the remaining fires burn down.

    Source: CMP-COM-03, CMP-WPN-14, CMP-HIGH-02.
    """
    encounter = the_encounter(scene)
    struck = CompareStruck(scene)
    for fighter in encounter.shown:
        struck = _settled(struck, fighter, dice)
    for fighter in the_encounter(struck.scene).shown:
        if fighter.burn:
            struck = struck.then(_burn(struck.scene, fighter, fighter.burn))
    return Outcome(
        scene=struck.scene,
        headline="ends the encounter",
        rolls=struck.rolls,
        notes=struck.notes,
        follow_ups=struck.follow_ups,
        moments=struck.moments,
    )


def _settled(struck: CompareStruck, fighter: CompareCombatant, dice: Dice) -> CompareStruck:
    """Accept a combatant's open roll."""
    if not _is_known(struck.scene, fighter):
        return struck
    return struck.then(settle_open(struck.scene, fighter.character, dice))


FIGHTS = FightRules[CompareEncounter, CompareSheet, CompareSettings](
    place=ENCOUNTERS,
    new_combatant=_fighter,
    opened=lambda _scene, _options: CompareEncounter(),
    begin=_begin,
    enter=_enter,
    advance=_pass_on,
    finish=_finish,
    unsettled=unsettled_here,
    players_advance=False,
    delay="Your side acts in any order: just let the others go first.",
    reorder="There is no turn order: the players act first, then the opponents, each side in any order.",
)

TURN_PROCEDURES = fight_procedures(FIGHTS)
