"""`/privacy` as typed and pressed: F-ALL-28."""

import gzip
import json
from typing import Any, cast

import pytest
from msgspec.structs import replace

from bot.table.characters.personal_data import StoredAbout
from bot.table.journal import dice_stats
from bot.table.journal.dice_stats import GMS, DiceStats, PersonDice, Series
from bot.ui.input.presses import press_id
from bot.ui.text.charts import faces_picture
from bot.ui.text.reply import Picture, Reply
from bot.ui.text.roll_text import PAGE_LINES, height
from cogs.fair import everyone_reply, percent_of, stats_reply
from cogs.privacy import PLAIN_BYTES, stored_reply
from tests.cogs.desk import Desk
from tests.table.conftest import Person

ALICE = 200_000_000_000_000_001


@pytest.fixture
def passer(bo: Person) -> Person:
    return replace(bo, id=ALICE, name="Walter *Canary*")


async def test_a_player_sees_what_is_stored_and_gets_it_as_a_file(desk: Desk, ada: Person) -> None:
    (told,) = await desk.type(ada, "/privacy")

    assert told.is_private
    assert told.files == ("my-data.json",)
    assert told.text == (
        "**What I store about you on this server**\n"
        "Your Discord id, and your name: Alice\n"
        "Your characters: Ada\n"
        "1 journal entry with your dice\n"
        "-# All of it is in the file. I read no messages."
    )


async def test_somebody_new_is_told_that_nothing_is_stored(desk: Desk, passer: Person) -> None:
    (told,) = await desk.type(passer, "/privacy")
    (asked,) = await desk.press(passer, press_id("privacy", "ask"))

    assert (told.files, told.controls) == ((), {})
    assert told.text == asked.text == "I store nothing about you on this server."


async def test_a_deletion_is_asked_for_once_and_done_once(desk: Desk, passer: Person) -> None:
    await desk.type(passer, "/roll", expression="1d6")
    (told,) = await desk.type(passer, "/privacy")
    (asked,) = await desk.press(passer, told.controls["Delete my data"])
    (done,) = await desk.press(passer, asked.controls["Delete it"])
    (again,) = await desk.press(passer, asked.controls["Delete it"])

    assert asked.text.startswith("**Delete your data on this server?**")
    assert "“A former player”" in asked.text
    assert done.text == (
        "**Your data on this server is deleted.**\n"
        "1 journal entry no longer names you.\n"
        "-# If you use me here again, I store your id and name again."
    )
    assert again.text == "I store nothing about you on this server."


async def test_a_deletion_can_be_declined(desk: Desk, ada: Person) -> None:
    (told,) = await desk.type(ada, "/privacy")
    (asked,) = await desk.press(ada, told.controls["Delete my data"])
    (kept,) = await desk.press(ada, asked.controls["Keep it"])
    (still,) = await desk.type(ada, "/privacy")

    assert kept.text == "Nothing was deleted."
    assert still.text == told.text


async def test_an_unknown_privacy_button_is_out_of_date(desk: Desk, ada: Person) -> None:
    (told,) = await desk.press(ada, press_id("privacy", "other"))

    assert told.text.startswith("This button is from an older version of the bot.")


def test_everything_there_can_be_is_counted_in_a_few_lines() -> None:
    about = StoredAbout(
        names=("Ann", "A_n"),
        retired=1,
        portraits=2,
        favorites=1,
        drafts=1,
        entries=2,
        gm_of=("Dusk",),
        mentions=1,
    )

    assert stored_reply(about, b"{}").text == (
        "**What I store about you on this server**\n"
        r"Your Discord id, and your name: Ann, A\_n" + "\n"
        "1 retired character, 1 unfinished character, 2 portraits, 1 favorite\n"
        "2 journal entries with your dice\n"
        "GM of Dusk\n"
        "Your id in 1 other thing, such as prompts and answers\n"
        "-# All of it is in the file. I read no messages."
    )


def test_a_large_file_is_compressed() -> None:
    content = json.dumps("x" * PLAIN_BYTES).encode()

    (file,) = stored_reply(StoredAbout(entries=1), content).files

    assert isinstance(file, Picture)
    assert (file.name, gzip.decompress(cast(Any, file.content))) == ("my-data.json.gz", content)


EVEN = Series((10, 10, 10, 10, 10, 10))
LOADED = Series((0, 1, 1, 1, 1, 6))
LONG = "a very long name that somebody chose for themselves"


def text_of(reply: Reply) -> str:
    """What a page says."""
    (text,) = (one for one in reply.blocks if isinstance(one, str))
    return text


async def test_a_player_sees_their_dice_with_a_chart_and_the_way_to_the_proof(
    desk: Desk, ada: Person
) -> None:
    await desk.type(ada, "/roll", expression="2d1+1d2")
    await desk.type(ada, "/roll", expression="1d2")

    (told,) = await desk.type(ada, "/stats")
    (proof,) = await desk.press(ada, told.controls["Check the dice"])
    (how,) = await desk.press(ada, proof.controls["How to check"])

    assert told.is_private
    assert told.files == ("dice.png",)
    assert told.text.startswith("**Your dice** in The Long Road\n2 d2 averaged ")
    assert "%" not in told.text  # two coins are quite normal: no chance is shown, and none explained
    assert list(told.controls) == ["One size, by session", "Check the dice"]
    assert proof.text.startswith("**The Long Road** · dice anyone can check")
    assert how.text.startswith("**Can anyone rig the dice?** No.")


