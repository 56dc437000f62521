"""Shots under Fire and Movement as they are played: defenses, aim, suppression, overwatch."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.rules.rpj.combat.engine.attack_steps import has_had_turn
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, MOOKS
from bot.rules.rpj.combat.rules.turns import Stage
from bot.rules.rpj.module.condition_kinds import Condition, begun
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from tests.rules.rpj.combat.battles import battle, mook, person
from tests.rules.rpj.combat.played.brawl import (
    FUTURE,
    SCALED,
    ammunition,
    brawl,
    cover,
    d6,
    fight,
    fighter,
    health,
    is_suppressed,
    labels,
    press,
    shootout,
    turns,
)
from tests.rules.rpj.combat.played.test_whatever_is_pressed import assert_whole, press_something
from tests.rules.rpj.people import levels
from tests.rules.rpj.table import FANTASY, GameTable, breaks
from tests.rules.rpj.test_conditions import SLEEP, STUCK

FIRED = FANTASY.model_copy(update={"fire_and_movement": True})


def pinned(mover: str = "Ogre", **more: object) -> GameTable:
    """Laeniel has suppressed the ogre, and it is the ogre's turn."""
    table = shootout(**more)  # type: ignore[arg-type]
    table.do("Laeniel", "fire.suppress", d6("5 5"), target=mover)
    turns(table, 2)
    return table


@pytest.mark.rule("RPJ-FIRE-01")
class TestFireAndMovementSwitch:
    def test_a_bow_shot_meets_the_ranged_defense_with_fire_and_movement(self) -> None:
        table = brawl(settings=FIRED, together=False)
        table.do("GM", "fight.place", who="Ogre", region="1")
        table.do("Laeniel", "fight.swap", weapons="bow")
        shot = table.do("Laeniel", "fight.attack", d6("1 1"), target="Ogre", weapon="bow")
        assert shot.rolls[0].against == "5+"

    def test_a_dagger_is_dodged_or_absorbed_with_fire_and_movement_too(self) -> None:
        table = brawl(settings=FIRED)
        assert table.do("Laeniel", "fight.attack", d6("1 1"), target="Ogre").rolls[0].against == "9+"

    def test_a_bow_shot_is_dodged_or_absorbed_without_fire_and_movement(self) -> None:
        table = brawl(together=False)
        table.do("GM", "fight.place", who="Ogre", region="1")
        table.do("Laeniel", "fight.swap", weapons="bow")
        shot = table.do("Laeniel", "fight.attack", d6("1 1"), target="Ogre", weapon="bow")
        assert shot.rolls[0].against == "9+"

    def test_suppressive_fire_beside_an_enemy_draws_a_free_attack(self) -> None:
        table = shootout()
        table.do("GM", "fight.place", who="Ogre", region="1", beside="Ug")
        table.do("GM", "fight.place", who="Laeniel", region="1", beside="Ogre")
        table.do("GM", "fight.mooks", name="Rat", region="3")
        drawn = table.do("Laeniel", "fire.suppress", target="Rat")
        assert [label for label in labels(drawn) if "free attack" in label] == ["Ogre: free attack · 8%"]

    def test_fire_and_movement_is_refused_and_hidden_where_it_is_off(self) -> None:
        table = brawl()
        off = "This campaign doesn't use Fire and Movement."
        for key in ("fire.hint", "fire.targets", "fire.reorient", "fire.ammunition"):
            assert table.refused("Laeniel", key).what == off
        assert table.refused("GM", "fire.cover", what="car", behind="Ug").what == off
        assert "Fire …" not in labels(table.do("GM", "encounter.next"))


