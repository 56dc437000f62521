"""Initiative: the roll, the order, ties, and moving down."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from bot.rules.kernel import Die, Document, Family, NamedTerm, Roll, RollRule, Verdict, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.carrying import tier_in
from bot.rules.rpj.character.combat_traits import initiative_terms
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.checks.skill_checks import class_bonus
from bot.rules.rpj.combat.rules.combatants import FighterStats
from bot.rules.rpj.combat.state.combatant import RpjCombatant, RpjKind
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.loads import forbids, skill_penalty
from bot.rules.rpj.module.module import SkillRole
from bot.rules.rpj.resolution.dice_and_coins import shown_dice, sides_of, throw_of, thrown_terms
from bot.rules.rpj.resolution.inputs import CheckKind, RpjCheckInputs
from bot.rules.rpj.resolution.purposes import RpjPurpose


def initiative_check(who: FighterStats, surprise: int = 0) -> RpjCheckInputs:
    """The inputs of an initiative roll: the module's skill for it, else the Dexterity level.

    Args:
        who: Who rolls.
        surprise: What being caught unawares adds.

    Source: RPJ-GCS-15 (R-077), RPJ-GCS-18, RPJ-INV-03.
    """
    figure = who.figure
    now = evolve(who.now, is_surprised=surprise < 0)
    terms = (
        *_skill_terms(figure),
        *initiative_terms(figure, now),
        NamedTerm(label="surprised", value=surprise),
    )
    return RpjCheckInputs(
        kind=CheckKind.INITIATIVE,
        terms=tuple(term for term in terms if term.value),
        criticals=figure.module.criticals,
    )


def cannot_roll(figure: Stats) -> bool:
    """Whether a combatant carries too much to roll initiative.

    Source: RPJ-INV-04 (INV-04a).
    """
    return forbids(tier_in(figure), _attribute(figure))


def _attribute(figure: Stats) -> RpjAttribute:
    skills = figure.module.skills_for(SkillRole.INITIATIVE)
    return figure.linked(max(skills, key=figure.effective_level)) if skills else RpjAttribute.DEX


def _skill_terms(figure: Stats) -> tuple[NamedTerm, ...]:
    skills = figure.module.skills_for(SkillRole.INITIATIVE)
    if not skills:
        return (NamedTerm(label=RpjAttribute.DEX.word, value=figure.level(RpjAttribute.DEX)),)
    best = max(skills, key=figure.effective_level)
    return (
        NamedTerm(label=best.name, value=figure.effective_level(best)),
        NamedTerm(label="class skill", value=class_bonus(figure, best)),
        NamedTerm(label="overloaded", value=skill_penalty(tier_in(figure), figure.linked(best))),
    )


def roll_initiative(inputs: RpjCheckInputs, dice: Dice) -> Roll:
    """Roll initiative; it has no target number and no criticals.

    Source: RPJ-GCS-15, RPJ-DICE-03 (R-003), RPJ-LUCK-02.
    """
    missing, sides = inputs.dice - len(inputs.fallen), sides_of(inputs)
    faces = inputs.fallen + tuple(dice.roll(sides) for _ in range(missing))
    total = throw_of(inputs, faces).natural + inputs.modifier
    shown = shown_dice(inputs, faces)
    return Roll(
        rule=INITIATIVE.key,
        inputs=inputs,
        dice=shown[len(inputs.fallen) :],
        earlier=shown[: len(inputs.fallen)],
        terms=thrown_terms(inputs, faces),
        total=total,
        verdict=Verdict(Family.NEWS, f"initiative {total}"),
        purpose=RpjPurpose.INITIATIVE,
    )


LAST = -100  # what stands for the roll of those who cannot roll: after all who did
INITIATIVE = RollRule(key="initiative", inputs=RpjCheckInputs, resolve=roll_initiative)


class RollOffInputs(Document):
    """The inputs of a roll-off."""

    names: tuple[str, ...]


def roll_off(inputs: RollOffInputs, dice: Dice) -> Roll:
    """Roll off: a d6 for each, repeated on ties.

    Source: RPJ-GCS-16 (R-078).
    """
    thrown: list[Die] = []
    places = _tossed(inputs.names, dice, thrown)
    return Roll(
        rule=ROLL_OFF.key,
        inputs=inputs,
        dice=tuple(thrown),
        verdict=Verdict(Family.NEWS, ", then ".join(places)),
        purpose=RpjPurpose.ROLL_OFF,
    )


def _tossed(names: Sequence[str], dice: Dice, thrown: list[Die]) -> list[str]:
    """The names from the highest die on; what falls is noted down."""
    if len(names) < 2:
        return list(names)
    faces = {name: dice.roll(6) for name in names}
    thrown += [Die(sides=6, face=face, label=name) for name, face in faces.items()]
    heights = sorted(set(faces.values()), reverse=True)
    tied = ([name for name in names if faces[name] == height] for height in heights)
    return [name for group in tied for name in _tossed(group, dice, thrown)]


ROLL_OFF = RollRule(key="roll off", inputs=RollOffInputs, resolve=roll_off)


def combat_order(fighters: Iterable[RpjCombatant]) -> tuple[str, ...]:
    """The order of those who have rolled, the highest first, players before others, without mooks.

    Source: RPJ-GCS-16 (R-078).
    """
    rolled = [one for one in fighters if one.initiative is not None and one.kind is not RpjKind.MOOK]
    return tuple(one.id for one in sorted(rolled, key=_rank))


def _rank(fighter: RpjCombatant) -> tuple[int, bool, int, int]:
    is_npc = fighter.kind is not RpjKind.PLAYER
    return -(fighter.initiative or 0), is_npc, -fighter.modifier if is_npc else 0, -fighter.toss


def ties(fighters: Iterable[RpjCombatant], kind: RpjKind) -> Iterator[tuple[RpjCombatant, ...]]:
    """Unsettled ties of one kind: players choose or roll off, others roll off.

    Source: RPJ-GCS-16 (R-078).
    """
    rolled = [one for one in fighters if one.initiative is not None and one.kind is kind]
    for _rank_of, tied in groupby(sorted(rolled, key=_rank), key=_rank):
        group = tuple(tied)
        if len(group) > 1:
            yield group


def settled(tied: Sequence[RpjCombatant], names: Sequence[str]) -> tuple[RpjCombatant, ...]:
    """The combatants with the order of a tie stored: the first of these ids acts first.

    Raises:
        UserError: If these are not the tied.

    Source: RPJ-GCS-16.
    """
    if sorted(names) != sorted(fighter.id for fighter in tied):
        raise UserError("Name each tied combatant once.", ", ".join(fighter.name for fighter in tied) + ".")
    return tuple(evolve(fighter, toss=len(tied) - names.index(fighter.id)) for fighter in tied)


def demoted(order: Sequence[str], who: str, after: str) -> tuple[str, ...]:
    """The order after a combatant moves down behind another, before the fight starts.

    Raises:
        UserError: If that is no move down, or leads behind the mooks.

    Source: RPJ-GCS-17.
    """
    if after not in order:
        raise UserError("You can't act after the mooks.", "They always act last.")
    if who not in order or order.index(after) <= order.index(who):
        raise UserError("That isn't later in the order.", "You can only let others go first.")
    rest = [slot for slot in order if slot != who]
    place = rest.index(after) + 1
    return (*rest[:place], who, *rest[place:])


def joined(order: Sequence[str], fighters: Iterable[RpjCombatant], newcomer: RpjCombatant) -> tuple[str, ...]:
    """The order of a running fight with a newcomer in the place of their roll.

    Source: RPJ-GCS-16 (R-134).
    """
    ranks = {fighter.id: _rank(fighter) for fighter in fighters}
    place = next(
        (at for at, slot in enumerate(order) if ranks[slot] > _rank(newcomer)),
        len(order),
    )
    return (*order[:place], newcomer.id, *order[place:])


def by_fiat(order: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """The order set by the GM.

    Raises:
        UserError: If somebody is missing, or named twice.

    Source: RPJ-GCS-19.
    """
    if sorted(order) != sorted(wanted):
        raise UserError("Name everyone in the order once.", "Leave out mooks; they always act last.")
    return tuple(wanted)


def first_round(order: Sequence[str], quick: Iterable[str]) -> tuple[str, ...]:
    """The order of the first round, with combatants who go first by a trait.

    Source: RPJ-TRAIT-07.
    """
    leading = set(quick)
    return tuple(sorted(order, key=lambda slot: slot not in leading))
