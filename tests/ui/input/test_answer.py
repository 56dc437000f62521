"""From replies to Discord: what is sent, held against Discord's limits whatever is in them."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.app.pace import STANDARD, Pace
from bot.rules.kernel import Choice
from bot.table.base.table import Table
from bot.ui.input.answer import answer, ask_form, bug_reply, change, in_time, post, repost
from bot.ui.input.discord_format import fitted
from bot.ui.input.presses import press_id
from bot.ui.text.reply import (
    Accent,
    Block,
    Button,
    ButtonBeside,
    Divider,
    Field,
    FileField,
    Form,
    Look,
    MenuField,
    Picture,
    Reply,
    Select,
    Sketch,
)
from tests.cogs.desk import Desk, Sent, bare_desk
from tests.table.conftest import Interactions, Person

SOMEBODY = Person(2, "Alice", Interactions())
Send = Callable[..., Sent]
Shown = Callable[[Any, Any], Awaitable[object]]


async def sent(
    reply: Any, *, by: Shown = answer, after_defer: bool = False, desk: Desk | None = None
) -> Sent:
    """What Discord is sent for a reply; the desk has checked it against Discord's limits."""
    desk = desk or await bare_desk(cast("Table", None))
    interaction = desk.pressed(SOMEBODY)
    if after_defer:
        await interaction.response.defer()
    await by(interaction, reply)
    return desk.wire.sent[-1]


@pytest.fixture(scope="module")
def send() -> Iterator[Callable[..., Sent]]:
    """Sends one reply after the other from one desk."""
    with asyncio.Runner() as runner:
        desk = runner.run(bare_desk(cast("Table", None)))
        yield lambda reply, **how: runner.run(sent(reply, desk=desk, **how))


class TestACard:
    async def test_a_card_is_a_container_with_rows_of_buttons_and_pings_nobody(self) -> None:
        reply = Reply(
            text="**Ada** wins",
            accent=Accent.SUCCESS,
            rows=((Button(id=press_id("do", 5), label="Push", look=Look.MAIN),),),
        )

        assert (await sent(reply)).body == {
            "flags": 1 << 15,
            "components": [
                {
                    "type": 17,
                    "accent_color": 0x2F9E6B,
                    "components": [
                        {"type": 10, "content": "**Ada** wins"},
                        {
                            "type": 1,
                            "components": [
                                {
                                    "type": 2,
                                    "style": 1,
                                    "label": "Push",
                                    "disabled": False,
                                    "custom_id": "do:1:5",
                                }
                            ],
                        },
                    ],
                }
            ],
            "attachments": [],
            "allowed_mentions": {"parse": []},
        }

    async def test_a_private_card_is_ephemeral(self) -> None:
        assert (await sent(Reply(text="x", is_private=True))).is_private

    async def test_a_card_after_a_deferral_is_sent_as_a_follow_up(self) -> None:
        assert (await sent(Reply(text="x"), after_defer=True)).how == "follow-up"

    async def test_an_edited_message_loses_its_old_buttons(self) -> None:
        changed = await sent(Reply(text="x"), by=change)

        (container,) = changed.body["components"]
        assert (changed.how, changed.body["attachments"]) == ("edit", [])
        assert container["components"] == [{"type": 10, "content": "x"}]

    async def test_a_card_is_sent_with_its_file(self) -> None:
        reply = Reply(text="x", files=(Picture(name="ada.json", content=b"{}"),))

        assert (await sent(reply)).files == ("ada.json",)

    async def test_a_picture_is_drawn_when_it_is_sent_and_not_again(self) -> None:
        draws: list[str] = []

        def draw() -> bytes:
            draws.append("drawn")
            return b"x"

        sketch = Sketch("ada.webp", "Ada", draw)
        for picture in (sketch, dataclasses.replace(sketch, drawn=b"x")):
            assert (await sent(Reply(blocks=(picture,)))).files == ("ada.webp",)

        assert draws == ["drawn"]


