"""How an interaction may be answered, and how not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.playground.discord import (
    InteractionFailed,
    MessageCreated,
    MessageUpdated,
    ModalOpened,
)
from tests.playground.wire import (
    BUTTON,
    CHOICES,
    DEFER,
    DEFER_UPDATE,
    EPHEMERAL,
    GO,
    MESSAGE,
    MODAL,
    OPEN,
    TEXT,
    UPDATE,
    Scene,
    Time,
    problem,
)

BAD_LENGTH = "BASE_TYPE_BAD_LENGTH"
TWO = [{"label": name, "value": name, "default": True} for name in "ab"]
MENU = {"type": 3, "placeholder": "Menu", "options": TWO, "max_values": 2}


def labelled(**field: Any) -> dict[str, Any]:
    return {"type": 18, "label": "l", "component": {"custom_id": "f", **field}}


def in_row(**changes: Any) -> dict[str, Any]:
    return {"type": 1, "components": [{**TEXT, **changes}]}


class TestTheFirstAnswer:
    async def test_an_interaction_is_answered_with_a_message(self, scene: Scene) -> None:
        interaction, task = await scene.act()
        status, response = await scene.wire.answer(interaction, MESSAGE, {"content": "Hello"})
        answer = await task

        assert (status, response) == (204, None)
        assert (answer.text, answer.failed, scene.local.breaches) == ("Hello", None, [])
        assert answer.latency_seconds is not None

    async def test_with_response_returns_the_message(self, scene: Scene) -> None:
        interaction, task = await scene.act()
        path = f"/interactions/{interaction['id']}/{interaction['token']}/callback?with_response=true"
        status, response = await scene.wire.call(
            "POST", path, {"type": MESSAGE, "data": {"content": "Hello"}}
        )
        await task

        assert status == 200
        assert response["interaction"]["id"] == interaction["id"]
        assert response["resource"]["type"] == MESSAGE
        assert response["resource"]["message"]["content"] == "Hello"

    async def test_an_interaction_without_an_answer_in_time_fails(self, scene: Scene) -> None:
        heard: list[object] = []
        scene.local.listen(heard.append)
        _, task = await scene.act()
        answer = await scene.unanswered(task)

        assert answer.failed == "The application did not respond"
        assert scene.local.breaches == ["it did not answer /act within 60 seconds"]
        assert heard == [
            InteractionFailed(scene.alice, "The application did not respond", answer.interaction)
        ]

    async def test_an_answer_after_the_deadline_is_refused(self, scene: Scene) -> None:
        interaction, task = await scene.act()
        await scene.unanswered(task)
        status, body = await scene.wire.answer(interaction, MESSAGE, {"content": "Late"})

        assert (status, body["code"]) == (404, 10062)
        assert "it answered /act after" in scene.local.breaches[1]

    async def test_an_offline_bot_breaks_no_rule(self, scene: Scene) -> None:
        await scene.local.drop_connections(resumable=False)
        scene.local.deadline_seconds = 0
        answer = await scene.alice.slash("act")

        assert answer.failed == "The application did not respond"
        assert scene.local.breaches == []

    async def test_a_second_answer_is_refused(self, scene: Scene) -> None:
        interaction, task = await scene.act()
        await scene.wire.answer(interaction, MESSAGE, {"content": "One"})
        status, body = await scene.wire.answer(interaction, MESSAGE, {"content": "Two"})
        answer = await task

        assert (status, body["code"]) == (400, 40060)
        assert "acknowledged /act twice" in scene.local.breaches[0]
        assert answer.text == "One"

    async def test_a_second_delivery_may_be_answered_without_a_breach(self, scene: Scene) -> None:
        answer = await scene.answered(MESSAGE, {"content": "One"})
        delivery = asyncio.create_task(scene.local.deliver_again(answer))
        interaction = await scene.wire.event("INTERACTION_CREATE")
        status, _ = await scene.wire.answer(interaction, MESSAGE, {"content": "Two"})

        assert interaction == answer.interaction.payload
        assert (status, await delivery, scene.local.breaches) == (400, True, [])

    async def test_a_wrong_token_is_refused(self, scene: Scene) -> None:
        interaction, task = await scene.act()
        status, body = await scene.wire.answer(interaction | {"token": "wrong"}, MESSAGE, {"content": "x"})
        await scene.unanswered(task)

        assert (status, body["code"]) == (404, 10062)

    @pytest.mark.parametrize("kind", [DEFER_UPDATE, UPDATE, CHOICES, 1, 12])
    async def test_a_command_is_answered_with_a_message_a_deferral_or_a_form(
        self, scene: Scene, kind: int
    ) -> None:
        status, body = await scene.refused(kind, {"content": "x"})

        assert (status, problem(body, "type")) == (400, "BASE_TYPE_CHOICES")

    async def test_a_refused_answer_can_be_corrected(self, scene: Scene) -> None:
        interaction, task = await scene.act()
        status, _ = await scene.wire.answer(interaction, MESSAGE, {"content": "a" * 2001})
        await scene.wire.answer(interaction, MESSAGE, {"content": "Shorter"})
        answer = await task

        assert (status, answer.text) == (400, "Shorter")

    async def test_an_empty_answer_is_refused(self, scene: Scene) -> None:
        status, body = await scene.refused(MESSAGE, {"content": ""})

        assert (status, body["code"]) == (400, 50006)


class TestDeferral:
    async def test_a_deferral_shows_that_the_bot_thinks_until_it_is_edited(self, scene: Scene) -> None:
        interaction, task = await scene.act()
        await scene.wire.answer(interaction, DEFER, {"flags": EPHEMERAL})
        thinking = scene.alice.sees()[0]["flags"]
        await scene.wire.edit(interaction, {"content": "Done"})
        answer = await task

        assert (thinking, answer.text, answer.ephemeral) == (128 | EPHEMERAL, "Done", True)

    async def test_the_first_follow_up_takes_the_place_of_thinking(self, scene: Scene) -> None:
        interaction, task = await scene.act()
        await scene.wire.answer(interaction, DEFER)
        await scene.wire.follow_up(interaction, {"content": "Done", "flags": EPHEMERAL})
        await scene.wire.follow_up(interaction, {"content": "More"})
        answer = await task

        assert (answer.text, answer.ephemeral, len(scene.alice.sees())) == ("Done\nMore", False, 2)

    async def test_a_deferral_that_never_ends_is_reported(self, scene: Scene) -> None:
        scene.local.patience_seconds = 0
        answer = await scene.answered(DEFER)

        assert answer.failed == "The application is thinking..."

    async def test_a_deleted_answer_leaves_nothing(self, scene: Scene) -> None:
        interaction, task = await scene.act()
        await scene.wire.answer(interaction, DEFER)
        path = f"/webhooks/{scene.wire.application_id}/{interaction['token']}/messages/@original"
        status, _ = await scene.wire.call("DELETE", path)
        answer = await task

        assert (status, answer.message, scene.alice.sees()) == (204, None, [])


class TestFollowUps:
    async def test_a_follow_up_before_the_answer_is_refused(self, scene: Scene) -> None:
        interaction, task = await scene.act()
        status, body = await scene.wire.follow_up(interaction, {"content": "x"})
        await scene.unanswered(task)

        assert (status, body["code"]) == (404, 10015)

    async def test_a_token_lives_for_fifteen_minutes(self, scene: Scene, time: Time) -> None:
        interaction, _ = await scene.done()
        time.now += 15 * 60
        just_in_time, _ = await scene.wire.follow_up(interaction, {"content": "y"})
        time.now += 1
        status, body = await scene.wire.follow_up(interaction, {"content": "z"})

        assert (just_in_time, status, body["code"]) == (200, 401, 50027)
        assert "after fifteen minutes" in scene.local.breaches[0]

    async def test_an_unknown_token_is_refused(self, scene: Scene) -> None:
        status, body = await scene.wire.follow_up({"token": "none"}, {"content": "x"})

        assert (status, body["code"]) == (401, 50027)

    async def test_follow_ups_are_edited_and_deleted_by_their_ids(self, scene: Scene) -> None:
        interaction, answer = await scene.done()
        _, sent = await scene.wire.follow_up(interaction, {"content": "One", "flags": EPHEMERAL})
        _, edited = await scene.wire.edit(interaction, {"content": "Two"}, sent["id"])
        path = f"/webhooks/{scene.wire.application_id}/{interaction['token']}/messages/{sent['id']}"
        _, found = await scene.wire.call("GET", path)
        await scene.wire.call("DELETE", path)
        gone, _ = await scene.wire.call("GET", path)

        assert (edited["content"], found["content"], gone) == ("Two", "Two", 404)
        assert answer.followups == []

    async def test_an_unknown_message_is_not_found(self, scene: Scene) -> None:
        interaction, _ = await scene.done()
        status, body = await scene.wire.edit(interaction, {"content": "y"}, "123")

        assert (status, body["code"]) == (404, 10008)
        assert "never was there" in scene.local.breaches[0]

    async def test_files_come_and_go_with_edits(self, scene: Scene) -> None:
        interaction, task = await scene.act()
        body = {"content": "x", "attachments": [{"id": 0, "filename": "file0.png", "description": "A maid"}]}
        await scene.wire.answer(interaction, MESSAGE, body, files=(b"one",))
        answer = await task
        assert answer.message is not None
        first = answer.message["attachments"][0]
        both = {"attachments": [{"id": first["id"]}, {"id": 0, "filename": "file0.png"}]}
        _, edited = await scene.wire.edit(interaction, both, files=(b"two",))
        _, cleared = await scene.wire.edit(interaction, {"attachments": []})

        assert (first["description"], first["size"]) == ("A maid", 3)
        assert [scene.local.files.content(entry) for entry in edited["attachments"]] == [b"one", b"two"]
        assert cleared["attachments"] == []

    async def test_keeping_an_unknown_file_is_refused(self, scene: Scene) -> None:
        interaction, _ = await scene.done()
        _, body = await scene.wire.edit(interaction, {"attachments": [{"id": "5"}]})

        assert problem(body, "attachments", 0, "id") == "ATTACHMENT_NOT_FOUND"


class TestComponents:
    async def test_a_button_updates_its_message(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "Before", "components": [BUTTON]})
        interaction, task = await scene.act(scene.alice.press(shown, "Go"))
        await scene.wire.answer(interaction, UPDATE, {"content": "After"})
        answer = await task

        assert interaction["message"]["content"] == "Before"
        assert interaction["data"] == {"custom_id": "go", "component_type": 2, "id": 2}
        assert answer.message == scene.alice.sees()[0]
        assert (answer.text, answer.buttons, len(scene.alice.sees())) == ("After\n[Go]", ["Go"], 1)

    async def test_a_deferred_update_is_edited_in_place(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "Before", "components": [BUTTON]})
        interaction, task = await scene.act(scene.alice.press(shown, "go"))
        await scene.wire.answer(interaction, DEFER_UPDATE)
        await scene.wire.edit(interaction, {"content": "After"})
        answer = await task

        assert (answer.text, len(scene.alice.sees())) == ("After\n[Go]", 1)

    async def test_a_press_that_is_not_answered_fails(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "x", "components": [BUTTON]})
        scene.local.deadline_seconds = 0
        answer = await scene.alice.press(shown, "Go")

        assert answer.failed == "This interaction failed"

    async def test_updating_a_message_that_was_deleted_meanwhile_is_no_breach(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "x", "components": [BUTTON]})
        interaction, task = await scene.act(scene.alice.press(shown, "Go"))
        path = f"/channels/{interaction['channel_id']}/messages/{interaction['message']['id']}"
        await scene.wire.call("DELETE", path)
        status, body = await scene.wire.answer(interaction, UPDATE, {"content": "y"})
        await scene.wire.answer(interaction, MESSAGE, {"content": "It is gone"})
        answer = await task

        assert (status, body["code"], answer.text, scene.local.breaches) == (404, 10008, "It is gone", [])


class TestWhatTheBotIsTold:
    async def test_the_payload_is_complete(self, scene: Scene) -> None:
        interaction, _ = await scene.done()
        server = scene.alice.server

        assert interaction["guild_id"] == interaction["guild"]["id"] == str(server.id)
        assert interaction["channel_id"] == interaction["channel"]["id"] == str(server.channels[0].id)
        assert interaction["member"]["user"]["global_name"] == "Alice"
        assert int(interaction["member"]["permissions"]) == int(scene.alice.permissions)
        assert int(interaction["app_permissions"]) & (1 << 11)
        assert (interaction["locale"], interaction["guild_locale"], interaction["context"]) == (
            "en-US",
            "en-US",
            0,
        )
        assert interaction["authorizing_integration_owners"] == {"0": str(server.id)}
        assert interaction["attachment_size_limit"] == 10 * 1024 * 1024
        assert "options" not in interaction["data"]

    async def test_listeners_see_messages_come_and_change(self, scene: Scene) -> None:
        heard: list[Any] = []
        scene.local.listen(heard.append)
        interaction, task = await scene.act()
        await scene.wire.answer(interaction, MESSAGE, {"content": "One", "flags": EPHEMERAL})
        await scene.wire.edit(interaction, {"content": "Two"})
        await task

        assert [(type(event), event.message["content"]) for event in heard] == [
            (MessageCreated, "One"),
            (MessageUpdated, "Two"),
        ]
        assert {event.visible_to for event in heard} == {scene.alice.id}

    async def test_a_listener_that_left_hears_nothing(self, scene: Scene) -> None:
        heard: list[object] = []
        leave = scene.local.listen(heard.append)
        leave()
        await scene.answered(MESSAGE, {"content": "x"})

        assert heard == []


class TestForms:
    async def test_a_form_opens_and_is_sent(self, scene: Scene) -> None:
        heard: list[object] = []
        scene.local.listen(heard.append)
        opened = await scene.answered(OPEN, MODAL)
        interaction, answer = await scene.done(scene.alice.submit(opened, name="Ada"), content="Hello")

        assert opened.modal is not None
        assert ModalOpened(scene.alice, opened.modal, opened.interaction) in heard
        sent = {"type": 4, "id": 2, "custom_id": "name", "value": "Ada"}
        assert interaction["data"] == {
            "custom_id": "form",
            "components": [{"type": 1, "id": 1, "components": [sent]}],
        }
        assert answer.text == "Hello"

    async def test_a_form_opened_by_a_button_can_update_its_message(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "Before", "components": [BUTTON]})
        pressed, task = await scene.act(scene.alice.press(shown, "Go"))
        await scene.wire.answer(pressed, OPEN, MODAL)
        opened = await task
        sent, task = await scene.act(scene.alice.submit(opened, Name="Ada"))
        await scene.wire.answer(sent, UPDATE, {"content": "After"})

        assert (await task).text == "After\n[Go]"

    async def test_a_form_cannot_answer_a_form(self, scene: Scene) -> None:
        opened = await scene.answered(OPEN, MODAL)
        interaction, task = await scene.act(scene.alice.submit(opened, name="Ada"))
        status, body = await scene.wire.answer(interaction, OPEN, MODAL)
        answer = await scene.unanswered(task)

        assert (status, problem(body, "type")) == (400, "BASE_TYPE_CHOICES")
        assert answer.failed == "Something went wrong. Try again."

    @pytest.mark.parametrize(
        ("changes", "path", "code"),
        [
            ({"title": "a" * 46}, "title", BAD_LENGTH),
            ({"title": ""}, "title", "BASE_TYPE_REQUIRED"),
            ({"custom_id": "a" * 101}, "custom_id", BAD_LENGTH),
            ({"components": []}, "components", BAD_LENGTH),
            (
                {"components": [labelled(**TEXT | {"custom_id": str(n)}) for n in range(6)]},
                "components",
                BAD_LENGTH,
            ),
            ({"components": [labelled(**TEXT)] * 2}, "components", "COMPONENT_CUSTOM_ID_DUPLICATED"),
        ],
    )
    async def test_a_bad_form_is_refused(
        self, scene: Scene, changes: dict[str, Any], path: str, code: str
    ) -> None:
        status, body = await scene.refused(OPEN, {**MODAL, **changes})

        assert (status, problem(body, "data", *path.split())) == (400, code)

    @pytest.mark.parametrize(
        ("component", "path", "code"),
        [
            (BUTTON, "components 0 type", "BASE_TYPE_CHOICES"),
            ({"type": 18, "label": "a" * 46, "component": TEXT}, "label", BAD_LENGTH),
            ({**labelled(**TEXT), "description": "a" * 101}, "description", "BASE_TYPE_MAX_LENGTH"),
            (in_row(label="a" * 46), "components 0 label", BAD_LENGTH),
            (in_row(placeholder="a" * 101), "components 0 placeholder", "BASE_TYPE_MAX_LENGTH"),
            (in_row(max_length=5, value="a" * 6), "components 0 value", "BASE_TYPE_MAX_LENGTH"),
            ({"type": 18, "label": "l"}, "component", "BASE_TYPE_REQUIRED"),
            (labelled(**GO), "component type", "BASE_TYPE_CHOICES"),
            (labelled(**MENU, disabled=True), "component disabled", "COMPONENT_INVALID"),
            (
                labelled(**TEXT, min_length=5, max_length=2),
                "component min_length",
                "TEXT_INPUT_COMPONENT_MIN_LENGTH",
            ),
            (labelled(type=21, options=TWO[:1]), "component options", BAD_LENGTH),
            (labelled(type=21, options=TWO), "component options", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES"),
            (labelled(type=22, options=[]), "component options", BAD_LENGTH),
            (labelled(type=22, options=TWO, max_values=11), "component max_values", "NUMBER_TYPE_RANGE"),
            (
                labelled(type=22, options=TWO, max_values=3),
                "component max_values",
                "SELECT_COMPONENT_MAX_VALUES",
            ),
            (
                labelled(type=22, options=TWO, min_values=2, max_values=1),
                "component min_values",
                "SELECT_COMPONENT_MIN_VALUES",
            ),
            (labelled(type=22, options=TWO, min_values=0), "component required", "COMPONENT_INVALID"),
            (labelled(type=19, max_values=11), "component max_values", "NUMBER_TYPE_RANGE"),
            (labelled(type=19, min_values=2), "component min_values", "SELECT_COMPONENT_MIN_VALUES"),
            ({"type": 10, "content": ""}, "content", "BASE_TYPE_REQUIRED"),
            ({"type": 9}, "type", "BASE_TYPE_CHOICES"),
        ],
    )
    async def test_a_bad_field_of_a_form_is_refused(
        self, scene: Scene, component: dict[str, Any], path: str, code: str
    ) -> None:
        status, body = await scene.refused(OPEN, {**MODAL, "components": [component]})

        assert (status, problem(body, "data", "components", 0, *path.split())) == (400, code)


class TestAutocomplete:
    async def offered(self, scene: Scene, kind: int, data: object) -> tuple[int, Any, list[dict[str, Any]]]:
        task = asyncio.create_task(scene.alice.autocomplete("act", "word", "ma"))
        interaction = await scene.wire.event("INTERACTION_CREATE")
        assert interaction["data"]["options"] == [{"name": "word", "type": 3, "value": "ma", "focused": True}]
        status, body = await scene.wire.answer(interaction, kind, data)
        return status, body, await scene.unanswered(task)

    async def test_choices_are_offered(self, scene: Scene) -> None:
        choices = [{"name": "Maid", "value": "maid"}]

        assert await self.offered(scene, CHOICES, {"choices": choices}) == (204, None, choices)

    @pytest.mark.parametrize(
        ("choices", "path", "code"),
        [
            ([{"name": str(n), "value": str(n)} for n in range(26)], (), "BASE_TYPE_MAX_LENGTH"),
            ([{"name": "", "value": "v"}], (0, "name"), "BASE_TYPE_REQUIRED"),
            ([{"name": "n" * 101, "value": "v"}], (0, "name"), "BASE_TYPE_BAD_LENGTH"),
            ([{"name": "n", "value": "v" * 101}], (0, "value"), "BASE_TYPE_BAD_LENGTH"),
            ([{"name": "n", "value": 5}], (0, "value"), "STRING_TYPE_CONVERT"),
        ],
    )
    async def test_bad_choices_are_refused(
        self, scene: Scene, choices: list[dict[str, Any]], path: tuple[str | int, ...], code: str
    ) -> None:
        status, body, offered = await self.offered(scene, CHOICES, {"choices": choices})

        assert (status, problem(body, "data", "choices", *path), offered) == (400, code, [])

    async def test_an_autocomplete_takes_no_message(self, scene: Scene) -> None:
        status, body, _ = await self.offered(scene, MESSAGE, {"content": "x"})

        assert (status, problem(body, "type")) == (400, "BASE_TYPE_CHOICES")
