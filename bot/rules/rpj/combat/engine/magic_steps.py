"""Magic in fights: its range and area, touching, resistance, saving throws and effects."""

from collections.abc import Collection, Iterator
from math import inf
from typing import Self

from msgspec.structs import replace

from bot.rules.kernel import Family, FollowUp, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import harm
from bot.rules.rpj.character.belongings import tier_in
from bot.rules.rpj.character.casters import defense_against_magic, linked_level
from bot.rules.rpj.character.damage_saves import Strike
from bot.rules.rpj.combat.combatant import ADJACENT, out_of_reach
from bot.rules.rpj.combat.engine.damage_steps import is_players, landed
from bot.rules.rpj.combat.engine.stack import WardOptions, button_for, offer_lucky_break, thrown
from bot.rules.rpj.combat.fight import Fight, PairStep, Step
from bot.rules.rpj.combat.rules.attacks import Hit, targeted
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.module.abilities import Ability, Area, Reach, Recipe
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.possessions import forbids
from bot.rules.rpj.module.spells import RpjSpell, spell_defense_roll, spell_save, touch_check
from bot.rules.rpj.resolution.check import chance_words, reading_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs, RpjPurpose
from bot.rules.rpj.wild_magic import ability_inputs, mishap_button

NEAR_BY = ("touch", "same group")
SIX_REGIONS = 6


def _assert_seen(battle: Battle, who: str, target: str) -> None:
    field = battle.fight.field
    start, end = battle.fight.fighter(who).region, battle.fight.fighter(target).region
    if not field.can_shoot(start, end):
        raise UserError(f"You can't see {field.name(end)} from {field.name(start)}.")


def assert_reached(battle: Battle, who: str, target: str, reach: Reach) -> None:
    """Refuse an ability whose target is out of range. [RPJ-WMAG-13, RPJ-WMAG-15]"""
    if who == target:
        return
    whom = battle.fight.fighter(target)
    if reach in (Reach.TOUCH, Reach.NEAR):
        if not battle.fight.are_adjacent(battle.fight.fighter(who), whom):
            raise UserError(
                f"{whom.name} is too far away.", "It only reaches targets in your group.", "Move there first."
            )
        return
    _assert_seen(battle, who, target)
    distance = battle.fight.distance(battle.fight.fighter(who), whom)
    if reach is Reach.SIX_REGIONS and distance > SIX_REGIONS:
        raise UserError(f"{whom.name} is too far away.", f"It reaches {SIX_REGIONS} regions.")


def assert_spell_reaches(battle: Battle, who: str, target: str, spell: RpjSpell) -> None:
    """Refuse a spell without an attack roll whose target is out of its range. [RPJ-SMAG-03]"""
    if who == target:
        return
    distance = battle.fight.distance(battle.fight.fighter(who), battle.fight.fighter(target))
    if spell.greatest_range is None:
        if spell.reach in NEAR_BY and distance != ADJACENT:
            raise UserError(f"{spell.name} only reaches targets in your group.", try_this="Move there first.")
        return
    least = ADJACENT if spell.least_range is None else spell.least_range
    if not least <= distance <= spell.greatest_range:
        raise out_of_reach(f"{spell.name} can't be cast", distance, least, spell.greatest_range)
    _assert_seen(battle, who, target)


def taken_in(fight: Fight, who: str, recipe: Recipe, targets: tuple[str, ...]) -> tuple[str, ...]:
    """Everyone an ability affects, its target first. [RPJ-WMAG-13, RPJ-WMAG-16 (WMAG-16b), RPJ-WMAG-17]

    An area takes in friends and its user too, unless its targets are chosen: then those who are named,
    and where one alone is named, everybody there of the same side.

    Raises:
        UserError: If it concerns one target and several are named.
    """
    if recipe.area is Area.SINGLE:
        if len(targets) > 1:
            raise UserError("This affects one target only.", "Only an area affects several targets.")
        return targets
    if not targets:
        return ()
    inside = tuple(_inside(fight, recipe, targets[0]))
    if not recipe.is_selective:
        return inside
    if len(targets) > 1:
        return tuple(one for one in inside if one in targets)
    side = fight.fighter(targets[0]).side
    return tuple(one for one in inside if one == targets[0] or fight.fighter(one).side is side)


def _inside(fight: Fight, recipe: Recipe, center: str) -> Iterator[str]:
    middle = fight.fighter(center)
    yield center
    if recipe.area is Area.GROUP:
        yield from (one.id for one in fight.group(middle))
        return
    near = sorted(fight.field.numbers, key=lambda region: _steps(fight, middle.region, region))
    regions = near[: recipe.regions]
    yield from (one.id for one in fight.present if one.region in regions and one.id != center)


def _steps(fight: Fight, start: int, end: int) -> float:
    steps = fight.field.steps(start, end)
    return inf if steps is None else steps