class TestABoard:
    async def test_a_board_is_sent_as_one_container(self) -> None:
        button = Button(id=press_id("b", 1), label="+ Evidence")
        picture = Picture(name="clock.png", content=b"x", alt="Three of four")
        blocks: tuple[Block, ...] = ("**Countdowns**", Divider(), ButtonBeside("Evidence", button), picture)

        body = (await sent(Reply(blocks=blocks, accent=Accent.BOARD))).body

        assert body["flags"] == 1 << 15
        (container,) = body["components"]
        assert [one["type"] for one in container["components"]] == [10, 14, 9, 12]
        gallery = container["components"][3]["items"][0]
        assert (gallery["media"]["url"], gallery["description"]) == (
            "attachment://clock.png",
            "Three of four",
        )

    def test_a_board_with_too_much_text_is_cut_at_the_end(self) -> None:
        blocks = fitted(("a" * 3000, ButtonBeside("b" * 3000, Button(id="x:1:", label="x")), "c"))

        texts = [block if isinstance(block, str) else block.text for block in blocks]  # type: ignore[union-attr]  # no other kinds
        assert [len(text) for text in texts] == [3000, 999, 1]
        assert texts[1].endswith("…")

    def test_a_paragraph_is_never_empty(self) -> None:
        assert fitted(("",)) == ["–"]


class TestAMenu:
    async def test_a_menu_offers_a_repeated_value_once(self) -> None:
        menu = Select(id="x:1:", prompt="Which?", choices=(Choice("a", "A"), Choice("a", "B")))

        (container,) = (await sent(Reply(text="x", rows=(menu,)))).body["components"]
        _text, row = container["components"]

        assert [option["value"] for option in row["components"][0]["options"]] == ["a"]

    async def test_a_menu_preselects_no_more_than_its_maximum(self) -> None:
        choices = tuple(Choice(str(number), str(number)) for number in range(30))
        menu = Select(id="x:1:", prompt="Which?", choices=choices, most=2, chosen=("3", "1", "2"))

        (container,) = (await sent(Reply(text="x", rows=(menu,)))).body["components"]
        _text, row = container["components"]

        options = row["components"][0]["options"]
        assert len(options) == 25
        assert [option["value"] for option in options if option["default"]] == ["1", "2"]


class TestAForm:
    async def test_a_form_is_sent_as_a_modal_with_its_current_values(self) -> None:
        form = Form(
            id=press_id("draft", 3, "wrote", "name"),
            title="Name",
            fields=(Field(key="name", label="What is your character called?", value="Ada", longest=40),),
        )

        modal = await sent(form, by=ask_form)

        assert modal.how == "modal"
        assert modal.body["custom_id"].startswith("draft:1:3:wrote:name~")
        (label,) = modal.body["components"]
        assert label["component"]["value"] == "Ada"

    async def test_a_form_is_not_opened_after_an_answer(self) -> None:
        with pytest.raises(discord.InteractionResponded):
            await sent(Form(id="x:1:", title="x", fields=()), by=ask_form, after_defer=True)

    async def test_a_form_opened_again_has_another_id_so_that_phones_show_its_current_values(self) -> None:
        form = Form(id="x" * 98, title="Name", fields=(Field(key="name", label="Name"),))

        ids = {(await sent(form, by=ask_form)).body["custom_id"] for _ in range(40)}

        assert len(ids) > 1
        assert all(len(one) == 100 for one in ids)

    async def test_a_form_asks_with_menus_radio_buttons_checkboxes_and_files(self) -> None:
        colours = (Choice("r", "Red", "like a rose"), Choice("b", "Blue"))
        form = Form(
            id=press_id("x"),
            title="Check",
            fields=(
                MenuField(key="menu", label="Menu", choices=colours, chosen=("b",)),
                MenuField(key="one", label="One", note="Only one", choices=colours, is_open=True),
                MenuField(key="some", label="Some", choices=colours, least=0, most=9, is_open=True),
                MenuField(key="none", label="None or one", choices=colours, least=0),
                FileField(key="file", label="Portrait", least=0),
            ),
        )

        modal = await sent(form, by=ask_form)

        labels = modal.body["components"]
        asked = {label["label"]: label["component"] for label in labels}
        bounds = {
            name: (one["type"], one.get("min_values"), one.get("max_values"), one["required"])
            for name, one in asked.items()
        }
        assert bounds == {
            "Menu": (3, 1, 1, True),
            "One": (21, None, None, True),
            "Some": (22, 0, 2, False),
            "None or one": (3, 0, 1, False),
            "Portrait": (19, 0, 1, False),
        }
        assert [label.get("description") for label in labels] == [None, "Only one", None, None, None]
        assert [option["default"] for option in asked["Menu"]["options"]] == [False, True]
        assert asked["One"]["options"][0]["description"] == "like a rose"

    async def test_a_form_shows_a_single_choice_as_a_checkbox_and_eleven_as_a_menu(self) -> None:
        many = tuple(Choice(str(number), str(number)) for number in range(11))
        form = Form(
            id=press_id("x"),
            title="Check",
            fields=(
                MenuField(key="one", label="Sure?", choices=many[:1], is_open=True),
                MenuField(key="many", label="Many", choices=many, is_open=True),
            ),
        )

        modal = await sent(form, by=ask_form)

        assert [label["component"]["type"] for label in modal.body["components"]] == [22, 3]


