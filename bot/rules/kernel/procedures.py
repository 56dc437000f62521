"""Procedures: what a person can do in a ruleset, the outcome, what is offered now and what is unsettled."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from importlib import import_module
from pkgutil import walk_packages
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace
from typing_extensions import TypeVar

from bot.rules.kernel.dice import Dice
from bot.rules.kernel.outcome import CharacterId, Document, Family, ForTypes, Roll, RollRule, Verdict, counted
from bot.rules.kernel.scene import Character, Scene, SceneT, SceneT_co

if TYPE_CHECKING:  # what a countdown is stands above what a ruleset is
    from bot.rules.shared.countdowns import Countdown


class NoOptions(Document):
    """The options of a procedure without any."""


class Audience(StrEnum):
    """Who may press a follow-up."""

    OWNER = "owner"  # whoever plays the character it is for, or the GM
    GM = "gm"
    ANYONE = "anyone"  # everybody at the table; each acts with their own character


class Place(StrEnum):
    """Where the result of a press is shown."""

    BELOW = "below"  # in the message that was pressed, below what is there
    VERDICT = "verdict"  # the same, and its verdict takes the place of the one above
    APART = "apart"  # in a message of its own: it is an action of its own
    OPEN = "open"  # the same, and for everybody, also where it stands under a private question


class Choice(Struct, frozen=True):
    """One entry of a select menu or autocompletion."""

    value: str  # what is chosen; up to 100 characters
    label: str  # what is read; up to 100 characters
    note: str = ""  # a second, smaller line; up to 100 characters


class TextField(Struct, frozen=True, kw_only=True):
    """A question answered in a text field of a form, or in a menu there."""

    key: str  # where the draft keeps the answer; of a follow-up, the option that takes it
    prompt: str  # the question; up to 45 characters
    longest: int = 80  # most characters
    is_required: bool = True  # whether it has to be answered; else it may stay empty
    is_long: bool = False  # whether it is written in a field of several lines
    choices: tuple[Choice, ...] = ()  # the entries of a menu that takes the text field's place; up to 25
    most: int = 1  # how many of them can be chosen


class Deadline(Struct, frozen=True, kw_only=True):
    """When a follow-up expires; the ruleset says what closes it."""

    concerns: tuple[CharacterId, ...] = ()  # the characters on whose rolls and actions it depends
    # What else closes it, in the ruleset's own words ("first turn"), or `SESSION_ENDED`.
    until: tuple[str, ...] = ()


SESSION_ENDED = "the session has ended"


class LaterEntry(Struct, frozen=True, kw_only=True):
    """A later journal entry that has not been undone."""

    procedure: str = ""  # key of what was done; nothing where it was no procedure of the ruleset
    by: CharacterId | None = None  # who rolled or acted, or None
    against: frozenset[CharacterId] = frozenset()  # whom it was aimed at, and whose state it changed
    is_use: bool = False  # whether it was done by pressing something under the same result
    is_end_of_countdown: bool = False  # whether it ended a countdown that the result had moved
    moments: tuple[str, ...] = ()  # what it was besides, in the ruleset's own words, or `SESSION_ENDED`


def over_once_happened(window: Deadline, happening: LaterEntry) -> str | None:
    """Expire a follow-up once one of its `until` words has happened; enough for most rulesets."""
    over = set(window.until) & set(happening.moments)
    return SESSION_ENDED if SESSION_ENDED in over else "it is already over" if over else None


class FollowUp(Struct, frozen=True, kw_only=True):
    """A button (or, with choices, a select menu) under a result."""

    procedure: str  # key of the procedure a press runs
    options: Document
    label: str  # verb first, with cost and chance where there are any; up to 80 characters
    audience: Audience = Audience.OWNER  # who may press
    # Who acts when it is pressed; None lets each presser's own character act.
    character: CharacterId | None = None
    choices: tuple[Choice, ...] = ()  # the entries of a select menu; none makes a button
    chosen: str = ""  # the option that takes what was chosen; where it is a `CharacterId`, the values are ids
    # What is asked in writing before it is done, up to five fields of one form.
    blanks: tuple[TextField, ...] = ()
    group: str = ""  # a press closes every follow-up of the same result that has the same group
    stays: bool = False  # true keeps it open after a press
    window: Deadline | None = None  # until when it can be pressed; None: until it is pressed
    # A press makes the result unhappen before it runs: what had come of it is taken back, what had been paid
    # for it stays paid, and nothing else can be pressed under it any more. Where the result stays what it
    # was, the procedure lets the same come of it again. Countdowns take the new result for one of the
    # procedure of the old one.
    rewinds: bool = False
    # What a press comes to, as its reader was told: what is done to whom, for how much. A press that would
    # come to another `Outcome.deal` by now is refused as outdated; nothing: it always does what its label
    # says.
    deal: str = ""
    # It presses itself after so long where nobody has; its button says so. Without a window that takes that
    # nothing was built on the result. None: never; nor does what was told to one person alone.
    after_seconds: int | None = None
    note: str = ""  # a sentence that is told as long as it can be pressed ("Ondra may oppose."), or nothing
    # Where the outcome is shown. It has a message of its own besides where another player has to press
    # something in it, and where not the same people see it. One that rewinds takes the place of what it
    # stands under.
    place: Place = Place.BELOW
    # Whether its character's player, or for the audience GM a GM, still has to press it; until then the GM's
    # desk says so.
    is_owed: bool = False
    is_npcs: bool = False  # whether its character is one of the GM's; set when it is saved


class SettledThing(Document):
    """How something open came out that was settled with others, such as at the end of a fight."""

    moment: str  # what closed its buttons; see `Deadline.until`
    what: str
    family: Family
    title: str


class Outcome(Struct, ForTypes, Generic[SceneT_co], frozen=True, kw_only=True):
    """The result of a procedure."""

    scene: SceneT_co  # everything as it is afterwards
    headline: str  # what was done, a phrase that follows the actor's name ("checks Str + Dex")
    verdict: Verdict | None = None  # what it came to as a whole, or None
    rolls: tuple[Roll, ...] = ()  # every roll, in order. Their dice, joined, are all dice that were rolled.
    notes: tuple[str, ...] = ()  # short plain sentences about what else happened. Names in them are as typed.
    follow_ups: tuple[FollowUp, ...] = ()  # what can be done next
    is_public: bool = True  # false shows the result to the person alone
    # Whether countdowns take it for a success or a failure; None reads it off the verdict.
    passed: bool | None = None
    skill: str = ""  # what it was done with, in the book's word; the headline where left out
    # The scene once the attempt was paid for and before anything came of it; None where it cost nothing. A
    # follow-up that rewinds leaves this as it is.
    paid: SceneT_co | None = None
    # What this is besides a roll or a change, for windows, in the ruleset's own words.
    moments: tuple[str, ...] = ()
    settled: "tuple[SettledThing, ...]" = ()  # what was open elsewhere and came out with it
    gathering: str = ""  # the key of the document of a gathering that it opens, or nothing
    # A countdown that begins with it, or two that run against each other.
    countdowns: "tuple[Countdown, ...]" = ()
    # Whether its dice are told under Details alone: there are many, and what changed says enough.
    is_brief: bool = False
    deal: str = ""  # what was agreed to with it; see `FollowUp.deal`
    awards: tuple[tuple[str, int], ...] = ()  # what the GM awarded with it: the title of each and how much


OptionsT = TypeVar("OptionsT", bound=Document)
RunT = TypeVar("RunT", bound=Callable[..., Outcome])
OptionsT_co = TypeVar("OptionsT_co", bound=Document, default=Document, covariant=True)


class Procedure(Struct, ForTypes, Generic[OptionsT_co, SceneT_co], frozen=True, kw_only=True):
    """Something that can be done in a ruleset."""

    key: str  # its name; never changes once used
    # Model of what the player chooses. Fields of type `CharacterId` may be given by name.
    options: type[OptionsT_co]
    # Does it. Raises `UserError` where it is not allowed; then nothing happens.
    run: Callable[[SceneT_co, OptionsT_co, Dice], Outcome]
    gm_only: bool = False  # only a GM may do it
    needs_actor: bool = True  # false where it may be done as no character in particular
    # Whether it is offered as a check that moves countdowns; where a game says it of none, everything is
    # offered.
    is_check: bool = False
    counts_as: tuple[str, ...] = ()  # the checks for which countdowns take it besides itself, by their keys
    can_repeat: bool = False  # whether its result offers to do the same again
    sets: bool = False  # whether it only sets something, so that it is refused where nothing changes


_declared: list[Procedure] = []


def procedure(
    key: str,
    *,
    options: type[Document] | None = None,
    gm_only: bool = False,
    needs_actor: bool = True,
    is_check: bool = False,
    counts_as: tuple[str, ...] = (),
    can_repeat: bool = False,
    sets: bool = False,
) -> Callable[[RunT], RunT]:
    """Declare a function a procedure of the ruleset in whose package it stands; see `Procedure`.

    Its options are those that its second parameter is annotated with.
    """

    def declare(run: RunT) -> RunT:
        _, annotated, *_ = run.__annotations__.values()
        made = Procedure(
            key=key,
            options=options or annotated,
            run=run,
            gm_only=gm_only,
            needs_actor=needs_actor,
            is_check=is_check,
            counts_as=counts_as,
            can_repeat=can_repeat,
            sets=sets,
        )
        _declared.append(made)
        return run

    return declare


def rolling(rule: RollRule[Any]) -> Procedure:
    """The procedure of a roll of the acting character's sheet; nothing else happens."""

    def roll(scene: Any, _options: NoOptions, dice: Dice) -> Outcome:
        rolled = rule.resolve(scene.actor.sheet, dice)
        return Outcome(scene=scene, headline=rule.does, verdict=rolled.verdict, rolls=(rolled,))

    return Procedure(key=rule.key, options=NoOptions, run=roll)


