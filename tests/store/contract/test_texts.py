"""Texts with U+0000, which no text of PostgreSQL can have, in every store."""

from bot.store.records import CampaignId, JsonObject
from bot.store.store import Store
from bot.store.transaction import Reader, Transaction
from tests.store.rows import HERE, Journalled, a_campaign, a_character, an_entry

DUSK = CampaignId(1)
MIRA = "Mi\0ra"


async def test_a_document_is_read_as_it_was_saved(store: Store) -> None:
    journalled = Journalled(store)
    await journalled.do(lambda tx: tx.save_campaign(a_campaign()))
    body: JsonObject = {"a\0": "\0b", "\\u0000": "\ufffd"}

    entry = await journalled.do(lambda tx: tx.save_document(HERE, DUSK, "scene", body), told=body)
    await journalled.do(lambda tx: tx.save_document(HERE, DUSK, "scene", {}))

    found = await store.read(lambda reader: reader.entry(HERE, entry.id))
    assert found is not None
    assert found.told == body
    assert found.changes[0].after == {"body": body}


async def test_nothing_is_found_by_it(store: Store) -> None:
    journalled = Journalled(store)
    await journalled.do(lambda tx: tx.save_campaign(a_campaign()))
    await journalled.do(lambda tx: tx.save_character(a_character(DUSK, "Mira")))

    def search(reader: Reader) -> list[object]:
        return [
            reader.character_named(HERE, DUSK, MIRA),
            reader.countdown_named(HERE, DUSK, MIRA),
            reader.entry_of(HERE, MIRA),
            *reader.characters(HERE, DUSK, contains=MIRA),
            *reader.document_keys(HERE, DUSK, MIRA),
        ]

    assert await store.read(search) == [None, None, None]
    assert await store.run(search) == [None, None, None]


async def test_an_entry_with_it_in_a_name_is_saved(store: Store) -> None:
    journalled = Journalled(store)
    await journalled.do(lambda tx: tx.save_campaign(a_campaign()))

    def unit(tx: Transaction) -> str:
        tx.add_entry(an_entry(DUSK, "named", person_name=MIRA))
        found = tx.entry_of(HERE, "named")
        assert found is not None
        return found.person_name

    assert await store.run(unit) in {MIRA, "Mi\ufffdra"}
