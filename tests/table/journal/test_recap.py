"""The recap of a session: rolls, luck, what was spent, each hero's story, and nothing that is secret."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from bot.rules.kernel import (
    Character,
    Document,
    Family,
    Gauge,
    GaugeKind,
    Glance,
    Growth,
    Odds,
    Roll,
    Verdict,
)
from bot.rules.kernel.dice import Chance
from bot.rules.kernel.errors import UserError
from bot.store.records import EntryRecord, Json
from bot.table.base.access import ForGmOnly
from bot.table.base.stored_rolls import deviation, luck_of
from bot.table.base.table import Table
from bot.table.campaigns import fields
from bot.table.characters import characters
from bot.table.gm import gm as gm_cases
from bot.table.journal import dice_stats as stats
from bot.table.journal import journal, recap
from bot.table.journal.dice_stats import GMS, Series, dice_stats
from bot.table.journal.recap import Count, HeroStory
from bot.table.play import play
from bot.table.sessions import endings, sessions
from tests.table.conftest import HOME, MORNING, Clock, Person
from tests.table.toy import TOY


def rolled(fell: str, *chances: tuple[str, int, int]) -> Roll:
    return Roll(
        rule="check",
        inputs=Document(),
        dice=(),
        verdict=Verdict(Family.SUCCESS, fell),
        odds=Odds(tuple((name, Chance(ways, of)) for name, ways, of in chances)),
        outcome=fell,
    )


class TestLuck:
    def test_the_rank_counts_worse_outcomes_and_half_of_the_equal_ones(self) -> None:
        luck = luck_of(rolled("cost", ("failure", 1, 4), ("cost", 1, 2), ("success", 1, 4)))

        assert luck is not None
        assert luck.rank == Fraction(1, 2)
        assert luck.chance == Fraction(1, 2)
        assert luck.variance == Fraction(9, 128)  # (1 - 1/64 - 1/8 - 1/64) / 12 = 54/64/12

    def test_four_lucky_coin_flips_are_two_deviations_lucky(self) -> None:
        coin = luck_of(rolled("success", ("failure", 1, 2), ("success", 1, 2)))
        assert coin is not None

        assert coin.variance == Fraction(1, 16)
        assert deviation([coin] * 4) == 2.0

    def test_a_certain_outcome_is_neither_lucky_nor_unlucky(self) -> None:
        certain = luck_of(rolled("success", ("success", 1, 1)))
        assert certain is not None

        assert deviation([certain]) is None

    def test_a_roll_without_exact_chances_has_no_luck(self) -> None:
        plain = Roll(rule="check", inputs=Document(), dice=(), verdict=Verdict(Family.NEWS, "7"))

        assert luck_of(plain) is None

    def test_outcomes_that_are_not_ranked_have_no_luck(self) -> None:
        picked = replace(rolled("rope", ("lamp", 1, 2), ("rope", 1, 2)), verdict=Verdict(Family.NEWS, "rope"))

        assert luck_of(picked) is None

    def test_the_expected_rank_is_one_half_whatever_the_chances(self) -> None:
        chances = (("a", 1, 6), ("b", 2, 6), ("c", 3, 6))
        ranks = [(luck_of(rolled(name, *chances)), Fraction(ways, of)) for name, ways, of in chances]

        assert sum(luck.rank * share for luck, share in ranks if luck is not None) == Fraction(1, 2)


class TestRecap:
    async def test_a_recap_counts_who_rolled_and_how_long_it_took(
        self, game: Table, gm: Person, ada: Person, bo: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks())
        for _ in range(3):
            await play.perform(game, ada.asks(), "check", {})
        await play.perform(game, bo.asks(), "check", {})
        clock.pass_hours(3)
        await endings.end(game, gm.asks())

        told = await recap.recap(game, ada.asks())

        assert (told.number, told.started_at, told.ended_at) == (1, MORNING, MORNING + 3 * 3600)
        assert (told.players, told.rolls, told.undone_rolls) == (3, 4, 0)
        assert told.present == ("Gwen", "Alice", "Bob")
        assert [(one.name, one.player, one.rolls) for one in told.rollers] == [
            ("Ada", "Alice", 3),
            ("Bo", "Bob", 1),
        ]

    async def test_a_roll_counts_for_who_made_it_and_the_gms_characters_stand_apart(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        """F-ALL-04: a foe's dice are no luck of whoever made it roll."""
        await gm_cases.make_npc(game, gm.asks(), "The Ogre")
        await sessions.start(game, gm.asks())
        await play.perform(game, bo.asks(), "check", {})
        for target in ("Bo", "The Ogre", "The Ogre"):
            await play.perform(game, ada.asks(), "wrestle", {"target": target})

        told = await recap.recap(game, ada.asks())

        assert told.rolls == 7
        assert [(one.name, one.player, one.rolls, one.is_gms) for one in told.rollers] == [
            ("Ada", "Alice", 3, False),
            ("Bo", "Bob", 2, False),
            ("The Ogre", "", 2, True),
        ]
        moments = (told.luckiest, told.unluckiest, told.hardest)
        assert {one.who for one in moments if one is not None} <= {"Ada", "Bo"}

    async def test_an_undone_roll_counts_and_is_marked(self, game: Table, gm: Person, bo: Person) -> None:
        await sessions.start(game, gm.asks())
        failed = await play.perform(game, bo.asks(), "check", {"bonus": -2})
        pushed = await play.press(game, bo.asks(), failed.follow_ups[0].id)
        await journal.undo(game, gm.asks(), pushed.result.entry)

        told = await recap.recap(game, bo.asks())

        assert (told.rolls, told.undone_rolls) == (2, 1)
        assert told.rollers[0].undone == 1

    async def test_a_recap_never_shows_secret_rolls_or_hidden_characters(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)
        await sessions.start(game, gm.asks())
        await play.perform(game, gm.asks(), "check", {}, acting="The Shade", is_secret=True)
        await gm_cases.award(game, gm.asks(), "luck", 1, ("The Shade",))
        await endings.end(game, gm.asks())

        for person in (ada, gm):
            told = await recap.recap(game, person.asks(), whole=True)
            assert "Shade" not in repr(told)
            assert (told.rolls, told.heroes) == (0, ())

    async def test_a_recap_names_the_luckiest_unluckiest_and_least_likely_rolls(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        for bonus in (-4, -3, -2, -1, -1, -1, -1, 1, 2):  # Brawn 4: from impossible to certain
            await play.perform(game, ada.asks(), "check", {"bonus": bonus})

        told = await recap.recap(game, ada.asks())

        assert told.luckiest is not None
        assert told.unluckiest is not None
        assert told.hardest is not None
        assert told.luckiest.rank > told.unluckiest.rank
        assert told.hardest.verdict == "success"
        assert told.hardest.odds <= Fraction(1, 2)

    async def test_a_single_roll_is_either_the_luckiest_or_the_unluckiest(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "check", {"bonus": -1})  # Brawn 4: it may go either way

        told = await recap.recap(game, ada.asks())

        assert [told.luckiest, told.unluckiest].count(None) == 1
        assert told.hardest in {told.luckiest, None}

    async def test_a_likely_outcome_is_no_extreme(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "check", {"bonus": 2})  # Brawn 4: it cannot fail

        told = await recap.recap(game, ada.asks())

        assert (told.luckiest, told.unluckiest, told.hardest) == (None, None, None)

    async def test_a_full_recap_lists_every_entry(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "spend", {})

        told = await recap.recap(game, ada.asks(), whole=True)

        assert [line.message.headline for line in told.lines] == ["starts session 1", "spends Luck"]

    async def test_an_unknown_session_is_refused(self, game: Table, gm: Person) -> None:
        with pytest.raises(UserError, match="no session yet"):
            await recap.recap(game, gm.asks())
        await sessions.start(game, gm.asks())
        with pytest.raises(UserError, match="no session 7"):
            await recap.recap(game, gm.asks(), 7)

    async def test_each_session_has_its_own_recap(self, game: Table, gm: Person, ada: Person) -> None:
        for rolls in (2, 1):
            await sessions.start(game, gm.asks())
            for _ in range(rolls):
                await play.perform(game, ada.asks(), "check", {})
            await endings.end(game, gm.asks())

        assert [(await recap.recap(game, ada.asks(), number)).rolls for number in (1, 2)] == [2, 1]


async def roll(table: Table, who: Person, expression: str, *, is_secret: bool = False) -> None:
    await play.roll(table, who.asks(), expression, None, is_secret=is_secret)


async def seen(table: Table, who: Person, person: int | None = None) -> dict[int, int]:
    """How many dice of each size somebody sees of a person."""
    found = await dice_stats(table, who.asks(), person)
    return {one.sides: one.rolls for one in found.shown.series}


async def save(table: Table, who: Person, interaction: str, *rolls: Json, session: int | None = None) -> None:
    """Save an entry with rolls as they are stored."""

    def unit(tx):  # type: ignore[no-untyped-def]
        campaign = tx.campaigns(HOME)[0].id
        tx.add_entry(
            EntryRecord(
                server=HOME,
                campaign=campaign,
                session=session,
                at=1,
                interaction=interaction,
                channel=50,
                person=who.id,
                person_name=who.name,
                kind="play.check",
                told={"who": "x", "headline": "y"},
                rolls=list(rolls),
            )
        )

    await table.store.run(unit)


def a_roll(*faces: int, sides: int = 6, roller: Json = None) -> Json:
    dice: list[Json] = [{"sides": sides, "face": face} for face in faces]
    return {"dice": dice, "roller": roller} if roller is not None else {"dice": dice}


async def test_ones_own_dice_are_counted_by_size_with_checks_and_undone_ones(
    game: Table, ada: Person, bo: Person, gm: Person
) -> None:
    await roll(game, ada, "2d6+3d8")
    await play.perform(game, ada.asks(), "check", {})
    spent = await play.perform(game, ada.asks(), "spend", {})
    await journal.undo(game, gm.asks(), spent.entry, is_sure=True)
    await roll(game, bo, "4d20")

    assert await seen(game, ada) == {6: 3, 8: 3}
    assert await seen(game, bo) == {20: 4}


async def test_a_players_dice_are_theirs_whoever_pressed_for_their_character(
    game: Table, ada: Person, gm: Person
) -> None:
    await play.perform(game, gm.asks(), "check", {}, acting="Ada")

    assert await seen(game, ada) == {6: 1}
    assert await seen(game, gm) == {}
    assert await seen(game, gm, ada.id) == {6: 1}


async def test_npcs_and_those_without_a_character_are_the_gms(game: Table, ada: Person, gm: Person) -> None:
    await gm_cases.make_npc(game, gm.asks(), "Canary", is_hidden=True)
    await play.perform(game, gm.asks(), "check", {}, acting="Canary", is_secret=True)
    await save(game, ada, "1", a_roll(1, 2, roller={"id": None, "name": "Bandits"}))
    await save(game, ada, "2", a_roll(3, roller={"id": 999, "name": "Gone"}))

    everybody = await dice_stats(game, gm.asks())
    assert {one.person: one.rolls for one in everybody.people} == {GMS: 3, ada.id: 1}
    assert await seen(game, gm, GMS) == {6: 3}
    assert await seen(game, ada) == {6: 1}
    assert (await dice_stats(game, ada.asks())).people == ()


async def test_a_secret_roll_of_the_gms_is_counted_for_gms_only(game: Table, ada: Person, gm: Person) -> None:
    await roll(game, gm, "5d10", is_secret=True)
    second = replace(gm, id=77, name="Second")

    assert await seen(game, second, gm.id) == {10: 5}
    with pytest.raises(ForGmOnly, match="Only a GM can see other people's dice"):
        await seen(game, ada, gm.id)


async def test_a_roll_for_the_gms_eyes_only_is_not_counted_for_its_player(
    game: Table, ada: Person, gm: Person
) -> None:
    await play.roll(game, ada.asks(), "3d6", None, is_blind=True)

    assert await seen(game, ada) == {}
    assert await seen(game, gm, ada.id) == {6: 3}


async def test_players_see_nobody_elses_dice(game: Table, ada: Person, bo: Person, neighbour: Person) -> None:
    await roll(game, bo, "2d6")

    for person in (bo.id, GMS):
        with pytest.raises(ForGmOnly):
            await dice_stats(game, ada.asks(), person)
    with pytest.raises(UserError, match="no campaign here"):
        await dice_stats(game, neighbour.asks(), bo.id)


async def test_somebody_who_rolled_nothing_is_no_choice_of_the_gms(
    game: Table, bo: Person, gm: Person
) -> None:
    with pytest.raises(UserError, match="rolled no dice here"):
        await dice_stats(game, gm.asks(), bo.id)


async def test_dice_of_one_size_come_by_session_latest_first(game: Table, ada: Person, gm: Person) -> None:
    await roll(game, ada, "1d6")
    for _ in range(2):
        await sessions.start(game, gm.asks())
        await roll(game, ada, "2d6+1d4")
        await endings.end(game, gm.asks())

    found = await dice_stats(game, ada.asks(), sides=6)

    assert [(one.session, one.series.rolls) for one in found.sessions] == [(2, 2), (1, 2), (None, 1)]


async def test_cards_and_other_sizes_are_no_dice(game: Table, ada: Person) -> None:
    await save(game, ada, "1", a_roll(50, 3, sides=53), "from an older version")

    assert await seen(game, ada) == {}


async def test_of_many_dice_the_newest_count(game: Table, ada: Person) -> None:
    await save(game, ada, "1", a_roll(*[1] * 300))
    await save(game, ada, "2", a_roll(*[6] * 900))

    found = await dice_stats(game, ada.asks())

    assert found.is_cut
    assert found.shown.series == (Series((100, 0, 0, 0, 0, 900)),)


async def test_a_long_journal_is_read_page_by_page(game: Table, ada: Person) -> None:
    for number in range(stats.PAGE + 1):
        await save(game, ada, f"{number}", a_roll(1 + number % 6))

    found = await dice_stats(game, ada.asks())

    assert (found.shown.rolls, found.is_cut) == (stats.PAGE + 1, False)


def test_a_series_knows_its_average_and_its_oddest_face() -> None:
    series = Series((0, 1, 1, 1, 1, 6))

    assert (series.rolls, series.total, series.average, series.expected) == (10, 50, 5.0, 3.5)
    assert series.oddest_face == 6
    assert series.chance == Fraction(349_492, 6**10)
    assert series.faces_chance == pytest.approx(0.0145, abs=0.001)


def glance(character: Character, _settings: object) -> Glance:
    light, grave = character.wounds["body"]
    luck = Gauge.of("Luck", character.resources["luck"], 3, GaugeKind.POINTS)
    body = Gauge("Body", f"{light + grave}/3", ((light, 2), (grave, 1)), GaugeKind.HARM)
    return Glance((luck, body), ("Poisoned",) if "poison" in character.timers else ())


@pytest.fixture
def mortal(game: Table) -> Table:
    """A table whose heroes are down with a grave wound."""

    def is_down(character: Character, _settings: object) -> bool:
        return character.wounds["body"][1] > 0

    return replace(game, games={"toy": replace(TOY, glance=glance, is_down=is_down)})


async def stories(mortal: Table, person: Person, number: int | None = None) -> tuple[HeroStory, ...]:
    return (await recap.recap(mortal, person.asks(), number)).heroes


class TestHeroes:
    async def test_growth_and_counts_are_told_before_and_after_and_resets_are_no_play(
        self, mortal: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(mortal, gm.asks())
        await play.perform(mortal, ada.asks(), "train", {})
        await play.perform(mortal, ada.asks(), "train", {})
        await play.perform(mortal, ada.asks(), "spend", {})
        for _ in range(3):
            await play.perform(mortal, gm.asks(), "hurt", {"target": "Ada"})
        running = await stories(mortal, ada)
        await endings.end(mortal, gm.asks())

        told = await stories(mortal, gm)

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

    async def test_each_session_tells_its_own_part(self, mortal: Table, gm: Person, ada: Person) -> None:
        for _ in range(2):
            await sessions.start(mortal, gm.asks())
            await play.perform(mortal, ada.asks(), "train", {})
            await endings.end(mortal, gm.asks())

        assert (await stories(mortal, ada, 1))[0].growth == (Growth("Brawn", "4", "5"),)
        assert (await stories(mortal, ada, 2))[0].growth == (Growth("Brawn", "5", "6"),)
        whole = await recap.chronicle(mortal, ada.asks())
        assert [one.number for one in whole] == [2, 1]
        assert [one.heroes for one in whole] == [await stories(mortal, ada, 2), await stories(mortal, ada, 1)]

    async def test_what_was_undone_did_not_happen(self, mortal: Table, gm: Person, ada: Person) -> None:
        await sessions.start(mortal, gm.asks())
        trained = await play.perform(mortal, ada.asks(), "train", {})
        await journal.undo(mortal, ada.asks(), trained.entry)
        for _ in range(3):
            hurt = await play.perform(mortal, gm.asks(), "hurt", {"target": "Ada"})
        await journal.undo(mortal, gm.asks(), hurt.entry)

        (told,) = await stories(mortal, ada)

        assert (told.growth, told.falls) == ((), 0)
        assert told.counts == (Count("Body", "0/3", "2/3"),)

    async def test_a_hero_who_falls_twice_is_told_so(self, mortal: Table, gm: Person, ada: Person) -> None:
        await sessions.start(mortal, gm.asks())
        for filled in (1, 0, 1):
            await gm_cases.set_wounds(mortal, gm.asks(), "body", "grave", filled, "Ada")

        (told,) = await stories(mortal, ada)

        assert told.falls == 2
        assert told.states == ("Poisoned",)

    async def test_a_hero_who_joins_begins_as_it_was_made(
        self, mortal: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(mortal, gm.asks())
        await characters.take_ready_made(mortal, ada.asks(), "Bo", "Adela")
        await characters.use(mortal, ada.asks(), "Adela")
        await play.perform(mortal, ada.asks(), "train", {})

        (told,) = await stories(mortal, gm)

        assert (told.name, told.is_new) == ("Adela", True)
        assert told.growth == (Growth("Brawn", "2", "3"),)

    async def test_npcs_hidden_or_not_and_edits_of_gear_are_no_story(self, mortal: Table, gm: Person) -> None:
        await gm_cases.make_npc(mortal, gm.asks(), "The Ogre")
        await gm_cases.make_npc(mortal, gm.asks(), "The Shade", is_hidden=True)
        await sessions.start(mortal, gm.asks())
        for name in ("The Ogre", "The Shade"):
            await fields.set_field(mortal, gm.asks(), name, "brawn", "5")
        await fields.set_field(mortal, gm.asks(), "Ada", "gear/rope", "2")

        assert await stories(mortal, gm) == ()

    async def test_a_session_whose_end_was_undone_goes_on(
        self, mortal: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(mortal, gm.asks())
        await play.perform(mortal, ada.asks(), "spend", {})
        ended = await endings.end(mortal, gm.asks())
        await journal.undo(mortal, gm.asks(), ended.result.entry)
        await play.perform(mortal, ada.asks(), "train", {})
        await endings.end(mortal, gm.asks())

        (told,) = await stories(mortal, ada)

        assert told.growth == (Growth("Brawn", "4", "5"),)
        assert told.counts == (Count("Luck", "2/3", "1/3", "2/3"),)

    async def test_a_hero_is_new_in_one_session_only_and_absent_before(
        self, mortal: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(mortal, gm.asks())
        await play.perform(mortal, ada.asks(), "train", {})
        await endings.end(mortal, gm.asks())
        await sessions.start(mortal, gm.asks())
        await characters.take_ready_made(mortal, ada.asks(), "Bo", "Adela")
        await endings.end(mortal, gm.asks())
        await sessions.start(mortal, gm.asks())
        await characters.use(mortal, ada.asks(), "Adela")
        await play.perform(mortal, ada.asks(), "train", {})

        told = {one.number: one.heroes for one in await recap.chronicle(mortal, gm.asks())}

        assert {number: [one.name for one in heroes] for number, heroes in told.items()} == {
            1: ["Ada"],
            2: ["Adela"],
            3: ["Adela"],
        }
        assert [one.is_new for one in (*told[2], *told[3])] == [True, False]
