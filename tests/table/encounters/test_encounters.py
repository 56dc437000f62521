"""Fights: boards and their presses, reinforcements, hidden combatants, undone turns."""

import asyncio

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import CharacterId, Choice, Document, FollowUp, TrackerRules
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.errors import UserError
from bot.store.records import CampaignId
from bot.table.base.access import ForGmOnly, NoCampaign, NoSuchCharacter
from bot.table.base.live_rows import News
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns, prepared_encounters
from bot.table.campaigns.prepared_encounters import EncounterDraft
from bot.table.characters import characters, controls, personal_data
from bot.table.encounters import encounters, prepared_fights
from bot.table.encounters import encounters as encounter_boards
from bot.table.encounters.encounters import ROWS, FightBoard, FightPlace, Look, NoEncounter, NoTracker
from bot.table.gm import gm as gm_cases
from bot.table.journal import dice_stats, journal, log, verify
from bot.table.journal.recap import chronicle, recap
from bot.table.play import play
from bot.table.play.play import Given
from bot.table.sessions import endings, sessions
from bot.ui.replies.recaps import chronicle_file_reply, chronicle_reply, recap_markdown, recap_reply
from tests.table.conftest import CHANNEL, HOME, Person
from tests.table.counting import everything

ATTIC = 51


@pytest.fixture
async def fight(table: Table, gm: Person, ada: Person, bo: Person) -> Table:
    """A campaign of Sword & Swarm: Alice plays Odalys, Bob plays Corvin, and both have joined a fight."""
    game = replace(table, games={"sword_and_swarm": rulesets()["sword_and_swarm"]})
    await campaigns.create(game, gm.asks(), "sword_and_swarm", "The Manor")
    await characters.take_ready_made(game, ada.asks(), "Odalys Thorne", "Odalys")
    await characters.take_ready_made(game, bo.asks(), "Corvin Asher", "Corvin")
    await play.perform(game, gm.asks(), keys.START, {"others": ("Odalys", "Corvin")})
    return game


async def look(table: Table, who: Person, *, place: int | None = None) -> Look:
    return await encounters.fight_here(table, who.asks(place=place))


async def names(table: Table, who: Person) -> list[str]:
    return [line.name for line in (await look(table, who)).view.lines]


async def key(table: Table, label: str) -> str:
    shown = await board(table)
    assert shown.look is not None
    return next(one.key for one in shown.look.offers if one.follow_up.label == label)


async def press(table: Table, who: Person, label: str, chosen: str | None = None) -> Result:
    return await encounters.take_up(table, who.asks(), 1, await key(table, label), Given(chosen))


async def place_of(table: Table) -> FightPlace:
    (found,) = await ROWS.changed_by(table, News(HOME, await look_campaign(table)))
    return found


async def look_campaign(table: Table) -> CampaignId:
    found = await table.store.read(lambda reader: reader.campaigns(HOME))
    return found[0].id


async def board(table: Table) -> FightBoard:
    found = await encounter_boards.board(table, await place_of(table))
    assert found is not None
    return found


