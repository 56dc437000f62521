"""Cover: what it is worth from where, to whom, and how it is shot away."""

import pytest

from bot.rules.kernel import NamedTerm
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.combat.rules.shooting import Posture, target_parts
from bot.rules.rpj.combat.state.battlefield import (
    ADJACENT,
    RpjCover,
    assert_destructible,
    best_bonus,
    damaged,
    giga_shot,
    mega_shot,
    written_cover,
)
from bot.rules.rpj.module.basics import Scale
from bot.rules.rpj.resolution.check import check_odds
from bot.rules.rpj.resolution.check_inputs import CriticalRules
from tests.rules.rpj.throws import read

RULES = CriticalRules()
WALL = RpjCover(name="wall", quality=4, flank=1)


def target(modifier: int, cover: RpjCover | None, distance: int, **more: bool) -> int:
    """The target number of a ranged attack."""
    covers = (cover,) if cover else ()
    posture = Posture(modifier=modifier, covers=covers, **more)  # type: ignore[arg-type]  # flags only
    return 7 + sum(part.value for part in target_parts(posture, distance))


@pytest.mark.rule("RPJ-FIRE-12")
class TestCoverNotation:
    @pytest.mark.parametrize(
        ("text", "quality", "flank"), [("+2/1f", 2, 1), ("+3/*f", 3, ADJACENT), ("6/0", 6, 0)]
    )
    def test_cover_is_written_with_quality_and_flanking_distance(
        self, text: str, quality: int, flank: int
    ) -> None:
        cover = written_cover(text)
        assert (cover.quality, cover.flank) == (quality, flank)

    def test_cover_is_shown_in_its_notation(self) -> None:
        assert [str(written_cover(text)) for text in ("+2/1f", "+3/*f")] == ["+2/1f", "+3/*f"]

    @pytest.mark.parametrize("text", ["", "wall", "+0/1f", "+3", "+3/-1f", "+333/1f"])
    def test_an_invalid_cover_notation_is_refused(self, text: str) -> None:
        with pytest.raises(UserError, match="isn't valid cover"):
            written_cover(text)

    def test_the_better_of_two_covers_counts(self) -> None:
        covers = (WALL, RpjCover(quality=2, flank=0))
        assert [best_bonus(covers, distance) for distance in (1, 0)] == [2, 1]


@pytest.mark.rule("RPJ-FIRE-13")
@pytest.mark.parametrize(("modifier", "quality", "expected"), [(1, 6, 14), (3, 4, 14), (-2, 2, 7)])
def test_cover_quality_is_added_to_ranged_defense(modifier: int, quality: int, expected: int) -> None:
    assert target(modifier, RpjCover(quality=quality, flank=0), 2) == expected


@pytest.mark.rule("RPJ-FIRE-14")
def test_a_mega_scale_target_gets_nothing_from_cover() -> None:
    assert best_bonus((RpjCover(quality=6),), 2, scale=Scale.MEGA) == 0
    assert best_bonus((RpjCover(quality=6),), 2, scale=Scale.NORMAL) == 6


@pytest.mark.rule("RPJ-FIRE-15")
class TestHelplessInCover:
    def test_a_helpless_target_behind_good_cover_has_its_full_defense(self) -> None:
        assert target(-1, RpjCover(quality=6, flank=0), 2, is_cowering=True, is_helpless=True) == 18

    def test_a_helpless_target_in_the_open_has_defense_5(self) -> None:
        assert target(3, None, 2, is_helpless=True) == 5

    def test_a_helpless_target_behind_poor_cover_has_5_plus_the_cover(self) -> None:
        assert target(3, RpjCover(quality=2, flank=0), 2, is_helpless=True) == 7

    def test_poor_cover_that_conceals_a_helpless_target_counts_as_good_cover(self) -> None:
        assert target(3, RpjCover(quality=2, flank=0, conceals=True), 2, is_helpless=True) == 12


