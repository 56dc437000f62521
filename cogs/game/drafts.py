"""Games of one's own by forms: the menu of what to begin with, and the page of a draft."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import discord

from bot.rules.kernel import Choice
from bot.rules.kernel.dice import percent
from bot.rules.kernel.outcome import counted
from bot.rules.own import game_forms, game_lists
from bot.table import own_drafts
from bot.ui.input.answer import ask_form, change, in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, number_of, press_id, table_and_request
from bot.ui.text.reply import (
    IN_MENU,
    Block,
    Button,
    ButtonBeside,
    Field,
    Form,
    Look,
    MenuField,
    Reply,
    Select,
    private_page,
)
from bot.ui.text.roll_text import escape, plain, shorten

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper
    from bot.rules.own.game_forms import MoveForm, RollForm
    from bot.table.own_drafts import DraftPage, MoveAsked
    from bot.table.own_games import OwnGameLine

# The kinds of press: on a draft, on one of its rolls or moves, and on what publishing it would change.
OWN, ENTRY, GAME = "own", "ownentry", "owngame"
NEW = "-"  # in an id: a roll or a move that is not there yet
NONE = "-"  # in a menu: none of its choices
ROLL, MOVE, MORE = "roll", "move", "more"
ON_PAGE = IN_MENU - 2  # room for two that lead on
LONGEST, LONGEST_LABEL = 4000, 45

PARTS = {
    "stats": (
        "attributes",
        "Stats",
        "One a line: Bold -2..3 · Skills: begins a group · Soak = floor(Body / 20)",
    ),
    "counters": (
        "resources",
        "Counters",
        "One a line: Stress 0..9 reset session end; full: You break.",
    ),
    "wounds": ("tracks", "Wounds", "One a line: Harm: Bruised, Bleeding, Dying · or Harm 4"),
    "clocks": ("clocks", "Clocks", "One a line: The storm 6 · The watch 4 hidden (from players)"),
    "items": (
        "lists",
        "Gear and abilities",
        "Gear, 4 slots: begins a list · Torch; uses 3; do storm - 1 | What is said · Axe = 2",
    ),
    "playbooks": (
        "playbooks",
        "Playbooks",
        "One a line: Scout: Keen 2, Rope, Read the wind | Who that is",
    ),
    "foes": ("npcs", "Fights and foes", "One foe a line: Raider: Bold 1, Harm 2 | Who that is"),
    "heroes": (
        "heroes",
        "Ready-made heroes",
        "One a line: Ada (Scout): Bold 2, Calm 1, Rope | Who that is",
    ),
    "entries": (
        "entries",
        "What players name",
        "One a line: Bonds 1..3; most 4 · Traits d4..d12 · Aspects (words alone)",
    ),
}
ON_BUTTONS = ("stats", "counters", "wounds", "clocks")  # the rest is behind a menu
# What the forms of two lists ask besides: a name, and how it is written.
BESIDE = {
    "stats": (
        "New characters",
        "To spread: 2, 1, 0 · or: 5 points, 2 each · Body = 20 + 2d20 · questions: What do you fear?",
    ),
    "foes": (
        "How fights go",
        "order: as called, sides, fixed or roll · by: d10 + Bold · out: Harm (who is out when it is full)",
    ),
}


def reserved(bot: Tablekeeper) -> frozenset[str]:
    """The names that no game may have: those of the bot's own commands."""
    return frozenset(one.name for one in bot.tree.get_commands(type=discord.AppCommandType.chat_input))


async def on_own(interaction: Interaction, press: Press) -> None:
    """Handle a press on a draft: open a form, take what was written, or show the page anew."""
    what = press.argument(0)
    if what == "more":
        what = press.chosen()
    if what in FORMS:
        await ask_form(interaction, await _form(interaction, press, what))
    else:
        await change(interaction, await in_time(interaction, _page(interaction, press, what)))


FORMS = {*PARTS, "begin", "roll", "move", "head"}


def _part(what: str) -> game_lists.ListPart:
    return game_lists.ListPart(PARTS[what][0])


