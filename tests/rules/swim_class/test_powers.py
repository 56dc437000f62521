"""Magic: the wheel, every power, healing, the undead."""

import pytest

from bot.rules.swim_class.encounter import the_encounter
from bot.rules.swim_class.powers import size_of
from bot.rules.swim_class.sheet import Reserve, ReserveKind, States, SwimSettings
from bot.rules.swim_class.tables import SPELLS, Pool
from tests.rules.swim_class.play import GameTable, faced, lay_table, sheet, solo, words
from tests.rules.swim_class.test_damage import hp
from tests.rules.swim_class.test_together import raised


def casting(ranks: dict[str, int], **others: dict[str, int]) -> GameTable:
    return lay_table(Ash=sheet(ranks), **{name: sheet(held) for name, held in others.items()})


@pytest.mark.rule("SWIM-MAGIC-01")
class TestForms:
    def test_a_power_is_rolled_with_the_rank_of_its_form(self) -> None:
        table = casting({"wind": 3})
        done = table.do("Ash", "cast", "5 4 1", spell="blow", targets=("Orc",), line=1)

        assert done.headline == "casts Blow at Orc (Wind 3)"
        assert table.do("Ash", "roll", "1 2 3", skill="air", difficulty=4).headline == "rolls Wind 3"

    def test_the_campaign_may_make_each_power_a_skill_of_its_own(self) -> None:
        table = casting({"fire": 3, "fire:light": 3})
        table.settings(spells_as_skills=True)

        assert words(table.do("Ash", "cast", spell="light")) == "lights 6 squares"
        assert table.last is not None
        assert table.last.headline == "casts Light"

    def test_all_12_powers_of_the_book_exist(self) -> None:
        assert len(SPELLS) == 12


class TestWheel:
    @pytest.mark.rule("SWIM-MAGIC-02")
    @pytest.mark.parametrize(
        ("form", "rank", "after"),
        [
            ("fire", 3, {"wind": 1, "death": 1}),
            ("life", 4, {"wind": 2, "water": 2}),
            ("water", 5, {"earth": 3, "life": 3, "death": 1, "wind": 1}),
        ],
    )
    def test_neighbouring_forms_on_the_wheel_raise_each_other(
        self, form: str, rank: int, after: dict[str, int]
    ) -> None:
        assert raised({form: rank}, form) == after

    @pytest.mark.rule("SWIM-MAGIC-03")
    def test_opposite_forms_stand_across_the_wheel(self) -> None:
        settings = SwimSettings()
        pairs = {form: settings.opposite(form) for form in ("wind", "fire", "life")}
        assert pairs == {"wind": "earth", "fire": "water", "life": "death"}
        assert solo({"fire": 2}).do("Ash", "wheel").notes[3] == "Fire 2 · opposite Water"

    def test_the_campaign_may_change_the_order_of_the_wheel(self) -> None:
        turned = SwimSettings.model_validate({"wheel_order": "fire, wind, life, earth, death, water"})
        assert turned.opposite("fire") == "earth"
        with pytest.raises(ValueError, match="exactly once"):
            SwimSettings.model_validate({"wheel_order": "fire"})


@pytest.mark.rule("SWIM-MAGIC-04", "SWIM-MAGIC-20")
class TestBarriers:
    def test_earth_defends_against_wind_with_its_full_rank(self) -> None:
        table = casting({"wind": 3}, Orc={"earth": 4})
        table.do("Ash", "cast", "5 4 1", spell="blow", targets=("Orc",), line=1)
        done = table.do("GM Orc", "defend", "5 5 2 2", skill="earth")

        assert words(done) == "not pushed"
        assert faced(done) == "5 stops 5, 5 stops 4, 2 stops 1"

    @pytest.mark.parametrize("form", ["water", "fire"])
    def test_the_same_form_and_the_opposite_form_defend_against_a_power(self, form: str) -> None:
        table = casting({"fire": 1}, Orc={form: 1})
        table.do("Ash", "cast", "5", spell="blaze", targets=("Orc",), line=1)

        assert words(table.do("GM Orc", "defend", "6", skill=form)) == "no hit"

    def test_the_die_of_an_artifact_defends_against_a_power(self) -> None:
        table = lay_table(Ash=sheet({"wind": 2}), Orc=sheet(items=["Flawless crystal of the Ancients"]))
        table.do("Ash", "cast", "5 1", spell="blow", targets=("Orc",), line=1)
        done = table.do("GM Orc", "defend", "5", skill="earth")

        assert (words(done), done.rolls[0].dice[0].shown) == ("not pushed", "✦⚄")

    def test_a_form_that_is_neither_the_same_nor_opposite_cannot_defend_even_for_the_gm(self) -> None:
        table = casting({"fire": 1}, Orc={"earth": 1})
        table.do("Ash", "cast", "5", spell="blaze", targets=("Orc",), line=1)

        assert table.why("GM Orc", "defend", skill="earth") == "Earth can't defend against this."


