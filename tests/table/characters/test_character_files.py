"""Character files: exported, imported, and files that are not what they seem."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.kernel.errors import UserError, UserErrors
from bot.table.base.table import Table
from bot.table.characters import character_files, characters
from bot.table.characters.character_files import LARGEST_FILE, read_file
from bot.table.journal import journal
from tests.table.conftest import Person
from tests.table.counting import everything, state
from tests.table.play.test_play import do
from tests.table.toy import TOY

GOOD: dict[str, Any] = {
    "format": "tablekeeper-character",
    "version": 1,
    "ruleset": "toy",
    "name": "Cy",
    "sheet_version": 1,
    "sheet": {"brawn": 4, "gear": {"rope": 2, "motto": "no *pain*"}},
    "resources": {"luck": 1},
    "wounds": {"body": [1, 0]},
}


def a_file(**changes: Any) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


async def refused(table: Table, who: Person, content: bytes, name: str | None = None) -> UserError:
    before = everything(table)
    with pytest.raises(UserError) as told:
        await character_files.import_(table, who.asks(), content, name)
    assert everything(table) == before
    return told.value


class TestExportAndImport:
    async def test_an_exported_character_is_imported_as_it_was(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await do(game, ada, "spend")
        await do(game, gm, "hurt", target="Ada")
        name, content = await character_files.export(game, ada.asks(), None)

        await character_files.import_(game, ada.asks(), content, "Abe")

        assert name == "Ada"
        _, again = await character_files.export(game, ada.asks(), "Abe")
        assert json.loads(again) == json.loads(content) | {"name": "Abe"}

    async def test_an_import_is_told_can_be_undone_and_happens_once(self, game: Table, ada: Person) -> None:
        before = state(game)
        request = ada.asks()

        result = await character_files.import_(game, request, a_file())

        assert (result.message.who, result.message.headline) == ("Cy", "joins the campaign from a file")
        assert await character_files.import_(game, request, a_file()) == result
        await journal.undo(game, ada.asks(), is_sure=True)
        assert state(game) == before

    async def test_values_that_a_file_omits_are_at_their_start(self, game: Table, ada: Person) -> None:
        await character_files.import_(game, ada.asks(), a_file(resources={}, wounds={}))

        _, content = await character_files.export(game, ada.asks(), "Cy")
        assert json.loads(content)["resources"] == {"luck": 2}
        assert json.loads(content)["wounds"] == {"body": [0, 0]}

    async def test_a_person_can_export_only_their_own_character(self, game: Table, bo: Person) -> None:
        with pytest.raises(UserError, match="Ada isn't your character"):
            await character_files.export(game, bo.asks(), "Ada")

    async def test_an_imported_character_belongs_to_whoever_imports_it(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        _, content = await character_files.export(game, ada.asks(), None)

        await character_files.import_(game, bo.asks(), content, "Abe")

        assert (await characters.sheet(game, bo.asks(), None)).name == "Abe"


class TestRefused:
    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"\x00\xff\xfe",
            b"hello",
            b"[]]",
            b"[" * 60_000,
            b'{"a":' * 10_000,
            b'{"version": NaN}',
            b'{"version": -Infinity}',
            b'{"version": ' + b"9" * 5000 + b"}",
        ],
        ids=["empty", "bytes", "words", "broken", "deep", "deeper", "NaN", "infinity", "digits"],
    )
    async def test_a_file_that_is_no_json_is_refused(self, game: Table, ada: Person, content: bytes) -> None:
        said = (await refused(game, ada, content)).sentences

        assert (said[0], said[-1]) == ("This isn't a character file.", "Get one with /character export.")

    async def test_a_file_that_is_too_large_is_not_read(self, game: Table, ada: Person) -> None:
        assert (await refused(game, ada, b" " * (LARGEST_FILE + 1))).sentences == (
            "This file is too large (256 KiB).",
            "The limit is 256 KiB.",
        )

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"format": "something else"}, "I can't read this character file."),
            ({"version": 2}, "I can't read this character file."),
            ({"ruleset": "chess"}, "This character is from another game; this campaign plays Toy Game."),
            ({"sheet_version": 2}, "This file is from a newer version of the bot."),
            ({"sheet_version": 0}, "This file is from a newer version of the bot."),
        ],
    )
    async def test_a_file_of_another_kind_is_refused_with_its_kind(
        self, game: Table, ada: Person, changes: dict[str, Any], said: str
    ) -> None:
        assert (await refused(game, ada, a_file(**changes))).what == said

    @pytest.mark.parametrize(
        ("changes", "begins"),
        [
            ({"name": ""}, "name"),
            ({"name": "x" * 41}, "name"),
            ({"name": 7}, "name"),
            ({"name": "\ud800"}, "name"),
            ({"sheet": []}, "sheet"),
            ({"resources": {"luck": -1}}, "resources › luck"),
            ({"resources": {"luck": 2**70}}, "resources › luck"),
            ({"resources": {"luck": 1.5}}, "resources › luck"),
            ({"resources": {"luck": True}}, "resources › luck"),
            ({"resources": {"luck": "1"}}, "resources › luck"),
            ({"wounds": {"body": [-1, 0]}}, "wounds › body › 0"),
            ({"wounds": {"body": 3}}, "wounds › body"),
            ({"extra": 1}, "extra"),
            ({"is_hidden": True}, "is_hidden"),
        ],
    )
    async def test_a_value_of_the_wrong_kind_is_named(
        self, game: Table, ada: Person, changes: dict[str, Any], begins: str
    ) -> None:
        mistake = await refused(game, ada, a_file(**changes))

        assert isinstance(mistake, UserErrors)
        assert [problem.split(":")[0] for problem in mistake.problems] == [
            "This isn't a character file.",
            begins,
        ]

    async def test_all_problems_of_a_sheet_are_reported_at_once(self, game: Table, ada: Person) -> None:
        sheet = {"brawn": 9, "gear": {"rope": "many", "wings": 2}}

        mistake = await refused(game, ada, a_file(sheet=sheet))

        assert isinstance(mistake, UserErrors)
        assert sorted(mistake.problems) == [
            "brawn: must be at most 6.",
            "gear › rope: must be a whole number.",
            "gear › wings: there is no such field.",
        ]

    async def test_a_sheet_that_the_rules_do_not_allow_is_refused(self, game: Table, ada: Person) -> None:
        mistake = await refused(game, ada, a_file(sheet={"brawn": 1, "gear": {"rope": 1}}))

        assert mistake.what == "gear/rope: Nobody with Brawn 1 carries a rope."

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"resources": {"luck": 4}}, "luck is 4, but the cap is 3."),
            ({"resources": {"gold": 4}}, "gold isn't a resource in this game."),
            ({"wounds": {"body": [3, 0]}}, "body has [3, 0] boxes filled, but the limits are [2, 1]."),
            ({"wounds": {"body": [1]}}, "body has [1] boxes filled, but the limits are [2, 1]."),
            ({"wounds": {"soul": [1]}}, "soul isn't a wound track in this game."),
        ],
    )
    async def test_wrong_counted_values_are_reported(
        self, game: Table, ada: Person, changes: dict[str, Any], said: str
    ) -> None:
        mistake = await refused(game, ada, a_file(**changes))

        assert isinstance(mistake, UserErrors)
        assert mistake.problems == (said,)

    async def test_true_is_no_number_of_a_sheet(self, game: Table, ada: Person) -> None:  # F-REL-13
        mistake = await refused(game, ada, a_file(sheet={"brawn": True}))

        assert isinstance(mistake, UserErrors)
        assert mistake.problems == ("brawn: this should be a number, not true or false.",)

    async def test_a_file_with_a_key_twice_is_refused(self, game: Table, ada: Person) -> None:  # F-REL-13
        content = a_file().decode().replace('"sheet": {', '"sheet": {"brawn": 4, ', 1)

        mistake = await refused(game, ada, content.encode())

        assert mistake.sentences[1] == "“brawn” stands twice in the same table."

    async def test_a_name_that_reads_like_another_is_refused(self, game: Table, ada: Person) -> None:
        mistake = await refused(game, ada, a_file(), "\u0410da")  # F-REL-13: a Cyrillic A

        assert mistake.what == "The name \u0410da reads like Ada, though it is written otherwise."

    async def test_a_file_with_a_taken_name_is_refused(self, game: Table, ada: Person) -> None:
        assert (await refused(game, ada, a_file(), "ada")).sentences == (
            "The name ada is already taken in this campaign.",
            "Choose another name.",
        )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


class TestWhateverIsSent:
    @given(content=st.binary(max_size=300))
    def test_random_bytes_are_refused_without_a_crash(self, content: bytes) -> None:
        with pytest.raises(UserError):
            read_file(content, TOY)

    @given(key=st.sampled_from(sorted(GOOD)), value=JSON)
    @settings(max_examples=200)
    def test_any_value_in_any_place_is_read_or_refused(self, key: str, value: Any) -> None:
        with suppress(UserError):
            assert read_file(a_file(**{key: value}), TOY).ruleset == "toy"
