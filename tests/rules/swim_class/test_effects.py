"""What dice that get through do, and the shares of a roll at several."""

from typing import Any

import pytest

from bot.rules.kernel import Family, evolve
from bot.rules.swim_class.opposition import (
    pair_off,
)
from bot.rules.swim_class.pools import (
    DiceGroup,
    SwimPoolInputs,
)
from bot.rules.swim_class.settling import (
    ContestShare,
    Effect,
    SwimContest,
    awaiting,
    failed_ones,
    finish,
    settle,
    settled,
    strike,
    with_awaiting,
)
from bot.rules.swim_class.sheet import Reserve, ReserveKind, States
from tests.rules.swim_class.play import GameTable, id_of, solo
from tests.rules.swim_class.test_opposition import defence


def contest(effect: Effect, *through: int, faces: str = "6 5 4 3 2", **more: Any) -> SwimContest:
    """A roll of Ash's against the Orc, and against others; so many of its dice get through to each."""
    dice = tuple(map(int, faces.split()))
    shares = tuple(
        ContestShare(
            target=id_of(name), name=name, places=tuple(range(len(dice))), through=tuple(range(hits))
        )
        for name, hits in zip(("Orc", "Beast", "Bram"), through, strict=False)
    )
    inputs = SwimPoolInputs(
        skill="Grapple",
        groups=(DiceGroup(name="Grapple", count=len(dice)),),
        is_opposed=True,
        **more.pop("inputs", {}),
    )
    return SwimContest(
        attacker=id_of("Ash"),
        skill=more.pop("skill", "grapple"),
        rank=len(dice),
        inputs=inputs,
        faces=dice,
        effect=effect,
        shares=more.pop("shares", shares),
        **more,
    )


STATES: dict[str, dict[str, Any]] = {
    "held": {"held_by": id_of("Ash")},
    "free": {},
    "up": {"is_hovering": True},
    "prone": {"is_prone": True},
    "soaked": {"is_soaked": True},
    "stunned": {"stunned_by": id_of("Ash")},
    "ready": {"reserve": Reserve(skill="climb", kind=ReserveKind.DEFENCE)},
}  # fmt: skip


