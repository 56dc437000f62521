"""Moves to another region or group, cautious or shot at, and the free attacks that they and others give."""

from collections.abc import Collection
from contextlib import suppress
from enum import StrEnum
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Document, FollowUp, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import short_name
from bot.rules.rpj.character.incapacity import is_kept_from
from bot.rules.rpj.character.sheet import caution, offered_strike
from bot.rules.rpj.combat.combatant import RpjCombatant, RpjKind, Side, counted, is_triggered, shots_at_mover
from bot.rules.rpj.combat.engine.stack import (
    GROUP,
    MOOKS,
    AsideOptions,
    ReactOptions,
    attack_chance,
    button_for,
    gm_button,
)
from bot.rules.rpj.combat.fight import Step
from bot.rules.rpj.combat.rules.attacks import RpjAim, assert_target, is_open
from bot.rules.rpj.combat.rules.combatants import (
    Arm,
    Battle,
    FighterStats,
    Maneuver,
    arms_of,
    chosen_arm,
    knows,
)
from bot.rules.rpj.combat.rules.shooting import Shooting, shots_spent
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import FreeAttackTrigger
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs


def shot_arm(battle: Battle, by: str, target: str) -> Arm | None:
    """The weapon for a shot now: the best loaded ranged one in hand that reaches.

    [RPJ-FIRE-25 (FIRE-25a, FIRE-25b)]
    """
    ready = [arm for arm in arms_of(battle[by]) if arm.is_ranged and can_shoot(battle, by, target, arm)]
    distance = battle.fight.distance(battle.fight.fighter(by), battle.fight.fighter(target))
    return max(ready, key=lambda arm: arm.modifier + arm.weapon + arm.at(distance), default=None)


def can_shoot(battle: Battle, by: str, target: str, arm: Arm) -> bool:
    """Whether a weapon reaches a target and has ammunition. [RPJ-FIRE-02, RPJ-FIRE-08]"""
    with suppress(UserError):
        assert_target(battle, RpjAim(attacker=by, target=target, arm=arm))
        shots_spent(battle, by, (arm.id,))
        return True
    return False


def shoots_out_of_turn(battle: Battle, by: str, mover: str, shot: Shooting) -> bool:
    """Whether a combatant can shoot now at a mover. [RPJ-FIRE-25, RPJ-FIRE-26, RPJ-FIRE-27, RPJ-FIRE-29]

    Args:
        by: Who shoots.
        mover: Who moves.
        shot: On overwatch, or at somebody suppressed, which takes the free attack of the round.
    """
    who, whom = battle.fight.fighter(by), battle.fight.fighter(mover)
    if shot is Shooting.OVERWATCH:
        is_open = who.under_fire.overwatch == whom.region
    else:
        is_open = who.free_attacks > 0 and by in whom.under_fire.suppressors
    return is_open and shot_arm(battle, by, mover) is not None


def at_mover(battle: Battle, by: str, mover: str, shot: Shooting) -> RpjAim | None:
    """A combatant's shot out of turn, or None without a usable weapon."""
    arm = shot_arm(battle, by, mover)
    return None if arm is None else RpjAim(attacker=by, target=mover, arm=arm, shot=shot)


class Trigger(StrEnum):
    """What triggers a free attack.

    [RPJ-GCS-43, RPJ-GCS-44, RPJ-MNV-04, RPJ-MNV-06, RPJ-MNV-08, RPJ-TRAIT-07]
    """

    LEAVING = "leaves the group"
    CAUTIOUS = "leaves the group cautiously"
    SHOOTING = "shoots"
    COUP = "attempts a coup de grace"
    ARRIVING = "joins the group"
    MISSED = "misses"
    UNDER_FIRE = "moves under suppressive fire"
    UNDER_FIRE_CAUTIOUS = "moves cautiously under suppressive fire"
    WATCHED = "enters a watched region"


