"""The checks a GM can request."""

from collections.abc import Callable, Mapping

from bot.rules.kernel import RequestableCheck
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.checks.attribute_rolls import RpjRolled
from bot.rules.rpj.game_parts.suggesting import difficulties, skills
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.settings import RpjSettings


def _read(rolled: RpjRolled) -> Callable[[str], Mapping[str, object]]:
    def read(text: str) -> Mapping[str, object]:
        """Read a typed attribute: its full or short name.

        Raises:
            UserError: If there is no such attribute.
        """
        said = text.strip().casefold()
        for attribute in RpjAttribute:
            if said in (attribute.word.casefold(), attribute.value.casefold()):
                return {"attribute": attribute, "rolled": rolled}
        names = ", ".join(attribute.word for attribute in RpjAttribute)
        raise UserError(f"There is no attribute “{text.strip()}”.", f"The attributes: {names}.")

    return read


def _attribute(title: str, rolled: RpjRolled) -> RequestableCheck[RpjSheet, RpjSettings]:
    return RequestableCheck(
        procedure="attribute",
        title=title,
        difficulty="difficulty",
        read=_read(rolled),
        names=lambda _who, _settings: tuple(attribute.word for attribute in RpjAttribute),
        difficulties=difficulties,
    )


ASKS = (
    RequestableCheck(
        procedure="check",
        title="skill check",
        what="skill",
        difficulty="difficulty",
        names=skills,
        difficulties=difficulties,
    ),
    _attribute("attribute check", RpjRolled.LEVEL),
    _attribute("saving throw", RpjRolled.SAVE),
    _attribute("attribute bonus check", RpjRolled.BONUS),
    RequestableCheck(
        procedure="luck",
        title="Luck check",
        difficulty="difficulty",
        difficulties=difficulties,
    ),
)