@pytest.mark.rule("RPJ-FIRE-16")
class TestFlanking:
    @pytest.mark.parametrize(
        ("quality", "flank", "modifier", "expected"),
        [
            (4, 1, 3, {2: 14, 1: 12, 0: 10}),
            (6, 0, 1, {1: 14, 0: 11, ADJACENT: 8}),
            (3, 1, 0, {1: 8}),
            (5, ADJACENT, 0, {ADJACENT: 9, 0: 12}),
        ],
    )
    def test_cover_is_full_beyond_half_at_and_nothing_within_flanking_distance(
        self, quality: int, flank: int, modifier: int, expected: dict[int, int]
    ) -> None:
        cover = RpjCover(quality=quality, flank=flank)
        assert {distance: target(modifier, cover, distance) for distance in expected} == expected


@pytest.mark.rule("RPJ-FIRE-17")
class TestTurningAroundInCover:
    @pytest.mark.parametrize(
        ("quality", "flank", "expected"),
        [
            (4, 1, {0: 4, 1: 2, 2: 0}),
            (4, 0, {ADJACENT: 4, 0: 2, 1: 0}),
            (4, ADJACENT, {ADJACENT: 2, 0: 0, 1: 0, 2: 0}),
        ],
    )
    def test_turning_around_makes_cover_count_at_close_range_instead(
        self, quality: int, flank: int, expected: dict[int, int]
    ) -> None:
        cover = RpjCover(quality=quality, flank=flank)
        found = {distance: cover.bonus(distance, is_reoriented=True) for distance in expected}
        assert found == expected

    def test_turning_back_restores_what_cover_is_worth(self) -> None:
        assert [target(3, WALL, distance) for distance in (0, 2)] == [10, 14]


@pytest.mark.rule("RPJ-FIRE-18")
class TestCowering:
    def test_cowering_doubles_cover_quality_before_distance_counts(self) -> None:
        assert RpjCover(quality=6).bonus(2, is_cowering=True) == 12
        assert RpjCover(quality=3, flank=1).bonus(1, is_cowering=True) == 3
        assert WALL.bonus(0, is_cowering=True) == 0

    def test_cowering_doubles_cover_after_turning_around_too(self) -> None:
        told = [
            target(3, WALL, distance, is_reoriented=True, is_cowering=True)
            for distance in (ADJACENT, 0, 1, 2)
        ]
        assert told == [18, 18, 14, 10]


@pytest.mark.rule("RPJ-FIRE-19")
class TestGigaShotsAtCover:
    def test_a_giga_shot_destroys_cover_on_a_roll_of_6_without_modifiers(self) -> None:
        asked = giga_shot(RULES)
        assert read(asked, 4, 2).result.is_success
        assert not read(asked, 4, 1).result.is_success
        assert f"{float(check_odds(asked).enough or 0) * 100:.2f}" == "72.22"
        assert damaged(WALL, Scale.GIGA) is None


@pytest.mark.rule("RPJ-FIRE-20")
class TestMegaShotsAtCover:
    def test_a_mega_shot_that_reaches_10_takes_1_off_cover(self) -> None:
        asked = mega_shot((NamedTerm(label="attack", value=4),), RULES)
        assert asked.target == 10
        assert read(asked, 5, 4).total == 13
        weaker = damaged(RpjCover(quality=3, flank=1), Scale.MEGA)
        assert weaker is not None
        assert str(weaker) == "+2/1f"

    def test_cover_reduced_to_0_is_destroyed(self) -> None:
        assert damaged(RpjCover(quality=1), Scale.MEGA) is None

    def test_normal_weapons_cannot_destroy_cover(self) -> None:
        with pytest.raises(UserError, match="Only mega and giga"):
            assert_destructible(WALL, Scale.NORMAL)
        with pytest.raises(UserError, match="Nothing can destroy the wall"):
            assert_destructible(WALL.model_copy(update={"destructible": False}), Scale.GIGA)
