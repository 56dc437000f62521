"""Steps: Suppressive Fire and shots at cover."""

from bot.rules.kernel import Family, NamedTerm, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.facts import harm
from bot.rules.rpj.combat.engine.luck_in_fights import offer_lucky_break, thrown
from bot.rules.rpj.combat.rules.arms import Arm, chosen_arm
from bot.rules.rpj.combat.rules.attacks import RpjAim, attack_check
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.defenses import best_defense
from bot.rules.rpj.combat.rules.shooting import fire_terms
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.rules.swarms import with_dice_of
from bot.rules.rpj.combat.rules.targets import Shooting
from bot.rules.rpj.combat.state.combatant import RpjCombatant
from bot.rules.rpj.combat.state.cover import damaged, giga_shot, mega_shot
from bot.rules.rpj.combat.state.fight import PlacedCover
from bot.rules.rpj.combat.state.step import Step
from bot.rules.rpj.module.scales import HARMLESS, Scale, gap
from bot.rules.rpj.resolution.check import CHECK, reading_of
from bot.rules.rpj.resolution.inputs import RpjCheckInputs


class Suppressing(Step, kind="suppressing"):
    """Suppressive Fire to roll against everyone in a group.

    Attributes:
        attacker: Who shoots.
        group: The group.
        weapon: With what.
        extras: With which weapons besides.
        terms: Bonuses and penalties of the moment.

    Source: RPJ-FIRE-23, RPJ-FIRE-32.
    """

    attacker: str
    group: int
    weapon: str
    extras: tuple[str, ...] = ()
    terms: tuple[NamedTerm, ...] = ()

    @property
    def whose(self) -> tuple[str, ...]:
        """The shooter."""
        return (self.attacker,)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll Suppressive Fire once and compare it with each group member's target number.

        Source: RPJ-FIRE-23 (FIRE-23b, FIRE-23c, FIRE-23d), RPJ-FIRE-24 (FIRE-24c).
        """
        battle, before = stage.battle, stage
        attacker, there = battle[self.attacker], members(battle, self.group, self.attacker)
        if not attacker.is_able or not there:
            return stage.noted(f"{attacker.name}'s fire has no effect.")
        checks = {one.id: suppressing_check(battle, self, one.id) for one in there}
        easiest = min(there, key=lambda one: checks[one.id].target)
        roll = thrown(checks[easiest.id], dice, rolled)
        beaten = 0
        for one in there:
            its_roll = roll if one is easiest else with_dice_of(roll, checks[one.id].model_dump())
            is_beaten = reading_of(its_roll).result.is_success
            harms = _harms(stage, chosen_arm(attacker, self.weapon), one)
            words = "suppressed" if is_beaten and harms else "not suppressed" if harms else "can't be harmed"
            stage = stage.noted(harm(f"{one.name} ({checks[one.id].target}+): {words}.")).concerning(one.id)
            if is_beaten and harms:
                beaten += 1
                stage = _suppressed(stage, self.attacker, one.id)
        many = f"{beaten} of {len(there)} suppressed"
        verdict = Verdict(Family.SUCCESS, many) if beaten else Verdict(Family.FAILURE, "nobody suppressed")
        stage = stage.rolled(self.attacker, roll, verdict=verdict)
        return offer_lucky_break(stage, before, self, roll, against=easiest.id)

    def words(self, stage: Stage) -> str:
        """The shooter, as a phrase."""
        return f"{stage.fight.fighter(self.attacker).name}'s shots"


class Razing(Step, kind="razing"):
    """An attack on cover to roll.

    Attributes:
        attacker: Who attacks.
        cover: The number of the cover.
        weapon: With what.

    Source: RPJ-FIRE-19, RPJ-FIRE-20.
    """

    attacker: str
    cover: int
    weapon: str

    @property
    def whose(self) -> tuple[str, ...]:
        """Whoever attacks."""
        return (self.attacker,)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll an attack on cover.

        Source: RPJ-FIRE-19, RPJ-FIRE-20 (FIRE-20b).
        """
        attacker, placed, before = stage.battle[self.attacker], cover_at(stage, self.cover), stage
        if not attacker.is_able or placed is None:
            return stage.noted(f"{attacker.name}'s attack has no effect.")
        roll = CHECK.resolve(rolled or razing_check(stage, self, placed), dice)
        hits = reading_of(roll).result.is_success
        verdict = Verdict(Family.SUCCESS, "hit") if hits else Verdict(Family.FAILURE, "no damage")
        stage = stage.rolled(self.attacker, roll, verdict=verdict)
        stage = offer_lucky_break(stage, before, self, roll, against=self.attacker)
        if not hits:
            return stage
        left = damaged(placed.cover, chosen_arm(attacker, self.weapon).scale)
        if left is None:
            fight = stage.fight.without_cover(placed.id)
            words = f"The {placed.cover.name} is destroyed."
        else:
            fight = stage.fight.with_cover(evolve(placed, cover=left))
            words = f"The {placed.cover.name}: {placed.cover} → {left}."
        return stage.with_battle(stage.battle.with_fight(fight)).noted(words)

    def words(self, stage: Stage) -> str:
        """The shooter, as a phrase."""
        return f"{stage.fight.fighter(self.attacker).name}'s shots"


