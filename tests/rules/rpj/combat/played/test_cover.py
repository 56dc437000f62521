"""Cover as it is played: put there, gone into, turned about in, cowered behind, shot away."""

import pytest
from msgspec.structs import replace

from bot.rules.rpj.combat.combatant import RpjCover
from bot.rules.rpj.combat.commands.board import choices, view
from bot.rules.rpj.module.items import Ammunition
from bot.rules.rpj.module.module_files import MODULES
from tests.rules.rpj.combat.battles import with_weapon
from tests.rules.rpj.combat.played.brawl import (
    FUTURE,
    SCALED,
    ammunition,
    brawl,
    cover,
    d6,
    fight,
    fighter,
    labels,
    press,
    shootout,
    turns,
)
from tests.rules.rpj.table import FANTASY, GameTable, rpj_table

ROCKETS = {"belongings": ("rocket_launcher",)}


def covers(table: GameTable) -> list[RpjCover]:
    """The covers on the ground."""
    return [one.cover for one in fight(table).covers]


def needed(table: GameTable, who: str = "Laeniel", target: str = "Ogre") -> str | None:
    """Against what a shot that misses is rolled."""
    return table.do(who, "fight.attack", d6("1 1"), target=target).rolls[0].against


@pytest.mark.rule("RPJ-FIRE-12")
class TestPlacingCover:
    def test_the_gm_can_place_cover_around_a_group_by_notation(self) -> None:
        table = shootout()
        put = table.do("GM", "fire.cover", what="+3/*f", name="hedge", behind="Ogre")
        assert put.notes == ("hedge +3/*f in Region 3, around the group of Ogre.",)
        assert covers(table) == [RpjCover(name="hedge", quality=3, flank=-1)]
        assert needed(table) == "11+ (cover 3)"

    def test_large_cover_protects_several_groups(self) -> None:
        table = shootout()
        cover(table, "Ogre", "wall")
        table.do("GM", "fight.place", who="Ug", region="3")
        cover(table, "Ug", "wall")
        assert len(covers(table)) == 1
        assert fight(table).covers_of(fighter(table, "Ug"))

    @pytest.mark.parametrize(
        ("behind", "is_hidden"),
        [
            (("Wolf",), True),
            (("Ogre",), False),
            (("Wolf", "Wolf"), True),
            (("Wolf", "Ogre"), False),
            (("Ogre", "Wolf"), False),
        ],
    )
    def test_cover_is_hidden_while_only_the_hidden_are_behind_it(
        self, behind: tuple[str, ...], is_hidden: bool
    ) -> None:
        table = shootout()
        table.do("GM", "fight.mooks", name="Wolf", count=1, region="3", hidden=True)
        for who in behind:
            cover(table, who, "wall")
        assert [one.is_hidden for one in fight(table).covers] == [is_hidden]

    def test_a_fighter_who_leaves_the_group_leaves_its_cover(self) -> None:
        table = shootout("Ogre")
        cover(table, "Ogre", "wall")
        table.do("GM Ogre", "fight.move", region="2")
        assert not fight(table).covers_of(fighter(table, "Ogre"))
        assert needed_later(table) == "8+"

    def test_a_fighter_moves_behind_cover(self) -> None:
        table = shootout()
        table.do("GM", "fire.cover", what="car", region="2")
        table.do("Laeniel", "fight.move", beside="car")
        assert fighter(table, "Laeniel").region == 2
        assert fight(table).covers_of(fighter(table, "Laeniel"))
        refused = table.refused("Laeniel", "fight.move", beside="car")
        assert refused.what == "Laeniel is already behind the car."

    @pytest.mark.parametrize(("beside", "place"), [("hedge", 0), ("crate", 1)])
    def test_a_fighter_moves_behind_the_cover_named(self, beside: str, place: int) -> None:
        table = shootout()
        for name, region in (("hedge", "2"), ("crate", "2"), ("rock", "3")):
            table.do("GM", "fire.cover", what="+3/*f", name=name, region=region)

        table.do("Laeniel", "fight.move", beside=beside)

        placed = fight(table).covers[place]
        assert placed.cover.name == beside
        assert placed.groups == (fighter(table, "Laeniel").group,)

    def test_two_fighters_behind_the_same_cover_are_in_one_group(self) -> None:
        table = shootout()
        table.do("GM", "fire.cover", what="car", region="2")
        table.do("Laeniel", "fight.move", beside="car")
        turns(table, 1)
        table.do("Ug", "fight.move", beside="car")
        assert fighter(table, "Ug").group == fighter(table, "Laeniel").group

    def test_the_gm_can_remove_cover(self) -> None:
        table = shootout()
        cover(table, "Ogre", "wall")
        table.do("GM", "fire.uncover", cover="wall")
        assert covers(table) == []
        assert table.refused("GM", "fire.uncover", cover="wall").what == "There is no cover called wall."

    def test_the_board_shows_cover_and_who_is_behind_it(self) -> None:
        table = shootout()
        cover(table, "Ogre", "car")
        board = view(table.scene)
        assert board is not None
        assert board.notes[0] == "Cover: car in Region 3, +3 against shots, half 1 region away, none nearer"
        assert "car +3" in next(line for line in board.lines if line.name == "Ogre").facts
        assert board.ground is not None
        assert board.ground.regions[2].groups == (("Ogre", "(+3)"),)

    def test_the_move_menu_offers_going_behind_cover(self) -> None:
        table = shootout()
        table.do("GM", "fire.cover", what="car", region="2")
        moves = next(one for one in choices(table.scene) if one.chosen == "goal")
        goal = next(one for one in moves.choices if one.label == "Region 2: behind car +3")
        table.press("Laeniel", moves, "", goal.value)
        assert fight(table).covers_of(fighter(table, "Laeniel"))

    def test_cover_without_a_valid_place_and_kind_is_refused(self) -> None:
        table = shootout()
        assert table.refused("GM", "fire.cover", what="car").what == "Where?"
        refused = table.refused("GM", "fire.cover", what="car", behind="Ogre", region="1")
        assert refused.what == "Ogre is in Region 3."
        assert table.refused("GM", "fire.cover", what="big", behind="Ogre").what == "“big” isn't valid cover."


