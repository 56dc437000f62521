"""What is stored about a person, and its removal: F-ALL-28."""

import asyncio
import base64
import io
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from bot.rules.kernel.errors import UserError
from bot.store.records import EntryRecord
from bot.table.base import pictures
from bot.table.base.pictures import LARGEST_FILE, Pictures, UnreadablePicture, small_picture
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import character_files, characters, personal_data
from bot.table.characters import character_files as portraits
from bot.table.characters.character_files import LARGEST_PORTRAIT, SIDE
from bot.table.characters.personal_data import FORMER, StoredAbout
from bot.table.gm import gm as gm_actions
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal
from bot.table.journal.verify import export_lines, verify
from bot.table.play import play
from bot.table.sessions import endings, meetings, sessions
from bot.table.sessions.meetings import Coming
from tests.databases import on_both_engines
from tests.table.conftest import HOME, Person
from tests.table.counting import everything
from tests.table.toy import TOY

ALICE, WORDS = 200_000_000_000_000_001, "Alyssa Canary"


@pytest.fixture
def alice(ada: Person) -> Person:
    """Alice with an id as Discord gives them, and a name that nothing else has."""
    return replace(ada, id=ALICE, name=WORDS)


@pytest.fixture
async def played(table: Table, gm: Person, alice: Person, bo: Person) -> Table:
    """A campaign in which Alice plays Ada, has begun another, and is a GM."""
    await campaigns.create(table, gm.asks(), "toy", "The Long Road")
    await characters.take_ready_made(table, alice.asks(), "Ada")
    await characters.take_ready_made(table, bo.asks(), "Bo")
    await campaigns.set_gm(table, gm.asks(), alice.id, alice.name, is_gm=True)
    await sessions.start(table, alice.asks())
    await play.perform(table, alice.asks(), "check", {})
    await play.perform(table, bo.asks(), "check", {})
    await gm_cases.award(table, alice.asks(), "Luck", -1, ["Bo"])
    return table


def whole_text(table: Table) -> str:
    """Everything in the database, as text."""
    return repr(everything(table))


async def entries(table: Table) -> list[EntryRecord]:
    campaign = (await table.store.read(lambda reader: reader.campaigns(HOME)))[0].id
    return await table.store.read(lambda reader: reader.entries(HOME, campaign, newest_first=False))


async def exported(table: Table, who: Person, tmp_path: Path) -> Path:
    path = tmp_path / "journal.jsonl"
    path.write_text("".join([line async for line in export_lines(table, who.asks())]))
    return path


class TestReading:
    async def test_everything_about_a_person_is_counted(self, played: Table, alice: Person) -> None:
        about = await personal_data.stored_about(played, alice.asks())

        assert about == StoredAbout(names=(WORDS,), characters=("Ada",), entries=4, gm_of=("The Long Road",))

    async def test_somebody_who_did_nothing_here_finds_nothing(
        self, played: Table, neighbour: Person, alice: Person
    ) -> None:
        elsewhere = replace(alice, server=neighbour.server)

        assert (await personal_data.stored_about(played, elsewhere.asks())).is_nothing
        assert json.loads(await personal_data.personal_file(played, elsewhere.asks()))["campaigns"] == []

    async def test_the_file_has_ones_own_sheet_and_dice_and_nobody_elses(
        self, played: Table, alice: Person, bo: Person
    ) -> None:
        file: dict[str, Any] = json.loads(await personal_data.personal_file(played, alice.asks()))

        (campaign,) = file["campaigns"]
        assert (file["person"], file["display_names"]) == (str(ALICE), [WORDS])
        assert [one["name"] for one in campaign["characters"]] == ["Ada"]
        assert [one["kind"] for one in campaign["journal"]] == [
            "character.create",
            "session.start",
            "play.check",
            "gm.award",
        ]
        assert campaign["journal"][2]["rolls"][0]["dice"][0]["sides"] == 6

    async def test_what_only_a_gm_may_read_is_not_in_a_players_file(
        self, played: Table, gm: Person, alice: Person
    ) -> None:
        await gm_cases.make_npc(played, alice.asks(), "Canary Fiend", is_hidden=True)
        await campaigns.set_gm(played, gm.asks(), alice.id, alice.name, is_gm=False)

        file = (await personal_data.personal_file(played, gm.asks())).decode()

        assert "Canary Fiend" not in file

    async def test_a_campaign_of_a_game_that_is_gone_does_not_hide_the_rest(
        self, played: Table, alice: Person
    ) -> None:
        file = json.loads(await personal_data.personal_file(replace(played, games={}), alice.asks()))

        assert [one["name"] for one in file["campaigns"][0]["characters"]] == ["Ada"]
        assert file["campaigns"][0]["journal"] == []


