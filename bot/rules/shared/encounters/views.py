"""The displayed state of a fight, built from what a ruleset says of each combatant."""

from collections.abc import Callable, Iterator, Sequence

from bot.rules.kernel import (
    Character,
    CharacterId,
    EncounterView,
    FighterLine,
    Ground,
    Scene,
    SettingsT,
    SheetT,
    nothing,
)
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import encounter_key
from bot.rules.shared.encounters.model import CharacterT, Encounter

GATHERING = "Waiting to start"


def find_character(scene: Scene[SheetT, SettingsT], who: CharacterId | None) -> Character[SheetT] | None:
    """Find a character; None if it has left the campaign or none is given."""
    if who is None:
        return None
    try:
        return scene.character(who)
    except UserError:
        return None


def fight_of(scene: Scene) -> Encounter | None:  # type: ignore[type-arg]  # of any kind of participants
    """The fight in the scene's channel, whatever the ruleset, or None."""
    try:
        found = scene.document(encounter_key(scene.channel))
    except UserError:  # of a ruleset without encounters
        return None
    return found if isinstance(found, Encounter) else None


def hidden_in(scene: Scene) -> tuple[CharacterId, ...]:
    """The hidden combatants of the channel's encounter."""
    fight = fight_of(scene)
    hidden = () if fight is None else fight.hidden
    return tuple(one.character for one in hidden if one.character is not None)


def npcs_on(scene: Scene) -> tuple[CharacterId, ...]:
    """The GM's characters whose turn it is in the channel's encounter."""
    fight = fight_of(scene)
    on = () if fight is None else (one.character for one in fight.shown if fight.is_on(one.character))
    known = (find_character(scene, who) for who in on)
    return tuple(one.id for one in known if one is not None and one.owner is None)


def own_character(scene: Scene[SheetT, SettingsT], chosen: CharacterId | None) -> Character[SheetT]:
    """The chosen character (only a GM or its player may choose it), else the acting one."""
    if chosen is None:
        return scene.actor
    character = scene.character(chosen)
    if not scene.is_gm and character.owner != scene.person:
        raise UserError(f"{character.name} isn't your character.", "Only its player or a GM can do that.")
    return character


def view_of(
    scene: Scene[SheetT, SettingsT],
    encounter: Encounter[CharacterT],
    *,
    facts: Callable[[Scene[SheetT, SettingsT], Character[SheetT]], Sequence[str]],
    secrets: Callable[[Scene[SheetT, SettingsT], Character[SheetT]], Sequence[str]] = nothing,
    on: str = "",
    has_acted: Callable[[CharacterT], bool] = lambda _combatant: False,
    notes: Sequence[str] = (),
    gm_notes: Sequence[str] = (),
    ground: Ground | None = None,
) -> EncounterView:
    """Build the displayed state of a fight.

    Args:
        scene: The scene.
        encounter: Its fight.
        facts: What everybody sees of somebody.
        secrets: What only the GM sees besides.
        on: Whose turn it is, where that is more than one's.
        has_acted: Whether somebody is done for this round.
        notes: What else everybody sees.
        gm_notes: What else only the GM sees.
        ground: Where everybody stands.
    """

    def line(who: CharacterId, name: str) -> FighterLine:
        character = find_character(scene, who)
        combatant = encounter.combatant(who)
        return FighterLine(
            character=who,
            name=name,
            is_on=encounter.is_on(who),
            has_acted=encounter.has_begun and combatant is not None and has_acted(combatant),
            facts=("gone",) if character is None else _filled(facts(scene, character)),
            secrets=() if character is None else _filled(secrets(scene, character)),
        )

    known = (find_character(scene, one.character) for one in encounter.hidden)
    return EncounterView(
        title=f"Round {encounter.round}" if encounter.has_begun else "Before round 1",
        turn=encounter.turn_key,
        on=on or (_on(encounter) if encounter.has_begun else GATHERING),
        lines=tuple(line(combatant.character, combatant.name) for combatant in encounter.shown),
        notes=_filled(notes),
        hidden=tuple(line(one.id, one.name) for one in known if one is not None),
        secrets=_filled(gm_notes),
        ground=ground,
        has_begun=encounter.has_begun,
    )


def _on(encounter: Encounter[CharacterT]) -> str:
    names: Iterator[str] = (
        combatant.name for combatant in encounter.shown if encounter.is_on(combatant.character)
    )
    return f"{next(names, 'Nobody')} acts"


def _filled(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word)
