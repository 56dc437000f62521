"""Attacks by players' characters and by opponents, and the defenses against them."""

from collections.abc import Iterable, Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field

from bot.rules.compare_roll.catalogue import (
    Armed,
    CompareSkill,
    Difficulty,
    armed,
    default_difficulty,
    find_skill,
    numbered,
    own_skills,
    weapon_in_hand,
)
from bot.rules.compare_roll.open_checks import (
    CompareRollOptions,
    CompareStanding,
    check_terms,
    difficulty_of,
    prepared,
    require_gm,
)
from bot.rules.compare_roll.opening import OpenRoll, Worded, after_settling, lay
from bot.rules.compare_roll.sheet import (
    Character,
    OpponentAttack,
    Outcome,
    Scene,
    assert_can_act,
    is_standing,
)
from bot.rules.compare_roll.strikes import (
    CompareAim,
    CompareCover,
    ComparePendingAttack,
    CompareStruck,
    assert_countable,
    cover_of,
    damage_inputs,
    dice_words,
    find_fighter,
    names_of,
    reached,
    read_feet,
    spend_attack,
    spend_shot,
    strike,
    take_hit,
)
from bot.rules.compare_roll.tables import (
    ComparePurpose,
    CompareShare,
    CompareWeapon,
    DamageTag,
    DistanceTag,
    Shape,
    Stat,
)
from bot.rules.compare_roll.two_d12s import DAMAGE, CompareInputs, chances, dealt_by, met, until_met
from bot.rules.compare_roll.two_d12s import CompareOutcome as Result
from bot.rules.kernel import CharacterId, Choice, Document, FollowUp, NamedTerm, evolve, procedure
from bot.rules.kernel.dice import Chance, Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import line_label
from bot.rules.shared.offering import (
    TryingDice,
    act_of,
    choices_among,
    first_id,
    foes_first,
    is_allowed,
    is_friend,
)

DODGING = "Acrobatics/Dodging"


class CompareDefendOptions(CompareRollOptions):
    """Options of a defense."""

    skill: str = DODGING
    attack: str = ""  # the moment of the attack; empty: the oldest one


class Incoming(Document):
    """The attacks that wait for a character's defense, oldest first."""

    blows: tuple[ComparePendingAttack, ...]
    damages: tuple[int, ...]  # the damage of each
    difficulties: tuple[int, ...]  # the difficulty of defending against each
    moments: tuple[str, ...] = ()  # when each was made; fewer if old records lack it

    def attacks(self) -> tuple["CompareAttack", ...]:
        """Each attack with its damage, difficulty and moment."""
        moments = (*("" for _ in range(len(self.blows) - len(self.moments))), *self.moments)
        rows = zip(self.blows, self.damages, self.difficulties, moments, strict=True)
        return tuple(CompareAttack(*row) for row in rows)

    @staticmethod
    def of(attacks: "Iterable[CompareAttack]") -> "Incoming | None":
        """The attacks as a document; None if there are none."""
        whole = tuple(attacks)
        if not whole:
            return None
        return Incoming(
            blows=tuple(one.blow for one in whole),
            damages=tuple(one.damage for one in whole),
            difficulties=tuple(one.difficulty for one in whole),
            moments=tuple(one.moment for one in whole),
        )


class CompareAttack(Struct, frozen=True):
    """An attack that waits for a defense."""

    blow: ComparePendingAttack
    damage: int
    difficulty: int
    moment: str


def meet(
    struck: CompareStruck, blow: ComparePendingAttack, damage: int, against: Difficulty
) -> CompareStruck:
    """Let a target defend; one that cannot takes the full damage. [CMP-COM-10 (CMP-R34)]"""
    (target,), (cover,) = blow.targets, blow.covers
    character = struck.scene.character(target)
    if character.sheet.foe is not None or not is_standing(character):
        return struck.then(take_hit(struck.scene, target, damage, cover, blow.attacker))
    scene = struck.scene
    attack = CompareAttack(blow, damage, against.number, scene.moment)
    waits = Incoming.of((*incoming(scene, target), attack))
    note = f"{character.name} can defend against {damage} damage."
    waiting = defend_buttons(scene, character, against, scene.moment)
    buttons = tuple(replace(one, note=note) for one in waiting)
    return struck.then(CompareStruck(scene.with_document(incoming_key(target), waits), (), (), buttons))


