"""Replies and forms in Discord's format: the only place that knows its components.

They are made as plain data: discord.py's embeds and views cost more than everything in them.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from bot.rules.kernel import Choice
from bot.ui.text.reply import (
    Accent,
    Block,
    Button,
    ButtonBeside,
    Divider,
    Field,
    FileField,
    Form,
    Look,
    MenuField,
    Picture,
    Pictured,
    Reply,
    Row,
    Select,
    Sketch,
)
from bot.ui.text.roll_text import plain, shorten

# Components and messages are JSON of many shapes; Discord's limits are checked in the tests.
Json = dict[str, Any]

MOST_TEXT = 4000  # characters of all text in one message of blocks
MOST_PLAIN = 2000  # characters of a plain line
SHOWN_AS_PICTURES = (".png", ".webp", ".jpg", ".gif")
MOST_OPTIONS = 25
MOST_OPEN = 10  # options of a form that show all at once
MOST_PARTS = 40  # components of one message of blocks, whatever is inside whatever
EPHEMERAL, OF_BLOCKS = 1 << 6, 1 << 15  # flags of a message
OF_MENUS = "s:"  # how the ids of select menus begin
ROW, BUTTON, MENU, TEXT_INPUT = 1, 2, 3, 4
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, DIVIDER, CONTAINER, LABEL = 9, 10, 11, 12, 13, 14, 17, 18
FILE_INPUT, RADIO_BUTTONS, CHECKBOXES = 19, 21, 22
SHORT, PARAGRAPH = 1, 2  # styles of a text input
COLOURS = {
    Accent.SUCCESS: 0x2F9E6B,
    Accent.PARTIAL: 0xC98A1B,
    Accent.FAILURE: 0xC2453F,
    Accent.NEWS: 0x5B7FC7,
    Accent.BOARD: 0x5B7FC7,
    Accent.FIGHT: 0x8A63B8,
}
STYLES = {Look.MAIN: 1, Look.PLAIN: 2, Look.GOOD: 3, Look.GRAVE: 4}


def message_body(reply: Reply) -> Json:
    """A message without its files; it pings nobody."""
    components = [_container(blocks_of(reply), reply.accent)]
    return {"flags": OF_BLOCKS, "components": components, "allowed_mentions": {"parse": []}}


def plain_body(reply: Reply) -> Json:
    """A reply's plain line: it is sent before the message when somebody is to read it on a locked phone.

    Discord's notifications show nothing of a container.
    """
    people = " ".join(f"<@{person}>" for person in reply.pings)
    text = shorten(reply.plain or people, MOST_PLAIN)
    return {"content": text, "allowed_mentions": mentions_of(reply.pings)}


def mentions_of(people: Sequence[int]) -> Json:
    """That a message may mention these people, and nobody else."""
    return {"parse": [], "users": [str(one) for one in people]} if people else {"parse": []}


# What a message of blocks can't have; one that had it has to be told so when it becomes one.
NOTHING_ELSE: Json = {"content": None, "embeds": []}


def blocks_of(reply: Reply) -> tuple[Block, ...]:
    """The parts of a message: those of a card are its text, what comes with it, and its rows."""
    text = (reply.text,) if reply.text else ()
    return reply.blocks or (
        (*reply.files, *text, *reply.rows) if reply.is_pictured else (*text, *reply.files, *reply.rows)
    )


def pictures_of(reply: Reply) -> list[Picture | Sketch]:
    """The files that come with a reply."""
    shown = (block.picture if isinstance(block, Pictured) else block for block in blocks_of(reply))
    return [one for one in shown if isinstance(one, Picture | Sketch)]


def form_body(form: Form, id_: str) -> Json:
    """A form under an id."""
    return {
        "title": plain(form.title, 45),
        "custom_id": id_,
        "components": [_label(one) for one in form.fields],
    }


def fitted(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with their text cut (with an ellipsis) to fit one message; no text is left empty."""
    left = MOST_TEXT - sum(isinstance(block, str | ButtonBeside | Pictured) for block in blocks)
    fitting: list[Block] = []
    for block in blocks:
        if isinstance(block, str | ButtonBeside | Pictured):
            text = shorten(block if isinstance(block, str) else block.text, left + 1)
            text = text if text.strip() else "–"
            left -= len(text) - 1
            fitting.append(text if isinstance(block, str) else replace(block, text=text))
        else:
            fitting.append(block)
    return fitting


def parts(block: Block) -> int:
    """The number of Discord components in a block."""
    match block:
        case ButtonBeside() | Pictured():
            return 3  # the section, its text, what stands beside it
        case str() | Divider() | Picture() | Sketch():
            return 1
        case Select():
            return 2
        case _:
            return 1 + len(block)


