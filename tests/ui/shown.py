"""Replies as text, so that a test can show one whole."""

from typing import Any

from bot.rules.kernel import (
    Choice,
    Die,
    Document,
    Family,
    FollowUp,
    Odds,
    Roll,
    Term,
    Verdict,
)
from bot.rules.kernel.dice import Chance
from bot.table.base.results import ChangeLine, EntryId, FollowUpId, Message, OpenFollowUp, Result
from bot.ui.text.reply import (
    Block,
    Button,
    ButtonBeside,
    Divider,
    Look,
    Picture,
    Pictured,
    Reply,
    Row,
    Sketch,
)

MARKS = {Look.MAIN: "!", Look.GOOD: "+", Look.GRAVE: "x", Look.PLAIN: ""}


def shown(reply: Reply) -> str:
    """A reply as a person would see it: who sees it and its colour, then text, menus and buttons."""
    seen_by = "private" if reply.is_private else "public"
    text = [reply.text] if reply.text else []
    body = [*text, *map(_block, reply.blocks), *map(_row, reply.rows)]
    files = [f"({picture.name})" for picture in reply.files]
    return "\n".join([f"{seen_by}, {reply.accent}", *body, *files])


def _block(block: Block) -> str:
    match block:
        case str():
            return block
        case ButtonBeside():
            return f"{block.text}  {_button(block.button)}"
        case Pictured():
            return f"{block.text}  ({block.picture.name}: {block.picture.alt})"
        case Divider():
            return "----"
        case Picture() | Sketch():
            return f"({block.name}: {block.alt})"
        case _:
            return _row(block)


def _row(row: Row) -> str:
    if isinstance(row, tuple):
        return " ".join(map(_button, row))
    entries = " / ".join(
        f"{'*' if choice.value in row.chosen else ''}{choice.label}{choice.note and f' ({choice.note})'}"
        for choice in row.choices
    )
    return f"<{row.prompt} {row.least}..{row.most}: {entries}>"


def _button(button: Button) -> str:
    return f"[{MARKS[button.look]}{button.label}{' (off)' if button.is_off else ''}]"


class NoInputs(Document):
    """Nothing went into it."""


SUCCESS, FAILURE = Verdict(Family.SUCCESS, "success"), Verdict(Family.FAILURE, "fails by 2")


def a_roll(*dice: Die, **other: Any) -> Roll:
    given: dict[str, Any] = {"rule": "check", "inputs": NoInputs(), "verdict": SUCCESS}
    return Roll(dice=dice, **(given | other))


def a_result(who: str = "Laeniel", headline: str = "sneaks past the guards", **other: Any) -> Result:
    told = {key: other.pop(key) for key in ("verdict", "changes", "notes", "is_public") if key in other}
    return Result(entry=EntryId(7), message=Message(who=who, headline=headline, **told), **other)


def offered(*labels: str, first: int = 1) -> tuple[OpenFollowUp, ...]:
    return tuple(
        OpenFollowUp(FollowUpId(number), FollowUp(procedure="x", options=NoInputs(), label=label))
        for number, label in enumerate(labels, start=first)
    )


def a_menu(id_: int, label: str, *choices: str) -> OpenFollowUp:
    entries = tuple(Choice(choice, choice) for choice in choices)
    return OpenFollowUp(
        FollowUpId(id_),
        FollowUp(procedure="x", options=NoInputs(), label=label, choices=entries, chosen="which"),
    )


__all__ = [
    "FAILURE",
    "SUCCESS",
    "Chance",
    "ChangeLine",
    "Die",
    "Odds",
    "Term",
    "a_menu",
    "a_result",
    "a_roll",
    "offered",
]
