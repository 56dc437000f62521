"""A fight from start to end: sides, movement, cover, its board and what is pending."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace
from pydantic import Field

from bot.rules.compare_roll.attacks import (
    CompareAttack,
    CompareAttackOptions,
    CompareDefendOptions,
    defend,
    defend_buttons,
    incoming,
    weapon_attacks,
    without_attack,
)
from bot.rules.compare_roll.catalogue import numbered
from bot.rules.compare_roll.fortunes import HIGH, STRESS, Turned, health_of, lose_hp
from bot.rules.compare_roll.making import approval_buttons
from bot.rules.compare_roll.opening import OpenRoll, after_buttons, open_buttons, open_key, settle_open
from bot.rules.compare_roll.sheet import (
    UNARMED,
    Character,
    CompareSettings,
    CompareSheet,
    Outcome,
    Scene,
    Unsettled,
    assert_can_act,
    is_standing,
)
from bot.rules.compare_roll.strikes import (
    ENCOUNTERS,
    FEET_A_SPACE,
    CompareCombatant,
    CompareCover,
    CompareEncounter,
    CompareSide,
    CompareStruck,
    PendingCounter,
    can_act,
    counter_key,
    find_counter,
    on_turn,
    spaces_left,
    the_encounter,
    turn_line,
    with_encounter,
    with_fighter,
)
from bot.rules.compare_roll.tables import ComparePurpose
from bot.rules.compare_roll.two_d12s import CompareOutcome
from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Document,
    EncounterView,
    FollowUp,
    NoOptions,
    TrackerRules,
    evolve,
    for_gm,
    procedure,
    settled_as,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, label_with
from bot.rules.kernel.tracker import NEXT
from bot.rules.shared.encounters import (
    FightRules,
    fight_procedures,
    find_character,
    next_button,
    next_buttons,
    view_of,
)

WITH_DAMAGE = (ComparePurpose.ATTACK, ComparePurpose.DEFENSE)


def unsettled(scene: Scene) -> tuple[Unsettled, ...]:
    """Every pending decision of the campaign. [CMP-COM-10 (CMP-R34), CMP-OUT-06, CMP-HIGH-02]"""
    return (
        *_attacks(scene),
        *(_counter(scene, key, pending) for key, pending in scene.every(PendingCounter, "counter")),
        *_rolls(scene, ComparePurpose.CHECK, *WITH_DAMAGE),
        *_proposals(scene),
    )


def unsettled_here(scene: Scene) -> tuple[Unsettled, ...]:
    """The pending decisions of the channel's fight; open checks are accepted when it ends."""
    own = ENCOUNTERS.concerned(scene, (*_attacks(scene), *_rolls(scene, *WITH_DAMAGE)))
    pending = find_counter(scene)
    return own if pending is None else (*own, _counter(scene, counter_key(scene), pending))


def _attacks(scene: Scene) -> tuple[Unsettled, ...]:
    targets = (_owner(scene, key) for key in scene.keys("incoming"))
    return tuple(
        _attack(scene, target, attack)
        for target in targets
        if target is not None
        for attack in incoming(scene, target.id)
    )


def _owner(scene: Scene, key: str) -> Character | None:
    """The character whose id ends a document key, or None."""
    return find_character(scene, CharacterId(int(key.partition("/")[2])))


def _name(scene: Scene, who: CharacterId) -> str:
    found = find_character(scene, who)
    return "someone" if found is None else found.name


def _attack(scene: Scene, target: Character, attack: CompareAttack) -> Unsettled:
    who, attacker = target.id, _name(scene, attack.blow.attacker)
    options = CompareDefendOptions(attack=attack.moment)

    def settle(now: Scene, dice: Dice) -> Outcome:
        done = defend(now, options, dice)
        counted = settle_open(done.scene, who, dice)
        return replace(
            done,
            scene=counted.scene,
            rolls=(*done.rolls, *counted.rolls),
            notes=(*done.notes, *counted.notes),
            follow_ups=counted.follow_ups,
            moments=(*done.moments, *counted.moments),
        )

    against = numbered(scene.settings, attack.difficulty)
    return Unsettled(
        what=f"{target.name}'s defense against {attacker}, {attack.damage} damage",
        concerns=(who,),
        answers=defend_buttons(scene, target, against, attack.moment),
        settle=settled_as(target, settle),
        waive=lambda now: without_attack(now, who, attack.moment),
    )


