"""Sheets as controllers, each open for one person: what they show, and acts done from them."""

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from bot.rules.kernel import GM_GROUPS, ActGroup, Choice
from bot.rules.kernel.dice import percent
from bot.table.base.results import Result
from bot.table.characters import controls
from bot.table.characters.controls import Controls
from bot.table.characters.seats import Composed, Control, Setting, Trial
from bot.table.play.play import FormWanted, Given
from bot.ui.input.answer import answer, ask_form, in_time
from bot.ui.input.presses import Interaction, OutOfDate, form_of, press_id, table_and_request
from bot.ui.live.open_sheets import PrivatePage, answer_and_follow, change_and_follow
from bot.ui.replies.links import SHEET, desk_button
from bot.ui.replies.sheets import sheet_pages
from bot.ui.text.reply import IN_MENU, Block, Button, Divider, Look, Reply, Select, private_page, rows_of
from bot.ui.text.roll_text import escape, listed, plain, shorten
from bot.ui.text.sheet_pictures import SheetFace, sheet_picture


async def show_controls(interaction: Interaction, who: int | str | None = None) -> None:
    """Answer with the controls of a character's sheet, to the person alone."""
    await answer_and_follow(interaction, partial(opened, interaction, who))


async def turn_to_controls(interaction: Interaction, who: int | None = None) -> None:
    """Change the message that was pressed to a character's controls; by default of whom the person plays."""
    await change_and_follow(interaction, partial(opened, interaction, who))


async def opened(interaction: Interaction, who: int | str | None, page: int = 0) -> PrivatePage:
    """A sheet as it is now."""
    table, request = table_and_request(interaction)
    shown = await controls.open_controls(table, request, who)
    return PrivatePage(controls_reply(shown, page), shown.sheet.id)


class Taken(Struct, frozen=True):
    """An act as a press names it."""

    who: int  # the character
    now: int  # its latest action when the controls were shown
    key: str  # the act
    state: str  # its settings

    @property
    def form_id(self) -> str:
        """The id of a form that asks something for it."""
        return press_id(SHEET, self.who, self.now, "do", self.key, self.state or NO_STATE)

    @property
    def late_form_id(self) -> str:
        """The id of a button that opens that form."""
        return press_id(SHEET, self.who, self.now, "write", self.key, self.state or NO_STATE)


def ready(shown: Controls, now: int) -> tuple[Taken, str | None]:
    """The act whose menu would open, and what is chosen there; None where that must be asked."""
    asked = shown.asked
    if asked is None:
        raise OutOfDate
    act = Taken(shown.sheet.id, now, asked.control.key, asked.state)
    values = [one.value for one in asked.control.act.do.choices]
    if asked.chosen or len(values) > 1:
        return act, asked.chosen or None
    return act, values[0] if values else ""


async def take(
    interaction: Interaction, act: Taken, given: Given, *, is_promised: bool = True
) -> Result | None:
    """Do an act and return its result; None where a form comes first.

    Args:
        interaction: The press.
        given: What was chosen or written.
        is_promised: Whether Discord is promised the answer where it takes long.
    """
    table, request = table_and_request(interaction)
    doing = controls.take(table, request, act.who, act.key, act.now, act.state, given)
    try:
        # Whether a command's answer is private is not known before it is there.
        is_hurried = is_promised and interaction.message is not None
        return await (in_time(interaction, doing) if is_hurried else doing)
    except FormWanted as wanted:
        if interaction.response.is_done():  # a form can no longer be opened by this press
            await answer(interaction, late_form_reply(act.late_form_id))
        else:
            await ask_form(interaction, form_of(act.form_id, wanted.follow_up))
        return None


# --- words ---------------------------------------------------------------------------------------

