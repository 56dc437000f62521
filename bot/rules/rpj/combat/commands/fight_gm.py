"""The GM's fight commands: battlefield, places, surprise, mooks and hidden mooks."""

from collections.abc import Callable, Iterable

from pydantic import Field, ValidationError

from bot.rules.kernel import Document, evolve, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import signed
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.skill_checks import read_modifiers
from bot.rules.rpj.combat.combatant import (
    Battlefield,
    MookSheet,
    RpjCombatant,
    RpjKind,
    Side,
    counted,
    drawn,
    line,
    scale,
)
from bot.rules.rpj.combat.commands.turn_commands import (
    CHOSEN,
    MoveOptions,
    begin_move,
    come_out,
    commanded,
    goal_of,
    region_named,
    slip,
    someone,
)
from bot.rules.rpj.combat.engine.attack_steps import Swarming
from bot.rules.rpj.combat.engine.damage_steps import assert_may_attack
from bot.rules.rpj.combat.engine.moves import (
    PendingMove,
    Trigger,
    carried,
    provoked,
    region_of,
    step_to,
    where,
)
from bot.rules.rpj.combat.engine.stack import go_on, outcome
from bot.rules.rpj.combat.fight import mooks, placed
from bot.rules.rpj.combat.rules.attacks import RpjAim, assert_target
from bot.rules.rpj.combat.rules.combatants import mook_arm
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.layers_and_saves import assert_scale_played
from bot.rules.rpj.module.basics import Scale, highest


class FieldOptions(Document):
    """The options of the battlefield."""

    regions: int | None = Field(default=None, ge=1, le=40)  # how many regions; six in a row without anything
    links: str = Field(default="", max_length=400)  # which of them touch; a row where left out
    hidden: str = Field(default="", max_length=200)  # pairs between which nobody can shoot
    # What they are called, with commas between, from the first on.
    names: str = Field(default="", max_length=400)


class RpjPlaceOptions(Document):
    """The options of placing a combatant."""

    who: str = Field(default="", max_length=100)
    region: str = Field(default="", max_length=60)
    beside: str = Field(default="", max_length=100)


class SurpriseOptions(Document):
    """The options of surprise."""

    side: Side = Side.FOES
    modifier: int | None = Field(default=None, ge=-20, le=20)


class MooksOptions(Document):
    """The options of adding mooks of one kind."""

    name: str = Field(min_length=1, max_length=40)  # what they are called
    count: int = Field(default=1, ge=1, le=30)  # how many
    attack: int = Field(default=3, ge=-10, le=20)  # added to their attacks
    defense: int = Field(default=10, ge=2, le=30)  # what must be rolled to hit them
    damage: int = Field(default=1, ge=-5, le=20)  # what their hits do
    range: int | None = Field(default=None, ge=0, le=20)  # how far they shoot; they strike where left out
    # From how far on; from their own group on where left out.
    not_nearer: int | None = Field(default=None, ge=0, le=20)
    nonlethal: bool = False  # whether they put out instead of killing
    scale: Scale = Scale.NORMAL  # what they withstand, where damage scales are played
    damage_scale: Scale = Scale.NORMAL  # how great their damage is
    side: Side = Side.FOES  # whose side they are on
    region: str = Field(default="", max_length=60)  # where; where their side begins where left out
    beside: str = Field(default="", max_length=100)  # whose group they join
    hidden: bool = False  # whether only the GM knows of them yet


class MookAttackOptions(Document):
    """The options of a mook attack."""

    who: str = Field(default="", max_length=100)  # which mooks: the name of their kind, or of one of them
    target: str = Field(default="", max_length=100)  # whom
    count: int | None = Field(default=None, ge=1, le=30)  # how many of them; all that can where left out
    # How many times dice are rolled for them; once for each where left out.
    rolls: int | None = Field(default=None, ge=1, le=30)
    modifiers: str = Field(default="", max_length=200)  # bonuses and penalties with a word
    aim: str = CHOSEN  # mooks and target as one text, "who|target"; goes before the others


