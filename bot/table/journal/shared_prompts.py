"""Posted results and shared prompts as they stand, and the foe whose turn it is."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    Noted,
    Outcome,
    Part,
    PersonId,
    Procedure,
    Roll,
    Ruleset,
    Scene,
    SharedPrompt,
    Verdict,
    View,
)
from bot.rules.shared.asking import ASK, ASK_DOCUMENTS, ASK_PROCEDURES, ASK_PROMPT
from bot.rules.shared.encounters import npcs_on
from bot.rules.shared.resting import REST_DOCUMENTS, REST_PROMPTS
from bot.store.records import (
    BoardRecord,
    CampaignId,
    CharacterRecord,
    EntryId,
    EntryRecord,
    ServerId,
)
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import (
    Access,
    NoCharacter,
    NoSuchCharacter,
    access_in,
    as_played,
    game_of,
    known_to_all,
    of_nobody,
    own_character,
    require_character,
)
from bot.table.base.live_rows import opening_of
from bot.table.base.results import (
    Answered,
    Beside,
    ChangeLine,
    Gathered,
    Result,
    fact_of,
    message_from_json,
    result_of,
)
from bot.table.base.stored_rolls import load, load_text, roll_from_json
from bot.table.base.table import Table
from bot.table.journal.entries import facts_of, without_expired


class _Line(Struct):
    """One result in a message."""

    entry: EntryRecord  # the entry shown there now
    verdicts: list[Verdict]  # every verdict that it has had
    rolls: list[Roll]  # its rolls, updated if a later entry changed their modifiers
    replaced: list[EntryRecord] = []  # the entries shown there before

    @classmethod
    def of(cls, entry: EntryRecord) -> "_Line":
        """Return the line of an entry on its own."""
        verdict = message_from_json(entry.told).verdict
        return cls(entry, [] if verdict is None else [verdict], [roll_from_json(one) for one in entry.rolls])

    def take_over(self, later: "_Line") -> None:
        """Return this line with a later result's verdict, and its reading of the same dice."""
        self.verdicts += later.verdicts
        later.verdicts = []
        for roll in list(later.rolls):
            at = next((at for at, one in enumerate(self.rolls) if _are_same_dice(one, roll)), None)
            if at is not None:
                later.rolls.remove(roll)
                was = self.rolls[at]
                self.rolls[at] = replace(roll, odds=was.odds, outcome=was.outcome, purpose=was.purpose)


def _are_same_dice(roll: Roll, later: Roll) -> bool:
    """Return whether a later roll re-reads the dice of an earlier one."""
    return bool(later.earlier) and not later.dice and later.earlier == (*roll.earlier, *roll.dice)


def shown_with(reader: Reader, game: Ruleset, entry: EntryRecord) -> Result:
    """Return the message that shows an entry, as it stands now.

    Undone presses are gone from it, as if they had never happened.
    """
    opening = opening_of(reader, entry)
    if opening.undone_by is not None:
        return without_expired(reader, game, opening)
    pressed = (one for one in reader.shown_in(entry.server, opening.id) if one.undone_by is None)
    first, *below = (_shown(reader, game, line) for line in _lines(opening, pressed))
    return replace(first, below=tuple(below))


def _lines(opening: EntryRecord, pressed: Iterable[EntryRecord]) -> list[_Line]:
    """Return a line for each result; a replacement takes the line of what it replaced."""
    lines = [_Line.of(opening)]
    of_entry = {opening.id: lines[0]}
    for one in pressed:
        facts, line = facts_of(one), _Line.of(one)
        above = lines[0] if facts.under is None else of_entry.get(facts.under, lines[0])
        if facts.stands_for:
            above.replaced.append(above.entry)
            above.entry, above.rolls = one, line.rolls
            above.verdicts += line.verdicts
            of_entry[one.id] = above
            continue
        if facts.is_verdict:
            above.take_over(line)
        lines.append(line)
        of_entry[one.id] = line
    return lines