@pytest.mark.rule("RPJ-FIRE-11", "RPJ-FIRE-09")
class TestShotsPlayed:
    def test_a_shot_is_rolled_against_the_ranged_defense(self) -> None:
        shot = shootout().do("Laeniel", "fight.attack", d6("1 2 6 6"), target="Ogre")
        assert (shot.rolls[0].against, shot.rolls[0].total) == ("8+", 9)
        assert shot.notes == ("Ogre's Base holds.", "Pistol: loaded 2/3.")

    def test_a_shot_with_a_double_six_takes_a_save_without_a_roll(self) -> None:
        table = shootout()
        cover(table, "Ogre", "+12/0f")
        shot = table.do("Laeniel", "fight.attack", d6("6 6"), target="Ogre")
        assert shot.notes[0] == "Ogre loses a save without a roll."

    def test_the_sheet_shows_the_ranged_defense(self) -> None:
        table = shootout()
        sections = table.game.describe(table.named("Laeniel"), table.scene.settings)
        fighting = next(one for one in sections if one.title == "Fighting")
        assert fighting.lines[0].endswith("ranged defense 10+ (Dodge 3, DEX +2, −2)")


@pytest.mark.rule("RPJ-FIRE-15")
class TestShotsAtTheHelpless:
    def down(self) -> GameTable:
        """Ug lies helpless in region 1; it is the ogre's turn."""
        return shootout("Ogre", ug={"health": RpjHealth(lost_base=(7, 7, 7), out=Out.KNOCKED_OUT)})

    def test_the_gm_decides_the_fate_of_a_helpless_target_hit_in_the_open(self) -> None:
        table = self.down()
        shot = table.do("GM Ogre", "fight.attack", d6("1 2"), target="Ug")
        assert shot.rolls[0].against == "5+"
        assert labels(shot) == ["Ug: shot while helpless: dies (GM)", "Spare Ug (GM)", "Continue (GM)"]
        press(table, "GM", shot, "Spare")
        assert health(table, "Ug").out is Out.KNOCKED_OUT

    def test_the_gm_can_let_a_shot_kill_a_helpless_target(self) -> None:
        table = self.down()
        shot = table.do("GM Ogre", "fight.attack", d6("1 2"), target="Ug")
        press(table, "GM", shot, "Ug: shot while helpless: dies")
        assert health(table, "Ug").out is Out.DEAD

    def test_a_helpless_target_behind_good_cover_cowers_with_its_full_defense(self) -> None:
        table = self.down()
        cover(table, "Ug", "wall")
        turns(table, 2)
        assert fighter(table, "Ug").under_fire.is_cowering
        shot = table.do("GM Ogre", "fight.attack", d6("3 3"), target="Ug")
        assert shot.rolls[0].against == "20+ (cowering 12)"

    def test_poor_cover_adds_to_the_defense_of_5_of_a_helpless_target(self) -> None:
        table = self.down()
        cover(table, "Ug", "bush")
        shot = table.do("GM Ogre", "fight.attack", d6("1 1"), target="Ug")
        assert shot.rolls[0].against == "7+ (cover 2)"

    def test_cover_that_conceals_a_helpless_target_gives_its_full_defense(self) -> None:
        table = self.down()
        cover(table, "Ug", "bush", conceals=True)
        shot = table.do("GM Ogre", "fight.attack", d6("1 1"), target="Ug")
        assert shot.rolls[0].against == "10+ (cover 2)"


@pytest.mark.rule("RPJ-FIRE-15")
class TestShotsAtTheImmobilized:
    @pytest.mark.parametrize("held", [STUCK, SLEEP])
    def test_a_target_that_cannot_move_defends_with_5_and_rolls_a_save(self, held: Condition) -> None:
        settings = FUTURE.model_copy(update={"conditions": True})
        table = shootout(settings=settings, ogre={"conditions": (begun(held, 0),)})
        shot = table.do("Laeniel", "fight.attack", d6("1 2 6 6"), target="Ogre")
        assert shot.rolls[0].against == "5+"
        assert shot.notes[0] == "Ogre's Base holds."


