"""Assists."""

from typing import Any

import pytest

from bot.rules.kernel import Audience, Family, Verdict, settle_all, waive_all
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.tiers import TIERS, MaidTier, assisted
from tests.dice import ScriptedDice
from tests.rules.post_magic_maid.play import GameTable, lay_table, start_fight, vectors

# Falls of a d20 and a d12 that land in each tier.
FALL = {
    "below 10": "d20:1 d12:1",
    "10": "d20:5 d12:5",
    "15": "d20:10 d12:5",
    "20": "d20:10 d12:10",
    "25": "d20:15 d12:10",
}


def assist(table: GameTable, helper: str, tier: str, target: str = "Ash") -> None:
    table.do(helper, "assist", FALL[tier], target=target, first="Int", second="Dex")


def act(table: GameTable, tier: str) -> Any:
    return table.do("Ash", "check", FALL[tier], first="Int", second="Dex")


@pytest.mark.rule("PMM-AST-01")
class TestAssist:
    @pytest.mark.parametrize(
        ("action", "helped_by", "final"),
        [
            ("10", ["20"], "15"),
            ("10", ["25"], "20"),
            ("15", ["20"], "15"),
            ("15", ["25"], "20"),
            ("below 10", ["10"], "below 10"),
            ("below 10", ["15"], "10"),
            ("below 10", ["25"], "20"),
            ("20", ["25"], "20"),
            ("25", ["10"], "25"),
            ("25", ["25"], "25"),
            ("10", ["20", "25"], "20"),
            ("10", ["25", "20"], "20"),
        ],
    )
    def test_an_assist_two_tiers_above_raises_by_one_and_each_further_tier_by_one_more(
        self, table: GameTable, action: str, helped_by: list[str], final: str
    ) -> None:
        for helper, tier in zip(("Bram", "Cleo"), helped_by, strict=False):
            assist(table, helper, tier)

        done = act(table, action)

        assert done.rolls[0].outcome == final
        assert done.verdict.title == MaidTier(final).words

    def test_an_assisted_check_shows_both_tiers_and_the_final_one(self, table: GameTable) -> None:
        assist(table, "Bram", "20")
        assert table.last is not None
        assert table.last.headline == "assists Ash"
        assert table.last.notes == ("Ash's next action gets an assist of tier 20 from Bram.",)

        assert act(table, "10").notes == ("An assist of tier 20 lifts it from tier 10.",)

    def test_an_assist_without_effect_is_shown_too(self, table: GameTable) -> None:
        assist(table, "Bram", "20")

        assert act(table, "15").notes == ("The assist was too low to help.",)

    def test_an_assist_helps_one_action(self, table: GameTable) -> None:
        assist(table, "Bram", "25")
        act(table, "10")

        assert act(table, "10").rolls[0].outcome == "10"

    def test_a_helper_who_has_acted_cannot_assist(self, table: GameTable) -> None:
        start_fight(table, "Q♠ K♠")
        table.do("Bram", "check", FALL["10"], first="Int", second="Dex")

        assert table.refused("Bram", "assist", target="Ash", first="Int", second="Dex").what == (
            "Bram has no action left this round."
        )

    def test_a_helper_may_assist_before_their_own_turn_and_it_is_their_action(self, table: GameTable) -> None:
        start_fight(table, "K♠ Q♠")
        assist(table, "Bram", "20")
        table.do("Ash", "encounter.next")

        assert table.refused("Bram", "check", first="Int", second="Dex").what == (
            "Bram has no action left this round."
        )

    def test_one_of_several_actions_may_be_an_assist_at_its_penalty(self, table: GameTable) -> None:
        start_fight(table, "K♠ Q♠")
        table.do("Ash", "act", count=2)

        done = table.do("Ash", "assist", "d20:15 d12:10", target="Bram", first="Int", second="Dex")

        assert done.rolls[0].total == 20

    def test_an_assist_lasts_until_the_round_ends(self, table: GameTable) -> None:
        start_fight(table, "K♠ Q♠")
        assist(table, "Bram", "25")

        table.clear_rounds()

        assert act(table, "10").rolls[0].outcome == "10"

    def test_an_assist_ends_with_the_encounter(self, table: GameTable) -> None:
        start_fight(table, "K♠ Q♠")
        assist(table, "Bram", "25")

        table.do("GM", "encounter.end")

        assert act(table, "10").rolls[0].outcome == "10"

    def test_the_assisted_tier_is_compared_with_a_defence(self, table: GameTable) -> None:
        assist(table, "Bram", "20")
        table.do(
            "Ash",
            "attack",
            FALL["10"],
            target="Cleo",
            first="Int",
            second="Dex",
            track="blunt",
            defended=True,
        )

        done = table.do("Cleo", "defend", FALL["10"], first="Int", second="Dex")

        assert done.verdict == Verdict(Family.FAILURE, "tier 10, slight wound")
        assert table.wounds("Cleo", "blunt") == "1/0/0/0"

    def test_the_assisted_tier_is_compared_in_a_contest(self, table: GameTable) -> None:
        assist(table, "Bram", "20")
        table.do("GM", "contest", one="Ash", other="Cleo", first="Int", second="Dex")

        table.do("Ash", "oppose", FALL["10"])
        done = table.do("Cleo", "oppose", FALL["10"])

        assert done.verdict == Verdict(Family.NEWS, "Ash wins, tier 10")

    def test_assisting_yourself_is_refused(self, table: GameTable) -> None:
        assert table.refused("Ash", "assist", target="Ash", first="Int", second="Dex").what == (
            "You can't assist yourself."
        )


