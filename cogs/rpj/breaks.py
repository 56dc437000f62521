"""The words of Lucky Breaks; the button that spends one stands under each roll."""

from bot.ui.commands.options import CommandSpec

TARGET = {"target": "Whose"}

BREAKS = (
    "Lucky Breaks: what is left, what is lost, what stands",
    (
        CommandSpec(name="show", about="Your Lucky Breaks, and what they buy", procedure="breaks"),
        CommandSpec(
            name="lose",
            about="GM: offer a way out for a Lucky Break lost for good",
            procedure="lose_break",
            options={"target": "To whom", "reason": "A way out of what"},
            has_actor=False,
        ),
        CommandSpec(
            name="restore",
            about="GM: give back Lucky Breaks that were lost for good",
            procedure="restore_break",
            options={**TARGET, "count": "How many; 1 where left out"},
            has_actor=False,
        ),
        CommandSpec(
            name="stand",
            about="GM: let what was rolled stand; no Lucky Break turns it now",
            procedure="stand",
            options={"target": "Whose rolls; everybody's where left out"},
            has_actor=False,
        ),
    ),
)
