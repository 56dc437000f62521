"""The command texts of `/rpj-mass`: mass battles."""

from bot.rules.rpj.module.optional_rules import Pack
from bot.ui.commands.options import CommandGroup, CommandSpec, of_packs

SIDE = {"side": "Name of the side"}
OF_SIDE = {"side": "side of a battle"}
LINES = (
    CommandSpec(
        name="show", about="Show this channel's battle again", procedure="mass.show", has_actor=False
    ),
    CommandSpec(
        name="command",
        about="Command a side: degrees of success help it this round",
        procedure="mass.command",
        options={"skill": "Skill to use", "side": "Side (default: the players')"},
        completes={"skill": "skill", **OF_SIDE},
    ),
    CommandSpec(
        name="contribute",
        about="Fight for a side: a failure costs a damage save",
        procedure="mass.contribute",
        options={"skill": "Combat skill to use", "side": "Side (default: the players')"},
        completes={"skill": "skill", **OF_SIDE},
    ),
)
GM_MASS = (
    CommandSpec(
        name="start",
        about="Start a mass battle",
        procedure="mass.start",
        options={
            "own": "Name of the players' side",
            "own_people": "Size of the players' side",
            "enemy": "Name of the other side",
            "enemy_people": "Size of the other side",
            "mode": "integrated: alongside the turns of a fight",
            "officers": "For integrated: both sides have more than mooks",
            "playable": "For integrated: part of it is small enough to play in turns",
        },
        has_actor=False,
    ),
    CommandSpec(
        name="side",
        about="Set a side's size and gear before anything happens",
        procedure="mass.side",
        options={
            **SIDE,
            "people": "How many people",
            "gear": "Strength of each with their gear (100: ordinary)",
        },
        completes=OF_SIDE,
        has_actor=False,
    ),
    CommandSpec(
        name="works",
        about="Set who attacks fortifications and how strong they are",
        procedure="mass.works",
        options={"attacker": "Name of the attacking side", "size": "From 0 (none) to 6 (strongest)"},
        completes={"attacker": "side of a battle"},
        has_actor=False,
    ),
    CommandSpec(
        name="retreat",
        about="Make a side retreat at the end of the round, or cancel that",
        procedure="mass.retreat",
        options=SIDE,
        completes=OF_SIDE,
        has_actor=False,
    ),
    CommandSpec(
        name="kills",
        about="Count losses of a side from the players' turns",
        procedure="mass.kills",
        options={**SIDE, "count": "How many"},
        completes=OF_SIDE,
        has_actor=False,
    ),
    CommandSpec(name="round", about="Roll the round", procedure="mass.round", has_actor=False),
    CommandSpec(
        name="aftermath",
        about="Roll for the wounded after the battle",
        procedure="mass.aftermath",
        has_actor=False,
    ),
    CommandSpec(name="end", about="End the battle by decision", procedure="mass.end", has_actor=False),
)

MASS = CommandGroup(
    name="mass",
    about="RPJ Core: mass battles",
    lines=of_packs(LINES, Pack.MASS_COMBAT),
)
