"""Getting about, other skills, racial skills and traits."""

from fractions import Fraction

import pytest

from bot.rules.swim_class.encounter import the_encounter
from bot.rules.swim_class.movement import free_load, is_encumbered
from bot.rules.swim_class.sheet import States, SwimItem
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet, solo, words


def carrying(pounds: int, **ranks: int) -> GameTable:
    return solo(ranks, items=[SwimItem(name="Load", weight_tenths=pounds * 10)])


class TestMoving:
    @pytest.mark.rule("SWIM-SKILL-08")
    @pytest.mark.parametrize(
        ("rank", "fins", "options", "faces", "verdict"),
        [
            (3, 0, {}, "", "3 squares, automatic"),
            (2, 0, {"push": 2}, "6 5", "4 squares"),
            (2, 0, {"push": 3}, "2 4", "3 squares"),
            (5, 0, {"push": 2, "half": True}, "5 2", "4 squares"),
            (2, 2, {}, "", "2 squares, automatic"),
            (2, 2, {"push": 2}, "6 3", "2 squares"),
        ],
    )
    def test_walking_covers_squares_by_rank_push_and_fins(
        self, rank: int, fins: int, options: dict[str, int], faces: str, verdict: str
    ) -> None:
        table = solo({"walk": rank}, traits={"fins": fins} if fins else {})

        assert words(table.do("Ash", "move", faces, **options)) == verdict

    @pytest.mark.rule("SWIM-SKILL-09")
    @pytest.mark.parametrize(
        ("rank", "fins", "options", "faces", "verdict"),
        [
            (3, 0, {}, "", "treads water, 2 squares, automatic"),
            (1, 0, {}, "", "treads water, automatic"),
            (2, 0, {"difficulty": 6}, "6 3", "treads water"),
            (2, 0, {"difficulty": 6}, "5 5", "sinks"),
            (2, 0, {"push": 2}, "4 3", "treads water, 3 squares"),
            (2, 2, {"difficulty": 6}, "4 2", "treads water"),
        ],
    )
    def test_swimming_covers_squares_by_rank_and_fins(
        self, rank: int, fins: int, options: dict[str, int], faces: str, verdict: str
    ) -> None:
        table = solo({"swim": rank}, traits={"fins": fins} if fins else {})

        assert words(table.do("Ash", "move", faces, how="swim", **options)) == verdict

    @pytest.mark.rule("SWIM-SKILL-10")
    def test_climbing_covers_squares_by_rank_and_difficulty(self) -> None:
        table = solo({"climb": 2})

        assert words(table.do("Ash", "move", how="climb")) == "2 squares, automatic"
        assert words(table.do("Ash", "move", "6 2", how="climb", difficulty=6)) == "1 square"

    @pytest.mark.rule("SWIM-SKILL-11")
    @pytest.mark.parametrize(
        ("gap", "push", "faces", "verdict"),
        [
            (6, 1, "", "success, 3 progress of 3, automatic"),
            (10, 2, "2 5 1", "fails, 4 progress of 5"),
            (10, 2, "2 5 3", "success, 6 progress of 5"),
            (7, 2, "2 5 1", "success, 4 progress of 4"),
        ],
    )
    def test_a_jump_needs_progress_for_the_width_of_the_gap(
        self, gap: int, push: int, faces: str, verdict: str
    ) -> None:
        assert words(solo({"jump": 3}).do("Ash", "jump", faces, gap=gap, push=push)) == verdict

    @pytest.mark.rule("SWIM-SKILL-12")
    def test_the_distance_of_a_throw_follows_from_rank_weight_and_push(self) -> None:
        assert words(solo({"throw": 2}).do("Ash", "throw")) == "6 squares"
        assert words(solo({"throw": 3}).do("Ash", "throw", heavy=True)) == "6 ft"
        assert words(solo({"throw": 2}).do("Ash", "throw", "3 1", push=2)) == "6 squares"


