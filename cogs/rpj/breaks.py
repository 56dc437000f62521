"""The command texts of Lucky Breaks; each roll has its own button to spend one."""

from bot.ui.commands.options import CommandSpec

TARGET = {"target": "Character"}

BREAK_LINES = (CommandSpec(name="breaks", about="See your Lucky Breaks and what they can do"),)

GM_BREAKS = (
    CommandSpec(
        name="lose",
        about="Offer a way out that costs a Lucky Break permanently",
        procedure="lose_break",
        options={"target": "Character", "reason": "What it gets them out of"},
        has_actor=False,
    ),
    CommandSpec(
        name="restore",
        about="Restore Lucky Breaks that were lost permanently",
        procedure="restore_break",
        options={**TARGET, "count": "How many (default: 1)"},
        has_actor=False,
    ),
    CommandSpec(
        name="stand",
        about="Make rolls final: no more Lucky Breaks on them",
        procedure="stand",
        options={"target": "Whose rolls (default: everyone's)"},
        has_actor=False,
    ),
)
