"""How a setting is shown to people: its subject, and its values in words."""

from collections.abc import Mapping
from typing import Any

from pydantic.fields import FieldInfo

SUBJECT, WORDS = "subject", "words"
PACKS = "packs"  # what sets all optional rules at once
OPTIONAL_RULES = "Optional rules"  # how the subjects of their switches begin


def subject(title: str, words: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What a field of settings is given as ``json_schema_extra``.

    Its ``title`` names it, its ``description`` says in a line what it does, and this says the rest.

    Args:
        title: The subject it belongs to; settings of one subject are shown on one page.
        words: Its values as they read, where a value as typed says too little: "0" to "never".
    """
    return {SUBJECT: title, WORDS: dict(words or {})}


def subject_of(info: FieldInfo) -> str:
    """The subject of a setting; empty if it has none."""
    return str(_extra(info).get(SUBJECT, ""))


def words_of(info: FieldInfo) -> Mapping[str, str]:
    """The values of a setting in words, by how they are typed."""
    found: Mapping[str, str] = _extra(info).get(WORDS, {})
    return found


def _extra(info: FieldInfo) -> Mapping[str, Any]:
    return info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