async def test_a_size_is_shown_by_session_and_leads_back(desk: Desk, ada: Person) -> None:
    await desk.type(ada, "/roll", expression="4d6+1d8")
    (told,) = await desk.type(ada, "/stats")

    (size,) = await desk.choose(ada, told.controls["One size, by session"], "6")
    (back,) = await desk.press(ada, size.controls["All sizes"])

    assert size.text.startswith("**Your d6s**\n4 d6 averaged ")
    assert "\nNo session: 4 dice, " in size.text
    assert (back.how, back.text) == ("edit", told.text)


async def test_somebody_without_dice_is_told_so(desk: Desk, ada: Person) -> None:
    (told,) = await desk.type(ada, "/stats")

    assert told.text == "You have rolled no dice in The Long Road yet."
    assert (told.files, list(told.controls)) == ((), ["Check the dice"])


async def test_a_gm_sees_everybodys_dice_and_a_player_only_their_own(
    desk: Desk, gm: Person, ada: Person, bo: Person
) -> None:
    await desk.type(ada, "/roll", expression="3d6")
    (own,) = await desk.type(gm, "/stats")

    (everyone,) = await desk.press(gm, own.controls["Everyone"])
    (alices,) = await desk.choose(gm, everyone.controls["Look at somebody's dice"], str(ada.id))
    (refused,) = await desk.press(bo, own.controls["Everyone"])
    (hidden,) = await desk.choose(bo, everyone.controls["Look at somebody's dice"], str(ada.id))

    assert "\nAlice · 3 dice · d6: " in everyone.text
    assert alices.text.startswith("**Alice's dice** in The Long Road\n3 d6 averaged ")
    assert refused.text == hidden.text == "Only a GM can see other people's dice."


async def test_a_gm_of_a_table_without_dice_sees_that(desk: Desk, gm: Person) -> None:
    (told,) = await desk.press(gm, press_id("stats", "all"))
    (led,) = await desk.press(gm, told.controls["Desk"])

    assert told.text == "**Everyone's dice** in The Long Road\nNobody has rolled any dice yet."
    assert led.text.startswith("### Desk")


@pytest.mark.parametrize("arguments", [("other",), ("who",), ("size", 2)])
async def test_an_unknown_stats_button_is_out_of_date(
    desk: Desk, ada: Person, arguments: tuple[object, ...]
) -> None:
    (told,) = await desk.press(ada, press_id("stats", *arguments))

    assert told.text.startswith("This button is from an older version of the bot.")


class TestPages:
    def test_rare_dice_are_called_rare(self) -> None:
        stats = DiceStats(
            campaign="Dusk", is_gm=False, is_own=True, shown=PersonDice(2, "Ann", (LOADED, EVEN))
        )

        assert text_of(stats_reply(stats)) == (
            "**Your dice** in Dusk\n"
            "10 d6 averaged 5.0 (fair: 3.5): **rare** (0.6%)\n"
            "60 d6 averaged 3.5 (fair: 3.5): quite normal\n"
            "-# %: how often fair dice are that far off. By chance alone, 1 line in 20 is unusual or rare.\n"
            "-# Undone rolls count: they were rolled."
        )

    def test_every_page_fits_a_phone(self) -> None:
        sizes = tuple(
            Series(tuple([100] * (one - 1) + [1000 - 100 * (one - 1) if one < 10 else 100]))
            for one in (4, 6, 8, 10, 12, 20, 3)
        )
        sessions = tuple(dice_stats.SessionSeries(one, EVEN) for one in (*range(120, 110, -1), None))
        people = tuple(PersonDice(one, LONG, (LOADED, EVEN)) for one in range(30))
        stats = DiceStats(
            campaign="The Long Road to the North",
            is_gm=True,
            is_own=False,
            shown=PersonDice(2, LONG, sizes),
            sessions=sessions,
            people=people,
            is_cut=True,
        )

        for reply in (stats_reply(stats), stats_reply(stats, 20), everyone_reply(stats)):
            assert height([text_of(reply)]) <= PAGE_LINES

    def test_names_are_escaped_and_the_gms_characters_are_one(self) -> None:
        people = (PersonDice(GMS, "", (EVEN,)), PersonDice(3, "*Bo*", (EVEN,)), PersonDice(4, "", (EVEN,)))
        stats = DiceStats(campaign="Dusk", is_gm=True, is_own=False, shown=people[1], people=people)

        text = text_of(everyone_reply(stats))
        assert r"\*Bo\* · 60 dice" in text
        assert "\nThe GM · 60 dice" in text
        assert "\nSomebody · 60 dice" in text
        assert text_of(stats_reply(stats)).startswith(r"**\*Bo\*'s dice** in Dusk")

    @pytest.mark.parametrize(
        ("chance", "text"),
        [(1.0, "100%"), (0.31, "31%"), (0.0996, "10%"), (0.05, "5.0%"), (0.0001, "<0.1%")],
    )
    def test_small_chances_have_a_decimal(self, chance: float, text: str) -> None:
        assert percent_of(chance) == text


class TestChart:
    def test_a_chart_says_in_words_what_it_shows(self) -> None:
        assert faces_picture((1, 2, 0)).alt == (
            "Bar chart of the faces of a d3: 1: 1, 2: 2, 3: 0. Fair share of each: 1.0."
        )

    def test_a_d100_shares_bars_and_every_chart_is_small(self) -> None:
        percentile = faces_picture((1,) * 100)

        assert percentile.alt.startswith("Bar chart of the faces of a d100: 1 to 5: 5, 6 to 10: 5, ")
        for counts in ((1,) * 100, (1000,) * 20, (0, 3)):
            content = faces_picture(counts).draw()
            assert content.startswith(b"\x89PNG")
            assert len(content) < 100_000
