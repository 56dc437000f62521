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
TWO_DEFAULTS = [{"label": name, "value": name, "default": True} for name in "ab"]


REFUSED: dict[str, dict[str, tuple[dict[str, Any], str]]] = {
    "BASE_TYPE_MAX_LENGTH": {
        "content of 2001": ({"content": "a" * 2001}, "content"),
        "11 embeds": ({"embeds": [{"title": "t"}] * 11}, "embeds"),
        "title of 257": (embed(title="a" * 257), "embeds 0 title"),
        "description": (embed(description="a" * 4097), "embeds 0 description"),
        "26 fields": (embed(fields=[FIELD] * 26), "embeds 0 fields"),
        "6 rows": (
            {"content": "x", "components": [row(button(custom_id=str(n))) for n in range(6)]},
            "components",
        ),
        "button label of 81": (rows(button(label="a" * 81)), "components 0 components 0 label"),
        "option description of 101": (
            rows(select(options=[{"label": "a", "value": "v", "description": "d" * 101}])),
            "components 0 components 0 options 0 description",
        ),
        "placeholder": (rows(select(placeholder="a" * 151)), "components 0 components 0 placeholder"),
    },
    "BASE_TYPE_BAD_LENGTH": {
        "footer": (embed(footer={"text": "a" * 2049}), "embeds 0 footer text"),
        "author": (embed(author={"name": "a" * 257}), "embeds 0 author name"),
        "field name of 257": (embed(fields=[{"name": "n" * 257, "value": "v"}]), "embeds 0 fields 0 name"),
        "field value of 1025": (
            embed(fields=[{"name": "n", "value": "v" * 1025}]),
            "embeds 0 fields 0 value",
        ),
        "6 in a row": (rows(*(button(custom_id=str(n)) for n in range(6))), "components 0 components"),
        "empty row": (rows(), "components 0 components"),
        "custom id of 101": (rows(button(custom_id="a" * 101)), "components 0 components 0 custom_id"),
        "select without options": (rows(select(options=[])), "components 0 components 0 options"),
        "select of 26": (
            rows(select(options=[{"label": str(n), "value": str(n)} for n in range(26)])),
            "components 0 components 0 options",
        ),
        "option label of 101": (
            rows(select(options=[{"label": "a" * 101, "value": "v"}])),
            "components 0 components 0 options 0 label",
        ),
        "section of 4 texts": (
            layout({"type": 9, "components": [text()] * 4, "accessory": button()}),
            "components 0 components",
        ),
        "empty gallery": (layout({"type": 12, "items": []}), "components 0 items"),
    },
    "BASE_TYPE_REQUIRED": {
        "blank field name": (embed(fields=[{"name": " ", "value": "v"}]), "embeds 0 fields 0 name"),
        "blank field value": (embed(fields=[{"name": "n", "value": ""}]), "embeds 0 fields 0 value"),
        "no custom id": (rows(button(custom_id=None)), "components 0 components 0 custom_id"),
        "blank text display": (layout(text(" ")), "components 0 content"),
        "section": (layout({"type": 9, "components": [text()]}), "components 0 accessory"),
    },
    "MAX_EMBED_SIZE_EXCEEDED": {"6002 in all": ({"embeds": [{"description": "a" * 3001}] * 2}, "embeds")},
    "URL_TYPE_INVALID_SCHEME": {
        "another scheme": (embed(url="ftp://example"), "embeds 0 url"),
        "file from elsewhere": (
            layout({"type": 13, "file": {"url": "https://example.org/a"}}),
            "components 0 file url",
        ),
    },
    "NUMBER_TYPE_RANGE": {"no colour": (embed(color=1 << 24), "embeds 0 color")},
    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND": {
        "picture not sent": (embed(image={"url": "attachment://none.png"}), "")
    },
    "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE": {
        "mentions said twice": (
            {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
            "allowed_mentions",
        ),
    },
    "BASE_TYPE_BAD_STRING": {
        "somebody by a number": (
            {"content": "x", "allowed_mentions": {"users": ["1", 2]}},
            "allowed_mentions users 1",
        ),
    },
    "BASE_TYPE_CHOICES": {
        "no row": ({"content": "x", "components": [button()]}, "components 0 type"),
        "unknown style": (rows(button(style=7)), "components 0 components 0 style"),
        "text input in a message": (
            rows({"type": 4, "custom_id": "t", "style": 1, "label": "l"}),
            "components 0 components 0 type",
        ),
        "layout without the flag": ({"components": [text()]}, "components 0 type"),
        "container in a container": (
            layout({"type": 17, "components": [{"type": 17, "components": [text()]}]}),
            "components 0 components 0 type",
        ),
    },
    "BUTTON_COMPONENT_MUST_HAVE_LABEL_OR_EMOJI": {
        "button without words": (rows(button(label=None)), "components 0 components 0")
    },
    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE": {
        "address of a button": (rows(button(url="https://example.org")), "components 0 components 0 url"),
        "link with custom id": (
            rows(button(style=5, url="https://example.org")),
            "components 0 components 0 custom_id",
        ),
    },
    DUPLICATED: {
        "custom id twice": (rows(button(), button()), "components"),
        "layout custom id twice": (layout(row(button()), row(button())), "components"),
    },
    "COMPONENT_INVALID_EMOJI": {
        "not an emoji": (rows(button(emoji={"name": "★"})), "components"),
        "not ours": (rows(button(emoji={"id": "5", "name": "mop"})), "components"),
    },
    "COMPONENT_LAYOUT_WIDTH_EXCEEDED": {
        "select beside a button": (rows(select(), button()), "components 0 components")
    },
    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED": {
        "option twice": (
            rows(select(options=[{"label": "a", "value": "v"}, {"label": "b", "value": "v"}])),
            "components 0 components 0 options",
        ),
    },
    "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES": {
        "two defaults for one choice": (
            rows(select(options=TWO_DEFAULTS)),
            "components 0 components 0 options",
        )
    },
    "STRING_TYPE_CONVERT": {"number as label": (rows(button(label=5)), "components 0 components 0 label")},
    "NUMBER_TYPE_COERCE": {
        "word as bound": (rows(select(min_values="one")), "components 0 components 0 min_values")
    },
    "SELECT_COMPONENT_MAX_VALUES": {
        "more than options": (rows(select(max_values=2)), "components 0 components 0 max_values")
    },
    "SELECT_COMPONENT_MIN_VALUES": {
        "bounds": (rows(select(min_values=3, max_values=2)), "components 0 components 0 min_values")
    },
    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2": {
        "content in a layout": (layout(text(), content="x"), "content"),
        "embed in a layout": (layout(text(), embeds=[{"title": "t"}]), "embeds"),
    },
    "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED": {
        "41 components": (layout(*(text() for _ in range(41))), "components")
    },
    "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED": {
        "4001 characters": (
            layout(text("a" * 2001), {"type": 17, "components": [text("b" * 2000)]}),
            "components",
        ),
    },
    "COMPONENT_ID_DUPLICATED": {"id twice": (layout({**text(), "id": 3}, {**text(), "id": 3}), "components")},
}


@pytest.mark.parametrize(
    ("body", "path", "code"),
    [pytest.param(*row, code, id=id_) for code, rows in REFUSED.items() for id_, row in rows.items()],
)
async def test_a_bad_message_is_refused(
    local: LocalDiscord,
    server: Server,
    wire: Wire,
    body: dict[str, Any],
    path: str,
    code: str,
) -> None:
    status, refusal = await wire.call("POST", f"/channels/{server.channels[0].id}/messages", body)

    assert (status, problem(refusal, *path.split())) == (400, code)
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
        rows({"type": 2, "style": 6, "sku_id": "5"}),
    ],
    ids=["content", "embeds", "fields", "25 buttons", "emoji", "link", "layout", "section", "premium"],
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