def procedures_of(package: str, *shared: Procedure) -> Mapping[str, Procedure]:
    """Find every procedure that is declared in the modules of a ruleset's package, by key.

    Args:
        package: Full name of the package; all its modules are imported.
        shared: The procedures of what rulesets share, such as fights and rests, made for this one.

    Raises:
        ValueError: Two of them have the same key.
    """
    for found in walk_packages(import_module(package).__path__, f"{package}."):
        import_module(found.name)
    own = (one for one in _declared if f"{one.run.__module__}.".startswith(f"{package}."))
    by_key: dict[str, Procedure] = {}
    for one in (*own, *shared):
        if one.key in by_key:
            raise ValueError(f"{package} has two procedures with the key {one.key}")
        by_key[one.key] = one
    return MappingProxyType(by_key)


class ActGroup(StrEnum):
    """The parts of a sheet's controls, in the order they are shown; a GM's own come last."""

    CHECK = "Check"
    FIGHT = "Fight"
    USE = "Use"
    SPEND = "Spend"
    REST = "Rest"
    GROW = "Grow"
    DAMAGE = "Damage"
    HEAL = "Heal"
    CONDITION = "Condition"
    GIVE = "Give"
    GM = "GM"


GM_GROUPS = (ActGroup.DAMAGE, ActGroup.HEAL, ActGroup.CONDITION, ActGroup.GIVE, ActGroup.GM)