def _standing(changes: Sequence[Sequence[ChangeLine]]) -> tuple[ChangeLine, ...]:
    """Return the changes of successive results that no later one has overridden."""
    last = {(one.who, one.what): at for at, lines in enumerate(changes) for one in lines}
    return tuple(one for at, lines in enumerate(changes) for one in lines if last[one.who, one.what] == at)


def _shown(reader: Reader, game: Ruleset, line: _Line) -> Result:
    result = without_expired(reader, game, line.entry)
    is_settled = result.was is not None and result.message.verdict is not None  # elsewhere
    verdicts = [*line.verdicts, *([result.message.verdict] if is_settled else [])]
    verdict = verdicts[-1] if verdicts else None
    before = [one for one in verdicts if one != verdict]
    replaced = [message_from_json(one.told).changes for one in line.replaced]
    message = replace(result.message, verdict=verdict, changes=_standing([*replaced, result.message.changes]))
    return replace(
        result,
        message=message,
        rolls=tuple(line.rolls),
        was=before[-1] if before else None,
        replaced=tuple(result_of(one, ()) for one in line.replaced),
    )


OPENED = "gathering"  # in an entry's facts: the key of the document that it opened
MOVES = "moves"  # in the facts of what opened one: the countdown that every answer moves
PART = "part_of"  # in an entry's facts: the entry that opened what it is a part of
FOLLOWED = "gathering/"  # how the kind of a board that follows a gathering begins; its entry's id follows
MOST_FOLLOWED = 10
NONE_KNOWN: Mapping[int, CharacterRecord] = MappingProxyType({})

COMMON_PROMPTS: Mapping[str, SharedPrompt[Any]] = MappingProxyType({ASK: ASK_PROMPT, **REST_PROMPTS})
SHARED_PROCEDURES: Mapping[str, Procedure[Any]] = MappingProxyType({one.key: one for one in ASK_PROCEDURES})


def document_model(game: Ruleset, key: str) -> type[Document] | None:
    """Return the model of the document with that key, or None for an unknown kind."""
    kind = key.split("/", 1)[0]
    gathering = COMMON_PROMPTS.get(kind) or game.shared_prompts.get(kind)
    if gathering is not None:
        return gathering.model
    return REST_DOCUMENTS.get(kind) or ASK_DOCUMENTS.get(kind) or game.documents.get(kind)


def is_gathered(game: Ruleset, key: str) -> bool:
    """Return whether the document with that key belongs to a shared prompt."""
    kind = key.split("/", 1)[0]
    return kind in COMMON_PROMPTS or kind in game.shared_prompts


def gathering_at(game: Ruleset, key: str) -> SharedPrompt[Any]:
    """Return the shared prompt that shows the document with that key.

    Raises:
        LookupError: If it is no shared prompt: a fault of the ruleset.
    """
    kind = key.split("/", 1)[0]
    found = COMMON_PROMPTS.get(kind) or game.shared_prompts.get(kind)
    if found is None:
        raise LookupError(f"{game.key} shows no gathering of the kind {kind!r}")
    return found


def opened_key(entry: EntryRecord) -> str | None:
    """Return the document key of the shared prompt that an entry opened, or None."""
    key = fact_of(entry, OPENED)
    return key if isinstance(key, str) else None


def part_of(entry: EntryRecord) -> EntryId | None:
    """Return the opening entry of the shared prompt that an entry is part of, or None."""
    id_ = fact_of(entry, PART)
    return EntryId(id_) if isinstance(id_, int) else None


def document_at(reader: Reader, access: Access, key: str) -> Document | None:
    """Return the document of a shared prompt, or None if it is gone."""
    body = reader.document(access.campaign.server, access.campaign.id, key)
    return (
        None if body is None else load(gathering_at(access.game, key).model, body, "That message's content")
    )


