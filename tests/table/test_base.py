"""Long lists a page at a time."""

import asyncio
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from bot.rules.kernel.errors import UserError
from bot.store.transaction import Reader
from bot.table.base import table_limits as limits
from bot.table.base.access import ListPage, page_of
from bot.table.base.stored_rolls import average_chance, faces_chance
from bot.table.base.table import ReadsTogether, Table
from bot.table.base.table_limits import MOST_ROLLS, RecentRolls
from bot.table.base.typed_options import look_alike, one_line, skeleton
from bot.table.campaigns import campaigns
from bot.table.characters import character_files
from bot.table.gm import gm_secrets
from bot.table.play import countdown_actions, countdown_plans, play
from bot.table.play.countdown_actions import Edit
from tests.table.characters.test_character_files import a_file
from tests.table.characters.test_personal_data import a_picture
from tests.table.conftest import Clock, Person
from tests.table.counting import a_plan, state


def test_a_list_is_cut_into_pages_of_a_size() -> None:
    assert page_of("abcde", 1, 2) == ListPage(("c", "d"), 1, 3)


def test_a_page_that_is_not_there_is_the_last_or_the_first_one() -> None:
    assert [page_of("abcde", number, 2).shown for number in (9, -1)] == [("e",), ("a", "b")]


def test_an_empty_list_has_one_empty_page() -> None:
    assert page_of("", 4, 2) == ListPage((), 0, 1)


def test_the_first_page_follows_the_last() -> None:
    assert [page_of("abcde", number, 2).following for number in range(3)] == [1, 2, 0]


def running(_reader: Reader) -> str:
    return "running"


def snapshot(reader: Reader) -> int:
    return id(reader)


async def test_queries_of_the_same_moment_run_in_one_read(table: Table) -> None:
    together = ReadsTogether()
    asked = (together.read(table.store, snapshot) for _ in range(3))

    assert len(set(await asyncio.gather(*asked, together.read(table.store, snapshot)))) == 1


async def test_each_query_gets_its_own_answer(table: Table) -> None:
    together = ReadsTogether()
    one, word, three = await asyncio.gather(
        together.read(table.store, lambda _reader: 1),
        together.read(table.store, running),
        together.read(table.store, lambda _reader: 3),
    )

    assert (one, word, three) == (1, "running", 3)


async def test_a_query_that_fails_fails_alone(table: Table) -> None:
    together = ReadsTogether()

    def failing(_reader: Reader) -> str:
        raise LookupError("its own")

    before, failed, after = await asyncio.gather(
        together.read(table.store, running),
        together.read(table.store, failing),
        together.read(table.store, lambda _reader: 3),
        return_exceptions=True,
    )

    assert (before, after) == ("running", 3)
    assert isinstance(failed, LookupError)


async def test_a_query_asked_for_once_a_read_has_begun_waits_for_the_next(table: Table) -> None:
    together = ReadsTogether()
    begun: list[str] = []
    early = asyncio.create_task(together.read(table.store, lambda _reader: begun.append("early")))
    await asyncio.sleep(0)  # it is asked for
    await asyncio.sleep(0)  # its read begins

    await together.read(table.store, lambda _reader: begun.append("late"))

    assert early.done()
    assert begun == ["early", "late"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mara", "М\u0430ra"),
        ("Oskar", "\u041eskar"),
        ("Ilse", "lIse"),
        ("Nox", "\uff2e\uff2f\uff38"),
        ("Alpha", "\u0391lpha"),
        ("Kot", "Kot\u200d"),
    ],
)
def test_letters_that_look_alike_make_the_same_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)
    assert look_alike(other, ["Bo", one]) == one


@pytest.mark.parametrize(("one", "other"), [("Al", "Ai"), ("Кот", "Кит"), ("José", "Jose"), ("魔法", "魔術")])
def test_names_that_read_otherwise_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def problems(outcomes: list[object]) -> list[str]:
    return [one.what for one in outcomes if isinstance(one, UserError)]


