"""Reserves: a skill for one defense, or a prepared action that waits for its trigger."""

from enum import StrEnum

from pydantic import Field

from bot.rules.kernel import CharacterId, Choice, Document, FollowUp, TextField, procedure
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, label_with
from bot.rules.swim_class.attacks import (
    FARTHEST,
    GrappleOptions,
    StealthOptions,
    SwimAttackOptions,
    SwimOpposeOptions,
    attack,
    grapple,
    oppose,
    stealth,
)
from bot.rules.swim_class.damage import assert_can_act
from bot.rules.swim_class.encounter import FULL_ACTION, find_encounter, spend
from bot.rules.swim_class.movement import MoveGround, SwimMoveOptions, move
from bot.rules.swim_class.powers import SpellKey, SwimCastOptions, cast
from bot.rules.swim_class.rolling import HARDEST, PoolOptions, SwimRollOptions, roll
from bot.rules.swim_class.sheet import (
    Character,
    Outcome,
    Reserve,
    ReserveKind,
    Scene,
    book,
    parent_of,
    rank_of,
    with_states,
)
from bot.rules.swim_class.tables import SPELLS, WHEEL, Defends, SkillKey, SwimAttack, SwimSpell

GRAPPLE = "grapple"
AT_ONE = frozenset({"death", "stun", "heal"})  # powers that need a target
MOST_TARGETS = 25


class _Aimed(StrEnum):
    """What a prepared action is aimed at."""

    NOBODY = "nobody"
    SOMEBODY = "somebody"
    AN_AREA = "an area"


class ReserveOptions(Document):
    """Options of a reserve."""

    skill: str = Field(min_length=1, max_length=100)
    kind: ReserveKind = ReserveKind.DEFENCE  # for a defense or a prepared action
    trigger: str = Field(default="", max_length=200)  # what a prepared action waits for
    spell: SpellKey | None = None  # the prepared power of a form of magic; None: chosen later


class TriggerOptions(PoolOptions):
    """Options of carrying out a prepared action."""

    targets: tuple[CharacterId, ...] = Field(default=(), max_length=5)
    # Their distance in squares; None: as the fight remembers it.
    distance: int | None = Field(default=None, ge=0, le=FARTHEST)
    spell: SpellKey | None = None  # the power of a form of magic; None: the prepared one
    area: int = Field(default=0, ge=0, le=50)  # side of the square a power fills
    line: int = Field(default=0, ge=0, le=100)  # length of the line a power follows
    # The number each die must reach, if the action has no difficulty of its own.
    difficulty: int = Field(default=1, ge=1, le=HARDEST)


@procedure("reserve")
def reserve(scene: Scene, options: ReserveOptions, _dice: Dice) -> Outcome:
    """Hold a skill in reserve instead of acting. [SWIM-COMB-13 (SWIM-R56), SWIM-COMB-14]"""
    actor = scene.actor
    assert_can_act(scene, actor)
    skills = book(scene)
    skill = skills.find(options.skill)
    is_defence = options.kind is ReserveKind.DEFENCE
    if is_defence and skills.definition(skill).defends is Defends.NEVER:
        raise UserError(f"{skills.title(skill)} can't defend.")
    if not is_defence and not options.trigger.strip():
        raise UserError("A prepared action needs a trigger.", try_this="Give the option “trigger”.")
    held = Reserve(
        skill=skill, kind=options.kind, trigger=options.trigger.strip(), spell=_prepared_spell(scene, options)
    )
    scene = with_states(spend(scene, actor, FULL_ACTION), actor.id, reserve=held)
    what = SPELLS[held.spell].name if held.spell else skills.title(skill)
    words = f"holds {what} in reserve"
    if is_defence:
        dice = max(0, rank_of(scene, actor, skill) - 1)
        note = f"+{counted(dice, 'die', 'dice')} on one defense."
        return Outcome(scene=scene, headline=f"{words} for a defense", notes=(note,))
    button = _next_step(scene, actor, held, TriggerOptions()) or _button(scene, actor, held, TriggerOptions())
    return Outcome(scene=scene, headline=f"{words}: {held.trigger}", follow_ups=(button,))


def _prepared_spell(scene: Scene, options: ReserveOptions) -> str:
    """The key of the prepared power, or empty.

    Raises:
        UserError: If it is not a power of the skill.
    """
    if options.spell is None:
        return ""
    if options.kind is ReserveKind.DEFENCE:
        raise UserError("A defense needs no spell.", "Leave out “spell”, or set “kind” to action.")
    _assert_of_form(scene, book(scene).find(options.skill), SPELLS[options.spell])
    return options.spell.value


def _assert_of_form(scene: Scene, skill: SkillKey, spell: SwimSpell) -> None:
    if spell.form != parent_of(skill):
        title = book(scene).title
        raise UserError(f"{spell.name} is a power of {title(spell.form)}, not of {title(skill)}.")


# --- doing what was prepared ---------------------------------------------------------------------


@procedure("trigger")
def trigger(scene: Scene, options: TriggerOptions, dice: Dice) -> Outcome:
    """Carry out the prepared action at once and with the full pool. [SWIM-COMB-14, SWIM-TASK-06]"""
    actor = scene.actor
    held = actor.sheet.states.reserve
    if held is None or held.kind is not ReserveKind.ACTION:
        raise UserError(
            f"{actor.name} has no prepared action.",
            try_this="Reserve one on your turn, on your sheet.",
        )
    assert_can_act(scene, actor)
    step = _next_step(scene, actor, held, options)
    if step is not None:
        words = f"carries out a prepared action ({book(scene).title(held.skill)}): {held.trigger}"
        return Outcome(scene=scene, headline=words, follow_ups=(step,))
    return _done(scene, held, options, dice)


