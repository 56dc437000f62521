"""An encounter from its start to its end: sides, moving, cover, fire at the end of a round."""

from pydantic import Field

from bot.rules.compare_roll.attacks import incoming_key
from bot.rules.compare_roll.counters import counter_key
from bot.rules.compare_roll.encounter import (
    FEET_A_SPACE,
    Cover,
    Encounter,
    Fighter,
    Side,
    encounter_key,
    find_encounter,
    on_turn,
    spaces_left,
    the_encounter,
    turn_line,
    with_fighter,
)
from bot.rules.compare_roll.fortunes import Turned, lose_hp, wound_word
from bot.rules.compare_roll.opening import NoOptions, after_buttons, settle_open
from bot.rules.compare_roll.sheet import assert_can_act, is_standing, settings_of, sheet_of
from bot.rules.compare_roll.strikes import Struck
from bot.rules.dice import Dice
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import Audience, CharacterId, Document, FollowUp, Outcome, Procedure, Scene


class StartOptions(Document):
    """Who takes part besides whoever starts it."""

    others: tuple[CharacterId, ...] = Field(default=(), max_length=40)


class JoinOptions(Document):
    """Who joins; whoever acts without it."""

    character: CharacterId | None = None


class MoveOptions(Document):
    """How many spaces one moves."""

    spaces: int = Field(ge=1, le=60)


class CoverOptions(Document):
    """What hides one."""

    cover: Cover


class EndOptions(Document):
    """Whether fires that still burn are put out instead of burning on at once."""

    put_out: bool = False


def _fighter(scene: Scene, who: CharacterId) -> Fighter:
    """A new participant, whom everybody will see."""
    character = scene.character(who)
    if character.is_hidden:
        raise Mistake(
            f"{character.name} is hidden, and everybody sees who takes part in a fight.",
            try_this=f"/gm hide character:{character.name} show:True lets everybody know.",
        )
    side = Side.PLAYERS if sheet_of(character).foe is None else Side.OPPONENTS
    return Fighter(character=who, name=character.name, side=side)


def start(scene: Scene, options: StartOptions, _dice: Dice) -> Outcome:
    """Begin an encounter; the players' turn comes first.

    Source: CMP-COM-03.
    """
    if find_encounter(scene) is not None:
        raise Mistake(
            "An encounter is on in this channel.", try_this="Join it with /compare join, or end it first."
        )
    ids = dict.fromkeys((*(() if scene.actor_id is None else (scene.actor_id,)), *options.others))
    if not ids:
        raise Mistake("Nobody takes part.", try_this="Name the others.")
    encounter = Encounter(fighters=tuple(_fighter(scene, who) for who in ids))
    names = ", ".join(one.name for one in encounter.fighters)
    return Outcome(
        scene=scene.with_document(encounter_key(scene), encounter),
        headline="begins an encounter: round 1, the players’ turn",
        notes=(f"In it: {names}.",),
        follow_ups=(_next_button(encounter),),
    )


def _next_button(encounter: Encounter) -> FollowUp:
    to = "the opponents’ turn" if encounter.side is Side.PLAYERS else f"round {encounter.round + 1}"
    return FollowUp(
        procedure="next", options=NoOptions(), label=f"On to {to}", audience=Audience.GM, group="side"
    )


def join(scene: Scene, options: JoinOptions, _dice: Dice) -> Outcome:
    """Join the encounter that is on."""
    who = options.character or scene.actor.id
    encounter = the_encounter(scene)
    if encounter.fighter(who) is not None:
        raise Mistake(f"{scene.character(who).name} takes part already.")
    fighter = _fighter(scene, who)
    joined = encounter.model_copy(update={"fighters": (*encounter.fighters, fighter)})
    return Outcome(
        scene=scene.with_document(encounter_key(scene), joined),
        headline=f"adds {fighter.name} to the encounter",
        notes=(f"Acts on the {fighter.side}’ turn.",),
    )


