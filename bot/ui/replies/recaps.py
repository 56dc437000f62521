"""The recap of a session: short for a phone screen, or complete as a Markdown file."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING

from bot.rules.kernel import Growth
from bot.rules.kernel.dice import percent
from bot.rules.kernel.outcome import counted
from bot.table.base.access import page_of
from bot.table.base.results import ChangeLine
from bot.ui.input.presses import press_id
from bot.ui.replies.links import desk_button
from bot.ui.replies.result_replies import headline
from bot.ui.text.reply import Accent, Button, Picture, Reply, Sketch
from bot.ui.text.roll_text import (
    LINE_LENGTH,
    PAGE_LINES,
    as_many,
    escape,
    height,
    listed,
    roll_lines,
    shorten,
)
from bot.ui.text.sheet_pictures import StoryOfHero, story_picture

if TYPE_CHECKING:
    from bot.table.journal.recap import Count, FightStory, HeroStory, Line, Moment, Recap, RollStats

MOST_ROLLERS = 6
MOST_PRESENT = 12
MORE = "-# Press More for the rest."
BEST, WORST = "Roll of the evening", "Worst roll"
TIMES = {1: "once", 2: "twice"}
LUCK = ((2.0, "very "), (1.0, ""), (0.5, "a little "))  # from how far off, in standard deviations


def span(seconds: int) -> str:
    """A length of time: "3 h 12 min"."""
    hours, minutes = divmod(max(0, seconds) // 60, 60)
    return listed([f"{hours} h" if hours else "", f"{minutes} min" if minutes or not hours else ""], " ")


def deviation_text(deviation: float | None) -> str:
    """Luck compared with expectation, in words: "a little unlucky"."""
    if deviation is None:
        return ""
    word = "unlucky" if deviation < 0 else "lucky"
    found = (f"{degree}{word}" for least, degree in LUCK if abs(deviation) >= least)
    return next(found, "as expected")


def facts_line(recap: "Recap") -> str:
    """Duration, number of people and number of rolls in one line."""
    undone = f" ({recap.undone_rolls} undone)" if recap.undone_rolls else ""
    people = f"{counted(recap.players, 'person', 'people')}"
    rolls = f"{counted(recap.rolls, 'roll')}{undone}"
    return listed([span(recap.ended_at - recap.started_at), people, rolls])


def fact_lines(recap: "Recap") -> list[str]:
    """The session's facts in a few short lines: what turned the evening, each hero, and the dice."""
    others = [one for one in _moments(recap) if one != hardest_line(recap)]
    lines = [
        hardest_line(recap),
        *map(fight_line, recap.fights),
        *map(hero_line, recap.heroes),
        *others,
        f"{counted(recap.turned, 'failure')} rescued" if recap.turned else "",
        _named("Rolls", _rollers(tuple(one for one in recap.rollers if not one.is_gms))),
        _named("GM characters", _gms(recap)),
        _named("Present", listed(map(escape, recap.present[:MOST_PRESENT]), ", ")),
    ]
    return [line for line in lines if line]


def hardest_line(recap: "Recap") -> str:
    """The least likely success of a session, or nothing."""
    best = recap.hardest
    return "" if best is None else f"{BEST}: {escape(_doing(best))} ({percent(best.odds)})"


def fight_line(fight: "FightStory") -> str:
    """What became of a fight: "The fight ended in round 3 · down: Goblin 1, Goblin 2"."""
    came = f"in round {fight.round}" if fight.round else "before the first round"
    state = f"A fight goes on {came}" if fight.goes_on else f"The fight ended {came}"
    return listed([state, _named("down", ", ".join(map(escape, fight.down)))])


def hero_line(hero: "HeroStory") -> str:
    """What became of a hero: "Sable: Climb 1 → 3 · Physical 4 → 1 of 4 · went down once"."""
    return f"**{escape(hero.name)}**: {listed(map(escape, hero_parts(hero)))}"


def hero_parts(hero: "HeroStory") -> Iterator[str]:
    """What became of a hero, part by part: what grew, what was awarded, what changed, what was suffered."""
    own = [growth_text(one) for one in hero.growth if not one.is_pulled]
    pulled = [growth_text(one) for one in hero.growth if one.is_pulled]
    if hero.is_new:
        yield "joined"
    if own or pulled:
        yield " ".join(filter(None, [", ".join(own), f"(pulled {', '.join(pulled)})" if pulled else ""]))
    yield from map(str, hero.awards)
    yield from map(_count, hero.counts)
    if hero.is_dead:
        yield "died"
    elif hero.falls:
        still = ", still down" if "Down" in hero.states else ""
        yield f"went down {TIMES.get(hero.falls, f'{hero.falls} times')}{still}"
    told = {"Dead"} if hero.is_dead else {"Down"} if hero.falls else set()
    yield from (state for state in hero.states if state not in told)