def needed_later(table: GameTable) -> str | None:
    """What Laeniel needs in the next turn of hers."""
    turns(table, 1)
    return needed(table)


@pytest.mark.rule("RPJ-FIRE-13", "RPJ-FIRE-16")
class TestWhatCoverIsWorth:
    @pytest.mark.parametrize(
        ("what", "against"),
        [
            ("concealment", "9+ (cover 1)"),
            ("bush", "10+ (cover 2)"),
            ("car", "11+ (cover 3)"),
            ("tree", "12+ (cover 4)"),
            ("wall", "14+ (cover 6)"),
        ],
    )
    def test_each_kind_of_cover_raises_the_number_a_shot_needs(self, what: str, against: str) -> None:
        """F-RPJ-23: the roll's line says what part of the number is cover."""
        table = shootout()
        cover(table, "Ogre", what)
        assert needed(table) == against

    @pytest.mark.parametrize(("flank", "against"), [(1, "12+ (cover 4)"), (2, "10+ (cover 2)"), (3, "8+")])
    def test_cover_counts_in_full_half_or_not_at_all_by_distance(self, flank: int, against: str) -> None:
        table = shootout()
        cover(table, "Ogre", f"+4/{flank}f")
        assert needed(table) == against

    def test_cover_of_an_unusual_quality_is_noted(self) -> None:
        table = shootout()
        put = table.do("GM", "fire.cover", what="+8/0f", behind="Ogre")
        assert "Cover is usually +1 to +6." in put.notes

    def test_cover_does_not_count_against_melee_attacks(self) -> None:
        table = shootout(settings=SCALED)
        cover(table, "Ogre", "wall")
        table.do("GM", "fight.place", who="Laeniel", region="3", beside="Ogre")
        struck = table.do("Laeniel", "fight.attack", d6("1 1"), target="Ogre", weapon="unarmed")
        assert struck.rolls[0].against == "10+"

    @pytest.mark.rule("RPJ-FIRE-14")
    def test_a_mega_scale_fighter_gets_nothing_from_placed_cover(self) -> None:
        table = shootout(settings=SCALED)
        cover(table, "Ogre", "wall")
        table.do("GM", "scale", target="Ogre", scale="mega")
        assert needed(table) == "8+"

    @pytest.mark.rule("RPJ-FIRE-34")
    def test_the_target_list_shows_each_part_of_the_number_needed(self) -> None:
        table = shootout()
        cover(table, "Ogre", "tree")
        assert table.do("Laeniel", "fire.targets").notes == (
            "Ogre at 2: you need 12+ (ranged defense +1, cover +4); against you 10+ (ranged defense +3)",
        )


