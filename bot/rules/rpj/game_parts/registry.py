"""The ruleset's procedures, roll rules and documents by key."""

from types import MappingProxyType

from bot.rules.kernel import Document, procedures_of, rolls_of
from bot.rules.kernel.tracker import ENCOUNTER
from bot.rules.rpj.character.generation import LUCK_LEVEL, POOL
from bot.rules.rpj.checks.decision_cards import DECKS, Deck
from bot.rules.rpj.checks.scene_details import TALLY, Details
from bot.rules.rpj.combat.commands.fight_rules import TURN_PROCEDURES
from bot.rules.rpj.combat.rules.initiative import INITIATIVE, ROLL_OFF
from bot.rules.rpj.combat.state.fight import Fight
from bot.rules.rpj.gear.market import MARKET, Market
from bot.rules.rpj.magic.rest_and_healing import REST_PROCEDURES
from bot.rules.rpj.mass.mass_round import BATTLE, BattleAt
from bot.rules.rpj.module.decision_tables import DECISION
from bot.rules.rpj.resolution.check import CHECK
from bot.rules.rpj.resolution.choices import CHOICE

ROLLS = rolls_of(CHECK, CHOICE, DECISION, POOL, LUCK_LEVEL, INITIATIVE, ROLL_OFF)
PROCEDURES = procedures_of("bot.rules.rpj", *TURN_PROCEDURES, *REST_PROCEDURES)
DOCUMENTS: MappingProxyType[str, type[Document]] = MappingProxyType(
    {DECKS: Deck, TALLY: Details, ENCOUNTER: Fight, MARKET: Market, BATTLE: BattleAt}
)
