"""Campaigns: make them, bind them to channels, name their GMs, archive and reopen them."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.rules import covers
from bot.rules.kernel import OPTIONAL_RULES, Choice, Ruleset, subject_of
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game_covers import Titled
from bot.store.name_keys import name_key
from bot.store.records import CampaignId, CampaignRecord, ServerId
from bot.store.store_errors import NameTaken
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, ForGmOnly, access_here, access_in, add_seed, is_gm
from bot.table.base.look_alikes import assert_unlike
from bot.table.base.names import LONGEST_NAME, one_line
from bot.table.base.request import Request
from bot.table.base.results import ChangeLine, Message, Result
from bot.table.base.table import Table
from bot.table.base.table_limits import assert_room_for_campaign
from bot.table.journal.journal import record, told_before
from bot.table.journal.suggest import matching


class NoSuchCampaign(UserError):
    """The server has no campaign of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"There is no campaign called “{name}” here.", try_this="See all of them with /campaign list."
        )


class NoSuchRuleset(UserError):
    """There is no ruleset of that name."""

    def __init__(self, name: str, games: Sequence[Titled]) -> None:
        known = ", ".join(game.title for game in games)
        super().__init__(f"There is no game called “{name}”.", f"Games: {known}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignMade:
    """A campaign that has just been made.

    Attributes:
        result: The answer.
        title: Its ruleset.
        commitment: SHA-256 of its first secret seed.
        is_default: Whether it is used wherever no other is bound.
        campaign: Its id.
        has_packs: Whether its ruleset has optional rules.
    """

    result: Result
    title: str
    commitment: str
    is_default: bool
    campaign: int
    has_packs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignLine:
    """A campaign in a list.

    Attributes:
        name: Its name.
        title: Its ruleset.
        is_default: Whether it is used wherever no other is bound.
        is_archived: Whether it is archived.
        is_here: Whether it is the one of the place asked in.
        places: The channels, categories and threads bound to it.
        gms: The people named as its GMs.
        gm_role: The role whose members are its GMs, or None.
        session: Number of the session that is running, or None.
    """

    name: str
    title: str
    is_default: bool
    is_archived: bool
    is_here: bool
    places: tuple[int, ...]
    gms: tuple[int, ...]
    gm_role: int | None
    session: int | None


# --- making and listing ------------------------------------------------------------------------


async def create(table: Table, request: Request, ruleset: str, name: str) -> CampaignMade:
    """Make a campaign together with its first secret seed.

    The server's first one is its default; each later one is bound to the place where it is made.

    Args:
        table: The table.
        request: Who asks; they manage the server, and become a GM of the campaign.
        ruleset: Key, title or command of its ruleset.
        name: Its name.

    Raises:
        UserError: If it is not allowed.
    """

    def unit(tx: Transaction) -> CampaignMade:
        again = told_before(tx, request)
        if again is not None:
            return _made(table, tx, request, again)
        if not request.manages_server:
            raise UserError(
                "Only someone who manages the server can create a campaign.",
                "You need the Manage Server permission.",
            )
        game = find_ruleset(table, ruleset)
        there = tx.campaigns(request.server)
        assert_room_for_campaign(there)
        assert_unlike(_clean(name), (one.name for one in there))
        made = CampaignRecord(
            server=request.server,
            name=_clean(name),
            ruleset=game.key,
            is_default=not any(one.is_default for one in tx.campaigns(request.server)),
            created_at=table.now(),
        )
        made = replace(made, id=_save(tx, made))
        tx.set_gm(request.server, made.id, request.person, is_gm=True)
        if not made.is_default:
            tx.bind(request.server, request.channel, made.id)
        add_seed(table, tx, request.server, made.id)
        message = Message(
            who=request.person_name, headline=f"creates the campaign {made.name} ({game.title})"
        )
        access = access_in(table, tx, request, made)
        return _made(table, tx, request, record(table, tx, access, "campaign.create", message))

    if request.manages_server:
        await asyncio.to_thread(find_ruleset, table, ruleset)  # loaded before others would wait for it
    return await table.store.run(unit)


def _made(table: Table, tx: Reader, request: Request, result: Result) -> CampaignMade:
    entry = tx.entry(request.server, result.entry)
    campaign = None if entry is None else tx.campaign(request.server, entry.campaign)
    seed = None if campaign is None else tx.seed(request.server, campaign.id, 1)
    if campaign is None or seed is None:  # they are made in one transaction with the entry
        raise LookupError(f"entry {result.entry} made no campaign")
    game = table.games[campaign.ruleset]
    subjects = map(subject_of, game.settings.model_fields.values())
    return CampaignMade(
        result=result,
        title=game.title,
        commitment=seed.commitment,
        is_default=campaign.is_default,
        campaign=campaign.id,
        has_packs=any(subject.startswith(OPTIONAL_RULES) for subject in subjects),
    )


def _clean(name: str) -> str:
    clean = one_line(name)
    if not 1 <= len(clean) <= LONGEST_NAME:
        raise UserError(f"A campaign's name has 1 to {LONGEST_NAME} characters; this one has {len(clean)}.")
    return clean


def _save(tx: Transaction, campaign: CampaignRecord) -> CampaignId:
    try:
        return tx.save_campaign(campaign)
    except NameTaken:
        raise UserError(
            f"There is already a campaign called “{campaign.name}”.", "Choose another name."
        ) from None


def find_ruleset(table: Table, name: str) -> Ruleset:
    """Return a ruleset by key, title or command, or by a part of its title that no other has.

    Raises:
        NoSuchRuleset: If there is none.
    """
    games = covers(table.games)
    for game in games:
        if name_key(name) in {name_key(known) for known in (game.key, game.title, game.command)}:
            return table.games[game.key]
    partly = [game for game in games if name.strip() and name_key(name) in name_key(game.title)]
    if len(partly) != 1:
        raise NoSuchRuleset(name, games)
    return table.games[partly[0].key]


async def listing(table: Table, request: Request) -> tuple[CampaignLine, ...]:
    """Return all campaigns of the server."""

    def query(reader: Reader) -> tuple[CampaignLine, ...]:
        here = reader.campaign_at(request.server, request.places)
        return tuple(_line(table, reader, one, here) for one in reader.campaigns(request.server))

    return await table.store.read(query)


def _line(
    table: Table, reader: Reader, campaign: CampaignRecord, here: CampaignRecord | None
) -> CampaignLine:
    running = reader.open_session(campaign.server, campaign.id)
    return CampaignLine(
        name=campaign.name,
        title=table.games[campaign.ruleset].title,
        is_default=campaign.is_default,
        is_archived=campaign.is_archived,
        is_here=here is not None and here.id == campaign.id,
        places=tuple(reader.places(campaign.server, campaign.id)),
        gms=tuple(reader.gms(campaign.server, campaign.id)),
        gm_role=campaign.gm_role,
        session=None if running is None else running.number,
    )


# --- which campaign ----------------------------------------------------------------------------


def access_to(table: Table, reader: Reader, request: Request, name: str | int | None) -> Access:
    """Return the person's access to a campaign by name or id, or to that of the place they ask in.

    Raises:
        NoSuchCampaign: If the server has none of that name.
    """
    if name is None:
        return access_here(table, reader, request)
    if isinstance(name, int):
        found = reader.campaign(request.server, CampaignId(name))
        if found is None:
            raise UserError("That campaign is gone.", try_this="See all of them with /campaign list.")
        return access_in(table, reader, request, found)
    for campaign in reader.campaigns(request.server):
        if name_key(campaign.name) == name_key(name):
            return access_in(table, reader, request, campaign)
    raise NoSuchCampaign(name)


async def campaign_choices(
    table: Table, request: Request, typed: str, *, archived: bool | None = None
) -> list[Choice]:
    """Return the server's campaigns to choose from: all, or only those archived (or not)."""

    def query(reader: Reader) -> list[Choice]:
        names = [
            one.name
            for one in reader.campaigns(request.server)
            if archived is None or one.is_archived is archived
        ]
        return [Choice(name, name) for name in matching(names, typed)]

    return await table.store.read(query)


def ruleset_choices(table: Table, typed: str) -> list[Choice]:
    """Return the rulesets to choose from."""
    titles = {game.title: game.key for game in covers(table.games)}
    return [Choice(titles[title], title) for title in matching(titles, typed)]


def _message(access: Access, headline: str, *changes: ChangeLine, notes: tuple[str, ...] = ()) -> Message:
    return Message(who=access.request.person_name, headline=headline, changes=changes, notes=notes)


# --- changing ----------------------------------------------------------------------------------

Change = Callable[[Transaction, Access], Message]


async def _change(
    table: Table, request: Request, name: str | None, kind: str, change: Change, *, closed: bool = False
) -> Result:
    """Run a GM's change to a campaign that is open (or, with *closed*, archived)."""

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        access = access_to(table, tx, request, name)
        access.require_gm()
        if access.campaign.is_archived and not closed:
            raise UserError(
                f"{access.campaign.name} is archived.",
                try_this="Reopen it with /campaign archive reopen:True.",
            )
        if closed and not access.campaign.is_archived:
            raise UserError(f"{access.campaign.name} isn't archived.")
        return record(table, tx, access, kind, change(tx, access))

    return await table.store.run(unit)


async def bind(table: Table, request: Request, place: int, place_name: str, name: str | None) -> Result:
    """Bind a campaign to a channel, category or thread.

    Args:
        table: The table.
        request: Who asks.
        place: The channel, category or thread.
        place_name: Its name as people see it.
        name: The campaign; by default that of the place asked in.

    Raises:
        UserError: If the person is not its GM, or another GM's campaign has the place.
    """

    def change(tx: Transaction, access: Access) -> Message:
        holder = _holder(tx, request.server, place)
        if holder is not None and holder.id == access.campaign.id:
            raise UserError(f"{place_name} is already bound to {holder.name}.")
        _require_yield(tx, access, holder, f"is played in {place_name}")
        tx.bind(request.server, place, access.campaign.id)
        return _message(access, f"binds {place_name} to {access.campaign.name}")

    return await _change(table, request, name, "campaign.bind", change)


async def unbind(table: Table, request: Request, place: int, place_name: str) -> Result:
    """Unbind a channel, category or thread from its campaign."""

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return again
        holder = _holder(tx, request.server, place)
        if holder is None:
            raise UserError(
                f"No campaign is bound to {place_name}.", try_this="See all of them with /campaign list."
            )
        access = access_in(table, tx, request, holder)
        access.require_gm()
        tx.bind(request.server, place, None)
        message = _message(access, f"unbinds {place_name} from {holder.name}")
        return record(table, tx, access, "campaign.unbind", message)

    return await table.store.run(unit)


def _holder(tx: Reader, server: ServerId, place: int) -> CampaignRecord | None:
    """Return the campaign to which a place itself is bound."""
    found = tx.campaign_at(server, (place,))
    return found if found is not None and place in tx.places(server, found.id) else None


def _require_yield(tx: Reader, access: Access, other: CampaignRecord | None, what: str) -> None:
    """Raise `ForGmOnly` if *what* would be taken from a campaign whose GM the person is not."""
    if other is not None and not is_gm(tx, access.request, other):
        raise ForGmOnly(f"{other.name} {what}, and only its GM can change that.")


async def set_gm(
    table: Table, request: Request, person: int, person_name: str, *, is_gm: bool, name: str | None = None
) -> Result:
    """Name a person a GM of a campaign, or remove them."""

    def change(tx: Transaction, access: Access) -> Message:
        if (person in tx.gms(request.server, access.campaign.id)) is is_gm:
            raise UserError(
                f"{person_name} is {'already' if is_gm else 'not'} a GM of {access.campaign.name}."
            )
        tx.set_gm(request.server, access.campaign.id, person, is_gm=is_gm)
        done = "makes {} a GM of" if is_gm else "removes {} as GM of"
        return _message(access, f"{done.format(person_name)} {access.campaign.name}")

    return await _change(table, request, name, "campaign.gm", change)


async def set_gm_role(
    table: Table, request: Request, role: int | None, role_name: str = "", name: str | None = None
) -> Result:
    """Set the role whose members are GMs of a campaign; None removes it."""

    def change(tx: Transaction, access: Access) -> Message:
        _save(tx, replace(access.campaign, gm_role=role))
        said = f"makes {role_name} the GM role of" if role is not None else "removes the GM role of"
        return _message(access, f"{said} {access.campaign.name}")

    return await _change(table, request, name, "campaign.role", change)


async def refuse_unclear_gms(table: Table, request: Request, name: str | None = None) -> Result:
    """Refuse a GM's change of the GMs that names nobody, or a person and a role."""

    def change(_tx: Transaction, _access: Access) -> Message:
        raise UserError("Choose either a person or a role.")

    return await _change(table, request, name, "campaign.gm", change)


async def rename(table: Table, request: Request, new_name: str, name: str | None = None) -> Result:
    """Rename a campaign."""

    def change(tx: Transaction, access: Access) -> Message:
        renamed = replace(access.campaign, name=_clean(new_name))
        others = (one.name for one in tx.campaigns(access.campaign.server) if one.id != renamed.id)
        assert_unlike(renamed.name, others)
        _save(tx, renamed)
        line = ChangeLine("Campaign", "name", access.campaign.name, renamed.name)
        return _message(access, "renames the campaign", line)

    return await _change(table, request, name, "campaign.rename", change)


async def make_default(table: Table, request: Request, name: str | None = None) -> Result:
    """Make a campaign the server's default, used wherever no other is bound."""

    def change(tx: Transaction, access: Access) -> Message:
        if access.campaign.is_default:
            raise UserError(f"{access.campaign.name} is already the default.")
        _require_yield(tx, access, _default(tx, request.server), "is the default campaign")
        _save(tx, replace(access.campaign, is_default=True))
        return _message(access, f"makes {access.campaign.name} the server's default campaign")

    return await _change(table, request, name, "campaign.default", change)


def _default(tx: Reader, server: ServerId) -> CampaignRecord | None:
    return next((one for one in tx.campaigns(server) if one.is_default), None)


async def archive(table: Table, request: Request, name: str | None = None) -> Result:
    """Archive a campaign: it has no channels and can't be played; everything in it stays stored."""

    def change(tx: Transaction, access: Access) -> Message:
        running = tx.open_session(request.server, access.campaign.id)
        if running is not None:
            raise UserError(
                f"Session {running.number} is still running.", try_this="End it with /session end."
            )
        places = tx.places(request.server, access.campaign.id)
        for place in places:
            tx.bind(request.server, place, None)
        _save(tx, replace(access.campaign, is_archived=True, is_default=False))
        notes = [f"{len(places)} bound places are free."] if places else []
        if access.campaign.is_default:
            notes.append("The server has no default now; choose one with /campaign bind default:True.")
        return _message(access, f"archives {access.campaign.name}", notes=tuple(notes))

    return await _change(table, request, name, "campaign.archive", change)


async def unarchive(table: Table, request: Request, name: str | None) -> Result:
    """Reopen an archived campaign; it becomes the default if the server has none."""

    def change(tx: Transaction, access: Access) -> Message:
        assert_room_for_campaign(tx.campaigns(request.server), is_new=False)
        is_default = _default(tx, request.server) is None
        _save(tx, replace(access.campaign, is_archived=False, is_default=is_default))
        note = "It is the server's default campaign." if is_default else "Bind it to its channels again."
        return _message(access, f"reopens {access.campaign.name}", notes=(note,))

    return await _change(table, request, name, "campaign.unarchive", change, closed=True)
