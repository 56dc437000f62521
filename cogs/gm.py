"""GM commands: `/gm`."""

from functools import partial
from typing import TYPE_CHECKING, Literal

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.resting import CALL, LONGEST_HOURS
from bot.table.base.results import Result
from bot.table.campaigns import fields
from bot.table.characters import characters as admissions
from bot.table.gm import gm
from bot.table.gm import gm as game_clock
from bot.table.journal import journal, log
from bot.table.requests import requested_checks as checks
from bot.ui.commands.countdowns import CountdownCommands
from bot.ui.commands.desk import on_desk, show_desk
from bot.ui.commands.desk_asks import call_for
from bot.ui.commands.desk_settings import ModuleCommands
from bot.ui.commands.gm_commands import CorrectionCommands
from bot.ui.commands.gm_encounters import EncounterCommands
from bot.ui.commands.journals import give_journal
from bot.ui.commands.play import complete_character, complete_countdown, complete_names, completed, play
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press
from bot.ui.live.result_messages import tell
from bot.ui.replies.desk_forms import clock_reply, purge_reply, purged_reply
from bot.ui.replies.desk_ids import KIND as DESK
from bot.ui.replies.result_replies import undo_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 100]
Names = app_commands.Range[str, 1, 500]
Amount = app_commands.Range[int, -10_000, 10_000]
Duration = app_commands.Range[int, 1, 100_000]
Hours = app_commands.Range[int, 1, LONGEST_HOURS]
Unit = Literal["seconds", "minutes", "hours", "days"]
SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}


async def _awards(interaction: Interaction, typed: str) -> list[Choice]:
    return await fields.award_choices(interaction.client.table, request_of(interaction), typed)


async def _waiting(interaction: Interaction, typed: str) -> list[Choice]:
    return await admissions.choices(interaction.client.table, request_of(interaction), typed)


async def _entries(interaction: Interaction, typed: str) -> list[Choice]:
    return await log.undo_choices(interaction.client.table, request_of(interaction), typed)


async def _checks(interaction: Interaction, typed: str) -> list[Choice]:
    return await checks.check_choices(interaction.client.table, request_of(interaction), typed)


async def _detail(interaction: Interaction, typed: str, *, of_difficulty: bool) -> list[Choice]:
    check = interaction.namespace.check or ""
    table, request = interaction.client.table, request_of(interaction)
    return await checks.detail_choices(table, request, typed, check, of_difficulty=of_difficulty)


