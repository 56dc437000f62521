"""Getting about, other skills, racial skills and traits."""

from fractions import Fraction

import pytest

from bot.rules.kernel import FollowUp
from bot.rules.swim_class.acts import choices
from bot.rules.swim_class.encounter import Ground, find_ground, the_encounter
from bot.rules.swim_class.movement import free_load, is_encumbered
from bot.rules.swim_class.session import end_session
from bot.rules.swim_class.sheet import States, SwimItem
from tests.rules.swim_class.play import GameTable, faced, id_of, lay_table, sheet, solo, words


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
        assert table.why("Ash", "roll", skill="pick lock").startswith("Pick Lock is at rank 0")
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

        assert table.why("Ash", "jump", gap=2) == table.why("Ash", "move") == "Ash is held and can't move."

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


def test_standing_up_takes_half_an_action(table: GameTable) -> None:
    assert table.why("Ash", "stand") == "Ash is already standing."
    table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
    table.do("GM", "set_state", target="Ash", state="prone")
    table.do("Ash", "stand")

    assert the_encounter(table.scene).acting.halves_used == 1


def shooting(**ranks: int) -> GameTable:
    """Ash with a bow against the Orc, in a fight, Ash first."""
    table = lay_table(
        Ash=sheet({"finesse": 3, "basic_ranged": 2, **ranks}, items=["Common Bow", "Knife"]),
        Orc=sheet({"physical_defense": 2}),
    )
    table.do("GM", "give", target="Ash", item="Arrow", quantity=20)
    table.do("Ash", "encounter.start", others=("Orc",))
    table.do("GM", "encounter.next", "6 6 6 1")
    return table


def next_round(table: GameTable) -> None:
    table.do("GM", "encounter.next")
    table.do("GM", "encounter.next")


def board_attack(table: GameTable, skill: str) -> FollowUp:
    return next(one for one in choices(table.scene) if one.label.startswith(f"Attack: {skill}"))


@pytest.mark.rule("SWIM-AREA-03", "SWIM-SKILL-13")
class TestDistance:
    """F-SWIM-05"""

    def test_a_ranged_attack_from_the_board_asks_for_the_distance(self) -> None:
        table = shooting()
        asked = table.press("Ash", board_attack(table, "Basic Ranged"), choose="4")

        assert asked.headline == "aims at Orc (Basic Ranged): how far away?"
        assert (asked.rolls, table.sheet("Ash").items[2].quantity) == ((), 20)
        menu = asked.follow_ups[0]
        assert menu.label == "How far away is Orc?"
        assert [(one.value, one.label, one.note) for one in menu.choices[:6]] == [
            ("1", "1 square", "+0 to each defense die · 77%"),
            ("2", "2 squares", "+1 to each defense die · 55%"),
            ("3", "3 squares", "+1 to each defense die · 55%"),
            ("4", "4 squares", "+2 to each defense die · 35%"),
            ("5", "5 squares", "+2 to each defense die · 35%"),
            ("6", "6 squares", "+3 to each defense die · 18%"),
        ]

    def test_the_distance_given_for_an_attack_counts_and_is_shown(self) -> None:
        table = shooting()
        asked = table.press("Ash", board_attack(table, "Basic Ranged"), choose="4")
        done = table.press("Ash", asked.follow_ups[0], "6 4", choose="6")

        assert done.headline == "attacks Orc at 6 squares (Basic Ranged 2)"
        assert faced(table.do("GM Orc", "defend", "3 1")) == "6 stops 5 · through: 7"
        assert table.sheet("Ash").items[2].quantity == 19

    def test_the_fight_remembers_a_distance_and_the_board_shows_the_distance(self) -> None:
        table = shooting()
        table.do("Ash", "attack", "6 4", skill="basic ranged", targets=("Orc",), distance=6)
        next_round(table)

        menu = board_attack(table, "Throw")
        assert [one.note for one in menu.choices] == ["6 squares away"]
        done = table.press("Ash", menu, "6", choose="4")
        assert done.headline == "attacks Orc at 6 squares (Throw 1)"

    def test_a_remembered_distance_holds_in_both_directions(self) -> None:
        table = shooting()
        table.do("Ash", "attack", "6 4", skill="basic ranged", targets=("Orc",), distance=6)

        assert table.why("GM Orc", "attack", skill="basic melee", targets=("Ash",)) == (
            "Ash is 6 squares away."
        )

    def test_a_remembered_distance_is_forgotten_when_a_fighter_moves(self) -> None:
        table = shooting(walk=2)
        table.do("Ash", "attack", "6", skill="basic ranged", targets=("Orc",), distance=6, half=True)
        table.do("Ash", "move", half=True)
        next_round(table)

        asked = table.do("Ash", "attack", skill="throw", targets=("Orc",))
        assert asked.headline == "aims at Orc (Throw): how far away?"

    def test_a_melee_attack_sets_the_distance_to_1_square(self) -> None:
        table = shooting()
        table.do("Ash", "attack", "3", skill="basic melee", targets=("Orc",))
        next_round(table)

        done = table.do("Ash", "attack", "3", skill="throw", targets=("Orc",))
        assert done.headline == "attacks Orc at 1 square (Throw 1)"

    def test_an_attack_on_several_targets_needs_the_distance_of_each_target(self) -> None:
        table = shooting()
        table.do("GM", "encounter.add", "2", characters=("Beast",))
        table.do("Ash", "attack", "6 4", skill="basic ranged", targets=("Orc",), distance=6)
        shot = {"skill": "basic ranged", "targets": ("Orc", "Beast"), "shares": "1,1"}
        table.do("GM", "encounter.next")
        next_round(table)
        assert table.why("Ash", "attack", **shot) == "How far away are they: Beast?"

        table.do("Ash", "attack", "6 4", skill="basic ranged", targets=("Beast",), distance=2)
        table.do("GM", "encounter.next")
        next_round(table)
        done = table.do("Ash", "attack", "6 4", **shot)
        assert done.headline == "attacks Orc at 6 squares, Beast at 2 squares (Basic Ranged 2)"

    def test_an_attack_that_is_not_allowed_is_refused_before_the_distance_is_asked(self) -> None:
        table = shooting()
        table.do("GM", "encounter.next")

        assert table.why("Ash", "attack", skill="basic ranged", targets=("Orc",)) == (
            "It is Orc's turn, not Ash's."
        )