class MookMoveOptions(MoveOptions):
    """The options of a mook move."""

    who: str = Field(default="", max_length=100)  # which mooks: the name of their kind, or of one of them
    count: int | None = Field(default=None, ge=1, le=30)  # how many of them; all that can where left out
    path: str = CHOSEN  # mooks and goal as one text, "who|region|beside"; goes before the others


class SideOptions(Document):
    """The options of changing sides."""

    who: str = Field(max_length=100)
    side: Side


# --- ground and places -------------------------------------------------------------------------


@procedure("fight.field", gm_only=True, needs_actor=False)
def set_field(scene: Scene, options: FieldOptions, _dice: Dice) -> Outcome:
    """Lay out the battlefield, before the first round. [RPJ-GCS-01 to RPJ-GCS-03, RPJ-GCS-20, RPJ-GCS-21]"""
    stage = Stage.of(scene)
    if stage.fight.has_begun:
        raise UserError("The fight has already started.", "Lay out the regions before the first round.")
    names = [one.strip() for one in options.names.split(",") if one.strip()]
    if options.links:
        field = drawn(options.links, options.hidden, options.regions)
    else:
        field = line(options.regions or max(len(names), 1 if names else stage.battle.rules.regions))
        field = evolve(field, hidden=drawn("", options.hidden, field.regions).hidden)
    field = evolve(field, names=dict(enumerate(names[: field.regions], 1)))
    stage = _replaced(stage, field)
    notes = [line_ for line_ in stage.fight.map_lines() if not line_.endswith("–")]
    return outcome(stage.noted(scale(field, stage.battle.rules), *notes), "lays out the battlefield")


def _replaced(stage: Stage, field: Battlefield) -> Stage:
    """The stage on another battlefield, with everyone at their side's start."""
    people = stage.fight.combatants
    fight = evolve(stage.fight, field=field, combatants=(), covers=())
    for fighter in people:
        fight = placed(fight, fighter)
    return stage.with_battle(stage.battle.with_fight(fight))


@procedure("fight.place", needs_actor=False)
def place(scene: Scene, options: RpjPlaceOptions, dice: Dice) -> Outcome:
    """Place a combatant: yourself beside a friend before the fight, or anyone anywhere as the GM.

    [RPJ-GCS-20, RPJ-GCS-43 (R-109), RPJ-GM-04]
    """
    stage = Stage.of(scene)
    who = commanded(stage, options.who or scene.actor.name)
    is_own = stage.character(who.id) is not None and who.character == scene.actor_id
    region = region_named(stage, options.region)
    friend = commanded(stage, options.beside) if options.beside else None
    if not scene.is_gm:
        if not is_own or stage.fight.has_begun:
            raise UserError("Only the GM can place others, or anyone once the fight has started.")
        if (region or (friend.region if friend else who.region)) != who.region:
            raise UserError(
                f"{who.name} starts in {stage.fight.field.name(who.region)}.",
                "The GM can place you elsewhere.",
            )
    where_to = region or (friend.region if friend else who.region)
    if friend is not None and friend.region != where_to:
        raise UserError(f"{friend.name} is in {stage.fight.field.name(friend.region)}.")
    stage = stage.with_battle(carried(stage.battle, who.id, where_to, friend.group if friend else None))
    about = (who,) if friend is None else (who, friend)
    return outcome(go_on(stage.noted(where(stage, who.id)), dice), f"places {who.name}", *about)


@procedure("fight.surprise", gm_only=True, needs_actor=False)
def surprise(scene: Scene, options: SurpriseOptions, _dice: Dice) -> Outcome:
    """Surprise a side, before initiative is rolled. [RPJ-GCS-18]"""
    stage = Stage.of(scene)
    value = stage.battle.rules.surprise if options.modifier is None else options.modifier
    surprised = {**stage.fight.surprise, options.side: value}
    stage = stage.changed(surprise=surprised)
    note = f"{options.side.capitalize()}: initiative {signed(value)}"
    if stage.fight.order:
        note += " for whoever still joins; the others have rolled"
    return outcome(stage.noted(f"{note}."), "surprises a side")


@procedure("fight.side", gm_only=True, needs_actor=False)
def take_side(scene: Scene, options: SideOptions, _dice: Dice) -> Outcome:
    """Set a combatant's side. [RPJ-GCS-04]"""
    stage = Stage.of(scene)
    who = commanded(stage, options.who)
    stage = stage.with_battle(stage.battle.changed(who.id, side=options.side))
    return outcome(stage, f"puts {who.name} on the side of the {options.side}", who)


