"""What is told later because Discord took no answer: F-REL-06."""

from typing import Any

import aiohttp
import discord
import pytest

from bot.store.records import ALL_SHARDS
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.base.timed import CLAIM_SECONDS
from bot.table.journal import missed_results
from bot.ui.input.presses import press_id
from tests.cogs.desk import Desk, Sent
from tests.table.conftest import Clock, Person

HOW = press_id("fair", "how")


def refusal(status: int = 404, code: int = 10062) -> discord.HTTPException:
    answered: Any = type("Answered", (), {"status": status, "reason": "Not Found"})()
    kinds = {404: discord.NotFound, 503: discord.DiscordServerError}
    return kinds.get(status, discord.HTTPException)(answered, {"code": code, "message": "Unknown"})


async def roll_in_vain(desk: Desk, who: Person, error: Exception) -> None:
    desk.wire.refusal = error
    assert await desk.type(who, "/roll", expression="1d1", label="stairs", secret=True) == []


async def told(desk: Desk, who: Person) -> list[Sent]:
    """What comes behind the answer to somebody's next press."""
    _answer, *more = await desk.press(who, HOW)
    return more


@pytest.mark.parametrize("error", [refusal(), refusal(503, 0), aiohttp.ServerDisconnectedError()])
async def test_a_saved_result_is_told_once_at_the_next_press(
    desk: Desk, gm: Person, ada: Person, clock: Clock, error: Exception
) -> None:
    await roll_in_vain(desk, gm, error)

    (missed,) = await told(desk, gm)

    assert (missed.how, missed.is_private) == ("follow-up", True)
    assert missed.text.startswith(
        f"Your roll at <t:{clock.seconds}:t> was saved, but Discord didn't take my answer:\n"
        "**Gwen** rolls stairs"
    )
    assert "Details" in missed.controls
    assert await told(desk, gm) == []
    assert await told(desk, ada) == []


async def test_a_saved_result_is_told_by_whoever_looks_after_its_server(desk: Desk, gm: Person) -> None:
    await roll_in_vain(desk, gm, refusal())
    desk.bot.missed.forget(ALL_SHARDS)
    assert await told(desk, gm) == []

    await desk.bot.missed.load()

    (missed,) = await told(desk, gm)
    assert "was saved" in missed.text


async def test_an_answer_that_got_through_before_is_not_told_again(desk: Desk, gm: Person) -> None:
    await roll_in_vain(desk, gm, refusal(400, 40060))

    assert await told(desk, gm) == []


async def test_a_result_that_was_told_is_not_told_again_when_something_later_fails(
    desk: Desk, gm: Person
) -> None:
    (sent,) = await desk.type(gm, "/roll", expression="1d1", secret=True)
    desk.wire.refusal = refusal()

    assert await desk.press(gm, sent.controls["Details"]) == []
    assert await told(desk, gm) == []


async def test_a_result_is_told_later_when_telling_fails_too(desk: Desk, gm: Person, clock: Clock) -> None:
    await roll_in_vain(desk, gm, refusal())
    interaction = desk.pressed(gm)
    await interaction.response.defer(ephemeral=True)
    desk.wire.refusal = refusal(503, 0)
    await desk.bot.missed.tell(interaction)

    assert await told(desk, gm) == []  # somebody may still be telling it
    clock.seconds += CLAIM_SECONDS

    (missed,) = await told(desk, gm)
    assert "was saved" in missed.text


async def test_a_form_is_not_followed_by_a_message(desk: Desk, gm: Person) -> None:
    await roll_in_vain(desk, gm, refusal())
    interaction = desk.pressed(gm)
    await interaction.response.send_modal(
        discord.ui.Modal(title="A form", custom_id="x").add_item(
            discord.ui.Label(text="A text", component=discord.ui.TextInput(custom_id="y"))
        )
    )
    before = len(desk.wire.sent)

    await desk.bot.missed.tell(interaction)

    assert len(desk.wire.sent) == before
    assert len(await told(desk, gm)) == 1


async def test_what_is_missed_while_something_else_is_told_is_told_next(
    desk: Desk, gm: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = missed_results.is_waiting

    async def misses_meanwhile(table: Table, request: Request) -> bool:
        is_waiting = await looks(table, request)
        monkeypatch.setattr(missed_results, "is_waiting", looks)
        await roll_in_vain(desk, gm, refusal())
        return is_waiting

    await roll_in_vain(desk, gm, refusal())
    monkeypatch.setattr(missed_results, "is_waiting", misses_meanwhile)
    interaction = desk.pressed(gm)
    await interaction.response.defer(ephemeral=True)
    await desk.bot.missed.tell(interaction)

    (missed,) = await told(desk, gm)
    assert "was saved" in missed.text
