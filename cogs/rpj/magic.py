"""The words of `/rpj-magic`: spells and their slots."""

from bot.ui.options import Further, Line

SPELL = {"spell": "Which spell"}
SPELLS = (
    Line(
        name="cast",
        about="Cast a spell you know; it takes a slot",
        options={**SPELL, "target": "Whom it concerns", "slot": "Level of the slot; the lowest that fits"},
        completes={"spell": "spell"},
        can_be_secret=True,
        can_count=True,
    ),
    Line(name="slots", about="Your slots, what is in them, and what you know"),
    Line(
        name="prepare",
        about="Make a spell ready: in a slot, or on your list",
        options={
            **SPELL,
            "slot": "Level of the slot; the lowest free one where left out",
            "drop": "Take it off the list instead",
        },
        completes={"spell": "spell"},
    ),
    Line(name="concentrate", about="Begin to concentrate: each hour of the clock brings slots back"),
)
GM = (
    Line(
        name="teach",
        about="GM: teach somebody a spell, or have them forget it",
        options={"target": "Whom", **SPELL, "forget": "They forget it instead"},
        completes={"spell": "any spell"},
        has_actor=False,
    ),
    Line(
        name="disturb",
        about="GM: end somebody's concentration",
        procedure="break_off",
        options={"target": "Whose"},
        has_actor=False,
    ),
)

MAGIC = Further(
    name="magic",
    about="RPJ Core: spells and abilities",
    lines=SPELLS,
    groups={"gm": ("What the GM does", GM)},
)
