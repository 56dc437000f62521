"""What everybody does in a fight whatever the game: gather, begin, pass the turn on, leave, end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from pydantic import Field

from bot.rules.dice import Dice
from bot.rules.encounters.model import Encounter, FightT, Kept, Participant
from bot.rules.encounters.views import find_character
from bot.rules.mistakes import Mistake
from bot.rules.ruleset import (
    Audience,
    Character,
    CharacterId,
    Document,
    Family,
    FollowUp,
    Outcome,
    Procedure,
    Scene,
    Verdict,
)
from bot.rules.ruleset import tracker as keys

MOST = 100


class StartOptions(Document):
    """Who takes part besides the character acting.

    Attributes:
        others: Who.
        at_once: Whether the order is made at once, before anybody acts.
    """

    others: tuple[CharacterId, ...] = Field(default=(), max_length=MOST)
    at_once: bool = False


class JoinOptions(Document):
    """Who joins; the character acting without it."""

    character: CharacterId | None = None


class AddOptions(Document):
    """Whom the GM lets take part, and whether only the GM knows."""

    characters: tuple[CharacterId, ...] = Field(min_length=1, max_length=MOST)
    hidden: bool = False


class NextOptions(Document):
    """Which turn ends, as `Encounter.turn_key` names it; the one that is on without it."""

    turn: str = Field(default="", max_length=60)


class DelayOptions(Document):
    """Behind whom one acts from now on; behind the next one without it."""

    character: CharacterId | None = None
    after: CharacterId | None = None


class LeaveOptions(Document):
    """Who leaves; the character acting without it."""

    character: CharacterId | None = None


class RevealOptions(Document):
    """Who comes out of hiding."""

    character: CharacterId


class OrderOptions(Document):
    """Who acts in which order; whoever is not named follows in the order that stood."""

    characters: tuple[CharacterId, ...] = Field(min_length=1, max_length=MOST)


class NoOptions(Document):
    """Nothing to choose."""


Delay = Callable[[Scene, CharacterId, CharacterId | None], Outcome]
Reorder = Callable[[Scene, Sequence[CharacterId]], Outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class FightRules(Generic[FightT]):
    """What is a ruleset's own about a fight. The scene given always has one.

    Attributes:
        kept: Where its fights are kept.
        seat: A new participant. Raises `Mistake` for whoever cannot take part.
        begin: Makes the order of all who have gathered; turns are taken from then on.
        enter: Gives newcomers, who have no seat yet, their place in an order that stands.
        advance: Ends the turn that is on, with everything that ends and begins with it.
        finish: Everything that ends with the fight; the fight itself goes afterwards.
        opening_words: What to tell where it is opened.
        begin_label: What the button says that makes the order, or the next step towards it.
        opened: What a fight of the ruleset begins as.
        gathering: What can be done before the order stands, besides joining.
        players_advance: Whether whoever is on passes the turn on; else only the GM.
        delay: Puts somebody further behind, or why that is not done.
        reorder: Sets the order by hand, or why that is not done.
        leave: What goes with somebody who leaves.
    """

    kept: Kept[FightT]
    seat: Callable[[Scene, Character], Participant]
    begin: Callable[[Scene, Dice], Outcome]
    enter: Callable[[Scene, Sequence[CharacterId], Dice], Outcome]
    advance: Callable[[Scene, Dice], Outcome]
    finish: Callable[[Scene, Dice], Outcome]
    opening_words: Callable[[Scene], tuple[str, ...]] = lambda _scene: ()
    begin_label: Callable[[Scene], str] = lambda _scene: "Begin round 1"
    opened: Callable[[Scene, StartOptions], FightT]
    gathering: Callable[[Scene], tuple[FollowUp, ...]] = lambda _scene: ()
    players_advance: bool = True
    delay: Delay | str
    reorder: Reorder | str
    leave: Callable[[Scene, CharacterId], Scene] = lambda scene, _who: scene


# --- before and in the order -------------------------------------------------------------------


def start(rules: FightRules[FightT], scene: Scene, options: StartOptions, dice: Dice) -> Outcome:
    """Open a fight in the channel; everybody gathers until its order is made."""
    if rules.kept.find(scene) is not None:
        raise Mistake(
            "An encounter is on in this channel already.",
            try_this="Join it with /encounter join; a GM ends it with /encounter end.",
        )
    ids = dict.fromkeys((*(() if scene.actor_id is None else (scene.actor_id,)), *options.others))
    seats = [_seat(rules, scene, who) for who in ids]
    encounter = rules.opened(scene, options).with_newcomers(seats)
    scene = rules.kept.keep(scene, encounter)
    if options.at_once and len(seats) > 1:
        return replace(rules.begin(scene, dice), headline="starts an encounter")
    names = f"Taking part: {encounter.names}." if seats else "Nobody takes part yet."
    return Outcome(
        scene=scene,
        headline="starts an encounter",
        notes=(*rules.opening_words(scene), names),
        follow_ups=(join_button(), *rules.gathering(scene)),
    )


def _seat(rules: FightRules[FightT], scene: Scene, who: CharacterId) -> Participant:
    character = scene.character(who)
    if character.is_hidden:
        raise Mistake(
            f"{character.name} is hidden, and everybody sees who takes part in an encounter.",
            try_this=f"/encounter add name:{character.name} hidden:True keeps it so.",
        )
    return rules.seat(scene, character)


def join_button() -> FollowUp:
    """The button by which everybody joins with their own character."""
    return FollowUp(
        procedure=keys.JOIN,
        options=JoinOptions(),
        label="Join",
        audience=Audience.ANYONE,
        group="join",
        stays=True,
    )


def next_button(rules: FightRules[FightT], scene: Scene, label: str = "") -> FollowUp:
    """The button that ends the turn that is on, and no other; before the order stands, that makes it."""
    encounter = rules.kept.the(scene)
    on = [seat for seat in encounter.seats if encounter.is_on(seat.character)]
    is_own = rules.players_advance and len(on) == 1 and find_character(scene, on[0].character) is not None
    audience = Audience.GM if encounter.has_begun else Audience.ANYONE
    return FollowUp(
        procedure=keys.NEXT,
        options=NextOptions(turn=encounter.turn_key),
        label=label or ("End the turn" if encounter.has_begun else rules.begin_label(scene)),
        audience=Audience.OWNER if is_own else audience,
        character=on[0].character if is_own else None,
        group="turn",
    )


def _own(scene: Scene, chosen: CharacterId | None) -> Character:
    """The character meant: the one chosen, which only a GM or its player does, else the one acting."""
    if chosen is None:
        return scene.actor
    character = scene.character(chosen)
    if not scene.is_gm and character.owner != scene.person:
        raise Mistake(f"{character.name} is not yours.", "A GM or its player may do that.")
    return character


def join(rules: FightRules[FightT], scene: Scene, options: JoinOptions, dice: Dice) -> Outcome:
    """Take part; once the order stands, with the place in it that the rules give."""
    newcomer = _own(scene, options.character)
    encounter = rules.kept.the(scene)
    if encounter.seat(newcomer.id) is not None:
        raise Mistake(f"{newcomer.name} takes part already.")
    is_own = scene.actor_id == newcomer.id
    words = "joins the encounter" if is_own else f"brings {newcomer.name} into the encounter"
    return _let_in(rules, scene, [newcomer.id], words, dice)


def _let_in(
    rules: FightRules[FightT], scene: Scene, ids: Sequence[CharacterId], words: str, dice: Dice
) -> Outcome:
    encounter = rules.kept.the(scene).without_lurking(ids)
    scene = rules.kept.keep(scene, encounter)
    seats = [_seat(rules, scene, who) for who in ids]
    if encounter.has_begun:
        return replace(rules.enter(scene, ids, dice), headline=words)
    joined = encounter.with_newcomers(seats)
    return Outcome(
        scene=rules.kept.keep(scene, joined), headline=words, notes=(f"Taking part: {joined.names}.",)
    )


def add(rules: FightRules[FightT], scene: Scene, options: AddOptions, dice: Dice) -> Outcome:
    """Let characters of the GM's choice take part; hidden ones have no place in the order yet."""
    encounter = rules.kept.the(scene)
    ids = list(dict.fromkeys(options.characters))
    there = {*(seat.character for seat in encounter.seats), *encounter.lurking}
    for who in ids:
        if who in there:
            raise Mistake(f"{scene.character(who).name} takes part already.")
    lurking = [who for who in ids if options.hidden or scene.character(who).is_hidden]
    for who in lurking:
        rules.seat(scene, scene.character(who))  # whoever cannot take part is refused before they come out
    names = ", ".join(scene.character(who).name for who in ids)
    if lurking:
        encounter = encounter.changed(lurking=(*encounter.lurking, *lurking))
        scene = rules.kept.keep(scene, encounter)
    rest = [who for who in ids if who not in lurking]
    if not rest:
        notes = ("Only you know. /encounter reveal gives a place in the order.",)
        return Outcome(scene=scene, headline=f"hides {names} in the encounter", notes=notes, is_public=False)
    done = _let_in(rules, scene, rest, f"adds {names} to the encounter", dice)
    return replace(done, is_public=not lurking)


