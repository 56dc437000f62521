"""Damage to the helpless and the unaware, outside of a fight: the GM says what is rolled."""

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Outcome
from bot.rules.rpj.character.damage_saves import Ambush
from bot.rules.rpj.character.sheet import OwnTrait
from bot.rules.rpj.module.defense_layers import Out
from tests.rules.rpj.table import GameTable, d6, labels, rpj_table


@pytest.fixture
def table() -> GameTable:
    """Ug has leather outside of a base of 6+/7+/7+/7+."""
    laid = rpj_table()
    laid.change("Ug", belongings=("leather",), traits=[OwnTrait(trait="tough").model_dump()])
    return laid


def saved(table: GameTable, how: Ambush, fall: str, damage: int = 2) -> Outcome:
    asked = table.do("GM", "ambush", target="Ug", damage=damage, how=how)
    return table.press("Ug", asked.follow_ups[0], d6(fall))


def health(table: GameTable) -> tuple[tuple[int, ...], Out]:
    kept = table.named("Ug").sheet.health
    return kept.lost_base, kept.out


@pytest.mark.rule("RPJ-HEALTH-18")
class TestDamageToTheHelpless:
    @pytest.mark.parametrize(
        ("how", "against", "lost"), [(Ambush.ONE_WORST, "9+", 7), (Ambush.ONE_BEST, "8+", 6)]
    )
    def test_one_failed_base_save_incapacitates_a_helpless_target(
        self, table: GameTable, how: Ambush, against: str, lost: int
    ) -> None:
        rolled = saved(table, how, "3 4")

        assert rolled.rolls[0].against == against
        assert health(table) == ((lost,), Out.INCAPACITATED)

    def test_a_target_named_twice_takes_the_damage_once(self, table: GameTable) -> None:
        struck = table.do("GM", "harm", targets=("Ug", "Ug"), damage=2)

        assert struck.headline == "deals 2 damage to Ug"
        assert len(labels(struck)) == 1

    def test_a_helpless_target_who_makes_the_save_is_unharmed(self, table: GameTable) -> None:
        saved(table, Ambush.ONE_WORST, "4 5")

        assert health(table) == ((), Out.NO)

    def test_damage_to_a_helpless_target_can_ignore_armor(self, table: GameTable) -> None:
        rolled = saved(table, Ambush.BASE, "3 4")

        assert rolled.headline == "rolls a save against 2 damage, base saves only"
        assert (rolled.rolls[0].against, health(table)) == ("8+", ((6,), Out.NO))

    @pytest.mark.parametrize(("how", "out"), [(Ambush.OUT, Out.INCAPACITATED), (Ambush.DEAD, Out.DEAD)])
    def test_the_gm_can_incapacitate_or_kill_a_helpless_target_without_a_roll(
        self, table: GameTable, how: Ambush, out: Out
    ) -> None:
        table.do("GM", "ambush", target="Ug", how=how)

        assert health(table) == ((), out)

    @pytest.mark.rule("RPJ-GCS-33")
    def test_a_new_layer_does_not_restart_the_bleeding_timer(self, table: GameTable) -> None:
        saved(table, Ambush.ONE_WORST, "3 4")
        table.scene = replace(table.scene, clock=30)
        table.do("Ug", "layer", name="Blanket", kind="ability", saves="6")

        assert health(table) == ((7,), Out.INCAPACITATED)
        assert table.named("Ug").timers == {"bleeding": 60}

    def test_an_incapacitated_target_can_only_be_killed(self, table: GameTable) -> None:
        table.do("GM", "ambush", target="Ug", how=Ambush.OUT)

        assert labels(table.do("GM", "ambush", target="Ug")) == ["Dead at once (GM)"]
        table.do("GM", "ambush", target="Ug", how=Ambush.DEAD)
        assert table.refused("GM", "ambush", target="Ug").what == "Ug is dead."
