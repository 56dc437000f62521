"""Damage, being down, dying, recovering."""

import pytest

from bot.rules.swim_class.character.sheet import SoakPolicy
from bot.rules.swim_class.damage.damage import hit_points
from bot.rules.swim_class.resolution.tables import Pool
from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words


def duel(attacker: dict[str, int], defender: dict[str, int], **items: list[str]) -> GameTable:
    return lay_table(
        Ash=sheet(attacker, items=items.get("ash", [])), Orc=sheet(defender, items=items.get("orc", []))
    )


def hp(table: GameTable, name: str, pool: Pool = Pool.PHYSICAL) -> int:
    return hit_points(table.scene, table.named(name), pool)


def strike(table: GameTable, faces: str, against: str, skill: str = "physical defense") -> str:
    table.do("Ash", "attack", faces, skill="basic melee", targets=("Orc",))
    return words(table.do("GM Orc", "defend", against, skill=skill))


@pytest.mark.rule("SWIM-COMB-05", "SWIM-SKILL-04")
class TestHitPoints:
    def test_a_pool_is_as_large_as_its_defense_skill(self) -> None:
        table = duel({"basic_melee": 3}, {"physical_defense": 3}, ash=["Great Sword"])
        table.give("Orc", soak=SoakPolicy.NEVER)
        strike(table, "5 2 1", "6 2 1")

        assert (hp(table, "Orc"), table.points("Orc", "physical_wounds")) == (1, 2)
        assert (
            len(table.do("GM Orc", "roll", "1 2 3", skill="physical defense", difficulty=4).rolls[0].dice)
            == 3
        )

    def test_a_higher_rank_is_another_point(self) -> None:
        table = solo({"physical_defense": 4})
        table.set("Ash", "physical_wounds", 2)

        assert hp(table, "Ash") == 2
        assert hp(table, "Bram") == 1


@pytest.mark.rule("SWIM-COMB-06", "SWIM-SKILL-07", "SWIM-SHEET-04")
class TestComposure:
    def test_it_takes_a_point_of_damage_each(self) -> None:
        table = solo({"physical_defense": 3})
        done = table.do("GM", "harm", target="Ash", points=3)

        assert (table.points("Ash", "scratches"), table.points("Ash", "physical_wounds")) == (1, 2)
        assert done.notes == ("Ash takes 3 damage: Composure soaks 1.",)

    def test_used_up_it_takes_nothing(self) -> None:
        table = solo({"composure": 2, "physical_defense": 3})
        table.set("Ash", "scratches", 2)
        table.do("GM", "harm", target="Ash", points=1)

        assert table.points("Ash", "physical_wounds") == 1
        assert table.refused("Ash", "soak") == "Ash has no Composure left."

    def test_who_is_asked_soaks_afterwards_no_more_than_there_is(self) -> None:
        table = solo({"composure": 5, "physical_defense": 3})
        table.do("Ash", "policy", policy="ask")
        done = table.do("GM", "harm", target="Ash", points=2)

        assert [button.label for button in done.follow_ups] == ["Ash soaks 2 with Composure"]
        assert table.press("Ash", done.follow_ups[0]).headline == "soaks 2 with Composure"
        assert (table.points("Ash", "scratches"), table.points("Ash", "physical_wounds")) == (2, 0)


@pytest.mark.rule("SWIM-COMB-07")
class TestDamageOrder:
    @pytest.mark.parametrize(("policy", "left", "scratches"), [("composure_first", 1, 1), ("never", 0, 0)])
    def test_composure_first_unless_one_wants_otherwise(self, policy: str, left: int, scratches: int) -> None:
        table = solo({"physical_defense": 3})
        table.do("Ash", "policy", policy=policy)
        table.do("GM", "harm", target="Ash", points=3)

        assert (hp(table, "Ash"), table.points("Ash", "scratches")) == (left, scratches)

    def test_it_goes_below_zero_and_into_no_other_pool(self) -> None:
        table = lay_table()
        table.set("Ash", "scratches", 1)
        done = table.do("GM", "harm", target="Ash", points=3)

        assert (hp(table, "Ash"), hp(table, "Ash", Pool.MENTAL)) == (-2, 1)
        assert done.notes[1] == "Ash is down and dying: roll to stabilise against 2."


