"""What Discord demands of command definitions."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.discord import CommandsChanged, LocalDiscord, Server
from tests.playground.wire import Wire, problem

COMMANDS = "/applications/900000000000000001/commands"
INVALID_TYPE = "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"


def command(*options: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"name": "roll", "description": "Rolls", "options": list(options), **changes}


def option(kind: int = 3, **changes: Any) -> dict[str, Any]:
    return {"type": kind, "name": "dice", "description": "Which", **changes}


def choices(count: int) -> list[dict[str, Any]]:
    return [{"name": f"c{number}", "value": f"v{number}"} for number in range(count)]


class TestRegistering:
    async def test_registered_commands_are_given_back_with_ids(self, local: LocalDiscord, wire: Wire) -> None:
        status, registered = await wire.call("PUT", COMMANDS, [command(option(required=False))])
        _, listed = await wire.call("GET", COMMANDS)

        assert status == 200
        assert registered == listed == local.commands
        assert listed[0]["options"] == [option()]
        assert listed[0]["application_id"] == "900000000000000001"

    async def test_a_command_that_stays_keeps_its_id(self, wire: Wire) -> None:
        _, (before,) = await wire.call("PUT", COMMANDS, [command()])
        _, after = await wire.call("PUT", COMMANDS, [command(name="new"), command(description="Rolls dice")])

        assert [entry["id"] == before["id"] for entry in after] == [False, True]
        assert after[1]["version"] != before["version"]

    async def test_an_overwrite_removes_the_others(self, local: LocalDiscord, wire: Wire) -> None:
        await wire.call("PUT", COMMANDS, [command()])
        await wire.call("PUT", COMMANDS, [])

        assert local.commands == []

    async def test_single_commands_are_added_changed_and_removed(
        self, local: LocalDiscord, wire: Wire
    ) -> None:
        _, added = await wire.call("POST", COMMANDS, command())
        one = f"{COMMANDS}/{added['id']}"
        _, changed = await wire.call("PATCH", one, {"description": "Rolls dice"})
        _, found = await wire.call("GET", one)
        status, _ = await wire.call("DELETE", one)

        assert changed["description"] == found["description"] == "Rolls dice"
        assert (status, local.commands) == (204, [])

    async def test_a_servers_own_commands_are_kept_apart(
        self, local: LocalDiscord, server: Server, wire: Wire
    ) -> None:
        scope = f"/applications/900000000000000001/guilds/{server.id}/commands"
        _, (registered,) = await wire.call("PUT", scope, [command()])

        assert registered["guild_id"] == str(server.id)
        assert local.commands == []

    async def test_an_unknown_command_is_not_found(self, wire: Wire) -> None:
        status, body = await wire.call("GET", f"{COMMANDS}/1")

        assert (status, body["code"]) == (404, 10063)

    async def test_another_application_is_out_of_reach(self, wire: Wire) -> None:
        status, body = await wire.call("GET", "/applications/5/commands")

        assert (status, body["code"]) == (403, 20012)

    async def test_listeners_hear_of_changed_commands(self, local: LocalDiscord, wire: Wire) -> None:
        heard: list[object] = []
        local.listen(heard.append)
        await wire.call("PUT", COMMANDS, [command()])

        assert heard == [CommandsChanged()]


@pytest.mark.parametrize(
    ("definition", "path", "code"),
    [
        pytest.param(command(name="Roll"), ("name",), "APPLICATION_COMMAND_INVALID_NAME", id="capital name"),
        pytest.param(command(name="a b"), ("name",), "APPLICATION_COMMAND_INVALID_NAME", id="space in name"),
        pytest.param(command(name="a" * 33), ("name",), "BASE_TYPE_BAD_LENGTH", id="long name"),
        pytest.param(command(name=""), ("name",), "BASE_TYPE_REQUIRED", id="no name"),
        pytest.param(command(description=""), ("description",), "BASE_TYPE_REQUIRED", id="no description"),
        pytest.param(
            command(description="a" * 101), ("description",), "BASE_TYPE_BAD_LENGTH", id="long description"
        ),
        pytest.param(
            command(*(option(name=f"o{n}") for n in range(26))),
            ("options",),
            "BASE_TYPE_MAX_LENGTH",
            id="26 options",
        ),
        pytest.param(
            command(option(), option()),
            ("options",),
            "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
            id="same name twice",
        ),
        pytest.param(
            command(option(), option(name="to", required=True)),
            ("options",),
            "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
            id="required after optional",
        ),
        pytest.param(
            command(option(1), option(name="x")), ("options",), INVALID_TYPE, id="mixed with sub-commands"
        ),
        pytest.param(command(option(12)), ("options", 0, "type"), "BASE_TYPE_CHOICES", id="unknown type"),
        pytest.param(
            command(option(description=" ")),
            ("options", 0, "description"),
            "BASE_TYPE_REQUIRED",
            id="blank text",
        ),
        pytest.param(
            command(option(choices=choices(26))),
            ("options", 0, "choices"),
            "BASE_TYPE_MAX_LENGTH",
            id="26 choices",
        ),
        pytest.param(
            command(option(choices=[{"name": "n" * 101, "value": "v"}])),
            ("options", 0, "choices", 0, "name"),
            "BASE_TYPE_BAD_LENGTH",
            id="long choice name",
        ),
        pytest.param(
            command(option(4, choices=[{"name": "n", "value": "five"}])),
            ("options", 0, "choices", 0, "value"),
            "NUMBER_TYPE_COERCE",
            id="choice of another type",
        ),
        pytest.param(
            command(option(choices=[*choices(1), *choices(1)])),
            ("options", 0, "choices"),
            "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
            id="same choice twice",
        ),
        pytest.param(
            command(option(5, choices=choices(1))),
            ("options", 0, "choices"),
            "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID",
            id="choices of a boolean",
        ),
        pytest.param(
            command(option(autocomplete=True, choices=choices(1))),
            ("options", 0, "autocomplete"),
            "APPLICATION_COMMAND_AUTOCOMPLETE_INVALID",
            id="autocomplete with choices",
        ),
        pytest.param(
            command(option(4, min_value=5, max_value=1)),
            ("options", 0, "min_value"),
            "APPLICATION_COMMAND_OPTIONS_MIN_VALUE_INVALID",
            id="lowest above highest",
        ),
        pytest.param(
            command(option(3, min_value=5)),
            ("options", 0, "min_value"),
            INVALID_TYPE,
            id="bounds of a text's value",
        ),
        pytest.param(
            command(option(3, max_length=6001)),
            ("options", 0, "max_length"),
            "NUMBER_TYPE_RANGE",
            id="long text",
        ),
        pytest.param(
            command(option(2, options=[option(3)])),
            ("options", 0, "options", 0, "type"),
            INVALID_TYPE,
            id="bare group",
        ),
        pytest.param(
            command(option(1, options=[option(1)])),
            ("options", 0, "options", 0, "type"),
            INVALID_TYPE,
            id="nested",
        ),
        pytest.param(
            command(
                *(
                    option(
                        name=f"o{n}",
                        choices=[{"name": f"{m}" + "n" * 70, "value": f"{m}"} for m in range(10)],
                    )
                    for n in range(12)
                )
            ),
            (),
            "APPLICATION_COMMAND_TOO_LARGE",
            id="more than 8000 characters",
        ),
        pytest.param(command(type=9), ("type",), "BASE_TYPE_CHOICES", id="unknown kind of command"),
        pytest.param(
            {"name": "Menu", "type": 2, "description": "Text"},
            ("description",),
            "BASE_TYPE_MAX_LENGTH",
            id="described menu",
        ),
    ],
)
async def test_a_bad_definition_is_refused(
    local: LocalDiscord, wire: Wire, definition: dict[str, Any], path: tuple[str | int, ...], code: str
) -> None:
    status, body = await wire.call("PUT", COMMANDS, [definition])

    assert (status, problem(body, 0, *path)) == (400, code)
    assert local.commands == []
    assert code in local.breaches[0]


async def test_more_than_a_hundred_commands_are_refused(wire: Wire) -> None:
    status, body = await wire.call("PUT", COMMANDS, [command(name=f"c{number}") for number in range(101)])

    assert (status, problem(body)) == (400, "APPLICATION_COMMANDS_EXCEEDED")


async def test_two_commands_of_one_name_are_refused(wire: Wire) -> None:
    status, body = await wire.call("PUT", COMMANDS, [command(), command()])

    assert (status, problem(body)) == (400, "APPLICATION_COMMANDS_DUPLICATE_NAME")


async def test_a_full_definition_is_accepted(local: LocalDiscord, wire: Wire) -> None:
    leaf = option(
        1, name="now", options=[option(4, min_value=1, max_value=9, required=True), option(10, name="x")]
    )
    grouped = option(2, name="later", options=[option(1, options=[option(autocomplete=True)])])
    status, _ = await wire.call("PUT", COMMANDS, [command(leaf, grouped, default_member_permissions=32)])

    assert (status, local.breaches) == (200, [])
    assert local.commands[0]["default_member_permissions"] == "32"
