"""Replies about campaigns: creation and list."""

from collections.abc import Iterator, Sequence

from bot.rules.kernel import Choice
from bot.table.base.results import Result
from bot.table.campaigns.campaign_settings import Setting, SettingsPage
from bot.table.campaigns.campaigns import CampaignLine, CampaignMade
from bot.table.campaigns.modules import ModuleFile, ModuleView
from bot.ui.input.presses import press_id
from bot.ui.replies.desk_ids import desk_button
from bot.ui.replies.fairness_replies import shown_fingerprint
from bot.ui.replies.result_text import headline
from bot.ui.text.reply import (
    Accent,
    Block,
    Button,
    ButtonBeside,
    Field,
    Form,
    Look,
    Picture,
    Reply,
    Select,
    private_page,
)
from bot.ui.text.text import escape, listed, plain, shorten

MOST_LINES = 12
MOST_CHARACTERS = 1500


def module_file_reply(file: ModuleFile) -> Reply:
    """The campaign's module as a file."""
    text = f"The module **{escape(file.title)}**. Edit it, then load it with /gm module import."
    return Reply(text=text, files=(Picture(name=file.name, content=file.content),), is_private=True)


def module_reply(view: ModuleView, *, is_read: bool = False) -> Reply:
    """A summary of the campaign's module, and what on the characters doesn't fit it.

    Args:
        view: The module.
        is_read: Whether it has just been read from a file.
    """
    head = "The campaign now uses the module in this file." if is_read else ""
    lines = [head, f"**{escape(view.title)}**", *map(escape, view.summary)]
    files: list[Picture] = []
    for title, name, found in (
        ("These no longer fit the module, but stay as they are", "problems", view.problems),
        ("Worth a look", "hints", view.hints),
    ):
        if found:
            shown = _beginning(found)
            lines += [f"-# {title}", *(f"- {escape(line)}" for line in shown)]
            if len(shown) < len(found):
                lines.append(f"- and {len(found) - len(shown)} more, all in {name}.txt")
                files.append(Picture(name=f"{name}.txt", content="\n".join(found).encode()))
    return Reply(text="\n".join(line for line in lines if line), files=tuple(files), is_private=True)


def _beginning(found: tuple[str, ...]) -> tuple[str, ...]:
    """The first few lines."""
    shown, length = 0, 0
    while shown < min(len(found), MOST_LINES) and length + len(found[shown]) <= MOST_CHARACTERS:
        length += len(found[shown])
        shown += 1
    return found[:shown]


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


LONGEST = 4000


def made_reply(made: CampaignMade) -> Reply:
    """The reply to the creation of a campaign."""
    where = (
        "It is this server's default campaign." if made.is_default else "It is now played in this channel."
    )
    lines = [
        headline(made.result.message),
        f"{where} Players start with /character create.",
        "Secret dice seed 1, fingerprint (SHA-256):",
        f"`{shown_fingerprint(made.commitment)}`",
        "-# /fair has all of it.",
    ]
    buttons = [open_settings(made.campaign)]
    if made.has_packs:
        buttons.insert(0, open_optional_rules(made.campaign))
    return Reply(text="\n".join(lines), accent=Accent.NEWS, rows=(tuple(buttons),))


def campaigns_reply(campaigns: Sequence[CampaignLine]) -> Reply:
    """The list of the server's campaigns."""
    lines = [line for one in campaigns for line in _campaign(one)]
    text = "\n".join(["**Campaigns**", *(lines or ["None yet. Create one with /campaign create."])])
    return Reply(text=shorten(text, LONGEST), accent=Accent.BOARD, is_private=True)


def _campaign(one: CampaignLine) -> list[str]:
    marks = [
        "in this channel" if one.is_here else "",
        "default" if one.is_default else "",
        "archived" if one.is_archived else "",
        f"session {one.session} running" if one.session else "",
    ]
    gms = [f"<@{person}>" for person in one.gms] + ([f"<@&{one.gm_role}>"] if one.gm_role else [])
    about = listed(
        [
            f"in {', '.join(f'<#{place}>' for place in one.places)}" if one.places else "",
            f"GM {', '.join(gms)}" if gms else "",
        ]
    )
    lines = [listed([f"**{escape(one.name)}**", escape(one.title), *marks])]
    return [*lines, f"-# {about}"] if about else lines
