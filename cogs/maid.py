"""The texts of Post-magic-maid's commands; types, bounds and choices come from the procedures."""

from bot.rules.post_magic_maid import RULESET
from bot.ui.commands.options import CommandGroup, CommandSpec, ruleset_setup

PAIR = {"first": "One attribute", "second": "The other attribute"}
ABILITY = {"ability": "The ability you use"}
BONUS = {"bonus_dice": "Bonus d8s from your pool"}
FORCED = {"tier": "Force this tier (GM)"}
OWN = {"ability": "ability"}

LINES = (
    CommandSpec(
        name="check",
        about="Roll a check with two attributes",
        options={**PAIR, **ABILITY, "needed": "The tier you need", **BONUS, **FORCED},
        completes=OWN,
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(
        name="answer", about="Roll the check the GM called for", options={**ABILITY, **BONUS}, completes=OWN
    ),
    CommandSpec(
        name="assist",
        about="Help someone's next action before they roll",
        options={"target": "Who you help", **PAIR, **ABILITY, **BONUS, **FORCED},
        completes=OWN,
    ),
    CommandSpec(
        name="oppose",
        about="Roll in a contest",
        options={**PAIR, **ABILITY, **BONUS},
        completes=OWN,
    ),
    CommandSpec(
        name="attack",
        about="Attack someone: they get a wound of the tier you reach",
        options={
            "target": "Your target",
            **PAIR,
            "track": "Blades and points are rending, everything else is blunt",
            **ABILITY,
            **BONUS,
            "magic": "Add a magic d6",
            "defended": "The GM lets the target defend",
            **FORCED,
        },
        completes=OWN,
        can_be_secret=True,
    ),
    CommandSpec(
        name="defend",
        about="Defend against an attack on you",
        options={**PAIR, **ABILITY, **BONUS, "magic": "Add a magic d6", **FORCED},
        completes=OWN,
    ),
    CommandSpec(
        name="treat",
        about="Treat wounds with Int + Dex",
        options={"target": "Who you treat", **ABILITY, **BONUS, **FORCED},
        completes=OWN,
    ),
    CommandSpec(
        name="rest",
        about="Rest for hours; each heals one wound",
        options={
            "hours": "How many hours",
            "prefer": "Which wounds heal first",
            "now": "Don't wait for others to join",
        },
    ),
    CommandSpec(
        name="use",
        about="Use a passive ability",
        options={"ability": "The ability", **BONUS},
        completes={"ability": "passive"},
    ),
    CommandSpec(name="blitz", about="Burn a Blitz Point at the start of your turn"),
    CommandSpec(
        name="ace",
        about="Give a spare ace to someone",
        procedure="give_ace",
        options={"receiver": "Who gets an automatic 25"},
    ),
    CommandSpec(
        name="initiative",
        has_actor=True,
        about="Start a fight: everyone draws a card",
        options={
            "starter": "Who starts it",
            "others": "Who else is in the fight, separated by commas",
            "opposed": "Someone could interrupt them",
        },
    ),
    CommandSpec(
        name="joker",
        about="Use your Joker: choose who goes first or last",
        options={"place": "First or last", "who": "Who gets that place"},
    ),
    CommandSpec(
        name="act",
        about="Declare several actions this turn, each at −5 more",
        options={"count": "How many"},
    ),
)

LEVEL_UPS = (
    CommandSpec(name="menu", about="See what your level-up can buy", procedure="level_up"),
    CommandSpec(
        name="single",
        about="Take a single bonus on one ability",
        options={"ability": "The ability, old or new"},
        completes={"ability": "active_name"},
    ),
    CommandSpec(
        name="double",
        about="Take a double bonus: +2 on each of two abilities",
        options={"ability": "The ability, old or new", "second": "Another ability, old or new"},
        completes={"ability": "active_name", "second": "active_name"},
    ),
    CommandSpec(
        name="passive",
        about="Take or strengthen a passive ability; needs GM approval",
        options={"ability": "The ability, old or new", "effect": "What it does from now on"},
        completes={"ability": "passive_name"},
    ),
    CommandSpec(
        name="specialize",
        about="Specialize: +1 with one attribute",
        procedure="specialise",
        options={"attribute": "The ability"},
    ),
    CommandSpec(
        name="die",
        about="Spend a die point on a larger die",
        procedure="raise_die",
        options={"attribute": "An attribute with your smallest die"},
    ),
    CommandSpec(
        name="plan", about="See the fastest way to a die point", options={"die_steps": "How many die steps"}
    ),
)

GM = (
    CommandSpec(
        name="call",
        about="Call for a check; the player gets a button",
        options={"character": "Who rolls", **PAIR, **ABILITY, "needed": "The tier they need"},
        completes=OWN,
    ),
    CommandSpec(
        name="contest",
        about="Start a contest between two or more sides; each gets a button",
        options={
            "one": "One side",
            "other": "The other side",
            "first": "One attribute of the first side",
            "second": "The other attribute of the first side",
            "other_first": "One attribute of the other side",
            "other_second": "The other attribute of the other side",
            "more": "More sides, separated by commas",
        },
    ),
    CommandSpec(
        name="grant",
        about="Grant level-ups",
        options={"target": "Who gets them", "count": "How many"},
    ),
    CommandSpec(
        name="magic",
        about="Set who can do magic",
        options={"target": "The character", "allowed": "Whether they can"},
    ),
    CommandSpec(
        name="activation",
        about="Set which check a passive ability needs",
        options={
            "target": "The character",
            "ability": "The passive ability",
            "first": "One attribute (leave out for no check)",
            "second": "The other attribute",
            "tier": "The tier needed",
        },
    ),
    CommandSpec(
        name="wound",
        about="Give wounds without an attack",
        options={
            "target": "Who gets them",
            "track": "Which track",
            "tier": "Which tier",
            "count": "How many",
        },
    ),
    CommandSpec(
        name="mend",
        about="Remove wounds",
        options={"target": "Who rolls", "wound": "Which kind", "count": "How many"},
    ),
    CommandSpec(
        name="swap",
        about="Swap the dice of two attributes",
        procedure="swap_dice",
        options={**PAIR, "target": "The character"},
    ),
    CommandSpec(
        name="verdict",
        about="Decide whether someone dies or survives",
        options={"target": "Who", "dies": "Whether they die"},
    ),
    CommandSpec(
        name="clock",
        about="Let game time pass",
        options={"hours": "Hours", "minutes": "Minutes", "seconds": "Seconds"},
    ),
)

GROUPS = {
    "levelup": ("Level-ups: spend and plan them", LEVEL_UPS),
}

FURTHER = (CommandGroup(name="gm", about="GM only: call checks, give wounds, level-ups and magic", lines=GM),)

TYPED = (
    *("check", "attack", "defend", "assist", "oppose", "treat", "rest", "use", "blitz", "ace", "joker"),
    *("initiative", "act", "levelup menu", "levelup plan"),
)

setup = ruleset_setup(RULESET, LINES, GROUPS, FURTHER, TYPED)