def scene_to_look_at(
    reader: Reader, access: Access, *, for_gm: bool, known: Mapping[int, CharacterRecord] = NONE_KNOWN
) -> Scene:
    """Return a read-only scene of the campaign, for everybody or for the GM; it looks everything up once.

    Args:
        access: The campaign.
        known: Characters that are in hand, by id.
    """
    server, campaign = access.campaign.server, access.campaign.id

    def find_character(id_: CharacterId) -> Any:
        record = known.get(id_) or reader.character(server, id_)
        if record is None or record.campaign != campaign or record.is_retired:
            raise NoSuchCharacter("")
        return as_played(access.game, record)

    def find_document(key: str) -> Document | None:
        text = reader.document_text(server, campaign, key)
        model = document_model(access.game, key)
        return None if text is None or model is None else load_text(model, text, "Something in this channel")

    def find_keys(kind: str) -> list[str]:
        return reader.document_keys(server, campaign, f"{kind}/")

    def find_everybody() -> tuple[CharacterId, ...]:
        return known_to_all(reader, access)

    def find_names(ids: Collection[CharacterId]) -> dict[CharacterId, str]:
        found = reader.named_characters(server, campaign, ids)
        return {CharacterId(one.id): one.name for one in found.values()}

    return Scene(
        settings=access.settings,
        clock=access.campaign.clock,
        is_gm=for_gm,
        person=PersonId(0),
        find_character=cache(find_character),
        find_document=cache(find_document),
        find_keys=cache(find_keys),
        find_everybody=cache(find_everybody),
        find_names=find_names,
    )


def view_of(reader: Reader, access: Access, entry: EntryRecord, *, for_gm: bool = False) -> View | None:
    """Return the view of the shared prompt that an entry opened; None if there is none (any more)."""
    key = opened_key(entry)
    stored = None if key is None else document_at(reader, access, key)
    if key is None or stored is None or entry.undone_by is not None:
        return None
    view: View = gathering_at(access.game, key).view(stored, scene_to_look_at(reader, access, for_gm=for_gm))
    return view


def with_gathering(
    reader: Reader, access: Access, entry: EntryRecord, result: Result, *, for_gm: bool = False
) -> Result:
    """Return a result with the shared prompt that its entry opened, as it stands."""
    view = view_of(reader, access, entry, for_gm=for_gm)
    if view is None:
        return result
    answers = tuple(_answered(reader, access, part, for_gm=for_gm) for part in view.parts)
    beside = tuple(_beside(view, answers, for_gm=for_gm))
    return replace(result, gathering=Gathered(view, beside, answers))


def _answered(reader: Reader, access: Access, part: Part, *, for_gm: bool) -> Answered | None:
    """Return somebody's answer to a part; None if it may not be shown."""
    entry = reader.entry_of(access.campaign.server, part.moment) if part.moment else None
    if entry is None or entry.undone_by is not None or (entry.is_secret and not for_gm):
        return None
    return Answered(entry.id, shown_with(reader, access.game, entry))


def _beside(view: View, answers: Sequence[Answered | None], *, for_gm: bool) -> Iterator[Beside]:
    """Return the follow-ups of the answers: in public, only those that players may press."""
    for part, answer in zip(view.parts, answers, strict=True):
        if answer is None or part.is_settled:
            continue
        for one in (one for result in answer.result.all_of_it for one in result.follow_ups):
            if for_gm or not (one.follow_up.choices or one.follow_up.audience is Audience.GM):
                yield Beside(part.who, one)


def shown(reader: Reader, access: Access, entry: EntryRecord, *, for_gm: bool = False) -> Result:
    """Return the message that shows an entry, as it stands now, with its shared prompt."""
    result = shown_with(reader, access.game, entry)
    return with_gathering(reader, access, opening_of(reader, entry), result, for_gm=for_gm)


