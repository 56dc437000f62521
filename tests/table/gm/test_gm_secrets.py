"""Secrets: listed for the GM alone, shown as players would see them, revealed, taken back."""

import json
from pathlib import Path

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.shared.countdowns import Kind, Term, Visibility
from bot.table.base.access import ForGmOnly
from bot.table.base.results import EntryId
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.gm import gm as gm_cases
from bot.table.gm import gm_secrets
from bot.table.gm import gm_secrets as handouts
from bot.table.gm.gm_secrets import SecretKind
from bot.table.journal import journal, log, verify
from bot.table.journal import verify as export
from bot.table.journal.recap import recap
from bot.table.play import countdown_plans, play
from bot.table.play.countdown_plans import Plan
from bot.table.sessions import endings, sessions
from tests.table.characters.test_personal_data import a_picture
from tests.table.conftest import Person
from tests.table.counting import everything

CANARY = "zzyzx"


async def a_secret_roll(table: Table, gm: Person) -> str:
    rolled = await play.roll(table, gm.asks(), "1d20", f"{CANARY} ambush", is_secret=True)
    return str(rolled.entry)


async def a_note(table: Table, gm: Person, text: str = f"The {CANARY} is under the bed.") -> str:
    return (await handouts.save_handout(table, gm.asks(), f"{CANARY} letter", text))[0]


async def every_secret(table: Table, gm: Person) -> dict[SecretKind, str]:
    """Make one secret of each kind; return their ids."""
    roll, note = await a_secret_roll(table, gm), await a_note(table, gm)
    await gm_cases.make_npc(table, gm.asks(), f"The {CANARY}", is_hidden=True)
    plan = Plan(
        name=f"{CANARY} Doom",
        kind=Kind.SUCCESS,
        difficulty=4,
        visibility=Visibility.GM,
        term=Term.LONG,
    )
    await countdown_plans.begin(table, gm.asks(), plan)
    found = {one.kind: one.id for one in (await gm_secrets.secrets_page(table, gm.asks())).secrets}
    assert (found[SecretKind.ROLL], found[SecretKind.NOTE]) == (roll, note)
    return found


async def all_that(table: Table, who: Person) -> str:
    """Return whatever somebody can read here."""
    texts = [str(await log.page(table, who.asks()))]
    texts.append(str(await recap(table, who.asks(), whole=True)))
    texts += [line async for line in export.export_lines(table, who.asks())]
    texts.append(str(await handouts.given(table, who.asks())))
    return "\n".join(texts)


async def reveal(table: Table, gm: Person, kind: SecretKind, id_: str, *only: int) -> gm_secrets.Revealed:
    return await gm_secrets.reveal(table, gm.asks(), kind, id_, only or None)


async def character(table: Table, gm: Person, name: str) -> int:
    """Return the id of a player's character, as the page of a secret offers it."""
    view = await gm_secrets.open_secret(table, gm.asks(), SecretKind.ROLL, await a_secret_roll(table, gm))
    return next(int(one.value) for one in view.players if one.label == name)


