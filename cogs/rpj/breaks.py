"""The command texts of Lucky Breaks; each roll has its own button to spend one."""

from bot.ui.commands.options import CommandSpec

TARGET = {"target": "Character"}

BREAKS = (
    "See, give up and restore Lucky Breaks",
    (
        CommandSpec(name="show", about="See your Lucky Breaks and what they can do", procedure="breaks"),
        CommandSpec(
            name="lose",
            about="Offer a way out that costs a Lucky Break permanently (GM)",
            procedure="lose_break",
            options={"target": "Character", "reason": "What it gets them out of"},
            has_actor=False,
        ),
        CommandSpec(
            name="restore",
            about="Restore Lucky Breaks that were lost permanently (GM)",
            procedure="restore_break",
            options={**TARGET, "count": "How many (default: 1)"},
            has_actor=False,
        ),
        CommandSpec(
            name="stand",
            about="Make rolls final: no more Lucky Breaks on them (GM)",
            procedure="stand",
            options={"target": "Whose rolls (default: everyone's)"},
            has_actor=False,
        ),
    ),
)
