"""A game of one's own while it is written: a draft changed by forms, looked at, tried and published."""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import lru_cache, partial
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.own.game_check import read_game
from bot.rules.own.game_file import KEY
from bot.rules.own.game_forms import (
    NEW_ROLL,
    MoveForm,
    RollForm,
    begun,
    head_of,
    labels_of,
    move_form,
    roll_form,
    rolls_of,
    stats_of,
    with_head,
    with_move,
    with_roll,
)
from bot.rules.own.game_lists import ListPart, beside_of, lines_of_part, with_lines
from bot.rules.own.game_problems import GameProblem
from bot.rules.own.game_report import (
    Asked,
    TypicalChances,
    checked_game,
    rolled,
    typical_chances,
)
from bot.rules.own.game_text import Edited
from bot.store.records import OwnGameRecord
from bot.table import own_games
from bot.table.base.access import Request
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, look, unit
from bot.table.own_games import NoSuchGame, OwnGameLine

T = TypeVar("T")

SHOWN_PROBLEMS = 4
SHOWN_ROLLS = 3
LONGEST_COMMAND = 32
TRIES = 3  # where a draft is changed by two at once


class DraftCheck(Struct, frozen=True):
    """What is in a draft, and what is wrong with it or how likely its results are."""

    name: str
    rolls: Mapping[str, str]  # labels by key
    moves: Mapping[str, str]
    problems: tuple[str, ...] = ()
    chances: tuple[TypicalChances, ...] = ()


class DraftPage(Struct, frozen=True):
    """A draft as its page shows it."""

    key: str  # also its command
    version: int  # how often it was published
    is_changed: bool  # whether it has a draft
    undo: str  # the mark of a draft whose last change can be undone; else nothing
    checked: DraftCheck
    refused: tuple[str, ...] = ()  # what the last form said and was not understood
    removed: tuple[str, ...] = ()  # what it took away, as lines
    tried: tuple[str, ...] = ()  # what came of a roll


class NoCommand(UserError):
    """What was typed can't be a command."""

    def __init__(self) -> None:
        super().__init__(
            "A command is one word: small letters, digits and _, such as night_train.",
            f"It begins with a letter and has {LONGEST_COMMAND} characters at most.",
        )


class OwnDraft(Struct, frozen=True):
    """A game as it is being written: its draft, or what is published where nothing was changed since."""

    game: OwnGameRecord
    text: str

    @property
    def is_published(self) -> bool:
        """Whether a version of it can be played, so that characters may have what is in it."""
        return self.game.hash is not None


def _draft(at: ReadTurn, key: str) -> OwnDraft:
    own_games.assert_may_write(at.reader, at.request, key)
    game = at.reader.own_game(at.server, key)
    if game is None:
        raise NoSuchGame(key)
    return OwnDraft(game, own_games.text_of(at.reader, game) if game.draft is None else game.draft)


@lru_cache(maxsize=32)
def _checked(text: str) -> DraftCheck:
    """Check a game; the last ones are remembered, as every page of a draft shows this."""
    labels = labels_of(text)
    name = labels.get("", "")
    rolls = {where[len("checks.") :]: label for where, label in labels.items() if where.startswith("checks.")}
    moves = {where[len("moves.") :]: label for where, label in labels.items() if where.startswith("moves.")}
    game, problems = checked_game(text)
    if game is None or problems:
        return DraftCheck(name, rolls, moves, tuple(_in_words(one, labels) for one in problems))
    return DraftCheck(name, rolls, moves, (), typical_chances(game))


def _in_words(problem: GameProblem, labels: Mapping[str, str]) -> str:
    """A problem with the name of what has it, as people who write by forms know it."""
    label = labels.get(problem.where)
    if label is None:
        return str(problem)
    line = f" (line {problem.line})" if problem.line is not None else ""
    field, colon, sentence = problem.text.partition(": ")
    for written, shown in _FIELDS.items():
        field = re.sub(rf"^{written}\b", shown, field)
    return f"{label}, {field}{colon}{sentence}{line}"


# What a form calls the fields of a file.
_FIELDS = {
    "do": "what happens",
    "with": "stat",
    "check": "roll",
    "tiers": "results",
    "ask": "questions",
    "after": "buttons",
}


# --- writing ---------------------------------------------------------------------------------------


async def page(table: Table, request: Request, key: str) -> DraftPage:
    """Return a draft as its page shows it, checked as a whole.

    Raises:
        UserError: If the person may not see it, or there is none.
    """
    draft = await _open(table, request, key)
    return _page(draft, await _computed(table, request, lambda: _checked(draft.text)))


