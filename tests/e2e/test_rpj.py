"""An evening of RPJ Core: checks and their follow-ups, a countdown, Luck, the session's end."""

from __future__ import annotations

import asyncio
import re
from itertools import takewhile
from pathlib import Path

import pytest

from bot.playground.discord import read
from tests.databases import on_both_engines
from tests.e2e.opening import open_campaign, switch_briefly
from tests.e2e.people import Actor, Party, everything_of, gather, is_whole
from tests.e2e.table import Room, Table
from tests.e2e.test_asking import sees
from tests.e2e.test_evening import exported, verified
from tests.e2e.test_rpj_making import open_fantasy
from tests.e2e.test_twice import one_is_refused

ILSA, GORM = "Ilsa Roan", "Gorm Halvard"


@on_both_engines
async def test_an_evening_is_played_and_its_journal_verifies(table: Table, tmp_path: Path) -> None:
    party = gather(table.discord)

    await the_campaign(party)
    await what_is_offered(party)
    await a_check_that_fails(table, party)
    await a_countdown_goes_back(party)
    await two_press_at_once(table, party)
    await the_game_restarts(table, party)
    await luck_and_tables(party)
    await nobody_breaks_it(table, party)
    await the_end(party)

    assert is_whole(table.database)
    assert verified(tmp_path, await exported(table, party)).returncode == 0


