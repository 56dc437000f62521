"""Games of one's own on a server: drafts, published versions, and what publishing changes."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, replace

from bot.rules import covers
from bot.rules.kernel import Choice, Odds, Ruleset
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.own.game_parts import OwnGame
from bot.rules.own.game_problems import GameProblem
from bot.rules.own.game_report import SHOWN_PROBLEMS, checked_game
from bot.store.records import CampaignRecord, OwnGameRecord, OwnGameVersion
from bot.store.transaction import Reader
from bot.table.base.access import as_played, is_gm, own_character
from bot.table.base.request import Request
from bot.table.base.table import Table, own_key
from bot.table.base.turn import ReadTurn, Turn, look, unit
from bot.table.journal.suggest import matching

MOST_GAMES = 10  # own games of a server
HASH_LENGTH = 24


class NotForYou(UserError):
    """Only a GM writes games."""

    def __init__(self) -> None:
        super().__init__("Only a GM can do that (a GM of a campaign here, or Manage Server).")


class NoSuchGame(UserError):
    """The server has no own game of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"There is no game of your own called “{name}” here.", try_this="See all of them with /game list."
        )


class GameHasProblems(UserErrors):
    """A game's file has problems; nothing was published.

    Args:
        problems: All of them.
    """

    def __init__(self, problems: tuple[GameProblem, ...]) -> None:
        shown = tuple(map(str, problems[:SHOWN_PROBLEMS]))
        more = len(problems) - len(shown)
        super().__init__((*shown, f"… and {more} more.") if more else shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnGameLine:
    """An own game in a list."""

    key: str  # its name in the server, and its command
    title: str  # its name as people write it
    version: int  # how often it was published; 0 for a draft alone
    has_draft: bool
    campaigns: tuple[str, ...]  # the campaigns that play it


@dataclass(frozen=True, slots=True)
class GameText:
    """An own game as a file."""

    key: str
    text: str


def hash_of(text: str) -> str:
    """Return the hash by which a version is found."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_LENGTH]


async def checked(table: Table, text: str) -> OwnGame:
    """Read a game's file and prove the game, off the event loop.

    Raises:
        GameHasProblems: If it has any problem.
    """
    game, problems = await table.computing.run(lambda: checked_game(text))
    if game is None:
        raise GameHasProblems(problems)
    return game


def campaigns_of(reader: Reader, request: Request, key: str) -> list[CampaignRecord]:
    """Return the campaigns of the server that play a game."""
    return [one for one in reader.campaigns(request.server) if one.ruleset == own_key(key)]


def assert_may_write(reader: Reader, request: Request, key: str | None = None) -> None:
    """Refuse whoever may not write games here, or not this one, because others lead a campaign of it.

    Raises:
        NotForYou: If they are no GM.
    """
    if request.manages_server:
        return
    playing = campaigns_of(reader, request, key) if key is not None else []
    led = [is_gm(reader, request, one) for one in playing or reader.campaigns(request.server)]
    if not (all(led) if playing else any(led)):
        raise NotForYou


# --- drafts ------------------------------------------------------------------------------------


@look()
def own_game(at: ReadTurn, key: str) -> OwnGameRecord:
    """Return an own game with its draft, for who may write it.

    Raises:
        NoSuchGame: If there is none of that key.
    """
    assert_may_write(at.reader, at.request, key)
    found = at.reader.own_game(at.server, key)
    if found is None:
        raise NoSuchGame(key)
    return found


@unit()
def save_draft(at: Turn, key: str, text: str) -> OwnGameRecord:
    """Save the draft of a game, new or published.

    Raises:
        UserError: If the server has too many.
    """
    assert_may_write(at.tx, at.request, key)
    before = at.tx.own_game(at.server, key)
    if before is None:
        assert_room(at.tx, at.request)
    saved = replace(before or OwnGameRecord(server=at.server, key=key), draft=text)
    at.tx.save_own_game(saved)
    return saved


@unit()
def drop_draft(at: Turn, key: str) -> None:
    """Discard a draft; a game that was never published goes with it."""
    assert_may_write(at.tx, at.request, key)
    before = at.tx.own_game(at.server, key)
    if before is None or before.draft is None:
        raise NoSuchGame(key)
    if before.hash is None:
        at.tx.drop_own_game(at.server, key)
    else:
        at.tx.save_own_game(replace(before, draft=None))


def assert_room(reader: Reader, request: Request) -> None:
    """Refuse another own game where the server has the most it can have."""
    if len(reader.own_games(request.server)) >= MOST_GAMES:
        raise UserError(
            f"A server can have {MOST_GAMES} games of its own.",
            try_this="Remove one that nobody plays with /game remove.",
        )


def assert_name_is_free(table: Table, key: str, reserved: Collection[str]) -> None:
    """Refuse a game whose command is already the bot's."""
    if key in reserved or key in {game.command for game in covers(table.games)}:
        raise UserError(f"/{key} is already a command.", "Choose another command in the file.")


# --- reading -----------------------------------------------------------------------------------


def text_of(reader: Reader, game: OwnGameRecord) -> str:
    """Return a game's published text, or its draft if it was never published."""
    version = None if game.hash is None else reader.own_version(game.server, game.hash)
    return version.text if version is not None else game.draft or ""


@look()
def export(at: ReadTurn, key: str) -> GameText:
    """Return a game as its GM wrote it, comments included.

    Raises:
        NoSuchGame: If there is none of that key.
    """
    assert_may_write(at.reader, at.request, key)
    found = at.reader.own_game(at.server, key)
    if found is None:
        raise NoSuchGame(key)
    return GameText(key, text_of(at.reader, found))


@look()
def listing(at: ReadTurn) -> tuple[OwnGameLine, ...]:
    """Return the server's own games."""
    return tuple(
        OwnGameLine(
            key=game.key,
            title=title_of(at.table, at.reader, game),
            version=game.version,
            has_draft=game.draft is not None,
            campaigns=tuple(one.name for one in campaigns_of(at.reader, at.request, game.key)),
        )
        for game in at.reader.own_games(at.server)
    )


def title_of(table: Table, reader: Reader, game: OwnGameRecord) -> str:
    """Return what a game is called: its name, or its key before it is published."""
    found = None if game.hash is None else table.own.version(reader, game.server, game.hash)
    return game.key if found is None else found.title


@look()
def game_choices(at: ReadTurn, typed: str) -> list[Choice]:
    """Return the server's own games to choose from."""
    titles = {title_of(at.table, at.reader, game): game.key for game in at.reader.own_games(at.server)}
    return [Choice(titles[title], title) for title in matching(titles, typed)]


# --- publishing --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A game that was just published."""

    key: str
    title: str
    version: int
    changes: tuple[str, ...]  # what changed, and whom it touches; nothing for a new game
    is_played: bool = False  # whether a campaign plays it


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What came of a file: it is published, or it waits as a draft for who has seen what it changes."""

    key: str
    title: str
    changes: tuple[str, ...]
    published: Published | None


async def publish(
    table: Table, request: Request, text: str, *, reserved: Collection[str] = frozenset()
) -> Published:
    """Check a game's text, and let the server play it; its draft is done.

    Args:
        request: Who asks: a GM.
        text: The file.
        reserved: The names of the bot's own commands.

    Raises:
        UserError: If it has problems, or may not be published now; then nothing has changed.
    """
    game = await checked(table, text)
    assert_name_is_free(table, game.file.command, reserved)
    return await _publish(table, request, game, text)


async def publish_draft(
    table: Table, request: Request, key: str, *, reserved: Collection[str] = frozenset()
) -> Published:
    """Publish a game's draft.

    Raises:
        UserError: If there is none, or as for `publish`.
    """
    found = await own_game(table, request, key)
    if found.draft is None:
        raise UserError("There is no draft any more.", "It has been published or discarded.")
    return await publish(table, request, found.draft, reserved=reserved)


async def import_(
    table: Table, request: Request, text: str, *, reserved: Collection[str] = frozenset()
) -> Imported:
    """Publish a file at once where no campaign plays the game, else keep it as a draft and say what changes.

    Raises:
        UserError: As for `publish`.
    """
    game = await checked(table, text)
    assert_name_is_free(table, game.file.command, reserved)
    key = game.file.command
    changes = await _changed_by(table, request, game)
    if changes is None:
        published = await _publish(table, request, game, text)
        return Imported(key=key, title=game.file.name, changes=(), published=published)
    await save_draft(table, request, key, text)
    return Imported(key=key, title=game.file.name, changes=changes, published=None)


@look()
def _changed_by(at: ReadTurn, game: OwnGame) -> tuple[str, ...] | None:
    """Return what publishing a game would change; None where no campaign plays it."""
    assert_may_write(at.reader, at.request, game.file.command)
    if not campaigns_of(at.reader, at.request, game.file.command):
        return None
    return ()


@unit()
def _publish(at: Turn, game: OwnGame, text: str) -> Published:
    key, hash_ = game.file.command, hash_of(text)
    assert_may_write(at.tx, at.request, key)
    before = at.tx.own_game(at.server, key)
    if before is None:
        assert_room(at.tx, at.request)
        before = OwnGameRecord(server=at.server, key=key)
    version = before.version + (before.hash != hash_)
    at.tx.save_own_version(OwnGameVersion(server=at.server, hash=hash_, text=text))
    at.tx.save_own_game(replace(before, draft=None, hash=hash_, version=version))
    playing = campaigns_of(at.tx, at.request, key)
    return Published(key=key, title=game.file.name, version=version, changes=(), is_played=bool(playing))


@unit()
def remove(at: Turn, key: str) -> str:
    """Remove a game that no campaign plays, and return its key.

    Raises:
        UserError: If one does, or there is no such game.
    """
    assert_may_write(at.tx, at.request, key)
    if at.tx.own_game(at.server, key) is None:
        raise NoSuchGame(key)
    if playing := campaigns_of(at.tx, at.request, key):
        raise UserError(
            f"{playing[0].name} plays this game.", "A game stays as long as a campaign of it exists."
        )
    at.tx.drop_own_game(at.server, key)
    at.tx.drop_unused_versions(at.server)
    return key


# --- chances -----------------------------------------------------------------------------------


async def odds(
    table: Table, request: Request, game: str, what: str, answers: str, acting: str | None
) -> tuple[str, Odds, str]:
    """Return a title, the exact chances of a move or check, and whose they are.

    Raises:
        UserError: If the place plays another game, or there is no such check.
    """
    played, sheet, name = await _asked(table, request, game, acting)
    form = played.odds
    question = form.question.model_validate({"what": what, "answers": answers, "sheet": sheet})
    found = await table.computing.run(lambda: form.answer(question))
    return f"{played.title}: {what}", found, f"for {name}" if name else "for an average character"


@look()
def _asked(at: ReadTurn, game: str, acting: str | None) -> tuple[Ruleset, dict[str, object] | None, str]:
    if at.game.key != game:
        raise UserError(f"This campaign plays {at.game.title}.", f"Its command is /{at.game.command}.")
    record = own_character(at.reader, at.access, acting)
    if record is None:
        return at.game, None, ""
    return at.game, as_played(at.game, record).sheet.model_dump(mode="json"), record.name
