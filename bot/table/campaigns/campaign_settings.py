"""A campaign's settings: those that every campaign has, and those of its ruleset."""

from collections.abc import Iterator, Mapping
from enum import Enum
from json import dumps
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field, ValidationError

from bot.rules.kernel import (
    OPTIONAL_RULES,
    OWN_MODULE,
    PACKS,
    Choice,
    Document,
    FileKind,
    FoeHealth,
    Ruleset,
    SettingsWithModule,
    Unreadable,
    parse,
    subject,
    subject_of,
    words_of,
)
from bot.rules.kernel.errors import UserError, UserErrors
from bot.store.records import CampaignRecord, Json, JsonObject
from bot.table.base.access import Access, Request, access_in, game_settings
from bot.table.base.results import ChangeLine, Message, Result
from bot.table.base.table import SETTING, Table
from bot.table.base.turn import ReadTurn, Turn, look, record, unit
from bot.table.base.typed_options import problem_sentence
from bot.table.campaigns.campaigns import access_to
from bot.table.journal.scenes import refit
from bot.table.journal.suggest import matching

DEFAULT = "default"
NO_SUBJECT = "The game"
SESSIONS = "Sessions and turns"


class SharedSettings(Document):
    """The settings of every campaign, whatever its game."""

    idle_hours: int | None = Field(
        default=None,
        ge=1,
        le=720,
        title="Hours until a session ends",
        description="Hours without play until a session ends automatically.",
        json_schema_extra=subject(SESSIONS, {"none": "default (bot)"}),
    )
    voice_empty_minutes: int | None = Field(
        default=None,
        ge=1,
        le=720,
        title="Minutes with an empty voice channel",
        description="How long its voice channel can stay empty before a session ends.",
        json_schema_extra=subject(SESSIONS, {"none": "default (bot)"}),
    )
    ping_turns: bool = Field(
        default=False,
        title="Ping at turns",
        description="The fight board pings the player whose turn starts.",
        json_schema_extra=subject(SESSIONS),
    )
    foe_health: FoeHealth = Field(
        default=FoeHealth.WORDS,
        title="Foes' health",
        description="What players see of it: numbers, words (hurt, badly hurt), or nothing.",
        json_schema_extra=subject(SESSIONS),
    )
    session_threads: bool = Field(
        default=False,
        title="A thread for each session",
        description="Each session gets a thread of its own, with its recap as the last post.",
        json_schema_extra=subject(SESSIONS),
    )


class Setting(Struct, frozen=True, kw_only=True):
    """One setting and its present value."""

    key: str  # its name
    description: str  # what it does
    value: str  # its value, as it would be typed
    default: str
    choices: tuple[str, ...]  # the values it may have; empty if any are allowed
    comes_to: str = ""  # the effective value if it is left unset, or empty
    title: str = ""  # its name for people; empty if it has none
    subject: str = ""  # the subject of the page it is shown on; empty if it is on none
    words: Mapping[str, str] = {}  # its values in words, by how they are typed

    @property
    def name(self) -> str:
        """What it is called for people."""
        return self.title or self.key.replace("_", " ").capitalize()

    @property
    def is_changed(self) -> bool:
        """Whether the campaign says something else than the default."""
        return self.value != self.default

    @property
    def source(self) -> str:
        """Where its value comes from, in words; empty for the bot's own default."""
        if self.is_changed:
            return "changed here"
        return "default (module)" if self.comes_to and self.subject != SESSIONS else ""

    @property
    def is_switch(self) -> bool:
        """Whether it is only on or off."""
        return self.choices[:2] == ("yes", "no")

    @property
    def in_force(self) -> str:
        """The value in force, as typed; a switch is "on" or "off"."""
        value = self.comes_to or self.value
        return {"yes": "on", "no": "off"}.get(value, value) if self.is_switch else value

    @property
    def in_words(self) -> str:
        """The value in force, in words."""
        return self.words.get(self.in_force, self.in_force)

    def worded(self, value: str) -> str:
        """A value of it as somebody types it, in words."""
        if value == self.value and self.comes_to and self.title:
            in_force = {"on": "yes", "off": "no"}.get(self.comes_to, self.comes_to)
            return self.words.get(in_force, in_force)
        return self.words.get(value, value)


def shared_settings(campaign: CampaignRecord) -> SharedSettings:
    """Return the campaign's settings that don't depend on its ruleset."""
    shared = {key: value for key, value in campaign.settings.items() if key in SharedSettings.model_fields}
    return SharedSettings.model_validate(shared)


@look()
def settings(at: ReadTurn, name: str | None = None) -> tuple[Setting, ...]:
    """Return every setting of a campaign with its present value."""
    return tuple(settings_in(access_to(at, name)))


@look()
def played_here(at: ReadTurn, game: Ruleset) -> Document:
    """Return the settings a game is played with in a place; the defaults if it isn't played there."""
    campaign = at.reader.campaign_at(at.server, at.request.places)
    if campaign is None or campaign.ruleset != game.key:
        return game.settings()
    return game_settings(at.table, at.reader, game, campaign)


