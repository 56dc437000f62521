"""A small table for rules tests: characters, scenes, dice that fall as told, procedures by key."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from bot.rules.kernel import CharacterId, EncounterView
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.encounter import MaidCombatant, MaidEncounter, the_encounter
from bot.rules.post_magic_maid.initiative import view
from bot.rules.post_magic_maid.sheet import (
    AbilityKind,
    AttributeScore,
    MaidAbility,
    MaidAttribute,
    MaidSettings,
    MaidSheet,
)
from tests.rules import playing
from tests.rules.playing import vectors_beside

PLAIN_DICE = {"Int": 20, "Str": 6, "Dex": 12, "Cha": 8, "Wll": 8, "Lck": 6}


def sheet(
    dice: Mapping[str, int] | None = None,
    *,
    creation: Mapping[str, int] | None = None,
    steps: Mapping[str, int] | None = None,
    abilities: Iterable[MaidAbility] = (),
    is_magical: bool = False,
) -> MaidSheet:
    """A sheet; the dice are Int d20, Str d6, Dex d12, Cha d8, Wll d8, Lck d6 unless said otherwise."""
    sides = {**PLAIN_DICE, **(dice or {})}
    return MaidSheet(
        attributes={
            attribute: AttributeScore(
                die=sides[attribute],
                creation=(creation or {}).get(attribute, 0),
                steps=(steps or {}).get(attribute, 0),
            )
            for attribute in MaidAttribute
        },
        abilities=tuple(abilities),
        is_magical=is_magical,
    )


def active(
    name: str, singles: int = 0, doubles: int = 0, *, creation: int = 0, gave_point: bool = False
) -> MaidAbility:
    """An active ability; what did not come at creation came by level-ups."""
    return MaidAbility(
        name=name,
        kind=AbilityKind.ACTIVE,
        singles=singles,
        doubles=doubles,
        from_creation=creation,
        from_level_ups=singles + doubles - creation,
        has_given_die_point=gave_point,
    )


def passive(name: str, strength: int = 1, *, creation: int = 0, gave_point: bool = False) -> MaidAbility:
    """A passive ability."""
    return MaidAbility(
        name=name,
        kind=AbilityKind.PASSIVE,
        passives=strength,
        from_creation=creation,
        from_level_ups=strength - creation,
        has_given_die_point=gave_point,
    )


def boxes(text: str) -> tuple[int, ...]:
    """ "4/3/0/0" as boxes."""
    return tuple(int(part) for part in text.split("/"))


NAMES = ("Ash", "Bram", "Cleo", "Dara")
FOES = ("Ogre", "Wolf")


class GameTable(playing.GameTable[MaidSheet, MaidSettings]):
    """Four players' characters (Ash 1, Bram 2, Cleo 3, Dara 4), an Ogre of the GM's (5), and what they do."""

    checks_sheets = False  # die points are given here that no advance has earned

    def alter(self, name: str, **changes: Any) -> None:
        """Change a character outside the rules, as a GM may."""
        self.scene = self.scene.with_character(replace(self.named(name), **changes))

    def points(self, name: str, key: str = "blitz") -> int:
        """A resource."""
        return super().points(name, key)

    def wound(self, name: str, track: str, filled: str) -> None:
        """Set a wound track outside the rules."""
        self.scene = self.scene.with_character(self.named(name).with_wounds(track, boxes(filled)))

    def wounds(self, name: str, track: str) -> str:
        """A wound track as "4/3/0/0"."""
        return "/".join(str(n) for n in self.named(name).wounds.get(track, (0, 0, 0, 0)))

    def encounter(self) -> MaidEncounter:
        """The encounter of the channel."""
        return the_encounter(self.scene)

    def board(self) -> EncounterView:
        """The encounter as it is shown."""
        shown = view(self.scene)
        assert shown is not None, "there is no encounter"
        return shown

    def seat(self, name: str) -> MaidCombatant:
        """A character's place in the encounter."""
        found = self.encounter().combatant(id_of(name))
        assert found is not None, f"{name} takes no part"
        return found

    def clear_rounds(self) -> None:
        """Go on to the next round, by ending every turn that is left."""
        now = self.encounter().round
        while self.encounter().round == now:
            self.do("GM", "encounter.next")


def id_of(name: str) -> CharacterId:
    """The id of a character of the table."""
    return CharacterId((*NAMES, *FOES).index(name) + 1)


def lay_table(*, sheets: Mapping[str, MaidSheet] | None = None) -> GameTable:
    """The table at the beginning of play."""
    given = {name: (sheets or {}).get(name, sheet()) for name in (*NAMES, *FOES)}
    players = {name: given.pop(name) for name in NAMES}
    return GameTable(RULESET, *playing.seated(RULESET, players, given))


def cards(text: str, *, gone: str = "") -> str:
    """The script of dice by which these cards are drawn: "A♠ 10♥ Joker Joker"; Jokers in their order."""
    ranks = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
    printed = [f"{rank}{suit}" for suit in "♠♥♦♣" for rank in ranks]
    left = [*printed, "Joker", "Joker"]
    for card in gone.split():
        left.remove(card)
    script = []
    for card in text.split():
        place = left.index(card)
        script.append(f"d{len(left)}:{place + 1}")
        left.pop(place)
    return " ".join(script)


def start_fight(table: GameTable, drawn: str) -> None:
    """Have Ash start an opposed encounter with as many others as cards are drawn, in the order of names."""
    others = ("Bram", "Cleo", "Dara", "Ogre", "Wolf")[: len(drawn.split()) - 1]
    table.do("Ash", "initiative", cards(drawn), opposed=True, others=others)


def order(table: GameTable) -> list[str]:
    """The names of those in the encounter, in their order."""
    return [seat.name for seat in table.encounter().shown]


vectors = partial(vectors_beside, __file__)
