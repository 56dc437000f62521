"""Requested checks: a GM calls for a check, and everyone asked rolls by a button of one message."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from bot.rules.kernel import CharacterId, Choice, Document, RequestableCheck
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.odds import percent
from bot.rules.shared.asking import MOST_ASKED, Ask, ask_key
from bot.store.boundary import Reader, Transaction
from bot.store.records import CharacterRecord
from bot.table.base.access import Access, access_here, find_character
from bot.table.base.clean_names import one_line
from bot.table.base.request import Request
from bot.table.base.results import Message, Result
from bot.table.base.table import Table
from bot.table.base.typed_options import read_options
from bot.table.journal.gathered import MOVES, OPENED, begin_to_follow, shown
from bot.table.journal.journal import record, told_before
from bot.table.journal.scenes import SceneKeeper
from bot.table.journal.suggest import matching
from bot.table.play.countdowns import find_countdown
from bot.table.play.play import find_procedure

_PAIR = re.compile(r"\s*([^\W\d][\w ]*?)\s*(?:[:=]|\s)\s*([+\-−]?\d+|[^:=,\s]+)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The check a GM calls for, as typed.

    Attributes:
        check: The title of the check.
        what: The skill or attribute it is of.
        difficulty: How hard it is.
        more: Other options, such as "bonus 2, advantage yes".
        who: The names or ids of those asked; by default everybody who plays.
        is_hidden: Whether only the GM sees the difficulty and the results.
        countdown: A countdown that each result moves, by name.
        note: What it is about, in the GM's words.
    """

    check: str
    what: str = ""
    difficulty: str = ""
    more: str = ""
    who: Sequence[str | int] = ()
    is_hidden: bool = False
    countdown: str | None = None
    note: str = ""


async def ask(table: Table, request: Request, wanted: Wanted) -> Result:
    """Call for a check.

    Raises:
        UserError: If the request is not allowed, or the person is not a GM; nothing has changed.
    """

    def unit(tx: Transaction) -> Result:
        again = told_before(tx, request)
        if again is not None:
            return _shown(tx, access_here(table, tx, request), again)
        access = access_here(table, tx, request)
        access.require_gm()
        form = _form(access, wanted.check)
        options = _options(tx, access, form, wanted)
        asked = _asked(tx, access, wanted.who)
        keeper = SceneKeeper(tx, access)
        made = Ask(
            key=ask_key(keeper.scene(None)),
            procedure=form.procedure,
            options=options,
            members=tuple(CharacterId(one.id) for one in asked),
            labels={str(one.id): _label(tx, access, form, options, one, wanted) for one in asked},
            countdown=None if wanted.countdown is None else find_countdown(tx, access, wanted.countdown).id,
            is_hidden=wanted.is_hidden,
        )
        keeper.keep(keeper.scene(None).with_document(made.key, made))
        facts: dict[str, JsonValue] = {OPENED: made.key, MOVES: made.countdown}
        result = record(table, tx, access, "gm.ask", _message(access, form, wanted), facts=facts)
        begin_to_follow(tx, access, result.entry)
        return _shown(tx, access, result)

    return await table.store.run(unit)


def _shown(tx: Reader, access: Access, result: Result) -> Result:
    entry = tx.entry(access.request.server, result.entry)
    return result if entry is None else shown(tx, access, entry)


def _form(access: Access, check: str) -> RequestableCheck:
    wanted = check.strip().casefold()
    found = next((one for one in access.game.asks if wanted in (one.title.casefold(), one.procedure)), None)
    if not access.game.asks:
        raise UserError(f"{access.game.title} has no checks to ask for.")
    if found is None:
        titles = ", ".join(one.title for one in access.game.asks)
        raise UserError(f"You can't ask for “{check.strip()}”.", f"You can ask for: {titles}.")
    return found


def _options(tx: Transaction, access: Access, form: RequestableCheck, wanted: Wanted) -> dict[str, JsonValue]:
    """Return the procedure's options, checked as if somebody had typed them."""
    procedure = find_procedure(access, form.procedure)
    given = {
        **_pairs(procedure.options, wanted.more),
        **form.options(wanted.what.strip(), wanted.difficulty.strip()),
    }
    read = read_options(tx, access, procedure.options, given)  # type: ignore[arg-type]  # words, as typed
    return read.model_dump(mode="json", exclude_defaults=True)


