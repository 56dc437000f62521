"""Whoever leaves, or is not to be known of, while several people press at one message."""

from dataclasses import replace

import pytest

from bot.rules.kernel import Noted
from bot.rules.rpj.teamwork.assisting import note_assisted
from tests.rules.gathering import Together, leaves, opened
from tests.rules.rpj.table import GameTable, d6, rpj_table


@pytest.fixture
def table() -> GameTable:
    return rpj_table()


def asked(table: GameTable) -> Together:
    return opened(table, table.do("Ug", "assisted", skill="Crafting", difficulty="5", helper="Laeniel"))


def pocket(table: GameTable) -> Together:
    return opened(table, table.do("Laeniel", "opposed", skill="Concealment", target="Ug"))


def group(table: GameTable) -> Together:
    options = {"members": ("Laeniel", "Ug"), "leader": "Laeniel"}
    return opened(table, table.do("GM", "group", skill="Athleticism", difficulty="2", **options))


def test_a_check_can_be_rolled_alone_when_its_helper_has_left(table: GameTable) -> None:
    check = asked(table)
    leaves(table, "Laeniel")

    assert [label.split(" against")[0] for label in check.labels] == ["Ug: roll alone"]


def test_an_assisted_check_is_called_off_when_its_main_character_leaves(table: GameTable) -> None:
    check = asked(table)
    leaves(table, "Ug")

    assert (check.verdict, check.labels) == ("called off", [])


def test_an_opposed_check_is_called_off_when_a_side_leaves(table: GameTable) -> None:
    check = pocket(table)
    leaves(table, "Ug")

    assert (check.verdict, check.labels) == ("called off", [])


def test_a_group_check_goes_on_without_a_member_who_has_left(table: GameTable) -> None:
    check = group(table)
    leaves(table, "Ug")
    assert [label.split(":")[0] for label in check.labels] == ["Laeniel (leads)", "Close (GM)"]

    check.press("Laeniel", "Laeniel", d6("6 5"))

    assert check.verdict == "the group succeeds"


def test_a_character_who_has_left_is_shown_as_someone_in_a_flashback(table: GameTable) -> None:
    flashback = opened(table, table.do("Laeniel", "flashback", words="hid a rope"))
    flashback.press("Ug", "Join")
    leaves(table, "Ug")

    assert flashback.view().lines[0] == "With someone."


def test_pressing_a_button_of_a_finished_check_is_refused(table: GameTable) -> None:
    refused = table.refused("Laeniel", "assist", at="assisted/gone", how="easy")

    assert refused.what == "This is over."


def test_a_hidden_npc_cannot_be_named_in_a_public_check(table: GameTable) -> None:
    hidden = replace(table.named("Ogre"), is_hidden=True)
    table.scene = table.scene.with_character(hidden)

    for who, procedure, options in (
        ("Ug", "assisted", {"helper": "Ogre", "difficulty": "3", "skill": "Crafting"}),
        ("GM", "group", {"members": ("Ug", "Ogre"), "skill": "Athleticism"}),
        ("GM Ogre", "opposed", {"target": "Ug", "skill": "Concealment"}),
    ):
        refused = table.refused(who, procedure, **options)
        assert refused.what == "The players don't know about Ogre yet."


def test_an_unrelated_roll_does_not_count_as_assistance(table: GameTable) -> None:
    check = asked(table)
    kept = table.scene.document(check.key)
    assert kept is not None
    roll = table.do("Laeniel", "check", d6("4 4"), skill="Crafting")
    noted = Noted(scene=roll.scene, outcome=roll, actor=table.ids["Laeniel"])

    assert note_assisted(kept, noted) == kept  # type: ignore[arg-type]  # it is an assisted check

    check.press("Laeniel", "Laeniel: help, easy", d6("4 4"))
    helped = table.scene.document(check.key)
    looked = replace(noted, outcome=replace(roll, rolls=(), verdict=None))
    assert note_assisted(helped, looked) == helped  # type: ignore[arg-type]  # the same


def test_a_complication_afterwards_leaves_an_assisted_checks_result_unchanged(table: GameTable) -> None:
    check = asked(table)
    exact = check.press("Ug", "Ug: roll alone", d6("6 6"))
    verdict = check.verdict
    assert exact.passed is True

    offered = opened(table, table.do("Ug", "assisted", skill="Crafting", difficulty="1"))
    done = offered.press("Ug", "Ug: roll alone", d6("5 3"))
    complicate = [one for one in done.follow_ups if one.procedure == "complicate"]

    assert verdict is not None
    assert done.verdict is not None
    assert offered.verdict == done.verdict.title
    assert complicate
    for one in complicate[:1]:
        offered.follow("GM", one, "d6:1 d6:1")
        assert offered.verdict == done.verdict.title