@pytest.mark.rule("RPJ-FIRE-17")
class TestTurningAroundPlayed:
    def test_turning_around_covers_a_flanked_fighter(self) -> None:
        table = shootout("Ogre")
        cover(table, "Ogre", "+4/3f")
        about = table.do("GM Ogre", "fire.reorient")
        assert about.notes == ("Their cover now counts against opponents who are near.",)
        assert table.refused("GM Ogre", "fire.reorient").what == "You can turn around once per turn."
        assert fighter(table, "Ogre").turn.actions == 1
        assert needed_later(table) == "12+ (cover 4)"

    def test_turning_around_without_cover_is_refused(self) -> None:
        refused = shootout().refused("Laeniel", "fire.reorient")
        assert refused.what == "There is no cover to turn around in."

    def test_losing_cover_undoes_turning_around(self) -> None:
        table = shootout("Ogre")
        cover(table, "Ogre", "car")
        table.do("GM Ogre", "fire.reorient")
        table.do("GM", "fire.uncover", cover="car")
        assert not fighter(table, "Ogre").under_fire.is_reoriented


@pytest.mark.rule("RPJ-FIRE-18")
class TestCoweringPlayed:
    def test_a_fighter_who_does_nothing_in_cover_cowers(self) -> None:
        table = shootout("Ogre")
        cover(table, "Ogre", "car")
        assert needed_later(table) == "14+ (cowering 6)"
        board = view(table.scene)
        assert board is not None
        assert "cowering (+6)" in next(line for line in board.lines if line.name == "Ogre").facts

    def test_a_fighter_who_only_does_a_task_in_cover_still_cowers(self) -> None:
        table = shootout("Ogre")
        cover(table, "Ogre", "car")
        table.do("GM Ogre", "fight.task", what="shout orders")
        assert needed_later(table) == "14+ (cowering 6)"

    @pytest.mark.parametrize("deed", ["fight.attack", "fire.reorient", "fire.watch"])
    def test_a_fighter_who_attacks_turns_or_watches_in_cover_does_not_cower(self, deed: str) -> None:
        table = shootout("Ogre")
        cover(table, "Ogre", "+4/2f")
        options = {"fight.attack": {"target": "Ug"}, "fire.watch": {"region": "2"}}.get(deed, {})
        table.do("GM Ogre", deed, d6("1 1") if deed == "fight.attack" else "", **options)
        assert needed_later(table) == "10+ (cover 2)"

    def test_cowering_ends_with_the_fighters_next_turn(self) -> None:
        table = shootout("Ogre")
        cover(table, "Ogre", "car")
        turns(table, 3)
        assert not fighter(table, "Ogre").under_fire.is_cowering


