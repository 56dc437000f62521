"""The four maneuvers are gifts that can be bought in every shipped module, and used in fights (F-OPT-13)."""

import pytest

from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import OwnTrait
from bot.rules.rpj.module.settings import RpjSettings, Shipped, module_in
from tests.rules.rpj.combat.played.brawl import brawl, fighter
from tests.rules.rpj.table import FANTASY, rpj_table

GIFTS = ("Prepare", "Watchful Strike", "Holding Strike", "Guarding Strike")


@pytest.mark.rule("RPJ-MNV-01")
class TestManeuverGifts:
    @pytest.mark.parametrize("shipped", Shipped)
    def test_f_opt_13_each_shipped_module_sells_the_four_maneuver_gifts_for_5_points(
        self, shipped: Shipped
    ) -> None:
        module = module_in(RpjSettings(module=shipped))

        found = {trait.name: (trait.kind, trait.cost) for trait in module.traits if trait.name in GIFTS}

        assert found == dict.fromkeys(GIFTS, ("gift", 5))

    def test_f_opt_13_a_maneuver_gift_that_was_bought_is_offered_on_the_board(self) -> None:
        table = brawl(laeniel={"available_points": 5})
        refused = table.refused("Laeniel", "fight.prepare")
        assert refused.what == "Laeniel hasn't learned Prepare."
        assert refused.allowed == "The gift “Prepare” (5 points) teaches it."

        table.do("GM Laeniel", "improve_trait", trait="Prepare")

        offered = RULESET.tracker.choices(table.scene) if RULESET.tracker else ()
        assert "Prepare (1 action)" in [one.label for one in offered]
        table.do("Laeniel", "fight.prepare")
        assert fighter(table, "Laeniel").charges == 2

    def test_f_opt_13_a_campaign_without_maneuvers_has_no_maneuver_gifts(self) -> None:
        off = FANTASY.model_copy(update={"maneuvers": False})
        assert [trait.name for trait in module_in(off).traits if trait.name in GIFTS] == []
        names = RULESET.suggestions["trait"](rpj_table(off).named("Laeniel"), off)
        assert set(GIFTS).isdisjoint(names)

        table = brawl(settings=off, laeniel={"traits": (OwnTrait(trait="prepare_maneuver"),)})
        refused = table.refused("Laeniel", "fight.prepare")
        assert refused.what == "This campaign doesn't use maneuvers."
        assert refused.try_this == (
            "The GM can switch them on: /campaign settings setting:maneuvers value:yes"
        )
