"""Validation of request bodies against Discord's own API description."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator, Registry, ValidationError, ValidationErrorKind

_ADDRESS = "urn:discord"
_BRACES = str.maketrans({"{": "%7B", "}": "%7D"})


class Description:
    """Every operation Discord describes, with the schema of its request body."""

    def __init__(self, path: Path) -> None:
        self._document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        self._document["components"]["schemas"]["SnowflakeType"] = {"type": "integer"}
        _take_texts_as_integers(self._document)
        self._registry = Registry([(_ADDRESS, self._document)])
        self._validators: dict[tuple[str, str], Draft202012Validator | None] = {}
        templates: list[str] = sorted(self._document["paths"], key=lambda template: template.count("{"))
        self._templates = [(_matcher(template), template) for template in templates]

    def problem(self, method: str, path: str, body: object) -> str | None:
        """What is wrong with a request, in one sentence; None if nothing is."""
        template = self._template(method, path)
        if template is None:
            return f"Discord describes no operation {method} {path}"
        validator = self._validator(method, template)
        if validator is None or body is None or validator.is_valid(body):
            return None
        error = _innermost(validator.iter_errors(body))
        place = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in error.instance_path)
        return f"{method} {template}: ${place}: {error.message[:300]}"

    def _template(self, method: str, path: str) -> str | None:
        for matcher, template in self._templates:
            if matcher.fullmatch(path) and method.lower() in self._document["paths"][template]:
                return template
        return None

    def _validator(self, method: str, template: str) -> Draft202012Validator | None:
        key = (method, template)
        if key not in self._validators:
            operation = self._document["paths"][template][method.lower()]
            content = operation.get("requestBody", {}).get("content", {})
            self._validators[key] = None
            if "application/json" in content:
                place = template.replace("~", "~0").replace("/", "~1").translate(_BRACES)
                pointer = (
                    f"{_ADDRESS}#/paths/{place}/{method.lower()}/requestBody/content/application~1json/schema"
                )
                self._validators[key] = Draft202012Validator({"$ref": pointer}, registry=self._registry)
        return self._validators[key]


def _take_texts_as_integers(schema: object) -> None:
    """Let a schema take digits for integers: ids and permission sets are described as either, and sent so."""
    if isinstance(schema, list):
        for one in schema:
            _take_texts_as_integers(one)
    elif isinstance(schema, dict):
        for one in schema.values():
            _take_texts_as_integers(one)
        types = schema.get("type")
        types = types if isinstance(types, list) else [types]
        if "integer" in types and "string" not in types:
            schema.update(type=[*types, "string"], pattern="^-?[0-9]+$")


def _innermost(errors: Iterable[ValidationError]) -> ValidationError:
    """The innermost problem; of a union, that of the variant that fits best."""
    error = max(errors, key=_depth)
    while isinstance(error.kind, ValidationErrorKind.AnyOf | ValidationErrorKind.OneOfNotValid):
        error = max((inner for variant in error.kind.context for inner in variant), key=_depth)
    return error


def _depth(error: ValidationError) -> int:
    return len(error.instance_path)


def _matcher(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{[^}]*\}", template)
    return re.compile("[^/]+".join(map(re.escape, parts)))
