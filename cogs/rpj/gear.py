"""The words of `/rpj-gear`: money, buying, and what one carries."""

from bot.ui.commands.options import CommandGroup, CommandSpec

THING = {"item": "Which thing"}
OWN = {"item": "own thing"}
COUNT = {"count": "How many; one where left out"}
BUY = (
    CommandSpec(
        name="shop", about="What is for sale, and what it costs here", options={"search": "Part of a name"}
    ),
    CommandSpec(
        name="buy",
        about="Ask for a price, haggle, and pay",
        options={
            "item": "What you want",
            "quantity": "How many, as one lot",
            "better": "Features to be better, with commas between: 2 Coin each",
            "worse": "Features to be worse, with commas between: 1 Coin less each",
            "seller": "The seller's level in haggling; the GM says",
        },
        completes={"item": "goods", "better": "feature", "worse": "feature"},
    ),
    CommandSpec(name="purse", about="Your Coin, your Wealth, and what they are set aside for"),
    CommandSpec(
        name="give",
        about="Give Coin or Wealth; they accept with a button",
        options={"target": "To whom", "coin": "How much Coin", "wealth": "How much Wealth"},
    ),
    CommandSpec(name="bags", about="What you own, where it is, and how heavy"),
    CommandSpec(
        name="put",
        about="Take a thing in hand, put it on, into a bag, or away",
        options={**THING, "to": "Where to", **COUNT, "place": "Where it is now; wherever it is"},
        completes=OWN,
    ),
    CommandSpec(
        name="pick",
        about="Pick something up",
        procedure="pick_up",
        options={**THING, **COUNT},
        completes={"item": "thing"},
    ),
    CommandSpec(name="drop", about="Be rid of something for good", options={**THING, **COUNT}, completes=OWN),
    CommandSpec(
        name="hand",
        about="Hand somebody a thing; they take it with a button",
        options={"target": "To whom", **THING, **COUNT},
        completes=OWN,
    ),
)
COIN_LINES = (
    CommandSpec(
        name="throw",
        about="Flip coins or roll dice from now on",
        options={"thrown": "What you throw from now on"},
    ),
    CommandSpec(
        name="read",
        about="What coins come to that you flipped by hand",
        procedure="coins",
        options={"coins": "Three regular ones, then the positive and the negative spoiler: HHT HT"},
        has_actor=False,
    ),
)
WEALTH = (
    CommandSpec(
        name="buy",
        about="Put 10 Coin a Wealth into something lasting; the GM agrees",
        procedure="wealth",
        options={"amount": "How much Wealth", "asset": "What it is in the story"},
    ),
    CommandSpec(
        name="burn",
        about="Turn Wealth into 5 Coin each, for good",
        procedure="want_to_burn",
        options={"amount": "How much Wealth; one where left out"},
    ),
    CommandSpec(
        name="earmark",
        about="Set Wealth aside for a running cost, from the month's end on",
        options={"name": "What for", "amount": "How much Wealth; 0 frees it"},
    ),
)
GM = (
    CommandSpec(
        name="market",
        about="GM: make goods dearer or cheaper here",
        options={
            "item": "What; everything where left out",
            "shift": "What it costs more, or less below 0; 0 puts it back",
            "anew": "What was tried in vain may be tried again",
        },
        completes={"item": "goods"},
        has_actor=False,
    ),
    CommandSpec(
        name="income",
        about="GM: Coin that comes to somebody at the month's end",
        options={"target": "To whom", "amount": "How much Coin", "name": "What for"},
        has_actor=False,
    ),
    CommandSpec(
        name="charge",
        about="GM: take Coin from somebody",
        options={"target": "From whom", "amount": "How much Coin", "name": "What for"},
        has_actor=False,
    ),
    CommandSpec(
        name="month",
        about="GM: end the month for these, whatever the clock says",
        options={"who": "For whom, with commas between"},
        has_actor=False,
    ),
)

GEAR = CommandGroup(
    name="gear",
    about="RPJ Core: money, buying, and what you carry",
    lines=BUY,
    groups={
        "wealth": ("Wealth: what brings Coin every month", WEALTH),
        "coins": ("Coins instead of dice", COIN_LINES),
        "gm": ("What the GM does", GM),
    },
)
