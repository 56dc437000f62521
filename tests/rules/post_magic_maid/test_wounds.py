"""Wound tracks, timers and the game clock."""

from typing import Any, cast

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Audience, DueTimer, Family, HookResult, Outcome, Verdict
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.sheet import Scene
from bot.rules.post_magic_maid.tiers import MaidTier
from bot.rules.post_magic_maid.wounds import CAPACITIES, Track, place_wound, wound_level
from tests.rules.post_magic_maid.play import GameTable, boxes, id_of, lay_table, sheet, start_fight

HOUR, MINUTE = 3600, 60
TEN_O_CLOCK = 10 * HOUR


def hits(track: Track, tier: MaidTier, count: int) -> list[str]:
    """The track after each of so many hits of a tier."""
    filled, told = boxes("0/0/0/0"), []
    for _ in range(count):
        filled = place_wound(track, filled, wound_level(tier) or 0).boxes
        told.append("/".join(str(n) for n in filled))
    return told


def wound(table: GameTable, track: str, tier: str) -> Outcome[Scene]:
    return table.do("GM", "wound", target="Ash", track=track, tier=tier)


def at(table: GameTable, clock: int) -> None:
    table.scene = table.scene.at_clock(clock)


def turn(table: GameTable, *keys: str) -> HookResult:
    """What the table does when Ash's timers run out."""
    turning = RULESET.timers_due(table.scene, [DueTimer(id_of("Ash"), key) for key in keys])
    table.scene = cast(Scene, turning.scene)
    return turning


@pytest.mark.rule("PMM-WND-01")
class TestBluntTrack:
    def test_the_blunt_track_has_eleven_boxes(self) -> None:
        assert CAPACITIES[Track.BLUNT] == (4, 3, 3, 1)

    @pytest.mark.parametrize(
        ("tier", "filled"),
        [
            (
                MaidTier.TEN,
                "1/0/0/0 2/0/0/0 3/0/0/0 4/0/0/0 4/1/0/0 4/2/0/0 4/3/0/0 4/3/1/0 4/3/2/0 4/3/3/0 4/3/3/1",
            ),
            (MaidTier.TWENTY_FIVE, "0/0/0/1"),
        ],
    )
    def test_blunt_hits_fill_the_track_and_the_last_or_one_of_tier_25_knocks_out(
        self, tier: MaidTier, filled: str
    ) -> None:
        assert hits(Track.BLUNT, tier, len(filled.split())) == filled.split()

    @pytest.mark.parametrize(
        ("before", "tier", "after"),
        [("4/3/3/0", "15", "4/3/3/1"), ("0/0/0/1", "25", "0/0/0/1")],
    )
    def test_a_full_track_passes_a_moderate_hit_up_to_unconscious_which_stays(
        self, table: GameTable, before: str, tier: str, after: str
    ) -> None:
        table.wound("Ash", "blunt", before)

        wound(table, "blunt", tier)

        assert table.wounds("Ash", "blunt") == after

    def test_the_store_knows_its_levels(self) -> None:
        track = RULESET.wounds[0]

        assert (track.key, track.title) == ("blunt", "Blunt")
        assert track.levels == ("slight", "moderate", "heavy", "unconscious")
        assert track.capacities(RULESET.creation.npc()) == (4, 3, 3, 1)


@pytest.mark.rule("PMM-WND-02")
class TestRendingTrack:
    def test_the_rending_track_has_seven_boxes(self) -> None:
        assert CAPACITIES[Track.RENDING] == (3, 2, 1, 1)
        assert RULESET.wounds[1].levels == ("slight", "moderate", "heavy", "mortal")

    @pytest.mark.parametrize(
        ("tier", "filled"),
        [
            (MaidTier.TEN, "1/0/0/0 2/0/0/0 3/0/0/0 3/1/0/0 3/2/0/0 3/2/1/0 3/2/1/1"),
            (MaidTier.FIFTEEN, "0/1/0/0 0/2/0/0 0/2/1/0 0/2/1/1"),
            (MaidTier.TWENTY, "0/0/1/0 0/0/1/1"),
        ],
    )
    def test_rending_hits_go_up_to_mortal(self, tier: MaidTier, filled: str) -> None:
        assert hits(Track.RENDING, tier, len(filled.split())) == filled.split()


