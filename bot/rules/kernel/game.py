"""A ruleset as a whole."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Generic

from msgspec import Struct, field
from msgspec.structs import force_setattr
from typing_extensions import TypeVar

from bot.rules.kernel.creation import Beginner, Creation, Growth, Problem, by_fields
from bot.rules.kernel.gathering import RequestableCheck, SharedPrompt
from bot.rules.kernel.module import EditableList, ModuleRule, NoSettings, SheetField
from bot.rules.kernel.outcome import (
    CharacterId,
    Document,
    ForTypes,
    InputsT_co,
    Odds,
    RollRule,
    SettingsT,
    SettingsT_co,
    SettingsT_contra,
    SheetT,
    SheetT_co,
    SheetT_contra,
    nothing,
)
from bot.rules.kernel.procedures import (
    Act,
    ActPart,
    Deadline,
    FollowUp,
    LaterEntry,
    Procedure,
    Unsettled,
    over_once_happened,
    rolling,
)
from bot.rules.kernel.scene import Character, Scene, SceneT_co, SceneT_contra
from bot.rules.kernel.tracker import CharacterHealth, Glance, TrackerRules, nothing_to_see, unknown_health


class FoeLevel(StrEnum):
    """How good a foe is, in a word."""

    WEAK = "weak"
    ABLE = "able"
    STRONG = "strong"
    MIGHTY = "mighty"

    @property
    def step(self) -> int:
        """How many levels are below it."""
        return list(FoeLevel).index(self)


def _as_it_is(sheet: SheetT) -> SheetT:
    return sheet


class ReadyFoe(Struct, frozen=True):
    """A foe that can be added to a fight as it is."""

    name: str
    level: FoeLevel
    things: tuple[str, ...] = ()  # what it is given, as far as the campaign has that


class FoeRules(Struct, ForTypes, Generic[SheetT, SettingsT_contra], frozen=True, kw_only=True):
    """How a ruleset makes foes."""

    title: str  # what a foe is given by name ("Weapons")
    things: Callable[[SettingsT_contra], Sequence[str]]  # those names, the most usual first
    make: Callable[[FoeLevel, SettingsT_contra], SheetT]
    # The same sheet with things of these names, as good as the level.
    give: Callable[[SheetT, FoeLevel, Sequence[str], SettingsT_contra], SheetT]
    # The foes of the book, by name.
    book: Mapping[str, SheetT] = field(default_factory=lambda: MappingProxyType({}))
    ready: tuple[ReadyFoe, ...] = ()  # foes of our own, made as `make` and `give` make them
    # What a file says of a mook besides its sheet, where the ruleset has such; it has a name.
    mook: type[Document] | None = None
    as_mook: Callable[[Any], SheetT] | None = None
    fresh: Callable[[SheetT], SheetT] = _as_it_is  # a sheet without what has happened to its character


def _nobody(_of: object) -> None:
    return None


def _never(*_of: object) -> bool:
    return False


class ResourceRule(Struct, ForTypes, Generic[SheetT_contra, SettingsT_contra], frozen=True, kw_only=True):
    """A counted resource."""

    key: str  # its name in the store; never changes once used
    title: str  # its name in the book
    start: int = 0  # what a new player's character has
    npc_start: int = 0  # what a new character of the GM has
    # What a new player's character of a sheet has instead under the settings, or None.
    sheet_start: Callable[[SheetT_contra, SettingsT_contra], int | None] = lambda _sheet, _settings: None
    # The most that one can have under the settings and sheet, or None.
    cap: Callable[[SheetT_contra, SettingsT_contra], int | None] = lambda _sheet, _settings: None
    # Whether anybody counts it under the settings.
    is_on: Callable[[SettingsT_contra], bool] = lambda _settings: True
    is_burden: bool = False  # whether more of it is worse
    is_health: bool = False  # whether it tells how hurt its character is
    changed_title: str = ""  # what it is called where it has changed, if not its title
    # How an amount of it reads where it has changed, for a sheet under the settings.
    shown: Callable[[SheetT_contra, SettingsT_contra, int], str] = lambda _sheet, _settings, amount: str(
        amount
    )
    usual: tuple[int, ...] = ()  # the amounts that a GM usually awards each character at a session's end
    unit: str = ""  # what one of it is called, for a button that awards some


class AwardRule(Struct, ForTypes, Generic[SheetT_co], frozen=True, kw_only=True):
    """Something besides resources that a GM awards, stored on the sheet."""

    key: str  # its name for who types it
    title: str  # its name in the book
    # A sheet with so much more of it (less, below 0). Raises `UserError` where that cannot be.
    give: Callable[[SheetT_co, int], SheetT_co]
    usual: tuple[int, ...] = ()  # the amounts that a GM usually awards each character at a session's end
    unit: str = ""  # what one of it is called, for a button that awards some


class WoundTrack(Struct, ForTypes, Generic[SheetT_contra], frozen=True, kw_only=True):
    """Boxes that wounds fill, from the lightest level to the gravest."""

    key: str  # its name in the store; never changes once used
    title: str  # its name in the book
    levels: tuple[str, ...]  # the book's name of each level
    capacities: Callable[[SheetT_contra], tuple[int, ...]]  # boxes at each level, for a sheet


class NamingLine(Struct, frozen=True):
    """A sheet line that lists other characters, limited to those the reader knows."""

    words: str
    characters: tuple[CharacterId, ...]


class Section(Struct, frozen=True):
    """A titled part of a sheet; its lines are plain text, and those that name others come last."""

    title: str
    lines: tuple[str, ...]
    naming: tuple[NamingLine, ...] = ()
    pictured: tuple[str, ...] = ()  # those of its lines that the sheet's picture says too


def fields_of(character: Character, _settings: object) -> tuple[Section, ...]:
    """A plain description of a sheet: one line per field of its model."""
    fields = character.sheet.model_dump(mode="json")
    lines = tuple(f"{name.replace('_', ' ').capitalize()} {value}" for name, value in fields.items())
    return (Section("Sheet", lines),)


class OddsForm(Struct, ForTypes, Generic[InputsT_co, SettingsT_contra], frozen=True, kw_only=True):
    """The ruleset's own page of `/odds`: a question and its exact answer."""

    # Model whose fields become the command's options (whole numbers with bounds, yes or no, or one of a few
    # words).
    question: type[InputsT_co]
    answer: Callable[[InputsT_co], Odds]  # the exact chances
    # The chances under the settings of the campaign asked in, where they matter.
    answer_under: Callable[[InputsT_co, SettingsT_contra], Odds] | None = None
    # What else is worth knowing of a question under such settings, in short lines.
    worth: Callable[[InputsT_co, SettingsT_contra], tuple[str, ...]] = nothing