HOSTILE = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["", " ", "\u200b", "\u3164", "@everyone", "*" * 300, "🧙" * 200, "x" * 6000, "\n# \n- "]
    ),
)
BUTTONS = st.lists(HOSTILE, min_size=1, max_size=5)
ROWS = st.lists(BUTTONS, max_size=5)
CHOICES = st.lists(
    st.builds(Choice, st.text("abc", min_size=1, max_size=2), HOSTILE, HOSTILE), min_size=1, max_size=40
)


def rows_of(labels: list[list[str]], places: int = 0) -> tuple[tuple[Button, ...], ...]:
    return tuple(
        tuple(Button(id=press_id("do", places + 10 * line + at), label=label) for at, label in enumerate(row))
        for line, row in enumerate(labels)
    )


class TestWhateverIsInIt:
    """The desk refuses what Discord would refuse, so that sending is the whole test."""

    @given(text=HOSTILE.filter(lambda text: text.strip() != ""), labels=ROWS)
    @settings(deadline=None, max_examples=60)
    def test_discord_accepts_any_card(self, send: Send, text: str, labels: list[list[str]]) -> None:
        send(Reply(text=text, rows=rows_of(labels)))

    @given(texts=st.lists(HOSTILE, min_size=1, max_size=6), labels=ROWS, choices=CHOICES, prompt=HOSTILE)
    @settings(deadline=None, max_examples=60)
    def test_discord_accepts_any_board(
        self,
        send: Send,
        texts: list[str],
        labels: list[list[str]],
        choices: list[Choice],
        prompt: str,
    ) -> None:
        menu = Select(id="m:1:", prompt=prompt, choices=tuple(choices), most=3)
        beside = [
            ButtonBeside(text, Button(id=press_id("b", at), label=text)) for at, text in enumerate(texts[:3])
        ]
        send(Reply(blocks=(*texts, *beside, menu, *rows_of(labels[:4]))))

    @given(title=HOSTILE, labels=st.lists(HOSTILE, min_size=1, max_size=5), value=HOSTILE)
    @settings(deadline=None, max_examples=60)
    def test_discord_accepts_any_form(self, send: Send, title: str, labels: list[str], value: str) -> None:
        fields = tuple(
            Field(key=f"f{number}", label=label, value=value) for number, label in enumerate(labels)
        )
        send(Form(id="x:1:", title=title, fields=fields), by=ask_form)

    @given(
        label=HOSTILE,
        choices=CHOICES,
        least=st.integers(0, 3),
        most=st.integers(1, 40),
        is_open=st.booleans(),
        chosen=st.lists(st.text("abc", min_size=1, max_size=2)),
    )
    @settings(deadline=None, max_examples=60)
    def test_discord_accepts_any_menu_in_a_form(
        self,
        send: Send,
        label: str,
        choices: list[Choice],
        least: int,
        most: int,
        is_open: bool,
        chosen: list[str],
    ) -> None:
        field = MenuField(
            key="f",
            label=label,
            note=label,
            choices=tuple(choices),
            least=min(least, most),
            most=most,
            chosen=tuple(chosen),
            is_open=is_open,
        )
        send(Form(id="x:1:", title="x", fields=(field,)), by=ask_form)


async def test_the_reply_to_a_bug_does_not_reveal_its_cause() -> None:
    answered = await sent(bug_reply("4711", is_kept=False))

    assert answered.text == (
        "Something went wrong on my side. Nothing was changed; please try again.\n-# Report 4711"
    )


@pytest.mark.parametrize("too_long", ["x" * 100])
def test_an_id_too_long_for_discord_raises_an_error(too_long: str) -> None:
    with pytest.raises(ValueError, match="too long"):
        press_id("draft", too_long)


@pytest.mark.parametrize("after_defer", [False, True])
async def test_a_card_of_an_earlier_release_becomes_a_container_and_its_embed_goes(after_defer: bool) -> None:
    """Discord refuses a container in a message that still has an embed."""

    async def over_a_card(interaction: Any, reply: Any) -> None:
        interaction.message.embeds = [discord.Embed(description="a card")]
        await change(interaction, reply)

    blocks = Reply(text="**Ada** wins", accent=Accent.SUCCESS)

    changed = await sent(blocks, by=over_a_card, after_defer=after_defer)
    over_blocks = await sent(blocks, by=change, after_defer=after_defer)

    assert (changed.body["embeds"], changed.body["content"]) == ([], None)
    assert "embeds" not in over_blocks.body


