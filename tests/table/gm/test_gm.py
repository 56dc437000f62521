"""Use cases that only a GM may use."""

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import AwardRule
from bot.rules.kernel.errors import UserError, UserErrors
from bot.store.journalled_tables import from_text
from bot.store.records import CharacterRecord
from bot.store.transaction import Reader
from bot.table.base.access import ForGmOnly, NoSuchCharacter, access_here, find_character
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns, fields
from bot.table.campaigns import fields as gm_offers
from bot.table.characters import characters, controls
from bot.table.gm import gm as game_clock
from bot.table.gm import gm as gm_cases
from bot.table.gm import gm as gms
from bot.table.gm.gm import read_number, set_value, typed_values
from bot.table.journal import dice_stats, journal, log
from bot.table.play import play
from bot.table.sessions import sessions
from tests.table.conftest import Person
from tests.table.counting import a_plan, begin, everything
from tests.table.toy_module import ToySheet


async def kept(table: Table, person: Person, name: str) -> CharacterRecord:
    def query(reader: Reader) -> CharacterRecord:
        return find_character(reader, access_here(table, reader, person.asks()), name)

    return await table.store.read(query)


class TestAwards:
    async def test_several_characters_get_the_same_award_at_once(self, game: Table, gm: Person) -> None:
        told = (await gm_cases.award(game, gm.asks(), "luck", 1, ("Ada", "Bo"))).message

        assert told.headline == "awards 1 Luck"
        assert [(line.who, line.before, line.after) for line in told.changes] == [
            ("Ada", "2", "3"),
            ("Bo", "2", "3"),
        ]

    async def test_a_game_awards_more_than_resources(self, game: Table, gm: Person) -> None:
        def give(sheet: ToySheet, amount: int) -> ToySheet:
            return sheet.model_copy(update={"brawn": sheet.brawn + amount})

        toy = replace(game.games["toy"], awards=(AwardRule[ToySheet](key="brawn", title="Brawn", give=give),))
        laid = replace(game, games={"toy": toy})

        told = (await gm_cases.award(laid, gm.asks(), "brawn", 1, ("Ada",))).message

        assert told.headline == "awards 1 Brawn"
        assert from_text((await kept(laid, gm, "Ada")).sheet)["brawn"] == 5
        offered = await gm_offers.award_choices(laid, gm.asks(), "")
        assert [choice.label for choice in offered] == ["Brawn", "Luck"]

    async def test_an_award_over_somebodys_cap_gives_nobody_anything(self, game: Table, gm: Person) -> None:
        await gm_cases.award(game, gm.asks(), "luck", 1, ("Bo",))

        with pytest.raises(UserError, match="Bo can have at most 3 Luck \\(now 3\\)"):
            await gm_cases.award(game, gm.asks(), "luck", 1, ("Ada", "Bo"))
        assert (await kept(game, gm, "Ada")).resources["luck"] == (2, 3)

    async def test_above_a_lowered_cap_points_can_be_taken_but_not_given(
        self, game: Table, gm: Person
    ) -> None:
        await gm_cases.award(game, gm.asks(), "luck", 1, ("Ada",))
        await campaign_settings.change_setting(game, gm.asks(), "luck_cap", "1")
        assert (await kept(game, gm, "Ada")).resources["luck"] == (3, 3)

        with pytest.raises(UserError, match="Ada can have at most 1 Luck \\(now 3\\)"):
            await gm_cases.award(game, gm.asks(), "luck", 1, ("Ada",))
        await gm_cases.award(game, gm.asks(), "luck", -1, ("Ada",))

        assert (await kept(game, gm, "Ada")).resources["luck"] == (2, 2)

    async def test_more_than_a_character_has_or_an_unknown_resource_is_refused(
        self, game: Table, gm: Person
    ) -> None:
        with pytest.raises(UserError, match="Ada has only 2 Luck"):
            await gm_cases.award(game, gm.asks(), "luck", -3, ("Ada",))
        with pytest.raises(UserError) as told:
            await gm_cases.award(game, gm.asks(), "gold", 1, ("Ada",))
        assert told.value.allowed == "Its resources: Luck."

    async def test_an_award_to_a_hidden_character_is_secret(self, game: Table, gm: Person) -> None:
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)

        result = await gm_cases.award(game, gm.asks(), "luck", 1, ("The Shade",))

        assert not result.message.is_public