def growth_text(one: Growth) -> str:
    """What grew: "Climb 1 → 3", "Brave (new)"."""
    return f"{one.what} {one.before} → {one.after}" if one.before else f"{one.what} ({one.after})"


def _count(count: "Count") -> str:
    """A count before and after: "HP 12 → 4 of 12", or what is left of it: "HP 4 of 12".

    What the end of the session made of it is part of the same: "Luck 3 → 1 of 3, then reset to 3".
    """
    (was, _, of_then), (now, _, of_now) = count.before.partition("/"), count.after.partition("/")
    reset, _, of_reset = count.reset.partition("/")
    if of_then != of_now:
        change = f"{count.before} → {count.after}"
    else:
        change = (now if was == now else f"{was} → {now}") + (f" of {of_now}" if of_now else "")
    if reset and of_reset != of_now:
        reset = count.reset
    return f"{count.what} {change}" + (f", then reset to {reset}" if reset else "")


def as_recap(top: list[str], news: list[str], end: list[str]) -> list[str]:
    """Put a recap together; what is more than a screen of a phone is behind its button."""
    if is_whole(top, news, end):
        return [*top, *news, *end]
    return [*top, *news[: as_many([*top, *end, MORE], news, PAGE_LINES)], MORE, *end]


def is_whole(top: list[str], news: list[str], end: list[str]) -> bool:
    """Whether a recap fits a screen of a phone."""
    return height((*top, *news, *end)) <= PAGE_LINES


def more_button(number: int, page: int = 1, label: str = "More") -> Button:
    """The button that shows a page of the whole recap."""
    turns = ("turn",) if page > 1 or label != "More" else ()
    return Button(id=press_id("session", "more", number, page, *turns), label=label)


def more_reply(recap: "Recap", page: int) -> Reply:
    """A page of the whole recap; only for who asks."""
    top = f"**Session {recap.number}** · {facts_line(recap)}"
    pages: list[list[str]] = [[]]
    for line in fact_lines(recap):
        if pages[-1] and height((top, *pages[-1], line)) > PAGE_LINES:
            pages.append([])
        pages[-1].append(line)
    page = max(1, min(page, len(pages)))
    buttons = [more_button(recap.number, page - 1, "Back")] if page > 1 else []
    buttons += [more_button(recap.number, page + 1)] if page < len(pages) else []
    buttons.append(Button(id=press_id("session", "file", recap.number), label="Download recap"))
    text = shorten("\n".join([top, *pages[page - 1]]), 4000)
    return Reply(text=text, accent=Accent.NEWS, rows=(tuple(buttons),), is_private=True)


def _named(title: str, text: str) -> str:
    return f"{title}: {text}" if text else ""


def _rollers(rollers: "tuple[RollStats, ...]") -> str:
    shown = [_roller(one) for one in rollers[:MOST_ROLLERS]]
    more = len(rollers) - len(shown)
    return listed([*shown, f"{more} more" if more else ""])


def _gms(recap: "Recap") -> str:
    """The rolls of all foes and allies together."""
    rolls = sum(one.rolls for one in recap.rollers if one.is_gms)
    if not rolls:
        return ""
    luck = deviation_text(recap.gms_deviation)
    return counted(rolls, "roll") + (f" ({luck})" if luck else "")


def _roller(one: "RollStats") -> str:
    luck = deviation_text(one.deviation)
    return f"{escape(one.name)} {one.rolls}" + (f" ({luck})" if luck else "")


def _moments(recap: "Recap") -> list[str]:
    """The roll of the evening, which is the least likely success or else the luckiest roll, and the worst."""
    titled = ((BEST, recap.hardest or recap.luckiest), (WORST, recap.unluckiest))
    shown: dict[Moment, str] = {}
    for title, moment in titled:
        if moment is not None:
            shown.setdefault(moment, title)
    return [
        hardest_line(recap) if moment == recap.hardest else _moment(title, moment)
        for moment, title in shown.items()
    ]


def _moment(title: str, moment: "Moment") -> str:
    """A roll with what came of it, and how likely just that was."""
    undone = ", undone" if moment.is_undone else ""
    came = f"{escape(moment.verdict)} ({percent(moment.chance)}{undone})"
    return f"{title}: {escape(_doing(moment))}, {came}"


def _doing(moment: "Moment") -> str:
    return moment.who + (f" {moment.headline}" if moment.headline else f"'s {moment.purpose}")


def resets_not_told(changes: Iterable[ChangeLine], heroes: "Iterable[HeroStory]") -> Iterator[ChangeLine]:
    """What was reset, without what the heroes' own lines tell."""
    told = {(hero.name, count.what) for hero in heroes for count in hero.counts if count.reset}
    return (one for one in changes if (one.who, one.what) not in told)


