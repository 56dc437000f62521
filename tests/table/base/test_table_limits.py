"""What a person, a campaign and a server may have (F-REL-17)."""

import asyncio

import pytest

from bot.rules.kernel.errors import UserError
from bot.table.base import table_limits as limits
from bot.table.base.names import one_line
from bot.table.base.table import Table
from bot.table.base.table_limits import MOST_ROLLS, RecentRolls
from bot.table.campaigns import campaigns
from bot.table.characters import character_files
from bot.table.countdowns import countdown_actions
from bot.table.countdowns.countdown_actions import Edit
from bot.table.gm import gm_secrets
from bot.table.play import countdown_plans, free_rolls
from tests.table.characters.test_character_files import a_file
from tests.table.characters.test_portraits import a_picture
from tests.table.conftest import Clock, Person
from tests.table.counting import a_plan
from tests.table.whole import state


def problems(outcomes: list[object]) -> list[str]:
    return [one.what for one in outcomes if isinstance(one, UserError)]


class TestWhatIsStored:
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


class TestRolls:
    async def test_a_person_rolls_so_often_in_public_within_a_minute(
        self, game: Table, ada: Person, bo: Person, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_ROLLS", 2)
        for _ in range(2):
            await free_rolls.roll(game, ada.asks(), "1d6")

        with pytest.raises(UserError, match="You have rolled 2 times within a minute"):
            await free_rolls.roll(game, ada.asks(), "1d6")
        await free_rolls.roll(game, ada.asks(), "1d6", is_secret=True)
        await free_rolls.roll(game, bo.asks(), "1d6")
        clock.seconds += 60
        await free_rolls.roll(game, ada.asks(), "1d6")

    def test_the_rolls_of_only_so_many_people_are_remembered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "MOST_PEOPLE", 1)
        rolls = RecentRolls()
        for _ in range(MOST_ROLLS):
            rolls.count(1, 1, 0)

        rolls.count(1, 2, 0)

        rolls.count(1, 1, 0)  # forgotten
