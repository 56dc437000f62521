"""The board of an encounter: who is how, and what whoever is on can do."""

import pytest

from bot.rules.post_magic_maid.initiative import choices
from tests.rules.post_magic_maid.play import GameTable, cards, order, start_fight


def offered(table: GameTable) -> list[str]:
    return [one.label for one in choices(table.scene)]


def facts(table: GameTable) -> dict[str, tuple[str, ...]]:
    return {line.name: line.facts for line in table.board().lines}


@pytest.mark.rule("PMM-INI-01")
class TestBeforeTheDraw:
    def test_an_encounter_can_start_without_a_starter(self, table: GameTable) -> None:
        assert choices(table.scene) == ()
        table.do("GM", "encounter.start")
        for name in ("Ash", "Bram"):
            table.do(name, "encounter.join")
        assert (table.board().on, offered(table)) == ("Waiting to start", ["Draw cards"])
        drawn = table.do("Bram", "encounter.next", cards("2♠ 3♠"))

        assert drawn.headline == "deals the cards for initiative"
        assert order(table) == ["Bram", "Ash"]

    def test_an_unopposed_starter_is_offered_the_act_and_then_the_draw(self, table: GameTable) -> None:
        table.do("Ash", "encounter.start", others=("Bram",))
        assert table.board().on == "Ash acts, then everyone draws"
        assert offered(table) == [
            "Attack blunt: Int + Dex · 1 action …",
            "Attack rending: Int + Dex · 1 action …",
            "Draw cards",
        ]
        table.do("Ash", "check", "d6:1 d12:1", first="Str", second="Dex")

        assert (table.board().on, offered(table)) == ("Waiting to start", ["Draw cards"])

    def test_an_opposed_start_lets_everyone_draw_first(self, table: GameTable) -> None:
        begun = table.do("Ash", "encounter.start", cards("2♠ 3♠"), others=("Bram",), at_once=True)

        assert begun.headline == "starts an encounter"
        assert order(table) == ["Bram", "Ash"]

    def test_a_starter_who_leaves_is_no_longer_the_starter(self, table: GameTable) -> None:
        table.do("Ash", "encounter.start", others=("Bram", "Cleo"))
        table.do("Ash", "encounter.leave")

        assert table.encounter().starter is None
        assert table.board().on == "Waiting to start"


class TestTurns:
    def test_the_board_shows_cards_wounds_and_remaining_actions(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠ 4♠")
        table.wound("Ash", "blunt", "2/1/0/0")
        table.wound("Bram", "rending", "0/0/1/0")

        assert facts(table) == {
            "Cleo": ("4♠", "1 action left"),
            "Bram": ("3♠", "rending: 1 heavy"),
            "Ash": ("2♠", "blunt: 2 slight, 1 moderate"),
        }

    @pytest.mark.rule("PMM-ACT-02", "PMM-BLZ-02")
    def test_each_action_is_offered_with_its_cost(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")
        assert offered(table)[0] == "Attack blunt: Int + Dex · 1 action …"
        assert offered(table)[2:] == ["Blitz (3 left) · ace 44%", "Several actions …", "End the turn"]
        table.do("Bram", "act", count=2)
        assert offered(table)[0] == "Attack blunt: Int + Dex · action 1 of 2, −5 …"
        assert facts(table)["Bram"] == ("3♠", "2 actions left")
        for _ in range(2):
            table.do("Bram", "check", "d6:1 d12:1", first="Str", second="Dex")

        assert offered(table) == ["End the turn"]
        assert facts(table)["Bram"] == ("3♠", "no action left")

    def test_choosing_from_the_menu_attacks_that_target(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")
        attack = choices(table.scene)[0]
        assert [choice.label for choice in attack.choices] == ["Ash"]
        table.do("Bram", attack.procedure, "d20:12 d12:3", **attack.options.model_dump())

        assert table.wounds("Ash", "blunt") == "0/1/0/0"

    @pytest.mark.rule("PMM-INI-03")
    def test_a_jokers_holder_chooses_places_from_the_board(self, table: GameTable) -> None:
        start_fight(table, "Joker 2♠ K♦")

        assert offered(table)[:2] == ["Who goes first?", "Who goes last?"]

    @pytest.mark.rule("PMM-INI-06")
    def test_the_cards_make_the_order(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠ 4♠")

        assert "whole encounter" in table.refused("Cleo", "encounter.delay").what
        assert "The cards" in table.refused("GM", "encounter.order", characters=("Ash",)).what

    def test_a_combatant_placed_by_a_joker_may_leave(self, table: GameTable) -> None:
        start_fight(table, "Joker 2♠ K♦")
        table.do("Ash", "joker", place="first", who="Bram")
        table.do("Bram", "encounter.leave")

        assert table.encounter().first is None
        assert order(table) == ["Ash", "Cleo"]
        assert table.encounter().acting.name == "Ash"
