"""GM commands: `/gm`."""

from typing import TYPE_CHECKING, Literal

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice, tracker
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.rules.shared.resting import CALL, LONGEST_HOURS
from bot.table.campaigns import bestiary, fields
from bot.table.characters import characters
from bot.table.encounters import encounters, prepared_fights
from bot.table.gm import gm
from bot.table.gm.gm import ClockView, PurgePreview
from bot.table.journal import journal, log, suggest
from bot.table.requests import requested_checks as checks
from bot.ui.commands.asking import call_for
from bot.ui.commands.at_desk import on_strip
from bot.ui.commands.options import (
    complete_character,
    complete_countdown,
    complete_names,
    completed,
    completed_by,
    do,
    names,
    play,
    several_completed_by,
)
from bot.ui.commands.session_posts import give_journal
from bot.ui.input.answer import answer, change
from bot.ui.input.presses import Interaction, Press, press_id, table_and_request
from bot.ui.live.result_messages import tell
from bot.ui.replies.links import DESK, FOES, LISTS, SECRETS, STRIP
from bot.ui.replies.result_replies import undo_reply
from bot.ui.text.reply import Accent, Button, Look, Reply
from bot.ui.text.roll_text import escape, shorten
from cogs.gm.countdowns import CountdownCommands
from cogs.gm.desk import on_desk, show_desk
from cogs.gm.desk_words import SECONDS
from cogs.gm.foes import PREPARED, on_foe, on_prepared
from cogs.gm.module import ModuleCommands, on_list
from cogs.gm.secrets import GIVEN, on_given, on_secrets

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

Name = app_commands.Range[str, 1, 100]
Names = app_commands.Range[str, 1, 500]
Amount = app_commands.Range[int, -10_000, 10_000]
Duration = app_commands.Range[int, 1, 100_000]
Hours = app_commands.Range[int, 1, LONGEST_HOURS]
Unit = Literal["seconds", "minutes", "hours", "days"]

Text = app_commands.Range[str, 0, 500]
Count = app_commands.Range[int, 0, 10_000]


class CorrectionCommands(app_commands.Group):
    """The GM's correction commands."""

    @app_commands.command(name="resource", description="Set how much of a resource a character has")
    @app_commands.describe(character="The character", resource="The resource", value="The new amount")
    @app_commands.autocomplete(character=complete_character, resource=completed_by(fields.resource_choices))
    async def set_resource(
        self, interaction: Interaction, character: Name, resource: Name, value: Count
    ) -> None:
        """Set a resource."""
        await do(interaction, gm.set_resource, resource, value, character)

    @app_commands.command(name="wounds", description="Set how many boxes of a wound level are filled")
    @app_commands.describe(character="The character", level="The track and level", filled="How many boxes")
    @app_commands.autocomplete(character=complete_character, level=completed_by(fields.wound_choices))
    async def set_wounds(self, interaction: Interaction, character: Name, level: Name, filled: Count) -> None:
        """Set wounds."""
        track, _, name = level.partition("·")
        await do(interaction, gm.set_wounds, track.strip(), name.strip(), filled, character)

    @app_commands.command(name="timer", description="Change when a timer runs out, or stop it")
    @app_commands.describe(
        character="The character",
        timer="The timer",
        amount="Game time until it runs out (leave out to stop it)",
        unit="The unit of time",
    )
    @app_commands.autocomplete(
        character=complete_character, timer=completed_by(fields.timer_choices, "character")
    )
    async def set_timer(
        self,
        interaction: Interaction,
        character: Name,
        timer: Name,
        amount: Duration | None = None,
        unit: Unit = "minutes",
    ) -> None:
        """Set a timer."""
        seconds = None if amount is None else amount * SECONDS[unit]
        await do(interaction, gm.set_timer, timer, seconds, character)

    @app_commands.command(name="field", description="Set a field of a character's sheet")
    @app_commands.describe(character="The character", field="The field", value="The new value", reason="Why")
    @app_commands.autocomplete(
        character=complete_character,
        field=completed_by(fields.field_choices, "character"),
        value=completed_by(fields.field_values, "character", "field"),
    )
    async def set_field(
        self, interaction: Interaction, character: Name, field: Name, value: Text, reason: Text = ""
    ) -> None:
        """Set a field of a sheet."""
        await do(interaction, fields.set_field, character, field, value, reason)