def _done(scene: Scene, held: Reserve, options: TriggerOptions, dice: Dice) -> Outcome:
    """Carry out the prepared action like its own command."""
    pool = {name: getattr(options, name) for name in PoolOptions.model_fields} | {"anyway": True}
    definition, targets = book(scene).definition(held.skill), options.targets
    spell = _spell_of(scene, held, options)
    if spell is not None:
        sizes = {"distance": options.distance, "area": options.area, "line": options.line}
        chosen = SwimCastOptions(spell=SpellKey(spell.key), targets=targets, **sizes, **pool)
        return cast(scene, chosen, dice)
    if definition.attacks:
        aimed = SwimAttackOptions(skill=held.skill, targets=targets, distance=options.distance, **pool)
        return attack(scene, aimed, dice)
    if held.skill == GRAPPLE:
        return grapple(scene, GrappleOptions(target=_only(targets), **pool), dice)
    if definition.attack is SwimAttack.STEALTH:
        return stealth(scene, StealthOptions(skill=held.skill, observers=targets, **pool), dice)
    if targets:
        against = SwimOpposeOptions(skill=held.skill, targets=targets, difficulty=options.difficulty, **pool)
        return oppose(scene, against, dice)
    if held.skill in {*MoveGround}:
        how = MoveGround(held.skill)
        return move(scene, SwimMoveOptions(how=how, difficulty=options.difficulty, **pool), dice)
    return roll(scene, SwimRollOptions(skill=held.skill, difficulty=options.difficulty, **pool), dice)


def _only(targets: tuple[CharacterId, ...]) -> CharacterId:
    if len(targets) > 1:
        raise UserError("You can grapple only one target.")
    return targets[0]


def _spell_of(scene: Scene, held: Reserve, options: TriggerOptions) -> SwimSpell | None:
    """The chosen or prepared power, or None.

    Raises:
        UserError: If another power was prepared.
    """
    key = options.spell.value if options.spell is not None else held.spell
    if not key:
        return None
    spell = SPELLS[key]
    _assert_of_form(scene, held.skill, spell)
    if held.spell and key != held.spell:
        raise UserError(f"You prepared {SPELLS[held.spell].name}, not {spell.name}.")
    return spell


# --- what is still to be said --------------------------------------------------------------------


def _next_step(scene: Scene, actor: Character, held: Reserve, options: TriggerOptions) -> FollowUp | None:
    """The button that asks for the power or the targets; None if nothing is missing."""
    spell = _spell_of(scene, held, options)
    if parent_of(held.skill) in WHEEL and spell is None:
        form = parent_of(held.skill)
        choices = tuple(Choice(one.key, one.name) for one in SPELLS.values() if one.form == form)
        return _button(scene, actor, held, options, "which power?", choices, "spell")
    aimed = _aimed_at(scene, held, spell)
    if options.targets or aimed is _Aimed.NOBODY:
        return None
    if aimed is _Aimed.AN_AREA and spell is not None:
        size = "line" if spell.area == "line" else "area"
        blanks = (
            TextField(key="targets", prompt="Targets in the area, separated by commas", longest=200),
            TextField(key=size, prompt="Length in squares" if size == "line" else "Side in squares"),
        )
        return _button(scene, actor, held, options, "who is in the area?", blanks=blanks)
    encounter = find_encounter(scene)
    others = () if encounter is None else encounter.shown
    choices = tuple(Choice(str(one.character), one.name) for one in others if one.character != actor.id)
    if choices:
        return _button(scene, actor, held, options, "which target?", choices[:MOST_TARGETS], "targets")
    blank = TextField(key="targets", prompt="Targets, separated by commas", longest=200)
    return _button(scene, actor, held, options, "which target?", blanks=(blank,))


def _aimed_at(scene: Scene, held: Reserve, spell: SwimSpell | None) -> _Aimed:
    """What a prepared action is aimed at."""
    definition = book(scene).definition(held.skill)
    if spell is not None:
        is_single = spell.key in AT_ONE
        return _Aimed.AN_AREA if spell.area else _Aimed.SOMEBODY if is_single else _Aimed.NOBODY
    hides = definition.attack is SwimAttack.STEALTH
    return _Aimed.SOMEBODY if definition.attacks or hides or held.skill == GRAPPLE else _Aimed.NOBODY


def _button(
    scene: Scene,
    actor: Character,
    held: Reserve,
    options: TriggerOptions,
    asks: str = "",
    choices: tuple[Choice, ...] = (),
    chosen: str = "",
    blanks: tuple[TextField, ...] = (),
) -> FollowUp:
    """The button that carries out a prepared action, or asks for what is missing."""
    spell = _spell_of(scene, held, options)
    what = book(scene).title(held.skill) if spell is None else spell.name
    return FollowUp(
        procedure="trigger",
        options=options,
        label=label_with(what, f": {asks}" if asks else "", before="Trigger "),
        character=actor.id,
        choices=choices,
        chosen=chosen,
        blanks=blanks,
        group="trigger",
    )
