"""What Discord's client lets nobody send, and what it does with what people type."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot.playground.discord import EVERYONE, CannotSend, Permission, Server, Upload, button_labels
from tests.playground.wire import BUTTON, MESSAGE, MODAL, OPEN, Scene

NUMBER, YES, WHO, WHERE, ROLE, ANYBODY, REAL, FILE = 4, 5, 6, 7, 8, 9, 10, 11


def option(kind: int, name: str, **changes: Any) -> dict[str, Any]:
    return {"type": kind, "name": name, "description": name, **changes}


EVERY_KIND = {
    "name": "act",
    "description": "Acts",
    "options": [
        option(3, "word", required=True, min_length=2, max_length=5),
        option(NUMBER, "count", min_value=1, max_value=9),
        option(3, "suit", choices=[{"name": "Hearts", "value": "h"}]),
        option(YES, "loud"),
        option(WHO, "who"),
        option(WHERE, "where_to", channel_types=[0]),
        option(ROLE, "rank"),
        option(ANYBODY, "anybody"),
        option(REAL, "weight"),
        option(FILE, "letter"),
        option(WHERE, "channel"),
    ],
}
GROUPED = {
    "name": "tea",
    "description": "Tea",
    "options": [
        option(2, "pot", options=[option(1, "fill", options=[option(3, "leaf")])]),
        option(1, "drink"),
    ],
}


async def register(scene: Scene, *definitions: dict[str, Any]) -> None:
    await scene.wire.call("PUT", f"/applications/{scene.wire.application_id}/commands", list(definitions))


async def sent(scene: Scene, line: str, **options: Any) -> dict[str, Any]:
    """The data that the bot gets."""
    interaction, _ = await scene.done(scene.alice.slash(line, **options))
    data: dict[str, Any] = interaction["data"]
    return data


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            ({}, "word: This option is required. Specify a value."),
            ({"word": ""}, "word: This option is required. Specify a value."),
            ({"word": "a"}, "word: Must be 2 characters or more."),
            ({"word": "abcdef"}, "word: Must be 5 characters or fewer."),
            ({"word": "abc", "count": "two"}, "count: Input a valid integer."),
            ({"word": "abc", "count": 1.5}, "count: Input a valid integer."),
            ({"word": "abc", "count": 0}, "count: Must be 1 or more."),
            ({"word": "abc", "count": 10}, "count: Must be 9 or less."),
            ({"word": "abc", "suit": "Clubs"}, "suit: This is not one of the choices."),
            ({"word": "abc", "loud": "yes"}, "loud: Must be true or false."),
            ({"word": "abc", "who": 5}, "5 is nothing that can be picked here"),
            ({"word": "abc", "weight": "heavy"}, "weight: Input a valid number."),
            ({"word": "abc", "letter": "text"}, "This option takes a file"),
            ({"word": "abc", "colour": "red"}, "/act has no option 'colour'"),
        ],
    )
    async def test_an_option_that_does_not_fit_is_not_sent(
        self, scene: Scene, options: dict[str, Any], sentence: str
    ) -> None:
        await register(scene, EVERY_KIND)

        with pytest.raises(CannotSend, match=sentence):
            await scene.alice.slash("act", **options)

    async def test_an_unchecked_command_sends_options_that_do_not_fit(self, scene: Scene) -> None:
        await register(scene, EVERY_KIND)
        data = await sent(scene, "act", count=99, suit="Clubs", unchecked=True)

        assert data["options"] == [
            {"name": "count", "type": 4, "value": 99},
            {"name": "suit", "type": 3, "value": "Clubs"},
        ]

    async def test_typed_numbers_become_numbers_and_choices_their_values(self, scene: Scene) -> None:
        await register(scene, EVERY_KIND)
        data = await sent(scene, "act", weight="1.5", suit="Hearts", count="3", word=" abc ", loud=True)

        assert [given["value"] for given in data["options"]] == ["abc", 3, "h", True, 1.5]

    async def test_picked_people_and_channels_are_sent_resolved(self, scene: Scene) -> None:
        await register(scene, EVERY_KIND)
        server = scene.alice.server
        role = server.add_role("Cook")
        letter = Upload("letter.txt", b"Dear maid")
        data = await sent(
            scene,
            "act",
            where=server.channels[0],
            word="abc",
            who=scene.alice,
            where_to=server.channels[0],
            rank=role,
            anybody=str(role.id),
            letter=letter,
            channel=server.channels[0],
        )
        resolved = data["resolved"]

        assert resolved["users"][str(scene.alice.id)]["global_name"] == "Alice"
        assert "user" not in resolved["members"][str(scene.alice.id)]
        assert "permissions" in resolved["members"][str(scene.alice.id)]
        assert resolved["roles"][str(role.id)]["name"] == "Cook"
        assert resolved["channels"][str(server.channels[0].id)]["name"] == "table"
        (attachment,) = resolved["attachments"].values()
        assert (attachment["filename"], attachment["size"], attachment["ephemeral"]) == (
            "letter.txt",
            9,
            True,
        )

    async def test_a_channel_of_the_wrong_type_cannot_be_picked(self, scene: Scene) -> None:
        await register(scene, EVERY_KIND)
        parlour = scene.alice.server.add_channel("parlour", "voice")

        with pytest.raises(CannotSend, match="This kind of channel cannot be picked"):
            await scene.alice.slash("act", word="abc", where_to=parlour)

    async def test_groups_and_sub_commands_are_sent_nested(self, scene: Scene) -> None:
        await register(scene, GROUPED)
        data = await sent(scene, "tea pot fill", leaf="Assam")

        leaf = {"name": "leaf", "type": 3, "value": "Assam"}
        fill = {"name": "fill", "type": 1, "options": [leaf]}
        assert data["options"] == [{"name": "pot", "type": 2, "options": [fill]}]

    @pytest.mark.parametrize(
        ("line", "sentence"),
        [
            ("coffee", "There is no command /coffee; there are tea"),
            ("tea", "/tea needs one of pot, drink"),
            ("tea pot", "/tea pot needs one of fill"),
            ("tea pot break", "'break' is not among fill"),
        ],
    )
    async def test_an_unknown_command_cannot_be_typed(self, scene: Scene, line: str, sentence: str) -> None:
        await register(scene, GROUPED)

        with pytest.raises(CannotSend, match=sentence):
            await scene.alice.slash(line)

    async def test_an_option_without_autocomplete_offers_nothing(self, scene: Scene) -> None:
        await register(scene, EVERY_KIND)

        with pytest.raises(CannotSend, match="word does not autocomplete"):
            await scene.alice.autocomplete("act", "word", "a")


class TestPermissions:
    @pytest.mark.parametrize(
        ("needed", "who_may"), [(32, ["Gwen", "Owner"]), (0, ["Owner"]), (None, ["Alice", "Gwen", "Owner"])]
    )
    async def test_a_command_is_shown_to_those_who_have_its_permissions(
        self, scene: Scene, needed: int | None, who_may: list[str]
    ) -> None:
        await register(scene, {**GROUPED, "default_member_permissions": needed})
        server = scene.alice.server
        gwen = server.add_member("Gwen", EVERYONE | Permission.MANAGE_SERVER)
        scene.local.deadline_seconds = 0
        may = []
        for member in (scene.alice, gwen, server.owner):
            try:
                await member.slash("tea drink")
            except CannotSend:
                continue
            may.append(member.name)

        assert may == who_may

    async def test_a_hidden_channel_cannot_be_read_or_typed_in(self, scene: Scene) -> None:
        server = scene.alice.server
        cellar = server.add_channel("cellar")
        server.owner.say("Hidden", cellar)
        cellar.deny(server.everyone, Permission.VIEW_CHANNEL)

        assert scene.alice.sees(cellar) == []
        assert len(server.owner.sees(cellar)) == 1
        with pytest.raises(CannotSend, match="Alice does not see #cellar"):
            await scene.alice.slash("act", channel=cellar)

    async def test_commands_can_be_forbidden_in_a_channel(self, scene: Scene) -> None:
        server = scene.alice.server
        server.channels[0].deny(scene.alice, Permission.USE_APPLICATION_COMMANDS)

        with pytest.raises(CannotSend, match="may not use commands in #table"):
            await scene.alice.slash("act")

    async def test_another_servers_channel_is_out_of_reach(self, scene: Scene) -> None:
        elsewhere = scene.local.add_server("Elsewhere")

        with pytest.raises(CannotSend, match="Alice is not in the server of #table"):
            await scene.alice.slash("act", channel=elsewhere.channels[0])

    async def test_permissions_beyond_everyones_come_with_a_role(self, server: Server) -> None:
        gwen = server.add_member("Gwen", EVERYONE | Permission.MANAGE_SERVER)

        assert [role.permissions for role in gwen.roles] == [Permission.MANAGE_SERVER]
        assert gwen.permissions & Permission.MANAGE_SERVER


class TestMessages:
    async def test_only_its_addressee_can_press_an_ephemeral_message(self, scene: Scene) -> None:
        bob = scene.alice.server.add_member("Bob")
        shown = await scene.answered(MESSAGE, {"content": "x", "components": [BUTTON], "flags": 64})

        with pytest.raises(CannotSend, match="Bob does not see this message"):
            await bob.press(shown, "Go")

    async def test_somebody_in_another_server_cannot_reach_a_message(self, scene: Scene) -> None:
        stranger = scene.local.add_server("Elsewhere").add_member("Stranger")
        shown = await scene.answered(MESSAGE, {"content": "x", "components": [BUTTON]})

        with pytest.raises(CannotSend, match="Stranger is not in the server of this message"):
            await stranger.press(shown, "Go", unchecked=True)

    async def test_a_deleted_message_cannot_be_pressed(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "x", "components": [BUTTON]})
        assert shown.message is not None
        message = shown.message
        await scene.wire.call("DELETE", f"/channels/{message['channel_id']}/messages/{message['id']}")

        with pytest.raises(CannotSend, match="The message is gone"):
            await scene.alice.press(message, "Go")

    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            ({"disabled": True}, "'Go' is disabled"),
            ({"style": 5, "url": "https://example.org", "custom_id": None}, "'Go' only opens a link"),
            ({"label": "Stay"}, "no button 'Go'; there are \\['Stay'\\]"),
        ],
    )
    async def test_a_disabled_link_or_missing_button_cannot_be_pressed(
        self, scene: Scene, changes: dict[str, Any], sentence: str
    ) -> None:
        button = {**BUTTON["components"][0], **changes}
        shown = await scene.answered(
            MESSAGE, {"content": "x", "components": [{"type": 1, "components": [button]}]}
        )

        with pytest.raises(CannotSend, match=sentence):
            await scene.alice.press(shown, "Go")

    @pytest.mark.parametrize(
        ("values", "sentence"),
        [
            ((), "Choose 1 to 2, not 0"),
            (("One", "Two", "Three"), "Choose 1 to 2, not 3"),
            (("Four",), "There is no option 'Four'; there are \\['One', 'Two', 'Three'\\]"),
        ],
    )
    async def test_an_invalid_choice_cannot_be_made(
        self, scene: Scene, values: tuple[str, ...], sentence: str
    ) -> None:
        shown = await scene.answered(MESSAGE, {"content": "x", "components": [menu(max_values=2)]})

        with pytest.raises(CannotSend, match=sentence):
            await scene.alice.select(shown, "Pick", *values)

    async def test_people_are_chosen_in_a_user_menu(self, scene: Scene) -> None:
        bob = scene.alice.server.add_member("Bob")
        people = {"type": 1, "components": [{"type": 5, "custom_id": "who", "placeholder": "Who"}]}
        shown = await scene.answered(MESSAGE, {"content": "x", "components": [people]})
        interaction, _ = await scene.done(scene.alice.select(shown, "Who", bob))

        assert interaction["data"]["values"] == [str(bob.id)]
        assert interaction["data"]["resolved"]["users"][str(bob.id)]["global_name"] == "Bob"

    async def test_a_disabled_or_missing_menu_cannot_be_used(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "x", "components": [menu(disabled=True)]})

        with pytest.raises(CannotSend, match="The menu 'Pick' is disabled"):
            await scene.alice.select(shown, "Pick", "One")
        with pytest.raises(CannotSend, match="There is no menu 'List'"):
            await scene.alice.select(shown, "List", "One")

    async def test_a_button_of_emoji_only_goes_by_its_emoji(self, scene: Scene) -> None:
        mop = {"type": 2, "style": 1, "custom_id": "mop", "emoji": {"name": "🧹"}}
        shown = await scene.answered(
            MESSAGE, {"content": "x", "components": [{"type": 1, "components": [mop]}]}
        )
        interaction, task = await scene.act(scene.alice.press(shown, "🧹"))
        await scene.wire.answer(interaction, 6)
        await scene.wire.edit(interaction, {"content": "Swept"})

        assert (interaction["data"]["custom_id"], (await task).buttons) == ("mop", ["🧹"])

    async def test_without_a_message_there_is_nothing_to_press(self, scene: Scene) -> None:
        answer = await scene.answered(OPEN, MODAL)

        with pytest.raises(CannotSend, match="There is no message to act on"):
            await scene.alice.press(answer, "Go")

    async def test_button_labels_are_read_from_any_message(self, scene: Scene) -> None:
        await scene.answered(MESSAGE, {"content": "x", "components": [BUTTON]})

        assert button_labels(scene.alice.sees()[0]) == ["Go"]


def menu(**changes: Any) -> dict[str, Any]:
    options = [{"label": name, "value": name.lower()} for name in ("One", "Two", "Three")]
    select = {"type": 3, "custom_id": "pick", "placeholder": "Pick", "options": options, **changes}
    return {"type": 1, "components": [select]}


def labelled(label: str, **field: Any) -> dict[str, Any]:
    return {"type": 18, "label": label, "component": {"custom_id": label.lower(), **field}}


RED, BLUE = {"label": "Red", "value": "r"}, {"label": "Blue", "value": "b", "default": True}
OPTIONS = [RED, BLUE]


class TestForms:
    @pytest.mark.parametrize(
        ("field", "value", "sentence"),
        [
            ({}, "", "Name: This field is required"),
            ({"min_length": 3}, "ab", "Name: Must be 3 or more in length"),
            ({"max_length": 3}, "abcd", "Name: Must be 3 or fewer in length"),
            ({}, "two\nlines", "Name: This field takes one line"),
        ],
    )
    async def test_a_text_that_does_not_fit_is_not_sent(
        self, scene: Scene, field: dict[str, Any], value: str, sentence: str
    ) -> None:
        form = {**MODAL, "components": [labelled("Name", type=4, style=1, **field)]}
        opened = await scene.answered(OPEN, form)

        with pytest.raises(CannotSend, match=sentence):
            await scene.alice.submit(opened, name=value)

    @pytest.mark.parametrize(
        ("field", "sentence"),
        [
            ({"type": 21, "options": OPTIONS}, None),
            ({"type": 21, "options": [RED, {"label": "Blue", "value": "b"}]}, "l: "),
            ({"type": 22, "options": [RED], "required": False}, None),
            ({"type": 22, "options": [RED]}, "l: This field is required"),
            (
                {"type": 22, "options": [{**RED, "default": True}, BLUE], "max_values": 2}
                | {"min_values": 0, "required": False},
                None,
            ),
        ],
    )
    async def test_fields_left_alone_are_required_unless_said_otherwise(
        self, scene: Scene, field: dict[str, Any], sentence: str | None
    ) -> None:
        opened = await scene.answered(OPEN, {**MODAL, "components": [labelled("l", **field)]})
        if sentence is not None:
            with pytest.raises(CannotSend, match=sentence):
                await scene.alice.submit(opened)
            return
        _, answer = await scene.done(scene.alice.submit(opened), content="Thanks")

        assert answer.text == "Thanks"

    async def test_an_unknown_field_cannot_be_filled(self, scene: Scene) -> None:
        opened = await scene.answered(OPEN, MODAL)

        with pytest.raises(CannotSend, match="The form has no field 'colour'"):
            await scene.alice.submit(opened, name="Ada", colour="red")

    async def test_nothing_is_sent_without_an_open_form(self, scene: Scene) -> None:
        shown = await scene.answered(MESSAGE, {"content": "x"})

        with pytest.raises(CannotSend, match="No form is open"):
            await scene.alice.submit(shown, name="Ada")

    async def test_every_kind_of_field_is_sent_as_filled(self, scene: Scene) -> None:
        form = {
            **MODAL,
            "components": [
                {"type": 10, "content": "Please fill in"},
                labelled("Colour", type=3, options=OPTIONS),
                labelled("Letter", type=19),
                labelled("Mood", type=21, options=OPTIONS),
                labelled("Wishes", type=22, options=OPTIONS, max_values=2),
            ],
        }
        opened = await scene.answered(OPEN, form)
        letter = Upload("letter.txt", b"Dear maid")
        filling = scene.alice.submit(opened, Colour="Red", letter=letter, wishes=["Red", "b"])
        interaction, _ = await scene.done(filling)
        fields = [entry.get("component") for entry in interaction["data"]["components"]]

        assert fields[0] is None
        assert [field.get("values", field.get("value")) for field in (fields[1], fields[3], fields[4])] == [
            ["r"],
            "b",
            ["r", "b"],
        ]
        assert list(interaction["data"]["resolved"]["attachments"]) == fields[2]["values"]

    @pytest.mark.parametrize(
        ("values", "sentence"),
        [
            ({"wishes": ["Red", "Blue"]}, "Wishes: Choose 1 to 1, not 2"),
            ({"letter": [Upload("a.txt", b"a"), Upload("b.txt", b"b")]}, "Letter: Choose 1 to 1, not 2"),
            ({"letter": "a.txt"}, "This option takes a file"),
            ({"mood": "Sad"}, "There is no option 'Sad'"),
        ],
    )
    async def test_choices_that_do_not_fit_are_not_sent(
        self, scene: Scene, values: dict[str, Any], sentence: str
    ) -> None:
        fields = [
            labelled("Wishes", type=22, options=OPTIONS, max_values=1),
            labelled("Letter", type=19, required=False),
            labelled("Mood", type=21, options=OPTIONS),
        ]
        opened = await scene.answered(OPEN, {**MODAL, "components": fields})

        with pytest.raises(CannotSend, match=sentence):
            await scene.alice.submit(opened, **values)

    async def test_an_optional_field_and_a_checkbox_may_be_left_alone(self, scene: Scene) -> None:
        form = {
            **MODAL,
            "components": [
                labelled("Note", type=4, style=2, required=False),
                labelled("Loud", type=23, default=True),
            ],
        }
        opened = await scene.answered(OPEN, form)
        interaction, _ = await scene.done(scene.alice.submit(opened))

        assert [entry["component"]["value"] for entry in interaction["data"]["components"]] == ["", True]


STYLE = Path(__file__).parents[2] / "bot" / "playground" / "static" / "base.css"
AA = 4.5

ON = {
    "ink": ("ground", "raised", "side", "hover", "pressed", "neutral", "neutral-strong", "private", "code"),
    "soft": ("ground", "raised", "side", "hover", "private", "rail", "pressed", "code"),
    "brand": ("ground", "raised", "hover", "private"),
    "on-brand": ("brand", "brand-strong"),
    "tint-ink": ("tint",),
    "bad-ink": ("ground", "raised", "hover", "private", "bad-tint"),
    "white": ("good", "good-strong", "bad", "bad-strong"),
    **{f"hue-{number}": ("ground", "hover") for number in range(8)},
}


def colours() -> dict[str, dict[str, str]]:
    """The named colours of the light and of the dark look."""
    light, dark = STYLE.read_text(encoding="utf-8").split("@media (prefers-color-scheme: dark)")
    named = {
        look: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", text))
        for look, text in (("light", light), ("dark", dark.split("* {")[0]))
    }
    return {look: {**found, "white": "#ffffff"} for look, found in named.items()}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize(("look", "text"), list(product(("light", "dark"), ON)))
def test_text_can_be_read_on_every_ground_it_stands_on(look: str, text: str) -> None:
    named = colours()[look]

    weak = {
        ground: round(contrast(named[text], named[ground]), 2)
        for ground in ON[text]
        if contrast(named[text], named[ground]) < AA
    }

    assert weak == {}
