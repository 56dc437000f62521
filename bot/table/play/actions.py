"""Run one action: perform the procedure, save and count its result, and journal it."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import (
    NOBODY,
    Audience,
    CharacterId,
    Closing,
    Document,
    FindUnsettled,
    FollowUp,
    NoOptions,
    Noted,
    Outcome,
    Place,
    Procedure,
    Scene,
    Unsettled,
    Verdict,
    settle_all,
    waive_all,
)
from bot.rules.kernel.dice import Dice, FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import ENCOUNTER
from bot.rules.shared.encounters import find_character
from bot.rules.shared.offering import is_foe
from bot.store.records import (
    NO_LIMIT,
    CharacterRecord,
    EntryId,
    EntryRecord,
    FollowUpRecord,
    Json,
    JsonObject,
    SeedRecord,
)
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, CannotPost, ForGmOnly, Request, require_character
from bot.table.base.results import (
    AGAIN,
    BLIND,
    NOTHING_TOLD,
    ChangeLine,
    Message,
    Result,
    Telling,
    follow_up_from_json,
)
from bot.table.base.table import Table
from bot.table.base.turn import record
from bot.table.base.typed_options import characters_in
from bot.table.journal import recap
from bot.table.journal.entries import PlayFacts, TooLate, facts_of, procedure_of, with_turns
from bot.table.journal.journal import NOTHING, Rewound
from bot.table.journal.scenes import SceneKeeper
from bot.table.journal.shared_prompts import (
    MOVES,
    OPENED,
    PART,
    begin_to_follow,
    noted,
    scene_to_look_at,
    with_gathering,
)
from bot.table.play.countdown_plans import keep_begun
from bot.table.play.countdowns import (
    PlayedCheck,
    SharedPress,
    attempt_of,
    count_shared,
    counts_whole,
    find_countdown,
    follow,
    pass_time,
)
from bot.table.play.owed_answers import GmQuestion, HiddenFoes, gm_questions, hidden_foes, owing


class UnaccountedDice(Exception):
    """A procedure rolled dice that its rolls don't show: a fault of the ruleset."""


class UnnamedRolls(Exception):
    """A procedure made several rolls without naming their rollers: a fault of the ruleset."""


class SecretGathering(UserError):
    """A prompt for others can't be secret."""

    def __init__(self) -> None:
        super().__init__(
            "Others have to press buttons there, so everyone must see it.", "It can't be secret or hidden."
        )


class Outdated(TooLate):
    """A button's offer has changed: pressed now, it would do something else.

    Args:
        deal: What it offered; empty if that is no longer known.
        now: What it would do now, or empty.
    """

    def __init__(self, deal: str = "", now: str = "") -> None:
        super().__init__(
            f"This button is outdated. It was for: {deal}." if deal else "This button is outdated.",
            f"Now it would be: {now}." if now else "",
            "Nothing was changed. Use the command again.",
        )


class Pressing(Struct, frozen=True):
    """The follow-up being pressed, its entry, and what the press has rewound of that."""

    record: FollowUpRecord
    entry: EntryRecord
    follow_up: FollowUp
    rewound: Rewound


class Action(Struct, frozen=True, kw_only=True):
    """Everything needed to run one procedure."""

    access: Access  # who does it, and in which campaign
    procedure: Procedure[Any]
    options: Document
    actor: CharacterRecord | None  # the acting character, or None
    is_secret: bool = False  # whether only the person (and the GM) is told
    is_blind: bool = False  # whether only the GM is told, not even the person
    countdown: str | None = None  # a countdown that the person names for the result to move
    linked: int | None = None  # id of a countdown that the GM has named for it, or None
    pressed: Pressing | None = None  # the follow-up that triggers it, or None
    deal: str = ""  # what the button offered; empty if it didn't say
    part_of: EntryRecord | None = None  # the entry that opened the shared prompt it is part of, or None
    teller: Access | None = None  # in whose name it is journalled; by default the person's own
    is_gms: bool = False  # whether its options are a GM's, who may choose what nobody else may
    # Whether nobody but the GM may notice that the character did it: its dice are told, and nothing comes of
    # them.
    is_silent: bool = False
    # What else its entry holds for later use, besides what is told.
    facts: JsonObject = {}

    @property
    def who(self) -> str:
        """Return the name it is told under."""
        return self.actor.name if self.actor else self.access.request.person_name