@on_both_engines
class TestRemoval:
    async def test_nothing_names_the_person_any_more(self, played: Table, alice: Person, gm: Person) -> None:
        done = (await entries(played))[-1]
        await journal.undo(played, gm.asks(), done.id, is_sure=True)
        assert f"undoes: {WORDS}" in whole_text(played)

        about = await personal_data.forget(played, alice.asks())

        assert about.characters == ("Ada",)
        left = whole_text(played)
        assert str(ALICE) not in left
        assert WORDS not in left
        assert f"undoes: {FORMER} takes 1 Luck" in left
        assert (await personal_data.stored_about(played, alice.asks())).is_nothing

    async def test_the_character_retires_and_nobody_plays_it(
        self, played: Table, alice: Person, gm: Person
    ) -> None:
        await personal_data.forget(played, alice.asks())

        with pytest.raises(UserError, match="You have no character here"):
            await play.perform(played, alice.asks(), "check", {})
        await characters.take_ready_made(played, alice.asks(), "Ada")

    async def test_others_keep_everything(self, played: Table, alice: Person, bo: Person) -> None:
        before = await personal_data.personal_file(played, bo.asks())
        await personal_data.forget(played, alice.asks())

        assert json.loads(await personal_data.personal_file(played, bo.asks())) == json.loads(before)

    async def test_undo_and_its_undo_go_on_working(
        self, played: Table, alice: Person, gm: Person, bo: Person
    ) -> None:
        await personal_data.forget(played, alice.asks())
        found = {one.kind: one.id for one in await entries(played)}
        found_in = (await entries(played))[0].campaign

        await journal.undo(played, gm.asks(), found["gm.award"], is_sure=True)
        await journal.undo(played, gm.asks(), found["privacy.delete"], is_sure=True)
        again = await journal.undo(played, gm.asks(), found["campaign.gm"], is_sure=True)

        assert isinstance(again, journal.Undone)
        (bos,) = await played.store.read(lambda reader: reader.characters(HOME, found_in, owner=bo.id))
        assert bos.resources["luck"][0] == 2

    async def test_an_export_still_verifies(
        self, played: Table, alice: Person, gm: Person, tmp_path: Path
    ) -> None:
        await endings.end(played, gm.asks())
        await personal_data.forget(played, alice.asks())

        report = verify(await exported(played, gm, tmp_path), {"toy": TOY})

        assert report.faults == []
        assert (report.rolls, report.passed) == (2, 2)

    async def test_two_presses_at_once_remove_once(self, played: Table, alice: Person) -> None:
        done = await asyncio.gather(*(personal_data.forget(played, alice.asks()) for _ in range(3)))

        assert sorted(one.is_nothing for one in done) == [False, True, True]
        assert [one.kind for one in await entries(played)].count("privacy.delete") == 1

    async def test_somebody_without_a_character_leaves_no_trace_either(
        self, played: Table, gm: Person
    ) -> None:
        passer = replace(gm, id=ALICE + 5, name="Walter Canary")
        await play.perform(played, passer.asks(), "omen", {"text": "dark"})

        await personal_data.forget(played, passer.asks())

        assert "Walter Canary" not in whole_text(played)
        assert str(passer.id) not in whole_text(played)

    async def test_a_name_that_a_character_has_too_stays_in_the_story(
        self, table: Table, gm: Person, alice: Person
    ) -> None:
        named = replace(alice, name="Ada")
        await campaigns.create(table, gm.asks(), "toy", "The Long Road")
        await characters.take_ready_made(table, named.asks(), "Ada")
        await play.perform(table, named.asks(), "check", {})

        await personal_data.forget(table, named.asks())

        check = next(one for one in await entries(table) if one.kind == "play.check")
        assert (check.told["who"], check.person_name) == ("Ada", FORMER)
        assert check.person < 1000

    async def test_an_answer_to_a_planned_session_is_told_and_removed(
        self, table: Table, gm: Person, alice: Person
    ) -> None:
        await campaigns.create(table, gm.asks(), "toy", "The Long Road")
        evening = table.now() + 3600
        await meetings.plan(table, gm.asks(), "Friday", evening)
        await meetings.answer(table, alice.asks(), evening, Coming.YES)

        assert (await personal_data.stored_about(table, alice.asks())).answers == 1
        file = json.loads(await personal_data.personal_file(table, alice.asks()))
        assert file["campaigns"][0]["planned_session"]["answer"] == "yes"
        await personal_data.forget(table, alice.asks())

        assert str(ALICE) not in whole_text(table)
        assert WORDS not in whole_text(table)


