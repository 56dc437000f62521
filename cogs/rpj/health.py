"""The command texts of damage saves, layers and rest."""

from bot.rules.rpj.module.module import Pack
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
    ),
    CommandSpec(
        name="remove",
        about="Remove a condition",
        procedure="condition.remove",
        options={"target": "Character", **NAME},
        completes=OWN,
        whose="target",
    ),
)

CONDITION = CommandGroup(
    name="condition",
    about="RPJ Core: conditions, what they do and how to end them",
    lines=of_packs(LINES, Pack.CONDITIONS),
)


DAMAGE = {
    "damage": "Added to the target number (negative: easier)",
    "reduce": "Damage reduction",
    "times": "How many times one hit deals it",
    "bypass": "Layers it bypasses: ability, shield, armor",
    "nonlethal": "Knocks out instead of killing",
    "scale": "Damage scale",
}
FIRST = "Saves to restore first, by target number (default: the easiest)"
LAYER = {"target": "Character", "layer": "Layer"}

SAVE_LINES = (CommandSpec(name="save", about="Roll a damage save", options=DAMAGE),)

HEALTH = (
    "See and change health: damage, layers, rest",
    (
        CommandSpec(name="show", about="See your layers and your next save", procedure="health"),
        CommandSpec(
            name="layer",
            about="Add a temporary layer of defense",
            options={
                "name": "Its name",
                "saves": "Its target numbers, such as 5 6",
                "kind": "What it is made of (default: an ability)",
                "inside": "The layer it goes inside (default: outermost)",
                "reduction": "Damage reduction",
                "scale": "Damage scale it withstands",
                "minutes": "How long in minutes (default: until the fight ends)",
            },
            completes={"inside": "layer"},
        ),
        CommandSpec(name="recover", about="Roll to stop bleeding out, or to wake up"),
    ),
)

GM_HEALTH = (
    CommandSpec(
        name="harm",
        about="Deal damage; each target gets a button to save",
        options={"targets": "Characters, separated by commas", **DAMAGE},
    ),
    CommandSpec(
        name="ambush",
        about="Deal damage to a helpless or unaware character",
        options={
            "target": "Character",
            **{key: DAMAGE[key] for key in ("damage", "reduce", "nonlethal", "scale")},
            "how": "How to resolve it (default: buttons ask)",
        },
    ),
    CommandSpec(
        name="end",
        about="End a temporary layer",
        procedure="end_layer",
        options=LAYER,
        completes={"layer": "layer"},
        whose="target",
    ),
    CommandSpec(
        name="repair",
        about="Repair armor or a shield",
        options=LAYER,
        completes={"layer": "layer"},
        whose="target",
    ),
    CommandSpec(
        name="heal",
        about="Restore base saves",
        options={"target": "Character", "saves": "How many (default: 1)", "first": FIRST},
    ),
    CommandSpec(
        name="rest",
        about="Let characters rest; 2 hours restore a base save",
        options={"hours": "How many hours", "who": "Characters, separated by commas", "first": FIRST},
    ),
    CommandSpec(
        name="scale",
        packs=(Pack.DAMAGE_SCALES,),
        about="Set a character's damage scale",
        options={
            "target": "Character",
            "scale": "Damage scale their base saves withstand",
            "unlimited": "Legendary foe: no save is ever crossed off",
        },
    ),
)