class TestPowers:
    @pytest.mark.rule("SWIM-MAGIC-05", "SWIM-MAGIC-06")
    def test_blaze_hurts_everybody_along_a_line(self) -> None:
        table = casting({"fire": 3}, Orc={"physical_defense": 2})
        table.do("Ash", "cast", "6 5 2", spell="blaze", targets=("Orc",), line=4)

        assert words(table.do("GM Orc", "defend", "3 2")) == "1 hit"
        assert table.why("Ash", "cast", spell="blaze", targets=("Orc",)) == "Blaze needs a line."
        assert table.why("Ash", "cast", spell="blow", targets=("Orc",), line=1, area=1) == (
            "Choose an area or a line, not both."
        )

    @pytest.mark.rule("SWIM-MAGIC-07")
    def test_light_shines_farther_by_rank_and_when_pushed(self) -> None:
        table = solo({"fire": 3})
        assert words(table.do("Ash", "cast", spell="light")) == "lights 6 squares"
        assert words(table.do("Ash", "cast", "4 2 1", spell="light", push=2)) == "lights 8 squares"

    @pytest.mark.rule("SWIM-MAGIC-08")
    @pytest.mark.parametrize(
        ("shape", "faces", "defence", "skill", "verdict"),
        [
            ({"area": 3}, "6 4 2", "5", "walk", "not pushed"),
            ({"line": 2}, "6 5", "2 2", "climb", "Orc is pushed 2 squares"),
        ],
    )
    def test_blow_pushes_its_target_unless_stopped(
        self, shape: dict[str, int], faces: str, defence: str, skill: str, verdict: str
    ) -> None:
        table = casting({"wind": len(faces.split())}, Orc={skill: len(defence.split())})
        table.do("Ash", "cast", faces, spell="blow", targets=("Orc",), **shape)

        assert words(table.do("GM Orc", "defend", defence, skill=skill)) == verdict
        assert hp(table, "Orc") == 1

    @pytest.mark.rule("SWIM-MAGIC-09")
    @pytest.mark.parametrize(
        ("size", "faces", "verdict"),
        [
            (0, "5 3 2", "hovers, 1 square"),
            (2, "5 3", "hovers"),
            (0, "2 2", "does not rise"),
            (-1, "1", "does not rise"),
            (-2, "", "hovers"),  # at difficulty 1 nothing is rolled
            (-4, "", "hovers"),
        ],
    )
    def test_fly_lifts_a_willing_friend_by_size(self, size: int, faces: str, verdict: str) -> None:
        table = casting({"wind": len(faces.split()) or 1})

        assert words(table.do("Ash", "cast", faces, spell="fly", targets=("Bram",), size=size)) == verdict
        assert table.sheet("Bram").states.is_hovering == (verdict != "does not rise")

    @pytest.mark.rule("SWIM-MAGIC-09")
    def test_a_hovering_friend_whom_fly_fails_to_hold_falls(self) -> None:
        table = casting({"wind": 2})
        table.do("GM", "set_state", target="Bram", state="hovering")
        done = table.do("Ash", "cast", "2 2", spell="fly", targets=("Bram",))
        assert words(done) == "falls"

        table.press("GM", done.follow_ups[0], choose="0")
        states = table.sheet("Bram").states
        assert (states.is_hovering, states.is_prone) == (False, True)
        table.do("GM", "set_state", target="Orc", state="hovering")
        table.do("Ash", "cast", "2 3", spell="fly", targets=("Orc",), unwilling=True, distance=1)
        assert words(table.do("GM Orc", "defend", "6", skill="physical defense")) == "falls"

    @pytest.mark.rule("SWIM-MAGIC-09")
    def test_fly_lifts_an_unwilling_foe_who_fails_to_defend(self) -> None:
        table = casting({"wind": 2})
        table.do("Ash", "cast", "6 2", spell="fly", targets=("Orc",), distance=2, unwilling=True)
        done = table.do("GM Orc", "defend", "1", skill="physical defense")

        assert done.rolls[0].dice[0].shown == "⚀→5"
        assert words(done) == "hovers"
        assert size_of(sheet(traits={"large": 2})) - size_of(sheet(traits={"small": 1})) == 3
        assert words(table.do("Ash", "cast", "3 3", spell="fly")) == "hovers, 1 square"

    @pytest.mark.rule("SWIM-MAGIC-10")
    @pytest.mark.parametrize(
        ("side", "faces", "levels"),
        [(3, "6 5 2", (3, 2)), (3, "3 2", ()), (1, "6", (5,)), (3, "5 4", (2, 1))],
    )
    def test_quake_makes_the_ground_rough_for_some_rounds(
        self, side: int, faces: str, levels: tuple[int, ...]
    ) -> None:
        table = casting({"earth": len(faces.split())})
        table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
        table.do("Ash", "cast", faces, spell="quake", targets=("Orc",), area=side)

        assert the_encounter(table.scene).terrain == levels

    @pytest.mark.rule("SWIM-MAGIC-10")
    @pytest.mark.parametrize(
        ("side", "defence", "verdict"), [(3, "4 2", "not knocked down"), (1, "1 1", "Orc is knocked down")]
    )
    def test_quake_knocks_down_a_target_who_fails_to_defend(
        self, side: int, defence: str, verdict: str
    ) -> None:
        table = casting({"earth": 3}, Orc={"walk": 2})
        table.do("Ash", "cast", "6 5 2", spell="quake", targets=("Orc",), area=side)

        assert words(table.do("GM Orc", "defend", defence, skill="walk")) == verdict

    @pytest.mark.rule("SWIM-MAGIC-11")
    @pytest.mark.parametrize(
        ("options", "faces", "verdict"),
        [
            ({"ground": 2}, "5 2 1", "2 cubic feet"),
            ({"ground": 6}, "6 5", "1 cubic foot"),
            ({"ground": 2, "push": 3}, "6 2", "3 cubic feet"),
        ],
    )
    def test_shift_moves_earth_by_the_cubic_foot(
        self, options: dict[str, int], faces: str, verdict: str
    ) -> None:
        table = solo({"earth": len(faces.split())})

        assert words(table.do("Ash", "cast", faces, spell="shift", **options)) == verdict

    @pytest.mark.rule("SWIM-MAGIC-12")
    def test_spray_soaks_its_target_and_guards_against_fire(self) -> None:
        table = casting({"water": 3, "fire": 1}, Orc={"finesse": 1})
        table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
        table.do("GM Ash", "cast", "6 4 1", spell="spray", targets=("Orc",), area=2)
        assert the_encounter(table.scene).resistance == (4, 2, 0)
        assert words(table.do("GM Orc", "defend", "1", skill="agility")) == "Orc is soaked"
        assert "Wet ground: +4 to defense against fire this round." in table.fight().notes
        table.do("Ash", "encounter.next")
        table.do("GM Ash", "cast", "5", spell="blaze", targets=("Orc",), line=1)
        done = table.do("GM Orc", "defend", "1", skill="physical defense")
        assert done.rolls[0].dice[0].shown == "⚀→5"

    @pytest.mark.rule("SWIM-MAGIC-12")
    def test_a_long_line_of_spray_guards_little_against_fire(self) -> None:
        done = casting({"water": 2}).do("Ash", "cast", "3 2", spell="spray", targets=("Orc",), line=3)

        assert done.notes[-1] == "Defense against fire on wet ground, round by round: 0, 0."

    @pytest.mark.rule("SWIM-MAGIC-13")
    @pytest.mark.parametrize(
        ("push", "faces", "verdict"),
        [(1, "4 3 2", "2 targets"), (1, "1 2", "0 targets"), (2, "6 5", "2 targets")],
    )
    def test_breathe_lets_one_target_per_success_breathe_water(
        self, push: int, faces: str, verdict: str
    ) -> None:
        table = casting({"water": len(faces.split())})
        table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
        done = table.do("Ash", "cast", faces, spell="breathe", targets=("Ash", "Bram"), push=push)

        assert words(done) == verdict
        assert len(the_encounter(table.scene).breathing) == int(verdict[0])
        assert solo({"water": 1}).do("Ash", "cast", "3", spell="breathe").notes == (
            "Ash can breathe water this round.",
        )


