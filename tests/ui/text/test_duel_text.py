"""Dice against dice: each attack die beside what stopped it."""

import io
import json

from PIL import Image

from bot.rules.kernel import Die, OpposingDie
from bot.table.base.stored_rolls import roll_from_json, roll_to_json
from bot.ui.replies.result_replies import result_reply
from bot.ui.text.duel_text import DIE, EDGE, ROW, WORDS, duel_picture, duel_text
from bot.ui.text.paper import SCALE
from tests.ui.results import a_result, a_roll

FIVE = Die(sides=6, face=5, shown="⚄→7")
FOUR, SIX = Die(sides=6, face=4), Die(sides=6, face=6)
SPARE = Die(sides=6, face=2, is_kept=False)
IMPLICIT = Die(sides=1, face=1, shown="(3)")
ROLL = a_roll(
    SIX,
    SPARE,
    facing=(
        OpposingDie(FIVE, 7),
        OpposingDie(FOUR, 4, SIX, 6),
        OpposingDie(Die(sides=6, face=3), 3, IMPLICIT, 3),
    ),
)


def test_dice_that_got_through_come_first_and_stopped_ones_are_struck_through_beside_their_stopper() -> None:
    assert duel_text(ROLL) == ("Through: **⚄→7**\n" + r"Stopped: ~~⚃~~ ⚅ · ~~⚂~~ \(3\) · unused: ⚁")


def test_a_fully_stopped_attack_mentions_no_dice_that_got_through() -> None:
    assert duel_text(a_roll(SIX, facing=(OpposingDie(FOUR, 4, SIX, 6),))) == "Stopped: ~~⚃~~ ⚅"
    assert duel_text(a_roll(facing=(OpposingDie(FOUR, 4),))) == "Through: **⚃**"


def test_a_duel_has_a_text_and_a_picture_with_an_alt_text() -> None:
    reply = result_reply(a_result(rolls=(ROLL,)))

    assert "Stopped: ~~⚃~~ ⚅" in reply.text
    assert [(one.name, one.alt) for one in reply.files] == [
        (
            "dice.png",
            "Attack dice above, defense dice below: 7 got through; 6 stops 4, 3 stops 3; 2 unused.",
        )
    ]
    assert result_reply(a_result(rolls=(a_roll(SIX),))).files == ()
    two = result_reply(a_result(rolls=(ROLL, ROLL))).files
    assert [one.name for one in two] == ["dice.png", "dice-2.png"]
    assert result_reply(a_result(rolls=(ROLL,), is_undone=True)).files == ()


def test_the_picture_fits_a_phone_and_is_small() -> None:
    many = a_roll(facing=tuple(OpposingDie(FOUR, 4, SIX, 6) for _ in range(12)))
    sketch = duel_picture(many)
    assert sketch is not None
    drawn = sketch.draw()

    assert Image.open(io.BytesIO(drawn)).width <= 2 * 370
    assert len(drawn) < 20_000
    assert duel_picture(a_roll(facing=many.facing * 4)) is None


def test_opposed_dice_are_stored_in_the_journal_and_read_back() -> None:
    kept = json.loads(json.dumps(roll_to_json("toy", ROLL)))

    assert roll_from_json(kept).facing == ROLL.facing
    assert "facing" not in roll_to_json("toy", a_roll(SIX))


class TestUnusedDice:
    """F-SWIM-22: an unused defence die shows what it came to, and no row repeats an empty attack."""

    BETTER = Die(sides=6, face=5, shown="⚄→8", value=8, is_kept=False)

    def test_the_counted_value_of_an_unused_die_is_drawn_and_written(self) -> None:
        plain = Die(sides=6, face=5, is_kept=False)
        better, bare = (
            duel_picture(a_roll(SIX, die, facing=(OpposingDie(FOUR, 4, SIX, 6),)))
            for die in (self.BETTER, plain)
        )

        assert better is not None
        assert bare is not None
        assert (better.alt[-9:], bare.alt[-9:]) == ("8 unused.", "5 unused.")
        assert better.draw() != bare.draw()

    def test_a_row_without_attack_dice_does_not_mention_them(self) -> None:
        sketch = duel_picture(a_roll(*[self.BETTER] * 9, facing=(OpposingDie(FOUR, 4, SIX, 6),)))
        assert sketch is not None
        image = Image.open(io.BytesIO(sketch.draw())).convert("RGB")

        first, second = (
            image.crop((0, top * SCALE, (EDGE + WORDS - 4) * SCALE, (top + 14 + DIE) * SCALE))
            for top in (EDGE, EDGE + ROW)
        )

        assert len(first.getcolors(1000) or ()) > 1
        assert len(second.getcolors(1000) or ()) == 1

    def test_the_value_survives_the_journal(self) -> None:
        kept = json.loads(json.dumps(roll_to_json("toy", a_roll(self.BETTER))))

        assert roll_from_json(kept).dice == (self.BETTER,)
