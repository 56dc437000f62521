"""The GM's desk: what it shows, who may open it, and what its buttons do."""

from __future__ import annotations

import asyncio

from bot.playground.discord import EVERYONE, Channel, Permission, read
from bot.playground.discord.servers import Overwrite
from tests.e2e.fighting import EPHEMERAL, gm_room, keep_desk
from tests.e2e.opening import ALICES, BOBS, open_other, open_play
from tests.e2e.people import Actor, Party
from tests.e2e.table import Table

UNDONE = "~~**Gwen** sets Blunt~~"
FOR_GMS = "Only a GM can do that"


async def test_the_desk_shows_the_party_and_leads_to_a_sheet_and_back(party: Party) -> None:
    await open_play(party)
    gwen = party.gwen

    opened = await gwen.types("/gm desk", hears=["Desk · The Manor", "No session", ALICES, BOBS])
    assert opened.ephemeral
    await gwen.chooses("Open a sheet", ALICES, hears=["[Check …]", "[Desk]"])
    await gwen.presses("Desk", hears="Desk · The Manor")


async def test_the_desk_follows_what_others_do_and_a_press_undoes_it(party: Party) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    opened = await gwen.types("/gm desk", hears=ALICES)
    await gwen.presses("Time …", hears="(form) Let time pass")  # and put away

    await gwen.types(f"/gm set wounds character:{ALICES} level:Blunt · slight filled:1", hears="0 → 1")
    await gwen.heard(opened, "Gwen sets Blunt")
    undone = await gwen.member.press(await gwen.sees("Desk · The Manor"), "Undo")
    await gwen.heard(undone, "Blunt 0/11")

    await gwen.member.discord.until(lambda: UNDONE in "".join(map(read, alice.member.sees())))


async def test_time_rest_award_and_the_session_are_led_from_the_desk(party: Party) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    await gwen.types("/gm desk", hears="[Start session]")

    await gwen.presses("Start session", hears="**Session 1 started**")
    await alice.sees("**Session 1 started**")
    await gwen.presses("Time …")
    await gwen.writes({"amount": "2", "unit": "Hours"}, hears="lets 2 h pass")
    await gwen.presses("Award …")
    await gwen.writes({"resource": "Blitz Points", "amount": "1", "who": [ALICES]}, hears="Blitz Points")
    await gwen.presses("Rest …")
    await gwen.writes({"hours": "8", "when": "Rest at once"}, hears="rest")
    await gwen.presses("End session", hears="**Ending session 1**")
    await gwen.presses("End the session", hears="**Session 1 ended**")


async def test_the_gm_reminds_a_player_once_and_then_decides_for_them(party: Party) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    await gwen.types("/gm ask check:check what:Str + Dex", hears="Still to roll")
    asked = f"{ALICES}: check: Str + Dex"

    await gwen.types("/gm desk", hears=["**Waiting for**", f"{ALICES}\\: check", f"{BOBS}\\: check"])
    await gwen.chooses("Remind", asked, hears="· reminded")
    mention = f"<@{alice.member.id}>, still waiting"
    await gwen.member.discord.until(lambda: any(mention in read(one) for one in alice.member.sees()))
    await gwen.chooses("Decide", asked, hears=["### Decide", "[Back]"])
    await gwen.presses(f"{ALICES}: roll", hears=BOBS)
    assert asked not in read(await gwen.sees("Desk · The Manor"))


