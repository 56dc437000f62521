"""The journal and its fairness: `/fair`, `/log`, `/stats`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.rules.kernel.outcome import counted
from bot.table.base.access import ForGmOnly
from bot.table.base.results import EntryId
from bot.table.journal import dice_stats, log
from bot.ui.commands.options import complete_character
from bot.ui.commands.session_posts import give_journal
from bot.ui.input.answer import answer, change, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, number_of, press_id, table_and_request
from bot.ui.replies.links import STATS, desk_button
from bot.ui.replies.result_replies import headline
from bot.ui.text.charts import faces_picture
from bot.ui.text.reply import IN_MENU, Accent, Block, Button, Look, Reply, Row, Select, private_page
from bot.ui.text.roll_text import escape, listed, plain, shorten

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper
    from bot.table.journal.dice_stats import DiceStats, Fairness, PersonDice, SeedState, Series
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
    bot.presses.add(STATS, on_stats)
    await bot.add_cog(Fair())
    await bot.add_cog(StatsCommand())


class StatsCommand(commands.Cog):
    """The command about dice."""

    @app_commands.command(name="stats", description="See your dice against what fair dice would show")
    async def stats(self, interaction: Interaction) -> None:
        """Show the person's own dice."""
        await answer(interaction, await in_time(interaction, _page(interaction), adds=True))


async def _page(interaction: Interaction, person: int | None = None, sides: int | None = None) -> Reply:
    """Somebody's dice; their chances are computed off the event loop."""
    found = await dice_stats.dice_stats(*table_and_request(interaction), person, sides)
    return await interaction.client.table.computing.run(lambda: stats_reply(found, sides))


async def _everyone(interaction: Interaction) -> Reply:
    found = await dice_stats.dice_stats(*table_and_request(interaction))
    if not found.is_gm:
        raise ForGmOnly("Only a GM can see other people's dice.")
    return await interaction.client.table.computing.run(lambda: everyone_reply(found))


async def on_stats(interaction: Interaction, press: Press) -> None:
    """Turn to another page: somebody's dice, one size of them, or everyone's."""
    match press.argument(0):
        case "all":
            page = _everyone(interaction)
        case "who":
            page = _page(interaction, number_of(press.chosen()))
        case "page":
            page = _page(interaction, press.number(1))
        case "size":
            page = _page(interaction, press.number(1), number_of(press.chosen()))
        case _:
            raise OutOfDate
    shown = await in_time(interaction, page)
    await change(interaction, shown)


# --- words ---------------------------------------------------------------------------------------

MOST_SIZES, MOST_SESSIONS, MOST_PEOPLE = 3, 4, 8
LONGEST_NAME = 16
MANY = 100  # dice
RARE, UNUSUAL, USUAL = 0.01, 0.05, 0.2
LEGEND = "-# %: how often fair dice are that far off. By chance alone, 1 line in 20 is unusual or rare."


def stats_reply(stats: DiceStats, sides: int | None = None) -> Reply:
    """Somebody's dice: of every size, or of one size by session."""
    series = _shown(stats, sides)
    if series is None:
        who = "You have" if stats.is_own else f"{_name(stats.shown)} has"
        lines = [f"{who} rolled no dice in {escape(stats.campaign)} yet."]
    elif sides is None:
        lines = _all_sizes(stats)
    else:
        lines = _one_size(stats, series)
    cut = f"-# The newest {dice_stats.MOST_DICE:,} dice of a size count." if stats.is_cut else ""
    picture = () if series is None else (faces_picture(series.counts),)
    return _drawn((*lines, cut), *picture, *_rows(stats, sides))


def _drawn(lines: Iterable[str], *more: Block) -> Reply:
    """A page like those of the desk, which can take each other's place."""
    text = "\n".join(line for line in lines if line)
    return private_page((text, *more))


def _shown(stats: DiceStats, sides: int | None) -> Series | None:
    """The dice of the chart: those of a size, else of the most frequent one."""
    return next((one for one in stats.shown.series if sides in (None, one.sides)), None)


def _name(one: PersonDice) -> str:
    if one.person == dice_stats.GMS:
        return "The GM"
    return escape(shorten(one.name, LONGEST_NAME)) if one.name else "Somebody"


def _whose(stats: DiceStats) -> str:
    return "Your" if stats.is_own else f"{_name(stats.shown)}'s"


