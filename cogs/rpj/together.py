"""The words of what several people do at one message."""

from bot.ui.commands.options import CommandGroup, CommandSpec
from cogs.rpj.checks import HOW_COMPLETES

SKILL = {"skill": "Which skill"}
HOW = {
    "modifiers": "Bonuses and penalties with a word: +1 rope −2 rain",
    "toggles": "What holds of your traits",
}
TASK = {"specialty": "The specialty the task falls under; yours where left out"}
DIFFICULTY = {"difficulty": "A number, a target number such as 10+, or a name"}
COMPLETES = {"skill": "skill", "specialty": "specialty", "toggles": "condition"}

LINES = (
    CommandSpec(
        name="opposed",
        about="Check a skill against somebody; another player says with what they stand against it",
        procedure="opposed",
        options={
            **SKILL,
            "target": "Against whom",
            "level": "Or their level, where they have no sheet",
            "their_skill": "With which skill an NPC stands against it; the same where left out",
            "deed": "What you do, in your words",
            **HOW,
            "against": "What their side has going for it: +1 dark",
            **TASK,
        },
        completes={**COMPLETES, "their_skill": "skill"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(
        name="assisted",
        about="Check a skill with help: a helper rolls first, easy or hard",
        options={
            **SKILL,
            "helper": "Who helps; whoever presses first where left out",
            **DIFFICULTY,
            **HOW,
            **TASK,
        },
        completes={**COMPLETES, **HOW_COMPLETES},
        can_count=True,
    ),
    CommandSpec(
        name="group",
        about="GM: have a group check a skill; half of them must succeed",
        options={
            **SKILL,
            "members": "Who rolls, separated by commas",
            "leader": "Who leads; they say so where left out",
            **DIFFICULTY,
            "modifiers": HOW["modifiers"],
        },
        completes={"skill": "skill", "difficulty": "difficulty"},
        has_actor=False,
        can_count=True,
    ),
    CommandSpec(
        name="flashback",
        about="Change the recent past for Lucky Breaks, if the GM allows it",
        options={"words": "What you did before"},
    ),
)

TOGETHER = CommandGroup(
    name="together",
    about="RPJ Core: help, oppose, roll as a group, flash back; others press too",
    lines=LINES,
)
