"""Sessions: the start, the preview of the end, the end with its awards (F-RPJ-12), and its undo."""

import asyncio
import hashlib
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from bot.rules.kernel import AwardRule, CharacterId, HookResult, Scene
from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Visibility
from bot.store.transaction import Reader
from bot.table.base.access import ForGmOnly, access_here, find_character
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.characters import character_files, characters
from bot.table.gm import gm as gm_cases
from bot.table.journal import dice_stats, journal
from bot.table.play import play
from bot.table.sessions import endings, meetings, sessions
from bot.table.sessions import endings as awards
from bot.table.sessions.sessions import NoSession, Present
from tests.table.conftest import MORNING, Clock, Person
from tests.table.counting import a_plan, begin
from tests.table.toy import TOY
from tests.table.toy_module import ToySheet

FIRST = hashlib.sha256(b"secret 1").digest()
SECOND = hashlib.sha256(b"secret 2").digest()


async def luck(table: Table, person: Person, name: str) -> int:
    def query(reader: Reader) -> int:
        access = access_here(table, reader, person.asks())
        return find_character(reader, access, name).resources["luck"][0]

    return await table.store.read(query)


class TestStarting:
    async def test_a_start_tells_who_plays_whom(self, game: Table, gm: Person) -> None:
        started = await sessions.start(game, gm.asks())

        assert started.number == 1
        assert started.present == (Present(2, "Ada"), Present(3, "Bo"))

    async def test_a_start_tells_whom_those_with_several_characters_play_now(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        for who, name in ((ada, "Cy"), (bo, "Di")):
            await characters.take_ready_made(game, who.asks(), "Ada", name)
        await characters.use(game, ada.asks(), "Cy")
        await characters.use(game, bo.asks(), "Bo")

        started = await sessions.start(game, gm.asks())

        assert started.present == (Present(2, "Cy"), Present(3, "Bo"))

    async def test_a_campaign_runs_one_session_at_a_time(self, game: Table, gm: Person) -> None:
        await sessions.start(game, gm.asks())

        with pytest.raises(UserError, match="Session 1 is already running"):
            await sessions.start(game, gm.asks())

    async def test_the_same_interaction_twice_starts_one_session(self, game: Table, gm: Person) -> None:
        first = await sessions.start(game, gm.asks("77"))

        assert await sessions.start(game, gm.asks("77")) == first
        with pytest.raises(LookupError, match="ended no session"):
            await endings.end(game, gm.asks("77"))

    async def test_a_start_cannot_be_undone(self, game: Table, gm: Person) -> None:
        started = await sessions.start(game, gm.asks())

        assert not started.result.can_undo
        with pytest.raises(UserError, match="can't undo starting"):
            await journal.undo(game, gm.asks(), started.result.entry)

    async def test_the_status_says_when_the_session_ends_by_itself(
        self, game: Table, gm: Person, clock: Clock
    ) -> None:
        await sessions.start(game, gm.asks(), event=70, voice=80)
        await campaign_settings.change_setting(game, gm.asks(), "idle_hours", "2")

        status = await sessions.status(game, gm.asks())

        assert status.ends_idle_at == MORNING + 7200
        assert (status.event, status.voice) == (70, 80)

    async def test_a_running_session_can_be_linked_later(self, game: Table, gm: Person) -> None:
        await sessions.start(game, gm.asks(), event=70)

        await sessions.link(game, gm.asks(), voice=80)

        status = await sessions.status(game, gm.asks())
        assert (status.event, status.voice) == (70, 80)


async def test_a_gms_session_gets_one_thread_where_the_campaign_wants_them(
    game: Table, gm: Person, ada: Person
) -> None:
    async def wanted() -> list[bool]:
        asked = ((gm, 1), (gm, 2), (ada, 1))
        return [await sessions.wants_thread(game, who.asks(), number) for who, number in asked]

    await sessions.start(game, gm.asks())
    assert await wanted() == [False] * 3

    await campaign_settings.change_setting(game, gm.asks(), "session_threads", "yes")
    assert await wanted() == [True, False, False]

    await sessions.note_thread(game, gm.asks(), 1, 77)
    assert await wanted() == [False] * 3


def lucky(scene: Scene, everybody: Sequence[CharacterId]) -> HookResult:
    """Give every player's character three Luck."""
    notes = []
    for character in (scene.character(id_) for id_ in everybody):
        scene = scene.with_character(character.with_resource("luck", 3))
        notes.append(f"Fortune smiles on {character.name}.")
    return HookResult(scene=scene, notes=tuple(notes))


@pytest.fixture
def fortune(game: Table) -> Table:
    """A game in which a session gives Luck, also to characters made during it."""
    toy = replace(
        game.games["toy"], start_session=lucky, arrive=lambda scene, newcomer: lucky(scene, (newcomer,))
    )
    return replace(game, games={"toy": toy})


class TestWhatAStartSets:
    async def test_the_start_tells_what_it_set_without_the_gms_secrets(
        self, fortune: Table, gm: Person
    ) -> None:
        await gm_cases.make_npc(fortune, gm.asks(), "Zed", is_hidden=True)

        started = await sessions.start(fortune, gm.asks())

        told = started.result.message
        assert [(one.who, one.what, one.before, one.after) for one in told.changes] == [
            ("Ada", "Luck", "2", "3"),
            ("Bo", "Luck", "2", "3"),
        ]
        assert told.notes == ("Fortune smiles on Ada.", "Fortune smiles on Bo.")
        assert await luck(fortune, gm, "Zed") == 3

    async def test_what_a_start_set_can_be_undone_and_set_again_and_the_session_goes_on(
        self, fortune: Table, gm: Person
    ) -> None:
        started = await sessions.start(fortune, gm.asks())
        assert started.result.can_undo

        undone = await journal.undo(fortune, gm.asks(), started.result.entry)

        assert isinstance(undone, journal.Undone)
        assert await luck(fortune, gm, "Ada") == 2
        assert (await sessions.status(fortune, gm.asks())).number == 1
        await journal.undo(fortune, gm.asks(), undone.result.entry)
        assert await luck(fortune, gm, "Ada") == 3

    async def test_undoing_what_a_start_set_undoes_what_was_played_with_it(
        self, fortune: Table, gm: Person, ada: Person
    ) -> None:
        started = await sessions.start(fortune, gm.asks())
        await play.perform(fortune, ada.asks(), "spend", {})

        blocked = await journal.undo(fortune, gm.asks(), started.result.entry)
        await journal.undo(fortune, gm.asks(), started.result.entry, together=True)

        assert isinstance(blocked, journal.UndoBlocked)
        assert await luck(fortune, gm, "Ada") == 2

    async def test_undoing_what_a_start_set_keeps_the_sessions_event(
        self, fortune: Table, gm: Person
    ) -> None:
        scheduled = (await meetings.plan(fortune, gm.asks(), "Friday", MORNING + 60, event=70)).result
        await sessions.start(fortune, gm.asks())

        with pytest.raises(UserError, match="can't undo starting"):
            await journal.undo(fortune, gm.asks(), scheduled.entry, together=True)

    async def test_a_reset_by_hand_sets_the_starting_values_too(self, fortune: Table, gm: Person) -> None:
        await gm_cases.reset(fortune, gm.asks())

        assert await luck(fortune, gm, "Ada") == 3


class TestArrivals:
    async def test_a_character_made_or_imported_during_a_session_gets_its_starting_values(
        self, fortune: Table, gm: Person, ada: Person
    ) -> None:
        _called, content = await character_files.export(fortune, ada.asks(), "Ada")
        await sessions.start(fortune, gm.asks())

        result = await characters.take_ready_made(fortune, ada.asks(), "Ada", "Cy")
        await character_files.import_(fortune, ada.asks(), content, "Eve")

        assert result.message.notes == ("Fortune smiles on Cy.",)
        assert [await luck(fortune, gm, name) for name in ("Cy", "Eve")] == [3, 3]

    async def test_a_character_made_between_sessions_gets_no_starting_values(
        self, fortune: Table, gm: Person, ada: Person
    ) -> None:
        result = await characters.take_ready_made(fortune, ada.asks(), "Ada", "Cy")

        assert (result.message.notes, await luck(fortune, gm, "Cy")) == ((), 2)


class TestPreview:
    async def test_the_preview_shows_what_the_end_will_reset_and_changes_nothing(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "spend", {})

        preview = await endings.end_preview(game, gm.asks())

        assert [(line.who, line.what, line.before, line.after) for line in preview.changes] == [
            ("Ada", "Luck", "1", "2")
        ]
        assert preview.notes == ("Ada has Luck again.",)
        assert await luck(game, ada, "Ada") == 1
        assert (await sessions.status(game, gm.asks())).number == 1


class TestEnding:
    async def test_the_end_resets_values_closes_countdowns_and_reveals_the_seed(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "spend", {})
        await play.perform(game, ada.asks(), "omen", {"text": "a crow"})

        ended = await endings.end(game, gm.asks())

        assert (ended.number, ended.secret) == (1, FIRST.hex())
        assert ended.commitment == hashlib.sha256(FIRST).hexdigest()
        assert (ended.next_seed, ended.next_commitment) == (2, hashlib.sha256(SECOND).hexdigest())
        assert await luck(game, ada, "Ada") == 2
        with pytest.raises(NoSession):
            await sessions.status(game, gm.asks())

    async def test_two_ends_at_once_end_a_session_once(self, game: Table, gm: Person) -> None:
        await sessions.start(game, gm.asks())

        one, other = await asyncio.gather(endings.end(game, gm.asks(), 1), endings.end(game, gm.asks(), 1))

        assert one == other
        assert len((await dice_stats.fairness(game, gm.asks())).revealed) == 1

    @pytest.mark.parametrize(("interaction", "number"), [("77", None), (None, 1)])
    async def test_a_second_end_is_answered_with_the_first_and_leaves_the_next_session_alone(
        self, game: Table, gm: Person, interaction: str | None, number: int | None
    ) -> None:
        await sessions.start(game, gm.asks())
        first = await endings.end(game, gm.asks(interaction), number)

        assert await endings.end(game, gm.asks(interaction), number) == first
        assert len((await dice_stats.fairness(game, gm.asks())).revealed) == 1
        await sessions.start(game, gm.asks())
        assert await endings.end(game, gm.asks(interaction), number) == first
        assert (await sessions.status(game, gm.asks())).number == 2

    async def test_without_a_session_there_is_no_status_and_nothing_to_end(
        self, game: Table, gm: Person
    ) -> None:
        with pytest.raises(NoSession):
            await sessions.status(game, gm.asks())
        with pytest.raises(NoSession):
            await endings.end(game, gm.asks())

    async def test_the_end_of_hidden_characters_and_countdowns_is_not_told(
        self, game: Table, gm: Person
    ) -> None:
        await gm_cases.make_npc(game, gm.asks(), "The Shade", is_hidden=True)
        await sessions.start(game, gm.asks())
        for name, sight in (("Bell", Visibility.OPEN), ("Knife", Visibility.GM)):
            await begin(game, gm, a_plan(name, visibility=sight))
        preview = await endings.end_preview(game, gm.asks())

        ended = await endings.end(game, gm.asks())

        assert [line.who for line in preview.changes] == ["The Shade"]
        assert await luck(game, gm, "The Shade") == 2
        assert ended.countdowns == ("Bell",)
        assert not [name for name in ("Shade", "Knife") if name in repr(ended)]


class TestUndoingTheEnd:
    async def test_undoing_an_end_restores_the_session_and_leaves_the_seed_revealed(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        await play.perform(game, ada.asks(), "spend", {})
        ended = await endings.end(game, gm.asks())

        await journal.undo(game, gm.asks(), ended.result.entry)

        assert await luck(game, ada, "Ada") == 1
        status = await sessions.status(game, gm.asks())
        assert status.number == 1
        state = await dice_stats.fairness(game, gm.asks())
        assert state.in_use.commitment == hashlib.sha256(SECOND).hexdigest()
        assert state.revealed[0].secret == FIRST.hex()

    async def test_a_restored_session_can_be_ended_again_and_reveals_the_second_seed(
        self, game: Table, gm: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        first = await endings.end(game, gm.asks(), 1)
        await journal.undo(game, gm.asks(), first.result.entry)

        again = await endings.end(game, gm.asks(), 1)

        assert again.result.entry != first.result.entry
        assert again.secret == SECOND.hex()

    async def test_an_end_cannot_be_undone_once_the_next_session_has_started(
        self, game: Table, gm: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        ended = await endings.end(game, gm.asks())
        await sessions.start(game, gm.asks())

        with pytest.raises(UserError, match="Session 2 has started since"):
            await journal.undo(game, gm.asks(), ended.result.entry)

    async def test_a_player_needs_the_gm_to_undo_an_end(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        ended = await endings.end(game, gm.asks())

        assert isinstance(await journal.undo(game, ada.asks(), ended.result.entry), journal.UndoNeedsGm)


class TestStrangers:
    async def test_a_player_may_not_start_a_session(self, game: Table, ada: Person) -> None:
        with pytest.raises(ForGmOnly):
            await sessions.start(game, ada.asks())

    async def test_another_servers_gm_ends_only_their_own_session(
        self, game: Table, gm: Person, neighbour: Person
    ) -> None:
        await campaigns.create(game, neighbour.asks(), "toy", "Elsewhere")
        await sessions.start(game, gm.asks())

        with pytest.raises(NoSession):
            await endings.end(game, neighbour.asks(), 1)
        await sessions.start(game, neighbour.asks())
        await endings.end(game, neighbour.asks())

        assert (await sessions.status(game, gm.asks())).number == 1


class TestFairness:
    async def test_only_revealed_seeds_are_published(self, game: Table, gm: Person, clock: Clock) -> None:
        await sessions.start(game, gm.asks())
        clock.pass_hours(3)
        await endings.end(game, gm.asks())

        state = await dice_stats.fairness(game, gm.asks())

        assert (state.in_use.number, state.in_use.secret) == (2, None)
        assert state.in_use.in_use_since == MORNING + 3 * 3600
        assert [(seed.number, seed.secret) for seed in state.revealed] == [(1, FIRST.hex())]
        assert SECOND.hex() not in repr(state)


def famous(sheet: ToySheet, fame: int) -> ToySheet:
    return sheet.model_copy(update={"brawn": sheet.brawn + fame})


FAME = AwardRule[ToySheet](key="fame", title="Fame", give=famous, usual=(1, 2), unit="point")


@pytest.fixture
def game(game: Table) -> Table:
    """A table whose game awards fame."""
    return replace(game, games={"toy": replace(TOY, awards=(FAME,))})


class TestAwards:
    async def test_present_is_who_took_part(self, game: Table, gm: Person, ada: Person) -> None:
        await sessions.start(game, gm.asks())
        assert (await awards.session_awards(game, gm.asks(), 1)).names == ("Ada", "Bo")

        await play.perform(game, ada.asks(), "check", {})

        found = await awards.session_awards(game, gm.asks(), 1)
        assert found.names == ("Ada",)
        assert [name for _id, name in found.characters] == ["Ada", "Bo"]

    async def test_of_several_characters_only_the_played_one_is_present(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await characters.take_ready_made(game, ada.asks(), "Bo", "Adela")
        await characters.use(game, ada.asks(), "Adela")

        await sessions.start(game, gm.asks())

        assert (await awards.session_awards(game, gm.asks(), 1)).names == ("Adela", "Bo")

    async def test_an_award_is_told_and_given_once_by_two_gms_at_once(self, game: Table, gm: Person) -> None:
        await sessions.start(game, gm.asks())
        (offer,) = (await awards.session_awards(game, gm.asks(), 1)).offers
        assert (offer.title, offer.usual, offer.given) == ("Fame", (1, 2), ())

        done = await asyncio.gather(
            *(
                gm_cases.award(game, gm.asks(), "fame", 2, ("Ada", "Bo"), session=1, is_first=True)
                for _ in range(2)
            ),
            return_exceptions=True,
        )

        refused = [one for one in done if isinstance(one, UserError)]
        assert [str(one) for one in refused] == [
            "Fame were already awarded for session 1: 2 points to Ada, Bo."
        ]
        (offer,) = (await awards.session_awards(game, gm.asks(), 1)).offers
        assert offer.given == ("2 points to Ada, Bo",)

    async def test_an_award_after_the_end_counts_for_that_session_and_can_be_undone(
        self, game: Table, gm: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        ended = await endings.end(game, gm.asks())
        assert ended.may_award
        given = await gm_cases.award(game, gm.asks(), "fame", 1, ("Ada",), session=1)
        assert (await awards.session_awards(game, gm.asks(), 1)).offers[0].given == ("1 point to Ada",)

        await journal.undo(game, gm.asks(), given.entry)

        assert (await awards.session_awards(game, gm.asks(), 1)).offers[0].given == ()

    async def test_a_session_that_is_not_there_has_no_awards(
        self, game: Table, gm: Person, neighbour: Person
    ) -> None:
        await sessions.start(game, gm.asks())

        with pytest.raises(UserError):
            await awards.session_awards(game, neighbour.asks(), 1)
        with pytest.raises(UserError, match="no session 7"):
            await awards.session_awards(game, gm.asks(), 7)
        with pytest.raises(UserError, match="no session 7"):
            await gm_cases.award(game, gm.asks(), "fame", 1, ("Ada",), session=7)
