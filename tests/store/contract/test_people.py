"""Putting a stand-in in a person's place: everywhere in their server, and rows and journal alike."""

from typing import Any

from bot.store.journalled_tables import from_text, to_text
from bot.store.records import DraftRecord, FollowUpRecord, Json, JsonObject, ServerId
from bot.store.transaction import Store, Transaction
from tests.store.rows import ELSEWHERE, HERE, a_campaign, a_character, an_entry

ZOE, STAND_IN = 300_000_000_000_000_007, 5
LONGER = 3_000_000_000_000_000_071  # has the digits of Zoe's id in it


def same(told: JsonObject, rolls: list[Json], _is_theirs: bool) -> tuple[JsonObject, list[Json]]:
    return told, rolls


def fill(tx: Transaction, server: ServerId) -> Any:
    """Name somebody in every place that can name them."""
    campaign = tx.save_campaign(a_campaign("Dusk", server=server))
    body: JsonObject = {
        "who": ZOE,
        f"of {ZOE}": [f"<@{ZOE}>", LONGER, True, 1.5, None],
        "people": {str(ZOE): {"name": "Zoe", "comes": "yes"}, "7": {"name": "Zoe"}},
    }
    character = tx.save_character(a_character(campaign, owner=ZOE, server=server, sheet=to_text({"by": ZOE})))
    tx.set_current_character(server, campaign, ZOE, character)
    tx.set_gm(server, campaign, ZOE, is_gm=True)
    tx.save_document(server, campaign, f"notes/{ZOE}", body)
    tx.save_draft(DraftRecord(server=server, campaign=campaign, person=ZOE, step="name", answers={}))
    entry = tx.add_entry(
        an_entry(campaign, f"own {server}", server=server, person=ZOE, person_name="Zoe", told={"who": "Zoe"})
    )
    secret = tx.add_entry(an_entry(campaign, f"secret {server}", server=server, is_secret=True))
    tx.set_revealed(secret, [ZOE])
    tx.add_entry(an_entry(campaign, f"reveal {server}", server=server))
    follow_up = FollowUpRecord(server=server, campaign=campaign, entry=entry.id, body=body, group="one")
    tx.add_follow_ups([follow_up])
    return entry


async def test_nothing_of_the_server_names_the_person_and_everything_of_another_does(store: Store) -> None:
    here = await store.run(lambda tx: fill(tx, HERE))
    there = await store.run(lambda tx: fill(tx, ELSEWHERE))

    await store.run(lambda tx: tx.replace_person(HERE, ZOE, STAND_IN, "Somebody", same))

    entry = await store.read(lambda reader: reader.entry(HERE, here.id))
    assert entry is not None
    assert (entry.person, entry.person_name) == (STAND_IN, "Somebody")
    assert str(ZOE) not in str(entry.changes).replace(str(LONGER), "")
    body = await store.read(lambda reader: reader.document(HERE, here.campaign, f"notes/{STAND_IN}"))
    assert body == {
        "who": STAND_IN,
        f"of {STAND_IN}": [f"<@{STAND_IN}>", LONGER, True, 1.5, None],
        "people": {str(STAND_IN): {"name": "Somebody", "comes": "yes"}, "7": {"name": "Zoe"}},
    }
    assert await store.read(lambda reader: reader.gms(HERE, here.campaign)) == [STAND_IN]
    (character,) = await store.read(lambda reader: reader.characters(HERE, here.campaign, owner=STAND_IN))
    assert from_text(character.sheet) == {"by": STAND_IN}
    (follow_up,) = await store.read(lambda reader: reader.follow_ups(HERE, here.id))
    assert follow_up.body == body
    secret = await store.read(lambda reader: reader.entry_of(HERE, f"secret {HERE}"))
    assert secret is not None
    assert secret.revealed_to == (STAND_IN,)
    assert await store.read(lambda reader: reader.draft_of(HERE, here.campaign, ZOE)) is None
    assert await store.read(lambda reader: reader.entry(ELSEWHERE, there.id)) == there
    assert await store.read(lambda reader: reader.entries_by(ELSEWHERE, ZOE)) == 1


async def test_an_undo_still_takes_back_what_the_person_did(store: Store) -> None:
    here = await store.run(lambda tx: fill(tx, HERE))
    await store.run(lambda tx: tx.replace_person(HERE, ZOE, STAND_IN, "Somebody", same))

    def undo(tx: Transaction) -> None:
        entry = tx.entry(HERE, here.id)
        assert entry is not None
        tx.revert(entry)
        tx.add_entry(an_entry(here.campaign, "undo", undoes=here.id))

    await store.run(undo)

    assert await store.read(lambda reader: reader.campaigns(HERE)) == []


async def test_texts_of_others_that_say_the_name_are_told_again_too(store: Store) -> None:
    heard: list[bool] = []

    def retell(told: JsonObject, rolls: list[Json], is_theirs: bool) -> tuple[JsonObject, list[Json]]:
        heard.append(is_theirs)
        return {key: str(value).replace('Zo"e', "Somebody") for key, value in told.items()}, rolls

    def unit(tx: Transaction) -> Any:
        campaign = tx.save_campaign(a_campaign("Dusk"))
        tx.add_entry(an_entry(campaign, "1", person=ZOE, person_name='Zo"e'))
        other = tx.add_entry(an_entry(campaign, "2", told={"headline": 'undoes: Zo"e'}))
        tx.add_entry(an_entry(campaign, "3", told={"headline": "walks"}))
        tx.replace_person(HERE, ZOE, STAND_IN, "Somebody", retell)
        return other

    other = await store.run(unit)

    entry = await store.read(lambda reader: reader.entry(HERE, other.id))
    assert heard == [True, False]
    assert entry is not None
    assert entry.told == {"headline": "undoes: Somebody"}


async def test_a_number_that_is_no_id_of_discords_is_taken_for_nobody(store: Store) -> None:
    def unit(tx: Transaction) -> Any:
        campaign = tx.save_campaign(a_campaign("Dusk"))
        tx.save_document(HERE, campaign, "clock", {"day": 7})
        return tx.add_entry(an_entry(campaign, "1", person=7))

    entry = await store.run(unit)
    await store.run(lambda tx: tx.replace_person(HERE, 7, STAND_IN, "Somebody", same))

    assert await store.read(lambda reader: reader.document(HERE, entry.campaign, "clock")) == {"day": 7}
    assert await store.read(lambda reader: reader.entries_by(HERE, STAND_IN)) == 1


async def test_rows_that_name_somebody_in_a_text_are_counted(store: Store) -> None:
    def unit(tx: Transaction) -> None:
        campaign = tx.save_campaign(a_campaign("Dusk"))
        tx.save_document(HERE, campaign, "notes", {"by": ZOE})
        tx.save_document(HERE, campaign, f"of {ZOE}", {})
        tx.save_document(HERE, campaign, "others", {"by": ZOE + 1})
        tx.add_entry(an_entry(campaign, "1"))

    await store.run(unit)

    assert await store.read(lambda reader: reader.rows_naming(HERE, ZOE)) == 2
    assert await store.read(lambda reader: reader.rows_naming(ELSEWHERE, ZOE)) == 0
    await store.run(lambda tx: tx.replace_person(HERE, ZOE, STAND_IN, "Somebody", same))
    assert await store.read(lambda reader: reader.rows_naming(HERE, ZOE)) == 0
