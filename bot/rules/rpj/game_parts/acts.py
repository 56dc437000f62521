"""The ruleset's procedures, rolls and documents by key, and what a character can do now with them."""

from functools import partial
from types import MappingProxyType

from bot.rules.kernel import Document, procedures_of, rolls_of
from bot.rules.kernel.acts import ActGroup, ActPart
from bot.rules.kernel.tracker import ENCOUNTER
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.checks.proposals import TALLY, Details
from bot.rules.rpj.checks.tables import DECKS, Deck
from bot.rules.rpj.combat.commands.board import TURN_PROCEDURES
from bot.rules.rpj.combat.rules.turns import INITIATIVE, ROLL_OFF
from bot.rules.rpj.combat.state.fight import Fight
from bot.rules.rpj.creation.new_characters import LUCK_LEVEL, POOL
from bot.rules.rpj.game_parts.acts_checks import (
    AbleSkills,
    attribute_acts,
    fight_acts,
    health_acts,
    is_in_or_may_join,
    other_check_acts,
    own_skill_acts,
)
from bot.rules.rpj.game_parts.acts_things import (
    growth_acts,
    magic_acts,
    magic_rest_acts,
    spending_acts,
    thing_acts,
)
from bot.rules.rpj.game_parts.resources import REST_PROCEDURES
from bot.rules.rpj.gear.trading import MARKET, Market
from bot.rules.rpj.mass.battle_commands import BATTLE, BattleAt
from bot.rules.rpj.module.decision_tables import CHOICE, DECISION
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.resolution.check import CHECK
from bot.rules.shared.offering import Offering

ROLLS = rolls_of(CHECK, CHOICE, DECISION, POOL, LUCK_LEVEL, INITIATIVE, ROLL_OFF)
PROCEDURES = procedures_of("bot.rules.rpj", *TURN_PROCEDURES, *REST_PROCEDURES)
DOCUMENTS: MappingProxyType[str, type[Document]] = MappingProxyType(
    {DECKS: Deck, TALLY: Details, ENCOUNTER: Fight, MARKET: Market, BATTLE: BattleAt}
)


def acts(scene: Scene) -> tuple[ActPart, ...]:
    """What the acting character can do now, the most used first in each group."""
    sheet, offering = scene.actor.sheet, Offering(scene, PROCEDURES)
    if sheet.health.out is Out.DEAD:
        return ()
    if sheet.mook is not None:
        return (ActPart(partial(fight_acts, scene, offering), ActGroup.FIGHT),)
    able = AbleSkills(scene)
    return (
        ActPart(partial(own_skill_acts, scene, offering, able), ActGroup.CHECK),
        ActPart(partial(attribute_acts, scene, offering), ActGroup.CHECK, is_certain=True),
        ActPart(partial(other_check_acts, scene, offering, able), ActGroup.CHECK),
        ActPart(partial(fight_acts, scene, offering), ActGroup.FIGHT, is_certain=is_in_or_may_join(scene)),
        ActPart(partial(magic_acts, scene, offering), ActGroup.USE),
        ActPart(partial(thing_acts, scene, offering), ActGroup.USE),
        ActPart(partial(spending_acts, scene, offering), ActGroup.SPEND),
        ActPart(partial(health_acts, scene, offering), ActGroup.REST),
        ActPart(partial(magic_rest_acts, scene, offering), ActGroup.REST),
        ActPart(partial(growth_acts, scene, offering), ActGroup.GROW),
    )
