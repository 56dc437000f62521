"""The menus of a level-up."""

from bot.rules.post_magic_maid.sheet import MaidSheet
from tests.rules.post_magic_maid.play import GameTable, active, lay_table, passive, sheet

TRACK = (6, 8, 12, 20, 32)


def learner(made: MaidSheet | None = None, *, waiting: int = 10, die_points: int = 0) -> GameTable:
    """Ash with level-ups that wait."""
    table = lay_table(sheets={"Ash": made or sheet()})
    table.change("Ash", resources={"blitz": 3, "level_ups": waiting, "die_points": die_points})
    return table


def grown(table: GameTable) -> MaidSheet:
    return table.named("Ash").sheet


class TestMenus:
    def test_the_menus_offer_allowed_advances_and_name_the_others(self) -> None:
        made = sheet(
            steps={"Dex": 3},
            abilities=[
                active("Fencing", 3, 2, creation=1, gave_point=True),
                active("Law", 1),
                passive("Contacts"),
            ],
        )
        table = learner(made, waiting=2, die_points=1)

        done = table.do("Ash", "level_up")

        menus = {button.procedure: button for button in done.follow_ups}
        assert list(menus) == ["single", "double", "passive", "specialise", "raise_die"]
        assert done.headline == "chooses a level-up (2 waiting)"
        assert (menus["single"].choices[0].label, menus["single"].choices[0].note) == ("Law", "+5 to +8")
        assert menus["double"].choices[0].note == "+5 to +7"
        assert menus["single"].choices[1].note == "new, +5"
        assert menus["passive"].choices[0].note == "strength 1 to 2"
        assert menus["passive"].choices[1].note == "new"
        assert [choice.value for choice in menus["specialise"].choices] == ["Int", "Str", "Cha", "Wll", "Lck"]
        assert menus["specialise"].choices[0].note == "+0 to +1"
        assert [(choice.value, choice.note) for choice in menus["raise_die"].choices] == [
            ("Str", "d6 to d8"),
            ("Lck", "d6 to d8"),
        ]
        assert done.notes == (
            "Fencing already has three single bonuses.",
            "Fencing already has two double bonuses.",
            "Dex already has three specialization steps.",
            "To add a new ability, use /maid levelup single, double or passive.",
        )

    def test_choosing_from_the_menu_buys_the_advance(self) -> None:
        table = learner()
        menus = {button.procedure: button for button in table.do("Ash", "level_up").follow_ups}

        table.press("Ash", menus["specialise"], choose="Lck")
        table.press("Ash", menus["single"], choose="Law")

        assert grown(table).advances == ("Lck +0 to +1", "Law +0 to +5")

    def test_without_a_level_up_there_is_no_menu(self, table: GameTable) -> None:
        assert table.refused("Ash", "level_up").what == "Ash has no level-up to spend."
