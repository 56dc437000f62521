"""The words of improvement over time."""

from bot.ui.commands.options import CommandSpec

IMPROVE = (
    "Spend character points; the GM agrees by button",
    (
        CommandSpec(name="prices", about="What your next levels cost, and what is left"),
        CommandSpec(
            name="skill",
            about="Raise a skill, or learn a new one",
            procedure="improve_skill",
            options={
                "skill": "Which skill",
                "level": "To which level; one more where left out",
                "specialty": "The specialty of a new skill that takes one",
                "attribute": "The attribute of a new skill that leaves the choice",
            },
            completes={"skill": "skill", "specialty": "specialty"},
        ),
        CommandSpec(
            name="attribute",
            about="Raise an attribute by one; the GM agrees",
            procedure="improve_attribute",
            options={"attribute": "Which one"},
        ),
        CommandSpec(
            name="trait",
            about="Take a gift, fault or quirk; the GM agrees",
            procedure="improve_trait",
            options={"trait": "Which one", "is_award": "GM: it costs nothing"},
            completes={"trait": "trait"},
        ),
        CommandSpec(
            name="drop",
            about="Get rid of a trait; a fault costs what it gave. The GM agrees",
            procedure="drop_trait",
            options={"trait": "Which one"},
            completes={"trait": "own_trait"},
        ),
        CommandSpec(
            name="forecast",
            about="How many sessions it takes to a character power",
            options={"target": "Which power", "each": "Points of each session; 3 where left out"},
        ),
        CommandSpec(
            name="block",
            about="GM: have a skill not learned here and now, or open it again",
            procedure="block_skill",
            options={"skill": "Which skill", "is_open": "It can be learned again"},
            completes={"skill": "skill"},
            has_actor=False,
        ),
        CommandSpec(
            name="class",
            about="GM: another class for somebody, or other class skills",
            procedure="change_class",
            options={
                "target": "Whose",
                "class_name": "Which class; the same where left out",
                "skills": "The class skills, with commas between; the same where left out",
            },
            completes={"class_name": "class"},
            has_actor=False,
        ),
    ),
)
