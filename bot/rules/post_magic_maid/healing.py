"""Taking wounds, death, hits, rest and treatment."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Deadline,
    Document,
    Family,
    FollowUp,
    Place,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, down, harm
from bot.rules.post_magic_maid.cards import MaidPurpose
from bot.rules.post_magic_maid.encounter import find_combatant
from bot.rules.post_magic_maid.performance import CheckPlan, make_check, with_overdue
from bot.rules.post_magic_maid.sheet import Character, MaidAttribute, MaidSettings, MaidSheet, Outcome, Scene
from bot.rules.post_magic_maid.sheet_text import game_time
from bot.rules.post_magic_maid.tiers import MaidTier, WoundRow
from bot.rules.post_magic_maid.turns import turn_buttons
from bot.rules.post_magic_maid.wounds import (
    LEVELS,
    TOP,
    Track,
    assert_can_act,
    boxes_of,
    is_dead,
    is_unconscious,
    place_wound,
    remove_wound,
    with_boxes,
    wound_level,
)
from bot.rules.shared.resting import HOUR_SECONDS, Rested, Resting, RestOptions, RestRules, rest_procedures


class VerdictOptions(Document):
    """Options for deciding whether a character dies."""

    target: CharacterId
    dies: bool


def verdict_buttons(scene: Scene, target: CharacterId) -> tuple[FollowUp, ...]:
    """The GM's two buttons: the character dies or survives."""
    character = scene.character(target)
    return tuple(
        FollowUp(
            procedure="verdict",
            options=VerdictOptions(target=target, dies=dies),
            label=f"{character.name} {'dies' if dies else 'survives'}",
            audience=Audience.GM,
            group=f"verdict/{target}",
            window=Deadline(until=(_moment(target),)),
            deal=_deal(character),
        )
        for dies in (True, False)
    )


def _moment(target: CharacterId) -> str:
    """What closes the GM's buttons about a character, wherever they stand."""
    return f"verdict/{target}"


def _deal(character: Character) -> str:
    """A mark of the character and its wounds, so that old buttons expire once the wounds change."""
    boxes = zip(LEVELS[Track.RENDING], boxes_of(character, Track.RENDING), strict=True)
    wounds = ", ".join(f"{row.level} {filled}" for row, filled in boxes if filled) or "unwounded"
    return f"{character.name}, {'dead' if character.sheet.is_dead else wounds}"


@procedure("verdict", gm_only=True, needs_actor=False)
def give_verdict(scene: Scene, options: VerdictOptions, _dice: Dice) -> Outcome:
    """Decide whether a character dies or survives; either way its timers stop.

    [PMM-WND-04 (PMM-R38), PMM-WND-06, PMM-WND-07]
    """
    character = scene.character(options.target)
    deal = _deal(character)
    for row in LEVELS[Track.RENDING]:
        character = character.with_timer(row.level, None)
    sheet = evolve(character.sheet, is_dead=options.dies)
    word = "dies" if options.dies else "survives"
    scene = with_overdue(scene.with_sheet(character, sheet), options.target, ())
    moments = (_moment(options.target),)
    return Outcome(scene=scene, headline=f"rules that {character.name} {word}", moments=moments, deal=deal)


class Wounded(Struct, frozen=True, kw_only=True):
    """The result of taking wounds."""

    scene: Scene  # the scene afterwards
    levels: tuple[int, ...] = ()  # the level that each wound filled
    notes: tuple[str, ...] = ()  # what to tell
    follow_ups: tuple[FollowUp, ...] = ()  # what can be done


def take_wounds(scene: Scene, target: CharacterId, track: Track, level: int, count: int = 1) -> Wounded:
    """Give a character a number of wounds of a level. [PMM-WND-01 to PMM-WND-07, PMM-MAG-02]"""
    levels: list[int] = []
    notes: list[str] = []
    buttons: tuple[FollowUp, ...] = ()
    name = scene.character(target).name
    was_awake = not is_unconscious(scene.character(target))
    for _ in range(count):
        character = scene.character(target)
        placed = place_wound(track, boxes_of(character, track), level)
        if placed.level is None:
            notes.append(_beyond_the_top(name, track))
            buttons = verdict_buttons(scene, target) if track is Track.RENDING else ()
            break
        scene = with_boxes(scene, character, track, placed.boxes)
        levels.append(placed.level)
        if placed.level > level:
            full = [row.level for row in LEVELS[track][level : placed.level]]
            verb = "is" if len(full) == 1 else "are"
            to = LEVELS[track][placed.level].level
            notes.append(harm(f"{' and '.join(full).capitalize()} {verb} full, so it becomes {to}."))
    if was_awake and is_unconscious(scene.character(target)):
        notes.append(down(f"{name} is unconscious."))
    return Wounded(scene=scene, levels=tuple(levels), notes=tuple(notes), follow_ups=buttons)


def _beyond_the_top(name: str, track: Track) -> str:
    top = LEVELS[track][TOP].level
    if track is Track.RENDING:
        return down(f"{name}'s {top} box is already full. The GM decides whether {name} dies.")
    return harm(f"{name} is already {top}, so nothing changes.")


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


class _Level(Struct, frozen=True):
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
    """The wounds that an hour of rest can heal. [PMM-HEAL-01]"""

    MODERATE_BLUNT = "moderate blunt"
    SLIGHT_RENDING = "slight rending"
    SLIGHT_BLUNT = "slight blunt"