class TestSetting:
    async def test_a_gm_sets_a_resource(self, game: Table, gm: Person) -> None:
        await gm_cases.set_resource(game, gm.asks(), "luck", 0, "Ada")

        assert (await kept(game, gm, "Ada")).resources["luck"] == (0, 3)

    async def test_a_gm_sets_a_wound_level_up_to_its_boxes(self, game: Table, gm: Person) -> None:
        result = await gm_cases.set_wounds(game, gm.asks(), "Body", "light", 2, "Ada")

        assert (await kept(game, gm, "Ada")).wounds["body"] == ((2, 2), (0, 1))
        assert (result.message.changes[0].what, result.message.changes[0].after) == ("Body light", "2")
        with pytest.raises(UserError, match="You can't fill 3 boxes of Body light"):
            await gm_cases.set_wounds(game, gm.asks(), "body", "light", 3, "Ada")

    async def test_values_that_depend_on_wounds_follow_a_change_of_them(
        self, game: Table, gm: Person
    ) -> None:
        await gm_cases.set_wounds(game, gm.asks(), "Body", "grave", 1, "Ada")
        assert (await kept(game, gm, "Ada")).timers == {"poison": 600}

        await gm_cases.set_wounds(game, gm.asks(), "Body", "grave", 0, "Ada")

        assert (await kept(game, gm, "Ada")).timers == {}

    async def test_a_gm_sets_and_removes_a_running_timer(self, game: Table, gm: Person) -> None:
        await play.perform(game, gm.asks(), "poison", {"target": "Ada"})
        await gm_cases.set_timer(game, gm.asks(), "poison", 60, "Ada")
        assert (await kept(game, gm, "Ada")).timers == {"poison": 60}

        await gm_cases.set_timer(game, gm.asks(), "poison", None, "Ada")

        assert (await kept(game, gm, "Ada")).timers == {}
        with pytest.raises(UserError) as told:
            await gm_cases.set_timer(game, gm.asks(), "doom", 60, "Ada")
        assert told.value.sentences == ("Ada has no timer called “doom”.", "No timers are running.")


