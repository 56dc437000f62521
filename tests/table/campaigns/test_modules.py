"""The module of a campaign: exported, imported or shipped, and who uses it."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.rules.kernel import FileKind
from bot.rules.kernel.errors import UserError, UserErrors
from bot.table.base.table import ModuleCache, Table, with_module
from bot.table.campaigns import campaign_settings, campaigns, fields, modules
from bot.table.characters import character_files, characters, creation_pages
from bot.table.gm import gm as gm_deeds
from bot.table.journal import journal, suggest, verify
from bot.table.play.play import perform
from bot.table.sessions import sessions
from bot.table.sessions.endings import end
from tests.table.conftest import Person
from tests.table.counting import everything, state
from tests.table.toy import TOY
from tests.table.toy_module import MODULE, SHIPPED, Craft, ToyModule, ToySettings, module_in

WOODS = b"""
name = "Woods"
most_luck = 4

[[crafts]]
id = "bow"
name = "Bowyery"
hardest = 3
"""


async def crafts(table: Table, who: Person) -> list[str]:
    return [choice.value for choice in await suggest.things(table, who.asks(), "crafts", "")]


class TestFiles:
    async def test_a_campaign_starts_with_the_default_module(self, game: Table, gm: Person) -> None:
        file = await modules.export(game, gm.asks())

        assert (file.name, file.title, file.content) == ("toy-module.toml", "Plain", b"\n")

    async def test_an_exported_module_can_be_imported_again(self, game: Table, gm: Person) -> None:
        await modules.import_(game, gm.asks(), WOODS)

        for kind in FileKind:
            file = await modules.export(game, gm.asks(), kind)
            assert modules.read_file(MODULE, file.content, file.name) == ToyModule(
                name="Woods", crafts=(Craft(id="bow", name="Bowyery", hardest=3),), most_luck=4
            )

    async def test_json_is_recognized_by_the_file_name_or_the_first_character(self) -> None:
        woods = json.dumps({"name": "Woods"}).encode()

        assert modules.read_file(MODULE, woods, "woods.JSON") == ToyModule(name="Woods")
        assert modules.read_file(MODULE, b"\xef\xbb\xbf " + woods, "") == ToyModule(name="Woods")

    async def test_an_import_is_told_happens_once_and_can_be_undone(self, game: Table, gm: Person) -> None:
        before = state(game)
        request = gm.asks()

        result = await modules.import_(game, request, WOODS)

        assert (
            result.message.headline,
            [(one.what, one.before, one.after) for one in result.message.changes],
        ) == (
            "switches to the module Woods",
            [("module", "Plain", "Woods")],
        )
        assert await modules.import_(game, request, WOODS) == result
        await journal.undo(game, gm.asks())
        assert state(game) == before
        assert await crafts(game, gm) == ["Rope-making"]

    async def test_an_undo_restores_the_earlier_module(self, game: Table, gm: Person) -> None:
        await modules.import_(game, gm.asks(), WOODS)
        await modules.import_(game, gm.asks(), b'name = "Void"\ncrafts = []\n')

        await journal.undo(game, gm.asks())

        assert await crafts(game, gm) == ["Bowyery"]

    @pytest.mark.parametrize(
        ("content", "problems"),
        [
            (
                b"name = 7\nsize = 3\n",
                ("Line 1: name: this should be a valid string.", "Line 2: size: there is no such field."),
            ),
            (
                b'[[crafts]]\nid = "a"\nname = "A"\n[[crafts]]\nid = "a"\nname = "B"\n',
                ("Line 5: There are two crafts with the id a.",),
            ),
        ],
    )
    async def test_all_problems_of_a_module_are_reported_and_nothing_changes(
        self, game: Table, gm: Person, content: bytes, problems: tuple[str, ...]
    ) -> None:
        before = everything(game)

        with pytest.raises(UserErrors) as told:
            await modules.import_(game, gm.asks(), content)

        assert told.value.problems == problems
        assert everything(game) == before

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b" " * (256 * 1024 + 1), "This file is too large (256 KiB)."),
            (b"\xff", "This file isn't UTF-8 text."),
            (
                b"x",
                "I can't read this module. This isn't TOML: Expected '=' after a key in a key/value pair "
                "(at end of document).",
            ),
        ],
    )
    async def test_a_file_that_is_no_module_is_refused(
        self, game: Table, gm: Person, content: bytes, sentence: str
    ) -> None:
        with pytest.raises(UserError) as told:
            await modules.import_(game, gm.asks(), content)

        assert told.value.what == sentence

    async def test_the_exported_journal_contains_the_module(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await modules.import_(game, gm.asks(), WOODS)

        gms = "".join([line async for line in verify.export_lines(game, gm.asks())])
        players = "".join([line async for line in verify.export_lines(game, ada.asks())])

        assert "Bowyery" in gms
        assert "Bowyery" not in players


class TestWhoMay:
    async def test_a_game_without_modules_says_so(self, table: Table, gm: Person) -> None:
        bare = replace(table, games={"toy": replace(TOY, module=None)})
        await campaigns.create(bare, gm.asks(), "toy", "The Long Road")

        with pytest.raises(UserError, match="Toy Game has no modules"):
            await modules.show(bare, gm.asks())


class TestShippedOnes:
    async def test_a_shipped_module_is_chosen_by_key_or_title(self, game: Table, gm: Person) -> None:
        await modules.use(game, gm.asks(), "sea")
        assert await crafts(game, gm) == ["Sailing"]

        await modules.use(game, gm.asks(), "Plain")
        assert await crafts(game, gm) == ["Rope-making"]

    async def test_the_module_already_played_cannot_be_chosen_again(self, game: Table, gm: Person) -> None:
        with pytest.raises(UserError, match="The Long Road already uses exactly that module"):
            await modules.use(game, gm.asks(), "plain")

    async def test_an_unknown_module_is_refused(self, game: Table, gm: Person) -> None:
        with pytest.raises(UserError) as told:
            await modules.use(game, gm.asks(), "own")

        assert told.value.sentences == ("There is no module called “own”.", "Modules: Plain, Sea.")

    async def test_the_settings_name_the_module_played(self, game: Table, gm: Person) -> None:
        await modules.import_(game, gm.asks(), WOODS)

        await campaign_settings.change_setting(game, gm.asks(), "played", "sea")
        assert await crafts(game, gm) == ["Sailing"]

        await campaign_settings.change_setting(game, gm.asks(), "played", "own")
        assert await crafts(game, gm) == ["Bowyery"]

    async def test_the_campaigns_own_module_is_kept_and_can_be_chosen_again(
        self, game: Table, gm: Person
    ) -> None:
        await modules.import_(game, gm.asks(), WOODS)
        await modules.use(game, gm.asks(), "sea")

        offered = await modules.choices(game, gm.asks(), "")
        await modules.use(replace(game, modules=ModuleCache()), gm.asks(), offered[-1].value)

        assert [choice.label for choice in offered] == ["Plain", "Sea", "Your own (imported last)"]
        assert await crafts(game, gm) == ["Bowyery"]


class TestEffects:
    """Everything that gets the settings gets the module with them."""

    async def test_sheets_and_lists_use_the_module(self, game: Table, gm: Person, ada: Person) -> None:
        await modules.import_(game, gm.asks(), WOODS)

        view = await characters.sheet(game, ada.asks(), None)

        assert view.sections[1].lines == ("Bowyery",)
        assert await crafts(game, ada) == ["Bowyery"]

    async def test_caps_follow_the_module_and_values_above_them_stay(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await modules.use(game, gm.asks(), "sea")

        with pytest.raises(UserError, match="Ada can have at most 1 Luck \\(now 2\\)"):
            await gm_deeds.award(game, gm.asks(), "luck", 1, ["Ada"])

    async def test_procedures_use_the_module_and_keep_it_when_they_change_settings(
        self, game: Table, gm: Person
    ) -> None:
        await modules.import_(game, gm.asks(), WOODS)
        await perform(game, gm.asks(), "place", {"name": "Pier"})

        kept = {one.key: one.value for one in await campaign_settings.settings(game, gm.asks())}
        assert kept == {
            "idle_hours": "none",
            "voice_empty_minutes": "none",
            "ping_turns": "no",
            "foe_health": "words",
            "session_threads": "no",
            "luck_cap": "2",
            "reset": "full",
            "is_grim": "no",
            "places": "Pier",
            "played": "own",
        }
        assert await crafts(game, gm) == ["Bowyery"]

    async def test_a_changed_setting_keeps_the_module(self, game: Table, gm: Person) -> None:
        await modules.import_(game, gm.asks(), WOODS)
        await campaign_settings.change_setting(game, gm.asks(), "is_grim", "yes")

        assert await crafts(game, gm) == ["Bowyery"]

    async def test_character_creation_uses_the_module(self, game: Table, gm: Person, bo: Person) -> None:
        await modules.import_(game, gm.asks(), WOODS)
        draft = (await creation_pages.begin(game, bo.asks())).draft

        page = await creation_pages.write(game, bo.asks(), draft, "brawn", {"brawn": "3"})

        assert page.preview[1].lines == ("Bowyery",)

    async def test_odds_use_the_module_where_it_is_played(
        self, game: Table, gm: Person, neighbour: Person
    ) -> None:
        await modules.use(game, gm.asks(), "sea")

        here = await campaign_settings.played_here(game, gm.asks(), TOY)
        elsewhere = await campaign_settings.played_here(game, neighbour.asks(), TOY)

        assert isinstance(here, ToySettings)
        assert isinstance(elsewhere, ToySettings)
        assert (module_in(here).name, module_in(elsewhere).name) == ("Sea", "Plain")

    async def test_the_end_of_a_session_keeps_the_module(self, game: Table, gm: Person) -> None:
        await modules.import_(game, gm.asks(), WOODS)
        await sessions.start(game, gm.asks())
        await end(game, gm.asks())

        assert await crafts(game, gm) == ["Bowyery"]

    async def test_another_campaign_does_not_use_the_module(self, game: Table, gm: Person) -> None:
        await modules.import_(game, gm.asks(), WOODS)
        await campaigns.create(game, gm.asks(place=77), "toy", "The Short Road")

        found = await suggest.things(game, gm.asks(place=77), "crafts", "")

        assert [choice.value for choice in found] == ["Rope-making"]

    async def test_a_module_is_parsed_once_and_then_cached(self, game: Table, gm: Person) -> None:
        await modules.import_(game, gm.asks(), WOODS)
        fresh = replace(game, modules=ModuleCache())
        await crafts(fresh, gm)

        def query(reader: object) -> bool:
            campaign = reader.campaigns(gm.server)[0]  # type: ignore[attr-defined]  # a store's reader
            one, other = (
                with_module(fresh.modules, reader, TOY, campaign, ToySettings()).module_carried  # type: ignore[arg-type, attr-defined]
                for _ in range(2)
            )
            return one is other

        assert await game.store.read(query)

    async def test_the_module_cache_is_limited(self) -> None:
        cache = ModuleCache()
        for number in range(65):
            cache.keep(str(number), ToyModule())

        assert (cache.find("0"), cache.find("1")) == (None, ToyModule())


class TestMisfits:
    @pytest.fixture
    async def sailors(self, game: Table, gm: Person) -> Table:
        """Ada is a rope-maker."""
        skills = '[{"name": "Rope-making", "level": 5}]'
        await fields.set_field(game, gm.asks(), "Ada", "skills", skills)
        return game

    async def test_a_character_that_does_not_fit_the_module_stays_and_is_listed(
        self, sailors: Table, gm: Person, ada: Person
    ) -> None:
        await modules.import_(sailors, gm.asks(), WOODS)

        view = await modules.show(sailors, gm.asks())

        assert (view.title, view.summary, view.hints) == ("Woods", ("1 crafts",), ())
        assert view.problems == ("Ada: There is no Rope-making here.",)
        _, content = await character_files.export(sailors, ada.asks(), None)
        assert json.loads(content)["sheet"]["skills"] == [{"name": "Rope-making", "level": 5}]

    async def test_a_character_that_does_not_fit_can_still_be_played(
        self, sailors: Table, gm: Person
    ) -> None:
        await modules.import_(sailors, gm.asks(), WOODS)

        result = await fields.set_field(sailors, gm.asks(), "Ada", "brawn", "5")

        assert [(one.before, one.after) for one in result.message.changes] == [("4", "5")]

    async def test_new_values_that_do_not_fit_cannot_be_set_or_imported(
        self, sailors: Table, gm: Person, ada: Person
    ) -> None:
        _, content = await character_files.export(sailors, ada.asks(), None)
        await modules.import_(sailors, gm.asks(), WOODS)

        with pytest.raises(UserErrors, match="Bowyery goes up to 3"):
            await fields.set_field(sailors, gm.asks(), "Bo", "skills", '[{"name": "Bowyery", "level": 4}]')
        with pytest.raises(UserErrors, match="There is no Rope-making here"):
            await character_files.import_(sailors, ada.asks(), content, "Abe")


class TestStoredInSettings:
    """A game that stores a GM's additions in its settings can still share them as a module."""

    @pytest.fixture
    def among_settings(self, game: Table) -> Table:
        def carried(played: ToySettings) -> ToyModule:
            return ToyModule(name="Places", crafts=tuple(Craft(id=one, name=one) for one in played.places))

        def carrying(played: ToySettings, module: ToyModule) -> ToySettings:
            return played.model_copy(update={"places": tuple(one.id for one in module.crafts)})

        rule = replace(
            MODULE,
            carried=carried,
            carrying=carrying,
            choosing=lambda played, key: carrying(played, SHIPPED[key]),
            is_apart=False,
        )
        return replace(game, games={"toy": replace(TOY, module=rule)})

    async def test_added_settings_survive_an_export_and_import(
        self, among_settings: Table, gm: Person
    ) -> None:
        await campaign_settings.change_setting(among_settings, gm.asks(), "places", "pier, quay")

        file = await modules.export(among_settings, gm.asks())
        await campaign_settings.change_setting(among_settings, gm.asks(), "places", "default")
        await modules.import_(among_settings, gm.asks(), file.content)

        kept = {one.key: one.value for one in await campaign_settings.settings(among_settings, gm.asks())}
        assert kept["places"] == "pier, quay"

    async def test_a_shipped_module_is_written_into_the_settings(
        self, among_settings: Table, gm: Person
    ) -> None:
        await modules.use(among_settings, gm.asks(), "sea")

        kept = {one.key: one.value for one in await campaign_settings.settings(among_settings, gm.asks())}
        assert kept["places"] == "sail"


def test_the_module_use_case_names_no_ruleset() -> None:
    for file in (
        "bot/table/campaigns/modules.py",
        "bot/table/base/table.py",
        "bot/rules/kernel/module.py",
    ):
        text = Path(file).read_text(encoding="utf-8").casefold()
        assert not any(name in text for name in ("rpj", "swim", "maid", "swarm"))
