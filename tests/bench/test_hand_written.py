"""The hand-written check of Compare Roll, which is measured beside ours, does for players what ours does."""

import json
import sqlite3
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

from bot.playground.discord import Answer
from bot.rules.compare_roll.fortunes import HIGH, HP, STRESS
from tests.bench.hand_written_rolls import compare_check, settle_compare, stays_open
from tests.bench.processes import patient_discord, running
from tests.cogs.compare_roll import JUNO, table_of_compare_roll
from tests.rules.compare_roll.play import fall, labels, lay_table, sheet

# The bot as it is started for a measurement, but its dice fall as told.
SCRIPTED = """
import os, random, runpy
faces = iter(os.environ["FACES"].split())
random.randint = lambda least, most: int(next(faces))
runpy.run_module("tests.bench.hand_written_bot", run_name="__main__")
"""
Check = tuple[tuple[int, int], tuple[int, int], int]
POINTS = {"HP": HP, "Stress": STRESS, "High": HIGH}
FAILURE, COST_STRESS, COST_HIGH = ((2, 4), (12, 12), 2), ((3, 3), (12, 12), 2), ((4, 4), (1, 12), 2)
SUCCESS, CRIT, NATURAL_2 = ((2, 4), (1, 1), 2), ((4, 4), (1, 1), 2), ((1, 1), (1, 1), 2)
# From 3 HP, no Stress and 5 High on, with +4: checks with their dice and difficulty, and presses.
EVENING: tuple[Check | str, ...] = (
    FAILURE,
    "Burn 5 High → Success",
    COST_STRESS,
    SUCCESS,  # the check before it offered nothing, and is not told again
    COST_HIGH,
    CRIT,
    "Undo",
    CRIT,
    ((3, 4), (9, 11), 0),  # open: 2 High would better it
    "Burn 1 High · 1 Stress less",
    "Accept the Cost",
    ((2, 4), (12, 12), 8),
    FAILURE,
    FAILURE,
    FAILURE,  # open: it would cost HP, unless 1 High makes room for its Stress
    ((6, 6), (3, 12), 2),
    NATURAL_2,  # open, but High can't better it
    "Accept the Failure",
    ((3, 4), (5, 8), 0),
    "Burn 1 High → Success",
    *[CRIT] * 6,
    ((6, 6), (12, 12), 2),  # open: 2 High would better it
    SUCCESS,
    ((4, 4), (1, 2), 7),  # open, and its High is one too many
    FAILURE,
    SUCCESS,  # refused, as the open failure comes first and brings her to 0 HP
    "Accept the Failure",
)


class TestCompareRoll:
    def test_each_roll_is_read_left_open_and_settled_as_ours_is(self) -> None:
        pairs = [(first, second) for first in range(1, 7) for second in range(1, 7)]
        rolls = product(pairs, ((1, 1), (1, 12), (6, 10)), (0, 2, 7))
        for (d6, d12, against), stress, high in product(rolls, (0, 2, 3), (0, 1, 5)):
            table = lay_table(Ash=sheet(skills={"Acrobatics/Stealth": 3}))
            table.set("Ash", hp=2, stress=stress, high=high)
            points = {"HP": 2, "Stress": stress, "High": high}
            state = {"name": "Ash", "skill": "Stealth", "difficulty": against, "notes": []}
            state |= {"dice": [*d12, *d6], "terms": {"Stealth": 3, "Stress": -stress}, "before": dict(points)}

            ours = table.do("Ash", "check", fall(d6, d12), skill="Stealth", difficulty=str(against))
            is_open = stays_open(state, points)
            told = compare_check(state, points, is_open=is_open)
            notes = told.text.splitlines()[2:] if is_open else settle_compare(state, points)

            assert [label for _, label in told.offers] == labels(ours)
            assert ours.verdict is not None
            assert f"· **{ours.verdict.title}**" in told.text
            assert f"= **{ours.rolls[0].total}** against {ours.rolls[0].against}\n" in told.text
            assert set(ours.notes) <= set(notes)
            assert points == {word: table.points("Ash", key) for word, key in POINTS.items()}

    async def test_an_evening_of_checks_tells_the_same_facts_as_ours(self, tmp_path: Path) -> None:
        database, command = tmp_path / "hand.db", ("-c", SCRIPTED)
        faces = [str(face) for step in EVENING if isinstance(step, tuple) for face in (*step[1], *step[0])]
        async with table_of_compare_roll(tmp_path) as play, patient_discord() as discord:
            await play.set("settle_seconds", "0")
            await play.types(play.gwen, "/compare-gm fate", target=JUNO, hp=3)
            server = discord.add_server("Bench")
            anna = server.add_member("Anna")
            async with running(discord, database, *command, environment={"FACES": " ".join(faces)}):
                _seat(database, server.id, anna.id)
                checks: list[Answer] = []
                for step in EVENING:
                    if isinstance(step, str):
                        await play.presses(play.gwen if step == "Undo" else play.alice, step)
                        label = next(one for one in checks[-1].buttons if one.startswith(step))
                        await anna.press(checks[-1], label)
                    else:
                        d6, d12, against = step
                        chosen = {"skill": "Stealth", "difficulty": str(against)}
                        ours = await play.types(play.alice, "/compare roll", fall(d6, d12), **chosen)
                        theirs = await anna.slash("compare", skill="Stealth", difficulty=against)
                        assert theirs.ephemeral == ours.is_private
                        if not theirs.ephemeral:
                            checks.append(theirs)
                            assert _facts(ours.text) <= _facts(theirs.text)
                            assert theirs.buttons == ours.labels
                    for word, key in POINTS.items():
                        assert _points(database)[word] == await play.points(JUNO, key)


def _facts(text: str) -> set[str]:
    """The lines of a check, but for the dice and chances that ours leaves out where a message is too tall."""
    lines = text.replace("\\", "").replace(" (Acrobatics)", "").splitlines()
    return {line for line in lines if not line.startswith(("d12:", "-# "))}


def _seat(database: Path, server: int, person: int) -> None:
    """Have somebody play Juno Marsh."""
    points = {"HP": 3, "Stress": 0, "High": 5}
    made = {"attributes": {"Dex": 1}, "skills": {"Stealth": 3}, "points": points, "is_out": False}
    row = (server, person, JUNO, json.dumps(made), 0)
    with closing(sqlite3.connect(database)) as file, file:
        file.execute("INSERT INTO characters VALUES (?, ?, ?, ?, ?)", row)


def _points(database: Path) -> Any:
    with closing(sqlite3.connect(database)) as file:
        return json.loads(file.execute("SELECT sheet FROM characters").fetchone()[0])["points"]
