"""Initiative: one card each, high cards first."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import groupby

from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Choice,
    Deadline,
    Document,
    Family,
    FollowUp,
    Roll,
    Roller,
    Verdict,
    declare,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid.character.scene import Outcome, Scene
from bot.rules.post_magic_maid.character.settings import MaidSettings, TieBreak
from bot.rules.post_magic_maid.character.sheet import MaidSheet
from bot.rules.post_magic_maid.character.wounds import assert_can_act
from bot.rules.post_magic_maid.combat.commands.unsettled import unsettled_here
from bot.rules.post_magic_maid.combat.state.encounter import (
    ENCOUNTERS,
    MaidCombatant,
    MaidEncounter,
    in_order,
    new_combatant,
    the_encounter,
    with_encounter,
)
from bot.rules.post_magic_maid.combat.state.order_cards import CardInputs, code_drawn, draw_order_card
from bot.rules.post_magic_maid.combat.turns.turns import (
    deal_button,
    end_turn,
    finish,
    order_line,
    skip_to_able,
    turn_buttons,
)
from bot.rules.post_magic_maid.resolution.cards import DECK, card_of
from bot.rules.post_magic_maid.resolution.purposes import MaidPurpose
from bot.rules.shared.encounters import FightRules, StartOptions, fight_procedures, start

MOST_CHOICES = 25


class InitiativeOptions(Document):
    """Options for starting an encounter.

    Attributes:
        starter: Who starts it; the character acting without it.
        opposed: Whether somebody stands ready to stop them.
        others: Who takes part besides.
    """

    starter: CharacterId | None = None
    opposed: bool = False
    others: tuple[CharacterId, ...] = Field(default=(), max_length=100)


class MaidPlace(StrEnum):
    """The two places that a Joker's holder assigns."""

    FIRST = "first"
    LAST = "last"


class JokerOptions(Document):
    """Options for a Joker's holder: who goes first or last."""

    place: MaidPlace
    who: CharacterId


def _own(scene: Scene, chosen: CharacterId | None) -> CharacterId:
    """The character meant: the one chosen, which only a GM or its player does, else the one acting."""
    if chosen is None:
        return scene.actor.id
    character = scene.character(chosen)
    if not scene.is_gm and character.owner != scene.person:
        raise UserError(f"{character.name} isn't your character.", "Only its player or a GM can do that.")
    return chosen


def start_encounter(scene: Scene, options: InitiativeOptions, dice: Dice) -> Outcome:
    """Start an encounter with a chosen character; see `opened`.

    Source: PMM-INI-01 (PMM-R26).
    """
    starter = _own(scene, options.starter)
    chosen = StartOptions(others=options.others, at_once=options.opposed)
    done = start(FIGHTS, replace(scene, actor_id=starter), chosen, dice)
    own = scene.actor_id == starter
    headline = done.headline if own else f"lets {scene.character(starter).name} start a fight"
    return replace(done, scene=replace(done.scene, actor_id=scene.actor_id), headline=headline)


declare("initiative", InitiativeOptions, start_encounter, needs_actor=False)


def opened(scene: Scene, options: StartOptions) -> MaidEncounter:
    """A new encounter: an unopposed starter acts at once, then all draw; else all draw first.

    Source: PMM-INI-01 (PMM-R26).
    """
    if scene.actor_id is not None:
        assert_can_act(scene.actor)
    return MaidEncounter(starter=scene.actor_id, is_opposed=options.at_once)


def opening_words(scene: Scene) -> tuple[str, ...]:
    """The headline of an encounter's start."""
    encounter = the_encounter(scene)
    if encounter.is_opposed:
        return ("Someone could interrupt, so everyone draws first.",)
    if encounter.starter is None:
        return ("Nobody can act until everyone has drawn.",)
    name = scene.character(encounter.starter).name
    return (f"Nobody can interrupt {name}, who acts first. Then everyone draws.",)


def deal_cards(scene: Scene, dice: Dice) -> Outcome:
    """Draw a card for every combatant and set the order.

    Source: PMM-INI-01 to PMM-INI-05, PMM-INI-07.
    """
    encounter = the_encounter(scene)
    starter = None if encounter.starter is None else scene.character(encounter.starter)
    if starter is not None and not scene.is_gm and starter.owner != scene.person:
        raise UserError(f"Only {starter.name}'s player or a GM can have the cards drawn.")
    return _dealt(scene, dice, headline="deals the cards for initiative")


