"""Character sheets for a phone screen."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.rules.kernel import Section
from bot.table.characters.characters import SheetView
from bot.ui.input.presses import press_id
from bot.ui.text.reply import Accent, Block, Button, Divider, Reply
from bot.ui.text.sheet_pictures import SheetFace, sheet_picture
from bot.ui.text.text import escape, shorten

PAGE_CHARACTERS = 1800
PAGE_LINES = 22  # what a phone shows of a sheet, besides its buttons
LINE_CHARACTERS = 38  # what a phone shows of a line
FEWEST_LINES = 6  # with fewer of them left, a long part begins on the next page
MOST_TITLES = 5
MOST_SPLIT = 64  # sheets of which it is remembered how they were split


def section_text(section: Section) -> str:
    """A titled part of a sheet."""
    return "\n".join([f"**{escape(section.title)}**", *(escape(line) for line in section.lines)])


def sheet_reply(view: SheetView, page: int = 0, *, is_private: bool = True) -> Reply:
    """A sheet, one phone screen per page."""
    pages = _pages(view.sections)
    page = max(0, min(page, len(pages) - 1))
    owner = "GM character" if view.owner is None else f"played by <@{view.owner}>"
    heading = f"### {escape(view.name)}\n-# {escape(view.game)} · {owner}"
    blocks: list[Block] = [heading, Divider(), pages[page].text]
    if page == 0:
        blocks.insert(0, sheet_picture(SheetFace(view.name, view.glance, view.portrait)))
    if len(pages) > 1:
        blocks.append(_turns(view, pages, page))
    return Reply(blocks=tuple(blocks), accent=Accent.BOARD, is_private=is_private)


def sheet_pages(view: SheetView) -> list[str]:
    """The text of a sheet, one phone screen per page."""
    return [page.text for page in _pages(view.sections)]


@dataclass(frozen=True, slots=True)
class _Page:
    """One page of a sheet, named after the first section that begins on it."""

    title: str
    text: str


@dataclass(slots=True)
class _GrowingPage:
    """A page to which sections are added."""

    title: str = ""
    text: str = ""
    lines: int = 0

    def has_room(self, text: str) -> bool:
        """Whether a section still fits on the page."""
        fits = len(self.text) + 1 + len(text) <= PAGE_CHARACTERS
        return not self.text or (fits and self.lines + _lines(text) <= PAGE_LINES)

    def add(self, text: str) -> None:
        """Add a section to the page."""
        self.text = f"{self.text}\n{text}".strip("\n")
        self.lines += _lines(text)


def _lines(text: str) -> int:
    """The number of lines a text takes on a phone."""
    return sum(max(1, -(-len(line) // LINE_CHARACTERS)) for line in text.split("\n"))


def _turns(view: SheetView, pages: Sequence[_Page], page: int) -> tuple[Button, ...]:
    """A button for each page, or previous and next if there are too many."""
    if len(pages) > MOST_TITLES:
        turn = press_id("sheet", view.id, (page + 1) % len(pages))
        return (Button(id=turn, label=f"Next page · {page + 1} of {len(pages)}"),)
    return tuple(
        Button(id=press_id("sheet", view.id, number), label=one.title, is_off=number == page)
        for number, one in enumerate(pages)
    )


@lru_cache(maxsize=MOST_SPLIT)
def _pages(sections: tuple[Section, ...]) -> tuple[_Page, ...]:
    """Split the sections into pages of about a phone screen; long ones continue on the next page."""
    pages = [_GrowingPage()]
    for section in sections:
        text = section_text(section)
        is_whole = len(text) <= PAGE_CHARACTERS and _lines(text) <= PAGE_LINES
        begun = 0  # pages on which the section stands
        if not is_whole and pages[-1].lines > PAGE_LINES - FEWEST_LINES:
            pages.append(_GrowingPage())
        for part in [text] if is_whole else text.split("\n"):
            line = shorten(part, PAGE_CHARACTERS)
            if not pages[-1].has_room(line):
                pages.append(_GrowingPage())
            begun += not begun or not pages[-1].text
            pages[-1].title = pages[-1].title or f"{section.title}{f' {begun}' if begun > 1 else ''}"
            pages[-1].add(line)
    return tuple(_Page(one.title, one.text or "–") for one in pages)
