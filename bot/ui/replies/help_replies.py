"""Help generated from the commands, so that it is always up to date."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.rules.kernel import Choice
from bot.table.campaigns.rulebook import Found
from bot.ui.input.presses import press_id
from bot.ui.text.reply import Accent, Reply, Select
from bot.ui.text.text import escape, listed, shorten

FIRST_STEPS = (
    "**Getting started**",
    "1. GM: choose the game with `/campaign create`.",
    "2. Everyone: make a character with `/character create`, step by step or ready-made.",
    "3. GM: `/gm session start`. Play with the game's own command; the buttons show what you can do next.",
    "4. `/gm session end` resets per-session points, posts a recap and reveals the dice seed.",
    "-# `/undo` undoes your last change · `/log` shows everything · `/fair` proves the dice are fair",
)


@dataclass(frozen=True, slots=True)
class Described:
    """A command's full name and its description."""

    line: str
    about: str

    @property
    def root(self) -> str:
        """The first word of the command."""
        return self.line.split(" ", 1)[0]


def help_reply(commands: Sequence[Described], chosen: str | None = None) -> Reply:
    """First steps, or the commands that begin with a given word."""
    roots = list(dict.fromkeys(command.root for command in commands))
    choices = tuple(Choice(root, f"/{root}", _about(root, commands)) for root in roots[:25])
    menu = Select(
        id=press_id("help", "menu"), prompt="Commands", choices=choices, chosen=(chosen,) if chosen else ()
    )
    text = "\n".join(FIRST_STEPS) if chosen is None else command_lines(chosen, commands)
    return Reply(text=shorten(text, 4000), accent=Accent.NEWS, rows=(menu,), is_private=True)


def _about(root: str, commands: Iterable[Described]) -> str:
    return shorten(
        listed(one.line.partition(" ")[2] or one.about for one in commands if one.root == root), 100
    )


def command_lines(root: str, commands: Iterable[Described]) -> str:
    """Every command that begins with a word, a line each."""
    return "\n".join(f"`/{one.line}` {escape(one.about)}" for one in commands if one.root == root) or "–"


def rule_reply(found: Found) -> Reply:
    """A rule's text, with credit to the game's author."""
    whose = "" if found.is_here else f"{found.game.title}: "
    text = shorten(f"**{escape(f'{whose}{found.rule.title}')}**\n{escape(found.rule.text)}", 3600)
    source = f"{escape(found.game.title)} · {escape(listed(found.rule.ids))}"
    return Reply(
        text=f"{text}\n-# {source}\n-# {escape(found.game.credit)}",
        accent=Accent.BOARD,
        is_private=True,
    )
