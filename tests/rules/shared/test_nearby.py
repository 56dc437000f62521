"""Whom a character can act on, as menus list them, and what is offered around a fight."""

import pytest
from msgspec.structs import replace

from bot.rules.kernel import ActGroup, CharacterId, Choice
from bot.rules.kernel.procedures import Act
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.initiative import FIGHTS
from bot.rules.post_magic_maid.sheet import Scene
from bot.rules.shared.encounters import StartOptions
from bot.rules.shared.encounters.model import DelayOptions
from bot.rules.shared.offering import (
    Offering,
    TryingDice,
    act_of,
    can_gather,
    choices_among,
    foes_first,
    friends_first,
    gathering_acts,
    is_foe,
    leaving_acts,
    with_first_choice,
)
from tests.rules.post_magic_maid.play import GameTable, id_of, lay_table, start_fight


@pytest.fixture
def table() -> GameTable:
    """Ash, Bram, Cleo and Dara, and two foes."""
    return lay_table()


def seen_by(table: GameTable, name: str) -> Scene:
    return replace(table.scene, actor_id=id_of(name))


def test_foes_come_before_friends_for_whoever_looks(table: GameTable) -> None:
    scene = seen_by(table, "Bram")
    assert [one.name for one in foes_first(scene)] == ["Ogre", "Wolf", "Ash", "Cleo", "Dara"]
    assert [one.name for one in friends_first(scene)] == ["Ash", "Cleo", "Dara", "Ogre", "Wolf"]
    assert [one.name for one in foes_first(seen_by(table, "Ogre"))] == ["Ash", "Bram", "Cleo", "Dara", "Wolf"]


def test_in_a_fight_only_its_combatants_are_attacked(table: GameTable) -> None:
    start_fight(table, "K♠ 5♠ 3♠ 9♣ 10♥")
    assert [one.name for one in foes_first(seen_by(table, "Ash"))] == ["Ogre", "Dara", "Bram", "Cleo"]
    assert foes_first(seen_by(table, "Wolf"))[0].name == "Ash"


def test_a_combatant_hidden_in_the_fight_is_in_no_menu(table: GameTable) -> None:
    start_fight(table, "K♠ 5♠")
    table.do("GM", "encounter.add", characters=("Wolf",), hidden=True)
    assert "Wolf" not in [one.name for one in friends_first(seen_by(table, "Ash"))]


def test_a_menu_has_each_character_with_its_note(table: GameTable) -> None:
    found = choices_among([table.named("Ash")], lambda one: f"{one.name} here")
    assert [(one.value, one.label, one.note) for one in found] == [("1", "Ash", "Ash here")]


def hide(table: GameTable, name: str) -> None:
    table.scene = table.scene.with_character(replace(table.named(name), is_hidden=True))


def gathered(table: GameTable, name: str, *, why_not: str = "") -> list[Act]:
    return list(gathering_acts(FIGHTS, seen_by(table, name), why_not=why_not))


def test_what_gathers_depends_on_whether_there_is_a_fight_and_who_is_in_it(table: GameTable) -> None:
    menu, alone = gathered(table, "Ash")
    assert (menu.do.label, alone.do.label) == ("Start a fight with …", "Start a fight")
    assert (menu.do.choices[0].label, menu.why_not, dict(menu.adjusts)) == ("Ogre", "", {})
    assert menu.do.options == StartOptions(others=(id_of("Ogre"),))
    assert dict(alone.adjusts) == {}
    (held,) = gathered(table, "Ash", why_not="Ash is tied up.")
    assert (held.do.label, held.why_not) == ("Start a fight", "Ash is tied up.")
    hide(table, "Ogre")
    assert gathered(table, "Ogre") == []
    assert not can_gather(seen_by(table, "Ogre"))

    start_fight(table, "K♠ 5♠")

    assert [one.do.label for one in gathered(table, "Cleo")] == ["Join the fight"]
    assert [can_gather(seen_by(table, name)) for name in ("Ash", "Cleo")] == [False, True]
    assert [len(list(leaving_acts(FIGHTS, seen_by(table, name)))) for name in ("Ash", "Cleo")] == [1, 0]


def test_a_foe_is_a_gms_character_here_and_nobody_else(table: GameTable) -> None:
    assert [is_foe(table.scene, id_of(name)) for name in ("Ash", "Ogre")] == [False, True]
    start_fight(table, "K♠ 5♠ 3♠ 9♣ 10♥")
    table.retire("Dara")
    assert not is_foe(table.scene, id_of("Dara"))  # who has left
    assert [is_foe(table.scene, id_of(name)) for name in ("Ash", "Ogre", "Wolf")] == [False, True, True]


def test_a_long_menu_is_paged_and_leaves_out_what_cannot_be_done(table: GameTable) -> None:
    offering = Offering(seen_by(table, "Ash"), RULESET.procedures)

    def menu(count: int, *, is_tried: bool) -> list[Act]:
        start = (Choice(str(n), f"{n}") for n in range(1, count + 1))
        return list(
            offering.menu(ActGroup.FIGHT, "encounter.start", "Fight", "others", start, is_tried=is_tried)
        )

    assert [(one.do.label, len(one.do.choices)) for one in menu(25, is_tried=False)] == [("Fight", 25)]
    first, second = menu(26, is_tried=False)
    assert (first.do.label, second.do.label) == ("Fight (1 of 2)", "Fight (2 of 2)")
    assert [one.do.choices[0].value for one in (first, second)] == ["1", "26"]
    assert (dict(first.adjusts), dict(first.values)) == ({}, {})
    hide(table, "Bram")
    offering = Offering(seen_by(table, "Ash"), RULESET.procedures)
    (able,) = menu(3, is_tried=True)
    assert [one.value for one in able.do.choices] == ["1", "3"]
    both = (Choice("3", "Cleo"), Choice("4", "Dara"))
    later = act_of(
        seen_by(table, "Ash"), "encounter.delay", DelayOptions(), "Delay", choices=both, chosen="after"
    )
    assert with_first_choice(later).options == DelayOptions(after=CharacterId(3))


def test_dice_for_trying_differ_from_throw_to_throw_and_stay_on_the_die() -> None:
    dice = TryingDice()

    assert [dice.roll(4) for _ in range(5)] == [2, 3, 4, 1, 2]