class Act(Struct, frozen=True, kw_only=True):
    """Something a character, or for the audience GM a GM to it, can do now."""

    group: ActGroup  # where it is offered
    # What it does. Its label has the cost; the chance is found by trying it and need not be in it. Its
    # choices or blanks ask for the one thing that is missing, the likeliest first.
    do: FollowUp
    brief: str = ""  # its name without the numbers of its label, for a button of the sheet that has them
    # The options that can be set before it is done, each with a title of up to 40 characters: yes or no, one
    # of a few words, or a small number. Their types come from the procedure's options.
    adjusts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    # What an option that takes text can be set to, each with its words, the preset first; of other options
    # the words alone.
    values: Mapping[str, tuple[Choice, ...]] = field(default_factory=lambda: MappingProxyType({}))
    # Entries of its menu that a GM has as buttons, in a word each: "−1", "−2", "−3".
    quick: tuple[Choice, ...] = ()
    has_chances: bool = False  # whether the entries of its menu differ in their chance, which each then shows
    is_due: bool = False  # whether the character isn't finished before it is done
    why_not: str = ""  # why it can't be done now, as a short sentence; it is then shown without being offered


class ActPart:
    """Some of what a character can do, worked out each time it is looked through, and only as far as that.

    Args:
        made: Makes the acts, the most used first and those that are due before the others.
        groups: Every group that they may belong to.
        is_sure: Whether there almost always are some, at little cost: it is looked at before other parts.
        is_certain: Whether there are some in each of these groups: then none is made to learn that.
    """

    def __init__(
        self,
        made: Callable[[], Iterable[Act]],
        *groups: ActGroup,
        is_sure: bool = False,
        is_certain: bool = False,
    ) -> None:
        self.made = made
        self.groups = frozenset(groups)
        self.is_sure = is_sure
        self.is_certain = is_certain


def acts_in(parts: Iterable[ActPart], group: ActGroup | None = None) -> Iterator[Act]:
    """Every act, or every act of a group, in order."""
    for part in parts:
        if group is None or group in part.groups:
            yield from (act for act in part.made() if group in (None, act.group))


def groups_and_due(parts: Iterable[ActPart]) -> tuple[frozenset[ActGroup], tuple[Act, ...]]:
    """Every group that has any acts, and all acts that are due; as few others as possible are made.

    Those that are due must be in a part whose groups no other part has.
    """
    parts = tuple(parts)
    found = {group for part in parts if part.is_certain for group in part.groups}
    due: list[Act] = []
    for part in sorted(parts, key=lambda one: (not one.is_sure, len(one.groups))):
        if part.groups <= found:
            continue
        for act in part.made():
            found.add(act.group)
            if act.is_due:
                due.append(act)
            elif part.groups <= found:
                break
    return frozenset(found), tuple(due)


