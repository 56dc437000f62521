"""The board of a fight, and its buttons.

Source: CMP-COM-03, CMP-COM-04, CMP-COM-05, CMP-COM-12.
"""

from collections.abc import Iterator
from dataclasses import replace

from bot.rules.compare_roll.character.fortunes import HIGH, STRESS, health_of
from bot.rules.compare_roll.character.sheet import (
    UNARMED,
    Character,
    Scene,
    is_standing,
)
from bot.rules.compare_roll.combat.commands.attack_menus import WeaponAttack, weapon_attacks
from bot.rules.compare_roll.combat.commands.attacks import CompareAttackOptions
from bot.rules.compare_roll.combat.commands.turns import FIGHTS, CompareMoveOptions
from bot.rules.compare_roll.combat.state.encounter import (
    ENCOUNTERS,
    FEET_A_SPACE,
    CompareCombatant,
    CompareCover,
    CompareEncounter,
    CompareSide,
    spaces_left,
    the_encounter,
    turn_line,
)
from bot.rules.kernel import Audience, CharacterId, Choice, EncounterView, FollowUp, NoOptions, TrackerRules
from bot.rules.shared.encounters import find_character, next_button, next_buttons, view_of

MOST_CHOICES = 25
MOST_MENUS = 3


def view(scene: Scene) -> EncounterView | None:
    """The channel's fight for the board; only the GM sees opponents' numbers."""
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return None
    return view_of(
        scene,
        encounter,
        facts=_facts,
        on=f"The {encounter.side}' turn" if encounter.has_begun else "",
        has_acted=lambda one: _is_done(encounter, one.character),
        notes=(f"{scene.settings.grid} grid, {FEET_A_SPACE} ft per space",),
    )


def _is_done(encounter: CompareEncounter, who: CharacterId) -> bool:
    fighter = encounter.combatant(who)
    return fighter is not None and fighter.is_done and fighter.side is encounter.side


def _facts(scene: Scene, character: Character) -> tuple[str, ...]:
    """Health, what is left of the turn, cover and burning."""
    encounter = the_encounter(scene)
    fighter = encounter.combatant(character.id)
    sheet, settings = character.sheet, scene.settings
    health: tuple[str, ...] = ()
    if character.owner is not None:
        health = health_of(character, settings).numbers
    if sheet.foe is None:
        health = (*health, *_points(character), "" if is_standing(character) else "down")
    if fighter is None:
        return health
    return (
        *health,
        turn_line(scene, fighter) if encounter.is_on(character.id) and is_standing(character) else "",
        "" if fighter.cover is CompareCover.NONE else f"{fighter.cover} cover",
        f"burning {fighter.burn}" if fighter.burn else "",
    )


def _points(character: Character) -> tuple[str, ...]:
    """Stress and High, unless they are 0."""
    counted = ((STRESS, "Stress"), (HIGH, "High"))
    return tuple(f"{word} {n}" for key, word in counted if (n := character.resources.get(key, 0)))


# --- what can be done --------------------------------------------------------------------------


def choices(scene: Scene) -> tuple[FollowUp, ...]:
    """The buttons for the side whose turn it is: attack, move, end the turn, pass to the other side."""
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return ()
    if not encounter.has_begun:
        return next_buttons(FIGHTS, scene)
    on = [one for one in encounter.waiting() if _can_act(scene, one)]
    own = _players(scene, on) if encounter.side is CompareSide.PLAYERS else _opponents(scene, on)
    return (*own, *_turn_ends(scene), *_fires(encounter))


def _turn_ends(scene: Scene) -> tuple[FollowUp, ...]:
    """The button that starts the other side's turn."""
    encounter = ENCOUNTERS.find(scene)
    if encounter is None or not encounter.has_begun:
        return ()
    to = "the opponents' turn" if encounter.side is CompareSide.PLAYERS else f"round {encounter.round + 1}"
    return (next_button(FIGHTS, scene, f"Start {to}"),)