@pytest.mark.rule("RPJ-FIRE-21")
class TestAimedFirePlayed:
    def test_aiming_takes_two_actions_and_adds_1(self) -> None:
        table = shootout()
        aimed = table.do("Laeniel", "fire.aim", d6("1 2 6 6"), target="Ogre")
        assert aimed.rolls[0].total == 10
        assert fighter(table, "Laeniel").turn.actions == 1
        again = table.refused("Laeniel", "fire.aim", target="Ogre")
        assert again.what == "Laeniel has 1 action left; that takes 2."

    def test_a_suppressed_fighter_cannot_aim(self) -> None:
        table = pinned()
        assert (
            table.refused("GM Ogre", "fire.aim", target="Laeniel").what == "You can't aim while suppressed."
        )

    def test_a_fighter_cannot_aim_with_bare_hands(self) -> None:
        refused = shootout().refused("Laeniel", "fire.aim", target="Ogre", weapon="unarmed")
        assert refused.what == "Bare hands isn't a ranged weapon."


@pytest.mark.rule("RPJ-FIRE-23")
class TestSuppressiveFirePlayed:
    def test_suppressive_fire_shows_one_roll_and_a_line_per_target(self) -> None:
        table = shootout()
        table.do("GM", "fight.mooks", name="Drone", count=2, defense=14, beside="Ogre")
        cover(table, "Ogre", "wall")
        done = table.do("Laeniel", "fire.suppress", d6("1 2"), target="Ogre")
        assert done.notes == (
            "Ogre (7+): suppressed.",
            "Drone 1 (10+): not suppressed.",
            "Drone 2 (10+): not suppressed.",
            "Pistol: loaded 1/3.",
        )
        assert done.verdict is not None
        assert done.verdict.title == "1 of 3 suppressed"
        assert len(done.rolls) == 1

    def test_suppressive_fire_suppresses_allies_in_the_group_too(self) -> None:
        table = shootout()
        table.do("GM", "fight.place", who="Ug", region="3", beside="Ogre")
        table.do("Laeniel", "fire.suppress", d6("5 5"), target="Ogre")
        assert is_suppressed(table, "Ug")

    def test_suppressed_mooks_survive_and_attack_with_half_their_modifier(self) -> None:
        table = shootout()
        table.do("GM", "fight.mooks", name="Drone", attack=5, defense=10, range=5, region="2")
        done = table.do("Laeniel", "fire.suppress", d6("1 2"), target="Drone")
        assert done.notes[0] == "Drone 1 (8+): suppressed."
        turns(table, 3)
        shot = table.do("GM", "fight.mook_attack", d6("1 2"), who="Drone", target="Laeniel")
        assert shot.rolls[0].total == 5

    @pytest.mark.parametrize(
        ("extras", "told"),
        [
            ("pistol", "You can use each weapon once in a multi-weapon attack."),
            ("unarmed", "You can only make a multi-weapon attack with weapons in hand."),
        ],
    )
    def test_suppressive_fire_with_a_weapon_that_cannot_join_is_refused(self, extras: str, told: str) -> None:
        refused = shootout().refused("Laeniel", "fire.suppress", target="Ogre", extras=extras)

        assert refused.what == told

    def test_a_target_that_cannot_be_harmed_is_not_suppressed(self) -> None:
        table = shootout(settings=SCALED)
        table.do("GM", "scale", target="Ogre", scale="giga")
        done = table.do("Laeniel", "fire.suppress", d6("6 6"), target="Ogre")
        assert done.notes[0] == "Ogre (7+): can't be harmed."
        assert not is_suppressed(table, "Ogre")

    def test_a_lucky_break_makes_failed_suppressive_fire_succeed(self) -> None:
        table = shootout(laeniel={"skills": ()})
        failed = table.do("Laeniel", "fire.suppress", d6("1 2"), target="Ogre")
        assert failed.verdict is not None
        assert failed.verdict.title == "nobody suppressed"
        turned = press(table, "Laeniel", failed, "Lucky Break", "6")
        assert turned.notes == ("Ogre (7+): suppressed.",)
        assert breaks(table, "Laeniel") == 2