class TestEffects:
    """What dice that get through do, by how many there are."""

    @pytest.mark.rule("SWIM-SKILL-03", "SWIM-MAGIC-05", "SWIM-MAGIC-09", "SWIM-RACE-05", "SWIM-OPP-01")
    @pytest.mark.parametrize(
        ("effect", "hits", "before", "told", "after"),
        [
            (Effect.HOLD, 0, "free", "not held", "free"),
            (Effect.HOLD, 1, "free", "held", "held"),
            (Effect.HOLD, 2, "free", "held", "held"),
            (Effect.HOLD, 3, "free", "held; both can move 1 square", "held"),
            (Effect.HOLD, 5, "free", "held; both can move 2 squares", "held"),
            (Effect.LIFT, 0, "free", "does not rise", "free"),
            (Effect.LIFT, 0, "up", "falls", "free"),
            (Effect.LIFT, 1, "free", "hovers", "up"),
            (Effect.LIFT, 2, "free", "hovers, 1 square", "up"),
            (Effect.LIFT, 4, "up", "hovers, 3 squares", "up"),
            (Effect.KNOCK_DOWN, 0, "free", "not knocked down", "free"),
            (Effect.KNOCK_DOWN, 0, "prone", "not knocked down", "prone"),
            (Effect.KNOCK_DOWN, 1, "free", "Orc is knocked down", "prone"),
            (Effect.SOAK, 0, "soaked", "not soaked", "soaked"),
            (Effect.SOAK, 0, "free", "not soaked", "free"),
            (Effect.SOAK, 1, "free", "Orc is soaked", "soaked"),
            (Effect.STUN, 0, "ready", "not stunned", "ready"),
            (Effect.STUN, 1, "ready", "Orc is stunned", "stunned"),
            (Effect.SHIFT, 0, "free", "not pushed", "free"),
            (Effect.SHIFT, 1, "free", "Orc is pushed 1 square", "free"),
            (Effect.SHIFT, 2, "free", "Orc is pushed 2 squares", "free"),
            (Effect.HIT, 0, "free", "no hit", "free"),
            (Effect.HIT, 1, "free", "1 hit", "free"),
            (Effect.HIT, 3, "free", "3 hits", "free"),
            (Effect.TASK, 0, "free", "fails", "free"),
            (Effect.TASK, 1, "free", "success, 1 progress", "free"),
            (Effect.TASK, 2, "free", "success, 2 progress", "free"),
        ],
    )
    def test_each_effect_by_the_number_of_dice(
        self, table: GameTable, effect: Effect, hits: int, before: str, told: str, after: str
    ) -> None:
        table.change("Orc", states=States(**STATES[before]))
        fought = contest(effect, hits)
        done = strike(table.scene, fought, fought.shares[0])

        assert done.verdict.title == told
        assert done.verdict.family is (Family.SUCCESS if hits else Family.FAILURE)
        assert done.scene.character(id_of("Orc")).sheet.states == States(**STATES[after])
        falls = [one.label for one in done.follow_ups if one.procedure == "fall"]
        assert falls == (["Orc falls and lands …"] if told == "falls" else [])

    @pytest.mark.rule("SWIM-RACE-05")
    @pytest.mark.parametrize(("hits", "told"), [(0, "falls"), (1, "hovers"), (2, "hovers, 1 square")])
    def test_who_flies_against_the_wind_hovers_or_falls(self, table: GameTable, hits: int, told: str) -> None:
        fought = contest(Effect.FLY, hits)
        done = strike(table.scene, fought, fought.shares[0])

        assert done.verdict.title == told
        assert done.scene.character(id_of("Ash")).sheet.states.is_hovering is (hits > 0)
        assert [one.label for one in done.follow_ups][:1] == ([] if hits else ["Ash falls and lands …"])

    @pytest.mark.rule("SWIM-SKILL-03")
    @pytest.mark.parametrize(
        ("hits", "told", "is_held"), [(0, "still held", True), (1, "breaks free", False)]
    )
    def test_an_escape_needs_one_die(self, table: GameTable, hits: int, told: str, is_held: bool) -> None:
        table.change("Ash", states=States(held_by=id_of("Orc")))
        fought = contest(Effect.ESCAPE, hits)
        done = strike(table.scene, fought, fought.shares[0])

        assert done.verdict.title == told
        assert (done.scene.character(id_of("Ash")).sheet.states.held_by is not None) is is_held

    @pytest.mark.rule("SWIM-SKILL-17")
    @pytest.mark.parametrize(
        ("before", "hits", "after"),
        [
            ((), 0, ()),
            ((), 1, ("Orc",)),
            (("Beast",), 1, ("Beast", "Orc")),
            (("Orc", "Beast"), 1, ("Beast", "Orc")),
            (("Orc", "Beast"), 0, ("Beast",)),
        ],
    )
    def test_hiding_is_decided_for_each_observer_apart(
        self, table: GameTable, before: tuple[str, ...], hits: int, after: tuple[str, ...]
    ) -> None:
        table.change("Ash", states=States(hidden_from=tuple(map(id_of, before))))
        fought = contest(Effect.HIDE, hits)
        done = strike(table.scene, fought, fought.shares[0])

        assert done.verdict.title == ("unnoticed by Orc" if hits else "noticed by Orc")
        assert done.scene.character(id_of("Ash")).sheet.states.hidden_from == tuple(map(id_of, after))

    @pytest.mark.rule("SWIM-OPP-01")
    @pytest.mark.parametrize(
        ("through", "needed", "told"),
        [
            ((1,), 2, "fails, 1 of 2 progress"),
            ((2,), 2, "success, 2 of 2 progress"),
            ((3,), 2, "success, 3 of 2 progress"),
            ((1, 0), 2, "fails, 1 of 2 progress against Orc"),
            ((0, 1), 1, "fails against Orc"),
            ((1, 0), 1, "success, 1 progress against Orc"),
        ],
    )
    def test_a_task_says_its_progress_and_of_several_against_whom(
        self, table: GameTable, through: tuple[int, ...], needed: int, told: str
    ) -> None:
        fought = contest(Effect.TASK, *through, needed=needed)

        assert strike(table.scene, fought, fought.shares[0]).verdict.title == told

    @pytest.mark.rule("SWIM-POOL-10")
    def test_each_die_of_a_pushed_roll_counts_several_times(self, table: GameTable) -> None:
        fought = contest(Effect.HIT, 2, factor=3)

        assert strike(table.scene, fought, fought.shares[0]).verdict.title == "6 hits"
        assert contest(Effect.TASK, factor=2, needed=3).is_enough((0, 1))
        assert not contest(Effect.TASK, factor=2, needed=3).is_enough((0,))