def suppressing_aim(battle: Battle, step: Suppressing, target: str) -> RpjAim:
    """The aim of Suppressive Fire at a group member: weapons add up, and the worst range counts.

    Source: RPJ-FIRE-23, RPJ-FIRE-32 (FIRE-32a, FIRE-32b).
    """
    who = battle[step.attacker]
    arm = chosen_arm(who, step.weapon)
    arms = [arm, *(chosen_arm(who, extra) for extra in step.extras)]
    distance = battle.fight.distance(who.fighter, battle.fight.fighter(target))
    worse = min(one.at(distance) for one in arms) - arm.at(distance)
    more = (
        NamedTerm(label="several weapons", value=len(arms) if step.extras else 0),
        NamedTerm(label="worst range modifier", value=worse),
    )
    return RpjAim(
        attacker=step.attacker, target=target, arm=arm, terms=(*step.terms, *more), shot=Shooting.SUPPRESSIVE
    )


def suppressing_check(battle: Battle, step: Suppressing, target: str) -> RpjCheckInputs:
    """The roll of Suppressive Fire against one of a group.

    Source: RPJ-FIRE-23, RPJ-FIRE-32.
    """
    aim = suppressing_aim(battle, step, target)
    return attack_check(battle, aim, best_defense(battle[target]))


def members(battle: Battle, group: int, attacker: str) -> tuple[RpjCombatant, ...]:
    """The members of a group, allies too, without the attacker; the easiest to hit first.

    Source: RPJ-FIRE-23 (FIRE-23b).
    """
    return tuple(one for one in battle.fight.present if one.group == group and one.id != attacker)


def _harms(stage: Stage, arm: Arm, target: RpjCombatant) -> bool:
    """Whether a weapon can harm a combatant at all.

    Source: RPJ-FIRE-23 (FIRE-23c).
    """
    return gap(arm.scale, stage.battle.of(target).scale) > HARMLESS


def _suppressed(stage: Stage, by: str, target: str) -> Stage:
    fight, fighter = stage.fight, stage.fight.fighter(target)
    state = fighter.under_fire.suppressed(by, fight.round, has_had_turn=has_had_turn(stage, fighter))
    return stage.with_battle(stage.battle.under_fire(target, state))


def has_had_turn(stage: Stage, fighter: RpjCombatant) -> bool:
    """Whether somebody's turn of this round is over; one that is on still ends what ends with it.

    Source: RPJ-FIRE-24.
    """
    own = "mooks" if fighter.mook is not None and fighter.id not in stage.fight.order else fighter.id
    order = (*stage.fight.order, "mooks")
    if own not in order or stage.fight.turn not in order:
        return False
    return order.index(own) < order.index(stage.fight.turn)


def cover_at(stage: Stage, id_: int) -> PlacedCover | None:
    """A cover by its number, or None where it is destroyed."""
    return next((one for one in stage.fight.covers if one.id == id_), None)


def cover_distance(stage: Stage, fighter: RpjCombatant, placed: PlacedCover) -> int:
    """The distance to cover; -1 from behind it.

    Source: RPJ-FIRE-20.
    """
    if fighter.group in placed.groups:
        return -1
    steps = stage.fight.field.steps(fighter.region, placed.region)
    return 0 if steps is None else steps


def razing_check(stage: Stage, step: Razing, placed: PlacedCover) -> RpjCheckInputs:
    """The roll against cover: unmodified with a giga weapon, an attack with a mega weapon.

    Source: RPJ-FIRE-19 (FIRE-19a), RPJ-FIRE-20.
    """
    who = stage.battle[step.attacker]
    arm, criticals = chosen_arm(who, step.weapon), who.criticals
    if arm.scale is Scale.GIGA:
        return giga_shot(criticals)
    distance = cover_distance(stage, who.fighter, placed)
    terms = (
        *arm.base,
        NamedTerm(label=arm.name, value=arm.weapon),
        NamedTerm(label=f"distance {distance}", value=arm.at(distance)),
        *arm.addends,
        *fire_terms(stage.battle, step.attacker, arm.modifier, Shooting.PLAIN),
    )
    return mega_shot(tuple(term for term in terms if term.value), criticals)