class TestOtherSkills:
    @pytest.mark.rule("SWIM-SKILL-14")
    def test_agility_is_rolled_as_finesse(self) -> None:
        table = solo({"finesse": 2})

        assert table.do("Ash", "roll", "3 4", skill="Agility", difficulty=4).headline == "rolls Finesse 2"
        assert table.do("Ash", "encounter.start", "3 4 2", others=("Orc",), at_once=True).notes == (
            "Turn order: Ash, Orc.",
        )

    @pytest.mark.rule("SWIM-SKILL-15")
    def test_finesse_opens_pick_lock_by_synergy(self) -> None:
        table = solo({"finesse": 2})
        assert table.refused("Ash", "roll", skill="pick lock").startswith("Pick Lock is at rank 0")
        table.do("Ash", "roll", "4 4", skill="finesse", difficulty=4)

        assert table.rank("Ash", "pick_lock") == 1

    @pytest.mark.rule("SWIM-SKILL-16")
    def test_spot_succeeds_without_dice_at_the_usual_difficulty(self) -> None:
        assert words(solo({"spot": 2}).do("Ash", "roll", skill="spot")) == "2 progress, automatic"
        assert words(solo({"spot": 3}).do("Ash", "roll", "6 6 1", skill="spot", difficulty=6)) == "2 progress"
        assert words(solo({"spot": 2}).do("Ash", "roll", "5 5", skill="spot", difficulty=6)) == "0 progress"

    @pytest.mark.rule("SWIM-SKILL-18")
    def test_tracking_gathers_progress_on_a_trail(self) -> None:
        table = solo({"tracking": 2})
        table.do("Ash", "open_task", name="spoor", skill="tracking", difficulty=4, progress=3)
        table.do("Ash", "work", "4 5", name="spoor")

        assert words(table.do("Ash", "work", "6 1 2", name="spoor")) == "done, 3 of 3"

    @pytest.mark.rule("SWIM-SKILL-19")
    @pytest.mark.parametrize(
        ("brawn", "pounds", "push", "faces", "verdict"),
        [
            (1, 20, 2, "", "1 square, automatic"),
            (1, 25, 2, "2", "1 square, automatic"),
            (1, 25, 2, "1", "stuck"),
            (2, 100, 3, "4 2", "stuck"),
            (3, 34, 2, "", "1 square, automatic"),
        ],
    )
    def test_moving_under_a_heavy_load_needs_a_brawn_roll(
        self, brawn: int, pounds: int, push: int, faces: str, verdict: str
    ) -> None:
        table = carrying(pounds, brawn=brawn)

        assert words(table.do("Ash", "move", faces, brawn_push=push, anyway=True)) == verdict

    @pytest.mark.rule("SWIM-SKILL-19")
    @pytest.mark.rule("SWIM-TASK-13")
    @pytest.mark.parametrize(
        ("brawn", "tenths", "push", "chance"),
        [
            (2, 978, 2, Fraction(0)),
            (2, 768, 2, Fraction(25, 36)),
            (3, 908, 2, Fraction(125, 216)),
            (3, 908, 3, Fraction(20, 27)),
            (1, 250, 2, Fraction(5, 6)),
            (1, 250, 6, Fraction(1, 6)),
        ],
    )
    def test_the_chance_of_moving_under_a_load_is_that_of_carrying_the_load(
        self, brawn: int, tenths: int, push: int, chance: Fraction
    ) -> None:
        """F-SWIM-03: it was that of one die that scores."""
        for flat in (False, True):
            table = solo({"brawn": brawn}, items=[SwimItem(name="Load", weight_tenths=tenths)])
            table.settings(carry_flat=flat)

            moved = table.do("Ash", "move", " ".join(["1"] * brawn), brawn_push=push, anyway=True)

            odds = moved.rolls[0].odds
            assert odds is not None
            assert odds.enough == chance
            assert any(note.startswith("Out of reach") for note in moved.notes) == (chance == 0)

    @pytest.mark.rule("SWIM-SKILL-19")
    def test_f_swim_33_a_load_that_brawn_cannot_carry_is_asked_about_before_the_roll(self) -> None:
        table = solo({"brawn": 2, "jump": 2}, items=[SwimItem(name="Load", weight_tenths=848)])
        for asked in (table.do("Ash", "move"), table.do("Ash", "jump", gap=4)):
            assert asked.headline == "would move with 84.8 lb: out of reach"
            assert asked.notes == (
                "These dice can make at most 4 progress, and you need 5. Nothing was rolled.",
            )
            assert [one.label for one in asked.follow_ups] == [
                "Push Brawn ×5 · 56%",
                "Push Brawn ×3 · 44%",
                "Push Brawn ×6 · 31%",
                "Roll anyway",
            ]
            assert asked.rolls == ()

        pushed = table.press("Ash", asked.follow_ups[0], "5 4")

        assert words(pushed) == "success, 2 progress of 2, automatic"

    @pytest.mark.rule("SWIM-SKILL-19")
    def test_jumping_and_flying_under_a_heavy_load_need_a_brawn_roll(self) -> None:
        table = carrying(25, brawn=1, jump=2, flight=2)
        assert words(table.do("Ash", "jump", "1", gap=4)) == "stuck"
        jumped = table.do("Ash", "jump", "3", gap=4)
        assert words(jumped) == "success, 2 progress of 2, automatic"
        assert jumped.notes == ("Can carry 40 lb for this move; the load is 25 lb.",)
        assert words(table.do("Ash", "move", "1", how="flight", wind="Bram")) == "stuck"

    def test_a_held_character_can_neither_walk_nor_jump(self) -> None:
        table = lay_table(Ash=sheet(states=States(held_by=id_of("Orc"))))

        assert (
            table.refused("Ash", "jump", gap=2)
            == table.refused("Ash", "move")
            == "Ash is held and can't move."
        )

    def test_the_campaign_may_give_everybody_the_same_free_load(self) -> None:
        table = carrying(30, brawn=3)
        assert free_load(table.scene, table.named("Ash")) == 60
        table.settings(carry_flat=True)

        assert is_encumbered(table.scene, table.named("Ash"))

    @pytest.mark.rule("SWIM-SKILL-20")
    def test_lifting_needs_progress_for_the_weight(self) -> None:
        table = solo({"brawn": 2})

        assert words(table.do("Ash", "lift", pounds=60)) == "success, 2 progress of 2, automatic"
        assert table.do("Ash", "lift", "4 2", pounds=90, push=3).notes[0] == "Can lift 90 lb."
        assert words(table.do("Ash", "lift", "3 2", pounds=100, push=2)) == "success, 4 progress of 4"


