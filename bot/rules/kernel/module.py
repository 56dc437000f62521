"""Modules: a GM's own content for the game, in one file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, Self

from pydantic import PrivateAttr
from typing_extensions import TypeVar

from bot.rules.kernel.outcome import Document, ForTypes, SettingsT, SettingsT_co, nothing
from bot.rules.kernel.written import Form

StatedT_co = TypeVar("StatedT_co", bound=Document, default=Document, covariant=True)
OWN_MODULE = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """Several settings set by one text: the names of those that are on, separated by commas.

    Attributes:
        key: What one types to set them; no field of the settings.
        description: What they do.
        value: The text as it stands.
        default: The text where nothing is said.
    """

    key: str
    description: str
    value: str
    default: str


class NoSettings(Document):
    """Empty settings, for a ruleset without any."""


class SettingsWithModule(Document):
    """Settings that carry a module, which is stored apart from their fields."""

    _module: Document | None = PrivateAttr(default=None)

    @property
    def module_carried(self) -> Document | None:
        """The module, or None if the campaign has none."""
        return self._module

    def left_open(self) -> Mapping[str, str]:
        """The effective values of settings that are not set, by key."""
        return {}

    def together(self) -> tuple[Together, ...]:
        """The groups of settings that are set together; the model takes their text under the group's key."""
        return ()

    def with_module(self, module: Document) -> Self:
        """A copy of the settings with another module."""
        carrying = self.model_copy()
        carrying._module = module
        return carrying


def _as_they_are(settings: SettingsT, _key: str) -> SettingsT:
    return settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleRule(ForTypes, Generic[StatedT_co, SettingsT_co]):
    """The part of a game that a campaign can replace: skills, gear, spells and so on.

    What rules are given as settings carries the campaign's module already, wherever they are given any.

    Attributes:
        form: What may stand in a file of one.
        title: What one is called.
        carried: The module that settings carry.
        carrying: The same settings with a module of the campaign's own.
        is_apart: Whether it is kept as a document of its own, which the settings' own fields leave out;
            False where it is made of fields of the settings.
        shipped: Those that come with the program: key to title.
        choosing: The same settings, playing one of these by its key, or that of the campaign's own by
            `OWN_MODULE`.
        summary: What is in one, in a few short lines.
        standing: What a campaign has set about one, in a few short lines.
        hints: What is allowed about one and yet unusual.
    """

    form: Form[StatedT_co]
    title: Callable[[StatedT_co], str]
    carried: Callable[[SettingsT_co], StatedT_co]
    carrying: Callable[[SettingsT_co, StatedT_co], SettingsT_co]
    is_apart: bool = True
    shipped: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    choosing: Callable[[SettingsT_co, str], SettingsT_co] = _as_they_are
    summary: Callable[[StatedT_co], tuple[str, ...]] = nothing
    standing: Callable[[SettingsT_co], tuple[str, ...]] = nothing
    hints: Callable[[StatedT_co], tuple[str, ...]] = nothing
