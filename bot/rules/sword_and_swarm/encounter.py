"""Fights: the rules set no turn order, so the table agrees on one and the GM sets it.

[the ledger lists the turn order among what the source leaves open]
"""

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from bot.rules.kernel import CharacterId, Choice, EncounterView, FollowUp, TrackerRules
from bot.rules.kernel.dice import Dice
from bot.rules.shared.encounters import (
    Combatant,
    FightRules,
    InTurn,
    InTurnPlace,
    fight_procedures,
    find_character,
    next_button,
    next_buttons,
    on_now,
    pass_turn,
    turn_ends,
    view_of,
)
from bot.rules.shared.offering import choices_among, foes_first, is_friend
from bot.rules.sword_and_swarm.equipment import attribute_words
from bot.rules.sword_and_swarm.performing import OwnOptions, VersusOptions, unsettled
from bot.rules.sword_and_swarm.sheet import (
    Character,
    Outcome,
    Scene,
    SwarmSettings,
    SwarmSheet,
    Unsettled,
    actual,
    health_of,
    is_defeated,
    risks_death,
)
from bot.rules.sword_and_swarm.tests import SwarmAttribute


class SwarmEncounter(InTurn[Combatant]):
    """A fight in a channel."""


ENCOUNTERS = InTurnPlace(SwarmEncounter)
AGREED = "The rules set no turn order: agree on one, then the GM sets it with /gm encounter order."


def _begin(scene: Scene, _dice: Dice) -> Outcome:
    encounter = ENCOUNTERS.the(scene).changed(round=1, turn=0)
    return on_now(ENCOUNTERS.keep(scene, encounter), encounter.shown[0].name, "starts round 1", (AGREED,))


def _enter(scene: Scene, ids: Sequence[CharacterId], _dice: Dice) -> Outcome:
    seats = [_new_combatant(scene, scene.character(who)) for who in ids]
    encounter = ENCOUNTERS.the(scene).with_newcomers(seats)
    return Outcome(
        scene=ENCOUNTERS.keep(scene, encounter),
        headline="joins the fight",
        notes=("Acts last until the GM sets a new order.",),
    )


def _new_combatant(_scene: Scene, character: Character) -> Combatant:
    return Combatant(character=character.id, name=character.name)


def _can_act(scene: Scene, character: Character) -> bool:
    """Whether a character is not defeated. [SWARM-ATTR-10 (SWARM-R30)]"""
    return not is_defeated(character.sheet, scene.settings)


def unsettled_here(scene: Scene) -> tuple[Unsettled, ...]:
    """The pending re-rolls of combatants in this fight. [SWARM-TEST-07, SWARM-PROF-08]"""
    return ENCOUNTERS.concerned(scene, unsettled(scene))


FIGHTS: FightRules[SwarmEncounter, SwarmSheet, SwarmSettings] = FightRules(
    place=ENCOUNTERS,
    new_combatant=_new_combatant,
    begin=_begin,
    enter=_enter,
    advance=lambda scene, _dice: pass_turn(ENCOUNTERS, scene, _can_act),
    finish=lambda scene, _dice: Outcome(scene=scene, headline="ends the fight"),
    opened=lambda _scene, _options: SwarmEncounter(),
    delay=ENCOUNTERS.delayed,
    reorder=ENCOUNTERS.reordered,
    unsettled=unsettled_here,
)


def view(scene: Scene) -> EncounterView | None:
    """The channel's fight for the board."""
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return None
    return view_of(
        scene,
        encounter,
        facts=_facts,
        can_act=_can_act,
        notes=() if encounter.has_begun else ("The table agrees on the turn order.",),
    )


def _facts(scene: Scene, character: Character) -> tuple[str, ...]:
    """Star, and whether the character is defeated or risks death. [SWARM-ATTR-10, SWARM-ATTR-11]"""
    sheet, settings = character.sheet, scene.settings
    return (
        *(health_of(character, settings).numbers if character.owner else ()),
        "risks death" if risks_death(sheet, settings) else "defeated" if is_defeated(sheet, settings) else "",
    )


def choices(scene: Scene) -> tuple[FollowUp, ...]:
    """The buttons for the current combatant: test a foe's Shield or an own attribute, end the turn.

    [SWARM-TEST-02, SWARM-TEST-03]
    """
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return ()
    current = encounter.current
    character = None if current is None else find_character(scene, current.character)
    if character is None or is_defeated(character.sheet, scene.settings):
        return next_buttons(FIGHTS, scene)
    return (*_attacks(scene, encounter, character), _own_tests(scene, character), next_button(FIGHTS, scene))


def _attacks(scene: Scene, encounter: SwarmEncounter, character: Character) -> Iterator[FollowUp]:
    """A test of the Shield of somebody else in the fight, standing foes first.

    [SWARM-TEST-03, SWARM-ATTR-12]
    """
    others = [one for one in encounter.shown if one.character != character.id]
    acting = replace(scene, actor_id=character.id)
    targets = sorted(
        foes_first(acting),
        key=lambda one: (is_friend(acting, one), is_defeated(one.sheet, scene.settings)),
    )
    if others and targets:  # the preset is part of the menu's key, so it stays the next in order
        yield FollowUp(
            procedure="versus",
            options=VersusOptions(attribute=SwarmAttribute.SHIELD, target=others[0].character),
            label="Test Shield of an opponent …",
            character=character.id,
            choices=choices_among(targets),
            chosen="target",
        )


def _own_tests(scene: Scene, character: Character) -> FollowUp:
    sheet, settings = character.sheet, scene.settings
    values = {one: actual(sheet, one, settings) for one in SwarmAttribute}
    return FollowUp(
        procedure="test",
        options=OwnOptions(attribute=SwarmAttribute.MALLET),
        label="Test own attribute …",
        character=character.id,
        choices=tuple(
            Choice(value=one.value, label=f"{one} {attribute_words(one, value)}")
            for one, value in values.items()
            if value > 0
        ),
        chosen="attribute",
    )


TRACKER = TrackerRules(
    view=view,
    choices=choices,
    turn_ends=partial(turn_ends, FIGHTS),
    attacks=("versus",),
    takes_order=True,
)
ENCOUNTER_PROCEDURES = fight_procedures(FIGHTS)
