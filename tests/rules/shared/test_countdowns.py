"""Countdowns, as the book has them; each test claims the entries it checks."""

import pytest

from bot.rules.kernel import CharacterId
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import (
    Attempt,
    Countdown,
    Kind,
    Limits,
    NoLongerMoves,
    Side,
    Status,
    Tick,
    attempted,
    boxes,
    closed,
    crowding_hint,
    day_of,
    duelled,
    lone_hint,
    moved,
    objection,
    started,
    steps_of,
    timed,
    timed_duel,
    weight_of,
)

UG, LAENIEL = CharacterId(1), CharacterId(2)
DAY = 86_400


def at(value: int, difficulty: int = 4, kind: Kind = Kind.SUCCESS) -> Countdown:
    """A countdown that has come to a value by the GM's hand."""
    begun = started("Treachery?", kind, difficulty)
    return moved(begun, Tick(steps=value - begun.value)) if value != begun.value else begun


def success(skill: str = "", member: CharacterId = UG, day: int = 0) -> Attempt:
    return Attempt(succeeded=True, member=member, skill=skill, day=day)


def failure(skill: str = "", member: CharacterId = UG) -> Attempt:
    return Attempt(succeeded=False, member=member, skill=skill)


def after(countdown: Countdown, *attempts: Attempt) -> Countdown:
    for attempt in attempts:
        countdown = attempted(countdown, attempt)
    return countdown


class TestBeginning:
    @pytest.mark.rule("RPJ-COUNT-01")
    def test_a_countdown_counts_up_from_0_to_its_difficulty(self) -> None:
        new = started("Treachery?", Kind.SUCCESS, 4)

        assert (new.value, new.difficulty, new.status) == (0, 4, Status.RUNNING)

    @pytest.mark.rule("RPJ-COUNT-01")
    @pytest.mark.parametrize("difficulty", [0, -1, 13])
    def test_a_countdowns_difficulty_is_1_to_12(self, difficulty: int) -> None:
        with pytest.raises(UserError, match="The difficulty must be from 1 to 12, usually 2 to 6"):
            started("Treachery?", Kind.SUCCESS, difficulty)

    @pytest.mark.rule("RPJ-COUNT-08")
    @pytest.mark.parametrize(("difficulty", "start"), [(6, 3), (2, 1), (5, 2), (4, 2), (8, 4)])
    def test_a_tug_of_war_begins_in_the_middle_and_an_odd_one_below_it(
        self, difficulty: int, start: int
    ) -> None:
        assert started("Revolt", Kind.TUG, difficulty).value == start

    @pytest.mark.rule("RPJ-COUNT-09")
    @pytest.mark.parametrize(("start", "players_need", "opponents_need"), [(4, 2, 4), (2, 4, 2)])
    def test_a_tug_of_war_can_begin_nearer_to_one_end(
        self, start: int, players_need: int, opponents_need: int
    ) -> None:
        begun = started("Revolt", Kind.TUG, 6, start=start)

        assert moved(begun, Tick(steps=players_need - 1)).status is Status.RUNNING
        assert moved(begun, Tick(steps=players_need)).winner is Side.PLAYERS
        assert moved(begun, Tick(steps=1 - opponents_need)).status is Status.RUNNING
        assert moved(begun, Tick(steps=-opponents_need)).winner is Side.OPPOSITION

    @pytest.mark.rule("RPJ-COUNT-09")
    @pytest.mark.parametrize(
        ("difficulty", "start", "allowed"),
        [
            (6, 0, "With difficulty 6, start from 1 to 5."),
            (6, 6, "With difficulty 6, start from 1 to 5."),
            (6, 7, "With difficulty 6, start from 1 to 5."),
            (2, 2, "With difficulty 2, start from 1 to 1."),
            (1, None, "Its difficulty must be at least 2."),
        ],
    )
    def test_a_tug_of_war_never_begins_at_an_end(
        self, difficulty: int, start: int | None, allowed: str
    ) -> None:
        with pytest.raises(UserError, match="must start between its two ends") as refused:
            started("Revolt", Kind.TUG, difficulty, start=start)
        assert refused.value.allowed == allowed

    def test_only_a_tug_of_war_begins_elsewhere_than_at_0(self) -> None:
        assert started("Alarm", Kind.FAILURE, 4, start=0).value == 0
        for start in (1, 2):
            with pytest.raises(UserError, match="Only a tug-of-war can start anywhere but at 0"):
                started("Alarm", Kind.FAILURE, 4, start=start)

    def test_only_a_success_countdown_can_belong_to_the_opposition(self) -> None:
        with pytest.raises(UserError, match="Only a success countdown can belong to the opposition"):
            started("Alarm", Kind.FAILURE, 4, side=Side.OPPOSITION)

    def test_only_success_countdowns_can_have_limits(self) -> None:
        with pytest.raises(UserError, match="Limits apply only to successes"):
            started("Alarm", Kind.FAILURE, 4, limits=Limits(per_day=True))

    def test_a_countdown_cannot_require_more_skills_than_successes(self) -> None:
        with pytest.raises(UserError, match="2 successes can't require 3 different skills"):
            started("Plan", Kind.SUCCESS, 2, limits=Limits(distinct_skills=3))

    def test_a_countdown_can_require_as_many_skills_as_successes(self) -> None:
        assert started("Plan", Kind.SUCCESS, 2, limits=Limits(distinct_skills=2)).limits.distinct_skills == 2


