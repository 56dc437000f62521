"""A number is one number (F-ALL-37): sheet, picture, buttons, composer and roll say the same."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.playground.discord.payloads import walk_components
from bot.rules import compare_roll, post_magic_maid, rpj, swim_class, sword_and_swarm
from bot.rules.kernel import Ruleset
from tests.cogs.played import Play, Said, get_up, sit_down

SUM = re.compile(r"= \*\*(\d+)\*\* against|= \*\*(\d+)\*\*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Shown:
    """Where a game shows its numbers.

    Attributes:
        game: The game.
        alices: Alice's character.
        bobs: Bob's.
        change: What the GM changes first: a command and its options.
        gauges: How the picture's text says a number, and how the sheet's text does.
        check: The best check, as its button and the menus call it, with what it rolls.
        line: What the sheet's text says of it.
        rolls: The command that makes that roll, and its dice.
        roll: Its options.
        rolled: What a roll says that it added to its dice, or how many dice it has.
        of_line: The number in the sheet's line.
    """

    game: Ruleset
    alices: str
    bobs: str
    change: tuple[str, Mapping[str, object]]
    gauges: Mapping[str, str]
    check: str
    line: str
    rolls: tuple[str, str]
    roll: Mapping[str, str]
    rolled: Callable[[str], int]
    of_line: Callable[[str], int] = field(default=lambda line: int(re.findall(r"\d+", line)[-1]))


def added(dice: int) -> Callable[[str], int]:
    """What a roll added to its dice."""

    def rolled(text: str) -> int:
        found = SUM.search(text)
        assert found is not None, text
        return int(found[1] or found[2]) - dice

    return rolled


GAMES = {
    "rpj": Shown(
        rpj.RULESET,
        "Marit Vance",
        "Oskar Brandt",
        ("/gm set resource", {"resource": "Lucky Breaks", "value": 1, "character": "Marit Vance"}),
        {r"Lucky Breaks (\d)/(\d)": r"Lucky Breaks (\d) of (\d)"},
        "Concealment +7",
        r"Concealment 6 .*rolls \+\d+",
        ("/rpj check", "d6:2 d6:3"),
        {"skill": "Concealment", "difficulty": "10+"},
        added(5),
    ),
    "swim_class": Shown(
        swim_class.RULESET,
        "Sable Thornwick",
        "Ondra Kestrel",
        ("/swim-gm harm", {"target": "Sable Thornwick", "points": 1}),
        {
            r"Composure (\d)/(\d)": r"Composure · (\d)/(\d) left",
            r"Physical (\d)/(\d)": r"Physical Defense · (\d)/(\d) left",
        },
        "Basic Melee 3",
        "●+○+ Basic Melee",
        ("/swim roll", "d6:5 d6:2 d6:6"),
        {"skill": "Basic Melee", "difficulty": "5"},
        lambda text: len(re.findall("[⚀-⚅]", text)),
        lambda line: line.count("●"),
    ),
    "compare_roll": Shown(
        compare_roll.RULESET,
        "Juno Marsh",
        "Otto Brandt",
        ("/compare-gm fate", {"target": "Juno Marsh", "stress": 2, "hp": 20}),
        {r"HP (\d+)/(\d+)": r"HP (\d+)/(\d+)", r"Stress (\d)/(\d)": r"Stress (\d)/(\d)"},
        "Precision +3",
        r"Precision 4 \(rolls \+\d\)",
        ("/compare roll", "d12:1 d12:2 d6:3 d6:4"),
        {"skill": "Precision"},
        added(7),
    ),
    "post_magic_maid": Shown(
        post_magic_maid.RULESET,
        "Nettle Quickwater",
        "Bram Ostergard",
        ("/maid-gm wound", {"target": "Nettle Quickwater", "track": "blunt", "tier": "10"}),
        {r"Blitz Points (\d)": r"Blitz Points (\d)"},
        "Rooftop running +5",
        r"Rooftop running \+\d",
        ("/maid check", "d20:5 d12:4"),
        {"first": "Dex", "second": "Lck", "ability": "Rooftop running"},
        lambda text: added(5 + 4 + 2 + 1)(text),  # the dice, and what Dex and Lck add
    ),
    "sword_and_swarm": Shown(
        sword_and_swarm.RULESET,
        "Odalys Thorne",
        "Corvin Asher",
        ("/swarm-gm ranks", {"target": "Odalys Thorne", "proficiency": "Architecture", "ranks": 3}),
        {r"Shield (\d)": r"Shield .*= (\d)", r"Boots (\d)": r"Boots (\d)", r"Star (\d)": r"Star (\d)"},
        "Architecture +4",
        r"Architecture 3 .*2d6 \+\d",
        ("/swarm proficiency", "d6:2 d6:4"),
        {"proficiency": "Architecture", "difficulty": "8"},
        added(6),
    ),
}


def alt_text(said: Said) -> str:
    """What the picture of a sheet shows, in words."""
    found = [one["items"] for one in walk_components(said.sent[-1].body["components"]) if "items" in one]
    return str(found[0][0]["description"])


async def whole_sheet(play: Play, first: str) -> str:
    """The sheet's text, page by page."""
    pages = [first]
    while more := [label for label in play.labels(play.alice) if label.startswith(f"Page {len(pages)} of")]:
        pages.append((await play.presses(play.alice, more[0])).text)
        if more[0].endswith(str(len(pages))):
            break
    return "\n".join(pages).replace("\\", "")


@pytest.mark.parametrize("name", GAMES)
async def test_f_all_37_every_number_is_the_same_wherever_it_is_read(name: str, tmp_path: Path) -> None:
    shown = GAMES[name]
    play = await sit_down(tmp_path, shown.game, shown.alices, shown.bobs)
    line, options = shown.change
    assert not (changed := await play.types(play.gwen, line, **options)).is_private, changed.text

    sheet = await play.types(play.alice, "/sheet")
    text = await whole_sheet(play, sheet.text)
    for of_picture, of_text in shown.gauges.items():
        pictured, written = re.search(of_picture, alt_text(sheet)), re.search(of_text, text)
        assert pictured is not None
        assert written is not None
        assert pictured.groups() == written.groups()

    number = int(re.findall(r"\d+", shown.check)[-1])
    (found,) = re.findall(shown.line, text)
    assert shown.of_line(found) == number
    assert f"Check: {shown.check}" in " ".join(sheet.labels) or name == "compare_roll"
    await play.presses(play.alice, "Check …")
    composed = await play.chooses(play.alice, "Roll with options …", shown.check)
    assert f"{shown.alices} · {shown.check}" in composed.text.replace("\\", "")
    command, fall = shown.rolls
    rolled = await play.types(play.alice, command, fall, **shown.roll)
    assert shown.rolled(rolled.text) == number, rolled.text
    await get_up(play)
