"""Characters: making, reading, choosing, renaming, retiring."""

import pytest
from msgspec.structs import replace

from bot.rules.kernel import CharacterId
from bot.rules.kernel.errors import UserError
from bot.store.transaction import Reader
from bot.table.base.access import ForGmOnly, NoCharacter, NoSuchCharacter, access_here, may_play
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters, creation_pages
from bot.table.characters import characters as admissions
from bot.table.characters.characters import NobodyWaits
from bot.table.characters.creation_pages import WizardPage
from bot.table.gm import gm
from bot.table.gm.gm import make_npc
from bot.table.journal import journal
from bot.table.play import play
from bot.table.sessions import sessions
from tests.table.conftest import HOME, Person
from tests.table.counting import everything, state
from tests.table.toy import TOY


class TestReadyMade:
    async def test_a_ready_made_character_is_played_at_once_with_all_values_at_their_start(
        self, game: Table, ada: Person
    ) -> None:
        result = await characters.take_ready_made(game, ada.asks(), " aDA ", "Abe")

        assert (result.message.who, result.message.headline) == ("Abe", "joins the campaign")
        view = await characters.sheet(game, ada.asks(), None)
        assert (view.name, view.game, view.owner) == ("Abe", "Toy Game", 2)
        assert view.sections[0].lines == ("Brawn 4",)

    async def test_an_unknown_ready_made_character_is_refused_with_a_list_of_the_known_ones(
        self, game: Table, ada: Person
    ) -> None:
        with pytest.raises(UserError) as told:
            await characters.take_ready_made(game, ada.asks(), "Zed")

        assert told.value.sentences == (
            "There is no ready-made character called “Zed”.",
            "Ready-made: Ada, Bo.",
        )


async def names(game: Table, who: Person) -> list[str]:
    """Return the names of the characters that somebody sees, except those that everybody plays."""
    return [one.name for one in await characters.listing(game, who.asks()) if one.name not in ("Ada", "Bo")]


