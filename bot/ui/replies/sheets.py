"""Character sheets for a phone screen, and the pages on which a character is made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Choice, Question, Section, TextField
from bot.table.base.typed_options import LONGEST_NAME
from bot.table.characters import creation_pages
from bot.table.characters.characters import ReadyHero, SheetView
from bot.ui.input.answer import MAKE_CHARACTER
from bot.ui.input.presses import press_id
from bot.ui.replies.links import JOIN
from bot.ui.text.reply import (
    IN_ROW,
    Accent,
    Block,
    Button,
    ButtonBeside,
    Divider,
    Field,
    Form,
    Look,
    Reply,
    Select,
    private_page,
    rows_of,
)
from bot.ui.text.roll_text import escape, plain, roll_line, shorten
from bot.ui.text.sheet_pictures import MOST_GAUGES, MOST_STATES, SheetFace, sheet_picture

if TYPE_CHECKING:
    from bot.table.characters.creation_pages import WizardPage

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
    pages = _pages(_beside_picture(view))
    page = max(0, min(page, len(pages) - 1))
    owner = "GM character" if view.owner is None else f"played by <@{view.owner}>"
    heading = f"### {escape(view.name)}\n-# {escape(view.game)} · {owner}"
    blocks: list[Block] = [heading, pages[page].text]
    if page == 0:
        blocks.insert(0, sheet_picture(SheetFace(view.name, view.glance, view.portrait)))
    if len(pages) > 1:
        blocks.append(_turns(view, pages, page))
    return Reply(blocks=tuple(blocks), accent=Accent.BOARD, is_private=is_private)


def sheet_pages(view: SheetView) -> list[str]:
    """The text of a sheet beside its picture, one phone screen per page."""
    return [page.text for page in _pages(_beside_picture(view))]


def _beside_picture(view: SheetView) -> tuple[Section, ...]:
    """A sheet's sections without what its picture says."""
    if len(view.glance.gauges) > MOST_GAUGES or len(view.glance.states) > MOST_STATES:
        return view.sections
    left = (
        replace(one, lines=tuple(line for line in one.lines if line not in one.pictured))
        for one in view.sections
    )
    return tuple(one for one in left if one.lines)


class _Page(Struct, frozen=True):
    """One page of a sheet, named after the first section that begins on it."""

    title: str
    text: str


class _GrowingPage(Struct):
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


# --- the wizard ----------------------------------------------------------------------------------


LONGEST_PREVIEW = 1500
LONGEST_ANSWER = 300
MOST_PROBLEMS = 4
MOST_MISSING = 6  # steps
LONGEST_LEAF_NAME = 14


def page_reply(page: WizardPage, key: str = "", leaf: int = 0) -> Reply:
    """One private page of the wizard.

    Args:
        key: A question whose choices take several menus.
        leaf: Which of them is open.
    """
    blocks: list[Block] = []
    if page.heroes:
        blocks += [heroes_menu(page.heroes), "**Or make my own**"]
    blocks.append(_heading(page))
    blocks += [_listed(page.gone)] if page.gone else []
    for question in page.step.picks:
        blocks += _asked(question, page, leaf if question.key == key else None)
    blocks += [_written(blank, page) for blank in page.step.blanks]
    blocks += _dice(page)
    if page.beside(1) is None:
        blocks += _summary(page)
    problems = [one for one in page.to_do if one not in page.gone]  # those stand at the top already
    if problems and page.answers:
        blocks.append(_listed(problems[:MOST_PROBLEMS]))
    if page.unspent and page.beside(1) is not None:
        rest = press_id("draft", page.draft, "rest", page.step.key)
        blocks.append((Button(id=rest, label="Spend the rest for me"),))
    blocks += [Divider(), _ways(page), Divider()]
    blocks.append((Button(id=press_id("draft", page.draft, "drop"), label="Discard", look=Look.GRAVE),))
    return private_page(blocks)


def _heading(page: WizardPage) -> str:
    place = f"page {page.number}" if page.varies else f"{page.number} of {len(page.steps)}"
    game = f", {escape(page.game)}" if page.number == 1 else ""
    title = f"**{escape(page.step.title)}** · new character{game} · {place}"
    return "\n".join([title, *(escape(line) for line in page.step.text.split("\n"))])


