"""The words of `/rpj-mass`: battles of many against many."""

from bot.ui.commands.options import CommandGroup, CommandSpec

SIDE = {"side": "Which side, by name"}
OF_SIDE = {"side": "side of a battle"}
LINES = (
    CommandSpec(
        name="show", about="Show the battle of this channel once more", procedure="mass.show", has_actor=False
    ),
    CommandSpec(
        name="command",
        about="Command a side; degrees of success help it this round",
        procedure="mass.command",
        options={"skill": "With which skill", "side": "Which side; the players' where left out"},
        completes={"skill": "skill", **OF_SIDE},
    ),
    CommandSpec(
        name="contribute",
        about="Fight for a side; a failure costs a damage save",
        procedure="mass.contribute",
        options={"skill": "With which combat skill", "side": "Which side; the players' where left out"},
        completes={"skill": "skill", **OF_SIDE},
    ),
)
GM_LINES = (
    CommandSpec(
        name="start",
        about="GM: begin a battle of many",
        procedure="mass.start",
        options={
            "own": "What the players' side is called",
            "own_people": "How many they are",
            "enemy": "What the other side is called",
            "enemy_people": "How many they are",
            "mode": "integrated: beside the turns of a fight",
            "officers": "For integrated: both sides have more than mooks",
            "playable": "For integrated: a part of it is small enough for turns",
        },
        has_actor=False,
    ),
    CommandSpec(
        name="side",
        about="GM: say what a side is worth, before anything is done",
        procedure="mass.side",
        options={
            **SIDE,
            "people": "How many they are",
            "gear": "What gear makes each worth; 100 is plain",
        },
        completes=OF_SIDE,
        has_actor=False,
    ),
    CommandSpec(
        name="works",
        about="GM: say who attacks works, and how strong they are",
        procedure="mass.works",
        options={"attacker": "Who attacks, by name", "size": "From 0, none, to 6, the strongest"},
        completes={"attacker": "side of a battle"},
        has_actor=False,
    ),
    CommandSpec(
        name="retreat",
        about="GM: have a side leave at the end of the round, or stay after all",
        procedure="mass.retreat",
        options=SIDE,
        completes=OF_SIDE,
        has_actor=False,
    ),
    CommandSpec(
        name="kills",
        about="GM: count people of a side that fell in turns of the players",
        procedure="mass.kills",
        options={**SIDE, "count": "How many"},
        completes=OF_SIDE,
        has_actor=False,
    ),
    CommandSpec(name="round", about="GM: roll the round", procedure="mass.round", has_actor=False),
    CommandSpec(
        name="aftermath",
        about="GM: roll for the wounded once the battle is over",
        procedure="mass.aftermath",
        has_actor=False,
    ),
    CommandSpec(name="end", about="GM: end the battle by your word", procedure="mass.end", has_actor=False),
)

MASS = CommandGroup(
    name="mass",
    about="RPJ Core: battles of many against many",
    lines=LINES,
    groups={"gm": ("What the GM does in a battle", GM_LINES)},
)
