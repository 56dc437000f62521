"""The chronicle: every session in two lines, all of it as a file, and what happened previously."""

from collections.abc import Iterator
from datetime import UTC, datetime

from bot.rules.kernel.wording import counted
from bot.table.base.paging import page_of
from bot.table.journal.hero_stories import HeroStory
from bot.table.journal.recap import Recap
from bot.ui.input.presses import press_id
from bot.ui.replies.desk_ids import desk_button
from bot.ui.replies.recaps import fact_lines, facts_line, growth_text, hardest_line, span
from bot.ui.text.phone import LINE_LENGTH
from bot.ui.text.reply import Accent, Button, Picture, Reply
from bot.ui.text.text import escape, listed, shorten

ON_A_PAGE = 3
QUIET = "A quiet session."
TWO_LINES = 2 * LINE_LENGTH


def chronicle_reply(sessions: tuple[Recap, ...], page: int = 1, home: int | None = None) -> Reply:
    """A page of the chronicle, the latest session first; only for who asks.

    Args:
        sessions: The sessions.
        page: Which page.
        home: The channel that the desk leads from which it was opened; None where it was not.
    """
    at = page_of(sessions, page - 1, ON_A_PAGE)
    page = at.number + 1
    lines = [f"**{escape(sessions[0].campaign)}** · {counted(len(sessions), 'session')}, the latest first"]
    for one in at.shown:
        people = counted(one.players, "person", "people")
        took = span(one.ended_at - one.started_at)
        lines.append(f"**{one.number}** · <t:{one.started_at}:d> · {took} · {people}")
        lines.append(f"-# {news_line(one)}")
    buttons = [_turn(page - 1, "Later", home)] if page > 1 else []
    buttons += [_turn(page + 1, "Earlier", home)] if page < at.pages else []
    led = () if home is None else (home,)
    buttons.append(Button(id=press_id("session", "story", 1, *led), label="Download all"))
    rows = (tuple(buttons),) if home is None else (tuple(buttons), (desk_button(home),))
    text = shorten("\n".join(lines), 4000)
    return Reply(text=text, accent=Accent.NEWS, rows=rows, is_private=True)


def _turn(page: int, label: str, home: int | None) -> Button:
    led = () if home is None else (home,)
    return Button(id=press_id("session", "all", page, "turn", *led), label=label)


def chronicle_button(home: int) -> Button:
    """The button of a desk that shows every session to who presses it."""
    return Button(id=press_id("session", "all", 1, "open", home), label="All sessions")


def chronicle_file_reply(sessions: tuple[Recap, ...]) -> Reply:
    """The whole chronicle as a file, the first session first."""
    parts = [f"# {escape(sessions[0].campaign)}", escape(sessions[0].title)]
    for one in reversed(sessions):
        day = datetime.fromtimestamp(one.started_at, UTC).strftime("%Y-%m-%d")
        facts = "\n".join(f"- {line}" for line in fact_lines(one))
        parts += [f"## Session {one.number}, {day}", facts_line(one), facts or QUIET]
    file = Picture(name="chronicle.md", content=("\n\n".join(parts) + "\n").encode())
    return Reply(text=f"The chronicle: {counted(len(sessions), 'session')}.", files=(file,), is_private=True)


def news_line(recap: Recap) -> str:
    """A session's news in a line or two: what turned it, who grew, who fell."""
    news = [hardest_line(recap).partition(": ")[2], *(_news_of(one) for one in recap.heroes)]
    return shorten(listed(part for part in news if part), TWO_LINES) or QUIET


def _news_of(hero: HeroStory) -> str:
    """A hero's news: "Ada: joined, Brawn 4 → 6, fell"."""
    news = ", ".join(_words(hero))
    return f"{escape(hero.name)}: {news}" if news else ""


def _words(hero: HeroStory) -> Iterator[str]:
    if hero.is_new:
        yield "joined"
    yield from (escape(growth_text(one)) for one in hero.growth if not one.is_pulled)
    if hero.is_dead:
        yield "died"
    elif hero.falls:
        yield "fell"


def previously_lines(recap: Recap) -> list[str]:
    """What happened in the last session, in at most three lines; nothing if it was quiet."""
    heroes = listed(part for one in recap.heroes if (part := _news_of(one)))
    told = [hardest_line(recap), shorten(heroes, TWO_LINES) if heroes else ""]
    lines = [line for line in told if line]
    return [f"*Previously on {escape(recap.campaign)} …* (session {recap.number})", *lines] if lines else []


def previously_button(number: int) -> Button:
    """The button that shows the recap of an earlier session to who presses it."""
    return Button(id=press_id("session", "more", number, 1), label="Previously …")