def _dealt(scene: Scene, dice: Dice, *, headline: str) -> Outcome:
    encounter = the_encounter(scene)
    drawing, late = encounter.shown[: len(DECK)], encounter.shown[len(DECK) :]
    codes, rolls = _drawn(drawing, (), dice)
    combatants = tuple(
        evolve(combatant, card=code, drawn=number)
        for number, (combatant, code) in enumerate(zip(drawing, codes, strict=True), 1)
    )
    if scene.settings.tie_break is TieBreak.REDRAW:
        combatants, more = _redraw_ties(combatants, dice)
        rolls += more
    encounter = encounter.ordered(in_order(tuple(combatant.cleared() for combatant in combatants)))
    encounter = encounter.changed(round=1, turn=0, draws=len(combatants), chooser=_chooser(combatants))
    for combatant in late:
        encounter, roll = _slot_in(encounter, combatant, dice)
        rolls.append(roll)
    scene, skipped = skip_to_able(with_encounter(scene, encounter))
    return _order_outcome(scene, headline, tuple(rolls), skipped)


def _drawn(
    combatants: Sequence[MaidCombatant], gone: Sequence[str], dice: Dice, purpose: MaidPurpose | None = None
) -> tuple[list[str], list[Roll]]:
    """Draw a card for each without replacement: the card codes, and each roll.

    Source: PMM-INI-02, PMM-INI-07.
    """
    codes: list[str] = []
    rolls: list[Roll] = []
    for combatant in combatants:
        roll = draw_order_card(CardInputs(gone=(*gone, *codes)), dice)
        codes.append(code_drawn(roll))
        rolls.append(roll.by(Roller(combatant.character, combatant.name), purpose))
    return codes, rolls


def _chooser(combatants: Sequence[MaidCombatant]) -> CharacterId | None:
    """The holder of the Joker drawn last, or None.

    Source: PMM-INI-03, PMM-INI-04.
    """
    holders = [combatant for combatant in combatants if combatant.drawn_card.is_joker]
    return max(holders, key=lambda combatant: combatant.drawn).character if holders else None


def _redraw_ties(
    combatants: tuple[MaidCombatant, ...], dice: Dice
) -> tuple[tuple[MaidCombatant, ...], list[Roll]]:
    """Let combatants of equal rank redraw among themselves until nobody is tied.

    Jokers are never tied: the later one is higher. Where too few cards are left, suits decide.

    Source: PMM-INI-05.
    """
    rolls: list[Roll] = []
    gone = [combatant.card for combatant in combatants]
    while tied := _tied(combatants):
        if len(tied) > len(DECK) - len(gone):
            break
        codes, more = _drawn(tied, gone, dice, MaidPurpose.TIE)
        again = {combatant.character: code for combatant, code in zip(tied, codes, strict=True)}
        combatants = tuple(
            evolve(combatant, redrawn=(*combatant.redrawn, again[combatant.character]))
            if combatant.character in again
            else combatant
            for combatant in combatants
        )
        gone += codes
        rolls += more
    return combatants, rolls


def _tied(combatants: tuple[MaidCombatant, ...]) -> list[MaidCombatant]:
    """The combatants who share their rank and redrawn cards with somebody else."""

    def rank(combatant: MaidCombatant) -> tuple[int, tuple[int, ...]]:
        return combatant.drawn_card.strength, tuple(card_of(code).strength for code in combatant.redrawn)

    numerals = sorted((combatant for combatant in combatants if not combatant.drawn_card.is_joker), key=rank)
    groups = (list(group) for _, group in groupby(numerals, key=rank))
    tied = [combatant for group in groups if len(group) > 1 for combatant in group]
    return sorted(tied, key=lambda combatant: combatant.drawn)


def _order_outcome(
    scene: Scene, headline: str, rolls: tuple[Roll, ...] = (), skipped: tuple[str, ...] = ()
) -> Outcome:
    encounter = the_encounter(scene)
    first = encounter.shown[encounter.turn]
    return Outcome(
        scene=scene,
        headline=headline,
        verdict=Verdict(Family.NEWS, f"{first.name} goes first"),
        rolls=rolls,
        notes=(order_line(encounter), *skipped),
        follow_ups=(*joker_menus(encounter), *turn_buttons(scene, first.character)),
    )


