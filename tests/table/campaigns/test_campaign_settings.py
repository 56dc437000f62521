"""A campaign's settings: typed, validated, suggested, and applied at once."""

import pytest

from bot.rules.kernel.errors import UserError, UserErrors
from bot.table.base.access import ForGmOnly
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.characters import characters
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal
from bot.table.play import play
from tests.table.conftest import Person


async def _values(table: Table, person: Person) -> dict[str, str]:
    return {one.key: one.value for one in await campaign_settings.settings(table, person.asks())}


class TestReading:
    async def test_shared_settings_are_listed_before_those_of_the_ruleset(
        self, game: Table, gm: Person
    ) -> None:
        assert await _values(game, gm) == {
            "idle_hours": "none",
            "voice_empty_minutes": "none",
            "ping_turns": "no",
            "foe_health": "words",
            "session_threads": "no",
            "luck_cap": "3",
            "reset": "full",
            "is_grim": "no",
            "places": "none",
            "played": "plain",
        }

    async def test_every_setting_has_a_description(self, game: Table, gm: Person) -> None:
        assert all(one.description.endswith(".") for one in await campaign_settings.settings(game, gm.asks()))


class TestChanging:
    @pytest.mark.parametrize(
        ("key", "typed", "value"),
        [
            ("idle_hours", "4", "4"),
            ("luck_cap", "none", "none"),
            ("reset", "none", "none"),
            ("is_grim", "yes", "yes"),
            ("places", "Inn, Old Mill", "Inn, Old Mill"),
            ("places", '["Inn, upstairs"]', "Inn, upstairs"),
        ],
    )
    async def test_a_typed_value_is_saved(
        self, game: Table, gm: Person, key: str, typed: str, value: str
    ) -> None:
        result = await campaign_settings.change_setting(game, gm.asks(), key, typed)

        assert (await _values(game, gm))[key] == value
        assert result.message.changes[0].after == value

    async def test_the_word_default_resets_a_setting(self, game: Table, gm: Person) -> None:
        await campaign_settings.change_setting(game, gm.asks(), "idle_hours", "4")

        await campaign_settings.change_setting(game, gm.asks(), "idle_hours", "default")

        assert (await _values(game, gm))["idle_hours"] == "none"

    async def test_changing_a_setting_leaves_the_others(self, game: Table, gm: Person) -> None:
        await campaign_settings.change_setting(game, gm.asks(), "luck_cap", "5")
        await campaign_settings.change_setting(game, gm.asks(), "is_grim", "yes")
        await campaign_settings.change_setting(game, gm.asks(), "idle_hours", "9")

        values = await _values(game, gm)
        assert (values["luck_cap"], values["is_grim"], values["idle_hours"]) == ("5", "yes", "9")

    @pytest.mark.parametrize(
        ("key", "typed", "said"),
        [
            ("idle_hours", "0", "Idle hours: must be at least 1."),
            ("luck_cap", "many", "Luck cap: must be a whole number."),
            ("reset", "sometimes", "Reset: must be one of 'full' or 'none'."),
        ],
    )
    async def test_an_invalid_value_is_refused_and_changes_nothing(
        self, game: Table, gm: Person, key: str, typed: str, said: str
    ) -> None:
        before = await _values(game, gm)

        with pytest.raises(UserErrors) as told:
            await campaign_settings.change_setting(game, gm.asks(), key, typed)

        assert told.value.problems[0].startswith(said)
        assert await _values(game, gm) == before

    async def test_an_unknown_setting_is_refused_with_a_list_of_the_known_ones(
        self, game: Table, gm: Person
    ) -> None:
        with pytest.raises(UserError, match="no setting called “speed”"):
            await campaign_settings.change_setting(game, gm.asks(), "speed", "9")

    async def test_players_cannot_change_settings(self, game: Table, ada: Person) -> None:
        with pytest.raises(ForGmOnly):
            await campaign_settings.change_setting(game, ada.asks(), "luck_cap", "9")

    async def test_under_a_lower_cap_characters_keep_their_points_but_gain_no_more(
        self, game: Table, gm: Person
    ) -> None:
        result = await campaign_settings.change_setting(game, gm.asks(), "luck_cap", "1")

        assert [(line.who, line.what, line.before, line.after) for line in result.message.changes] == [
            ("The Long Road", "luck cap", "3", "1")
        ]
        with pytest.raises(UserError, match="at most 1 Luck \\(now 2\\)"):
            await gm_cases.award(game, gm.asks(), "luck", 1, ("Ada",))
        taken = await gm_cases.award(game, gm.asks(), "luck", -1, ("Ada",))
        assert (taken.message.changes[0].before, taken.message.changes[0].after) == ("2", "1")

    async def test_undoing_a_setting_restores_the_caps_too(self, game: Table, gm: Person) -> None:
        lowered = await campaign_settings.change_setting(game, gm.asks(), "luck_cap", "1")

        await journal.undo(game, gm.asks(), lowered.entry)

        raised = await gm_cases.award(game, gm.asks(), "luck", 1, ("Ada",))
        assert (raised.message.changes[0].before, raised.message.changes[0].after) == ("2", "3")

    async def test_the_same_interaction_twice_changes_a_setting_once(self, game: Table, gm: Person) -> None:
        first = await campaign_settings.change_setting(game, gm.asks("77"), "luck_cap", "5")

        assert await campaign_settings.change_setting(game, gm.asks("77"), "luck_cap", "7") == first
        assert (await _values(game, gm))["luck_cap"] == "5"

    async def test_another_server_keeps_its_own_settings(
        self, game: Table, gm: Person, neighbour: Person
    ) -> None:
        await campaigns.create(game, neighbour.asks(), "toy", "The Long Road")

        await campaign_settings.change_setting(game, gm.asks(), "luck_cap", "5")

        assert (await _values(game, neighbour))["luck_cap"] == "3"
        assert [one.name for one in await characters.listing(game, neighbour.asks())] == []


class TestChangingByPlay:
    async def test_a_procedures_settings_change_updates_the_caps_and_can_be_undone(
        self, game: Table, gm: Person
    ) -> None:
        await campaign_settings.change_setting(game, gm.asks(), "idle_hours", "4")

        named = await play.perform(game, gm.asks(), "place", {"name": "Inn"})

        assert await _values(game, gm) == {
            "idle_hours": "4",
            "voice_empty_minutes": "none",
            "ping_turns": "no",
            "foe_health": "words",
            "session_threads": "no",
            "luck_cap": "2",
            "reset": "full",
            "is_grim": "no",
            "places": "Inn",
            "played": "plain",
        }
        with pytest.raises(UserError, match="at most 2 Luck"):
            await gm_cases.award(game, gm.asks(), "luck", 1, ("Ada",))

        await journal.undo(game, gm.asks(), named.entry)

        assert (await _values(game, gm))["places"] == "none"
        await gm_cases.award(game, gm.asks(), "luck", 1, ("Ada",))


class TestOffers:
    async def test_settings_are_suggested_with_their_values(self, game: Table, gm: Person) -> None:
        offered = await campaign_settings.setting_choices(game, gm.asks(), "luck")

        assert [(one.value, one.label) for one in offered] == [("luck_cap", "luck_cap = 3")]

    async def test_the_values_of_a_setting_are_suggested(self, game: Table, gm: Person) -> None:
        offered = await campaign_settings.value_choices(game, gm.asks(), "reset", "")

        assert [(one.value, one.label) for one in offered] == [
            ("full", "full (now)"),
            ("none", "none"),
            ("default", "default (full)"),
        ]