class TestDestroyingCover:
    @pytest.mark.rule("RPJ-FIRE-20")
    def test_a_mega_weapon_takes_1_off_cover(self) -> None:
        table = shootout(settings=SCALED, laeniel=ROCKETS)
        cover(table, "Ogre", "car")
        shot = table.do("Laeniel", "fire.raze", d6("3 4"), cover="car")
        assert (shot.rolls[0].total, shot.rolls[0].against) == (11, "10+")
        assert shot.notes == ("The car: +3/1f → +2/1f.",)
        assert covers(table) == [RpjCover(name="car", quality=2, flank=1)]

    @pytest.mark.rule("RPJ-FIRE-20")
    def test_cover_that_loses_its_last_point_is_destroyed(self) -> None:
        table = shootout(settings=SCALED, laeniel=ROCKETS)
        cover(table, "Ogre", "concealment")
        shot = table.do("Laeniel", "fire.raze", d6("5 5"), cover="concealment")
        assert shot.notes == ("The concealment is destroyed.",)
        assert covers(table) == []

    @pytest.mark.rule("RPJ-FIRE-20")
    def test_a_lucky_break_can_turn_a_failed_shot_at_cover(self) -> None:
        table = shootout(settings=SCALED, laeniel=ROCKETS)
        cover(table, "Ogre", "car")
        missed = table.do("Laeniel", "fire.raze", d6("1 2"), cover="car")
        assert missed.verdict is not None
        assert missed.verdict.title == "no damage"
        assert press(table, "Laeniel", missed, "Lucky Break", "6").notes == ("The car: +3/1f → +2/1f.",)

    @pytest.mark.rule("RPJ-FIRE-20")
    def test_a_normal_weapon_cannot_shoot_at_cover(self) -> None:
        table = shootout(settings=SCALED)
        cover(table, "Ogre", "car")
        refused = table.refused("Laeniel", "fire.raze", cover="car")
        assert refused.what == "Only mega and giga weapons can destroy cover."
        assert table.refused("Laeniel", "fire.raze", cover="hut").what == "There is no cover called hut."

    @pytest.mark.rule("RPJ-SCALE-10")
    def test_cover_cannot_be_destroyed_without_damage_scales(self) -> None:
        table = shootout(laeniel=ROCKETS)
        cover(table, "Ogre", "car")
        refused = table.refused("Laeniel", "fire.raze", cover="car")
        assert refused.what == "This campaign doesn't use Damage scales."

    @pytest.mark.rule("RPJ-FIRE-19")
    @pytest.mark.parametrize(("fall", "left"), [("3 3", 0), ("2 3", 1)])
    def test_a_giga_weapon_destroys_cover_on_a_6_without_modifiers(self, fall: str, left: int) -> None:
        carried = with_weapon("rocket_launcher", MODULES["science_fiction"], scale="giga")
        table = shootout(settings=SCALED, laeniel=ROCKETS)
        own = SCALED.model_copy(update={"module": "own"}).with_module(carried)
        table.scene = replace(table.scene, settings=own)
        cover(table, "Ogre", "wall")
        shot = table.do("Laeniel", "fire.raze", d6(fall), cover="wall")
        assert (shot.rolls[0].against, len(covers(table))) == ("6+", left)

    @pytest.mark.rule("RPJ-FIRE-20")
    def test_the_fire_menu_offers_shooting_at_cover_with_its_chance(self) -> None:
        table = shootout(settings=SCALED, laeniel=ROCKETS)
        cover(table, "Ogre", "car")
        menu = next(one for one in choices(table.scene) if one.procedure == "fire.deed")
        choice = next(one for one in menu.choices if one.label.startswith("Shoot at"))
        assert choice.label == "Shoot at car · Rocket launcher · 72% (1 action)"
        shot = table.press("Laeniel", menu, d6("1 1"), choice.value)
        assert labels(shot)


MISS = "1 1"


def loaded(count: int, step: int = 3) -> dict[str, object]:
    """A sheet with so much in the pistol."""
    return {"ammunition": {"pistol": Ammunition(loaded=count, step=step)}}


def shoot(table: GameTable, times: int = 1) -> None:
    """Laeniel shoots at the ogre and misses."""
    for _ in range(times):
        table.do("Laeniel", "fight.attack", d6(MISS), target="Ogre")


