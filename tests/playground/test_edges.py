"""Rules that are easily forgotten: odd components, odd forms, and the local Discord's own slips."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.playground.discord import CannotSend, LocalDiscord, Member, Server, Upload, button_labels
from bot.playground.discord.events import Bulletin
from tests.playground.sample import Sample
from tests.playground.scene import BUTTON, GO, MESSAGE, MODAL, OPEN, TEXT, Scene
from tests.playground.wire import INTENTS, Wire, problem

TWO = [{"label": "A", "value": "a", "default": True}, {"label": "B", "value": "b", "default": True}]
MENU = {"type": 3, "custom_id": "m", "placeholder": "Menu", "options": TWO, "max_values": 2}
EXCLUSIVE = "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"


def labelled(**field: Any) -> dict[str, Any]:
    return {"type": 18, "label": "l", "component": {"custom_id": "f", **field}}


def row(component: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": [component]}


@pytest.mark.parametrize(
    ("component", "key", "code"),
    [
        ({**GO, "url": "https://example.org"}, "url", EXCLUSIVE),
        ({**MENU, "max_values": 1}, "options", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES"),
        ({**GO, "label": 5}, "label", "STRING_TYPE_CONVERT"),
        ({**MENU, "min_values": "one"}, "min_values", "NUMBER_TYPE_COERCE"),
    ],
)
async def test_an_odd_component_is_refused(
    server: Server, wire: Wire, component: dict[str, Any], key: str, code: str
) -> None:
    body = {"content": "x", "components": [row(component)]}
    status, refusal = await wire.call("POST", f"/channels/{server.channels[0].id}/messages", body)

    assert (status, problem(refusal, "components", 0, "components", 0, key)) == (400, code)


async def test_a_premium_button_needs_no_words(server: Server, wire: Wire) -> None:
    body = {"content": "x", "components": [row({"type": 2, "style": 6, "sku_id": "5"})]}
    status, _ = await wire.call("POST", f"/channels/{server.channels[0].id}/messages", body)

    assert status == 200


@pytest.mark.parametrize(
    ("component", "path", "code"),
    [
        ({"type": 18, "label": "l"}, ("component",), "BASE_TYPE_REQUIRED"),
        ({"type": 18, "label": "l", "component": GO}, ("component", "type"), "BASE_TYPE_CHOICES"),
        (
            {"type": 18, "label": "l", "component": {**MENU, "disabled": True}},
            ("component", "disabled"),
            "COMPONENT_INVALID",
        ),
        (
            {"type": 18, "label": "l", "component": {**TEXT, "min_length": 5, "max_length": 2}},
            ("component", "min_length"),
            "TEXT_INPUT_COMPONENT_MIN_LENGTH",
        ),
        (
            {"type": 18, "label": "l", "component": {"type": 21, "custom_id": "r", "options": TWO[:1]}},
            ("component", "options"),
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            labelled(type=21, options=TWO),
            ("component", "options"),
            "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
        ),
        (labelled(type=22, options=[]), ("component", "options"), "BASE_TYPE_BAD_LENGTH"),
        (labelled(type=22, options=TWO, max_values=11), ("component", "max_values"), "NUMBER_TYPE_RANGE"),
        (
            labelled(type=22, options=TWO, max_values=3),
            ("component", "max_values"),
            "SELECT_COMPONENT_MAX_VALUES",
        ),
        (
            labelled(type=22, options=TWO, min_values=2, max_values=1),
            ("component", "min_values"),
            "SELECT_COMPONENT_MIN_VALUES",
        ),
        (labelled(type=22, options=TWO, min_values=0), ("component", "required"), "COMPONENT_INVALID"),
        (labelled(type=19, max_values=11), ("component", "max_values"), "NUMBER_TYPE_RANGE"),
        (labelled(type=19, min_values=2), ("component", "min_values"), "SELECT_COMPONENT_MIN_VALUES"),
        ({"type": 10, "content": ""}, ("content",), "BASE_TYPE_REQUIRED"),
        ({"type": 9}, ("type",), "BASE_TYPE_CHOICES"),
    ],
)
async def test_an_odd_form_is_refused(
    scene: Scene, component: dict[str, Any], path: tuple[str, ...], code: str
) -> None:
    interaction, task = await scene.act()
    status, body = await scene.wire.answer(interaction, OPEN, {**MODAL, "components": [component]})
    await scene.unanswered(task)

    assert (status, problem(body, "data", "components", 0, *path)) == (400, code)


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ({"type": 21, "custom_id": "f", "options": [{"label": "A", "value": "a"}, TWO[1]]}, None),
        (
            {
                "type": 21,
                "custom_id": "f",
                "options": [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}],
            },
            "l: ",
        ),
        ({"type": 22, "custom_id": "f", "options": [{"label": "A", "value": "a"}], "required": False}, None),
        (
            {"type": 22, "custom_id": "f", "options": [{"label": "A", "value": "a"}]},
            "l: This field is required",
        ),
        ({"type": 22, "custom_id": "f", "options": TWO, "min_values": 0, "required": False}, None),
    ],
)
async def test_fields_left_alone_are_required_unless_said_otherwise(
    scene: Scene, field: dict[str, Any], sentence: str | None
) -> None:
    opened = await scene.answered(
        OPEN, {**MODAL, "components": [{"type": 18, "label": "l", "component": field}]}
    )
    if sentence is not None:
        with pytest.raises(CannotSend, match=sentence):
            await scene.alice.submit(opened)
        return
    interaction, task = await scene.act(asyncio.create_task(scene.alice.submit(opened)))
    await scene.wire.answer(interaction, MESSAGE, {"content": "Thanks"})

    assert (await task).text == "Thanks"


async def test_a_disabled_menu_cannot_be_used(scene: Scene) -> None:
    shown = await scene.answered(MESSAGE, {"content": "x", "components": [row({**MENU, "disabled": True})]})

    with pytest.raises(CannotSend, match="The menu 'Menu' is disabled"):
        await scene.alice.select(shown, "Menu", "A")
    with pytest.raises(CannotSend, match="There is no menu 'List'"):
        await scene.alice.select(shown, "List", "A")


async def test_a_button_of_emoji_only_goes_by_its_emoji(scene: Scene) -> None:
    mop = {"type": 2, "style": 1, "custom_id": "mop", "emoji": {"name": "🧹"}}
    shown = await scene.answered(MESSAGE, {"content": "x", "components": [row(mop)]})
    interaction, task = await scene.act(asyncio.create_task(scene.alice.press(shown, "🧹")))
    await scene.wire.answer(interaction, 6)
    await scene.wire.edit(interaction, {"content": "Swept"})

    assert (interaction["data"]["custom_id"], (await task).buttons) == ("mop", ["🧹"])


async def test_without_a_message_there_is_nothing_to_press(scene: Scene) -> None:
    answer = await scene.answered(OPEN, MODAL)

    with pytest.raises(CannotSend, match="There is no message to act on"):
        await scene.alice.press(answer, "Go")


async def test_button_labels_are_read_from_any_message(scene: Scene) -> None:
    await scene.answered(MESSAGE, {"content": "x", "components": [BUTTON]})

    assert button_labels(scene.alice.sees()[0]) == ["Go"]


async def test_a_crash_of_the_local_discord_is_reported(
    local: LocalDiscord, server: Server, wire: Wire
) -> None:
    status, _ = await wire.call(
        "POST", f"/channels/{server.channels[0].id}/messages", {"embeds": "not a list"}
    )

    assert status == 500
    assert local.breaches[0].startswith("the local Discord stumbled over POST /channels/")


async def test_a_bad_definition_posted_alone_is_refused(local: LocalDiscord, wire: Wire) -> None:
    commands = f"/applications/{wire.application_id}/commands"
    status, body = await wire.call("POST", commands, {"name": "A", "description": "d"})

    assert (status, problem(body, "name"), local.commands) == (400, "APPLICATION_COMMAND_INVALID_NAME", [])


async def test_a_server_may_have_commands_of_its_own(scene: Scene) -> None:
    server = scene.alice.server
    where = f"/applications/{scene.wire.application_id}/guilds/{server.id}/commands"
    await scene.wire.call("PUT", where, [{"name": "own", "description": "Own"}])
    interaction, task = await scene.act(asyncio.create_task(scene.alice.slash("own")))
    await scene.wire.answer(interaction, MESSAGE, {"content": "x"})
    await task

    assert interaction["data"]["guild_id"] == str(server.id)


async def test_resuming_with_a_wrong_token_ends_the_connection(wire: Wire) -> None:
    await wire.connect()
    await wire.send(6, {"token": "wrong", "session_id": "x", "seq": 1})

    assert await wire.closed_with() == 4004


async def test_an_event_without_a_server_goes_to_every_shard(local: LocalDiscord, wire: Wire) -> None:
    await wire.ready(intents=INTENTS)
    await local.dispatch("USER_UPDATE", {"id": "5"})

    assert await wire.event("USER_UPDATE") == {"id": "5"}


async def test_whoever_waits_is_told_in_time_though_something_happens_just_then() -> None:
    bulletin = Bulletin()
    asyncio.get_running_loop().call_later(0.01, bulletin.stir)

    waiting = asyncio.create_task(bulletin.until(lambda: False, 0.01))
    await asyncio.wait({waiting}, timeout=60)

    assert isinstance(waiting.exception(), TimeoutError)


async def test_the_bot_counts_as_connected_with_the_shards_it_runs(local: LocalDiscord, wire: Wire) -> None:
    await wire.ready(shard=(1, 3))
    await local.connected(1, shards=1)

    assert not local.gateway.is_connected


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