class TestFields:
    @pytest.mark.parametrize(
        ("path", "typed", "before", "after"),
        [
            ("brawn", "5", "4", "5"),
            ("gear/rope", "2", "0", "2"),
            ("/gear/rope/", " 2 ", "0", "2"),
            ("gear/motto", "12", "", "12"),
        ],
    )
    async def test_a_field_is_set_by_its_path(
        self, game: Table, gm: Person, path: str, typed: str, before: str, after: str
    ) -> None:
        result = await fields.set_field(game, gm.asks(), "Ada", path, typed)

        assert (result.message.changes[0].before, result.message.changes[0].after) == (before, after)

    async def test_a_list_field_is_typed_as_json_and_its_parts_have_paths(
        self, game: Table, gm: Person
    ) -> None:
        whole = '[{"name": "climb"}, {"name": "swim", "level": 2}]'
        await fields.set_field(game, gm.asks(), "Ada", "skills", whole)

        result = await fields.set_field(game, gm.asks(), "Ada", "skills/1/level", "3")

        assert (result.message.changes[0].before, result.message.changes[0].after) == ("2", "3")
        assert from_text((await kept(game, gm, "Ada")).sheet)["skills"] == [
            {"name": "climb", "level": 1},
            {"name": "swim", "level": 3},
        ]

    async def test_a_value_that_the_sheet_does_not_allow_is_refused_with_the_reason(
        self, game: Table, gm: Person
    ) -> None:
        with pytest.raises(UserErrors) as told:
            await fields.set_field(game, gm.asks(), "Ada", "brawn", "7")
        assert told.value.problems == ("Brawn: must be at most 6.",)
        assert from_text((await kept(game, gm, "Ada")).sheet)["brawn"] == 4

    async def test_a_value_that_the_ruleset_does_not_allow_is_refused(self, game: Table, gm: Person) -> None:
        await fields.set_field(game, gm.asks(), "Ada", "gear/rope", "1")

        with pytest.raises(UserErrors, match="Nobody with Brawn 1 carries a rope"):
            await fields.set_field(game, gm.asks(), "Ada", "brawn", "1")

    @pytest.mark.parametrize("path", ["", "/", "wings", "brawn/deep", "gear/rope/x", "skills/0", "skills/x"])
    async def test_an_unknown_path_is_refused_with_a_list_of_the_known_ones(
        self, game: Table, gm: Person, path: str
    ) -> None:
        with pytest.raises(fields.NoSuchField) as told:
            await fields.set_field(game, gm.asks(), "Ada", path, "1")
        assert told.value.allowed == "Fields: brawn, gear/rope, gear/motto, skills."

    async def test_field_paths_are_suggested_with_their_values(self, game: Table, gm: Person) -> None:
        offered = await fields.field_choices(game, gm.asks(), "gear", "Ada")

        assert [(one.value, one.label) for one in offered] == [
            ("gear/rope", "gear/rope = 0"),
            ("gear/motto", "gear/motto = empty"),
        ]


