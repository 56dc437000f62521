"""The command texts of `/rpj-gear`: money, buying and carrying."""

from bot.rules.rpj.module.optional_rules import Pack
from bot.ui.commands.options import CommandGroup, CommandSpec, of_packs

THING = {"item": "Item"}
OWN = {"item": "own thing"}
COUNT = {"count": "How many (default: 1)"}
BUY = (
    CommandSpec(
        name="shop", about="See what is for sale and what it costs here", options={"search": "Part of a name"}
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
        has_actor=False,
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
        has_actor=False,
    ),
    CommandSpec(
        name="income",
        about="Set a character's monthly income in Coin",
        options={"target": "Character", "amount": "How much Coin", "name": "What for"},
        has_actor=False,
    ),
    CommandSpec(
        name="charge",
        about="Take Coin from a character",
        options={"target": "Character", "amount": "How much Coin", "name": "What for"},
        has_actor=False,
    ),
    CommandSpec(
        name="month",
        about="End the month for some characters now",
        options={"who": "Characters, separated by commas"},
        has_actor=False,
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
