"""A small bot on the real client library, with one of everything."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import discord
from discord import app_commands

from bot.app.traffic import ReadyState


class ReadyClient(discord.AutoShardedClient):
    """A client that is ready as soon as Discord has sent its servers."""

    def _get_state(self, **options: Any) -> ReadyState:
        return ReadyState(
            dispatch=self.dispatch, handlers=self._handlers, hooks=self._hooks, http=self.http, **options
        )


class Sample(ReadyClient):
    """One command for each thing that a bot can do."""

    def __init__(self, intents: discord.Intents | None = None, **options: object) -> None:
        super().__init__(intents=intents or sample_intents(), **options)  # type: ignore[arg-type]  # passed through
        self.tree = app_commands.CommandTree(self)
        self.heard: list[str] = []
        self.errors: list[Exception] = []
        add_commands(self)

    async def setup_hook(self) -> None:
        await self.tree.sync()


def sample_intents() -> discord.Intents:
    """Guilds, scheduled events and voice states; none privileged."""
    return discord.Intents(guilds=True, guild_scheduled_events=True, voice_states=True)


class Ask(discord.ui.Modal, title="A question"):
    """Two fields."""

    name: discord.ui.TextInput[Ask] = discord.ui.TextInput(label="Full name", max_length=20)
    colour: discord.ui.Label[Ask] = discord.ui.Label(
        text="Colour",
        component=discord.ui.Select(
            options=[discord.SelectOption(label="Red"), discord.SelectOption(label="Blue")]
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.colour.component, discord.ui.Select)
        chosen = self.colour.component.values
        await interaction.response.send_message(f"{self.name.value} likes {', '.join(chosen)}")


class Board(discord.ui.View):
    """A button of each kind and a menu."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.presses = 0

    @discord.ui.button(label="Count", custom_id="count")
    async def count(self, interaction: discord.Interaction, _: discord.ui.Button[Board]) -> None:
        self.presses += 1
        await interaction.response.edit_message(content=f"Pressed {self.presses} times", view=self)

    @discord.ui.button(label="Ask", custom_id="ask")
    async def ask(self, interaction: discord.Interaction, _: discord.ui.Button[Board]) -> None:
        await interaction.response.send_modal(Ask())

    @discord.ui.button(label="Never", custom_id="never", disabled=True)
    async def never(self, interaction: discord.Interaction, _: discord.ui.Button[Board]) -> None:
        raise AssertionError

    @discord.ui.button(label="Later", custom_id="later")
    async def later(self, interaction: discord.Interaction, _: discord.ui.Button[Board]) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="Done later")

    @discord.ui.select(
        placeholder="Pick",
        custom_id="pick",
        max_values=2,
        options=[discord.SelectOption(label=name, value=name.lower()) for name in ("One", "Two", "Three")],
    )
    async def pick(self, interaction: discord.Interaction, select: discord.ui.Select[Board]) -> None:
        await interaction.response.send_message(" ".join(select.values), ephemeral=True)


def add_commands(bot: Sample) -> None:
    """Register the sample's commands."""

    @bot.tree.command(description="Say something")
    async def say(
        interaction: discord.Interaction, text: app_commands.Range[str, 1, 3000], secret: bool = False
    ) -> None:
        await interaction.response.send_message(text, ephemeral=secret)

    @bot.tree.command(description="Show the board")
    async def board(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("The board", view=Board())

    @bot.tree.command(description="Think first")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True)
        await interaction.followup.send("thought")
        await interaction.followup.send("and more")

    @bot.tree.command(description="Answer too late")
    async def late(interaction: discord.Interaction, seconds: float) -> None:
        await asyncio.sleep(seconds)
        try:
            await interaction.response.send_message("late")
        except discord.NotFound as error:
            bot.errors.append(error)

    @bot.tree.command(description="Pick things")
    async def things(
        interaction: discord.Interaction,
        person: discord.Member,
        role: discord.Role | None = None,
        room: discord.TextChannel | None = None,
        file: discord.Attachment | None = None,
        amount: app_commands.Range[int, 1, 10] = 1,
    ) -> None:
        content = (await file.read()).decode() if file else ""
        parts: list[str | None] = [
            person.display_name,
            role.name if role else None,
            room.name if room else None,
            content,
            str(amount),
        ]
        picture = discord.File(io.BytesIO(b"picture"), filename="a.png")
        embed = discord.Embed(title="Things").set_image(url="attachment://a.png")
        await interaction.response.send_message(" ".join(filter(None, parts)), embed=embed, file=picture)

    @bot.tree.context_menu(name="Who is this?")
    async def who(interaction: discord.Interaction, member: discord.Member) -> None:
        await interaction.response.send_message(f"{member.display_name}, in {member.guild.name}")

    @bot.tree.context_menu(name="Read aloud")
    async def read_aloud(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"{message.author.name} says: {message.content}")

    @bot.tree.command(description="Complete a word")
    async def word(interaction: discord.Interaction, start: str) -> None:
        await interaction.response.send_message(start)

    @word.autocomplete("start")
    async def complete(_: discord.Interaction, text: str) -> list[app_commands.Choice[str]]:
        known = ["maid", "magic", "mop"]
        return [app_commands.Choice(name=name.title(), value=name) for name in known if name.startswith(text)]