def changes_by_thing(changes: Iterable[ChangeLine]) -> Iterator[str]:
    """What was reset, one line per resource: "Luck: Ada 1 → 2, Bo 0 → 2"."""
    for what, lines in groupby(sorted(changes, key=lambda line: line.what), key=lambda line: line.what):
        each = [f"{escape(line.who)} {escape(line.before)} → {escape(line.after)}".strip() for line in lines]
        more = f" and {len(each) - 12} more" if len(each) > 12 else ""
        yield f"{escape(what)}: {', '.join(each[:12])}{more}"


def recap_reply(recap: "Recap", *, is_private: bool = True, is_drawn: bool = False) -> Reply:
    """The short recap of a session, with a picture if wanted."""
    state = "so far" if recap.is_running else "recap"
    top, news = [f"**Session {recap.number}**, {state} · {facts_line(recap)}"], fact_lines(recap)
    buttons = [Button(id=press_id("session", "file", recap.number), label="Download recap")]
    if not is_whole(top, news, []):
        buttons.insert(0, more_button(recap.number))
    buttons.append(Button(id=press_id("session", "all", 1), label="All sessions"))
    text = shorten("\n".join(as_recap(top, news, [])), 4000)
    files = (recap_picture(recap),) if is_drawn else ()
    return Reply(
        text=text,
        accent=Accent.NEWS,
        rows=(tuple(buttons),),
        files=files,
        is_pictured=True,
        is_private=is_private,
    )


def recap_file_reply(recap: "Recap") -> Reply:
    """The whole recap as a file, and as a picture."""
    file = Picture(name=f"session-{recap.number}.md", content=recap_markdown(recap).encode())
    text = f"The full recap of session {recap.number}, as a text and as a picture."
    return Reply(text=text, files=(file, recap_picture(recap)), is_private=True)


def recap_picture(recap: "Recap") -> Sketch:
    """What became of each hero, drawn."""
    drawn = [
        StoryOfHero(hero.name, tuple(hero_parts(hero)), hero.falls > 0, hero.portrait)
        for hero in recap.heroes
    ]
    title = f"{recap.campaign} · session {recap.number}"
    told = [*_moments(recap), *(f"Fight: {fight_line(one)}" for one in recap.fights)]
    news = [tuple(line.replace("\\", "").split(": ", 1)) for line in told]
    return story_picture(title, facts_line(recap), drawn, [(heading, text) for heading, text in news])


# --- the file ----------------------------------------------------------------------------------


def recap_markdown(recap: "Recap") -> str:
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


def _roll_table(rollers: "tuple[RollStats, ...]") -> str:
    if not rollers:
        return ""
    rows = [
        f"| {escape(one.name)} | {_player(one)} | {one.rolls} | {one.undone} "
        f"| {deviation_text(one.deviation) or '–'} |"
        for one in rollers
    ]
    head = ["| who | player | rolls | undone | luck |", "|---|---|---|---|---|"]
    return "\n".join(["## Rolls", "", *head, *rows])


def _player(one: "RollStats") -> str:
    return "GM" if one.is_gms else escape(one.player) or "–"


def _entry_line(line: "Line") -> str:
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


ON_A_PAGE = 3
QUIET = "A quiet session."
TWO_LINES = 2 * LINE_LENGTH


def chronicle_reply(sessions: "tuple[Recap, ...]", page: int = 1, home: int | None = None) -> Reply:
    """A page of the chronicle, the latest session first; only for who asks.

    Args:
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


def chronicle_file_reply(sessions: "tuple[Recap, ...]") -> Reply:
    """The whole chronicle as a file, the first session first."""
    parts = [f"# {escape(sessions[0].campaign)}", escape(sessions[0].title)]
    for one in reversed(sessions):
        day = datetime.fromtimestamp(one.started_at, UTC).strftime("%Y-%m-%d")
        facts = "\n".join(f"- {line}" for line in fact_lines(one))
        parts += [f"## Session {one.number}, {day}", facts_line(one), facts or QUIET]
    file = Picture(name="chronicle.md", content=("\n\n".join(parts) + "\n").encode())
    return Reply(text=f"The chronicle: {counted(len(sessions), 'session')}.", files=(file,), is_private=True)


def news_line(recap: "Recap") -> str:
    """A session's news in a line or two: what turned it, who grew, who fell."""
    news = [hardest_line(recap).partition(": ")[2], *(_news_of(one) for one in recap.heroes)]
    return shorten(listed(part for part in news if part), TWO_LINES) or QUIET


def _news_of(hero: "HeroStory") -> str:
    """A hero's news: "Ada: joined, Brawn 4 → 6, fell"."""
    news = ", ".join(_words(hero))
    return f"{escape(hero.name)}: {news}" if news else ""


def _words(hero: "HeroStory") -> Iterator[str]:
    if hero.is_new:
        yield "joined"
    yield from (escape(growth_text(one)) for one in hero.growth if not one.is_pulled)
    if hero.is_dead:
        yield "died"
    elif hero.falls:
        yield "fell"


def previously_button(number: int) -> Button:
    """The button that shows the recap of an earlier session to who presses it."""
    return Button(id=press_id("session", "more", number, 1), label="Previously on …")
