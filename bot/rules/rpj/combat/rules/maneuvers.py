"""The four maneuvers: Prepare, and Holding, Watchful and Guarding Strike."""

from enum import StrEnum

from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.rules.rpj.character.combat_traits import granted_maneuvers
from bot.rules.rpj.combat.rules.combatants import Battle, FighterStats
from bot.rules.rpj.module.combat_rules import CombatRules
from bot.rules.rpj.module.effects import GrantsManeuver


class Maneuver(StrEnum):
    """The maneuvers, each learned separately.

    Source: RPJ-MNV-01 (R-124).
    """

    PREPARE = "prepare"
    WATCHFUL = "watchful"
    HOLDING = "holding"
    GUARDING = "guarding"

    @property
    def called(self) -> str:
        """Its name in the book."""
        return "Prepare" if self is Maneuver.PREPARE else f"{self.capitalize()} Strike"


def knows(who: FighterStats, maneuver: Maneuver) -> bool:
    """Whether a combatant has learned a maneuver.

    Source: RPJ-MNV-01.
    """
    if who.sheeted is None or not who.rules.maneuvers.are_on:
        return False
    return maneuver.value in granted_maneuvers(who.sheeted)


def assert_known(who: FighterStats, maneuver: Maneuver) -> None:
    """Refuse a maneuver the combatant hasn't learned.

    Raises:
        UserError: If they do not know it, or this game has none.

    Source: RPJ-MNV-01.
    """
    if not who.rules.maneuvers.are_on:
        raise UserError(
            "This campaign doesn't use maneuvers.",
            try_this="The GM can switch them on: /campaign settings setting:maneuvers value:yes",
        )
    if not knows(who, maneuver):
        raise UserError(f"{who.name} hasn't learned {maneuver.called}.", _teacher(who, maneuver))


def _teacher(who: FighterStats, maneuver: Maneuver) -> str:
    """The trait that teaches a maneuver, with its cost.

    Source: RPJ-MNV-01.
    """
    taught = GrantsManeuver(type="grants_maneuver", maneuver=maneuver.value)
    trait = next((one for one in who.module.traits if taught in one.effects), None)
    if trait is None:
        return "No trait of this module teaches it; its author may add one."
    return f"The {trait.kind} “{trait.name}” ({counted(trait.cost, 'point')}) teaches it."


def charges_of(dexterity: int, rules: CombatRules) -> int:
    """The Prepare charges per action.

    Source: RPJ-MNV-02.
    """
    return 2 if dexterity >= rules.maneuvers.second_charge_from else 1


def prepared(battle: Battle, id_: str) -> Battle:
    """Spend an action on Prepare charges; each action adds.

    Raises:
        UserError: If the maneuver is not known, it is not one's turn, or no action is left.

    Source: RPJ-MNV-02 (R-125), RPJ-MNV-05.
    """
    who = battle[id_]
    assert_known(who, Maneuver.PREPARE)
    battle.assert_free(id_)
    after = battle.spent(id_)
    charges = who.fighter.charges + charges_of(who.dexterity, who.rules)
    most = who.rules.maneuvers.most_charges
    return after.changed(id_, charges=charges if most is None else min(charges, most))


def held(battle: Battle, mover: str) -> Battle:
    """The battle after a Holding Strike hits: the mover can't move for the rest of the turn.

    Source: RPJ-MNV-07.
    """
    return battle.turned(mover, is_held=True)


def pulled_aside(battle: Battle, owner: str, target: str) -> Battle:
    """The battle after a Watchful Strike hits: its owner and the target form a new group; no free attacks.

    Source: RPJ-MNV-06 (R-128).
    """
    group = battle.fight.new_group
    return battle.changed(owner, group=group).changed(target, group=group)


def pushed_away(battle: Battle, owner: str, target: str) -> Battle:
    """The battle after a Guarding Strike hits: the target is alone and can't come back until its next turn.

    Source: RPJ-MNV-08 (R-129).
    """
    barred = (*battle.fight.fighter(target).barred, owner)
    return battle.changed(target, group=battle.fight.new_group, barred=barred)