@pytest.mark.rule("PMM-AST-02")
class TestTable:
    @pytest.mark.parametrize("row", vectors("assist"))
    def test_every_cell_of_the_assist_table_is_right(self, row: dict[str, Any]) -> None:
        assert assisted(MaidTier(row["action"]), MaidTier(row["assist"])) == row["final"]

    def test_an_assist_never_raises_above_one_tier_below_itself(self) -> None:
        for action in TIERS:
            for helped in TIERS:
                final = assisted(action, helped)
                assert final is action or final.level <= helped.level - 1


PAIR = {"first": "Int", "second": "Dex"}


def strike(table: GameTable, fall: str, track: str = "blunt", **more: object) -> None:
    table.do("Ash", "attack", fall, target="Bram", track=track, **PAIR, **more)


@pytest.mark.rule("PMM-ATK-01")
class TestAttack:
    @pytest.mark.parametrize(
        ("fall", "track", "wounds", "words"),
        [
            ("d20:7 d12:5", "blunt", "1/0/0/0", "tier 10, slight wound"),
            ("d20:12 d12:5", "blunt", "0/1/0/0", "tier 15, moderate wound"),
            ("d20:11 d12:10", "rending", "0/0/1/0", "tier 20, heavy wound"),
            ("d20:15 d12:10", "rending", "0/0/0/1", "tier 25, mortal wound"),
            ("d20:19 d12:11", "blunt", "0/0/0/1", "tier 25, unconscious"),
        ],
    )
    def test_an_attack_causes_one_wound_of_its_tier(
        self, table: GameTable, fall: str, track: str, wounds: str, words: str
    ) -> None:
        strike(table, fall, track)

        assert table.wounds("Bram", track) == wounds
        assert table.last is not None
        assert table.last.headline == f"attacks Bram, {track}"
        assert table.last.verdict == Verdict(Family.SUCCESS, words)

    def test_a_heavy_rending_wound_starts_eight_hours_and_a_mortal_one_a_minute(
        self, table: GameTable
    ) -> None:
        strike(table, "d20:11 d12:10", "rending")
        strike(table, "d20:15 d12:10", "rending")

        assert dict(table.named("Bram").timers) == {"heavy": 8 * 3600, "mortal": 60}

    def test_urgent_wounds_offer_everybody_a_treatment(self, table: GameTable) -> None:
        strike(table, "d20:15 d12:10", "rending")

        assert table.last is not None
        button = table.last.follow_ups[0]
        assert (button.label, button.audience, button.stays) == (
            "Treat Bram (Int + Dex)",
            Audience.ANYONE,
            True,
        )
        treated = table.press("Cleo", button, "d20:18 d12:7")
        assert treated.headline == "treats Bram"
        assert table.wounds("Bram", "rending") == "0/0/0/0"

    def test_attacking_yourself_or_the_dead_is_refused(self, table: GameTable) -> None:
        assert table.refused("Ash", "attack", target="Ash", track="blunt", **PAIR).what == (
            "You can't attack yourself."
        )
        table.do("GM", "verdict", target="Bram", dies=True)
        assert table.refused("Ash", "attack", target="Bram", track="blunt", **PAIR).what == "Bram is dead."


