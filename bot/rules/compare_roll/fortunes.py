"""HP, Stress, High and Fortitude: gains, losses and their consequences."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.compare_roll.catalogue import find_item
from bot.rules.compare_roll.sheet import (
    BASE_MOVEMENT,
    Character,
    CompareSettings,
    CompareSheet,
    CompareStatus,
    CostSuffix,
    Scene,
    StressApplies,
    hp_max,
)
from bot.rules.compare_roll.tables import Stat
from bot.rules.compare_roll.two_d12s import CompareOutcome, survival
from bot.rules.kernel import (
    FINE,
    AwardRule,
    CharacterHealth,
    CharacterId,
    Document,
    FollowUp,
    NamedTerm,
    ResourceRule,
    evolve,
    looks_for,
)
from bot.rules.kernel.dice import percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, down, harm
from bot.rules.kernel.tracker import DOWN

DEATH_GROUP = "death/"  # the follow-ups of a character at 0 HP
AT_DEATH = "is at 0 HP."
DEATH_QUESTION = "Death's Door, or a Blaze of Glory?"

HP, STRESS, HIGH, ASSETS, AMMUNITION = "hp", "stress", "high", "assets", "ammunition"
MOST_STRESS, MOST_HIGH = 3, 5
MOST_HP = 84


def _most_hp(sheet: CompareSheet, _settings: CompareSettings) -> int:
    return 0 if sheet.foe is not None else hp_max(sheet)


# CMP-CHAR-01 (CMP-R11): all HP, no Stress, no High. A foe's HP are in its record, unseen by players.
RESOURCES = (
    ResourceRule(
        key=HP,
        title="HP",
        start=MOST_HP,
        cap=_most_hp,
        is_health=True,
    ),
    ResourceRule(key=STRESS, title="Stress", cap=lambda _sheet, _settings: MOST_STRESS, is_burden=True),
    ResourceRule(key=HIGH, title="High", cap=lambda _sheet, _settings: MOST_HIGH),
    ResourceRule(key=ASSETS, title="Assets"),
    ResourceRule(key=AMMUNITION, title="Ammunition"),
)


def _skill_points(sheet: CompareSheet, points: int) -> CompareSheet:
    return sheet.changed(skill_points=_at_least_none(sheet.skill_points + points))


def _stat_points(sheet: CompareSheet, points: int) -> CompareSheet:
    return sheet.changed(stat_points=_at_least_none(sheet.stat_points + points))


def _at_least_none(points: int) -> int:
    if points < 0:
        raise UserError("You can't take more points than are left to spend.")
    return points


# CMP-SKILL-08 (CMP-R15)
AWARDS = (
    AwardRule(key="skill_points", title="Skill points", give=_skill_points, usual=(1, 2), unit="skill point"),
    AwardRule(key="stat_points", title="Stat points", give=_stat_points, usual=(1,), unit="stat point"),
)


class Turned(Struct, frozen=True):
    """A scene after some effects, with their notes and follow-ups."""

    scene: Scene
    notes: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()

    def then(self, other: "Turned") -> "Turned":
        """Add the effects that followed."""
        return Turned(
            other.scene,
            joined_notes(self.notes, other.notes),
            joined_buttons(self.follow_ups, other.follow_ups),
        )


def joined_notes(earlier: tuple[str, ...], later: tuple[str, ...]) -> tuple[str, ...]:
    """Join the notes of two steps; a character who drops to 0 HP in both is reported once.

    [CMP-HP-02, CMP-STRESS-03]
    """
    asked = {note for note in later if note.endswith(AT_DEATH)}
    return (*(note for note in earlier if note not in asked), *later)


def joined_buttons(earlier: tuple[FollowUp, ...], later: tuple[FollowUp, ...]) -> tuple[FollowUp, ...]:
    """Join the buttons of two steps; a choice of death offered by both appears once.

    [CMP-HP-02, CMP-STRESS-03]
    """
    offered = {one.group for one in later if one.group.startswith(DEATH_GROUP)}
    return (*(one for one in earlier if one.group not in offered), *later)


def armour_of(sheet: CompareSheet, settings: CompareSettings) -> tuple[int, int]:
    """The Fortitude and movement added by worn armour. [CMP-EQ-11 to CMP-EQ-13 (CMP-R55)]"""
    found = find_item(settings, sheet.armour) if sheet.armour else None
    return (found.fortitude, found.movement) if found else (0, 0)


def ft_max(sheet: CompareSheet, settings: CompareSettings) -> int:
    """Maximum Fortitude: Luck + Agility + armour. [CMP-CHAR-03 (CMP-R13), CMP-FT-04]"""
    armour = armour_of(sheet, settings)[0]
    if sheet.foe is not None:
        return sheet.foe.ft_max + armour
    return sheet.stats[Stat.LCK] + sheet.stats[Stat.AGI] + settings.ft_base_constant + armour


def ft_now(sheet: CompareSheet, settings: CompareSettings) -> int:
    """Current Fortitude. [CMP-FT-04 (CMP-R45)]"""
    return max(0, ft_max(sheet, settings) - sheet.ft_lost)


def regain_ft(sheet: CompareSheet, settings: CompareSettings, gained: int) -> CompareSheet:
    """Return the sheet with Fortitude regained, counted from its current value.

    [CMP-FT-03, CMP-FT-04 (CMP-R45)]
    """
    lost = min(sheet.ft_lost, ft_max(sheet, settings))
    return sheet.changed(ft_lost=max(0, lost - gained))


def movement(sheet: CompareSheet, settings: CompareSettings) -> int:
    """Spaces per turn. [CMP-COM-02]"""
    armour = armour_of(sheet, settings)[1]
    base = sheet.foe.movement if sheet.foe else BASE_MOVEMENT + sheet.bonus(Stat.AGI)
    return max(0, base + armour)


def hp_now(character: Character) -> int:
    """Current HP."""
    foe = character.sheet.foe
    return foe.hp if foe is not None else character.left(HP)


def with_hp(character: Character, hp: int) -> Character:
    """Return the character with HP set, between 0 and the maximum. [CMP-HP-01 (CMP-R46)]"""
    sheet = character.sheet
    hp = max(0, min(hp, hp_max(sheet)))
    if sheet.foe is not None:
        return replace(character, sheet=sheet.changed(foe=evolve(sheet.foe, hp=hp)))
    return character.with_resource(HP, hp)


def wound_word(character: Character) -> str:
    """How hurt a character looks, for people who may not see its numbers. [CMP-COM-12]"""
    return looks_for(hp_now(character), hp_max(character.sheet)) or FINE


def health_of(character: Character, settings: CompareSettings) -> CharacterHealth:
    """HP and Fortitude; others see how hurt an opponent looks. [CMP-COM-12]"""
    sheet = character.sheet
    hp = f"HP {hp_now(character)}/{hp_max(sheet)}"
    ft = f"FT {ft_now(sheet, settings)}/{ft_max(sheet, settings)}"
    return CharacterHealth((f"{hp} · {ft}",), looks_for(hp_now(character), hp_max(sheet)))


def luck_terms(
    scene: Scene, character: Character, applies: tuple[StressApplies, ...]
) -> tuple[NamedTerm, ...]:
    """The Luck bonus, and the Stress penalty if the campaign applies it to this kind of roll.

    [CMP-STRESS-02 (CMP-R24), CMP-REST-01 (CMP-R47)]
    """
    stress = character.left(STRESS) if scene.settings.stress_applies_to in applies else 0
    terms = (("Luck", character.sheet.bonus(Stat.LCK)), ("Stress", -stress))
    return tuple(NamedTerm(label=label, value=value) for label, value in terms if value)


DEATH_ROLLS = (StressApplies.CHECKS_DEATH, StressApplies.CHECKS_DEATH_REST)
REST_ROLLS = (StressApplies.CHECKS_DEATH_REST,)


class DoorOptions(Document):
    """Options of Death's Door: none."""


