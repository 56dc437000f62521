"""Favourites: kept per character, one of each name, in the order they were first kept."""

from bot.store.records import FavouriteRecord, ServerId
from bot.store.store import Store
from tests.store.rows import ELSEWHERE, HERE

ZOE, ADA = 7, 8


def a_favourite(
    name: str, bonus: int = 0, *, character: int = ZOE, server: ServerId = HERE
) -> FavouriteRecord:
    return FavouriteRecord(server=server, character=character, name=name, body={"bonus": bonus})


async def save(store: Store, *favourites: FavouriteRecord) -> list[int]:
    return [await store.run(lambda tx, one=one: tx.save_favourite(one)) for one in favourites]  # type: ignore[misc]


async def kept(store: Store, character: int = ZOE, server: ServerId = HERE) -> list[tuple[str, object]]:
    found = await store.read(lambda reader: reader.favourites(server, character))
    return [(one.name, one.body["bonus"]) for one in found]


async def test_favourites_come_in_the_order_they_were_kept_and_only_of_their_character(store: Store) -> None:
    await save(store, a_favourite("Sneak", 1), a_favourite("Climb", 2), a_favourite("Other", character=ADA))
    await save(store, a_favourite("Far away", server=ELSEWHERE))

    assert await kept(store) == [("Sneak", 1), ("Climb", 2)]
    assert await kept(store, ADA) == [("Other", 0)]


async def test_a_favourite_of_the_same_name_in_another_spelling_is_replaced_in_its_place(
    store: Store,
) -> None:
    first, _second, again = await save(
        store, a_favourite("Sneak", 1), a_favourite("Climb", 2), a_favourite(" SNEAK", 3)
    )

    assert again == first
    assert await kept(store) == [(" SNEAK", 3), ("Climb", 2)]


async def test_a_dropped_favourite_is_gone_and_another_servers_stays(store: Store) -> None:
    (own,) = await save(store, a_favourite("Sneak"))

    await store.run(lambda tx: tx.drop_favourite(ELSEWHERE, own))
    assert await kept(store) == [("Sneak", 0)]
    await store.run(lambda tx: tx.drop_favourite(HERE, own))

    assert await kept(store) == []
