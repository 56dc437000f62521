"""RPJ Core's commands offer the names of whatever is in the channel's fight or battle."""

from __future__ import annotations

from tests.e2e.people import gather
from tests.e2e.table import Room
from tests.e2e.test_rpj_fight import drawn
from tests.e2e.test_rpj_making import open_fantasy

REGIONS = ["Gate", "Yard", "Hall"]


async def test_f_opt_18_commands_offer_regions_cover_and_hidden_mooks_of_the_fight(room: Room) -> None:
    party = await drawn(room)
    gwen, alice, _bob = party.everybody
    for line in ("fight move", "fight place", "gm-fight mooks", "gm-fight mook-move", "fire overwatch"):
        assert await gwen.is_offered(f"/rpj-{line}", "region") == REGIONS
    assert await alice.is_offered("/rpj-gm-fight fire cover", "region", "ya") == ["Yard"]
    assert await alice.is_offered("/rpj-fire raze", "cover") == ["car"]
    assert await gwen.is_offered("/rpj-gm-fight fire uncover", "cover", "c") == ["car"]
    assert "Pistol" in await alice.is_offered("/rpj-fire give", "theirs")

    await gwen.types("/rpj-gm-fight mooks name:Archer count:2 attack:1 defense:7 hidden:True", hears="Archer")

    assert await gwen.is_offered("/rpj-gm-fight reveal", "who") == ["Archer"]
    assert await alice.is_offered("/rpj-gm-fight reveal", "who") == []


async def test_f_opt_18_commands_offer_the_sides_of_a_battle_and_what_a_condition_can_forbid(
    room: Room,
) -> None:
    party = gather(room.discord)
    gwen, alice, _bob = party.everybody
    await open_fantasy(party)
    assert await gwen.is_offered("/rpj-fight move", "region") == []
    for pack in ("mass_combat", "conditions"):
        await gwen.types(f"/campaign settings setting:{pack} value:yes", hears="yes")
    await gwen.types("/rpj-gm-fight mass start own:Heroes own_people:40 enemy:Rebels enemy_people:60")

    for line, option in (("works", "attacker"), ("side", "side"), ("kills", "side")):
        assert await gwen.is_offered(f"/rpj-gm-fight mass {line}", option) == ["Heroes", "Rebels"]
    assert await alice.is_offered("/rpj-mass contribute", "side", "reb") == ["Rebels"]
    forbids = "/rpj-gm condition make"
    assert await gwen.is_offered(forbids, "forbids", "s") == ["sight", "senses", "speech", "hands", "attacks"]
    assert await gwen.is_offered(f"{forbids} forbids:sight, sp", "forbids", "sight, sp") == ["sight, speech"]


async def test_f_opt_22_the_gm_can_set_the_distance_and_start_round_1(room: Room) -> None:
    party = gather(room.discord)
    gwen, alice, bob = party.everybody
    alices, _bobs = await open_fantasy(party)
    await alice.types("/encounter start", hears=["about 180 yards apart", "[GM …]"])
    await bob.types("/encounter join")
    await gwen.types("/rpj-gm-fight mooks name:Guard attack:1 defense:7 damage:1", hears="Guard")

    await alice.presses("GM …", hears="Only a GM can do that")
    await gwen.presses("Start within 60 yards", hears=["lays out the battlefield", "about 60 yards"])
    await alice.types("/encounter next", hears="initiative")
    await alice.types("/encounter next", hears="Only a GM can start the first round.")
    begun = await gwen.types("/encounter next", hears="round 1")

    assert not begun.ephemeral
    placed = await gwen.types("/encounter status", hears="Guard")
    assert placed.message is not None
    assert "Region 2" in placed.message["attachments"][0]["description"]
    assert "Region 3" not in placed.text
    await gwen.types(f"/rpj-fight place who:{alices} region:2", hears="Region 2")


async def test_f_opt_07_one_setting_shows_and_switches_all_optional_rules(room: Room) -> None:
    party = gather(room.discord)
    gwen, alice, _bob = party.everybody
    await open_fantasy(party)
    await gwen.types("/gm module show", hears=["Optional rules on", "Off\\: Conditions, Damage scales"])
    packs = "/campaign settings setting:packs"
    await gwen.types(packs, hears=["### Optional rules: fights", "**Fire and Movement:** off"])

    await alice.types(f"{packs} value:money", hears="Only a GM can do that")
    await gwen.types(
        f"{packs} value:money, dragons", hears="optional rule “dragons”. The optional rules\\: conditions"
    )
    await gwen.types(
        f"{packs} value:Fire and Movement, money", hears="packs none → fire\\_and\\_movement, money"
    )

    await gwen.types("/gm module show", hears=["on\\: Fire and Movement, Money", "Off\\: Conditions"])
    await gwen.types("/campaign settings setting:money", hears=["**Money:** on", "running costs"])
    await alice.types("/rpj-gear shop", hears="Coin")
    await gwen.types("/undo", hears="undoes")
    await gwen.types("/campaign settings setting:money", hears="**Money:** off")
    await gwen.types("/campaign settings setting:inventory value:yes")
    await gwen.types(f"{packs} value:none", hears="packs inventory → none")
    await gwen.types(f"{packs} value:default", hears="changes a setting")
    await gwen.types("/campaign settings setting:money", hears="**Money:** off")