async def _form(interaction: Interaction, press: Press, what: str) -> Form:
    """The form that was asked for."""
    table, request = table_and_request(interaction)
    if what == "begin":
        await own_drafts.drafts(table, request)  # for who may write games alone
        return begin_form(press.chosen())
    key = press.argument(1)
    if what == "head":
        return head_form(key, *await own_drafts.head_asked(table, request, key))
    if what == "roll":
        return roll_form(key, "", await own_drafts.roll_asked(table, request, key, ""))
    if what == "move":
        return move_form(key, "", await own_drafts.move_asked(table, request, key, ""))
    return list_form(key, what, *await own_drafts.list_form(table, request, key, _part(what)))


async def _page(interaction: Interaction, press: Press, what: str) -> Reply:
    """Do what was pressed or sent, and return the page to show."""
    table, request = table_and_request(interaction)
    fields, bot = press.fields, interaction.client
    name, command = fields.get("name", ""), fields.get("command", "")
    if what == "begun":
        key = await own_drafts.begin(table, request, press.argument(1), name, command, reserved(bot))
        return draft_reply(await own_drafts.page(table, request, key))
    key = press.chosen() if what == "goon" else press.argument(1)
    match what:
        case "listed" if press.argument(2) in PARTS:
            part, typed = _part(press.argument(2)), fields.get("lines", "")
            beside = fields.get("beside", fields.get("creation"))  # as forms of earlier releases call it
            shown = await own_drafts.save_list(table, request, key, part, typed, beside, _mark(press))
        case "rolled" | "moved" if _entry(press) and not fields.get("label", "").strip():
            return remove_reply(await own_drafts.page(table, request, key), what, _entry(press))
        case "remove":
            entry = press.argument(3)
            if press.argument(2) == "rolled":
                shown = await own_drafts.save_roll(table, request, key, entry, game_forms.RollForm())
            else:
                shown = await own_drafts.save_move(table, request, key, entry, game_forms.MoveForm())
        case "rolled":
            roll = game_forms.RollForm(
                *(fields.get(one, "") for one in ("label", "asks", "how", "results", "buttons"))
            )
            shown = await own_drafts.save_roll(table, request, key, _entry(press), roll, _mark(press))
        case "moved":
            move, mark = _move(press), _mark(press)
            shown = await own_drafts.save_move(table, request, key, _entry(press), move, mark)
        case "named":
            about = fields.get("about", "")
            key = await own_drafts.save_head(table, request, key, name, command, about, reserved(bot))
            shown = await own_drafts.page(table, request, key)
        case "try" | "again":
            which = press.chosen().partition(":")[2] if what == "try" else press.argument(2)
            return draft_reply(await own_drafts.try_roll(table, request, key, which), again=which)
        case "undo":
            await own_drafts.undo(table, request, key, press.argument(2))
            shown = await own_drafts.page(table, request, key)
        case "open" | "goon":
            shown = await own_drafts.page(table, request, key)
        case "discard":
            return discard_reply(await own_drafts.page(table, request, key))
        case _:
            raise OutOfDate
    return draft_reply(shown)


async def on_entry(interaction: Interaction, press: Press) -> None:
    """Open the form of the roll or move that was chosen, or show more of them."""
    table, request = table_and_request(interaction)
    key, (kind, _, entry) = press.argument(0), press.chosen().partition(":")
    if kind == MORE:
        shown = await in_time(interaction, own_drafts.page(table, request, key))
        await change(interaction, draft_reply(shown, number_of(entry)))
    elif kind == ROLL:
        form = await own_drafts.roll_asked(table, request, key, entry)
        await ask_form(interaction, roll_form(key, entry, form))
    else:
        asked = await own_drafts.move_asked(table, request, key, entry)
        await ask_form(interaction, move_form(key, entry, asked))


def _entry(press: Press) -> str:
    return "" if press.argument(2) == NEW else press.argument(2)


def _mark(press: Press) -> str:
    """The mark of what the form showed; a new roll or move has none."""
    return press.arguments[3] if len(press.arguments) > 3 else ""


