"""A small table for rules tests: characters, scenes, dice that fall as told, procedures by key."""

from collections.abc import Iterable, Mapping
from typing import Any

from bot.rules.kernel import CharacterId, EncounterView, FollowUp, Outcome
from bot.rules.swim_class import RULESET
from bot.rules.swim_class.board import view
from bot.rules.swim_class.pools import DiceGroup, SwimPoolInputs
from bot.rules.swim_class.session import PROCEDURES
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    HeldTrait,
    Scene,
    SwimItem,
    SwimSettings,
    SwimSheet,
    book_of,
    item_of,
)
from bot.table.base.typed_options import read_choice
from tests.rules import playing

NAMES = ("Ash", "Bram", "Cleo", "Orc", "Beast")
FOES = ("Orc", "Beast")


def sheet(
    ranks: Mapping[str, int] | None = None,
    *,
    items: Iterable[str | SwimItem] = (),
    traits: Mapping[str, int] | None = None,
    **more: Any,
) -> SwimSheet:
    """A sheet; items by name are taken from the catalogue and in use."""
    held = tuple(item_of(CATALOGUE[one]) if isinstance(one, str) else one for one in items)
    kinds = tuple(HeldTrait(key=key, degree=degree) for key, degree in (traits or {}).items())
    return SwimSheet(ranks=ranks or {}, items=held, traits=kinds, **more)


def id_of(name: str) -> CharacterId:
    """The id of a character of the table."""
    return CharacterId(NAMES.index(name) + 1)


def script(faces: str) -> str:
    """d6 that fall as told: "5 4 1" """
    return " ".join(f"d6:{face}" for face in faces.split())


class GameTable(playing.GameTable[SwimSheet, SwimSettings]):
    """Ash 1, Bram 2 and Cleo 3 of players, an Orc 4 and a Beast 5 of the GM's, and what they do."""

    def rank(self, name: str, skill: str) -> int:
        """A character's rank."""
        return book_of(self.scene.settings).rank(self.sheet(name).ranks, skill)

    def set(self, name: str, key: str, value: int) -> None:
        """Set a resource outside the rules."""
        self.scene = self.scene.with_character(self.named(name).with_resource(key, value))

    def do(self, who: str, procedure: str, faces: str = "", /, **options: Any) -> Outcome[Scene]:
        """Do a procedure as a character, with d6 that fall as told.

        A strain is allowed unless *consented* says no.
        """
        if options.get("strain"):
            options.setdefault("consented", True)
        return super().do(who, procedure, script(faces), **options)

    def why(self, who: str, procedure: str, fall: str = "", /, **options: Any) -> str:
        """Do what is not allowed; what is wrong with it."""
        return self.refused(who, procedure, fall, **options).what

    def fight(self) -> EncounterView:
        """The fight as it is shown."""
        shown = view(self.scene)
        assert shown is not None, "there is no fight"
        return shown

    def press(self, who: str, button: FollowUp, faces: str = "", choose: str | None = None) -> Outcome[Scene]:
        """Press a follow-up of an earlier result."""
        options = button.options.model_dump()
        if choose is not None:
            model = PROCEDURES[button.procedure].options
            chosen = read_choice(model, button.chosen, choose)
            options[button.chosen] = tuple(chosen) if isinstance(chosen, list) else chosen
        return self.do(who, button.procedure, faces, **options)


def lay_table(**sheets: SwimSheet) -> GameTable:
    """The table at the beginning of play; sheets by name of the character."""
    given = {name: sheets.get(name, SwimSheet()) for name in NAMES}
    foes = {name: given.pop(name) for name in FOES}
    return GameTable(RULESET, *playing.seated(RULESET, given, foes))


def solo(ranks: Mapping[str, int] | None = None, **more: Any) -> GameTable:
    """A table at which Ash has these ranks."""
    return lay_table(Ash=sheet(ranks, **more))


def words(outcome: Outcome) -> str:
    """What an outcome came to."""
    return outcome.verdict.title if outcome.verdict else ""


def faced(outcome: Outcome) -> str:
    """What stopped what in an opposed roll, and what got through."""
    facing = next(roll.facing for roll in outcome.rolls if roll.facing)
    stopped = [
        f"{one.stopping if one.stopped_by.sides > 1 else f'({one.stopping})'} stops {one.value}"
        for one in facing
        if one.stopped_by is not None
    ]
    through = [str(one.value) for one in facing if one.stopped_by is None]
    parts = [", ".join(stopped), f"through: {', '.join(through)}" if through else ""]
    return " · ".join(part for part in parts if part)


def duel(attacker: dict[str, int], defender: dict[str, int], **items: list[str]) -> GameTable:
    return lay_table(
        Ash=sheet(attacker, items=items.get("ash", [])), Orc=sheet(defender, items=items.get("orc", []))
    )


def strike(table: GameTable, faces: str, against: str, skill: str = "physical defense") -> str:
    table.do("Ash", "attack", faces, skill="basic melee", targets=("Orc",))
    return words(table.do("GM Orc", "defend", against, skill=skill))


def pool(count: int, difficulty: int = 1, modifier: int = 0, **more: Any) -> SwimPoolInputs:
    """A pool for climbing."""
    return SwimPoolInputs(
        skill="Climb",
        groups=(DiceGroup(name="Climb", count=count, modifier=modifier),),
        difficulty=difficulty,
        **more,
    )
