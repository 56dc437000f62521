"""Post-magic-maid: `/maid`. Types, bounds and choices come from the procedures; here are the words."""

from typing import TYPE_CHECKING

from bot.rules.post_magic_maid import RULESET
from bot.ui.commands.options import Line, RulesetCog

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

PAIR = {"first": "One attribute", "second": "The other attribute"}
ABILITY = {"ability": "The ability you use"}
BONUS = {"bonus_dice": "Bonus d8s from your pool"}
FORCED = {"tier": "GM: the tier it is to be, whatever the dice say"}
OWN = {"ability": "ability"}

LINES = (
    Line(
        name="check",
        about="Roll a check with two attributes",
        options={**PAIR, **ABILITY, "needed": "The tier the GM wants", **BONUS, **FORCED},
        completes=OWN,
        can_be_secret=True,
        can_count=True,
    ),
    Line(
        name="call",
        about="GM: call for a check; the player gets a button",
        options={"character": "From whom", **PAIR, **ABILITY, "needed": "The tier you want"},
        completes=OWN,
        has_actor=False,
    ),
    Line(name="answer", about="Roll what the GM called for", options={**ABILITY, **BONUS}, completes=OWN),
    Line(
        name="assist",
        about="Help somebody's next action, before it is rolled",
        options={"target": "Whom you help", **PAIR, **ABILITY, **BONUS, **FORCED},
        completes=OWN,
    ),
    Line(
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
    Line(
        name="oppose",
        about="Roll in a contest",
        options={**PAIR, **ABILITY, **BONUS},
        completes=OWN,
    ),
    Line(
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
    Line(
        name="defend",
        about="Roll against the attack on you",
        options={**PAIR, **ABILITY, **BONUS, "magic": "Add a magic d6", **FORCED},
        completes=OWN,
    ),
    Line(
        name="treat",
        about="Treat somebody's wounds with Int + Dex",
        options={"target": "Whom you treat", **ABILITY, **BONUS, **FORCED},
        completes=OWN,
    ),
    Line(
        name="rest",
        about="Rest for hours; each heals one wound",
        options={
            "hours": "How many hours",
            "prefer": "Which wounds heal first",
            "now": "Don't wait for others to join",
        },
    ),
    Line(
        name="use",
        about="Use a passive ability",
        options={"ability": "Which one", **BONUS},
        completes={"ability": "passive"},
    ),
    Line(name="blitz", about="Burn a Blitz Point at the start of your turn"),
    Line(
        name="ace",
        about="Give away a spare ace",
        procedure="give_ace",
        options={"receiver": "Who gets an automatic 25"},
    ),
    Line(
        name="initiative",
        about="Begin an encounter: everybody draws a card",
        options={
            "starter": "Who starts it",
            "others": "Who else takes part, separated by commas",
            "opposed": "Somebody stands ready to stop them",
        },
    ),
    Line(
        name="joker",
        about="You drew a Joker: say who goes first, or last",
        options={"place": "Which place you give", "who": "Who gets it"},
    ),
    Line(
        name="act",
        about="Declare several actions for your turn, each at 5 less than the one before",
        options={"count": "How many"},
    ),
)

LEVEL_UPS = (
    Line(name="menu", about="See what your level-up can buy", procedure="level_up"),
    Line(
        name="single",
        about="A single bonus on one ability",
        options={"ability": "Old or new"},
        completes={"ability": "active_name"},
    ),
    Line(
        name="double",
        about="A +2 on each of two abilities",
        options={"ability": "Old or new", "second": "Another one, old or new"},
        completes={"ability": "active_name", "second": "active_name"},
    ),
    Line(
        name="passive",
        about="A passive ability, new or stronger; the GM approves",
        options={"ability": "Old or new", "effect": "What it does now"},
        completes={"ability": "passive_name"},
    ),
    Line(name="specialise", about="+1 with one attribute", options={"attribute": "Which one"}),
    Line(
        name="die",
        about="A larger die for a die advancement point",
        procedure="raise_die",
        options={"attribute": "One of those on your smallest die"},
    ),
    Line(name="plan", about="What is nearest to a die point", options={"die_steps": "How many die steps"}),
    Line(
        name="grant",
        about="GM: give level-ups",
        options={"target": "To whom", "count": "How many"},
        has_actor=False,
    ),
)

GM = (
    Line(
        name="magic",
        about="GM: say who can do magic",
        options={"target": "Whom it is about", "allowed": "Whether they can"},
        has_actor=False,
    ),
    Line(
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
    Line(
        name="wound",
        about="GM: give wounds without an attack",
        options={"target": "To whom", "track": "Which track", "tier": "Which tier", "count": "How many"},
        has_actor=False,
    ),
    Line(
        name="mend",
        about="GM: take wounds away",
        options={"target": "From whom", "wound": "Which kind", "count": "How many"},
        has_actor=False,
    ),
    Line(
        name="swap",
        about="GM: let two attributes change dice",
        procedure="swap_dice",
        options={**PAIR, "target": "Whose"},
        has_actor=False,
    ),
    Line(
        name="verdict",
        about="GM: say whether somebody dies or survives",
        options={"target": "Who", "dies": "Whether they die"},
        has_actor=False,
    ),
    Line(
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


class Maid(RulesetCog):
    """Everything one does in Post-magic-maid."""


async def setup(bot: "Tablekeeper") -> None:
    """Adds the commands to the bot."""
    await bot.add_cog(Maid(bot, RULESET, LINES, GROUPS))
