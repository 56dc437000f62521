"""The sheet's controls and a restart of the bot."""

from tests.databases import on_both_engines
from tests.e2e.opening import ALICES, open_play
from tests.e2e.people import gather
from tests.e2e.table import Table


@on_both_engines
async def test_the_controls_of_a_sheet_and_again_work_after_a_restart(table: Table) -> None:
    party = gather(table.discord)
    await open_play(party)
    alice = party.alice
    await alice.types("/sheet")
    await alice.presses("Check …")

    await table.restart()

    await alice.chooses("Roll …", "Str + Dex: d6 and d20 +2", hears=["Last: checks Str + Dex", "[Again]"])

    await table.restart()

    await alice.presses("Again", hears=f"**{ALICES}** checks Str + Dex")


async def test_a_favorite_and_its_button_are_there_after_a_restart(house: Table) -> None:
    party = gather(house.discord)
    await open_play(party)
    alice = party.alice
    await alice.types("/maid check first:Str second:Dex needed:15")
    await alice.types("/favorite save:Leap", hears="Saved **Leap**")
    await alice.types("/sheet", hears="[★ Leap]")

    await house.restart()

    await alice.presses("★ Leap", hears=["Last: checks Str + Dex", "chance was 58%"])
    await alice.types("/favorite use:Leap", hears="chance was 58%")
