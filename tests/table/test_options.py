"""Answers in a form: typed, and chosen from a menu."""

from enum import StrEnum
from typing import Any

import pytest
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Character, CharacterId, Choice, Document, FollowUp, Roller, Section, TextField
from bot.rules.kernel.errors import UserError
from bot.store.records import JsonObject, ServerId
from bot.table.base.results import follow_up_from_json, follow_up_to_json
from bot.table.base.stored_rolls import roll_from_json, roll_to_json
from bot.table.base.table import MOST_KEPT, SheetCache, Table
from bot.table.base.typed_options import read_blank, value_words, values_of
from bot.table.play.actions import UnnamedRolls
from tests.dice import ScriptedDice
from tests.table.conftest import Person
from tests.table.counting import everything
from tests.table.play.test_play import do, entries
from tests.table.toy import TOY
from tests.table.toy_module import CheckInputs, ToySettings, ToySheet, resolve_check


class Options(Document):
    """Options of an attack."""

    skill: str = ""
    target: CharacterId | None = None
    targets: tuple[CharacterId, ...] = ()


PEOPLE = (Choice("7", "Orc"), Choice("9", "Beast"), Choice("12", "Wolf"))


def menu(key: str, most: int = 1) -> TextField:
    return TextField(key=key, prompt="Who", choices=PEOPLE, most=most)


def test_characters_chosen_in_a_menu_are_read_by_id() -> None:
    assert read_blank(Options, menu("targets", 2), {"targets": ("7", "12")}) == [7, 12]
    assert read_blank(Options, menu("target"), {"target": ("9",)}) == 9
    assert read_blank(Options, menu("target"), {"target": ()}) is None


def test_words_chosen_in_a_menu_are_read_as_text() -> None:
    skills = TextField(key="skill", prompt="Skill", choices=(Choice("climb", "Climb 3"),))

    assert read_blank(Options, skills, {"skill": ("climb",)}) == "climb"


@pytest.mark.parametrize("chosen", [("8",), ("7", "9", "12"), ("Orc",)])
def test_what_a_menu_does_not_offer_is_refused(chosen: tuple[str, ...]) -> None:
    with pytest.raises(UserError, match="You can't choose that here"):
        read_blank(Options, menu("targets", 2), {"targets": chosen})


def test_names_are_typed_with_commas_between_and_an_optional_field_may_stay_empty() -> None:
    typed = TextField(key="targets", prompt="Who")
    optional = TextField(key="skill", prompt="Skill", is_required=False)

    assert read_blank(Options, typed, {"targets": "Orc, 7"}) == ["Orc", "7"]
    assert read_blank(Options, optional, {"skill": " "}) is None


def test_a_stored_question_without_a_menu_looks_as_before_there_were_menus() -> None:
    blanks = (TextField(key="skill", prompt="Skill"), menu("targets", 2))
    follow_up = FollowUp(procedure="attack", options=Options(), label="Attack …", blanks=blanks)

    stored = follow_up_to_json(follow_up)

    assert stored["blanks"] == [
        {"key": "skill", "prompt": "Skill", "longest": 80, "is_required": True, "is_long": False},
        {
            "key": "targets",
            "prompt": "Who",
            "longest": 80,
            "is_required": True,
            "is_long": False,
            "choices": [{"value": one.value, "label": one.label, "note": ""} for one in PEOPLE],
            "most": 2,
        },
    ]
    assert follow_up_from_json(stored).blanks == blanks


class Edge(StrEnum):
    UP = "up"
    DOWN = "down"


class TypedOptions(Document):
    is_calm: bool = False
    edge: Edge | None = None
    help: int = Field(default=0, ge=0, le=3)
    modifier: int = Field(default=0, ge=-20, le=20)
    target: int = Field(default=10, ge=1, le=1000)
    note: str = ""


@pytest.mark.parametrize(
    ("field", "preset", "values"),
    [
        ("is_calm", False, [False, True]),
        ("edge", None, [None, Edge.UP, Edge.DOWN]),
        ("help", 1, [0, 1, 2, 3]),
        ("modifier", 0, list(range(-11, 12))),
        ("modifier", 20, list(range(-2, 21))),
        ("modifier", -20, list(range(-20, 3))),
        ("target", 500, list(range(489, 512))),
        ("note", "calm", ["calm"]),
    ],
)
def test_a_menu_has_the_values_around_the_preset_one(field: str, preset: Any, values: list[Any]) -> None:
    assert list(values_of(TypedOptions.model_fields[field], preset)) == values