@pytest.mark.rule("PMM-CHK-04")
class TestOneTierARoll:
    def test_a_total_of_22_causes_one_heavy_wound_only(self, table: GameTable) -> None:
        strike(table, "d20:12 d12:10")

        assert table.wounds("Bram", "blunt") == "0/0/1/0"

    @pytest.mark.parametrize("fall", ["d20:15 d12:10", "d20:20 d12:11"])
    def test_a_total_of_25_or_more_causes_one_wound_of_tier_25(self, table: GameTable, fall: str) -> None:
        strike(table, fall)

        assert table.wounds("Bram", "blunt") == "0/0/0/1"

    def test_a_total_of_14_causes_a_slight_wound_only(self, table: GameTable) -> None:
        strike(table, "d20:9 d12:5")

        assert table.wounds("Bram", "blunt") == "1/0/0/0"


@pytest.mark.rule("PMM-ATK-02")
class TestMiss:
    def test_a_total_of_9_causes_no_wound(self, table: GameTable) -> None:
        strike(table, "d20:4 d12:5")

        assert table.wounds("Bram", "blunt") == "0/0/0/0"
        assert table.last is not None
        assert table.last.verdict == Verdict(Family.FAILURE, "below 10")
        assert table.last.follow_ups == ()

    def test_a_negative_total_causes_no_wound(self, table: GameTable) -> None:
        start_fight(table, "K♠ Q♠")
        table.do("Ash", "act", count=2)
        table.do("Ash", "check", "d20:1 d12:1", **PAIR)

        strike(table, "d20:1 d12:1")

        assert table.last is not None
        assert table.last.rolls[0].total == -8
        assert table.wounds("Bram", "blunt") == "0/0/0/0"