def _refuse_a_fight_without_a_board(request: Request, before: Scene, after: Scene) -> None:
    """Raise `CannotPost` if a fight starts in a channel where the bot may not post its board."""
    if request.lacks and any(
        key.startswith(f"{ENCOUNTER}/") and document is not None and before.document(key) is None
        for key, document in after.documents.items()
    ):
        raise CannotPost(request.lacks)


def do(table: Table, tx: Transaction, move: Action) -> Result:
    """Run a procedure, save what it changed, and journal it."""
    access, request = move.access, move.access.request
    if move.actor is None and move.procedure.needs_actor:
        require_character(tx, access)
    seed = _seed_in_use(tx, access)
    dice = FairDice(seed.secret, request.interaction)
    keeper = SceneKeeper(tx, access, move.pressed.rewound.characters if move.pressed else None)
    before = keeper.scene(move.actor, is_gm=access.is_gm or move.is_gms)
    try:
        outcome: Outcome = move.procedure.run(before, move.options, dice)
    except UserError as error:
        hidden = None if access.is_gm else _hidden_from(move, before, before, keeper)
        raise error if hidden is None else hidden.masked_error(error) from None
    _account_for(outcome, dice)
    if move.deal and outcome.deal != move.deal:
        raise Outdated(move.deal, outcome.deal)
    _refuse_a_fight_without_a_board(request, before, outcome.scene)
    if move.is_silent:
        outcome = replace(
            outcome, scene=before, paid=None, follow_ups=(), moments=(), countdowns=(), gathering=""
        )
    outcome = with_turns(access.game, before, _with_rollers(outcome, before))
    if move.part_of is not None:
        is_again = move.pressed is not None and move.pressed.follow_up.rewinds
        done = Noted(scene=before, outcome=outcome, actor=before.actor_id, is_again=is_again)
        outcome = noted(tx, access, move.part_of, done)
    if move.is_blind and not outcome.rolls:
        raise ForGmOnly("Only a GM can do that in secret; you can make a roll for the GM's eyes only.")
    hidden = _hidden_from(move, before, outcome.scene, keeper)
    is_private = move.is_secret or not outcome.is_public
    if hidden is not None and hidden.are_in(outcome, move.options, before.actor_id):
        is_private = True
        outcome = outcome if access.is_gm else hidden.masked(outcome)
    for_gm = is_private and (access.is_gm or move.is_blind)
    if move.is_secret:
        outcome = replace(outcome, follow_ups=tuple(map(_kept_secret, outcome.follow_ups)))
    if outcome.gathering and is_private:
        raise SecretGathering
    scene, notes, later = keeper.pass_time(outcome.scene, with_hidden=for_gm)
    lines = keeper.changes(scene, with_hidden=for_gm)
    if outcome.paid is not None:
        keeper.keep(outcome.paid)
    paid = tx.changes_so_far()
    keeper.keep(scene)
    if move.procedure.sets and tx.changes_so_far() == paid:
        raise UserError("That would change nothing: it is so already.")
    begun = keep_begun(tx, access, outcome.countdowns, is_private=is_private) if outcome.countdowns else None
    counted = _count(tx, move, outcome, scene.clock, with_hidden=is_private and access.is_gm)
    counted = counted if begun is None else begun + counted
    result = record(
        table,
        tx,
        move.teller or access,
        f"play.{move.procedure.key}",
        _tell(
            move,
            outcome,
            before,
            (*lines, *counted.lines),
            (*notes, *counted.notes),
            is_public=not is_private,
        ),
        character=None if move.actor is None or move.is_silent else move.actor.id,
        is_secret=is_private,
        shown_in=_shown_in(tx, move, outcome, is_private=is_private),
        facts={
            **counted.facts,
            **_facts(tx, move, outcome, paid).as_json,
            **_links(tx, move, outcome),
            **({BLIND: True} if move.is_blind else {}),
            **_for_the_recap(access, before, outcome),
        },
        follow_ups=(
            *(_marked(one, access, scene) for one in outcome.follow_ups),
            *later,
            *_again(tx, move, outcome, is_private=is_private),
        ),
        rolls=outcome.rolls,
        seed=seed.number if dice.fallen else None,
    )
    _close_pressed(tx, move, result)
    return _opened(tx, access, outcome, result)