class TestHealing:
    def wounded(self, wounds: int, caster: int = 2, rank: int = 1) -> GameTable:
        table = casting({"life": caster}, Bram={"physical_defense": rank})
        table.set("Bram", "physical_wounds", wounds)
        table.set("Ash", "physical_wounds", 0)
        return table

    @pytest.mark.rule("SWIM-MAGIC-14")
    @pytest.mark.parametrize(
        ("distance", "faces", "verdict"),
        [(1, "4 6", "2 healed"), (3, "6 5", "1 healed"), (4, "6 6", "0 healed")],
    )
    def test_healing_is_harder_at_a_distance(self, distance: int, faces: str, verdict: str) -> None:
        table = self.wounded(2, rank=3)

        heal = {"spell": "heal", "targets": ("Bram",), "distance": distance, "anyway": True}
        assert words(table.do("Ash", "cast", faces, **heal)) == verdict

    @pytest.mark.rule("SWIM-MAGIC-14")
    @pytest.mark.parametrize(("push", "faces", "left"), [(1, "4 2", 1), (2, "6 1", 0)])
    def test_a_caster_can_heal_themselves(self, push: int, faces: str, left: int) -> None:
        table = casting({"life": 2, "physical_defense": 3})
        table.set("Ash", "physical_wounds", 2)
        table.do("Ash", "cast", faces, spell="heal", push=push)

        assert table.points("Ash", "physical_wounds") == left

    @pytest.mark.rule("SWIM-MAGIC-14")
    def test_a_target_can_be_healed_once_an_hour_and_in_a_fight_once_a_round(self) -> None:
        table = self.wounded(2, rank=3)
        heal = {"spell": "heal", "targets": ("Bram",)}
        table.do("Ash", "cast", "1 2", **heal)
        assert table.why("Ash", "cast", **heal) == "You have already healed Bram within the last hour."
        table.do("GM", "clock", hours=1)
        table.do("Ash", "cast", "1 2", **heal)
        table.do("GM Ash", "encounter.start", "6 5", others=("Orc",), at_once=True)
        table.do("Ash", "cast", "2 2", **heal)

        assert table.why("GM Ash", "cast", **heal) == "You have already healed Bram this round."
        assert table.why("GM", "clock") == "Give hours or minutes."

    @pytest.mark.rule("SWIM-MAGIC-15")
    @pytest.mark.parametrize(("distance", "verdict"), [(1, "2 hits"), (2, "1 hit"), (3, "no hit")])
    def test_healing_harms_the_undead_and_less_from_afar(self, distance: int, verdict: str) -> None:
        table = casting({"life": 2}, Orc={"physical_defense": 1})
        table.change("Orc", tags=("undead",))
        table.do("Ash", "cast", "5 4", spell="heal", targets=("Orc",), distance=distance)
        done = table.do("GM Orc", "defend", "1", skill="physical defense")

        assert words(done) == verdict

    @pytest.mark.rule("SWIM-MAGIC-14")
    def test_in_a_fight_the_distance_of_healing_is_asked_for_with_its_chance(self) -> None:
        table = self.wounded(2, caster=1, rank=3)
        table.do("GM Ash", "encounter.start", "6 5", others=("Bram",), at_once=True)

        asked = table.do("Ash", "cast", spell="heal", targets=("Bram",))

        (menu,) = asked.follow_ups
        assert [one.note for one in menu.choices[:3]] == [
            "difficulty 4 · 50%",
            "difficulty 5 · 33%",
            "difficulty 6 · 17%",
        ]

    @pytest.mark.rule("SWIM-MAGIC-16")
    @pytest.mark.parametrize(
        ("below", "faces", "verdict", "left"),
        [(2, "5", "1 healed, stable", -1), (5, "4 4", "0 healed", -5), (5, "6 5", "2 healed, stable", -3)],
    )
    def test_healing_stabilizes_the_dying(self, below: int, faces: str, verdict: str, left: int) -> None:
        table = self.wounded(below + 1, caster=len(faces.split()))

        assert words(table.do("Ash", "cast", faces, spell="heal", targets=("Bram",))) == verdict
        assert hp(table, "Bram") == left
        assert (Pool.PHYSICAL in table.sheet("Bram").stable) == ("stable" in verdict)

    def test_the_dead_cannot_be_healed(self) -> None:
        table = self.wounded(1)
        table.do("GM", "set_state", target="Bram", state="dead")

        assert table.why("Ash", "cast", spell="heal", targets=("Bram",)) == "Bram is dead."


