"""The board of an encounter and its actions."""

from collections.abc import Iterator

from bot.rules.kernel import CharacterId, Choice, EncounterView, FollowUp, TrackerRules
from bot.rules.post_magic_maid.character.pairs import by_strength
from bot.rules.post_magic_maid.character.scene import Character, Scene
from bot.rules.post_magic_maid.character.wounds import (
    Track,
    can_act,
    is_dead,
    is_unconscious,
    wounds_in_words,
)
from bot.rules.post_magic_maid.checks.actions import action_penalty
from bot.rules.post_magic_maid.combat.commands.attacks import MaidAttackOptions
from bot.rules.post_magic_maid.combat.commands.initiative import FIGHTS, joker_menus
from bot.rules.post_magic_maid.combat.state.encounter import (
    ENCOUNTERS,
    MaidCombatant,
    MaidEncounter,
    the_encounter,
)
from bot.rules.post_magic_maid.combat.turns.turns import deal_button, turn_buttons
from bot.rules.post_magic_maid.combat.turns.turns import next_button as end_button
from bot.rules.shared.encounters import find_character, next_button, view_of

MOST_TARGETS = 25


def view(scene: Scene) -> EncounterView | None:
    """The displayed state of the channel's encounter."""
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return None
    opening = next((combatant for combatant in encounter.shown if encounter.is_on(combatant.character)), None)
    return view_of(
        scene,
        encounter,
        facts=_facts,
        on=f"{opening.name} acts, then everyone draws" if opening and not encounter.has_begun else "",
    )


def _facts(scene: Scene, character: Character) -> tuple[str, ...]:
    """A combatant's card, wounds and what they have left this round.

    Source: PMM-INI-02, PMM-WND-01, PMM-WND-02, PMM-ACT-02, PMM-BLZ-04.
    """
    encounter = the_encounter(scene)
    combatant = encounter.combatant(character.id)
    body = wounds_in_words(character) if character.owner else ()
    if is_dead(character) or is_unconscious(character):
        body = (*body, "dead" if is_dead(character) else "unconscious")
    if combatant is None:
        return body
    return (
        str(combatant.drawn_card) if combatant.card else "",
        *body,
        "automatic 25" if combatant.has_automatic else "",
        f"{combatant.bonus_dice} bonus d8" if combatant.bonus_dice else "",
        _actions_left(combatant) if encounter.is_on(character.id) else "",
    )


def _actions_left(combatant: MaidCombatant) -> str:
    left = max(1, combatant.actions_declared) - combatant.actions_used
    return f"{left} action{'' if left == 1 else 's'} left" if left else "no action left"


def choices(scene: Scene) -> tuple[FollowUp, ...]:
    """The current combatant's choices: attack, burn a point, declare actions, end the turn, or draw.

    Source: PMM-INI-01, PMM-ACT-01, PMM-ACT-02, PMM-BLZ-02.
    """
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return ()
    on = next((combatant for combatant in encounter.shown if encounter.is_on(combatant.character)), None)
    attacks = () if on is None else tuple(_attacks(scene, encounter, on))
    if not encounter.has_begun:
        return (*attacks, deal_button(encounter))
    if on is None or find_character(scene, on.character) is None:
        return (*joker_menus(encounter), next_button(FIGHTS, scene))
    return (*joker_menus(encounter), *attacks, *turn_buttons(scene, on.character))


def _attacks(scene: Scene, encounter: MaidEncounter, combatant: MaidCombatant) -> Iterator[FollowUp]:
    """The attacks of a combatant who has an action left."""
    character = find_character(scene, combatant.character)
    others = [one for one in encounter.shown if one.character != combatant.character]
    if character is None or not can_act(character) or combatant.has_acted or not others:
        return
    declared = max(1, combatant.actions_declared)
    penalty = action_penalty(combatant.actions_used + 1, declared)
    cost = f"action {combatant.actions_used + 1} of {declared}, −{penalty}" if penalty else "1 action"
    targets = tuple(Choice(str(one.character), one.name) for one in others)[:MOST_TARGETS]
    for track in Track:
        yield attack_menu(character, track, targets, cost)


def attack_menu(
    attacker: Character, track: Track, targets: tuple[Choice, ...], cost: str = "", ability: str = ""
) -> FollowUp:
    """A menu of targets for an attack with the attacker's best attributes, and with an ability."""
    first, second = by_strength(attacker)[0]
    options = MaidAttackOptions(
        first=first, second=second, ability=ability, track=track, target=CharacterId(int(targets[0].value))
    )
    means = f"{first} + {second}, {ability[:30]}" if ability else f"{first} + {second}"
    return FollowUp(
        procedure="attack",
        options=options,
        label=f"Attack {track}: {means}{f' · {cost}' if cost else ''} …",
        character=attacker.id,
        choices=targets,
        chosen="target",
    )


def _turn_ends(scene: Scene) -> tuple[FollowUp, ...]:
    """The button that ends the current combatant's turn."""
    encounter = ENCOUNTERS.find(scene)
    on = None if encounter is None else encounter.current
    if encounter is None or on is None or find_character(scene, on.character) is None:
        return ()
    return (end_button(encounter, on),)


TRACKER = TrackerRules(view=view, choices=choices, turn_ends=_turn_ends)