@pytest.mark.rule("SWIM-MAGIC-05", "SWIM-MAGIC-14", "SWIM-MAGIC-18")
class TestDistanceOfPowers:
    """F-SWIM-05: powers are cast from the distance that is known as well."""

    def test_a_power_asks_for_the_distance_and_shows_the_distance(self) -> None:
        table = lay_table(Ash=sheet({"death": 2}), Orc=sheet({"physical_defense": 1}))
        asked = table.do("Ash", "cast", spell="stun", targets=("Orc",))
        assert asked.headline == "aims at Orc (Stun): how far away?"

        done = table.press("Ash", asked.follow_ups[0], "6 5", choose="3")
        assert done.headline == "casts Stun at Orc at 3 squares (Death 2)"

    def test_healing_in_a_fight_shows_the_chance_at_each_distance(self) -> None:
        table = lay_table(Ash=sheet({"finesse": 2, "life": 2}))
        table.set("Bram", "physical_wounds", 1)
        table.do("Ash", "encounter.start", others=("Bram",))
        table.do("GM", "encounter.next", "6 6 1")
        asked = table.do("Ash", "cast", spell="heal", targets=("Bram",))

        assert [one.note for one in asked.follow_ups[0].choices[:3]] == [
            "difficulty 4 · 75%",
            "difficulty 5 · 56%",
            "difficulty 6 · 31%",
        ]
        done = table.press("Ash", asked.follow_ups[0], "4 1", choose="1")
        assert done.headline == "casts Healing on Bram at 1 square"
        assert words(done) == "1 healed"

    def test_healing_outside_a_fight_is_cast_at_1_square(self) -> None:
        table = lay_table(Ash=sheet({"life": 2}))
        table.set("Bram", "physical_wounds", 1)

        assert table.do("Ash", "cast", "4 1", spell="heal", targets=("Bram",)).headline == (
            "casts Healing on Bram at 1 square"
        )

    @pytest.mark.parametrize(
        ("options", "what"),
        [
            ({"spell": "stun", "targets": ("Orc",), "area": 2}, "Stun has no option “area”."),
            ({"spell": "blaze", "line": 2, "distance": 3}, "Blaze has no option “distance”."),
            ({"spell": "light", "targets": ("Orc",)}, "Light has no option “targets”."),
            ({"spell": "heal", "targets": ("Orc", "Bram")}, "Healing has only one target."),
            ({"spell": "fly", "targets": ("Orc", "Bram")}, "Flight has only one target."),
        ],
    )
    def test_an_option_the_power_does_not_have_is_refused(
        self, options: dict[str, object], what: str
    ) -> None:
        table = lay_table(Ash=sheet({"death": 2, "fire": 2, "life": 2, "wind": 2}))

        assert table.why("Ash", "cast", **options) == what