def incoming_key(target: CharacterId) -> str:
    """The document key of the attacks on a character that wait for a defense."""
    return f"incoming/{target}"


def incoming(scene: Scene, target: CharacterId) -> tuple[CompareAttack, ...]:
    """The attacks that wait for a character's defense, oldest first."""
    waits = scene.stored(Incoming, incoming_key(target))
    return () if waits is None else waits.attacks()


def without_attack(scene: Scene, target: CharacterId, moment: str) -> Scene:
    """Return the scene with a pending attack dropped, without effect."""
    rest = (one for one in incoming(scene, target) if one.moment != moment)
    return scene.with_document(incoming_key(target), Incoming.of(rest))


def defend_buttons(scene: Scene, target: Character, against: Difficulty, moment: str) -> tuple[FollowUp, ...]:
    """A button for Dodging, pressed automatically after a time, and a menu of the best skills.

    Args:
        target: Who defends.
        moment: When the attack was made.

    [CMP-COM-10 (CMP-R34)]
    """
    sheet, settings = target.sheet, scene.settings
    skills = sorted(own_skills(sheet, settings), key=lambda one: -_unhurt(scene, target, one, against))
    dodging = find_skill(sheet, settings, DODGING)
    group = f"defence/{target.id}/{moment}"
    window = until_met(target.id, moment)
    options = CompareDefendOptions(attack=moment)
    words = f": Dodging {_percent(scene, target, dodging, against)}"
    button = FollowUp(
        procedure="defend",
        options=options,
        label=line_label(target.name, words, is_timed=True),
        character=target.id,
        group=group,
        window=window,
        after_seconds=settings.defense_seconds or None,
    )
    choices = tuple(
        Choice(one.key, one.name, f"{one.category} · unhurt {_percent(scene, target, one, against)}")
        for one in skills[:10]
    )
    menu = FollowUp(
        procedure="defend",
        options=options,
        label=f"{target.name} defends with …",
        character=target.id,
        choices=choices,
        chosen="skill",
        group=group,
        window=window,
    )
    return (button, menu)


def _unhurt(scene: Scene, target: Character, skill: CompareSkill, against: Difficulty) -> int:
    """In how many of 5,184 cases a defense lets nothing through."""
    terms = check_terms(scene, target, CompareStanding(skill.stat, skill))
    ways = chances(sum(term.value for term in terms), against.number)
    return ways[Result.SUCCESS] + ways[Result.CRIT]


def _percent(scene: Scene, target: Character, skill: CompareSkill, against: Difficulty) -> str:
    return percent(Chance(_unhurt(scene, target, skill, against), 5184))


def defend(scene: Scene, options: CompareDefendOptions, dice: Dice) -> Outcome:
    """Defend against a pending attack; a character who is down takes the full damage.

    [CMP-COM-10 (CMP-R34), CMP-DEATH-03]
    """
    actor = scene.actor
    require_gm(scene, given=bool(options.difficulty), what="the difficulty of a defense")
    attack = _waiting(scene, options)
    rest = (one for one in incoming(scene, actor.id) if one != attack)
    scene = scene.with_document(incoming_key(actor.id), Incoming.of(rest))
    moments = (met(actor.id, attack.moment),)
    blow = attack.blow
    if not is_standing(actor):
        hit = take_hit(scene, actor.id, attack.damage, blow.covers[0], blow.attacker)
        name = scene.character(blow.attacker).name
        return Outcome(
            scene=hit.scene,
            headline=f"is down and can't defend against {name}",
            notes=hit.notes,
            follow_ups=hit.follow_ups,
            moments=moments,
        )
    skill = find_skill(actor.sheet, scene.settings, options.skill)
    against = numbered(scene.settings, attack.difficulty)
    if options.difficulty:
        against = difficulty_of(scene, options.difficulty)
    scene, inputs = prepared(
        scene, actor, CompareStanding(skill.stat, skill, options.modifier), options, against
    )
    attacker = scene.character(blow.attacker).name
    words = f"defends against {attacker} ({attack.damage} damage) with {skill.name}"
    laid = OpenRoll(
        purpose=ComparePurpose.DEFENSE, words=words, inputs=inputs, blow=blow, damage=attack.damage
    )
    outcome = lay(scene, actor.id, laid, Worded(f"{words}, {against}"), dice)
    return replace(outcome, moments=(*outcome.moments, *moments))


