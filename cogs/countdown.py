"""Countdowns: `/countdown`, and the board that follows them."""

from typing import TYPE_CHECKING, Literal

from discord import app_commands
from discord.ext import commands

from bot.rules.shared.countdowns import Kind, Limits, Term, Visibility
from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.countdowns import countdown_deeds
from bot.table.countdowns.countdown_deeds import Edit
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
SEEN = "Open to all, known with its progress hidden, or only the GM's"
TERM = "Short ones close with the session, long ones run on"


class Countdown(
    commands.GroupCog, group_name="countdown", group_description="Countdowns towards hopes and dangers"
):
    """Countdowns."""

    @app_commands.command(name="create", description="GM: begin a countdown")
    @app_commands.describe(
        name="What it is called; a promise or a threat, not the ending",
        kind="What moves it: successes, failures, or two sides pulling",
        difficulty="How many steps it takes, usually 2 to 6",
        start="Where a tug-of-war begins; its middle where left out",
        visibility=SEEN,
        term=TERM,
        once_a_day="It counts one success a day of game time",
        once_each="It counts one success for each character",
        once_a_skill="It counts one success for each skill",
        skills="How many different skills it takes",
        every="It advances by itself after so much game time",
        unit="Of what",
        check="Every result of this check moves it by itself",
        players="Players may advance it by hand: by its button, and by /countdown advance",
        consequence="What everybody is told once it is resolved",
        note="What only you read",
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
        """Begins a countdown."""
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

    @app_commands.command(name="duel", description="GM: begin two countdowns; the first to end decides")
    @app_commands.describe(
        name="What the players strive for",
        difficulty="How many successes it takes",
        against="What stands against them",
        against_difficulty="How many steps that takes",
        by="What moves it: the players' failures, or the opposition's successes",
        skills="How many different skills the players need",
        visibility=SEEN,
        term=TERM,
        check="Every result of this check moves both by itself",
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
        """Begins a duel."""
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

    @app_commands.command(name="show", description="See the countdowns that you may know of")
    @app_commands.describe(name="Only this one, also one that is over")
    @app_commands.autocomplete(name=complete_any)
    async def show(self, interaction: Interaction, name: Name | None = None) -> None:
        """Shows countdowns."""
        await answer(interaction, listing_reply(await boards.listing(*_asked(interaction), name)))

    @app_commands.command(name="board", description="GM: put the board of the countdowns into this channel")
    async def board(self, interaction: Interaction) -> None:
        """Places the board."""
        place, before = await boards.place_board(*_asked(interaction))
        await interaction.response.defer(ephemeral=True)
        client = interaction.client
        await put_here(client.boards, client.table, place, before)
        await answer(interaction, board_placed_reply())

    @app_commands.command(name="advance", description="Advance a countdown; players where a GM lets them")
    @app_commands.describe(
        name="Which one",
        steps="How far; a player goes one step",
        character="Whose success it counts as, within its limits; a player's own",
        skill="Which skill was used, within its limits",
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
        """Advances a countdown."""
        done = await countdown_deeds.advance(
            *_asked(interaction), name, steps, skill=skill or "", character=character
        )
        await _tell(interaction, done)

    @app_commands.command(name="reverse", description="GM: reverse a countdown by hand")
    @app_commands.describe(name="Which one", steps="How far")
    @app_commands.autocomplete(name=complete_running)
    async def reverse(self, interaction: Interaction, name: Name, steps: Steps = 1) -> None:
        """Reverses a countdown."""
        await _tell(interaction, await countdown_deeds.move(*_asked(interaction), name, -steps))

    @app_commands.command(name="set", description="GM: change who sees a countdown, its term, name or words")
    @app_commands.describe(
        name="Which one",
        to="What it is called from now on",
        visibility=SEEN,
        term=TERM,
        players="Players may advance it by hand: by its button, and by /countdown advance",
        consequence="What everybody is told once it is resolved",
        note="What only you read",
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
        """Changes a countdown."""
        edit = Edit(
            name=to,
            visibility=None if visibility is None else Visibility(visibility),
            term=None if term is None else Term(term),
            is_shared=players,
            consequence=consequence,
            note=note,
        )
        await _answer(interaction, await countdown_deeds.change(*_asked(interaction), name, edit))

    @app_commands.command(name="link", description="GM: let the results of a check move a countdown")
    @app_commands.describe(name="Which one", check="Which check", end="No longer")
    @app_commands.autocomplete(name=complete_running, check=complete_check)
    async def link(self, interaction: Interaction, name: Name, check: Name, end: bool = False) -> None:
        """Links a countdown to a check."""
        result = await countdown_deeds.link(*_asked(interaction), name, check, is_linked=not end)
        await _answer(interaction, result)

    @app_commands.command(name="delete", description="GM: remove a countdown")
    @app_commands.describe(name="Which one")
    @app_commands.autocomplete(name=complete_any_for_gm)
    async def delete(self, interaction: Interaction, name: Name) -> None:
        """Removes a countdown."""
        await _answer(interaction, await countdown_deeds.delete(*_asked(interaction), name))


def _asked(interaction: Interaction) -> tuple[Table, Request]:
    return interaction.client.table, request_of(interaction)


async def _answer(interaction: Interaction, result: Result) -> None:
    await tell(interaction, result)


async def _tell(interaction: Interaction, done: Done) -> None:
    await _answer(interaction, done.result)
    if done.hints:
        await answer(interaction, hints_reply(done.hints))


async def setup(bot: "Tablekeeper") -> None:
    """Adds the commands and the presses to the bot."""
    bot.presses.add("count", on_count)
    bot.presses.add("counts", on_counts)
    bot.presses.add("countskill", on_skill)
    bot.presses.add("countkeep", on_keep)
    await bot.add_cog(Countdown(bot))
