"""What Discord demands of command definitions, and where its client offers the commands."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.discord import CannotSend, CommandsChanged, LocalDiscord, Server
from tests.playground.wire import EPHEMERAL, MESSAGE, Scene, Wire, problem

COMMANDS = "/applications/900000000000000001/commands"
ACT = {"name": "act", "description": "Acts"}
SHEET, UNDO = {"name": "Sheet", "type": 2}, {"name": "Undo this", "type": 3}
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


REFUSED: dict[str, dict[str, tuple[dict[str, Any], str]]] = {
    "APPLICATION_COMMAND_INVALID_NAME": {
        "capital name": (command(name="Roll"), "name"),
        "space in name": (command(name="a b"), "name"),
    },
    "BASE_TYPE_BAD_LENGTH": {
        "long name": (command(name="a" * 33), "name"),
        "long description": (command(description="a" * 101), "description"),
        "long choice name": (
            command(option(choices=[{"name": "n" * 101, "value": "v"}])),
            "options 0 choices 0 name",
        ),
    },
    "BASE_TYPE_REQUIRED": {
        "no name": (command(name=""), "name"),
        "no description": (command(description=""), "description"),
        "blank text": (command(option(description=" ")), "options 0 description"),
    },
    "BASE_TYPE_MAX_LENGTH": {
        "26 options": (command(*(option(name=f"o{n}") for n in range(26))), "options"),
        "26 choices": (command(option(choices=choices(26))), "options 0 choices"),
        "described menu": ({"name": "Menu", "type": 2, "description": "Text"}, "description"),
    },
    "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS": {
        "same name twice": (command(option(), option()), "options")
    },
    "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID": {
        "required after optional": (command(option(), option(name="to", required=True)), "options")
    },
    INVALID_TYPE: {
        "mixed with sub-commands": (command(option(1), option(name="x")), "options"),
        "bounds of a text's value": (command(option(3, min_value=5)), "options 0 min_value"),
        "bare group": (command(option(2, options=[option(3)])), "options 0 options 0 type"),
        "nested": (command(option(1, options=[option(1)])), "options 0 options 0 type"),
    },
    "BASE_TYPE_CHOICES": {
        "unknown type": (command(option(12)), "options 0 type"),
        "unknown kind of command": (command(type=9), "type"),
    },
    "NUMBER_TYPE_COERCE": {
        "choice of another type": (
            command(option(4, choices=[{"name": "n", "value": "five"}])),
            "options 0 choices 0 value",
        ),
    },
    "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS": {
        "same choice twice": (command(option(choices=[*choices(1), *choices(1)])), "options 0 choices")
    },
    "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID": {
        "choices of a boolean": (command(option(5, choices=choices(1))), "options 0 choices")
    },
    "APPLICATION_COMMAND_AUTOCOMPLETE_INVALID": {
        "autocomplete with choices": (
            command(option(autocomplete=True, choices=choices(1))),
            "options 0 autocomplete",
        ),
    },
    "APPLICATION_COMMAND_OPTIONS_MIN_VALUE_INVALID": {
        "lowest above highest": (command(option(4, min_value=5, max_value=1)), "options 0 min_value")
    },
    "NUMBER_TYPE_RANGE": {"long text": (command(option(3, max_length=6001)), "options 0 max_length")},
    "APPLICATION_COMMAND_TOO_LARGE": {
        "more than 8000 characters": (
            command(
                *(
                    option(
                        name=f"o{n}",
                        choices=[{"name": f"{m}" + "n" * 70, "value": f"{m}"} for m in range(10)],
                    )
                    for n in range(12)
                )
            ),
            "",
        ),
    },
}


@pytest.mark.parametrize(
    ("definition", "path", "code"),
    [pytest.param(*row, code, id=id_) for code, rows in REFUSED.items() for id_, row in rows.items()],
)
async def test_a_bad_definition_is_refused(
    local: LocalDiscord, wire: Wire, definition: dict[str, Any], path: str, code: str
) -> None:
    status, body = await wire.call("PUT", COMMANDS, [definition])

    assert (status, problem(body, 0, *path.split())) == (400, code)
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


async def test_a_bad_definition_posted_alone_is_refused(local: LocalDiscord, wire: Wire) -> None:
    commands = f"/applications/{wire.application_id}/commands"
    status, body = await wire.call("POST", commands, {"name": "A", "description": "d"})

    assert (status, problem(body, "name"), local.commands) == (400, "APPLICATION_COMMAND_INVALID_NAME", [])


async def registered(scene: Scene, *definitions: dict[str, Any]) -> list[dict[str, Any]]:
    """Register these commands; gives them as Discord knows them."""
    status, body = await scene.wire.call("PUT", COMMANDS, [ACT, *definitions])
    assert status == 200
    commands: list[dict[str, Any]] = body[1:]
    return commands


class TestOnAPerson:
    async def test_the_bot_is_told_whom_the_command_is_used_on(self, scene: Scene) -> None:
        (sheet,) = await registered(scene, SHEET)
        bob = scene.alice.server.add_member("Bob")

        interaction, answer = await scene.done(scene.alice.use("Sheet", bob), content="Bob's sheet")

        data = interaction["data"]
        assert (interaction["type"], data["type"], data["id"]) == (2, 2, sheet["id"])
        assert (data["name"], data["target_id"]) == ("Sheet", str(bob.id))
        assert data["resolved"]["users"][str(bob.id)]["global_name"] == "Bob"
        assert "user" not in data["resolved"]["members"][str(bob.id)]
        assert answer.message is not None
        assert answer.message["type"] == 23
        assert answer.message["interaction_metadata"]["target_user"]["id"] == str(bob.id)
        assert answer.message["interaction"]["name"] == "Sheet"

    async def test_a_person_of_another_server_cannot_be_chosen(self, scene: Scene) -> None:
        await registered(scene, SHEET)
        stranger = scene.local.add_server("Elsewhere").add_member("Stranger")

        with pytest.raises(CannotSend, match="nothing that can be picked here"):
            await scene.alice.use("Sheet", stranger)


class TestOnAMessage:
    async def test_the_bot_is_told_which_message_the_command_is_used_on(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "Alice rolls 7"})
        await registered(scene, UNDO)

        interaction, answer = await scene.done(scene.alice.use("Undo this", shown), content="Undone")

        assert shown.message is not None
        assert answer.message is not None
        number = shown.message["id"]
        assert (interaction["data"]["type"], interaction["data"]["target_id"]) == (3, number)
        assert interaction["data"]["resolved"]["messages"][number]["content"] == "Alice rolls 7"
        assert answer.message["interaction_metadata"]["target_message_id"] == number

    async def test_no_command_is_offered_on_a_private_message(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "Psst", "flags": EPHEMERAL})
        await registered(scene, UNDO)

        with pytest.raises(CannotSend, match="only you can see"):
            await scene.alice.use("Undo this", shown)


class TestWhatIsOffered:
    async def test_a_command_is_offered_only_where_it_belongs(self, scene: Scene) -> None:
        await registered(scene, SHEET, UNDO)

        with pytest.raises(CannotSend, match="no command 'Undo this' on a person; there are Sheet"):
            await scene.alice.use("Undo this", scene.alice)
        with pytest.raises(CannotSend, match="There is no command /Sheet"):
            await scene.alice.slash("Sheet")

    async def test_a_command_for_managers_is_not_offered_to_others(self, scene: Scene) -> None:
        await registered(scene, {**SHEET, "default_member_permissions": "32"})

        with pytest.raises(CannotSend, match="Sheet is not shown to Alice"):
            await scene.alice.use("Sheet", scene.alice)

    async def test_only_members_use_the_commands_of_their_server(self, scene: Scene) -> None:
        scope = f"/applications/900000000000000001/guilds/{scene.alice.server.id}/commands"
        await scene.wire.call("PUT", scope, [SHEET])
        stranger = scene.local.add_server("Elsewhere").add_member("Stranger")

        with pytest.raises(CannotSend, match="there are none"):
            await stranger.use("Sheet", stranger)

        interaction, _ = await scene.done(scene.alice.use("Sheet", scene.alice))
        assert interaction["data"]["guild_id"] == str(scene.alice.server.id)

    @pytest.mark.parametrize("kind", [2, 3])
    async def test_sixteen_commands_of_one_kind_are_refused(self, wire: Wire, kind: int) -> None:
        names = [{"name": f"Menu {number}", "type": kind} for number in range(16)]
        accepted, _ = await wire.call("PUT", COMMANDS, names[:15])
        refused, body = await wire.call("PUT", COMMANDS, names)

        assert (accepted, refused) == (200, 400)
        assert problem(body) == "APPLICATION_COMMANDS_EXCEEDED"