class TestJoining:
    async def test_joining_is_offered_while_a_player_is_out_and_never_to_one_who_is_in(
        self, fight: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        async def offered() -> list[bool]:
            shown = await board(fight)
            looks = [shown.look, *[await look(fight, one) for one in (gm, ada, bo)]]
            return [any(one.follow_up.procedure == keys.JOIN for one in x.offers) for x in looks if x]

        assert await offered() == [False] * 4
        await play.perform(fight, bo.asks(), keys.LEAVE, {})
        assert await offered() == [True, True, False, True]
        await press(fight, bo, "Join")
        assert await offered() == [False] * 4


class TestPressing:
    async def test_a_player_on_their_turn_does_what_the_board_offers(self, fight: Table, ada: Person) -> None:
        begun = await press(fight, ada, "Start round 1")
        tested = await press(fight, ada, "Test own attribute …", "Mallet")
        ended = await press(fight, ada, "End turn")

        assert [one.message.headline for one in (begun, ended)] == ["starts round 1", "ends the turn"]
        assert tested.message.who == "Odalys"
        assert (await look(fight, ada)).view.on == "Corvin acts"

    async def test_only_a_gm_may_press_for_somebody_else(
        self, fight: Table, ada: Person, bo: Person, gm: Person
    ) -> None:
        await press(fight, ada, "Start round 1")
        before = everything(fight)
        with pytest.raises(UserError, match="That button is for Odalys"):
            await press(fight, bo, "End turn")
        assert everything(fight) == before

        assert (await press(fight, gm, "End turn")).message.who == "Odalys"

    async def test_an_offer_that_is_outdated_is_refused(self, fight: Table, ada: Person, gm: Person) -> None:
        await press(fight, ada, "Start round 1")
        old = await key(fight, "End turn")
        await press(fight, gm, "End turn")

        with pytest.raises(UserError, match="The fight has moved on") as told:
            await encounters.take_up(fight, gm.asks(), 1, old)
        assert told.value.allowed == "Now: Corvin acts."

    async def test_two_presses_at_once_end_a_turn_only_once(
        self, fight: Table, ada: Person, gm: Person
    ) -> None:
        await press(fight, ada, "Start round 1")
        end = await key(fight, "End turn")
        done = await asyncio.gather(
            *(encounters.take_up(fight, who.asks(), 1, end) for who in (ada, gm)), return_exceptions=True
        )

        assert sorted(type(one).__name__ for one in done) == ["Result", "UserError"]
        assert (await look(fight, ada)).view.on == "Corvin acts"

    async def test_a_choice_that_the_menu_does_not_offer_is_refused(self, fight: Table, ada: Person) -> None:
        await press(fight, ada, "Start round 1")

        with pytest.raises(UserError, match="can't choose that"):
            await press(fight, ada, "Test own attribute …", "Shield 9")

    async def test_a_press_after_the_fight_is_refused(self, fight: Table, ada: Person, gm: Person) -> None:
        begin = await key(fight, "Start round 1")
        await play.perform(fight, gm.asks(), keys.END, {})

        with pytest.raises(NoEncounter):
            await encounters.take_up(fight, ada.asks(), 1, begin)
        with pytest.raises(NoEncounter):
            await look(fight, ada)
        with pytest.raises(NoEncounter):
            await encounters.gm_look(fight, gm.asks(), 1)

    async def test_the_board_of_an_archived_campaign_cannot_be_pressed(
        self, fight: Table, ada: Person, gm: Person
    ) -> None:
        begin = await key(fight, "Start round 1")
        await campaigns.archive(fight, gm.asks(), "The Manor")

        with pytest.raises(UserError, match="That campaign is archived"):
            await encounters.take_up(fight, ada.asks(), 1, begin)

    async def test_another_server_sees_nothing_of_the_fight(self, fight: Table, neighbour: Person) -> None:
        begin = await key(fight, "Start round 1")

        with pytest.raises(NoCampaign):
            await encounters.take_up(fight, neighbour.asks(), 1, begin)
        with pytest.raises(NoCampaign):
            await encounters.fight_here(fight, neighbour.asks(), 1)

    async def test_a_game_without_a_fight_tracker_says_so(self, game: Table, gm: Person) -> None:
        with pytest.raises(NoTracker, match="Toy Game has no fights"):
            await look(game, gm)
        with pytest.raises(NoTracker):
            await prepared_fights.add(game, gm.asks(), "Goblin")


class Aim(Document):
    aim: str = ""


def test_in_a_long_label_the_targets_name_gives_way_to_the_weapon_and_the_chance() -> None:
    weapon = "Sword of the northern coast, +1 · 58%"
    aims = (Choice("2|0", f"Orc of the cold marches beyond the river 12 · {weapon}"),)
    menu = FollowUp(
        procedure="attack",
        options=Aim(),
        label="Attack …",
        character=CharacterId(1),
        choices=aims,
        chosen="aim",
    )

    rules = TrackerRules(view=lambda _: None, choices=lambda _: (menu,), attacks=("attack",))
    (attack,) = encounters.attacks_of(rules, [menu])

    assert (attack.label, attack.options) == (
        f"Attack Orc of the cold marches beyon… 12 · {weapon}",
        Aim(aim="2|0"),
    )


class TestReinforcements:
    async def test_several_reinforcements_are_numbered_from_the_highest_number(
        self, fight: Table, gm: Person
    ) -> None:
        added = await prepared_fights.add(fight, gm.asks(), "Goblin", count=2)
        await prepared_fights.add(fight, gm.asks(), "Goblin", count=2)

        assert added.message.headline == "adds Goblin 1, Goblin 2 to the fight"
        assert await names(fight, gm) == ["Odalys", "Corvin", "Goblin 1", "Goblin 2", "Goblin 3", "Goblin 4"]

    async def test_a_single_existing_npc_joins_itself_and_several_are_copies_of_it(
        self, fight: Table, gm: Person
    ) -> None:
        await prepared_fights.add(fight, gm.asks(), "Ogre")
        await play.perform(fight, gm.asks(), "attributes", {"target": "Ogre", "star": 8})
        await prepared_fights.add(fight, gm.asks(), "ogre", count=2)
        lines = (await look(fight, gm)).view.lines

        assert [(line.name, line.secrets) for line in lines[2:]] == [
            ("Ogre", ("Star 8/8",)),
            ("Ogre 1", ("Star 8/8",)),
            ("Ogre 2", ("Star 8/8",)),
        ]
        with pytest.raises(UserError, match="Ogre is already in the fight"):
            await prepared_fights.add(fight, gm.asks(), "Ogre")

    async def test_an_undo_removes_reinforcements(self, fight: Table, gm: Person) -> None:
        await prepared_fights.add(fight, gm.asks(), "Goblin", count=2)
        await journal.undo(fight, gm.asks())

        assert await names(fight, gm) == ["Odalys", "Corvin"]
        assert [one.name for one in await characters.listing(fight, gm.asks())] == ["Corvin", "Odalys"]

    async def test_reinforcements_that_are_not_allowed_change_nothing(
        self, fight: Table, gm: Person, ada: Person
    ) -> None:
        before = everything(fight)
        with pytest.raises(ForGmOnly):
            await prepared_fights.add(fight, ada.asks(), "Goblin")
        with pytest.raises(UserError, match="Odalys is a player's character"):
            await prepared_fights.add(fight, gm.asks(), "Odalys", count=2)
        with pytest.raises(UserError, match="has no mooks"):
            await prepared_fights.add(fight, gm.asks(), "Goblin", count=2, is_mook=True)
        with pytest.raises(UserError, match="A name can have up to 40 characters"):
            await prepared_fights.add(fight, gm.asks(), "G" * 40, count=2)
        with pytest.raises(UserError, match="There is no fight in this channel"):
            await prepared_fights.add(fight, gm.asks(place=ATTIC), "Goblin")

        assert everything(fight) == before


class TestHidden:
    async def test_showing_a_hidden_npc_reveals_it_in_its_fight_from_any_channel(
        self, fight: Table, gm: Person, ada: Person
    ) -> None:
        await prepared_fights.add(fight, gm.asks(), "Wraith", count=2, is_hidden=True)
        with pytest.raises(ForGmOnly):
            await gm_cases.show_or_hide(fight, ada.asks(), "Wraith 1", is_hidden=False)

        request = gm.asks("99", place=ATTIC)
        shown = await gm_cases.show_or_hide(fight, request, "Wraith 1", is_hidden=False)
        again = await gm_cases.show_or_hide(fight, request, "Wraith 1", is_hidden=False)

        assert (shown.message.headline, again.entry) == ("reveals Wraith 1", shown.entry)
        assert await names(fight, ada) == ["Odalys", "Corvin", "Wraith 1"]
        with pytest.raises(UserError, match="Everyone sees Wraith 1 in a fight"):
            await gm_cases.show_or_hide(fight, gm.asks(), "Wraith 1", is_hidden=True)
        await journal.undo(fight, gm.asks())
        assert await names(fight, ada) == ["Odalys", "Corvin"]

    async def test_only_the_gm_learns_of_hidden_reinforcements(
        self, fight: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        added = await prepared_fights.add(fight, gm.asks(), "Wraith", count=2, is_hidden=True)
        await press(fight, ada, "Start round 1")
        told = [
            str((await look(fight, ada)).view),
            str((await board(fight)).look),
            str(await log.page(fight, bo.asks())),
            str(await encounters.participants(fight, ada.asks(), "")),
            str(await encounters.participants(fight, ada.asks(), "", only_hidden=True)),
            str(await encounters.participants(fight, ada.asks(), "", only_own=True)),
            str(await characters.listing(fight, ada.asks())),
        ]

        assert not added.message.is_public
        assert not [text for text in told if "Wraith" in text]
        assert [line.name for line in (await look(fight, gm)).view.hidden] == ["Wraith 1", "Wraith 2"]
        with pytest.raises(NoSuchCharacter):
            await play.perform(fight, ada.asks(), keys.DELAY, {"after": "Wraith 1"})

    async def test_a_known_npc_may_be_hidden_in_a_fight_too(
        self, fight: Table, gm: Person, ada: Person
    ) -> None:
        await prepared_fights.add(fight, gm.asks(), "Ogre")
        await play.perform(fight, gm.asks(), keys.LEAVE, {"character": "Ogre"})
        added = await prepared_fights.add(fight, gm.asks(), "Ogre", is_hidden=True)

        assert not added.message.is_public
        assert await names(fight, ada) == ["Odalys", "Corvin"]

    async def test_a_revealed_combatant_is_visible_until_that_is_undone(
        self, fight: Table, gm: Person, ada: Person
    ) -> None:
        await prepared_fights.add(fight, gm.asks(), "Wraith", is_hidden=True)
        revealed = await play.perform(fight, gm.asks(), keys.REVEAL, {"character": "Wraith"})
        assert revealed.message.is_public
        assert "Wraith" in await names(fight, ada)
        assert "Wraith" in [one.name for one in await characters.listing(fight, ada.asks())]
        await journal.undo(fight, gm.asks())

        assert "Wraith" not in await names(fight, ada)
        assert "Wraith" not in [one.name for one in await characters.listing(fight, ada.asks())]

    async def test_the_actions_of_hidden_combatants_are_told_only_to_the_gm(
        self, fight: Table, gm: Person, bo: Person
    ) -> None:
        await prepared_fights.add(fight, gm.asks(), "Wraith", is_hidden=True)
        done = await play.perform(fight, gm.asks(), "test", {"attribute": "Mallet"}, acting="Wraith")

        assert not done.message.is_public
        assert "Wraith" not in str(await log.page(fight, bo.asks()))

    async def test_only_a_gm_sees_the_gms_view_of_a_fight(
        self, fight: Table, gm: Person, ada: Person
    ) -> None:
        assert (await encounters.gm_look(fight, gm.asks(), 1)).is_gm
        with pytest.raises(ForGmOnly):
            await encounters.gm_look(fight, ada.asks(), 1)

    async def test_a_gms_desk_shows_the_fight_of_another_channel(
        self, fight: Table, gm: Person, ada: Person
    ) -> None:
        here = await encounters.gm_look(fight, gm.asks(), 1)

        assert await encounters.fight_at_desk(fight, gm.asks()) == here
        assert await encounters.fight_at_desk(fight, gm.asks(place=ATTIC)) == here
        place = await encounters.place_at_desk(fight, gm.asks(place=ATTIC))
        assert place == FightPlace(HOME, CampaignId(1), CHANNEL)
        with pytest.raises(ForGmOnly):
            await encounters.fight_at_desk(fight, ada.asks())


class TestUndoneTurns:
    async def test_the_latest_turn_is_undone_whatever_was_looked_up_since(
        self, fight: Table, gm: Person, ada: Person
    ) -> None:
        await press(fight, ada, "Start round 1")
        await press(fight, ada, "End turn")
        done = await encounters.back(fight, gm.asks())

        assert isinstance(done, journal.Undone)
        assert (await look(fight, ada)).view.on == "Odalys acts"

    async def test_a_player_may_undo_only_their_own_turn(self, fight: Table, ada: Person, bo: Person) -> None:
        await press(fight, ada, "Start round 1")
        await press(fight, ada, "End turn")

        assert isinstance(await encounters.back(fight, bo.asks()), journal.UndoNeedsGm)
        assert isinstance(await encounters.back(fight, ada.asks()), journal.Undone)

    async def test_without_a_turn_there_is_none_to_undo(self, fight: Table, gm: Person) -> None:
        with pytest.raises(UserError, match="No turn has ended in this fight"):
            await encounters.back(fight, gm.asks())
        with pytest.raises(UserError, match="No turn has ended in this fight"):
            await encounters.back(fight, gm.asks(place=ATTIC))


class TestBoards:
    async def test_a_fight_board_belongs_to_its_channel_and_is_stored_once(self, fight: Table) -> None:
        place = await place_of(fight)
        first = await board(fight)
        assert (place.channel, first.message, first.shown) == (CHANNEL, None, "")
        assert await ROWS.note_shown(fight, place, None, CHANNEL, 700, "mark")
        assert not await ROWS.note_shown(fight, place, None, CHANNEL, 701, "mark")

        assert ((await board(fight)).message, (await board(fight)).shown) == (700, "mark")
        assert await ROWS.campaigns(fight) == [News(HOME, place.campaign)]

    async def test_a_fight_board_is_closed_when_the_fight_is_over(self, fight: Table, gm: Person) -> None:
        place = await place_of(fight)
        await ROWS.note_shown(fight, place, None, CHANNEL, 700, "mark")
        await play.perform(fight, gm.asks(), keys.END, {})
        over = await encounter_boards.board(fight, place)
        assert over is not None
        assert (over.look, over.message) == (None, 700)
        assert await ROWS.changed_by(fight, News(HOME, place.campaign)) == [place]
        await ROWS.forget(fight, place)

        assert await encounter_boards.board(fight, place) is None
        assert await ROWS.campaigns(fight) == []

    async def test_two_channels_have_a_fight_and_a_board_each(
        self, fight: Table, gm: Person, ada: Person
    ) -> None:
        await gm_cases.make_npc(fight, gm.asks(), "Wraith")
        await play.perform(fight, gm.asks(place=ATTIC), keys.START, {"others": ("Wraith",)})
        await press_begin(fight, gm)

        assert (await look(fight, ada, place=ATTIC)).view.title == "Before round 1"
        assert (await look(fight, ada)).view.title == "Round 1"

    async def test_a_fight_board_tells_whose_turn_it_is_and_whether_to_ping(
        self, fight: Table, gm: Person, ada: Person
    ) -> None:
        assert not (await board(fight)).pings
        await campaign_settings.change_setting(fight, gm.asks(), "ping_turns", "yes")
        await press(fight, ada, "Start round 1")
        now = await board(fight)

        assert now.look is not None
        assert (now.pings, now.look.players) == (True, (ada.id,))

    async def test_listeners_are_told_of_every_change_of_a_fight(self, fight: Table, ada: Person) -> None:
        heard: list[tuple[News, bool]] = []
        end = ROWS.listen(fight, lambda news, concerns: heard.append((news, concerns)))
        await press(fight, ada, "Start round 1")
        end()

        assert heard == [(News(HOME, (await place_of(fight)).campaign), True)]

    async def test_the_session_end_ends_a_fight_if_the_game_does_not_keep_fights(
        self, fight: Table, gm: Person
    ) -> None:
        await sessions.start(fight, gm.asks())
        place = await place_of(fight)
        await endings.end(fight, gm.asks(), fights=endings.Fights.BY_THE_RULES)

        assert await encounter_boards.board(fight, place) is None

    async def test_an_undo_of_the_end_of_session_and_fights_brings_every_fight_back(
        self, fight: Table, gm: Person, ada: Person
    ) -> None:
        await gm_cases.make_npc(fight, gm.asks(), "Wraith")
        await play.perform(fight, gm.asks(place=ATTIC), keys.START, {"others": ("Wraith",)})
        await press_begin(fight, gm)
        before = await look(fight, ada), await look(fight, ada, place=ATTIC)
        await sessions.start(fight, gm.asks())
        ended = await endings.end(fight, gm.asks(), fights=endings.Fights.END)

        undone = await journal.undo(fight, gm.asks(), ended.result.entry)
        assert isinstance(undone, journal.Undone)
        assert (await look(fight, ada), await look(fight, ada, place=ATTIC)) == before
        redone = await journal.undo(fight, gm.asks(), undone.result.entry)
        assert isinstance(redone, journal.Undone)
        for place in (None, ATTIC):
            with pytest.raises(NoEncounter):
                await look(fight, ada, place=place)
        again = await journal.undo(fight, gm.asks(), redone.result.entry)
        assert isinstance(again, journal.Undone)
        assert (await look(fight, ada), await look(fight, ada, place=ATTIC)) == before


async def press_begin(table: Table, gm: Person) -> None:
    """Begin the first round of the fight in the usual channel."""
    await play.perform(table, gm.asks(), keys.NEXT, {})


class TestNames:
    async def test_combatants_are_suggested_and_to_players_their_own(
        self, fight: Table, gm: Person, ada: Person
    ) -> None:
        await prepared_fights.add(fight, gm.asks(), "Wraith", is_hidden=True)

        assert await encounters.participants(fight, ada.asks(), "o") == [
            Choice("Odalys", "Odalys"),
            Choice("Corvin", "Corvin"),
        ]
        assert [one.value for one in await encounters.participants(fight, ada.asks(), "", only_own=True)] == [
            "Odalys"
        ]
        assert [one.value for one in await encounters.participants(fight, gm.asks(), "", only_own=True)] == [
            "Odalys",
            "Corvin",
            "Wraith",
        ]
        assert await encounters.participants(fight, ada.asks(place=ATTIC), "") == []


CANARY = "Zzyqx"
DRAFT = EncounterDraft(
    name=f"{CANARY} ambush",
    foes=f"{CANARY} spider x2 hidden\nBrute",
    countdowns=f"{CANARY} doom 4 hidden",
    text="The torches go out.",
)
ROLLS = {
    "rpj": ("check", {"skill": "Perception", "difficulty": "9+"}),
    "swim_class": ("roll", {"skill": "Swim", "difficulty": "6"}),
    "compare_roll": ("luck", {"difficulty": "Hard"}),
    "post_magic_maid": ("check", {"first": "Int", "second": "Str", "needed": "15"}),
    "sword_and_swarm": ("test", {"attribute": "Mallet"}),
}


async def read_all(table: Table, who: Person) -> str:
    """Everything that a person can look up: log, files, recaps, statistics, their sheet, names."""
    found = [str(line) for line in (await log.page(table, who.asks())).lines]
    found += [line async for line in verify.export_lines(table, who.asks())]
    story = await recap(table, who.asks(), whole=True)
    found += [recap_markdown(story), str(recap_reply(story))]
    sessions_ = await chronicle(table, who.asks())
    found += [str(chronicle_reply(sessions_)), str(chronicle_file_reply(sessions_))]
    found.append(str(await dice_stats.dice_stats(table, who.asks())))
    found.append((await personal_data.personal_file(table, who.asks())).decode())
    found.append(str(await controls.open_controls(table, who.asks())))
    found.append(str(await encounters.participants(table, who.asks(), "")))
    return "\n".join(found)


@pytest.mark.parametrize("key", sorted(ROLLS))
async def test_players_read_nothing_of_a_hidden_foe_or_a_prepared_encounter(
    table: Table, gm: Person, ada: Person, key: str
) -> None:
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), key, "The Yard")
    creation = game.games[key].creation
    ready = creation.ready_made or creation.offered(game.games[key].settings())
    await characters.take_ready_made(game, ada.asks(), next(iter(ready)), "Ash")
    await sessions.start(game, gm.asks())
    await prepared_encounters.write(game, gm.asks(), DRAFT)
    await prepared_fights.start(game, gm.asks(), DRAFT.name)
    procedure, given = ROLLS[key]
    await play.perform(game, gm.asks(), procedure, given, acting=f"{CANARY} spider 1", is_secret=True)
    await play.perform(game, ada.asks(), keys.JOIN, {"character": "Ash"})
    look = await encounters.fight_here(game, ada.asks())

    assert CANARY not in str(look.view)
    assert CANARY not in await read_all(game, ada)
    assert CANARY in str((await log.page(game, gm.asks())).lines)

    await play.perform(game, gm.asks(), keys.END, {"unsettled": "waive"})
    ended = await endings.end(game, gm.asks(), 1)
    assert CANARY not in str(ended)
    assert CANARY not in await read_all(game, ada)
