"""A fight with its combatants' sheets: stats and maneuvers, arms, and what hands can hold."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import NamedTerm, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, listed
from bot.rules.rpj.character.belongings import tier_in
from bot.rules.rpj.character.damage_saves import scale_of
from bot.rules.rpj.character.incapacity import assert_can, assert_in_action, is_asleep
from bot.rules.rpj.character.sheet import Stats, fists, granted_maneuvers
from bot.rules.rpj.checks.skill_checks import assert_usable, class_bonus
from bot.rules.rpj.combat.combatant import ADJACENT, MookSheet, RpjCombatant, RpjTurn, UnderFire, out_of_reach
from bot.rules.rpj.combat.fight import Fight
from bot.rules.rpj.module.basics import RpjAttribute, Scale
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.defense_layers import CombatRules, Out, RpjHealth, actions_of
from bot.rules.rpj.module.effects import GrantsManeuver, LayerKind, RpjCircumstances, RpjHands
from bot.rules.rpj.module.items import RpjWeapon
from bot.rules.rpj.module.module import Module, Pack, SkillRole
from bot.rules.rpj.module.possessions import skill_penalty
from bot.rules.rpj.resolution.check_inputs import CriticalRules


class FighterStats(Struct, frozen=True):
    """A combatant's stats."""

    fighter: RpjCombatant  # what the fight knows of them
    module: Module  # the game
    sheeted: Stats | None  # their sheet, read by the game; None for a mook
    round: int = 0  # the round of the fight

    @property
    def rules(self) -> CombatRules:
        """The numbers of a fight."""
        return self.module.combat

    @property
    def name(self) -> str:
        """Their name."""
        return self.fighter.name

    @property
    def figure(self) -> Stats:
        """Their sheet.

        Raises:
            UserError: If they are a mook, who has none.
        """
        if self.sheeted is None:
            raise UserError(f"{self.name} is a mook.", "Mooks have no sheet.")
        return self.sheeted

    @property
    def criticals(self) -> CriticalRules:
        """How criticals come on their rolls, and dice or coins."""
        return (self.sheeted.module if self.sheeted else self.module).criticals

    @property
    def mook(self) -> MookSheet | None:
        """The sheet of a mook."""
        return self.fighter.mook

    @property
    def health(self) -> RpjHealth:
        """Their health."""
        return self.sheeted.sheet.health if self.sheeted else RpjHealth(out=self.fighter.out)

    @property
    def is_able(self) -> bool:
        """Whether they can act. [RPJ-GCS-32 (R-087)]"""
        return self.health.out is Out.NO

    @property
    def scale(self) -> Scale:
        """Their damage scale: the highest among unbroken layers; normal without damage scales.

        [RPJ-SCALE-09 (SCALE-09a), RPJ-SCALE-01 (SCALE-01b)]
        """
        if self.sheeted is not None:
            return scale_of(self.sheeted)
        has_scales = Pack.DAMAGE_SCALES in self.module.optional_rules
        return self.mook.scale if self.mook is not None and has_scales else Scale.NORMAL

    @property
    def is_awake(self) -> bool:
        """Whether no condition prevents everything. [RPJ-COND-04]"""
        return self.sheeted is None or not is_asleep(self.sheeted)

    def assert_can(self, *needs: Need) -> None:
        """Refuse what a condition of theirs prevents. [RPJ-COND-02, RPJ-COND-04]"""
        if self.sheeted is not None:
            assert_can(self.sheeted, *needs)

    @property
    def now(self) -> RpjCircumstances:
        """The circumstances of their rolls."""
        return RpjCircumstances(in_combat=True, is_first_round=self.round == 1)

    @property
    def dexterity(self) -> int:
        """The Dexterity level. [RPJ-GCS-46 (R-110)]"""
        return (
            self.sheeted.level(RpjAttribute.DEX, self.now)
            if self.sheeted is not None
            else self.rules.mook_dexterity
        )

    @property
    def actions(self) -> int:
        """Their actions per turn. [RPJ-GCS-09 (R-074), RPJ-GCS-38, RPJ-GCS-47]"""
        if not self.is_able:
            return 0
        if self.sheeted is None:
            return self.rules.mook_actions
        if self.health.is_weak:
            return self.rules.weak_actions
        return actions_of(self.dexterity, self.rules)


