"""Module replies: the file, a summary, and what doesn't fit it."""

from bot.table.campaigns.modules import ModuleFile, ModuleView
from bot.ui.text.reply import Picture, Reply
from bot.ui.text.text import escape

MOST_LINES = 12
MOST_CHARACTERS = 1500


def module_file_reply(file: ModuleFile) -> Reply:
    """The campaign's module as a file."""
    text = f"The module **{escape(file.title)}**. Edit it, then load it with /gm module import."
    return Reply(text=text, files=(Picture(name=file.name, content=file.content),), is_private=True)


def module_reply(view: ModuleView, *, is_read: bool = False) -> Reply:
    """A summary of the campaign's module, and what on the characters doesn't fit it.

    Args:
        view: The module.
        is_read: Whether it has just been read from a file.
    """
    head = "The campaign now uses the module in this file." if is_read else ""
    lines = [head, f"**{escape(view.title)}**", *map(escape, view.summary)]
    files: list[Picture] = []
    for title, name, found in (
        ("These no longer fit the module, but stay as they are", "problems", view.problems),
        ("Worth a look", "hints", view.hints),
    ):
        if found:
            shown = _beginning(found)
            lines += [f"-# {title}", *(f"- {escape(line)}" for line in shown)]
            if len(shown) < len(found):
                lines.append(f"- and {len(found) - len(shown)} more, all in {name}.txt")
                files.append(Picture(name=f"{name}.txt", content="\n".join(found).encode()))
    return Reply(text="\n".join(line for line in lines if line), files=tuple(files), is_private=True)


def _beginning(found: tuple[str, ...]) -> tuple[str, ...]:
    """The first few lines."""
    shown, length = 0, 0
    while shown < min(len(found), MOST_LINES) and length + len(found[shown]) <= MOST_CHARACTERS:
        length += len(found[shown])
        shown += 1
    return found[:shown]