@pytest.mark.rule("RPJ-FIRE-24")
class TestSuppressedFighters:
    def test_a_suppressed_fighters_shots_are_halved_until_their_turn_ends(self) -> None:
        table = pinned()
        shot = table.do("GM Ogre", "fight.attack", d6("1 2"), target="Laeniel")
        assert shot.rolls[0].total == 4
        turns(table, 1)
        assert not is_suppressed(table, "Ogre")

    def test_a_fighter_suppressed_after_their_turn_stays_so_until_their_next_turn_ends(self) -> None:
        table = shootout("Ogre")
        turns(table, 1)
        table.do("Laeniel", "fire.suppress", d6("5 5"), target="Ogre")
        turns(table, 2)
        assert is_suppressed(table, "Ogre")
        turns(table, 1)
        assert not is_suppressed(table, "Ogre")

    @pytest.mark.parametrize(
        ("who", "turn_of", "expected"),
        [
            ("ann", "ann", False),
            ("ann", "bo", True),
            ("bo", "ann", False),
            ("bo", MOOKS, True),
            ("rat", "bo", False),
            ("rat", MOOKS, False),
            ("ann", "", False),
        ],
    )
    def test_a_turn_is_over_when_a_later_one_is_on(self, who: str, turn_of: str, expected: bool) -> None:
        there = battle(person("ann"), person("bo"), mook("rat"), turn_of=turn_of)

        assert has_had_turn(Stage(shootout().scene, there), there.fight.fighter(who)) is expected

    def test_a_suppressed_fighters_melee_attacks_are_halved(self) -> None:
        table = pinned()
        table.do("GM", "fight.place", who="Laeniel", region="3", beside="Ogre")
        table.do("Laeniel", "fight.defense", defense="best")
        struck = table.do("GM Ogre", "fight.attack", d6("1 2"), target="Laeniel", weapon="unarmed")
        assert struck.rolls[0].total == 3


@pytest.mark.rule("RPJ-FIRE-25")
class TestMovingUnderFirePlayed:
    def test_a_suppressed_fighters_first_move_draws_a_shot_before_it_happens(self) -> None:
        table = pinned()
        cover(table, "Ogre", "wall")
        moving = table.do("GM Ogre", "fight.move", region="4")
        assert labels(moving) == [
            "Laeniel: shoot (free attack) · 97%",
            "Laeniel: skip",
            "Continue (GM)",
        ]
        reason = "Ogre moves under suppressive fire (Region 3 → Region 4): Laeniel can shoot."
        assert [one.note for one in moving.follow_ups if one.note] == [reason]  # F-RPJ-18
        assert fighter(table, "Ogre").region == 3
        shot = press(table, "Laeniel", moving, "shoot", "1 1")
        assert shot.headline == "shoots at Ogre, who moved under fire"  # F-RPJ-18
        assert shot.rolls[0].against == "8+"
        assert fighter(table, "Ogre").region == 4
        assert fighter(table, "Laeniel").free_attacks == 0
        assert ammunition(table, "Laeniel", "pistol").loaded == 1

    def test_a_suppressed_fighters_second_move_draws_no_shot(self) -> None:
        table = pinned()
        press(table, "Laeniel", table.do("GM Ogre", "fight.move", region="4"), "skip")
        assert labels(table.do("GM Ogre", "fight.move", region="3")) == []

    def test_a_suppressor_without_a_free_attack_does_not_shoot_at_the_mover(self) -> None:
        table = pinned()
        encounter = fight(table)
        spent = encounter.with_fighter(fighter(table, "Laeniel").model_copy(update={"free_attacks": 0}))
        table.scene = FIGHTS_KEPT.keep(table.scene, spent)
        assert labels(table.do("GM Ogre", "fight.move", region="4")) == []

    def test_a_suppressed_fighter_who_does_not_move_draws_no_shot(self) -> None:
        table = pinned()
        assert "shoot" not in " ".join(labels(table.do("GM Ogre", "fight.attack", d6("1 1"), target="Ug")))


