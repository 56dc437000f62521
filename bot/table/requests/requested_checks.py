"""Requested checks: a GM calls for a check, and everyone asked rolls by a button of one message."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace
from pydantic import JsonValue

from bot.rules.kernel import CharacterId, Choice, Document, RequestableCheck
from bot.rules.kernel.dice import Dice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import with_article
from bot.rules.shared.asking import (
    MOST_ASKED,
    SCENE,
    Ask,
    AskingScene,
    RollSight,
    ask_key,
)
from bot.store.records import CharacterRecord, EntryRecord, JsonObject
from bot.store.transaction import Reader, Transaction
from bot.table.base.access import Access, find_character, playing
from bot.table.base.results import Message, Result, fact_of
from bot.table.base.stored_rolls import load
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn, Turn, look, record, unit
from bot.table.base.typed_options import one_line, read_options
from bot.table.journal.journal import as_part, told_parts_before
from bot.table.journal.scenes import SceneKeeper
from bot.table.journal.shared_prompts import MOVES, OPENED, begin_to_follow, shown
from bot.table.journal.suggest import matching
from bot.table.play.actions import Action, do
from bot.table.play.countdowns import find_countdown
from bot.table.play.play import find_procedure

SEEN_BY = {
    RollSight.PRIVATE: "Seen by whoever rolls and the GM only.",
    RollSight.BLIND: "Only the GM sees the results, in Details.",
}
FIRST_SILENT = 1  # the number of the first entry of silent rolls; without one it would be an open request
WANTED = "wanted"  # the fact that holds a request, so that it can be made again


class Wanted(Struct, frozen=True, kw_only=True):
    """The check a GM calls for, as typed."""

    check: str  # the title of the check
    what: str = ""  # the skill or attribute it is of
    difficulty: str = ""  # how hard it is
    more: str = ""  # other options, such as "bonus 2, advantage yes"
    who: Sequence[str | int] = ()  # the names or ids of those asked; by default everybody who plays
    is_hidden: bool = False  # whether only the GM sees the difficulty and the results
    countdown: str | None = None  # a countdown that each result moves, by name
    note: str = ""  # what it is about, in the GM's words


class SilentRolls(Struct, frozen=True):
    """Checks that a GM has had rolled without telling anybody."""

    results: tuple[Result, ...]


@unit()
def ask(at: Turn, wanted: Wanted) -> Result | SilentRolls:
    """Call for a check, to be seen by whom the channel's scene says; a silent one is rolled at once.

    Without a difficulty it has the scene's.

    Raises:
        UserError: If the request is not allowed; nothing has changed.
    """
    return ask_in(at, wanted)


def ask_in(at: Turn, wanted: Wanted) -> Result | SilentRolls:
    """Do the same as `ask`, within a unit of work."""
    access = at.access
    again = at.earlier_answer()
    if again is not None:
        return _shown(at.tx, access, again)
    access.require_gm()
    rolled = told_parts_before(at.tx, at.request, first=FIRST_SILENT)
    if rolled:
        return SilentRolls(rolled)
    form = find_check(access, wanted.check)
    here = scene_of(at.tx, access)
    facts: JsonObject = {WANTED: _kept(at.tx, access, wanted)}
    if form.difficulty and not wanted.difficulty.strip():
        wanted = replace(wanted, difficulty=here.difficulty)
    sight = RollSight.OPEN if wanted.is_hidden else here.sight
    options = typed_options(at.tx, access, form, wanted)
    if sight is RollSight.SILENT:
        return SilentRolls(tuple(_rolled(at.table, at.tx, access, form, options, wanted, facts)))
    return _opened(at.table, at.tx, access, form, options, wanted, sight, facts)


def _opened(
    table: Table,
    tx: Transaction,
    access: Access,
    form: RequestableCheck,
    options: dict[str, JsonValue],
    wanted: Wanted,
    sight: RollSight,
    facts: JsonObject,
) -> Result:
    """Open the prompt at which those asked roll."""
    keeper = SceneKeeper(tx, access)
    asked = _asked(tx, access, wanted.who)
    made = Ask(
        key=ask_key(keeper.scene(None)),
        procedure=form.procedure,
        options=options,
        members=tuple(CharacterId(one.id) for one in asked),
        labels={str(one.id): _label(tx, access, form, options, one, wanted, sight) for one in asked},
        countdown=None if wanted.countdown is None else find_countdown(tx, access, wanted.countdown).id,
        is_hidden=wanted.is_hidden,
        sight=sight,
    )
    keeper.keep(keeper.scene(None).with_document(made.key, made))
    facts = {**facts, OPENED: made.key, MOVES: made.countdown}
    result = record(table, tx, access, "gm.ask", _message(access, form, wanted, sight), facts=facts)
    begin_to_follow(tx, access, result.entry)
    return _shown(tx, access, result)


def _rolled(
    table: Table,
    tx: Transaction,
    access: Access,
    form: RequestableCheck,
    options: dict[str, JsonValue],
    wanted: Wanted,
    facts: JsonObject,
) -> Iterator[Result]:
    """Roll for everybody asked without telling anybody; nothing else comes of it."""
    procedure = find_procedure(access, form.procedure)
    for number, one in enumerate(_asked(tx, access, wanted.who, with_hidden=True), start=FIRST_SILENT):
        action = Action(
            access=replace(access, request=as_part(access.request, number)),
            procedure=procedure,
            options=read_options(tx, access, procedure.options, dict(options)),
            actor=one,
            is_secret=True,
            is_gms=True,
            is_silent=True,
            facts=facts if number == FIRST_SILENT else {},
        )
        try:
            yield do(table, tx, action)
        except UserError as mistake:
            raise UserError(f"{one.name} can't do that: {mistake.what}", mistake.allowed) from None


def _shown(tx: Reader, access: Access, result: Result) -> Result:
    entry = tx.entry(access.request.server, result.entry)
    return result if entry is None else shown(tx, access, entry)


def find_check(access: Access, check: str) -> RequestableCheck:
    """Return the check of a title or key.

    Raises:
        UserError: If the game has none.
    """
    wanted = check.strip().casefold()
    found = next((one for one in access.game.asks if wanted in (one.title.casefold(), one.procedure)), None)
    if not access.game.asks:
        raise UserError(f"{access.game.title} has no checks to ask for.")
    if found is None:
        titles = ", ".join(one.title for one in access.game.asks)
        raise UserError(f"You can't ask for “{check.strip()}”.", f"You can ask for: {titles}.")
    return found


def typed_options(
    tx: Transaction, access: Access, form: RequestableCheck, wanted: Wanted
) -> dict[str, JsonValue]:
    """Return the procedure's options, checked as if somebody had typed them."""
    procedure = find_procedure(access, form.procedure)
    given = {
        **_pairs(procedure.options, wanted.more),
        **form.options(wanted.what.strip(), wanted.difficulty.strip()),
    }
    read = read_options(tx, access, procedure.options, given)  # type: ignore[arg-type]  # words, as typed
    return read.model_dump(mode="json", exclude_defaults=True)


