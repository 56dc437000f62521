"""Damage scales as they are played: in fights, and by the GM's hand outside of them."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Family, Outcome, Verdict
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.damage_saves import Strike
from bot.rules.rpj.combat.engine.damage_steps import UnsavedDamage
from bot.rules.rpj.combat.engine.stack import outcome
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.module.basics import Scale
from bot.rules.rpj.module.defense_layers import Layer, Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.module_files import RpjSettings, Shipped
from bot.rules.rpj.module.possessions import Possession, RpjPlace
from tests.dice import ScriptedDice
from tests.rules.rpj.combat.played.brawl import brawl, button, d6, fight, fighter, health, labels, press
from tests.rules.rpj.people import known
from tests.rules.rpj.table import FANTASY, UG, GameTable, breaks, rpj_table

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
        assert labels(hit)[0] == "Laeniel: save 11+ · 8%"
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

    def test_a_long_name_gives_way_where_a_label_is_full(self) -> None:
        long, short = "Ugolino the Long-Winded of Hammerfell", "Ugolino the Long-Winded of…"
        table = rpj_table(FANTASY, {long: UG}, damage_scales=True)

        hit = table.do("GM", "harm", targets=(long,), damage=1, scale="giga")
        down = table.press("GM", button(hit, "no save"))

        assert labels(hit) == [f"{long}: apply damage, no save (GM)"]
        assert labels(down) == [f"{short}: survive, give up a Lucky Break · 2 → 1 per session"]

    def test_giving_up_a_lucky_break_permanently_saves_a_dying_character(self) -> None:
        table, hit = self.struck()
        lived = press(table, "Ug", press(table, "GM", hit, "no save"), "survive")
        assert lived.headline == "gives up a Lucky Break permanently and survives"
        assert (health(table, "Ug").out, health(table, "Ug").is_stable) == (Out.INCAPACITATED, True)
        assert health(table, "Ug").bleeding == 0
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
        assert labels(hit) == ["Ug: save 3+ · 97%"]

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


PACKED = RpjSettings(module=Shipped.FANTASY, inventory=True)
HEAVY, FAR_TOO_HEAVY = 5, 11  # with a bow of 2 that is a load of 7 and of 13, against a limit of 6


def clubs(count: int, place: RpjPlace = RpjPlace.CARRIED) -> Possession:
    """So many clubs, of load 1 each."""
    return Possession(item="club", count=count, place=place)


def laden(count: int, first: str = "Ogre") -> GameTable:
    """A fight in which Laeniel, who carries a bow, has so many clubs besides."""
    return brawl(first, settings=PACKED, laeniel={"possessions": (clubs(count),)})


def strikes(table: GameTable, fall: str) -> Outcome:
    """The ogre strikes at Laeniel; its strength makes up for what it never learned."""
    return table.do("GM Ogre", "fight.attack", d6(fall), target="Laeniel")


@pytest.mark.rule("RPJ-INV-03")
class TestOverloadedFighters:
    def test_an_overloaded_fighter_has_1_less_defense(self) -> None:
        plain, loaded = (strikes(laden(count), "1 2").rolls[0] for count in (1, HEAVY))
        assert (plain.inputs.target, loaded.inputs.target) == (9, 8)  # type: ignore[attr-defined]

    @pytest.mark.parametrize(("count", "modifier"), [(1, 6), (HEAVY, 5)])
    def test_an_overloaded_fighter_has_1_less_on_dexterity_attacks(self, count: int, modifier: int) -> None:
        table = laden(count, "Laeniel")
        table.do("Laeniel", "fight.swap", weapons="Bow")
        table.do("GM", "fight.place", who="Ogre", region="2")
        shot = table.do("Laeniel", "fight.attack", d6("1 1"), target="Ogre", weapon="Bow")
        assert shot.rolls[0].inputs.modifier == modifier  # type: ignore[attr-defined]

    def test_an_overloaded_fighter_needs_two_actions_to_change_weapons(self) -> None:
        table = laden(HEAVY, "Laeniel")
        assert table.do("Laeniel", "fight.swap", weapons="Bow").headline == "changes weapons for 2 actions"
        assert fighter(table, "Laeniel").turn.actions == 1
        refused = table.refused("Laeniel", "fight.swap", weapons="Dagger")
        assert refused.what == "Laeniel has 1 action left; that takes 2."


class TestLoadsOnSheetAndTargetList:
    """F-OPT-05: the sheet and the target list say what is rolled."""

    def sheet(self, count: int, **packs: bool) -> list[str]:
        table = laden(count)
        table.settings(**packs)
        described = RULESET.describe(table.named("Laeniel"), table.scene.settings)
        return [line for section in described if section.title == "Fighting" for line in section.lines]

    @pytest.mark.rule("RPJ-INV-03", "RPJ-FIRE-09")
    @pytest.mark.parametrize(
        ("count", "line"),
        [
            (1, "3 actions per turn · dodge 9+ · absorb 8+ · ranged defense 7+ (Dodge 0, DEX +2, −2)"),
            (
                HEAVY,
                "3 actions per turn · dodge 8+ · absorb 7+ · "
                "ranged defense 6+ (Dodge 0, DEX +2, −2, overloaded −1)",
            ),
            (FAR_TOO_HEAVY, "3 actions per turn · overloaded: every attack hits without a roll"),
        ],
    )
    def test_f_opt_05_the_sheet_shows_defenses_with_the_load_counted(self, count: int, line: str) -> None:
        assert self.sheet(count, fire_and_movement=True)[0] == line

    @pytest.mark.rule("RPJ-INV-04", "RPJ-FIRE-16")
    @pytest.mark.parametrize(
        ("count", "against"),
        [(HEAVY, "6+ (overloaded −1)"), (FAR_TOO_HEAVY, "no roll: overloaded, so every attack hits")],
    )
    def test_f_opt_05_the_target_list_shows_defenses_with_the_load_counted(
        self, count: int, against: str
    ) -> None:
        table = laden(count, "Laeniel")
        table.settings(fire_and_movement=True)
        table.do("GM", "fight.place", who="Ogre", region="2")

        told = table.do("Laeniel", "fire.targets").notes

        assert told[0].split("; ")[1] == f"against you {against}"


@pytest.mark.rule("RPJ-INV-04")
class TestFarOverloadedFighters:
    def test_every_attack_on_a_far_overloaded_fighter_hits_without_a_roll(self) -> None:
        done = strikes(laden(FAR_TOO_HEAVY), "")
        assert done.rolls == ()
        assert done.verdict is not None
        assert done.verdict.title == "hit"
        assert labels(done)[0].startswith("Laeniel: save ")

    @pytest.mark.rule("RPJ-GCS-49")
    def test_every_attack_of_a_swarm_on_a_far_overloaded_fighter_hits_without_a_roll(self) -> None:
        table = laden(FAR_TOO_HEAVY)
        goblins = {"name": "Goblin", "count": 3, "attack": 3, "damage": 1}
        table.do("GM", "fight.mooks", **goblins, region="1", beside="Laeniel")
        for who in ("GM", "Laeniel", "Ug"):
            table.do(who, "encounter.next")
        swarm = table.do("GM", "fight.mook_attack", who="Goblin", target="Laeniel", rolls=2)
        assert swarm.rolls == ()
        assert swarm.verdict is not None
        assert swarm.verdict.title == "3 of 3 hit"
        assert labels(swarm)[1] == "Laeniel: roll all 3 saves, Lucky Break last"

    def test_the_attack_menu_says_that_a_far_overloaded_target_is_hit(self) -> None:
        table = laden(FAR_TOO_HEAVY)
        assert table.game.tracker is not None
        menu = table.game.tracker.choices(table.scene)[0]
        assert "Laeniel · Club · hits" in [choice.label for choice in menu.choices]

    def test_a_far_overloaded_fighter_can_neither_attack_nor_grapple(self) -> None:
        table = laden(FAR_TOO_HEAVY, "Laeniel")
        refused = table.refused("Laeniel", "fight.attack", target="Ogre", weapon="Dagger")
        assert refused.what.startswith("You carry too much to roll Dexterity")
        assert table.refused("Laeniel", "fight.grapple", target="Ogre").what == refused.what

    def test_a_far_overloaded_fighter_fails_saving_throws_without_a_roll(self) -> None:
        mage = {"skills": (known("primitive_magic", 5, linked="WIL"),)}
        packed = PACKED.model_copy(update={"structured_magic": True})
        table = brawl("Ug", settings=packed, ug=mage, ogre={"possessions": (clubs(30),)})
        done = table.do("Ug", "cast", spell="Rumble", target="Ogre")
        assert done.rolls == ()
        assert done.notes[-1] == "Ogre carries too much to roll a saving throw against Rumble."

    def test_a_far_overloaded_fighter_gets_no_free_attack(self) -> None:
        table = brawl("Ug", settings=PACKED, ogre={"possessions": (clubs(30),)})
        assert table.do("Ug", "fight.move", region="2").follow_ups == ()

    def test_a_far_overloaded_fighter_rolls_no_initiative_and_acts_last(self) -> None:
        table = brawl(settings=PACKED)
        table.do("GM", "encounter.end")
        table.change("Laeniel", possessions=(clubs(FAR_TOO_HEAVY),))
        table.do("Ug", "encounter.start", others=("Laeniel", "Ogre"))
        done = table.do("GM", "encounter.next", d6("1 1 1 2"))
        assert "Laeniel carries too much to roll initiative and acts last." in done.notes
        assert "The order: Ug (4), Ogre (4), Laeniel." in done.notes


@pytest.mark.rule("RPJ-INV-06", "RPJ-INV-09")
class TestHandsAndContainers:
    def packed(self, place: RpjPlace, first: str = "Laeniel") -> GameTable:
        pack = Possession(item="pack", place=RpjPlace.WORN)
        things = (pack, clubs(1, place)) if place is not RpjPlace.CARRIED else (clubs(1, place),)
        return brawl(
            first,
            settings=PACKED,
            laeniel={"possessions": things[1:] or things, "belongings": ("pack", "dagger")},
        )

    def test_taking_something_from_a_pack_takes_the_whole_turn(self) -> None:
        table = self.packed(RpjPlace.LARGE)
        done = table.do("Laeniel", "put", item="Club", to=RpjPlace.CARRIED)
        assert done.notes == ("That takes the whole turn.", "Load 1/6.")
        assert fighter(table, "Laeniel").turn.actions == 0

    def test_unpacking_is_refused_after_an_action_or_after_being_attacked(self) -> None:
        table = self.packed(RpjPlace.LARGE)
        table.do("Laeniel", "fight.task", what="Looks about")
        refused = table.refused("Laeniel", "put", item="Club", to=RpjPlace.CARRIED)
        assert refused.what == "That takes a whole turn; you have already used part of this one."
        attacked = self.packed(RpjPlace.LARGE, "Ogre")
        strikes(attacked, "1 2")
        attacked.do("GM", "encounter.next")
        refused = attacked.refused("Laeniel", "put", item="Club", to=RpjPlace.CARRIED)
        assert refused.what == "Laeniel has been attacked this round."

    def test_taking_a_carried_item_in_hand_is_free_once_per_turn(self) -> None:
        table = self.packed(RpjPlace.CARRIED)
        assert "That takes no action." in table.do("Laeniel", "put", item="Club", to=RpjPlace.HELD).notes
        assert fighter(table, "Laeniel").wielded == ("dagger", "club")
        assert "That takes 1 action." in table.do("Laeniel", "put", item="Club", to=RpjPlace.CARRIED).notes
        assert fighter(table, "Laeniel").wielded == ("dagger",)

    def test_what_is_no_weapon_is_held_beside_the_weapon_in_hand(self) -> None:
        bandages = Possession(item="bandages", place=RpjPlace.CARRIED)
        table = brawl(settings=PACKED, laeniel={"possessions": (bandages,), "belongings": ("dagger",)})
        table.do("Laeniel", "put", item="Bandages and splints", to=RpjPlace.HELD)
        assert fighter(table, "Laeniel").wielded == ("dagger",)

    def test_items_cannot_be_taken_in_hand_out_of_turn(self) -> None:
        table = self.packed(RpjPlace.CARRIED, "Ogre")
        refused = table.refused("Laeniel", "put", item="Club", to=RpjPlace.HELD)
        assert refused.what == "It isn't Laeniel's turn."


@pytest.mark.rule("RPJ-SCALE-06", "RPJ-FIRE-15")
class TestDamageWithoutASave:
    def stage(self, name: str, out: Out) -> Stage:
        """The first round, somebody perhaps out of action."""
        table = brawl()
        table.change(name, health=RpjHealth(out=out))
        return Stage.of(table.scene)

    @pytest.mark.parametrize(
        ("name", "id_", "out", "waits"),
        [
            ("Ug", "c2", Out.NO, True),
            ("Ug", "c2", Out.KNOCKED_OUT, True),
            ("Ogre", "c3", Out.NO, False),
            ("Ogre", "c3", Out.KNOCKED_OUT, True),
        ],
    )
    def test_it_waits_for_the_gm_at_players_characters_and_the_helpless(
        self, name: str, id_: str, out: Out, waits: bool
    ) -> None:
        damage = UnsavedDamage(target=id_, strike=Strike(damage=2))

        assert damage.waits(self.stage(name, out)) is waits

    @pytest.mark.parametrize("hit", [None, Verdict(Family.SUCCESS, "hit")])
    def test_a_helpless_target_dies_of_it(self, hit: Verdict | None) -> None:
        stage = replace(self.stage("Ogre", Out.KNOCKED_OUT), verdict=hit)

        done = outcome(UnsavedDamage(target="c3", strike=Strike()).run(stage, ScriptedDice("")), "shoots")

        assert Stage.of(done.scene).battle["c3"].health.out is Out.DEAD
        assert done.verdict == (hit or Verdict(Family.FAILURE, "Ogre dies"))
