"""The texts of `/compare`, Compare Roll's command; types, bounds and choices come from the procedures."""

from bot.rules.compare_roll import RULESET
from bot.ui.commands.options import CommandSpec, ruleset_setup

ROLL = {
    "difficulty": "By name, or a number",
    "burn": "High burned before the roll",
    "modifier": "GM: what is added",
    "outcome": "GM: what it is to be",
}
FIGHTING = {**ROLL, "difficulty": "GM: another one than the opponent's"}
COMPLETES = {"difficulty": "difficulty"}
SKILLED = {**COMPLETES, "skill": "skill"}
ACTS = {"acts": "It changes the fight: takes the attack of the turn"}

LINES = (
    CommandSpec(
        name="roll",
        about="Check with a skill: 2d6 against each of two d12s",
        procedure="check",
        options={"skill": "Which skill", **ROLL, "stat": "GM: another stat", **ACTS},
        completes=SKILLED,
        can_be_secret=True,
    ),
    CommandSpec(
        name="luck",
        about="Check what no skill fits",
        options={**ROLL, **ACTS},
        completes=COMPLETES,
        can_be_secret=True,
    ),
    CommandSpec(
        name="burn", about="Burn High on the roll that lies open", options={"count": "How many points"}
    ),
    CommandSpec(name="take", about="Take the roll that lies open as it is"),
    CommandSpec(name="calm", about="Burn High against Stress", options={"count": "How many points"}),
    CommandSpec(
        name="attack",
        about="Attack with a weapon",
        options={
            "targets": "Whom, separated by commas",
            "weapon": "With what; else the weapon in hand",
            "distance": "Feet, or one for each target; of an explosion first its point",
            **FIGHTING,
            "skill": "Another skill than the weapon's",
            "cover": "What hides them, if more than they are in; a GM may say less",
            "force": "GM: whatever turn, range and skill say",
        },
        completes={**SKILLED, "weapon": "weapon"},
        can_be_secret=True,
    ),
    CommandSpec(
        name="defend",
        about="Defend against the attack on you",
        options={"skill": "With which skill; else Dodging", **FIGHTING},
        completes=SKILLED,
    ),
    CommandSpec(
        name="counter",
        about="Strike back after a Cost; it hits without a roll",
        options={"weapon": "With what"},
        completes={"weapon": "weapon"},
    ),
    CommandSpec(
        name="reload",
        about="Reload; in a fight it takes the turn",
        options={"weapon": "Which weapon"},
        completes={"weapon": "weapon"},
    ),
    CommandSpec(name="move", about="Move on your turn", options={"spaces": "Spaces of 5 ft"}),
    CommandSpec(name="cover", about="Say what hides you", options={"cover": "How much"}),
    CommandSpec(name="done", about="End your turn"),
    CommandSpec(
        name="use",
        about="Use a Stim or another remedy",
        options={"item": "Which one; else a Stim", "target": "On whom; else yourself"},
        completes={"item": "remedy"},
    ),
    CommandSpec(
        name="equip",
        about="Put armour on, or take it off",
        options={"armour": "Which suit; none, or nothing, takes it off"},
        completes={"armour": "armour"},
    ),
    CommandSpec(name="tune", about="Tune your Comms", options={"label": "Name of the channel"}),
    CommandSpec(
        name="talk",
        about="See whether somebody can hear you",
        options={"target": "Whom", "distance": "Feet between you"},
    ),
    CommandSpec(
        name="money",
        about="Earn or spend Assets",
        options={"amount": "How much; below 0 spends", "reason": "What for"},
    ),
    CommandSpec(
        name="rest",
        about="Rest for hours; each may be interrupted",
        options={
            "hours": "How many at most",
            "burn": "High on the first hour, where the campaign allows it",
            "now": "Don't wait for others to join",
        },
    ),
    CommandSpec(name="deathsdoor", about="At 0 HP: the next roll at Death's Door"),
    CommandSpec(
        name="blaze",
        about="At 0 HP: 12+6d6 on who struck you down, then death",
        options={"target": "GM: on whom", "nobody": "On nobody"},
    ),
)