class TestAmmunitionSpentByShots:
    @pytest.mark.rule("RPJ-FIRE-02")
    def test_a_weapon_loses_1_ammunition_per_round_however_often_it_shoots(self) -> None:
        table = shootout()
        shoot(table, 2)
        assert ammunition(table, "Laeniel", "pistol").loaded == 2
        turns(table, 3)
        shoot(table)
        assert ammunition(table, "Laeniel", "pistol").loaded == 1
        turns(table, 6)
        assert ammunition(table, "Laeniel", "pistol").loaded == 1

    @pytest.mark.rule("RPJ-FIRE-02")
    def test_the_last_ammunition_lasts_for_the_whole_round(self) -> None:
        table = shootout(laeniel=loaded(1))
        shoot(table, 2)
        assert ammunition(table, "Laeniel", "pistol").loaded == 0

    @pytest.mark.rule("RPJ-FIRE-02")
    def test_an_attack_with_an_empty_weapon_is_refused(self) -> None:
        refused = shootout(laeniel=loaded(0)).refused("Laeniel", "fight.attack", target="Ogre")
        assert (refused.what, refused.allowed) == ("The Pistol is empty.", "Reload it first.")

    @pytest.mark.rule("RPJ-FIRE-08")
    def test_a_weapon_without_carried_ammunition_can_neither_shoot_nor_reload(self) -> None:
        table = shootout(laeniel=loaded(3, step=0))
        none = "The Pistol is out of ammunition."
        assert table.refused("Laeniel", "fight.attack", target="Ogre").what == none
        assert table.refused("Laeniel", "fire.reload").what == none

    @pytest.mark.rule("RPJ-FIRE-22")
    @pytest.mark.parametrize(("had", "left"), [(3, 1), (2, 0), (1, 0)])
    def test_suppressive_fire_takes_2_ammunition_or_all_that_is_left(self, had: int, left: int) -> None:
        table = shootout(laeniel=loaded(had))
        table.do("Laeniel", "fire.suppress", d6("1 1"), target="Ogre")
        assert ammunition(table, "Laeniel", "pistol").loaded == left

    @pytest.mark.rule("RPJ-FIRE-22")
    def test_suppressive_fire_after_a_shot_in_the_same_round_takes_2_ammunition_in_all(self) -> None:
        table = shootout(laeniel=loaded(3))
        shoot(table)
        table.do("Laeniel", "fire.suppress", d6("1 1"), target="Ogre")
        assert ammunition(table, "Laeniel", "pistol").loaded == 1

    @pytest.mark.rule("RPJ-FIRE-31")
    def test_attacking_with_one_of_two_weapons_in_hand_uses_its_ammunition(self) -> None:
        table = shootout(laeniel={"belongings": ("pistol", "combat_knife")})
        table.change("Laeniel", belongings=("pistol", "combat_knife"))
        table.do("GM", "fight.place", who="Ogre", region="1")
        table.do("Laeniel", "fight.swap", weapons="pistol, combat knife")
        table.do("Laeniel", "fight.attack", d6(MISS), target="Ogre", weapon="pistol")
        assert ammunition(table, "Laeniel", "pistol").uses == 1

    @pytest.mark.rule("RPJ-FIRE-05")
    def test_a_weapon_that_needs_no_ammunition_uses_none(self) -> None:
        table = brawl(settings=FANTASY.model_copy(update={"fire_and_movement": True}), together=False)
        table.do("GM", "fight.place", who="Ogre", region="1")
        table.do("Laeniel", "fight.swap", weapons="bow")
        table.do("Laeniel", "fight.attack", d6(MISS), target="Ogre", weapon="bow")
        assert table.do("GM", "encounter.end").notes == ()
        assert table.named("Laeniel").sheet.ammunition == {}


class TestReloading:
    @pytest.mark.rule("RPJ-FIRE-03")
    def test_reloading_a_pistol_takes_one_action_and_fills_it(self) -> None:
        table = shootout(laeniel=loaded(0))
        assert table.do("Laeniel", "fire.reload").notes == ("Pistol: loaded 0 → 3 (1 action)",)
        shoot(table)
        assert ammunition(table, "Laeniel", "pistol").loaded == 2
        assert fighter(table, "Laeniel").turn.actions == 1

    @pytest.mark.rule("RPJ-FIRE-03")
    def test_reloading_cannot_be_split_over_two_turns(self) -> None:
        table = shootout(laeniel={"ammunition": {"rocket_launcher": Ammunition(loaded=0)}})
        table.do("Laeniel", "fight.swap", weapons="rocket launcher")
        table.do("Laeniel", "fight.task", what="look around")
        table.do("Laeniel", "fight.task", what="look around again")
        refused = table.refused("Laeniel", "fire.reload")
        assert refused.what == "Reloading takes 2 actions; you have 1 left."

    @pytest.mark.rule("RPJ-FIRE-03")
    def test_a_full_weapon_cannot_be_reloaded(self) -> None:
        assert shootout().refused("Laeniel", "fire.reload").what == "The Pistol is already full."

    @pytest.mark.rule("RPJ-FIRE-18")
    def test_a_fighter_who_only_reloads_in_cover_cowers(self) -> None:
        table = shootout(laeniel=loaded(0))
        table.do("GM", "fire.cover", what="wall", behind="Laeniel")
        table.do("Laeniel", "fire.reload")
        turns(table, 1)
        assert fighter(table, "Laeniel").under_fire.is_cowering