@pytest.mark.rule("RPJ-FIRE-26")
class TestOverwatchPlayed:
    def watched(self) -> GameTable:
        """Laeniel watches region 2, and it is the ogre's turn."""
        table = shootout()
        table.do("Laeniel", "fire.watch", region="2")
        turns(table, 2)
        return table

    def test_a_fighter_who_enters_a_watched_region_can_be_shot_at(self) -> None:
        table = self.watched()
        entering = table.do("GM Ogre", "fight.move", region="2")
        assert labels(entering) == ["Laeniel: shoot · 97%", "Laeniel: skip", "Continue (GM)"]
        press(table, "Laeniel", entering, "shoot", "1 1")
        assert fighter(table, "Laeniel").under_fire.overwatch is None
        assert fighter(table, "Laeniel").free_attacks == 1
        assert fighter(table, "Ogre").region == 2

    def test_overwatch_stays_when_the_watcher_skips_the_shot(self) -> None:
        table = self.watched()
        press(table, "Laeniel", table.do("GM Ogre", "fight.move", region="2"), "skip")
        assert fighter(table, "Laeniel").under_fire.overwatch == 2
        assert fighter(table, "Ogre").region == 2
        assert fight(table).steps == ()

    def test_an_overwatch_shot_ignores_cover(self) -> None:
        table = self.watched()
        table.do("GM", "fire.cover", what="tree", region="2")
        entering = table.do("GM Ogre", "fight.move", beside="tree", region="2")
        shot = press(table, "Laeniel", entering, "shoot", "1 1")
        assert shot.rolls[0].against == "8+"
        assert fight(table).covers_of(fighter(table, "Ogre"))

    def test_a_fighter_incapacitated_on_entering_lies_alone_in_the_watched_region(self) -> None:
        table = shootout(ogre={"health": RpjHealth(lost_base=(7, 7))})
        table.do("GM", "fight.place", who="Ug", region="2")
        table.do("Laeniel", "fire.watch", region="2")
        turns(table, 2)
        entering = table.do("GM Ogre", "fight.move", region="2", beside="Ug")
        press(table, "Laeniel", entering, "shoot", "5 5 1 1")
        assert health(table, "Ogre").out is not Out.NO
        assert fighter(table, "Ogre").region == 2
        assert fighter(table, "Ogre").group != fighter(table, "Ug").group

    def test_a_fighter_cannot_move_while_on_overwatch(self) -> None:
        table = shootout()
        table.do("Laeniel", "fire.watch", region="2")
        assert table.refused("Laeniel", "fight.move", region="2").what == "You can't move while on overwatch."

    def test_overwatch_ends_with_the_watchers_next_turn(self) -> None:
        table = self.watched()
        turns(table, 1)
        assert fighter(table, "Laeniel").under_fire.overwatch is None

    def test_overwatch_needs_a_ranged_weapon_in_hand(self) -> None:
        table = shootout()
        table.do("Laeniel", "fight.swap", weapons="")
        refused = table.refused("Laeniel", "fire.watch", region="2")
        assert refused.what == "Laeniel has no ranged weapon in hand."


@pytest.mark.rule("RPJ-FIRE-27")
def test_a_suppressor_on_overwatch_can_shoot_twice_at_the_same_mover() -> None:
    table = shootout(laeniel={"attributes": levels("STR 3 CON 3 DEX 9 LUCK 3")})
    table.do("Laeniel", "fire.suppress", d6("5 5"), target="Ogre")
    table.do("Laeniel", "fire.watch", region="2")
    turns(table, 2)
    moving = table.do("GM Ogre", "fight.move", region="2")
    first = press(table, "Laeniel", moving, "shoot (free attack)", "1 1")
    assert "Laeniel: shoot · " in labels(first)[-3]
    press(table, "Laeniel", first, "Laeniel: shoot · ", "1 1")
    assert fighter(table, "Laeniel").free_attacks == 0
    assert fighter(table, "Laeniel").under_fire.overwatch is None


