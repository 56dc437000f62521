"""The command texts of fights: Fire and Movement, cinematic fights and mass battles."""

from bot.rules.rpj.module.module import Pack
from bot.ui.commands.options import CommandGroup, CommandSpec, of_packs

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
    ),
    CommandSpec(
        name="spot",
        about="Place a combatant, in yards",
        procedure="fight.spot",
        options={"who": "Combatant", "x": "Yards east", "y": "Yards north"},
        completes={"who": "fighter"},
    ),
    CommandSpec(
        name="legend",
        about="Make a foe legendary: defeated in stages",
        procedure="fight.legend",
        options={"who": "Foe", "stages": "How many stages (default: 3)"},
        completes={"who": "fighter"},
    ),
    CommandSpec(
        name="weaken",
        about="Bring a legendary foe down a stage",
        procedure="fight.legend_on",
        options={"who": "Foe"},
        completes={"who": "fighter"},
    ),
    CommandSpec(
        name="finish",
        about="Defeat a legendary foe",
        procedure="fight.legend_finish",
        options={"who": "Foe"},
        completes={"who": "fighter"},
    ),
)


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
    CommandSpec(
        name="wrestle", has_actor=True, about="Make this turn's grapple check", procedure="fight.wrestle"
    ),
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
        has_actor=True,
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
    ),
    CommandSpec(
        name="remove",
        about="Remove mooks from the fight",
        procedure="fight.remove",
        options={"who": "Mooks"},
        completes=WHO,
    ),
    CommandSpec(
        name="reveal",
        about="Reveal hidden mooks",
        procedure="fight.reveal",
        options={"who": "Mooks"},
        completes={"who": "hidden mooks"},
    ),
    CommandSpec(
        name="surprise",
        about="Surprise a side, before initiative",
        procedure="fight.surprise",
        options={"side": "Surprised side", "modifier": "Initiative modifier (default: −2)"},
    ),
    CommandSpec(
        name="side",
        about="Set which side someone is on",
        procedure="fight.side",
        options={"who": "Combatant", "side": "Side"},
        completes=WHO,
    ),
    CommandSpec(
        name="go-on",
        about="Continue the fight without a missing answer",
        procedure="fight.go_on",
    ),
)

FIGHT = CommandGroup(
    name="fight",
    about="RPJ Core fights: moves, attacks, grapples",
    lines=LINES,
    groups={"cinema": CINEMA},
)


WEAPON = "Weapon (default: the first in hand)"


FIRE_LINES = (
    CommandSpec(
        name="aim",
        about="Aimed Fire: one shot at +1 (2 actions)",
        procedure="fire.aim",
        options={
            "target": "Target",
            "weapon": WEAPON,
            "modifiers": ODDS,
            "lucky": "Spend a Lucky Break before rolling",
        },
        completes={"target": "participant", "weapon": "weapon"},
    ),
    CommandSpec(
        name="suppress",
        about="Suppressive Fire at a whole group (2 actions, no damage)",
        procedure="fire.suppress",
        options={
            "target": "Someone in the group",
            "weapon": WEAPON,
            "extras": "Extra weapons, separated by commas",
            "modifiers": ODDS,
        },
        completes={"target": "participant", "weapon": "weapon", "extras": "weapon"},
    ),
    CommandSpec(
        name="overwatch",
        about="Watch a region and shoot at whoever enters it (1 action)",
        procedure="fire.watch",
        options={"region": "Region, by number or name"},
        completes={"region": "region"},
    ),
    CommandSpec(name="reorient", about="Turn around in your cover (1 action)", procedure="fire.reorient"),
    CommandSpec(
        name="reload",
        about="Reload a weapon",
        procedure="fire.reload",
        options={"weapon": WEAPON},
        completes={"weapon": "weapon"},
    ),
    CommandSpec(
        name="raze",
        about="Shoot at cover with a mega or giga weapon (1 action)",
        procedure="fire.raze",
        options={"cover": "Cover, by name", "weapon": WEAPON},
        completes={"cover": "cover", "weapon": "weapon"},
    ),
    CommandSpec(name="targets", about="See what your shots and theirs need to hit", procedure="fire.targets"),
    CommandSpec(name="hint", about="See what you can do this turn, with the chances", procedure="fire.hint"),
    CommandSpec(
        name="ammo", about="See what is loaded and carried for your weapons", procedure="fire.ammunition"
    ),
    CommandSpec(
        name="swap",
        about="Swap the ammunition you carry for two weapons",
        procedure="fire.swap",
        options={"one": "Weapon", "other": "Other weapon using the same ammunition"},
        completes={"one": "weapon", "other": "weapon"},
    ),
    CommandSpec(
        name="give",
        about="Give someone ammunition, step by step",
        procedure="fire.give",
        options={
            "to": "Recipient",
            "weapon": "Your weapon it is for",
            "theirs": "Their weapon (default: the same)",
            "steps": "How many steps (default: 1)",
        },
        completes={"weapon": "weapon", "theirs": "loaded weapon"},
    ),
)

