"""Options read off what a procedure asks for, commands read from a table, and the page for asking."""

from fractions import Fraction

import pytest
from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import Choice, Document, Section
from bot.rules.kernel.errors import UserError
from bot.rules.shared.asking import RollSight
from bot.store.records import EntryId
from bot.table.characters.characters import SheetView
from bot.table.characters.controls import Controls
from bot.table.requests.asking_page import (
    AskingPage,
    BestAt,
    CheckOffer,
    MemberChance,
    OfferedCheck,
    RecentAsk,
)
from bot.ui.commands.asking import ask_page_reply, best_form, check_form, wanted_by
from bot.ui.commands.options import CommandTable, option_type
from bot.ui.commands.sheets import controls_reply
from bot.ui.input.presses import OutOfDate, Press
from bot.ui.text.reply import Button, MenuField, Select
from tests.ui.shown import shown


class Asked(Document):
    from_zero: int = Field(ge=0, le=5)
    to_zero: int | None = Field(default=None, ge=-5, le=0)
    word: str = Field(default="", max_length=30)


@pytest.mark.parametrize(
    ("field", "least", "most"), [("from_zero", 0, 5), ("to_zero", -5, 0), ("word", 1, 30)]
)
def test_an_option_has_the_bounds_of_its_field_also_where_one_is_zero(
    field: str, least: int, most: int
) -> None:
    asked = option_type(Asked.model_fields[field])

    assert (asked.min_value, asked.max_value) == (least, most)


def test_a_command_of_a_table_has_its_own_texts_then_shared_ones_and_the_packs_of_its_group() -> None:
    roll = {"about": "Roll", "options": {"word": "", "note": "Why"}, "also": ["bonus"]}
    table = CommandTable.model_validate(
        {
            "words": {"word": "Say it", "bonus": "More"},
            "commands": {"roll": roll},
            "groups": {"dice": {"about": "Dice", "packs": ["large"], "commands": {"throw": roll}}},
        }
    )

    (rolling,) = table.lines(table.words)
    about, (throwing,) = table.grouped()["dice"]

    assert list(rolling.options.items()) == [("word", "Say it"), ("note", "Why"), ("bonus", "More")]
    assert (about, throwing.name, throwing.packs, rolling.packs) == ("Dice", "throw", ("large",), ())


PAGE = AskingPage(
    campaign="The Manor",
    difficulty="",
    difficulties=("Easy", "Hard"),
    sight=RollSight.OPEN,
    recent=(),
)
OFFER = CheckOffer(
    character=None,
    name="",
    checks=(OfferedCheck("skill check", "Stealth"),),
    difficulties=("Easy", "Hard"),
    difficulty="Hard",
    sight=RollSight.BLIND,
    who=(Choice("1", "Ada"), Choice("2", "Bo")),
)


def menus(page: AskingPage) -> list[Select]:
    return [one for one in ask_page_reply(page).blocks if isinstance(one, Select)]


class TestPage:
    def test_the_button_names_who_sees_the_results(self) -> None:
        for sight in RollSight:
            assert f"[Ask ({sight})]" in shown(ask_page_reply(replace(PAGE, sight=sight))).replace("!", "")

    def test_the_scenes_difficulty_is_chosen_in_its_menu(self) -> None:
        assert menus(PAGE)[0].chosen == ("-",)
        assert menus(replace(PAGE, difficulty="Hard"))[0].chosen == ("Hard",)

    def test_who_is_best_stands_in_a_line(self) -> None:
        chances = (MemberChance("Ada", Fraction(3, 4)), MemberChance("Bo", Fraction(1, 2)))
        best = BestAt("perception", "Hard", chances)

        assert "Best at Perception, Hard: **Ada** 75%, **Bo** 50%" in shown(ask_page_reply(PAGE, best=best))
        nobody = shown(ask_page_reply(PAGE, best=BestAt("perception", "", ())))
        assert "Perception: nobody has a chance to compare." in nobody

    def test_the_form_asks_only_for_the_check_and_its_difficulty(self) -> None:
        form = best_form(OFFER, "asks:1:best:0")

        assert [one.label for one in form.fields] == ["At what", "Difficulty (else Hard)"]

    def test_a_long_ladder_still_has_the_difficulty_in_force(self) -> None:
        ladder = tuple(str(number) for number in range(40))
        hard, _sight = menus(replace(PAGE, difficulties=ladder, difficulty="39"))

        assert len(hard.choices) == 25
        assert hard.choices[-1].value == "39"

    def test_a_game_without_difficulties_has_no_menu_of_them(self) -> None:
        assert len(menus(replace(PAGE, difficulties=()))) == 1

    def test_the_last_requests_are_buttons_that_a_phone_can_show(self) -> None:
        recent = tuple(RecentAsk(EntryId(n), f"A very long name of a skill number {n}") for n in range(5))

        text = shown(ask_page_reply(replace(PAGE, recent=recent)))

        assert "Ask again:" in text
        assert text.count("A very long name of a skill") == 5
        assert all(len(line) <= 42 for line in text.splitlines() if "skill" in line)