SHOTS = {
    Trigger.UNDER_FIRE: Shooting.AT_MOVER,
    Trigger.UNDER_FIRE_CAUTIOUS: Shooting.AT_CAUTIOUS,
    Trigger.WATCHED: Shooting.OVERWATCH,
}


class Payment(StrEnum):
    """What pays for a free attack. [RPJ-GCS-42, RPJ-MNV-03, RPJ-MNV-04]"""

    ROUND = "the free attack of the round"
    CHARGE = "a Prepare charge"
    ALL_CHARGES = "all Prepare charges"
    NOTHING = "nothing"


class RpjChance(Struct, frozen=True):
    """A possible free attack."""

    by: str  # who may make it
    payment: Payment  # what pays for it
    maneuvers: tuple[Maneuver, ...] = ()  # the maneuvers that it may be; none for a plain one


def chance_of(battle: Battle, reactor: str, provoker: str, trigger: Trigger) -> RpjChance | None:
    """A combatant's free attack on another's action, or None.

    [RPJ-GCS-42 to RPJ-GCS-44 (R-087, R-113), RPJ-MNV-03, RPJ-MNV-04, RPJ-MNV-06 to RPJ-MNV-08 (R-126 to
    R-128)]
    """
    who = battle[reactor]
    is_busy = battle.fight.grapple(reactor) is not None or battle.fight.acts(who.fighter)
    if reactor == provoker or not who.is_able or is_busy or is_open(who):
        return None
    if who.sheeted is not None and is_kept_from(who.sheeted, Need.ATTACK):
        return None
    if trigger in SHOTS:
        return _shot(battle, reactor, provoker, trigger)
    if not battle.fight.are_adjacent(who.fighter, battle.fight.fighter(provoker)):
        return None
    if trigger is Trigger.CAUTIOUS:
        return RpjChance(reactor, Payment.ALL_CHARGES, _holding(who)) if who.fighter.charges else None
    if trigger is Trigger.MISSED:
        return _riposte(who)
    payment = _payment(who)
    if payment is None:
        return None
    if trigger is Trigger.ARRIVING:
        striking = tuple(one for one in (Maneuver.WATCHFUL, Maneuver.GUARDING) if knows(who, one))
        return RpjChance(reactor, payment, striking) if striking else None
    return RpjChance(reactor, payment, _holding(who) if trigger is Trigger.LEAVING else ())


def _shot(battle: Battle, reactor: str, provoker: str, trigger: Trigger) -> RpjChance | None:
    """A shot out of turn; on overwatch it costs nothing else. [RPJ-FIRE-25 to RPJ-FIRE-27]"""
    if not shoots_out_of_turn(battle, reactor, provoker, SHOTS[trigger]):
        return None
    return RpjChance(reactor, Payment.NOTHING if trigger is Trigger.WATCHED else Payment.ROUND)


def _holding(who: FighterStats) -> tuple[Maneuver, ...]:
    return (Maneuver.HOLDING,) if knows(who, Maneuver.HOLDING) else ()


def _payment(who: FighterStats) -> Payment | None:
    """The cost of an ordinary free attack: the round's, else a charge."""
    if who.fighter.free_attacks:
        return Payment.ROUND
    return Payment.CHARGE if who.fighter.charges else None


def _riposte(who: FighterStats) -> RpjChance | None:
    """A trait's free attack after a melee miss. [RPJ-TRAIT-07 (R-054)]"""
    if who.sheeted is None:
        return None
    free = who.fighter.free_attacks
    offered = offered_strike(who.sheeted, FreeAttackTrigger.MELEE_MISS, free)
    if offered is not None:
        return RpjChance(who.fighter.id, Payment.ROUND if offered.left < free else Payment.NOTHING)
    charged = offered_strike(who.sheeted, FreeAttackTrigger.MELEE_MISS, who.fighter.charges)
    return RpjChance(who.fighter.id, Payment.CHARGE) if charged is not None else None