class Requests:
    """discord.py's requests; each lasts a while, and notes which others of its channel go on meanwhile."""

    def __init__(self) -> None:
        self.going_on: list[tuple[str, int]] = []
        self.overlaps: list[tuple[str, int]] = []

    async def send_message(self, channel: int, **_: Any) -> dict[str, str]:
        await self._request("post", channel)
        return {"id": "9"}

    async def edit_message(self, channel: int, message: int, **_: Any) -> None:
        await self._request("edit", channel)

    async def _request(self, kind: str, channel: int) -> None:
        self.overlaps += [one for one in self.going_on if one == (kind, channel)]
        self.going_on.append((kind, channel))
        for _ in range(5):
            await asyncio.sleep(0)
        self.going_on.remove((kind, channel))


async def test_two_edits_or_two_posts_in_a_channel_never_overlap() -> None:
    """discord.py now and then lets one more pass than Discord allows where they do."""
    http = Requests()
    channels = [cast("Any", SimpleNamespace(id=id_, _state=SimpleNamespace(http=http))) for id_ in (1, 2)]
    messages = [
        cast("Any", SimpleNamespace(id=number, channel=channel, _state=channel._state))
        for channel in channels
        for number in range(3)
    ]
    edits = [asyncio.create_task(repost(message, Reply(text="Round 2"))) for message in messages]
    posts = [asyncio.create_task(post(channel, Reply(text="Mira climbs"))) for channel in channels * 3]

    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert sorted(http.going_on) == [("edit", 1), ("edit", 2), ("post", 1), ("post", 2)]
    await asyncio.gather(*edits, *posts)

    assert http.overlaps == []


AT_ONCE = replace(STANDARD, private_promise_seconds=0.001, public_promise_seconds=0.002)


class Response:
    """An interaction with its response in one, which notes what is promised."""

    def __init__(self, *, is_done: bool = False, pace: Pace = AT_ONCE) -> None:
        self.client = SimpleNamespace(pace=pace)
        self.response = self
        self.promises: list[dict[str, Any]] = []
        self._is_done = is_done
        self.promised = asyncio.Event()
        self.asked = asyncio.Event()

    def is_done(self) -> bool:
        self.asked.set()
        return self._is_done

    async def defer(self, **options: Any) -> None:
        self.promises.append(options)
        self.promised.set()


async def slowly(response: Response) -> str:
    """Work that ends only after the promise."""
    await response.promised.wait()
    return "done"


async def at_once() -> str:
    return "done"


async def test_slow_work_changes_the_pressed_message_later() -> None:
    response = Response()

    assert await in_time(response, slowly(response)) == "done"  # type: ignore[arg-type]
    assert response.promises == [{}]


async def test_slow_work_adds_a_private_message_later() -> None:
    response = Response()

    assert await in_time(response, slowly(response), adds=True) == "done"  # type: ignore[arg-type]
    assert response.promises == [{"ephemeral": True, "thinking": True}]


async def test_slow_work_adds_a_public_message_later() -> None:
    response = Response()

    work = in_time(response, slowly(response), adds=True, is_private=False)  # type: ignore[arg-type]
    assert await work == "done"
    assert response.promises == [{"ephemeral": False, "thinking": True}]


async def test_quick_work_needs_no_promise() -> None:
    response = Response(pace=replace(STANDARD, private_promise_seconds=60.0))

    assert await in_time(response, at_once()) == "done"  # type: ignore[arg-type]
    assert response.promises == []


async def test_what_was_answered_meanwhile_is_not_promised_again() -> None:
    response = Response(is_done=True)

    async def work() -> str:
        await response.asked.wait()
        return "done"

    assert await in_time(response, work()) == "done"  # type: ignore[arg-type]
    assert response.promises == []


async def test_work_is_cancelled_where_nothing_can_be_promised() -> None:
    response = Response()
    working = asyncio.Event()

    async def refuse(**_: Any) -> None:
        raise RuntimeError("no connection")

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            working.set()

    response.defer = refuse  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="no connection"):
        await in_time(response, work())  # type: ignore[arg-type]
    await asyncio.wait_for(working.wait(), 60)
