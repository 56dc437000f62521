"""Results of use cases, stored whole in the journal so that they can be shown again."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from bot.rules.kernel import (
    Choice,
    Deadline,
    Document,
    Fact,
    FactKind,
    FollowUp,
    Part,
    Place,
    Roll,
    TextField,
    Verdict,
    View,
    kind_of,
)
from bot.store.records import Change, EntryId, EntryRecord, FollowUpId, FollowUpRecord, Json, JsonObject
from bot.table.base.stored_rolls import roll_from_json

__all__ = [
    "AGAIN",
    "HIDDEN",
    "NOTHING_TOLD",
    "UNDO",
    "Answered",
    "Beside",
    "ChangeLine",
    "EntryId",
    "FollowUpId",
    "Gathered",
    "Message",
    "OpenFollowUp",
    "Result",
    "Telling",
    "can_undo",
    "deadline_from_json",
    "fact_of",
    "follow_up_as_kept",
    "follow_up_from_json",
    "follow_up_to_json",
    "known_changes",
    "message_from_json",
    "message_to_json",
    "result_of",
    "result_with",
]


class ChangeLine(Struct, frozen=True):
    """One change in words: whose, what (which may be a fact with a kind), before and after."""

    who: str
    what: str
    before: str
    after: str


class Telling(Struct, frozen=True, kw_only=True):
    """What to tell of an action besides its outcome: the moves of countdowns."""

    lines: tuple[ChangeLine, ...] = ()  # the public changes, with values before and after
    notes: tuple[str, ...] = ()  # what was resolved or closed, and its consequence
    hidden: tuple[int, ...] = ()  # ids of the countdowns whose moves are not told
    counted: JsonObject = {}  # what else the journal needs to count them again

    @property
    def facts(self) -> JsonObject:
        """Return what the journal stores besides the text."""
        return {**({HIDDEN: list(self.hidden)} if self.hidden else {}), **self.counted}

    def __add__(self, other: "Telling") -> "Telling":
        """Join two, one after the other."""
        if self is NOTHING_TOLD:
            return other
        if other is NOTHING_TOLD:
            return self
        return Telling(
            lines=self.lines + other.lines,
            notes=self.notes + other.notes,
            hidden=self.hidden + other.hidden,
            counted={**self.counted, **other.counted},
        )


NOTHING_TOLD = Telling()


class Message(Struct, frozen=True, kw_only=True):
    """The text about something that was done."""

    who: str  # the character (or the person) who did it
    headline: str  # what was done; follows the name
    verdict: Verdict | None = None  # its result in words, or None
    changes: tuple[ChangeLine, ...] = ()
    notes: tuple[str, ...] = ()  # what else happened, each a plain text or a fact with a kind
    is_public: bool = True  # whether everybody in the channel was told
    is_brief: bool = False  # whether the dice are shown only under Details

    @property
    def sentence(self) -> str:
        """Who did what, without the full stop."""
        return f"{self.who} {self.headline}"


class OpenFollowUp(Struct, frozen=True):
    """A follow-up that can be pressed now."""

    id: FollowUpId
    follow_up: FollowUp


class Beside(Struct, frozen=True):
    """A follow-up of somebody's answer to a shared prompt, shown in its message with their name."""

    who: str
    open: OpenFollowUp


class Answered(Struct, frozen=True):
    """Somebody's answer to a shared prompt."""

    entry: EntryId  # the entry that stands as their answer
    result: "Result"  # their answer, and the results of its follow-ups


class Gathered(Struct, frozen=True):
    """What the message of a shared prompt shows."""

    view: View  # the shared prompt as it stands, for everybody or for the GM
    beside: tuple[Beside, ...] = ()  # the follow-ups of the answers
    answers: tuple[Answered | None, ...] = ()  # the answer to each part of the view, in order

    @property
    def parts(self) -> "tuple[tuple[Part, Answered | None], ...]":
        """Return each part of the view with its answer."""
        missing = len(self.view.parts) - len(self.answers)
        return tuple(zip(self.view.parts, (*self.answers, *(None,) * missing), strict=True))


class Result(Struct, frozen=True, kw_only=True):
    """The answer to a request."""

    entry: EntryId  # the journal entry; buttons carry its id
    message: Message  # its text
    rolls: tuple[Roll, ...] = ()
    follow_ups: tuple[OpenFollowUp, ...] = ()  # the follow-ups that can be pressed
    again: OpenFollowUp | None = None  # the one of them that does the same again, or None
    can_undo: bool = False  # whether to show an Undo button
    is_undone: bool = False  # whether it has been undone since
    gathering: Gathered | None = None  # the shared prompt it opened, if that still stands
    waiting: int | None = None  # the character that asks to join with it, or None
    stays: bool = False  # whether the entry itself stands after its changes were undone
    was: Verdict | None = None  # its verdict before a press in its message gave it another, or None
    below: "tuple[Result, ...]" = ()  # the results of presses in its message, shown below it
    replaced: "tuple[Result, ...]" = ()  # the results it has replaced there, oldest first
    number: int = 0  # its number in the log, where it is asked for
    is_blind: bool = False  # whether a GM alone sees what came of it; then this says only that it was done

    @property
    def all_of_it(self) -> "tuple[Result, ...]":
        """Return everything that its message shows, from top to bottom."""
        return (self, *self.below)


