"""Attacks by players' characters and by opponents."""

from dataclasses import dataclass

from pydantic import Field

from bot.rules.compare_roll.character.catalogue import (
    Armed,
    Difficulty,
    default_difficulty,
    find_skill,
    numbered,
    weapon_in_hand,
)
from bot.rules.compare_roll.character.settings import OpponentAttack
from bot.rules.compare_roll.character.sheet import (
    Character,
    Outcome,
    Scene,
    assert_can_act,
)
from bot.rules.compare_roll.checks.open_checks import (
    CompareRollOptions,
    CompareStanding,
    difficulty_of,
    prepared,
    require_gm,
)
from bot.rules.compare_roll.checks.opening import OpenRoll, Worded, after_settling, lay
from bot.rules.compare_roll.combat.commands.defenses import meet
from bot.rules.compare_roll.combat.state.counters import spend_shot
from bot.rules.compare_roll.combat.state.encounter import CompareCover, cover_of, spend_attack
from bot.rules.compare_roll.combat.state.ranges import CompareAim, assert_countable, reached, read_feet
from bot.rules.compare_roll.combat.state.strikes import (
    ComparePendingAttack,
    CompareStruck,
    damage_inputs,
    names_of,
    strike,
)
from bot.rules.compare_roll.resolution.amounts import DAMAGE, dealt_by
from bot.rules.compare_roll.resolution.purposes import ComparePurpose
from bot.rules.compare_roll.resolution.tables import (
    CompareShare,
    CompareWeapon,
    DamageTag,
    DistanceTag,
    Shape,
    Stat,
)
from bot.rules.compare_roll.resolution.two_d12s import CompareInputs
from bot.rules.kernel import CharacterId, NamedTerm, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError


class CompareAttackOptions(CompareRollOptions):
    """Options of an attack.

    Attributes:
        targets: The targets.
        weapon: The weapon; empty: the one in hand.
        distance: Distances in feet, separated by commas; see `CompareAim`.
        skill: A skill other than the weapon's.
        cover: The targets' cover, if it is not the cover they have taken.
        force: Whether the GM allows it despite turn, range and skill.
    """

    targets: tuple[CharacterId, ...] = Field(max_length=20)
    weapon: str = ""
    distance: str = Field(default="", max_length=100)
    skill: str = ""
    cover: CompareCover | None = None
    force: bool = False

    @property
    def ignored_of_foes(self) -> tuple[str, ...]:
        """The given options that need a roll by the attacker."""
        given = {
            "burn": self.burn,
            "skill": self.skill,
            "modifier": self.modifier,
            "outcome": self.outcome,
        }
        return tuple(name for name, value in given.items() if value)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A prepared attack: the weapon, whom it hits, and notes."""

    armed: Armed
    blow: ComparePendingAttack
    notes: tuple[str, ...]


def attack(scene: Scene, options: CompareAttackOptions, dice: Dice) -> Outcome:
    """Attack: a compare roll for a player's character; for an opponent, as the settings say.

    Source: CMP-COM-08 to CMP-COM-11 (CMP-R32, CMP-R34, CMP-R35), CMP-WPN-06 (CMP-R36).
    """
    actor = scene.actor
    require_gm(scene, given=options.force, what="aside the rules")
    require_gm(scene, given=bool(options.difficulty), what="the difficulty of an attack")
    assert_can_act(actor)
    drawn = _draw(scene, actor, options)
    scene = spend_attack(scene, actor, force=options.force)
    scene = spend_shot(scene, actor.id, drawn.armed)
    if actor.sheet.foe is not None:
        return _foe_attacks(scene, drawn, options, dice)
    sheet, settings = actor.sheet, scene.settings
    skill_name = options.skill or drawn.armed.weapon.skill
    skill = find_skill(sheet, settings, skill_name) if skill_name else None
    standing = CompareStanding(attack_stat(drawn.armed), skill, options.modifier)
    against = _rating(scene, drawn.blow.targets, options.difficulty)
    scene, inputs = prepared(scene, actor, standing, options, against)
    words = f"attacks {names_of(scene, drawn.blow.targets)} with {drawn.armed.weapon.name}"
    laid = OpenRoll(purpose=ComparePurpose.ATTACK, words=words, inputs=inputs, blow=drawn.blow)
    return lay(scene, actor.id, laid, Worded(f"{words} against {against}", drawn.notes), dice)


def attack_stat(armed: Armed) -> Stat:
    """The stat of an attack: Intelligence for Tech, Strength for Melee, otherwise Agility.

    Source: CMP-COM-08, CMP-STAT-01.
    """
    if armed.weapon.stat is not None:
        return armed.weapon.stat
    if armed.weapon.damage is DamageTag.TECH:
        return Stat.INT
    return Stat.STR if armed.weapon.distance is DistanceTag.MELEE else Stat.AGI


def _draw(scene: Scene, actor: Character, options: CompareAttackOptions) -> _Drawn:
    """Find the weapon, check that it can be used, and find the targets it reaches."""
    sheet, settings = actor.sheet, scene.settings
    armed = weapon_in_hand(sheet, settings, options.weapon)
    weapon = armed.weapon
    wants = weapon.requires
    if wants and sheet.foe is None and not options.force:
        have = find_skill(sheet, settings, wants.skill)
        if have.level < wants.level:
            raise UserError(
                f"{weapon.name} needs {have.name} {wants.level}; {actor.name} has {have.level}.",
                "Choose another weapon.",
                "A GM can force the attack.",
            )
    targets = tuple(dict.fromkeys(options.targets))
    if actor.id in targets and weapon.shape is not Shape.EXPLOSIVE:
        raise UserError("You can't attack yourself.", "Only an explosion can hit its thrower.")
    names = tuple(scene.character(target).name for target in targets)
    feet = read_feet(options.distance)
    aim = CompareAim(targets, names, feet)
    notes: tuple[str, ...] = ()
    if options.force or not settings.range_check:
        assert_countable(weapon, aim)
    else:
        targets, notes = reached(weapon, armed.level, aim)
    covers = tuple(_cover(scene, target, options.cover) for target in targets)
    blow = ComparePendingAttack(
        attacker=actor.id,
        weapon=weapon.name,
        level=armed.level,
        targets=targets,
        covers=covers,
        feet=feet[0] if feet else None,
        distances=_distances(weapon, aim, targets),
    )
    return _Drawn(armed, blow, notes)


def _distances(weapon: CompareWeapon, aim: CompareAim, hit: tuple[CharacterId, ...]) -> tuple[int, ...]:
    """The distance of each target hit; empty if they share one, or for an explosion."""
    if weapon.shape is Shape.EXPLOSIVE or len(aim.feet) <= 1:
        return ()
    each = dict(zip(aim.targets, aim.feet, strict=True))
    return tuple(each[target] for target in hit)


def _cover(scene: Scene, target: CharacterId, said: CompareCover | None) -> CompareCover:
    """A target's cover against an attack: the cover it has taken, unless the attack says otherwise.

    Raises:
        UserError: If a player claims less cover.

    Source: CMP-COM-06 (CMP-R30: the GM judges from which sides it holds).
    """
    own = cover_of(scene, target)
    order = tuple(CompareCover)
    if said is not None and not scene.is_gm and order.index(said) < order.index(own):
        name = scene.character(target).name
        raise UserError(f"{name} has {own} cover.", "Only a GM can give a target less cover.")
    return said or own


def _rating(scene: Scene, targets: tuple[CharacterId, ...], named: str) -> Difficulty:
    """The named difficulty, or the highest rating among the targets, or the default.

    Source: CMP-COM-08, CMP-COM-11 (CMP-R35), CMP-COM-12.
    """
    if named:
        return difficulty_of(scene, named)
    settings = scene.settings
    default = default_difficulty(settings).number
    foes = (scene.character(target).sheet.foe for target in targets)
    ratings = [default if foe is None or foe.rating is None else foe.rating for foe in foes]
    return numbered(settings, max(ratings))


# --- opponents ---------------------------------------------------------------------------------


def _foe_attacks(scene: Scene, drawn: _Drawn, options: CompareAttackOptions, dice: Dice) -> Outcome:
    """Make an opponent's attack, in the way the settings say.

    Source: CMP-COM-10 (CMP-R34).
    """
    blow = drawn.blow
    headline = f"attacks {names_of(scene, blow.targets)} with {drawn.armed.weapon.name}"
    mode = scene.settings.opponent_attack
    _assert_options_count(options, mode)
    if mode is OpponentAttack.GM_ROLLS_2D6:
        return _gm_rolls(scene, drawn, options, headline, dice)
    if mode is OpponentAttack.AUTO_HIT:
        return _struck(headline, drawn, strike(scene, blow, CompareShare.FULL, dice))
    roll = DAMAGE.resolve(damage_inputs(drawn.armed, CompareShare.FULL), dice).by(scene.actor)
    against = _own_rating(scene, options)
    struck = CompareStruck(scene, (roll,))
    for target, cover in zip(blow.targets, blow.covers, strict=True):
        single = evolve(blow, targets=(target,), covers=(cover,))
        struck = meet(struck, single, dealt_by(roll), against)
    return _struck(headline, drawn, struck)


def _assert_options_count(options: CompareAttackOptions, mode: OpponentAttack) -> None:
    """Raise `UserError` if an option was given that this kind of opponent's attack ignores.

    Source: CMP-COM-10 (CMP-R34).
    """
    rolls = mode is OpponentAttack.GM_ROLLS_2D6
    ignored = [name for name in options.ignored_of_foes if name in ("burn", "skill") or not rolls]
    if mode is OpponentAttack.AUTO_HIT and options.difficulty:
        ignored.append("difficulty")
    if not ignored:
        return
    ways = {
        OpponentAttack.DEFENCE_ROLL: "The target rolls to defend: use /compare defend instead.",
        OpponentAttack.AUTO_HIT: "In this campaign opponents hit without a roll.",
        OpponentAttack.GM_ROLLS_2D6: "Opponents have no skills and no High.",
    }
    names = " and ".join(ignored)
    raise UserError(f"You can't use {names} with an opponent's attack.", ways[mode])


def _struck(headline: str, drawn: _Drawn, struck: CompareStruck) -> Outcome:
    return Outcome(
        scene=struck.scene,
        headline=headline,
        rolls=struck.rolls,
        notes=(*drawn.notes, *struck.notes),
        follow_ups=struck.follow_ups,
    )


def _own_rating(scene: Scene, options: CompareAttackOptions) -> Difficulty:
    """The difficulty of defending against an opponent: its rating."""
    foe = scene.actor.sheet.foe
    if options.difficulty or foe is None or foe.rating is None:
        return difficulty_of(scene, options.difficulty)
    return numbered(scene.settings, foe.rating)


def _gm_rolls(
    scene: Scene, drawn: _Drawn, options: CompareAttackOptions, headline: str, dice: Dice
) -> Outcome:
    """Roll 2d6 for an opponent against the default difficulty; a Cost lets the target counter."""
    actor = scene.actor
    foe = actor.sheet.foe
    number = (foe.attack if foe else 0) + options.modifier
    terms = (NamedTerm(label="attack", value=number),) if number else ()
    inputs = CompareInputs(
        terms=terms, difficulty=difficulty_of(scene, options.difficulty).number, forced=options.outcome
    )
    laid = OpenRoll(purpose=ComparePurpose.ATTACK, words=headline, inputs=inputs, blow=drawn.blow)
    return lay(scene, actor.id, laid, Worded(headline, drawn.notes), dice)


declare("attack", CompareAttackOptions, after_settling(attack), can_repeat=True)
