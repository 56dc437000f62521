"""The pages of a campaign's settings, by subject."""

from collections.abc import Iterator

from bot.rules.kernel import Choice
from bot.table.base.results import Result
from bot.table.campaigns.campaign_settings import Setting
from bot.table.campaigns.settings_pages import SettingsPage
from bot.ui.input.presses import press_id
from bot.ui.replies.desk_ids import desk_button
from bot.ui.text.reply import Block, Button, ButtonBeside, Field, Form, Look, Reply, Select, private_page
from bot.ui.text.text import escape, plain, shorten

KIND, LISTS = "setting", "list"
CHANGED = "◆"
LONGEST_VALUE, LONGEST_TYPED = 80, 500
UNSET = "none"


def settings_page_reply(shown: SettingsPage, changed: Result | None = None) -> Reply:
    """A page of settings: to be changed by a GM, to be read by anybody else.

    Args:
        shown: The page.
        changed: What has just been changed, to be told and undone.
    """
    return private_page(_blocks(shown, changed))


def setting_id(shown: SettingsPage, what: str, *arguments: object) -> str:
    """The id of a control of a page."""
    return press_id(KIND, shown.campaign, what, shown.page, *arguments)


def open_settings(campaign: int) -> Button:
    """The button that opens a campaign's settings in a message of their own."""
    return Button(id=press_id(KIND, campaign, "start", 0), label="Settings")


def open_optional_rules(campaign: int) -> Button:
    """The button that opens the switches of a campaign's optional rules in a message of their own."""
    return Button(id=press_id(KIND, campaign, "rules", 0), label="Optional rules")


def _blocks(shown: SettingsPage, changed: Result | None) -> Iterator[Block]:
    marked = f" · {CHANGED} changed here" if any(one.is_changed for one in shown.settings) else ""
    yield f"### {shown.subjects[shown.page]}\n-# Settings of {escape(shown.campaign_name)}{marked}"
    if changed is not None:
        yield from _change(shown, changed)
    for one in shown.settings:
        yield from _setting(shown, one)
    if shown.may_change and (reset := [one for one in shown.settings if one.is_changed]):
        choices = tuple(Choice(one.key, plain(one.name, 100)) for one in reset)
        yield Select(id=setting_id(shown, "reset"), prompt="Back to the default …", choices=choices)
    if len(shown.subjects) > 1:
        yield _menu_of_pages(shown)
    if shown.may_change:
        lists = Button(id=press_id(LISTS, shown.campaign, "home"), label="Lists")
        yield (lists, desk_button()) if shown.has_lists else (desk_button(),)


def _change(shown: SettingsPage, changed: Result) -> Iterator[Block]:
    lines = [
        f"{escape(one.what)}: {escape(shorten(one.before, LONGEST_VALUE))} → "
        f"**{escape(shorten(one.after, LONGEST_VALUE))}**"
        for one in changed.message.changes
    ]
    undo = Button(id=setting_id(shown, "undo", changed.entry), label="Undo")
    yield ButtonBeside("\n".join(lines) or "Changed.", undo)


def _menu_of_pages(shown: SettingsPage) -> Select:
    choices = tuple(
        Choice(str(at), plain(title, 100), f"{changed} changed here" if changed else "")
        for at, (title, changed) in enumerate(zip(shown.subjects, shown.changed, strict=True))
    )
    return Select(
        id=setting_id(shown, "page"), prompt="Other settings …", choices=choices, chosen=(str(shown.page),)
    )


def _setting(shown: SettingsPage, one: Setting) -> Iterator[Block]:
    text = setting_text(one)
    if not shown.may_change:
        yield text
    elif one.is_switch:
        is_on = one.in_force == "on"
        yield ButtonBeside(
            text,
            Button(
                id=setting_id(shown, "to", one.key, "no" if is_on else "yes"),
                label="Turn off" if is_on else "Turn on",
                look=Look.PLAIN if is_on else Look.MAIN,
            ),
        )
    elif choices := [choice for choice in one.choices if choice != UNSET or one.default != UNSET]:
        yield text
        yield Select(
            id=setting_id(shown, "pick", one.key),
            prompt=plain(one.name, 150),
            choices=tuple(
                Choice(choice, plain(one.words.get(choice, choice).capitalize(), 100)) for choice in choices
            ),
            chosen=(one.in_force,),
        )
    else:
        yield ButtonBeside(text, Button(id=setting_id(shown, "write", one.key), label="Change …"))


def setting_text(one: Setting) -> str:
    """A setting with its value in force, where that comes from, and what it does."""
    mark = f"{CHANGED} " if one.is_changed else ""
    value = escape(shorten(one.in_words, LONGEST_VALUE))
    return f"{mark}**{escape(one.name)}:** {value}\n-# {one.description} · {one.source}"


def setting_form(campaign: int, page: int, one: Setting) -> Form:
    """The form that takes a setting's text or number."""
    typed = "" if one.value == UNSET else one.value
    entered = Field(
        key="value",
        label=plain(one.name, 45),
        note=plain(one.description, 85)
        + (" Empty: default." if one.default == UNSET and "Empty" not in one.description else ""),
        value=typed,
        longest=LONGEST_TYPED,
        is_required=False,
        is_long=len(typed) > LONGEST_VALUE,
    )
    return Form(
        id=press_id(KIND, campaign, "wrote", page, one.key), title="Change a setting", fields=(entered,)
    )
