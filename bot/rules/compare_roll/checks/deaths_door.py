"""The choices at 0 HP: Death's Door, roll by roll, and the Blaze of Glory."""

from bot.rules.compare_roll.character.fortunes import (
    DEATH_ROLLS,
    HIGH,
    BlazeOptions,
    DoorOptions,
    luck_terms,
)
from bot.rules.compare_roll.character.sheet import (
    Character,
    CompareSheet,
    CompareStatus,
    DoorRoll,
    Outcome,
    Scene,
    status_of,
)
from bot.rules.compare_roll.checks.opening import BurnOptions, spend_high
from bot.rules.compare_roll.combat.state.encounter import CompareCover
from bot.rules.compare_roll.combat.state.strikes import take_hit
from bot.rules.compare_roll.resolution.amounts import (
    DAMAGE,
    DOOR,
    DamageInputs,
    DoorInputs,
    dealt_by,
    door_word,
    survival,
)
from bot.rules.kernel import CharacterId, Family, FollowUp, NamedTerm, Place, Verdict, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent

ROLLS = 3
ORDINALS = ("first", "second", "third")
BLAZE = DamageInputs(count=6, sides=6, plus=12)


def _assert_dying(character: Character) -> None:
    if status_of(character) is not CompareStatus.DYING:
        raise UserError(
            f"{character.name} is not at Death's Door.",
            "Death's Door and the Blaze of Glory are for characters at 0 HP.",
        )


def tally(sheet: CompareSheet) -> tuple[int, int]:
    """Hits and misses at Death's Door so far.

    Source: CMP-DEATH-02.
    """
    words = [door_word(roll.total) for roll in sheet.door]
    return words.count("hit"), words.count("miss")


def knock(scene: Scene, _options: DoorOptions, dice: Dice) -> Outcome:
    """Make the next of three rolls at Death's Door; after the third, give the verdict.

    Source: CMP-DEATH-01, CMP-DEATH-02, CMP-HIGH-02.
    """
    actor = scene.actor
    _assert_dying(actor)
    sheet = actor.sheet
    if len(sheet.door) == ROLLS:
        return hear_verdict(scene, actor.id)
    roll = DOOR.resolve(DoorInputs(terms=luck_terms(scene, actor, DEATH_ROLLS)), dice)
    faces = (roll.dice[0].face, roll.dice[1].face)
    modifier = (roll.total or 0) - sum(faces)
    which = ORDINALS[len(sheet.door)]
    changed = sheet.changed(
        status=CompareStatus.DYING, door=(*sheet.door, DoorRoll(faces=faces, modifier=modifier))
    )
    scene = scene.with_sheet(actor, changed)
    return Outcome(
        scene=scene,
        headline=f"makes the {which} roll at Death's Door",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=_door_notes(scene, actor.id),
        follow_ups=door_buttons(scene, actor.id),
    )


declare("deathsdoor", DoorOptions, knock)


def _door_notes(scene: Scene, who: CharacterId) -> tuple[str, ...]:
    sheet = scene.character(who).sheet
    hits, misses = tally(sheet)
    if len(sheet.door) == ROLLS:
        return (f"Hits {hits}, misses {misses} · that was the last roll.",)
    modifier = sum(term.value for term in luck_terms(scene, scene.character(who), DEATH_ROLLS))
    chance = survival(modifier, ROLLS - len(sheet.door), hits - misses)
    return (f"Hits {hits}, misses {misses} · survives {percent(chance)} from here.",)


def door_buttons(scene: Scene, who: CharacterId) -> tuple[FollowUp, ...]:
    """The buttons after a roll at Death's Door: burn High on it, or go on."""
    character = scene.character(who)
    door = character.sheet.door
    now, high = door_word(door[-1].total), character.resources.get(HIGH, 0)
    if not high_counts(scene):
        high = 0
    buttons, best = [], now
    for points in range(1, high + 1):
        word = door_word(door[-1].total + points)
        if word != best:
            best = word
            buttons.append(_burn_button(who, points, word, now))
    is_last = len(door) == ROLLS
    label = "Hear the verdict" if is_last else f"Make the {ORDINALS[len(door)]} roll"
    onward = FollowUp(
        procedure="deathsdoor", options=DoorOptions(), label=label, character=who, group=f"death/{who}"
    )
    return (*buttons, onward)


def high_counts(scene: Scene) -> bool:
    """Whether High can be burned at Death's Door.

    Source: CMP-HIGH-02 (CMP-R59).
    """
    return scene.settings.stress_applies_to in DEATH_ROLLS


