"""The turns of a fight, its board, its pending decisions, and actions held in reserve."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import partial

from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Choice,
    Document,
    EncounterView,
    Family,
    FollowUp,
    TextField,
    Verdict,
    evolve,
    procedure,
    settled_as,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, label_with
from bot.rules.shared.encounters import (
    FightRules,
    StartOptions,
    fight_procedures,
    find_character,
    next_button,
    view_of,
)
from bot.rules.shared.offering import choice_of, foes_first, is_allowed, is_friend
from bot.rules.swim_class.attacks import (
    FARTHEST,
    GrappleOptions,
    StealthOptions,
    SwimAttackOptions,
    SwimOpposeOptions,
    assert_has_attack,
    assert_reaches,
    attack,
    grapple,
    oppose,
    stealth,
)
from bot.rules.swim_class.damage import assert_can_act, is_down, is_dying, stabilize_button
from bot.rules.swim_class.defending import SwimDefendOptions, answers_on_boards, defend, is_helpless
from bot.rules.swim_class.encounter import (
    ENCOUNTERS,
    FULL_ACTION,
    Contestant,
    SwimCombatant,
    SwimEncounter,
    find_encounter,
    find_ground,
    ground_lines,
    order_of,
    remembered,
    spend,
    squares_words,
    taken_into_fight,
    the_encounter,
    with_encounter,
)
from bot.rules.swim_class.growth import health_of
from bot.rules.swim_class.movement import MoveGround, SwimMoveOptions, move
from bot.rules.swim_class.plans import trait_modifier, without_open_parts
from bot.rules.swim_class.pools import SwimPurpose
from bot.rules.swim_class.powers import SpellKey, SwimCastOptions, cast
from bot.rules.swim_class.recovery import without_turns
from bot.rules.swim_class.rolling import HARDEST, PoolOptions, SwimRollOptions, roll
from bot.rules.swim_class.settling import SwimContest, awaiting, end_scene, with_awaiting
from bot.rules.swim_class.sheet import (
    Character,
    Outcome,
    Reserve,
    ReserveKind,
    Scene,
    SwimSettings,
    SwimSheet,
    Unsettled,
    book,
    parent_of,
    rank_of,
    with_states,
)
from bot.rules.swim_class.tables import SPELLS, WHEEL, Defends, Pool, SkillKey, SwimAttack, SwimSpell


def unsettled(scene: Scene) -> tuple[Unsettled, ...]:
    """Every opposed roll of the campaign that waits for a defense, oldest first.

    [SWIM-OPP-01, SWIM-OPP-05]
    """
    return tuple(
        _waiting(scene, key, contest, target)
        for key, contest in scene.every(SwimContest, "contest")
        for share in contest.shares
        if not share.is_settled and (target := find_character(scene, share.target)) is not None
    )


def unsettled_here(scene: Scene) -> tuple[Unsettled, ...]:
    """The pending decisions of combatants in the channel's fight."""
    return ENCOUNTERS.concerned(scene, unsettled(scene))


def _waiting(scene: Scene, key: str, contest: SwimContest, target: Character) -> Unsettled:
    who, share, attacker = target.id, contest.share(target.id), find_character(scene, contest.attacker)
    whose = "someone" if attacker is None else attacker.name
    can_answer = share is not None and attacker is not None and not is_helpless(scene, contest, target)

    def settle(now: Scene, dice: Dice) -> Outcome:
        if find_character(now, contest.attacker) is None:
            return Outcome(scene=waive(now), headline="is no longer under attack")
        return defend(now, SwimDefendOptions(contest=key), dice)

    def waive(now: Scene) -> Scene:
        return without_part(now, key, who)

    return Unsettled(
        what=f"{target.name}'s defense against {whose}'s {book(scene).title(contest.skill)}",
        concerns=(who,),
        answers=answers_on_boards(scene, key, contest, share) if can_answer and share is not None else (),
        settle=settled_as(target, settle),
        waive=waive,
    )


def without_part(scene: Scene, key: str, who: CharacterId) -> Scene:
    """Return the scene with an opponent's share of an opposed roll dropped, without effect."""
    contest = scene.stored(SwimContest, key)
    scene = with_awaiting(scene, who, tuple(one for one in awaiting(scene, who) if one != key))
    if contest is None or (share := contest.share(who)) is None:
        return scene
    contest = contest.with_share(evolve(share, is_settled=True))
    is_over = all(one.is_settled for one in contest.shares)
    return scene.with_document(key, None if is_over else contest)


AGILITY = "agility"
LEFT = ("no action", "half an action", "1 action")


def _new_combatant(_scene: Scene, character: Character) -> SwimCombatant:
    return SwimCombatant(character=character.id, name=character.name)


def _opened(scene: Scene, _options: StartOptions) -> SwimEncounter:
    """A fight on the channel's current ground."""
    return SwimEncounter.model_validate(dict(find_ground(scene)))


