"""Free rolls as text: every die in its place in the expression, and the sum."""

from bot.rules.kernel import Odds, Roll
from bot.rules.kernel.dice import Fall, ReplayedDice
from bot.rules.kernel.odds import percent
from bot.rules.shared.notation import DieRolled, Fragment, Label, ShownDie, Text, fragments, roll, shown
from bot.ui.text.reply import Accent, Picture, Reply
from bot.ui.text.text import escape, shorten

LONGEST_LINE = 1500


def free_roll_line(stored: Roll) -> str:
    """The expression with its dice, computed from the stored faces."""
    expression = str(stored.inputs.model_dump()["expression"])
    again = ReplayedDice(Fall(die.sides, die.face) for die in stored.dice)
    rolled = roll(expression, again)
    line = "".join(_written(piece) for piece in fragments(rolled))
    return f"{shorten(line, LONGEST_LINE)} = **{shown(rolled.value)}**"


def _written(piece: Fragment) -> str:
    match piece:
        case ShownDie():
            text = _die(piece.rolled)
        case Label():
            text = f"*{escape(piece.text)}*"
        case Text():
            text = _signs(piece.text)
    return text if piece.kept else f"~~{text}~~"


def _signs(text: str) -> str:
    """The bot's own text in an expression, with its spaces."""
    return "".join(f"\\{sign}" if sign in "*_~`|>[]()#<" else sign for sign in text)


def _die(die: DieRolled) -> str:
    """A die's faces: re-rolled ones struck through, changed ones with what they count as."""
    *before, last = die.faces
    gone = "".join(f"~~{face.shown}~~ " for face in before)
    counted = "" if last.counts_as == last.shown else f"→{last.counts_as}"
    return f"{gone}{last.shown}{counted}{'!' if last.exploded else ''}"


def odds_reply(title: str, odds: Odds, line: str = "", plot: Picture | None = None) -> Reply:
    """Exact chances as a table, with a plot."""
    rows = [
        f"{escape(name)} **{percent(chance)}** · {chance.ways} of {chance.of}"
        for name, chance in odds.chances
        if chance.ways
    ]
    needed = escape(str(odds.needed))
    is_best = bool(odds.chances) and odds.chances[-1][0] == odds.needed
    least = needed if is_best else f"{needed} or better"
    enough = [] if odds.enough is None else [f"{least}: **{percent(odds.enough)}**"]
    text = "\n".join([f"**{escape(title)}**", *rows, *enough, *([f"-# {escape(line)}"] if line else [])])
    files = () if plot is None else (plot,)
    return Reply(text=shorten(text, 4000), accent=Accent.BOARD, files=files, is_private=True)