def _page(draft: OwnDraft, checked: DraftCheck) -> DraftPage:
    game = draft.game
    undo = "" if game.before is None else mark_of(draft.text)
    return DraftPage(game.key, game.version, game.draft is not None, undo, checked)


async def _shown(table: Table, request: Request, key: str, show: Callable[[str], T]) -> T:
    """What a form shows of a draft; a long text is read beside the event loop."""
    draft = await _open(table, request, key)
    return await asyncio.to_thread(show, draft.text)


@look()
def drafts(at: ReadTurn) -> tuple[OwnGameLine, ...]:
    """Return the server's own games, for who may write some.

    Raises:
        NotForYou: If the person may not.
    """
    own_games.assert_may_write(at.reader, at.request)
    return own_games.lines_of(at)


@look()
def _open(at: ReadTurn, key: str) -> OwnDraft:
    return _draft(at, key)


@unit()
def begin(at: Turn, skeleton: str, name: str, command: str, reserved: Collection[str] = frozenset()) -> str:
    """Begin a game, and return the key of its draft.

    Args:
        skeleton: What it begins with.
        reserved: The names of the bot's own commands.

    Raises:
        UserError: If the person may not, the command is taken, or the server has the most games it can have.
    """
    own_games.assert_may_write(at.tx, at.request)
    key, text = _command(command), begun(skeleton, name, _command(command))
    before = at.tx.own_game(at.server, key)
    if before is not None and before.draft == text:  # sent twice
        return key
    _assert_free(at, key, reserved)
    own_games.assert_room(at.tx, at.request)
    at.tx.save_own_game(OwnGameRecord(server=at.server, key=key, draft=text))
    return key


def _command(typed: str) -> str:
    key = typed.strip().removeprefix("/").casefold()
    if not re.fullmatch(KEY, key):
        raise NoCommand
    return key


def _assert_free(at: Turn, key: str, reserved: Collection[str]) -> None:
    own_games.assert_name_is_free(at.table, key, reserved)
    if at.tx.own_game(at.server, key) is not None:
        raise UserError(f"This server has a game with the command /{key} already.", "Choose another command.")


Change = Callable[[OwnDraft], Edited]
Shown = Callable[[str], object]


class ChangedMeanwhile(UserError):
    """A form shows what is no longer in the draft."""

    def __init__(self) -> None:
        super().__init__(
            "Somebody else has changed this since you opened the form, so nothing was saved.",
            "Open it again.",
        )


def mark_of(shown: object) -> str:
    """Return what tells whether a form still shows what is in the draft."""
    return hashlib.sha256(repr(shown).encode("utf-8", "replace")).hexdigest()[:8]


def _changed(draft: OwnDraft, change: Change, shown: Shown, mark: str) -> Edited:
    edited = change(draft)
    if edited.text != draft.text and mark and mark_of(shown(draft.text)) != mark:
        raise ChangedMeanwhile  # else it was sent twice
    return edited


@unit()
def _save(at: Turn, key: str, before: str, text: str) -> bool:
    """Save a changed draft, and return whether it was still as it was."""
    draft = _draft(at, key)
    if draft.text == before != text:
        at.tx.save_own_game(replace(draft.game, draft=text, before=draft.text))
    return draft.text == before


async def _edited(
    table: Table, request: Request, key: str, change: Change, shown: Shown, mark: str
) -> DraftPage:
    """Change a draft off the event loop and outside of a transaction, and return its page."""
    for _ in range(TRIES):
        draft = await _open(table, request, key)
        edited = await _computed(table, request, partial(_changed, draft, change, shown, mark))
        if await _save(table, request, key, draft.text, edited.text):
            return replace(await page(table, request, key), refused=edited.refused, removed=edited.removed)
    raise ChangedMeanwhile


def _computed(table: Table, request: Request, compute: Callable[[], T]) -> Awaitable[T]:
    return table.computing.run(compute, request.server)


@unit()
def undo(at: Turn, key: str, mark: str) -> None:
    """Bring back the draft as it was before its last change; undone again, the change returns.

    Args:
        mark: The mark of the draft that is taken back; another one stays as it is.
    """
    draft = _draft(at, key)
    if draft.game.before is not None and mark_of(draft.text) == mark:
        at.tx.save_own_game(replace(draft.game, draft=draft.game.before, before=draft.text))


async def list_form(table: Table, request: Request, key: str, part: ListPart) -> tuple[str, str]:
    """Return a list of a draft, one thing a line, and what its form shows besides.

    Raises:
        UserError: If the person may not see it, or forms can't show it.
    """
    return await _shown(table, request, key, lambda text: (lines_of_part(text, part), beside_of(text, part)))


