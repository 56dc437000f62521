"""Everybody's dice against fair ones: `/stats`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.rules.kernel import Choice
from bot.rules.kernel.outcome import counted
from bot.table.base.access import ForGmOnly
from bot.table.journal import dice_stats
from bot.ui.input.answer import answer, change, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, number_of, press_id
from bot.ui.input.requests import table_and_request
from bot.ui.replies.links import STATS, desk_button
from bot.ui.text.plots import faces_picture
from bot.ui.text.reply import IN_MENU, Block, Button, Look, Reply, Row, Select, private_page
from bot.ui.text.text import escape, plain, shorten

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper
    from bot.table.journal.dice_stats import DiceStats, PersonDice, Series


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


async def setup(bot: Tablekeeper) -> None:
    """Add the command and the button handler to the bot."""
    bot.presses.add(STATS, on_stats)
    await bot.add_cog(StatsCommand())
