"""Spells of level 0: filling their free slots, and warning before they use up a higher one."""

from collections.abc import Sequence

from bot.rules.kernel import CharacterId, Choice, FollowUp, evolve
from bot.rules.rpj.character.casters import caster_for, casting_of, known_spells, spell_named, ways_to_cast
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.magic.casting import RpjCastOptions
from bot.rules.rpj.magic.preparing import PrepareOptions
from bot.rules.rpj.module.require_rules import Pack
from bot.rules.rpj.module.slots import Slot
from bot.rules.rpj.module.spells import Preparation, RpjSpell, slot_word

MOST = 25
GROUP = "at will"


def is_empty(slot: Slot) -> bool:
    """Whether a slot of level 0 is empty."""
    return slot.level == 0 and not slot.spell and not slot.origin


def empty_slots(figure: Stats) -> int:
    """The number of empty slots of level 0; 0 without these rules.

    Source: RPJ-SMAG-14.
    """
    if not figure.plays(Pack.STRUCTURED_MAGIC):
        return 0
    return sum(is_empty(slot) for slot in casting_of(figure).slots)


def filling(figure: Stats, who: CharacterId) -> tuple[FollowUp, ...]:
    """The menu that fills an empty slot of level 0; empty where there is no choice.

    Source: RPJ-SMAG-14.
    """
    if not empty_slots(figure):
        return ()
    held = {slot.spell for slot in casting_of(figure).slots if slot.level == 0}
    found = [spell for spell in known_spells(figure) if spell.level == 0 and spell.id not in held]
    if not found:
        return ()
    word = slot_word(0, figure.module.magic.word)
    return (
        FollowUp(
            procedure="prepare",
            options=PrepareOptions(spell=found[0].id, slot=0),
            label=f"Prepare in the {word} …",
            character=who,
            choices=_choices(figure, found),
            chosen="spell",
            group=GROUP,
        ),
    )


def _choices(figure: Stats, found: Sequence[RpjSpell]) -> tuple[Choice, ...]:
    """The spells to choose from, with whether they can be changed later."""
    return tuple(
        Choice(spell.id, spell.name, "permanent" if _stays(figure, spell) else "until you prepare again")
        for spell in found[:MOST]
    )


def _stays(figure: Stats, spell: RpjSpell) -> bool:
    return caster_for(figure, spell).rules.preparation is Preparation.NONE


def higher_slot(figure: Stats, spell: RpjSpell, level: int | None) -> Slot | None:
    """The higher slot a spell of level 0 would use up without being asked to, or None.

    Source: RPJ-SMAG-04 (SMAG-04a).
    """
    if spell.level > 0 or level is not None:
        return None
    casting = casting_of(figure)
    places = [place for place, _mage in ways_to_cast(figure, casting, spell)]
    slot = casting.slots[places[0]] if places else None
    return None if slot is None or slot.level == 0 or slot.spell == spell.id or slot.origin else slot


def question(scene: Scene, options: RpjCastOptions) -> Outcome | None:
    """The question before a spell of level 0 uses up a higher slot, or None.

    Source: RPJ-SMAG-04 (SMAG-04a), RPJ-SMAG-14.
    """
    figure = figure_in(scene, scene.actor)
    spell = spell_named(figure, options.spell)
    slot = higher_slot(figure, spell, options.slot)
    if slot is None:
        return None
    word = figure.module.magic.word
    is_room = empty_slots(figure) > 0
    fill = FollowUp(
        procedure="prepare",
        options=PrepareOptions(spell=spell.id, slot=0),
        label=f"Prepare {spell.name[:30]} in the {slot_word(0, word)}",
        character=scene.actor.id,
        group=GROUP,
    )
    cast = FollowUp(
        procedure="cast",
        options=evolve(options, slot=slot.level),
        label=f"Cast with a {slot_word(slot.level, word)}",
        character=scene.actor.id,
        group=GROUP,
    )
    stays = " permanently" if _stays(figure, spell) else ""
    notes = (
        f"It is in no {slot_word(0, word)}, so it would use up a {slot_word(slot.level, word)}.",
        f"The empty {slot_word(0, word)} can hold it{stays}; then it is free." if is_room else "",
    )
    return Outcome(
        scene=scene,
        headline=f"wants to cast {spell.name}",
        notes=tuple(note for note in notes if note),
        follow_ups=(fill, cast) if is_room else (cast,),
    )
