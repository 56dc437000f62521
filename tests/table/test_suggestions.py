"""What is offered while somebody types or has typed another game's command, and rules looked up."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import CharacterId, Document, Outcome, Procedure, RuleText, Scene
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.store.connection import OutOfBounds
from bot.store.transaction import Reader
from bot.table.base.access import NoSuchCharacter, access_here, find_character
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns, rulebook
from bot.table.characters import characters
from bot.table.gm import gm
from bot.table.gm import gm as gm_cases
from bot.table.journal import suggest
from bot.table.play import play
from bot.table.play.play import OtherGame
from tests.table.conftest import Person
from tests.table.counting import everything
from tests.table.toy import TOY

GAMES = rulesets()


def boss_of(somebody: Person) -> Person:
    return Person(1, "Gwen", somebody.interactions, manages_server=True)


class TestCharacters:
    async def test_characters_whose_name_contains_the_typed_text_are_suggested(
        self, game: Table, ada: Person
    ) -> None:
        assert [one.value for one in await suggest.characters(game, ada.asks(), " A")] == ["Ada"]

    async def test_hidden_characters_are_suggested_only_to_the_gm(self, game: Table, ada: Person) -> None:
        boss = boss_of(ada)
        await gm.make_npc(game, boss.asks(), "Ogre", is_hidden=True)

        assert [one.label for one in await suggest.characters(game, ada.asks(), "")] == ["Ada", "Bo"]
        assert [one.label for one in await suggest.characters(game, boss.asks(), "o")] == [
            "Bo",
            "Ogre · GM",
        ]

    async def test_a_players_own_characters_are_suggested_where_they_act(
        self, game: Table, ada: Person
    ) -> None:
        offered = await suggest.characters(game, ada.asks(), "", only_own=True)

        assert [one.value for one in offered] == ["Ada"]

    async def test_retired_characters_are_not_suggested(self, game: Table, ada: Person) -> None:
        await characters.retire(game, ada.asks(), "Ada")

        assert [one.value for one in await suggest.characters(game, ada.asks(), "")] == ["Bo"]

    async def test_at_most_25_characters_are_suggested(self, game: Table, ada: Person) -> None:
        await asyncio.gather(
            *(characters.take_ready_made(game, ada.asks(), "Ada", f"Ada {number}") for number in range(30))
        )

        assert len(await suggest.characters(game, ada.asks(), "ada")) == 25

    @pytest.mark.parametrize("typed", ["%", "_", "\\", "'", '"', "*"])
    async def test_special_signs_in_the_typed_text_stand_for_themselves(
        self, game: Table, ada: Person, typed: str
    ) -> None:
        assert await suggest.characters(game, ada.asks(), typed) == []


class TestThings:
    async def test_things_of_the_ruleset_are_suggested(self, game: Table, ada: Person) -> None:
        assert [one.value for one in await suggest.things(game, ada.asks(), "attributes", "br")] == ["Brawn"]

    async def test_named_documents_of_the_campaign_are_suggested_by_name(
        self, game: Table, ada: Person
    ) -> None:
        for text in ("crows", "owls"):
            await play.perform(game, ada.asks(), "omen", {"text": text})

        assert [one.value for one in await suggest.things(game, ada.asks(), "omens", "ow")] == [
            "owls",
            "crows",
        ]

    async def test_nothing_is_suggested_for_an_unknown_kind(self, game: Table, ada: Person) -> None:
        assert await suggest.things(game, ada.asks(), "spells", "") == []

    async def test_a_half_typed_actor_gets_everybodys_suggestions(self, game: Table, ada: Person) -> None:
        offered = await suggest.things(game, ada.asks(), "attributes", "", acting="Ad")

        assert [one.value for one in offered] == ["Brawn"]

    def test_things_that_begin_with_the_text_come_first_and_at_most_25(self) -> None:
        names = ["long rope", "rope", "Rope", *(f"rope {number}" for number in range(30))]

        found = suggest.matching(names, " ROPE")

        assert found[:2] == ["rope", "Rope"]
        assert len(found) == 25

    async def test_ready_made_characters_are_suggested(self, game: Table, ada: Person) -> None:
        assert [one.value for one in await suggest.ready_made(game, ada.asks(), "b")] == ["Bo"]


OTHER = replace(
    TOY,
    key="other",
    title="Other Game",
    glossary=(
        RuleText(("OTH-1", "OTH-2"), "Checks", "Another way to check."),
        RuleText(("OTH-3",), "Grappling", "Hold on to somebody; a check decides."),
        RuleText(("OTH-4",), "x" * 120, "A title that is not low."),
    ),
)


@pytest.fixture
def library(game: Table) -> Table:
    """A table where the toy is played, beside another game."""
    return replace(game, games={"other": OTHER, **game.games})


class TestRules:
    async def test_rule_titles_of_the_game_played_here_come_first(self, library: Table, ada: Person) -> None:
        found = await rulebook.titles(library, ada.asks(), "check")

        assert [one.label for one in found] == ["Checks", "Other Game: Checks"]

    @pytest.mark.parametrize(
        ("asked", "key", "title"),
        [
            ("checks", "toy", "Checks"),
            ("Other Game: Checks", "other", "Checks"),
            ("oth-2", "other", "Checks"),
            ("toy-1", "toy", "Checks"),
            ("how do I check", "toy", "Checks"),
            ("  brawn ", "toy", "Checks"),
            ("oth-4", "other", "x" * 120),
        ],
    )
    async def test_a_rule_is_found_by_title_id_or_word(
        self, library: Table, ada: Person, asked: str, key: str, title: str
    ) -> None:
        found = await rulebook.look_up(library, ada.asks(), asked)

        assert (found.game.key, found.rule.title) == (key, title)

    async def test_every_suggested_rule_title_is_found(self, library: Table, ada: Person) -> None:
        for offered in await rulebook.titles(library, ada.asks(), ""):
            found = await rulebook.look_up(library, ada.asks(), offered.value)
            assert offered.label.endswith(found.rule.title)
            assert len(offered.value) <= 100

    @pytest.mark.parametrize("asked", ["hold", "GRAPPLING", "how do I grapple"])
    async def test_another_games_rule_is_named_but_not_shown(
        self, library: Table, ada: Person, asked: str
    ) -> None:
        """F-ALL-07."""
        with pytest.raises(UserError) as told:
            await rulebook.look_up(library, ada.asks(), asked)

        assert told.value.sentences == (
            f"Toy Game has no rule about “{asked}”.",
            "Another game does: Other Game: Grappling.",
            "Type a word, then pick one of the titles.",
        )

    async def test_a_rule_with_the_title_comes_before_one_that_mentions_it(
        self, game: Table, ada: Person
    ) -> None:
        """F-ALL-07: `/rules stress` gave “Stress over the limit”."""
        pages = (
            RuleText(("T-1",), "Stress over the limit", "Stress stress stress."),
            RuleText(("T-2",), "Curing Stress", "High takes Stress away."),
            RuleText(("T-3",), "Stress", "What it is."),
        )
        stressed = replace(game, games={"toy": replace(TOY, glossary=pages)})
        asked = ("stress", "what is Stress", "over the limit", "how to be curing Stress")

        found = [(await rulebook.look_up(stressed, ada.asks(), one)).rule.title for one in asked]

        assert found == ["Stress", "Stress", "Stress over the limit", "Curing Stress"]

    @pytest.mark.parametrize("asked", ["zebra", "", "   "])
    async def test_a_search_without_a_match_is_refused(self, library: Table, ada: Person, asked: str) -> None:
        with pytest.raises(UserError, match="has no rule about"):
            await rulebook.look_up(library, ada.asks(), asked)

    async def test_rules_can_be_looked_up_without_a_campaign(self, table: Table, ada: Person) -> None:
        assert (await rulebook.look_up(table, ada.asks(), "checks")).game.key == "toy"


class Number(Document):
    """A number, or a character by its number."""

    number: int


def call_by_number(scene: Scene, options: Number, _dice: Dice) -> Outcome:
    return Outcome(scene=scene, headline=f"calls {scene.character(CharacterId(options.number)).name}")


def set_luck(scene: Scene, options: Number, _dice: Dice) -> Outcome:
    lucky = scene.actor.with_resource("luck", options.number)
    return Outcome(scene=scene.with_character(lucky), headline="is lucky")


@pytest.fixture
def daring(game: Table) -> Table:
    """A table whose game has rules that use any number they are given."""
    toy = game.games["toy"]
    more = {
        "call": Procedure(key="call", options=Number, run=call_by_number),
        "luck": Procedure(key="luck", options=Number, run=set_luck),
    }
    return replace(game, games={"toy": replace(toy, procedures={**toy.procedures, **more})})


async def do(table: Table, who: Person, procedure: str, **given: Any) -> Result:
    return await play.perform(table, who.asks(), procedure, given)


async def luck(table: Table, person: Person) -> tuple[int, int | None]:
    """Return Ada's stored luck: the value and its cap."""

    def query(reader: Reader) -> tuple[int, int | None]:
        return find_character(reader, access_here(table, reader, person.asks()), "Ada").resources["luck"]

    return await table.store.read(query)


