"""The texts of RPJ Core's commands, and of its GM's; types, bounds and choices come from the procedures."""

from bot.rules.rpj import RULESET
from bot.rules.rpj.module.module import Pack
from bot.ui.commands.options import CommandGroup, CommandSpec, of_packs, ruleset_setup
from cogs.rpj.checks import (
    BREAK_LINES,
    GM_BREAKS,
    GM_CHECKS,
    GM_IMPROVE,
    GM_TOGETHER,
    IMPROVE,
    LINES,
    TOGETHER,
)
from cogs.rpj.fight import FIGHT, FIRE, GM_CINEMA, GM_FIGHT, GM_FIRE, GM_MASS, MASS
from cogs.rpj.gear import GEAR, GM_GEAR, GM_MAGIC, MAGIC
from cogs.rpj.health import CONDITION, GM_CONDITIONS, GM_HEALTH, HEALTH, SAVE_LINES

GM_LINES = (
    CommandSpec(
        name="npc",
        about="Get a level for an NPC without a sheet, and roll it",
        options={
            "how": "How good they are (the last three: for an attribute)",
            "trade": "How close this is to their trade (default: part of it)",
            "what": "Skill or attribute",
            "difficulty": "A number, a target such as 10+, or a name",
        },
        completes={"difficulty": "difficulty"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(
        name="trait",
        procedure="give_trait",
        about="Make up a trait for a character; it counts in rolls",
        options={
            "target": "Character",
            "name": "Its name",
            "kind": "Gift, fault or quirk",
            "value": "Modifier to the roll",
            "on": "Kind of roll it modifies",
            "of": "Only this skill or attribute",
            "when": "Only when the player says this applies",
            "about": "Description",
            "cost": "Cost in character points (negative: gives points)",
        },
        completes={"of": "skill"},
    ),
    CommandSpec(
        name="invert",
        about="Turn a gift into a fault for this campaign",
        options={
            "gift": "Gift",
            "name": "Name of the fault",
            "refund": "Points it gives (default: half the gift's cost)",
        },
        completes={"gift": "trait"},
    ),
)

GM = CommandGroup(
    name="gm",
    about="GM only: damage, conditions, traits, NPCs, money, spells",
    lines=(*GM_CHECKS, *GM_TOGETHER, *GM_LINES),
    groups={
        "break": ("Lucky Breaks: offer to lose them, restore them, make rolls final", GM_BREAKS),
        "health": ("Damage, healing and rest", GM_HEALTH),
        "improve": ("What characters can learn", GM_IMPROVE),
        "condition": ("Apply and remove conditions", of_packs(GM_CONDITIONS, Pack.CONDITIONS)),
        "gear": ("Prices, income and months", of_packs(GM_GEAR, Pack.MONEY)),
        "magic": ("Teach spells, add spells, break concentration", of_packs(GM_MAGIC, Pack.STRUCTURED_MAGIC)),
    },
)
GM_FIGHTS = CommandGroup(
    name="gm-fight",
    about="GM only: regions, mooks, cover, cinematic fights, mass battles",
    lines=GM_FIGHT,
    groups={
        "cinema": ("Cinematic fights: yards, legendary foes", of_packs(GM_CINEMA, Pack.CINEMATIC_COMBAT)),
        "fire": ("Cover and ammunition", of_packs(GM_FIRE, Pack.FIRE_AND_MOVEMENT)),
        "mass": ("Mass battles", of_packs(GM_MASS, Pack.MASS_COMBAT)),
    },
)

TYPED = (
    *("check", "propose", "detail", "ladder", "pick", "breaks", "health show", "improve prices"),
    *(
        "improve skill",
        "improve drop",
        "-fight task",
        "-fight treat",
        "-together opposed",
        "-together assisted",
    ),
    "-together flashback",
)

setup = ruleset_setup(
    RULESET,
    (*LINES, *BREAK_LINES, *SAVE_LINES),
    {"health": HEALTH, "improve": IMPROVE},
    (FIGHT, CONDITION, FIRE, GEAR, MAGIC, MASS, TOGETHER, GM, GM_FIGHTS),
    TYPED,
)