Finish = Callable[[Sequence[Block], int], Sequence[Block]]
_finishes: list[Finish] = []


def finish_with(finish: Finish) -> None:
    """Have the blocks of every message go through this once more, given how long their text may be."""
    if finish not in _finishes:
        _finishes.append(finish)


def _container(blocks: Sequence[Block], accent: Accent) -> Json:
    inside = []
    left = MOST_PARTS - 1  # the container is one itself
    for finish in _finishes:
        blocks = finish(blocks, MOST_TEXT)
    for block in fitted(blocks):
        left -= parts(block)
        if left < 0:
            break
        inside.append(_block(block))
    return {"type": CONTAINER, "accent_color": COLOURS[accent], "components": inside}


def _block(block: Block) -> Json:
    match block:
        case str():
            return _text(block)
        case ButtonBeside():
            return {"type": SECTION, "components": [_text(block.text)], "accessory": _button(block.button)}
        case Pictured():
            thumbnail = {"type": THUMBNAIL, **_media(block.picture)}
            return {"type": SECTION, "components": [_text(block.text)], "accessory": thumbnail}
        case Divider():
            return {"type": DIVIDER}
        case Picture() | Sketch() if block.name.endswith(SHOWN_AS_PICTURES):
            return {"type": GALLERY, "items": [_media(block)]}
        case Picture() | Sketch():
            return {"type": FILE, "file": {"url": f"attachment://{block.name}"}}
        case _:
            return _row(block)


def _text(text: str) -> Json:
    return {"type": TEXT, "content": text}


def _media(picture: Picture | Sketch) -> Json:
    media: Json = {"media": {"url": f"attachment://{picture.name}"}}
    return media | {"description": picture.alt} if picture.alt else media


def _row(row: Row) -> Json:
    items = [_select(row)] if isinstance(row, Select) else [_button(button) for button in row]
    return {"type": ROW, "components": items}


def _button(button: Button) -> Json:
    return {
        "type": BUTTON,
        "style": STYLES[button.look],
        "label": plain(button.label, 80),
        "disabled": button.is_off,
        "custom_id": button.id,
    }


def _select(select: Select) -> Json:
    choices, chosen = _offered(select)
    return {
        "type": MENU,
        "custom_id": f"{OF_MENUS}{select.id}",
        "placeholder": plain(select.prompt, 150),
        "min_values": min(select.least, len(choices)),
        "max_values": min(select.most, len(choices)),
        "options": _options(choices, chosen),
    }


def _label(field: Field | MenuField | FileField) -> Json:
    label = {"type": LABEL, "label": plain(field.label, 45), "component": _input(field)}
    return label | {"description": plain(field.note, 100)} if field.note else label


def _input(field: Field | MenuField | FileField) -> Json:
    match field:
        case Field():
            return _text_input(field)
        case MenuField():
            return _menu_input(field)
        case FileField():
            bounds = {"min_values": field.least, "max_values": field.most, "required": field.least > 0}
            return {"type": FILE_INPUT, "custom_id": field.key, **bounds}


def _text_input(field: Field) -> Json:
    made = {
        "type": TEXT_INPUT,
        "custom_id": field.key,
        "style": PARAGRAPH if field.is_long else SHORT,
        "max_length": field.longest,
        "required": field.is_required,
    }
    value = field.value[: field.longest]
    return made | {"value": value} if value else made


def _menu_input(field: MenuField) -> Json:
    """A menu, or where all choices show at once radio buttons for exactly one and checkboxes for others."""
    choices, chosen = _offered(field)
    least, most = min(field.least, len(choices)), max(1, min(field.most, len(choices)))
    is_open = field.is_open and len(choices) <= MOST_OPEN
    asked: Json = {
        "custom_id": field.key,
        "required": least > 0,
        "options": _options(choices, chosen),
    }
    if is_open and least == most == 1 and len(choices) > 1:
        return {"type": RADIO_BUTTONS, **asked}
    return {"type": CHECKBOXES if is_open else MENU, "min_values": least, "max_values": most, **asked}


def _offered(menu: Select | MenuField) -> tuple[list[Choice], list[str]]:
    """As many different choices as a menu takes, and the values of those that are chosen already."""
    choices = list({choice.value: choice for choice in menu.choices}.values())[:MOST_OPTIONS]
    return choices, [choice.value for choice in choices if choice.value in menu.chosen][: menu.most]


def _options(choices: Sequence[Choice], chosen: Sequence[str]) -> list[Json]:
    return [_option(choice, is_default=choice.value in chosen) for choice in choices]


def _option(choice: Choice, *, is_default: bool) -> Json:
    option = {"value": choice.value, "label": plain(choice.label, 100), "default": is_default}
    return option | {"description": plain(choice.note, 100)} if choice.note else option
