"""The end of a session, the deck, dice sizes, and the ruleset as a whole."""

from typing import Any, cast

import pytest
from pydantic import ValidationError

from bot.rules.kernel import HookResult, PutBack
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.cards import DECK, draw_cards
from bot.rules.post_magic_maid.encounter import MaidEncounter
from bot.rules.post_magic_maid.gm import points_after_session
from bot.rules.post_magic_maid.sheet import AttributeScore, MaidAttribute, MaidSettings, Scene, SessionPolicy
from bot.rules.post_magic_maid.tier_check import MaidOddsQuestion
from bot.rules.post_magic_maid.tiers import SUGGESTIONS, TIER_ROWS, TIERS
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.play import (
    GameTable,
    active,
    boxes,
    cards,
    id_of,
    lay_table,
    passive,
    sheet,
    start_fight,
)
from tests.rules.post_magic_maid.test_attacks import FALL

EVERYBODY = [id_of(name) for name in ("Ash", "Bram", "Cleo", "Dara", "Ogre")]


def end(table: GameTable) -> HookResult:
    turning = RULESET.end_session(table.scene, EVERYBODY, sorted(table.scene.documents))
    table.scene = cast(Scene, turning.scene)
    return turning


@pytest.mark.rule("PMM-BLZ-12")
class TestSessionPolicy:
    @pytest.mark.parametrize(
        ("points", "none", "top_up", "exactly"), [(1, 1, 3, 3), (5, 5, 5, 3), (3, 3, 3, 3), (0, 0, 3, 3)]
    )
    def test_the_session_policy_decides_the_blitz_points(
        self, points: int, none: int, top_up: int, exactly: int
    ) -> None:
        after = {
            policy.value: points_after_session(points, MaidSettings(blitz_session_policy=policy))
            for policy in SessionPolicy
        }

        assert after == {"none": none, "top_up": top_up, "set": exactly}

    def test_a_session_never_tops_up_points_above_the_cap(self) -> None:
        assert points_after_session(0, MaidSettings(blitz_cap=2)) == 2

    def test_a_new_character_starts_with_three_points_and_the_campaigns_cap(self) -> None:
        assert RULESET.resources[0].start == 3
        assert RULESET.resources[0].cap(RULESET.creation.npc(), MaidSettings(blitz_cap=5)) == 5

    def test_npcs_are_not_topped_up(self, table: GameTable) -> None:
        end(table)

        assert table.points("Ogre") == 0