class RuleText(Struct, frozen=True):
    """One rule in our own words, for `/rules`: its ledger ids, its title, its text, the book's chapters."""

    ids: tuple[str, ...]
    title: str
    text: str
    chapters: tuple[str, ...] = ()


class PutBack(Struct, frozen=True, kw_only=True):
    """Something that is reset or cleared besides the characters' resources."""

    what: str  # what it is, as a title ("Fight")
    who: str = ""  # whose it is, or nothing
    before: str  # how it stood
    after: str  # how it stands now


class HookResult(Struct, ForTypes, Generic[SceneT_co], frozen=True):
    """The result of a hook, such as the end of a session or passing time."""

    scene: SceneT_co  # the scene afterwards
    notes: tuple[str, ...] = ()  # what to tell
    follow_ups: tuple[FollowUp, ...] = ()  # what can be done about it
    # What was put back besides what is counted of characters, and so told anyway.
    put_back: tuple[PutBack, ...] = ()


Said = Mapping[str, str]  # what has been typed into a command's other options


class Narrowed(Struct, ForTypes, Generic[SheetT_contra, SettingsT_contra], frozen=True):
    """Names for autocompletion that depend on the command's other options."""

    # The names for a character (or nobody), the settings, and what has been typed so far.
    names: Callable[[Character[SheetT_contra] | None, SettingsT_contra, Said], Sequence[str]]

    def __call__(
        self, character: Character[SheetT_contra] | None, settings: SettingsT_contra
    ) -> Sequence[str]:
        """The names without any other option."""
        return self.names(character, settings, {})


class InChannel(Struct, ForTypes, Generic[SceneT_contra], frozen=True):
    """Names for autocompletion of what there is in the channel that one types in."""

    # The names in a scene as the person may see it; a GM sees everything.
    names: Callable[[SceneT_contra], Sequence[str]]

    def __call__(self, _character: object, _settings: object) -> Sequence[str]:
        """No names without a channel."""
        return ()


NamedT_co = TypeVar("NamedT_co", bound=Document, default=Document, covariant=True)


