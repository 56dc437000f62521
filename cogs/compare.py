"""The texts of Compare Roll's commands; types, bounds and choices come from the procedures."""

from bot.rules.compare_roll import RULESET
from bot.ui.commands.options import CommandGroup, CommandSpec, ruleset_setup

ROLL = {
    "difficulty": "Name or number",
    "burn": "High to burn before the roll",
    "modifier": "Modifier (GM)",
    "outcome": "Set the outcome (GM)",
}
FIGHTING = {**ROLL, "difficulty": "Instead of the opponent's (GM)"}
COMPLETES = {"difficulty": "difficulty"}
SKILLED = {**COMPLETES, "skill": "skill"}
ACTS = {"acts": "It affects the fight and uses your attack"}

LINES = (
    CommandSpec(
        name="roll",
        about="Roll a skill check: 2d6 against two d12s",
        procedure="check",
        options={"skill": "The skill", **ROLL, "stat": "Another stat (GM)", **ACTS},
        completes=SKILLED,
        can_be_secret=True,
    ),
    CommandSpec(
        name="luck",
        about="Roll a check that no skill fits",
        options={**ROLL, **ACTS},
        completes=COMPLETES,
        can_be_secret=True,
    ),
    CommandSpec(name="burn", about="Burn High on your open roll", options={"count": "How many points"}),
    CommandSpec(name="take", about="Accept your open roll as it is"),
    CommandSpec(name="calm", about="Burn High to remove Stress", options={"count": "How many points"}),
    CommandSpec(
        name="attack",
        about="Attack with a weapon",
        options={
            "targets": "The targets, separated by commas",
            "weapon": "The weapon (default: the one in hand)",
            "distance": "In feet, one or one per target; for an explosion, its center first",
            **FIGHTING,
            "skill": "A skill other than the weapon's",
            "cover": "Cover from here, if better than they have taken",
            "force": "Ignore turn, range and skill (GM)",
        },
        completes={**SKILLED, "weapon": "weapon"},
        can_be_secret=True,
    ),
    CommandSpec(
        name="defend",
        about="Defend against an attack",
        options={"skill": "The skill (default: Dodging)", **FIGHTING},
        completes=SKILLED,
    ),
    CommandSpec(
        name="counter",
        about="Counter an attack after a Cost; hits without a roll",
        options={"weapon": "The weapon"},
        completes={"weapon": "weapon"},
    ),
    CommandSpec(name="skip", about="Skip a counterattack"),
    CommandSpec(
        name="reload",
        about="Reload a weapon; in a fight, takes the turn",
        options={"weapon": "The weapon"},
        completes={"weapon": "weapon"},
    ),
    CommandSpec(name="move", about="Move on your turn", options={"spaces": "Spaces of 5 ft"}),
    CommandSpec(name="cover", about="Take or leave cover", options={"cover": "How much"}),
    CommandSpec(name="done", about="End your turn"),
    CommandSpec(
        name="use",
        about="Use a Stim or another remedy",
        options={"item": "The remedy (default: Stim)", "target": "Who gets it (default: you)"},
        completes={"item": "remedy"},
    ),
    CommandSpec(
        name="equip",
        about="Put on armor, or take it off",
        options={"armour": "The suit; leave empty to take it off"},
        completes={"armour": "armour"},
    ),
    CommandSpec(name="tune", about="Tune your Comms", options={"label": "The channel's name"}),
    CommandSpec(
        name="talk",
        about="Check whether someone can hear you",
        options={"target": "Who", "distance": "Feet between you"},
    ),
    CommandSpec(
        name="hand",
        about="Hand something to another character",
        options={"thing": "What", "target": "To whom", "count": "How many"},
        completes={"thing": "belonging"},
    ),
    CommandSpec(
        name="money",
        about="Earn or spend Assets",
        options={"amount": "How much; negative spends", "reason": "What for"},
    ),
    CommandSpec(
        name="rest",
        about="Take a short rest; each hour can be interrupted",
        options={
            "hours": "Most hours to rest",
            "burn": "High for the first hour, if the campaign allows it",
            "now": "Don't wait for others to join",
        },
    ),
    CommandSpec(name="deathsdoor", about="At 0 HP: make your next roll at Death's Door"),
    CommandSpec(
        name="blaze",
        about="At 0 HP: hit who struck you down with 12+6d6, then die",
        options={"target": "Another target (GM)", "nobody": "Hit nobody"},
    ),
)

