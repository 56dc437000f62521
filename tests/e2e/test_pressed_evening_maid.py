"""An evening of Post-magic-maid that its players play by pressing."""

from __future__ import annotations

from bot.playground.discord import read
from bot.rules.kernel.dice import Dice
from bot.rules.post_magic_maid.cards import draw_cards
from tests.e2e.fighting import board_says, end_fight, look_behind
from tests.e2e.opening import open_campaign
from tests.e2e.people import Party, gather
from tests.e2e.pressing import (
    ChosenDice,
    Pressers,
    composes,
    faces,
    fills,
    option_of,
    plays,
    sets_off,
    switches,
)
from tests.e2e.table import Table

HEALER = "Ysolde Varga"
BEST = "Int + Cha: d20 +2 and d12 +1"


async def test_players_press_through_an_evening_of_post_magic_maid(table: Table) -> None:
    """F-SMALL-09: after joining, nobody needs a command."""
    party = gather(table.discord)
    dice = ChosenDice(table, party)
    await characters(party)
    players = Pressers(party.alice, party.bob)

    await checks(party, players)
    await a_fight_begins(party, dice)
    await first_round(table, party, dice, players)
    await second_round(table, party, dice, players)
    await third_round(table, party, dice)
    await fourth_round(table, party, dice)
    await rest_and_growth(party)
    await the_recap(party)

    players.assert_only_pressed()
    assert players.taps == {"check": 2, "own attack": 3, "defence": 1}


async def characters(party: Party) -> None:
    """One player makes a character step by step; the other takes a ready-made one."""
    gwen, alice, bob = party.everybody
    await open_campaign(party, game="Post-magic-maid")
    await gwen.types("/campaign settings setting:defence value:always", hears="always")
    await alice.types("/character create", hears="1 of 6")
    await alice.chooses("One attribute with a d20", "Int")
    await alice.chooses("One attribute with a d12", "Cha")
    await alice.chooses("Two attributes with a d8", "Dex", "Wll")
    await alice.presses("Next", hears="2 of 6")
    await alice.chooses("Two attributes", "Int", "Cha")
    await alice.presses("Next", hears="3 of 6")
    await alice.chooses("One attribute", "Int")
    await alice.presses("Next", hears="4 of 6")
    await alice.chooses("Kind of bonus", "Single")
    await alice.presses("Name the ability")
    await alice.writes("Housekeeping", hears="The ability **Housekeeping**")
    await alice.presses("Next", hears="5 of 6")
    await alice.chooses("Kind of bonus", "Passive")
    await alice.presses("Name the ability")
    await alice.writes({"The passive ability": "Unseen", "What it does": "Nobody notices her."})
    await alice.presses("Next", hears="6 of 6")
    await alice.presses("Enter a name")
    await alice.writes("Mina", hears="**Mina**")
    await alice.presses("Finish", hears=["[Check …]", "**Mina** joins the campaign"])
    await bob.types(f"/character create ready:{HEALER}", hears=["[Check …]", f"**{HEALER}** joins"])
    await gwen.types("/session start", hears="**Session 1 started**")


async def checks(party: Party, players: Pressers) -> None:
    """Checks alone, with an ability, with another's help, and as the GM asks for."""
    gwen, alice, bob = party.everybody
    with players.counts("check", alice):
        await plays(alice, "Check", BEST, hears="**Mina** checks Int + Cha")
    await plays(alice, "Check", "Housekeeping +5", BEST, hears="**Mina** checks Int + Cha \\(Housekeeping\\)")
    await composes(alice, "Check", BEST, Tier_needed="20")
    await sets_off(alice, "Roll · 52%", hears="chance was 52%")
    await plays(bob, "Use", "Assist", hears=f"**{HEALER}** assists Mina")
    await plays(alice, "Check", BEST, hears="**Mina** checks Int + Cha")
    await gwen.types("/maid-gm call character:Mina first:Wll second:Dex", hears="Roll Wll + Dex")
    await alice.presses("Roll Wll + Dex", hears="**Mina** checks")
    await alice.presses("Undo", hears="asks the GM to undo")
    await gwen.presses("Undo it (GM)", hears="undoes")
    await gwen.types(f"/maid-gm contest one:Mina other:{HEALER}", hears="calls for a contest")
    await alice.chooses("Mina: roll", option_of(alice, "Mina: roll", "Int + Cha"), hears="Still to roll")
    await plays(bob, "Check", f"{HEALER}: roll", "Int + Dex", hears="is the last to roll in the contest")


