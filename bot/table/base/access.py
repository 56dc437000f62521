"""Who asks, where, and what they may: a person's campaign, its game, their rights, and whom they play."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from bot.rules.kernel import Character, CharacterId, Document, FoeHealth, PersonId, Problem, Ruleset
from bot.rules.kernel.dice import commitment
from bot.rules.kernel.errors import WAYS_TO_JOIN, NobodyToPlay, UserError
from bot.store.journalled_tables import from_text
from bot.store.records import EVERYBODY, CampaignId, CampaignRecord, CharacterRecord, SeedRecord, ServerId
from bot.store.transaction import Reader, Transaction
from bot.table.base.stored_rolls import load, load_settings, load_text
from bot.table.base.table import OWN_GAME, OWN_PREFIX, Table, with_module

__all__ = ["BY_ITSELF", "Request", "ServerId", "by_itself", "of_nobody"]

BY_ITSELF = "Tablekeeper"  # in whose name the bot does what nobody presses
NOBODY = 0


class Request(Struct, frozen=True, kw_only=True):
    """Everything a use case needs to know about the person in front of it."""

    server: ServerId  # the server it comes from
    places: tuple[int, ...]  # thread, channel and category, nearest first; at least one
    person: int  # who asks
    person_name: str  # their name as shown in the server
    roles: frozenset[int] = frozenset()  # the Discord roles they have
    manages_server: bool = False  # whether they own the server or may manage it
    interaction: str  # id of the interaction; the same id twice is one request
    # The permissions that the bot lacks to post in the channel, as Discord calls them.
    lacks: tuple[str, ...] = ()
    message: int | None = None  # the pressed message, if it is public; else None

    @property
    def channel(self) -> int:
        """The channel of the request and of its answer."""
        return self.places[0]

    @property
    def is_by_itself(self) -> bool:
        """Whether the bot does it by itself, in nobody's name."""
        return self.person == NOBODY


def by_itself(server: ServerId, channel: int, interaction: str) -> Request:
    """Return a request for something that the bot does by itself, with a GM's rights."""
    return Request(
        server=server,
        places=(channel,),
        person=NOBODY,
        person_name=BY_ITSELF,
        manages_server=True,
        interaction=interaction,
    )


def of_nobody(server: ServerId, channel: int = 0) -> Request:
    """Return a request in nobody's name, to read what a message shows that updates itself."""
    return Request(server=server, places=(channel,), person=NOBODY, person_name="", interaction="")


WHERE_TO_ALLOW = "Anyone who manages this channel can allow it under Edit Channel > Permissions > my role."


class CannotPost(UserError):
    """The bot may not post in the channel.

    Args:
        lacks: The permissions that it lacks there.
    """

    def __init__(self, lacks: tuple[str, ...]) -> None:
        super().__init__(
            f"I can't post in this channel: I'm missing {', '.join(lacks)}.",
            WHERE_TO_ALLOW,
            "Then try again, or use another channel.",
        )


def require_posting(request: Request) -> None:
    """Raise `CannotPost` if the bot may not post."""
    if request.lacks:
        raise CannotPost(request.lacks)


def posting_notes(request: Request, what: str) -> tuple[str, ...]:
    """Return a note if something can't be posted; empty if it can."""
    if not request.lacks:
        return ()
    return (f"{what} I'm missing {', '.join(request.lacks)} in this channel. {WHERE_TO_ALLOW}",)


MOST_KNOWN = 100  # characters that a scene lists


class NoCampaign(UserError):
    """There is no campaign in this place."""

    def __init__(self) -> None:
        super().__init__(
            "There is no campaign here yet.",
            try_this="Someone with Manage Server can create one with /campaign create.",
        )


class ForGmOnly(UserError):
    """Only a GM of the campaign may do that."""

    def __init__(
        self, what: str = "Only a GM can do that (a campaign GM, the GM role, or Manage Server)."
    ) -> None:
        super().__init__(what)


