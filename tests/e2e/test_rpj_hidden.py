"""Hidden foes: only the GM sees where they are and what happens to them, until they are revealed."""

from __future__ import annotations

from bot.playground.discord import read
from tests.e2e.fighting import board_says
from tests.e2e.people import Actor, Party, is_whole
from tests.e2e.table import Room, Table
from tests.e2e.test_rpj_fight import drawn

SECRETS = ("Sniper", "Archer", "Guard", "Brute", "bush")


async def ambush(table: Room) -> tuple[Party, Actor]:
    """Open the shootout of Juno and Rex with a hidden sniper and two hidden archers; Carol watches."""
    party = await drawn(table)
    gwen = party.gwen
    added = [
        await gwen.types("/gm encounter add name:Sniper hidden:True", hears="hides Sniper"),
        await gwen.types(
            "/rpj-gm-fight mooks name:Archer count:2 attack:1 defense:7 range:3 hidden:True",
            hears="hides Archer ×2",
        ),
    ]
    assert all(one.ephemeral for one in added)
    return party, Actor(party.server.add_member("Carol"), party.transcript)


async def knows_nothing(*people: Actor) -> None:
    """Assert that none of them sees, reads or is offered anything about the hidden foes."""
    for one in people:
        seen = [
            (await one.types("/encounter status")).text,
            (await one.types("/log")).text,
            *await one.is_offered("/rpj-fight attack", "target"),
            *await one.is_offered("/rpj-fight place", "who"),
            *await one.is_offered("/rpj-fire raze", "cover"),
            *[read(posted) for posted in one.member.sees()],
        ]
        assert [text for text in seen for secret in SECRETS if secret in text] == []


async def test_f_opt_16_the_gm_can_place_cover_hurt_and_reveal_a_hidden_foe(house: Table) -> None:
    party, carol = await ambush(house)
    gwen, alice, bob = party.everybody
    done = [
        await gwen.types("/rpj-fight place who:Sniper region:Yard", hears="Sniper is in Yard, alone."),
        await gwen.types("/rpj-gm-fight fire cover what:bush behind:Sniper", hears="bush +2/0f in Yard"),
        await gwen.types(
            "/rpj-gm-fight side who:Sniper side:foes", hears="puts Sniper on the side of the foes"
        ),
        await gwen.types("/rpj-gm health harm targets:Sniper damage:2", hears="Sniper"),
        await gwen.types("/encounter status", hears=["Sniper, hidden", "Yard", "bush +2"]),
    ]
    assert all(one.ephemeral for one in done)
    assert "Sniper" in await gwen.is_offered("/rpj-fight place", "who")
    await knows_nothing(alice, bob, carol)
    await board_says(house, party, "Juno acts", lacks="bush")

    hidden = await alice.types(
        "/rpj-fight attack target:Sniper", hears="There is nobody called Sniper in this fight."
    )
    nobody = await alice.types(
        "/rpj-fight attack target:Zyx", hears="There is nobody called Zyx in this fight."
    )
    assert hidden.text.replace("Sniper", "Zyx") == nobody.text
    cover = await alice.types(
        "/rpj-fight move region:Yard beside:bush", hears="There is nobody called bush in this fight."
    )
    assert cover.ephemeral
    refused = await carol.types("/rpj-gm-fight fire cover what:wall behind:Sniper")
    assert (refused.ephemeral, "Sniper" in refused.text) == (True, False)
    reloading = await gwen.types(
        "/rpj-fight task as:Sniper what:wait", hears="Sniper is hidden and has no turns"
    )
    assert reloading.ephemeral

    await house.restart()
    await gwen.types("/gm encounter reveal character:Sniper", hears=["reveals Sniper", "Sniper, initiative"])
    await board_says(house, party, "Juno acts", "Sniper", "bush +2", "bush in Yard, +2 against shots")
    shown = await carol.types("/encounter status", hears=["Sniper", "Yard"])
    assert "Archer" not in shown.text
    order = (await gwen.types("/encounter status")).text
    assert order.index("Juno") < order.index("Rex") < order.index("Drone")
    assert is_whole(house.database)


