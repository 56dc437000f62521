"""What everybody does in a fight, played under the ruleset whose order is nothing but agreed on."""

import pytest

from bot.rules.kernel import EncounterView
from bot.rules.kernel import tracker as keys
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import lay


@pytest.fixture
def table() -> GameTable:
    """Ash and Bram have gathered, and the Ogre with them."""
    laid = lay()
    laid.do("GM", keys.START, others=("Ash", "Bram", "Ogre"))
    return laid


def view(table: GameTable) -> EncounterView:
    tracker = table.game.tracker
    assert tracker is not None
    found = tracker.view(table.scene)
    assert found is not None
    return found


def order(table: GameTable) -> list[str]:
    """Everybody in their order; whoever is on stands in brackets."""
    return [f"[{line.name}]" if line.is_on else line.name for line in view(table).lines]


class TestGathering:
    def test_everybody_gathers_before_the_first_round(self, table: GameTable) -> None:
        assert (view(table).title, view(table).on) == ("Before round 1", "Waiting to start")
        assert order(table) == ["Ash", "Bram", "Ogre"]

    def test_a_channel_has_one_fight_at_a_time(self, table: GameTable) -> None:
        assert table.refused("Ash", keys.START).what == "There is already an encounter in this channel."

    def test_whoever_starts_takes_part_and_others_join(self) -> None:
        table = lay()
        table.do("Ash", keys.START)
        table.do("Bram", keys.JOIN)

        assert order(table) == ["Ash", "Bram"]
        assert table.refused("Bram", keys.JOIN).what == "Bram is already in the encounter."

    def test_a_player_cannot_bring_somebody_elses_character(self) -> None:
        table = lay()
        table.do("Ash", keys.START)

        assert table.refused("Ash", keys.JOIN, character="Bram").what == "Bram isn't your character."
        assert table.do("GM", keys.JOIN, character="Bram").headline == "brings Bram into the encounter"

    def test_a_fight_needs_at_least_two_combatants(self) -> None:
        table = lay()
        table.do("Ash", keys.START)

        assert table.refused("Ash", keys.NEXT).what == "Nobody else has joined yet."

    def test_a_player_who_does_not_take_part_cannot_begin_the_first_round(self) -> None:
        table = lay()
        table.do("GM", keys.START, others=("Ash", "Ogre"))

        table.refused("Bram", keys.NEXT)
        assert not view(table).has_begun
        table.do("Ash", keys.NEXT)
        assert view(table).has_begun

    def test_fight_commands_without_a_fight_are_refused(self) -> None:
        table = lay()

        for key in (keys.JOIN, keys.NEXT, keys.DELAY, keys.LEAVE):
            assert table.refused("Ash", key).what == "There is no encounter in this channel."
        assert table.game.tracker is not None
        assert table.game.tracker.view(table.scene) is None
        assert table.game.tracker.choices(table.scene) == ()


class TestTurns:
    def test_one_acts_after_the_other_and_then_a_new_round_begins(self, table: GameTable) -> None:
        table.do("Ash", keys.NEXT)
        assert order(table) == ["[Ash]", "Bram", "Ogre"]
        table.do("Ash", keys.NEXT)
        table.do("Bram", keys.NEXT)
        assert order(table) == ["Ash", "Bram", "[Ogre]"]
        table.do("GM", keys.NEXT)

        assert view(table).title == "Round 2"
        assert order(table) == ["[Ash]", "Bram", "Ogre"]

    def test_only_its_player_or_the_gm_ends_a_turn(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)

        refusal = table.refused("Bram", keys.NEXT)
        assert (refusal.what, refusal.allowed) == ("It is Ash's turn.", "Only its player or a GM can end it.")

    def test_a_button_ends_the_turn_it_was_made_for_and_no_other(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        assert table.game.tracker is not None
        button = table.game.tracker.choices(table.scene)[-1]
        assert button.label == "End the turn"
        table.press("Ash", button)

        refusal = table.refused("GM", keys.NEXT, **button.options.model_dump())
        assert (refusal.what, refusal.allowed) == ("That turn is already over.", "It is Bram's turn.")

    def test_a_latecomer_acts_last(self) -> None:
        table = lay()
        table.do("GM", keys.START, others=("Ash", "Ogre"))
        table.do("GM", keys.NEXT)
        table.do("Bram", keys.JOIN)

        assert order(table) == ["[Ash]", "Ogre", "Bram"]


class TestLater:
    def test_the_acting_combatant_can_delay_behind_the_next(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.DELAY)

        assert order(table) == ["[Bram]", "Ash", "Ogre"]

    def test_a_combatant_can_delay_behind_a_named_one(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.DELAY, after="Ogre")

        assert order(table) == ["[Bram]", "Ogre", "Ash"]

    def test_a_combatant_cannot_move_ahead_by_delaying(self, table: GameTable) -> None:
        assert (
            table.refused("Bram", keys.DELAY, after="Ash").what
            == "You can only delay to a later place in the order."
        )

    def test_the_turn_stays_when_the_gm_sets_the_order(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("GM", keys.ORDER, characters=("Ogre", "Bram"))

        assert order(table) == ["Ogre", "Bram", "[Ash]"]


class TestLeaving:
    def test_the_turn_passes_on_when_its_combatant_leaves(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.LEAVE)

        assert order(table) == ["[Bram]", "Ogre"]

    def test_the_turn_stays_when_somebody_else_leaves(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.LEAVE)

        assert order(table) == ["[Bram]", "Ogre"]

    def test_the_last_one_cannot_leave(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.LEAVE)
        table.do("Bram", keys.LEAVE)

        assert (
            table.refused("GM", keys.LEAVE, character="Ogre").what == "Nobody would be left in the encounter."
        )

    def test_ending_a_fight_removes_it(self, table: GameTable) -> None:
        ended = table.do("GM", keys.END)

        assert ended.headline == "ends the encounter before the first round"
        assert table.scene.document("encounter/7") is None


class TestHidden:
    def lay(self) -> GameTable:
        table = lay()
        table.do("GM", keys.START, others=("Ash", "Bram"))
        return table

    def test_a_hidden_combatant_has_no_turn_and_is_shown_to_the_gm_alone(self) -> None:
        table = self.lay()
        added = table.do("GM", keys.ADD, characters=("Ogre",), hidden=True)
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.NEXT)
        table.do("Bram", keys.NEXT)

        assert not added.is_public
        assert order(table) == ["[Ash]", "Bram"]
        assert [line.name for line in view(table).hidden] == ["Ogre"]
        assert "Ogre" not in str(view(table).lines)

    def test_a_revealed_combatant_is_visible_to_everybody(self) -> None:
        table = self.lay()
        table.do("GM", keys.ADD, characters=("Ogre",), hidden=True)
        table.do("GM", keys.NEXT)
        revealed = table.do("GM", keys.REVEAL, character="Ogre")

        assert revealed.is_public
        assert order(table) == ["[Ash]", "Bram", "Ogre"]
        assert view(table).hidden == ()
        assert (
            table.refused("GM", keys.REVEAL, character="Ogre").what == "Ogre isn't hidden in this encounter."
        )

    def test_a_hidden_combatant_leaves_unseen(self) -> None:
        table = self.lay()
        table.do("GM", keys.ADD, characters=("Ogre",), hidden=True)
        left = table.do("GM", keys.LEAVE, character="Ogre")

        assert not left.is_public
        assert view(table).hidden == ()

    def test_a_combatant_cannot_be_added_twice(self) -> None:
        table = self.lay()

        assert table.refused("GM", keys.ADD, characters=("Ash",)).what == "Ash is already in the encounter."
