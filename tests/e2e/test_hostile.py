"""Hostile text in every field that takes text, by the registered commands."""

from __future__ import annotations

import re
import resource
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from bot.playground.discord import Answer, Upload
from bot.playground.discord.message_limits import ComponentType, embed_texts
from bot.playground.discord.payloads import Payload, walk_components
from bot.rules.kernel import FileKind, write_document
from bot.rules.rpj.module.module_files import MODULES
from tests.e2e.opening import ALICES, is_of_another_game, open_campaign, open_play, told_apart
from tests.e2e.people import Party, gather, is_whole
from tests.e2e.sweeping import Leaf, fitting_values, leaves, messages, press_all, type_it
from tests.e2e.table import Table

pytestmark = pytest.mark.usefixtures("library")

# Any text is escaped and cleaned (tests/ui/text/test_text.py); here, every command is to do so. As many kinds
# as a text can have are in one, and the first 60 characters, which names may have, have the most of them.
HOSTILE = {
    "markup": "**bold**__u__~~s~~||spoiler||`code`<@1><@&2><#3>[link](x.y) "
    "@everyone @here <t:0> </roll:4> <a:x:5> ```block```",
    "unseen": "one\n# two\r\n> three\u2028four\x00\x1b[31m\x7f\t\u202ee\u202c\u2066x\u2069\u200f\u061c\ufeff"
    + "Z"
    + "\u0335\u0301\u0316" * 40,
    "programs": "'; DROP TABLE characters; -- %s %n {0} {name} ${x} \\ ((((((9d6)*9**9)/0)kh1e6)",
    "long": "x" * 6000,
    "blank": " ",
    "emoji": "😀" * 200,
}
RAW = re.compile(r"Traceback|NoneType|object at 0x|sqlite|pydantic|\b[A-Z]\w+(Error|Exception)\b")
INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c\ufeff\u2028]")
MARKS = r"\*\*bold|__u_|~~s~|\|\|spoiler|`code|\[link\]|<@1>|<@&2>|<#3>|<t:0>"
MARKUP = re.compile(rf"(?<!\\)({MARKS})|^(#|>) ?t\w", re.MULTILINE)


def shown_as_markdown(message: Payload) -> str:
    """Return the texts of a message that Discord's client reads as markdown, without labels and prompts."""
    parts = [message.get("content") or ""]
    for embed in message.get("embeds") or []:
        parts += embed_texts(embed)
    for component in walk_components(message.get("components")):
        if component["type"] == ComponentType.TEXT_DISPLAY:
            parts.append(component["content"])
    return "\n".join(parts)


def faults(answer: Answer) -> list[str]:
    """Return what is wrong with an answer to a hostile text."""
    found = [answer.failed] if answer.failed else []
    for message in messages(answer):
        text = shown_as_markdown(message)
        for what, pattern in (("raw", RAW), ("invisible", INVISIBLE), ("markup", MARKUP)):
            if hit := pattern.search(text):
                found.append(f"{what} {hit[0]!r} in {text[max(0, hit.start() - 40) : hit.end() + 40]!r}")
        if message["mention_everyone"] or message["mentions"] or message["mention_roles"]:
            found.append(f"somebody is pinged: {text[:80]!r}")
    return found


async def open_evening(house: Table) -> Party:
    party = gather(house.discord)
    await open_play(party)
    await party.gwen.types("/session start")
    return party


def typed_with(house: Table, kind: str, kinds: Sequence[str] = tuple(HOSTILE)) -> list[Leaf]:
    """The commands tried with a text: those of another game, which do not read it, with one kind each."""
    found = leaves(house.discord)
    others = [leaf for leaf in found if is_of_another_game(leaf)]
    here = others[kinds.index(kind) :: len(kinds)]
    return [leaf for leaf in found if leaf in here or not is_of_another_game(leaf)]