def chances(
    battle: Battle, provoker: str, trigger: Trigger, only: str | None = None, *, allies: bool = False
) -> tuple[RpjChance, ...]:
    """Everyone's free attacks on an action, without the same side. [RPJ-GCS-43 (R-109), RPJ-GCS-44]

    Args:
        provoker: Who does it.
        trigger: What is done.
        only: The one whom it concerns, for a miss.
        allies: Whether those of the same side are offered theirs too.
    """
    side: Side = battle.fight.fighter(provoker).side
    near = battle.fight.group(battle.fight.fighter(provoker))
    found = (
        chance_of(battle, one.id, provoker, trigger)
        for one in near
        if (allies or one.side is not side) and only in (None, one.id)
    )
    return tuple(chance for chance in found if chance is not None)


def paid(battle: Battle, chance: RpjChance) -> Battle:
    """The battle after a free attack is paid for. [RPJ-GCS-42, RPJ-MNV-03, RPJ-MNV-04 (R-127)]

    Raises:
        UserError: If there is nothing left to pay with.
    """
    fighter = battle.fight.fighter(chance.by)
    left, charges = fighter.free_attacks, fighter.charges
    match chance.payment:
        case Payment.ROUND:
            left -= 1
        case Payment.CHARGE:
            charges -= 1
        case Payment.ALL_CHARGES:
            charges = min(charges, 1) - 1
    if left < 0 or charges < 0:
        raise UserError(f"{fighter.name} has no free attack left this round.")
    return battle.changed(chance.by, free_attacks=left, charges=charges)


def bonus_for(trigger: Trigger, coup_bonus: int) -> int:
    """The bonus of a free attack for its trigger. [RPJ-GCS-44]"""
    return coup_bonus if trigger is Trigger.COUP else 0


class Waiting(Document):
    """An offered free attack."""

    by: str
    payment: Payment
    maneuvers: tuple[Maneuver, ...] = ()

    @classmethod
    def of(cls, chance: RpjChance) -> Self:
        """The offer for a possible free attack."""
        return cls(by=chance.by, payment=chance.payment, maneuvers=chance.maneuvers)