class Battle(Struct, frozen=True):
    """A fight and its combatants' sheets."""

    fight: Fight
    module: Module  # the game
    # The sheets, by the ids of fighters; mooks have none.
    figures: Mapping[str, Stats] = {}

    @property
    def rules(self) -> CombatRules:
        """The numbers of a fight."""
        return self.module.combat

    def __getitem__(self, id_: str) -> FighterStats:
        return self.of(self.fight.fighter(id_))

    def of(self, fighter: RpjCombatant) -> FighterStats:
        """A combatant's stats."""
        return FighterStats(fighter, self.module, self.figures.get(fighter.id), self.fight.round)

    def everybody(self) -> Iterator[FighterStats]:
        """Everyone present."""
        return (self.of(fighter) for fighter in self.fight.present)

    def with_fight(self, fight: Fight) -> "Battle":
        """The battle with another state of its fight."""
        return replace(self, fight=fight)

    def with_fighter(self, fighter: RpjCombatant) -> "Battle":
        """The battle with one combatant replaced."""
        return self.with_fight(self.fight.with_fighter(fighter))

    def changed(self, id_: str, **changes: object) -> "Battle":
        """The battle with some fields of one combatant changed."""
        return self.with_fighter(evolve(self.fight.fighter(id_), **changes))

    def with_figure(self, id_: str, figure: Stats) -> "Battle":
        """The battle with one combatant's sheet replaced."""
        return replace(self, figures={**self.figures, id_: figure})

    def under_fire(self, id_: str, state: UnderFire) -> "Battle":
        """The battle with one combatant's Fire and Movement state replaced."""
        return self.changed(id_, under_fire=state)

    def turned(self, id_: str, **changes: object) -> "Battle":
        """The battle with some fields of one combatant's turn changed."""
        turn: RpjTurn = evolve(self.fight.fighter(id_).turn, **changes)
        return self.changed(id_, turn=turn)

    def with_health(self, id_: str, health: RpjHealth) -> "Battle":
        """The battle with one combatant's health replaced; out of action ends a grapple.

        [RPJ-GCS-56 (R-117)]
        """
        figure = self.figures.get(id_)
        if figure is None:
            battle = self.changed(id_, out=health.out)
        else:
            sheet = evolve(figure.sheet, health=health)
            battle = replace(self, figures={**self.figures, id_: Stats(sheet, figure.module)})
        if health.out is Out.NO or battle.fight.grapple(id_) is None:
            return battle
        return battle.with_fight(battle.fight.without_grapple(id_))

    def spent(self, id_: str, actions: int = 1, **flags: object) -> "Battle":
        """The battle after a combatant spends actions. [RPJ-GCS-09, RPJ-GCS-22, RPJ-GCS-32, RPJ-GCS-52]

        Raises:
            UserError: If it is not their turn, they cannot act, or have not so many left.
        """
        who = self[id_]
        self.assert_turn(id_)
        left = who.fighter.turn.actions
        if left < actions:
            raise UserError(
                f"{who.name} has {left} action{'s' * (left != 1)} left; that takes {actions}."
                if left
                else f"{who.name} has no actions left.",
                try_this="End the turn.",
            )
        return self.turned(id_, actions=left - actions, **flags)

    def assert_turn(self, id_: str) -> None:
        """Refuse a combatant who can't act or whose turn it isn't. [RPJ-GCS-08, RPJ-GCS-32]"""
        who = self[id_]
        if who.fighter.is_hidden and who.fighter.mook is None:
            raise UserError(
                f"{who.name} is hidden and has no turns yet.",
                "Use /gm encounter reveal, or attack.",
            )
        assert_in_action(who.name, who.health, "act")
        if not self.fight.acts(who.fighter):
            raise UserError(f"It isn't {who.name}'s turn.", self.fight.turn_words)

    def assert_free(self, id_: str) -> None:
        """Refuse a combatant in a grapple. [RPJ-GCS-52]"""
        hold = self.fight.grapple(id_)
        if hold is not None:
            other = self.fight.fighter(hold.other(id_)).name
            name = self.fight.fighter(id_).name
            raise UserError(
                f"{name} is in a grapple with {other}.", "All they can do is make a grapple check."
            )

    def end_turn_of(self, id_: str) -> "Battle":
        """The battle with nothing left of a combatant's turn."""
        return self.turned(id_, actions=0)


