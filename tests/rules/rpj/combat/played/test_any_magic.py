"""What is so in every fight of mages, whatever is chosen and however the dice fall."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.rules.rpj.character.casters import casting_of
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.magic.ability_users import stamina_of
from bot.rules.rpj.module.settings import RpjSettings
from bot.rules.rpj.module.spells import slot_counts
from tests.rules.rpj.combat.played.brawl import brawl
from tests.rules.rpj.combat.played.test_any_fight import assert_whole, press_something
from tests.rules.rpj.combat.played.test_magic_played import MAGE, MAGIC, RESISTS
from tests.rules.rpj.table import GameTable

STEPS = 30
RECIPES: dict[str, dict[str, Any]] = {
    "Brand": {"magnitude": "moderate", "damage": 1, "reach": "touch"},
    "Blaze": {"magnitude": "moderate", "damage": 1, "area": "10 yards, one group"},
    "Flash": {"magnitude": "weak", "concentration": "instant"},
    "Rite": {"magnitude": "strong", "damage": 2, "concentration": "ten minutes", "reach": "within sight"},
    "Wave": {
        "magnitude": "moderate",
        "damage": 2,
        "reach": "180 yards, 6 regions",
        "area": "30 yards a region",
        "regions": 2,
        "is_selective": True,
    },
}
SAVED = {
    "abilities": [{"name": name, "skill": "fire_magic", "recipe": made} for name, made in RECIPES.items()]
}


def _within(table: GameTable) -> None:
    """Nobody has more slots than the rule gives, or more stamina than there is."""
    for name in ("Ug", "Ogre"):
        figure = figure_in(table.scene, table.named(name))
        slots, most = casting_of(figure).slots, slot_counts(5, 1)
        assert [sum(slot.level == level for slot in slots) for level in range(7)] == list(most)
        left, whole = stamina_of(figure)
        assert left <= whole


@pytest.mark.rule("RPJ-SMAG-08", "RPJ-WMAG-07")
@pytest.mark.parametrize("under_fire", [False, True])
@settings(
    max_examples=10,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_a_fight_between_mages_stays_consistent_whatever_is_pressed(
    under_fire: bool, data: st.DataObject
) -> None:
    played = RpjSettings(**{**MAGIC.model_dump(), "fire_and_movement": under_fire, "inventory": True})
    table = brawl("Ug", settings=played, ug=MAGE, ogre=MAGE, laeniel=RESISTS)
    for name in ("Ug", "Ogre"):
        table.change(name, wild=SAVED)
    table.do("GM", "fight.mooks", name="Goblin", count=2, region="1", beside="Ug")
    for name in ("Laeniel", "Ug"):
        table.do(name, "fight.defense", defense="ask")
    for _ in range(STEPS):
        press_something(table, data)
        assert_whole(table)
        _within(table)
