"""What a board or a sheet offers, and the keys by which its buttons name it."""

import hashlib
import json
from dataclasses import dataclass, replace

from bot.rules.kernel import FollowUp
from bot.table.base.results import follow_up_to_json

SHOWN_ONLY = ("note", "place", "is_owed")  # fields of a follow-up that are no part of its key


@dataclass(frozen=True, slots=True)
class Offer:
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