def _move(press: Press) -> MoveForm:
    """A move as it was written: its stat is chosen from a menu, or written where there are too many."""
    fields = press.fields
    stat = fields["stat"] if "stat" in fields else _chosen(press, "stat")
    text, results = fields.get("text", ""), fields.get("results", "")
    return game_forms.MoveForm(fields.get("label", ""), _chosen(press, "check"), stat, text, results)


def _chosen(press: Press, key: str) -> str:
    chosen = press.choice(key)
    return "" if chosen == NONE else chosen


# --- words ---------------------------------------------------------------------------------------


def new_reply(drafts: Sequence[OwnGameLine]) -> Reply:
    """The menu of what a game can begin with, and of the games that are there.

    Args:
        drafts: The server's own games.
    """
    return private_page(_new_blocks(drafts))


def _new_blocks(drafts: Sequence[OwnGameLine]) -> Iterator[Block]:
    yield (
        "### A game of your own\n"
        "How does your game roll? You can change everything afterwards, and add other rolls."
    )
    choices = tuple(Choice(key, one.label, one.about) for key, one in game_forms.skeletons().items())
    yield Select(id=press_id(OWN, "begin"), prompt="Begin with …", choices=choices)
    if drafts:
        named = tuple(Choice(one.key, plain(one.title, 100), f"/{one.key}") for one in drafts[:IN_MENU])
        yield Select(id=press_id(OWN, "goon"), prompt="Go on with …", choices=named)


def begin_form(skeleton: str) -> Form:
    """The form of a new game's name and command."""
    if skeleton not in game_forms.skeletons():
        raise OutOfDate
    return Form(
        id=press_id(OWN, "begun", skeleton),
        title="A game of your own",
        fields=(
            Field(key="name", label="Name", note="What the game is called", longest=LONGEST_LABEL),
            Field(
                key="command",
                label="Command",
                note="One word in small letters; players will type it behind a slash",
                longest=own_drafts.LONGEST_COMMAND,
            ),
        ),
    )


def list_form(key: str, what: str, lines: str, beside: str) -> Form:
    """The form of a list, one thing a line."""
    _, title, note = PARTS[what]
    fields = [_lines_field("lines", title, note, lines)]
    if what in BESIDE:
        fields.append(_lines_field("beside", *BESIDE[what], beside))
    mark = own_drafts.mark_of((lines, beside))
    return Form(id=press_id(OWN, "listed", key, what, mark), title=title, fields=tuple(fields))


def head_form(key: str, name: str, command: str, about: str) -> Form:
    """The form of a draft's name, its command, and what it is about."""
    return Form(
        id=press_id(OWN, "named", key),
        title="Name and command",
        fields=(
            Field(key="name", label="Name", value=name, longest=LONGEST_LABEL),
            Field(
                key="command",
                label="Command",
                note="One word in small letters",
                value=command,
                longest=own_drafts.LONGEST_COMMAND,
            ),
            Field(
                key="about",
                label="What it is about",
                value=about,
                longest=1000,
                is_required=False,
                is_long=True,
            ),
        ),
    )


def _name_field(label: str, entry: str) -> Field:
    """The name of a roll or a move; one that is there goes away without."""
    note = "Empty: remove it" if entry else ""
    return Field(
        key="label", label="Name", note=note, value=label, longest=LONGEST_LABEL, is_required=not entry
    )


def _lines_field(key: str, label: str, note: str, value: str) -> Field:
    """A field for as many lines as there are; it may be empty."""
    return Field(
        key=key, label=label, note=note, value=value, longest=LONGEST, is_required=False, is_long=True
    )