class TestCautiousMovesUnderFire:
    @pytest.mark.rule("RPJ-FIRE-28")
    def test_a_cautious_move_in_the_open_counts_as_light_cover_until_the_next_turn(self) -> None:
        table = shootout()
        table.do("Laeniel", "fight.move", region="2", cautious=True)
        turns(table, 2)
        assert (
            table.do("GM Ogre", "fight.attack", d6("1 1"), target="Laeniel").rolls[0].against
            == "11+ (cover 1)"
        )
        turns(table, 1)
        assert not fighter(table, "Laeniel").under_fire.is_cautious

    @pytest.mark.rule("RPJ-FIRE-28")
    def test_a_cautious_move_into_real_cover_adds_nothing_to_the_cover(self) -> None:
        table = shootout()
        table.do("GM", "fire.cover", what="+3/0f", name="crate", region="2")
        table.do("Laeniel", "fight.move", beside="crate", cautious=True)
        turns(table, 2)
        assert (
            table.do("GM Ogre", "fight.attack", d6("1 1"), target="Laeniel").rolls[0].against
            == "13+ (cover 3)"
        )

    @pytest.mark.rule("RPJ-FIRE-29")
    def test_a_shot_at_a_cautious_mover_is_halved(self) -> None:
        table = pinned()
        moving = table.do("GM Ogre", "fight.move", region="4", cautious=True)
        shot = press(table, "Laeniel", moving, "shoot", "1 2")
        assert (shot.rolls[0].total, shot.rolls[0].against) == (6, "8+")

    @pytest.mark.rule("RPJ-FIRE-30")
    def test_a_cautious_move_into_a_watched_region_draws_no_shot(self) -> None:
        table = shootout()
        table.do("Laeniel", "fire.watch", region="2")
        turns(table, 2)
        assert labels(table.do("GM Ogre", "fight.move", region="2", cautious=True)) == []
        assert fighter(table, "Laeniel").under_fire.overwatch == 2


@pytest.mark.rule("RPJ-FIRE-12", "RPJ-FIRE-13", "RPJ-FIRE-16", "RPJ-FIRE-33", "RPJ-FIRE-34")
class TestWhatIsTold:
    @pytest.mark.parametrize(
        ("what", "needed"),
        [
            ("", "8+ (ranged defense +1)"),
            ("bush", "10+ (ranged defense +1, cover +2)"),
            ("wall", "14+ (ranged defense +1, cover +6)"),
            ("+4/2f", "10+ (ranged defense +1, cover +2)"),
            ("+5/2f", "10+ (ranged defense +1, cover +2)"),
            ("+4/3f", "8+ (ranged defense +1)"),
        ],
    )
    def test_a_shot_needs_what_cover_adds_at_its_distance(self, what: str, needed: str) -> None:
        table = shootout()
        if what:
            cover(table, "Ogre", what)

        assert table.do("Laeniel", "fire.targets").notes == (
            f"Ogre at 2: you need {needed}; against you 10+ (ranged defense +3)",
        )

    @pytest.mark.parametrize(
        ("options", "notes"),
        [
            ({"what": "wall", "behind": "Ogre"}, ("wall +6/0f in Region 3, around the group of Ogre.",)),
            ({"what": "Car", "region": "2"}, ("car +3/1f in Region 2.",)),
            ({"what": "+6/0f", "region": "2"}, ("cover +6/0f in Region 2.",)),
            ({"what": "+7/0f", "region": "2"}, ("cover +7/0f in Region 2.", "Cover is usually +1 to +6.")),
            ({"what": "+1/*f", "region": "2", "name": "Fog"}, ("Fog +1/*f in Region 2.",)),
        ],
    )
    def test_cover_is_placed_as_it_is_written(self, options: dict[str, Any], notes: tuple[str, ...]) -> None:
        assert shootout().do("GM", "fire.cover", **options).notes == notes

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({"what": "wall"}, "Where?"),
            ({"what": "wall", "behind": "Ogre", "region": "2"}, "Ogre is in Region 3."),
            ({"what": "hedge", "region": "2"}, "“hedge” isn't valid cover."),
        ],
    )
    def test_cover_needs_a_place_and_a_notation(self, options: dict[str, Any], told: str) -> None:
        assert shootout().refused("GM", "fire.cover", **options).what == told

    def test_the_same_cover_grows_around_a_second_group_and_others_get_a_number(self) -> None:
        table = shootout()
        cover(table, "Laeniel", "wall")
        cover(table, "Ogre", "bush")
        table.do("GM", "fight.place", who="Ug", region="1")
        first = table.do("GM", "fire.cover", what="wall", behind="Ug")

        placed = fight(table).covers
        assert [(one.id, one.cover.name, len(one.groups)) for one in placed] == [
            (1, "wall", 2),
            (2, "bush", 1),
        ]
        assert first.headline == "places cover: wall"
        table.do("GM", "fire.uncover", cover="wall")
        table.do("GM", "fire.cover", what="tree", region="2")
        assert [one.id for one in fight(table).covers] == [2, 3]
        gone = table.refused("GM", "fire.uncover", cover="wall")
        assert (gone.what, gone.allowed) == ("There is no cover called wall.", "Cover here: bush, tree.")

    def test_the_hints_name_what_can_be_done_with_its_cost_and_chance(self) -> None:
        table = shootout()

        assert table.do("Laeniel", "fire.hint").notes == (
            "Against cover: Suppressive Fire ignores cover, halves defenses and covers a whole group.",
            "Ogre · Pistol · 97% (1 action)",
            "Aim at Ogre · Pistol · 97% (2 actions)",
            "Suppress Ogre · Pistol · 97% (2 actions)",
        )
        cover(table, "Laeniel", "wall")
        assert table.do("Laeniel", "fire.hint").notes[0].startswith("In cover: don't move or attack")


