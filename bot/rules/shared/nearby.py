"""Who a character can act on: those in the channel's fight first, then the rest of the campaign."""

from collections.abc import Callable, Iterable

from bot.rules.kernel import Character, CharacterId, Choice, Scene, SettingsT, SheetT
from bot.rules.shared.encounters import fight_of, find_character
from bot.rules.shared.offering import MOST_CHOICES, choice_of, others_of


def is_friend(scene: Scene, other: Character) -> bool:
    """Whether somebody is on the acting character's side: both played by players, or both by the GM."""
    return (scene.actor.owner is None) == (other.owner is None)


def is_foe(scene: Scene, who: CharacterId) -> bool:
    """Whether a character is against the heroes: by its side in the fight here, else played by the GM."""
    character = find_character(scene, who)
    if character is None or character.owner is not None:
        return False
    fight = fight_of(scene)
    combatant = None if fight is None else fight.combatant(who)
    return combatant is None or combatant.is_foe is not False


def foes_first(scene: Scene[SheetT, SettingsT]) -> tuple[Character[SheetT], ...]:
    """The others to attack: those in the fight if the acting character is in it, foes before friends."""
    fight = fight_of(scene)
    found = others_of(scene)
    if fight is not None and scene.actor_id is not None and fight.combatant(scene.actor_id) is not None:
        found = tuple(one for one in found if fight.combatant(one.id) is not None)
    return tuple(sorted(found, key=lambda one: is_friend(scene, one)))


def friends_first(scene: Scene[SheetT, SettingsT]) -> tuple[Character[SheetT], ...]:
    """The others to help: friends before foes."""
    return tuple(sorted(others_of(scene), key=lambda one: not is_friend(scene, one)))


def choices_among(
    characters: Iterable[Character[SheetT]], note: Callable[[Character[SheetT]], str] = lambda _one: ""
) -> tuple[Choice, ...]:
    """The entries of a menu of characters, each with a note."""
    return tuple(choice_of(one, note(one)) for one in characters)[:MOST_CHOICES]


def first_id(choices: tuple[Choice, ...]) -> CharacterId:
    """The character of a menu's first entry."""
    return CharacterId(int(choices[0].value))
