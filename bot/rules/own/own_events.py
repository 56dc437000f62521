"""What one can do in a game of one's own besides rolling: use things, name entries, call events, and more."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace
from pydantic import Field

from bot.rules.kernel import (
    Audience,
    CharacterId,
    Document,
    Fact,
    FactKind,
    FollowUp,
    HookResult,
    NoOptions,
    Outcome,
    Procedure,
    evolve,
)
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import same_name
from bot.rules.own.expressions import Applied, DiceSum, Expression, NoAmount
from bot.rules.own.game_parts import (
    CHANGEABLE,
    OwnGame,
    PartKind,
)
from bot.rules.own.own_play import Answers, Changing, changes_between, happen, within_span
from bot.rules.own.own_procedures import (
    AFTER,
    AfterOptions,
    MiddleDice,
    clock_notes,
    do_after,
    everything,
    named_among,
)
from bot.rules.own.own_rolls import OwnRules, RecordedDice, effect_rolls
from bot.rules.own.own_sheet import (
    OwnCharacter,
    OwnScene,
    OwnSheet,
    amount_words,
    clock_words,
    clocks_of,
    numbers_of,
    slots_of,
    with_entry,
    with_numbers,
)
from bot.rules.own.reading_odds import TooMuchToCount

USE, TAKE, DROP, NOTE_ENTRY = "use", "take", "drop", "entry"
CHANGE, SET, EVENT, CLOCKS_SHOWN = "change", "set", "event", "clocks"
LONGEST_ENTRY = 60
SESSION_START, SESSION_END = "session start", "session end"


class CarriedOptions(Document):
    """A thing that is carried."""

    item: str = Field(max_length=100)


class HandOutOptions(Document):
    """A thing that somebody is given."""

    item: str = Field(max_length=100)
    target: CharacterId


class EntryOptions(Document):
    """An entry that its player names."""

    kind: str = Field(max_length=100)
    name: str = Field(max_length=LONGEST_ENTRY)
    value: str = Field(default="", max_length=10)  # its number or die; "none" removes it


class ChangeOptions(Document):
    """A number that a GM changes."""

    what: str = Field(max_length=100)
    by: int = Field(ge=-1000, le=1000)
    target: CharacterId | None = None  # whose it is; nobody's for a clock


class SetOptions(Document):
    """A number that a GM sets."""

    what: str = Field(max_length=100)
    value: str = Field(max_length=10)
    target: CharacterId | None = None  # whose it is; nobody's for a clock


class EventOptions(Document):
    """An event for everybody who plays."""

    event: str = Field(max_length=100)
    only_dice: bool = False  # whether the rest of it has been done


# --- things and entries ------------------------------------------------------------------------


def _item(rules: OwnRules, sheet: OwnSheet, typed: str) -> str:
    carried = {item: rules.game.items[item].row.label for item in sheet.items if item in rules.game.items}
    return named_among(carried, typed, "thing you carry")


def do_use(rules: OwnRules, scene: OwnScene, options: CarriedOptions, dice: Dice) -> Outcome:
    """Use a thing that one carries."""
    game, actor = rules.game, scene.actor
    item = game.items[_item(rules, actor.sheet, options.item)]
    uses, spent = item.row.uses, actor.sheet.items[item.key]
    if uses is not None and spent >= uses:
        raise UserError(f"{item.row.label} is used up.", _returns(item.row.reset))
    recorded = RecordedDice(dice)
    before = everything(rules, scene)
    changing = Changing(game, dict(before), Answers(), {}, recorded)
    changing.pay(item.cost)
    changing.apply(item.effects)
    after = with_numbers(game, scene, {"": actor}, before, changing.numbers)
    if uses is not None:
        sheet = after.character(actor.id).sheet
        after = after.with_sheet(
            after.character(actor.id), evolve(sheet, items={**sheet.items, item.key: spent + 1})
        )
    words = (item.row.text,) if item.row.text else ()
    return Outcome(
        scene=after,
        headline=f"uses {item.row.label}",
        rolls=effect_rolls(rules, item.row.label, recorded),
        notes=(*words, *changing.texts, *clock_notes(game, scene, after)),
    )


def _returns(events: Sequence[str]) -> str:
    return f"It returns at: {', '.join(events)}." if events else ""


def do_take(rules: OwnRules, scene: OwnScene, options: HandOutOptions, _dice: Dice) -> Outcome:
    """Give somebody a thing of a list."""
    game, target = rules.game, scene.character(options.target)
    key = named_among(
        {key: item.row.label for key, item in game.items.items()}, options.item, "thing on the lists"
    )
    item, sheet = game.items[key], target.sheet
    if key in sheet.items:
        raise UserError(f"{target.name} already has {item.row.label}.")
    if not has_room(game, sheet, key):
        raise UserError(f"{target.name} has no room for {item.row.label}.", "Drop something first.")
    after = scene.with_sheet(target, evolve(sheet, items={**sheet.items, key: 0}))
    return Outcome(scene=after, headline=f"gives {target.name} {item.row.label}")


def has_room(game: OwnGame, sheet: OwnSheet, key: str) -> bool:
    """Whether a character has the slots for another thing."""
    kind = game.items[key].list
    slots = slots_of(game, kind, numbers_of(game, sheet))
    carried = [game.items[one] for one in sheet.items if one in game.items]
    taken = sum(one.row.slots for one in carried if one.list == kind)
    return slots is None or taken + game.items[key].row.slots <= slots


def do_drop(rules: OwnRules, scene: OwnScene, options: CarriedOptions, _dice: Dice) -> Outcome:
    """Put away a thing for good."""
    actor = scene.actor
    key = _item(rules, actor.sheet, options.item)
    items = {item: spent for item, spent in actor.sheet.items.items() if item != key}
    after = scene.with_sheet(actor, evolve(actor.sheet, items=items))
    return Outcome(scene=after, headline=f"drops {rules.game.items[key].row.label}")


def do_entry(rules: OwnRules, scene: OwnScene, options: EntryOptions, _dice: Dice) -> Outcome:
    """Add, change or remove an entry that a player names."""
    game, actor = rules.game, scene.actor
    kind = named_among(
        {key: row.label for key, row in game.file.entries.items()}, options.kind, "kind of entry"
    )
    row, had = game.file.entries[kind], actor.sheet.entries.get(kind, {})
    name = " ".join(options.name.split())
    named = next((one for one in had if same_name(one, name)), name)
    if not name:
        raise UserError(f"{row.label}: give it a name.")
    if options.value.strip().casefold() == "none":
        if named not in had:
            raise UserError(f"You have no {row.label} called “{name}”.")
        return Outcome(
            scene=scene.with_sheet(actor, with_entry(actor.sheet, kind, named, None)),
            headline=f"removes {named} from {row.label}",
        )
    if named not in had and len(had) >= row.most:
        raise UserError(f"You can have {row.most} of {row.label}.", "Remove one first.")
    number = entry_number(game, kind, options.value)
    return Outcome(
        scene=scene.with_sheet(actor, with_entry(actor.sheet, kind, named, number)),
        headline=f"notes {named} under {row.label}",
    )


def entry_number(game: OwnGame, kind: str, typed: str) -> int:
    """The number or die of an entry as it is typed; its start for nothing.

    Raises:
        UserError: If it can't have that.
    """
    row, numbers = game.file.entries[kind], game.entry_numbers(kind)
    text = typed.strip() or ("" if row.start is None else str(row.start))
    digits = text.casefold().removeprefix("d").replace("−", "-")
    if not digits:
        return numbers[0]
    if not digits.removeprefix("-").isdecimal() or len(digits) > 6 or int(digits) not in numbers:
        known = ", ".join(amount_words(game, kind, one) for one in numbers[:25])
        raise UserError(f"“{typed}” can't be a value of {row.label}.", f"It is one of {known}.")
    return int(digits)


# --- the GM ------------------------------------------------------------------------------------


def _part(game: OwnGame, typed: str) -> str:
    names = {name: game.label(name) for name, kind in game.kinds.items() if kind in CHANGEABLE}
    return named_among(names, typed, "attribute, counter, track or clock")


def do_change(rules: OwnRules, scene: OwnScene, options: ChangeOptions, dice: Dice) -> Outcome:
    """Change a number by hand, as an effect would; a die by as many steps."""
    name = _part(rules.game, options.what)
    if not options.by:
        raise UserError("A change by 0 changes nothing.")
    is_die = bool(rules.game.span(name).steps)
    sign = ("up" if options.by > 0 else "down") if is_die else ("+" if options.by > 0 else "-")
    return _by_hand(
        rules,
        scene,
        name,
        options.target,
        dice,
        lambda changing: changing.change(name, sign, abs(options.by)),
    )


def do_set(rules: OwnRules, scene: OwnScene, options: SetOptions, dice: Dice) -> Outcome:
    """Set a number by hand."""
    name = _part(rules.game, options.what)
    digits = options.value.strip().casefold().removeprefix("d").replace("−", "-")
    if not digits.removeprefix("-").isdecimal():
        raise UserError(f"“{options.value}” is no number for {rules.game.label(name)}.")
    number = int(digits)

    def change(changing: Changing) -> None:
        nearest = within_span(rules.game, name, number, changing.known())
        if nearest != number:
            raise UserError(
                f"{rules.game.label(name)} can't be {amount_words(rules.game, name, number)}.",
                f"The nearest is {amount_words(rules.game, name, nearest)}.",
            )
        changing.change(name, "=", number)

    return _by_hand(rules, scene, name, options.target, dice, change, to=number)


def _by_hand(
    rules: OwnRules,
    scene: OwnScene,
    name: str,
    target: CharacterId | None,
    dice: Dice,
    change: Callable[[Changing], None],
    *,
    to: int | None = None,
) -> Outcome:
    game = rules.game
    is_clock = game.kinds[name] is PartKind.CLOCK
    if not is_clock and target is None:
        raise UserError(f"Say whose {game.label(name)} it is.")
    character = None if target is None or is_clock else scene.character(target)
    numbers = clocks_of(game, scene)
    numbers |= (
        dict.fromkeys(game.spans, 0) | numbers if character is None else numbers_of(game, character.sheet)
    )
    before = dict(numbers)
    recorded = RecordedDice(dice)
    changing = Changing(game, numbers, Answers(), {}, recorded)
    change(changing)
    if not changes_between(before, changing.numbers):
        raise UserError(f"{game.label(name)} stays as it is.", "It is at its end already.")
    after = with_numbers(game, scene, {} if character is None else {"": character}, before, changing.numbers)
    shown = amount_words(game, name, changing.numbers[name] if to is None else to)
    whose = "" if character is None else f" of {character.name}"
    return Outcome(
        scene=after,
        headline=f"sets {game.label(name)}{whose} to {shown}",
        rolls=effect_rolls(rules, game.label(name), recorded),
        notes=(*changing.texts, *clock_notes(game, scene, after)),
        is_public=not (is_clock and game.file.clocks[name].seen == "gm"),
    )


def do_clocks(rules: OwnRules, scene: OwnScene, _options: NoOptions, _dice: Dice) -> Outcome:
    """Show the clocks of the table; a GM sees all of them."""
    game = rules.game
    shown = {
        name: number
        for name, number in clocks_of(game, scene).items()
        if scene.is_gm or game.file.clocks[name].seen == "all"
    }
    if not shown:
        raise UserError("This game has no clocks that you can see.")
    return Outcome(
        scene=scene,
        headline="looks at the clocks",
        notes=tuple(
            Fact(clock_words(game, name, number), FactKind.OUTCOME) for name, number in shown.items()
        ),
        is_public=not scene.is_gm,
    )


# --- events ------------------------------------------------------------------------------------


def events_of(game: OwnGame) -> tuple[str, ...]:
    """The events at which something happens, those of the sessions apart."""
    named = dict.fromkeys(game.file.resets)
    for row in game.file.resources.values():
        named |= dict.fromkeys(row.reset)
    for track in game.file.tracks.values():
        named |= dict.fromkeys(track.heal)
    for item in game.items.values():
        named |= dict.fromkeys(item.row.reset)
    return tuple(one for one in named if one not in (SESSION_START, SESSION_END))


def _has_dice(found: Expression) -> bool:
    if isinstance(found, Applied):
        return any(map(_has_dice, found.parts))
    return isinstance(found, DiceSum)


def _parted_game(game: OwnGame, event: str, *, dice: bool) -> OwnGame:
    """The game with only those effects of an event that roll dice, or don't."""
    effects = tuple(one for one in game.resets.get(event, ()) if _has_dice(one.amount) is dice)
    return replace(game, resets={**game.resets, event: effects})


