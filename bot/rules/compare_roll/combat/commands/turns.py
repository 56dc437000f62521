"""An encounter from its start to its end: sides, moving, cover, fire at the end of a round."""

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
from bot.rules.kernel import CharacterId, Document, FollowUp, NoOptions, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters import FightRules, fight_procedures, next_button


class CompareMoveOptions(Document):
    """How many spaces one moves."""

    spaces: int = Field(ge=1, le=60)


class CompareCoverOptions(Document):
    """What hides one."""

    cover: CompareCover


def _fighter(_scene: Scene, character: Character) -> CompareCombatant:
    """A new participant; on the opponents' side who has an opponent's record."""
    side = CompareSide.PLAYERS if character.sheet.foe is None else CompareSide.OPPONENTS
    return CompareCombatant(character=character.id, name=character.name, side=side)


def _begin(scene: Scene, _dice: Dice) -> Outcome:
    """Begin round 1; the players' turn comes first.

    Source: CMP-COM-03.
    """
    encounter = the_encounter(scene).changed(round=1)
    scene = with_encounter(scene, encounter)
    return Outcome(
        scene=scene,
        headline="begins round 1: the players’ turn",
        notes=(f"In it: {encounter.names}.",),
        follow_ups=(_next_button(scene),),
    )


def _next_button(scene: Scene) -> FollowUp:
    encounter = the_encounter(scene)
    to = "the opponents’ turn" if encounter.side is CompareSide.PLAYERS else f"round {encounter.round + 1}"
    return next_button(FIGHTS, scene, f"On to {to}" if encounter.has_begun else "")


def _enter(scene: Scene, ids: Sequence[CharacterId], _dice: Dice) -> Outcome:
    """Let newcomers in; each acts on the turn of their side."""
    fresh = [_fighter(scene, scene.character(who)) for who in ids]
    scene = with_encounter(scene, the_encounter(scene).with_newcomers(fresh))
    notes = tuple(f"{one.name} acts on the {one.side}’ turn." for one in fresh)
    return Outcome(scene=scene, headline="joins the encounter", notes=notes)


def move(scene: Scene, options: CompareMoveOptions, _dice: Dice) -> Outcome:
    """Move some spaces of one's turn, before, after, or on both sides of the attack.

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
        raise UserError(f"{actor.name} has {left} spaces left, not {options.spaces}.")
    fighter = fighter.changed(moved=fighter.moved + options.spaces)
    scene = with_fighter(scene, fighter)
    feet = options.spaces * FEET_A_SPACE
    return Outcome(
        scene=scene,
        headline=f"moves {options.spaces} spaces ({feet} ft)",
        notes=(turn_line(scene, fighter),),
        follow_ups=after_buttons(scene, actor.id),
    )


declare("move", CompareMoveOptions, move)


def _no_turn(scene: Scene, actor: Character) -> UserError:
    """What to say to somebody of whom nothing is counted."""
    if the_encounter(scene).combatant(actor.id) is not None:
        return UserError("No round has begun yet.", try_this="Begin it with /encounter next.")
    return UserError(f"{actor.name} takes no part in the encounter.", try_this="Join with /encounter join.")


def take_cover(scene: Scene, options: CompareCoverOptions, _dice: Dice) -> Outcome:
    """Say what hides one; the GM judges whether it holds from each side.

    Source: CMP-COM-06 (CMP-R30), CMP-COM-07.
    """
    actor = scene.actor
    assert_can_act(actor)
    fighter = the_encounter(scene).combatant(actor.id)
    if fighter is None:
        raise _no_turn(scene, actor)
    does = {
        CompareCover.NONE: "No cover: the next hit counts in full.",
        CompareCover.HALF: "Half of the damage, rounded down.",
        CompareCover.FULL: "No damage, unless the attack comes from a side where it does not hide.",
    }
    words = "leaves cover" if options.cover is CompareCover.NONE else f"is in {options.cover} cover"
    scene = with_fighter(scene, fighter.changed(cover=options.cover))
    return Outcome(scene=scene, headline=words, notes=(does[options.cover],))


declare("cover", CompareCoverOptions, take_cover)


def done(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """End one's own turn; when everybody of a side has, the other side is on.

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
    """Whether a participant can act: standing, and still a character of the campaign."""
    try:
        return is_standing(scene.character(fighter.character))
    except UserError:
        return False