def move(scene: Scene, options: MoveOptions, _dice: Dice) -> Outcome:
    """Move some spaces of one's turn, before, after, or on both sides of the attack.

    Source: CMP-COM-02, CMP-COM-05.
    """
    actor = scene.actor
    assert_can_act(actor)
    encounter = the_encounter(scene)
    fighter = on_turn(scene, actor) if encounter.fighter(actor.id) else None
    if fighter is None:
        raise Mistake(f"{actor.name} takes no part in the encounter.", try_this="Join with /compare join.")
    left = spaces_left(scene, fighter)
    if options.spaces > left:
        raise Mistake(f"{actor.name} has {left} spaces left, not {options.spaces}.")
    fighter = fighter.changed(moved=fighter.moved + options.spaces)
    scene = with_fighter(scene, fighter)
    feet = options.spaces * FEET_A_SPACE
    return Outcome(
        scene=scene,
        headline=f"moves {options.spaces} spaces ({feet} ft)",
        notes=(turn_line(scene, fighter),),
        follow_ups=after_buttons(scene, actor.id),
    )


def take_cover(scene: Scene, options: CoverOptions, _dice: Dice) -> Outcome:
    """Say what hides one; the GM judges whether it holds from each side.

    Source: CMP-COM-06 (CMP-R30), CMP-COM-07.
    """
    actor = scene.actor
    assert_can_act(actor)
    fighter = the_encounter(scene).fighter(actor.id)
    if fighter is None:
        raise Mistake(f"{actor.name} takes no part in the encounter.", try_this="Join with /compare join.")
    does = {
        Cover.NONE: "No cover: the next hit counts in full.",
        Cover.HALF: "Half of the damage, rounded down.",
        Cover.FULL: "No damage, unless the attack comes from a side where it does not hide.",
    }
    words = "leaves cover" if options.cover is Cover.NONE else f"is in {options.cover} cover"
    scene = with_fighter(scene, fighter.changed(cover=options.cover))
    return Outcome(scene=scene, headline=words, notes=(does[options.cover],))