class BlazeOptions(Document):
    """The target of a Blaze of Glory."""

    target: CharacterId | None = None  # whom the GM chooses; None: whoever struck the character down
    nobody: bool = False  # whether it hits no one


def death_choice(scene: Scene, who: CharacterId) -> tuple[FollowUp, ...]:
    """The two choices at 0 HP, with the chance to survive Death's Door. [CMP-DEATH-01, CMP-HP-02]"""
    character = scene.character(who)
    modifier = sum(term.value for term in luck_terms(scene, character, DEATH_ROLLS))
    chance = survival(modifier)
    group = f"{DEATH_GROUP}{who}"
    return (
        FollowUp(
            procedure="deathsdoor",
            options=DoorOptions(),
            label=f"Death's Door · survives {percent(chance)}",
            character=who,
            group=group,
            note=DEATH_QUESTION,
        ),
        FollowUp(
            procedure="blaze",
            options=BlazeOptions(),
            label="Blaze of Glory · 12+6d6, then dies",
            character=who,
            group=group,
            note=DEATH_QUESTION,
        ),
    )


def lose_hp(scene: Scene, who: CharacterId, amount: int, by: CharacterId | None = None) -> Turned:
    """Take HP away; at 0 an opponent is down, and a player's character gets the choice of death.

    Args:
        who: Who loses HP.
        amount: How many, after cover and Fortitude.
        by: Who dealt the damage, or None.

    [CMP-HP-01, CMP-HP-02, CMP-DEATH-01, CMP-DEATH-03, CMP-COM-12]
    """
    character = scene.character(who)
    sheet = character.sheet
    if amount <= 0 or sheet.status is CompareStatus.DEAD:
        return Turned(scene)
    hurt = with_hp(character, hp_now(character) - amount)
    if sheet.foe is not None:
        is_down = hp_now(hurt) <= 0 < hp_now(character)
        return Turned(scene.with_character(hurt), (down(f"{character.name} is {DOWN}."),) if is_down else ())
    if hp_now(hurt) > 0:
        return Turned(scene.with_character(hurt))
    if sheet.door and sheet.status is CompareStatus.DYING:
        return Turned(scene.with_character(hurt))
    blow = by if by is not None or sheet.status is not CompareStatus.DYING else sheet.downed_by
    scene = scene.with_sheet(hurt, sheet.changed(status=CompareStatus.DYING, downed_by=blow, door=()))
    return Turned(scene, (down(f"{character.name} {AT_DEATH}"),), death_choice(scene, who))