def _counter(scene: Scene, key: str, pending: PendingCounter) -> Unsettled:
    names = " or ".join(_name(scene, who) for who in pending.by)

    def passes(now: Scene, _dice: Dice) -> Outcome:
        return Outcome(scene=now.with_document(key, None), headline="skips the counterattack")

    return Unsettled(
        what=f"Counterattack by {names} against {_name(scene, pending.against)}",
        concerns=pending.by if len(pending.by) == 1 else (),
        channel=key.partition("/")[2],
        settle=passes,
        waive=lambda now: now.with_document(key, None),
    )


def _rolls(scene: Scene, *purposes: ComparePurpose) -> tuple[Unsettled, ...]:
    return tuple(
        _roll(scene, roller, laid)
        for key, laid in scene.every(OpenRoll, "open")
        if laid.purpose in purposes and (roller := _owner(scene, key)) is not None
    )


def _proposals(scene: Scene) -> Iterator[Unsettled]:
    """Custom skills that wait for the GM's approval. [CMP-SKILL-05 (CMP-R21)]"""
    ids = dict.fromkeys((*scene.find_everybody(), *scene.characters))
    everybody = [who for id_ in ids if (who := find_character(scene, id_)) is not None]
    for who in everybody:
        proposed = [one for one in who.sheet.customs if not one.is_approved and who.owner is not None]
        for skill in proposed:
            what = f"{who.name}'s own skill: {skill.name} ({skill.category})"
            yield for_gm(what, (who.id,), approval_buttons(who.id, skill))


def _roll(scene: Scene, roller: Character, laid: OpenRoll) -> Unsettled:
    who, name = roller.id, roller.name

    def counts(now: Scene, dice: Dice) -> Outcome:
        done = settle_open(now, who, dice)
        return Outcome(
            scene=done.scene,
            headline="lets the roll stand",
            rolls=done.rolls,
            notes=done.notes,
            follow_ups=done.follow_ups,
            moments=done.moments,
        )

    return Unsettled(
        what=f"{name}'s roll ({laid.words}), which High can still change",
        concerns=(who,),
        lapses=True,
        answers=open_buttons(scene, who, laid),
        settle=settled_as(roller, counts),
        waive=lambda now: now.with_document(open_key(who), None),
    )


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
    """Start round 1 with the players' turn. [CMP-COM-03]"""
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
    return Outcome(scene=scene, headline="joins the fight", notes=notes)


@procedure("move")
def move(scene: Scene, options: CompareMoveOptions, _dice: Dice) -> Outcome:
    """Move some spaces; movement can be split before and after the attack. [CMP-COM-02, CMP-COM-05]"""
    actor = scene.actor
    assert_can_act(actor)
    encounter = the_encounter(scene)
    fighter = on_turn(scene, actor) if encounter.combatant(actor.id) else None
    if fighter is None:
        raise _no_turn(scene, actor)
    left = spaces_left(scene, fighter)
    if options.spaces > left:
        raise UserError(f"{actor.name} has only {counted(left, 'space')} left.")
    fighter = fighter.changed(moved=fighter.moved + options.spaces)
    scene = with_fighter(scene, fighter)
    return Outcome(
        scene=scene,
        headline=f"moves {spaces_words(options.spaces)}",
        notes=(turn_line(scene, fighter),),
        follow_ups=after_buttons(scene, actor.id),
    )


def _no_turn(scene: Scene, actor: Character) -> UserError:
    """The error for a character whose turn is not tracked."""
    if the_encounter(scene).combatant(actor.id) is not None:
        return UserError("The fight hasn't started yet.", try_this="Start it with /encounter next.")
    return UserError(f"{actor.name} isn't in this fight.", try_this="Press Join on its board.")


@procedure("cover")
def take_cover(scene: Scene, options: CompareCoverOptions, _dice: Dice) -> Outcome:
    """Take or leave cover; the GM decides from which sides it counts. [CMP-COM-06 (CMP-R30), CMP-COM-07]"""
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


