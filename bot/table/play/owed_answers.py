"""What an action owes the GM: questions under results, and silence about those whom nobody has seen."""

import dataclasses
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Audience, CharacterId, Document, FollowUp, Outcome, Roll, Scene
from bot.rules.kernel.errors import UserError
from bot.rules.shared.encounters import fight_of
from bot.store.records import EntryId, EntryRecord, FollowUpRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access
from bot.table.base.results import follow_up_from_json, follow_up_to_json, message_from_json
from bot.table.base.typed_options import characters_in
from bot.table.journal.entries import LATEST

SHOWN_ONLY = ("note", "place", "is_owed", "is_npcs")  # fields of a follow-up that are no part of its key


class Offer(Struct, frozen=True):
    """Something that can be done now; its key identifies it for as long as it is offered."""

    key: str
    follow_up: FollowUp


def key_of(follow_up: FollowUp) -> str:
    """Return a key that tells an offer from every other one, short enough for a button's id.

    Its texts, its menu entries and where its outcome is shown may change meanwhile: what it does and
    for whom is what counts. Boards of earlier releases stand with these keys, so they must never change.
    """
    blanks = tuple(replace(one, choices=one.choices[:1]) for one in follow_up.blanks)
    plain = follow_up_to_json(replace(follow_up, label="", choices=(), blanks=blanks))
    stored = {name: value for name, value in plain.items() if name not in SHOWN_ONLY}
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()[:16]


REACH = 2000  # entries of the server among which those are looked for
Owed = Sequence[tuple[EntryRecord, Sequence[FollowUpRecord]]]


class GmQuestion(Struct, frozen=True, kw_only=True):
    """Something that a GM has to answer under a result."""

    entry: EntryRecord  # the result
    what: str  # what it is: who did what
    answers: tuple[Offer, ...]  # the buttons that answer it, with the ids of their follow-ups for keys

    def is_about(self, who: int) -> bool:
        """Whether it is about a character."""
        return any(one.follow_up.character == who for one in self.answers)


def owing(reader: Reader, access: Access) -> Owed:
    """Return the entries that still owe an answer, with what they offered, the latest first."""
    server, campaign = access.campaign.server, access.campaign.id
    ids = reader.entries_owing(server, campaign, among=REACH, limit=LATEST)
    offered: dict[EntryId, list[FollowUpRecord]] = {id_: [] for id_ in ids}
    for one in reader.follow_ups_of(server, ids):
        offered[one.entry].append(one)
    entries = (reader.entry(server, id_) for id_ in ids)
    return [(entry, offered[entry.id]) for entry in entries if entry is not None]


def open_offers(entry: EntryRecord, records: Sequence[FollowUpRecord]) -> list[Offer]:
    """Return what can still be pressed under an entry."""
    return [
        Offer(str(one.id), follow_up_from_json(one.body))
        for one in records
        if one.closed_by is None and entry.undone_by is None
    ]


def gm_questions(found: Owed) -> Iterator[GmQuestion]:
    """Return what a GM still has to answer under the latest results, the latest first."""
    for entry, records in found:
        offers = open_offers(entry, records)
        for group in dict.fromkeys(one.follow_up.group for one in offers if is_for_gm(one.follow_up)):
            answers = tuple(one for one in offers if one.follow_up.group == group)
            yield GmQuestion(entry=entry, what=message_from_json(entry.told).sentence, answers=answers)


def is_for_gm(follow_up: FollowUp) -> bool:
    """Return whether a GM still has to press a follow-up."""
    return follow_up.is_owed and follow_up.audience is Audience.GM


SOMEONE = "someone hidden"


