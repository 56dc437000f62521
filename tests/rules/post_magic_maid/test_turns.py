"""Actions on one's turn."""

from typing import Any

import pytest

from bot.rules.kernel import Term
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.initiative import choices
from bot.rules.post_magic_maid.performance import action_penalty
from bot.rules.post_magic_maid.turns import turn_buttons
from tests.rules.offers import labels_of
from tests.rules.post_magic_maid.play import GameTable, cards, id_of, lay_table, order, sheet, start_fight


@pytest.fixture
def fight() -> GameTable:
    """Ash, then Bram."""
    table = lay_table()
    start_fight(table, "K♠ Q♠")
    return table


def total(table: GameTable, who: str, fall: str) -> Any:
    return table.do(who, "check", fall, first="Int", second="Dex").rolls[0]


@pytest.mark.rule("PMM-ACT-01")
class TestOneAction:
    def test_a_single_action_has_no_penalty(self, fight: GameTable) -> None:
        roll = total(fight, "Ash", "d20:5 d12:5")

        assert (roll.terms, roll.total, roll.outcome) == ((), 10, "10")

    def test_a_turn_may_end_without_an_action(self, fight: GameTable) -> None:
        done = fight.do("Ash", "encounter.next")

        assert done.rolls == ()
        assert done.notes == ()

    def test_the_message_of_a_turn_has_a_players_buttons_and_leaves_a_foes_to_the_board(
        self, table: GameTable
    ) -> None:
        start_fight(table, "K♠ Q♠ 2♠ 3♠ J♠")

        of_bram = table.do("Ash", "encounter.next").follow_ups
        of_the_ogre = table.do("Bram", "encounter.next").follow_ups

        assert [one.procedure for one in of_bram] == ["blitz", "act", "encounter.next"]
        assert of_the_ogre == ()
        assert {one.procedure for one in choices(table.scene)} >= {"act", "encounter.next"}

    def test_a_second_undeclared_action_is_refused(self, fight: GameTable) -> None:
        total(fight, "Ash", "d20:5 d12:5")

        assert fight.refused("Ash", "check", first="Int", second="Dex").what == (
            "Ash has no action left this round."
        )

    def test_an_assist_as_the_action_spends_the_turn(self, fight: GameTable) -> None:
        fight.do("Ash", "assist", "d20:5 d12:5", target="Bram", first="Int", second="Dex")

        assert fight.refused("Ash", "check", first="Int", second="Dex").what == (
            "Ash has no action left this round."
        )

    def test_an_action_out_of_turn_is_refused(self, fight: GameTable) -> None:
        assert fight.refused("Bram", "check", first="Int", second="Dex").sentences == (
            "It is Ash's turn, not Bram's.",
            "Out of turn you can assist, defend, roll in a contest, and answer a check the GM called for.",
        )

    def test_a_gm_may_have_somebody_act_out_of_turn(self, fight: GameTable) -> None:
        fight.do("GM Bram", "check", "d20:5 d12:5", first="Int", second="Dex")

        assert fight.seat("Bram").actions_used == 0

    def test_outside_the_encounter_actions_are_not_counted(self, fight: GameTable) -> None:
        for _ in range(2):
            assert total(fight, "Cleo", "d20:5 d12:5").terms == ()

    def test_a_requested_check_takes_no_action(self, fight: GameTable) -> None:
        fight.do("GM", "call", character="Bram", first="Int", second="Dex")

        fight.do("Bram", "answer", "d20:5 d12:5")

        assert fight.seat("Bram").actions_used == 0


