"""The ids of what stands on the GM's desk, and the button that leads to it from other pages."""

from bot.ui.input.presses import press_id
from bot.ui.text.reply import Button

KIND = "desk"
HERE = 0  # the channel of a desk that leads the channel it is in


def desk_id(what: str, home: int, *arguments: object) -> str:
    """The id of a button, menu or form of the desk that leads a channel."""
    return press_id(KIND, what, home, *arguments)


def desk_button(home: int = HERE) -> Button:
    """The button that leads a GM to the desk of a channel, from wherever it stands."""
    return Button(id=desk_id("home", home), label="Desk")