def hostile_options(leaf: Leaf, text: str) -> list[dict[str, str]]:
    """Return options with the text in one at a time; another game's command gets it in all at once."""
    each = [{option["name"]: text} for option in leaf.texts]
    return [{name: text for one in each for name in one}] if each and is_of_another_game(leaf) else each


@pytest.mark.parametrize("kind", HOSTILE)
async def test_no_option_of_any_command_is_broken_by_a_hostile_text(house: Table, kind: str) -> None:
    party = await open_evening(house)
    gwen = party.gwen.member
    wrong: list[str] = []

    for leaf in typed_with(house, kind):
        values = await fitting_values(leaf, gwen, asks=not is_of_another_game(leaf))
        for given in hostile_options(leaf, HOSTILE[kind]):
            answer = await type_it(gwen, leaf, {**values, **given})
            wrong += [f"/{leaf.line} {sorted(given)}: {fault}" for fault in faults(answer)]
    await party.gwen.types("/campaign list")

    assert "\n".join(wrong) == ""
    assert is_whole(house.database)


@pytest.mark.parametrize("kind", HOSTILE)
async def test_autocompletion_survives_a_hostile_text(house: Table, kind: str) -> None:
    party = await open_evening(house)
    hands = house.discord.hands
    typed = HOSTILE[kind][:1000]

    for leaf in typed_with(house, kind):
        for option in told_apart(leaf, leaf.completed):
            offered = await hands.autocomplete(
                party.alice.member, leaf.line, option["name"], typed, {}, None, unchecked=True
            )
            assert len(offered) <= 25


NAMED = ("markup", "unseen", "long")


@pytest.mark.parametrize("kind", NAMED)
async def test_a_stored_hostile_name_breaks_no_page_and_no_button(house: Table, kind: str) -> None:
    text = HOSTILE[kind][:60]
    party = gather(house.discord, text)
    party.alice.member.name = text[:32]
    await open_play(party)
    wrong: list[str] = []
    gwen, alice = party.gwen.member, party.alice.member
    await gwen.slash("campaign rename", name=text, unchecked=True)
    await alice.slash("character rename", name=ALICES, to=text, unchecked=True)
    await party.gwen.types("/session start")
    await gwen.slash("gm npc", name=f"B{text}"[:100], unchecked=True)
    await alice.slash("roll", expression="2d6", label=text, unchecked=True)

    for leaf in typed_with(house, kind, NAMED):
        if leaf.line.startswith("gm purge") or "archive" in leaf.line:
            continue
        answer = await type_it(
            gwen, leaf, await fitting_values(leaf, gwen, asks=not is_of_another_game(leaf))
        )
        wrong += [f"/{leaf.line}: {fault}" for fault in faults(answer)]
        for message in messages(answer):
            async for name, pressed in press_all(gwen, message):
                wrong += [f"/{leaf.line} [{name}]: {fault}" for fault in faults(pressed)]

    assert "\n".join(wrong) == ""


OPENS_A_FORM = ("Write", "Name ", "Enter ")


@pytest.mark.parametrize("kind", HOSTILE)
async def test_no_form_of_the_wizard_is_broken_by_a_hostile_text(house: Table, kind: str) -> None:
    party = await open_evening(house)
    alice = party.alice
    wrong: list[str] = []

    written = 0

    async def write(button: str, texts: Callable[[int], str]) -> None:
        opened = await alice.presses(button)
        assert opened.modal is not None
        fields = {
            one["custom_id"]: texts(place)
            for place, one in enumerate(walk_components(opened.modal["components"]))
            if one.get("custom_id")
        }
        hands = house.discord.hands
        alice.answer = await hands.submit(alice.member, opened, fields, unchecked=True)

    await alice.types("/character create")
    for page in range(1, 7):
        if page > 1:
            await alice.presses("Next", hears=f"{page} of 6")
        assert alice.answer is not None
        if "[Kind of bonus]" in alice.answer.text:
            await alice.chooses("Kind of bonus", "Double")
        for button in [one for one in alice.answer.buttons if one.startswith(OPENS_A_FORM)]:
            await write(button, lambda _place: HOSTILE[kind])
            wrong += faults(alice.answer)
            await write(button, partial("Page {} skill {}".format, page))  # so that Next is open
            written += 1

    assert written >= 3
    assert "\n".join(wrong) == ""


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[1,", b"null", b"\xff\xfe" * 50, b"[" * 60_000, b'{"name": ' + b"9" * 5000 + b"}"],
    ids=["empty", "object", "cut", "null", "no text", "deep", "huge number"],
)
async def test_a_hostile_file_is_refused(house: Table, content: bytes) -> None:
    party = await open_evening(house)

    answer = await party.bob.types("/character import", file=Upload("character.json", content))

    assert faults(answer) == []
    assert answer.buttons == []