_APART = (Place.APART, Place.OPEN)


def _facts(tx: Transaction, move: Action, outcome: Outcome, paid: int) -> PlayFacts:
    """Return the facts that deadlines and a rewind will need."""
    countdown = move.linked if move.pressed is None else _named_before(move.pressed)
    if move.countdown is not None:
        countdown = find_countdown(tx, move.access, move.countdown).id
    can_rewind = any(one.rewinds for one in outcome.follow_ups)
    return PlayFacts(
        against=tuple(dict.fromkeys(characters_in(move.options))),
        under=None if move.pressed is None or _is_again(move.pressed) else move.pressed.entry.id,
        countdown=countdown,
        came=(paid, tx.changes_so_far()) if can_rewind else None,
        moments=outcome.moments,
        settled=outcome.settled,
        stands_for=_stands_for(move),
        is_verdict=move.pressed is not None and move.pressed.follow_up.place is Place.VERDICT,
    )


def _stands_for(move: Action) -> str:
    """Return the procedure whose result a press replaces; empty if it stands for itself."""
    pressing = move.pressed
    return procedure_of(pressing.entry) if pressing is not None and pressing.follow_up.rewinds else ""


def _shown_in(tx: Reader, move: Action, outcome: Outcome, *, is_private: bool) -> EntryId | None:
    """Return the entry whose message shows this result; None if it gets its own message."""
    pressing = move.pressed
    if pressing is None or outcome.gathering or pressing.entry.is_secret != is_private:
        return None
    is_apart = pressing.follow_up.place in _APART or _is_for_others(tx, move.access, outcome.follow_ups)
    if is_apart and not pressing.follow_up.rewinds:
        return None
    return pressing.entry.shown_in or pressing.entry.id


def _kept_secret(follow_up: FollowUp) -> FollowUp:
    """Return a follow-up of what is done in secret, whose result stays as secret."""
    return replace(follow_up, place=Place.APART) if follow_up.place is Place.OPEN else follow_up


def _marked(follow_up: FollowUp, access: Access, scene: Scene) -> FollowUp:
    """Return a follow-up that knows whether only a GM presses it, for one of their characters."""
    if follow_up.audience is not Audience.OWNER or follow_up.character is None:
        return follow_up
    character = scene.known(follow_up.character)
    if character is None or character.owner is not None:
        return follow_up
    leader = access.game.leader and access.game.leader(character.sheet)
    return follow_up if leader is not None else replace(follow_up, is_npcs=True)


def _is_for_others(tx: Reader, access: Access, follow_ups: Sequence[FollowUp]) -> bool:
    """Return whether another player than the presser has to press something now."""
    owned = (one.character for one in follow_ups if one.audience is Audience.OWNER and one.character)
    records = (tx.character(access.request.server, int(one)) for one in owned)
    return any(one is not None and one.owner not in (None, access.request.person) for one in records)


def _for_the_recap(access: Access, before: Scene, outcome: Outcome) -> JsonObject:
    """Return the facts that a recap reads: fights that have ended, and what was awarded."""
    if outcome.scene is before and not outcome.awards:
        return {}
    ended: list[Json] = [one.as_json for one in recap.fights_ended(access, before, outcome.scene)]
    now, then = outcome.scene.characters, before.characters
    names: list[Json] = [one.name for id_, one in now.items() if then.get(id_) != one]
    awards: list[Json] = [
        {"title": title, "amount": amount, "names": names} for title, amount in outcome.awards
    ]
    return {**({recap.FIGHTS: ended} if ended else {}), **({recap.AWARDS: awards} if awards else {})}


