"""The real client library over whole connections: layouts, files, shards, outages, rate limits."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import discord
import pytest
from discord import app_commands

from bot.playground.discord import CannotSend, LocalDiscord, Member, Server, Upload
from tests.playground.conftest import running
from tests.playground.sample import Sample

PICTURE = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + b"\0\0\0\x02" + b"\0\0\0\x03" + b"rest"


class Card(discord.ui.LayoutView):
    """Components V2: a container with a text, a gallery and a button beside a text."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        go: discord.ui.Button[Card] = discord.ui.Button(label="Go", custom_id="card:go")
        self.add_item(
            discord.ui.Container(
                discord.ui.TextDisplay("# A card"),
                discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://card.png")),
                discord.ui.Separator(),
                discord.ui.Section("Press", accessory=go),
            )
        )


async def test_a_layout_with_a_picture_is_shown(local: LocalDiscord, server: Server) -> None:
    client = Sample()

    @client.tree.command(description="Show a card")
    async def card(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(
            view=Card(), file=discord.File(io.BytesIO(PICTURE), "card.png")
        )

    async with running(client, local):
        answer = await server.add_member("Alice").slash("card")

    assert answer.message is not None
    (shown,) = answer.message["attachments"]
    assert (answer.text.split("\n")[0], answer.buttons) == ("# A card", ["Go"])
    assert (shown["width"], shown["height"], shown["content_type"]) == (2, 3, "image/png")
    gallery = answer.message["components"][0]["components"][1]
    assert gallery["items"][0]["media"]["url"] == shown["url"]
    assert local.breaches == []


async def test_an_edit_replaces_the_picture_of_an_embed(local: LocalDiscord, server: Server) -> None:
    client = Sample()

    @client.tree.command(description="Draw twice")
    async def draw(interaction: discord.Interaction) -> None:
        embed = discord.Embed(title="Draft").set_image(url="attachment://a.png")
        await interaction.response.send_message(embed=embed, file=discord.File(io.BytesIO(b"one"), "a.png"))
        final = discord.Embed(title="Final").set_image(url="attachment://b.png")
        picture = discord.File(io.BytesIO(b"two"), "b.png")
        await interaction.edit_original_response(embed=final, attachments=[picture])

    async with running(client, local):
        answer = await server.add_member("Alice").slash("draw")
        await local.until(lambda: answer.text == "Final")
        assert answer.message is not None
        url = answer.message["embeds"][0]["image"]["url"]
        content = await client.http.get_from_cdn(url)

    assert (content, local.breaches) == (b"two", [])


async def test_an_outage_is_resumed_without_loss(local: LocalDiscord, sample: Sample, server: Server) -> None:
    member = server.members[1]
    await local.drop_connections(resumable=True)
    answer = await member.slash("say", text="During the outage")

    assert (answer.text, local.gateway.resumes, local.gateway.identifies) == ("During the outage", 1, 1)


async def test_a_lost_session_is_started_again(local: LocalDiscord, server: Server) -> None:
    client = Sample()
    client.before_identify_hook = no_wait  # type: ignore[method-assign]  # the library waits five seconds
    async with running(client, local):
        await local.drop_connections(resumable=False)
        await local.connected()
        answer = await server.add_member("Alice").slash("say", text="Back again")

    assert (answer.text, local.gateway.identifies) == ("Back again", 2)


async def no_wait(shard_id: int | None, *, initial: bool = False) -> None:
    """Identify at once."""


async def test_two_shards_serve_their_servers(server: Server, local: LocalDiscord) -> None:
    other = local.add_server("Other")
    while (other.id >> 22) % 2 == (server.id >> 22) % 2:
        other = local.add_server("Other")
    client = Sample(shard_count=2)
    client.before_identify_hook = no_wait  # type: ignore[method-assign]  # the library waits five seconds
    async with running(client, local):
        texts = [(await place.owner.slash("say", text=place.name)).text for place in (server, other)]
        shards = {guild.id: guild.shard_id for guild in client.guilds}

    assert texts == ["Table", "Other"]
    assert shards == {one.id: (one.id >> 22) % 2 for one in local.servers}
    assert shards[server.id] != shards[other.id]


@pytest.mark.parametrize(("status", "retry_after"), [(429, 0.05), (502, None)])
async def test_the_library_retries_after_a_passing_failure(
    local: LocalDiscord, sample: Sample, server: Server, status: int, retry_after: float | None
) -> None:
    local.fail_next("POST /interactions", status, retry_after=retry_after)
    answer = await server.members[1].slash("say", text="Hello")

    assert (answer.text, local.breaches) == ("Hello", [])


async def test_events_and_voice_reach_the_client(local: LocalDiscord, server: Server) -> None:
    client = Sample()
    heard: asyncio.Queue[str] = asyncio.Queue()

    @client.event
    async def on_voice_state_update(
        member: discord.Member, before: discord.VoiceState, after: discord.VoiceState
    ) -> None:
        heard.put_nowait(f"{member.display_name}: {before.channel} -> {after.channel}")

    @client.event
    async def on_scheduled_event_update(
        before: discord.ScheduledEvent, after: discord.ScheduledEvent
    ) -> None:
        heard.put_nowait(f"{after.name}: {before.status.name} -> {after.status.name}")

    async with running(client, local):
        alice, parlour = server.add_member("Alice"), server.add_channel("parlour", "voice")
        server.join_voice(alice, parlour)
        said = [await heard.get()]
        server.leave_voice(alice)
        said.append(await heard.get())
        event = server.schedule_event("Tea", channel=parlour)
        server.start_event(event)
        said.append(await heard.get())
        server.end_event(event)
        said.append(await heard.get())

    assert said == [
        "Alice: None -> parlour",
        "Alice: parlour -> None",
        "Tea: scheduled -> active",
        "Tea: active -> completed",
    ]


async def test_the_client_knows_permissions_roles_and_threads(local: LocalDiscord, server: Server) -> None:
    client = Sample()

    @client.tree.command(description="Who am I")
    @app_commands.default_permissions(manage_guild=True)
    async def whoami(interaction: discord.Interaction) -> None:
        assert isinstance(interaction.user, discord.Member)
        rights = (interaction.permissions.manage_guild, interaction.user.guild_permissions.manage_guild)
        where = type(interaction.channel).__name__
        await interaction.response.send_message(f"{interaction.user.display_name} {rights} {where}")

    async with running(client, local):
        gwen = server.add_member(
            "Gwen", server.everyone.permissions | discord.Permissions(manage_guild=True).value
        )
        thread = server.add_channel("scene", "thread", parent=server.channels[0])
        answer = await gwen.slash("whoami", channel=thread)

    assert answer.text == "Gwen (True, True) Thread"


async def test_a_slash_command_is_answered(local: LocalDiscord, sample: Sample, alice: Member) -> None:
    answer = await alice.slash("say", text="Hello")

    assert answer.text == "Hello"
    assert not answer.ephemeral
    assert answer.failed is None
    assert local.breaches == []


async def test_an_ephemeral_answer_is_seen_by_its_addressee_only(
    sample: Sample, alice: Member, bob: Member
) -> None:
    answer = await alice.slash("say", text="Hush", secret=True)

    assert answer.ephemeral
    assert [message["content"] for message in alice.sees()] == ["Hush"]
    assert bob.sees() == []


async def test_a_board_of_buttons_a_menu_and_a_form_is_used(
    sample: Sample, alice: Member, bob: Member
) -> None:
    board = await alice.slash("board")
    await alice.press(board, "Count")
    counted = await bob.press(board, "count")
    assert counted.text.startswith("Pressed 2 times")
    assert counted.buttons == ["Count", "Ask", "Never", "Later"]
    assert len(bob.sees()) == 1

    with pytest.raises(CannotSend, match="disabled"):
        await alice.press(board, "Never")
    assert (await alice.press(board, "Later")).text.startswith("Done later")
    assert (await alice.select(board, "Pick", "One", "three")).text == "one three"

    opened = await alice.press(board, "Ask")
    assert opened.modal is not None
    assert opened.modal["title"] == "A question"
    assert (await alice.submit(opened, full_name="Ada", Colour="Blue")).text == "Ada likes Blue"


async def test_the_first_follow_up_after_a_deferral_is_the_answer(sample: Sample, alice: Member) -> None:
    answer = await alice.slash("think")
    await alice.discord.until(lambda: answer.followups)

    assert answer.ephemeral
    assert answer.text == "thought\nand more"


async def test_people_roles_channels_and_files_are_picked(
    sample: Sample, server: Server, alice: Member, bob: Member
) -> None:
    role = server.add_role("Cook")
    letter = Upload("letter.txt", b"Dear maid", "text/plain")
    answer = await alice.slash(
        "things", person=bob, role=role, room=server.channels[0], file=letter, amount=3
    )

    assert answer.message is not None
    assert answer.message["content"] == "Bob Cook table Dear maid 3"
    assert answer.message["embeds"][0]["image"]["url"].endswith("/a.png")
    assert answer.message["attachments"] == []


async def test_an_option_completes(sample: Sample, alice: Member) -> None:
    offered = await alice.autocomplete("word", "start", "ma")

    assert offered == [{"name": "Maid", "value": "maid"}, {"name": "Magic", "value": "magic"}]


async def test_the_real_library_gets_the_person_and_the_message(
    sample: Sample, local: LocalDiscord, alice: Member, bob: Member
) -> None:
    who = await alice.use("Who is this?", bob)
    spoken = await bob.slash("say", text="Good evening")
    aloud = await alice.use("Read aloud", spoken)

    assert who.text == "Bob, in Table"
    assert aloud.text == "tablekeeper says: Good evening"
    assert (local.breaches, sample.errors) == ([], [])


@pytest.mark.contract
class TestDescription:
    async def test_the_librarys_requests_fit_discords_description(self, discord_spec: Path) -> None:
        async with LocalDiscord(spec=discord_spec) as local:
            server = local.add_server("Table")
            alice = server.add_member("Alice")
            async with running(Sample(), local):
                board = await alice.slash("board")
                await alice.submit(await alice.press(board, "Ask"), full_name="Ada", colour="Red")
                await alice.slash("things", person=alice)
                await alice.slash("think")
                await alice.autocomplete("word", "start", "ma")

        assert local.breaches == []

    async def test_a_request_that_does_not_fit_the_description_is_a_breach(self, discord_spec: Path) -> None:
        async with LocalDiscord(spec=discord_spec) as local:
            local.add_server("Table")
            assert local.description is not None
            found = local.description.problem("POST", "/channels/5/messages", {"content": 5})
            unknown = local.description.problem("POST", "/channels/5/tea", None)

        assert found is not None
        assert found.startswith("POST /channels/{channel_id}/messages: $.content:")
        assert unknown == "Discord describes no operation POST /channels/5/tea"

    async def test_ids_fit_as_numbers_and_as_digits(self, discord_spec: Path) -> None:
        async with LocalDiscord(spec=discord_spec) as local:
            assert local.description is not None
            found = {
                given: local.description.problem("POST", "/channels/5/messages", {"sticker_ids": [given]})
                for given in (7, "7", "seven", True)
            }

        assert [found[7], found["7"]] == [None, None]
        assert all(
            (problem or "").startswith("POST /channels/{channel_id}/messages: $.sticker_ids[0]:")
            for problem in (found["seven"], found[True])
        )
