"""F-ALL-34: what becomes of a fight when the session ends, in every game."""

import pytest

from bot.playground.discord import read
from bot.rules import rulesets
from tests.e2e.fighting import board_says, boards
from tests.e2e.opening import open_other
from tests.e2e.people import Party
from tests.e2e.table import Table

GAMES = [one.title for one in rulesets().values()]


async def fight(house: Table, party: Party, game: str) -> None:
    """Open a campaign with a session in which two heroes begin a fight."""
    await open_other(party, game)
    await party.gwen.types("/session start", hears="**Session 1 started**")
    await party.alice.types("/encounter start", hears="starts a fight")
    await party.bob.presses("Join", hears="joins the fight")
    await board_says(house, party)
    await party.gwen.types("/encounter next")


async def recap(house: Table, party: Party) -> str:
    """Wait for the recap that the channel sees, and return it."""

    def shown() -> list[str]:
        posted = house.discord.messages.in_channel(party.server.channels[0])
        return [text for one in posted if "**Session 1 ended**" in (text := read(one.payload))]

    await house.discord.until(lambda: bool(shown()))
    return shown()[-1]


@pytest.mark.parametrize("game", GAMES)
async def test_f_all_34_a_gm_keeps_a_fight_beyond_the_session(house: Table, party: Party, game: str) -> None:
    await fight(house, party, game)

    preview = await party.gwen.types("/session end", hears="**A fight is running** in <#")
    assert {"End both", "Keep the fight"} <= set(preview.buttons)
    assert "End the session" not in preview.buttons
    await party.gwen.presses("Keep the fight", hears="Session 1 has ended.")

    told = await recap(house, party)
    assert "A fight goes on" in told
    assert "Fight:" not in told
    await board_says(house, party)
    await party.gwen.types("/gm encounter end", hears="ends the fight")


@pytest.mark.parametrize("game", GAMES)
async def test_f_all_34_a_gm_ends_a_fight_together_with_the_session(
    house: Table, party: Party, game: str
) -> None:
    await fight(house, party, game)
    await party.gwen.types("/session end", hears="**A fight is running** in <#")

    await party.gwen.presses("End both", hears="Session 1 has ended.")

    assert "The fight ended" in await recap(house, party)
    await house.discord.until(lambda: not boards(house, party))
    await party.gwen.types("/gm encounter end", hears="There is no fight in this channel.")
    await party.gwen.types("/session recap", hears="The fight ended")
    await party.gwen.presses("Undo the reset")
    await board_says(house, party)


async def test_f_all_34_a_fight_that_began_after_the_preview_is_asked_about(
    house: Table, party: Party
) -> None:
    await open_other(party, GAMES[0])
    await party.gwen.types("/session start", hears="**Session 1 started**")
    await party.gwen.types("/session end", hears="Ending session 1")
    await party.alice.types("/encounter start", hears="starts a fight")

    asked = await party.gwen.presses("End the session")

    assert "**A fight is running** in <#" in asked.text
    await party.gwen.types("/session status", hears="session 1")
