"""Handlers of a sheet's controls."""

from bot.rules.kernel import ActGroup
from bot.table.base.results import Result
from bot.table.characters import controls
from bot.table.characters.controls import Controls
from bot.table.play.play import FormWanted, Given
from bot.ui.commands.portrait_presses import ask_portrait, take_portrait
from bot.ui.input.answer import answer, ask_form, change
from bot.ui.input.asked import request_of
from bot.ui.input.forms import form_of
from bot.ui.input.in_time import in_time
from bot.ui.input.presses import Interaction, OutOfDate, Press, given_by, press_id
from bot.ui.live.result_messages import tell
from bot.ui.replies.control_replies import NO_STATE, controls_reply, late_form_reply
from bot.ui.text.reply import Reply

KIND = "hand"


async def controls_of(interaction: Interaction, name: str | None = None) -> Reply:
    """The controls of a character's sheet; by default of the one the person plays."""
    opened = controls.open_controls(interaction.client.table, request_of(interaction), name)
    return controls_reply(await in_time(interaction, opened, adds=True))


async def show_controls(interaction: Interaction, name: str | None = None) -> None:
    """Answer with the controls of a character's sheet, to the person alone."""
    await answer(interaction, await controls_of(interaction, name))


async def on_controls(interaction: Interaction, press: Press) -> None:
    """Handle a press on a sheet's controls: turn to another part of it, or do something."""
    table, request = interaction.client.table, request_of(interaction)
    who, what = press.number(), press.argument(2)
    match what:
        case "open":
            await show_controls(interaction)
        case "home":
            shown = await in_time(interaction, controls.open_controls(table, request, who))
            await change(interaction, controls_reply(shown, press.number(3)))
        case "group":
            opened = controls.open_group(table, request, who, _group(press), press.number(4))
            shown = await in_time(interaction, opened)
            await change(interaction, controls_reply(shown))
        case "set":
            shown = await in_time(interaction, controls.compose(table, request, who, _chosen(press)))
            await change(interaction, controls_reply(shown))
        case "flip" | "turn":
            await _recompose(interaction, press, who)
        case "ask":
            asked = controls.compose(table, request, who, press.argument(3), _state(press), asks=True)
            shown = await in_time(interaction, asked)
            await change(interaction, controls_reply(shown))
        case "pick":
            await _pick(interaction, press, who)
        case "do":
            await _do(interaction, press, who, press.argument(3), given_by(press))
        case "with":
            _chosen(press)
            await _do(interaction, press, who, press.argument(3), given_by(press))
        case "portrait":
            await ask_portrait(interaction, press)
        case "portrayed":
            await take_portrait(interaction, press)
            await change(interaction, controls_reply(await controls.open_controls(table, request, who)))
        case _:
            raise OutOfDate


def _group(press: Press) -> ActGroup:
    try:
        return ActGroup[press.argument(3).upper()]
    except KeyError:
        raise OutOfDate from None


def _chosen(press: Press) -> str:
    if not press.values:
        raise OutOfDate
    return press.values[0]


def _state(press: Press) -> str:
    state = press.argument(4) if len(press.arguments) > 4 else NO_STATE
    return "" if state == NO_STATE else state


async def _recompose(interaction: Interaction, press: Press, who: int) -> None:
    """Redraw a composer with what was switched or chosen."""
    table, request = interaction.client.table, request_of(interaction)
    key, state = press.argument(3), _state(press)
    before = (await in_time(interaction, controls.compose(table, request, who, key, state))).composed
    if before is None or any(not one.isdecimal() for one in press.values):
        raise OutOfDate
    if press.argument(2) == "turn":
        changes = {press.number(5): int(_chosen(press))}
    else:
        switches = [place for place, one in enumerate(before.settings) if one.is_switch]
        changes = {place: int(str(place) in press.values) for place in switches}
    again = controls.compose(table, request, who, key, before.state, changes)
    shown = await in_time(interaction, again)
    await change(interaction, controls_reply(shown))


async def _pick(interaction: Interaction, press: Press, who: int) -> None:
    """Do the act that was chosen in a group's menu, or open its own menu of choices."""
    table, request = interaction.client.table, request_of(interaction)
    key = _chosen(press)
    shown = await in_time(interaction, controls.compose(table, request, who, key, asks=True))
    asked = shown.asked
    if asked is not None and len(asked.control.act.do.choices) > 1:
        await change(interaction, controls_reply(shown))
        return
    only = asked.control.act.do.choices if asked is not None else ()
    await _do(interaction, press, who, key, Given(only[0].value if only else None))


async def _do(interaction: Interaction, press: Press, who: int, key: str, given: Given) -> None:
    """Do an act, show the sheet as it is afterwards, and tell the result."""
    table, request = interaction.client.table, request_of(interaction)
    state = _state(press) if press.argument(2) in ("do", "with") else ""
    now = press.number(1)
    try:
        doing = controls.take(table, request, who, key, now, state, given)
        result: Result = await in_time(interaction, doing)
    except FormWanted as wanted:
        id_ = press_id(KIND, who, now, "do", key, state or NO_STATE)
        if interaction.response.is_done():  # a form can no longer be opened by this press
            await answer(interaction, late_form_reply(id_))
        else:
            await ask_form(interaction, form_of(id_, wanted.follow_up))
        return
    shown: Controls = await controls.open_controls(table, request, who)
    await change(interaction, controls_reply(shown))
    await tell(interaction, result)