ROOT = Path(__file__).parents[3]
RED, BLUE = (200, 30, 30), (30, 30, 200)


def a_picture(size: tuple[int, int] = (40, 30), kind: str = "PNG", **options: object) -> bytes:
    """A red picture as a file."""
    file = io.BytesIO()
    Image.new("RGB", size, RED).save(file, kind, **options)
    return file.getvalue()


def a_moving_picture() -> bytes:
    """A picture that is red first and blue later."""
    file = io.BytesIO()
    later = Image.new("RGB", (40, 30), BLUE)
    Image.new("RGB", (40, 30), RED).save(file, "GIF", save_all=True, append_images=[later])
    return file.getvalue()


def noise(side: int) -> bytes:
    """A picture that hardly gets smaller when it is compressed."""
    state, bits = 1, bytearray()
    for _ in range(side * side * 3):
        state = (state * 1103515245 + 12345) % 2**31
        bits.append(state >> 16 & 255)
    file = io.BytesIO()
    Image.frombytes("RGB", (side, side), bytes(bits)).save(file, "PNG")
    return file.getvalue()


def a_bomb(width: int, height: int = 0) -> bytes:
    """A tiny PNG that says it is enormous."""

    def part(name: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        )

    head = struct.pack(">IIBBBBB", width, height or width, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", b"x") + part(b"IEND", b"")


def portrait_of(content: bytes) -> bytes:
    return small_picture(content, SIDE, LARGEST_PORTRAIT)


def opened(portrait: bytes) -> Image.Image:
    return Image.open(io.BytesIO(portrait))


class TestPictures:
    @pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
    def test_every_usual_kind_of_picture_becomes_a_webp(self, kind: str) -> None:
        portrait = opened(portrait_of(a_picture(kind=kind)))

        assert (portrait.format, portrait.size) == ("WEBP", (40, 30))

    def test_a_large_picture_becomes_at_most_512_pixels_wide_and_high(self) -> None:
        assert opened(portrait_of(a_picture((3000, 2000)))).size == (512, 341)

    def test_metadata_is_dropped_and_a_turned_photo_stands_upright(self) -> None:
        exif = Image.Exif()
        exif[0x0112] = 6  # turned by a quarter
        exif[0x010E] = "taken at home"

        portrait = portrait_of(
            a_picture((60, 20), "JPEG", exif=exif.tobytes(), icc_profile=b"secret profile")
        )

        assert opened(portrait).size == (20, 60)
        assert b"taken at home" not in portrait
        assert b"secret profile" not in portrait

    def test_a_moving_picture_gives_its_first_frame(self) -> None:
        portrait = opened(portrait_of(a_moving_picture()))

        assert getattr(portrait, "n_frames", 1) == 1
        red, _green, blue = portrait.convert("RGB").resize((1, 1)).tobytes()
        assert red > 150 > 100 > blue

    def test_even_noise_becomes_a_small_file(self) -> None:
        assert len(portrait_of(noise(512))) <= LARGEST_PORTRAIT

    @pytest.mark.parametrize(
        ("content", "what"),
        [
            (b"", "I can't read this picture."),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "I can't read this picture."),
            (a_picture()[:60], "I can't read this picture."),
            (a_picture(kind="BMP"), "I can't read this picture."),
            (a_bomb(5000), "This picture has too many pixels (5000 × 5000 pixels)."),
            (a_bomb(60_000), "This picture has too many pixels."),
            (a_bomb(1, 24_000_000), "This picture is too long (1 × 24000000 pixels)."),
            (a_bomb(300, 6001), "This picture is too long (300 × 6001 pixels)."),
            (a_bomb(100, 2001), "This picture is too thin (100 × 2001 pixels)."),
            (b" " * (LARGEST_FILE + 1), "This picture is too large (8.0 MiB)."),
        ],
        ids=[
            *("empty", "drawing", "broken", "another kind", "pixels", "bomb", "pole", "tower", "ribbon"),
            "bytes",
        ],
    )
    async def test_what_is_no_picture_or_too_large_is_refused(self, content: bytes, what: str) -> None:
        with pytest.raises(UserError) as told:
            await Pictures().small(content, SIDE, LARGEST_PORTRAIT)

        assert told.value.what == what
        assert told.value.allowed

    @given(
        content=st.binary(max_size=300),
        head=st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff"]),
    )
    def test_random_bytes_are_refused_without_a_crash(self, content: bytes, head: bytes) -> None:
        with pytest.raises(UnreadablePicture):
            portrait_of(head + content)


