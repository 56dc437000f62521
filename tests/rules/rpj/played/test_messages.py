"""What people see of Lucky Breaks and damage: one message that changes, buttons that go, short sentences."""

from collections.abc import AsyncIterator

import pytest

from bot.table.journal import recap
from tests.cogs.desk import Desk, open_desk
from tests.rules.rpj.played.conftest import Played


@pytest.fixture
async def desk(played: Played) -> AsyncIterator[Desk]:
    opened = await open_desk(played.table)
    yield opened
    await opened.bot.close()


async def failed_check(desk: Desk, played: Played) -> dict[str, str]:
    """Laeniel fails; the buttons under it."""
    (sent,) = await desk.type(
        played.alice, "rpj check", played.interaction(2, 3), skill="Concealment", difficulty="8"
    )
    assert sent.text.splitlines() == [
        "**Laeniel** checks Concealment, Legendary · **failure by 3**",
        "⚁ ⚂ 5 + Concealment 6 + class skill 1 = **12** against 15+",
        "-# chance was 42%",
    ]
    return sent.controls


class TestLuckyBreakMessages:
    async def test_a_lucky_break_edits_the_message_and_undo_edits_it_back(
        self, desk: Desk, played: Played
    ) -> None:
        controls = await failed_check(desk, played)
        button = controls["Lucky Break: 33% to turn it · 3 of 3 left"]

        (turned,) = await desk.press(played.alice, button, played.interaction(6))

        assert turned.how == "edit"
        assert turned.text.splitlines() == [
            "**Laeniel** spends a Lucky Break and checks Concealment, Legendary "
            "· ~~failure by 3~~ **success, 1 degree**",
            "~~⚁~~ ⚂ 3 + 🍀 d6 **6** + Concealment 6 + class skill 1 = **16** against 15+",
            "Lucky Breaks 3 → 2",
            "-# chance was 42%",
        ]
        (back,) = await desk.press(played.gwen, turned.controls["Undo"])
        assert back.how == "edit"
        assert "failure by 3" in back.text
        assert button in back.controls.values()

    async def test_a_lucky_break_pressed_too_late_says_why_and_loses_its_button(
        self, desk: Desk, played: Played
    ) -> None:
        controls = await failed_check(desk, played)
        await played.do(played.alice, "check", skill="Concealment")

        edited, sentence = await desk.press(
            played.alice, controls["Lucky Break: 33% to turn it · 3 of 3 left"]
        )

        assert not any("Lucky Break" in label for label in edited.controls)
        assert "failure by 3" in edited.text
        assert sentence.is_private
        assert "someone it concerns has acted or rolled since." in sentence.text

    async def test_a_stranger_who_presses_a_lucky_break_is_told_whose_button_it_is(
        self, desk: Desk, played: Played
    ) -> None:
        controls = await failed_check(desk, played)

        (sent,) = await desk.press(played.bob, controls["Lucky Break: 33% to turn it · 3 of 3 left"])

        assert sent.is_private
        assert "That button is for Laeniel." in sent.text


class TestDamageMessages:
    async def test_the_gm_deals_damage_and_the_player_presses_the_save(
        self, desk: Desk, played: Played
    ) -> None:
        (harm,) = await desk.type(played.gwen, "rpj-gm health harm", targets="Ug", damage=2)
        assert harm.text.splitlines()[0] == "**Gwen** deals 2 damage to Ug"

        (save,) = await desk.press(
            played.bob,
            harm.controls["Ug: save 7+ (Leather armor 5 + 2 damage) · 58%"],
            played.interaction(2, 3),
        )

        assert not any(label.startswith("Ug: save") for label in save.controls)
        assert save.text.splitlines() == [
            *harm.text.splitlines(),
            "**Ug** rolls a Leather armor save against 2 damage · **failed\\: one 5+ save lost**",
            "⚁ ⚂ **5** against 7+",
            r"Leather armor 2 of 2 \(5+\) → 1 of 2 \(5+\)",
            "-# chance was 58%",
        ]

    async def test_the_lucky_breaks_left_are_shown_to_their_player_alone(
        self, desk: Desk, played: Played
    ) -> None:
        (shown,) = await desk.type(played.alice, "rpj breaks")

        assert shown.is_private
        assert shown.text.splitlines()[0] == "**Laeniel** has 3 of 3 Lucky Breaks left"


class TestChanceShown:
    """F-RPJ-03: the chance shown is the chance before the dice fell, whatever is done about them."""

    async def test_the_chance_shown_does_not_change_when_other_dice_are_kept(
        self, desk: Desk, played: Played
    ) -> None:
        controls = await failed_check(desk, played)
        button = controls["Lucky Break: 33% to turn it · 3 of 3 left"]
        (turned,) = await desk.press(played.alice, button, played.interaction(6))
        keep = next(id_ for label, id_ in turned.controls.items() if label.startswith("Keep"))

        *_edited, kept = await desk.press(played.alice, keep)

        assert kept.text.splitlines()[-1] == "-# chance was 42%"

    async def test_the_chance_shown_does_not_change_when_a_bonus_is_added(
        self, desk: Desk, played: Played
    ) -> None:
        (failed,) = await desk.type(
            played.bob, "rpj check", played.interaction(2, 2), skill="Diplomacy", difficulty="2"
        )
        assert failed.text.splitlines()[-1] == "-# chance was 28%"  # 9+ with two dice
        toggle = next(id_ for label, id_ in failed.controls.items() if "negotiating prices" in label)

        *_edited, told = await desk.press(played.bob, toggle)

        assert told.text.splitlines()[-1] == "-# chance was 42%"  # 8+ with the bonus

    async def test_the_chance_shown_does_not_change_when_the_gm_accepts_double_sixes(
        self, desk: Desk, played: Played
    ) -> None:
        (open_,) = await desk.type(
            played.alice, "rpj check", played.interaction(6, 6), skill="Concealment", difficulty="16"
        )
        assert open_.text.splitlines()[-1] == "-# chance was 0%"

        *_edited, told = await desk.press(played.gwen, open_.controls["Accept the critical (GM)"])

        assert told.text.splitlines()[-1] == "-# chance was 0%"

    async def test_accepting_a_critical_does_not_count_its_dice_again(
        self, desk: Desk, played: Played
    ) -> None:
        """F-ALL-04: neither as rolls nor as luck."""
        (open_,) = await desk.type(
            played.alice, "rpj check", played.interaction(6, 6), skill="Concealment", difficulty="16"
        )
        before = await recap.recap(played.table, played.alice.asks())
        await desk.press(played.gwen, open_.controls["Accept the critical (GM)"])

        after = await recap.recap(played.table, played.alice.asks())

        assert (before.rolls, after.rolls) == (1, 1)
        assert after.rollers == before.rollers
        assert after.luckiest == before.luckiest