class MaidRest(RestOptions):
    """Options for a rest."""

    hours: int = Field(ge=1, le=MOST_HOURS)  # how many hours
    # What heals first; else moderate blunt, then slight rending, then slight blunt.
    prefer: RestKind | None = None


class TreatOptions(Document):
    """Options for a treatment."""

    target: CharacterId  # the wounded one; oneself is allowed
    ability: str = Field(default="", max_length=100)  # the ability that is used, or nothing
    bonus_dice: int = Field(default=0, ge=0, le=12)  # bonus d8s from one's pool thrown in
    tier: MaidTier | None = None  # the tier it is to be; only a GM says so


class Treatment(Document):
    """A treatment whose wound is still to be chosen."""

    healer: CharacterId
    target: CharacterId
    tier: MaidTier


class ChooseWoundOptions(Document):
    """Options for choosing the wound that a treatment removes."""

    treatment: str
    wound: WoundKind


def assert_can_rest(scene: Scene, character: Character, _options: MaidRest) -> None:
    """Raise a `UserError` for dead characters and those in an encounter."""
    if is_dead(character):
        raise UserError(f"{character.name} is dead.")
    if find_combatant(scene, character.id) is not None:
        raise UserError(f"{character.name} is in a fight.", "Rest after it is over.")


def rest(scene: Scene, resting: Sequence[Resting[MaidRest]], began: int, _dice: Dice) -> Rested[Scene]:
    """Let characters rest: each hour heals one wound of each. [PMM-HEAL-01 (PMM-R41), PMM-WND-08]"""
    notes = []
    for one in resting:
        scene, healed = rested(scene, one.who, one.options.hours, one.options.prefer)
        notes.append(f"{scene.character(one.who).name}: {_counted(healed)} healed.")
    hours = max(one.options.hours for one in resting)
    now = game_time(began + hours * HOUR_SECONDS)
    return Rested(scene=scene, hours=hours, notes=(*notes, f"It is {now}."))


def _counted(healed: int) -> str:
    return counted(healed, "wound") if healed else "nothing"


def rested(scene: Scene, who: CharacterId, hours: int, prefer: RestKind | None = None) -> tuple[Scene, int]:
    """Heal one wound per hour, while there is one that rest can heal. [PMM-HEAL-01]

    Returns:
        The scene afterwards, and how many wounds healed.
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

    [PMM-HEAL-03 to PMM-HEAL-06 (PMM-R43, PMM-R44)]
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
        label=f"Treat {target.name} (Int + Dex)",
        audience=Audience.ANYONE,
        group="treat",
        stays=True,
        place=Place.APART,
    )


@procedure("treat", can_repeat=True)
def treat(scene: Scene, options: TreatOptions, dice: Dice) -> Outcome:
    """Treat somebody's wounds with Int + Dex: an action that removes one wound at most.

    [PMM-HEAL-02 to PMM-HEAL-06 (PMM-R42: oneself too)]
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


class _Treated(Struct, frozen=True, kw_only=True):
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


@procedure("choose_wound")
def choose_wound(scene: Scene, options: ChooseWoundOptions, _dice: Dice) -> Outcome:
    """Choose the wound that a treatment removes. [PMM-HEAL-04 to PMM-HEAL-06]"""
    treatment = scene.stored(Treatment, options.treatment)
    if treatment is None or treatment.healer != scene.actor.id:
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


UNCONSCIOUS = LEVELS[Track.BLUNT][TOP].level


class MaidPendingAttack(Document):
    """An attack that can still be defended."""

    attacker: CharacterId
    target: CharacterId  # whom
    track: Track  # the kind of wound
    tier: MaidTier  # the tier of the attack, with its assist
    wounds: int = Field(ge=1)  # how many wounds of the same tier it causes
    # The levels that its wounds have filled, where it was not to be defended at first.
    placed: tuple[int, ...] = ()


def hit_verdict(track: Track, tier: MaidTier, mark: str = "") -> Verdict:
    """The verdict of an attack of tier 10 or higher, in words.

    Args:
        track: The kind of wound.
        mark: What follows it where it is the GM's word.
    """
    level = LEVELS[track][tier.level - 1].level
    wound = level if level == UNCONSCIOUS else f"{level} wound"
    return Verdict(Family.SUCCESS, f"{tier.words}{mark}, {wound}")


def struck(scene: Scene, pending: MaidPendingAttack, tier: MaidTier | None, wounds: int) -> Wounded:
    """Give the target its wounds, and offer urgent treatment, except for enemies."""
    level = None if tier is None else wound_level(tier)
    if level is None or wounds <= 0:
        return Wounded(scene=scene)
    wounded = take_wounds(scene, pending.target, pending.track, level, wounds)
    gravest = max(wounded.levels, default=0)
    row = LEVELS[pending.track][gravest]
    is_urgent = bool(wounded.levels) and (row.seconds_to_live is not None or row.level == UNCONSCIOUS)
    attacker, target = (scene.character(one) for one in (pending.attacker, pending.target))
    is_enemy = target.owner is None and attacker.owner is not None
    button = (treat_button(target),) if is_urgent and not is_enemy else ()
    return Wounded(
        scene=wounded.scene,
        levels=wounded.levels,
        notes=wounded.notes,
        follow_ups=(*wounded.follow_ups, *button),
    )
