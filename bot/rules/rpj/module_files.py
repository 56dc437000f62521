"""A module as one TOML or JSON file: read with every problem told at once, and written again."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from enum import StrEnum

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.rules.mistakes import Mistake, Mistakes
from bot.rules.rpj.module import Module
from bot.rules.rpj.module_checks import Known, module_problems

Value = object
_BELONGINGS = ("weapons", "armor", "gear")
_SENTENCES = {
    "missing": "this is missing",
    "extra_forbidden": "there is no such field",
    "string_pattern_mismatch": "this should be made of a-z, 0-9 and _ only, up to 60 of them",
    "model_type": "this should be a table of fields",
    "tuple_type": "this should be a list",
}


class FileKind(StrEnum):
    """The two ways a module is written."""

    TOML = "toml"
    JSON = "json"


def read_module(text: str, kind: FileKind) -> Module:
    """Read a module.

    Args:
        text: The file.
        kind: How it is written.

    Raises:
        Mistakes: If anything is wrong with it; every problem says the entry, the field and what is allowed.
    """
    return module_of(_parsed(text, kind))


def _parsed(text: str, kind: FileKind) -> dict[str, Value]:
    try:
        parsed = tomllib.loads(text) if kind is FileKind.TOML else json.loads(text)
    except json.JSONDecodeError as error:
        raise Mistake(f"This is no JSON: {error.msg}, line {error.lineno}, column {error.colno}.") from error
    except tomllib.TOMLDecodeError as error:
        raise Mistake(f"This is no TOML: {error}.") from error
    if not isinstance(parsed, dict):
        raise Mistake("This is no module.", "A module is an object with id, name, skills and so on.")
    return parsed


def module_of(written: Mapping[str, Value]) -> Module:
    """A module as it was parsed.

    Raises:
        Mistakes: If anything is wrong with it.
    """
    try:
        module = Module.model_validate(written)
    except ValidationError as error:
        problems = [_told(written, detail) for detail in _own_errors(error)]
        rest = Module.model_validate({"id": "module", "name": "Module", **_sound_part(written, error)})
        problems += module_problems(rest, _named(written))
        raise Mistakes(tuple(problems)) from error
    if wrong := tuple(module_problems(module, Known.of(module))):
        raise Mistakes(wrong)
    return module


def _own_errors(error: ValidationError) -> list[ErrorDetails]:
    """The errors, without those of lists that are too short only because an entry of theirs is wrong."""
    details = error.errors()
    inside = {detail["loc"][:-1] for detail in details}
    return [detail for detail in details if detail["type"] != "too_short" or detail["loc"] not in inside]


def _sound_part(written: Mapping[str, Value], error: ValidationError) -> dict[str, Value]:
    """What is left of a module without every entry in which something is wrong."""
    wrong = {detail["loc"][:2] for detail in error.errors()}
    sound: dict[str, Value] = {}
    for field, value in written.items():
        if isinstance(value, list):
            sound[field] = [entry for place, entry in enumerate(value) if (field, place) not in wrong]
        elif not any(where[0] == field for where in wrong):
            sound[field] = value
    return {field: value for field, value in sound.items() if (field,) not in wrong}


def _named(written: Mapping[str, Value]) -> Known:
    """All ids in a module as it was parsed, whatever else is wrong with their entries."""

    def ids(*fields: str) -> set[str]:
        rows = (row for field in fields for row in _rows(written.get(field)))
        return {str(row["id"]) for row in rows if "id" in row}

    return Known(ids("skills"), ids("classes"), ids("traits"), ids(*_BELONGINGS), ids("tables"))


def _rows(value: Value) -> Sequence[Mapping[str, Value]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else ()


def _told(written: Mapping[str, Value], detail: ErrorDetails) -> str:
    """One problem: where it is, and what is allowed there."""
    where: list[str] = []
    found: Value = written
    for step in detail["loc"]:
        if isinstance(step, int):
            found = found[step] if isinstance(found, list) and step < len(found) else None
            name = found.get("id") if isinstance(found, dict) else None
            where.append(f"number {step + 1}" + (f" ({name})" if name else ""))
        else:
            found = found.get(step, found) if isinstance(found, dict) else found
            where.append(step)
    return f"{', '.join(where)}: {_sentence(detail)}."


def _sentence(detail: ErrorDetails) -> str:
    allowed = detail.get("ctx", {})
    match detail["type"]:
        case "value_error":
            return detail["msg"].removeprefix("Value error, ").rstrip(".")
        case "too_short":
            return f"this should have at least {allowed['min_length']}"
        case "union_tag_invalid":
            return f"its type should be one of {allowed['expected_tags']}"
        case other:
            return _SENTENCES.get(other) or detail["msg"].replace("Input should", "this should", 1)


def write_module(module: Module, kind: FileKind) -> str:
    """Write a module; what is as usual is left out.

    Args:
        module: The module.
        kind: How to write it.
    """
    kept: dict[str, Value] = module.model_dump(mode="json", exclude_defaults=True)
    if kind is FileKind.JSON:
        return json.dumps(kept, ensure_ascii=False, indent=2) + "\n"
    return _toml(kept)


def _toml(kept: Mapping[str, Value]) -> str:
    plain = [f"{field} = {_value(value)}" for field, value in kept.items() if not _is_section(value)]
    sections = ["\n".join(plain)]
    for field, value in kept.items():
        if isinstance(value, dict):
            sections.append(_section(f"[{field}]", value))
        elif _is_section(value):
            sections += [_section(f"[[{field}]]", row) for row in _rows(value)]
    return "\n\n".join(sections) + "\n"


def _is_section(value: Value) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and len(_rows(value)) == len(value) > 0)


def _section(head: str, row: Mapping[str, Value]) -> str:
    return "\n".join([head, *(f"{field} = {_value(value)}" for field, value in row.items())])


def _value(value: Value) -> str:
    """A value in TOML; JSON writes texts, numbers and yes or no the same way."""
    if isinstance(value, list):
        return f"[{', '.join(_value(entry) for entry in value)}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{field} = {_value(entry)}" for field, entry in value.items())
        return f"{{ {inner} }}"
    return re.sub("\x7f", r"\\u007f", json.dumps(value, ensure_ascii=False))