@pytest.mark.parametrize(
    ("value", "words"), [(None, "not set"), (True, "yes"), (False, "no"), (Edge.UP, "up"), (-3, "−3")]
)
def test_values_are_shown_in_plain_words(value: Any, words: str) -> None:
    assert value_words(value) == words


HERE = ServerId(1)


class Describing:
    """A game whose descriptions are counted."""

    def __init__(self) -> None:
        self.described: list[str] = []
        self.game = replace(TOY, describe=self._describe)
        self.cache = SheetCache()

    def _describe(self, character: Character, _settings: Document) -> tuple[Section, ...]:
        self.described.append(character.name)
        return (Section(character.name, (f"Pluck {character.resources.get('pluck', 0)}",)),)

    def line(self, character: Character, settings: Document, server: ServerId = HERE) -> str:
        """Return what the sheet says."""
        return self.cache.texts(self.game, server, character, settings).sections[0].lines[0]


ADA = Character(id=CharacterId(1), name="Ada", owner=None, sheet=ToySheet(), resources={"pluck": 2})


def test_an_unchanged_sheet_is_described_once() -> None:
    describing = Describing()

    lines = [describing.line(replace(ADA), ToySettings()) for _ in range(3)]

    assert lines == ["Pluck 2"] * 3
    assert describing.described == ["Ada"]


def test_a_changed_sheet_and_changed_settings_are_described_anew() -> None:
    describing = Describing()

    describing.line(ADA, ToySettings())
    changed = describing.line(ADA.with_resource("pluck", 1), ToySettings())
    describing.line(ADA, ToySettings(is_grim=True))

    assert changed == "Pluck 1"
    assert len(describing.described) == 3


def test_two_servers_characters_of_one_number_are_told_apart() -> None:
    describing = Describing()

    here = describing.line(ADA, ToySettings())
    there = describing.line(ADA.with_resource("pluck", 9), ToySettings(), ServerId(2))

    assert (here, there, describing.line(ADA, ToySettings())) == ("Pluck 2", "Pluck 9", "Pluck 2")
    assert len(describing.described) == 2


def test_the_sheet_read_longest_ago_is_forgotten() -> None:
    describing = Describing()

    for number in range(MOST_KEPT + 1):
        describing.line(replace(ADA, id=CharacterId(number)), ToySettings())
    describing.line(replace(ADA, id=CharacterId(MOST_KEPT)), ToySettings())
    describing.line(replace(ADA, id=CharacterId(0)), ToySettings())

    assert len(describing.described) == MOST_KEPT + 2


class TestWhoRolled:
    """F-ALL-04: a stored roll says who made it and what for."""

    async def test_a_single_roll_belongs_to_the_actor(self, game: Table, ada: Person) -> None:
        await do(game, ada, "check")

        entry = (await entries(game, ada))[0]
        (roll,) = entry.rolls
        assert isinstance(roll, dict)
        assert roll["purpose"] == "check"
        assert roll["roller"] == {"id": entry.character, "name": "Ada"}

    async def test_several_rolls_each_name_their_roller(self, game: Table, ada: Person) -> None:
        result = await do(game, ada, "wrestle", target="Bo")

        assert [(roll.roller and roll.roller.name, roll.purpose) for roll in result.rolls] == [
            ("Ada", "wrestling"),
            ("Bo", "wrestling"),
        ]

    async def test_several_rolls_without_rollers_are_a_fault_and_nothing_is_saved(
        self, game: Table, ada: Person
    ) -> None:
        before = everything(game)

        with pytest.raises(UnnamedRolls, match="muddles"):
            await do(game, ada, "muddle")

        assert everything(game) == before

    def test_a_roll_stored_without_a_roller_can_still_be_read(self) -> None:
        kept: JsonObject = {
            "ruleset": "toy",
            "rule": "check",
            "inputs": {"target": 3},
            "dice": [{"sides": 6, "face": 2}],
            "terms": [],
            "total": 2,
            "against": "3−",
            "verdict": ["success", "success"],
            "odds": None,
            "fell": "success",
        }

        roll = roll_from_json(kept)

        assert (roll.roller, roll.purpose) == (None, "")
        assert roll_to_json("toy", roll) == kept

    def test_a_rollers_name_survives_the_journal(self) -> None:
        roll = resolve_check(CheckInputs(target=3), ScriptedDice("d6:2")).by(Roller(None, "The Red Guard"))

        assert roll_from_json(roll_to_json("toy", roll)).roller == Roller(None, "The Red Guard")
