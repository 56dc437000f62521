"""Acts with their settings, as a sheet offers them and its composer changes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.rules.kernel import Act, FollowUp, evolve
from bot.table.base.option_types import value_words, values_of
from bot.table.characters.act_trials import UNTRIED, Trial, trial_of, with_chances
from bot.table.characters.seats import NotOffered, Seat

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Setting:
    """One option of an act in its composer.

    Attributes:
        field: The option.
        title: What it is called.
        values: What it can be set to, in words.
        chosen: Which of them is set, counted from 0.
        is_switch: Whether it is a yes or a no.
    """

    field: str
    title: str
    values: tuple[str, ...]
    chosen: int
    is_switch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """An act as a sheet offers it.

    Attributes:
        key: Names it in a button.
        act: The act.
        trial: Its chance and whether it is possible, where it was tried.
    """

    key: str
    act: Act
    trial: Trial = UNTRIED


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """An act in its composer.

    Attributes:
        control: The act with the settings in force.
        settings: Everything that can be set.
        state: The settings as a button's id has them.
        chosen: The entry of its menu that is chosen already, or nothing.
    """

    control: Control
    settings: tuple[Setting, ...]
    state: str
    chosen: str = ""


def composed_of(seat: Seat, key: str, act: Act, state: str, changes: Mapping[int, int]) -> Composed:
    """Return an act in its composer, with the settings of a button's id and some of them changed.

    Args:
        seat: The character.
        key: The act's key.
        act: The act.
        state: The settings before; of another number of settings they are not taken.
        changes: The place of each setting changed now, with the place of its new value.

    Raises:
        NotOffered: If there is no such value.
    """
    places = places_of(act, state, changes)
    follow_up = with_settings(act, places)
    settings = tuple(
        Setting(field, title, _value_words(act, field, values), place, values[0] is False)
        for (field, title, values), place in zip(fields_of(act), places, strict=True)
    )
    trial = UNTRIED if act.why_not else trial_of(seat, follow_up)
    control = Control(key=key, act=replace(act, do=follow_up), trial=trial)
    return Composed(control=control, settings=settings, state=state_of(places))


def told_each(seat: Seat, composed: Composed) -> Composed:
    """Return an act whose menu is opened, with the chance of each entry where they differ."""
    control = composed.control
    if not control.act.has_chances:
        return composed
    act = replace(control.act, do=with_chances(seat, control.act.do))
    return replace(composed, control=replace(control, act=act))


def fields_of(act: Act) -> list[tuple[str, str, Sequence[Any]]]:
    """Return each option that can be set: its field, its title and its values."""
    model = type(act.do.options)
    options = act.do.options
    return [
        (field, title, _named(act, field) or values_of(model.model_fields[field], getattr(options, field)))
        for field, title in act.adjusts.items()
    ]


def _named(act: Act, field: str) -> tuple[str, ...]:
    """The values that the act names for an option."""
    return tuple(one.value for one in act.values.get(field, ()))


def _value_words(act: Act, field: str, values: Sequence[Any]) -> tuple[str, ...]:
    named = act.values.get(field, ())
    return tuple(one.label for one in named) or tuple(value_words(one) for one in values)


def places_of(act: Act, state: str, changes: Mapping[int, int]) -> list[int]:
    """Return the place of each setting's value; a state of other settings is not taken."""
    fields = fields_of(act)
    if len(state) != len(fields):
        state = ""
    places = []
    for number, (field, _title, values) in enumerate(fields):
        place = list(values).index(getattr(act.do.options, field))
        if state:
            place = DIGITS.find(state[number])
        place = changes.get(number, place)
        if not 0 <= place < len(values):
            raise NotOffered
        places.append(place)
    return places


def with_settings(act: Act, places: Sequence[int]) -> FollowUp:
    """Return the act's follow-up with its options set."""
    fields = fields_of(act)
    chosen = {field: values[place] for (field, _title, values), place in zip(fields, places, strict=True)}
    preset = {field: getattr(act.do.options, field) for field in chosen}
    changed = {field: value for field, value in chosen.items() if value != preset[field]}
    return replace(act.do, options=evolve(act.do.options, **changed)) if changed else act.do


def state_of(places: Sequence[int]) -> str:
    """Return the places of an act's settings as a button's id has them."""
    return "".join(DIGITS[one] for one in places)
