"""The game clock, timers that run out, and the end of a session."""

from collections.abc import Iterator, Sequence

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, DueTimer, FollowUp, Growth, PutBack, grown, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import signed, to_do
from bot.rules.post_magic_maid.encounter import MaidCombatant, MaidEncounter
from bot.rules.post_magic_maid.healing import MaidPendingAttack, verdict_buttons
from bot.rules.post_magic_maid.performance import Assist, awaiting, with_overdue
from bot.rules.post_magic_maid.sheet import (
    Character,
    HookResult,
    MaidSettings,
    MaidSheet,
    Outcome,
    Scene,
    SessionPolicy,
)
from bot.rules.post_magic_maid.sheet_text import game_time
from bot.rules.post_magic_maid.wounds import BLITZ, STARTING_BLITZ_POINTS, capped, is_unconscious

ASSIST = "assist/"  # how the keys of assists that wait begin


class MaidClockOptions(Document):
    """Options for advancing the game clock."""

    hours: int = Field(default=0, ge=0, le=10_000)
    minutes: int = Field(default=0, ge=0, le=10_000)
    seconds: int = Field(default=0, ge=0, le=10_000)

    @property
    def total(self) -> int:
        """The total time in seconds."""
        return self.hours * 3600 + self.minutes * 60 + self.seconds


@procedure("clock", gm_only=True, needs_actor=False)
def advance_clock(scene: Scene, options: MaidClockOptions, _dice: Dice) -> Outcome:
    """Let game time pass. [PMM-WND-08]"""
    if not options.total:
        now = game_time(scene.clock)
        raise UserError(f"No time has passed: it is {now}.", try_this="Enter hours, minutes or seconds.")
    later = scene.at_clock(scene.clock + options.total)
    return Outcome(scene=later, headline=f"lets time pass: it is {game_time(later.clock)}")


def timers_due(scene: Scene, due: Sequence[DueTimer]) -> HookResult:
    """Ask the GM about everybody whose wound was not treated in time; only the GM decides on death.

    The timers are taken off: the question is put once, and stays open until a GM answers it.

    [PMM-WND-06, PMM-WND-07 (PMM-R40)]
    """
    notes = []
    buttons: list[FollowUp] = []
    for timer in due:
        character = scene.character(timer.character)
        scene = scene.with_character(character.with_timer(timer.key, None))
        overdue = awaiting(scene, timer.character).overdue
        scene = with_overdue(scene, timer.character, tuple(dict.fromkeys((*overdue, timer.key))))
        notes.append(
            to_do(
                f"{character.name}'s {timer.key} wound was not treated in time. The GM decides what happens."
            )
        )
    for target in dict.fromkeys(timer.character for timer in due):
        buttons.extend(verdict_buttons(scene, target))
    return HookResult(scene=scene, notes=tuple(notes), follow_ups=tuple(buttons))


def end_session(scene: Scene, characters: Sequence[CharacterId], documents: Sequence[str]) -> HookResult:
    """Reset everything that resets at the end of a session. [PMM-BLZ-12 (PMM-R25), PMM-SES-01]

    Blitz Points follow the campaign's policy; what lasts a round is cleared from encounters, which stay.
    Assists that wait are dropped, and so is the GM's way back from attacks that have struck. Wounds,
    timers, level-ups and die points stay.
    """
    for id_ in characters:
        character = scene.character(id_)
        before = character.left(BLITZ)
        after = points_after_session(before, scene.settings)
        if character.owner is not None and after != before:
            scene = scene.with_character(character.with_resource(BLITZ, after))
    dropped: list[PutBack] = []
    for key in documents:
        found = scene.document(key)
        if isinstance(found, MaidEncounter) and found != found.cleared():
            scene = scene.with_document(key, found.cleared())
            dropped += [one for combatant in found.shown for one in _of_the_round(combatant)]
        elif isinstance(found, Assist) or (isinstance(found, MaidPendingAttack) and found.placed):
            scene = scene.with_document(key, None)
            dropped += _dropped(scene, key, found, characters) if isinstance(found, Assist) else ()
    return HookResult(scene=scene, notes=_open_timers(scene, characters), put_back=tuple(dropped))


def _dropped(scene: Scene, key: str, found: Assist, known: Sequence[CharacterId]) -> Iterator[PutBack]:
    """An assist that is dropped, unless it is a hidden character's."""
    who = CharacterId(int(key.removeprefix(ASSIST)))
    if who in known:
        name = scene.character(who).name
        yield PutBack(what="Assist", who=name, before=found.best.tier.words, after="none")


def _of_the_round(combatant: MaidCombatant) -> Iterator[PutBack]:
    """The effects of the round that a combatant loses."""
    kept = (
        ("Automatic 25", "waits" if combatant.has_automatic else ""),
        ("Bonus d8s", str(combatant.bonus_dice) if combatant.bonus_dice else ""),
        ("Aces to give", str(combatant.aces_to_give) if combatant.aces_to_give else ""),
        ("Blitz Point of the round", "burned" if combatant.has_blitzed else ""),
        (
            "Actions",
            f"{combatant.actions_used} of {combatant.actions_declared} used"
            if combatant.actions_declared
            else "",
        ),
    )
    yield from (PutBack(what=what, who=combatant.name, before=was, after="none") for what, was in kept if was)


def points_after_session(points: int, settings: MaidSettings) -> int:
    """The Blitz Points that a player's character has after a session. [PMM-BLZ-12]"""
    if settings.blitz_session_policy is SessionPolicy.NONE:
        return points
    fresh = capped(STARTING_BLITZ_POINTS, settings)
    return fresh if settings.blitz_session_policy is SessionPolicy.SET else max(points, fresh)


def _open_timers(scene: Scene, characters: Sequence[CharacterId]) -> tuple[str, ...]:
    found = (scene.character(id_) for id_ in characters)
    return tuple(
        f"{character.name}'s {key} wound: treat by {game_time(moment)} (now {game_time(scene.clock)})."
        for character in found
        for key, moment in sorted(character.timers.items(), key=lambda timer: timer[1])
    )


def growth(before: MaidSheet, after: MaidSheet, _settings: MaidSettings) -> Iterator[Growth]:
    """Return the attributes and abilities that rose, and the new abilities. [PMM-ADV-02 to PMM-ADV-10]"""
    for attribute, score in after.attributes.items():
        was = before.attributes[attribute]
        if (score.die, score.bonus) > (was.die, was.bonus):
            yield Growth(attribute.value, str(was), str(score))
    for ability in after.abilities:
        known = before.find_ability(ability.name)
        if known is None:
            yield Growth(ability.name, "", "new")
        elif ability.is_passive:
            yield from grown(ability.name, known.passives, ability.passives)
        elif ability.bonus > known.bonus:
            yield Growth(ability.name, signed(known.bonus), signed(ability.bonus))


def is_down(character: Character, _settings: MaidSettings) -> bool:
    """Whether a character is unconscious or dead. [PMM-WND-01]"""
    return character.sheet.is_dead or is_unconscious(character)