class TestMoving:
    @pytest.mark.rule("RPJ-COUNT-02")
    @pytest.mark.parametrize(("value", "steps", "becomes"), [(2, 1, 3), (0, -1, 0), (3, 3, 4), (2, -1, 1)])
    def test_a_countdown_advances_and_reverses_within_its_ends(
        self, value: int, steps: int, becomes: int
    ) -> None:
        assert moved(at(value), Tick(steps=steps)).value == becomes

    @pytest.mark.rule("RPJ-COUNT-02", "RPJ-COUNT-03")
    def test_a_step_beyond_the_end_resolves_a_countdown(self) -> None:
        assert moved(at(3), Tick(steps=3)).status is Status.RESOLVED

    @pytest.mark.rule("RPJ-COUNT-02")
    def test_a_recorded_move_has_the_actual_number_of_steps(self) -> None:
        assert moved(at(3), Tick(steps=3)).ticks[-1].steps == 1

    @pytest.mark.rule("RPJ-COUNT-02")
    def test_a_time_countdown_advances_as_time_passes(self) -> None:
        daily = moved(started("War", Kind.SUCCESS, 4, every_seconds=DAY), Tick(steps=1))

        later = timed(daily, 2 * DAY + 3600)

        assert (later.value, later.since) == (3, 2 * DAY)
        assert timed(daily, DAY - 1) == daily
        assert timed(later, 2 * DAY + 3600) == later
        assert timed(at(1), 9 * DAY) == at(1)

    @pytest.mark.rule("RPJ-COUNT-03")
    def test_a_countdown_at_its_difficulty_is_resolved_and_stops_moving(self) -> None:
        done = moved(at(3), Tick(steps=1))

        assert (done.status, done.winner) == (Status.RESOLVED, Side.PLAYERS)
        with pytest.raises(NoLongerMoves, match="Treachery\\? is resolved and no longer moves"):
            moved(done, Tick(steps=1))
        assert attempted(done, success()) == done
        assert timed(done, 9 * DAY) == done

    @pytest.mark.rule("RPJ-COUNT-02")
    def test_at_0_only_a_tug_of_war_is_resolved(self) -> None:
        assert moved(at(1), Tick(steps=-1)).status is Status.RUNNING
        assert moved(at(1, 4, Kind.TUG), Tick(steps=-1)).status is Status.RESOLVED


