"""The file of an own game: what may stand in it and how much. What it means is checked by `game_check`."""

import re
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from bot.rules.kernel import Document
from bot.rules.own.expressions import MOST_CHARACTERS, MOST_NUMBER

MOST_BYTES = 64 * 1024
MOST_LABEL = 45  # characters: a form's limit
MOST_TEXT = 1000
MOST_ATTRIBUTES, MOST_RESOURCES, MOST_TRACKS, MOST_CLOCKS = 40, 24, 8, 20
MOST_CHECKS, MOST_MOVES, MOST_TIERS, MOST_EFFECTS = 12, 60, 8, 6
MOST_QUESTIONS, MOST_CHOICES, MOST_AFTER = 5, 25, 3
MOST_GROUPS, MOST_READINGS, MOST_LETS = 4, 12, 12
READINGS_A_GROUP = 3
MOST_BOXES, MOST_SIZE = 24, 100
MOST_EVENTS, MOST_LISTS, MOST_ITEMS, MOST_HEROES, MOST_NPCS = 20, 8, 60, 24, 40

KEY = "[a-z][a-z0-9_]{0,31}"
DIE = re.compile(r"d([1-9][0-9]{0,3})")
_FORBIDDEN = re.compile(r"https?://|discord\.gg|<[@#:/a]|@everyone|@here", re.IGNORECASE)


def _plain(text: str) -> str:
    """A text without links, mentions and invisible characters."""
    if found := _FORBIDDEN.search(text):
        raise ValueError(f"“{found[0]}” can't stand in a text: no links, pictures or mentions.")
    if not text.replace("\n", "").isprintable():
        raise ValueError("there are invisible characters in this.")
    return text


def _one_of(
    sentence: str, schema: dict[str, Any], *kinds: type, most: int = MOST_CHARACTERS
) -> tuple[BeforeValidator, WithJsonSchema]:
    """What a value is that may be of several kinds: one sentence says all that is allowed."""

    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, kinds):
            raise ValueError(sentence)
        if isinstance(value, int) and abs(value) > MOST_NUMBER:
            raise ValueError(f"this is larger than {MOST_NUMBER:,}.")
        if isinstance(value, str) and len(value) > most:
            raise ValueError(f"this has {len(value):,} characters; {most} is the most.")
        return value

    return BeforeValidator(check), WithJsonSchema(schema)


Key: TypeAlias = Annotated[str, Field(pattern=f"^{KEY}$")]
Label: TypeAlias = Annotated[str, Field(min_length=1, max_length=MOST_LABEL), AfterValidator(_plain)]
Words: TypeAlias = Annotated[str, Field(max_length=MOST_TEXT), AfterValidator(_plain)]
Code: TypeAlias = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]
Whole: TypeAlias = Annotated[int, Field(strict=True, ge=-MOST_NUMBER, le=MOST_NUMBER)]
Effects: TypeAlias = Annotated[tuple[Code, ...], Field(max_length=MOST_EFFECTS)]
Event: TypeAlias = Annotated[str, Field(min_length=1, max_length=MOST_LABEL)]

_AMOUNT = {"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": MOST_CHARACTERS}]}
Start: TypeAlias = Annotated[
    int | str,
    *_one_of("this should be a number, a die (“d6”) or an expression in quotes.", _AMOUNT, int, str),
]
Bound: TypeAlias = Annotated[
    int | str,
    *_one_of("this should be a number, a die (“d6”) or an expression in quotes.", _AMOUNT, int, str),
]
_ASK_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "string", "examples": ["attribute", "yes/no", "edge", "clock", "character", "-2..2"]},
        {"type": "array", "items": {"type": "string"}, "maxItems": MOST_CHOICES},
        {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": MOST_CHOICES},
    ]
}


def _checked_ask(value: object) -> object:
    entries = value if isinstance(value, dict | list) else ()
    if len(entries) > MOST_CHOICES:
        raise ValueError(f"this has {len(entries)} choices; {MOST_CHOICES} is the most.")
    if isinstance(value, list) and not all(isinstance(one, str) for one in value):
        raise ValueError("every choice should be a text in quotes.")
    for label in entries:
        if not 0 < len(label) <= MOST_LABEL:
            raise ValueError(f"a choice has {len(label)} characters; 1 to {MOST_LABEL} are allowed.")
        _plain(label)
    if isinstance(value, dict):
        for number in value.values():
            is_whole = isinstance(number, int) and not isinstance(number, bool)
            if not is_whole or abs(number) > MOST_NUMBER:
                raise ValueError(f"every choice should have a whole number of {MOST_NUMBER:,} at most.")
    return value


