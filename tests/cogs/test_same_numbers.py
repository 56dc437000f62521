"""A number is one number (F-ALL-37): the sheet's text, its picture, its button and the roll say the same."""

import re
from pathlib import Path

from bot.rules import rpj, swim_class
from tests.cogs.played import get_up, sit_down


async def test_f_all_37_an_rpj_sheet_says_what_its_buttons_roll(tmp_path: Path) -> None:
    play = await sit_down(tmp_path, rpj.RULESET, "Marit Vance", "Oskar Brandt")
    opened = await play.types(play.alice, "/sheet")
    text = (await play.presses(play.alice, "Page 1 of 2")).text
    buttons = [found for label in opened.labels if (found := re.match(r"Check: (\w+) (\+\d+)$", label))]
    assert len(buttons) == 3
    for found in buttons:
        name, modifier = found.groups()
        line = next(line for line in text.split("\n") if line.startswith(f"{name} "))
        shown = re.search(r"\(rolls (\S+?)\)", line.replace("\\", ""))
        level = line.split()[1]
        assert modifier == (shown[1] if shown else f"+{level}"), line
        rolled = await play.types(play.alice, "/rpj check", "d6:2 d6:3", skill=name, difficulty="10+")
        assert f"= **{5 + int(modifier)}**" in rolled.text
    await get_up(play)


async def test_f_all_37_a_swim_sheet_counts_what_is_left_as_its_picture_does(tmp_path: Path) -> None:
    play = await sit_down(tmp_path, swim_class.RULESET, "Sable Thornwick", "Ondra Kestrel")
    await play.types(play.gwen, "/swim-gm harm", target="Sable Thornwick", points=1)
    text = (await play.types(play.alice, "/sheet")).text
    assert re.search(r"Composure · 0/1 left", text)
    assert re.search(r"Physical Defense · 1/1 left", text)
    await get_up(play)