def event_hook(rules: OwnRules, event: str, scene: OwnScene, characters: Sequence[CharacterId]) -> HookResult:
    """What an event of the session does; what takes dice is offered as a button."""
    game = _parted_game(rules.game, event, dice=False)
    after, notes = _happened(replace(rules, game=game), scene, event, characters, MiddleDice())
    rolls = _parted_game(rules.game, event, dice=True).resets.get(event, ())
    button = FollowUp(
        procedure=EVENT,
        options=EventOptions(event=event, only_dice=True),
        label=f"Roll for “{event}”",
        audience=Audience.GM,
    )
    return HookResult(scene=after, notes=tuple(notes), follow_ups=(button,) if rolls and characters else ())


def do_event(rules: OwnRules, scene: OwnScene, options: EventOptions, dice: Dice) -> Outcome:
    """Make an event happen to everybody who plays."""
    known = {one: one for one in (*events_of(rules.game), SESSION_START, SESSION_END)}
    event = named_among(known, options.event, "event")
    if event in (SESSION_START, SESSION_END) and not options.only_dice:
        raise UserError("Sessions start and end with /session.")
    used = replace(rules, game=_parted_game(rules.game, event, dice=True)) if options.only_dice else rules
    players = [id_ for id_ in scene.find_everybody() if scene.character(id_).owner is not None]
    recorded = RecordedDice(dice)
    after, notes = _happened(used, scene, event, players, recorded, only_dice=options.only_dice)
    return Outcome(
        scene=after,
        headline=f"calls “{event}”",
        rolls=effect_rolls(rules, event, recorded),
        notes=tuple(notes) or (() if after is not scene else ("It changes nothing now.",)),
    )


