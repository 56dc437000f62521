"""Compare Roll: 2d6 against each of two d12s, Stress and High, weapon tags, two ways to meet death."""

from types import MappingProxyType
from typing import Any

from bot.rules.compare_roll.amounts import AMOUNT, DAMAGE, DOOR, REST
from bot.rules.compare_roll.asks import ASKS
from bot.rules.compare_roll.attacks import ATTACK_PROCEDURES
from bot.rules.compare_roll.beginners import BEGINNER, misfits
from bot.rules.compare_roll.board import TRACKER
from bot.rules.compare_roll.checks import CHECK_PROCEDURES
from bot.rules.compare_roll.content import CONTENT_PROCEDURES
from bot.rules.compare_roll.counters import COUNTER_PROCEDURES, PendingCounter
from bot.rules.compare_roll.creation import CREATION
from bot.rules.compare_roll.deaths import DEATH_PROCEDURES
from bot.rules.compare_roll.defences import DEFENCE_PROCEDURES, Incoming
from bot.rules.compare_roll.describing import describe
from bot.rules.compare_roll.encounter import Encounter
from bot.rules.compare_roll.fortunes import RESOURCES
from bot.rules.compare_roll.gear import GEAR_PROCEDURES
from bot.rules.compare_roll.glossary import GLOSSARY
from bot.rules.compare_roll.gm import GM_PROCEDURES
from bot.rules.compare_roll.making import MAKING_PROCEDURES
from bot.rules.compare_roll.odds import ODDS
from bot.rules.compare_roll.opening import OpenRoll
from bot.rules.compare_roll.rests import REST_PROCEDURES
from bot.rules.compare_roll.rolls import COMPARE
from bot.rules.compare_roll.session import end_session
from bot.rules.compare_roll.settings import CompareSettings
from bot.rules.compare_roll.sheet import CompareSheet, Status, sheet_problems, status_of
from bot.rules.compare_roll.suggesting import SUGGESTION_LISTS
from bot.rules.compare_roll.turns import TURN_PROCEDURES
from bot.rules.compare_roll.unsettled import unsettled
from bot.rules.ruleset import Procedure, Ruleset

__all__ = ["RULESET"]

PROCEDURES: tuple[Procedure[Any], ...] = (
    *CHECK_PROCEDURES,
    *ATTACK_PROCEDURES,
    *DEFENCE_PROCEDURES,
    *COUNTER_PROCEDURES,
    *TURN_PROCEDURES,
    *GEAR_PROCEDURES,
    *REST_PROCEDURES,
    *DEATH_PROCEDURES,
    *MAKING_PROCEDURES,
    *GM_PROCEDURES,
    *CONTENT_PROCEDURES,
)

RULESET = Ruleset(
    key="compare_roll",
    title="Compare Roll",
    command="compare",
    credit="An untitled game of 2d6 against 2d12, named after its roll",
    sheet=CompareSheet,
    settings=CompareSettings,
    documents=MappingProxyType(
        {"encounter": Encounter, "open": OpenRoll, "counter": PendingCounter, "incoming": Incoming}
    ),
    asks=ASKS,
    grown=("/stats", "/skills", "/customs"),
    resources=RESOURCES,
    rolls=MappingProxyType({rule.key: rule for rule in (COMPARE, DAMAGE, AMOUNT, REST, DOOR)}),
    procedures=MappingProxyType({procedure.key: procedure for procedure in PROCEDURES}),
    creation=CREATION,
    beginner=BEGINNER,
    sheet_problems=sheet_problems,
    misfits=misfits,
    describe=describe,
    is_dead=lambda character: status_of(character) is Status.DEAD,
    end_session=end_session,
    unsettled=unsettled,
    suggestions=MappingProxyType(SUGGESTION_LISTS),
    tracker=TRACKER,
    odds=ODDS,
    glossary=GLOSSARY,
)
