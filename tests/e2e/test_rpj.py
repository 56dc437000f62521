"""RPJ Core outside fights: mass battles, conditions, shared checks, and the names commands offer."""

from __future__ import annotations

import re
from itertools import takewhile

from tests.e2e.opening import open_other, switch_briefly
from tests.e2e.people import Party, everything_of, gather, is_whole
from tests.e2e.table import Room, Table
from tests.e2e.test_asking import sees
from tests.e2e.test_rpj_fight import drawn
from tests.e2e.test_rpj_making import open_fantasy

GAME = "RPJ Core"
REGIONS = ["Gate", "Yard", "Hall"]


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


async def test_an_evening_of_shared_checks_is_played(house: Table) -> None:
    party = gather(house.discord)
    names = await opening(party)

    await helping(party, *names)
    await opposing(party, *names)
    await house.restart()
    await a_group(party, *names)
    await the_past(party, *names)
    await asking(party, *names)

    assert is_whole(house.database)


async def opening(party: Party) -> tuple[str, str]:
    """Open two ready-made characters, an ogre, and a session that restores Lucky Breaks."""
    await open_other(party, GAME)
    ready = await party.alice.is_offered("/character create", "ready")
    await party.gwen.types("/gm npc name:Ogre", hears="**Ogre** joins the campaign")
    await party.gwen.types("/session start", hears="**Session 1 started**")
    return ready[0], ready[1]


async def helping(party: Party, alices: str, bobs: str) -> None:
    """The helper presses one of two buttons; the main check's button shows its new chance."""
    gwen, alice, bob = party.everybody
    await alice.types(
        f"/rpj-together assisted skill:Athleticism difficulty:5 helper:{bobs}",
        hears=[f"asks for help from {bobs} with Athleticism", "against 12+", f"[{bobs}: help, easy 9+ · "],
    )
    await alice.presses(f"{bobs}: help, easy", hears=f"That button is for {bobs}.")
    await bob.presses(f"{bobs}: help, easy", hears=[f"**{bobs}** · **", f"[{alices}: roll against 1"])
    await alice.presses(f"{alices}: roll against", hears=[f"**{alices}** · **", "Athleticism"])
    text = await sees(gwen, "checks Athleticism with help, against 1", f"**{alices}**", f"**{bobs}**")
    assert "help, easy" not in text


async def opposing(party: Party, alices: str, bobs: str) -> None:
    """An NPC's side is rolled at once; against a player, the GM and that player agree first."""
    gwen, alice, bob = party.everybody
    await alice.types(
        "/rpj-together opposed skill:Concealment target:Ogre deed:sneaks past",
        hears=["sneaks past", "against Ogre"],
    )
    await alice.types(
        f"/rpj-together opposed skill:Concealment target:{bobs} deed:picks a pocket",
        hears=[f"against {bobs}", "talk it through first", "Waiting for"],
    )
    await alice.presses("GM …", hears="Only a GM can do that")
    await gwen.presses("Agree", hears=f"Waiting for {bobs}'s player.")
    await bob.chooses(f"{bobs}: agree", first_choice(bob, bobs), hears="opposes with")
    await alice.presses(f"{alices}: roll against", hears=[f"**{alices}** · **", "opposes with"])

    await bob.types(f"/rpj-together opposed skill:Intimidate target:{alices}", hears="Waiting for")
    await gwen.presses("Refuse …")
    await gwen.writes({"Why not?": "", "What could they do instead?": "Talk to her."}, hears="**not agreed**")
    await bob.types(f"/rpj-together opposed skill:Intimidate target:{alices}", hears="resist · Lucky Breaks")
    await alice.presses(f"{alices}: resist", hears=["resisted\\: no effect", "Lucky Breaks"])


def first_choice(who: object, name: str) -> str:
    """Return the first skill that somebody's menu offers."""
    from bot.playground.discord.payloads import walk_components
    from tests.e2e.people import Actor

    assert isinstance(who, Actor)
    for message in reversed(who.member.sees(None)):
        for one in walk_components(message.get("components")):
            if str(one.get("placeholder", "")).startswith(f"{name}: agree"):
                return str(one["options"][0]["label"])
    raise AssertionError(f"no menu for {name}{who.transcript.end}")


async def a_group(party: Party, alices: str, bobs: str) -> None:
    """Players choose a leader, each rolls with their own button, and the message counts."""
    gwen, alice, bob = party.everybody
    await alice.types(
        f"/rpj-gm group skill:Athleticism members:{alices}",
        hears="Only a GM can do that",
    )
    await gwen.types(
        f"/rpj-gm group skill:Athleticism difficulty:2 members:{alices}, {bobs}",
        hears=["calls for a group check\\: Athleticism", "0 of 2 succeeded, 1 needed"],
    )
    await bob.chooses("Who leads the group?", alices, hears=f"{alices} leads")
    await bob.presses(f"{alices} (leads)", hears=f"That button is for {alices}.")
    await alice.presses(f"{alices} (leads): roll", hears=f"**{alices}** · **")
    await bob.presses(f"{bobs}: roll", hears=[f"**{alices}** · **", f"**{bobs}** · **"])
    text = await sees(gwen, "calls for a group check", f"**{alices}** · **", f"**{bobs}** · **")
    assert re.search("the group (succeeds|fails)|Fewer than half", text)


async def the_past(party: Party, alices: str, bobs: str) -> None:
    """The GM denies one flashback in writing, and allows another that two players pay for."""
    gwen, _alice, bob = party.everybody
    await bob.types("/rpj-together flashback words:looked for traps", hears="proposes a flashback")
    await bob.presses("GM …", hears="Only a GM can do that")
    await gwen.presses("Deny")
    await gwen.writes(
        {"Why not?": "The trap has sprung.", "What could they do instead?": ""},
        hears=["**denied**", "The trap has sprung.", "It costs nothing."],
    )
    await bob.types("/rpj-together flashback words:hid a rope", hears="proposes a flashback")
    await gwen.presses("Allow it", hears=["**allowed**", "Lucky Breaks 2 → 0"])
    await bob.types("/rpj-together flashback words:hid another", hears="That costs 2 Lucky Breaks")


async def asking(party: Party, alices: str, bobs: str) -> None:
    """The GM asks for a check; a failed roll carries its Lucky Break in the same message."""
    gwen, alice, bob = party.everybody
    assert "Moderate" in (await gwen.is_offered("/gm ask check:skill check", "difficulty", "mod"))[0]
    await gwen.types(
        f"/gm ask check:skill check what:Athleticism difficulty:9 who:{alices}",
        hears=["asks for a skill check\\: Athleticism, difficulty 9", f"[{alices}: roll · "],
    )
    rolled = await alice.presses(f"{alices}: roll", hears=f"**{alices}** · **")
    if "Lucky Break · " in rolled.text:
        await bob.presses(f"{alices}: Lucky Break", hears=f"That button is for {alices}.")
        turned = await alice.presses(f"{alices}: Lucky Break", hears=["🍀", "Lucky Breaks"])
        # A success can be tried for a better one; the better result stands.
        assert "success" in rolled.text or "~~failure" in turned.text or "**failure" in turned.text
    seen = await gwen.presses("Details", hears="check the dice with /fair")
    assert seen.ephemeral


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