class TestSuccesses:
    @pytest.mark.rule("RPJ-COUNT-06")
    def test_three_successes_finish_the_plate_armour(self) -> None:
        armour = started("Plate armour", Kind.SUCCESS, 3)

        assert after(armour, success(), success(), success()).status is Status.RESOLVED
        assert after(armour, success(), failure(), success()).value == 2

    @pytest.mark.rule("RPJ-COUNT-06")
    def test_a_success_countdown_is_easy_moderate_or_hard(self) -> None:
        assert [weight_of(Kind.SUCCESS, number) for number in (2, 4, 6, 8)] == [
            "easy",
            "moderate",
            "hard",
            "hard",
        ]

    @pytest.mark.rule("RPJ-COUNT-07")
    def test_a_skill_counts_once_under_a_skill_limit(self) -> None:
        plan = started("Plan", Kind.SUCCESS, 4, limits=Limits(per_skill=True))

        once = after(plan, success("Hacking"), success("hacking "))

        assert once.value == 1
        assert (
            objection(once, success("Hacking"))
            == "Plan counts each skill once, and Hacking has already been used."
        )
        assert after(once, success("Deception")).value == 2

    @pytest.mark.rule("RPJ-COUNT-07")
    def test_the_last_success_must_use_another_skill(self) -> None:
        plan = started("Plan", Kind.SUCCESS, 4, limits=Limits(distinct_skills=2))

        same = after(plan, *[success("Hacking")] * 4)

        assert same.value == 3
        assert objection(same, success("Hacking")) == "Plan needs 2 different skills; use another one."
        assert after(same, success("Deception")).status is Status.RESOLVED

    @pytest.mark.rule("RPJ-COUNT-07")
    def test_one_success_a_day_counts_under_a_day_limit(self) -> None:
        plan = started("Plan", Kind.SUCCESS, 4, limits=Limits(per_day=True))

        assert after(plan, success(day=3), success(day=3)).value == 1
        assert after(plan, success(day=3), success(day=4)).value == 2

    @pytest.mark.rule("RPJ-COUNT-07")
    def test_each_character_counts_once_under_a_member_limit(self) -> None:
        plan = started("Plan", Kind.SUCCESS, 4, limits=Limits(per_member=True))

        twice = after(plan, success(member=UG), success(member=UG))

        assert twice.value == 1
        assert objection(twice, success()) == "Plan counts only one success per character."
        assert after(twice, success(member=LAENIEL)).value == 2

    @pytest.mark.rule("RPJ-COUNT-07")
    def test_a_failure_uses_up_no_limit(self) -> None:
        plan = started("Plan", Kind.SUCCESS, 4, limits=Limits(per_skill=True, per_day=True))

        assert after(plan, failure("Hacking"), success("Hacking")).value == 1
        held = moved(plan, Tick(steps=-1, skill="Hacking"))  # it stood at 0, and nothing came of it
        assert after(held, success("Hacking")).value == 1

    @pytest.mark.rule("RPJ-COUNT-07")
    @pytest.mark.parametrize("limits", [Limits(per_skill=True), Limits(distinct_skills=1)])
    def test_a_countdown_with_skill_limits_requires_a_skill(self, limits: Limits) -> None:
        plan = started("Plan", Kind.SUCCESS, 4, limits=limits)

        assert objection(plan, success()) == "Plan needs to know which skill was used."
        assert after(plan, success()).value == 0

    def test_the_oppositions_successes_count_only_for_its_own_countdown(self) -> None:
        theirs = started("Siege", Kind.SUCCESS, 3, side=Side.OPPOSITION)
        enemy = Attempt(succeeded=True, side=Side.OPPOSITION)

        assert after(theirs, success(), enemy).value == 1
        assert after(theirs, enemy, enemy, enemy).winner is Side.OPPOSITION


class TestTugOfWar:
    @pytest.mark.rule("RPJ-COUNT-08")
    def test_sudden_death_ends_at_the_first_success_of_either_side(self) -> None:
        duel = started("Revolt", Kind.TUG, 2)

        assert after(duel, success()).winner is Side.PLAYERS
        assert after(duel, Attempt(succeeded=True, side=Side.OPPOSITION)).winner is Side.OPPOSITION
        assert after(duel, failure()) == duel

    @pytest.mark.rule("RPJ-COUNT-08")
    def test_each_success_pulls_by_one_step(self) -> None:
        revolt = started("Revolt", Kind.TUG, 6)

        assert after(revolt, success()).value == 4
        assert after(revolt, Attempt(succeeded=True, side=Side.OPPOSITION)).value == 2

    @pytest.mark.rule("RPJ-COUNT-08")
    def test_a_tug_of_war_is_won_by_the_side_whose_end_it_reaches(self) -> None:
        assert moved(at(1, 6, Kind.TUG), Tick(steps=-1)).winner is Side.OPPOSITION
        assert moved(at(5, 6, Kind.TUG), Tick(steps=1)).winner is Side.PLAYERS

    @pytest.mark.rule("RPJ-COUNT-08")
    def test_a_tug_of_war_is_short_moderate_or_long(self) -> None:
        assert [weight_of(Kind.TUG, number) for number in (2, 4, 6, 8)] == [
            "sudden death",
            "short",
            "moderate",
            "long",
        ]