class HiddenFoes(Struct, frozen=True):
    """Those hidden from the players, and what they are called."""

    # Their names; those in a crowd are no characters and have no id.
    hidden: Set[tuple[CharacterId | None, str]]
    known: Set[str]  # the names of others, which may contain one of theirs ("Goblin" in "Goblin 2")

    @property
    def names(self) -> frozenset[str]:
        """Return their names."""
        return frozenset(name for _id, name in self.hidden if name)

    def besides(self, chosen: Iterable[CharacterId], typed: str) -> "HiddenFoes":
        """Return these without those whom the person has named: that gives nothing away.

        Args:
            chosen: Characters that they have chosen, and that everybody knows.
            typed: What they have typed.
        """
        ids = {*chosen}
        rest = (one for one in self.hidden if one[0] not in ids and not (one[1] and one[1] in typed))
        return replace(self, hidden=frozenset(rest))

    def are_in(self, outcome: Outcome, options: Document, actor: int | None) -> bool:
        """Return whether an action concerns any of them: acts, is chosen, rolls, answers or is named."""
        concerned = {actor, *characters_in(options), *_concerned(outcome)} - {None}
        is_concerned = any(id_ in concerned for id_, _name in self.hidden)
        return is_concerned or any(self.masked_text(text) != text for text in _texts(outcome))

    def masked(self, outcome: Outcome) -> Outcome:
        """Return an outcome whose words call none of them by name, for somebody who is no GM."""
        return replace(
            outcome,
            headline=self.masked_text(outcome.headline),
            verdict=outcome.verdict
            and dataclasses.replace(outcome.verdict, title=self.masked_text(outcome.verdict.title)),
            notes=tuple(self.masked_text(note) for note in outcome.notes),
            rolls=tuple(self._masked_roll(roll) for roll in outcome.rolls),
            follow_ups=tuple(self._masked_button(button) for button in outcome.follow_ups),
        )

    def masked_error(self, error: UserError) -> UserError:
        """Return a refusal that calls none of them by name; the same one if it never did."""
        if all(self.masked_text(sentence) == sentence for sentence in error.sentences):
            return error
        return UserError(
            self.masked_text(error.what), self.masked_text(error.allowed), self.masked_text(error.try_this)
        )

    def masked_text(self, text: str) -> str:
        """Return a text that calls none of them by name."""
        names = self.names
        if not any(name in text for name in names):
            return text
        longest_first = sorted({*names, *self.known}, key=len, reverse=True)
        pattern = rf"(?<!\w)(?:{'|'.join(re.escape(name) for name in longest_first)})(?!\w)"
        return re.sub(pattern, self._called, text)

    def _called(self, found: re.Match[str]) -> str:
        if found[0] not in self.names:
            return found[0]
        before = found.string[: found.start()].rstrip("*_ ")
        return SOMEONE if before and before[-1] not in ".!?\n" else SOMEONE.capitalize()

    def _masked_roll(self, roll: Roll) -> Roll:
        if roll.roller is None:
            return roll
        return replace(roll, roller=dataclasses.replace(roll.roller, name=self.masked_text(roll.roller.name)))

    def _masked_button(self, button: FollowUp) -> FollowUp:
        choices = [
            replace(one, label=self.masked_text(one.label), note=self.masked_text(one.note))
            for one in button.choices
        ]
        return replace(
            button,
            label=self.masked_text(button.label),
            note=self.masked_text(button.note),
            choices=tuple(choices),
        )


def hidden_foes(before: Scene, after: Scene, loaded: Iterable[CharacterId]) -> HiddenFoes:
    """Return those whom only the GM knows of, or knows to be in the channel's encounter.

    Whoever is revealed between the two scenes is no longer hidden.

    Args:
        before: The scene before an action.
        after: The scene after it; the same, if it was refused.
        loaded: The characters that the action has looked at.
    """
    fights = [fight for fight in (fight_of(before), fight_of(after)) if fight is not None]
    last = fights[-1].combatants if fights else ()
    shown = {(one.character, one.name) for one in last if not one.is_hidden}
    lurking = {(one.character, one.name) for fight in fights for one in fight.hidden} - shown
    ids = {id_ for id_, _name in lurking if id_ is not None}
    seen = [after.character(id_) for id_ in loaded]
    hidden = {(one.id, one.name) for one in seen if one.is_hidden or one.id in ids}
    known = {name for _id, name in shown} | {one.name for one in seen if (one.id, one.name) not in hidden}
    return HiddenFoes(hidden=frozenset(lurking | hidden), known=frozenset(known))


def _concerned(outcome: Outcome) -> Iterator[int]:
    """Yield everybody who has rolled in an outcome, or is to press something."""
    yield from (roll.roller.id for roll in outcome.rolls if roll.roller and roll.roller.id is not None)
    yield from (one.character for one in outcome.follow_ups if one.character is not None)


def _texts(outcome: Outcome) -> Iterator[str]:
    """Yield everything that an outcome says with names in it."""
    yield outcome.headline
    if outcome.verdict is not None:
        yield outcome.verdict.title
    yield from outcome.notes
    yield from (roll.roller.name for roll in outcome.rolls if roll.roller)
    for button in outcome.follow_ups:
        yield from (button.label, button.note)
        yield from (text for choice in button.choices for text in (choice.label, choice.note))
