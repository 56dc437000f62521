"""Post-magic-maid: two attribute dice, five tiers, a deck of cards and two wound tracks."""

from types import MappingProxyType
from typing import Any

from bot.rules.post_magic_maid.asks import ASKS
from bot.rules.post_magic_maid.assists import ASSIST_PROCEDURES
from bot.rules.post_magic_maid.attacks import ATTACK_PROCEDURES
from bot.rules.post_magic_maid.awaiting import Awaiting
from bot.rules.post_magic_maid.beginners import BEGINNER
from bot.rules.post_magic_maid.blitz import BLITZ_DRAW, BLITZ_PROCEDURES
from bot.rules.post_magic_maid.board import TRACKER
from bot.rules.post_magic_maid.check_procedures import CHECK_PROCEDURES, Call
from bot.rules.post_magic_maid.checks import CHECK
from bot.rules.post_magic_maid.contests import CONTEST_PROCEDURES, Contest
from bot.rules.post_magic_maid.creation import CREATION
from bot.rules.post_magic_maid.defences import DEFENCE_PROCEDURES
from bot.rules.post_magic_maid.describing import describe
from bot.rules.post_magic_maid.encounter import Encounter
from bot.rules.post_magic_maid.glossary import GLOSSARY
from bot.rules.post_magic_maid.gm import GM_PROCEDURES
from bot.rules.post_magic_maid.healing import HEALING_PROCEDURES, Treatment
from bot.rules.post_magic_maid.hits import PendingAttack
from bot.rules.post_magic_maid.initiative import INITIATIVE_PROCEDURES
from bot.rules.post_magic_maid.level_ups import LEVEL_UP_PROCEDURES
from bot.rules.post_magic_maid.odds import ODDS
from bot.rules.post_magic_maid.order_cards import INITIATIVE_CARD, INITIATIVE_DRAW
from bot.rules.post_magic_maid.passives import PASSIVE_PROCEDURES, PassiveRequest
from bot.rules.post_magic_maid.performance import Assist
from bot.rules.post_magic_maid.resources import RESOURCES
from bot.rules.post_magic_maid.session import SESSION_PROCEDURES, end_session, timers_due
from bot.rules.post_magic_maid.settings import MaidSettings
from bot.rules.post_magic_maid.sheet import MaidSheet
from bot.rules.post_magic_maid.suggesting import SUGGESTION_LISTS
from bot.rules.post_magic_maid.turns import TURN_PROCEDURES
from bot.rules.post_magic_maid.unsettled import unsettled
from bot.rules.post_magic_maid.validity import sheet_problems
from bot.rules.post_magic_maid.wounds import WOUND_TRACKS, Track, is_dead, with_boxes
from bot.rules.ruleset import Procedure, Ruleset

__all__ = ["RULESET"]

PROCEDURES: tuple[Procedure[Any], ...] = (
    *CHECK_PROCEDURES,
    *INITIATIVE_PROCEDURES,
    *TURN_PROCEDURES,
    *BLITZ_PROCEDURES,
    *ASSIST_PROCEDURES,
    *CONTEST_PROCEDURES,
    *ATTACK_PROCEDURES,
    *DEFENCE_PROCEDURES,
    *HEALING_PROCEDURES,
    *LEVEL_UP_PROCEDURES,
    *PASSIVE_PROCEDURES,
    *GM_PROCEDURES,
    *SESSION_PROCEDURES,
)

RULESET = Ruleset(
    key="post_magic_maid",
    title="Post-magic-maid",
    command="maid",
    credit="Post-magic-maid by trapinnosuke, made from “Rivet” by Viral games",
    sheet=MaidSheet,
    settings=MaidSettings,
    documents=MappingProxyType(
        {
            "encounter": Encounter,
            "awaiting": Awaiting,
            "assist": Assist,
            "call": Call,
            "contest": Contest,
            "attack": PendingAttack,
            "treatment": Treatment,
            "passive": PassiveRequest,
        }
    ),
    grown=("/attributes", "/abilities"),
    asks=ASKS,
    resources=RESOURCES,
    wounds=WOUND_TRACKS,
    with_boxes=lambda scene, character, track, boxes: with_boxes(scene, character, Track(track), boxes),
    rolls=MappingProxyType(
        {rule.key: rule for rule in (CHECK, BLITZ_DRAW, INITIATIVE_CARD, INITIATIVE_DRAW)}
    ),
    procedures=MappingProxyType({procedure.key: procedure for procedure in PROCEDURES}),
    creation=CREATION,
    beginner=BEGINNER,
    sheet_problems=sheet_problems,
    describe=describe,
    is_dead=is_dead,
    end_session=end_session,
    unsettled=unsettled,
    timers_due=timers_due,
    suggestions=MappingProxyType(SUGGESTION_LISTS),
    tracker=TRACKER,
    odds=ODDS,
    glossary=GLOSSARY,
)