def _can_act(scene: Scene, fighter: CompareCombatant) -> bool:
    character = find_character(scene, fighter.character)
    return character is not None and is_standing(character)


def _targets(scene: Scene, side: CompareSide) -> tuple[Choice, ...]:
    """The combatants of the other side as choices."""
    others = (one for one in the_encounter(scene).shown if one.side is not side)
    return tuple(Choice(value=str(one.character), label=one.name) for one in others)[:MOST_CHOICES]


def _players(scene: Scene, on: list[CompareCombatant]) -> Iterator[FollowUp]:
    """Attacks of the players' side, and shared menus: each person acts with their own character."""
    yield from _attacks(scene, [one for one in on if not one.has_attacked])
    farthest = max((spaces_left(scene, one) for one in on), default=0)
    if farthest:
        yield FollowUp(
            procedure="move",
            options=CompareMoveOptions(spaces=1),
            label=f"Move up to {spaces_words(farthest)} …",
            audience=Audience.ANYONE,
            choices=tuple(Choice(str(n), spaces_words(n)) for n in range(1, min(farthest, MOST_CHOICES) + 1)),
            chosen="spaces",
        )
    if on:
        yield FollowUp(procedure="done", options=NoOptions(), label="End my turn", audience=Audience.ANYONE)


def _attacks(scene: Scene, fighters: list[CompareCombatant]) -> Iterator[FollowUp]:
    """An attack for each of a few characters, as their sheets offer it, or one menu for many."""
    if len(fighters) > MOST_MENUS:
        yield from _shared_attack(scene)
        return
    for fighter in fighters:
        possible = [one for one in _weapon_attacks(scene, fighter) if one.is_possible]
        possible.sort(key=lambda one: one.weapon.weapon.name == UNARMED)
        for one in possible[:1]:
            yield replace(one.menu, label=f"{fighter.name[:30]} attacks: {one.words} …")


def _shared_attack(scene: Scene) -> Iterator[FollowUp]:
    """A menu of targets for whoever presses, with the weapon in hand."""
    targets = _targets(scene, CompareSide.PLAYERS)
    if targets:
        yield FollowUp(
            procedure="attack",
            options=CompareAttackOptions(targets=()),
            label="Attack with the weapon in hand …",
            audience=Audience.ANYONE,
            choices=targets,
            chosen="targets",
        )


def unshown(scene: Scene) -> tuple[FollowUp, ...]:
    """The attack that boards of earlier releases offer to everybody."""
    encounter = ENCOUNTERS.find(scene)
    is_on = encounter is not None and encounter.has_begun and encounter.side is CompareSide.PLAYERS
    return tuple(_shared_attack(scene)) if is_on else ()


def _weapon_attacks(scene: Scene, fighter: CompareCombatant) -> Iterator[WeaponAttack]:
    return weapon_attacks(replace(scene, actor_id=fighter.character))


def spaces_words(number: int) -> str:
    """Spaces with their feet: "2 spaces (10 ft)"."""
    return f"{number} space{'s' if number > 1 else ''} ({number * FEET_A_SPACE} ft)"


def _opponents(scene: Scene, on: list[CompareCombatant]) -> Iterator[FollowUp]:
    """A menu of targets for each opponent with an attack left."""
    targets = _targets(scene, CompareSide.OPPONENTS)
    for one in [each for each in on if not each.has_attacked][:MOST_MENUS]:
        if targets:
            yield FollowUp(
                procedure="attack",
                options=CompareAttackOptions(targets=()),
                label=f"{one.name} attacks …",
                audience=Audience.GM,
                character=one.character,
                choices=targets,
                chosen="targets",
            )


def _fires(encounter: CompareEncounter) -> Iterator[FollowUp]:
    if any(one.burn for one in encounter.shown):
        yield FollowUp(
            procedure="put_out", options=NoOptions(), label="Put out the fires", audience=Audience.GM
        )


TRACKER = TrackerRules(view=view, choices=choices, turn_ends=_turn_ends, unshown=unshown)
