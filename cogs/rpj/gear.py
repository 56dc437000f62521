"""The command texts of gear and money, and of spells and abilities."""

from bot.rules.rpj.module.module import Pack
from bot.ui.commands.options import CommandGroup, CommandSpec, of_packs

THING = {"item": "Item"}
OWN = {"item": "own thing"}
COUNT = {"count": "How many (default: 1)"}
BUY = (
    CommandSpec(
        name="shop",
        has_actor=True,
        about="See what is for sale and what it costs here",
        options={"search": "Part of a name"},
    ),
    CommandSpec(
        name="buy",
        about="Buy something: ask the price, haggle, pay",
        options={
            "item": "What you want to buy",
            "quantity": "How many to buy together",
            "better": "Features to improve, separated by commas (2 Coin each)",
            "worse": "Features to worsen, separated by commas (1 Coin less each)",
            "seller": "The seller's haggling level (the GM decides)",
        },
        completes={"item": "goods", "better": "feature", "worse": "feature"},
    ),
    CommandSpec(name="purse", about="See your Coin, your Wealth and what is set aside"),
    CommandSpec(
        name="give",
        about="Give someone Coin or Wealth; they accept with a button",
        options={"target": "Recipient", "coin": "How much Coin", "wealth": "How much Wealth"},
    ),
)
CARRY = (
    CommandSpec(name="bags", about="See what you carry, where it is and how heavy it is"),
    CommandSpec(
        name="put",
        about="Take an item in hand, wear it, pack it or put it away",
        options={**THING, "to": "Where to", **COUNT, "place": "Where it is now (default: anywhere)"},
        completes=OWN,
    ),
    CommandSpec(
        name="pick",
        about="Pick up an item",
        procedure="pick_up",
        options={**THING, **COUNT},
        completes={"item": "thing"},
    ),
    CommandSpec(name="drop", about="Get rid of an item for good", options={**THING, **COUNT}, completes=OWN),
    CommandSpec(
        name="hand",
        about="Hand someone an item; they accept with a button",
        options={"target": "Recipient", **THING, **COUNT},
        completes=OWN,
    ),
)
COIN_LINES = (
    CommandSpec(
        name="throw",
        about="Choose between coins and dice from now on",
        options={"thrown": "Coins or dice"},
    ),
    CommandSpec(
        name="read",
        about="Work out coins you flipped by hand",
        procedure="coins",
        options={"coins": "Three regular coins, then the positive and the negative spoiler: HHT HT"},
    ),
)
WEALTH = (
    CommandSpec(
        name="buy",
        about="Buy Wealth for 10 Coin each; the GM must agree",
        procedure="wealth",
        options={"amount": "How much Wealth", "asset": "What it is in the story"},
    ),
    CommandSpec(
        name="burn",
        about="Cash in Wealth for 5 Coin each, permanently",
        procedure="want_to_burn",
        options={"amount": "How much Wealth (default: 1)"},
    ),
    CommandSpec(
        name="earmark",
        about="Set Wealth aside for a monthly cost",
        options={"name": "What it pays for", "amount": "How much Wealth (0 frees it)"},
    ),
)
GM_GEAR = (
    CommandSpec(
        name="market",
        about="Make goods cost more or less here",
        options={
            "item": "Item (default: everything)",
            "shift": "Price change in Coin: 2, −1; 0 resets it",
            "anew": "Allow another try at failed purchases",
        },
        completes={"item": "goods"},
    ),
    CommandSpec(
        name="income",
        about="Set a character's monthly income in Coin",
        options={"target": "Character", "amount": "How much Coin", "name": "What for"},
    ),
    CommandSpec(
        name="charge",
        about="Take Coin from a character",
        options={"target": "Character", "amount": "How much Coin", "name": "What for"},
    ),
    CommandSpec(
        name="month",
        about="End the month for some characters now",
        options={"who": "Characters, separated by commas"},
    ),
)