def reveal(rules: FightRules[FightT], scene: Scene, options: RevealOptions, dice: Dice) -> Outcome:
    """Let a hidden participant come out: everybody knows of it, and it gets a place in the order."""
    encounter = rules.kept.the(scene)
    if options.character not in encounter.lurking:
        raise Mistake(f"{scene.character(options.character).name} is not hidden in this encounter.")
    character = scene.character(options.character)
    scene = scene.with_character(replace(character, is_hidden=False))
    return _let_in(rules, scene, [character.id], f"reveals {character.name}", dice)


def next_turn(rules: FightRules[FightT], scene: Scene, options: NextOptions, dice: Dice) -> Outcome:
    """End the turn that is on; before there is one, make the order."""
    encounter = rules.kept.the(scene)
    if options.turn and options.turn != encounter.turn_key:
        raise Mistake("That turn is over already.", _who_is_on(rules, scene))
    if not encounter.has_begun:
        _assert_can_begin(scene, encounter)
        return rules.begin(scene, dice)
    on = [seat for seat in encounter.seats if encounter.is_on(seat.character)]
    if not scene.is_gm and not (rules.players_advance and _plays_one_of(scene, on)):
        raise Mistake(_who_is_on(rules, scene), "Its player or a GM ends it." if on else "A GM passes it on.")
    return rules.advance(scene, dice)