@pytest.mark.rule("SWIM-COMB-08")
class TestDown:
    def test_at_zero_one_is_down_but_not_dying(self) -> None:
        table = solo({"physical_defense": 3})
        table.set("Ash", "scratches", 1)
        done = table.do("GM", "harm", target="Ash", points=3)

        assert done.notes[1] == "Ash is down."
        assert table.refused("Ash", "roll", skill="spot") == "Ash is down."
        assert table.refused("Ash", "stabilise") == "Ash isn't dying (physical)."
        table.do("GM", "mend", target="Ash", points=1)
        table.do("Ash", "roll", "3", skill="spot", difficulty=4)

    def test_beaten_in_another_arena_one_still_acts(self) -> None:
        table = lay_table()
        table.set("Ash", "scratches", 1)
        done = table.do("GM", "harm", target="Ash", points=1, pool="social")

        assert done.notes[1] == "Ash is down (social)."
        table.do("Ash", "roll", "3", skill="spot", difficulty=4)

    def test_who_is_down_defends_with_implicit_ones_only(self) -> None:
        table = duel({"basic_melee": 2}, {"physical_defense": 2})
        table.set("Orc", "physical_wounds", 2)
        done = table.do("Ash", "attack", "5 1", skill="basic melee", targets=("Orc",))

        assert words(done) == "1 hit"
        assert hp(table, "Orc") == -1

    def test_going_down_before_defending_leaves_implicit_ones(self) -> None:
        table = duel({"basic_melee": 1}, {})
        table.do("Ash", "attack", "5", skill="basic melee", targets=("Orc",))
        table.set("Orc", "physical_wounds", 1)

        done = table.do("GM Orc", "defend")
        assert (words(done), done.rolls) == ("1 hit", ())
        assert done.notes[0] == "Orc can't defend: 1 hit gets through"


@pytest.mark.rule("SWIM-COMB-09")
class TestStabilising:
    def dying(self, below: int, rank: int = 1) -> GameTable:
        table = solo({"physical_defense": rank})
        table.set("Ash", "physical_wounds", rank + below)
        return table

    def test_one_below_is_automatic(self) -> None:
        assert words(self.dying(1).do("Ash", "stabilise")) == "stable"

    @pytest.mark.parametrize(("faces", "verdict"), [("3 1", "stable"), ("2 1", "still dying")])
    def test_one_success_against_the_damage_beyond_zero(self, faces: str, verdict: str) -> None:
        assert words(self.dying(3, 2).do("Ash", "stabilise", faces)) == verdict

    def test_new_damage_makes_one_dying_again(self) -> None:
        table = self.dying(1)
        table.do("Ash", "stabilise")
        assert table.refused("Ash", "stabilise") == "Ash isn't dying (physical)."
        table.do("GM", "harm", target="Ash", points=1)

        assert (hp(table, "Ash"), dict(table.sheet("Ash").tallies)) == (-2, {})
        table.do("GM", "clock", minutes=1)
        assert words(table.do("Ash", "stabilise", "2")) == "stable"

    def test_seven_cannot_be_reached(self) -> None:
        assert words(self.dying(7, 2).do("Ash", "stabilise", "6 6")) == "still dying"


