"""Damage scales as they are played: in fights, and by the GM's hand outside of them."""

from typing import Any

import pytest

from bot.rules.rpj.module.basics import Scale
from bot.rules.rpj.module.defense_layers import Layer, Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.settings import RpjSettings, Shipped
from tests.rules.rpj.combat.played.brawl import brawl, d6, fight, health, labels, press
from tests.rules.rpj.table import FANTASY, GameTable, breaks, rpj_table

SCALED = FANTASY.model_copy(update={"damage_scales": True})
GIGA = RpjHealth(layers=(Layer.fresh("own hull", "Hull", LayerKind.ARMOR, (4,), scale=Scale.GIGA),))
MEGA = RpjHealth(layers=(Layer.fresh("own suit", "Suit", LayerKind.ARMOR, (5, 6), scale=Scale.MEGA),))


def scaled(first: str = "Laeniel", **more: Any) -> GameTable:
    """A fight where damage scales are played."""
    return brawl(first, settings=SCALED, **more)


def mooks(table: GameTable, **more: Any) -> None:
    """A robot beside Laeniel."""
    table.do("GM", "fight.mooks", name="Robot", defense=7, beside="Laeniel", **more)


@pytest.mark.rule("RPJ-SCALE-01")
class TestMooksAndScales:
    def test_only_a_critical_hit_kills_a_mook_one_scale_up(self) -> None:
        table = scaled()
        mooks(table, scale="mega")
        hit = table.do("Laeniel", "fight.attack", d6("5 5"), target="Robot")
        assert hit.notes == ("That can't harm Robot 1 (mega scale).",)

        critical = table.do("Laeniel", "fight.attack", d6("6 6"), target="Robot")
        assert critical.notes == ("Robot 1 is dead.",)

    def test_nothing_harms_a_mook_two_scales_up(self) -> None:
        table = scaled()
        mooks(table, scale="giga")
        hit = table.do("Laeniel", "fight.attack", d6("6 6"), target="Robot")
        assert hit.notes == ("That can't harm Robot 1 (giga scale).",)

    def test_the_damage_of_a_mook_can_have_a_scale(self) -> None:
        table = scaled("Ogre")
        mooks(table, damage_scale="mega", attack=9, damage=0)
        table.do("GM", "encounter.next")
        table.do("GM", "encounter.next")
        table.do("GM", "encounter.next")
        hit = table.do("GM", "fight.mook_attack", d6("3 3"), who="Robot", target="Laeniel")
        assert labels(hit)[0] == "Laeniel: save 11+ (7 + 4 scale) · 8%"
        lost = press(table, "Laeniel", hit, "save", "3 3")
        assert lost.verdict is not None
        assert lost.verdict.title == "all saves lost"
        assert health(table, "Laeniel").out is Out.INCAPACITATED

    def test_a_mook_cannot_have_a_scale_without_damage_scales(self) -> None:
        refused = brawl().refused("GM", "fight.mooks", name="Robot", scale="mega")
        assert refused.what == "This campaign doesn't use Damage scales."


@pytest.mark.rule("RPJ-SCALE-04", "RPJ-SCALE-07")
class TestDamageTwoScalesDown:
    @pytest.mark.parametrize("faces", ["5 5", "6 6"])
    def test_normal_damage_to_a_giga_layer_is_reported_without_a_save(self, faces: str) -> None:
        table = scaled(ogre={"health": GIGA})
        hit = table.do("Laeniel", "fight.attack", d6(faces), target="Ogre")
        assert hit.notes == ("Normal damage can't harm a giga layer.",)
        assert len(hit.rolls) == 1
        assert fight(table).steps == ()


@pytest.mark.rule("RPJ-SCALE-06", "RPJ-SCALE-08")
class TestGigaDamageToNormalScale:
    def struck(self) -> tuple[GameTable, Any]:
        """A titan has hit Ug."""
        table = scaled("Ogre")
        mooks(table, damage_scale="giga", attack=9)
        for _ in range(3):
            table.do("GM", "encounter.next")
        return table, table.do("GM", "fight.mook_attack", d6("3 3"), who="Robot", target="Ug")

    def test_giga_damage_to_a_character_waits_for_the_gms_confirmation(self) -> None:
        table, hit = self.struck()
        assert labels(hit) == ["Ug: apply damage, no save (GM)", "Spare Ug (GM)", "Continue (GM)"]
        assert health(table, "Ug").out is Out.NO

        home = press(table, "GM", hit, "no save")
        assert home.notes == (
            "Every layer of normal scale is broken; Ug is incapacitated.",
            "Ug is incapacitated and bleeding.",
        )
        assert labels(home) == ["Ug: survive, give up a Lucky Break · 2 → 1 per session"]

    def test_giving_up_a_lucky_break_permanently_saves_a_dying_character(self) -> None:
        table, hit = self.struck()
        lived = press(table, "Ug", press(table, "GM", hit, "no save"), "survive")
        assert lived.headline == "gives up a Lucky Break permanently and survives"
        assert (health(table, "Ug").out, health(table, "Ug").is_stable) == (Out.INCAPACITATED, True)
        assert table.named("Ug").sheet.lucky_breaks_lost == 1
        assert breaks(table, "Ug") == 1
        assert table.refused("Ug", "survive").what == "Ug isn't dying."

    def test_the_gm_can_spare_a_character_from_giga_damage(self) -> None:
        table, hit = self.struck()
        press(table, "GM", hit, "Spare")
        assert health(table, "Ug").out is Out.NO
        assert fight(table).steps == ()

    def test_continuing_the_fight_confirms_giga_damage(self) -> None:
        table, _hit = self.struck()
        table.do("GM", "fight.go_on")
        assert health(table, "Ug").out is Out.INCAPACITATED

    @pytest.mark.parametrize(("maximum_lost", "spent"), [(1, 1), (0, 1)])
    def test_a_lucky_break_spent_this_session_can_still_be_given_up(
        self, maximum_lost: int, spent: int
    ) -> None:
        table = rpj_table(SCALED)
        table.change("Ug", lucky_breaks_lost=maximum_lost)
        ug = table.named("Ug").with_resource("lucky_breaks", 2 - maximum_lost - spent)
        table.scene = table.scene.with_character(ug)
        hit = table.do("GM", "harm", targets=("Ug",), scale="giga")
        press(table, "Ug", press(table, "GM", hit, "no save"), "survive")
        assert table.named("Ug").sheet.lucky_breaks_lost == maximum_lost + 1
        assert breaks(table, "Ug") == 0

    def test_a_character_without_lucky_breaks_is_not_offered_survival(self) -> None:
        table = rpj_table(SCALED)
        table.change("Ug", lucky_breaks_lost=2)
        crushed = press(table, "GM", table.do("GM", "harm", targets=("Ug",), scale="giga"), "no save")
        assert labels(crushed) == []


