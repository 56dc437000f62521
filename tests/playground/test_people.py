"""What people can do in the local Discord, with the real client library on the other side."""

from __future__ import annotations

import pytest

from bot.playground.discord import CannotSend, LocalDiscord, Member, Server, Upload
from tests.playground.sample import Sample


async def test_a_slash_command_is_answered(local: LocalDiscord, sample: Sample, alice: Member) -> None:
    answer = await alice.slash("say", text="Hello")

    assert answer.text == "Hello"
    assert not answer.ephemeral
    assert answer.failed is None
    assert local.breaches == []


async def test_an_ephemeral_answer_is_seen_by_its_addressee_only(
    sample: Sample, alice: Member, bob: Member
) -> None:
    answer = await alice.slash("say", text="Hush", secret=True)

    assert answer.ephemeral
    assert [message["content"] for message in alice.sees()] == ["Hush"]
    assert bob.sees() == []


async def test_a_button_edits_its_message(sample: Sample, alice: Member, bob: Member) -> None:
    board = await alice.slash("board")
    await alice.press(board, "Count")
    answer = await bob.press(board, "count")

    assert answer.text.startswith("Pressed 2 times")
    assert answer.buttons == ["Count", "Ask", "Never", "Later"]
    assert len(bob.sees()) == 1


async def test_a_disabled_button_cannot_be_pressed(sample: Sample, alice: Member) -> None:
    board = await alice.slash("board")

    with pytest.raises(CannotSend, match="disabled"):
        await alice.press(board, "Never")


async def test_a_deferred_update_shows_the_edit(sample: Sample, alice: Member) -> None:
    board = await alice.slash("board")
    answer = await alice.press(board, "Later")

    assert answer.text.startswith("Done later")


async def test_a_menu_takes_labels_or_values(sample: Sample, alice: Member) -> None:
    board = await alice.slash("board")
    answer = await alice.select(board, "Pick", "One", "three")

    assert answer.text == "one three"


async def test_a_form_is_filled_and_sent(sample: Sample, alice: Member) -> None:
    board = await alice.slash("board")
    opened = await alice.press(board, "Ask")
    answer = await alice.submit(opened, full_name="Ada", Colour="Blue")

    assert opened.modal is not None
    assert opened.modal["title"] == "A question"
    assert answer.text == "Ada likes Blue"


async def test_the_first_follow_up_after_a_deferral_is_the_answer(sample: Sample, alice: Member) -> None:
    answer = await alice.slash("think")
    await alice.discord.until(lambda: answer.followups)

    assert answer.ephemeral
    assert answer.text == "thought\nand more"


async def test_people_roles_channels_and_files_are_picked(
    sample: Sample, server: Server, alice: Member, bob: Member
) -> None:
    role = server.add_role("Cook")
    letter = Upload("letter.txt", b"Dear maid", "text/plain")
    answer = await alice.slash(
        "things", person=bob, role=role, room=server.channels[0], file=letter, amount=3
    )

    assert answer.message is not None
    assert answer.message["content"] == "Bob Cook table Dear maid 3"
    assert answer.message["embeds"][0]["image"]["url"].endswith("/a.png")
    assert answer.message["attachments"] == []


async def test_an_option_completes(sample: Sample, alice: Member) -> None:
    offered = await alice.autocomplete("word", "start", "ma")

    assert offered == [{"name": "Maid", "value": "maid"}, {"name": "Magic", "value": "magic"}]