class Maneuver(StrEnum):
    """The maneuvers, each learned separately. [RPJ-MNV-01 (R-124)]"""

    PREPARE = "prepare"
    WATCHFUL = "watchful"
    HOLDING = "holding"
    GUARDING = "guarding"

    @property
    def called(self) -> str:
        """Its name in the book."""
        return "Prepare" if self is Maneuver.PREPARE else f"{self.capitalize()} Strike"


def knows(who: FighterStats, maneuver: Maneuver) -> bool:
    """Whether a combatant has learned a maneuver. [RPJ-MNV-01]"""
    if who.sheeted is None or not who.rules.maneuvers.are_on:
        return False
    return maneuver.value in granted_maneuvers(who.sheeted)


def assert_known(who: FighterStats, maneuver: Maneuver) -> None:
    """Refuse a maneuver the combatant hasn't learned. [RPJ-MNV-01]"""
    if not who.rules.maneuvers.are_on:
        raise UserError(
            "This campaign doesn't use maneuvers.",
            try_this="The GM can switch them on: /campaign settings setting:maneuvers value:yes",
        )
    if not knows(who, maneuver):
        raise UserError(f"{who.name} hasn't learned {maneuver.called}.", _teacher(who, maneuver))


def _teacher(who: FighterStats, maneuver: Maneuver) -> str:
    """The trait that teaches a maneuver, with its cost. [RPJ-MNV-01]"""
    taught = GrantsManeuver(type="grants_maneuver", maneuver=maneuver.value)
    trait = next((one for one in who.module.traits if taught in one.effects), None)
    if trait is None:
        return "No trait of this module teaches it; its author may add one."
    return f"The {trait.kind} “{trait.name}” ({counted(trait.cost, 'point')}) teaches it."


def charges_of(dexterity: int, rules: CombatRules) -> int:
    """The Prepare charges per action. [RPJ-MNV-02]"""
    return 2 if dexterity >= rules.maneuvers.second_charge_from else 1


def prepared(battle: Battle, id_: str) -> Battle:
    """Spend an action on Prepare charges; each action adds. [RPJ-MNV-02 (R-125), RPJ-MNV-05]

    Raises:
        UserError: If the maneuver is not known, it is not one's turn, or no action is left.
    """
    who = battle[id_]
    assert_known(who, Maneuver.PREPARE)
    battle.assert_free(id_)
    after = battle.spent(id_)
    charges = who.fighter.charges + charges_of(who.dexterity, who.rules)
    most = who.rules.maneuvers.most_charges
    return after.changed(id_, charges=charges if most is None else min(charges, most))


def held(battle: Battle, mover: str) -> Battle:
    """The battle after a Holding Strike hits: the mover can't move for the rest of the turn. [RPJ-MNV-07]"""
    return battle.turned(mover, is_held=True)


def pulled_aside(battle: Battle, owner: str, target: str) -> Battle:
    """The battle after a Watchful Strike hits: its owner and the target form a new group; no free attacks.

    [RPJ-MNV-06 (R-128)]
    """
    group = battle.fight.new_group
    return battle.changed(owner, group=group).changed(target, group=group)


def pushed_away(battle: Battle, owner: str, target: str) -> Battle:
    """The battle after a Guarding Strike hits: the target is alone and can't come back until its next turn.

    [RPJ-MNV-08 (R-129)]
    """
    barred = (*battle.fight.fighter(target).barred, owner)
    return battle.changed(target, group=battle.fight.new_group, barred=barred)