class TestShares:
    """A roll at several: each has a share, and the roll ends with the last of them."""

    @pytest.mark.rule("SWIM-OPP-01")
    def test_a_settled_share_is_not_open_and_each_finds_only_their_own(self) -> None:
        both = contest(Effect.HIT, 0, 1)
        half = both.with_share(evolve(both.shares[0], is_settled=True))

        assert both.share(id_of("Orc")) == both.shares[0]
        assert half.share(id_of("Orc")) is None
        assert half.share(id_of("Beast")) == both.shares[1]
        assert both.share(id_of("Cleo")) is None

    @pytest.mark.rule("SWIM-TASK-08", "SWIM-AREA-06")
    @pytest.mark.parametrize(
        ("through", "is_area", "cancels", "failed"),
        [
            ((0,), False, 0, (3, 2)),
            ((0,), False, 1, (3, 1)),
            ((1,), False, 0, (0, 0)),
            ((0, 0), False, 0, (3, 2)),
            ((0, 1), False, 0, (3, 2)),
            ((0, 0), True, 0, (3, 2)),
            ((0, 1), True, 0, (0, 0)),
        ],
    )
    def test_natural_1s_count_in_shares_that_failed_and_in_an_area_only_if_all_did(
        self, through: tuple[int, ...], is_area: bool, cancels: int, failed: tuple[int, int]
    ) -> None:
        fought = contest(Effect.HIT, *through, faces="6 1 1 1", is_area=is_area, inputs={"cancels": cancels})

        assert failed_ones(fought) == failed

    @pytest.mark.rule("SWIM-ADV-02")
    @pytest.mark.parametrize(
        ("dice", "modifier", "could_fail"),
        [(0, 0, True), (0, 1, False), (1, 1, True), (2, 5, True), (1, 6, False)],
    )
    def test_one_rolled_die_is_enough_for_an_attack_to_be_able_to_fail(
        self, dice: int, modifier: int, could_fail: bool
    ) -> None:
        fought = contest(Effect.HIT, 0, modifier=modifier)
        share = settled(fought, fought.shares[0], defence([6], dice), pair_off([], []))

        assert share.is_settled
        assert share.could_fail is could_fail

    @pytest.mark.rule("SWIM-OPP-01")
    def test_answering_one_roll_leaves_the_others_waiting(self, table: GameTable) -> None:
        first, second = contest(Effect.HIT, 0), contest(Effect.HIT, 1)
        scene = with_awaiting(table.scene, id_of("Orc"), ("contest/1", "contest/2"))
        scene = scene.with_document("contest/1", first).with_document("contest/2", second)
        done = settle(scene, "contest/1", first, evolve(first.shares[0], is_settled=True))

        assert awaiting(done.scene, id_of("Orc")) == ("contest/2",)
        assert done.scene.document("contest/1") is None
        done = settle(done.scene, "contest/2", second, evolve(second.shares[0], is_settled=True))
        assert awaiting(done.scene, id_of("Orc")) == ()

    @pytest.mark.rule("SWIM-OPP-01")
    def test_a_roll_at_several_stays_open_until_the_last_of_them_has_answered(self, table: GameTable) -> None:
        both = contest(Effect.HIT, 0, 0)
        one = both.with_share(evolve(both.shares[0], is_settled=True))
        done = finish(table.scene, "contest/1", one)

        assert done.scene.document("contest/1") == one
        assert done.notes == ()
        last = one.with_share(evolve(one.shares[1], is_settled=True))
        assert finish(done.scene, "contest/1", last).scene.document("contest/1") is None

    @pytest.mark.rule("SWIM-TASK-09")
    @pytest.mark.parametrize(
        ("effect", "buttons"),
        [
            (Effect.HIT, ["Take it: 2 damage to yourself", "Waive it"]),
            (Effect.FLY, ["Ash falls and lands …", "Waive it"]),
            (Effect.HOLD, []),
        ],
    )
    def test_what_natural_1s_of_a_roll_that_failed_do_follows_from_the_roll(
        self, table: GameTable, effect: Effect, buttons: list[str]
    ) -> None:
        fought = contest(effect, 0, faces="1 1 1")
        fought = fought.with_share(evolve(fought.shares[0], is_settled=True))

        assert [one.label for one in finish(table.scene, "contest/1", fought).follow_ups] == buttons

    @pytest.mark.rule("SWIM-ADV-01")
    @pytest.mark.parametrize(
        ("through", "could_fail", "rank"), [((2, 2), True, 3), ((2, 1), True, 2), ((2, 2), False, 2)]
    )
    def test_a_roll_advances_by_dice_that_stand_against_everyone(
        self, through: tuple[int, ...], could_fail: bool, rank: int
    ) -> None:
        table = solo({"grapple": 2})
        fought = contest(Effect.TASK, *through, faces="4 4")
        shares = tuple(evolve(one, is_settled=True, could_fail=could_fail) for one in fought.shares)
        table.scene = finish(table.scene, "contest/1", evolve(fought, shares=shares)).scene

        assert table.rank("Ash", "grapple") == rank