AGAIN = "again"  # the group of the follow-up that does the same again
UNDO = "undo"  # the kind of an entry that takes another back; the GM may take it back by /gm undo


# What is never taken back, and what can be done instead.
STAY = frozenset({"campaigns", "places", "gms", "sessions"})  # tables whose rows stay with the entry
STAYS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "campaign.create": ("You can't undo creating a campaign.", "Close it with /campaign archive."),
        "session.start": ("You can't undo starting a session.", "End it with /session end."),
    }
)


def message_to_json(message: Message) -> JsonObject:
    """Return a message as JSON: the kinds of its facts stand beside their texts, where there are any."""
    told = to_builtins(message, enc_hook=str)  # a fact is a text with a kind
    stored: JsonObject = {name: [*one] if isinstance(one, tuple) else one for name, one in told.items()}
    kinds: JsonObject = {
        "notes": _kinds_to_json(message.notes),
        "changes": _kinds_to_json([line.what for line in message.changes]),
    }
    kinds = {of: found for of, found in kinds.items() if found}
    return {**stored, **({"kinds": kinds} if kinds else {})}


def _kinds_to_json(lines: Sequence[str]) -> JsonObject:
    """Return the kinds of the lines that are more than news, by their places."""
    kinds = {str(at): kind_of(line) for at, line in enumerate(lines)}
    return {at: str(kind) for at, kind in kinds.items() if kind is not FactKind.NEWS}


def message_from_json(stored: JsonObject) -> Message:
    """Return a message read back from JSON; one saved before facts had kinds has none."""
    message, kinds = convert(stored, Message), stored.get("kinds")
    if not isinstance(kinds, dict):
        return message
    notes = tuple(_with_kind(note, at, kinds.get("notes")) for at, note in enumerate(message.notes))
    changes = tuple(
        replace(line, what=_with_kind(line.what, at, kinds.get("changes")))
        for at, line in enumerate(message.changes)
    )
    return replace(message, notes=notes, changes=changes)


def _with_kind(line: str, at: int, kinds: Json) -> str:
    kind = kinds.get(str(at)) if isinstance(kinds, dict) else None
    return Fact(line, FactKind(str(kind))) if kind else line


HIDDEN = "hidden_countdowns"  # in an entry's facts: the countdowns of whose moves only the GM may know


def fact_of(entry: EntryRecord, key: str) -> Json:
    """Return a fact that a use case stored in an entry, or None."""
    facts = entry.told.get("facts")
    return facts.get(key) if isinstance(facts, dict) else None


BLINDLY = "rolls for the GM's eyes only"
BLIND = "blind"  # in an entry's facts: whether only the GM sees it, not even whoever did it


def is_blind(entry: EntryRecord) -> bool:
    """Return whether an entry is for the GM's eyes only, not even for those of whoever did it."""
    return fact_of(entry, BLIND) is True


def blind_result(entry: EntryRecord) -> Result:
    """Return what everybody may know of an entry for the GM's eyes only."""
    who = message_from_json(entry.told).who
    return Result(entry=entry.id, message=Message(who=who, headline=BLINDLY), is_blind=True)


def known_changes(entry: EntryRecord, *, with_hidden: bool = False) -> tuple[Change, ...]:
    """Return those of an entry's changes that can be undone.

    Args:
        with_hidden: Whether to include the GM's secrets.
    """
    changes = entry.changes
    if entry.kind in STAYS:
        changes = tuple(one for one in changes if one.table not in STAY)
    hidden = fact_of(entry, HIDDEN)
    if with_hidden or not isinstance(hidden, list):
        return changes
    keys = {"countdowns": "id", "countdown_ticks": "countdown_id"}
    return tuple(one for one in changes if one.table not in keys or one.key[keys[one.table]] not in hidden)


def why_it_stays(kind: str) -> tuple[str, str]:
    """Return why a kind of entry can't be undone, and what to do instead."""
    return STAYS.get(kind, ("That changed nothing, so there is nothing to undo.", "Rolls can't be undone."))


def stands_in_the_way(entry: EntryRecord, target: EntryRecord) -> bool:
    """Return whether the permanent part of a later entry builds on the entry to undo."""
    built_on = {(one.table, str(one.key)) for one in target.changes}
    stays = [one for one in entry.changes if entry.kind in STAYS and one.table in STAY]
    return any((one.table, str(one.key)) in built_on for one in stays)