UNARMED = "unarmed"
MOOK_ARM = "mook"
SPELL_ARM = "spell/"
HANDS = 2


class Arm(Struct, frozen=True, kw_only=True):
    """A means of attack in a combatant's hands."""

    id: str  # the weapon's id; fists and what mooks carry have ids of their own
    name: str  # what people call it
    base: tuple[NamedTerm, ...]  # base attack modifier: skill and attribute, by name
    weapon: int = 0  # what the weapon itself adds
    addends: tuple[NamedTerm, ...] = ()  # what the owner adds to the roll besides: a class skill
    damage: int = 0  # what a hit does
    hits: int = 1  # how many times a hit does its damage
    bypasses: tuple[LayerKind, ...] = ()  # kinds of layers that it passes by
    is_nonlethal: bool = False  # whether it puts out instead of killing
    may_choose: bool = False  # whether the owner says which of the two
    hands: int = 1  # how many hands it takes
    least: int = ADJACENT  # shortest distance
    greatest: int = ADJACENT  # longest distance; for striking only the own group
    range_modifiers: dict[int, int] = {}  # what distances add
    skill: str = ""  # the skill it is used with; nothing for a mook
    attributes: tuple[RpjAttribute, ...] = ()  # what an attack with it hangs on; none for a mook
    scale: Scale = Scale.NORMAL  # how great its damage is, where damage scales are played
    is_harmless: bool = False  # whether a hit does something else than damage

    @property
    def is_ranged(self) -> bool:
        """Whether it is a ranged attack. [RPJ-GCS-11, RPJ-GCS-43]"""
        return self.greatest > ADJACENT

    @property
    def modifier(self) -> int:
        """The base attack modifier. [RPJ-GCS-27]"""
        return sum(term.value for term in self.base)

    def at(self, distance: int) -> int:
        """The range modifier at a distance. [RPJ-GCS-07, RPJ-GCS-11, RPJ-GCS-29]

        Raises:
            UserError: If it cannot be used at that distance.
        """
        if not self.least <= distance <= self.greatest:
            if not self.is_ranged:
                raise UserError(
                    f"{self.name} only reaches targets in the same group.", try_this="Move there first."
                )
            raise out_of_reach(f"{self.name} can't be used", distance, self.least, self.greatest)
        return self.range_modifiers.get(distance, 0)


def arm_of(figure: Stats, weapon: RpjWeapon) -> Arm:
    """A weapon in a combatant's hands. [RPJ-GCS-27, RPJ-GCS-07, RPJ-CHAR-09]

    Raises:
        UserError: If its skill cannot be used untrained.
    """
    skill = figure.known_skill(weapon.skill)
    assert_usable(figure, skill)
    attributes = (weapon.attribute, figure.linked(skill))
    return Arm(
        id=weapon.id,
        name=weapon.name,
        base=(
            NamedTerm(label=skill.name, value=figure.base_level(skill)),
            NamedTerm(label=f"{weapon.attribute.word} bonus", value=figure.bonus(weapon.attribute)),
        ),
        weapon=weapon.attack_modifier,
        addends=(
            NamedTerm(label="class skill", value=class_bonus(figure, skill)),
            _load(figure, *attributes),
        ),
        damage=weapon.damage,
        hits=weapon.hits,
        bypasses=weapon.bypasses,
        is_nonlethal=weapon.is_nonlethal,
        hands=weapon.hands,
        least=ADJACENT if weapon.least_range is None else weapon.least_range,
        greatest=ADJACENT if weapon.greatest_range is None else weapon.greatest_range,
        range_modifiers=weapon.range_modifiers,
        skill=skill.id,
        attributes=attributes,
        scale=weapon.scale,
    )


def _load(figure: Stats, *attributes: RpjAttribute) -> NamedTerm:
    """The load penalty to an attack, once, for any linked attribute.

    [RPJ-INV-03 (INV-03b), RPJ-INV-04 (INV-04c)]
    """
    tier = tier_in(figure)
    value = min((skill_penalty(tier, attribute) for attribute in attributes), default=0)
    return NamedTerm(label="overloaded", value=value)


