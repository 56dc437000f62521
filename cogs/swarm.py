"""Sword & Swarm: `/swarm`. Types, bounds and choices come from the procedures; here are the words."""

from typing import TYPE_CHECKING

from bot.rules.sword_and_swarm import RULESET
from bot.ui.commands.options import CommandSpec, RulesetCog

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

HOW = {
    "bonus": "A bonus, or a penalty below 0",
    "more": "More of them, such as: +2 high ground −1 dark",
    "advantage": "A failure may be rolled again once",
    "disadvantage": "A success must be rolled again once",
    "forced": "GM: have it made although the character could not",
}
WHOM = {"target": "Whom it is about"}

LINES = (
    CommandSpec(
        name="test",
        about="Test your own attribute: a d6 at or below it",
        options={"attribute": "Which of your attributes", **HOW},
        can_be_secret=True,
    ),
    CommandSpec(
        name="versus",
        about="Test an opponent's attribute: a d6 above it",
        options={
            "attribute": "Which of the opponent's attributes",
            "target": "The opponent",
            "value": "The number, where the opponent has no sheet",
            **HOW,
        },
        can_be_secret=True,
    ),
    CommandSpec(
        name="obstacle",
        about="Test an obstacle: a d6 above its difficulty",
        options={"obstacle": "Its difficulty from 0 to 10, or its name", **HOW},
        completes={"obstacle": "obstacle"},
        can_be_secret=True,
    ),
    CommandSpec(
        name="proficiency",
        about="Test a proficiency: 2d6 + attribute modifier + ranks",
        options={
            "proficiency": "Which proficiency",
            "difficulty": "A number, or one of the book's difficulties",
            **HOW,
        },
        completes={"proficiency": "proficiency", "difficulty": "difficulty"},
        can_be_secret=True,
    ),
    CommandSpec(
        name="use",
        about="Put equipment or a trait to use, or put it away",
        options={"name": "What", "in_use": "No puts it away"},
        completes={"name": "benefit"},
    ),
    CommandSpec(
        name="prefer",
        about="With advantage: roll failures again at once, or be asked",
        options={"attribute": "In attribute tests", "proficiency": "In proficiency tests"},
    ),
)

LISTS = (
    CommandSpec(
        name="show",
        about="Difficulties, proficiencies, obstacles and equipment",
        procedure="show_lists",
        has_actor=False,
    ),
    CommandSpec(
        name="proficiency",
        about="GM: add a proficiency",
        procedure="add_proficiency",
        options={
            "name": "What it is called",
            "attribute": "What governs it",
            "trained_only": "Nobody tries it without ranks",
        },
        has_actor=False,
    ),
    CommandSpec(
        name="obstacle",
        about="GM: give an obstacle a name",
        procedure="add_obstacle",
        options={"name": "What it is called", "difficulty": "From 0 to 10"},
        has_actor=False,
    ),
    CommandSpec(
        name="equipment",
        about="GM: add equipment to hand out; again for one more attribute",
        procedure="add_equipment",
        options={"name": "What it is called", "attribute": "What it raises", "amount": "By how much"},
        has_actor=False,
    ),
    CommandSpec(
        name="remove",
        about="GM: take a name off the lists",
        options={"name": "Which one"},
        completes={"name": "added"},
        has_actor=False,
    ),
)

GM = (
    CommandSpec(
        name="call",
        about="GM: ask for a test; the player gets a button",
        options={
            "character": "Of whom",
            "attribute": "Their own attribute",
            "obstacle": "Or an obstacle: its difficulty or its name",
            "proficiency": "Or a proficiency",
            "difficulty": "The difficulty of the proficiency",
            **HOW,
        },
        completes={"obstacle": "obstacle", "proficiency": "proficiency", "difficulty": "difficulty"},
        has_actor=False,
    ),
    CommandSpec(
        name="star",
        about="GM: take Star, or give it back",
        options={**WHOM, "change": "Below 0 takes, above 0 gives back"},
        has_actor=False,
    ),
    CommandSpec(
        name="load",
        about="GM: say how much the load takes off Boots",
        options={**WHOM, "reduction": "How much; 0 for no load"},
        has_actor=False,
    ),
    CommandSpec(
        name="ranks",
        about="GM: set ranks in a proficiency",
        options={**WHOM, "proficiency": "Which one", "ranks": "How many; 0 takes it off the sheet"},
        completes={"proficiency": "proficiency"},
        has_actor=False,
    ),
    CommandSpec(
        name="attributes",
        about="GM: set attributes, as for a creature or after a level",
        options={
            **WHOM,
            "mallet": "Strength, athletics, endurance",
            "key": "Dexterity, precision, reflexes",
            "runes": "Spirit and knowledge",
            "coronet": "Leadership, respect, authority",
            "star": "The most morale and vigour there can be",
            "shield": "Protection, before armour",
            "boots": "Movement, before the load",
        },
        has_actor=False,
    ),
    CommandSpec(
        name="give",
        about="GM: give equipment or a trait",
        options={
            **WHOM,
            "name": "What; from the list of equipment, or anything else",
            "kind": "Equipment or a trait",
            "attribute": "What it raises",
            "amount": "By how much",
            "text": "What else it does",
        },
        completes={"name": "equipment"},
        has_actor=False,
    ),
    CommandSpec(
        name="take",
        about="GM: take equipment or a trait away",
        options={**WHOM, "name": "What"},
        has_actor=False,
    ),
)

GROUPS = {
    "list": ("What this campaign has names for", LISTS),
    "gm": ("What only the GM does", GM),
}


class Swarm(RulesetCog):
    """Everything one does in Sword & Swarm."""


async def setup(bot: "Tablekeeper") -> None:
    """Adds the commands to the bot."""
    await bot.add_cog(Swarm(bot, RULESET, LINES, GROUPS))
