"""Everything of the ruleset by key."""

from types import MappingProxyType
from typing import Any

from bot.rules.kernel import Document, Procedure, RollRule
from bot.rules.kernel.tracker import ENCOUNTER
from bot.rules.rpj.advancement.advancement_commands import IMPROVING_PROCEDURES
from bot.rules.rpj.advancement.gm_advancement import IMPROVING_GM_PROCEDURES
from bot.rules.rpj.advancement.inverted_traits import INVERSION_PROCEDURES
from bot.rules.rpj.advancement.traits import TRAIT_PROCEDURES
from bot.rules.rpj.character.generation import LUCK_LEVEL, POOL
from bot.rules.rpj.checks.attribute_rolls import ATTRIBUTE_PROCEDURES
from bot.rules.rpj.checks.check_follow_ups import AFTER_CHECK_PROCEDURES
from bot.rules.rpj.checks.coin_commands import FLIPPING_PROCEDURES
from bot.rules.rpj.checks.decision_cards import DECKS, DRAWING_PROCEDURES, Deck
from bot.rules.rpj.checks.duels import DUEL_PROCEDURES
from bot.rules.rpj.checks.improvised_npcs import GM_HELP_PROCEDURES
from bot.rules.rpj.checks.lucky_break_commands import LUCK_PROCEDURES
from bot.rules.rpj.checks.proposals import PROPOSAL_PROCEDURES
from bot.rules.rpj.checks.reference import REFERENCE_PROCEDURES
from bot.rules.rpj.checks.scene_details import DETAIL_PROCEDURES, TALLY, Details
from bot.rules.rpj.checks.skill_check_command import ROLLING_PROCEDURES
from bot.rules.rpj.combat.commands.ability_builder import BUILDING_PROCEDURES
from bot.rules.rpj.combat.commands.bleeding_and_waking import FATE_PROCEDURES
from bot.rules.rpj.combat.commands.carry_commands import INVENTORY_PROCEDURES
from bot.rules.rpj.combat.commands.cover_commands import GROUND_PROCEDURES
from bot.rules.rpj.combat.commands.exits import EXIT_PROCEDURES
from bot.rules.rpj.combat.commands.fire_commands import FIRE_PROCEDURES
from bot.rules.rpj.combat.commands.procedures import COMBAT_PROCEDURES
from bot.rules.rpj.combat.rules.carried_ammunition import AMMUNITION_PROCEDURES
from bot.rules.rpj.combat.rules.encounter import RpjFight
from bot.rules.rpj.combat.rules.initiative import INITIATIVE, ROLL_OFF
from bot.rules.rpj.conditions.commands import CONDITION_PROCEDURES
from bot.rules.rpj.damage.damage_save_commands import SAVE_PROCEDURES
from bot.rules.rpj.damage.giga_damage import GIGA_PROCEDURES
from bot.rules.rpj.damage.gm_damage import HARM_PROCEDURES
from bot.rules.rpj.damage.layer_commands import LAYER_PROCEDURES
from bot.rules.rpj.gear.gm_money import TREASURY_PROCEDURES
from bot.rules.rpj.gear.market import MARKET, Market
from bot.rules.rpj.gear.trading import TRADING_PROCEDURES
from bot.rules.rpj.magic.ability_commands import KEEPING_PROCEDURES
from bot.rules.rpj.magic.ability_use import WIELDING_PROCEDURES
from bot.rules.rpj.magic.casting import CASTING_PROCEDURES
from bot.rules.rpj.magic.custom_spells import INVENTING_PROCEDURES
from bot.rules.rpj.magic.healing import REST_PROCEDURES
from bot.rules.rpj.magic.preparing import PREPARING_PROCEDURES
from bot.rules.rpj.magic.straining import STRAIN_PROCEDURES
from bot.rules.rpj.mass.commands import COMMAND_PROCEDURES
from bot.rules.rpj.mass.contribution_commands import DEED_PROCEDURES
from bot.rules.rpj.mass.mass_round import BATTLE, BattleAt
from bot.rules.rpj.mass.rounds import ROUND_PROCEDURES
from bot.rules.rpj.module.decision_tables import DECISION
from bot.rules.rpj.resolution.check import CHECK
from bot.rules.rpj.resolution.choices import CHOICE
from bot.rules.rpj.teamwork import TOGETHER_PROCEDURES

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
    *EXIT_PROCEDURES,
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
