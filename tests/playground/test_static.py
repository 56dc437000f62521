"""What is never in the page's files: markup made of text, addresses elsewhere, too many lines."""

from __future__ import annotations

import re
from pathlib import Path

STATIC = Path(__file__).parents[2] / "bot" / "playground" / "static"


def test_no_script_writes_markup() -> None:
    forbidden = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "eval(")
    found = [
        f"{script.name}: {word}"
        for script in STATIC.glob("*.js")
        for word in forbidden
        if word in script.read_text(encoding="utf-8")
    ]

    assert found == []


def test_no_file_names_an_address_elsewhere() -> None:
    files = [path for path in STATIC.iterdir() if path.suffix in (".js", ".css", ".html", ".svg")]
    named = {
        found for path in files for found in re.findall(r"(?:https?|wss?)://[\w.]+", path.read_text("utf-8"))
    }

    assert named == {"http://www.w3.org"}  # the name of SVG, never fetched


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in STATIC.iterdir()}

    assert {name: length for name, length in lengths.items() if length > 400} == {}