def _pass_on(scene: Scene, _dice: Dice) -> Outcome:
    """Pass the turn to the other side, whoever has not acted.

    Source: CMP-COM-03, CMP-COM-04.
    """
    return _passed("passes the turn on", pass_side(scene))


def _passed(headline: str, turned: Turned) -> Outcome:
    encounter = the_encounter(turned.scene)
    return Outcome(
        scene=turned.scene,
        headline=f"{headline}: round {encounter.round}, the {encounter.side}’ turn",
        notes=turned.notes,
        follow_ups=(*turned.follow_ups, _next_button(turned.scene)),
    )


def pass_side(scene: Scene) -> Turned:
    """Give the turn to the other side; after the opponents fire burns and a new round begins.

    A counter attack that nobody has made lapses.

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
        encounter = encounter.model_copy(update={"round": encounter.round + 1})
    side = CompareSide.PLAYERS if encounter.side is CompareSide.OPPONENTS else CompareSide.OPPONENTS
    fresh = encounter.ordered(one.fresh() if one.side is side else one for one in encounter.shown)
    return turned.then(Turned(with_encounter(turned.scene, fresh.changed(side=side))))


def _burn(scene: Scene, fighter: CompareCombatant, rounds: int) -> Turned:
    """Burn for some rounds: 1 HP each, past Fortitude and cover.

    Source: CMP-WPN-14 (CMP-R41).
    """
    left = fighter.burn - rounds
    scene = with_fighter(scene, fighter.changed(burn=left))
    if not _is_known(scene, fighter):
        return Turned(scene)
    more = f", {left} rounds to go" if left else ", the fire is out"
    burned = Turned(scene, (f"{fighter.name} burns: −{rounds} HP{more}.",))
    return burned.then(lose_hp(scene, fighter.character, rounds))


def _is_known(scene: Scene, fighter: CompareCombatant) -> bool:
    """Whether a participant is still a character of the campaign."""
    try:
        scene.character(fighter.character)
    except UserError:
        return False
    return True


def put_out(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Put all fires out.

    Source: CMP-WPN-14 (CMP-R41).
    """
    encounter = the_encounter(scene)
    burning = [one.name for one in encounter.shown if one.burn]
    if not burning:
        raise UserError("Nobody burns.")
    out = encounter.ordered(one.changed(burn=0) for one in encounter.shown)
    words = f"puts the fires out: {', '.join(burning)}"
    return Outcome(scene=with_encounter(scene, out), headline=words)


declare("put_out", NoOptions, put_out, gm_only=True, needs_actor=False)


def _finish(scene: Scene, dice: Dice) -> Outcome:
    """End the fight: open rolls count, and fires that nobody has put out burn down.

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
    """Let a participant's open roll count."""
    if not _is_known(struck.scene, fighter):
        return struck
    return struck.then(settle_open(struck.scene, fighter.character, dice))


FIGHTS = FightRules[CompareEncounter, CompareSheet, CompareSettings](
    kept=ENCOUNTERS,
    seat=_fighter,
    opened=lambda _scene, _options: CompareEncounter(),
    begin=_begin,
    enter=_enter,
    advance=_pass_on,
    finish=_finish,
    unsettled=unsettled_here,
    players_advance=False,
    delay="A side acts in any order: let the others of yours go first.",
    reorder="The players act first, then the opponents, each side in any order.",
)

TURN_PROCEDURES = fight_procedures(FIGHTS)
