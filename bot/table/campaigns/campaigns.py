"""Campaigns: make them, bind them to channels, name their GMs; and which games' commands a server has."""

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from bot.rules import covers
from bot.rules.kernel import OPTIONAL_RULES, Choice, Ruleset, subject_of
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game_covers import Titled
from bot.store.connection import NameTaken
from bot.store.records import CampaignId, CampaignRecord, CommandsState, Kept, ServerCommandsRecord, ServerId
from bot.store.rows import name_key
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import (
    Access,
    ForGmOnly,
    Request,
    access_in,
    add_seed,
    game_of,
    game_settings,
    is_gm,
    own_character,
)
from bot.table.base.results import ChangeLine, Result
from bot.table.base.table import OWN_GAME, OWN_PREFIX, Table
from bot.table.base.table_limits import assert_room_for_campaign
from bot.table.base.turn import ReadTurn, Turn, act, look, unit
from bot.table.base.typed_options import LONGEST_NAME, assert_unlike, one_line
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


class CampaignMade(Struct, frozen=True, kw_only=True):
    """A campaign that has just been made."""

    result: Result  # the answer
    name: str
    title: str  # its ruleset
    gms: tuple[int, ...]  # the people named as its GMs
    is_default: bool  # whether it is used wherever no other is bound
    campaign: int  # its id


class CampaignSetup(Struct, frozen=True):
    """What a GM can set up once a campaign is there."""

    name: str
    campaign: int  # its id
    gm_commands: tuple[str, ...]  # the commands that are for GMs only
    has_packs: bool  # whether its ruleset has optional rules


class CampaignLine(Struct, frozen=True, kw_only=True):
    """A campaign in a list."""

    name: str
    title: str  # its ruleset
    is_default: bool  # whether it is used wherever no other is bound
    is_archived: bool
    is_here: bool  # whether it is the one of the place asked in
    places: tuple[int, ...]  # the channels, categories and threads bound to it
    gms: tuple[int, ...]  # the people named as its GMs
    gm_role: int | None  # the role whose members are its GMs, or None
    session: int | None  # number of the session that is running, or None


# --- making and listing ------------------------------------------------------------------------


async def create(table: Table, request: Request, ruleset: str, name: str) -> CampaignMade:
    """Make a campaign together with its first secret seed.

    The server's first one is its default; each later one is bound to the place where it is made.

    Args:
        request: Who asks; they manage the server, and become a GM of the campaign.
        ruleset: Key, title or command of its ruleset.

    Raises:
        UserError: If it is not allowed.
    """
    if request.manages_server:
        with suppress(NoSuchRuleset):  # or it is a game of the server's own
            await asyncio.to_thread(find_ruleset, table, ruleset)  # loaded before others would wait for it
    return await _create(table, request, ruleset, name)


async def create_first(table: Table, request: Request, ruleset: str) -> CampaignMade:
    """Make the server's first campaign, named after its game until a GM renames it.

    Raises:
        UserError: If it is not allowed, or the server has a campaign by now.
    """
    if request.manages_server:
        await asyncio.to_thread(find_ruleset, table, ruleset)
    return await _create(table, request, ruleset, None)


@unit()
def _create(at: Turn, ruleset: str, name: str | None) -> CampaignMade:
    again = at.earlier_answer()
    if again is not None:
        return _made(at, again)
    if not at.request.manages_server:
        raise UserError(
            "Only someone who manages the server can create a campaign.",
            "You need the Manage Server permission.",
        )
    own = own_rulesets(at.table, at.tx, at.server)
    game = find_ruleset(at.table, ruleset, tuple(own.values()))
    version = next((hash_ for hash_, one in own.items() if one is game), None)
    there = at.tx.campaigns(at.server)
    if name is None and there:
        raise UserError(
            f"{there[0].name} is played here already.", try_this="Create another one with /campaign create."
        )
    assert_room_for_campaign(there)
    clean = _clean(game.title if name is None else name)
    assert_unlike(clean, (one.name for one in there))
    made = CampaignRecord(
        server=at.server,
        name=clean,
        ruleset=game.key,
        settings={} if version is None else {OWN_GAME: version},
        is_default=not any(one.is_default for one in there),
        created_at=at.table.now(),
    )
    made = replace(made, id=_save(at.tx, made))
    at.tx.set_gm(at.server, made.id, at.request.person, is_gm=True)
    if not made.is_default:
        at.tx.bind(at.server, at.request.channel, made.id)
    add_seed(at.table, at.tx, at.server, made.id)
    at = at.within(access_in(at.table, at.tx, at.request, made))
    return _made(at, at.log("campaign.create", f"creates the campaign {made.name} ({game.title})"))


