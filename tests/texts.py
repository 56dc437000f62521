"""Print every text that people can see: ``python -m tests.texts [FOLDER OR FILE …]``.

The texts stand in the order of the code, by file, each with its line; what is filled in is shown as ``{…}``.
Docstrings and keys are left out. The shipped data files are printed among the code.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

SEEN = ("bot", "cogs")
"""The folders whose texts reach people."""


def files(*folders: str) -> list[Path]:
    """The Python and TOML files below the folders, sorted; a file stands for itself."""
    found: list[Path] = []
    for folder in map(Path, folders):
        found += [folder] if folder.is_file() else [*folder.rglob("*.py"), *folder.rglob("*.toml")]
    return sorted(found)


def text_of(node: ast.expr) -> str | None:
    """The text of a string literal or of one with values filled in, or None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"
            for part in node.values
            if isinstance(part, ast.Constant | ast.FormattedValue)
        )
    return None


def is_read(text: str) -> bool:
    """Whether somebody could read this: a sentence or a word with a capital, and no key."""
    bare = text.strip()
    return (
        (" " in bare or bare[:1].isupper()) and any(sign.isalpha() for sign in bare) and "SELECT " not in bare
    )


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every text of a module with its line, docstrings left out."""
    skipped: set[int] = set()
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            skipped |= {
                id(part) for part in ast.walk(node) if part is not node and isinstance(part, ast.Constant)
            }
    for node in nodes:
        if isinstance(node, ast.expr) and id(node) not in skipped:
            text = text_of(node)
            if text is not None and is_read(text):
                yield node.lineno, text


def stated(value: object, key: str = "") -> Iterator[str]:
    """Every text of a data file with the key it stands under."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from stated(inner, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from stated(inner, f"{key}[{at}]")
    elif isinstance(value, str) and is_read(value):
        yield f"{key}: {value}"


def main(*folders: str) -> None:
    """Print the texts of the folders, by file."""
    for path in files(*folders or SEEN):
        whole = path.read_text(encoding="utf-8")
        if path.suffix == ".toml":
            lines = list(stated(tomllib.loads(whole)))
        else:
            lines = [f"{at}: {text}" for at, text in sorted(texts(ast.parse(whole)))]
        if lines:
            sys.stdout.write("\n".join((f"== {path}", *lines, "", "")))


if __name__ == "__main__":
    main(*sys.argv[1:])