class TestAnotherCampaign:
    async def test_another_campaigns_characters_are_found_neither_by_name_nor_by_number(
        self, daring: Table, gm: Person, ada: Person
    ) -> None:
        await campaigns.create(daring, gm.asks(place=61), "toy", "Another")
        await characters.take_ready_made(daring, ada.asks(place=61), "Ada", "Zoe")

        for target in ("Zoe", 3):
            with pytest.raises(NoSuchCharacter):
                await do(daring, ada, "treat", target=target)

    async def test_a_rule_that_knows_the_number_does_not_find_another_campaigns_character(
        self, daring: Table, gm: Person, ada: Person
    ) -> None:
        await campaigns.create(daring, gm.asks(place=61), "toy", "Another")
        await characters.take_ready_made(daring, ada.asks(place=61), "Ada", "Zoe")

        assert (await do(daring, ada, "call", number=2)).message.headline == "calls Bo"
        with pytest.raises(NoSuchCharacter):
            await do(daring, ada, "call", number=3)


class TestCaps:
    async def test_a_cap_lowered_below_a_value_sinks_with_the_value(
        self, daring: Table, gm: Person, ada: Person
    ) -> None:
        assert await luck(daring, ada) == (2, 3)
        await campaign_settings.change_setting(daring, gm.asks(), "luck_cap", "1")
        assert await luck(daring, ada) == (2, 2)

        await do(daring, ada, "train")
        assert await luck(daring, ada) == (2, 2)
        await do(daring, ada, "spend")
        assert await luck(daring, ada) == (1, 1)

    async def test_a_rule_cannot_give_more_than_the_cap(self, daring: Table, gm: Person, ada: Person) -> None:
        await campaign_settings.change_setting(daring, gm.asks(), "luck_cap", "1")
        await do(daring, ada, "spend")

        with pytest.raises(OutOfBounds, match="Ada: luck is 2, of at most 1"):
            await do(daring, ada, "luck", number=2)
        assert await luck(daring, ada) == (1, 1)


