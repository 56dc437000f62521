"""A scene with its fight while an action is carried out; initiative, rounds and turns."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import (
    CharacterId,
    Die,
    Document,
    Family,
    FollowUp,
    NamedTerm,
    Roll,
    Roller,
    RollRule,
    Verdict,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.belongings import tier_in
from bot.rules.rpj.character.damage_saves import layers_of
from bot.rules.rpj.character.incapacity import with_health
from bot.rules.rpj.character.sheet import Character, Scene, Stats, figure_in, goes_first, initiative_terms
from bot.rules.rpj.checks.skill_checks import class_bonus
from bot.rules.rpj.combat.combatant import RpjCombatant, RpjKind, RpjTurn, Side, fighter_id
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, MOOKS, Fight, Step
from bot.rules.rpj.combat.rules.combatants import Battle, FighterStats, first_in_hand
from bot.rules.rpj.combat.rules.shooting import new_round
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.module import SkillRole
from bot.rules.rpj.module.module_files import module_in
from bot.rules.rpj.module.possessions import RpjTier, forbids, skill_penalty, switch_actions
from bot.rules.rpj.resolution.check import shown_dice, sides_of, throw_of, thrown_terms
from bot.rules.rpj.resolution.check_inputs import CheckKind, RpjCheckInputs, RpjPurpose
from bot.rules.shared.encounters import find_character

NOTHING_LOST: Mapping[str, int] = MappingProxyType({})


class Aftermath(Struct, frozen=True):
    """The aftermath of a fight."""

    rounds: int  # how many rounds it took
    healths: Mapping[str, RpjHealth]  # everybody's health afterwards, by the ids of fighters; mooks are gone
    lost: tuple[str, ...]  # how many saves each player's character lost, with its name ("Kit 2")
    bleeding: tuple[str, ...]  # names of those who still bleed, from now on by the minute
    out: tuple[str, ...]  # names of everybody who is out
    mooks: int  # how many mooks went down


def saves_lost(figure: Stats) -> int:
    """The number of crossed-off saves in all layers."""
    return sum(save.is_lost for layer in layers_of(figure) for save in layer.saves)


def ended(battle: Battle, before: Mapping[str, int] = NOTHING_LOST) -> Aftermath:
    """End a fight: saves and wounds stay; order, places, grapples, charges and mooks are gone.

    Args:
        battle: The battle as it stands.
        before: How many saves were lost before it, by the ids of fighters.

    [RPJ-GCS-66 (R-123), RPJ-HEALTH-09 (R-058)]
    """
    people = [one for one in battle.everybody() if one.fighter.kind is not RpjKind.MOOK]
    players = [one for one in people if one.fighter.kind is RpjKind.PLAYER]
    losses = {one.name: saves_lost(one.figure) - before.get(one.fighter.id, 0) for one in players}
    return Aftermath(
        rounds=battle.fight.round,
        healths={one.fighter.id: one.health.after_fight() for one in people},
        lost=tuple(f"{name} {count}" for name, count in losses.items() if count > 0),
        bleeding=tuple(one.name for one in people if one.health.is_bleeding),
        out=tuple(one.name for one in people if not one.is_able),
        mooks=sum(fighter.out is not Out.NO for fighter in battle.fight.combatants),
    )


def new_combatant(scene: Scene, character: Character) -> RpjCombatant:
    """A new combatant: player characters on one side, NPCs on the other. [RPJ-GCS-04, RPJ-GCS-20]"""
    mook = character.sheet.mook
    is_players = character.owner is not None
    kind = RpjKind.MOOK if mook else RpjKind.PLAYER if is_players else RpjKind.NPC
    return RpjCombatant(
        id=fighter_id(character.id),
        character=character.id,
        name=character.name,
        kind=kind,
        side=Side.PLAYERS if is_players else Side.FOES,
        wielded=() if mook else first_in_hand(figure_in(scene, character)),
        mook=mook,
        saves_lost=saves_lost(figure_in(scene, character)),
    )


class Stage(Struct, frozen=True):
    """A fight while an action is carried out."""

    scene: Scene  # the scene; what is done is in it once it is kept
    battle: Battle  # the fight with everybody's sheets
    rolls: tuple[Roll, ...] = ()  # what has been rolled
    notes: tuple[str, ...] = ()  # what has happened
    buttons: tuple[FollowUp, ...] = ()  # what can be done about it
    verdict: Verdict | None = None  # what it comes to, or None
    paid: Scene | None = None  # the scene before anything came of a roll that can be turned, or None
    touched: frozenset[str] = frozenset()  # fighters whom it concerns

    @staticmethod
    def of(scene: Scene) -> "Stage":
        """The channel's fight, without characters who have left the campaign.

        Raises:
            UserError: If there is none.
        """
        fight, figures = _with_places(scene, FIGHTS_KEPT.the(scene)), {}
        for one in fight.combatants:
            if one.character is None:
                continue
            character = find_character(scene, one.character)
            if character is None:
                fight = fight.without_fighter(one.id)
            elif one.kind is not RpjKind.MOOK:
                figures[one.id] = figure_in(scene, character)
        there = {one.id for one in fight.combatants}
        left = (step.among(there) for step in fight.steps)
        steps = tuple(step for step in left if step is not None)
        fight = fight if steps == fight.steps else fight.changed(steps=steps)
        return Stage(scene, Battle(fight, module_in(scene.settings), figures))

    @property
    def fight(self) -> Fight:
        """The fight itself."""
        return self.battle.fight

    @property
    def steps(self) -> tuple[Step, ...]:
        """The pending steps; the last comes first."""
        return self.fight.steps

    def with_battle(self, battle: Battle) -> "Stage":
        """The stage with another state of its battle."""
        return replace(self, battle=battle)

    def changed(self, **changes: object) -> "Stage":
        """The same stage with some of the fight's fields written anew."""
        return self.with_battle(self.battle.with_fight(self.fight.changed(**changes)))

    def in_scene(self, scene: Scene) -> "Stage":
        """The stage in another state of its scene."""
        return replace(self, scene=scene)

    def with_steps(self, steps: Iterable[Step]) -> "Stage":
        """The stage with other pending steps."""
        return self.changed(steps=tuple(steps))

    def pushed(self, *steps: Step) -> "Stage":
        """The stage with more steps to be done first, the last of them before all."""
        return self.with_steps((*self.steps, *steps))

    def popped(self) -> "Stage":
        """The stage without its first step."""
        return self.with_steps(self.steps[:-1])

    def noted(self, *notes: str) -> "Stage":
        """The stage with more messages."""
        return replace(self, notes=(*self.notes, *notes))

    def rolled(
        self,
        by: str,
        *rolls: Roll,
        purpose: RpjPurpose | None = None,
        verdict: Verdict | None = None,
        word: str = "",
    ) -> "Stage":
        """The stage with more rolls of a combatant; the first verdict stands."""
        fighter = self.fight.fighter(by)
        named = (roll.by(Roller(fighter.character, fighter.name), purpose, word) for roll in rolls)
        whose = None if verdict is None else dataclasses.replace(verdict, is_foes=fighter.is_foe)
        return replace(self, rolls=(*self.rolls, *named), verdict=self.verdict or whose)

    def concerning(self, *fighters: str) -> "Stage":
        """The stage with more combatants concerned."""
        return replace(self, touched=self.touched | set(fighters))

    def with_health(self, id_: str, health: RpjHealth) -> "Stage":
        """The stage with a combatant's health replaced."""
        return self.with_battle(self.battle.with_health(id_, health)).concerning(id_)

    def character(self, id_: str) -> Character | None:
        """A combatant's character, or None."""
        found = self.fight.fighter(id_).character
        return None if found is None else self.scene.character(found)

    def assert_quiet(self) -> None:
        """Refuse to start something while a step is pending."""
        if self.steps:
            raise UserError(
                "Something else has to be decided first.",
                "Its buttons are on the last message and on the board.",
                "The GM can continue without it: /rpj-gm-fight go-on.",
            )

    def saved(self) -> Scene:
        """The resulting scene: the fight, and everyone's health and ammunition."""
        scene = FIGHTS_KEPT.keep(self.scene, self.fight)
        for fighter in self.fight.combatants:
            figure = self.battle.figures.get(fighter.id)
            if figure is not None and fighter.character is not None:
                scene = _with_figure(scene, fighter.character, figure)
        return scene


