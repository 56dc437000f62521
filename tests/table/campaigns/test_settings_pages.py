"""Settings by subject: what each page shows of every game, and what changes quietly."""

import pytest

from bot.rules import rulesets
from bot.rules.kernel import Ruleset, subject_of
from bot.rules.kernel.errors import UserError, UserErrors
from bot.table.base.access import ForGmOnly
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.campaigns import campaign_settings as settings_pages
from bot.table.campaigns.campaign_settings import ON_PAGE, SettingsPage
from bot.table.journal import journal
from tests.table.conftest import Person

GAMES = tuple(rulesets().values())
INTERNAL = ("_", "{", "[", "JSON")


@pytest.fixture
async def every_game(table: Table) -> Table:
    return Table(
        store=table.store,
        games={**table.games, **rulesets()},
        now=table.now,
        new_secret=table.new_secret,
        idle_hours=5,
    )


async def _pages(table: Table, request: Person, name: str) -> list[SettingsPage]:
    first = await settings_pages.open_page(table, request.asks(), name)
    return [
        await settings_pages.open_page(table, request.asks(), name, page)
        for page in range(len(first.subjects))
    ]


class TestReading:
    @pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
    async def test_f_all_14_every_page_is_short_and_in_words(
        self, every_game: Table, gm: Person, game: Ruleset
    ) -> None:
        await campaigns.create(every_game, gm.asks(), game.key, "The Manor")

        for page in await _pages(every_game, gm, "The Manor"):
            assert 1 <= len(page.settings) <= ON_PAGE
            for one in page.settings:
                assert one.title, one.key
                assert one.description.endswith("."), one.key
                shown = (one.title, one.description, one.in_words, one.source)
                assert not any(word in text for text in shown for word in INTERNAL), shown
                assert "none" not in one.in_words, one.key
                labels = [one.words.get(choice, choice) for choice in one.choices if choice != one.default]
                assert not any("_" in label for label in labels), labels

    @pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
    async def test_no_subject_has_too_many_settings(self, game: Ruleset) -> None:
        fields = game.settings.model_fields
        subjects = [subject_of(info) for info in fields.values() if subject_of(info)]

        assert max(subjects.count(one) for one in subjects) <= ON_PAGE

    async def test_settings_without_a_subject_share_pages(self, game: Table, gm: Person) -> None:
        pages = await _pages(game, gm, "The Long Road")

        assert [page.subjects[page.page] for page in pages] == ["Sessions and turns", "The game"]
        assert [one.name for one in pages[1].settings][:2] == ["Luck cap", "Reset"]

    async def test_the_bots_own_number_is_in_force_until_a_campaign_has_its_own(
        self, every_game: Table, gm: Person
    ) -> None:
        await campaigns.create(every_game, gm.asks(), "toy", "The Manor")
        before = await settings_pages.open_page(every_game, gm.asks())
        await campaign_settings.change_setting(every_game, gm.asks(), "idle_hours", "4")
        after = await settings_pages.open_page(every_game, gm.asks())

        assert (before.settings[0].in_words, before.settings[0].source) == ("5", "default (bot)")
        assert (after.settings[0].in_words, after.settings[0].source) == ("4", "changed here")
        assert (before.changed, after.changed) == ((0, 0), (1, 0))

    async def test_a_module_of_its_own_is_offered_only_where_there_is_one(
        self, game: Table, gm: Person
    ) -> None:
        page = await settings_pages.open_page(game, gm.asks(), setting="played")

        assert page.settings[-1].choices == ("plain", "sea")

    async def test_a_player_reads_and_another_server_sees_nothing(
        self, game: Table, gm: Person, ada: Person, neighbour: Person
    ) -> None:
        page = await settings_pages.open_page(game, ada.asks())

        assert not page.may_change
        with pytest.raises(UserError, match="campaign is gone"):
            await settings_pages.open_page(game, neighbour.asks(), page.campaign)
        with pytest.raises(ForGmOnly):
            await settings_pages.setting_to_change(game, ada.asks(), page.campaign, "luck_cap")
        with pytest.raises(UserError, match="setting is gone"):
            await settings_pages.setting_to_change(game, gm.asks(), page.campaign, "speed")

    async def test_a_page_that_is_gone_is_the_last_one(self, game: Table, gm: Person) -> None:
        page = await settings_pages.open_page(game, gm.asks(), page=99)

        assert page.page == 1


class TestChangingQuietly:
    async def test_a_change_is_written_down_once_and_can_be_undone(self, game: Table, gm: Person) -> None:
        at = (await settings_pages.open_page(game, gm.asks())).campaign
        request = gm.asks()
        changed = await campaign_settings.set_quietly(game, request, at, "is_grim", "yes")
        assert changed is not None
        assert [(one.before, one.after) for one in changed.message.changes] == [("off", "on")]
        assert not changed.message.is_public

        again = await campaign_settings.set_quietly(game, request, at, "is_grim", "yes")
        other = await campaign_settings.set_quietly(game, gm.asks(), at, "is_grim", "yes")
        assert (again, other) == (changed, None)

        await journal.undo(game, gm.asks(), changed.entry)
        page = await settings_pages.open_page(game, gm.asks(), setting="is_grim")
        assert next(one for one in page.settings if one.key == "is_grim").in_words == "off"

    async def test_a_switch_that_is_back_as_the_module_has_it_is_no_change(
        self, every_game: Table, gm: Person
    ) -> None:
        made = await campaigns.create(every_game, gm.asks(), "rpj", "The Manor")
        for wanted, source in (("yes", "changed here"), ("no", "default (module)")):
            await campaign_settings.set_quietly(every_game, gm.asks(), made.campaign, "money", wanted)
            page = await settings_pages.open_page(every_game, gm.asks(), setting="money")
            assert next(one.source for one in page.settings if one.key == "money") == source

    async def test_what_is_not_allowed_is_refused(self, game: Table, gm: Person, ada: Person) -> None:
        at = (await settings_pages.open_page(game, gm.asks())).campaign

        with pytest.raises(ForGmOnly):
            await campaign_settings.set_quietly(game, ada.asks(), at, "is_grim", "yes")
        with pytest.raises(UserErrors, match="at most 9"):
            await campaign_settings.set_quietly(game, gm.asks(), at, "luck_cap", "10")
        with pytest.raises(UserError, match="no setting called"):
            await campaign_settings.set_quietly(game, gm.asks(), at, "speed", "10")

    async def test_all_optional_rules_open_their_first_page(self, every_game: Table, gm: Person) -> None:
        await campaigns.create(every_game, gm.asks(), "rpj", "The Manor")

        page = await settings_pages.open_page(every_game, gm.asks(), setting="packs")

        assert page.subjects[page.page] == "Optional rules: fights"
