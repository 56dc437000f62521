"""Resting together, played under Project Swim Class: hours are shared, and pass once."""

import pytest
from msgspec.structs import replace

from bot.rules.kernel import FollowUp, View
from bot.rules.shared.resting import REST_PROMPTS
from tests.rules.swim_class.play import GameTable, lay_table, sheet, words

HOUR = 3600


def wounded() -> GameTable:
    """Ash (physical 2 of 4, two scratches), Bram (mental 0 of 1), and Cleo, who is whole."""
    table = lay_table(Ash=sheet({"physical_defense": 4, "composure": 2}))
    table.set("Ash", "physical_wounds", 2)
    table.set("Ash", "scratches", 2)
    table.set("Bram", "mental_wounds", 1)
    return table


@pytest.fixture
def table() -> GameTable:
    """Ash is about to rest for 3 hours."""
    laid = lay_table()
    laid.do("Ash", "rest", hours=3)
    return laid


def shown(table: GameTable) -> View:
    """The open rest as everybody sees it."""
    key = next(key for key in table.scene.documents if key.startswith("rest/"))
    kept = table.scene.document(key)
    assert kept is not None
    return REST_PROMPTS["rest"].view(kept, table.scene)


def refused(table: GameTable, who: str, pressed: FollowUp) -> str:
    return table.why(who, pressed.procedure, **pressed.options.model_dump())


def button(table: GameTable, label: str) -> FollowUp:
    return next(one for one in shown(table).follow_ups if one.label.startswith(label))


@pytest.mark.rule("SWIM-REST-03")
class TestSharedRest:
    """F-SWIM-04"""

    def test_others_join_an_open_rest_and_the_clock_moves_once(self) -> None:
        table = wounded()
        opened = table.do("Ash", "rest", hours=2)
        assert opened.headline == "is about to rest for 2 hours"
        assert table.scene.clock == 0
        assert [one.label for one in shown(table).follow_ups] == [
            "Rest too",
            "Rest now: 2 hours pass",
            "Stay awake",
            "Call it off (GM)",
        ]

        table.press("Bram", button(table, "Rest too"))
        assert shown(table).lines[:1] == ("Resting: Ash, Bram",)
        # Ash: 2 dice of Composure, then 4 of Physical Defense twice; Bram: 1 of Mental Defense
        done = table.press("Ash", button(table, "Rest now"), "1 2  6 1 1 1  6 2 2 2  6")
        assert table.scene.clock == 2 * HOUR
        assert (done.headline, words(done)) == ("rests for 2 hours with Bram", "2 hours pass")
        assert (table.points("Ash", "physical_wounds"), table.points("Ash", "scratches")) == (0, 0)
        assert table.points("Bram", "mental_wounds") == 0

    def test_a_rest_command_during_an_open_rest_joins_with_its_own_hours(self) -> None:
        table = wounded()
        table.do("Ash", "rest", hours=8)
        joined = table.do("Cleo", "rest", hours=2)

        assert joined.headline == "joins the rest of Ash, for 2 hours"
        assert shown(table).lines[:1] == ("Resting: Ash (8 h), Cleo (2 h)",)
        assert button(table, "Rest now").label == "Rest now: 8 hours pass"

    def test_the_longest_rest_moves_the_clock(self) -> None:
        table = lay_table()
        table.do("Ash", "rest", hours=2)
        table.do("Bram", "rest", hours=6)
        table.press("Bram", button(table, "Rest now"))

        assert table.scene.clock == 6 * HOUR

    def test_a_rest_with_the_option_now_is_carried_out_at_once(self) -> None:
        table = lay_table()
        done = table.do("Ash", "rest", hours=3, now=True)

        assert (done.headline, table.scene.clock) == ("rests for 3 hours", 3 * HOUR)

    def test_only_someone_resting_or_a_gm_starts_the_rest(self, table: GameTable) -> None:
        go = button(table, "Rest now")

        assert refused(table, "Cleo", go) == ("Only someone resting or a GM can start it.")
        assert table.press("GM", go).headline == "lets Ash rest for 3 hours"

    def test_a_rest_is_carried_out_only_once(self, table: GameTable) -> None:
        go = button(table, "Rest now")
        table.press("Ash", go)

        assert refused(table, "Ash", go) == "That rest is already over."
        assert table.scene.clock == 3 * HOUR
        assert shown(table).verdict is not None
        assert shown(table).follow_ups == ()

    def test_a_resting_character_may_decide_to_stay_awake(self, table: GameTable) -> None:
        table.press("Bram", button(table, "Rest too"))
        table.press("Ash", button(table, "Stay awake"))

        assert shown(table).lines[:1] == ("Resting: Bram",)
        table.press("Bram", button(table, "Stay awake"))
        assert [one.label for one in shown(table).follow_ups] == [
            "Rest too",
            "Stay awake",
            "Call it off (GM)",
        ]
        stay = button(table, "Stay awake")
        assert refused(table, "Ash", stay) == ("Ash isn't resting with them.")

    def test_nobody_joins_a_rest_twice(self, table: GameTable) -> None:
        join = button(table, "Rest too")

        assert refused(table, "Ash", join) == ("Ash is already resting with them.")

    def test_a_gm_can_call_off_a_rest(self, table: GameTable) -> None:
        off = button(table, "Call it off")
        table.press("GM", off)

        assert shown(table).follow_ups == ()
        assert table.scene.clock == 0
        assert table.do("Bram", "rest", hours=2).gathering != ""

    def test_a_character_who_can_no_longer_rest_does_not_stop_the_others(self, table: GameTable) -> None:
        table.press("Bram", button(table, "Rest too"))
        table.change("Bram", is_dead=True)
        done = table.press("Ash", button(table, "Rest now"))

        assert done.headline == "rests for 3 hours"
        assert "Bram doesn't rest: Bram is dead." in done.notes

    def test_no_time_passes_where_nobody_can_rest(self, table: GameTable) -> None:
        table.change("Ash", is_dead=True)
        go = button(table, "Rest now")

        assert refused(table, "Ash", go) == "None of them can rest."

    def test_a_hidden_character_cannot_join_a_rest_in_public(self, table: GameTable) -> None:
        hide(table, "Orc")

        assert table.why("GM Orc", "rest", hours=3) == ("Everyone sees who joins a rest, and Orc is hidden.")


