"""Checks of RPJ, Swim Class and Compare Roll, as people write them by hand: the dice, and the message."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

LADDER = {-2: "Easy", 0: "Normal", 2: "Moderate", 4: "Hard", 6: "Very hard", 8: "Heroic", 10: "Legendary"}
PIPS = " ⚀⚁⚂⚃⚄⚅"
FACES = range(1, 7)
CRITICAL_FAILURE, FAILURE, GM_DECIDES, EXACT, SUCCESS, CRITICAL = range(6)  # the results of RPJ's check


class Told(NamedTuple):
    """What the message of a check says."""

    text: str
    is_good: bool
    offers: tuple[tuple[str, str], ...] = ()  # the acts of its bright buttons, with their labels


def result_of(dice: tuple[int, ...], bonus: int, target: int) -> tuple[int, int]:
    """Return the result of a check of RPJ, in which the best two dice count, and its margin."""
    pair = sum(sorted(dice)[-2:])
    margin = pair + bonus - target
    if pair == 2:
        return CRITICAL_FAILURE, margin
    if pair == 12:
        return (CRITICAL if margin >= 0 else GM_DECIDES), margin
    return (FAILURE if margin < 0 else SUCCESS if margin else EXACT), margin


def in_words(result: int, margin: int) -> str:
    """Say the result of a check."""
    degrees = margin + (result == CRITICAL)
    succeeded = f"{degrees} degree{'' if degrees == 1 else 's'}"
    return {
        CRITICAL_FAILURE: "critical failure",
        FAILURE: f"failure by {-margin}",
        GM_DECIDES: "critical success if the GM agrees",
        EXACT: "success, perhaps with a complication",
        SUCCESS: f"success, {succeeded}",
        CRITICAL: f"critical success, {succeeded}",
    }[result]


def rpj_check(state: Mapping[str, Any], luck: int) -> Told:
    """Say a check of RPJ: two dice or, with a Lucky Break, three, and the skill against a target number."""
    dice, target = tuple(state["dice"]), 7 + state["difficulty"]
    bonus = sum(state["terms"].values())
    result, margin = result_of(dice, bonus, target)
    chance = sum(result_of(pair, bonus, target)[0] >= EXACT for pair in product(FACES, FACES)) / 36
    rung = max((one for one in LADDER if one <= state["difficulty"]), default=min(LADDER))
    pair = sum(sorted(dice)[-2:])
    shown = " ".join(PIPS[face] for face in dice)
    terms = "".join(f" + {word} {value}" for word, value in state["terms"].items())
    text = (
        f"**{state['name']}** checks {state['skill']}, {LADDER[rung]} · **{in_words(result, margin)}**\n"
        f"{shown} {pair}{terms} = **{pair + bonus}** against {target}+\n-# chance was {chance:.0%}"
    )
    is_good, label = result >= EXACT, ""
    if luck and len(dice) == 2:
        thirds = [result_of((*dice, face), bonus, target) for face in FACES]
        if is_good:
            worth = sum(third > (result, margin) for third in thirds) / 6
            label = f"Lucky Break · better {worth:.0%}"
        else:
            worth = sum(third >= EXACT for third, _ in thirds) / 6
            label = f"Lucky Break · {worth:.0%} · {luck} left"
        label = label if worth else ""
    return Told(text, is_good, (("luck", label),) if label else ())


def swim_check(state: Mapping[str, Any]) -> Told:
    """Say a roll of Swim Class: each die that reaches the difficulty counts."""
    dice, difficulty = state["dice"], state["difficulty"]
    progress = sum(face >= difficulty for face in dice)
    shown = " ".join(PIPS[face] if face >= difficulty else f"~~{PIPS[face]}~~" for face in dice)
    chance = 1 - ((difficulty - 1) / 6) ** len(dice)
    text = (
        f"**{state['name']}** rolls {state['skill']} {len(dice)} · **{progress or 'no'} progress**\n"
        f"{shown} against {difficulty}+ a die\n-# chance was {chance:.0%}"
    )
    return Told(text, progress > 0)


OUTCOMES = ("Failure", "Cost (−1)", "Cost", "Cost (+1)", "Success", "Crit")  # the results of a compare roll
CHART = {(False, 0): 0, (True, 0): 1, (False, 1): 2, (True, 1): 3, (False, 2): 4, (True, 2): 5}
GAINS = {0: "Stress", 1: "Stress", 3: "High", 5: "High"}  # the point that an outcome gives
MOST = {"Stress": 3, "High": 5}
RATINGS = {0: "Trivial (+0)", 2: "Normal (+2)", 4: "Difficult (+4)", 6: "Hard (+6)", 8: "Impossible (+8)"}
Pair = tuple[int, int]


def chart_of(d6: Pair, targets: Pair, modifier: int) -> int:
    """Return the outcome of a compare roll by the chart alone, from the worst to the best."""
    total = sum(d6) + modifier
    return CHART[d6[0] == d6[1], (total > targets[0]) + (total > targets[1])]


def outcome_of(d6: Pair, targets: Pair, modifier: int) -> int:
    """Return the outcome of a compare roll, from the worst to the best."""
    if d6 == (1, 1):
        return 0
    outcome = chart_of(d6, targets, modifier)
    return max(outcome, 4) if d6 == (6, 6) else outcome


@lru_cache(maxsize=1024)
def outcome_chances(modifier: int, difficulty: int) -> str:
    """Say how likely each kind of outcome is."""
    faces = range(1 + difficulty, 13 + difficulty)
    pairs, referee = list(product(FACES, FACES)), list(product(faces, faces))
    ways = Counter(outcome_of(d6, targets, modifier) for d6 in pairs for targets in referee)
    kinds = {"Failure": ways[0], "Cost": ways[1] + ways[2] + ways[3], "Success": ways[4], "Crit": ways[5]}
    return " · ".join(f"{kind}: {count / 5184:.0%}" for kind, count in kinds.items())


def compared(state: Mapping[str, Any]) -> tuple[Pair, Pair, int]:
    """Return the player's dice, the referee's with the difficulty, and what is added to the player's."""
    first, second, *d6 = state["dice"]
    targets = (first + state["difficulty"], second + state["difficulty"])
    return (d6[0], d6[1]), targets, sum(state["terms"].values())