def _with_places(scene: Scene, fight: Fight) -> Fight:
    """The fight with every hidden character placed, also those an older version left without a place."""
    for one in fight.hidden:
        character = None if one.name or one.character is None else find_character(scene, one.character)
        if character is not None:
            fight = fight.without_fighter(one.id).with_hidden([new_combatant(scene, character)])
    return fight


def _with_figure(scene: Scene, who: CharacterId, figure: Stats) -> Scene:
    """The scene with a combatant's health and ammunition from the fight."""
    character = scene.character(who)
    sheet, health = character.sheet, figure.sheet.health
    if sheet.ammunition != figure.sheet.ammunition:
        sheet = evolve(sheet, ammunition=figure.sheet.ammunition)
        character = replace(character, sheet=sheet)
        scene = scene.with_character(character)
    return scene if sheet.health == health else with_health(scene, character, health, in_combat=True)


def fighter_named(fight: Fight, name: str, *, with_hidden: bool = False) -> RpjCombatant:
    """A combatant by name; the name of a kind of mooks means the first of them.

    Args:
        with_hidden: Whether those are meant, too, of whom only the GM knows; after the others.

    Raises:
        UserError: If nobody there is called so.
    """
    wanted = name.partition("×")[0].strip().casefold()
    there: list[RpjCombatant] = [*fight.present, *(fight.hiding if with_hidden else ())]
    found = [one for one in there if one.name.casefold() == wanted]
    found = found or [one for one in there if one.mook is not None and one.mook.name.casefold() == wanted]
    if not found:
        names = ", ".join(one.name for one in there)
        what = f"There is nobody called {name} in this fight." if name else "Name somebody in this fight."
        raise UserError(what, f"Fighting: {names}.")
    return found[0]