@pytest.mark.rule("PMM-SES-01")
class TestEndOfSession:
    def test_a_sessions_end_tops_up_points_keeps_wounds_and_clears_bonus_dice(self, table: GameTable) -> None:
        table.alter("Ash", resources={"blitz": 2})
        table.wound("Ash", "blunt", "2/0/0/0")
        start_fight(table, "K♠ Q♠")
        table.do("Ash", "blitz", cards("K♠ Q♠ 4♠ 5♠ 6♠ 7♠ 8♠"))
        assert (table.points("Ash"), table.seat("Ash").bonus_dice) == (1, 2)

        turning = end(table)

        assert turning.put_back == (PutBack(what="Bonus d8s", who="Ash", before="2", after="none"),)
        assert (table.points("Ash"), table.wounds("Ash", "blunt")) == (3, "2/0/0/0")
        assert table.seat("Ash").bonus_dice == 0

    def test_the_policy_none_leaves_points_unchanged(self, table: GameTable) -> None:
        table.settings(blitz_session_policy="none")
        table.alter("Ash", resources={"blitz": 1})

        end(table)

        assert table.points("Ash") == 1

    def test_a_sessions_end_leaves_timers_running_and_lists_them(self, table: GameTable) -> None:
        table.do("GM", "wound", target="Ash", track="rending", tier="20")
        table.do("GM", "clock", hours=6)

        turning = end(table)

        assert table.named("Ash").timers["heavy"] - table.scene.clock == 2 * 3600
        assert turning.notes == ("Ash's heavy wound: treat by day 1, 08:00 (now day 1, 06:00).",)

    def test_a_sessions_end_clears_an_automatic_25(self, table: GameTable) -> None:
        start_fight(table, "K♠ Q♠")
        table.do("Ash", "blitz", cards("A♠ Joker 4♠ 5♠ 6♠ 7♠ 8♠"))

        end(table)

        assert not table.seat("Ash").has_automatic
        assert not table.seat("Bram").has_automatic

    def test_a_sessions_end_leaves_die_points_and_level_ups(self, table: GameTable) -> None:
        table.alter("Ash", resources={"blitz": 3, "die_points": 1, "level_ups": 2})

        end(table)

        assert (table.points("Ash", "die_points"), table.points("Ash", "level_ups")) == (1, 2)

    def test_a_sessions_end_settles_attacks_that_hit_and_leaves_pending_ones(self, table: GameTable) -> None:
        options = {"target": "Bram", "track": "blunt", "first": "Int", "second": "Dex"}
        table.do("Ash", "attack", FALL["10"], **options)
        table.do("Ash", "attack", FALL["10"], **options, defended=True)

        end(table)

        kept = [key for key, found in table.scene.documents.items() if key.startswith("attack/") and found]
        assert kept == ["attack/2"]

    def test_a_sessions_end_keeps_an_unfinished_encounter_and_drops_assists(self, table: GameTable) -> None:
        start_fight(table, "K♠ Q♠")
        table.do("Bram", "assist", FALL["25"], target="Ash", first="Int", second="Dex")

        end(table)
        again = end(table)

        kept = table.scene.document("encounter/7")
        assert isinstance(kept, MaidEncounter)
        assert (kept.round, [seat.name for seat in kept.shown]) == (1, ["Ash", "Bram"])
        assert table.scene.document("assist/1") is None
        assert again.notes == ()


@pytest.mark.rule("PMM-DECK-01")
class TestDeck:
    def test_the_deck_has_fifty_four_cards(self) -> None:
        ranks = [card.rank for card in DECK]

        assert len(DECK) == len({card.code for card in DECK}) == 13 * 4 + 2 == 54
        assert ranks.count("A") == 4
        assert sum(rank in {"J", "Q", "K"} for rank in ranks) == 12
        assert sum(rank.isdigit() for rank in ranks) == 36
        assert ranks.count("Joker") == 2

    def test_seven_drawn_cards_have_no_repeats(self) -> None:
        drawn = draw_cards(7, ScriptedDice("d54:1 d53:1 d52:1 d51:1 d50:1 d49:1 d48:48"))

        assert [str(one.card) for one in drawn] == ["A♠", "2♠", "3♠", "4♠", "5♠", "6♠", "Joker"]

    def test_a_draw_of_fifty_four_exhausts_the_deck(self) -> None:
        drawn = draw_cards(54, ScriptedDice(" ".join(f"d{left}:1" for left in range(54, 0, -1))))

        assert {one.card for one in drawn} == set(DECK)


@pytest.mark.rule("PMM-DECK-02")
class TestDiceSizes:
    def test_a_d32_shows_1_to_32(self) -> None:
        table = lay_table(sheets={"Ash": sheet(dict.fromkeys(MaidAttribute, 32))})

        totals = [
            table.do("Ash", "check", f"d32:{one} d32:{other}", first="Int", second="Dex").rolls[0].total
            for one, other in ((1, 1), (32, 31))
        ]

        assert totals == [2, 63]

    def test_two_d20_total_2_to_40(self) -> None:
        table = lay_table(sheets={"Ash": sheet(dict.fromkeys(MaidAttribute, 20))})

        totals = [
            table.do("Ash", "check", f"d20:{face} d20:{face}", first="Int", second="Dex").rolls[0].total
            for face in (1, 20)
        ]

        assert totals == [2, 40]

    def test_three_bonus_d8_total_3_to_24(self) -> None:
        totals = []
        for face in (1, 8):
            table = lay_table()
            start_fight(table, "K♠ Q♠")
            table.do("Ash", "blitz", cards("K♠ Q♠ J♠ 5♠ 6♠ 7♠ 8♠"))
            fall = f"d20:1 d12:1 d8:{face} d8:{face} d8:{face}"
            done = table.do("Ash", "check", fall, first="Int", second="Dex", bonus_dice=3)
            totals.append((done.rolls[0].total or 0) - 2)

        assert totals == [3, 24]

    def test_a_d10_is_refused_as_an_attribute_die(self) -> None:
        problems = RULESET.sheet_problems(sheet({"Int": 10}))

        assert [problem.sentence for problem in problems] == ["No attribute can have a d10."]


