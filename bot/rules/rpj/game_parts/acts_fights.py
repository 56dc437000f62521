"""What a character can do about a fight, besides the actions that its board offers."""

from collections.abc import Iterator

from bot.rules.kernel import Choice, NoOptions, TextField
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.kernel.tracker import JOIN, LEAVE, START
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.combat.commands.cinematic_commands import DeferOptions, defer_choices
from bot.rules.rpj.combat.commands.gm_commands import RpjPlaceOptions
from bot.rules.rpj.combat.commands.turn_commands import AttackOptions, RpjSwapOptions, RpjTaskOptions
from bot.rules.rpj.combat.commands.turn_menu import attack_choices
from bot.rules.rpj.combat.engine.answers import StanceOptions
from bot.rules.rpj.combat.rules.arms import weapons_of
from bot.rules.rpj.combat.rules.stage import Stage
from bot.rules.rpj.combat.state.combatant import RpjCombatant, fighter_id
from bot.rules.rpj.combat.state.fight import FIGHTS_KEPT, Stance
from bot.rules.rpj.mass.contribution_commands import ContributionOptions
from bot.rules.rpj.mass.mass_round import find_round
from bot.rules.shared.encounters import JoinOptions, LeaveOptions, StartOptions
from bot.rules.shared.offering import Offering, choice_of, others_of

STANCES = {
    Stance.ASK: "Ask me for each attack",
    Stance.BEST: "Always the better defense",
    Stance.DODGE: "Always dodge",
    Stance.ABSORB: "Always absorb",
}


def fight_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Starting or joining a fight, what a combatant can do besides the board's actions, and battles.

    Source: RPJ-GCS-12 to RPJ-GCS-14, RPJ-GCS-20, RPJ-GCS-26, RPJ-MASS-06, RPJ-MASS-09.
    """
    fight = FIGHTS_KEPT.find(scene)
    if fight is None:
        yield from _starting(scene, offering)
    elif (own := fight.combatant(offering.who)) is not None:
        yield from _combatant(Stage.of(scene), own, offering)
    elif not scene.actor.is_hidden:
        yield offering.act(ActGroup.FIGHT, JOIN, JoinOptions(), "Join the encounter")
    if find_round(scene) is not None:
        contribution = ContributionOptions()
        for procedure, label in (
            ("mass.contribute", "Fight in the battle"),
            ("mass.command", "Command your side of the battle"),
        ):
            yield from offering.if_possible(ActGroup.FIGHT, procedure, contribution, label)


def is_in_or_may_join(scene: Scene) -> bool:
    """Whether the character has a fight here or can have one; then something about it is always offered."""
    fight = FIGHTS_KEPT.find(scene)
    return not scene.actor.is_hidden or (fight is not None and fight.combatant(scene.actor.id) is not None)


def _starting(scene: Scene, offering: Offering) -> Iterator[Act]:
    if scene.actor.is_hidden:
        return
    foes = sorted(others_of(scene), key=lambda one: one.owner is not None)
    found = [(choice_of(one), StartOptions(others=(one.id,))) for one in foes]
    label = "Start an encounter with …"
    yield from offering.menu(ActGroup.FIGHT, START, label, "others", found, is_tried=False)
    yield offering.act(ActGroup.FIGHT, START, StartOptions(), "Start an encounter")


def _combatant(stage: Stage, own: RpjCombatant, offering: Offering) -> Iterator[Act]:
    if stage.fight.has_begun:
        yield from _in_turn(stage, offering)
        if not stage.fight.acts(own) and not stage.steps:
            later = ((choice, DeferOptions(after=choice.value)) for choice in defer_choices(stage, own))
            yield from offering.menu(ActGroup.FIGHT, "fight.defer", "Act later this round …", "after", later)
    else:
        beside = (
            (Choice(one.id, one.name), RpjPlaceOptions(beside=one.id))
            for one in stage.fight.present
            if one.id != own.id and one.group != own.group and one.region == own.region
        )
        yield from offering.menu(ActGroup.FIGHT, "fight.place", "Start beside …", "beside", beside)
    now = stage.fight.stance(own)
    stances = [
        (Choice(one.value, words), StanceOptions(defense=one))
        for one, words in STANCES.items()
        if one is not now
    ]
    label = f"Defenses: {STANCES[now].lower()} …"
    yield from offering.menu(ActGroup.FIGHT, "fight.defense", label, "defense", stances)
    yield from offering.if_possible(ActGroup.FIGHT, LEAVE, LeaveOptions(), "Leave the encounter")


def _out_of_reach(stage: Stage, fighter: RpjCombatant, offering: Offering) -> Iterator[Act]:
    """The attack that reaches nobody, greyed."""
    can_act = stage.fight.acts(fighter) and fighter.turn.actions
    if not can_act or stage.fight.grapple(fighter.id) is not None:
        return
    if not any(True for _ in attack_choices(stage, fighter)):
        why_not = "What you hold reaches nobody. Move, or take another weapon in hand."
        yield offering.act(ActGroup.FIGHT, "fight.attack", AttackOptions(), "Attack", why_not=why_not)


def _in_turn(stage: Stage, offering: Offering) -> Iterator[Act]:
    """Weapons, other tasks and shared turns, while it is one's own turn."""
    who = fighter_id(offering.who)
    fighter = stage.fight.fighter(who)
    yield from _out_of_reach(stage, fighter, offering)
    in_hand = fighter.wielded
    swaps = (
        (Choice(one.id, one.name), RpjSwapOptions(weapons=one.id))
        for one in weapons_of(stage.battle[who].figure)
        if one.id not in in_hand
    )
    yield from offering.menu(ActGroup.FIGHT, "fight.swap", "Switch weapon to …", "weapons", swaps)
    yield from offering.if_possible(
        ActGroup.FIGHT, "fight.together", NoOptions(), "Act together with the next"
    )
    what = (TextField(key="what", prompt="What you do", longest=200),)
    for full, cost in ((False, "1 action"), (True, "the whole turn")):
        task, label = RpjTaskOptions(what="something", full=full), f"Do something else … ({cost})"
        yield from offering.if_possible(ActGroup.FIGHT, "fight.task", task, label, blanks=what)
