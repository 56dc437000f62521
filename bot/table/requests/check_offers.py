"""What a GM can ask somebody's character for."""

from dataclasses import dataclass

from bot.store.boundary import Reader
from bot.table.base.access import access_here, character_of
from bot.table.base.request import Request
from bot.table.base.table import Table


@dataclass(frozen=True, slots=True)
class OfferedCheck:
    """A check that can be asked for without typing anything.

    Attributes:
        check: Its title.
        what: The skill or attribute it is of, or nothing.
    """

    check: str
    what: str = ""


@dataclass(frozen=True, slots=True)
class CheckOffer:
    """What a GM can ask one character for.

    Attributes:
        character: The character's id.
        name: The character's name.
        checks: The checks; those that need something typed are left to `/gm ask`.
        difficulties: How hard they can be; none where the game has no such names.
    """

    character: int
    name: str
    checks: tuple[OfferedCheck, ...]
    difficulties: tuple[str, ...]


async def offered_checks(table: Table, request: Request, person: int, person_name: str) -> CheckOffer:
    """Return what a GM can ask somebody's character for.

    Raises:
        UserError: If the person is not a GM, or that somebody plays nobody here.
    """

    def query(reader: Reader) -> CheckOffer:
        access = access_here(table, reader, request)
        access.require_gm()
        character = character_of(reader, access, person, person_name)
        checks: list[OfferedCheck] = []
        difficulties: dict[str, None] = {}
        for one in access.game.asks:
            difficulties |= dict.fromkeys(map(str, one.difficulties(None, access.settings)))
            if one.what or one.read is not None:
                names = one.names(None, access.settings)
                checks += [OfferedCheck(one.title, str(name)) for name in names]
            else:
                checks.append(OfferedCheck(one.title))
        return CheckOffer(character.id, character.name, tuple(checks), tuple(difficulties))

    return await table.store.read(query)
