"""A character with everything needed to look at what it can do now."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pydantic import ValidationError

from bot.rules.kernel import (
    GM_GROUPS,
    Act,
    ActGroup,
    ActPart,
    CharacterId,
    Choice,
    Document,
    FollowUp,
    Odds,
    PersonId,
    Scene,
    evolve,
)
from bot.rules.kernel.dice import FairDice, percent
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import MOST_CHOICE_LABEL, signed
from bot.rules.kernel.procedures import Audience, acts_in, groups_and_due
from bot.rules.shared.offering import MOST_CHOICES
from bot.store.records import CharacterRecord
from bot.table.base.access import Access, find_character, may_play
from bot.table.base.turn import ReadTurn
from bot.table.base.typed_options import GIVEN, read_choice, value_words, values_of
from bot.table.journal.shared_prompts import require_acting, scene_to_look_at
from bot.table.play.owed_answers import key_of
from bot.table.play.play import find_procedure, preset_difficulty

UNSET = ("", None)  # a difficulty that nobody has chosen


class NotOffered(UserError):
    """The sheet does not offer this now."""

    def __init__(self) -> None:
        super().__init__(
            "That is no longer possible.", "Nothing was changed. Your sheet shows what you can do now."
        )


class NotTheirs(UserError):
    """Somebody presses the controls of a character that is not theirs.

    Args:
        name: The character.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} isn't your character.", "Only its player or a GM can act with it.")


class Seat(Struct, frozen=True):
    """A character with what it can do, worked out when it is asked for and only as far as that."""

    access: Access  # the campaign, as whoever asks may use it
    record: CharacterRecord
    scene: Scene  # what its acts are tried on
    presets: Callable[[str], GIVEN]  # the scene's difficulty for each procedure

    def acts(self, group: ActGroup | None = None) -> Iterator[Act]:
        """Everything that it can do now, or everything in a group."""
        return self._preset(acts_in((self._turn(), *self._besides()), group))

    def find(self, key: str) -> Act | None:
        """What a button names, if it can be done now; of what a board offers too, the sheet's own act."""
        acts = self._preset(acts_in((*self._besides(), self._turn())))
        return next((act for act in acts if key_of(act.do) == key), None)

    def groups_and_due(self) -> tuple[frozenset[ActGroup], tuple[Act, ...]]:
        """Every group that has any acts, and all acts that are due."""
        groups, due = groups_and_due((*self._besides(), self._turn()))
        return groups, tuple(self._preset(due))

    def _preset(self, acts: Iterable[Act]) -> Iterator[Act]:
        return (with_preset(act, self.presets(act.do.procedure)) for act in acts)

    def _turn(self) -> ActPart:
        """What it can do on its turn in a fight."""
        return ActPart(partial(_on_turn, self.access, self.scene), ActGroup.FIGHT)

    def _besides(self) -> Iterator[ActPart]:
        """What it can do besides; then what a GM can do to it."""
        game = self.access.game
        yield from game.acts(self.scene)
        if self.access.is_gm:
            yield ActPart(partial(game.gm_acts, self.scene), *GM_GROUPS)


def is_for_gm(follow_up: FollowUp) -> bool:
    """Return whether an act is a GM's, who does it to the character in their own name."""
    return follow_up.audience is Audience.GM


def take_seat(at: ReadTurn, who: int | str | None) -> Seat:
    """Return a character with what it can do; by default the person's own, or the foe on turn.

    Raises:
        UserError: If the person may not act with it.
    """
    access = at.access
    if who is None:
        record = require_acting(at.reader, access)
    else:
        record = find_character(at.reader, access, who)
        if not may_play(at.reader, access, record):
            raise NotTheirs(record.name)
    scene = scene_to_look_at(at.reader, access, for_gm=access.is_gm, known={record.id: record})
    scene = replace(
        scene,
        channel=str(at.request.channel),
        actor_id=CharacterId(record.id),
        person=PersonId(at.request.person),
    )
    presets = cache(lambda procedure: preset_difficulty(at.reader, access, procedure, {}))
    return Seat(access, record, scene, presets)


def keyed(acts: Iterable[Act]) -> Mapping[str, Act]:
    """Return acts by the keys that name them in buttons."""
    return {key_of(act.do): act for act in acts}


def with_preset(act: Act, preset: GIVEN) -> Act:
    """Return an act that has the scene's difficulty where it would have the rules' own."""
    options, asked = act.do.options, {act.do.chosen, *(one.key for one in act.do.blanks)}
    for field, value in preset.items():
        if field in asked or not (field in act.adjusts or getattr(options, field) in UNSET):
            continue
        try:
            changed = type(options).model_validate({**options.model_dump(), field: value})
        except ValidationError:  # the GM has changed the difficulties since
            continue
        act = replace(act, do=replace(act.do, options=changed))
    return act


def _on_turn(access: Access, scene: Scene) -> Iterator[Act]:
    """What the board of a fight offers the character itself."""
    tracker = access.game.tracker
    for follow_up in () if tracker is None else tracker.choices(scene):
        if follow_up.character == scene.actor_id and not is_for_gm(follow_up):
            yield Act(group=ActGroup.FIGHT, do=follow_up)


