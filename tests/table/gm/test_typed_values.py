"""A GM corrects a character's numbers in one form: resources, awards, wounds and timers (issue 14)."""

from dataclasses import replace

import pytest

from bot.rules import rulesets
from bot.rules.kernel.errors import UserError
from bot.table.base.access import ForGmOnly
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters, controls
from bot.table.gm import gm as gms
from bot.table.gm.typed_values import read_number, set_value, typed_values
from bot.table.journal import log
from bot.table.play import play
from tests.table.conftest import Person
from tests.table.whole import everything

CANARY = "Zorblax"


@pytest.fixture
def whole(table: Table) -> Table:
    """The table with every game."""
    return replace(table, games=rulesets())


async def begin(table: Table, game: str, gm: Person, player: Person) -> int:
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
        character = await begin(whole, "compare_roll", gm, ada)
        assert (await labels(whole, gm, character))["resource|high"] == "High: 0 now"

        done = await set_value(whole, gm.asks(), character, "resource|high", "3")

        assert changes(done) == ["High 0 → 3"]
        assert (await labels(whole, gm, character))["resource|high"] == "High: 3 now"

    async def test_an_award_is_added(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin(whole, "rpj", gm, ada)
        assert (await labels(whole, gm, character))["award|points"] == "Character points: add or take"

        done = await set_value(whole, gm.asks(), character, "award|points", "+3")

        assert done.message.headline == "awards 3 Character points"

    async def test_wounds_are_set_by_level(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin(whole, "post_magic_maid", gm, ada)
        key = next(key for key in await labels(whole, gm, character) if key.startswith("wounds|blunt|"))

        await set_value(whole, gm.asks(), character, key, "1")

        assert (await labels(whole, gm, character))[key].split(": ")[1].startswith("1 of ")

    async def test_a_timer_is_set_and_removed(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin(whole, "rpj", gm, ada)
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
        character = await begin(whole, game, gm, ada)
        found = await labels(whole, gm, character)

        assert len(found) <= 25
        assert all(len(key) <= 100 and 1 <= len(label) <= 100 for key, label in found.items())


class TestRefusals:
    async def test_a_player_neither_sees_nor_sets_anything(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        character = await begin(whole, "compare_roll", gm, ada)
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
        character = await begin(whole, "compare_roll", gm, ada)

        with pytest.raises(UserError, match="You can't choose that here"):
            await set_value(whole, gm.asks(), character, key, "3")

    async def test_a_hidden_npcs_numbers_are_told_to_nobody_else(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        await begin(whole, "compare_roll", gm, ada)
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