def _links(tx: Reader, move: Action, outcome: Outcome) -> JsonObject:
    """Return the facts that link this to a shared prompt, with those that the action brings."""
    links: JsonObject = dict(move.facts)
    if outcome.gathering:
        links[OPENED] = outcome.gathering
        if move.countdown is not None:  # whatever is rolled there moves it
            links[MOVES] = find_countdown(tx, move.access, move.countdown).id
    return links if move.part_of is None else {**links, PART: move.part_of.id}


def _named_before(pressing: Pressing) -> int | None:
    """Return the countdown named for the result that a press replaces or does again."""
    is_same = pressing.follow_up.rewinds or _is_again(pressing)
    return facts_of(pressing.entry).countdown if is_same else None


def _is_again(pressing: Pressing) -> bool:
    return pressing.record.group == AGAIN


def _again(tx: Reader, move: Action, outcome: Outcome, *, is_private: bool) -> tuple[FollowUp, ...]:
    """Return the follow-up that does the same again; a replaced result hands its own on."""
    pressing = move.pressed
    if pressing is not None and pressing.follow_up.rewinds:
        before = tx.follow_ups(pressing.record.server, pressing.entry.id)
        handed_on = (one for one in before if one.group == AGAIN and one.closed_by is None)
        return tuple(follow_up_from_json(one.body) for one in handed_on)
    is_own = move.part_of is None and (pressing is None or _is_again(pressing)) and not move.is_gms
    if move.actor is None or is_private or outcome.gathering or not (is_own and move.procedure.can_repeat):
        return ()
    again = FollowUp(
        procedure=move.procedure.key,
        options=move.options,
        label="Again",
        character=CharacterId(move.actor.id),
        group=AGAIN,
        place=Place.APART,
    )
    return (again,)


def _close_pressed(tx: Transaction, move: Action, result: Result) -> None:
    """Close the pressed follow-up with its group; under a rewound result, close all."""
    if move.pressed is None:
        return
    record, follow_up = move.pressed.record, move.pressed.follow_up
    groups = set() if follow_up.stays else {record.group}
    if follow_up.rewinds:
        groups = {one.group for one in tx.follow_ups(record.server, record.entry)}
    for group in groups:
        tx.close_follow_ups(record.server, record.entry, group, result.entry)


def _opened(tx: Transaction, access: Access, outcome: Outcome, result: Result) -> Result:
    """Return a result with the shared prompt it opens, if any; its message follows the prompt from now on."""
    entry = tx.entry(access.request.server, result.entry) if outcome.gathering else None
    if entry is None:
        return result
    begin_to_follow(tx, access, entry.id)
    return with_gathering(tx, access, entry, result)


def _hidden_from(move: Action, before: Scene, after: Scene, keeper: SceneKeeper) -> HiddenFoes | None:
    """Return those whom an action's result may not show to everybody; None if it can't name any.

    Whoever everybody knows, and only the GM knows to be in the encounter, is hidden in a GM's actions;
    in a player's only where the player has not named them.
    """
    if not move.access.is_gm and not keeper.has_seen_hidden:
        return None
    chosen = tuple(characters_in(move.options))
    found = hidden_foes(before, after, dict.fromkeys((*keeper.loaded, *chosen)))
    if move.access.is_gm:
        return found
    known = [one for one in chosen if not before.character(one).is_hidden]
    return found.besides(known, typed=str(move.options) if move.pressed is None else "")


