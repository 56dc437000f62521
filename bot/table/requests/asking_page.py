"""The page from which a GM asks for checks: the last requests, the scene's difficulty, who sees results."""

from dataclasses import dataclass
from itertools import islice

from bot.rules.kernel import evolve
from bot.rules.kernel.errors import UserError
from bot.rules.shared.asking import AskingScene, RollSight
from bot.store.records import EntryId, EntryRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, gm_access_here
from bot.table.base.request import Request
from bot.table.base.results import Message, Result
from bot.table.base.table import Table
from bot.table.journal.entry_pages import latest_first
from bot.table.journal.journal import record, told_before
from bot.table.journal.scenes import SceneKeeper
from bot.table.requests.check_offers import difficulties_of
from bot.table.requests.requested_checks import (
    SilentRolls,
    Wanted,
    ask_in,
    kept_request,
    scene_key,
    scene_of,
)

MOST_RECENT = 5
LOOKED_THROUGH, BATCH = 500, 100  # entries
SEEN = {
    RollSight.OPEN: "Results for everyone",
    RollSight.PRIVATE: "Results for the roller and the GM",
    RollSight.BLIND: "Results for the GM alone",
    RollSight.SILENT: "Silent: only the GM knows of the rolls",
}


@dataclass(frozen=True, slots=True)
class RecentAsk:
    """A request that can be made again.

    Attributes:
        entry: Its journal entry.
        label: What was asked, and of whom.
    """

    entry: EntryId
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingPage:
    """What a GM can ask for in a channel.

    Attributes:
        campaign: The campaign's name.
        difficulty: The scene's; empty if none is set.
        difficulties: Those that can be set.
        sight: Who sees the results.
        recent: The last requests, the latest first.
    """

    campaign: str
    difficulty: str
    difficulties: tuple[str, ...]
    sight: RollSight
    recent: tuple[RecentAsk, ...]

    @property
    def latest(self) -> int:
        """The entry of the latest request; 0 if there is none."""
        return self.recent[0].entry if self.recent else 0


async def asking_page(table: Table, request: Request) -> AskingPage:
    """Return the page.

    Raises:
        ForGmOnly: If the person is not a GM.
    """

    def query(reader: Reader) -> AskingPage:
        access = _access(table, reader, request)
        here = scene_of(reader, access)
        return AskingPage(
            campaign=access.campaign.name,
            difficulty=here.difficulty,
            difficulties=difficulties_of(access),
            sight=here.sight,
            recent=tuple(
                RecentAsk(entry.id, _label(reader, access, wanted))
                for entry, wanted in _recent(reader, access)
            ),
        )

    return await table.store.read(query)


def _access(table: Table, reader: Reader, request: Request) -> Access:
    access = gm_access_here(table, reader, request)
    if not access.game.asks:
        raise UserError(f"{access.game.title} has no checks to ask for.")
    return access


def _recent(reader: Reader, access: Access) -> list[tuple[EntryRecord, Wanted]]:
    """Return the last requests that differ, the latest first."""
    found: list[tuple[EntryRecord, Wanted]] = []
    entries = latest_first(reader, access.request.server, access.campaign.id, page=BATCH)
    for entry in islice(entries, LOOKED_THROUGH):
        wanted = None if entry.undone_by is not None else kept_request(entry)
        if wanted is not None and all(wanted != one for _entry, one in found):
            found.append((entry, wanted))
        if len(found) == MOST_RECENT:
            break
    return found


def _label(reader: Reader, access: Access, wanted: Wanted) -> str:
    """What was asked, and of whom: "Stealth, Hard · all"."""
    what = wanted.what or wanted.check
    hard = f", {wanted.difficulty.split(' · ')[0]}" if wanted.difficulty else ""
    records = (reader.character(access.request.server, int(one)) for one in wanted.who)
    names = ", ".join(one.name for one in records if one is not None)
    return f"{what[:1].upper()}{what[1:]}{hard} · {names or 'all'}"


async def set_scene(
    table: Table, request: Request, *, difficulty: str | None = None, sight: RollSight | None = None
) -> None:
    """Set the scene's difficulty, or who sees the results of requested checks.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        difficulty: The new difficulty; empty for none.
        sight: Who sees the results from now on.

    Raises:
        UserError: If the game has no such difficulty.
    """

    def unit(tx: Transaction) -> None:
        if told_before(tx, request) is not None:
            return
        access = _access(table, tx, request)
        if difficulty and difficulty not in difficulties_of(access):
            raise UserError(f"There is no difficulty “{difficulty}” here.", "Choose one from the menu.")
        before = scene_of(tx, access)
        after = before
        if difficulty is not None:
            after = evolve(after, difficulty=difficulty)
        if sight is not None:
            after = evolve(after, sight=sight)
        if after == before:
            return
        keeper = SceneKeeper(tx, access)
        keeper.keep(keeper.scene(None).with_document(scene_key(access), after))
        message = Message(who=request.person_name, headline=_headline(before, after), is_public=False)
        record(table, tx, access, "gm.scene", message, is_secret=True)

    await table.store.run(unit)


def _headline(before: AskingScene, after: AskingScene) -> str:
    if after.sight is not before.sight:
        return f"sets who sees requested checks: {before.sight} → {after.sight}"
    return f"sets the scene's difficulty: {before.difficulty or 'none'} → {after.difficulty or 'none'}"


async def ask_again(table: Table, request: Request, entry: int, latest: int) -> Result | SilentRolls:
    """Make one of the last requests again, as the scene is now.

    Args:
        table: The table.
        request: Who asks; must be a GM.
        entry: The request's entry.
        latest: The entry of the latest request when the page was drawn.

    Raises:
        UserError: If there has been another request since, or it can't be made any more.
    """

    def unit(tx: Transaction) -> Result | SilentRolls:
        access = _access(table, tx, request)
        recent = _recent(tx, access)
        wanted = next((one for found, one in recent if found.id == entry), None)
        is_late = not recent or recent[0][0].id != latest
        if told_before(tx, request) is None and (is_late or wanted is None):
            raise UserError("Something else has been asked for since.", "Look at the page and press again.")
        return ask_in(table, tx, request, wanted or Wanted(check=""))

    return await table.store.run(unit)
