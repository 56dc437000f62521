"""Sword & Swarm as it is played: commands and buttons in, replies and what is stored out."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.rules import compare_roll, post_magic_maid, rpj, swim_class
from bot.rules.kernel import Ruleset
from bot.rules.sword_and_swarm import RULESET
from tests.cogs.played import Play, Said, get_up, sit_down
from tests.table.conftest import Person

ODALYS, CORVIN = "Odalys Thorne", "Corvin Asher"


@pytest.fixture
async def play(tmp_path: Path) -> AsyncIterator[Play]:
    """Alice plays Odalys Thorne, Bob plays Corvin Asher; the GM has an Ogre."""
    play = await sit_down(tmp_path, RULESET, ODALYS, CORVIN)
    await play.npc("Ogre")
    yield play
    await get_up(play)


async def fails(play: Play, fall: str = "d6:2 d6:3") -> Said:
    """Have Odalys fail a proficiency test with advantage."""
    return await play.types(
        play.alice,
        "/swarm proficiency",
        fall,
        proficiency="Architecture",
        difficulty="16",
        advantage=True,
    )


class TestReroll:
    """SWARM-TEST-07, SWARM-PROF-08: a re-roll that nobody chooses is settled in time."""

    async def test_a_plain_failure_is_not_rerolled_because_it_could_get_worse(self, play: Play) -> None:
        said = await fails(play)
        assert said.labels[0].startswith("Roll again · ")
        assert said.labels[1] == "Keep the failure · auto 60 s"
        assert await play.waits(59) == []

        (done,) = await play.waits(1)

        headline = "keeps the result of Architecture (time ran out)"  # F-SMALL-23
        assert (done.result.message.headline, done.result.rolls) == (headline, ())
        assert done.message.follow_ups == ()
        assert await play.waits(60) == []

    async def test_the_worst_failure_is_rerolled(self, play: Play) -> None:
        said = await fails(play, "d6:1 d6:1")
        assert said.labels[0].endswith("· auto 60 s")
        assert said.labels[1] == "Keep the disastrous failure"

        (done,) = await play.waits(60)

        assert done.result.message.headline.startswith("re-rolls Architecture")
        assert len(done.result.rolls) == 1

    async def test_a_failed_attribute_test_is_rerolled(self, play: Play) -> None:
        await play.types(play.alice, "/swarm prefer", attribute="ask")
        said = await play.types(play.alice, "/swarm test", "d6:6", attribute="Coronet", advantage=True)
        assert said.labels[0].endswith("· auto 60 s")

        (done,) = await play.waits(60)

        assert done.result.message.headline.startswith("re-rolls Coronet")

    async def test_the_player_but_no_stranger_may_reroll_early(self, play: Play) -> None:
        await fails(play)
        refused = await play.presses(play.stranger, "Roll again")
        again = await play.presses(play.alice, "Roll again", "d6:6 d6:6")

        assert refused.is_private
        assert "The second result stands." in again.text
        assert await play.waits(60) == []

    @pytest.mark.parametrize(("seconds", "done"), [("0", 0), ("5", 1)])
    async def test_the_reroll_timeout_is_a_campaign_setting_and_may_be_off(
        self, play: Play, seconds: str, done: int
    ) -> None:
        await play.set("reroll_seconds", seconds)
        await fails(play)

        assert len(await play.waits(5)) == done


class TestReplies:
    @pytest.mark.parametrize(
        ("value", "bonus", "said"),
        [(6, -4, "a 6 is confirmed by 6 or more"), (10, -2, "no roll confirms a 6")],
    )
    async def test_a_six_says_what_confirms_it_f_small_01(
        self, play: Play, value: int, bonus: int, said: str
    ) -> None:
        answer = await play.types(
            play.alice, "/swarm versus", "d6:6 d6:4", attribute="Shield", value=value, bonus=bonus
        )

        assert said in answer.text
        assert "· **failure**" in answer.text

    async def test_two_sixes_in_a_row_leave_room_for_the_dice_and_the_chance(self, play: Play) -> None:
        said = await play.types(
            play.alice, "/swarm obstacle", "d6:6 d6:1 d6:6 d6:2", obstacle="9", advantage=True
        )

        assert "~~⚅~~ ~~confirm ⚀ 1~~ ⚅ 6 confirm ⚁ 2" in said.text
        assert " · 11%" in said.text
        assert "Advantage re-rolled the first failure." in said.text

    async def test_a_shield_of_0_is_valid_on_a_new_sheet_f_small_14(self, play: Play) -> None:
        await play.types(play.alice, "/swarm use", name="Leather apron", in_use=False)
        said = await play.types(play.alice, "/character sheet")

        assert "cannot act" not in said.text
        assert "Shield 0 · no protection" in said.text

    async def test_a_capped_gain_says_how_much_was_gained(self, play: Play) -> None:
        await play.types(play.gwen, "/swarm-gm star", target=ODALYS, change=-2)
        said = await play.types(play.gwen, "/swarm-gm star", target=ODALYS, change=20)

        assert "gives Odalys Thorne 2 Star back" in said.text
        assert "Star 2 → 4 of 4" in said.text

    async def test_a_difficulty_without_a_proficiency_is_refused(self, play: Play) -> None:
        said = await play.types(
            play.gwen, "/swarm-gm call", character=ODALYS, attribute="Key", difficulty="10"
        )

        assert said.text.startswith("Only a proficiency test has a difficulty.")

    async def test_a_trait_cannot_be_equipment_at_the_same_time(self, play: Play) -> None:
        said = await play.types(
            play.gwen, "/swarm-gm give", target=ODALYS, name="Leather apron", kind="trait", text="warm"
        )

        assert said.text.startswith("Odalys Thorne already has Leather apron as equipment.")


async def test_the_desk_waits_for_a_test_that_the_gm_asked_for(play: Play) -> None:
    await play.types(play.gwen, "/swarm-gm call", character=ODALYS, attribute="Key")
    before = await play.types(play.gwen, "/gm desk")
    await play.presses(play.alice, "Test Key")

    after = await play.types(play.gwen, "/gm desk")

    assert f"{ODALYS}\\: Test Key" in before.text
    assert "Waiting for" not in after.text


async def test_f_own_10_an_award_that_there_is_not_names_those_there_are(play: Play) -> None:
    said = await play.types(play.gwen, "/gm award", resource="Star", amount=1, characters=ODALYS)

    assert said.is_private
    assert "What can be awarded\\: Levels." in said.text


ONE_HOUR = 3600
SABLE, ONDRA = "Sable Thornwick", "Ondra Kestrel"


@asynccontextmanager
async def fighting(folder: Path, game: Ruleset, alices: str, bobs: str) -> AsyncIterator[Play]:
    """A table where Bob's character fights, and Alice's does not."""
    play = await sit_down(folder, game, alices, bobs)
    await play.types(play.gwen, "/encounter start", others=bobs)
    yield play
    await get_up(play)


async def hours(play: Play) -> int:
    """How many hours of game time have passed."""
    return (await play.campaign()).clock // ONE_HOUR


def assert_only_asked(said: Said) -> None:
    """The one who wants to rest is asked, and nobody else."""
    asked = said.sent[-1]
    assert asked.is_private
    assert "during a fight\nA fight is running in this channel. Nobody has rested yet." in asked.text
    assert said.labels == ["Rest anyway"]


async def asks_first(play: Play, who: Person, line: str, /, **options: object) -> Said:
    """Rest by a command: it asks first, and rests when told to."""
    before = await hours(play)
    assert_only_asked(await play.types(who, line, **options))
    assert await hours(play) == before
    rested = await play.presses(who, "Rest anyway")
    assert not rested.is_private
    return rested


async def test_f_all_38_swim_class(tmp_path: Path) -> None:
    async with fighting(tmp_path, swim_class.RULESET, SABLE, ONDRA) as play:
        rested = await asks_first(play, play.alice, "/swim rest", hours=2, now=True)
        assert "rests for 2 hours" in rested.text
        assert await hours(play) == 2
        assert "takes a brief rest" in (await asks_first(play, play.alice, "/swim rest")).text
        await play.types(play.gwen, "/gm encounter end")
        assert "takes a brief rest" in (await play.types(play.alice, "/swim rest")).text


async def test_f_all_38_a_rest_that_was_open_before_the_fight_asks_too(tmp_path: Path) -> None:
    play = await sit_down(tmp_path, swim_class.RULESET, SABLE, ONDRA)
    await play.types(play.alice, "/swim rest", hours=3)
    await play.types(play.gwen, "/encounter start", others=ONDRA)
    assert_only_asked(await play.presses(play.alice, "Rest now"))
    assert await hours(play) == 0
    await play.presses(play.alice, "Rest anyway")
    assert await hours(play) == 3
    await get_up(play)


async def test_f_all_38_the_gm_is_asked_at_the_desk_too(tmp_path: Path) -> None:
    async with fighting(tmp_path, swim_class.RULESET, SABLE, ONDRA) as play:
        called = await asks_first(play, play.gwen, "/gm rest", hours=8)
        assert "calls for a rest of 8 hours" in called.text
        await play.presses(play.gwen, "Call it off")
        await play.types(play.gwen, "/gm desk")
        (form,) = (await play.presses(play.gwen, "Rest …")).sent
        asked = await play.desk.fill(play.gwen, form.body["custom_id"], hours="8")
        assert_only_asked(Said(tuple(asked)))
        assert await hours(play) == 0


async def test_f_all_38_a_rest_called_during_the_fight_asks_once(tmp_path: Path) -> None:
    async with fighting(tmp_path, post_magic_maid.RULESET, "Nettle Quickwater", "Bram Ostergard") as play:
        opened = await asks_first(play, play.alice, "/maid rest", hours=2)
        assert "is about to rest for 2 hours" in opened.text
        await play.presses(play.alice, "Rest now")
        assert await hours(play) == 2


async def test_f_all_38_compare_roll(tmp_path: Path) -> None:
    juno = "Juno Marsh"
    async with fighting(tmp_path, compare_roll.RULESET, juno, "Otto Brandt") as play:
        rested = await asks_first(play, play.alice, "/compare rest", hours=1, now=True)
        assert "rests for 1 hour" in rested.text
        rested = await asks_first(play, play.gwen, "/compare-gm longrest", targets=juno)
        assert f"lets {juno} rest for 24 hours" in rested.text
        assert await hours(play) == 25


async def test_f_all_38_rpj(tmp_path: Path) -> None:
    marit = "Marit Vance"
    async with fighting(tmp_path, rpj.RULESET, marit, "Oskar Brandt") as play:
        rested = await asks_first(play, play.gwen, "/rpj-gm health rest", hours=8, who=marit)
        assert f"lets {marit} rest for 8 hours" in rested.text
        assert await hours(play) == 8


async def test_a_sheet_says_shield_and_boots_once_and_of_what_its_modifiers_are_once(play: Play) -> None:
    sheet = await play.types(play.alice, "/sheet")

    assert [sheet.text.count(word) for word in ("Boots", "Shield 0", "proficiencies")] == [1, 1, 1]
    assert "Boots 6 \\(1\\) · +2" in sheet.text
