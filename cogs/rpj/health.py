"""The words of damage saves, layers and rest."""

from bot.ui.commands.options import CommandSpec

DAMAGE = {
    "damage": "Added to the target number; below 0 it is easier",
    "reduce": "Taken off the damage first",
    "times": "How many times one hit does it",
    "bypass": "What it passes by: ability, shield, armor",
    "nonlethal": "It puts out instead of killing",
    "scale": "How great it is, with damage scales",
}
FIRST = "Which come back first, by target number; else the easiest"
LAYER = {"target": "Whose layer", "layer": "Which layer"}

SAVE_LINES = (CommandSpec(name="save", about="Roll the damage save that the damage meets", options=DAMAGE),)

HEALTH = (
    "Layers of defense, damage, rest",
    (
        CommandSpec(name="show", about="Your layers, and which save is next", procedure="health"),
        CommandSpec(
            name="harm",
            about="GM: do damage; each of them gets a button to save",
            options={"targets": "To whom, with commas between", **DAMAGE},
            has_actor=False,
        ),
        CommandSpec(
            name="ambush",
            about="GM: do damage to somebody helpless or unaware",
            options={
                "target": "To whom",
                **{key: DAMAGE[key] for key in ("damage", "reduce", "nonlethal", "scale")},
                "how": "How it is resolved; buttons ask where left out",
            },
            has_actor=False,
        ),
        CommandSpec(
            name="layer",
            about="Add a layer of defense that lasts a while",
            options={
                "name": "What it is called",
                "saves": "Its target numbers: 5 6",
                "kind": "What it is made of; an ability where left out",
                "inside": "Inside which layer; outermost where left out",
                "reduction": "Taken off the damage that strikes it",
                "scale": "What it withstands, with damage scales",
                "minutes": "How long; to the end of the fight where left out",
            },
            completes={"inside": "layer"},
        ),
        CommandSpec(
            name="end",
            about="GM: end such a layer",
            procedure="end_layer",
            options=LAYER,
            completes={"layer": "layer"},
            whose="target",
            has_actor=False,
        ),
        CommandSpec(
            name="repair",
            about="GM: mend armor or a shield",
            options=LAYER,
            completes={"layer": "layer"},
            whose="target",
            has_actor=False,
        ),
        CommandSpec(
            name="heal",
            about="GM: give base saves back",
            options={"target": "To whom", "saves": "How many; 1 where left out", "first": FIRST},
            has_actor=False,
        ),
        CommandSpec(
            name="rest",
            about="GM: let hours of rest pass; 2 bring a base save back",
            options={"hours": "How many", "who": "Who rests, with commas between", "first": FIRST},
            has_actor=False,
        ),
        CommandSpec(
            name="scale",
            about="GM: say how great somebody is, with damage scales",
            options={
                "target": "Who it is",
                "scale": "What their base saves withstand",
                "unlimited": "A legendary foe: no save is ever crossed off",
            },
            has_actor=False,
        ),
        CommandSpec(name="bleeding", about="Roll against bleeding out"),
        CommandSpec(name="waking", about="Roll to wake up"),
    ),
)