class TestFailures:
    @pytest.mark.rule("RPJ-COUNT-10")
    def test_four_failures_raise_the_alarm(self) -> None:
        alarm = started("Alarm", Kind.FAILURE, 4)

        assert after(alarm, *[failure()] * 3).value == 3
        raised = after(alarm, *[failure()] * 4)
        assert (raised.status, raised.winner) == (Status.RESOLVED, Side.OPPOSITION)

    @pytest.mark.rule("RPJ-COUNT-10")
    def test_successes_and_the_oppositions_failures_do_not_move_a_failure_countdown(self) -> None:
        alarm = started("Alarm", Kind.FAILURE, 4)

        assert after(alarm, success(), Attempt(succeeded=False, side=Side.OPPOSITION)) == alarm

    @pytest.mark.rule("RPJ-COUNT-10")
    def test_a_failure_countdown_is_easier_the_higher_its_difficulty(self) -> None:
        assert [weight_of(Kind.FAILURE, number) for number in (2, 4, 6)] == ["hard", "moderate", "easy"]


class TestDuel:
    @pytest.mark.rule("RPJ-COUNT-11")
    def test_the_players_lose_the_duel_for_the_mainframe(self) -> None:
        evidence = started("Evidence Planted", Kind.SUCCESS, 4, limits=Limits(distinct_skills=2))
        intrusions = started("Intrusions Detected", Kind.FAILURE, 2)
        play = [
            (success("Techno-Magic"), 1, 0),
            (success("Hacking", LAENIEL), 2, 0),
            (failure("Techno-Magic"), 2, 1),
            (success("Hacking", LAENIEL), 3, 1),
            (failure("Deception"), 3, 2),
        ]

        for attempt, planted, detected in play:
            evidence, intrusions = duelled(attempted(evidence, attempt), attempted(intrusions, attempt))
            assert (evidence.value, intrusions.value) == (planted, detected)

        assert (intrusions.status, intrusions.winner) == (Status.RESOLVED, Side.OPPOSITION)
        assert evidence.status is Status.CLOSED

    @pytest.mark.rule("RPJ-COUNT-11")
    def test_the_countdown_resolved_first_closes_the_other(self) -> None:
        planted, detected = duelled(moved(at(3), Tick(steps=1)), at(1, 2, Kind.FAILURE))

        assert (planted.status, planted.winner, detected.status) == (
            Status.RESOLVED,
            Side.PLAYERS,
            Status.CLOSED,
        )
        assert duelled(at(1), at(2)) == (at(1), at(2))

    @pytest.mark.rule("RPJ-COUNT-11")
    def test_passing_time_resolves_the_earlier_countdown_of_a_duel(self) -> None:
        slow = started("Ritual", Kind.SUCCESS, 3, every_seconds=2 * DAY)
        fast = started("Relief", Kind.SUCCESS, 3, every_seconds=DAY)

        ritual, relief, is_tie = timed_duel(slow, fast, 9 * DAY)
        turned, other, _ = timed_duel(fast, slow, 9 * DAY)

        assert (relief.status, ritual.status, ritual.value, is_tie) == (
            Status.RESOLVED,
            Status.CLOSED,
            1,
            False,
        )
        assert (turned, other) == (relief, ritual)
        ahead = moved(slow, Tick(steps=2))  # due after 2 days, before the other's 3
        first, second, _ = timed_duel(ahead, fast, 9 * DAY)
        assert (first.status, second.status, second.value) == (Status.RESOLVED, Status.CLOSED, 2)

    @pytest.mark.rule("RPJ-COUNT-11")
    def test_countdowns_due_at_the_same_moment_wait_for_the_gm(self) -> None:
        one = started("Ritual", Kind.SUCCESS, 3, every_seconds=DAY)
        other = started("Relief", Kind.SUCCESS, 3, every_seconds=DAY)

        ritual, relief, is_tie = timed_duel(one, other, 9 * DAY)

        assert is_tie
        assert [(each.value, each.status, each.since) for each in (ritual, relief)] == [
            (2, Status.RUNNING, 9 * DAY)
        ] * 2
        held, again, is_still = timed_duel(ritual, relief, 10 * DAY)
        assert (held.value, again.value, is_still) == (2, 2, True)

    @pytest.mark.rule("RPJ-COUNT-11")
    def test_time_that_resolves_one_alone_closes_the_other(self) -> None:
        ritual = started("Ritual", Kind.SUCCESS, 3, every_seconds=DAY)

        resolved, waiting, is_tie = timed_duel(ritual, at(1), 3 * DAY)

        assert (resolved.status, waiting.status, is_tie) == (Status.RESOLVED, Status.CLOSED, False)


