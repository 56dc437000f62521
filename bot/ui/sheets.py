"""Characters to be read on a phone."""

from collections.abc import Sequence

from bot.rules.ruleset import Section
from bot.table.characters import Listed, SheetView
from bot.ui.presses import press_id
from bot.ui.reply import Accent, Block, Button, Divider, Reply, Row
from bot.ui.text import escape, shorten

PAGE_CHARACTERS = 1800
LISTED_PER_PAGE = 20


def section_text(section: Section) -> str:
    """A titled part of a sheet."""
    return "\n".join([f"**{escape(section.title)}**", *(escape(line) for line in section.lines)])


def sheet_reply(view: SheetView, page: int = 0, *, is_private: bool = True) -> Reply:
    """A sheet, a phone screen at a time."""
    pages = _pages(view.sections)
    page = max(0, min(page, len(pages) - 1))
    owner = "the GM's" if view.owner is None else f"played by <@{view.owner}>"
    heading = f"### {escape(view.name)}\n-# {escape(view.game)} · {owner}"
    blocks: list[Block] = [heading, Divider(), pages[page]]
    if len(pages) > 1:
        turn = Button(
            id=press_id("sheet", view.id, (page + 1) % len(pages)),
            label=f"Turn the page · {page + 1} of {len(pages)}",
        )
        blocks.append((turn,))
    return Reply(blocks=tuple(blocks), accent=Accent.BOARD, is_private=is_private)


def _pages(sections: Sequence[Section]) -> list[str]:
    """The sections in pages of about a phone screen; one that is longer goes on over the page."""
    pages = [""]
    for section in sections:
        text = section_text(section)
        parts = [text] if len(text) <= PAGE_CHARACTERS else text.split("\n")
        for part in parts:
            line = shorten(part, PAGE_CHARACTERS)
            if pages[-1] and len(pages[-1]) + 1 + len(line) > PAGE_CHARACTERS:
                pages.append("")
            pages[-1] = f"{pages[-1]}\n{line}".strip("\n")
    return [page or "–" for page in pages]


def listing_reply(listed: Sequence[Listed], page: int = 0) -> Reply:
    """Who is in the campaign, twenty to a page."""
    last = max(0, (len(listed) - 1) // LISTED_PER_PAGE)
    page = max(0, min(page, last))
    shown = listed[page * LISTED_PER_PAGE : (page + 1) * LISTED_PER_PAGE]
    lines = [_line(one) for one in shown] or ["Nobody yet. /character create makes somebody."]
    rows: tuple[Row, ...] = ()
    if last:
        turn = Button(
            id=press_id("who", (page + 1) % (last + 1)), label=f"Turn the page · {page + 1} of {last + 1}"
        )
        rows = ((turn,),)
    return Reply(text="\n".join(["**Characters**", *lines]), accent=Accent.BOARD, rows=rows, is_private=True)


def _line(one: Listed) -> str:
    owner = "the GM's" if one.owner is None else f"<@{one.owner}>"
    marks = "".join([" · hidden" if one.is_hidden else "", " · you play this one" if one.is_current else ""])
    return f"{escape(one.name)} · {owner}{marks}"
