"""What only a GM does: `/gm`."""

from functools import partial
from typing import TYPE_CHECKING, Literal

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.shared.resting import CALL, LONGEST_HOURS
from bot.table.base.results import EntryId, Result
from bot.table.campaigns import fields, gm_offers
from bot.table.characters import admissions
from bot.table.gm import game_clock, gm
from bot.table.journal import journal, log
from bot.table.requests import requested_checks as checks
from bot.ui.commands.journals import give_journal
from bot.ui.commands.module_commands import ModuleCommands
from bot.ui.commands.play import complete_character, complete_countdown, complete_names, completed, play
from bot.ui.input.answer import answer, change
from bot.ui.input.asked import request_of
from bot.ui.input.presses import Interaction, Press
from bot.ui.live.result_messages import tell
from bot.ui.replies.gm_replies import clock_reply, purge_reply, purged_reply
from bot.ui.replies.result_replies import undo_reply

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 100]
Names = app_commands.Range[str, 1, 500]
Text = app_commands.Range[str, 0, 500]
Amount = app_commands.Range[int, -10_000, 10_000]
Count = app_commands.Range[int, 0, 10_000]
Duration = app_commands.Range[int, 1, 100_000]
Hours = app_commands.Range[int, 1, LONGEST_HOURS]
Unit = Literal["seconds", "minutes", "hours", "days"]
SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}


async def _resources(interaction: Interaction, typed: str) -> list[Choice]:
    return await gm_offers.resource_choices(interaction.client.table, request_of(interaction), typed)


async def _awards(interaction: Interaction, typed: str) -> list[Choice]:
    return await gm_offers.award_choices(interaction.client.table, request_of(interaction), typed)


async def _waiting(interaction: Interaction, typed: str) -> list[Choice]:
    return await admissions.choices(interaction.client.table, request_of(interaction), typed)


async def _wounds(interaction: Interaction, typed: str) -> list[Choice]:
    return await gm_offers.wound_choices(interaction.client.table, request_of(interaction), typed)


async def _timers(interaction: Interaction, typed: str) -> list[Choice]:
    who = interaction.namespace.character or ""
    return await gm_offers.timer_choices(interaction.client.table, request_of(interaction), typed, who)


async def _fields(interaction: Interaction, typed: str) -> list[Choice]:
    who = interaction.namespace.character or ""
    return await fields.field_choices(interaction.client.table, request_of(interaction), typed, who)


async def _entries(interaction: Interaction, typed: str) -> list[Choice]:
    return await log.undo_choices(interaction.client.table, request_of(interaction), typed)


async def _checks(interaction: Interaction, typed: str) -> list[Choice]:
    return await checks.check_choices(interaction.client.table, request_of(interaction), typed)


async def _detail(interaction: Interaction, typed: str, *, of_difficulty: bool) -> list[Choice]:
    check = interaction.namespace.check or ""
    table, request = interaction.client.table, request_of(interaction)
    return await checks.detail_choices(table, request, typed, check, of_difficulty=of_difficulty)


complete_resource = completed(_resources)