class TestTime:
    async def test_timers_run_out_as_time_passes_and_offer_the_gm_follow_ups(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await play.perform(game, gm.asks(), "poison", {"target": "Ada"})
        await game_clock.pass_time(game, gm.asks(), 599)

        result = await game_clock.pass_time(game, gm.asks(), 1)

        assert result.message.headline == "lets 1 s pass: it is day 1, 00:10"
        assert result.message.notes == ("The poison reaches Ada.",)
        assert (await kept(game, gm, "Ada")).wounds["body"][0] == (1, 2)
        with pytest.raises(ForGmOnly):
            await play.press(game, ada.asks(), result.follow_ups[0].id)
        await play.press(game, gm.asks(), result.follow_ups[0].id)
        assert (await kept(game, gm, "Ada")).wounds["body"][0] == (0, 2)

    async def test_undoing_the_passing_of_time_turns_the_clock_back(self, game: Table, gm: Person) -> None:
        await play.perform(game, gm.asks(), "poison", {"target": "Ada"})
        passed = await game_clock.pass_time(game, gm.asks(), 3600)

        await journal.undo(game, gm.asks(), passed.entry)

        ada = await kept(game, gm, "Ada")
        assert (ada.wounds["body"][0], ada.timers) == ((0, 2), {"poison": 600})

    async def test_the_clock_is_shown_with_the_timers_to_come(self, game: Table, gm: Person) -> None:
        await play.perform(game, gm.asks(), "poison", {"target": "Ada"})
        await game_clock.pass_time(game, gm.asks(), 420)
        await begin(game, gm, a_plan("Storm", every_seconds=86_400))

        view = await game_clock.clock(game, gm.asks())

        assert view.moment == "day 1, 00:07"
        assert view.waiting == ("Ada · poison, in 3 min", "Storm, every 1 d")

    @pytest.mark.parametrize(
        ("clock", "said"), [(0, "day 1, 00:00"), (86_399, "day 1, 23:59"), (90_000, "day 2, 01:00")]
    )
    def test_moments_are_written_as_day_and_time(self, clock: int, said: str) -> None:
        assert game_clock.moment_in_words(clock) == said

    @pytest.mark.parametrize(
        ("seconds", "said"), [(30, "30 s"), (600, "10 min"), (97_200, "1 d 3 h"), (0, "0 s")]
    )
    def test_spans_of_time_are_written_in_words(self, seconds: int, said: str) -> None:
        assert game_clock.in_words(seconds) == said

    async def test_time_does_not_run_backwards(self, game: Table, gm: Person) -> None:
        with pytest.raises(UserError, match="at least 1 second"):
            await game_clock.pass_time(game, gm.asks(), -5)


class TestNpcs:
    async def test_a_new_npc_starts_with_the_values_of_npcs(self, game: Table, gm: Person) -> None:
        await gm_cases.make_npc(game, gm.asks(), "Orc")

        orc = await kept(game, gm, "Orc")
        assert (orc.owner, orc.resources["luck"][0]) == (None, 0)

    async def test_players_do_not_learn_of_a_hidden_npc_until_a_gm_shows_it(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        made = await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)
        assert not made.message.is_public
        with pytest.raises(NoSuchCharacter):
            await kept(game, ada, "The Shade")

        result = await gm_cases.show_or_hide(game, gm.asks(), "The Shade", is_hidden=False)

        assert result.message.is_public
        assert (await kept(game, ada, "The Shade")).name == "The Shade"

    async def test_a_players_character_cannot_be_hidden(self, game: Table, gm: Person) -> None:
        with pytest.raises(UserError, match="Ada is a player's character"):
            await gm_cases.show_or_hide(game, gm.asks(), "Ada", is_hidden=True)


class TestReset:
    async def test_a_reset_restores_what_the_session_end_restores_and_the_session_goes_on(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "spend", {})

        result = await gm_cases.reset(game, gm.asks())

        assert [(line.who, line.after) for line in result.message.changes] == [("Ada", "2")]
        assert (await dice_stats.fairness(game, gm.asks())).in_use.number == 1


class TestPurge:
    async def test_a_purge_removes_everything_of_its_server_and_nothing_of_another(
        self, game: Table, gm: Person, neighbour: Person
    ) -> None:
        await campaigns.create(game, neighbour.asks(), "toy", "Elsewhere")
        assert await gm_cases.purge_preview(game, gm.asks()) == gm_cases.PurgePreview(1, 2)

        await gm_cases.purge(game, gm.asks())

        assert await campaigns.listing(game, gm.asks()) == ()
        assert len(await campaigns.listing(game, neighbour.asks())) == 1

    async def test_a_purge_delivered_twice_spares_what_was_made_since(self, game: Table, gm: Person) -> None:
        await gm_cases.purge(game, gm.asks("77"))
        await campaigns.create(game, gm.asks(), "toy", "Anew")

        await gm_cases.purge(game, gm.asks("77"))

        assert [one.name for one in await campaigns.listing(game, gm.asks())] == ["Anew"]

    async def test_a_named_gm_who_does_not_manage_the_server_cannot_purge(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await campaigns.set_gm(game, gm.asks(), ada.id, "Alice", is_gm=True)

        for asked in (gm_cases.purge_preview(game, ada.asks()), gm_cases.purge(game, ada.asks())):
            with pytest.raises(ForGmOnly):
                await asked
        assert len(await campaigns.listing(game, gm.asks())) == 1


CANARY = "Zorblax"


async def begin_game(table: Table, game: str, gm: Person, player: Person) -> int:
    """Create a campaign with the player's first ready-made character; return the character's id."""
    await campaigns.create(table, gm.asks(), game, "The Long Road")
    rules = rulesets()[game]
    name = next(iter(rules.creation.offered(rules.settings())))
    await characters.take_ready_made(table, player.asks(), name)
    return (await controls.open_controls(table, player.asks())).sheet.id


async def labels(table: Table, who: Person, character: int) -> dict[str, str]:
    return {one.key: one.label for one in (await typed_values(table, who.asks(), character)).values}


def changes(result: Result) -> list[str]:
    return [f"{one.what} {one.before} → {one.after}" for one in result.message.changes]


class TestValues:
    async def test_a_resource_is_set_to_what_was_typed(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin_game(whole, "compare_roll", gm, ada)
        assert (await labels(whole, gm, character))["resource|high"] == "High: 0 now"

        done = await set_value(whole, gm.asks(), character, "resource|high", "3")

        assert changes(done) == ["High 0 → 3"]
        assert (await labels(whole, gm, character))["resource|high"] == "High: 3 now"

    async def test_an_award_is_added(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin_game(whole, "rpj", gm, ada)
        assert (await labels(whole, gm, character))["award|points"] == "Character points: add or take"

        done = await set_value(whole, gm.asks(), character, "award|points", "+3")

        assert done.message.headline == "awards 3 Character points"

    async def test_wounds_are_set_by_level(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin_game(whole, "post_magic_maid", gm, ada)
        key = next(key for key in await labels(whole, gm, character) if key.startswith("wounds|blunt|"))

        await set_value(whole, gm.asks(), character, key, "1")

        assert (await labels(whole, gm, character))[key].split(": ")[1].startswith("1 of ")

    async def test_a_timer_is_set_and_removed(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin_game(whole, "rpj", gm, ada)
        name = (await controls.open_controls(whole, ada.asks())).sheet.name
        await play.perform(whole, gm.asks(), "ambush", {"target": name, "how": "out of action at once"})
        timers = [key for key in await labels(whole, gm, character) if key.startswith("timer|")]

        for key in timers:
            await set_value(whole, gm.asks(), character, key, "60")
            assert "60 s left" in (await labels(whole, gm, character))[key]
            await set_value(whole, gm.asks(), character, key, "0")
        assert timers
        assert not [key for key in await labels(whole, gm, character) if key.startswith("timer|")]

    @pytest.mark.parametrize("game", rulesets())
    async def test_every_value_fits_the_form_in_every_game(
        self, whole: Table, gm: Person, ada: Person, game: str
    ) -> None:
        character = await begin_game(whole, game, gm, ada)
        found = await labels(whole, gm, character)

        assert len(found) <= 25
        assert all(len(key) <= 100 and 1 <= len(label) <= 100 for key, label in found.items())


class TestRefusals:
    async def test_a_player_neither_sees_nor_sets_anything(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        character = await begin_game(whole, "compare_roll", gm, ada)
        before = everything(whole)

        with pytest.raises(ForGmOnly):
            await typed_values(whole, ada.asks(), character)
        for key in ("resource|high", "award|points"):
            with pytest.raises(ForGmOnly):
                await set_value(whole, ada.asks(), character, key, "3")
        assert everything(whole) == before

    @pytest.mark.parametrize("key", ["", "spell|fire", "resource", "wounds|blunt", "timer"])
    async def test_a_value_that_is_not_offered_is_refused(
        self, whole: Table, gm: Person, ada: Person, key: str
    ) -> None:
        character = await begin_game(whole, "compare_roll", gm, ada)

        with pytest.raises(UserError, match="You can't choose that here"):
            await set_value(whole, gm.asks(), character, key, "3")

    async def test_a_hidden_npcs_numbers_are_told_to_nobody_else(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        await begin_game(whole, "compare_roll", gm, ada)
        await gms.make_npc(whole, gm.asks(), CANARY, is_hidden=True)
        npc = (await controls.open_controls(whole, gm.asks(), CANARY)).sheet.id

        done = await set_value(whole, gm.asks(), npc, "resource|high", "2")

        assert not done.message.is_public
        assert CANARY not in str(await log.page(whole, ada.asks()))

    @pytest.mark.parametrize(
        ("typed", "number"), [("3", 3), (" +2 ", 2), ("-1", -1), ("\N{MINUS SIGN}4", -4)]
    )
    def test_a_number_is_read_as_people_type_it(self, typed: str, number: int) -> None:
        assert read_number(typed) == number

    @pytest.mark.parametrize("typed", ["", "many", "1.5", "+-2", "1234567", "½"])
    def test_what_is_no_whole_number_is_refused(self, typed: str) -> None:
        with pytest.raises(UserError, match="isn't a whole number"):
            read_number(typed)
