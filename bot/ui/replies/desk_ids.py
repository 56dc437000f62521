"""What names the buttons of the GM's desk, and the one that leads back to it."""

from bot.ui.input.presses import press_id
from bot.ui.text.reply import Button

KIND = "desk"
HERE = 0  # the channel of a desk that leads the channel it is in


def desk_id(what: str, home: int, *arguments: object) -> str:
    """The id of a button, menu or form of the desk that leads a channel."""
    return press_id(KIND, what, home, *arguments)


def desk_button_at(home: int = HERE) -> Button:
    """The button that leads back to the desk of a channel."""
    return Button(id=desk_id("home", home), label="Desk")