def done(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """End one's own turn; when everybody of a side has, the other side is on.

    Source: CMP-COM-04.
    """
    actor = scene.actor
    the_encounter(scene)
    fighter = on_turn(scene, actor)
    if fighter is None:
        raise Mistake(f"{actor.name} takes no part in the encounter.", try_this="Join with /compare join.")
    scene = with_fighter(scene, fighter.changed(is_done=True))
    waiting = [one.name for one in the_encounter(scene).waiting() if _is_able(scene, one)]
    if waiting:
        names = ", ".join(waiting)
        return Outcome(scene=scene, headline="ends the turn", notes=(f"Still to act: {names}.",))
    turned = pass_side(scene)
    return _passed("ends the turn", turned)


def _is_able(scene: Scene, fighter: Fighter) -> bool:
    """Whether a participant can act: standing, and still a character of the campaign."""
    try:
        return is_standing(scene.character(fighter.character))
    except Mistake:
        return False


def pass_on(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Pass the turn to the other side, whoever has not acted.

    Source: CMP-COM-03, CMP-COM-04.
    """
    the_encounter(scene)
    return _passed("passes the turn on", pass_side(scene))


def _passed(headline: str, turned: Turned) -> Outcome:
    encounter = the_encounter(turned.scene)
    return Outcome(
        scene=turned.scene,
        headline=f"{headline}: round {encounter.round}, the {encounter.side}’ turn",
        notes=turned.notes,
        follow_ups=(*turned.follow_ups, _next_button(encounter)),
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
    if encounter.side is Side.OPPONENTS:
        for fighter in encounter.fighters:
            if fighter.burn:
                turned = turned.then(_burn(turned.scene, fighter, 1))
        encounter = the_encounter(turned.scene)
        encounter = encounter.model_copy(update={"round": encounter.round + 1})
    side = Side.PLAYERS if encounter.side is Side.OPPONENTS else Side.OPPONENTS
    fighters = tuple(one.fresh() if one.side is side else one for one in encounter.fighters)
    fresh = encounter.model_copy(update={"side": side, "fighters": fighters})
    return turned.then(Turned(turned.scene.with_document(encounter_key(turned.scene), fresh)))


def _burn(scene: Scene, fighter: Fighter, rounds: int) -> Turned:
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


def _is_known(scene: Scene, fighter: Fighter) -> bool:
    """Whether a participant is still a character of the campaign."""
    try:
        scene.character(fighter.character)
    except Mistake:
        return False
    return True


def end(scene: Scene, options: EndOptions, dice: Dice) -> Outcome:
    """End the encounter: open rolls count, fires burn down or are put out.

    Source: CMP-COM-03, CMP-WPN-14, CMP-HIGH-02.
    """
    encounter = the_encounter(scene)
    struck = Struck(scene)
    for fighter in encounter.fighters:
        struck = _settled(struck, fighter, dice)
    turned = Turned(struck.scene)
    for fighter in the_encounter(struck.scene).fighters:
        if fighter.burn and not options.put_out:
            turned = turned.then(_burn(turned.scene, fighter, fighter.burn))
    scene = turned.scene
    keys = [counter_key(scene), *(incoming_key(one.character) for one in encounter.fighters)]
    for key in keys:
        if scene.document(key) is not None:
            scene = scene.with_document(key, None)
    return Outcome(
        scene=scene.with_document(encounter_key(scene), None),
        headline=f"ends the encounter in round {encounter.round}",
        rolls=struck.rolls,
        notes=(*struck.notes, *turned.notes),
        follow_ups=(*struck.follow_ups, *turned.follow_ups),
    )


def _settled(struck: Struck, fighter: Fighter, dice: Dice) -> Struck:
    """Let a participant's open roll count."""
    if not _is_known(struck.scene, fighter):
        return struck
    after = settle_open(struck.scene, fighter.character, dice)
    return Struck(
        after.scene,
        (*struck.rolls, *after.rolls),
        (*struck.notes, *after.notes),
        (*struck.follow_ups, *after.follow_ups),
    )


def order(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show whose turn it is, and what everybody has left.

    Source: CMP-COM-04, CMP-COM-05, CMP-COM-12.
    """
    encounter = the_encounter(scene)
    lines = [
        f"Round {encounter.round}, the {encounter.side}’ turn · {settings_of(scene).grid} spaces of 5 ft"
    ]
    for one in encounter.fighters:
        if not _is_known(scene, one):
            continue
        character = scene.character(one.character)
        state = "" if is_standing(character) else "down"
        if sheet_of(character).foe is not None:
            state = wound_word(character)
        parts = (
            state,
            "done" if one.is_done else turn_line(scene, one) if one.side is encounter.side else "",
            "" if one.cover is Cover.NONE else f"{one.cover} cover",
            f"burns {one.burn}" if one.burn else "",
        )
        lines.append(" · ".join((one.name, *(part for part in parts if part))))
    return Outcome(scene=scene, headline="looks at the fight", notes=tuple(lines))


TURN_PROCEDURES = (
    Procedure(key="start", options=StartOptions, run=start, needs_actor=False),
    Procedure(key="join", options=JoinOptions, run=join, needs_actor=False),
    Procedure(key="move", options=MoveOptions, run=move),
    Procedure(key="cover", options=CoverOptions, run=take_cover),
    Procedure(key="done", options=NoOptions, run=done),
    Procedure(key="next", options=NoOptions, run=pass_on, gm_only=True, needs_actor=False),
    Procedure(key="end", options=EndOptions, run=end, gm_only=True, needs_actor=False),
    Procedure(key="order", options=NoOptions, run=order, needs_actor=False),
)
