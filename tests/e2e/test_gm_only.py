"""GM commands, options and secrets are refused to everybody else, on every path."""

from __future__ import annotations

import pytest

from bot.playground.discord import Member
from bot.rules import rulesets
from tests.e2e.opening import ALICES, GAME, open_other, open_play, told_apart
from tests.e2e.people import Party, everything_of, gather
from tests.e2e.sweeping import (
    Leaf,
    Tables,
    completions,
    everything_in,
    fitting_values,
    is_refused,
    leaves,
    messages,
    press_all,
    type_it,
)
from tests.e2e.table import Table

pytestmark = pytest.mark.usefixtures("library")

HIDDEN, SECRET = "Zzyzx the Unseen", "zzyzx ambush"
# Names that are given, not looked up (F-REL-08).
GIVEN = {("character create", "name"), ("character import", "name"), ("character rename", "to")}
COUNTDOWN = "name:Zzyzx Doom kind:success difficulty:4 visibility:gm check:check note:zzyzx"


async def open_with_secrets(house: Table) -> Party:
    """Open a session with a hidden character and a secret roll."""
    party = gather(house.discord)
    await party.gwen.types("/campaign create ruleset:Post-magic-maid name:Long ago")
    await party.gwen.types("/campaign archive", hears="Long ago")
    await open_play(party)
    await party.gwen.types("/campaign bind")
    party.server.schedule_event("An evening at the Manor")
    await party.gwen.types("/session start")
    await party.gwen.types(f"/gm set wounds character:{ALICES} level:Blunt · slight filled:1", hears="0 → 1")
    await party.gwen.types(f"/gm npc name:{HIDDEN} hidden:True")
    await party.gwen.types(f"/roll expression:1d20 label:{SECRET} secret:True")
    await party.gwen.types(f"/gm countdown create {COUNTDOWN}", hears="Zzyzx Doom")
    return party


def game_of(leaf: Leaf) -> str:
    """The game in which a command can be used: a game's own commands need its campaign."""
    command = leaf.line.split()[0].split("-")[0]
    return next((one.title for one in rulesets().values() if one.command == command), GAME)


def tables_of(house: Table) -> Tables:
    """A table of each game, the usual one with secrets."""

    async def lay(game: str) -> Party:
        if game == GAME:
            return await open_with_secrets(house)
        party = gather(house.discord)
        await open_other(party, game)
        return party

    return Tables(house.database, lay)


def carol(party: Party) -> Member:
    """Somebody who is there and plays nobody."""
    there = (one for one in party.server.members if one.name == "Carol")
    return next(there, None) or party.server.add_member("Carol")


async def test_every_gm_command_is_refused_to_others_and_changes_nothing(house: Table) -> None:
    wrong: list[str] = []
    tables = tables_of(house)
    for leaf in (one for one in leaves(house.discord) if one.is_for_gm):
        party = await tables.laid(game_of(leaf))
        values = await fitting_values(leaf, party.gwen.member, every=True)
        before = everything_of(house.database, party.server.id)

        for member in (carol(party), party.alice.member):
            answer = await type_it(member, leaf, values)
            if not is_refused(answer) or everything_of(house.database, party.server.id) != before:
                wrong.append(f"/{leaf.line} for {member.name}: {answer.failed or answer.text}")
        if is_refused(await type_it(party.gwen.member, leaf, values)):
            wrong.append(f"/{leaf.line} is refused to the GM")

    assert "\n".join(wrong) == ""


async def test_at_least_twenty_commands_are_marked_as_the_gms(house: Table) -> None:
    marked = [leaf.line for leaf in leaves(house.discord) if leaf.is_for_gm]

    assert len(marked) >= 20
    assert all(leaf.is_for_gm for leaf in leaves(house.discord) if "gm" in leaf.line.split()[0].split("-"))


async def test_every_gm_option_is_refused_to_others(house: Table) -> None:
    wrong: list[str] = []
    tables = tables_of(house)
    for leaf in (one for one in leaves(house.discord) if not one.is_for_gm):
        for option in leaf.for_gm:
            party = await tables.laid(game_of(leaf))
            alice = party.alice.member
            needed = await fitting_values(leaf, alice)
            before = everything_of(house.database, party.server.id)

            value = (await fitting_values(leaf, alice, every=True))[option["name"]]
            answer = await type_it(alice, leaf, {**needed, option["name"]: value})
            after = everything_of(house.database, party.server.id)
            without = await type_it(alice, leaf, needed)

            if after != before or not (is_refused(answer) or answer.text == without.text):
                wrong.append(f"/{leaf.line} {option['name']}: {answer.failed or answer.text}")

    assert "\n".join(wrong) == ""


