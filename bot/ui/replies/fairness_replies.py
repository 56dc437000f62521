"""Replies about fairness and the journal."""

from collections.abc import Iterable

from bot.rules.kernel import Choice
from bot.table.journal.dice_stats import GMS, MOST_DICE, DiceStats, Fairness, PersonDice, SeedState, Series
from bot.table.journal.log import KINDS, HiddenLines, LogFilter, LogLine, LogPage
from bot.ui.input.presses import press_id
from bot.ui.replies.desk_ids import desk_button
from bot.ui.replies.result_text import headline
from bot.ui.text.plots import faces_picture
from bot.ui.text.reply import IN_MENU, Accent, Block, Button, Look, Picture, Reply, Row, Select, private_page
from bot.ui.text.text import escape, listed, plain, shorten

LONGEST = 4000
MOST_SEEDS = 5
MOST_CHANGES = 2
SHOWN_DIGITS = 32  # of 64: 128 bits, which nobody can match with another seed


def shown_fingerprint(commitment: str) -> str:
    """A seed's fingerprint in one line of a phone; /fair has all of it."""
    return f"{commitment[:SHOWN_DIGITS]}…"


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
**Can anyone rig the dice?** No. The seed was fixed, and its fingerprint posted, before you rolled. Discord \
numbers your command afterwards. Seed and number together make the die, so nobody could choose it.
**How to check a die**
1. The fingerprint (SHA-256) of a seed is posted before the seed is used: when a campaign is created, \
and at /session start and end. Messages have its first 32 digits, /fair has all 64.
2. Every command and button press has an interaction id, a number from Discord. Its die number n (from 0) is \
HMAC-SHA256 with the seed as key over `<interaction id>:<n>`, read as a number; its remainder modulo the \
die's sides, plus 1, is the face. Numbers in the last, incomplete block are skipped.
3. When a session ends, its seed is revealed. Press *Download journal*, then run \
`tablekeeper verify journal.jsonl` or the thirty lines of Python in `docs/fairness.md`.
-# A roll that was undone stays in the journal: undoing is not a re-roll."""


def how_reply() -> Reply:
    """Instructions for checking the dice."""
    return Reply(text=HOW, accent=Accent.BOARD, is_private=True)


def journal_reply(name: str, content: bytes) -> Reply:
    """The journal as a file."""
    file = Picture(name=name, content=content)
    text = "The journal, as far as you are allowed to read it. Check it with `tablekeeper verify FILE`."
    return Reply(text=text, files=(file,), is_private=True)


def log_reply(page: LogPage) -> Reply:
    """A page of the journal."""
    head = listed([f"**Journal of {escape(page.campaign)}**", *_limits(page)])
    lines = [head, *(_line(one) for one in page.lines)]
    if not page.lines:
        lines.append("Nothing yet." if page.only == LogFilter() else "Nothing like that.")
    only = _stored(page.only)
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
    return [escape(page.about), person, session, KINDS.get(only.kind or "", "").lower()]


def _stored(only: LogFilter) -> tuple[object, ...]:
    """What a page is limited to, as its buttons say it."""
    return (only.character or 0, only.person or 0, only.session or 0, only.kind or "all")


def _line(one: LogLine | HiddenLines) -> str:
    if isinstance(one, HiddenLines):
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
    return listed([*lines, f"{more} more change{'' if more == 1 else 's'}" if more > 0 else ""], ", ")


KIND = "stats"
MOST_SIZES, MOST_SESSIONS, MOST_PEOPLE = 5, 4, 8
LONGEST_NAME = 16
RARE = 0.01
LEGEND = (
    "-# **%**: how often fair dice are at least that far off; "
    f"below {RARE:.0%} is rare. By chance 1 line in 20 is below 5%."
)


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
    cut = f"-# The newest {MOST_DICE:,} dice of a size count." if stats.is_cut else ""
    picture = () if series is None else (faces_picture(series.counts),)
    return _page((*lines, cut), *picture, *_rows(stats, sides))


def _page(lines: Iterable[str], *more: Block) -> Reply:
    """A page like those of the desk, which can take each other's place."""
    text = "\n".join(line for line in lines if line)
    return private_page((text, *more))