class Gm(
    commands.GroupCog,
    group_name="gm",
    group_description="GM only: sessions, fights, countdowns, awards, NPCs",
):
    """The GM commands."""

    set_ = CorrectionCommands(name="set", description="Correct a character by hand")
    encounter = EncounterCommands(name="encounter", description="Fights: add NPCs, reveal them, end a fight")
    countdown = CountdownCommands(name="countdown", description="Start, change and delete countdowns")
    module = ModuleCommands(name="module", description="The campaign's module: its skills, gear and numbers")

    @app_commands.command(name="desk", description="Lead the game from one private page")
    async def desk(self, interaction: Interaction) -> None:
        """Open the desk."""
        await show_desk(interaction)

    @app_commands.command(name="award", description="Give characters a resource, or take it away")
    @app_commands.describe(
        resource="The resource", amount="How much; negative takes away", characters="Who, separated by commas"
    )
    @app_commands.autocomplete(resource=completed(_awards), characters=complete_names)
    async def award(
        self, interaction: Interaction, resource: Name, amount: Amount, characters: Names
    ) -> None:
        """Award a resource."""
        names = [name.strip() for name in characters.split(",") if name.strip()]
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await gm.award(table, request, resource, amount, names))

    @app_commands.command(name="admit", description="Approve a waiting character")
    @app_commands.describe(character="The character")
    @app_commands.autocomplete(character=completed(_waiting))
    async def admit(self, interaction: Interaction, character: Name) -> None:
        """Approve a character."""
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await admissions.admit(table, request, character))

    @app_commands.command(name="time", description="Let game time pass, or see the clock")
    @app_commands.describe(
        amount="How much (leave out to see the clock and what is due)", unit="The unit of time"
    )
    async def time(
        self, interaction: Interaction, amount: Duration | None = None, unit: Unit = "minutes"
    ) -> None:
        """Advance the clock, or show it."""
        table, request = interaction.client.table, request_of(interaction)
        if amount is None:
            await answer(interaction, clock_reply(await game_clock.clock(table, request)))
        else:
            await _tell(interaction, await game_clock.pass_time(table, request, amount * SECONDS[unit]))

    @app_commands.command(name="npc", description="Create an NPC")
    @app_commands.describe(name="The NPC's name", hidden="Hide the NPC from players")
    async def npc(self, interaction: Interaction, name: Name, hidden: bool = False) -> None:
        """Create an NPC."""
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await gm.make_npc(table, request, name, is_hidden=hidden))

    @app_commands.command(name="hide", description="Hide an NPC from players, or show it")
    @app_commands.describe(character="The NPC", show="Show the NPC to everyone")
    @app_commands.autocomplete(character=complete_character)
    async def hide(self, interaction: Interaction, character: Name, show: bool = False) -> None:
        """Hide or show an NPC."""
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await gm.show_or_hide(table, request, character, is_hidden=not show))

    @app_commands.command(name="ask", description="Call for a check; each player gets a button")
    @app_commands.describe(
        check="The check",
        what="What to check, such as a skill or an attribute",
        difficulty="The difficulty",
        who="Who rolls, separated by commas (default: all players)",
        hidden="Hide the difficulty and the outcome (not the dice and totals) from players",
        countdown="A countdown each result advances",
        note="What it is about, in your own words",
        more="Other options of the check, such as: bonus 2, advantage yes",
    )
    @app_commands.autocomplete(
        check=completed(_checks),
        what=completed(partial(_detail, of_difficulty=False)),
        difficulty=completed(partial(_detail, of_difficulty=True)),
        who=complete_names,
        countdown=complete_countdown,
    )
    async def ask(
        self,
        interaction: Interaction,
        check: Name,
        what: Name | None = None,
        difficulty: Name | None = None,
        who: Names | None = None,
        hidden: bool = False,
        countdown: Name | None = None,
        note: app_commands.Range[str, 1, 200] | None = None,
        more: app_commands.Range[str, 1, 200] | None = None,
    ) -> None:
        """Call for a check."""
        wanted = checks.Wanted(
            check=check,
            what=what or "",
            difficulty=difficulty or "",
            more=more or "",
            who=[name.strip() for name in (who or "").split(",") if name.strip()],
            is_hidden=hidden,
            countdown=countdown,
            note=note or "",
        )
        await call_for(interaction, wanted)

    @app_commands.command(name="rest", description="Call for a rest; time passes once for everyone")
    @app_commands.describe(
        hours="How many hours",
        who="Who rests, separated by commas; others join with a button",
        now="Don't wait for others to join",
    )
    @app_commands.autocomplete(who=complete_names)
    async def rest(
        self, interaction: Interaction, hours: Hours = 8, who: Names | None = None, now: bool = False
    ) -> None:
        """Call for a rest."""
        names = tuple(name.strip() for name in (who or "").split(",") if name.strip())
        await play(interaction, CALL, hours=hours, who=names, now=now)

    @app_commands.command(name="reset", description="Do the between-sessions reset now")
    async def reset(self, interaction: Interaction) -> None:
        """Reset the table."""
        await _tell(interaction, await gm.reset(interaction.client.table, request_of(interaction)))

    @app_commands.command(name="undo", description="Undo any entry in the journal")
    @app_commands.describe(entry="The entry to undo")
    @app_commands.autocomplete(entry=completed(_entries))
    async def undo(self, interaction: Interaction, entry: Name) -> None:
        """Undo a journal entry."""
        if not (number := entry.removeprefix("#")).isdecimal():
            raise UserError("There is no such journal entry.", try_this="Choose one from the list.")
        table, request = interaction.client.table, request_of(interaction)
        await gm.require_gm(table, request)
        done = await journal.undo(table, request, await log.numbered(table, request, int(number)))
        await answer(interaction, undo_reply(done))

    @app_commands.command(name="export", description="Download the whole journal as a file")
    @app_commands.describe(session="Only this session's entries")
    async def export(
        self, interaction: Interaction, session: app_commands.Range[int, 1, 100_000] | None = None
    ) -> None:
        """Export the journal as a file."""
        await gm.require_gm(interaction.client.table, request_of(interaction))
        await give_journal(interaction, session)

    @app_commands.command(
        name="purge", description="Delete everything stored about this server (needs Manage Server)"
    )
    async def purge(self, interaction: Interaction) -> None:
        """Show what a purge would remove; its button removes it."""
        preview = await gm.purge_preview(interaction.client.table, request_of(interaction))
        await answer(interaction, purge_reply(preview))


async def _tell(interaction: Interaction, result: Result) -> None:
    await tell(interaction, result)


async def on_purge(interaction: Interaction, press: Press) -> None:
    """Handle the purge buttons: confirm or cancel."""
    if press.arguments[0] == "yes":
        await gm.purge(interaction.client.table, request_of(interaction))
    await change(interaction, purged_reply(is_purged=press.arguments[0] == "yes"))


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("purge", on_purge)
    bot.presses.add(DESK, on_desk)
    await bot.add_cog(Gm())
