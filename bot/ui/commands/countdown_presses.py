"""Handlers for the countdown buttons, menu and form, on the board and in the GM's view."""

from bot.table.base.request import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.countdowns import countdown_actions
from bot.table.countdowns.countdown_actions import SkillWanted
from bot.table.play import boards
from bot.table.play.countdown_plans import Done
from bot.table.sessions.endings import end_preview
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.asked import request_in, request_of
from bot.ui.input.presses import Interaction, Press
from bot.ui.live.result_messages import tell
from bot.ui.replies.countdown_replies import board_skill_form, gm_reply, hints_reply
from bot.ui.replies.desk_ids import HERE
from bot.ui.replies.session_replies import preview_reply

FOR_GM = "gm"


def table_and_request(interaction: Interaction) -> tuple[Table, Request]:
    """The table, and what a person asks of it here."""
    return interaction.client.table, request_of(interaction)


async def show_done(interaction: Interaction, done: Done) -> None:
    """Post a countdown's move and, where a rule gives advice about it, the advice."""
    await tell(interaction, done.result)
    if done.hints:
        await answer(interaction, hints_reply(done.hints))


async def on_count(interaction: Interaction, press: Press) -> None:
    """Move a countdown one step; ask for the skill first if the countdown needs one."""
    done = await countdown_actions.press(
        interaction.client.table,
        request_of(interaction),
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
    table, request = interaction.client.table, request_of(interaction)
    skill = press.fields.get("skill", "")
    done = await countdown_actions.press(table, request, press.number(), skill=skill, for_gm=for_gm)
    if isinstance(done, Result):  # with a skill none is asked for
        await _tell(interaction, done, for_gm=for_gm)


async def _tell(interaction: Interaction, done: Result, *, for_gm: bool) -> None:
    """Post a move and refresh the GM's view; a hidden countdown only shows in the GM's view."""
    if for_gm:
        table, request = interaction.client.table, request_of(interaction)
        await change(interaction, gm_reply(await boards.gm_listing(table, request)))
    if not for_gm or done.message.is_public:
        await tell(interaction, done)


async def on_counts(interaction: Interaction, press: Press) -> None:
    """Show the GM every countdown, with buttons."""
    table, request = interaction.client.table, request_of(interaction)
    found = await boards.gm_listing(table, request, press.number())
    await answer(interaction, gm_reply(found))


async def on_keep(interaction: Interaction, press: Press) -> None:
    """Keep the chosen countdowns running after the session ends."""
    home = press.number_or(1, HERE)
    table, request = interaction.client.table, request_in(interaction, home)
    await countdown_actions.keep(table, request, [int(value) for value in press.values if value.isdecimal()])
    await change(interaction, preview_reply(await end_preview(table, request), home=home))