class TestUploads:
    """F-REL-11, F-REL-16: what pictures take from everybody else."""

    async def test_reading_a_large_picture_takes_no_memory_of_the_bot(self) -> None:
        resource = pytest.importorskip("resource")
        large = a_picture((6000, 4000))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        assert opened(await Pictures().small(large, SIDE, LARGEST_PORTRAIT)).size == (512, 341)

        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000

    async def test_pictures_are_read_one_after_the_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        at_once, most = 0, 0

        async def answer(_content: bytes, _side: int, _largest: int) -> bytes:
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0)
            at_once -= 1
            return b"spicture"

        monkeypatch.setattr(pictures, "_answer", answer)
        reading = Pictures()

        assert await asyncio.gather(*(reading.small(b"x", 1, 1) for _ in range(5))) == [b"picture"] * 5
        assert most == 1

    async def test_a_person_uploads_one_picture_at_a_time(self) -> None:
        reading = Pictures()

        async with reading.upload_of(1), reading.upload_of(2):
            with pytest.raises(UserError, match="still reading your last picture"):
                async with reading.upload_of(1):
                    pass
        async with reading.upload_of(1):
            pass

    async def test_a_picture_that_takes_too_long_is_given_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pictures, "LATEST_SECONDS", 0.0)

        with pytest.raises(UserError, match="can't read this picture"):
            await Pictures().small(a_picture(), SIDE, LARGEST_PORTRAIT)

    @pytest.mark.parametrize(
        "name",
        ["Dockerfile", "compose.yaml", "deploy/tablekeeper.service", "deploy/tablekeeper@.service"],
    )
    def test_the_arenas_of_memory_are_bounded_wherever_the_bot_runs(self, name: str) -> None:
        assert "MALLOC_ARENA_MAX" in (ROOT / name).read_text(encoding="utf-8")


class TestSaving:
    async def test_a_portrait_is_saved_replaced_and_removed(self, game: Table, ada: Person) -> None:
        who = (await characters.sheet(game, ada.asks(), None)).id

        assert not await portraits.has_portrait(game, ada.asks(), who)
        await portraits.save_portrait(game, ada.asks(), who, a_picture())
        first = (await characters.sheet(game, ada.asks(), None)).portrait
        await portraits.save_portrait(game, ada.asks(), who, a_picture((10, 10)))
        second = (await characters.sheet(game, ada.asks(), None)).portrait
        assert await portraits.has_portrait(game, ada.asks(), who)
        await portraits.save_portrait(game, ada.asks(), who, b"")

        assert (opened(first).size, opened(second).size) == ((40, 30), (10, 10))
        assert (await characters.sheet(game, ada.asks(), None)).portrait == b""

    async def test_only_its_player_or_a_gm_can_change_a_portrait(
        self, game: Table, gm: Person, ada: Person, bo: Person
    ) -> None:
        who = (await characters.sheet(game, ada.asks(), None)).id
        before = everything(game)

        with pytest.raises(UserError, match="Ada isn't your character"):
            await portraits.has_portrait(game, bo.asks(), who)
        with pytest.raises(UserError, match="Ada isn't your character"):
            await portraits.save_portrait(game, bo.asks(), who, a_picture())

        assert everything(game) == before
        await portraits.save_portrait(game, gm.asks(), who, a_picture())
        assert await portraits.has_portrait(game, ada.asks(), who)

    async def test_a_portrait_travels_with_the_character_file(self, game: Table, ada: Person) -> None:
        who = (await characters.sheet(game, ada.asks(), None)).id
        await portraits.save_portrait(game, ada.asks(), who, a_picture())
        _, content = await character_files.export(game, ada.asks(), None)

        await character_files.import_(game, ada.asks(), content, "Abe")

        assert opened((await characters.sheet(game, ada.asks(), "Abe")).portrait).size == (40, 30)

    @pytest.mark.parametrize(
        ("portrait", "what"),
        [
            ("no base64!", "I can't read the portrait in this file."),
            (base64.b64encode(b"no picture").decode(), "I can't read this picture."),
        ],
    )
    async def test_a_file_with_a_bad_portrait_is_refused(
        self, game: Table, ada: Person, portrait: str, what: str
    ) -> None:
        _, content = await character_files.export(game, ada.asks(), None)
        before = everything(game)

        with pytest.raises(UserError) as told:
            await character_files.import_(
                game, ada.asks(), json.dumps(json.loads(content) | {"portrait": portrait}).encode(), "Abe"
            )

        assert told.value.what == what
        assert everything(game) == before

    async def test_deleting_the_servers_data_deletes_portraits(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        who = (await characters.sheet(game, ada.asks(), None)).id
        await portraits.save_portrait(game, ada.asks(), who, a_picture())

        await gm_actions.purge(game, gm.asks())

        assert everything(game)["portraits"] == []
