"""What a GM can ask for: of one character, or of all."""

from dataclasses import dataclass

from bot.rules.kernel import Choice
from bot.rules.shared.asking import RollSight
from bot.store.transaction import Reader
from bot.table.base.access import Access, character_of, gm_access_here
from bot.table.base.request import Request
from bot.table.base.table import Table
from bot.table.requests.requested_checks import scene_of

MOST_OFFERED = 25


@dataclass(frozen=True, slots=True)
class OfferedCheck:
    """A check that can be asked for without typing anything.

    Attributes:
        check: Its title.
        what: The skill or attribute it is of, or nothing.
    """

    check: str
    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOffer:
    """What a GM can ask for.

    Attributes:
        character: The id of the character that is asked; None if the GM chooses.
        name: The character's name.
        checks: The checks; those that need something typed are left to `/gm ask`.
        difficulties: How hard they can be; none where the game has no such names.
        difficulty: The scene's difficulty; empty if none is set.
        sight: Who sees the results.
        who: The characters that can be chosen, the players' first.
    """

    character: int | None
    name: str
    checks: tuple[OfferedCheck, ...]
    difficulties: tuple[str, ...]
    difficulty: str = ""
    sight: RollSight = RollSight.OPEN
    who: tuple[Choice, ...] = ()


async def offered_checks(table: Table, request: Request, person: int, person_name: str) -> CheckOffer:
    """Return what a GM can ask somebody's character for.

    Raises:
        UserError: If the person is not a GM, or that somebody plays nobody here.
    """

    def query(reader: Reader) -> CheckOffer:
        access = gm_access_here(table, reader, request)
        character = character_of(reader, access, person, person_name)
        return _offer(reader, access, character.id, character.name, ())

    return await table.store.read(query)


async def checks_for_all(table: Table, request: Request) -> CheckOffer:
    """Return what a GM can ask whomever they choose for.

    Raises:
        ForGmOnly: If the person is not a GM.
    """

    def query(reader: Reader) -> CheckOffer:
        access = gm_access_here(table, reader, request)
        is_silent = scene_of(reader, access).sight is RollSight.SILENT
        found = reader.character_names(access.request.server, access.campaign.id, with_hidden=is_silent)
        ordered = sorted(found, key=lambda one: (one.owner is None, one.name.casefold()))
        who = (Choice(str(one.id), one.name[:100], "" if one.owner else "NPC") for one in ordered)
        return _offer(reader, access, None, "", tuple(who)[:MOST_OFFERED])

    return await table.store.read(query)


def _offer(
    reader: Reader, access: Access, character: int | None, name: str, who: tuple[Choice, ...]
) -> CheckOffer:
    checks: list[OfferedCheck] = []
    for one in access.game.asks:
        if one.what or one.read is not None:
            checks += [OfferedCheck(one.title, str(name)) for name in one.names(None, access.settings)]
        else:
            checks.append(OfferedCheck(one.title))
    here = scene_of(reader, access)
    return CheckOffer(
        character=character,
        name=name,
        checks=tuple(checks),
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