class Touch(PairStep, kind="touch"):
    """An attempt to touch an unwilling target; a miss cancels the next step. [RPJ-WMAG-18]"""

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll to touch; a miss ends it, and all costs stay paid. [RPJ-WMAG-18 (WMAG-18b)]"""
        before = stage
        roll = thrown(touching(stage.battle, self), dice, rolled)
        stage = (
            stage.rolled(self.actor, roll)
            .concerning(self.target)
            .with_battle(targeted(stage.battle, self.target))
        )
        stage = offer_lucky_break(stage, before, self, roll, against=self.target)
        if reading_of(roll).result.is_success:
            return stage
        return replace(stage.popped(), verdict=Verdict(Family.FAILURE, "misses"))

    def words(self, stage: Stage) -> str:
        """The caster, as a phrase."""
        return f"{stage.fight.fighter(self.actor).name}'s magic"


class Wield(Step, kind="wield"):
    """An ability to roll for. [RPJ-WMAG-02]"""

    actor: str  # who uses it
    ability: Ability
    targets: tuple[str, ...] = ()  # whom it concerns

    @property
    def whose(self) -> tuple[str, ...]:
        """The user."""
        return (self.actor,)

    def among(self, there: Collection[str]) -> Self | None:
        """The ability with the targets who are still in the fight."""
        targets = tuple(one for one in self.targets if one in there)
        return evolve(self, targets=targets) if self.actor in there else None

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll for an ability and apply it to every target.

        [RPJ-WMAG-02, RPJ-WMAG-04, RPJ-WMAG-16 (WMAG-16b)]
        """
        before, actor = stage, stage.battle[self.actor]
        if not actor.is_able:
            return stage.noted(f"{actor.name}'s {self.ability.name} has no effect.")
        roll = thrown(using(stage.battle, self), dice, rolled)
        stage = stage.rolled(self.actor, roll, purpose=RpjPurpose.ABILITY, verdict=roll.verdict)
        stage = stage.concerning(*self.targets)
        against = self.targets[0] if self.targets else self.actor
        stage = offer_lucky_break(stage, before, self, roll, against=against)
        if not reading_of(roll).result.is_success:
            character = stage.character(self.actor)
            return stage if character is None else self._with_mishap(stage)
        damage = self.ability.recipe.damage
        strike = None if damage is None else Strike(damage=damage)
        harms = [Harm(target=one, strike=strike) for one in self.targets if stage.battle[one].is_able]
        return guarded(stage, self.actor, self.ability.skill, self.ability.name, *harms)

    def _with_mishap(self, stage: Stage) -> Stage:
        character = stage.character(self.actor)
        buttons = () if character is None else (mishap_button(character.id),)
        return replace(stage, buttons=(*stage.buttons, *buttons))

    def words(self, stage: Stage) -> str:
        """The caster, as a phrase."""
        return f"{stage.fight.fighter(self.actor).name}'s magic"


class Resisted(Step):
    """A target's roll against magic."""

    caster: str  # whose magic it is
    target: str  # who rolls
    name: str  # what it is called

    @property
    def whose(self) -> tuple[str, ...]:
        """The target who rolls, and the caster."""
        return (self.target, self.caster)

    @property
    def needs(self) -> tuple[str, ...]:
        """The target only: magic works without its caster."""
        return (self.target,)

    def waits(self, stage: Stage) -> bool:
        """Whether a player rolls or decides."""
        return is_players(stage, self.target)