def burns(state: Mapping[str, Any], high: int) -> list[tuple[int, int]]:
    """Return the fewest points of High that reach each better outcome; none better a natural 2."""
    d6, targets, modifier = compared(state)
    best, found = outcome_of(d6, targets, modifier), []
    for points in range(1, high + 1):
        if (better := outcome_of(d6, targets, modifier + points)) > best:
            best = better
            found.append((points, better))
    return found


def stays_open(state: Mapping[str, Any], points: Mapping[str, int]) -> bool:
    """Return whether High can better a compare roll, or make room for its Stress."""
    is_over = GAINS.get(outcome_of(*compared(state))) == "Stress" and points["Stress"] == MOST["Stress"]
    return points["High"] > 0 and (is_over or bool(burns(state, points["High"])))


def settle_compare(state: Mapping[str, Any], points: dict[str, int]) -> list[str]:
    """Give the point of a compare roll's outcome, and return what came of it; Stress over 3 costs HP."""
    outcome = outcome_of(*compared(state))
    came = ["It works, but at a cost: the GM says what."] if "Cost" in OUTCOMES[outcome] else []
    kind = GAINS.get(outcome)
    if kind is None:
        return came
    if points[kind] < MOST[kind]:
        points[kind] += 1
    elif kind == "High":
        came.append("High is capped at 5; 1 point is lost.")
    else:
        points["HP"] -= 1
        came.append(f"Stress over 3: {state['name']} loses 1 HP.")
        if points["HP"] == 0:
            came.append(f"{state['name']} is at 0 HP.")
    return came


def compare_words(d6: Pair, targets: Pair, modifier: int) -> str:
    """Say the outcome of a compare roll."""
    outcome, row = outcome_of(d6, targets, modifier), chart_of(d6, targets, modifier)
    raised = "" if outcome == row else f", raised from {OUTCOMES[row]}"
    return OUTCOMES[outcome] + {(1, 1): ", natural 2", (6, 6): f", natural 12{raised}"}.get(d6, "")


def compare_check(state: Mapping[str, Any], points: Mapping[str, int], *, is_open: bool) -> Told:
    """Say a compare roll: two d6 against each of two d12s, what came of it, and what may still better it."""
    d6, targets, modifier = compared(state)
    outcome, total = outcome_of(d6, targets, modifier), sum(d6) + modifier
    against = " and ".join(f"{target} {'✓' if total > target else '✗'}" for target in targets)
    doubles = ", doubles" if d6[0] == d6[1] else ""
    added = "".join(
        f" {'−' if value < 0 else '+'} {word} {abs(value)}" for word, value in state["terms"].items() if value
    )
    rating = RATINGS.get(state["difficulty"], f"+{state['difficulty']}")
    first, second = state["dice"][:2]
    before = state["before"]
    changes = [f"{kind} {was} → {points[kind]}" for kind, was in before.items() if was != points[kind]]
    lines = [
        f"**{state['name']}** checks {state['skill']} against {rating}"
        f" · **{compare_words(d6, targets, modifier)}**",
        f"d12: {first} and {second} · 2d6: {PIPS[d6[0]]} {PIPS[d6[1]]} {sum(d6)}{added} = **{total}**"
        f" against {against}{doubles}",
        " · ".join(changes),
        *state["notes"],
    ]
    offers = []
    if is_open:
        offers = [
            (f"burn{burned}", f"Burn {burned} High → {OUTCOMES[better]} (was {OUTCOMES[outcome]})")
            for burned, better in burns(state, points["High"])
        ]
        if d6 == (1, 1):
            lines.append("High can't improve a natural 2.")
        elif not offers:
            lines.append(f"{points['High']} High would not change it.")
        if points["High"] and points["Stress"]:
            offers.append(("calm", "Burn 1 High · 1 Stress less"))
        offers.append(("accept", f"Accept the {OUTCOMES[outcome]}"))
    lines.append(f"-# {outcome_chances(modifier, state['difficulty'])}")
    return Told("\n".join(line for line in lines if line), outcome > 0, tuple(offers))