_ask_is, _ask_schema = _one_of(
    "this should be a kind of question in quotes, a list of choices, or choices with their numbers.",
    _ASK_SCHEMA,
    str,
    list,
    dict,
)
Ask: TypeAlias = Annotated[
    str | list[str] | dict[str, int], BeforeValidator(_checked_ask), _ask_is, _ask_schema
]


def _effects_by_tier(value: object) -> object:
    rows = value.values() if isinstance(value, dict) else (value,)
    if isinstance(value, dict) and len(value) > MOST_TIERS:
        raise ValueError(f"this has {len(value)} tiers; {MOST_TIERS} is the most.")
    for row in rows:
        if not isinstance(row, list) or not all(isinstance(one, str) for one in row):
            raise ValueError("this should be a list of effects, or such a list for each tier.")
        if len(row) > MOST_EFFECTS:
            raise ValueError(f"this has {len(row)} effects; {MOST_EFFECTS} is the most.")
        if long := next((one for one in row if len(one) > MOST_CHARACTERS), None):
            raise ValueError(f"this has {len(long):,} characters; {MOST_CHARACTERS} is the most.")
    return value


_EFFECTS_SCHEMA: dict[str, Any] = {"type": "array", "items": {"type": "string"}, "maxItems": MOST_EFFECTS}
TierEffects: TypeAlias = Annotated[
    list[str] | dict[str, list[str]],
    BeforeValidator(_effects_by_tier),
    WithJsonSchema({"anyOf": [_EFFECTS_SCHEMA, {"type": "object", "additionalProperties": _EFFECTS_SCHEMA}]}),
]


def _text_by_tier(value: object) -> object:
    rows = value.values() if isinstance(value, dict) else (value,)
    for row in rows:
        if not isinstance(row, str) or len(row) > MOST_TEXT:
            raise ValueError(
                f"this should be a text of {MOST_TEXT} characters at most, or one for each tier."
            )
        _plain(row)
    return value


TierTexts: TypeAlias = Annotated[
    str | dict[str, str],
    BeforeValidator(_text_by_tier),
    WithJsonSchema(
        {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "string"}}]}
    ),
]


def _boxes(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, list) and all(
        isinstance(one, str) and 0 < len(one) <= MOST_LABEL for one in value
    ):
        number = len(value)
        _plain("".join(value))
    else:
        raise ValueError("this should be a number of boxes, or a list of their names.")
    if not 1 <= number <= MOST_BOXES:
        raise ValueError(f"this has {number:,} boxes; 1 to {MOST_BOXES} are allowed.")
    return value