def hide(table: GameTable, name: str) -> None:
    table.scene = table.scene.with_character(replace(table.named(name), is_hidden=True))


@pytest.mark.rule("SWIM-REST-03")
class TestLateRest:
    """F-SWIM-04: who rests right after others is asked whether these are the same hours."""

    def test_a_late_rest_over_the_same_hours_passes_no_time(self) -> None:
        table = wounded()
        table.do("Ash", "rest", "1 2  6 1 1 1  6 2 2 2", hours=2, now=True)
        asked = table.do("Bram", "rest", hours=2)
        assert (asked.headline, asked.gathering) == ("rests for 2 hours: which hours?", "")
        assert asked.notes == ("Just now Ash rested for 2 hours.",)
        assert [one.label for one in asked.follow_ups] == [
            "The same 2 hours: no extra time passes",
            "2 hours more",
        ]

        done = table.press("Bram", asked.follow_ups[0], "3 6")
        assert (done.headline, words(done)) == ("rested for 2 hours with Ash", "the same hours")
        assert (table.scene.clock, table.points("Bram", "mental_wounds")) == (2 * HOUR, 0)

    def test_a_late_rest_over_more_hours_is_a_rest_of_its_own(self) -> None:
        table = lay_table()
        table.do("Ash", "rest", hours=2, now=True)
        asked = table.do("Bram", "rest", hours=3)
        opened = table.press("Bram", asked.follow_ups[1])

        assert opened.gathering != ""
        assert table.scene.clock == 2 * HOUR

    def test_a_button_lets_others_join_a_finished_rest(self) -> None:
        table = lay_table()
        done = table.do("Ash", "rest", hours=2, now=True)
        late = done.follow_ups[0]
        assert late.label == "I rested with them (2 hours)"

        table.press("Bram", late)
        assert table.scene.clock == 2 * HOUR
        assert refused(table, "Bram", late) == "Bram has already rested with them."
        assert refused(table, "Ash", late) == "Ash has already rested with them."

    def test_a_finished_rest_cannot_be_joined_once_time_has_passed(self) -> None:
        table = lay_table()
        late = table.do("Ash", "rest", hours=2, now=True).follow_ups[0]
        table.do("GM", "clock", minutes=1)

        assert refused(table, "Bram", late) == ("Game time has passed since then.")
        assert table.do("Bram", "rest", hours=2).gathering != ""

    def test_a_character_who_has_rested_may_go_on_resting(self) -> None:
        table = lay_table()
        table.do("Ash", "rest", hours=2, now=True)
        done = table.do("Ash", "rest", hours=2, now=True)

        assert (done.headline, table.scene.clock) == ("rests for 2 hours", 4 * HOUR)
        assert [one.label for one in done.follow_ups] == ["I rested with them (2 hours)"]

    def test_a_hidden_character_may_join_a_finished_rest_in_secret(self) -> None:
        table = lay_table()
        table.set("Orc", "physical_wounds", 1)
        late = table.do("Ash", "rest", hours=1, now=True).follow_ups[0]
        hide(table, "Orc")
        table.press("GM Orc", late, "6")

        assert (table.points("Orc", "physical_wounds"), table.scene.clock) == (0, HOUR)
        assert "Orc" not in str(table.scene.document("rest/1"))

    def test_only_a_gm_says_that_others_have_rested_too(self) -> None:
        table = lay_table()
        late = table.do("Ash", "rest", hours=1, now=True).follow_ups[0]

        assert table.why("Ash", late.procedure, rest="rest/1", who=("Bram",)) == (
            "Only a GM can let others rest."
        )