@pytest.mark.rule("PMM-ATK-03")
class TestDefence:
    @pytest.mark.parametrize(
        ("attack", "defence", "wounds", "told", "words"),
        [
            ("20", "10", "0/1/0/0", "is hit by Ash", "tier 15, moderate wound"),
            ("20", "20", "0/0/0/0", "defends against Ash", "no wound"),
            ("10", "25", "0/0/0/0", "defends against Ash", "no wound"),
        ],
    )
    def test_a_defended_attack_causes_a_wound_of_the_difference(
        self, table: GameTable, attack: str, defence: str, wounds: str, told: str, words: str
    ) -> None:
        strike(table, FALL[attack], defended=True)
        assert table.wounds("Bram", "blunt") == "0/0/0/0"

        done = table.do("Bram", "defend", FALL[defence], **PAIR)

        assert done.headline == told
        assert done.verdict is not None
        assert done.verdict.title == words
        assert table.wounds("Bram", "blunt") == wounds
        assert (
            table.refused("Bram", "defend", **PAIR).what == "There is no attack for Bram to defend against."
        )

    def test_a_defender_who_has_acted_may_still_defend(self, table: GameTable) -> None:
        start_fight(table, "Q♠ K♠")
        table.do("Bram", "check", "d20:1 d12:1", **PAIR)
        table.do("Bram", "encounter.next")
        strike(table, FALL["20"], defended=True)

        done = table.do("Bram", "defend", FALL["20"], **PAIR)

        assert done.rolls[0].terms == ()
        assert [button.procedure for button in done.follow_ups] == ["encounter.next"]

    def test_defending_has_no_penalty_and_takes_none_of_the_declared_actions(self, table: GameTable) -> None:
        start_fight(table, "Q♠ K♠")
        table.do("Bram", "act", count=2)
        table.do("GM Ash", "attack", FALL["20"], target="Bram", track="blunt", defended=True, **PAIR)

        defended = table.do("Bram", "defend", FALL["20"], **PAIR)
        first = table.do("Bram", "check", "d20:10 d12:10", **PAIR)
        second = table.do("Bram", "check", "d20:10 d12:10", **PAIR)

        assert [done.rolls[0].total for done in (defended, first, second)] == [20, 15, 10]

    def test_the_target_may_choose_how_to_defend_or_take_the_wound(self, table: GameTable) -> None:
        strike(table, FALL["20"], defended=True)
        assert table.last is not None
        best, menu, take = table.last.follow_ups
        assert (best.label, menu.label, take.label) == (
            "Bram: Int + Dex 38%",
            "Bram defends against tier 20 with …",
            "Take the wound",
        )
        assert {best.group, menu.group, take.group} == {"defence"}
        assert [choice.note for choice in menu.choices][:2] == ["stops it 22%", "stops it 38%"]

        done = table.press("Bram", menu, "d20:10 d12:10", choose="Int + Dex")

        assert done.rolls[0].against == "20+"

    def test_taking_the_wound_rolls_nothing(self, table: GameTable) -> None:
        strike(table, FALL["20"], defended=True)
        assert table.last is not None

        done = table.press("Bram", table.last.follow_ups[2])

        assert done.headline == "is hit by Ash"
        assert done.verdict == Verdict(Family.FAILURE, "tier 20, heavy wound")
        assert table.wounds("Bram", "blunt") == "0/0/1/0"

    def test_the_gm_may_allow_a_defence_after_all(self, table: GameTable) -> None:
        strike(table, FALL["20"], "rending")
        assert table.last is not None
        allow = table.last.follow_ups[1]
        assert (allow.label, allow.audience) == ("Let Bram defend", Audience.GM)

        allowed = table.press("GM", allow)

        assert allowed.headline == "lets Bram defend"
        assert table.wounds("Bram", "rending") == "0/0/0/0"
        assert dict(table.named("Bram").timers) == {}
        done = table.press("Bram", allowed.follow_ups[1], FALL["20"], choose="Int + Dex")
        assert done.verdict == Verdict(Family.SUCCESS, "no wound")
        assert table.refused("GM", "allow_defence", **allow.options.model_dump()).what == (
            "That attack has already been resolved."
        )

    def test_a_defense_is_only_allowed_against_a_known_attack(self, table: GameTable) -> None:
        assert table.refused("GM", "allow_defence").what == "That attack has already been resolved."

    def test_a_defense_is_not_allowed_once_the_wound_has_been_healed(self, table: GameTable) -> None:
        strike(table, FALL["10"])
        assert table.last is not None
        allow = table.last.follow_ups[0]
        table.do("Bram", "rest", hours=1, now=True)

        assert table.refused("GM", "allow_defence", **allow.options.model_dump()).what == (
            "Bram's wound has been healed in the meantime."
        )

    def test_only_the_target_can_defend_and_only_once_allowed(self, table: GameTable) -> None:
        strike(table, FALL["20"])
        assert table.last is not None
        plain = table.last.follow_ups[0].options.model_dump()["attack"]

        assert (
            table.refused("Bram", "take_hit", attack=plain).what
            == "There is no attack for Bram to defend against."
        )
        strike(table, FALL["20"], defended=True)
        assert table.last is not None
        with pytest.raises(UserError, match="There is no attack for Cleo"):
            table.press("Cleo", table.last.follow_ups[1])

    def test_a_setting_lets_every_attack_be_defended(self, table: GameTable) -> None:
        table.settings(defence="always")

        strike(table, FALL["20"])

        assert table.last is not None
        assert [one.note for one in table.last.follow_ups] == ["Bram can defend."] * 3

    def test_unconscious_characters_cannot_defend(self, table: GameTable) -> None:
        table.settings(defence="always")
        table.wound("Bram", "blunt", "0/0/0/1")

        strike(table, FALL["20"])

        assert table.wounds("Bram", "blunt") == "0/0/1/1"

    def test_a_setting_lets_no_attack_be_defended(self, table: GameTable) -> None:
        table.settings(defence="never")

        mistake = table.refused("Ash", "attack", target="Bram", track="blunt", defended=True, **PAIR)
        strike(table, FALL["20"])

        assert mistake.what == "There are no defenses in this campaign."
        assert table.last is not None
        assert table.last.follow_ups == ()

    def test_a_defender_without_magic_cannot_use_it(self, table: GameTable) -> None:
        strike(table, FALL["20"], defended=True)

        assert table.refused("Bram", "defend", magic=True, **PAIR).what == "Bram can't do magic."

    def test_a_gm_may_set_the_tier_of_a_defence(self, table: GameTable) -> None:
        strike(table, FALL["20"], defended=True)

        table.do("GM Bram", "defend", FALL["10"], tier="25", **PAIR)

        assert table.wounds("Bram", "blunt") == "0/0/0/0"


