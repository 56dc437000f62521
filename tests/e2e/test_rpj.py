"""RPJ Core's mass battles and conditions, and how short the messages of many dice are."""

from __future__ import annotations

import re
from itertools import takewhile

from tests.e2e.opening import switch_briefly
from tests.e2e.people import Party, everything_of, gather, is_whole
from tests.e2e.table import Room, Table
from tests.e2e.test_asking import sees
from tests.e2e.test_rpj_making import open_fantasy


async def test_a_mass_battle_is_played_through_a_restart(house: Table) -> None:
    party = gather(house.discord)
    gwen, alice, _bob = party.everybody
    alices, bobs = await open_fantasy(party)
    await switch_briefly(party, "mass_combat", "rpj-mass contribute")
    await alice.types("/rpj-mass contribute", hears=["doesn't use Mass combat", "mass\\_combat"])
    await gwen.types("/campaign settings setting:mass_combat value:yes", hears="yes")

    await gwen.types(
        "/rpj-gm-fight mass start own:Heroes own_people:40 enemy:Rebels enemy_people:60",
        hears=["starts a mass battle", "Heroes ◼◼◼◼◼◼◼ 7 of 7 · −3", "[GM …]"],
    )
    await alice.types(
        "/rpj-gm-fight mass works attacker:Heroes size:1",
        hears="Only a GM can do that",
    )
    await gwen.types(
        "/rpj-gm-fight mass works attacker:Heroes size:1", hears="sets fortifications of strength 1"
    )
    await a_round(house, party, alices, bobs)
    await the_battles_end(party)

    assert is_whole(house.database)


async def a_round(table: Table, party: Party, alices: str, bobs: str) -> None:
    """Both players contribute on one message, the GM rolls once, and a restart changes nothing."""
    gwen, alice, bob = party.everybody
    await alice.chooses("Command Heroes with", "Command")
    await sees(gwen, "starts a mass battle", f"**{alices}**", "against 10+")
    await bob.types("/rpj-mass command", hears="have already had a command check")
    await bob.types("/rpj-mass contribute", hears=[f"**{bobs}** fights for Heroes", "against 13+"])
    await sees(gwen, "starts a mass battle", f"**{alices}**", f"**{bobs}**")
    await table.restart()
    await bob.types("/rpj-mass contribute", hears="You can contribute once per round")
    await alice.presses("GM …", hears="Only a GM can do that")
    rolled = await gwen.presses("Roll round 1")
    await sees(alice, "rolls round 1 of the battle", "against 7+")
    before = played(table, party)
    await table.discord.deliver_again(rolled)
    assert played(table, party) == before


def played(table: Table, party: Party) -> dict[str, object]:
    """Return everything stored of the server except where its messages are."""
    stored = everything_of(table.database, party.server.id)
    return {name: rows for name, rows in stored.items() if name != "boards"}


async def the_battles_end(party: Party) -> None:
    """End the battle by a retreat and roll for the wounded, whatever the first round brought."""
    gwen, _alice, bob = party.everybody
    retreat = await gwen.types("/rpj-gm-fight mass retreat side:Heroes")
    if "The battle is over" not in retreat.text:
        await gwen.heard(retreat, "orders Heroes to retreat")
        await gwen.presses("Roll round 2")
        await sees(bob, "rolls round 2 of the battle")
    await gwen.presses("Roll for the wounded")
    await sees(bob, "rolls for the wounded", "dead, lost or captured")
    await gwen.types("/rpj-gm-fight mass aftermath", hears="have already been rolled")


async def test_a_condition_runs_over_time(house: Table) -> None:
    party = gather(house.discord)
    gwen, alice, _bob = party.everybody
    alices, bobs = await open_fantasy(party)
    await switch_briefly(party, "conditions", "rpj-condition list")
    await alice.types("/rpj-condition list", hears="doesn't use Conditions")
    assert await gwen.is_offered("/rpj-gm condition add", "name", "flu") == []
    await gwen.types("/campaign settings setting:conditions value:yes", hears="yes")
    assert await gwen.is_offered("/rpj-gm condition add", "name", "flu") == ["The Flu"]

    await gwen.types(
        f"/rpj-gm condition add target:{alices} name:Poisoned",
        hears=["threatens", f"[{alices}: resist against 10+", "[GM …]"],
    )
    await alice.presses("GM …", hears="Only a GM can do that")
    await gwen.presses("Apply without a roll")
    await sees(alice, f"**{alices}** has Poisoned")
    await house.restart()
    await gwen.types("/gm time amount:2 unit:minutes", hears=f"Poisoned deals 2 damage to {alices}, 2 times")
    await alice.presses(f"{alices}: save 9+")
    await sees(gwen, "rolls a save against")
    await gwen.types("/undo", hears="Not undone")
    await gwen.presses("Undo all 2")
    await sees(alice, "undoes")
    await gwen.types("/gm time amount:1 unit:minutes", hears=f"Poisoned deals 2 damage to {alices}.")
    await alice.types("/rpj-condition list", hears=["Poisoned \\(harm\\)", "2 damage every 1 min", "CON 10+"])
    await alice.types("/rpj-condition recover name:Poisoned", hears="rolls to recover from Poisoned")
    await alice.types("/rpj-condition recover name:Poisoned", hears="is due in 1 min.")
    await gwen.types(f"/rpj-gm condition remove target:{alices} name:Poisoned", hears="condition Poisoned")
    await gwen.types(
        f"/rpj-gm condition make target:{bobs} name:Gloom checks:-2", hears=["−2 to all checks", "GM only"]
    )
    await party.bob.types("/rpj check skill:Diplomacy", hears="Gloom")

    assert is_whole(house.database)


