"""The command texts of cinematic fights, a part of `/rpj-fight`."""

from bot.rules.rpj.module.optional_rules import Pack
from bot.ui.commands.options import CommandSpec, of_packs

CINEMA = (
    "Cinematic fights: yards, deferred and shared turns, legendary foes",
    of_packs(
        (
            CommandSpec(
                name="walk",
                about="Move in yards (1 action per 30 yards)",
                procedure="fight.walk",
                options={
                    "x": "Where to: yards east",
                    "y": "Where to: yards north",
                    "towards": "Or move towards this combatant",
                    "yards": "How many yards towards them (default: all the way)",
                },
                completes={"towards": "participant"},
            ),
            CommandSpec(
                name="range",
                about="See a distance in yards and what usually hits",
                procedure="fight.measure",
                options={"target": "To this combatant", "other": "From this combatant (default: you)"},
                completes={"target": "participant", "other": "participant"},
            ),
            CommandSpec(
                name="defer",
                about="Act later in this round",
                procedure="fight.defer",
                options={"after": "Act after this combatant"},
                completes={"after": "participant"},
            ),
            CommandSpec(
                name="together", about="Act together with those right after you", procedure="fight.together"
            ),
        ),
        Pack.CINEMATIC_COMBAT,
    ),
)

GM_CINEMA = (
    CommandSpec(
        name="mode",
        about="Play this fight in yards (GM, before the first round)",
        procedure="fight.mode",
        options={"cinematic": "On: a cinematic fight"},
        has_actor=False,
    ),
    CommandSpec(
        name="spot",
        about="Place a combatant, in yards",
        procedure="fight.spot",
        options={"who": "Combatant", "x": "Yards east", "y": "Yards north"},
        completes={"who": "fighter"},
        has_actor=False,
    ),
    CommandSpec(
        name="legend",
        about="Make a foe legendary: defeated in stages",
        procedure="fight.legend",
        options={"who": "Foe", "stages": "How many stages (default: 3)"},
        completes={"who": "fighter"},
        has_actor=False,
    ),
    CommandSpec(
        name="weaken",
        about="Bring a legendary foe down a stage",
        procedure="fight.legend_on",
        options={"who": "Foe"},
        completes={"who": "fighter"},
        has_actor=False,
    ),
    CommandSpec(
        name="finish",
        about="Defeat a legendary foe",
        procedure="fight.legend_finish",
        options={"who": "Foe"},
        completes={"who": "fighter"},
        has_actor=False,
    ),
)