class TestScaledDamageByTheGm:
    @pytest.mark.rule("RPJ-SCALE-05")
    def test_a_successful_save_against_mega_damage_still_loses_that_save(self) -> None:
        table = rpj_table(SCALED)
        hit = table.do("GM", "harm", targets=("Ug",), damage=0, scale="mega")
        assert hit.headline == "deals 0 mega damage to Ug"
        saved = press(table, "Ug", hit, "save 11+", "5 6")
        assert saved.verdict is not None
        assert saved.verdict.title == "saved, but one 7+ save lost"

    @pytest.mark.rule("RPJ-SCALE-03")
    def test_a_save_of_a_layer_one_scale_up_is_4_easier(self) -> None:
        table = rpj_table(SCALED)
        table.do("Ug", "layer", name="Suit", saves="5", scale="mega")
        hit = table.do("GM", "harm", targets=("Ug",), damage=2)
        assert labels(hit) == ["Ug: save 3+ (Suit 5 + 2 damage − 4 scale) · 97%"]

    @pytest.mark.rule("RPJ-SCALE-04")
    def test_a_layer_two_scales_up_cannot_be_harmed(self) -> None:
        table = rpj_table(SCALED)
        table.do("Ug", "layer", name="Hull", saves="5", scale="giga")
        assert "can't harm Ug" in table.refused("GM", "harm", targets=("Ug",), damage=9).what
        assert "can't harm a giga layer" in table.refused("Ug", "save", damage=9).what

    @pytest.mark.rule("RPJ-SCALE-10")
    def test_scales_are_refused_in_a_campaign_without_damage_scales(self) -> None:
        table = rpj_table()
        off = "This campaign doesn't use Damage scales."
        assert table.refused("GM", "harm", targets=("Ug",), scale="giga").what == off
        assert table.refused("Ug", "layer", name="Suit", saves="5", scale="mega").what == off
        assert table.refused("GM", "scale", target="Ug", scale="mega").what == off

    @pytest.mark.rule("RPJ-SCALE-10", "RPJ-CINE-06")
    def test_the_gm_can_give_an_npc_a_scale_and_unlimited_saves(self) -> None:
        table = rpj_table(SCALED, cinematic_combat=True)
        table.do("GM", "scale", target="Ogre", scale="mega", unlimited=True)
        assert table.named("Ogre").sheet.scale is Scale.MEGA
        table.do("GM", "harm", targets=("Ogre",), damage=9)
        assert health(table, "Ogre").lost_base == ()

    @pytest.mark.rule("RPJ-CINE-06")
    def test_a_legendary_foes_failed_save_is_told_and_costs_nothing(self) -> None:
        """F-RPJ-20."""
        table = rpj_table(SCALED, cinematic_combat=True)
        table.do("GM", "scale", target="Ogre", unlimited=True)
        failed = table.do("GM Ogre", "save", d6("1 2"), damage=4)
        assert failed.verdict is not None
        assert failed.verdict.title == "failed: a legendary foe loses no save"
        assert health(table, "Ogre").lost_base == ()


@pytest.mark.rule("RPJ-SCALE-09")
def test_a_normal_scale_fighter_cannot_grapple_a_mega_scale_suit() -> None:
    table = scaled(ogre={"health": MEGA})
    assert table.refused("Laeniel", "fight.grapple", target="Ogre").what == (
        "Laeniel is of normal scale, Ogre of mega scale."
    )


@pytest.mark.rule("RPJ-SCALE-01")
def test_powered_armor_of_the_science_fiction_module_has_mega_scale() -> None:
    module = RpjSettings(module=Shipped.SCIENCE_FICTION, damage_scales=True)
    table = rpj_table(module)
    table.change("Ug", belongings=("power_armor",))
    shown = table.do("Ug", "health")
    assert "▸ Powered armor: 3 of 3 (4+, 5+) M" in shown.notes


@pytest.mark.rule("RPJ-SCALE-06", "RPJ-CINE-06")
def test_a_foe_with_unlimited_saves_survives_giga_damage() -> None:
    table = brawl("Ogre", settings=SCALED.model_copy(update={"cinematic_combat": True}))
    mooks(table, damage_scale="giga", attack=9, side="players")
    table.do("GM", "scale", target="Ogre", unlimited=True)
    for _ in range(3):
        table.do("GM", "encounter.next")
    hit = table.do("GM", "fight.mook_attack", d6("3 3"), who="Robot", target="Ogre")
    assert hit.notes == ("Ogre loses no save from that.",)
    assert health(table, "Ogre").out is Out.NO