def unarmed(figure: Stats) -> Arm:
    """Bare hands: damage 0, nonlethal. [RPJ-GCS-57, RPJ-GCS-63, RPJ-TRAIT-07]

    Raises:
        UserError: If the module has no skill for it.
    """
    skills = figure.module.skills_for(SkillRole.UNARMED)
    if not skills:
        raise UserError(
            "This module has no skill for unarmed combat.", "Without one, nobody can attack unarmed."
        )
    skill = max(skills, key=figure.effective_level)
    linked, own = figure.linked(skill), fists(figure)
    return Arm(
        id=UNARMED,
        name="Bare hands",
        base=(
            NamedTerm(label=skill.name, value=figure.base_level(skill)),
            NamedTerm(label=f"{linked.word} bonus", value=figure.bonus(linked)),
        ),
        addends=(NamedTerm(label="class skill", value=class_bonus(figure, skill)), _load(figure, linked)),
        damage=own.damage,
        is_nonlethal=True,
        may_choose=own.may_kill,
        hands=0,
        skill=skill.id,
        attributes=(linked,),
    )


def mook_arm(who: FighterStats) -> Arm:
    """A mook's means of attack. [RPJ-GCS-67 (R-136, R-137)]

    Raises:
        UserError: If it isn't a mook.
    """
    if who.mook is None:
        raise UserError(f"{who.name} isn't a mook.")
    sheet = who.mook
    return Arm(
        id=MOOK_ARM,
        name="its weapon",
        base=(NamedTerm(label="attack", value=sheet.attack),),
        damage=sheet.damage,
        is_nonlethal=sheet.is_nonlethal,
        least=ADJACENT if sheet.least_range is None else sheet.least_range,
        greatest=ADJACENT if sheet.greatest_range is None else sheet.greatest_range,
        scale=sheet.damage_scale,
    )


def spell_arm(figure: Stats, id_: str) -> Arm:
    """A spell attack, as a weapon of the same range; its id ends with its attack value.

    Raises:
        UserError: If the module has no such spell.

    [RPJ-SMAG-06 (SMAG-06a)]
    """
    name, _slash, effective = id_.removeprefix(SPELL_ARM).rpartition("/")
    spell = figure.module.spell(name)
    if spell is None:
        raise UserError("This campaign has no such spell.")
    skill = figure.known_skill(spell.magic_skill)
    linked = figure.linked(skill)
    return Arm(
        id=id_,
        name=spell.name,
        base=(NamedTerm(label=skill.name, value=int(effective)),),
        addends=(_load(figure, linked),),
        damage=spell.damage or 0,
        is_nonlethal=spell.is_nonlethal,
        hands=0,
        least=ADJACENT if spell.least_range is None else spell.least_range,
        greatest=ADJACENT if spell.greatest_range is None else spell.greatest_range,
        skill=skill.id,
        attributes=(linked,),
        scale=spell.scale,
        is_harmless=spell.damage is None,
    )


def weapons_of(figure: Stats) -> tuple[RpjWeapon, ...]:
    """A character's weapons, in the order of their belongings."""
    own = figure.sheet.belongings
    carried = [weapon for weapon in figure.module.weapons if weapon.id in own]
    return tuple(sorted(carried, key=lambda weapon: own.index(weapon.id)))


def arms_of(who: FighterStats) -> tuple[Arm, ...]:
    """What a combatant can attack with now: weapons in hand, and bare hands if the module allows.

    [RPJ-GCS-57, RPJ-GCS-60, RPJ-GCS-67]
    """
    if who.mook is not None:
        return (mook_arm(who),)
    figure = who.figure
    wielded = [weapon for weapon in weapons_of(figure) if weapon.id in who.fighter.wielded]
    arms = [arm_of(figure, weapon) for weapon in wielded]
    if figure.module.skills_for(SkillRole.UNARMED):
        arms.append(unarmed(figure))
    return tuple(arms)