def _begin(scene: Scene, dice: Dice) -> Outcome:
    """Roll initiative for everyone. [SWIM-COMB-15, SWIM-SKILL-14]"""
    scene = taken_into_fight(scene)
    encounter = the_encounter(scene)
    ids = [combatant.character for combatant in encounter.shown]
    scene = with_encounter(scene, encounter.ordered(()).changed(round=1))
    return _ordered(scene, ids, "starts a fight", dice)


def _enter(scene: Scene, ids: Sequence[CharacterId], dice: Dice) -> Outcome:
    """Roll initiative for newcomers."""
    return _ordered(scene, list(ids), "joins the fight", dice)


def _contestant(scene: Scene, character: Character) -> Contestant:
    skill = book(scene).find(AGILITY)
    return Contestant(
        name=character.name,
        dice=rank_of(scene, character, skill),
        modifier=trait_modifier(character.sheet, skill),
    )


def _ordered(scene: Scene, ids: list[CharacterId], words: str, dice: Dice) -> Outcome:
    people = [scene.character(who) for who in ids]
    places, rolled = order_of([_contestant(scene, one) for one in people], dice)
    encounter = the_encounter(scene)
    fresh = [
        SwimCombatant(character=ids[one.contestant], name=people[one.contestant].name, values=one.values)
        for one in places
    ]
    by_values = sorted((*encounter.shown, *fresh), key=lambda one: one.values, reverse=True)
    is_new = not encounter.shown
    encounter = encounter.ordered(by_values).changed(turn=0) if is_new else encounter.in_order(by_values)
    scene = with_encounter(scene, encounter)
    return Outcome(
        scene=scene,
        headline=words,
        verdict=Verdict(Family.NEWS, f"{encounter.acting.name} acts"),
        rolls=tuple(
            one.roll.by(people[one.contestant], SwimPurpose.TIE if one.is_again else None) for one in rolled
        ),
        notes=(order_line(encounter),),
        follow_ups=(next_button(FIGHTS, scene),),
    )


def order_line(encounter: SwimEncounter) -> str:
    """The turn order in words."""
    return f"Turn order: {', '.join(combatant.name for combatant in encounter.shown)}."


def _advance(scene: Scene, _dice: Dice) -> Outcome:
    """End a turn; the next combatant who can act, or has to stabilize, follows.

    [SWIM-COMB-08, SWIM-COMB-09, SWIM-COMB-13, SWIM-COMB-14, SWIM-COMB-16, SWIM-MAGIC-18]
    """
    before = the_encounter(scene)
    scene = without_open_parts(scene, before.acting.character)
    scene, notes = _next_begins(scene)
    for _ in before.shown[1:]:
        acting = the_encounter(scene).acting
        character = find_character(scene, acting.character)
        if character is not None and _has_turn(scene, character):
            break
        scene, more = _next_begins(scene)
        skipped = () if character is None else (f"{acting.name} can't act and is skipped.",)
        notes = (*notes, *skipped, *more)
    encounter = the_encounter(scene)
    combatant = encounter.acting
    is_new_round = encounter.round > before.round
    return Outcome(
        scene=scene,
        headline="ends the turn",
        verdict=Verdict(Family.NEWS, f"{combatant.name} acts"),
        notes=(f"Round {encounter.round} starts.", *notes) if is_new_round else notes,
        follow_ups=(*_stabilize_buttons(scene, combatant), next_button(FIGHTS, scene)),
    )


def _passed_on(encounter: SwimEncounter) -> SwimEncounter:
    """Pass the turn; in a new round the ground's effects fade."""
    after = encounter.passed_on()
    if after.round == encounter.round:
        return after
    return after.changed(
        terrain=encounter.terrain[1:], resistance=encounter.resistance[1:], healed=(), breathing=()
    )


def _next_begins(scene: Scene) -> tuple[Scene, tuple[str, ...]]:
    """Begin the next combatant's turn, whether they can act or not."""
    encounter = _passed_on(the_encounter(scene))
    encounter = encounter.with_combatant(evolve(encounter.acting, halves_used=0))
    return _turn_begins(with_encounter(scene, encounter), encounter)


def _has_turn(scene: Scene, character: Character) -> bool:
    """Whether a character has something to do on their turn: whoever is dying rolls to stabilize.

    [SWIM-COMB-08 (SWIM-R47), SWIM-COMB-09, SWIM-MAGIC-18 (SWIM-R106)]
    """
    if any(is_dying(scene, character, pool) for pool in Pool):
        return True
    is_out = character.sheet.is_dead or is_down(scene, character)
    return not is_out and character.sheet.states.stunned_by is None


def _turn_begins(scene: Scene, encounter: SwimEncounter) -> tuple[Scene, tuple[str, ...]]:
    """End what lasts until this turn: the reserve, and stuns by this combatant."""
    who = encounter.acting.character
    notes = []
    acting = find_character(scene, who)
    if acting is not None and acting.sheet.states.reserve is not None:
        scene = with_states(scene, who, reserve=None)
        notes.append("The reserve is lost.")
    for combatant in encounter.shown:
        other = find_character(scene, combatant.character)
        if other is not None and other.sheet.states.stunned_by == who:
            scene = with_states(scene, combatant.character, stunned_by=None)
            notes.append(f"{combatant.name} is no longer stunned.")
    return scene, tuple(notes)


