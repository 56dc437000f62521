"""Fights in a game of one's own: the order that its file says, one after the other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from math import floor
from typing import Any, TypeAlias

from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Die,
    Document,
    EncounterView,
    Family,
    FollowUp,
    Outcome,
    Procedure,
    Roll,
    RollRule,
    Term,
    TrackerRules,
    Verdict,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.kernel.outcome import evolve, label_with, shown_number
from bot.rules.own.expressions import DiceSum, Name, NoAmount, amount_of, summands
from bot.rules.own.game_parts import OwnCheck, OwnMove
from bot.rules.own.own_acts import check_acts
from bot.rules.own.own_play import answer, known_of
from bot.rules.own.own_procedures import (
    ATTACK,
    MiddleDice,
    RollOptions,
    check_of,
    do_roll,
    ready_roll,
    their_inputs,
)
from bot.rules.own.own_rolls import (
    CheckInputs,
    OwnRules,
    RecordedDice,
    check_odds,
    has_character_question,
    roll_check,
)
from bot.rules.own.own_sheet import (
    OwnCharacter,
    OwnScene,
    OwnSheet,
    clocks_of,
    health,
    is_down,
    numbers_of,
)
from bot.rules.own.reading_odds import TooMuchToCount
from bot.rules.shared.encounters import (
    Combatant,
    FightPlace,
    FightRules,
    InTurn,
    fight_procedures,
    find_character,
    next_button,
    next_buttons,
    on_now,
    turn_ends,
    view_of,
)
from bot.rules.shared.offering import is_friend

OwnOutcome: TypeAlias = Outcome[OwnScene]
MOST_OFFERED = 5  # acts of whoever's turn it is
INITIATIVE = "initiative"


class OwnCombatant(Combatant):
    """Somebody in a fight."""

    points: int = 0  # what decides their place in the order; more comes first


class OwnEncounter(InTurn[OwnCombatant]):
    """A fight in a channel."""


class OrderInputs(Document):
    """What a place in the order is reckoned from."""

    numbers: dict[str, int] = Field(default_factory=dict)


PLACE = FightPlace(OwnEncounter)


class OwnFights:
    """The fights of a version of a game.

    Args:
        rules: The version.
    """

    def __init__(self, rules: OwnRules) -> None:
        self.rules, self.game = rules, rules.game
        self.fights: FightRules[OwnEncounter, OwnSheet, Document] = FightRules(
            place=PLACE,
            new_combatant=_new_combatant,
            begin=self._begin,
            enter=self._enter,
            advance=self._advance,
            finish=lambda scene, _dice: Outcome(scene=scene, headline="ends the fight"),
            opened=lambda _scene, _options: OwnEncounter(),
            delay=_delay,
            reorder=_reorder,
        )

    @property
    def procedures(self) -> tuple[Procedure, ...]:
        """What everybody can do in them."""
        return fight_procedures(self.fights)

    @property
    def tracker(self) -> TrackerRules[Any]:
        """How the table shows them."""
        return TrackerRules(
            view=self._view,
            choices=self._choices,
            attacks=(ATTACK,),
            turn_ends=partial(turn_ends, self.fights),
            takes_order=True,
        )

    @property
    def rule(self) -> RollRule[OrderInputs]:
        """The rule by which an order is rolled."""
        return RollRule(f"order@{self.rules.hash}", OrderInputs, self._throw)

    # --- the order -----------------------------------------------------------------------------

    def _throw(self, inputs: OrderInputs, dice: Dice) -> Roll:
        recorded = RecordedDice(dice)
        found = self._amount(inputs, recorded)
        rest = found - sum(face for _, face in recorded.fallen)
        return Roll(
            rule=f"order@{self.rules.hash}",
            inputs=inputs,
            dice=tuple(Die(sides=sides, face=face) for sides, face in recorded.fallen),
            terms=(Term(self._added, rest),) if rest else (),
            total=found,
            verdict=Verdict(Family.NEWS, shown_number(found)),
            purpose=INITIATIVE,
        )

    @property
    def _added(self) -> str:
        """What is added to the dice of the order, by name where only names are."""
        parts = [] if self.game.order is None else summands(self.game.order)
        others = [part for _, part in parts if not isinstance(part, DiceSum)]
        names = [self.game.label(part.name) for part in others if isinstance(part, Name)]
        return " and ".join(names) if names and len(names) == len(others) else "bonus"

    def _amount(self, inputs: OrderInputs, dice: Dice) -> int:
        def roll(one: DiceSum) -> int:
            return sum(dice.roll(one.sides) for _ in range(one.number))

        order = self.game.order
        return 0 if order is None else floor(amount_of(order, known_of(self.game, inputs.numbers), roll))

    def _points(self, scene: OwnScene, character: OwnCharacter, dice: Dice) -> tuple[int, tuple[Roll, ...]]:
        """What decides somebody's place, and the roll for it."""
        fight = self.game.file.fight
        numbers = {**numbers_of(self.game, character.sheet), **clocks_of(self.game, scene)}
        if fight.order == "sides":
            return int(character.owner is not None), ()
        if fight.order == "as called":
            return 0, ()
        if fight.order == "roll" and fight.check is not None:
            check = self.game.checks[fight.check]
            answers = answer(self.game, check, {}, numbers)
            inputs = CheckInputs(
                check=check.key,
                answers=dict(answers.numbers),
                names=dict(answers.names),
                numbers=numbers,
                theirs=0 if check.is_opposed else None,
            )
            checked, rolled = roll_check(self.rules, inputs, dice)
            return floor(rolled.amounts.get("value", checked.sum)), (checked.by(character),)
        roll = self._throw(OrderInputs(numbers=numbers), dice)
        return roll.sum, (roll.by(character),) if roll.dice else ()

    def _called(
        self, scene: OwnScene, combatants: Iterable[OwnCombatant], dice: Dice
    ) -> tuple[list[OwnCombatant], list[Roll]]:
        """Combatants with what decides their places."""
        found, rolls = [], list[Roll]()
        for one in combatants:
            points, more = (
                (0, ())
                if one.character is None
                else self._points(scene, scene.character(one.character), dice)
            )
            found.append(one.model_copy(update={"points": points}))
            rolls += more
        return found, rolls

    def _begin(self, scene: OwnScene, dice: Dice) -> OwnOutcome:
        encounter = PLACE.the(scene)
        found, rolls = self._called(scene, encounter.shown, dice)
        ordered = sorted(found, key=lambda one: -one.points)
        encounter = encounter.ordered(ordered).changed(round=1, turn=0)
        note = f"Turn order: {encounter.names}."
        done = on_now(PLACE.keep(scene, encounter), encounter.shown[0].name, "starts round 1", (note,))
        return replace(done, rolls=tuple(rolls))

    def _enter(self, scene: OwnScene, ids: Sequence[CharacterId], dice: Dice) -> OwnOutcome:
        newcomers = [_new_combatant(scene, scene.character(who)) for who in ids]
        found, rolls = self._called(scene, newcomers, dice)
        encounter = PLACE.the(scene).with_newcomers(found)
        if self.game.file.fight.order != "as called":
            encounter = encounter.in_order(sorted(encounter.shown, key=lambda one: -one.points))
        return Outcome(
            scene=PLACE.keep(scene, encounter),
            headline="joins the fight",
            rolls=tuple(rolls),
            notes=(f"Turn order: {encounter.names}.",),
        )

    def _advance(self, scene: OwnScene, _dice: Dice) -> OwnOutcome:
        encounter = PLACE.the(scene)
        before = encounter.round
        for _ in encounter.shown:
            encounter = encounter.passed_on()
            current = encounter.current
            character = None if current is None else find_character(scene, current.character)
            if character is None or not is_down(self.game, character, None):
                break
        name = encounter.shown[encounter.turn].name
        new_round = (f"Round {encounter.round} starts.",) if encounter.round != before else ()
        return on_now(PLACE.keep(scene, encounter), name, "ends the turn", new_round)

    # --- the board -----------------------------------------------------------------------------

    def _view(self, scene: OwnScene) -> EncounterView | None:
        encounter = PLACE.find(scene)
        if encounter is None:
            return None
        return view_of(scene, encounter, facts=self._facts)

    def _facts(self, _scene: OwnScene, character: OwnCharacter) -> tuple[str, ...]:
        shown = health(self.game, character, None).numbers if character.owner is not None else ()
        return (*shown, *(("out",) if is_down(self.game, character, None) else ()))

    def _choices(self, scene: OwnScene) -> tuple[FollowUp, ...]:
        encounter = PLACE.find(scene)
        if encounter is None:
            return ()
        current = encounter.current
        character = None if current is None else find_character(scene, current.character)
        if character is None or is_down(self.game, character, None):
            return next_buttons(self.fights, scene)
        return (*self._acts(replace(scene, actor_id=character.id)), next_button(self.fights, scene))

    def _acts(self, scene: OwnScene) -> Iterator[FollowUp]:
        """What whoever's turn it is can roll: the attack on the first foe, then what is aimed at somebody."""
        able = [act.do for act in check_acts(self.rules, scene) if not act.why_not]
        able.sort(key=lambda do: do.chosen != "at")
        yield from islice(filter(None, (self._attack(scene, do) for do in able)), 1)
        yield from able[:MOST_OFFERED]

    def _attack(self, scene: OwnScene, do: FollowUp) -> FollowUp | None:
        """A roll as an attack on the first foe of its menu; None where it hurts nobody, or can't be made."""
        if do.chosen != "at" or not isinstance(do.options, RollOptions):
            return None
        check, move = check_of(self.game, do.options.what)
        others = (scene.character(CharacterId(int(one.value))) for one in do.choices)
        foes = (one for one in others if not is_friend(scene, one) and not is_down(self.game, one, None))
        target = next(foes, None)
        if check is None or target is None or not self._hurts(check, move):
            return None
        options = evolve(do.options, at=target.id)
        try:
            chance = self._chance(scene, options, check, move, target)
        except (UserError, NoAmount, TooMuchToCount):  # pressing would refuse it
            return None
        label = label_with(target.name, chance, before="Attack ")
        return replace(do, procedure=ATTACK, options=options, label=label, choices=(), chosen="")

    def _hurts(self, check: OwnCheck, move: OwnMove | None) -> bool:
        """Whether a result can worsen the wounds of whoever is aimed at."""
        owner = has_character_question(check) or "at"
        by_tier = [tier.effects for tier in check.tiers] + ([] if move is None else [*move.effects.values()])
        return any(self.game.is_harm(one, owner) for effects in by_tier for one in effects)

    def _chance(
        self,
        scene: OwnScene,
        options: RollOptions,
        check: OwnCheck,
        move: OwnMove | None,
        target: OwnCharacter,
    ) -> str:
        """How likely an attack succeeds, as its button says it; refused where it can't be paid for."""
        do_roll(self.rules, scene, options, MiddleDice())
        ready = ready_roll(self.rules, scene, options, check, move)
        theirs = their_inputs(self.rules, scene, check, target, ready.given) if check.is_opposed else None
        odds = check_odds(self.rules, ready.inputs, theirs)
        return "" if odds is None or odds.enough is None else f" · {percent(odds.enough)}"


def _new_combatant(_scene: OwnScene, character: OwnCharacter) -> OwnCombatant:
    return OwnCombatant(character=character.id, name=character.name)


def _delay(scene: OwnScene, who: CharacterId, after: CharacterId | None) -> OwnOutcome:
    encounter = PLACE.the(scene).behind(who, after)
    return Outcome(
        scene=PLACE.keep(scene, encounter),
        headline="delays and acts later from now on",
        notes=(f"Turn order: {encounter.names}.",),
    )


def _reorder(scene: OwnScene, ids: Sequence[CharacterId]) -> OwnOutcome:
    encounter = PLACE.the(scene)
    named = [one for who in ids if (one := encounter.combatant(who)) is not None]
    rest = [one for one in encounter.shown if one.character not in ids]
    encounter = encounter.in_order((*named, *rest))
    return Outcome(
        scene=PLACE.keep(scene, encounter),
        headline="sets the order",
        notes=(f"Turn order: {encounter.names}.",),
    )