CREATE = (
    CommandSpec(name="stats", about="Roll 2d6 six times", procedure="roll_stats"),
    CommandSpec(
        name="place",
        about="Place a sum on a stat",
        options={"stat": "Which stat", "value": "Which sum; else the largest"},
    ),
    CommandSpec(name="assets", about="Roll your first Assets", procedure="roll_assets"),
    CommandSpec(name="finish", about="Finish the character"),
    CommandSpec(
        name="skill",
        about="Spend skill points",
        procedure="spend",
        options={"skill": "On which skill", "points": "How many"},
        completes={"skill": "skill"},
    ),
    CommandSpec(
        name="stat", about="Spend a stat point", procedure="raise", options={"stat": "On which stat"}
    ),
    CommandSpec(
        name="own",
        about="Propose a skill of your own",
        procedure="propose",
        options={"category": "Where it stands", "name": "Its name", "level": "Points put into it"},
        completes={"category": "category"},
    ),
)

FIGHT = (
    CommandSpec(name="putout", about="GM: put all fires out", procedure="put_out", has_actor=False),
    CommandSpec(name="skip", about="Pass a counter attack up"),
)

GM = (
    CommandSpec(
        name="stat",
        about="Set a stat",
        procedure="set_stat",
        options={"target": "Whose", "stat": "Which", "score": "To what"},
        has_actor=False,
    ),
    CommandSpec(
        name="award",
        about="Award points",
        options={"target": "To whom", "skill_points": "Skill points", "stat_points": "Stat points"},
        has_actor=False,
    ),
    CommandSpec(
        name="fate",
        about="Set HP, give Stress or High, bring somebody back",
        options={
            "target": "Whose",
            "hp": "HP set to this",
            "stress": "Stress gained",
            "high": "High gained",
            "revive": "Back from the dead",
        },
        has_actor=False,
    ),
    CommandSpec(
        name="foe",
        about="Write the record of an opponent",
        options={
            "target": "Whose; /gm npc makes one",
            "hp": "HP",
            "fortitude": "Fortitude",
            "rating": "Difficulty of attacks on it",
            "attack": "Its number where the GM rolls 2d6",
            "movement": "Spaces a turn",
            "weapon": "Put in its hand",
        },
        completes={"weapon": "any_weapon"},
        has_actor=False,
    ),
    CommandSpec(name="look", about="See somebody's numbers", options={"target": "Whose"}, has_actor=False),
    CommandSpec(
        name="give",
        about="Hand out or take gear",
        options={
            "target": "To whom",
            "thing": "A weapon, an item, a suit",
            "count": "How many; below 0 takes",
            "level": "Level of the weapon",
        },
        completes={"thing": "thing"},
        has_actor=False,
    ),
    CommandSpec(
        name="approve",
        about="Agree to a skill of somebody's own",
        options={"target": "Whose", "skill": "Which", "stat": "Another stat", "refused": "Refuse it"},
        has_actor=False,
    ),
    CommandSpec(
        name="longrest",
        about="Let people rest for a day",
        procedure="long_rest",
        options={"targets": "Who, separated by commas", "safe": "A safe place", "broken": "Broken off"},
        has_actor=False,
    ),
    CommandSpec(
        name="skill",
        about="Add a skill for everybody",
        procedure="add_skill",
        options={"category": "Where", "name": "Its name"},
        completes={"category": "category"},
        has_actor=False,
    ),
    CommandSpec(
        name="difficulty",
        about="Add a difficulty",
        procedure="add_difficulty",
        options={"name": "Its name", "number": "On each d12"},
        has_actor=False,
    ),
    CommandSpec(
        name="weapon",
        about="Add a weapon",
        procedure="add_weapon",
        options={
            "name": "Its name",
            "tags": "Such as Tech, Piercing, Far",
            "level": "Its level",
            "reload": "Attacks until reloading",
            "extra": "Extra dice such as 1d6",
            "burn": "Faces of the die of rounds it burns",
            "requires": "Such as Mechanics 3",
            "skill": "Skill of its attacks",
        },
        completes={"skill": "skill"},
        has_actor=False,
    ),
    CommandSpec(
        name="item",
        about="Add an item or armour",
        procedure="add_item",
        options={
            "name": "Its name",
            "kind": "What it is for",
            "charges": "Reloads in a unit",
            "heals": "Faces of the die it heals",
            "stress": "Stress it gives",
            "fortitude": "FT while worn",
            "movement": "Spaces while worn",
        },
        has_actor=False,
    ),
)

GROUPS = {
    "create": ("Make a character", CREATE),
    "fight": ("What comes up in a fight", FIGHT),
    "gm": ("What only the GM does", GM),
}

setup = ruleset_setup(RULESET, LINES, GROUPS)
