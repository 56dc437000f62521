"""Suggestions while somebody types, filtered by what they may see; read-only."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from bot.rules.kernel import Choice, InChannel, Narrowed, Scene
from bot.rules.kernel.errors import UserError
from bot.store.records import CharacterRecord, NamedCharacter
from bot.store.transaction import Reader
from bot.table.base.access import (
    Access,
    NoSuchCharacter,
    access_in,
    as_played,
    campaign_here,
    is_gm,
    may_play,
)
from bot.table.base.turn import ReadTurn, look
from bot.table.journal.scenes import load_document
from bot.table.journal.shared_prompts import acting_character, scene_to_look_at

MOST = 25
MOST_LED = 200  # characters looked through for those that somebody leads
NOTHING_SAID: Mapping[str, str] = MappingProxyType({})


def matching(names: Iterable[str], typed: str) -> list[str]:
    """Return the names that contain the typed text, those beginning with it first; at most 25."""
    wanted = typed.strip().casefold()
    found = [name for name in dict.fromkeys(names) if wanted in name.casefold()]
    found.sort(key=lambda name: not name.casefold().startswith(wanted))
    return found[:MOST]


@look()
def characters(at: ReadTurn, typed: str, *, only_own: bool = False) -> list[Choice]:
    """Return the campaign's characters that the person may know of (or play)."""
    campaign = campaign_here(at.reader, at.request)
    has_all = is_gm(at.reader, at.request, campaign)
    found = at.reader.character_names(
        at.server,
        campaign.id,
        owner=None if has_all or not only_own else at.request.person,
        contains=typed.strip(),
        with_hidden=has_all,
        limit=MOST,
    )
    if only_own and not has_all:
        found = [*found, *_led(at.reader, access_in(at.table, at.reader, at.request, campaign), typed)][:MOST]
    return [Choice(one.name, one.name if one.owner is not None else f"{one.name} · GM") for one in found]


def _led(reader: Reader, access: Access, typed: str) -> Iterator[NamedCharacter]:
    """Yield the NPCs that the person plays as the player of their leader."""
    if access.game.leader is None:
        return
    server, campaign = access.request.server, access.campaign.id
    known = reader.character_names(
        server, campaign, contains=typed.strip(), with_hidden=False, limit=MOST_LED
    )
    for one in known:
        record = reader.character(server, one.id) if one.owner is None else None
        if record is not None and may_play(reader, access, record):
            yield one


@look()
def ready_made(at: ReadTurn, typed: str) -> list[Choice]:
    """Return the names of the ruleset's ready-made characters."""
    ready = at.game.creation.offered(at.access.settings)
    return [Choice(name, name) for name in matching(ready, typed)]


@look()
def things(
    at: ReadTurn,
    kind: str,
    typed: str,
    *,
    acting: str | None = None,
    said: Mapping[str, str] = NOTHING_SAID,
) -> list[Choice]:
    """Return the names of one kind of thing in the campaign's ruleset (skills, weapons, ...).

    Args:
        kind: The kind of thing.
        typed: The part of a name typed so far.
        acting: The character meant, by name; by default the person's own.
        said: The values typed into the command's other options.
    """
    offer = at.game.suggestions.get(kind)
    if offer is None:
        return [Choice(name, name) for name in matching(_kept_names(at.reader, at.access, kind), typed)]
    if isinstance(offer, InChannel):
        return [Choice(name, name) for name in matching(offer.names(_channel(at.reader, at.access)), typed)]
    record = _acting(at.reader, at.access, acting)
    character = None if record is None else as_played(at.game, record)
    if isinstance(offer, Narrowed):
        names = offer.names(character, at.access.settings, said)
    else:
        names = offer(character, at.access.settings)
    return [Choice(name, name) for name in matching(names, typed)]


def _channel(reader: Reader, access: Access) -> Scene:
    """Return the channel's scene as far as the person may see it."""
    scene = scene_to_look_at(reader, access, for_gm=access.is_gm)
    return replace(scene, channel=str(access.request.channel))


def _kept_names(reader: Reader, access: Access, kind: str) -> Iterator[str]:
    """Return the names the campaign stores for a kind; those of hidden characters only for the GM."""
    naming = access.game.named.get(kind)
    if naming is None:
        return
    server, campaign = access.request.server, access.campaign.id
    for key in reader.document_keys(server, campaign, f"{naming.document}/"):
        document = load_document(reader, access, key)
        if document is None:
            continue
        name = naming.name(document)
        owner = naming.owner(document)
        of = None if owner is None else reader.character(server, owner)
        if name is not None and (access.is_gm or of is None or not of.is_hidden):
            yield name


def _acting(reader: Reader, access: Access, name: str | None) -> CharacterRecord | None:
    """Return the acting character, even if the name is only half typed."""
    try:
        return acting_character(reader, access, name or None)
    except (NoSuchCharacter, UserError):
        return None
