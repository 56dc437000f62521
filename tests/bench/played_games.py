"""The measured games: their checks, and fights of seven."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.playground.discord import Answer, LocalDiscord, read
from bot.playground.discord.payloads import Payload
from tests.bench.processes import PATIENCE_SECONDS
from tests.e2e.people import Party, gather, read_line

FOES = 5
FIGHTERS = FOES + 2
END_TURN = "End turn"


@dataclass(frozen=True, slots=True)
class MeasuredGame:
    """A game with the check that is measured.

    Attributes:
        title: Its title.
        line: The check, as people type it.
        hears: What every answer to it contains.
        first: What the GM types before there is a campaign.
        before: What the GM types before there are characters.
        after: What the GM types after that.
        between: What the GM types before each batch of checks.
    """

    title: str
    line: str
    hears: str
    first: str = ""
    before: str = ""
    after: str = ""
    between: str = ""


MAID = MeasuredGame("Post-magic-maid", "/maid check first:Str second:Dex", "checks Str + Dex")
SWARM = MeasuredGame("Sword & Swarm", "/swarm test attribute:Mallet", "tests Mallet")
# So easy, with so many HP again and again, that failures do not take the character out of the game.
COMPARE = MeasuredGame(
    "Compare Roll",
    "/compare roll skill:Acrobatics/Stealth difficulty:Trivial",
    "checks Stealth",
    before="/campaign settings setting:settle_seconds value:0",  # else rolls settle while others are measured
    after="/compare-gm stat target:Juno Marsh stat:AGI score:20",
    between="/compare-gm fate target:Juno Marsh hp:52",
)
SWIM = MeasuredGame("Project Swim Class", "/swim roll skill:Basic Melee difficulty:4", "rolls Basic Melee")
# Mostly a failure that a Lucky Break may turn.
RPJ = MeasuredGame(
    "RPJ Core",
    "/rpj check skill:Archery difficulty:10",
    "checks Archery",
    before="/campaign settings setting:module value:fantasy",
)
# A game of one's own, a file of which comes with the bot.
OWN = MeasuredGame(
    "Salt and Signal",
    "/salt roll what:Brave the weather",
    "rolls Brave the weather",
    first="/game import example:Salt and Signal",
)
GAMES = (MAID, SWARM, COMPARE, SWIM, RPJ, OWN)


async def open_game(discord: LocalDiscord, game: MeasuredGame) -> Party:
    """Have two players play ready-made characters of a game, in a running session in a server of its own."""
    party = gather(discord, game.title)
    if game.first:
        await party.gwen.types(game.first)
    await party.gwen.types(f"/campaign create ruleset:{game.title} name:Bench", hears="Bench")
    if game.before:
        await party.gwen.types(game.before)
    ready = await party.alice.is_offered("/character create", "ready")
    for player, name in zip((party.alice, party.bob), ready, strict=False):
        await player.types(f"/character create ready:{name}", hears=name)
    if game.after:
        await party.gwen.types(game.after)
    await party.gwen.types("/session start")
    return party


async def rest(party: Party, game: MeasuredGame) -> None:
    """Have the GM make good what a batch of checks has done."""
    if game.between:
        await party.gwen.types(game.between)


async def check(party: Party, game: MeasuredGame) -> Answer:
    """Have a player make the game's check."""
    command, options = await read_line(game.line, party.alice.member)
    answer = await party.alice.member.send_command(command, options)
    assert game.hears in answer.text, answer.text
    return answer


async def open_fight(discord: LocalDiscord, game: MeasuredGame) -> Party:
    """Begin a fight of two players' characters and five NPCs, in a server of its own."""
    party = await open_game(discord, game)
    await party.gwen.types("/encounter start", hears="starts a fight")
    for player in (party.alice, party.bob):
        await player.presses("Join", hears="joins the fight")
    await party.gwen.types(f"/gm encounter add name:Raider count:{FOES}", hears=f"Raider {FOES}")
    await party.gwen.types("/encounter next")
    await party.gwen.types("/encounter next")
    await board_of(party)
    return party


async def end_turn(party: Party) -> Answer:
    """Have the GM end a turn, a player's from the board, and wait until the board shows the next."""
    before = await board_of(party)
    is_foes = f"[{END_TURN}]" not in read(before)
    gwen = party.gwen
    answer = await (gwen.types("/encounter next") if is_foes else gwen.member.press(before, END_TURN))
    await board_of(party, after=acting(read(before)))
    return answer


async def board_of(party: Party, *, after: str = "") -> Payload:
    """Wait until it is somebody's turn on the fight's board, no longer that of *after*, and return it."""

    def found() -> Iterator[Payload]:
        for posted in party.gwen.member.discord.messages.in_channel(party.server.channels[0]):
            text = read(posted.payload)
            if "[GM …]" in text and acting(text) not in ("", after):
                yield posted.payload

    await party.gwen.member.discord.until(lambda: any(True for _ in found()), PATIENCE_SECONDS)
    return list(found())[-1]


def acting(board: str) -> str:
    """Return whose turn it is."""
    return next(iter(re.findall(r"▶ \*\*(.+?)\*\*", board)), "")
