"""What the GM does: magic, wounds, swapped dice; the game clock, its timers, and the end of a session."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Choice,
    Column,
    Document,
    DueTimer,
    EditableList,
    FieldRows,
    FollowUp,
    Growth,
    Procedure,
    PutBack,
    TextField,
    evolve,
    grown,
    procedure,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel, FoeRules, ReadyFoe
from bot.rules.kernel.outcome import counted, signed, to_do
from bot.rules.kernel.procedures import Act, ActGroup
from bot.rules.post_magic_maid.encounter import MaidCombatant, MaidEncounter
from bot.rules.post_magic_maid.healing import (
    MaidPendingAttack,
    WoundKind,
    remove_kind,
    take_wounds,
    verdict_buttons,
    wounds_of,
)
from bot.rules.post_magic_maid.performance import Assist, awaiting, with_overdue
from bot.rules.post_magic_maid.sheet import (
    AttributeScore,
    Character,
    HookResult,
    MaidAttribute,
    MaidSettings,
    MaidSheet,
    Outcome,
    Scene,
    SessionPolicy,
)
from bot.rules.post_magic_maid.sheet_text import game_time
from bot.rules.post_magic_maid.tiers import TIERS, MaidTier
from bot.rules.post_magic_maid.wounds import (
    BLITZ,
    STARTING_BLITZ_POINTS,
    Track,
    capped,
    is_unconscious,
    wound_level,
)
from bot.rules.shared.offering import Offering, numbers

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
    """What a combatant could still have used this round and loses; what they have done is no loss."""
    kept = (
        ("Automatic 25", "waits" if combatant.has_automatic else ""),
        ("Bonus d8s", str(combatant.bonus_dice) if combatant.bonus_dice else ""),
        ("Aces to give", str(combatant.aces_to_give) if combatant.aces_to_give else ""),
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


class MagicOptions(Document):
    """Options for allowing or forbidding magic."""

    target: CharacterId
    allowed: bool = True


class WoundOptions(Document):
    """Options for a wound without an attack: a fall, a trap, the GM's choice."""

    target: CharacterId  # whose
    track: Track  # blunt or rending
    tier: MaidTier
    count: int = Field(default=1, ge=1, le=11)  # how many


class MendOptions(Document):
    """Options for removing wounds."""

    target: CharacterId  # whose
    wound: WoundKind
    count: int = Field(default=1, ge=1, le=11)  # how many


class MaidSwapOptions(Document):
    """Options for swapping the dice of two attributes."""

    target: CharacterId | None = None  # whose; the character acting without it
    first: MaidAttribute
    second: MaidAttribute  # the other one


@procedure("magic", gm_only=True, needs_actor=False, sets=True)
def set_magic(scene: Scene, options: MagicOptions, _dice: Dice) -> Outcome:
    """Allow or forbid magic for a character. [PMM-MAG-01 (PMM-R12)]"""
    character = scene.character(options.target)
    sheet = evolve(character.sheet, is_magical=options.allowed)
    word = "can" if options.allowed else "cannot"
    return Outcome(
        scene=scene.with_sheet(character, sheet),
        headline=f"rules that {character.name} {word} do magic",
    )


@procedure("wound", gm_only=True, needs_actor=False)
def wound(scene: Scene, options: WoundOptions, _dice: Dice) -> Outcome:
    """Give a character wounds without an attack. [PMM-CHK-06, PMM-WND-03]"""
    level = wound_level(options.tier)
    if level is None:
        raise UserError("A result below 10 causes no wound.", try_this="Choose tier 10, 15, 20 or 25.")
    name = scene.character(options.target).name
    wounded = take_wounds(scene, options.target, options.track, level, options.count)
    many = f"{options.count} × " if options.count > 1 else ""
    return Outcome(
        scene=wounded.scene,
        headline=f"wounds {name}, {many}{options.track}, {options.tier.words}",
        notes=wounded.notes,
        follow_ups=wounded.follow_ups,
    )


@procedure("mend", gm_only=True, needs_actor=False, sets=True)
def mend(scene: Scene, options: MendOptions, _dice: Dice) -> Outcome:
    """Remove wounds without a treatment. [PMM-CHK-06]"""
    character = scene.character(options.target)
    have = wounds_of(character, options.wound)
    if have < options.count:
        many = f"{have} {options.wound} wound{'' if have == 1 else 's'}, not {options.count}"
        raise UserError(f"{character.name} has {many if have else f'no {options.wound} wound'}.")
    for _ in range(options.count):
        scene = remove_kind(scene, options.target, options.wound)
    many = f"{options.count} × " if options.count > 1 else ""
    return Outcome(scene=scene, headline=f"mends {character.name}, {many}{options.wound}")


@procedure("swap_dice", needs_actor=False)
def swap_dice(scene: Scene, options: MaidSwapOptions, _dice: Dice) -> Outcome:
    """Swap the dice of two attributes; after creation only a GM may. [PMM-CRE-02]"""
    if not scene.is_gm:
        raise UserError(
            "Dice stay with their attributes once a character is created.",
            "They grow with level-ups; only a GM can swap them.",
        )
    if options.first is options.second:
        raise UserError("Choose two different attributes.", try_this="Choose a different one.")
    character = scene.actor if options.target is None else scene.character(options.target)
    sheet = character.sheet
    one, other = sheet.attributes[options.first], sheet.attributes[options.second]
    sheet = sheet.with_attribute(options.first, evolve(one, die=other.die))
    sheet = sheet.with_attribute(options.second, evolve(other, die=one.die))
    return Outcome(
        scene=scene.with_sheet(character, sheet),
        headline=f"swaps the dice of {character.name}'s {options.first} and {options.second}",
    )


