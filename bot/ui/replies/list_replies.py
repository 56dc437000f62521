"""The lists of a campaign's module, as a GM edits them: all lists, a list, an entry, its form."""

from collections.abc import Iterator

from bot.rules.kernel import Choice, Column
from bot.rules.kernel.wording import with_article
from bot.table.base.results import Result
from bot.table.campaigns.module_lists import EntryForm, ListLine, ListsPage
from bot.ui.input.presses import press_id
from bot.ui.replies.campaign_replies import KIND as SETTINGS
from bot.ui.replies.campaign_replies import LISTS
from bot.ui.text.reply import (
    Block,
    Button,
    ButtonBeside,
    Field,
    Form,
    Look,
    MenuField,
    Reply,
    Select,
    private_page,
)
from bot.ui.text.text import escape, plain, shorten

LONGEST_VALUE, LONGEST_LINE = 200, 100
NO_ENTRY = "-"
DONE = {"adds": "Added", "changes": "Changed", "removes": "Removed"}


def lists_reply(shown: ListsPage, changed: Result | None = None) -> Reply:
    """A page of lists.

    Args:
        shown: The page.
        changed: What has just been changed, to be told and undone.
    """
    return private_page(_blocks(shown, changed))


def _id(shown: ListsPage, what: str, *arguments: object) -> str:
    return press_id(LISTS, shown.campaign, what, *arguments)


def _blocks(shown: ListsPage, changed: Result | None) -> Iterator[Block]:
    title = shown.title if shown.entry is None else f"{shown.title}: {escape(shown.entry.name)}"
    yield f"### {title}\n-# {escape(shown.campaign_name)}"
    if changed is not None:
        yield ButtonBeside(_told(changed), Button(id=_undo(shown, changed), label="Undo"))
    if shown.misfits:
        count = "1 thing" if shown.misfits == 1 else f"{shown.misfits} things"
        yield f"-# {count} on characters' sheets isn't in the module now, and stays: /gm module show"
    if not shown.key:
        yield from _lists(shown)
    elif shown.entry is None:
        yield from _list(shown)
    else:
        yield from _entry(shown, shown.entry.mark)


def _undo(shown: ListsPage, changed: Result) -> str:
    return _id(shown, "undo", shown.key, shown.page, changed.entry)


def _told(changed: Result) -> str:
    """What has just been done."""
    verb, _, what = changed.message.headline.partition(" ")
    lines = [
        f"{escape(one.what)}: {escape(shorten(one.before, LONGEST_VALUE))} → "
        f"**{escape(shorten(one.after, LONGEST_VALUE))}**"
        for one in changed.message.changes
    ]
    return "\n".join([f"{DONE.get(verb, verb)} {escape(what)}", *lines])


def _choice(one: ListLine) -> Choice:
    about = plain(one.about, LONGEST_LINE) if one.about else ""
    return Choice(one.mark, plain(one.name, LONGEST_LINE), about)


def _lists(shown: ListsPage) -> Iterator[Block]:
    yield "Add, change or remove what your players choose from."
    choices = tuple(_choice(one) for one in shown.lines)
    yield Select(id=_id(shown, "list"), prompt="Open a list …", choices=choices)
    yield (Button(id=press_id(SETTINGS, shown.campaign, "open", 0), label="Settings"),)


def _list(shown: ListsPage) -> Iterator[Block]:
    pages = f" · page {shown.page + 1} of {shown.pages}" if shown.pages > 1 else ""
    yield f"{shown.count} in this list{pages}."
    if shown.lines:
        id_ = _id(shown, "entry", shown.key, shown.page)
        yield Select(id=id_, prompt="Open one …", choices=tuple(_choice(one) for one in shown.lines))
    buttons = [Button(id=_id(shown, "add", shown.key, shown.page), label="Add …", look=Look.GOOD)]
    if shown.pages > 1:
        turn = (shown.page + 1) % shown.pages
        buttons.append(Button(id=_id(shown, "open", shown.key, turn), label="Next page"))
    buttons.append(Button(id=_id(shown, "home"), label="Lists"))
    yield tuple(buttons)


def _entry(shown: ListsPage, mark: str) -> Iterator[Block]:
    yield "\n".join(
        f"**{title}:** {escape(shorten(value, LONGEST_VALUE)) or '–'}" for title, value in shown.fields
    )
    yield (
        Button(id=_id(shown, "change", shown.key, shown.page, mark), label="Change …", look=Look.MAIN),
        Button(id=_id(shown, "remove", shown.key, shown.page, mark), label="Remove", look=Look.GRAVE),
        Button(id=_id(shown, "open", shown.key, shown.page), label="Back"),
    )


def entry_form_of(campaign: int, key: str, page: int, mark: str | None, asked: EntryForm) -> Form:
    """The form of an entry: a new one, or one that is there."""
    verb = "Add" if mark is None else "Change"
    return Form(
        id=press_id(LISTS, campaign, "put", key, page, mark or NO_ENTRY),
        title=plain(f"{verb} {with_article(asked.noun)}", 45),
        fields=tuple(_field(column, typed) for column, typed in asked.columns),
    )


def _field(column: Column, typed: tuple[str, ...]) -> Field | MenuField:
    if column.choices:
        return MenuField(
            key=column.key,
            label=plain(column.title, 45),
            note=column.note,
            choices=column.choices,
            most=column.most,
            chosen=typed,
        )
    return Field(
        key=column.key,
        label=plain(column.title, 45),
        note=column.note,
        value=typed[0] if typed else "",
        longest=column.longest,
        is_required=column.is_required,
        is_long=column.longest > LONGEST_LINE,
    )
