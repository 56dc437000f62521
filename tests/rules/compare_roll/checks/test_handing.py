"""Handing things over from one character to another."""

import pytest

from bot.rules.compare_roll.sheet import CompareSheet
from tests.rules.compare_roll.play import GameTable, foe, lay_table, sheet

ARMED = sheet(
    weapons=({"name": "Pistol", "level": 2, "shots": 7},),
    items=({"name": "Stim", "count": 3}, {"name": "Light Armor", "count": 1}),
    armour="Light Armor",
)


def table_of(bram: CompareSheet | None = None) -> GameTable:
    table = lay_table(Ash=ARMED, Bram=bram or sheet())
    table.set("Ash", assets=100, ammunition=4)
    return table


@pytest.mark.rule("CMP-CHAR-05", "CMP-EQ-08")
class TestHanding:
    def test_a_weapon_goes_over_with_its_level_and_its_shots(self) -> None:
        table = table_of()
        assert table.do("Ash", "hand", thing="pistol", target="Bram").headline == "hands Pistol to Bram"
        (pistol,) = table.sheet("Bram").weapons

        assert (pistol.name, pistol.level, pistol.shots) == ("Pistol", 2, 7)
        assert table.sheet("Ash").weapons == ()

    def test_items_go_over_one_by_one_or_several_at_once(self) -> None:
        table = table_of()
        done = table.do("Ash", "hand", thing="Stim", target="Bram", count=2)

        assert done.headline == "hands 2 Stim to Bram"
        assert [(one.name, one.count) for one in table.sheet("Bram").items] == [("Stim", 2)]
        assert ("Stim", 1) in [(one.name, one.count) for one in table.sheet("Ash").items]

    def test_a_suit_handed_over_is_taken_off(self) -> None:
        table = table_of()
        table.do("Ash", "hand", thing="Light Armor", target="Bram")

        assert (table.sheet("Ash").armour, table.sheet("Bram").armour) == ("", "")

    def test_assets_and_ammunition_are_counted(self) -> None:
        table = table_of()
        assert table.do("Ash", "hand", thing="Assets", target="Bram", count=60).headline == (
            "hands 60 Assets to Bram"
        )
        table.do("Ash", "hand", thing="Ammunition", target="Bram", count=1)

        assert (table.points("Ash", "assets"), table.points("Bram", "assets")) == (40, 60)
        assert (table.points("Ash", "ammunition"), table.points("Bram", "ammunition")) == (3, 1)

    def test_nobody_hands_over_what_they_do_not_carry(self) -> None:
        table = table_of(bram=ARMED)
        assert "doesn't carry “Grenade”" in table.refused("Ash", "hand", thing="Grenade", target="Bram")
        assert "has only 3 Stim" in table.refused("Ash", "hand", thing="Stim", target="Bram", count=4)
        assert "to yourself" in table.refused("Ash", "hand", thing="Stim", target="Ash")
        assert "already carries Pistol" in table.refused("Ash", "hand", thing="Pistol", target="Bram")

    def test_an_opponent_keeps_no_count_of_assets(self) -> None:
        table = table_of(bram=foe())
        assert "keeps no count of Assets" in table.refused("Ash", "hand", thing="Assets", target="Bram")