class TestNames:
    @pytest.mark.parametrize("taken", ["Ada", "ADA", "ＡＤＡ", "A\u200dda"])  # wide letters
    async def test_a_taken_name_is_refused_whatever_its_spelling(
        self, game: Table, bo: Person, taken: str
    ) -> None:
        before = everything(game)
        with pytest.raises(UserError, match="is already taken in this campaign"):
            await characters.take_ready_made(game, bo.asks(), "Bo", taken)
        assert everything(game) == before

    async def test_f_rel_08_a_hidden_characters_name_gives_way_and_an_undo_restores_it(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        boss = Person(1, "Gwen", ada.interactions, manages_server=True)
        await gm.make_npc(game, boss.asks(), "Ogre", is_hidden=True)
        await gm.make_npc(game, boss.asks(), "Ogre 2", is_hidden=True)

        made = await characters.take_ready_made(game, ada.asks(), "Ada", "ogre")

        assert await names(game, boss) == ["ogre", "Ogre 2", "Ogre 3"]
        assert (made.message.headline, made.message.notes) == ("joins the campaign", ())
        await journal.undo(game, ada.asks(), made.entry, is_sure=True)
        assert await names(game, boss) == ["Ogre", "Ogre 2"]

    async def test_f_rel_08_the_gm_is_refused_a_hidden_ones_name(self, game: Table, ada: Person) -> None:
        boss = Person(1, "Gwen", ada.interactions, manages_server=True)
        await gm.make_npc(game, boss.asks(), "Ogre", is_hidden=True)

        with pytest.raises(UserError, match="is already taken in this campaign"):
            await gm.make_npc(game, boss.asks(), "Ogre")

    @pytest.mark.parametrize("name", ["\u3164", "\u200d", "\u2800 \u115f"])
    async def test_an_invisible_name_is_refused(self, game: Table, bo: Person, name: str) -> None:
        with pytest.raises(UserError, match="1 to 40"):
            await characters.rename(game, bo.asks(), "Bo", name)

    async def test_a_name_has_at_most_forty_characters(self, game: Table, bo: Person) -> None:
        with pytest.raises(UserError, match="1 to 40"):
            await characters.rename(game, bo.asks(), "Bo", "x" * 41)
        with pytest.raises(UserError, match="up to 40 characters; this one has 41"):
            await characters.take_ready_made(game, bo.asks(), "Bo", "x" * 41)


class TestRenaming:
    async def test_a_renaming_is_told_and_can_be_undone(self, game: Table, ada: Person) -> None:
        before = state(game)

        result = await characters.rename(game, ada.asks(), "Ada", "Adelheid")

        assert (result.message.who, result.message.headline) == ("Ada", "is now called Adelheid")
        await journal.undo(game, ada.asks())
        assert state(game) == before

    async def test_a_new_name_that_reads_like_another_is_refused(self, game: Table, ada: Person) -> None:
        with pytest.raises(UserError, match="reads like Bo, though"):  # F-REL-13: a Cyrillic o
            await characters.rename(game, ada.asks(), "Ada", "B\u043e")

        await characters.rename(game, ada.asks(), "Ada", "\u0410da")

    async def test_a_renaming_may_change_only_the_case_but_not_nothing(
        self, game: Table, ada: Person
    ) -> None:
        with pytest.raises(UserError, match="already called Ada"):
            await characters.rename(game, ada.asks(), "Ada", " Ada ")
        await characters.rename(game, ada.asks(), "Ada", "ADA")

        assert (await characters.sheet(game, ada.asks(), None)).name == "ADA"

    async def test_anothers_is_refused(self, game: Table, bo: Person) -> None:
        with pytest.raises(UserError, match="Ada isn't your character"):
            await characters.rename(game, bo.asks(), "Ada", "Mine")


class TestRetiring:
    async def test_a_retired_character_leaves_the_list_and_an_undo_brings_it_back(
        self, game: Table, ada: Person
    ) -> None:
        before = state(game)
        await characters.retire(game, ada.asks(), "Ada")
        assert [one.name for one in await characters.listing(game, ada.asks())] == ["Bo"]

        await journal.undo(game, ada.asks())

        assert state(game) == before

    async def test_a_person_no_longer_acts_as_their_retired_character(self, game: Table, ada: Person) -> None:
        await characters.retire(game, ada.asks(), "Ada")

        with pytest.raises(UserError, match="You have no character here"):
            await play.perform(game, ada.asks(), "check", {})

        await characters.take_ready_made(game, ada.asks(), "Bo", "Abe")
        assert (await play.perform(game, ada.asks(), "check", {})).message.who == "Abe"

    async def test_a_retired_characters_name_is_free_again(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        await characters.retire(game, ada.asks(), "Ada")

        await characters.rename(game, bo.asks(), "Bo", "Ada")

        assert [one.name for one in await characters.listing(game, bo.asks())] == ["Ada"]


class TestChoosing:
    async def test_a_person_plays_the_chosen_character_from_now_on(self, game: Table, ada: Person) -> None:
        await characters.take_ready_made(game, ada.asks(), "Bo", "Abe")

        await characters.use(game, ada.asks(), "Ada")

        listed = await characters.listing(game, ada.asks())
        assert [one.name for one in listed if one.is_current] == ["Ada"]

    async def test_anothers_is_refused(self, game: Table, bo: Person) -> None:
        with pytest.raises(UserError, match="Ada isn't your character"):
            await characters.use(game, bo.asks(), "Ada")


class TestReading:
    async def test_everybody_can_read_and_list_every_character_except_hidden_ones(
        self, game: Table, ada: Person, bo: Person
    ) -> None:
        boss = Person(1, "Gwen", ada.interactions, manages_server=True)
        await gm.make_npc(game, boss.asks(), "Ogre", is_hidden=True)

        assert (await characters.sheet(game, bo.asks(), "Ada")).name == "Ada"
        for ogre in ("Ogre", 3):
            with pytest.raises(NoSuchCharacter):
                await characters.sheet(game, bo.asks(), ogre)
        assert (await characters.sheet(game, boss.asks(), 3)).name == "Ogre"
        assert await listed_names(game, bo) == ["Ada", "Bo"]
        assert await listed_names(game, boss) == ["Ada", "Bo", "Ogre"]

    async def test_a_person_without_a_character_is_told_so(self, game: Table, gm: Person) -> None:
        with pytest.raises(NoCharacter):
            await characters.sheet(game, gm.asks(), None)


@pytest.mark.parametrize("case", ["theirs", "Bo's", "retired", "of another campaign", "nobody's"])
async def test_whoever_has_a_leader_may_be_played_by_its_player_alone(
    game: Table, gm: Person, ada: Person, case: str
) -> None:
    await make_npc(game, gm.asks(), "Bones")
    await campaigns.create(game, gm.asks(place=60), "toy", "Elsewhere")
    await characters.take_ready_made(game, ada.asks(place=60), "Ada", "Abroad")
    if case == "retired":
        await characters.retire(game, ada.asks(), "Ada")
    names = {"Bo's": "Bo", "of another campaign": "Abroad"}

    def query(reader: Reader) -> bool:
        place = 60 if case == "of another campaign" else None
        there = access_here(game, reader, ada.asks(place=place))
        everybody = reader.characters(HOME, there.campaign.id, with_retired=True)
        (leader,) = [one.id for one in everybody if one.name == names.get(case, "Ada")]
        toy = replace(TOY, leader=lambda _sheet: None if case == "nobody's" else CharacterId(leader))
        access = access_here(replace(game, games={"toy": toy}), reader, ada.asks())
        (bones,) = [one for one in reader.characters(HOME, access.campaign.id) if one.name == "Bones"]
        return may_play(reader, access, bones)

    assert await game.store.read(query) is (case == "theirs")


@pytest.fixture
def strict(game: Table) -> Table:
    """A game whose GM approves each character."""
    toy = game.games["toy"]
    made = replace(toy.creation, needs_leave=lambda _settings: True)
    return replace(game, games={"toy": replace(toy, creation=made)})


async def drafted(table: Table, who: Person, name: str = "Cy") -> WizardPage:
    page = await creation_pages.begin(table, who.asks())
    await creation_pages.write(table, who.asks(), page.draft, "brawn", {"brawn": "5"})
    return await creation_pages.write(table, who.asks(), page.draft, "name", {"name": name})


async def asked(table: Table, who: Person, name: str = "Cy") -> Result:
    page = await drafted(table, who, name)
    return await creation_pages.finish(table, who.asks(), page.draft)


async def listed_names(table: Table, who: Person) -> list[str]:
    return [one.name for one in await characters.listing(table, who.asks())]


class TestWaiting:
    async def test_a_finished_character_waits_for_approval_and_nobody_plays_it(
        self, strict: Table, ada: Person
    ) -> None:
        result = await asked(strict, ada)

        assert (result.message.headline, result.message.who) == ("asks to join the campaign", "Cy")
        assert result.waiting is not None
        assert await listed_names(strict, ada) == ["Ada", "Bo"]
        with pytest.raises(UserError, match="no character called"):
            await play.perform(strict, ada.asks(), "check", {}, acting="Cy")

    async def test_ready_made_characters_wait_too_and_a_gms_does_not(
        self, strict: Table, gm: Person, ada: Person
    ) -> None:
        assert (await asked(strict, gm)).waiting is None
        assert (await characters.take_ready_made(strict, ada.asks(), "Bo", "Eve")).waiting is not None

    async def test_the_gm_and_its_player_can_read_a_waiting_character(
        self, strict: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        waiting = (await asked(strict, ada)).waiting
        assert waiting is not None

        assert (await admissions.waiting_sheet(strict, gm.asks(), waiting)).name == "Cy"
        assert (await admissions.waiting_sheet(strict, ada.asks(), waiting)).sections[0].lines == ("Brawn 5",)
        with pytest.raises(ForGmOnly):
            await admissions.waiting_sheet(strict, bo.asks(), waiting)


class TestAdmitting:
    async def test_an_admitted_character_joins_waits_no_more_and_waits_again_after_an_undo(
        self, strict: Table, gm: Person, ada: Person
    ) -> None:
        async def suggested() -> list[str]:
            return [one.label for one in await admissions.choices(strict, gm.asks(), "")]

        waiting = (await asked(strict, ada)).waiting
        assert waiting is not None
        assert await suggested() == ["Cy"]

        admitted = await admissions.admit(strict, gm.asks(), waiting)

        assert (admitted.message.who, admitted.message.headline) == ("Cy", "joins the campaign")
        listed = await characters.listing(strict, ada.asks())
        assert [one.name for one in listed if one.is_current] == ["Cy"]
        with pytest.raises(NobodyWaits):
            await admissions.admit(strict, gm.asks(), waiting)
        await journal.undo(strict, gm.asks(), admitted.entry, is_sure=True)
        assert await listed_names(strict, gm) == ["Ada", "Bo"]
        assert await suggested() == ["Cy"]

    async def test_a_character_admitted_during_a_session_gets_the_session_values(
        self, strict: Table, gm: Person, ada: Person
    ) -> None:
        toy = replace(
            strict.games["toy"],
            arrive=lambda scene, newcomer: replace(
                strict.games["toy"].start_session(scene, ()), notes=(scene.character(newcomer).name,)
            ),
        )
        laid = replace(strict, games={"toy": toy})
        await sessions.start(laid, gm.asks())
        assert (await asked(laid, ada)).message.notes == (
            "A GM can approve it, or undo it so it can be changed.",
        )

        assert (await admissions.admit(laid, gm.asks(), "cy")).message.notes == ("Cy",)

    async def test_a_character_whose_name_was_taken_meanwhile_is_not_admitted(
        self, strict: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        one = (await asked(strict, ada)).waiting
        other = (await asked(strict, bo)).waiting
        assert one is not None
        assert other is not None
        await admissions.admit(strict, gm.asks(), one)

        with pytest.raises(UserError, match="is already taken"):
            await admissions.admit(strict, gm.asks(), other)


class TestOpeningAgain:
    async def test_an_undone_character_is_a_draft_again(self, strict: Table, gm: Person, ada: Person) -> None:
        result = await asked(strict, ada)

        await journal.undo(strict, gm.asks(), result.entry, is_sure=True)

        page = await creation_pages.begin(strict, ada.asks())
        assert page.answers == {"brawn": ("5",), "name": ("Cy",)}
        with pytest.raises(NobodyWaits):
            await admissions.admit(strict, gm.asks(), "Cy")

    async def test_its_player_may_undo_a_waiting_character_too(self, game: Table, ada: Person) -> None:
        await asked(game, ada)

        await journal.undo(game, ada.asks(), is_sure=True)

        assert (await creation_pages.begin(game, ada.asks())).answers["brawn"] == ("5",)

    async def test_a_draft_started_meanwhile_is_not_overwritten_by_an_undo(
        self, game: Table, ada: Person
    ) -> None:
        await asked(game, ada)
        page = await creation_pages.begin(game, ada.asks())
        await creation_pages.write(game, ada.asks(), page.draft, "brawn", {"brawn": "1"})

        await journal.undo(game, ada.asks(), is_sure=True)

        assert (await creation_pages.begin(game, ada.asks())).answers == {"brawn": ("1",)}