def percent_of(chance: float) -> str:
    """A chance as people read it; small ones with a decimal."""
    if chance < 0.001:
        return "<0.1%"
    return f"{chance:.0%}" if chance >= 0.0995 else f"{chance:.1%}"


def _rated(chance: float) -> str:
    """How far off dice are, in words, and where that is notable the chance of it."""
    if chance >= UNUSUAL:
        return "quite normal" if chance >= USUAL else "a little off"
    return f"**{'rare' if chance < RARE else 'unusual'}** ({percent_of(chance)})"


def _legend(lines: Sequence[str], *chances: Fraction | float) -> list[str]:
    """Lines of dice, and how to read the chance of those far off, where one is shown."""
    return [*lines, LEGEND] if any(chance < UNUSUAL for chance in chances) else [*lines]


def _average(series: Series) -> str:
    """The average, with a second decimal where many dice make it count."""
    return f"{series.average:.{1 if series.rolls < MANY else 2}f}"


def _compared(series: Series) -> str:
    averaged = f"{series.rolls} d{series.sides} averaged {_average(series)}"
    return f"{averaged} (fair: {series.expected:.1f}): {_rated(float(series.chance))}"


def _count(rolls: int) -> str:
    return counted(rolls, "die", "dice")


def _all_sizes(stats: DiceStats) -> list[str]:
    sizes = stats.shown.series
    more = len(sizes) - MOST_SIZES
    lines = [
        f"**{_whose(stats)} dice** in {escape(stats.campaign)}",
        *map(_compared, sizes[:MOST_SIZES]),
        f"and {counted(more, 'more size')}" if more > 0 else "",
    ]
    chances = [one.chance for one in sizes[:MOST_SIZES]]
    return [*_legend(lines, *chances), "-# Undone rolls count: they were rolled."]


def _one_size(stats: DiceStats, series: Series) -> list[str]:
    face, sessions = series.oddest_face, stats.sessions[:MOST_SESSIONS]
    lines = [
        f"**{_whose(stats)} d{series.sides}s**",
        _compared(series),
        f"Furthest off: {series.counts[face - 1]} times a {face} "
        f"(fair: {series.rolls / series.sides:.1f}): {_rated(series.faces_chance)}",
        *(
            f"{'No session' if one.session is None else f'Session {one.session}'}: "
            f"{_count(one.series.rolls)}, {_average(one.series)}: {_rated(float(one.series.chance))}"
            for one in sessions
        ),
    ]
    return _legend(lines, series.chance, series.faces_chance, *(one.series.chance for one in sessions))


def everyone_reply(stats: DiceStats) -> Reply:
    """Everybody's dice, for a GM."""
    shown = [one for one in stats.people if one.series][:IN_MENU]
    lines = [f"**Everyone's dice** in {escape(stats.campaign)}"]
    for one in shown[:MOST_PEOPLE]:
        most = one.series[0]
        lines.append(f"{_name(one)} · {_count(one.rolls)} · d{most.sides}: {_rated(float(most.chance))}")
    rows: list[Row] = []
    if shown:
        choices = tuple(Choice(str(one.person), plain(_plain_name(one), 100)) for one in shown)
        rows.append(Select(id=press_id(STATS, "who"), prompt="Look at somebody's dice", choices=choices))
    else:
        lines.append("Nobody has rolled any dice yet.")
    rows.append((_check(), desk_button()))
    chances = [one.series[0].chance for one in shown[:MOST_PEOPLE]]
    return _drawn(_legend(lines, *chances), *rows)


def _plain_name(one: PersonDice) -> str:
    return "The GM's characters" if one.person == dice_stats.GMS else one.name or "Somebody"


def _check() -> Button:
    return Button(id=press_id("fair", "seeds"), label="Check the dice", look=Look.MAIN)


def _rows(stats: DiceStats, sides: int | None) -> tuple[Row, ...]:
    who = stats.shown.person
    rows: list[Row] = []
    if stats.shown.series:
        choices = tuple(
            Choice(str(one.sides), f"d{one.sides}", _count(one.rolls)) for one in stats.shown.series
        )
        size = press_id(STATS, "size", who)
        chosen = () if sides is None else (str(sides),)
        rows.append(Select(id=size, prompt="One size, by session", choices=choices, chosen=chosen))
    buttons = [_check()]
    if sides is not None:
        buttons.append(Button(id=press_id(STATS, "page", who), label="All sizes"))
    if stats.is_gm:
        buttons.append(Button(id=press_id(STATS, "all"), label="Everyone"))
    return (*rows, tuple(buttons))