def _pairs(model: type[Document], typed: str) -> dict[str, object]:
    """Return options by name, read from text like "bonus 2, advantage yes"."""
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


def _asked(
    tx: Transaction, access: Access, names: Sequence[str | int], *, with_hidden: bool = False
) -> list[CharacterRecord]:
    """Return who is asked: those named, else each player's character."""
    found = [find_character(tx, access, name) for name in names] if names else everybody_playing(tx, access)
    asked = list({one.id: one for one in found}.values())
    hidden = [one.name for one in asked if one.is_hidden]
    if hidden and not with_hidden:
        raise UserError(
            f"{', '.join(hidden)}: hidden characters can't be asked in public.",
            "Ask silently, or reveal them with /gm hide.",
        )
    if not asked:
        raise UserError("Nobody has a character here yet.", "Name who should roll, or wait for the players.")
    if len(asked) > MOST_ASKED:
        raise UserError(f"You can ask up to {MOST_ASKED} characters at once; that would be {len(asked)}.")
    return asked


def everybody_playing(tx: Reader, access: Access) -> list[CharacterRecord]:
    """Return whom the players play, by name."""
    asked = [one for found in playing(tx, access, with_hidden=False).values() for one in found]
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
    sight: RollSight,
) -> str:
    """Return a button's label: what the person rolls and their chance, found by a trial run.

    Raises:
        UserError: If they can't make the check; the GM learns it before anybody is asked.
    """
    enough = chance_of(tx, access, form, options, who)
    return "roll" if enough is None or _is_secret(wanted, sight) else f"roll · {percent(enough)}"