def _shown(stats: DiceStats, sides: int | None) -> Series | None:
    """The dice of the chart: those of a size, else of the most frequent one."""
    return next((one for one in stats.shown.series if sides in (None, one.sides)), None)


def _name(one: PersonDice) -> str:
    if one.person == GMS:
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
    return f"**{percent_of(chance)}**{' rare' if chance < RARE else ''}"


def _count(rolls: int) -> str:
    return f"{rolls} {'die' if rolls == 1 else 'dice'}"


def _all_sizes(stats: DiceStats) -> list[str]:
    sizes = stats.shown.series
    more = len(sizes) - MOST_SIZES
    return [
        f"**{_whose(stats)} dice** in {escape(stats.campaign)}: averages",
        *(
            f"d{one.sides} ×{one.rolls} · {one.average:.2f}, fair {one.expected:.1f} · "
            f"{_rated(float(one.chance))}"
            for one in sizes[:MOST_SIZES]
        ),
        f"and {more} more {'size' if more == 1 else 'sizes'}" if more > 0 else "",
        LEGEND,
        "-# Undone rolls count: they were rolled.",
    ]


def _one_size(stats: DiceStats, series: Series) -> list[str]:
    face = series.oddest_face
    return [
        f"**{_whose(stats)} d{series.sides}s** · {_count(series.rolls)}",
        f"Average {series.average:.2f}, fair {series.expected:.1f} · {_rated(float(series.chance))}",
        f"Furthest off: {face}, ×{series.counts[face - 1]} of {series.rolls / series.sides:.1f} · "
        f"{_rated(series.faces_chance)}",
        *(
            f"{'No session' if one.session is None else f'Session {one.session}'} ×{one.series.rolls} · "
            f"{one.series.average:.2f} · {_rated(float(one.series.chance))}"
            for one in stats.sessions[:MOST_SESSIONS]
        ),
        LEGEND,
    ]


def everyone_reply(stats: DiceStats) -> Reply:
    """Everybody's dice, for a GM."""
    shown = [one for one in stats.people if one.series][:IN_MENU]
    lines = [f"**Everyone's dice** in {escape(stats.campaign)}"]
    for one in shown[:MOST_PEOPLE]:
        most = one.series[0]
        chance = percent_of(float(most.chance))
        lines.append(f"{_name(one)} · {_count(one.rolls)} · d{most.sides} **{chance}**")
    rows: list[Row] = []
    if shown:
        choices = tuple(Choice(str(one.person), plain(_plain_name(one), 100)) for one in shown)
        rows.append(Select(id=press_id(KIND, "who"), prompt="Look at somebody's dice", choices=choices))
    else:
        lines.append("Nobody has rolled any dice yet.")
    rows.append((_check(), desk_button()))
    return _page([*lines, LEGEND], *rows)


def _plain_name(one: PersonDice) -> str:
    return "The GM's characters" if one.person == GMS else one.name or "Somebody"


def all_dice_button() -> Button:
    """The button of the desk that leads to everybody's dice."""
    return Button(id=press_id(KIND, "all"), label="All dice")


def _check() -> Button:
    return Button(id=press_id("fair", "seeds"), label="Check the dice", look=Look.MAIN)


def _rows(stats: DiceStats, sides: int | None) -> tuple[Row, ...]:
    who = stats.shown.person
    rows: list[Row] = []
    if stats.shown.series:
        choices = tuple(
            Choice(str(one.sides), f"d{one.sides}", _count(one.rolls)) for one in stats.shown.series
        )
        size = press_id(KIND, "size", who)
        chosen = () if sides is None else (str(sides),)
        rows.append(Select(id=size, prompt="One size, by session", choices=choices, chosen=chosen))
    buttons = [_check()]
    if sides is not None:
        buttons.append(Button(id=press_id(KIND, "page", who), label="All sizes"))
    if stats.is_gm:
        buttons.append(Button(id=press_id(KIND, "all"), label="Everyone"))
    return (*rows, tuple(buttons))
