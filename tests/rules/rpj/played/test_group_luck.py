"""Lucky Breaks in a group check at a real table: a die of one's own, a failure of somebody else's."""

import pytest

from bot.table.base.results import Result
from bot.table.journal import journal
from bot.table.journal.deadlines import Expired
from bot.table.play import play
from bot.table.requests import gatherings
from tests.rules.rpj.played.conftest import Played, button
from tests.table.conftest import Person

GROUP = {"skill": "Concealment", "difficulty": "4", "members": ("Laeniel", "Ug"), "leader": "Laeniel"}


async def join(played: Played, who: Person, group: Result, label: str, *faces: int) -> Result:
    """Press the button at the group's message whose label begins so; gives what came of it."""
    seen = (await gatherings.look_closer(played.table, who.asks(), group.entry))[0]
    assert seen.gathering is not None
    name = next(one.group for one in seen.gathering.view.follow_ups if one.label.startswith(label))
    request = who.asks(played.interaction(*faces))
    await gatherings.join(played.table, request, group.entry, name)
    return await play.perform(played.table, request, "check", {})  # the same interaction: told again


async def came_to(played: Played, group: Result) -> str:
    seen = (await gatherings.look_closer(played.table, played.gwen.asks(), group.entry))[0]
    assert seen.gathering is not None
    verdict = seen.gathering.view.verdict
    return "" if verdict is None else verdict.title


@pytest.mark.rule("RPJ-SKILL-19", "RPJ-LUCK-02")
class TestLuckInAGroupCheck:
    async def test_a_member_can_turn_their_own_roll_after_the_others_have_rolled(
        self, played: Played
    ) -> None:
        group = await played.do(played.gwen, "group", **GROUP)
        failed = await join(played, played.alice, group, "Laeniel", 1, 2)
        await join(played, played.bob, group, "Ug", 1, 2)
        assert await came_to(played, group) == "the group fails"

        await play.press(played.table, played.alice.asks(played.interaction(6)), button(failed, "Lucky"))

        assert await came_to(played, group) == "the group succeeds"
        assert await played.breaks("Laeniel") == 2

    async def test_undoing_a_members_lucky_break_fails_the_group_again(self, played: Played) -> None:
        group = await played.do(played.gwen, "group", **GROUP)
        failed = await join(played, played.alice, group, "Laeniel", 1, 2)
        await join(played, played.bob, group, "Ug", 1, 2)
        request = played.alice.asks(played.interaction(6))
        turned = await play.press(played.table, request, button(failed, "Lucky"))

        await journal.undo(played.table, played.gwen.asks(), turned.result.entry)

        assert await came_to(played, group) == "the group fails"
        assert await played.breaks("Laeniel") == 3

    async def test_a_members_lucky_break_comes_too_late_once_they_have_acted_again(
        self, played: Played
    ) -> None:
        group = await played.do(played.gwen, "group", **GROUP)
        failed = await join(played, played.alice, group, "Laeniel", 1, 2)
        await join(played, played.bob, group, "Ug", 1, 2)
        await played.do(played.alice, "check", skill="Concealment")

        with pytest.raises(Expired):
            await play.press(played.table, played.alice.asks(), button(failed, "Lucky"))
