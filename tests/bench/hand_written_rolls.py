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
MOST_POINTS = 5


def outcome_of(d6: tuple[int, ...], d12: tuple[int, ...], modifier: int) -> int:
    """Return the outcome of a compare roll, from the worst to the best."""
    if d6 == (1, 1):
        return 0
    beaten = sum(sum(d6) + modifier > die for die in d12)
    outcome = CHART[d6[0] == d6[1], beaten]
    return max(outcome, 4) if d6 == (6, 6) else outcome


@lru_cache(maxsize=1024)
def outcome_chances(modifier: int) -> str:
    """Say how likely each kind of outcome is."""
    pairs, referee = list(product(FACES, FACES)), list(product(range(1, 13), range(1, 13)))
    ways = Counter(outcome_of(d6, d12, modifier) for d6 in pairs for d12 in referee)
    kinds = {"Failure": ways[0], "Cost": ways[1] + ways[2] + ways[3], "Success": ways[4], "Crit": ways[5]}
    return " · ".join(f"{kind}: {count / 5184:.0%}" for kind, count in kinds.items())


def compare_modifier(state: Mapping[str, Any]) -> int:
    """Return what is added to the player's dice."""
    modifier: int = sum(state["terms"].values()) - state["before"]["Stress"] + state["burned"]
    return modifier


def compare_check(state: Mapping[str, Any], points: Mapping[str, int]) -> Told:
    """Say a compare roll: two d6 against each of two d12s, and how many points of High would better it."""
    d6, d12, modifier = tuple(state["dice"][2:]), tuple(state["dice"][:2]), compare_modifier(state)
    outcome, total = outcome_of(d6, d12, modifier), sum(d6) + modifier
    shown = f"{PIPS[d6[0]]} {PIPS[d6[1]]} {sum(d6)}"
    against = " and ".join(f"{die} {'✓' if total > die else '✗'}" for die in d12)
    terms = state["terms"] | {"Stress": -state["before"]["Stress"], "High": state["burned"]}
    added = "".join(
        f" {'−' if value < 0 else '+'} {word} {abs(value)}" for word, value in terms.items() if value
    )
    lines = [
        state["earlier"],
        f"**{state['name']}** checks {state['skill']} · **{OUTCOMES[outcome]}**",
        f"d12: {d12[0]} and {d12[1]} · 2d6: {shown}{added} = **{total}** against {against}",
        *(
            f"{kind} {state['before'][kind]} → {now}"
            for kind, now in points.items()
            if state["before"][kind] != now
        ),
        f"-# {outcome_chances(modifier)}",
    ]
    offers, best = [], outcome
    for burned in range(1, points["High"] + 1 if d6 != (1, 1) else 0):
        better = outcome_of(d6, d12, modifier + burned)
        if better > best:
            best = better
            offers.append(
                (f"burn{burned}", f"Burn {burned} High → {OUTCOMES[better]} (was {OUTCOMES[outcome]})")
            )
    if offers:
        offers.append(("accept", f"Accept the {OUTCOMES[outcome]}"))
    return Told("\n".join(line for line in lines if line), outcome > 0, tuple(offers))
