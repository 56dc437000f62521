"""Burning a Blitz Point: seven cards and their effects this round."""

from collections import Counter
from math import comb

from msgspec import Struct

from bot.rules.kernel import (
    CharacterId,
    Choice,
    Die,
    Document,
    Family,
    FollowUp,
    NoOptions,
    Odds,
    Roll,
    RollRule,
    Verdict,
    evolve,
    procedure,
)
from bot.rules.kernel.dice import Chance, Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import timer, to_do
from bot.rules.post_magic_maid.cards import DECK, MaidPurpose, draw_cards
from bot.rules.post_magic_maid.encounter import MaidCombatant, MaidEncounter, the_encounter, with_encounter
from bot.rules.post_magic_maid.sheet import Character, Outcome, Scene
from bot.rules.post_magic_maid.tiers import BLITZ_EFFECTS, BlitzEffect
from bot.rules.post_magic_maid.turns import is_able, turn_buttons
from bot.rules.post_magic_maid.wounds import BLITZ, assert_can_act

CARDS_DRAWN = 7
MOST_CHOICES = 25


class BlitzInputs(Document):
    """The empty inputs of the draw: always seven cards from the full deck."""


class GiveAceOptions(Document):
    """Options for giving away a spare ace."""

    receiver: CharacterId


class BlitzDraw(Struct, frozen=True):
    """The aces, Jokers and face cards among the seven cards. [PMM-BLZ-03 to PMM-BLZ-07]"""

    aces: int
    jokers: int
    faces: int

    @property
    def result(self) -> str:
        """The best effect drawn, by its name in the odds."""
        kinds = ((self.aces, "an ace"), (self.jokers, "a Joker"), (self.faces, "bonus d8s"))
        return next((name for count, name in kinds if count), "nothing")

    @property
    def words(self) -> str:
        """A description of all effects drawn."""
        parts = (
            _counted(self.aces, "an ace", "aces"),
            _counted(self.jokers, "a Joker", "Jokers"),
            _counted(self.faces, "a bonus d8", "bonus d8s"),
        )
        return ", ".join(part for part in parts if part) or "nothing"


def _counted(count: int, one: str, many: str) -> str:
    return "" if count == 0 else one if count == 1 else f"{count} {many}"


def read_cards(ranks: list[str]) -> BlitzDraw:
    """The combined effects of cards of these ranks."""
    effects = Counter(BLITZ_EFFECTS[rank] for rank in ranks)
    return BlitzDraw(
        aces=effects[BlitzEffect.AUTOMATIC],
        jokers=effects[BlitzEffect.EVERYONE_AFTER],
        faces=effects[BlitzEffect.BONUS_D8],
    )


def read_blitz(roll: Roll) -> BlitzDraw:
    """The combined effects of a blitz roll's cards."""
    return read_cards([die.shown if die.shown in BLITZ_EFFECTS else die.shown[:-1] for die in roll.dice])


def draw_blitz(inputs: BlitzInputs, dice: Dice) -> Roll:
    """Draw seven cards from the full deck. [PMM-BLZ-02, PMM-BLZ-08, PMM-DECK-01]"""
    drawn = draw_cards(CARDS_DRAWN, dice)
    cards = tuple(_greyed(one.die, BLITZ_EFFECTS[one.card.rank]) for one in drawn)
    draw = read_cards([one.card.rank for one in drawn])
    family = Family.FAILURE if draw.result == "nothing" else Family.SUCCESS
    return Roll(
        rule=BLITZ_DRAW.key,
        inputs=inputs,
        dice=cards,
        verdict=Verdict(family, draw.words),
        odds=blitz_odds(inputs),
        outcome=draw.result,
        purpose=MaidPurpose.BLITZ,
    )


def _greyed(die: Die, effect: BlitzEffect) -> Die:
    is_kept = effect is not BlitzEffect.NOTHING
    return Die(sides=die.sides, face=die.face, shown=die.shown, is_kept=is_kept)


def blitz_odds(_inputs: BlitzInputs) -> Odds:
    """The exact chance of each best effect: nothing, bonus d8s, a Joker, an ace."""
    of = comb(len(DECK), CARDS_DRAWN)
    worthless = {BlitzEffect.NOTHING}
    chances = []
    below = 0
    for effect, name in (
        (BlitzEffect.NOTHING, "nothing"),
        (BlitzEffect.BONUS_D8, "bonus d8s"),
        (BlitzEffect.EVERYONE_AFTER, "a Joker"),
        (BlitzEffect.AUTOMATIC, "an ace"),
    ):
        worthless = worthless | {effect}
        cards = sum(BLITZ_EFFECTS[card.rank] in worthless for card in DECK)
        ways = comb(cards, CARDS_DRAWN)
        chances.append((name, Chance(ways - below, of)))
        below = ways
    return Odds(tuple(chances))


BLITZ_DRAW = RollRule(key="blitz", inputs=BlitzInputs, resolve=draw_blitz, odds=blitz_odds)


@procedure("blitz")
def burn_blitz_point(scene: Scene, _options: NoOptions, dice: Dice) -> Outcome:
    """Burn a Blitz Point: draw seven cards and apply their effects. [PMM-BLZ-02 to PMM-BLZ-08 (PMM-R17)]

    Raises:
        UserError: If it is not one's turn, one has rolled or burned a point on it, or has no point.
    """
    actor = scene.actor
    encounter = the_encounter(scene)
    combatant = _combatant_that_may_burn(encounter, actor)
    roll = draw_blitz(BlitzInputs(), dice)
    draw = read_blitz(roll)
    notes = _notes(encounter, combatant, draw)
    encounter = _with_effects(encounter, combatant, draw)
    scene = scene.with_character(actor.with_resource(BLITZ, actor.resources[BLITZ] - 1))
    scene = with_encounter(scene, encounter)
    return Outcome(
        scene=scene,
        headline="burns a Blitz Point",
        verdict=roll.verdict,
        rolls=(roll,),
        notes=notes,
        follow_ups=(*ace_menu(scene, actor.id), *turn_buttons(scene, actor.id)),
    )