class Naming(Struct, ForTypes, Generic[NamedT_co], frozen=True, kw_only=True):
    """Documents with names given by people, offered for completion."""

    document: str  # the kind of document that keeps it
    name: Callable[[NamedT_co], str | None]  # what one is called, or None for one that is not offered
    # Whose it is, or None; what a hidden character has is offered to the GM only.
    owner: Callable[[NamedT_co], CharacterId | None] = _nobody


def unchanged(scene: Scene, *_whom: object) -> HookResult:
    """Return the scene unchanged."""
    return HookResult(scene=scene)


def no_packs(_settings: object) -> frozenset[str]:
    """The packs of a game that has none."""
    return frozenset()


def _with_boxes(scene: Scene, character: Character, track: str, boxes: tuple[int, ...]) -> Scene:
    return scene.with_character(character.with_wounds(track, boxes))


class DueTimer(Struct, frozen=True):
    """A character's timer that is due."""

    character: CharacterId
    key: str


class Ruleset(Struct, ForTypes, Generic[SheetT_co, SettingsT_co], frozen=True, kw_only=True):
    """A game that the table can play."""

    key: str  # its name in the store and in the journal; never changes once used
    title: str  # its name as people write it
    command: str  # the slash command that plays it, without the slash
    credit: str  # who wrote the game
    sheet: type[SheetT_co]  # model of a character sheet
    sheet_version: int = 1  # version of that model
    # Brings a stored sheet (JSON) of an older version up to date.
    upgrade_sheet: Callable[[Mapping[str, object], int], Mapping[str, object]] = lambda sheet, _version: sheet
    # Model of the campaign's settings; every field has a default and a description. A `Ruleset[Sheet]` has
    # none.
    settings: type[SettingsT_co] = NoSettings  # type: ignore[assignment]  # without others in its type
    # The packs that are on under a campaign's settings.
    packs: Callable[[SettingsT_co], frozenset[str]] = no_packs
    # What a campaign may state about the game in one file, or None.
    module: ModuleRule[Document, SettingsT_co] | None = None
    # The lists of the module, or of the GM's own additions, that a GM edits in forms.
    lists: tuple[EditableList[SettingsT_co], ...] = ()
    # The fields of a sheet that a GM sets by hand; where none is named, all of them by path.
    fields: tuple[SheetField, ...] = ()
    # Kind of document (the part of its key before the first slash) to its model.
    documents: Mapping[str, type[Document]] = field(default_factory=lambda: MappingProxyType({}))
    # Kind of document to how it is shown where several people press at it.
    shared_prompts: Mapping[str, SharedPrompt] = field(default_factory=lambda: MappingProxyType({}))
    # What a GM may call for, the commonest first; nothing where the game has no such checks.
    asks: tuple[RequestableCheck[SheetT_co, SettingsT_co], ...] = ()
    # What grew between two states of a sheet; what one carries or suffers is no growth.
    growth: Callable[[SheetT_co, SheetT_co, SettingsT_co], Iterable[Growth]] = nothing
    # Whose player plays a character besides its own, by its sheet; None where there are no such.
    leader: Callable[[SheetT_co], CharacterId | None] | None = None
    resources: tuple[ResourceRule[SheetT_co, SettingsT_co], ...] = ()  # counted things
    awards: tuple[AwardRule[SheetT_co], ...] = ()  # what a GM awards besides resources
    wounds: tuple[WoundTrack[SheetT_co], ...] = ()
    # The scene with a character's track filled so, and with whatever hangs on it (timers).
    with_boxes: Callable[
        [Scene[SheetT_co, SettingsT_co], Character[SheetT_co], str, tuple[int, ...]], Scene
    ] = _with_boxes
    rolls: Mapping[str, RollRule]  # every kind of roll, by key
    # Everything one can do, by key, besides the rolls that do something by themselves.
    procedures: Mapping[str, Procedure] = field(default_factory=lambda: MappingProxyType({}))
    # How characters are made; by default the fields of the sheet are asked for.
    creation: Creation[SheetT_co, SettingsT_co] = None  # type: ignore[assignment]  # made from the sheet
    foes: FoeRules[SheetT_co, SettingsT_co] | None = None  # how foes are made in a moment, or None
    # What a new character may be without the GM's leave.
    beginner: Beginner[SheetT_co, SettingsT_co] = field(default_factory=Beginner)
    # What is not allowed about a sheet although its model takes it.
    sheet_problems: Callable[[SheetT_co], tuple[Problem, ...]] = nothing
    # What on a sheet the campaign's module, with the GM's additions, does not have or allow. An existing
    # character keeps it, and its player is told.
    module_problems: Callable[[SheetT_co, SettingsT_co], tuple[Problem, ...]] = nothing
    # A character's sheet, to be read on a phone; its fields, where nothing else is said.
    describe: Callable[[Character[SheetT_co], SettingsT_co], tuple[Section, ...]] = fields_of
    # What the picture of a character's sheet shows.
    glance: Callable[[Character[SheetT_co], SettingsT_co], Glance] = nothing_to_see
    # How hurt a character is. Others see of an NPC's what the campaign lets them see.
    health: Callable[[Character[SheetT_co], SettingsT_co], CharacterHealth] = unknown_health
    is_dead: Callable[[Character[SheetT_co]], bool] = _never  # whether a character is dead for good
    # Whether a character is out of action for now, or dead.
    is_down: Callable[[Character[SheetT_co], SettingsT_co], bool] = _never
    # What the start of a session sets, for the characters given.
    start_session: Callable[[Scene[SheetT_co, SettingsT_co], Sequence[CharacterId]], HookResult] = unchanged
    # What the end of a session puts back, for the characters and document keys given.
    end_session: Callable[
        [Scene[SheetT_co, SettingsT_co], Sequence[CharacterId], Sequence[str]], HookResult
    ] = unchanged
    # What waits for somebody anywhere in the campaign; it outlasts the session.
    unsettled: Callable[[Scene[SheetT_co, SettingsT_co]], tuple[Unsettled, ...]] = nothing
    # What is set for a character that arrives (made or brought) while a session runs.
    arrive: Callable[[Scene[SheetT_co, SettingsT_co], CharacterId], HookResult] = unchanged
    # What happens when timers run out.
    timers_due: Callable[[Scene[SheetT_co, SettingsT_co], Sequence[DueTimer]], HookResult] = unchanged
    quiet_timers: frozenset[str] = frozenset()  # timers that nobody is told of by themselves: the calendar's
    # Why something that happened closes a window, as words that follow a colon; None where it does not. Asked
    # of everything that was done since, the earliest first.
    closing: Callable[[Deadline, LaterEntry], str | None] = over_once_happened
    # What changed about a sheet and is worth telling: what, before, after.
    sheet_changes: Callable[[SheetT_co, SheetT_co, SettingsT_co], Iterable[tuple[str, str, str]]] = nothing
    # As much of that as everybody is told of one of the GM's characters.
    npc_changes: Callable[[SheetT_co, SheetT_co, SettingsT_co], Iterable[tuple[str, str, str]]] | None = None
    # Kind of thing to its names for a character (or nobody), for autocompletion.
    suggestions: Mapping[str, Callable[[Character[SheetT_co] | None, SettingsT_co], Sequence[str]]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    # Kind of thing to how documents that keep such are named, for autocompletion besides those.
    named: Mapping[str, Naming] = field(default_factory=lambda: MappingProxyType({}))
    # How the table shows its fights, or None where it has none.
    tracker: TrackerRules[Scene[SheetT_co, SettingsT_co]] | None = None
    # What the scene's acting character can do now besides its turn in a fight, which the tracker offers; for
    # the controls of its sheet, the most used first, in parts of which not all need be looked at.
    acts: Callable[[Scene[SheetT_co, SettingsT_co]], tuple[ActPart, ...]] = nothing
    # What a GM can do now to the scene's acting character, besides its own acts; for the same controls, where
    # only a GM sees them. Each is for the audience GM and done in the GM's name.
    gm_acts: Callable[[Scene[SheetT_co, SettingsT_co]], tuple[Act, ...]] = nothing
    odds: OddsForm[Document, SettingsT_co]  # the ruleset's page of `/odds`
    glossary: tuple[RuleText, ...] = ()  # its rules in our own words

    def __post_init__(self) -> None:
        """Make the procedures of the rolls that have none, and the creation of a sheet that has none."""
        rolls = {rule.key: rolling(rule) for rule in self.rolls.values() if rule.does}
        force_setattr(self, "procedures", MappingProxyType({**rolls, **self.procedures}))
        if self.creation is None:
            force_setattr(self, "creation", by_fields(self.sheet))

    def counted(
        self: "Ruleset[SheetT, SettingsT]", settings: SettingsT
    ) -> tuple[ResourceRule[SheetT, SettingsT], ...]:
        """The resources that a campaign's settings use."""
        return tuple(rule for rule in self.resources if rule.is_on(settings))