async def save_list(
    table: Table,
    request: Request,
    key: str,
    part: ListPart,
    typed: str,
    beside: str | None = None,
    mark: str = "",
) -> DraftPage:
    """Change a list to what was typed, one thing a line, and return the draft's page.

    Args:
        beside: What the form shows besides, one thing a line; None leaves it as it is.
        mark: The mark of what the form showed.
    """
    return await _edited(
        table,
        request,
        key,
        lambda draft: with_lines(draft.text, part, typed, beside=beside, is_published=draft.is_published),
        lambda text: (lines_of_part(text, part), beside_of(text, part)),
        mark,
    )


async def roll_asked(table: Table, request: Request, key: str, check: str) -> RollForm:
    """Return a roll as its form shows it; what a new one may look like for an empty name."""
    return await _shown(table, request, key, lambda text: roll_form(text, check) if check else NEW_ROLL)


async def save_roll(
    table: Table, request: Request, key: str, check: str, form: RollForm, mark: str = ""
) -> DraftPage:
    """Make, change or remove a roll, and return the draft's page; arguments as for `save_list`."""
    return await _edited(
        table,
        request,
        key,
        lambda draft: with_roll(draft.text, check, form),
        lambda text: roll_form(text, check),
        mark,
    )


class MoveAsked(Struct, frozen=True):
    """What the form of a move shows."""

    form: MoveForm
    rolls: Mapping[str, str]  # labels by key
    stats: Mapping[str, str]


async def move_asked(table: Table, request: Request, key: str, move: str) -> MoveAsked:
    """Return a move as its form shows it, and what it can roll; a new one for an empty name."""

    def show(text: str) -> MoveAsked:
        rolls = rolls_of(text)
        form = move_form(text, move) if move else MoveForm(check=next(iter(rolls), ""))
        return MoveAsked(form, rolls, stats_of(text))

    return await _shown(table, request, key, show)


async def save_move(
    table: Table, request: Request, key: str, move: str, form: MoveForm, mark: str = ""
) -> DraftPage:
    """Make, change or remove a move, and return the draft's page; arguments as for `save_list`."""
    return await _edited(
        table,
        request,
        key,
        lambda draft: with_move(draft.text, move, form),
        lambda text: move_form(text, move),
        mark,
    )


async def head_asked(table: Table, request: Request, key: str) -> tuple[str, str, str]:
    """Return a draft's name, its command, and what it is about."""
    return await _shown(table, request, key, head_of)


async def save_head(
    table: Table,
    request: Request,
    key: str,
    name: str,
    command: str,
    about: str,
    reserved: Collection[str] = frozenset(),
) -> str:
    """Give a draft its name, its command and what it is about, and return its key.

    Args:
        command: The command; that of a published game stays.
        reserved: The names of the bot's own commands.

    Raises:
        UserError: If the person may not, or the command can't be this.
    """
    draft, new = await _open(table, request, key), _command(command)
    text = await _computed(table, request, lambda: with_head(draft.text, name, new, about))
    await _save_head(table, request, draft, new, text, reserved)
    return new


@unit()
def _save_head(at: Turn, before: OwnDraft, new: str, text: str, reserved: Collection[str]) -> None:
    key = before.game.key
    draft = _draft(at, key)
    if draft.text != before.text:
        raise ChangedMeanwhile
    if new != key and draft.is_published:
        raise UserError(f"The command of a published game stays: /{key}.", "You can change its name.")
    if new != key:
        _assert_free(at, new, reserved)
        at.tx.drop_own_game(at.server, key)
    if new != key or text != draft.text:
        earlier = draft.text if new == key else None  # the text before has another command
        at.tx.save_own_game(replace(draft.game, key=new, draft=text, before=earlier))


async def try_roll(table: Table, request: Request, key: str, which: str) -> DraftPage:
    """Roll a check or a move of a draft for an average character; nothing of it is stored.

    Raises:
        UserError: If the person may not, or the draft has problems.
    """
    draft = await _open(table, request, key)
    dice = FairDice(table.new_secret(), request.interaction)

    def roll() -> tuple[DraftCheck, tuple[str, ...]]:
        checked = _checked(draft.text)
        game, _ = read_game(draft.text)
        if game is None or checked.problems:
            raise UserError("This draft still has problems.", "Solve them first, then try it.")
        return checked, tuple(rolled(game, Asked(which), (), dice))

    checked, told = await _computed(table, request, roll)
    return replace(_page(draft, checked), tried=told)
