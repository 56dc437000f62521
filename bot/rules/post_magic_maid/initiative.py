"""Initiative, the board of an encounter, and what is unsettled."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from itertools import groupby

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    CharacterId,
    Choice,
    Deadline,
    Document,
    EncounterView,
    Family,
    FollowUp,
    Roll,
    Roller,
    Settle,
    TrackerRules,
    Verdict,
    evolve,
    for_gm,
    procedure,
    settled_as,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, label_with
from bot.rules.post_magic_maid.cards import DECK, MaidPurpose, card_of
from bot.rules.post_magic_maid.contests import (
    MaidAnswerOptions,
    MaidCall,
    MaidContest,
    MaidOpposeOptions,
    answer_call,
    oppose,
)
from bot.rules.post_magic_maid.defenses import (
    MaidAttackOptions,
    MaidDefendOptions,
    best_pair,
    defence_buttons,
    defend,
)
from bot.rules.post_magic_maid.encounter import (
    ENCOUNTERS,
    CardInputs,
    MaidCombatant,
    MaidEncounter,
    code_drawn,
    draw_order_card,
    in_order,
    new_combatant,
    the_encounter,
    with_encounter,
)
from bot.rules.post_magic_maid.healing import MaidPendingAttack, verdict_buttons
from bot.rules.post_magic_maid.level_ups import PassiveRequest, approval_buttons
from bot.rules.post_magic_maid.performance import (
    Awaited,
    MaidAwaiting,
    action_penalty,
    answered,
    drop_awaited,
)
from bot.rules.post_magic_maid.sheet import (
    Character,
    MaidSettings,
    MaidSheet,
    Outcome,
    Scene,
    TieBreak,
    Unsettled,
)
from bot.rules.post_magic_maid.tiers import MaidTier
from bot.rules.post_magic_maid.turns import (
    deal_button,
    end_turn,
    finish,
    order_line,
    skip_to_able,
    turn_buttons,
)
from bot.rules.post_magic_maid.turns import next_button as end_button
from bot.rules.post_magic_maid.wounds import (
    LEVELS,
    PAIRS,
    Track,
    assert_can_act,
    boxes_of,
    by_strength,
    can_act,
    is_dead,
    is_unconscious,
    pair_words,
    wounds_in_words,
)
from bot.rules.shared.encounters import (
    FightRules,
    StartOptions,
    fight_procedures,
    find_character,
    next_button,
    start,
    view_of,
)
from bot.rules.shared.offering import choices_among, foes_first, is_friend


def unsettled(scene: Scene) -> tuple[Unsettled, ...]:
    """Everything unsettled in the campaign. [PMM-ATK-03, PMM-CON-01, PMM-CHK-02]"""
    verdicts = (one for who, waiting in _waiting(scene) for one in _verdict(scene, who, waiting))
    return (*_answers(scene), *verdicts, *_requests(scene))


def unsettled_here(scene: Scene) -> tuple[Unsettled, ...]:
    """Everything unsettled for the combatants in the channel's fight, besides what waits for the GM."""
    return ENCOUNTERS.concerned(scene, _answers(scene))


def _waiting(scene: Scene) -> Iterator[tuple[Character, MaidAwaiting]]:
    """The characters for whom something waits, and what."""
    for key, waiting in scene.every(MaidAwaiting, "awaiting"):
        who = find_character(scene, CharacterId(int(key.partition("/")[2])))
        if who is not None:
            yield who, waiting


def _answers(scene: Scene) -> tuple[Unsettled, ...]:
    """What characters have to answer."""
    return tuple(one for who, waiting in _waiting(scene) for one in _waiting_for(scene, who, waiting))


def _verdict(scene: Scene, who: Character, waiting: MaidAwaiting) -> Iterator[Unsettled]:
    """The GM's verdict on wounds that were not treated in time, as long as they last.

    [PMM-WND-06, PMM-WND-07 (PMM-R40)]
    """
    boxes = zip(LEVELS[Track.RENDING], boxes_of(who, Track.RENDING), strict=True)
    wounds = {row.level for row, filled in boxes if filled}
    found = [level for level in waiting.overdue if level in wounds]
    if found and not who.sheet.is_dead:
        what = f"{who.name}'s {' and '.join(found)} wound, not treated in time"
        yield for_gm(what, (who.id,), verdict_buttons(scene, who.id))


