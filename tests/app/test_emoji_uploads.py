"""Uploading emojis: once, only what is missing, and without them where Discord takes none."""

import contextlib
from collections.abc import AsyncIterator

import discord
import pytest

from bot.app.client import address_discord
from bot.app.config import DiscordSettings
from bot.app.emoji_uploads import provide_emojis
from bot.playground.discord import LocalDiscord
from bot.ui.input.dice_emojis import set_emojis, with_emojis

ALL = 66
UPLOADS = r"POST /applications/\d+/emojis"


@pytest.fixture
async def local() -> AsyncIterator[LocalDiscord]:
    async with LocalDiscord(deadline_seconds=60, patience_seconds=60) as opened:
        yield opened
    set_emojis({})


@contextlib.asynccontextmanager
async def logged_in(local: LocalDiscord) -> AsyncIterator[discord.Client]:
    """A client that has only logged in, as after a start; it knows of no emojis."""
    set_emojis({})
    address_discord(DiscordSettings(api_url=local.api_url, gateway_url=local.gateway_url))
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login(local.token)
        yield client


def uploads(local: LocalDiscord) -> int:
    return len([one for one in local.requests if one.method == "POST" and one.path.endswith("/emojis")])


async def test_f_all_29_emojis_are_uploaded_once_over_two_starts(local: LocalDiscord) -> None:
    async with logged_in(local) as client:
        await provide_emojis(client, uploads=True)
        assert with_emojis("⚂", 100).startswith("<:tk_d6_3:")
    async with logged_in(local) as client:
        assert with_emojis("⚂", 100) == "⚂"
        await provide_emojis(client, uploads=True)
        assert with_emojis("⚂", 100).startswith("<:tk_d6_3:")

    assert uploads(local) == len({one["name"] for one in local.emojis}) == ALL
    assert local.breaches == []


async def test_only_what_is_missing_is_uploaded_after_a_failure(local: LocalDiscord) -> None:
    async with logged_in(local) as client:
        await provide_emojis(client, uploads=True)
        del local.emojis[10:]
        local.fail_next(UPLOADS, 503)
        with pytest.raises(discord.DiscordServerError):
            await provide_emojis(client, uploads=True)
        assert with_emojis("⚂", 100).startswith("<:tk_d6_3:")

        await provide_emojis(client, uploads=True)

    assert len(local.emojis) == ALL
    assert uploads(local) == ALL + 1 + ALL - 10


async def test_uploads_wait_where_discord_asks_to(local: LocalDiscord) -> None:
    local.fail_next(UPLOADS, 429, retry_after=0.05)

    async with logged_in(local) as client:
        await provide_emojis(client, uploads=True)

    assert len(local.emojis) == ALL


@pytest.mark.parametrize("status", [400, 403])
async def test_where_discord_refuses_uploads_dice_stay_text(local: LocalDiscord, status: int) -> None:
    local.fail_next(UPLOADS, status)

    async with logged_in(local) as client:
        await provide_emojis(client, uploads=True)

    assert uploads(local) == 1
    assert with_emojis("⚂", 100) == "⚂"


async def test_a_process_that_does_not_upload_uses_what_is_there(local: LocalDiscord) -> None:
    async with logged_in(local) as client:
        await provide_emojis(client, uploads=True)
    async with logged_in(local) as client:
        del local.emojis[1:]
        await provide_emojis(client, uploads=False)

    assert with_emojis("⚀⚂", 100).endswith(">⚂")
    assert len(local.emojis) == 1


async def test_emojis_of_others_are_left_alone(local: LocalDiscord) -> None:
    async with logged_in(local) as client:
        await client.create_application_emoji(name="mop", image=b"\x89PNG\r\n\x1a\n")
        await provide_emojis(client, uploads=True)

    assert len(local.emojis) == ALL + 1
