"""Everything stored by an earlier release works with today's bot, also copied to PostgreSQL and back."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from bot.playground.discord import read
from bot.playground.discord.payloads import Payload
from bot.rules import rulesets
from bot.store.copying import copy_database
from bot.store.records import ALL_SHARDS, CampaignId, ServerId
from bot.store.transaction import Transaction, open_store
from bot.table.base.stored_rolls import load
from bot.table.journal.verify import replay_journals, verify
from tests.e2e.fighting import boards
from tests.e2e.people import Actor, Party, is_whole
from tests.e2e.table import Table, open_table
from tests.releases.pressing import ACTS, ASKS, TELLS, controls, press_as_stored, press_everything
from tests.releases.scenes import shown
from tests.releases.stored import FINISHES, JOURNAL, Release, people_of, releases
from tests.store.postgres_server import new_database
from tests.store.rows import an_entry, change, every_row

WAIT_SECONDS = 20.0
TWO_HOURS = 2 * 60 * 60
FIGHTS = {  # who presses which open button ("End the turn", later "End turn"), and what the bot says then
    "The Manor House": ("Bob", "Take the wound", "acts**"),
    "The Harbour": ("Gwen", "End t", "acts"),
    "The Hive": ("Alice", "Roll again", "**Gurrun acts**"),
    "The Dome": ("Gwen", "Ogre counters", "the opponents' turn"),
    "The Crater": ("Bob", "Juno Marsh defends · ", "round 2, the players' turn"),
    "The Old Pass": ("Alice", "End t", "turn."),
    "The Ford": ("Bob", "Gorm Halvard: dodge", "It is Gorm Halvard's turn."),
    "The Mill": ("Alice", "Ilsa Roan: save on", "It is Ilsa Roan's turn."),
    "The Tower": ("Alice", "Lucky Break", "It is Gorm Halvard's turn."),
    "The Dock": ("Bob", "Rex: shoot", "It is Juno's turn."),
}
RPJ_FIGHTS = ("The Old Pass", "The Ford", "The Mill", "The Tower", "The Dock")
MOST_STEPS = 40  # of a stored fight, until nothing is waiting
RANKS = {TELLS: 0, ASKS: 1, ACTS: 2}  # a button may do more than it did, not less
every_release = pytest.mark.parametrize("release", releases(), ids=lambda release: release.name)
# One of each game; the others are continued on the copy of the copy.
ON_POSTGRES = ("The Manor House", "The Dome", "The Old Pass")
BACK_IN_A_FILE = ("The Harbour", "The Hive", "The Ford")


def ids_of(database: Path) -> set[tuple[str, int, int]]:
    """Return the table, the server and the id of every row that has an id."""
    with closing(sqlite3.connect(database)) as connection:
        return {
            (table, server, id_)
            for table in ("campaigns", "characters", "countdowns", "drafts", "entries", "follow_ups")
            for server, id_ in connection.execute(f"SELECT server_id, id FROM {table}")
        }


def next_entry(tx: Transaction, server: ServerId) -> int:
    """Make an entry; return its id."""
    return tx.add_entry(an_entry(CampaignId(1), "new", server=server)).id


def assert_quiet(table: Table) -> None:
    """Assert that no error was logged and the database is sound."""
    assert [line for line in table.log if line["level"] in ("error", "critical")] == []
    assert is_whole(table.database)


@every_release
async def test_issue_12_every_old_button_does_what_it_did(release: Release, tmp_path: Path) -> None:
    """Each acts, opens a form or tells something, as with the release's own bot."""
    did = {(one["message"], one["id"]): one for one in release.presses}
    by = {key: one["by"] for key, one in did.items()}
    async with open_table(tmp_path, before=release.put) as table:
        now = [one async for one in press_everything(release, table, by)]
        assert_quiet(table)

    assert [one.control.key for one in now] == list(did)
    lost = [one for one in now if RANKS[one.does] < RANKS[did[one.control.key]["does"]]]
    assert lost == []
    assert [one for one in now if "older version" in one.text or "went wrong" in one.text] == []