class NoSuchCharacter(UserError):
    """The campaign has no character of that name that the person may know of."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"There is no character called “{name}” here." if name else "There is no such character here.",
            try_this="See who is here with /character list.",
        )


class NoCharacter(NobodyToPlay):
    """The person has no character here, or has several and hasn't chosen one.

    Args:
        has_several: Whether they could choose one.
        for_gm: Whether they could name an NPC instead.
        acting: NPCs whose turn it is.
    """

    def __init__(
        self, *, has_several: bool = False, for_gm: bool = False, acting: Sequence[str] = ()
    ) -> None:
        self.has_several = has_several
        self.may_join = not has_several and not acting
        if acting:
            super().__init__(
                f"It is the turn of {', '.join(acting)}.", try_this=f"Say who acts, such as as:{acting[0]}."
            )
        elif for_gm:
            super().__init__(
                "You have no character here.",
                try_this="Name the NPC that acts with as:, or make a character with /character create.",
            )
        elif has_several:
            super().__init__(
                "You have more than one character here.", try_this="Choose one with /character use."
            )
        else:
            super().__init__("You have no character here.", try_this=WAYS_TO_JOIN)


class Access(Struct, frozen=True):
    """A person's access to a campaign."""

    request: Request
    campaign: CampaignRecord  # the campaign of the place they asked in
    game: Ruleset
    settings: Document  # its settings, the ruleset's model, with its module attached
    is_gm: bool

    def require_gm(self) -> None:
        """Raise `ForGmOnly` unless the person is a GM."""
        if not self.is_gm:
            raise ForGmOnly

    def owns(self, character: CharacterRecord) -> bool:
        """Return whether the character is the person's own, or they are a GM."""
        return self.is_gm or character.owner == self.request.person

    def is_shown(self, people: Sequence[int]) -> bool:
        """Return whether the person sees what is shown to some people: a GM sees everything."""
        return self.is_gm or not {EVERYBODY, self.request.person}.isdisjoint(people)

    def may_see(self, character: CharacterRecord) -> bool:
        """Return whether the person may know that the character exists."""
        return self.is_gm or not character.is_hidden


def is_gm(reader: Reader, request: Request, campaign: CampaignRecord) -> bool:
    """Return whether a person is a GM of a campaign.

    A GM manages (or owns) the server, has the campaign's GM role, or is named by the campaign.
    """
    return (
        request.manages_server
        or campaign.gm_role in request.roles
        or request.person in reader.gms(campaign.server, campaign.id)
    )


def game_settings(table: Table, reader: Reader, game: Ruleset, campaign: CampaignRecord) -> Document:
    """Return the campaign's ruleset settings, with defaults filled in and its module attached."""
    stored = campaign.settings.get("game")
    settings = load_settings(game.settings, stored if isinstance(stored, dict) else {})
    return with_module(table.modules, reader, game, campaign, settings)


def game_of(table: Table, reader: Reader, campaign: CampaignRecord) -> Ruleset | None:
    """Return the game that a campaign plays; None if it no longer exists.

    Of a game of one's own, that is the version that the campaign plays.
    """
    if not campaign.ruleset.startswith(OWN_PREFIX):
        return table.games.get(campaign.ruleset)
    version = campaign.settings.get(OWN_GAME)
    return table.own.version(reader, campaign.server, version) if isinstance(version, str) else None


def access_in(table: Table, reader: Reader, request: Request, campaign: CampaignRecord) -> Access:
    """Return a person's access to a given campaign.

    Raises:
        UserError: If the campaign's game no longer exists.
    """
    game = game_of(table, reader, campaign)
    if game is None:
        raise UserError(f"The game of this campaign ({campaign.ruleset}) is not installed.")
    settings = game_settings(table, reader, game, campaign)
    return Access(request, campaign, game, settings, is_gm(reader, request, campaign))