class TestDeathPowers:
    @pytest.mark.rule("SWIM-MAGIC-17")
    @pytest.mark.parametrize(
        ("distance", "faces", "defence", "verdict"),
        [(1, "5", "4", "1 hit"), (3, "6", "2", "1 hit"), (4, "6", "2", "no hit")],
    )
    def test_death_strikes_one_target_near_or_far(
        self, distance: int, faces: str, defence: str, verdict: str
    ) -> None:
        table = casting({"death": 1})
        table.do("Ash", "cast", faces, spell="death", targets=("Orc",), distance=distance)

        assert words(table.do("GM Orc", "defend", defence, skill="physical defense")) == verdict
        assert (
            table.why("Ash", "cast", spell="death", targets=("Orc", "Beast")) == "Death has only one target."
        )
        assert table.why("Ash", "cast", spell="death") == "Choose a target."

    @pytest.mark.rule("SWIM-MAGIC-18")
    def test_a_stunned_target_does_nothing_until_the_casters_next_turn(self) -> None:
        table = casting({"death": 2}, Bram={"physical_defense": 2})
        table.do("GM Ash", "encounter.start", "6 5", others=("Bram",), at_once=True)
        table.change(
            "Bram", states=States(reserve=Reserve(skill="brawn", kind=ReserveKind.ACTION, trigger="x"))
        )
        table.do("Ash", "cast", "5 3", spell="stun", targets=("Bram",), distance=2)
        done = table.do("Bram", "defend", "2 1", skill="physical defense")
        assert words(done) == "Bram is stunned"
        assert table.sheet("Bram").states.reserve is None
        assert table.why("GM Bram", "move") == "Bram is stunned."
        passed = table.do("Ash", "encounter.next")
        assert passed.notes == (
            "Round 2 starts.",
            "Bram can't act and is skipped.",
            "Bram is no longer stunned.",
        )

        table.do("GM Bram", "move")
        table.do("Ash", "cast", "2 2", spell="stun", targets=("Bram",), distance=2)
        assert words(table.do("Bram", "defend", "4 4", skill="physical defense")) == "not stunned"

    @pytest.mark.rule("SWIM-MAGIC-19")
    @pytest.mark.parametrize(
        ("rank", "faces", "verdict", "defence", "death"),
        [(3, "5 4 1", "raised", 2, 2), (2, "3 2", "stays dead", 1, 0), (1, "6", "raised", 1, 0)],
    )
    def test_raise_turns_a_corpse_into_an_undead_servant(
        self, rank: int, faces: str, verdict: str, defence: int, death: int
    ) -> None:
        table = casting({"death": rank})
        table.change("Orc", is_dead=True)
        done = table.do("Ash", "cast", faces, spell="raise", corpse="Orc")

        assert words(done) == verdict
        assert (table.rank("Orc", "physical_defense"), table.rank("Orc", "death")) == (defence, death)
        assert table.rank("Orc", "brawn") == 1

    def test_only_a_corpse_can_be_raised(self) -> None:
        table = casting({"death": 1})
        assert table.why("Ash", "cast", spell="raise") == "Choose a corpse."
        assert table.why("Ash", "cast", spell="raise", corpse="Orc") == "Orc isn't a corpse."


