"""Files, edits and mentions of messages."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.discord import Server
from tests.playground.wire import Wire, problem


def embed(**parts: Any) -> dict[str, Any]:
    return {"embeds": [{"title": "Title", **parts}]}


async def test_more_than_ten_files_are_refused(server: Server, wire: Wire) -> None:
    path = f"/channels/{server.channels[0].id}/messages"
    status, refusal = await wire.call("POST", path, {"content": "x"}, files=(b"x",) * 11)

    assert (status, problem(refusal, "attachments")) == (400, "BASE_TYPE_MAX_LENGTH")


async def test_a_file_that_is_too_large_is_refused(server: Server, wire: Wire) -> None:
    path = f"/channels/{server.channels[0].id}/messages"
    status, refusal = await wire.call("POST", path, {}, files=(b"x" * (10 * 1024 * 1024 + 1),))

    assert (status, refusal["code"]) == (413, 40005)


async def test_an_edit_is_judged_by_how_the_message_would_stand(server: Server, wire: Wire) -> None:
    path = f"/channels/{server.channels[0].id}/messages"
    _, sent = await wire.call("POST", path, embed(description="a" * 4000))
    status, refusal = await wire.call(
        "PATCH", f"{path}/{sent['id']}", {"embeds": [{"description": "b" * 4097}]}
    )
    emptied, _ = await wire.call("PATCH", f"{path}/{sent['id']}", {"embeds": []})

    assert (status, problem(refusal, "embeds", 0, "description")) == (400, "BASE_TYPE_MAX_LENGTH")
    assert emptied == 400
    assert server.owner.sees()[0]["embeds"][0]["description"] == "a" * 4000


async def test_a_refused_edit_changes_nothing(server: Server, wire: Wire) -> None:
    path = f"/channels/{server.channels[0].id}/messages"
    _, sent = await wire.call("POST", path, {"content": "Before"})
    body = {"content": "After", "embeds": [{"image": {"url": "attachment://none.png"}}]}
    status, _ = await wire.call("PATCH", f"{path}/{sent['id']}", body)

    assert (status, server.owner.sees()[0]["content"]) == (400, "Before")


@pytest.mark.parametrize(
    ("allowed", "users", "everyone"),
    [
        (None, 1, True),
        ({"parse": []}, 0, False),
        ({"parse": ["users"]}, 1, False),
        ({"parse": ["everyone"]}, 0, True),
    ],
)
async def test_mentions_are_those_allowed(
    server: Server, wire: Wire, allowed: dict[str, Any] | None, users: int, everyone: bool
) -> None:
    body: dict[str, Any] = {"content": f"@everyone {server.owner.mention}"}
    body |= {} if allowed is None else {"allowed_mentions": allowed}
    _, sent = await wire.call("POST", f"/channels/{server.channels[0].id}/messages", body)

    assert (len(sent["mentions"]), sent["mention_everyone"]) == (users, everyone)