def access_here(table: Table, reader: Reader, request: Request) -> Access:
    """Return the person's access to the campaign of the place they ask in.

    Raises:
        NoCampaign: If the place has none.
    """
    return access_in(table, reader, request, campaign_here(reader, request))


def campaign_here(reader: Reader, request: Request) -> CampaignRecord:
    """Return the campaign of the place a person asks in.

    Raises:
        NoCampaign: If the place has none.
    """
    campaign = reader.campaign_at(request.server, request.places)
    if campaign is None:
        raise NoCampaign
    return campaign


def find_character(reader: Reader, access: Access, name: str | int) -> CharacterRecord:
    """Return a character of the campaign that is not retired, by name or id.

    Raises:
        NoSuchCharacter: If there is none that the person may know of.
    """
    if isinstance(name, int):
        record = reader.character(access.request.server, name)
        if record is not None and (record.campaign != access.campaign.id or record.is_retired):
            record = None
    else:
        record = reader.character_named(access.request.server, access.campaign.id, name)
    if record is None or not access.may_see(record):
        raise NoSuchCharacter("" if isinstance(name, int) else name)
    return record


def may_play(reader: Reader, access: Access, character: CharacterRecord) -> bool:
    """Return whether the person may act as a character: as its player, a GM, or its leader's player."""
    if access.owns(character):
        return True
    if access.game.leader is None:
        return False
    leader = access.game.leader(as_played(access.game, character).sheet)
    record = None if leader is None else reader.character(access.request.server, leader)
    if record is None or record.campaign != access.campaign.id or record.is_retired:
        return False
    return access.may_see(character) and access.owns(record)


def own_character(reader: Reader, access: Access, name: str | int | None) -> CharacterRecord | None:
    """Return the character a person acts with: the one named, else their current one, else their only one.

    Raises:
        UserError: If the one named is not theirs to play.
    """
    server, person = access.request.server, access.request.person
    if name is not None:
        record = find_character(reader, access, name)
        if not may_play(reader, access, record):
            raise UserError(
                f"{record.name} isn't your character.", "Only its player or a GM can act with it."
            )
        return record
    current = reader.current_character(server, access.campaign.id, person)
    if current is not None:
        playing = reader.character(server, current)
        if playing is not None and not playing.is_retired and may_play(reader, access, playing):
            return playing
    own = reader.character_names(server, access.campaign.id, owner=person, limit=2)
    return reader.character(server, own[0].id) if len(own) == 1 else None


def require_character(reader: Reader, access: Access, name: str | int | None = None) -> CharacterRecord:
    """Return the same as `own_character`, or raise if there is none.

    Raises:
        UserError: If there is none, or the one named is not theirs to play.
    """
    record = own_character(reader, access, name)
    if record is None:
        own = reader.character_names(
            access.request.server, access.campaign.id, owner=access.request.person, limit=1
        )
        raise NoCharacter(has_several=bool(own))
    return record


def character_of(reader: Reader, access: Access, person: int, person_name: str) -> CharacterRecord:
    """Return the character that somebody plays here, as far as whoever asks may know of it.

    Raises:
        UserError: If there is none, or they have several and have not chosen one.
    """
    if person == access.request.person:
        return require_character(reader, access)
    server, campaign = access.request.server, access.campaign.id
    seen = [one for one in reader.characters(server, campaign, owner=person) if access.may_see(one)]
    current = reader.current_character(server, campaign, person)
    found = next((one for one in seen if one.id == current), seen[0] if len(seen) == 1 else None)
    if found is None and seen:
        raise UserError(
            f"{person_name} has more than one character here and hasn't chosen one.",
            try_this="See one with /character sheet.",
        )
    if found is None:
        raise UserError(f"{person_name} has no character here.")
    return found