def initiative_check(who: FighterStats, surprise: int) -> RpjCheckInputs:
    """The inputs of an initiative roll: the module's skill for it, else the Dexterity level.

    Args:
        who: Who rolls.
        surprise: What being caught unawares adds.

    [RPJ-GCS-15 (R-077), RPJ-GCS-18, RPJ-INV-03]
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
    """Whether a combatant carries too much to roll initiative. [RPJ-INV-04 (INV-04a)]"""
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

    [RPJ-GCS-15, RPJ-DICE-03 (R-003), RPJ-LUCK-02]
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
    """Roll off: a d6 for each, repeated on ties. [RPJ-GCS-16 (R-078)]"""
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

    [RPJ-GCS-16 (R-078)]
    """
    rolled = [one for one in fighters if one.initiative is not None and one.kind is not RpjKind.MOOK]
    return tuple(one.id for one in sorted(rolled, key=_rank))


def _rank(fighter: RpjCombatant) -> tuple[int, bool, int, int]:
    is_npc = fighter.kind is not RpjKind.PLAYER
    return -(fighter.initiative or 0), is_npc, -fighter.modifier if is_npc else 0, -fighter.toss


def ties(fighters: Iterable[RpjCombatant], kind: RpjKind) -> Iterator[tuple[RpjCombatant, ...]]:
    """Unsettled ties of one kind: players choose or roll off, others roll off. [RPJ-GCS-16 (R-078)]"""
    rolled = [one for one in fighters if one.initiative is not None and one.kind is kind]
    for _rank_of, tied in groupby(sorted(rolled, key=_rank), key=_rank):
        group = tuple(tied)
        if len(group) > 1:
            yield group


def settled(tied: Sequence[RpjCombatant], names: Sequence[str]) -> tuple[RpjCombatant, ...]:
    """The combatants with the order of a tie stored: the first of these ids acts first. [RPJ-GCS-16]

    Raises:
        UserError: If these are not the tied.
    """
    if sorted(names) != sorted(fighter.id for fighter in tied):
        raise UserError("Name each tied combatant once.", ", ".join(fighter.name for fighter in tied) + ".")
    return tuple(evolve(fighter, toss=len(tied) - names.index(fighter.id)) for fighter in tied)