def _written(blank: TextField, page: WizardPage) -> str:
    given = "".join(page.answers.get(blank.key, ()))
    missing = "–" if blank.is_required else "· optional"
    answer = f"**{shorten(escape(given), LONGEST_ANSWER)}**" if given else missing
    return f"{escape(blank.prompt)} {answer}"


def _listed(sentences: Sequence[str]) -> str:
    return "\n".join(f"-# {escape(one)}" for one in sentences)


def _dice(page: WizardPage) -> list[Block]:
    """The dice rolled so far, and buttons for the others."""
    thrown = [(throw, page.thrown.get(throw.key)) for throw in page.step.throws]
    blocks: list[Block] = [
        f"{roll_line(roll)} · **{escape(roll.verdict.title)}**" for _throw, roll in thrown if roll is not None
    ]
    buttons = tuple(
        Button(id=press_id("draft", page.draft, "throw", throw.key), label=throw.label, look=Look.MAIN)
        for throw, roll in thrown
        if roll is None
    )
    if buttons:
        blocks += ["-# These dice are rolled once; everybody sees them.", buttons]
    return blocks


def _asked(question: Question, page: WizardPage, leaf: int | None) -> list[Block]:
    """A question with its menu, and buttons to its other menus if it has several."""
    chosen = _answer(question, page)
    labels = {choice.value: choice.label for choice in question.choices}
    if question.key in page.settled:
        given = ", ".join(labels.get(value, value) for value in chosen)
        return [f"**{escape(question.prompt)}** {escape(given)}\n-# Already rolled, so this can't change."]
    if not question.choices:
        return [f"**{escape(question.prompt)}**", *_not_yet(page)]
    menus = creation_pages.leaves(question.choices)
    if leaf is None or leaf >= len(menus):
        leaf = _leaf_of(menus, chosen)
    title = f"**{escape(question.prompt)}**"
    if len(menus) > 1 and chosen:
        title += shorten(
            f" {escape(', '.join(labels.get(value, value) for value in chosen))}", LONGEST_ANSWER
        )
    # An open menu says its question itself, and so does the page's own title.
    is_said = not chosen or title == f"**{escape(page.step.title)}**"
    titles = [] if is_said else [title]
    return [*titles, _select(question, page, menus, leaf), *_menu_turns(question, page, menus, leaf)]


def _not_yet(page: WizardPage) -> list[Block]:
    """Why a question has no choices yet, and a button to the step that is missing an answer.

    A question has no choices only where an earlier answer is to give them.
    """
    keys = [key for key, _title in page.steps]
    wanted = [one for one in page.problems if one[0] in keys[: page.number - 1]]
    if not wanted:
        return ["-# Nothing to choose here."]
    where, sentence = min(wanted, key=lambda one: keys.index(one[0]))
    title = dict(page.steps)[where]
    way = Button(id=_way_to(page, where), label=f"Go to {title}", look=Look.MAIN)
    return [f"-# Nothing to choose here yet. First, {escape(title)}: {escape(sentence)}", (way,)]


def _way_to(page: WizardPage, step: str) -> str:
    """The id of a button to a step; "Back" may lead there too, and has another id."""
    return press_id("draft", page.draft, "turn", step, "go")


def _leaf_of(menus: list[Sequence[Choice]], chosen: tuple[str, ...]) -> int:
    """The first menu that contains a chosen answer."""
    holding = (at for at, menu in enumerate(menus) if any(choice.value in chosen for choice in menu))
    return next(holding, 0)


def _select(question: Question, page: WizardPage, menus: list[Sequence[Choice]], leaf: int) -> Select:
    choices = tuple(menus[leaf])
    return Select(
        id=press_id("draft", page.draft, "pick", question.key, leaf),
        prompt=question.prompt,
        choices=choices,
        least=min(question.least, len(choices)) if len(menus) == 1 or question.most == 1 else 0,
        most=min(question.most, len(choices)),
        chosen=_answer(question, page),
    )


def _answer(question: Question, page: WizardPage) -> tuple[str, ...]:
    return page.answers.get(question.key) or ((question.usual,) if question.usual else ())