def waiting(table: GameTable) -> list[str]:
    return [one.what for one in RULESET.unsettled(table.scene)]


@pytest.fixture
def attacked() -> GameTable:
    """Ash's attack waits for Bram's defense."""
    table = lay_table()
    table.settings(defence="always")
    start_fight(table, "K♠ Q♠")
    table.do("Ash", "attack", FALL["20"], target="Bram", track="blunt", **PAIR)
    return table


@pytest.mark.rule("PMM-ATK-03")
class TestAttacks:
    def test_f_opt_04_ending_a_fight_names_pending_attacks(self, attacked: GameTable) -> None:
        asked = attacked.do("GM", "encounter.end")

        assert asked.headline == "can't end the fight yet: 1 thing is open"
        assert asked.notes == ("Bram's defense against Ash, tier 20.",)
        assert [one.label for one in asked.follow_ups] == [
            "Bram: Int + Dex 38%",
            "Bram defends against tier 20 with …",
            "Take the wound",
            "Settle it and end (GM)",
            "Waive it and end (GM)",
        ]

    def test_f_opt_04_settling_an_attack_defends_with_the_best_pair(self, attacked: GameTable) -> None:
        asked = attacked.do("GM", "encounter.end")

        ended = attacked.press("GM", asked.follow_ups[-2], FALL["10"])

        assert ended.notes[0] == "Bram's defense against Ash, tier 20: tier 15, moderate wound."
        assert attacked.wounds("Bram", "blunt") == "0/1/0/0"

    def test_f_opt_04_waiving_an_attack_causes_no_wound(self, attacked: GameTable) -> None:
        asked = attacked.do("GM", "encounter.end")

        attacked.press("GM", asked.follow_ups[-1])

        assert attacked.wounds("Bram", "blunt") == "0/0/0/0"
        assert waiting(attacked) == []


class TestContestsAndCalls:
    def test_f_opt_04_contests_and_calls_are_settled_too(self, table: GameTable) -> None:
        table.do("GM", "contest", one="Ash", other="Bram", **PAIR)
        table.do("GM", "call", character="Cleo", **PAIR)
        assert waiting(table) == [
            "Ash's roll in a contest",
            "Bram's roll in a contest",
            "Cleo's check that the GM called for",
        ]

        dice = ScriptedDice(f"{FALL['20']} {FALL['10']} {FALL['15']}")
        done = settle_all(table.scene, RULESET.unsettled, dice)

        assert "Bram's roll in a contest: Ash wins, tier 15." in done.notes
        assert done.notes[-1].startswith("Cleo's check that the GM called for: ")
        assert RULESET.unsettled(done.scene) == ()

    def test_f_opt_04_a_contest_is_waived_for_everybody_in_it(self, table: GameTable) -> None:
        table.do("GM", "contest", one="Ash", other="Bram", **PAIR)
        table.do("Ash", "oppose", FALL["20"])

        done = waive_all(table.scene, RULESET.unsettled)

        assert done.notes == ("Waived: Bram's roll in a contest.",)
        assert [key for key in done.scene.documents if done.scene.document(key)] == []