def playing(reader: Reader, access: Access, *, with_hidden: bool) -> dict[int, list[CharacterRecord]]:
    """Return each player's current character, or all of theirs if they haven't chosen one, by player."""
    server, campaign = access.campaign.server, access.campaign.id
    owned: dict[int, list[CharacterRecord]] = {}
    for one in reader.characters(server, campaign, with_hidden=with_hidden):
        if one.owner is not None:
            owned.setdefault(one.owner, []).append(one)
    for owner, theirs in owned.items():
        current = reader.current_character(server, campaign, owner)
        owned[owner] = [one for one in theirs if one.id == current] or theirs
    return owned


def module_problems(access: Access, sheet: Document) -> tuple[Problem, ...]:
    """Return what of a sheet the campaign does not know or allow."""
    return access.game.module_problems(sheet, access.settings)


def sheet_problems_in(access: Access, sheet: Document) -> tuple[Problem, ...]:
    """Return everything about a sheet that its model accepts but the campaign does not allow."""
    return (*access.game.sheet_problems(sheet), *module_problems(access, sheet))


def known_to_all(reader: Reader, access: Access) -> tuple[CharacterId, ...]:
    """Return the campaign's characters that everybody may know of, the players' first."""
    found = reader.character_names(access.campaign.server, access.campaign.id, with_hidden=False)
    ordered = sorted(found, key=lambda one: one.owner is None)[:MOST_KNOWN]
    return tuple(CharacterId(one.id) for one in ordered)


def as_played(game: Ruleset, record: CharacterRecord) -> Character:
    """Return a stored character as the rules see it."""
    what = f"{record.name}'s sheet"
    if record.sheet_version == game.sheet_version:
        sheet = load_text(game.sheet, record.sheet, what)
    else:
        sheet = load(game.sheet, game.upgrade_sheet(from_text(record.sheet), record.sheet_version), what)
    return Character(
        id=CharacterId(record.id),
        name=record.name,
        owner=None if record.owner is None else PersonId(record.owner),
        sheet=sheet,
        resources={key: value for key, (value, _cap) in record.resources.items()},
        wounds={track: tuple(filled for filled, _ in levels) for track, levels in record.wounds.items()},
        timers=record.timers,
        is_hidden=record.is_hidden,
    )


SETTING = "foe_health"


def seen_health(campaign: CampaignRecord) -> FoeHealth:
    """Return what a campaign has set: words, if nothing."""
    return FoeHealth(str(campaign.settings.get(SETTING, FoeHealth.WORDS)))


def add_seed(table: Table, tx: Transaction, server: ServerId, campaign: CampaignId) -> SeedRecord:
    """Add a campaign's next secret seed; it is in use from now on."""
    latest = tx.seed(server, campaign)
    secret = table.new_secret()
    seed = SeedRecord(
        server=server,
        campaign=campaign,
        number=1 if latest is None else latest.number + 1,
        secret=secret,
        commitment=commitment(secret),
    )
    tx.save_seed(seed)
    return seed


def seed_in_use(tx: Reader, access: Access, number: int | None = None) -> SeedRecord:
    """Return a seed of the campaign by number; by default the one in use."""
    seed = tx.seed(access.campaign.server, access.campaign.id, number)
    if seed is None:  # a campaign is made together with its first seed
        raise LookupError(f"campaign {access.campaign.id} has no seed {number}")
    return seed


T = TypeVar("T")


class ListPage(Struct, Generic[T], frozen=True):
    """A page of a list."""

    shown: tuple[T, ...]
    number: int  # which page it is, from 0
    pages: int  # how many there are; an empty list has one

    @property
    def following(self) -> int:
        """The page after it; the first one after the last."""
        return (self.number + 1) % self.pages


def page_of(things: Sequence[T], number: int, size: int) -> ListPage[T]:
    """Return a page of a list; the last one if there are fewer."""
    pages = max(1, -(-len(things) // size))
    number = max(0, min(number, pages - 1))
    return ListPage(tuple(things[number * size : (number + 1) * size]), number, pages)
