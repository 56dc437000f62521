"""What is so in every fight, whatever is chosen and however the dice fall."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.rules.kernel import Audience, FollowUp
from bot.rules.rpj.character.casters import casting_of
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.combat.commands.board import TRACKER
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.module_files import RpjSettings
from bot.rules.rpj.module.spells import slot_counts
from bot.rules.rpj.wild_magic import stamina_of
from tests.rules.rpj.combat.played.brawl import brawl, fight, health
from tests.rules.rpj.combat.played.test_grapples_played import MEDIC, WITH_GIFTS, knows
from tests.rules.rpj.combat.played.test_magic import MAGE, MAGIC, RESISTS
from tests.rules.rpj.combat.rules.test_free_attacks import NAMES
from tests.rules.rpj.table import GameTable

STEPS = 40


class _Drawn:
    """Dice that fall as hypothesis likes."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def roll(self, sides: int) -> int:
        """Any face."""
        return self._data.draw(st.integers(1, sides))


def _presser(table: GameTable, button: FollowUp) -> str:
    """Who presses a button: whoever it is for, as the GM where it is nobody's."""
    if button.character is None or button.audience is Audience.GM:
        return "GM"
    name = next(name for name, id_ in table.ids.items() if id_ == button.character)
    return name if table.named(name).owner is not None else f"GM {name}"


def press_something(table: GameTable, data: st.DataObject) -> None:
    """Press something that the board offers; that is never a mistake."""
    offered = TRACKER.choices(table.scene)
    assert all(one in offered for one in TRACKER.turn_ends(table.scene))
    button = data.draw(st.sampled_from(offered))
    options = button.options.model_dump()
    if button.choices:
        options[button.chosen] = data.draw(st.sampled_from(button.choices)).value
    table.play(_presser(table, button), button.procedure, options, _Drawn(data))


def assert_whole(table: GameTable) -> None:
    """What is so at every moment of a fight."""
    kept = fight(table)
    there = list(kept.present)
    for one in there:
        others = kept.group(one)
        assert all(other.region == one.region for other in others)
        assert one.region in kept.field.numbers
        assert one.turn.actions <= one.turn.received
    for hold in kept.grapples:
        a, b = kept.fighter(hold.a), kept.fighter(hold.b)
        assert a.group == b.group
    for name in ("Laeniel", "Ug", "Ogre"):
        state = health(table, name)
        assert state.bleeding == 0 or state.out in (Out.INCAPACITATED, Out.DEAD)
    view = TRACKER.view(table.scene)
    assert view is not None
    assert view.lines
    assert sorted(one.name for one in kept.called()) == sorted(line.name for line in view.lines)


@settings(
    max_examples=30,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # making such a fight shorter takes minutes
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_a_fight_stays_consistent_whatever_is_pressed(data: st.DataObject) -> None:
    table = brawl(
        settings=WITH_GIFTS, ogre=knows(*NAMES), laeniel={**MEDIC, **knows(*NAMES)}, ug=knows("riposte")
    )
    table.do("GM", "fight.mooks", name="Goblin", count=3, region="1", beside="Ug")
    table.do("GM", "fight.mooks", name="Archer", count=2, region="2", range=2, side="players")
    for name in ("Laeniel", "Ug"):
        table.do(name, "fight.defense", defense="ask")
    for _ in range(STEPS):
        press_something(table, data)
        assert_whole(table)


MAGIC_STEPS = 30
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
    for _ in range(MAGIC_STEPS):
        press_something(table, data)
        assert_whole(table)
        _within(table)
