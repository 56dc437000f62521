"""What people type: names, in one normal form without invisible characters, and a procedure's options."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import count
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec.structs import replace
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from bot.rules.kernel import CharacterId, Document, TextField
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.outcome import name_key, shown_number
from bot.store.records import CharacterRecord, EntryRecord, Json
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, find_character
from bot.table.base.results import fact_of

LONGEST_NAME = 40
JOINERS = frozenset("\u200d\ufe0f")  # inside emoji
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# What looks like nothing at all: fillers, vowels without a form, the blank Braille cell, the grapheme joiner.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    chr(code)  # selectors of a letter's or picture's variant, but for the one of emoji
    for selectors in (range(0x180B, 0x1810), range(0xFE00, 0xFE0F), range(0xE0100, 0xE01F0))
    for code in selectors
)
MOST_MARKS = 4  # combining marks on one letter; more of them only climb over other lines
# Letters, dashes, arrows and pictures that stay as they are: no marks, nothing that has another normal form.
_USUAL = re.compile("[ -~\u00a1-\u02ff\u2010-\u20cf\u2190-\u2328\u232b-\u27ff]*")


def one_line(text: str) -> str:
    """Return a text on one line, without control and direction characters."""
    if text.isprintable() and _USUAL.fullmatch(text):
        return " ".join(text.split())
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if character in JOINERS:
            if kept and not kept[-1].isascii():
                kept.append(character)
        elif category in UNSEEN or character in BLANK:
            kept.append(" ")
        elif marks <= MOST_MARKS:
            kept.append(character)
    return " ".join("".join(kept).split())


GAVE_WAY = "gave_way"  # in an entry's facts: the names that something hidden had before and after


def gives_way(access: Access, bearer: CharacterRecord) -> bool:
    """Return whether somebody may take a name because its bearer is hidden from them."""
    return bearer.is_hidden and not access.is_gm and bearer.owner != access.request.person


def make_room(tx: Transaction, access: Access, name: str) -> dict[str, Json]:
    """Rename the hidden bearer of a name; return facts for the entry."""
    server, campaign = access.request.server, access.campaign.id
    bearer = tx.character_named(server, campaign, name)
    if bearer is None or not gives_way(access, bearer):
        return {}
    numbered = (f"{bearer.name[: LONGEST_NAME - 4]} {number}" for number in count(2))
    other = next(one for one in numbered if tx.character_named(server, campaign, one) is None)
    tx.save_character(replace(bearer, name=other))
    return {GAVE_WAY: [bearer.name, other]}


def note_of(entry: EntryRecord) -> str | None:
    """Return the note about it that the GM reads in the log."""
    names = fact_of(entry, GAVE_WAY)
    if not isinstance(names, list):
        return None
    return f"your hidden {names[0]} is now called {names[1]}"


_LETTERS = {
    **dict(zip("АВЕЅІЈКМНОРСТУХԚԜҮӀ", "ABESIJKMHOPCTYXQWYl", strict=True)),
    **dict(zip("аеѕіјорсухԛԝһԁӏѵү", "aesijopcyxqwhdlvy", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC", strict=True)),
    **dict(zip("αιοργυνϲϳ", "aiopyuvcj", strict=True)),
    **dict(zip("օսհոոցզ", "ouhnngq", strict=True)),
    **dict(zip("ıɑɡƖǀ|", "iagIll", strict=True)),
}
_AS_LATIN = str.maketrans({**_LETTERS, **dict.fromkeys(JOINERS, "")})


def skeleton(name: str) -> str:
    """Return what all names that read like this one have in common."""
    latin = unicodedata.normalize("NFKC", name).translate(_AS_LATIN)
    return " ".join(latin.replace("I", "l").casefold().split())


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """Return the first of *others* that reads like *name*, though it is written otherwise; or None."""
    bones, written = skeleton(name), name_key(name)
    return next((one for one in others if skeleton(one) == bones and name_key(one) != written), None)


def assert_unlike(name: str, others: Iterable[str]) -> None:
    """Refuse a new name that reads like another.

    Raises:
        UserError: If it does.
    """
    other = look_alike(name, others)
    if other is not None:
        raise UserError(reads_like(name, other), try_this="Choose another name.")


def reads_like(name: str, other: str) -> str:
    """Return the error about a name that reads like another."""
    return f"The name {name} reads like {other}, though it is written otherwise."


MOST_VALUES = 25  # what a select menu holds
YES, NO = "yes", "no"


def inner_type(annotation: Any) -> Any:
    """Return the type of a field, without `None` and without annotations."""
    while True:
        origin = get_origin(annotation)
        if origin in (Union, UnionType):
            annotation = next(part for part in get_args(annotation) if part is not type(None))
        elif origin is Annotated:
            annotation = get_args(annotation)[0]
        else:
            return annotation


def bound(found: FieldInfo, what: str, otherwise: int) -> int:
    """Return a bound of a field ("ge", "le", "max_length"), or another number where it has none."""
    return next((getattr(one, what) for one in found.metadata if hasattr(one, what)), otherwise)


def values_of(found: FieldInfo, preset: Any) -> Sequence[Any]:
    """Return every value that a field can be set to in a menu; up to 25 of them.

    None comes first where the field may be left open. Of many numbers those around the preset one are there;
    a number without both bounds has no values besides it.

    Args:
        preset: The value that it has.
    """
    kind = inner_type(found.annotation)
    values: list[Any]
    if kind is bool:
        values = [False, True]
    elif isinstance(kind, type) and issubclass(kind, StrEnum):
        values = list(kind)
    elif get_origin(kind) is Literal:
        values = list(get_args(kind))
    elif kind is int:
        values = _numbers(found, preset)
    else:
        values = []
    if type(None) in get_args(found.annotation):
        values = [None, *values]
    if preset not in values:
        values = [preset, *values]
    return values[:MOST_VALUES]


def _numbers(found: FieldInfo, preset: Any) -> list[int]:
    """The numbers of a menu: 23 at most, so that one for none and the preset one have room."""
    most_numbers = MOST_VALUES - 2
    least, most = bound(found, "ge", 0), bound(found, "le", -1)
    middle = preset if isinstance(preset, int) else found.default if isinstance(found.default, int) else least
    first = max(least, min(middle - most_numbers // 2, most - most_numbers + 1))
    return list(range(first, min(most, first + most_numbers - 1) + 1))


def value_words(value: Any) -> str:
    """Return a value as a menu shows it."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return YES if value else NO
    return shown_number(value) if isinstance(value, int) else str(value)