HOSTILE_MODULES = {
    "a name of 20,000 parts": ("a." * 20_000 + "a = 1", "Line 1 is longer than 8,192 characters."),
    "a name of 4,000 parts": ("a." * 4000 + "a = 1", "Line 1 has a name of more than 8 parts."),
    "many names of parts": ("a.b.c.d.e.f.g = 1\n" * 14_000, "Cannot overwrite a value"),
    "lists in lists": ("a = " + "[" * 4000, "Line 1 has more than 16 brackets within each other."),
    "tables in tables": ("a = " + "{a=" * 2000, "Line 1 has more than 16 brackets within each other."),
    "many tables": (
        "".join(f"[a{n:x}]\n" for n in range(30_000)),
        "There are more than 25,000 values in it.",
    ),
    "many rows": ("[[skills]]\n" * 12_000, "things in this module are wrong. Is it the right file?"),
    "a long name": (f'"{"x" * 5000}" = 1', "Line 1 has a name or number of more than 200 characters."),
    "a long number": ("x = 1\ny = " + "9" * 5000, "Line 2 has a name or number of more than 200 characters."),
    "JSON": (
        '{"skills": [' + "0," * 24_000 + "0]}",
        "24,003 things in this module are wrong. Is it the right file?",
    ),
    "deep JSON": ('{"a":' * 40_000, "Line 1 has more than 16 brackets within each other."),
    "a broken text": ("'" * 8000 + '"' * 8000, "Line 1 is longer than 8,192 characters."),
}
SPARE = 1 << 30  # bytes the bot may allocate beyond its start before its limit stops it


def memory_kb(pid: int, what: str) -> int:
    """Return a process's VmSize (address space) or VmHWM (peak memory), in kB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.findall(rf"{what}:\s+(\d+)", status)[0])


async def test_f_rel_01_a_hostile_file_takes_no_memory(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice = party.gwen, party.alice
    await open_campaign(party, game="RPJ Core")
    whole = write_document(MODULES["fantasy"], FileKind.TOML).encode()
    await gwen.types(
        "/gm module import", file=Upload("m.toml", whole), hears="now uses the module in this file"
    )
    limit = memory_kb(table.pid, "VmSize") * 1024 + SPARE
    resource.prlimit(table.pid, resource.RLIMIT_AS, (limit, limit))
    before = memory_kb(table.pid, "VmHWM")

    for text, said in HOSTILE_MODULES.values():
        await gwen.types("/gm module import", file=Upload("m.toml", text.encode()), hears=said)
    character = b'{"sheet": ' + b'{"a":' * 10_000
    await alice.types(
        "/character import",
        file=Upload("c.json", character),
        hears="This isn't a character file. Line 1 has more than 16 brackets within each other.",
    )
    await gwen.types(
        f"/campaign settings setting:traits value:{'[' * 490}",
        hears="line 1 has more than 16 brackets within each other.",
    )

    assert memory_kb(table.pid, "VmHWM") - before < 50 * 1024
