"""Starting, joining and leaving a fight, as a sheet offers it in every ruleset with fights."""

from collections.abc import Iterator, Mapping
from functools import partial

from bot.rules.kernel import Act, ActGroup, Scene, SettingsT, SheetT
from bot.rules.kernel.tracker import DELAY, JOIN, LEAVE, START
from bot.rules.shared.encounters import (
    FightRules,
    JoinOptions,
    LeaveOptions,
    StartOptions,
    fight_of,
)
from bot.rules.shared.encounters.closing import leave
from bot.rules.shared.encounters.fights import delay
from bot.rules.shared.encounters.model import FightT
from bot.rules.shared.encounters.rules import DelayOptions
from bot.rules.shared.nearby import choices_among, first_id, foes_first
from bot.rules.shared.offering import TryingDice, act_of, is_allowed


def gathering_acts(
    rules: FightRules[FightT, SheetT, SettingsT],
    scene: Scene[SheetT, SettingsT],
    *,
    why_not: str = "",
    adjusts: Mapping[str, str] | None = None,
) -> Iterator[Act]:
    """How the acting character starts a fight, joins the channel's, or delays in it.

    Args:
        rules: The ruleset's own part of a fight.
        scene: The scene.
        why_not: Why the character can't start one, or an empty text.
        adjusts: What can be set for a start.
    """
    fight, who = fight_of(scene), scene.actor.id
    if scene.actor.is_hidden:
        return
    if fight is None:
        others = choices_among(foes_first(scene))
        if others and not why_not:
            options = StartOptions(others=(first_id(others),))
            label = "Start a fight with …"
            do = act_of(scene, START, options, label, choices=others, chosen="others")
            yield Act(group=ActGroup.FIGHT, do=do, adjusts=adjusts or {})
        do = act_of(scene, START, StartOptions(), "Start a fight")
        yield Act(group=ActGroup.FIGHT, do=do, adjusts=adjusts or {}, why_not=why_not)
    elif fight.combatant(who) is None:
        yield Act(group=ActGroup.FIGHT, do=act_of(scene, JOIN, JoinOptions(), "Join the fight"))
    else:
        yield from _delay(rules, scene)


def leaving_acts(
    rules: FightRules[FightT, SheetT, SettingsT], scene: Scene[SheetT, SettingsT]
) -> Iterator[Act]:
    """How the acting character leaves the channel's fight."""
    fight = fight_of(scene)
    if fight is None or scene.actor.is_hidden or fight.combatant(scene.actor.id) is None:
        return
    if is_allowed(partial(leave, rules, scene, LeaveOptions(), TryingDice())):
        yield Act(group=ActGroup.FIGHT, do=act_of(scene, LEAVE, LeaveOptions(), "Leave the fight"))


def can_gather(scene: Scene) -> bool:
    """Whether the acting character is in no fight here, and so can start or join one."""
    fight = fight_of(scene)
    return not scene.actor.is_hidden and (fight is None or fight.combatant(scene.actor.id) is None)


def _delay(rules: FightRules[FightT, SheetT, SettingsT], scene: Scene[SheetT, SettingsT]) -> Iterator[Act]:
    """Acting later from now on, where the ruleset has that."""
    found = []
    for other in foes_first(scene):
        options = DelayOptions(after=other.id)
        if is_allowed(partial(delay, rules, scene, options, TryingDice())):
            found.append(other)
    if found:
        label, options = "Delay: act after …", DelayOptions(after=found[0].id)
        do = act_of(scene, DELAY, options, label, choices=choices_among(found), chosen="after")
        yield Act(group=ActGroup.FIGHT, do=do)