@pytest.mark.rule("SWIM-COMB-10")
class TestDeath:
    def test_criticals_hurt_and_too_many_kill(self) -> None:
        table = solo({"physical_defense": 3})
        table.set("Ash", "physical_wounds", 5)

        first = table.do("Ash", "stabilise", "1 1 1")
        assert first.notes == ("2 criticals, tally 2 of 3.",)
        table.do("GM", "clock", minutes=1)
        second = table.do("Ash", "stabilise", "1 1 3")
        assert second.notes == ("1 critical, tally 3 of 3.",)
        table.do("GM", "clock", minutes=1)
        assert words(table.do("Ash", "stabilise", "1 1 2")) == "dead"
        assert table.refused("Ash", "roll", skill="spot") == "Ash is dead."
        assert table.refused("Ash", "rest") == "Ash is dead."

    @pytest.mark.parametrize(
        ("first", "verdict", "left"), [(False, "still dying", -2), (True, "still dying", -3)]
    )
    def test_with_rank_1_the_free_critical_saves_unless_the_campaign_counts_it(
        self, *, first: bool, verdict: str, left: int
    ) -> None:
        table = solo()
        table.settings(stabilise_counts_first=first)
        table.set("Ash", "physical_wounds", 3)

        assert words(table.do("Ash", "stabilise", "1")) == verdict
        assert hp(table, "Ash") == left

    def test_another_pool_breaks(self) -> None:
        table = solo({"mental_defense": 2}, tallies={"mental": 2})
        table.set("Ash", "mental_wounds", 5)

        assert words(table.do("Ash", "stabilise", "1 1", pool="mental")) == "broken"
        assert table.do("Ash", "rest", hours=1, now=True).rolls == ()


@pytest.mark.rule("SWIM-COMB-11", "SWIM-REST-03")
class TestRecovery:
    @pytest.mark.parametrize(
        ("wounds", "faces", "left", "rank"), [(3, "6 6 2", 1, 3), (3, "1 1 1", 3, 3), (1, "6 6 6", 0, 4)]
    )
    def test_an_hour_rolls_the_defense_skill_against_6(
        self, wounds: int, faces: str, left: int, rank: int
    ) -> None:
        table = solo({"physical_defense": 3})
        table.set("Ash", "physical_wounds", wounds)
        done = table.do("Ash", "rest", faces, hours=1, now=True)

        assert table.points("Ash", "physical_wounds") == left
        assert table.rank("Ash", "physical_defense") == rank
        assert not any("natural 1" in note for note in done.notes)

    def test_who_is_below_zero_must_be_stable(self) -> None:
        table = solo({"physical_defense": 3})
        table.set("Ash", "physical_wounds", 5)
        assert table.refused("Ash", "rest", hours=1) == "Ash is dying (physical)."
        table.do("Ash", "stabilise", "2 1 1")
        table.do("Ash", "rest", "6 1 1", hours=1, now=True)

        assert hp(table, "Ash") == -1

    def test_stable_ends_with_zero(self) -> None:
        table = solo({"physical_defense": 2}, stable=(Pool.PHYSICAL,))
        table.set("Ash", "physical_wounds", 3)
        table.do("Ash", "rest", "6 1", hours=1, now=True)

        assert table.sheet("Ash").stable == ()

    def test_hour_after_hour(self) -> None:
        table = solo({"physical_defense": 2})
        table.set("Ash", "physical_wounds", 2)
        done = table.do("Ash", "rest", "6 1 6 6", hours=2, now=True)

        assert (table.points("Ash", "physical_wounds"), table.rank("Ash", "physical_defense")) == (0, 3)
        assert done.scene.clock == 7200


@pytest.mark.rule("SWIM-COMB-12", "SWIM-REST-02")
class TestBriefRest:
    @pytest.mark.parametrize(
        ("rank", "scratches", "faces", "after"),
        [(1, 1, "4", 2), (3, 2, "6 6", 3), (2, 2, "4 5", 3), (2, 1, "6", 2)],
    )
    def test_composure_is_whole_again_and_may_grow(
        self, rank: int, scratches: int, faces: str, after: int
    ) -> None:
        table = solo({"composure": rank})
        table.set("Ash", "scratches", scratches)
        table.do("Ash", "rest", faces)

        assert (table.points("Ash", "scratches"), table.rank("Ash", "composure")) == (0, after)

    def test_without_scratches_nothing_is_rolled(self, table: GameTable) -> None:
        table.do("GM", "set_state", target="Ash", state="prone")
        assert table.do("Ash", "rest").rolls == ()
        assert not table.sheet("Ash").states.is_prone
