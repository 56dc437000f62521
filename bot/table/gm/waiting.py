"""Who still has to answer what: read it, remind somebody, decide for them, or settle it."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Audience, CharacterId, Closing, FollowUp, Scene, Unsettled
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters import find_character
from bot.store.records import BoardRecord, EntryId, EntryRecord, FollowUpId
from bot.store.transaction import Reader
from bot.table.base.access import Access
from bot.table.base.results import Result, follow_up_from_json, message_from_json
from bot.table.base.turn import ReadTurn, Turn, act, look, unit
from bot.table.journal.entries import LATEST, TooLate
from bot.table.journal.shared_prompts import FOLLOWED, scene_to_look_at, view_of
from bot.table.play.actions import close_open, do
from bot.table.play.owed_answers import (
    Offer,
    Owed,
    gm_questions,
    is_for_gm,
    key_of,
    open_offers,
    owing,
)
from bot.table.play.play import NOTHING_GIVEN, Given, Pressed, move_of, press_in, presser

REMINDED = "reminded/"  # how the kind of a row begins that says where somebody was reminded
OWED_NAME = 20  # how much of a name a button begins with at least
_ASKING = re.compile(r"^(asks|calls) for an? ")


class NoLongerAwaited(TooLate):
    """What the GM wanted to decide or recall has been answered."""

    def __init__(self) -> None:
        super().__init__("That has been answered already. Nothing was changed.")


class RemindedBefore(UserError):
    """A player is reminded once of each answer."""

    def __init__(self) -> None:
        super().__init__("They have been reminded of this already.", "You can decide for them.")


class AwaitedAnswer(Struct, frozen=True, kw_only=True):
    """Something that somebody still has to answer."""

    key: str  # what names it in a button for as long as it is open
    what: str  # what it is, with the name of who answers: "Ilsa's save against 9 damage"
    since: int  # when it began
    channel: int
    people: tuple[int, ...] = ()  # whose answer it is; nobody for an NPC's
    is_npcs: bool = False  # whether only NPCs answer it
    is_hidden: bool = False  # whether players may not know of it
    prompt: EntryId | None = None  # the entry of the message that asks for it, or None
    answers: tuple[Offer, ...] = ()  # how it can be answered
    can_settle: bool = False  # whether it can be settled in the way nobody objects to
    was_reminded: bool = False  # whether its people have been reminded
    # The entry under whose result the answers stand; each then has its follow-up's id for a key.
    under: EntryId | None = None

    @property
    def can_remind(self) -> bool:
        """Whether somebody can be reminded of it in public."""
        return bool(self.people) and not self.is_hidden


def waits(reader: Reader, access: Access) -> tuple[AwaitedAnswer, ...]:
    """Return everything that somebody has to answer, what waits longest first; only for a GM."""
    scene = _scene(reader, access, access.request.channel)
    asked = list(_prompted(reader, access, scene))
    owed = owing(reader, access)
    open_ = [*_unsettled(reader, access, scene, owed), *_owed(scene, owed), *_for_gm(owed)]
    answered_there = {one.key for wait in open_ for one in wait.answers}
    asked = [one for one in asked if not any(answer.key in answered_there for answer in one.answers)]
    rows = {row.kind for row in reader.boards(access.campaign.server, access.campaign.id)}
    found = [replace(one, was_reminded=REMINDED + one.key in rows) for one in (*asked, *open_)]
    return tuple(sorted(found, key=lambda one: one.since))


def _scene(reader: Reader, access: Access, channel: int) -> Scene:
    scene = scene_to_look_at(reader, access, for_gm=True)
    return replace(
        scene,
        channel=str(channel),
        find_character=cache(scene.find_character),
        find_document=cache(scene.find_document),
    )


def _prompted(reader: Reader, access: Access, scene: Scene) -> Iterator[AwaitedAnswer]:
    """What messages ask of single characters, such as a requested check."""
    server, campaign = access.campaign.server, access.campaign.id
    for row in reader.boards(server, campaign):
        if not row.kind.startswith(FOLLOWED):
            continue
        entry = reader.entry(server, EntryId(int(row.kind.removeprefix(FOLLOWED))))
        view = None if entry is None else view_of(reader, access, entry, for_gm=True)
        if entry is None or view is None or view.verdict is not None:
            continue
        asked: dict[CharacterId, list[FollowUp]] = {}
        for one in view.follow_ups:
            if one.character is not None and one.audience is Audience.OWNER:
                asked.setdefault(one.character, []).append(one)
        for who, follow_ups in asked.items():
            yield _asked(scene, row, entry, who, follow_ups)
        if for_gm := [one for one in view.follow_ups if is_for_gm(one)]:
            yield AwaitedAnswer(
                key=_key("prompt", entry.id),
                what=message_from_json(entry.told).sentence,
                since=entry.at,
                channel=row.channel,
                is_hidden=entry.is_secret,
                prompt=entry.id,
                answers=tuple(Offer(one.group or "", one) for one in for_gm),
            )


def _asked(
    scene: Scene, row: BoardRecord, entry: EntryRecord, who: CharacterId, follow_ups: list[FollowUp]
) -> AwaitedAnswer:
    character = find_character(scene, who)
    name = "Somebody" if character is None else character.name
    owner = None if character is None else character.owner
    told = message_from_json(entry.told)
    asked, is_call = _ASKING.subn("", told.headline)
    what = told.sentence if told.who == name else f"{name}: {asked if is_call else told.sentence}"
    return AwaitedAnswer(
        key=_key("prompt", entry.id, who),
        what=what,
        since=entry.at,
        channel=row.channel,
        people=() if owner is None else (owner,),
        is_npcs=owner is None,
        is_hidden=entry.is_secret or (character is not None and character.is_hidden),
        prompt=entry.id,
        answers=tuple(Offer(one.group or "", one) for one in follow_ups),
    )


def _unsettled(reader: Reader, access: Access, scene: Scene, owed: Owed) -> Iterator[AwaitedAnswer]:
    """What the game itself waits for, such as a save or a defense."""
    first: set[str] = set()
    for one in access.game.unsettled(scene):
        concerned = [who for id_ in one.concerns if (who := find_character(scene, id_)) is not None]
        owners = tuple(dict.fromkeys(who.owner for who in concerned if who.owner is not None))
        answers = tuple(Offer(key_of(answer), answer) for answer in one.answers)
        is_first = one.channel not in first  # what is in one fight is settled in its order
        first |= {one.channel} if one.channel else set()
        yield AwaitedAnswer(
            key=_unsettled_key(one),
            what=one.what,
            since=_beginning(reader, access, owed, answers),
            channel=int(one.channel) if one.channel.isdecimal() else access.request.channel,
            people=() if one.is_gms else owners,
            is_npcs=bool(concerned) and not owners and not one.is_gms,
            is_hidden=any(who.is_hidden for who in concerned),
            answers=answers,
            can_settle=is_first and not one.is_gms,
        )


def _owed(scene: Scene, owed: Owed) -> Iterator[AwaitedAnswer]:
    """What somebody still has to press under a result, such as a save against the GM's damage."""
    for entry, records in owed:
        offers = open_offers(entry, records)
        for one in offers:
            follow_up = one.follow_up
            who = None if follow_up.character is None else find_character(scene, follow_up.character)
            if who is None or not follow_up.is_owed or is_for_gm(follow_up):
                continue
            what = follow_up.label.partition(" · ")[0]
            yield AwaitedAnswer(
                key=_key("owed", one.key),
                what=what if what.startswith(who.name[:OWED_NAME]) else f"{who.name}: {what}",
                since=entry.at,
                channel=entry.channel,
                people=() if who.owner is None else (who.owner,),
                is_npcs=who.owner is None,
                is_hidden=entry.is_secret or who.is_hidden,
                under=entry.id,
                answers=tuple(other for other in offers if other.follow_up.group == follow_up.group),
            )