def _count(tx: Transaction, move: Action, outcome: Outcome, clock: int, *, with_hidden: bool) -> Telling:
    """Move the countdowns that follow the result, and those that follow the time it took."""
    rewound = NOTHING if move.pressed is None else move.pressed.rewound
    is_part = move.part_of is not None and counts_whole(move.access, move.part_of)
    campaign = move.access.campaign
    again = None if is_part else move.linked if move.pressed is None else _named_before(move.pressed)
    is_named = bool(move.countdown) or again is not None or bool(rewound.countdowns)
    if move.is_silent or not (is_part or is_named or tx.countdowns(campaign.server, campaign.id)):
        return NOTHING_TOLD
    key = _stands_for(move) or move.procedure.key
    procedure = move.access.game.procedures.get(key, move.procedure)
    played = PlayedCheck(
        checks=(key,) if is_part else (key, *procedure.counts_as),
        attempt=attempt_of(outcome, move.actor),
        who=move.who,
        countdown=move.countdown,
        with_hidden=with_hidden,
        again=again,
        were={} if is_part else rewound.countdowns,
    )
    telling = follow(tx, move.access, played)
    if is_part and move.part_of is not None:
        telling += count_shared(
            tx,
            move.access,
            SharedPress(
                opening=move.part_of,
                outcome=outcome,
                rewound=rewound,
                under=move.pressed.entry.id if move.pressed and move.pressed.follow_up.rewinds else None,
                who=move.who,
                with_hidden=with_hidden,
            ),
        )
    return telling + pass_time(tx, move.access, clock, move.who, with_hidden=with_hidden)


def _seed_in_use(tx: Transaction, access: Access) -> SeedRecord:
    seed = tx.seed(access.request.server, access.campaign.id)
    if seed is None:  # a campaign is made together with its first seed
        raise LookupError(f"campaign {access.campaign.id} has no seed")
    return seed


def _account_for(outcome: Outcome, dice: FairDice) -> None:
    reported = [(die.sides, die.face) for roll in outcome.rolls for die in roll.dice]
    fallen = [(fall.sides, fall.face) for fall in dice.fallen]
    if reported != fallen:
        raise UnaccountedDice(f"rolled {fallen}, told {reported}")


def _with_rollers(outcome: Outcome, scene: Scene) -> Outcome:
    """Return the outcome with each roll's roller; a single unnamed roll is the actor's."""
    if all(roll.roller is not None for roll in outcome.rolls):
        return outcome
    if len(outcome.rolls) > 1:
        raise UnnamedRolls(f"{outcome.headline}: {[(roll.rule, roll.roller) for roll in outcome.rolls]}")
    who = NOBODY if scene.actor_id is None else scene.actor
    return replace(outcome, rolls=tuple(roll.by(who) for roll in outcome.rolls))


def _tell(
    move: Action,
    outcome: Outcome,
    before: Scene,
    changes: tuple[ChangeLine, ...],
    notes: tuple[str, ...],
    *,
    is_public: bool,
) -> Message:
    is_late = move.pressed is not None and move.access.request.is_by_itself  # nobody pressed in time
    return Message(
        who=move.who,
        headline=f"{outcome.headline} (time ran out)" if is_late else outcome.headline,
        verdict=_with_side(outcome, before),
        changes=changes,
        notes=(*outcome.notes, *notes),
        is_public=is_public,
        is_brief=outcome.is_brief,
    )


def _with_side(outcome: Outcome, before: Scene) -> Verdict | None:
    """Return the verdict with whether it speaks of a foe: of whoever acts, or else of whoever rolled."""
    verdict = outcome.verdict
    if verdict is None or verdict.is_foes is not None:
        return verdict
    rollers = {roll.roller.id for roll in outcome.rolls if roll.roller is not None}
    who = before.actor_id or (rollers.pop() if len(rollers) == 1 else None)
    if who is None or outcome.scene.character(who).owner is not None:
        return dataclasses.replace(verdict, is_foes=False)
    return dataclasses.replace(verdict, is_foes=is_foe(before, who))


SETTLE = "settle"


class OpenThing(Struct, frozen=True):
    """Something that waits for somebody."""

    what: str  # what it is, without a full stop
    channel: int | None  # the channel of its fight, or None
    lapses: bool  # whether the end of the session settles it; everything else stays open
    is_hidden: bool  # whether it concerns a hidden character
    is_gms: bool = False  # whether only a GM decides it, which leaves it open until then