class React(Step, kind="react"):
    """Free attacks provoked by an action before or after it."""

    provoker: str  # who does it
    trigger: Trigger
    waiting: tuple[Waiting, ...]  # who has not answered yet

    @property
    def whose(self) -> tuple[str, ...]:
        """The combatant who provokes them."""
        return (self.provoker,)

    def among(self, there: Collection[str]) -> Self | None:
        """The free attacks of combatants who are still in the fight."""
        waiting = tuple(one for one in self.waiting if one.by in there)
        return self._left(waiting) if self.provoker in there else None

    def _left(self, waiting: tuple[Waiting, ...]) -> Self | None:
        return evolve(self, waiting=waiting) if waiting else None

    def now(self, stage: Stage) -> Self | None:
        """The free attacks that can still be made. [RPJ-GCS-42, RPJ-GCS-43]"""
        if not stage.battle[self.provoker].is_able:
            return None
        still = (chance_of(stage.battle, one.by, self.provoker, self.trigger) for one in self.waiting)
        return self._left(tuple(Waiting.of(one) for one in still if one is not None))

    def waits(self, stage: Stage) -> bool:
        """Always true: each is a choice."""
        return True

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """Strike or pass, for each attacker; the GM answers for mooks together."""
        buttons: list[FollowUp] = []
        others = [one for one in self.waiting if stage.fight.fighter(one.by).kind is not RpjKind.MOOK]
        for one in others:
            buttons += self._ways(stage, one)
        count = len(self.waiting) - len(others)
        if count:
            strikes = "Mooks: free attack" if count == 1 else f"{count} mooks: free attacks"
            buttons.append(gm_button("fight.react", ReactOptions(by=MOOKS), strikes))
            passed = ReactOptions(by=MOOKS, strikes=False)
            buttons.append(gm_button("fight.react", passed, "Mooks: skip"))
        reason = self._reason(stage)
        return (*(replace(one, note=reason) for one in buttons[:1]), *buttons[1:])

    def _ways(self, stage: Stage, one: Waiting) -> list[FollowUp]:
        """A combatant's possible strikes, and passing."""
        group = f"{GROUP} {one.by}"
        cost = "" if one.payment in (Payment.ROUND, Payment.NOTHING) else f" ({one.payment})"
        plain = "free attack" if self.trigger not in SHOTS else "shoot"
        if self.trigger in SHOTS and one.payment is Payment.ROUND:
            cost = " (free attack)"
        odds = self._chance(stage, one)
        ways: list[Maneuver | None] = list(one.maneuvers)
        if self.trigger is not Trigger.ARRIVING:
            ways = [None, *ways]
        buttons = [
            button_for(
                stage,
                one.by,
                "fight.react",
                ReactOptions(by=one.by, maneuver=way),
                f"{way.called if way else plain}{cost} · {odds}",
                group,
            )
            for way in ways
        ]
        no = ReactOptions(by=one.by, strikes=False)
        return [*buttons, button_for(stage, one.by, "fight.react", no, "skip", group)]

    def _chance(self, stage: Stage, one: Waiting) -> str:
        if self.trigger in SHOTS:
            shot = at_mover(stage.battle, one.by, self.provoker, SHOTS[self.trigger])
            return attack_chance(stage.battle, shot) if shot is not None else ""
        arm = chosen_arm(stage.battle[one.by], near=True)
        aim = RpjAim(attacker=one.by, target=self.provoker, arm=arm)
        return attack_chance(stage.battle, aim)

    def words(self, stage: Stage) -> str:
        """The free attacks and what provokes them, as a phrase."""
        return f"Free attack of {self._whose(stage)} while {self._provoking(stage)}"

    def waiting_words(self, stage: Stage) -> str:
        """What provokes them and who can react, as the start of a sentence."""
        return f"{self._provoking(stage)}: free attacks are possible for {self._whose(stage)}"

    def _provoking(self, stage: Stage) -> str:
        return f"{stage.fight.fighter(self.provoker).name} {self.trigger}"

    def _reason(self, stage: Stage) -> str:
        """What provokes them and where, as a sentence (F-RPJ-18)."""
        here = stage.fight.fighter(self.provoker).region
        goals = (one.goal for one in stage.steps[::-1] if self.provoker in one.whose and one.goal is not None)
        regions = dict.fromkeys((here, next(goals, here)))
        where = " → ".join(stage.fight.field.name(one) for one in regions)
        can = "can shoot" if self.trigger in SHOTS else "can attack"
        return f"{self._provoking(stage)} ({where}): {self._whose(stage)} {can}."

    def _whose(self, stage: Stage) -> str:
        return ", ".join(counted(stage.fight.fighter(one.by) for one in self.waiting))


class Aside(Step, kind="aside"):
    """The choice after a Watchful Strike hit: drag the target along or stay."""

    owner: str
    target: str

    @property
    def whose(self) -> tuple[str, ...]:
        """The attacker."""
        return (self.owner,)

    @property
    def needs(self) -> tuple[str, ...]:
        """Both combatants."""
        return (self.owner, self.target)

    def now(self, stage: Stage) -> Self | None:
        """The same unless the target is dead."""
        return None if stage.battle[self.target].health.out is Out.DEAD else self

    def waits(self, stage: Stage) -> bool:
        """Always true: it is the attacker's choice."""
        return True

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """Drag the target along, or stay."""
        target = stage.fight.fighter(self.target).name
        draw, stay = AsideOptions(owner=self.owner), AsideOptions(owner=self.owner, draws=False)
        return (
            button_for(stage, self.owner, "fight.aside", draw, f"draw {short_name(target, 24)} aside"),
            button_for(stage, self.owner, "fight.aside", stay, "stay"),
        )

    def words(self, stage: Stage) -> str:
        """The choice, as a phrase."""
        name = stage.fight.fighter
        return f"Whether {name(self.owner).name} draws {name(self.target).name} aside"

    def waiting_words(self, stage: Stage) -> str:
        """Who decides, as the start of a sentence."""
        return f"{stage.fight.fighter(self.owner).name} can draw the target aside"