def lines_of(text: str, headline: str) -> list[str]:
    """Return a message's lines from its headline to above its buttons."""
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if headline in line)
    return list(takewhile(lambda line: not line.startswith("["), lines[first:]))


async def test_f_opt_10_and_17_a_round_of_battle_is_one_short_message_with_its_dice(room: Room) -> None:
    party = gather(room.discord)
    gwen, _alice, _bob = party.everybody
    await open_fantasy(party)
    await gwen.types("/campaign settings setting:mass_combat value:yes", hears="yes")
    await gwen.types("/rpj-gm-fight mass start own:Heroes own_people:60 enemy:Rebels enemy_people:60")
    await gwen.types("/rpj-gm-fight mass kills side:Rebels count:24", hears="markers 10 → 6")

    rolled = await gwen.types("/rpj-gm-fight mass round", hears=["Heroes, battle: ", "[Details]", "[Undo]"])

    lines = lines_of(rolled.text, "rolls round 1 of the battle")
    assert len(lines) <= 8
    for side in ("Heroes", "Rebels"):  # on one line with the rest where the battle goes on
        assert re.search(rf"(^|· ){side}, battle: [^·]*against 7\+", "\n".join(lines), re.MULTILINE)
    await gwen.presses("Details", hears=["Heroes, battle: ", "numbers 4", "Rebels, battle: ", "/fair"])
    await gwen.presses("Undo", hears="Undone")
    await gwen.types("/rpj-gm-fight mass round", hears="rolls round 1 of the battle")


async def test_f_opt_17_rolls_for_the_wounded_fit_in_eight_lines(room: Room) -> None:
    party = gather(room.discord)
    gwen, _alice, _bob = party.everybody
    await open_fantasy(party)
    await gwen.types("/campaign settings setting:mass_combat value:yes", hears="yes")
    await gwen.types("/rpj-gm-fight mass start own:Heroes own_people:60 enemy:Rebels enemy_people:60")
    for side in ("Heroes", "Rebels"):
        await gwen.types(f"/rpj-gm-fight mass kills side:{side} count:48", hears="markers 10 → 2")
        await gwen.types(f"/rpj-gm-fight mass retreat side:{side}", hears="retreat")
    await gwen.types("/rpj-gm-fight mass round", hears="nobody wins")

    counted = await gwen.presses("Roll for the wounded", hears="8 markers lost")

    lines = lines_of(counted.text, "rolls for the wounded")
    assert len(lines) <= 8
    details = await gwen.presses("Details", hears=["Heroes, recovery: ", "Rebels, recovery: "])
    assert details.text.count(", recovery: ") == 16  # eight rolls each


async def test_f_opt_17_a_volley_of_mooks_fits_in_eight_lines(room: Room) -> None:
    party = gather(room.discord)
    gwen, alice, _bob = party.everybody
    alices, _bobs = await open_fantasy(party)
    await alice.types("/encounter start", hears="starts a fight")
    await gwen.types(
        f"/rpj-gm-fight mooks name:Orc count:6 attack:0 defense:8 damage:1 beside:{alices} nonlethal:True",
        hears="Orc ×6",
    )
    await gwen.types("/encounter next")
    await gwen.types("/encounter next", hears="round 1")
    await gwen.types("/encounter next", hears="mooks' turn")

    shot = await gwen.types(f"/rpj-gm-fight mook-attack who:Orc target:{alices} rolls:6", hears="Orc ×6")

    lines = lines_of(shot.text, "attack")
    assert len(lines) <= 8
    dice = [line for line in lines if "Orc 1 " in line]
    assert len(dice) == 1
    for number in range(1, 7):
        assert f"Orc {number} " in dice[0]
