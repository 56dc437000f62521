"""Until when a Lucky Break can still change a roll."""

import pytest

from bot.rules.kernel import SESSION_ENDED, CharacterId, Deadline, LaterEntry
from bot.rules.rpj.character.lucky_breaks import CLOSED, FIRST_TURN, RpjClosing, closing, window_of

UG, ORC, WOLF = CharacterId(1), CharacterId(2), CharacterId(3)
SAVE = window_of(UG)
INITIATIVE = window_of(UG, is_initiative=True)


def at(*who: CharacterId) -> frozenset[CharacterId]:
    return frozenset(who)


@pytest.mark.rule("RPJ-LUCK-03")
class TestRollDeadlines:
    @pytest.mark.parametrize(
        ("window", "happening", "why"),
        [
            pytest.param(
                SAVE,
                LaterEntry(by=ORC, against=at(UG)),
                RpjClosing.PLAYED_ON,
                id="a second hit on the same one",
            ),
            pytest.param(SAVE, LaterEntry(by=ORC, against=at(WOLF)), None, id="a hit on another one"),
            pytest.param(SAVE, LaterEntry(by=UG), RpjClosing.PLAYED_ON, id="the roll against bleeding out"),
            pytest.param(SAVE, LaterEntry(by=ORC), None, id="another one's own action"),
            pytest.param(
                window_of(ORC, UG),
                LaterEntry(by=UG),
                RpjClosing.PLAYED_ON,
                id="the main check after an assist",
            ),
            pytest.param(SAVE, LaterEntry(by=ORC, is_use=True), RpjClosing.USED, id="what rests on it"),
            pytest.param(SAVE, LaterEntry(is_end_of_countdown=True), RpjClosing.RESOLVED, id="its countdown"),
            pytest.param(INITIATIVE, LaterEntry(moments=(FIRST_TURN,)), RpjClosing.TURN, id="the first turn"),
            pytest.param(SAVE, LaterEntry(moments=(FIRST_TURN,)), None, id="which closes initiative only"),
            pytest.param(SAVE, LaterEntry(moments=(CLOSED,)), RpjClosing.GM, id="the GM closes all"),
            pytest.param(
                SAVE, LaterEntry(moments=(CLOSED,), against=at(UG)), RpjClosing.GM, id="or this one's"
            ),
            pytest.param(SAVE, LaterEntry(moments=(CLOSED,), against=at(ORC)), None, id="or another one's"),
            pytest.param(
                SAVE, LaterEntry(procedure="encounter.end"), RpjClosing.ENDED, id="the fight is over"
            ),
            pytest.param(
                SAVE, LaterEntry(moments=(SESSION_ENDED,)), RpjClosing.ENDED, id="the session is over"
            ),
            pytest.param(
                SAVE, LaterEntry(procedure="restore_break", against=at(UG)), None, id="a note on the sheet"
            ),
        ],
    )
    def test_a_rolls_deadline_expires_once_play_goes_on_from_the_result(
        self, window: Deadline, happening: LaterEntry, why: RpjClosing | None
    ) -> None:
        assert closing(window, happening) is why
