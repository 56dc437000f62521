"""Awards at a session's end: what a game usually awards, who was there, and what was given already."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.rules.kernel import AwardRule, ResourceRule
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import counted
from bot.store.records import EntryRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access, gm_access_here, playing
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.journal.entry_pages import latest_first
from bot.table.journal.hero_stories import AWARDED
from bot.table.journal.recap import find_session


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardOffer:
    """What a GM can award at a session's end.

    Attributes:
        key: Its key.
        title: Its name in the book.
        unit: What one of it is called.
        usual: The usual amounts.
        given: What was given of it in this session, in words.
    """

    key: str
    title: str
    unit: str
    usual: tuple[int, ...]
    given: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionAwards:
    """What can be awarded for a session.

    Attributes:
        number: The session.
        offers: What the game awards.
        characters: The players' characters: id and name.
        present: The ids of those whose players took part; of all who are played if nobody did anything.
    """

    number: int
    offers: tuple[AwardOffer, ...] = ()
    characters: tuple[tuple[int, str], ...] = ()
    present: tuple[int, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those present."""
        return tuple(name for id_, name in self.characters if id_ in self.present)


async def session_awards(table: Table, request: Request, number: int) -> SessionAwards:
    """Return what a GM can award for a session.

    Raises:
        UserError: If there is no such session, or the person is not a GM.
    """

    def query(reader: Reader) -> SessionAwards:
        access = gm_access_here(table, reader, request)
        return awards_of(reader, access, number)

    return await table.store.read(query)


def awards_of(reader: Reader, access: Access, number: int) -> SessionAwards:
    """Return what can be awarded for a session; for a GM, hidden characters included.

    Raises:
        UserError: If there is no such session.
    """
    entries = tuple(_entries(reader, access, number))
    awarded = [one for one in entries if one.kind == AWARDED and one.undone_by is None]
    people = {one.person for one in entries}
    owned = [
        one for one in reader.characters(access.campaign.server, access.campaign.id) if one.owner is not None
    ]
    played = [found[0] for found in playing(reader, access, with_hidden=True).values() if len(found) == 1]
    took_part = [one.id for one in played if one.owner in people]
    return SessionAwards(
        number=number,
        offers=tuple(_offer(rule, awarded) for rule in usual_awards(access)),
        characters=tuple((one.id, one.name) for one in owned),
        present=tuple(took_part or [one.id for one in played]),
    )


def usual_awards(access: Access) -> list[AwardRule | ResourceRule]:
    """Return what the game usually awards at the end of a session."""
    rules: list[AwardRule | ResourceRule] = [*access.game.awards, *access.game.counted(access.settings)]
    return [rule for rule in rules if rule.usual]


def _offer(rule: AwardRule | ResourceRule, awarded: Sequence[EntryRecord]) -> AwardOffer:
    given = tuple(words for one in awarded if (words := given_words(one, rule)))
    return AwardOffer(key=rule.key, title=rule.title, unit=rule.unit, usual=rule.usual, given=given)


def given_words(entry: EntryRecord, rule: AwardRule | ResourceRule) -> str:
    """Return what an award gave of something: "3 points to Ada, Bo"; nothing if it gave something else."""
    facts = entry.told.get("facts")
    if not isinstance(facts, dict) or facts.get("awarded") != rule.key:
        return ""
    amount, names = facts.get("amount"), facts.get("names")
    if not isinstance(amount, int) or not isinstance(names, list):  # from an older version
        return "some"
    return f"{counted(amount, rule.unit)} to {', '.join(map(str, names))}"


def require_not_awarded(reader: Reader, access: Access, number: int, key: str) -> None:
    """Raise if something has been awarded for a session already.

    Raises:
        UserError: If it has.
    """
    for offer in awards_of(reader, access, number).offers:
        if offer.key == key and offer.given:
            raise UserError(
                f"{offer.title} were already awarded for session {number}: {'; '.join(offer.given)}.",
                "Undo that award first, or press Award … to award more.",
            )


def is_open(reader: Reader, access: Access, number: int) -> bool:
    """Return whether something the game usually awards has not been awarded for a session yet."""
    return any(not offer.given for offer in awards_of(reader, access, number).offers)


def _entries(reader: Reader, access: Access, number: int) -> Iterator[EntryRecord]:
    """Yield the entries of a session, the latest first.

    Raises:
        UserError: If there is none of that number.
    """
    session = find_session(reader, access, number)
    return latest_first(reader, session.server, session.campaign, session=session.number)