MOST_FAVORITES = 5  # with a button of their own
MOST_DUE = 3
LONGEST_START = 34
MOST_MENUS = 10  # of a composer, besides its switches
NO_STATE = "-"
VALUE = "value"  # a GM's choice besides the groups: a number to be typed
FIELD = "field"  # a field of the sheet to be typed
PORTRAIT = "portrait"  # and its portrait
GROUP_LABELS = {
    ActGroup.CHECK: "Check …",
    ActGroup.FIGHT: "Fight …",
    ActGroup.USE: "Use …",
    ActGroup.SPEND: "Spend …",
    ActGroup.REST: "Rest …",
    ActGroup.GROW: "Grow …",
    ActGroup.DAMAGE: "Damage …",
    ActGroup.HEAL: "Heal …",
    ActGroup.CONDITION: "Condition …",
    ActGroup.GIVE: "Give or take …",
    ActGroup.GM: "Correct or rule …",
}
# What the menus of a group say: "Roll …" does at once what is chosen, "Roll with options …" asks how first.
GROUP_PROMPTS = {
    ActGroup.CHECK: "Roll",
    ActGroup.FIGHT: "Choose an action",
    ActGroup.USE: "Use",
    ActGroup.SPEND: "Spend",
    ActGroup.REST: "Rest",
    ActGroup.GROW: "Grow",
    ActGroup.DAMAGE: "Deal damage",
    ActGroup.HEAL: "Heal",
    ActGroup.CONDITION: "Choose a condition",
    ActGroup.GIVE: "Give or take",
    ActGroup.GM: "Choose a ruling",
}


def controls_reply(shown: Controls, page: int = 0) -> Reply:
    """The message for whatever is open: the sheet itself, a group, a composer or a menu.

    Args:
        page: Which page of the sheet, where the sheet itself is open.
    """
    if shown.asked is not None:
        blocks = _menu(shown, shown.asked)
    elif shown.composed is not None:
        blocks = _composer(shown, shown.composed)
    elif shown.group is not None:
        blocks = _group(shown, shown.group)
    else:
        blocks = _home(shown, page)
    return private_page(blocks)


def _id(shown: Controls, what: str, *arguments: object) -> str:
    return press_id(SHEET, shown.sheet.id, shown.now, what, *arguments)


def _home(shown: Controls, page: int) -> Iterator[Block]:
    pages = sheet_pages(shown.sheet)
    page = max(0, min(page, len(pages) - 1))
    sheet = shown.sheet
    if page == 0:
        yield sheet_picture(SheetFace(sheet.name, sheet.glance, sheet.portrait))
    yield f"### {escape(sheet.name)}\n-# {escape(sheet.game)}"
    yield pages[page]
    if shown.latest:
        yield f"-# Last: {escape(shorten(shown.latest, 160))}"
    yield from _first_steps(shown)
    quick, keep = _quick_buttons(shown), [_keep_latest(shown)] if shown.keeps else []
    rows, longer = rows_of(quick), rows_of([*quick, *keep])
    has_room_above = len(rows) == len(longer)  # the last of these rows, for what makes a favorite
    yield from longer if has_room_above else rows
    yield from _more_favorites(shown)
    buttons = [
        Button(id=_id(shown, "group", group.name.lower(), 0), label=GROUP_LABELS[group], look=Look.MAIN)
        for group in shown.groups
        if group not in GM_GROUPS
    ]
    yield from rows_of(buttons)
    yield from _gms(shown)
    more = []
    if len(pages) > 1:
        turn = (page + 1) % len(pages)
        more.append(Button(id=_id(shown, "home", turn), label=f"Page {turn + 1}"))
    more.append(Button(id=_id(shown, "home", page), label="Refresh"))
    if not has_room_above:
        more += keep
    if page == len(pages) - 1 and not shown.is_gms and ActGroup.GROW not in shown.groups:
        more.append(_portrait(shown))
    if shown.is_gms:
        more.append(desk_button())
    yield from rows_of(more)


def _keep_latest(shown: Controls) -> Button:
    """The button that makes a favorite of what was done last."""
    return Button(id=_id(shown, "keep", NO_STATE, NO_STATE), label="☆ Keep")


def _portrait(shown: Controls) -> Button:
    """The button for the portrait: under "Grow …", as it is seldom set and a phone's row is full."""
    return Button(id=_id(shown, "portrait"), label="Portrait …")


def _gms(shown: Controls) -> Iterator[Block]:
    """What a GM can do to the character, in one menu: their sheet has room for no more buttons."""
    groups = [group for group in shown.groups if group in GM_GROUPS]
    if groups:
        choices = tuple(Choice(group.name.lower(), GROUP_LABELS[group]) for group in groups)
        choices = (*choices, Choice(VALUE, "Award or set a number …"), Choice(PORTRAIT, "Portrait …"))
        yield Select(id=_id(shown, "gm"), prompt="As the GM …", choices=choices)


