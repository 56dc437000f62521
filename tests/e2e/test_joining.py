"""Joining a campaign: what newcomers see, and which characters wait for the GM."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from bot.playground.discord import Answer, Upload, button_labels
from bot.playground.discord.payloads import Payload
from bot.rules import rulesets
from bot.ui.commands.sheets import GROUP_LABELS
from tests.e2e.opening import open_campaign, open_other
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


def rich_maid(file: Payload) -> None:
    file["resources"]["blitz"] = 1_000_000
    file["resources"]["level_ups"] = 50
    file["sheet"]["is_magical"] = True


def rich_swimmer(file: Payload) -> None:
    file["resources"]["purse_sp"] = 1_000_000
    file["sheet"]["ranks"] = dict.fromkeys(file["sheet"]["ranks"], 99)


def rich_comparer(file: Payload) -> None:
    file["resources"]["assets"] = 1_000_000
    file["sheet"]["skill_points"] = file["sheet"]["stat_points"] = 99


def rich_swarmer(file: Payload) -> None:
    file["sheet"]["level"] = 99
    file["sheet"]["proficiencies"] = {"Architecture": 99}


def rich_rpj(file: Payload) -> None:
    file["sheet"]["total_points"] = file["sheet"]["available_points"] = 500


RICH: dict[str, tuple[Callable[[Payload], None], list[str]]] = {
    "Post-magic-maid": (
        rich_maid,
        [
            "Blitz Points 1,000,000 (a beginner: 3)",
            "Level-ups 50 (a beginner: none)",
            "Is magical yes (a beginner: no)",
        ],
    ),
    "Project Swim Class": (
        rich_swimmer,
        ["Purse (SP) 1,000,000", "Ranks above the default ", "(a beginner: 4)"],
    ),
    "Compare Roll": (
        rich_comparer,
        [
            "Assets 1,000,000 (a beginner: none)",
            "(a beginner: 16)",
            "Stat points 99 (a beginner: none)",
        ],
    ),
    "Sword & Swarm": (
        rich_swarmer,
        ["Level 99 (a beginner: 3)", "Ranks 99 (a beginner: 2)"],
    ),
    "RPJ Core": (
        rich_rpj,
        ["Character power 500 (a beginner: 40)"],
    ),
}


async def exported(actor: Actor) -> Payload:
    """Return a player's exported character as data."""
    given = await actor.types("/character export")
    assert given.message is not None
    file: Payload = json.loads(actor.member.discord.files.content(given.message["attachments"][0]))
    return file


def plain(answer: Answer) -> str:
    """Return an answer's text without the backslashes that escape markdown."""
    return answer.text.replace("\\", "")


def upload(file: Payload) -> Upload:
    return Upload("rich.json", json.dumps(file).encode())


@pytest.mark.parametrize("game", RICH)
async def test_f_rel_02_an_edited_character_file_waits_for_the_gm(party: Party, game: str) -> None:
    enrich, above = RICH[game]
    await open_other(party, game)
    gwen, alice, _bob = party.everybody
    file = await exported(alice)
    own = file["name"]

    enrich(file)
    answer = await alice.types("/character import name:Rich", file=upload(file), hears="asks to join")
    for words in ("**Rich** asks to join the campaign", "Above what a new character gets: ", *above):
        assert words in plain(answer)
    await alice.sees("A GM must approve it before it joins.")  # F-ALL-38
    await alice.types("/character use name:Rich", hears="There is no character called")
    await alice.types("/character sheet", hears=own)
    await gwen.types("/gm admit character:Rich", hears="**Rich** joins the campaign")
    await alice.types("/character sheet", hears="Rich")


async def test_f_rel_02_a_beginners_file_joins_at_once(party: Party) -> None:
    await open_other(party, "Sword & Swarm")
    alice = party.alice
    file = await exported(alice)

    await alice.types(
        "/character import name:Twin", file=upload(file), hears="**Twin** joins the campaign from a file"
    )


async def test_f_rel_02_a_gm_can_import_any_character(party: Party) -> None:
    await open_other(party, "Sword & Swarm")
    file = await exported(party.alice)

    rich_swarmer(file)
    await party.gwen.types(
        "/character import name:Rich", file=upload(file), hears="**Rich** joins the campaign from a file"
    )


async def test_f_rel_02_the_wizard_applies_the_same_limits(party: Party) -> None:
    await open_campaign(party, game="Sword & Swarm")
    alice = party.alice

    await alice.types("/character create")
    for attribute in ("Mallet", "Key", "Runes", "Coronet"):
        await alice.chooses(attribute, "4")
    await alice.presses("Next")
    await alice.chooses("Star", "4")
    await alice.presses("Write")
    await alice.writes({"level": "99"})
    await alice.presses("Next")
    await alice.presses("Enter a name")
    await alice.writes("Rich")
    answer = await alice.presses("Finish", hears="asks to join")

    assert (
        "**Rich** asks to join the campaign\nAbove what a new character gets: Level 99 (a beginner: 3)."
        in plain(answer)
    )


async def test_f_rel_03_an_unknown_trait_is_refused_with_a_list_of_known_ones(party: Party) -> None:
    await open_other(party, "Project Swim Class")
    gwen, alice, _bob = party.everybody
    file = await exported(alice)
    file["sheet"]["traits"] = [{"key": "nonsense", "degree": 1}]
    known = "There is no trait “nonsense”. There are: fins, large, small."

    answer = await alice.types("/character import name:Odd", file=upload(file))
    assert plain(answer) == f"traits: {known}"
    traits = '[{"key": "nonsense", "degree": 1}]'
    answer = await gwen.types(f"/gm set field character:{file['name']} field:traits", value=traits)
    assert plain(answer) == known
    await alice.types("/character sheet", hears=file["name"])
    await alice.types("/swim roll skill:Stealth difficulty:2", hears=file["name"])