# --- mooks -------------------------------------------------------------------------------------


@procedure("fight.mooks", gm_only=True, needs_actor=False)
def add_mooks(scene: Scene, options: MooksOptions, _dice: Dice) -> Outcome:
    """Add mooks, several at once. [RPJ-GCS-46, RPJ-GCS-67]"""
    stage = Stage.of(scene)
    assert_scale_played(scene, highest((options.scale, options.damage_scale)))
    try:
        sheet = MookSheet(
            name=options.name.strip(),
            attack=options.attack,
            damage=options.damage,
            defense=options.defense,
            least_range=options.not_nearer,
            greatest_range=options.range,
            is_nonlethal=options.nonlethal,
            scale=options.scale,
            damage_scale=options.damage_scale,
        )
    except ValidationError as error:
        raise UserError("Give the mooks a name.") from error
    fight = stage.fight
    friend = commanded(stage, options.beside) if options.beside else None
    region = region_named(stage, options.region) or (friend.region if friend else None)
    newcomers = mooks(fight, sheet, options.count, options.side)
    newcomers = tuple(evolve(one, is_hidden=options.hidden) for one in newcomers)
    for number, mook in enumerate(newcomers):
        beside = friend.id if friend else newcomers[0].id if number else None
        fight = placed(fight, mook, region if number == 0 else fight.fighter(newcomers[0].id).region, beside)
    stage = stage.with_battle(stage.battle.with_fight(fight))
    stats = f"attack {signed(sheet.attack)}, damage {sheet.damage}, defense {sheet.defense}+"
    words = counted(newcomers)[0]
    about = (newcomers[0], *(() if friend is None else (friend,)))
    return outcome(
        stage.noted(f"{words}: {stats}."), f"{'hides' if options.hidden else 'adds'} {words}", *about
    )


def alike(stage: Stage, typed: str) -> tuple[RpjCombatant, ...]:
    """The mooks of a typed name: those of a kind, or one with those like it beside it.

    Raises:
        UserError: If there are none.
    """
    first = commanded(stage, typed)
    if first.mook is None:
        raise UserError(
            f"{first.name} isn't a mook.",
            try_this="To attack with a character, open its sheet.",
        )
    those = stage.fight.hiding if first.is_hidden else stage.fight.present
    there = [one for one in those if one.mook == first.mook and one.side is first.side]
    if typed == first.id:
        return tuple(one for one in there if one.group == first.group)
    exact = typed.strip().casefold() == first.name.casefold()
    return (first,) if exact else tuple(there)


def _ready(who: Iterable[RpjCombatant], tried: Callable[[RpjCombatant], object]) -> list[RpjCombatant]:
    """The mooks with an action left."""
    ready, refusal = [], UserError("These mooks have no actions left.")
    for mook in who:
        if mook.turn.actions < 1:
            continue
        try:
            tried(mook)
        except UserError as mistake:
            refusal = mistake
        else:
            ready.append(mook)
    if not ready:
        raise refusal
    return ready


@procedure("fight.mook_attack", gm_only=True, needs_actor=False)
def mook_attack(scene: Scene, options: MookAttackOptions, dice: Dice) -> Outcome:
    """Attack with mooks, each once, with as many rolls as the GM likes. [RPJ-GCS-49, RPJ-GCS-67]"""
    stage = _mooks_turn(scene)
    who, _, target = options.aim.partition("|") if options.aim else (options.who, "", options.target)
    goal = someone(stage, target)
    terms = read_modifiers(options.modifiers)

    def strikes(mook: RpjCombatant) -> None:
        assert_may_attack(stage.battle, mook.id)
        arm = mook_arm(stage.battle[mook.id])
        assert_target(stage.battle, RpjAim(attacker=mook.id, target=goal.id, arm=arm))

    ready = _ready(alike(stage, who), strikes)
    ready = ready[: options.count]
    rolls = min(options.rolls or len(ready), len(ready))
    for mook in ready:
        stage = stage.with_battle(stage.battle.spent(mook.id, has_attacked=True))
    if ready[0].is_hidden:
        words = f"{counted(ready)[0]} comes out of hiding in {stage.fight.field.name(ready[0].region)}."
        stage = come_out(stage, ready).noted(words)
    ids = tuple(one.id for one in ready)
    stage = stage.pushed(Swarming(attackers=ids, target=goal.id, rolls=rolls, terms=terms))
    for mook in ready:
        if mook_arm(stage.battle[mook.id]).is_ranged:
            stage = provoked(stage, mook.id, Trigger.SHOOTING)
    return outcome(go_on(stage, dice), f"attacks {goal.name} with {counted(ready)[0]}")


