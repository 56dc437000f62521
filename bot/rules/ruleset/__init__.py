"""What a ruleset is, in values that every shared part of the house understands.

A ruleset is found, never named: the table, the store, the screens and the commands know only these
shapes. A procedure takes the scene as it is, what the player chose, and dice; it returns the scene as
it is afterwards and what is to be told. Nothing here is ever changed in place.
"""

from bot.rules.ruleset.creation import Blank, Creation, Draft, Pick, Problem, Settings, Sheet, Step, Throw
from bot.rules.ruleset.game import (
    AwardRule,
    DueTimer,
    Naming,
    OddsForm,
    ResourceRule,
    Ruleset,
    RuleText,
    Section,
    Turning,
    WoundTrack,
)
from bot.rules.ruleset.gathering import Askable, Gathering, Noted, Part, ToldRoll, View, passed
from bot.rules.ruleset.module import OWN_MODULE, ModuleRule, SettingsWithModule
from bot.rules.ruleset.outcome import Die, Document, Facing, Family, Odds, Roll, RollRule, Term, Verdict
from bot.rules.ruleset.places import FileKind, Path
from bot.rules.ruleset.play import (
    SESSION_ENDED,
    Audience,
    Choice,
    FollowUp,
    Happening,
    Outcome,
    Procedure,
    Window,
)
from bot.rules.ruleset.scene import Character, CharacterId, PersonId, Scene
from bot.rules.ruleset.tracker import EncounterView, FighterLine, Ground, Region, TrackerRules
from bot.rules.ruleset.written import (
    Flaw,
    Form,
    Written,
    check_written,
    read_written,
    rows_of,
    write_document,
)

__all__ = [
    "OWN_MODULE",
    "SESSION_ENDED",
    "Askable",
    "Audience",
    "AwardRule",
    "Blank",
    "Character",
    "CharacterId",
    "Choice",
    "Creation",
    "Die",
    "Document",
    "Draft",
    "DueTimer",
    "EncounterView",
    "Facing",
    "Family",
    "FighterLine",
    "FileKind",
    "Flaw",
    "FollowUp",
    "Form",
    "Gathering",
    "Ground",
    "Happening",
    "ModuleRule",
    "Naming",
    "Noted",
    "Odds",
    "OddsForm",
    "Outcome",
    "Part",
    "Path",
    "PersonId",
    "Pick",
    "Problem",
    "Procedure",
    "Region",
    "ResourceRule",
    "Roll",
    "RollRule",
    "RuleText",
    "Ruleset",
    "Scene",
    "Section",
    "Settings",
    "SettingsWithModule",
    "Sheet",
    "Step",
    "Term",
    "Throw",
    "ToldRoll",
    "TrackerRules",
    "Turning",
    "Verdict",
    "View",
    "Window",
    "WoundTrack",
    "Written",
    "check_written",
    "passed",
    "read_written",
    "rows_of",
    "write_document",
]
