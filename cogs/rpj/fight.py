"""The words of fights: `/rpj-fight`; gathering, turns and the board are `/encounter`."""

from bot.ui.commands.options import CommandGroup, CommandSpec
from cogs.rpj.cinema import CINEMA

WHO = {"who": "fighter"}
GOAL = {"region": "region", "beside": "fighter"}
WHERE = {
    "region": "Which region, by number or name",
    "beside": "Whose group to join",
}
ODDS = "Bonuses and penalties with a word: +1 high ground −1 dark"

LINES = (
    CommandSpec(
        name="move",
        about="Move to another region or group (1 action)",
        procedure="fight.move",
        options={**WHERE, "cautious": "Spend the whole turn, so that nobody strikes at you"},
        completes={**GOAL, "beside": "participant"},
    ),
    CommandSpec(
        name="attack",
        about="Attack somebody (1 action)",
        procedure="fight.attack",
        options={
            "target": "Whom",
            "weapon": "With what; the first in hand where left out",
            "extras": "With which weapons besides, with commas between",
            "modifiers": ODDS,
            "lucky": "Spend a Lucky Break beforehand",
            "number": "Target number that the GM sets, in a cinematic fight",
            "lethal": "Bare hands are to kill, where a trait lets you choose",
            "spare": "Take a mook alive",
        },
        completes={"target": "participant", "weapon": "weapon", "extras": "weapon"},
    ),
    CommandSpec(
        name="defense",
        about="Say who chooses your defense from now on",
        procedure="fight.defense",
        options={"defense": "ask: buttons for each attack; best: the better one at once"},
    ),
    CommandSpec(
        name="grapple",
        about="Take hold of somebody beside you (1 action)",
        procedure="fight.grapple",
        options={"target": "Whom"},
        completes={"target": "participant"},
    ),
    CommandSpec(name="wrestle", about="Make the grapple check of your turn", procedure="fight.wrestle"),
    CommandSpec(
        name="coup",
        about="Attempt a coup de grace on somebody who is down (1 action, no attacks)",
        procedure="fight.coup",
        options={"target": "On whom"},
        completes={"target": "participant"},
    ),
    CommandSpec(
        name="help",
        about="Help somebody who is down back up (1 action, no attacks)",
        procedure="fight.help",
        options={"target": "Whom"},
        completes={"target": "participant"},
    ),
    CommandSpec(name="prepare", about="Prepare for more free attacks (1 action)", procedure="fight.prepare"),
    CommandSpec(
        name="task",
        about="Do anything else that takes a few seconds (1 action), or a minute",
        procedure="fight.task",
        options={"what": "What you do", "full": "It takes the whole turn"},
    ),
    CommandSpec(
        name="swap",
        about="Take other weapons in hand (the first time in a turn for nothing)",
        procedure="fight.swap",
        options={"weapons": "Which, with commas between"},
        completes={"weapons": "weapon"},
    ),
    CommandSpec(
        name="place",
        about="Begin beside somebody; a GM puts anybody anywhere",
        procedure="fight.place",
        options={"who": "Who; you where left out", **WHERE},
        completes={**WHO, **GOAL},
    ),
    CommandSpec(
        name="treat",
        about="Give medical attention without a fight (an hour)",
        procedure="fight.treat_outside",
        options={"target": "Whom"},
    ),
    CommandSpec(
        name="help-outside",
        about="Lend a helping hand without a fight (a minute)",
        procedure="fight.help_outside",
        options={"target": "Whom"},
    ),
)

GM_LINES = (
    CommandSpec(
        name="field",
        about="GM: lay out the ground before the first round",
        procedure="fight.field",
        options={
            "regions": "How many; in a row without links",
            "names": "What they are called, with commas between",
            "links": "Which touch: 1-2, 2-3, 2-5; with a slash nobody walks: 3/4",
            "hidden": "Between which nobody can shoot: 1-4",
        },
        has_actor=False,
    ),
    CommandSpec(
        name="mooks",
        about="GM: add mooks, several at once",
        procedure="fight.mooks",
        options={
            "name": "What they are called",
            "count": "How many",
            "attack": "Added to their attacks",
            "defense": "What must be rolled to hit them",
            "damage": "What their hits do",
            "range": "How far they shoot; they strike where left out",
            "not_nearer": "From how far on they shoot",
            "nonlethal": "They put out instead of killing",
            "scale": "What they withstand, with damage scales",
            "damage_scale": "How great their damage is",
            "side": "Whose side they are on",
            **WHERE,
            "hidden": "Only you know of them until /rpj-fight gm reveal",
        },
        completes=GOAL,
        has_actor=False,
    ),
    CommandSpec(
        name="mook-attack",
        about="GM: have mooks attack, with as many rolls as you like",
        procedure="fight.mook_attack",
        options={
            "who": "Which mooks",
            "target": "Whom",
            "count": "How many of them; all that can where left out",
            "rolls": "How many rolls go round among them",
            "modifiers": ODDS,
        },
        completes={**WHO, "target": "participant"},
        has_actor=False,
    ),
    CommandSpec(
        name="mook-move",
        about="GM: have mooks move together",
        procedure="fight.mook_move",
        options={
            "who": "Which mooks",
            **WHERE,
            "count": "How many of them; all that can where left out",
            "cautious": "Spend their whole turns, so that nobody strikes",
        },
        completes={**WHO, **GOAL},
        has_actor=False,
    ),
    CommandSpec(
        name="remove",
        about="GM: take mooks out of the fight",
        procedure="fight.remove",
        options={"who": "Which mooks"},
        completes=WHO,
        has_actor=False,
    ),
    CommandSpec(
        name="reveal",
        about="GM: let hidden mooks come out",
        procedure="fight.reveal",
        options={"who": "Which mooks"},
        completes={"who": "hidden mooks"},
        has_actor=False,
    ),
    CommandSpec(
        name="surprise",
        about="GM: have a side caught unawares, before initiative",
        procedure="fight.surprise",
        options={"side": "Which side", "modifier": "What that adds to initiative; −2 where left out"},
        has_actor=False,
    ),
    CommandSpec(
        name="side",
        about="GM: say whose side somebody is on",
        procedure="fight.side",
        options={"who": "Who", "side": "Which side"},
        completes=WHO,
        has_actor=False,
    ),
    CommandSpec(
        name="go-on",
        about="GM: let the fight go on without an answer that is missing",
        procedure="fight.go_on",
        has_actor=False,
    ),
)

FIGHT = CommandGroup(
    name="fight",
    about="Fights in RPJ Core: moves, attacks, grapples, mooks",
    lines=LINES,
    groups={"cinema": CINEMA, "gm": ("What the GM does in a fight", GM_LINES)},
)
