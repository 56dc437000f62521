"""How forms and autocompletes may be answered, and how not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.playground.discord import (
    ModalOpened,
)
from tests.playground.scene import (
    BUTTON,
    CHOICES,
    MESSAGE,
    MODAL,
    OPEN,
    TEXT,
    UPDATE,
    Scene,
)
from tests.playground.wire import problem


class TestForms:
    async def test_a_form_opens_and_is_sent(self, scene: Scene) -> None:
        heard: list[object] = []
        scene.local.listen(heard.append)
        opened = await scene.answered(OPEN, MODAL)
        interaction, task = await scene.act(asyncio.create_task(scene.alice.submit(opened, name="Ada")))
        await scene.wire.answer(interaction, MESSAGE, {"content": "Hello"})
        answer = await task

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
        pressed, task = await scene.act(asyncio.create_task(scene.alice.press(shown, "Go")))
        await scene.wire.answer(pressed, OPEN, MODAL)
        opened = await task
        sent, task = await scene.act(asyncio.create_task(scene.alice.submit(opened, Name="Ada")))
        await scene.wire.answer(sent, UPDATE, {"content": "After"})

        assert (await task).text == "After\n[Go]"

    async def test_a_form_cannot_answer_a_form(self, scene: Scene) -> None:
        opened = await scene.answered(OPEN, MODAL)
        interaction, task = await scene.act(asyncio.create_task(scene.alice.submit(opened, name="Ada")))
        status, body = await scene.wire.answer(interaction, OPEN, MODAL)
        answer = await task

        assert (status, problem(body, "type")) == (400, "BASE_TYPE_CHOICES")
        assert answer.failed == "Something went wrong. Try again."

    @pytest.mark.parametrize(
        ("changes", "path", "code"),
        [
            ({"title": "a" * 46}, ("title",), "BASE_TYPE_BAD_LENGTH"),
            ({"title": ""}, ("title",), "BASE_TYPE_REQUIRED"),
            ({"custom_id": "a" * 101}, ("custom_id",), "BASE_TYPE_BAD_LENGTH"),
            ({"components": []}, ("components",), "BASE_TYPE_BAD_LENGTH"),
            ({"components": [BUTTON]}, ("components", 0, "components", 0, "type"), "BASE_TYPE_CHOICES"),
            (
                {
                    "components": [
                        {"type": 18, "label": "l", "component": {**TEXT, "custom_id": str(n)}}
                        for n in range(6)
                    ]
                },
                ("components",),
                "BASE_TYPE_BAD_LENGTH",
            ),
            (
                {"components": [{"type": 18, "label": "a" * 46, "component": TEXT}]},
                ("components", 0, "label"),
                "BASE_TYPE_BAD_LENGTH",
            ),
            (
                {"components": [{"type": 18, "label": "l", "description": "a" * 101, "component": TEXT}]},
                ("components", 0, "description"),
                "BASE_TYPE_MAX_LENGTH",
            ),
            (
                {"components": [{"type": 1, "components": [{**TEXT, "label": "a" * 46}]}]},
                ("components", 0, "components", 0, "label"),
                "BASE_TYPE_BAD_LENGTH",
            ),
            (
                {"components": [{"type": 1, "components": [{**TEXT, "placeholder": "a" * 101}]}]},
                ("components", 0, "components", 0, "placeholder"),
                "BASE_TYPE_MAX_LENGTH",
            ),
            (
                {"components": [{"type": 1, "components": [{**TEXT, "max_length": 5, "value": "a" * 6}]}]},
                ("components", 0, "components", 0, "value"),
                "BASE_TYPE_MAX_LENGTH",
            ),
            (
                {"components": [{"type": 18, "label": "l", "component": TEXT}] * 2},
                ("components",),
                "COMPONENT_CUSTOM_ID_DUPLICATED",
            ),
        ],
    )
    async def test_a_bad_form_is_refused(
        self, scene: Scene, changes: dict[str, Any], path: tuple[str | int, ...], code: str
    ) -> None:
        interaction, task = await scene.act()
        status, body = await scene.wire.answer(interaction, OPEN, {**MODAL, **changes})
        await task

        assert (status, problem(body, "data", *path)) == (400, code)


class TestAutocomplete:
    async def offered(self, scene: Scene, kind: int, data: object) -> tuple[int, Any, list[dict[str, Any]]]:
        task = asyncio.create_task(scene.alice.autocomplete("act", "word", "ma"))
        interaction = await scene.wire.event("INTERACTION_CREATE")
        assert interaction["data"]["options"] == [{"name": "word", "type": 3, "value": "ma", "focused": True}]
        status, body = await scene.wire.answer(interaction, kind, data)
        return status, body, await task

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
