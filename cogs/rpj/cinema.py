"""The words of cinematic fights, a part of `/rpj-fight`."""

from bot.ui.commands.options import CommandSpec

CINEMA = (
    "Cinematic fights: yards, turns put off or shared, foes of legend",
    (
        CommandSpec(
            name="walk",
            about="Go somewhere; every 30 yards are an action",
            procedure="fight.walk",
            options={
                "x": "Where to, eastwards, in yards",
                "y": "Where to, northwards, in yards",
                "towards": "Or towards whom",
                "yards": "How far towards them; up to them where left out",
            },
            completes={"towards": "participant"},
        ),
        CommandSpec(
            name="range",
            about="How many yards it is, and what usually hits",
            procedure="fight.measure",
            options={"target": "To whom", "other": "From whom; you where left out"},
            completes={"target": "participant", "other": "participant"},
        ),
        CommandSpec(
            name="defer",
            about="Act further down the order in this round",
            procedure="fight.defer",
            options={"after": "After whom"},
            completes={"after": "participant"},
        ),
        CommandSpec(
            name="together", about="Act together with those who follow you", procedure="fight.together"
        ),
        CommandSpec(
            name="mode",
            about="GM: play this fight in yards, before the first round",
            procedure="fight.mode",
            options={"cinematic": "Whether it is a cinematic one"},
            has_actor=False,
        ),
        CommandSpec(
            name="spot",
            about="GM: put somebody somewhere, in yards",
            procedure="fight.spot",
            options={"who": "Whom", "x": "Eastwards, in yards", "y": "Northwards, in yards"},
            completes={"who": "fighter"},
            has_actor=False,
        ),
        CommandSpec(
            name="legend",
            about="GM: have a foe lose no saves and fall by stages",
            procedure="fight.legend",
            options={"who": "Which foe", "stages": "How many stages; 3 where left out"},
            completes={"who": "fighter"},
            has_actor=False,
        ),
        CommandSpec(
            name="weaken",
            about="GM: bring a foe of legend down by a stage",
            procedure="fight.legend_on",
            options={"who": "Which foe"},
            completes={"who": "fighter"},
            has_actor=False,
        ),
        CommandSpec(
            name="finish",
            about="GM: let the last blow fall on a foe of legend",
            procedure="fight.legend_finish",
            options={"who": "Which foe"},
            completes={"who": "fighter"},
            has_actor=False,
        ),
    ),
)