class TestTerm:
    @pytest.mark.rule("RPJ-COUNT-12")
    def test_a_closed_countdown_stops_moving_and_a_resolved_one_stays_resolved(self) -> None:
        ended = closed(at(2))

        assert (ended.status, ended.winner) == (Status.CLOSED, None)
        with pytest.raises(NoLongerMoves):
            moved(ended, Tick(steps=1))
        assert closed(at(4)).status is Status.RESOLVED


class TestWords:
    @pytest.mark.rule("RPJ-COUNT-04")
    def test_a_countdowns_boxes_fill_up(self) -> None:
        assert boxes(at(2)) == "◼◼◻◻"
        assert boxes(at(4)) == "◼◼◼◼"

    @pytest.mark.rule("RPJ-COUNT-08")
    def test_the_middle_of_a_tug_of_war_is_marked(self) -> None:
        assert boxes(at(4, 6, Kind.TUG)) == "◼◼◼│◼◻◻"

    @pytest.mark.rule("RPJ-COUNT-13")
    def test_more_than_five_open_countdowns_give_the_gm_a_hint(self) -> None:
        assert crowding_hint(5) is None
        assert crowding_hint(6) == "6 open countdowns are running; with that many, each one matters less."

    @pytest.mark.rule("RPJ-COUNT-13")
    def test_a_countdown_resolved_by_one_character_alone_gives_a_hint(self) -> None:
        alone = after(started("Plan", Kind.SUCCESS, 4), *[success()] * 4)
        together = after(started("Plan", Kind.SUCCESS, 4), *[success()] * 3, success(member=LAENIEL))

        assert lone_hint(alone) == (
            "One character finished Plan alone; "
            "a limit of one success per character would share the next one."
        )
        assert [lone_hint(one) for one in (together, at(4), at(1))] == [None, None, None]
        short = started("Plan", Kind.SUCCESS, 2)
        hindered = moved(short, Tick(steps=-1, member=LAENIEL))  # at 0: she has not moved it
        assert lone_hint(after(hindered, success(), success())) is not None
        assert lone_hint(after(short, success(), success())) is not None
        assert lone_hint(moved(short, Tick(steps=2, member=UG))) is None  # one act finishes nothing alone


@pytest.mark.rule("RPJ-COUNT-02", "RPJ-COUNT-06", "RPJ-COUNT-08", "RPJ-COUNT-10")
@pytest.mark.parametrize(
    ("kind", "of", "steps"),
    [  # of the players' success and failure, and of the opposition's
        (Kind.SUCCESS, Side.PLAYERS, (1, 0, 0, 0)),
        (Kind.SUCCESS, Side.OPPOSITION, (0, 0, 1, 0)),
        (Kind.FAILURE, Side.PLAYERS, (0, 1, 0, 0)),
        (Kind.TUG, Side.PLAYERS, (1, 0, -1, 0)),
    ],
)
def test_which_check_moves_which_countdown(kind: Kind, of: Side, steps: tuple[int, ...]) -> None:
    countdown = started("Alarm", kind, 4, side=of)
    attempts = [
        Attempt(succeeded=succeeded, side=side)
        for side in (Side.PLAYERS, Side.OPPOSITION)
        for succeeded in (True, False)
    ]

    assert tuple(steps_of(countdown, one) for one in attempts) == steps
    assert [attempted(countdown, one).value - countdown.value for one in attempts] == list(steps)
    assert [steps_of(closed(countdown), one) for one in attempts] == [0, 0, 0, 0]


