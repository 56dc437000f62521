"""The command texts of damage saves, layers and rest."""

from bot.rules.rpj.module.optional_rules import Pack
from bot.ui.commands.options import CommandSpec

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
        has_actor=False,
    ),
    CommandSpec(
        name="ambush",
        about="Deal damage to a helpless or unaware character",
        options={
            "target": "Character",
            **{key: DAMAGE[key] for key in ("damage", "reduce", "nonlethal", "scale")},
            "how": "How to resolve it (default: buttons ask)",
        },
        has_actor=False,
    ),
    CommandSpec(
        name="end",
        about="End a temporary layer",
        procedure="end_layer",
        options=LAYER,
        completes={"layer": "layer"},
        whose="target",
        has_actor=False,
    ),
    CommandSpec(
        name="repair",
        about="Repair armor or a shield",
        options=LAYER,
        completes={"layer": "layer"},
        whose="target",
        has_actor=False,
    ),
    CommandSpec(
        name="heal",
        about="Restore base saves",
        options={"target": "Character", "saves": "How many (default: 1)", "first": FIRST},
        has_actor=False,
    ),
    CommandSpec(
        name="rest",
        about="Let characters rest; 2 hours restore a base save",
        options={"hours": "How many hours", "who": "Characters, separated by commas", "first": FIRST},
        has_actor=False,
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
        has_actor=False,
    ),
)
