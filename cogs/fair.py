"""The journal and its fairness: `/fair`, `/log`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.kernel.outcome import counted
from bot.table.base.results import EntryId
from bot.table.journal import dice_stats, log
from bot.ui.commands.ruleset_commands import complete_character
from bot.ui.commands.session_posts import give_journal
from bot.ui.input.answer import answer, change
from bot.ui.input.presses import Interaction, Press, number_of, press_id
from bot.ui.input.requests import table_and_request
from bot.ui.replies.result_replies import headline
from bot.ui.text.reply import IN_MENU, Accent, Button, Reply, Row, Select
from bot.ui.text.text import escape, listed, shorten

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper
    from bot.table.journal.dice_stats import Fairness, SeedState
    from bot.table.journal.log import HiddenLines, LogFilter, LogLine, LogPage


class Fair(commands.Cog):
    """The fairness and journal commands."""

    @app_commands.command(name="fair", description="See the dice seeds and check any roll yourself")
    async def fair(self, interaction: Interaction) -> None:
        """Show the seeds."""
        await _show_seeds(interaction)

    @app_commands.command(name="log", description="Read the log of every roll and change")
    @app_commands.describe(
        character="Only what this character did",
        person="Only what this person did",
        session="Only this session",
        kind="Only entries of this kind",
    )
    @app_commands.autocomplete(character=complete_character)
    async def log(
        self,
        interaction: Interaction,
        character: app_commands.Range[str, 1, 100] | None = None,
        person: discord.Member | None = None,
        session: app_commands.Range[int, 1, 100_000] | None = None,
        kind: Literal["rolls", "changes", "undone", "secret"] | None = None,
    ) -> None:
        """Show the latest page of the journal."""
        who = None if person is None else person.id
        only = log.LogFilter(character=character, person=who, session=session, kind=kind)
        table, request = table_and_request(interaction)
        await answer(interaction, log_reply(await log.page(table, request, only)))


async def _show_seeds(interaction: Interaction) -> None:
    found = await dice_stats.fairness(*table_and_request(interaction))
    await answer(interaction, fair_reply(found))


async def on_fair(interaction: Interaction, press: Press) -> None:
    """Handle the fairness buttons: the seeds, how to check them, the journal as a file."""
    match press.arguments[0]:
        case "file":
            await give_journal(interaction)
        case "how":
            await answer(interaction, how_reply())
        case _:
            await _show_seeds(interaction)


async def on_log(interaction: Interaction, press: Press) -> None:
    """Turn a page of the journal, or limit it to what was chosen in its menu."""
    before = press.number() or None
    found = await log.page(
        *table_and_request(interaction),
        _chosen(press.values[0]) if press.values else _limited(press),
        before=None if before is None else EntryId(before),
    )
    await change(interaction, log_reply(found))


def _chosen(value: str) -> LogFilter:
    """The choice of the page's menu."""
    what, _, which = value.partition("/")
    if what == "kind":
        return log.LogFilter(kind=which)
    number = number_of(which) if which else None
    match what:
        case "session":
            return log.LogFilter(session=number)
        case "character":
            return log.LogFilter(character=number)
        case "person":
            return log.LogFilter(person=number)
        case _:
            return log.LogFilter()


def _limited(press: Press) -> LogFilter:
    """What the page of a button is limited to; an older one knows the character only."""
    character = press.number(1) or None
    person = session = kind = None
    if len(press.arguments) > 2:
        person, session = press.number(2) or None, press.number(3) or None
        kind = None if press.argument(4) == "all" else press.argument(4)
    return log.LogFilter(character=character, person=person, session=session, kind=kind)


# --- words ---------------------------------------------------------------------------------------

LONGEST = 4000
MOST_SEEDS = 5
MOST_CHANGES = 2


def fair_reply(fair: Fairness) -> Reply:
    """The published seeds and fingerprints, with buttons to check the dice."""
    running = f" · session {fair.session} running" if fair.session else ""
    lines = [
        f"**{escape(fair.campaign)}** · dice anyone can check{running}",
        f"Seed {fair.in_use.number}, in use since <t:{fair.in_use.in_use_since}:f>. "
        "Its fingerprint (SHA-256):",
        f"`{fair.in_use.commitment}`",
        *(line for seed in fair.revealed[:MOST_SEEDS] for line in _revealed(seed)),
    ]
    more = len(fair.revealed) - MOST_SEEDS
    lines += [f"-# and {more} more in the journal"] if more > 0 else []
    lines.append("-# The journal has every die; `tablekeeper verify FILE` recomputes them all.")
    rows: tuple[Row, ...] = (
        (
            Button(id=press_id("fair", "file"), label="Download journal"),
            Button(id=press_id("fair", "how"), label="How to check"),
        ),
    )
    return Reply(text=shorten("\n".join(lines), LONGEST), accent=Accent.BOARD, rows=rows, is_private=True)


