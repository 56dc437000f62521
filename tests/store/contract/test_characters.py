"""Characters with their resources, wounds and timers in every store."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.store.connection import Contradiction, NameTaken, OutOfBounds
from bot.store.journalled_tables import to_text
from bot.store.records import CampaignId, FavoriteRecord, ServerId
from bot.store.transaction import Reader, Store, Transaction
from tests.store.rows import ANN, BEN, ELSEWHERE, HERE, Journalled, a_campaign, a_character, saving

DUSK, DAWN = CampaignId(1), CampaignId(2)


@pytest.fixture
async def journalled(store: Store) -> Journalled:
    """The campaigns Dusk and Dawn."""
    beginning = Journalled(store)
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dusk")))
    await beginning.do(lambda tx: tx.save_campaign(a_campaign("Dawn")))
    return beginning


MIRA = a_character(
    DUSK,
    "Mira",
    sheet=to_text({"might": 2}),
    is_hidden=True,
    resources={"coin": (12, None), "luck": (3, 5)},
    wounds={"body": ((1, 2), (0, 0)), "mind": ((0, 4),)},
    timers={"poison": 7200},
)


class TestCharacter:
    async def test_a_character_is_read_back_with_all_its_rows(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_character(MIRA))

        kept = await journalled.store.read(lambda reader: reader.character(HERE, 1))

        assert kept == replace(MIRA, id=1)
        assert await journalled.store.read(lambda reader: reader.character_name(HERE, 1)) == "Mira"
        assert await journalled.store.read(lambda reader: reader.character_name(HERE, 2)) is None

    async def test_saving_a_character_again_changes_only_what_is_different(
        self, journalled: Journalled
    ) -> None:
        await journalled.do(lambda tx: tx.save_character(MIRA))
        later = replace(
            MIRA,
            id=1,
            resources={"coin": (12, None), "luck": (2, 5)},
            wounds={"body": ((1, 2), (0, 0))},
            timers={"blessing": 60},
        )

        entry = await journalled.do(lambda tx: tx.save_character(later))

        assert [(one.table, one.before, one.after) for one in entry.changes] == [
            ("resources", {"value": 3}, {"value": 2}),
            ("wounds", {"filled": 0, "capacity": 4}, None),
            ("timers", {"due": 7200}, None),
            ("timers", None, {"due": 60}),
        ]
        assert await journalled.store.read(lambda reader: reader.character(HERE, 1)) == later

    async def test_saving_an_unchanged_character_changes_nothing(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_character(MIRA))

        entry = await journalled.do(lambda tx: tx.save_character(replace(MIRA, id=1)))

        assert entry.changes == ()

    async def test_only_what_differs_in_a_sheet_is_a_change(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_character(MIRA))

        def grow(tx: Transaction) -> None:
            mira = tx.character(HERE, 1)
            assert mira is not None
            tx.save_character(replace(mira, sheet=to_text({"might": 3})))

        entry = await journalled.do(grow)

        assert [(one.before, one.after) for one in entry.changes] == [
            ({"sheet#/might": 2}, {"sheet#/might": 3})
        ]

    @pytest.mark.parametrize(
        "beyond",
        [
            {"resources": {"luck": (-1, 5)}},
            {"resources": {"luck": (6, 5)}},
            {"wounds": {"body": ((0, 1), (3, 2))}},
            {"wounds": {"body": ((-1, 2),)}},
        ],
    )
    async def test_counted_values_stay_within_their_bounds(
        self, journalled: Journalled, beyond: dict[str, Any]
    ) -> None:
        await journalled.do(lambda tx: tx.save_character(MIRA))

        with pytest.raises(OutOfBounds):
            await journalled.do(lambda tx: tx.save_character(a_character(DUSK, **beyond)))
        with pytest.raises(OutOfBounds):
            await journalled.do(lambda tx: tx.save_character(a_character(DUSK, "New", id=1, **beyond)))

        assert await journalled.store.read(lambda reader: reader.character(HERE, 1)) == replace(MIRA, id=1)

    async def test_a_characters_campaign_must_be_of_its_server(self, journalled: Journalled) -> None:
        with pytest.raises(Contradiction):
            await journalled.do(
                lambda tx: tx.save_character(a_character(DUSK, server=ELSEWHERE)), server=ELSEWHERE
            )

    async def test_changing_an_unknown_character_is_refused(self, journalled: Journalled) -> None:
        with pytest.raises(Contradiction):
            await journalled.do(lambda tx: tx.save_character(replace(MIRA, id=9)))


class TestName:
    async def test_a_name_is_unique_among_a_campaigns_active_characters(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_character(a_character(DUSK, "Zoë")))
        with pytest.raises(NameTaken):
            await journalled.do(lambda tx: tx.save_character(a_character(DUSK, " ZOË")))
        await journalled.do(lambda tx: tx.save_character(a_character(DAWN, "ZOË")))

        await journalled.do(lambda tx: tx.save_character(a_character(DUSK, "Zoë", id=1, is_retired=True)))
        await journalled.do(lambda tx: tx.save_character(a_character(DUSK, "zoë")))
        with pytest.raises(NameTaken):
            await journalled.do(lambda tx: tx.save_character(a_character(DUSK, "Zoë", id=1)))

    async def test_a_name_is_found_whatever_its_case_and_spaces(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_character(a_character(DUSK, "Zoë  Straße")))

        found = await journalled.store.read(
            lambda reader: reader.character_named(HERE, DUSK, "  zoe\u0308 STRASSE ")
        )

        assert found is not None
        assert found.name == "Zoë  Straße"
        assert await journalled.store.read(lambda reader: reader.character_named(HERE, DAWN, "Zoë")) is None

    async def test_a_retired_character_is_not_found_by_name(self, journalled: Journalled) -> None:
        await journalled.do(lambda tx: tx.save_character(a_character(DUSK, is_retired=True)))

        assert await journalled.store.read(lambda reader: reader.character_named(HERE, DUSK, "Mira")) is None


class TestList:
    @pytest.fixture
    async def listed(self, journalled: Journalled) -> Journalled:
        """Five characters of Dusk: one hidden, one retired, one with signs in its name."""
        for character in (
            a_character(DUSK, "oda"),
            a_character(DUSK, "Bo", owner=BEN),
            a_character(DUSK, "The Warden", owner=None, is_hidden=True),
            a_character(DUSK, "Odo", is_retired=True),
            a_character(DUSK, "100%_\\"),
        ):
            await journalled.do(saving(character))
        return journalled

    @pytest.mark.parametrize(
        ("wanted", "names"),
        [
            ({}, ["100%_\\", "Bo", "oda", "The Warden"]),
            ({"owner": BEN}, ["Bo"]),
            ({"contains": "O"}, ["Bo", "oda"]),
            ({"contains": "0%"}, ["100%_\\"]),
            ({"contains": "_"}, ["100%_\\"]),
            ({"contains": "\\"}, ["100%_\\"]),
            ({"contains": "o%a"}, []),
            ({"with_hidden": False}, ["100%_\\", "Bo", "oda"]),
            ({"with_retired": True}, ["100%_\\", "Bo", "oda", "Odo", "The Warden"]),
            ({"limit": 2}, ["100%_\\", "Bo"]),
        ],
    )
    async def test_the_character_list_is_filtered_and_sorted_by_name(
        self, listed: Journalled, wanted: dict[str, Any], names: list[str]
    ) -> None:
        found = await listed.store.read(lambda reader: reader.characters(HERE, DUSK, **wanted))

        assert [one.name for one in found] == names

        if "with_retired" not in wanted:
            named = await listed.store.read(lambda reader: reader.character_names(HERE, DUSK, **wanted))
            assert [(one.id, one.name, one.owner, one.is_hidden) for one in named] == [
                (one.id, one.name, one.owner, one.is_hidden) for one in found
            ]

    async def test_characters_read_together_are_as_each_alone(self, listed: Journalled) -> None:
        await listed.do(saving(a_character(DAWN, "Dawn's", timers={"poison": 7}, wounds={"body": ((1, 2),)})))
        ids = range(1, 99)

        together = await listed.store.read(lambda reader: reader.characters_with(HERE, ids))
        alone = await listed.store.read(lambda reader: [reader.character(HERE, one) for one in ids])

        assert together == {one.id: one for one in alone if one is not None}
        assert len(together) > 4
        assert await listed.store.read(lambda reader: reader.characters_with(HERE, [])) == {}

    async def test_names_are_found_by_id_in_their_campaign_and_not_if_retired(
        self, listed: Journalled
    ) -> None:
        await listed.do(saving(a_character(DAWN, "Dawn's")))

        def named(reader: Reader) -> list[str]:
            return [one.name for one in reader.named_characters(HERE, DUSK, range(1, 99)).values()]

        assert await listed.store.read(named) == ["oda", "Bo", "The Warden", "100%_\\"]
        assert await listed.store.read(lambda reader: reader.named_characters(HERE, DUSK, [])) == {}


class TestPlayed:
    async def test_a_person_plays_one_character_per_campaign(self, journalled: Journalled) -> None:
        for name in ("Mira", "Nell"):
            await journalled.do(saving(a_character(DUSK, name)))
        await journalled.do(lambda tx: tx.set_current_character(HERE, DUSK, ANN, 1))
        await journalled.do(lambda tx: tx.set_current_character(HERE, DUSK, ANN, 2))

        assert await journalled.store.read(lambda reader: reader.current_character(HERE, DUSK, ANN)) == 2
        assert await journalled.store.read(lambda reader: reader.current_character(HERE, DAWN, ANN)) is None

        await journalled.do(lambda tx: tx.set_current_character(HERE, DUSK, ANN, None))
        assert await journalled.store.read(lambda reader: reader.current_character(HERE, DUSK, ANN)) is None


class TestTimers:
    async def test_due_timers_come_earliest_first_without_retired_characters(
        self, journalled: Journalled
    ) -> None:
        for character in (
            a_character(DUSK, "Mira", timers={"poison": 60, "curse": 30, "sleep": 90}),
            a_character(DUSK, "Nell", timers={"poison": 45}),
            a_character(DUSK, "Odo", timers={"poison": 1}, is_retired=True),
            a_character(DAWN, "Pia", timers={"poison": 1}),
        ):
            await journalled.do(saving(character))

        due = await journalled.store.read(lambda reader: reader.timers_due(HERE, DUSK, 60))

        assert due == [(1, "curse"), (2, "poison"), (1, "poison")]


ZOE, ADA = 7, 8


def a_favorite(name: str, bonus: int = 0, *, character: int = ZOE, server: ServerId = HERE) -> FavoriteRecord:
    return FavoriteRecord(server=server, character=character, name=name, body={"bonus": bonus})


async def save(store: Store, *favorites: FavoriteRecord) -> list[int]:
    return [await store.run(lambda tx, one=one: tx.save_favorite(one)) for one in favorites]  # type: ignore[misc]


async def kept(store: Store, character: int = ZOE, server: ServerId = HERE) -> list[tuple[str, object]]:
    found = await store.read(lambda reader: reader.favorites(server, character))
    return [(one.name, one.body["bonus"]) for one in found]


async def test_favorites_come_in_the_order_they_were_kept_and_only_of_their_character(store: Store) -> None:
    await save(store, a_favorite("Sneak", 1), a_favorite("Climb", 2), a_favorite("Other", character=ADA))
    await save(store, a_favorite("Far away", server=ELSEWHERE))

    assert await kept(store) == [("Sneak", 1), ("Climb", 2)]
    assert await kept(store, ADA) == [("Other", 0)]


async def test_a_favorite_of_the_same_name_in_another_spelling_is_replaced_in_its_place(
    store: Store,
) -> None:
    first, _second, again = await save(
        store, a_favorite("Sneak", 1), a_favorite("Climb", 2), a_favorite(" SNEAK", 3)
    )

    assert again == first
    assert await kept(store) == [(" SNEAK", 3), ("Climb", 2)]


async def test_a_dropped_favorite_is_gone_and_another_servers_stays(store: Store) -> None:
    (own,) = await save(store, a_favorite("Sneak"))

    await store.run(lambda tx: tx.drop_favorite(ELSEWHERE, own))
    assert await kept(store) == [("Sneak", 0)]
    await store.run(lambda tx: tx.drop_favorite(HERE, own))

    assert await kept(store) == []