def shaken() -> GameTable:
    """The earth has quaked where nobody fights: level 3, then 2."""
    table = lay_table(Ash=sheet({"earth": 3, "water": 3, "fire": 1}), Bram=sheet({"walk": 3}))
    table.do("Ash", "cast", "6 5 2", spell="quake", targets=("Orc",), area=3)
    return table


@pytest.mark.rule("SWIM-MAGIC-10")
class TestRoughGroundOutsideAFight:
    def test_ground_roughened_by_a_quake_stays_rough_until_the_gm_passes_rounds(self) -> None:
        table = shaken()
        assert words(table.do("Bram", "move", "4 5 3")) == "2 squares"
        assert table.last is not None
        assert table.last.rolls[0].against == "4+ a die"

        assert table.do("GM", "round_passes").notes == ("Rough ground: level 2 this round.",)
        assert table.do("Bram", "move", "3 3 3").rolls[0].against == "3+ a die"
        assert table.do("GM", "round_passes").notes == ("The ground is back to normal.",)
        assert words(table.do("Bram", "move")) == "3 squares, automatic"
        assert table.why("GM", "round_passes") == "Nothing here changes with the rounds."

    def test_the_gm_has_a_button_to_pass_a_round(self) -> None:
        table = shaken()
        assert table.last is not None
        (button,) = (one for one in table.last.follow_ups if one.procedure == "round_passes")

        assert (button.label, button.audience, button.stays) == ("Pass a round", "gm", True)
        table.press("GM", button)
        assert find_ground(table.scene).terrain == (2,)

    def test_a_fight_starts_on_the_ground_as_it_is_and_counts_its_rounds(self) -> None:
        table = shaken()
        table.do("GM Ash", "encounter.start", "6 5", others=("Bram",), at_once=True)

        assert the_encounter(table.scene).terrain == (3, 2)
        assert table.why("GM", "round_passes") == "In a fight, rounds pass with the turns."
        table.do("Ash", "encounter.next")
        table.do("Bram", "encounter.next")
        assert find_ground(table.scene).terrain == (2,)
        table.do("GM", "encounter.end")
        assert find_ground(table.scene) == Ground()

    def test_a_brief_rest_or_the_end_of_the_session_makes_the_ground_smooth(self) -> None:
        table = shaken()
        table.do("Bram", "rest")
        assert find_ground(table.scene) == Ground()

        table = shaken()
        ended = end_session(table.scene, [id_of("Ash")], ["ground/7"]).scene
        assert ended.document("ground/7") is None

    def test_a_character_resting_beside_a_fight_leaves_the_ground_of_the_fight_rough(self) -> None:
        table = shaken()
        table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
        table.do("Bram", "rest")

        assert find_ground(table.scene).terrain == (3, 2)

    def test_the_gm_makes_any_ground_rough_or_smooth(self, table: GameTable) -> None:
        assert table.do("GM", "terrain", level=2, rounds=3).headline == "makes the ground rough (level 2)"
        assert find_ground(table.scene).terrain == (2, 2, 2)
        table.do("GM", "round_passes", rounds=2)
        assert find_ground(table.scene).terrain == (2,)

        assert table.do("GM", "terrain", level=0).headline == "makes the ground smooth"
        assert find_ground(table.scene) == Ground()


@pytest.mark.rule("SWIM-MAGIC-12")
def test_wet_ground_also_guards_against_fire_outside_a_fight() -> None:
    table = lay_table(Ash=sheet({"water": 2, "fire": 1}), Orc=sheet({"physical_defense": 1}))
    table.do("Ash", "cast", "6 1", spell="spray", targets=("Beast",), area=2)
    for shown in ("⚀→5", "⚀"):
        table.do("Ash", "cast", "5", spell="blaze", targets=("Orc",), line=1)
        done = table.do("GM Orc", "defend", "1", skill="physical defense")
        assert done.rolls[0].dice[0].shown == shown
        if shown == "⚀→5":
            assert table.do("GM", "round_passes").notes == ("The ground is back to normal.",)


@pytest.mark.rule("SWIM-MAGIC-13")
def test_breathing_water_outside_a_fight_lasts_until_the_round_passes() -> None:
    table = lay_table(Ash=sheet({"water": 2}))
    done = table.do("Ash", "cast", "3 3", spell="breathe", targets=("Ash", "Bram"))

    assert find_ground(table.scene).breathing == (id_of("Ash"), id_of("Bram"))
    table.press("GM", done.follow_ups[0])
    assert find_ground(table.scene).breathing == ()