async def a_fight_begins(party: Party, dice: ChosenDice) -> None:
    """A player starts it, another joins, and whoever draws a Joker sets the order."""
    gwen, alice, bob = party.everybody
    await gwen.types("/gm npc name:Raider", hears="**Raider** joins the campaign")
    await gwen.types("/gm npc name:Thug", hears="**Thug** joins the campaign")
    await gwen.types("/maid-gm magic target:Mina allowed:True", hears="Mina")
    await gwen.types("/maid-gm wound target:Mina track:rending tier:15 count:1", hears="Mina")
    await gwen.types("/maid-gm wound target:Mina track:rending tier:20 count:1", hears="Mina")
    await gwen.types("/maid-gm wound target:Mina track:blunt tier:15 count:1", hears="Mina")
    await composes(alice, "Fight", "Start a fight with")
    could = await switches(alice, "Someone could interrupt")
    assert "Only Mina's player" not in could.text
    await switches(alice)
    await sets_off(alice, "Choose …", "Raider", hears="**Mina** starts a fight")
    await gwen.types("/gm encounter add name:Thug", hears="Thug")
    await plays(bob, "Fight", "Join the fight", hears=f"**{HEALER}** joins the fight")
    with dice.fall(a_joker_for_the_first):
        await alice.presses("Draw cards", hears="Mina goes first")
    await alice.chooses("Who goes first?", "Mina")
    placed = await alice.chooses("Who goes last?", "Raider", hears="lets Raider go last")
    assert "[Who goes" not in placed.text


async def first_round(table: Table, party: Party, dice: ChosenDice, players: Pressers) -> None:
    """A point buys two aces: one is given away. The other player treats a wound with it."""
    gwen, alice, bob = party.everybody
    await board_says(table, party, "Round 1", "▶ **Mina**")
    with dice.fall(two_aces):
        await alice.presses("Blitz", hears="Give an ace")
    await plays(alice, "Spend", "Give an ace", HEALER, hears=f"gives an ace to {HEALER}")
    await plays(alice, "Check", BEST, hears="tier 25")
    await alice.presses("End turn")
    await plays(bob, "Rest", "Treat: Int + Dex …", hears="treats Mina")
    await bob.chooses("Treat which wound?", "Heavy rending", hears="heavy rending healed")
    await bob.presses("End turn")
    await the_thug_waits(table, party)
    await raider_attacks(table, party, dice, "Mina")
    with players.counts("defence", alice):
        await alice.presses("Mina: ", hears="Raider")
    await gwen.types("/encounter next")


async def second_round(table: Table, party: Party, dice: ChosenDice, players: Pressers) -> None:
    """Attacks: one action, and two of them, plain and with an ability."""
    gwen, alice, bob = party.everybody
    await board_says(table, party, "Round 2", "▶ **Mina**")
    with players.counts("own attack", alice), dice.fall(faces((20, range(5, 6)), (12, range(2, 3)))):
        await plays(
            alice, "Fight", "Attack blunt: Int + Cha", "Raider", hears="**Mina** attacks Raider, blunt"
        )
    await gwen.presses("Take the wound", hears="Condition unhurt → scratched")
    await alice.presses("End turn")
    await board_says(table, party, f"▶ **{HEALER}**")
    await table.discord.until(
        lambda: any(
            f"**{HEALER} acts**" in read(one) and "Several actions" in read(one) for one in bob.member.sees()
        )
    )
    await bob.chooses("Several actions", "2 actions", hears="declares 2 actions")
    with dice.fall(faces((20, range(13, 14)), (12, range(8, 9)))):
        await plays(bob, "Fight", "Attack rending: Int + Dex, Surgery", "Thug", hears="**tier 20**")
    wounded = await gwen.presses("Take the wound", hears="Condition unhurt → badly hurt")
    assert "Treat" not in wounded.text
    await bob.chooses("Attack rending: Int + Dex · action 2 of 2", "Raider", hears="attacks Raider, rending")
    await bob.presses("End turn")
    await the_thug_waits(table, party)
    await raider_attacks(table, party, dice, HEALER)
    await bob.chooses(
        f"{HEALER} defends against", option_of(bob, f"{HEALER} defends", "Dex + Wll"), hears="Raider"
    )
    await gwen.types("/encounter next")


