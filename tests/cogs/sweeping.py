"""Calling every procedure of a game with options that fit its fields, and pressing what it offers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Any, Literal, get_args, get_origin

from bot.rules.kernel import CharacterId, Document, Procedure, Ruleset
from bot.rules.kernel.errors import UserError
from bot.table.base.results import OpenFollowUp, Result
from bot.table.base.table import Table
from bot.table.base.typed_options import bound, inner_type
from bot.table.journal import suggest
from bot.table.play import play
from tests.table.conftest import Person

MOST_TEXTS = 6  # tried for one option
ANY_TEXT = "1"
WHOM = ("target", "targets", "who", "at")  # texts that name somebody


@dataclass
class Sweep:
    """Somebody who tries every procedure of a game.

    Attributes:
        table: The table.
        game: The game.
        refused: Each refusal, with the procedure that refused.
        done: The procedures that were done.
    """

    table: Table
    game: Ruleset
    refused: list[tuple[str, UserError]] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    _suggested: dict[tuple[int, str, str | None], list[str]] = field(default_factory=dict)

    async def perform(
        self, who: Person, key: str, target: str, acting: str | None = None, **given: Any
    ) -> Result | None:
        """Do a procedure with options that fit it; several texts are tried where one is asked for."""
        procedure = self.game.procedures[key]
        for options in await self._fillings(who, procedure, target, acting):
            try:
                result = await play.perform(
                    self.table, who.asks(), key, {**options, **given}, acting=acting, game=self.game.key
                )
            except UserError as error:
                self.refused.append((key, error))
            else:
                self._note_done(key)
                return result
        return None

    async def press(self, who: Person, one: OpenFollowUp) -> Result | None:
        """Press a button, choose the first entry of a menu, or fill a form."""
        follow_up = one.follow_up
        chosen = follow_up.choices[0].value if follow_up.choices else None
        written = {
            blank.key: (blank.choices[0].value,) if blank.choices else ANY_TEXT for blank in follow_up.blanks
        }
        try:
            pressed = await play.press(self.table, who.asks(), one.id, chosen, written)
        except UserError as error:
            self.refused.append((follow_up.procedure, error))
            return None
        self._note_done(follow_up.procedure)
        return pressed.message

    def _note_done(self, key: str) -> None:
        self.done.add(key)
        self._suggested.clear()

    async def _fillings(
        self, who: Person, procedure: Procedure[Any], target: str, acting: str | None
    ) -> Sequence[dict[str, Any]]:
        fixed: dict[str, Any] = {}
        texts: dict[str, list[str]] = {}
        for name, info in procedure.options.model_fields.items():
            kind = inner_type(info.annotation)
            if kind is CharacterId:
                if info.is_required() or name in ("target", "character"):
                    fixed[name] = target
            elif get_origin(kind) is tuple and CharacterId in get_args(kind):
                fixed[name] = (target,)
            elif kind is str and name in WHOM:
                texts[name] = [target, *(await self._texts(who, name, acting) if info.is_required() else ())]
            elif isinstance(kind, type) and issubclass(kind, Document):
                if info.is_required():
                    return ()  # only a button brings that
            elif info.is_required():
                value = _plain(kind, bound(info, "ge", 1))
                if value is None:
                    texts[name] = await self._texts(who, name, acting)
                else:
                    fixed[name] = value
        tries = max([len(found) for found in texts.values()], default=1)
        return [
            {**fixed, **{name: found[number % len(found)] for name, found in texts.items()}}
            for number in range(tries)
        ]

    async def _texts(self, who: Person, name: str, acting: str | None) -> list[str]:
        """Texts that an option may take: what is suggested for its name, else for anything."""
        kinds = [*self.game.suggestions, *self.game.named]
        fitting = [one for one in kinds if name in one.split() or one in name]
        found: dict[str, None] = {}
        for kind in fitting or kinds:
            offered = await self._offered(who, kind, acting)
            found |= dict.fromkeys(offered[: MOST_TEXTS if fitting else 1])
        return [*islice(found, MOST_TEXTS), ANY_TEXT]

    async def _offered(self, who: Person, kind: str, acting: str | None) -> list[str]:
        """What is suggested; nothing else is, until something is done."""
        asked = (who.id, kind, acting)
        if asked not in self._suggested:
            offered = await suggest.things(self.table, who.asks(), kind, "", acting=acting)
            self._suggested[asked] = [one.value for one in islice(offered, MOST_TEXTS)]
        return self._suggested[asked]


def _plain(kind: Any, least: int) -> Any:
    """A value of a type that is no text; None for a text."""
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return next(iter(kind)).value
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    if kind is bool:
        return True
    if kind is int:
        return max(least, 1)
    return None


def parts_of(result: Result) -> Iterator[OpenFollowUp]:
    """Everything that can be pressed under a result."""
    for part in result.all_of_it:
        yield from part.follow_ups
        if part.gathering is not None:
            yield from (one.open for one in part.gathering.beside)