def joker_menus(encounter: MaidEncounter) -> tuple[FollowUp, ...]:
    """Two select menus for the Joker's holder, while they may choose."""
    if encounter.chooser is None:
        return ()
    chooser = encounter.chooser
    choices = tuple(
        Choice(value=str(combatant.character), label=combatant.name, note=str(combatant.drawn_card))
        for combatant in encounter.shown
    )
    chosen = {MaidPlace.FIRST: encounter.first, MaidPlace.LAST: encounter.last}
    return tuple(
        FollowUp(
            procedure="joker",
            options=JokerOptions(place=place, who=chooser),
            label=f"Who goes {place}?",
            character=chooser,
            choices=choices[:MOST_CHOICES],
            chosen="who",
            group=_joker_moment(place),
            window=Deadline(until=(_joker_moment(place),)),
        )
        for place in MaidPlace
        if chosen[place] is None
    )


def _joker_moment(place: MaidPlace) -> str:
    """What a Joker's holder has decided once a place is given."""
    return f"joker-{place}"


def place_by_joker(scene: Scene, options: JokerOptions, _dice: Dice) -> Outcome:
    """Choose as a Joker's holder who goes first or last; the rest follow their cards.

    Source: PMM-INI-03, PMM-INI-04 (PMM-R27: two different participants).
    """
    actor = scene.actor
    encounter = the_encounter(scene)
    if encounter.chooser != actor.id:
        raise UserError(
            f"{actor.name} can't choose the order.",
            "Whoever drew the last Joker chooses, before anyone has acted.",
        )
    if encounter.combatant(options.who) is None:
        raise UserError("That character isn't in the encounter.")
    chosen = {MaidPlace.FIRST: encounter.first, MaidPlace.LAST: encounter.last, options.place: options.who}
    first, last = chosen[MaidPlace.FIRST], chosen[MaidPlace.LAST]
    if first == last:
        raise UserError("First and last must be different characters.", try_this="Choose someone else.")
    combatants = in_order(encounter.shown, first, last)
    encounter = encounter.ordered(combatants).changed(first=first, last=last)
    name = scene.character(options.who).name
    done = _order_outcome(with_encounter(scene, encounter), f"lets {name} go {options.place}")
    return replace(done, moments=(_joker_moment(options.place),))


declare("joker", JokerOptions, place_by_joker)


def enter(scene: Scene, ids: Sequence[CharacterId], dice: Dice) -> Outcome:
    """Give newcomers a place in the order by a card of their own.

    Source: PMM-INI-08 (PMM-R29).
    """
    encounter, rolls = the_encounter(scene), []
    for who in ids:
        encounter, roll = _slot_in(encounter, new_combatant(scene, scene.character(who)), dice)
        rolls.append(roll)
    scene = with_encounter(scene, encounter)
    place = [each.character for each in encounter.shown].index(ids[-1]) + 1
    drawn = f"{rolls[-1].dice[0].shown}, place {place} of {len(encounter.shown)}"
    return Outcome(
        scene=scene,
        headline="joins the encounter",
        verdict=Verdict(Family.NEWS, drawn) if len(ids) == 1 else None,
        rolls=tuple(rolls),
        notes=(order_line(encounter),),
    )


def _slot_in(encounter: MaidEncounter, combatant: MaidCombatant, dice: Dice) -> tuple[MaidEncounter, Roll]:
    """Draw a card from the full deck for a newcomer and place them in the order."""
    (code,), (roll,) = _drawn([combatant], (), dice)
    draws = encounter.draws + 1
    combatant = evolve(combatant, card=code, drawn=draws)
    place = _place_of(encounter, combatant)
    combatants = (*encounter.shown[:place], combatant, *encounter.shown[place:])
    # Whoever is acting goes on, also where the newcomer stands ahead of them.
    turn = encounter.turn + (place <= encounter.turn)
    return encounter.ordered(combatants).changed(draws=draws, turn=turn), roll


def _place_of(encounter: MaidEncounter, newcomer: MaidCombatant) -> int:
    """A newcomer's place: by rank and suit, after an identical card, between chosen first and last."""
    combatants = encounter.shown
    begin = 0 if encounter.first is None else 1
    end = len(combatants) if encounter.last is None else len(combatants) - 1
    better = (place for place in range(begin, end) if combatants[place].by_card > newcomer.by_card)
    return next(better, end)


FIGHTS: FightRules[MaidEncounter, MaidSheet, MaidSettings] = FightRules(
    place=ENCOUNTERS,
    new_combatant=new_combatant,
    opened=opened,
    opening_words=opening_words,
    begin=deal_cards,
    enter=enter,
    advance=end_turn,
    finish=finish,
    unsettled=unsettled_here,
    gathering=lambda scene: (deal_button(the_encounter(scene)),),
    delay="The cards set the order for the whole encounter.",
    reorder="The cards set the order; only whoever drew the last Joker chooses who goes first and last.",
)

INITIATIVE_PROCEDURES = fight_procedures(FIGHTS)