def open_about(reader: Reader, access: Access, who: int) -> tuple[str, ...]:
    """Return what waits for somebody and concerns a character, in words that name nobody hidden."""
    scene = scene_to_look_at(reader, access, for_gm=True)
    asked = [one for one in _asked(reader, access, with_hidden=False) if one.is_about(who)]
    found = [one.what for one in access.game.unsettled(scene) if who in one.concerns]
    if not (found or asked):
        return ()
    names = reader.character_names(access.campaign.server, access.campaign.id, limit=NO_LIMIT)
    hidden = frozenset((CharacterId(one.id), one.name) for one in names if one.is_hidden)
    foes = HiddenFoes(hidden, frozenset(one.name for one in names if not one.is_hidden))
    return tuple(foes.masked_text(what) for what in (*found, *(one.what for one in asked)))


def _asked(reader: Reader, access: Access, *, with_hidden: bool) -> list[GmQuestion]:
    """Return what a GM has to answer under results."""
    found = gm_questions(owing(reader, access))
    return [one for one in found if with_hidden or not one.entry.is_secret]


def open_things(reader: Reader, access: Access, *, with_hidden: bool = False) -> tuple[OpenThing, ...]:
    """Return everything that waits for somebody in the campaign, in order of each place."""
    scene = scene_to_look_at(reader, access, for_gm=True)
    found = tuple(_listed(scene, one) for one in access.game.unsettled(scene))
    asked = (
        OpenThing(one.what, one.entry.channel, lapses=False, is_hidden=one.entry.is_secret, is_gms=True)
        for one in _asked(reader, access, with_hidden=with_hidden)
    )
    return (*(one for one in found if with_hidden or not one.is_hidden), *asked)


def _listed(scene: Scene, one: Unsettled) -> OpenThing:
    channel = int(one.channel) if one.channel.isdigit() else None
    return OpenThing(one.what, channel, one.lapses, _is_hidden(scene, one), one.is_gms)


def _is_hidden(scene: Scene, one: Unsettled) -> bool:
    concerned = (find_character(scene, who) for who in one.concerns)
    return any(who is not None and who.is_hidden for who in concerned)


def close_open(
    table: Table,
    tx: Transaction,
    access: Access,
    how: Closing,
    *,
    only_lapsing: bool = False,
    only: Callable[[Unsettled], bool] | None = None,
) -> tuple[Result, ...]:
    """Settle or waive what is open, in one journal entry; hidden things go into another.

    Args:
        access: Who closes it; a GM.
        how: Whether it is settled or waived.
        only_lapsing: Whether to close only what can't outlast the session.
        only: Which of it is closed; by default all.
    """
    results: list[Result] = []
    for is_hidden in (False, True):
        find = access.game.unsettled if only is None else _those(access.game.unsettled, only)
        wanted = _wanted(find, is_hidden=is_hidden, only_lapsing=only_lapsing)
        if not wanted(scene_to_look_at(tx, access, for_gm=True)):
            continue
        interaction = f"{access.request.interaction}:{SETTLE}{int(is_hidden)}"
        closer = replace(access, request=replace(access.request, interaction=interaction))
        procedure = Procedure(key=SETTLE, options=NoOptions, run=_closing(wanted, how), needs_actor=False)
        move = Action(
            access=closer, procedure=procedure, options=NoOptions(), actor=None, is_secret=is_hidden
        )
        results.append(do(table, tx, move))
    return tuple(results)


def _those(find: FindUnsettled, only: Callable[[Unsettled], bool]) -> FindUnsettled:
    return lambda scene: tuple(one for one in find(scene) if only(one))


def _wanted(find: FindUnsettled, *, is_hidden: bool, only_lapsing: bool) -> FindUnsettled:
    def wanted(scene: Scene) -> tuple[Unsettled, ...]:
        found = (one for one in find(scene) if (one.lapses or not only_lapsing) and not one.is_gms)
        return tuple(one for one in found if _is_hidden(scene, one) == is_hidden)

    return wanted


def _closing(wanted: FindUnsettled, how: Closing) -> Callable[[Scene, NoOptions, Dice], Outcome]:
    def close(scene: Scene, _options: NoOptions, dice: Dice) -> Outcome:
        return waive_all(scene, wanted) if how is Closing.WAIVE else settle_all(scene, wanted, dice)

    return close
