"""A person's data: shown, given as a file and deleted, also over a restart (F-ALL-28)."""

from __future__ import annotations

from bot.playground.discord.payloads import Payload
from tests.databases import rows_of
from tests.e2e.opening import ALICES, open_play
from tests.e2e.people import gather
from tests.e2e.records import is_whole
from tests.e2e.table import Table

WORDS = "Alyssa Kanarie"


async def test_a_players_data_is_deleted_and_the_others_play_on(table: Table) -> None:
    party = gather(table.discord)
    gwen, alice, bob = party.everybody
    alice.member.name = WORDS
    await open_play(party)
    await gwen.types("/session start")
    await alice.types("/roll expression:2d6", hears=f"**{WORDS}** rolls")
    told = await alice.types("/privacy", hears=["What I store about you", ALICES, "my-data.json"])
    assert told.ephemeral
    (file,) = attached(told.message)
    assert WORDS.encode() in table.discord.files.content(file)
    await alice.presses("Delete my data", hears="You can't undo this.")

    await table.restart()
    await alice.presses("Delete it", hears=["is deleted", "1 character retired."])
    await alice.types("/privacy", hears="I store nothing about you on this server.")

    stored = repr(rows_of(table.database))
    assert is_whole(table.database)
    assert WORDS not in stored
    assert str(alice.member.id) not in stored
    await bob.types("/roll expression:2d6", hears="**Bob** rolls")
    await gwen.types("/session end")
    await gwen.types("/log", hears="A former player")


def attached(message: Payload | None) -> list[Payload]:
    """The files under a message."""
    assert message is not None
    return list(message["attachments"])