@every_release
async def test_issue_12_every_stored_game_can_be_continued(release: Release, tmp_path: Path) -> None:
    """Everything can be shown, fights end, old entries are undone, characters finished, sessions ended."""
    async with open_table(tmp_path, before=release.put) as table:
        for name in release.servers:
            party = people_of(table.discord, name)
            await everything_is_shown(party)
            if name in FINISHES:
                await an_old_entry_is_undone(release, table, party)
            if name in FIGHTS:
                await the_fight_goes_on(table, party)
            if name in FINISHES:
                await FINISHES[name](actor_named(party, "Cara"))
            await the_session_ends(party)
        assert_quiet(table)


@every_release
def test_issue_12_every_stored_fight_is_read_completely(release: Release, tmp_path: Path) -> None:
    """Each fight has the same combatants, round, turn and pending steps as before."""
    database = tmp_path / "table.db"
    release.put_database(database, seconds_ago=0)
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute(
            "SELECT ruleset, key, body FROM documents JOIN campaigns"
            " ON campaigns.server_id = documents.server_id AND campaigns.id = documents.campaign_id"
            " WHERE key LIKE 'encounter/%'"
        ).fetchall()
    assert len(found) == len(FIGHTS)
    for ruleset, key, text in found:
        body = json.loads(text)
        model = rulesets()[ruleset].documents["encounter"]
        now = load(model, body, key).model_dump(mode="json")
        there, lurking = stored_combatants(body)
        hidden = [one["character"] for one in now["combatants"] if one["is_hidden"]]
        assert [one["name"] for one in now["combatants"] if not one["is_hidden"]] == there
        assert (now["round"], hidden, now.get("steps", [])) == (body["round"], lurking, body.get("steps", []))
        assert now.get("turn") == body.get("fight", body).get("turn")


def stored_combatants(body: Payload) -> tuple[list[str], list[int]]:
    """Return the names of a stored fight's combatants in sight, and the ids of the hidden ones."""
    if "combatants" not in body:  # the first shape of a fight
        seen = body.get("fight", {}).get("fighters", body["seats"])
        return [one["name"] for one in seen], body["lurking"]
    everybody = body["combatants"]
    return (
        [one["name"] for one in everybody if not one["is_hidden"]],
        [one["character"] for one in everybody if one["is_hidden"]],
    )


@every_release
async def test_issue_16_every_row_that_buttons_name_keeps_its_id(release: Release, tmp_path: Path) -> None:
    """None is changed or used again, whether they were counted for the whole file or for each server."""
    database = tmp_path / "table.db"
    release.put_database(database, seconds_ago=0)
    before = ids_of(database)
    store = await open_store(f"sqlite:///{database}")
    servers = await store.read(lambda reader: reader.servers(ALL_SHARDS))
    next_ids = [await store.run(partial(next_entry, server=server)) for server in servers]
    await store.close()

    after = ids_of(database)
    entries = sorted((server, id_) for table, server, id_ in before if table == "entries")
    highest = dict(entries)
    if len({id_ for _server, id_ in entries}) == len(entries):  # counted for the whole file
        highest = dict.fromkeys(highest, max(highest.values()))
    made = {("entries", server, highest[server] + 1) for server in servers}
    assert len(servers) == len(release.servers) > 1
    assert next_ids == [highest[server] + 1 for server in servers]
    assert after == before | made
    assert is_whole(f"sqlite:///{database}")


@every_release
async def test_issue_12_overdue_tasks_run_after_the_start(release: Release, tmp_path: Path) -> None:
    def hours_ago(table: Table) -> None:
        release.put(table, seconds_ago=TWO_HOURS)

    async with open_table(tmp_path, before=hours_ago) as table:
        ford = people_of(table.discord, "The Ford")
        await shown(ford.gwen, "chooses for Gorm Halvard")
        for name in release.servers:
            await people_of(table.discord, name).gwen.types("/session status", hears="ession 2")
        assert_quiet(table)


@every_release
def test_issue_12_old_journals_verify(release: Release, tmp_path: Path) -> None:
    assert release.journals.keys() == {name.lower().replace(" ", "-") for name in release.servers}
    for name in release.journals:
        report = verify(release.folder / f"{name}{JOURNAL}")
        assert (name, report.faults, report.revealed) == (name, [], [1, 2])


