"""The words of `/rpj-magic`: spells and their slots."""

from bot.ui.commands.options import CommandGroup, CommandSpec

AT = "In a fight: whom, mooks too, with commas between"
SPELL = {"spell": "Which spell"}
SPELLS = (
    CommandSpec(
        name="cast",
        about="Cast a spell you know; it takes a slot",
        options={
            **SPELL,
            "target": "Whom it concerns",
            "slot": "Level of the slot; the lowest that fits",
            "at": AT,
        },
        completes={"spell": "spell", "at": "participant"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(name="slots", about="Your slots, what is in them, and what you know"),
    CommandSpec(
        name="prepare",
        about="Make a spell ready: in a slot, or on your list",
        options={
            **SPELL,
            "slot": "Level of the slot; the lowest free one where left out",
            "drop": "Take it off the list instead",
        },
        completes={"spell": "spell"},
    ),
    CommandSpec(name="concentrate", about="Begin to concentrate: each hour of the clock brings slots back"),
)
NAMED = {"ability": "Which ability"}
ABILITIES = (
    CommandSpec(
        name="make",
        about="Make an ability up: menus show its cost and its chance",
        procedure="build",
        options={"skill": "In whose sphere it lies; your best one", "target": "Whom it concerns"},
        completes={"skill": "ability skill"},
    ),
    CommandSpec(
        name="use",
        about="Use an ability by its name",
        procedure="use_ability",
        options={
            **NAMED,
            "target": "Whom it concerns",
            "unwilling": "They are touched in a fight and would rather not be",
            "at": AT,
        },
        completes={"ability": "ability", "at": "participant"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(name="list", about="Your stamina, and your abilities with their cost", procedure="abilities"),
    CommandSpec(
        name="practice",
        about="Practice an ability for a month: it costs 1 less for good",
        options=NAMED,
        completes={"ability": "ability"},
    ),
    CommandSpec(
        name="forget",
        about="Give a saved ability up",
        procedure="forget_ability",
        options=NAMED,
        completes={"ability": "ability"},
    ),
    CommandSpec(name="strain", about="Roll against the strain of having no stamina left"),
)
GM = (
    CommandSpec(
        name="teach",
        about="GM: teach somebody a spell, or have them forget it",
        options={"target": "Whom", **SPELL, "forget": "They forget it instead"},
        completes={"spell": "any spell"},
        has_actor=False,
    ),
    CommandSpec(
        name="spell",
        about="GM: add a spell of your own to the campaign",
        procedure="add_spell",
        options={
            "name": "What it is called",
            "level": "From 0, at will, to 6",
            "skill": "The magic skill it belongs to; the first one where left out",
            "about": "What it does",
            "attack": "It must hit its target",
            "save": "What is rolled against it",
            "damage": "What it does of damage; none where left out",
            "nonlethal": "Its damage puts out instead of killing",
            "range": "How many regions it goes; one's own group where left out",
            "actions": "What it costs in a fight; 1 where left out",
            "minutes": "How long it takes instead of actions",
        },
        completes={"skill": "magic skill"},
        has_actor=False,
    ),
    CommandSpec(
        name="disturb",
        about="GM: end somebody's concentration",
        procedure="break_off",
        options={"target": "Whose"},
        has_actor=False,
    ),
)

MAGIC = CommandGroup(
    name="magic",
    about="RPJ Core: spells and abilities",
    lines=SPELLS,
    groups={"ability": ("Abilities that are made up", ABILITIES), "gm": ("What the GM does", GM)},
)
