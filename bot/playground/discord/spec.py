"""Validation of request bodies against Discord's own API description."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, TypeChecker
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012

_ADDRESS = "urn:discord"


def _is_integer(_checker: TypeChecker, value: object) -> bool:
    """Ids and permission sets are described as integers or texts, and sent as either."""
    if isinstance(value, str):
        return value.removeprefix("-").isdigit()
    return isinstance(value, int) and not isinstance(value, bool)


class Description:
    """Every operation Discord describes, with the schema of its request body."""

    def __init__(self, path: Path) -> None:
        self._document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        self._document["components"]["schemas"]["SnowflakeType"] = {"type": "integer"}
        resource = DRAFT202012.create_resource(self._document)
        self._registry: Registry[Any] = Registry().with_resource(_ADDRESS, resource)
        checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
        self._validator_class = extend(Draft202012Validator, type_checker=checker)
        self._validators: dict[tuple[str, str], Any] = {}
        templates: list[str] = sorted(self._document["paths"], key=lambda template: template.count("{"))
        self._templates = [(_matcher(template), template) for template in templates]

    def problem(self, method: str, path: str, body: object) -> str | None:
        """What is wrong with a request, in one sentence; None if nothing is."""
        template = self._template(method, path)
        if template is None:
            return f"Discord describes no operation {method} {path}"
        validator = self._validator(method, template)
        if validator is None or body is None:
            return None
        found: ValidationError | None = best_match(validator.iter_errors(body))
        if found is None:
            return None
        error = _innermost(found)
        said = error.message[:300]
        return f"{method} {template}: {error.json_path}: {said}"

    def _template(self, method: str, path: str) -> str | None:
        for matcher, template in self._templates:
            if matcher.fullmatch(path) and method.lower() in self._document["paths"][template]:
                return template
        return None

    def _validator(self, method: str, template: str) -> Any:
        key = (method, template)
        if key not in self._validators:
            operation = self._document["paths"][template][method.lower()]
            content = operation.get("requestBody", {}).get("content", {})
            self._validators[key] = None
            if "application/json" in content:
                place = template.replace("~", "~0").replace("/", "~1")
                pointer = (
                    f"{_ADDRESS}#/paths/{place}/{method.lower()}/requestBody/content/application~1json/schema"
                )
                self._validators[key] = self._validator_class({"$ref": pointer}, registry=self._registry)
        return self._validators[key]


def _innermost(error: ValidationError) -> ValidationError:
    """The innermost problem; of a union, that of the variant that fits best."""
    while error.context:
        error = max(error.context, key=lambda inner: len(inner.absolute_path))
    return error


def _matcher(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{[^}]*\}", template)
    return re.compile("[^/]+".join(map(re.escape, parts)))
