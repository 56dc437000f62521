"""How much a person, a campaign and a server may have: far more than any table needs.

What is stored is counted within the transaction that adds to it, so that two who add at once can't both
take the last place.
"""

from collections import deque
from typing import TYPE_CHECKING

from bot.rules.kernel.errors import UserError
from bot.store.records import NO_LIMIT, CampaignId, CampaignRecord, ServerId
from bot.store.transaction import Reader

if TYPE_CHECKING:
    from bot.table.base.access import Access

MOST_CAMPAIGNS = 50  # of a server that are being played
MOST_ARCHIVED = 250  # of a server
MOST_CHARACTERS_OF_PERSON = 40  # in a campaign, those that wait for a GM apart
MOST_WAITING = 100  # characters in a campaign that wait for a GM
MOST_CHARACTERS = 1500  # in a campaign, NPCs among them
MOST_COUNTDOWNS = 100  # running in a campaign
MOST_HANDOUTS = 500  # notes and handouts of a campaign
MOST_PICTURES = 100  # handouts of a campaign with a picture
MOST_ROLLS = 100  # public free rolls of a person in a minute
MINUTE = 60
MOST_PEOPLE = 10_000  # whose rolls are remembered


def assert_room_for_campaign(campaigns: list[CampaignRecord], *, is_new: bool = True) -> None:
    """Refuse another campaign that is played where a server has too many.

    Args:
        campaigns: Those the server has.
        is_new: Whether it is made, not reopened.
    """
    archived = sum(one.is_archived for one in campaigns)
    if len(campaigns) - archived >= MOST_CAMPAIGNS:
        raise UserError(
            f"A server can play {MOST_CAMPAIGNS} campaigns at once.",
            try_this="Archive one with /campaign archive.",
        )
    if is_new and archived >= MOST_ARCHIVED:
        raise UserError(
            f"A server can have {MOST_ARCHIVED} archived campaigns.",
            try_this="Reopen an old one with /campaign archive reopen:True instead.",
        )


def assert_room_for_character(reader: Reader, access: "Access", owner: int | None) -> None:
    """Refuse another character where its player or the campaign has too many."""
    server, campaign = access.campaign.server, access.campaign.id
    known = reader.character_names(server, campaign, limit=NO_LIMIT)
    if len(known) >= MOST_CHARACTERS:
        raise UserError(
            f"A campaign has room for {MOST_CHARACTERS} characters.",
            try_this="A GM can retire NPCs that are no longer needed.",
        )
    if owner is not None and sum(one.owner == owner for one in known) >= MOST_CHARACTERS_OF_PERSON:
        raise UserError(
            f"You can have {MOST_CHARACTERS_OF_PERSON} characters in a campaign.",
            try_this="Retire one with /character retire.",
        )


def assert_room_to_wait(waiting: int) -> None:
    """Refuse a character that would wait for a GM where too many do."""
    if waiting >= MOST_WAITING:
        raise UserError(
            f"{MOST_WAITING} characters are waiting for a GM already.",
            try_this="Ask a GM to admit or turn down some.",
        )


def assert_room_for_countdown(reader: Reader, server: ServerId, campaign: CampaignId) -> None:
    """Refuse another running countdown where a campaign has too many."""
    if len(reader.countdowns(server, campaign, limit=MOST_COUNTDOWNS)) >= MOST_COUNTDOWNS:
        raise UserError(
            f"A campaign has room for {MOST_COUNTDOWNS} running countdowns.",
            try_this="Delete one with /gm countdown delete.",
        )


def assert_room_for_handout(handouts: int) -> None:
    """Refuse another note or handout where a campaign has too many."""
    if handouts >= MOST_HANDOUTS:
        raise UserError(f"A campaign has room for {MOST_HANDOUTS} notes.", "Remove some you no longer need.")


def assert_room_for_picture(pictures: int) -> None:
    """Refuse another handout with a picture where a campaign has too many."""
    if pictures >= MOST_PICTURES:
        raise UserError(
            f"A campaign has room for {MOST_PICTURES} pictures.", "Remove a handout with one first."
        )


class RecentRolls:
    """How often people rolled free dice in public within the last minute, in this process."""

    def __init__(self) -> None:
        self._times: dict[tuple[int, int], deque[int]] = {}

    def count(self, server: int, person: int, now: int) -> None:
        """Count a roll.

        Raises:
            UserError: If it is one too many.
        """
        times = self._times.pop((server, person), None) or deque(maxlen=MOST_ROLLS)
        self._times[server, person] = times
        if len(times) == MOST_ROLLS and now - times[0] < MINUTE:
            raise UserError(
                f"You have rolled {MOST_ROLLS} times within a minute.",
                try_this="Wait a little, or roll with the option secret.",
            )
        times.append(now)
        if len(self._times) > MOST_PEOPLE:
            del self._times[next(iter(self._times))]