async def test_f_opt_16_hidden_mooks_move_unnoticed_until_they_attack(room: Room) -> None:
    party, carol = await ambush(room)
    gwen, alice, bob = party.everybody
    early = await gwen.types(
        "/rpj-gm-fight mook-attack who:Archer target:Juno", hears="It isn't the mooks' turn"
    )
    assert early.ephemeral
    await gwen.types("/encounter next", hears="It is Rex's turn.")
    await bob.types("/rpj-fire overwatch region:Yard", hears="watches Yard")
    await gwen.types("/encounter next", hears="mooks' turn")
    moved = await gwen.types(
        "/rpj-gm-fight mook-move who:Archer region:Yard",
        hears=["Archer 1 is in Yard", "The players don't see this."],
    )
    covered = await gwen.types("/rpj-gm-fight fire cover what:bush behind:Archer", hears="bush +2/0f in Yard")
    assert (moved.ephemeral, covered.ephemeral) == (True, True)
    await knows_nothing(alice, bob, carol)
    await board_says(room, party, "Mooks' turn", lacks="bush")

    attack = await gwen.types(
        "/rpj-gm-fight mook-attack who:Archer target:Juno",
        hears="attacks Juno with Archer ×2",
    )
    await gwen.presses("Details", hears="Archer ×2 comes out of hiding in Yard.")

    assert not attack.ephemeral
    await board_says(room, party, "Archer ×2", "bush in Yard, +2 against shots")
    await carol.types("/encounter status", hears=["Archer ×2", "bush +2"])
    assert is_whole(room.database)


async def test_f_opt_16_a_hidden_foe_that_attacks_is_revealed_and_acts_now(room: Room) -> None:
    party, carol = await ambush(room)
    gwen, alice, _bob = party.everybody
    await gwen.types("/rpj-fight place who:Sniper region:Gate beside:Juno", hears="Sniper is in Gate")
    await knows_nothing(alice, carol)

    attack = await gwen.types(
        "/rpj-fight attack as:Sniper target:Rex",
        hears=["Sniper", "attacks Rex"],
    )
    await gwen.presses("Details", hears="Sniper comes out of hiding in Gate and acts now.")

    assert not attack.ephemeral
    await board_says(room, party, "Juno acts", "▶ **Sniper**", lacks="Archer")
    await carol.types("/encounter status", hears=["▶ **Juno**", "▶ **Sniper**"])
    assert is_whole(room.database)


async def test_f_opt_16_a_hidden_mook_with_a_sheet_is_revealed_by_attacking_or_removed_in_secret(
    room: Room,
) -> None:
    party, carol = await ambush(room)
    gwen, alice, _bob = party.everybody
    for name in ("Brute", "Thug"):
        await gwen.types(f"/gm encounter add name:{name} hidden:True mook:True", hears=f"hides {name}")
    gone = await gwen.types("/rpj-gm-fight remove who:Thug", hears="from the fight")
    assert gone.ephemeral
    assert "Thug" not in (await gwen.types("/encounter status", hears="Brute, hidden")).text
    await gwen.types("/rpj-fight place who:Brute region:Gate beside:Juno", hears="Brute is in Gate")
    await gwen.types("/encounter next", hears="It is Rex's turn.")
    await gwen.types("/encounter next", hears="mooks' turn")
    await knows_nothing(alice, carol)

    await gwen.types("/rpj-gm-fight mook-attack who:Brute target:Juno", hears="comes out of hiding in Gate.")

    await board_says(room, party, "Mook")
    assert "Brute" not in (await gwen.types("/encounter status", hears="Archer ×2, hidden")).text
    assert is_whole(room.database)


async def test_f_opt_16_damage_to_a_known_npc_hidden_in_the_fight_stays_secret(room: Room) -> None:
    party, carol = await ambush(room)
    gwen, alice, bob = party.everybody
    await gwen.types("/gm npc name:Guard", hears="Guard")
    await gwen.types("/gm encounter add name:Guard hidden:True", hears="hides Guard")

    hurt = await gwen.types("/rpj-gm health harm targets:Guard damage:2", hears="Guard")
    taken = await gwen.types("/rpj-gm-fight remove who:Archer", hears="removes Archer ×2 from the fight")

    assert (hurt.ephemeral, taken.ephemeral) == (True, True)
    read_log = await carol.types("/log", hears="Guard")
    assert "does" not in read_log.text
    await board_says(room, party, "Juno acts", lacks="Guard")
    for one in (alice, bob):
        assert "Guard" not in await one.is_offered("/rpj-fight attack", "target")