@pytest.mark.rule("RPJ-COUNT-02")
@pytest.mark.parametrize(
    ("clock", "value", "since"),
    [(100, 0, 100), (699, 0, 100), (700, 1, 700), (1299, 1, 700), (1300, 2, 1300), (2000, 3, 1900),
     (2500, 4, 2500), (9999, 4, 9700)],
)  # fmt: skip
def test_a_countdown_goes_on_from_the_moment_of_its_last_step(clock: int, value: int, since: int) -> None:
    after = timed(started("Tide", Kind.SUCCESS, 4, every_seconds=600, since=100), clock)

    assert (after.value, after.since) == (value, since)
    assert (after.status is Status.RESOLVED) is (value == 4)


@pytest.mark.rule("RPJ-COUNT-02")
def test_a_countdown_without_a_clock_or_that_is_over_stays_as_it_is() -> None:
    plain = started("Tide", Kind.SUCCESS, 4)
    over = closed(started("Tide", Kind.SUCCESS, 4, every_seconds=600))

    assert timed(plain, 99_999) is plain
    assert timed(over, 99_999) is over


@pytest.mark.rule("RPJ-COUNT-11")
@pytest.mark.parametrize(
    ("first", "second", "clock", "values", "states", "waits"),
    [
        ((2, 600, 0), (2, 900, 0), 1199, (1, 1), ("running", "running"), False),
        ((2, 600, 0), (2, 900, 0), 1200, (2, 1), ("resolved", "closed"), False),
        ((2, 600, 0), (2, 900, 0), 9000, (2, 1), ("resolved", "closed"), False),
        ((2, 900, 0), (2, 600, 0), 9000, (1, 2), ("closed", "resolved"), False),
        ((3, 600, 0), (2, 900, 0), 1799, (2, 1), ("running", "running"), False),
        ((3, 600, 0), (2, 900, 0), 1800, (2, 1), ("running", "running"), True),
        ((2, 600, 300), (2, 900, 0), 1500, (2, 1), ("resolved", "closed"), False),
        ((1, 600, 0), (2, 300, 0), 600, (0, 1), ("running", "running"), True),
    ],
)
def test_of_two_countdowns_the_one_resolved_earlier_closes_the_other(
    first: tuple[int, int, int],
    second: tuple[int, int, int],
    clock: int,
    values: tuple[int, int],
    states: tuple[str, str],
    waits: bool,
) -> None:
    """Of each, its difficulty, the seconds of a step, and since when."""
    pair = [
        started(name, Kind.SUCCESS, difficulty, every_seconds=every, since=since)
        for name, (difficulty, every, since) in (("One", first), ("Other", second))
    ]
    one, other, held = timed_duel(pair[0], pair[1], clock)

    assert ((one.value, other.value), held) == (values, waits)
    assert (one.status.value, other.status.value) == states
    if held:
        assert (one.since, other.since) == (clock, clock)


@pytest.mark.rule("RPJ-COUNT-13")
@pytest.mark.parametrize(
    ("members", "hints"),
    [((1, 1), True), ((1, 2), False), ((1, None), False), ((None, None), False)],
)
def test_who_finishes_a_countdown_alone_is_told(members: tuple[int | None, ...], hints: bool) -> None:
    countdown = started("Wall", Kind.SUCCESS, 2)
    for member in members:
        assert lone_hint(countdown) is None
        countdown = moved(countdown, Tick(steps=1, member=None if member is None else CharacterId(member)))

    assert (lone_hint(countdown) is not None) is hints
    whole = moved(started("Wall", Kind.SUCCESS, 2), Tick(steps=2, member=CharacterId(1)))
    assert lone_hint(whole) is None


@pytest.mark.parametrize(("clock", "day"), [(0, 0), (86_399, 0), (86_400, 1), (200_000, 2)])
def test_a_day_of_game_time_has_24_hours(clock: int, day: int) -> None:
    assert day_of(clock) == day