Boxes: TypeAlias = Annotated[
    int | list[str],
    BeforeValidator(_boxes),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": MOST_BOXES},
                {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": MOST_BOXES},
            ]
        }
    ),
]


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Events: TypeAlias = Annotated[
    tuple[Event, ...],
    BeforeValidator(_listed),
    Field(max_length=MOST_EVENTS),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
Keys: TypeAlias = Annotated[
    tuple[Key, ...],
    BeforeValidator(_listed),
    Field(max_length=MOST_EVENTS),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]


class StatRow(Document):
    """An attribute: a number, or a die that steps up and down.

    Attributes:
        label: As people read it.
        group: Those of one group stand together; a question can ask for one of a group.
        min: The lowest number or die.
        max: The highest number or die.
        start: What a new character has.
        was: Its key in earlier versions of the game.
        text: What it is good for.
    """

    label: Label
    group: Label | None = None
    min: Bound = 0
    max: Bound | None = None
    start: Start | None = None
    was: Key | None = None
    text: Words = ""


class ResourceRow(Document):
    """A counter: points with a start and a cap, or a usage die.

    Attributes:
        label: As people read it.
        start: What a new character has, and what a reset puts back; a usage die is “d8”.
        min: The lowest number.
        max: The highest number or die.
        reset: The events at which it returns to its start.
        full: What is said once it is full.
        full_do: What happens then.
        empty: What is said once it is empty.
        empty_do: What happens then.
        overflow: What takes what it cannot take, the first one first.
        was: Its key in earlier versions of the game.
        text: What it is good for.
    """

    label: Label
    start: Start = 0
    min: Whole = 0
    max: Bound | None = None
    reset: Events = ()
    full: Words = ""
    full_do: Effects = ()
    empty: Words = ""
    empty_do: Effects = ()
    overflow: Keys = ()
    was: Key | None = None
    text: Words = ""


class TrackRow(Document):
    """A track of boxes, ticked from the first on.

    Attributes:
        label: As people read it.
        boxes: How many there are, or their names.
        full: What is said once all are ticked.
        full_do: What happens then.
        heal: The events at which all are cleared.
        overflow: What takes what it cannot take, the first one first.
        was: Its key in earlier versions of the game.
        text: What it is good for.
    """

    label: Label
    boxes: Boxes
    full: Words = ""
    full_do: Effects = ()
    heal: Events = ()
    overflow: Keys = ()
    was: Key | None = None
    text: Words = ""


class ClockRow(Document):
    """A clock of the whole table.

    Attributes:
        label: As people read it.
        size: How many segments it has.
        seen: Who sees it.
        full: What is said once it is full.
        full_do: What happens then.
        was: Its key in earlier versions of the game.
    """

    label: Label
    size: Annotated[int, Field(strict=True, ge=1, le=MOST_SIZE)]
    seen: Literal["all", "gm"] = "all"
    full: Words = ""
    full_do: Effects = ()
    was: Key | None = None


class EntriesRow(Document):
    """Entries that players name themselves: clichés, aspects, bonds.

    Attributes:
        label: As people read it.
        value: What each has: a range (“1..6”), dice (“d4..d12”), or “words” and nothing else.
        most: How many there can be.
        start: What a new one has.
    """

    label: Label
    value: Code = "words"
    most: Annotated[int, Field(strict=True, ge=1, le=MOST_CHOICES)] = 10
    start: Start | None = None


class ItemRow(Document):
    """An entry of a list: a piece of gear, an ability.

    Attributes:
        label: As people read it.
        text: What it does.
        value: Its number, where a question asks for it.
        slots: How many slots it takes.
        uses: How often it can be used before it returns.
        reset: The events at which its uses return.
        cost: What a use costs.
        do: What a use does.
    """

    label: Label
    text: Words = ""
    value: Whole = 0
    slots: Annotated[int, Field(strict=True, ge=0, le=MOST_SIZE)] = 1
    uses: Annotated[int, Field(strict=True, ge=1, le=MOST_SIZE)] | None = None
    reset: Events = ()
    cost: Effects = ()
    do: Effects = ()


class ListRow(Document):
    """A list that characters take things from.

    Attributes:
        label: As people read it.
        slots: How many slots a character has for them; none without a limit.
        items: What is in it.
    """

    label: Label
    slots: Start | None = None
    items: Annotated[dict[Key, ItemRow], Field(max_length=MOST_ITEMS)] = Field(default_factory=dict)


class ResultRow(Document):
    """One result of a check; the first that fits wins.

    Attributes:
        name: As people read it; an expression in braces is filled in.
        fits: Which values it is for: “10+”, “7-9”, “6-” or “7”.
        when: When it is, as an expression; with neither it is for all the rest.
        counts: How good it is: “success”, “partial” or “failure”; else its name or its place says so.
        do: What happens then.
        text: What is said then.
    """

    name: Label
    fits: Code | None = Field(default=None, alias="is")
    when: Code | None = None
    counts: Literal["success", "partial", "failure"] | None = None
    do: Effects = ()
    text: Words = ""


class AfterRow(Document):
    """A button under a result.

    Attributes:
        label: As people read it.
        when: When it is offered.
        cost: What it costs.
        reroll: What is rolled again: “all”, a group, or faces of it (“base 2..5”).
        add: The group that gets one more die.
        step: A group whose dice step: “pool up”, “pool down”.
        take: A reading that is replaced by another: “n = other”.
        often: Once a roll, or as often as it is paid.
    """

    label: Label
    when: Code | None = None
    cost: Effects = ()
    reroll: Code | None = None
    add: Key | None = None
    step: Code | None = None
    take: Code | None = None
    often: Literal["once", "paid"] = "once"


class CheckRow(Document):
    """A check: questions, dice, readings, tiers.

    Attributes:
        label: As people read it.
        text: What it is for.
        ask: The questions before the roll.
        cost: What the roll costs.
        dice: The groups of dice; “none” is rolled in place of the first where that has no dice.
        edge: The group that an edge rolls twice, and which total counts: “lowest roll”.
        read: What is read off the dice.
        let: Names for amounts, for use in what follows.
        value: What `is` compares; the only reading where nothing is said.
        opposed: Whether somebody else rolls too; their value is “theirs”.
        tiers: The results.
        after: Buttons under the result.
    """

    label: Label | None = None
    text: Words = ""
    ask: Annotated[dict[Key, Ask], Field(max_length=MOST_QUESTIONS)] = Field(default_factory=dict)
    cost: Effects = ()
    dice: Annotated[dict[Key, Code], Field(min_length=1)]
    edge: Code | None = None
    read: Annotated[dict[Key, Code], Field(max_length=MOST_READINGS)] = Field(default_factory=dict)
    let: Annotated[dict[Key, Code], Field(max_length=MOST_LETS)] = Field(default_factory=dict)
    value: Code | None = None
    opposed: Annotated[bool, Field(strict=True)] = False
    tiers: Annotated[tuple[ResultRow, ...], Field(min_length=1, max_length=MOST_TIERS)]
    after: Annotated[tuple[AfterRow, ...], Field(max_length=MOST_AFTER)] = ()


class MoveRow(Document):
    """A move: a check, or only effects, under a name of its own.

    Attributes:
        label: As people read it.
        group: Moves of one group stand together.
        check: The check it rolls, or none.
        given: Answers to the check's questions.
        at: Whom it aims at.
        when: When it can be made.
        cost: What it costs, besides the check's own cost.
        text: What is said, for each tier or always.
        do: What happens, for each tier or always.
    """

    label: Label
    group: Label | None = None
    check: Key | None = None
    given: dict[
        Key, Annotated[int | str, *_one_of("this should be a text or a number.", _AMOUNT, int, str)]
    ] = Field(default_factory=dict, alias="with", max_length=MOST_QUESTIONS)
    at: Literal["foe", "ally", "anyone"] | None = None
    when: Code | None = None
    cost: Effects = ()
    text: TierTexts = ""
    do: TierEffects = Field(default_factory=list)


class PointsRow(Document):
    """Points to spend on attributes.

    Attributes:
        total: How many there are.
        each: The most that one attribute gets.
        group: The group of attributes they are for; all where nothing is said.
    """

    total: Annotated[int, Field(strict=True, ge=0, le=MOST_NUMBER)]
    each: Annotated[int, Field(strict=True, ge=0, le=MOST_NUMBER)] | None = None
    group: Label | None = None


Given: TypeAlias = Annotated[dict[Key, Start], Field(max_length=MOST_ATTRIBUTES)]


class PlaybookRow(Document):
    """A playbook: what a character of its kind begins with.

    Attributes:
        label: As people read it.
        text: Who that is.
        attributes: Attributes that differ from their starts.
        resources: Counters that differ from their starts.
        moves: The moves that only this playbook has.
        items: What it carries, by the keys of the lists.
    """

    label: Label
    text: Words = ""
    attributes: Given = Field(default_factory=dict)
    resources: Given = Field(default_factory=dict)
    moves: Keys = ()
    items: Keys = ()


class CreateRow(Document):
    """How a character is made; all that is given is done.

    Attributes:
        spread: Numbers to spread over the attributes, one each.
        points: Points to spend on attributes.
        roll: Attributes that are rolled.
        playbooks: Playbooks to choose from.
        ask: Questions to answer in words.
    """

    spread: Annotated[tuple[Start, ...], Field(max_length=MOST_ATTRIBUTES)] = ()
    points: PointsRow | None = None
    roll: Annotated[dict[Key, Code], Field(max_length=MOST_ATTRIBUTES)] = Field(default_factory=dict)
    playbooks: Annotated[dict[Key, PlaybookRow], Field(max_length=MOST_CHOICES)] = Field(default_factory=dict)
    ask: Annotated[dict[Key, Label], Field(max_length=MOST_QUESTIONS)] = Field(default_factory=dict)


class HeroRow(Document):
    """A ready-made character.

    Attributes:
        label: Its name.
        text: Who that is.
        playbook: Its playbook.
        attributes: Its attributes, where they differ from their starts.
        resources: Its counters, where they differ from their starts.
        words: Its answers to the questions of creation.
        entries: What it has of the entries that players name: by name, the number or die.
        items: What it carries.
    """

    label: Label
    text: Words = ""
    playbook: Key | None = None
    attributes: Given = Field(default_factory=dict)
    resources: Given = Field(default_factory=dict)
    words: Annotated[dict[Key, Words], Field(max_length=MOST_QUESTIONS)] = Field(default_factory=dict)
    entries: dict[Key, Annotated[dict[Label, Start], Field(max_length=MOST_CHOICES)]] = Field(
        default_factory=dict
    )
    items: Keys = ()


class NpcRow(Document):
    """Somebody whom the GM plays: a name, the attributes that matter, a track.

    Attributes:
        label: Its name.
        text: Who that is.
        attributes: Its attributes.
        resources: Its counters.
        tracks: How many boxes it has on a track, where it has fewer.
    """

    label: Label
    text: Words = ""
    attributes: Given = Field(default_factory=dict)
    resources: Given = Field(default_factory=dict)
    tracks: Annotated[
        dict[Key, Annotated[int, Field(strict=True, ge=1, le=MOST_BOXES)]], Field(max_length=MOST_TRACKS)
    ] = Field(default_factory=dict)


class FightRow(Document):
    """How a fight goes.

    Attributes:
        order: Each rolls, side by side, as people are called, or in a fixed order.
        by: What decides a place in the order: an expression, with dice where it is rolled.
        check: The check that is rolled instead.
        out: The track or counter that takes somebody out of the fight, full or empty.
    """

    order: Literal["roll", "sides", "as called", "fixed"] = "as called"
    by: Code | None = None
    check: Key | None = None
    out: Key | None = None


class GameFile(Document):
    """A game of one's own.

    Attributes:
        format: The version of this format.
        name: The game's name.
        command: Its slash command, without the slash.
        version: Counts up with each version that is published.
        text: What it is about, in a line or two.
        credit: Who wrote it.
        licence: How it may be used.
        origin: Where a copy came from; written by an export.
        create: How a character is made.
        attributes: What characters have.
        derived: Numbers that follow from others.
        resources: Counters of a character.
        tracks: Tracks of boxes of a character.
        clocks: Clocks of the whole table.
        entries: Entries that players name.
        lists: Lists of gear and abilities.
        checks: Checks.
        moves: Moves.
        resets: What happens at an event: “session end”, “session start”, “rest”, “downtime”, or one of yours.
        fight: How a fight goes.
        npcs: Whom the GM plays.
        heroes: Ready-made characters.
        rules: Texts of the game's own rules, by title.
    """

    format: Literal[1]
    name: Label
    command: Annotated[str, Field(pattern=f"^{KEY}$")]
    version: Annotated[int, Field(strict=True, ge=1, le=MOST_NUMBER)] = 1
    text: Words = ""
    credit: Words = ""
    licence: Words = ""
    origin: Label | None = None
    create: CreateRow = CreateRow()
    attributes: Annotated[dict[Key, StatRow], Field(max_length=MOST_ATTRIBUTES)] = Field(default_factory=dict)
    derived: Annotated[dict[Key, Code], Field(max_length=MOST_ATTRIBUTES)] = Field(default_factory=dict)
    resources: Annotated[dict[Key, ResourceRow], Field(max_length=MOST_RESOURCES)] = Field(
        default_factory=dict
    )
    tracks: Annotated[dict[Key, TrackRow], Field(max_length=MOST_TRACKS)] = Field(default_factory=dict)
    clocks: Annotated[dict[Key, ClockRow], Field(max_length=MOST_CLOCKS)] = Field(default_factory=dict)
    entries: Annotated[dict[Key, EntriesRow], Field(max_length=MOST_LISTS)] = Field(default_factory=dict)
    lists: Annotated[dict[Key, ListRow], Field(max_length=MOST_LISTS)] = Field(default_factory=dict)
    checks: Annotated[dict[Key, CheckRow], Field(max_length=MOST_CHECKS)] = Field(default_factory=dict)
    moves: Annotated[dict[Key, MoveRow], Field(max_length=MOST_MOVES)] = Field(default_factory=dict)
    resets: Annotated[dict[Event, Effects], Field(max_length=MOST_EVENTS)] = Field(default_factory=dict)
    fight: FightRow = FightRow()
    npcs: Annotated[dict[Key, NpcRow], Field(max_length=MOST_NPCS)] = Field(default_factory=dict)
    heroes: Annotated[dict[Key, HeroRow], Field(max_length=MOST_HEROES)] = Field(default_factory=dict)
    rules: Annotated[dict[Label, Words], Field(max_length=MOST_CHOICES)] = Field(default_factory=dict)
