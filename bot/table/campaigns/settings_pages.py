"""A campaign's settings by subject, a page each, as a GM changes them and players read them."""

from dataclasses import dataclass, replace

from bot.rules.kernel import OPTIONAL_RULES, OWN_MODULE, PACKS
from bot.rules.kernel.errors import UserError
from bot.store.transaction import Reader
from bot.table.base.access import Access
from bot.table.base.attached import SETTING
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.campaigns.campaign_settings import Setting, settings_in
from bot.table.campaigns.campaigns import access_to

ON_PAGE = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsPage:
    """The settings of one subject.

    Attributes:
        campaign: The campaign's id.
        campaign_name: Its name.
        subjects: The title of every page.
        page: Which of them is open.
        settings: The settings on it.
        changed: How many settings each page has that the campaign has changed.
        may_change: Whether the person may change them.
        has_lists: Whether the game has lists that a GM edits.
    """

    campaign: int
    campaign_name: str
    subjects: tuple[str, ...]
    page: int
    settings: tuple[Setting, ...]
    changed: tuple[int, ...]
    may_change: bool
    has_lists: bool = False


async def open_page(
    table: Table,
    request: Request,
    campaign: str | int | None = None,
    page: int = 0,
    *,
    setting: str | None = None,
) -> SettingsPage:
    """Return a page of a campaign's settings.

    Args:
        table: The table.
        request: Who asks; anybody may read.
        campaign: The campaign's name or id; by default that of the place asked in.
        page: Which page.
        setting: A setting by its key, whose page is opened instead.

    Raises:
        UserError: If there is no such campaign.
    """

    def query(reader: Reader) -> SettingsPage:
        access = access_to(table, reader, request, campaign)
        pages = _pages(table, access)
        at = page if setting is None else _page_of(pages, setting)
        at = max(0, min(at, len(pages) - 1))
        return SettingsPage(
            campaign=access.campaign.id,
            campaign_name=access.campaign.name,
            subjects=tuple(title for title, _ in pages),
            page=at,
            settings=pages[at][1],
            changed=tuple(sum(one.is_changed for one in shown) for _, shown in pages),
            may_change=access.is_gm,
            has_lists=any(one.is_on(access.settings) for one in access.game.lists),
        )

    return await table.store.read(query)


async def setting_to_change(table: Table, request: Request, campaign: int, key: str) -> Setting:
    """Return a setting that somebody wants to change.

    Raises:
        UserError: If they may not, or there is none.
    """

    def query(reader: Reader) -> Setting:
        access = access_to(table, reader, request, campaign)
        access.require_gm()
        return _setting(_pages(table, access), key)

    return await table.store.read(query)


def _pages(table: Table, access: Access) -> list[tuple[str, tuple[Setting, ...]]]:
    """Return the settings in pages: those of every campaign first, then the game's by subject."""
    by_subject: dict[str, list[Setting]] = {}
    for one in settings_in(access):
        if one.subject and one.value[:1] not in {"[", "{"}:
            by_subject.setdefault(one.subject, []).append(_to_choose(table, access, one))
    return [
        (title if len(found) <= ON_PAGE else f"{title} {at // ON_PAGE + 1}", tuple(found[at : at + ON_PAGE]))
        for title, found in by_subject.items()
        for at in range(0, len(found), ON_PAGE)
    ]


def _to_choose(table: Table, access: Access, one: Setting) -> Setting:
    """Return a setting with the bot's own numbers, and without a module of its own where there is none."""
    usual = {"idle_hours": table.idle_hours, "voice_empty_minutes": table.voice_empty_minutes}.get(one.key)
    if usual is not None and not one.is_changed:
        return replace(one, comes_to=f"{usual:g}")
    if OWN_MODULE in one.choices and one.value != OWN_MODULE and SETTING not in access.campaign.settings:
        return replace(one, choices=tuple(choice for choice in one.choices if choice != OWN_MODULE))
    return one


def _page_of(pages: list[tuple[str, tuple[Setting, ...]]], key: str) -> int:
    """Return the page of a setting; that of the optional rules for all of them, the first for any other."""
    for at, (title, shown) in enumerate(pages):
        if key in {one.key for one in shown} or (key == PACKS and title.startswith(OPTIONAL_RULES)):
            return at
    return 0


def _setting(pages: list[tuple[str, tuple[Setting, ...]]], key: str) -> Setting:
    for _, shown in pages:
        for one in shown:
            if one.key == key:
                return one
    raise UserError("This setting is gone.", try_this="Open /campaign settings again.")
