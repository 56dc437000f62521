"""What about a player's character needs approval (F-REL-02): no sheet field bypasses it."""

from collections.abc import Iterator

import pytest
from pydantic import ValidationError

from bot.rules import rulesets
from bot.rules.kernel import Document, Ruleset
from bot.store.records import Json

Place = tuple[str | int, ...]

# What may be otherwise on a beginner's sheet: what is free, what is worse, and what dice still decide.
FREE = {
    "compare_roll": {"is_draft", "has_rolled_assets", "ft_lost", "downed_by"},
    "post_magic_maid": {"is_dead", "abilities/*/effects"},
    "rpj": {"lucky_breaks_lost", "flips_coins"},
    "swim_class": {
        *("is_dead", "traits/*/degree"),
        # As much gear as a beginner's money buys, carried in any way.
        *("items", "items/*/quantity", "items/*/is_equipped", "items/*/is_anchored", "items/*/is_limited"),
    },
    "sword_and_swarm": {
        *("level", "base/Mallet", "base/Key", "base/Runes", "base/Coronet", "base/Star", "encumbrance"),
        *("proficiencies/Architecture", "benefits/*/raises/*/amount", "benefits/*/in_use"),
    },
}


def places(value: Json, place: Place = ()) -> Iterator[tuple[Place, Json]]:
    if place:
        yield place, value
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from places(part, (*place, key))


def with_value(value: Json, place: Place, new: Json) -> Json:
    if not place:
        return new
    first, *rest = place
    if isinstance(value, dict):
        return {**value, str(first): with_value(value[str(first)], tuple(rest), new)}
    assert isinstance(value, list)
    return [with_value(part, tuple(rest), new) if at == first else part for at, part in enumerate(value)]


def more(value: Json) -> list[Json]:
    """Return better values: other answers, higher numbers, an entry twice."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value + 40, 1000]
    if isinstance(value, list):
        return [[*value, value[0]]] if value else []
    return [7] if value is None else []


def is_let_in(game: Ruleset, given: Json) -> bool:
    """Return whether a player's character with this sheet joins without approval."""
    settings = game.settings()
    try:
        sheet: Document = game.sheet.model_validate(given)
    except ValidationError:
        return False
    if game.sheet_problems(sheet) or game.module_problems(sheet, settings):
        return False
    rules = game.beginner
    return not [*rules.excess(sheet, settings), *rules.claims(sheet, settings)]


@pytest.mark.parametrize("game", rulesets().values(), ids=lambda game: game.key)
def test_f_rel_02_no_sheet_field_bypasses_the_gm(game: Ruleset) -> None:
    free: set[str] = set()
    for ready in game.creation.offered(game.settings()).values():
        whole = ready.model_dump(mode="json")
        for place, value in places(whole):
            if any(is_let_in(game, with_value(whole, place, better)) for better in more(value)):
                free.add("/".join("*" if isinstance(part, int) else part for part in place))

    assert free == FREE[game.key]


@pytest.mark.parametrize("game", rulesets().values(), ids=lambda game: game.key)
def test_a_ready_made_character_is_a_beginner(game: Ruleset) -> None:
    settings = game.settings()

    for ready in game.creation.offered(settings).values():
        assert list(game.beginner.excess(ready, settings)) == []
