"""What a GM can do about a character of RPJ Core, as their menu offers it."""

from typing import Any

import pytest

from bot.rules.kernel.procedures import ActGroup
from bot.rules.rpj import RULESET
from bot.rules.rpj.module.defense_layers import Layer, Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.module_files import module_in
from tests.rules.offers import acts_of, check_every_act, labels_in, only_act
from tests.rules.rpj.combat.played.brawl import shootout
from tests.rules.rpj.game_parts.test_acts import ALL_PACKS, WRITTEN
from tests.rules.rpj.table import FANTASY, rpj_table
from tests.rules.rpj.test_casting import UG as CAVE_MAGE
from tests.rules.rpj.test_wild_magic import FLORA

GM_WRITES = {**WRITTEN, "amount": "1", "name": "Zorblax", "about": "", "of": "", "reason": ""}
WARD = Layer.fresh("own ward", "Ward", LayerKind.ABILITY, (5,))
TORN = Layer.fresh("leather", "Leather armor", LayerKind.ARMOR, (5, 5)).marked(0, is_lost=True)


class TestGmActs:
    @pytest.mark.parametrize("packs", [{}, ALL_PACKS], ids=["no packs", "all packs"])
    def test_a_gm_can_do_everything_offered_to_an_unhurt_character(self, packs: dict[str, Any]) -> None:
        table = rpj_table(FANTASY, {"Laeniel": CAVE_MAGE, "Ug": FLORA}, **packs)

        for name in ("Laeniel", "Ug", "Ogre"):
            found = check_every_act(RULESET, table.scene, table.ids[name], GM_WRITES, for_gm=True)
            assert {"harm", "ambush", "give_trait", "stand"} <= found
            assert ({"condition.add", "income", "scale"} <= found) is bool(packs)

    def test_a_gm_heals_repairs_and_restores_what_was_lost(self) -> None:
        table = rpj_table(FANTASY, {"Laeniel": CAVE_MAGE, "Ug": FLORA}, **ALL_PACKS)
        ward = Layer.fresh("own ward", "Ward", LayerKind.ABILITY, (5,))
        table.change("Ug", health=RpjHealth(lost_base=(7, 7), layers=(ward,)), lucky_breaks_lost=2)
        table.scene = table.scene.with_character(table.named("Ug").with_resource("coin", 5))
        table.do("GM", "condition.add", target="Ug", name="In a Net", surely=True)
        table.do("Laeniel", "concentrate")

        found = check_every_act(RULESET, table.scene, table.ids["Ug"], GM_WRITES, for_gm=True)
        assert {"heal", "end_layer", "condition.remove", "restore_break", "charge"} <= found
        assert "break_off" in check_every_act(
            RULESET, table.scene, table.ids["Laeniel"], GM_WRITES, for_gm=True
        )

    def test_a_gm_brings_an_incapacitated_character_back_and_strikes_them(self) -> None:
        table = rpj_table()
        table.change("Ug", health=RpjHealth(out=Out.INCAPACITATED))
        acts = acts_of(RULESET, table.scene, table.ids["Ug"], for_gm=True)

        assert labels_in(acts, ActGroup.DAMAGE) == ["Strike while helpless or unaware …"]
        assert labels_in(acts, ActGroup.HEAL) == ["Bring back into action"]
        check_every_act(RULESET, table.scene, table.ids["Ug"], GM_WRITES, for_gm=True)

        table.change("Ug", health=RpjHealth(out=Out.DEAD))
        acts = acts_of(RULESET, table.scene, table.ids["Ug"], for_gm=True)
        assert labels_in(acts, ActGroup.DAMAGE) == []

    def test_a_gm_sets_the_ammunition_of_each_weapon(self) -> None:
        table = shootout()

        found = check_every_act(RULESET, table.scene, table.ids["Laeniel"], GM_WRITES, for_gm=True)
        assert "fire.resupply" in found

    def test_damage_starts_with_the_usual_hit(self) -> None:
        table = rpj_table()
        deal = only_act(acts_of(RULESET, table.scene, table.ids["Ug"], for_gm=True), "Deal damage")

        assert [one.value for one in deal.do.choices][:3] == ["0", "1", "2"]
        assert [one.value for one in deal.do.choices][-4:] == ["-4", "-3", "-2", "-1"]


ALWAYS_GM = {"harm", "ambush", "give_trait", "stand"}