async def _foes(interaction: Interaction, typed: str) -> list[Choice]:
    """Complete the GM's characters and the foes of the bestiary."""
    table, request = table_and_request(interaction)
    known = await suggest.characters(table, request, typed)
    names = {one.value.casefold() for one in known}
    foes = (one for one in await bestiary.names(table, request, typed) if one.casefold() not in names)
    return [*known, *(Choice(one, f"{one} · bestiary") for one in foes)]


complete_foe = completed(_foes)
complete_participants = several_completed_by(encounters.participants)
complete_hidden = completed_by(encounters.participants, only_hidden=True)
AtOnce = app_commands.Range[int, 1, encounters.MOST_AT_ONCE]


class EncounterCommands(app_commands.Group):
    """The GM's fight commands."""

    @app_commands.command(name="add", description="Add NPCs to the fight, one or several at once")
    @app_commands.describe(
        name="One of your NPCs, a foe of the bestiary, or a new name",
        count="How many; copies and new NPCs are numbered",
        hidden="Hide them from players until /gm encounter reveal",
        mook="New NPCs are mooks, in games that have them",
    )
    @app_commands.autocomplete(name=complete_foe)
    async def add(
        self,
        interaction: Interaction,
        name: Name,
        count: AtOnce = 1,
        hidden: bool = False,
        mook: bool = False,
    ) -> None:
        """Add NPCs to the fight."""
        await do(interaction, prepared_fights.add, name, count=count, is_hidden=hidden, is_mook=mook)

    @app_commands.command(name="reveal", description="Reveal a hidden combatant")
    @app_commands.describe(character="Who is revealed")
    @app_commands.autocomplete(character=complete_hidden)
    async def reveal(self, interaction: Interaction, character: Name) -> None:
        """Reveal a hidden combatant."""
        await play(interaction, tracker.REVEAL, character=character)

    @app_commands.command(name="end", description="End the fight and everything that lasts as long as it")
    async def end(self, interaction: Interaction) -> None:
        """End the fight."""
        await play(interaction, tracker.END)

    @app_commands.command(name="order", description="Set the order of turns, in games that leave it to you")
    @app_commands.describe(characters="The new order, separated by commas")
    @app_commands.autocomplete(characters=complete_participants)
    async def order(self, interaction: Interaction, characters: Names) -> None:
        """Set the order."""
        await play(interaction, tracker.ORDER, characters=names(characters))


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
    @app_commands.autocomplete(resource=completed_by(fields.award_choices), characters=complete_names)
    async def award(
        self, interaction: Interaction, resource: Name, amount: Amount, characters: Names
    ) -> None:
        """Award a resource."""
        names = [name.strip() for name in characters.split(",") if name.strip()]
        await do(interaction, gm.award, resource, amount, names)

    @app_commands.command(name="admit", description="Approve a waiting character")
    @app_commands.describe(character="The character")
    @app_commands.autocomplete(character=completed_by(characters.choices))
    async def admit(self, interaction: Interaction, character: Name) -> None:
        """Approve a character."""
        await do(interaction, characters.admit, character)

    @app_commands.command(name="time", description="Let game time pass, or see the clock")
    @app_commands.describe(
        amount="How much (leave out to see the clock and what is due)", unit="The unit of time"
    )
    async def time(
        self, interaction: Interaction, amount: Duration | None = None, unit: Unit = "minutes"
    ) -> None:
        """Advance the clock, or show it."""
        table, request = table_and_request(interaction)
        if amount is None:
            await answer(interaction, clock_reply(await gm.clock(table, request)))
        else:
            await tell(interaction, await gm.pass_time(table, request, amount * SECONDS[unit]))

    @app_commands.command(name="npc", description="Create an NPC")
    @app_commands.describe(name="The NPC's name", hidden="Hide the NPC from players")
    async def npc(self, interaction: Interaction, name: Name, hidden: bool = False) -> None:
        """Create an NPC."""
        await do(interaction, gm.make_npc, name, is_hidden=hidden)

    @app_commands.command(name="hide", description="Hide an NPC from players, or show it")
    @app_commands.describe(character="The NPC", show="Show the NPC to everyone")
    @app_commands.autocomplete(character=complete_character)
    async def hide(self, interaction: Interaction, character: Name, show: bool = False) -> None:
        """Hide or show an NPC."""
        await do(interaction, gm.show_or_hide, character, is_hidden=not show)

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
        check=completed_by(lambda *asked: checks.check_choices(*asked)),
        what=completed_by(lambda *asked: checks.detail_choices(*asked, of_difficulty=False), "check"),
        difficulty=completed_by(lambda *asked: checks.detail_choices(*asked, of_difficulty=True), "check"),
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
        await do(interaction, gm.reset)

    @app_commands.command(name="undo", description="Undo any entry in the journal")
    @app_commands.describe(entry="The entry to undo")
    @app_commands.autocomplete(entry=completed_by(lambda *asked: log.undo_choices(*asked)))
    async def undo(self, interaction: Interaction, entry: Name) -> None:
        """Undo a journal entry."""
        if not (number := entry.removeprefix("#")).isdecimal():
            raise UserError("There is no such journal entry.", try_this="Choose one from the list.")
        table, request = table_and_request(interaction)
        await gm.require_gm(table, request)
        done = await journal.undo(table, request, await log.numbered(table, request, int(number)))
        await answer(interaction, undo_reply(done))

    @app_commands.command(name="export", description="Download the whole journal as a file")
    @app_commands.describe(session="Only this session's entries")
    async def export(
        self, interaction: Interaction, session: app_commands.Range[int, 1, 100_000] | None = None
    ) -> None:
        """Export the journal as a file."""
        await gm.require_gm(*table_and_request(interaction))
        await give_journal(interaction, session)

    @app_commands.command(
        name="purge", description="Delete everything stored about this server (needs Manage Server)"
    )
    async def purge(self, interaction: Interaction) -> None:
        """Show what a purge would remove; its button removes it."""
        preview = await gm.purge_preview(*table_and_request(interaction))
        await answer(interaction, purge_reply(preview))


