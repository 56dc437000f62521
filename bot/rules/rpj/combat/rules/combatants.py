"""A fight with its combatants' sheets, each combatant's stats, and the four maneuvers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.rules.kernel import evolve
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.rpj.character.damage_saves import scale_of
from bot.rules.rpj.character.incapacity import assert_can, assert_in_action, is_asleep
from bot.rules.rpj.character.sheet import Stats, granted_maneuvers
from bot.rules.rpj.combat.combatant import MookSheet, RpjCombatant, RpjTurn, UnderFire
from bot.rules.rpj.combat.fight import Fight
from bot.rules.rpj.module.basics import RpjAttribute, Scale
from bot.rules.rpj.module.condition_kinds import Need
from bot.rules.rpj.module.defense_layers import CombatRules, Out, RpjHealth, actions_of
from bot.rules.rpj.module.effects import GrantsManeuver, RpjCircumstances
from bot.rules.rpj.module.module import Module, Pack
from bot.rules.rpj.resolution.check_inputs import CriticalRules


@dataclass(frozen=True, slots=True)
class FighterStats:
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
        """Refuse what a condition of theirs prevents. [RPJ-COND-02, RPJ-COND-04]

        Raises:
            UserError: If one does; it names the condition.
        """
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


@dataclass(frozen=True, slots=True)
class Battle:
    """A fight and its combatants' sheets."""

    fight: Fight
    module: Module  # the game
    # The sheets, by the ids of fighters; mooks have none.
    figures: Mapping[str, Stats] = field(default_factory=dict)

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
        """Refuse a combatant who can't act or whose turn it isn't. [RPJ-GCS-08, RPJ-GCS-32]

        Raises:
            UserError: If it is not their turn, or they are out of action.
        """
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
        """Refuse a combatant in a grapple. [RPJ-GCS-52]

        Raises:
            UserError: If they are in a grapple.
        """
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
    """Refuse a maneuver the combatant hasn't learned. [RPJ-MNV-01]

    Raises:
        UserError: If they do not know it, or this game has none.
    """
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