def settings_in(access: Access) -> Iterator[Setting]:
    """Return every setting of a campaign with its present value."""
    for document in (shared_settings(access.campaign), access.settings):
        yield from settings_of(document)


def settings_of(document: Document) -> Iterator[Setting]:
    """Return every setting of a document with its present value."""
    modular = document if isinstance(document, SettingsWithModule) else SettingsWithModule()
    open_ = modular.left_open()
    values = document.model_dump(mode="json")
    defaults = type(document)().model_dump(mode="json")
    fields = type(document).model_fields
    others = "" if any(subject_of(info) for info in fields.values()) else NO_SUBJECT
    for key, info in fields.items():
        yield Setting(
            key=key,
            description=info.description or "",
            value=as_typed(values[key]),
            default=as_typed(defaults[key]),
            choices=few_values(info.annotation),
            comes_to=open_.get(key, ""),
            title=info.title or "",
            subject=subject_of(info) or others,
            words=words_of(info),
        )
    for one in modular.together():
        yield Setting(
            key=one.key, description=one.description, value=one.value, default=one.default, choices=()
        )


async def setting_choices(
    table: Table, request: Request, typed: str, name: str | None = None
) -> list[Choice]:
    """Return the settings to choose from, each with its present value."""
    found = {one.key: one for one in await settings(table, request, name)}
    return [Choice(key, _present(found[key])[:100]) for key in matching(found, typed)]


def _present(setting: Setting) -> str:
    if setting.comes_to:
        return f"{setting.key} = {setting.comes_to} (default)"
    return f"{setting.key} = {setting.value}"


async def value_choices(
    table: Table, request: Request, key: str, typed: str, name: str | None = None
) -> list[Choice]:
    """Return the values to choose from for a setting, with its present and default value."""
    one = next((one for one in await settings(table, request, name) if one.key == key), None)
    if one is None:
        return []
    offered = (*one.choices, one.value, DEFAULT)
    return [Choice(value, _labelled(value, one)) for value in matching(offered, typed) if len(value) <= 100]


def _labelled(value: str, setting: Setting) -> str:
    if value == DEFAULT:
        return f"default ({setting.comes_to or setting.default})"[:100]
    return f"{value} (now)"[:100] if value == setting.value else value


@unit()
def change_setting(at: Turn, key: str, text: str, name: str | int | None = None) -> Result:
    """Change a setting, and at once the caps that depend on it.

    Args:
        key: The setting's name.
        text: Its new value as typed; "default" resets it.
        name: The campaign, or its id; by default that of the place asked in.

    Raises:
        UserError: If it is not allowed; then nothing has changed.
    """
    return _changed(at.within(access_to(at, name)), key, text)


@unit()
def set_quietly(at: Turn, campaign: int, key: str, text: str) -> Result | None:
    """Change a setting from a GM's own page, which tells only the GM.

    Args:
        campaign: The campaign's id.
        key: The setting's name.
        text: Its new value as typed; "default" resets it.

    Returns:
        The result, or None if that is its value already.

    Raises:
        UserError: If it is not allowed; then nothing has changed.
    """
    at = at.within(access_to(at, campaign))
    at.access.require_gm()
    if at.earlier_answer() is None and key in {one.key for one in settings_in(at.access)}:
        wanted, unset = (_access_with(at, key, value) for value in (text, DEFAULT))
        is_now, is_wanted, is_unset = (_found(one, key) for one in (at.access, wanted, unset))
        if is_wanted == is_now or (is_now.is_switch and is_wanted.in_force == is_now.in_force):
            return None
        if is_wanted.is_switch and is_wanted.in_force == is_unset.in_force:
            return _changed(at, key, DEFAULT, is_public=False)
    return _changed(at, key, text, is_public=False)


def _access_with(at: Turn, key: str, text: str) -> Access:
    """Return what a campaign would be with a setting changed."""
    campaign = replace(at.campaign, settings=_with_setting(at.access, key, text))
    return access_in(at.table, at.tx, at.request, campaign)


def _found(access: Access, key: str) -> Setting:
    return next(one for one in settings_in(access) if one.key == key)


def _changed(at: Turn, key: str, text: str, *, is_public: bool = True) -> Result:
    again = at.earlier_answer()
    if again is not None:
        return again
    at.access.require_gm()
    before = {one.key: one for one in settings_in(at.access)}
    if key not in before:
        raise UserError(f"There is no setting called “{key}”.", f"Settings: {', '.join(before)}.")
    campaign = replace(at.campaign, settings=_with_setting(at.access, key, text))
    at.tx.save_campaign(campaign)
    changed = access_in(at.table, at.tx, at.request, campaign)
    after = {one.key: one for one in settings_in(changed)}
    what = before[key].title or key.replace("_", " ")
    shown = [one[key].worded(one[key].value) if is_public else one[key].in_words for one in (before, after)]
    refit(at.tx, changed)
    message = Message(
        who=at.request.person_name,
        headline="changes a setting",
        changes=(ChangeLine(campaign.name, what, *shown),),
        is_public=is_public,
    )
    return record(at.table, at.tx, changed, "campaign.setting", message)