def _made(at: Turn, result: Result) -> CampaignMade:
    entry = at.tx.entry(at.server, result.entry)
    campaign = None if entry is None else at.tx.campaign(at.server, entry.campaign)
    if campaign is None:  # it is made in one transaction with the entry
        raise LookupError(f"entry {result.entry} made no campaign")
    return CampaignMade(
        result=result,
        name=campaign.name,
        title=access_in(at.table, at.tx, at.request, campaign).game.title,
        gms=tuple(at.tx.gms(at.server, campaign.id)),
        is_default=campaign.is_default,
        campaign=campaign.id,
    )


@look()
def setup(at: ReadTurn, campaign: int) -> CampaignSetup:
    """Return what a GM can set up in a campaign.

    Raises:
        UserError: If the person is not its GM.
    """
    access = access_to(at, campaign)
    access.require_gm()
    subjects = map(subject_of, access.game.settings.model_fields.values())
    return CampaignSetup(
        name=access.campaign.name,
        campaign=campaign,
        gm_commands=("gm", f"{access.game.command}-gm"),
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


def own_rulesets(table: Table, reader: Reader, server: ServerId) -> dict[str, Ruleset]:
    """Return the newest versions of a server's own games, by their hashes."""
    published = [one.hash for one in reader.own_games(server) if one.hash is not None]
    found = {hash_: table.own.version(reader, server, hash_) for hash_ in published}
    return {hash_: game for hash_, game in found.items() if game is not None}


def find_ruleset(table: Table, name: str, own: Sequence[Ruleset] = ()) -> Ruleset:
    """Return a ruleset by key, title or command, or by a part of its title that no other has.

    Args:
        own: The games of the server's own.

    Raises:
        NoSuchRuleset: If there is none.
    """
    games: tuple[Titled, ...] = (*covers(table.games), *own)
    found = [
        game
        for game in games
        if name_key(name) in {name_key(known) for known in (game.key, game.title, game.command)}
    ]
    if not found:
        found = [game for game in games if name.strip() and name_key(name) in name_key(game.title)]
        if len(found) != 1:
            raise NoSuchRuleset(name, games)
    return next((game for game in own if game is found[0]), None) or table.games[found[0].key]


@look()
def listing(at: ReadTurn) -> tuple[CampaignLine, ...]:
    """Return all campaigns of the server."""
    here = at.reader.campaign_at(at.server, at.request.places)
    return tuple(_line(at.table, at.reader, one, here) for one in at.reader.campaigns(at.server))


def _line(
    table: Table, reader: Reader, campaign: CampaignRecord, here: CampaignRecord | None
) -> CampaignLine:
    running = reader.open_session(campaign.server, campaign.id)
    game = game_of(table, reader, campaign)
    return CampaignLine(
        name=campaign.name,
        title=campaign.ruleset.removeprefix(OWN_PREFIX) if game is None else game.title,
        is_default=campaign.is_default,
        is_archived=campaign.is_archived,
        is_here=here is not None and here.id == campaign.id,
        places=tuple(reader.places(campaign.server, campaign.id)),
        gms=tuple(reader.gms(campaign.server, campaign.id)),
        gm_role=campaign.gm_role,
        session=None if running is None else running.number,
    )


# --- which campaign ----------------------------------------------------------------------------


def access_to(at: ReadTurn, name: str | int | None) -> Access:
    """Return the person's access to a campaign by name or id, or to that of the place they ask in.

    Raises:
        NoSuchCampaign: If the server has none of that name.
    """
    if name is None:
        return at.access
    if isinstance(name, int):
        found = at.reader.campaign(at.server, CampaignId(name))
        if found is None:
            raise UserError("That campaign is gone.", try_this="See all of them with /campaign list.")
        return access_in(at.table, at.reader, at.request, found)
    for campaign in at.reader.campaigns(at.server):
        if name_key(campaign.name) == name_key(name):
            return access_in(at.table, at.reader, at.request, campaign)
    raise NoSuchCampaign(name)


@look()
def campaign_choices(at: ReadTurn, typed: str, *, archived: bool | None = None) -> list[Choice]:
    """Return the server's campaigns to choose from: all, or only those archived (or not)."""
    names = [
        one.name for one in at.reader.campaigns(at.server) if archived is None or one.is_archived is archived
    ]
    return [Choice(name, name) for name in matching(names, typed)]


def coded_rulesets(table: Table) -> list[Choice]:
    """Return the rulesets that the bot brings."""
    return [Choice(game.key, game.title) for game in covers(table.games)]


@look()
def ruleset_choices(at: ReadTurn, typed: str) -> list[Choice]:
    """Return the rulesets to choose from: those of the bot, and the server's own."""
    own = own_rulesets(at.table, at.reader, at.server).values()
    titles = {game.title: game.key for game in (*own, *covers(at.table.games))}
    return [Choice(titles[title], title) for title in matching(titles, typed)]


# --- changing ----------------------------------------------------------------------------------


def _led(at: Turn, name: str | int | None, *, closed: bool = False) -> Turn:
    """Return the turn in a campaign that the person leads, and that is open (or, with *closed*, archived)."""
    at = at.within(access_to(at, name))
    at.access.require_gm()
    if at.campaign.is_archived and not closed:
        raise UserError(
            f"{at.campaign.name} is archived.", try_this="Reopen it with /campaign archive reopen:True."
        )
    if closed and not at.campaign.is_archived:
        raise UserError(f"{at.campaign.name} isn't archived.")
    return at


@act()
def bind(at: Turn, place: int, place_name: str, name: str | None) -> Result:
    """Bind a campaign to a channel, category or thread.

    Args:
        place: The channel, category or thread.
        place_name: Its name as people see it.
        name: The campaign; by default that of the place asked in.

    Raises:
        UserError: If the person is not its GM, or another GM's campaign has the place.
    """
    at = _led(at, name)
    holder = _holder(at.tx, at.server, place)
    if holder is not None and holder.id == at.campaign.id:
        raise UserError(f"{place_name} is already bound to {holder.name}.")
    _require_yield(at, holder, f"is played in {place_name}")
    at.tx.bind(at.server, place, at.campaign.id)
    return at.log("campaign.bind", f"binds {place_name} to {at.campaign.name}")


@act()
def unbind(at: Turn, place: int, place_name: str) -> Result:
    """Unbind a channel, category or thread from its campaign."""
    holder = _holder(at.tx, at.server, place)
    if holder is None:
        raise UserError(
            f"No campaign is bound to {place_name}.", try_this="See all of them with /campaign list."
        )
    at = at.within(access_in(at.table, at.tx, at.request, holder))
    at.access.require_gm()
    at.tx.bind(at.server, place, None)
    return at.log("campaign.unbind", f"unbinds {place_name} from {holder.name}")


def _holder(tx: Reader, server: ServerId, place: int) -> CampaignRecord | None:
    """Return the campaign to which a place itself is bound."""
    found = tx.campaign_at(server, (place,))
    return found if found is not None and place in tx.places(server, found.id) else None


def _require_yield(at: Turn, other: CampaignRecord | None, what: str) -> None:
    """Raise `ForGmOnly` if *what* would be taken from a campaign whose GM the person is not."""
    if other is not None and not is_gm(at.tx, at.request, other):
        raise ForGmOnly(f"{other.name} {what}, and only its GM can change that.")


@act()
def set_gm(at: Turn, person: int, person_name: str, *, is_gm: bool, name: str | None = None) -> Result:
    """Name a person a GM of a campaign, or remove them."""
    at = _led(at, name)
    if (person in at.tx.gms(at.server, at.campaign.id)) is is_gm:
        raise UserError(f"{person_name} is {'already' if is_gm else 'not'} a GM of {at.campaign.name}.")
    at.tx.set_gm(at.server, at.campaign.id, person, is_gm=is_gm)
    done = f"makes {person_name} a GM of" if is_gm else f"removes {person_name} as GM of"
    return at.log("campaign.gm", f"{done} {at.campaign.name}")


@act()
def set_gm_role(at: Turn, role: int | None, role_name: str = "", name: str | None = None) -> Result:
    """Set the role whose members are GMs of a campaign; None removes it."""
    at = _led(at, name)
    _save(at.tx, replace(at.campaign, gm_role=role))
    done = f"makes {role_name} the GM role of" if role is not None else "removes the GM role of"
    return at.log("campaign.role", f"{done} {at.campaign.name}")


@act()
def refuse_unclear_gms(at: Turn, name: str | None = None) -> Result:
    """Refuse a GM's change of the GMs that names nobody, or a person and a role."""
    _led(at, name)
    raise UserError("Choose either a person or a role.")


@act()
def rename(at: Turn, new_name: str, name: str | int | None = None) -> Result:
    """Rename a campaign."""
    at = _led(at, name)
    renamed = replace(at.campaign, name=_clean(new_name))
    assert_unlike(renamed.name, (one.name for one in at.tx.campaigns(at.server) if one.id != renamed.id))
    _save(at.tx, renamed)
    line = ChangeLine("Campaign", "name", at.campaign.name, renamed.name)
    return at.log("campaign.rename", "renames the campaign", changes=(line,))


@act()
def make_default(at: Turn, name: str | None = None) -> Result:
    """Make a campaign the server's default, used wherever no other is bound."""
    at = _led(at, name)
    if at.campaign.is_default:
        raise UserError(f"{at.campaign.name} is already the default.")
    _require_yield(at, _default(at.tx, at.server), "is the default campaign")
    _save(at.tx, replace(at.campaign, is_default=True))
    return at.log("campaign.default", f"makes {at.campaign.name} the server's default campaign")


def _default(tx: Reader, server: ServerId) -> CampaignRecord | None:
    return next((one for one in tx.campaigns(server) if one.is_default), None)


@act()
def archive(at: Turn, name: str | None = None) -> Result:
    """Archive a campaign: it has no channels and can't be played; everything in it stays stored."""
    at = _led(at, name)
    running = at.tx.open_session(at.server, at.campaign.id)
    if running is not None:
        raise UserError(f"Session {running.number} is still running.", try_this="End it with /session end.")
    places = at.tx.places(at.server, at.campaign.id)
    for place in places:
        at.tx.bind(at.server, place, None)
    _save(at.tx, replace(at.campaign, is_archived=True, is_default=False))
    notes = [f"{len(places)} bound places are free."] if places else []
    if at.campaign.is_default:
        notes.append("The server has no default now; choose one with /campaign bind default:True.")
    return at.log("campaign.archive", f"archives {at.campaign.name}", notes=notes)


@act()
def unarchive(at: Turn, name: str | None) -> Result:
    """Reopen an archived campaign; it becomes the default if the server has none."""
    at = _led(at, name, closed=True)
    assert_room_for_campaign(at.tx.campaigns(at.server), is_new=False)
    is_default = _default(at.tx, at.server) is None
    _save(at.tx, replace(at.campaign, is_archived=False, is_default=is_default))
    note = "It is the server's default campaign." if is_default else "Bind it to its channels again."
    return at.log("campaign.unarchive", f"reopens {at.campaign.name}", notes=(note,))


__all__ = [
    "WEEK_SECONDS",
    "ServerId",
    "Wanted",
    "every_game",
    "forget",
    "games",
    "ids",
    "kept",
    "listen",
    "need",
    "needed",
    "note_sent",
    "outdated",
    "wanted",
]

WEEK_SECONDS = 7 * 24 * 3600


class Wanted(Struct, frozen=True):
    """The commands that a server should have."""

    server: ServerId
    seen: str  # digest of what this was chosen from
    # Each game and pack, with the time since which no campaign needs it, or None.
    needs: Mapping[str, int | None]
    fingerprint: str  # SHA-256 of the definitions that Discord has, or nothing
    ids: Mapping[str, int]  # discord's ids of these, by name


def need(game: str, pack: str = "") -> str:
    """Return the name of what a campaign needs: the commands of a game, or of one of its packs."""
    return f"{game}/{pack}" if pack else game


def needed(table: Table, reader: Reader, server: ServerId) -> frozenset[str]:
    """Return the games and packs that the server's campaigns need."""
    found: set[str] = set()
    for campaign in reader.campaigns(server):
        game = game_of(table, reader, campaign)
        if game is None or campaign.is_archived:
            continue
        packs = game.packs(game_settings(table, reader, game, campaign))
        found |= {need(game.key), *(need(game.key, pack) for pack in packs)}
    return frozenset(found)


def kept(now_needed: frozenset[str], before: Mapping[str, int | None], now: int) -> dict[str, int | None]:
    """Return what a server's commands are of: what is needed, and what was until a week ago."""
    unneeded = {key: before[key] or now for key in sorted(before) if key not in now_needed}
    lasting = {key: since for key, since in unneeded.items() if now < since + WEEK_SECONDS}
    return {**dict.fromkeys(sorted(now_needed)), **lasting}


def listen(table: Table, tell: Callable[[ServerId], None]) -> Callable[[], None]:
    """Call a listener after each commit that changed a server's campaigns.

    Returns:
        A function that stops it.
    """

    def hear(saved: Kept) -> None:
        if "campaigns" in saved.tables:
            tell(saved.server)

    return table.store.listen(hear)


async def every_game(table: Table) -> frozenset[str]:
    """Return the games of all campaigns of all servers."""
    return await table.store.read(lambda reader: reader.campaign_rulesets())


async def games(table: Table, server: ServerId) -> frozenset[str]:
    """Return the games whose commands a server may need."""
    state = await table.store.read(lambda reader: reader.commands_state(server))
    return frozenset(_games(state, _needs(state.record)))


async def outdated(table: Table, versions: Mapping[str, str]) -> dict[ServerId, bool]:
    """Return every server of this process with a campaign or commands, and whether these may have to change.

    Args:
        versions: Digests of the games' commands.
    """
    now = table.now()

    def query(reader: Reader) -> dict[ServerId, bool]:
        states = reader.commands_states(table.shards)
        return {state.server: _is_outdated(state, versions, now) for state in states}

    return await table.store.read(query)


async def wanted(table: Table, server: ServerId, versions: Mapping[str, str]) -> Wanted | None:
    """Return the commands that a server should have; None if nothing has changed."""
    now = table.now()

    def query(reader: Reader) -> Wanted | None:
        state = reader.commands_state(server)
        if not _is_outdated(state, versions, now):
            return None
        record, before = state.record, _needs(state.record)
        needs = kept(needed(table, reader, server), before, now)
        fingerprint = record.fingerprint if record else ""
        return Wanted(server, _digest(state, needs, versions), needs, fingerprint, _ids(record))

    return await table.store.read(query)


async def note_sent(table: Table, wish: Wanted, fingerprint: str, ids: Mapping[str, int]) -> None:
    """Note which commands Discord has now."""
    record = ServerCommandsRecord(
        server=wish.server, seen=wish.seen, fingerprint=fingerprint, ids=dict(ids), needs=dict(wish.needs)
    )
    if wish.needs:
        await table.store.run(lambda tx: tx.save_server_commands(record))
    else:
        await forget(table, wish.server)


async def forget(table: Table, server: ServerId) -> None:
    """Forget which commands a server has."""
    await table.store.run(lambda tx: tx.drop_server_commands(server))


async def ids(table: Table, server: ServerId) -> Mapping[str, int]:
    """Return Discord's ids of a server's own commands, by name."""
    return _ids((await table.store.read(lambda reader: reader.commands_state(server))).record)


def _is_outdated(state: CommandsState, versions: Mapping[str, str], now: int) -> bool:
    if state.record is None:
        return bool(state.played)
    is_over = any(since and now >= since + WEEK_SECONDS for since in _needs(state.record).values())
    return is_over or state.record.seen != _digest(state, _needs(state.record), versions)


def _digest(state: CommandsState, needs: Iterable[str], versions: Mapping[str, str]) -> str:
    of_games = [versions.get(_shared(game), "") for game in sorted(_games(state, needs))]
    return hashlib.sha256(json.dumps([of_games, state.played]).encode()).hexdigest()


def _shared(game: str) -> str:
    """Return what a game's commands are known by: those of all games of one's own are the same."""
    return OWN_PREFIX if game.startswith(OWN_PREFIX) else game


def _games(state: CommandsState, needs: Iterable[str]) -> set[str]:
    own = {key for key in needs if key.startswith(OWN_PREFIX)}
    return {game for game, _ in state.played} | own | {key.partition("/")[0] for key in {*needs} - own}


def _needs(record: ServerCommandsRecord | None) -> dict[str, int | None]:
    found = {} if record is None else record.needs
    return {key: since if isinstance(since, int) else None for key, since in found.items()}


def _ids(record: ServerCommandsRecord | None) -> dict[str, int]:
    found = {} if record is None else record.ids
    return {name: id_ for name, id_ in found.items() if isinstance(id_, int)}


LOOKED_AT = 200  # of the newest entries, to see what is used


class Asking(Struct, frozen=True):
    """Who asks for help, and where."""

    needs: frozenset[str]  # the game and packs played in the place; nothing where no campaign is
    is_gm: bool  # whether they are a GM there
    has_character: bool = False  # whether they play a character there
    has_session: bool = False  # whether a session is running there
    # How often each procedure was used lately, by kind of entry.
    used: Mapping[str, int] = {}


@look()
def asking(at: ReadTurn) -> Asking:
    """Return who asks for help, and where."""
    try:
        campaign = at.campaign.id
    except UserError:  # no campaign, or its game is gone: then only what all games share
        return Asking(frozenset(), at.request.manages_server)
    server, key = at.server, at.game.key
    packs = at.game.packs(at.access.settings)
    used = at.reader.kinds_used(server, campaign, with_secret=at.is_gm, limit=LOOKED_AT)
    return Asking(
        frozenset({need(key), *(need(key, pack) for pack in packs)}),
        at.is_gm,
        own_character(at.reader, at.access, None) is not None,
        at.reader.open_session(server, campaign) is not None,
        Counter(used),
    )