class TestForm:
    def test_one_form_asks_for_the_check_how_hard_and_whom(self) -> None:
        form = check_form(OFFER, "asks:ask")

        assert form.title == "Ask for a check (blind)"
        assert [one.label for one in form.fields] == [
            "What to ask for",
            "Difficulty (else Hard)",
            "Who (nobody: all players)",
            "What it is about",
        ]
        who = form.fields[2]
        assert isinstance(who, MenuField)
        assert (who.least, who.most) == (0, 2)

    @pytest.mark.parametrize(("checks", "is_menu"), [(25, True), (26, False)])
    def test_one_field_asks_what_a_menu_where_all_have_room(self, checks: int, is_menu: bool) -> None:
        many = tuple(OfferedCheck("skill check", f"Skill {n}") for n in range(checks))

        form = check_form(replace(OFFER, checks=many), "asks:ask")

        assert [one.key for one in form.fields] == ["what", "difficulty", "who", "note"]
        assert isinstance(form.fields[0], MenuField) is is_menu
        assert form.fields[0].note == ("" if is_menu else "How its name begins: Skill 0, Skill 25 …")

    def test_nobody_chosen_asks_all_players(self) -> None:
        chosen = {"what1": ("skill check|Stealth",), "who": ()}
        press = Press("asks", ("ask",), choices=chosen)

        assert wanted_by(press).who == ()
        assert wanted_by(replace(press, choices={**chosen, "who": ("1", "2")})).who == (1, 2)

    def test_a_form_of_an_earlier_release_had_two_menus_of_one_question(self) -> None:
        press = Press("asks", ("ask",), choices={"what1": (), "what2": ("luck check|",)})

        assert wanted_by(press).check == "luck check"
        with pytest.raises(UserError, match="Choose one thing to ask for"):
            wanted_by(replace(press, choices={"what1": ("skill check|Stealth",), "what2": ("luck check|",)}))

    def test_a_form_that_names_no_character_is_out_of_date(self) -> None:
        press = Press("asks", ("ask",), choices={"what": ("skill check|Stealth",), "who": ("Zorblax",)})

        with pytest.raises(OutOfDate):
            wanted_by(press)


LONG = Controls(
    sheet=SheetView(
        id=3,
        name="Ada",
        game="Toy Game",
        owner=2,
        sections=tuple(Section(f"Part {n}", ("a line",) * 20) for n in range(3)),
    )
)


@pytest.mark.parametrize("page", [0, 1, 2])
def test_a_page_of_a_long_sheet_is_read_again_and_leads_to_the_next(page: int) -> None:
    blocks = controls_reply(LONG, page).blocks
    buttons = [one for row in blocks if isinstance(row, tuple) for one in row]
    ids = {one.label: one.id for one in buttons if isinstance(one, Button)}

    assert ids["Refresh"] == f"hand:1:3:0:home:{page}"
    assert ids[f"Page {(page + 1) % 3 + 1}"] == f"hand:1:3:0:home:{(page + 1) % 3}"
    assert len(set(ids.values())) == len(buttons)
