"""A game written by forms on a phone: what it begins with, and a roll or a move as one form.

What a form shows is read back in the same way as what is typed, and only the difference changes the game: see
`game_lists`. Nothing is checked here but the shape of a line; what it means is the game's own check.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from msgspec import Struct

from bot.rules.kernel import FileKind, parse
from bot.rules.kernel.errors import UserError
from bot.rules.own.dice_groups import dice_group
from bot.rules.own.expressions import BadExpression, excerpt
from bot.rules.own.game_file import MOST_CHECKS, MOST_MOVES
from bot.rules.own.game_text import (
    MOST_REFUSED,
    Edited,
    NameReader,
    NotByForm,
    NotRead,
    Values,
    all_keys,
    fitting,
    key_from,
    key_named,
    label_of,
    listed_rows,
    merged,
    merged_rows,
    new_key,
    numbered,
    put,
    rewritten,
    row_of,
    rows_of,
    table_of,
    values_of,
    with_missing,
    without,
    words_of,
)


class Skeleton(Struct, frozen=True):
    """A game to begin with."""

    key: str
    label: str
    about: str
    text: str


class RollForm(Struct, frozen=True):
    """A roll as its form shows it."""

    label: str = ""
    asks: str = ""
    how: str = ""
    results: str = ""
    buttons: str = ""


class MoveForm(Struct, frozen=True):
    """A move as its form shows it."""

    label: str = ""
    check: str = ""  # the roll's name in the file; empty for none
    stat: str = ""  # what the roll's first question about the sheet is answered with; empty: the player says
    text: str = ""
    results: str = ""


@cache
def skeletons() -> Mapping[str, Skeleton]:
    """The games to begin with, by key."""
    written = files("bot.rules.own").joinpath("data/skeletons/skeletons.toml").read_text("utf-8")
    found = parse(written, FileKind.TOML)
    rows = found.items() if isinstance(found, dict) else ()
    return {key: Skeleton(key, row["label"], row["about"], row["text"]) for key, row in rows}


def begun(skeleton: str, name: str, command: str) -> str:
    """The text of a new game."""
    return with_head(skeletons()[skeleton].text, name, command, "")


def with_head(text: str, name: str, command: str, about: str) -> str:
    """Give a game its name, its command, and what it is about."""
    wanted = {**values_of(text), "name": name.strip(), "command": command.strip().removeprefix("/").lower()}
    if about.strip():
        wanted["text"] = about.strip()
    else:
        wanted.pop("text", None)
    return rewritten(text, wanted)


def head_of(text: str) -> tuple[str, str, str]:
    """A game's name, its command, and what it is about."""
    values = values_of(text)
    return words_of(values.get("name")), words_of(values.get("command")), words_of(values.get("text"))


# --- rolls ------------------------------------------------------------------------------------------


def rolls_of(text: str) -> dict[str, str]:
    """The labels of a game's rolls, by key."""
    return {key: label_of(row, key) for key, row in rows_of(values_of(text), "checks").items()}


def labels_of(text: str) -> dict[str, str]:
    """The labels of all that has one, by where it stands (``moves.listen``); the name of the game by ""."""
    try:
        values = values_of(text)
    except NotByForm:
        return {}
    return {"": words_of(values.get("name"))} | {
        f"{section}.{key}": label_of(row, key)
        for section in ("attributes", "resources", "tracks", "clocks", "checks", "moves")
        for key, row in rows_of(values, section).items()
    }


def stats_of(text: str) -> dict[str, str]:
    """The labels of a game's attributes, by key."""
    return {key: label_of(row, key) for key, row in rows_of(values_of(text), "attributes").items()}


_WHOLE = r"[+-]?[0-9]{1,7}"
NEW_ROLL = RollForm(
    "",
    "stat: attribute",
    "two = 2d6\nsum = total two\nvalue = sum + stat",
    "Hit 10+\nAt cost 7-9\nMiss 6-",
)


def roll_form(text: str, key: str) -> RollForm:
    """A roll as its form shows it."""
    row = row_of(text, "checks", key)
    return RollForm(
        label_of(row, key),
        fitting("\n".join(f"{name}: {_said_ask(ask)}" for name, ask in table_of(row.get("ask")).items())),
        fitting(_said_how(row)),
        fitting("\n".join(map(_said_tier, listed_rows(row.get("tiers"))))),
        fitting("\n".join(map(_said_button, listed_rows(row.get("after"))))),
    )