def provoked(stage: Stage, provoker: str, trigger: Trigger, only: str | None = None) -> Stage:
    """The stage with the provoked free attacks to resolve first. [RPJ-GCS-43 (R-108, R-109)]"""
    waiting = tuple(Waiting.of(one) for one in chances(stage.battle, provoker, trigger, only))
    return stage.pushed(React(provoker=provoker, trigger=trigger, waiting=waiting)) if waiting else stage


class Goal(Struct, frozen=True):
    """The goal of a move."""

    region: int | None = None  # the region; None for one's own
    beside: str | None = None  # somebody whose group is joined; None to stand alone
    cover: int | None = None  # the number of a cover that is gone into; None for none


class RpjStep(Struct, frozen=True):
    """A possible move."""

    region: int  # where it leads
    group: int | None  # the group joined; None for a new one
    leaves: bool  # whether somebody is left behind, who may strike


def step_to(battle: Battle, id_: str, goal: Goal, steps: int = 1) -> RpjStep:
    """The move to a goal, if possible. [RPJ-GCS-10, RPJ-GCS-52, RPJ-MNV-07, RPJ-MNV-08, RPJ-COND-04]

    Args:
        id_: Who moves.
        goal: Where to.
        steps: How many moves it may take.

    Raises:
        UserError: If that is too far, no way leads there, or somebody keeps the mover away.
    """
    mover, fight = battle.fight.fighter(id_), battle.fight
    battle.assert_free(id_)
    battle[id_].assert_can(Need.MOVE)
    if fight.is_cinematic:
        raise UserError("This fight is played in yards.", try_this="Move with /rpj-fight cinema walk.")
    if mover.turn.is_held:
        raise UserError(f"{mover.name} is held and can't move for the rest of this turn.")
    mover.under_fire.assert_may_move()
    friend = fight.fighter(goal.beside) if goal.beside is not None else None
    region = region_of(battle, id_, goal)
    fight.field.assert_region(region)
    if friend is not None and friend.region != region:
        raise UserError(f"{friend.name} is in {fight.field.name(friend.region)}.")
    _assert_near(battle, mover, region, steps)
    others = fight.group(mover)
    if goal.cover is not None:
        return _into_cover(battle, mover, goal.cover, region)
    if friend is None and region == mover.region and not others:
        raise UserError(f"{mover.name} is already alone there.")
    if friend is not None and friend.group == mover.group:
        raise UserError(f"{mover.name} and {friend.name} are already in the same group.")
    if friend is not None:
        _assert_welcome(battle, mover, friend)
    return RpjStep(region, friend.group if friend else None, bool(others))


def _into_cover(battle: Battle, mover: RpjCombatant, id_: int, region: int) -> RpjStep:
    """A move into cover: to its first group. [RPJ-FIRE-12]"""
    fight = battle.fight
    placed = next((one for one in fight.covers if one.id == id_ and one.region == region), None)
    if placed is None:
        raise UserError("That cover is no longer there.")
    if mover.group in placed.groups:
        raise UserError(f"{mover.name} is already behind the {placed.cover.name}.")
    there = [one for one in fight.present if one.group == placed.groups[0]]
    if there:
        _assert_welcome(battle, mover, there[0])
    return RpjStep(region, placed.groups[0], bool(fight.group(mover)))


def _assert_near(battle: Battle, mover: RpjCombatant, region: int, steps: int) -> None:
    """Refuse a region too far away for one move."""
    field, reached = battle.fight.field, {mover.region}
    for _ in range(steps):
        reached |= {there for here in reached for there in field.exits(here)}
    if region not in reached:
        near = ", ".join(field.name(there) for there in field.exits(mover.region))
        raise UserError(
            f"{field.name(region)} isn't next to {field.name(mover.region)}.",
            f"From there, one move leads to {near}." if near else "There is no way out of there.",
        )


