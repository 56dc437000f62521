"""Everything of the ruleset by key."""

from types import MappingProxyType
from typing import Any

from bot.rules.rpj.after_checks import AFTER_CHECK_PROCEDURES
from bot.rules.rpj.attribute_rolls import ATTRIBUTE_PROCEDURES
from bot.rules.rpj.checks import CHECK
from bot.rules.rpj.choices import CHOICE
from bot.rules.rpj.combat.encounter import RpjFight
from bot.rules.rpj.combat.initiative import INITIATIVE, ROLL_OFF
from bot.rules.rpj.combat.procedures import COMBAT_PROCEDURES
from bot.rules.rpj.conditions.commands import CONDITION_PROCEDURES
from bot.rules.rpj.decision_tables import DECISION
from bot.rules.rpj.drawing import DECKS, DRAWING_PROCEDURES, Deck
from bot.rules.rpj.duels import DUEL_PROCEDURES
from bot.rules.rpj.fates import FATE_PROCEDURES
from bot.rules.rpj.fire.carrying import AMMUNITION_PROCEDURES
from bot.rules.rpj.fire.deeds import FIRE_PROCEDURES
from bot.rules.rpj.fire.ground import GROUND_PROCEDURES
from bot.rules.rpj.flipping import FLIPPING_PROCEDURES
from bot.rules.rpj.generation import LUCK_LEVEL, POOL
from bot.rules.rpj.giga import GIGA_PROCEDURES
from bot.rules.rpj.gm_help import GM_HELP_PROCEDURES
from bot.rules.rpj.harming import HARM_PROCEDURES
from bot.rules.rpj.healing import REST_PROCEDURES
from bot.rules.rpj.improving import IMPROVING_PROCEDURES
from bot.rules.rpj.improving_gm import IMPROVING_GM_PROCEDURES
from bot.rules.rpj.inventory.procedures import INVENTORY_PROCEDURES
from bot.rules.rpj.inversions import INVERSION_PROCEDURES
from bot.rules.rpj.layering import LAYER_PROCEDURES
from bot.rules.rpj.luck_deeds import LUCK_PROCEDURES
from bot.rules.rpj.luck_details import DETAIL_PROCEDURES, TALLY, Details
from bot.rules.rpj.magic.building import BUILDING_PROCEDURES
from bot.rules.rpj.magic.casting import CASTING_PROCEDURES
from bot.rules.rpj.magic.inventing import INVENTING_PROCEDURES
from bot.rules.rpj.magic.keeping import KEEPING_PROCEDURES
from bot.rules.rpj.magic.preparing import PREPARING_PROCEDURES
from bot.rules.rpj.magic.straining import STRAIN_PROCEDURES
from bot.rules.rpj.magic.wielding import WIELDING_PROCEDURES
from bot.rules.rpj.mass.commands import COMMAND_PROCEDURES
from bot.rules.rpj.mass.deeds import DEED_PROCEDURES
from bot.rules.rpj.mass.keeping import BATTLE, BattleAt
from bot.rules.rpj.mass.rounds import ROUND_PROCEDURES
from bot.rules.rpj.money.market import MARKET, Market
from bot.rules.rpj.money.trading import TRADING_PROCEDURES
from bot.rules.rpj.money.treasury import TREASURY_PROCEDURES
from bot.rules.rpj.proposals import PROPOSAL_PROCEDURES
from bot.rules.rpj.reference import REFERENCE_PROCEDURES
from bot.rules.rpj.rolling import ROLLING_PROCEDURES
from bot.rules.rpj.saving import SAVE_PROCEDURES
from bot.rules.rpj.together import TOGETHER_PROCEDURES
from bot.rules.rpj.traits import TRAIT_PROCEDURES
from bot.rules.ruleset import Document, Procedure, RollRule
from bot.rules.ruleset.tracker import ENCOUNTER

_PROCEDURES: tuple[Procedure[Any], ...] = (
    *COMBAT_PROCEDURES,
    *AFTER_CHECK_PROCEDURES,
    *ROLLING_PROCEDURES,
    *ATTRIBUTE_PROCEDURES,
    *DETAIL_PROCEDURES,
    *DRAWING_PROCEDURES,
    *REFERENCE_PROCEDURES,
    *PROPOSAL_PROCEDURES,
    *TRAIT_PROCEDURES,
    *LUCK_PROCEDURES,
    *DUEL_PROCEDURES,
    *GM_HELP_PROCEDURES,
    *INVERSION_PROCEDURES,
    *SAVE_PROCEDURES,
    *HARM_PROCEDURES,
    *GIGA_PROCEDURES,
    *AMMUNITION_PROCEDURES,
    *FIRE_PROCEDURES,
    *GROUND_PROCEDURES,
    *LAYER_PROCEDURES,
    *REST_PROCEDURES,
    *FATE_PROCEDURES,
    *IMPROVING_PROCEDURES,
    *IMPROVING_GM_PROCEDURES,
    *FLIPPING_PROCEDURES,
    *CASTING_PROCEDURES,
    *INVENTING_PROCEDURES,
    *PREPARING_PROCEDURES,
    *WIELDING_PROCEDURES,
    *STRAIN_PROCEDURES,
    *BUILDING_PROCEDURES,
    *KEEPING_PROCEDURES,
    *TRADING_PROCEDURES,
    *TREASURY_PROCEDURES,
    *INVENTORY_PROCEDURES,
    *CONDITION_PROCEDURES,
    *COMMAND_PROCEDURES,
    *ROUND_PROCEDURES,
    *DEED_PROCEDURES,
    *TOGETHER_PROCEDURES,
)
_ROLLS: tuple[RollRule[Any], ...] = (CHECK, CHOICE, DECISION, POOL, LUCK_LEVEL, INITIATIVE, ROLL_OFF)

PROCEDURES = MappingProxyType({procedure.key: procedure for procedure in _PROCEDURES})
ROLLS = MappingProxyType({rule.key: rule for rule in _ROLLS})
DOCUMENTS: MappingProxyType[str, type[Document]] = MappingProxyType(
    {DECKS: Deck, TALLY: Details, ENCOUNTER: RpjFight, MARKET: Market, BATTLE: BattleAt}
)
