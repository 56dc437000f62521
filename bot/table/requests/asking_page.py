"""The page from which a GM asks for checks: the last requests, the scene's difficulty, who sees results."""

from difflib import get_close_matches
from fractions import Fraction
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import Choice, evolve
from bot.rules.kernel.errors import Misnamed, UserError
from bot.rules.shared.asking import AskingScene, RollSight
from bot.store.records import EntryId, EntryRecord
from bot.store.transaction import Reader
from bot.table.base.access import Access, character_of
from bot.table.base.results import Result
from bot.table.base.turn import ReadTurn, Turn, look, unit
from bot.table.journal.entries import latest_first
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


class MemberChance(Struct, frozen=True):
    """Somebody's exact chance to make a check."""

    name: str
    chance: Fraction


class BestAt(Struct, frozen=True):
    """Who is best at a check."""

    what: str  # what it is of, else what it is called
    difficulty: str  # how hard it is; empty where nothing was said
    # Those with the best chances, best first; nobody where the check has no chance to reach.
    best: tuple[MemberChance, ...]


@unit(gm=True)
def best_at(at: Turn, wanted: Wanted) -> BestAt:
    """Return who of the players' characters is best at a check, by the code that is played; only for a GM.

    Without a difficulty it has the scene's.

    Raises:
        UserError: If there is no such check.
    """
    form = find_check(at.access, wanted.check)
    asked = wanted
    if form.difficulty and not wanted.difficulty.strip():
        asked = replace(wanted, difficulty=scene_of(at.tx, at.access).difficulty)
    options = typed_options(at.tx, at.access, form, asked)
    found = []
    for one in everybody_playing(at.tx, at.access):
        try:
            chance = chance_of(at.tx, at.access, form, options, one)
        except UserError:  # they can't make it at all
            continue
        if chance is not None:
            found.append(MemberChance(one.name, chance))
    found.sort(key=lambda one: (-one.chance, one.name.casefold()))
    what = wanted.what.strip() or form.title
    return BestAt(what, asked.difficulty.strip(), tuple(found[:MOST_BEST]))


MOST_OFFERED = 25


class OfferedCheck(Struct, frozen=True):
    """A check that can be asked for without typing anything."""

    check: str  # its title
    what: str = ""  # the skill or attribute it is of, or nothing

    @property
    def title(self) -> str:
        """What it is called: "Skill check: Stealth"."""
        title = f"{self.check}: {self.what}" if self.what else self.check
        return title[:1].upper() + title[1:]


class CheckOffer(Struct, frozen=True, kw_only=True):
    """What a GM can ask for."""

    character: int | None  # the id of the character that is asked; None if the GM chooses
    name: str  # the character's name
    checks: tuple[OfferedCheck, ...]  # the checks; those that need something typed are left to `/gm ask`
    difficulties: tuple[str, ...]  # how hard they can be; none where the game has no such names
    difficulty: str = ""  # the scene's difficulty; empty if none is set
    sight: RollSight = RollSight.OPEN  # who sees the results
    who: tuple[Choice, ...] = ()  # the characters that can be chosen, the players' first


@look(gm=True)
def offered_checks(at: ReadTurn, person: int, person_name: str) -> CheckOffer:
    """Return what a GM can ask somebody's character for.

    Raises:
        UserError: If that somebody plays nobody here, or the game has no checks.
    """
    _require_checks(at)
    character = character_of(at.reader, at.access, person, person_name)
    return _offer(at.reader, at.access, character.id, character.name, ())


@look(gm=True)
def checks_for_all(at: ReadTurn) -> CheckOffer:
    """Return what a GM can ask whomever they choose for; refused where the game has no checks."""
    _require_checks(at)
    is_silent = scene_of(at.reader, at.access).sight is RollSight.SILENT
    found = at.reader.character_names(at.server, at.campaign.id, with_hidden=is_silent)
    ordered = sorted(found, key=lambda one: (one.owner is None, one.name.casefold()))
    who = (Choice(str(one.id), one.name[:100], "" if one.owner else "NPC") for one in ordered)
    return _offer(at.reader, at.access, None, "", tuple(who)[:MOST_OFFERED])


MOST_MEANT, LONGEST_NAME = 3, 80