class TestAmmunitionAfterAFight:
    @pytest.mark.rule("RPJ-FIRE-05", "RPJ-FIRE-04")
    def test_two_uses_in_a_fight_cost_a_step_of_ammunition_and_refill_the_magazine(self) -> None:
        table = shootout()
        shoot(table, 2)
        assert table.do("GM", "encounter.end").notes == ("Laeniel's Pistol: Lots → Some (2 uses).",)
        assert ammunition(table, "Laeniel", "pistol") == Ammunition(loaded=3, step=2)

    @pytest.mark.rule("RPJ-FIRE-05")
    def test_one_use_in_a_fight_costs_no_ammunition(self) -> None:
        table = shootout()
        shoot(table)
        assert table.do("GM", "encounter.end").notes == ()
        assert ammunition(table, "Laeniel", "pistol") == Ammunition(loaded=3, step=3)

    @pytest.mark.rule("RPJ-FIRE-05")
    def test_suppressive_fire_counts_as_two_uses_of_ammunition(self) -> None:
        table = shootout()
        table.do("Laeniel", "fire.suppress", d6("1 1"), target="Ogre")
        assert table.do("GM", "encounter.end").notes == ("Laeniel's Pistol: Lots → Some (2 uses).",)

    @pytest.mark.rule("RPJ-FIRE-04")
    def test_an_npcs_weapon_is_refilled_after_the_fight_at_no_cost(self) -> None:
        table = shootout("Ogre")
        table.do("GM Ogre", "fight.attack", d6(MISS), target="Ug")
        table.do("GM Ogre", "fight.attack", d6(MISS), target="Ug")
        assert ammunition(table, "Ogre", "rifle").loaded == 3
        assert table.do("GM", "encounter.end").notes == ()
        assert ammunition(table, "Ogre", "rifle") == Ammunition(loaded=4, step=3)


