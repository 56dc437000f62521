"""The playground's people: a GM and two players at a table, and somebody in another server."""

from __future__ import annotations

from dataclasses import dataclass

from bot.playground.discord.local import LocalDiscord
from bot.playground.discord.members import Member
from bot.playground.discord.payloads import Payload
from bot.playground.discord.permissions import Permission
from bot.playground.discord.servers import Channel, ChannelType, EventStatus, ScheduledEvent, Server


@dataclass(frozen=True, slots=True)
class Cast:
    """The servers, and the people you can act as.

    Attributes:
        servers: The table first.
        people: In the order of the page's switch.
        titles: What somebody is at the table, by user id.
    """

    servers: tuple[Server, ...]
    people: tuple[Member, ...]
    titles: dict[int, str]

    def person(self, user_id: str | None) -> Member | None:
        """The person with this id."""
        return next((person for person in self.people if str(person.id) == user_id), None)

    def channel_of(self, person: Member, channel_id: str) -> Channel | None:
        """A channel of the person's own server that the person may see."""
        for channel in person.server.channels:
            if str(channel.id) == channel_id and may_see(person, channel):
                return channel
        return None


def gather(discord: LocalDiscord) -> Cast:
    """Create the servers, their channels and the people."""
    table = discord.add_server("The Round Table")
    for name in ("side-quest", "talk"):
        table.add_channel(name)
    table.add_channel("voice", ChannelType.VOICE)
    players = table.add_role("Players")
    gm = table.owner
    gm.name = "GM"
    alice = table.add_member("Alice", roles=(players,))
    bob = table.add_member("Bob", roles=(players,))
    elsewhere = discord.add_server("Elsewhere")
    elsewhere.add_channel("talk")
    mallory = elsewhere.owner
    mallory.name = "Mallory"
    titles = {gm.id: "Owner", alice.id: "Player", bob.id: "Player", mallory.id: "Owner"}
    return Cast((table, elsewhere), (gm, alice, bob, mallory), titles)


def may_see(person: Member, channel: Channel) -> bool:
    """Whether the person sees the channel at all."""
    return channel.server is person.server and bool(person.permissions_in(channel) & Permission.VIEW_CHANNEL)


def world_of(person: Member, cast: Cast) -> Payload:
    """What the page shows as this person: their own server in full, the others by name."""
    return {
        "me": str(person.id),
        "people": [_person(one) for one in cast.people],
        "servers": [_server(server, person, cast) for server in cast.servers],
    }


def _person(person: Member) -> Payload:
    return {
        "id": str(person.id),
        "name": person.name,
        "server": str(person.server.id),
        "owner": person is person.server.owner,
        "may_run_events": bool(person.permissions & Permission.MANAGE_EVENTS),
        "permissions": str(int(person.permissions)),
    }


def _event(event: ScheduledEvent) -> Payload:
    return {
        "id": str(event.id),
        "name": event.name,
        "starts": int(event.starts_at),
        "is_active": event.status is EventStatus.ACTIVE,
    }


def _server(server: Server, person: Member, cast: Cast) -> Payload:
    brief: Payload = {"id": str(server.id), "name": server.name}
    if server is not person.server:
        return brief
    application = server.discord.application
    shown = [channel for channel in server.channels if channel.type is not ChannelType.CATEGORY]
    bot: Payload = {"id": str(application.user_id), "name": application.name, "bot": True}
    return brief | {
        "channels": [
            {"id": str(channel.id), "name": channel.name, "type": channel.type.number}
            for channel in shown
            if may_see(person, channel)
        ],
        "voice": [
            {"person": str(member.id), "channel": str(channel.id)} for member, channel in server.voice.items()
        ],
        "events": [_event(event) for event in server.events if not event.is_over],
        "roles": [{"id": str(role.id), "name": role.name} for role in server.roles],
        "members": [
            *(
                {
                    "id": str(member.id),
                    "name": member.name,
                    "bot": False,
                    "title": cast.titles.get(member.id, ""),
                }
                for member in server.members
            ),
            bot,
        ],
    }