def _revealed(seed: SeedState) -> list[str]:
    return [
        f"Seed {seed.number}, revealed <t:{seed.revealed_at}:f>",
        f"`{seed.secret}`",
        f"-# fingerprint published before: {seed.commitment}",
    ]


HOW = """\
**Can anyone rig the dice?** No. The seed was fixed, and its fingerprint shown, before you rolled. Discord \
numbers your command afterwards. Seed and number together make the die, so nobody could choose it.
**How to check a die**
1. The fingerprint (SHA-256) of a seed can be read before the seed is used, with /fair or *Proof*: \
note it down. The recap has the first 32 digits of the next one.
2. Every command and button press has an interaction id, a number from Discord. Its die number n (from 0) is \
HMAC-SHA256 with the seed as key over `<interaction id>:<n>`, read as a number; its remainder modulo the \
die's sides, plus 1, is the face. Numbers in the last, incomplete block are skipped.
3. When a session ends, its seed is revealed. Press *Download journal*, then run \
`tablekeeper verify journal.jsonl` or the thirty lines of Python in `docs/fairness.md`.
-# A roll that was undone stays in the journal: undoing is not a re-roll."""


def how_reply() -> Reply:
    """Instructions for checking the dice."""
    return Reply(text=HOW, accent=Accent.BOARD, is_private=True)


def log_reply(page: LogPage) -> Reply:
    """A page of the journal."""
    head = listed([f"**Journal of {escape(page.campaign)}**", *_limits(page)])
    lines = [head, *(_line(one) for one in page.lines)]
    if not page.lines:
        lines.append("Nothing yet." if page.only == log.LogFilter() else "Nothing like that.")
    only = (page.only.character or 0, page.only.person or 0, page.only.session or 0, page.only.kind or "all")
    buttons: list[Button] = []
    if not page.is_latest:
        buttons.append(Button(id=press_id("log", 0, *only), label="Latest"))
    if page.older_than is not None:
        buttons.append(Button(id=press_id("log", page.older_than, *only), label="Older"))
    if page.is_gm:
        buttons.append(Button(id=press_id("secrets", "list", 0), label="Secrets"))
    else:
        buttons.append(Button(id=press_id("given", "list", 0), label="Handouts"))
    buttons.append(Button(id=press_id("fair", "file"), label="Download journal"))
    menu = Select(id=press_id("log", 0, 0), prompt="Show only …", choices=page.filters[:IN_MENU])
    rows: tuple[Row, ...] = (*((menu,) if page.filters else ()), tuple(buttons))
    return Reply(text=shorten("\n".join(lines), LONGEST), accent=Accent.BOARD, rows=rows, is_private=True)


def _limits(page: LogPage) -> list[str]:
    """What the page is limited to, in words."""
    only = page.only
    session = f"session {only.session}" if only.session else ""
    person = f"<@{only.person}>" if only.person else ""
    return [escape(page.about), person, session, log.KINDS.get(only.kind or "", "").lower()]


def _line(one: LogLine | HiddenLines) -> str:
    if isinstance(one, log.HiddenLines):
        between = "–" if one.last - one.first > 1 else ", "
        last = f"{between}#{one.last}" if one.last > one.first else ""
        return f"-# #{one.first}{last}: secret"
    outcome = f"**{escape(one.outcome)}**" if one.outcome else ""
    text = shorten(listed([headline(one.message), outcome, _changes(one)]), 300)
    shown = f"~~{text}~~ · undone" if one.is_undone else text
    return listed([f"<t:{one.at}:t> {shown}", "secret" if one.is_secret else "", f"#{one.number}"])


def _changes(one: LogLine) -> str:
    """A short summary of the first changes."""
    lines = [
        f"{'' if line.who == one.message.who else escape(line.who) + ' '}{escape(line.what)} "
        f"{escape(line.before)} → {escape(line.after)}"
        for line in one.message.changes[:MOST_CHANGES]
    ]
    more = len(one.message.changes) - MOST_CHANGES
    return listed([*lines, f"{counted(more, 'more change')}" if more > 0 else ""], ", ")


async def setup(bot: Tablekeeper) -> None:
    """Add the commands and the button handlers to the bot."""
    bot.presses.add("fair", on_fair)
    bot.presses.add("log", on_log)
    await bot.add_cog(Fair())
