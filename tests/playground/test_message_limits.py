"""What Discord demands of messages, embeds and components, wherever they are sent."""

from __future__ import annotations

from typing import Any

import pytest

from bot.playground.discord import LocalDiscord, Server
from tests.playground.wire import Wire, problem

LAYOUT = 1 << 15
DUPLICATED = "COMPONENT_CUSTOM_ID_DUPLICATED"


def embed(**parts: Any) -> dict[str, Any]:
    return {"embeds": [{"title": "Title", **parts}]}


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def rows(*components: dict[str, Any]) -> dict[str, Any]:
    return {"content": "Choose", "components": [row(*components)]}


def button(**changes: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go", **changes}


def select(**changes: Any) -> dict[str, Any]:
    return {"type": 3, "custom_id": "pick", "options": [{"label": "One", "value": "1"}], **changes}


def layout(*components: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"flags": LAYOUT, "components": list(components), **changes}


def text(content: str = "Words") -> dict[str, Any]:
    return {"type": 10, "content": content}


FIELD = {"name": "Name", "value": "Value"}
FIRST = ("components", 0, "components", 0)


@pytest.mark.parametrize(
    ("body", "path", "code"),
    [
        pytest.param({"content": "a" * 2001}, ("content",), "BASE_TYPE_MAX_LENGTH", id="content of 2001"),
        pytest.param({"embeds": [{"title": "t"}] * 11}, ("embeds",), "BASE_TYPE_MAX_LENGTH", id="11 embeds"),
        pytest.param(
            embed(title="a" * 257), ("embeds", 0, "title"), "BASE_TYPE_MAX_LENGTH", id="title of 257"
        ),
        pytest.param(
            embed(description="a" * 4097),
            ("embeds", 0, "description"),
            "BASE_TYPE_MAX_LENGTH",
            id="description",
        ),
        pytest.param(
            embed(footer={"text": "a" * 2049}),
            ("embeds", 0, "footer", "text"),
            "BASE_TYPE_BAD_LENGTH",
            id="footer",
        ),
        pytest.param(
            embed(author={"name": "a" * 257}),
            ("embeds", 0, "author", "name"),
            "BASE_TYPE_BAD_LENGTH",
            id="author",
        ),
        pytest.param(
            embed(fields=[FIELD] * 26), ("embeds", 0, "fields"), "BASE_TYPE_MAX_LENGTH", id="26 fields"
        ),
        pytest.param(
            embed(fields=[{"name": " ", "value": "v"}]),
            ("embeds", 0, "fields", 0, "name"),
            "BASE_TYPE_REQUIRED",
            id="blank field name",
        ),
        pytest.param(
            embed(fields=[{"name": "n", "value": ""}]),
            ("embeds", 0, "fields", 0, "value"),
            "BASE_TYPE_REQUIRED",
            id="blank field value",
        ),
        pytest.param(
            embed(fields=[{"name": "n" * 257, "value": "v"}]),
            ("embeds", 0, "fields", 0, "name"),
            "BASE_TYPE_BAD_LENGTH",
            id="field name of 257",
        ),
        pytest.param(
            embed(fields=[{"name": "n", "value": "v" * 1025}]),
            ("embeds", 0, "fields", 0, "value"),
            "BASE_TYPE_BAD_LENGTH",
            id="field value of 1025",
        ),
        pytest.param(
            {"embeds": [{"description": "a" * 3001}] * 2},
            ("embeds",),
            "MAX_EMBED_SIZE_EXCEEDED",
            id="6002 in all",
        ),
        pytest.param(
            embed(url="ftp://example"), ("embeds", 0, "url"), "URL_TYPE_INVALID_SCHEME", id="another scheme"
        ),
        pytest.param(embed(color=1 << 24), ("embeds", 0, "color"), "NUMBER_TYPE_RANGE", id="no colour"),
        pytest.param(
            embed(image={"url": "attachment://none.png"}),
            (),
            "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
            id="picture not sent",
        ),
        pytest.param(
            {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
            ("allowed_mentions",),
            "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
            id="mentions said twice",
        ),
        pytest.param(
            {"content": "x", "allowed_mentions": {"users": ["1", 2]}},
            ("allowed_mentions", "users", 1),
            "BASE_TYPE_BAD_STRING",
            id="somebody by a number",
        ),
        pytest.param(
            {"content": "x", "components": [row(button(custom_id=str(n))) for n in range(6)]},
            ("components",),
            "BASE_TYPE_MAX_LENGTH",
            id="6 rows",
        ),
        pytest.param(
            rows(*(button(custom_id=str(n)) for n in range(6))),
            ("components", 0, "components"),
            "BASE_TYPE_BAD_LENGTH",
            id="6 in a row",
        ),
        pytest.param(rows(), ("components", 0, "components"), "BASE_TYPE_BAD_LENGTH", id="empty row"),
        pytest.param(
            {"content": "x", "components": [button()]},
            ("components", 0, "type"),
            "BASE_TYPE_CHOICES",
            id="no row",
        ),
        pytest.param(
            rows(button(label="a" * 81)), (*FIRST, "label"), "BASE_TYPE_MAX_LENGTH", id="button label of 81"
        ),
        pytest.param(
            rows(button(label=None)),
            FIRST,
            "BUTTON_COMPONENT_MUST_HAVE_LABEL_OR_EMOJI",
            id="button without words",
        ),
        pytest.param(
            rows(button(custom_id="a" * 101)),
            (*FIRST, "custom_id"),
            "BASE_TYPE_BAD_LENGTH",
            id="custom id of 101",
        ),
        pytest.param(
            rows(button(custom_id=None)), (*FIRST, "custom_id"), "BASE_TYPE_REQUIRED", id="no custom id"
        ),
        pytest.param(rows(button(style=7)), (*FIRST, "style"), "BASE_TYPE_CHOICES", id="unknown style"),
        pytest.param(
            rows(button(style=5, url="https://example.org")),
            (*FIRST, "custom_id"),
            "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
            id="link with custom id",
        ),
        pytest.param(rows(button(), button()), ("components",), DUPLICATED, id="custom id twice"),
        pytest.param(
            rows(button(emoji={"name": "★"})), ("components",), "COMPONENT_INVALID_EMOJI", id="not an emoji"
        ),
        pytest.param(
            rows(button(emoji={"id": "5", "name": "mop"})),
            ("components",),
            "COMPONENT_INVALID_EMOJI",
            id="not ours",
        ),
        pytest.param(
            rows(select(), button()),
            ("components", 0, "components"),
            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
            id="select beside a button",
        ),
        pytest.param(
            rows(select(options=[])), (*FIRST, "options"), "BASE_TYPE_BAD_LENGTH", id="select without options"
        ),
        pytest.param(
            rows(select(options=[{"label": str(n), "value": str(n)} for n in range(26)])),
            (*FIRST, "options"),
            "BASE_TYPE_BAD_LENGTH",
            id="select of 26",
        ),
        pytest.param(
            rows(select(options=[{"label": "a" * 101, "value": "v"}])),
            (*FIRST, "options", 0, "label"),
            "BASE_TYPE_BAD_LENGTH",
            id="option label of 101",
        ),
        pytest.param(
            rows(select(options=[{"label": "a", "value": "v", "description": "d" * 101}])),
            (*FIRST, "options", 0, "description"),
            "BASE_TYPE_MAX_LENGTH",
            id="option description of 101",
        ),
        pytest.param(
            rows(select(options=[{"label": "a", "value": "v"}, {"label": "b", "value": "v"}])),
            (*FIRST, "options"),
            "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
            id="option twice",
        ),
        pytest.param(
            rows(select(placeholder="a" * 151)),
            (*FIRST, "placeholder"),
            "BASE_TYPE_MAX_LENGTH",
            id="placeholder",
        ),
        pytest.param(
            rows(select(max_values=2)),
            (*FIRST, "max_values"),
            "SELECT_COMPONENT_MAX_VALUES",
            id="more than options",
        ),
        pytest.param(
            rows(select(min_values=3, max_values=2)),
            (*FIRST, "min_values"),
            "SELECT_COMPONENT_MIN_VALUES",
            id="bounds",
        ),
        pytest.param(
            rows({"type": 4, "custom_id": "t", "style": 1, "label": "l"}),
            (*FIRST, "type"),
            "BASE_TYPE_CHOICES",
            id="text input in a message",
        ),
        pytest.param(
            {"components": [text()]},
            ("components", 0, "type"),
            "BASE_TYPE_CHOICES",
            id="layout without the flag",
        ),
        pytest.param(
            layout(text(), content="x"),
            ("content",),
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            id="content in a layout",
        ),
        pytest.param(
            layout(text(), embeds=[{"title": "t"}]),
            ("embeds",),
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            id="embed in a layout",
        ),
        pytest.param(
            layout(*(text() for _ in range(41))),
            ("components",),
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            id="41 components",
        ),
        pytest.param(
            layout(text("a" * 2001), {"type": 17, "components": [text("b" * 2000)]}),
            ("components",),
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            id="4001 characters",
        ),
        pytest.param(
            layout(text(" ")), ("components", 0, "content"), "BASE_TYPE_REQUIRED", id="blank text display"
        ),
        pytest.param(
            layout({"type": 9, "components": [text()]}),
            ("components", 0, "accessory"),
            "BASE_TYPE_REQUIRED",
            id="section",
        ),
        pytest.param(
            layout({"type": 9, "components": [text()] * 4, "accessory": button()}),
            ("components", 0, "components"),
            "BASE_TYPE_BAD_LENGTH",
            id="section of 4 texts",
        ),
        pytest.param(
            layout({"type": 17, "components": [{"type": 17, "components": [text()]}]}),
            (*FIRST, "type"),
            "BASE_TYPE_CHOICES",
            id="container in a container",
        ),
        pytest.param(
            layout({"type": 12, "items": []}),
            ("components", 0, "items"),
            "BASE_TYPE_BAD_LENGTH",
            id="empty gallery",
        ),
        pytest.param(
            layout({"type": 13, "file": {"url": "https://example.org/a"}}),
            ("components", 0, "file", "url"),
            "URL_TYPE_INVALID_SCHEME",
            id="file from elsewhere",
        ),
        pytest.param(
            layout(row(button()), row(button())), ("components",), DUPLICATED, id="layout custom id twice"
        ),
        pytest.param(
            layout({**text(), "id": 3}, {**text(), "id": 3}),
            ("components",),
            "COMPONENT_ID_DUPLICATED",
            id="id twice",
        ),
    ],
)
async def test_a_bad_message_is_refused(
    local: LocalDiscord,
    server: Server,
    wire: Wire,
    body: dict[str, Any],
    path: tuple[str | int, ...],
    code: str,
) -> None:
    status, refusal = await wire.call("POST", f"/channels/{server.channels[0].id}/messages", body)

    assert (status, problem(refusal, *path)) == (400, code)
    assert code in local.breaches[0]
    assert server.owner.sees() == []


@pytest.mark.parametrize(
    "body",
    [{}, {"content": "  \n"}, {"embeds": []}, {"embeds": [{"color": 5}]}, {"flags": LAYOUT}],
    ids=["nothing", "blank", "no embeds", "embed of colour only", "empty layout"],
)
async def test_an_empty_message_is_refused(
    local: LocalDiscord, server: Server, wire: Wire, body: dict[str, Any]
) -> None:
    status, refusal = await wire.call("POST", f"/channels/{server.channels[0].id}/messages", body)

    assert (status, refusal["code"]) == (400, 50006)
    assert local.breaches[0].endswith("it sent an empty message")


@pytest.mark.parametrize(
    "body",
    [
        {"content": "a" * 2000},
        {"embeds": [{"description": "a" * 3000}] * 2},
        embed(fields=[FIELD] * 25),
        {
            "content": "x",
            "components": [row(*(button(custom_id=f"{r}{n}") for n in range(5))) for r in range(5)],
        },
        rows(button(emoji={"name": "🃏"}, label=None), button(custom_id="b", emoji={"name": "♠️"})),
        rows(button(style=5, url="https://example.org", custom_id=None)),
        layout(
            text("a" * 2000), {"type": 17, "accent_color": 1, "components": [text("b" * 2000), {"type": 14}]}
        ),
        layout({"type": 9, "components": [text()], "accessory": button()}, row(select())),
    ],
    ids=["content", "embeds", "fields", "25 buttons", "emoji", "link", "layout", "section"],
)
async def test_a_message_at_its_limits_is_accepted(
    local: LocalDiscord, server: Server, wire: Wire, body: dict[str, Any]
) -> None:
    status, _ = await wire.call("POST", f"/channels/{server.channels[0].id}/messages", body)

    assert (status, local.breaches) == (200, [])
    assert len(server.owner.sees()) == 1


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