async def the_campaign(party: Party) -> None:
    """The GM chooses a module; both players take a ready-made character of it."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, "The Old Pass", "RPJ Core")
    assert "Marit Vance" in await alice.is_offered("/character create", "ready")
    await gwen.types("/campaign settings setting:module value:fantasy", hears="generic → fantasy")
    await gwen.types("/campaign settings setting:check_success value:never", hears="→ never")
    assert ILSA in await alice.is_offered("/character create", "ready")
    await alice.types(f"/character create ready:{ILSA}", hears=f"**{ILSA}** joins the campaign")
    await bob.types(f"/character create ready:{GORM}", hears=f"**{GORM}** joins the campaign")
    await gwen.types("/session start", hears="**Session 1 started**")
    await alice.types("/character sheet", hears=[f"### {ILSA}", "Ranger", "Lucky Breaks 4/4"])
    await alice.presses("Skills", hears="Archery")


async def what_is_offered(party: Party) -> None:
    """Options complete from the campaign's module, with the character's own skills first."""
    alice = party.alice
    own = await alice.is_offered("/rpj check", "skill")
    assert own[:3] == ["Archery", "Concealment", "Light Armor Use"]
    assert await alice.is_offered("/rpj check", "skill", "alch") == ["Alchemy"]
    assert await alice.is_offered("/rpj check skill:Archery", "toggles") == []
    topics = await alice.is_offered("/rpj improve skill skill:Knowledge", "specialty")
    assert topics == ["History", "Geography", "Law", "Nature", "Religion"]
    assert "Moderate · 9-10+" in await alice.is_offered("/rpj check", "difficulty")
    assert await alice.is_offered("/rpj table", "name") == ["Complications", "Finds", "Omens"]
    await alice.types(
        "/rpj ladder skill:Archery",
        hears=[r"looks at the difficulties for Archery +8", r"Moderate 9-10+ · 97% to 97%"],
    )
    await alice.types(
        "/odds rpj level:4 target:11",
        hears=[
            "exact success or better: **58%**",
            "81% with a Lucky Break spent beforehand",
            "rescues a failure 53% of the time",
        ],
    )


async def a_check_that_fails(table: Table, party: Party) -> None:
    """Only the GM can press what a failure leads to."""
    gwen, alice, bob = party.everybody
    mallory = Actor(party.server.add_member("Mallory"), party.transcript)
    await alice.types(
        "/rpj check skill:Concealment difficulty:30 modifiers:+1 high ground −2 rain",
        hears=[
            f"**{ILSA}** checks Concealment, Implausible · **",
            "Concealment 6 + class skill 1 + high ground 1 − rain 2",
            r"against 37+",
            "chance was 0%",
        ],
    )
    failed = await alice.sees("failure")
    for nobody in (bob, mallory):
        refused = await nobody.member.press(failed, "GM …")
        assert "Only a GM can do that" in refused.text
        assert refused.ephemeral
    await mallory.types("/rpj check skill:Games", hears="You have no character here.")

    await gwen.presses("Retry", hears=r"can try again\: Concealment, against 38+")
    await bob.presses("Try again against 38+", hears=f"That button is for {ILSA}.")
    await alice.presses("Try again against 38+", hears="failure")
    await gwen.presses("At a cost", hears="**success at a cost**")
    await gwen.presses("Add a complication", hears="(form)")
    await gwen.writes("The lamp goes out.", hears=[r"has a complication\: Concealment", "The lamp goes out."])


async def a_countdown_goes_back(party: Party) -> None:
    """A countdown goes back when the GM turns the failure into a success at a cost."""
    gwen, _alice, bob = party.everybody
    offered = await gwen.is_offered("/gm countdown create", "check")
    assert {"check", "attribute", "luck"} <= set(offered)
    assert "deny_detail" not in offered
    await gwen.types(
        "/gm countdown create name:Alarm kind:failure difficulty:3 check:check",
        hears="starts a countdown\\: Alarm",
    )
    await bob.types("/rpj check skill:Alchemy difficulty:30", hears=["failure", "Alarm 0 → 1 of 3"])
    await gwen.presses("At a cost", hears=["success at a cost", "Alarm 1 → 0 of 3"])
    await gwen.types("/gm countdown delete name:Alarm", hears="Alarm")


async def two_press_at_once(table: Table, party: Party) -> None:
    """A button acts once, however often it is pressed."""
    await party.bob.types("/rpj check skill:Alchemy difficulty:30", hears="failure")
    await party.gwen.presses("Retry")
    offered = await party.bob.sees(r"can try again\: Alchemy")
    label = next(part for part in read(offered).split("[") if part.startswith("Try again")).split("]")[0]

    both = await asyncio.gather(*(party.bob.member.press(offered, label) for _ in range(2)))

    await one_is_refused(table, both)


async def the_game_restarts(table: Table, party: Party) -> None:
    """A button from before a restart still works."""
    gwen, alice, _bob = party.everybody
    await alice.types(
        "/rpj propose skill:Archery how:cut the rope difficulty:10+",
        hears=rf"**{ILSA}** proposes Archery\: cut the rope",
    )
    await table.restart()
    await gwen.presses("Imperfect", hears=r"can check Archery\: imperfect fit")
    await alice.presses("Roll Archery against 10+ · 97%", hears=["Archery 7", "imperfect fit 1"])


async def luck_and_tables(party: Party) -> None:
    """Use saving throws, Luck, an open detail, tables and choices."""
    gwen, alice, bob = party.everybody
    await bob.types(
        "/rpj attribute attribute:CON rolled:saving throw difficulty:Moderate",
        hears=[f"**{GORM}** makes a Constitution saving throw, Moderate", r"against 9+", "chance was 83%"],
    )
    await alice.types(
        "/rpj luck stake:the bridge holds difficulty:11+",
        hears=r"trusts to Luck \(the bridge holds\), Challenging",
    )
    await alice.types("/rpj detail question:there is a rope", hears="It must be open")
    await alice.presses("GM …", hears="Only a GM can do that")
    await gwen.presses("Let Luck decide", hears="It is the first detail Luck decides this session.")
    await alice.presses("Roll the Luck bonus against 8+ · 58%", hears=r"trusts to Luck \(there is a rope\)")
    await gwen.types("/rpj table name:Finds", hears=["rolls on Finds", "row"])
    await gwen.types("/rpj table name:Omens pick:7", hears=["draws a card for Omens", "card 7 of the deck"])
    await bob.types("/rpj pick things:left | right", hears="picks one of 2")
    hidden = await gwen.types(
        f"/rpj-gm passive skill:Perception who:{ILSA}, {GORM}", hears=[f"{ILSA} 2", f"{GORM} −1"]
    )
    assert hidden.ephemeral
    await bob.types(f"/rpj-gm passive skill:Perception who:{ILSA}", hears="Only a GM")
    await gwen.types(
        f"/rpj-gm trait target:{GORM} name:Night Eyes kind:gift value:1 of:Perception",
        hears=rf"gives {GORM} a gift\: Night Eyes",
    )
    await bob.types("/rpj check skill:Perception", hears="Night Eyes 1")


async def nobody_breaks_it(table: Table, party: Party) -> None:
    """Nonsense is refused in a sentence and changes nothing."""
    before = everything_of(table.database, party.server.id)
    for line, hears in (
        ("/rpj check skill:@everyone **x**", "has no skill"),
        ("/rpj check skill:Games difficulty:99999999", "I can't read the difficulty"),
        ("/rpj check skill:Games difficulty:‮hard", "I can't read the difficulty"),
        ("/rpj check skill:Games modifiers:`+1`", "I can't read"),
        ("/rpj check skill:Games modifiers:+999999 gods", "is too large"),
        ("/rpj check skill:Games fit:impossible", "doesn't help with that"),
        ("/rpj table name:../../etc", "has no table"),
        ("/rpj table name:Finds pick:3", "There is no card 3."),
        ("/rpj pick things:, ,", "things to choose from"),
        ("/rpj detail question:x target:Gorm Halvard", "Leave out target to ask for yourself"),
        ("/rpj-gm complication target:Gorm Halvard text:x", "Only a GM"),
    ):
        refused = await party.alice.types(line, hears=hears)
        assert refused.ephemeral
    assert everything_of(table.database, party.server.id) == before


async def the_end(party: Party) -> None:
    """The end shows what was spent; the next session restores it."""
    gwen = party.gwen
    await gwen.types("/session end", hears="Luck decided a detail once.")
    await gwen.presses("End the session", hears="**Session 1 ended**")
    await gwen.types("/session start", hears="**Session 2 started**")


SHARED = pytest.mark.asyncio(loop_scope="module")  # with the module's bot


async def test_a_mass_battle_is_played_through_a_restart(table: Table) -> None:
    party = gather(table.discord)
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
    await a_round(table, party, alices, bobs)
    await the_battles_end(party)

    assert is_whole(table.database)


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


async def test_a_condition_runs_over_time(table: Table) -> None:
    party = gather(table.discord)
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
    await table.restart()
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

    assert is_whole(table.database)


def lines_of(text: str, headline: str) -> list[str]:
    """Return a message's lines from its headline to above its buttons."""
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if headline in line)
    return list(takewhile(lambda line: not line.startswith("["), lines[first:]))


@SHARED
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


@SHARED
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


@SHARED
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
