"""Files that mean harm: whatever they say, they are checked with little memory and soon."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.rules.own.games import HEAD, problems_of

ROOT = Path(__file__).parents[3]
SKETCH = Path(__file__).parent / "sketches" / "ash.toml"
CHECK = "dice = { d = 'd6' }\nread = { n = 'total d' }\n"
ATTRIBUTES = "[attributes]\n" + "".join(f"a{at} = {{ label = 'A', max = 1000000 }}\n" for at in range(40))


def heavy(check: str) -> str:
    return ATTRIBUTES + "".join(f"[checks.c{at}]\n{check}\n" for at in range(12))


HOSTILE: Mapping[str, str] = {
    "deep": "a = " + "[" * 60_000,
    "deep_tables": "a = " + "{ a = " * 9_000,
    "dotted": "a." * 30_000 + "a = 1",
    "long_key": f"{'k' * 60_000} = 1",
    "long_line": f"name = '{'x' * 60_000}'",
    "huge_number": f"[attributes]\na = {{ label = 'A', max = {'9' * 60_000} }}",
    "digits": "[derived]\n" + "".join(f"a{at} = '{'9' * 190}'\n" for at in range(40)),
    "powers": "[derived]\na = '" + "1000000 * " * 18 + "1000000'",
    "negations": f"[derived]\na = '{'-' * 190}1'",
    "nots": f"[derived]\na = '{'not ' * 45}1'",
    "parentheses": f"[derived]\na = '{'(' * 199}'",
    "chain": "[derived]\n" + "".join(f"a{at} = 'a{at + 1} + a{at + 1}'\n" for at in range(39)) + "a39 = '1'",
    "many_fields": "\n".join(f"a.b.c.d.e.f{at} = 1" for at in range(3_000)),
    "many_clocks": "[clocks]\n" + "".join(f"a{at} = {{ size = 1 }}\n" for at in range(3_600)),
    "many_problems": "[attributes]\n" + "".join(f"a{at} = {{ x = 1 }}\n" for at in range(4_000)),
    "many_names": "[attributes]\n"
    + "".join(f"a{at} = {{ label = 'A' }}\n" for at in range(40))
    + "[derived]\n"
    + "".join(f"b{at} = '{' + '.join(f'a{at}{part}x' for part in range(20))}'\n" for at in range(40)),
    "many_effects": "[resets]\n"
    + "".join(f"'{at}' = ['zzz{at} + 1', 'yyy{at} + 1', 'xxx{at} + 1']\n" for at in range(1_200)),
    "not_a_number": "version = nan\n[attributes]\na = { label = 'A', max = inf }",
    "dates": "version = 1979-05-27T07:32:00Z\n[attributes]\na = { label = 07:32:00, max = 1979-05-27 }",
    "unicode": "name2 = '\u202e\u0000'\n[attributes]\n'\U0001f600\u0301' = { label = '\ufdfd\u0301\u0301' }",
    "doubled": "[attributes]\na = { label = 'A' }\na = { label = 'B' }",
    "dice": heavy(
        "dice = { d = '20d1000', e = '20d1000' }\nread = { n = 'total d', m = 'highest e' }\n"
        "tiers = [{ name = 'A' }]"
    ),
    "largest": heavy(
        "dice = { d = '20d20' }\nread = { n = 'total d', m = 'highest d' }\n"
        "let = { t = 'a1 + a2 + a3' }\n"
        "tiers = [{ name = 'A', when = 'n * m > t' }, { name = 'B' }]"
    ),
    "sheets": heavy(
        CHECK + "value = 'n + " + " + ".join(f"a{at}" for at in range(30)) + "'\n"
        "tiers = [{ name = 'A', is = '1-3' }, { name = 'B' }]"
    ),
    "slow_dice": heavy(
        "dice = { a = '{min(a1 + 15, 20)}d20', b = 'd4' }\n"
        "read = { h = 'highest a', n = 'count a >= x', x = 'total b' }\n"
        "tiers = [{ name = 'A', when = 'n > h' }, { name = 'B' }]"
    ),
    "long_sheets": "[derived]\n"
    + "".join(f"b{at} = '{' + '.join(['a1'] * 40)}'\n" for at in range(40))
    + heavy(
        CHECK
        + f"value = 'n + {' + '.join(f'b{at}' for at in range(24))}'\n"
        + "tiers = [{ name = 'A', is = '1-3' }, { name = 'B' }]"
    ),
    "slow_sums": heavy(
        "dice = { a = '{min(a1 + 15, 20)}d20' }\nread = { h = 'highest a', n = 'total a' }\n"
        "tiers = [{ name = 'A', when = 'n > 9 * h' }, { name = 'B' }]"
    ),
    "aces": heavy(
        "dice = { a = '4d12 aces', b = '4d20 aces' }\nread = { n = 'total a, b' }\n"
        "tiers = [{ name = 'A', when = 'n > a1' }, { name = 'B' }]"
    ),
    "everything": ATTRIBUTES.replace("1000000", "20")
    + "[derived]\n"
    + "".join(f"b{at} = '{' + '.join(['a1'] * 40)}'\n" for at in range(40))
    + "".join(
        f"[checks.c{at}]\n"
        "ask = { s = 'attribute', t = 'attribute', e = 'edge', n = '-50..50', m = 'yes/no' }\n"
        "dice = { a = '{min(s + 3, 20)}d20', b = '2d4' }\n"
        "read = { h = 'highest a', n2 = 'count a >= 15', x = 'total b' }\n"
        f"value = 'h + n2 + x + n + t + {' + '.join(f'b{part}' for part in range(20))}'\n"
        "tiers = [{ name = 'A', is = '5+', do = ['a1 + 1', 'a2 + 1', 'a3 - 1'] }, { name = 'B' }]\n"
        "after = [{ label = 'X', reroll = 'all' }, { label = 'Y', reroll = 'a 2..5' }]\n"
        for at in range(12)
    )
    + "".join(
        f"[moves.m{at}]\nlabel = 'M{at}'\ncheck = 'c{at % 12}'\nwith = {{ s = 'a{at % 40}' }}\n"
        for at in range(60)
    ),
    "pools": heavy(
        "dice = { a = '{min(a1, 20)}d10', b = '{min(a2, 20)}d10' }\n"
        "read = { n = 'count a = 1', m = 'count b = 2' }\n"
        "tiers = [{ name = 'A', when = 'n > m' }, { name = 'B' }]"
    ),
}


MOST_CALLS = 2_000_000  # about a second
MOST_ON_THE_LOOP = 10_000  # some milliseconds, whatever is in the file


def test_little_memory_and_few_steps_are_enough_for_whatever_is_done_with_them(tmp_path: Path) -> None:
    files = []
    for name, text in HOSTILE.items():
        files.append(tmp_path / f"{name}.toml")
        files[-1].write_bytes((HEAD + text).encode()[:65_536])
    done = subprocess.run(
        [sys.executable, "-m", "tests.rules.own.limited_reader", str(SKETCH), *map(str, files)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )

    assert done.stderr == ""
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [name for name, *_ in lines] == list(HOSTILE)
    assert {name: int(calls) for name, _, calls, _ in lines if int(calls) > MOST_CALLS} == {}
    assert {name: int(calls) for name, *_, calls in lines if int(calls) > MOST_ON_THE_LOOP} == {}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("long_key", "Line 4 is longer than 8,192 characters."),
        ("dotted", "Line 4 is longer than 8,192 characters."),
        ("deep", "Line 4 is longer than 8,192 characters."),
        ("huge_number", "Line 5 is longer than 8,192 characters."),
        ("doubled", "This isn't TOML: Cannot overwrite a value"),
        ("powers", "this becomes larger than 1,000,000,000."),
        ("not_a_number", "version: this should be a whole number."),
        ("dates", "label: this should be a text in quotes."),
        ("chain", "8 is the most."),
    ],
)
def test_what_they_are_told(name: str, problem: str) -> None:
    assert any(problem in one for one in problems_of(HOSTILE[name])), problems_of(HOSTILE[name])[:3]


def test_no_more_than_a_thousand_problems_are_told() -> None:
    assert (
        len(problems_of("[attributes]\n" + "".join(f"a{at} = {{ x = 1 }}\n" for at in range(3_000)))) == 1000
    )