async def test_countdowns_move_from_the_desk_and_hidden_ones_stay_hidden(party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    await gwen.types("/gm countdown create name:Raven Plot kind:success difficulty:4 visibility:gm")
    opened = await gwen.types("/gm desk", hears=["Raven Plot", "hidden"])
    await gwen.presses("Countdowns", hears="0 of 4")
    await gwen.presses("+ Raven Plot", hears="1 of 4")
    await gwen.presses("− Raven Plot", hears="0 of 4")
    assert opened.message is not None

    for player in (party.alice, party.bob):
        assert not any("Raven" in read(one) for one in player.member.sees())


async def test_a_countdown_is_started_in_a_form_and_a_hidden_one_is_told_to_nobody(party: Party) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    await gwen.types("/gm desk", hears="[Countdowns]")
    await gwen.presses("Countdowns", hears="No countdowns are running.")
    counts = await gwen.sees("### Countdowns")
    await alice.heard(await alice.member.press(counts, "New …", unchecked=True), FOR_GMS)

    await gwen.presses("New …", hears="(form) New countdown")
    hidden = {"Name": "Raven Plot", "Steps": "3", "Who sees it": "Only GMs"}
    await gwen.writes(hidden, hears=["Raven Plot", "0 of 3", "[+ Raven Plot]"])
    await gwen.presses("New …", hears="(form) New countdown")
    both = {"Name": "The bridge", "What advances it": "Two sides pull", "Steps": "6"}
    await gwen.writes(both, hears=["Raven Plot", "3 of 6", "starts a countdown\\: The bridge"])
    await alice.sees("The bridge")
    await gwen.presses("New …", hears="(form) New countdown")
    await gwen.writes({"Name": "Raven Plot"}, hears="is already running")

    assert not any("Raven" in read(one) for one in alice.member.sees())


async def test_only_gms_of_the_campaign_open_the_desk_or_press_what_it_shows(party: Party) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    await gwen.types("/gm npc name:Canary hidden:True", hears="Canary")
    refused = await alice.types("/gm desk", hears=FOR_GMS)
    assert refused.ephemeral
    await gwen.types("/gm desk", hears="Desk · The Manor")
    desk = await gwen.sees("Desk · The Manor")

    for label in ("Refresh", "Time …", "Rest …", "Award …", "More …", "Undo", "Start session"):
        answer = await alice.member.press(desk, label, unchecked=True)
        await alice.heard(answer, FOR_GMS)
        assert "Canary" not in answer.text
    for menu in ("Open a sheet …",):
        answer = await alice.member.select(desk, menu, "Canary", unchecked=True)
        await alice.heard(answer, FOR_GMS)
        assert "Canary" not in answer.text


async def test_a_former_gm_gets_nothing_from_an_open_desk(party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    other = Actor(party.server.add_member("Greta"), party.transcript)
    await gwen.types("/campaign gm person:Greta", hears="Greta")
    await other.types("/gm desk", hears="Desk · The Manor")
    desk = await other.sees("Desk · The Manor")
    await gwen.types("/campaign gm person:Greta remove:True", hears="Greta")

    await other.heard(await other.member.press(desk, "Refresh"), FOR_GMS)
    await other.heard(await other.member.press(desk, "Undo"), FOR_GMS)


async def test_two_gms_who_undo_the_same_act_at_once_undo_it_once(party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    second = Actor(party.server.add_member("Greta", EVERYONE | Permission.MANAGE_SERVER), party.transcript)
    await gwen.types(f"/gm set wounds character:{ALICES} level:Blunt · slight filled:1", hears="0 → 1")
    desks = []
    for one in (gwen, second):
        await one.types("/gm desk", hears="Gwen sets Blunt")
        desks.append((one, await one.sees("Desk · The Manor")))

    answers = await asyncio.gather(*(one.member.press(desk, "Undo") for one, desk in desks))

    def undone() -> int:
        return sum(UNDONE in read(one) for one in party.alice.member.sees())

    await gwen.member.discord.until(lambda: undone() and all(one.text for one in answers))
    assert undone() == 1


async def test_the_other_pages_lead_back_to_the_desk(party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    await gwen.types("/gm desk", hears="Desk · The Manor")
    for page, title in (("Foes", "Foes"), ("Secrets", "### Secrets"), ("Fight", "### No fight")):
        await gwen.presses(page, hears=[title, "[Desk]"])
        await gwen.presses("Desk", hears="Desk · The Manor")
    await gwen.presses("Settings", hears="Settings")


async def test_more_leads_to_everybodys_dice_and_back(party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    await gwen.types("/gm desk", hears="Desk · The Manor")
    await gwen.presses("More …", hears="[All dice]")
    await gwen.presses("All dice", hears="**Everyone's dice** in The Manor")
    await party.alice.types("/roll expression:1d6", hears="1d6")
    await gwen.presses("Desk", hears="Desk · The Manor")


async def test_a_save_owed_after_the_gms_damage_waits_on_the_desk(party: Party) -> None:
    await open_other(party, "RPJ Core")
    gwen, alice = party.gwen, party.alice
    ready = await alice.is_offered("/gm set wounds", "character")
    await gwen.types(f"/rpj-gm health harm targets:{ready[0]} damage:2", hears="save")
    await gwen.types("/gm desk", hears=["**Waiting for**", "save"])
    saving = f"{ready[0]}: save 9+"

    await gwen.chooses("Remind", saving, hears="· reminded")
    mention = f"<@{alice.member.id}>, still waiting"
    await gwen.member.discord.until(lambda: any(mention in read(one) for one in alice.member.sees()))
    await gwen.chooses("Decide", saving, hears=["### Decide", "[Back]"])
    await gwen.presses(f"{ready[0]}: save", hears="### Desk")
    assert saving not in read(await gwen.sees("Desk · The Manor"))


async def test_a_gm_changes_the_order_of_a_fight_with_two_choices(party: Party) -> None:
    await open_other(party, "Sword & Swarm")
    gwen, alice = party.gwen, party.alice
    await gwen.types("/encounter start", hears="[Join]")
    for name in ("Thug", "Raider"):
        await gwen.types(f"/gm encounter add name:{name}", hears=name)
    await gwen.types("/gm desk", hears="[Fight]")
    await gwen.presses("Fight", hears="[Order …]")
    fight = await gwen.sees("[Order …]")
    await alice.heard(await alice.member.press(fight, "Order …", unchecked=True), FOR_GMS)

    await gwen.presses("Order …", hears="(form) Change the order")
    await gwen.writes({"who": "Raider", "before": "Thug"}, hears="Raider, Thug.")
    await alice.sees("Raider, Thug.")
    await gwen.presses("Order …", hears="(form) Change the order")
    await gwen.writes({"who": "Raider", "before": "Raider"}, hears="Nobody can act before themselves.")


async def test_the_gm_sees_who_is_best_at_a_check_before_they_ask_for_it(party: Party) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    await gwen.types("/gm desk", hears="[Ask …]")
    await gwen.presses("Ask …", hears="[Best at …]")
    asking = await gwen.sees("[Best at …]")
    await alice.heard(await alice.member.press(asking, "Best at …", unchecked=True), FOR_GMS)

    await gwen.presses("Best at …", hears="(form) Who is best at")
    chosen = {"At what": "Str + Dex", "Difficulty": "15"}
    await gwen.writes(chosen, hears=["Best at Str + Dex, 15: **", f"**{ALICES}** ", f"**{BOBS}** ", "%"])


async def test_what_is_hidden_is_two_taps_from_being_revealed(party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    await gwen.types("/gm npc name:Canary hidden:True", hears="Canary")
    await gwen.types("/gm desk", hears="Reveal …")

    await gwen.chooses("Reveal …", "NPC: Canary", hears=["Canary appears", "[Desk]"])
    assert not any("Canary" in read(one) for one in party.alice.member.sees())
    await gwen.presses("Reveal", hears="Everybody has seen this:")
    await gwen.member.discord.until(lambda: any("Canary" in read(one) for one in party.alice.member.sees()))
    await gwen.presses("Desk", hears="Desk · The Manor")
    assert "Reveal …" not in read(await gwen.sees("Desk · The Manor"))


def texts(house: Table, channel: Channel) -> list[str]:
    """What everybody who sees a channel reads there."""
    found = [one.payload for one in house.discord.messages.in_channel(channel)]
    return [read(one) for one in found if not one.get("flags", 0) & EPHEMERAL]


async def test_a_desk_in_a_hidden_channel_follows_and_tells_the_players_in_theirs(
    house: Table, party: Party
) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    room = await keep_desk(house, party)
    (first,) = texts(house, room)
    assert ALICES in first

    await gwen.types(f"/gm set wounds character:{ALICES} level:Blunt · slight filled:1", hears="0 → 1")
    await house.discord.until(lambda: "Blunt 1/11" in texts(house, room)[-1])

    standing = await gwen.sees("Desk · The Manor", room)
    pressed = await gwen.member.press(standing, "Undo")
    await gwen.heard(pressed, "Blunt 0/11")
    await house.discord.until(lambda: "Blunt 0/11" in texts(house, room)[-1])
    await house.discord.until(
        lambda: any("~~**Gwen** sets Blunt~~" in read(one) for one in alice.member.sees())
    )
    private = await gwen.member.press(standing, "More …")
    await gwen.heard(private, "[Take away]")
    assert private.ephemeral
    await gwen.presses("Take away", hears="[Back]")
    await house.discord.until(lambda: not any("Desk ·" in one for one in texts(house, room)))
    assert not any("Desk ·" in read(one) for one in alice.member.sees())


async def test_a_check_asked_for_at_a_desk_in_another_channel_is_asked_of_the_players_in_theirs(
    house: Table, party: Party
) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    room = await keep_desk(house, party)

    page = await gwen.member.press(await gwen.sees("Desk · The Manor", room), "Ask …")
    await gwen.heard(page, ["Ask for a check", "[Ask (open)]"])
    assert page.ephemeral
    await gwen.chooses("The scene's difficulty", "Scene's difficulty: 15", hears="[Ask (open)]")
    await gwen.presses("Ask (open)")
    await gwen.writes({"What to ask for": "Str + Dex", "Who": [ALICES]}, hears=f"[Str + Dex · {ALICES}]")

    await house.discord.until(lambda: any("asks for a check" in read(one) for one in alice.member.sees()))
    await alice.presses(f"{ALICES}: roll", hears=[f"**{ALICES}**", "against 15+"])
    asked = [one for one in texts(house, room) if "asks for a check" in one]
    assert [one for one in asked if not one.startswith("### Desk")] == []  # which names the last acts


async def test_a_desk_is_refused_where_a_role_or_a_player_sees_it(house: Table, party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    room = gm_room(house, party)
    watchers = party.server.add_role("Watchers")
    room.overwrites[watchers.id] = Overwrite(allow=Permission.VIEW_CHANNEL)
    room.deny(watchers, Permission.SEND_MESSAGES)
    await gwen.types("/gm desk", hears="Desk · The Manor")
    await gwen.presses("More …", hears="Keep a desk in …")

    await gwen.chooses("Keep a desk", "#gm-room", hears="Watchers can see \\#gm-room")
    del room.overwrites[watchers.id]
    room.overwrites[party.bob.member.id] = Overwrite(allow=Permission.VIEW_CHANNEL)
    room.deny(watchers, Permission.SEND_MESSAGES)
    await gwen.chooses("Keep a desk", "#gm-room", hears="Bob can see \\#gm-room")
    await gwen.chooses("Keep a desk", f"#{party.server.channels[0].name}", hears="@everyone can see")

    assert texts(house, room) == []


async def test_a_desk_whose_channel_is_opened_to_players_is_taken_away(house: Table, party: Party) -> None:
    await open_play(party)
    gwen = party.gwen
    room = await keep_desk(house, party)

    room.overwrites[party.bob.member.id] = Overwrite(allow=Permission.VIEW_CHANNEL)
    room.deny(party.server.everyone, Permission.SEND_MESSAGES)
    await gwen.types("/gm npc name:Canary hidden:True", hears="Canary")

    await house.discord.until(lambda: texts(house, room) == [])
    assert not any("Canary" in read(one) for one in party.bob.member.sees(room))


async def test_sessions_are_planned_looked_up_and_ended_from_a_desk_in_another_channel(
    house: Table, party: Party
) -> None:
    await open_play(party)
    gwen, alice = party.gwen, party.alice
    await gwen.types("/session start", hears="**Session 1 started**")
    room = await keep_desk(house, party)
    await gwen.member.press(await gwen.sees("Desk · The Manor", room), "More …")
    await gwen.presses("Plan session …", hears="(form)")
    plan = {"name": "The ball", "when": "2099-11-27 19:30", "zone": "0", "hours": "4"}
    await gwen.writes(plan)
    await house.discord.until(
        lambda: any("**Next session: The ball**" in read(one) for one in alice.member.sees())
    )
    await gwen.presses("All sessions", hears=["**The Manor** · 1 session", "[Desk]"])
    await gwen.presses("Desk", hears="Desk · The Manor")
    await gwen.presses("End session", hears="**Ending session 1**")
    await gwen.presses("End the session", hears="Session 1 has ended.")

    await house.discord.until(lambda: any("**Session 1 ended**" in read(one) for one in alice.member.sees()))
    assert not any("Next session" in one or "Session 1 ended" in one for one in texts(house, room))