class Ward(Resisted, kind="ward"):
    """A combatant's chance to resist magic before it takes effect. [RPJ-SMAG-18 (SMAG-18b), RPJ-WMAG-05]"""

    value: int  # their spell defence
    against: int  # the caster's level in the attribute that the magic is linked to

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll to resist; on a success the magic has no effect. [RPJ-SMAG-18, RPJ-WMAG-05, RPJ-APPX-16]"""
        before, whom = stage, stage.battle[self.target]
        roll = thrown(resisting(stage.battle, self), dice, rolled)
        resists = reading_of(roll).result.is_success
        verdict = Verdict(Family.SUCCESS, "resists") if resists else Verdict(Family.FAILURE, "not resisted")
        stage = stage.rolled(self.target, roll, purpose=RpjPurpose.RESISTANCE, verdict=verdict)
        stage = stage.concerning(self.target)
        stage = offer_lucky_break(stage, before, self, roll, against=self.target)
        return stage.popped().noted(harm(f"{whom.name} resists {self.name}.")) if resists else stage

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """Resist the magic, or accept it. [RPJ-SMAG-18]"""
        odds = chance_words(resisting(stage.battle, self))
        yes, no = WardOptions(target=self.target), WardOptions(target=self.target, resists=False)
        return (
            button_for(stage, self.target, "fight.ward", yes, f"resist with {self.value} · {odds}"),
            button_for(stage, self.target, "fight.ward", no, "don't resist"),
        )

    def words(self, stage: Stage) -> str:
        """Who rolls against what, as a phrase."""
        return f"{stage.fight.fighter(self.target).name}'s roll against {self.name}"

    def waiting_words(self, stage: Stage) -> str:
        """Who can resist what, as the start of a sentence."""
        return f"{stage.fight.fighter(self.target).name} can resist {self.name}"


class Withstand(Resisted, kind="withstand"):
    """A saving throw against a spell. [RPJ-SMAG-07]"""

    attribute: RpjAttribute  # what is rolled
    base: int  # what is added to 7
    strike: Strike | None = None  # what it does where that fails; None for what is no damage
    on_success: str = ""  # what it does all the same

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Roll a saving throw against a spell; with too heavy a load it fails without a roll.

        [RPJ-SMAG-07, RPJ-INV-04 (INV-04a)]
        """
        before, whom = stage, stage.battle[self.target]
        failed = stage.pushed(Harm(target=self.target, strike=self.strike))
        if whom.sheeted and forbids(tier_in(whom.figure), RpjAttribute(self.attribute)):
            return failed.noted(f"{whom.name} carries too much to roll a saving throw against {self.name}.")
        roll = thrown(withstanding(stage.battle, self), dice, rolled)
        saved = reading_of(roll).result.is_success
        verdict = Verdict(Family.SUCCESS, "saved") if saved else Verdict(Family.FAILURE, "failed")
        stage = (
            (stage if saved else failed).rolled(self.target, roll, verdict=verdict).concerning(self.target)
        )
        stage = offer_lucky_break(stage, before, self, roll, against=self.target)
        note = self.on_success if saved else f"{self.name} affects {whom.name}."
        return stage.noted(note) if note else stage

    def questions(self, stage: Stage) -> tuple[FollowUp, ...]:
        """The saving throw."""
        inputs = withstanding(stage.battle, self)
        label = f"save with {self.attribute.word}, {inputs.target}+ · {chance_words(inputs)}"
        return (button_for(stage, self.target, "fight.withstand", WardOptions(target=self.target), label),)

    def words(self, stage: Stage) -> str:
        """Who rolls against what, as a phrase."""
        return f"{stage.fight.fighter(self.target).name}'s roll against {self.name}"

    def waiting_words(self, stage: Stage) -> str:
        """Who saves against what, as the start of a sentence."""
        return f"{stage.fight.fighter(self.target).name} must save against {self.name}"


class Harm(Step, kind="harm"):
    """The effect of magic on a target; without a strike it changes no numbers."""

    target: str
    strike: Strike | None = None

    @property
    def whose(self) -> tuple[str, ...]:
        """The target."""
        return (self.target,)

    def run(self, stage: Stage, dice: Dice, rolled: RpjCheckInputs | None = None) -> Stage:
        """Apply the magic; its damage allows the same saves as a weapon's. [RPJ-SMAG-07, RPJ-WMAG-11]"""
        if self.strike is None or not stage.battle[self.target].is_able:
            return stage
        stage = stage.with_battle(targeted(stage.battle, self.target)).concerning(self.target)
        return landed(stage, self.target, Hit((), self.strike))

    def words(self, stage: Stage) -> str:
        """The target, as a phrase."""
        return f"What magic does to {stage.fight.fighter(self.target).name}"


def touching(battle: Battle, step: Touch) -> RpjCheckInputs:
    """The check to touch an unwilling target. [RPJ-WMAG-18 (WMAG-18a), RPJ-GCS-46 (R-110)]"""
    levels = battle[step.actor].dexterity, battle[step.target].dexterity
    return touch_check(*levels, battle.module.criticals)


def using(battle: Battle, step: Wield) -> RpjCheckInputs:
    """The check to use an ability. [RPJ-WMAG-02]"""
    figure = battle[step.actor].figure
    return ability_inputs(figure, figure.known_skill(step.ability.skill), step.ability.cost)


def resisting(battle: Battle, step: Ward) -> RpjCheckInputs:
    """The roll to resist magic. [RPJ-SMAG-18, RPJ-WMAG-05]"""
    return spell_defense_roll(step.value, step.against, battle.module.criticals)


def withstanding(battle: Battle, step: Withstand) -> RpjCheckInputs:
    """A saving throw against a spell; mooks use their Dexterity level for every attribute.

    [RPJ-SMAG-07, RPJ-GCS-46 (R-110)]
    """
    whom = battle[step.target]
    level = whom.figure.level(step.attribute, whom.now) if whom.sheeted else battle.rules.mook_dexterity
    return spell_save(step.attribute, level, step.base, battle.module.criticals)


def guarded(stage: Stage, caster: str, skill: str, name: str, *effects: Harm | Withstand) -> Stage:
    """The stage with a spell's effects on several targets, each after their resistance.

    [RPJ-SMAG-18 (SMAG-18b), RPJ-WMAG-05, RPJ-WMAG-16 (WMAG-16b)]
    """
    for effect in reversed(effects):
        stage = warded(stage.pushed(effect), caster, effect.target, skill, name)
    return stage


def warded(stage: Stage, caster: str, target: str, skill: str, name: str) -> Stage:
    """The stage with a target's resistance first, if they resist magic at all. [RPJ-SMAG-18]"""
    whom = stage.battle[target]
    value = None if whom.sheeted is None or target == caster else defense_against_magic(whom.figure)
    if value is None:
        return stage
    against = linked_level(stage.battle[caster].figure, skill)
    return stage.pushed(Ward(caster=caster, target=target, name=name, value=value, against=against))