class TestSheetProblems:
    @pytest.mark.parametrize(
        ("made", "sentence"),
        [
            (sheet(abilities=[active("Law", 1), active("LAW", 1)]), "LAW is listed twice."),
            (
                sheet(abilities=[passive("Law").model_copy(update={"singles": 1, "from_level_ups": 2})]),
                "Law is passive, so it can't have a single or double bonus.",
            ),
            (
                sheet(abilities=[active("Law", 1).model_copy(update={"passives": 1, "from_level_ups": 2})]),
                "Law is active, so it can't have a passive bonus.",
            ),
            (sheet(abilities=[active("Law")]), "Law has no bonus."),
            (
                sheet(abilities=[active("Law", 2).model_copy(update={"from_level_ups": 1})]),
                "Law has 2 bonuses, which doesn't match its creation and level-ups.",
            ),
            (
                sheet(abilities=[active("Law", 3)]),
                "Law earns its die point with level-up bonus number 3.",
            ),
            (
                sheet(abilities=[active(name, 1, creation=1) for name in ("Law", "Art", "War")]),
                "A new character has only 2 ability bonuses.",
            ),
            (
                sheet({"Int": 8, "Str": 8, "Dex": 8, "Lck": 8}),
                "The dice d8, d8, d8, d8, d8, d8 are not possible: the smallest dice grow first.",
            ),
            (
                sheet({"Str": 8}),
                "The dice d6, d8, d8, d8, d12, d20 take 1 die points, but only 0 were earned.",
            ),
        ],
    )
    def test_each_sheet_problem_is_reported(self, made: Any, sentence: str) -> None:
        assert [problem.sentence for problem in RULESET.sheet_problems(made)] == [sentence]

    def test_dice_beyond_the_track_are_reported_as_unearned(self) -> None:
        made = sheet(dict.fromkeys(MaidAttribute, 32) | {"Int": 52}, steps=dict.fromkeys(MaidAttribute, 3))

        assert [problem.sentence for problem in RULESET.sheet_problems(made)] == [
            "The dice d32, d32, d32, d32, d32, d52 take 18 die points, but only 6 were earned."
        ]

    def test_an_earned_step_is_no_problem(self) -> None:
        assert RULESET.sheet_problems(sheet({"Str": 8}, steps={"Dex": 3})) == ()