async def third_round(table: Table, party: Party, dice: ChosenDice) -> None:
    """Help out of turn, magic, and a wound taken."""
    gwen, alice, bob = party.everybody
    await board_says(table, party, "Round 3", "▶ **Mina**")
    await plays(bob, "Use", "Assist", "Mina", hears=f"**{HEALER}** assists Mina")
    await composes(alice, "Fight", "Attack blunt: Int + Cha, Housekeeping")
    await switches(alice, "Magic")
    with dice.fall(faces((20, range(5, 6)), (12, range(2, 3)), (6, range(1, 2)))):
        await sets_off(alice, "Choose …", "Raider", hears="Magic 1")
    await alice.presses("End turn")
    await board_says(table, party, f"▶ **{HEALER}**")
    await bob.presses("End turn")
    await the_thug_waits(table, party)
    await raider_attacks(table, party, dice, "Mina")
    await alice.presses("Take the wound", hears="is hit by Raider")
    await gwen.types("/encounter next")


async def fourth_round(table: Table, party: Party, dice: ChosenDice) -> None:
    """A passive ability, treating oneself, and leaving the fight."""
    gwen, alice, bob = party.everybody
    await board_says(table, party, "Round 4", "▶ **Mina**")
    await plays(alice, "Use", "Use Unseen", hears="Unseen")
    await plays(alice, "Rest", "Treat: Int + Dex …", hears="treats their own wounds")
    await alice.presses("End turn")
    await plays(bob, "Fight", "Leave the fight", hears="leaves the fight")
    await end_fight(gwen, "ends the fight")


async def rest_and_growth(party: Party) -> None:
    """Both rest; one grows, and takes a step back."""
    gwen, alice, bob = party.everybody
    await plays(alice, "Rest", "Rest: 1 wound an hour", "8 hours", hears="about to rest")
    await plays(bob, "Rest", "Rest: 1 wound an hour", "8 hours", hears="joins the rest")
    await alice.presses("Rest now: 8 hours pass", hears=f"Rested\\: Mina, {HEALER}")
    await gwen.types("/maid-gm grant target:Mina count:3", hears="gives Mina 3 level-ups")
    await plays(alice, "Grow", "Single bonus on", "Housekeeping", hears="+5 to +8")
    await plays(alice, "Grow", "Specialize in", "Dex", hears=r"**Mina** levels up\: Dex")
    await alice.presses("Undo", hears="Undone.")
    await fills(
        alice,
        "Grow",
        "New passive ability",
        {"Name of the new ability": "Night eyes", "What it does": "She sees in the dark."},
        hears="Night eyes",
    )


async def the_recap(party: Party) -> None:
    """The GM ends the session; everybody reads the recap."""
    gwen, bob = party.gwen, party.bob
    await gwen.types("/session end")
    await gwen.presses("End the session", hears="**Session 1 ended**")
    await bob.presses("Download recap", hears="session-1.md")


async def the_thug_waits(table: Table, party: Party) -> None:
    await board_says(table, party, "▶ **Thug**")
    await party.gwen.types("/encounter next")


async def raider_attacks(table: Table, party: Party, dice: ChosenDice, whom: str) -> None:
    """The GM attacks from the board, hard enough to be defended against."""
    await look_behind(await board_says(table, party, "▶ **Raider**"), party.gwen)
    with dice.fall(faces((12, range(5, 7)), (20, range(5, 9)))):
        await party.gwen.chooses("Attack blunt", whom, hears=f"{whom} can defend.")


def two_aces(dice: Dice) -> bool:
    """Whether the seven cards of a blitz have two aces and no Joker."""
    cards = [one.card for one in draw_cards(7, dice)]
    return [card.rank for card in cards].count("A") == 2 and not any(card.is_joker for card in cards)


def a_joker_for_the_first(dice: Dice) -> bool:
    """Whether Mina draws a Joker, and Ysolde goes before the thug."""
    mina, raider, thug, ysolde = (one.card for one in draw_cards(4, dice))
    return mina.is_joker and not raider.is_joker and thug.strength < ysolde.strength < mina.strength
