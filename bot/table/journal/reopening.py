"""Revert an entry's changes; reopen the draft of a character it made."""

from dataclasses import replace

from bot.store.records import DraftRecord, EntryRecord
from bot.store.transaction import Transaction
from bot.table.base.results import known_changes

DRAFT = "draft"  # in an entry's facts: the answers of the draft that it finished


def revert(tx: Transaction, entry: EntryRecord) -> None:
    """Revert an entry's changes, as far as they can be undone."""
    tx.revert(replace(entry, changes=known_changes(entry, with_hidden=True)))
    facts = entry.told.get("facts")
    answers = facts.get(DRAFT) if isinstance(facts, dict) else None
    if not isinstance(answers, dict) or tx.draft_of(entry.server, entry.campaign, entry.person):
        return
    tx.save_draft(
        DraftRecord(
            server=entry.server, campaign=entry.campaign, person=entry.person, step="", answers=answers
        )
    )
