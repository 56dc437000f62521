"""Games of one's own on a server: drafts, published versions, and what publishing changes."""

import tomllib
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bot.rules import covers
from bot.rules.kernel import Choice, NoOptions, Odds, Ruleset
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.kernel.game_covers import DataFiles
from bot.rules.kernel.outcome import name_key
from bot.rules.own.game_check import read_game
from bot.rules.own.game_parts import OwnGame
from bot.rules.own.game_problems import GameProblem
from bot.rules.own.game_report import SHOWN_PROBLEMS, checked_game
from bot.rules.own.game_text import as_copy, with_header
from bot.rules.own.own_ruleset import GameChange, game_changes, moved_clocks, moved_sheet
from bot.rules.own.own_sheet import CLOCKS, OwnClocks, OwnSheet
from bot.store.journalled_tables import to_text
from bot.store.records import NO_LIMIT, CampaignRecord, CharacterRecord, OwnGameRecord, OwnGameVersion
from bot.store.transaction import Reader
from bot.table.base.access import Request, access_in, as_played, is_gm, own_character
from bot.table.base.results import ChangeLine
from bot.table.base.stored_rolls import load_text
from bot.table.base.table import OWN_GAME, Table, own_hash, own_key
from bot.table.base.turn import ReadTurn, Turn, look, unit
from bot.table.journal.suggest import matching

MOST_GAMES = 10  # own games of a server
EXAMPLES = ("salt", "lamp", "ash")  # the files of the games that come with the bot


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


class OwnGameLine(Struct, frozen=True, kw_only=True):
    """An own game in a list."""

    key: str  # its name in the server, and its command
    title: str  # its name as people write it
    version: int  # how often it was published; 0 for a draft alone
    has_draft: bool
    campaigns: tuple[str, ...]  # the campaigns that play it


class GameText(Struct, frozen=True):
    """An own game as a file."""

    key: str
    text: str


async def checked(table: Table, request: Request, text: str) -> OwnGame:
    """Read a game's file and prove the game, off the event loop.

    Raises:
        GameHasProblems: If it has any problem.
    """
    game, problems = await table.computing.run(lambda: checked_game(text), request.server)
    if game is None:
        raise GameHasProblems(problems)
    return game


def campaigns_of(reader: Reader, request: Request, key: str) -> list[CampaignRecord]:
    """Return the campaigns of the server that play a game."""
    return [one for one in reader.campaigns(request.server) if one.ruleset == own_key(key)]


def _playing_another(reader: Reader, request: Request, key: str, hash_: str) -> list[CampaignRecord]:
    """Return the campaigns that play another version of a game."""
    return [one for one in campaigns_of(reader, request, key) if one.settings.get(OWN_GAME) != hash_]


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


@look()
def require_writer(at: ReadTurn) -> None:
    """Refuse whoever may write no games here.

    Raises:
        NotForYou: If they are no GM.
    """
    assert_may_write(at.reader, at.request)


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
    saved = with_draft(before or OwnGameRecord(server=at.server, key=key), text)
    at.tx.save_own_game(saved)
    return saved


def with_draft(game: OwnGameRecord, text: str) -> OwnGameRecord:
    """Return a game with another draft; the one that it had can be brought back."""
    return replace(game, draft=text, before=game.draft if game.draft != text else game.before)


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
        at.tx.save_own_game(replace(before, draft=None, before=None))


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


def examples() -> Mapping[str, str]:
    """Return the texts of the games that come with the bot, by title."""
    texts = map(DataFiles("bot.rules.own").text, EXAMPLES)
    return {str(tomllib.loads(text)["name"]): text for text in texts}


def example_choices(typed: str) -> list[Choice]:
    """Return the games that come with the bot to choose from."""
    return [Choice(title, title) for title in matching(examples(), typed)]