@pytest.mark.rule("PMM-WND-03")
class TestOverflow:
    @pytest.mark.parametrize(
        ("track", "before", "tier", "after", "full", "level"),
        [
            ("blunt", "4/0/0/0", "10", "4/1/0/0", "Slight is", "moderate"),
            ("blunt", "4/3/0/0", "10", "4/3/1/0", "Slight and moderate are", "heavy"),
            ("rending", "3/2/1/0", "10", "3/2/1/1", "Slight and moderate and heavy are", "mortal"),
            ("rending", "0/0/1/0", "20", "0/0/1/1", "Heavy is", "mortal"),
            ("blunt", "0/3/3/0", "15", "0/3/3/1", "Moderate and heavy are", "unconscious"),
        ],
    )
    def test_a_wound_goes_up_to_the_next_free_box(
        self, table: GameTable, track: str, before: str, tier: str, after: str, full: str, level: str
    ) -> None:
        table.wound("Ash", track, before)

        done = wound(table, track, tier)

        assert table.wounds("Ash", track) == after
        assert done.notes[0] == f"{full} full, so it becomes {level}."


@pytest.mark.rule("PMM-WND-04")
class TestTopBoxFilled:
    @pytest.mark.parametrize("tier", ["10", "15", "20", "25"])
    def test_a_full_blunt_track_stays_as_it_is(self, table: GameTable, tier: str) -> None:
        table.wound("Ash", "blunt", "4/3/3/1")

        done = wound(table, "blunt", tier)

        assert table.wounds("Ash", "blunt") == "4/3/3/1"
        assert done.notes == ("Ash is already unconscious, so nothing changes.",)
        assert done.follow_ups == ()

    def test_another_mortal_wound_asks_the_gm(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/0/0/1")

        done = wound(table, "rending", "25")

        assert table.wounds("Ash", "rending") == "0/0/0/1"
        assert done.notes == ("Ash's mortal box is already full. The GM decides whether Ash dies.",)
        assert [(button.label, button.audience) for button in done.follow_ups] == [
            ("Ash dies", Audience.GM),
            ("Ash survives", Audience.GM),
        ]

    def test_a_slight_wound_beside_a_mortal_one_asks_nobody(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/0/0/1")

        done = wound(table, "rending", "10")

        assert table.wounds("Ash", "rending") == "1/0/0/1"
        assert done.follow_ups == ()


@pytest.mark.rule("PMM-WND-05")
class TestUnconscious:
    def test_unconsciousness_is_announced_and_blocks_checks(self, table: GameTable) -> None:
        done = wound(table, "blunt", "25")

        assert done.notes == ("Ash is unconscious.",)
        assert table.refused("Ash", "check", first="Int", second="Dex").sentences == (
            "Ash is unconscious.",
            "A treatment of tier 25 wakes them.",
            "Someone can try /maid treat.",
        )

    def test_healing_unconsciousness_wakes_them_and_leaves_other_wounds(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "2/1/0/1")

        table.do("Bram", "treat", "d20:18 d12:7", target="Ash")

        assert table.wounds("Ash", "blunt") == "2/1/0/0"
        table.do("Ash", "check", "d20:1 d12:1", first="Int", second="Dex")

    def test_an_unconscious_combatants_turn_is_skipped(self, table: GameTable) -> None:
        start_fight(table, "Q♠ K♠")
        table.wound("Ash", "blunt", "0/0/0/1")

        done = table.do("Bram", "encounter.next")

        assert (done.headline, done.verdict) == ("ends the turn", Verdict(Family.NEWS, "Bram acts"))
        assert done.notes == ("Ash can't act and is skipped.", "Round 2 starts.")

    def test_a_contest_with_an_unconscious_character_is_refused(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/0/0/1")

        assert table.refused("GM", "contest", one="Bram", other="Ash").what == "Ash is unconscious."

    def test_no_other_wound_lowers_a_roll_or_stops_action(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "4/3/3/0")
        table.wound("Ash", "rending", "3/2/1/1")

        done = table.do("Ash", "check", "d20:5 d12:5", first="Int", second="Dex")

        assert done.rolls[0].total == 10


@pytest.mark.rule("PMM-WND-06")
class TestHeavyTimer:
    @pytest.mark.parametrize(
        ("track", "before", "tier", "timers"),
        [
            ("rending", "0/0/0/0", "20", {"heavy": 18 * HOUR}),
            ("rending", "3/2/0/0", "10", {"heavy": 18 * HOUR}),
            ("blunt", "0/0/0/0", "20", {}),
            pytest.param(
                *("rending", "0/0/0/0", "25", {"mortal": TEN_O_CLOCK + MINUTE}),
                marks=pytest.mark.rule("PMM-WND-07"),
            ),
        ],
        ids=["heavy", "heavy by overflow", "heavy blunt", "mortal"],
    )
    def test_a_heavy_rending_wound_is_due_after_eight_hours_a_mortal_one_after_a_minute(
        self, table: GameTable, track: str, before: str, tier: str, timers: dict[str, int]
    ) -> None:
        at(table, TEN_O_CLOCK)
        table.wound("Ash", track, before)

        wound(table, track, tier)

        assert dict(table.named("Ash").timers) == timers

    def test_healing_a_minute_before_cancels_the_heavy_timer(self, table: GameTable) -> None:
        at(table, TEN_O_CLOCK)
        wound(table, "rending", "20")
        at(table, 18 * HOUR - MINUTE)

        table.do("Bram", "treat", "d20:18 d12:7", target="Ash")

        assert dict(table.named("Ash").timers) == {}

    def test_boxes_filled_and_emptied_by_hand_start_and_stop_it(self, table: GameTable) -> None:
        at(table, TEN_O_CLOCK)
        for filled, timers in (("0/0/1/0", {"heavy": 18 * HOUR}), ("1/0/0/0", {})):
            changed = RULESET.with_boxes(table.scene, table.named("Ash"), "rending", boxes(filled))
            table.scene = cast(Scene, changed)
            assert dict(table.named("Ash").timers) == timers


@pytest.mark.rule("PMM-WND-07")
class TestMortalTimer:
    def test_the_heavy_timer_runs_on_when_the_mortal_wound_is_removed(self, table: GameTable) -> None:
        wound(table, "rending", "20")
        wound(table, "rending", "25")
        asked = table.do("Bram", "treat", "d20:18 d12:7", target="Ash")

        table.press("Bram", asked.follow_ups[0], choose="mortal rending")

        assert dict(table.named("Ash").timers) == {"heavy": 8 * HOUR}

    def test_an_hour_of_rest_passes_the_mortal_timer_and_the_gm_is_asked(self, table: GameTable) -> None:
        wound(table, "rending", "25")
        table.do("Ash", "rest", hours=1, now=True)
        assert table.scene.clock > table.named("Ash").timers["mortal"]

        turning = turn(table, "mortal")

        assert turning.notes == ("Ash's mortal wound was not treated in time. The GM decides what happens.",)
        assert [(button.label, button.audience) for button in turning.follow_ups] == [
            ("Ash dies", Audience.GM),
            ("Ash survives", Audience.GM),
        ]

    def test_the_gm_decides_whether_a_character_dies(self, table: GameTable) -> None:
        wound(table, "rending", "20")
        wound(table, "rending", "25")
        dies, survives = turn(table, "mortal", "heavy").follow_ups

        done = table.press("GM", dies)

        assert done.headline == "rules that Ash dies"
        assert table.refused("Ash", "check", first="Int", second="Dex").what == "Ash is dead."
        assert table.refused("Bram", "treat", target="Ash").what == "Ash is dead."
        assert table.refused("Ash", "rest", hours=1).what == "Ash is dead."

        assert table.press("GM", survives).headline == "rules that Ash survives"
        table.do("Ash", "check", "d20:1 d12:1", first="Int", second="Dex")


@pytest.mark.rule("PMM-WND-08")
class TestGameClock:
    def test_the_heavy_timer_is_due_after_eight_hours(self, table: GameTable) -> None:
        wound(table, "rending", "20")

        done = table.do("GM", "clock", hours=8)

        assert done.headline == "lets time pass: it is day 1, 08:00"
        assert table.named("Ash").timers["heavy"] <= table.scene.clock
        assert turn(table, "heavy").notes == (
            "Ash's heavy wound was not treated in time. The GM decides what happens.",
        )
        assert dict(table.named("Ash").timers) == {}

    @pytest.mark.parametrize(
        ("settings", "rounds", "clock"), [({"round_seconds": 6}, 10, MINUTE), ({}, 20, 0)]
    )
    def test_a_round_may_take_time_but_takes_none_by_default(
        self, settings: dict[str, int], rounds: int, clock: int
    ) -> None:
        table = lay_table()
        table.settings(**settings)
        start_fight(table, "Q♠ K♠")

        for _ in range(rounds):
            table.clear_rounds()

        assert table.scene.clock == clock

    def test_half_an_hour_after_ten_is_half_past_ten(self, table: GameTable) -> None:
        at(table, TEN_O_CLOCK)

        done = table.do("GM", "clock", minutes=30)

        assert done.headline == "lets time pass: it is day 1, 10:30"

    def test_two_rests_of_three_hours_are_six(self, table: GameTable) -> None:
        for _ in range(2):
            table.do("Ash", "rest", hours=3, now=True)

        assert table.scene.clock == 6 * HOUR

    def test_advancing_the_clock_by_nothing_is_refused(self, table: GameTable) -> None:
        at(table, 25 * HOUR + 5)

        assert table.refused("GM", "clock").sentences == (
            "No time has passed: it is day 2, 01:00:05.",
            "Enter hours, minutes or seconds.",
        )


@pytest.mark.rule("PMM-CHK-06")
class TestGameMastersWounds:
    def test_a_tier_below_ten_causes_no_wound(self, table: GameTable) -> None:
        assert table.refused("GM", "wound", target="Ash", track="blunt", tier="below 10").what == (
            "A result below 10 causes no wound."
        )

    def test_a_gm_takes_wounds_away_again(self, table: GameTable) -> None:
        before = table.scene
        table.do("GM", "wound", target="Ash", track="rending", tier="10", count=2)

        done = table.do("GM", "mend", target="Ash", wound="slight rending", count=2)

        assert done.headline == "mends Ash, 2 × slight rending"
        assert table.wounds("Ash", "rending") == "0/0/0/0"
        assert table.refused("GM", "mend", target="Ash", wound="slight rending").what == (
            "Ash has no slight rending wound."
        )
        assert replace(table.scene, moment="").clock == before.clock


def heals(rule: str, *row: object) -> Any:
    """A treatment of another entry."""
    return pytest.param(*row, marks=pytest.mark.rule(rule))


def both(table: GameTable) -> tuple[str, str]:
    return table.wounds("Ash", "blunt"), table.wounds("Ash", "rending")


@pytest.mark.rule("PMM-HEAL-01")
class TestRest:
    @pytest.mark.parametrize(
        ("blunt", "rending", "hours", "left", "told"),
        [
            ("2/1/0/0", "1/0/0/0", 4, ("0/0/0/0", "0/0/0/0"), "Ash: 4 wounds healed."),
            ("4/3/0/0", "3/0/0/0", 9, ("1/0/0/0", "0/0/0/0"), "Ash: 9 wounds healed."),
            ("4/3/0/0", "3/0/0/0", 10, ("0/0/0/0", "0/0/0/0"), "Ash: 10 wounds healed."),
            ("0/0/0/0", "0/2/0/0", 5, ("0/0/0/0", "0/2/0/0"), "Ash: nothing healed."),
            ("0/0/1/0", "0/0/0/0", 5, ("0/0/1/0", "0/0/0/0"), "Ash: nothing healed."),
        ],
        ids=["each hour one", "nine hours", "ten hours", "moderate rending stays", "heavy blunt stays"],
    )
    def test_each_hour_of_rest_heals_one_lesser_wound(
        self, table: GameTable, blunt: str, rending: str, hours: int, left: tuple[str, str], told: str
    ) -> None:
        table.wound("Ash", "blunt", blunt)
        table.wound("Ash", "rending", rending)

        done = table.do("Ash", "rest", hours=hours, now=True)

        assert both(table) == left
        assert done.headline == f"rests for {hours} hours"
        assert done.notes == (told, f"It is day 1, {hours:02}:00.")

    def test_rest_heals_moderate_blunt_first_then_slight_rending_then_slight_blunt(
        self, table: GameTable
    ) -> None:
        table.wound("Ash", "blunt", "1/1/0/0")
        table.wound("Ash", "rending", "1/0/0/0")

        seen = []
        for _ in range(3):
            table.do("Ash", "rest", hours=1, now=True)
            seen.append(both(table))

        assert seen == [("1/0/0/0", "1/0/0/0"), ("1/0/0/0", "0/0/0/0"), ("0/0/0/0", "0/0/0/0")]

    def test_the_player_may_choose_what_heals_first(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "1/1/0/0")

        done = table.do("Ash", "rest", hours=1, prefer="slight blunt", now=True)

        assert both(table) == ("0/1/0/0", "0/0/0/0")
        assert done.headline == "rests for 1 hour"
        assert done.notes[0] == "Ash: 1 wound healed."

    def test_a_gm_has_several_rest_at_once(self, table: GameTable) -> None:
        for name in ("Ash", "Bram"):
            table.wound(name, "blunt", "3/0/0/0")

        table.do("GM", "rest.call", hours=2, who=("Ash", "Bram"), now=True)

        assert (table.wounds("Ash", "blunt"), table.wounds("Bram", "blunt")) == ("1/0/0/0", "1/0/0/0")
        assert table.scene.clock == 2 * 3600

    def test_resting_in_the_middle_of_an_encounter_is_refused(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")

        assert table.refused("Ash", "rest", hours=1).what == "Ash is in a fight."


@pytest.mark.rule("PMM-HEAL-02")
class TestTreatmentRoll:
    def test_a_treatment_rolls_int_and_dex_and_14_is_not_enough(self) -> None:
        table = lay_table(sheets={"Bram": sheet(creation={"Int": 1})})
        table.wound("Ash", "rending", "0/1/0/0")

        done = table.do("Bram", "treat", "d20:9 d12:4", target="Ash")

        assert (done.headline, done.rolls[0].total) == ("treats Ash", 14)
        assert done.notes == ("That isn't enough for any of the wounds.",)
        assert table.wounds("Ash", "rending") == "0/1/0/0"

    def test_a_treatment_as_the_first_of_two_actions_takes_five_off(self, table: GameTable) -> None:
        start_fight(table, "2♠ 3♠")
        table.wound("Ash", "rending", "0/1/0/0")
        table.do("Bram", "act", count=2)

        done = table.do("Bram", "treat", "d20:10 d12:6", target="Ash")

        assert done.rolls[0].total == 11
        assert table.seat("Bram").actions_used == 1

    def test_a_treatment_of_18_and_7_reaches_tier_25(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/0/0/1")

        done = table.do("Bram", "treat", "d20:18 d12:7", target="Ash")

        assert done.verdict == Verdict(Family.SUCCESS, "tier 25")

    def test_treating_somebody_without_wounds_is_refused(self, table: GameTable) -> None:
        assert table.refused("Bram", "treat", target="Ash").sentences == ("Ash has no wound you can treat.",)

    def test_a_double_maximum_in_a_treatment_gives_a_blitz_point(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/1/0/0")

        table.do("Bram", "treat", "d20:20 d12:12", target="Ash")

        assert table.points("Bram") == 4

    def test_a_conscious_character_may_treat_themselves(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "0/1/0/0")

        done = table.do("Ash", "treat", "d20:10 d12:6", target="Ash")

        assert done.headline == "treats their own wounds"
        table.wound("Ash", "blunt", "0/0/0/1")
        assert table.refused("Ash", "treat", target="Ash").what == "Ash is unconscious."


@pytest.mark.rule("PMM-HEAL-03")
class TestTier15:
    @pytest.mark.parametrize(
        ("track", "before", "dice", "after"),
        [
            ("rending", "0/2/0/0", "d20:10 d12:6", "0/1/0/0"),
            ("rending", "0/1/0/0", "d20:10 d12:5", "0/0/0/0"),
            ("rending", "0/1/0/0", "d20:10 d12:4", "0/1/0/0"),
            heals("PMM-HEAL-04", "blunt", "0/0/3/0", "d20:12 d12:11", "0/0/2/0"),
            heals("PMM-HEAL-04", "blunt", "0/0/1/0", "d20:10 d12:9", "0/0/1/0"),
            heals("PMM-HEAL-06", "rending", "0/1/0/0", "d20:18 d12:9", "0/0/0/0"),
        ],
    )
    def test_a_treatment_removes_one_wound_that_its_tier_reaches(
        self, table: GameTable, track: str, before: str, dice: str, after: str
    ) -> None:
        table.wound("Ash", track, before)

        table.do("Bram", "treat", dice, target="Ash")

        assert table.wounds("Ash", track) == after

    @pytest.mark.parametrize(
        ("tier", "dice", "after", "timers"),
        [
            heals("PMM-HEAL-04", "20", "d20:10 d12:10", "0/0/0/0", {}),
            heals("PMM-HEAL-05", "25", "d20:18 d12:6", "0/0/0/1", {"mortal": 60}),
            heals("PMM-HEAL-05", "25", "d20:18 d12:8", "0/0/0/0", {}),
        ],
    )
    def test_a_treated_heavy_or_mortal_wound_takes_its_timer_along(
        self, table: GameTable, tier: str, dice: str, after: str, timers: dict[str, int]
    ) -> None:
        wound(table, "rending", tier)

        table.do("Bram", "treat", dice, target="Ash")

        assert table.wounds("Ash", "rending") == after
        assert dict(table.named("Ash").timers) == timers

    def test_a_moderate_blunt_wound_is_not_treatable(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/1/0/0")

        assert table.refused("Bram", "treat", target="Ash").sentences == (
            "Ash has no wound you can treat.",
            "The remaining wounds heal with rest.",
        )


@pytest.mark.rule("PMM-HEAL-04")
class TestTier20:
    def test_the_healer_picks_one_of_two_heavy_wounds(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/0/1/0")
        table.wound("Ash", "rending", "0/0/1/0")

        asked = table.do("Bram", "treat", "d20:10 d12:10", target="Ash")

        menu = asked.follow_ups[0]
        assert menu.label == "Treat which wound?"
        assert [choice.label for choice in menu.choices] == ["Heavy blunt", "Heavy rending"]
        done = table.press("Bram", menu, choose="heavy rending")
        assert done.headline == "heals a wound of Ash"
        assert done.verdict == Verdict(Family.SUCCESS, "heavy rending healed")
        assert both(table) == ("0/0/1/0", "0/0/0/0")
        assert table.refused("Bram", "choose_wound", **menu.options.model_dump()).what == (
            "Bram has no treatment to finish."
        )


@pytest.mark.rule("PMM-HEAL-05")
class TestTier25:
    def test_tier_25_wakes_an_unconscious_character(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/0/0/1")

        table.do("Bram", "treat", "d20:18 d12:7", target="Ash")

        table.do("Ash", "check", "d20:1 d12:1", first="Int", second="Dex")

    def test_the_healer_picks_between_a_mortal_wound_and_unconsciousness(self, table: GameTable) -> None:
        table.wound("Ash", "blunt", "0/0/0/1")
        table.wound("Ash", "rending", "0/0/0/1")

        asked = table.do("Bram", "treat", "d20:18 d12:8", target="Ash", ability="")

        assert [choice.label for choice in asked.follow_ups[0].choices] == ["Unconscious", "Mortal rending"]


@pytest.mark.rule("PMM-HEAL-06")
class TestLesserWounds:
    def test_a_treatment_of_22_removes_one_of_two_wounds_and_offers_the_gravest_first(
        self, table: GameTable
    ) -> None:
        table.wound("Ash", "blunt", "0/0/1/0")
        table.wound("Ash", "rending", "0/1/0/0")

        asked = table.do("Bram", "treat", "d20:12 d12:10", target="Ash")

        menu = asked.follow_ups[0]
        assert [choice.value for choice in menu.choices] == ["heavy blunt", "moderate rending"]
        graver = {**menu.options.model_dump(), "wound": "mortal rending"}
        assert table.refused("Bram", "choose_wound", **graver).what == (
            "A treatment of tier 20 can't remove that wound from Ash."
        )

    def test_a_treatment_of_12_removes_nothing(self, table: GameTable) -> None:
        table.wound("Ash", "rending", "3/2/1/1")
        table.wound("Ash", "blunt", "4/3/3/1")

        done = table.do("Bram", "treat", "d20:6 d12:6", target="Ash")

        assert done.follow_ups == ()
        assert done.notes == ("That isn't enough for any of the wounds.",)

    def test_an_ability_may_help_a_treatment(self) -> None:
        table = lay_table(sheets={"Bram": sheet(abilities=[])})
        table.wound("Ash", "rending", "0/1/0/0")

        assert table.refused("Bram", "treat", target="Ash", ability="Surgery").what == (
            "There is no ability “Surgery” on the sheet."
        )
