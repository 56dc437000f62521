"""Sheets, tables and tests in few words, for the rules tests of Sword & Swarm."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pytest

from bot.rules.kernel import Outcome, Roll
from bot.rules.sword_and_swarm import RULESET
from bot.rules.sword_and_swarm.sheet import Benefit, BenefitKind, Raise, SwarmSheet
from bot.rules.sword_and_swarm.tests import (
    AttributeInputs,
    ProficiencyInputs,
    SwarmAttribute,
    attribute_test,
    proficiency_test,
)
from tests.dice import ScriptedDice
from tests.rules.playing import GameTable, lay_table

KINDS = {"own": "own attribute", "opponent": "opponent's attribute", "obstacle": "obstacle"}


def sheet(
    *,
    star: int | None = None,
    encumbrance: int = 0,
    proficiencies: dict[str, int] | None = None,
    benefits: Sequence[Benefit] = (),
    **base: int,
) -> SwarmSheet:
    """A sheet; Mallet 4, Key 3, Runes 5, Coronet 2, Star 4, Shield 0, Boots 6 unless said otherwise."""
    usual = {"Mallet": 4, "Key": 3, "Runes": 5, "Coronet": 2, "Star": 4, "Shield": 0, "Boots": 6}
    given = {name.capitalize(): value for name, value in base.items()}
    return SwarmSheet(
        base={SwarmAttribute(name): value for name, value in {**usual, **given}.items()},
        star=star,
        encumbrance=encumbrance,
        proficiencies=proficiencies or {},
        benefits=tuple(benefits),
    )


def gear(name: str, *, in_use: bool = True, **raises: int) -> Benefit:
    """A piece of equipment that raises attributes."""
    return Benefit(
        name=name,
        kind=BenefitKind.EQUIPMENT,
        raises=tuple(
            Raise(attribute=SwarmAttribute(key.capitalize()), amount=n) for key, n in raises.items()
        ),
        in_use=in_use,
    )


def lay(ash: SwarmSheet | None = None, ogre: SwarmSheet | None = None) -> GameTable:
    """A table with Ash and Bram, and an Ogre of the GM's that nobody has described but for its Mallet 7."""
    plain = RULESET.creation.npc()
    assert isinstance(plain, SwarmSheet)
    strong = plain.model_copy(update={"base": {**plain.base, SwarmAttribute.MALLET: 7}})
    return lay_table(RULESET, {"Ash": ash or sheet(), "Bram": sheet()}, {"Ogre": ogre or strong})


def faces(text: str) -> ScriptedDice:
    """Six-sided dice that fall as told: "6 2"."""
    return ScriptedDice(script(text))


def script(text: str) -> str:
    """The script of six-sided dice: "6 2"."""
    return " ".join(f"d6:{face}" for face in text.split())


def attribute_inputs(row: dict[str, Any]) -> AttributeInputs:
    """The inputs of a vector."""
    return AttributeInputs.model_validate(
        {
            "kind": KINDS[row["kind"]],
            "name": "Key" if row["kind"] == "own" else "Shield",
            "value": row["value"],
            "modifiers": _modifiers(row),
            "edge": row.get("edge", "none"),
            "confirm_when_impossible": row.get("confirm_when_impossible", False),
        }
    )


def proficiency_inputs(row: dict[str, Any]) -> ProficiencyInputs:
    """The inputs of a vector."""
    return ProficiencyInputs.model_validate(
        {
            "proficiency": "Architecture",
            "attribute": "Runes",
            "value": row["value"],
            "ranks": row["ranks"],
            "modifiers": _modifiers(row),
            "difficulty": row["difficulty"],
            "edge": row.get("edge", "none"),
        }
    )


def _modifiers(row: dict[str, Any]) -> list[dict[str, int]]:
    alone = [row["modifier"]] if row.get("modifier") else []
    return [{"value": value} for value in row.get("modifiers", alone)]


def rolled_attribute(row: dict[str, Any]) -> Roll:
    """The roll of a vector; every die of it must fall."""
    dice = faces(row["dice"])
    roll = attribute_test(attribute_inputs(row), dice)
    dice.assert_all_rolled()
    return roll


def rolled_proficiency(row: dict[str, Any]) -> Roll:
    """The roll of a vector; every die of it must fall."""
    dice = faces(row["dice"])
    roll = proficiency_test(proficiency_inputs(row), dice)
    dice.assert_all_rolled()
    return roll


def fell(outcome: Outcome) -> str:
    """What the one roll of an outcome came to."""
    (roll,) = outcome.rolls
    return str(roll.outcome)


_TABLES = tomllib.loads((Path(__file__).parent / "vectors.toml").read_text("utf-8"))


def vectors(table: str, *entries: str) -> list[Any]:
    """The rows of one table as parameters, of some ledger entries or of all; their ids are the test ids."""
    rows = [row for row in _TABLES[table] if not entries or row["id"].rstrip(ascii_lowercase) in entries]
    assert rows, f"no vectors of {entries} in {table}"
    return [
        pytest.param({key: value for key, value in row.items() if key != "id"}, id=row["id"]) for row in rows
    ]
