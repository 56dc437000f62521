"""Post-magic-maid: `/maid`. Types, bounds and choices come from the procedures; here are the words."""

from bot.rules.post_magic_maid import RULESET
from bot.ui.commands.options import CommandSpec, ruleset_setup

PAIR = {"first": "One attribute", "second": "The other attribute"}
ABILITY = {"ability": "The ability you use"}
BONUS = {"bonus_dice": "Bonus d8s from your pool"}
FORCED = {"tier": "GM: the tier it is to be, whatever the dice say"}
OWN = {"ability": "ability"}

LINES = (
    CommandSpec(
        name="check",
        about="Roll a check with two attributes",
        options={**PAIR, **ABILITY, "needed": "The tier the GM wants", **BONUS, **FORCED},
        completes=OWN,
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(
        name="call",
        about="GM: call for a check; the player gets a button",
        options={"character": "From whom", **PAIR, **ABILITY, "needed": "The tier you want"},
        completes=OWN,
        has_actor=False,
    ),
    CommandSpec(
        name="answer", about="Roll what the GM called for", options={**ABILITY, **BONUS}, completes=OWN
    ),
    CommandSpec(
        name="assist",
        about="Help somebody's next action, before it is rolled",
        options={"target": "Whom you help", **PAIR, **ABILITY, **BONUS, **FORCED},
        completes=OWN,
    ),
    CommandSpec(
        name="contest",
        about="GM: let two sides roll against each other; each gets a button",
        options={
            "one": "One side",
            "other": "The other side",
            "first": "One attribute of the first side",
            "second": "The other attribute of the first side",
            "other_first": "One attribute of the other side",
            "other_second": "The other attribute of the other side",
            "more": "More sides, separated by commas",
        },
        has_actor=False,
    ),
    CommandSpec(
        name="oppose",
        about="Roll in a contest",
        options={**PAIR, **ABILITY, **BONUS},
        completes=OWN,
    ),
    CommandSpec(
        name="attack",
        about="Attack somebody: a wound of the tier you reach",
        options={
            "target": "Whom you attack",
            **PAIR,
            "track": "Edges and points are rending, the rest is blunt",
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
        about="Roll against the attack on you",
        options={**PAIR, **ABILITY, **BONUS, "magic": "Add a magic d6", **FORCED},
        completes=OWN,
    ),
    CommandSpec(
        name="treat",
        about="Treat somebody's wounds with Int + Dex",
        options={"target": "Whom you treat", **ABILITY, **BONUS, **FORCED},
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
        options={"ability": "Which one", **BONUS},
        completes={"ability": "passive"},
    ),
    CommandSpec(name="blitz", about="Burn a Blitz Point at the start of your turn"),
    CommandSpec(
        name="ace",
        about="Give away a spare ace",
        procedure="give_ace",
        options={"receiver": "Who gets an automatic 25"},
    ),
    CommandSpec(
        name="initiative",
        about="Begin an encounter: everybody draws a card",
        options={
            "starter": "Who starts it",
            "others": "Who else takes part, separated by commas",
            "opposed": "Somebody stands ready to stop them",
        },
    ),
    CommandSpec(
        name="joker",
        about="You drew a Joker: say who goes first, or last",
        options={"place": "Which place you give", "who": "Who gets it"},
    ),
    CommandSpec(
        name="act",
        about="Declare several actions for your turn, each at 5 less than the one before",
        options={"count": "How many"},
    ),
)

LEVEL_UPS = (
    CommandSpec(name="menu", about="See what your level-up can buy", procedure="level_up"),
    CommandSpec(
        name="single",
        about="A single bonus on one ability",
        options={"ability": "Old or new"},
        completes={"ability": "active_name"},
    ),
    CommandSpec(
        name="double",
        about="A +2 on each of two abilities",
        options={"ability": "Old or new", "second": "Another one, old or new"},
        completes={"ability": "active_name", "second": "active_name"},
    ),
    CommandSpec(
        name="passive",
        about="A passive ability, new or stronger; the GM approves",
        options={"ability": "Old or new", "effect": "What it does now"},
        completes={"ability": "passive_name"},
    ),
    CommandSpec(name="specialise", about="+1 with one attribute", options={"attribute": "Which one"}),
    CommandSpec(
        name="die",
        about="A larger die for a die advancement point",
        procedure="raise_die",
        options={"attribute": "One of those on your smallest die"},
    ),
    CommandSpec(
        name="plan", about="What is nearest to a die point", options={"die_steps": "How many die steps"}
    ),
    CommandSpec(
        name="grant",
        about="GM: give level-ups",
        options={"target": "To whom", "count": "How many"},
        has_actor=False,
    ),
)

GM = (
    CommandSpec(
        name="magic",
        about="GM: say who can do magic",
        options={"target": "Whom it is about", "allowed": "Whether they can"},
        has_actor=False,
    ),
    CommandSpec(
        name="activation",
        about="GM: say which check a passive ability takes",
        options={
            "target": "Whose",
            "ability": "Which passive ability",
            "first": "One attribute; none for no check",
            "second": "The other attribute",
            "tier": "The tier needed",
        },
        has_actor=False,
    ),
    CommandSpec(
        name="wound",
        about="GM: give wounds without an attack",
        options={"target": "To whom", "track": "Which track", "tier": "Which tier", "count": "How many"},
        has_actor=False,
    ),
    CommandSpec(
        name="mend",
        about="GM: take wounds away",
        options={"target": "From whom", "wound": "Which kind", "count": "How many"},
        has_actor=False,
    ),
    CommandSpec(
        name="swap",
        about="GM: let two attributes change dice",
        procedure="swap_dice",
        options={**PAIR, "target": "Whose"},
        has_actor=False,
    ),
    CommandSpec(
        name="verdict",
        about="GM: say whether somebody dies or survives",
        options={"target": "Who", "dies": "Whether they die"},
        has_actor=False,
    ),
    CommandSpec(
        name="clock",
        about="GM: let game time pass",
        options={"hours": "Hours", "minutes": "Minutes", "seconds": "Seconds"},
        has_actor=False,
    ),
)

GROUPS = {
    "levelup": ("Spend level-ups", LEVEL_UPS),
    "gm": ("What only the GM does", GM),
}

setup = ruleset_setup(RULESET, LINES, GROUPS)
