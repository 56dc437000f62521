"""The page from which a GM asks for checks: the last requests, the scene's difficulty, who sees results."""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from bot.rules.kernel import Choice, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.shared.asking import AskingScene, RollSight
from bot.store.records import EntryId, EntryRecord
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, character_of, gm_access_here
from bot.table.base.request import Request
from bot.table.base.results import Message, Result
from bot.table.base.table import Table
from bot.table.journal.entry_pages import latest_first
from bot.table.journal.journal import record, told_before
from bot.table.journal.scenes import SceneKeeper
from bot.table.requests.requested_checks import (
    SilentRolls,
    Wanted,
    ask_in,
    chance_of,
    everybody_playing,
    find_check,
    kept_request,
    scene_key,
    scene_of,
    typed_options,
)

MOST_BEST = 3


@dataclass(frozen=True, slots=True)
class MemberChance:
    """Somebody's exact chance to make a check."""

    name: str
    chance: Fraction


@dataclass(frozen=True, slots=True)
class BestAt:
    """Who is best at a check.

    Attributes:
        what: What it is of, else what it is called.
        difficulty: How hard it is; empty where nothing was said.
        best: Those with the best chances, best first; nobody where the check has no chance to reach.
    """

    what: str
    difficulty: str
    best: tuple[MemberChance, ...]


async def best_at(table: Table, request: Request, wanted: Wanted) -> BestAt:
    """Return who of the players' characters is best at a check, by the code that is played; only for a GM.

    Without a difficulty it has the scene's.

    Raises:
        UserError: If there is no such check, or the person is not a GM.
    """

    def unit(tx: Transaction) -> BestAt:
        access = gm_access_here(table, tx, request)
        form = find_check(access, wanted.check)
        asked = wanted
        if form.difficulty and not wanted.difficulty.strip():
            asked = replace(wanted, difficulty=scene_of(tx, access).difficulty)
        options = typed_options(tx, access, form, asked)
        found = []
        for one in everybody_playing(tx, access):
            try:
                chance = chance_of(tx, access, form, options, one)
            except UserError:  # they can't make it at all
                continue
            if chance is not None:
                found.append(MemberChance(one.name, chance))
        found.sort(key=lambda one: (-one.chance, one.name.casefold()))
        what = wanted.what.strip() or form.title
        return BestAt(what, asked.difficulty.strip(), tuple(found[:MOST_BEST]))

    return await table.store.run(unit)


MOST_OFFERED = 25


@dataclass(frozen=True, slots=True)
class OfferedCheck:
    """A check that can be asked for without typing anything.

    Attributes:
        check: Its title.
        what: The skill or attribute it is of, or nothing.
    """

    check: str
    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOffer:
    """What a GM can ask for.

    Attributes:
        character: The id of the character that is asked; None if the GM chooses.
        name: The character's name.
        checks: The checks; those that need something typed are left to `/gm ask`.
        difficulties: How hard they can be; none where the game has no such names.
        difficulty: The scene's difficulty; empty if none is set.
        sight: Who sees the results.
        who: The characters that can be chosen, the players' first.
    """

    character: int | None
    name: str
    checks: tuple[OfferedCheck, ...]
    difficulties: tuple[str, ...]
    difficulty: str = ""
    sight: RollSight = RollSight.OPEN
    who: tuple[Choice, ...] = ()


async def offered_checks(table: Table, request: Request, person: int, person_name: str) -> CheckOffer:
    """Return what a GM can ask somebody's character for.

    Raises:
        UserError: If the person is not a GM, or that somebody plays nobody here.
    """

    def query(reader: Reader) -> CheckOffer:
        access = gm_access_here(table, reader, request)
        character = character_of(reader, access, person, person_name)
        return _offer(reader, access, character.id, character.name, ())

    return await table.store.read(query)


async def checks_for_all(table: Table, request: Request) -> CheckOffer:
    """Return what a GM can ask whomever they choose for.

    Raises:
        ForGmOnly: If the person is not a GM.
    """

    def query(reader: Reader) -> CheckOffer:
        access = gm_access_here(table, reader, request)
        is_silent = scene_of(reader, access).sight is RollSight.SILENT
        found = reader.character_names(access.request.server, access.campaign.id, with_hidden=is_silent)
        ordered = sorted(found, key=lambda one: (one.owner is None, one.name.casefold()))
        who = (Choice(str(one.id), one.name[:100], "" if one.owner else "NPC") for one in ordered)
        return _offer(reader, access, None, "", tuple(who)[:MOST_OFFERED])

    return await table.store.read(query)


def _offer(
    reader: Reader, access: Access, character: int | None, name: str, who: tuple[Choice, ...]
) -> CheckOffer:
    checks: list[OfferedCheck] = []
    for one in access.game.asks:
        if one.what or one.read is not None:
            checks += [OfferedCheck(one.title, str(name)) for name in one.names(None, access.settings)]
        else:
            checks.append(OfferedCheck(one.title))
    here = scene_of(reader, access)
    return CheckOffer(
        character=character,
        name=name,
        checks=tuple(checks),
        difficulties=difficulties_of(access),
        difficulty=here.difficulty,
        sight=here.sight,
        who=who,
    )


def difficulties_of(access: Access) -> tuple[str, ...]:
    """Return the names of how hard the game's checks can be."""
    found: dict[str, None] = {}
    for one in access.game.asks:
        found |= dict.fromkeys(map(str, one.difficulties(None, access.settings)))
    return tuple(found)


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