def risen() -> GameTable:
    """Ash has raised the orc, with Physical Defense 2."""
    table = lay_table(Ash=sheet({"death": 3, "fire": 1}), Orc=sheet(is_dead=True))
    table.do("Ash", "cast", "5 4 1", spell="raise", corpse="Orc")
    return table


@pytest.mark.rule("SWIM-MAGIC-19")
def test_a_raised_corpse_attacks_with_its_own_skills_and_its_caster_is_named() -> None:
    table = risen()
    struck = table.do("Ash", "undead_attack", "5", undead="Orc", skill="basic melee", targets=("Beast",))

    assert struck.headline == "commands Orc, who attacks Beast (Basic Melee 1)"
    assert words(table.do("GM Beast", "defend", "3", skill="physical defense")) == "1 hit"


@pytest.mark.rule("SWIM-MAGIC-19")
def test_a_corpse_rises_with_a_death_rank_one_below_its_casters() -> None:
    table = lay_table(Ash=sheet({"death": 3, "fire": 1}), Orc=sheet(is_dead=True))
    done = table.do("Ash", "cast", "5 4 1", spell="raise", corpse="Orc")

    assert done.notes[0].endswith("Physical Defense 2, Death 2.")
    assert (table.rank("Orc", "physical_defense"), table.rank("Orc", "death")) == (2, 2)