class TestThePage:
    async def test_a_gm_finds_every_kind_of_secret_on_one_page(self, game: Table, gm: Person) -> None:
        await every_secret(game, gm)

        page = await gm_secrets.secrets_page(game, gm.asks(), 7)

        assert {one.kind for one in page.secrets} == set(SecretKind)
        assert (page.campaign, page.page, page.pages) == ("The Long Road", 0, 1)
        assert page.secrets[0].name.startswith(f"Gwen rolls {CANARY} ambush · ")

    async def test_many_secrets_take_several_pages(self, game: Table, gm: Person) -> None:
        for _ in range(9):
            await a_secret_roll(game, gm)

        second = await gm_secrets.secrets_page(game, gm.asks(), 1)

        assert (len(second.secrets), second.pages) == (1, 2)

    async def test_nobody_else_reads_or_reveals_a_secret(
        self, game: Table, gm: Person, ada: Person, neighbour: Person
    ) -> None:
        """F-ALL-19."""
        await sessions.start(game, gm.asks())
        ids = await every_secret(game, gm)
        before = everything(game)

        for who in (ada, neighbour):
            for kind, id_ in ids.items():
                with pytest.raises(UserError) as opened:
                    await gm_secrets.open_secret(game, who.asks(), kind, id_)
                with pytest.raises(UserError) as revealed:
                    await reveal(game, who, kind, id_)
                assert CANARY not in f"{opened.value} {revealed.value}"
            with pytest.raises(UserError):
                await gm_secrets.secrets_page(game, who.asks())
        for kind in (SecretKind.NPC, SecretKind.COUNTDOWN):
            with pytest.raises(ForGmOnly):
                await gm_secrets.show_to_all(game, ada.asks(), kind, ids[kind])
        with pytest.raises(ForGmOnly):
            await handouts.save_handout(game, ada.asks(), "Mine", "text")
        with pytest.raises(ForGmOnly):
            await handouts.remove_handout(game, ada.asks(), ids[SecretKind.NOTE])
        with pytest.raises(UserError, match="You don't have this note"):
            await handouts.read_handout(game, ada.asks(), ids[SecretKind.NOTE])
        with pytest.raises(UserError, match="That isn't for you"):
            await gm_secrets.read_shown(game, ada.asks(), EntryId(int(ids[SecretKind.ROLL])))
        assert everything(game) == before
        assert CANARY not in await all_that(game, ada)

    async def test_a_former_gm_and_the_gm_of_another_campaign_see_nothing(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await campaigns.set_gm(game, gm.asks(), bo.id, "Bob", is_gm=True)
        ids = await every_secret(game, gm)
        await gm_secrets.secrets_page(game, bo.asks())
        await campaigns.set_gm(game, gm.asks(), bo.id, "Bob", is_gm=False)
        await campaigns.create(game, gm.asks(place=77), "toy", "Elsewhere")
        await campaigns.set_gm(game, gm.asks(place=77), bo.id, "Bob", is_gm=True)

        with pytest.raises(ForGmOnly):
            await gm_secrets.secrets_page(game, bo.asks())
        elsewhere = await gm_secrets.secrets_page(game, bo.asks(place=77))
        assert elsewhere.secrets == ()
        for kind, id_ in ids.items():
            with pytest.raises(UserError):
                await gm_secrets.open_secret(game, bo.asks(place=77), kind, id_)

    async def test_what_is_gone_is_refused_with_a_word(self, game: Table, gm: Person) -> None:
        for kind, id_ in (
            (SecretKind.ROLL, "x"),
            (SecretKind.ROLL, "9" * 30),
            (SecretKind.ROLL, "1"),
            (SecretKind.NPC, "99"),
            (SecretKind.COUNTDOWN, "99"),
            (SecretKind.NOTE, "99"),
        ):
            with pytest.raises(UserError):
                await gm_secrets.open_secret(game, gm.asks(), kind, id_)


class TestRolls:
    async def test_a_revealed_roll_is_read_by_everybody_from_then_on(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        """F-ALL-19."""
        await sessions.start(game, gm.asks())
        roll = await a_secret_roll(game, gm)
        seen = await gm_secrets.open_secret(game, gm.asks(), SecretKind.ROLL, roll)
        before = await recap(game, ada.asks())

        revealed = await reveal(game, gm, SecretKind.ROLL, roll)
        file = [line async for line in export.export_lines(game, ada.asks())]

        assert (seen.is_out, revealed.view.is_out) == (False, True)
        assert seen.roll is not None
        assert revealed.view.roll is not None
        assert revealed.view.roll.rolls == seen.roll.rolls
        assert revealed.result.message.headline == f"reveals: Gwen rolls {CANARY} ambush"
        assert f"rolls {CANARY} ambush" in str(await log.page(game, ada.asks()))
        assert any(json.loads(line).get("entry") == int(roll) for line in file)
        assert (await recap(game, ada.asks())).rolls == before.rolls + 1
        found = await gm_secrets.read_shown(game, ada.asks(), EntryId(int(roll)))
        assert found.rolls == seen.roll.rolls

    async def test_an_export_with_a_revealed_roll_still_verifies(
        self, game: Table, gm: Person, ada: Person, tmp_path: Path
    ) -> None:
        await sessions.start(game, gm.asks())
        await reveal(game, gm, SecretKind.ROLL, await a_secret_roll(game, gm))
        await endings.end(game, gm.asks(), 1)
        lines = [line async for line in export.export_lines(game, ada.asks())]
        file = tmp_path / "journal.jsonl"
        file.write_text("".join(lines), encoding="utf-8")

        report = verify.verify(file, game.games)

        assert (report.faults, report.rolls, report.passed) == ([], 1, 1)

    async def test_a_roll_shown_to_one_stays_secret_for_the_others(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        roll = await a_secret_roll(game, gm)

        revealed = await reveal(game, gm, SecretKind.ROLL, roll, await character(game, gm, "Ada"))

        assert (revealed.names, revealed.view.secret.people) == (("Ada",), ("Ada",))
        assert CANARY in str(await log.page(game, ada.asks()))
        assert CANARY in (await gm_secrets.read_shown(game, ada.asks(), EntryId(int(roll)))).message.headline
        assert CANARY not in await all_that(game, bo)
        assert CANARY not in str(await recap(game, ada.asks(), whole=True))
        with pytest.raises(UserError, match="That isn't for you"):
            await gm_secrets.read_shown(game, bo.asks(), EntryId(int(roll)))

    async def test_revealing_twice_is_refused_and_a_second_delivery_says_the_same(
        self, game: Table, gm: Person
    ) -> None:
        roll, asked = await a_secret_roll(game, gm), gm.asks()
        first = await gm_secrets.reveal(game, asked, SecretKind.ROLL, roll)
        assert await gm_secrets.reveal(game, asked, SecretKind.ROLL, roll) == first
        before = everything(game)

        with pytest.raises(UserError, match="They know it already"):
            await reveal(game, gm, SecretKind.ROLL, roll)

        assert everything(game) == before

    async def test_a_reveal_can_be_undone_and_taken_back(self, game: Table, gm: Person, ada: Person) -> None:
        roll = await a_secret_roll(game, gm)
        revealed = await reveal(game, gm, SecretKind.ROLL, roll)
        await journal.undo(game, gm.asks(), revealed.result.entry)
        again = await gm_secrets.open_secret(game, gm.asks(), SecretKind.ROLL, roll)
        with pytest.raises(UserError, match="That isn't for you"):
            await gm_secrets.read_shown(game, ada.asks(), EntryId(int(roll)))
        await reveal(game, gm, SecretKind.ROLL, roll)

        hidden = await gm_secrets.reveal(game, gm.asks(), SecretKind.ROLL, roll, [])

        assert (again.is_out, hidden.view.is_out, hidden.result.message.is_public) == (False, False, False)
        with pytest.raises(UserError, match="Nobody else has seen it"):
            await gm_secrets.reveal(game, gm.asks(), SecretKind.ROLL, roll, [])

    async def test_a_blind_roll_of_a_player_can_be_revealed(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        blind = await play.perform(game, ada.asks(), "check", {}, is_secret=True)

        await reveal(game, gm, SecretKind.ROLL, str(blind.entry))

        found = await journal.entry_result(game, ada.asks(), blind.entry)
        assert (found.message.headline, len(found.rolls)) == ("checks Brawn", 1)

    async def test_an_undone_roll_is_no_secret_any_more(self, game: Table, gm: Person) -> None:
        rolled = await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)
        await gm_secrets.open_secret(game, gm.asks(), SecretKind.ROLL, str(rolled.entry))
        npc = await gm_cases.make_npc(game, gm.asks(), "Crow")

        with pytest.raises(UserError, match="no longer there"):
            await gm_secrets.open_secret(game, gm.asks(), SecretKind.ROLL, str(npc.entry))

    async def test_nothing_is_shown_alone_to_an_npc(self, game: Table, gm: Person) -> None:
        ids = await every_secret(game, gm)
        for kind in (SecretKind.ROLL, SecretKind.NOTE):
            with pytest.raises(UserError, match="Only a player's character"):
                await reveal(game, gm, kind, ids[kind], int(ids[SecretKind.NPC]))


class TestNpcsAndCountdowns:
    async def test_a_hidden_npc_is_revealed_after_the_gm_read_what_will_be_said(
        self, game: Table, gm: Person
    ) -> None:
        id_ = (await every_secret(game, gm))[SecretKind.NPC]
        view = await gm_secrets.open_secret(game, gm.asks(), SecretKind.NPC, id_)

        result = await gm_secrets.show_to_all(game, gm.asks(), SecretKind.NPC, id_)

        assert view.sentence == f"The {CANARY} appears"
        assert f"{result.message.who} {result.message.headline}" == view.sentence
        assert (await gm_secrets.open_secret(game, gm.asks(), SecretKind.NPC, id_)).is_out

    async def test_a_countdown_is_revealed_with_or_without_its_progress(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        id_ = (await every_secret(game, gm))[SecretKind.COUNTDOWN]
        view = await gm_secrets.open_secret(game, gm.asks(), SecretKind.COUNTDOWN, id_)

        known = await gm_secrets.show_to_all(game, gm.asks(), SecretKind.COUNTDOWN, id_, is_known_only=True)
        halfway = await gm_secrets.open_secret(game, gm.asks(), SecretKind.COUNTDOWN, id_)
        await gm_secrets.show_to_all(game, gm.asks(), SecretKind.COUNTDOWN, id_)

        assert view.sentence.startswith(f"{CANARY} Doom: 0 of 4")
        assert known.message.notes == (f"{CANARY} Doom: known, progress hidden",)
        assert (halfway.is_out, halfway.secret.people) == (False, ("everyone, without its progress",))
        page = await gm_secrets.secrets_page(game, gm.asks())
        assert SecretKind.COUNTDOWN not in {one.kind for one in page.secrets}


class TestGiving:
    async def test_everybody_reads_what_was_handed_out_and_finds_it_again(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        id_ = await a_note(game, gm)
        assert await handouts.given(game, ada.asks()) == []

        revealed = await reveal(game, gm, SecretKind.NOTE, id_)

        assert revealed.result.message.headline == f"hands out “{CANARY} letter”"
        assert [one.title for one in await handouts.given(game, ada.asks())] == [f"{CANARY} letter"]
        assert (await handouts.read_handout(game, ada.asks(), id_)).text == f"The {CANARY} is under the bed."

    async def test_a_note_for_one_is_unknown_to_the_others(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        await sessions.start(game, gm.asks())
        id_ = await a_note(game, gm)

        revealed = await reveal(game, gm, SecretKind.NOTE, id_, await character(game, gm, "Ada"))

        assert (revealed.names, revealed.result.message.is_public) == (("Ada",), False)
        assert (await handouts.read_handout(game, ada.asks(), id_)).title == f"{CANARY} letter"
        assert CANARY not in await all_that(game, bo)
        with pytest.raises(UserError, match="You don't have this note"):
            await handouts.read_handout(game, bo.asks(), id_)

    async def test_a_note_can_be_taken_back_and_giving_it_undone(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        id_ = await a_note(game, gm)
        await reveal(game, gm, SecretKind.NOTE, id_)
        with pytest.raises(UserError, match="They have it already"):
            await reveal(game, gm, SecretKind.NOTE, id_)
        await gm_secrets.reveal(game, gm.asks(), SecretKind.NOTE, id_, [])
        taken = await handouts.given(game, ada.asks())
        with pytest.raises(UserError, match="Nobody has it"):
            await gm_secrets.reveal(game, gm.asks(), SecretKind.NOTE, id_, [])
        given = await reveal(game, gm, SecretKind.NOTE, id_)

        await journal.undo(game, gm.asks(), given.result.entry)

        assert taken == await handouts.given(game, ada.asks()) == []


class TestWriting:
    async def test_a_picture_is_written_anew_and_comes_with_the_handout(
        self, game: Table, gm: Person
    ) -> None:
        content = a_picture((2400, 1200))

        id_, result = await handouts.save_handout(game, gm.asks(), "Map", "", content=content)
        found = await handouts.read_handout(game, gm.asks(), id_)

        assert (found.has_picture, found.picture[8:12], found.picture == content) == (True, b"WEBP", False)
        assert not result.message.is_public

    async def test_a_note_is_changed_and_the_change_undone(self, game: Table, gm: Person) -> None:
        id_ = await a_note(game, gm)

        _, changed = await handouts.save_handout(game, gm.asks(), "Letter", "Burnt.", id_=id_)
        after = await handouts.read_handout(game, gm.asks(), id_)
        await journal.undo(game, gm.asks(), changed.entry)

        assert (after.title, after.text) == ("Letter", "Burnt.")
        assert (await handouts.read_handout(game, gm.asks(), id_)).title == f"{CANARY} letter"

    async def test_a_removed_note_is_gone_for_everybody_until_that_is_undone(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        id_ = await a_note(game, gm)
        await reveal(game, gm, SecretKind.NOTE, id_)
        asked = gm.asks()

        removed = await handouts.remove_handout(game, asked, id_)
        again = await handouts.remove_handout(game, asked, id_)
        gone = await handouts.given(game, ada.asks())
        await journal.undo(game, gm.asks(), removed.entry)

        assert (again.entry, gone) == (removed.entry, [])
        assert len(await handouts.given(game, ada.asks())) == 1

    async def test_the_same_form_delivered_twice_writes_one_note(self, game: Table, gm: Person) -> None:
        asked = gm.asks()
        first = await handouts.save_handout(game, asked, "Letter", "Burnt.")

        assert (await handouts.save_handout(game, asked, "Letter", "Burnt."))[0] == first[0]
        assert len((await gm_secrets.secrets_page(game, gm.asks())).secrets) == 1

    async def test_what_makes_no_note_is_refused_and_changes_nothing(self, game: Table, gm: Person) -> None:
        id_ = await a_note(game, gm, "text")
        before = everything(game)

        for title, text, which, content, why in (
            (" ", "text", "", b"", "needs a title"),
            ("Letter", " ", "", b"", "nothing in it"),
            ("Letter", "", "", b"no picture", "can't read this picture"),
            ("Letter", "text", "99", b"", "don't have this note"),
            (f"{CANARY} letter", "text", id_, b"", "wouldn't change anything"),
        ):
            with pytest.raises(UserError, match=why):
                await handouts.save_handout(game, gm.asks(), title, text, id_=which, content=content)

        assert everything(game) == before

    async def test_the_log_tells_players_that_something_secret_happened(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await a_note(game, gm)

        shown = await log.page(game, ada.asks())

        assert shown.lines[0] == log.HiddenLines(4, 4)
