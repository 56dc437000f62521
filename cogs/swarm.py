"""The texts of Sword & Swarm's commands; types, bounds and choices come from the procedures."""

from bot.rules.sword_and_swarm import RULESET
from bot.ui.commands.options import CommandGroup, CommandSpec, ruleset_setup

HOW = {
    "bonus": "Bonus, or a penalty if negative",
    "more": "More modifiers, for example: +2 high ground −1 dark",
    "advantage": "You may re-roll a failure once",
    "disadvantage": "You must re-roll a success once",
    "forced": "Test even if the character can't (GM)",
}
WHOM = {"target": "The character"}

LINES = (
    CommandSpec(
        name="test",
        about="Test your own attribute: roll a d6 at or below it",
        options={"attribute": "Your attribute", **HOW},
        can_be_secret=True,
    ),
    CommandSpec(
        name="versus",
        about="Test an opponent's attribute: roll a d6 above it",
        options={
            "attribute": "The opponent's attribute",
            "target": "The opponent",
            "value": "Its value, for an opponent without a sheet",
            **HOW,
        },
        can_be_secret=True,
    ),
    CommandSpec(
        name="obstacle",
        about="Test an obstacle: roll a d6 above its difficulty",
        options={"obstacle": "Its difficulty from 0 to 10, or its name", **HOW},
        completes={"obstacle": "obstacle"},
        can_be_secret=True,
    ),
    CommandSpec(
        name="proficiency",
        about="Test a proficiency: 2d6 + attribute modifier + ranks",
        options={
            "proficiency": "The proficiency",
            "difficulty": "A number or one of the book's difficulties",
            **HOW,
        },
        completes={"proficiency": "proficiency", "difficulty": "difficulty"},
        can_be_secret=True,
    ),
    CommandSpec(
        name="use",
        about="Use equipment or a trait, or put it away",
        options={"name": "The equipment or trait", "in_use": "False puts it away"},
        completes={"name": "benefit"},
    ),
    CommandSpec(
        name="hand",
        about="Hand equipment to another character",
        options={"name": "The equipment", "target": "To whom"},
        completes={"name": "benefit"},
    ),
    CommandSpec(
        name="lists",
        about="Show the difficulties, proficiencies, obstacles and equipment",
        procedure="show_lists",
    ),
    CommandSpec(
        name="prefer",
        about="Choose whether advantage re-rolls automatically or asks you",
        options={"attribute": "In attribute tests", "proficiency": "In proficiency tests"},
    ),
)

LISTS = (
    CommandSpec(
        name="proficiency",
        about="Add a proficiency",
        procedure="add_proficiency",
        options={
            "name": "Its name",
            "attribute": "Its governing attribute",
            "trained_only": "Only characters with ranks can try it",
        },
    ),
    CommandSpec(
        name="obstacle",
        about="Add a named obstacle",
        procedure="add_obstacle",
        options={"name": "Its name", "difficulty": "Its difficulty, 0 to 10"},
    ),
    CommandSpec(
        name="equipment",
        about="Add equipment to hand out; repeat it for a second attribute",
        procedure="add_equipment",
        options={"name": "Its name", "attribute": "The attribute it raises", "amount": "By how much"},
    ),
    CommandSpec(
        name="remove",
        about="Remove an entry from the lists",
        options={"name": "The entry"},
        completes={"name": "added"},
    ),
)

GM = (
    CommandSpec(
        name="call",
        about="Ask for a test; the player gets a button",
        options={
            "character": "The character who tests",
            "attribute": "The character's own attribute",
            "obstacle": "Or an obstacle: its difficulty or name",
            "proficiency": "Or a proficiency",
            "difficulty": "Difficulty of the proficiency test",
            **HOW,
        },
        completes={"obstacle": "obstacle", "proficiency": "proficiency", "difficulty": "difficulty"},
    ),
    CommandSpec(
        name="star",
        about="Take Star from a character, or give it back",
        options={**WHOM, "change": "Negative takes, positive gives back"},
    ),
    CommandSpec(
        name="load",
        about="Set how much a character's load reduces Boots",
        options={**WHOM, "reduction": "By how much; 0 for no load"},
    ),
    CommandSpec(
        name="ranks",
        about="Set ranks in a proficiency",
        options={**WHOM, "proficiency": "The proficiency", "ranks": "How many; 0 removes it from the sheet"},
        completes={"proficiency": "proficiency"},
    ),
    CommandSpec(
        name="attributes",
        about="Set attributes, for example of a creature or after a new level",
        options={
            **WHOM,
            "mallet": "Strength, athletics, endurance",
            "key": "Dexterity, precision, reflexes",
            "runes": "Spirit and knowledge",
            "coronet": "Leadership, respect, authority",
            "star": "Maximum of morale and vigour",
            "shield": "Protection, before armor",
            "boots": "Movement, before the load",
        },
    ),
    CommandSpec(
        name="give",
        about="Give equipment or a trait",
        options={
            **WHOM,
            "name": "From the campaign's equipment list, or anything else",
            "kind": "Equipment or a trait",
            "attribute": "The attribute it raises",
            "amount": "By how much",
            "text": "What else it does",
        },
        completes={"name": "equipment"},
    ),
    CommandSpec(
        name="take",
        about="Take equipment or a trait away",
        options={**WHOM, "name": "The equipment or trait"},
    ),
)

FURTHER = (
    CommandGroup(
        name="gm",
        about="GM only: call tests, set Star, load and ranks, give equipment",
        lines=GM,
        groups={"list": ("The campaign's own proficiencies, obstacles and equipment", LISTS)},
    ),
)

setup = ruleset_setup(RULESET, LINES, further=FURTHER)
