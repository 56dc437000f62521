"""Buttons that lead from one feature's page to another's, and the kinds of press behind them."""

import hashlib
from collections.abc import Iterator, Sequence

from bot.rules.kernel import Choice
from bot.ui.input.presses import press_id
from bot.ui.text.reply import IN_MENU, Button, Select
from bot.ui.text.roll_text import plain

DESK, FOES, SECRETS, STRIP = "desk", "foe", "secrets", "strip"
SETTINGS, LISTS, SHEET = "setting", "list", "hand"
MEET, STATS = "meet", "stats"
DOOR, JOIN = "door", "hero"
FAIR = "-# Dice are provably fair"  # beside the button that proves it
HERE = 0  # the channel of a desk that leads the channel it is in


def desk_id(what: str, home: int, *arguments: object) -> str:
    """The id of a button, menu or form of the desk that leads a channel."""
    return press_id(DESK, what, home, *arguments)


def desk_button(home: int = HERE) -> Button:
    """The button that leads a GM to the desk of a channel, from wherever it stands."""
    return Button(id=desk_id("home", home), label="Desk")


def strip_menu(people: Sequence[Choice], home: int = HERE) -> Iterator[Select]:
    """The menu in which a GM chooses whom to damage, heal or change, if there is anybody."""
    choices = tuple(Choice(one.value, plain(one.label, 100), one.note) for one in people[:IN_MENU])
    if choices:
        yield Select(id=press_id(STRIP, "pick", home), prompt="Damage, heal or change …", choices=choices)


def key_of_name(name: str) -> str:
    """What stands for a name in a button's id."""
    return hashlib.sha256(name.casefold().encode()).hexdigest()[:12]


def foes_button(home: int = HERE) -> Button:
    """The button that opens the foes."""
    return Button(id=press_id(FOES, "home", home, 0), label="Foes …")


def secret_id(what: str, home: int, *arguments: object) -> str:
    """The id of a button, menu or form about secrets, of a desk that leads the channel *home*."""
    return press_id(SECRETS, what, home, *arguments)


def open_secrets(home: int) -> Button:
    """The button of the desk that leads to the secrets."""
    return Button(id=secret_id("home", home, 0), label="Secrets")


def open_settings(campaign: int) -> Button:
    """The button that opens a campaign's settings in a message of their own."""
    return Button(id=press_id(SETTINGS, campaign, "start", 0), label="Settings")


def open_optional_rules(campaign: int) -> Button:
    """The button that opens the switches of a campaign's optional rules in a message of their own."""
    return Button(id=press_id(SETTINGS, campaign, "rules", 0), label="Optional rules")


def all_dice_button() -> Button:
    """The button of the desk that leads to everybody's dice."""
    return Button(id=press_id(STATS, "all"), label="All dice")


def ask_plan_button(home: int) -> Button:
    """The button of a desk that opens the form of a new plan for the channel that the desk leads."""
    return Button(id=press_id(MEET, "change", 0, home), label="Plan session …")


def controls_button() -> Button:
    """The button that opens the presser's own sheet, wherever it stands."""
    return Button(id=press_id(SHEET, 0, 0, "open"), label="My sheet")


def games_menu(games: Sequence[Choice]) -> Select:
    """The menu that makes the server's first campaign, of the game that is chosen."""
    return Select(id=press_id(DOOR, "play"), prompt="Choose a game …", choices=tuple(games[:IN_MENU]))


def proof_button() -> Button:
    """The button that proves the dice of the campaign that is played where it stands."""
    return Button(id=press_id("fair", "show"), label="Proof")