def _for_gm(owed: Owed) -> Iterator[AwaitedAnswer]:
    """What a GM still has to press under a result, such as how well a proposed skill fits."""
    for one in gm_questions(owed):
        yield AwaitedAnswer(
            key=_key("gm", *(answer.key for answer in one.answers)),
            what=one.what,
            since=one.entry.at,
            channel=one.entry.channel,
            is_hidden=one.entry.is_secret,
            under=one.entry.id,
            answers=one.answers,
        )


def _beginning(reader: Reader, access: Access, owed: Owed, answers: Sequence[Offer]) -> int:
    """When the first of some answers that was offered lately was offered first; else when play was last."""
    server, campaign = access.campaign.server, access.campaign.id
    earlier = [entry.id for entry, _ in owed]
    for one in answers:
        window = one.follow_up.window
        values = (one.follow_up.procedure, *(window.until if window else ()))
        for at, body in reader.offered(server, campaign, values, among=LATEST, besides=earlier):
            if key_of(follow_up_from_json(body)) == one.key:
                return at
    newest = reader.entries(server, campaign, is_brief=True, limit=1)
    return newest[0].at if newest else access.campaign.created_at


def _key(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _unsettled_key(one: Unsettled) -> str:
    return _key(one.channel, one.what, tuple(map(int, one.concerns)))


def _find(reader: Reader, access: Access, key: str) -> AwaitedAnswer:
    found = next((one for one in waits(reader, access) if one.key == key), None)
    if found is None:
        raise NoLongerAwaited
    return found


# --- acting on it ------------------------------------------------------------------------------


@look(gm=True)
def wait_of(at: ReadTurn, key: str) -> AwaitedAnswer:
    """Return something that is waited for.

    Raises:
        UserError: If it has been answered.
    """
    return _find(at.reader, at.access, key)


@unit(gm=True)
def remind(at: Turn, key: str) -> AwaitedAnswer:
    """Note that its people are reminded, and return what of; each answer is recalled once.

    Raises:
        UserError: If they have been reminded, or it has been answered.
    """
    found = _find(at.tx, at.access, key)
    if found.was_reminded:
        raise RemindedBefore
    if not found.can_remind:
        raise UserError("There is nobody to remind of this.", "You can decide it yourself.")
    server, campaign = at.server, at.campaign.id
    still = {REMINDED + one.key for one in waits(at.tx, at.access)}
    for row in at.tx.boards(server, campaign):
        if row.kind.startswith(REMINDED) and row.kind not in still:
            at.tx.drop_board(server, campaign, row.kind)
    row = BoardRecord(server=server, campaign=campaign, kind=REMINDED + key, channel=found.channel)
    at.tx.save_board(row)
    return found


@act(gm=True)
def decide(at: Turn, key: str, answer: str, given: Given = NOTHING_GIVEN) -> Result:
    """Answer something of the game in place of whoever has to.

    Args:
        key: What is waited for; not what a message asks for, which is pressed there.
        answer: The key of the answer.
        given: The choice or text that came with it.

    Raises:
        FormWanted: If a form must be filled in first.
        UserError: If it has been answered; then nothing has changed.
    """
    found = _find(at.tx, at.access, key)
    offer = next((one for one in found.answers if one.key == answer), None)
    if offer is None or found.under is not None:
        raise NoLongerAwaited
    there = in_channel(at.access, found.channel)
    actor = presser(at.tx, there, offer.follow_up)
    move = move_of(at.tx, there, offer.follow_up, actor, given)
    return do(at.table, at.tx, replace(move, is_secret=found.is_hidden))


@unit(gm=True)
def press_owed(at: Turn, key: str, answer: str, given: Given = NOTHING_GIVEN) -> Pressed:
    """Press a button under a result in place of whoever has to.

    Args:
        key: What is waited for.
        answer: The key of the answer.
        given: The choice or text that came with it.

    Raises:
        FormWanted: If a form must be filled in first.
        UserError: If it has been answered; then nothing has changed.
    """
    again = at.earlier_answer()
    offers = () if again is not None else _find(at.tx, at.access, key).answers
    if again is None and answer not in {one.key for one in offers}:
        raise NoLongerAwaited
    there = replace(at.request, message=None)  # what is pressed is the desk, not the result's message
    return press_in(at.table, at.tx, there, FollowUpId(int(answer)), given)


def in_channel(access: Access, channel: int) -> Access:
    """The access as if the press had come from another channel of the campaign."""
    if channel == access.request.channel:
        return access
    return replace(access, request=replace(access.request, places=(channel, *access.request.places)))


@unit(gm=True)
def settle(at: Turn, key: str) -> tuple[Result, ...]:
    """Settle something in the way nobody objects to: what is owed is rolled, what is optional passes.

    Raises:
        UserError: If it has been answered.
    """
    found = _find(at.tx, at.access, key)
    if not found.can_settle:
        raise UserError("Something else in that fight comes first.")
    return _settle(at, key)


def _settle(at: Turn, key: str) -> tuple[Result, ...]:
    return close_open(at.table, at.tx, at.access, Closing.SETTLE, only=lambda one: _unsettled_key(one) == key)


@unit(gm=True)
def settle_npcs(at: Turn) -> tuple[Result, ...]:
    """Settle everything of the game that only NPCs have to answer, up to the first player's in each fight.

    Raises:
        UserError: If there is nothing.
    """
    results: list[Result] = []
    for _ in range(LATEST):
        found = next((one for one in waits(at.tx, at.access) if one.is_npcs and one.can_settle), None)
        if found is None:
            break
        numbered = replace(at.request, interaction=f"{at.request.interaction}:{len(results)}")
        done = _settle(at.within(replace(at.access, request=numbered)), found.key)
        if not done:
            break
        results += done
    return tuple(results)


def of_npcs(found: Iterable[AwaitedAnswer]) -> tuple[AwaitedAnswer, ...]:
    """Return those that the GM can roll at once: of NPCs, with one answer that needs nothing more."""
    return tuple(
        one
        for one in found
        if one.is_npcs and (one.can_settle or (one.prompt is not None and len(one.answers) == 1))
    )
