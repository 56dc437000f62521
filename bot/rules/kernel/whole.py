"""Documents whose parts mean nothing without each other."""

from collections.abc import Mapping
from typing import Self

from pydantic import Field, model_validator

from bot.rules.kernel.outcome import Document


class Whole(Document):
    """A document whose parts mean nothing without each other, such as an order and whose turn it is.

    It refuses what cannot be. No change of it is taken back while a later one stands, even where the two
    concern different parts: what is left could be what never was.

    Attributes:
        version: Another number after each change that was stored.
    """

    version: int = Field(default=0, ge=0)

    def contradiction(self) -> str:
        """What about it cannot be, although each part could; nothing where all is well."""
        return ""

    @classmethod
    def mended(cls, body: Mapping[str, object]) -> Mapping[str, object]:
        """The JSON of one that is refused, with what cannot be made into the nearest thing that can."""
        return body

    @model_validator(mode="after")
    def _refuse_what_cannot_be(self) -> Self:
        if wrong := self.contradiction():
            raise ValueError(wrong)
        return self