def _first_steps(shown: Controls) -> Iterator[Block]:
    """What an unfinished character still needs."""
    if shown.due:
        yield "**Still to do before you play:**"
        yield from rows_of([_start(shown, one, one.act.do.label) for one in shown.due[:MOST_DUE]])
        yield Divider()


def _start(shown: Controls, control: Control, label: str) -> Button:
    return Button(
        id=_id(shown, "start", control.key),
        label=plain(label, LONGEST_START),
        look=Look.GOOD,
    )


def _quick(shown: Controls, control: Control) -> Button:
    """A check to be rolled at once: its name, and its chance where it is for sure."""
    trial, label, brief = control.trial, control.act.do.label, control.act.brief
    label = label if trial.choice else label.removesuffix(" …")
    if trial.chance is None or trial.choice:
        return _start(shown, control, brief or label)
    chance = f"{' ' if brief else ' · '}{percent(trial.chance)}"
    return _start(shown, control, f"{plain(brief or label, LONGEST_START - len(chance))}{chance}")


def _quick_buttons(shown: Controls) -> list[Button]:
    """The first favorites, then the first checks."""
    favorites = shown.favorites[:MOST_FAVORITES]
    buttons = [Button(id=_id(shown, "fav", one.id), label=f"★ {one.name}") for one in favorites]
    return [*buttons, *(_quick(shown, one) for one in shown.starts)]


def _more_favorites(shown: Controls) -> Iterator[Select]:
    """A menu of the favorites that have no button."""
    others = shown.favorites[MOST_FAVORITES:]
    if others:
        choices = tuple(Choice(str(one.id), plain(one.name, 100), plain(one.what, 100)) for one in others)
        yield Select(id=_id(shown, "fav", NO_STATE), prompt="More favorites …", choices=choices)


def _keep(shown: Controls, composed: Composed) -> Button:
    """The button that keeps an act with its settings under a name."""
    state = composed.state or NO_STATE
    return Button(id=_id(shown, "keep", composed.control.key, state), label="☆ Keep")


def _group(shown: Controls, group: ActGroup) -> Iterator[Block]:
    count = f"\n-# Page {shown.page + 1} of {shown.pages}" if shown.pages > 1 else ""
    yield f"### {escape(shown.sheet.name)} · {group}{count}"
    off = [one for one in shown.controls if why_not(one)]
    reasons = "\n".join(f"-# {escape(one.act.do.label)}: {escape(why_not(one))}" for one in off)
    if group is ActGroup.GM:
        yield _corrections(shown)
    elif off:
        yield shorten(reasons, 1200)
    able = [one for one in shown.controls if not why_not(one)]
    if able:
        name, prompt = group.name.lower(), GROUP_PROMPTS[group]
        choices = tuple(_choice(one) for one in able)
        yield Select(id=_id(shown, "pick", name, shown.page), prompt=f"{prompt} …", choices=choices)
        settable = tuple(_choice(one) for one in able if one.act.adjusts)
        if settable:
            with_options = f"{prompt} with options …"
            yield Select(id=_id(shown, "set", name, shown.page), prompt=with_options, choices=settable)
    elif not off and group is not ActGroup.GM:
        yield _why_nothing(shown, group)
    if off and group is ActGroup.GM:  # what a GM came for comes first
        yield shorten(reasons, 1200)
    buttons = [Button(id=_id(shown, "home", 0), label="Back")]
    if shown.pages > 1:
        turn = (shown.page + 1) % shown.pages
        buttons.append(Button(id=_id(shown, "group", group.name.lower(), turn), label="Next page"))
    if group is ActGroup.GROW and not shown.is_gms:
        buttons.append(_portrait(shown))
    yield tuple(buttons)


def _why_nothing(shown: Controls, group: ActGroup) -> str:
    """Why a group that was opened from an older sheet offers nothing, and where to go instead."""
    if group in GM_GROUPS and not shown.is_gms:
        return "Only a GM can do these things. Go back to your sheet."
    return f"{escape(shown.sheet.name)} can't do any of this now. Go back: the sheet shows what is possible."


def _corrections(shown: Controls) -> tuple[Button, ...]:
    """The three things that a GM corrects: a number, a field of the sheet, and what was done last."""
    buttons = [
        Button(id=_id(shown, "correct", VALUE), label="Set a number …", look=Look.MAIN),
        Button(id=_id(shown, "correct", FIELD), label="Set a field …", look=Look.MAIN),
    ]
    if shown.latest:
        buttons.append(Button(id=_id(shown, "undo"), label="Undo their last act", look=Look.MAIN))
    return tuple(buttons)


