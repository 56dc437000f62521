"""The page's colours keep WCAG AA contrast, dark and light."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

STYLE = Path(__file__).parents[2] / "bot" / "playground" / "static" / "base.css"
AA = 4.5

ON = {
    "ink": ("ground", "raised", "side", "hover", "pressed", "neutral", "neutral-strong", "private", "code"),
    "soft": ("ground", "raised", "side", "hover", "private", "rail", "pressed", "code"),
    "brand": ("ground", "raised", "hover", "private"),
    "on-brand": ("brand", "brand-strong"),
    "tint-ink": ("tint",),
    "bad-ink": ("ground", "raised", "hover", "private", "bad-tint"),
    "white": ("good", "good-strong", "bad", "bad-strong"),
    **{f"hue-{number}": ("ground", "hover") for number in range(8)},
}


def colours() -> dict[str, dict[str, str]]:
    """The named colours of the light and of the dark look."""
    light, dark = STYLE.read_text(encoding="utf-8").split("@media (prefers-color-scheme: dark)")
    named = {
        look: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", text))
        for look, text in (("light", light), ("dark", dark.split("* {")[0]))
    }
    return {look: {**found, "white": "#ffffff"} for look, found in named.items()}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize(("look", "text"), list(product(("light", "dark"), ON)))
def test_text_can_be_read_on_every_ground_it_stands_on(look: str, text: str) -> None:
    named = colours()[look]

    weak = {
        ground: round(contrast(named[text], named[ground]), 2)
        for ground in ON[text]
        if contrast(named[text], named[ground]) < AA
    }

    assert weak == {}
