"""A campaign's settings: typed, validated, suggested, and applied at once."""

from collections.abc import Iterator

import pytest

from bot.rules import rulesets
from bot.rules.kernel import Document, Ruleset, subject_of
from bot.rules.kernel.errors import UserError, UserErrors
from bot.store.records import CampaignId, CampaignRecord, ServerId
from bot.table.base.access import Access, ForGmOnly
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns, fields
from bot.table.campaigns import campaign_settings as settings_pages
from bot.table.campaigns.campaign_settings import ON_PAGE, SettingsPage
from bot.table.campaigns.fields import SetField, fields_of
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


class TestReadingPages:
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

        assert (before.settings[0].in_words, before.settings[0].source) == ("5", "")
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


RPJ = rulesets()["rpj"]
NAME = "Ilsa Roan"


def _access(game: Ruleset, gm: Person) -> Access:
    campaign = CampaignRecord(
        id=CampaignId(1),
        server=ServerId(900),
        name="The Manor",
        ruleset=game.key,
        created_at=0,
    )
    return Access(gm.asks(), campaign, game, game.settings(), is_gm=True)


def _sheets(game: Ruleset) -> Iterator[Document]:
    yield from game.creation.offered(game.settings()).values()


def _tried(one: SetField) -> Iterator[str]:
    """What a GM might set a field to."""
    yield from (choice.label for choice in one.values if choice.label != one.value)
    if one.value.lstrip("-").isdecimal():
        yield from (str(int(one.value) + step) for step in (1, -1, 2, 12))
    yield from ("Other", "1")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_f_all_18_every_field_offered_is_in_words_and_takes_another_value(game: Ruleset, gm: Person) -> None:
    access = _access(game, gm)
    for sheet in _sheets(game):
        offered = fields_of(access, sheet)
        assert len({one.title for one in offered}) == len(offered)
        for one in offered:
            assert not set("_/*{") & set(one.title), one.title
            assert any(_takes(access, sheet, one, value) for value in _tried(one)), one


def _takes(access: Access, sheet: Document, one: SetField, value: str) -> bool:
    try:
        return fields._with_field(access, sheet, one.path, value) != sheet
    except UserErrors:
        return False


@pytest.fixture
async def played(table: Table, gm: Person, ada: Person) -> Table:
    every = Table(
        store=table.store, games={**table.games, **rulesets()}, now=table.now, new_secret=table.new_secret
    )
    await campaigns.create(every, gm.asks(), "rpj", "The Manor")
    ready = next(iter(RPJ.creation.offered(RPJ.settings())))
    await characters.take_ready_made(every, ada.asks(), ready, NAME)
    return every


async def test_a_field_is_set_by_its_title_and_a_value_by_its_name(played: Table, gm: Person) -> None:
    result = await fields.set_field(played, gm.asks(), NAME, "Class", "leader")

    assert result.message.headline == f"sets {NAME}'s Class"
    assert [(one.what, one.after) for one in result.message.changes] == [("Class", "Leader")]


async def test_a_refusal_names_the_field_as_it_was_offered(played: Table, gm: Person) -> None:
    with pytest.raises(UserErrors) as told:
        await fields.set_field(played, gm.asks(), NAME, "Character points to spend", "many")

    assert told.value.problems == ("Character points to spend: must be a whole number.",)


async def test_an_unknown_field_is_answered_with_titles(played: Table, gm: Person) -> None:
    with pytest.raises(fields.NoSuchField) as told:
        await fields.set_field(played, gm.asks(), NAME, "wings", "2")

    assert told.value.allowed.startswith("Fields: Character points to spend, Character points in all, DEX,")


async def test_the_values_of_a_field_are_offered_to_gms(played: Table, gm: Person, ada: Person) -> None:
    offered = await fields.field_values(played, gm.asks(), "lea", NAME, "class_id")

    assert [(one.value, one.label) for one in offered] == [("leader", "Leader")]
    assert await fields.field_values(played, gm.asks(), "", NAME, "wings") == []
    with pytest.raises(ForGmOnly):
        await fields.field_values(played, ada.asks(), "", NAME, "class_id")