def _combatant_that_may_burn(encounter: MaidEncounter, actor: Character) -> MaidCombatant:
    assert_can_act(actor)
    combatant = encounter.combatant(actor.id)
    if combatant is None or encounter.current is None or encounter.current.character != actor.id:
        raise UserError(
            f"It is not {actor.name}'s turn.", "You can only burn a Blitz Point on your own turn."
        )
    if combatant.has_blitzed:
        raise UserError(
            f"{actor.name} has already burned a Blitz Point this turn.", "You can burn one per turn."
        )
    if combatant.has_rolled:
        raise UserError(
            f"{actor.name} has already rolled this turn.",
            "Burn a Blitz Point before you roll.",
        )
    if not actor.left(BLITZ):
        raise UserError(
            f"{actor.name} has no Blitz Points left.",
            "You regain one when both dice of a check show their highest face, and at the end of a session.",
        )
    return combatant


def _with_effects(encounter: MaidEncounter, combatant: MaidCombatant, draw: BlitzDraw) -> MaidEncounter:
    mine = evolve(
        combatant,
        has_blitzed=True,
        has_automatic=combatant.has_automatic or draw.aces > 0,
        aces_to_give=combatant.aces_to_give + max(0, draw.aces - 1),
        bonus_dice=combatant.bonus_dice + draw.faces,
    )
    encounter = evolve(encounter.with_combatant(mine), chooser=None)
    if draw.jokers:
        # PMM-R21: everyone later in the order, friend or foe; a second Joker adds nothing.
        for later in encounter.shown[encounter.turn + 1 :]:
            encounter = encounter.with_combatant(evolve(later, has_automatic=True))
    return encounter


def _notes(encounter: MaidEncounter, combatant: MaidCombatant, draw: BlitzDraw) -> tuple[str, ...]:
    notes = []
    if draw.aces and combatant.has_automatic:
        notes.append(f"{combatant.name} already has an automatic 25, so the first ace has no effect.")
    elif draw.aces:
        notes.append(to_do(f"{combatant.name}'s next check this round is an automatic 25."))
    if draw.jokers:
        later = ", ".join(after.name for after in encounter.shown[encounter.turn + 1 :])
        none = "The Joker has no effect: nobody acts after this."
        notes.append(to_do(f"The next check this round is an automatic 25 for {later}.") if later else none)
    if draw.faces:
        bonus = _counted(draw.faces, "1 bonus d8", "bonus d8s")
        notes.append(timer(f"{bonus} for checks this round."))
    return tuple(notes)


def ace_menu(scene: Scene, giver: CharacterId) -> tuple[FollowUp, ...]:
    """A menu of who can get a spare ace, or none if there is no ace to give.

    [PMM-BLZ-04 (PMM-R19: whoever has an automatic 25 already is marked)]
    """
    encounter = the_encounter(scene)
    combatant = encounter.combatant(giver)
    if combatant is None or not combatant.aces_to_give:
        return ()
    choices = tuple(
        Choice(value=str(other.character), label=other.name, note=_warning(scene, other))
        for other in encounter.shown
        if other.character != giver
    )
    return (
        FollowUp(
            procedure="give_ace",
            options=GiveAceOptions(receiver=giver),
            label=f"Give an ace ({combatant.aces_to_give} left) …",
            character=giver,
            choices=choices[:MOST_CHOICES],
            chosen="receiver",
            group="ace",
        ),
    )


def _warning(scene: Scene, combatant: MaidCombatant) -> str:
    """A warning about giving somebody an ace, or an empty text."""
    if combatant.has_automatic:
        return "already has an automatic 25"
    if not is_able(scene, combatant):
        return "can't act"
    return (
        "has already acted this round, so only a defense or contest can use it" if combatant.has_acted else ""
    )


@procedure("give_ace")
def give_ace(scene: Scene, options: GiveAceOptions, _dice: Dice) -> Outcome:
    """Give a spare ace to another combatant, whose next check this round is then 25.

    [PMM-BLZ-04 (PMM-R19, PMM-R20)]
    """
    actor = scene.actor
    encounter = the_encounter(scene)
    giver, receiver = encounter.combatant(actor.id), encounter.combatant(options.receiver)
    if giver is None or not giver.aces_to_give:
        raise UserError(
            f"{actor.name} has no spare ace to give away.",
            "You get one for each ace after the first in a blitz.",
        )
    if receiver is None or receiver.character == actor.id:
        raise UserError("A spare ace must go to another combatant.", try_this="Choose someone else.")
    if receiver.has_automatic:
        raise UserError(
            f"{receiver.name} already has an automatic 25; a second one would be wasted.",
            try_this="Choose someone else.",
        )
    warning = _warning(scene, receiver)
    encounter = encounter.with_combatant(evolve(receiver, has_automatic=True))
    encounter = encounter.with_combatant(evolve(giver, aces_to_give=giver.aces_to_give - 1))
    scene = with_encounter(scene, encounter)
    return Outcome(
        scene=scene,
        headline=f"gives an ace to {receiver.name}",
        notes=(
            to_do(f"{receiver.name}'s next check this round is an automatic 25."),
            *((f"{receiver.name} {warning}.",) if warning else ()),
        ),
        follow_ups=ace_menu(scene, actor.id),
    )
