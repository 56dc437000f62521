"""A campaign's settings: those that every campaign has, and those of its ruleset."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from json import dumps
from typing import Any, Literal, get_args, get_origin

from pydantic import Field, ValidationError

from bot.rules.kernel import Choice, Document, FileKind, Ruleset, SettingsWithModule, Unreadable, parse
from bot.rules.kernel.errors import UserError, UserErrors
from bot.store.boundary import Reader, Transaction
from bot.store.records import CampaignRecord, Json, JsonObject
from bot.table.base.access import Access, access_in, game_settings
from bot.table.base.request import Request
from bot.table.base.results import ChangeLine, Message, Result
from bot.table.base.table import Table
from bot.table.base.typed_options import problem_sentence
from bot.table.campaigns.campaigns import access_to
from bot.table.journal.journal import record, told_before
from bot.table.journal.scenes import refit
from bot.table.journal.suggest import matching

DEFAULT = "default"


class SharedSettings(Document):
    """The settings of every campaign, whatever its game."""

    idle_hours: int | None = Field(
        default=None,
        ge=1,
        le=720,
        description="Hours without play until a session ends automatically; none: the bot's default.",
    )
    voice_empty_minutes: int | None = Field(
        default=None,
        ge=1,
        le=720,
        description="Minutes a linked voice channel must be empty before the session ends; "
        "none: the bot's default.",
    )
    ping_turns: bool = Field(
        default=False,
        description="Whether the fight board pings the player whose turn starts or just names them.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting and its present value.

    Attributes:
        key: Its name.
        description: What it does.
        value: Its value, as it would be typed.
        default: Its default.
        choices: The values it may have; empty if any are allowed.
        comes_to: The effective value if it is left unset, or empty.
    """

    key: str
    description: str
    value: str
    default: str
    choices: tuple[str, ...]
    comes_to: str = ""


def shared_settings(campaign: CampaignRecord) -> SharedSettings:
    """Return the campaign's settings that don't depend on its ruleset."""
    shared = {key: value for key, value in campaign.settings.items() if key in SharedSettings.model_fields}
    return SharedSettings.model_validate(shared)


async def settings(table: Table, request: Request, name: str | None = None) -> tuple[Setting, ...]:
    """Return every setting of a campaign with its present value."""

    def query(reader: Reader) -> tuple[Setting, ...]:
        return tuple(_settings(access_to(table, reader, request, name)))

    return await table.store.read(query)


async def played_here(table: Table, request: Request, game: Ruleset) -> Document:
    """Return the settings a game is played with in a place; the defaults if it isn't played there."""

    def query(reader: Reader) -> Document:
        campaign = reader.campaign_at(request.server, request.places)
        if campaign is None or campaign.ruleset != game.key:
            return game.settings()
        return game_settings(table, reader, game, campaign)

    return await table.store.read(query)


def _settings(access: Access) -> Iterator[Setting]:
    for document in (shared_settings(access.campaign), access.settings):
        modular = document if isinstance(document, SettingsWithModule) else SettingsWithModule()
        open_ = modular.left_open()
        values = document.model_dump(mode="json")
        for key, info in type(document).model_fields.items():
            yield Setting(
                key=key,
                description=info.description or "",
                value=as_typed(values[key]),
                default=as_typed(_default(type(document), key)),
                choices=few_values(info.annotation),
                comes_to=open_.get(key, ""),
            )
        for one in modular.together():
            yield Setting(
                key=one.key, description=one.description, value=one.value, default=one.default, choices=()
            )


def _default(model: type[Document], key: str) -> Json:
    value: Json = model().model_dump(mode="json")[key]
    return value


async def setting_choices(
    table: Table, request: Request, typed: str, name: str | None = None
) -> list[Choice]:
    """Return the settings to choose from, each with its present value."""
    found = {one.key: one for one in await settings(table, request, name)}
    return [Choice(key, _present(found[key])[:100]) for key in matching(found, typed)]


def _present(setting: Setting) -> str:
    comes_to = f" ({setting.comes_to})" if setting.comes_to else ""
    return f"{setting.key} = {setting.value}{comes_to}"


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
        return f"default ({setting.default})"[:100]
    return f"{value} (now)"[:100] if value == setting.value else value


async def change_setting(
    table: Table, request: Request, key: str, text: str, name: str | None = None
) -> Result:
    """Change a setting, and at once the caps that depend on it.

    Args:
        table: The table.
        request: Who asks; a GM of the campaign.
        key: The setting's name.
        text: Its new value as typed; "default" resets it.
        name: The campaign; by default that of the place asked in.

    Raises:
        UserError: If it is not allowed; then nothing has changed.
    """

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = access_to(table, tx, request, name)
        access.require_gm()
        before = {one.key: one.value for one in _settings(access)}
        if key not in before:
            raise UserError(f"There is no setting called “{key}”.", f"Settings: {', '.join(before)}.")
        campaign = replace(access.campaign, settings=_with_setting(access, key, text))
        tx.save_campaign(campaign)
        changed = access_in(table, tx, request, campaign)
        after = {one.key: one.value for one in _settings(changed)}
        line = ChangeLine(campaign.name, key.replace("_", " "), before[key], after[key])
        refit(tx, changed)
        message = Message(who=request.person_name, headline="changes a setting", changes=(line,))
        return record(table, tx, changed, "campaign.setting", message)

    return await table.store.run(unit)


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
    """Return the first candidate that the model accepts.

    Raises:
        UserErrors: If it accepts none; lists what is wrong with the first.
    """
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
