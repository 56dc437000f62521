"""Dice as emojis in what is sent, and as text where there are none."""

from collections.abc import Iterator

import pytest

from bot.rules.kernel import Die
from bot.ui.input.dice_emojis import blocks_with_emojis, set_emojis, with_emojis
from bot.ui.text.duel_text import die_text
from bot.ui.text.emoji_pictures import DieEmoji, die_emojis, emoji_picture
from bot.ui.text.reply import Block, Button, ButtonBeside, Divider
from bot.ui.text.text import escape

LONGEST = 4000
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def emojis() -> Iterator[None]:
    """Every emoji, as if each had the id 7."""
    set_emojis({one.name: 7 for one in die_emojis()})
    yield
    set_emojis({})


@pytest.mark.usefixtures("emojis")
class TestDrawn:
    @pytest.mark.parametrize(
        ("die", "shown"),
        [
            (Die(sides=6, face=4), "<:tk_d6_4:7>"),
            (Die(sides=6, face=2, is_kept=False), "<:tk_d6_2_dropped:7>"),
            (Die(sides=20, face=17, label="Dex"), "Dex <:tk_d20_17:7>"),
            (Die(sides=6, face=3, is_borrowed=True), "*borrowed* <:tk_d6_3:7>"),
            (Die(sides=8, face=5, is_kept=False), "~~d8 **5**~~"),
            (  # F-SMALL-23: a magic 1 stayed text
                Die(sides=6, face=1, label="magic", is_kept=False, is_borrowed=True),
                "*magic* <:tk_d6_1_dropped:7>",
            ),
            (Die(sides=100, face=55), "d100 **55**"),
            (Die(sides=8, face=9), "d8 **9**"),
            (Die(sides=52, face=1, shown="A♠"), "A♠"),
        ],
    )
    def test_f_all_29_a_die_is_its_emoji_where_there_is_one(self, die: Die, shown: str) -> None:
        assert with_emojis(die_text(die), LONGEST) == shown

    def test_text_around_dice_stays_as_it_is(self) -> None:
        text = "**Ondra**: ⚂ ~~⚁~~ 3 + Dex d20 **17** = **20** · ~~was ⚀ d4 **1**~~ · Int: d6 and d20 +2"

        assert with_emojis(text, LONGEST) == (
            "**Ondra**: <:tk_d6_3:7> <:tk_d6_2_dropped:7> 3 + Dex <:tk_d20_17:7> = **20** · "
            "~~was ⚀ d4 **1**~~ · Int: d6 and d20 +2"
        )

    def test_what_people_write_never_becomes_a_numbered_die(self) -> None:
        text = escape("my d20 **17** and ~~d8~~")

        assert with_emojis(text, LONGEST) == text

    def test_where_emojis_would_make_it_too_long_dice_stay_text(self) -> None:
        assert with_emojis("⚂" * 20, 100) == "⚂" * 20
        assert blocks_with_emojis(["⚂" * 5, "⚂" * 5], 100) == ["⚂" * 5, "⚂" * 5]

    def test_every_text_of_a_board_is_drawn_and_nothing_else_of_it(self) -> None:
        button = Button(id="a:1:", label="⚂")
        blocks: list[Block] = ["⚂", Divider(), ButtonBeside("⚁", button), (button,)]

        assert blocks_with_emojis(blocks, LONGEST) == [
            "<:tk_d6_3:7>",
            Divider(),
            ButtonBeside("<:tk_d6_2:7>", button),
            (button,),
        ]


def test_without_emojis_dice_are_text() -> None:
    assert with_emojis("⚂ Dex d20 **17**", LONGEST) == "⚂ Dex d20 **17**"
    assert blocks_with_emojis(["⚂"], LONGEST) == ["⚂"]


def test_names_are_different_and_as_discord_takes_them() -> None:
    names = [one.name for one in die_emojis()]

    assert len(names) == len(set(names)) == 66
    assert all(2 <= len(name) <= 32 and name.isidentifier() for name in names)


@pytest.mark.parametrize(
    "emoji", [DieEmoji(4, 4), DieEmoji(6, 6), DieEmoji(6, 1, True), DieEmoji(12, 12), DieEmoji(20, 20)]
)
def test_each_kind_of_die_is_a_small_picture_of_its_own(emoji: DieEmoji) -> None:
    picture = emoji_picture(emoji)

    assert picture.startswith(PNG)
    assert len(picture) < 256 * 1024
    assert picture != emoji_picture(DieEmoji(emoji.sides, 1, not emoji.is_dropped))
