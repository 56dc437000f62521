"""Countdowns: `/countdown`, and the board that follows them."""

from typing import TYPE_CHECKING, Literal

from discord import app_commands
from discord.ext import commands

from bot.rules.shared.countdowns import Kind, Limits, Term, Visibility
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.countdowns import countdown_actions
from bot.table.countdowns.countdown_actions import Edit
from bot.table.play import boards, countdown_plans
from bot.table.play.countdown_plans import Done, Plan
from bot.ui.commands.countdown_choices import (
    complete_any,
    complete_any_for_gm,
    complete_check,
    complete_running,
    complete_skill,
)
from bot.ui.commands.countdown_presses import on_count, on_counts, on_keep, on_skill
from bot.ui.commands.play import complete_character
from bot.ui.input.answer import answer
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction
from bot.ui.live.countdown_board import put_here
from bot.ui.live.result_messages import tell
from bot.ui.replies.countdown_replies import board_placed_reply, hints_reply, listing_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 60]
Text = app_commands.Range[str, 1, 500]
Skill = app_commands.Range[str, 1, 80]
Difficulty = app_commands.Range[int, 1, 12]
Steps = app_commands.Range[int, 1, 12]
Skills = app_commands.Range[int, 2, 12]
Kinds = Literal["success", "failure", "tug-of-war"]
Rivals = Literal["failure", "opposition"]
Seen = Literal["open", "known", "gm"]
Terms = Literal["short", "long"]
Unit = Literal["minutes", "hours", "days"]
SECONDS = {"minutes": 60, "hours": 3600, "days": 86_400}
SEEN = "open: everyone sees it; known: progress hidden; gm: only GMs see it"
TERM = "Short countdowns end with the session, long ones keep running"