def can_undo(entry: EntryRecord, *, with_hidden: bool = False) -> bool:
    """Return whether an entry stands and has changes that can be undone; see `known_changes`."""
    return bool(known_changes(entry, with_hidden=with_hidden)) and entry.undone_by is None


def result_of(entry: EntryRecord, follow_ups: Sequence[FollowUpRecord]) -> Result:
    """Return the answer for a journal entry as it stands now."""
    is_open = entry.undone_by is None
    shown = [
        OpenFollowUp(one.id, follow_up_from_json(one.body))
        for one in follow_ups
        if one.closed_by is None and is_open
    ]
    rolls = tuple(roll_from_json(roll) for roll in entry.rolls)
    return result_with(entry, message_from_json(entry.told), rolls, shown)


def result_with(
    entry: EntryRecord, message: Message, rolls: tuple[Roll, ...], follow_ups: Sequence[OpenFollowUp]
) -> Result:
    """Return the answer for a journal entry whose parts are in hand.

    Args:
        message: Its text.
        follow_ups: Those of its follow-ups that can be pressed.
    """
    again = [one for one in follow_ups if one.follow_up.group == AGAIN]
    is_done = bool(rolls or message.changes) or message.verdict is not None
    is_question = not is_done and any(one.follow_up.place is not Place.APART for one in follow_ups)
    return Result(
        entry=entry.id,
        message=message,
        rolls=rolls,
        follow_ups=tuple([one for one in follow_ups if one.follow_up.group != AGAIN]),
        again=again[0] if again and not is_question else None,
        can_undo=can_undo(entry) and entry.kind != UNDO,
        is_undone=entry.undone_by is not None,
        waiting=_waiting(entry),
        stays=entry.kind in STAYS,
    )


WAITS = "waits"  # in an entry's facts: the character that waits for the GM's leave


def _waiting(entry: EntryRecord) -> int | None:
    facts = entry.told.get("facts")
    waiting = facts.get(WAITS) if isinstance(facts, dict) else None
    return waiting if isinstance(waiting, int) and entry.undone_by is None else None


class KeptOptions(Document, extra="allow"):
    """A follow-up's options read back, whatever their model."""


def follow_up_to_json(follow_up: FollowUp) -> JsonObject:
    """Return a follow-up as JSON; its options only as far as they differ from the defaults."""
    window = follow_up.window
    stored: JsonObject = {
        "procedure": follow_up.procedure,
        "label": follow_up.label,
        "audience": str(follow_up.audience),
        "character": follow_up.character,
        "choices": [_choice_to_json(one) for one in follow_up.choices],
        "chosen": follow_up.chosen,
        "blanks": [_blank_to_json(one) for one in follow_up.blanks],
        "group": follow_up.group,
        "stays": follow_up.stays,
        "window": {"concerns": [*window.concerns], "until": [*window.until]} if window else None,
        "rewinds": follow_up.rewinds,
        # Only where there is one: the id of a button on a board comes from this, and was without it.
        **({"deal": follow_up.deal} if follow_up.deal else {}),
        "after_seconds": follow_up.after_seconds,
        "note": follow_up.note,
        "place": str(follow_up.place),
        **({"is_owed": True} if follow_up.is_owed else {}),
        **({"is_npcs": True} if follow_up.is_npcs else {}),
        "options": follow_up.options.model_dump(mode="json", exclude_defaults=True),
    }
    return stored


def _choice_to_json(choice: Choice) -> JsonObject:
    return {"value": choice.value, "label": choice.label, "note": choice.note}


def _blank_to_json(blank: TextField) -> JsonObject:
    """Return a question as JSON; one without a menu as those before it, for the same reason."""
    stored: JsonObject = {
        "key": blank.key,
        "prompt": blank.prompt,
        "longest": blank.longest,
        "is_required": blank.is_required,
        "is_long": blank.is_long,
    }
    if blank.choices:
        stored |= {"choices": [_choice_to_json(one) for one in blank.choices], "most": blank.most}
    return stored


def follow_up_as_kept(follow_up: FollowUp, stored: JsonObject) -> FollowUp:
    """Return a follow-up as it is read back from what `follow_up_to_json` makes of it, without reading it."""
    return replace(follow_up, options=KeptOptions.model_validate(stored["options"]))


def deadline_from_json(stored: JsonObject) -> Deadline | None:
    """Return the deadline of a follow-up, without reading all of it."""
    window = stored.get("window")
    return None if window is None else convert(window, Deadline)


def follow_up_from_json(stored: JsonObject) -> FollowUp:
    """Return a follow-up read back; one saved without a place had a message of its own."""
    options = KeptOptions.model_validate(stored["options"])
    return convert({"place": Place.APART, **stored, "options": options}, FollowUp)
