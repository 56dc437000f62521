"""The command texts of advancement."""

from bot.ui.commands.options import CommandSpec

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
        has_actor=False,
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
        has_actor=False,
    ),
)