async def on_purge(interaction: Interaction, press: Press) -> None:
    """Handle the purge buttons: confirm or cancel."""
    if press.arguments[0] == "yes":
        await gm.purge(*table_and_request(interaction))
    await change(interaction, purged_reply(is_purged=press.arguments[0] == "yes"))


# --- words ---------------------------------------------------------------------------------------

LONGEST = 4000


def purge_reply(preview: PurgePreview) -> Reply:
    """A preview of what a purge removes, with the button that does it."""
    campaigns = counted(preview.campaigns, "campaign")
    characters = counted(preview.characters, "character")
    lines = [
        f"**This deletes everything I store about this server**: {campaigns}, "
        f"{characters}, every session, the whole journal and all seeds.",
        "This can't be undone. Download the journal with /gm export first.",
    ]
    buttons = (
        Button(id=press_id("purge", "yes"), label="Delete everything", look=Look.GRAVE),
        Button(id=press_id("purge", "no"), label="Keep it"),
    )
    return Reply(text="\n".join(lines), accent=Accent.FAILURE, rows=(buttons,), is_private=True)


def purged_reply(*, is_purged: bool) -> Reply:
    """The text that replaces the purge question once it is answered."""
    text = "Everything about this server has been deleted." if is_purged else "Nothing was deleted."
    return Reply(text=text, is_private=True)


def clock_reply(view: ClockView) -> Reply:
    """The game clock and the running timers."""
    waiting = [f"- {escape(line)}" for line in view.waiting] or ["No timers are running."]
    return Reply(text=shorten("\n".join([f"It is **{view.moment}**.", *waiting]), LONGEST), is_private=True)


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("purge", on_purge)
    bot.presses.add(DESK, on_desk)
    bot.presses.add(FOES, on_foe)
    bot.presses.add(STRIP, on_strip)
    bot.presses.add(PREPARED, on_prepared)
    bot.presses.add(SECRETS, on_secrets)
    bot.presses.add(GIVEN, on_given)
    bot.presses.add(LISTS, on_list)
    await bot.add_cog(Gm())
