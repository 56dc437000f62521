"""Unsettled things: pending actions that are settled or waived before a scene closes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic, TypeAlias

from bot.rules.kernel.dice import Dice
from bot.rules.kernel.outcome import CharacterId, ForTypes, Roll
from bot.rules.kernel.play import FollowUp, Outcome
from bot.rules.kernel.scene import Character, Scene, SceneT, SceneT_co

MOST_SETTLED = 300  # settling one thing may bring the next: a hit, then its save
MOST_NAMED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsettled(ForTypes, Generic[SceneT_co]):
    """A pending answer: a save, a defense, an attack without a defense yet."""

    what: str  # what it is, without a full stop: "Ilsa's save against 9 damage"
    concerns: tuple[CharacterId, ...] = ()  # the characters that cannot leave before it is settled
    channel: str = ""  # the channel of the fight it is in, or nothing where it is in none
    # Whether it cannot outlast the session, and is settled when that ends; all else stays open.
    lapses: bool = False
    # Whether only a GM decides it, by pressing an answer: it is never settled with others.
    is_gms: bool = False
    answers: tuple[FollowUp, ...] = ()  # what can be pressed to settle it as its owner likes
    # Settles it in the way nobody objects to: what is owed is rolled, what is optional passes.
    settle: Callable[[SceneT_co, Dice], Outcome[SceneT_co]]
    waive: Callable[[SceneT_co], SceneT_co]  # drops it; nothing comes of it


Settle: TypeAlias = Callable[[SceneT, Dice], Outcome[SceneT]]
FindUnsettled: TypeAlias = Callable[[Scene], tuple[Unsettled, ...]]  # what comes first stands first


def for_gm(what: str, concerns: tuple[CharacterId, ...], answers: tuple[FollowUp, ...]) -> Unsettled[SceneT]:
    """A question to the GM, which stays open until an answer is pressed."""
    return Unsettled(
        what=what,
        concerns=concerns,
        is_gms=True,
        answers=answers,
        settle=lambda scene, _dice: Outcome(scene=scene, headline="waits for the GM"),
        waive=lambda scene: scene,
    )


def settled_as(who: Character, run: Settle[SceneT]) -> Settle[SceneT]:
    """Settle as a character, who counts as the roller where nobody else does."""

    def settle(scene: SceneT, dice: Dice) -> Outcome[SceneT]:
        done = run(replace(scene, actor_id=who.id), dice)
        rolls = tuple(roll if roll.roller else roll.by(who) for roll in done.rolls)
        return replace(done, scene=replace(done.scene, actor_id=scene.actor_id), rolls=rolls)

    return settle


class Closing(StrEnum):
    """How unsettled things are handled when a scene closes."""

    ASK = "ask"
    SETTLE = "settle"
    WAIVE = "waive"


def open_words(found: Sequence[Unsettled]) -> str:
    """The number of open things in words: "1 thing is open"."""
    return "1 thing is open" if len(found) == 1 else f"{len(found)} things are open"


def named_lines(found: Sequence[Unsettled]) -> tuple[str, ...]:
    """A line for each unsettled thing, the first few of many."""
    lines = [f"{one.what}." for one in found[:MOST_NAMED]]
    more = len(found) - len(lines)
    return (*lines, *([f"{more} more."] if more else []))


def settle_all(scene: Scene, find: FindUnsettled, dice: Dice) -> Outcome:
    """Settle everything, including whatever that opens.

    What was rolled can no longer be changed, so buttons that would make a roll unhappen are left out.
    """
    rolls: list[Roll] = []
    notes: list[str] = []
    buttons: list[FollowUp] = []
    moments: list[str] = []
    for _ in range(MOST_SETTLED):
        found = find(scene)
        if not found:
            break
        first = found[0]
        done = first.settle(scene, dice)
        if done.scene.documents == scene.documents and done.scene.characters == scene.characters:
            done = replace(done, scene=first.waive(scene))
        came = done.verdict.title if done.verdict is not None else "settled"
        rolls += done.rolls
        notes += [f"{first.what}: {came}.", *done.notes]
        buttons += [one for one in done.follow_ups if not one.rewinds]
        moments += done.moments
        scene = done.scene
    return Outcome(
        scene=scene,
        headline="settles what was open",
        rolls=tuple(rolls),
        notes=tuple(notes),
        follow_ups=tuple(buttons),
        moments=tuple(moments),
    )


def waive_all(scene: Scene, find: FindUnsettled) -> Outcome:
    """Drop everything that is open, without any effect."""
    notes: list[str] = []
    for _ in range(MOST_SETTLED):
        found = find(scene)
        if not found:
            break
        notes.append(f"Waived: {found[0].what}.")
        scene = found[0].waive(scene)
    return Outcome(scene=scene, headline="waives what was open", notes=tuple(notes))
