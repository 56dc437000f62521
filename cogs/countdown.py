"""Countdowns: `/countdown`, and the buttons of the board that follows them."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.rules.kernel.outcome import MINUS
from bot.rules.shared.countdowns import Status, Term, Visibility
from bot.table.base.results import Result
from bot.table.journal.suggest import things
from bot.table.play import countdown_actions, countdown_plans
from bot.table.play.countdown_actions import SkillWanted
from bot.table.play.countdown_plans import Listing
from bot.table.play.countdowns import CountdownView
from bot.ui.commands.options import PRESSED, complete_character, completed, completed_by
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.presses import Interaction, Press, press_id, table_and_request
from bot.ui.live.countdown_board import paragraph, show_done, skill_form
from bot.ui.live.result_messages import tell
from bot.ui.text.reply import Accent, Block, Button, Form, Look, Reply, private_page
from bot.ui.text.roll_text import escape, listed, shorten

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper


async def _skills(interaction: Interaction, typed: str) -> list[Choice]:
    return await things(*table_and_request(interaction), "skill", typed)


complete_running = completed_by(countdown_plans.choices, for_gm=True)
complete_any = completed_by(countdown_plans.choices, are_over=True)
complete_skill = completed(_skills)

FOR_GM = "gm"

Name = app_commands.Range[str, 1, 60]
Skill = app_commands.Range[str, 1, 80]
Steps = app_commands.Range[int, 1, 12]


class Countdown(
    commands.GroupCog, group_name="countdown", group_description="Countdowns to good and bad things"
):
    """The countdown commands."""

    @app_commands.command(name="show", description="See the countdowns you know about")
    @app_commands.describe(name="Only this one, even if it is over")
    @app_commands.autocomplete(name=complete_any)
    async def show(self, interaction: Interaction, name: Name | None = None) -> None:
        """Show countdowns."""
        await answer(
            interaction, listing_reply(await countdown_plans.listing(*table_and_request(interaction), name))
        )

    @app_commands.command(
        name="advance",
        description="Advance a countdown (players need GM permission)",
        extras={PRESSED: True},
    )
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
            *table_and_request(interaction), name, steps, skill=skill or "", character=character
        )
        await show_done(interaction, done)


async def on_count(interaction: Interaction, press: Press) -> None:
    """Move a countdown one step; ask for the skill first if the countdown needs one."""
    done = await countdown_actions.press(
        *table_and_request(interaction),
        press.number(),
        is_back=press.argument(1) == "down",
        for_gm=FOR_GM in press.arguments,
    )
    if isinstance(done, SkillWanted):
        await ask_form(interaction, board_skill_form(done, for_gm=FOR_GM in press.arguments))
    else:
        await _tell(interaction, done, for_gm=FOR_GM in press.arguments)


async def on_skill(interaction: Interaction, press: Press) -> None:
    """Move a countdown one step with the skill entered in the form."""
    for_gm = press.argument(1) == FOR_GM
    table, request = table_and_request(interaction)
    skill = press.fields.get("skill", "")
    done = await countdown_actions.press(table, request, press.number(), skill=skill, for_gm=for_gm)
    if isinstance(done, Result):  # with a skill none is asked for
        await _tell(interaction, done, for_gm=for_gm)


async def _tell(interaction: Interaction, done: Result, *, for_gm: bool) -> None:
    """Post a move and refresh the GM's view; a hidden countdown only shows in the GM's view."""
    if for_gm:
        table, request = table_and_request(interaction)
        await change(interaction, gm_reply(await countdown_plans.gm_listing(table, request)))
    if not for_gm or done.message.is_public:
        await tell(interaction, done)


async def on_counts(interaction: Interaction, press: Press) -> None:
    """Show the GM every countdown, with buttons."""
    table, request = table_and_request(interaction)
    found = await countdown_plans.gm_listing(table, request, press.number())
    await answer(interaction, gm_reply(found))


# --- words ---------------------------------------------------------------------------------------
MOST_FOR_GM = 8
MOST_LINES = 20

# --- for one person ----------------------------------------------------------------------------


def listing_reply(found: Listing) -> Reply:
    """A private list of the countdowns that the person may see."""
    lines = [f"**Countdowns** · {escape(found.campaign)}"]
    lines += [_line(one, is_gm=found.is_gm) for one in found.running[:MOST_LINES]]
    if len(found.running) > MOST_LINES:
        lines.append(f"-# and {len(found.running) - MOST_LINES} more: /countdown show with its name")
    if not (found.running or found.over):
        lines.append("None yet. A GM can start one with /gm countdown create.")
    if found.over:
        lines.append("**Over**")
        lines += [_line(one, is_gm=found.is_gm) for one in found.over]
    return Reply(text=shorten("\n".join(lines), 4000), accent=Accent.BOARD, is_private=True)


def _line(one: CountdownView, *, is_gm: bool) -> str:
    text = paragraph(one)
    if is_gm:
        text += "".join(f"\n-# {line}" for line in _gm_lines(one))
    elif one.consequence:
        text += f"\n-# {escape(one.consequence)}"
    return text


def _gm_lines(one: CountdownView) -> list[str]:
    """The lines about a countdown that only the GM reads."""
    seen = {Visibility.OPEN: "", Visibility.KNOWN: "progress hidden", Visibility.GM: "visible only to you"}
    term = "ends with the session" if one.term is Term.SHORT else "long-term"
    facts = listed([seen[one.visibility], term if one.status is Status.RUNNING else ""])
    lines = [facts, escape(one.note), f"at the end: {escape(one.consequence)}" if one.consequence else ""]
    lines.append("; ".join(escape(tick) for tick in one.history))
    return [line for line in (*lines, escape(one.hint)) if line]


def gm_reply(found: Listing) -> Reply:
    """The GM's view: every running countdown with its buttons."""
    blocks: list[Block] = [f"### Countdowns · {escape(found.campaign)} · GM view"]
    shown = found.running[:MOST_FOR_GM]
    for one in shown:
        blocks.append(_line(one, is_gm=True))
        blocks.append(
            (
                Button(id=press_id("count", one.id, "up", "gm"), label="+ 1", look=Look.MAIN),
                Button(id=press_id("count", one.id, "down", "gm"), label=f"{MINUS} 1"),
            )
        )
    more = len(found.running) - len(shown)
    if more:
        blocks.append(f"-# and {more} more: /countdown show")
    if not shown:
        blocks.append("No countdowns are running. Start one with /gm countdown create.")
    return private_page(blocks)


def board_skill_form(wanted: SkillWanted, *, for_gm: bool) -> Form:
    """The form that asks which skill was used, of a board or of the GM's view."""
    return skill_form(press_id("countskill", wanted.id, "gm" if for_gm else "board"), wanted)


async def setup(bot: "Tablekeeper") -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("count", on_count)
    bot.presses.add("counts", on_counts)
    bot.presses.add("countskill", on_skill)
    await bot.add_cog(Countdown(bot))
