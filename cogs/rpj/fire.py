"""The command texts of `/rpj-fire`: Fire and Movement."""

from bot.rules.rpj.module.optional_rules import Pack
from bot.ui.commands.options import CommandGroup, CommandSpec, of_packs

WEAPON = "Weapon (default: the first in hand)"
ODDS = "Bonuses and penalties, such as +1 high ground −1 dark"

LINES = (
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
        has_actor=False,
    ),
    CommandSpec(
        name="uncover",
        about="Remove cover",
        procedure="fire.uncover",
        options={"cover": "Cover, by name"},
        completes={"cover": "cover"},
        has_actor=False,
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
        has_actor=False,
    ),
)

FIRE = CommandGroup(
    name="fire",
    about="RPJ Core, Fire and Movement: cover, ammunition, suppression, overwatch",
    lines=of_packs(LINES, Pack.FIRE_AND_MOVEMENT),
)