def example(name: str) -> str:
    """Return the text of a game that comes with the bot, by its title or a part of it.

    Raises:
        UserError: If there is none.
    """
    known = examples()
    found = [text for title, text in known.items() if name_key(name) in name_key(title)]
    if len(found) != 1:
        raise UserError(f"There is no example called “{name}”.", f"There are: {', '.join(known)}.")
    return found[0]


# --- reading -----------------------------------------------------------------------------------


def text_of(reader: Reader, game: OwnGameRecord) -> str:
    """Return a game's published text, or its draft if it was never published."""
    version = None if game.hash is None else reader.own_version(game.server, game.hash)
    return version.text if version is not None else game.draft or ""


@look()
def export(at: ReadTurn, key: str) -> GameText:
    """Return a game as its GM wrote it, comments included, below lines that say whose it is.

    Raises:
        NoSuchGame: If there is none of that key.
    """
    assert_may_write(at.reader, at.request, key)
    found = at.reader.own_game(at.server, key)
    if found is None:
        raise NoSuchGame(key)
    text = text_of(at.reader, found)
    return GameText(key, with_header(text, at.server, found.hash or own_hash(text), found.version))


@look()
def listing(at: ReadTurn) -> tuple[OwnGameLine, ...]:
    """Return the server's own games."""
    return lines_of(at)


def lines_of(at: ReadTurn) -> tuple[OwnGameLine, ...]:
    """Return the server's own games as a list has them."""
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


class Published(Struct, frozen=True, kw_only=True):
    """A game that was just published."""

    key: str
    title: str
    version: int
    changes: tuple[str, ...]  # what changed about it, in words; nothing for a new game
    touched: tuple[str, ...] = ()  # what changed about characters and clocks: who, what, before and after
    is_played: bool = False  # whether a campaign plays it
    moved: tuple[str, ...] = ()  # the campaigns that play this version from now on, and another one before


class Imported(Struct, frozen=True, kw_only=True):
    """What came of a file: it is published, or it waits as a draft for who has seen what it changes."""

    key: str
    title: str
    changes: tuple[str, ...]  # what publishing changes about it, in words
    touched: tuple[str, ...]  # what it changes about characters and clocks
    published: Published | None


async def publish(
    table: Table, request: Request, text: str, *, reserved: Collection[str] = frozenset()
) -> Published:
    """Check a game's text, and let the server play it; its draft is done.

    Args:
        request: Who asks: a GM.
        reserved: The names of the bot's own commands.

    Raises:
        UserError: If it has problems, or may not be published now; then nothing has changed.
    """
    game = await checked(table, request, text)
    assert_name_is_free(table, game.file.command, reserved)
    return await _publish(table, request, game, text)


async def publish_draft(
    table: Table, request: Request, key: str, *, reserved: Collection[str] = frozenset()
) -> Published:
    """Publish a game's draft.

    Raises:
        UserError: If there is none, or as for `publish`.
    """
    return await publish(table, request, await _draft(table, request, key), reserved=reserved)


async def publish_or_preview(
    table: Table, request: Request, key: str, *, reserved: Collection[str] = frozenset()
) -> Imported:
    """Publish a game's draft at once where no campaign plays the game, else say what that would change.

    Raises:
        UserError: As for `publish_draft`.
    """
    return await _publish_or_preview(table, request, await _draft(table, request, key), reserved)


async def _draft(table: Table, request: Request, key: str) -> str:
    found = await own_game(table, request, key)
    if found.draft is None:
        raise UserError("There is no draft any more.", "It has been published or discarded.")
    return found.draft


async def import_(
    table: Table, request: Request, text: str, *, reserved: Collection[str] = frozenset()
) -> Imported:
    """Publish a file at once where no campaign plays the game, else keep it as a draft and say what changes.

    A copy of another server's game says from then on where it comes from.

    Raises:
        NotForYou: If the person writes no games here; then nothing was read.
        UserError: As for `publish`.
    """
    await require_writer(table, request)
    copied = await table.computing.run(lambda: as_copy(text, request.server), request.server)
    return await _publish_or_preview(table, request, copied, reserved)


