"""The words of `/rpj-condition`: lasting bad things, and the ways out of them."""

from bot.ui.commands.options import CommandGroup, CommandSpec

OWN = {"name": "own condition"}
KNOWN = {"name": "known condition"}
NAME = {"name": "Which condition"}

LINES = (
    CommandSpec(name="list", about="Your conditions, and what ends each", procedure="condition.look"),
    CommandSpec(
        name="explain",
        about="What a condition does, and what ends it",
        procedure="condition.explain",
        options=NAME,
        completes=KNOWN,
        has_actor=False,
    ),
    CommandSpec(
        name="recover",
        about="Roll to get over a condition, once its time has come",
        procedure="condition.recover",
        options=NAME,
        completes=OWN,
    ),
    CommandSpec(
        name="escape",
        about="Shake a condition off with a skill (in a fight 1 action)",
        procedure="condition.escape",
        options={**NAME, "skill": "With which skill; your best that does it where left out"},
        completes={**OWN, "skill": "skill"},
    ),
)
GM_LINES = (
    CommandSpec(
        name="add",
        about="GM: have a condition come over somebody, who may resist first",
        procedure="condition.add",
        options={"target": "Over whom", **NAME, "surely": "It takes hold without a saving throw"},
        completes=KNOWN,
        has_actor=False,
    ),
    CommandSpec(
        name="make",
        about="GM: have one come over somebody that no list has",
        procedure="condition.make",
        options={
            "target": "Over whom",
            "name": "What it is called",
            "kind": "What sort of bad thing it is",
            "checks": "Added to every check",
            "attacks": "Added to attacks",
            "defense": "Added to the defense",
            "forbids": "What it forbids: sight, senses, speech, hands, movement, attacks, magic, everything",
            "damage": "Damage that it does again and again",
            "minutes": "Minutes between two times; 1 where left out",
            "resist": "The saving throw that keeps it away",
            "resist_difficulty": "How hard that is; 3 where left out",
            "recover": "The checks that wear it down",
            "recover_difficulty": "How hard these are",
            "countdown": "How many of these must succeed; 2 where left out",
            "hours": "Hours between two of these; 1 where left out",
            "escape": "The skill that ends it at once",
            "escape_difficulty": "How hard that is; 2 where left out",
        },
        completes={"escape": "skill", "forbids": "what a condition forbids"},
        has_actor=False,
    ),
    CommandSpec(
        name="remove",
        about="GM: take a condition away from somebody",
        procedure="condition.remove",
        options={"target": "From whom", **NAME},
        completes=OWN,
        whose="target",
        has_actor=False,
    ),
)

CONDITION = CommandGroup(
    name="condition",
    about="RPJ Core: conditions, what they do, and the ways out",
    lines=LINES,
    groups={"gm": ("What the GM does about conditions", GM_LINES)},
)