def _menu_turns(
    question: Question, page: WizardPage, menus: list[Sequence[Choice]], leaf: int
) -> list[tuple[Button, ...]]:
    """Buttons that open a question's other menus, named after their first entries."""
    if len(menus) == 1:
        return []
    buttons = [
        Button(
            id=press_id("draft", page.draft, "leaf", question.key, at),
            label=f"{menu[0].label[:LONGEST_LEAF_NAME].rstrip()} …",
            is_off=at == leaf,
        )
        for at, menu in enumerate(menus)
    ]
    return rows_of(buttons, IN_ROW)


def _summary(page: WizardPage) -> list[Block]:
    """A preview of the sheet, or everything that is still missing."""
    if page.preview:
        text = "\n".join(section_text(section) for section in page.preview)
        return [Divider(), shorten(text, LONGEST_PREVIEW)]
    blocks: list[Block] = []
    for key, title in page.steps:
        missing = [sentence for where, sentence in page.problems if where == key != page.step.key]
        if missing:
            text = shorten(f"{escape(title)}: {escape(' '.join(missing[:MOST_PROBLEMS]))}", LONGEST_ANSWER)
            button = Button(id=_way_to(page, key), label="Go there")
            blocks.append(ButtonBeside(text, button))
    return [Divider(), "Still to do:", *blocks[:MOST_MISSING]] if blocks else []


def _ways(page: WizardPage) -> tuple[Button, ...]:
    """The navigation buttons: back, write and next."""
    back, on = page.beside(-1), page.beside(1)
    ways = []
    if back is not None:
        ways.append(Button(id=press_id("draft", page.draft, "turn", back), label="Back"))
    if page.step.blanks:
        id_ = press_id("draft", page.draft, "write", page.step.key)
        label = page.step.writes or "Write …"
        missing = [blank for blank in page.step.blanks if not page.answers.get(blank.key)]
        is_due = any(blank.is_required or on is None for blank in missing)
        ways.append(Button(id=id_, label=label, look=Look.MAIN if is_due else Look.PLAIN))
    if on is not None:
        ways.append(Button(id=press_id("draft", page.draft, "turn", on), label="Next", look=Look.MAIN))
    else:
        ways.append(
            Button(
                id=press_id("draft", page.draft, "finish"),
                label=f"Finish · {page.unspent} unspent" if page.unspent else "Finish",
                look=Look.GOOD,
                is_off=bool(page.problems),
            )
        )
    return tuple(ways)


def blanks_form(page: WizardPage) -> Form:
    """The form with the step's text fields."""
    return Form(
        id=press_id("draft", page.draft, "wrote", page.step.key),
        title=page.step.title,
        fields=tuple(
            Field(
                key=blank.key,
                label=blank.prompt,
                value="".join(page.answers.get(blank.key, ())),
                longest=blank.longest,
                is_required=blank.is_required,
                is_long=blank.is_long,
            )
            for blank in page.step.blanks
        ),
    )


MOST_HEROES = 25  # what a menu holds


def heroes_menu(heroes: Sequence[ReadyHero]) -> Select:
    """The menu of ready-made heroes; whoever chooses one plays it."""
    choices = tuple(
        Choice(
            one.name,
            plain(one.name, 100),
            plain("taken: needs another name" if one.is_taken else one.good_at, 100),
        )
        for one in heroes[:MOST_HEROES]
    )
    return Select(id=press_id(JOIN, "take"), prompt="Play a ready-made hero …", choices=choices)


def heroes_reply(heroes: Sequence[ReadyHero]) -> Reply:
    """The ready-made heroes of a campaign, for whoever wants to join."""
    if not heroes:
        return private_page(("This game has no ready-made heroes. Make your own.", (MAKE_CHARACTER,)))
    text = "**Ready-made heroes**\nChoose one and play it right away."
    return private_page((text, heroes_menu(heroes), (MAKE_CHARACTER,)))


def another_name_form(which: int, hero: ReadyHero) -> Form:
    """The form that asks what a hero is called whose name is taken."""
    note = f"Somebody plays {hero.name} here already."
    name = Field(key="name", label="What is yours called?", note=plain(note, 100), longest=LONGEST_NAME)
    return Form(id=press_id(JOIN, "named", which), title=plain(hero.name, 45), fields=(name,))