def _requests(scene: Scene) -> Iterator[Unsettled]:
    """Passive abilities that wait for the GM's approval. [PMM-ABL-04, PMM-ADV-05]"""
    for key, request in scene.every(PassiveRequest, "passive"):
        who = find_character(scene, request.character)
        if who is not None:
            words = request.words or request.ability
            yield for_gm(f"{who.name}'s request: {words}", (who.id,), approval_buttons(key, words))


def _waiting_for(scene: Scene, who: Character, waiting: MaidAwaiting) -> Iterator[Unsettled]:
    for key in waiting.attacks:
        if (pending := scene.stored(MaidPendingAttack, key)) is not None:
            yield _attack(scene, who, key, pending)
    for key in waiting.contests:
        if scene.stored(MaidContest, key) is not None:
            what = f"{who.name}'s roll in a contest"
            yield _roll(who, what, _in_contest(who, key), partial(without_contest, key=key))
    for key in waiting.calls:
        if scene.stored(MaidCall, key) is not None:
            what = f"{who.name}'s check that the GM called for"
            yield _roll(who, what, _as_called(key), partial(_without_call, who=who.id, key=key))


def _as_called(key: str) -> Settle[Scene]:
    return lambda scene, dice: answer_call(scene, MaidAnswerOptions(call=key), dice)


def _without_call(scene: Scene, who: CharacterId, key: str) -> Scene:
    return drop_awaited(scene, who, Awaited.CALLS, key)


def _attack(scene: Scene, who: Character, key: str, pending: MaidPendingAttack) -> Unsettled:
    attacker = find_character(scene, pending.attacker)
    name = "somebody" if attacker is None else attacker.name

    def meet(now: Scene, dice: Dice) -> Outcome:
        """Defend with the best pair; those who can't act take the wound."""
        if attacker is None:
            dropped = drop_awaited(now, who.id, Awaited.ATTACKS, key)
            return Outcome(scene=dropped, headline="is attacked by nobody any more")
        best = best_pair(now, now.actor, pending.tier)
        return defend(now, MaidDefendOptions(attack=key, pair=pair_words(best)), dice)

    return Unsettled(
        what=f"{who.name}'s defense against {name}, {pending.tier.words}",
        concerns=(who.id,),
        answers=defence_buttons(scene, who, key, pending.tier),
        settle=settled_as(who, meet),
        waive=lambda now: drop_awaited(now, who.id, Awaited.ATTACKS, key),
    )


def _in_contest(who: Character, key: str) -> Settle[Scene]:
    def rolled(scene: Scene, dice: Dice) -> Outcome:
        """Roll with the pair that the GM chose, else with the best attributes."""
        scores = scene.character(who.id).sheet.attributes
        best = max(PAIRS, key=lambda pair: scores[pair[0]].die + scores[pair[1]].die)
        contest = scene.stored(MaidContest, key)
        side = None if contest is None else contest.side(who.id)
        pair = (side.pair if side is not None else None) or best
        return oppose(scene, MaidOpposeOptions(contest=key, pair=pair_words(pair)), dice)

    return rolled


def _roll(who: Character, what: str, settle: Settle[Scene], waive: Callable[[Scene], Scene]) -> Unsettled:
    return Unsettled(what=what, concerns=(who.id,), settle=settled_as(who, settle), waive=waive)


def without_contest(scene: Scene, key: str) -> Scene:
    """The same scene without a contest."""
    contest = scene.stored(MaidContest, key)
    for side in () if contest is None else contest.sides:
        scene = answered(scene, side.character, Awaited.CONTESTS, key)
    return scene.with_document(key, None)


MOST_CHOICES = 25


class InitiativeOptions(Document):
    """Options for starting an encounter."""

    starter: CharacterId | None = None  # who starts it; the character acting without it
    opposed: bool = False  # whether somebody stands ready to stop them
    others: tuple[CharacterId, ...] = Field(default=(), max_length=100)  # who takes part besides


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


@procedure("initiative", needs_actor=False)
def start_encounter(scene: Scene, options: InitiativeOptions, dice: Dice) -> Outcome:
    """Start an encounter with a chosen character; see `opened`. [PMM-INI-01 (PMM-R26)]"""
    starter = _own(scene, options.starter)
    chosen = StartOptions(others=options.others, at_once=options.opposed)
    done = start(FIGHTS, replace(scene, actor_id=starter), chosen, dice)
    own = scene.actor_id == starter
    headline = done.headline if own else f"lets {scene.character(starter).name} start a fight"
    return replace(done, scene=replace(done.scene, actor_id=scene.actor_id), headline=headline)