def _burn_button(who: CharacterId, points: int, word: str, now: str) -> FollowUp:
    return FollowUp(
        procedure="burn",
        options=BurnOptions(count=points),
        label=f"Burn {points} High → {word} (was {now})",
        character=who,
        group=f"death/{who}",
        place=Place.VERDICT,
    )


def burn_at_door(scene: Scene, who: CharacterId, high: int) -> Outcome:
    """Burn High on the latest roll at Death's Door, before the next one.

    Source: CMP-DEATH-02, CMP-HIGH-02 (CMP-R59).
    """
    if not high_counts(scene):
        raise UserError(
            "In this campaign you can't burn High here.", "A GM can change that: setting stress_applies_to."
        )
    scene = spend_high(scene, who, high)
    character = scene.character(who)
    sheet = character.sheet
    last = evolve(sheet.door[-1], high=sheet.door[-1].high + high)
    parts = (("modifiers", last.modifier), ("High", last.high))
    terms = tuple(NamedTerm(label=label, value=value) for label, value in parts if value)
    inputs = DoorInputs(terms=terms, lying=last.faces, are_shown=True)
    roll = DOOR.resolve(inputs, _CompareNoDice()).by(character)
    scene = scene.with_sheet(character, sheet.changed(door=(*sheet.door[:-1], last)))
    return Outcome(
        scene=scene,
        headline=f"burns {high} High at Death's Door",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=_door_notes(scene, who),
        follow_ups=door_buttons(scene, who),
    )


class _CompareNoDice:
    """Dice that must not be rolled, for a roll already made."""

    def roll(self, sides: int) -> int:
        raise AssertionError(f"a d{sides} was rolled")  # pragma: no cover  # its dice are known


def hear_verdict(scene: Scene, who: CharacterId) -> Outcome:
    """Decide who survives: more misses than hits is death.

    Source: CMP-DEATH-02 (CMP-R50), CMP-DEATH-03 (CMP-R51).
    """
    character = scene.character(who)
    _assert_dying(character)
    sheet = character.sheet
    hits, misses = tally(sheet)
    is_dead = misses > hits
    status = CompareStatus.DEAD if is_dead else CompareStatus.STABLE
    verdict = Verdict(Family.FAILURE, "dies") if is_dead else Verdict(Family.SUCCESS, "survives")
    after = "Any healing gets them back up." if not is_dead else "/character retire puts the sheet away."
    return Outcome(
        scene=scene.with_sheet(character, sheet.changed(status=status, door=())),
        headline="hears the verdict of Death's Door",
        verdict=verdict,
        notes=(f"Hits {hits}, misses {misses}.", after),
    )


def blaze(scene: Scene, options: BlazeOptions, dice: Dice) -> Outcome:
    """Go out in a Blaze of Glory: 12+6d6 damage to whoever struck the character down, then death.

    Source: CMP-DEATH-04 (CMP-R52), CMP-DEATH-01.
    """
    actor = scene.actor
    _assert_dying(actor)
    sheet = actor.sheet
    if sheet.door:
        raise UserError(
            "You have already rolled at Death's Door.", "After the first roll, the choice is final."
        )
    target = _blazed(scene, options, sheet)
    dead = sheet.changed(status=CompareStatus.DEAD)
    scene = scene.with_sheet(actor, dead)
    verdict = Verdict(Family.NEWS, "dies in glory")
    if target is None:
        return Outcome(scene=scene, headline="goes out in a Blaze of Glory", verdict=verdict)
    roll = DAMAGE.resolve(BLAZE, dice).by(actor)
    turned = take_hit(scene, target, dealt_by(roll), CompareCover.NONE, actor.id)
    return Outcome(
        scene=turned.scene,
        headline=f"goes out in a Blaze of Glory against {scene.character(target).name}",
        verdict=verdict,
        rolls=(roll,),
        notes=turned.notes,
        follow_ups=turned.follow_ups,
    )


declare("blaze", BlazeOptions, blaze)


def _blazed(scene: Scene, options: BlazeOptions, sheet: CompareSheet) -> CharacterId | None:
    """The target of a Blaze of Glory, or None."""
    if options.nobody and options.target is not None:
        raise UserError("A Blaze of Glory hits a target or nobody.", "Choose only one of the two.")
    if options.nobody:
        return None
    target = options.target or sheet.downed_by
    if options.target not in {None, sheet.downed_by} and not scene.is_gm:
        raise UserError(
            "A Blaze of Glory hits whoever struck you down.", "Only a GM can choose another target."
        )
    if target is None:
        raise UserError(
            f"No one struck {scene.actor.name} down.",
            "A GM can choose a target, or the Blaze of Glory hits nobody.",
            "Use /compare blaze with “target” or “nobody”.",
        )
    return target
