"""Documents that are only valid as a whole."""

from collections.abc import Mapping
from typing import Self

from pydantic import Field, model_validator

from bot.rules.kernel.outcome import Document


class Whole(Document):
    """A document that is only valid as a whole, such as an order with whose turn it is.

    It refuses what cannot be. No change of it is taken back while a later one stands, even where the two
    concern different parts: what is left could be what never was.

    Attributes:
        version: Another number after each change that was stored.
    """

    version: int = Field(default=0, ge=0)

    def contradiction(self) -> str:
        """What is inconsistent about the document; an empty text if nothing is."""
        return ""

    @classmethod
    def mended(cls, body: Mapping[str, object]) -> Mapping[str, object]:
        """Repair the JSON of an invalid document to the nearest valid one."""
        return body

    @model_validator(mode="after")
    def _refuse_what_cannot_be(self) -> Self:
        if wrong := self.contradiction():
            raise ValueError(wrong)
        return self
