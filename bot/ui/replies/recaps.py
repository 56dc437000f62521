"""The recap of a session: short for a phone screen, or complete as a Markdown file."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby

from bot.rules.kernel.odds import percent
from bot.rules.kernel.wording import MINUS
from bot.table.base.results import ChangeLine
from bot.table.journal.recap import Recap
from bot.table.journal.tally import Flow, Line, Moment, RollStats
from bot.ui.input.presses import press_id
from bot.ui.replies.result_text import headline
from bot.ui.text.phone import PAGE_LINES, as_many, height
from bot.ui.text.reply import Accent, Button, Picture, Reply, Row
from bot.ui.text.roll_text import roll_lines
from bot.ui.text.text import escape, listed, shorten

MOST_ROLLERS = 6
MOST_ADVANCES = 4
MORE = "-# Download the recap for the rest."
NOTABLE = 0.05  # deviations below this are told as none


def span(seconds: int) -> str:
    """A length of time: "3 h 12 min"."""
    hours, minutes = divmod(max(0, seconds) // 60, 60)
    return listed([f"{hours} h" if hours else "", f"{minutes} min" if minutes or not hours else ""], " ")


def deviation_text(deviation: float | None) -> str:
    """Luck compared with expectation: "+0.9 σ"."""
    if deviation is None:
        return ""
    if abs(deviation) < NOTABLE:
        return "±0.0 σ"
    return f"{MINUS if deviation < 0 else '+'}{abs(deviation):.1f} σ"


def facts_line(recap: Recap) -> str:
    """Duration, number of people and number of rolls in one line."""
    undone = f" ({recap.undone_rolls} undone)" if recap.undone_rolls else ""
    people = f"{recap.players} {'person' if recap.players == 1 else 'people'}"
    rolls = f"{recap.rolls} roll{'' if recap.rolls == 1 else 's'}{undone}"
    return listed([span(recap.ended_at - recap.started_at), people, rolls])


def fact_lines(recap: Recap) -> list[str]:
    """The session's facts in a few short lines."""
    lines = [
        _named("Rolls", _rollers(tuple(one for one in recap.rollers if not one.is_gms))),
        _named("GM characters", _gms(recap)),
        *_moments(recap),
        f"{recap.turned} failure{'' if recap.turned == 1 else 's'} rescued" if recap.turned else "",
        _named("Points", listed(_flow(one, "spent", "gained") for one in recap.points)),
        _named("Wounds", listed(_flow(one, "healed", "taken") for one in recap.wounds)),
        _named("Advances", _advances(recap)),
    ]
    return [line for line in lines if line]


def as_recap(top: list[str], news: list[str], end: list[str]) -> list[str]:
    """Put a recap together; what is more than a screen of a phone is left to its file and the log."""
    if height((*top, *news, *end)) <= PAGE_LINES:
        return [*top, *news, *end]
    return [*top, *news[: as_many([*top, *end, MORE], news, PAGE_LINES)], MORE, *end]


def _named(title: str, text: str) -> str:
    return f"{title}: {text}" if text else ""


def _rollers(rollers: tuple[RollStats, ...]) -> str:
    shown = [_roller(one) for one in rollers[:MOST_ROLLERS]]
    more = len(rollers) - len(shown)
    return listed([*shown, f"{more} more" if more else ""])


def _gms(recap: Recap) -> str:
    """The rolls of all foes and allies together."""
    rolls = sum(one.rolls for one in recap.rollers if one.is_gms)
    if not rolls:
        return ""
    luck = deviation_text(recap.gms_deviation)
    return f"{rolls} {'roll' if rolls == 1 else 'rolls'}" + (f" ({luck})" if luck else "")


def _roller(one: RollStats) -> str:
    luck = deviation_text(one.deviation)
    return f"{escape(one.name)} {one.rolls}" + (f" ({luck})" if luck else "")


def _moments(recap: Recap) -> list[str]:
    """The luckiest and the unluckiest roll, and the least likely one if it is neither."""
    titled = (
        ("Luckiest", recap.luckiest),
        ("Unluckiest", recap.unluckiest),
        ("Least likely", recap.hardest),
    )
    shown: dict[Moment, str] = {}
    for title, moment in titled:
        if moment is not None:
            shown.setdefault(moment, title)
    return [_moment(title, moment) for moment, title in shown.items()]