def _who_is_on(rules: FightRules[FightT], scene: Scene) -> str:
    encounter = rules.kept.the(scene)
    on = [seat.name for seat in encounter.seats if encounter.is_on(seat.character)]
    return f"It is {', '.join(on)}’s turn." if len(on) == 1 else "It is another turn."


def _plays_one_of(scene: Scene, seats: Sequence[Participant]) -> bool:
    found = (find_character(scene, seat.character) for seat in seats)
    return any(one is not None and one.owner == scene.person for one in found)


def _assert_can_begin(scene: Scene, encounter: Encounter[Any]) -> None:
    """Raise `Mistake` unless the order can be made, and the person may have it made."""
    if encounter.count < 2:
        raise Mistake("Nobody else takes part yet.", try_this="Others join with /encounter join.")
    if not scene.is_gm and not _plays_one_of(scene, encounter.seats):
        raise Mistake("Whoever takes part, or a GM, begins the first round.")


# --- out of the order --------------------------------------------------------------------------


def delay(rules: FightRules[FightT], scene: Scene, options: DelayOptions, _dice: Dice) -> Outcome:
    """Act further behind in the order from now on, where the ruleset knows that."""
    who = _own(scene, options.character)
    encounter = rules.kept.the(scene)
    for one in (who.id, *(() if options.after is None else (options.after,))):
        if encounter.seat(one) is None:
            raise Mistake(f"{scene.character(one).name} takes no part in the encounter.")
    if isinstance(rules.delay, str):
        raise Mistake(rules.delay)
    return rules.delay(scene, who.id, options.after)