async def everything_is_shown(party: Party) -> None:
    """Show sheets, the log, the recap, settings, the module, game time and countdowns."""
    gwen, alice, bob = party.everybody
    for player in (alice, bob):
        await player.types("/character sheet", hears="###")
    for line, says in (
        ("/character list", "**Characters**"),
        ("/log", f"Journal of {party.server.name}"),
        ("/session recap number:1", "**Session 1**, recap"),
        ("/session status", "ession 2"),
        ("/fair", "Seed 1, revealed"),
        ("/campaign settings", "Ping at turns"),
        ("/gm module show", ""),
        ("/gm time", "day 1"),
        ("/countdown show", "ountdown"),
    ):
        await gwen.types(line, hears=says)


async def the_fight_goes_on(table: Table, party: Party) -> None:
    """Finish what is open, pass the turn and end the fight."""
    who, label, next_turn = FIGHTS[party.server.name]
    await actor_named(party, who).presses(label)
    if party.server.name in RPJ_FIGHTS:
        for _ in range(MOST_STEPS):
            if "Nothing is waiting" in (await party.gwen.types("/rpj-gm-fight go-on")).text:
                break
        else:
            pytest.fail(f"{party.server.name}: after {MOST_STEPS} steps something is still waiting")
    await party.gwen.types("/encounter next", hears=next_turn)
    if "yet" in (await party.gwen.types("/gm encounter end")).text:
        await party.gwen.presses("Waive")
    await table.discord.until(lambda: not boards(table, party), WAIT_SECONDS)


async def an_old_entry_is_undone(release: Release, table: Table, party: Party) -> None:
    """Press an Undo button from before the update, of an entry that let game time pass."""
    stored, component = next(
        (stored, component)
        for control, stored, component in controls(release)
        if (control.server, control.kind) == (party.server.name, "undo") and "10 min" in said(stored)
    )
    await press_as_stored(table, party.gwen, stored, component)
    await party.gwen.types("/gm time", hears="It is **day 1, 00:00**")


def said(stored: Payload) -> str:
    """Return what a message says."""
    return read(stored["payload"])


async def the_session_ends(party: Party) -> None:
    """End the session, which reveals its seed."""
    gwen = party.gwen
    await gwen.types("/session end", hears="Ending session 2")
    await gwen.presses("End the session", hears="has ended")
    await gwen.types("/fair", hears="Seed 2, revealed")


def actor_named(party: Party, name: str) -> Actor:
    """Return a member of the party's server by name."""
    member = next(one for one in party.server.members if one.name == name)
    return Actor(member, party.transcript)


@pytest.mark.parametrize("release", releases(), ids=lambda release: release.name)
async def test_issue_16_copies_are_the_same_and_the_bot_goes_on_with_them(
    release: Release, tmp_path: Path, postgres: Path
) -> None:
    first, there = tmp_path / "first.db", f"{new_database(postgres)}&connect_timeout=60"
    release.put_database(first, seconds_ago=60)
    await (await open_store(f"sqlite:///{first}")).close()  # which migrates it

    said = copied(f"sqlite:///{first}", there)
    assert said[-1].startswith("Replayed 11 journals, ")
    await goes_on(release, tmp_path / "there", there, ON_POSTGRES)
    copied(there, f"sqlite:///{tmp_path}/back.db")
    change(
        f"sqlite:///{tmp_path}/back.db", "DELETE FROM server_commands"
    )  # the next Discord has none of them
    await goes_on(release, tmp_path / "back", f"sqlite:///{tmp_path}/back.db", BACK_IN_A_FILE)


def copied(source: str, target: str) -> list[str]:
    """Copy a database, compare every row, and return what was said."""
    said: list[str] = []
    copy_database(source, target, said.append, replay_journals)
    assert every_row(target) == every_row(source)
    return said


async def goes_on(release: Release, folder: Path, database: str, servers: tuple[str, ...]) -> None:
    """Press old buttons in some servers, undo something there, and end their sessions."""
    os.mkdir(folder)
    async with open_table(
        folder, database=database, before=lambda table: release.put_discord(table.discord)
    ) as table:
        for name in servers:
            party = people_of(table.discord, name)
            if name in FINISHES:
                await an_old_entry_is_undone(release, table, party)
            if name in FIGHTS:
                await the_fight_goes_on(table, party)
            await the_session_ends(party)
        assert_quiet(table)