def _assert_welcome(battle: Battle, mover: RpjCombatant, friend: RpjCombatant) -> None:
    group = (friend, *battle.fight.group(friend))
    owner = next((one for one in group if one.id in mover.barred), None)
    if owner is not None:
        raise UserError(f"{owner.name} keeps {mover.name} away until {mover.name}'s next turn.")


def region_of(battle: Battle, id_: str, goal: Goal) -> int:
    """The region of a goal; without one named, that of whoever is joined, or the mover's own."""
    beside = id_ if goal.beside is None else goal.beside
    return goal.region or battle.fight.fighter(beside).region


def route(battle: Battle, id_: str, region: int) -> str:
    """A move in words, before it is made: "from Region 1 to Region 2"."""
    field, here = battle.fight.field, battle.fight.fighter(id_).region
    if region == here:
        return f"within {field.name(here)}"
    return f"from {field.name(here)} to {field.name(region)}"


def moved(battle: Battle, id_: str, step: RpjStep) -> Battle:
    """The battle after a move; its cost is paid before. [RPJ-GCS-10]"""
    group = battle.fight.new_group if step.group is None else step.group
    after = battle.changed(id_, region=step.region, group=group)
    fighter = after.fight.fighter(id_)
    in_cover = bool(after.fight.covers_of(fighter))
    return after.under_fire(id_, fighter.under_fire.displaced(in_cover=in_cover))


def carried(battle: Battle, id_: str, region: int, group: int | None) -> Battle:
    """The battle after an ability moves a combatant: no free attacks, and a grapple ends.

    [RPJ-GCS-43, RPJ-GCS-56]
    """
    battle = battle.with_fight(battle.fight.without_grapple(id_))
    return moved(battle, id_, RpjStep(region, group, leaves=False))


class CautiousWalk(Struct, frozen=True):
    """A cautious move."""

    actions: int | None  # actions it costs; None for the whole turn
    steps: int  # moves it is worth


def cautious_walk(battle: Battle, id_: str) -> CautiousWalk:
    """A combatant's current cost and distance of cautious movement.

    Raises:
        UserError: If it is not their turn, or too much of it is spent.

    [RPJ-GCS-45, RPJ-TRAIT-07, RPJ-APPX-08 (APPX-08a)]
    """
    battle.assert_turn(id_)
    who = battle[id_]
    walk = caution(who.figure) if who.sheeted else None
    if walk is None or walk.actions is None or walk.actions > who.fighter.turn.received:
        if not who.fighter.turn.is_untouched:
            raise UserError(
                "Moving cautiously takes a whole turn.", "You have already used part of this one."
            )
        return CautiousWalk(None, walk.steps if walk else 1)
    return CautiousWalk(walk.actions, walk.steps)


def cautious_paid(battle: Battle, id_: str, walk: CautiousWalk) -> Battle:
    """The battle after paying for a cautious move. [RPJ-GCS-45]"""
    return battle.end_turn_of(id_) if walk.actions is None else battle.spent(id_, walk.actions)