DICE = {FoeLevel.WEAK: 6, FoeLevel.ABLE: 8, FoeLevel.STRONG: 10, FoeLevel.MIGHTY: 12}
BETTER = 4  # sides more for what it is good at


def _make(level: FoeLevel, _settings: MaidSettings) -> MaidSheet:
    """A sheet with one die for everything. [PMM-CHK-01]"""
    return MaidSheet(attributes=dict.fromkeys(MaidAttribute, AttributeScore(die=DICE[level])))


def _give(sheet: MaidSheet, level: FoeLevel, names: Sequence[str], _settings: MaidSettings) -> MaidSheet:
    for name in names:
        better = AttributeScore(die=DICE[level] + BETTER)
        sheet = sheet.with_attribute(MaidAttribute(name), better)
    return sheet


READY = (
    ReadyFoe("Dust Thief", FoeLevel.WEAK, ("Dex",)),
    ReadyFoe("Stray Hound", FoeLevel.WEAK, ("Str",)),
    ReadyFoe("Night Watchman", FoeLevel.ABLE, ("Str",)),
    ReadyFoe("Clockwork Porter", FoeLevel.ABLE, ("Str", "Dex")),
    ReadyFoe("Rival Maid", FoeLevel.STRONG, ("Dex", "Lck")),
    ReadyFoe("Hedge Witch", FoeLevel.STRONG, ("Int",)),
    ReadyFoe("Cellar Beast", FoeLevel.MIGHTY, ("Str",)),
    ReadyFoe("Hollow Knight-Captain", FoeLevel.MIGHTY, ("Str", "Dex")),
)
FOES: FoeRules[MaidSheet, MaidSettings] = FoeRules(
    title="Good at",
    things=lambda _settings: [str(one) for one in MaidAttribute],
    make=_make,
    give=_give,
    ready=READY,
    fresh=lambda sheet: evolve(sheet, is_dead=False),
)


MOST_GRANTED = 5
MOST_QUICK = 3  # tiers of a wound with a button of their own


def gm_acts(procedures: Mapping[str, Procedure], scene: Scene) -> tuple[Act, ...]:
    """Wounds, healing, level-ups, and what a GM rules or corrects.

    [PMM-CHK-06, PMM-WND-03, PMM-ADV-01, PMM-MAG-01, PMM-CRE-02]
    """
    offering = Offering(scene, procedures, audience=Audience.GM)
    return (*_wounds(scene, offering), *_gifts(offering), *_rulings(scene, offering))


def _wounds(scene: Scene, offering: Offering) -> Iterator[Act]:
    many = {"count": "How many"}
    for track in Track:
        tiers = [one.value for one in TIERS if one is not MaidTier.BELOW_10]
        found = [Choice(one, f"Tier {one}") for one in tiers]
        label = f"Give a {track} wound …"
        quick = tuple(Choice(one, f"{track.capitalize()} {one}") for one in tiers[:MOST_QUICK])
        yield from offering.menu(
            ActGroup.DAMAGE, "wound", label, "tier", found, adjusts=many, quick=quick, track=track
        )
    own = [
        Choice(one.value, one.value.capitalize(), f"×{wounds_of(scene.actor, one)}")
        for one in WoundKind
        if wounds_of(scene.actor, one)
    ]
    yield from offering.menu(ActGroup.HEAL, "mend", "Heal a wound …", "wound", own, adjusts=many)


def _gifts(offering: Offering) -> Iterator[Act]:
    counts = numbers(range(1, MOST_GRANTED + 1), lambda n: counted(n, "level-up"))
    yield from offering.menu(ActGroup.GIVE, "grant", "Grant level-ups …", "count", counts)


def _rulings(scene: Scene, offering: Offering) -> Iterator[Act]:
    is_magical = scene.actor.sheet.is_magical
    label = "Forbid magic" if is_magical else "Allow magic"
    yield offering.act(ActGroup.GM, "magic", label, allowed=not is_magical)
    attributes = tuple(Choice(one.value, one.value) for one in MaidAttribute)
    blanks = (
        TextField(key="first", prompt="One attribute", choices=attributes),
        TextField(key="second", prompt="The other one", choices=attributes[::-1]),
    )
    label = "Swap the dice of two attributes …"
    yield offering.act(ActGroup.GM, "swap_dice", label, blanks=blanks, second=MaidAttribute.STR)


LISTS: tuple[EditableList[MaidSettings], ...] = (
    EditableList(
        key="names",
        title="Ability names",
        noun="ability name",
        columns=(Column(key="name", title="Ability name", longest=40),),
        source=FieldRows("suggestions", lambda name: {"name": name}, lambda row: row["name"]),
        complete=lambda _settings, _before, row: {"name": row.get("name", "")},
    ),
)