def _with_setting(access: Access, key: str, text: str) -> JsonObject:
    """Return the campaign's settings as stored, with one of them changed."""
    stored = dict(access.campaign.settings)
    if key in SharedSettings.model_fields:
        present = {name: stored[name] for name in SharedSettings.model_fields if name in stored}
        rest = {name: value for name, value in stored.items() if name not in present}
        return {**rest, **_differing(SharedSettings, present, key, text)}
    game = stored.get("game")
    return {
        **stored,
        "game": _differing(type(access.settings), game if isinstance(game, dict) else {}, key, text),
    }


def _differing(model: type[Document], present: Mapping[str, Json], key: str, text: str) -> JsonObject:
    """Return what differs from a model's defaults once *key* is set."""
    document = _validated(model, present, key, text)
    changed: JsonObject = document.model_dump(mode="json", exclude_defaults=True)
    return changed


def _validated(model: type[Document], present: Mapping[str, Json], key: str, text: str) -> Document:
    rest = {name: value for name, value in present.items() if name != key}
    if text.strip().casefold() == DEFAULT and key in model.model_fields:
        return _first_valid(model, [rest])
    return _first_valid(model, [{**rest, key: value} for value in readings(text)])


def _first_valid(model: type[Document], candidates: list[dict[str, Any]]) -> Document:
    """Return the first candidate that the model accepts."""
    problems: tuple[str, ...] = ()
    for candidate in candidates:
        try:
            return model.model_validate(candidate)
        except ValidationError as error:
            problems = problems or tuple(problem_sentence(problem) for problem in error.errors())
    raise UserErrors(problems, try_this="Type default to reset it.")


def readings(text: str) -> Iterator[Json]:
    """Return what a typed text may mean: itself, nothing, JSON, a list with commas."""
    yield text.strip()
    if text.strip().casefold() in {"none", "", "-"}:
        yield None
    try:
        yield parse(text, FileKind.JSON)  # type: ignore[misc]  # what JSON is parsed to
    except Unreadable:
        yield [part.strip() for part in text.split(",") if part.strip()]


def as_typed(value: Json) -> str:
    """Return a value as somebody would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, dict) and all(isinstance(part, int) for part in value.values()):
        return ", ".join(f"{name} {part}" for name, part in value.items()) or "none"
    if isinstance(value, list) and not any(isinstance(part, (list, dict)) for part in value):
        return ", ".join(as_typed(part) for part in value) or "none"
    return dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else str(value)


def few_values(annotation: Any) -> tuple[str, ...]:
    """Return the values of a field with only a few, as typed."""
    if annotation is bool:
        return ("yes", "no")
    if annotation is type(None):
        return ("none",)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple(str(member.value) for member in annotation)
    if get_origin(annotation) is Literal:
        return tuple(str(value) for value in get_args(annotation))
    if get_origin(annotation) in {tuple, list, dict}:
        return ()
    return tuple(value for part in get_args(annotation) for value in few_values(part))


ON_PAGE = 7


class SettingsPage(Struct, frozen=True, kw_only=True):
    """The settings of one subject."""

    campaign: int  # the campaign's id
    campaign_name: str
    subjects: tuple[str, ...]  # the title of every page
    page: int  # which of them is open
    settings: tuple[Setting, ...]
    changed: tuple[int, ...]  # how many settings each page has that the campaign has changed
    may_change: bool  # whether the person may change them
    has_lists: bool = False  # whether the game has lists that a GM edits


@look()
def open_page(
    at: ReadTurn,
    campaign: str | int | None = None,
    page: int = 0,
    *,
    setting: str | None = None,
) -> SettingsPage:
    """Return a page of a campaign's settings.

    Args:
        campaign: The campaign's name or id; by default that of the place asked in.
        setting: A setting by its key, whose page is opened instead.

    Raises:
        UserError: If there is no such campaign.
    """
    access = access_to(at, campaign)
    pages = _pages(at.table, access)
    number = page if setting is None else _page_of(pages, setting)
    number = max(0, min(number, len(pages) - 1))
    return SettingsPage(
        campaign=access.campaign.id,
        campaign_name=access.campaign.name,
        subjects=tuple(title for title, _ in pages),
        page=number,
        settings=pages[number][1],
        changed=tuple(sum(one.is_changed for one in shown) for _, shown in pages),
        may_change=access.is_gm,
        has_lists=any(one.is_on(access.settings) for one in access.game.lists),
    )


@look()
def setting_to_change(at: ReadTurn, campaign: int, key: str) -> Setting:
    """Return a setting that somebody wants to change.

    Raises:
        UserError: If they may not, or there is none.
    """
    access = access_to(at, campaign)
    access.require_gm()
    return _setting(_pages(at.table, access), key)


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