class Gm(commands.GroupCog, group_name="gm", group_description="What only the GM may do"):
    """The GM's hand in things."""

    set_ = app_commands.Group(name="set", description="GM: set something about a character by hand")
    module = ModuleCommands(name="module", description="GM: what this campaign states about its game")

    @app_commands.command(name="award", description="GM: give characters some of a resource, or take it")
    @app_commands.describe(
        resource="Of what", amount="How much; a number below 0 takes", characters="Whom, separated by commas"
    )
    @app_commands.autocomplete(resource=completed(_awards), characters=complete_names)
    async def award(
        self, interaction: Interaction, resource: Name, amount: Amount, characters: Names
    ) -> None:
        """Awards a resource."""
        names = [name.strip() for name in characters.split(",") if name.strip()]
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await gm.award(table, request, resource, amount, names))

    @app_commands.command(name="admit", description="GM: let a character join that waits for your leave")
    @app_commands.describe(character="Which one")
    @app_commands.autocomplete(character=completed(_waiting))
    async def admit(self, interaction: Interaction, character: Name) -> None:
        """Admits a character."""
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await admissions.admit(table, request, character))

    @set_.command(name="resource", description="GM: set how much of a resource a character has")
    @app_commands.describe(character="Whose", resource="Of what", value="How much")
    @app_commands.autocomplete(character=complete_character, resource=complete_resource)
    async def set_resource(
        self, interaction: Interaction, character: Name, resource: Name, value: Count
    ) -> None:
        """Sets a resource."""
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await gm.set_resource(table, request, resource, value, character))

    @set_.command(name="wounds", description="GM: set how many boxes of a wound level are filled")
    @app_commands.describe(character="Whose", level="Which track and level", filled="How many boxes")
    @app_commands.autocomplete(character=complete_character, level=completed(_wounds))
    async def set_wounds(self, interaction: Interaction, character: Name, level: Name, filled: Count) -> None:
        """Sets wounds."""
        track, _, name = level.partition("·")
        table, request = interaction.client.table, request_of(interaction)
        result = await gm.set_wounds(table, request, track.strip(), name.strip(), filled, character)
        await _tell(interaction, result)

    @set_.command(name="timer", description="GM: let a running timer run out at another time, or stop it")
    @app_commands.describe(
        character="Whose",
        timer="Which one",
        amount="After how much game time; nothing stops it",
        unit="Of what",
    )
    @app_commands.autocomplete(character=complete_character, timer=completed(_timers))
    async def set_timer(
        self,
        interaction: Interaction,
        character: Name,
        timer: Name,
        amount: Duration | None = None,
        unit: Unit = "minutes",
    ) -> None:
        """Sets a timer."""
        seconds = None if amount is None else amount * SECONDS[unit]
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await gm.set_timer(table, request, timer, seconds, character))

    @set_.command(name="field", description="GM: set a field of a character's sheet")
    @app_commands.describe(
        character="Whose", field="Which field", value="What it is from now on", reason="Why"
    )
    @app_commands.autocomplete(character=complete_character, field=completed(_fields))
    async def set_field(
        self, interaction: Interaction, character: Name, field: Name, value: Text, reason: Text = ""
    ) -> None:
        """Sets a field of a sheet."""
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await fields.set_field(table, request, character, field, value, reason))

    @app_commands.command(name="time", description="GM: let game time pass, or see what time it is")
    @app_commands.describe(amount="How much; nothing shows the clock and what it will bring", unit="Of what")
    async def time(
        self, interaction: Interaction, amount: Duration | None = None, unit: Unit = "minutes"
    ) -> None:
        """Lets time pass, or shows the clock."""
        table, request = interaction.client.table, request_of(interaction)
        if amount is None:
            await answer(interaction, clock_reply(await game_clock.clock(table, request)))
        else:
            await _tell(interaction, await game_clock.pass_time(table, request, amount * SECONDS[unit]))

    @app_commands.command(name="npc", description="GM: make a character of your own")
    @app_commands.describe(name="What it is called", hidden="Nobody else knows of it yet")
    async def npc(self, interaction: Interaction, name: Name, hidden: bool = False) -> None:
        """Makes an NPC."""
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await gm.make_npc(table, request, name, is_hidden=hidden))

    @app_commands.command(name="hide", description="GM: hide a character of yours, or show it to everybody")
    @app_commands.describe(character="Whom", show="Let everybody know of it")
    @app_commands.autocomplete(character=complete_character)
    async def hide(self, interaction: Interaction, character: Name, show: bool = False) -> None:
        """Hides or shows an NPC."""
        table, request = interaction.client.table, request_of(interaction)
        await _tell(interaction, await gm.show_or_hide(table, request, character, is_hidden=not show))

    @app_commands.command(name="ask", description="GM: call for a check; everybody asked gets a button")
    @app_commands.describe(
        check="Which check",
        what="What it is of: a skill, an attribute",
        difficulty="How hard it is",
        who="Whom you ask, separated by commas; everybody who plays where left out",
        hidden="Nobody but you learns how hard it is, and what the dice come to",
        countdown="A countdown that each result moves",
        note="What it is about, in your words",
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
        """Calls for a check."""
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
        await tell(interaction, await checks.ask(interaction.client.table, request_of(interaction), wanted))

    @app_commands.command(
        name="rest", description="GM: call for hours of rest; time passes once for everybody"
    )
    @app_commands.describe(
        hours="How many hours",
        who="Who rests, separated by commas; others join by button",
        now="Don't wait for others to join",
    )
    @app_commands.autocomplete(who=complete_names)
    async def rest(
        self, interaction: Interaction, hours: Hours = 8, who: Names | None = None, now: bool = False
    ) -> None:
        """Calls for a rest."""
        names = tuple(name.strip() for name in (who or "").split(",") if name.strip())
        await play(interaction, CALL, hours=hours, who=names, now=now)

    @app_commands.command(name="reset", description="GM: put back now what is put back between two sessions")
    async def reset(self, interaction: Interaction) -> None:
        """Resets the table."""
        await _tell(interaction, await gm.reset(interaction.client.table, request_of(interaction)))

    @app_commands.command(name="undo", description="GM: take back anything in the journal")
    @app_commands.describe(entry="What to take back")
    @app_commands.autocomplete(entry=completed(_entries))
    async def undo(self, interaction: Interaction, entry: Name) -> None:
        """Takes something back."""
        if not entry.isdecimal():
            raise UserError("That is no entry of the journal.", try_this="Choose one of those offered.")
        table, request = interaction.client.table, request_of(interaction)
        await gm.require_gm(table, request)
        done = await journal.undo(table, request, EntryId(int(entry)))
        await answer(interaction, undo_reply(done))

    @app_commands.command(name="export", description="GM: get the whole journal as a file")
    @app_commands.describe(session="Only this session")
    async def export(
        self, interaction: Interaction, session: app_commands.Range[int, 1, 100_000] | None = None
    ) -> None:
        """Gives the journal as a file."""
        await gm.require_gm(interaction.client.table, request_of(interaction))
        await give_journal(interaction, session)

    @app_commands.command(
        name="purge", description="Remove everything about this server (needs Manage Server)"
    )
    async def purge(self, interaction: Interaction) -> None:
        """Shows what would be removed; the button removes it."""
        preview = await gm.purge_preview(interaction.client.table, request_of(interaction))
        await answer(interaction, purge_reply(preview))


async def _tell(interaction: Interaction, result: Result) -> None:
    await tell(interaction, result)


async def on_purge(interaction: Interaction, press: Press) -> None:
    """The buttons under the purge: do it, or do not."""
    if press.arguments[0] == "yes":
        await gm.purge(interaction.client.table, request_of(interaction))
    await change(interaction, purged_reply(is_purged=press.arguments[0] == "yes"))


async def setup(bot: "Tablekeeper") -> None:
    """Adds the commands and the presses to the bot."""
    bot.presses.add("purge", on_purge)
    await bot.add_cog(Gm())
