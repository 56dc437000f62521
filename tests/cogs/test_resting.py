"""Rests while a fight runs in the channel ask first (F-ALL-38)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.rules import compare_roll, post_magic_maid, rpj, swim_class
from bot.rules.kernel import Ruleset
from tests.cogs.played import Play, Said, get_up, sit_down
from tests.table.conftest import Person

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