MOST_SETTLED = 300  # settling one thing may bring the next: a hit, then its save
MOST_NAMED = 6


class Unsettled(Struct, ForTypes, Generic[SceneT_co], frozen=True, kw_only=True):
    """A pending answer: a save, a defense, an attack without a defense yet."""

    what: str  # what it is, without a full stop: "Ilsa's save against 9 damage"
    concerns: tuple[CharacterId, ...] = ()  # the characters that cannot leave before it is settled
    channel: str = ""  # the channel of the fight it is in, or nothing where it is in none
    # Whether it cannot outlast the session, and is settled when that ends; all else stays open.
    lapses: bool = False
    # Whether only a GM decides it, by pressing an answer: it is never settled with others.
    is_gms: bool = False
    answers: tuple[FollowUp, ...] = ()  # what can be pressed to settle it as its owner likes
    # Settles it in the way nobody objects to: what is owed is rolled, what is optional passes.
    settle: Callable[[SceneT_co, Dice], Outcome[SceneT_co]]
    waive: Callable[[SceneT_co], SceneT_co]  # drops it; nothing comes of it


Settle: TypeAlias = Callable[[SceneT, Dice], Outcome[SceneT]]
FindUnsettled: TypeAlias = Callable[[Scene], tuple[Unsettled, ...]]  # what comes first stands first


def for_gm(what: str, concerns: tuple[CharacterId, ...], answers: tuple[FollowUp, ...]) -> Unsettled[SceneT]:
    """A question to the GM, which stays open until an answer is pressed."""
    return Unsettled(
        what=what,
        concerns=concerns,
        is_gms=True,
        answers=answers,
        settle=lambda scene, _dice: Outcome(scene=scene, headline="waits for the GM"),
        waive=lambda scene: scene,
    )


def settled_as(who: Character, run: Settle[SceneT]) -> Settle[SceneT]:
    """Settle as a character, who counts as the roller where nobody else does."""

    def settle(scene: SceneT, dice: Dice) -> Outcome[SceneT]:
        done = run(replace(scene, actor_id=who.id), dice)
        rolls = tuple(roll if roll.roller else roll.by(who) for roll in done.rolls)
        return replace(done, scene=replace(done.scene, actor_id=scene.actor_id), rolls=rolls)

    return settle


class Closing(StrEnum):
    """How unsettled things are handled when a scene closes."""

    ASK = "ask"
    SETTLE = "settle"
    WAIVE = "waive"


def open_words(found: Sequence[Unsettled]) -> str:
    """The number of open things in words: "1 thing is open"."""
    return counted(len(found), "thing is open", "things are open")


def named_lines(found: Sequence[Unsettled]) -> tuple[str, ...]:
    """A line for each unsettled thing, the first few of many."""
    lines = [f"{one.what}." for one in found[:MOST_NAMED]]
    more = len(found) - len(lines)
    return (*lines, *([f"{more} more."] if more else []))


def settle_all(scene: Scene, find: FindUnsettled, dice: Dice) -> Outcome:
    """Settle everything, including whatever that opens.

    What was rolled can no longer be changed, so buttons that would make a roll unhappen are left out.
    """
    rolls: list[Roll] = []
    notes: list[str] = []
    buttons: list[FollowUp] = []
    moments: list[str] = []
    settled: list[SettledThing] = []
    for _ in range(MOST_SETTLED):
        found = find(scene)
        if not found:
            break
        first = found[0]
        done = first.settle(scene, dice)
        if done.scene.documents == scene.documents and done.scene.characters == scene.characters:
            done = replace(done, scene=first.waive(scene))
        came = done.verdict.title if done.verdict is not None else "settled"
        rolls += done.rolls
        notes += [f"{first.what}: {came}.", *done.notes]
        buttons += [one for one in done.follow_ups if not one.rewinds]
        moments += done.moments
        if done.verdict is not None:
            family, title = done.verdict.family, done.verdict.title
            settled += [
                SettledThing(moment=one, what=first.what, family=family, title=title) for one in done.moments
            ]
        scene = done.scene
    return Outcome(
        scene=scene,
        headline="settles what was open",
        rolls=tuple(rolls),
        notes=tuple(notes),
        follow_ups=tuple(buttons),
        moments=tuple(moments),
        settled=tuple(settled),
    )


def waive_all(scene: Scene, find: FindUnsettled) -> Outcome:
    """Drop everything that is open, without any effect."""
    notes: list[str] = []
    for _ in range(MOST_SETTLED):
        found = find(scene)
        if not found:
            break
        notes.append(f"Waived: {found[0].what}.")
        scene = found[0].waive(scene)
    return Outcome(scene=scene, headline="waives what was open", notes=tuple(notes))