class TestDescription:
    def test_a_sheet_fits_on_one_screen(self) -> None:
        ash = sheet(
            creation={"Dex": 2, "Int": 1},
            abilities=[
                active("Fishing", 2, creation=1),
                active("Fencing", 3, gave_point=True),
                passive("Contacts", 2),
                passive("Glow", creation=1),
            ],
            is_magical=True,
        )
        table = lay_table(sheets={"Ash": ash})
        table.alter("Ash", resources={"blitz": 2, "level_ups": 1, "die_points": 1})
        table.wound("Ash", "blunt", "2/0/0/1")
        table.do("GM", "wound", target="Ash", track="rending", tier="20")
        table.do("GM", "activation", target="Ash", ability="Glow", first="Wll", second="Lck", tier="15")
        sections = {
            section.title: section.lines for section in RULESET.describe(table.named("Ash"), MaidSettings())
        }

        assert sections == {
            "Attributes": ("Int d20 +1 · Str d6 · Dex d12 +2", "Cha d8 · Wll d8 · Lck d6"),
            "Abilities": ("Fishing +8 · 1/3 towards a die point", "Fencing +9 · die point earned"),
            "Passive abilities": (
                "Contacts (strength 2) · 2/3 towards a die point",
                "Glow · needs Wll + Lck, tier 15",
            ),
            "Points": ("Blitz Points 2", "level-ups waiting 1 · die points 1 · magical"),
            "Wounds": (
                "Blunt ▣▣▢▢ ▢▢▢ ▢▢▢ ▣",
                "Rending ▢▢▢ ▢▢ ▣ ▢",
                "Heavy wound: treat by day 1, 08:00",
                "Unconscious",
            ),
        }

    def test_a_cap_is_shown_beside_the_points(self, table: GameTable) -> None:
        table.alter("Ash", sheet=sheet().model_copy(update={"is_dead": True, "advances": ("Law +0 to +5",)}))

        sections = {
            section.title: section.lines
            for section in RULESET.describe(table.named("Ash"), MaidSettings(blitz_cap=5))
        }

        assert sections["Points"] == ("Blitz Points 3/5", "Level-ups spent 1")
        assert sections["Wounds"][-1] == "Dead"


class TestSettings:
    @pytest.mark.parametrize(
        ("given", "track"),
        [
            ("6, 8, 12, 20, 32, 52", (6, 8, 12, 20, 32, 52)),
            ([6, 8, 12, 20], (6, 8, 12, 20)),
        ],
    )
    def test_the_die_track_may_be_typed(self, given: object, track: tuple[int, ...]) -> None:
        assert MaidSettings.model_validate({"die_track": given}).die_track == track

    @pytest.mark.parametrize(
        ("given", "why"),
        [
            ("8, 6, 12, 20", "Each size must be larger"),
            ("6, 8, 12, 20, 400", "up to 100"),
            ("6, 8, 20", "must include d12"),
        ],
    )
    def test_a_track_grows_and_holds_the_starting_dice(self, given: str, why: str) -> None:
        with pytest.raises(ValidationError, match=why):
            MaidSettings.model_validate({"die_track": given})

    @pytest.mark.parametrize("given", ["", "none", None])
    def test_the_cap_setting_accepts_no_limit(self, given: object) -> None:
        made = MaidSettings.model_validate({"blitz_cap": given, "round_seconds": given})

        assert (made.blitz_cap, made.round_seconds) == (None, None)


class TestData:
    def test_the_data_tables_contain_everything_the_rules_name(self) -> None:
        assert [row.name for row in TIER_ROWS] == list(TIERS)
        assert list(MaidAttribute) == ["Int", "Str", "Dex", "Cha", "Wll", "Lck"]
        assert len(SUGGESTIONS) == 17

    def test_every_rule_has_an_own_text_and_its_ids(self) -> None:
        ids = [id_ for rule in RULESET.glossary for id_ in rule.ids]

        assert len(ids) == len(set(ids)) == 83
        assert all(id_.startswith("PMM-") for id_ in ids)
        assert all(rule.title and len(rule.text) <= 300 for rule in RULESET.glossary)


class TestOddsPage:
    def test_the_odds_page_gives_exact_chances(self) -> None:
        question = MaidOddsQuestion.model_validate(
            {"first": "d8", "second": "d12", "modifier": 14, "penalty": 5, "needed": "15"}
        )

        odds = RULESET.odds.answer(question)

        assert [chance.ways for _, chance in odds.chances] == [0, 10, 34, 37, 15]
        assert odds.needed == "15"

    def test_the_odds_page_includes_magic_and_bonus_dice(self) -> None:
        odds = RULESET.odds.answer(MaidOddsQuestion(first="d6", second="d6", bonus_dice=1, magic=True))

        assert odds.chances[0][1].of == 36 * 8 * 6

    def test_an_odds_question_out_of_bounds_is_refused(self) -> None:
        with pytest.raises(ValidationError):
            AttributeScore(die=8, steps=4)
        assert boxes("1/2/3/4") == (1, 2, 3, 4)