GIVEN = Mapping[str, "Json | tuple[str, ...]"]
Written = str | tuple[str, ...]  # an answer in a form: a text, or what was chosen in a menu

# Kinds of pydantic's problems in our words; what stands in braces is its own.
WORDS = MappingProxyType(
    {
        "greater_than_equal": "must be at least {ge}",
        "greater_than": "must be more than {gt}",
        "less_than_equal": "must be at most {le}",
        "less_than": "must be less than {lt}",
        "string_too_short": "must have at least {min_length} characters",
        "string_too_long": "must have at most {max_length} characters",
        "too_short": "needs at least {min_length}",
        "too_long": "takes at most {max_length}",
        "int_parsing": "must be a whole number",
        "int_type": "must be a whole number",
        "int_from_float": "must be a whole number",
        "int_parsing_size": "is too large",
        "bool_parsing": "must be yes or no",
        "bool_type": "must be yes or no",
        "string_type": "must be text",
        "tuple_type": "must be a list",
        "literal_error": "must be one of {expected}",
        "enum": "must be one of {expected}",
    }
)


@cache
def _character_fields(model: type[Document]) -> frozenset[str]:
    """Return the fields of an options model that name one or more characters."""

    def names_one(annotation: object) -> bool:
        return annotation is CharacterId or any(names_one(part) for part in get_args(annotation))

    return frozenset(name for name, info in model.model_fields.items() if names_one(info.annotation))