def opened(scene: Scene, options: StartOptions) -> MaidEncounter:
    """A new encounter: an unopposed starter acts at once, then all draw; else all draw first.

    [PMM-INI-01 (PMM-R26)]
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
    """Draw a card for every combatant and set the order. [PMM-INI-01 to PMM-INI-05, PMM-INI-07]"""
    encounter = the_encounter(scene)
    starter = None if encounter.starter is None else scene.character(encounter.starter)
    if starter is not None and not scene.is_gm and starter.owner != scene.person:
        raise UserError(f"Only {starter.name}'s player or a GM can have the cards drawn.")
    by_gm = starter is not None and starter.owner not in (None, scene.person)
    return _dealt(
        scene, dice, headline=f"deals the cards for initiative{' (the GM pressed)' if by_gm else ''}"
    )


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
    """Draw a card for each without replacement: the card codes, and each roll. [PMM-INI-02, PMM-INI-07]"""
    codes: list[str] = []
    rolls: list[Roll] = []
    for combatant in combatants:
        roll = draw_order_card(CardInputs(gone=(*gone, *codes)), dice)
        codes.append(code_drawn(roll))
        rolls.append(roll.by(Roller(combatant.character, combatant.name), purpose))
    return codes, rolls


def _chooser(combatants: Sequence[MaidCombatant]) -> CharacterId | None:
    """The holder of the Joker drawn last, or None. [PMM-INI-03, PMM-INI-04]"""
    holders = [combatant for combatant in combatants if combatant.drawn_card.is_joker]
    return max(holders, key=lambda combatant: combatant.drawn).character if holders else None


def _redraw_ties(
    combatants: tuple[MaidCombatant, ...], dice: Dice
) -> tuple[tuple[MaidCombatant, ...], list[Roll]]:
    """Let combatants of equal rank redraw among themselves until nobody is tied. [PMM-INI-05]

    Jokers are never tied: the later one is higher. Where too few cards are left, suits decide.
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


@procedure("joker")
def place_by_joker(scene: Scene, options: JokerOptions, _dice: Dice) -> Outcome:
    """Choose as a Joker's holder who goes first or last; the rest follow their cards.

    [PMM-INI-03, PMM-INI-04 (PMM-R27: two different participants)]
    """
    actor = scene.actor
    encounter = the_encounter(scene)
    if encounter.chooser != actor.id:
        raise UserError(
            f"{actor.name} can't choose the order.",
            "Whoever drew the last Joker chooses, before anyone has acted.",
        )
    if encounter.combatant(options.who) is None:
        raise UserError("That character isn't in the fight.")
    chosen = {MaidPlace.FIRST: encounter.first, MaidPlace.LAST: encounter.last, options.place: options.who}
    first, last = chosen[MaidPlace.FIRST], chosen[MaidPlace.LAST]
    if first == last:
        raise UserError("First and last must be different characters.", try_this="Choose someone else.")
    combatants = in_order(encounter.shown, first, last)
    encounter = encounter.ordered(combatants).changed(first=first, last=last)
    name = scene.character(options.who).name
    done = _order_outcome(with_encounter(scene, encounter), f"lets {name} go {options.place}")
    return replace(done, moments=(_joker_moment(options.place),))


def enter(scene: Scene, ids: Sequence[CharacterId], dice: Dice) -> Outcome:
    """Give newcomers a place in the order by a card of their own. [PMM-INI-08 (PMM-R29)]"""
    encounter, rolls = the_encounter(scene), []
    for who in ids:
        encounter, roll = _slot_in(encounter, new_combatant(scene, scene.character(who)), dice)
        rolls.append(roll)
    scene = with_encounter(scene, encounter)
    place = [each.character for each in encounter.shown].index(ids[-1]) + 1
    drawn = f"{rolls[-1].dice[0].shown}, place {place} of {len(encounter.shown)}"
    return Outcome(
        scene=scene,
        headline="joins the fight",
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
    delay="The cards set the order for the whole fight.",
    reorder="The cards set the order; only whoever drew the last Joker chooses who goes first and last.",
)

INITIATIVE_PROCEDURES = fight_procedures(FIGHTS)


def view(scene: Scene) -> EncounterView | None:
    """The displayed state of the channel's encounter."""
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return None
    opening = next((combatant for combatant in encounter.shown if encounter.is_on(combatant.character)), None)
    return view_of(
        scene,
        encounter,
        facts=_facts,
        can_act=lambda _scene, one: can_act(one),
        on=f"{opening.name} acts, then everyone draws" if opening and not encounter.has_begun else "",
    )


