"""Checks of RPJ and Swim Class, as people write them for a bot by hand: reading the dice, and the message."""

from collections.abc import Mapping
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
    lucky_break: str = ""  # the label of its button, if there is one


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
    return Told(text, is_good, label)


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