@pytest.mark.rule("RPJ-GCS-14", "RPJ-GCS-58", "RPJ-INV-06")
@pytest.mark.parametrize(
    ("weapons", "told"),
    [
        (["bow"], ["changes weapons for free"]),
        (["bow", "dagger"], ["changes weapons for free", "changes weapons for an action"]),
        (
            ["bow", "dagger", "bow"],
            ["changes weapons for free", "changes weapons for an action", "changes weapons for an action"],
        ),
    ],
)
def test_the_first_change_of_weapons_is_free_and_each_more_takes_an_action(
    weapons: list[str], told: list[str]
) -> None:
    table = brawl("Laeniel")

    assert [table.do("Laeniel", "fight.swap", weapons=weapon).headline for weapon in weapons] == told


STEPS = 40


def _is_kept(table: GameTable) -> None:
    """What is so of ammunition, cover and overwatch at every moment."""
    for name in ("Laeniel", "Ug", "Ogre"):
        for had in table.named(name).sheet.ammunition.values():
            assert 0 <= had.loaded <= 4
    kept = fight(table)
    groups = [group for placed in kept.covers for group in placed.groups]
    for one in kept.present:
        assert one.group not in groups or kept.covers_of(one)
        assert not one.under_fire.is_cowering or kept.covers_of(one)
        assert not one.under_fire.is_reoriented or kept.covers_of(one)
        assert all(placed.region == one.region for placed in kept.covers_of(one))


@settings(
    max_examples=12,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # making such a fight shorter takes minutes
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_a_shootout_stays_consistent_whatever_is_pressed(data: st.DataObject) -> None:
    table = shootout(settings=SCALED, laeniel={"belongings": ("rocket_launcher", "pistol")})
    table.do("GM", "fight.mooks", name="Drone", count=3, region="2", range=3, damage_scale="giga")
    table.do("GM", "fight.mooks", name="Suit", count=2, region="2", range=2, side="players", scale="mega")
    table.do("GM", "fire.cover", what="car", region="2")
    cover(table, "Ogre", "wall")
    cover(table, "Ug", "bush")
    for _ in range(STEPS):
        press_something(table, data)
        assert_whole(table)
        _is_kept(table)