@look(gm=True)
def check_called(at: ReadTurn, name: str) -> OfferedCheck:
    """Return the check that a GM has written; the beginning of its name, or of what it is of, is enough.

    Raises:
        Misnamed: If there are several, or one with a similar name.
        UserError: If there is none.
    """
    name = name.strip()[:LONGEST_NAME]
    wanted = name.casefold()
    called = [
        (its.casefold(), one) for one in _checks(at.access) for its in (one.what, one.check, one.title) if its
    ]
    same = dict.fromkeys(one for its, one in called if its == wanted)
    found = list(same or dict.fromkeys(one for its, one in called if wanted and its.startswith(wanted)))
    if len(found) == 1:
        return found[0]
    near = get_close_matches(wanted, [its for its, _one in called], MOST_MEANT)
    meant = found or dict.fromkeys(one for its, one in called if its in near)
    what = f"{'Several checks are' if found else 'No check is'} called “{name}”."
    if meant:
        raise Misnamed(what, name, tuple(one.title for one in meant)[:MOST_MEANT])
    raise UserError(what, try_this="Open the form again, or use /gm ask.")


def _checks(access: Access) -> list[OfferedCheck]:
    checks: list[OfferedCheck] = []
    for one in access.game.asks:
        if one.what or one.read is not None:
            checks += [OfferedCheck(one.title, str(name)) for name in one.names(None, access.settings)]
        else:
            checks.append(OfferedCheck(one.title))
    return checks


def _offer(
    reader: Reader, access: Access, character: int | None, name: str, who: tuple[Choice, ...]
) -> CheckOffer:
    here = scene_of(reader, access)
    return CheckOffer(
        character=character,
        name=name,
        checks=tuple(_checks(access)),
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


class RecentAsk(Struct, frozen=True):
    """A request that can be made again."""

    entry: EntryId  # its journal entry
    label: str  # what was asked, and of whom


class AskingPage(Struct, frozen=True, kw_only=True):
    """What a GM can ask for in a channel."""

    campaign: str  # the campaign's name
    difficulty: str  # the scene's; empty if none is set
    difficulties: tuple[str, ...]  # those that can be set
    sight: RollSight  # who sees the results
    recent: tuple[RecentAsk, ...]  # the last requests, the latest first

    @property
    def latest(self) -> int:
        """The entry of the latest request; 0 if there is none."""
        return self.recent[0].entry if self.recent else 0


@look(gm=True)
def asking_page(at: ReadTurn) -> AskingPage:
    """Return the page."""
    _require_checks(at)
    here = scene_of(at.reader, at.access)
    return AskingPage(
        campaign=at.campaign.name,
        difficulty=here.difficulty,
        difficulties=difficulties_of(at.access),
        sight=here.sight,
        recent=tuple(
            RecentAsk(entry.id, _label(at.reader, at.access, wanted))
            for entry, wanted in _recent(at.reader, at.access)
        ),
    )


def _require_checks(at: ReadTurn) -> None:
    if not at.game.asks:
        raise UserError(f"{at.game.title} has no checks to ask for.")


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


@unit(gm=True)
def set_scene(at: Turn, *, difficulty: str | None = None, sight: RollSight | None = None) -> None:
    """Set the scene's difficulty, or who sees the results of requested checks.

    Args:
        difficulty: The new difficulty; empty for none.
        sight: Who sees the results from now on.

    Raises:
        UserError: If the game has no such difficulty.
    """
    if at.earlier_answer() is not None:
        return
    _require_checks(at)
    if difficulty and difficulty not in difficulties_of(at.access):
        raise UserError(f"There is no difficulty “{difficulty}” here.", "Choose one from the menu.")
    before = scene_of(at.tx, at.access)
    after = before
    if difficulty is not None:
        after = evolve(after, difficulty=difficulty)
    if sight is not None:
        after = evolve(after, sight=sight)
    if after == before:
        return
    keeper = SceneKeeper(at.tx, at.access)
    keeper.keep(keeper.scene(None).with_document(scene_key(at.access), after))
    at.log("gm.scene", _headline(before, after), secret=True)


def _headline(before: AskingScene, after: AskingScene) -> str:
    if after.sight is not before.sight:
        return f"sets who sees requested checks: {before.sight} → {after.sight}"
    return f"sets the scene's difficulty: {before.difficulty or 'none'} → {after.difficulty or 'none'}"


@unit(gm=True)
def ask_again(at: Turn, entry: int, latest: int) -> Result | SilentRolls:
    """Make one of the last requests again, as the scene is now.

    Args:
        entry: The request's entry.
        latest: The entry of the latest request when the page was drawn.

    Raises:
        UserError: If there has been another request since, or it can't be made any more.
    """
    _require_checks(at)
    recent = _recent(at.tx, at.access)
    wanted = next((one for found, one in recent if found.id == entry), None)
    is_late = not recent or recent[0][0].id != latest
    if at.earlier_answer() is None and (is_late or wanted is None):
        raise UserError("Something else has been asked for since.", "Look at the page and press again.")
    return ask_in(at, wanted or Wanted(check=""))