def with_roll(text: str, key: str, form: RollForm) -> Edited:
    """Make a roll, change it, or remove it where its name was left empty.

    Args:
        key: Which one; empty for a new one.
        form: What was typed.
    """
    values = values_of(text)
    code, rows = NameReader(values), rows_of(values, "checks")
    if not form.label.strip():
        return without(text, values, "checks", key)
    if not key and len(rows) >= MOST_CHECKS:
        raise UserError(f"A game has {MOST_CHECKS} rolls at most.", "Change or remove one of them.")
    refused: list[str] = []
    typed = _read_roll(form, code, refused)
    old = rows.get(key, {})
    said = _read_roll(roll_form(text, key), code, []) if key else {}
    if refused:  # a line that was not understood is not one that was removed
        typed = with_missing(typed, said)
    row = merged(old, said, typed)
    row["tiers"] = merged_rows(old.get("tiers"), said.get("tiers"), typed.get("tiers"))
    after = merged_rows(old.get("after"), said.get("after"), typed.get("after"))
    if after:
        row["after"] = after
    row = {name: row[name] for name in [*_ROLL_ORDER, *row] if name in row}
    if not key and row in rows.values():  # sent twice
        return Edited(text)
    wanted = put(values, "checks", key or new_key(form.label, all_keys(values)), row)
    for before, now in _renamed_tiers(old.get("tiers"), row["tiers"]):
        wanted = _with_tier_renamed(wanted, key, before, now)
    return Edited(rewritten(text, wanted), tuple(refused[:MOST_REFUSED]))


_ROLL_ORDER = (
    "label",
    "text",
    "ask",
    "cost",
    "dice",
    "edge",
    "read",
    "let",
    "value",
    "opposed",
    "tiers",
    "after",
)


def _read_roll(form: RollForm, code: "NameReader", refused: list[str]) -> Values:
    found: Values = {"label": form.label.strip()}
    readers: tuple[tuple[str, str, Callable[[str, NameReader], tuple[tuple[str, ...], object]]], ...] = (
        ("Questions", form.asks, _read_ask),
        ("How it is rolled", form.how, _read_how),
        ("Results", form.results, _read_tier),
        ("Buttons", form.buttons, _read_button),
    )
    for title, typed, reader in readers:
        for number, line in numbered(typed):
            try:
                path, value = reader(line, code)
            except NotRead as error:
                refused.append(f"{title}, line {number}, “{excerpt(line)}”: {error}")
                continue
            if len(path) == 1 and path[0] in ("tiers", "after"):
                listed = found.setdefault(path[0], [])
                assert isinstance(listed, list)  # noqa: S101  # made here
                listed.append(value)
            elif len(path) == 1:
                found[path[0]] = value
            else:
                table = found.setdefault(path[0], {})
                assert isinstance(table, dict)  # noqa: S101  # made here
                table[path[1]] = value
    return found


def _said_ask(ask: object) -> str:
    if isinstance(ask, dict):
        return ", ".join(f"{label} = {words_of(number)}" for label, number in ask.items())
    return ", ".join(map(words_of, ask)) if isinstance(ask, list) else words_of(ask)


def _read_ask(line: str, code: "NameReader") -> tuple[tuple[str, ...], object]:
    name, colon, written = (one.strip() for one in line.partition(":"))
    if not colon or not written:
        raise NotRead("write a name, : and what is asked, like stat: attribute")
    parts = [one.strip() for one in written.split(",") if one.strip()]
    pairs = [[each.strip() for each in one.split("=")] for one in parts]
    path = ("ask", key_from(name))
    if all(len(one) == 2 and re.fullmatch(_WHOLE, one[1]) for one in pairs):
        return path, {label: int(number) for label, number in pairs}
    if len(parts) > 1:
        return path, [code.key_of(one) for one in parts]
    is_kind = written.casefold() in ("attribute", "yes/no", "edge", "clock", "character")
    return path, written.casefold() if is_kind else code.key_of(written)


def _said_how(row: Values) -> str:
    lines = [f"cost = {', '.join(map(words_of, cost))}"] if isinstance(cost := row.get("cost"), list) else []
    for section in ("dice", "read", "let"):
        lines += [f"{name} = {words_of(code)}" for name, code in table_of(row.get(section)).items()]
    for name in ("edge", "value"):
        lines += [f"{name} = {words_of(row[name])}"] if name in row else []
    return "\n".join([*lines, *(["opposed = yes"] if row.get("opposed") is True else [])])


