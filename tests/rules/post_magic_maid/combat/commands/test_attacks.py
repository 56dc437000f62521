"""Attacks and defences."""

import pytest

from bot.rules.kernel import Audience, Family, Verdict
from bot.rules.kernel.errors import UserError
from tests.rules.post_magic_maid.combat.turns.test_assists import FALL
from tests.rules.post_magic_maid.play import GameTable, lay_table, start_fight

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

    def test_a_negative_total_causes_no_wound(self) -> None:
        table = lay_table()
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

    def test_a_defender_who_has_acted_may_still_defend(self) -> None:
        table = lay_table()
        start_fight(table, "Q♠ K♠")
        table.do("Bram", "check", "d20:1 d12:1", **PAIR)
        table.do("Bram", "encounter.next")
        strike(table, FALL["20"], defended=True)

        done = table.do("Bram", "defend", FALL["20"], **PAIR)

        assert done.rolls[0].terms == ()
        assert [button.procedure for button in done.follow_ups] == ["encounter.next"]

    def test_defending_has_no_penalty_and_takes_none_of_the_declared_actions(self) -> None:
        table = lay_table()
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
            "Bram defends · Int + Dex, stops it 38%",
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
