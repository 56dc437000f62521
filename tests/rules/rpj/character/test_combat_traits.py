"""What traits do in a fight."""

import pytest

from bot.rules.rpj.character.sheet import (
    Caution,
    Fists,
    OfferedStrike,
    caution,
    fists,
    goes_first,
    granted_maneuvers,
    initiative_terms,
    offered_strike,
)
from bot.rules.rpj.module.effects import FreeAttackTrigger, RpjCircumstances
from tests.rules.rpj.people import figure, with_trait

NOBODY = figure()
MISS = FreeAttackTrigger.MELEE_MISS


@pytest.mark.rule("RPJ-TRAIT-07")
class TestCombatTraits:
    def test_riposte_uses_up_the_rounds_free_attack(self) -> None:
        duelist = figure(traits=["riposte"])

        assert offered_strike(duelist, MISS, 1) == OfferedStrike(left=0)
        assert offered_strike(duelist, MISS, 0) is None

    def test_a_ranged_miss_offers_no_riposte(self) -> None:
        assert offered_strike(figure(traits=["riposte"]), None, 1) is None
        assert offered_strike(NOBODY, MISS, 1) is None

    def test_a_module_may_make_a_riposte_free(self) -> None:
        free = {"type": "free_attack_on", "trigger": MISS.value, "costs_the_free_attack": False}

        assert offered_strike(figure("", with_trait("swift", free), traits=["swift"]), MISS, 0) == (
            OfferedStrike(left=0)
        )

    def test_a_trait_may_give_a_cautious_move_two_steps(self) -> None:
        agile = with_trait("nimble", {"type": "cautious_movement", "steps": 2})

        assert caution(figure("", agile, traits=["nimble"])) == Caution(actions=None, steps=2)

    def test_battlefield_mobility_makes_a_cautious_move_cheaper(self) -> None:
        assert caution(figure(traits=["battlefield_mobility"])) == Caution(actions=2, steps=1)
        assert caution(NOBODY) == Caution(actions=None, steps=1)

    def test_alert_adds_1_to_initiative(self) -> None:
        alert = figure(traits=["alert"])

        assert [(term.label, term.value) for term in initiative_terms(alert, RpjCircumstances())] == [
            ("Alert", 1)
        ]

    def test_characters_with_quick_draw_go_first(self) -> None:
        assert goes_first(figure(traits=["quick_draw"]))
        assert not goes_first(figure(traits=["alert"]))

    def test_a_hand_to_hand_master_does_more_damage_and_may_kill(self) -> None:
        assert fists(figure(traits=["hand_to_hand_master"])) == Fists(damage=1, may_kill=True)
        assert fists(NOBODY) == Fists(damage=0, may_kill=False)

    def test_tough_adds_a_base_save(self) -> None:
        assert figure(traits=["tough"]).base_saves == (6, 7, 7)

    def test_a_trait_may_grant_a_maneuver(self) -> None:
        trained = with_trait("trained", {"type": "grants_maneuver", "maneuver": "watchful"})

        assert granted_maneuvers(figure("", trained, traits=["trained"])) == {"watchful"}
        assert granted_maneuvers(NOBODY) == frozenset()