async def test_others_cannot_use_any_control_under_the_gms_answers(house: Table) -> None:
    wrong: list[str] = []
    tables = tables_of(house)
    pressed = 0
    for leaf in (one for one in leaves(house.discord) if one.is_for_gm):
        party = await tables.laid(GAME)
        values = await fitting_values(leaf, party.gwen.member)
        shown = messages(await type_it(party.gwen.member, leaf, values))
        before = everything_of(house.database, party.server.id)

        for message in shown:
            async for name, answer in press_all(carol(party), message):
                pressed += 1
                if name.startswith("hero:"):  # the ways in are for everybody
                    before = everything_of(house.database, party.server.id)
                    continue
                if answer.failed or everything_of(house.database, party.server.id) != before:
                    wrong.append(f"/{leaf.line} [{name}]: {answer.failed or answer.text}")

    assert "\n".join(wrong) == ""
    assert pressed >= 15


async def test_others_cannot_submit_a_form_that_the_gm_opened(house: Table) -> None:
    party = await open_with_secrets(house)
    await party.gwen.types("/character create")
    for page in range(2, 7):
        await party.gwen.presses("Next", hears=f"{page} of 6")
    opened = await party.gwen.presses("Enter a name")
    before = everything_of(house.database, party.server.id)

    answer = await carol(party).submit(opened, name="Mine")

    assert answer.ephemeral
    assert everything_of(house.database, party.server.id) == before


async def test_no_command_button_completion_or_file_shows_what_the_gm_hides(
    house: Table,
) -> None:
    party = await open_with_secrets(house)
    leaking: list[str] = []

    for leaf in leaves(house.discord):
        for member in told_apart(leaf, (party.alice.member, carol(party))):
            offered = await completions(member, leaf, told_apart(leaf, leaf.completed), ("", "zzyzx"))
            answer = await type_it(member, leaf, await fitting_values(leaf, member))
            seen = [*offered, everything_in(answer)]
            for message in messages(answer):
                seen += [everything_in(one) async for _name, one in press_all(member, message)]
            leaking += [f"/{leaf.line}: {text}" for text in seen if "zzyzx" in text.lower()]

    assert "\n".join(leaking) == ""


async def test_a_hidden_name_gets_the_same_answer_as_an_unknown_one(house: Table) -> None:
    party = await open_with_secrets(house)
    different: list[str] = []
    nobody = "Qqyzx the Unseen"

    for leaf in leaves(house.discord):
        for option in told_apart(leaf, leaf.texts):
            if (leaf.line, option["name"]) in GIVEN:
                continue
            values = await fitting_values(leaf, party.alice.member)
            texts = []
            for name in (HIDDEN, nobody):
                answer = await type_it(party.alice.member, leaf, {**values, option["name"]: name})
                texts.append(answer.text.replace(name, "…"))
            if "no character called" in texts[1] and texts[0] != texts[1]:
                different.append(f"/{leaf.line} {option['name']}: {texts[0]}")

    assert "\n".join(different) == ""


async def test_f_rel_08_a_player_can_take_a_hidden_name_and_only_the_gm_learns_of_the_clash(
    house: Table,
) -> None:
    """A player who tries names learns nothing: the hidden character gets another name."""
    party = await open_with_secrets(house)

    renamed = await party.alice.types(
        f"/character rename name:{ALICES} to:{HIDDEN}", hears=f"is now called {HIDDEN}"
    )

    assert f"{HIDDEN} 2" not in renamed.text
    assert "hidden" not in (await party.alice.types("/log", hears="is now called")).text
    await party.gwen.types("/log", hears=f"your hidden {HIDDEN} is now called {HIDDEN} 2")
    await party.gwen.types("/character list", hears=f"{HIDDEN} 2")
    await party.alice.types("/undo", hears="undoes")
    assert f"{HIDDEN} 2" not in (await party.gwen.types("/character list", hears=[ALICES, HIDDEN])).text


async def test_a_campaign_gm_and_the_gm_role_can_use_gm_commands(house: Table) -> None:
    party = gather(house.discord)
    await open_play(party)
    role = party.server.add_role("Storytellers")
    dora = party.server.add_member("Dora", roles=(role,))
    await party.gwen.types("/campaign gm person:@Bob")
    await party.gwen.types("/campaign gm role:@Storytellers", hears="makes Storytellers the GM role")
    await party.gwen.types("/campaign gm", hears="Choose either a person or a role.")

    by_name = await party.bob.types("/gm time amount:1 unit:hours", hears="lets 1 h pass")
    by_role = await dora.slash("gm award", resource="Blitz Points", amount=1, characters=ALICES)

    assert not by_name.ephemeral
    assert "3 → 4" in by_role.text