def each_once(arms: Sequence[Arm]) -> tuple[Arm, ...]:
    """Leave out bare hands beside a weapon that is nothing but them, such as fists."""
    own = next((arm for arm in arms if arm.id == UNARMED), None)
    if own is None or not any(_numbers(arm) == _numbers(own) for arm in arms if arm is not own):
        return tuple(arms)
    return tuple(arm for arm in arms if arm is not own)


def _numbers(arm: Arm) -> tuple[object, ...]:
    total = arm.modifier + arm.weapon + sum(term.value for term in arm.addends)
    reach = (arm.least, arm.greatest)
    attributes = frozenset(arm.attributes)
    return total, arm.damage, arm.hits, arm.is_nonlethal, arm.may_choose, reach, arm.skill, attributes


def chosen_arm(who: FighterStats, id_: str = "", *, near: bool = False) -> Arm:
    """The chosen arm, or the first one. [RPJ-GCS-14, RPJ-GCS-60, RPJ-SMAG-06 (SMAG-06a)]

    Args:
        who: Who attacks.
        id_: Which one; the first without it.
        near: Whether it must reach those in one's own group.

    Raises:
        UserError: If there is none, or that is not in their hands.
    """
    if id_.startswith(SPELL_ARM):
        return spell_arm(who.figure, id_)
    arms = tuple(arm for arm in arms_of(who) if not near or arm.least == ADJACENT)
    if not arms:
        raise UserError(f"{who.name} has nothing to fight with.")
    found = next((arm for arm in arms if id_ in ("", arm.id)), None)
    if found is None:
        names = ", ".join(arm.name for arm in arms)
        raise UserError(f"{who.name} isn't holding that.", f"In hand: {names}.", "Switch weapons first.")
    return found


def hands_of(figure: Stats) -> int:
    """A character's number of hands. [RPJ-GCS-58, RPJ-GCS-62]"""
    return max((effect.count for effect in figure.effects if isinstance(effect, RpjHands)), default=HANDS)


def assert_wieldable(weapons: Sequence[RpjWeapon], off_hand: int = 0, hands: int = HANDS) -> None:
    """Refuse weapons that don't fit in a character's hands. [RPJ-GCS-58]

    Args:
        off_hand: How many other things, shields for instance.
        hands: How many hands there are.
    """
    main = next((weapon for weapon in weapons if weapon.is_main_hand), None)
    if main is not None and len(weapons) > 1:
        raise UserError(
            f"{main.name} can't be combined with a second weapon.",
            "You can use a shield or the like with it.",
        )
    needed = sum(weapon.hands for weapon in weapons) + off_hand
    if needed > hands:
        raise UserError(f"That needs {needed} hands; you have {hands}.")


def shields_of(figure: Stats) -> int:
    """The hands shields need."""
    own = figure.sheet.belongings
    return sum(armor.kind is LayerKind.SHIELD and armor.id in own for armor in figure.module.armor)


def first_in_hand(figure: Stats) -> tuple[str, ...]:
    """What a character holds when a fight starts: the first weapon that fits in their hands. [RPJ-GCS-58]"""
    free = hands_of(figure) - shields_of(figure)
    return tuple(weapon.id for weapon in weapons_of(figure) if weapon.hands <= free)[:1]


def wielding(figure: Stats, ids: Sequence[str]) -> tuple[str, ...]:
    """The typed weapons, if the character has them and they fit in their hands.

    Raises:
        UserError: If they do not carry it, or it does not fit.

    [RPJ-GCS-14, RPJ-GCS-58, RPJ-GCS-62]
    """
    carried = {weapon.id: weapon for weapon in weapons_of(figure)}
    missing = next((id_ for id_ in ids if id_ not in carried), None)
    if missing is not None:
        at_hand = listed(weapon.name for weapon in carried.values())
        raise UserError("You don't have that weapon at hand.", f"At hand: {at_hand}.")
    assert_wieldable([carried[id_] for id_ in ids], shields_of(figure), hands_of(figure))
    return tuple(ids)