def roll_form(key: str, check: str, form: RollForm) -> Form:
    """The form of a roll."""
    asks = "One a line: stat: attribute · bonus: -2..2 · push: yes/no"
    how = "One a line: two = 2d6 · sum = total two · value = sum + stat"
    results = "One a line: Hit 10+: hold + 1 · Miss 6- · or Great when sixes >= 2"
    buttons = "One a line: Luck: luck - 1, reroll all"
    return Form(
        id=press_id(OWN, "rolled", key, *((check, own_drafts.mark_of(form)) if check else (NEW,))),
        title="Change a roll" if check else "New roll",
        fields=(
            _name_field(form.label, check),
            _lines_field("asks", "Questions before the roll", asks, form.asks),
            _lines_field("how", "Dice, what they say, and the value", how, form.how),
            _lines_field("results", "Results, the best first", results, form.results),
            _lines_field("buttons", "Buttons after the roll", buttons, form.buttons),
        ),
    )


def move_form(key: str, move: str, asked: MoveAsked) -> Form:
    """The form of a move."""
    form = asked.form
    rolls = (*(Choice(one, plain(label, 100)) for one, label in asked.rolls.items()), Choice(NONE, "No roll"))
    chosen = form.check if form.check in asked.rolls else NONE
    text = "What is said; or for each result: Hit: You are through."
    results = "One a line: Hit: hold + 1 · Miss: storm + 1, harm + 1 · cost: luck - 1"
    return Form(
        id=press_id(OWN, "moved", key, *((move, own_drafts.mark_of(form)) if move else (NEW,))),
        title="Change a move" if move else "New move",
        fields=(
            _name_field(form.label, move),
            MenuField(key="check", label="Roll", choices=rolls, chosen=(chosen,)),
            _stat_field(form.stat, asked.stats),
            _lines_field("text", "Text", text, form.text),
            _lines_field("results", "What happens", results, form.results),
        ),
    )


def _stat_field(stat: str, stats: Mapping[str, str]) -> Field | MenuField:
    if not stats or len(stats) >= IN_MENU or (stat and stat not in stats):
        note = "Its name, where the roll asks for one; empty: the player chooses"
        return Field(key="stat", label="Stat", note=note, value=stat, is_required=False)
    choices = (
        Choice(NONE, "The player chooses"),
        *(Choice(one, plain(label, 100)) for one, label in stats.items()),
    )
    return MenuField(key="stat", label="Stat", choices=choices, chosen=(stat or NONE,))


def discard_reply(shown: DraftPage) -> Reply:
    """What discarding a draft loses."""
    lost = (
        f"Version {shown.version} stays; what you changed since is lost."
        if shown.version
        else "It was never published; nothing of it is left then."
    )
    buttons = (
        Button(id=press_id(GAME, "discard", shown.key), label="Discard the draft", look=Look.GRAVE),
        open_draft_button(shown.key),
    )
    return private_page((f"### Discard {escape(shown.checked.name or shown.key)}?\n{lost}", buttons))


def remove_reply(shown: DraftPage, what: str, entry: str) -> Reply:
    """What is asked before a roll or a move goes away."""
    labels = shown.checked.rolls if what == "rolled" else shown.checked.moves
    buttons = (
        Button(id=press_id(OWN, "remove", shown.key, what, entry), label="Remove", look=Look.GRAVE),
        open_draft_button(shown.key),
    )
    return private_page((f"### Remove {escape(labels.get(entry, entry))}?", buttons))


def open_draft_button(key: str) -> Button:
    """The button that leads to a draft's page."""
    return Button(id=press_id(OWN, "open", key), label="Back")


LONGEST_PROBLEM, LONGEST_REMOVED, MOST_TRIED = 300, 600, 8


def draft_reply(shown: DraftPage, at: int = 0, again: str = "") -> Reply:
    """The page of a draft.

    Args:
        at: From which roll or move on its menus show them.
        again: What was tried and can be tried again.
    """
    return private_page(_draft_blocks(shown, at, again))


