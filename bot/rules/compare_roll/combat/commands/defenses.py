"""Defenses against opponents' attacks: pending attacks, and the defense roll."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.rules.compare_roll.character.catalogue import (
    CompareSkill,
    Difficulty,
    find_skill,
    numbered,
    own_skills,
)
from bot.rules.compare_roll.character.sheet import (
    Character,
    Outcome,
    Scene,
    is_standing,
)
from bot.rules.compare_roll.checks.open_checks import (
    CompareRollOptions,
    CompareStanding,
    check_terms,
    difficulty_of,
    prepared,
    require_gm,
)
from bot.rules.compare_roll.checks.opening import OpenRoll, Worded, after_settling, lay
from bot.rules.compare_roll.combat.state.strikes import ComparePendingAttack, CompareStruck, take_hit
from bot.rules.compare_roll.resolution.purposes import ComparePurpose
from bot.rules.compare_roll.resolution.settling_deadlines import met, until_met
from bot.rules.compare_roll.resolution.two_d12s import CompareOutcome as Result
from bot.rules.compare_roll.resolution.two_d12s import chances
from bot.rules.kernel import CharacterId, Choice, Document, FollowUp, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import Chance, percent

DODGING = "Acrobatics/Dodging"


class CompareDefendOptions(CompareRollOptions):
    """Options of a defense.

    Attributes:
        skill: The skill to defend with.
        attack: The moment of the attack; empty: the oldest one.
    """

    skill: str = DODGING
    attack: str = ""


class Incoming(Document):
    """The attacks that wait for a character's defense, oldest first.

    Attributes:
        blows: The attacks.
        damages: The damage of each.
        difficulties: The difficulty of defending against each.
        moments: When each was made; fewer if old records lack it.
    """

    blows: tuple[ComparePendingAttack, ...]
    damages: tuple[int, ...]
    difficulties: tuple[int, ...]
    moments: tuple[str, ...] = ()

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


@dataclass(frozen=True, slots=True)
class CompareAttack:
    """An attack that waits for a defense."""

    blow: ComparePendingAttack
    damage: int
    difficulty: int
    moment: str


def meet(
    struck: CompareStruck, blow: ComparePendingAttack, damage: int, against: Difficulty
) -> CompareStruck:
    """Let a target defend; one that cannot takes the full damage.

    Source: CMP-COM-10 (CMP-R34).
    """
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
    waits = scene.document(incoming_key(target))
    return waits.attacks() if isinstance(waits, Incoming) else ()


def without_attack(scene: Scene, target: CharacterId, moment: str) -> Scene:
    """Return the scene with a pending attack dropped, without effect."""
    rest = (one for one in incoming(scene, target) if one.moment != moment)
    return scene.with_document(incoming_key(target), Incoming.of(rest))


def defend_buttons(scene: Scene, target: Character, against: Difficulty, moment: str) -> tuple[FollowUp, ...]:
    """A button for Dodging, pressed automatically after a time, and a menu of the best skills.

    Args:
        scene: The scene.
        target: Who defends.
        against: The difficulty.
        moment: When the attack was made.

    Source: CMP-COM-10 (CMP-R34).
    """
    sheet, settings = target.sheet, scene.settings
    skills = sorted(own_skills(sheet, settings), key=lambda one: -_unhurt(scene, target, one, against))
    dodging = find_skill(sheet, settings, DODGING)
    group = f"defence/{target.id}/{moment}"
    window = until_met(target.id, moment)
    options = CompareDefendOptions(attack=moment)
    button = FollowUp(
        procedure="defend",
        options=options,
        label=f"{target.name[:30]} defends · Dodging, unhurt {_percent(scene, target, dodging, against)}",
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
        label=f"{target.name[:30]} defends with …",
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

    Source: CMP-COM-10 (CMP-R34), CMP-DEATH-03.
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
        purpose=ComparePurpose.DEFENCE, words=words, inputs=inputs, blow=blow, damage=attack.damage
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


declare("defend", CompareDefendOptions, after_settling(defend, is_for_standing=False))