@pytest.mark.rule("SWIM-MAGIC-19")
def test_a_raised_corpse_can_move_and_roll_any_skill() -> None:
    table = risen()

    assert words(table.do("Ash", "undead_move", undead="Orc")) == "1 square, automatic"
    done = table.do("Ash", "undead_roll", "4 5", undead="Orc", skill="death", difficulty=4)
    assert (done.headline, words(done)) == ("commands Orc, who rolls Death 2", "2 progress")


@pytest.mark.rule("SWIM-MAGIC-19")
def test_a_raised_corpse_uses_the_action_of_its_caster() -> None:
    table = risen()
    table.do("GM Ash", "encounter.start", "6 5", others=("Beast",), at_once=True)
    table.do("Ash", "undead_move", "3", undead="Orc", terrain=2)

    assert the_encounter(table.scene).acting.halves_used == 2
    assert table.why("Ash", "move") == "Ash has no action left this turn."
    assert table.why("Ash", "undead_move", undead="Orc") == "Ash has no action left this turn."
    table.do("Ash", "encounter.next")
    assert table.why("Ash", "undead_move", undead="Orc") == "It is Beast's turn, not Ash's."
    table.do("GM Orc", "move")


@pytest.mark.rule("SWIM-MAGIC-19")
def test_only_the_caster_commands_a_raised_corpse() -> None:
    table = risen()

    assert table.why("Bram", "undead_move", undead="Orc") == "Bram hasn't raised Orc."
    assert table.why("Ash", "undead_move", undead="Beast") == "Ash hasn't raised Beast."


@pytest.mark.rule("SWIM-MAGIC-19")
def test_a_caster_who_is_down_cannot_command_a_raised_corpse() -> None:
    table = risen()
    table.set("Ash", "physical_wounds", 1)

    assert table.why("Ash", "undead_move", undead="Orc") == "Ash is down."


@pytest.mark.rule("SWIM-MAGIC-19")
def test_a_dismissed_undead_is_a_corpse_again_and_can_be_raised_again() -> None:
    table = risen()
    assert table.do("Ash", "dismiss", undead="Orc").headline == "dismisses Orc"
    assert table.sheet("Orc").is_dead
    assert table.why("Ash", "undead_move", undead="Orc") == "Ash hasn't raised Orc."

    assert words(table.do("Ash", "cast", "4 4 1", spell="raise", corpse="Orc")) == "raised"


@pytest.mark.rule("SWIM-MAGIC-19")
@pytest.mark.rule("SWIM-MAGIC-07")
def test_a_caster_can_put_out_their_light() -> None:
    table = risen()
    assert table.why("Ash", "dismiss") == "Ash has no light to put out."
    table.do("Ash", "cast", spell="light")
    assert table.do("Ash", "dismiss").headline == "puts out the light"
    assert table.sheet("Ash").states.light == 0


@pytest.mark.rule("SWIM-MAGIC-19")
@pytest.mark.rule("SWIM-MAGIC-19")
@pytest.mark.parametrize(("rank", "faces", "told"), [
    (1, "6", "Beast acts in Ash's place: Physical Defense 1, Death 0."),
    (3, "6 6 1", "Beast acts in Ash's place: Physical Defense 2, Death 2."),
])  # fmt: skip
def test_a_raised_corpse_has_as_much_defense_as_successes(rank: int, faces: str, told: str) -> None:
    table = lay_table(Ash=sheet({"death": rank}))
    table.change("Beast", is_dead=True)
    raised = table.do("Ash", "cast", faces, spell="raise", corpse="Beast", anyway=True)

    assert raised.notes[0] == told
    assert (table.rank("Beast", "physical_defense"), table.rank("Beast", "death")) == (
        faces.count("6"),
        rank - 1,
    )


@pytest.mark.rule("SWIM-MAGIC-19")
@pytest.mark.rule("SWIM-MAGIC-15")
def test_becoming_undead_keeps_the_other_tags() -> None:
    table = solo(tags=("guard",))
    table.do("GM", "set_state", target="Ash", state="undead")
    table.do("GM", "set_state", target="Ash", state="undead")
    assert table.sheet("Ash").tags == ("guard", "undead")
    table.do("GM", "set_state", target="Ash", state="undead", on=False)
    assert table.sheet("Ash").tags == ("guard",)