def heal(scene: Scene, who: CharacterId, amount: int) -> Turned:
    """Give HP back; any healing gets a character at 0 HP back up. [CMP-HP-01, CMP-DEATH-03 (CMP-R51)]"""
    character = scene.character(who)
    healed = with_hp(character, hp_now(character) + max(0, amount))
    sheet = healed.sheet
    if sheet.status in {CompareStatus.STABLE, CompareStatus.DYING} and hp_now(healed) > 0:
        awake = sheet.changed(status=CompareStatus.ACTIVE, downed_by=None, door=())
        return Turned(scene.with_sheet(healed, awake), (down(f"{character.name} is back on their feet."),))
    return Turned(scene.with_character(healed))


def gain_stress(scene: Scene, who: CharacterId, gain: int) -> Turned:
    """Add Stress; each point over 3 costs 1 HP, ignoring Fortitude and cover.

    [CMP-STRESS-01, CMP-STRESS-03 (CMP-R25)]
    """
    character = scene.character(who)
    raw = character.left(STRESS) + gain
    lost = max(0, raw - MOST_STRESS)
    turned = Turned(scene.with_character(character.with_resource(STRESS, min(MOST_STRESS, raw))))
    if not lost:
        return turned
    over = Turned(turned.scene, (harm(f"Stress over {MOST_STRESS}: {character.name} loses {lost} HP."),))
    return over.then(lose_hp(turned.scene, who, lost))


def gain_high(scene: Scene, who: CharacterId, gain: int) -> Turned:
    """Add High up to 5; the rest is lost. [CMP-HIGH-01]"""
    character = scene.character(who)
    raw = character.left(HIGH) + gain
    scene = scene.with_character(character.with_resource(HIGH, min(MOST_HIGH, raw)))
    lost = raw - MOST_HIGH
    words = counted(lost, "point is lost", "points are lost")
    return Turned(scene, (f"High is capped at {MOST_HIGH}; {words}.",) if lost > 0 else ())


def apply_outcome(scene: Scene, who: CharacterId, outcome: CompareOutcome) -> Turned:
    """Give a character the Stress and High of an outcome; opponents have neither.

    [CMP-OUT-01 to CMP-OUT-05 (CMP-R08, CMP-R09), CMP-STRESS-01, CMP-HIGH-01, CMP-COM-10]
    """
    if scene.character(who).sheet.foe is not None:
        return Turned(scene)
    row = outcome.row
    counts = not outcome.is_cost or scene.settings.cost_suffix is CostSuffix.STRESS_HIGH
    turned = Turned(scene)
    if row.high and counts:
        turned = turned.then(gain_high(turned.scene, who, row.high))
    if row.stress and counts:
        turned = turned.then(gain_stress(turned.scene, who, row.stress))
    return turned


def damage_suffix(scene: Scene, outcome: CompareOutcome) -> int:
    """What a Cost adds to halved damage, if the campaign's settings say so. [CMP-OUT-03 (CMP-R09)]"""
    return outcome.row.suffix if scene.settings.cost_suffix is CostSuffix.DAMAGE else 0


def totals(resources: Mapping[str, int]) -> str:
    """Stress and High: "Stress 1/3 · High 2/5"."""
    return f"Stress {resources.get(STRESS, 0)}/{MOST_STRESS} · High {resources.get(HIGH, 0)}/{MOST_HIGH}"
