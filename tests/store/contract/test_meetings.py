"""Planned sessions: one for each campaign, replaced and forgotten with it alone."""

from bot.store.records import CampaignId, MeetingRecord, ServerId
from bot.store.store import Store
from tests.store.rows import ELSEWHERE, HERE

FIRST, SECOND = CampaignId(1), CampaignId(2)


def a_meeting(name: str, campaign: CampaignId = FIRST, server: ServerId = HERE) -> MeetingRecord:
    return MeetingRecord(server=server, campaign=campaign, body={"name": name})


async def test_a_campaign_has_one_planned_session_and_another_servers_is_another(store: Store) -> None:
    for one in (
        a_meeting("Old"),
        a_meeting("New"),
        a_meeting("Other", SECOND),
        a_meeting("Far", FIRST, ELSEWHERE),
    ):
        await store.run(lambda tx, one=one: tx.save_meeting(one))  # type: ignore[misc]

    assert await store.read(lambda reader: reader.meeting(HERE, FIRST)) == {"name": "New"}
    assert await store.read(lambda reader: reader.meetings(HERE)) == [
        a_meeting("New"),
        a_meeting("Other", SECOND),
    ]


async def test_a_forgotten_planned_session_is_gone_and_others_stay(store: Store) -> None:
    for one in (a_meeting("Own"), a_meeting("Far", FIRST, ELSEWHERE)):
        await store.run(lambda tx, one=one: tx.save_meeting(one))  # type: ignore[misc]

    await store.run(lambda tx: tx.drop_meeting(HERE, FIRST))

    assert await store.read(lambda reader: reader.meeting(HERE, FIRST)) is None
    assert await store.read(lambda reader: reader.meetings(ELSEWHERE)) == [a_meeting("Far", FIRST, ELSEWHERE)]
