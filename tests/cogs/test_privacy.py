"""`/privacy` as typed and pressed: F-ALL-28."""

import gzip
import json
from dataclasses import replace
from typing import Any, cast

import pytest

from bot.table.characters.personal_data import StoredAbout
from bot.ui.input.presses import press_id
from bot.ui.text.reply import Picture
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
        favourites=1,
        drafts=1,
        entries=2,
        gm_of=("Dusk",),
        mentions=1,
    )

    assert stored_reply(about, b"{}").text == (
        "**What I store about you on this server**\n"
        r"Your Discord id, and your name: Ann, A\_n" + "\n"
        "1 retired character, 1 unfinished character, 2 portraits, 1 favourite\n"
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