TRIED_WITH = bytes(32)  # the seed of dice that are thrown to learn a chance; nobody sees them


class Trial(Struct, frozen=True):
    """What trying an act on a copy of the scene showed."""

    odds: Odds | None = None  # the exact chances of the first roll; None where nothing is rolled
    chance: Fraction | None = None  # that it does what is needed; None where that is not known
    # How it would be rolled: against what, with which modifiers. Without a roll, what comes of it.
    notes: tuple[str, ...] = ()
    problem: str = ""  # why it can't be done; empty if it can
    is_roll: bool = False  # whether any dice are rolled
    choice: str = ""  # the entry of its menu that was tried, or nothing


UNTRIED = Trial()
NO_CHOICE = "None of its choices is possible now."


def trial_of(seat: Seat, follow_up: FollowUp) -> Trial:
    """Try an act on a copy of the scene: the chance is that of the very code that is played.

    One that asks for a choice is possible if any of its choices is.
    """
    if follow_up.blanks:
        return UNTRIED
    first = _try(seat, follow_up, follow_up.options)
    if not follow_up.choices:
        return first
    if not first.problem:
        preset = str(getattr(follow_up.options, follow_up.chosen, ""))
        chosen = next((one.label for one in follow_up.choices if one.value == preset), "")
        return replace(first, choice=chosen) if first.is_roll else UNTRIED  # else it depends on the choice
    tries = [first]
    for one in follow_up.choices:
        tries.append(replace(_tried(seat, follow_up, one), choice=one.label))
        if not tries[-1].problem:
            return tries[-1]
    return first if len({one.problem for one in tries}) == 1 else Trial(problem=NO_CHOICE)


def with_chances(seat: Seat, follow_up: FollowUp) -> FollowUp:
    """An act whose menu says the chance of each entry."""
    told = []
    for one in follow_up.choices:
        trial = _tried(seat, follow_up, one)
        chance = "" if trial.chance is None else f"{percent(trial.chance)} chance"
        note = " · ".join(filter(None, (one.note, trial.problem or chance)))
        told.append(replace(one, note=note[:MOST_CHOICE_LABEL]))
    return replace(follow_up, choices=tuple(told))


def _tried(seat: Seat, follow_up: FollowUp, choice: Choice) -> Trial:
    return _try(seat, follow_up, _with(follow_up, choice.value))


def _with(follow_up: FollowUp, value: str) -> Document:
    """The options once something is chosen."""
    options = follow_up.options
    read = read_choice(type(options), follow_up.chosen, value)
    return type(options).model_validate({**options.model_dump(), follow_up.chosen: read})


def _try(seat: Seat, follow_up: FollowUp, options: Document) -> Trial:
    try:
        outcome = find_procedure(seat.access, follow_up.procedure).run(
            seat.scene, options, FairDice(TRIED_WITH, "trial")
        )
    except UserError as problem:
        return Trial(problem=problem.what)
    if not outcome.rolls:
        told = outcome.verdict
        who = seat.access.request.person_name if is_for_gm(follow_up) else seat.record.name
        return Trial(notes=(f"{who} {outcome.headline}" if told is None else told.title,))
    roll = outcome.rolls[0]
    odds = roll.told_odds
    chance = None if odds is None else odds.enough
    # Without a chance to reach something, what it is against are dice, and these are not the real ones.
    notes = [f"against {roll.against}"] if roll.against and chance is not None else []
    notes += [f"{term.label} {signed(term.value)}" for term in roll.terms]
    return Trial(odds=odds, chance=chance, notes=tuple(notes), is_roll=True)


DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Setting(Struct, frozen=True):
    """One option of an act in its composer."""

    field: str  # the option
    title: str  # what it is called
    values: tuple[str, ...]  # what it can be set to, in words
    chosen: int  # which of them is set, counted from 0
    is_switch: bool  # whether it is a yes or a no


class Control(Struct, frozen=True, kw_only=True):
    """An act as a sheet offers it."""

    key: str  # names it in a button
    act: Act
    trial: Trial = UNTRIED  # its chance and whether it is possible, where it was tried


class Composed(Struct, frozen=True, kw_only=True):
    """An act in its composer."""

    control: Control  # the act with the settings in force
    settings: tuple[Setting, ...]  # everything that can be set
    state: str  # the settings as a button's id has them
    chosen: str = ""  # the entry of its menu that is chosen already, or nothing


def composed_of(seat: Seat, key: str, act: Act, state: str, changes: Mapping[int, int]) -> Composed:
    """Return an act in its composer, with the settings of a button's id and some of them changed.

    Args:
        seat: The character.
        key: The act's key.
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
    """The values that the act names for an option that takes text, and the one it has."""
    has = getattr(act.do.options, field)
    named = tuple(one.value for one in act.values.get(field, ()) if isinstance(has, str))
    return named if not named or has in named else (*named[: MOST_CHOICES - 1], has)


def _value_words(act: Act, field: str, values: Sequence[Any]) -> tuple[str, ...]:
    named = {one.value: one.label for one in act.values.get(field, ())}
    return tuple(named.get(str(one)) or value_words(one) for one in values)


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
