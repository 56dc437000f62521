"""Favourites as acts: how an act is kept, and which of the acts offered now it is."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.rules.kernel import Act, ActGroup, CharacterId, FollowUp
from bot.rules.kernel.errors import UserError
from bot.store.records import FavouriteRecord, JsonObject
from bot.store.transaction import Reader
from bot.table.base.access import Access
from bot.table.base.results import follow_up_from_json, follow_up_to_json
from bot.table.base.typed_options import read_options
from bot.table.characters.composing import fields_of
from bot.table.play.play import find_procedure


@dataclass(frozen=True, slots=True)
class Offered:
    """A favourite among the acts offered now.

    Attributes:
        key: The act.
        places: The place of each of its settings' values.
        chosen: The entry of its menu that was kept with it; empty to ask.
    """

    key: str
    places: tuple[int, ...]
    chosen: str


def kept_body(follow_up: FollowUp, label: str) -> JsonObject:
    """Return an act as it is kept: what its menu asks is asked again each time."""
    plain = replace(follow_up, label=label, choices=(), deal="", group="", note="", window=None)
    body = follow_up_to_json(plain)
    options = body["options"]
    if follow_up.choices and isinstance(options, dict):
        body["options"] = {field: value for field, value in options.items() if field != follow_up.chosen}
    return body


def find_offered(body: JsonObject, acts: Mapping[str, Act]) -> Offered | None:
    """Return which of the acts offered now a kept one is, or None."""
    return next(_offered(body, acts.items()), None)


def _offered(body: JsonObject, acts: Iterable[tuple[str, Act]]) -> Iterator[Offered]:
    kept = follow_up_from_json(body)
    options = kept.options.model_dump(mode="json")
    for key, act in acts:
        if act.do.procedure != kept.procedure or bool(act.do.blanks) != bool(kept.blanks):
            continue
        asked = {act.do.chosen} if act.do.choices else set()
        free = asked | set(act.adjusts)
        now = act.do.options.model_dump(mode="json", exclude_defaults=True)
        if _without(now, free) != _without(options, free):
            continue
        places = _places(act, options)
        chosen = _chosen(act.do, options)
        if places is not None and chosen is not None:
            yield Offered(key, places, chosen)


def _without(options: Mapping[str, Any], fields: set[str]) -> dict[str, Any]:
    return {field: value for field, value in options.items() if field not in fields}


def _places(act: Act, options: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Return the place of each kept setting among those offered, or None if one is not among them."""
    places = []
    for field, _title, values in fields_of(act):
        unset = type(act.do.options).model_fields[field].get_default(call_default_factory=True)
        value = options.get(field, unset)
        if value not in values:
            return None
        places.append(list(values).index(value))
    return tuple(places)


def _chosen(follow_up: FollowUp, options: Mapping[str, Any]) -> str | None:
    """Return the kept entry of an act's menu: empty if none was, None if it is no longer in the menu."""
    kept = options.get(follow_up.chosen) if follow_up.choices else None
    if kept is None:
        return ""
    value = str(kept[0]) if isinstance(kept, list) and kept else str(kept)
    return value if value in {one.value for one in follow_up.choices} else None


def kept_act(reader: Reader, access: Access, favourite: FavouriteRecord) -> Act:
    """Return a favourite that is not among the acts offered now, as it was kept.

    The rules say why it is impossible; where something would have to be chosen first, the act does.
    """
    kept = follow_up_from_json(favourite.body)
    problem = f"“{favourite.name}” isn't possible now." if kept.chosen or kept.blanks else ""
    if not problem:
        try:
            model = find_procedure(access, kept.procedure).options
            kept = replace(kept, options=read_options(reader, access, model, kept.options.model_dump()))
        except UserError as mistake:
            problem = f"“{favourite.name}” isn't possible now. {mistake.what}"
    follow_up = replace(kept, label=favourite.name, character=CharacterId(favourite.character))
    return Act(group=ActGroup.USE, do=follow_up, why_not=problem)