@procedure("done")
def done(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """End the actor's turn; when everyone on a side has, the other side's turn starts. [CMP-COM-04]"""
    actor = scene.actor
    the_encounter(scene)
    fighter = on_turn(scene, actor)
    if fighter is None:
        raise _no_turn(scene, actor)
    scene = with_fighter(scene, fighter.changed(is_done=True))
    waiting = [one.name for one in the_encounter(scene).waiting() if can_act(scene, one)]
    if waiting:
        names = ", ".join(waiting)
        return Outcome(scene=scene, headline="ends the turn", notes=(f"Still to act: {names}.",))
    turned = pass_side(scene)
    return _passed("ends the turn", turned)


def _pass_on(scene: Scene, _dice: Dice) -> Outcome:
    """Pass the turn to the other side, even if some have not acted. [CMP-COM-03, CMP-COM-04]"""
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

    [CMP-COM-03 (CMP-R28), CMP-OUT-06, CMP-WPN-14]
    """
    scene = scene.without_document(counter_key(scene))
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
    """Burn for some rounds: 1 HP each, ignoring Fortitude and cover. [CMP-WPN-14 (CMP-R41)]"""
    left = fighter.burn - rounds
    scene = with_fighter(scene, fighter.changed(burn=left))
    if scene.known(fighter.character) is None:
        return Turned(scene)
    more = f", {counted(left, 'round')} left" if left else ", the fire is out"
    burned = Turned(scene, (f"{fighter.name} burns: −{rounds} HP{more}.",))
    return burned.then(lose_hp(scene, fighter.character, rounds))


@procedure("put_out", gm_only=True, needs_actor=False)
def put_out(scene: Scene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Put out all fires. [CMP-WPN-14 (CMP-R41)]"""
    encounter = the_encounter(scene)
    burning = [one.name for one in encounter.shown if one.burn]
    if not burning:
        raise UserError("Nothing is burning.")
    out = encounter.ordered(one.changed(burn=0) for one in encounter.shown)
    words = f"puts out the fires: {', '.join(burning)}"
    return Outcome(scene=with_encounter(scene, out), headline=words)


def _finish(scene: Scene, dice: Dice) -> Outcome:
    """End the fight: accept open rolls, and let the remaining fires burn down.

    [CMP-COM-03, CMP-WPN-14, CMP-HIGH-02]
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
        headline="ends the fight",
        rolls=struck.rolls,
        notes=struck.notes,
        follow_ups=struck.follow_ups,
        moments=struck.moments,
    )


def _settled(struck: CompareStruck, fighter: CompareCombatant, dice: Dice) -> CompareStruck:
    """Accept a combatant's open roll."""
    if struck.scene.known(fighter.character) is None:
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


MOST_CHOICES = 25
MOST_MENUS = 3


def view(scene: Scene) -> EncounterView | None:
    """The channel's fight for the board; only the GM sees opponents' numbers."""
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return None
    return view_of(
        scene,
        encounter,
        facts=_facts,
        can_act=lambda _scene, one: is_standing(one),
        on=f"The {encounter.side}' turn" if encounter.has_begun else "",
        has_acted=lambda one: _is_done(encounter, one.character),
        notes=() if encounter.has_begun else (f"{scene.settings.grid} grid, {FEET_A_SPACE} ft per space",),
    )


def _is_done(encounter: CompareEncounter, who: CharacterId) -> bool:
    fighter = encounter.combatant(who)
    return fighter is not None and fighter.is_done and fighter.side is encounter.side


def _facts(scene: Scene, character: Character) -> tuple[str, ...]:
    """Health, what is left of the turn, cover and burning."""
    encounter = the_encounter(scene)
    fighter = encounter.combatant(character.id)
    sheet, settings = character.sheet, scene.settings
    health: tuple[str, ...] = ()
    if character.owner is not None:
        health = health_of(character, settings).numbers
    if sheet.foe is None:
        health = (*health, *_points(character), "" if is_standing(character) else "down")
    if fighter is None:
        return health
    return (
        *health,
        turn_line(scene, fighter) if encounter.is_on(character.id) and is_standing(character) else "",
        "" if fighter.cover is CompareCover.NONE else f"{fighter.cover} cover",
        f"burning {fighter.burn}" if fighter.burn else "",
    )


def _points(character: Character) -> tuple[str, ...]:
    """Stress and High, unless they are 0."""
    counted = ((STRESS, "Stress"), (HIGH, "High"))
    return tuple(f"{word} {n}" for key, word in counted if (n := character.left(key)))


# --- what can be done --------------------------------------------------------------------------


def choices(scene: Scene) -> tuple[FollowUp, ...]:
    """The buttons for the side whose turn it is: attack, move, end the turn, pass to the other side."""
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return ()
    if not encounter.has_begun:
        return next_buttons(FIGHTS, scene)
    on = [one for one in encounter.waiting() if can_act(scene, one)]
    own = _players(scene, on) if encounter.side is CompareSide.PLAYERS else _opponents(scene, on)
    return (*own, *_turn_ends(scene), *_fires(encounter))


def _turn_ends(scene: Scene) -> tuple[FollowUp, ...]:
    """The button that starts the other side's turn."""
    encounter = ENCOUNTERS.find(scene)
    if encounter is None or not encounter.has_begun:
        return ()
    return (_next_button(scene),)


def _targets(scene: Scene, side: CompareSide) -> tuple[Choice, ...]:
    """The combatants of the other side as choices."""
    others = (one for one in the_encounter(scene).shown if one.side is not side)
    return tuple(Choice(value=str(one.character), label=one.name) for one in others)[:MOST_CHOICES]


def _players(scene: Scene, on: list[CompareCombatant]) -> Iterator[FollowUp]:
    """Attacks of the players' side, and shared menus: each person acts with their own character."""
    yield from _attack_choices(scene, [one for one in on if not one.has_attacked])
    farthest = max((spaces_left(scene, one) for one in on), default=0)
    if farthest:
        yield FollowUp(
            procedure="move",
            options=CompareMoveOptions(spaces=1),
            label=f"Move up to {spaces_words(farthest)} …",
            audience=Audience.ANYONE,
            choices=tuple(Choice(str(n), spaces_words(n)) for n in range(1, min(farthest, MOST_CHOICES) + 1)),
            chosen="spaces",
        )
    if on:
        yield FollowUp(procedure="done", options=NoOptions(), label="End turn", audience=Audience.ANYONE)


def _attack_choices(scene: Scene, fighters: list[CompareCombatant]) -> Iterator[FollowUp]:
    """An attack for each of a few characters, as their sheets offer it, or one menu for many."""
    if len(fighters) > MOST_MENUS:
        yield from _shared_attack(scene)
        return
    for fighter in fighters:
        possible = [
            one for one in weapon_attacks(replace(scene, actor_id=fighter.character)) if one.is_possible
        ]
        possible.sort(key=lambda one: one.weapon.weapon.name == UNARMED)
        for one in possible[:1]:
            yield replace(one.menu, label=label_with(fighter.name, f" attacks: {one.words} …"))


def _shared_attack(scene: Scene) -> Iterator[FollowUp]:
    """A menu of targets for whoever presses, with the weapon in hand."""
    targets = _targets(scene, CompareSide.PLAYERS)
    if targets:
        yield FollowUp(
            procedure="attack",
            options=CompareAttackOptions(targets=()),
            label="Attack with the weapon in hand …",
            audience=Audience.ANYONE,
            choices=targets,
            chosen="targets",
        )


def unshown(scene: Scene) -> tuple[FollowUp, ...]:
    """The attack that boards of earlier releases offer to everybody."""
    encounter = ENCOUNTERS.find(scene)
    is_on = encounter is not None and encounter.has_begun and encounter.side is CompareSide.PLAYERS
    return tuple(_shared_attack(scene)) if is_on else ()


def spaces_words(number: int) -> str:
    """Spaces with their feet: "2 spaces (10 ft)"."""
    return f"{counted(number, 'space')} ({number * FEET_A_SPACE} ft)"


def _opponents(scene: Scene, on: list[CompareCombatant]) -> Iterator[FollowUp]:
    """A menu of targets for each opponent with an attack left."""
    targets = _targets(scene, CompareSide.OPPONENTS)
    for one in [each for each in on if not each.has_attacked][:MOST_MENUS]:
        if targets:
            yield FollowUp(
                procedure="attack",
                options=CompareAttackOptions(targets=()),
                label=f"{one.name} attacks …",
                audience=Audience.GM,
                character=one.character,
                choices=targets,
                chosen="targets",
            )


def _fires(encounter: CompareEncounter) -> Iterator[FollowUp]:
    if any(one.burn for one in encounter.shown):
        yield FollowUp(
            procedure="put_out", options=NoOptions(), label="Put out the fires", audience=Audience.GM
        )


TRACKER = TrackerRules(
    view=view,
    choices=choices,
    turn_ends=_turn_ends,
    unshown=unshown,
    attacks=("attack",),
    hits=CompareOutcome.COST_STRESS.value,
    ends=(NEXT, "done"),
)
