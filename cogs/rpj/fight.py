"""The command texts of `/rpj-fight`; joining, turns and the board are `/encounter`."""

from bot.ui.commands.options import CommandGroup, CommandSpec
from cogs.rpj.cinema import CINEMA

WHO = {"who": "fighter"}
GOAL = {"region": "region", "beside": "fighter"}
WHERE = {
    "region": "Region, by number or name",
    "beside": "Join this combatant's group",
}
ODDS = "Bonuses and penalties, such as +1 high ground −1 dark"

LINES = (
    CommandSpec(
        name="move",
        about="Move to another region or group (1 action)",
        procedure="fight.move",
        options={**WHERE, "cautious": "Take the whole turn and avoid free attacks"},
        completes={**GOAL, "beside": "participant"},
    ),
    CommandSpec(
        name="attack",
        about="Attack someone (1 action)",
        procedure="fight.attack",
        options={
            "target": "Target",
            "weapon": "Weapon (default: the first in hand)",
            "extras": "Extra weapons, separated by commas",
            "modifiers": ODDS,
            "lucky": "Spend a Lucky Break before rolling",
            "number": "Target number the GM set, in a cinematic fight",
            "lethal": "Make unarmed attacks lethal (needs a trait)",
            "spare": "Take a mook alive",
        },
        completes={"target": "participant", "weapon": "weapon", "extras": "weapon"},
    ),
    CommandSpec(
        name="defense",
        about="Set who chooses your defenses from now on",
        procedure="fight.defense",
        options={"defense": "ask: buttons for each attack; best: the better one at once"},
    ),
    CommandSpec(
        name="grapple",
        about="Grapple someone in your group (1 action)",
        procedure="fight.grapple",
        options={"target": "Target"},
        completes={"target": "participant"},
    ),
    CommandSpec(name="wrestle", about="Make this turn's grapple check", procedure="fight.wrestle"),
    CommandSpec(
        name="coup",
        about="Attempt a coup de grace on someone who is down (1 action, no attacks)",
        procedure="fight.coup",
        options={"target": "Target"},
        completes={"target": "participant"},
    ),
    CommandSpec(
        name="help",
        about="Help someone who is down (1 action and no attacks; outside a fight 1 minute)",
        procedure="fight.help_outside",
        options={"target": "Character"},
    ),
    CommandSpec(name="prepare", about="Prepare for more free attacks (1 action)", procedure="fight.prepare"),
    CommandSpec(
        name="task",
        about="Do something else: a few seconds (1 action) or the whole turn",
        procedure="fight.task",
        options={"what": "What you do", "full": "Takes the whole turn"},
    ),
    CommandSpec(
        name="swap",
        about="Switch weapons (free once per turn)",
        procedure="fight.swap",
        options={"weapons": "Weapons, separated by commas"},
        completes={"weapons": "weapon"},
    ),
    CommandSpec(
        name="place",
        about="Choose your starting place; a GM places anyone anywhere",
        procedure="fight.place",
        options={"who": "Combatant (default: you)", **WHERE},
        completes={**WHO, **GOAL},
    ),
    CommandSpec(
        name="treat",
        about="Give medical attention outside a fight (1 hour)",
        procedure="fight.treat_outside",
        options={"target": "Character"},
    ),
)

GM_FIGHT = (
    CommandSpec(
        name="field",
        about="Lay out the regions before the first round",
        procedure="fight.field",
        options={
            "regions": "How many (in a row unless you give links)",
            "names": "Their names, separated by commas",
            "links": "Which ones touch: 1-2, 2-3, 2-5; 3/4 can't be walked",
            "hidden": "No line of fire between: 1-4",
        },
        has_actor=False,
    ),
    CommandSpec(
        name="mooks",
        about="Add mooks, several at once",
        procedure="fight.mooks",
        options={
            "name": "Their name",
            "count": "How many",
            "attack": "Their attack modifier",
            "defense": "Target number to hit them",
            "damage": "Damage of their hits",
            "range": "Range in regions (default: melee)",
            "not_nearer": "Minimum range in regions",
            "nonlethal": "They knock out instead of killing",
            "scale": "Damage scale they withstand",
            "damage_scale": "Scale of their damage",
            "side": "Their side",
            **WHERE,
            "hidden": "Only you see them until /rpj-gm-fight reveal",
        },
        completes=GOAL,
        has_actor=False,
    ),
    CommandSpec(
        name="mook-attack",
        about="Attack with mooks, with as many rolls as you like",
        procedure="fight.mook_attack",
        options={
            "who": "Mooks",
            "target": "Target",
            "count": "How many of them (default: all that can)",
            "rolls": "How many rolls they share",
            "modifiers": ODDS,
        },
        completes={**WHO, "target": "participant"},
        has_actor=False,
    ),
    CommandSpec(
        name="mook-move",
        about="Move mooks together",
        procedure="fight.mook_move",
        options={
            "who": "Mooks",
            **WHERE,
            "count": "How many of them (default: all that can)",
            "cautious": "Take their whole turns and avoid free attacks",
        },
        completes={**WHO, **GOAL},
        has_actor=False,
    ),
    CommandSpec(
        name="remove",
        about="Remove mooks from the fight",
        procedure="fight.remove",
        options={"who": "Mooks"},
        completes=WHO,
        has_actor=False,
    ),
    CommandSpec(
        name="reveal",
        about="Reveal hidden mooks",
        procedure="fight.reveal",
        options={"who": "Mooks"},
        completes={"who": "hidden mooks"},
        has_actor=False,
    ),
    CommandSpec(
        name="surprise",
        about="Surprise a side, before initiative",
        procedure="fight.surprise",
        options={"side": "Surprised side", "modifier": "Initiative modifier (default: −2)"},
        has_actor=False,
    ),
    CommandSpec(
        name="side",
        about="Set which side someone is on",
        procedure="fight.side",
        options={"who": "Combatant", "side": "Side"},
        completes=WHO,
        has_actor=False,
    ),
    CommandSpec(
        name="go-on",
        about="Continue the fight without a missing answer",
        procedure="fight.go_on",
        has_actor=False,
    ),
)

FIGHT = CommandGroup(
    name="fight",
    about="RPJ Core fights: moves, attacks, grapples",
    lines=LINES,
    groups={"cinema": CINEMA},
)
