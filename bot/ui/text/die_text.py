"""Dice as text: drawn faces for plain d6, numbers for others."""

from bot.rules.kernel import Die
from bot.ui.text.text import escape

D6 = "⚀⚁⚂⚃⚄⚅"


def is_pips(die: Die) -> bool:
    """Whether a die is a plain d6, drawn by its face alone."""
    return die.sides == len(D6) and not (die.label or die.shown or die.is_borrowed)


def die_text(die: Die) -> str:
    """One die: its label, its kind, its face; struck through where it does not count."""
    if die.shown:
        face = escape(die.shown)
    elif is_pips(die):
        face = D6[die.face - 1]
    else:
        name = f"*{escape(die.label or 'borrowed')}*" if die.is_borrowed else escape(die.label)
        face = f"d{die.sides} **{die.face}**"
        if not die.is_kept and die.sides == len(D6):  # of these there is a struck picture
            return f"{name} ~~{face}~~".strip()
        face = f"{name} {face}".strip()
    return face if die.is_kept else f"~~{face}~~"
