"""What every scene begins with, and what it leaves open besides its fight."""

from __future__ import annotations

from bot.playground.discord import LocalDiscord, read
from tests.e2e.opening import open_campaign
from tests.e2e.people import Actor, Party, gather

SEEN_SECONDS = 20.0


async def opened(discord: LocalDiscord, server: str, game: str, **settings: str) -> Party:
    """Open a campaign with changed settings, an ended first session and a running second one."""
    party = gather(discord, server)
    gwen = party.gwen
    await open_campaign(party, server, game)
    for setting, value in settings.items():
        await gwen.types(f"/campaign settings setting:{setting} value:{value}", hears="changes a setting")
    for offered in await gwen.is_offered("/campaign settings", "setting", "_seconds"):
        if offered.endswith(" = 60"):  # what presses itself after a minute waits an hour, as nobody may hurry
            await gwen.types(f"/campaign settings setting:{offered.split()[0]} value:3600", hears="3600")
    await gwen.types("/session start", hears="started")
    await party.alice.types("/roll expression:4d6kh3 label:the weather", hears="the weather")
    await gwen.types("/session end")
    await gwen.presses("End the session", hears="has ended")
    await gwen.types("/session start", hears="started")
    return party


async def left_open(party: Party, asked: str, *members: str) -> None:
    """Leave a countdown with its board, a requested check with one roll made, and game time passed."""
    gwen, alice, bob = party.everybody
    await gwen.types("/gm time amount:10 unit:minutes", hears="10 min")
    await gwen.types("/gm countdown create name:Alarm kind:success difficulty:4", hears="Alarm")
    await shown(alice, "[+ Alarm]")
    await alice.presses("+ Alarm", hears="Alarm")
    await gwen.types(f"/gm ask {asked} who:{', '.join(members)}", hears="Still to roll")
    await alice.presses(f"{members[0]}: roll", hears=members[0])
    await bob.types("/roll expression:2d6 label:an omen", hears="an omen")


async def shown(who: Actor, fragment: str) -> None:
    """Wait until somebody sees a message with this text."""
    await who.member.discord.until(
        lambda: any(fragment in read(message) for message in who.member.sees()), SEEN_SECONDS
    )


async def board_shown(party: Party, *fragments: str) -> None:
    """Wait until the board of the fight says this."""
    wanted = ("[GM …]", *fragments)

    def texts() -> list[str]:
        return [read(message) for message in party.gwen.member.sees()]

    def is_there() -> bool:
        return any(all(one in text for one in wanted) for text in texts())

    try:
        await party.server.discord.until(is_there, SEEN_SECONDS)
    except TimeoutError:
        raise AssertionError(f"{wanted} not in {texts()[-3:]}{party.transcript.end}") from None


def newcomer(party: Party) -> Actor:
    """Add a person who is about to make a character."""
    return Actor(party.server.add_member("Cara"), party.transcript)