def _moment(title: str, moment: Moment) -> str:
    undone = ", undone" if moment.is_undone else ""
    did = f" {escape(moment.headline)}" if moment.headline else f", {escape(moment.purpose)}"
    verdict = escape(moment.verdict)
    return f"{title}: {escape(moment.who)}{did}, {verdict} ({percent(moment.chance)}{undone})"


def _flow(flow: Flow, down: str, up: str) -> str:
    parts = [f"{flow.down} {down}" if flow.down else "", f"{flow.up} {up}" if flow.up else ""]
    return f"{escape(flow.what)} {listed(parts, ', ')}"


def _advances(recap: Recap) -> str:
    shown = [f"{escape(one.who)} {escape(one.what)}" for one in recap.advances[:MOST_ADVANCES]]
    more = len(recap.advances) - len(shown)
    return shorten(listed([*shown, f"{more} more" if more else ""]), 600)


def changes_by_thing(changes: Iterable[ChangeLine]) -> Iterator[str]:
    """What was reset, one line per resource: "Luck: Ada 1 → 2, Bo 0 → 2"."""
    for what, lines in groupby(sorted(changes, key=lambda line: line.what), key=lambda line: line.what):
        each = [f"{escape(line.who)} {escape(line.before)} → {escape(line.after)}".strip() for line in lines]
        more = f" and {len(each) - 12} more" if len(each) > 12 else ""
        yield f"{escape(what)}: {', '.join(each[:12])}{more}"


def recap_reply(recap: Recap, *, is_private: bool = True) -> Reply:
    """The short recap of a session."""
    state = "so far" if recap.is_running else "recap"
    lines = as_recap([f"**Session {recap.number}**, {state} · {facts_line(recap)}"], fact_lines(recap), [])
    rows: tuple[Row, ...] = ((Button(id=press_id("session", "file", recap.number), label="Download recap"),),)
    return Reply(text=shorten("\n".join(lines), 4000), accent=Accent.NEWS, rows=rows, is_private=is_private)


def recap_file_reply(recap: Recap) -> Reply:
    """The whole recap as a file."""
    file = Picture(name=f"session-{recap.number}.md", content=recap_markdown(recap).encode())
    return Reply(text=f"The full recap of session {recap.number}.", files=(file,), is_private=True)


# --- the file ----------------------------------------------------------------------------------


def recap_markdown(recap: Recap) -> str:
    """Everything public about a session, as Markdown."""
    parts = [
        f"# {escape(recap.campaign)}: session {recap.number}",
        f"{escape(recap.title)} · {_moment_of(recap.started_at)} to {_moment_of(recap.ended_at)} UTC",
        facts_line(recap),
        "\n".join(f"- {line}" for line in fact_lines(recap)),
        _roll_table(recap.rollers),
        "\n".join(["## What happened", "", *(_entry_line(line) for line in recap.lines)])
        if recap.lines
        else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _moment_of(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def _roll_table(rollers: tuple[RollStats, ...]) -> str:
    if not rollers:
        return ""
    rows = [
        f"| {escape(one.name)} | {_player(one)} | {one.rolls} | {one.undone} "
        f"| {deviation_text(one.deviation) or '–'} |"
        for one in rollers
    ]
    head = ["| who | player | rolls | undone | luck |", "|---|---|---|---|---|"]
    return "\n".join(["## Rolls", "", *head, *rows])


def _player(one: RollStats) -> str:
    return "GM" if one.is_gms else escape(one.player) or "–"


def _entry_line(line: Line) -> str:
    at = datetime.fromtimestamp(line.at, UTC).strftime("%H:%M")
    text = headline(line.message)
    parts = [f"~~{text}~~ (undone)" if line.is_undone else text]
    parts += roll_lines(line.rolls, line.message.who)
    parts += [
        f"{escape(change.who)}: {escape(change.what)} {escape(change.before)} → {escape(change.after)}"
        for change in line.message.changes
    ]
    parts += [escape(note) for note in line.message.notes]
    return f"- {at} " + " · ".join(parts)