_READINGS = ("total ", "highest ", "lowest ", "middle ", "doubles ", "count ", "suit ")


def _read_how(line: str, code: "NameReader") -> tuple[tuple[str, ...], object]:
    name, sign, written = (one.strip() for one in line.partition("="))
    if not sign or not written or not re.fullmatch(r"[A-Za-z][\w ]*", name):
        raise NotRead("write a name, = and what it is, like two = 2d6")
    key, written = key_from(name), code.read(written)
    if key == "cost":
        return ("cost",), code.effects(written)
    if key == "opposed":
        return ("opposed",), written.casefold() in ("yes", "true")
    if key in ("value", "edge"):
        return (key,), written
    if written.startswith(_READINGS):
        return ("read", key), written
    return ("dice" if _is_dice(written) else "let", key), written


def _is_dice(written: str) -> bool:
    try:
        dice_group(written)
    except BadExpression:
        return False
    return True


_TIER = re.compile(
    r"(?P<name>.+?)(?:\s+when\s+(?P<when>.+)"
    r"|\s+(?P<fits>[+-]?[0-9]{1,7}(?:\+|-|\s*(?:-|–|\.\.)\s*[+-]?[0-9]{1,7})?))?"
)


def _said_tier(row: Values) -> str:
    line = words_of(row.get("name"))
    line += f" when {words_of(row['when'])}" if "when" in row else ""
    line += f" {words_of(row['is'])}" if "is" in row else ""
    line += f": {', '.join(map(words_of, do))}" if isinstance(do := row.get("do"), list) and do else ""
    return line + (f" | {words_of(row['text'])}" if row.get("text") else "")


def _read_tier(line: str, code: "NameReader") -> tuple[tuple[str, ...], object]:
    rest, _, text = (one.strip() for one in line.partition("|"))
    head, _, do = (one.strip() for one in rest.partition(":"))
    found = _TIER.fullmatch(head)
    if found is None:
        raise NotRead("write a name and when it is, like Hit 10+: hold + 1")
    row: Values = {"name": found["name"]}
    row |= {"when": code.read(found["when"])} if found["when"] else {}
    row |= {"is": found["fits"].replace("–", "-")} if found["fits"] else {}
    row |= {"do": code.effects(do)} if do else {}
    return ("tiers",), row | ({"text": text} if text else {})


_DOES = ("reroll", "add", "step", "take", "often")


def _said_button(row: Values) -> str:
    line = words_of(row.get("label")) + (f" when {words_of(row['when'])}" if "when" in row else "")
    costs = [*map(words_of, cost)] if isinstance(cost := row.get("cost"), list) else []
    return (
        f"{line}: {', '.join([*costs, *(f'{does} {words_of(row[does])}' for does in _DOES if does in row)])}"
    )


def _read_button(line: str, code: "NameReader") -> tuple[tuple[str, ...], object]:
    head, colon, rest = (one.strip() for one in line.partition(":"))
    label, _, when = (one.strip() for one in head.partition(" when "))
    row: Values = {"label": label}
    row |= {"when": code.read(when)} if when else {}
    costs = []
    for part in code.effects(rest):
        word, _, what = part.partition(" ")
        if word in _DOES and what:
            row[word] = what
        else:
            costs.append(part)
    if not colon or not any(does in row for does in _DOES):
        raise NotRead("write a name, : its price, and what is done, like Luck: luck - 1, reroll all")
    return ("after",), row | ({"cost": costs} if costs else {})


def _renamed_tiers(old: object, new: object) -> Iterator[tuple[str, str]]:
    before, now = ([words_of(one.get("name")) for one in listed_rows(rows)] for rows in (old, new))
    if len(before) == len(now):
        for one, other in zip(before, now, strict=True):
            if one != other and one not in now and other not in before:
                yield one, other


def _with_tier_renamed(values: Values, check: str, before: str, now: str) -> Values:
    """Call a result of a roll by its new name in all moves that roll it."""
    moves = dict(rows_of(values, "moves"))
    for key, row in moves.items():
        if row.get("check") == check:
            moves[key] = {
                name: {now if tier == before else tier: one for tier, one in value.items()}
                if name in ("do", "text") and isinstance(value, dict)
                else value
                for name, value in row.items()
            }
    return {**values, "moves": moves} if moves else values


