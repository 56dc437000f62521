"""The command texts of the checks, Lucky Breaks, group actions and advancement."""

from bot.ui.commands.options import CommandGroup, CommandSpec

TARGET = {"target": "Character"}

BREAK_LINES = (CommandSpec(name="breaks", about="See your Lucky Breaks and what they can do"),)

GM_BREAKS = (
    CommandSpec(
        name="lose",
        about="Offer a way out that costs a Lucky Break permanently",
        procedure="lose_break",
        options={"target": "Character", "reason": "What it gets them out of"},
    ),
    CommandSpec(
        name="restore",
        about="Restore Lucky Breaks that were lost permanently",
        procedure="restore_break",
        options={**TARGET, "count": "How many (default: 1)"},
    ),
    CommandSpec(
        name="stand",
        about="Make rolls final: no more Lucky Breaks on them",
        procedure="stand",
        options={"target": "Whose rolls (default: everyone's)"},
    ),
)


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
        has_actor=True,
        about="Ask for a detail of the scene; Luck may decide",
        options={"question": "Is there …?", "target": "Who rolls (GM)"},
    ),
    CommandSpec(
        name="ladder",
        has_actor=True,
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
        can_be_secret=True,
    ),
    CommandSpec(
        name="pick",
        about="Choose one of several things at random",
        options={"things": "The things, separated by | or commas", "dice": "How the dice choose"},
        can_be_secret=True,
    ),
)

GM_CHECKS = (
    CommandSpec(
        name="complication",
        about="Add a complication to a success",
        options={"target": "Character", "text": "What goes wrong"},
    ),
    CommandSpec(
        name="passive",
        about="See passive levels privately",
        options={"skill": "Skill to look up", "who": "Characters, separated by commas"},
        completes={"skill": "skill"},
    ),
)


SKILL = {"skill": "Skill to check"}
TOGETHER_HOW = {
    "modifiers": "Bonuses and penalties, such as +1 rope −2 rain",
    "toggles": "Trait conditions that apply now",
}
TASK = {"specialty": "Specialty the task needs (default: yours)"}
DIFFICULTY = {"difficulty": "A number, a target such as 10+, or a name"}
COMPLETES = {"skill": "skill", "specialty": "specialty", "toggles": "condition"}

TOGETHER_LINES = (
    CommandSpec(
        name="opposed",
        about="Make an opposed check; another player chooses how to resist",
        procedure="opposed",
        options={
            **SKILL,
            "target": "Opponent",
            "level": "Their level if they have no sheet",
            "their_skill": "Skill an NPC opposes you with (default: the same)",
            "deed": "What you do, in your own words",
            **TOGETHER_HOW,
            "against": "Bonuses for the other side, such as +1 dark",
            **TASK,
        },
        completes={**COMPLETES, "their_skill": "skill"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(
        name="assisted",
        about="Make an assisted check: a helper rolls first, easy or hard",
        options={
            **SKILL,
            "helper": "Who helps (default: whoever presses first)",
            **DIFFICULTY,
            **TOGETHER_HOW,
            **TASK,
        },
        completes={**COMPLETES, **HOW_COMPLETES},
        can_count=True,
    ),
    CommandSpec(
        name="flashback",
        about="Spend Lucky Breaks on a flashback; the GM must allow it",
        options={"words": "What you did earlier"},
    ),
)

GM_TOGETHER = (
    CommandSpec(
        name="group",
        about="Call for a group check; half the group must succeed",
        options={
            **SKILL,
            "members": "Characters, separated by commas",
            "leader": "Who leads (default: the group decides)",
            **DIFFICULTY,
            "modifiers": TOGETHER_HOW["modifiers"],
        },
        completes={"skill": "skill", "difficulty": "difficulty"},
        can_count=True,
    ),
)

TOGETHER = CommandGroup(
    name="together",
    about="RPJ Core: opposed and assisted checks, flashbacks",
    lines=TOGETHER_LINES,
)


IMPROVE = (
    "Spend character points; the GM approves by button",
    (
        CommandSpec(
            name="prices",
            about="See what your next levels cost, or how long until a character power",
            options={"target": "Character power", "each": "Points per session (default: 3)"},
        ),
        CommandSpec(
            name="skill",
            about="Raise a skill or learn a new one",
            procedure="improve_skill",
            options={
                "skill": "Skill",
                "level": "New level (default: one higher)",
                "specialty": "Specialty, if a new skill needs one",
                "attribute": "Attribute, if a new skill gives a choice",
            },
            completes={"skill": "skill", "specialty": "specialty"},
        ),
        CommandSpec(
            name="attribute",
            about="Raise an attribute by one; the GM must agree",
            procedure="improve_attribute",
            options={"attribute": "Attribute"},
        ),
        CommandSpec(
            name="trait",
            about="Take a gift, fault or quirk; the GM must agree",
            procedure="improve_trait",
            options={"trait": "Trait", "is_award": "Free of charge (GM)"},
            completes={"trait": "trait"},
        ),
        CommandSpec(
            name="drop",
            about="Drop a trait; a fault costs what it gave; the GM must agree",
            procedure="drop_trait",
            options={"trait": "Trait"},
            completes={"trait": "own_trait"},
        ),
    ),
)

GM_IMPROVE = (
    CommandSpec(
        name="block",
        about="Stop a skill from being learned for now, or allow it again",
        procedure="block_skill",
        options={"skill": "Skill", "is_open": "Allow it again"},
        completes={"skill": "skill"},
    ),
    CommandSpec(
        name="class",
        about="Change a character's class or class skills",
        procedure="change_class",
        options={
            "target": "Character",
            "class_name": "Class (default: unchanged)",
            "skills": "Class skills, separated by commas (default: unchanged)",
        },
        completes={"class_name": "class"},
    ),
)
