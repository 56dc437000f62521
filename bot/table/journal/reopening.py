"""Taking an entry's changes back; a draft that had become a character opens again with its answers."""

from dataclasses import replace

from bot.store.boundary import Transaction
from bot.store.records import DraftRecord, EntryRecord
from bot.table.base.results import known_changes

DRAFT = "draft"  # in an entry's facts: the answers of the draft that it finished


def revert(tx: Transaction, entry: EntryRecord) -> None:
    """Put back what an entry changed, as far as it can be taken back at all."""
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
