"""Newcomers (F-ALL-12): after joining they see their sheet, and what to press now."""

import pytest

from bot.playground.discord import button_labels
from bot.playground.discord.payloads import Payload
from bot.rules import rulesets
from bot.ui.commands.sheets import GROUP_LABELS
from tests.e2e.opening import open_campaign
from tests.e2e.people import Actor, Party

UNFINISHED = "Still to do before you play:"


async def offered(actor: Actor, words: str) -> tuple[Payload, list[str]]:
    """Return the private sheet with some words, and its buttons for first steps."""
    message = await actor.sees(words)
    labels = button_labels(message)
    first_group = min(labels.index(label) for label in GROUP_LABELS.values() if label in labels)
    return message, labels[:first_group]


@pytest.mark.parametrize("game", [one.title for one in rulesets().values()])
async def test_f_all_12_joining_shows_the_sheet_with_things_to_press_now(party: Party, game: str) -> None:
    await open_campaign(party, game=game)
    alice = party.alice
    ready = (await alice.is_offered("/character create", "ready"))[0]
    await alice.types(
        f"/character create ready:{ready}", hears=[f"**{ready}** joins the campaign", f"### {ready}"]
    )

    message, labels = await offered(alice, f"### {ready}")
    assert len(labels) == (4 if game == "Compare Roll" else 3)  # one thing is to be done there first
    pressed = await alice.member.press(message, labels[-1])
    assert pressed.failed is None
    assert "no longer possible" not in pressed.text
    _again, labels_then = await offered(alice, f"### {ready}")
    assert len([one for one in labels_then if one != "☆ Keep"]) == len(labels)  # they stay


async def test_f_all_12_an_unfinished_character_has_buttons_for_what_is_missing(party: Party) -> None:
    await open_campaign(party, game="Compare Roll")
    alice = party.alice
    await alice.types("/character create", hears="**Who**")
    await alice.chooses("How do you make your stats?", "Rolled")
    for _page in range(4):
        await alice.presses("Next")
    await alice.presses("Enter a name")
    await alice.writes("Ash")
    await alice.presses("Finish", hears="**Ash** joins the campaign")

    _message, labels = await offered(alice, UNFINISHED)
    assert labels == ["Roll the stats", "Roll Assets 2d12 × 100"]
    await alice.presses("Roll the stats", hears=["**Ash** rolls six stats", "Place the"])


@pytest.mark.parametrize(
    ("game", "about", "does"),
    [
        ("Post-magic-maid", "Blitz", "/maid blitz"),
        ("Project Swim Class", "Rest", "/swim rest"),
        ("Compare Roll", "Attack", "/compare attack"),
        ("Sword & Swarm", "Re-roll", "/swarm"),
        ("RPJ Core", "Checks", "/rpj check"),
    ],
)
async def test_rules_show_the_command_that_does_them_with_an_example(
    party: Party, game: str, about: str, does: str
) -> None:
    await open_campaign(party, game=game)
    discord, root = party.alice.member.discord, does[1:].split(" ")[0]
    registered = discord.registry.registered
    await discord.until(
        lambda: any(one["name"] == root for one in (*discord.commands, *registered(party.server.id)))
    )

    answer = await party.alice.types(
        f"/rules about:{about}", hears=["▸ ", f"For example: `{does}", "[My sheet]"]
    )

    assert answer.ephemeral
