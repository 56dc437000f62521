"""Decision tables: dice from left to right, divided tables, cards."""

from typing import Any

import pytest
from pydantic import ValidationError

from bot.rules.kernel import Die, Family, Verdict
from bot.rules.rpj.module.decision_tables import (
    DECISION,
    DECK,
    DecisionRow,
    DecisionTable,
    TableInputs,
    divided,
    ordinal,
)
from tests.dice import ScriptedDice
from tests.rules.rpj.throws import d6


def table(*rows: tuple[str, str], **more: Any) -> DecisionTable:
    return DecisionTable.model_validate(
        {
            "id": "encounters",
            "name": "Encounters",
            "rows": [{"first": first, "last": last, "text": f"{first}-{last}"} for first, last in rows],
            **more,
        }
    )


@pytest.mark.rule("RPJ-DICE-06")
class TestDiceTables:
    @pytest.mark.parametrize(
        ("faces", "key", "number"),
        [
            ((3, 1, 5), "315", 77),
            ((6, 1, 4), "614", 184),
            ((1, 1, 1), "111", 1),
            ((3, 6, 6), "366", 108),
            ((6, 6, 6), "666", 216),
            ((2, 4), "24", 10),
        ],
    )
    def test_the_dice_of_a_table_are_read_from_left_to_right(
        self, faces: tuple[int, ...], key: str, number: int
    ) -> None:
        roll = DECISION.resolve(TableInputs(dice=len(faces)), d6(*faces))

        assert roll.outcome == key
        assert ordinal(faces) == number
        assert roll.verdict == Verdict(Family.NEWS, f"{key}, number {number}")
        assert [(die.sides, die.face) for die in roll.dice] == [(6, face) for face in faces]

    @pytest.mark.parametrize(("dice", "size"), [(1, 6), (2, 36), (3, 216)])
    def test_a_table_has_a_row_for_every_roll_of_its_dice(self, dice: int, size: int) -> None:
        last = "6" * dice
        whole = table(("1" * dice, last), dice=dice)

        assert len(whole.keys) == size
        assert (whole.keys[0], whole.keys[-1]) == ("1" * dice, last)

    def test_a_table_row_stands_for_a_range_or_a_single_key(self) -> None:
        encounters = table(("11", "25"), ("26", ""), ("31", "66"), dice=2)

        assert encounters.row("24").text == "11-25"
        assert encounters.row("26") == DecisionRow(first="26", text="26-")
        assert encounters.row("31").text == "31-66"

    def test_a_table_must_cover_every_key_exactly_once(self) -> None:
        with pytest.raises(ValidationError) as refused:
            table(("1", "3"), ("3", "4"), ("6", "7"), dice=1)

        assert "“7” isn't a valid key; keys go from 1 to 6. 3 has more than one row. 5 has no row." in str(
            refused.value
        )


@pytest.mark.rule("RPJ-DICE-07")
class TestDividedTables:
    @pytest.mark.parametrize(
        ("number", "divisor", "row"),
        [
            (77, 2, 39),
            (77, 4, 20),
            (77, 8, 10),
            (184, 2, 92),
            (184, 4, 46),
            (184, 8, 23),
            (216, 2, 108),
            (216, 4, 54),
            (216, 8, 27),
            (1, 2, 1),
            (1, 4, 1),
            (1, 8, 1),
            (112, 8, 14),
            (113, 8, 15),
        ],
    )
    def test_a_row_of_a_divided_table_covers_as_many_rolls_as_the_divisor(
        self, number: int, divisor: int, row: int
    ) -> None:
        assert divided(number, divisor) == row

    def test_a_roll_on_a_divided_table_names_its_row(self) -> None:
        encounters = table(("1", "14"), ("15", "27"), divisor=8)

        roll = DECISION.resolve(TableInputs.of(encounters), d6(3, 1, 5))

        assert roll.verdict.title == "315, number 77, row 10"
        assert roll.outcome == "10"
        assert encounters.row("10").text == "1-14"

    @pytest.mark.parametrize(("divisor", "size"), [(2, 108), (4, 54), (8, 27)])
    def test_tables_divided_by_2_4_and_8_have_108_54_and_27_rows(self, divisor: int, size: int) -> None:
        assert len(table(("1", str(size)), divisor=divisor).keys) == size

    @pytest.mark.parametrize(
        "more", [{"divisor": 3}, {"divisor": 2, "dice": 2}, {"divisor": 2, "index": "cards"}]
    )
    def test_only_a_table_of_three_dice_can_be_divided(self, more: dict[str, Any]) -> None:
        with pytest.raises(
            ValidationError, match="Only a table of three dice can have a divisor: 1, 2, 4 or 8"
        ):
            table(("1", "108"), **more)


@pytest.mark.rule("RPJ-DICE-08")
class TestCardTables:
    fates = table(("AS", "KS"), ("AH", "JH"), ("QH", ""), ("KH", "KC"), index="cards", keeps_discards=True)

    def test_a_card_points_at_the_row_with_its_name(self) -> None:
        roll = DECISION.resolve(TableInputs.of(self.fates), ScriptedDice("d52:25"))

        assert roll.outcome == "QH"
        assert roll.verdict.title == "Q♥"
        assert roll.dice == (Die(sides=52, face=25, shown="Q♥"),)
        assert self.fates.row("QH").text == "QH-"

    def test_the_deck_has_52_cards_and_no_jokers(self) -> None:
        assert len(DECK) == 52
        assert self.fates.keys == DECK

    def test_a_player_may_name_a_place_in_the_deck(self) -> None:
        roll = DECISION.resolve(TableInputs.of(self.fates, picked=7), ScriptedDice("d52:1"))

        assert roll.verdict.title == "A♠, card 7 of the deck"

    def test_the_deck_is_reshuffled_before_every_draw(self) -> None:
        shuffled = table(("AS", "KC"), index="cards")

        assert TableInputs.of(shuffled, gone=("AS",)).gone == ()

    def test_a_table_may_leave_drawn_cards_out_until_the_deck_is_used_up(self) -> None:
        inputs = TableInputs.of(self.fates, gone=("AS", "2S"))

        assert DECISION.resolve(inputs, ScriptedDice("d50:1")).outcome == "3S"
        assert TableInputs.of(self.fates, gone=DECK).gone == ()