class TestWhatIsStored:  # F-REL-17
    async def test_of_two_who_take_the_last_place_for_a_countdown_one_succeeds(
        self, game: Table, gm: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_COUNTDOWNS", 1)

        outcomes = await asyncio.gather(
            *(countdown_plans.begin(game, gm.asks(), a_plan(name)) for name in ("Flood", "Fire")),
            return_exceptions=True,
        )

        assert problems(list(outcomes)) == ["A campaign has room for 1 running countdowns."]

    async def test_a_person_has_so_many_characters(
        self, game: Table, ada: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_CHARACTERS_OF_PERSON", 2)
        await character_files.import_(game, ada.asks(), a_file(name="Second"))

        with pytest.raises(UserError, match="You can have 2 characters in a campaign") as told:
            await character_files.import_(game, ada.asks(), a_file(name="Third"))

        assert told.value.try_this == "Retire one with /character retire."
        await character_files.import_(game, bo.asks(), a_file(name="Theirs"))

    async def test_a_campaign_has_so_many_characters(
        self, game: Table, ada: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_CHARACTERS", 2)

        with pytest.raises(UserError, match="room for 2 characters"):
            await character_files.import_(game, ada.asks(), a_file(name="Third"))

    async def test_a_server_has_so_many_campaigns_until_one_is_archived(
        self, game: Table, gm: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_CAMPAIGNS", 2)
        await campaigns.create(game, gm.asks(place=71), "toy", "Second")

        with pytest.raises(UserError, match="can play 2 campaigns at once"):
            await campaigns.create(game, gm.asks(place=72), "toy", "Third")

        await campaigns.archive(game, gm.asks(), "Second")
        await campaigns.create(game, gm.asks(place=72), "toy", "Third")
        with pytest.raises(UserError, match="can play 2 campaigns at once"):
            await campaigns.unarchive(game, gm.asks(), "Second")

    async def test_a_campaign_has_so_many_notes_and_pictures(
        self, game: Table, gm: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_PICTURES", 1)
        monkeypatch.setattr(limits, "MOST_HANDOUTS", 2)
        content = a_picture((10, 10))
        id_, _ = await gm_secrets.save_handout(game, gm.asks(), "Map", "", content=content)
        await gm_secrets.save_handout(game, gm.asks(), "Map", "", id_=id_, content=a_picture((20, 10)))

        with pytest.raises(UserError, match="room for 1 pictures"):
            await gm_secrets.save_handout(game, gm.asks(), "Letter", "", content=content)
        await gm_secrets.save_handout(game, gm.asks(), "Letter", "Dear all,")
        with pytest.raises(UserError, match="room for 2 notes"):
            await gm_secrets.save_handout(game, gm.asks(), "Third", "text")


class TestNames:
    """F-REL-13."""

    async def test_countdowns_and_campaigns_that_read_like_another_are_refused(
        self, game: Table, gm: Person
    ) -> None:
        await countdown_plans.begin(game, gm.asks(), a_plan("Flood"))

        with pytest.raises(UserError, match="reads like Flood, though"):
            await countdown_plans.begin(game, gm.asks(), a_plan("Fl\u043eod"))
        await campaigns.create(game, gm.asks(place=71), "toy", "Alone")
        with pytest.raises(UserError, match="reads like Alone, though"):
            await campaigns.create(game, gm.asks(place=72), "toy", "\u0410lone")

    async def test_countdowns_and_campaigns_are_not_renamed_to_read_like_another(
        self, game: Table, gm: Person
    ) -> None:
        for name in ("Flood", "Fire"):
            await countdown_plans.begin(game, gm.asks(), a_plan(name))
        await campaigns.create(game, gm.asks(place=71), "toy", "Alone")
        before = state(game)

        with pytest.raises(UserError, match="reads like Flood, though"):
            await countdown_actions.change(game, gm.asks(), "Fire", Edit(name="Fl\u043eod"))
        with pytest.raises(UserError, match="reads like Alone, though"):
            await campaigns.rename(game, gm.asks(), "\u0410lone")

        assert state(game) == before
        await countdown_actions.change(game, gm.asks(), "Fire", Edit(name="Fir\u0435"))
        await campaigns.rename(game, gm.asks(place=71), "\u0410lone")

    @pytest.mark.parametrize("unseen", ["\u034f", "\ufe00", "\U000e0100", "\u180b", "\u200b", "\u3164"])
    def test_nothing_unseen_stays_in_a_name(self, unseen: str) -> None:
        assert one_line(f"Ju{unseen}no{unseen}") == "Ju no"


class TestRolls:  # F-REL-17
    async def test_a_person_rolls_so_often_in_public_within_a_minute(
        self, game: Table, ada: Person, bo: Person, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_ROLLS", 2)
        for _ in range(2):
            await play.roll(game, ada.asks(), "1d6")

        with pytest.raises(UserError, match="You have rolled 2 times within a minute"):
            await play.roll(game, ada.asks(), "1d6")
        await play.roll(game, ada.asks(), "1d6", is_secret=True)
        await play.roll(game, bo.asks(), "1d6")
        clock.seconds += 60
        await play.roll(game, ada.asks(), "1d6")

    def test_the_rolls_of_only_so_many_people_are_remembered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "MOST_PEOPLE", 1)
        rolls = RecentRolls()
        for _ in range(MOST_ROLLS):
            rolls.count(1, 1, 0)

        rolls.count(1, 2, 0)

        rolls.count(1, 1, 0)  # forgotten


SMALL = [(2, 6), (3, 1), (4, 5), (6, 4)]


def every_series(sides: int, rolls: int) -> list[tuple[int, ...]]:
    return list(product(range(1, sides + 1), repeat=rolls))


def counts_of(series: tuple[int, ...], sides: int) -> tuple[int, ...]:
    return tuple(series.count(face) for face in range(1, sides + 1))


def off(counts: tuple[int, ...]) -> int:
    return max(abs(one * len(counts) - sum(counts)) for one in counts)


def shares_at_least(measured: list[int]) -> Iterator[tuple[int, Fraction]]:
    """Each measure with the share of all that are at least as large."""
    for one in set(measured):
        yield one, Fraction(sum(other >= one for other in measured), len(measured))


@pytest.mark.parametrize(("sides", "rolls"), SMALL)
def test_the_chance_of_an_average_is_the_share_of_all_series_as_far_off(sides: int, rolls: int) -> None:
    middle = rolls * (sides + 1)
    for away, share in shares_at_least([abs(2 * sum(one) - middle) for one in every_series(sides, rolls)]):
        for twice in {middle - away, middle + away}:
            if twice % 2 == 0:
                assert average_chance(sides, rolls, twice // 2) == share


@pytest.mark.parametrize(("sides", "rolls"), SMALL)
def test_the_chance_of_an_odd_face_is_the_share_of_all_series_as_far_off(sides: int, rolls: int) -> None:
    counted = [counts_of(one, sides) for one in every_series(sides, rolls)]
    shares = dict(shares_at_least([off(one) for one in counted]))
    for one in set(counted):
        assert faces_chance(one) == pytest.approx(float(shares[off(one)]), abs=1e-12)


def test_no_dice_are_not_unusual() -> None:
    assert average_chance(6, 0, 0) == 1
    assert faces_chance((0, 0)) == faces_chance(()) == 1


def test_a_known_long_series_has_its_known_chance() -> None:
    """Ten sixes in ten dice, or ten ones: 2 in 6 to the 10th."""
    assert average_chance(6, 10, 60) == Fraction(2, 6**10)
    assert faces_chance((0, 0, 0, 0, 0, 10)) == pytest.approx(6 / 6**10, rel=1e-6)