@pytest.mark.parametrize("played", sorted(GAMES))
async def test_a_procedure_of_another_game_is_refused(table: Table, gm: Person, played: str) -> None:
    here = replace(table, games=GAMES)
    await campaigns.create(here, gm.asks(), played, "The Long Road")
    await gm_cases.make_npc(here, gm.asks(), "Raider")
    before = everything(here)

    tried = 0
    for game in GAMES.values():
        for procedure in game.procedures if game.key != played else ():
            with pytest.raises(OtherGame, match=f"This campaign plays {GAMES[played].title}"):
                await play.perform(here, gm.asks(), procedure, {}, game=game.key, acting="Raider")
            tried += 1

    assert tried > 100
    assert everything(here) == before


async def test_the_right_command_is_offered_only_to_those_who_may_use_it(
    table: Table, gm: Person, ada: Person
) -> None:
    here = replace(table, games=GAMES)
    await campaigns.create(here, gm.asks(), "swim_class", "The Long Road")
    hour = {"hours": "1"}

    with pytest.raises(OtherGame) as told_to_gm:
        await play.perform(here, gm.asks(), "clock", hour, game="post_magic_maid")
    with pytest.raises(OtherGame) as told_to_player:
        await play.perform(here, ada.asks(), "clock", hour, game="post_magic_maid")

    assert (told_to_gm.value.fits, told_to_player.value.fits) == (True, False)
