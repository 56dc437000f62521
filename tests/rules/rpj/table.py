"""A small table of RPJ Core (people of the fantasy module, the GM's ogre), and a battle of many at it."""

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from msgspec.structs import replace

from bot.rules.kernel import FollowUp, Outcome, View
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.lucky_breaks import LUCKY_BREAKS, LUCKY_GROUP, refreshed
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.mass_commands import MassRound, the_round
from bot.rules.rpj.mass_rounds import view_round
from bot.rules.rpj.module.module_files import RpjSettings, Shipped, module_in
from tests.rules import playing
from tests.rules.playing import lay_table
from tests.rules.rpj.people import known, sheet

GameTable: TypeAlias = playing.GameTable[RpjSheet, RpjSettings]
FANTASY = RpjSettings(module=Shipped.FANTASY)
LAENIEL = sheet(
    "STR 2 CON 3 DEX 6 CHA 4 WIL 2 INT 3 LUCK 4",
    skills=[known("archery", 4), known("concealment", 4), known("crafting", 2, "Wood")],
    class_skills=["concealment"],
    primary="Shifty",
    total_points=60,
)
UG = sheet(
    "STR 4 CON 5 DEX 2 CHA 1 WIL 3 INT 1 LUCK 3",
    skills=[known("blunt_weapons", 5, linked="STR"), known("intimidate", 3, linked="STR")],
    traits=["haggler"],
    primary="Brawny",
    total_points=60,
)
OGRE = sheet("STR 6 CON 6 DEX 1 CHA 0 WIL 2 INT 0 LUCK 0", primary="Brawny")


def d6(faces: str) -> str:
    """d6 that fall as told: "5 4" """
    return " ".join(f"d6:{face}" for face in faces.split())


def rpj_table(
    settings: RpjSettings = FANTASY, players: Mapping[str, RpjSheet] | None = None, **more: Any
) -> GameTable:
    """Laeniel and Ug with all their Lucky Breaks, and an Ogre of the GM's.

    Args:
        settings: The campaign's settings.
        players: Other players' characters.
        **more: More settings.
    """
    changed = RpjSettings.model_validate({**settings.model_dump(), **more})
    if settings.module_carried is not None:
        changed = changed.with_module(settings.module_carried)
    people = players or {"Laeniel": LAENIEL, "Ug": UG}
    table = cast("GameTable", lay_table(RULESET, people, {"Ogre": OGRE}))
    table.scene = replace(table.scene, settings=changed)
    for name in (*people, "Ogre"):
        character = refreshed(table.named(name), module_in(changed))
        table.scene = table.scene.with_character(character)
    return table


def breaks(table: GameTable, name: str) -> int:
    """How many Lucky Breaks somebody has left."""
    return table.named(name).resources[LUCKY_BREAKS]


def labels(outcome: Outcome) -> list[str]:
    """What the buttons under a result say."""
    return [button.label for button in outcome.follow_ups]


def besides(outcome: Outcome) -> list[FollowUp]:
    """The buttons under a result that are not about Lucky Breaks, nor for a countdown."""
    return [button for button in outcome.follow_ups if button.group not in (LUCKY_GROUP, "duel")]


def others(outcome: Outcome) -> list[str]:
    """What these buttons say."""
    return [button.label for button in besides(outcome)]


def field(own: int = 40, enemy: int = 60, **more: Any) -> GameTable:
    """Heroes against Rebels."""
    table = rpj_table(mass_combat=True, **more)
    table.do("GM", "mass.start", own="Heroes", own_people=own, enemy="Rebels", enemy_people=enemy)
    return table


def kept(table: GameTable) -> MassRound:
    """The round as it is kept."""
    return the_round(table.scene)


def seen(table: GameTable) -> View:
    """The round as everybody sees it."""
    return view_round(kept(table), replace(table.scene, is_gm=False))


def markers(table: GameTable) -> list[int]:
    """Markers left of both sides."""
    return [side.markers for side in kept(table).battle.sides]


def modifiers(table: GameTable) -> list[int]:
    """Both sides' modifiers."""
    return [kept(table).standing.modifier(place) for place in (0, 1)]


def button(outcome: Outcome | View, words: str) -> FollowUp:
    """The button that says so."""
    return next(one for one in outcome.follow_ups if words in one.label)


def title(outcome: Outcome) -> str:
    """What it came to."""
    assert outcome.verdict is not None
    return outcome.verdict.title


def labels_of(view: View) -> list[str]:
    """What the buttons of a message say."""
    return [one.label for one in view.follow_ups]