class TestGmMenu:
    """What a GM's menu about a character has depends on how they are and on the rules that are on."""

    @pytest.mark.parametrize(
        ("packs", "sheet", "more"),
        [
            ({}, {}, set()),
            ({}, {"health": RpjHealth(lost_base=(7,))}, {"heal"}),
            ({}, {"health": RpjHealth(layers=(WARD,))}, {"end_layer"}),
            ({}, {"health": RpjHealth(layers=(WARD.marked(0, is_lost=True),))}, {"end_layer"}),
            ({}, {"belongings": ("leather",)}, set()),
            ({}, {"belongings": ("leather",), "health": RpjHealth(layers=(TORN,))}, {"repair"}),
            ({}, {"lucky_breaks_lost": 1}, {"restore_break"}),
            ({}, {"class_id": "knight"}, {"change_class"}),
            ({"damage_scales": True}, {}, {"scale"}),
            ({"conditions": True}, {}, {"condition.add", "condition.make"}),
            ({"structured_magic": True}, {}, {"teach"}),
            ({"money": True}, {}, {"income"}),
            ({"money": True}, {"coin": 2}, {"income", "charge"}),
            ({"fire_and_movement": True}, {}, set()),
        ],
    )
    @pytest.mark.parametrize("who", ["Ug", "Ogre"])
    def test_the_gms_menu_has_what_fits_a_characters_state(
        self, who: str, packs: dict[str, Any], sheet: dict[str, Any], more: set[str]
    ) -> None:
        table = rpj_table(FANTASY, **packs)
        coin = sheet.get("coin", 0)
        table.change(who, **{"traits": (), **{key: one for key, one in sheet.items() if key != "coin"}})
        table.scene = table.scene.with_character(table.named(who).with_resource("coin", coin))

        found = {act.do.procedure for act in acts_of(RULESET, table.scene, table.ids[who], for_gm=True)}

        # Only a player's character has Lucky Breaks to lose.
        assert found == ALWAYS_GM | more | ({"lose_break"} if who == "Ug" else set())

    @pytest.mark.parametrize(
        ("out", "damage", "heals"),
        [
            (Out.NO, ["harm", "ambush"], []),
            (Out.INCAPACITATED, ["ambush"], ["heal"]),
            (Out.KNOCKED_OUT, ["ambush"], ["heal"]),
            (Out.DEAD, [], ["heal"]),
        ],
    )
    def test_only_those_in_action_are_dealt_damage_and_nobody_strikes_the_dead(
        self, out: Out, damage: list[str], heals: list[str]
    ) -> None:
        table = rpj_table()
        table.change("Ug", health=RpjHealth(out=out))
        acts = acts_of(RULESET, table.scene, table.ids["Ug"], for_gm=True)

        assert [act.do.procedure for act in acts if act.group is ActGroup.DAMAGE] == damage
        assert [act.do.procedure for act in acts if act.group is ActGroup.HEAL] == heals

    def test_the_gms_menus_offer_only_what_changes_something(self) -> None:
        table = rpj_table(FANTASY, conditions=True, damage_scales=True, structured_magic=True)
        table.change(
            "Ug",
            lucky_breaks_lost=2,
            class_id="knight",
            scale="mega",
            health=RpjHealth(lost_base=(7, 7)),
            casting={"known": ["pelt", "step"]},
        )
        table.do("GM", "condition.add", target="Ug", name="In a Net", surely=True)
        acts = acts_of(RULESET, table.scene, table.ids["Ug"], for_gm=True)
        menus = {
            act.do.label: [choice.label for choice in act.do.choices]
            for act in acts
            if act.group is not ActGroup.DAMAGE and act.do.choices
        }
        taught = menus.pop("Teach a spell …")

        assert {"Pelt", "Step"}.isdisjoint(taught)
        assert len(taught) == len(module_in(table.scene.settings).spells) - 2
        assert len(menus.pop("Apply a condition …")) == len(module_in(table.scene.settings).conditions)
        assert menus == {
            "Restore base saves … (2 lost)": ["1 base save", "2 base saves"],
            "Remove a condition …": ["In a Net"],
            "Make a spell forgotten …": ["Pelt", "Step"],
            "Restore lost Lucky Breaks …": ["1", "2"],
            "Change the damage scale … (mega)": ["Normal", "Giga"],
            "Change the class …": ["Ranger", "Artificer", "Rogue", "Cave-Mage"],
        }

    @pytest.mark.parametrize("label", ["Deal damage", "Strike while helpless"])
    def test_the_damage_to_choose_is_the_usual_0_first_then_more_then_less(self, label: str) -> None:
        deal = only_act(acts_of(RULESET, rpj_table().scene, rpj_table().ids["Ug"], for_gm=True), label)

        assert [int(one.value) for one in deal.do.choices] == [*range(13), -4, -3, -2, -1]

    def test_ammunition_is_set_from_lots_to_none(self) -> None:
        table = shootout()
        acts = acts_of(RULESET, table.scene, table.ids["Laeniel"], for_gm=True)
        supply = next(act for act in acts if act.do.procedure == "fire.resupply")

        assert [(one.value, one.label) for one in supply.do.choices] == [
            ("3", "Lots"),
            ("2", "Some"),
            ("1", "A Little"),
            ("0", "None"),
        ]
