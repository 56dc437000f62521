"""Buttons, menus and forms: their ids say what they do, and whatever comes in gets a sentence."""

from collections.abc import Iterator
from typing import Any

import discord
import pytest

from bot.rules.kernel import Die
from bot.rules.kernel.errors import UserError
from bot.ui.input.dice_emojis import DieEmoji, blocks_with_emojis, die_emojis, emoji_picture, set_emojis
from bot.ui.input.presses import OutOfDate, Press, Presses, press_id
from bot.ui.text.reply import Block, Button, ButtonBeside, Divider
from bot.ui.text.roll_text import die_text, escape
from tests.cogs.desk import Desk
from tests.table.conftest import Person

OUT_OF_DATE = "This button is from an older version of the bot. Use the command again."


class TestIds:
    def test_an_id_contains_its_kind_version_and_arguments(self) -> None:
        assert press_id("draft", 3, "pick", "brawn") == "draft:1:3:pick:brawn"

    def test_a_missing_argument_makes_the_press_out_of_date(self) -> None:
        with pytest.raises(OutOfDate):
            Press("draft", ("3",)).argument(1)

    @pytest.mark.parametrize("written", ["", "x", "-1", "1.5", "٣", "²", "9" * 19, "1" * 90, " 1"])
    def test_an_argument_that_is_not_a_number_makes_the_press_out_of_date(self, written: str) -> None:
        with pytest.raises(OutOfDate):
            Press("do", (written,)).number()

    def test_the_largest_discord_id_is_accepted_as_a_number(self) -> None:
        assert Press("do", ("9223372036854775807",)).number() == 2**63 - 1

    def test_a_press_without_a_choice_is_out_of_date_where_one_is_needed(self) -> None:
        with pytest.raises(OutOfDate):
            Press("log", ("0",)).chosen()

    def test_an_empty_menu_of_a_form_is_nothing_chosen(self) -> None:
        press = Press("desk", ("time",), choices={"unit": (), "who": ("Ada", "Bo")})

        assert [press.choice(key) for key in ("unit", "who", "when")] == ["", "Ada", ""]


class TestKinds:
    def test_a_second_handler_for_one_kind_raises_an_error(self) -> None:
        async def handle(_interaction: Any, _press: Press) -> None: ...

        presses = Presses()
        presses.add("do", handle)

        with pytest.raises(ValueError, match="handled already"):
            presses.add("do", handle)


class TestWhateverIsPressed:
    @pytest.mark.parametrize(
        "custom_id",
        [
            "do:1:",
            "do:1:x",
            "do:1:99999999999999999999",
            "do:2:1",
            "do:99999999999999:1",
            "nothing:1:1",
            "draft:1:1",
            "draft:1:1:hack",
            "draft:1:1:turn",
            "undogm:1:1",
            "sheet:1:1",
            "who:1:x",
            "no id of ours",
            "",
        ],
    )
    async def test_a_button_with_a_garbage_id_is_out_of_date(
        self, desk: Desk, gm: Person, custom_id: str
    ) -> None:
        (sent,) = await desk.press(gm, custom_id)

        assert sent.is_private
        assert sent.text == OUT_OF_DATE

    async def test_a_menu_with_a_garbage_id_is_out_of_date(self, desk: Desk, gm: Person) -> None:
        assert [sent.text for sent in await desk.choose(gm, "s:what:1:1", "x")] == [OUT_OF_DATE]

    async def test_a_form_with_a_garbage_id_is_out_of_date(self, desk: Desk, gm: Person) -> None:
        assert [sent.text for sent in await desk.fill(gm, "what:7", name="x")] == [OUT_OF_DATE]

    async def test_a_bug_in_a_press_handler_is_answered(self, desk: Desk, gm: Person) -> None:
        async def fail(_interaction: Any, _press: Press) -> None:
            raise RuntimeError("the dice rolled under the table")

        desk.bot.presses.add("fail", fail)

        (sent,) = await desk.press(gm, press_id("fail"))

        assert sent.text.startswith("Something went wrong on my side.")

    async def test_a_form_hands_over_texts_choices_and_files(self, desk: Desk, gm: Person) -> None:
        filled: list[Press] = []

        async def note(interaction: Any, press: Press) -> None:
            filled.append(press)
            await interaction.response.send_message("Thanks")

        data: Any = {"id": "9", "filename": "ada.png", "size": 3, "url": "cdn:9", "proxy_url": "cdn:9"}
        desk.wire.files["cdn:9"] = b"png"
        portrait = discord.Attachment(data=data, state=desk.bot._connection)
        desk.bot.presses.add("note", note)

        await desk.fill(gm, press_id("note", 7), name="Ada", colours=("r", "b"), wishes=(), portrait=portrait)
        await desk.fill(gm, press_id("note"), mood={"type": 21, "value": "glad"})
        await desk.fill(gm, press_id("note"), mood={"type": 21, "value": None})

        await desk.fill(gm, press_id("note", 7) + "~0a1b2c3d", name="Bo")

        press, glad, indifferent, opened_again = filled
        assert (press.arguments, press.fields) == (("7",), {"name": "Ada"})
        assert press.choices == {"colours": ("r", "b"), "wishes": ()}
        (file,) = press.files["portrait"]
        assert (file.filename, await file.read()) == ("ada.png", b"png")
        assert (opened_again.arguments, opened_again.fields) == (("7",), {"name": "Bo"})
        assert (glad.choices, indifferent.choices) == ({"mood": ("glad",)}, {"mood": ()})

    async def test_a_user_error_in_a_form_is_answered(self, desk: Desk, gm: Person) -> None:
        async def refuse(_interaction: Any, press: Press) -> None:
            raise UserError(f"Not {press.fields['name']}.")

        desk.bot.presses.add("refuse", refuse)

        assert [sent.text for sent in await desk.fill(gm, press_id("refuse"), name="*x*")] == [r"Not \*x\*."]


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
        assert blocks_with_emojis([die_text(die)], LONGEST) == [shown]

    def test_text_around_dice_stays_as_it_is(self) -> None:
        text = "**Ondra**: ⚂ ~~⚁~~ 3 + Dex d20 **17** = **20** · ~~was ⚀ d4 **1**~~ · Int: d6 and d20 +2"

        assert blocks_with_emojis([text], LONGEST) == [
            "**Ondra**: <:tk_d6_3:7> <:tk_d6_2_dropped:7> 3 + Dex <:tk_d20_17:7> = **20** · "
            "~~was ⚀ d4 **1**~~ · Int: d6 and d20 +2"
        ]

    def test_what_people_write_never_becomes_a_numbered_die(self) -> None:
        text = escape("my d20 **17** and ~~d8~~")

        assert blocks_with_emojis([text], LONGEST) == [text]

    def test_where_emojis_would_make_it_too_long_dice_stay_text(self) -> None:
        assert blocks_with_emojis(["⚂" * 20], 100) == ["⚂" * 20]
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
    assert blocks_with_emojis(["⚂ Dex d20 **17**"], LONGEST) == ["⚂ Dex d20 **17**"]
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