class TestRacialSkillsAndTraits:
    @pytest.mark.rule("SWIM-RACE-03")
    @pytest.mark.rule("SWIM-RACE-04")
    @pytest.mark.parametrize(
        ("skill", "faces", "verdict"),
        [("dark_vision", "5 4", "1 progress"), ("far_vision", "5 5 1", "2 progress")],
    )
    def test_dark_vision_and_far_vision_add_1_to_each_die(self, skill: str, faces: str, verdict: str) -> None:
        table = solo({skill: len(faces.split())})

        assert words(table.do("Ash", "roll", faces, skill=skill, difficulty=6)) == verdict

    @pytest.mark.rule("SWIM-RACE-05")
    def test_a_successful_flight_hovers_and_a_failed_flight_falls(self) -> None:
        table = lay_table(Ash=sheet({"flight": 3}), Bram=sheet({"wind": 2}))
        assert words(table.do("Ash", "move", "4 2 1", how="flight")) == "hovers, 1 square"
        assert table.sheet("Ash").states.is_hovering
        fallen = table.do("Ash", "move", "1 1 1", how="flight")
        assert words(fallen) == "falls"
        assert [button.label for button in fallen.follow_ups] == ["Ash falls and lands …", "Waive it"]
        assert fallen.notes == (
            "3 natural 1s: first ignored, 2 criticals (a fall; the GM decides the damage).",
        )
        table.do("Ash", "move", "4 2 1", how="flight", wind="Bram")
        assert words(table.do("Bram", "defend", "3 3", skill="wind")) == "Ash hovers"

    @pytest.mark.rule("SWIM-RACE-06", "SWIM-RACE-07")
    def test_fins_help_swimming_and_hinder_walking(self) -> None:
        table = solo({"swim": 2, "walk": 2})
        table.do("GM", "set_trait", target="Ash", trait="fins", degree=2)
        swum = table.do("Ash", "move", "4 2", how="swim", difficulty=6)
        walked = table.do("Ash", "roll", "3 1", skill="walk", difficulty=4)

        assert [die.shown for die in swum.rolls[0].dice] == ["⚃→6", "⚁→4"]
        assert [die.shown for die in walked.rolls[0].dice] == ["⚂→1", "⚀→−1"]
        assert (
            table.do("GM", "set_trait", target="Ash", trait="fins", degree=0).headline
            == "takes Fins from Ash"
        )

    @pytest.mark.rule("SWIM-RACE-08")
    def test_being_large_hinders_in_tight_spaces_and_when_dodging(self) -> None:
        table = lay_table(Ash=sheet({"walk": 3, "physical_defense": 2}, traits={"large": 2}))
        assert words(table.do("Ash", "move", "5 5 2", tight=True)) == "2 squares"
        table.do("GM Orc", "attack", "2", skill="basic melee", targets=("Ash",))

        done = table.do("Ash", "defend", "4 3", skill="physical defense")
        assert [die.shown for die in done.rolls[0].dice] == ["⚃→2", "⚂→1"]

    @pytest.mark.rule("SWIM-RACE-09")
    def test_being_small_hinders_on_rough_ground(self) -> None:
        table = solo({"walk": 2}, traits={"small": 1})
        done = table.do("Ash", "move", "3 2", terrain=1, open_rough=True)

        assert [die.shown for die in done.rolls[0].dice] == ["⚂→2", "⚁→1"]
        assert words(done) == "1 square"


def test_standing_up_takes_half_an_action() -> None:
    table = lay_table()
    assert table.refused("Ash", "stand") == "Ash is already standing."
    table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
    table.do("GM", "set_state", target="Ash", state="prone")
    table.do("Ash", "stand")

    assert the_encounter(table.scene).acting.halves_used == 1