@pytest.mark.rule("PMM-ACT-02")
class TestSeveralActions:
    @pytest.mark.parametrize(
        ("declared", "penalties"),
        [(1, [0]), (2, [5, 10]), (3, [5, 10, 15]), (4, [5, 10, 15, 20])],
    )
    def test_the_penalty_grows_by_five(self, declared: int, penalties: list[int]) -> None:
        assert [action_penalty(number, declared) for number in range(1, declared + 1)] == penalties

    def test_each_action_has_its_penalty_among_the_terms(self, fight: GameTable) -> None:
        declared = fight.do("Ash", "act", count=2)
        assert declared.notes == ("Their penalties: −5, −10.",)

        first = total(fight, "Ash", "d20:10 d12:8")
        second = total(fight, "Ash", "d20:10 d12:8")

        assert first.terms == (Term("action (1 of 2)", -5),)
        assert second.terms == (Term("action (2 of 2)", -10),)
        assert (second.total, second.outcome) == (8, "below 10")

    def test_an_action_that_was_not_declared_is_refused(self, fight: GameTable) -> None:
        fight.do("Ash", "act", count=2)
        for _ in range(2):
            total(fight, "Ash", "d20:10 d12:8")

        assert fight.refused("Ash", "check", first="Int", second="Dex").sentences[1:] == (
            "Declare several actions with /maid act before your first one.",
            "End the turn with /encounter next.",
        )

    def test_actions_are_declared_before_the_first_one(self, fight: GameTable) -> None:
        total(fight, "Ash", "d20:10 d12:8")

        assert fight.refused("Ash", "act", count=2).what == "Ash has already taken an action this turn."

    def test_actions_are_declared_on_your_own_turn_only(self, fight: GameTable) -> None:
        assert fight.refused("Bram", "act", count=2).what == "It is not Bram's turn."
        assert fight.refused("Cleo", "act", count=2).what == "It is not Cleo's turn."

    def test_unused_actions_are_dropped_with_the_turn(self, fight: GameTable) -> None:
        fight.do("Ash", "act", count=3)
        total(fight, "Ash", "d20:10 d12:8")
        fight.do("Ash", "encounter.next")

        assert fight.refused("Ash", "assist", target="Bram", first="Int", second="Dex").what == (
            "Ash has no action left this round."
        )

    def test_a_menu_offers_two_to_four_with_their_penalties(self, fight: GameTable) -> None:
        assert fight.last is not None
        menu = next(button for button in fight.last.follow_ups if button.procedure == "act")

        assert [(choice.label, choice.note) for choice in menu.choices] == [
            ("2 actions", "−5, −10"),
            ("3 actions", "−5, −10, −15"),
            ("4 actions", "−5, −10, −15, −20"),
        ]
        assert fight.press("Ash", menu, choose="3").headline == "declares 3 actions this turn"

    def test_a_declaration_can_go_back_to_one_action(self, fight: GameTable) -> None:
        fight.do("Ash", "act", count=3)

        assert fight.do("Ash", "act", count=1).headline == "takes one action this turn"
        assert total(fight, "Ash", "d20:10 d12:8").terms == ()


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

        assert begun.headline == "starts a fight"
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
        assert offered(table)[2:] == ["Blitz (3 left) · ace 44%", "Several actions …", "End turn"]
        table.do("Bram", "act", count=2)
        assert offered(table)[0] == "Attack blunt: Int + Dex · action 1 of 2, −5 …"
        assert facts(table)["Bram"] == ("3♠", "2 actions left")
        for _ in range(2):
            table.do("Bram", "check", "d6:1 d12:1", first="Str", second="Dex")

        assert offered(table) == ["End turn"]
        assert facts(table)["Bram"] == ("3♠", "no action left")

    def test_choosing_from_the_menu_attacks_that_target(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")
        attack = choices(table.scene)[0]
        assert [choice.label for choice in attack.choices] == ["Ash"]
        table.do("Bram", attack.procedure, "d20:12 d12:3", **attack.options.model_dump())

        assert table.wounds("Ash", "blunt") == "0/1/0/0"

    def test_foes_who_can_act_come_first_in_the_menu(self, table: GameTable) -> None:
        start_fight(table, "2♠ 9♠ 4♠ 5♠ 6♠ 7♠")
        table.wound("Wolf", "blunt", "0/0/0/1")

        attack = choices(table.scene)[0]
        assert [choice.label for choice in attack.choices][:3] == ["Ogre", "Wolf", "Dara"]

    @pytest.mark.rule("PMM-INI-03")
    def test_a_jokers_holder_chooses_places_from_the_board(self, table: GameTable) -> None:
        start_fight(table, "Joker 2♠ K♦")

        assert offered(table)[:2] == ["Who goes first?", "Who goes last?"]

    @pytest.mark.rule("PMM-INI-06")
    def test_the_cards_make_the_order(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠ 4♠")

        assert "whole fight" in table.refused("Cleo", "encounter.delay").what
        assert "The cards" in table.refused("GM", "encounter.order", characters=("Ash",)).what

    def test_a_combatant_placed_by_a_joker_may_leave(self, table: GameTable) -> None:
        start_fight(table, "Joker 2♠ K♦")
        table.do("Ash", "joker", place="first", who="Bram")
        table.do("Bram", "encounter.leave")

        assert table.encounter().first is None
        assert order(table) == ["Ash", "Cleo"]
        assert table.encounter().acting.name == "Ash"


@pytest.mark.rule("PMM-ACT-02")
def test_actions_are_declared_once_before_the_first_roll(table: GameTable) -> None:
    start_fight(table, "K♠ 5♠")
    before = [one.procedure for one in turn_buttons(table.scene, id_of("Ash"))]
    table.do("Ash", "act", count=2)
    after = [one.procedure for one in turn_buttons(table.scene, id_of("Ash"))]
    assert (before, after) == (["blitz", "act", "encounter.next"], ["blitz", "encounter.next"])


@pytest.mark.rule("PMM-WND-05")
@pytest.mark.parametrize(
    ("blunt", "is_dead", "down"),
    [
        ("0/0/0/0", False, False),
        ("4/3/3/0", False, False),
        ("0/0/0/1", False, True),
        ("0/0/0/0", True, True),
    ],
)
def test_the_unconscious_and_the_dead_are_down(blunt: str, is_dead: bool, down: bool) -> None:
    table = lay_table(sheets={"Ash": sheet().model_copy(update={"is_dead": is_dead})})
    table.wound("Ash", "blunt", blunt)

    assert RULESET.is_down(table.named("Ash"), table.scene.settings) is down


@pytest.mark.rule("PMM-HEAL-02")
def test_only_the_healer_chooses_the_wound(table: GameTable) -> None:
    table.wound("Cleo", "rending", "0/1/1/0")
    table.do("Ash", "treat", "d20:19 d12:8", target="Cleo")

    found = {name: labels_of(RULESET, table.scene, id_of(name)) for name in ("Ash", "Bram")}
    assert ["Treat which wound?" in labels for labels in found.values()] == [True, False]
