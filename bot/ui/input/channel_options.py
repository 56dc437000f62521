"""Channel options that accept channels missing from the cache."""

from typing import Any

import discord
from discord import app_commands

KINDS = discord.ChannelType
ROOMS = (KINDS.text, KINDS.voice, KINDS.category, KINDS.news, KINDS.stage_voice, KINDS.forum)
THREADS = (KINDS.news_thread, KINDS.public_thread, KINDS.private_thread)


class _Channel(app_commands.Transformer):
    """A channel transformer that does not need the cache."""

    kinds: tuple[discord.ChannelType, ...]

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A channel option."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> "list[discord.ChannelType]":
        """The kinds offered."""
        return list(self.kinds)

    async def transform(self, _interaction: "discord.Interaction[Any]", value: Any, /) -> Any:
        """Return the value unchanged."""
        return value


class _AnyPlace(_Channel):
    """Any channel to play in: all kinds but media channels, which Discord's API description omits."""

    kinds = (*ROOMS, *THREADS)


class _VoiceRoom(_Channel):
    """A voice channel."""

    kinds = (KINDS.voice, KINDS.stage_voice)


AnyChannel = app_commands.AppCommandChannel | app_commands.AppCommandThread
Place = app_commands.Transform[AnyChannel, _AnyPlace]
Voice = app_commands.Transform[app_commands.AppCommandChannel, _VoiceRoom]