def _happened(
    rules: OwnRules,
    scene: OwnScene,
    event: str,
    characters: Sequence[CharacterId],
    dice: Dice,
    *,
    only_dice: bool = False,
) -> tuple[OwnScene, list[str]]:
    """What an event does to characters; what it does to clocks is done once."""
    game, notes = rules.game, list[str]()
    clocks = clocks_of(game, scene)
    for place, id_ in enumerate(characters or (None,)):
        character = None if id_ is None else scene.character(id_)
        own = dict.fromkeys(game.spans, 0) if character is None else numbers_of(game, character.sheet)
        before = {**own, **clocks}
        if only_dice:
            changing = Changing(game, dict(before), Answers(), {}, dice)
            changing.apply(game.resets.get(event, ()))
        else:
            changing = happen(game, event, before, dice)
        now = {} if place == 0 else clocks_of(game, scene)  # what it does to clocks has been done
        owners = {} if character is None else {"": character}
        if character is not None:
            notes += [f"{character.name}: {text}" for text in changing.texts]
        moved = with_numbers(game, scene, owners, {**before, **now}, {**changing.numbers, **now})
        notes += clock_notes(game, scene, moved)
        scene = moved
        if character is not None and not only_dice:
            scene = _items_back(game, scene, scene.character(character.id), event)
    return scene, notes