def chance_of(
    tx: Transaction,
    access: Access,
    form: RequestableCheck,
    options: Mapping[str, JsonValue],
    who: CharacterRecord,
) -> Fraction | None:
    """Return somebody's exact chance to make a check, found by a trial run; None where it has none.

    Raises:
        UserError: If they can't make the check.
    """
    procedure = find_procedure(access, form.procedure)
    scene = SceneKeeper(tx, access).scene(who)
    read = read_options(tx, access, procedure.options, dict(options))
    try:
        shown_only = procedure.run(scene, read, _OnesOnly())
    except UserError as mistake:
        raise UserError(f"{who.name} can't do that: {mistake.what}", mistake.allowed) from None
    odds = shown_only.rolls[0].odds if shown_only.rolls else None
    return None if odds is None else odds.enough


def _is_secret(wanted: Wanted, sight: RollSight) -> bool:
    return wanted.is_hidden or sight is not RollSight.OPEN


def _message(access: Access, form: RequestableCheck, wanted: Wanted, sight: RollSight) -> Message:
    of = f": {one_line(wanted.what)}" if wanted.what.strip() else ""
    hard = f", difficulty {one_line(wanted.difficulty)}" if wanted.difficulty.strip() else ""
    notes = (one_line(wanted.note), SEEN_BY.get(sight, ""))
    return Message(
        who=access.request.person_name,
        headline=f"asks for {with_article(form.title)}{of}{'' if _is_secret(wanted, sight) else hard}",
        notes=tuple(note for note in notes if note),
    )


def scene_of(reader: Reader, access: Access) -> AskingScene:
    """Return how checks are asked for in the channel."""
    body = reader.document(access.request.server, access.campaign.id, scene_key(access))
    return AskingScene() if body is None else load(AskingScene, body, "The scene's difficulty")


def scene_key(access: Access) -> str:
    """Return the key of the channel's scene."""
    return f"{SCENE}/{access.request.channel}"


def _kept(tx: Reader, access: Access, wanted: Wanted) -> JsonObject:
    """Return a request as its entry keeps it: who was named by id, the rest as typed."""
    kept: JsonObject = {
        "check": wanted.check,
        "what": wanted.what,
        "difficulty": wanted.difficulty,
        "more": wanted.more,
        "who": list(dict.fromkeys(find_character(tx, access, name).id for name in wanted.who)),
        "note": wanted.note,
    }
    return {key: value for key, value in kept.items() if value}


def kept_request(entry: EntryRecord) -> Wanted | None:
    """Return the request that an entry keeps, or None."""
    kept = fact_of(entry, WANTED)
    return Wanted(**kept) if isinstance(kept, dict) else None  # type: ignore[arg-type]  # as `_kept` has it


# --- what can be called for --------------------------------------------------------------------


@look()
def check_choices(at: ReadTurn, typed: str) -> list[Choice]:
    """Return the checks that a GM can call for."""
    titles = [one.title for one in at.access.game.asks]
    return [Choice(title, title) for title in matching(titles, typed)]


@look()
def detail_choices(at: ReadTurn, typed: str, check: str, *, of_difficulty: bool) -> list[Choice]:
    """Return what a check can be of, or its difficulties."""
    form = find_check(at.access, check)
    offered = (form.difficulties if of_difficulty else form.names)(None, at.access.settings)
    return [Choice(name, name) for name in matching(offered, typed)]
