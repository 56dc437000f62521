"""What is pressed under a roll of Compare Roll, as its message shows it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.cogs.compare_roll import (
    BURN,
    FAILED,
    JUNO,
    OTTO,
    WAITS,
    fails,
    ogre_attacks,
    table_of_compare_roll,
)
from tests.cogs.played import Play


@pytest.fixture
async def play(tmp_path: Path) -> AsyncIterator[Play]:
    """A table of Compare Roll."""
    async with table_of_compare_roll(tmp_path) as at_it:
        yield at_it


class TestOneMessage:
    """F-ALL-08, F-SMALL-07: what is pressed under a roll is told in its message, with every die."""

    async def test_high_is_burned_in_the_message_of_the_roll(self, play: Play) -> None:
        await fails(play)
        before = len(play.messages)
        said = await play.presses(play.alice, BURN)

        assert [one.how for one in said.sent] == ["edit"]
        assert len(play.messages) == before
        roll, dice, *_chances, burned = said.text.splitlines()
        assert roll.startswith("**Juno Marsh** checks Stealth")
        assert roll.endswith(" · ~~Failure~~ **Success**")
        assert "12 and 12 · 2d6\\: ⚁ ⚃ 6 + Stealth 3 + Agility 1 + High 5 = **15**" in dice
        assert burned == (
            "**Juno Marsh** burns 5 High on a Failure\\: checks Stealth \\(Acrobatics\\) · High 5 → 0"
        )
        assert said.labels == ["Details", "Undo", "Again"]

    async def test_an_undo_puts_the_message_and_its_buttons_back(self, play: Play) -> None:
        await fails(play)
        as_rolled = play.messages[-1].text
        await play.presses(play.alice, BURN)
        said = await play.presses(play.gwen, "Undo")

        assert said.text == as_rolled
        assert said.labels == [BURN, WAITS, "Details", "Undo", "Again"]
        assert await play.points(JUNO, "high") == 5

    async def test_details_tell_every_step(self, play: Play) -> None:
        await fails(play)
        await play.presses(play.alice, BURN)
        said = await play.presses(play.stranger, "Details")

        assert said.is_private
        assert "~~Failure~~ **Success**" in said.text
        assert "▸ Failure 15%" in said.text
        assert "burns 5 High" in said.text

    async def test_a_defense_and_its_burn_are_shown_under_the_attack(self, play: Play) -> None:
        await ogre_attacks(play)
        before = len(play.messages)
        await play.presses(play.alice, "Juno Marsh defends ·", FAILED)
        said = await play.presses(play.alice, "Burn")

        assert len(play.messages) == before
        first, *others = said.text.splitlines()
        assert first.startswith("**Ogre** attacks Juno Marsh")
        (defence,) = [one for one in others if "defends against Ogre" in one and "~~" in one]
        assert defence.startswith("**Juno Marsh** defends")
        details = await play.presses(play.bob, "Details")
        assert details.text.count("2d6") == 1
        assert "+ High" in details.text

    async def test_each_roll_at_deaths_door_is_added_to_the_message(self, play: Play) -> None:
        await play.types(play.gwen, "/compare-gm fate", target=JUNO, hp=0)
        await play.types(play.alice, "/compare deathsdoor", "d6:6 d6:5")
        before = len(play.messages)
        await play.presses(play.alice, "Make the second roll", "d6:1 d6:2")
        said = await play.presses(play.alice, "Make the third roll", "d6:6 d6:6")

        assert len(play.messages) == before
        assert [
            one.partition("** makes ")[2] for one in said.text.splitlines() if "at Death's Door" in one
        ] == [
            "the first roll at Death's Door · **hit**",
            "the second roll at Death's Door · **miss**",
            "the third roll at Death's Door · **hit**",
        ]

    async def test_the_end_of_a_turn_is_posted_as_its_own_message(self, play: Play) -> None:
        await play.types(play.gwen, "/encounter start", others=f"{JUNO}, {OTTO}, Ogre", at_once=True)
        await play.types(play.alice, "/compare attack", "d12:1 d12:1 d6:1 d6:1", targets="Ogre")
        said = await play.presses(play.alice, "End my turn")

        assert [one.how for one in said.sent] == ["edit", "follow-up"]
