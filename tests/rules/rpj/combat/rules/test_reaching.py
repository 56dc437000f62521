"""How far magic reaches in a fight."""

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.engine.magic_steps import assert_reached
from bot.rules.rpj.combat.rules.combatants import Battle
from bot.rules.rpj.combat.state.battlefield import line
from bot.rules.rpj.module.abilities import Reach
from tests.rules.rpj.combat.battles import battle, person


def far_apart(region: int) -> Battle:
    """Ug stands in region 1 of 9, the ogre in another."""
    return battle(person("ug"), person("ogre", foe=True, region=region, group=2), field=line(9))


@pytest.mark.rule("RPJ-WMAG-13")
class TestReachOfSixRegions:
    def test_a_six_region_reach_includes_a_target_six_regions_away(self) -> None:
        fight = far_apart(7)

        assert fight.fight.distance(fight["ug"].fighter, fight["ogre"].fighter) == 6
        assert_reached(fight, "ug", "ogre", Reach.SIX_REGIONS)

    def test_a_six_region_reach_excludes_a_target_seven_regions_away(self) -> None:
        with pytest.raises(UserError):
            assert_reached(far_apart(8), "ug", "ogre", Reach.SIX_REGIONS)