def _draft_blocks(shown: DraftPage, at: int, again: str) -> Iterator[Block]:
    if not shown.version:
        state = "not published yet"
    else:
        state = f"version {shown.version}, {'changed since' if shown.is_changed else 'as it is played'}"
    yield f"### {escape(shown.checked.name or shown.key)}\n-# /{shown.key} · {state}"
    if shown.refused:
        lines = (f"- {escape(one)}" for one in shown.refused)
        yield "\n".join(["**Not understood**", *lines, "-# All the rest is saved."])
    if shown.removed:
        yield f"-# Removed: {escape(shorten(' · '.join(shown.removed), LONGEST_REMOVED))}"
    yield _state(shown)
    for row in (("stats", "counters", "wounds"), ("clocks", "roll", "move")):
        yield tuple(Button(id=press_id(OWN, what, shown.key), label=_BUTTONS[what]) for what in row)
    more = tuple(Choice(what, title) for what, (_, title, _) in PARTS.items() if what not in ON_BUTTONS)
    yield Select(id=press_id(OWN, "more", shown.key), prompt="Gear, foes and more …", choices=more)
    yield from _entries(shown, at)
    if shown.tried:
        lines = (escape(shorten(one.strip(), LONGEST_PROBLEM)) for one in shown.tried[:MOST_TRIED])
        repeat = Button(id=press_id(OWN, "again", shown.key, again), label="Roll again")
        yield ButtonBeside("\n".join(lines), repeat)
    yield _buttons(shown)


_BUTTONS = {**{what: PARTS[what][1] for what in ON_BUTTONS}, "roll": "+ Roll", "move": "+ Move"}


def _entries(shown: DraftPage, at: int) -> Iterator[Block]:
    """The menus of the rolls and moves: to change one, and to try one."""
    entries = [(ROLL, key, label, "Roll") for key, label in shown.checked.rolls.items()]
    entries += [(MOVE, key, label, "Move") for key, label in shown.checked.moves.items()]
    here = entries[at : at + ON_PAGE]
    if not here:
        return
    choices = [Choice(f"{kind}:{key}", plain(label, 100), about) for kind, key, label, about in here]
    if len(entries) > at + ON_PAGE:
        choices.append(Choice(f"{MORE}:{at + ON_PAGE}", "More …"))
    if at:
        choices.append(Choice(f"{MORE}:{max(0, at - ON_PAGE)}", "Back …"))
    yield Select(id=press_id(ENTRY, shown.key), prompt="Change a roll or move …", choices=tuple(choices))
    if not shown.checked.problems:
        tried = tuple(Choice(f"{kind}:{key}", plain(label, 100), about) for kind, key, label, about in here)
        yield Select(id=press_id(OWN, "try", shown.key), prompt="Try it: roll …", choices=tried)


def _buttons(shown: DraftPage) -> tuple[Button, ...]:
    is_ready, is_changed = shown.is_changed and not shown.checked.problems, shown.is_changed
    return (
        Button(id=press_id(GAME, "ready", shown.key), label="Publish", look=Look.MAIN, is_off=not is_ready),
        Button(id=press_id(OWN, "undo", shown.key, shown.undo or NONE), label="Undo", is_off=not shown.undo),
        Button(id=press_id(OWN, "head", shown.key), label="Name"),
        Button(id=press_id(OWN, "discard", shown.key), label="Discard", is_off=not is_changed),
    )


def _state(shown: DraftPage) -> str:
    """The problems of a draft, or the chances of a typical character."""
    problems = shown.checked.problems
    if problems:
        found = counted(len(problems), "problem")
        lines = [
            f"- {escape(shorten(one, LONGEST_PROBLEM))}" for one in problems[: own_drafts.SHOWN_PROBLEMS]
        ]
        more = len(problems) - len(lines)
        return "\n".join([f"**{found}**", *lines, *([f"-# and {more} more"] if more else [])])
    lines = []
    for one in shown.checked.chances[: own_drafts.SHOWN_ROLLS]:
        chances = " · ".join(f"{escape(tier)} {percent(chance)}" for tier, chance in one.chances.items())
        lines.append(
            f"**{escape(one.label)}**{f' ({escape(one.answers)})' if one.answers else ''}: {chances}"
        )
    more = len(shown.checked.chances) - len(lines)
    lines += [f"-# and {more} more rolls" if more > 1 else "-# and 1 more roll"] if more else []
    return "\n".join(
        ["**No problems.** A typical character:" if lines else "**No problems.** It has no roll yet.", *lines]
    )
