"""The command texts of `/rpj-condition`: lasting conditions and how to end them."""

from bot.rules.rpj.module.optional_rules import Pack
from bot.ui.commands.options import CommandGroup, CommandSpec, of_packs

OWN = {"name": "own condition"}
KNOWN = {"name": "known condition"}
NAME = {"name": "Condition"}

LINES = (
    CommandSpec(name="list", about="See your conditions and what ends each", procedure="condition.look"),
    CommandSpec(
        name="explain",
        about="See what a condition does and what ends it",
        procedure="condition.explain",
        options=NAME,
        completes=KNOWN,
        has_actor=False,
    ),
    CommandSpec(
        name="recover",
        about="Roll to recover from a condition when due",
        procedure="condition.recover",
        options=NAME,
        completes=OWN,
    ),
    CommandSpec(
        name="escape",
        about="Escape a condition with a skill (1 action in a fight)",
        procedure="condition.escape",
        options={**NAME, "skill": "Skill to use (default: your best that works)"},
        completes={**OWN, "skill": "skill"},
    ),
)
GM_CONDITIONS = (
    CommandSpec(
        name="add",
        about="Apply a condition; the character may resist first",
        procedure="condition.add",
        options={"target": "Character", **NAME, "surely": "No saving throw to resist"},
        completes=KNOWN,
        has_actor=False,
    ),
    CommandSpec(
        name="make",
        about="Apply a custom condition",
        procedure="condition.make",
        options={
            "target": "Character",
            "name": "Its name",
            "kind": "Kind of condition",
            "checks": "Modifier to every check",
            "attacks": "Modifier to attacks",
            "defense": "Modifier to the defense",
            "forbids": "What it prevents: sight, senses, speech, hands, movement, attacks, magic, everything",
            "damage": "Damage it deals repeatedly",
            "minutes": "Minutes between damage (default: 1)",
            "resist": "Saving throw to resist it",
            "resist_difficulty": "Difficulty to resist (default: 3)",
            "recover": "Check to recover",
            "recover_difficulty": "Difficulty to recover",
            "countdown": "Successes needed to recover (default: 2)",
            "hours": "Hours between recovery checks (default: 1)",
            "escape": "Skill that ends it at once",
            "escape_difficulty": "Difficulty to escape (default: 2)",
        },
        completes={"escape": "skill", "forbids": "what a condition forbids"},
        has_actor=False,
    ),
    CommandSpec(
        name="remove",
        about="Remove a condition",
        procedure="condition.remove",
        options={"target": "Character", **NAME},
        completes=OWN,
        whose="target",
        has_actor=False,
    ),
)

CONDITION = CommandGroup(
    name="condition",
    about="RPJ Core: conditions, what they do and how to end them",
    lines=of_packs(LINES, Pack.CONDITIONS),
)
