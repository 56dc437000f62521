"""Awards in a session, and reminders of forgotten ones at its end."""

from bot.store.boundary import Reader
from bot.table.base.access import Access

AWARDED = "gm.award"
PAGE = 500


def reminders(tx: Reader, access: Access) -> tuple[str, ...]:
    """Return the game's reminders of awards not yet given in the running session."""
    if not any(rule.reminder for rule in access.game.awards):
        return ()
    given = _given(tx, access)
    return tuple(rule.reminder for rule in access.game.awards if rule.reminder and rule.key not in given)


def _given(tx: Reader, access: Access) -> set[str]:
    """Return the keys of awards given in the running session and not undone."""
    running = tx.open_session(access.campaign.server, access.campaign.id)
    given: set[str] = set()
    before = None
    while running is not None:
        page = tx.entries(
            access.campaign.server, access.campaign.id, session=running.number, before=before, limit=PAGE
        )
        for entry in page:
            facts = entry.told.get("facts")
            if entry.kind == AWARDED and entry.undone_by is None and isinstance(facts, dict):
                given.add(str(facts.get("awarded")))
        if len(page) < PAGE:
            break
        before = page[-1].id
    return given
