"""A fight as it is stored: who is in it, whose turn it is, and what is left when somebody goes."""

from typing import Any

import pytest

from bot.rules.rpj.combat.state.battlefield import RpjCover
from bot.rules.rpj.combat.state.fight import MOOKS, Fight, Grapple, PlacedCover
from tests.rules.rpj.combat.battles import mook, person

IDS = ("a", "b", "c", "d")


def fight(turn: str = "b", *, mooks: int = 0, **more: Any) -> Fight:
    """Four people in order of their ids, and mooks."""
    people = [person(id_)[0] for id_ in IDS] + [mook(f"m{number}")[0] for number in range(mooks)]
    return Fight(combatants=tuple(people), order=IDS, round=1, turn=turn, **more)


@pytest.mark.rule("RPJ-GCS-22")
class TestLeavingAFight:
    @pytest.mark.parametrize(
        ("turn", "together", "gone", "after"),
        [
            ("b", (), "c", "b"),
            ("b", (), "a", "b"),
            ("b", (), "b", "a"),
            ("d", (), "d", "c"),
            ("a", (), "a", "b"),
            ("c", ("c", "d"), "c", "d"),
            ("c", ("b", "c"), "c", "b"),
            ("c", ("c", "d"), "d", "c"),
        ],
    )
    def test_the_turn_goes_to_whoever_shares_it_or_was_before(
        self, turn: str, together: tuple[str, ...], gone: str, after: str
    ) -> None:
        left = fight(turn, together=together).without_fighter(gone)

        assert left.turn == after
        assert left.together == tuple(id_ for id_ in together if id_ != gone)

    def test_nothing_about_whoever_left_stays(self) -> None:
        before = fight(
            together=("b", "c"),
            usual=("d", "c", "b", "a"),
            grapples=(Grapple(a="a", b="b"), Grapple(a="c", b="d")),
        )

        left = before.without_fighter("a")

        assert [one.id for one in left.combatants] == ["b", "c", "d"]
        assert (left.order, left.usual, left.together) == (("b", "c", "d"), ("d", "c", "b"), ("b", "c"))
        assert left.grapples == (Grapple(a="c", b="d"),)

    @pytest.mark.parametrize(("mooks", "turn"), [(0, ""), (1, MOOKS)])
    def test_after_the_last_one_only_mooks_are_left(self, mooks: int, turn: str) -> None:
        left = fight("a", mooks=mooks)
        for id_ in ("b", "c", "d", "a"):
            left = left.without_fighter(id_)

        assert left.turn == turn


@pytest.mark.rule("RPJ-GCS-46", "RPJ-GM-04")
class TestRevealing:
    def test_only_the_cover_of_whoever_comes_out_is_seen(self) -> None:
        def placed(id_: int, *groups: int, is_hidden: bool = True) -> PlacedCover:
            return PlacedCover(
                id=id_, cover=RpjCover(quality=2), region=1, groups=groups, is_hidden=is_hidden
            )

        hidden = person("a", group=1, fighter={"is_hidden": True})[0]
        before = Fight(
            combatants=(hidden, person("b", group=2)[0]),
            covers=(placed(1, 1), placed(2, 2), placed(3, 1, 2), placed(4, 2, is_hidden=False)),
        )

        after = before.revealed("a", 2)

        assert [one.is_hidden for one in after.covers] == [False, True, False, False]
        assert not after.fighter("a").is_hidden
        assert after.fighter("a").saves_lost == 2
        assert before.revealed("a").fighter("a").saves_lost == 0

    @pytest.mark.parametrize(
        ("groups", "covers", "new"), [((), (), 1), ((3, 1), (), 4), ((1, 2), (7,), 8), ((9,), (2,), 10)]
    )
    def test_a_new_group_has_a_number_nobody_has(
        self, groups: tuple[int, ...], covers: tuple[int, ...], new: int
    ) -> None:
        people = tuple(person(f"p{number}", group=number)[0] for number in groups)
        around = tuple(
            PlacedCover(id=number, cover=RpjCover(quality=1), region=1, groups=(number,)) for number in covers
        )

        assert Fight(combatants=people, covers=around).new_group == new


class TestOlderFights:
    def test_a_fight_that_contradicts_itself_is_mended(self) -> None:
        body = fight().model_dump(mode="json")
        hold = {"a": "a", "b": "b"}
        broken = {
            **body,
            "order": ["a", "z", "b"],
            "usual": ["z", "c"],
            "together": ["b", "z"],
            "turn": "z",
            "grapples": [hold, {"a": "a", "b": "z"}, {"a": "z", "b": "y"}],
        }

        mended = Fight.model_validate(Fight.mended(broken))

        assert (mended.order, mended.usual, mended.together) == (("a", "b"), ("c",), ("b",))
        assert (mended.turn, mended.grapples, mended.steps) == ("a", (Grapple(a="a", b="b"),), ())
        sound = Fight.model_validate(Fight.mended(body))
        assert (sound.turn, sound.order) == ("b", IDS)