def late_form_reply(id_: str) -> Reply:
    """A button that opens the form of an act, where there was no time to open it at once."""
    button = Button(id=id_, label="Write it …", look=Look.MAIN)
    return Reply(blocks=("Something is to be written first.", (button,)), is_private=True)


def why_not(control: Control) -> str:
    """Why an act can't be done now; empty if it can."""
    return control.act.why_not or control.trial.problem


def _choice(control: Control) -> Choice:
    """An act in a menu: its label, and its chance where it has one."""
    trial = control.trial
    note = (
        _outcomes(trial)
        if trial.chance is None
        else f"{percent(trial.chance)} chance {_for_choice(trial)}".rstrip()
    )
    return Choice(control.key, plain(control.act.do.label, 100), plain(note, 100) if note else "")


def _for_choice(trial: Trial) -> str:
    """Which entry of its menu a chance is for, as it differs for the others."""
    return f"for {trial.choice}" if trial.choice else ""


def _outcomes(trial: Trial) -> str:
    """Every possible outcome with its chance, where none of them is what is needed."""
    if trial.odds is None or trial.chance is not None:
        return ""
    possible = trial.odds.possible
    return " · ".join(f"{name}: {percent(chance)}" for name, chance in possible) if len(possible) > 1 else ""


def _composer(shown: Controls, composed: Composed) -> Iterator[Block]:
    control = composed.control
    trial = control.trial
    chance = "" if trial.chance is None else percent(trial.chance)
    yield f"### {escape(shown.sheet.name)} · {escape(control.act.do.label.removesuffix(' …'))}"
    lines = [f"-# {escape(listed(trial.notes))}"] if trial.notes else []
    outcomes = escape(_outcomes(trial))
    lines = [
        *([listed((f"Chance: **{chance}**", escape(_for_choice(trial))), " ")] if chance else []),
        *([outcomes] if outcomes else []),
        *lines,
    ]
    problem = why_not(control)
    yield "\n".join([escape(problem)] if problem else lines) or "Choose the options, then press the button."
    switches = [(place, one) for place, one in enumerate(composed.settings) if one.is_switch]
    menus = [(place, one) for place, one in enumerate(composed.settings) if not one.is_switch]
    state = composed.state or NO_STATE
    if switches:
        yield Select(
            id=_id(shown, "flip", control.key, state),
            prompt=plain(f"{', '.join(one.title for _place, one in switches)} …", 150),
            choices=tuple(Choice(str(place), plain(one.title, 100)) for place, one in switches),
            least=0,
            most=len(switches),
            chosen=tuple(str(place) for place, one in switches if one.chosen),
        )
    for place, one in menus[:MOST_MENUS]:
        yield _setting(shown, control, state, place, one)
    label = "Choose …" if control.act.do.choices else "Roll" if trial.is_roll else "Do it"
    do = "ask" if control.act.do.choices else "do"
    yield (
        Button(
            id=_id(shown, do, control.key, state),
            label=f"{label} · {chance}" if chance and not trial.choice else label,
            look=Look.GOOD,
            is_off=bool(problem),
        ),
        Button(id=_id(shown, "group", control.act.group.name.lower(), 0), label="Back"),
        _keep(shown, composed),
    )


def _setting(shown: Controls, control: Control, state: str, place: int, one: Setting) -> Select:
    choices = tuple(
        Choice(str(at), plain(f"{one.title}: {value}", 100)) for at, value in enumerate(one.values)
    )
    return Select(
        id=_id(shown, "turn", control.key, state, place),
        prompt=plain(one.title, 150),
        choices=choices,
        chosen=(str(one.chosen),),
    )


def _menu(shown: Controls, asked: Composed) -> Iterator[Block]:
    control = asked.control
    yield f"### {escape(shown.sheet.name)} · {escape(control.act.do.label.removesuffix(' …'))}"
    yield Select(
        id=_id(shown, "with", control.key, asked.state or NO_STATE),
        prompt=plain(control.act.do.label, 150),
        choices=control.act.do.choices[:IN_MENU],
    )
    back = Button(id=_id(shown, "group", control.act.group.name.lower(), 0), label="Back")
    yield (back, _keep(shown, asked))