async def _publish_or_preview(
    table: Table, request: Request, text: str, reserved: Collection[str]
) -> Imported:
    game = await checked(table, request, text)
    assert_name_is_free(table, game.file.command, reserved)
    key = game.file.command
    found = await _changed_by(table, request, game, own_hash(text))
    if found is None:
        published = await _publish(table, request, game, text)
        return Imported(key=key, title=game.file.name, changes=(), touched=(), published=published)
    await save_draft(table, request, key, text)
    return Imported(key=key, title=game.file.name, changes=found[0], touched=found[1], published=None)


async def preview(table: Table, request: Request, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what publishing a text would change about the game, and about characters and clocks.

    Raises:
        UserError: If it has problems.
    """
    return await _changed_by(table, request, await checked(table, request, text), own_hash(text)) or ((), ())


@look()
def _changed_by(at: ReadTurn, game: OwnGame, hash_: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return what publishing a game would change; None where no campaign plays another version."""
    key = game.file.command
    assert_may_write(at.reader, at.request, key)
    playing = _playing_another(at.reader, at.request, key, hash_)
    moves = [_move(at, one, game) for one in playing]
    return None if not playing else (_changes(moves), _touched(moves))


class _Move(Struct, frozen=True):
    """What a new version does to a campaign that plays the game."""

    campaign: CampaignRecord
    sheets: tuple[tuple[CharacterRecord, OwnSheet, tuple[ChangeLine, ...]], ...]
    clocks: OwnClocks | None
    lines: tuple[ChangeLine, ...]  # all of it, for people
    changes: tuple[GameChange, ...]  # what changes about the game itself
    session: int | None  # the session that is running, or None


def _move(at: ReadTurn, campaign: CampaignRecord, game: OwnGame) -> _Move:
    """Return what a new version does to a campaign, before anything is done."""
    old = _game_of(at, campaign)
    running = at.reader.open_session(campaign.server, campaign.id)
    sheets = []
    for one in at.reader.characters(campaign.server, campaign.id, with_retired=True, limit=NO_LIMIT):
        sheet = load_text(OwnSheet, one.sheet, f"{one.name}'s sheet")
        moved, lines = moved_sheet(old, game, sheet)
        if moved != sheet:
            sheets.append((one, moved, tuple(ChangeLine(one.name, *line) for line in lines)))
    text = at.reader.document_text(campaign.server, campaign.id, CLOCKS)
    clocks = None if text is None else load_text(OwnClocks, text, "The clocks")
    moved_to, lines = (clocks, ()) if clocks is None else moved_clocks(old, game, clocks)
    return _Move(
        campaign=campaign,
        sheets=tuple(sheets),
        clocks=None if moved_to == clocks else moved_to,
        lines=(
            *(line for _, _, found in sheets for line in found),
            *(ChangeLine("Clocks", *one) for one in lines),
        ),
        changes=game_changes(old, game),
        session=None if running is None else running.number,
    )


def _game_of(at: ReadTurn, campaign: CampaignRecord) -> OwnGame:
    """Return the version that a campaign plays."""
    hash_ = str(campaign.settings.get(OWN_GAME))
    version = at.reader.own_version(campaign.server, hash_)
    game, _ = (None, ()) if version is None else read_game(version.text)
    if game is None:
        raise UserError(f"The version that {campaign.name} plays can't be read.")
    return game


def _changes(moves: Sequence[_Move]) -> tuple[str, ...]:
    """Return what publishing changes about the game."""
    found = dict.fromkeys(one.words for move in moves for one in move.changes)
    return tuple(found) or ("Nothing about the game.",)


def _touched(moves: Sequence[_Move]) -> tuple[str, ...]:
    """Return what publishing changes about characters and clocks."""
    return tuple(
        "".join((where, f"{line.who}, {line.what}: {line.before} → {line.after}"))
        for move in moves
        for where in (f"{move.campaign.name}: " if len(moves) > 1 else "",)
        for line in move.lines
    )


@unit()
def _publish(at: Turn, game: OwnGame, text: str) -> Published:
    key, hash_ = game.file.command, own_hash(text)
    assert_may_write(at.tx, at.request, key)
    before = at.tx.own_game(at.server, key)
    if before is None:
        assert_room(at.tx, at.request)
        before = OwnGameRecord(server=at.server, key=key)
    version = before.version + (before.hash != hash_)
    playing = _playing_another(at.tx, at.request, key, hash_)
    moves = [_move(at, one, game) for one in playing]
    for move in moves:
        _refuse_in_session(move)
    at.tx.save_own_version(OwnGameVersion(server=at.server, hash=hash_, text=text))
    at.tx.save_own_game(replace(before, draft=None, before=None, hash=hash_, version=version))
    for move in moves:
        _do_move(at, move, game.file.name, version, hash_)
    at.tx.drop_unused_versions(at.server)
    return Published(
        key=key,
        title=game.file.name,
        version=version,
        changes=_changes(moves) if moves else (),
        touched=_touched(moves),
        is_played=bool(campaigns_of(at.tx, at.request, key)),
        moved=tuple(one.campaign.name for one in moves),
    )


def _refuse_in_session(move: _Move) -> None:
    """Refuse to publish more than labels and additions while a session runs."""
    large = [one.words for one in move.changes if not one.is_small]
    if move.session is not None and (large or move.lines):
        raise UserError(
            f"{move.campaign.name} is in session {move.session}: publish only labels and additions now.",
            large[0] if large else f"This would change {move.lines[0].who}'s {move.lines[0].what}.",
            "End the session first; your draft is saved.",
        )


def _do_move(at: Turn, move: _Move, title: str, version: int, hash_: str) -> None:
    """Let a campaign play a new version, in one entry that can be undone."""
    campaign = move.campaign
    request = replace(at.request, interaction=f"{at.request.interaction}/{campaign.id}")
    at.tx.save_campaign(replace(campaign, settings={**campaign.settings, OWN_GAME: hash_}))
    for record, sheet, _ in move.sheets:
        at.tx.save_character(replace(record, sheet=to_text(sheet.model_dump(mode="json"))))
    if move.clocks is not None:
        at.tx.save_document(campaign.server, campaign.id, CLOCKS, move.clocks.model_dump(mode="json"))
    changed = at.tx.campaign(campaign.server, campaign.id) or campaign
    inside = Turn(at.table, at.tx, request, access_in(at.table, at.tx, request, changed))
    inside.log("game.publish", f"publishes version {version} of {title}", changes=move.lines, secret=False)


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
    table: Table,
    request: Request,
    game: str,
    what: str,
    answers: str,
    theirs: int | None,
    acting: str | None,
) -> tuple[str, Odds, str]:
    """Return a title, the exact chances of a move or check, and whose they are against what.

    Args:
        game: The key of the game.
        what: The move or check.
        answers: The answers to its questions, as they were typed.
        theirs: The number to beat, in an opposed check.
        acting: Who acts.

    Raises:
        UserError: If the place plays another game, or there is no such check.
    """
    played, sheet, name = await _asked(table, request, game, acting)
    form = played.odds
    asked = {"what": what, "answers": answers, "sheet": sheet, "theirs": theirs}
    question = form.question.model_validate(asked)
    found = await table.computing.run(lambda: form.answer(question), request.server)
    whose = (f"for {name or 'an average character'}", *form.worth(question, NoOptions()))
    return f"{played.title}: {what}", found, ", ".join(whose)


@look()
def _asked(at: ReadTurn, game: str, acting: str | None) -> tuple[Ruleset, dict[str, object] | None, str]:
    if at.game.key != game:
        raise UserError(f"This campaign plays {at.game.title}.", f"Its command is /{at.game.command}.")
    record = own_character(at.reader, at.access, acting)
    if record is None:
        return at.game, None, ""
    return at.game, as_played(at.game, record).sheet.model_dump(mode="json"), record.name
