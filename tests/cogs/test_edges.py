"""The edge of a message has one meaning (F-ALL-38): green is good for the heroes, red is bad for them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.rules import compare_roll, post_magic_maid, rpj, swim_class, sword_and_swarm
from bot.rules.kernel import Ruleset
from bot.ui.input.discord_format import COLOURS
from bot.ui.text.reply import Accent
from tests.cogs.played import Play, Said, get_up, sit_down

GREEN, RED = COLOURS[Accent.SUCCESS], COLOURS[Accent.FAILURE]
FOE = "Ogre"


def edge(said: Said) -> object:
    """The colour of the last message for everybody."""
    body = [one.body for one in said.sent if not one.is_private][-1]
    embeds = [embed["color"] for embed in body.get("embeds") or []]
    return [*embeds, *(one["accent_color"] for one in body.get("components") or [] if one["type"] == 17)][0]


@asynccontextmanager
async def playing(folder: Path, game: Ruleset, alices: str, bobs: str) -> AsyncIterator[Play]:
    """Alice and Bob play a ready-made hero each; the GM has a foe."""
    play = await sit_down(folder, game, alices, bobs)
    await play.npc(FOE)
    yield play
    await get_up(play)


def test_f_all_38_only_a_running_fight_is_violet() -> None:
    violet = COLOURS[Accent.FIGHT]
    assert [accent for accent in Accent if COLOURS[accent] == violet] == [Accent.FIGHT]
    assert COLOURS[Accent.BOARD] == COLOURS[Accent.NEWS]


async def test_f_all_38_compare_roll(tmp_path: Path) -> None:
    juno = "Juno Marsh"
    async with playing(tmp_path, compare_roll.RULESET, juno, "Otto Brandt") as play:
        await play.types(play.gwen, "/compare-gm foe", target=FOE, hp=30, weapon="Baseball Bat")
        fall = "d12:1 d12:1 d6:6 d6:6 d6:1"
        hit = await play.types(play.alice, "/compare attack", fall, targets=FOE, weapon="Unarmed")
        assert edge(hit) == GREEN
        await play.types(play.gwen, "/compare attack", "d6:4", targets=juno, **{"as": FOE})
        wound = await play.chooses(play.alice, f"{juno} defends", "Dodging", "d12:12 d12:11 d6:1 d6:2")
        assert edge(wound) == RED


async def test_f_all_38_post_magic_maid(tmp_path: Path) -> None:
    nettle = "Nettle Quickwater"
    async with playing(tmp_path, post_magic_maid.RULESET, nettle, "Bram Ostergard") as play:
        how = {"first": "Str", "second": "Dex", "track": "blunt", "defended": True}
        attack = await play.types(play.gwen, "/maid attack", target=nettle, tier="20", **how, **{"as": FOE})
        assert edge(attack) == RED
        assert edge(await play.presses(play.alice, "Take the wound")) == RED
        hit = await play.types(play.alice, "/maid attack", target=FOE, **how)
        assert edge(hit) == GREEN
        assert edge(await play.presses(play.gwen, "Take the wound")) == GREEN


async def test_f_all_38_swim_class(tmp_path: Path) -> None:
    sable = "Sable Thornwick"
    async with playing(tmp_path, swim_class.RULESET, sable, "Ondra Kestrel") as play:
        await play.types(play.gwen, "/swim-gm rank", target=FOE, skill="Basic Melee", rank=3)
        fall, how = "d6:6 d6:2 d6:6", {"skill": "Basic Melee"}
        await play.types(play.gwen, "/swim attack", fall, targets=sable, **how, **{"as": FOE})
        assert edge(await play.presses(play.alice, f"{sable} doesn't oppose")) == RED
        await play.types(play.bob, "/swim attack", fall, targets=FOE, **how)
        assert edge(await play.presses(play.gwen, f"{FOE} doesn't oppose")) == GREEN


async def test_f_all_38_sword_and_swarm(tmp_path: Path) -> None:
    odalys = "Odalys Thorne"
    async with playing(tmp_path, sword_and_swarm.RULESET, odalys, "Corvin Asher") as play:
        won = await play.types(play.alice, "/swarm versus", "d6:6", attribute="Shield", target=FOE)
        assert edge(won) == GREEN
        how = {"attribute": "Mallet", "target": odalys, "as": FOE}
        assert edge(await play.types(play.gwen, "/swarm versus", "d6:6", **how)) == RED
        assert edge(await play.types(play.gwen, "/swarm versus", "d6:1", **how)) == GREEN


async def test_f_all_38_rpj(tmp_path: Path) -> None:
    marit = "Marit Vance"
    async with playing(tmp_path, rpj.RULESET, marit, "Oskar Brandt") as play:
        await play.types(play.gwen, "/rpj-gm health harm", targets=marit, damage=3)
        assert edge(await play.presses(play.alice, f"{marit}: save", "d6:1 d6:1")) == RED
        await play.types(play.gwen, "/rpj-gm health harm", targets=FOE, damage=3)
        lost = await play.presses(play.gwen, f"{FOE}: save", "d6:1 d6:1")
        assert edge(lost) == GREEN
        fall = "d6:6 d6:6 d6:1 d6:1"
        await play.types(play.gwen, "/encounter start", fall, others=f"{marit}, {FOE}", at_once=True)
        await play.types(play.gwen, "/encounter next")
        await play.types(play.gwen, "/rpj-fight place", who=marit, beside=FOE)
        hit = await play.types(play.alice, "/rpj-fight attack", "d6:6 d6:5", target=FOE)
        assert edge(hit) == GREEN
        await play.types(play.gwen, "/rpj-gm-fight side", who=FOE, side="players")
        check = {"skill": "Concealment", "difficulty": "7+", "as": FOE}
        assert edge(await play.types(play.gwen, "/rpj check", "d6:6 d6:5", **check)) == GREEN