def _facts(scene: Scene, character: Character) -> tuple[str, ...]:
    """A combatant's card, wounds and what they have left this round.

    [PMM-INI-02, PMM-WND-01, PMM-WND-02, PMM-ACT-02, PMM-BLZ-04]
    """
    encounter = the_encounter(scene)
    combatant = encounter.combatant(character.id)
    body = wounds_in_words(character) if character.owner else ()
    if is_dead(character) or is_unconscious(character):
        body = (*body, "dead" if is_dead(character) else "unconscious")
    if combatant is None:
        return body
    return (
        str(combatant.drawn_card) if combatant.card else "",
        *body,
        "automatic 25" if combatant.has_automatic else "",
        f"{combatant.bonus_dice} bonus d8" if combatant.bonus_dice else "",
        _actions_left(combatant) if encounter.is_on(character.id) else "",
    )


def _actions_left(combatant: MaidCombatant) -> str:
    left = max(1, combatant.actions_declared) - combatant.actions_used
    return f"{counted(left, 'action')} left" if left else "no action left"


def choices(scene: Scene) -> tuple[FollowUp, ...]:
    """The current combatant's choices: attack, burn a point, declare actions, end the turn, or draw.

    [PMM-INI-01, PMM-ACT-01, PMM-ACT-02, PMM-BLZ-02]
    """
    encounter = ENCOUNTERS.find(scene)
    if encounter is None:
        return ()
    on = next((combatant for combatant in encounter.shown if encounter.is_on(combatant.character)), None)
    attacks = () if on is None else tuple(_attacks(scene, encounter, on))
    if not encounter.has_begun:
        return (*attacks, deal_button(encounter))
    if on is None or find_character(scene, on.character) is None:
        return (*joker_menus(encounter), next_button(FIGHTS, scene))
    return (*joker_menus(encounter), *attacks, *turn_buttons(scene, on.character))


def _attacks(scene: Scene, encounter: MaidEncounter, combatant: MaidCombatant) -> Iterator[FollowUp]:
    """The attacks of a combatant who has an action left: on the living, foes who can act first."""
    character = find_character(scene, combatant.character)
    others = [one for one in encounter.shown if one.character != combatant.character]
    if character is None or not can_act(character) or combatant.has_acted or not others:
        return
    declared = max(1, combatant.actions_declared)
    penalty = action_penalty(combatant.actions_used + 1, declared)
    cost = f"action {combatant.actions_used + 1} of {declared}, −{penalty}" if penalty else "1 action"
    acting = replace(scene, actor_id=character.id)
    living = [one for one in foes_first(acting) if not is_dead(one)]
    targets = choices_among(sorted(living, key=lambda one: (is_friend(acting, one), is_unconscious(one))))
    preset = (Choice(str(others[0].character), others[0].name),)  # part of the menu's key, so it stays
    if targets:
        for track in Track:
            yield replace(attack_menu(character, track, preset, cost), choices=targets)


def attack_menu(
    attacker: Character, track: Track, targets: tuple[Choice, ...], cost: str = "", ability: str = ""
) -> FollowUp:
    """A menu of targets for an attack with the attacker's best attributes, and with an ability."""
    first, second = by_strength(attacker)[0]
    options = MaidAttackOptions(
        first=first, second=second, ability=ability, track=track, target=CharacterId(int(targets[0].value))
    )
    means, words = f"Attack {track}: {first} + {second}", f"{f' · {cost}' if cost else ''} …"
    return FollowUp(
        procedure="attack",
        options=options,
        label=label_with(ability, words, before=f"{means}, ") if ability else f"{means}{words}",
        character=attacker.id,
        choices=targets,
        chosen="target",
    )


def _turn_ends(scene: Scene) -> tuple[FollowUp, ...]:
    """The button that ends the current combatant's turn."""
    encounter = ENCOUNTERS.find(scene)
    on = None if encounter is None else encounter.current
    if encounter is None or on is None or find_character(scene, on.character) is None:
        return ()
    return (end_button(encounter, on),)


TRACKER = TrackerRules(
    view=view,
    choices=choices,
    turn_ends=_turn_ends,
    attacks=("attack",),
    hits=MaidTier.TEN.value,
    in_turn=("blitz", "act", "joker"),
)
