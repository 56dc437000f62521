"""The command texts of group actions."""

from bot.ui.commands.options import CommandGroup, CommandSpec
from cogs.rpj.checks import HOW_COMPLETES

SKILL = {"skill": "Skill to check"}
HOW = {
    "modifiers": "Bonuses and penalties, such as +1 rope −2 rain",
    "toggles": "Trait conditions that apply now",
}
TASK = {"specialty": "Specialty the task needs (default: yours)"}
DIFFICULTY = {"difficulty": "A number, a target such as 10+, or a name"}
COMPLETES = {"skill": "skill", "specialty": "specialty", "toggles": "condition"}

LINES = (
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
            **HOW,
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
            **HOW,
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
            "modifiers": HOW["modifiers"],
        },
        completes={"skill": "skill", "difficulty": "difficulty"},
        has_actor=False,
        can_count=True,
    ),
)

TOGETHER = CommandGroup(
    name="together",
    about="RPJ Core: opposed and assisted checks, flashbacks",
    lines=LINES,
)