class TestCarriedAmmunition:
    @pytest.mark.rule("RPJ-FIRE-04")
    def test_the_ammunition_command_shows_loaded_and_carried_ammunition(self) -> None:
        shown = shootout().do("Laeniel", "fire.ammunition")
        assert shown.notes == (
            "Pistol: loaded 3/3 · Lots",
            "Rifle: loaded 4/4 · Lots",
            "Rocket launcher: loaded 1/1 · Lots",
        )
        assert not shown.is_public

    @pytest.mark.rule("RPJ-FIRE-06")
    def test_ammunition_is_swapped_only_between_weapons_that_share_it(self) -> None:
        table = shootout(laeniel={"belongings": ("rifle", "heavy_rifle", "pistol")})
        table.do("GM", "fire.resupply", target="Laeniel", weapon="rifle", step=1)
        swapped = table.do("Laeniel", "fire.swap", one="rifle", other="heavy rifle")
        assert swapped.notes == ("Rifle: A Little → Lots", "Heavy rifle: Lots → A Little")
        assert table.do("Laeniel", "fire.ammunition").notes[1:] == (
            "Rifle: loaded 4/4 · Lots",
            "Heavy rifle: loaded 3/3 · A Little",
        )
        refused = table.refused("Laeniel", "fire.swap", one="rifle", other="pistol")
        assert refused.what == "These two weapons use different ammunition."
        assert table.refused("Laeniel", "fire.swap", one="rifle", other="rifle").what == (
            "Choose two different weapons."
        )

    @pytest.mark.rule("RPJ-FIRE-07")
    def test_ammunition_given_to_another_character_leaves_the_giver(self) -> None:
        table = shootout()
        given = table.do("Laeniel", "fire.give", to="Ug", weapon="rifle", steps=2)
        assert given.notes == ("Laeniel's Rifle: Lots → A Little", "Ug's Rifle: Lots → Lots +2")
        assert table.refused("Laeniel", "fire.give", to="Ug", weapon="rifle", steps=2).what == (
            "You only have A Little to give."
        )
        refused = table.refused("Laeniel", "fire.give", to="Ug", weapon="pistol", theirs="rifle")
        assert refused.what == "These two weapons use different ammunition."
        assert table.refused("Laeniel", "fire.give", to="Laeniel", weapon="rifle").what == (
            "You can't give ammunition to yourself."
        )

    @pytest.mark.rule("RPJ-FIRE-07")
    def test_the_gm_can_resupply_ammunition(self) -> None:
        table = shootout(laeniel=loaded(0, step=0))
        done = table.do("GM", "fire.resupply", target="Laeniel", weapon="pistol", step=4)
        assert done.notes == ("Pistol: None → Lots +1, loaded 3/3",)
        assert ammunition(table, "Laeniel", "pistol") == Ammunition(loaded=3, step=4)

    @pytest.mark.rule("RPJ-FIRE-02")
    def test_reloading_a_weapon_that_uses_no_ammunition_is_refused(self) -> None:
        refused = shootout().refused("Laeniel", "fire.reload", weapon="fists")
        assert refused.what == "“fists” uses no ammunition here."

    @pytest.mark.rule("RPJ-FIRE-01")
    def test_the_sheet_hides_ammunition_without_fire_and_movement(self) -> None:
        plain = rpj_table(FUTURE.model_copy(update={"fire_and_movement": False}))
        plain.change("Ug", belongings=("rifle",))
        sections = plain.game.describe(plain.named("Ug"), plain.scene.settings)
        fighting = next(one for one in sections if one.title == "Fighting")
        assert not any("loaded" in line for line in fighting.lines)


@pytest.mark.rule("RPJ-FIRE-33")
class TestFireMenu:
    def test_the_fire_menu_offers_possible_actions_with_their_costs(self) -> None:
        table = shootout(laeniel=loaded(1))
        ended = table.do("GM", "encounter.next")
        assert ended.notes
        turns(table, 2)
        hint = table.do("Laeniel", "fire.hint")
        assert hint.notes[:5] == (
            "Against cover: Suppressive Fire ignores cover, halves defenses and covers a whole group.",
            "Ogre · Pistol · 97% (1 action)",
            "Reload Pistol: loaded 1 → 3 (1 action)",
            "Aim at Ogre · Pistol · 97% (2 actions)",
            "Suppress Ogre · Pistol · 97% (2 actions)",
        )

    @pytest.mark.parametrize(
        ("deed", "fall", "headline"),
        [
            ("reload|pistol", "", "reloads"),
            ("aim|c3|pistol", MISS, "aims at Ogre"),
            ("suppress|c3|pistol", MISS, "suppresses the group of Ogre"),
            ("watch|2", "", "watches Region 2"),
        ],
    )
    def test_each_choice_of_the_fire_menu_does_what_it_says(
        self, deed: str, fall: str, headline: str
    ) -> None:
        table = shootout(laeniel=loaded(1))
        assert table.do("Laeniel", "fire.deed", d6(fall) if fall else "", deed=deed).headline == headline

    def test_the_fire_menu_without_a_choice_is_refused(self) -> None:
        assert shootout().refused("Laeniel", "fire.deed").what == "You didn't choose anything."

    def test_the_fire_menu_recommends_cowering_in_cover(self) -> None:
        table = shootout()
        table.do("GM", "fire.cover", what="wall", behind="Laeniel")
        assert table.do("Laeniel", "fire.hint").notes[0].startswith("In cover: don't move or attack to cower")
        assert labels(table.do("Laeniel", "fire.hint")) == []