def _waiting(scene: Scene, options: CompareDefendOptions) -> CompareAttack:
    """The pending attack to defend against."""
    actor = scene.actor
    found = [one for one in incoming(scene, actor.id) if options.attack in ("", one.moment)]
    if not found:
        raise UserError(f"{actor.name} has no attack to defend against.", "Wait until an opponent attacks.")
    return found[0]


procedure("defend")(after_settling(defend, is_for_standing=False))


class CompareAttackOptions(CompareRollOptions):
    """Options of an attack."""

    targets: tuple[CharacterId, ...] = Field(max_length=20)
    weapon: str = ""  # the weapon; empty: the one in hand
    # Distances in feet, separated by commas; see `CompareAim`.
    distance: str = Field(default="", max_length=100)
    skill: str = ""  # a skill other than the weapon's
    cover: CompareCover | None = None  # the targets' cover, if it is not the cover they have taken
    force: bool = False  # whether the GM allows it despite turn, range and skill

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


class _Drawn(Struct, frozen=True):
    """A prepared attack: the weapon, whom it hits, and notes."""

    armed: Armed
    blow: ComparePendingAttack
    notes: tuple[str, ...]


@procedure("attack", can_repeat=True)
@after_settling
def attack(scene: Scene, options: CompareAttackOptions, dice: Dice) -> Outcome:
    """Attack: a compare roll for a player's character; for an opponent, as the settings say.

    [CMP-COM-08 to CMP-COM-11 (CMP-R32, CMP-R34, CMP-R35), CMP-WPN-06 (CMP-R36)]
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

    [CMP-COM-08, CMP-STAT-01]
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

    [CMP-COM-06 (CMP-R30: the GM judges from which sides it holds)]
    """
    own = cover_of(scene, target)
    order = tuple(CompareCover)
    if said is not None and not scene.is_gm and order.index(said) < order.index(own):
        name = scene.character(target).name
        raise UserError(f"{name} has {own} cover.", "Only a GM can give a target less cover.")
    return said or own


def _rating(scene: Scene, targets: tuple[CharacterId, ...], named: str) -> Difficulty:
    """The named difficulty, or the highest rating among the targets, or the default.

    [CMP-COM-08, CMP-COM-11 (CMP-R35), CMP-COM-12]
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
    """Make an opponent's attack, in the way the settings say. [CMP-COM-10 (CMP-R34)]"""
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

    [CMP-COM-10 (CMP-R34)]
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


MOST_WEAPONS = 12


class WeaponAttack(Struct, frozen=True):
    """An attack with one weapon: the menu of its targets, and whether it is possible now."""

    weapon: Armed
    menu: FollowUp
    is_possible: bool

    @property
    def words(self) -> str:
        """The weapon and its damage: "Pistol 9/10 · 1d6"."""
        return f"{self.weapon.words} · {dice_words(damage_inputs(self.weapon, CompareShare.FULL))}"


def targets_of(scene: Scene) -> tuple[Choice, ...]:
    """Whom the acting character can attack; in a fight only foes that still stand."""
    fighting = find_fighter(scene, scene.actor.id) is not None
    return choices_among(
        one for one in foes_first(scene) if is_standing(one) and not (fighting and is_friend(scene, one))
    )


def weapon_attacks(scene: Scene) -> Iterator[WeaponAttack]:
    """The acting character's attacks, with each weapon; none if there is nobody to attack.

    [CMP-COM-08, CMP-WPN-08]
    """
    targets = targets_of(scene)
    for weapon in list(armed(scene.actor.sheet, scene.settings))[:MOST_WEAPONS] if targets else ():
        options = CompareAttackOptions(targets=(first_id(targets),), weapon=weapon.weapon.name)
        menu = act_of(scene, "attack", options, "Attack", choices=targets, chosen="targets")
        yield WeaponAttack(weapon, menu, is_allowed(partial(attack, scene, options, TryingDice())))
