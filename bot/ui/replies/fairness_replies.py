"""Replies about fairness and the journal."""

from bot.table.journal.fairness import Fairness, SeedState
from bot.table.journal.log import KINDS, HiddenLines, LogFilter, LogLine, LogPage
from bot.ui.input.presses import press_id
from bot.ui.replies.result_text import headline
from bot.ui.text.reply import IN_MENU, Accent, Button, Picture, Reply, Row, Select
from bot.ui.text.text import escape, listed, shorten

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