def demoted(order: Sequence[str], who: str, after: str) -> tuple[str, ...]:
    """The order after a combatant moves down behind another, before the fight starts. [RPJ-GCS-17]

    Raises:
        UserError: If that is no move down, or leads behind the mooks.
    """
    if after not in order:
        raise UserError("You can't act after the mooks.", "They always act last.")
    if who not in order or order.index(after) <= order.index(who):
        raise UserError("That isn't later in the order.", "You can only let others go first.")
    rest = [slot for slot in order if slot != who]
    place = rest.index(after) + 1
    return (*rest[:place], who, *rest[place:])


def joined(order: Sequence[str], fighters: Iterable[RpjCombatant], newcomer: RpjCombatant) -> tuple[str, ...]:
    """The order of a running fight with a newcomer in the place of their roll. [RPJ-GCS-16 (R-134)]"""
    ranks = {fighter.id: _rank(fighter) for fighter in fighters}
    place = next(
        (at for at, slot in enumerate(order) if ranks[slot] > _rank(newcomer)),
        len(order),
    )
    return (*order[:place], newcomer.id, *order[place:])


def by_fiat(order: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """The order set by the GM. [RPJ-GCS-19]

    Raises:
        UserError: If somebody is missing, or named twice.
    """
    if sorted(order) != sorted(wanted):
        raise UserError("Name everyone in the order once.", "Leave out mooks; they always act last.")
    return tuple(wanted)


def first_round(order: Sequence[str], quick: Iterable[str]) -> tuple[str, ...]:
    """The order of the first round, with combatants who go first by a trait. [RPJ-TRAIT-07]"""
    leading = set(quick)
    return tuple(sorted(order, key=lambda slot: slot not in leading))


def slots(battle: Battle) -> tuple[str, ...]:
    """This round's turns, in order; mooks together at the end. [RPJ-GCS-08, RPJ-GCS-16, RPJ-GCS-47]"""
    fight = battle.fight
    order = fight.order
    if fight.round <= 1:
        quick = [slot for slot in order if goes_first(battle[slot].figure)]
        order = first_round(order, quick)
    has_mooks = any(fighter.kind is RpjKind.MOOK for fighter in fight.present)
    return (*order, MOOKS) if has_mooks else order


def begun(battle: Battle) -> Battle:
    """The fight at its first turn; the order is fixed from now on. [RPJ-GCS-08, RPJ-GCS-17]

    Raises:
        UserError: If it has begun, or nobody has an order.
    """
    if battle.fight.has_begun:
        raise UserError("This fight has already started.")
    if not slots(battle):
        raise UserError("There is no initiative order yet.", try_this="Roll initiative.")
    return _turn_of(_new_round(battle), 0)


def next_turn(battle: Battle) -> Battle:
    """The battle with the next turn; characters out of action also have theirs, to roll.

    Raises:
        UserError: If the fight has not begun.

    [RPJ-GCS-08, RPJ-GCS-22]
    """
    if not battle.fight.has_begun:
        raise UserError("This fight hasn't started.")
    turns = slots(battle)
    sharing = [turns.index(one) for one in battle.fight.together if one in turns]
    over = _turn_over(battle)
    over = over.with_fight(evolve(over.fight, together=()))
    place = turns.index(battle.fight.turn) + 1 if battle.fight.turn in turns else len(turns)
    place = max([place, *(at + 1 for at in sharing)])
    if place < len(turns):
        return _turn_of(over, place)
    return _turn_of(_new_round(over), 0)


def acting(battle: Battle) -> tuple[RpjCombatant, ...]:
    """The combatants whose turn it is. [RPJ-GCS-08, RPJ-GCS-47]"""
    return tuple(fighter for fighter in battle.fight.present if battle.fight.acts(fighter))


def _all_acting(battle: Battle) -> tuple[RpjCombatant, ...]:
    """The combatants whose turn it is, including hidden mooks, who can act if revealed. [RPJ-GCS-47]"""
    hidden = (one for one in battle.fight.hiding if one.kind is RpjKind.MOOK and battle.fight.acts(one))
    return (*acting(battle), *hidden)


def _new_round(battle: Battle) -> Battle:
    """Start a round: everyone has a free attack again, and nobody has been attacked yet.

    [RPJ-GCS-08, RPJ-GCS-13, RPJ-GCS-42 (R-106)]
    """
    fresh = {"free_attacks": 1, "was_targeted": False}
    fighters = tuple(evolve(fighter, **fresh) for fighter in battle.fight.combatants)
    round_ = battle.fight.round + 1
    changes = {"combatants": fighters, "round": round_, "order": usual_order(battle.fight), "usual": ()}
    return new_round(battle.with_fight(evolve(battle.fight, **changes)))


def usual_order(fight: Fight) -> tuple[str, ...]:
    """The order of the next round, with deferred and new turns in their usual places.

    [RPJ-CINE-07 (CINE-07a)]
    """
    there = {one.id for one in fight.combatants}
    kept = [one for one in fight.usual if one in there]
    return (*kept, *(one for one in fight.order if one not in fight.usual))


def _turn_of(battle: Battle, place: int) -> Battle:
    battle = battle.with_fight(evolve(battle.fight, turn=slots(battle)[place]))
    for fighter in _all_acting(battle):
        battle = turn_begun(battle, fighter.id)
    return battle


def turn_begun(battle: Battle, id_: str) -> Battle:
    """Start a combatant's turn: refresh actions, end flags, charges and bans.

    [RPJ-GCS-09, RPJ-GCS-22, RPJ-MNV-05, RPJ-MNV-08]
    """
    actions = battle[id_].actions
    battle = battle.under_fire(id_, battle.fight.fighter(id_).under_fire.turn_began())
    return battle.changed(id_, turn=RpjTurn(actions=actions, received=actions), charges=0, barred=())


def _turn_over(battle: Battle) -> Battle:
    """End a turn; what is left of it is lost. [RPJ-GCS-22]"""
    fight = battle.fight
    for fighter in _all_acting(battle):
        has_fought = fighter.turn.has_attacked or fighter.turn.has_coup or fighter.turn.has_checked
        state = fighter.under_fire.attacked() if has_fought else fighter.under_fire
        ended = state.turn_ended(fight.round, in_cover=bool(fight.covers_of(fighter)))
        battle = battle.end_turn_of(fighter.id).under_fire(fighter.id, ended)
    return battle


def single_task(battle: Battle, id_: str) -> Battle:
    """Spend one action on a task of a few seconds. [RPJ-GCS-12]

    Raises:
        UserError: If it is not one's turn, or no action is left.
    """
    battle.assert_free(id_)
    return battle.spent(id_)


def full_task(battle: Battle, id_: str) -> Battle:
    """Spend the whole turn on a task of up to a minute. [RPJ-GCS-13 (R-075)]

    Raises:
        UserError: If part of the turn is spent, or somebody has attacked in this round.
    """
    battle.assert_turn(id_)
    battle.assert_free(id_)
    fighter = battle.fight.fighter(id_)
    if not fighter.turn.is_untouched:
        raise UserError("That takes a whole turn; you have already used part of this one.")
    if fighter.was_targeted:
        raise UserError(
            f"{fighter.name} has been attacked this round.",
            "You can't take a whole-turn action after being attacked.",
        )
    return battle.end_turn_of(id_)


def swapped(battle: Battle, id_: str, wielded: tuple[str, ...]) -> Battle:
    """Switch items in hand: once per turn for free, then for an action; overloaded, always for two.

    Args:
        id_: Who does it.
        wielded: What is in their hands afterwards.

    Raises:
        UserError: If it is not one's turn, or not enough actions are left.

    [RPJ-GCS-14, RPJ-INV-06 (INV-06a)]
    """
    battle.assert_turn(id_)
    if cost := swap_cost(battle, id_):
        battle = battle.spent(id_, cost)
    return battle.turned(id_, has_swapped=True).changed(id_, wielded=wielded)


def swap_cost(battle: Battle, id_: str) -> int:
    """The actions to switch items in hand now. [RPJ-GCS-14, RPJ-INV-06 (INV-06a)]"""
    who = battle[id_]
    tier = RpjTier.FREE if who.sheeted is None else tier_in(who.figure)
    return switch_actions(tier, int(who.fighter.turn.has_swapped))
