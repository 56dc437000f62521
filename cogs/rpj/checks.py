"""The command texts of the checks."""

from bot.ui.commands.options import CommandSpec

HOW = {
    "difficulty": "A number, a target such as 10+, or a name",
    "modifiers": "Bonuses and penalties, such as +1 rope −2 rain",
    "toggles": "Trait conditions that apply now",
}
SPENT = {"lucky_break": "Spend a Lucky Break before rolling"}
HOW_COMPLETES = {"difficulty": "difficulty", "toggles": "condition"}

LINES = (
    CommandSpec(
        name="check",
        about="Make a skill check: 2d6 + level against 7 + difficulty",
        options={
            "skill": "Skill to check",
            **HOW,
            "specialty": "Specialty the task needs (default: yours)",
            "fit": "How well the skill fits (the GM decides)",
            **SPENT,
        },
        completes={"skill": "skill", "specialty": "specialty", **HOW_COMPLETES},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(
        name="propose",
        about="Propose a skill for a task; the GM decides how well it fits",
        options={
            "skill": "Skill to use",
            "how": "What you do with it",
            **HOW,
            "specialty": "Specialty the task needs (default: yours)",
        },
        completes={"skill": "skill", "specialty": "specialty", **HOW_COMPLETES},
    ),
    CommandSpec(
        name="attribute",
        about="Roll an attribute check, attribute bonus check or saving throw",
        options={"attribute": "Attribute", "rolled": "What to add (default: its level)", **HOW, **SPENT},
        completes={**HOW_COMPLETES, "toggles": "attribute condition"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(
        name="luck",
        about="Make a Luck check: how bad does it get?",
        options={"stake": "What is at stake", **HOW, **SPENT},
        completes={**HOW_COMPLETES, "toggles": "luck condition"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(
        name="detail",
        about="Ask for a detail of the scene; Luck may decide",
        options={"question": "Is there …?", "target": "Who rolls (GM)"},
    ),
    CommandSpec(
        name="ladder",
        about="See your chances at every difficulty",
        options={"skill": "One of your skills", "level": "Or an effective level"},
        completes={"skill": "skill"},
    ),
    CommandSpec(
        name="table",
        about="Roll or draw on a table of the module",
        options={
            "name": "Table to use",
            "pick": "Position of a card in the face-down deck",
            "shuffle": "Put all cards back and shuffle first",
        },
        completes={"name": "table"},
        has_actor=False,
        can_be_secret=True,
    ),
    CommandSpec(
        name="pick",
        about="Choose one of several things at random",
        options={"things": "The things, separated by | or commas", "dice": "How the dice choose"},
        has_actor=False,
        can_be_secret=True,
    ),
)

GM_CHECKS = (
    CommandSpec(
        name="complication",
        about="Add a complication to a success",
        options={"target": "Character", "text": "What goes wrong"},
        has_actor=False,
    ),
    CommandSpec(
        name="passive",
        about="See passive levels privately",
        options={"skill": "Skill to look up", "who": "Characters, separated by commas"},
        completes={"skill": "skill"},
        has_actor=False,
    ),
)
