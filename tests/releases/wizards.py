"""Finishing the characters begun with an earlier release, page by page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.playground.discord import read
from tests.e2e.people import Actor
from tests.e2e.test_rpj_making import give, levels_in

Finish = Callable[[Actor], Awaitable[None]]


async def a_maid(cara: Actor) -> None:
    """Finish a Post-magic-maid character, from the first bonuses."""
    await cara.chooses("Two attributes", "Int", "Cha")
    await cara.presses("Next", hears="3 of 6")
    await cara.chooses("One attribute", "Int")
    await cara.presses("Next", hears="4 of 6")
    await cara.chooses("Kind of bonus", "Single", hears="Name the ability.")
    await cara.presses("Name the ability")
    await cara.writes("Housekeeping", hears="Housekeeping")
    await cara.presses("Next", hears="5 of 6")
    await cara.chooses("Kind of bonus", "Passive")
    await cara.presses("Name the ability")
    await cara.writes({"The passive ability": "Unseen", "What it does": "Nobody notices her."})
    await cara.presses("Next", hears="6 of 6")
    await named_and_finished(cara)


async def a_swimmer(cara: Actor) -> None:
    """Finish a Project Swim Class character, from the two skills."""
    await cara.presses("Next", hears="**Gear**")
    await cara.chooses("Gear", "Great Sword", "Knife")
    await cara.presses("Next", hears="**Name**")
    await named_and_finished(cara)


async def a_knight(cara: Actor) -> None:
    """Finish a Sword & Swarm character, from Star and class."""
    await cara.chooses("Star: ", "4")
    await cara.presses("Write")
    await cara.writes({"Class": "Mason", "ranks": "Architecture 2"}, hears="Mason")
    await cara.presses("Next", hears="**Name**")
    await named_and_finished(cara)


async def a_citizen(cara: Actor) -> None:
    """Finish a Compare Roll character, from the first skills."""
    await cara.presses("Next", hears="**Skills 2**")
    await cara.presses("Next", hears="**Levels 1**")
    await cara.chooses("Stealth", "4 · Artisan", hears=" left")
    await cara.presses("Next", hears="**Custom skills**")
    await cara.presses("Next", hears="**Name**")
    await named_and_finished(cara)


async def a_ranger(cara: Actor) -> None:
    """Finish an RPJ Core character, from the rolled dice."""
    await cara.presses("Roll for Luck", hears="rolls for Luck")
    await give(cara, levels_in(read(cara.sees("new character"))))
    await cara.presses("Next", hears="3 of 7")
    await cara.chooses("Which class?", "Ranger", hears="Bow")
    await cara.chooses("4 class skills", "Archery", "Survival", "Perception", "Concealment")
    for page in ("4 of 7", "5 of 7", "6 of 7", "7 of 7"):
        await cara.presses("Next", hears=page)
    await named_and_finished(cara)


async def named_and_finished(cara: Actor) -> None:
    """Enter a name on the last page and join the campaign."""
    await cara.presses("Enter a name")
    await cara.writes("Linnet", hears="**Linnet**")
    await cara.presses("Finish", hears="**Linnet** joins the campaign")


FINISHES: dict[str, Finish] = {
    "The Manor House": a_maid,
    "The Harbour": a_swimmer,
    "The Hive": a_knight,
    "The Dome": a_citizen,
    "The Old Pass": a_ranger,
}