@pytest.mark.rule("SWIM-REST-03")
class TestPartyRest:
    """F-SWIM-04: the GM begins it for the party."""

    def test_the_gm_calls_a_rest_for_named_characters_and_others_join(self) -> None:
        table = lay_table()
        called = table.do("GM", "rest.call", hours=8, who=("Ash", "Bram"))
        assert called.headline == "calls for a rest of 8 hours"
        table.press("Cleo", button(table, "Rest too"))

        done = table.press("GM", button(table, "Rest now"))
        assert done.headline == "lets Ash, Bram, Cleo rest for 8 hours"
        assert table.scene.clock == 8 * HOUR

    def test_a_rest_called_without_names_is_for_whoever_joins(self) -> None:
        table = lay_table()
        table.do("GM", "rest.call", hours=8)
        assert shown(table).lines[:1] == ("Resting: nobody yet",)

        assert table.why("GM", "rest.call", hours=8) == "A rest of 8 hours is already open."

    def test_the_gm_lets_several_characters_rest_at_once(self) -> None:
        table = lay_table()
        table.do("GM", "rest.call", hours=8, who=("Ash", "Bram"), now=True)
        asked = table.do("GM", "rest.call", hours=8, who=("Cleo",), now=True)
        assert asked.headline == "lets Cleo rest for 8 hours: which hours?"

        done = table.press("GM", asked.follow_ups[0])
        assert done.headline == "says that Cleo rested for 8 hours with Ash, Bram"
        assert table.scene.clock == 8 * HOUR

    def test_the_gm_lets_others_rest_for_more_hours_afterwards(self) -> None:
        table = lay_table()
        table.do("GM", "rest.call", hours=8, who=("Ash",), now=True)
        asked = table.do("GM", "rest.call", hours=2, who=("Cleo",), now=True)
        table.press("GM", asked.follow_ups[1])

        assert table.scene.clock == 10 * HOUR

    def test_a_rest_lasts_at_most_24_hours(self) -> None:
        assert lay_table().why("GM", "rest.call", hours=25) == "A rest can last at most 24 hours."
        assert lay_table().do("GM", "rest.call", hours=24).gathering != ""


class TestLimits:
    @pytest.mark.parametrize(
        ("who", "hidden", "asks", "why"),
        [
            ("Cleo", False, True, "a fight that everybody sees"),
            ("Cleo", True, False, "a fight only the GM knows of, which no question may tell"),
            ("GM Beast", True, True, "the GM knows of it"),
        ],
    )
    def test_a_rest_beside_a_fight_is_asked_about_once(
        self, who: str, hidden: bool, asks: bool, why: str
    ) -> None:
        table = lay_table()
        table.do("GM", "encounter.start")
        table.do("GM", "encounter.add", characters=("Ash", "Orc"), hidden=hidden)
        asked = table.do(who, "rest", hours=2)
        assert asked.headline.endswith("during a fight") is asks, why
        if asks:
            assert (asked.is_public, table.scene.clock) == (False, 0)
            opened = table.press(who, asked.follow_ups[0])
            assert opened.headline == "is about to rest for 2 hours"

        table.press(who, button(table, "Rest now"))

        assert table.scene.clock == 2 * HOUR

    @pytest.mark.parametrize(("dice", "is_brief"), [(12, False), (13, True)])
    def test_more_dice_than_a_message_shows_are_left_to_the_details(self, dice: int, is_brief: bool) -> None:
        table = lay_table(Ash=sheet({"physical_defense": dice}))
        table.set("Ash", "physical_wounds", 1)

        done = table.do("Ash", "rest", "6 " + "1 " * (dice - 1), hours=1, now=True)

        assert done.is_brief is is_brief

    def test_a_hidden_character_rests_without_a_word_to_the_others(self) -> None:
        table = lay_table()
        hide(table, "Orc")

        assert table.do("GM Orc", "rest", hours=1, now=True).follow_ups == ()

    def test_nobody_has_rested_with_those_who_have_not_rested_yet(self) -> None:
        table = lay_table()
        table.do("Ash", "rest", hours=1)

        for key in ("rest/1", "rest/99"):
            assert table.why("Bram", "rest.late", rest=key) == "That rest is already over."