class PendingMove(Step, kind="going"):
    """A move to complete."""

    mover: str  # who moves
    region: int  # where to
    group: int | None = None  # the group that is joined; None for a new one
    cautious: bool = False

    @property
    def goal(self) -> int:
        """The region it leads to."""
        return self.region

    @property
    def whose(self) -> tuple[str, ...]:
        """The mover."""
        return (self.mover,)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Complete the move and offer the free attacks it provokes.

        [RPJ-GCS-10, RPJ-GCS-43 (R-108), RPJ-MNV-06 (R-138)]
        """
        mover = stage.battle[self.mover]
        if not mover.is_able or mover.fighter.turn.is_held:
            return stage.noted(f"{mover.name} doesn't move.")
        watched = entering(stage, self)
        if watched is not None:
            return watched
        there = {one.group for one in stage.fight.present if one.region == self.region}
        there |= {group for one in stage.fight.covers if one.region == self.region for group in one.groups}
        known = self.group if self.group in there or self.group == stage.fight.new_group else None
        stage = stage.with_battle(moved(stage.battle, self.mover, RpjStep(self.region, known, leaves=False)))
        stage = settled_in(stage, self).concerning(self.mover).noted(where(stage, self.mover))
        return provoked(stage, self.mover, Trigger.ARRIVING)

    def words(self, stage: Stage) -> str:
        """The move, as a phrase."""
        return f"{stage.fight.fighter(self.mover).name}'s move to {stage.fight.field.name(self.region)}"


def where(stage: Stage, id_: str) -> str:
    """Where a combatant stands and with whom, as a sentence."""
    fighter = stage.fight.fighter(id_)
    region = stage.fight.field.name(fighter.region)
    others = ", ".join(one.name for one in stage.fight.group(fighter))
    return f"{fighter.name} is in {region}, {f'beside {others}' if others else 'alone'}."


def shot_at(stage: Stage, mover: str, trigger: Trigger) -> Stage:
    """The stage with the shots a move draws to resolve first; none from the mover's side.

    [RPJ-FIRE-25, RPJ-FIRE-26, RPJ-FIRE-27]
    """
    side = stage.fight.fighter(mover).side
    found = (
        chance_of(stage.battle, one.id, mover, trigger) for one in stage.fight.present if one.side is not side
    )
    waiting = tuple(Waiting(by=one.by, payment=one.payment) for one in found if one is not None)
    return stage.pushed(React(provoker=mover, trigger=trigger, waiting=waiting)) if waiting else stage


def under_fire(stage: Stage, mover: str, *, cautious: bool) -> Stage:
    """The stage with the shots drawn by a suppressed combatant's first move. [RPJ-FIRE-25, RPJ-FIRE-29]"""
    fighter = stage.fight.fighter(mover)
    is_first = bool(shots_at_mover(fighter.under_fire))
    in_cover = bool(stage.fight.covers_of(fighter))
    state = fighter.under_fire.moved(leaves_cover=not in_cover)
    stage = stage.with_battle(stage.battle.under_fire(mover, state))
    if not is_first:
        return stage
    return shot_at(stage, mover, Trigger.UNDER_FIRE_CAUTIOUS if cautious else Trigger.UNDER_FIRE)


def entering(stage: Stage, step: PendingMove) -> Stage | None:
    """The stage with overwatch shots at someone entering a region; None if nobody watches it.

    Whoever is dropped by the shot lies there in a group of their own.

    [RPJ-FIRE-26 (FIRE-26d), RPJ-FIRE-30]
    """
    fighter = stage.fight.fighter(step.mover)
    watchers = [
        one
        for one in stage.fight.present
        if one.side is not fighter.side
        and is_triggered(one.under_fire, fighter.region, step.region, is_cautious=step.cautious)
    ]
    if not watchers:
        return None
    entered = stage.with_battle(moved(stage.battle, step.mover, RpjStep(step.region, None, leaves=False)))
    watched = shot_at(entered.pushed(step), step.mover, Trigger.WATCHED)
    return watched if isinstance(watched.steps[-1], React) else None


def settled_in(stage: Stage, step: PendingMove) -> Stage:
    """The stage after a cautious move, which counts as light cover in the open. [RPJ-FIRE-28]"""
    if not step.cautious:
        return stage
    fighter = stage.fight.fighter(step.mover)
    state = fighter.under_fire.cautious(in_cover=bool(stage.fight.covers_of(fighter)))
    return stage.with_battle(stage.battle.under_fire(step.mover, state))


def has_fired(stage: Stage, by: str, trigger: Trigger) -> Stage:
    """The stage after a shot out of turn; a shot on overwatch ends the overwatch.

    [RPJ-FIRE-26, RPJ-FIRE-27]
    """
    if trigger is not Trigger.WATCHED:
        return stage
    state = stage.fight.fighter(by).under_fire.fired()
    return stage.with_battle(stage.battle.under_fire(by, state))