def leave(rules: FightRules[FightT], scene: Scene, options: LeaveOptions, dice: Dice) -> Outcome:
    """Take no part any more; a turn that is on is passed on before."""
    who = _own(scene, options.character)
    encounter = rules.kept.the(scene)
    is_known = encounter.seat(who.id) is not None
    if not is_known and not (scene.is_gm and who.id in encounter.lurking):
        raise Mistake(f"{who.name} takes no part in the encounter.")
    words = "leaves the encounter" if scene.actor_id == who.id else f"takes {who.name} out of the encounter"
    if not is_known:
        return Outcome(
            scene=rules.kept.keep(scene, encounter.without(who.id)), headline=words, is_public=False
        )
    if encounter.has_begun and encounter.count < 2:
        raise Mistake("Nobody would be left.", try_this="A GM ends the encounter with /encounter end.")
    on = [seat for seat in encounter.seats if encounter.is_on(seat.character)]
    passed = Outcome(scene=scene, headline=words)
    if encounter.has_begun and len(on) == 1 and on[0].character == who.id:
        passed = replace(rules.advance(scene, dice), headline=words)
    scene = rules.leave(passed.scene, who.id)
    return replace(passed, scene=rules.kept.keep(scene, rules.kept.the(scene).without(who.id)))


def set_order(rules: FightRules[FightT], scene: Scene, options: OrderOptions, _dice: Dice) -> Outcome:
    """Set the order by hand, where the ruleset leaves that to the GM."""
    encounter = rules.kept.the(scene)
    for who in options.characters:
        if encounter.seat(who) is None:
            raise Mistake(f"{scene.character(who).name} takes no part in the encounter.")
    if isinstance(rules.reorder, str):
        raise Mistake(rules.reorder)
    return rules.reorder(scene, tuple(dict.fromkeys(options.characters)))


def end(rules: FightRules[FightT], scene: Scene, _options: NoOptions, dice: Dice) -> Outcome:
    """End the fight of the channel, with everything that lasts as long as it."""
    encounter = rules.kept.the(scene)
    when = f"in round {encounter.round}" if encounter.has_begun else "before the first round"
    done = rules.finish(scene, dice)
    return replace(done, scene=rules.kept.drop(done.scene), headline=f"ends the encounter {when}")


# --- a plain order -----------------------------------------------------------------------------


def on_now(scene: Scene, name: str, headline: str, notes: tuple[str, ...] = ()) -> Outcome:
    """What is told where a turn begins."""
    return Outcome(scene=scene, headline=headline, verdict=Verdict(Family.NEWS, f"{name} acts"), notes=notes)


def fight_procedures(rules: FightRules[Any]) -> tuple[Procedure[Any], ...]:
    """The procedures of a ruleset's fights; they have the keys of `bot.rules.ruleset.tracker`."""

    def bound(do: Callable[[FightRules[Any], Scene, Any, Dice], Outcome]) -> Callable[..., Outcome]:
        return lambda scene, options, dice: do(rules, scene, options, dice)

    def of(
        key: str,
        options: type[Document],
        do: Callable[[FightRules[Any], Scene, Any, Dice], Outcome],
        *,
        gm_only: bool = False,
    ) -> Procedure[Any]:
        return Procedure(key=key, options=options, run=bound(do), gm_only=gm_only, needs_actor=False)

    return (
        of(keys.START, StartOptions, start),
        of(keys.JOIN, JoinOptions, join),
        of(keys.ADD, AddOptions, add, gm_only=True),
        of(keys.NEXT, NextOptions, next_turn),
        of(keys.DELAY, DelayOptions, delay),
        of(keys.LEAVE, LeaveOptions, leave),
        of(keys.REVEAL, RevealOptions, reveal, gm_only=True),
        of(keys.ORDER, OrderOptions, set_order, gm_only=True),
        of(keys.END, NoOptions, end, gm_only=True),
    )