GEAR = CommandGroup(
    name="gear",
    about="RPJ Core: money, buying and carrying",
    lines=(*of_packs(BUY, Pack.MONEY), *of_packs(CARRY, Pack.MONEY, Pack.INVENTORY)),
    groups={
        "wealth": ("Wealth, which brings you Coin every month", of_packs(WEALTH, Pack.MONEY)),
        "coins": ("Flip coins instead of rolling dice", of_packs(COIN_LINES, Pack.COIN_FLIPS)),
    },
)


AT = "In a fight: targets, mooks too, separated by commas"
SPELL = {"spell": "Spell"}
SPELLS = (
    CommandSpec(
        name="cast",
        about="Cast a spell you know, using a slot",
        options={
            **SPELL,
            "target": "Target",
            "slot": "Level of the slot (default: the lowest that fits)",
            "at": AT,
        },
        completes={"spell": "spell", "at": "participant"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(name="slots", about="See your slots, prepared spells and known spells"),
    CommandSpec(
        name="prepare",
        about="Prepare a spell, in a slot or on your list",
        options={
            **SPELL,
            "slot": "Level of the slot (default: the lowest free one)",
            "drop": "Remove it from the list instead",
        },
        completes={"spell": "spell"},
    ),
    CommandSpec(name="concentrate", about="Start concentrating: each hour of game time restores slots"),
)
NAMED = {"ability": "Ability"}
ABILITIES = (
    CommandSpec(
        name="make",
        about="Build an ability from menus, with its cost and chance",
        procedure="build",
        options={"skill": "Ability skill (default: your best)", "target": "Target"},
        completes={"skill": "ability skill"},
    ),
    CommandSpec(
        name="use",
        about="Use a saved ability",
        procedure="use_ability",
        options={
            **NAMED,
            "target": "Target",
            "unwilling": "The target resists being touched",
            "at": AT,
        },
        completes={"ability": "ability", "at": "participant"},
        can_be_secret=True,
        can_count=True,
    ),
    CommandSpec(name="list", about="See your stamina and your abilities' costs", procedure="abilities"),
    CommandSpec(
        name="practice",
        packs=(Pack.PRACTICED_IMPROVISATION,),
        about="Practice an ability for a month: it costs 1 less from then on",
        options=NAMED,
        completes={"ability": "ability"},
    ),
    CommandSpec(
        name="forget",
        about="Delete a saved ability",
        procedure="forget_ability",
        options=NAMED,
        completes={"ability": "ability"},
    ),
    CommandSpec(name="strain", about="Roll against strain when you are out of stamina"),
)
GM_MAGIC = (
    CommandSpec(
        name="teach",
        about="Teach a character a spell, or make them forget it",
        options={"target": "Character", **SPELL, "forget": "They forget it instead"},
        completes={"spell": "any spell"},
    ),
    CommandSpec(
        name="spell",
        about="Add a custom spell to the campaign",
        procedure="add_spell",
        options={
            "name": "Its name",
            "level": "From 0 (at will) to 6",
            "skill": "Magic skill it belongs to (default: the first)",
            "about": "What it does",
            "attack": "It needs an attack roll",
            "save": "Roll to resist it",
            "damage": "Damage (default: none)",
            "nonlethal": "Its damage knocks out instead of killing",
            "range": "Range in regions (default: the caster's group)",
            "actions": "Actions it takes in a fight (default: 1)",
            "minutes": "Casting time in minutes instead of actions",
        },
        completes={"skill": "magic skill"},
    ),
    CommandSpec(
        name="disturb",
        about="Break a character's concentration",
        procedure="break_off",
        options={"target": "Character"},
    ),
)

MAGIC = CommandGroup(
    name="magic",
    about="RPJ Core: spells and abilities",
    lines=of_packs(SPELLS, Pack.STRUCTURED_MAGIC),
    groups={"ability": ("Build and use your own abilities", of_packs(ABILITIES, Pack.WILD_MAGIC))},
)