# --- moves ------------------------------------------------------------------------------------------


def move_form(text: str, key: str) -> MoveForm:
    """A move as its form shows it."""
    row = row_of(text, "moves", key)
    check = words_of(row.get("check"))
    question = _stat_question(values_of(text), check)
    stat = words_of(table_of(row.get("with")).get(question, "")) if question else ""
    said = row.get("text")
    texts = (
        "\n".join(f"{tier}: {words_of(one)}" for tier, one in said.items())
        if isinstance(said, dict)
        else said
    )
    return MoveForm(
        label_of(row, key), check, stat, fitting(words_of(texts)), fitting("\n".join(_said_results(row)))
    )


def with_move(text: str, key: str, form: MoveForm) -> Edited:
    """Make a move, change it, or remove it where its name was left empty; arguments as for `with_roll`."""
    values = values_of(text)
    code, rows = NameReader(values), rows_of(values, "moves")
    if not form.label.strip():
        return without(text, values, "moves", key)
    if not key and len(rows) >= MOST_MOVES:
        raise UserError(f"A game has {MOST_MOVES} moves at most.", "Change or remove one of them.")
    refused: list[str] = []
    typed = _read_move(form, values, code, refused)
    said = _read_move(move_form(text, key), values, code, []) if key else {}
    if refused:
        typed = with_missing(typed, said)
    old = rows.get(key, {})
    row = merged(old, said, typed)
    order = ("label", "group", "check", "with", "at", "when", "cost", "text", "do")
    row = {name: row[name] for name in [*order, *row] if name in row}
    if not key and row in rows.values():  # sent twice
        return Edited(text)
    wanted = put(values, "moves", key or new_key(form.label, all_keys(values)), row)
    return Edited(rewritten(text, wanted), tuple(refused[:MOST_REFUSED]))


def _stat_question(values: Values, check: str) -> str:
    """The first question of a roll that names something of the sheet; empty without one."""
    asks = table_of(rows_of(values, "checks").get(check, {}).get("ask"))
    known = all_keys(values)
    for name, ask in asks.items():
        is_named = isinstance(ask, list) and bool(ask) and all(one in known for one in ask)
        if is_named or (isinstance(ask, str) and ask.startswith("attribute")):
            return name
    return ""


def _said_results(row: Values) -> Iterator[str]:
    for name in ("at", "when"):
        yield from [f"{name}: {words_of(row[name])}"] if name in row else []
    yield from (
        [f"cost: {', '.join(map(words_of, cost))}"] if isinstance(cost := row.get("cost"), list) else []
    )
    match row.get("do"):
        case dict() as by_tier:
            for tier, do in by_tier.items():
                yield f"{tier}: {', '.join(map(words_of, do)) if isinstance(do, list) else words_of(do)}"
        case list() as do:
            yield from map(words_of, do)


def _read_move(form: MoveForm, values: Values, code: "NameReader", refused: list[str]) -> Values:
    row: Values = {"label": form.label.strip()}
    row |= {"check": form.check} if form.check else {}
    question = _stat_question(values, form.check)
    if question and form.stat.strip():
        row["with"] = {question: code.key_of(form.stat.strip())}
    named = listed_rows(rows_of(values, "checks").get(form.check, {}).get("tiers"))
    tiers = {words_of(one.get("name")).casefold(): words_of(one.get("name")) for one in named}
    if form.text.strip():
        row["text"] = _texts_by_tier(form.text.strip(), tiers)
    always: list[str] = []
    by_tier: Values = {}
    for number, line in numbered(form.results):
        name, colon, rest = (one.strip() for one in line.partition(":"))
        if not colon:
            always += code.effects(line)
        elif name.casefold() in ("at", "when"):
            row[name.casefold()] = rest.casefold() if name.casefold() == "at" else code.read(rest)
        elif name.casefold() == "cost":
            row["cost"] = code.effects(rest)
        elif not rest:
            refused.append(
                f"Results, line {number}, “{excerpt(line)}”: write what happens, like Hit: hold + 1"
            )
        else:
            by_tier[tiers.get(name.casefold(), name)] = code.effects(rest)
    if always and by_tier:
        refused.append(f"Results, “{excerpt(always[0])}”: say for which result, like Hit: {always[0]}")
    if by_tier or always:
        row["do"] = by_tier or always
    return row


