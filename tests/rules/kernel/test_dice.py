import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.kernel.dice import FairDice, Fall, ReplayedDice, WrongDie, commitment, draw
from tests.dice import ScriptedDice

ROOT = Path(__file__).parents[3]
VECTORS = tomllib.loads((ROOT / "tests/rules/fair_dice_vectors.toml").read_text("utf-8"))["vector"]
PAGE = (ROOT / "docs/fairness.md").read_text("utf-8")


def falls(vector: dict[str, str]) -> list[Fall]:
    entries = (entry.removeprefix("d").split(":") for entry in vector["dice"].split())
    return [Fall(int(sides), int(face)) for sides, face in entries]


def journal(vectors: list[dict[str, str]]) -> list[dict[str, object]]:
    """An exported journal in which each known answer is a roll."""
    lines: list[dict[str, object]] = [{"type": "header", "version": 1}]
    for number, vector in enumerate(vectors, start=1):
        dice = [{"sides": fall.sides, "face": fall.face} for fall in falls(vector)]
        lines += [
            {
                "type": "seed",
                "number": number,
                "commitment": vector["commitment"],
                "secret": vector["seed"],
            },
            {
                "type": "entry",
                "interaction": vector["interaction"],
                "seed": number,
                "rolls": [{"dice": dice[:1]}, {"dice": dice[1:]}],
            },
            {"type": "entry", "interaction": "without dice", "seed": None, "rolls": []},
        ]
    lines.append({"type": "seed", "number": 99, "commitment": "of the seed in use", "secret": None})
    return lines


class TestFairDice:
    @pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["about"]))
    def test_fair_dice_match_the_known_answers(self, vector: dict[str, str]) -> None:
        dice = FairDice(bytes.fromhex(vector["seed"]), vector["interaction"])
        fallen = [Fall(fall.sides, dice.roll(fall.sides)) for fall in falls(vector)]

        assert fallen == falls(vector)
        assert dice.fallen == falls(vector)

    @pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["about"]))
    def test_the_commitment_is_the_sha256_of_the_seed(self, vector: dict[str, str]) -> None:
        assert commitment(bytes.fromhex(vector["seed"])) == vector["commitment"]

    @given(st.binary(min_size=32, max_size=32), st.integers(1, 1000))
    def test_a_fair_die_always_shows_one_of_its_faces(self, seed: bytes, sides: int) -> None:
        assert FairDice(seed, "1").roll(sides) in range(1, sides + 1)

    def test_fair_dice_repeat_for_the_same_interaction(self) -> None:
        first, second = FairDice(b"seed", "1"), FairDice(b"seed", "1")

        assert [first.roll(20) for _ in range(50)] == [second.roll(20) for _ in range(50)]


class TestReplayedDice:
    def test_replayed_dice_repeat_the_recorded_faces(self) -> None:
        dice = ReplayedDice([Fall(6, 4), Fall(20, 17)])

        assert (dice.roll(6), dice.roll(20)) == (4, 17)
        dice.assert_all_rolled()

    def test_replaying_another_die_raises_an_error(self) -> None:
        with pytest.raises(WrongDie, match="the rules rolled a d8; the script says d6:4"):
            ScriptedDice("d6:4").roll(8)

    def test_rolling_beyond_the_script_raises_an_error(self) -> None:
        with pytest.raises(WrongDie, match="the rules rolled a d6, but the script is used up"):
            ScriptedDice("").roll(6)

    def test_dice_left_in_the_script_are_named(self) -> None:
        dice = ScriptedDice("d6:4 d6:1 d20:9")
        dice.roll(6)

        with pytest.raises(WrongDie, match="never rolled: d6:1 d20:9"):
            dice.assert_all_rolled()


def test_a_card_is_drawn_from_the_remaining_cards() -> None:
    assert draw("abcd", 3, ScriptedDice("d4:2 d3:2 d2:2")) == ["b", "c", "d"]


class TestThePageOnFairness:
    @pytest.fixture
    def program(self, tmp_path: Path) -> Path:
        (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
        path = tmp_path / "check.py"
        path.write_text(code, "utf-8")
        return path

    def check(self, program: Path, lines: list[dict[str, object]]) -> subprocess.CompletedProcess[str]:
        file = program.with_name("journal.jsonl")
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        command = [sys.executable, "-W", "ignore", str(program), str(file)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_the_fairness_page_has_a_verifier_of_thirty_lines(self, program: Path) -> None:
        lines = program.read_text("utf-8").splitlines()

        assert len([line for line in lines if line.strip()]) <= 30

    def test_the_pages_verifier_agrees_with_every_known_answer(self, program: Path) -> None:
        found = self.check(program, journal(VECTORS))

        assert (found.returncode, found.stdout, found.stderr) == (0, "40 dice checked, 0 wrong.\n", "")

    def test_the_pages_verifier_finds_a_changed_die(self, program: Path) -> None:
        vector = {**VECTORS[0], "dice": VECTORS[0]["dice"].replace("d20:8", "d20:20")}
        found = self.check(program, journal([vector]))

        assert found.returncode == 1
        assert found.stdout.splitlines() == [
            "1234567890123456789: d20 shows 20, should be 8",
            "10 dice checked, 1 wrong.",
        ]

    def test_the_pages_verifier_finds_an_exchanged_seed(self, program: Path) -> None:
        found = self.check(program, journal([{**VECTORS[0], "seed": "00" * 32}]))

        assert found.returncode == 1
        assert found.stderr == "Seed 1 is not the one that was committed to.\n"

    def test_the_pages_worked_example_is_the_first_known_answer(self) -> None:
        assert f"printf '%s' '{VECTORS[0]['interaction']}:0'" in PAGE
        assert f"hexkey:{VECTORS[0]['seed']}" in PAGE
        assert "so a d6 shows 3." in PAGE
        assert falls(VECTORS[0])[0] == Fall(6, 3)
