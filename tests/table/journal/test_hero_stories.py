"""F-ALL-13, F-SWIM-12: what became of each hero in a session, before and after."""

from dataclasses import replace

import pytest

from bot.rules.kernel import Character, Gauge, GaugeKind, Glance, Growth
from bot.table.base.table import Table
from bot.table.campaigns import fields
from bot.table.characters import characters
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal
from bot.table.journal.recap import chronicle, recap
from bot.table.journal.tally import Count, HeroStory
from bot.table.play import play
from bot.table.sessions import endings, sessions
from tests.table.conftest import Person
from tests.table.toy import TOY


def glance(character: Character, _settings: object) -> Glance:
    light, grave = character.wounds["body"]
    luck = Gauge.of("Luck", character.resources["luck"], 3, GaugeKind.POINTS)
    body = Gauge("Body", f"{light + grave}/3", ((light, 2), (grave, 1)), GaugeKind.HARM)
    return Glance((luck, body), ("Poisoned",) if "poison" in character.timers else ())


@pytest.fixture
def game(game: Table) -> Table:
    """A table whose heroes are down with a grave wound."""

    def is_down(character: Character, _settings: object) -> bool:
        return character.wounds["body"][1] > 0

    return replace(game, games={"toy": replace(TOY, glance=glance, is_down=is_down)})


async def stories(game: Table, person: Person, number: int | None = None) -> tuple[HeroStory, ...]:
    return (await recap(game, person.asks(), number)).heroes


class TestHeroes:
    async def test_growth_and_counts_are_told_before_and_after_and_resets_are_no_play(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "train", {})
        await play.perform(game, ada.asks(), "train", {})
        await play.perform(game, ada.asks(), "spend", {})
        for _ in range(3):
            await play.perform(game, gm.asks(), "hurt", {"target": "Ada"})
        running = await stories(game, ada)
        await endings.end(game, gm.asks())

        told = await stories(game, gm)

        assert running[0].counts == (Count("Luck", "2/3", "1/3"), Count("Body", "0/3", "3/3"))
        assert told == (
            HeroStory(
                name="Ada",
                id=1,
                growth=(Growth("Brawn", "4", "6"),),
                counts=(Count("Luck", "2/3", "1/3", "2/3"), Count("Body", "0/3", "3/3")),
                falls=1,
            ),
        )

    async def test_each_session_tells_its_own_part(self, game: Table, gm: Person, ada: Person) -> None:
        for _ in range(2):
            await sessions.start(game, gm.asks())
            await play.perform(game, ada.asks(), "train", {})
            await endings.end(game, gm.asks())

        assert (await stories(game, ada, 1))[0].growth == (Growth("Brawn", "4", "5"),)
        assert (await stories(game, ada, 2))[0].growth == (Growth("Brawn", "5", "6"),)
        whole = await chronicle(game, ada.asks())
        assert [one.number for one in whole] == [2, 1]
        assert [one.heroes for one in whole] == [await stories(game, ada, 2), await stories(game, ada, 1)]

    async def test_what_was_undone_did_not_happen(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        trained = await play.perform(game, ada.asks(), "train", {})
        await journal.undo(game, ada.asks(), trained.entry)
        for _ in range(3):
            hurt = await play.perform(game, gm.asks(), "hurt", {"target": "Ada"})
        await journal.undo(game, gm.asks(), hurt.entry)

        (told,) = await stories(game, ada)

        assert (told.growth, told.falls) == ((), 0)
        assert told.counts == (Count("Body", "0/3", "2/3"),)

    async def test_a_hero_who_falls_twice_is_told_so(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        for filled in (1, 0, 1):
            await gm_cases.set_wounds(game, gm.asks(), "body", "grave", filled, "Ada")

        (told,) = await stories(game, ada)

        assert told.falls == 2
        assert told.states == ("Poisoned",)

    async def test_a_hero_who_joins_begins_as_it_was_made(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        await characters.take_ready_made(game, ada.asks(), "Bo", "Adela")
        await characters.use(game, ada.asks(), "Adela")
        await play.perform(game, ada.asks(), "train", {})

        (told,) = await stories(game, gm)

        assert (told.name, told.is_new) == ("Adela", True)
        assert told.growth == (Growth("Brawn", "2", "3"),)

    async def test_npcs_hidden_or_not_and_edits_of_gear_are_no_story(self, game: Table, gm: Person) -> None:
        await gm_cases.make_npc(game, gm.asks(), "The Ogre")
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)
        await sessions.start(game, gm.asks())
        for name in ("The Ogre", "The Shade"):
            await fields.set_field(game, gm.asks(), name, "brawn", "5")
        await fields.set_field(game, gm.asks(), "Ada", "gear/rope", "2")

        assert await stories(game, gm) == ()

    async def test_a_session_whose_end_was_undone_goes_on(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "spend", {})
        ended = await endings.end(game, gm.asks())
        await journal.undo(game, gm.asks(), ended.result.entry)
        await play.perform(game, ada.asks(), "train", {})
        await endings.end(game, gm.asks())

        (told,) = await stories(game, ada)

        assert told.growth == (Growth("Brawn", "4", "5"),)
        assert told.counts == (Count("Luck", "2/3", "1/3", "2/3"),)

    async def test_a_hero_is_new_in_one_session_only_and_absent_before(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "train", {})
        await endings.end(game, gm.asks())
        await sessions.start(game, gm.asks())
        await characters.take_ready_made(game, ada.asks(), "Bo", "Adela")
        await endings.end(game, gm.asks())
        await sessions.start(game, gm.asks())
        await characters.use(game, ada.asks(), "Adela")
        await play.perform(game, ada.asks(), "train", {})

        told = {one.number: one.heroes for one in await chronicle(game, gm.asks())}

        assert {number: [one.name for one in heroes] for number, heroes in told.items()} == {
            1: ["Ada"],
            2: ["Adela"],
            3: ["Adela"],
        }
        assert [one.is_new for one in (*told[2], *told[3])] == [True, False]
