"""The words of Fire and Movement: `/rpj-fire`."""

from bot.ui.commands.options import CommandGroup, CommandSpec

WEAPON = "With what; the first in hand where left out"
ODDS = "Bonuses and penalties with a word: +1 high ground −1 dark"

LINES = (
    CommandSpec(
        name="aim",
        about="Aimed Fire: one shot, +1 (2 actions)",
        procedure="fire.aim",
        options={
            "target": "Whom",
            "weapon": WEAPON,
            "modifiers": ODDS,
            "lucky": "Spend a Lucky Break beforehand",
        },
        completes={"target": "participant", "weapon": "weapon"},
    ),
    CommandSpec(
        name="suppress",
        about="Suppressive Fire at a whole group (2 actions, no damage)",
        procedure="fire.suppress",
        options={
            "target": "One of the group",
            "weapon": WEAPON,
            "extras": "With which weapons besides, with commas between",
            "modifiers": ODDS,
        },
        completes={"target": "participant", "weapon": "weapon", "extras": "weapon"},
    ),
    CommandSpec(
        name="overwatch",
        about="Watch a region, to shoot at whoever enters it (1 action)",
        procedure="fire.watch",
        options={"region": "Which region, by number or name"},
        completes={"region": "region"},
    ),
    CommandSpec(name="reorient", about="Turn about in your cover (1 action)", procedure="fire.reorient"),
    CommandSpec(
        name="reload",
        about="Reload a weapon",
        procedure="fire.reload",
        options={"weapon": "Which; the first in hand where left out"},
        completes={"weapon": "weapon"},
    ),
    CommandSpec(
        name="raze",
        about="Shoot at cover with a mega or giga weapon (1 action)",
        procedure="fire.raze",
        options={"cover": "Which cover, by name", "weapon": WEAPON},
        completes={"cover": "cover", "weapon": "weapon"},
    ),
    CommandSpec(name="targets", about="What shots need to hit, yours and theirs", procedure="fire.targets"),
    CommandSpec(name="hint", about="What you can do in your turn, with its chances", procedure="fire.hint"),
    CommandSpec(
        name="ammo", about="What is loaded and carried for your weapons", procedure="fire.ammunition"
    ),
    CommandSpec(
        name="swap",
        about="Exchange what is carried for two weapons of yours",
        procedure="fire.swap",
        options={"one": "Which weapon", "other": "Which other weapon, of the same ammunition"},
        completes={"one": "weapon", "other": "weapon"},
    ),
    CommandSpec(
        name="give",
        about="Give somebody ammunition, step for step",
        procedure="fire.give",
        options={
            "to": "Whom",
            "weapon": "For which weapon of yours it is",
            "theirs": "For which weapon of theirs; the same where left out",
            "steps": "How many steps; 1 where left out",
        },
        completes={"weapon": "weapon", "theirs": "loaded weapon"},
    ),
)

GM_LINES = (
    CommandSpec(
        name="cover",
        about="GM: put cover on the ground; again for more groups",
        procedure="fire.cover",
        options={
            "what": "concealment, bush, car, tree, wall; or quality and flanking distance: +3/1f",
            "name": "What it is called",
            "region": "Which region, by number or name",
            "behind": "Whose group is in it",
            "conceals": "It hides the helpless completely",
            "lasting": "Nothing destroys it",
        },
        completes={"behind": "fighter", "region": "region"},
        has_actor=False,
    ),
    CommandSpec(
        name="uncover",
        about="GM: take cover off the ground",
        procedure="fire.uncover",
        options={"cover": "Which cover, by name"},
        completes={"cover": "cover"},
        has_actor=False,
    ),
    CommandSpec(
        name="resupply",
        about="GM: say how much somebody carries for a weapon",
        procedure="fire.resupply",
        options={
            "target": "Who it is",
            "weapon": "Which weapon",
            "step": "0 None, 1 A Little, 2 Some, 3 Lots, above that more",
            "loaded": "How much is in it; full where left out",
        },
        completes={"weapon": "weapon"},
        whose="target",
        has_actor=False,
    ),
)

FIRE = CommandGroup(
    name="fire",
    about="Fire and Movement in RPJ Core: cover, ammunition, suppression, overwatch",
    lines=LINES,
    groups={"gm": ("What the GM puts on the ground and hands out", GM_LINES)},
)
