"""Gear and money given to another character."""

from bot.rules.swim_class.resources import PURSE
from tests.rules.swim_class.play import GameTable, lay_table, sheet


def laid() -> GameTable:
    table = lay_table(Ash=sheet(items=("Knife", "Arrow")))
    table.set("Ash", PURSE, 25)
    table.set("Bram", PURSE, 0)
    return table


def test_an_offered_item_changes_hands_when_it_is_taken() -> None:
    table = laid()
    offer = table.do("Ash", "hand", target="Bram", item="knife")
    assert offer.headline == "offers Bram 1 × Knife"
    assert table.sheet("Ash").find_item("Knife") is not None

    taken = table.press("Bram", offer.follow_ups[0])

    assert taken.headline == "takes 1 × Knife from Ash"
    assert table.sheet("Ash").find_item("Knife") is None
    assert table.sheet("Bram").find_item("Knife") is not None
    assert table.refused("Bram", "take", giver="Ash", item="Knife") == "Ash has no “Knife”."


def test_nobody_gives_more_than_they_have() -> None:
    table = laid()

    assert table.refused("Ash", "hand", target="Bram", item="Knife", quantity=2) == "Ash has only 1 × Knife."
    assert table.refused("Ash", "pay", target="Bram", gold=3) == "Ash has only 2 GP 5 SP."
    assert table.refused("Ash", "pay", target="Bram") == "Say how much you give."
    assert table.refused("Ash", "pay", target="Ash", gold=1) == "You can't give something to yourself."


def test_offered_money_changes_hands_when_it_is_taken() -> None:
    table = laid()
    offer = table.do("Ash", "pay", target="Bram", gold=2, silver=3)
    assert (offer.headline, offer.follow_ups[0].label) == ("offers Bram 2 GP 3 SP", "Take 2 GP 3 SP")

    table.press("Bram", offer.follow_ups[0])

    purses = [table.named(name).resources[PURSE] for name in ("Ash", "Bram")]
    assert purses == [2, 23]