class Countdown(
    commands.GroupCog, group_name="countdown", group_description="Countdowns to good and bad things"
):
    """The countdown commands."""

    @app_commands.command(name="create", description="Start a countdown (GM)")
    @app_commands.describe(
        name="Its name: a promise or a threat, not the outcome",
        kind="What advances it: successes, failures, or two sides pulling",
        difficulty="The number of steps, usually 2 to 6",
        start="Where a tug-of-war starts (default: the middle)",
        visibility=SEEN,
        term=TERM,
        once_a_day="Count one success per day of game time",
        once_each="Count one success per character",
        once_a_skill="Count one success per skill",
        skills="How many different skills are needed",
        every="Advance automatically after this much game time",
        unit="The unit of time",
        check="Every result of this check advances it automatically",
        players="Let players advance it by button and /countdown advance",
        consequence="What everyone reads when it resolves",
        note="A note only GMs can read",
    )
    @app_commands.autocomplete(check=complete_check)
    async def create(
        self,
        interaction: Interaction,
        name: Name,
        kind: Kinds,
        difficulty: Difficulty,
        start: Difficulty | None = None,
        visibility: Seen = "open",
        term: Terms = "short",
        once_a_day: bool = False,
        once_each: bool = False,
        once_a_skill: bool = False,
        skills: Skills | None = None,
        every: app_commands.Range[int, 1, 1000] | None = None,
        unit: Unit = "days",
        check: Name | None = None,
        players: bool = False,
        consequence: Text | None = None,
        note: Text | None = None,
    ) -> None:
        """Start a countdown."""
        plan = Plan(
            name=name,
            kind=Kind(kind),
            difficulty=difficulty,
            start=start,
            visibility=Visibility(visibility),
            term=Term(term),
            limits=Limits(
                per_day=once_a_day,
                per_member=once_each,
                per_skill=once_a_skill,
                distinct_skills=skills or 0,
            ),
            every_seconds=None if every is None else every * SECONDS[unit],
            is_shared=players,
            links=() if check is None else (check,),
            consequence=consequence or "",
            note=note or "",
        )
        await _tell(interaction, await countdown_plans.begin(*_asked(interaction), plan))

    @app_commands.command(
        name="duel", description="Start two rival countdowns; the first to finish decides (GM)"
    )
    @app_commands.describe(
        name="What the players want",
        difficulty="The number of successes it takes",
        against="What is against them",
        against_difficulty="The number of steps that takes",
        by="What advances it: the players' failures or the opposition's successes",
        skills="How many different skills the players need to use",
        visibility=SEEN,
        term=TERM,
        check="Every result of this check advances both automatically",
    )
    @app_commands.autocomplete(check=complete_check)
    async def duel(
        self,
        interaction: Interaction,
        name: Name,
        difficulty: Difficulty,
        against: Name,
        against_difficulty: Difficulty,
        by: Rivals = "failure",
        skills: Skills | None = None,
        visibility: Seen = "open",
        term: Terms = "short",
        check: Name | None = None,
    ) -> None:
        """Start a duel."""
        shared = Plan(
            name=name,
            kind=Kind.SUCCESS,
            difficulty=difficulty,
            visibility=Visibility(visibility),
            term=Term(term),
            links=() if check is None else (check,),
            limits=Limits(distinct_skills=skills or 0),
        )
        rival = shared.against(
            against,
            against_difficulty,
            kind=Kind.FAILURE if by == "failure" else Kind.SUCCESS,
        )
        await _tell(interaction, await countdown_plans.begin(*_asked(interaction), shared, rival))

    @app_commands.command(name="show", description="See the countdowns you know about")
    @app_commands.describe(name="Only this one, even if it is over")
    @app_commands.autocomplete(name=complete_any)
    async def show(self, interaction: Interaction, name: Name | None = None) -> None:
        """Show countdowns."""
        await answer(interaction, listing_reply(await boards.listing(*_asked(interaction), name)))

    @app_commands.command(name="board", description="Post the countdown board in this channel (GM)")
    async def board(self, interaction: Interaction) -> None:
        """Post the board."""
        place, before = await boards.place_board(*_asked(interaction))
        await interaction.response.defer(ephemeral=True)
        client = interaction.client
        await put_here(client.boards, client.table, place, before)
        await answer(interaction, board_placed_reply())

    @app_commands.command(name="advance", description="Advance a countdown (players need GM permission)")
    @app_commands.describe(
        name="The countdown",
        steps="How many steps (players: always one)",
        character="Whose success it is; its limits apply (players: their own)",
        skill="The skill used; its limits apply",
    )
    @app_commands.autocomplete(name=complete_running, character=complete_character, skill=complete_skill)
    async def advance(
        self,
        interaction: Interaction,
        name: Name,
        steps: Steps = 1,
        character: Name | None = None,
        skill: Skill | None = None,
    ) -> None:
        """Advance a countdown."""
        done = await countdown_actions.advance(
            *_asked(interaction), name, steps, skill=skill or "", character=character
        )
        await _tell(interaction, done)

    @app_commands.command(name="reverse", description="Move a countdown back (GM)")
    @app_commands.describe(name="The countdown", steps="How many steps")
    @app_commands.autocomplete(name=complete_running)
    async def reverse(self, interaction: Interaction, name: Name, steps: Steps = 1) -> None:
        """Reverse a countdown."""
        await _tell(interaction, await countdown_actions.move(*_asked(interaction), name, -steps))

    @app_commands.command(
        name="set", description="Change a countdown's visibility, length, name or texts (GM)"
    )
    @app_commands.describe(
        name="The countdown",
        to="The new name",
        visibility=SEEN,
        term=TERM,
        players="Let players advance it by button and /countdown advance",
        consequence="What everyone reads when it resolves",
        note="A note only GMs can read",
    )
    @app_commands.autocomplete(name=complete_any_for_gm)
    async def set_(
        self,
        interaction: Interaction,
        name: Name,
        to: Name | None = None,
        visibility: Seen | None = None,
        term: Terms | None = None,
        players: bool | None = None,
        consequence: Text | None = None,
        note: Text | None = None,
    ) -> None:
        """Change a countdown."""
        edit = Edit(
            name=to,
            visibility=None if visibility is None else Visibility(visibility),
            term=None if term is None else Term(term),
            is_shared=players,
            consequence=consequence,
            note=note,
        )
        await _answer(interaction, await countdown_actions.change(*_asked(interaction), name, edit))

    @app_commands.command(name="link", description="Link a countdown to a check's results (GM)")
    @app_commands.describe(name="The countdown", check="The check", end="Remove the link")
    @app_commands.autocomplete(name=complete_running, check=complete_check)
    async def link(self, interaction: Interaction, name: Name, check: Name, end: bool = False) -> None:
        """Link a countdown to a check."""
        result = await countdown_actions.link(*_asked(interaction), name, check, is_linked=not end)
        await _answer(interaction, result)

    @app_commands.command(name="delete", description="Delete a countdown (GM)")
    @app_commands.describe(name="The countdown")
    @app_commands.autocomplete(name=complete_any_for_gm)
    async def delete(self, interaction: Interaction, name: Name) -> None:
        """Delete a countdown."""
        await _answer(interaction, await countdown_actions.delete(*_asked(interaction), name))


def _asked(interaction: Interaction) -> tuple[Table, Request]:
    return interaction.client.table, request_of(interaction)


async def _answer(interaction: Interaction, result: Result) -> None:
    await tell(interaction, result)


async def _tell(interaction: Interaction, done: Done) -> None:
    await _answer(interaction, done.result)
    if done.hints:
        await answer(interaction, hints_reply(done.hints))


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("count", on_count)
    bot.presses.add("counts", on_counts)
    bot.presses.add("countskill", on_skill)
    bot.presses.add("countkeep", on_keep)
    await bot.add_cog(Countdown(bot))