def noted(reader: Reader, access: Access, opening: EntryRecord, done: Noted) -> Outcome:
    """Return an outcome that is part of a shared prompt, with the prompt's document updated."""
    key, outcome = opened_key(opening), done.outcome
    if key is None:
        return outcome
    written = outcome.scene.documents
    stored = written[key] if key in written else document_at(reader, access, key)
    if stored is None:
        return outcome
    after = gathering_at(access.game, key).note(stored, done)
    return outcome if after == stored else replace(outcome, scene=outcome.scene.with_document(key, after))


def is_secret(reader: Reader, access: Access, opening: EntryRecord) -> bool:
    """Return whether actions at the shared prompt that an entry opened are secret."""
    key = opened_key(opening)
    stored = None if key is None else document_at(reader, access, key)
    return key is not None and stored is not None and gathering_at(access.game, key).is_secret(stored)


def tells_roller(reader: Reader, access: Access, opening: EntryRecord) -> bool:
    """Return whether a secret action at the shared prompt is told to whoever did it as well."""
    key = opened_key(opening)
    stored = None if key is None else document_at(reader, access, key)
    return key is not None and stored is not None and gathering_at(access.game, key).tells_roller(stored)


# --- the message -------------------------------------------------------------------------------


def board_kind(entry: EntryId) -> str:
    """Return the kind of board that follows the shared prompt opened by an entry."""
    return f"{FOLLOWED}{entry}"


def begin_to_follow(tx: Transaction, access: Access, entry: EntryId) -> None:
    """Make a message follow an entry's shared prompt; the oldest of too many is dropped."""
    server, campaign = access.campaign.server, access.campaign.id
    standing = [one for one in tx.boards(server, campaign) if one.kind.startswith(FOLLOWED)]
    for old in sorted(standing, key=lambda one: int(one.kind.removeprefix(FOLLOWED)))[: 1 - MOST_FOLLOWED]:
        tx.drop_board(server, campaign, old.kind)
    tx.save_board(
        BoardRecord(server=server, campaign=campaign, kind=board_kind(entry), channel=access.request.channel)
    )


def access_of_nobody(table: Table, reader: Reader, server: ServerId, campaign: CampaignId) -> Access | None:
    """Return nobody's access to a campaign, for reading what everybody may see."""
    found = reader.campaign(server, campaign)
    if found is None or game_of(table, reader, found) is None:
        return None
    return access_in(table, reader, of_nobody(server), found)


MOST_NAMED = 5


def foes_on_turn(reader: Reader, access: Access) -> list[CharacterRecord]:
    """Return the GM's characters whose turn it is in the channel; nobody for a player."""
    if not access.is_gm or access.game.tracker is None:
        return []
    scene = replace(scene_to_look_at(reader, access, for_gm=True), channel=str(access.request.channel))
    found = (reader.character(access.request.server, who) for who in npcs_on(scene))
    return [one for one in found if one is not None]


def acting_character(reader: Reader, access: Access, name: str | None = None) -> CharacterRecord | None:
    """Return whom a person acts with: the one named, their own, or for a GM the only foe on turn.

    A GM who also plays a character of their own keeps acting with that one.

    Raises:
        UserError: If the one named is not theirs to play.
    """
    own = own_character(reader, access, name)
    if name is not None or not access.is_gm or (own is not None and own.owner is not None):
        return own
    foes = foes_on_turn(reader, access)
    return foes[0] if len(foes) == 1 else own


def require_acting(reader: Reader, access: Access) -> CharacterRecord:
    """Return the same, or raise if there is none.

    Raises:
        NoCharacter: If nobody acts; a GM is told how to name an NPC.
    """
    found = acting_character(reader, access)
    if found is not None:
        return found
    acting = [one.name for one in foes_on_turn(reader, access)[:MOST_NAMED]]
    try:
        return require_character(reader, access)
    except NoCharacter as refusal:
        if acting or (access.is_gm and not refusal.has_several):
            raise NoCharacter(for_gm=True, acting=acting) from None
        raise