def _pairs(model: type[Document], typed: str) -> dict[str, object]:
    """Return options by name, read from text like "bonus 2, advantage yes".

    Raises:
        UserError: If there is no such option.
    """
    pairs: dict[str, object] = {}
    for piece in (piece.strip() for piece in typed.split(",")):
        if not piece:
            continue
        names = sorted((name for name in model.model_fields if _begins(piece, name)), key=len)
        if not names:
            known = ", ".join(name.replace("_", " ") for name in model.model_fields)
            raise UserError(f"Unknown option: {one_line(piece)}.", f"Options: {known}.")
        value = piece[len(names[-1]) :].lstrip(" :=")
        pairs[names[-1]] = value.replace("−", "-") or "yes"
    return pairs


def _begins(piece: str, name: str) -> bool:
    said = piece.casefold().replace(" ", "_")
    return said == name or (said.startswith(name) and said[len(name)] in "_:=")


def _asked(tx: Transaction, access: Access, names: Sequence[str | int]) -> list[CharacterRecord]:
    """Return who is asked: those named, else each player's character."""
    found = [find_character(tx, access, name) for name in names] if names else _everybody(tx, access)
    asked = list({one.id: one for one in found}.values())
    hidden = [one.name for one in asked if one.is_hidden]
    if hidden:
        raise UserError(
            f"{', '.join(hidden)}: hidden characters can't be asked in public.",
            "Roll for them in secret, or reveal them with /gm hide.",
        )
    if not asked:
        raise UserError("Nobody has a character here yet.", "Name who should roll, or wait for the players.")
    if len(asked) > MOST_ASKED:
        raise UserError(f"You can ask up to {MOST_ASKED} characters at once; that would be {len(asked)}.")
    return asked


def _everybody(tx: Reader, access: Access) -> list[CharacterRecord]:
    """Return each player's current character, or all of theirs if they haven't chosen one."""
    server, campaign = access.campaign.server, access.campaign.id
    owned: dict[int, list[CharacterRecord]] = {}
    for one in tx.characters(server, campaign, with_hidden=False):
        if one.owner is not None:
            owned.setdefault(one.owner, []).append(one)
    asked: list[CharacterRecord] = []
    for owner, theirs in owned.items():
        current = tx.current_character(server, campaign, owner)
        asked += [one for one in theirs if one.id == current] or theirs
    return sorted(asked, key=lambda one: one.name.casefold())


class _OnesOnly(Dice):
    """Dice that always roll 1, for a trial run that is never shown."""

    def roll(self, sides: int) -> int:
        """Return the lowest face."""
        return 1


def _label(
    tx: Transaction,
    access: Access,
    form: RequestableCheck,
    options: Mapping[str, JsonValue],
    who: CharacterRecord,
    wanted: Wanted,
) -> str:
    """Return a button's label: what the person rolls and their chance, found by a trial run.

    Raises:
        UserError: If they can't make the check; the GM learns it before anybody is asked.
    """
    procedure = find_procedure(access, form.procedure)
    scene = SceneKeeper(tx, access).scene(who)
    read = read_options(tx, access, procedure.options, dict(options))
    try:
        shown_only = procedure.run(scene, read, _OnesOnly())
    except UserError as mistake:
        raise UserError(f"{who.name} can't do that: {mistake.what}", mistake.allowed) from None
    odds = shown_only.rolls[0].odds if shown_only.rolls else None
    enough = None if odds is None or wanted.is_hidden else odds.enough
    return "roll" if enough is None else f"roll · {percent(enough)}"


def _message(access: Access, form: RequestableCheck, wanted: Wanted) -> Message:
    article = "an" if form.title[:1].casefold() in "aeiou" else "a"
    of = f": {one_line(wanted.what)}" if wanted.what.strip() else ""
    hard = f", difficulty {one_line(wanted.difficulty)}" if wanted.difficulty.strip() else ""
    return Message(
        who=access.request.person_name,
        headline=f"asks for {article} {form.title}{of}{'' if wanted.is_hidden else hard}",
        notes=(one_line(wanted.note),) if wanted.note.strip() else (),
    )


# --- what can be called for --------------------------------------------------------------------


async def check_choices(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return the checks that a GM can call for."""

    def query(reader: Reader) -> list[Choice]:
        titles = [one.title for one in access_here(table, reader, request).game.asks]
        return [Choice(title, title) for title in matching(titles, typed)]

    return await table.store.read(query)


async def detail_choices(
    table: Table, request: Request, typed: str, check: str, *, of_difficulty: bool
) -> list[Choice]:
    """Return what a check can be of, or its difficulties."""

    def query(reader: Reader) -> list[Choice]:
        access = access_here(table, reader, request)
        form = _form(access, check)
        offered = (form.difficulties if of_difficulty else form.names)(None, access.settings)
        return [Choice(name, name) for name in matching(offered, typed)]

    return await table.store.read(query)
