"""Two servers with the same bot never see each other's data."""

from __future__ import annotations

import pytest

from bot.playground.discord import Answer
from bot.playground.discord.interactions import Kind
from bot.playground.discord.message_limits import EPHEMERAL
from bot.playground.discord.payloads import Payload
from tests.e2e.opening import ALICES, GAME, open_play, told_apart
from tests.e2e.people import Party, everything_of, gather
from tests.e2e.sweeping import (
    Tables,
    completions,
    everything_in,
    fitting_values,
    leaves,
    messages,
    press_all,
    type_it,
)
from tests.e2e.table import Table

pytestmark = pytest.mark.usefixtures("library")

CANARY = "Kanarie"


async def open_canaries(house: Table) -> tuple[Party, list[Payload]]:
    """Open a session in which every name and note has a canary word; return its messages too."""
    party = gather(house.discord, f"{CANARY} Hall")
    gwen, alice, bob = party.everybody
    for actor in party.everybody:
        actor.member.name = f"{CANARY} {actor.member.name}"
    answers = [await gwen.types(f"/campaign create ruleset:{GAME} name:{CANARY} Manor")]
    answers += [await alice.types(f"/character create ready:{ALICES} name:{CANARY} Mina")]
    answers += [await bob.types(f"/character create ready:{ALICES} name:{CANARY} Bram")]
    answers += [await alice.types("/character create")]
    answers += [await gwen.types("/session start")]
    answers += [await gwen.types(f"/gm npc name:{CANARY} Butler")]
    answers += [await alice.types(f"/roll expression:2d6 label:{CANARY} stairs")]
    answers += [await gwen.types(f"/maid-gm call character:{CANARY} Mina first:Dex second:Lck")]
    answers += [await gwen.types(f"/maid initiative starter:{CANARY} Mina others:{CANARY} Bram opposed:True")]
    hidden = f"name:{CANARY} Doom kind:success difficulty:4 visibility:gm"
    answers += [await gwen.types(f"/gm countdown create {hidden}")]
    answers += [await gwen.types("/log"), await gwen.types("/fair"), await gwen.types("/gm purge")]
    answers += [
        await gwen.types("/session end"),
        await gwen.types("/session recap"),
        await gwen.types("/help"),
    ]
    return party, [message for answer in answers for message in messages(answer)]


async def test_one_servers_data_is_never_offered_shown_or_exported_in_another(house: Table) -> None:
    full, _ = await open_canaries(house)
    party = gather(house.discord)
    await open_play(party)
    await party.gwen.types("/session start")
    before = everything_of(house.database, full.server.id)
    leaking: list[str] = []

    for leaf in sorted(leaves(house.discord), key=lambda one: "purge" in one.line):
        for member in told_apart(leaf, (party.gwen.member, party.alice.member)):
            seen = await completions(member, leaf, told_apart(leaf, leaf.completed), ("", CANARY))
            answer = await type_it(member, leaf, await fitting_values(leaf, member))
            seen += [everything_in(answer)]
            for message in messages(answer):
                seen += [everything_in(one) async for _name, one in press_all(member, message)]
            leaking += [f"/{leaf.line}: {text[:300]}" for text in seen if CANARY in text]

    assert "\n".join(leaking) == ""
    assert everything_of(house.database, full.server.id) == before


async def test_a_name_from_another_server_gets_the_same_answer_as_an_unknown_one(house: Table) -> None:
    await open_canaries(house)
    tables = Tables(house.database, lambda _game: table_of_the_game(house))
    different: list[str] = []

    for leaf in leaves(house.discord):
        for option in told_apart(leaf, leaf.texts):
            gwen = (await tables.laid(GAME)).gwen.member
            values = await fitting_values(leaf, gwen)
            for what in told_apart(leaf, ("Mina", "Manor")):
                texts = []
                for name in (f"{CANARY} {what}", f"Merel {what}"):
                    answer = await type_it(gwen, leaf, {**values, option["name"]: name})
                    texts.append(answer.text.replace(name, "…"))
                if texts[0] != texts[1] and "'…'" in "".join(texts):
                    different.append(f"/{leaf.line} {option['name']}: {texts[0]} / {texts[1]}")

    assert "\n".join(different) == ""


async def table_of_the_game(house: Table) -> Party:
    """Open a server with the game in which most commands work."""
    party = gather(house.discord)
    await open_play(party)
    return party


async def test_one_servers_buttons_menus_and_forms_do_nothing_in_another(house: Table) -> None:
    full, shown = await open_canaries(house)
    party = gather(house.discord)
    gwen = party.gwen.member
    before = everything_of(house.database, full.server.id)
    wrong: list[str] = []
    pressed = 0

    for message in shown:
        async for name, answer in press_all(gwen, copied(message, party)):
            pressed += 1
            if answer.failed or CANARY in everything_in(answer):
                wrong.append(f"{name}: {answer.failed or answer.text}")

    assert "\n".join(wrong) == ""
    assert pressed >= 20
    assert everything_of(house.database, full.server.id) == before


async def test_one_servers_form_is_refused_in_another(house: Table) -> None:
    full, _ = await open_canaries(house)
    party = gather(house.discord)
    for page in range(2, 7):
        await full.alice.presses("Next", hears=f"{page} of 6")
    opened = await full.alice.presses("Enter a name")
    assert opened.modal is not None
    before = everything_of(house.database, full.server.id)

    field: Payload = {"type": 4, "id": 2, "custom_id": "name", "value": "Mine"}
    sent = {"custom_id": opened.modal["custom_id"], "components": [{"type": 18, "id": 1, "component": field}]}
    table = party.server.channels[0]
    started = house.discord.interactions.start(Kind.MODAL, party.alice.member, table, sent)
    answer = await Answer(started).settled(3)

    assert answer.ephemeral
    assert "was discarded" in answer.text
    assert everything_of(house.database, full.server.id) == before


async def test_purging_one_server_leaves_another_unchanged(house: Table) -> None:
    full, _ = await open_canaries(house)
    party = gather(house.discord)
    await open_play(party)
    before = everything_of(house.database, full.server.id)

    await party.gwen.types("/gm purge")
    await party.gwen.presses("Delete everything", hears="has been deleted")

    left = everything_of(house.database, party.server.id)
    assert {name for name, rows in left.items() if rows} == {"servers"}  # how far ids were counted
    assert everything_of(house.database, full.server.id) == before


def copied(message: Payload, party: Party) -> Payload:
    """Post a copy of the message, with the same controls, in this party's server, for its GM alone."""
    body = {key: message[key] for key in ("content", "embeds", "components")}
    flags, gwen = message["flags"] | EPHEMERAL, party.gwen.member
    posted = gwen.discord.messages.post(gwen.server.channels[0], body, [], flags=flags, visible_to=gwen.id)
    return posted.payload