def read_options(reader: Reader, access: Access, model: type[Document], given: GIVEN) -> Document:
    """Return a procedure's options from typed values, with characters found by name.

    Raises:
        UserErrors: If some of them are not allowed; lists all of them.
        NoSuchCharacter: If only a character's name is wrong.
    """
    named = {key: value for key, value in given.items() if value is not None}
    unknown: dict[str, UserError] = {}
    for field in [key for key in named if key in _character_fields(model)]:
        try:
            named[field] = _found(reader, access, named[field])
        except UserError as mistake:
            unknown[field] = mistake
    try:
        options = model.model_validate(named)
    except ValidationError as error:
        known = {(key,) for key in unknown}
        wrong = [problem for problem in error.errors() if problem["loc"][:1] not in known]
        if not wrong and len(unknown) == 1:
            raise next(iter(unknown.values())) from None
        sentences = tuple(
            dict.fromkeys((*(one.what for one in unknown.values()), *map(problem_sentence, wrong)))
        )
        raise UserErrors(sentences) from None
    if unknown:
        raise next(iter(unknown.values()))
    return options


def characters_in(options: Document) -> Iterator[CharacterId]:
    """Return every character that options name."""
    for field in _character_fields(type(options)):
        named = getattr(options, field)
        yield from named if isinstance(named, tuple) else () if named is None else (named,)


def read_choice(model: type[Document], field: str, chosen: str) -> Json:
    """Return a choice from a follow-up's menu: for a character its id (a list if several are allowed).

    Names typed by people never pass through here, so a character called "7" is no trap.
    """
    if field not in _character_fields(model) or not chosen.isdecimal():
        return chosen
    is_several = get_origin(model.model_fields[field].annotation) is tuple
    return [int(chosen)] if is_several else int(chosen)


def read_blank(model: type[Document], blank: TextField, written: Mapping[str, Written]) -> Json:
    """Return the answer to a question in a form; several characters are named with commas between.

    Raises:
        UserError: If something was chosen that its menu doesn't have.
    """
    answer = written.get(blank.key, "")
    if blank.choices:
        return _read_menu(model, blank, (answer,) if isinstance(answer, str) else answer)
    text = answer.strip() if isinstance(answer, str) else ""
    if not text and not blank.is_required:
        return None
    if not _takes_several(model, blank.key):
        return text
    return [name.strip() for name in text.split(",") if name.strip()]


def _read_menu(model: type[Document], blank: TextField, chosen: tuple[str, ...]) -> Json:
    """Return what was chosen in a form's menu, as `read_choice` does."""
    if len(chosen) > blank.most or not {*chosen} <= {one.value for one in blank.choices}:
        raise UserError("You can't choose that here.", "Choose again from the menu.")
    if blank.key not in _character_fields(model):
        return ", ".join(chosen)
    ids = [int(one) for one in chosen]
    return list(ids) if _takes_several(model, blank.key) else next(iter(ids), None)


def _takes_several(model: type[Document], field: str) -> bool:
    """Whether a field takes several characters."""
    is_tuple = get_origin(model.model_fields[field].annotation) is tuple
    return field in _character_fields(model) and is_tuple


def _found(reader: Reader, access: Access, value: Json | tuple[str, ...]) -> Any:
    if isinstance(value, (list, tuple)):
        return tuple(_found(reader, access, one) for one in value)
    if isinstance(value, int):
        return find_character(reader, access, value).id
    return find_character(reader, access, str(value)).id


def problem_sentence(problem: Mapping[str, Any], where: str | None = None) -> str:
    """Return what is wrong with typed input, from pydantic's problem.

    Args:
        problem: One of a `ValidationError`.
        where: What to call the place; by default its path in words.
    """
    is_option = where is None
    if where is None:
        where = " ".join(str(part).replace("_", " ") for part in problem["loc"]).capitalize() or "This"
    if problem["type"] == "missing":
        return f"{where} is missing."
    if problem["type"] == "extra_forbidden":
        return f"Unknown option: {where}." if is_option else f"{where}: there is no such field."
    words = WORDS.get(problem["type"])
    if words is not None:
        return f"{where}: {words.format_map(problem.get('ctx', {}))}.".replace(" -", " −")
    said = str(problem["msg"]).removeprefix("Value error, ").removesuffix(".")
    return f"{where}: {said[:1].lower()}{said[1:]}."