@procedure("fight.mook_move", gm_only=True, needs_actor=False)
def mook_move(scene: Scene, options: MookMoveOptions, dice: Dice) -> Outcome:
    """Move mooks together into one group. [RPJ-GCS-10, RPJ-GCS-67]"""
    stage = _mooks_turn(scene)
    who, _, path = options.path.partition("|") if options.path else (options.who, "", "")
    if path:
        options = evolve(options, goal=path)
    goal = goal_of(stage, options, commanded)
    ready = _ready(alike(stage, who), lambda mook: step_to(stage.battle, mook.id, goal))
    ready = ready[: options.count]
    together = stage.fight.new_group
    if ready[0].is_hidden:
        return slip(stage, ready, goal)
    where_to = stage.fight.field.name(region_of(stage.battle, ready[0].id, goal))
    for mook in ready:
        stage = begin_move(stage, mook.id, goal, cautious=options.cautious)
        stage = stage.with_steps(
            evolve(one, group=together) if isinstance(one, PendingMove) and one.group is None else one
            for one in stage.steps
        )
    return outcome(go_on(stage, dice), f"moves {counted(ready)[0]} to {where_to}")


def _mooks_turn(scene: Scene) -> Stage:
    stage = Stage.of(scene)
    stage.assert_quiet()
    if not any(stage.fight.acts(one) and one.kind is RpjKind.MOOK for one in stage.fight.present):
        raise UserError(
            "It isn't the mooks' turn.",
            "Mooks act after everyone else.",
            "Reveal hidden ones with /rpj-gm-fight reveal.",
        )
    return stage


class WhoOptions(Document):
    """The options of a command about mooks."""

    who: str = Field(max_length=100)


@procedure("fight.reveal", gm_only=True, needs_actor=False)
def reveal(scene: Scene, options: WhoOptions, _dice: Dice) -> Outcome:
    """Reveal hidden mooks of a kind; they have turns from now on. [RPJ-GCS-46, RPJ-GM-04]

    Raises:
        UserError: If none of them hides.
    """
    stage = Stage.of(scene)
    wanted = options.who.partition("×")[0].strip().casefold()
    hidden = [one for one in stage.fight.hiding if one.mook is not None]
    found = [
        one
        for one in hidden
        if one.mook is not None and wanted in (one.name.casefold(), one.mook.name.casefold())
    ]
    if not found:
        if any(one.name.casefold() == wanted for one in stage.fight.hiding):
            raise UserError(f"{options.who} isn't a mook.", "Use /gm encounter reveal for them.")
        names = ", ".join(counted(hidden))
        raise UserError(
            f"Nobody called “{options.who}” is hidden here.",
            f"Hidden: {names}." if names else "Nobody is hidden.",
        )
    stage = come_out(stage, found)
    places = {stage.fight.field.name(one.region) for one in found}
    return outcome(stage.noted(f"In {', '.join(sorted(places))}."), f"reveals {counted(found)[0]}")


@procedure("fight.remove", gm_only=True, needs_actor=False)
def remove(scene: Scene, options: WhoOptions, _dice: Dice) -> Outcome:
    """Remove mooks from the fight: they fled, or were never there. [RPJ-GM-04]"""
    stage = Stage.of(scene)
    gone = alike(stage, options.who)
    fight = stage.fight
    for mook in gone:
        fight = fight.without_fighter(mook.id)
    stage = stage.with_battle(stage.battle.with_fight(fight))
    return outcome(stage, f"removes {counted(gone)[0]} from the fight", *gone)