GM_FIRE = (
    CommandSpec(
        name="cover",
        about="Place cover; repeat for more groups",
        procedure="fire.cover",
        options={
            "what": "concealment, bush, car, tree, wall, or quality and flanking distance: +3/1f",
            "name": "Its name",
            "region": "Region, by number or name",
            "behind": "Combatant whose group is in it",
            "conceals": "Hides helpless combatants completely",
            "lasting": "Can't be destroyed",
        },
        completes={"behind": "fighter", "region": "region"},
    ),
    CommandSpec(
        name="uncover",
        about="Remove cover",
        procedure="fire.uncover",
        options={"cover": "Cover, by name"},
        completes={"cover": "cover"},
    ),
    CommandSpec(
        name="resupply",
        about="Set how much ammunition someone carries for a weapon",
        procedure="fire.resupply",
        options={
            "target": "Character",
            "weapon": "Weapon",
            "step": "0 None, 1 A Little, 2 Some, 3 Lots, higher: more",
            "loaded": "How much is loaded (default: full)",
        },
        completes={"weapon": "weapon"},
        whose="target",
    ),
)

FIRE = CommandGroup(
    name="fire",
    about="RPJ Core, Fire and Movement: cover, ammunition, suppression, overwatch",
    lines=of_packs(FIRE_LINES, Pack.FIRE_AND_MOVEMENT),
)


SIDE = {"side": "Name of the side"}
OF_SIDE = {"side": "side of a battle"}
MASS_LINES = (
    CommandSpec(
        name="show",
        about="Show this channel's battle again",
        procedure="mass.show",
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
    ),
    CommandSpec(
        name="works",
        about="Set who attacks fortifications and how strong they are",
        procedure="mass.works",
        options={"attacker": "Name of the attacking side", "size": "From 0 (none) to 6 (strongest)"},
        completes={"attacker": "side of a battle"},
    ),
    CommandSpec(
        name="retreat",
        about="Make a side retreat at the end of the round, or cancel that",
        procedure="mass.retreat",
        options=SIDE,
        completes=OF_SIDE,
    ),
    CommandSpec(
        name="kills",
        about="Count losses of a side from the players' turns",
        procedure="mass.kills",
        options={**SIDE, "count": "How many"},
        completes=OF_SIDE,
    ),
    CommandSpec(name="round", about="Roll the round", procedure="mass.round"),
    CommandSpec(
        name="aftermath",
        about="Roll for the wounded after the battle",
        procedure="mass.aftermath",
    ),
    CommandSpec(name="end", about="End the battle by decision", procedure="mass.end"),
)

MASS = CommandGroup(
    name="mass",
    about="RPJ Core: mass battles",
    lines=of_packs(MASS_LINES, Pack.MASS_COMBAT),
)
