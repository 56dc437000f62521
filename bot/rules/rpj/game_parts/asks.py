"""The checks that a GM may call for."""

from collections.abc import Callable, Mapping

from bot.rules.kernel import RequestableCheck
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.checks.attribute_rolls import Rolled
from bot.rules.rpj.game_parts.suggesting import difficulties, skills
from bot.rules.rpj.module.attributes import Attribute


def _read(rolled: Rolled) -> Callable[[str], Mapping[str, object]]:
    def read(text: str) -> Mapping[str, object]:
        """An attribute as it is typed: its name, whole or short.

        Raises:
            Mistake: If there is no such attribute.
        """
        said = text.strip().casefold()
        for attribute in Attribute:
            if said in (attribute.word.casefold(), attribute.value.casefold()):
                return {"attribute": attribute, "rolled": rolled}
        names = ", ".join(attribute.word for attribute in Attribute)
        raise UserError(f"There is no attribute “{text.strip()}”.", f"There are {names}.")

    return read


def _attribute(title: str, rolled: Rolled) -> RequestableCheck:
    return RequestableCheck(
        procedure="attribute",
        title=title,
        difficulty="difficulty",
        read=_read(rolled),
        names=lambda _settings: tuple(attribute.word for attribute in Attribute),
        difficulties=lambda settings: difficulties(None, settings),
    )


ASKS = (
    RequestableCheck(
        procedure="check",
        title="skill check",
        what="skill",
        difficulty="difficulty",
        names=lambda settings: skills(None, settings),
        difficulties=lambda settings: difficulties(None, settings),
    ),
    _attribute("attribute check", Rolled.LEVEL),
    _attribute("saving throw", Rolled.SAVE),
    _attribute("attribute bonus check", Rolled.BONUS),
    RequestableCheck(
        procedure="luck",
        title="Luck check",
        difficulty="difficulty",
        difficulties=lambda settings: difficulties(None, settings),
    ),
)
