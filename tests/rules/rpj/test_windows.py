"""Until when a Lucky Break can still change a roll."""

import pytest

from bot.rules.mistakes import Mistake
from bot.rules.rpj.windows import (
    Closing,
    CountdownEnded,
    Event,
    Moment,
    Played,
    Window,
    after,
    closed_by_gm,
)
from bot.rules.ruleset import CharacterId

UG, ORC, WOLF = CharacterId(1), CharacterId(2), CharacterId(3)
SAVE = Window(roll="save", concerns=(UG,))


class TestWindows:
    @pytest.mark.parametrize(
        ("window", "event", "closing"),
        [
            pytest.param(SAVE, Played(by=ORC, against=UG), Closing.PLAYED_ON, id="a second hit"),
            pytest.param(SAVE, Played(by=ORC, against=WOLF), None, id="a hit on another one"),
            pytest.param(SAVE, Played(by=UG), Closing.PLAYED_ON, id="the roll against bleeding out"),
            pytest.param(SAVE, Played(by=ORC), None, id="another one's own action"),
            pytest.param(
                Window(roll="assist"), Played(by=UG, used="assist"), Closing.USED, id="the main check"
            ),
            pytest.param(Window(roll="assist"), Played(by=UG, used="other"), None, id="another check"),
            pytest.param(
                Window(roll="a", countdowns=("alarm",)),
                CountdownEnded("alarm"),
                Closing.RESOLVED,
                id="its countdown ends",
            ),
            pytest.param(Window(roll="a", countdowns=("alarm",)), CountdownEnded("flood"), None, id="other"),
            pytest.param(
                Window(roll="i", is_initiative=True), Moment.FIRST_TURN, Closing.TURN, id="the first turn"
            ),
            pytest.param(SAVE, Moment.FIRST_TURN, None, id="which closes initiative only"),
            pytest.param(SAVE, Moment.ENCOUNTER_ENDED, Closing.ENDED, id="the fight is over"),
            pytest.param(SAVE, Moment.SESSION_ENDED, Closing.ENDED, id="the session is over"),
        ],
    )
    def test_it_closes_when_play_goes_on_from_the_result(
        self, window: Window, event: Event, closing: Closing | None
    ) -> None:
        assert after(window, event).closed_by is closing

    def test_the_first_reason_stays(self) -> None:
        closed = after(SAVE, Played(by=UG))

        assert after(closed, Moment.SESSION_ENDED) == closed
        assert closed_by_gm(closed) == closed

    def test_the_gm_closes_it(self) -> None:
        assert closed_by_gm(SAVE).closed_by is Closing.GM

    def test_a_closed_one_says_why(self) -> None:
        SAVE.assert_open()

        with pytest.raises(Mistake) as refused:
            after(SAVE, Played(by=UG)).assert_open()

        assert refused.value.sentences == (
            "This roll stands: somebody it concerns has acted or rolled since.",
            "What is older is a matter for a flashback.",
        )