def _texts_by_tier(text: str, tiers: Mapping[str, str]) -> object:
    """One text for all results, or one for each where every line begins with a result's name."""
    lines = [line for _, line in numbered(text)]
    pairs = [[one.strip() for one in line.partition(":")] for line in lines]
    if all(colon and name.casefold() in tiers for name, colon, _ in pairs):
        return {tiers[name.casefold()]: said for name, _, said in pairs}
    return text


# --- what stands beside a list: how characters are made, how a fight goes --------------------------


def creation_of(text: str) -> str:
    """How a character is made, as a form shows it: one thing a line."""
    create = table_of(values_of(text).get("create"))
    spread, points = create.get("spread"), table_of(create.get("points"))
    lines = [", ".join(map(str, spread))] if isinstance(spread, list) and spread else []
    if points:
        each = f", {points['each']} each" if "each" in points else ""
        group = f", {points['group']}" if "group" in points else ""
        lines.append(f"{words_of(points.get('total'))} points{each}{group}")
    lines += [f"{name} = {words_of(code)}" for name, code in table_of(create.get("roll")).items()]
    lines += [words_of(question) for question in table_of(create.get("ask")).values()]
    return fitting("\n".join(lines))


def put_creation(wanted: Values, said: str, typed: str, code: NameReader) -> list[str]:
    """Change how characters are made; return what was not understood."""
    refused: list[str] = []
    old = table_of(wanted.get("create"))
    asked = {words_of(question): key for key, question in table_of(old.get("ask")).items()}
    shown, now = _read_creation(said, code, asked, []), _read_creation(typed, code, asked, refused)
    if refused:  # nothing is removed for a line that was not understood
        now = {**shown, **now}
    create = merged(old, shown, now)
    wanted.pop("create", None) if not create else wanted.update(create=create)
    return refused


_SPREAD = re.compile(rf"(?:{_WHOLE}|d[0-9]{{1,3}})(?:[,;\s]+(?:{_WHOLE}|d[0-9]{{1,3}}))*")
_POINTS = re.compile(r"([0-9]{1,6}) points?(?:,\s*([0-9]{1,6}) each)?(?:,\s*(\w.*))?", re.IGNORECASE)


def _read_creation(typed: str, code: NameReader, asked: Mapping[str, str], refused: list[str]) -> Values:
    found: Values = {}
    rolls: Values = {}
    questions: Values = {}
    for number, line in numbered(typed):
        plain = line.replace("−", "-")
        if points := _POINTS.fullmatch(plain):
            each: Values = {"each": int(points[2])} if points[2] else {}
            group: Values = {"group": points[3]} if points[3] else {}
            found["points"] = {"total": int(points[1]), **each, **group}
        elif _SPREAD.fullmatch(plain):
            words = re.split(r"[,;\s]+", plain)
            found["spread"] = [one if one.startswith("d") else int(one) for one in words]
        elif line.endswith("?") or line in asked:
            questions[asked.get(line) or new_key(" ".join(line.split()[-3:]), questions)] = line
        elif "=" in line:
            name, _, written = plain.partition("=")
            rolls[code.key_of(name.strip())] = code.read(written)
        else:
            what = f"New characters, line {number}, “{excerpt(line)}”"
            refused.append(f"{what}: write it like 2, 1, 0 or 5 points, 2 each or What do you fear?")
    return found | ({"roll": rolls} if rolls else {}) | ({"ask": questions} if questions else {})


def fight_of(text: str) -> str:
    """How a fight goes, as a form shows it: a field a line."""
    fight = table_of(values_of(text).get("fight"))
    return fitting("\n".join(f"{name}: {words_of(one)}" for name, one in fight.items()))


def put_fight(wanted: Values, typed: str, code: NameReader) -> list[str]:
    """Change how a fight goes; return what was not understood."""
    refused: list[str] = []
    fight: Values = {}
    for number, line in numbered(typed):
        name, colon, written = (one.strip() for one in line.partition(":"))
        if not colon or name not in ("order", "by", "check", "out"):
            refused.append(
                f"Fights, line {number}, “{excerpt(line)}”: write it like order: sides or out: harm"
            )
        elif name == "check":
            fight[name] = key_named(rows_of(code.values, "checks"), written) or written
        else:
            fight[name] = written if name == "order" else code.read(written)
    if not refused:
        wanted.pop("fight", None) if not fight else wanted.update(fight=fight)
    return refused