def _items_back(game: OwnGame, scene: OwnScene, character: OwnCharacter, event: str) -> OwnScene:
    items = {
        item: 0 if item in game.items and event in game.items[item].row.reset else spent
        for item, spent in character.sheet.items.items()
    }
    if items == character.sheet.items:
        return scene
    return scene.with_sheet(character, evolve(character.sheet, items=items))


def _reckoned(run: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """Do something, and refuse what can't be reckoned."""

    def do(scene: OwnScene, options: Document, dice: Dice) -> Outcome:
        try:
            return run(scene, options, dice)
        except (NoAmount, TooMuchToCount) as error:
            said = f"That can't be reckoned: something {error}."
            raise UserError(said, try_this="The GM can change the game.") from None

    return do


def procedure(
    rules: OwnRules, key: str, options: type[Document], run: Callable[..., Outcome], **more: Any
) -> Procedure:
    """Something that one can do in a version."""
    return Procedure(key=key, options=options, run=_reckoned(partial(run, rules)), **more)


def own_procedures(rules: OwnRules) -> Iterator[Procedure]:
    """Everything that one can do but roll a check."""
    made = partial(procedure, rules)
    yield made(AFTER, AfterOptions, do_after)
    yield made(USE, CarriedOptions, do_use)
    yield made(DROP, CarriedOptions, do_drop)
    yield made(NOTE_ENTRY, EntryOptions, do_entry)
    yield made(TAKE, HandOutOptions, do_take, gm_only=True, needs_actor=False)
    yield made(CHANGE, ChangeOptions, do_change, gm_only=True, needs_actor=False)
    yield made(SET, SetOptions, do_set, gm_only=True, needs_actor=False)
    yield made(EVENT, EventOptions, do_event, gm_only=True, needs_actor=False)
    yield made(CLOCKS_SHOWN, NoOptions, do_clocks, needs_actor=False)
