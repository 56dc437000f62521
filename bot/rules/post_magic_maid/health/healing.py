"""Healing: an hour of rest, and treatment with Int + Dex."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Document,
    Family,
    FollowUp,
    Place,
    Verdict,
    declare,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid.character.scene import Character, Outcome, Scene
from bot.rules.post_magic_maid.character.settings import MaidSettings
from bot.rules.post_magic_maid.character.sheet import MaidAttribute, MaidSheet
from bot.rules.post_magic_maid.character.sheet_text import game_time
from bot.rules.post_magic_maid.character.wounds import (
    LEVELS,
    Track,
    assert_can_act,
    boxes_of,
    is_dead,
    remove_wound,
    with_boxes,
)
from bot.rules.post_magic_maid.checks.performance import CheckPlan, make_check
from bot.rules.post_magic_maid.combat.state.encounter import find_combatant
from bot.rules.post_magic_maid.combat.turns.turns import turn_buttons
from bot.rules.post_magic_maid.resolution.purposes import MaidPurpose
from bot.rules.post_magic_maid.resolution.tables import WoundRow
from bot.rules.post_magic_maid.resolution.tiers import MaidTier
from bot.rules.shared.resting import HOUR_SECONDS, Rested, Resting, RestOptions, RestRules, rest_procedures

MOST_HOURS = 168


class WoundKind(StrEnum):
    """A level of a track, as options and menus name it."""

    SLIGHT_BLUNT = "slight blunt"
    MODERATE_BLUNT = "moderate blunt"
    HEAVY_BLUNT = "heavy blunt"
    UNCONSCIOUS = "unconscious blunt"
    SLIGHT_RENDING = "slight rending"
    MODERATE_RENDING = "moderate rending"
    HEAVY_RENDING = "heavy rending"
    MORTAL = "mortal rending"


@dataclass(frozen=True, slots=True)
class _Level:
    """A level of a track with its place on it."""

    track: Track
    place: int
    row: WoundRow

    @property
    def kind(self) -> WoundKind:
        return WoundKind(f"{self.row.level} {self.track}")

    def filled(self, character: Character) -> int:
        return boxes_of(character, self.track)[self.place]

    def healed(self, scene: Scene, character: Character) -> Scene:
        boxes = remove_wound(boxes_of(character, self.track), self.place)
        return with_boxes(scene, character, self.track, boxes)


_LEVELS = {
    level.kind: level
    for track in Track
    for level in (_Level(track, place, row) for place, row in enumerate(LEVELS[track]))
}
_BY_REST = sorted(
    (level for level in _LEVELS.values() if level.row.rest_order is not None),
    key=lambda level: level.row.rest_order or 0,
)


class RestKind(StrEnum):
    """The wounds that an hour of rest can heal.

    Source: PMM-HEAL-01.
    """

    MODERATE_BLUNT = "moderate blunt"
    SLIGHT_RENDING = "slight rending"
    SLIGHT_BLUNT = "slight blunt"


class MaidRest(RestOptions):
    """Options for a rest.

    Attributes:
        hours: How many hours.
        prefer: What heals first; else moderate blunt, then slight rending, then slight blunt.
    """

    hours: int = Field(ge=1, le=MOST_HOURS)
    prefer: RestKind | None = None


class TreatOptions(Document):
    """Options for a treatment.

    Attributes:
        target: The wounded one; oneself is allowed.
        ability: The ability that is used, or nothing.
        bonus_dice: Bonus d8s from one's pool thrown in.
        tier: The tier it is to be; only a GM says so.
    """

    target: CharacterId
    ability: str = Field(default="", max_length=100)
    bonus_dice: int = Field(default=0, ge=0, le=12)
    tier: MaidTier | None = None


class Treatment(Document):
    """A treatment whose wound is still to be chosen."""

    healer: CharacterId
    target: CharacterId
    tier: MaidTier


class ChooseWoundOptions(Document):
    """Options for choosing the wound that a treatment removes.

    Attributes:
        treatment: The treatment.
        wound: The wound.
    """

    treatment: str
    wound: WoundKind


def assert_can_rest(scene: Scene, character: Character, _options: MaidRest) -> None:
    """Raise a `UserError` for dead characters and those in an encounter."""
    if is_dead(character):
        raise UserError(f"{character.name} is dead.")
    if find_combatant(scene, character.id) is not None:
        raise UserError(f"{character.name} is in an encounter.", "Rest after it is over.")


def rest(scene: Scene, resting: Sequence[Resting[MaidRest]], began: int, _dice: Dice) -> Rested[Scene]:
    """Let characters rest: each hour heals one wound of each.

    Source: PMM-HEAL-01 (PMM-R41), PMM-WND-08.
    """
    notes = []
    for one in resting:
        scene, healed = rested(scene, one.who, one.options.hours, one.options.prefer)
        notes.append(f"{scene.character(one.who).name}: {_counted(healed)} healed.")
    hours = max(one.options.hours for one in resting)
    now = game_time(began + hours * HOUR_SECONDS)
    return Rested(scene=scene, hours=hours, notes=(*notes, f"It is {now}."))


def _counted(healed: int) -> str:
    return "nothing" if not healed else "1 wound" if healed == 1 else f"{healed} wounds"


def rested(scene: Scene, who: CharacterId, hours: int, prefer: RestKind | None = None) -> tuple[Scene, int]:
    """Heal one wound per hour, while there is one that rest can heal.

    Returns:
        The scene afterwards, and how many wounds healed.

    Source: PMM-HEAL-01.
    """
    order = sorted(_BY_REST, key=lambda level: level.kind.value != prefer)
    healed = 0
    for _ in range(hours):
        character = scene.character(who)
        level = next((level for level in order if level.filled(character)), None)
        if level is None:
            break
        scene = level.healed(scene, character)
        healed += 1
    return scene, healed


def hours_to_heal(character: Character) -> int:
    """The hours of rest until everything that rest can heal has healed."""
    return sum(level.filled(character) for level in _BY_REST)


def treatable(character: Character, tier: MaidTier) -> tuple[WoundKind, ...]:
    """The wounds of a character that a treatment of a tier can remove, the gravest first.

    Source: PMM-HEAL-03 to PMM-HEAL-06 (PMM-R43, PMM-R44).
    """
    found = [level for level in _treated_levels(tier) if level.filled(character)]
    return tuple(level.kind for level in sorted(found, key=lambda level: level.place, reverse=True))


def _treated_levels(tier: MaidTier) -> Iterator[_Level]:
    for level in _LEVELS.values():
        if level.row.treated_at is not None and MaidTier(level.row.treated_at).level <= tier.level:
            yield level


def treat_button(target: Character) -> FollowUp:
    """The button that lets anybody treat a character."""
    return FollowUp(
        procedure="treat",
        options=TreatOptions(target=target.id),
        label=f"Treat {target.name[:40]} (Int + Dex)",
        audience=Audience.ANYONE,
        group="treat",
        stays=True,
        place=Place.APART,
    )


def treat(scene: Scene, options: TreatOptions, dice: Dice) -> Outcome:
    """Treat somebody's wounds with Int + Dex: an action that removes one wound at most.

    Source: PMM-HEAL-02 to PMM-HEAL-06 (PMM-R42: oneself too).
    """
    actor, target = scene.actor, scene.character(options.target)
    assert_can_act(actor)
    if is_dead(target):
        raise UserError(f"{target.name} is dead.")
    if not treatable(target, MaidTier.TWENTY_FIVE):
        wounded = any(level.filled(target) for level in _LEVELS.values())
        raise UserError(
            f"{target.name} has no wound you can treat.",
            "The remaining wounds heal with rest." if wounded else "",
        )
    plan = CheckPlan(
        first=MaidAttribute.INT,
        second=MaidAttribute.DEX,
        ability=options.ability,
        bonus_dice=options.bonus_dice,
        forced=options.tier,
    )
    checked = make_check(scene, actor.id, plan, dice, MaidPurpose.HEALING)
    after = _treated(checked.scene, actor, target.id, checked.tier)
    whom = "their own wounds" if actor.id == target.id else target.name
    return Outcome(
        scene=after.scene,
        headline=f"treats {whom}",
        verdict=checked.roll.verdict,
        rolls=(checked.roll,),
        notes=(*checked.notes, *after.notes),
        follow_ups=(*after.follow_ups, *turn_buttons(after.scene, actor.id)),
    )


declare("treat", TreatOptions, treat, can_repeat=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Treated:
    scene: Scene
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()


def _treated(scene: Scene, healer: Character, target: CharacterId, tier: MaidTier) -> _Treated:
    """Remove the wound if there is only one choice, else ask the healer."""
    character = scene.character(target)
    kinds = treatable(character, tier)
    if not kinds:
        return _Treated(scene=scene, notes=("That isn't enough for any of the wounds.",))
    if len(kinds) == 1:
        return _Treated(scene=_LEVELS[kinds[0]].healed(scene, character))
    key = f"treatment/{scene.moment}"
    treatment = Treatment(healer=healer.id, target=target, tier=tier)
    scene = scene.with_document(key, treatment)
    return _Treated(scene=scene, follow_ups=wound_menu(scene, key, treatment))


def wound_menu(scene: Scene, key: str, treatment: Treatment) -> tuple[FollowUp, ...]:
    """The menu of the wounds that a treatment can remove; none if there are none any more."""
    kinds = treatable(scene.character(treatment.target), treatment.tier)
    if not kinds:
        return ()
    menu = FollowUp(
        procedure="choose_wound",
        options=ChooseWoundOptions(treatment=key, wound=kinds[0]),
        label="Treat which wound?",
        character=treatment.healer,
        choices=tuple(Choice(value=kind.value, label=_label(kind)) for kind in kinds),
        chosen="wound",
        group="wound",
    )
    return (menu,)


def _label(kind: WoundKind) -> str:
    return "Unconscious" if kind is WoundKind.UNCONSCIOUS else kind.value.capitalize()


def choose_wound(scene: Scene, options: ChooseWoundOptions, _dice: Dice) -> Outcome:
    """Choose the wound that a treatment removes.

    Source: PMM-HEAL-04 to PMM-HEAL-06.
    """
    treatment = scene.document(options.treatment)
    if not isinstance(treatment, Treatment) or treatment.healer != scene.actor.id:
        raise UserError(f"{scene.actor.name} has no treatment to finish.")
    target = scene.character(treatment.target)
    if options.wound not in treatable(target, treatment.tier):
        raise UserError(
            f"A treatment of {treatment.tier.words} can't remove that wound from {target.name}.",
            try_this="Choose another wound.",
        )
    healed = _LEVELS[options.wound].healed(scene, target).with_document(options.treatment, None)
    return Outcome(
        scene=healed,
        headline=f"heals a wound of {target.name}",
        verdict=Verdict(Family.SUCCESS, f"{_label(options.wound).lower()} healed"),
    )


declare("choose_wound", ChooseWoundOptions, choose_wound)


def wounds_of(character: Character, kind: WoundKind) -> int:
    """How many wounds of a kind a character has."""
    return _LEVELS[kind].filled(character)


def remove_kind(scene: Scene, target: CharacterId, kind: WoundKind) -> Scene:
    """Remove one wound of a kind.

    Raises:
        UserError: If there is none.
    """
    character = scene.character(target)
    level = _LEVELS[kind]
    if not level.filled(character):
        raise UserError(f"{character.name} has no {kind} wound.", try_this="Choose another wound.")
    return level.healed(scene, character)


RESTS = RestRules[MaidRest, MaidSheet, MaidSettings](
    options=MaidRest, assert_can=assert_can_rest, rest=rest, longest=MOST_HOURS
)
HEALING_PROCEDURES = rest_procedures(RESTS)