def _finish(scene: Scene, _dice: Dice) -> Outcome:
    """End the scene with the fight. [SWIM-REST-02]"""
    encounter = the_encounter(scene)
    everyone = (one.character for one in encounter.combatants)
    known = [who for who in everyone if find_character(scene, who) is not None]
    for who in known:
        scene = without_turns(scene, who)
    return Outcome(scene=end_scene(taken_into_fight(scene), known), headline="ends the fight")


FIGHTS: FightRules[SwimEncounter, SwimSheet, SwimSettings] = FightRules(
    place=ENCOUNTERS,
    new_combatant=_new_combatant,
    opened=_opened,
    begin=_begin,
    enter=_enter,
    advance=_advance,
    finish=_finish,
    unsettled=unsettled_here,
    begin_label=lambda _scene: "Roll for initiative",
    delay="You can't delay in this game; reserve a skill instead, with Fight … on your sheet.",
    reorder="Initiative sets the turn order; it can't be changed.",
)


# --- as it is shown ----------------------------------------------------------------------------


def view(scene: Scene) -> EncounterView | None:
    """The channel's fight for the board."""
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return None
    notes = ground_lines(find_ground(scene))
    return view_of(scene, encounter, facts=_facts, can_act=_has_turn, notes=notes)


def _facts(scene: Scene, character: Character) -> tuple[str, ...]:
    """Hit points, states, and the actions left this turn."""
    encounter = the_encounter(scene)
    combatant = encounter.combatant(character.id)
    left = FULL_ACTION - combatant.halves_used if combatant and encounter.is_on(character.id) else None
    return (
        *(health_of(character, scene.settings).numbers if character.owner else ()),
        *_states(scene, character),
        "" if left is None else LEFT[left],
    )


def _states(scene: Scene, character: Character) -> Iterator[str]:
    sheet = character.sheet
    states = sheet.states
    dying = any(is_dying(scene, character, pool) for pool in Pool)
    named = (
        (sheet.is_dead, "dead"),
        (dying, "dying"),
        (not dying and not sheet.is_dead and is_down(scene, character), "down"),
        (states.is_prone, "prone"),
        (states.held_by is not None, "held"),
        (states.stunned_by is not None, "stunned"),
        (states.reserve is not None, "has a reserve"),
    )
    yield from (word for is_so, word in named if is_so)


def turn_buttons(scene: Scene, combatant: SwimCombatant) -> tuple[FollowUp, ...]:
    """What a turn offers whatever state its combatant is in: stabilizing, and its end.

    [SWIM-COMB-16 (SWIM-R58)]
    """
    return (*_stabilize_buttons(scene, combatant), next_button(FIGHTS, scene))


def can_act(scene: Scene, combatant: SwimCombatant) -> bool:
    """Whether a combatant has actions left this turn and is in a state to use them."""
    character = find_character(scene, combatant.character)
    if character is None or character.sheet.is_dead or is_down(scene, character):
        return False
    return character.sheet.states.stunned_by is None and combatant.halves_used < FULL_ACTION


def opponents(scene: Scene) -> tuple[Character, ...]:
    """The living that the acting character can act against, foes first. [SWIM-COMB-08]"""
    return tuple(one for one in foes_first(scene) if not one.sheet.is_dead)


def nearest(scene: Scene) -> tuple[Character, ...]:
    """Whom the acting character can act against, foes first and the nearest of them ahead."""
    who = scene.actor.id

    def nearness(one: Character) -> tuple[bool, int]:
        squares = remembered(scene, who, one.id)
        return is_friend(scene, one), FARTHEST if squares is None else squares

    return tuple(sorted(opponents(scene), key=nearness))


def attack_choices(
    scene: Scene, skill: SkillKey, targets: Sequence[Character], *, half: bool
) -> tuple[Choice, ...]:
    """Which of some targets the acting character can attack with a skill now, as entries of a menu."""
    who = scene.actor.id

    def at(one: Character) -> SwimAttackOptions:
        return SwimAttackOptions(skill=skill, targets=(one.id,), half=half)

    able = [one for one in targets if is_allowed(partial(assert_reaches, scene, at(one)))]
    if not able or not is_allowed(partial(assert_has_attack, scene, at(able[0]))):
        return ()
    return tuple(choice_of(one, _far(scene, who, one.id)) for one in able)


def _far(scene: Scene, who: CharacterId, other: CharacterId) -> str:
    """A combatant's distance, if the fight remembers it."""
    squares = remembered(scene, who, other)
    return "" if squares is None else f"{squares_words(squares)} away"


def _stabilize_buttons(scene: Scene, combatant: SwimCombatant) -> tuple[FollowUp, ...]:
    character = find_character(scene, combatant.character)
    return tuple(
        stabilize_button(character, pool)
        for pool in Pool
        if character is not None and is_dying(scene, character, pool)
    )


TURN_PROCEDURES = fight_procedures(FIGHTS)


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
