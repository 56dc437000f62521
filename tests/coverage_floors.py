"""How much of each room the tests cover, branches included: ``python -m tests.coverage_floors``.

It reads what ``pytest --cov`` has measured. The rules must be covered almost completely, the rest
to a large part. Which branches a random game takes is left to its dice, so the floors leave a little room.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from coverage import Coverage

RULES = "bot/rules"
RULES_PERCENT, ELSEWHERE_PERCENT = 95, 90


def measured() -> tuple[Counter[str], Counter[str]]:
    """How many statements and branches there are in each room, and how many of them no test ran."""
    coverage = Coverage()
    coverage.load()
    with TemporaryDirectory() as folder:
        written = Path(folder) / "coverage.json"
        coverage.json_report(outfile=str(written))
        files = json.loads(written.read_text(encoding="utf-8"))["files"]
    there, missed = Counter[str](), Counter[str]()
    for path, found in files.items():
        room, summary = Path(path).parent.as_posix(), found["summary"]
        there[room] += summary["num_statements"] + summary["num_branches"]
        missed[room] += summary["missing_lines"] + summary["missing_branches"]
    return there, missed


def problems(there: Mapping[str, int], missed: Mapping[str, int]) -> Iterator[str]:
    """A sentence for each room that is covered too little."""
    for room, count in there.items():
        floor = RULES_PERCENT if room.startswith(RULES) else ELSEWHERE_PERCENT
        lost = missed.get(room, 0)
        if (count - lost) * 100 < floor * count:
            yield f"{room}: {(count - lost) / count:.1%} of {count} statements and branches run, not {floor}%"


def main() -> int:
    """Print what is covered too little; the exit code is 1 if anything is."""
    there, missed = measured()
    whole = sum(there.values())
    sys.stdout.write(f"{(whole - sum(missed.values())) / whole:.1%} of all statements and branches run\n")
    found = list(problems(there, missed))
    sys.stdout.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
