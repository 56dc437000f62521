"""What the picture of a sheet shows in each game."""

from typing import Any

import pytest

from bot.rules import rulesets
from bot.rules.kernel import Character, CharacterId, PersonId, evolve
from bot.table.characters.characters import NOTHING_TO_SEE

GAMES = {game.key: game for game in rulesets().values()}


def glance(key: str, name: str, *, sheet: Any = None, **counted: Any) -> str:
    """A ready-made character's glance in words, with some values changed."""
    game: Any = GAMES[key]
    settings = game.settings()
    own = game.creation.offered(settings)[name]
    who = Character(
        id=CharacterId(1),
        name=name,
        owner=PersonId(1),
        sheet=own if sheet is None else evolve(own, **sheet(own)),
        resources=counted.get("resources", {}),
        wounds=counted.get("wounds", {}),
    )
    words: str = game.glance(who, settings).words
    return words


@pytest.mark.parametrize(
    ("resources", "words"),
    [
        ({"hp": 32, "high": 2}, "HP 32/32, FT 14/14, Stress 0/3, High 2/5"),
        ({"hp": 8, "stress": 1}, "HP 8/32, FT 14/14, Stress 1/3, High 0/5"),
        ({"hp": 0}, "HP 0/32, FT 14/14, Stress 0/3, High 0/5, At 0 HP"),
    ],
)
def test_compare_roll_shows_hp_fortitude_stress_and_high(resources: dict[str, int], words: str) -> None:
    assert glance("compare_roll", "Juno Marsh", resources=resources) == words


@pytest.mark.parametrize(
    ("wounds", "words"),
    [
        ({}, "Blitz Points 3, Blunt 0/11, Rending 0/7"),
        (
            {"blunt": (4, 3, 3, 1), "rending": (1, 0, 0, 0)},
            "Blitz Points 3, Blunt 11/11, Rending 1/7, Unconscious",
        ),
    ],
)
def test_post_magic_maid_shows_blitz_points_and_wounds(wounds: dict[str, Any], words: str) -> None:
    assert glance("post_magic_maid", "Nettle Quickwater", resources={"blitz": 3}, wounds=wounds) == words


def test_swim_class_shows_what_is_left_of_each_defense_also_below_zero() -> None:
    hurt = {"scratches": 1, "physical_wounds": 2}

    assert glance("swim_class", "Sable Thornwick", resources=hurt) == (
        "Composure 0/1, Physical −1/1, Mental 1/1, Social 1/1"
    )


def test_rpj_shows_lucky_breaks_and_saves_left() -> None:
    def knocked_out(own: Any) -> dict[str, Any]:
        return {"health": evolve(own.health, lost_base=(7,), out="knocked out")}

    assert glance("rpj", "Marit Vance", resources={"lucky_breaks": 1}) == "Lucky Breaks 1/3, Base saves 3/3"
    assert glance("rpj", "Marit Vance", sheet=knocked_out) == (
        "Lucky Breaks 0/3, Base saves 2/3, Knocked out"
    )


def test_sword_and_swarm_shows_star_shield_and_boots() -> None:
    assert glance("sword_and_swarm", "Odalys Thorne") == "Star 4/4, Shield 1, Boots 6"
    assert glance("sword_and_swarm", "Odalys Thorne", sheet=lambda _own: {"star": 0}) == (
        "Star 0/4, Shield 1, Boots 6, Defeated"
    )


def test_a_game_without_counts_shows_nothing() -> None:
    assert NOTHING_TO_SEE.words == ""