CREATE = (
    CommandSpec(name="stats", about="Roll 2d6 six times for your stats", procedure="roll_stats"),
    CommandSpec(
        name="place",
        about="Place a roll on a stat",
        options={"stat": "The stat", "value": "The roll (default: the highest)"},
    ),
    CommandSpec(name="assets", about="Roll your starting Assets", procedure="roll_assets"),
    CommandSpec(name="finish", about="Finish your character"),
    CommandSpec(
        name="skill",
        about="Spend skill points",
        procedure="spend",
        options={"skill": "The skill", "points": "How many"},
        completes={"skill": "skill"},
    ),
    CommandSpec(name="stat", about="Spend a stat point", procedure="raise", options={"stat": "The stat"}),
    CommandSpec(
        name="own",
        about="Propose a custom skill",
        procedure="propose",
        options={"category": "Its category", "name": "Its name", "level": "Points to spend on it"},
        completes={"category": "category"},
    ),
)

GM = (
    CommandSpec(name="putout", about="Put out all fires", procedure="put_out"),
    CommandSpec(
        name="stat",
        about="Set a stat",
        procedure="set_stat",
        options={"target": "The character", "stat": "The stat", "score": "Its new score"},
    ),
    CommandSpec(
        name="award",
        about="Award skill and stat points",
        options={"target": "The character", "skill_points": "Skill points", "stat_points": "Stat points"},
    ),
    CommandSpec(
        name="fate",
        about="Set HP, give Stress or High, or revive a character",
        options={
            "target": "The character",
            "hp": "New HP",
            "stress": "Stress to give",
            "high": "High to give",
            "revive": "Bring them back from the dead",
        },
    ),
    CommandSpec(
        name="foe",
        about="Set an opponent's numbers and weapon",
        options={
            "target": "The opponent, an NPC",
            "hp": "Maximum HP",
            "fortitude": "Maximum Fortitude",
            "rating": "Difficulty of attacks on it",
            "attack": "Attack bonus, if the GM rolls 2d6",
            "movement": "Spaces per turn",
            "weapon": "A weapon for it",
        },
        completes={"weapon": "any_weapon"},
    ),
    CommandSpec(
        name="look",
        about="See a character's numbers",
        options={"target": "The character"},
    ),
    CommandSpec(
        name="give",
        about="Give or take gear",
        options={
            "target": "The character",
            "thing": "A weapon, item or suit",
            "count": "How many; negative takes",
            "level": "Level of the weapon",
        },
        completes={"thing": "thing"},
    ),
    CommandSpec(
        name="approve",
        about="Approve or refuse a custom skill",
        options={
            "target": "The character",
            "skill": "The skill",
            "stat": "Another stat",
            "refused": "Refuse it",
        },
    ),
    CommandSpec(
        name="longrest",
        about="Give characters a long rest",
        procedure="long_rest",
        options={
            "targets": "Who rests, separated by commas",
            "safe": "In a safe place",
            "broken": "Interrupted",
        },
    ),
    CommandSpec(
        name="skill",
        about="Add a skill for everyone",
        procedure="add_skill",
        options={"category": "Its category", "name": "Its name"},
        completes={"category": "category"},
    ),
    CommandSpec(
        name="difficulty",
        about="Add a difficulty",
        procedure="add_difficulty",
        options={"name": "Its name", "number": "Added to each d12"},
    ),
    CommandSpec(
        name="weapon",
        about="Add a weapon",
        procedure="add_weapon",
        options={
            "name": "Its name",
            "tags": "For example: Tech, Piercing, Far",
            "level": "Its level",
            "reload": "Attacks before reloading",
            "extra": "Extra dice, for example 1d6",
            "burn": "Die size for rounds of burning",
            "requires": "Needed skill, for example Mechanics 3",
            "skill": "Attack skill",
        },
        completes={"skill": "skill"},
    ),
    CommandSpec(
        name="item",
        about="Add an item or armor",
        procedure="add_item",
        options={
            "name": "Its name",
            "kind": "Its kind",
            "charges": "Reloads per unit",
            "heals": "Die size for healing",
            "stress": "Stress it gives",
            "fortitude": "Fortitude while worn",
            "movement": "Movement while worn",
        },
    ),
)

GROUPS = {"create": ("Finish and improve your character", CREATE)}
FURTHER = (
    CommandGroup(name="gm", about="GM only: opponents, stats, awards, gear and new content", lines=GM),
)

TYPED = (
    *("roll", "luck", "attack", "defend", "reload", "move", "use", "equip", "hand", "money", "rest"),
    *("create stats", "create place", "create assets", "create finish"),
)

setup = ruleset_setup(RULESET, LINES, GROUPS, FURTHER, TYPED)
