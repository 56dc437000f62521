"""Answers in a form: typed, and chosen from a menu."""

import pytest

from bot.rules.kernel import CharacterId, Choice, Document, FollowUp, TextField
from bot.rules.kernel.errors import UserError
from bot.table.base.results import follow_up_from_json, follow_up_to_json
from bot.table.base.typed_options import read_blank


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
